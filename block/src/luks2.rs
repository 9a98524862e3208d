//! LUKS2 (the LUKS2 On-Disk Format Specification, 1.1.1): a header in two copies, each with a checksum and a number that
//! grows; keyslots; the data. Every change is written to the second copy first, then to the first, so that one of them is
//! whole at any time. What this library does not know of a header's text (tokens, flags) stays as it is.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Map, Value, json};
use zeroize::Zeroizing;

use crate::cipher::{Cipher, Spec};
use crate::error::{Error, Result, damaged, named};
use crate::hash::Hash;
use crate::kdf::{Kdf, Limits};
use crate::luks1::text;
use crate::store::Store;
use crate::volume::{Layout, Volume};
use crate::{af, random};

/// What the first copy begins with; LUKS1, too.
pub const MAGIC: [u8; 6] = *b"LUKS\xba\xbe";
/// What the second copy begins with.
pub const SECOND: [u8; 6] = *b"SKUL\xba\xbe";
/// Bytes before the text.
const BINARY: usize = 4096;
/// Bytes of a copy, and so where the second may begin.
pub const SIZES: [u64; 9] =
    [0x4000, 0x8000, 0x1_0000, 0x2_0000, 0x4_0000, 0x8_0000, 0x10_0000, 0x20_0000, 0x40_0000];
/// The most objects of each kind.
const OBJECTS: usize = 32;
/// Stripes of a keyslot.
const STRIPES: usize = 4000;
/// The most bytes for keyslots.
const KEYSLOTS: u64 = 128 << 20;
/// Iterations of a new header's digest: the volume key is random, and nobody guesses it.
const DIGEST: u32 = 1000;

/// A place in the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    /// The first byte.
    pub offset: u64,
    /// Bytes.
    pub len: u64,
}

