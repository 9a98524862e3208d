//! Streebog, the hash function of GOST R 34.11-2012 (RFC 6986).
//!
//! A vector a_63||...||a_0 of V_512 is the array with a_0 in element 0. The
//! standard prints vectors, messages and hash codes from a_63 down: as byte
//! strings in the order in which every implementation reads and writes them,
//! all of them read backwards. The message is consumed from its right end in
//! the standard's writing, which is the first byte here.

use crate::digit;
use crate::kuznyechik::PI;

/// The rows of the matrix A, RFC 6986 6.4, row 0 first.
pub const A: [u64; 64] = rows(
    "8e20faa72ba0b470 47107ddd9b505a38 ad08b0e0c3282d1c d8045870ef14980e \
     6c022c38f90a4c07 3601161cf205268d 1b8e0b0e798c13c8 83478b07b2468764 \
     a011d380818e8f40 5086e740ce47c920 2843fd2067adea10 14aff010bdd87508 \
     0ad97808d06cb404 05e23c0468365a02 8c711e02341b2d01 46b60f011a83988e \
     90dab52a387ae76f 486dd4151c3dfdb9 24b86a840e90f0d2 125c354207487869 \
     092e94218d243cba 8a174a9ec8121e5d 4585254f64090fa0 accc9ca9328a8950 \
     9d4df05d5f661451 c0a878a0a1330aa6 60543c50de970553 302a1e286fc58ca7 \
     18150f14b9ec46dd 0c84890ad27623e0 0642ca05693b9f70 0321658cba93c138 \
     86275df09ce8aaa8 439da0784e745554 afc0503c273aa42a d960281e9d1d5215 \
     e230140fc0802984 71180a8960409a42 b60c05ca30204d21 5b068c651810a89e \
     456c34887a3805b9 ac361a443d1c8cd2 561b0d22900e4669 2b838811480723ba \
     9bcf4486248d9f5d c3e9224312c8c1a0 effa11af0964ee50 f97d86d98a327728 \
     e4fa2054a80b329c 727d102a548b194e 39b008152acb8227 9258048415eb419d \
     492c024284fbaec0 aa16012142f35760 550b8e9e21f7a530 a48b474f9ef5dc18 \
     70a6a56e2440598e 3853dc371220a247 1ca76e95091051ad 0edd37c48a08a6d8 \
     07e095624504536c 8d70c431ac02a736 c83862965601dd1b 641c314b2b8ee083",
);

/// 64 rows of sixteen digits.
const fn rows(digits: &str) -> [u64; 64] {
    assert!(digits.len() == 64 * 17 - 1);
    let (mut rows, mut i) = ([0; 64], 0);
    while i < 64 * 17 - 1 {
        if i % 17 < 16 {
            rows[i / 17] = rows[i / 17] << 4 | digit(digits.as_bytes()[i]) as u64;
        }
        i += 1;
    }
    rows
}

/// The iteration constants C\[1\]..C\[12\], RFC 6986 6.5, as printed (a_127 first).
const C: [&str; 12] = [
    "b1085bda1ecadae9ebcb2f81c0657c1f2f6a76432e45d016714eb88d7585c4fc\
     4b7ce09192676901a2422a08a460d31505767436cc744d23dd806559f2a64507",
    "6fa3b58aa99d2f1a4fe39d460f70b5d7f3feea720a232b9861d55e0f16b50131\
     9ab5176b12d699585cb561c2db0aa7ca55dda21bd7cbcd56e679047021b19bb7",
    "f574dcac2bce2fc70a39fc286a3d843506f15e5f529c1f8bf2ea7514b1297b7b\
     d3e20fe490359eb1c1c93a376062db09c2b6f443867adb31991e96f50aba0ab2",
    "ef1fdfb3e81566d2f948e1a05d71e4dd488e857e335c3c7d9d721cad685e353f\
     a9d72c82ed03d675d8b71333935203be3453eaa193e837f1220cbebc84e3d12e",
    "4bea6bacad4747999a3f410c6ca923637f151c1f1686104a359e35d7800fffbd\
     bfcd1747253af5a3dfff00b723271a167a56a27ea9ea63f5601758fd7c6cfe57",
    "ae4faeae1d3ad3d96fa4c33b7a3039c02d66c4f95142a46c187f9ab49af08ec6\
     cffaa6b71c9ab7b40af21f66c2bec6b6bf71c57236904f35fa68407a46647d6e",
    "f4c70e16eeaac5ec51ac86febf240954399ec6c7e6bf87c9d3473e33197a93c9\
     0992abc52d822c3706476983284a05043517454ca23c4af38886564d3a14d493",
    "9b1f5b424d93c9a703e7aa020c6e41414eb7f8719c36de1e89b4443b4ddbc49a\
     f4892bcb929b069069d18d2bd1a5c42f36acc2355951a8d9a47f0dd4bf02e71e",
    "378f5a541631229b944c9ad8ec165fde3a7d3a1b258942243cd955b7e00d0984\
     800a440bdbb2ceb17b2b8a9aa6079c540e38dc92cb1f2a607261445183235adb",
    "abbedea680056f52382ae548b2e4f3f38941e71cff8a78db1fffe18a1b336103\
     9fe76702af69334b7a1e6c303b7652f43698fad1153bb6c374b4c7fb98459ced",
    "7bcd9ed0efc889fb3002c6cd635afe94d8fa6bbbebab07612001802114846679\
     8a1d71efea48b9caefbacd1d7d476e98dea2594ac06fd85d6bcaa4cd81f32d1b",
    "378ee767f11631bad21380b00449b17acda43c32bcdf1d77f82012d430219f9b\
     5d80ef9d1891cc86e71da4aa88e12852faf417d5d9b21b9948bc924af11bd720",
];

