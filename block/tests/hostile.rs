//! Headers with right checksums that say what they must not: each is refused in words, before any work.

mod common;

use std::time::{Duration, Instant};

use bulat_block::luks2::{self, SIZES};
use bulat_block::{Error, Hash, Limits, Memory, Store};
use common::*;
use serde_json::{Value, json};

/// The store with this text in both copies.
fn with(text: &str, size: u64) -> Memory {
    let (base, _) = small();
    let mut all = base.bytes();
    all.resize((1 << 20).max(2 * size as usize + (1 << 20)), 0);
    let store = Memory::new(all);
    for at in [0, size] {
        let mut bytes = vec![0; size as usize];
        base.read_at(&mut bytes[..512], if at == 0 { 0 } else { SIZES[0] }).unwrap();
        bytes[8..16].copy_from_slice(&size.to_be_bytes());
        bytes[256..264].copy_from_slice(&at.to_be_bytes());
        bytes[4096..4096 + text.len()].copy_from_slice(text.as_bytes());
        bytes[448..512].fill(0);
        let sum = Hash::Sha256.digest(&[&bytes]);
        bytes[448..480].copy_from_slice(&sum);
        store.write_at(&bytes, at).unwrap();
    }
    store
}

/// What the volume says, quickly.
fn refused(store: &Memory) -> Error {
    let begun = Instant::now();
    let result = luks2::read(store)
        .and_then(|f| f.header.unlock(store, b"one", None, &Limits::default()).map(|_| ()));
    let error = result.expect_err("a hostile header");
    assert!(begun.elapsed() < Duration::from_secs(5), "{error}: {:?}", begun.elapsed());
    error
}

#[test]
fn texts_that_lie() {
    let (_, header) = small();
    let cases: [(&str, &str, Value, fn(&Error) -> bool); 31] = {
        fn damaged(e: &Error) -> bool {
            matches!(e, Error::Damaged(_))
        }
        fn unsupported(e: &Error) -> bool {
            matches!(e, Error::Unsupported(_))
        }
        fn limit(e: &Error) -> bool {
            matches!(e, Error::Limit(_))
        }
        let argon2 = |time: u64, memory: u64, cpus: u64| json!({"type": "argon2id", "time": time, "memory": memory, "cpus": cpus, "salt": "AAAAAAAAAAAAAAAA"});
        [
            ("/keyslots/0/area/offset", "past the end", json!("18446744073709551615"), damaged),
            ("/keyslots/0/area/offset", "in the header", json!("0"), damaged),
            ("/keyslots/0/area/offset", "in the second copy", json!("16384"), damaged),
            ("/keyslots/0/area/offset", "in the data", json!("1048576"), damaged),
            ("/keyslots/0/area/offset", "negative", json!("-1"), damaged),
            ("/keyslots/0/area/offset", "a number", json!(32768), damaged),
            ("/keyslots/0/area/size", "too small", json!("4096"), damaged),
            ("/keyslots/0/area/size", "all", json!("18446744073709551615"), damaged),
            ("/keyslots/0/area/encryption", "unknown", json!("serpent-xts-plain64"), unsupported),
            ("/keyslots/0/key_size", "huge", json!(1u64 << 40), damaged),
            ("/keyslots/0/af/stripes", "2^32", json!(1u64 << 32), damaged),
            ("/keyslots/0/kdf/iterations", "2^32", json!(1u64 << 32), limit),
            ("/keyslots/0/kdf/iterations", "2^31", json!(1u64 << 31), limit),
            ("/keyslots/0/kdf", "terabytes", argon2(4, 1 << 32, 4), limit),
            ("/keyslots/0/kdf", "ages", argon2(1 << 40, 1 << 20, 4), limit),
            ("/keyslots/0/kdf", "lanes", argon2(4, 1 << 19, 1 << 20), limit),
            ("/keyslots/0/kdf/type", "unknown", json!("scrypt"), unsupported),
            ("/keyslots/0/kdf/hash", "unknown", json!("sha1"), unsupported),
            ("/keyslots/0/type", "reencrypt", json!("reencrypt"), unsupported),
            ("/segments/0/offset", "in the header", json!("512"), damaged),
            ("/segments/0/offset", "past the end", json!("1099511627776"), damaged),
            ("/segments/0/size", "past the end", json!("1099511627776"), damaged),
            ("/segments/0/sector_size", "odd", json!(768), unsupported),
            ("/segments/0/encryption", "unknown", json!("magma-cbc-plain"), unsupported),
            ("/segments/0/integrity", "there", json!({"type": "hmac(sha256)"}), unsupported),
            ("/digests/0/iterations", "2^33", json!(1u64 << 33), limit),
            ("/digests/0/keyslots", "of nobody", json!(["0", "9"]), damaged),
            ("/digests/0/type", "unknown", json!("x\u{1b}[2J"), unsupported),
            ("/config/json_size", "another", json!("1234"), damaged),
            ("/config/keyslots_size", "huge", json!("1099511627776"), damaged),
            (
                "/config/requirements",
                "unknown",
                json!({"mandatory": ["online-reencrypt-v9"]}),
                unsupported,
            ),
        ]
    };
    for (place, what, value, is) in cases {
        let mut text = header.text().clone();
        match text.pointer_mut(place) {
            Some(there) => *there = value,
            None => {
                let (parent, name) = place.rsplit_once('/').unwrap();
                text.pointer_mut(parent).unwrap()[name] = value;
            }
        }
        let error = refused(&with(&text.to_string(), SIZES[0]));
        assert!(is(&error), "{place} {what}: {error:?}");
        assert!(!error.to_string().contains('\u{1b}'), "{error}");
    }
}

