//! RFC 8891, and GOST 28147-89 (RFC 5830) by it. A word is its four bytes, the lowest first.

use super::xor;
use crate::bytes::{Shift, add, op, shift};
use crate::domain::{Byte, ZERO, cut_in_halves, lift, table};

/// The substitutions of section 4.1, the substitution of the lowest four bits first.
#[rustfmt::skip]
pub const PI: [[u8; 16]; 8] = [
    [12, 4, 6, 2, 10, 5, 11, 9, 14, 8, 13, 7, 0, 3, 15, 1],
    [6, 8, 2, 3, 9, 10, 5, 12, 1, 14, 4, 7, 11, 13, 0, 15],
    [11, 3, 5, 8, 2, 15, 10, 13, 14, 1, 7, 4, 12, 9, 6, 0],
    [12, 8, 2, 1, 13, 4, 15, 6, 7, 0, 10, 5, 3, 14, 9, 11],
    [7, 15, 5, 10, 8, 1, 6, 13, 0, 9, 3, 14, 11, 4, 2, 12],
    [5, 13, 15, 6, 9, 2, 12, 10, 11, 7, 8, 1, 4, 3, 14, 0],
    [8, 14, 2, 5, 6, 9, 1, 12, 15, 4, 11, 0, 13, 10, 3, 7],
    [1, 7, 14, 13, 0, 5, 8, 3, 4, 15, 10, 6, 9, 12, 11, 2],
];

/// The substitutions of RFC 4357, sections 11.1 and 11.2, as it prints them: for each value the digits of K1 to K8.
#[rustfmt::skip]
pub const SETS: [[u32; 16]; 7] = [
    // id-Gost28147-89-TestParamSet
    [0x4cde389c, 0x2989efb6, 0xffeb56c5, 0x5ec29b02, 0x9875613b, 0x113f8960, 0x03970c79, 0x8aa1d55d,
     0xe210ad43, 0x375db38e, 0xb42c77e7, 0xcd46cafa, 0xd66a201f, 0x70f41ea4, 0xab03f221, 0x65b844d8],
    // id-Gost28147-89-CryptoPro-A-ParamSet
    [0x93eeb31b, 0x67475ada, 0x3e6a1d2f, 0x292c9c95, 0x88bd8170, 0xba31d2ac, 0x1fd3f06e, 0x70890b08,
     0xa5c0e786, 0x42f245c2, 0xe65b2943, 0xfca43459, 0xcb0fc8f1, 0x04787f37, 0xdd15aebd, 0x519666e4],
    // id-Gost28147-89-CryptoPro-B-ParamSet
    [0x80e72850, 0x41c57324, 0xb200c2ab, 0x1aadf6be, 0x349b9498, 0x5d265d13, 0x05d1aec7, 0x9cb2bb31,
     0x29731c7a, 0xe75a4142, 0xa38c07d9, 0xcfffdf06, 0xdb346a6f, 0x686e80fd, 0x7619e985, 0xfe4835ec],
    // id-Gost28147-89-CryptoPro-C-ParamSet
    [0x10838ca7, 0xb126d994, 0xc750bb60, 0x2d010185, 0x9b4548da, 0xd49d5ee2, 0x05fa122f, 0xf2a8240e,
     0x483b97fc, 0x5e723336, 0x8fc9c651, 0xecd7e5bb, 0xa96e6a4d, 0x7aeff019, 0x661cafc3, 0x33b47d78],
    // id-Gost28147-89-CryptoPro-D-ParamSet
    [0xfb110831, 0xc6c5c00a, 0x23be8f66, 0xa40c93f8, 0x6cfad21f, 0x4fe725eb, 0x5e60ae90, 0x025dbb24,
     0x77a671dc, 0x9dd23a83, 0xe84b64c5, 0xd0845749, 0x15994cb7, 0xba33e9ad, 0x897ffd52, 0x3128167e],
    // id-GostR3411-94-TestParamSet
    [0x4e5764d1, 0xab8dcbbf, 0x941a7a4d, 0x2cd11010, 0xd6a05735, 0x8d38f2f7, 0x0f49d15a, 0xea2f8d94,
     0x62ee4309, 0xb3f4a6a2, 0x18c698e3, 0xc17ce57e, 0x706b0966, 0xf7023c8b, 0x5595bf28, 0x39b32ecc],
    // id-GostR3411-94-CryptoProParamSet
    [0xa57477d1, 0x4ffa66e3, 0x54c7424a, 0x60ecb419, 0x82909d75, 0x1d4fc90b, 0x3b122f54, 0x7908a0af,
     0xd13e1a38, 0xc7b181c6, 0xe6560587, 0x0325ebfe, 0x9c6df86d, 0x2eabde20, 0xba893c92, 0xf8d353bc],
];
/// All rows: the rows of RFC 8891 and of RFC 4357.
pub fn all_rows() -> Vec<[[u8; 16]; 8]> {
    let row =
        |set: &[u32; 16], i: usize| std::array::from_fn(|x| (set[x] >> (28 - 4 * i)) as u8 & 15);
    let others = SETS.iter().map(|set| std::array::from_fn(|i| row(set, i)));
    std::iter::once(PI).chain(others).collect()
}

/// `g[k](a)`.
pub fn g(rows: &[[u8; 16]; 8], a: &[Byte], k: &[Byte]) -> Vec<Byte> {
    let t = add(a, k, ZERO).0;
    let substituted = t.iter().enumerate().map(|(i, b)| {
        let f = |x: u8| rows[2 * i][x as usize & 15] | rows[2 * i + 1][x as usize >> 4] << 4;
        lift(op::STANDARD | 1 << 31 | u64::from(table(f)), [cut_in_halves(*b)], |[x]| f(x))
    });
    shift(&substituted.collect::<Vec<_>>(), Shift::Around, 11)
}

/// A block under eight words of a key: 32 rounds, or for an authentication code of GOST 28147-89 the first 16.
pub fn cipher(
    rows: &[[u8; 16]; 8],
    keys: &[Byte],
    block: &[Byte],
    decrypts: bool,
    rounds: usize,
) -> Vec<Byte> {
    let reversed = |word: &[Byte]| word.iter().rev().copied().collect::<Vec<_>>();
    let (mut a1, mut a0) = (reversed(&block[..4]), reversed(&block[4..]));
    let order = |i: usize| if i < 24 { i % 8 } else { 31 - i };
    for i in 0..rounds {
        let r = order(if decrypts { 31 - i } else { i });
        let new = xor(&a1, &g(rows, &a0, &keys[4 * r..4 * r + 4]));
        (a1, a0) = (a0, new);
    }
    // The last round of the 32 does not exchange the halves.
    if rounds == 32 {
        (a1, a0) = (a0, a1);
    }
    [reversed(&a1), reversed(&a0)].concat()
}
