//! The text of a header: JSON, and what must be so before anything is computed.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Map, Value};

use super::{BINARY, KEYSLOTS, OBJECTS, STRIPES};
use crate::Result;
use crate::cipher::Spec;
use crate::error::{Error, damaged, named};
use crate::hash::Hash;
use crate::kdf::Kdf;

/// A place in the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    /// The first byte.
    pub offset: u64,
    /// Bytes.
    pub len: u64,
}

impl Area {
    pub(super) fn end(self) -> u64 {
        self.offset + self.len
    }
    pub(super) fn crosses(self, other: Area) -> bool {
        self.offset < other.end() && other.offset < self.end()
    }
}

/// How a keyslot is opened.
#[derive(Clone, Debug)]
pub struct Lock {
    /// What makes the password a key.
    pub kdf: Kdf,
    /// The cipher of the area.
    pub spec: Spec,
    /// Bytes of that cipher's key.
    pub key_len: usize,
    /// The splitter's hash.
    pub af: Hash,
    pub(super) salt: Vec<u8>,
}

/// A keyslot.
#[derive(Clone, Debug)]
pub struct Slot {
    /// Its number.
    pub id: u32,
    /// Where its stripes are.
    pub area: Area,
    /// Bytes of the key in it.
    pub key_len: usize,
    /// 2: tried first; 1; 0: only when it is named.
    pub priority: u64,
    /// How it is opened, or what about it is not supported.
    pub lock: Result<Lock, String>,
}

/// The data.
#[derive(Clone, Debug)]
pub struct Segment {
    /// The first byte.
    pub offset: u64,
    /// Bytes, unless it goes to the store's end.
    pub len: Option<u64>,
    /// The number of its first sector, in 512 bytes.
    pub first: u64,
    /// Bytes of a sector.
    pub sector: usize,
    /// The cipher.
    pub spec: Spec,
}

#[derive(Clone, Debug)]
pub(super) struct Digest {
    pub(super) id: u32,
    pub(super) slots: Vec<u32>,
    pub(super) hash: Hash,
    pub(super) iterations: u64,
    pub(super) salt: Vec<u8>,
    pub(super) digest: Vec<u8>,
}

/// What the text says, checked.
#[derive(Clone, Debug)]
pub(super) struct Meta {
    pub(super) slots: Vec<Slot>,
    pub(super) segment: Segment,
    pub(super) digest: Digest,
    pub(super) keyslots: Area,
    /// Of the passwords' functions, what they ask for: iterations, or passes, KiB and lanes.
    pub(super) asked: Vec<(u64, Option<(u64, u64)>)>,
}

// The text. Every function names what it looks at.

fn object<'a>(value: &'a Value, name: &str) -> Result<&'a Map<String, Value>> {
    value[name].as_object().ok_or_else(|| Error::Damaged(format!("no object {name:?}")))
}

fn string<'a>(value: &'a Value, name: &str) -> Result<&'a str> {
    value[name].as_str().ok_or_else(|| Error::Damaged(format!("no text {name:?}")))
}

fn integer(value: &Value, name: &str) -> Result<u64> {
    value[name].as_u64().ok_or_else(|| Error::Damaged(format!("no number {name:?}")))
}

/// A number of 64 bits, which stands as text.
fn long(value: &Value, name: &str) -> Result<u64> {
    let text = string(value, name)?;
    let digits = text.bytes().all(|b| b.is_ascii_digit());
    let number = text.parse().ok().filter(|_| digits);
    number.ok_or_else(|| Error::Damaged(format!("{name:?} is no number: {}", named(text))))
}

fn octets(value: &Value, name: &str) -> Result<Vec<u8>> {
    let octets = BASE64.decode(string(value, name)?).ok().filter(|octets| octets.len() <= 256);
    octets.ok_or_else(|| Error::Damaged(format!("{name:?} is not base64 of up to 256 bytes")))
}

fn id(name: &str) -> Result<u32> {
    let number =
        name.parse().ok().filter(|n: &u32| (*n as usize) < OBJECTS && name == n.to_string());
    number.ok_or_else(|| Error::Damaged(format!("{} is no number of an object", named(name))))
}

