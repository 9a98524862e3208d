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
        secret(&dir, name, &format!("{name}\n"));
    }
    dir
}

/// Adds the options of a cheap key derivation.
fn cheap(line: &str) -> String {
    format!("{line} --pbkdf pbkdf2 --iterations 1000")
}

#[track_caller]
fn does(dir: &TempDir, line: &str) -> String {
    said(dir, &format!("volume {line}"))
}

#[track_caller]
fn refuses(dir: &TempDir, line: &str, code: i32, words: &[&str]) -> Ran {
    bad(dir, &format!("volume {line}"), code, words)
}

/// The sizes of a small volume.
const SMALL: &str = "--size 2M --header-size 1M";

fn make(dir: &TempDir, name: &str) {
    does(dir, &cheap(&format!("create -p one {SMALL} {name}")));
}

#[test]
fn made_and_changed() {
    let dir = ready();
    make(&dir, "v");
    assert_eq!(mode(dir.path().join("v")), 0o600);
    let info = does(&dir, "info v");
    for word in ["LUKS2", "kuznyechik-xts-plain64", "keyslot 0, cipher aes-xts-plain64", "1048576"]
    {
        assert!(info.contains(word), "{word} in {info}");
    }
    let json = does(&dir, "info --json v");
    assert!(json.contains("\"keyslots\"") && json.contains("\"sequence\": 2"), "{json}");
    let verified = does(&dir, "verify -p one v");
    assert!(verified.ends_with("keyslot 0: opens\n"), "{verified}");
    let gost = cheap("add-key --gost -p one --new-password-file two v");
    assert_eq!(does(&dir, &gost), "keyslot 1\n");
    assert!(does(&dir, "info v").contains("kuznyechik-xts-plain64, pbkdf pbkdf2, hash stribog512"));
    does(&dir, "verify -p two v");
    does(&dir, "backup-header -o backup v");
    // Without an option for the protection, the new keyslot has the opened keyslot's.
    does(&dir, "change-key -p two --new-password-file three v");
    assert!(does(&dir, "info v").contains("pbkdf pbkdf2, hash stribog512"));
    refuses(&dir, "verify -p two v", 4, &["wrong password or key"]);
    assert_eq!(does(&dir, "remove-key -p three v"), "keyslot 1 is destroyed\n");
    refuses(&dir, "remove-key --slot 0 v", 2, &["the last", "--force"]);
    refuses(&dir, "remove-key --slot 9 v", 2, &["no keyslot 9"]);
    // By number: needs a password that stays.
    does(&dir, &cheap("add-key -p one --new-password-file two --slot 5 v"));
    let slot = "remove-key v --slot 5";
    refuses(&dir, &format!("{slot} -p two"), 4, &["no keyslot but 5", "--force"]);
    refuses(&dir, &format!("{slot} -p three"), 4, &["no keyslot but 5"]);
    assert_eq!(does(&dir, &format!("{slot} -p one")), "keyslot 5 is destroyed\n");
    does(&dir, &cheap("add-key -p one --new-password-file two --slot 5 v"));
    assert_eq!(does(&dir, &format!("{slot} --force")), "keyslot 5 is destroyed\n");
    // The last keyslot, with --force and any password: there is no other to try it on.
    let last = "remove-key --slot 0 --force -p one v";
    assert_eq!(does(&dir, last), "keyslot 0 is destroyed\n");
    does(&dir, "restore-header --from backup v");
    does(&dir, "verify -p two v");
    make(&dir, "other");
    refuses(&dir, "restore-header --from backup other", 2, &["another volume", "--force"]);
    refuses(&dir, "restore-header other", 2, &["--from"]);
    refuses(&dir, "restore-header --from one other", 2, &["not a backup"]);
    // Errors of a backup name the backup, and never advise to overwrite the target.
    let whole = read(&dir, "backup");
    put(&dir, "cut", &whole[..300_000]);
    let hurt = |places: &[usize], sign: &[u8], name: &str| {
        let mut bytes = whole.clone();
        places.iter().for_each(|at| bytes[*at] ^= 0xff);
        bytes[512..512 + sign.len()].copy_from_slice(sign);
        put(&dir, name, bytes);
    };
    hurt(&[5000, 16384 + 5000], b"", "hurt");
    hurt(&[5000], b"LABELONE", "mixed");
    for (from, what) in
        [("cut", "cut: cut short"), ("hurt", "hurt: damaged"), ("mixed", "mixed: one copy")]
    {
        let ran = refuses(&dir, &format!("restore-header --from {from} other"), 5, &[what]);
        assert!(!ran.err.contains("to do:") && !ran.err.contains("other:"), "{}", ran.err);
    }
}

