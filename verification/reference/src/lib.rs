//! The oracle of bulat's differential tests: every algorithm straight from the
//! text of its standard, slow and obvious.
//!
//! # NOT FOR USE ON SECRETS
//!
//! Nothing here is constant-time: S-boxes are looked up at secret addresses,
//! branches and comparisons depend on secrets, keys are never wiped. The crate
//! shares no code with the library it checks, has no dependencies, no SIMD and
//! no `unsafe`. It exists to be read next to the standards and to be compared
//! with.
//!
//! # Conventions
//!
//! Every argument and result is a string of bytes in the order in which it is
//! sent or printed as a dump. All lengths are in bytes. `n` is the block size
//! (8 or 16). Bad lengths and refused inputs are [`Error`]s; the block
//! functions of [`Cipher`] panic when given anything but one block; no others do.
//!
//! # List of public functions
//!
//! [`Cipher`] (object-safe: `block`, `encrypt`, `decrypt`) and [`Keyed`]
//! (`BLOCK`, `with_key`) are implemented by [`magma::Magma`] and
//! [`kuznyechik::Kuznyechik`]; [`magma::Gost89`] (S-boxes are a parameter)
//! implements [`Cipher`] only. Below `c: &dyn Cipher`, `C: Keyed`,
//! `R<T> = Result<T, Error>`, `V = Vec<u8>`, and every other lower-case
//! argument that is not a number is `&[u8]`.
//!
//! ```text
//! magma::SBOXES: [(&str, Sbox); 8]                   names as in the vectors
//! magma::sbox(name: &str) -> Option<&'static Sbox>
//! magma::sbox_from_octets(bytes) -> R<Sbox>         RFC 4357 OCTET STRING
//! magma::is_permutations(&Sbox) -> bool
//! magma::t(a: u32, &Sbox) -> u32
//! magma::g(k: u32, a: u32, &Sbox) -> u32
//! magma::Magma::new(key) -> R<Magma>;  .round_keys() -> [u32; 32]
//!     .encrypt_trace(block) / .decrypt_trace(block) -> Vec<[u8; 8]>  (31 states)
//! magma::Gost89::new(key, &Sbox) -> R<Gost89>;  .mac_step(&mut [u8])
//!
//! kuznyechik::{s, s_inv, r, r_inv, l, l_inv}([u8; 16]) -> [u8; 16]
//! kuznyechik::c(i: u8) -> [u8; 16]                   i = 1..=32
//! kuznyechik::f(k, a1, a0) -> ([u8; 16], [u8; 16])   all [u8; 16]
//! kuznyechik::Kuznyechik::new(key) -> R<Kuznyechik>; .round_keys() -> [[u8; 16]; 10]
//!     .encrypt_trace(block) / .decrypt_trace(block) -> Vec<[u8; 16]> (9 states)
//!
//! streebog::hash256(msg), streebog::hash512(msg) -> V
//! gost94::hash(&Sbox, msg) -> V                      common practice for the empty message
//! gost94::hash_literal(&Sbox, msg) -> V              RFC 5831 to the letter
//!
//! modes::pad1(l: usize, p), pad2(l, p), pad3(l, p) -> V;  modes::unpad2(l, p) -> R<V>
//! modes::ecb_encrypt(c, p), ecb_decrypt(c, ct) -> R<V>
//! modes::ctr(c, iv, s: usize, p) -> R<V>             iv n/2 bytes
//! modes::ctr_full(c, counter, p) -> R<V>             whole first counter block
//! modes::ofb(c, iv, s: usize, p) -> R<V>             iv z blocks
//! modes::cbc_encrypt(c, iv, p), cbc_decrypt(c, iv, ct) -> R<V>
//! modes::cfb_encrypt(c, iv, s: usize, p), cfb_decrypt(c, iv, s, ct) -> R<V>
//! modes::omac_keys(c) -> [V; 3]                      R, K1, K2
//! modes::omac(c, p, tag_len: usize) -> R<V>
//! modes::omac_verify(c, p, tag_len: usize, tag) -> R<()>
//!
//! acpkm::next_key::<C>(key) -> R<V>
//! acpkm::section_keys::<C>(key, count: usize) -> R<Vec<V>>   K^1 = key first
//! acpkm::ctr_acpkm::<C>(key, iv, section: usize, s: usize, p) -> R<V>
//! acpkm::master::<C>(key, period: usize, d: usize, l: usize) -> R<V>
//! acpkm::omac_acpkm::<C>(key, section: usize, period: usize, p, tag_len: usize) -> R<V>
//! acpkm::omac_acpkm_verify::<C>(key, section, period, p, tag_len: usize, tag) -> R<()>
//!
//! mgm::multiply(x, y) -> R<V>
//! mgm::encrypt(c, icn, aad, p, tag_len: usize) -> R<(V, V)>          (ct, tag)
//! mgm::decrypt(c, icn, aad, ct, tag_len: usize, tag) -> R<V>
//! mgm::trace(c, icn, aad, p) -> R<mgm::Trace>
//!
//! xts::encrypt::<C>(key1, key2, tweak, p), xts::decrypt::<C>(..., ct) -> R<V>
//! xts::sector_tweak(u128) -> [u8; 16];  xts::times_alpha([u8; 16]) -> [u8; 16]
//!
//! gost28147::Meshing::{None, CryptoPro}              `m` below
//! gost28147::mesh_key(key, &Sbox) -> R<V>
//! gost28147::mesh(key, iv, &Sbox) -> R<(V, V)>       next key, next register
//! gost28147::cnt(key, &Sbox, iv, m, p) -> R<V>
//! gost28147::cfb_encrypt / cfb_decrypt / cbc_encrypt / cbc_decrypt   same arguments
//! gost28147::ecb_encrypt(key, &Sbox, p), ecb_decrypt(key, &Sbox, ct) -> R<V>
//! gost28147::imit(key, &Sbox, iv, m, p, tag_len: usize) -> R<V>
//! gost28147::imit_without_second_block(same) -> R<V>
//! gost28147::imit_verify(key, &Sbox, iv, m, p, tag_len: usize, tag) -> R<()>
//! gost28147::kek_diversify(kek, ukm, &Sbox) -> R<V>
//! gost28147::wrap_gost(kek, ukm, cek, &Sbox), unwrap_gost(kek, wrapped, &Sbox) -> R<V>
//! gost28147::wrap_cryptopro(kek, ukm, cek, &Sbox), unwrap_cryptopro(kek, wrapped, &Sbox) -> R<V>
//! gost28147::wrap_rfc7836(kek, seed, key), unwrap_rfc7836(kek, wrapped) -> R<V>
//!
//! kdf::Hash::{Streebog256, Streebog512, Gost94};  Hash::from_bits(usize) -> Option<Hash>
//!     .len(), .block(), .hash(msg) -> V
//! kdf::hmac(h: Hash, key, msg) -> V
//! kdf::hmac_verify(h, key, msg, tag_len: usize, tag) -> R<()>
//! kdf::pbkdf2(h, password, salt, iterations: u32, dk_len: usize) -> R<V>
//! kdf::kdf_256(key, label, seed) -> V
//! kdf::kdf_tree(key, label, seed, r: usize, len: usize) -> R<V>
//! kdf::prf_tls(h, secret, label, seed, len: usize) -> V
//! kdf::prf_plus(h, key, seed, len: usize) -> R<V>
//! kdf::hkdf_extract(h, salt, ikm) -> V;  kdf::hkdf_expand(h, prk, info, len: usize) -> R<V>
//!
//! tlstree::SUITES: [(&str, [u64; 3]); 6];  tlstree::masks(name: &str) -> Option<[u64; 3]>
//! tlstree::tlstree(key, seqnum: u64, [u64; 3]) -> R<V>
//! tlstree::levels(key, seqnum: u64, [u64; 3]) -> R<[V; 3]>
//!
//! kexp15::kexp15::<C>(secret, key_mac, key_enc, iv) -> R<V>
//! kexp15::kimp15::<C>(sexp, key_mac, key_enc, iv) -> R<V>
//!
//! cms::SECTION_MAGMA, cms::SECTION_KUZNYECHIK: usize
//! cms::ctr_acpkm::<C>(cek, ukm, section: usize, p) -> R<V>
//! cms::ctr_acpkm_omac_encrypt::<C>(cek, ukm, section: usize, p) -> R<(V, V)>  (ct, encrypted mac)
//! cms::ctr_acpkm_omac_decrypt::<C>(cek, ukm, section: usize, ct, encrypted_mac) -> R<V>
//! ```

