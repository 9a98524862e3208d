//! The calls that the vectors make of an implementation. Operation, algorithm and parameters are
//! data: an implementation answers a [`Call`], mostly by a look at its own table of algorithms.
//!
//! Octet strings are in the order in which they travel; lengths are in bytes; a key is 32 bytes
//! unless the vector tests a wrong length. Every length may be wrong: check it and refuse, do not
//! panic (a panic is reported as a failure).
//!
//! # Algorithms
//! CIPHER is `kuznyechik` (RFC 7801) or `magma` (RFC 8891) with blocks of n bytes, HASH is
//! `streebog256` or `streebog512`. A parameter in brackets may be absent.
//!
//! | name | operations | parameters |
//! |---|---|---|
//! | CIPHER, `gost28147` | Encrypt, Decrypt | key, data: one block, \[times\]; `gost28147`: sbox |
//! | CIPHER`-ecb` | Encrypt, Decrypt | key, data: whole blocks |
//! | CIPHER`-ctr` | Encrypt | key, iv of n/2 bytes: the first counter is iv \|\| 0, \[s\], data |
//! | CIPHER`-ctr-full` | Encrypt | key, iv: the first counter, a number modulo 2^(8n), data |
//! | CIPHER`-ofb` | Encrypt | key, iv of z >= 1 blocks, \[s\], data |
//! | CIPHER`-cbc` | Encrypt, Decrypt | key, iv of z >= 1 blocks, data: whole blocks |
//! | CIPHER`-cfb` | Encrypt, Decrypt | key, iv of m >= n bytes, \[s\]: shift and segment, data |
//! | CIPHER`-omac` | Mac, Verify | key, data, tag_len of 1..=n |
//! | CIPHER`-ctr-acpkm` | Encrypt | key, iv of n/2 bytes, section, \[s\] that divides it, data |
//! | CIPHER`-omac-acpkm` | Mac, Verify | key, section, period, data, tag_len |
//! | CIPHER`-mgm` | Seal, Open | key, iv of n bytes with the first bit 0, aad, data, tag_len |
//! | CIPHER`-ctr-acpkm-omac` | Seal, Open | CMS: key, iv: the ukm of n/2 + 8 bytes, section, data |
//! | CIPHER`-kexp15` | Wrap, Unwrap | key: that of the MAC, then that of CTR, iv of n/2 bytes, data |
//! | CIPHER`-acpkm` | Derive | key; the key of the next section |
//! | CIPHER`-acpkm-master` | Derive | key, period, len: of the key material |
//! | `gost89-ecb` | Encrypt, Decrypt | sbox, key, data: whole blocks |
//! | `gost89-cnt` | Encrypt | sbox, meshing, key, iv, data |
//! | `gost89` | Encrypt, Decrypt | CFB: sbox, meshing, key, iv, data |
//! | `gost89-cbc` | Encrypt, Decrypt | sbox, meshing, key, iv, data: whole blocks |
//! | `gost-mac` | Mac, Verify | IMIT: sbox, meshing, key, iv: the first register, data, tag_len of 1..=8 |
//! | `gost28147-keywrap` | Wrap, Unwrap | RFC 4357 6.1: sbox, key, iv: the ukm of 8 bytes, data |
//! | `cryptopro-keywrap` | Wrap, Unwrap | RFC 4357 6.3: the same with a diversified key |
//! | `gost28147-keywrap-12` | Wrap, Unwrap | RFC 7836 4.6: key, iv: the seed of 8..=16 bytes, data |
//! | `cryptopro-diversify` | Derive | RFC 4357 6.5: sbox, key, iv: the ukm of 8 bytes |
//! | HASH | Hash | data |
//! | `gost94` | Hash | RFC 5831: sbox, data |
//! | `hmac-`HASH | Mac, Verify | key of any length, data, \[tag_len\] |
//! | `kdf-gostr3411-2012-256` | Derive | key, label, seed |
//! | `kdf-tree` | Derive | key, label, seed, counter of 1..=4 bytes, len |
//! | `pbkdf2-hmac-`HASH | Derive | key: the password, salt, times, len |
//! | `prf-tls-gostr3411-2012-256`, `-512` | Derive | key, label, seed, len |
//! | `prf-plus-`HASH | Derive | key, seed, len |
//! | `hkdf-`HASH | Derive | both: key: ikm, salt, seed: info, len |
//! | `hkdf-extract-`HASH | Derive | key: ikm, salt (empty: zeros) |
//! | `hkdf-expand-`HASH | Derive | key: prk, seed: info, len |
//! | `tlstree` | Derive | suite, key, record |
//!
//! Where the standards leave something open:
//! * CTR, OFB and CNT are their own inverse: Encrypt is called for both directions. `s` absent is n.
//! * OMAC-ACPKM of the empty message derives one pair of keys and pads the empty block.
//! * A tag of another length than tag_len does not verify. MGM refuses an aad and data both empty.
//! * N4 of CNT grows modulo 2^32 - 1, and a sum of exactly 2^32 - 1 stays.
//! * CBC with meshing is the letter of RFC 4357 2.3.2: new key, and the register encrypted with it
//!   (implementations differ; these vectors are `acceptable`).
//! * IMIT of 1..8 bytes has a second block, of zeros (GOST 28147-89 wants two; so CryptoPro); IMIT of
//!   the empty message is `iv`.
//! * GOST R 34.11-94 starts from zero; its empty message has no block, and step 2 is skipped, as in
//!   CryptoPro's implementations.
//! * KDF_TREE cuts its last block; inside, the length is counted in bits, in its shortest form.
//! * A wrapped key is ukm || encrypted key || IMIT of 4 bytes, and the ukm is all that precedes the last
//!   36 bytes. RFC 7836 wraps keys of 64 bytes too: the last 68 bytes, where at least 8 precede them.
//!
//! # Parts
//! [`Op::Part`] asks for a value inside an algorithm. Most libraries have none of these.
//!
//! | name | parameters | answer |
//! |---|---|---|
//! | CIPHER`-round-keys` | key | K_1, K_2, ...: 10 of 16 bytes, or 32 of 4, big-endian |
//! | `kuznyechik-S`, `-R`, `-L`, `-S_inv`, `-R_inv`, `-L_inv` | data: 16 bytes, a_15 first | the step of RFC 7801 4.1, 4.2 |
//! | `kuznyechik-C` | index of 1..=32 | the iteration constant (RFC 7801 4.3) |
//! | `kuznyechik-F` | key: a_1 \|\| a_0, index | F\[C_index\] ... F\[C_1\] of the key (RFC 7801 5.4) |
//! | `magma-t` | data: a word of 4 bytes, big-endian | t (RFC 8891 4.2) |
//! | `magma-g` | key: a word, data: a word | g\[key\] (RFC 8891 4.2) |
//! | CIPHER`-omac-subkeys` | key | E_K(0), K_1, K_2 |
//! | CIPHER`-gf-multiply` | key and data: elements of GF(2^(8n)), first byte most significant | the product |
//! | `gost28147-sbox` | sbox | rows K1..K8, 16 values 0..=15 each |
//! | `gost28147-mesh` | sbox, key, iv | the next key, and the register encrypted with it (RFC 4357 2.3.2) |

