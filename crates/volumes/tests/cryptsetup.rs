//! cryptsetup accepts this library's volumes: LUKS2 headers, and VeraCrypt's with AES instead of Kuznyechik.
#![cfg(unix)]

mod common;

use std::fs::File;
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::sync::Arc;

use bulat_block::luks2::{self, Create, NewSlot};
use bulat_block::veracrypt::{self, Algorithm};
use bulat_block::{Apart, Hash, Kdf, Spec};
use tempfile::TempDir;

/// Runs cryptsetup with a password on its standard input. Returns whether it succeeded, and its output.
fn cryptsetup(line: &str, password: &[u8]) -> (bool, String) {
    let mut command = Command::new("cryptsetup");
    command.args(line.split_whitespace());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    let _ = child.stdin.take().expect("piped").write_all(password);
    let out = child.wait_with_output().expect("it ends");
    let said = [out.stdout, out.stderr].concat();
    (out.status.success(), String::from_utf8_lossy(&said).into_owned())
}

/// Requires that it succeeds. Returns its output.
fn good(line: &str, password: &[u8]) -> String {
    let (good, said) = cryptsetup(line, password);
    assert!(good, "{line}: {said}");
    said
}

/// Makes a file of zeros, and returns its path too.
fn file(dir: &TempDir, name: &str, len: usize) -> (File, String) {
    let path = dir.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(&path, vec![0; len]).unwrap();
    (open(&path), path)
}

fn open(path: &str) -> File {
    File::options().read(true).write(true).open(path).unwrap()
}

const TEST: &str = "open --test-passphrase --key-file -";
const THOUSAND: Kdf = Kdf::Pbkdf2 { hash: Hash::Sha256, iterations: 1000 };

fn is_here() -> bool {
    let here = Command::new("cryptsetup").arg("--version").output().is_ok();
    if !here {
        println!("skipped: cryptsetup is not installed (apt-get install cryptsetup-bin)");
    }
    here
}

#[test]
fn luks2_headers() {
    if !is_here() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let argon2 = Kdf::Argon2 { id: true, time: 4, memory: 32, lanes: 2 };
    let sha512 = Kdf::Pbkdf2 { hash: Hash::Sha512, iterations: 1000 };
    for (spec, sector, kdf, af) in [
        (Spec::KUZNYECHIK, 4096, THOUSAND, Hash::Sha256),
        (Spec::KUZNYECHIK, 512, argon2, Hash::Sha256),
        (Spec::AES, 2048, sha512, Hash::Sha512),
    ] {
        let (file, path) = file(&dir, "volume", 2 << 20);
        let slot = NewSlot { kdf, af, ..NewSlot::common(kdf) };
        let (keyslots, label) = (4 * 258_048, "ours".into());
        let new = Create { spec, sector, keyslots, label, ..Create::new(slot) };
        let (mut header, key) = new.make(&file, b"one", &mut |_| ()).unwrap();
        header.add(&file, &key, b"two", &slot, Some(5)).unwrap();
        let dump = good(&format!("luksDump {path}"), b"");
        for word in
            [&header.uuid(), "ours", &spec.name(), &format!("sector: {sector}"), "  5: luks2"]
        {
            assert!(dump.contains(word), "{word} in {dump}");
        }
        for (password, wanted) in [(&b"one"[..], true), (b"two", true), (b"three", false)] {
            let (opened, said) = cryptsetup(&format!("{TEST} {path}"), password);
            assert_eq!(opened, wanted, "{said}");
        }
        // This library reads cryptsetup's changes.
        good(&format!("luksKillSlot --batch-mode --key-file - {path} 0"), b"two");
        assert!(!common::opens(&file, b"one") && common::opens(&file, b"two"));
        println!("cryptsetup opens {} in {sector}, and changes it", spec.name());
    }
}

