//! The table of algorithms: from a name to a session. Front ends, the self-test and the lab iterate over it.
//!
//! ```
//! use bulat::algorithm::{Params, Session};
//! let algorithm = bulat::algorithm("kuznyechik-ctr")?; // or an alias, or an OID
//! let (key, mut text) = ([7; 32], *b"of any length");
//! let mut out = [0; 13];
//! match algorithm.session(&Params::new(&key).iv(b"8 bytes!"))? {
//!     Session::Hash(mut hash) => hash.update(&text),
//!     Session::Mac(mut mac) => mac.update(&text),
//!     Session::Cipher(mut cipher) => assert_eq!(cipher.update_b2b(&text, &mut out)?, 13),
//!     Session::Aead(mut aead) => aead.update(&mut text)?,
//! }
//! # Ok::<(), bulat::Error>(())
//! ```

mod key;
mod open;
mod table;

use core::ops::RangeInclusive;

pub use crate::batch::Text;
#[cfg(feature = "threads")]
pub use key::run_on_threads;
pub use key::{Key, Message, Work, run, run_by};
pub use table::ALGORITHMS;

use crate::kdf::named::Wrapper;
pub use crate::kdf::named::{KdfParams, WrapParams};
use crate::modes::CtrAcpkm;
pub use crate::modes::{MAX_REGISTER, Padding};
pub use crate::session::{
    AeadSession, CipherSession, HashSession, MacSession, Params, Session, UnverifiedSession,
};
use crate::{Error, Kuznyechik, Magma};

/// An algorithm's kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A hash function.
    Hash,
    /// A message authentication code.
    Mac,
    /// Encryption without authentication.
    Cipher,
    /// Authenticated encryption.
    Aead,
    /// Key derivation: no session, but [`Algorithm::derive`].
    Kdf,
    /// Key wrapping: no session, but [`Algorithm::wrap`].
    Wrap,
}

impl Kind {
    /// Returns the kind in lower case: hash, mac, cipher, aead, kdf or wrap.
    pub const fn word(self) -> &'static str {
        ["hash", "mac", "cipher", "aead", "kdf", "wrap"][self as usize]
    }
}

/// The primitive that an algorithm is built on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Primitive {
    /// GOST R 34.12-2015, n = 128.
    Kuznyechik,
    /// GOST R 34.12-2015, n = 64.
    Magma,
    /// GOST 28147-89, which has a choice of S-boxes.
    Gost28147,
    /// GOST R 34.11-2012 with 256 bits.
    Streebog256,
    /// GOST R 34.11-2012 with 512 bits.
    Streebog512,
    /// GOST R 34.11-94.
    Gost94,
}

impl Primitive {
    /// Bytes of a block.
    pub const fn block(self) -> usize {
        match self {
            Primitive::Kuznyechik => 16,
            Primitive::Magma | Primitive::Gost28147 => 8,
            Primitive::Streebog256 | Primitive::Streebog512 => 64,
            Primitive::Gost94 => 32,
        }
    }
}

/// The mode of operation, or a different construction over the primitive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// The hash function itself.
    Hash,
    /// Electronic codebook.
    Ecb,
    /// Cipher block chaining.
    Cbc,
    /// Cipher feedback.
    Cfb,
    /// Output feedback.
    Ofb,
    /// Counter mode.
    Ctr,
    /// The counter mode of GOST 28147-89.
    Cnt,
    /// Counter mode that changes the key after each section (RFC 8645).
    CtrAcpkm,
    /// XTS of IEEE 1619.
    Xts,
    /// Multilinear Galois mode (RFC 9058).
    Mgm,
    /// CTR-ACPKM over the text and its OMAC, as CMS has it.
    CtrAcpkmOmac,
    /// CMAC of GOST R 34.13-2015.
    Omac,
    /// OMAC that changes the key after each section (RFC 8645).
    OmacAcpkm,
    /// The MAC of GOST 28147-89.
    Imit,
    /// HMAC.
    Hmac,
    /// KDF_GOSTR3411_2012_256 of RFC 7836.
    Kdf256,
    /// KDF_TREE_GOSTR3411_2012_256 of RFC 7836.
    KdfTree,
    /// The tree of keys of TLS records.
    TlsTree,
    /// PBKDF2 over HMAC.
    Pbkdf2,
    /// The PRF of TLS 1.2.
    PrfTls,
    /// prf+ of IKEv2.
    PrfPlus,
    /// HKDF of RFC 5869.
    Hkdf,
    /// KExp15 of RFC 9189.
    Kexp15,
    /// A key wrap of RFC 4357 or RFC 7836.
    KeyWrap,
}