#[test]
fn nothing_is_overwritten_unasked() {
    let dir = ready();
    let at = |name: &str| dir.path().join(name);
    make(&dir, "v");
    let before = read(&dir, "v");
    let again = |line: &str| cheap(&format!("create -p two --header-size 1M {line}"));
    refuses(&dir, &again("v"), 2, &["v: there is a LUKS volume", "--force"]);
    refuses(&dir, &again("--size 2M v"), 2, &["an existing file keeps its size"]);
    refuses(&dir, &again("new"), 2, &["no such file", "--size"]);
    refuses(&dir, &again("--size 1M small"), 2, &["too small"]);
    assert!(!at("small").exists() && !at("new").exists());
    assert!(read(&dir, "v") == before);
    let mut noise = vec![0; 2 << 20];
    noise[70_000] = 1;
    put(&dir, "data", &noise);
    refuses(&dir, &again("data"), 2, &["there is data"]);
    noise[1080..1082].copy_from_slice(b"\x53\xef");
    put(&dir, "data", &noise);
    refuses(&dir, &again("data"), 2, &["ext4"]);
    does(&dir, &again("--force data"));
    does(&dir, "verify -p two data");
    // --wipe overwrites more than the header.
    let mut later = vec![0; 2 << 20];
    later[3 << 19] = 1;
    put(&dir, "later", &later);
    refuses(&dir, &again("--wipe later"), 2, &["there is data"]);
    assert!(read(&dir, "later") == later);
    does(&dir, &again("later"));
    put(&dir, "empty", vec![0; 2 << 20]);
    does(&dir, &again("--wipe empty"));
    let wiped = &read(&dir, "empty")[1 << 20..];
    assert!(wiped.chunks(4096).all(|sector| sector.iter().any(|b| *b != 0)));
    refuses(&dir, &again("--force ."), 3, &["directory"]);
    // The password file cannot be the volume.
    refuses(&dir, &again("--force two"), 2, &["same file"]);
    assert!(!names(&dir).iter().any(|name| name.ends_with(".part")));
}

/// Headers are written only where nothing is lost; after a refusal every byte is unchanged.
#[test]
fn headers_go_where_nothing_is_lost() {
    let dir = ready();
    make(&dir, "v");
    does(&dir, "backup-header -o backup v");
    let mut ext4 = vec![0; 2 << 20];
    ext4[1080..1082].copy_from_slice(b"\x53\xef");
    let mut lvm = read(&dir, "v");
    lvm[..16384].fill(0);
    lvm[512..520].copy_from_slice(b"LABELONE");
    let kept = |name: &str, bytes: &[u8], line: &str, code: i32, words: &[&str]| {
        put(&dir, name, bytes);
        refuses(&dir, &format!("{line} {name}"), code, words);
        assert!(read(&dir, name) == bytes, "{line}");
    };
    let from = "restore-header --from backup";
    kept("ext4", &ext4, from, 2, &["ext4 filesystem", "--force"]);
    does(&dir, &format!("{from} --force ext4"));
    does(&dir, "verify -p one ext4");
    kept("small", &[0; 1 << 19], &format!("{from} --force"), 5, &["cut short"]);
    kept("empty", &[], from, 5, &["cut short"]);
    // An old volume's remains at the place of the second copy.
    kept("lvm", &lvm, "verify --repair", 5, &["LVM", "--repair --force"]);
    kept("lvm", &lvm, "verify -p one", 5, &["LVM"]);
    kept("lvm", &lvm, &cheap("add-key -p one --new-password-file two"), 5, &["LVM"]);
    refuses(&dir, "verify --force lvm", 2, &["--repair"]);
    does(&dir, "verify --repair --force -p one lvm");
    does(&dir, "verify -p one lvm");
    // VeraCrypt: its headers are noise, other data is not.
    let vera = |line: &str| format!("{line} --type veracrypt --pim 1 --hash sha512");
    does(&dir, &vera("create -p one --size 1M box"));
    does(&dir, "backup-header --type veracrypt -o box.header box");
    let whole = read(&dir, "box");
    let restore = vera("restore-header -p one --from box.header");
    let mut ext4 = whole.clone();
    ext4[..131_072].fill(0);
    ext4[1080..1082].copy_from_slice(b"\x53\xef");
    for (name, bytes, words) in [
        ("ext4", ext4.clone(), "ext4"),
        ("noise", vec![0x5a; 1 << 20], "no header here opens"),
        ("short", vec![0; 1 << 19], "cut short"),
    ] {
        kept(name, &bytes, &restore, if name == "short" { 5 } else { 2 }, &[words]);
    }
    // The old volume's header at the end opens, although a filesystem is there now.
    kept("ext4", &ext4, &vera("restore-header -p one"), 2, &["ext4", "--force"]);
    let words = ["ext4", "restore-header --type veracrypt --force"];
    kept("ext4", &ext4, &vera("change-key -p one --new-password-file two"), 2, &words);
    does(&dir, &vera("create -p one --size 1M other"));
    refuses(&dir, &format!("{restore} other"), 2, &["another volume"]);
    let mut hurt = whole.clone();
    hurt[..512].fill(0);
    put(&dir, "box", &hurt);
    does(&dir, &format!("{restore} box"));
    does(&dir, &vera("verify -p one box"));
}

