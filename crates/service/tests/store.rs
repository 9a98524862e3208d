//! The store on SQLite and on PostgreSQL, with one set of cases for both.

mod common;

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Barrier, Mutex};
use std::time::Instant;

use bulatd::backup::{backup, restore};
use bulatd::config::RootConfig;
use bulatd::root::Root;
use bulatd::store::{
    Changes, GiveBack, Kind, Limits, Record, Store, StoreError, TokenRecord, Wrapped,
};
use common::{Cluster, MANY, bare, draw, key, open, root, some, sqlite};

/// Functions with their names.
macro_rules! named {
    ($($case:ident),*) => { &[$((stringify!($case), $case)),*] };
}

/// The cases. Each gets the url of an empty database.
const CASES: &[(&str, fn(&str))] = named! {
    life, two_rotate, numbers, limits, root_key, access, all_at_once, given_back, deleted_in_two_steps, forged_rows,
    newer, older, log, side_by_side, families, login_records, rotation_under_load
};

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

fn life(url: &str) {
    let store = open(url);
    assert_eq!(store.create(&key("a", some(1))).map(|key| key.latest), Ok(1));
    assert_eq!(store.create(&key("b", some(2))), Err(StoreError::RootChanged));
    assert_eq!(store.create(&key("a", some(1))), Err(StoreError::Exists));
    let first = store.key("a").expect("an answer").expect("a key");
    let least = (first.min_decryption_version, first.min_encryption_version);
    assert_eq!((first.latest, least), (1, (1, 0)));
    assert_eq!(store.rotate("a", 2, &some(1), 2), Err(StoreError::Conflict));
    assert_eq!(store.rotate("x", 1, &some(1), 2), Err(StoreError::NotFound));
    for latest in 1..5 {
        let key = store.rotate("a", latest, &some(1), 2).expect("a version");
        assert_eq!(key, store.key("a").expect("an answer").expect("a key"));
    }
    let set = |changes: Changes| store.configure("a", &changes);
    let versions = |min_decryption_version, min_encryption_version| Changes {
        min_decryption_version,
        min_encryption_version,
        ..Changes::default()
    };
    for (decrypt, encrypt, word) in
        [(Some(6), None, "latest"), (None, Some(6), "latest"), (Some(3), Some(2), "below")]
    {
        let wrong = versions(decrypt, encrypt);
        let Err(StoreError::Invalid(why)) = set(wrong) else { panic!("taken: {word}") };
        assert!(why.contains(word), "{why}");
    }
    assert!(matches!(store.trim("a", 2, None), Err(StoreError::Invalid(_))));
    let changes = Changes { auto_rotate_period: Some(3600), ..versions(Some(3), Some(4)) };
    let set_to = set(changes).expect("changes");
    assert_eq!(set_to.auto_rotate_period, 3600);
    // Below the least version that encrypts.
    assert_eq!(draw(&store, "a", 3, 1, 1, MANY), Err(StoreError::Limit));
    let got = draw(&store, "a", 4, 10, 100, MANY).expect("numbers");
    assert_eq!((got.first, got.generation), (0, set_to.generation));
    assert_eq!(draw(&store, "a", 9, 1, 1, MANY), Err(StoreError::NotFound));
    // Another key, or other versions that may encrypt, are conflicts; a rotation is not.
    for other in [(set_to.incarnation + 1, 4), (set_to.incarnation, 3)] {
        assert_eq!(store.trim("a", 3, Some(other)), Err(StoreError::Conflict));
    }
    store.rotate("a", 5, &some(1), 2).expect("a version");
    let trimmed = store.trim("a", 3, Some((set_to.incarnation, 4))).expect("a trim");
    assert_eq!(trimmed.versions.iter().map(|v| v.version).collect::<Vec<_>>(), [3, 4, 5, 6]);
    assert!(matches!(store.trim("a", 2, None), Err(StoreError::Invalid(_))));
    assert!(matches!(set(versions(Some(2), None)), Err(StoreError::Invalid(_))));
    assert!(matches!(store.delete("a"), Err(StoreError::Invalid(_))));
    let allow = Changes { deletion_allowed: Some(true), ..Changes::default() };
    let last = set(allow).expect("changes").generation;
    let begun = store.delete("a").expect("begun");
    assert_eq!(store.delete("a"), Err(StoreError::NotFound));
    assert_eq!(store.key("a"), Ok(None));
    store.delete_end("a", begun).expect("deleted");
    // A new key with an old name is another key, for caches too.
    let again = store.create(&key("a", some(1))).expect("a key");
    assert!(again.generation > last);
    assert_eq!(store.used("a", 1).map(|used| used.messages), Ok(0));
    for name in ["b", "B", "я", "a b"] {
        store.create(&key(name, some(1))).expect("a key");
    }
    let list = |after, limit| store.list(after, limit).expect("names").join(",");
    assert_eq!(list("", u64::MAX), "B,a,a b,b,я");
    for (after, limit, names) in
        [("", 2, "B,a"), ("a", 2, "a b,b"), ("b", 9, "я"), ("я", 9, ""), ("A", 1, "B")]
    {
        assert_eq!(list(after, limit), names);
    }
    assert_eq!(store.key("a"), Ok(Some(again)));
    assert_eq!(store.key("A"), Ok(None));
}

