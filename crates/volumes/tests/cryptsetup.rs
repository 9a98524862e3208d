//! cryptsetup accepts this library's volumes: LUKS2 headers, and VeraCrypt's with AES instead of Kuznyechik.
#![cfg(unix)]

mod common;

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use bulat_block::luks2::{self, Create, NewSlot};
use bulat_block::veracrypt::{self, Algorithm, Prf};
use bulat_block::{Apart, Hash, Kdf, Limits, Spec};

/// Runs cryptsetup with a password on its standard input. Returns whether it succeeded, and its output.
fn cryptsetup(args: &[&str], file: &Path, password: &[u8]) -> (bool, String) {
    let mut command = Command::new("cryptsetup");
    command
        .args(args)
        .arg(file)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    let _ = child.stdin.take().expect("piped").write_all(password);
    let out = child.wait_with_output().expect("it ends");
    let said = [out.stdout, out.stderr].concat();
    (out.status.success(), String::from_utf8_lossy(&said).into_owned())
}

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
    for (n, (spec, sector, kdf, af)) in [
        (Spec::KUZNYECHIK, 4096, common::CHEAP, Hash::Sha256),
        (Spec::KUZNYECHIK, 512, argon2, Hash::Sha256),
        (Spec::AES, 2048, sha512, Hash::Sha512),
    ]
    .into_iter()
    .enumerate()
    {
        // cryptsetup needs at least a thousand iterations.
        let kdf = if kdf == common::CHEAP {
            Kdf::Pbkdf2 { hash: Hash::Sha256, iterations: 1000 }
        } else {
            kdf
        };
        let path = dir.path().join(format!("{n}"));
        let file =
            std::fs::File::options().read(true).write(true).create_new(true).open(&path).unwrap();
        file.set_len(2 << 20).unwrap();
        let slot = NewSlot { kdf, af, ..NewSlot::common(kdf) };
        let new = Create {
            spec,
            sector,
            keyslots: 4 * 258_048,
            label: "ours".into(),
            ..Create::new(slot)
        };
        let (mut header, key) = new.make(&file, b"one", &mut |_| ()).unwrap();
        header.add(&file, &key, b"two", &slot, Some(5)).unwrap();
        let (good, dump) = cryptsetup(&["luksDump"], &path, b"");
        assert!(good, "{dump}");
        for word in
            [&header.uuid(), "ours", &spec.name(), &format!("sector: {sector}"), "  5: luks2"]
        {
            assert!(dump.contains(word), "{word} in {dump}");
        }
        let test = ["open", "--test-passphrase", "--key-file", "-"];
        for (password, wanted) in [(&b"one"[..], true), (b"two", true), (b"three", false)] {
            let (opened, said) = cryptsetup(&test, &path, password);
            assert_eq!(opened, wanted, "{said}");
        }
        // This library reads cryptsetup's changes.
        let kill = ["luksKillSlot", "--batch-mode", "--key-file", "-"];
        let mut with = kill.to_vec();
        with.push(path.to_str().unwrap());
        let (good, said) = cryptsetup(&with, Path::new("0"), b"two");
        assert!(good, "{said}");
        let header = luks2::read(&file).unwrap().header;
        assert!(header.unlock(&file, b"one", None, &Limits::default()).is_err());
        assert!(header.unlock(&file, b"two", None, &Limits::default()).is_ok());
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
    let (ours, theirs) = (dir.path().join("ours"), dir.path().join("theirs"));
    let (data, one) = (dir.path().join("data"), dir.path().join("one"));
    std::fs::write(&data, vec![0; 1 << 20]).unwrap();
    std::fs::write(&one, "one").unwrap();
    std::fs::write(&ours, vec![0; 2 << 20]).unwrap();
    let file = |path| {
        let file = std::fs::File::options().read(true).write(true).open(path).unwrap();
        Apart::new(Arc::new(file), 1 << 20).unwrap()
    };
    let header = file(&ours);
    let slot = NewSlot::common(Kdf::Pbkdf2 { hash: Hash::Sha256, iterations: 1000 });
    let new = Create { keyslots: 4 * 258_048, ..Create::new(slot) };
    let (mut read, key) = new.make(&header, b"one", &mut |_| ()).unwrap();
    read.add(&header, &key, b"two", &slot, None).unwrap();
    let (good, dump) = cryptsetup(&["luksDump"], &ours, b"");
    assert!(good && dump.contains("offset: 0 [bytes]"), "{dump}");
    let with = |args: &[&str], header: &Path, password: &[u8]| {
        let args = [args, &["--header", header.to_str().unwrap()]].concat();
        let (good, said) = cryptsetup(&args, &data, password);
        assert!(good, "{args:?}: {said}");
    };
    let test = ["open", "--test-passphrase", "--key-file", "-"];
    with(&test, &ours, b"one");
    with(&test, &ours, b"two");
    // A change by cryptsetup.
    with(&["luksRemoveKey", "--batch-mode"], &ours, b"two");
    let opens = |header: &Apart, password: &[u8]| {
        let found = luks2::read(header).unwrap();
        let (key, _) = found.header.unlock(header, password, None, &Limits::default()).ok()?;
        let data = std::fs::File::options().read(true).write(true).open(&data).unwrap();
        Some(found.header.open(Arc::new(data), &key, true).unwrap().len())
    };
    assert_eq!((opens(&header, b"one"), opens(&header, b"two")), (Some(1 << 20), None));
    // Theirs. The cipher of the data must be one that cryptsetup knows without the kernel.
    let format = "luksFormat --type luks2 -q --pbkdf pbkdf2 --pbkdf-force-iterations 1000 \
                  --cipher aes-xts-plain64 --key-size 512 --key-file -";
    let format: Vec<&str> = format.split_whitespace().collect();
    with(&format, &theirs, b"one");
    let header = file(&theirs);
    assert_eq!((opens(&header, b"one"), opens(&header, b"two")), (Some(1 << 20), None));
    let mut read = luks2::read(&header).unwrap().header;
    let (key, slot0) = read.unlock(&header, b"one", None, &Limits::default()).unwrap();
    read.change(&header, &key, b"two", &slot, slot0).unwrap();
    with(&test, &theirs, b"two");
    println!("detached headers of both open with both");
}