#[test]
fn shapes_that_lie() {
    let (_, header) = small();
    let room = |size: u64| size as usize - 4097;
    let deep = "[".repeat(room(SIZES[8]));
    let long = format!("{{\"keyslots\":\"{}\"}}", "x".repeat(room(SIZES[8]) - 20));
    let many = |kind: &str, one: &Value| {
        let mut text = header.text().clone();
        let one = one.clone();
        text[kind] = (0..40_000)
            .map(|i| (i.to_string(), one.clone()))
            .collect::<serde_json::Map<_, _>>()
            .into();
        text.to_string()
    };
    for text in [
        deep,
        long,
        String::new(),
        "null".into(),
        "{}".into(),
        "{\"keyslots\":{},\"tokens\":{},\"segments\":{},\"digests\":{}}".into(),
        header.text().to_string()[1..].into(),
        many("keyslots", &json!({})),
        many("tokens", &json!(1)),
        many("segments", &json!([])),
    ] {
        let error = refused(&with(&text, SIZES[8]));
        assert!(matches!(error, Error::Damaged(_)), "{error:?}");
    }
    let mut text = header.text().clone();
    text["keyslots"]["1"] = text["keyslots"]["0"].clone();
    let error = refused(&with(&text.to_string(), SIZES[0]));
    assert_eq!(error.to_string(), "damaged header: keyslots 0 and 1 overlap");
    text["keyslots"]["1"]["area"]["offset"] = json!((32768 + 258048 - 512).to_string());
    assert!(matches!(refused(&with(&text.to_string(), SIZES[0])), Error::Damaged(_)));
}

/// An unknown keyslot keeps no other from opening.
#[test]
fn one_keyslot_of_many_is_not_known() {
    let (store, mut header) = small();
    let (key, _) = header.unlock(&*store, b"one", None, &Limits::default()).unwrap();
    header.add(&*store, &key, b"two", &slot(), None).unwrap();
    let mut text = header.text().clone();
    text["keyslots"]["0"]["area"]["encryption"] = json!("serpent-xts-plain64");
    let changed = with(&text.to_string(), SIZES[0]);
    changed.write_at(&store.bytes()[32768..1 << 20], 32768).unwrap();
    assert!(opens(&changed, b"two") && !opens(&changed, b"one"));
}

#[test]
fn the_binary_part_that_lies() {
    let (store, header) = small();
    let base = store.bytes();
    for (at, bytes) in [(8, 1u64 << 63), (8, 0), (8, 0x4001), (256, 7)] {
        let changed = Memory::new(base.clone());
        for copy in [0, header.size] {
            let mut whole = vec![0; header.size as usize];
            changed.read_at(&mut whole, copy).unwrap();
            whole[at..at + 8].copy_from_slice(&bytes.to_be_bytes());
            whole[448..512].fill(0);
            let sum = Hash::Sha256.digest(&[&whole]);
            whole[448..480].copy_from_slice(&sum);
            changed.write_at(&whole, copy).unwrap();
        }
        assert!(matches!(refused(&changed), Error::Damaged(_)), "{at} {bytes}");
    }
    let changed = Memory::new(base);
    for at in [0, header.size] {
        changed.write_at(&[0, 3], at + 6).unwrap();
    }
    assert_eq!(refused(&changed).to_string(), "not supported: LUKS version 3");
}
