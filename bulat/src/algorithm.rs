//! The table of algorithms: name to session. Front ends, the self-test and the lab loop over it.
#![forbid(unsafe_code)]

mod gost28147;
mod open;
mod session;
mod table;

pub use session::{AeadSession, BlocksSession, GammaSession, HashSession, MacSession};
pub use table::ALGORITHMS;

use alloc::boxed::Box;

use crate::magma::Sboxes;
pub use crate::modes::{MAX_REGISTER, Padding};
use crate::{Direction, Error, InOut};

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

/// The IV's length in octets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Iv {
    /// There is none.
    None,
    /// Exactly this many octets.
    Exact(usize),
    /// None, which stands for zeros, or exactly this many octets (the first register of IMIT).
    Optional(usize),
    /// Any positive multiple of this many octets up to [`MAX_REGISTER`] (the register of z blocks of
    /// GOST R 34.13: CBC, OFB).
    Multiple(usize),
    /// From the first to the second number of octets (the register m of CFB; a key wrap's seed).
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

/// What a session is made from; `None` is the algorithm's default.
#[derive(Clone)]
pub struct Params<'a> {
    /// The key; empty for a hash.
    pub key: &'a [u8],
    /// The IV, nonce or tweak.
    pub iv: &'a [u8],
    /// For ciphers and AEAD.
    pub direction: Direction,
    /// Octets of tag: MACs and AEAD.
    pub tag_len: Option<usize>,
    /// s of GOST R 34.13 in octets: CTR, OFB, CFB.
    pub s: Option<usize>,
    /// ACPKM section in octets.
    pub section: Option<usize>,
    /// T*, the period of the ACPKM master key, in octets: OMAC-ACPKM.
    pub period: Option<usize>,
    /// Padding of ECB and CBC.
    pub padding: Padding,
    /// S-boxes of GOST 28147-89 algorithms.
    pub sboxes: Option<Sboxes>,
    /// CryptoPro key meshing of GOST 28147-89 algorithms.
    pub meshing: Option<bool>,
    /// The kernel's name, for tests and the lab.
    pub kernel: Option<&'a str>,
}

impl<'a> Params<'a> {
    /// Defaults but for key, IV and direction.
    pub fn new(key: &'a [u8], iv: &'a [u8], direction: Direction) -> Self {
        Params {
            key,
            iv,
            direction,
            tag_len: None,
            s: None,
            section: None,
            period: None,
            padding: Padding::None,
            sboxes: None,
            meshing: None,
            kernel: None,
        }
    }
}

/// Makes a session.
///
/// # Errors
/// What is wrong with the parameters; [`Error::Parameter`] for one that means nothing to the algorithm.
pub type Open = fn(&Params<'_>) -> Result<Box<dyn Session>, Error>;

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
    /// Octets of key; 0: none, or any (HMAC).
    pub key: usize,
    /// The IV.
    pub iv: Iv,
    /// Octets of a block.
    pub block: usize,
    /// Octets of digest or of the usual tag; 0 where there is none.
    pub out: usize,
    /// A remark for lists: the standard and its clause, or a warning.
    pub note: &'static str,
    /// Makes a session; `None` for KDFs and wrapping.
    pub open: Option<Open>,
}

/// One message under one algorithm. Which calls belong to it follows from [`Kind`]:
/// a hash or MAC takes `absorb` and `finish` (or `verify`); a cipher `update` and `finish`;
/// an AEAD `aad`, then `update` and `finish` (the tag) to seal, or `open`. Others answer
/// [`Error::Order`].
pub trait Session: Send {
    /// Associated data.
    fn aad(&mut self, _aad: &[u8]) -> Result<(), Error> {
        Err(Error::Order)
    }
    /// The next piece of a message that is only read.
    fn absorb(&mut self, _data: &[u8]) -> Result<(), Error> {
        Err(Error::Order)
    }
    /// The next piece of a message that is transformed; how many octets stand at the start of the
    /// destination now (never more than the piece has; see [`crate::modes::Blocks`]).
    fn update(&mut self, _data: InOut<'_, '_>) -> Result<usize, Error> {
        Err(Error::Order)
    }
    /// The most octets that `finish` writes.
    fn finish_len(&self) -> usize;
    /// Ends the message: digest, tag, or the rest of the text; how many octets were written.
    fn finish(&mut self, out: &mut [u8]) -> Result<usize, Error>;
    /// Ends the message of a MAC and compares the tag in constant time.
    fn verify(&mut self, _tag: &[u8]) -> Result<(), Error> {
        Err(Error::Order)
    }
    /// Checks the tag over a whole ciphertext, then decrypts it.
    fn open(&mut self, _text: InOut<'_, '_>, _tag: &[u8]) -> Result<(), Error> {
        Err(Error::Order)
    }
    /// Begins a new message under the same key.
    fn reset(&mut self, iv: &[u8]) -> Result<(), Error>;
    /// A copy in the same state.
    fn dup(&self) -> Box<dyn Session>;
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
