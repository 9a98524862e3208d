//! Constants of Kuznyechik: RFC 7801, section 4.

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(super) mod aes;

use crate::gf256;
pub(super) use crate::pi::PI;

/// The coefficients of the linear function l, from a_15 (the first byte in memory) to a_0:
/// RFC 7801, section 4.2 (the second term is a_14; the RFC's text misprints it).
pub const L: [u8; 16] = [148, 32, 133, 16, 194, 192, 1, 251, 1, 192, 194, 16, 133, 32, 148, 1];

/// The product in GF(2^8) modulo x^8 + x^7 + x^6 + x + 1: RFC 7801, section 3.2.
pub(super) const fn multiply(a: u8, b: u8) -> u8 {
    gf256::product(a, b, 0xc3)
}

/// Sixteen steps of the shift register, forwards (L) or backwards (L^-1): RFC 7801, section 4.2.
const fn shift(mut a: [u8; 16], forwards: bool) -> [u8; 16] {
    let mut step = 0;
    while step < 16 {
        // a_0, the last byte, has the coefficient 1, so it follows from the sum and the others.
        let (mut b, mut sum, mut k) = (a, 0, 0);
        while k < 16 {
            if forwards {
                sum ^= multiply(L[k], a[k]);
                b[(k + 1) % 16] = a[k];
            } else {
                sum ^= if k < 15 { multiply(L[k], a[k + 1]) } else { a[0] };
                b[k] = a[(k + 1) % 16];
            }
            k += 1;
        }
        b[if forwards { 0 } else { 15 }] = sum;
        a = b;
        step += 1;
    }
    a
}

/// The matrix: byte i of the result is Σ_j m\[i\]\[j\] · byte j.
const fn matrix(forwards: bool) -> [[u8; 16]; 16] {
    let (mut m, mut j) = ([[0; 16]; 16], 0);
    while j < 16 {
        let mut unit = [0; 16];
        unit[j] = 1;
        let (column, mut i) = (shift(unit, forwards), 0);
        while i < 16 {
            m[i][j] = column[i];
            i += 1;
        }
        j += 1;
    }
    m
}

/// L as a matrix on bytes in memory order.
pub(super) const ROWS: [[u8; 16]; 16] = matrix(true);
/// L^-1 as a matrix.
pub(super) const INVERSE_ROWS: [[u8; 16]; 16] = matrix(false);

/// C_1..C_32 of the key schedule, C_i = L(i): RFC 7801, section 4.4; and L(33), which `expand` adds to the
/// last key and subtracts again.
pub(super) const ROUND_CONSTANTS: [[u8; 16]; 33] = {
    let (mut c, mut i) = ([[0; 16]; 33], 0);
    while i < 33 {
        c[i][15] = i as u8 + 1;
        c[i] = shift(c[i], true);
        i += 1;
    }
    c
};

/// π^-1.
pub(super) const PI_INVERSE: [u8; 256] = {
    let (mut t, mut x) = ([0; 256], 0);
    while x < 256 {
        t[PI[x] as usize] = x as u8;
        x += 1;
    }
    t
};
