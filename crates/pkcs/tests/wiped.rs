//! Freed blocks of the heap contain no piece of a password, a derived key or a private key.

mod common;

use bulat_pkcs::pbes2::{Cipher, Pbes2};
use bulat_pkcs::pfx::{self, Bag, Content, Pfx};
use bulat_pkcs::{Limits, pem, pkcs8};
use common::*;
use testkit::freed::{Searched, found, search};

#[global_allocator]
static HEAP: Searched = Searched;

fn indefinite(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    [&[tag, 0x80], &parts.concat()[..], &[0, 0]].concat()
}

const PASSWORD: &str = "Пароль of thirty-one letters 42";
const SCALAR: &[u8; 32] = b"\x81a private key, 32 bytes: \xf7\x01\x1c\xbd\xe3\x9a";

#[test]
fn freed_blocks_have_no_secrets() {
    watch();
    let info = [&[2, 1, 0][..], &sequence(&[&oid("1.2.3.4")]), &octet_string(SCALAR)].concat();
    let info = sequence(&[&info]);
    for cipher in Cipher::WRITTEN {
        written_and_read(cipher, &pkcs8::PrivateKey::try_from(&info[..]).unwrap());
    }
    files_of_others(&info);
}

/// Sets the secrets that are looked for.
fn watch() {
    let wide: Vec<u16> = PASSWORD.encode_utf16().collect();
    let big: Vec<u8> = wide.iter().flat_map(|unit| unit.to_be_bytes()).collect();
    let little: Vec<u8> = wide.iter().flat_map(|unit| unit.to_le_bytes()).collect();
    // The key in base64: no byte before it decides its digits.
    let text = pem::encode("X", SCALAR).unwrap();
    // As many bytes as no text has by chance.
    search(12, &[SCALAR, PASSWORD.as_bytes(), &big, &little, &text[21..53]]);
}

/// A key is written, and read again; as PEM, too.
fn written_and_read(cipher: Cipher, key: &pkcs8::PrivateKey) {
    let (limits, password) = (Limits::default(), PASSWORD.as_bytes());
    let pbes2 = Pbes2::generate(cipher, 1000).unwrap();
    let sealed = pkcs8::encrypt(key, password, &pbes2).unwrap();
    let bag = || Bag { content: Content::Key(key.clone(), None), attributes: Vec::new() };
    let runs: [(&str, Box<dyn Fn()>); 6] = [
        ("pkcs8::encrypt", Box::new(|| drop(pkcs8::encrypt(key, password, &pbes2).unwrap()))),
        ("pkcs8::decrypt", Box::new(|| drop(pkcs8::decrypt(&sealed, password, &limits).unwrap()))),
        (
            "a wrong password",
            Box::new(|| {
                pkcs8::decrypt(&sealed, b"x", &limits).unwrap_err();
            }),
        ),
        (
            "PEM",
            Box::new(|| {
                let text = pem::encode(pem::PRIVATE_KEY, key.der()).unwrap();
                let loose = zeroize::Zeroizing::new([b"\xef\xbb\xbf", &text[..]].concat());
                drop(pem::one(&loose, pem::PRIVATE_KEY).unwrap());
            }),
        ),
        (
            "a PFX",
            Box::new(|| {
                let file = Pfx::protect(vec![bag()], cipher, 1000).unwrap().seal(password).unwrap();
                drop(pfx::open(&file, password, &limits).unwrap());
            }),
        ),
        (
            "a key bag in a section",
            Box::new(|| {
                let scheme = bulat_pkcs::Scheme::Pbes2(pbes2.clone());
                let sections = vec![pfx::Section { protection: Some(scheme), bags: vec![bag()] }];
                let mac = Some(pfx::Mac::generate(1000).unwrap());
                let file = Pfx { mac, sections }.seal(password).unwrap();
                drop(pfx::open(&file, password, &limits).unwrap());
            }),
        ),
    ];
    for (what, run) in runs {
        assert_eq!(found(run), 0, "{what}, {}", cipher.name());
    }
}

/// Files of others: in BER, and under old functions.
fn files_of_others(info: &[u8]) {
    let (limits, password) = (Limits::default(), PASSWORD.as_bytes());
    // A section in BER with a key that only the section encrypts.
    let bag = indefinite(0x30, &[&oid("1.2.840.113549.1.12.10.1.1"), &indefinite(0xa0, &[info])]);
    let pieces = indefinite(0x30, &[&bag]);
    let pbes2 = Pbes2::generate(Cipher::KuznyechikCtrAcpkmOmac, 1000).unwrap();
    let safe = section(&pbes2.to_der().unwrap(), &pbes2.encrypt(password, &pieces).unwrap());
    let ber = common::pfx(&safe, &[]);
    let open = |file: &[u8]| {
        let _ = pfx::open(file, password, &limits);
    };
    assert_eq!(pfx::open(&ber, password, &limits).unwrap().bags().count(), 1);
    assert_eq!(found(|| open(&ber)), 0, "BER");

    // The derivation of RFC 7292 and the others of old files, from the password in UTF-16.
    for kind in [CRYPTOPRO, TRIPLE_DES, RC2] {
        let file = common::pfx(&section(&old(kind, 2, &[1; 8]), &[7; 16]), &[]);
        assert_eq!(found(|| open(&file)), 0, "{kind}");
    }
    for (hash, len) in [
        ("1.3.14.3.2.26", 20),
        ("2.16.840.1.101.3.4.2.1", 32),
        ("1.2.643.2.2.9", 32),
        ("1.2.643.7.1.1.2.3", 64),
    ] {
        let mac = mac(&sequence(&[&oid(hash)]), &vec![0; len], &[1; 8], 2);
        let file = common::pfx(&[0x30, 0], &mac);
        assert_eq!(found(|| open(&file)), 0, "a MAC of {hash}");
    }
}
