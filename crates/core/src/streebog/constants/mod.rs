//! The constants of RFC 6986, section 6, and L in the field that its matrix hides, derived at compile time from A and π.
//! π is Kuznyechik's (`pi.rs`); [`aes`] has all of them in the field of AES.
//!
//! A state is an 8 × 8 matrix of bytes x\[row\]\[column\] = byte 8·row + column. The 64 blocks of 8 × 8 bits of A are
//! multiplications in GF(2^8) modulo x^8 + x^4 + x^3 + x^2 + 1 in the natural order of bits, so
//!
//! LPS(x)\[i\]\[k\] = Σ_j c(j, k) · π(x\[j\]\[i\]),  c(j, k) = byte k of row 63 − 8j of A.
//!
//! P is the transposition of rows and columns in x\[j\]\[i\]. Instead of doing it, the rounds alternate between two
//! layouts: `Rows` (byte 8·row + column at that place) and `Columns` (at 8·column + row):
//! - from `Rows` the sum goes over groups of 8 bytes and leaves `Columns`: byte i of group k is
//!   Σ_j c(j, k) · π(byte i of group j);
//! - from `Columns` it goes inside the groups and leaves `Rows`: byte k of group i is
//!   Σ_j c(j, k) · π(byte j of group i).

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(super) mod aes;

pub(crate) use crate::gf256::product as multiply;
use crate::pi::PI;

/// The rows of the matrix A: RFC 6986, section 6.4. Row 0 belongs to the most significant bit.
pub const A: [u64; 64] = [
    0x8e20faa72ba0b470,
    0x47107ddd9b505a38,
    0xad08b0e0c3282d1c,
    0xd8045870ef14980e,
    0x6c022c38f90a4c07,
    0x3601161cf205268d,
    0x1b8e0b0e798c13c8,
    0x83478b07b2468764,
    0xa011d380818e8f40,
    0x5086e740ce47c920,
    0x2843fd2067adea10,
    0x14aff010bdd87508,
    0x0ad97808d06cb404,
    0x05e23c0468365a02,
    0x8c711e02341b2d01,
    0x46b60f011a83988e,
    0x90dab52a387ae76f,
    0x486dd4151c3dfdb9,
    0x24b86a840e90f0d2,
    0x125c354207487869,
    0x092e94218d243cba,
    0x8a174a9ec8121e5d,
    0x4585254f64090fa0,
    0xaccc9ca9328a8950,
    0x9d4df05d5f661451,
    0xc0a878a0a1330aa6,
    0x60543c50de970553,
    0x302a1e286fc58ca7,
    0x18150f14b9ec46dd,
    0x0c84890ad27623e0,
    0x0642ca05693b9f70,
    0x0321658cba93c138,
    0x86275df09ce8aaa8,
    0x439da0784e745554,
    0xafc0503c273aa42a,
    0xd960281e9d1d5215,
    0xe230140fc0802984,
    0x71180a8960409a42,
    0xb60c05ca30204d21,
    0x5b068c651810a89e,
    0x456c34887a3805b9,
    0xac361a443d1c8cd2,
    0x561b0d22900e4669,
    0x2b838811480723ba,
    0x9bcf4486248d9f5d,
    0xc3e9224312c8c1a0,
    0xeffa11af0964ee50,
    0xf97d86d98a327728,
    0xe4fa2054a80b329c,
    0x727d102a548b194e,
    0x39b008152acb8227,
    0x9258048415eb419d,
    0x492c024284fbaec0,
    0xaa16012142f35760,
    0x550b8e9e21f7a530,
    0xa48b474f9ef5dc18,
    0x70a6a56e2440598e,
    0x3853dc371220a247,
    0x1ca76e95091051ad,
    0x0edd37c48a08a6d8,
    0x07e095624504536c,
    0x8d70c431ac02a736,
    0xc83862965601dd1b,
    0x641c314b2b8ee083,
];

