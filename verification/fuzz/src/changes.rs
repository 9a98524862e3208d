//! LUKS2 headers, made of a good header by chosen changes to the text and the bytes, with right checksums mostly; then
//! a chosen call on the volume. It is done or refused. Refused, it has left every byte as it was. Done, every password
//! that opened the volume opens it still, with the same key, except a password that was removed or replaced; and the
//! rest of the text is unchanged. `crates/volumes/tests/parsers.rs` gives the function random choices.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use bulat_block::luks2::{self, NewSlot, SIZES};
use bulat_block::{Apart, Error, Hash, Kdf, Layout, Limits, Memory, Spec, Store, Volume};
use serde_json::{Value, json};
use testkit::Random;

/// Room for two copies, four keyslots and some data.
const SIZE: u64 = 0x8000 + 4 * AREA + 0x2000;
const AREA: u64 = 0x2_0000;
const COPY: usize = SIZES[0] as usize;

/// The most that a header may ask for here, so that a run is short.
const LIMITS: Limits = Limits { iterations: 5000, memory: 256, passes: 4 };

const CHEAP: NewSlot = NewSlot {
    spec: Spec::AES,
    af: Hash::Sha256,
    kdf: Kdf::Pbkdf2 { hash: Hash::Sha256, iterations: 1 },
};

/// The passwords of the keyslots 0 and 1.
const PASSWORDS: [&[u8]; 2] = [b"one", b"two"];

/// The end of a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Was {
    /// It was refused.
    Refused,
    /// It was read, and the call was refused.
    Kept,
    /// It was read, and the call was done.
    Changed,
}

/// A good volume.
struct Base {
    bytes: Vec<u8>,
    text: Value,
    backup: Vec<u8>,
}

/// Two keyslots of the data's key, a keyslot of a different key, a token, flags. The key is short, and the functions of
/// passwords are as cheap as they are: a run is of many headers.
fn base() -> &'static Base {
    static BASE: OnceLock<Base> = OnceLock::new();
    BASE.get_or_init(|| {
        let store = Arc::new(Memory::new(vec![0; SIZE as usize]));
        let mut r = Random::new(1);
        let (key, salt) = (r.array::<32>(), r.array::<32>());
        let derived = |password: &[u8], len: usize| {
            let mut out = vec![0; len];
            Hash::Sha256.pbkdf2(password, &salt, 1, &mut out).expect("some bytes");
            out
        };
        let mut slot = |id: u64, password: &[u8]| {
            let offset = 0x8000 + id * AREA;
            let mut stripes = r.bytes(32 * 4000);
            let state = stripes[..32 * 3999].chunks(32).fold([0; 32], |mut state, stripe| {
                state.iter_mut().zip(stripe).for_each(|(a, b)| *a ^= b);
                Hash::Sha256.digest(&[&[0; 4], &state])[..].try_into().expect("32 bytes")
            });
            let last = stripes[32 * 3999..].iter_mut().zip(key.iter().zip(state));
            last.for_each(|(out, (a, b))| *out = a ^ b);
            let layout = Layout { offset, len: 32 * 4000, sector: 512, first: 0, step: 1 };
            let area = Volume::new(store.clone(), layout, Spec::AES, &derived(password, 64), true);
            area.and_then(|area| area.write_at(&stripes, 0)).expect("room");
            json!({
                "type": "luks2", "key_size": 32,
                "af": {"type": "luks1", "stripes": 4000, "hash": "sha256"},
                "area": {
                    "type": "raw", "offset": offset.to_string(), "size": AREA.to_string(),
                    "encryption": "aes-xts-plain64", "key_size": 64,
                },
                "kdf": {"type": "pbkdf2", "hash": "sha256", "iterations": 1, "salt": base64(&salt)},
            })
        };
        let passwords = [PASSWORDS[0], PASSWORDS[1], b"unbound"];
        let mut slots: [Value; 3] = std::array::from_fn(|i| slot(i as u64, passwords[i]));
        slots[0]["priority"] = 2.into();
        slots[2]["kdf"] =
            json!({"type": "argon2id", "time": 1, "memory": 8, "cpus": 1, "salt": base64(&salt)});
        let digest = |keyslots: &[&str], segments: &[&str]| {
            json!({
                "type": "pbkdf2", "keyslots": keyslots, "segments": segments, "hash": "sha256",
                "iterations": 1, "salt": base64(&salt), "digest": base64(&derived(&key, 32)),
            })
        };
        let text = json!({
            "keyslots": {"0": slots[0], "1": slots[1], "2": slots[2]},
            "tokens": {"0": {"type": "others", "keyslots": ["0"], "x": [1, {"y": "z"}]}},
            "segments": {"0": {
                "type": "crypt", "offset": (0x8000 + 4 * AREA).to_string(), "size": "dynamic",
                "iv_tweak": "0", "encryption": "aes-xts-plain64", "sector_size": 512,
            }},
            "digests": {"0": digest(&["0", "1"], &["0"]), "1": digest(&["2"], &[])},
            "config": {
                "json_size": (COPY - 4096).to_string(), "keyslots_size": (4 * AREA).to_string(),
                "flags": ["allow-discards"],
            },
        });
        for (at, magic) in [(0, &luks2::MAGIC), (SIZES[0], &luks2::SECOND)] {
            let mut binary = [0; 512];
            binary[..6].copy_from_slice(magic);
            binary[7] = 2;
            binary[8..16].copy_from_slice(&SIZES[0].to_be_bytes());
            binary[72..78].copy_from_slice(b"sha256");
            binary[168..204].copy_from_slice(b"00000000-0000-4000-8000-000000000000");
            binary[256..264].copy_from_slice(&at.to_be_bytes());
            let copy = written(&binary, text.to_string().as_bytes(), 5, true);
            store.write_at(&copy, at).expect("within");
        }
        let header = luks2::read(&*store).expect("a good one").header;
        let backup = header.backup(&*store).expect("in memory");
        assert_eq!(opened_by(&store, &header).len(), 2);
        Base { bytes: store.bytes(), text, backup }
    })
}

