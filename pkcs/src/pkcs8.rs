//! PKCS#8: a private key (RFC 5958) and its encryption under a password (EncryptedPrivateKeyInfo).

use der::asn1::{ObjectIdentifier, OctetStringRef};
use der::{Decode as _, Tag};
use zeroize::Zeroizing;

use crate::asn1::{Algorithm, AlgorithmAndOctets, decode, encode, sequence};
use crate::error::{Error, Result, damaged};
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
        let all = sequence(&der, PART)?;
        let [version, algorithm, octets, more @ ..] = &all[..] else {
            return Err(Error::Damaged(PART));
        };
        let version: u8 = version.decode_as().map_err(damaged(PART))?;
        let algorithm: Algorithm<'_> = algorithm.decode_as().map_err(damaged(PART))?;
        octets.decode_as::<&OctetStringRef>().map_err(damaged(PART))?;
        let optional = |tag: Tag| tag.is_context_specific() && tag.number().value() <= 1;
        if version > 1 || more.len() > 2 || !more.iter().all(|any| optional(any.header().tag())) {
            return Err(Error::Damaged(PART));
        }
        let algorithm = algorithm.oid;
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
    let info: AlgorithmAndOctets<'_> = decode(der, "EncryptedPrivateKeyInfo")?;
    Scheme::parse(&info.algorithm)
}

/// Decrypts an EncryptedPrivateKeyInfo.
///
/// # Errors
/// [`Error::Password`], also for damaged data; [`Error::Cost`], before any work; [`Error::Damaged`],
/// [`Error::Algorithm`], [`Error::Scope`].
pub fn decrypt(der: &[u8], password: &[u8], limits: &Limits) -> Result<PrivateKey> {
    let mut budget = limits.begin(der.len())?;
    let converted = if ber::needed(der) { Some(ber::to_der(der)?) } else { None };
    open(converted.as_deref().unwrap_or(der), password, &mut budget).map(|(_, key)| key)
}

pub(crate) fn open(
    der: &[u8],
    password: &[u8],
    budget: &mut crate::Budget,
) -> Result<(Scheme, PrivateKey)> {
    let info: AlgorithmAndOctets<'_> = decode(der, "EncryptedPrivateKeyInfo")?;
    let scheme = Scheme::parse(&info.algorithm)?;
    let plain = scheme.open(password, info.octets.as_bytes(), budget)?;
    // Without a MAC a wrong password gives noise.
    let key = PrivateKey::from_der(plain).map_err(|_| Error::Password)?;
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
        octets: OctetStringRef::new(&text).map_err(|_| Error::Parameter("the key is too long"))?,
    })
}

/// Copies a key from the caller's bytes.
impl TryFrom<&[u8]> for PrivateKey {
    type Error = Error;
    fn try_from(der: &[u8]) -> Result<Self> {
        Self::from_der(Zeroizing::new(der.to_vec()))
    }
}
