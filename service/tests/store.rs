//! The store on SQLite and on PostgreSQL: the same cases on both, then what each can suffer.

mod common;

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Barrier, Mutex};
use std::time::{Duration, Instant};

use bulatd::root::{Root, RootKey};
use bulatd::store::{Changes, Limits, NewKey, Store, StoreError, TokenRecord, Wrapped};
use common::{Cluster, open, sqlite};

const MANY: Limits = Limits { messages: 1 << 62, bytes: 1 << 62 };

/// Each gets the url of an empty database.
const CASES: &[(&str, fn(&str))] = &[
    ("life", life),
    ("two_rotate", two_rotate),
    ("numbers", numbers),
    ("limits", limits),
    ("root_key", root_key),
    ("access", access),
    ("all_at_once", all_at_once),
    ("newer", newer),
    ("killed", killed),
];

#[test]
fn on_sqlite() {
    for (name, case) in CASES {
        let folder = tempfile::tempdir().expect("a folder");
        run(name, *case, &sqlite(folder.path()));
    }
}

#[test]
fn on_postgresql() {
    let Some(cluster) = Cluster::start() else { return };
    for (name, case) in CASES {
        run(name, *case, &cluster.database(name));
    }
}

fn run(name: &str, case: fn(&str), url: &str) {
    let from = Instant::now();
    case(url);
    eprintln!("{name}: {:.1} s", from.elapsed().as_secs_f64());
}

fn key(name: &str, wrapped: Wrapped) -> NewKey {
    NewKey {
        name: name.into(),
        kind: "kuznyechik-mgm".into(),
        derived: false,
        exportable: false,
        allow_plaintext_backup: false,
        auto_rotate_period: 0,
        wrapped,
        created: 1,
    }
}

/// A wrap that nobody opens.
fn some(root: u32) -> Wrapped {
    Wrapped { root, bytes: vec![7; 64] }
}

fn root(n: u8) -> RootKey {
    RootKey::parse(&[n; 32]).expect("a key")
}

fn ready(url: &str) -> Store {
    let store = open(url);
    Root::create(&store, &root(1)).expect("a root key");
    store
}