/// Detached headers, each way.
#[test]
fn detached_headers() {
    if !is_here() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let (_, data) = file(&dir, "data", 1 << 20);
    let (header, ours) = file(&dir, "ours", 2 << 20);
    let header = Apart::new(Arc::new(header), 1 << 20).unwrap();
    let slot = NewSlot::common(THOUSAND);
    let new = Create { keyslots: 4 * 258_048, ..Create::new(slot) };
    let (mut read, key) = new.make(&header, b"one", &mut |_| ()).unwrap();
    read.add(&header, &key, b"two", &slot, None).unwrap();
    let dump = good(&format!("luksDump {ours}"), b"");
    assert!(dump.contains("offset: 0 [bytes]"), "{dump}");
    let with = |line: &str, header: &str, password: &[u8]| {
        good(&format!("{line} --header {header} {data}"), password);
    };
    with(TEST, &ours, b"one");
    with(TEST, &ours, b"two");
    // A change by cryptsetup.
    with("luksRemoveKey --batch-mode", &ours, b"two");
    let opens = |header: &Apart, password: &[u8]| {
        let found = luks2::read(header).unwrap();
        let (key, _) = found.header.unlock(header, password, None, &common::LIMITS()).ok()?;
        Some(found.header.open(Arc::new(open(&data)), &key, true).unwrap().len())
    };
    assert_eq!((opens(&header, b"one"), opens(&header, b"two")), (Some(1 << 20), None));
    // Theirs. The cipher of the data must be one that cryptsetup knows without the kernel.
    let theirs = format!("{ours}-theirs");
    let format = "luksFormat --type luks2 -q --pbkdf pbkdf2 --pbkdf-force-iterations 1000 \
                  --cipher aes-xts-plain64 --key-size 512 --key-file -";
    with(format, &theirs, b"one");
    let header = Apart::new(Arc::new(open(&theirs)), 1 << 20).unwrap();
    assert_eq!((opens(&header, b"one"), opens(&header, b"two")), (Some(1 << 20), None));
    let mut read = luks2::read(&header).unwrap().header;
    let (key, slot0) = read.unlock(&header, b"one", None, &common::LIMITS()).unwrap();
    read.change(&header, &key, b"two", &slot, slot0).unwrap();
    with(TEST, &theirs, b"two");
    println!("detached headers of both open with both");
}

#[test]
fn veracrypt_headers() {
    if !is_here() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let (_, keyfile) = file(&dir, "keyfile", 0);
    let bytes: Vec<u8> = (0..5000).map(|n| (n * n % 251) as u8).collect();
    std::fs::write(&keyfile, &bytes).unwrap();
    let aes = Algorithm::parse("aes").ok();
    for (password, with_file, hidden) in [
        (&b"password"[..], false, false),
        (b"password", true, false),
        (b"password", true, true),
        (&[b'x'; 100], true, false),
    ] {
        let (file, path) = file(&dir, "volume", 1 << 20);
        let keyfiles: &[&[u8]] = if with_file { &[&bytes] } else { &[] };
        let mut key = common::key(password, keyfiles, Hash::Sha512);
        (key.pim, key.cipher) = (2, aes);
        if hidden {
            let mut outer = common::key(b"outer", &[], Hash::Sha512);
            outer.cipher = aes;
            veracrypt::create(&file, &outer, None).unwrap();
        }
        let header = veracrypt::create(&file, &key, hidden.then_some(256 << 10)).unwrap();
        let mut line = format!("tcryptDump {path} --veracrypt --veracrypt-pim 2 --hash sha512 ");
        if with_file {
            line += &format!("--key-file {keyfile} ");
        }
        if hidden {
            line += "--tcrypt-hidden ";
        }
        let payload = format!("MK offset:\t{}\n", header.offset);
        let places = [line.clone(), line.clone() + "--tcrypt-backup"];
        for line in &places {
            let said = good(line, password);
            for word in ["aes", "512", &payload] {
                assert!(said.contains(word), "{word:?} in {said}");
            }
        }
        assert!(!cryptsetup(&line, b"wrong").0);
        if !hidden {
            file.set_len(3 << 20).unwrap();
            let grown = header.grow(&file, &key).unwrap();
            assert_eq!(grown.len, (3 << 20) - 2 * veracrypt::GROUP);
            for line in &places {
                good(line, password);
            }
        }
        println!(
            "cryptsetup reads VeraCrypt's header: keyfile {with_file}, hidden {hidden}, {} bytes of password",
            password.len()
        );
    }
}
