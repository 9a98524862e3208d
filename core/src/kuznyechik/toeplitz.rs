//! L as a Toeplitz matrix, derived at compile time from the standard (RFC 7801, section 4.2), for
//! kernels that hold byte a_i of many blocks in one vector.
//!
//! The polynomial of the shift register has the roots β^120 .. β^135, β = 39, so L encodes a
//! Reed-Solomon code, and in the order a_0 .. a_15
//!
//! L = D1 · T · D2,  T\[i\]\[j\] = 1 / (1 + β^(16 + i - j)),  D1 and D2 diagonal.
//!
//! In memory order the same product is L^-1. D1 and D2 go into the S-boxes' tables, one for each place.
//!
//! T is done by Karatsuba's rule on its blocks, one bit of the index after the other: for a matrix \[X, Y;
//! Z, X\] and s = X(u + v) the halves are (X + Y)v + s and (X + Z)u + s. Three levels, bits 0, 1 and 3,
//! leave 27 matrices \[a, b; c, a\] of bit 2, done by the rule or plainly, whichever is cheaper. Every
//! level can be scaled by a factor, which D1 and D2 take back, and T as a whole. The order and the factors
//! were found by search: many of the constants become 0 or 1.

use super::consts::multiply;
#[cfg(target_arch = "x86_64")]
use super::consts::{PI, PI_INVERSE};

const BETA: u8 = 39;
/// The bits of the index in the order of the levels.
const BITS: [i32; 4] = [0, 1, 3, 2];
/// The factor of each level.
const FACTORS: [u8; 4] = [204, 212, 107, 77];
/// The constant that becomes 1.
const UNIT: u8 = 16;

const fn power(a: u8, e: i32) -> u8 {
    let (mut r, mut a, mut e) = (1, a, e.rem_euclid(255));
    while e > 0 {
        if e & 1 != 0 {
            r = multiply(r, a);
        }
        a = multiply(a, a);
        e >>= 1;
    }
    r
}

pub(super) const fn inverse(a: u8) -> u8 {
    power(a, 254)
}

/// 1 / (1 + β^(16 + d)).
const fn entry(d: i32) -> u8 {
    inverse(1 ^ power(BETA, 16 + d))
}

/// The product of the factors of the index's bits.
const fn weight(index: usize) -> u8 {
    let (mut w, mut level) = (1, 0);
    while level < 4 {
        if index >> BITS[level] & 1 != 0 {
            w = multiply(w, FACTORS[level]);
        }
        level += 1;
    }
    w
}

/// Π (y + β^k) over k of 0..16 but `without`.
const fn locator(y: u8, without: usize) -> u8 {
    let (mut r, mut k) = (1, 0);
    while k < 16 {
        if k != without {
            r = multiply(r, y ^ power(BETA, k as i32));
        }
        k += 1;
    }
    r
}

/// T\[i\]\[j\], scaled.
pub(super) const fn scaled(i: usize, j: usize) -> u8 {
    let w = multiply(weight(j), inverse(multiply(weight(i), UNIT)));
    multiply(entry(i as i32 - j as i32), w)
}

/// D1, with what undoes the factors.
pub(super) const D1: [u8; 16] = {
    let (mut d, mut i) = ([0; 16], 0);
    while i < 16 {
        let y = power(BETA, 16 + i as i32);
        d[i] = multiply(power(y, 120), locator(y, 16));
        d[i] = multiply(d[i], multiply(weight(i), UNIT));
        i += 1;
    }
    d
};

/// D2, with what undoes the factors.
pub(super) const D2: [u8; 16] = {
    let (mut d, mut j) = ([0; 16], 0);
    while j < 16 {
        let x = power(BETA, j as i32);
        d[j] = multiply(power(x, -121), inverse(multiply(locator(x, j), weight(j))));
        j += 1;
    }
    d
};

