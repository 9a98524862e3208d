//! The 64-bit block ciphers: Magma (GOST R 34.12-2015, RFC 8891) and
//! GOST 28147-89 (RFC 5830), written out separately, each from its own text.
//!
//! The two differ in byte order only (and in the free S-boxes of the older):
//! Magma reads key words and halves as big-endian numbers, a_1 first;
//! GOST 28147-89 reads them little-endian, N1 first.

use crate::{Cipher, Error, Keyed};

/// Eight substitutions of 4-bit values. Row 0 is K1 (RFC 5830), pi_1
/// (RFC 5831), Pi'_0 (RFC 8891): it replaces the least significant nibble.
pub type Sbox = [[u8; 16]; 8];

/// The published parameter sets under the names of their object identifiers:
/// RFC 4357 11.1 (Test, CryptoPro-A..D), RFC 7836 appendix C = RFC 8891 4.1
/// (tc26-Z), RFC 4357 11.2 (the two sets of GOST R 34.11-94).
pub const SBOXES: [(&str, Sbox); 8] = [
    (
        "id-Gost28147-89-TestParamSet",
        [
            [4, 2, 15, 5, 9, 1, 0, 8, 14, 3, 11, 12, 13, 7, 10, 6],
            [12, 9, 15, 14, 8, 1, 3, 10, 2, 7, 4, 13, 6, 0, 11, 5],
            [13, 8, 14, 12, 7, 3, 9, 10, 1, 5, 2, 4, 6, 15, 0, 11],
            [14, 9, 11, 2, 5, 15, 7, 1, 0, 13, 12, 6, 10, 4, 3, 8],
            [3, 14, 5, 9, 6, 8, 0, 13, 10, 11, 7, 12, 2, 1, 15, 4],
            [8, 15, 6, 11, 1, 9, 12, 5, 13, 3, 7, 10, 0, 14, 2, 4],
            [9, 11, 12, 0, 3, 6, 7, 5, 4, 8, 14, 15, 1, 10, 2, 13],
            [12, 6, 5, 2, 11, 0, 9, 13, 3, 14, 7, 10, 15, 4, 1, 8],
        ],
    ),
    (
        "id-Gost28147-89-CryptoPro-A-ParamSet",
        [
            [9, 6, 3, 2, 8, 11, 1, 7, 10, 4, 14, 15, 12, 0, 13, 5],
            [3, 7, 14, 9, 8, 10, 15, 0, 5, 2, 6, 12, 11, 4, 13, 1],
            [14, 4, 6, 2, 11, 3, 13, 8, 12, 15, 5, 10, 0, 7, 1, 9],
            [14, 7, 10, 12, 13, 1, 3, 9, 0, 2, 11, 4, 15, 8, 5, 6],
            [11, 5, 1, 9, 8, 13, 15, 0, 14, 4, 2, 3, 12, 7, 10, 6],
            [3, 10, 13, 12, 1, 2, 0, 11, 7, 5, 9, 4, 8, 15, 14, 6],
            [1, 13, 2, 9, 7, 10, 6, 0, 8, 12, 4, 5, 15, 3, 11, 14],
            [11, 10, 15, 5, 0, 12, 14, 8, 6, 2, 3, 9, 1, 7, 13, 4],
        ],
    ),
    (
        "id-Gost28147-89-CryptoPro-B-ParamSet",
        [
            [8, 4, 11, 1, 3, 5, 0, 9, 2, 14, 10, 12, 13, 6, 7, 15],
            [0, 1, 2, 10, 4, 13, 5, 12, 9, 7, 3, 15, 11, 8, 6, 14],
            [14, 12, 0, 10, 9, 2, 13, 11, 7, 5, 8, 15, 3, 6, 1, 4],
            [7, 5, 0, 13, 11, 6, 1, 2, 3, 10, 12, 15, 4, 14, 9, 8],
            [2, 7, 12, 15, 9, 5, 10, 11, 1, 4, 0, 13, 6, 8, 14, 3],
            [8, 3, 2, 6, 4, 13, 14, 11, 12, 1, 7, 15, 10, 0, 9, 5],
            [5, 2, 10, 11, 9, 1, 12, 3, 7, 4, 13, 0, 6, 15, 8, 14],
            [0, 4, 11, 14, 8, 3, 7, 1, 10, 2, 9, 6, 15, 13, 5, 12],
        ],
    ),
    (
        "id-Gost28147-89-CryptoPro-C-ParamSet",
        [
            [1, 11, 12, 2, 9, 13, 0, 15, 4, 5, 8, 14, 10, 7, 6, 3],
            [0, 1, 7, 13, 11, 4, 5, 2, 8, 14, 15, 12, 9, 10, 6, 3],
            [8, 2, 5, 0, 4, 9, 15, 10, 3, 7, 12, 13, 6, 14, 1, 11],
            [3, 6, 0, 1, 5, 13, 10, 8, 11, 2, 9, 7, 14, 15, 12, 4],
            [8, 13, 11, 0, 4, 5, 1, 2, 9, 3, 12, 14, 6, 15, 10, 7],
            [12, 9, 11, 1, 8, 14, 2, 4, 7, 3, 6, 5, 10, 0, 15, 13],
            [10, 9, 6, 8, 13, 14, 2, 0, 15, 3, 5, 11, 4, 1, 12, 7],
            [7, 4, 0, 5, 10, 2, 15, 14, 12, 6, 1, 11, 13, 9, 3, 8],
        ],
    ),
    (
        "id-Gost28147-89-CryptoPro-D-ParamSet",
        [
            [15, 12, 2, 10, 6, 4, 5, 0, 7, 9, 14, 13, 1, 11, 8, 3],
            [11, 6, 3, 4, 12, 15, 14, 2, 7, 13, 8, 0, 5, 10, 9, 1],
            [1, 12, 11, 0, 15, 14, 6, 5, 10, 13, 4, 8, 9, 3, 7, 2],
            [1, 5, 14, 12, 10, 7, 0, 13, 6, 2, 11, 4, 9, 3, 15, 8],
            [0, 12, 8, 9, 13, 2, 10, 11, 7, 3, 6, 5, 4, 14, 15, 1],
            [8, 0, 15, 3, 2, 5, 14, 11, 1, 10, 4, 7, 12, 9, 13, 6],
            [3, 0, 6, 15, 1, 14, 9, 2, 13, 8, 12, 4, 11, 10, 5, 7],
            [1, 10, 6, 8, 15, 11, 0, 4, 12, 3, 5, 9, 7, 13, 2, 14],
        ],
    ),
    (
        "id-tc26-gost-28147-param-Z",
        [
            [12, 4, 6, 2, 10, 5, 11, 9, 14, 8, 13, 7, 0, 3, 15, 1],
            [6, 8, 2, 3, 9, 10, 5, 12, 1, 14, 4, 7, 11, 13, 0, 15],
            [11, 3, 5, 8, 2, 15, 10, 13, 14, 1, 7, 4, 12, 9, 6, 0],
            [12, 8, 2, 1, 13, 4, 15, 6, 7, 0, 10, 5, 3, 14, 9, 11],
            [7, 15, 5, 10, 8, 1, 6, 13, 0, 9, 3, 14, 11, 4, 2, 12],
            [5, 13, 15, 6, 9, 2, 12, 10, 11, 7, 8, 1, 4, 3, 14, 0],
            [8, 14, 2, 5, 6, 9, 1, 12, 15, 4, 11, 0, 13, 10, 3, 7],
            [1, 7, 14, 13, 0, 5, 8, 3, 4, 15, 10, 6, 9, 12, 11, 2],
        ],
    ),
    (
        "id-GostR3411-94-TestParamSet",
        [
            [4, 10, 9, 2, 13, 8, 0, 14, 6, 11, 1, 12, 7, 15, 5, 3],
            [14, 11, 4, 12, 6, 13, 15, 10, 2, 3, 8, 1, 0, 7, 5, 9],
            [5, 8, 1, 13, 10, 3, 4, 2, 14, 15, 12, 7, 6, 0, 9, 11],
            [7, 13, 10, 1, 0, 8, 9, 15, 14, 4, 6, 12, 11, 2, 5, 3],
            [6, 12, 7, 1, 5, 15, 13, 8, 4, 10, 9, 14, 0, 3, 11, 2],
            [4, 11, 10, 0, 7, 2, 1, 13, 3, 6, 8, 5, 9, 12, 15, 14],
            [13, 11, 4, 1, 3, 15, 5, 9, 0, 10, 14, 7, 6, 8, 2, 12],
            [1, 15, 13, 0, 5, 7, 10, 4, 9, 2, 3, 14, 6, 11, 8, 12],
        ],
    ),
    (
        "id-GostR3411-94-CryptoProParamSet",
        [
            [10, 4, 5, 6, 8, 1, 3, 7, 13, 12, 14, 0, 9, 2, 11, 15],
            [5, 15, 4, 0, 2, 13, 11, 9, 1, 7, 6, 3, 12, 14, 10, 8],
            [7, 15, 12, 14, 9, 4, 1, 0, 3, 11, 5, 2, 6, 10, 8, 13],
            [4, 10, 7, 12, 0, 15, 2, 8, 14, 1, 6, 5, 13, 11, 9, 3],
            [7, 6, 4, 11, 9, 12, 2, 10, 1, 8, 0, 14, 15, 13, 3, 5],
            [7, 6, 2, 4, 13, 9, 15, 0, 10, 1, 5, 11, 8, 14, 12, 3],
            [13, 14, 4, 1, 7, 0, 5, 10, 3, 12, 8, 15, 6, 2, 9, 11],
            [1, 3, 10, 9, 5, 11, 4, 15, 8, 6, 7, 14, 13, 0, 2, 12],
        ],
    ),
];

/// The parameter set with the given object identifier name.
pub fn sbox(name: &str) -> Option<&'static Sbox> {
    static TABLE: [(&str, Sbox); 8] = SBOXES;
    TABLE.iter().find(|entry| entry.0 == name).map(|entry| &entry.1)
}

/// Param set Z, the substitutions of Magma (RFC 8891 4.1).
pub(crate) const PARAM_Z: Sbox = SBOXES[5].1;

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