/// Which passwords open a volume.
fn opened_by(store: &Memory, header: &luks2::Header) -> Vec<&'static [u8]> {
    let opens = |p: &&[u8]| header.unlock(store, p, None, &LIMITS).is_ok();
    PASSWORDS.into_iter().filter(opens).collect()
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for group in bytes.chunks(3) {
        let word =
            group.iter().fold(0u32, |w, b| w << 8 | u32::from(*b)) << (8 * (3 - group.len()));
        for i in 0..4 {
            let digit = DIGITS[(word >> (18 - 6 * i) & 63) as usize] as char;
            out.push(if i > group.len() { '=' } else { digit });
        }
    }
    out
}

/// A copy of the header with this text.
fn written(binary: &[u8], text: &[u8], sequence: u64, good: bool) -> Vec<u8> {
    let mut copy = vec![0; COPY];
    copy[..512].copy_from_slice(binary);
    copy[16..24].copy_from_slice(&sequence.to_be_bytes());
    let n = text.len().min(COPY - 4096);
    copy[4096..4096 + n].copy_from_slice(&text[..n]);
    if good {
        sealed(&mut copy);
    }
    copy
}

fn sealed(copy: &mut [u8]) {
    copy[448..512].fill(0);
    let sum = Hash::Sha256.digest(&[copy]);
    copy[448..480].copy_from_slice(&sum);
}

