//! `bulat pkcs8` and `bulat pfx`, on files of others and its own.

mod bin;

use std::fs;
use std::path::Path;

use bin::*;

/// Creates a folder with the published files, and the passwords in `p` and `wrong`.
fn ready() -> TempDir {
    let dir = folder();
    for name in [
        "rfc9548_a2.p12",
        "rfc9548_a2.p8",
        "rfc9548_a2.cer",
        "rfc9548_a2_epki.pem",
        "csp_2012_256.p12",
        "r50_1_112_2016.p12",
        "others.pem",
    ] {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../pkcs/tests/data").join(name);
        fs::copy(from, dir.path().join(name)).expect(name);
    }
    secret(&dir, "p", "Пароль для PFX\n");
    secret(&dir, "wrong", "x");
    dir
}

#[test]
fn a_key_of_others() {
    let dir = ready();
    let info = said(&dir, "pkcs8 info rfc9548_a2_epki.pem");
    for word in ["kuznyechik-ctr-acpkm-omac", "hmac-streebog512", "2048"] {
        assert!(info.contains(word), "{word}: {info}");
    }
    good(&dir, "pkcs8 decrypt -p p --der -o key rfc9548_a2_epki.pem");
    assert_eq!(read(&dir, "key"), read(&dir, "rfc9548_a2.p8"));
    #[cfg(unix)]
    assert_eq!(mode(dir.path().join("key")), 0o600);
    bad(&dir, "pkcs8 decrypt -p p -o key rfc9548_a2_epki.pem", 3, &["already exists"]);
    let wrong = "pkcs8 decrypt -p wrong rfc9548_a2_epki.pem";
    assert!(bad(&dir, wrong, 4, &["wrong password, or the data is damaged"]).out.is_empty());
    let cost = "pkcs8 decrypt -p p --max-iterations 2047 rfc9548_a2_epki.pem";
    bad(&dir, cost, 2, &["needs 2048 iterations", "--max-iterations"]);
    bad(&dir, "pkcs8 decrypt -p p rfc9548_a2.cer", 5, &["but a certificate"]);
    // Each kind of file has its own command, and none has a key file.
    bad(&dir, "pkcs8 decrypt -p p rfc9548_a2.p12", 5, &["use `bulat pfx`"]);
    bad(&dir, "pkcs8 decrypt -p p rfc9548_a2.p8", 5, &["without encryption"]);
    secret(&dir, "key", &"01".repeat(32));
    good(&dir, "encrypt --key-file key -o c.bulat rfc9548_a2.p8");
    bad(&dir, "pfx info --unchecked c.bulat", 5, &["use `bulat decrypt`"]);
    bad(&dir, "decrypt --key-file key -o x rfc9548_a2.p12", 5, &["`bulat pfx`"]);
    for command in ["pkcs8 encrypt", "pkcs8 decrypt", "pfx info", "pfx create"] {
        let line = format!("{command} --key-file key rfc9548_a2.p8");
        bad(&dir, &line, 2, &["--key-file: these files open with a password", "--password-file"]);
    }
    fs::remove_file(dir.path().join("key")).unwrap();
    bad(&dir, "pkcs8 decrypt -f -p p -o p rfc9548_a2_epki.pem", 2, &["the same file"]);
    bad(&dir, "pkcs8 decrypt -p - -", 2, &["cannot both come from standard input"]);
}

#[test]
fn a_key_there_and_back() {
    let dir = ready();
    for cipher in [
        "kuznyechik-ctr-acpkm-omac",
        "kuznyechik-ctr-acpkm",
        "magma-ctr-acpkm-omac",
        "magma-ctr-acpkm",
    ] {
        // Through pipes, in PEM.
        let (key, line) = (read(&dir, "rfc9548_a2.p8"), "pkcs8 encrypt -p p --iterations 1000");
        let sealed = passed(piped(&dir, &format!("{line} --cipher {cipher}"), &key));
        assert!(sealed.starts_with(b"-----BEGIN ENCRYPTED PRIVATE KEY-----\n"));
        assert_eq!(passed(piped(&dir, "pkcs8 decrypt -p p --der", &sealed)), key);
        let info = piped(&dir, "pkcs8 info --json -", &sealed).out;
        let info = String::from_utf8_lossy(&info);
        assert!(info.contains(&format!("\"cipher\": \"{cipher}\"")), "{info}");
    }
    bad(&dir, "pkcs8 encrypt -p p --iterations 999 rfc9548_a2.p8", 2, &["--iterations", "1000"]);
}

