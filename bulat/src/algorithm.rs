//! The table of algorithms: name to session. Front ends, the self-test and the lab loop over it.
#![forbid(unsafe_code)]

use alloc::boxed::Box;

use crate::magma::{ParamSet, Sboxes};
use crate::modes::{Aead, Blocks, Gamma, Mac};
use crate::{Direction, Error, Gost94, InOut, Streebog};

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
    /// Any positive multiple of this many octets (the register of z blocks of GOST R 34.13: CBC, OFB).
    Multiple(usize),
    /// At least this many octets (the register m of CFB).
    AtLeast(usize),
}

impl Iv {
    /// The usual length.
    pub const fn usual(self) -> usize {
        match self {
            Iv::None => 0,
            Iv::Exact(n) | Iv::Multiple(n) | Iv::AtLeast(n) => n,
        }
    }
}

/// Padding procedures of GOST R 34.13-2015, section 4.1 (and none).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Padding {
    /// The message must be whole blocks.
    None,
    /// Procedure 1: zeros up to a whole block; not removable without knowing the length.
    Procedure1,
    /// Procedure 2: one bit 1, then zeros; always removable.
    Procedure2,
    /// Procedure 3: procedure 2 unless the message is whole blocks (OMAC's).
    Procedure3,
    /// PKCS #7, which OpenSSL uses for the block modes; not of GOST R 34.13.
    Pkcs7,
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
    pub open: Option<fn(&Params<'_>) -> Result<Box<dyn Session>, Error>>,
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
    /// destination now (never more than the piece has; see [`Blocks`]).
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

/// Every algorithm, a line each.
pub static ALGORITHMS: &[Algorithm] = &[
    Algorithm {
        name: "streebog256",
        aliases: &["md_gost12_256", "streebog-256", "gost12-256"],
        oid: Some("1.2.643.7.1.1.2.2"),
        kind: Kind::Hash,
        key: 0,
        iv: Iv::None,
        block: 64,
        out: 32,
        note: "GOST R 34.11-2012, RFC 6986",
        open: Some(|p| hash::<32>(p)),
    },
    Algorithm {
        name: "streebog512",
        aliases: &["md_gost12_512", "streebog-512", "gost12-512"],
        oid: Some("1.2.643.7.1.1.2.3"),
        kind: Kind::Hash,
        key: 0,
        iv: Iv::None,
        block: 64,
        out: 64,
        note: "GOST R 34.11-2012, RFC 6986",
        open: Some(|p| hash::<64>(p)),
    },
    Algorithm {
        name: "gost94",
        aliases: &["md_gost94", "gostr341194"],
        oid: Some("1.2.643.2.2.9"),
        kind: Kind::Hash,
        key: 0,
        iv: Iv::None,
        block: 32,
        out: 32,
        note: "GOST R 34.11-94, RFC 5831, CryptoPro S-boxes; for old data only",
        open: Some(|p| gost94(p, ParamSet::HashCryptoPro)),
    },
    Algorithm {
        name: "gost94-test",
        aliases: &[],
        oid: None,
        kind: Kind::Hash,
        key: 0,
        iv: Iv::None,
        block: 32,
        out: 32,
        note: "GOST R 34.11-94, RFC 5831, test S-boxes; for old data only",
        open: Some(|p| gost94(p, ParamSet::HashTest)),
    },
];

fn hash<const OUT: usize>(p: &Params<'_>) -> Result<Box<dyn Session>, Error> {
    let s = Streebog::<OUT>::new();
    Ok(Box::new(HashSession(match p.kernel {
        Some(name) => s.on(name)?,
        None => s,
    })))
}

/// The S-boxes of the parameters go before those of the name.
fn gost94(p: &Params<'_>, set: ParamSet) -> Result<Box<dyn Session>, Error> {
    let s = Gost94::new(p.sboxes.clone().unwrap_or(set.into()));
    Ok(Box::new(HashSession(match p.kernel {
        Some(name) => s.on(name)?,
        None => s,
    })))
}

/// What a session needs of a hash function.
trait Hash: Clone + Send + 'static {
    const OUT: usize;
    fn update(&mut self, data: &[u8]);
    fn finish(&self, out: &mut [u8]);
    fn reset(&mut self);
}
macro_rules! hash {
    ($hash:ty, $out:expr $(, $n:ident)?) => {
        impl$(<const $n: usize>)? Hash for $hash {
            const OUT: usize = $out;
            fn update(&mut self, data: &[u8]) {
                <$hash>::update(self, data);
            }
            fn finish(&self, out: &mut [u8]) {
                out.copy_from_slice(&<$hash>::finish(self));
            }
            fn reset(&mut self) {
                <$hash>::reset(self);
            }
        }
    };
}
hash!(Streebog<N>, N, N);
hash!(Gost94, 32);