/// New passwords are at least as expensive to try as cryptsetup's. Unusual costs are reported.
#[test]
fn what_a_new_password_costs() {
    let dir = ready();
    make(&dir, "v");
    for (cost, words) in [
        ("--pbkdf pbkdf2 --iterations 999", "at least 1000 iterations"),
        ("--gost --iterations 1", "at least 1000 iterations"),
        ("--passes 3", "at least 4 passes"),
        ("--memory 31", "from 32 KiB"),
        ("--memory 4194305", "to 4194304 KiB"),
    ] {
        let create = format!("create -p one {SMALL} {cost} weak");
        refuses(&dir, &create, 2, &[words, "leave them out"]);
        for command in ["add-key", "change-key"] {
            let line = format!("{command} -p one --new-password-file two {cost} v");
            refuses(&dir, &line, 2, &[words]);
        }
    }
    assert!(!dir.path().join("weak").exists());
    // There is no room, so no work is done.
    let much = "create -p one --size 1M --header-size 1M --memory 32 --passes 4194304 much";
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
    let made = read(&dir, "v");
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
            &["xts-plain64\nkey bits     512\n", slot, "blake2b-512", "not supported the hash"],
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
            &["2 segments", "segment 1, crypt, cipher aes-xts", "flags backup-final\n", slot],
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
        put(&dir, "v", &bytes);
        let info = does(&dir, "info v");
        for word in ["format       LUKS2\nuuid", "not supported"].iter().chain(shown) {
            assert!(info.contains(word), "{word} in {info}");
        }
        does(&dir, "info --json v");
        refuses(&dir, "verify -p one v", 5, refused);
        assert!(read(&dir, "v") == bytes);
    }
}