/// A vector of V_512.
pub type Vector = [u8; 64];

/// A vector from the standard's hexadecimal writing.
const fn vector(printed: &str) -> Vector {
    let digits = printed.as_bytes();
    assert!(digits.len() == 128);
    let mut out = [0; 64];
    let mut i = 0;
    while i < 128 {
        let value = digit(digits[i]);
        out[63 - i / 2] |= if i % 2 == 0 { value << 4 } else { value };
        i += 1;
    }
    out
}

/// The iteration constants as vectors.
pub static CONSTANTS: [Vector; 12] = {
    let mut constants = [[0; 64]; 12];
    let mut i = 0;
    while i < 12 {
        constants[i] = vector(C[i]);
        i += 1;
    }
    constants
};

/// X\[k\](a) (RFC 6986 7).
fn x(k: &Vector, a: &Vector) -> Vector {
    core::array::from_fn(|i| k[i] ^ a[i])
}

/// S: Pi' (RFC 6986 6.2), which is Kuznyechik's Pi', on every byte (RFC 6986 7).
fn s(a: &Vector) -> Vector {
    a.map(|byte| PI[byte as usize])
}

/// P: element i is a_(Tau(i)) (RFC 6986 7); Tau (6.3) transposes an 8 x 8 table.
fn p(a: &Vector) -> Vector {
    core::array::from_fn(|i| a[8 * (i % 8) + i / 8])
}

/// l: the product of the row vector b = b_63...b_0 and the matrix A
/// (RFC 6986 6.4): bit b_i adds row 63-i.
const fn product_with_a(b: u64) -> u64 {
    let mut product = 0;
    let mut i = 0;
    while i < 64 {
        if (b >> i) & 1 == 1 {
            product ^= A[63 - i];
        }
        i += 1;
    }
    product
}

/// L_OF_BYTE\[j\]\[x\] = l(x in byte j, else 0), so that tests over megabytes end.
static L_OF_BYTE: [[u64; 256]; 8] = {
    let mut table = [[0; 256]; 8];
    let mut j = 0;
    while j < 8 {
        let mut x = 0;
        while x < 256 {
            table[j][x] = product_with_a((x as u64) << (8 * j));
            x += 1;
        }
        j += 1;
    }
    table
};

/// L: l on every 64-bit subvector (RFC 6986 7), as a sum over its bytes.
fn l(a: &Vector) -> Vector {
    let mut out = [0; 64];
    for i in (0..64).step_by(8) {
        let mut sum = 0;
        for j in 0..8 {
            sum ^= L_OF_BYTE[j][a[i + j] as usize];
        }
        out[i..i + 8].copy_from_slice(&sum.to_le_bytes());
    }
    out
}

fn lps(a: &Vector) -> Vector {
    l(&p(&s(a)))
}

/// g_N(h, m) = E(LPS(h xor N), m) xor h xor m (RFC 6986 8).
fn g(n: &Vector, h: &Vector, m: &Vector) -> Vector {
    let mut key = lps(&x(h, n));
    let mut state = *m;
    for constant in &CONSTANTS {
        state = lps(&x(&key, &state));
        key = lps(&x(&key, constant));
    }
    x(&x(&x(&key, &state), h), m)
}

/// a \[+\] b modulo 2^512.
fn add(a: &Vector, b: &Vector) -> Vector {
    let mut sum = [0; 64];
    let mut carry = 0;
    for i in 0..64 {
        let t = u16::from(a[i]) + u16::from(b[i]) + carry;
        sum[i] = t as u8;
        carry = t >> 8;
    }
    sum
}

/// Vec_512 of a number.
fn number(value: u64) -> Vector {
    let mut out = [0; 64];
    out[..8].copy_from_slice(&value.to_le_bytes());
    out
}

/// Steps 1 to 3 of RFC 6986 9 up to the last g_0.
fn hash(iv: Vector, message: &[u8]) -> Vector {
    let zero = [0; 64];
    let (mut h, mut n, mut sigma) = (iv, zero, zero);
    let mut blocks = message.chunks_exact(64);
    for m in &mut blocks {
        let m: &Vector = m.try_into().unwrap();
        h = g(&n, &h, m);
        n = add(&n, &number(512));
        sigma = add(&sigma, m);
    }
    let rest = blocks.remainder();
    let mut m = zero;
    m[..rest.len()].copy_from_slice(rest);
    m[rest.len()] = 1;
    h = g(&n, &h, &m);
    n = add(&n, &number(8 * rest.len() as u64));
    sigma = add(&sigma, &m);
    h = g(&zero, &h, &n);
    g(&zero, &h, &sigma)
}

/// Streebog-512 (RFC 6986 9, IV = 0^512): 64 bytes.
pub fn hash512(message: &[u8]) -> Vec<u8> {
    hash([0; 64], message).to_vec()
}

/// Streebog-256 (RFC 6986 9, IV = (00000001)^64): the 32 bytes of MSB_256,
/// which are the last 32 of the 64 in this order.
pub fn hash256(message: &[u8]) -> Vec<u8> {
    hash([1; 64], message)[32..].to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_the_matrix() {
        let mut random = testkit::Random::new(1);
        for _ in 0..1000 {
            let b = random.word();
            let mut a = [0; 64];
            a[40..48].copy_from_slice(&b.to_le_bytes());
            assert_eq!(l(&a)[40..48], product_with_a(b).to_le_bytes());
        }
    }

    #[test]
    fn sums_carry_through_all_bytes() {
        assert_eq!(add(&[0xff; 64], &number(1)), [0; 64]);
    }
}
