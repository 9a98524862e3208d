//! Reading: the MAC first, then the sections.

use std::borrow::Cow;

use der::asn1::{AnyRef, ObjectIdentifier, OctetStringRef};
use subtle::ConstantTimeEq as _;
use zeroize::Zeroizing;

use super::{
    Attribute, Bag, Content, Error, Hash, Limits, Mac, Pfx, PrivateKey, Result, Section, oid,
};
use crate::asn1::{
    self, Algorithm, ContentInfo, MacData, PfxRef, TwoAlgorithms, Typed, decode, first,
};
use crate::error::damaged;
use crate::form::{Form, instead};
use crate::kdf::{Pbkdf2, Prf, bmp, iterations, pbkdf2, salted};
use crate::pkcs8;
use crate::scheme::Scheme;
use crate::{Budget, Bytes, ber};

/// Opens a PFX: checks its MAC, then decrypts every section and key.
///
/// # Errors
/// [`Error::Password`], also for damaged data; [`Error::Cost`], before any work; [`Error::Damaged`],
/// [`Error::Algorithm`]; [`Error::Scope`]: public keys instead of a password.
pub fn open(file: &[u8], password: &[u8], limits: &Limits) -> Result<Pfx> {
    let mut budget = limits.begin(file.len())?;
    let file = der(file)?;
    let (content, mac) = outer(&file)?;
    let mac = mac.map(|mac| checked(&mac, content, password, &mut budget)).transpose()?;
    budget.authentic = mac.is_some();
    let mut sections = Vec::new();
    for part in contents(&der(content)?)? {
        let section = section(&part, password, &mut budget).map_err(|e| budget.explained(e))?;
        sections.push(section);
    }
    Ok(Pfx { mac, sections })
}

fn section(part: &ContentInfo<'_>, password: &[u8], budget: &mut Budget) -> Result<Section> {
    let Some((scheme, text)) = protected(part)? else {
        let bags = bags(octet_string(part.content, SAFE)?, password, budget)?;
        return Ok(Section { protection: None, bags });
    };
    let plain = scheme.open(password, &text, budget)?;
    let bags = bags(&plain, password, budget);
    let noise = |e| if scheme.authenticates() { e } else { budget.noise(e) };
    let bags = bags.map_err(noise)?;
    Ok(Section { protection: Some(scheme), bags })
}

/// Returns the MAC's parameters and the encryption of each section, without a password: nothing is authenticated. The
/// sections have no bags.
///
/// # Errors
/// [`Error::Damaged`], [`Error::Algorithm`], [`Error::Scope`].
pub fn inspect(file: &[u8], limits: &Limits) -> Result<Pfx> {
    limits.begin(file.len())?;
    let file = der(file)?;
    let (content, mac) = outer(&file)?;
    let mac = mac.map(|mac| parameters(&mac)).transpose()?;
    let mut sections = Vec::new();
    for part in contents(&der(content)?)? {
        let protection = protected(&part)?.map(|(scheme, _)| scheme);
        sections.push(Section { protection, bags: Vec::new() });
    }
    Ok(Pfx { mac, sections })
}

const OUTER: &str = "PFX";
const SAFE: &str = "AuthenticatedSafe";
const BAG: &str = "SafeContents";

/// Returns the first element of a file, in DER. What follows is not under the MAC, and no reader minds it.
fn der(bytes: &[u8]) -> Result<Cow<'_, [u8]>> {
    // Nothing here is without encryption.
    let converted = || Ok(ber::to_der(bytes)?.to_vec());
    if ber::needed(bytes) { converted().map(Cow::Owned) } else { Ok(first(bytes).into()) }
}

fn octet_string<'a>(any: AnyRef<'a>, part: &'static str) -> Result<&'a [u8]> {
    Ok(any.decode_as::<&OctetStringRef>().map_err(damaged(part))?.as_bytes())
}

/// Returns the bytes under the MAC, and the MAC.
fn outer(file: &[u8]) -> Result<(&[u8], Option<MacData<'_>>)> {
    let pfx: PfxRef<'_> = decode(file, OUTER).map_err(instead(file, Form::Pfx))?;
    if pfx.version != 3 {
        return Err(Error::Damaged("version of the PFX"));
    }
    match pfx.content.kind {
        oid::DATA => Ok((octet_string(pfx.content.content, OUTER)?, pfx.mac)),
        oid::SIGNED_DATA => Err(Error::Scope("a PFX that is signed, not under a password")),
        kind => Err(Error::Algorithm("content of the PFX", kind)),
    }
}

