//! GOST R 34.11-94, the hash function superseded by Streebog (RFC 5831).
//!
//! A word X = (b\[256\], ..., b\[1\]) of V_256 is the array of its bytes with
//! xi\[1\], the lowest, in element 0: words are read from right to left in the
//! standard. The message is consumed from its first byte, and the hash is
//! given in the order of RFC 4357 and CryptoPro: the number of the standard,
//! little-endian. The initial value h0 is zero.

use crate::Cipher;
use crate::magma::{Gost89, Sbox};

type Word = [u8; 32];

fn xor(a: &Word, b: &Word) -> Word {
    core::array::from_fn(|i| a[i] ^ b[i])
}

/// A(X) = (x\[1\] xor x\[2\])||x\[4\]||x\[3\]||x\[2\] (RFC 5831 5.1), x\[i\] of 64 bits.
fn a(word: &Word) -> Word {
    let mut out = [0; 32];
    out[..24].copy_from_slice(&word[8..]);
    for i in 0..8 {
        out[24 + i] = word[i] ^ word[8 + i];
    }
    out
}

/// P: byte number phi(i + 1 + 4(k - 1)) = 8i + k becomes number
/// i + 1 + 4(k - 1), i = 0..3, k = 1..8 (RFC 5831 5.1).
fn p(word: &Word) -> Word {
    let mut out = [0; 32];
    for i in 0..=3 {
        for k in 1..=8 {
            out[i + 1 + 4 * (k - 1) - 1] = word[8 * i + k - 1];
        }
    }
    out
}

/// C\[3\] of RFC 5831 5.1 as one byte per 1^8 or 0^8, from the left:
/// 1^8 0^8 1^16 0^24 1^16 0^8 (0^8 1^8)^2 1^8 0^8 (0^8 1^8)^4 (1^8 0^8)^4.
const C3_FROM_THE_LEFT: [u8; 32] = [
    1, 0, 1, 1, 0, 0, 0, 1, 1, 0, 0, 1, 0, 1, 1, 0, 0, 1, 0, 1, 0, 1, 0, 1, 1, 0, 1, 0, 1, 0, 1, 0,
];

/// K\[1\]..K\[4\] (RFC 5831 5.1).
fn keys(m: &Word, h: &Word) -> [Word; 4] {
    let c3: Word = core::array::from_fn(|i| 0xff * C3_FROM_THE_LEFT[31 - i]);
    let (mut u, mut v) = (*h, *m);
    let mut k = [[0; 32]; 4];
    k[0] = p(&xor(&u, &v));
    for i in 2..=4 {
        u = a(&u);
        if i == 3 {
            u = xor(&u, &c3);
        }
        v = a(&a(&v));
        k[i - 1] = p(&xor(&u, &v));
    }
    k
}

/// S = s\[4\]||...||s\[1\], s\[i\] = E(K\[i\], h\[i\]) (RFC 5831 5.2).
fn encryption(k: &[Word; 4], h: &Word, table: &Sbox) -> Word {
    let mut s = *h;
    for i in 0..4 {
        let cipher = Gost89::new(&k[i], table).expect("32 bytes and permutations");
        cipher.encrypt(&mut s[8 * i..8 * i + 8]);
    }
    s
}

/// PSI^count (RFC 5831 5.3): eta\[1\] xor eta\[2\] xor eta\[3\] xor eta\[4\] xor
/// eta\[13\] xor eta\[16\] comes in from the left, eta\[1\] goes out on the right.
fn psi(word: &Word, count: usize) -> Word {
    let mut out = *word;
    for _ in 0..count {
        let eta = |j: usize| [out[2 * j - 2], out[2 * j - 1]];
        let mut next = [0; 2];
        for j in [1, 2, 3, 4, 13, 16] {
            next[0] ^= eta(j)[0];
            next[1] ^= eta(j)[1];
        }
        out.copy_within(2.., 0);
        out[30..].copy_from_slice(&next);
    }
    out
}

/// chi(M, H) = PSI^61(H xor PSI(M xor PSI^12(S))) (RFC 5831 5.3).
fn chi(m: &Word, h: &Word, table: &Sbox) -> Word {
    let s = encryption(&keys(m, h), h, table);
    psi(&xor(h, &psi(&xor(m, &psi(&s, 12)), 1)), 61)
}

