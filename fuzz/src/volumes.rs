//! Headers of volumes, made of a good one by chosen changes, with right checksums mostly: each is read or refused, and of
//! one that is read all places lie where they may. `block/tests/parsers.rs` gives the functions random choices.
#![allow(dead_code)] // each target has one of the three

use std::sync::{Arc, OnceLock};

use bulat_block::luks2::{self, Create, NewSlot, SIZES};
use bulat_block::veracrypt::{self, Place};
use bulat_block::{Block, Hash, Kdf, Limits, Memory, Spec, Store, luks1};
use serde_json::{Value, json};
use testkit::Random;

const SIZE: u64 = 1 << 20;

/// What a header may ask for here, so that a run is short.
const LIMITS: Limits = Limits { iterations: 5000, memory: 256, passes: 4 };

/// Mostly the first.
fn pick<T: Copy>(r: &mut Random, list: &[T]) -> T {
    if r.below(8) != 0 { list[0] } else { list[r.below(list.len())] }
}

/// A value of the kinds that headers have, and of others.
fn value(r: &mut Random) -> Value {
    const NUMBERS: [u64; 14] =
        [0, 1, 2, 16, 32, 64, 512, 4000, 4096, 12288, 16384, 32768, 1 << 32, u64::MAX];
    const TEXTS: [&str; 22] = [
        "",
        "0",
        "1",
        "31",
        "32",
        "-1",
        "00",
        "512",
        "16384",
        "32768",
        "290816",
        "1048576",
        "18446744073709551615",
        "dynamic",
        "luks2",
        "crypt",
        "raw",
        "argon2id",
        "pbkdf2",
        "aes-xts-plain64",
        "kuznyechik-xts-plain64",
        "stribog512",
    ];
    match r.below(8) {
        0 => NUMBERS[r.below(NUMBERS.len())].into(),
        1 | 2 => TEXTS[r.below(TEXTS.len())].into(),
        3 => (NUMBERS[r.below(NUMBERS.len())].wrapping_add(r.below(3) as u64).wrapping_sub(1))
            .to_string()
            .into(),
        4 => json!([]),
        5 => json!({}),
        6 => json!(["0", TEXTS[r.below(TEXTS.len())]]),
        _ => Value::Null,
    }
}

/// Every place in a text.
fn places(value: &Value, at: &str, out: &mut Vec<String>) {
    out.push(at.into());
    match value {
        Value::Object(fields) => {
            fields.iter().for_each(|(k, v)| places(v, &format!("{at}/{k}"), out))
        }
        Value::Array(list) => {
            list.iter().enumerate().for_each(|(i, v)| places(v, &format!("{at}/{i}"), out))
        }
        _ => {}
    }
}

fn change(r: &mut Random, text: &mut Value) {
    let mut all = Vec::new();
    places(text, "", &mut all);
    let (place, other) = (&all[r.below(all.len())], &all[r.below(all.len())]);
    let new = match r.below(3) {
        0 => text.pointer(other).cloned().unwrap_or_default(),
        _ => value(r),
    };
    match r.below(4) {
        0 => {
            let (parent, name) = place.rsplit_once('/').unwrap_or(("", ""));
            if let Some(fields) = text.pointer_mut(parent).and_then(Value::as_object_mut) {
                fields.remove(name);
            }
        }
        1 => {
            if let Some(fields) = text.pointer_mut(place).and_then(Value::as_object_mut) {
                fields.insert(r.below(34).to_string(), new);
            }
        }
        _ => {
            if let Some(there) = text.pointer_mut(place) {
                *there = new;
            }
        }
    }
}

