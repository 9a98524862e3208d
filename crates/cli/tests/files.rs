//! The program with files: its refusals, the files that it keeps, and the state after a killed run.
#![cfg(unix)]

mod bin;

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::time::{Duration, Instant};

use bin::*;

/// Creates a folder with a key, a password and a file.
fn ready() -> TempDir {
    let dir = folder();
    good(&dir, &["key", "new", "-o", "key"]);
    good(&dir, &["key", "new", "-o", "other"]);
    fs::write(dir.path().join("pw"), "correct horse\n").unwrap();
    fs::write(dir.path().join("in"), text(300_000)).unwrap();
    dir
}

fn read(dir: &TempDir, name: &str) -> Vec<u8> {
    fs::read(dir.path().join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

fn mode(path: impl AsRef<Path>) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn round_trips() {
    let dir = ready();
    for len in [0, 1, 131_071, 131_072, 131_073, 400_000] {
        fs::write(dir.path().join("in"), text(len)).unwrap();
        for cipher in ["kuznyechik", "magma"] {
            good(&dir, &["encrypt", "-k", "key", "--cipher", cipher, "-f", "in"]);
            good(&dir, &["decrypt", "-k", "key", "-o", "back", "-f", "in.bulat"]);
            assert!(read(&dir, "back") == text(len), "{cipher} {len}");
            assert!(good(&dir, &["decrypt", "-k", "key", "-o", "-", "in.bulat"]) == text(len));
        }
    }
    // Streams on both sides; another chunk size; suffixes added and removed.
    let mut seal = bulat(&dir);
    seal.args(["encrypt", "-k", "key", "--chunk", "4096"]);
    let sealed = feed(seal, &text(9000));
    assert_eq!(sealed.code, Some(0), "{}", sealed.err);
    let mut open = bulat(&dir);
    open.args(["decrypt", "--key-file", "key", "-"]);
    let opened = feed(open, &sealed.out);
    assert!(opened.code == Some(0) && opened.out == text(9000), "{}", opened.err);
    fs::remove_file(dir.path().join("in")).unwrap();
    good(&dir, &["decrypt", "-k", "key", "in.bulat"]);
    assert!(read(&dir, "in") == text(400_000));
    assert_eq!(names(&dir), ["back", "in", "in.bulat", "key", "other", "pw"], "nothing left over");
}

#[test]
fn passwords() {
    let dir = ready();
    // The fewest iterations, which need less than a second on a fast kernel.
    let pbkdf2 = ["encrypt", "-p", "pw", "--kdf", "pbkdf2", "--iterations", "200000", "in"];
    good(&dir, &pbkdf2);
    // The line feed is not part of the password; also from a descriptor.
    fs::write(dir.path().join("pw2"), "correct horse").unwrap();
    let script = format!("{BULAT} decrypt --password-fd 7 -o back in.bulat 7<pw2");
    let ran = ran(program("sh", &dir).args(["-c", &script]).output().unwrap());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(read(&dir, "back") == text(300_000));
    fs::write(dir.path().join("wrong"), "correct horse ").unwrap();
    bad(
        &dir,
        &["decrypt", "-p", "wrong", "-o", "x", "in.bulat"],
        4,
        &["in.bulat", "wrong key or password"],
    );
    bad(&dir, &["decrypt", "-k", "key", "-o", "x", "in.bulat"], 2, &["with a password"]);
    // More iterations than allowed are refused before any work.
    let begun = Instant::now();
    let args = ["decrypt", "-p", "pw", "--max-iterations", "100000", "-o", "x", "in.bulat"];
    bad(&dir, &args, 2, &["200000 iterations of PBKDF2", "--max-iterations 200000"]);
    let mut bytes = read(&dir, "in.bulat");
    bytes[484..488].copy_from_slice(&80_000_001u32.to_be_bytes());
    fs::write(dir.path().join("slow.bulat"), &bytes).unwrap();
    bad(
        &dir,
        &["decrypt", "-p", "pw", "-o", "x", "slow.bulat"],
        2,
        &["80000001", "--max-iterations"],
    );
    assert!(begun.elapsed() < Duration::from_secs(30), "refused before any work");
    for (options, words) in [
        (&["--kdf", "pbkdf2", "--iterations", "0"][..], "--iterations 0: from 200000"),
        (&["--kdf", "pbkdf2", "--iterations", "199999"], "--iterations 199999: from"),
        (&["--kdf", "pbkdf2", "--iterations", "20000001"], "to 20000000"),
        (&["--iterations", "200000"], "--iterations: only for a password by pbkdf2"),
        (&["--kdf", "argon2id", "--iterations", "200000"], "only for a password by pbkdf2"),
        (&["--kdf", "pbkdf2", "--memory", "65536"], "--memory: only for a password by argon2id"),
        (&["--kdf", "pbkdf2", "--passes", "3"], "--passes: only for a password by argon2id"),
        (&["--memory", "65535"], "--memory 65535: from 65536 to 1048576"),
        (&["--memory", "1048577"], "--memory 1048577: from"),
        (&["--passes", "2"], "--passes 2: from 3 to 64"),
        (&["--passes", "65"], "--passes 65: from"),
        (&["--kdf", "scrypt"], "scrypt"),
    ] {
        bad(
            &dir,
            &[&["encrypt", "-p", "pw", "-o", "x"][..], options, &["in"]].concat(),
            2,
            &[words],
        );
    }
    for option in [&["--kdf", "argon2id"], &["--memory", "65536"], &["--iterations", "200000"]] {
        let args = [&["encrypt", "-k", "key", "-o", "x"][..], option, &["in"]].concat();
        bad(&dir, &args, 2, &["only for"]);
    }
    // The usual function: its memory and its passes.
    good(&dir, &["encrypt", "-p", "pw", "--memory", "65536", "-o", "by-argon2", "in"]);
    good(&dir, &["decrypt", "-p", "pw", "-f", "-o", "back", "by-argon2"]);
    assert!(read(&dir, "back") == text(300_000));
    bad(&dir, &["decrypt", "-p", "wrong", "-o", "x", "by-argon2"], 4, &["wrong key or password"]);
    let args = ["decrypt", "-p", "pw", "--max-memory", "65535", "-o", "x", "by-argon2"];
    bad(&dir, &args, 2, &["65536 KiB of memory for Argon2id", "--max-memory 65536"]);
    let mut bytes = read(&dir, "by-argon2");
    bytes[488..492].copy_from_slice(&1025u32.to_be_bytes());
    fs::write(dir.path().join("slow.bulat"), &bytes).unwrap();
    let args = ["decrypt", "-p", "pw", "-o", "x", "slow.bulat"];
    bad(&dir, &args, 2, &["in all passes of Argon2id", "--max-memory 1049600"]);
    // Without a terminal nothing is asked.
    bad(&dir, &["encrypt", "-o", "x", "in"], 2, &["no terminal", "--password-file"]);
    bad(&dir, &["decrypt", "-o", "x", "in.bulat"], 2, &["no terminal"]);
    for (name, bytes) in [("empty", &b""[..]), ("line", b"\n"), ("nul", b"a\0b")] {
        fs::write(dir.path().join(name), bytes).unwrap();
        bad(&dir, &["encrypt", "-p", name, "-o", "x", "in"], 2, &[name, "password"]);
    }
    assert!(!names(&dir).contains(&"x".into()));
}

#[test]
fn keys() {
    let dir = ready();
    assert_eq!(mode(dir.path().join("key")), 0o600);
    let digits = read(&dir, "key");
    assert_eq!(digits.len(), 65);
    assert_ne!(digits, read(&dir, "other"));
    bad(&dir, &["key", "new", "-o", "key"], 3, &["key", "already exists", "never replaced"]);
    assert_eq!(read(&dir, "key"), digits);
    good(&dir, &["key", "new", "--raw", "--size", "64", "-o", "raw64"]);
    assert_eq!(read(&dir, "raw64").len(), 64);
    // Upper-case digits without a line feed, and the raw bytes, are the key as well.
    good(&dir, &["encrypt", "-k", "key", "in"]);
    let upper = String::from_utf8(digits[..64].to_ascii_uppercase()).unwrap();
    fs::write(dir.path().join("upper"), &upper).unwrap();
    let bytes: Vec<u8> =
        (0..32).map(|i| u8::from_str_radix(&upper[2 * i..2 * i + 2], 16).unwrap()).collect();
    fs::write(dir.path().join("bytes"), bytes).unwrap();
    for key in ["upper", "bytes"] {
        assert!(good(&dir, &["decrypt", "-k", key, "-o", "-", "in.bulat"]) == text(300_000));
    }
    bad(&dir, &["decrypt", "-k", "other", "-o", "x", "in.bulat"], 4, &["in.bulat", "wrong key"]);
    bad(
        &dir,
        &["decrypt", "-p", "pw", "-o", "x", "in.bulat"],
        2,
        &["with a key file", "--key-file"],
    );
    bad(&dir, &["decrypt", "-o", "x", "in.bulat"], 2, &["--key-file"]);
    for empty in ["", "\n", "\r\n"] {
        fs::write(dir.path().join("empty"), empty).unwrap();
        let words = ["empty: the key is empty", "key new"];
        bad(&dir, &["encrypt", "-k", "empty", "-o", "x", "in"], 2, &words);
        bad(&dir, &["mac", "-a", "hmac-streebog256", "-k", "empty", "in"], 2, &words);
    }
    fs::write(dir.path().join("short"), &digits[..63]).unwrap();
    bad(&dir, &["encrypt", "-k", "short", "-o", "x", "in"], 2, &["short", "32"]);
    bad(&dir, &["encrypt", "-k", "nokey", "-o", "x", "in"], 3, &["nokey", "No such file"]);
    bad(&dir, &["encrypt", "-k", "in", "-o", "x", "in"], 2, &["in: longer", "not a key"]);
    bad(&dir, &["encrypt", "-k", "key", "-p", "pw", "-o", "x", "in"], 2, &["cannot be used with"]);
    bad(&dir, &["encrypt", "-k", "-", "-o", "x"], 2, &["both come from standard input"]);
    assert!(!names(&dir).contains(&"x".into()));
}

#[test]
fn inputs_that_are_refused() {
    let dir = ready();
    good(&dir, &["encrypt", "-k", "key", "in"]);
    fs::create_dir(dir.path().join("d")).unwrap();
    fs::write(dir.path().join("foreign"), "just a text\n").unwrap();
    fs::write(dir.path().join("nothing"), "").unwrap();
    let whole = read(&dir, "in.bulat");
    let changed = |name: &str, at: usize, to: u8| {
        let mut bytes = whole.clone();
        bytes[at] = to;
        fs::write(dir.path().join(name), bytes).unwrap();
    };
    changed("future", 7, 2);
    changed("field", 8, 9);
    changed("slot", 480, 4);
    changed("code", 2040, !whole[2040]);
    changed("chunk0", 2100, !whole[2100]);
    changed("chunk1", 2048 + 131_072 + 16 + 5, !whole[2048 + 131_072 + 16 + 5]);
    fs::write(dir.path().join("cut"), &whole[..2048 + 2 * (131_072 + 16)]).unwrap();
    fs::write(dir.path().join("cut2"), &whole[..whole.len() - 1]).unwrap();
    fs::write(dir.path().join("header"), &whole[..50]).unwrap();
    for (file, code, words) in [
        ("missing", 3, &["missing: No such file", "to do"][..]),
        ("d", 3, &["d: Is a directory", "to do"]),
        ("foreign", 5, &["foreign: not a bulat container"]),
        ("nothing", 5, &["nothing: not a bulat container"]),
        ("future", 5, &["future: container format version 2", "newer bulat"]),
        ("field", 5, &["field: damaged header", "impossible cipher"]),
        ("slot", 5, &["slot: damaged header", "impossible kind of slot 0"]),
        ("code", 5, &["code: damaged header"]),
        ("chunk0", 5, &["chunk0: damaged: chunk 0"]),
        ("chunk1", 5, &["chunk1: damaged: chunk 1"]),
        ("cut", 5, &["cut: truncated", "backup"]),
        ("cut2", 5, &["cut2: damaged or truncated: chunk 2"]),
        ("header", 5, &["header: truncated"]),
    ] {
        bad(&dir, &["decrypt", "-k", "key", "-o", "x", file], code, words);
        assert!(!names(&dir).iter().any(|n| n == "x" || n.ends_with(".part")), "{file}");
    }
    // On standard output the verified chunks come out, and nothing of the damaged one.
    let ran = bad(
        &dir,
        &["decrypt", "-k", "key", "-o", "-", "chunk1"],
        5,
        &["chunk 1", "not the whole file"],
    );
    assert!(ran.out == text(131_072));
    let ran = bad(
        &dir,
        &["decrypt", "-k", "key", "-o", "-", "cut"],
        5,
        &["truncated", "not the whole file"],
    );
    assert!(ran.out == text(131_072));
    assert!(bad(&dir, &["decrypt", "-k", "key", "-o", "-", "chunk0"], 5, &[]).out.is_empty());
    for command in ["hash", "encrypt", "inspect", "mac", "raw"] {
        let args: &[&str] = match command {
            "encrypt" => &["-k", "key", "-o", "x"],
            "mac" => &["-k", "key", "-a", "kuznyechik-omac"],
            "raw" => &["encrypt", "-k", "key", "--cipher", "kuznyechik-ecb"],
            _ => &[],
        };
        for (file, word) in [("missing", "No such file"), ("d", "Is a directory")] {
            let mut all = vec![command];
            all.extend(args);
            all.push(file);
            let ran = bad(&dir, &all, 3, &[file, word]);
            assert!(ran.out.is_empty());
        }
    }
    assert!(!names(&dir).iter().any(|n| n == "x" || n.ends_with(".part")));
}

#[test]
fn unreadable_file() {
    let dir = ready();
    let path = dir.path().join("in");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    if fs::File::open(&path).is_ok() {
        // The superuser can read everything: runs as another user, if the system has a tool for that.
        fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let copy = dir.path().join("bulat");
        // Not by this process: a child of a test at the same time would have it open for writing, and it could not start.
        assert!(std::process::Command::new("cp").arg(BULAT).arg(&copy).status().unwrap().success());
        let Some(setpriv) = installed("setpriv") else {
            println!("skipped: run by the superuser, and no setpriv");
            return;
        };
        let mut command = program(setpriv, &dir);
        command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]).arg(copy);
        let ran = ran(command.args(["hash", "in"]).output().unwrap());
        check(&ran, &["hash", "in"], 3, &["in: Permission denied", "permissions"]);
    } else {
        bad(&dir, &["hash", "in"], 3, &["in: Permission denied", "permissions"]);
    }
}

