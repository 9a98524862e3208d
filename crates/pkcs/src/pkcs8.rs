//! PKCS#8: a private key (RFC 5958) and its encryption under a password (EncryptedPrivateKeyInfo).

use der::asn1::{AnyRef, ObjectIdentifier, OctetStringRef};
use der::{Decode as _, Tag};
use zeroize::Zeroizing;

use crate::asn1::{Algorithm, AlgorithmAndOctets, decode, encode, first, sequence};
use crate::error::{Error, Result, damaged};
use crate::form::{Form, instead};
use crate::pbes2::Pbes2;
use crate::scheme::Scheme;
use crate::{Bytes, Limits, ber, oid};

const PART: &str = "PrivateKeyInfo";

/// A private key: the DER of PrivateKeyInfo or OneAsymmetricKey. Its bytes are opaque.
#[derive(Clone)]
pub struct PrivateKey {
    der: Bytes,
    algorithm: ObjectIdentifier,
}

impl PrivateKey {
    /// Checks the form: a version 0 or 1, an algorithm, bytes, and only `[0]` and `[1]` after them.
    ///
    /// # Errors
    /// [`Error::Damaged`].
    pub fn from_der(der: Bytes) -> Result<Self> {
        let info = Info::parse(&der).map_err(instead(&der, Form::PrivateKey))?;
        let algorithm = info.algorithm.oid;
        Ok(PrivateKey { der, algorithm })
    }
    /// Returns the PrivateKeyInfo.
    pub fn der(&self) -> &[u8] {
        &self.der
    }
    /// Returns the algorithm of the key.
    pub fn algorithm(&self) -> ObjectIdentifier {
        self.algorithm
    }
    /// Returns the name of the algorithm, or its OID.
    pub fn algorithm_name(&self) -> String {
        oid::name(&self.algorithm).map_or_else(|| self.algorithm.to_string(), str::to_string)
    }
}

/// The parts of a PrivateKeyInfo or OneAsymmetricKey: RFC 5958, section 2.
pub(crate) struct Info<'a> {
    pub algorithm: Algorithm<'a>,
    pub key: &'a [u8],
    /// The public key, `[1]`.
    pub public: Option<AnyRef<'a>>,
}

impl<'a> Info<'a> {
    /// Parses one whole structure. Of the attributes, `[0]`, only the tag is read.
    pub fn parse(der: &'a [u8]) -> Result<Self> {
        let all = sequence(der, PART)?;
        let [version, algorithm, key, more @ ..] = &all[..] else {
            return Err(Error::Damaged(PART));
        };
        let version: u8 = version.decode_as().map_err(damaged(PART))?;
        let algorithm = algorithm.decode_as().map_err(damaged(PART))?;
        let key = key.decode_as::<&OctetStringRef>().map_err(damaged(PART))?.as_bytes();
        let number = |any: &AnyRef<'_>| match any.header().tag() {
            Tag::ContextSpecific { number, .. } => number.value(),
            _ => u32::MAX,
        };
        if version > 1 || more.len() > 2 || !more.iter().all(|any| number(any) <= 1) {
            return Err(Error::Damaged(PART));
        }
        Ok(Info { algorithm, key, public: more.iter().copied().find(|any| number(any) == 1) })
    }
}

impl core::fmt::Debug for PrivateKey {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "PrivateKey({})", self.algorithm_name())
    }
}

/// Returns the encryption of an EncryptedPrivateKeyInfo, without a password. It is not authenticated.
///
/// # Errors
/// [`Error::Damaged`], [`Error::Algorithm`].
pub fn inspect(der: &[u8]) -> Result<Scheme> {
    Scheme::parse(&sealed(first(der))?.algorithm)
}

fn sealed(der: &[u8]) -> Result<AlgorithmAndOctets<'_>> {
    decode(der, "EncryptedPrivateKeyInfo").map_err(instead(der, Form::EncryptedPrivateKey))
}

/// Decrypts an EncryptedPrivateKeyInfo.
///
/// # Errors
/// [`Error::Password`], also for damaged data; [`Error::Cost`], before any work; [`Error::Damaged`],
/// [`Error::Algorithm`], [`Error::Scope`].
pub fn decrypt(der: &[u8], password: &[u8], limits: &Limits) -> Result<PrivateKey> {
    let mut budget = limits.begin(der.len())?;
    let converted = if ber::needed(der) { Some(ber::to_der(der)?) } else { None };
    let der = converted.as_ref().map_or(first(der), |der| &der[..]);
    open(der, password, &mut budget).map(|(_, key)| key)
}

pub(crate) fn open(
    der: &[u8],
    password: &[u8],
    budget: &mut crate::Budget,
) -> Result<(Scheme, PrivateKey)> {
    let info = sealed(der)?;
    let scheme = Scheme::parse(&info.algorithm)?;
    let plain = scheme.open(password, info.bytes.as_bytes(), budget)?;
    let noise = |e| if scheme.authenticates() { e } else { budget.noise(e) };
    let key = PrivateKey::from_der(plain).map_err(noise)?;
    Ok((scheme, key))
}

/// Encrypts a private key: returns an EncryptedPrivateKeyInfo in DER.
///
/// # Errors
/// [`Error::Parameter`] for parameters that the cipher does not support.
pub fn encrypt(key: &PrivateKey, password: &[u8], pbes2: &Pbes2) -> Result<Vec<u8>> {
    let text = pbes2.encrypt(password, key.der())?;
    let algorithm = pbes2.to_der()?;
    encode(&AlgorithmAndOctets {
        algorithm: Algorithm::from_der(&algorithm).map_err(damaged("own encoding"))?,
        bytes: OctetStringRef::new(&text).map_err(|_| Error::Parameter("the key is too long"))?,
    })
}

/// Copies a key from the caller's bytes.
impl TryFrom<&[u8]> for PrivateKey {
    type Error = Error;
    fn try_from(der: &[u8]) -> Result<Self> {
        Self::from_der(Zeroizing::new(der.to_vec()))
    }
}