/// A volume with two keyslots: its bytes and the text of its header.
fn base() -> &'static (Vec<u8>, Value) {
    static BASE: OnceLock<(Vec<u8>, Value)> = OnceLock::new();
    BASE.get_or_init(|| {
        let store = Memory::new(vec![0; SIZE as usize]);
        let slot = NewSlot::common(Kdf::Pbkdf2 { hash: Hash::Sha256, iterations: 1 });
        let new = Create { keyslots: 3 * 258_048, ..Create::new(slot) };
        let (mut header, key) = new.make(&store, b"one", &mut |_| ()).expect("room");
        let argon2 = Kdf::Argon2 { id: true, time: 1, memory: 8, lanes: 1 };
        header.add(&store, &key, b"two", &NewSlot::common(argon2), None).expect("room");
        (store.bytes(), header.text().clone())
    })
}

/// A LUKS2 header. Whether it was read.
pub fn luks2(input: &[u8]) -> bool {
    let mut r = Random::given(input);
    let (bytes, text) = base();
    let store = Arc::new(Memory::new(bytes.clone()));
    for at in [0, SIZES[0]] {
        let mut text = text.clone();
        for _ in 0..r.below(5) {
            change(&mut r, &mut text);
        }
        let mut text = text.to_string().into_bytes();
        text.truncate(SIZES[0] as usize - 4096);
        let mut copy = vec![0; SIZES[0] as usize];
        store.read_at(&mut copy[..4096], at).expect("within");
        copy[4096..4096 + text.len()].copy_from_slice(&text);
        for _ in 0..r.below(3) {
            let at = if r.below(2) == 0 { r.below(512) } else { 4096 + r.below(text.len()) };
            copy[at] = [copy[at] ^ 1 << r.below(8), 0, 0xff, b'['][r.below(4)];
        }
        if r.below(16) != 0 {
            copy[448..512].fill(0);
            let sum = Hash::Sha256.digest(&[&copy]);
            copy[448..480].copy_from_slice(&sum);
        }
        store.write_at(&copy, at).expect("within");
    }
    let Ok(found) = luks2::read(&*store) else { return false };
    let mut header = found.header;
    let layout = header.layout(&*store).expect("in memory");
    assert!(layout.offset >= header.area() && layout.offset + layout.len <= SIZE);
    for slot in header.slots() {
        let end = slot.area.offset + slot.area.len;
        assert!(slot.area.offset >= 2 * header.size && end <= header.area());
    }
    for password in [b"one", b"two"] {
        if let Ok((key, _)) = header.unlock(&*store, password, None, &LIMITS)
            && let Ok(volume) = header.open(store.clone(), &key, false)
        {
            let mut text = vec![0; volume.len().min(5000) as usize];
            volume.read_at(&mut text, 0).expect("in memory");
        }
    }
    // What is read is written back the same.
    if header.rewrite(&*store).is_ok() {
        let again = luks2::read(&*store).expect("its own").header;
        assert_eq!((again.text(), again.sequence), (header.text(), header.sequence));
    }
    true
}