fn life(url: &str) {
    let store = open(url);
    assert_eq!(store.create(&key("a", some(0))).map(|key| key.latest), Ok(1));
    assert_eq!(store.create(&key("b", some(1))), Err(StoreError::RootChanged));
    assert_eq!(store.create(&key("a", some(0))), Err(StoreError::Exists));
    let first = store.key("a").expect("an answer").expect("a key");
    assert_eq!(
        (first.latest, first.min_decryption_version, first.min_encryption_version),
        (1, 1, 0)
    );
    assert_eq!(store.rotate("a", 2, &some(0), 2), Err(StoreError::Conflict));
    assert_eq!(store.rotate("x", 1, &some(0), 2), Err(StoreError::NotFound));
    for latest in 1..5 {
        let key = store.rotate("a", latest, &some(0), 2).expect("a version");
        assert_eq!(key, store.key("a").expect("an answer").expect("a key"));
    }
    let set = |changes: Changes| store.configure("a", &changes);
    for (wrong, word) in [
        (Changes { min_decryption_version: Some(6), ..Changes::default() }, "latest"),
        (Changes { min_encryption_version: Some(6), ..Changes::default() }, "latest"),
        (
            Changes {
                min_decryption_version: Some(3),
                min_encryption_version: Some(2),
                ..Changes::default()
            },
            "below",
        ),
    ] {
        let Err(StoreError::Invalid(why)) = set(wrong) else { panic!("taken: {word}") };
        assert!(why.contains(word), "{why}");
    }
    assert!(matches!(store.trim("a", 2), Err(StoreError::Invalid(_))));
    let changes = Changes {
        min_decryption_version: Some(3),
        min_encryption_version: Some(4),
        exportable: Some(true),
        auto_rotate_period: Some(3600),
        ..Changes::default()
    };
    let set_to = set(changes).expect("changes");
    assert!(set_to.exportable && set_to.auto_rotate_period == 3600);
    let off = Changes { exportable: Some(false), ..Changes::default() };
    assert!(matches!(set(off), Err(StoreError::Invalid(_))));
    // Below what encrypts.
    assert_eq!(store.reserve("a", 3, 1, 1, MANY), Err(StoreError::Limit));
    let got = store.reserve("a", 4, 10, 100, MANY).expect("numbers");
    assert_eq!((got.first, got.generation), (0, set_to.generation));
    assert_eq!(store.reserve("a", 9, 1, 1, MANY), Err(StoreError::NotFound));
    let trimmed = store.trim("a", 3).expect("a trim");
    assert_eq!(trimmed.versions.iter().map(|v| v.version).collect::<Vec<_>>(), [3, 4, 5]);
    assert!(matches!(store.trim("a", 2), Err(StoreError::Invalid(_))));
    let back = Changes { min_decryption_version: Some(2), ..Changes::default() };
    assert!(matches!(set(back), Err(StoreError::Invalid(_))));
    assert!(matches!(store.delete("a"), Err(StoreError::Invalid(_))));
    let allow = Changes { deletion_allowed: Some(true), ..Changes::default() };
    let last = set(allow).expect("changes").generation;
    assert_eq!(store.delete("a"), Ok(()));
    assert_eq!(store.delete("a"), Err(StoreError::NotFound));
    assert_eq!(store.key("a"), Ok(None));
    // A key of the same name is another one, for caches too.
    let again = store.create(&key("a", some(0))).expect("a key");
    assert!(again.generation > last);
    assert_eq!(store.used("a", 1).map(|used| used.messages), Ok(0));
    for name in ["b", "B", "я", "a b"] {
        store.create(&key(name, some(0))).expect("a key");
    }
    assert_eq!(store.list(), Ok(["B", "a", "a b", "b", "я"].map(String::from).to_vec()));
    assert_eq!(store.generation("a"), Ok(Some(again.generation)));
    assert_eq!(store.generation("A"), Ok(None));
    assert_eq!(store.meta("m"), Ok(None));
    store.set_meta("m", b"1").expect("a value");
    store.set_meta("m", b"2").expect("a value");
    assert_eq!(store.meta("m"), Ok(Some(b"2".to_vec())));
    store.health().expect("health");
}

/// Four threads of two replicas rotate one key: each version is made once, and none is left out.
fn two_rotate(url: &str) {
    let stores = [open(url), open(url)];
    stores[0].create(&key("a", some(0))).expect("a key");
    let (made, lost) = (Mutex::new(Vec::new()), AtomicU64::new(0));
    let barrier = Barrier::new(4);
    std::thread::scope(|scope| {
        for i in 0..4usize {
            let (stores, made, lost, barrier) = (&stores, &made, &lost, &barrier);
            scope.spawn(move || {
                barrier.wait();
                for _ in 0..25 {
                    let latest = stores[i % 2].key("a").expect("an answer").expect("a key").latest;
                    match stores[i % 2].rotate("a", latest, &some(0), 1) {
                        Ok(key) => made.lock().expect("a lock").push(key.latest),
                        Err(StoreError::Conflict) => {
                            lost.fetch_add(1, Ordering::Relaxed);
                        }
                        Err(e) => panic!("{e}"),
                    }
                }
            });
        }
    });
    let mut made = made.into_inner().expect("a lock");
    made.sort_unstable();
    assert_eq!(made, (2..made.len() as u32 + 2).collect::<Vec<_>>());
    assert_eq!(made.len() as u64 + lost.load(Ordering::Relaxed), 100);
    let key = stores[1].key("a").expect("an answer").expect("a key");
    assert_eq!(key.versions.len(), made.len() + 1);
}