#[test]
fn outputs_that_are_refused() {
    let dir = ready();
    let at = |name: &str| dir.path().join(name);
    good(&dir, &["encrypt", "-k", "key", "in"]);
    let sealed = read(&dir, "in.bulat");
    bad(&dir, &["encrypt", "-k", "key", "in"], 3, &["in.bulat: already exists", "--force"]);
    bad(&dir, &["decrypt", "-k", "key", "in.bulat"], 3, &["in: already exists", "--force"]);
    assert!(read(&dir, "in.bulat") == sealed && read(&dir, "in") == text(300_000));
    good(&dir, &["encrypt", "-k", "key", "--force", "in"]);
    assert!(read(&dir, "in.bulat") != sealed);
    // The input as output, by its name, a link or a hard link; --force does not allow it.
    symlink("in", at("soft")).unwrap();
    fs::hard_link(at("in"), at("hard")).unwrap();
    for output in ["in", "./in", "soft", "hard"] {
        bad(&dir, &["encrypt", "-k", "key", "-f", "-o", output, "in"], 2, &["same file"]);
        bad(
            &dir,
            &[
                "raw",
                "encrypt",
                "--cipher",
                "kuznyechik-ecb",
                "-k",
                "key",
                "-f",
                "-o",
                output,
                "in",
            ],
            2,
            &["same file"],
        );
    }
    let ran = ran(bulat(&dir)
        .args(["encrypt", "-k", "key", "-o", "-", "in"])
        .stdout(fs::OpenOptions::new().append(true).open(at("in")).unwrap())
        .output()
        .unwrap());
    check(&ran, &["> in"], 2, &["standard output: input and output are the same file"]);
    assert!(read(&dir, "in") == text(300_000));
    fs::create_dir(at("d")).unwrap();
    bad(&dir, &["encrypt", "-k", "key", "-o", "d", "in"], 3, &["d: is a directory"]);
    bad(&dir, &["encrypt", "-k", "key", "-o", "no/x", "in"], 3, &["no/x", "create the folder"]);
    bad(&dir, &["decrypt", "-k", "key", "key"], 5, &["not a bulat container"]);
    fs::copy(at("in.bulat"), at("noname")).unwrap();
    bad(&dir, &["decrypt", "-k", "key", "noname"], 2, &["noname", "-o"]);
    // A link is followed and remains a link; a dangling link remains too.
    fs::write(at("target"), "old").unwrap();
    symlink("target", at("link")).unwrap();
    bad(&dir, &["encrypt", "-k", "key", "-o", "link", "in"], 3, &["already exists"]);
    good(&dir, &["encrypt", "-k", "key", "-f", "-o", "link", "in"]);
    assert!(fs::symlink_metadata(at("link")).unwrap().is_symlink());
    assert!(read(&dir, "target").starts_with(b"bulat\x1a"));
    symlink("nowhere", at("dangling")).unwrap();
    bad(&dir, &["encrypt", "-k", "key", "-o", "dangling", "in"], 3, &["missing file"]);
    // A device is written directly.
    good(&dir, &["encrypt", "-k", "key", "-o", "/dev/null", "in"]);
    assert!(!names(&dir).iter().any(|n| n.ends_with(".part")));
}