#[test]
fn a_pfx_of_others() {
    let dir = ready();
    let info = said(&dir, "pfx info -p p rfc9548_a2.p12");
    for word in ["authenticated      yes", "streebog512", "p12FriendlyName", "GOST R 34.10-2012"] {
        assert!(info.contains(word), "{word}: {info}");
    }
    let all = said(&dir, "pfx extract -p p rfc9548_a2.p12");
    assert!(all.contains("BEGIN CERTIFICATE") && all.contains("BEGIN PRIVATE KEY"), "{all}");
    let some = said(&dir, "pfx extract --certificates -p p rfc9548_a2.p12");
    assert!(some.contains("BEGIN CERTIFICATE") && !some.contains("KEY"), "{some}");
    let refused = bad(&dir, "pfx info -p wrong rfc9548_a2.p12", 4, &["wrong password"]);
    assert!(refused.out.is_empty());
    let unchecked = said(&dir, "pfx info --unchecked rfc9548_a2.p12");
    assert!(
        unchecked.contains("authenticated      no") && !unchecked.contains("p12F"),
        "{unchecked}"
    );
    // CryptoPro's export has an empty password.
    let keys = "pfx extract --keys --empty-password csp_2012_256.p12";
    assert!(said(&dir, keys).starts_with("-----BEGIN PRIVATE KEY-----\n"));
    // Nothing is written before the MAC was checked.
    let mut damaged = read(&dir, "rfc9548_a2.p12");
    damaged[700] ^= 1;
    put(&dir, "damaged", damaged);
    bad(&dir, "pfx extract -p p -o out damaged", 4, &["damaged"]);
    assert!(!dir.path().join("out").exists());
}

#[test]
fn a_new_pfx() {
    let dir = ready();
    let create = "pfx create -p p --iterations 1000";
    let made = format!("{create} --name Ключ -o new.p12 rfc9548_a2.p8 rfc9548_a2.cer");
    good(&dir, &made);
    bad(&dir, &made, 3, &["already exists"]);
    let info = said(&dir, "pfx info --json -p p new.p12");
    assert!(info.contains("\"name\": \"Ключ\"") && info.contains("\"id\": \"00000001\""), "{info}");
    good(&dir, "pfx extract -p p -o all.pem new.p12");
    // PEM, several blocks in one file.
    good(&dir, &format!("{create} -o b.p12 all.pem"));
    let both = |name: &str| good(&dir, &format!("pfx extract -p p {name}"));
    assert_eq!(both("b.p12"), both("rfc9548_a2.p12"));
    bad(&dir, "pfx create -p p wrong", 5, &["damaged"]);
    good(&dir, &format!("{create} -o certificates.p12 rfc9548_a2.cer"));
    let none = "pfx extract --keys -p p certificates.p12";
    bad(&dir, none, 5, &["no private key, but 1 certificate"]);
}

