//! Every file of `data`: opened, remade equal where the format is deterministic, refused by cause.

use std::fs;
use std::path::Path;

use bulat_pkcs::pfx::{self, Content, Pfx};
use bulat_pkcs::{
    Error, Limits, Pbkdf2, Prf, Scheme, pbes2::Cipher, pbes2::Pbes2, pbmac1::Pbmac1, pem, pkcs8,
};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

fn data(name: &str) -> Vec<u8> {
    fs::read(Path::new("tests/data").join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}
fn json(name: &str) -> Value {
    serde_json::from_slice(&data(name)).expect("JSON")
}
fn unhex(value: &Value) -> Vec<u8> {
    let digits = value.as_str().expect("digits").as_bytes();
    let nibble = |c: u8| (c as char).to_digit(16).expect("a digit") as u8;
    digits.as_chunks::<2>().0.iter().map(|[a, b]| nibble(*a) << 4 | nibble(*b)).collect()
}
fn text(value: &Value) -> &str {
    value.as_str().expect("a string")
}

/// The published PFX files, and their stems.
const FILES: [&str; 7] = [
    "rfc9548_a2",
    "rfc9548_a3",
    "r50_1_112_2016",
    "bc_cp_exported",
    "csp_2001",
    "csp_2012_256",
    "csp_2012_256_pw",
];

fn open(file: &[u8], password: &str) -> Result<Pfx, Error> {
    pfx::open(file, password.as_bytes(), &Limits::default())
}

/// Returns the only certificate and the only key.
fn parts(pfx: &Pfx) -> (&[u8], &pkcs8::PrivateKey) {
    let certificate = pfx.bags().find_map(|bag| match &bag.content {
        Content::Certificate(der) => Some(&der[..]),
        _ => None,
    });
    let key = pfx.bags().find_map(|bag| match &bag.content {
        Content::Key(key, _) => Some(key),
        _ => None,
    });
    (certificate.expect("a certificate"), key.expect("a key"))
}

#[test]
fn published_files_open() {
    for stem in FILES {
        let facts = json(&format!("{stem}.json"));
        let file = data(&format!("{stem}.p12"));
        let pfx = open(&file, text(&facts["password"])).unwrap_or_else(|e| panic!("{stem}: {e}"));
        assert!(pfx.mac.is_some(), "{stem}");
        let (certificate, key) = parts(&pfx);
        assert_eq!(certificate, data(&format!("{stem}.cer")), "{stem}");
        match facts["expected"]["privateKeyInfo"].is_string() {
            true => assert_eq!(key.der(), unhex(&facts["expected"]["privateKeyInfo"]), "{stem}"),
            // CryptoPro's bag: the scalar, in a PrivateKeyInfo of ours.
            false => assert!(key.der().ends_with(&unhex(&facts["expected"]["scalar"])), "{stem}"),
        }
        // The refusals that the source of the values lists.
        for refused in facts["refused"].as_array().expect("a list") {
            let (mut file, mut password) = (file.clone(), text(&facts["password"]));
            match text(&refused["what"]) {
                "password" => password = text(&refused["value"]),
                _ => {
                    let at = refused["offset"].as_u64().expect("a place") as usize;
                    file[at] ^= 1 << refused["bit"].as_u64().expect("a bit");
                }
            }
            assert!(open(&file, password).is_err(), "{stem}: {refused}");
        }
    }
}

#[test]
fn names_and_ids() {
    let pfx = open(&data("rfc9548_a2.p12"), "Пароль для PFX").unwrap();
    for bag in pfx.bags() {
        assert_eq!(bag.friendly_name().as_deref(), Some("p12FriendlyName"));
        assert_eq!(bag.local_key_id().map(|id| id.len()), Some(20));
    }
    // An attribute with an empty set of values.
    let pfx = open(&data("csp_2012_256_pw.p12"), "1").unwrap();
    assert!(pfx.bags().all(|bag| bag.local_key_id().is_some()));
}

/// The files of RFC 9548 and R 50.1.112 are in DER, and their parameters decide every byte.
#[test]
fn published_files_are_remade() {
    for stem in ["rfc9548_a2", "rfc9548_a3", "r50_1_112_2016"] {
        let password = json(&format!("{stem}.json"))["password"].as_str().unwrap().to_string();
        let file = data(&format!("{stem}.p12"));
        let made = open(&file, &password).unwrap().seal(password.as_bytes()).unwrap();
        assert_eq!(made, file, "{stem}");
    }
}

#[test]
fn own_pfx() {
    let facts = json("own_pfx.json");
    let key = unhex(&facts["privateKeyInfo"]);
    let mut files = 0;
    for test in facts["tests"].as_array().unwrap() {
        let (name, password) = (text(&test["file"]), text(&test["password"]));
        // Two of the list were not published.
        if !Path::new("tests/data").join(name).exists() {
            continue;
        }
        files += 1;
        let file = data(name);
        let opened = open(&file, password);
        if text(&test["digest"]).ends_with(".2.2") && text(&test["macPrf"]) == "512" {
            // The other reading of Streebog-256.
            assert_eq!(opened.err(), Some(Error::Password), "{name}");
            continue;
        }
        let opened = opened.unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(parts(&opened).1.der(), key, "{name}");
        let made = opened.seal(password.as_bytes());
        match text(&test["digest"]).ends_with(".2.3") {
            true => assert_eq!(made.unwrap(), file, "{name}"),
            false => assert!(matches!(made, Err(Error::Parameter(_))), "{name}"),
        }
    }
    assert_eq!(files, 10);
}

/// Every bit of a whole PFX: those under the MAC and its parameters give "wrong password", the structure around them
/// something else, and no flip opens.
#[test]
fn every_bit_is_refused() {
    // Few iterations, so that all flips run in seconds.
    let mut pfx = open(&data("rfc9548_a2.p12"), "Пароль для PFX").unwrap();
    pfx.mac = Some(pfx::Mac { iterations: 1, ..pfx.mac.unwrap() });
    let file = pfx.seal(b"x").unwrap();
    let limits = Limits { iterations: 4096, size: 1 << 20 };
    let content = {
        let start = file.windows(2).position(|w| w == [0x24, 0x80]);
        assert_eq!(start, None);
        // SEQUENCE, INTEGER, SEQUENCE, OID, [0], OCTET STRING: the first byte under the MAC.
        4 + 3 + 4 + 11 + 4 + 4
    };
    let mut by_mac = 0;
    for bit in 0..8 * file.len() {
        let mut flipped = file.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        // An iteration count of many bits is a cost, not a test.
        let error = pfx::open(&flipped, b"x", &limits).expect_err(&format!("bit {bit}"));
        if (content..content + pfx_content(&file, content)).contains(&(bit / 8)) {
            assert_eq!(error, Error::Password, "bit {bit}");
            by_mac += 1;
        }
    }
    assert_eq!(by_mac, 8 * pfx_content(&file, content));
}

/// Returns the length of the OCTET STRING before `content`.
fn pfx_content(file: &[u8], content: usize) -> usize {
    assert_eq!(file[content - 4..content - 2], [0x04, 0x82]);
    usize::from(file[content - 2]) << 8 | usize::from(file[content - 1])
}

/// Every 509th bit of each published file, all of them with BULAT_LARGE=1: no flip opens. Those of the contents and the tag
/// give the words for a wrong password, those around them name the part or the algorithm.
#[test]
fn bits_of_published_files() {
    let large = std::env::var_os("BULAT_LARGE").is_some();
    let step = if large { 1 } else { 509 };
    for stem in FILES {
        let password = json(&format!("{stem}.json"))["password"].as_str().unwrap().to_string();
        let file = data(&format!("{stem}.p12"));
        let limits = Limits { iterations: 30_000, ..Limits::default() };
        let (mut by_cause, mut flips) = ([0; 4], 0);
        for bit in (0..8 * file.len()).step_by(step) {
            let mut flipped = file.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            let error = pfx::open(&flipped, password.as_bytes(), &limits)
                .expect_err(&format!("{stem}, bit {bit}"));
            let (cause, words) = match error {
                Error::Password => (0, "wrong password, or the data is damaged"),
                Error::Damaged(_) => (1, "damaged or not of this format: "),
                Error::Algorithm(..) | Error::Scope(_) => (2, ""),
                Error::Cost { .. } => (3, "needs "),
                other => panic!("{stem}, bit {bit}: {other:?}"),
            };
            assert!(error.to_string().starts_with(words), "{stem}, bit {bit}");
            by_cause[cause] += 1;
            flips += 1;
        }
        println!(
            "{stem}: {flips} flips: {} password, {} damaged, {} algorithm, {} cost",
            by_cause[0], by_cause[1], by_cause[2], by_cause[3]
        );
        // Nearly all of a file is under its MAC.
        assert!(10 * by_cause[0] > 8 * flips && (by_cause[1] > 0 || !large), "{stem}");
    }
}

/// Each description names its file's hash, and each file has a test: by its description, or by name in a test above.
#[test]
fn all_files_are_here() {
    let mut files = 0;
    for entry in fs::read_dir("tests/data").expect("the folder") {
        let name = entry.expect("an entry").file_name().into_string().expect("a name");
        files += 1;
        if let Some(stem) = name.strip_suffix(".json") {
            let facts = json(&name);
            if let (Some(file), Some(hash)) = (facts["file"].as_str(), facts["sha256"].as_str()) {
                assert!(Sha256::digest(data(file))[..] == unhex(&hash.into()), "{file}");
            }
            let own = ["own_pbes2", "own_pbmac1", "own_pfx", "libpogost_units", "rfc9337_pbkdf2"];
            assert!(FILES.contains(&stem) || own.contains(&stem), "{name}");
        }
    }
    assert_eq!(files, 46);
}

fn params(test: &Value) -> Pbes2 {
    let prf = match text(&test["prf"]) {
        "512" => Prf::Streebog512,
        "256" => Prf::Streebog256,
        other => panic!("{other}"),
    };
    let cipher = match text(&test["cipher"]) {
        "magma-ctracpkm" => Cipher::MagmaCtrAcpkm,
        "magma-ctracpkm-omac" => Cipher::MagmaCtrAcpkmOmac,
        "kuznyechik-ctracpkm" => Cipher::KuznyechikCtrAcpkm,
        "kuznyechik-ctracpkm-omac" => Cipher::KuznyechikCtrAcpkmOmac,
        other => panic!("{other}"),
    };
    let kdf = Pbkdf2 {
        prf,
        salt: unhex(&test["salt"]),
        iterations: test["iterations"].as_u64().unwrap() as u32,
        key_len: test["keyLength"].as_u64().map(|n| n as u32),
        null: test["prfParameters"] == "0500",
    };
    Pbes2 { kdf, cipher, iv: unhex(&test["ukm"]) }
}

#[test]
fn own_pbes2() {
    let limits = Limits::default();
    let facts = json("own_pbes2.json");
    let tests = facts["tests"].as_array().unwrap();
    assert_eq!(tests.len(), 32);
    for test in tests {
        let (id, password) = (text(&test["id"]), unhex(&test["password"]));
        let pbes2 = params(test);
        if test["ct"].is_null() {
            // Around the end of a section.
            let n = test["msgLen"].as_u64().unwrap();
            let plain: Vec<u8> = (0..n).map(|i| (7 * i + 3) as u8).collect();
            let sealed = pbes2.encrypt(&password, &plain).unwrap();
            assert_eq!(Sha256::digest(&sealed)[..], unhex(&test["ctSha256"]), "{id}");
            assert_eq!(*pbes2.decrypt(&password, &sealed, &limits).unwrap(), plain, "{id}");
            continue;
        }
        let (plain, sealed, der) = (unhex(&test["msg"]), unhex(&test["ct"]), unhex(&test["der"]));
        assert_eq!(pkcs8::inspect(&der), Ok(Scheme::Pbes2(pbes2.clone())), "{id}");
        assert_eq!(*pbes2.decrypt(&password, &sealed, &limits).unwrap(), plain, "{id}");
        assert_eq!(pbes2.encrypt(&password, &plain).unwrap(), sealed, "{id}");
        // The whole structure again.
        if let Ok(key) = pkcs8::PrivateKey::try_from(&plain[..]) {
            assert_eq!(pkcs8::encrypt(&key, &password, &pbes2).unwrap(), der, "{id}");
        } else {
            assert_eq!(pkcs8::decrypt(&der, &password, &limits).err(), Some(Error::Password));
        }
        if pbes2.cipher.authenticates() {
            let wrong = pbes2.decrypt(b"other", &sealed, &limits);
            assert_eq!(wrong.err(), Some(Error::Password), "{id}");
            for bit in [0, 8 * sealed.len() - 1] {
                let mut flipped = sealed.clone();
                flipped[bit / 8] ^= 1 << (bit % 8);
                let wrong = pbes2.decrypt(&password, &flipped, &limits);
                assert_eq!(wrong.err(), Some(Error::Password), "{id}");
            }
        }
    }
}

#[test]
fn pem_files() {
    for cipher in
        ["kuznyechik-ctracpkm-omac", "kuznyechik-ctracpkm", "magma-ctracpkm-omac", "magma-ctracpkm"]
    {
        let file = data(&format!("own_epki_{cipher}.pem"));
        assert!(pem::is_pem(&file));
        let blocks = pem::decode(&file).unwrap();
        assert_eq!(blocks[0].0, pem::ENCRYPTED_PRIVATE_KEY);
        assert_eq!(*pem::encode(&blocks[0].0, &blocks[0].1).unwrap(), file, "{cipher}");
        pkcs8::inspect(&blocks[0].1).unwrap();
    }
    let blocks = pem::decode(&data("rfc9548_a2_epki.pem")).unwrap();
    let key = pkcs8::decrypt(&blocks[0].1, "Пароль для PFX".as_bytes(), &Limits::default());
    assert_eq!(key.unwrap().der(), data("rfc9548_a2.p8"));
    assert!(pem::decode(b"-----BEGIN X-----\nAAAA\n").is_err());
}

#[test]
fn pbmac1() {
    let limits = Limits::default();
    for test in json("own_pbmac1.json")["tests"].as_array().unwrap() {
        let algorithm = unhex(&test["algorithm"]);
        let mac = Pbmac1::from_der(&algorithm).unwrap();
        assert_eq!(mac.to_der().unwrap(), algorithm);
        let (password, message) = (unhex(&test["password"]), unhex(&test["msg"]));
        let mut tag = unhex(&test["tag"]);
        mac.verify(&password, &message, &tag, &limits).unwrap();
        tag[63] ^= 1;
        assert_eq!(mac.verify(&password, &message, &tag, &limits), Err(Error::Password));
        assert_eq!(mac.verify(&password, &message, &[], &limits), Err(Error::Password));
    }
}

/// The examples of RFC 9337, appendix A. That of 2^24 iterations needs BULAT_LARGE=1.
#[test]
fn pbkdf2() {
    let large = std::env::var_os("BULAT_LARGE").is_some();
    let facts = json("rfc9337_pbkdf2.json");
    let tests = facts["tests"].as_array().unwrap();
    assert_eq!(tests.len(), 6);
    for test in tests {
        let n = test["iterations"].as_u64().unwrap() as u32;
        if n > 1 << 20 && !large {
            println!("skipped: {n} iterations: set BULAT_LARGE=1");
            continue;
        }
        let (wanted, mut key) = (unhex(&test["dk"]), vec![0; 100]);
        let key = &mut key[..wanted.len()];
        let (password, salt) = (unhex(&test["password"]), unhex(&test["salt"]));
        bulat::kdf::pbkdf2::<64>(&password, &salt, n, key).unwrap();
        assert_eq!(key, wanted, "{}", test["id"]);
    }
}

/// libpogost's value for GOST 28147-89.
#[test]
fn old_cipher() {
    let test = &json("libpogost_units.json")["gost89"];
    let salt = unhex(&test["salt"]);
    let kdf = Pbkdf2 { prf: Prf::Streebog512, salt, iterations: 2, key_len: None, null: true };
    let cipher = Cipher::Gost28147(bulat::ParamSet::Tc26Z);
    let pbes2 = Pbes2 { kdf, cipher, iv: unhex(&test["iv"]) };
    let sealed = pbes2.encrypt(&unhex(&test["password"]), &unhex(&test["msg"])).unwrap();
    assert_eq!(sealed, unhex(&test["ct"]));
}

#[test]
fn errors_by_cause() {
    let limits = Limits::default();
    let file = data("rfc9548_a2.p12");
    let words = |e: Error| e.to_string();
    let few = Limits { iterations: 4095, ..limits };
    let e = words(pfx::open(&file, b"x", &few).unwrap_err());
    assert_eq!(e, "needs 4096 iterations, more than the limit of 4095");
    let small = Limits { size: 1000, ..limits };
    let e = words(pfx::open(&file, b"x", &small).unwrap_err());
    assert_eq!(e, "needs 1327 bytes, more than the limit of 1000");
    assert_eq!(words(open(&file, "x").unwrap_err()), "wrong password, or the data is damaged");
    assert!(matches!(open(&file[..1000], "x"), Err(Error::Damaged("PFX"))));
    assert!(matches!(open(b"", "x"), Err(Error::Damaged(_))));
    // The MAC's hash: 1.2.643.7.1.1.2.3 becomes .2.9.
    let mut other = file.clone();
    let at = other.windows(8).rposition(|w| w == [0x2a, 0x85, 3, 7, 1, 1, 2, 3]).unwrap();
    other[at + 7] = 9;
    assert_eq!(words(open(&other, "x").unwrap_err()), "MAC: unknown algorithm 1.2.643.7.1.1.2.9");
    let mut signed = file.clone();
    let at = signed.windows(9).position(|w| w == *b"\x2a\x86\x48\x86\xf7\x0d\x01\x07\x01").unwrap();
    signed[at + 8] = 2;
    assert!(matches!(open(&signed, "x"), Err(Error::Scope(_))));
    // Old and weak parameters are not written.
    let cipher = Cipher::Aes256;
    assert!(matches!(Pbes2::generate(cipher, 2000), Err(Error::Parameter(_))));
    let cipher = Cipher::KuznyechikCtrAcpkmOmac;
    assert!(matches!(Pbes2::generate(cipher, 999), Err(Error::Parameter(_))));
}

#[test]
fn a_new_file() {
    let (certificate, key) = (data("rfc9548_a2.cer"), data("rfc9548_a2.p8"));
    let key = pkcs8::PrivateKey::try_from(&key[..]).unwrap();
    for cipher in Cipher::WRITTEN {
        let scheme = || Some(Scheme::Pbes2(Pbes2::generate(cipher, 1000).unwrap()));
        let attributes =
            vec![pfx::Attribute::friendly_name("Ключ"), pfx::Attribute::local_key_id(&[1])];
        let bag = |content| pfx::Bag { content, attributes: attributes.clone() };
        let made = Pfx {
            mac: Some(pfx::Mac::generate(1000).unwrap()),
            sections: vec![
                pfx::Section {
                    protection: scheme(),
                    bags: vec![bag(Content::Certificate(certificate.clone()))],
                },
                pfx::Section {
                    protection: None,
                    bags: vec![bag(Content::Key(key.clone(), scheme()))],
                },
            ],
        };
        let file = made.seal("пароль".as_bytes()).unwrap();
        let opened = open(&file, "пароль").unwrap();
        assert_eq!(parts(&opened).0, certificate);
        assert_eq!(parts(&opened).1.der(), key.der());
        assert!(opened.bags().all(|bag| bag.friendly_name().as_deref() == Some("Ключ")));
        assert_eq!(open(&file, "пароль ").err(), Some(Error::Password));
    }
}

/// AES in CBC with HMAC-SHA-256, which OpenSSL writes by default.
#[test]
fn aes() {
    let kdf =
        Pbkdf2 { prf: Prf::Sha256, salt: vec![1; 16], iterations: 2048, key_len: None, null: true };
    let pbes2 = Pbes2 { kdf, cipher: Cipher::Aes256, iv: vec![2; 16] };
    let key = pkcs8::PrivateKey::try_from(&data("r50_1_112_2016.p8")[..]).unwrap();
    let file = pkcs8::encrypt(&key, b"x", &pbes2).unwrap();
    let opened = pkcs8::decrypt(&file, b"x", &Limits::default()).unwrap();
    assert_eq!(opened.der(), key.der());
    assert_eq!(pkcs8::decrypt(&file, b"y", &Limits::default()).err(), Some(Error::Password));
}
