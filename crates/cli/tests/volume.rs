//! `bulat volume`: volumes are created, changed, refused, and killed during a change of the header.
#![cfg(unix)]

mod bin;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::time::{Duration, Instant};

use bin::*;
use bulat_block::hold::{self, Access};
use testkit::Random;

/// Creates a folder with the passwords one, two and three.
fn ready() -> TempDir {
    let dir = folder();
    for name in ["one", "two", "three"] {
        let path = dir.path().join(name);
        fs::write(&path, format!("{name}\n")).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o600)).unwrap();
    }
    dir
}

/// Options for a cheap key derivation.
const CHEAP: [&str; 4] = ["--pbkdf", "pbkdf2", "--iterations", "1000"];

fn volume(args: &[&str]) -> Vec<String> {
    ["volume"].iter().chain(args).map(|a| a.to_string()).collect()
}

fn cheap(args: &[&str]) -> Vec<String> {
    volume(&[&args[..1], &CHEAP, &args[1..]].concat())
}

#[track_caller]
fn does(dir: &TempDir, args: Vec<String>) -> String {
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    String::from_utf8(good(dir, &args)).unwrap()
}

#[track_caller]
fn refuses(dir: &TempDir, args: Vec<String>, code: i32, words: &[&str]) {
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    bad(dir, &args, code, words);
}

const SMALL: [&str; 4] = ["--size", "2M", "--header-size", "1M"];

fn make(dir: &TempDir, name: &str) {
    does(dir, cheap(&[&["create", "-p", "one"], &SMALL[..], &[name]].concat()));
}

