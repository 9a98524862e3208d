//! `bulat key-slot`, and bound names: as a user types them; killed at every step.

mod bin;

use std::fs;

use bin::*;

/// Creates a folder with keys, passwords, and a file encrypted under the key.
fn ready() -> TempDir {
    let dir = folder();
    for key in ["key", "other"] {
        good(&dir, &format!("key new -o {key}"));
    }
    for (name, word) in [("one", "first\n"), ("two", "second\n"), ("bad", "third\n")] {
        put(&dir, name, word);
    }
    put(&dir, "in", text(300_000));
    good(&dir, "encrypt -k key in");
    dir
}

#[track_caller]
fn opens(dir: &TempDir, secret: &str) {
    assert!(good(dir, &format!("decrypt -o - {secret} in.bulat")) == text(300_000), "{secret}");
}

#[test]
fn slots_of_every_kind() {
    let dir = ready();
    let before = read(&dir, "in.bulat");
    let slot = |line: &str| said(&dir, &format!("key-slot {line} in.bulat"));
    assert_eq!(slot("list"), "0: key file\n");
    let one = "add -k key --new-password-file one --memory 65536";
    assert_eq!(slot(one), "slot 1 is added\n");
    let two = "add -p one --new-password-file two --kdf pbkdf2 --iterations 200000";
    assert_eq!(slot(two), "slot 2 is added\n");
    assert_eq!(
        slot("list"),
        "0: key file\n1: password, argon2id, 65536 KiB, 3 passes, 1 lane\n\
         2: password, pbkdf2-streebog512, 200000 iterations\n"
    );
    for secret in ["-k key", "-p one", "-p two"] {
        opens(&dir, secret);
    }
    assert!(read(&dir, "in.bulat")[2048..] == before[2048..], "the data is as it was");
    assert!(read(&dir, "in.bulat")[..480] == before[..480], "the fixed part, too");
    assert_eq!(slot("change -p one --new-key-file other"), "slot 1 is changed\n");
    opens(&dir, "-k other");
    bad(&dir, "decrypt -p one -o x in.bulat", 4, &["wrong key or password"]);
    assert_eq!(slot("remove -p two"), "slot 2 is removed\n");
    bad(&dir, "decrypt -p two -o x in.bulat", 2, &["with a key file"]);
    assert_eq!(slot("remove -k other --slot 0"), "slot 0 is removed\n");
    bad(&dir, "decrypt -k key -o x in.bulat", 4, &["wrong key or password"]);
    opens(&dir, "-k other");
    let told = said(&dir, "inspect in.bulat");
    assert!(told.contains("slot               1: key file\n"), "{told}");
    let told = said(&dir, "inspect --json in.bulat");
    assert!(told.contains(r#""kind": "key file""#) && told.contains(r#""name": null"#), "{told}");
    assert_eq!(names(&dir), ["bad", "in", "in.bulat", "key", "one", "other", "two"]);
}

#[test]
fn sixteen_slots_and_no_more() {
    let dir = ready();
    for n in 1..16 {
        good(&dir, &format!("key new -o key{n}"));
        let add = format!("key-slot add -k key --new-key-file key{n} in.bulat");
        assert_eq!(said(&dir, &add), format!("slot {n} is added\n"));
    }
    opens(&dir, "-k key15");
    let args = "key-slot add -k key --new-key-file other in.bulat";
    bad(&dir, args, 2, &["all 16 slots are used", "key-slot remove"]);
}

/// One secret has one slot: after its removal it opens the file no more.
#[test]
fn a_secret_in_two_slots() {
    let dir = ready();
    let slot = |line: &str| run(&dir, &format!("key-slot {line}"));
    let done = |line: &str, said: &str| assert!(passed(slot(line)) == said.as_bytes(), "{line}");
    done("add -k key --new-password-file one --memory 65536 in.bulat", "slot 1 is added\n");
    done("add -k key --new-key-file other in.bulat", "slot 2 is added\n");
    let whole = read(&dir, "in.bulat");
    for (line, taken) in [
        ("add -k key --new-key-file key in.bulat", 0),
        ("add -k other --new-key-file key in.bulat", 0),
        ("add -k key --new-password-file one in.bulat", 1),
        ("add -p one --new-password-file one in.bulat", 1),
        ("change -k key --new-key-file other in.bulat", 2),
        ("change -p one --new-key-file key in.bulat", 0),
        ("change -k key --new-password-file one in.bulat", 1),
    ] {
        let words = format!("in.bulat: the new key or password opens slot {taken} already");
        check(&slot(line), line, 2, &[&words, "give another"]);
        assert!(read(&dir, "in.bulat") == whole, "{line}");
    }
    // With a new cost, or just a new salt.
    done("change -k key --new-key-file key in.bulat", "slot 0 is changed\n");
    done("change -p one --new-password-file one --memory 65537 in.bulat", "slot 1 is changed\n");
    // Another writer filled slots twice: with a key 0 and 3, with a password 1 and 4.
    let twice = |name: &str| {
        use bulat_container::{Credential, Header, Kdf, Limits, Name, Source};
        let sealed = read(&dir, "in.bulat");
        let key = bulat_container::digits::unhex(read(&dir, "key").trim_ascii()).unwrap();
        let (key, password) = (Credential::Key(key[..].try_into().unwrap()), b"first");
        let mut header = Header::parse(&sealed).unwrap();
        let keys = header.unlock(key, &Limits::default(), &Name::Any).unwrap();
        header.add(&keys, Source::KeyFile, key, &[3; 16]).unwrap();
        let cheap = Source::Password(Kdf::Pbkdf2 { iterations: 2 });
        header.add(&keys, cheap, Credential::Password(password), &[4; 16]).unwrap();
        put(&dir, name, [&header.bytes()[..], &sealed[2048..]].concat());
    };
    let had = "is removed: it had the same key or password\n";
    for (line, said, code) in [
        ("remove -k key t", format!("slot 0 is removed\nslot 3 {had}"), 4),
        // No slot is left that a password could open.
        ("remove -p one t", format!("slot 1 is removed\nslot 4 {had}"), 2),
        (
            "change -k key --new-password-file two --memory 65536 t",
            format!("slot 0 is changed\nslot 3 {had}"),
            4,
        ),
        ("change -k key --new-key-file key t", format!("slot 0 is changed\nslot 3 {had}"), 0),
        ("remove -k key --slot 3 t", "slot 3 is removed\n".into(), 0),
    ] {
        twice("t");
        done(line, &said);
        let secret: Vec<&str> = line.split(' ').skip(1).take(2).collect();
        let opened = run(&dir, &format!("decrypt -o - {} t", secret.join(" ")));
        assert_eq!(opened.code, Some(code), "{line}: {}", opened.err);
    }
    // The only secret of the file has two slots.
    for line in ["remove -k other in.bulat", "remove -p one in.bulat"] {
        passed(slot(line));
    }
    twice("t");
    done("remove -p one t", "slot 2 is removed\n");
    let last = "remove -k key t";
    check(&slot(last), last, 2, &["the last slot"]);
    opens(&dir, "-k key");
}

#[test]
fn changes_that_are_refused() {
    let dir = ready();
    let whole = read(&dir, "in.bulat");
    let mut damaged = whole.clone();
    damaged[2040] ^= 1;
    put(&dir, "damaged", damaged);
    put(&dir, "cut", &whole[..2000]);
    put(&dir, "short", "x");
    let before = names(&dir);
    for (code, line, words) in [
        (2, "remove -k key in.bulat", &["the last slot", "key-slot add"][..]),
        (2, "remove -k key --slot 0 in.bulat", &["slot 0 is the one that was opened"]),
        (2, "remove -k key --slot 5 in.bulat", &["slot 5 is not used"]),
        (2, "remove -k key --slot 16 in.bulat", &["slot 16 is not used"]),
        (2, "remove -k key --slot -1 in.bulat", &[]),
        (4, "remove -k other in.bulat", &["wrong key"]),
        (2, "remove -p one in.bulat", &["with a key file"]),
        (4, "add -k other --new-password-file one in.bulat", &["wrong key"]),
        (2, "add -k key --new-password-file one --iterations 5 in.bulat", &["--iterations"]),
        (2, "add -k key --new-key-file other --memory 65536 in.bulat", &["--memory: only for"]),
        (
            2,
            "add -k key --new-key-file other --new-password-file one in.bulat",
            &["cannot be used"],
        ),
        (2, "add -k key in.bulat", &["the new password", "no terminal"]),
        (2, "add --new-password-file one in.bulat", &["with a key file"]),
        (2, "add -k key --new-key-file short in.bulat", &["short"]),
        (3, "add -k key --new-key-file missing in.bulat", &["missing"]),
        (2, "add -k key --new-password-file one -", &["standard input", "name the file"]),
        (
            2,
            "add -k in.bulat --new-password-file one in.bulat",
            &["in.bulat", "not a key or password"],
        ),
        (5, "add -k key --new-password-file one in", &["not a bulat container"]),
        (5, "add -k key --new-password-file one damaged", &["damaged header"]),
        (5, "add -k key --new-password-file one cut", &["truncated"]),
        (3, "add -k key --new-password-file one nothing", &["nothing"]),
        (5, "list in", &["not a bulat container"]),
        (2, "list", &["FILE"]),
    ] {
        bad(&dir, &format!("key-slot {line}"), code, words);
        assert!(read(&dir, "in.bulat") == whole && names(&dir) == before, "{line}");
    }
}

#[test]
fn bound_names() {
    let dir = ready();
    good(&dir, "encrypt -k key --bind-name -f in");
    put(&dir, "in2", "another text");
    good(&dir, "encrypt -k key --bind-name -o d.bulat in2");
    opens(&dir, "-k key");
    let told = said(&dir, "inspect in.bulat");
    assert!(told.contains("bound name         in\n"), "{told}");
    // Two containers are swapped.
    let at = |name: &str| dir.path().join(name);
    fs::rename(at("in.bulat"), at("t")).unwrap();
    fs::rename(at("d.bulat"), at("in.bulat")).unwrap();
    fs::rename(at("t"), at("d.bulat")).unwrap();
    let words = [r#"made under the name "d", not "in""#, "--any-name"];
    bad(&dir, "decrypt -k key -o x in.bulat", 5, &words);
    good(&dir, "decrypt -k key -o x --any-name d.bulat");
    assert!(read(&dir, "x") == text(300_000));
    // From a pipe the name is not known.
    let sealed = read(&dir, "d.bulat");
    let ran = piped(&dir, "decrypt -k key -o y", &sealed);
    check(&ran, "pipe", 5, &["is not known", "--any-name"]);
    assert!(passed(piped(&dir, "decrypt -k key --any-name", &sealed)) == text(300_000));
    // A slot can be added under any name; the name stays bound.
    good(&dir, "key-slot add -k key --new-key-file other d.bulat");
    bad(&dir, "decrypt -k other -o y d.bulat", 5, &["made under the name"]);
    let ran = piped(&dir, "encrypt -k key --bind-name", b"text");
    check(&ran, "pipe", 2, &["--bind-name: standard output has no name"]);
    good(&dir, "encrypt -k key --bind-name -o plain in2");
    good(&dir, "decrypt -k key -f -o x plain");
    assert!(!at("y").exists());
}

/// A copy with another header replaces the file; its permissions and a link to it stay.
#[test]
#[cfg(unix)]
fn permissions_and_links_stay() {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
    let dir = ready();
    let at = |name: &str| dir.path().join(name);
    symlink("in.bulat", at("link")).unwrap();
    for mode in [0o600, 0o640, 0o444, 0o777] {
        fs::set_permissions(at("in.bulat"), fs::Permissions::from_mode(mode)).unwrap();
        assert_eq!(run(&dir, "key-slot change -k key --new-key-file key link").err, "");
        assert_eq!(self::mode(at("in.bulat")), mode);
        let owner = |name| fs::metadata(at(name)).unwrap().uid();
        let link = fs::symlink_metadata(at("link")).unwrap();
        assert!(link.is_symlink() && owner("in.bulat") == owner("in"));
    }
    // A hard link keeps the old slots.
    fs::hard_link(at("in.bulat"), at("hard")).unwrap();
    let add = "key-slot add -k key --new-key-file other in.bulat";
    bad(&dir, add, 0, &["in.bulat: the file has 2 names"]);
}

/// The program is killed at each of its calls that change something, one after another: the file opens by the old or by
/// the new key, whole.
#[test]
#[cfg(target_os = "linux")]
fn killed_at_every_step() {
    let Some(strace) = installed("strace") else {
        println!("skipped: no strace, which kills the program at a call");
        return;
    };
    // Those that a system does not have are never made.
    const CALLS: &str = "write pwrite64 copy_file_range sendfile splice ftruncate fallocate fchmod fchown fsync \
                         fdatasync rename renameat renameat2 link linkat unlink unlinkat openat close";
    let dir = ready();
    let original = read(&dir, "in.bulat");
    let (mut old, mut new, mut made) = (0, 0, Vec::new());
    for call in CALLS.split_whitespace() {
        for n in 1.. {
            assert!(n < 500, "the program ends at last");
            put(&dir, "in.bulat", &original);
            let mut command = program(&strace, &dir);
            command.args(["-f", "-qq", "-o", "/dev/null", "-e"]);
            command.arg(format!("inject=?{call}:signal=KILL:when={n}")).arg(BULAT);
            command.args("key-slot change -k key --new-key-file other in.bulat".words());
            let ended = command.output().unwrap();
            let said = String::from_utf8_lossy(&ended.stderr);
            if said.contains("ptrace") || said.contains("not permitted") {
                println!("skipped: this process may not trace another: {said}");
                return;
            }
            let now = read(&dir, "in.bulat");
            assert!(now.len() == original.len() && now[2048..] == original[2048..], "{call} {n}");
            opens(&dir, if now == original { "-k key" } else { "-k other" });
            for name in names(&dir).iter().filter(|name| name.ends_with(".part")) {
                fs::remove_file(dir.path().join(name)).unwrap();
            }
            if ended.status.success() {
                assert!(now != original, "{call} {n}: done");
                break;
            }
            *(if now == original { &mut old } else { &mut new }) += 1;
            made.push(call);
        }
    }
    made.dedup();
    println!("killed at {made:?}: {old} times the old file, {new} times the new");
    assert!(made.contains(&"fsync") && made.iter().any(|call| call.starts_with("rename")));
    assert!(old > 5 && new > 0, "kills before and after the change");
}
