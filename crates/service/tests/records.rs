//! Records: the audit log, backups, files of root keys.

mod common;

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use bulatd::audit::{Audit, Request};
use bulatd::auth::{Auth, NewToken};
use bulatd::backup::{backup, restore};
use bulatd::config::RootConfig;
use bulatd::root::{Root, RootKey};
use bulatd::store::{Changes, Limits, NewKey, Store, StoreError};
use common::{MEMORY, bare, draw, key, open, sqlite};

/// Returns the root key of a store that [`open`] has opened.
fn unsealed(store: &Store) -> Arc<Root> {
    let root = Root::default();
    root.unseal(store, &common::root(1)).expect("the root key");
    Arc::new(root)
}

fn request(path: &str) -> Request {
    Request { id: "1".into(), operation: "update", path: path.into(), remote: "127.0.0.1:1".into() }
}

fn lines(path: &Path) -> Vec<serde_json::Value> {
    let text = std::fs::read_to_string(path).expect("the log");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn audit() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("audit.log");
    let root = unsealed(&open(MEMORY));
    let audit = Audit::open(Some(&path), root.clone()).expect("a log");
    let mut line = audit.begin(request("transit/encrypt/a")).expect("room");
    line.caller("accessor", &["a".into()]);
    line.value("plaintext", b"secret text");
    line.value("again", b"secret text");
    line.value("other", b"secret texT");
    line.end(200).expect("written");
    // A request given up before its end; hostile texts; a sealed service, which writes no values.
    drop(audit.begin(request("given/up")).expect("room"));
    let odd = audit.begin(request(&format!("\"\n\u{1}{}", "\u{1}я".repeat(5000)))).expect("room");
    odd.end(404).expect("written");
    root.seal();
    let mut line = audit.begin(request("sealed")).expect("room");
    line.value("plaintext", b"secret text");
    line.end(503).expect("written");
    let all = lines(&path);
    assert_eq!(all.len(), 4);
    assert_eq!(
        (&all[0]["status"], &all[0]["caller"], &all[0]["path"]),
        (&200.into(), &"accessor".into(), &"transit/encrypt/a".into())
    );
    let value = |name: &str| all[0]["values"][name].as_str().expect("a value").to_string();
    assert_eq!(value("plaintext"), value("again"));
    assert_ne!(value("plaintext"), value("other"));
    assert!(value("other").starts_with("hmac-streebog256:") && value("other").len() == 17 + 64);
    assert_eq!(
        (&all[1]["status"], &all[2]["status"], &all[3]["status"]),
        (&0.into(), &404.into(), &503.into())
    );
    assert!(all[3].get("values").is_none());
    assert!(!std::fs::read_to_string(&path).expect("the log").contains("secret"));
    // The file is moved away and opened again; lines of many threads stay whole.
    std::fs::rename(&path, folder.path().join("old")).expect("a move");
    audit.reopen().expect("a log");
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                (0..500).for_each(|_| {
                    audit.begin(request("x")).expect("room").end(200).expect("written")
                })
            });
        }
    });
    assert_eq!(lines(&path).len(), 4000);
    use std::os::unix::fs::MetadataExt as _;
    assert!(std::fs::metadata(&path).expect("a file").mode() & 0o077 == 0);
    drop(audit);
    let meta = std::fs::metadata(&path).expect("a file");
    assert!(meta.blocks() * 512 < meta.len() + (64 << 10), "the room that was kept is given back");
    assert!(Audit::open(Some(Path::new("/nowhere/a")), root).is_err());
}

/// A device reserves no room: each request has a line before its work, and if that fails nothing is done.
#[test]
fn audit_to_devices() {
    let root = unsealed(&open(MEMORY));
    let audit = Audit::open(Some(Path::new("/dev/full")), root.clone()).expect("a log");
    for _ in 0..3 {
        assert!(audit.begin(request("x")).err().expect("no room").starts_with("audit: "));
    }
    let folder = tempfile::tempdir().expect("a folder");
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || lines(&pipe)
    });
    let audit = Audit::open(Some(&pipe), root).expect("a log");
    let mut line = audit.begin(request("x")).expect("a line");
    line.error("why");
    line.setting("derived", "true");
    line.end(400).expect("written");
    drop(audit);
    let all = reader.join().expect("lines");
    assert_eq!(all.len(), 2);
    assert!(all[0]["begun"] == true && all[0]["path"] == "x" && all[1].get("begun").is_none());
    assert_eq!((&all[0]["id"], &all[1]["status"]), (&all[1]["id"], &400.into()));
    assert_eq!((&all[1]["error"], &all[1]["settings"]["derived"]), (&"why".into(), &"true".into()));
}