/// The length of the IV in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Iv {
    /// The algorithm has no IV.
    None,
    /// Exactly this many bytes.
    Exact(usize),
    /// Empty, which means zeros, or exactly this many bytes (the first register of IMIT).
    Optional(usize),
    /// Any positive multiple of this many bytes up to [`MAX_REGISTER`] (the register of z blocks of
    /// GOST R 34.13: CBC, OFB).
    Multiple(usize),
    /// From the first to the second number of bytes, inclusive (the register m of CFB; a key wrap's seed).
    Between(usize, usize),
}

impl Iv {
    /// Returns the usual length.
    pub const fn usual(self) -> usize {
        match self {
            Iv::None | Iv::Optional(_) => 0,
            Iv::Exact(n) | Iv::Multiple(n) | Iv::Between(n, _) => n,
        }
    }
    /// Returns the shortest and the longest IV, and the difference between valid lengths.
    pub const fn range(self) -> (usize, usize, usize) {
        match self {
            Iv::None => (0, 0, 1),
            Iv::Exact(n) => (n, n, 1),
            Iv::Optional(n) => (0, n, n),
            Iv::Multiple(n) => (n, MAX_REGISTER / n * n, n),
            Iv::Between(least, most) => (least, most, 1),
        }
    }
}

type Open = fn(&Params<'_>) -> Result<Session, Error>;
type Derive = fn(&KdfParams<'_>, &mut [u8]) -> Result<(), Error>;

/// The functions of an algorithm.
enum Call {
    Session(Open),
    Derive(Derive),
    Wrap(Wrapper),
}

/// A line of the table.
pub struct Algorithm {
    /// The name, in lower case.
    pub name: &'static str,
    /// Other names in use by tools.
    pub aliases: &'static [&'static str],
    /// The object identifier, dotted.
    pub oid: Option<&'static str>,
    /// The kind.
    pub kind: Kind,
    /// The primitive.
    pub primitive: Primitive,
    /// The construction over it.
    pub scheme: Scheme,
    /// The key's length in bytes; 0 if there is no key, or if it may have any length (HMAC).
    pub key: usize,
    /// The IV's length.
    pub iv: Iv,
    /// The block's length in bytes.
    pub block: usize,
    /// The length of the digest or of the usual tag in bytes; 0 if there is neither.
    pub out: usize,
    /// The lengths that a tag may have in bytes; empty if there is no tag.
    pub tags: RangeInclusive<usize>,
    /// A remark for lists: the standard and its clause, or a warning.
    pub note: &'static str,
    call: Call,
    /// Prepares a key for batches, which run messages side by side.
    lanes: Option<key::Prepare>,
}

impl Algorithm {
    /// Begins a message.
    ///
    /// # Errors
    /// The error of an invalid parameter; [`Error::Parameter`] for a parameter that means nothing to the algorithm;
    /// [`Error::UnknownAlgorithm`] for key derivation and wrapping, which have no sessions.
    pub fn session(&self, params: &Params<'_>) -> Result<Session, Error> {
        let Call::Session(open) = self.call else { return Err(Error::UnknownAlgorithm) };
        open(params)
    }
    /// Returns whether the algorithm has sessions: all but key derivation and wrapping.
    pub fn has_sessions(&self) -> bool {
        matches!(self.call, Call::Session(_))
    }
    /// Returns the bytes of a section in CMS (R 1323565.1.025-2019), if the algorithm changes its key after sections there.
    pub fn cms_section(&self) -> Option<usize> {
        match (self.scheme, self.primitive) {
            (Scheme::CtrAcpkm | Scheme::CtrAcpkmOmac, Primitive::Magma) => {
                Some(CtrAcpkm::<Magma>::CMS_SECTION)
            }
            (Scheme::CtrAcpkm | Scheme::CtrAcpkmOmac, _) => {
                Some(CtrAcpkm::<Kuznyechik>::CMS_SECTION)
            }
            _ => None,
        }
    }
    /// Derives `out` from a key, a secret or a password.
    ///
    /// ```
    /// use bulat::algorithm::KdfParams;
    /// let params = KdfParams { key: &[7; 32], label: b"label", seed: b"seed", ..KdfParams::default() };
    /// let mut keys = [0; 64];
    /// bulat::algorithm("kdf-tree")?.derive(&params, &mut keys)?;
    /// # Ok::<(), bulat::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Parameter`] for values that the standard excludes, for missing parameters, and for parameters that mean
    /// nothing to the algorithm; [`Error::KeyLength`]; [`Error::BufferLength`] if the algorithm has one output length;
    /// [`Error::UnknownAlgorithm`] unless the algorithm is a key derivation.
    pub fn derive(&self, params: &KdfParams<'_>, out: &mut [u8]) -> Result<(), Error> {
        let Call::Derive(derive) = self.call else { return Err(Error::UnknownAlgorithm) };
        derive(params, out)
    }
    /// Wraps a secret into `out`, which has [`Self::wrapped_len`] bytes.
    ///
    /// ```
    /// use bulat::algorithm::WrapParams;
    /// let wrap = bulat::algorithm("kuznyechik-kexp15")?;
    /// let params = WrapParams { key: &[7; 64], iv: &[1; 8], sboxes: None };
    /// let (mut wrapped, mut key) = ([0; 48], [0; 32]);
    /// assert_eq!(wrap.wrapped_len(8, 32), Some(48));
    /// wrap.wrap(&params, &[9; 32], &mut wrapped)?;
    /// wrap.unwrap(&params, &wrapped, &mut key)?;
    /// assert_eq!(key, [9; 32]);
    /// # Ok::<(), bulat::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::KeyLength`], [`Error::IvLength`], [`Error::DataLength`] for the secret, [`Error::BufferLength`],
    /// [`Error::Parameter`], [`Error::Limit`]; [`Error::UnknownAlgorithm`] unless the algorithm is a key wrap.
    pub fn wrap(
        &self,
        params: &WrapParams<'_>,
        secret: &[u8],
        out: &mut [u8],
    ) -> Result<(), Error> {
        let Call::Wrap(by) = &self.call else { return Err(Error::UnknownAlgorithm) };
        (by.wrap)(params, secret, out)
    }
    /// Unwraps a secret of `out.len()` bytes. Writes `out` only if the MAC is right.
    ///
    /// # Errors
    /// [`Error::Verify`]; as [`Self::wrap`].
    pub fn unwrap(
        &self,
        params: &WrapParams<'_>,
        wrapped: &[u8],
        out: &mut [u8],
    ) -> Result<(), Error> {
        let Call::Wrap(by) = &self.call else { return Err(Error::UnknownAlgorithm) };
        (by.unwrap)(params, wrapped, out)
    }
    /// Returns the length of a wrapped secret from the lengths of IV and secret; `None` unless the algorithm is a key
    /// wrap.
    pub fn wrapped_len(&self, iv: usize, secret: usize) -> Option<usize> {
        if let Call::Wrap(by) = &self.call { Some((by.len)(iv, secret)) } else { None }
    }
}

/// Finds an algorithm by name or alias (in any case) or by OID.
///
/// # Errors
/// [`Error::UnknownAlgorithm`].
pub fn find(name: &str) -> Result<&'static Algorithm, Error> {
    ALGORITHMS
        .iter()
        .find(|a| {
            core::iter::once(&a.name).chain(a.aliases).any(|n| n.eq_ignore_ascii_case(name))
                || a.oid == Some(name)
        })
        .ok_or(Error::UnknownAlgorithm)
}
