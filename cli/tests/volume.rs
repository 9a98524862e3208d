//! `bulat volume`: made, changed, refused, killed while it changes a header.
#![cfg(unix)]

mod bin;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::time::{Duration, Instant};

use bin::*;
use testkit::Random;

/// A folder with the passwords one, two and three.
fn ready() -> TempDir {
    let dir = folder();
    for name in ["one", "two", "three"] {
        let path = dir.path().join(name);
        fs::write(&path, format!("{name}\n")).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o600)).unwrap();
    }
    dir
}

/// Cheap passwords.
const CHEAP: [&str; 4] = ["--pbkdf", "pbkdf2", "--iterations", "2"];

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
    does(&dir, cheap(&["change-key", "-p", "two", "--new-password-file", "three", "v"]));
    refuses(&dir, volume(&["verify", "-p", "two", "v"]), 4, &["wrong password or key"]);
    assert_eq!(does(&dir, volume(&["remove-key", "-p", "three", "v"])), "keyslot 1 is destroyed\n");
    refuses(&dir, volume(&["remove-key", "--slot", "0", "v"]), 2, &["the last", "--force"]);
    refuses(&dir, volume(&["remove-key", "--slot", "9", "v"]), 2, &["no keyslot 9"]);
    does(&dir, volume(&["restore-header", "--from", "backup", "v"]));
    does(&dir, volume(&["verify", "-p", "two", "v"]));
    make(&dir, "other");
    refuses(&dir, volume(&["restore-header", "--from", "backup", "other"]), 2, &["another volume"]);
    refuses(&dir, volume(&["restore-header", "other"]), 2, &["--from"]);
    refuses(&dir, volume(&["restore-header", "--from", "one", "other"]), 2, &["no backup"]);
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
    refuses(&dir, again(&["--size", "2M"], "v"), 2, &["it exists"]);
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
    fs::write(at("empty"), vec![0; 2 << 20]).unwrap();
    does(&dir, again(&["--wipe"], "empty"));
    let wiped = fs::read(at("empty")).unwrap();
    assert!(wiped[1 << 20..].chunks(4096).all(|sector| sector.iter().any(|b| *b != 0)));
    refuses(&dir, again(&["--force"], "."), 3, &["directory"]);
    // The password file is no place for a volume.
    refuses(&dir, again(&["--force"], "two"), 2, &["same file"]);
    let left = fs::read_dir(dir.path())
        .unwrap()
        .filter(|e| e.as_ref().unwrap().file_name().to_string_lossy().ends_with(".part"));
    assert_eq!(left.count(), 0);
}

#[test]
fn refused_in_words() {
    let dir = ready();
    let at = |name: &str| dir.path().join(name);
    make(&dir, "v");
    refuses(&dir, volume(&["verify", "-p", "two", "v"]), 4, &["wrong password"]);
    refuses(&dir, volume(&["info", "one"]), 5, &["one: no LUKS header", "--type"]);
    refuses(&dir, volume(&["info", "nothing"]), 3, &["nothing: No such file"]);
    refuses(&dir, volume(&["info", "-"]), 2, &["no stream"]);
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
    // Who holds it keeps others away.
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

/// Killed at random moments while a key is put in the place of another: one of the two opens the volume, each time.
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
        // 5: it opens, and the two copies of the header are not the same yet.
        if !matches!(opens(old), Some(0 | 5)) {
            assert!(matches!(opens(new), Some(0 | 5)), "neither opens");
            (old, new) = (new, old);
            changed += 1;
        }
        // Mostly nobody repairs what the kill has left.
        if random.below(4) == 0 {
            let _ = run(&dir, &["volume", "verify", "--repair", "v"]);
        }
    }
    println!("{kills} changes: {killed} killed, {changed} done; the volume opened each time");
    assert!(killed > 0);
}

/// An option that says nothing of the volume is refused, whatever else is wrong.
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
        ("info -p one v", "--password-file: not with --type luks"),
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

/// `open` with a program in nbdkit's place that says how it was started.
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
    assert!(said("-p one --threads 7 --socket s v").contains("--threads\n7\n"));
    let text = said(
        "--type veracrypt -p one --keyfile one --pim 5 --protect --new-password-file two \
         --hidden-keyfile two --hidden-pim 6 --hidden-hash sha256 --socket s v",
    );
    for word in ["keyfile=/", "/one\npim=5\n", "/two\nhidden-pim=6\nhidden-hash=sha256\n"] {
        assert!(text.contains(word), "{word} in {text}");
    }
    assert!(text.contains("hidden-keyfile=/") && text.ends_with("\n6f6e65\n74776f\n"), "{text}");
    // A socket that somebody listens on, one that nobody does, and what is no socket.
    let listener = UnixListener::bind(at("s")).unwrap();
    let command = ["open", "-p", "one", "--socket", "s", "v"];
    refuses(&dir, volume(&command), 3, &["s: a server listens there", "--socket"]);
    drop(listener);
    assert!(at("s").exists());
    said("-p one --socket s v");
    assert!(!at("s").exists(), "it is in the way of the next");
    fs::write(at("s"), "a file").unwrap();
    refuses(&dir, volume(&command), 3, &["s: it is there, and is no socket"]);
    assert_eq!(fs::read(at("s")).unwrap(), b"a file");
    let nowhere = ["open", "-p", "one", "--socket", "no/s", "v"];
    refuses(&dir, volume(&nowhere), 3, &["no: no such folder", "mkdir -p -m 700"]);
}

/// What only reads a header goes on while a server has the volume.
#[test]
fn looked_at_while_served() {
    let dir = ready();
    make(&dir, "v");
    let held = fs::File::open(dir.path().join("v")).unwrap();
    held.lock().unwrap();
    assert!(does(&dir, volume(&["info", "v"])).contains("LUKS2"));
    does(&dir, volume(&["backup-header", "-o", "backup", "v"]));
    let add = cheap(&["add-key", "-p", "one", "--new-password-file", "two", "v"]);
    refuses(&dir, add, 3, &["another program has it open", "info and backup-header go on"]);
    drop(held);
    does(&dir, volume(&["restore-header", "--from", "backup", "v"]));
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
    let words = ["wrong password", "tried: Kuznyechik by itself", "no cascade", "Argon2id"];
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
    // A PIM is the user's, not the header's: nothing bounds it but what VeraCrypt does.
    refuses(
        &dir,
        volume(&["info", "--type", "veracrypt", "--pim", "2147469", "-p", "one", "v"]),
        2,
        &["at most 2147468"],
    );
}
