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
//! The modes need a cipher, `&dyn Cipher` or `C: Keyed`, which [`magma::Magma`] and [`kuznyechik::Kuznyechik`]
//! implement; [`magma::Gost89`] (S-boxes are a parameter) implements [`Cipher`] only. Where functions do almost the
//! same, their names tell the difference: `gost94::hash_literal` is RFC 5831 to the letter.
//!
//! The tests here are of refusals and identities: `tests/vectors.rs` compares the functions with the examples of the
//! standards.

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
    /// The block size of the cipher does not fit the mode.
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
    /// The padding differs from procedure 2's.
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

/// The value of a hexadecimal digit in a table of a standard.
const fn digit(digit: u8) -> u8 {
    match digit {
        b'0'..=b'9' => digit - b'0',
        b'a'..=b'f' => digit - b'a' + 10,
        _ => panic!("not a hexadecimal digit"),
    }
}

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
