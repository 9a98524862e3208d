//! The work that a file may cause: each limit is noticed before the work begins.

mod common;

use std::time::{Duration, Instant};

use bulat_pkcs::pbes2::{Cipher, Pbes2};
use bulat_pkcs::pbmac1::Pbmac1;
use bulat_pkcs::{Error, Limits, pfx, pkcs8};
use common::*;

/// A PFX without a MAC, or with one of these iterations and this salt.
fn a_pfx(safe: &[u8], mac: Option<(u64, &[u8])>) -> Vec<u8> {
    let hash = sequence(&[&oid("1.2.643.7.1.1.2.3")]);
    let mac = mac.map(|(iterations, salt)| common::mac(&hash, &[0; 64], salt, iterations));
    common::pfx(safe, &mac.unwrap_or_default())
}
const HMAC: &str = "1.2.643.7.1.1.4.2";
fn hmac(dotted: &str) -> Vec<u8> {
    sequence(&[&oid(dotted), &[5, 0]])
}
fn pbkdf2(iterations: u64, salt: &[u8], key_len: Option<u64>) -> Vec<u8> {
    let key_len = key_len.map(number).unwrap_or_default();
    let params = sequence(&[&octet_string(salt), &number(iterations), &key_len, &hmac(HMAC)]);
    sequence(&[&oid("1.2.840.113549.1.5.12"), &params])
}
fn pbes2_with(iterations: u64, salt: &[u8], cipher: &str, parameters: &[u8]) -> Vec<u8> {
    let cipher = sequence(&[&oid(cipher), parameters]);
    let params = sequence(&[&pbkdf2(iterations, salt, None), &cipher]);
    sequence(&[&oid("1.2.840.113549.1.5.13"), &params])
}
fn pbes2(iterations: u64, salt: &[u8]) -> Vec<u8> {
    pbes2_with(iterations, salt, "1.2.643.7.1.1.5.2.2", &sequence(&[&octet_string(&[0; 16])]))
}
fn pbmac1(iterations: u64, key_len: Option<u64>, hmac: &[u8]) -> Vec<u8> {
    let params = sequence(&[&pbkdf2(iterations, b"salt", key_len), hmac]);
    sequence(&[&oid("1.2.840.113549.1.5.14"), &params])
}
fn sealed(scheme: &[u8]) -> Vec<u8> {
    sequence(&[scheme, &octet_string(&[7; 64])])
}
fn section(scheme: &[u8]) -> Vec<u8> {
    common::section(scheme, &[7; 64])
}
/// An AuthenticatedSafe with these bags in a clear section.
fn clear(bags: &[u8]) -> Vec<u8> {
    sequence(&[&typed(DATA, &octet_string(&sequence(&[bags])))])
}
/// An AuthenticatedSafe with one encrypted key.
fn bag(key: &[u8]) -> Vec<u8> {
    clear(&typed("1.2.840.113549.1.12.10.1.2", key))
}
fn key_bag(scheme: &[u8]) -> Vec<u8> {
    bag(&sealed(scheme))
}
/// A new key.
fn key() -> pkcs8::PrivateKey {
    let key = [&[0x30, 0x1d, 2, 1, 0, 0x30, 6, 6, 4, 0x2a, 3, 4, 5, 4, 16][..], &[1; 16]].concat();
    pkcs8::PrivateKey::try_from(&key[..]).unwrap()
}
const CIPHER: Cipher = Cipher::KuznyechikCtrAcpkmOmac;