/// No driver has these numbers, so nothing can be written by accident.
#[test]
fn a_block_device_is_written_only_with_force() {
    let dir = ready();
    for name in ["device", "again"] {
        let made = program("mknod", &dir).args([name, "b", "240", "99"]).output();
        if !made.is_ok_and(|made| made.status.success()) {
            println!("skipped: no device can be made here");
            return;
        }
    }
    let raw = ["raw", "encrypt", "--cipher", "kuznyechik-ecb", "-k", "key", "-o", "device", "in"];
    for args in [&["encrypt", "-k", "key", "-o", "device", "in"][..], &raw] {
        bad(&dir, args, 3, &["device: is a block device", "--force"]);
        let ran = bad(&dir, &[args, &["-f"]].concat(), 3, &["device: cannot write"]);
        assert!(!ran.err.contains("a block device"), "{}", ran.err);
    }
    bad(&dir, &["key", "new", "-o", "device"], 3, &["device: is a block device"]);
}

/// A device cannot be cut to the length of its new content: the command says how to read that back.
#[test]
fn a_block_device_keeps_its_end() {
    let dir = ready();
    fs::write(dir.path().join("image"), vec![7; 1 << 20]).unwrap();
    let made = program("losetup", &dir).args(["-f", "--show", "image"]).output();
    let Some(made) = made.ok().filter(|made| made.status.success()) else {
        println!("skipped: no loop device can be made here");
        return;
    };
    let device = String::from_utf8(made.stdout).unwrap().trim().to_string();
    fs::write(dir.path().join("short"), "text").unwrap();
    let sealed = run(&dir, &["encrypt", "-k", "key", "-f", "-o", &device, "short"]);
    let freed = program("losetup", &dir).args(["-d", &device]).status();
    assert!(freed.unwrap().success());
    let words = format!("{device}: behind the first 2068 bytes it has its old content");
    check(&sealed, &["encrypt"], 0, &[&words, &format!("head -c 2068 {device}")]);
    let image = fs::read(dir.path().join("image")).unwrap();
    fs::write(dir.path().join("x"), &image[..2068]).unwrap();
    assert_eq!(good(&dir, &["decrypt", "-k", "key", "-o", "-", "x"]), b"text");
    assert!(image[2068..].iter().all(|byte| *byte == 7));
}

