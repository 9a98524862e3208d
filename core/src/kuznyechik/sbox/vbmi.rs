//! S by look-ups of whole bytes, 64 at once: its tables, and L's constants as GFNI has them.

use crate::kuznyechik::constants::{PI, PI_INVERSE, multiply};
use crate::kuznyechik::linear::{D1, D2, LEAVES, inverse, scaled};

/// The product by `c` as `gf2p8affineqb` takes it: byte 7 - i is the row of result bit i.
pub(in crate::kuznyechik) const fn affine(c: u8) -> u64 {
    let (mut rows, mut j) = (0, 0);
    while j < 64 {
        if multiply(1 << (j / 8), c) >> (j % 8) & 1 != 0 {
            rows |= 1 << (8 * (7 - j % 8) + j / 8);
        }
        j += 1;
    }
    rows
}

/// A substitution S of one place: four parts by the low six bits of a byte x, which `Bytes::lookup` sums
/// up. In pairs: S(x) + x for bit 6 clear and set, and what S differs by from these where bit 7 is set.
/// Else: one for bit 6 set, one for bit 6 clear, what is added where neither bit is set, and where bit 7
/// is.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Table(pub(crate) [[u8; 64]; 4]);

/// What the rounds read, in one place, so that it can be reached by one pointer.
#[repr(C, align(64))]
pub(in crate::kuznyechik) struct Constants {
    /// Encryption: D2 · π in the first round, D2 · π(D1 · x) in the others.
    pub(in crate::kuznyechik) encrypt: [[Table; 16]; 2],
    /// Decryption: D2 · π^-1(D1 · x), π^-1(D1 · x) in the last round.
    pub(in crate::kuznyechik) decrypt: [[Table; 16]; 2],
    /// The products of `LEAVES`.
    pub(in crate::kuznyechik) leaves: [[u64; 3]; 27],
    /// The products by D1 and D2.
    pub(in crate::kuznyechik) d1: [u64; 16],
    pub(in crate::kuznyechik) d2: [u64; 16],
    /// The products by the columns of T for a_0 and a_8, as scaled.
    pub(in crate::kuznyechik) columns: [[u64; 16]; 2],
    /// The products by the inverse of D2.
    pub(in crate::kuznyechik) d2_inverse: [u64; 16],
}

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

/// Those for tables by parts, and in pairs.
pub(in crate::kuznyechik) static CONSTANTS: [Constants; 2] = [constants(false), constants(true)];

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