#[test]
fn costs_are_refused_before_any_work() {
    let many = 1 << 31;
    let long = [1; 1025];
    let nulls = [5, 0].repeat((1 << 16) + 1);
    let indefinite = [&[0x30, 0x80][..], &nulls, &[0, 0]].concat();
    let pfx: [(&str, Vec<u8>, &str); 17] = [
        ("MAC", a_pfx(&[], Some((many, b"salt"))), "iterations"),
        ("MAC, more than 32 bits", a_pfx(&[], Some((1 << 40, b"salt"))), "iterations"),
        ("MAC", a_pfx(&[], Some((1000, &long))), "bytes of salt"),
        ("section", a_pfx(&section(&pbes2(many, b"salt")), None), "iterations"),
        ("section", a_pfx(&section(&pbes2(1000, &long)), None), "bytes of salt"),
        ("section of 3DES", a_pfx(&section(&old(TRIPLE_DES, many, b"salt")), None), "iterations"),
        ("section of RC2", a_pfx(&section(&old(RC2, many, b"salt")), None), "iterations"),
        ("section of RC2", a_pfx(&section(&old(RC2, 1, &long)), None), "bytes of salt"),
        ("bag", a_pfx(&key_bag(&pbes2(many, b"salt")), None), "iterations"),
        ("bag", a_pfx(&key_bag(&pbes2(1000, &long)), None), "bytes of salt"),
        ("CryptoPro's bag", a_pfx(&key_bag(&old(CRYPTOPRO, many, &[1; 16])), None), "iterations"),
        ("CryptoPro's bag", a_pfx(&key_bag(&old(CRYPTOPRO, 1, &long)), None), "bytes of salt"),
        ("elements", a_pfx(&sequence(&[&nulls]), None), "elements of a structure"),
        ("elements of a section", a_pfx(&clear(&nulls), None), "elements of a structure"),
        ("elements in BER", indefinite, "elements of a structure"),
        ("length", vec![0; (16 << 20) + 1], "bytes"),
        (
            "MAC before the section",
            a_pfx(&section(&pbes2(1, b"")), Some((many, b""))),
            "iterations",
        ),
    ];
    let start = Instant::now();
    for (name, file, wanted) in &pfx {
        match pfx::open(file, b"x", &Limits::default()) {
            // CryptoPro's counter has two bytes, so more is no cost but damage.
            Err(Error::Damaged(_)) if *name == "CryptoPro's bag" && *wanted == "iterations" => {}
            Err(Error::Cost { what, .. }) => assert_eq!(what, *wanted, "{name}"),
            other => panic!("{name}: {other:?}"),
        }
    }
    for (scheme, wanted) in [
        (pbes2(many, b"salt"), "iterations"),
        (pbes2(1000, &long), "bytes of salt"),
        (old(TRIPLE_DES, many, b"salt"), "iterations"),
    ] {
        let error = pkcs8::decrypt(&sealed(&scheme), b"x", &Limits::default()).err();
        assert!(matches!(error, Some(Error::Cost { what, .. }) if what == wanted), "{error:?}");
    }
    // Each block of a long key costs all iterations.
    for (key_len, dear) in [(1 << 20, true), (64, false)] {
        let mac = Pbmac1::from_der(&pbmac1(2000, Some(key_len), &hmac(HMAC))).unwrap();
        let made = mac.mac(b"x", b"text", &Limits::default());
        assert_eq!(matches!(made, Err(Error::Cost { what: "iterations", .. })), dear);
    }
    // The few that ran had 2000 iterations.
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

#[test]
fn the_sum_is_limited() {
    // Each bag is below the limit, all together are above it. The first ones may run.
    let limits = Limits { iterations: 2500, ..Limits::default() };
    assert!(pfx::Pfx::default().mac.is_none());
    let file = a_pfx(&key_bag(&pbes2(2501, b"salt")), None);
    let asked = |e| match e {
        Error::Cost { what: "iterations", asked, allowed: 2500 } => asked,
        other => panic!("{other}"),
    };
    assert_eq!(asked(pfx::open(&file, b"x", &limits).unwrap_err()), 2501);
    // The two blocks of the MAC's key, then the section.
    let content = pfx::Content::Key(key(), None);
    let bags = vec![pfx::Bag { content, attributes: Vec::new() }];
    let made = pfx::Pfx::protect(bags, CIPHER, 1000).unwrap().seal(b"x").unwrap();
    assert_eq!(asked(pfx::open(&made, b"x", &limits).unwrap_err()), 3000);
    pfx::open(&made, b"x", &Limits { iterations: 3000, ..limits }).unwrap();
}

/// A PFX with a right MAC.
fn authentic(safe: &[u8], password: &[u8]) -> Vec<u8> {
    let mut key = [0; 96];
    bulat::kdf::pbkdf2::<64>(password, b"salt", 1000, &mut key).unwrap();
    let tag = bulat::HmacStreebog512::mac(&key[64..], safe);
    let mut file = a_pfx(safe, Some((1000, b"salt")));
    let at = file.windows(64).rposition(|w| w == [0; 64]).unwrap();
    file[at..at + 64].copy_from_slice(&tag);
    file
}

/// Once the MAC is right, the password is: what does not open then has a different cause.
#[test]
fn a_right_mac_ends_doubts_about_the_password() {
    let limits = Limits { iterations: 30_000, ..Limits::default() };
    let open = |file: &[u8]| pfx::open(file, b"x", &limits).err();
    for cipher in Cipher::WRITTEN {
        let scheme = Pbes2::generate(cipher, 1000).unwrap();
        let sealed = |password| bag(&pkcs8::encrypt(&key(), password, &scheme).unwrap());
        let name = cipher.name();
        assert_eq!(open(&authentic(&sealed(b"x"), b"x")), None, "{name}");
        // A different password of the key: noise, where the cipher has no MAC.
        let wanted = match cipher.authenticates() {
            true => {
                Error::Scope("a key or a section under another password than the MAC of the file")
            }
            false => Error::Damaged("PrivateKeyInfo"),
        };
        assert_eq!(open(&authentic(&sealed(b"y"), b"x")), Some(wanted), "{name}");
        // Without a MAC the error cannot tell which of the two is wrong.
        assert_eq!(open(&a_pfx(&sealed(b"y"), None)), Some(Error::Password), "{name}");
        // A section with something else than bags.
        let text = scheme.encrypt(b"x", b"no bags").unwrap();
        let safe = common::section(&scheme.to_der().unwrap(), &text);
        assert_eq!(open(&authentic(&safe, b"x")), Some(Error::Damaged("SafeContents")), "{name}");
        let wanted = match cipher.authenticates() {
            true => Error::Damaged("SafeContents"),
            false => Error::Password,
        };
        assert_eq!(open(&a_pfx(&safe, None)), Some(wanted), "{name}");
    }
    // The old encryptions of 16 bytes of noise: a wrong padding, and a wrong structure.
    for old in [old(CRYPTOPRO, 1, &[1; 16]), old(TRIPLE_DES, 1, b"salt"), old(RC2, 1, b"salt")] {
        let opened = open(&authentic(&key_bag(&old), b"x"));
        assert!(matches!(opened, Some(Error::Scope(_) | Error::Damaged(_))), "{opened:?}");
        assert_eq!(open(&a_pfx(&key_bag(&old), None)), Some(Error::Password));
    }
}

/// crypto-gost names the HMAC in the MAC, where RFC 9548 names the hash.
#[test]
fn the_mac_of_crypto_gost() {
    let mut file = authentic(&[0x30, 0], b"x");
    let (digest, hmac) = (oid("1.2.643.7.1.1.2.3"), oid(HMAC));
    let at = file.windows(digest.len()).position(|w| w == digest).unwrap();
    file[at..at + digest.len()].copy_from_slice(&hmac);
    let opened = pfx::open(&file, b"x", &Limits::default()).unwrap();
    assert_eq!(opened.mac.unwrap().hash, bulat_pkcs::Hash::Streebog512);
    assert_eq!(pfx::open(&file, b"y", &Limits::default()).err(), Some(Error::Password));
}

/// PBMAC1 with HMAC-Streebog-512 in a PFX; it needs the length of its key.
#[test]
fn the_mac_of_rfc_9579() {
    let safe = [0x30, 0];
    let file = |key_len: Option<u64>, dotted: &str| {
        let algorithm = pbmac1(1000, key_len, &hmac(dotted));
        let tag = Pbmac1::from_der(&algorithm)
            .and_then(|mac| mac.mac(b"x", &safe, &Limits::default()))
            .map_or(vec![0; 64], |tag| tag.to_vec());
        common::pfx(&safe, &mac(&algorithm, &tag, b"unused", 1))
    };
    let open = |file: &[u8], password| pfx::open(file, password, &Limits::default());
    for len in [32, 64] {
        let opened = open(&file(Some(len), HMAC), b"x").unwrap();
        assert_eq!(opened.mac.unwrap().hash, bulat_pkcs::Hash::Streebog512);
        assert_eq!(open(&file(Some(len), HMAC), b"y").err(), Some(Error::Password));
    }
    let bad = Some(Error::Damaged("PBMAC1 without the length of a key"));
    for len in [None, Some(0), Some(19), Some(31), Some(1025)] {
        assert_eq!(open(&file(len, HMAC), b"x").err(), bad, "{len:?}");
    }
    let unknown = open(&file(Some(32), "1.2.3.4"), b"x").err();
    assert!(matches!(unknown, Some(Error::Algorithm("MAC of PBMAC1", _))), "{unknown:?}");
}

/// A new file opens with the default limits, or is not written.
#[test]
fn new_files_are_within_the_limits() {
    let start = Instant::now();
    for (keys, iterations, asked) in [(1, 6_666_667, 20_000_001), (19, 1_000_000, 21_000_000)] {
        let content = pfx::Content::Key(key(), None);
        let bags = vec![pfx::Bag { content, attributes: Vec::new() }; keys];
        let error = pfx::Pfx::protect(bags, CIPHER, iterations).unwrap().seal(b"x").err();
        assert_eq!(error, Some(Error::Cost { what: "iterations", asked, allowed: 20_000_000 }));
    }
    let pbes2 = Pbes2::generate(CIPHER, 20_000_001).unwrap();
    let error = pkcs8::encrypt(&key(), b"x", &pbes2).err();
    assert!(matches!(error, Some(Error::Cost { what: "iterations", .. })), "{error:?}");
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

#[test]
fn depth_and_zero_are_damage() {
    let nested = (0..30).fold(vec![5, 0], |inner, _| [&[0x30, 0x80][..], &inner, &[0, 0]].concat());
    let open = |file: &[u8]| pfx::open(file, b"x", &Limits::default()).err();
    assert_eq!(open(&nested), Some(Error::Damaged("BER")));
    assert_eq!(open(&a_pfx(&[], Some((0, b"salt")))), Some(Error::Damaged("no iterations")));
    // No iterations of the MAC means one iteration.
    let zero = a_pfx(&section(&pbes2(0, b"salt")), None);
    assert_eq!(open(&zero), Some(Error::Damaged("no iterations")));
}

#[test]
fn old_algorithms_are_refused_by_name() {
    for (scheme, words) in [
        ("1.2.840.113549.1.5.3", "pbe-md5-des"),
        ("1.2.840.113549.1.12.1.1", "pbe-sha1-rc4-128"),
        ("1.2.840.113549.1.12.1.4", "pbe-sha1-2des"),
        ("1.2.840.113549.1.12.1.5", "pbe-sha1-rc2-128"),
    ] {
        let error = pkcs8::decrypt(&sealed(&old(scheme, 1, b"salt")), b"x", &Limits::default());
        let words = format!("encryption: unsupported: {words} ({scheme})");
        assert_eq!(error.unwrap_err().to_string(), words);
    }
    for (cipher, words) in [
        ("1.2.840.113549.3.7", "cipher of PBES2: unsupported: des-ede3-cbc (1.2.840.113549.3.7)"),
        ("1.2.840.113549.3.2", "cipher of PBES2: unsupported: rc2-cbc (1.2.840.113549.3.2)"),
        ("1.2.3.4", "cipher of PBES2: unknown algorithm 1.2.3.4"),
    ] {
        let scheme = pbes2_with(1000, b"salt", cipher, &octet_string(&[0; 8]));
        let error = pkcs8::decrypt(&sealed(&scheme), b"x", &Limits::default());
        assert_eq!(error.unwrap_err().to_string(), words);
    }
}
