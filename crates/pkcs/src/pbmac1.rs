//! PBMAC1: HMAC-Streebog-512 under a key from a password (RFC 9337, sections 6 and 7.4; RFC 8018, section 7.1).

use der::asn1::AnyRef;
use subtle::ConstantTimeEq as _;
use zeroize::Zeroizing;

use crate::asn1::{Algorithm, TwoAlgorithms, decode};
use crate::error::{Error, Result};
use crate::kdf::{Hash, Pbkdf2};
use crate::{Budget, Bytes, Limits, oid};

/// The longest derived key, in bytes.
const LONGEST: u32 = 1 << 20;

/// The parameters of a MAC.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pbmac1 {
    /// The derivation of the key, with `key_len`, 32 or more. The MAC's key is the last 32 bytes.
    pub kdf: Pbkdf2,
}

impl Pbmac1 {
    /// Makes parameters to write with: HMAC-Streebog-512, a random salt of 32 bytes, a derived key of 32.
    ///
    /// # Errors
    /// [`Error::Parameter`] for fewer than 1000 iterations (RFC 9337, section 7.1); [`Error::Random`].
    pub fn generate(iterations: u32) -> Result<Self> {
        Ok(Pbmac1 { kdf: Pbkdf2::generate(iterations, Some(32))? })
    }

    /// Reads an AlgorithmIdentifier in DER.
    ///
    /// # Errors
    /// [`Error::Damaged`], [`Error::Algorithm`].
    pub fn from_der(der: &[u8]) -> Result<Self> {
        let algorithm: Algorithm<'_> = decode(der, "PBMAC1")?;
        if algorithm.oid != oid::PBMAC1 {
            return Err(Error::Algorithm("MAC", algorithm.oid));
        }
        let params: TwoAlgorithms<'_> = algorithm.decode("parameters of PBMAC1")?;
        if params.second.oid != oid::HMAC_STREEBOG512 {
            return Err(Error::Algorithm("MAC of PBMAC1", params.second.oid));
        }
        params.second.no_parameters("parameters of PBMAC1")?;
        let kdf = Pbkdf2::parse(&params.kdf)?;
        if !kdf.key_len.is_some_and(|n| (32..=LONGEST).contains(&n)) {
            return Err(Error::Damaged("PBMAC1 without the length of a key"));
        }
        Ok(Pbmac1 { kdf })
    }

    /// Returns the AlgorithmIdentifier in DER.
    ///
    /// # Errors
    /// [`Error::Parameter`] if the salt is too long.
    pub fn to_der(&self) -> Result<Vec<u8>> {
        let second = Algorithm { oid: oid::HMAC_STREEBOG512, parameters: Some(AnyRef::NULL) };
        self.kdf.encode_with(oid::PBMAC1, second)
    }

    /// Returns the tag of a text, 64 bytes.
    ///
    /// # Errors
    /// [`Error::Cost`], before any work; [`Error::Parameter`] for a `key_len` below 32.
    pub fn mac(&self, password: &[u8], text: &[u8], limits: &Limits) -> Result<Bytes> {
        let n = self.kdf.key_len.filter(|n| (32..=LONGEST).contains(n));
        let n = n.ok_or(Error::Parameter("PBMAC1 needs key_len, 32 or more"))?;
        let mut key = Zeroizing::new(vec![0; n as usize]);
        let mut budget: Budget = limits.begin(text.len())?;
        self.kdf.derive(password, &mut key, &mut budget)?;
        Ok(Hash::Streebog512.hmac(&key[key.len() - 32..], text))
    }

    /// Compares a tag in constant time.
    ///
    /// # Errors
    /// [`Error::Password`]; [`Error::Cost`], before any work.
    pub fn verify(&self, password: &[u8], text: &[u8], tag: &[u8], limits: &Limits) -> Result<()> {
        let own = self.mac(password, text, limits)?;
        if bool::from(own.ct_eq(tag)) { Ok(()) } else { Err(Error::Password) }
    }
}