#[test]
fn made_and_changed() {
    let dir = ready();
    make(&dir, "v");
    let mode = fs::metadata(dir.path().join("v")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let info = does(&dir, volume(&["info", "v"]));
    for word in ["LUKS2", "kuznyechik-xts-plain64", "keyslot 0, cipher aes-xts-plain64", "1048576"]
    {
        assert!(info.contains(word), "{word} in {info}");
    }
    let json = does(&dir, volume(&["info", "--json", "v"]));
    assert!(json.contains("\"keyslots\"") && json.contains("\"sequence\": 2"), "{json}");
    let verified = does(&dir, volume(&["verify", "-p", "one", "v"]));
    assert!(verified.ends_with("keyslot 0: opens\n"), "{verified}");
    let gost = ["add-key", "--gost", "-p", "one", "--new-password-file", "two", "v"];
    assert_eq!(does(&dir, cheap(&gost)), "keyslot 1\n");
    assert!(
        does(&dir, volume(&["info", "v"]))
            .contains("kuznyechik-xts-plain64, pbkdf pbkdf2, hash stribog512")
    );
    does(&dir, volume(&["verify", "-p", "two", "v"]));
    does(&dir, volume(&["backup-header", "-o", "backup", "v"]));
    // Without an option for the protection, the new keyslot has the opened keyslot's.
    does(&dir, volume(&["change-key", "-p", "two", "--new-password-file", "three", "v"]));
    assert!(does(&dir, volume(&["info", "v"])).contains("pbkdf pbkdf2, hash stribog512"));
    refuses(&dir, volume(&["verify", "-p", "two", "v"]), 4, &["wrong password or key"]);
    assert_eq!(does(&dir, volume(&["remove-key", "-p", "three", "v"])), "keyslot 1 is destroyed\n");
    refuses(&dir, volume(&["remove-key", "--slot", "0", "v"]), 2, &["the last", "--force"]);
    refuses(&dir, volume(&["remove-key", "--slot", "9", "v"]), 2, &["no keyslot 9"]);
    // By number: needs a password that stays.
    does(&dir, cheap(&["add-key", "-p", "one", "--new-password-file", "two", "--slot", "5", "v"]));
    let slot = |more: &[&str]| volume(&[&["remove-key", "--slot", "5"], more, &["v"]].concat());
    refuses(&dir, slot(&["-p", "two"]), 4, &["no keyslot but 5", "--force"]);
    refuses(&dir, slot(&["-p", "three"]), 4, &["no keyslot but 5"]);
    assert_eq!(does(&dir, slot(&["-p", "one"])), "keyslot 5 is destroyed\n");
    does(&dir, cheap(&["add-key", "-p", "one", "--new-password-file", "two", "--slot", "5", "v"]));
    assert_eq!(does(&dir, slot(&["--force"])), "keyslot 5 is destroyed\n");
    // The last keyslot, with --force and any password: there is no other to try it on.
    let last = ["remove-key", "--slot", "0", "--force", "-p", "one", "v"];
    assert_eq!(does(&dir, volume(&last)), "keyslot 0 is destroyed\n");
    does(&dir, volume(&["restore-header", "--from", "backup", "v"]));
    does(&dir, volume(&["verify", "-p", "two", "v"]));
    make(&dir, "other");
    refuses(
        &dir,
        volume(&["restore-header", "--from", "backup", "other"]),
        2,
        &["another volume", "--force"],
    );
    refuses(&dir, volume(&["restore-header", "other"]), 2, &["--from"]);
    refuses(&dir, volume(&["restore-header", "--from", "one", "other"]), 2, &["not a backup"]);
    // Errors of a backup name the backup, and never advise to overwrite the target.
    let whole = fs::read(dir.path().join("backup")).unwrap();
    fs::write(dir.path().join("cut"), &whole[..300_000]).unwrap();
    let hurt = |places: &[usize], sign: &[u8], name: &str| {
        let mut bytes = whole.clone();
        places.iter().for_each(|at| bytes[*at] ^= 0xff);
        bytes[512..512 + sign.len()].copy_from_slice(sign);
        fs::write(dir.path().join(name), bytes).unwrap();
    };
    hurt(&[5000, 16384 + 5000], b"", "hurt");
    hurt(&[5000], b"LABELONE", "mixed");
    for (from, code, what) in [
        ("cut", 5, "cut: cut short"),
        ("hurt", 5, "hurt: damaged"),
        ("mixed", 5, "mixed: one copy"),
    ] {
        let ran = bad(&dir, &["volume", "restore-header", "--from", from, "other"], code, &[what]);
        assert!(!ran.err.contains("to do:") && !ran.err.contains("other:"), "{}", ran.err);
    }
}

#[test]
fn nothing_is_overwritten_unasked() {
    let dir = ready();
    let at = |name: &str| dir.path().join(name);
    make(&dir, "v");
    let before = fs::read(at("v")).unwrap();
    let again = |more: &[&str], name: &str| {
        cheap(&[&["create", "-p", "two", "--header-size", "1M"], more, &[name]].concat())
    };
    refuses(&dir, again(&[], "v"), 2, &["v: there is a LUKS volume", "--force"]);
    refuses(&dir, again(&["--size", "2M"], "v"), 2, &["an existing file keeps its size"]);
    refuses(&dir, again(&[], "new"), 2, &["no such file", "--size"]);
    refuses(&dir, again(&["--size", "1M"], "small"), 2, &["too small"]);
    assert!(!at("small").exists() && !at("new").exists());
    assert!(fs::read(at("v")).unwrap() == before);
    let mut noise = vec![0; 2 << 20];
    noise[70_000] = 1;
    fs::write(at("data"), &noise).unwrap();
    refuses(&dir, again(&[], "data"), 2, &["there is data"]);
    noise[1080..1082].copy_from_slice(b"\x53\xef");
    fs::write(at("data"), &noise).unwrap();
    refuses(&dir, again(&[], "data"), 2, &["ext4"]);
    does(&dir, again(&["--force"], "data"));
    does(&dir, volume(&["verify", "-p", "two", "data"]));
    // --wipe overwrites more than the header.
    let mut later = vec![0; 2 << 20];
    later[3 << 19] = 1;
    fs::write(at("later"), &later).unwrap();
    refuses(&dir, again(&["--wipe"], "later"), 2, &["there is data"]);
    assert!(fs::read(at("later")).unwrap() == later);
    does(&dir, again(&[], "later"));
    fs::write(at("empty"), vec![0; 2 << 20]).unwrap();
    does(&dir, again(&["--wipe"], "empty"));
    let wiped = fs::read(at("empty")).unwrap();
    assert!(wiped[1 << 20..].chunks(4096).all(|sector| sector.iter().any(|b| *b != 0)));
    refuses(&dir, again(&["--force"], "."), 3, &["directory"]);
    // The password file cannot be the volume.
    refuses(&dir, again(&["--force"], "two"), 2, &["same file"]);
    let left = fs::read_dir(dir.path())
        .unwrap()
        .filter(|e| e.as_ref().unwrap().file_name().to_string_lossy().ends_with(".part"));
    assert_eq!(left.count(), 0);
}

/// Headers are written only where nothing is lost; after a refusal every byte is unchanged.
#[test]
fn headers_go_where_nothing_is_lost() {
    let dir = ready();
    make(&dir, "v");
    does(&dir, volume(&["backup-header", "-o", "backup", "v"]));
    let mut ext4 = vec![0; 2 << 20];
    ext4[1080..1082].copy_from_slice(b"\x53\xef");
    let mut lvm = fs::read(dir.path().join("v")).unwrap();
    lvm[..16384].fill(0);
    lvm[512..520].copy_from_slice(b"LABELONE");
    let kept = |name: &str, bytes: &[u8], args: &[&str], code: i32, words: &[&str]| {
        fs::write(dir.path().join(name), bytes).unwrap();
        refuses(&dir, volume(args), code, words);
        assert!(fs::read(dir.path().join(name)).unwrap() == bytes, "{args:?}");
    };
    let from = ["restore-header", "--from", "backup"];
    kept("ext4", &ext4, &[&from[..], &["ext4"]].concat(), 2, &["ext4 filesystem", "--force"]);
    does(&dir, volume(&[&from[..], &["--force", "ext4"]].concat()));
    does(&dir, volume(&["verify", "-p", "one", "ext4"]));
    kept("small", &[0; 1 << 19], &[&from[..], &["--force", "small"]].concat(), 5, &["cut short"]);
    kept("empty", &[], &[&from[..], &["empty"]].concat(), 5, &["cut short"]);
    // An old volume's remains at the place of the second copy.
    kept("lvm", &lvm, &["verify", "--repair", "lvm"], 5, &["LVM", "--repair --force"]);
    kept("lvm", &lvm, &["verify", "-p", "one", "lvm"], 5, &["LVM"]);
    let add = cheap(&["add-key", "-p", "one", "--new-password-file", "two", "lvm"]);
    refuses(&dir, add, 5, &["LVM"]);
    assert!(fs::read(dir.path().join("lvm")).unwrap() == lvm);
    refuses(&dir, volume(&["verify", "--force", "lvm"]), 2, &["--repair"]);
    does(&dir, volume(&["verify", "--repair", "--force", "-p", "one", "lvm"]));
    does(&dir, volume(&["verify", "-p", "one", "lvm"]));
    // VeraCrypt: its headers are noise, other data is not.
    let vera = |command: &str, args: &[&str]| {
        let hash = ["--type", "veracrypt", "--pim", "1", "--hash", "sha512"];
        volume(&[&[command][..], &hash, args].concat())
    };
    does(&dir, vera("create", &["-p", "one", "--size", "1M", "box"]));
    does(&dir, volume(&["backup-header", "--type", "veracrypt", "-o", "box.header", "box"]));
    let whole = fs::read(dir.path().join("box")).unwrap();
    let restore = |name| vera("restore-header", &["-p", "one", "--from", "box.header", name]);
    let mut ext4 = whole.clone();
    ext4[..131_072].fill(0);
    ext4[1080..1082].copy_from_slice(b"\x53\xef");
    for (name, bytes, words) in [
        ("ext4", ext4.clone(), "ext4"),
        ("noise", vec![0x5a; 1 << 20], "no header here opens"),
        ("short", vec![0; 1 << 19], "cut short"),
    ] {
        fs::write(dir.path().join(name), &bytes).unwrap();
        refuses(&dir, restore(name), if name == "short" { 5 } else { 2 }, &[words]);
        assert!(fs::read(dir.path().join(name)).unwrap() == bytes, "{name}");
    }
    // The old volume's header at the end opens, although a filesystem is there now.
    refuses(&dir, vera("restore-header", &["-p", "one", "ext4"]), 2, &["ext4", "--force"]);
    let change = vera("change-key", &["-p", "one", "--new-password-file", "two", "ext4"]);
    refuses(&dir, change, 2, &["ext4", "restore-header --type veracrypt --force"]);
    assert!(fs::read(dir.path().join("ext4")).unwrap() == ext4);
    does(&dir, vera("create", &["-p", "one", "--size", "1M", "other"]));
    refuses(&dir, restore("other"), 2, &["another volume"]);
    let mut hurt = whole.clone();
    hurt[..512].fill(0);
    fs::write(dir.path().join("box"), &hurt).unwrap();
    does(&dir, restore("box"));
    does(&dir, vera("verify", &["-p", "one", "box"]));
}

/// New passwords are at least as expensive to try as cryptsetup's. Unusual costs are reported.
#[test]
fn what_a_new_password_costs() {
    let dir = ready();
    make(&dir, "v");
    let new = |command: &str, more: &[&str], file: &str| {
        let size: &[&str] =
            if command == "create" { &SMALL } else { &["--new-password-file", "two"] };
        volume(&[&[command, "-p", "one"], size, more, &[file]].concat())
    };
    for (cost, words) in [
        (&["--pbkdf", "pbkdf2", "--iterations", "999"][..], "at least 1000 iterations"),
        (&["--gost", "--iterations", "1"], "at least 1000 iterations"),
        (&["--passes", "3"], "at least 4 passes"),
        (&["--memory", "31"], "from 32 KiB"),
        (&["--memory", "4194305"], "to 4194304 KiB"),
    ] {
        refuses(&dir, new("create", cost, "weak"), 2, &[words, "leave them out"]);
        for command in ["add-key", "change-key"] {
            refuses(&dir, new(command, cost, "v"), 2, &[words]);
        }
    }
    assert!(!dir.path().join("weak").exists());
    // There is no room, so no work is done.
    let much = ["create", "-p", "one", "--size", "1M", "--header-size", "1M", "--memory", "32"];
    let much = volume(&[&much[..], &["--passes", "4194304", "much"]].concat());
    refuses(&dir, much, 2, &["only with --max-memory 2097152", "too small"]);
}

/// Replaces words in both copies of a header's text.
fn with_text(mut bytes: Vec<u8>, from: &str, to: &str) -> Vec<u8> {
    let text = String::from_utf8(bytes[4096..16384].to_vec()).unwrap();
    assert!(text.contains(from), "{from} in {text}");
    let text = text.replace(from, to);
    for at in [0, 16384] {
        bytes[at + 4096..at + 16384].fill(0);
        let text = text.trim_end_matches('\0').as_bytes();
        bytes[at + 4096..at + 4096 + text.len()].copy_from_slice(text);
        bytes[at + 448..at + 512].fill(0);
        let sum = bulat_block::Hash::Sha256.digest(&[&bytes[at..at + 16384]]);
        bytes[at + 448..at + 480].copy_from_slice(&sum);
    }
    bytes
}

/// One thing that is not supported hides nothing else of a header, and the advice fits it.
#[test]
fn what_is_known_of_others_volumes() {
    let dir = ready();
    make(&dir, "v");
    let made = fs::read(dir.path().join("v")).unwrap();
    let slot = "keyslot 0, cipher aes-xts-plain64, pbkdf pbkdf2, hash";
    let requires = r#""config":{"requirements":{"mandatory":["online-reencrypt-v2"]},"#;
    let flagged = r#""segments":{"1":{"type":"crypt","offset":"1048576","size":"dynamic","iv_tweak":"0",
        "encryption":"aes-xts-plain64","sector_size":512,"flags":["backup-final"]},"#;
    for (from, to, shown, refused) in [
        (
            "kuznyechik-xts-plain64",
            "twofish-xts-plain64",
            &["twofish-xts-plain64\n", "second copy  good\n", slot][..],
            &["not supported: the cipher \"twofish", "to do: open it with cryptsetup"][..],
        ),
        (
            r#""hash":"sha256""#,
            r#""hash":"blake2b-512""#,
            &[
                "kuznyechik-xts-plain64\nkey bits     512\n",
                slot,
                "blake2b-512",
                "not supported the hash",
            ],
            &["not supported: the hash \"blake2b-512\"", "to do: open it with cryptsetup"],
        ),
        (
            r#""config":{"#,
            requires,
            &[
                "the requirement \"online-reencrypt-v2\"\nto do        finish the reencryption: cryptsetup",
                "segment 0, crypt, cipher kuznyechik-xts-plain64, sector 4096, offset 1048576, size dynamic\n",
                slot,
            ],
            &[
                "the requirement \"online-reencrypt-v2\"",
                "to do: finish the reencryption: cryptsetup",
            ],
        ),
        (
            r#""segments":{"#,
            flagged,
            &[
                "2 segments",
                "segment 1, crypt, cipher aes-xts-plain64",
                "flags backup-final\n",
                slot,
            ],
            &["not supported: 2 segments", "cryptsetup"],
        ),
        (
            r#""encryption":"aes-xts-plain64""#,
            r#""encryption":"serpent-xts-plain64""#,
            &["keyslot 0, cipher serpent-xts-plain64, pbkdf pbkdf2", "not supported the cipher"],
            &["keyslot 0: the cipher \"serpent"],
        ),
        (
            r#""type":"luks2""#,
            r#""type":"\u001b[2J""#,
            &["keyslot 0, [2J, cipher aes-xts-plain64"],
            &["not supported: a keyslot of the type \"\\u{1b}[2J\""],
        ),
    ] {
        let bytes = with_text(made.clone(), from, to);
        fs::write(dir.path().join("v"), &bytes).unwrap();
        let info = does(&dir, volume(&["info", "v"]));
        for word in ["format       LUKS2\nuuid", "not supported"].iter().chain(shown) {
            assert!(info.contains(word), "{word} in {info}");
        }
        does(&dir, volume(&["info", "--json", "v"]));
        refuses(&dir, volume(&["verify", "-p", "one", "v"]), 5, refused);
        assert!(fs::read(dir.path().join("v")).unwrap() == bytes);
    }
}