/// Addition modulo 2^256.
fn add(a: &Word, b: &Word) -> Word {
    let mut sum = [0; 32];
    let mut carry = 0;
    for i in 0..32 {
        let t = u16::from(a[i]) + u16::from(b[i]) + carry;
        sum[i] = t as u8;
        carry = t >> 8;
    }
    sum
}

/// A message block with zeros on its left side: M' of RFC 5831 6, step 2.3.
fn padded(bytes: &[u8]) -> Word {
    let mut out = [0; 32];
    out[..bytes.len()].copy_from_slice(bytes);
    out
}

fn run<'a>(table: &Sbox, blocks: impl Iterator<Item = &'a [u8]>) -> Vec<u8> {
    let (mut h, mut sigma, mut bits) = ([0; 32], [0; 32], 0u64);
    for block in blocks {
        let m = padded(block);
        h = chi(&m, &h, table);
        bits += 8 * block.len() as u64;
        sigma = add(&sigma, &m);
    }
    h = chi(&padded(&bits.to_le_bytes()), &h, table);
    h = chi(&sigma, &h, table);
    h.to_vec()
}

/// The hash of a message, 32 bytes, with the substitutions `table`
/// (RFC 5831 6). The empty message has no block, as CryptoPro and nearly all
/// implementations have it. Panics when the rows of `table` are no permutations.
pub fn hash(table: &Sbox, message: &[u8]) -> Vec<u8> {
    run(table, message.chunks(32))
}

/// [`hash`] to the letter of RFC 5831 6: step 2 pads the rest, 256 bits or
/// less, even nothing, so that the empty message has one zero block. Differs
/// from [`hash`] for the empty message only.
pub fn hash_literal(table: &Sbox, message: &[u8]) -> Vec<u8> {
    if message.is_empty() {
        let empty: &[u8] = &[];
        return run(table, [empty].into_iter());
    }
    hash(table, message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::magma::sbox;
    use testkit::hex;

    /// A word of the RFC, printed from its highest byte.
    fn printed(text: &str) -> Vec<u8> {
        let mut bytes = hex(text);
        bytes.reverse();
        bytes
    }

    #[test]
    fn rfc5831_7_3_1_steps() {
        let table = sbox("id-GostR3411-94-TestParamSet").unwrap();
        let m = printed("73657479 62203233 3D687467 6E656C20 2C656761 7373656D 20736920 73696854");
        assert_eq!(m, b"This is message, length=32 bytes");
        let m: Word = m.try_into().unwrap();
        let h = [0; 32];
        let k = keys(&m, &h);
        // The RFC has two words of K[1] exchanged, 79676120 and 326C6568.
        for (key, text) in k.iter().zip([
            "733D2C20 65686573 74746769 79676120 626E7373 20657369 326C6568 33206D54",
            "110C733D 0D166568 130E7474 06417967 1D00626E 161A2065 090D326C 4D393320",
            "80B111F3 730DF216 850013F1 C7E1F941 620C1DFF 3ABAE91A 3FA109F2 F513B239",
            "A0E2804E FF1B73F2 ECE27A00 E7B8C7E1 EE1D620C AC0CC5BA A804C05E A18B0AEC",
        ]) {
            assert_eq!(key.to_vec(), printed(text));
        }
        assert_eq!(
            encryption(&k, &h, table).to_vec(),
            printed("E7860419 0D2A562D 8D345899 00FF0E28 5203EBC8 5D9BCFFD 42ABBCCE 32BC0B1B")
        );
        assert_eq!(
            chi(&m, &h, table).to_vec(),
            printed("CF9A8C65 505967A4 68A03B8C 42DE7624 D99C4124 883DA687 561C7DE3 3315C034")
        );
        assert_eq!(
            hash(table, &m),
            printed("FAFF37A6 15A81669 1CFF3EF8 B68CA247 E09525F3 9F811983 2EB81975 D366C4B1")
        );
    }

    #[test]
    fn rfc5831_7_3_2_message_of_50_bytes() {
        let table = sbox("id-GostR3411-94-TestParamSet").unwrap();
        let m = b"Suppose the original message has length = 50 bytes";
        assert_eq!(
            hash(table, m),
            printed("0852F562 3B89DD57 AEB4781F E54DF14E EAFBC135 0613763A 0D770AA6 57BA1A47")
        );
        assert_eq!(hash_literal(table, m), hash(table, m));
    }

    #[test]
    fn empty_message_in_both_readings() {
        let table = sbox("id-GostR3411-94-CryptoProParamSet").unwrap();
        assert_ne!(hash(table, b""), hash_literal(table, b""));
    }
}
