//! Writing: RFC 9548, with the MAC of Streebog-512.

use der::asn1::{AnyRef, OctetStringRef};
use zeroize::Zeroizing;

use super::read::mac_key;
use super::{Attribute, Bag, Content, Error, Hash, Limits, Mac, Pfx, Result, Section, oid};
use crate::asn1::{
    Algorithm, AlgorithmAndOctets, ContentInfo, MacData, PfxRef, Typed, decode, encode, wrap,
};
use crate::kdf::{Prf, any};
use crate::pbes2::Pbes2;
use crate::pkcs8;
use crate::scheme::Scheme;

const LONG: Error = Error::Parameter("the PFX is too long");

impl Pfx {
    /// Encrypts and writes in DER. Every key needs an encryption, of its own or its section's, and only PBES2 is
    /// written, as RFC 9548 has it.
    ///
    /// # Errors
    /// [`Error::Parameter`]: no MAC, a MAC without Streebog-512, a key without encryption, a different encryption from
    /// PBES2, a bag of an unknown type; [`Error::Cost`] for more iterations in all than [`Limits::default`] allows a
    /// reader.
    pub fn seal(&self, password: &[u8]) -> Result<Vec<u8>> {
        let mac = self.mac.as_ref().filter(|mac| mac.hash == Hash::Streebog512);
        let mac = mac.ok_or(Error::Parameter("a PFX is written with a MAC of Streebog-512"))?;
        // The work of a reader with the default limits, before any of it is done here.
        Limits::default().begin(0)?.spend(self.iterations())?;
        let parts: Vec<Vec<u8>> =
            self.sections.iter().map(|part| section(part, password)).collect::<Result<_>>()?;
        let safe = wrap(0x30, &parts.iter().map(Vec::as_slice).collect::<Vec<_>>());
        sealed(&safe, mac, password)
    }
}

impl Pfx {
    /// Returns the iterations of all derivations, each counted for each block.
    fn iterations(&self) -> u64 {
        let sections = self.sections.iter().filter_map(|section| section.protection.as_ref());
        let keys = self.bags().filter_map(|bag| match &bag.content {
            Content::Key(_, scheme) => scheme.as_ref(),
            _ => None,
        });
        let each = sections.chain(keys).map(|scheme| u64::from(scheme.iterations())).sum::<u64>();
        let mac = self.mac.as_ref().map_or(0, |mac| u64::from(mac.iterations));
        each + mac * Prf::Streebog512.blocks(96)
    }
}

fn sealed(safe: &[u8], mac: &Mac, password: &[u8]) -> Result<Vec<u8>> {
    let key = mac_key(Prf::Streebog512, password, mac)?;
    let tag = mac.hash.hmac(&key[64..], safe);
    let octet_string = |bytes| OctetStringRef::new(bytes).map_err(|_| LONG);
    let content = AnyRef::from(octet_string(safe)?);
    encode(&PfxRef {
        version: 3,
        content: ContentInfo { kind: oid::DATA, content },
        mac: Some(MacData {
            digest: AlgorithmAndOctets {
                // RFC 9548, section 7: the parameters should be omitted.
                algorithm: Algorithm { oid: mac.hash.oid(), parameters: None },
                bytes: octet_string(&tag)?,
            },
            salt: octet_string(&mac.salt)?,
            iterations: Some(mac.iterations.into()),
        }),
    })
}

fn pbes2(scheme: &Scheme) -> Result<&Pbes2> {
    match scheme {
        Scheme::Pbes2(pbes2) => Ok(pbes2),
        _ => Err(Error::Parameter("a PFX is written with PBES2 only")),
    }
}

fn section(section: &Section, password: &[u8]) -> Result<Vec<u8>> {
    let clear = section.protection.is_none();
    let bags = section.bags.iter().map(|part| bag(part, clear, password).map(Zeroizing::new));
    let bags: Vec<Zeroizing<Vec<u8>>> = bags.collect::<Result<_>>()?;
    let parts: Vec<&[u8]> = bags.iter().map(|bag| &bag[..]).collect();
    let safe = Zeroizing::new(wrap(0x30, &parts));
    let (kind, content) = match &section.protection {
        None => (oid::DATA, wrap(0x04, &[&safe])),
        Some(scheme) => {
            let pbes2 = pbes2(scheme)?;
            let text = wrap(0x80, &[&pbes2.encrypt(password, &safe)?]);
            let info = wrap(0x30, &[&encode(&oid::DATA)?, &pbes2.to_der()?, &text]);
            (oid::ENCRYPTED_DATA, wrap(0x30, &[&[2, 1, 0], &info]))
        }
    };
    encode(&ContentInfo { kind, content: any(&content)? })
}

fn bag(bag: &Bag, clear: bool, password: &[u8]) -> Result<Vec<u8>> {
    let (kind, value) = match &bag.content {
        Content::Key(key, Some(scheme)) => {
            (oid::SHROUDED_KEY_BAG, pkcs8::encrypt(key, password, pbes2(scheme)?)?)
        }
        Content::Key(_, None) if clear => {
            return Err(Error::Parameter("a key without encryption is not written"));
        }
        Content::Key(key, None) => (oid::KEY_BAG, key.der().to_vec()),
        Content::Certificate(certificate) => {
            let string = OctetStringRef::new(certificate).map_err(|_| LONG)?;
            let typed = Typed { kind: oid::X509_CERTIFICATE, value: string.into() };
            (oid::CERT_BAG, encode(&typed)?)
        }
        Content::Other(_) => return Err(Error::Parameter("a bag of an unknown type")),
    };
    let value = Zeroizing::new(value);
    let kind = encode(&kind)?;
    let explicit = Zeroizing::new(wrap(0xa0, &[&value]));
    if bag.attributes.is_empty() {
        return Ok(wrap(0x30, &[&kind, &explicit]));
    }
    Ok(wrap(0x30, &[&kind, &explicit, &attributes(&bag.attributes)?]))
}

/// Encodes the SET in the order of DER.
fn attributes(all: &[Attribute]) -> Result<Vec<u8>> {
    let mut parts = Vec::new();
    for attribute in all {
        let set = wrap(0x31, &[&attribute.values]);
        decode::<AnyRef<'_>>(&set, "own encoding")?;
        parts.push(wrap(0x30, &[&encode(&attribute.kind)?, &set]));
    }
    parts.sort();
    Ok(wrap(0x31, &parts.iter().map(Vec::as_slice).collect::<Vec<_>>()))
}