/// The iteration constants C_1..C_12 in memory order (the RFC prints them reversed): section 6.5.
pub(crate) const C: [[u8; 64]; 12] = [
    [
        7, 69, 166, 242, 89, 101, 128, 221, 35, 77, 116, 204, 54, 116, 118, 5, 21, 211, 96, 164, 8,
        42, 66, 162, 1, 105, 103, 146, 145, 224, 124, 75, 252, 196, 133, 117, 141, 184, 78, 113,
        22, 208, 69, 46, 67, 118, 106, 47, 31, 124, 101, 192, 129, 47, 203, 235, 233, 218, 202, 30,
        218, 91, 8, 177,
    ],
    [
        183, 155, 177, 33, 112, 4, 121, 230, 86, 205, 203, 215, 27, 162, 221, 85, 202, 167, 10,
        219, 194, 97, 181, 92, 88, 153, 214, 18, 107, 23, 181, 154, 49, 1, 181, 22, 15, 94, 213,
        97, 152, 43, 35, 10, 114, 234, 254, 243, 215, 181, 112, 15, 70, 157, 227, 79, 26, 47, 157,
        169, 138, 181, 163, 111,
    ],
    [
        178, 10, 186, 10, 245, 150, 30, 153, 49, 219, 122, 134, 67, 244, 182, 194, 9, 219, 98, 96,
        55, 58, 201, 193, 177, 158, 53, 144, 228, 15, 226, 211, 123, 123, 41, 177, 20, 117, 234,
        242, 139, 31, 156, 82, 95, 94, 241, 6, 53, 132, 61, 106, 40, 252, 57, 10, 199, 47, 206, 43,
        172, 220, 116, 245,
    ],
    [
        46, 209, 227, 132, 188, 190, 12, 34, 241, 55, 232, 147, 161, 234, 83, 52, 190, 3, 82, 147,
        51, 19, 183, 216, 117, 214, 3, 237, 130, 44, 215, 169, 63, 53, 94, 104, 173, 28, 114, 157,
        125, 60, 92, 51, 126, 133, 142, 72, 221, 228, 113, 93, 160, 225, 72, 249, 210, 102, 21,
        232, 179, 223, 31, 239,
    ],
    [
        87, 254, 108, 124, 253, 88, 23, 96, 245, 99, 234, 169, 126, 162, 86, 122, 22, 26, 39, 35,
        183, 0, 255, 223, 163, 245, 58, 37, 71, 23, 205, 191, 189, 255, 15, 128, 215, 53, 158, 53,
        74, 16, 134, 22, 31, 28, 21, 127, 99, 35, 169, 108, 12, 65, 63, 154, 153, 71, 71, 173, 172,
        107, 234, 75,
    ],
    [
        110, 125, 100, 70, 122, 64, 104, 250, 53, 79, 144, 54, 114, 197, 113, 191, 182, 198, 190,
        194, 102, 31, 242, 10, 180, 183, 154, 28, 183, 166, 250, 207, 198, 142, 240, 154, 180, 154,
        127, 24, 108, 164, 66, 81, 249, 196, 102, 45, 192, 57, 48, 122, 59, 195, 164, 111, 217,
        211, 58, 29, 174, 174, 79, 174,
    ],
    [
        147, 212, 20, 58, 77, 86, 134, 136, 243, 74, 60, 162, 76, 69, 23, 53, 4, 5, 74, 40, 131,
        105, 71, 6, 55, 44, 130, 45, 197, 171, 146, 9, 201, 147, 122, 25, 51, 62, 71, 211, 201,
        135, 191, 230, 199, 198, 158, 57, 84, 9, 36, 191, 254, 134, 172, 81, 236, 197, 170, 238,
        22, 14, 199, 244,
    ],
    [
        30, 231, 2, 191, 212, 13, 127, 164, 217, 168, 81, 89, 53, 194, 172, 54, 47, 196, 165, 209,
        43, 141, 209, 105, 144, 6, 155, 146, 203, 43, 137, 244, 154, 196, 219, 77, 59, 68, 180,
        137, 30, 222, 54, 156, 113, 248, 183, 78, 65, 65, 110, 12, 2, 170, 231, 3, 167, 201, 147,
        77, 66, 91, 31, 155,
    ],
    [
        219, 90, 35, 131, 81, 68, 97, 114, 96, 42, 31, 203, 146, 220, 56, 14, 84, 156, 7, 166, 154,
        138, 43, 123, 177, 206, 178, 219, 11, 68, 10, 128, 132, 9, 13, 224, 183, 85, 217, 60, 36,
        66, 137, 37, 27, 58, 125, 58, 222, 95, 22, 236, 216, 154, 76, 148, 155, 34, 49, 22, 84, 90,
        143, 55,
    ],
    [
        237, 156, 69, 152, 251, 199, 180, 116, 195, 182, 59, 21, 209, 250, 152, 54, 244, 82, 118,
        59, 48, 108, 30, 122, 75, 51, 105, 175, 2, 103, 231, 159, 3, 97, 51, 27, 138, 225, 255, 31,
        219, 120, 138, 255, 28, 231, 65, 137, 243, 243, 228, 178, 72, 229, 42, 56, 82, 111, 5, 128,
        166, 222, 190, 171,
    ],
    [
        27, 45, 243, 129, 205, 164, 202, 107, 93, 216, 111, 192, 74, 89, 162, 222, 152, 110, 71,
        125, 29, 205, 186, 239, 202, 185, 72, 234, 239, 113, 29, 138, 121, 102, 132, 20, 33, 128,
        1, 32, 97, 7, 171, 235, 187, 107, 250, 216, 148, 254, 90, 99, 205, 198, 2, 48, 251, 137,
        200, 239, 208, 158, 205, 123,
    ],
    [
        32, 215, 27, 241, 74, 146, 188, 72, 153, 27, 178, 217, 213, 23, 244, 250, 82, 40, 225, 136,
        170, 164, 29, 231, 134, 204, 145, 24, 157, 239, 128, 93, 155, 159, 33, 48, 212, 18, 32,
        248, 119, 29, 223, 188, 50, 60, 164, 205, 122, 177, 73, 4, 176, 128, 19, 210, 186, 49, 22,
        241, 103, 231, 142, 55,
    ],
];

/// A byte for each place of a state.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Bytes(pub(crate) [u8; 64]);

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
pub(crate) const fn round_constants(map: &[u8; 256]) -> [[Bytes; 2]; 12] {
    let mut r = [[Bytes([0; 64]); 2]; 12];
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

/// K_1..K_13 of the first block, where h is this byte everywhere and N is 0.
pub(crate) const fn initial_keys(byte: u8) -> [[u8; 64]; 13] {
    let (mut keys, mut x, mut i) = ([[0; 64]; 13], [byte; 64], 0);
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