/// A command that fails leaves the file under the output's name, even with `--force`.
#[test]
fn a_failure_leaves_the_output_as_it_was() {
    let dir = ready();
    let at = |name: &str| dir.path().join(name);
    fs::write(at("in"), text(300_001)).unwrap();
    good(&dir, &["encrypt", "-k", "key", "in"]);
    good(&dir, &["encrypt", "-p", "pw", "--memory", "65536", "-o", "by-pw", "in"]);
    let sealed = read(&dir, "in.bulat");
    fs::write(at("cut"), &sealed[..sealed.len() - 1]).unwrap();
    fs::write(at("long"), [&sealed[..], b"x"].concat()).unwrap();
    fs::write(at("wrong"), "wrong").unwrap();
    fs::write(at("out"), "old").unwrap();
    let iv = ["--iv", "0123456789abcdef0123456789abcdef"];
    let raw = |way, cipher| {
        let args = ["raw", way, "--cipher", cipher, "-k", "key", "-f", "-o", "out", "in"];
        [&args[..], if cipher == "kuznyechik-ecb" { &[] } else { &iv }].concat()
    };
    for (code, args) in [
        (4, vec!["decrypt", "-k", "other", "-f", "-o", "out", "in.bulat"]),
        (4, vec!["decrypt", "-p", "wrong", "-f", "-o", "out", "by-pw"]),
        (2, vec!["decrypt", "-p", "pw", "-f", "-o", "out", "in.bulat"]),
        (5, vec!["decrypt", "-k", "key", "-f", "-o", "out", "cut"]),
        (5, vec!["decrypt", "-k", "key", "-f", "-o", "out", "long"]),
        (2, vec!["encrypt", "-k", "missing-digits", "--chunk", "5", "-f", "-o", "out", "in"]),
        (3, vec!["encrypt", "-k", "missing", "-f", "-o", "out", "in"]),
        (2, vec!["encrypt", "-k", "in", "-f", "-o", "out", "in"]),
        (5, [raw("encrypt", "kuznyechik-ecb"), vec!["--nopad"]].concat()),
        (5, raw("decrypt", "kuznyechik-ecb")),
        (1, raw("decrypt", "kuznyechik-mgm")),
        (3, [raw("encrypt", "kuznyechik-mgm"), vec!["--aad-file", "missing"]].concat()),
        (4, vec!["unwrap", "-k", "kek", "-f", "-o", "out", "wrapped"]),
    ] {
        if args[0] == "unwrap" {
            good(&dir, &["key", "new", "--size", "64", "-o", "kek"]);
            fs::write(at("wrapped"), [7; 60]).unwrap();
        }
        let before = names(&dir);
        bad(&dir, &args, code, &[]);
        assert_eq!(read(&dir, "out"), b"old", "{args:?}");
        assert_eq!(names(&dir), before, "{args:?}");
        let mut env = bulat(&dir);
        let ran = ran(env.env("BULAT_THREADS", "many").args(&args).output().unwrap());
        assert!(ran.code != Some(0) && read(&dir, "out") == b"old", "{args:?}: {}", ran.err);
    }
}