/// Eight threads of two replicas draw ten million numbers in blocks of any size, while others rotate and configure: no
/// number is given out twice, and none is left out.
fn numbers(url: &str) {
    const ALL: u64 = 10_000_000;
    let stores = [open(url), open(url)];
    stores[0].create(&key("a", some(0))).expect("a key");
    let (left, drawn) = (AtomicU64::new(ALL), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for i in 0..8u64 {
            let (stores, left, drawn) = (&stores, &left, &drawn);
            scope.spawn(move || {
                let mut seed = i + 1;
                loop {
                    seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                    let want = 1 + (seed >> 33) % 16384;
                    let take = |left: u64| Some(left.saturating_sub(want));
                    let before = left
                        .fetch_update(Ordering::Relaxed, Ordering::Relaxed, take)
                        .expect("a number");
                    let want = want.min(before);
                    if want == 0 {
                        return;
                    }
                    let got = stores[(i % 2) as usize].reserve("a", 1, want, want * 16, MANY);
                    let got = got.expect("numbers");
                    drawn.lock().expect("a lock").push((got.first, got.messages));
                    if i == 0 && seed >> 60 == 0 {
                        let key = stores[0].key("a").expect("an answer").expect("a key");
                        stores[0].rotate("a", key.latest, &some(0), 1).expect("a version");
                    }
                }
            });
        }
    });
    let mut drawn = drawn.into_inner().expect("a lock");
    drawn.sort_unstable();
    let mut next = 0;
    for (first, messages) in &drawn {
        assert_eq!(*first, next);
        next += messages;
    }
    assert_eq!(next, ALL);
    let used = stores[0].used("a", 1).expect("a version");
    assert_eq!((used.messages, used.bytes), (ALL, ALL * 16));
}

fn limits(url: &str) {
    let store = open(url);
    store.create(&key("a", some(0))).expect("a key");
    let limits = Limits { messages: 10, bytes: 100 };
    let reserve = |m, b| store.reserve("a", 1, m, b, limits);
    assert_eq!(reserve(11, 1), Err(StoreError::Limit));
    assert_eq!(reserve(1, 101), Err(StoreError::Limit));
    assert_eq!(reserve(9, 50).map(|got| got.first), Ok(0));
    assert_eq!(reserve(2, 1), Err(StoreError::Limit));
    assert_eq!(reserve(1, 51), Err(StoreError::Limit));
    assert_eq!(reserve(1, 50).map(|got| got.first), Ok(9));
    assert_eq!(reserve(1, 0), Err(StoreError::Limit));
    let all = Limits { messages: u64::MAX, bytes: u64::MAX };
    for (m, b) in [(u64::MAX, 1), (1, u64::MAX), (i64::MAX as u64 - 5, 1)] {
        assert_eq!(store.reserve("a", 1, m, b, all), Err(StoreError::Limit));
    }
    let rest = i64::MAX as u64 - 11;
    assert_eq!(store.reserve("a", 1, rest, 1, all).map(|got| got.first), Ok(10));
    assert_eq!(store.reserve("a", 1, 1, 1, all), Err(StoreError::Limit));
    assert_eq!(store.used("a", 1).map(|used| used.bytes), Ok(101));
}

/// Wraps are bound to name, type and version; a wrong root key is refused; a rotation moves everything, and whoever has
/// the old root key can no longer write.
fn root_key(url: &str) {
    let (store, there) = (open(url), Root::default());
    assert_eq!(there.unseal(&store, &root(1)), Err(StoreError::NotFound));
    assert_eq!(there.wrap("a", "k", 1, &[1; 32]), Err(StoreError::Sealed));
    Root::create(&store, &root(1)).expect("a root key");
    assert_eq!(Root::create(&store, &root(2)), Err(StoreError::Exists));
    assert_eq!(there.unseal(&store, &root(2)), Err(StoreError::WrongRoot));
    assert!(!there.unsealed());
    there.unseal(&store, &root(1)).expect("the root key");
    let audit = there.audit_key().expect("a key");
    let wrapped = there.wrap("a", "kuznyechik-mgm", 1, &[5; 32]).expect("a wrap");
    assert_eq!(
        there.unwrap("a", "kuznyechik-mgm", 1, &wrapped).expect("a secret").as_slice(),
        [5; 32]
    );
    for (name, kind, version) in
        [("b", "kuznyechik-mgm", 1), ("a", "magma-mgm", 1), ("a", "kuznyechik-mgm", 2)]
    {
        assert!(matches!(there.unwrap(name, kind, version, &wrapped), Err(StoreError::Corrupt(_))));
    }
    for cut in [0, 15, 31, wrapped.bytes.len() - 1] {
        let short = Wrapped { bytes: wrapped.bytes[..cut].to_vec(), ..wrapped };
        assert!(there.unwrap("a", "kuznyechik-mgm", 1, &short).is_err());
    }
    store.create(&key("a", wrapped.clone())).expect("a key");
    assert_eq!(Root::rotate(&store, &root(3), &root(2)), Err(StoreError::WrongRoot));
    assert_eq!(Root::rotate(&store, &root(1), &root(2)), Ok(2));
    // A replica that has not heard of it.
    let late = there.wrap("b", "kuznyechik-mgm", 1, &[6; 32]).expect("a wrap");
    assert_eq!(store.create(&key("b", late)), Err(StoreError::RootChanged));
    let moved = store.key("a").expect("an answer").expect("a key").versions[0].wrapped.clone();
    assert_eq!(there.unwrap("a", "kuznyechik-mgm", 1, &moved).err(), Some(StoreError::RootChanged));
    let none = bulatd::config::RootConfig::default();
    let counters = store.counters().expect("counters");
    assert_eq!(there.follow(&store, &counters, &none), Err(StoreError::WrongRoot));
    assert!(!there.unsealed());
    assert_eq!(there.unseal(&store, &root(1)), Err(StoreError::WrongRoot));
    there.unseal(&store, &root(2)).expect("the root key");
    assert_eq!(
        there.unwrap("a", "kuznyechik-mgm", 1, &moved).expect("a secret").as_slice(),
        [5; 32]
    );
    assert_eq!(*there.audit_key().expect("a key"), *audit);
    assert_eq!(there.follow(&store, &counters, &none), Ok(()));
}