/// Four threads of two replicas rotate one key: each version is made once, and none is missing.
fn two_rotate(url: &str) {
    let stores = [open(url), open(url)];
    stores[0].create(&key("a", some(1))).expect("a key");
    let (made, lost) = (Mutex::new(Vec::new()), AtomicU64::new(0));
    let barrier = Barrier::new(4);
    std::thread::scope(|scope| {
        for i in 0..4usize {
            let (stores, made, lost, barrier) = (&stores, &made, &lost, &barrier);
            scope.spawn(move || {
                barrier.wait();
                for _ in 0..25 {
                    let latest = stores[i % 2].key("a").expect("an answer").expect("a key").latest;
                    match stores[i % 2].rotate("a", latest, &some(1), 1) {
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

/// Eight threads of two replicas draw ten million numbers in blocks of any size, while others rotate and configure: each
/// number is drawn once, and none is missing.
fn numbers(url: &str) {
    const ALL: u64 = 10_000_000;
    let stores = [open(url), open(url)];
    stores[0].create(&key("a", some(1))).expect("a key");
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
                    let got = draw(&stores[(i % 2) as usize], "a", 1, want, want * 16, MANY);
                    let got = got.expect("numbers");
                    drawn.lock().expect("a lock").push((got.first, got.messages));
                    if i == 0 && seed >> 60 == 0 {
                        let key = stores[0].key("a").expect("an answer").expect("a key");
                        stores[0].rotate("a", key.latest, &some(1), 1).expect("a version");
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
    store.create(&key("a", some(1))).expect("a key");
    let limits = Limits { messages: 10, bytes: 100 };
    let reserve = |m, b| draw(&store, "a", 1, m, b, limits);
    assert_eq!(reserve(11, 1), Err(StoreError::Limit));
    assert_eq!(reserve(1, 101), Err(StoreError::Limit));
    assert_eq!(reserve(9, 50).map(|got| got.first), Ok(0));
    assert_eq!(reserve(2, 1), Err(StoreError::Limit));
    assert_eq!(reserve(1, 51), Err(StoreError::Limit));
    assert_eq!(reserve(1, 50).map(|got| got.first), Ok(9));
    assert_eq!(reserve(1, 0), Err(StoreError::Limit));
    let all = Limits { messages: u64::MAX, bytes: u64::MAX };
    for (m, b) in [(u64::MAX, 1), (1, u64::MAX), (i64::MAX as u64 - 5, 1)] {
        assert_eq!(draw(&store, "a", 1, m, b, all), Err(StoreError::Limit));
    }
    let rest = i64::MAX as u64 - 11;
    assert_eq!(draw(&store, "a", 1, rest, 1, all).map(|got| got.first), Ok(10));
    assert_eq!(draw(&store, "a", 1, 1, 1, all), Err(StoreError::Limit));
    assert_eq!(store.used("a", 1).map(|used| used.bytes), Ok(101));
}

/// Wraps are bound to name, type and version; a wrong root key is refused; a rotation wraps everything anew, and with
/// the old root key nothing can be written any more.
fn root_key(url: &str) {
    let (store, there) = (bare(url), Root::default());
    assert_eq!(there.unseal(&store, &root(1)), Err(StoreError::NotFound));
    assert_eq!(there.wrap("a", "k", 1, &[1; 32]), Err(StoreError::Sealed));
    Root::create(&store, &root(1)).expect("a root key");
    assert_eq!(Root::create(&store, &root(2)), Err(StoreError::Exists));
    assert_eq!(there.unseal(&store, &root(2)), Err(StoreError::WrongRoot));
    assert!(!there.unsealed());
    there.unseal(&store, &root(1)).expect("the root key");
    let mac = |root: &Root| root.audit_mac(b"a value").expect("a MAC").as_ref().to_vec();
    let audit = mac(&there);
    let wrapped = there.wrap("a", "kuznyechik-mgm", 1, &[5; 32]).expect("a wrap");
    let secret = |of: &Wrapped| there.unwrap("a", "kuznyechik-mgm", 1, of).map(|s| s.to_vec());
    assert_eq!(secret(&wrapped), Ok(vec![5; 32]));
    for (name, kind, version) in
        [("b", "kuznyechik-mgm", 1), ("a", "magma-mgm", 1), ("a", "kuznyechik-mgm", 2)]
    {
        assert!(matches!(there.unwrap(name, kind, version, &wrapped), Err(StoreError::Corrupt(_))));
    }
    for cut in [0, 15, 31, wrapped.bytes.len() - 1] {
        let short = Wrapped { bytes: wrapped.bytes[..cut].to_vec(), ..wrapped };
        assert!(secret(&short).is_err());
    }
    store.create(&key("a", wrapped.clone())).expect("a key");
    assert_eq!(Root::rotate(&store, &root(3), &root(2)), Err(StoreError::WrongRoot));
    let sealed = open(url);
    assert_eq!(Root::rotate(&store, &root(1), &root(2)), Ok(2));
    // A replica that has not noticed the rotation.
    let late = there.wrap("b", "kuznyechik-mgm", 1, &[6; 32]).expect("a wrap");
    assert_eq!(store.create(&key("b", late)), Err(StoreError::RootChanged));
    assert_eq!(store.key("a"), Err(StoreError::RootChanged));
    let other = bare(url);
    assert_eq!(other.key("a"), Err(StoreError::Sealed));
    Root::default().unseal(&other, &root(2)).expect("the root key");
    let moved = other.key("a").expect("an answer").expect("a key").versions[0].wrapped.clone();
    assert_eq!(secret(&moved), Err(StoreError::RootChanged));
    let none = RootConfig::default();
    let counters = store.root().expect("a number");
    // A replica that is sealed reads rows with the next root key, and stays sealed.
    let folder = tempfile::tempdir().expect("a folder");
    let [file, next] = [1, 2].map(|n| {
        let path = folder.path().join(format!("root-{n}"));
        root(n).write_new(&path).expect("a file");
        Some(path)
    });
    let with_next = RootConfig { file, next, ..Default::default() };
    let asleep = Root::default();
    assert_eq!(sealed.key("a"), Err(StoreError::RootChanged));
    assert_eq!(asleep.follow(&sealed, counters, &with_next), Ok(()));
    assert!(sealed.key("a").is_ok_and(|key| key.is_some()) && !asleep.unsealed());
    // The key that was read from a pipe, which no later call can read.
    let pipe = RootConfig { descriptor: Some(9999), ..Default::default() };
    assert_eq!(asleep.find(&sealed, None, &pipe), Err(StoreError::WrongRoot));
    assert_eq!(asleep.find(&sealed, Some(root(2)), &pipe), Ok(()));
    assert_eq!(there.follow(&store, counters, &none), Err(StoreError::WrongRoot));
    assert!(!there.unsealed());
    assert_eq!(there.unseal(&store, &root(1)), Err(StoreError::WrongRoot));
    // The new key arrives late. A replica that was sealed on request stays sealed.
    let file = Some(folder.path().join("key"));
    let late = RootConfig { file, ..Default::default() };
    assert_eq!(there.follow(&store, counters, &late), Err(StoreError::WrongRoot));
    root(2).write_new(&folder.path().join("key")).expect("a file");
    assert_eq!(there.follow(&store, counters, &late), Ok(()));
    assert!(there.unsealed());
    there.seal();
    assert_eq!(there.follow(&store, counters, &late), Ok(()));
    assert!(!there.unsealed());
    there.unseal(&store, &root(2)).expect("the root key");
    assert_eq!(secret(&moved), Ok(vec![5; 32]));
    assert_eq!(mac(&there), audit);
    assert_eq!(there.follow(&store, counters, &none), Ok(()));
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
        ..token_record()
    };
    let place = store.news(None, TOKENS).expect("news").place;
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
    // SQLite goes by the service's clock, whatever the system's time is; PostgreSQL has a clock of its own. Only
    // deletions count.
    let ahead = 1 << 40;
    store.token_create(&token(4, ahead)).expect("a token");
    let count = store.news(None, TOKENS).expect("news").place;
    let changes = || store.news(Some(count), TOKENS).expect("news").changed.len();
    assert_eq!(store.token_end("accessor4", ahead - 1), Ok(()));
    assert_eq!(store.token_end("accessor9", ahead), Ok(()));
    assert_eq!(changes(), 0);
    assert_eq!(store.token_end("accessor4", ahead), Ok(()));
    let sqlite = url.starts_with("sqlite:");
    assert_eq!(store.token(&[4; 32]).map(|there| there.is_none()), Ok(sqlite));
    assert_eq!(changes(), usize::from(sqlite));
    if !sqlite {
        store.token_revoke("accessor4").expect("revoked");
    }
    store.policy_write("p", "rules").expect("a policy");
    store.policy_write("p", "other rules").expect("a policy");
    store.policy_write("o", "").expect("a policy");
    assert_eq!(store.policy("p"), Ok(Some("other rules".into())));
    assert_eq!(store.policy("q"), Ok(None));
    assert_eq!(store.policy_list(), Ok(vec!["o".into(), "p".into()]));
    assert_eq!(store.policy_delete("o"), Ok(()));
    assert_eq!(store.policy_delete("o"), Err(StoreError::NotFound));
    let news = store.news(Some(place), TOKENS).expect("news");
    let changed = |kind, name: &str| news.changed.contains(&(kind, name.into()));
    assert!(changed(Kind::Token, "accessor3") && changed(Kind::Policy, "o") && !news.all);
    assert_eq!(store.news(Some(place), [Kind::Key; 2]).expect("news").changed, []);
}

/// The log has a change until it is pruned; who reads on from before that forgets everything. A transaction that ends
/// later than one with a greater number is not missed.
fn log(url: &str) {
    let store = open(url);
    let keys = |since| store.news(Some(since), [Kind::Key; 2]).expect("news");
    let start = store.news(None, [Kind::Key; 2]).expect("news");
    assert!(start.changed.is_empty() && start.root == 1 && !start.all);
    store.create(&key("a", some(1))).expect("a key");
    let first = keys(start.place);
    assert_eq!(first.changed, [(Kind::Key, "a".into())]);
    store.rotate("a", 1, &some(1), 2).expect("a version");
    assert_eq!(keys(first.place).changed, [(Kind::Key, "a".into())]);
    store.prune().expect("nothing is old");
    assert!(!keys(start.place).all);
    if !url.starts_with("sqlite:") {
        let mut late = postgres::Client::connect(url, postgres::NoTls).expect("a server");
        let mut late = late.transaction().expect("a transaction");
        let insert = "INSERT INTO changes (place, what, name, made)
            VALUES (pg_current_xact_id()::TEXT::BIGINT, 1, 'late', 1)";
        late.batch_execute(insert).expect("an insert");
        let from = keys(first.place).place;
        store.create(&key("b", some(1))).expect("a key");
        let early = keys(from);
        assert_eq!(early.changed.iter().filter(|(_, name)| name == "b").count(), 1);
        // A transaction that is open for longer than the log keeps changes.
        meddle(url, "UPDATE changes SET made = 1");
        store.prune().expect("pruned");
        assert!(!keys(early.place).all && keys(start.place).all);
        late.commit().expect("committed");
        assert!(keys(early.place).changed.contains(&(Kind::Key, "late".into())));
        meddle(url, "DELETE FROM changes WHERE name = 'late'");
    }
    let now = keys(first.place).place;
    meddle(url, "UPDATE changes SET made = 1");
    store.prune().expect("pruned");
    let news = keys(start.place);
    assert!(news.all && news.changed.is_empty());
    assert!(!keys(now).all && !keys(news.place).all);
}

/// Changes of different keys do not wait for each other.
fn side_by_side(url: &str) {
    if url.starts_with("sqlite:") {
        return;
    }
    let store = open(url);
    for name in ["a", "b"] {
        store.create(&key(name, some(1))).expect("a key");
    }
    let mut other = postgres::Client::connect(url, postgres::NoTls).expect("a server");
    let mut held = other.transaction().expect("a transaction");
    held.batch_execute("SELECT name FROM keys WHERE name = 'a' FOR UPDATE").expect("a lock");
    // A call that waits for the lock ends with an error.
    store.rotate("b", 1, &some(1), 2).expect("a version");
    store.create(&key("c", some(1))).expect("a key");
    std::thread::scope(|scope| {
        let waits = scope.spawn(|| store.rotate("a", 1, &some(1), 2).map(|key| key.latest));
        std::thread::sleep(std::time::Duration::from_millis(100));
        assert!(!waits.is_finished());
        held.commit().expect("committed");
        assert_eq!(waits.join().expect("an end"), Ok(2));
    });
}

/// A token ends with the one that made it, also when that expires; uses are counted, and the last one ends it.
fn families(url: &str) {
    let store = open(url);
    let token = |n: u8, parent: &str| TokenRecord {
        hash: vec![n; 32],
        accessor: format!("t{n}"),
        parent: parent.into(),
        ..token_record()
    };
    for (n, parent) in [(1, ""), (2, "t1"), (3, "t2"), (4, "t2"), (5, "")] {
        store.token_create(&token(n, parent)).expect("a token");
    }
    assert_eq!(store.token(&[3; 32]), Ok(Some(token(3, "t2"))));
    let place = store.news(None, TOKENS).expect("news").place;
    store.token_revoke("t2").expect("revoked");
    let left: Vec<_> =
        store.token_list().expect("tokens").into_iter().map(|t| t.accessor).collect();
    assert_eq!(left, ["t1", "t5"]);
    let news = store.news(Some(place), TOKENS).expect("news");
    let gone: BTreeSet<_> = news.changed.iter().map(|(_, name)| name.as_str()).collect();
    assert_eq!(gone, ["t2", "t3", "t4"].into());
    let old = TokenRecord { expires: 50, ..token(6, "") };
    store.token_create(&old).expect("a token");
    for (n, parent) in [(7, "t6"), (8, "t7")] {
        store.token_create(&token(n, parent)).expect("a token");
    }
    assert_eq!(store.token_sweep(60), Ok(3));
    let few = TokenRecord { uses: 2, period: 7, most: 9, path: "p".into(), ..token(9, "") };
    store.token_create(&few).expect("a token");
    assert_eq!(store.token(&[9; 32]), Ok(Some(few)));
    assert_eq!(store.token_use(&[9; 32]), Ok(()));
    assert_eq!(store.token(&[9; 32]).map(|t| t.map(|t| t.uses)), Ok(Some(1)));
    assert_eq!(store.token_use(&[9; 32]), Ok(()));
    assert_eq!(store.token_use(&[9; 32]), Err(StoreError::NotFound));
    assert_eq!(store.token_use(&[1; 32]), Ok(()));
    // Limits are authenticated, too.
    meddle(url, "UPDATE tokens SET uses = 5 WHERE accessor = 't1'");
    assert!(matches!(store.token(&[1; 32]), Err(StoreError::Corrupt(_))));
}

/// Records of logins: written, replaced, listed, ended.
fn login_records(url: &str) {
    let store = open(url);
    let record = |name: &str, value: &str, expires| Record {
        name: name.into(),
        value: value.into(),
        expires,
    };
    for name in ["role/a", "role/b", "role/c", "rolf/a", "rol/z"] {
        store.records_change(&[], &[record(name, "1", 0)], None).expect("written");
    }
    // A name that is in use, and a record that was changed since it was read: nothing is deleted or written.
    let (gone, other) = (["role/b".into()], [record("role/x", "1", 0)]);
    let both = [other[0].clone(), record("role/a", "2", 0)];
    assert_eq!(store.records_change(&gone, &both, None), Err(StoreError::Conflict));
    let stale = record("role/a", "0", 0);
    assert_eq!(store.records_change(&gone, &other, Some(&stale)), Err(StoreError::Conflict));
    assert_eq!(store.record_names("role/", "", 9).expect("names"), ["a", "b", "c"]);
    assert_eq!(store.record_names("role/", "a", 1).expect("names"), ["b"]);
    assert_eq!(store.record("role/a"), Ok(Some(record("role/a", "1", 0))));
    assert_eq!(store.record_swap(&record("role/a", "2", 0), "3"), Ok(false));
    assert_eq!(store.record_swap(&record("role/a", "1", 0), "3"), Ok(true));
    assert_eq!(store.record("role/a").map(|r| r.map(|r| r.value)), Ok(Some("3".into())));
    let seen = record("role/a", "3", 0);
    assert_eq!(store.records_change(&[], &[record("role/a", "4", 0)], Some(&seen)), Ok(()));
    assert_eq!(store.records_change(&[], &[], Some(&seen)), Err(StoreError::Conflict));
    let seen = record("role/a", "4", 0);
    assert_eq!(store.records_change(&[], &[], Some(&seen)), Ok(()));
    assert_eq!(store.record("role/a"), Ok(None));
    store.records_change(&["role/b".into()], &[record("role/b", "4", 70)], None).expect("written");
    assert_eq!(store.record_sweep(69), Ok(0));
    assert_eq!(store.record_sweep(70), Ok(1));
    let gone = ["role/".into(), "rolf/a".into()];
    store.records_change(&gone, &[record("role/d", "5", 0)], None).expect("changed");
    assert_eq!(store.record_names("role/", "", 9).expect("names"), ["d"]);
    assert_eq!(store.record("rolf/a"), Ok(None));
    meddle(url, "UPDATE records SET expires = 5");
    assert!(matches!(store.record("rol/z"), Err(StoreError::Corrupt(_))));
}

/// Keys, tokens, policies and records change during a rotation of the root key, by other threads; all of it is there
/// afterwards under the new one. A rotation that was interrupted before the switch changes nothing.
fn rotation_under_load(url: &str) {
    let store = open(url);
    let there = Root::default();
    there.unseal(&store, &root(1)).expect("the root key");
    let wrap = |there: &Root, name: &str, version| {
        there.wrap(name, "kuznyechik-mgm", version, &[7; 64]).expect("a wrap")
    };
    for n in 0..250 {
        let name = format!("k{n}");
        store.create(&key(&name, wrap(&there, &name, 1))).expect("a key");
    }
    store.token_create(&TokenRecord { hash: vec![1; 32], ..token_record() }).expect("a token");
    let other = bare(url);
    Root::default().unseal(&other, &root(1)).expect("the root key");
    let stop = std::sync::atomic::AtomicBool::new(false);
    let made = std::thread::scope(|scope| {
        let works = scope.spawn(|| {
            let mut made = 0u32;
            while !stop.load(Ordering::Relaxed) {
                let name = format!("n{made}");
                let done = other
                    .create(&key(&name, wrap(&there, &name, 1)))
                    .and_then(|_| other.rotate(&name, 1, &wrap(&there, &name, 2), 1))
                    .and_then(|_| other.policy_write(&name, "rules"))
                    .and_then(|()| {
                        let name = format!("role/{name}");
                        let new = [Record { name, value: "v".into(), expires: 0 }];
                        other.records_change(&[], &new, None)
                    });
                match done {
                    Ok(()) => made += 1,
                    Err(StoreError::RootChanged) => break,
                    Err(e) => panic!("{e}"),
                }
            }
            made
        });
        let done = Root::rotate(&store, &root(1), &root(2));
        stop.store(true, Ordering::Relaxed);
        assert_eq!(done, Ok(2));
        works.join().expect("an end")
    });
    assert!(made > 0);
    there.unseal(&store, &root(2)).expect("the root key");
    let dump = store.dump().expect("every code is right");
    assert!(dump.keys.len() >= 250 + made as usize && dump.policies.len() >= made as usize);
    for (record, _) in &dump.keys {
        for version in &record.versions {
            assert_eq!(version.wrapped.root, 2);
            let name = (&record.name, &record.kind);
            assert!(there.unwrap(name.0, name.1, version.version, &version.wrapped).is_ok());
        }
    }
    // The switch may come between the last policy and its record.
    assert!(dump.records.len() >= made as usize && dump.records.len() <= dump.policies.len());
    assert!(dump.meta.iter().all(|meta| meta.name == "root" || meta.name == "audit"));
    store.settle().expect("nothing is left");
    // Once more, since codes of a former rotation are no hindrance.
    assert_eq!(Root::rotate(&store, &root(2), &root(3)), Ok(3));
    there.unseal(&store, &root(3)).expect("the root key");
    assert_eq!(store.dump().map(|again| again.keys.len()), Ok(dump.keys.len()));
}

/// A database of the tables before the log of changes is brought up to date, with all that is in it.
fn older(url: &str) {
    {
        let store = open(url);
        store.create(&key("a", some(1))).expect("a key");
        store.token_create(&TokenRecord { hash: vec![1; 32], ..token_record() }).expect("a token");
        store.policy_write("p", "rules").expect("a policy");
    }
    let mut back = String::from("DROP INDEX changes_by_place; DROP INDEX tokens_by_parent;");
    for (table, columns) in [
        ("keys", "convergent next_root next_mac"),
        ("versions", "next_root next_wrapped next_mac"),
        ("tokens", "parent period most uses path next_root next_mac"),
        ("policies", "next_root next_mac"),
    ] {
        for column in columns.split(' ') {
            back += &format!("ALTER TABLE {table} DROP COLUMN {column};");
        }
    }
    back += "DROP TABLE changes; DROP TABLE records; DELETE FROM counters WHERE name = 'pruned';
        INSERT INTO counters (name, value) VALUES ('keys', 0), ('access', 5) ON CONFLICT DO NOTHING;
        UPDATE counters SET value = value + 1000 WHERE name = 'keys'; UPDATE bulatd_schema SET version = 2;";
    if !url.starts_with("sqlite:") {
        back += "DROP SEQUENCE numbers;";
    }
    meddle(url, &back);
    if !url.starts_with("sqlite:") {
        // Replicas of the older bulatd may still run.
        let Err(StoreError::Invalid(why)) = Store::open(&common::config(url)) else {
            panic!("opened")
        };
        assert!(why.contains("bulatd migrate"), "{why}");
        Store::migrate(&common::config(url)).expect("new tables");
    }
    let store = open(url);
    let before = store.key("a").expect("its code is right").expect("a key").generation;
    assert_eq!(store.token(&[1; 32]).map(|token| token.is_some()), Ok(true));
    assert_eq!(store.policy("p"), Ok(Some("rules".into())));
    assert!(store.rotate("a", 1, &some(1), 2).expect("a version").generation > before);
    assert_eq!(store.news(Some(0), [Kind::Key; 2]).expect("news").changed.len(), 1);
}

/// A token without limits.
fn token_record() -> TokenRecord {
    TokenRecord {
        accessor: "accessor".into(),
        policies: vec!["p".into()],
        created: 1,
        ..TokenRecord::default()
    }
}

const TOKENS: [Kind; 2] = [Kind::Token, Kind::Policy];

/// A backup is restored as it was, except that old versions encrypt no more.
fn all_at_once(url: &str) {
    let store = open(url);
    let there = Root::default();
    there.unseal(&store, &root(1)).expect("the root key");
    let wrap =
        |name, version| there.wrap(name, "kuznyechik-mgm", version, &[7; 64]).expect("a wrap");
    for name in ["a", "b"] {
        store.create(&key(name, wrap(name, 1))).expect("a key");
        store.rotate(name, 1, &wrap(name, 2), 1).expect("a version");
    }
    draw(&store, "a", 2, 5, 50, MANY).expect("numbers");
    store.policy_write("p", "rules").expect("a policy");
    let dump = store.dump().expect("a dump");
    assert_eq!((dump.root, dump.keys.len(), dump.keys[0].1[1].messages), (1, 2, 5));
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("backup");
    backup(&store, &there, 1, &file).expect("a backup");
    let into = |force| restore(&store, &root(1), 2, &file, force, true);
    assert!(into(false).is_err_and(|why| why.contains("--force")));
    store.create(&key("later", wrap("later", 1))).expect("a key");
    let old = store.key("a").expect("an answer").expect("a key");
    let place = store.news(None, TOKENS).expect("news").place;
    into(true).expect("a restore");
    for kinds in [TOKENS, [Kind::Key; 2]] {
        let news = store.news(Some(place), kinds).expect("news");
        assert!(news.all && news.root == 2);
        assert!(!store.news(Some(news.place), kinds).expect("news").all);
    }
    assert_eq!(store.list("", 9), Ok(vec!["a".into(), "b".into()]));
    // A process that has not noticed the change writes nothing; it can read, since the codes have one key.
    assert_eq!(store.policy("p"), Ok(Some("rules".into())));
    assert_eq!(store.policy_write("p", ""), Err(StoreError::RootChanged));
    there.unseal(&store, &root(1)).expect("the root key");
    let all = Limits { messages: u64::MAX, bytes: u64::MAX };
    for version in [1, 2] {
        assert_eq!(draw(&store, "a", version, 1, 1, all), Err(StoreError::Limit));
        assert_eq!(draw(&store, "a", version, 0, 1, all), Err(StoreError::Limit));
    }
    assert_eq!(draw(&store, "a", 3, 1, 1, all).map(|got| got.first), Ok(0));
    let closed = store.reserve("a", old.incarnation, 3, [1, 1], all);
    assert_eq!(closed, Err(StoreError::Conflict), "what was known of the key before the restore");
    assert_eq!(store.dump().expect("a dump").meta("root"), dump.meta("root"));
}

/// Bytes go back to a version once, and only to the key that they were drawn for; numbers never do.
fn given_back(url: &str) {
    let store = open(url);
    let made = store.create(&key("a", some(1))).expect("a key");
    draw(&store, "a", 1, 10, 100, MANY).expect("numbers");
    let back = |incarnation, bytes| {
        let name = "a".into();
        store.give_back(&[GiveBack { name, incarnation, version: 1, bytes }]).expect("an answer");
        let used = store.used("a", 1).expect("a version");
        (used.messages, used.bytes)
    };
    assert_eq!(back(made.incarnation, 60), (10, 40));
    assert_eq!(back(made.incarnation, 41), (10, 40), "more than was drawn");
    assert_eq!(back(made.incarnation + 1, 40), (10, 40), "of another key");
    assert_eq!(back(made.incarnation, 40), (10, 0));
}

/// A key that is being deleted is gone for all callers; its name is free when the deletion has ended.
fn deleted_in_two_steps(url: &str) {
    let store = open(url);
    let made = store.create(&key("a", some(1))).expect("a key");
    let allow = Changes { deletion_allowed: Some(true), ..Changes::default() };
    store.configure("a", &allow).expect("changes");
    let begun = store.delete("a").expect("begun");
    assert_eq!(store.key("a"), Ok(None));
    assert_eq!(store.list("", 9), Ok(Vec::new()));
    assert_eq!(store.delete("a"), Err(StoreError::NotFound));
    assert_eq!(store.configure("a", &allow), Err(StoreError::NotFound));
    let late = store.reserve("a", made.incarnation, 1, [1, 1], MANY);
    assert_eq!(late, Err(StoreError::NotFound));
    assert_eq!(store.create(&key("a", some(1))), Err(StoreError::Deleting(begun)));
    assert_eq!(store.deleting(), Ok(vec![("a".into(), begun)]));
    // It survives a rotation of the root key, and is in no backup.
    assert_eq!(store.dump().map(|dump| dump.keys.len()), Ok(0));
    assert_eq!(store.delete_end("a", begun - 1), Ok(()));
    assert_eq!(store.create(&key("a", some(1))), Err(StoreError::Deleting(begun)));
    assert_eq!(store.delete_end("a", begun), Ok(()));
    let again = store.create(&key("a", some(1))).expect("a key");
    assert_eq!(store.delete_end("a", begun), Ok(()), "twice");
    assert_eq!(store.key("a"), Ok(Some(again.clone())));
    let stale = store.reserve("a", made.incarnation, 1, [1, 1], MANY);
    assert_eq!(stale, Err(StoreError::Conflict));
    assert!(again.incarnation > made.incarnation);
}

/// Runs a statement without the store.
fn meddle(url: &str, statement: &str) {
    match url.strip_prefix("sqlite:") {
        Some(path) => {
            let database = rusqlite::Connection::open(path).expect("a database");
            database.execute_batch(statement).expect("a change");
        }
        None => {
            let mut client = postgres::Client::connect(url, postgres::NoTls).expect("a server");
            client.batch_execute(statement).expect("a change");
        }
    }
}

/// With access to the database and without the root key nobody changes a flag, makes a token or a policy, or passes one
/// version off as another: each row is refused by its name, and a rotation of the root key does not legalize it.
fn forged_rows(url: &str) {
    let store = open(url);
    let there = Root::default();
    there.unseal(&store, &root(1)).expect("the root key");
    for name in ["a", "b"] {
        let wrapped = there.wrap(name, "kuznyechik-mgm", 1, &[7; 64]).expect("a wrap");
        store.create(&key(name, wrapped)).expect("a key");
    }
    let wrapped = there.wrap("a", "kuznyechik-mgm", 2, &[7; 64]).expect("a wrap");
    store.rotate("a", 1, &wrapped, 5).expect("a version");
    let token = TokenRecord { hash: vec![1; 32], ..token_record() };
    store.token_create(&token).expect("a token");
    store.policy_write("p", "rules").expect("a policy");
    store.policy_write("q", "other rules").expect("a policy");
    let refused = |done: Result<(), StoreError>, name: &str| {
        let Err(StoreError::Corrupt(why)) = done else { panic!("{name}: {done:?}") };
        assert!(why.contains("without the root key") && why.contains(name), "{why}");
        assert!(store.dump().is_err());
        assert!(matches!(Root::rotate(&store, &root(1), &root(2)), Err(StoreError::Corrupt(_))));
    };
    for (change, back) in [
        ("exportable = 1", "exportable = 0"),
        ("deletion_allowed = 1", "deletion_allowed = 0"),
        ("generation = generation + 1", "generation = generation - 1"),
        ("deleting = 1", "deleting = 0"),
        ("kind = 'magma-mgm'", "kind = 'kuznyechik-mgm'"),
    ] {
        meddle(url, &format!("UPDATE keys SET {change} WHERE name = 'a'"));
        refused(store.key("a").map(|_| ()), "\"a\"");
        assert!(store.configure("a", &Changes::default()).is_err());
        meddle(url, &format!("UPDATE keys SET {back} WHERE name = 'a'"));
        assert!(store.key("a").is_ok());
    }
    meddle(url, "UPDATE versions SET created = 6 WHERE name = 'a' AND version = 2");
    refused(store.key("a").map(|_| ()), "a 2");
    meddle(url, "UPDATE versions SET created = 5 WHERE name = 'a' AND version = 2");
    // A version that is not the latest is checked when it is used.
    meddle(url, "UPDATE versions SET created = 6 WHERE name = 'a' AND version = 1");
    let record = store.key("a").expect("an answer").expect("a key");
    refused(store.check_version(&record, &record.versions[0]), "a 1");
    assert_eq!(store.check_version(&record, &record.versions[1]), Ok(()));
    meddle(url, "UPDATE versions SET created = 1 WHERE name = 'a' AND version = 1");
    // A code is valid for one row.
    meddle(
        url,
        "UPDATE policies SET mac = (SELECT mac FROM policies WHERE name = 'q'), rules = 'other rules' WHERE name = 'p'",
    );
    refused(store.policy("p").map(|_| ()), "\"p\"");
    store.policy_write("p", "rules").expect("written anew");
    meddle(url, "UPDATE tokens SET policies = '[\"root\"]'");
    refused(store.token(&[1; 32]).map(|_| ()), "accessor");
    refused(store.token_renew(&[1; 32], 5), "accessor");
    refused(store.token_list().map(|_| ()), "accessor");
    assert_eq!(store.token_revoke("accessor"), Ok(()), "what is refused can be ended");
    let mac = if url.starts_with("sqlite:") { "x'00'" } else { "'\\x00'" };
    let hash = mac.replace("00", &"02".repeat(32));
    meddle(
        url,
        &format!("INSERT INTO tokens (hash, accessor, display_name, policies, created, expires, ttl, renewable, mac)
            VALUES ({hash}, 'mine', '', '[\"root\"]', 1, 0, 0, 0, {mac})"),
    );
    refused(store.token(&[2; 32]).map(|_| ()), "mine");
    meddle(url, "DELETE FROM tokens");
    // All rows are valid again, also under another root key.
    assert_eq!(Root::rotate(&store, &root(1), &root(2)), Ok(2));
    assert_eq!(store.key("a"), Err(StoreError::RootChanged));
    assert_eq!(store.policy("p"), Err(StoreError::RootChanged));
    there.unseal(&store, &root(2)).expect("the root key");
    let record = store.key("a").expect("an answer").expect("a key");
    assert!(record.versions.iter().all(|version| store.check_version(&record, version).is_ok()));
    assert_eq!(store.policy("p"), Ok(Some("rules".into())));
}

/// Tables of another version are refused, with a reason.
fn newer(url: &str) {
    open(url);
    open(url);
    for (version, word) in [(99, "newer"), (1, "version 1")] {
        meddle(url, &format!("UPDATE bulatd_schema SET version = {version}"));
        let Err(StoreError::Invalid(why)) = Store::open(&common::config(url)) else {
            panic!("opened")
        };
        assert!(why.contains(word), "{why}");
    }
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
