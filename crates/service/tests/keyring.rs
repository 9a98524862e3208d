//! Keys from inside: each nonce is used once, limits hold, and a message in a batch gets the same result as in a call
//! of its own.

mod common;

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use bulat::algorithm::Params;
use bulatd::auth::NewToken;
use bulatd::call::{Call, Operation, Payload};
use bulatd::cleared::Cleared;
use bulatd::collect::{Message, What};
use bulatd::config::{AtLimit, Config, RootConfig};
use bulatd::failure::Failure;
use bulatd::http::routes;
use bulatd::keyring::{Entry, Kind};
use bulatd::root::Root;
use bulatd::state::State;
use bulatd::store::{Changes, NewKey, Store};
use bulatd::transit::crypt;

/// A service over a database in memory.
fn state(change: impl FnOnce(&mut Config)) -> Arc<State> {
    replica_with(common::MEMORY, change)
}

/// A replica over a database, which gets root key 1 if it has none. It asks the database again only when it has to.
fn replica(url: &str) -> Arc<State> {
    replica_with(url, |config| config.keys.refresh_seconds = 3600)
}

fn replica_with(url: &str, change: impl FnOnce(&mut Config)) -> Arc<State> {
    let mut config = Config::development(([127, 0, 0, 1], 0).into());
    config.database.url = url.into();
    change(&mut config);
    let store = Arc::new(Store::open(&config.database).expect("a store"));
    let root = Root::default();
    let _ = Root::create(&store, &common::root(1));
    root.unseal(&store, &common::root(1)).expect("unsealed");
    Arc::new(State::new(config, store, root).expect("a state"))
}