impl Area {
    fn end(self) -> u64 {
        self.offset + self.len
    }
    fn crosses(self, other: Area) -> bool {
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
    salt: Vec<u8>,
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
struct Digest {
    id: u32,
    slots: Vec<u32>,
    hash: Hash,
    iterations: u64,
    salt: Vec<u8>,
    digest: Vec<u8>,
}

/// What the text says, checked.
#[derive(Clone, Debug)]
struct Meta {
    slots: Vec<Slot>,
    segment: Segment,
    digest: Digest,
    keyslots: Area,
    /// Of the passwords' functions, what they ask for: iterations, or passes, KiB and lanes.
    asked: Vec<(u64, Option<(u64, u64)>)>,
}

/// A header.
#[derive(Clone, Debug)]
pub struct Header {
    /// Bytes of a copy.
    pub size: u64,
    /// Grows with every change.
    pub sequence: u64,
    label: [u8; 48],
    uuid: [u8; 40],
    subsystem: [u8; 48],
    checksum: Hash,
    text: Value,
    meta: Meta,
}

/// What became of a copy of the header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Copy {
    /// It is the one that counts, or says the same.
    Good,
    /// It is whole and older than the other.
    Older,
    /// It is not whole, as these words say.
    Damaged(String),
}

/// A header as it was found.
#[derive(Clone, Debug)]
pub struct Found {
    /// The newest whole copy.
    pub header: Header,
    /// The first copy.
    pub first: Copy,
    /// The second.
    pub second: Copy,
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
    fn of(text: &Value, size: u64, store: u64) -> Result<Self> {
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

/// What a new volume is to be.
#[derive(Clone, Debug)]
pub struct Create {
    /// The cipher of the data.
    pub spec: Spec,
    /// Bytes of a sector.
    pub sector: usize,
    /// Bytes of a copy of the header.
    pub size: u64,
    /// Bytes for keyslots; the data begins after them.
    pub keyslots: u64,
    /// How keyslots are locked.
    pub slot: NewSlot,
    /// The hash of the digest.
    pub hash: Hash,
    /// The volume's label.
    pub label: String,
}

/// How a new keyslot is locked.
#[derive(Clone, Copy, Debug)]
pub struct NewSlot {
    /// The cipher of its area.
    pub spec: Spec,
    /// The splitter's hash.
    pub af: Hash,
    /// What makes the password a key.
    pub kdf: Kdf,
}

impl NewSlot {
    /// What every cryptsetup opens: AES and SHA-256, for cryptsetup knows no Kuznyechik for keyslots.
    pub fn common(kdf: Kdf) -> Self {
        NewSlot { spec: Spec::AES, af: Hash::Sha256, kdf }
    }
    /// Kuznyechik and Streebog alone: this library opens it, and a cryptsetup with a patch.
    pub fn gost(iterations: u32) -> Self {
        let kdf = Kdf::Pbkdf2 { hash: Hash::Streebog512, iterations };
        NewSlot { spec: Spec::KUZNYECHIK, af: Hash::Streebog512, kdf }
    }
}

impl Create {
    /// Kuznyechik in sectors of 4096 bytes after 16 MiB, as cryptsetup begins.
    pub fn new(slot: NewSlot) -> Self {
        let (size, hash) = (SIZES[0], slot.af);
        let (keyslots, label) = ((16 << 20) - 2 * size, String::new());
        Create { spec: Spec::KUZNYECHIK, sector: 4096, size, keyslots, slot, hash, label }
    }

    /// Makes a volume under a new key of its own and gives that key. The data is left as it is.
    ///
    /// # Errors
    /// [`Error::Invalid`]; the store's.
    pub fn make(
        &self,
        store: &dyn Store,
        password: &[u8],
        progress: &mut dyn FnMut(u64),
    ) -> Result<(Header, Zeroizing<Vec<u8>>)> {
        let wrong = |what: &str| Err(Error::Invalid(what.into()));
        if !SIZES.contains(&self.size) || self.keyslots > KEYSLOTS {
            return wrong(
                "a header's size is a power of two from 16 KiB to 4 MiB; keyslots up to 128 MiB",
            );
        }
        if !self.keyslots.is_multiple_of(4096) || self.label.len() >= 48 {
            return wrong("keyslots take a multiple of 4096 bytes; a label has less than 48");
        }
        let offset = 2 * self.size + self.keyslots;
        if store.size()? < offset + self.sector as u64 {
            return wrong("too small: there is no room for data after the header");
        }
        let mut key = Zeroizing::new(vec![0; 64]);
        random(&mut key)?;
        let (mut salt, mut value) = ([0; 32], vec![0; self.hash.size()]);
        random(&mut salt)?;
        self.hash.pbkdf2(&key, &salt, DIGEST, &mut value)?;
        let text = json!({
            "keyslots": {},
            "tokens": {},
            "segments": {"0": {
                "type": "crypt", "offset": offset.to_string(), "size": "dynamic", "iv_tweak": "0",
                "encryption": self.spec.name(), "sector_size": self.sector,
            }},
            "digests": {"0": {
                "type": "pbkdf2", "keyslots": [], "segments": ["0"], "hash": self.hash.name(),
                "iterations": DIGEST, "salt": BASE64.encode(salt), "digest": BASE64.encode(&value),
            }},
            "config": {
                "json_size": (self.size - BINARY as u64).to_string(),
                "keyslots_size": self.keyslots.to_string(),
            },
        });
        let (mut uuid, mut label) = ([0; 40], [0; 48]);
        uuid[..36].copy_from_slice(new_uuid()?.as_bytes());
        label[..self.label.len()].copy_from_slice(self.label.as_bytes());
        let mut header = Header {
            size: self.size,
            sequence: 1,
            label,
            uuid,
            subsystem: [0; 48],
            checksum: Hash::Sha256,
            meta: Meta::of(&text, self.size, store.size()?)?,
            text,
        };
        // What stood there before goes: old copies, old keyslots.
        let all = Area { offset: 0, len: offset };
        wipe(store, all, progress)?;
        header.add(store, &key, password, &self.slot, None)?;
        Ok((header, key))
    }
}

fn new_uuid() -> Result<String> {
    let mut b = [0u8; 16];
    random(&mut b)?;
    b[6] = b[6] & 0x0f | 0x40;
    b[8] = b[8] & 0x3f | 0x80;
    let hex: String = b.iter().map(|b| format!("{b:02x}")).collect();
    let (a, rest) = hex.split_at(8);
    Ok(format!("{a}-{}-{}-{}-{}", &rest[..4], &rest[4..8], &rest[8..12], &rest[12..]))
}

/// Puts random bytes there.
fn wipe(store: &dyn Store, area: Area, progress: &mut dyn FnMut(u64)) -> Result<()> {
    let mut bytes = vec![0; area.len.min(1 << 20) as usize];
    let mut done = 0;
    while done < area.len {
        let n = (area.len - done).min(bytes.len() as u64) as usize;
        random(&mut bytes[..n])?;
        store.write_at(&bytes[..n], area.offset + done)?;
        done += n as u64;
        progress(done);
    }
    Ok(store.sync()?)
}

/// Reads the copy of the header that begins at `at`.
fn copy(store: &dyn Store, at: u64) -> Result<Header> {
    let size = store.size()?;
    let mut binary = vec![0; BINARY];
    if size < at + BINARY as u64 {
        return Err(Error::Foreign);
    }
    store.read_at(&mut binary, at).map_err(|e| match e.kind() {
        std::io::ErrorKind::UnexpectedEof => Error::Foreign,
        _ => e.into(),
    })?;
    if binary[..6] != if at == 0 { MAGIC } else { SECOND } {
        return Err(Error::Foreign);
    }
    let word = |at: usize| u64::from_be_bytes(std::array::from_fn(|i| binary[at + i]));
    match u16::from_be_bytes([binary[6], binary[7]]) {
        2 => {}
        n => return Err(Error::Unsupported(format!("LUKS version {n}"))),
    }
    let len = word(8);
    if !SIZES.contains(&len) || word(256) != at || (at != 0 && at != len) || at + len > size {
        return damaged("its size or its place");
    }
    let checksum = Hash::parse(text(&binary[72..104])?)?;
    let mut whole = binary.clone();
    whole.resize(len as usize, 0);
    store.read_at(&mut whole[BINARY..], at + BINARY as u64)?;
    whole[448..512].fill(0);
    let sum = checksum.digest(&[&whole]);
    if sum[..] != binary[448..][..sum.len()] {
        return damaged("wrong checksum");
    }
    let end = whole[BINARY..].iter().position(|b| *b == 0).unwrap_or(whole.len() - BINARY);
    let text = serde_json::from_slice(&whole[BINARY..BINARY + end])
        .map_err(|e| Error::Damaged(format!("its text: {e}")))?;
    let array = |at: usize| std::array::from_fn::<u8, 48, _>(|i| binary[at + i]);
    Ok(Header {
        size: len,
        sequence: word(16),
        label: array(24),
        uuid: std::array::from_fn(|i| binary[168 + i]),
        subsystem: array(208),
        checksum,
        meta: Meta::of(&text, len, size)?,
        text,
    })
}

/// Reads the header of a store: the newer of its whole copies.
///
/// # Errors
/// [`Error::Foreign`] where there is none; [`Error::Damaged`], [`Error::Unsupported`]; the store's.
pub fn read(store: &dyn Store) -> Result<Found> {
    let first = copy(store, 0);
    let second = match &first {
        Ok(header) => copy(store, header.size),
        Err(_) => {
            // Where the first does not say it, the second is looked for.
            let tried = SIZES.iter().map(|at| copy(store, *at));
            let mut tried = tried.filter(|c| !matches!(c, Err(Error::Foreign)));
            tried.next().unwrap_or(Err(Error::Foreign))
        }
    };
    let words = |e: Error| match e {
        Error::Foreign => Copy::Damaged("it is not there".into()),
        e => Copy::Damaged(e.to_string()),
    };
    let (header, first, second) = match (first, second) {
        (Ok(a), Ok(b)) if a.sequence > b.sequence => (a, Copy::Good, Copy::Older),
        (Ok(a), Ok(b)) if a.sequence < b.sequence => (b, Copy::Older, Copy::Good),
        (Ok(a), Ok(_)) => (a, Copy::Good, Copy::Good),
        (Ok(a), Err(e)) => (a, Copy::Good, words(e)),
        (Err(e), Ok(b)) => (b, words(e), Copy::Good),
        // What the system says of the store says more than that nothing was found.
        (Err(Error::Foreign), Err(e)) | (Err(e), Err(_)) => return Err(e),
    };
    Ok(Found { header, first, second })
}

impl Header {
    /// The volume's name, of 36 digits and dashes.
    pub fn uuid(&self) -> String {
        printed(&self.uuid)
    }
    /// The label.
    pub fn label(&self) -> String {
        printed(&self.label)
    }
    /// The text, as JSON.
    pub fn text(&self) -> &Value {
        &self.text
    }
    /// The keyslots.
    pub fn slots(&self) -> &[Slot] {
        &self.meta.slots
    }
    /// The data.
    pub fn segment(&self) -> &Segment {
        &self.meta.segment
    }
    /// Bytes before the data: both copies and the keyslots.
    pub fn area(&self) -> u64 {
        self.meta.keyslots.end()
    }
    /// The hash and the iterations of the digest.
    pub fn digest(&self) -> (Hash, u64) {
        (self.meta.digest.hash, self.meta.digest.iterations)
    }

    /// # Errors
    /// [`Error::Limit`] where anything of it asks for more.
    fn within(&self, limits: &Limits) -> Result<()> {
        for (n, argon2) in &self.meta.asked {
            match argon2 {
                None => limits.iterations(*n).map(|_| ())?,
                Some((memory, lanes)) => limits.argon2(*n, *memory, *lanes)?,
            }
        }
        Ok(())
    }

    /// The volume key, and the keyslot that the password opens; `only` names one.
    ///
    /// # Errors
    /// [`Error::Limit`] before any work; [`Error::WrongKey`]; [`Error::Unsupported`] when no keyslot could be tried.
    pub fn unlock(
        &self,
        store: &dyn Store,
        password: &[u8],
        only: Option<u32>,
        limits: &Limits,
    ) -> Result<(Zeroizing<Vec<u8>>, u32)> {
        self.within(limits)?;
        let mut slots: Vec<&Slot> = self.meta.slots.iter().collect();
        slots.retain(|s| match only {
            Some(id) => s.id == id,
            None => s.priority > 0,
        });
        slots.sort_by_key(|s| std::cmp::Reverse(s.priority));
        if let (Some(id), true) = (only, slots.is_empty()) {
            return Err(Error::Invalid(format!("there is no keyslot {id}")));
        }
        let mut result = Error::WrongKey;
        for slot in slots.iter().filter(|s| self.meta.digest.slots.contains(&s.id)) {
            match &slot.lock {
                Err(what) => result = Error::Unsupported(format!("keyslot {}: {what}", slot.id)),
                Ok(lock) => {
                    if let Some(key) = self.try_slot(store, slot, lock, password)? {
                        return Ok((key, slot.id));
                    }
                    result = Error::WrongKey;
                }
            }
        }
        Err(result)
    }

    fn try_slot(
        &self,
        store: &dyn Store,
        slot: &Slot,
        lock: &Lock,
        password: &[u8],
    ) -> Result<Option<Zeroizing<Vec<u8>>>> {
        let key = lock.kdf.key(password, &lock.salt, lock.key_len)?;
        let used = slot.key_len * STRIPES;
        let mut stripes = Zeroizing::new(vec![0; used.next_multiple_of(512)]);
        store.read_at(&mut stripes, slot.area.offset)?;
        let cipher = Cipher::new(lock.spec, &key)?;
        cipher.run(bulat::Direction::Decrypt, (0, 1), 512, &mut stripes)?;
        let key = af::merge(lock.af, slot.key_len, &stripes[..used]);
        Ok(self.is_key(&key)?.then_some(key))
    }

    /// Whether this is the volume key.
    ///
    /// # Errors
    /// [`Error::Limit`] for more iterations than 2^32.
    pub fn is_key(&self, key: &[u8]) -> Result<bool> {
        let digest = &self.meta.digest;
        let mut computed = Zeroizing::new(vec![0; digest.digest.len()]);
        let iterations = Limits { iterations: u32::MAX, ..Default::default() };
        let iterations = iterations.iterations(digest.iterations)?;
        digest.hash.pbkdf2(key, &digest.salt, iterations, &mut computed)?;
        Ok(bulat::verify(&computed, &digest.digest).is_ok())
    }

    /// Where the data lies in a store.
    ///
    /// # Errors
    /// The store's.
    pub fn layout(&self, store: &dyn Store) -> Result<Layout> {
        let segment = &self.meta.segment;
        let room = store.size()?.saturating_sub(segment.offset);
        let len = segment.len.unwrap_or(room / segment.sector as u64 * segment.sector as u64);
        // Whatever a sector's size is, its number counts 512 bytes.
        let step = (segment.sector / 512) as u64;
        Ok(Layout {
            offset: segment.offset,
            len,
            sector: segment.sector,
            first: segment.first,
            step,
        })
    }

    /// The open volume under its volume key.
    ///
    /// # Errors
    /// As [`Volume::new`].
    pub fn open(&self, store: Arc<dyn Store>, key: &[u8], writable: bool) -> Result<Volume> {
        Volume::new(store.clone(), self.layout(&*store)?, self.meta.segment.spec, key, writable)
    }

    /// Puts the volume key under one more password; the number of the keyslot.
    ///
    /// # Errors
    /// [`Error::WrongKey`] when it is not the volume key; [`Error::Invalid`] when there is no room; the store's.
    pub fn add(
        &mut self,
        store: &dyn Store,
        key: &[u8],
        password: &[u8],
        new: &NewSlot,
        wanted: Option<u32>,
    ) -> Result<u32> {
        let taken = |id: u32| self.meta.slots.iter().any(|s| s.id == id);
        let slot = match wanted {
            Some(id) if id as usize >= OBJECTS => {
                return Err(Error::Invalid(format!("keyslots have numbers below {OBJECTS}")));
            }
            Some(id) if taken(id) => {
                return Err(Error::Invalid(format!("keyslot {id} is used")));
            }
            Some(id) => Some(id),
            None => (0..OBJECTS as u32).find(|id| !taken(*id)),
        };
        let slot =
            slot.ok_or_else(|| Error::Invalid(format!("all {OBJECTS} keyslots are used")))?;
        self.put(store, key, password, new, slot)?;
        Ok(slot)
    }

    /// Puts the volume key under a new password in place of a keyslot's.
    ///
    /// # Errors
    /// As [`Self::add`].
    pub fn change(
        &mut self,
        store: &dyn Store,
        key: &[u8],
        password: &[u8],
        new: &NewSlot,
        slot: u32,
    ) -> Result<()> {
        let old = self.meta.slots.iter().find(|s| s.id == slot).map(|s| s.area);
        let old = old.ok_or_else(|| Error::Invalid(format!("there is no keyslot {slot}")))?;
        self.put(store, key, password, new, slot)?;
        // Both copies name the new area: the old one is nobody's.
        wipe(store, old, &mut |_| ())
    }

    /// Writes a keyslot to room that no keyslot has, then the header that names it.
    fn put(
        &mut self,
        store: &dyn Store,
        key: &[u8],
        password: &[u8],
        new: &NewSlot,
        slot: u32,
    ) -> Result<()> {
        new.kdf.check()?;
        if !self.is_key(key)? {
            return Err(Error::WrongKey);
        }
        let used = key.len() * STRIPES;
        let area = self.room(used as u64, &[])?;
        let mut salt = [0; 32];
        random(&mut salt)?;
        let slot_key = new.kdf.key(password, &salt, 64)?;
        let mut stripes = Zeroizing::new(vec![0; used.next_multiple_of(512)]);
        af::split(new.af, key, &mut stripes[..used])?;
        let cipher = Cipher::new(new.spec, &slot_key)?;
        cipher.run(bulat::Direction::Encrypt, (0, 1), 512, &mut stripes)?;
        store.write_at(&stripes, area.offset)?;
        store.sync()?;
        let kdf = match new.kdf {
            Kdf::Pbkdf2 { hash, iterations } => json!({
                "type": "pbkdf2", "hash": hash.name(), "iterations": iterations,
                "salt": BASE64.encode(salt),
            }),
            Kdf::Argon2 { id, time, memory, lanes } => json!({
                "type": if id { "argon2id" } else { "argon2i" }, "time": time, "memory": memory,
                "cpus": lanes, "salt": BASE64.encode(salt),
            }),
        };
        let mut text = self.text.clone();
        text["keyslots"][slot.to_string()] = json!({
            "type": "luks2",
            "key_size": key.len(),
            "af": {"type": "luks1", "stripes": STRIPES, "hash": new.af.name()},
            "area": {
                "type": "raw", "offset": area.offset.to_string(), "size": area.len.to_string(),
                "encryption": new.spec.name(), "key_size": 64,
            },
            "kdf": kdf,
        });
        let named = &mut text["digests"][self.meta.digest.id.to_string()]["keyslots"];
        if let Some(named) = named.as_array_mut()
            && !named.contains(&json!(slot.to_string()))
        {
            named.push(json!(slot.to_string()));
        }
        self.write(store, text)
    }

    /// The first room for so many bytes beside the keyslots and `others`.
    fn room(&self, len: u64, others: &[Area]) -> Result<Area> {
        let all = self.meta.keyslots;
        let mut taken: Vec<Area> = self.meta.slots.iter().map(|s| s.area).collect();
        taken.extend(others);
        taken.sort_by_key(|a| a.offset);
        let mut area = Area { offset: all.offset, len: len.next_multiple_of(4096) };
        for other in taken {
            if area.crosses(other) {
                area.offset = other.end().next_multiple_of(4096);
            }
        }
        if area.end() > all.end() {
            return Err(Error::Invalid("no room for one more keyslot".into()));
        }
        Ok(area)
    }

    /// Destroys a keyslot: its stripes first, so that the password opens nothing more even if the rest is cut off.
    ///
    /// # Errors
    /// [`Error::Invalid`] when there is none of this number, or no other and not `last`; the store's.
    pub fn remove(&mut self, store: &dyn Store, slot: u32, last: bool) -> Result<()> {
        let area = self.meta.slots.iter().find(|s| s.id == slot).map(|s| s.area);
        let area = area.ok_or_else(|| Error::Invalid(format!("there is no keyslot {slot}")))?;
        let others = self.meta.slots.iter().any(|s| s.id != slot && s.lock.is_ok());
        if !others && !last {
            return Err(Error::Invalid(format!(
                "keyslot {slot} is the last: without it nothing opens the volume any more"
            )));
        }
        wipe(store, area, &mut |_| ())?;
        let mut text = self.text.clone();
        if let Some(slots) = text["keyslots"].as_object_mut() {
            slots.remove(&slot.to_string());
        }
        for kind in ["digests", "tokens"] {
            for object in text[kind].as_object_mut().into_iter().flat_map(Map::values_mut) {
                if let Some(named) = object["keyslots"].as_array_mut() {
                    named.retain(|v| *v != json!(slot.to_string()));
                }
            }
        }
        self.write(store, text)
    }

    /// Writes both copies anew, as they stand.
    ///
    /// # Errors
    /// The store's.
    pub fn rewrite(&mut self, store: &dyn Store) -> Result<()> {
        self.write(store, self.text.clone())
    }

    /// Makes this text the header's: the second copy first, then the first.
    fn write(&mut self, store: &dyn Store, text: Value) -> Result<()> {
        let meta = Meta::of(&text, self.size, store.size()?)?;
        let sequence = self.sequence.checked_add(1);
        let sequence =
            sequence.ok_or_else(|| Error::Damaged("the sequence is at its end".into()))?;
        let new = Header { sequence, text, meta, ..self.clone() };
        for at in [self.size, 0] {
            store.write_at(&new.bytes(at)?, at)?;
            store.sync()?;
        }
        *self = new;
        Ok(())
    }

    /// The copy that stands at `at`.
    fn bytes(&self, at: u64) -> Result<Vec<u8>> {
        let text = self.text.to_string();
        let mut out = vec![0; self.size as usize];
        // A zero ends it.
        if text.len() >= out.len() - BINARY {
            return Err(Error::Invalid("the header is full".into()));
        }
        out[..6].copy_from_slice(if at == 0 { &MAGIC } else { &SECOND });
        out[6..8].copy_from_slice(&2u16.to_be_bytes());
        out[8..16].copy_from_slice(&self.size.to_be_bytes());
        out[16..24].copy_from_slice(&self.sequence.to_be_bytes());
        out[24..72].copy_from_slice(&self.label);
        let name = self.checksum.name().as_bytes();
        out[72..72 + name.len()].copy_from_slice(name);
        random(&mut out[104..168])?;
        out[168..208].copy_from_slice(&self.uuid);
        out[208..256].copy_from_slice(&self.subsystem);
        out[256..264].copy_from_slice(&at.to_be_bytes());
        out[BINARY..BINARY + text.len()].copy_from_slice(text.as_bytes());
        let sum = self.checksum.digest(&[&out]);
        out[448..448 + sum.len()].copy_from_slice(&sum);
        Ok(out)
    }

    /// The header and the keyslots as they stand in the store: what [`restore`] takes.
    ///
    /// # Errors
    /// The store's.
    pub fn backup(&self, store: &dyn Store) -> Result<Vec<u8>> {
        let mut out = vec![0; self.area() as usize];
        store.read_at(&mut out, 0)?;
        // Where one copy is damaged, the backup has the other twice.
        for at in [0, self.size] {
            out[at as usize..(at + self.size) as usize].copy_from_slice(&self.bytes(at)?);
        }
        Ok(out)
    }
}

fn printed(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|b| *b == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(&bytes[..end]).chars().filter(|c| !c.is_control()).collect()
}

/// A store that ends before its data does: a backup.
struct Beginning<'a>(&'a dyn Store);

impl Store for Beginning<'_> {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> std::io::Result<()> {
        self.0.read_at(buffer, offset)
    }
    fn write_at(&self, _: &[u8], _: u64) -> std::io::Result<()> {
        Err(std::io::ErrorKind::Unsupported.into())
    }
    fn sync(&self) -> std::io::Result<()> {
        Ok(())
    }
    fn size(&self) -> std::io::Result<u64> {
        Ok(u64::MAX)
    }
}

