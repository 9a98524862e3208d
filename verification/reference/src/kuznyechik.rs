//! Kuznyechik, the 128-bit block cipher of GOST R 34.12-2015 (RFC 7801).
//!
//! A block a_15||...||a_0 is the array with a_15 in element 0: the bytes in
//! the order of the RFC's hexadecimal strings.

use crate::{Cipher, Error, Keyed};

/// Pi', RFC 7801 4.1.
pub const PI: [u8; 256] = [
    252, 238, 221, 17, 207, 110, 49, 22, 251, 196, 250, 218, 35, 197, 4, 77, 233, 119, 240, 219,
    147, 46, 153, 186, 23, 54, 241, 187, 20, 205, 95, 193, 249, 24, 101, 90, 226, 92, 239, 33, 129,
    28, 60, 66, 139, 1, 142, 79, 5, 132, 2, 174, 227, 106, 143, 160, 6, 11, 237, 152, 127, 212,
    211, 31, 235, 52, 44, 81, 234, 200, 72, 171, 242, 42, 104, 162, 253, 58, 206, 204, 181, 112,
    14, 86, 8, 12, 118, 18, 191, 114, 19, 71, 156, 183, 93, 135, 21, 161, 150, 41, 16, 123, 154,
    199, 243, 145, 120, 111, 157, 158, 178, 177, 50, 117, 25, 61, 255, 53, 138, 126, 109, 84, 198,
    128, 195, 189, 13, 87, 223, 245, 36, 169, 62, 168, 67, 201, 215, 121, 214, 246, 124, 34, 185,
    3, 224, 15, 236, 222, 122, 148, 176, 188, 220, 232, 40, 80, 78, 51, 10, 74, 167, 151, 96, 115,
    30, 0, 98, 68, 26, 184, 56, 130, 100, 159, 38, 65, 173, 69, 70, 146, 39, 94, 85, 47, 140, 163,
    165, 125, 105, 213, 149, 59, 7, 88, 179, 64, 134, 172, 29, 247, 48, 55, 107, 228, 136, 217,
    231, 137, 225, 27, 131, 73, 76, 63, 248, 254, 141, 83, 170, 144, 202, 216, 133, 97, 32, 113,
    103, 164, 45, 43, 9, 91, 203, 155, 37, 208, 190, 229, 108, 82, 89, 166, 116, 210, 230, 244,
    180, 192, 209, 102, 175, 194, 57, 75, 99, 182,
];

/// Pi'^(-1), RFC 7801 4.1, inverted here rather than copied.
const PI_INV: [u8; 256] = {
    let mut inverse = [0; 256];
    let mut x = 0;
    while x < 256 {
        inverse[PI[x] as usize] = x as u8;
        x += 1;
    }
    inverse
};

/// The coefficients of l for a_15, a_14, ..., a_0 (RFC 7801 4.2, where the
/// second term is misprinted: 32 belongs to a_14).
pub const COEFFICIENTS: [u8; 16] =
    [148, 32, 133, 16, 194, 192, 1, 251, 1, 192, 194, 16, 133, 32, 148, 1];

/// The product in Q = GF(2)\[x\] / (x^8 + x^7 + x^6 + x + 1) (RFC 7801 3.2).
pub const fn multiply(mut a: u8, mut b: u8) -> u8 {
    let mut product = 0;
    while b != 0 {
        if b & 1 == 1 {
            product ^= a;
        }
        let carry = a & 0x80 != 0;
        a <<= 1;
        if carry {
            a ^= 0xc3;
        }
        b >>= 1;
    }
    product
}

/// PRODUCT\[i\]\[x\] = COEFFICIENTS\[i\] * x, so that tests over megabytes end.
static PRODUCT: [[u8; 256]; 16] = {
    let mut table = [[0; 256]; 16];
    let mut i = 0;
    while i < 16 {
        let mut x = 0;
        while x < 256 {
            table[i][x] = multiply(COEFFICIENTS[i], x as u8);
            x += 1;
        }
        i += 1;
    }
    table
};

/// The linear transformation l (RFC 7801 4.2).
fn linear(a: &[u8; 16]) -> u8 {
    let mut sum = 0;
    for i in 0..16 {
        sum ^= PRODUCT[i][a[i] as usize];
    }
    sum
}

/// X\[k\](a) = k xor a (RFC 7801 4.3).
fn x(k: [u8; 16], a: [u8; 16]) -> [u8; 16] {
    core::array::from_fn(|i| k[i] ^ a[i])
}