#[test]
fn a_file_that_is_encrypted_already_is_said_to_be() {
    let dir = ready();
    assert_eq!(run(&dir, &["encrypt", "-k", "key", "in"]).err, "");
    let ran = run(&dir, &["encrypt", "-k", "key", "in.bulat"]);
    check(&ran, &["again"], 0, &["warning: in.bulat: encrypted already"]);
    good(&dir, &["decrypt", "-k", "key", "-f", "in.bulat.bulat"]);
    good(&dir, &["decrypt", "-k", "key", "-f", "in.bulat"]);
    assert!(read(&dir, "in") == text(300_000));
    fs::write(dir.path().join("small"), "abc").unwrap();
    good(&dir, &["encrypt", "-k", "key", "small"]);
    let told = String::from_utf8(good(&dir, &["inspect", "small.bulat"])).unwrap();
    assert!(told.contains("3 bytes of plaintext in 1 chunk, if whole"), "{told}");
}

/// The mark would be part of the password, but nobody types it.
#[test]
fn a_byte_order_mark_in_a_password_is_refused() {
    let dir = ready();
    let wide = |bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
        "\u{feff}пароль".encode_utf16().flat_map(bytes).collect()
    };
    for (text, encoding) in [
        ("\u{feff}correct horse\n".as_bytes().to_vec(), "UTF-8"),
        (wide(u16::to_le_bytes), "UTF-16"),
        (wide(u16::to_be_bytes), "UTF-16"),
    ] {
        fs::write(dir.path().join("pw"), text).unwrap();
        let words = ["pw: the password begins with the byte-order mark of", encoding];
        bad(&dir, &["encrypt", "-p", "pw", "-o", "x", "in"], 2, &words);
        bad(&dir, &["volume", "create", "-p", "pw", "--size", "20M", "x"], 2, &words);
        bad(&dir, &["kdf", "pbkdf2", "-p", "pw", "--salt", "00", "--iterations", "1"], 2, &words);
        assert!(!dir.path().join("x").exists());
    }
}

