//! The text of a header: parses the JSON and checks it before anything is computed.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Map, Value};

use super::{BINARY, KEYSLOTS, OBJECTS, STRIPES};
use crate::Result;
use crate::cipher::Spec;
use crate::error::{Error, damaged, known_or_named, named};
use crate::hash::Hash;
use crate::kdf::{Asked, Kdf};
use crate::store::{Store, UNKNOWN};

/// An area of the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    /// The first byte.
    pub offset: u64,
    /// The length in bytes.
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

/// The store that a header's data must fit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    /// Set if the header is not in it.
    pub(super) apart: bool,
    size: u64,
}

impl Room {
    /// Fits any header.
    pub(super) const ANY: Self = Room { apart: true, size: UNKNOWN };

    /// Returns whether nobody named the store of a detached header's data.
    pub(super) fn is_unnamed(self) -> bool {
        self.apart && self.size == UNKNOWN
    }

    /// Returns the room of the data for a header in this store.
    pub(super) fn of(store: &dyn Store) -> Result<Self> {
        let apart = store.apart();
        Ok(Room { apart: apart.is_some(), size: apart.map_or_else(|| store.size(), Ok)? })
    }
}

/// The protection of a keyslot.
#[derive(Clone, Debug)]
pub struct Lock {
    /// The key derivation function.
    pub kdf: Kdf,
    /// The cipher of the area.
    pub spec: Spec,
    /// The length of that cipher's key in bytes.
    pub key_len: usize,
    /// The splitter's hash.
    pub af: Hash,
    pub(super) salt: Vec<u8>,
    pub(super) asked: Asked,
}

/// A keyslot.
#[derive(Clone, Debug)]
pub struct Slot {
    /// The keyslot's number.
    pub id: u32,
    /// The area of its stripes.
    pub area: Area,
    /// The length of its key in bytes.
    pub key_len: usize,
    /// 2: tried first; 1: tried; 0: tried only by number.
    pub priority: u64,
    /// Set if the slot's key is the data's.
    pub bound: bool,
    /// The protection, or the name of its unsupported part.
    pub lock: Result<Lock, String>,
}

/// The data.
#[derive(Clone, Debug)]
pub struct Segment {
    /// The first byte.
    pub offset: u64,
    /// The length in bytes; `None` up to the store's end.
    pub len: Option<u64>,
    /// The number of its first sector, in units of 512 bytes.
    pub first: u64,
    /// The length of a sector in bytes.
    pub sector: usize,
    /// The cipher's name in the header.
    pub cipher: String,
    /// The cipher, or why it is not supported.
    pub spec: Result<Spec, String>,
}

/// A token: how another program, such as systemd or clevis, opens keyslots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// The token's number.
    pub id: u32,
    /// The program's name for the kind of token.
    pub kind: String,
    /// The numbers of its keyslots.
    pub slots: Vec<u32>,
}

/// The digest of the data's key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Digest {
    pub(super) id: u32,
    /// The hash, or why it is not supported.
    pub(super) hash: Result<Hash, String>,
    pub(super) iterations: u64,
    pub(super) salt: Vec<u8>,
    pub(super) digest: Vec<u8>,
}

/// The checked content of the text.
#[derive(Clone, Debug)]
pub(super) struct Meta {
    pub(super) slots: Vec<Slot>,
    pub(super) tokens: Vec<Token>,
    pub(super) segment: Segment,
    pub(super) digest: Digest,
    pub(super) keyslots: Area,
}

// Accessors of the text. Errors name the field. Indexing a value that is not an object by a name returns null.

fn object<'a>(value: &'a Value, name: &str) -> Result<&'a Map<String, Value>> {
    value[name].as_object().ok_or_else(|| Error::Damaged(format!("no object {name:?}")))
}

fn string<'a>(value: &'a Value, name: &str) -> Result<&'a str> {
    value[name].as_str().ok_or_else(|| Error::Damaged(format!("no text {name:?}")))
}

