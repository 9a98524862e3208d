//! Every file of `data`: opened, remade equal where the format is deterministic, refused by cause.

mod common;

use std::fs;
use std::path::Path;
use std::slice::from_ref;

use bulat_pkcs::pfx::{self, Content, Pfx};
use bulat_pkcs::{
    Error, Form, Limits, Pbkdf2, Prf, Scheme, pbes2::Cipher, pbes2::Pbes2, pbmac1::Pbmac1, pem,
    pkcs8,
};
use common::{der, octet_string, sequence};
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

/// Every 509th bit of each published file, all of them with BULAT_LARGE=1: no flip opens. Flips in the contents and the
/// tag give the words for a wrong password, flips around them name the part or the algorithm.
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
    assert_eq!(files, 50);
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
            // The text is no key. A cipher without a MAC cannot tell that from noise.
            let wanted = match pbes2.cipher.authenticates() {
                true => Error::Damaged("PrivateKeyInfo"),
                false => Error::Password,
            };
            assert_eq!(pkcs8::decrypt(&der, &password, &limits).err(), Some(wanted), "{id}");
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
}

/// Forms that OpenSSL and Python's cryptography read, too; then faults.
#[test]
fn loose_pem() {
    let file = String::from_utf8(data("rfc9548_a2_epki.pem")).unwrap();
    let whole = pem::decode(file.as_bytes()).unwrap();
    let first = file.find('\n').unwrap() + 1;
    let joined = file[first..file.find("-----END").unwrap()].replace('\n', "");
    for (form, loose) in [
        ("blanks at the ends", file.replace('\n', " \t\n")),
        ("an empty line after BEGIN", format!("{}\n{}", &file[..first], &file[first..])),
        ("empty lines", file.replace('\n', "\n\n")),
        ("byte-order mark", format!("\u{feff}{file}")),
        ("indented", file.replace('\n', "\n    ")),
        ("mark, indented", format!("\u{feff}  {file}")),
        ("CR LF", file.replace('\n', "\r\n")),
        ("CR", file.replace('\n', "\r")),
        ("no last line end", file.trim_end().to_string()),
        ("one line", format!("{}{joined}\n-----END ENCRYPTED PRIVATE KEY-----", &file[..first])),
        ("text around", format!("Bag Attributes\n  a: b\n{file}-- \ntext")),
    ] {
        assert!(pem::is_pem(loose.as_bytes()), "{form}");
        assert_eq!(pem::decode(loose.as_bytes()).as_ref(), Ok(&whole), "{form}");
        let one = pem::one(loose.as_bytes(), pem::ENCRYPTED_PRIVATE_KEY);
        assert_eq!(one.as_ref(), Ok(&whole[0].1), "{form}");
    }
    let lines: Vec<&str> = file.lines().collect();
    let last = lines.len();
    let with = |n: usize, line: &str| {
        let mut lines = lines.clone();
        lines[n - 1] = line;
        lines.join("\n")
    };
    let short = &lines[2][1..];
    for (bad, line, fault) in [
        (with(3, "MII*"), 3, "not base64"),
        (with(3, "> QUJD"), 3, "not base64"),
        (with(3, short), last, "the base64 before is not whole"),
        (with(last, "text"), 1, "this block has no END line"),
        (with(last, "-----END X-----"), last, "the END line of another block"),
        (with(last, "-----BEGIN X-----"), last, "the block before has no END line"),
        (with(1, "-----BEGIN X"), 1, "no label, or no dashes after it"),
        ("-----BEGIN X-----\n-----END X-----".into(), 2, "the base64 before is not whole"),
    ] {
        assert_eq!(pem::decode(bad.as_bytes()).err(), Some(Error::Pem { line, fault }), "{bad}");
    }
    let old = "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: DES,00\n\nAAAA\n";
    assert!(matches!(pem::decode(old.as_bytes()), Err(Error::Scope(_))));
    assert_eq!(pem::decode(b"text").err(), Some(Error::Damaged("PEM")));
}

