//! Headers with right checksums and invalid values: each is refused with a message, before any work.

mod common;

use std::slice::from_ref;
use std::time::{Duration, Instant};

use bulat_block::luks2::{self, SIZES};
use bulat_block::{Error, Memory, Store, luks1};
use common::*;
use serde_json::{Value, json};

/// Creates a store with this text in both copies.
fn with(text: &str, size: u64) -> Memory {
    let base = Small::new().store.bytes();
    let mut all = base.clone();
    all.resize(2 * size as usize + (1 << 20), 0);
    let store = Memory::new(all);
    for (at, copy) in [(0, 0), (size, SIZES[0] as usize)] {
        change_copy(&store, at, size, |bytes| {
            bytes.fill(0);
            bytes[..512].copy_from_slice(&base[copy..copy + 512]);
            bytes[8..16].copy_from_slice(&size.to_be_bytes());
            bytes[256..264].copy_from_slice(&at.to_be_bytes());
            bytes[4096..4096 + text.len()].copy_from_slice(text.as_bytes());
        });
    }
    store
}

/// Returns the volume's error, which must come quickly.
fn refused(store: &Memory) -> Error {
    let begun = Instant::now();
    let result = luks2::read(store)
        .and_then(|f| f.header.unlock(store, b"one", None, &LIMITS()).map(|_| ()));
    let error = result.expect_err("a hostile header");
    assert!(begun.elapsed() < Duration::from_secs(60), "{error}: {:?}", begun.elapsed());
    error
}

#[test]
fn texts_that_lie() {
    let header = Small::new().header;
    type Is = fn(&Error) -> bool;
    let cases: [(&str, &str, Value, Is); 49] = {
        let damaged: Is = |e| matches!(e, Error::Damaged(_));
        let short: Is = |e| matches!(e, Error::Short(_));
        let unsupported: Is = |e| matches!(e, Error::Unsupported(_));
        let limit: Is = |e| matches!(e, Error::Limit(_));
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
            ("/keyslots/0/kdf", "lanes", argon2(4, 1 << 19, 64), limit),
            ("/keyslots/0/kdf/type", "unknown", json!("scrypt"), unsupported),
            ("/keyslots/0/kdf/hash", "unknown", json!("sha1"), unsupported),
            ("/keyslots/0/type", "reencrypt", json!("reencrypt"), unsupported),
            ("/segments/0/offset", "in the header", json!("512"), damaged),
            ("/segments/0/offset", "past the end", json!("1099511627776"), short),
            ("/segments/0/size", "past the end", json!("1099511627776"), short),
            ("/segments/0/sector_size", "odd", json!(768), unsupported),
            ("/segments/0/encryption", "unknown", json!("magma-cbc-plain"), unsupported),
            ("/segments/0/integrity", "there", json!({"type": "hmac(sha256)"}), unsupported),
            ("/digests/0/iterations", "2^33", json!(1u64 << 33), limit),
            ("/digests/0/keyslots", "of nobody", json!(["0", "9"]), damaged),
            ("/digests/0/type", "unknown", json!("x\u{1b}[2J"), unsupported),
            ("/digests/0/segments", "of nobody", json!(["0", "1"]), damaged),
            ("/digests/0/segments", "a number", json!([0]), damaged),
            ("/digests/0/keyslots", "of no keyslot", json!([]), damaged),
            (
                "/digests/1",
                "a second for a keyslot",
                header.text()["digests"]["0"].clone(),
                damaged,
            ),
            ("/tokens/0", "no object", json!([]), damaged),
            ("/tokens/0", "without a type", json!({"keyslots": []}), damaged),
            ("/tokens/0", "without keyslots", json!({"type": "x"}), damaged),
            ("/tokens/0", "of nobody", json!({"type": "x", "keyslots": ["5"]}), damaged),
            ("/tokens/32", "of no number", json!({"type": "x", "keyslots": []}), damaged),
            ("/keyslots/0/priority", "a word", json!("high"), damaged),
            ("/keyslots/0/kdf", "no object", json!([]), damaged),
            ("/keyslots/0/kdf/iterations", "none", json!(0), unsupported),
            ("/segments/0/flags", "no list", json!("backup"), damaged),
            ("/segments/0/flags", "numbers", json!([1]), damaged),
            ("/segments/0/flags", "unknown", json!(["in-reencryption"]), unsupported),
            ("/config/flags", "no list", json!({}), damaged),
            ("/config/requirements", "no object", json!(["x"]), damaged),
            ("/config/requirements", "no list", json!({"mandatory": "x"}), damaged),
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
        let error = refused(&with(&text(&header, &[(place, value)]), SIZES[0]));
        assert!(is(&error), "{place} {what}: {error:?}");
        assert!(!error.to_string().contains('\u{1b}'), "{error}");
    }
}