async fn create(state: &State, name: &str, kind: &str) {
    let kind = Kind::find(kind).expect("a type");
    let key = NewKey { name: name.into(), kind: kind.name.into(), created: 1, ..NewKey::default() };
    state.ring.create(key, kind).await.expect("created");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn nonces_are_given_out_once() {
    for kind in ["kuznyechik-mgm", "magma-mgm"] {
        let state = state(|config| config.keys.reserve = 100);
        create(&state, "a", kind).await;
        let tasks: Vec<_> = (0..16)
            .map(|task| {
                let state = state.clone();
                tokio::spawn(async move {
                    let mut all = Vec::new();
                    for turn in 0..200 {
                        let n = (task + turn) % 7 + 1;
                        let charge = Kind::find(kind).expect("a type").charge(50, 50);
                        let drawn = state.ring.nonces("a", 0, n, n * charge).await;
                        let (_, version, nonces) = drawn.expect("nonces");
                        all.extend((0..n as usize).map(|i| (version.number, nonces.get(i))));
                        if turn % 50 == 0 {
                            let entry = state.ring.entry("a").await.expect("there");
                            // Other replicas rotate, too.
                            let _ = state.ring.rotate(&entry).await;
                        }
                    }
                    all
                })
            })
            .collect();
        let (mut seen, mut count, mut versions) = (HashSet::new(), 0, HashSet::new());
        for task in tasks {
            for (version, nonce) in task.await.expect("done") {
                assert_eq!(nonce[0] >> 7, 0, "RFC 9058: the first bit");
                versions.insert(version);
                assert!(seen.insert((version, nonce)));
                count += 1;
            }
        }
        assert!(count > 10_000 && versions.len() > 3, "{count} {}", versions.len());
    }
}

#[tokio::test]
async fn at_its_limit_a_key_rotates_or_refuses() {
    for at_limit in [AtLimit::Rotate, AtLimit::Refuse] {
        let state = state(|config| config.keys.at_limit = at_limit);
        create(&state, "a", "magma-mgm").await;
        let kind = Kind::find("magma-mgm").expect("a type");
        let (mut used, mut last) = (0, 1);
        // As much as three versions allow, in messages of 64 KB.
        let charge = kind.charge(1 << 16, 100);
        let refused = 'all: {
            for _ in 0..3 * kind.limit / charge {
                match state.ring.nonces("a", 0, 1, charge).await {
                    Err(failure) => break 'all Some(failure),
                    Ok((_, version, _)) => {
                        used = if version.number == last { used + charge } else { charge };
                        last = version.number;
                        assert!(used <= kind.limit);
                    }
                }
            }
            None
        };
        match at_limit {
            AtLimit::Rotate => assert!(refused.is_none() && last >= 3, "{last}"),
            AtLimit::Refuse => {
                assert!(last == 1 && refused.is_some_and(|failure| failure.status == 400));
                let entry = state.ring.entry("a").await.expect("there");
                state.ring.rotate(&entry).await.expect("rotated");
                assert!(state.ring.nonces("a", 0, 1, charge).await.is_ok());
                // The old version stays refused.
                assert!(state.ring.nonces("a", 1, 1, charge).await.is_err());
            }
        }
        let large = state.ring.nonces("a", 0, 1, kind.limit + 8).await;
        assert!(large.is_err_and(|failure| failure.status == 400));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn together_is_as_alone() {
    for collect in [true, false] {
        let state = state(|config| config.batch.collect = collect);
        let key = bulat::algorithm("kuznyechik-mgm").expect("there");
        let key = Arc::new(key.key(&Params::new(&[7; 32])).expect("a key"));
        let message = |n: u8| {
            let mut data = vec![n; usize::from(n) * 9 + 32];
            data[..16].copy_from_slice(&[n & 0x7f; 16]);
            Message::aead(key.clone(), What::Seal, vec![n; 5], data.into())
        };
        // As if many requests were under way.
        state.metrics.working.store(1000, Relaxed);
        let tasks: Vec<_> = (0..200u8)
            .map(|n| {
                let (state, messages) = (state.clone(), vec![message(n), message(n / 2)]);
                tokio::spawn(async move { state.collector.run(messages).await.expect("done") })
            })
            .collect();
        for (n, task) in (0..200u8).zip(tasks) {
            for (message, n) in task.await.expect("done").into_iter().zip([n, n / 2]) {
                assert_eq!(message.result, Ok(()));
                let mut session = key
                    .session(bulat::Direction::Decrypt, &[n & 0x7f; 16])
                    .and_then(|session| session.aead())
                    .expect("a session");
                session.aad(&[n; 5]).expect("taken");
                let end = message.data.len() - 16;
                let mut text = message.data[16..end].to_vec();
                session.open(&mut text, &message.data[end..]).expect("it opens");
                assert!(text.iter().all(|c| *c == n));
            }
        }
        assert_eq!(state.metrics.queue.load(Relaxed), 0);
    }
}

async fn delete(state: &State, name: &'static str) {
    let allowed = Changes { deletion_allowed: Some(true), ..Changes::default() };
    state.ring.configure(name.into(), allowed).await.expect("configured");
    state.ring.delete(name.into()).await.expect("deleted");
}

/// Makes a call of decrypt.
fn call(state: &Arc<State>, name: &str, body: serde_json::Value) -> Call {
    let found = routes::find(Some(Operation::Update), &format!("transit/decrypt/{name}"));
    let (route, params) = found.expect("a call");
    Call {
        id: String::new(),
        state: state.clone(),
        route: Some(route),
        path: String::new(),
        params,
        query: Vec::new(),
        body: body.to_string().into_bytes().into(),
        stream: None,
        room: None,
        certificate: None,
        visitor: None,
        token: None,
        line: Arc::default(),
    }
}

/// Encrypts a text under a key as it was read.
async fn sealed(state: &State, entry: &Entry, text: &[u8]) -> Result<String, Failure> {
    let done = crypt::seal_own(state, entry, text, Cleared::default(), Vec::new()).await?;
    Ok(done.text().to_string())
}

/// A key is deleted and made again with another type, after a request has read it and before it draws its nonces: a
/// text prepared for the old type is refused, not encrypted wrongly.
#[tokio::test]
async fn a_key_that_changes_its_type_meanwhile() {
    for (old, new) in [("kuznyechik-mgm", "magma-mgm"), ("magma-mgm", "kuznyechik-mgm")] {
        let state = state(|_| {});
        create(&state, "a", old).await;
        let entry = state.ring.entry("a").await.expect("there");
        assert!(sealed(&state, &entry, &[7; 40]).await.is_ok());
        delete(&state, "a").await;
        create(&state, "a", new).await;
        let refused = sealed(&state, &entry, &[7; 40]).await;
        assert!(refused.is_err_and(|failure| failure.status == 409), "{old}, {new}");
    }
}

/// Two replicas: one that has the old key in its cache opens a text that the other sealed under the new one, and
/// encrypts under a version that it has not seen.
#[tokio::test]
async fn a_key_that_another_replica_has_made_anew() {
    let (_folder, url) = common::database();
    let (one, two) = (replica(&url), replica(&url));
    create(&one, "a", "kuznyechik-mgm").await;
    two.ring.entry("a").await.expect("there");
    delete(&one, "a").await;
    create(&one, "a", "magma-mgm").await;
    let entry = one.ring.entry("a").await.expect("there");
    one.ring.rotate(&entry).await.expect("rotated");
    let entry = one.ring.entry("a").await.expect("there");
    let text = sealed(&one, &entry, b"sixteen bytes...").await.expect("made");
    let body = serde_json::json!({ "ciphertext": text });
    let reply = crypt::decrypt(call(&two, "a", body)).await.expect("opened");
    let Payload::Whole(body) = reply.body else { panic!("a stream") };
    let answer: serde_json::Value = serde_json::from_slice(&body).expect("JSON");
    assert_eq!(answer["data"]["plaintext"], "c2l4dGVlbiBieXRlcy4uLg==");
    one.ring.rotate(&entry).await.expect("rotated");
    let (_, version, _) = two.ring.nonces("a", 3, 1, 100).await.expect("nonces");
    assert_eq!(version.number, 3);
}

/// A database that was set back under a running service would issue numbers a second time: the service refuses them.
#[tokio::test]
async fn counters_that_go_back_are_refused() {
    let (folder, url) = common::database();
    let state = replica(&url);
    create(&state, "a", "magma-mgm").await;
    let charge = Kind::find("magma-mgm").expect("a type").charge(1 << 16, 0);
    state.ring.nonces("a", 0, 1, charge).await.expect("nonces");
    let database = rusqlite::Connection::open(folder.path().join("bulatd.db")).expect("open");
    database.execute("UPDATE versions SET used_messages = 0", []).expect("set back");
    let again = state.ring.nonces("a", 0, 1, charge).await;
    assert!(again.is_err_and(|failure| failure.status == 500));
}

/// Returns a number of the environment, or a default.
fn count(name: &str, usual: u64) -> u64 {
    std::env::var(name).map_or(usual, |n| n.parse().expect("a number"))
}

async fn used(state: &State, version: u32) -> (u64, u64) {
    let used = state.ring.ask(move |store, _| store.used("a", version)).await.expect("a version");
    (used.messages, used.bytes)
}

/// A process that ends after one message, without a clean stop, costs a small share: with keys that refuse at their limit,
/// thousands of restarts (`BULATD_RESTARTS=10000`) leave the version far from it. No nonce repeats, and no count decreases.
#[tokio::test]
async fn restarts_do_not_use_a_key_up() {
    for kind in ["kuznyechik-mgm", "magma-mgm"] {
        let (_folder, url) = common::database();
        let start = || replica_with(&url, |config| config.keys.at_limit = AtLimit::Refuse);
        create(&start(), "a", kind).await;
        let kind = Kind::find(kind).expect("a type");
        let (mut seen, mut before) = (HashSet::new(), (0, 0));
        let restarts = count("BULATD_RESTARTS", 150);
        for n in 0..restarts {
            let state = start();
            let drawn = state.ring.nonces("a", 0, 1, kind.charge(5, 60)).await;
            let (_, version, nonces) = drawn.unwrap_or_else(|failure| panic!("{n}: {failure:?}"));
            assert!(version.number == 1 && seen.insert(nonces.get(0)));
            let now = used(&state, 1).await;
            assert!(now.0 > before.0 && now.1 > before.1);
            before = now;
        }
        assert!(before.1 <= restarts * kind.charge(5, 60).max(1 << 20), "{before:?}");
    }
}

/// Ten million messages in one run (`BULATD_MESSAGES=10000000`), with changes of the key between them, are under one
/// version, and count exactly.
#[tokio::test]
async fn many_messages_are_under_one_version() {
    let state = state(|config| config.keys.at_limit = AtLimit::Refuse);
    create(&state, "a", "kuznyechik-mgm").await;
    let charge = Kind::find("kuznyechik-mgm").expect("a type").charge(0, 60);
    let (all, mut next) = (count("BULATD_MESSAGES", 1_000_000), 0);
    for turn in 0..all / 1000 {
        let drawn = state.ring.nonces("a", 0, 1000, 1000 * charge).await.expect("nonces");
        assert_eq!(drawn.1.number, 1);
        let number = |i| u64::from_be_bytes(drawn.2.get(i)[8..].try_into().expect("8 bytes"));
        assert!(number(0) >= next && number(999) == number(0) + 999);
        next = number(0) + 1000;
        if turn % 100 == 0 {
            let changes = Changes { min_decryption_version: Some(1), ..Changes::default() };
            state.ring.configure("a".into(), changes).await.expect("configured");
        }
    }
    assert!(used(&state, 1).await.1 <= all * charge + (1 << 27));
    state.ring.give_back().await;
    assert_eq!(used(&state, 1).await.1, all * charge);
}

/// A version's limit, as documented: 2^51 bytes, in calls of a tebibyte, with a change of the key before each.
#[tokio::test]
async fn a_version_serves_its_limit() {
    let state = state(|config| config.keys.at_limit = AtLimit::Refuse);
    create(&state, "a", "kuznyechik-mgm").await;
    for n in 0..2048 {
        let allow = Changes { deletion_allowed: Some(n % 2 == 0), ..Changes::default() };
        state.ring.configure("a".into(), allow).await.expect("configured");
        let drawn = state.ring.nonces("a", 1, 1, 1 << 40).await;
        assert!(drawn.is_ok(), "{n}: {:?}", drawn.err());
    }
    assert_eq!(used(&state, 1).await.1, 1 << 51);
    assert!(state.ring.nonces("a", 1, 1, 16).await.is_err_and(|failure| failure.status == 400));
}

/// A hundred replicas over one database, each started three times: no key rotates, and bytes given back by clean stops
/// are not lost.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_fleet_restarts() {
    let (_folder, url) = common::database();
    fleet(&url, 100).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_fleet_restarts_over_postgresql() {
    let Some(cluster) = common::Cluster::start() else { return };
    let url = tokio::task::spawn_blocking(move || (cluster.database("fleet"), cluster));
    let (url, cluster) = url.await.expect("a database");
    // PostgreSQL has a hundred connections.
    fleet(&url, 30).await;
    tokio::task::spawn_blocking(move || drop(cluster)).await.expect("its end");
}

async fn fleet(url: &str, size: usize) {
    let start = || {
        let url = url.to_string();
        let start = move || replica_with(&url, |config| config.database.connections = 1);
        tokio::task::spawn_blocking(start)
    };
    let one = start().await.expect("a replica");
    for kind in ["kuznyechik-mgm", "magma-mgm"] {
        create(&one, kind, kind).await;
    }
    for stop in [false, true, true] {
        let mut fleet = Vec::new();
        for _ in 0..size {
            fleet.push(start().await.expect("a replica"));
        }
        for kind in ["kuznyechik-mgm", "magma-mgm"] {
            let charge = Kind::find(kind).expect("a type").charge(5, 60);
            for state in &fleet {
                let (_, version, _) = state.ring.nonces(kind, 0, 1, charge).await.expect("nonces");
                assert_eq!(version.number, 1);
            }
        }
        for state in fleet {
            if stop {
                state.ring.give_back().await;
            }
        }
    }
    let used = |kind: &'static str| one.ring.ask(move |store, _| store.used(kind, 1));
    let most = size as u64 * ((1 << 20) + 3 * 200);
    assert!(used("kuznyechik-mgm").await.expect("a version").bytes <= most);
    assert!(used("magma-mgm").await.expect("a version").bytes <= size as u64 * 3 * 200);
}

/// A key is deleted and made again at one replica while another encrypts: a ciphertext that a client got after the key
/// was made again opens.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_deleted_elsewhere_encrypts_nothing() {
    let (_folder, url) = common::database();
    // With the usual second between looks, and with one that asks only when it has to.
    for refresh in [1, 3600] {
        let of = || replica_with(&url, |config| config.keys.refresh_seconds = refresh);
        let (one, two) = (of(), of());
        create(&one, "a", "kuznyechik-mgm").await;
        let sealed = || async { sealed(&two, &*two.ring.entry("a").await?, b"A").await };
        assert!(sealed().await.is_ok());
        tokio::time::sleep(std::time::Duration::from_millis(900)).await;
        assert!(sealed().await.is_ok());
        delete(&one, "a").await;
        create(&one, "a", "kuznyechik-mgm").await;
        let mut opened = 0;
        for _ in 0..20 {
            match sealed().await {
                Ok(text) => {
                    let body = serde_json::json!({ "ciphertext": text });
                    let opens = crypt::decrypt(call(&one, "a", body)).await.is_ok();
                    assert!(opens, "it does not open");
                    opened += 1;
                }
                Err(failure) => assert!([409, 503].contains(&failure.status), "{failure:?}"),
            }
        }
        assert!(opened > 0);
        delete(&one, "a").await;
    }
}

/// A version that was trimmed elsewhere gives out no ciphertext either.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_version_trimmed_elsewhere_encrypts_nothing() {
    let (_folder, url) = common::database();
    let (one, two) = (replica_with(&url, |_| {}), replica(&url));
    create(&one, "a", "kuznyechik-mgm").await;
    let entry = two.ring.entry("a").await.expect("there");
    let latest = one.ring.entry("a").await.expect("there");
    one.ring.rotate(&latest).await.expect("rotated");
    let changes = Changes {
        min_decryption_version: Some(2),
        min_encryption_version: Some(2),
        ..Changes::default()
    };
    one.ring.configure("a".into(), changes).await.expect("configured");
    one.ring.trim("a".into(), 2).await.expect("trimmed");
    match sealed(&two, &entry, b"A").await {
        Ok(text) => assert!(text.starts_with("vault:v2:")),
        Err(failure) => assert_eq!(failure.status, 409),
    }
}