fn integer(value: &Value, name: &str) -> Result<u64> {
    value[name].as_u64().ok_or_else(|| Error::Damaged(format!("no number {name:?}")))
}

/// Returns a number of 64 bits, which is stored as text.
fn long(value: &Value, name: &str) -> Result<u64> {
    let text = string(value, name)?;
    let digits = text.bytes().all(|b| b.is_ascii_digit());
    let number = text.parse().ok().filter(|_| digits);
    number.ok_or_else(|| Error::Damaged(format!("{name:?} is not a number: {}", named(text))))
}

fn bytes(value: &Value, name: &str) -> Result<Vec<u8>> {
    let bytes = BASE64.decode(string(value, name)?).ok().filter(|bytes| bytes.len() <= 256);
    bytes.ok_or_else(|| Error::Damaged(format!("{name:?} is not base64 of up to 256 bytes")))
}

/// Returns the texts in a list.
fn strings<'a>(value: &'a Value, name: &str) -> Result<Vec<&'a str>> {
    let list = value[name].as_array();
    let texts = list.and_then(|list| list.iter().map(Value::as_str).collect());
    texts.ok_or_else(|| Error::Damaged(format!("{name:?} is not a list of texts")))
}

/// Returns the texts in an optional list.
fn optional<'a>(value: &'a Value, name: &str) -> Result<Vec<&'a str>> {
    if value.get(name).is_none() { Ok(Vec::new()) } else { strings(value, name) }
}

fn id(name: &str) -> Result<u32> {
    let number =
        name.parse().ok().filter(|n: &u32| (*n as usize) < OBJECTS && name == n.to_string());
    number.ok_or_else(|| Error::Damaged(format!("{} is not the number of an object", named(name))))
}

/// Returns objects by their numbers, after checking their count.
fn objects<'a>(text: &'a Value, name: &str) -> Result<Vec<(u32, &'a Value)>> {
    let all = object(text, name)?;
    if all.len() > OBJECTS {
        return damaged(format!("more than {OBJECTS} objects in {name:?}"));
    }
    let one = |(key, value): (&String, &'a Value)| match value.is_object() {
        true => Ok((id(key)?, value)),
        false => damaged(format!("{} in {name:?} is not an object", named(key))),
    };
    all.iter().map(one).collect()
}

/// Returns the numbers of the objects of a kind that an object refers to, which must exist.
fn names(text: &Value, object: &Value, what: &str, kind: &str) -> Result<Vec<u32>> {
    let list = strings(object, kind)?;
    let one = |name: &str| match text[kind].get(name) {
        Some(_) => id(name),
        None => damaged(format!("{what} names {} in {kind:?}, which does not exist", named(name))),
    };
    list.into_iter().map(one).collect()
}

fn kind(value: &Value, what: &str, known: &str) -> Result<()> {
    match string(value, "type")? {
        name if name == known => Ok(()),
        name => Err(Error::Unsupported(format!("{what} of the type {}", named(name)))),
    }
}

/// Returns a name without control characters, and not too long to show.
fn plain(name: &str) -> String {
    name.chars().filter(|c| !c.is_control()).take(64).collect()
}

/// Returns the function of a keyslot, its cost, and its salt.
fn kdf(value: &Value) -> Result<(Kdf, Asked, Vec<u8>)> {
    let (salt, small) = (bytes(value, "salt")?, |n: u64| u32::try_from(n).unwrap_or(u32::MAX));
    if salt.len() < 8 {
        return damaged("a salt of less than 8 bytes");
    }
    let (kdf, asked) = match string(value, "type")? {
        "pbkdf2" => {
            let n = integer(value, "iterations")?;
            let hash = Hash::parse(string(value, "hash")?)?;
            (Kdf::Pbkdf2 { hash, iterations: small(n) }, Asked::Pbkdf2(n))
        }
        name @ ("argon2i" | "argon2id") => {
            let time = integer(value, "time")?;
            let (memory, lanes) = (integer(value, "memory")?, integer(value, "cpus")?);
            let id = name == "argon2id";
            let (t, m, p) = (small(time), small(memory), small(lanes));
            let kdf = Kdf::Argon2 { id, time: t, memory: m, lanes: p };
            (kdf, Asked::Argon2 { time, memory, lanes })
        }
        name => return Err(Error::Unsupported(format!("keys by {}", named(name)))),
    };
    Ok((kdf, asked, salt))
}