#[test]
fn shapes_that_lie() {
    let header = Small::new().header;
    let room = |size: u64| size as usize - 4097;
    let deep = "[".repeat(room(SIZES[8]));
    let long = format!("{{\"keyslots\":\"{}\"}}", "x".repeat(room(SIZES[8]) - 20));
    let many = |kind: &str, one: &Value| {
        let all: Value = (0..40_000).map(|i| (i.to_string(), one.clone())).collect();
        text(&header, &[(kind, all)])
    };
    for text in [
        deep,
        long,
        String::new(),
        "null".into(),
        "{}".into(),
        "{\"keyslots\":{},\"tokens\":{},\"segments\":{},\"digests\":{}}".into(),
        header.text().to_string()[1..].into(),
        many("/keyslots", &json!({})),
        many("/tokens", &json!(1)),
        many("/segments", &json!([])),
    ] {
        let error = refused(&with(&text, SIZES[8]));
        assert!(matches!(error, Error::Damaged(_)), "{error:?}");
    }
    let second = ("/keyslots/1", header.text()["keyslots"]["0"].clone());
    let error = refused(&with(&text(&header, from_ref(&second)), SIZES[0]));
    assert_eq!(error.to_string(), "damaged header: keyslots 0 and 1 overlap");
    let moved = ("/keyslots/1/area/offset", json!((32768 + 258048 - 512).to_string()));
    let error = refused(&with(&text(&header, &[second, moved]), SIZES[0]));
    assert!(matches!(error, Error::Damaged(_)));
}

/// The text's area holds an object, then zeros.
#[test]
fn what_stands_beside_the_text() {
    let header = Small::new().header;
    let room = SIZES[0] as usize - 4096;
    let fills = json!("x".repeat(room - header.text().to_string().len() - 7));
    let (text, fills) = (text(&header, &[]), text(&header, &[("/x", fills)]));
    assert_eq!(fills.len(), room);
    for text in [
        format!(" {text}"),
        format!("{text} "),
        format!("{text}x"),
        format!("{text}\0\0x"),
        format!("[{text}]"),
        fills,
    ] {
        let error = refused(&with(&text, SIZES[0]));
        assert!(matches!(error, Error::Damaged(_)), "{error:?}");
    }
}

/// LUKS1: free keyslots have positions too.
#[test]
fn keyslots_of_luks1() {
    let header = |places: [u32; 8], stripes: u32| {
        let mut bytes = [0; luks1::LEN];
        let mut put = |at: usize, text: &[u8]| bytes[at..at + text.len()].copy_from_slice(text);
        put(0, b"LUKS\xba\xbe\0\x01");
        put(8, b"aes");
        put(40, b"cbc-essiv:sha256");
        put(72, b"sha1");
        put(104, &4096u32.to_be_bytes());
        put(108, &64u32.to_be_bytes());
        put(168, b"uuid");
        for (i, place) in places.into_iter().enumerate() {
            put(208 + 48 * i, &if i == 0 { 0x00ac_71f3u32 } else { 0xdead }.to_be_bytes());
            put(248 + 48 * i, &place.to_be_bytes());
            put(252 + 48 * i, &stripes.to_be_bytes());
        }
        luks1::Header::parse(&bytes, 4 << 20)
    };
    let places = std::array::from_fn(|i| 8 + 500 * i as u32);
    let good = header(places, 4000).unwrap();
    // An unknown cipher does not prevent reading the header.
    assert_eq!((&*good.cipher, &*good.hash, &*good.uuid), ("aes-cbc-essiv:sha256", "sha1", "uuid"));
    assert_eq!((good.slots.len(), good.end), (1, 512 * (8 + 8 * 500)));
    fails!(Unsupported, good.unlock(&*zeros(4 << 20), b"one", &LIMITS()));
    let crossed = places.map(|at| if at == places[6] { places[5] + 499 } else { at });
    let error = header(crossed, 4000).unwrap_err();
    assert_eq!(error.to_string(), "damaged header: keyslots 5 and 6 overlap");
    for wrong in [header(places, 3999), header(places.map(|at| at + 100), 4000)] {
        fails!(Damaged, wrong);
    }
}

/// A store that ends too soon is not reported as damaged, and reads past the end report positions.
#[test]
fn a_store_that_was_cut_short() {
    let short = Memory::new(Small::new().store.bytes()[..600_000].to_vec());
    let error = fails!(Short, luks2::read(&short));
    assert_eq!(error, "cut short: the data begins at byte 806912, but there are 600000");
    let file = tempfile::tempfile().unwrap();
    file.set_len(1000).unwrap();
    let error = Store::read_at(&file, &mut [0; 512], 900).unwrap_err();
    assert_eq!(error.to_string(), "it ends at byte 1000, within the 512 bytes from byte 900 on");
}

/// An unknown keyslot does not prevent opening with others.
#[test]
fn one_keyslot_of_many_is_not_known() {
    let mut small = Small::new();
    small.add(b"two", &slot(), None).unwrap();
    small.set(&[("/keyslots/0/area/encryption", json!("serpent-xts-plain64"))]);
    assert!(small.opens(b"two") && !small.opens(b"one"));
}

#[test]
fn the_binary_part_that_lies() {
    let (small, size) = (Small::new(), SIZES[0]);
    for (at, bytes) in [(8, 1u64 << 63), (8, 0), (8, 0x4001), (256, 7)] {
        let changed = small.copy().store;
        for copy in [0, size] {
            let change = |whole: &mut [u8]| whole[at..at + 8].copy_from_slice(&bytes.to_be_bytes());
            change_copy(&changed, copy, size, change);
        }
        assert!(matches!(refused(&changed), Error::Damaged(_)), "{at} {bytes}");
    }
    for at in [0, size] {
        small.store.write_at(&[0, 3], at + 6).unwrap();
    }
    assert_eq!(refused(&small.store).to_string(), "not supported: LUKS version 3");
}
