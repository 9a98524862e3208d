//! Kuznyechik's constants in the field of AES, which GFNI multiplies in, for kernels that hold a
//! block in 16 bytes of a vector, derived at compile time from the standard (RFC 7801, section 4).
//!
//! φ maps GF(2^8) modulo x^8 + x^7 + x^6 + x + 1 to GF(2^8) modulo x^8 + x^4 + x^3 + x + 1 by sending x
//! to a root of the first polynomial. Blocks and keys go through φ, the S-box becomes φ∘π∘φ⁻¹, and
//! L(s) = Σ_d C_d · (s rotated by d places), C_d a vector of 16 constants.

use crate::gf256;
use crate::kuznyechik::constants::{INVERSE_ROWS, PI, PI_INVERSE, ROWS};
use crate::kuznyechik::linear::{D1, D2, inverse};

/// In the field of AES.
const fn product(a: u8, b: u8) -> u8 {
    gf256::product(a, b, 0x1b)
}

/// φ: x goes to the least root of x^8 + x^7 + x^6 + x + 1.
pub(in crate::kuznyechik) const PHI: [u8; 256] = {
    let mut powers = [1u8; 9];
    let mut root = 2;
    loop {
        let mut i = 1;
        while i < 9 {
            powers[i] = product(powers[i - 1], root);
            i += 1;
        }
        if powers[8] == powers[7] ^ powers[6] ^ powers[1] ^ powers[0] {
            break;
        }
        root += 1;
    }
    let (mut phi, mut n) = ([0; 256], 0);
    while n < 2048 {
        if ((n / 8) >> (n % 8)) & 1 != 0 {
            phi[n / 8] ^= powers[n % 8];
        }
        n += 1;
    }
    phi
};

pub(in crate::kuznyechik) const PHI_INVERSE: [u8; 256] = {
    let (mut t, mut x) = ([0; 256], 0);
    while x < 256 {
        t[PHI[x] as usize] = x as u8;
        x += 1;
    }
    t
};

/// A linear map as an operand of `gf2p8affineqb`.
const fn affine(map: &[u8; 256]) -> u64 {
    let (mut rows, mut n) = (0, 0);
    while n < 64 {
        if map[1 << (n / 8)] >> (n % 8) & 1 != 0 {
            rows |= 1 << (8 * (7 - n % 8) + n / 8);
        }
        n += 1;
    }
    rows
}

/// Four blocks' worth of bytes.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Bytes(pub(crate) [u8; 64]);

/// A direction's substitution and linear map.
#[repr(C, align(64))]
pub(in crate::kuznyechik) struct Layer {
    /// φ∘π∘φ⁻¹ or the same of π^-1, a quarter of the table each.
    pub(in crate::kuznyechik) sbox: [Bytes; 4],
    /// C_d for four blocks.
    pub(in crate::kuznyechik) by: [Bytes; 16],
    /// C_d for a block, repeated: C_(4 n + e) in its n-th repetition, at \[e\].
    pub(in crate::kuznyechik) split: [Bytes; 4],
}

const fn layer(s: &[u8; 256], rows: &[[u8; 16]; 16]) -> Layer {
    let mut l =
        Layer { sbox: [Bytes([0; 64]); 4], by: [Bytes([0; 64]); 16], split: [Bytes([0; 64]); 4] };
    let mut x = 0;
    while x < 256 {
        let y = PHI[x] as usize;
        l.sbox[y / 64].0[y % 64] = PHI[s[x] as usize];
        x += 1;
    }
    let mut n = 0;
    while n < 16 * 64 {
        let (d, lane, i) = (n / 64, n / 16 % 4, n % 16);
        let c = PHI[rows[i][(i + d) % 16] as usize];
        l.by[d].0[n % 64] = c;
        if d / 4 == lane {
            l.split[d % 4].0[n % 64] = c;
        }
        n += 1;
    }
    l
}

pub(in crate::kuznyechik) static ENCRYPT: Layer = layer(&PI, &ROWS);
pub(in crate::kuznyechik) static DECRYPT: Layer = layer(&PI_INVERSE, &INVERSE_ROWS);

/// φ and φ⁻¹ for `gf2p8affineqb`.
pub(in crate::kuznyechik) static TO: u64 = affine(&PHI);
pub(in crate::kuznyechik) static FROM: u64 = affine(&PHI_INVERSE);

/// The indices of the rotation by 4 n + e in the n-th repetition of a block, at \[e\].
pub(in crate::kuznyechik) static ROTATIONS: [Bytes; 4] = {
    let (mut r, mut n) = ([Bytes([0; 64]); 4], 0);
    while n < 256 {
        r[n / 64].0[n % 64] = ((n % 16 + n % 64 / 16 * 4 + n / 64) % 16) as u8;
        n += 1;
    }
    r
};

/// φ of D2 for encryption (memory order, so backwards) and decryption: it scales the keys.
pub(in crate::kuznyechik) static SCALE: [Bytes; 2] = scale(&D2);

const fn scale(d: &[u8; 16]) -> [Bytes; 2] {
    let (mut s, mut n) = ([Bytes([0; 64]); 2], 0);
    while n < 64 {
        s[0].0[n] = PHI[d[15 - n % 16] as usize];
        s[1].0[n] = PHI[d[n % 16] as usize];
        n += 1;
    }
    s
}

/// φ of 1 / D1 in memory order, for encryption.
pub(in crate::kuznyechik) static UNSCALE: Bytes = {
    let (mut d, mut i) = ([0; 16], 0);
    while i < 16 {
        d[i] = inverse(D1[i]);
        i += 1;
    }
    scale(&d)[0]
};

/// φ of 1, but 0 for a_0 or for a_8.
pub(in crate::kuznyechik) static WITHOUT: [Bytes; 2] = {
    let (mut w, mut n) = ([Bytes([PHI[1]; 64]); 2], 0);
    while n < 64 {
        w[0].0[n + 15] = 0;
        w[1].0[n + 7] = 0;
        n += 16;
    }
    w
};

/// The indices that repeat each byte of a block four times, backwards for encryption.
pub(in crate::kuznyechik) static SPREAD: [Bytes; 2] = {
    let (mut s, mut n) = ([Bytes([0; 64]); 2], 0);
    while n < 64 {
        s[0].0[n] = 15 - (n / 4) as u8;
        s[1].0[n] = (n / 4) as u8;
        n += 1;
    }
    s
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kuznyechik::constants::multiply;

    #[test]
    fn phi_is_an_isomorphism() {
        for a in 0..=255u8 {
            for b in 0..=255u8 {
                let (x, y) = (PHI[usize::from(a)], PHI[usize::from(b)]);
                assert_eq!(PHI[usize::from(multiply(a, b))], product(x, y));
                assert_eq!(PHI[usize::from(a ^ b)], x ^ y);
            }
        }
    }
}
