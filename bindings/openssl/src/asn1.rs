//! A cipher's parameters in CMS, in DER. GOST 28147-89 has `SEQUENCE { iv OCTET STRING, encryptionParamSet OBJECT
//! IDENTIFIER }` (RFC 4490, 4.1), CTR and CTR-ACPKM have `SEQUENCE { ukm OCTET STRING }` (R 1323565.1.025-2019). All
//! lengths are short.

use bulat::ParamSet;

use crate::names;

/// Writes an element: tag, length, content.
fn element(tag: u8, content: &[u8]) -> Vec<u8> {
    let mut der = vec![tag, content.len() as u8];
    der.extend_from_slice(content);
    der
}

/// Splits `der` after its first element, and returns the element's content and the rest.
fn open(tag: u8, der: &[u8]) -> Option<(&[u8], &[u8])> {
    match der {
        [t, len @ ..=0x7f, rest @ ..] if *t == tag => rest.split_at_checked(usize::from(*len)),
        _ => None,
    }
}

const SEQUENCE: u8 = 0x30;
const OCTET_STRING: u8 = 4;
const OBJECT: u8 = 6;

/// Writes the content of an OID's element.
fn oid(dotted: &str) -> Option<Vec<u8>> {
    let mut arcs = dotted.split('.').map(|arc| arc.parse::<u32>().ok());
    let first = 40 * arcs.next()?? + arcs.next()??;
    let mut der = Vec::new();
    for arc in [Some(first)].into_iter().chain(arcs) {
        let arc = arc?;
        let groups = (1..5).rev().filter(|i| arc >> (7 * i) != 0);
        der.extend(groups.map(|i| (arc >> (7 * i)) as u8 | 0x80));
        der.push(arc as u8 & 0x7f);
    }
    Some(der)
}

pub fn write_28147(iv: &[u8], set: ParamSet) -> Option<Vec<u8>> {
    let set = oid(names::param_set_oid(set)?)?;
    Some(element(SEQUENCE, &[element(OCTET_STRING, iv), element(OBJECT, &set)].concat()))
}

pub fn read_28147(der: &[u8]) -> Option<(&[u8], ParamSet)> {
    let (content, []) = open(SEQUENCE, der)? else { return None };
    let (iv, rest) = open(OCTET_STRING, content)?;
    let (set, []) = open(OBJECT, rest)? else { return None };
    let same = |known: &&ParamSet| {
        names::param_set_oid(**known).and_then(oid).is_some_and(|known| known == set)
    };
    ParamSet::ALL.iter().find(same).map(|set| (iv, *set))
}

pub fn write_ukm(ukm: &[u8]) -> Vec<u8> {
    element(SEQUENCE, &element(OCTET_STRING, ukm))
}

pub fn read_ukm(der: &[u8]) -> Option<&[u8]> {
    let (content, []) = open(SEQUENCE, der)? else { return None };
    let (ukm, []) = open(OCTET_STRING, content)? else { return None };
    Some(ukm)
}