/// \[a, b, c\] of the 27 matrices at 9p + 3q + r, where p, q and r say what was done at the first three
/// levels: 0: X + Y, 1: X + Z, 2: X.
const MATRICES: [[u8; 3]; 27] = {
    let (mut m, mut n) = ([[0; 3]; 27], 0);
    while n < 81 {
        // the sum of T's entries over the choices of X or the other at each level
        let mut choice = 0;
        while choice < 8 {
            let (mut d, mut w, mut level, mut exists) = (0, inverse(UNIT), 0, true);
            while level < 4 {
                let done = match level {
                    3 => [2, 0, 1][n % 3],
                    _ => [n / 27, n / 9 % 3, n / 3 % 3][level],
                };
                if level == 3 || choice >> level & 1 != 0 {
                    let (step, factor) = (1 << BITS[level], FACTORS[level]);
                    match done {
                        0 => (d, w) = (d - step, multiply(w, factor)),
                        1 => (d, w) = (d + step, multiply(w, inverse(factor))),
                        _ => exists = exists && level == 3,
                    }
                }
                level += 1;
            }
            if exists {
                m[n / 3][n % 3] ^= multiply(w, entry(d));
            }
            choice += 1;
        }
        n += 1;
    }
    m
};

/// How one of the 27 products is done.
#[derive(Clone, Copy)]
pub(super) struct Leaf {
    /// By Karatsuba's rule with the constants \[a, a + b, a + c\]; else plainly with \[a, b, c\].
    pub(super) rule: bool,
    /// The constants: nothing is done for 0 and 1.
    pub(super) by: [u8; 3],
}

/// What operations cost: a product, one by 1, a sum of factors, and a term in a sum of products.
pub(super) struct Costs {
    pub(super) product: u32,
    pub(super) once: u32,
    pub(super) add: u32,
    pub(super) term: u32,
}

impl Costs {
    /// Of a constant whose products are terms of so many sums, and are made of so many factors.
    const fn of(&self, c: u8, products: u32, terms: u32) -> u32 {
        match c {
            0 => 0,
            1 => products * self.once + terms * self.term,
            _ => products * self.product + terms * self.term,
        }
    }
}

/// The cheaper way for each.
pub(super) const fn leaves(costs: &Costs) -> [Leaf; 27] {
    let (mut leaves, mut n) = ([Leaf { rule: false, by: [0; 3] }; 27], 0);
    while n < 27 {
        let [a, b, c] = MATRICES[n];
        let rule = [a, a ^ b, a ^ c];
        let plain = costs.of(a, 2, 2) + costs.of(b, 1, 1) + costs.of(c, 1, 1);
        let ruled =
            costs.add + costs.of(rule[0], 1, 2) + costs.of(rule[1], 1, 1) + costs.of(rule[2], 1, 1);
        leaves[n].rule = ruled < plain;
        leaves[n].by = if leaves[n].rule { rule } else { [a, b, c] };
        n += 1;
    }
    leaves
}

/// Where a product is one operation; three terms are one, so that a term counts half.
pub(super) const LEAVES: [Leaf; 27] = leaves(&Costs { product: 2, once: 0, add: 2, term: 1 });

#[cfg(target_arch = "x86_64")]
/// The product by `c` as `gf2p8affineqb` takes it: byte 7 - i is the row of result bit i.
pub(super) const fn affine(c: u8) -> u64 {
    let (mut rows, mut j) = (0, 0);
    while j < 64 {
        if multiply(1 << (j / 8), c) >> (j % 8) & 1 != 0 {
            rows |= 1 << (8 * (7 - j % 8) + j / 8);
        }
        j += 1;
    }
    rows
}

#[cfg(target_arch = "x86_64")]
/// A substitution S of one place: four parts by the low six bits of a byte x, which `Bytes::lookup` sums
/// up. In pairs: S(x) + x for bit 6 clear and set, and what S differs by from these where bit 7 is set.
/// Else: one for bit 6 set, one for bit 6 clear, what is added where neither bit is set, and where bit 7
/// is.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Table(pub(crate) [[u8; 64]; 4]);