fn ids(value: &Value, name: &str) -> Result<Vec<u32>> {
    let list = value[name].as_array().filter(|list| list.len() <= OBJECTS);
    let list = list.ok_or_else(|| Error::Damaged(format!("no list {name:?}")))?;
    list.iter().map(|v| id(v.as_str().unwrap_or("?"))).collect()
}

fn kind(value: &Value, what: &str, known: &str) -> Result<()> {
    match string(value, "type")? {
        name if name == known => Ok(()),
        name => Err(Error::Unsupported(format!("{what} of the type {}", named(name)))),
    }
}

/// The function of a keyslot, and what it asks for.
fn kdf(value: &Value) -> Result<(Kdf, (u64, Option<(u64, u64)>), Vec<u8>)> {
    let (salt, small) = (octets(value, "salt")?, |n: u64| u32::try_from(n).unwrap_or(u32::MAX));
    if salt.len() < 8 {
        return damaged("a salt of less than 8 bytes");
    }
    let (kdf, asked) = match string(value, "type")? {
        "pbkdf2" => {
            let n = integer(value, "iterations")?;
            let hash = Hash::parse(string(value, "hash")?)?;
            (Kdf::Pbkdf2 { hash, iterations: small(n) }, (n, None))
        }
        name @ ("argon2i" | "argon2id") => {
            let time = integer(value, "time")?;
            let (memory, lanes) = (integer(value, "memory")?, integer(value, "cpus")?);
            let id = name == "argon2id";
            let (t, m, p) = (small(time), small(memory), small(lanes));
            (Kdf::Argon2 { id, time: t, memory: m, lanes: p }, (time, Some((memory, lanes))))
        }
        name => return Err(Error::Unsupported(format!("keys by {}", named(name)))),
    };
    Ok((kdf, asked, salt))
}

impl Meta {
    /// Looks at the text of a header of `size` bytes in a store of `store` bytes; nothing is computed.
    pub(super) fn of(text: &Value, size: u64, store: u64) -> Result<Self> {
        for name in ["keyslots", "tokens", "segments", "digests"] {
            if object(text, name)?.len() > OBJECTS {
                return damaged(format!("more than {OBJECTS} objects in {name:?}"));
            }
        }
        object(text, "config")?;
        let config = &text["config"];
        if long(config, "json_size")? != size - BINARY as u64 {
            return damaged("the text's size is not the header's");
        }
        let len = long(config, "keyslots_size")?;
        if len > KEYSLOTS || !len.is_multiple_of(4096) {
            return damaged(format!("{len} bytes for keyslots"));
        }
        let keyslots = Area { offset: 2 * size, len };
        if let Some(wanted) = config["requirements"]["mandatory"].as_array()
            && let Some(first) = wanted.first()
        {
            let name = named(first.as_str().unwrap_or("?"));
            return Err(Error::Unsupported(format!("the requirement {name}")));
        }
        let mut asked = Vec::new();
        let slots = object(text, "keyslots")?
            .iter()
            .map(|(name, slot)| Self::slot(id(name)?, slot, keyslots, &mut asked))
            .collect::<Result<Vec<Slot>>>()?;
        for (i, a) in slots.iter().enumerate() {
            if let Some(b) = slots[i + 1..].iter().find(|b| a.area.crosses(b.area)) {
                return damaged(format!("keyslots {} and {} overlap", a.id, b.id));
            }
        }
        let segments = object(text, "segments")?;
        let Some((name, segment)) = segments.iter().next().filter(|_| segments.len() == 1) else {
            return Err(Error::Unsupported(format!("{} segments", segments.len())));
        };
        let (segment_id, segment) = (id(name)?, Self::segment(segment, keyslots.end(), store)?);
        let digests = object(text, "digests")?
            .iter()
            .map(|(name, digest)| Self::digest(id(name)?, digest, segment_id))
            .collect::<Result<Vec<Option<Digest>>>>()?;
        let mut digests = digests.into_iter().flatten();
        let (Some(digest), None) = (digests.next(), digests.next()) else {
            return damaged("not one digest for the segment");
        };
        if let Some(missing) = digest.slots.iter().find(|n| !slots.iter().any(|s| s.id == **n)) {
            return damaged(format!("a digest names keyslot {missing}, which is not there"));
        }
        if let Some(slot) = slots.iter().find(|s| digest.slots.contains(&s.id)) {
            segment.spec.takes(slot.key_len)?;
        }
        asked.push((digest.iterations, None));
        Ok(Meta { slots, segment, digest, keyslots, asked })
    }