#[test]
fn permissions_are_kept() {
    let dir = ready();
    let at = |name: &str| dir.path().join(name);
    // Independent of the test's own umask.
    let under = |umask: &str, args: &str| {
        let script = format!("umask {umask}; {BULAT} {args}");
        let done = ran(program("sh", &dir).args(["-c", &script]).output().unwrap());
        assert_eq!(done.code, Some(0), "{}", done.err);
    };
    for bits in [0o600, 0o640, 0o644, 0o400, 0o755, 0o666] {
        fs::set_permissions(at("in"), fs::Permissions::from_mode(bits)).unwrap();
        under("022", "encrypt -k key in");
        assert_eq!(mode(at("in.bulat")), bits & !0o022);
        under("022", "decrypt -k key -o back in.bulat");
        assert_eq!(mode(at("back")), bits & !0o022);
        for name in ["in.bulat", "back"] {
            fs::remove_file(at(name)).unwrap();
        }
    }
    // The umask applies, and a file that is overwritten does not become readable to more users.
    fs::set_permissions(at("in"), fs::Permissions::from_mode(0o644)).unwrap();
    under("022", "encrypt -k key in");
    under("077", "decrypt -k key -o mine in.bulat");
    assert_eq!(mode(at("mine")), 0o600);
    under("022", "decrypt -k key -f -o mine in.bulat");
    assert_eq!(mode(at("mine")), 0o600);
    // From a stream: the umask decides.
    let script = format!("umask 027; {BULAT} encrypt -k key -o streamed < /dev/null");
    let streamed =
        ran(program("sh", &dir).args(["-c", &format!("cat in | ({script})")]).output().unwrap());
    assert_eq!(streamed.code, Some(0), "{}", streamed.err);
    assert_eq!(mode(at("streamed")) & 0o027, 0);
    // Only their owner can read keys and unwrapped keys.
    good(&dir, &["key", "new", "--size", "64", "-o", "kek"]);
    good(&dir, &["wrap", "-k", "kek", "-o", "wrapped", "key"]);
    good(&dir, &["unwrap", "-k", "kek", "-o", "unwrapped", "wrapped"]);
    assert_eq!(mode(at("unwrapped")), 0o600);
    good(&dir, &["kdf", "kdf256", "-k", "key", "--label", "01", "--seed", "02", "-o", "derived"]);
    assert_eq!(mode(at("derived")), 0o600);
}