/// Keys, certificates and so on of OpenSSL, in the order of the file.
fn others() -> Vec<(String, bulat_pkcs::Bytes)> {
    pem::decode(&data("others.pem")).unwrap()
}

/// A file of a different form is called by its name; each form as `one` wants it, in PEM and in DER.
#[test]
fn forms() {
    let others = others();
    // The key in a PrivateKeyInfo of EC and of RSA.
    let (sec1, pkcs1) = (&others[0].1[29..], &others[3].1[26..]);
    let encrypted = pem::decode(&data("rfc9548_a2_epki.pem")).unwrap()[0].1.to_vec();
    let pfx = data("rfc9548_a2.p12");
    let text = pem::encode(pem::PKCS12, &pfx).unwrap();
    let lines = text.split_inclusive(|c| *c == b'\n').filter(|line| !line.starts_with(b"-"));
    let base64 = lines.collect::<Vec<_>>().concat();
    let wide: Vec<u8> = "\u{feff}-----BEGIN".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let forms: [(Form, &[u8], &str); 14] = [
        (Form::PrivateKey, &others[0].1, pem::PRIVATE_KEY),
        (Form::EncryptedPrivateKey, &encrypted, pem::ENCRYPTED_PRIVATE_KEY),
        (Form::Pfx, &pfx, pem::PKCS12),
        (Form::Certificate, &others[1].1, "X509 CERTIFICATE"),
        (Form::Certificate, &others[4].1, "TRUSTED CERTIFICATE"),
        (Form::Request, &others[5].1, "CERTIFICATE REQUEST"),
        (Form::Crl, &others[6].1, "X509 CRL"),
        (Form::PublicKey, &others[7].1, "PUBLIC KEY"),
        (Form::Sec1, sec1, "EC PRIVATE KEY"),
        (Form::Pkcs1, pkcs1, "RSA PRIVATE KEY"),
        (Form::Jks, b"\xfe\xed\xfe\xed\0\0\0\x02", ""),
        (Form::Jceks, b"\xce\xce\xce\xce\0\0\0\x02", ""),
        (Form::Base64, &base64, ""),
        (Form::Utf16, &wide, ""),
    ];
    let limits = Limits::default();
    for (form, file, label) in forms {
        assert_eq!(Form::of(file), Some(form), "{form}");
        let refused = |wanted, error: Option<Error>| {
            let wanted = (wanted != form).then_some(Error::Form { wanted, found: form });
            assert_eq!(error.filter(|e| matches!(e, Error::Form { .. })), wanted, "{form}");
        };
        refused(Form::PrivateKey, pkcs8::PrivateKey::try_from(file).err());
        refused(Form::EncryptedPrivateKey, pkcs8::inspect(file).err());
        refused(Form::EncryptedPrivateKey, pkcs8::decrypt(file, b"x", &limits).err());
        refused(Form::Pfx, pfx::inspect(file, &limits).err());
        refused(Form::Pfx, pfx::open(file, b"x", &limits).err());
        refused(Form::Certificate, Content::certificate(file).err());
        if !label.is_empty() {
            let text = pem::encode(label, file).unwrap();
            refused(Form::PrivateKey, pem::one(&text, pem::PRIVATE_KEY).err());
            refused(Form::Certificate, pem::one(&text, pem::CERTIFICATE).err());
        }
        // Bytes after the end, and a text around it.
        if form as u8 <= Form::Sec1 as u8 {
            let after = [file, b"\n\0"].concat();
            assert_eq!(*pem::one(&after, pem::PKCS12).unwrap(), file, "{form}");
        }
    }
    let words = pkcs8::inspect(sec1).unwrap_err().to_string();
    assert_eq!(
        words,
        "not an encrypted private key, but a private key in SEC 1: `openssl pkcs8 -topk8 -nocrypt` converts it"
    );
}

