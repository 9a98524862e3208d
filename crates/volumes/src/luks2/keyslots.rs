//! Keyslots: the volume key under passwords, each slot with its own stripes.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Map, Value, json};
use zeroize::Zeroizing;

use super::copies::Next;
use super::{Area, Header, Lock, OBJECTS, Room, STRIPES, Slot, wipe};
use crate::cipher::{Cipher, Spec};
use crate::error::{Error, Result, damaged};
use crate::hash::Hash;
use crate::kdf::{Asked, Kdf, Limits};
use crate::store::Store;
use crate::{af, random};

/// The protection of a new keyslot.
#[derive(Clone, Copy, Debug)]
pub struct NewSlot {
    /// The cipher of the slot's area.
    pub spec: Spec,
    /// The splitter's hash.
    pub af: Hash,
    /// The key derivation function.
    pub kdf: Kdf,
}

impl NewSlot {
    /// Returns the parameters that every cryptsetup can open: AES and SHA-256, since cryptsetup knows no Kuznyechik for
    /// keyslots.
    pub fn common(kdf: Kdf) -> Self {
        NewSlot { spec: Spec::AES, af: Hash::Sha256, kdf }
    }
    /// Returns parameters with only Kuznyechik and Streebog: for this library, and a cryptsetup with a patch.
    pub fn gost(iterations: u32) -> Self {
        let kdf = Kdf::Pbkdf2 { hash: Hash::Streebog512, iterations };
        NewSlot { spec: Spec::KUZNYECHIK, af: Hash::Streebog512, kdf }
    }
}

/// The keyslots to try with a password.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    /// Every keyslot except the keyslots that are tried only by number.
    Any,
    /// Only this keyslot.
    Only(u32),
    /// Every keyslot but this.
    But(u32),
}

/// A new keyslot with its header, not yet written.
pub(super) struct Put {
    area: Area,
    stripes: Zeroizing<Vec<u8>>,
    next: Next,
}

impl Put {
    /// Writes the keyslot, then the header that names it.
    pub(super) fn write(self, store: &dyn Store) -> Result<Header> {
        store.write_at(&self.stripes, self.area.offset)?;
        store.sync()?;
        self.next.write(store)
    }
}

impl Header {
    /// Returns the volume key and the keyslot that the password opens; `only` names the keyslot.
    ///
    /// # Errors
    /// [`Error::Limit`] before any work; [`Error::WrongKey`]; [`Error::Untried`] if some keyslots were not tried that may be;
    /// [`Error::Unsupported`] if no keyslot could be tried, or for the data's cipher.
    pub fn unlock(
        &self,
        store: &dyn Store,
        password: &[u8],
        only: Option<u32>,
        limits: &Limits,
    ) -> Result<(Zeroizing<Vec<u8>>, u32)> {
        self.try_slots(store, password, only.map_or(Wanted::Any, Wanted::Only), limits)
    }

    /// Like [`Self::unlock`], with any keyslot but this: use it before it is destroyed.
    ///
    /// # Errors
    /// As [`Self::unlock`].
    pub fn unlock_without(
        &self,
        store: &dyn Store,
        password: &[u8],
        slot: u32,
        limits: &Limits,
    ) -> Result<(Zeroizing<Vec<u8>>, u32)> {
        self.try_slots(store, password, Wanted::But(slot), limits)
    }

