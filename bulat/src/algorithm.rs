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
mod key;
mod table;

pub use crate::batch::Text;
#[cfg(feature = "threads")]
pub use key::run_on_threads;
pub use key::{Key, Message, Work, run, run_by};
pub use table::ALGORITHMS;

use crate::Error;
use crate::kdf::named::Wrapper;
pub use crate::kdf::named::{KdfParams, WrapParams};
pub use crate::modes::{MAX_REGISTER, Padding};
pub use crate::session::{
    AeadSession, CipherSession, HashSession, MacSession, Params, Session, UnverifiedSession,
};

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
    /// Key derivation: no session, but [`Algorithm::derive`].
    Kdf,
    /// Key wrapping: no session, but [`Algorithm::wrap`].
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
type Derive = fn(&KdfParams<'_>, &mut [u8]) -> Result<(), Error>;

/// What an algorithm does.
enum Call {
    Session(Open),
    Derive(Derive),
    Wrap(Wrapper),
}

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
    call: Call,
    /// How a batch does its messages side by side.
    lanes: Option<key::Prepare>,
}

impl Algorithm {
    /// Begins a message.
    ///
    /// # Errors
    /// What is wrong with the parameters; [`Error::Parameter`] for one that means nothing to the algorithm;
    /// [`Error::UnknownAlgorithm`] for key derivation and wrapping, which have no sessions.
    pub fn session(&self, params: &Params<'_>) -> Result<Session, Error> {
        if let Call::Session(open) = self.call {
            open(params)
        } else {
            Err(Error::UnknownAlgorithm)
        }
    }
    /// Whether it has sessions: all but key derivation and wrapping.
    pub fn has_sessions(&self) -> bool {
        matches!(self.call, Call::Session(_))
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
    /// [`Error::Parameter`] for what the standard excludes, what must be given and is not, and what means nothing to the
    /// algorithm; [`Error::KeyLength`]; [`Error::BufferLength`] where it has one length; [`Error::UnknownAlgorithm`] for
    /// what is no key derivation.
    pub fn derive(&self, params: &KdfParams<'_>, out: &mut [u8]) -> Result<(), Error> {
        if let Call::Derive(derive) = self.call {
            derive(params, out)
        } else {
            Err(Error::UnknownAlgorithm)
        }
    }
    /// Wraps a secret: `out` has [`Self::wrapped_len`] bytes.
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
    /// [`Error::Parameter`], [`Error::Limit`]; [`Error::UnknownAlgorithm`] for what wraps no keys.
    pub fn wrap(
        &self,
        params: &WrapParams<'_>,
        secret: &[u8],
        out: &mut [u8],
    ) -> Result<(), Error> {
        if let Call::Wrap(by) = &self.call {
            (by.wrap)(params, secret, out)
        } else {
            Err(Error::UnknownAlgorithm)
        }
    }
    /// Unwraps a secret of `out.len()` bytes. `out` is written only if the MAC is right.
    ///
    /// # Errors
    /// [`Error::Verify`]; as [`Self::wrap`].
    pub fn unwrap(
        &self,
        params: &WrapParams<'_>,
        wrapped: &[u8],
        out: &mut [u8],
    ) -> Result<(), Error> {
        if let Call::Wrap(by) = &self.call {
            (by.unwrap)(params, wrapped, out)
        } else {
            Err(Error::UnknownAlgorithm)
        }
    }
    /// Bytes of a wrapped secret, from those of the IV and the secret; `None` for what wraps no keys.
    pub fn wrapped_len(&self, iv: usize, secret: usize) -> Option<usize> {
        if let Call::Wrap(by) = &self.call { Some((by.len)(iv, secret)) } else { None }
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