/// S: Pi on every byte (RFC 7801 4.3).
pub fn s(a: [u8; 16]) -> [u8; 16] {
    a.map(|byte| PI[byte as usize])
}

/// S^(-1) (RFC 7801 4.3).
pub fn s_inv(a: [u8; 16]) -> [u8; 16] {
    a.map(|byte| PI_INV[byte as usize])
}

/// R(a_15||...||a_0) = l(a_15,...,a_0)||a_15||...||a_1 (RFC 7801 4.3).
pub fn r(a: [u8; 16]) -> [u8; 16] {
    let mut out = [0; 16];
    out[0] = linear(&a);
    out[1..].copy_from_slice(&a[..15]);
    out
}

/// R^(-1)(a_15||...||a_0) = a_14||...||a_0||l(a_14,...,a_0,a_15) (RFC 7801 4.3).
pub fn r_inv(a: [u8; 16]) -> [u8; 16] {
    let mut out = [0; 16];
    out[..15].copy_from_slice(&a[1..]);
    out[15] = a[0];
    out[15] = linear(&out);
    out
}

/// L = R^16 (RFC 7801 4.3).
pub fn l(a: [u8; 16]) -> [u8; 16] {
    (0..16).fold(a, |state, _| r(state))
}

/// L^(-1) = (R^(-1))^16 (RFC 7801 4.3).
pub fn l_inv(a: [u8; 16]) -> [u8; 16] {
    (0..16).fold(a, |state, _| r_inv(state))
}

/// The round constant C_i = L(Vec_128(i)), i = 1..=32 (RFC 7801 4.4).
pub fn c(i: u8) -> [u8; 16] {
    l(u128::from(i).to_be_bytes())
}

/// F\[k\](a_1, a_0) = (LSX\[k\](a_1) xor a_0, a_1) (RFC 7801 4.3).
pub fn f(k: [u8; 16], a1: [u8; 16], a0: [u8; 16]) -> ([u8; 16], [u8; 16]) {
    (x(l(s(x(k, a1))), a0), a1)
}

/// Kuznyechik under one key.
pub struct Kuznyechik {
    /// K_1..K_10; index 0 is K_1.
    k: [[u8; 16]; 10],
}

impl Kuznyechik {
    /// Key schedule, RFC 7801 4.4. `key` is k_255||...||k_0, 32 bytes.
    pub fn new(key: &[u8]) -> Result<Kuznyechik, Error> {
        if key.len() != 32 {
            return Err(Error::KeyLength);
        }
        let mut k = [[0; 16]; 10];
        k[0].copy_from_slice(&key[..16]);
        k[1].copy_from_slice(&key[16..]);
        for i in 1..=4 {
            let (mut a1, mut a0) = (k[2 * i - 2], k[2 * i - 1]);
            for j in 1..=8 {
                (a1, a0) = f(c((8 * (i - 1) + j) as u8), a1, a0);
            }
            k[2 * i] = a1;
            k[2 * i + 1] = a0;
        }
        Ok(Kuznyechik { k })
    }

    /// K_1..K_10.
    pub fn round_keys(&self) -> [[u8; 16]; 10] {
        self.k
    }
}

fn array(block: &[u8]) -> [u8; 16] {
    block.try_into().expect("a block of Kuznyechik has 16 bytes")
}

impl Cipher for Kuznyechik {
    fn block(&self) -> usize {
        16
    }
    /// RFC 7801 4.5.1.
    fn encrypt(&self, block: &mut [u8]) {
        let mut a = array(block);
        for k in &self.k[..9] {
            a = l(s(x(*k, a)));
        }
        block.copy_from_slice(&x(self.k[9], a));
    }
    /// RFC 7801 4.5.2 (printed there with L^(-1) and S^(-1) in the wrong
    /// order for maps of which the right one applies first; 5.6 has it right).
    fn decrypt(&self, block: &mut [u8]) {
        let mut b = array(block);
        for k in self.k[1..].iter().rev() {
            b = s_inv(l_inv(x(*k, b)));
        }
        block.copy_from_slice(&x(self.k[0], b));
    }
}

impl Keyed for Kuznyechik {
    const BLOCK: usize = 16;
    fn with_key(key: &[u8]) -> Result<Self, Error> {
        Kuznyechik::new(key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals() {
        assert!(matches!(Kuznyechik::new(&[0; 16]), Err(Error::KeyLength)));
    }
}
