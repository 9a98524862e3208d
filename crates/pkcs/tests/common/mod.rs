//! DER, and parts of PKCS#12 files.
#![allow(dead_code)] // each test uses a part of it

use bulat_pkcs::ObjectIdentifier;

pub const DATA: &str = "1.2.840.113549.1.7.1";
pub const CRYPTOPRO: &str = "1.2.840.113549.1.12.1.80";
pub const TRIPLE_DES: &str = "1.2.840.113549.1.12.1.3";
pub const RC2: &str = "1.2.840.113549.1.12.1.6";

pub fn der(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let n: usize = parts.iter().map(|part| part.len()).sum();
    let len = n.to_be_bytes();
    let len = &len[len.iter().take_while(|byte| **byte == 0).count()..];
    let head = match n {
        0..0x80 => vec![tag, n as u8],
        _ => [&[tag, 0x80 | len.len() as u8][..], len].concat(),
    };
    [head, parts.concat()].concat()
}
pub fn sequence(parts: &[&[u8]]) -> Vec<u8> {
    der(0x30, parts)
}
pub fn octet_string(bytes: &[u8]) -> Vec<u8> {
    der(4, &[bytes])
}
pub fn number(n: u64) -> Vec<u8> {
    let bytes = n.to_be_bytes();
    let first = bytes.iter().position(|byte| *byte != 0).unwrap_or(7);
    let sign: &[u8] = if bytes[first] & 0x80 != 0 { &[0] } else { &[] };
    der(2, &[sign, &bytes[first..]])
}
pub fn oid(dotted: &str) -> Vec<u8> {
    der(6, &[ObjectIdentifier::new(dotted).expect("an OID").as_bytes()])
}
/// An OID, and a value of the context-specific tag 0.
pub fn typed(dotted: &str, value: &[u8]) -> Vec<u8> {
    sequence(&[&oid(dotted), &der(0xa0, &[value])])
}
/// CryptoPro's encryption, and the old ones of RFC 7292.
pub fn old(scheme: &str, iterations: u64, salt: &[u8]) -> Vec<u8> {
    sequence(&[&oid(scheme), &sequence(&[&octet_string(salt), &number(iterations)])])
}
/// An AuthenticatedSafe with one encrypted section.
pub fn section(scheme: &[u8], text: &[u8]) -> Vec<u8> {
    let info = sequence(&[&oid(DATA), scheme, &der(0x80, &[text])]);
    sequence(&[&typed("1.2.840.113549.1.7.6", &sequence(&[&number(0), &info]))])
}
pub fn mac(hash: &[u8], tag: &[u8], salt: &[u8], iterations: u64) -> Vec<u8> {
    sequence(&[&sequence(&[hash, &octet_string(tag)]), &octet_string(salt), &number(iterations)])
}
pub fn pfx(safe: &[u8], mac: &[u8]) -> Vec<u8> {
    sequence(&[&number(3), &typed(DATA, &octet_string(safe)), mac])
}