fn access(url: &str) {
    let store = open(url);
    let token = |n: u8, expires| TokenRecord {
        hash: vec![n; 32],
        accessor: format!("accessor{n}"),
        display_name: "a \"name\"".into(),
        policies: vec!["a".into(), "b,c".into()],
        created: 10,
        expires,
        ttl: 5,
        renewable: true,
    };
    let before = store.counters().expect("counters");
    for (n, expires) in [(1, 0), (2, 100), (3, 200)] {
        store.token_create(&token(n, expires)).expect("a token");
    }
    assert_eq!(store.token_create(&token(1, 0)), Err(StoreError::Exists));
    assert_eq!(store.token(&[2; 32]), Ok(Some(token(2, 100))));
    assert_eq!(store.token(&[9; 32]), Ok(None));
    assert_eq!(store.token_by_accessor("accessor3"), Ok(Some(token(3, 200))));
    assert_eq!(store.token_list().map(|all| all.len()), Ok(3));
    assert_eq!(store.token_renew(&[2; 32], 150), Ok(()));
    assert_eq!(store.token_renew(&[9; 32], 150), Err(StoreError::NotFound));
    assert_eq!(store.token_sweep(149), Ok(0));
    assert_eq!(store.token_sweep(150), Ok(1));
    assert_eq!(store.token_revoke("accessor3"), Ok(()));
    assert_eq!(store.token_revoke("accessor3"), Err(StoreError::NotFound));
    assert_eq!(store.token_list(), Ok(vec![token(1, 0)]));
    store.policy_write("p", "rules").expect("a policy");
    store.policy_write("p", "other rules").expect("a policy");
    store.policy_write("o", "").expect("a policy");
    assert_eq!(store.policy("p"), Ok(Some("other rules".into())));
    assert_eq!(store.policy("q"), Ok(None));
    assert_eq!(store.policy_list(), Ok(vec!["o".into(), "p".into()]));
    assert_eq!(store.policy_delete("o"), Ok(()));
    assert_eq!(store.policy_delete("o"), Err(StoreError::NotFound));
    let after = store.counters().expect("counters");
    assert!(after.access > before.access && after.keys == before.keys);
}