impl Meta {
    /// Checks the whole text of a header of `size` bytes for data in this room; computes nothing. A header that passes
    /// can be changed: every field that a change writes has the right form.
    pub(super) fn of(text: &Value, size: u64, room: Room) -> Result<Self> {
        let keyslots = Self::config(text, size)?;
        let (slots, segments) = (objects(text, "keyslots")?, objects(text, "segments")?);
        let token = |(id, token): (u32, &Value)| {
            let slots = names(text, token, &format!("token {id}"), "keyslots")?;
            Ok(Token { id, kind: plain(string(token, "type")?), slots })
        };
        let tokens = objects(text, "tokens")?.into_iter().map(token).collect::<Result<_>>()?;
        let mut slots = slots
            .into_iter()
            .map(|(id, slot)| Self::slot(id, slot, keyslots))
            .collect::<Result<Vec<Slot>>>()?;
        for (i, a) in slots.iter().enumerate() {
            if let Some(b) = slots[i + 1..].iter().find(|b| a.area.crosses(b.area)) {
                return damaged(format!("keyslots {} and {} overlap", a.id, b.id));
            }
        }
        let [(number, segment)] = segments[..] else {
            return Err(Error::Unsupported(format!("{} segments", segments.len())));
        };
        if number != 0 {
            return damaged("there is no segment 0");
        }
        let mut segment = Self::segment(segment, keyslots.end(), room)?;
        // The keyslots of each digest; then the data's digest.
        let (mut named, mut found) = (Vec::new(), None);
        for (id, digest) in objects(text, "digests")? {
            string(digest, "type")?;
            let what = format!("digest {id}");
            let of = names(text, digest, &what, "keyslots")?;
            if !names(text, digest, &what, "segments")?.is_empty() {
                if found.is_some() {
                    return damaged("more than one digest for the segment");
                }
                found = Some(Self::digest(id, digest)?);
                slots.iter_mut().for_each(|s| s.bound = of.contains(&s.id));
            }
            named.push(of);
        }
        let Some(digest) = found else { return damaged("no digest for the segment") };
        for slot in &slots {
            if named.iter().filter(|of| of.contains(&slot.id)).count() != 1 {
                return damaged(format!("keyslot {} does not have exactly one digest", slot.id));
            }
            if let Ok(spec) = segment.spec
                && slot.bound
            {
                segment.spec = known_or_named(spec.takes(slot.key_len))?.map(|()| spec);
            }
        }
        Ok(Meta { slots, tokens, segment, digest, keyslots })
    }

    /// Returns the area of keyslots.
    fn config(text: &Value, size: u64) -> Result<Area> {
        let config = &text["config"];
        object(text, "config")?;
        if long(config, "json_size")? != size - BINARY as u64 {
            return damaged("the text's size is not the header's");
        }
        let len = long(config, "keyslots_size")?;
        if len > KEYSLOTS || !len.is_multiple_of(4096) {
            return damaged(format!("{len} bytes for keyslots"));
        }
        optional(config, "flags")?;
        if config.get("requirements").is_some() {
            object(config, "requirements")?;
        }
        if let Some(first) = optional(&config["requirements"], "mandatory")?.first() {
            return Err(Error::Unsupported(format!("the requirement {}", named(first))));
        }
        Ok(Area { offset: 2 * size, len })
    }