/// A log that may not grow: a request is refused before its work, and the log continues when there is room.
#[test]
fn audit_without_room() {
    let out = Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -S -f 100; exec \"$0\" \"$@\""])
        .arg(std::env::current_exe().expect("this program"))
        .args(["child_audits", "--exact", "--nocapture", "--ignored"])
        .output()
        .expect("a child");
    let said = [out.stdout, out.stderr].concat();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&said));
}

/// The process with files that may not grow.
#[test]
#[ignore = "a part of `audit_without_room`"]
fn child_audits() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("audit.log");
    let audit = Audit::open(Some(&path), unsealed(&open(MEMORY))).expect("a log");
    let mut good = 0;
    let mut refused = 0;
    for _ in 0..2000 {
        match audit.begin(request("x")) {
            Ok(line) => match line.end(200) {
                Ok(()) => good += 1,
                Err(why) => assert!(why.starts_with("audit: "), "{why}"),
            },
            Err(_) => refused += 1,
        }
    }
    // One request is processed in vain, then none is begun.
    assert!(good > 100 && refused == 1999 - good, "{good} {refused}");
    let limit = Command::new("prlimit")
        .args(["--fsize=unlimited", "--pid"])
        .arg(std::process::id().to_string())
        .status();
    if !limit.is_ok_and(|status| status.success()) {
        eprintln!("prlimit is not there, or may not: the second half is left out");
        return;
    }
    audit.begin(request("y")).expect("room").end(200).expect("written");
    drop(audit);
    let text = std::fs::read_to_string(&path).expect("the log");
    let all: Vec<serde_json::Value> =
        text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    // Only the line that was not completed may be missing.
    assert!(text.lines().count() - all.len() <= 1);
    assert_eq!(all.iter().filter(|line| line["path"] == "x").count(), good);
    assert_eq!(all.iter().filter(|line| line["path"] == "y").count(), 1);
    assert!(all.iter().any(|line| line["lost"].as_u64().is_some_and(|lost| lost > 0)));
}

