//! RFC 8891, and GOST 28147-89 (RFC 5830) by it. A word is its four bytes, the lowest first.

use super::xor;
use crate::bytes::{Shift, add, op, shift};
use crate::domain::{Byte, ZERO, lift, table};

/// The substitutions of section 4.1, that of the lowest four bits first.
#[rustfmt::skip]
pub const PI: [[u8; 16]; 8] = [
    [12, 4, 6, 2, 10, 5, 11, 9, 14, 8, 13, 7, 0, 3, 15, 1],
    [6, 8, 2, 3, 9, 10, 5, 12, 1, 14, 4, 7, 11, 13, 0, 15],
    [11, 3, 5, 8, 2, 15, 10, 13, 14, 1, 7, 4, 12, 9, 6, 0],
    [12, 8, 2, 1, 13, 4, 15, 6, 7, 0, 10, 5, 3, 14, 9, 11],
    [7, 15, 5, 10, 8, 1, 6, 13, 0, 9, 3, 14, 11, 4, 2, 12],
    [5, 13, 15, 6, 9, 2, 12, 10, 11, 7, 8, 1, 4, 3, 14, 0],
    [8, 14, 2, 5, 6, 9, 1, 12, 15, 4, 11, 0, 13, 10, 3, 7],
    [1, 7, 14, 13, 0, 5, 8, 3, 4, 15, 10, 6, 9, 12, 11, 2],
];

/// g[k](a).
fn g(rows: &[[u8; 16]; 8], a: &[Byte], k: &[Byte]) -> Vec<Byte> {
    let t = add(a, k, ZERO).0;
    let substituted = t.iter().enumerate().map(|(i, b)| {
        let f = |x: u8| rows[2 * i][x as usize & 15] | rows[2 * i + 1][x as usize >> 4] << 4;
        lift(op::STANDARD | 1 << 31 | u64::from(table(f)), [*b], |[x]| f(x))
    });
    shift(&substituted.collect::<Vec<_>>(), Shift::Around, 11)
}

/// A block under eight words of a key: 32 rounds, or for an authentication code of GOST 28147-89 the first 16.
pub fn cipher(
    rows: &[[u8; 16]; 8],
    keys: &[Byte],
    block: &[Byte],
    decrypts: bool,
    rounds: usize,
) -> Vec<Byte> {
    let reversed = |word: &[Byte]| word.iter().rev().copied().collect::<Vec<_>>();
    let (mut a1, mut a0) = (reversed(&block[..4]), reversed(&block[4..]));
    let order = |i: usize| if i < 24 { i % 8 } else { 31 - i };
    for i in 0..rounds {
        let r = order(if decrypts { 31 - i } else { i });
        let new = xor(&a1, &g(rows, &a0, &keys[4 * r..4 * r + 4]));
        (a1, a0) = (a0, new);
    }
    // The last round of the 32 does not exchange the halves.
    if rounds == 32 {
        (a1, a0) = (a0, a1);
    }
    [reversed(&a1), reversed(&a0)].concat()
}
