//! L in the field that its matrix hides, derived at compile time from A and π (RFC 6986, section 6).
//!
//! A state is an 8 × 8 matrix of bytes x\[row\]\[column\] = byte 8·row + column. The 64 blocks of
//! 8 × 8 bits of A are multiplications in GF(2^8) modulo x^8 + x^4 + x^3 + x^2 + 1 in the natural order
//! of bits, so
//!
//! LPS(x)\[i\]\[k\] = Σ_j c(j, k) · π(x\[j\]\[i\]),  c(j, k) = byte k of row 63 − 8j of A.
//!
//! P is the transposition that stands in x\[j\]\[i\]. Instead of doing it, the rounds alternate between
//! two layouts: `Rows` (byte 8·row + column at that place) and `Columns` (at 8·column + row):
//! - from `Rows` the sum goes over groups of 8 bytes and leaves `Columns`: byte i of group k is
//!   Σ_j c(j, k) · π(byte i of group j);
//! - from `Columns` it goes inside the groups and leaves `Rows`: byte k of group i is
//!   Σ_j c(j, k) · π(byte j of group i).

use super::consts::{A, C};
pub(crate) use crate::gf256::product as multiply;
use crate::pi::PI;

/// An byte for each place of a state.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Octets(pub(crate) [u8; 64]);

/// The constant of the block from row `j` of the state to byte `k` of the result.
pub(crate) const fn c(j: usize, k: usize) -> u8 {
    (A[63 - 8 * j] >> (8 * k)) as u8
}

/// x^8 + x^4 + x^3 + x^2 + 1.
pub(crate) const POLYNOMIAL: u8 = 0x1d;

/// The bytes in the other layout.
pub(crate) const fn transposed(x: &[u8; 64]) -> [u8; 64] {
    let mut y = [0; 64];
    let mut n = 0;
    while n < 64 {
        y[n] = x[8 * (n % 8) + n / 8];
        n += 1;
    }
    y
}

/// C_1..C_12 of the key schedule with `map` on every byte, for states in `Rows` and in `Columns`.
pub(crate) const fn round_constants(map: &[u8; 256]) -> [[Octets; 2]; 12] {
    let mut r = [[Octets([0; 64]); 2]; 12];
    let mut i = 0;
    while i < 12 {
        let mut n = 0;
        while n < 64 {
            r[i][0].0[n] = map[C[i][n] as usize];
            n += 1;
        }
        r[i][1].0 = transposed(&r[i][0].0);
        i += 1;
    }
    r
}

/// K_1..K_13 of the first block, whose h is this byte everywhere and whose N is 0.
pub(crate) const fn initial_keys(octet: u8) -> [[u8; 64]; 13] {
    let (mut keys, mut x, mut i) = ([[0; 64]; 13], [octet; 64], 0);
    while i < 13 {
        let mut n = 0;
        while n < 512 {
            let (row, k, j) = (n / 64, n / 8 % 8, n % 8);
            keys[i][8 * row + k] ^= multiply(c(j, k), PI[x[8 * j + row] as usize], POLYNOMIAL);
            n += 1;
        }
        x = keys[i];
        if i < 12 {
            n = 0;
            while n < 64 {
                x[n] ^= C[i][n];
                n += 1;
            }
        }
        i += 1;
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_blocks_of_a_are_multiplications() {
        for j in 0..8 {
            for k in 0..8 {
                for v in 0..8 {
                    let block = (A[63 - (8 * j + v)] >> (8 * k)) as u8;
                    assert_eq!(block, multiply(c(j, k), 1 << v, POLYNOMIAL));
                }
            }
        }
    }
}