#[derive(Clone)]
struct HashSession<H>(H);

impl<H: Hash> Session for HashSession<H> {
    fn absorb(&mut self, data: &[u8]) -> Result<(), Error> {
        self.0.update(data);
        Ok(())
    }
    fn finish_len(&self) -> usize {
        H::OUT
    }
    fn finish(&mut self, out: &mut [u8]) -> Result<usize, Error> {
        self.0.finish(out.get_mut(..H::OUT).ok_or(Error::BufferLength)?);
        Ok(H::OUT)
    }
    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        if !iv.is_empty() {
            return Err(Error::IvLength);
        }
        self.0.reset();
        Ok(())
    }
    fn dup(&self) -> Box<dyn Session> {
        Box::new(self.clone())
    }
}

/// A session over a [`Gamma`] mode.
#[derive(Clone)]
pub struct GammaSession<M>(pub M);

impl<M: Gamma + 'static> Session for GammaSession<M> {
    fn update(&mut self, data: InOut<'_, '_>) -> Result<usize, Error> {
        let n = data.len();
        self.0.apply(data).map(|()| n)
    }
    fn finish_len(&self) -> usize {
        0
    }
    fn finish(&mut self, _out: &mut [u8]) -> Result<usize, Error> {
        Ok(0)
    }
    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        self.0.reset(iv)
    }
    fn dup(&self) -> Box<dyn Session> {
        Box::new(self.clone())
    }
}

/// A session over a [`Blocks`] mode.
#[derive(Clone)]
pub struct BlocksSession<M>(pub M);

impl<M: Blocks + 'static> Session for BlocksSession<M> {
    fn update(&mut self, data: InOut<'_, '_>) -> Result<usize, Error> {
        self.0.update(data)
    }
    fn finish_len(&self) -> usize {
        M::HELD
    }
    fn finish(&mut self, out: &mut [u8]) -> Result<usize, Error> {
        self.0.finish(out)
    }
    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        self.0.reset(iv)
    }
    fn dup(&self) -> Box<dyn Session> {
        Box::new(self.clone())
    }
}

/// A session over a [`Mac`].
#[derive(Clone)]
pub struct MacSession<M>(pub M);

impl<M: Mac + 'static> Session for MacSession<M> {
    fn absorb(&mut self, data: &[u8]) -> Result<(), Error> {
        self.0.update(data)
    }
    fn finish_len(&self) -> usize {
        self.0.tag_len()
    }
    fn finish(&mut self, out: &mut [u8]) -> Result<usize, Error> {
        let n = self.0.tag_len();
        self.0.finish(out.get_mut(..n).ok_or(Error::BufferLength)?).map(|()| n)
    }
    fn verify(&mut self, tag: &[u8]) -> Result<(), Error> {
        self.0.verify(tag)
    }
    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        self.0.reset(iv)
    }
    fn dup(&self) -> Box<dyn Session> {
        Box::new(self.clone())
    }
}

/// A session over an [`Aead`].
#[derive(Clone)]
pub struct AeadSession<M>(pub M);

impl<M: Aead + 'static> Session for AeadSession<M> {
    fn aad(&mut self, aad: &[u8]) -> Result<(), Error> {
        self.0.aad(aad)
    }
    fn update(&mut self, data: InOut<'_, '_>) -> Result<usize, Error> {
        let n = data.len();
        self.0.seal(data).map(|()| n)
    }
    fn finish_len(&self) -> usize {
        self.0.tag_len()
    }
    fn finish(&mut self, out: &mut [u8]) -> Result<usize, Error> {
        let n = self.0.tag_len();
        self.0.finish(out.get_mut(..n).ok_or(Error::BufferLength)?).map(|()| n)
    }
    fn open(&mut self, text: InOut<'_, '_>, tag: &[u8]) -> Result<(), Error> {
        self.0.open(text, tag)
    }
    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        self.0.reset(iv)
    }
    fn dup(&self) -> Box<dyn Session> {
        Box::new(self.clone())
    }
}