/// A LUKS1 header that opens nothing. Whether it was read.
pub fn luks1(input: &[u8]) -> bool {
    let mut r = Random::given(input);
    let mut bytes = [0u8; luks1::LEN];
    bytes[..8].copy_from_slice(b"LUKS\xba\xbe\0\x01");
    let mut put = |at: usize, text: &[u8]| bytes[at..at + text.len()].copy_from_slice(text);
    put(8, pick(&mut r, &[&b"kuznyechik"[..], b"aes", b"magma"]));
    put(40, pick(&mut r, &[&b"xts-plain64"[..], b"xts-plain", b"cbc-essiv:sha256"]));
    put(72, pick(&mut r, &[&b"sha256"[..], b"stribog512", b"sha1"]));
    put(104, &(600u32).to_be_bytes());
    put(108, &pick(&mut r, &[64u32, 32, 0, u32::MAX]).to_be_bytes());
    put(164, &pick(&mut r, &[1u32, 10, 0, u32::MAX]).to_be_bytes());
    for slot in 0..8 {
        let used = r.below(3) == 0;
        put(208 + 48 * slot, &if used { 0x00ac_71f3u32 } else { 0xdead }.to_be_bytes());
        put(212 + 48 * slot, &pick(&mut r, &[1u32, 3, 0, u32::MAX]).to_be_bytes());
        let place = pick(&mut r, &[8 + 60 * slot as u32, 8, 0, 599, u32::MAX]);
        put(248 + 48 * slot, &place.to_be_bytes());
        put(252 + 48 * slot, &pick(&mut r, &[400u32, 1, 0, 4000, u32::MAX]).to_be_bytes());
    }
    for _ in 0..r.below(4) {
        let at = r.below(luks1::LEN);
        bytes[at] ^= 1 << r.below(8);
    }
    let size = pick(&mut r, &[SIZE, 600 * 512, 4096]);
    let Ok(header) = luks1::Header::parse(&bytes, size) else { return false };
    let store = Arc::new(Memory::new(vec![0x5a; size as usize]));
    assert!(header.offset <= size);
    for slot in &header.slots {
        let end = slot.offset + u64::from(slot.stripes) * header.key_len as u64;
        assert!(slot.offset >= luks1::LEN as u64 && end <= header.offset);
    }
    assert!(header.unlock(&*store, b"one", &LIMITS).is_err());
    let key: [u8; 64] = std::array::from_fn(|i| i as u8);
    let volume = header.open(store, &key[..header.key_len], false);
    assert!(volume.is_ok_and(|volume| volume.len() <= size));
    true
}

/// The 448 bytes of a VeraCrypt header. Whether it was read.
pub fn veracrypt(input: &[u8]) -> bool {
    let mut r = Random::given(input);
    let mut text = vec![0u8; 448];
    let mut put = |at: usize, bytes: &[u8]| text[at..at + bytes.len()].copy_from_slice(bytes);
    put(0, b"VERA");
    put(4, &pick(&mut r, &[5u16, 4, 3, 6, u16::MAX]).to_be_bytes());
    put(6, &pick(&mut r, &[0x010bu16, 0, 0x0126, 0x0127, u16::MAX]).to_be_bytes());
    const LONG: [u64; 8] = [SIZE / 2, 131_072, 512, 0, 1, SIZE, u64::MAX - 511, u64::MAX];
    for at in [28, 36, 44, 52] {
        put(at, &pick(&mut r, &LONG).to_be_bytes());
    }
    put(60, &pick(&mut r, &[0u32, 1, 2, u32::MAX]).to_be_bytes());
    put(64, &pick(&mut r, &[512u32, 4096, 0, 513, u32::MAX]).to_be_bytes());
    let keys = r.bytes(64);
    put(192, &keys);
    for _ in 0..r.below(3) {
        text[r.below(448)] ^= 1 << r.below(8);
    }
    let crc = |bytes: &[u8]| {
        !bytes.iter().fold(!0u32, |crc, byte| {
            (0..8)
                .fold(crc ^ u32::from(*byte), |c, _| c >> 1 ^ 0xedb8_8320 & (c & 1).wrapping_neg())
        })
    };
    if r.below(8) != 0 {
        let keys = crc(&text[192..]).to_be_bytes();
        text[8..12].copy_from_slice(&keys);
    }
    if r.below(8) != 0 {
        let sum = crc(&text[..188]).to_be_bytes();
        text[188..192].copy_from_slice(&sum);
    }
    let spec = Spec { block: Block::Kuznyechik, ..Spec::KUZNYECHIK };
    let read = veracrypt::Header::parse(text.into(), Hash::Sha512, spec, Place::Volume);
    let Ok(Some(header)) = read else { return false };
    assert!(header.offset.checked_add(header.len).is_some() && header.len > 0);
    if let Ok(volume) = header.open(Arc::new(Memory::new(vec![0; SIZE as usize])), true) {
        volume.write_at(&[1; 100], volume.len() - 100).expect("in memory");
        volume.read_at(&mut [0; 100], 0).expect("in memory");
    }
    true
}