/// A file that the run reads, or also writes, is never overwritten, even with --force.
#[test]
fn outputs_are_apart() {
    let dir = ready();
    symlink("key", dir.path().join("alias")).unwrap();
    for args in [
        &["encrypt", "-f", "-k", "key", "-o", "key", "in"][..],
        &["encrypt", "-f", "-k", "key", "-o", "alias", "in"],
        &["encrypt", "-f", "-p", "pw", "-o", "pw", "in"],
    ] {
        bad(&dir, args, 2, &["same file", "-o"]);
    }
    let digits = String::from_utf8(read(&dir, "key")).unwrap();
    assert_eq!(digits.len(), 65, "the key is still there");
    let iv = "11".repeat(16);
    let raw = |more: &[&'static str]| {
        let all = ["raw", "encrypt", "-f", "--cipher", "kuznyechik-mgm", "-k", "key", "--iv"];
        let mut all: Vec<&str> = all.to_vec();
        all.push(&iv);
        all.extend(more);
        bad(&dir, &all, 2, &["same file"]);
    };
    raw(&["--tag-file", "in", "-o", "out", "in"]);
    raw(&["--tag-file", "out", "-o", "out", "in"]);
    raw(&["--tag-file", "key", "-o", "out", "in"]);
    raw(&["--tag-file", "tag", "-o", "key", "in"]);
    raw(&["--tag-file", "./out", "-o", "out", "in"]);
    let script = format!(
        "{BULAT} raw encrypt -f --cipher kuznyechik-mgm -k key --iv {iv} -o out --tag-file in <in"
    );
    let input = ran(program("sh", &dir).args(["-c", &script]).output().unwrap());
    assert_eq!(input.code, Some(2), "{}", input.err);
    bad(&dir, &["wrap", "-f", "-k", "key", "-o", "key", "other"], 2, &["same file"]);
    bad(&dir, &["unwrap", "-f", "-k", "key", "-o", "key", "in"], 2, &["same file"]);
    assert_eq!(read(&dir, "in"), text(300_000));
    // An existing tag file is refused before the work, and nothing is left behind.
    let args = ["raw", "encrypt", "--cipher", "kuznyechik-mgm", "-k", "key", "--iv", &iv];
    bad(&dir, &[&args[..], &["--tag-file", "pw", "-o", "out", "in"]].concat(), 3, &["pw"]);
    assert_eq!(names(&dir), ["alias", "in", "key", "other", "pw"]);
    // A dangling link is not replaced; "-" can be a file's name.
    symlink("nowhere", dir.path().join("link")).unwrap();
    bad(&dir, &["encrypt", "-f", "-k", "key", "-o", "link", "in"], 3, &["link", "missing file"]);
    good(&dir, &["encrypt", "-k", "key", "-o", "./-.bulat", "in"]);
    assert!(good(&dir, &["decrypt", "-k", "key", "--", "-.bulat"]).is_empty());
    assert_eq!(read(&dir, "-"), text(300_000));
}

/// Files with a stated length of 0 that return all of their content to the first read.
#[test]
fn files_of_the_system() {
    let dir = ready();
    let file = "/proc/sys/kernel/pid_max";
    let Ok(bytes) = fs::read(file) else { return println!("skipped: no {file}") };
    fs::write(dir.path().join("copy"), &bytes).unwrap();
    let of = |name: &str| good(&dir, &["hash", name])[..64].to_vec();
    assert_eq!(of(file), of("copy"));
}

/// A file that grows while it is read gives an error, or a container of its content at some moment.
#[test]
fn files_that_grow() {
    let dir = ready();
    let at = dir.path().join("in");
    for round in 0..60 {
        fs::write(&at, text(1_300_000)).unwrap();
        let run = bulat(&dir).args(["encrypt", "-k", "key", "-f", "-j", "3", "in"]).spawn();
        let mut run = run.unwrap();
        let mut file = fs::OpenOptions::new().append(true).open(&at).unwrap();
        // Bounded: slow encryption would never reach the end.
        for _ in 0..50 {
            if run.try_wait().unwrap().is_some() {
                break;
            }
            std::io::Write::write_all(&mut file, &[round; 90_000]).unwrap();
            std::thread::sleep(Duration::from_micros(300));
        }
        if run.wait().unwrap().success() {
            let back = good(&dir, &["decrypt", "-k", "key", "-o", "-", "in.bulat"]);
            assert!(fs::read(&at).unwrap().starts_with(&back));
        }
    }
}