    fn slot(
        id: u32,
        slot: &Value,
        keyslots: Area,
        asked: &mut Vec<(u64, Option<(u64, u64)>)>,
    ) -> Result<Slot> {
        kind(slot, "a keyslot", "luks2")?;
        let (area, af) = (&slot["area"], &slot["af"]);
        kind(area, "an area", "raw")?;
        kind(af, "a splitter", "luks1")?;
        let key_len = integer(slot, "key_size")? as usize;
        let place = Area { offset: long(area, "offset")?, len: long(area, "size")? };
        let within = place.offset >= keyslots.offset
            && place.offset.checked_add(place.len).is_some_and(|end| end <= keyslots.end());
        if !within || !place.offset.is_multiple_of(512) {
            return damaged(format!("keyslot {id} is not where keyslots are"));
        }
        if !(1..=512).contains(&key_len) || integer(af, "stripes")? != STRIPES as u64 {
            return damaged(format!("keyslot {id}: the key's size, or not {STRIPES} stripes"));
        }
        let used = (key_len * STRIPES).next_multiple_of(512) as u64;
        if used > place.len {
            return damaged(format!("keyslot {id} is too small for its key"));
        }
        let mut lock = || -> Result<Lock> {
            let (kdf, cost, salt) = kdf(&slot["kdf"])?;
            asked.push(cost);
            let spec = Spec::parse(string(area, "encryption")?)?;
            let len = integer(area, "key_size")? as usize;
            spec.takes(len)?;
            Ok(Lock { kdf, spec, key_len: len, af: Hash::parse(string(af, "hash")?)?, salt })
        };
        let lock = match lock() {
            Ok(lock) => Ok(lock),
            Err(Error::Unsupported(what)) => Err(what),
            Err(e) => return Err(e),
        };
        let priority = slot["priority"].as_u64().unwrap_or(1);
        Ok(Slot { id, area: place, key_len, priority, lock })
    }

    fn segment(segment: &Value, least: u64, store: u64) -> Result<Segment> {
        kind(segment, "a segment", "crypt")?;
        if !segment["integrity"].is_null() {
            return Err(Error::Unsupported("integrity beside the data".into()));
        }
        let offset = long(segment, "offset")?;
        let sector = integer(segment, "sector_size")? as usize;
        if !matches!(sector, 512 | 1024 | 2048 | 4096) {
            return Err(Error::Unsupported(format!("sectors of {sector} bytes")));
        }
        let whole = |n: u64| n.is_multiple_of(sector as u64);
        let len = match string(segment, "size")? {
            "dynamic" => None,
            _ => Some(long(segment, "size")?),
        };
        if offset < least || !whole(offset) || offset > store {
            return damaged("the data begins within the header, within a sector or past the end");
        }
        if let Some(len) = len
            && (len == 0 || !whole(len) || offset.checked_add(len).is_none_or(|end| end > store))
        {
            return damaged("the data is not whole sectors, or goes past the end");
        }
        let (first, spec) = (long(segment, "iv_tweak")?, string(segment, "encryption")?);
        Ok(Segment { offset, len, first, sector, spec: Spec::parse(spec)? })
    }

    /// A digest, if it is the segment's.
    fn digest(id: u32, digest: &Value, segment: u32) -> Result<Option<Digest>> {
        kind(digest, "a digest", "pbkdf2")?;
        let (slots, segments) = (ids(digest, "keyslots")?, ids(digest, "segments")?);
        if !segments.contains(&segment) {
            return Ok(None);
        }
        let (salt, value) = (octets(digest, "salt")?, octets(digest, "digest")?);
        if salt.len() < 8 || !(16..=64).contains(&value.len()) {
            return damaged("a digest, or its salt, of a wrong length");
        }
        let hash = Hash::parse(string(digest, "hash")?)?;
        let iterations = integer(digest, "iterations")?;
        if iterations == 0 {
            return damaged("a digest without iterations");
        }
        Ok(Some(Digest { id, slots, hash, iterations, salt, digest: value }))
    }
}