/// Other forms are called by their names, and what is wrong in PEM by its line.
#[test]
fn keys_in_other_forms() {
    let dir = ready();
    let pem = string(&dir, "others.pem");
    let sec1 = "-----BEGIN EC PRIVATE KEY-----\nAAAA\n-----END EC PRIVATE KEY-----\n";
    let old = "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nAAAA\n-----END RSA PRIVATE KEY-----\n";
    put(&dir, "sec1", sec1);
    put(&dir, "pkcs1", sec1.replace("EC", "RSA"));
    put(&dir, "old", old);
    put(&dir, "line", pem.replacen("MI", "M!", 1));
    put(&dir, "jks", b"\xfe\xed\xfe\xed\0\0\0\x02");
    let create = "pfx create -p p --iterations 1000 -o new";
    for (file, words) in [
        ("sec1", ["SEC 1", "openssl pkcs8 -topk8 -nocrypt"]),
        ("pkcs1", ["PKCS#1", "openssl pkcs8 -topk8 -nocrypt"]),
        ("old", ["old encryption", "openssl pkcs8 -topk8"]),
        ("jks", ["Java keystore (JKS)", "keytool -importkeystore"]),
        ("line", ["line 2", "not base64"]),
        ("rfc9548_a2_epki.pem", ["an encrypted private key", "use `bulat pkcs8 decrypt`"]),
        ("rfc9548_a2.p12", ["a PFX", "use `bulat pfx`"]),
    ] {
        bad(&dir, &format!("{create} {file}"), 5, &words);
    }
    bad(&dir, "pfx info --unchecked jks", 5, &["not a PFX, but a Java keystore"]);
    // A byte-order mark, blanks, and bytes after the end.
    let key = &pem[..pem.find("-----BEGIN CERT").unwrap()];
    put(&dir, "loose", format!("\u{feff}{}", key.replace('\n', " \r\n\t")));
    good(&dir, &format!("{create} loose"));
    let pfx = [read(&dir, "rfc9548_a2.p12"), b"\r\n".to_vec()].concat();
    put(&dir, "after.p12", pfx);
    good(&dir, "pfx extract -p p after.p12");
    let info = said(&dir, "pfx info -p p r50_1_112_2016.p12");
    assert!(info.lines().any(|line| line.split_whitespace().eq(["sbox", "z"])), "{info}");
}

/// A key gets the ID of its certificate, wherever that stands, and each key its own name.
#[test]
fn keys_and_certificates_are_paired() {
    let dir = ready();
    let pem = string(&dir, "others.pem");
    // The key of EC, the CA, its certificate; the key of RSA, its certificate.
    let ends = pem.lines().scan(String::new(), |part, line| {
        part.push_str(&format!("{line}\n"));
        Some(if line.starts_with("-----END") { std::mem::take(part) } else { String::new() })
    });
    let parts: Vec<String> = ends.filter(|part| !part.is_empty()).collect();
    for (name, n) in [("ec.key", 0), ("ca", 1), ("ec", 2), ("rsa.key", 3), ("rsa", 4)] {
        put(&dir, name, &parts[n]);
    }
    let create = "pfx create -f -p p --iterations 1000 -o new";
    let made = |files: &str| {
        good(&dir, &format!("{create} {files}"));
        let info = said(&dir, "pfx info --json -p p new");
        let fields = |name: &str| {
            let field = format!("\"{name}\": \"");
            let found = info.split(&field).skip(1);
            found.map(|rest| rest.split('"').next().unwrap().to_owned()).collect::<Vec<_>>()
        };
        (fields("id"), fields("name"))
    };
    let id = |n: u32| format!("{n:08x}");
    assert_eq!(made("ec.key ca ec").0, [id(1), id(1)]);
    let (ids, names) = made("--name E --name R ec.key rsa.key rsa ca ec");
    assert_eq!(ids, [id(2), id(1), id(1), id(2)]);
    assert_eq!(names, ["R", "E", "E", "R"]);
    assert_eq!(made("rfc9548_a2.p8 ec rfc9548_a2.cer").0, [id(1), id(1)]);
    let other = format!("{create} ec.key rsa");
    bad(&dir, &other, 5, &["ec.key: none of the certificates is of this key"]);
    let names = format!("{create} --name x ec.key rsa.key");
    bad(&dir, &names, 2, &["--name is given 1 times, for 2 private keys"]);
    let dear = "pfx create -f -p p --iterations 7000000 -o new ec.key";
    bad(&dir, dear, 2, &["21000000 iterations in all", "fewer --iterations"]);
}