    fn try_slots(
        &self,
        store: &dyn Store,
        password: &[u8],
        wanted: Wanted,
        limits: &Limits,
    ) -> Result<(Zeroizing<Vec<u8>>, u32)> {
        self.spec()?;
        let (_, digest) = self.digest().map_err(Error::Unsupported)?;
        let mut slots: Vec<&Slot> = self.meta.slots.iter().filter(|s| s.bound).collect();
        match wanted {
            Wanted::Any => {}
            Wanted::But(id) => slots.retain(|s| s.id != id),
            Wanted::Only(id) => {
                self.bound(id)?;
                slots.retain(|s| s.id == id);
            }
        }
        if slots.is_empty() {
            return damaged("no keyslot is left that has the data's key");
        }
        slots.sort_by_key(|s| std::cmp::Reverse(s.priority));
        let (mut tried, mut left) = (Vec::new(), Vec::new());
        for slot in &slots {
            match &slot.lock {
                Err(what) => left.push(format!("keyslot {}: {what}", slot.id)),
                Ok(_) if slot.priority == 0 && wanted == Wanted::Any => {
                    left.push(format!("keyslot {}: its priority requires its number", slot.id));
                }
                Ok(lock) => tried.push((slot, lock)),
            }
        }
        let (left, by_number) = (left.join("; "), slots.iter().any(|s| s.lock.is_ok()));
        match tried.is_empty() {
            true if by_number => {
                return Err(Error::Untried(format!("the password was not tried: {left}")));
            }
            true => return Err(Error::Unsupported(left)),
            false => {}
        }
        // A wrong password is tried on all of them, and each resulting key goes through the digest. Both are limited
        // separately, so that a volume always opens with a new password's cost.
        limits.all(tried.iter().map(|(_, lock)| lock.asked))?;
        limits.all(tried.iter().map(|_| Asked::Pbkdf2(digest)))?;
        for (slot, lock) in tried {
            if let Some(key) = self.try_slot(store, slot, lock, password)? {
                return Ok((key, slot.id));
            }
        }
        match left.is_empty() {
            true => Err(Error::WrongKey),
            false => Err(Error::Untried(format!("wrong password or key; not tried: {left}"))),
        }
    }

    fn try_slot(
        &self,
        store: &dyn Store,
        slot: &Slot,
        lock: &Lock,
        password: &[u8],
    ) -> Result<Option<Zeroizing<Vec<u8>>>> {
        let key = lock.kdf.key(password, &lock.salt, lock.key_len)?;
        let cipher = Cipher::new(lock.spec, &key)?;
        let key = af::merge(lock.af, slot.key_len, &cipher, store, slot.area.offset)?;
        Ok(self.is_key(&key)?.then_some(key))
    }

    /// Returns the keyslot of this number.
    fn slot(&self, id: u32) -> Result<&Slot> {
        let slot = self.meta.slots.iter().find(|s| s.id == id);
        slot.ok_or_else(|| Error::Invalid(format!("there is no keyslot {id}")))
    }

    /// Returns whether Kuznyechik and Streebog protect a keyslot, as with [`NewSlot::gost`].
    pub fn is_gost(&self, slot: u32) -> bool {
        let lock = self.slot(slot).ok().and_then(|slot| slot.lock.as_ref().ok());
        lock.is_some_and(|l| l.spec == Spec::KUZNYECHIK && l.af == Hash::Streebog512)
    }

