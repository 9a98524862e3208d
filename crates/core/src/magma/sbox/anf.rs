//! S by algebra, in integers: a few blocks, each half in one u32, for short calls, chained streams and S-boxes without
//! a circuit.
//!
//! All eight S-boxes at once, of any values: output bit j of box p is its algebraic normal form, a sum of sixteen products
//! of the input bits, each with a coefficient 0 or 1. The coefficients of one product are in a word at bit 4 p + j; every
//! input bit is spread over its nibble; so sixteen words are the S-boxes, and 30 operations (Horner's rule in each
//! variable) look up all of them without a table.

use crate::cipher::Direction;
use crate::magma::constants::key_index;

/// The coefficients: `[m]` is of the product of the input bits that are set in m.
pub(in crate::magma) type Anf = [u32; 16];

/// The coefficients of eight rows: the Möbius transform of their values.
pub(in crate::magma) const fn anf(rows: &[[u8; 16]; 8]) -> Anf {
    let mut c = [0; 16];
    let mut m = 0;
    while m < 16 {
        let mut p = 0;
        while p < 8 {
            c[m] |= (rows[p][m] as u32) << (4 * p);
            p += 1;
        }
        m += 1;
    }
    let mut bit = 1;
    while bit < 16 {
        let mut m = 0;
        while m < 16 {
            if m & bit != 0 {
                c[m] ^= c[m ^ bit];
            }
            m += 1;
        }
        bit *= 2;
    }
    c
}

/// S(t) <<< 11.
#[inline(always)]
fn sub(c: &Anf, t: u32) -> u32 {
    let spread = |i: u32| {
        let x = t >> i & 0x1111_1111;
        (x << 4).wrapping_sub(x)
    };
    let (x0, x1, x2, x3) = (spread(0), spread(1), spread(2), spread(3));
    let f0 = |i: usize| c[i] ^ (x0 & c[i + 1]);
    let f1 = |i: usize| f0(i) ^ (x1 & f0(i + 2));
    let f2 = |i: usize| f1(i) ^ (x2 & f1(i + 4));
    (f2(0) ^ (x3 & f2(8))).rotate_left(11)
}

/// `n` rounds, 32 or 16, on `L` blocks under their keys, lane by lane so that compilers vectorise them. The halves keep
/// their names: after 32 rounds N1 is `.1`, after 16 it is `.0`.
#[inline(never)]
pub(in crate::magma) fn rounds<const L: usize>(
    anf: &Anf,
    halves: &mut ([u32; L], [u32; L]),
    keys: &[[u32; L]; 8],
    direction: Direction,
    n: usize,
) {
    let (a, b) = halves;
    for i in (0..n).step_by(2) {
        let word = |i: usize| key_index(if direction == Direction::Encrypt { i } else { 31 - i });
        for l in 0..L {
            b[l] ^= sub(anf, a[l].wrapping_add(keys[word(i)][l]));
        }
        for l in 0..L {
            a[l] ^= sub(anf, b[l].wrapping_add(keys[word(i + 1)][l]));
        }
    }
}
