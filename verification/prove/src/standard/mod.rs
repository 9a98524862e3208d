//! The standards, from the texts of RFC 7801, 6986, 8891, 7836, 9058, 4357 and 5830 only: nothing here is shared with
//! the library.
//!
//! A standard runs on bytes of the domain; before each S-box it names its bytes, so that the machine's can be
//! found to be functions of them. Constants are as the RFCs print them; a test parses them from the texts.

pub mod field;
pub mod kuznyechik;
pub mod magma;
pub mod streebog;
#[cfg(test)]
mod tests;

use crate::bytes::op;
use crate::domain::{Byte, cut, lift};

/// RFC 7801, section 4.1.1, and RFC 6986, section 6.2: the same substitution.
#[rustfmt::skip]
pub const PI: [u8; 256] = [
    252, 238, 221, 17, 207, 110, 49, 22, 251, 196, 250, 218, 35, 197, 4, 77,
    233, 119, 240, 219, 147, 46, 153, 186, 23, 54, 241, 187, 20, 205, 95, 193,
    249, 24, 101, 90, 226, 92, 239, 33, 129, 28, 60, 66, 139, 1, 142, 79,
    5, 132, 2, 174, 227, 106, 143, 160, 6, 11, 237, 152, 127, 212, 211, 31,
    235, 52, 44, 81, 234, 200, 72, 171, 242, 42, 104, 162, 253, 58, 206, 204,
    181, 112, 14, 86, 8, 12, 118, 18, 191, 114, 19, 71, 156, 183, 93, 135,
    21, 161, 150, 41, 16, 123, 154, 199, 243, 145, 120, 111, 157, 158, 178, 177,
    50, 117, 25, 61, 255, 53, 138, 126, 109, 84, 198, 128, 195, 189, 13, 87,
    223, 245, 36, 169, 62, 168, 67, 201, 215, 121, 214, 246, 124, 34, 185, 3,
    224, 15, 236, 222, 122, 148, 176, 188, 220, 232, 40, 80, 78, 51, 10, 74,
    167, 151, 96, 115, 30, 0, 98, 68, 26, 184, 56, 130, 100, 159, 38, 65,
    173, 69, 70, 146, 39, 94, 85, 47, 140, 163, 165, 125, 105, 213, 149, 59,
    7, 88, 179, 64, 134, 172, 29, 247, 48, 55, 107, 228, 136, 217, 231, 137,
    225, 27, 131, 73, 76, 63, 248, 254, 141, 83, 170, 144, 202, 216, 133, 97,
    32, 113, 103, 164, 45, 43, 9, 91, 203, 155, 37, 208, 190, 229, 108, 82,
    89, 166, 116, 210, 230, 244, 180, 192, 209, 102, 175, 194, 57, 75, 99, 182,
];
/// The inverse of π.
pub const fn inverse() -> [u8; 256] {
    let (mut out, mut i) = ([0; 256], 0);
    while i < 256 {
        out[PI[i] as usize] = i as u8;
        i += 1;
    }
    out
}

/// The product in GF(2^8) by x^8 and these lower powers.
pub const fn times(a: u8, b: u8, powers: u8) -> u8 {
    let (mut a, mut r, mut i) = (a, 0, 0);
    while i < 8 {
        if b >> i & 1 != 0 {
            r ^= a;
        }
        a = a << 1 ^ if a & 128 != 0 { powers } else { 0 };
        i += 1;
    }
    r
}

/// The sums of bytes, place by place.
pub fn xor(a: &[Byte], b: &[Byte]) -> Vec<Byte> {
    a.iter().zip(b).map(|(a, b)| *a ^ *b).collect()
}
/// The substitution of bytes, each named first.
pub fn substitute(bytes: &[Byte]) -> Vec<Byte> {
    bytes.iter().map(|b| lift(op::STANDARD, [cut(*b)], |[x]| PI[x as usize])).collect()
}
/// Numbers as bytes.
pub fn numbers(bytes: &[u8]) -> Vec<Byte> {
    bytes.iter().map(|b| Byte::new(*b)).collect()
}