    /// Adds a password for the volume key. Returns the keyslot's number.
    ///
    /// # Errors
    /// [`Error::WrongKey`] if this is not the volume key; [`Error::Full`] if there is no room; the store's.
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
        let slot = slot.ok_or_else(|| Error::Full(format!("all {OBJECTS} keyslots are used")))?;
        self.replace(store, key, password, new, (slot, None))?;
        Ok(slot)
    }

    /// Replaces a keyslot's password. Unknown fields of the keyslot are kept.
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
        let old = self.bound(slot)?;
        self.replace(store, key, password, new, (slot, None))?;
        // Both copies name the new area, so the old area is unused.
        wipe(store, old, &mut |_| ())
    }

    /// Like [`Self::change`], but overwrites the keyslot where it is. If this is interrupted, neither password may open
    /// the keyslot, and only a backup of the header brings it back: make one first.
    ///
    /// # Errors
    /// As [`Self::change`].
    pub fn change_in_place(
        &mut self,
        store: &dyn Store,
        key: &[u8],
        password: &[u8],
        new: &NewSlot,
        slot: u32,
    ) -> Result<()> {
        let place = self.bound(slot)?;
        self.replace(store, key, password, new, (slot, Some(place)))
    }

    /// Writes a keyslot as [`Self::put`] computes it.
    fn replace(
        &mut self,
        store: &dyn Store,
        key: &[u8],
        password: &[u8],
        new: &NewSlot,
        slot: (u32, Option<Area>),
    ) -> Result<()> {
        let put = self.put(Room::of(store)?, key, password, new, slot)?;
        self.settle(store)?;
        *self = put.write(store)?;
        Ok(())
    }

    /// Returns the area of a keyslot that has the data's key.
    fn bound(&self, slot: u32) -> Result<Area> {
        let old = Some(self.slot(slot)?).filter(|old| old.bound);
        let wrong = || Error::Invalid(format!("keyslot {slot} holds another key than the data's"));
        old.map(|old| old.area).ok_or_else(wrong)
    }

    /// Computes a keyslot of this number, in this area or in free room, and the header that names it.
    pub(super) fn put(
        &self,
        room: Room,
        key: &[u8],
        password: &[u8],
        new: &NewSlot,
        (slot, place): (u32, Option<Area>),
    ) -> Result<Put> {
        new.kdf.check()?;
        if !self.is_key(key)? {
            return Err(Error::WrongKey);
        }
        let used = key.len() * STRIPES;
        let area = place.map_or_else(|| self.room(used as u64, &[]), Ok)?;
        let mut salt = [0; 32];
        random(&mut salt)?;
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
        let (mut text, name) = (self.text.clone(), slot.to_string());
        let fields = json!({
            "type": "luks2",
            "key_size": key.len(),
            "af": {"type": "luks1", "stripes": STRIPES, "hash": new.af.name()},
            "area": {
                "type": "raw", "offset": area.offset.to_string(), "size": area.len.to_string(),
                "encryption": new.spec.name(), "key_size": 64,
            },
            "kdf": kdf,
        });
        let there = &mut text["keyslots"][&name];
        match (there.as_object_mut(), fields) {
            (Some(there), Value::Object(fields)) => there.extend(fields),
            (_, fields) => *there = fields,
        }
        let named = &mut text["digests"][self.meta.digest.id.to_string()]["keyslots"];
        if let Some(named) = named.as_array_mut()
            && !named.contains(&json!(name))
        {
            named.push(json!(name));
        }
        let next = self.next(text, room)?;
        let slot_key = new.kdf.key(password, &salt, 64)?;
        let mut stripes = Zeroizing::new(vec![0; used.next_multiple_of(512)]);
        af::split(new.af, key, &mut stripes[..used])?;
        let cipher = Cipher::new(new.spec, &slot_key)?;
        cipher.run(bulat::Direction::Encrypt, (0, 1), 512, &mut stripes)?;
        Ok(Put { area, stripes, next })
    }

    /// Finds the first free room of `len` bytes, outside the keyslots and `others`.
    pub(super) fn room(&self, len: u64, others: &[Area]) -> Result<Area> {
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
            return Err(Error::Full(format!(
                "no room for one more keyslot: there are no {len} free bytes"
            )));
        }
        Ok(area)
    }

    /// Checks that a keyslot exists, and that another keyslot can open the data, unless `last`.
    ///
    /// # Errors
    /// [`Error::Invalid`] if it does not exist; [`Error::Force`] if no other has the data's key.
    pub fn may_remove(&self, slot: u32, last: bool) -> Result<()> {
        let old = self.slot(slot)?;
        let others = self.meta.slots.iter().any(|s| s.bound && s.id != slot && s.lock.is_ok());
        if old.bound && !others && !last {
            return Err(Error::Force(format!(
                "keyslot {slot} is the last that opens the volume: without it the data is lost"
            )));
        }
        Ok(())
    }

    /// Destroys a keyslot: first its stripes, so that its password is useless even if a cut prevents the rest.
    ///
    /// # Errors
    /// As [`Self::may_remove`]; the store's.
    pub fn remove(&mut self, store: &dyn Store, slot: u32, last: bool) -> Result<()> {
        self.may_remove(slot, last)?;
        let area = self.slot(slot)?.area;
        let mut text = self.text.clone();
        if let Some(slots) = text["keyslots"].as_object_mut() {
            slots.remove(&slot.to_string());
        }
        for kind in ["digests", "tokens"] {
            for object in text[kind].as_object_mut().into_iter().flat_map(Map::values_mut) {
                if let Some(named) = object.get_mut("keyslots").and_then(Value::as_array_mut) {
                    named.retain(|v| *v != json!(slot.to_string()));
                }
            }
        }
        let next = self.next(text, Room::of(store)?)?;
        self.settle(store)?;
        wipe(store, area, &mut |_| ())?;
        *self = next.write(store)?;
        Ok(())
    }
}
