//! Every encryption under a password that files name.

use der::asn1::ObjectIdentifier;

use crate::asn1::Algorithm;
use crate::error::{Error, Result};
use crate::old::{self, OldCipher};
use crate::pbes2::Pbes2;
use crate::{Budget, Bytes, cryptopro, oid};

/// An encryption under a password, with its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Scheme {
    /// PBES2, the only scheme that is written.
    Pbes2(Pbes2),
    /// The key bag of CryptoPro CSP.
    #[non_exhaustive]
    CryptoPro {
        /// The salt.
        salt: Vec<u8>,
        /// The iterations.
        iterations: u32,
    },
    /// SHA-1 with triple DES or RC2: RFC 7292, appendix C.
    #[non_exhaustive]
    Old {
        /// Set if the cipher is RC2 with 40 bits, not triple DES.
        rc2: bool,
        /// The salt.
        salt: Vec<u8>,
        /// The iterations.
        iterations: u32,
    },
}

impl Scheme {
    pub(crate) fn parse(algorithm: &Algorithm<'_>) -> Result<Self> {
        let known: ObjectIdentifier = algorithm.oid;
        if known == oid::PBES2 {
            return Ok(Scheme::Pbes2(Pbes2::parse(algorithm)?));
        }
        if ![oid::CRYPTOPRO_PBE, oid::SHA1_TRIPLE_DES, oid::SHA1_RC2_40].contains(&known) {
            return Err(Error::Algorithm("encryption", known));
        }
        let (salt, iterations) = cryptopro::parse(algorithm)?;
        Ok(match known {
            oid::CRYPTOPRO_PBE => Scheme::CryptoPro { salt, iterations },
            _ => Scheme::Old { rc2: known == oid::SHA1_RC2_40, salt, iterations },
        })
    }

    pub(crate) fn open(&self, password: &[u8], text: &[u8], budget: &mut Budget) -> Result<Bytes> {
        match self {
            Scheme::Pbes2(pbes2) => pbes2.open(password, text, budget),
            Scheme::CryptoPro { salt, iterations } => {
                cryptopro::decrypt(salt, *iterations, password, text, budget)
            }
            Scheme::Old { rc2, salt, iterations } => {
                let cipher = if *rc2 { OldCipher::Rc2 } else { OldCipher::TripleDes };
                old::decrypt(cipher, salt, *iterations, password, text, budget)
            }
        }
    }

    /// Returns whether a MAC of the encryption's own shows a wrong password.
    pub fn authenticates(&self) -> bool {
        match self {
            Scheme::Pbes2(pbes2) => pbes2.cipher.authenticates(),
            Scheme::CryptoPro { .. } => true,
            Scheme::Old { .. } => false,
        }
    }

    /// Returns the name of the S-boxes, if the cipher needs S-boxes.
    pub fn sboxes(&self) -> Option<&'static str> {
        match self {
            Scheme::Pbes2(pbes2) => pbes2.cipher.sboxes(),
            _ => None,
        }
    }

    /// Returns the name of the cipher.
    pub fn cipher(&self) -> &'static str {
        match self {
            Scheme::Pbes2(pbes2) => pbes2.cipher.name(),
            Scheme::CryptoPro { .. } => "cryptopro-pbe",
            Scheme::Old { rc2: false, .. } => "pbe-sha1-3des",
            Scheme::Old { rc2: true, .. } => "pbe-sha1-rc2-40",
        }
    }

    /// Returns the name of the function that derives the key.
    pub fn kdf(&self) -> &'static str {
        match self {
            Scheme::Pbes2(pbes2) => pbes2.kdf.prf.name(),
            Scheme::CryptoPro { .. } => "gost94",
            Scheme::Old { .. } => "rfc7292-sha1",
        }
    }

    /// Returns the iterations of that function.
    pub fn iterations(&self) -> u32 {
        match self {
            Scheme::Pbes2(pbes2) => pbes2.kdf.iterations,
            Scheme::CryptoPro { iterations, .. } | Scheme::Old { iterations, .. } => *iterations,
        }
    }
}