/// The root key is rotated by another process. With the next one at hand no call fails, even before the next look at the log: a
/// known key that was not used, an unknown one, a new one, a token, a backup of a key.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rotation_of_the_root_key_refuses_no_call() {
    let (folder, url) = common::database();
    let store = common::open(&url);
    let rotate = move |from, to| {
        Root::rotate(&store, &common::root(from), &common::root(to)).expect("rotated");
    };
    let [file, next] = [1, 2].map(|n| {
        let path = folder.path().join(n.to_string());
        common::root(n).write_new(&path).expect("written");
        Some(path)
    });
    let state = replica_with(&url, |config| {
        config.keys.refresh_seconds = 3600;
        config.root = RootConfig { file, next, ..RootConfig::default() };
    });
    for name in ["known", "opened", "unknown"] {
        create(&state, name, "kuznyechik-mgm").await;
    }
    let opened = state.ring.entry("opened").await.expect("there");
    state.ring.version(&opened, 1).await.expect("opened");
    let saved = state.ring.backup(&opened).await.expect("saved");
    let known = state.ring.entry("known").await.expect("there");
    let new = NewToken { policies: vec!["root".into()], ..NewToken::default() };
    let (token, _) = state.auth.away(move |auth| auth.create(&new, None)).await.expect("made");
    rotate(1, 2);

    // Each meets the other root key first in its turn.
    let many = (0..8).map(|_| {
        let (state, token) = (state.clone(), token.clone());
        tokio::spawn(async move { state.auth.away(move |auth| auth.token(&token)).await })
    });
    for one in many.collect::<Vec<_>>() {
        assert!(one.await.expect("done").expect("found").is_some());
    }
    state.ring.version(&known, 1).await.expect("opened");
    assert!(state.ring.nonces("unknown", 0, 1, 64).await.is_ok());
    rotate(2, 1);
    create(&state, "new", "kuznyechik-mgm").await;
    rotate(1, 2);
    let entry = state.ring.entry("new").await.expect("there");
    state.ring.rotate(&entry).await.expect("rotated");
    rotate(2, 1);
    assert!(state.ring.version(&entry, 1).await.is_ok());
    let changes = Changes { deletion_allowed: Some(true), ..Changes::default() };
    state.ring.configure("opened".into(), changes).await.expect("configured");
    state.ring.delete("opened".into()).await.expect("deleted");
    rotate(1, 2);
    rotate(2, 1);
    state.ring.restore(&saved, "").await.expect("restored");
    assert_eq!(state.ring.nonces("opened", 0, 1, 64).await.map(|made| made.1.number).ok(), Some(2));
    // A backup is made and opened under the root key of now.
    rotate(1, 2);
    let entry = state.ring.entry("opened").await.expect("there");
    let saved = state.ring.backup(&entry).await.expect("saved");
    delete(&state, "opened").await;
    state.ring.restore(&saved, "").await.expect("restored");
    delete(&state, "opened").await;
    rotate(2, 1);
    state.ring.look().await;
    rotate(1, 2);
    state.ring.restore(&saved, "").await.expect("restored");
    // The root key is rotated while a new key waits for the end of a deletion.
    let changes = Changes { deletion_allowed: Some(true), ..Changes::default() };
    state.ring.configure("opened".into(), changes).await.expect("configured");
    state.ring.ask(|store, _| store.delete("opened")).await.expect("begun");
    let rotation = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(500));
        rotate(2, 1);
    });
    create(&state, "opened", "kuznyechik-mgm").await;
    rotation.join().expect("done");
}
