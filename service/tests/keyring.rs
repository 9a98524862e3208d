//! Keys from inside: nonces are given out once, limits hold, messages that arrive together get what they would get alone.

mod common;

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use bulat::algorithm::Params;
use bulatd::collect::{Message, What};
use bulatd::config::{AtLimit, Config};
use bulatd::http::State;
use bulatd::http::routes::{Call, Payload};
use bulatd::keyring::Kind;
use bulatd::root::{Root, RootKey};
use bulatd::store::{Changes, NewKey, Store, Wrapped};
use bulatd::transit::crypt;
use zeroize::Zeroizing;

fn state(change: impl FnOnce(&mut Config)) -> Arc<State> {
    let mut config = Config::development(([127, 0, 0, 1], 0).into());
    change(&mut config);
    let store = Arc::new(Store::open(&config.database).expect("a store"));
    let (root, key) = (Root::default(), RootKey::random().expect("a key"));
    Root::create(&store, &key).expect("created");
    root.unseal(&store, &key).expect("unsealed");
    Arc::new(State::new(config, store, root).expect("a state"))
}

async fn create(state: &State, name: &str, kind: &str) {
    let kind = Kind::find(kind).expect("a type");
    let key = NewKey {
        name: name.into(),
        kind: kind.name.into(),
        derived: false,
        exportable: false,
        allow_plaintext_backup: false,
        auto_rotate_period: 0,
        wrapped: Wrapped { root: 0, bytes: Vec::new() },
        created: 1,
    };
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
                        let charge =
                            state.ring.entry("a").await.expect("there").kind.charge(50, 50);
                        let drawn = state.ring.nonces("a", 0, n, n * charge).await;
                        let (_, version, nonces) = drawn.expect("nonces");
                        all.extend((0..n as usize).map(|i| (version.number, nonces.get(i))));
                        if turn % 50 == 0 {
                            let entry = state.ring.entry("a").await.expect("there");
                            // Others rotate, too.
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
        // Three versions' worth, in messages of 64 KB.
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
                // The old one stays refused.
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
            let mut data = Zeroizing::new(vec![n; usize::from(n) * 9 + 32]);
            data[..16].copy_from_slice(&[n & 0x7f; 16]);
            Message::aead(key.clone(), What::Seal, vec![n; 5], data)
        };
        // As if many were under way.
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

/// A replica over a database that is there; it looks at it again when it must alone.
fn replica(url: &str) -> Arc<State> {
    let mut config = Config::development(([127, 0, 0, 1], 0).into());
    (config.database.url, config.keys.refresh_seconds) = (url.into(), 3600);
    let (store, root) =
        (Arc::new(Store::open(&config.database).expect("a store")), Root::default());
    root.unseal(&store, &common::root(1)).expect("unsealed");
    Arc::new(State::new(config, store, root).expect("a state"))
}

async fn delete(state: &State, name: &'static str) {
    let allowed = Changes { deletion_allowed: Some(true), ..Changes::default() };
    state.ring.configure(name.into(), allowed).await.expect("configured");
    state.ring.ask(move |store, _| store.delete(name)).await.expect("deleted");
    state.ring.changed().await;
}

fn call(state: &Arc<State>, name: &str, body: serde_json::Value) -> Call {
    Call {
        id: String::new(),
        state: state.clone(),
        route: None,
        path: String::new(),
        params: vec![("name", name.into())],
        query: Vec::new(),
        body: body.to_string().into_bytes().into(),
        stream: None,
        visitor: None,
        line: Arc::default(),
    }
}

/// A key is deleted and made again with another type between a request's look at it and its nonces: a text that was laid
/// out for the old type is refused, not encrypted wrongly.
#[tokio::test]
async fn a_key_that_changes_its_type_meanwhile() {
    for (old, new) in [("kuznyechik-mgm", "magma-mgm"), ("magma-mgm", "kuznyechik-mgm")] {
        let state = state(|_| {});
        create(&state, "a", old).await;
        let entry = state.ring.entry("a").await.expect("there");
        let plain = || vec![Ok(crypt::own(&entry, &[7; 40], Zeroizing::default()))];
        assert!(crypt::seal(&state, &entry, plain()).await.is_ok_and(|made| made[0].is_ok()));
        delete(&state, "a").await;
        create(&state, "a", new).await;
        let refused = crypt::seal(&state, &entry, plain()).await;
        assert!(refused.is_err_and(|failure| failure.status == 409), "{old}, {new}");
    }
}

/// The same between replicas: one that knows the old key opens what the other made under the new one, and encrypts under a
/// version that it has not heard of.
#[tokio::test]
async fn a_key_that_another_replica_has_made_anew() {
    let folder = tempfile::tempdir().expect("a folder");
    let url = common::sqlite(folder.path());
    drop(common::ready(&url));
    let (one, two) = (replica(&url), replica(&url));
    create(&one, "a", "kuznyechik-mgm").await;
    two.ring.entry("a").await.expect("there");
    delete(&one, "a").await;
    create(&one, "a", "magma-mgm").await;
    let entry = one.ring.entry("a").await.expect("there");
    one.ring.rotate(&entry).await.expect("rotated");
    let entry = one.ring.entry("a").await.expect("there");
    let plain = crypt::own(&entry, b"sixteen bytes...", Zeroizing::default());
    let made = crypt::seal(&one, &entry, vec![Ok(plain)]).await.expect("made");
    let text = made[0].as_ref().expect("made").text();
    let body = serde_json::json!({ "ciphertext": text });
    let reply = crypt::decrypt(call(&two, "a", body)).await.expect("opened");
    let Payload::Whole(body) = reply.body else { panic!("a stream") };
    let answer: serde_json::Value = serde_json::from_slice(&body).expect("JSON");
    assert_eq!(answer["data"]["plaintext"], "c2l4dGVlbiBieXRlcy4uLg==");
    one.ring.rotate(&entry).await.expect("rotated");
    let (_, version, _) = two.ring.nonces("a", 3, 1, 100).await.expect("nonces");
    assert_eq!(version.number, 3);
}

/// A database that was set back behind a running service would give numbers a second time: the service refuses them.
#[tokio::test]
async fn counters_that_go_back_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let url = common::sqlite(folder.path());
    drop(common::ready(&url));
    let state = replica(&url);
    create(&state, "a", "magma-mgm").await;
    let charge = Kind::find("magma-mgm").expect("a type").charge(1 << 16, 0);
    state.ring.nonces("a", 0, 1, charge).await.expect("nonces");
    let database = rusqlite::Connection::open(folder.path().join("bulatd.db")).expect("open");
    database.execute("UPDATE versions SET used_messages = 0", []).expect("set back");
    let again = state.ring.nonces("a", 0, 1, charge).await;
    assert!(again.is_err_and(|failure| failure.status == 500));
}