/// Returns the parameters of PBMAC1 in a PFX (RFC 9579), which leaves the salt and the iterations of MacData unused.
fn pbmac1(algorithm: &Algorithm<'_>) -> Result<Option<(Hash, Pbkdf2)>> {
    const PART: &str = "parameters of PBMAC1";
    if algorithm.oid != oid::PBMAC1 {
        return Ok(None);
    }
    let params: TwoAlgorithms<'_> = algorithm.decode(PART)?;
    params.second.no_parameters(PART)?;
    let unknown = Error::Algorithm("MAC of PBMAC1", params.second.oid);
    let hash = Hash::find(&params.second.oid).ok_or(unknown)?;
    let kdf = Pbkdf2::parse(&params.kdf)?;
    // RFC 9579, section 5; and a key of Streebog is the last 32 bytes: RFC 9337, section 6.
    if !kdf.key_len.is_some_and(|n| (20.max(hash.key()) as u32..=1024).contains(&n)) {
        return Err(Error::Damaged("PBMAC1 without the length of a key"));
    }
    Ok(Some((hash, kdf)))
}

fn parameters(mac: &MacData<'_>) -> Result<Mac> {
    let algorithm = &mac.digest.algorithm;
    if let Some((hash, kdf)) = pbmac1(algorithm)? {
        return Ok(Mac { hash, salt: kdf.salt, iterations: kdf.iterations });
    }
    let hash = Hash::find(&algorithm.oid).ok_or(Error::Algorithm("MAC", algorithm.oid))?;
    algorithm.no_parameters("MacData")?;
    let salt = salted(mac.salt.as_bytes())?;
    Ok(Mac { hash, salt, iterations: iterations(mac.iterations.unwrap_or(1))? })
}

/// Checks the MAC in constant time.
fn checked(mac: &MacData<'_>, content: &[u8], password: &[u8], budget: &mut Budget) -> Result<Mac> {
    let read = parameters(mac)?;
    let tag = mac.digest.bytes.as_bytes();
    let right = |key: &[u8]| bool::from(read.hash.hmac(key, content).ct_eq(tag));
    if let Some((hash, kdf)) = pbmac1(&mac.digest.algorithm)? {
        let mut key = Zeroizing::new(vec![0; kdf.key_len.unwrap_or_default() as usize]);
        kdf.derive(password, &mut key, budget)?;
        let from = if hash.key() > 0 { key.len() - hash.key() } else { 0 };
        return if right(&key[from..]) { Ok(read) } else { Err(Error::Password) };
    }
    let prfs: &[Prf] = match read.hash {
        Hash::Streebog512 => &[Prf::Streebog512],
        // OpenSSL's reading of the standard, and crypto-gost's.
        Hash::Streebog256 => &[Prf::Streebog256, Prf::Streebog512],
        // OpenSSL 1.1.1 and later; older files have the derivation of RFC 7292.
        Hash::Gost94 => &[Prf::Gost94],
        _ => &[],
    };
    for prf in prfs {
        budget.spend(u64::from(read.iterations) * prf.blocks(96))?;
        if right(&mac_key(*prf, password, &read)?[64..]) {
            return Ok(read);
        }
    }
    if !matches!(read.hash, Hash::Streebog512 | Hash::Streebog256) {
        budget.spend(read.iterations.into())?;
        let mut key = Zeroizing::new(vec![0; read.hash.size()]);
        read.hash.rfc7292(3, &bmp(password)?, &read.salt, read.iterations, &mut key)?;
        if right(&key) {
            return Ok(read);
        }
    }
    Err(Error::Password)
}

/// Returns the 96 bytes of RFC 9548, section 7; the key is the last 32.
pub(super) fn mac_key(prf: Prf, password: &[u8], mac: &Mac) -> Result<Bytes> {
    let mut key = Zeroizing::new(vec![0; 96]);
    pbkdf2(prf, password, &mac.salt, mac.iterations, &mut key)?;
    Ok(key)
}

