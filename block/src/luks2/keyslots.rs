//! Keyslots: the volume key under passwords, each in stripes of its own.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Map, json};
use zeroize::Zeroizing;

use super::{Area, Header, Lock, OBJECTS, STRIPES, Slot, wipe};
use crate::cipher::{Cipher, Spec};
use crate::error::{Error, Result};
use crate::hash::Hash;
use crate::kdf::{Kdf, Limits};
use crate::store::Store;
use crate::{af, random};

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

impl Header {
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
        self.settle(store)?;
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
        self.settle(store)?;
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
}