use crate::parameters::{Cipher, Meshing, Sbox, Streebog, Suite};

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The subject does not have this operation.
    Unsupported,
    /// The input is not allowed (length, range), or a tag did not verify; with the words of the
    /// subject, printed when the vector is a valid one.
    Input(String),
}

impl Refused {
    /// Wraps the error of the tested code: `.map_err(Refused::because)`.
    pub fn because(reason: impl std::fmt::Debug) -> Self {
        Refused::Input(format!("{reason:?}"))
    }
}

/// The bytes asked for, or why there are none.
pub type Answer = Result<Vec<u8>, Refused>;

/// An operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Op {
    /// Plaintext to ciphertext.
    #[default]
    Encrypt,
    /// Ciphertext to plaintext.
    Decrypt,
    /// Plaintext to ciphertext || tag.
    Seal,
    /// Ciphertext to plaintext, or a refusal if `tag` or anything else is wrong.
    Open,
    /// The first `tag_len` bytes of a tag.
    Mac,
    /// Nothing if `tag` is right, or a refusal.
    Verify,
    /// The digest as it travels.
    Hash,
    /// Key material.
    Derive,
    /// A secret under a key.
    Wrap,
    /// The secret, or a refusal.
    Unwrap,
    /// A value inside an algorithm.
    Part,
}

