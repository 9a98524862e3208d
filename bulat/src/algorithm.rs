//! The table of algorithms: from a name to a session. Front ends, the self-test and the lab loop over it.
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
#![forbid(unsafe_code)]

mod hashes;
mod table;

pub use table::ALGORITHMS;

use crate::Error;
pub use crate::modes::{MAX_REGISTER, Padding};
pub use crate::session::{AeadSession, CipherSession, HashSession, MacSession, Params, Session};

/// What an algorithm is.
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
    /// Key derivation: no session; see [`crate::kdf`].
    Kdf,
    /// Key wrapping: no session; see [`crate::kdf`].
    Wrap,
}

/// The IV's length in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Iv {
    /// There is none.
    None,
    /// Exactly this many bytes.
    Exact(usize),
    /// None, which stands for zeros, or exactly this many bytes (the first register of IMIT).
    Optional(usize),
    /// Any positive multiple of this many bytes up to [`MAX_REGISTER`] (the register of z blocks of
    /// GOST R 34.13: CBC, OFB).
    Multiple(usize),
    /// From the first to the second number of bytes (the register m of CFB; a key wrap's seed).
    Between(usize, usize),
}

impl Iv {
    /// The usual length.
    pub const fn usual(self) -> usize {
        match self {
            Iv::None | Iv::Optional(_) => 0,
            Iv::Exact(n) | Iv::Multiple(n) | Iv::Between(n, _) => n,
        }
    }
}

type Open = fn(&Params<'_>) -> Result<Session, Error>;

/// One line of the table.
pub struct Algorithm {
    /// The name, lower case.
    pub name: &'static str,
    /// Other names that tools use.
    pub aliases: &'static [&'static str],
    /// Object identifier, dotted.
    pub oid: Option<&'static str>,
    /// What it is.
    pub kind: Kind,
    /// Bytes of key; 0: none, or any (HMAC).
    pub key: usize,
    /// The IV.
    pub iv: Iv,
    /// Bytes of a block.
    pub block: usize,
    /// Bytes of digest or of the usual tag; 0 where there is none.
    pub out: usize,
    /// A remark for lists: the standard and its clause, or a warning.
    pub note: &'static str,
    open: Option<Open>,
}

impl Algorithm {
    /// Begins a message.
    ///
    /// # Errors
    /// What is wrong with the parameters; [`Error::Parameter`] for one that means nothing to the algorithm;
    /// [`Error::UnknownAlgorithm`] for key derivation and wrapping, which have no sessions: see [`crate::kdf`].
    pub fn session(&self, params: &Params<'_>) -> Result<Session, Error> {
        self.open.ok_or(Error::UnknownAlgorithm)?(params)
    }
    /// Whether it has sessions: all but key derivation and wrapping.
    pub fn has_sessions(&self) -> bool {
        self.open.is_some()
    }
}

/// The algorithm of this name or alias (in any case) or OID.
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