/// A token of another program stays when its password goes.
#[test]
fn tokens_of_keyslots() {
    let dir = ready();
    make(&dir, "v");
    let made = read(&dir, "v");
    let token = r#""tokens":{"7":{"type":"systemd-recovery","keyslots":["0"]}}"#;
    put(&dir, "v", with_text(made, r#""tokens":{}"#, token));
    let shows = |line: &str| {
        let info = does(&dir, "info v");
        assert!(info.lines().any(|l| l == line), "{line} in {info}");
    };
    shows("token 7, systemd-recovery, keyslot 0");
    let json = json(&dir, "volume info --json v");
    let token = serde_json::json!({"token": 7, "type": "systemd-recovery", "keyslots": [0]});
    assert_eq!((&json["tokens"][0], &json["key bits"]), (&token, &512.into()));
    let remedy = "cryptsetup token remove --token-id 7 v";
    let change = cheap("change-key -p one --new-password-file two v");
    refuses(&dir, &change, 0, &["token 7 (systemd-recovery) stays on this", remedy]);
    does(&dir, &cheap("add-key -p two --new-password-file three v"));
    refuses(&dir, "remove-key -p two v", 0, &["token 7 (systemd-recovery) has lost this", remedy]);
    shows("token 7, systemd-recovery, no keyslot");
}

/// A keyslot that is tried only by its number.
#[test]
fn a_keyslot_of_no_priority() {
    let dir = ready();
    make(&dir, "v");
    let made = read(&dir, "v");
    let bytes = with_text(made, r#""type":"luks2""#, r#""type":"luks2","priority":0"#);
    put(&dir, "v", bytes);
    let change = cheap("change-key -p one --new-password-file two v");
    let words = ["not tried: keyslot 0: its priority", "change-key", "--slot"];
    refuses(&dir, &change, 4, &words);
    does(&dir, &format!("{change} --slot 0"));
}

/// A header of LUKS1 whose data is elsewhere is intact, and not supported.
#[test]
fn a_detached_header_of_luks1() {
    let dir = ready();
    let mut bytes = vec![0; 2 << 20];
    let mut set = |at: usize, text: &[u8]| bytes[at..at + text.len()].copy_from_slice(text);
    set(0, b"LUKS\xba\xbe\0\x01aes");
    set(40, b"xts-plain64");
    set(72, b"sha256");
    set(108, &64u32.to_be_bytes());
    set(164, &1000u32.to_be_bytes());
    for i in 0..8 {
        set(208 + 48 * i, &0xdeadu32.to_be_bytes());
        set(248 + 48 * i, &(8 + 504 * i as u32).to_be_bytes());
        set(252 + 48 * i, &4000u32.to_be_bytes());
    }
    put(&dir, "h", &bytes);
    put(&dir, "d", vec![0; 1 << 20]);
    for command in [
        "info",
        "verify -p one",
        "backup-header -o b",
        "add-key -p one --new-password-file two",
        "change-key -p one --new-password-file two",
        "remove-key -p one",
        "resize",
    ] {
        for file in ["h", "--header h d"] {
            let words = ["h: not supported: a detached header of LUKS1", "to do: convert a copy"];
            refuses(&dir, &format!("{command} {file}"), 5, &words);
        }
    }
    assert!(read(&dir, "h") == bytes && !dir.path().join("b").exists());
}

#[test]
fn refused_in_words() {
    let dir = ready();
    make(&dir, "v");
    refuses(&dir, "verify -p two v", 4, &["wrong password"]);
    refuses(&dir, "info one", 5, &["one: no LUKS header", "--type"]);
    let slot = "remove-key --slot 9 -p one v";
    refuses(&dir, slot, 2, &["there is no keyslot 9", "to do: see the keyslots"]);
    refuses(&dir, "info nothing", 3, &["nothing: No such file"]);
    refuses(&dir, "info -", 2, &["cannot be a stream"]);
    refuses(&dir, "create -p one --cipher serpent-xts-plain64 --size 2M x", 2, &["serpent"]);
    let limited = "verify -p one --max-iterations 1 v";
    refuses(&dir, limited, 2, &["refused before any work", "--max-iterations"]);
    damage(&dir, "v", 5000);
    refuses(&dir, "verify -p one v", 5, &["one copy", "--repair"]);
    let said = does(&dir, "verify --repair -p one v");
    assert!(said.contains("first copy of the header: damaged: damaged header: wrong"), "{said}");
    does(&dir, "verify -p one v");
    // A program that holds the volume keeps others away.
    let held = fs::File::open(dir.path().join("v")).unwrap();
    held.lock().unwrap();
    refuses(&dir, "verify v", 3, &["another program"]);
}

#[test]
fn veracrypt_volumes() {
    let dir = ready();
    put(&dir, "keyfile", [7; 1000]);
    let vera = |line: &str| format!("{line} --type veracrypt --pim 1 --hash sha512 v");
    let with = |line: &str| vera(&format!("{line} --keyfile keyfile"));
    does(&dir, &with("create -p one --size 1M"));
    let said = does(&dir, &with("verify -p one"));
    assert_eq!(said, "volume: opens\nvolume, by its backup header: opens\n");
    refuses(&dir, &vera("verify -p one"), 4, &["wrong password"]);
    // Too little memory to try a password does not make it wrong.
    #[cfg(target_os = "linux")]
    {
        let verify = "volume verify --type veracrypt --hash argon2id --pim 9 -p one v";
        let ran = sh(&dir, &format!("ulimit -v 200000; exec bulat {verify}"));
        check(&ran, verify, 3, &["not enough memory"]);
    }
    does(&dir, &with("change-key -p one --new-password-file two"));
    damage(&dir, "v", 100);
    refuses(&dir, &with("verify -p two"), 5, &["the first header"]);
    does(&dir, &with("restore-header -p two"));
    let info = does(&dir, &with("info -p two"));
    assert!(info.contains("size         786432"), "{info}");
    refuses(&dir, &vera("add-key -p two"), 2, &["--type"]);
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
        let line = cheap(&format!("volume change-key -p {old} --new-password-file {new} v"));
        let mut command = command(&dir, &line);
        command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
        command
    };
    let begun = Instant::now();
    assert!(change(old, new).status().unwrap().success());
    let mut whole = begun.elapsed();
    (old, new) = (new, old);
    let opens = |password: &str| run(&dir, &format!("volume verify -p {password} v")).code;
    let (mut killed, mut changed) = (0, 0);
    for n in 0..kills {
        // A busy machine may have stood still in the first change.
        whole /= 1 + u32::from(killed == 0 && n > 9);
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
            let _ = run(&dir, "volume verify --repair v");
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
    let before = read(&dir, "v");
    for (line, words) in [
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
        ("open --pim 3 --socket s v", "leave it out; it goes with --type veracrypt"),
        ("open --cipher aes-xts-plain64 --socket s v", "--cipher: not with --type luks"),
        ("open --protect --new-password-file two --socket s v", "not with --type luks"),
        ("open --type veracrypt --hidden-pim 3 --socket s v", "--hidden-pim: only with --protect"),
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
        refuses(&dir, line, 2, &[words]);
    }
    assert!(read(&dir, "v") == before && !dir.path().join("new").exists());
}

/// `open` with a fake nbdkit that prints its arguments.
#[test]
fn opened_by_nbdkit() {
    use std::os::unix::net::UnixListener;
    let dir = ready();
    let at = |name: &str| dir.path().join(name);
    make(&dir, "v");
    fs::create_dir(at("programs")).unwrap();
    put(&dir, "programs/nbdkit", "#!/bin/sh\nprintf '%s\\n' \"$@\"\ncat\n");
    fs::set_permissions(at("programs/nbdkit"), fs::Permissions::from_mode(0o755)).unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", at("programs").display());
    let said = |line: &str| {
        let mut command = command(&dir, &format!("volume open {line}"));
        String::from_utf8(passed(ran(command.env("PATH", &path).output().unwrap()))).unwrap()
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
    let open = "open -p one --socket s v";
    refuses(&dir, open, 3, &["s: a server listens there", "--socket"]);
    drop(listener);
    assert!(at("s").exists());
    said("-p one --socket s v");
    assert!(!at("s").exists(), "it is in the way of the next");
    put(&dir, "s", "a file");
    refuses(&dir, open, 3, &["s: it exists and is not a socket"]);
    assert_eq!(read(&dir, "s"), b"a file");
    let nowhere = "open -p one --socket no/s v";
    refuses(&dir, nowhere, 3, &["no: no such folder", "mkdir -p -m 700"]);
}

/// Commands that only read a header work while another program has the volume.
#[test]
fn looked_at_while_in_use() {
    let dir = ready();
    make(&dir, "v");
    let held = fs::File::open(dir.path().join("v")).unwrap();
    held.lock().unwrap();
    assert!(does(&dir, "info v").contains("LUKS2"));
    does(&dir, "backup-header -o backup v");
    let add = &cheap("add-key -p one --new-password-file two v");
    refuses(&dir, add, 3, &["another program has it open", "info and backup-header still work"]);
    // Dropped, it stays locked while a child that another test forks has it, too.
    held.unlock().unwrap();
    // The header is copied only while nobody changes it.
    let changed = hold::open(&dir.path().join("v"), Access::Write).unwrap();
    let again = "backup-header -o again v";
    refuses(&dir, again, 3, &["another program reads or changes its header", "again when"]);
    drop(changed);
    // Until such a child is gone, at most a minute.
    let tries = "for n in $(seq 120); do sleep 0.5; bulat volume restore-header --from backup v";
    passed(sh(&dir, &format!("{tries} && break; done")));
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
    let said = does(&dir, "resize v");
    assert!(said.contains("follows the size of the file: 2097152 bytes"), "{said}");
    let vera = |line: &str| format!("{line} box --type veracrypt --pim 1 --hash sha512");
    does(&dir, &vera("create -p one --size 1M"));
    refuses(&dir, &vera("resize -p one"), 2, &["box: it has not grown"]);
    longer("box", (1 << 20) + (64 << 10));
    refuses(&dir, &vera("resize -p one"), 2, &["at least 1179648 bytes"]);
    longer("box", 2 << 20);
    let tried = ["wrong password", "; the headers of: volume)"];
    refuses(&dir, &vera("resize -p two"), 4, &tried);
    refuses(&dir, &vera("verify -p one"), 5, &["the backup header does not open"]);
    let change = vera("change-key -p one --new-password-file two");
    refuses(&dir, &change, 2, &["box: the volume ends at byte 1048576", "volume resize"]);
    assert_eq!(does(&dir, &vera("resize -p one")), "the data has 1835008 bytes now\n");
    does(&dir, &vera("verify -p one"));
    assert!(does(&dir, &vera("info -p one")).contains("size         1835008"));
}

/// A full area of keyslots: the password is changed in its place, after a backup.
#[test]
fn changed_in_place() {
    let dir = ready();
    let at = |name: &str| dir.path().join(name);
    let size = (32 + 252) << 10;
    does(&dir, &cheap(&format!("create -p one --size 2M --header-size {size} v")));
    let before = read(&dir, "v");
    let change = cheap("change-key -p one --new-password-file two");
    refuses(&dir, &format!("{change} v"), 2, &["no room", "remove a keyslot", "--backup FILE"]);
    let add = cheap("add-key -p one --new-password-file two v");
    refuses(&dir, &add, 2, &["no room", "remove"]);
    for (backup, code, words) in [
        ("one", 3, "one: already exists"),
        ("/dev/null", 3, "/dev/null: already exists"),
        ("-", 2, "it must be a file"),
        ("no/b", 3, "no"),
    ] {
        refuses(&dir, &format!("{change} --backup {backup} v"), code, &[words]);
    }
    refuses(&dir, "change-key --memory 1 --backup b -p one v", 2, &["32 KiB"]);
    assert!(read(&dir, "v") == before && !at("b").exists());
    refuses(&dir, &format!("{change} --backup b v"), 0, &["b: with this backup the old"]);
    assert_eq!(mode(at("b")), 0o600);
    refuses(&dir, "verify -p one v", 4, &["wrong password"]);
    does(&dir, "verify -p two v");
    does(&dir, "verify -p one --header b v");
    refuses(&dir, "restore-header --from b v", 2, &["no room", "--force"]);
    does(&dir, "restore-header --force --from b v");
    // With room there is no backup, which would keep the old password alive.
    make(&dir, "roomy");
    does(&dir, &format!("{change} --backup c roomy"));
    assert!(!at("c").exists());
    does(&dir, "verify -p one v");
}

/// Flips a bit of a byte of a file.
fn damage(dir: &TempDir, name: &str, at: usize) {
    let mut bytes = read(dir, name);
    bytes[at] ^= 1;
    put(dir, name, bytes);
}

/// Makes the volume `v` with its header in `h`.
fn make_detached(dir: &TempDir) {
    does(dir, &cheap(&format!("create -p one --header h {SMALL} v")));
}

/// Changes the detached header `h` in each way, and repairs it. The volume is named so.
fn change_detached(dir: &TempDir, volume: &str) {
    let go = |line: &str| does(dir, &format!("{line} {volume}"));
    assert_eq!(go(&cheap("add-key -p one --new-password-file two")), "keyslot 1\n");
    go(&cheap("change-key -p two --new-password-file three"));
    assert!(go("verify -p three").contains("keyslot 1: opens"));
    refuses(dir, &format!("verify -p two {volume}"), 4, &["h: wrong password"]);
    go("backup-header -o backup");
    assert_eq!(read(dir, "backup").len(), 1 << 20);
    assert_eq!(go("remove-key -p three"), "keyslot 1 is destroyed\n");
    refuses(dir, &format!("verify -p three {volume}"), 4, &["h: wrong password"]);
    refuses(dir, &format!("remove-key -p one {volume}"), 2, &["the last that opens", "--force"]);
    go("restore-header --from backup");
    go("verify -p three");
    for copy in [5000, 0x4000 + 5000] {
        damage(dir, "h", copy);
        refuses(dir, &format!("verify -p one {volume}"), 5, &["h: one copy", "--repair"]);
        go("verify --repair");
        go("verify -p one");
    }
    // A backup of another volume.
    make(dir, "attached");
    does(dir, "backup-header -o its attached");
    let its = format!("restore-header --from its {volume}");
    refuses(dir, &its, 2, &["another volume", "--force"]);
}

/// The header of LUKS2 in a file of its own.
#[test]
fn detached_headers() {
    let dir = ready();
    make_detached(&dir);
    assert!(read(&dir, "v") == vec![0; 2 << 20], "all of it is data");
    for name in ["h", "v"] {
        assert_eq!(mode(dir.path().join(name)), 0o600);
    }
    let info = does(&dir, "info --header h v");
    for word in ["offset       0\n", "size         2097152\n", "keyslot 0"] {
        assert!(info.contains(word), "{word} in {info}");
    }
    // Data without its header.
    refuses(&dir, "info v", 5, &["v: no LUKS header"]);
    change_detached(&dir, "--header h v");
    // A backup is itself such a header.
    does(&dir, "verify -p three --header backup v");
    // A header that is not detached, and its backup.
    does(&dir, "verify -p one --header its attached");
    put(&dir, "short", &read(&dir, "attached")[..1 << 19]);
    refuses(&dir, "info --header its short", 5, &["short: cut short: the data begins at"]);
    let restore = "restore-header --from backup attached";
    refuses(&dir, restore, 2, &["attached: the backup is of another volume", "--force"]);
    // A header that ends early, with both copies.
    put(&dir, "cut", &read(&dir, "h")[..40 << 10]);
    refuses(&dir, "verify -p one --header cut v", 5, &["cut: cut short: the header has"]);
}

/// A new volume with a detached header overwrites nothing unasked.
#[test]
fn new_detached_headers() {
    let dir = ready();
    make_detached(&dir);
    let whole = read(&dir, "h");
    let again = |files: &str| cheap(&format!("create -p two --header-size 1M --header {files}"));
    let mut ext4 = vec![0; 2 << 20];
    ext4[1080..1082].copy_from_slice(b"\x53\xef");
    put(&dir, "ext4", &ext4);
    put(&dir, "luks1", [b"LUKS\xba\xbe\0\x01", &[0; 2 << 20][..]].concat());
    put(&dir, "small", [0; 100]);
    for (files, words) in [
        ("h v", ["h: there is a LUKS header", "remove that file"]),
        ("h v --force", ["h: there is a LUKS header", "remove that file"]),
        ("luks1 v --force", ["luks1: there is a LUKS header", ""]),
        ("new luks1 --force", ["luks1: there is", "--force --wipe"]),
        ("- v", ["cannot be a stream", ""]),
        ("v v", ["the same file", ""]),
        ("new new --size 2M", ["the same file", ""]),
        ("new other", ["other: no such file", "--size"]),
        ("new ext4", ["ext4: there is an ext2", "--force"]),
        ("small v", ["small: too small", ""]),
        ("new tiny --size 512", ["no room for data", ""]),
    ] {
        refuses(&dir, &again(files), 2, &words);
    }
    for command in ["info", "verify", "restore-header --force --from h", "open -p one --socket s"] {
        let same = format!("{command} --header v v");
        refuses(&dir, &same, 2, &["v: the volume and its header are the same file"]);
    }
    assert!(!names(&dir).iter().any(|name| name == "tiny" || name == "new"));
    assert!(read(&dir, "h") == whole);
    does(&dir, &again("new ext4 --force"));
    assert!(read(&dir, "ext4") == ext4, "only the header is written");
    fs::remove_file(dir.path().join("h")).unwrap();
    does(&dir, &again("h v --force --wipe"));
    assert!(read(&dir, "v").chunks(4096).all(|s| s.iter().any(|b| *b != 0)));
    does(&dir, "verify -p two --header h v");
}

/// A detached header without its data: everything but what needs the data.
#[test]
fn a_detached_header_alone() {
    let dir = ready();
    let at = |name: &str| dir.path().join(name);
    make_detached(&dir);
    fs::rename(at("v"), at("away")).unwrap();
    let info = does(&dir, "info h");
    assert!(info.contains("offset       0\n") && !info.contains("size "), "{info}");
    assert!(!does(&dir, "info --json h").contains("\"size\""));
    change_detached(&dir, "h");
    let said = does(&dir, "verify -p three h");
    assert!(said.contains("keyslot 1: opens\ndata: not checked"), "{said}");
    // These need the data.
    let without = ["h: a detached header", "to do: name its data, and this file with --header"];
    refuses(&dir, "resize h", 5, &without);
    // A backup of it, where nothing is left, and where something else is.
    let whole = read(&dir, "h");
    let restore = "restore-header --from backup h";
    put(&dir, "h", vec![0; whole.len()]);
    does(&dir, restore);
    does(&dir, "verify -p three h");
    put(&dir, "h", vec![7; whole.len()]);
    refuses(&dir, restore, 2, &["h: there is no LUKS2 header", "--force"]);
    assert!(read(&dir, "h") == vec![7; whole.len()]);
    does(&dir, &format!("{restore} --force"));
    does(&dir, "verify -p three h");
    // Its end is missing.
    put(&dir, "h", &whole[..40 << 10]);
    let short =
        ["h: cut short: the header has 1048576 bytes, but there are 40960", "copy the whole"];
    refuses(&dir, "verify h", 5, &short);
    refuses(&dir, "info h", 5, &short);
    // Data over all but the second copy: nothing writes there unasked.
    let mut noise = vec![0; whole.len()];
    Random::new(1).fill(&mut noise);
    noise[0x4000..0x8000].copy_from_slice(&whole[0x4000..0x8000]);
    put(&dir, "h", &noise);
    let words = ["h: one copy of a LUKS2 header is good, but there is data", "--repair --force"];
    for line in [
        "info h",
        "verify h",
        "verify --repair h",
        &cheap("add-key -p one --new-password-file two h"),
        &cheap("change-key -p two --new-password-file three h"),
        "remove-key --slot 0 --force h",
    ] {
        refuses(&dir, line, 5, &words);
    }
    refuses(&dir, restore, 2, &["h: one copy of a LUKS2 header", "--force"]);
    assert!(read(&dir, "h") == noise);
    does(&dir, "verify --repair --force h");
    does(&dir, "verify h");
    put(&dir, "h", &whole);
    // The data follows all of that.
    fs::rename(at("away"), at("v")).unwrap();
    for password in ["one", "three"] {
        does(&dir, &format!("verify -p {password} --header h v"));
    }
}

#[test]
fn hidden_volumes_of_veracrypt() {
    let dir = ready();
    put(&dir, "kf", "a keyfile");
    let vera = |line: &str| format!("{line} v --type veracrypt --pim 1 --hash sha512 -p one");
    let hidden = "create --hidden 256K --new-password-file two";
    does(&dir, &vera("create --size 1M"));
    let inner = "--hidden-pim 2 --hidden-keyfile kf --hidden-hash sha256";
    does(&dir, &vera(&format!("{hidden} {inner}")));
    let info = "info --type veracrypt --pim 2 --keyfile kf --hash sha256 -p two v";
    let info = does(&dir, info);
    assert!(info.contains("hidden volume") && info.contains("sha256"), "{info}");
    let words =
        ["wrong password", "tried: all ciphers", "the hashes sha512", "by its backup header"];
    refuses(&dir, &vera(&format!("{hidden} --keyfile kf")), 4, &words);
    // The user chooses the PIM, not the header: only VeraCrypt's own limit applies.
    refuses(&dir, "info --type veracrypt --pim 2147469 -p one v", 2, &["at most 2147468"]);
}