/// A call of an operation. Parameters that an algorithm does not have are empty or `None`.
#[derive(Clone, Debug, Default)]
pub struct Call<'a> {
    /// The operation.
    pub op: Op,
    /// By which algorithm: see [the list](self).
    pub algorithm: String,
    /// The key, secret or password.
    pub key: &'a [u8],
    /// The IV, nonce, first counter or ukm.
    pub iv: &'a [u8],
    /// Associated data.
    pub aad: &'a [u8],
    /// The message, block or secret.
    pub data: &'a [u8],
    /// The tag to check.
    pub tag: &'a [u8],
    /// The salt of a derivation.
    pub salt: &'a [u8],
    /// The label of a derivation.
    pub label: &'a [u8],
    /// The seed of a derivation; HKDF's info.
    pub seed: &'a [u8],
    /// The S-boxes of GOST 28147-89 and GOST R 34.11-94.
    pub sbox: Option<Sbox>,
    /// The key meshing of GOST 28147-89.
    pub meshing: Option<Meshing>,
    /// The cipher suite of TLSTREE.
    pub suite: Option<Suite>,
    /// The agreed length of the tag.
    pub tag_len: Option<usize>,
    /// s of GOST R 34.13: bytes of gamma used of each block.
    pub s: Option<usize>,
    /// N of ACPKM.
    pub section: Option<usize>,
    /// T* of ACPKM.
    pub period: Option<usize>,
    /// Bytes to derive.
    pub len: Option<usize>,
    /// R of KDF_TREE: bytes of its counter.
    pub counter: Option<usize>,
    /// The number of a constant or step.
    pub index: Option<usize>,
    /// The number of a TLS record.
    pub record: Option<u64>,
    /// Iterations: of PBKDF2, or of a block cipher over its own output (absent: one).
    pub times: Option<u64>,
}

impl<'a> Call<'a> {
    /// A call without parameters.
    pub fn new(op: Op, algorithm: impl Into<String>) -> Self {
        Call { op, algorithm: algorithm.into(), ..Call::default() }
    }

    /// A call of `cipher` in a mode; the empty mode is the block cipher itself.
    pub fn of(op: Op, cipher: Cipher, mode: &str) -> Self {
        let dash = if mode.is_empty() { "" } else { "-" };
        Call::new(op, format!("{}{dash}{mode}", cipher.name()))
    }

    /// Replaces operation and message and keeps the parameters.
    pub fn with<'b>(&self, op: Op, data: &'b [u8]) -> Call<'b>
    where
        'a: 'b,
    {
        Call { op, data, ..self.clone() }
    }

    /// The cipher and the mode of an algorithm over Kuznyechik or Magma.
    pub fn mode(&self) -> Option<(Cipher, &str)> {
        let (cipher, mode) = self.algorithm.split_once('-').unwrap_or((&self.algorithm, ""));
        Some((Cipher::by_name(cipher)?, mode))
    }

    /// Bytes of the secret in the wrapped `data`.
    pub fn secret_len(&self) -> usize {
        match (self.algorithm.as_str(), self.mode()) {
            // KExp15: data is the secret and a MAC of one block.
            (_, Some((cipher, _))) => self.data.len().saturating_sub(cipher.block()),
            // RFC 7836 has keys of 64 bytes too, after a ukm of at least 8 and before 4 of MAC.
            ("gost28147-keywrap-12", _) if self.data.len() >= 8 + 64 + 4 => 64,
            _ => 32,
        }
    }

    /// The name of an algorithm over Streebog without that of the hash: `hmac-streebog256` is `hmac`.
    pub fn over_streebog(&self) -> Option<(&str, Streebog)> {
        let hash = [Streebog::S256, Streebog::S512]
            .into_iter()
            .find(|hash| self.algorithm.ends_with(&hash.bits().to_string()))?;
        let name = &self.algorithm[..self.algorithm.len() - 3];
        Some((name.trim_end_matches("streebog").trim_end_matches('-'), hash))
    }
}

/// Gives each piece of a message of gigabytes to a function that transforms it in place; a MAC reads it.
pub type Pieces<'a> = &'a mut dyn FnMut(Transform) -> Result<(), Refused>;

/// Transforms the next bytes in place.
pub type Transform<'a> = &'a mut dyn FnMut(&mut [u8]) -> Result<(), Refused>;

/// An implementation under test. `Sync` because the runner uses all cores.
pub trait Subject: Sync {
    /// Answers a call, with [`Refused::Unsupported`] if the subject does not have the operation: that is
    /// counted in the report by the name of the algorithm and can be forbidden there.
    fn run(&self, call: &Call) -> Answer;

    /// Runs a message of gigabytes: `gost89-cnt` or `gost89` to encrypt, which answer nothing, or `gost-mac`, which
    /// answers its tag. A subject without this skips these messages.
    fn stream(&self, _call: &Call, _text: Pieces) -> Answer {
        Err(Refused::Unsupported)
    }
}