#[test]
fn backups() {
    let folder = tempfile::tempdir().expect("a folder");
    let (url, file) = (sqlite(folder.path()), folder.path().join("backup"));
    let store = open(&url);
    let root = unsealed(&store);
    for (name, kind, len) in [("a", "kuznyechik-mgm", 64), ("b", "hmac-streebog256", 32)] {
        let wrapped = root.wrap(name, kind, 1, &vec![9; len]).expect("a wrap");
        let own = NewKey {
            kind: kind.into(),
            derived: true,
            auto_rotate_period: 7,
            ..key(name, wrapped)
        };
        store.create(&own).expect("a key");
    }
    let many = Limits { messages: u64::MAX, bytes: u64::MAX };
    let auth = Auth::new(Arc::new(open(&url)), Vec::new());
    let new = NewToken { policies: vec!["p".into()], ..NewToken::default() };
    let (token, _) = auth.create(&new, None).expect("a token");
    auth.policy_write("p", "").expect("a policy");
    draw(&store, "a", 1, 100, 100, many).expect("numbers");
    assert_eq!(backup(&store, &root, 5, &file), Ok(2));
    assert!(backup(&store, &root, 5, &file).expect_err("a file is there").contains("exists"));
    let text = std::fs::read(&file).expect("a backup");
    // The backup contains no secret.
    assert!(!text.windows(16).any(|w| w == [9; 16]));
    assert!(!String::from_utf8_lossy(&text).contains(token.as_str()));
    // Used after the backup was made, so the backup's counters are out of date.
    draw(&store, "a", 1, 1000, 1000, many).expect("numbers");

    let (key, other) = (common::root(1), common::root(2));
    let target = bare(&format!("{url}2"));
    let into = |key: &RootKey, force, tokens| restore(&target, key, 9, &file, force, tokens);
    assert!(into(&other, false, false).expect_err("another root key").contains("another root key"));
    // A byte is changed, or the end is missing, at any place.
    for i in (0..text.len()).step_by(7).chain(text.len() - 70..text.len()) {
        let mut wrong = text.clone();
        wrong[i] ^= 1;
        std::fs::write(&file, &wrong).expect("a file");
        assert!(into(&key, false, false).is_err(), "byte {i}");
        std::fs::write(&file, &text[..i]).expect("a file");
        assert!(into(&key, false, false).is_err(), "cut at {i}");
    }
    assert_eq!(target.list("", 9), Ok(Vec::new()));
    std::fs::write(&file, &text).expect("a file");
    assert_eq!(into(&key, false, false), Ok(2));
    assert!(into(&key, false, false).expect_err("not empty").contains("--force"));
    assert_eq!(into(&key, true, true), Ok(2));
    let there = Root::default();
    there.unseal(&target, &key).expect("the root key");
    assert_eq!(target.token_list().map(|all| all.len()), Ok(1));
    assert_eq!(into(&key, true, false), Ok(2));
    // A restored root key has another number: nothing is written with the old number.
    assert_eq!(target.policy_write("p", ""), Err(StoreError::RootChanged));
    there.unseal(&target, &key).expect("the root key");
    assert_eq!(target.token_list().map(|all| all.len()), Ok(0));
    assert_eq!(target.policy("p"), Ok(Some(String::new())));

    // Old versions decrypt, and never encrypt again under any configuration.
    for (name, len) in [("a", 64), ("b", 32)] {
        let key = target.key(name).expect("an answer").expect("a key");
        assert_eq!(
            (key.latest, key.min_encryption_version, key.auto_rotate_period, key.derived),
            (2, 2, 7, true)
        );
        let secret = |i: usize| {
            there.unwrap(name, &key.kind, i as u32 + 1, &key.versions[i].wrapped).expect("it opens")
        };
        assert_eq!(secret(0).as_slice(), vec![9; len]);
        assert!(secret(1).len() == len && secret(1) != secret(0));
    }
    let back = Changes { min_encryption_version: Some(1), ..Changes::default() };
    target.configure("a", &back).expect("changes");
    assert_eq!(draw(&target, "a", 1, 1, 1, many), Err(StoreError::Limit));
    assert_eq!(draw(&target, "a", 2, 1, 1, many).map(|got| got.first), Ok(0));
}

/// Reads the root key from a file: its rights and its forms.
#[test]
fn root_key_files() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("key");
    RootKey::random().expect("a key").write_new(&path).expect("a file");
    assert!(RootKey::from_file(&path, true).is_ok());
    assert!(RootKey::random().expect("a key").write_new(&path).is_err());
    for (text, right) in [
        (&[7u8; 32][..], true),
        (&[b'a'; 64], true),
        (b"", false),
        (&[7; 31], false),
        (&[7; 33], false),
        (&[b'g'; 64], false),
        (&[b'0'; 63], false),
        (&[b'0'; 66], false),
        (&[b'0'; 200], false),
    ] {
        std::fs::write(&path, text).expect("a file");
        assert_eq!(RootKey::from_file(&path, true).is_ok(), right, "{text:?}");
    }
    std::fs::write(&path, [7; 32]).expect("a file");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).expect("rights");
    let Err(why) = RootKey::from_file(&path, true) else { panic!("taken") };
    assert!(why.contains("chmod"));
    assert!(RootKey::from_file(&path, false).is_ok());
    let credential = RootConfig { credential: Some("../key".into()), ..RootConfig::default() };
    assert!(RootKey::read(&credential).is_err());
    let descriptor = RootConfig { descriptor: Some(9999), ..RootConfig::default() };
    assert!(RootKey::read(&descriptor).is_err());
    assert!(matches!(RootKey::read(&RootConfig::default()), Ok(None)));
}