/// A value of the kinds that headers have, and of others.
fn value(r: &mut Random) -> Value {
    const MOST: u64 = i64::MAX as u64;
    const ALL: u64 = u64::MAX;
    const NUMBERS: [u64; 18] = [
        0,
        1,
        2,
        3,
        16,
        32,
        64,
        512,
        4000,
        4096,
        12_288,
        16_384,
        32_768,
        1 << 31,
        1 << 32,
        1 << 53,
        MOST,
        ALL,
    ];
    // Separated by `|`.
    const TEXTS: &str = "|0|1|2|3|31|32|-1|00|1e3|512|16384|32768|163840|294912|425984|557056\
        |18446744073709551615|18446744073709551616|dynamic|luks2|crypt|raw|argon2id|pbkdf2\
        |aes-xts-plain64|kuznyechik-xts-plain64|stribog512|aes-cbc-essiv:sha256|\0|\u{1b}[2J|ключ";
    let any = |r: &mut Random| TEXTS.split('|').nth(r.below(32)).expect("32 texts");
    let number = |r: &mut Random| {
        NUMBERS[r.below(NUMBERS.len())].wrapping_add(r.below(3) as u64).wrapping_sub(1)
    };
    match r.below(10) {
        0 => number(r).into(),
        1 | 2 => any(r).into(),
        3 => number(r).to_string().into(),
        4 => json!([]),
        5 => json!({}),
        6 => json!(["0", any(r)]),
        7 => [json!(true), json!(-1), json!(0.5), json!(1e300)][r.below(4)].clone(),
        8 => json!({"type": "others", "keyslots": [any(r)]}),
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

/// A number near a number that is there, of the same kind.
fn near(r: &mut Random, value: &Value) -> Option<Value> {
    let text = value.as_str();
    let n = value.as_u64().or_else(|| text?.parse().ok())?;
    const STEPS: [u64; 8] = [1, 2, 512, 4096, AREA, 1 << 32, 1 << 63, u64::MAX];
    let step = STEPS[r.below(STEPS.len())];
    let n = match r.below(4) {
        0 => n.wrapping_sub(step),
        1 => n.wrapping_mul(2),
        2 => step,
        _ => n.wrapping_add(step),
    };
    Some(if text.is_some() { n.to_string().into() } else { n.into() })
}

/// One change of a text as JSON.
fn change(r: &mut Random, text: &mut Value) {
    let mut all = Vec::new();
    places(text, "", &mut all);
    let (place, other) = (all[r.below(all.len())].clone(), all[r.below(all.len())].clone());
    let there = text.pointer(&place).cloned().unwrap_or_default();
    let from = text.pointer(&other).cloned().unwrap_or_default();
    let (parent, name) = place.rsplit_once('/').unwrap_or(("", ""));
    const KINDS: [&str; 4] = ["keyslots", "tokens", "segments", "digests"];
    match r.below(12) {
        // A field or an element goes.
        0 => match text.pointer_mut(parent) {
            Some(Value::Object(fields)) => drop(fields.remove(name)),
            Some(Value::Array(list)) if !list.is_empty() => drop(list.remove(r.below(list.len()))),
            _ => {}
        },
        // A field gets a different name.
        1 => {
            if let Some(fields) = text.pointer_mut(parent).and_then(Value::as_object_mut)
                && let Some(value) = fields.remove(name)
            {
                let number = r.below(34).to_string();
                fields.insert(
                    [number, format!("{name}x"), name.to_uppercase()][r.below(3)].clone(),
                    value,
                );
            }
        }
        // An object twice.
        2 => {
            let (kind, from, to) = (KINDS[r.below(4)], r.below(3).to_string(), r.below(34));
            let one = text.get(kind).and_then(|all| all.get(from)).cloned();
            if let (Some(one), Some(fields)) =
                (one, text.get_mut(kind).and_then(Value::as_object_mut))
            {
                fields.insert(to.to_string(), one);
            }
        }
        // Names of objects in lists come and go.
        3 | 4 => {
            let (kind, of) = (["digests", "tokens"][r.below(2)], r.below(2).to_string());
            let list = text
                .get_mut(kind)
                .and_then(|all| all.get_mut(of))
                .and_then(|o| o.get_mut(["keyslots", "segments"][r.below(2)]));
            if let Some(list) = list.and_then(Value::as_array_mut) {
                match r.below(3) {
                    0 => list.clear(),
                    1 => list.push(r.below(34).to_string().into()),
                    _ => list.push(value(r)),
                }
            }
        }
        // A number is near a different number.
        5 | 6 => {
            let new = near(r, &there).unwrap_or_else(|| value(r));
            if let Some(place) = text.pointer_mut(&place) {
                *place = new;
            }
        }
        // A value of elsewhere; both change places.
        7 => {
            if let Some(place) = text.pointer_mut(&place) {
                *place = from;
            }
            if r.below(2) == 0
                && let Some(other) = text.pointer_mut(&other)
            {
                *other = there;
            }
        }
        // An unknown field.
        8 | 9 => {
            let (new, name) = (
                value(r),
                ["x", "31", "priority", "flags", "requirements", "integrity"][r.below(6)],
            );
            if let Some(fields) = text.pointer_mut(&place).and_then(Value::as_object_mut) {
                fields.insert(name.into(), new);
            }
        }
        10 => {
            let new = value(r);
            let number = r.below(34).to_string();
            if let Some(fields) = text.get_mut(KINDS[r.below(4)]).and_then(Value::as_object_mut) {
                fields.insert(number, new);
            }
        }
        _ => {
            let new = value(r);
            if let Some(place) = text.pointer_mut(&place) {
                *place = new;
            }
        }
    }
}

fn change_bytes(r: &mut Random, text: &mut Vec<u8>) {
    let at = r.below(text.len());
    match r.below(8) {
        0 => text[at] ^= 1 << r.below(8),
        1 => text[at] = b"{}[]\",:\\0-9 \0\xff"[r.below(14)],
        2 => drop(text.remove(at)),
        3 => text.insert(at, b"{}[]\",:\\0-9 \0\xff"[r.below(14)]),
        4 => text.truncate(at),
        // A part twice, as a field of an object may be.
        5 => {
            let part = text[at..].iter().take(r.below(300)).copied().collect::<Vec<_>>();
            text.splice(at..at, part);
        }
        6 => text.extend(vec![b" \0["[r.below(3)]; r.below(COPY)]),
        _ => {
            let end = (at + r.below(40)).min(text.len());
            text.drain(at..end);
        }
    }
}

/// The store with changed copies; `detached`, of a header whose data is elsewhere.
fn changed(r: &mut Random, detached: bool) -> Memory {
    let base = base();
    let (mut bytes, mut good) = (base.bytes.clone(), base.text.clone());
    if detached {
        good["segments"]["0"]["offset"] = "0".into();
    }
    let one = |r: &mut Random| {
        let mut text = good.clone();
        for _ in 0..[1, 1, 1, 2, 3, 0][r.below(6)] {
            change(r, &mut text);
        }
        let mut text = text.to_string().into_bytes();
        if r.below(8) == 0 {
            for _ in 0..r.below(3) {
                change_bytes(r, &mut text);
                if text.is_empty() {
                    break;
                }
            }
        }
        text
    };
    let shared = one(r);
    // Mostly both agree.
    let apart = r.below(6);
    for (i, at) in [0, SIZES[0]].into_iter().enumerate() {
        let (text, sequence) = match apart {
            0 if i == 1 => (one(r), [4, 5, 6, u64::MAX][r.below(4)]),
            1 if i == 1 => (good.to_string().into_bytes(), [4, 5, 6][r.below(3)]),
            _ => (shared.clone(), if apart == 2 { u64::MAX - r.below(2) as u64 } else { 5 }),
        };
        let binary = &bytes[at as usize..at as usize + 512];
        let mut copy = written(binary, &text, sequence, false);
        if r.below(12) == 0 {
            let at = r.below(512);
            copy[at] ^= 1 << r.below(8);
        }
        if r.below(24) != 0 {
            sealed(&mut copy);
        }
        if r.below(48) == 0 {
            copy[512..520].copy_from_slice(b"LABELONE");
        }
        bytes[at as usize..at as usize + COPY].copy_from_slice(&copy);
    }
    Memory::new(bytes)
}

/// Which keyslots each password opens, with their key.
type Opened = BTreeMap<(usize, u32), Vec<u8>>;

/// The keyslots that passwords open: the good volume's and, on new keyslots, "new"; on `slot` all passwords.
/// Keyslots with the good volume's stripes are computed once.
fn opened(store: &Memory, header: &luks2::Header, slot: Option<u32>) -> Opened {
    type Known = HashMap<String, Option<Vec<u8>>>;
    static KNOWN: OnceLock<Mutex<Known>> = OnceLock::new();
    let known = || KNOWN.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
    let (base, mut out) = (base(), Opened::new());
    let digests = header.text()["digests"].as_object().into_iter().flat_map(|all| all.values());
    let digest = digests.filter(|d| d["segments"] != json!([]));
    let digest: String = digest
        .map(|d| format!("{}{}{}{}", d["hash"], d["iterations"], d["salt"], d["digest"]))
        .collect();
    for one in header.slots().iter().filter(|s| s.bound) {
        let mut stripes = vec![0; one.area.len as usize];
        store.read_at(&mut stripes, one.area.offset).expect("within");
        let at = one.area.offset as usize;
        let same = base.bytes[at..at + stripes.len()] == stripes;
        let text = &header.text()["keyslots"][one.id.to_string()];
        let spec = header.segment().spec.is_ok();
        let fields =
            format!("{spec}{}{}{}{}", text["kdf"], text["af"], text["area"], text["key_size"]);
        let passwords = [PASSWORDS[0], PASSWORDS[1], b"new"];
        for (i, password) in passwords.into_iter().enumerate() {
            if same == (i == 2) && Some(one.id) != slot {
                continue;
            }
            let id = format!("{i}{digest}{fields}");
            let found = known().get(&id).filter(|_| same).cloned();
            let key = found.unwrap_or_else(|| {
                let key = header.unlock(store, password, Some(one.id), &LIMITS);
                key.ok().map(|(key, _)| key.to_vec())
            });
            if same {
                let mut known = known();
                if known.len() > 100_000 {
                    known.clear();
                }
                known.insert(id, key.clone());
            }
            if let Some(key) = key {
                out.insert((i, one.id), key);
            }
        }
    }
    out
}

/// The text without the parts that a change of a keyslot changes.
fn rest(text: &Value, slot: Option<u32>) -> Value {
    let mut text = text.clone();
    let Some(slot) = slot.map(|n| n.to_string()) else { return text };
    if let Some(slots) = text["keyslots"].as_object_mut() {
        slots.remove(&slot);
    }
    for kind in ["digests", "tokens"] {
        for object in text[kind].as_object_mut().into_iter().flat_map(serde_json::Map::values_mut) {
            if let Some(named) = object.get_mut("keyslots").and_then(Value::as_array_mut) {
                named.retain(|v| *v != json!(slot));
            }
        }
    }
    text
}

/// A header of chosen changes, and a chosen call.
///
/// # Panics
/// Where something is worse than before.
pub fn luks2(input: &[u8]) -> Was {
    let mut r = Random::given(input);
    let detached = r.below(4) == 0;
    let store = Arc::new(changed(&mut r, detached));
    // A detached header without its data.
    let whole: Arc<dyn Store> = if detached { Apart::alone(store.clone()) } else { store.clone() };
    // More of the quick calls.
    let call = [0, 1, 1, 2, 2, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4][r.below(16)].max(detached.into());
    let found = luks2::read(&*whole);
    if found.is_err() && call != 0 && !matches!(found, Err(Error::Ambiguous(_))) {
        return Was::Refused;
    }
    let before = store.bytes();
    let kept =
        |what: &str| assert!(store.bytes() == before, "{what}: refused, and bytes are changed");
    if call == 0 {
        return restored(&mut r, &store, &found, &kept);
    }
    let mut header = match found {
        Ok(found) => found.header,
        Err(Error::Ambiguous(_)) => luks2::find(&*whole).expect("a good copy").header,
        Err(_) => return Was::Refused,
    };
    looked_at(&*whole, &header);
    let had = opened(&store, &header, None);
    let text = header.text().clone();
    let first = had.iter().next().map(|((_, slot), key)| (*slot, key.clone()));
    let slots: Vec<u32> = header.slots().iter().map(|s| s.id).collect();
    // Mostly a keyslot that is there.
    let slot = match r.below(6) {
        0 => r.below(34) as u32,
        _ => slots.get(r.below(slots.len().max(1))).copied().unwrap_or(0),
    };
    let (result, gone, new) = match (call, &first) {
        (1, Some((_, key))) => {
            let wanted = if r.below(2) == 0 { None } else { Some(slot) };
            let added = header.add(&*whole, key, b"new", &CHEAP, wanted);
            let id = added.as_ref().ok().copied();
            (added.map(drop), None, id)
        }
        (2, Some((_, key))) => {
            let changed = header.change(&*whole, key, b"new", &CHEAP, slot);
            (changed, Some(slot), Some(slot))
        }
        (3, _) => {
            let last = r.below(3) == 0;
            let removed = header.remove(&*whole, slot, last);
            let left = header.slots().iter().any(|s| s.bound && s.lock.is_ok());
            let bound = had.keys().any(|(_, id)| *id == slot);
            assert!(removed.is_err() || last || left || !bound, "the last keyslot is gone");
            (removed, Some(slot), None)
        }
        _ => {
            if let (Some((slot, key)), None) = (&first, whole.apart()) {
                let volume = header.open(store.clone(), key, true);
                let volume = volume.unwrap_or_else(|e| panic!("keyslot {slot} opens: {e}"));
                let mut part = vec![0; volume.len().min(5000) as usize];
                volume.read_at(&mut part, 0).expect("in memory");
                volume.write_at(&part, 0).expect("in memory");
                kept("what was read is written");
            }
            (header.rewrite(&*whole), None, None)
        }
    };
    if let Err(e) = result {
        kept(&e.to_string());
        return Was::Kept;
    }
    let after = luks2::read(&*whole).expect("what was changed is read");
    assert_eq!((&after.first, &after.second), (&luks2::Copy::Good, &luks2::Copy::Good));
    assert_eq!(after.header.text(), header.text());
    looked_at(&*whole, &after.header);
    let touched = gone.or(new);
    assert_eq!(rest(after.header.text(), touched), rest(&text, touched), "what was not named");
    if let (Some(slot), true) = (gone, new.is_some()) {
        let priority = |text: &Value| text["keyslots"][slot.to_string()].get("priority").cloned();
        assert_eq!(priority(after.header.text()), priority(&text));
    }
    let has = opened(&store, &after.header, touched);
    for ((password, slot), key) in &had {
        let same = has.get(&(*password, *slot)) == Some(key);
        assert_eq!(same, gone != Some(*slot), "keyslot {slot}");
    }
    if let (Some(slot), Some((_, key))) = (new, &first) {
        assert!(has.get(&(2, slot)) == Some(key), "the new password does not open");
    }
    Was::Changed
}

/// All places lie where they may.
fn looked_at(store: &dyn Store, header: &luks2::Header) {
    let layout = header.layout(store).expect("in memory");
    assert!(layout.offset.checked_add(layout.len).is_some());
    if store.apart().is_none() {
        assert!(layout.offset >= header.area() && layout.offset + layout.len <= SIZE);
    }
    for slot in header.slots() {
        let end = slot.area.offset + slot.area.len;
        assert!(slot.area.offset >= 2 * header.size && end <= header.area());
    }
}

/// A backup, the good volume's or a changed backup, is restored: refused, or its passwords open it as before. Without
/// `force` no key is lost, no other signature, and nothing that is not understood.
fn restored(
    r: &mut Random,
    store: &Memory,
    found: &Result<luks2::Found, Error>,
    kept: &dyn Fn(&str),
) -> Was {
    let (before, mut bytes) = (store.bytes(), base().backup.clone());
    match r.below(4) {
        // Not a backup with its data at 0, which makes a detached header.
        0 => {
            let other = changed(r, false).bytes()[..bytes.len()].to_vec();
            let mut whole = other.clone();
            whole.resize(SIZE as usize, 0);
            if luks2::find(&Memory::new(whole)).is_ok() {
                bytes = other;
            }
        }
        1 if r.below(4) == 0 => bytes.truncate(r.below(bytes.len())),
        1 => bytes[0x8000 + r.below(2) * AREA as usize + r.below(100_000)] ^= 1 << r.below(8),
        _ => {}
    }
    let had = found.as_ref().ok().map(|found| opened(store, &found.header, None));
    let force = r.below(2) == 0;
    if let Err(e) = luks2::restore(store, &Memory::new(bytes.clone()), force) {
        kept(&e.to_string());
        return if found.is_ok() { Was::Kept } else { Was::Refused };
    }
    let header = luks2::read(store).expect("what was restored is read").header;
    looked_at(store, &header);
    // The backup as the beginning of a volume.
    bytes.resize(SIZE as usize, 0);
    let backup = Memory::new(bytes);
    let keys = |store: &Memory, header: &luks2::Header| {
        PASSWORDS.map(|p| {
            let opened = header.unlock(store, p, None, &LIMITS);
            opened.ok().map(|(key, slot)| (key.to_vec(), slot))
        })
    };
    let put = luks2::find(&backup).expect("what was restored").header;
    assert_eq!(keys(store, &header), keys(&backup, &put), "the backup's passwords");
    if !force {
        assert!(before[512..520] != *b"LABELONE", "a sign of something else");
        let unknown = matches!(found, Err(Error::Unsupported(_) | Error::Ambiguous(_)));
        assert!(!unknown, "what is not understood");
        for key in had.iter().flat_map(BTreeMap::values) {
            assert!(header.is_key(key).expect("few iterations"), "another key");
        }
    }
    Was::Changed
}
