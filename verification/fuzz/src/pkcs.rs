//! Files of PKCS#8 and PKCS#12.

use bulat_pkcs::{Error, Form, Limits, pbmac1::Pbmac1, pem, pfx, pkcs8};

const LIMITS: Limits = Limits { iterations: 64, size: 1 << 16 };

/// Any bytes are a file or an error, before and under every encapsulation. The first byte chooses which encapsulation;
/// a PFX without a MAC leads to the inner parsers. Returns whether they are a file.
pub fn read(input: &[u8]) -> bool {
    let Some((choice, body)) = input.split_first() else { return false };
    let opened = |file: &[u8]| {
        let _ = pfx::inspect(file, &LIMITS);
        let opened = pfx::open(file, b"password", &LIMITS);
        if let Err(Error::Cost { asked, allowed, .. }) = opened {
            assert!(asked > allowed);
        }
        opened.is_ok_and(|pfx| {
            let names = pfx.bags().filter(|bag| bag.friendly_name().is_some()).count();
            assert!(names <= pfx.bags().count());
            // Written only with a MAC of Streebog-512.
            pfx.mac.is_some() || pfx.seal(b"password").is_err()
        })
    };
    let form = Form::of(body);
    assert_eq!(form == Some(Form::Certificate), pfx::Content::certificate(body).is_ok());
    if let Ok(key) = pkcs8::PrivateKey::try_from(body) {
        let _ = pfx::pairs(&[key], &[body]);
    }
    let _ = pem::one(body, pem::PRIVATE_KEY);
    match choice % 6 {
        0 => opened(body),
        1 => opened(&without_mac(body)),
        2 => opened(&without_mac(&sequence(&[&data(&sequence(&[body]))]))),
        3 => pkcs8::inspect(body).is_ok() | pkcs8::decrypt(body, b"x", &LIMITS).is_ok(),
        4 => pem::decode(body)
            .is_ok_and(|blocks| blocks.iter().all(|(label, der)| pem::encode(label, der).is_ok())),
        _ => Pbmac1::from_der(body).is_ok_and(|mac| {
            assert_eq!(Pbmac1::from_der(&mac.to_der().expect("written")), Ok(mac));
            true
        }),
    }
}

fn tlv(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let value = parts.concat();
    let len = (value.len() as u32).to_be_bytes();
    let skip = len.iter().take_while(|byte| **byte == 0).count();
    match value.len() {
        n @ 0..0x80 => [&[tag, n as u8], &value[..]].concat(),
        _ => [&[tag, 0x84 - skip as u8], &len[skip..], &value].concat(),
    }
}

fn sequence(parts: &[&[u8]]) -> Vec<u8> {
    tlv(0x30, parts)
}

/// A ContentInfo of the type `data`.
fn data(bytes: &[u8]) -> Vec<u8> {
    let kind = b"\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x01";
    sequence(&[kind, &tlv(0xa0, &[&tlv(0x04, &[bytes])])])
}

fn without_mac(safe: &[u8]) -> Vec<u8> {
    sequence(&[b"\x02\x01\x03", &data(safe)])
}