/// Parses the AuthenticatedSafe.
fn contents(safe: &[u8]) -> Result<Vec<ContentInfo<'_>>> {
    let parts = asn1::sequence(safe, SAFE)?;
    parts.iter().map(|part| part.decode_as().map_err(damaged(SAFE))).collect()
}

/// Returns the encryption of a section and its ciphertext; `None` without encryption.
fn protected<'a>(part: &ContentInfo<'a>) -> Result<Option<(Scheme, Cow<'a, [u8]>)>> {
    match part.kind {
        oid::DATA => return Ok(None),
        oid::ENCRYPTED_DATA => {}
        oid::ENVELOPED_DATA => {
            return Err(Error::Scope("a section for a public key, not under a password"));
        }
        kind => return Err(Error::Algorithm("section", kind)),
    }
    let all = asn1::elements(part.content.value(), SAFE)?;
    let [version, info] = all[..] else { return Err(Error::Damaged(SAFE)) };
    let info = asn1::elements(info.value(), SAFE)?;
    let [kind, algorithm, text] = info[..] else { return Err(Error::Damaged(SAFE)) };
    let version: u8 = version.decode_as().map_err(damaged(SAFE))?;
    let kind: ObjectIdentifier = kind.decode_as().map_err(damaged(SAFE))?;
    let algorithm: Algorithm<'_> = algorithm.decode_as().map_err(damaged(SAFE))?;
    if version != 0 || kind != oid::DATA {
        return Err(Error::Damaged(SAFE));
    }
    let text: Cow<'a, [u8]> = match asn1::context0(&text) {
        Some(false) => text.value().into(),
        // BER has it in pieces.
        Some(true) => {
            let mut whole = Vec::new();
            for piece in asn1::elements(text.value(), SAFE)? {
                whole.extend_from_slice(octet_string(piece, SAFE)?);
            }
            whole.into()
        }
        None => return Err(Error::Damaged(SAFE)),
    };
    Ok(Some((Scheme::parse(&algorithm)?, text)))
}

/// Parses SafeContents.
fn bags(safe: &[u8], password: &[u8], budget: &mut Budget) -> Result<Vec<Bag>> {
    let converted = if ber::needed(safe) { Some(ber::to_der(safe)?) } else { None };
    let safe = converted.as_ref().map_or(safe, |der| &der[..]);
    asn1::sequence(safe, BAG)?.into_iter().map(|any| bag(any, password, budget)).collect()
}

fn bag(any: AnyRef<'_>, password: &[u8], budget: &mut Budget) -> Result<Bag> {
    let all = asn1::elements(any.value(), BAG)?;
    let (kind, value, attributes) = match all[..] {
        [kind, value] => (kind, value, None),
        [kind, value, attributes] => (kind, value, Some(attributes)),
        _ => return Err(Error::Damaged(BAG)),
    };
    let kind: ObjectIdentifier = kind.decode_as().map_err(damaged(BAG))?;
    if any.header().tag() != der::Tag::Sequence || asn1::context0(&value) != Some(true) {
        return Err(Error::Damaged(BAG));
    }
    let value = value.value();
    let content = match kind {
        oid::KEY_BAG => Content::Key(PrivateKey::try_from(value)?, None),
        oid::SHROUDED_KEY_BAG => {
            let (scheme, key) = pkcs8::open(value, password, budget)?;
            Content::Key(key, Some(scheme))
        }
        oid::CERT_BAG => {
            let typed: Typed<'_> = decode(value, "CertBag")?;
            match typed.kind {
                oid::X509_CERTIFICATE => {
                    Content::Certificate(octet_string(typed.value, "CertBag")?.into())
                }
                other => Content::Other(other),
            }
        }
        other => Content::Other(other),
    };
    let attributes = attributes.map_or(Ok(Vec::new()), attributes_of)?;
    Ok(Bag { content, attributes })
}

fn attributes_of(set: AnyRef<'_>) -> Result<Vec<Attribute>> {
    const PART: &str = "attributes of a bag";
    let mut out = Vec::new();
    for attribute in asn1::elements(set.value(), PART)? {
        let [kind, values] = asn1::elements(attribute.value(), PART)?[..] else {
            return Err(Error::Damaged(PART));
        };
        let kind = kind.decode_as().map_err(damaged(PART))?;
        asn1::elements(values.value(), PART)?;
        out.push(Attribute { kind, values: values.value().into() });
    }
    Ok(out)
}