#[test]
fn veracrypt_headers() {
    if !is_here() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let keyfile = dir.path().join("keyfile");
    std::fs::write(&keyfile, (0..5000).map(|n| (n * n % 251) as u8).collect::<Vec<_>>()).unwrap();
    let keyfile_bytes = std::fs::read(&keyfile).unwrap();
    let long = [b'x'; 100];
    let aes = Algorithm::parse("aes").ok();
    for (password, with_file, hidden) in [
        (&b"password"[..], false, false),
        (b"password", true, false),
        (b"password", true, true),
        (&long, true, false),
    ] {
        let path = dir.path().join("volume");
        let _ = std::fs::remove_file(&path);
        let file =
            std::fs::File::options().read(true).write(true).create_new(true).open(&path).unwrap();
        file.set_len(1 << 20).unwrap();
        let keyfiles: &[&[u8]] = if with_file { &[&keyfile_bytes] } else { &[] };
        let mut key = veracrypt::Key::new(password, keyfiles, 2).unwrap();
        (key.hash, key.cipher) = (Some(Prf::Pbkdf2(Hash::Sha512)), aes);
        if hidden {
            let mut outer = veracrypt::Key::new(b"outer", &[], 1).unwrap();
            (outer.hash, outer.cipher) = (key.hash, aes);
            veracrypt::create(&file, &outer, None).unwrap();
        }
        let header = veracrypt::create(&file, &key, hidden.then_some(256 << 10)).unwrap();
        let mut args =
            vec!["tcryptDump", "--veracrypt", "--veracrypt-pim", "2", "--hash", "sha512"];
        if with_file {
            args.extend(["--key-file", keyfile.to_str().unwrap()]);
        }
        if hidden {
            args.push("--tcrypt-hidden");
        }
        for backup in [false, true] {
            let mut args = args.clone();
            if backup {
                args.push("--tcrypt-backup");
            }
            let (good, said) = cryptsetup(&args, &path, password);
            assert!(good, "{args:?}: {said}");
            let payload = format!("MK offset:\t{}\n", header.offset);
            for word in ["aes", "512", &payload] {
                assert!(said.contains(word), "{word:?} in {said}");
            }
        }
        let (good, _) = cryptsetup(&args, &path, b"wrong");
        assert!(!good);
        if !hidden {
            file.set_len(3 << 20).unwrap();
            let grown = header.grow(&file, &key).unwrap();
            assert_eq!(grown.len, (3 << 20) - 2 * veracrypt::GROUP);
            for backup in [&[][..], &["--tcrypt-backup"]] {
                let args = [&args, backup].concat();
                let (good, said) = cryptsetup(&args, &path, password);
                assert!(good, "{args:?}: {said}");
            }
        }
        println!(
            "cryptsetup reads VeraCrypt's header: keyfile {with_file}, hidden {hidden}, {} bytes of password",
            password.len()
        );
    }
    let _ = keyfile.metadata();
}