/// Puts a backup's header and keyslots into a store. While the store has a header, keyslots that differ go to room that
/// none has, so that until the last moment the old header opens what it did.
///
/// # Errors
/// [`Error::Invalid`] when the backup is of another volume or of another layout, unless `force`; [`Error::Damaged`]
/// for a backup that is none; the store's.
pub fn restore(store: &dyn Store, backup: &dyn Store, force: bool) -> Result<Header> {
    let mut new = read(&Beginning(backup)).map(|found| found.header).map_err(|e| match e {
        Error::Foreign => Error::Invalid("this is no backup of a LUKS2 header".into()),
        e => e,
    })?;
    let old = match read(store) {
        Ok(found) => Some(found.header),
        Err(Error::Io(e)) => return Err(e.into()),
        Err(_) => None,
    };
    if let Some(old) = &old {
        if old.uuid != new.uuid && !force {
            return Err(Error::Invalid("the backup is of another volume".into()));
        }
        if (old.size, old.area(), old.segment().offset)
            != (new.size, new.area(), new.segment().offset)
            && !force
        {
            return Err(Error::Invalid("the backup's data begins elsewhere".into()));
        }
        new.sequence = new.sequence.max(old.sequence);
    }
    let old = old.filter(|old| (old.size, old.area()) == (new.size, new.area()));
    let (mut text, mut placed) = (new.text.clone(), Vec::new());
    for slot in &new.meta.slots {
        let read = |from: &dyn Store| -> Result<Vec<u8>> {
            let mut bytes = vec![0; slot.area.len as usize];
            from.read_at(&mut bytes, slot.area.offset)?;
            Ok(bytes)
        };
        let bytes = read(backup)?;
        let mut area = slot.area;
        if let Some(old) = &old
            && read(store)? != bytes
        {
            let taken = old.meta.slots.iter().any(|s| s.area.crosses(area));
            if taken {
                let mut others: Vec<Area> = new.meta.slots.iter().map(|s| s.area).collect();
                others.extend(&placed);
                area = old.room(area.len, &others)?;
                placed.push(area);
            }
        }
        text["keyslots"][slot.id.to_string()]["area"]["offset"] = json!(area.offset.to_string());
        text["keyslots"][slot.id.to_string()]["area"]["size"] = json!(area.len.to_string());
        store.write_at(&bytes, area.offset)?;
    }
    store.sync()?;
    new.write(store, text)?;
    // Keyslots that only the old header had are gone with it.
    for slot in old.iter().flat_map(|old| &old.meta.slots) {
        if !new.meta.slots.iter().any(|s| s.area.crosses(slot.area)) {
            wipe(store, slot.area, &mut |_| ())?;
        }
    }
    Ok(new)
}
