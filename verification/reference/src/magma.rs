//! The 64-bit block ciphers: Magma (GOST R 34.12-2015, RFC 8891) and
//! GOST 28147-89 (RFC 5830), written out separately, each from its own text.
//!
//! The two differ in byte order only (and in the free S-boxes of the older):
//! Magma reads key words and halves as big-endian numbers, a_1 first;
//! GOST 28147-89 reads them little-endian, N1 first.

use crate::{Cipher, Error, Keyed, digit};

/// Eight substitutions of 4-bit values. Row 0 is K1 (RFC 5830), pi_1
/// (RFC 5831), Pi'_0 (RFC 8891): it replaces the least significant nibble.
pub type Sbox = [[u8; 16]; 8];

/// The published parameter sets under the names of their object identifiers:
/// RFC 4357 11.1 (Test, CryptoPro-A..D), RFC 7836 appendix C = RFC 8891 4.1
/// (tc26-Z), RFC 4357 11.2 (the two sets of GOST R 34.11-94).
pub const SBOXES: [(&str, Sbox); 8] = [
    ("id-Gost28147-89-TestParamSet", rows(DIGITS[0])),
    ("id-Gost28147-89-CryptoPro-A-ParamSet", rows(DIGITS[1])),
    ("id-Gost28147-89-CryptoPro-B-ParamSet", rows(DIGITS[2])),
    ("id-Gost28147-89-CryptoPro-C-ParamSet", rows(DIGITS[3])),
    ("id-Gost28147-89-CryptoPro-D-ParamSet", rows(DIGITS[4])),
    ("id-tc26-gost-28147-param-Z", rows(DIGITS[5])),
    ("id-GostR3411-94-TestParamSet", rows(DIGITS[6])),
    ("id-GostR3411-94-CryptoProParamSet", rows(DIGITS[7])),
];

/// The tables in their order.
const DIGITS: [&str; 8] = [
    "42f59108e3bcd7a6 c9fe813a274d60b5 d8ec739a15246f0b e9b25f710dc6a438 \
     3e59680dab7c21f4 8f6b19c5d37a0e24 9bc0367548ef1a2d c652b09d3e7af418",
    "96328b17a4efc0d5 37e98af0526cb4d1 e462b3d8cf5a0719 e7acd13902b4f856 \
     b5198df0e423c7a6 3adc120b75948fe6 1d297a608c45f3be baf50ce8623917d4",
    "84b135092eacd67f 012a4d5c973fb86e ec0a92db758f3614 750db6123acf4e98 \
     27cf95ab140d68e3 83264debc17fa095 52ab91c374d06f8e 04be8371a296fd5c",
    "1bc29d0f458ea763 017db4528efc9a63 825049fa37cd6e1b 36015da8b297efc4 \
     8db0451293ce6fa7 c9b18e247365a0fd a968de20f35b41c7 7405a2fec61bd938",
    "fc2a645079ed1b83 b634cfe27d805a91 1cb0fe65ad489372 15eca70d62b493f8 \
     0c89d2ab73654ef1 80f325eb1a47c9d6 306f1e92d8c4ba57 1a68fb04c3597d2e",
    "c462a5b9e8d703f1 68239a5c1e47bd0f b3582fade174c960 c821d4f670a53e9b \
     7f5a816d093eb42c 5df692cab78143e0 8e25691cf4b0da37 17ed05834fa69cb2",
    "4a92d80e6b1c7f53 eb4c6dfa23810759 581da342efc7609b 7da1089fe46cb253 \
     6c715fd84a9e03b2 4ba0721d36859cfe db413f590ae7682c 1fd057a4923e6b8c",
    "a4568137dce092bf 5f402db91763cea8 7fce94103b526a8d 4a7c0f28e165db93 \
     764b9c2a180efd35 7624d9f0a15b8ec3 de41705a3c8f629b 13a95b4f867ed02c",
];

/// Eight rows of sixteen digits, row 0 first.
const fn rows(digits: &str) -> Sbox {
    assert!(digits.len() == 8 * 17 - 1);
    let (mut rows, mut i) = ([[0; 16]; 8], 0);
    while i < 8 * 17 - 1 {
        if i % 17 < 16 {
            rows[i / 17][i % 17] = digit(digits.as_bytes()[i]);
        }
        i += 1;
    }
    rows
}

