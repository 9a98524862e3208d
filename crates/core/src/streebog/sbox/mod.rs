//! S: π on every byte. There are three ways, and gates in `bitslice.rs`; no way reads memory at an address that depends
//! on data.
//!
//! | file | by | operations of a vector |
//! |---|---|---|
//! | `vbmi.rs` | two look-ups in halves of the table, in registers | 4 |
//! | `gfni.rs` | products in the field of AES, and look-ups by nibbles | 12 |
//! | `nibbles.rs` | logarithms, and look-ups by nibbles; leaves S to be summed with L | 16 |
//!
//! This file has the structure of π that the last two need, derived at compile time from its table (RFC 6986, section
//! 6.2).
//!
//! π is a TKlog (Perrin, "Partitions in the S-Box of Streebog and Kuznyechik", 2019) in the very field
//! of L (see [`super::constants`]). Let F be its subfield, g = 2^17 the generator of F*, and x = l + 2r with
//! l and r in F. Then, for functions K, φ, σ and E of an element of F,
//!
//! π(x) = K(l/r) + σ(r · φ(l/r)) where r ≠ 0,  π(x) = E(l) where r = 0.
//!
//! In words: π takes the 17 cosets of F*, other than F* itself, to cosets of F, all in the same way.
//! All values of E are values of K.

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(super) mod gfni;
pub(super) mod nibbles;
#[cfg(target_arch = "x86_64")]
pub(super) mod vbmi;

use super::constants::{POLYNOMIAL, multiply};
use crate::pi::PI;

/// 2^e.
const fn power(e: usize) -> u8 {
    let (mut x, mut i) = (1, 0);
    while i < e % 255 {
        x = multiply(x, 2, POLYNOMIAL);
        i += 1;
    }
    x
}

/// The element of F with the coordinates n over 1, g, g^2, g^3.
pub(crate) const ELEMENTS: [u8; 16] = {
    let (mut e, mut n) = ([0; 16], 0);
    while n < 64 {
        if (n / 4) >> (n % 4) & 1 != 0 {
            e[n / 4] ^= power(17 * (n % 4));
        }
        n += 1;
    }
    e
};

/// The coordinates of each byte x = l + 2r: the coordinates of l, and 16 times the coordinates of r.
pub(crate) const COORDINATES: [u8; 256] = {
    let (mut c, mut n) = ([0; 256], 0);
    while n < 256 {
        let x = ELEMENTS[n % 16] ^ multiply(2, ELEMENTS[n / 16], POLYNOMIAL);
        c[x as usize] = n as u8;
        n += 1;
    }
    c
};

/// The power of g that the element of these coordinates is; 15 for 0, which is no power.
pub(crate) const LOGARITHMS: [u8; 16] = {
    let (mut l, mut i) = ([15; 16], 0);
    while i < 15 {
        l[COORDINATES[power(17 * i) as usize] as usize] = i as u8;
        i += 1;
    }
    l
};

/// K(g^i), and K(0) at 15.
pub(crate) const K: [u8; 16] = CLASSES.0;
/// The logarithm of φ(g^i), and of φ(0) at 15.
pub(crate) const PHI: [u8; 16] = CLASSES.1;

const CLASSES: ([u8; 16], [u8; 16]) = {
    let (mut k, mut phi, mut i) = ([0; 16], [0; 16], 1);
    while i <= 16 {
        let n = COORDINATES[power(i) as usize] as usize;
        let (l, r) = (LOGARITHMS[n % 16] as usize, LOGARITHMS[n / 16] as usize);
        let class = if l == 15 { 15 } else { (l + 15 - r) % 15 };
        // σ's values are the elements of F*, with the sum 0; there are fifteen.
        let mut j = 0;
        while j < 15 {
            k[class] ^= PI[power(i + 17 * j) as usize];
            j += 1;
        }
        phi[class] = ((15 - r) % 15) as u8;
        i += 1;
    }
    (k, phi)
};

/// σ(g^i).
pub(crate) const SIGMA: [u8; 15] = {
    let n = COORDINATES[2] as usize;
    let class = LOGARITHMS[n % 16] as usize; // 2 = 0 + 2 · 1
    let (mut s, mut i) = ([0; 15], 0);
    while i < 15 {
        s[i] = PI[power(1 + 17 * i) as usize] ^ K[class];
        i += 1;
    }
    s
};

/// The number in K of E of the element of these coordinates.
pub(crate) const E: [u8; 16] = {
    let (mut e, mut n) = ([0; 16], 0);
    while n < 256 {
        if PI[ELEMENTS[n / 16] as usize] == K[n % 16] {
            e[n / 16] = (n % 16) as u8;
        }
        n += 1;
    }
    e
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pi_is_what_the_subfield_makes_of_it() {
        for x in 0..=255u8 {
            let n = usize::from(COORDINATES[usize::from(x)]);
            let (l, r) = (usize::from(LOGARITHMS[n % 16]), usize::from(LOGARITHMS[n / 16]));
            let y = if r == 15 {
                K[usize::from(E[n % 16])]
            } else {
                let class = if l == 15 { 15 } else { (l + 15 - r) % 15 };
                K[class] ^ SIGMA[(r + usize::from(PHI[class])) % 15]
            };
            assert_eq!(y, PI[usize::from(x)], "{x}");
        }
    }
}