/// A file that is cut and rewritten, to an equal length, while it is read as a stream.
#[test]
fn files_that_are_written_anew() {
    use std::io::Read as _;
    let dir = ready();
    let at = dir.path().join("in");
    for args in [
        &["encrypt", "-k", "key", "-o", "-"][..],
        &["encrypt", "-k", "key", "-o", "-", "in"],
        &["raw", "encrypt", "--cipher", "kuznyechik-ecb", "-k", "key"],
        &["raw", "encrypt", "--cipher", "kuznyechik-ecb", "-k", "key", "in"],
    ] {
        for jobs in ["-j1", "-j2"] {
            fs::write(&at, text(20_000_000)).unwrap();
            let mut command = bulat(&dir);
            command.args(args).arg(jobs).stdin(fs::File::open(&at).unwrap());
            command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
            let mut child = command.spawn().unwrap();
            // The program waits until this is read.
            let mut out = child.stdout.take().unwrap();
            out.read_exact(&mut [0; 1000]).unwrap();
            fs::write(&at, vec![7; 20_000_000]).unwrap();
            out.read_to_end(&mut Vec::new()).unwrap();
            let ran = ran(child.wait_with_output().unwrap());
            check(&ran, args, 3, &["changed while it was read"]);
        }
    }
}

/// A file that is rewritten during the work, from file to file; the program is stopped meanwhile.
#[test]
fn files_that_are_written_anew_between_files() {
    let dir = ready();
    let at = |name: &str| dir.path().join(name);
    let texts = [text(30_000_000), vec![7; 30_000_000]];
    let mut refused = 0;
    for _ in 0..20 {
        fs::write(at("in"), &texts[0]).unwrap();
        let mut command = bulat(&dir);
        command.args(["encrypt", "-k", "key", "-f", "-j1", "in"]);
        let mut child = command.stderr(std::process::Stdio::piped()).spawn().unwrap();
        let begun = || {
            let parts = names(&dir).into_iter().filter(|n| n.ends_with(".part"));
            parts.filter_map(|n| fs::metadata(at(&n)).ok()).any(|m| m.len() > 2_000_000)
        };
        while !begun() && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        let signal = |name: &str| {
            let id = child.id().to_string();
            let _ = std::process::Command::new("kill").args([&format!("-{name}"), &*id]).status();
        };
        signal("STOP");
        fs::write(at("in"), &texts[1]).unwrap();
        signal("CONT");
        let ran = ran(child.wait_with_output().unwrap());
        if ran.code == Some(0) {
            // The program had finished before.
            let back = good(&dir, &["decrypt", "-k", "key", "-o", "-", "in.bulat"]);
            assert!(texts.contains(&back), "a container of mixed contents");
            continue;
        }
        check(&ran, &["encrypt"], 3, &["changed while it was read"]);
        refused += 1;
        if refused == 3 {
            return;
        }
    }
    assert!(refused > 0, "never stopped in time");
}

#[test]
fn many_files_have_the_digests_that_each_has_alone() {
    let dir = ready();
    // Lengths around a block and around the size of a read, and more small files than one thread holds.
    let lens = [0, 1, 63, 64, 65, 131_071, 131_072, 131_073, 131_074, 262_144, 400_000];
    let lens: Vec<usize> = (0..90).map(|i| 20_000 + 997 * i).chain(lens).collect();
    let names: Vec<String> = (0..lens.len()).map(|i| format!("f{i:03}")).collect();
    for (name, len) in names.iter().zip(&lens) {
        fs::write(dir.path().join(name), text(*len)).unwrap();
    }
    for algorithm in ["streebog256", "streebog512", "gost94"] {
        let alone: Vec<Vec<u8>> =
            names.iter().map(|name| good(&dir, &["hash", "-a", algorithm, name])).collect();
        let list = alone.concat();
        for options in [&["-j1"][..], &["-j2"], &["-j5"], &["-j1", "--no-batch"], &["--no-batch"]] {
            let mut args = vec!["hash", "-a", algorithm];
            args.extend(options);
            args.extend(names.iter().map(String::as_str));
            assert!(good(&dir, &args) == list, "{algorithm} {options:?}");
        }
        fs::write(dir.path().join("list"), &list).unwrap();
        good(&dir, &["hash", "-c", "--quiet", "-a", algorithm, "list"]);
        // A file that cannot be read and one that differs are reported in their places, and the others are checked.
        fs::write(dir.path().join("f005"), "changed").unwrap();
        fs::rename(dir.path().join("f007"), dir.path().join("gone")).unwrap();
        let ran = bad(&dir, &["hash", "-c", "-a", algorithm, "list"], 1, &["f007: No such file"]);
        let lines: Vec<&str> = std::str::from_utf8(&ran.out).unwrap().lines().collect();
        for (i, (line, name)) in lines.iter().zip(&names).enumerate() {
            let verdict = match i {
                5 => "FAILED",
                7 => "FAILED open or read",
                _ => "OK",
            };
            assert_eq!(*line, format!("{name}: {verdict}"));
        }
        assert_eq!(lines.len(), names.len());
        fs::rename(dir.path().join("gone"), dir.path().join("f007")).unwrap();
        fs::write(dir.path().join("f005"), text(lens[5])).unwrap();
    }
}