/// The parameter set with the given object identifier name.
pub fn sbox(name: &str) -> Option<&'static Sbox> {
    static TABLE: [(&str, Sbox); 8] = SBOXES;
    TABLE.iter().find(|entry| entry.0 == name).map(|entry| &entry.1)
}

/// Param set Z, the substitutions of Magma (RFC 8891 4.1).
pub const PARAM_Z: Sbox = SBOXES[5].1;

/// Returns whether every row of the table is a permutation of 0..=15.
pub fn is_permutations(table: &Sbox) -> bool {
    table.iter().all(|row| (0..16).all(|v| row.contains(&v)))
}

/// t (RFC 8891 4.2): every nibble a_i of a = a_7||...||a_0 is replaced by Pi_i(a_i).
pub fn t(a: u32, table: &Sbox) -> u32 {
    let mut out = 0;
    for (i, row) in table.iter().enumerate() {
        let nibble = (a >> (4 * i)) & 15;
        out |= u32::from(row[nibble as usize]) << (4 * i);
    }
    out
}

/// g\[k\](a) = t(a + k mod 2^32) rotated by 11 to the left (RFC 8891 4.2).
pub fn g(k: u32, a: u32, table: &Sbox) -> u32 {
    t(a.wrapping_add(k), table).rotate_left(11)
}

/// Magma under one key (RFC 8891).
pub struct Magma {
    /// K_1..K_32; index 0 is K_1.
    k: [u32; 32],
}

impl Magma {
    /// Key schedule, RFC 8891 4.3. `key` is k_255||...||k_0, 32 bytes.
    pub fn new(key: &[u8]) -> Result<Magma, Error> {
        if key.len() != 32 {
            return Err(Error::KeyLength);
        }
        let mut k = [0; 32];
        for i in 0..8 {
            let word = u32::from_be_bytes(key[4 * i..4 * i + 4].try_into().unwrap());
            k[i] = word;
            k[i + 8] = word;
            k[i + 16] = word;
            k[31 - i] = word;
        }
        Ok(Magma { k })
    }

    /// K_1..K_32.
    pub fn round_keys(&self) -> [u32; 32] {
        self.k
    }
}

/// RFC 8891 4.2: G\[k\](a_1, a_0) = (a_0, g\[k\](a_0) xor a_1).
fn big_g(k: u32, (a1, a0): (u32, u32)) -> (u32, u32) {
    (a0, g(k, a0, &PARAM_Z) ^ a1)
}

/// a = a_1||a_0, both big-endian.
fn split(block: &[u8]) -> (u32, u32) {
    let block: [u8; 8] = block.try_into().expect("a block of Magma has 8 bytes");
    let a = u64::from_be_bytes(block);
    ((a >> 32) as u32, a as u32)
}

fn join((a1, a0): (u32, u32)) -> [u8; 8] {
    (u64::from(a1) << 32 | u64::from(a0)).to_be_bytes()
}

/// RFC 8891 5: 31 times G, then G^*, which is G without the exchange of halves.
fn rounds(block: &mut [u8], keys: impl Iterator<Item = u32>) {
    let mut state = split(block);
    for k in keys {
        state = big_g(k, state);
    }
    let (a1, a0) = state;
    block.copy_from_slice(&join((a0, a1)));
}

impl Cipher for Magma {
    fn block(&self) -> usize {
        8
    }
    fn encrypt(&self, block: &mut [u8]) {
        rounds(block, self.k.iter().copied());
    }
    fn decrypt(&self, block: &mut [u8]) {
        rounds(block, self.k.iter().rev().copied());
    }
}

impl Keyed for Magma {
    const BLOCK: usize = 8;
    fn with_key(key: &[u8]) -> Result<Self, Error> {
        Magma::new(key)
    }
}

/// GOST 28147-89 under one key and one substitution table (RFC 5830).
pub struct Gost89 {
    /// The registers X0..X7 of the key data store.
    x: [u32; 8],
    table: Sbox,
}

