//! PKCS#12: keys and certificates under a password (RFC 7292, RFC 9548).
//!
//! [`open`] checks the MAC before it gives anything of a bag; without a MAC [`Pfx::mac`] is `None`, and nothing but the
//! ciphers of some keys is authenticated. [`Pfx::seal`] writes only the forms of RFC 9548.

mod pair;
mod read;
mod write;

use der::Tag;
use der::asn1::ObjectIdentifier;
pub use pair::{belongs, pairs};
pub use read::{inspect, open};

use crate::error::{Error, Result};
use crate::form::Form;
use crate::kdf::Hash;
use crate::pbes2::{Cipher, Pbes2};
use crate::pkcs8::PrivateKey;
use crate::scheme::Scheme;
use crate::{Limits, asn1, oid};

/// The contents of a PFX.
#[derive(Clone, Debug, Default)]
pub struct Pfx {
    /// The MAC, checked by [`open`]; `None`: the file had no MAC.
    pub mac: Option<Mac>,
    /// The sections, each with its own encryption.
    pub sections: Vec<Section>,
}

/// The MAC of a PFX.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mac {
    /// The hash.
    pub hash: Hash,
    /// The salt.
    pub salt: Vec<u8>,
    /// The iterations; RFC 9548 requires at least 1000.
    pub iterations: u32,
}

impl Mac {
    /// Makes a MAC to write: Streebog-512, a random salt of 32 bytes.
    ///
    /// # Errors
    /// [`Error::Parameter`] for fewer than 1000 iterations; [`Error::Random`].
    pub fn generate(iterations: u32) -> Result<Self> {
        if iterations < 1000 {
            return Err(Error::Parameter("RFC 9548 requires at least 1000 iterations"));
        }
        let mut salt = vec![0; 32];
        crate::random(&mut salt)?;
        Ok(Mac { hash: Hash::Streebog512, salt, iterations })
    }
}

/// Bags under one encryption, or without encryption.
#[derive(Clone, Debug)]
pub struct Section {
    /// The encryption of the whole section.
    pub protection: Option<Scheme>,
    /// The bags.
    pub bags: Vec<Bag>,
}

/// A bag.
#[derive(Clone, Debug)]
pub struct Bag {
    /// The content.
    pub content: Content,
    /// The attributes, as they were encoded.
    pub attributes: Vec<Attribute>,
}

/// The content of a bag.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Content {
    /// A private key, and its own encryption.
    Key(PrivateKey, Option<Scheme>),
    /// An X.509 certificate in DER.
    Certificate(Vec<u8>),
    /// A different type, which is not read.
    Other(ObjectIdentifier),
}

impl Content {
    /// Checks the outer form of an X.509 certificate.
    ///
    /// # Errors
    /// [`Error::Damaged`], [`Error::Form`].
    pub fn certificate(der: &[u8]) -> Result<Self> {
        match Form::of(der) {
            Some(Form::Certificate) => Ok(Content::Certificate(der.into())),
            Some(found) => Err(Error::Form { wanted: Form::Certificate, found }),
            None => Err(Error::Damaged("certificate")),
        }
    }
}

/// An attribute: its type, and the encoded values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// The type.
    pub kind: ObjectIdentifier,
    /// The elements of the SET of values, in DER.
    pub values: Vec<u8>,
}

impl Attribute {
    /// Makes a friendlyName.
    pub fn friendly_name(name: &str) -> Self {
        let text: Vec<u8> = name.encode_utf16().flat_map(u16::to_be_bytes).collect();
        Attribute { kind: oid::FRIENDLY_NAME, values: asn1::wrap(0x1e, &[&text]) }
    }
    /// Makes a localKeyID, which binds a certificate to its key.
    pub fn local_key_id(id: &[u8]) -> Self {
        Attribute { kind: oid::LOCAL_KEY_ID, values: asn1::wrap(0x04, &[id]) }
    }
}

impl Bag {
    fn attribute(&self, kind: ObjectIdentifier, tag: Tag) -> Option<Vec<u8>> {
        let attribute = self.attributes.iter().find(|a| a.kind == kind)?;
        let values = asn1::elements(&attribute.values, "attribute").ok()?;
        // Some writers leave the set empty.
        let value = values.first().filter(|any| any.header().tag() == tag)?;
        Some(value.value().to_vec())
    }
    /// Returns the friendlyName.
    pub fn friendly_name(&self) -> Option<String> {
        let text = self.attribute(oid::FRIENDLY_NAME, Tag::BmpString)?;
        let units = text.as_chunks::<2>().0.iter().map(|unit| u16::from_be_bytes(*unit));
        Some(char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect())
    }
    /// Returns the localKeyID.
    pub fn local_key_id(&self) -> Option<Vec<u8>> {
        self.attribute(oid::LOCAL_KEY_ID, Tag::OctetString)
    }
}

impl Pfx {
    /// Makes a PFX to write: first the certificates, in one encrypted section, then each key under an encryption of its
    /// own. Every encryption and the MAC have fresh salts.
    ///
    /// # Errors
    /// [`Error::Parameter`] for a cipher that is only read, fewer than 1000 iterations, or a certificate with the
    /// localKeyID of a key that it does not belong to; [`Error::Random`].
    pub fn protect(bags: Vec<Bag>, cipher: Cipher, iterations: u32) -> Result<Self> {
        let fresh = || Pbes2::generate(cipher, iterations).map(|pbes2| Some(Scheme::Pbes2(pbes2)));
        let mac = Some(Mac::generate(iterations)?);
        let of_another = |key: &Bag, other: &Bag| match (&key.content, &other.content) {
            (Content::Key(own, _), Content::Certificate(der)) => {
                key.local_key_id().is_some()
                    && key.local_key_id() == other.local_key_id()
                    && belongs(own, der) == Some(false)
            }
            _ => false,
        };
        if bags.iter().any(|key| bags.iter().any(|other| of_another(key, other))) {
            return Err(Error::Parameter("a certificate has the ID of a key that is not its own"));
        }
        let (mut keys, mut others) = (Vec::new(), Vec::new());
        for bag in bags {
            match bag.content {
                Content::Key(key, _) => {
                    keys.push(Bag { content: Content::Key(key, fresh()?), ..bag });
                }
                _ => others.push(bag),
            }
        }
        let mut sections = Vec::new();
        if !others.is_empty() {
            sections.push(Section { protection: fresh()?, bags: others });
        }
        if !keys.is_empty() {
            sections.push(Section { protection: None, bags: keys });
        }
        Ok(Pfx { mac, sections })
    }
    /// Returns all bags.
    pub fn bags(&self) -> impl Iterator<Item = &Bag> {
        self.sections.iter().flat_map(|section| &section.bags)
    }
}
