//! Finds the certificate of a key.

use der::asn1::{AnyRef, ObjectIdentifier};
use der::{Decode as _, Tag};

use crate::asn1::{self, elements, sequence};
use crate::oid;
use crate::pkcs8::{Info, PrivateKey};

/// The algorithm and the bits of the public key in a certificate, and the two names.
struct Parts<'a> {
    issuer: &'a [u8],
    subject: &'a [u8],
    algorithm: ObjectIdentifier,
    public: &'a [u8],
}

impl<'a> Parts<'a> {
    fn parse(certificate: &'a [u8]) -> Option<Self> {
        let content = *sequence(certificate, "").ok()?.first()?;
        let all = elements(content.value(), "").ok()?;
        let after = usize::from(all.first()?.header().tag().is_context_specific());
        let [_, _, issuer, _, subject, key, ..] = all[after..] else { return None };
        let [algorithm, public] = elements(key.value(), "").ok()?[..] else { return None };
        let algorithm: asn1::Algorithm<'_> = algorithm.decode_as().ok()?;
        let (issuer, subject) = (issuer.value(), subject.value());
        Some(Parts { issuer, subject, algorithm: algorithm.oid, public: public.value() })
    }
}

/// Returns whether a certificate belongs to this key; `None` if the two do not tell: a key of GOST holds no public key.
pub fn belongs(key: &PrivateKey, certificate: &[u8]) -> Option<bool> {
    const PSS: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.1.10");
    let info = Info::parse(key.der()).ok()?;
    let certificate = Parts::parse(certificate)?;
    let family = |oid| if oid == PSS { oid::RSA } else { oid };
    if family(info.algorithm.oid) != family(certificate.algorithm) {
        return Some(false);
    }
    // The first byte of a BIT STRING counts unused bits.
    let (_, bits) = certificate.public.split_first()?;
    if family(info.algorithm.oid) == oid::RSA {
        // Modulus and exponent, in a private key after the version.
        let (own, other) = (sequence(info.key, "").ok()?, sequence(bits, "").ok()?);
        return Some(own.get(1..3)? == other.get(..2)?);
    }
    let own = match info.public {
        Some(public) => public.value(),
        None if info.algorithm.oid == oid::EC => {
            let all = sequence(info.key, "").ok()?;
            let public = all.get(2..)?.iter().find(|any| {
                matches!(any.header().tag(),
                Tag::ContextSpecific { number, .. } if number.value() == 1)
            })?;
            AnyRef::from_der(public.value()).ok()?.value()
        }
        None => return None,
    };
    // A compressed point has a different length.
    (own.len() == certificate.public.len()).then(|| own == certificate.public)
}

/// Returns for each key the index of its certificate. Several keys that do not tell get the certificates left in their
/// order; one such key gets the first that has issued no other. `Err` has the index of a key to which no
/// certificate belongs, while a certificate is left.
pub fn pairs(keys: &[PrivateKey], certificates: &[&[u8]]) -> Result<Vec<Option<usize>>, usize> {
    let told = |key: usize, n: usize| belongs(&keys[key], certificates[n]);
    let mut left: Vec<usize> = (0..certificates.len()).collect();
    let mut found: Vec<Option<usize>> = (0..keys.len())
        .map(|key| left.iter().position(|n| told(key, *n) == Some(true)).map(|at| left.remove(at)))
        .collect();
    let silent = |key: &usize| left.iter().any(|n| told(*key, *n).is_none());
    let unpaired = |found: &[Option<usize>]| -> Vec<usize> {
        (0..keys.len()).filter(|key| found[*key].is_none()).collect()
    };
    let alone = unpaired(&found).into_iter().filter(silent).count() == 1;
    if alone {
        let parts: Vec<_> = certificates.iter().map(|der| Parts::parse(der)).collect();
        left.sort_by_key(|n| {
            let name = parts[*n].as_ref().map(|own| own.subject);
            let mut others = parts.iter().enumerate().filter(|(other, _)| other != n);
            others.any(|(_, other)| other.as_ref().map(|other| other.issuer) == name)
        });
    }
    for key in unpaired(&found) {
        found[key] = left.iter().position(|n| told(key, *n).is_none()).map(|at| left.remove(at));
    }
    let foreign = |key: &usize| (0..certificates.len()).all(|n| told(*key, n) == Some(false));
    match unpaired(&found).into_iter().find(foreign) {
        Some(key) if !left.is_empty() => Err(key),
        // More keys than certificates: a key may be without certificate.
        _ => Ok(found),
    }
}