impl Gost89 {
    /// RFC 5830 4: W1 is the lowest bit of the first byte, so every register
    /// is four bytes, little-endian. Errors: key not of 32 bytes, rows of the
    /// table not permutations.
    pub fn new(key: &[u8], table: &Sbox) -> Result<Gost89, Error> {
        if key.len() != 32 {
            return Err(Error::KeyLength);
        }
        if !is_permutations(table) {
            return Err(Error::Sbox);
        }
        let mut x = [0; 8];
        for i in 0..8 {
            x[i] = u32::from_le_bytes(key[4 * i..4 * i + 4].try_into().unwrap());
        }
        Ok(Gost89 { x, table: *table })
    }

    /// One step of a round: N1 + X through K and R (RFC 5830 5.1).
    fn chain(&self, n1: u32, x: u32) -> u32 {
        let sum = n1.wrapping_add(x);
        let mut out = 0;
        for i in 0..8 {
            let nibble = (sum >> (4 * i)) & 15;
            out |= u32::from(self.table[i][nibble as usize]) << (4 * i);
        }
        out.rotate_left(11)
    }

    /// Rounds with the registers in the given order, the last of 32 without
    /// the exchange (RFC 5830 5.1: in the 32nd round N1 keeps its contents).
    fn base(&self, block: &mut [u8], order: &[usize]) {
        assert_eq!(block.len(), 8, "a block of GOST 28147-89 has 8 bytes");
        let mut n1 = u32::from_le_bytes(block[..4].try_into().unwrap());
        let mut n2 = u32::from_le_bytes(block[4..].try_into().unwrap());
        for (round, &i) in order.iter().enumerate() {
            let sum = self.chain(n1, self.x[i]) ^ n2;
            if round == 31 {
                n2 = sum;
            } else {
                n2 = n1;
                n1 = sum;
            }
        }
        block[..4].copy_from_slice(&n1.to_le_bytes());
        block[4..].copy_from_slice(&n2.to_le_bytes());
    }

    /// The first 16 rounds of encryption, as the MAC uses them (RFC 5830 8).
    /// Panics unless `block` has 8 bytes.
    pub fn mac_step(&self, block: &mut [u8]) {
        self.base(block, &ENCRYPT_ORDER[..16]);
    }
}

/// The order of the registers in encryption, RFC 5830 5.1.
const ENCRYPT_ORDER: [usize; 32] = [
    0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 7, 6, 5, 4, 3, 2, 1, 0,
];

/// The order of the registers in decryption, RFC 5830 5.2.
const DECRYPT_ORDER: [usize; 32] = [
    0, 1, 2, 3, 4, 5, 6, 7, 7, 6, 5, 4, 3, 2, 1, 0, 7, 6, 5, 4, 3, 2, 1, 0, 7, 6, 5, 4, 3, 2, 1, 0,
];

impl Cipher for Gost89 {
    fn block(&self) -> usize {
        8
    }
    fn encrypt(&self, block: &mut [u8]) {
        self.base(block, &ENCRYPT_ORDER);
    }
    fn decrypt(&self, block: &mut [u8]) {
        self.base(block, &DECRYPT_ORDER);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::hex;

    const KEY: &str = "ffeeddccbbaa99887766554433221100f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff";

    #[test]
    fn magma_is_gost89_with_bytes_reversed() {
        // RFC 8891 appendix B, items 1 to 3.
        let mut old_key = Vec::new();
        for word in hex(KEY).chunks(4) {
            old_key.extend(word.iter().rev());
        }
        let old = Gost89::new(&old_key, &PARAM_Z).unwrap();
        let mut block = hex("fedcba9876543210");
        block.reverse();
        old.encrypt(&mut block);
        block.reverse();
        assert_eq!(block, hex("4ee901e5c2d8ca3d"));
    }

    #[test]
    fn refusals() {
        assert!(SBOXES.iter().all(|entry| is_permutations(&entry.1)));
        assert!(sbox("none such").is_none());
        assert!(matches!(Magma::new(&[0; 31]), Err(Error::KeyLength)));
        assert!(matches!(Gost89::new(&[0; 33], &PARAM_Z), Err(Error::KeyLength)));
        assert!(matches!(Gost89::new(&[0; 32], &[[0; 16]; 8]), Err(Error::Sbox)));
    }
}