/// A dump is restored as it was, but for the versions that must not encrypt again.
fn all_at_once(url: &str) {
    let store = ready(url);
    for name in ["a", "b"] {
        store.create(&key(name, some(1))).expect("a key");
        store.rotate(name, 1, &some(1), 1).expect("a version");
    }
    store.reserve("a", 2, 5, 50, MANY).expect("numbers");
    store.policy_write("p", "rules").expect("a policy");
    let dump = store.dump().expect("a dump");
    assert_eq!((dump.root, dump.keys.len(), dump.keys[0].1[1].messages), (1, 2, 5));
    assert_eq!(store.restore(&dump, false), Err(StoreError::Exists));
    store.create(&key("later", some(1))).expect("a key");
    let before = store.counters().expect("counters");
    store.restore(&dump, true).expect("a restore");
    let after = store.counters().expect("counters");
    assert!(after.keys > before.keys && after.access > before.access && after.root == 2);
    assert_eq!(store.list(), Ok(vec!["a".into(), "b".into()]));
    let all = Limits { messages: u64::MAX, bytes: u64::MAX };
    assert_eq!(store.reserve("a", 1, 1, 1, all), Err(StoreError::Limit));
    assert_eq!(store.reserve("a", 2, 1, 1, all).map(|got| got.first), Ok(5));
    assert_eq!(store.meta("root").expect("an answer").as_deref(), dump.meta("root"));
}

fn newer(url: &str) {
    open(url);
    open(url);
    match url.strip_prefix("sqlite:") {
        Some(path) => {
            let database = rusqlite::Connection::open(path).expect("a database");
            database.execute("UPDATE bulatd_schema SET version = 99", []).expect("an update");
        }
        None => {
            let mut client = postgres::Client::connect(url, postgres::NoTls).expect("a server");
            client.execute("UPDATE bulatd_schema SET version = 99", &[]).expect("an update");
        }
    }
    let Err(StoreError::Invalid(why)) = Store::open(&common::config(url)) else { panic!("opened") };
    assert!(why.contains("newer"));
}

/// A process that rotates keys and the root key is killed again and again: all that it said was done is there and opens.
fn killed(url: &str) {
    let store = ready(url);
    let (mut said, mut roots) = (0u32, 0u32);
    for round in 0..20u64 {
        let mut child = Command::new(std::env::current_exe().expect("this program"))
            .args(["child_writes", "--exact", "--nocapture", "--ignored"])
            .env("BULATD_TEST_URL", url)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("a child");
        let lines = BufReader::new(child.stdout.take().expect("its output")).lines();
        let reader = std::thread::spawn(move || lines.map_while(Result::ok).collect::<Vec<_>>());
        std::thread::sleep(Duration::from_millis(150 + round * 23));
        child.kill().expect("a kill");
        child.wait().expect("its end");
        for line in reader.join().expect("its lines") {
            // The test's own frame may stand before the first word.
            let words: Vec<_> = line.split(' ').rev().take(2).collect();
            match words[..] {
                [n, "version"] => said = n.parse().unwrap_or(said),
                [n, "root"] => roots = n.parse().unwrap_or(roots),
                _ => {}
            }
        }
        let number = store.counters().expect("counters").root as u32;
        assert!(number >= roots, "the root key's rotation was acknowledged and is lost");
        let there = Root::default();
        there.unseal(&store, &root(number as u8)).expect("the root key of that number");
        for name in store.list().expect("names") {
            let key = store.key(&name).expect("an answer").expect("a key");
            assert!(key.latest >= said, "a version was acknowledged and is lost");
            for version in key.versions {
                let secret = there.unwrap(&name, &key.kind, version.version, &version.wrapped);
                assert_eq!(secret.expect("it opens")[..4], version.version.to_be_bytes());
            }
        }
    }
    eprintln!("killed 20 times: version {said}, root key {roots}");
    assert!(said > 1 && roots > 1, "nothing was written: version {said}, root key {roots}");
}

/// The process that [`killed`] kills. The root key of number n is n, 32 times.
#[test]
#[ignore = "a part of the case `killed`"]
fn child_writes() {
    let Ok(url) = std::env::var("BULATD_TEST_URL") else { return };
    let (store, there) = (open(&url), Root::default());
    loop {
        let number = store.counters().expect("counters").root as u8;
        there.unseal(&store, &root(number)).expect("the root key");
        let wrap = |version: u32| {
            let secret = [version.to_be_bytes(); 8].concat();
            there.wrap("a", "kuznyechik-mgm", version, &secret).expect("a wrap")
        };
        let latest = match store.key("a").expect("an answer") {
            Some(key) => {
                store.rotate("a", key.latest, &wrap(key.latest + 1), 1).expect("a version").latest
            }
            None => store.create(&key("a", wrap(1))).expect("a key").latest,
        };
        println!("\nversion {latest}");
        if latest % 4 == 0 && number < 250 {
            let new = Root::rotate(&store, &root(number), &root(number + 1)).expect("a root key");
            println!("\nroot {new}");
        }
    }
}