#[test]
fn bytes_after_the_end() {
    let limits = Limits::default();
    // Definite lengths, and the indefinite ones of Java.
    for (stem, password) in [("rfc9548_a3", "Пароль для PFX"), ("bc_cp_exported", "")] {
        let facts = json(&format!("{stem}.json"));
        let password = facts["password"].as_str().unwrap_or(password);
        for end in [&b"\n"[..], &[0; 512]] {
            let file = [&data(&format!("{stem}.p12"))[..], end].concat();
            assert!(open(&file, password).unwrap().mac.is_some(), "{stem}");
            assert!(pfx::inspect(&file, &limits).unwrap().mac.is_some(), "{stem}");
        }
    }
    let sealed = &pem::decode(&data("rfc9548_a2_epki.pem")).unwrap()[0].1;
    let file = [&sealed[..], b"\r\n"].concat();
    let key = pkcs8::decrypt(&file, "Пароль для PFX".as_bytes(), &limits).unwrap();
    assert_eq!(key.der(), data("rfc9548_a2.p8"));
}

#[test]
fn keys_find_their_certificates() {
    let others = others();
    let key = |n: usize| pkcs8::PrivateKey::try_from(&others[n].1[..]).unwrap();
    let [ca, ec, rsa] = [1, 2, 4].map(|n| &others[n].1[..]);
    let gost = pkcs8::PrivateKey::try_from(&data("rfc9548_a2.p8")[..]).unwrap();
    let (of_gost, other_gost) = (data("rfc9548_a2.cer"), data("rfc9548_a3.cer"));
    assert_eq!(pfx::belongs(&key(0), ec), Some(true));
    assert_eq!(pfx::belongs(&key(0), ca), Some(false));
    assert_eq!(pfx::belongs(&key(3), rsa), Some(true));
    assert_eq!(pfx::belongs(&key(3), ec), Some(false));
    assert_eq!(pfx::belongs(&gost, &of_gost), None);
    assert_eq!(pfx::belongs(&gost, rsa), Some(false));
    let ed25519 = sequence(&[b"\x06\x03\x2b\x65\x70"]);
    let secret = octet_string(&octet_string(&[7; 32]));
    let silent = sequence(&[b"\x02\x01\0", &ed25519, &secret]);
    let silent = pkcs8::PrivateKey::try_from(&silent[..]).unwrap();
    let certificate = |issuer: &[u8], subject: &[u8]| {
        let [issuer, subject] = [issuer, subject].map(|name| sequence(&[&der(0x0c, &[name])]));
        let bits = der(0x03, &[&[0; 33]]);
        let public = sequence(&[&ed25519, &bits]);
        let time = sequence(&[]);
        let body = sequence(&[b"\x02\x01\x01", &ed25519, &issuer, &time, &subject, &public]);
        sequence(&[&body, &ed25519, &bits])
    };
    let (root, leaf) = (certificate(b"root", b"root"), certificate(b"root", b"leaf"));
    let cases: [(&[pkcs8::PrivateKey], &[&[u8]], Result<Vec<Option<usize>>, usize>); 11] = [
        (&[key(0)], &[ca, ec], Ok(vec![Some(1)])),
        (&[key(0), key(3)], &[rsa, ca, ec], Ok(vec![Some(2), Some(0)])),
        (&[key(0)], &[], Ok(vec![None])),
        (&[key(0)], &[ca], Err(0)),
        // A key may be without a certificate, but no certificate without its key.
        (&[key(3), key(0)], &[rsa], Ok(vec![Some(0), None])),
        (&[key(3), key(0)], &[rsa, ca], Err(1)),
        (from_ref(&gost), &[rsa, &of_gost], Ok(vec![Some(1)])),
        (&[gost.clone(), gost.clone()], &[&of_gost], Ok(vec![Some(0), None])),
        (from_ref(&gost), &[&other_gost, &of_gost], Ok(vec![Some(0)])),
        // Keys of Ed25519 do not tell: the order of two counts, also where one certificate has issued the other.
        (from_ref(&silent), &[&root, &leaf], Ok(vec![Some(1)])),
        (&[silent.clone(), silent.clone()], &[&root, &leaf], Ok(vec![Some(0), Some(1)])),
    ];
    for (i, (keys, certificates, wanted)) in cases.into_iter().enumerate() {
        assert_eq!(pfx::pairs(keys, certificates), wanted, "{i}");
    }
    // The IDs of the caller.
    for (certificate, id, right) in [(ec, 1, true), (rsa, 1, false), (rsa, 2, true)] {
        let bag = |content, id| pfx::Bag {
            content,
            attributes: vec![pfx::Attribute::local_key_id(&[id])],
        };
        let bags = vec![
            bag(Content::Key(key(0), None), 1),
            bag(Content::certificate(certificate).unwrap(), id),
        ];
        let made = Pfx::protect(bags, Cipher::MagmaCtrAcpkm, 1000);
        assert_eq!(made.is_ok(), right, "{id}");
    }
}