#![forbid(unsafe_code)]

pub mod acpkm;
pub mod cms;
pub mod gost28147;
pub mod gost94;
pub mod kdf;
pub mod kexp15;
pub mod kuznyechik;
pub mod magma;
pub mod mgm;
pub mod modes;
pub mod streebog;
pub mod tlstree;
pub mod xts;

/// Why an input was refused. The variant names the first rule found broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// A key is not of the length that the algorithm demands (32 bytes).
    KeyLength,
    /// The two keys of XTS are equal.
    EqualKeys,
    /// An S-box is not 64 bytes, or a row of it is not a permutation.
    Sbox,
    /// The block size of the cipher is not one that the mode is defined for.
    BlockSize,
    /// An IV, nonce, counter, UKM, seed or tweak has a length not allowed.
    IvLength,
    /// The message has a length not allowed (no implicit padding anywhere).
    MessageLength,
    /// The parameter `s` (bytes of gamma per block) is not in 1..=n.
    GammaLength,
    /// The requested or received tag has a length not allowed.
    TagLength,
    /// The first bit of an MGM nonce is 1.
    NonceFirstBit,
    /// MGM was given neither associated data nor text.
    EmptyInput,
    /// More data than the standard allows for one message or key.
    TooLong,
    /// The section size N of an ACPKM mode is zero or not divisible as it must.
    SectionSize,
    /// The master key change period T* is zero or not divisible as it must.
    MasterPeriod,
    /// KDF_TREE: the size R of the counter is not in 1..=4.
    CounterLength,
    /// The requested output is empty or longer than the function can give.
    OutputLength,
    /// PBKDF2 with zero iterations.
    Iterations,
    /// The padding is not one that procedure 2 makes.
    Padding,
    /// A tag or checksum does not match.
    Mac,
}

impl core::fmt::Display for Error {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{self:?}")
    }
}

impl std::error::Error for Error {}

/// A block cipher with its key: a permutation of blocks of [`Cipher::block`] bytes.
pub trait Cipher {
    /// The block size n in bytes.
    fn block(&self) -> usize;
    /// Encrypts one block in place. Panics unless `block` has exactly n bytes.
    fn encrypt(&self, block: &mut [u8]);
    /// Decrypts one block in place. Panics unless `block` has exactly n bytes.
    fn decrypt(&self, block: &mut [u8]);
}

/// A block cipher made from 32 bytes of key and nothing else; needed by the
/// modes that change keys (ACPKM) or have several.
pub trait Keyed: Cipher + Sized {
    /// The block size n in bytes.
    const BLOCK: usize;
    /// The cipher under `key`; [`Error::KeyLength`] unless it has 32 bytes.
    fn with_key(key: &[u8]) -> Result<Self, Error>;
}