/// The server is stopped and started: clear errors, then everything goes on by itself.
#[test]
fn postgresql_goes_and_comes() {
    let Some(cluster) = Cluster::start() else { return };
    let url = cluster.database("gone");
    let store = open(&url);
    store.create(&key("a", some(0))).expect("a key");
    // Several idle connections, all of which break.
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                (0..20).for_each(|_| {
                    store.reserve("a", 1, 1, 1, MANY).expect("numbers");
                })
            });
        }
    });
    for round in 0..3 {
        cluster.down();
        let from = Instant::now();
        for _ in 0..3 {
            let Err(StoreError::Unavailable(why)) = store.rotate("a", 1, &some(0), 1) else {
                panic!("rotated")
            };
            assert!(!why.is_empty());
            assert!(matches!(store.reserve("a", 1, 1, 1, MANY), Err(StoreError::Unavailable(_))));
            assert!(store.health().is_err());
        }
        assert!(from.elapsed() < Duration::from_secs(10), "errors come at once");
        cluster.up();
        assert_eq!(store.health(), Ok(()));
        let key = store.key("a").expect("an answer").expect("a key");
        assert_eq!(key.latest, 1);
        let got = store.reserve("a", 1, 1, 1, MANY).expect("numbers");
        assert_eq!(
            got.first,
            80 + round,
            "what was acknowledged is there, and no number comes twice"
        );
    }
    // Stopped and started while nobody asks: the broken connections are found and replaced.
    cluster.down();
    cluster.up();
    assert_eq!(store.rotate("a", 1, &some(0), 1).map(|key| key.latest), Ok(2));
}

#[test]
fn another_host_needs_a_word() {
    let mut config = common::config("postgres://user:secret@192.0.2.1/name");
    let Err(StoreError::Invalid(why)) = Store::open(&config) else { panic!("opened") };
    assert!(why.contains("plain_network") && !why.contains("secret"));
    config.url = "mysql://x".into();
    assert!(matches!(Store::open(&config), Err(StoreError::Invalid(_))));
    config.url = "sqlite:/nowhere/bulatd.db".into();
    assert!(matches!(Store::open(&config), Err(StoreError::Unavailable(_))));
}

/// A file that may not grow: the write is refused with a clear error, what was acknowledged stays, and with room again
/// everything goes on.
#[test]
fn sqlite_without_room() {
    let folder = tempfile::tempdir().expect("a folder");
    let url = sqlite(folder.path());
    ready(&url);
    let this = std::env::current_exe().expect("this program");
    let out = Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f 2000; exec \"$0\" \"$@\""])
        .arg(this)
        .args(["child_fills", "--exact", "--nocapture", "--ignored"])
        .env("BULATD_TEST_URL", &url)
        .output()
        .expect("a child");
    let text = String::from_utf8_lossy(&out.stdout);
    assert!(out.status.success(), "{text}{}", String::from_utf8_lossy(&out.stderr));
    let made = text.lines().filter(|line| line.starts_with("made")).count();
    assert!(made > 10, "{text}");
    let store = open(&url);
    assert_eq!(store.list().map(|names| names.len()), Ok(made));
    store.create(&key("more", some(1))).expect("a key, with room");
}

/// The process without room.
#[test]
#[ignore = "a part of `sqlite_without_room`"]
fn child_fills() {
    let Ok(url) = std::env::var("BULATD_TEST_URL") else { return };
    let store = open(&url);
    let big = Wrapped { root: 1, bytes: vec![9; 20_000] };
    for i in 0..1000 {
        match store.create(&key(&format!("k{i}"), big.clone())) {
            Ok(_) => println!("\nmade {i}"),
            Err(StoreError::Full | StoreError::Unavailable(_)) => {
                // Reading goes on, and so does refusing.
                assert_eq!(store.list().map(|names| names.len()), Ok(i));
                assert!(store.create(&key("again", big.clone())).is_err());
                println!("\nrefused");
                return;
            }
            Err(e) => panic!("{e}"),
        }
    }
    panic!("there was room for all");
}