/// The MAC of RFC 9579 in a PFX, by certtool and, with HMAC-Streebog-512, by the test of `limits`.
#[test]
fn pbmac1_in_a_pfx() {
    let file = data("certtool_pbmac1.p12");
    let opened = open(&file, "abc").unwrap();
    let mac = opened.mac.as_ref().unwrap();
    assert_eq!((mac.hash.name(), mac.iterations), ("sha256", 600_000));
    assert_eq!(pfx::inspect(&file, &Limits::default()).unwrap().mac, opened.mac);
    assert!(opened.bags().any(|bag| matches!(bag.content, Content::Key(..))));
    assert_eq!(open(&file, "abd").err(), Some(Error::Password));
    let few = Limits { iterations: 599_999, ..Limits::default() };
    assert!(matches!(pfx::open(&file, b"abc", &few), Err(Error::Cost { what: "iterations", .. })));
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

/// The examples of RFC 9337, appendix A. The example of 2^24 iterations needs BULAT_LARGE=1.
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

/// gost-engine changes keys after 4096 bytes of Kuznyechik and 1024 of Magma.
#[test]
fn sections_of_gost_engine() {
    let digest = |bytes: &[u8]| -> String {
        Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
    };
    let file = data("engine_kuznyechik.p8");
    let key = pkcs8::decrypt(&file, b"abc", &Limits::default()).unwrap();
    assert_eq!(
        digest(key.der()),
        "b26988c2c4f42ae9a68dc7588b2dfadcb89221a710d24f8e8876291eec1374cd"
    );
    assert_eq!(pkcs8::decrypt(&file, b"y", &Limits::default()).err(), Some(Error::Password));
    let pfx = open(&data("engine_magma.p12"), "abc").unwrap();
    assert_eq!(
        digest(parts(&pfx).1.der()),
        "25a2c088b531786769ecbbb7e7f1f79107c814e6a1d310c74aebc299f8aa9b79"
    );
    let certificates = pfx.bags().filter_map(|bag| match &bag.content {
        Content::Certificate(der) => Some(&der[..]),
        _ => None,
    });
    assert_eq!(
        digest(&certificates.collect::<Vec<_>>().concat()),
        "171ce8e9ffa13af0ad90ef5e7a0c845a0087c6d2f7679a3cff2d46c52db3ee27"
    );
    // The same zeros in a file with the sections of the standard.
    let kdf =
        Pbkdf2 { prf: Prf::Sha256, salt: vec![1; 16], iterations: 2048, key_len: None, null: true };
    let iv = [1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 0, 0].to_vec();
    let pbes2 = Pbes2 { kdf, cipher: Cipher::MagmaCtrAcpkm, iv };
    let key = parts(&pfx).1;
    let file = pkcs8::encrypt(key, b"x", &pbes2).unwrap();
    assert_eq!(pkcs8::decrypt(&file, b"x", &Limits::default()).unwrap().der(), key.der());
}