    fn slot(id: u32, slot: &Value, keyslots: Area) -> Result<Slot> {
        kind(slot, "a keyslot", "luks2")?;
        for name in ["area", "af", "kdf"] {
            object(slot, name)?;
        }
        let (area, af) = (&slot["area"], &slot["af"]);
        kind(area, "an area", "raw")?;
        kind(af, "a splitter", "luks1")?;
        let key_len = integer(slot, "key_size")? as usize;
        let place = Area { offset: long(area, "offset")?, len: long(area, "size")? };
        let within = place.offset >= keyslots.offset
            && place.offset.checked_add(place.len).is_some_and(|end| end <= keyslots.end());
        if !within || !place.offset.is_multiple_of(512) {
            return damaged(format!("keyslot {id} is outside the area of keyslots"));
        }
        if !(1..=512).contains(&key_len) || integer(af, "stripes")? != STRIPES as u64 {
            return damaged(format!("keyslot {id}: the key's size, or not {STRIPES} stripes"));
        }
        let used = (key_len * STRIPES).next_multiple_of(512) as u64;
        if used > place.len {
            return damaged(format!("keyslot {id} is too small for its key"));
        }
        let lock = || -> Result<Lock> {
            let (encryption, hash) = (string(area, "encryption")?, string(af, "hash")?);
            let len = integer(area, "key_size")? as usize;
            let (kdf, asked, salt) = kdf(&slot["kdf"])?;
            kdf.check().map_err(|e| Error::Unsupported(e.to_string()))?;
            let (spec, af) = (Spec::parse(encryption)?, Hash::parse(hash)?);
            spec.takes(len)?;
            Ok(Lock { kdf, spec, key_len: len, af, salt, asked })
        };
        let lock = known_or_named(lock())?;
        let priority = match slot.get("priority") {
            None => 1,
            Some(n) => n.as_u64().filter(|n| *n <= 2).ok_or_else(|| {
                Error::Damaged(format!("keyslot {id}: its priority is not 0, 1 or 2"))
            })?,
        };
        Ok(Slot { id, area: place, key_len, priority, bound: false, lock })
    }

    fn segment(segment: &Value, least: u64, room: Room) -> Result<Segment> {
        kind(segment, "a segment", "crypt")?;
        if segment.get("integrity").is_some() {
            return Err(Error::Unsupported("a segment with integrity tags".into()));
        }
        if let Some(flag) = optional(segment, "flags")?.first() {
            return Err(Error::Unsupported(format!("a segment with the flag {}", named(flag))));
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
        if offset == 0 && !room.apart {
            return Err(Error::Detached);
        }
        if offset < least && !room.apart || !whole(offset) {
            return damaged("the data begins within the header, or within a sector");
        }
        if len.is_some_and(|n| n == 0 || !whole(n)) {
            return damaged("the data is not whole sectors");
        }
        let end = offset.saturating_add(len.unwrap_or(0));
        if end > room.size {
            let does = if len.is_none() { "begins at" } else { "goes to" };
            return Err(Error::Short(format!(
                "the data {does} byte {end}, but there are {}",
                room.size
            )));
        }
        let (first, cipher) = (long(segment, "iv_tweak")?, string(segment, "encryption")?);
        if cipher.is_empty() {
            return damaged("a segment without a cipher");
        }
        let spec = known_or_named(Spec::parse(cipher))?;
        let cipher = plain(cipher);
        Ok(Segment { offset, len, first, sector, cipher, spec })
    }

    fn digest(id: u32, digest: &Value) -> Result<Digest> {
        kind(digest, "a digest", "pbkdf2")?;
        let (salt, value) = (bytes(digest, "salt")?, bytes(digest, "digest")?);
        if salt.len() < 8 || !(16..=64).contains(&value.len()) {
            return damaged("a digest, or its salt, of a wrong length");
        }
        let hash = known_or_named(Hash::parse(string(digest, "hash")?))?;
        let iterations = integer(digest, "iterations")?;
        if iterations == 0 {
            return damaged("a digest without iterations");
        }
        Ok(Digest { id, hash, iterations, salt, digest: value })
    }
}