/// A token of another program stays when its password goes.
#[test]
fn tokens_of_keyslots() {
    let dir = ready();
    make(&dir, "v");
    let made = fs::read(dir.path().join("v")).unwrap();
    let token = r#""tokens":{"7":{"type":"systemd-recovery","keyslots":["0"]}}"#;
    fs::write(dir.path().join("v"), with_text(made, r#""tokens":{}"#, token)).unwrap();
    let shows = |line: &str| {
        let info = does(&dir, volume(&["info", "v"]));
        assert!(info.lines().any(|l| l == line), "{line} in {info}");
    };
    shows("token 7, systemd-recovery, keyslot 0");
    let json: serde_json::Value =
        serde_json::from_str(&does(&dir, volume(&["info", "--json", "v"]))).unwrap();
    let token = serde_json::json!({"token": 7, "type": "systemd-recovery", "keyslots": [0]});
    assert_eq!((&json["tokens"][0], &json["key bits"]), (&token, &512.into()));
    let says = |args: Vec<String>, words: &str| {
        let ran = run(&dir, &args.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        let remedy = "cryptsetup token remove --token-id 7 v";
        assert!(ran.err.contains(words) && ran.err.contains(remedy), "{}", ran.err);
    };
    let new = ["-p", "one", "--new-password-file", "two", "v"];
    says(cheap(&[&["change-key"], &new[..]].concat()), "token 7 (systemd-recovery) stays on this");
    does(&dir, cheap(&["add-key", "-p", "two", "--new-password-file", "three", "v"]));
    says(volume(&["remove-key", "-p", "two", "v"]), "token 7 (systemd-recovery) has lost this");
    shows("token 7, systemd-recovery, no keyslot");
}

/// A keyslot that is tried only by its number.
#[test]
fn a_keyslot_of_no_priority() {
    let dir = ready();
    make(&dir, "v");
    let made = fs::read(dir.path().join("v")).unwrap();
    let bytes = with_text(made, r#""type":"luks2""#, r#""type":"luks2","priority":0"#);
    fs::write(dir.path().join("v"), bytes).unwrap();
    let change = |more: &[&str]| {
        let args = ["change-key", "-p", "one", "--new-password-file", "two"];
        cheap(&[&args[..], more, &["v"]].concat())
    };
    refuses(&dir, change(&[]), 4, &["not tried: keyslot 0: its priority", "change-key", "--slot"]);
    does(&dir, change(&["--slot", "0"]));
}

/// A header of LUKS1 whose data is elsewhere is intact, and not supported.
#[test]
fn a_detached_header_of_luks1() {
    let dir = ready();
    let mut bytes = vec![0; 2 << 20];
    let mut put = |at: usize, text: &[u8]| bytes[at..at + text.len()].copy_from_slice(text);
    put(0, b"LUKS\xba\xbe\0\x01aes");
    put(40, b"xts-plain64");
    put(72, b"sha256");
    put(108, &64u32.to_be_bytes());
    put(164, &1000u32.to_be_bytes());
    for i in 0..8 {
        put(208 + 48 * i, &0xdeadu32.to_be_bytes());
        put(248 + 48 * i, &(8 + 504 * i as u32).to_be_bytes());
        put(252 + 48 * i, &4000u32.to_be_bytes());
    }
    fs::write(dir.path().join("h"), &bytes).unwrap();
    fs::write(dir.path().join("d"), vec![0; 1 << 20]).unwrap();
    let new = ["-p", "one", "--new-password-file", "two"];
    for command in [
        &["info"][..],
        &["verify", "-p", "one"],
        &["backup-header", "-o", "b"],
        &[&["add-key"], &new[..]].concat(),
        &[&["change-key"], &new[..]].concat(),
        &["remove-key", "-p", "one"],
        &["resize"],
    ] {
        for (header, file) in [(&[][..], "h"), (&["--header", "h"], "d")] {
            let args = volume(&[command, header, &[file]].concat());
            let words = ["h: not supported: a detached header of LUKS1", "to do: convert a copy"];
            refuses(&dir, args, 5, &words);
        }
    }
    assert!(fs::read(dir.path().join("h")).unwrap() == bytes && !dir.path().join("b").exists());
}

#[test]
fn refused_in_words() {
    let dir = ready();
    let at = |name: &str| dir.path().join(name);
    make(&dir, "v");
    refuses(&dir, volume(&["verify", "-p", "two", "v"]), 4, &["wrong password"]);
    refuses(&dir, volume(&["info", "one"]), 5, &["one: no LUKS header", "--type"]);
    let slot = ["remove-key", "--slot", "9", "-p", "one", "v"];
    refuses(&dir, volume(&slot), 2, &["there is no keyslot 9", "to do: see the keyslots"]);
    refuses(&dir, volume(&["info", "nothing"]), 3, &["nothing: No such file"]);
    refuses(&dir, volume(&["info", "-"]), 2, &["cannot be a stream"]);
    refuses(
        &dir,
        cheap(&["create", "-p", "one", "--cipher", "serpent-xts-plain64", "--size", "2M", "x"]),
        2,
        &["serpent"],
    );
    let limited = ["verify", "-p", "one", "--max-iterations", "1", "v"];
    refuses(&dir, volume(&limited), 2, &["refused before any work", "--max-iterations"]);
    let mut bytes = fs::read(at("v")).unwrap();
    bytes[5000] ^= 1;
    fs::write(at("v"), &bytes).unwrap();
    refuses(&dir, volume(&["verify", "-p", "one", "v"]), 5, &["one copy", "--repair"]);
    let said = does(&dir, volume(&["verify", "--repair", "-p", "one", "v"]));
    assert!(
        said.contains("first copy of the header: damaged: damaged header: wrong checksum"),
        "{said}"
    );
    does(&dir, volume(&["verify", "-p", "one", "v"]));
    // A program that holds the volume keeps others away.
    let held = fs::File::open(at("v")).unwrap();
    held.lock().unwrap();
    refuses(&dir, volume(&["verify", "v"]), 3, &["another program"]);
}

#[test]
fn veracrypt_volumes() {
    let dir = ready();
    fs::write(dir.path().join("keyfile"), [7; 1000]).unwrap();
    let vera = |command: &str, args: &[&str]| {
        volume(
            &[&[command, "--type", "veracrypt", "--pim", "1", "--hash", "sha512"], args].concat(),
        )
    };
    let keyfile = ["--keyfile", "keyfile"];
    does(&dir, vera("create", &[&["-p", "one", "--size", "1M"], &keyfile[..], &["v"]].concat()));
    let said = does(&dir, vera("verify", &[&["-p", "one"], &keyfile[..], &["v"]].concat()));
    assert_eq!(said, "volume: opens\nvolume, by its backup header: opens\n");
    refuses(&dir, vera("verify", &["-p", "one", "v"]), 4, &["wrong password"]);
    // Too little memory to try a password does not make it wrong.
    #[cfg(target_os = "linux")]
    {
        let verify = "volume verify --type veracrypt --hash argon2id --pim 9 -p one v";
        let script = format!("ulimit -v 200000; exec {BULAT} {verify}");
        let ran = ran(program("bash", &dir).args(["-c", &script]).output().unwrap());
        check(&ran, &[verify], 3, &["not enough memory"]);
    }
    does(
        &dir,
        vera(
            "change-key",
            &[&["-p", "one", "--new-password-file", "two"], &keyfile[..], &["v"]].concat(),
        ),
    );
    let mut bytes = fs::read(dir.path().join("v")).unwrap();
    bytes[100] ^= 1;
    fs::write(dir.path().join("v"), &bytes).unwrap();
    refuses(
        &dir,
        vera("verify", &[&["-p", "two"], &keyfile[..], &["v"]].concat()),
        5,
        &["the first header"],
    );
    does(&dir, vera("restore-header", &[&["-p", "two"], &keyfile[..], &["v"]].concat()));
    let info = does(&dir, vera("info", &[&["-p", "two"], &keyfile[..], &["v"]].concat()));
    assert!(info.contains("size         786432"), "{info}");
    refuses(&dir, vera("add-key", &["-p", "two", "v"]), 2, &["--type"]);
}

/// Killed at random moments while a key replaces another: each time one of the two opens the volume.
#[test]
fn killed_while_a_header_changes() {
    let kills = std::env::var("BULAT_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(30);
    let dir = ready();
    make(&dir, "v");
    let (mut old, mut new) = ("one", "two");
    let mut random = Random::new(7);
    let change = |old: &str, new: &str| {
        let mut command = bulat(&dir);
        command.args(cheap(&["change-key", "-p", old, "--new-password-file", new, "v"]));
        command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
        command
    };
    let begun = Instant::now();
    assert!(change(old, new).status().unwrap().success());
    let whole = begun.elapsed();
    (old, new) = (new, old);
    let opens = |password: &str| run(&dir, &["volume", "verify", "-p", password, "v"]).code;
    let (mut killed, mut changed) = (0, 0);
    for _ in 0..kills {
        let mut child = change(old, new).spawn().unwrap();
        std::thread::sleep(Duration::from_nanos(random.below(whole.as_nanos() as usize) as u64));
        let _ = child.kill();
        killed += usize::from(!child.wait().unwrap().success());
        // 5: it opens, but the two copies of the header differ.
        if !matches!(opens(old), Some(0 | 5)) {
            assert!(matches!(opens(new), Some(0 | 5)), "neither opens");
            (old, new) = (new, old);
            changed += 1;
        }
        // Mostly nobody repairs the copies after the kill.
        if random.below(4) == 0 {
            let _ = run(&dir, &["volume", "verify", "--repair", "v"]);
        }
    }
    println!("{kills} changes: {killed} killed, {changed} done; the volume opened each time");
    assert!(killed > 0);
}

/// An option that does not apply to the volume is refused before anything else.
#[test]
fn options_of_other_kinds() {
    let dir = ready();
    make(&dir, "v");
    let before = fs::read(dir.path().join("v")).unwrap();
    for (args, words) in [
        ("create --pim 3 --size 2M new", "--pim: not with --type luks"),
        ("create --hidden 1M v", "--hidden: not with --type luks"),
        ("create --type veracrypt --gost --size 2M new", "--gost: not with --type veracrypt"),
        ("create --type veracrypt --label x --size 2M new", "--label: not with --type veracrypt"),
        ("create --type veracrypt --size 2M --new-password-file two new", "only with --hidden"),
        ("create --type veracrypt --size 2M --hidden-pim 3 new", "only with --hidden"),
        ("create --type veracrypt --hidden 1M --wipe v", "--wipe"),
        ("create --iterations 5 --size 2M new", "--iterations: only with --pbkdf pbkdf2"),
        ("create --pbkdf pbkdf2 --memory 99 --size 2M new", "--memory: only with --pbkdf argon2id"),
        ("create --gost --passes 3 --size 2M new", "--passes: only with --pbkdf argon2id"),
        ("open --skip 3 --socket s v", "--skip: not with --type luks"),
        ("open --hash sha512 --socket s v", "--hash: not with --type luks"),
        ("open --type plain --slot 1 --socket s v", "--slot: not with --type plain"),
        ("open --type plain --max-memory 5 --socket s v", "--max-memory: not with --type plain"),
        ("open --type plain -p one --socket s v", "--password-file: not with --type plain"),
        ("open --type plain --socket s v", "no key given"),
        ("open --type veracrypt --sector-size 512 --socket s v", "--sector-size: not with"),
        ("open --type veracrypt --new-password-file two --socket s v", "only with --protect"),
        ("mount --format ext4 --read-only v d", "--read-only"),
        ("info -p one v", "--password-file: not with --type luks"),
        ("resize -p one v", "--password-file: not with --type luks"),
        ("change-key --type veracrypt --backup b v", "--backup: not with --type veracrypt"),
        ("info --type veracrypt --header one v", "--header: not with --type veracrypt"),
        ("open --type plain --header one --socket s v", "--header: not with --type plain"),
        ("change-key --keyfile one v", "--keyfile: not with --type luks"),
        ("change-key --type veracrypt --slot 0 v", "--slot: not with --type veracrypt"),
        ("restore-header -p one --from v v", "--password-file: not with --type luks"),
        ("verify --type veracrypt --repair v", "--repair: not with --type veracrypt"),
    ] {
        let args: Vec<&str> = args.split(' ').collect();
        refuses(&dir, volume(&args), 2, &[words]);
    }
    assert!(fs::read(dir.path().join("v")).unwrap() == before && !dir.path().join("new").exists());
}

/// `open` with a fake nbdkit that prints its arguments.
#[test]
fn opened_by_nbdkit() {
    use std::os::unix::net::UnixListener;
    let dir = ready();
    let at = |name: &str| dir.path().join(name);
    make(&dir, "v");
    fs::create_dir(at("programs")).unwrap();
    fs::write(at("programs/nbdkit"), "#!/bin/sh\nprintf '%s\\n' \"$@\"\ncat\n").unwrap();
    fs::set_permissions(at("programs/nbdkit"), fs::Permissions::from_mode(0o755)).unwrap();
    let open = |more: &str| {
        let mut command = bulat(&dir);
        let path = std::env::var("PATH").unwrap_or_default();
        command.env("PATH", format!("{}:{path}", at("programs").display()));
        command.args(["volume", "open"]).args(more.split(' '));
        ran(command.output().unwrap())
    };
    let said = |more: &str| {
        let ran = open(more);
        assert_eq!(ran.code, Some(0), "{more}: {}", ran.err);
        String::from_utf8(ran.out).unwrap()
    };
    let text = said("-p one --socket s v");
    for word in ["--foreground\n--threads\n", "type=luks\n", "max-memory=1048576\n", "\n6f6e65\n"] {
        assert!(text.contains(word), "{word} in {text}");
    }
    for word in ["pim", "cipher", "hidden", "slot"] {
        assert!(!text.contains(word), "{word} in {text}");
    }
    let socket = fs::canonicalize(dir.path()).unwrap().join("s");
    assert!(text.contains(&format!("--unix\n{}\n", socket.display())), "{text}");
    assert!(!text.contains("header="), "{text}");
    let text = said("-p one --header one --socket s v");
    assert!(text.contains("header=/") && text.contains("/one\nsecrets-fd=0\n"), "{text}");
    assert!(said("-p one --threads 7 --socket s v").contains("--threads\n7\n"));
    let text = said(
        "--type veracrypt -p one --keyfile one --pim 5 --protect --new-password-file two \
         --hidden-keyfile two --hidden-pim 6 --hidden-hash sha256 --socket s v",
    );
    for word in ["keyfile=/", "/one\npim=5\n", "/two\nhidden-pim=6\nhidden-hash=sha256\n"] {
        assert!(text.contains(word), "{word} in {text}");
    }
    assert!(text.contains("hidden-keyfile=/") && text.ends_with("\n6f6e65\n74776f\n"), "{text}");
    // A socket with a server, a socket without one, and a file that is not a socket.
    let listener = UnixListener::bind(at("s")).unwrap();
    let command = ["open", "-p", "one", "--socket", "s", "v"];
    refuses(&dir, volume(&command), 3, &["s: a server listens there", "--socket"]);
    drop(listener);
    assert!(at("s").exists());
    said("-p one --socket s v");
    assert!(!at("s").exists(), "it is in the way of the next");
    fs::write(at("s"), "a file").unwrap();
    refuses(&dir, volume(&command), 3, &["s: it exists and is not a socket"]);
    assert_eq!(fs::read(at("s")).unwrap(), b"a file");
    let nowhere = ["open", "-p", "one", "--socket", "no/s", "v"];
    refuses(&dir, volume(&nowhere), 3, &["no: no such folder", "mkdir -p -m 700"]);
}

/// Commands that only read a header work while another program has the volume.
#[test]
fn looked_at_while_in_use() {
    let dir = ready();
    make(&dir, "v");
    let held = fs::File::open(dir.path().join("v")).unwrap();
    held.lock().unwrap();
    assert!(does(&dir, volume(&["info", "v"])).contains("LUKS2"));
    does(&dir, volume(&["backup-header", "-o", "backup", "v"]));
    let add = cheap(&["add-key", "-p", "one", "--new-password-file", "two", "v"]);
    refuses(&dir, add, 3, &["another program has it open", "info and backup-header still work"]);
    // Dropped, it stays locked while a child that another test forks has it, too.
    held.unlock().unwrap();
    // The header is copied only while nobody changes it.
    let changed = hold::open(&dir.path().join("v"), Access::Write).unwrap();
    let again = volume(&["backup-header", "-o", "again", "v"]);
    refuses(&dir, again, 3, &["another program reads or changes its header", "again when"]);
    drop(changed);
    std::thread::sleep(std::time::Duration::from_millis(500));
    does(&dir, volume(&["restore-header", "--from", "backup", "v"]));
}

#[test]
fn a_file_that_grows() {
    let dir = ready();
    let at = |name: &str| dir.path().join(name);
    let longer = |name: &str, len: u64| {
        fs::File::options().write(true).open(at(name)).unwrap().set_len(len).unwrap();
    };
    make(&dir, "v");
    longer("v", 3 << 20);
    let said = does(&dir, volume(&["resize", "v"]));
    assert!(said.contains("follows the size of the file: 2097152 bytes"), "{said}");
    let vera = ["--type", "veracrypt", "--pim", "1", "--hash", "sha512", "-p"];
    let box_ =
        |command: &str, more: &[&str]| volume(&[&[command][..], &vera, more, &["box"]].concat());
    does(&dir, box_("create", &["one", "--size", "1M"]));
    refuses(&dir, box_("resize", &["one"]), 2, &["box: it has not grown"]);
    longer("box", (1 << 20) + (64 << 10));
    refuses(&dir, box_("resize", &["one"]), 2, &["at least 1179648 bytes"]);
    longer("box", 2 << 20);
    let tried = ["wrong password", "; the headers of: volume)"];
    refuses(&dir, box_("resize", &["two"]), 4, &tried);
    refuses(&dir, box_("verify", &["one"]), 5, &["the backup header does not open"]);
    let change = box_("change-key", &["one", "--new-password-file", "two"]);
    refuses(&dir, change, 2, &["box: the volume ends at byte 1048576", "volume resize"]);
    assert_eq!(does(&dir, box_("resize", &["one"])), "the data has 1835008 bytes now\n");
    does(&dir, box_("verify", &["one"]));
    assert!(does(&dir, box_("info", &["one"])).contains("size         1835008"));
}

/// A full area of keyslots: the password is changed in its place, after a backup.
#[test]
fn changed_in_place() {
    let dir = ready();
    let at = |name: &str| dir.path().join(name);
    let size = (32 + 252) << 10;
    let size = ["--size", "2M", "--header-size", &format!("{size}")];
    does(&dir, cheap(&[&["create", "-p", "one"], &size[..], &["v"]].concat()));
    let before = fs::read(at("v")).unwrap();
    let new = ["-p", "one", "--new-password-file", "two"];
    let change = |more: &[&str]| cheap(&[&["change-key"], &new[..], more, &["v"]].concat());
    refuses(&dir, change(&[]), 2, &["no room", "remove a keyslot", "--backup FILE"]);
    refuses(&dir, cheap(&[&["add-key"], &new[..], &["v"]].concat()), 2, &["no room", "remove"]);
    refuses(&dir, change(&["--backup", "one"]), 3, &["one: already exists"]);
    refuses(&dir, change(&["--backup", "/dev/null"]), 3, &["/dev/null: already exists"]);
    refuses(&dir, change(&["--backup", "-"]), 2, &["it must be a file"]);
    refuses(&dir, change(&["--backup", "no/b"]), 3, &["no"]);
    let cheaper = volume(&["change-key", "--memory", "1", "--backup", "b", "-p", "one", "v"]);
    refuses(&dir, cheaper, 2, &["32 KiB"]);
    assert!(fs::read(at("v")).unwrap() == before && !at("b").exists());
    let args = change(&["--backup", "b"]);
    let said = run(&dir, &args.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(
        said.code == Some(0) && said.err.contains("b: with this backup the old"),
        "{}",
        said.err
    );
    assert_eq!(fs::metadata(at("b")).unwrap().permissions().mode() & 0o777, 0o600);
    refuses(&dir, volume(&["verify", "-p", "one", "v"]), 4, &["wrong password"]);
    does(&dir, volume(&["verify", "-p", "two", "v"]));
    does(&dir, volume(&["verify", "-p", "one", "--header", "b", "v"]));
    refuses(&dir, volume(&["restore-header", "--from", "b", "v"]), 2, &["no room", "--force"]);
    does(&dir, volume(&["restore-header", "--force", "--from", "b", "v"]));
    // With room there is no backup, which would keep the old password alive.
    make(&dir, "roomy");
    does(&dir, cheap(&[&["change-key", "--backup", "c"], &new[..], &["roomy"]].concat()));
    assert!(!at("c").exists());
    does(&dir, volume(&["verify", "-p", "one", "v"]));
}

/// The header of LUKS2 in a file of its own.
#[test]
fn detached_headers() {
    let dir = ready();
    let at = |name: &str| dir.path().join(name);
    does(&dir, cheap(&[&["create", "-p", "one", "--header", "h"], &SMALL[..], &["v"]].concat()));
    assert!(fs::read(at("v")).unwrap() == vec![0; 2 << 20], "all of it is data");
    for name in ["h", "v"] {
        assert_eq!(fs::metadata(at(name)).unwrap().permissions().mode() & 0o777, 0o600);
    }
    let with = |command: &str, more: &[&str]| {
        volume(&[&[command, "--header", "h"], more, &["v"]].concat())
    };
    let info = does(&dir, with("info", &[]));
    for word in ["offset       0\n", "size         2097152\n", "keyslot 0"] {
        assert!(info.contains(word), "{word} in {info}");
    }
    // Data without its header.
    refuses(&dir, volume(&["info", "v"]), 5, &["v: no LUKS header"]);
    let old = ["-p", "one", "--new-password-file", "two"];
    let add = [&CHEAP[..], &old].concat();
    assert_eq!(does(&dir, with("add-key", &add)), "keyslot 1\n");
    let new = ["-p", "two", "--new-password-file", "three"];
    does(&dir, with("change-key", &[&CHEAP[..], &new].concat()));
    assert!(does(&dir, with("verify", &["-p", "three"])).contains("keyslot 1: opens"));
    does(&dir, with("backup-header", &["-o", "backup"]));
    assert_eq!(fs::metadata(at("backup")).unwrap().len(), 1 << 20);
    assert_eq!(does(&dir, with("remove-key", &["-p", "three"])), "keyslot 1 is destroyed\n");
    refuses(&dir, with("verify", &["-p", "three"]), 4, &["h: wrong password"]);
    does(&dir, with("restore-header", &["--from", "backup"]));
    does(&dir, with("verify", &["-p", "three"]));
    // A backup is itself such a header.
    does(&dir, volume(&["verify", "-p", "three", "--header", "backup", "v"]));
    // A damaged copy.
    let mut bytes = fs::read(at("h")).unwrap();
    bytes[5000] ^= 1;
    fs::write(at("h"), &bytes).unwrap();
    refuses(&dir, with("verify", &["-p", "one"]), 5, &["h: one copy", "--repair"]);
    does(&dir, with("verify", &["--repair"]));
    does(&dir, with("verify", &["-p", "one"]));
    // Nothing is overwritten unasked.
    let whole = fs::read(at("h")).unwrap();
    let again = |header: &str, file: &str, more: &[&str]| {
        let create = ["create", "-p", "two", "--header-size", "1M", "--header", header];
        cheap(&[&create[..], more, &[file]].concat())
    };
    for force in [&[][..], &["--force"]] {
        refuses(
            &dir,
            again("h", "v", force),
            2,
            &["h: there is a LUKS header", "remove that file"],
        );
    }
    fs::write(at("luks1"), [b"LUKS\xba\xbe\0\x01", &[0; 2 << 20][..]].concat()).unwrap();
    refuses(&dir, again("luks1", "v", &["--force"]), 2, &["luks1: there is a LUKS header"]);
    refuses(&dir, again("new", "luks1", &["--force"]), 2, &["luks1: there is", "--force --wipe"]);
    refuses(&dir, again("-", "v", &[]), 2, &["cannot be a stream"]);
    refuses(&dir, again("v", "v", &[]), 2, &["the same file"]);
    for command in [
        &["info"][..],
        &["verify"],
        &["restore-header", "--force", "--from", "h"],
        &["open", "-p", "one", "--socket", "s"],
    ] {
        let args = volume(&[command, &["--header", "v", "v"]].concat());
        refuses(&dir, args, 2, &["v: the volume and its header are the same file"]);
    }
    refuses(&dir, again("new", "new", &["--size", "2M"]), 2, &["the same file"]);
    refuses(&dir, again("new", "other", &[]), 2, &["other: no such file", "--size"]);
    let mut ext4 = vec![0; 2 << 20];
    ext4[1080..1082].copy_from_slice(b"\x53\xef");
    fs::write(at("ext4"), &ext4).unwrap();
    refuses(&dir, again("new", "ext4", &[]), 2, &["ext4: there is an ext2", "--force"]);
    fs::write(at("small"), [0; 100]).unwrap();
    refuses(&dir, again("small", "v", &[]), 2, &["small: too small"]);
    refuses(&dir, again("new", "tiny", &["--size", "512"]), 2, &["no room for data"]);
    assert!(!at("tiny").exists());
    assert!(!at("new").exists() && fs::read(at("h")).unwrap() == whole);
    does(&dir, again("new", "ext4", &["--force"]));
    assert!(fs::read(at("ext4")).unwrap() == ext4, "only the header is written");
    fs::remove_file(at("h")).unwrap();
    does(&dir, again("h", "v", &["--force", "--wipe"]));
    assert!(fs::read(at("v")).unwrap().chunks(4096).all(|s| s.iter().any(|b| *b != 0)));
    does(&dir, with("verify", &["-p", "two"]));
    // A header that is not detached, and its backup.
    make(&dir, "attached");
    does(&dir, volume(&["backup-header", "-o", "its", "attached"]));
    does(&dir, volume(&["verify", "-p", "one", "--header", "its", "attached"]));
    fs::write(at("short"), &fs::read(at("attached")).unwrap()[..1 << 19]).unwrap();
    let short = volume(&["info", "--header", "its", "short"]);
    refuses(&dir, short, 5, &["short: cut short: the data begins at"]);
    refuses(&dir, with("restore-header", &["--from", "its"]), 2, &["another volume", "--force"]);
    let put = volume(&["restore-header", "--from", "backup", "attached"]);
    refuses(&dir, put, 2, &["attached: the backup is of another volume", "--force"]);
    // A header that ends early, with both copies.
    fs::write(at("h"), &whole[..40 << 10]).unwrap();
    refuses(&dir, with("verify", &["-p", "one"]), 5, &["h: cut short: the header has"]);
}

/// A detached header without its data: everything but what needs the data.
#[test]
fn a_detached_header_alone() {
    let dir = ready();
    let at = |name: &str| dir.path().join(name);
    does(&dir, cheap(&[&["create", "-p", "one", "--header", "h"], &SMALL[..], &["v"]].concat()));
    fs::rename(at("v"), at("away")).unwrap();
    let alone = |command: &str, more: &[&str]| volume(&[&[command], more, &["h"]].concat());
    let info = does(&dir, alone("info", &[]));
    assert!(info.contains("offset       0\n") && !info.contains("size "), "{info}");
    assert!(!does(&dir, alone("info", &["--json"])).contains("\"size\""));
    let added = [&CHEAP[..], &["-p", "one", "--new-password-file", "two"]].concat();
    assert_eq!(does(&dir, alone("add-key", &added)), "keyslot 1\n");
    let new = [&CHEAP[..], &["-p", "two", "--new-password-file", "three"]].concat();
    does(&dir, alone("change-key", &new));
    let said = does(&dir, alone("verify", &["-p", "three"]));
    assert!(said.contains("keyslot 1: opens\ndata: not checked"), "{said}");
    refuses(&dir, alone("verify", &["-p", "two"]), 4, &["h: wrong password"]);
    does(&dir, alone("backup-header", &["-o", "backup"]));
    assert!(fs::read(at("backup")).unwrap().len() == 1 << 20);
    assert_eq!(does(&dir, alone("remove-key", &["-p", "three"])), "keyslot 1 is destroyed\n");
    refuses(&dir, alone("remove-key", &["-p", "one"]), 2, &["the last that opens", "--force"]);
    does(&dir, alone("restore-header", &["--from", "backup"]));
    does(&dir, alone("verify", &["-p", "three"]));
    // Either copy can be damaged.
    for copy in [5000, 0x4000 + 5000] {
        let mut bytes = fs::read(at("h")).unwrap();
        bytes[copy] ^= 1;
        fs::write(at("h"), &bytes).unwrap();
        refuses(&dir, alone("verify", &["-p", "one"]), 5, &["h: one copy", "--repair"]);
        does(&dir, alone("verify", &["--repair"]));
        does(&dir, alone("verify", &["-p", "one"]));
    }
    // Its own volume only.
    make(&dir, "attached");
    does(&dir, volume(&["backup-header", "-o", "its", "attached"]));
    refuses(&dir, alone("restore-header", &["--from", "its"]), 2, &["another volume", "--force"]);
    // These need the data.
    let without = ["h: a detached header", "to do: name its data, and this file with --header"];
    refuses(&dir, alone("resize", &[]), 5, &without);
    // A backup of it, where nothing is left, and where something else is.
    let whole = fs::read(at("h")).unwrap();
    let put = |more: &[&str]| alone("restore-header", &[&["--from", "backup"], more].concat());
    fs::write(at("h"), vec![0; whole.len()]).unwrap();
    does(&dir, put(&[]));
    does(&dir, alone("verify", &["-p", "three"]));
    fs::write(at("h"), vec![7; whole.len()]).unwrap();
    refuses(&dir, put(&[]), 2, &["h: there is no LUKS2 header", "--force"]);
    assert!(fs::read(at("h")).unwrap() == vec![7; whole.len()]);
    does(&dir, put(&["--force"]));
    does(&dir, alone("verify", &["-p", "three"]));
    // Its end is missing.
    fs::write(at("h"), &whole[..40 << 10]).unwrap();
    let short =
        ["h: cut short: the header has 1048576 bytes, but there are 40960", "copy the whole"];
    refuses(&dir, alone("verify", &[]), 5, &short);
    refuses(&dir, alone("info", &[]), 5, &short);
    // Data over all but the second copy: nothing writes there unasked.
    let mut noise = vec![0; whole.len()];
    Random::new(1).fill(&mut noise);
    noise[0x4000..0x8000].copy_from_slice(&whole[0x4000..0x8000]);
    fs::write(at("h"), &noise).unwrap();
    let words = ["h: one copy of a LUKS2 header is good, but there is data", "--repair --force"];
    for args in [
        alone("info", &[]),
        alone("verify", &[]),
        alone("verify", &["--repair"]),
        alone("add-key", &added),
        alone("change-key", &new),
        alone("remove-key", &["--slot", "0", "--force"]),
    ] {
        refuses(&dir, args, 5, &words);
    }
    refuses(&dir, put(&[]), 2, &["h: one copy of a LUKS2 header", "--force"]);
    assert!(fs::read(at("h")).unwrap() == noise);
    does(&dir, alone("verify", &["--repair", "--force"]));
    does(&dir, alone("verify", &[]));
    fs::write(at("h"), &whole).unwrap();
    // The data follows all of that.
    fs::rename(at("away"), at("v")).unwrap();
    for password in ["one", "three"] {
        does(&dir, volume(&["verify", "-p", password, "--header", "h", "v"]));
    }
}

#[test]
fn hidden_volumes_of_veracrypt() {
    let dir = ready();
    fs::write(dir.path().join("kf"), "a keyfile").unwrap();
    let outer = ["--type", "veracrypt", "--pim", "1", "--hash", "sha512", "-p", "one"];
    let inner = ["--hidden-pim", "2", "--hidden-keyfile", "kf", "--hidden-hash", "sha256"];
    let vera = |command: &str, more: &[&str]| volume(&[&[command][..], &outer, more].concat());
    does(&dir, vera("create", &["--size", "1M", "v"]));
    let new = ["--hidden", "256K", "--new-password-file", "two"];
    does(&dir, vera("create", &[&new[..], &inner, &["v"]].concat()));
    let info = ["info", "--type", "veracrypt", "--pim", "2", "--keyfile", "kf", "--hash", "sha256"];
    let info = does(&dir, volume(&[&info[..], &["-p", "two", "v"]].concat()));
    assert!(info.contains("hidden volume") && info.contains("sha256"), "{info}");
    let words =
        ["wrong password", "tried: all ciphers", "the hashes sha512", "by its backup header"];
    refuses(
        &dir,
        vera(
            "create",
            &[&["--hidden", "256K", "--new-password-file", "two", "--keyfile", "kf"][..], &["v"]]
                .concat(),
        ),
        4,
        &words,
    );
    // The user chooses the PIM, not the header: only VeraCrypt's own limit applies.
    refuses(
        &dir,
        volume(&["info", "--type", "veracrypt", "--pim", "2147469", "-p", "one", "v"]),
        2,
        &["at most 2147468"],
    );
}