#[cfg(target_arch = "x86_64")]
/// What the rounds read, in one place, so that it can be reached by one pointer.
#[repr(C, align(64))]
pub(super) struct Constants {
    /// Encryption: D2 · π in the first round, D2 · π(D1 · x) in the others.
    pub(super) encrypt: [[Table; 16]; 2],
    /// Decryption: D2 · π^-1(D1 · x), π^-1(D1 · x) in the last round.
    pub(super) decrypt: [[Table; 16]; 2],
    /// The products of `LEAVES`.
    pub(super) leaves: [[u64; 3]; 27],
    /// The products by D1 and D2.
    pub(super) d1: [u64; 16],
    pub(super) d2: [u64; 16],
    /// The products by the columns of T for a_0 and a_8, as scaled.
    pub(super) columns: [[u64; 16]; 2],
    /// The products by the inverse of D2.
    pub(super) d2_inverse: [u64; 16],
}

#[cfg(target_arch = "x86_64")]
/// `outer` · S(`inner` · x) for each place.
const fn tables(s: &[u8; 256], inner: &[u8; 16], outer: &[u8; 16], pairs: bool) -> [Table; 16] {
    let (mut t, mut n) = ([Table([[0; 64]; 4]); 16], 0);
    while n < 16 * 64 {
        let (i, x) = (n / 64, n % 64);
        let (mut q, mut k) = ([0; 4], 0);
        while k < 4 {
            q[k] = multiply(outer[i], s[multiply(inner[i], (64 * k + x) as u8) as usize]);
            k += 1;
        }
        let (y, differ) = ([q[0] ^ x as u8, q[1] ^ 64 ^ x as u8], q[1] ^ q[3]);
        let parts = if pairs {
            [y[0], y[1], y[0] ^ q[2], y[1] ^ q[3]]
        } else {
            [q[1], q[2] ^ differ, q[0] ^ q[2] ^ differ, differ]
        };
        k = 0;
        while k < 4 {
            t[i].0[k][x] = parts[k];
            k += 1;
        }
        n += 1;
    }
    t
}

#[cfg(target_arch = "x86_64")]
/// Those for tables by parts, and in pairs.
pub(super) static CONSTANTS: [Constants; 2] = [constants(false), constants(true)];

#[cfg(target_arch = "x86_64")]
const fn constants(pairs: bool) -> Constants {
    let one = [1; 16];
    let mut c = Constants {
        encrypt: [tables(&PI, &one, &D2, pairs), tables(&PI, &D1, &D2, pairs)],
        decrypt: [tables(&PI_INVERSE, &D1, &D2, pairs), tables(&PI_INVERSE, &D1, &one, pairs)],
        leaves: [[0; 3]; 27],
        d1: [0; 16],
        d2: [0; 16],
        columns: [[0; 16]; 2],
        d2_inverse: [0; 16],
    };
    let mut n = 0;
    while n < 81 {
        c.leaves[n / 3][n % 3] = affine(LEAVES[n / 3].by[n % 3]);
        n += 1;
    }
    let mut i = 0;
    while i < 16 {
        c.d1[i] = affine(D1[i]);
        c.d2[i] = affine(D2[i]);
        c.columns[0][i] = affine(scaled(i, 0));
        c.columns[1][i] = affine(scaled(i, 8));
        c.d2_inverse[i] = affine(inverse(D2[i]));
        i += 1;
    }
    c
}

#[cfg(test)]
mod tests {
    use super::super::consts::{INVERSE_ROWS, ROWS};
    use super::*;

    #[test]
    fn l_is_d1_t_d2() {
        for i in 0..16 {
            for j in 0..16 {
                let t =
                    multiply(entry(i as i32 - j as i32), multiply(weight(j), inverse(weight(i))));
                let l = multiply(multiply(D1[i], multiply(t, inverse(UNIT))), D2[j]);
                assert_eq!(l, ROWS[15 - i][15 - j]);
                assert_eq!(l, INVERSE_ROWS[i][j]);
            }
        }
    }
}
