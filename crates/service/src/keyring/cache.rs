//! The keys that this process has read, within a number of bytes. The least recently used ones make room.
//!
//! A slot has a turn, which each change of its key advances. A key is valid in the turn in which its reading began: a change
//! during the reading advances the turn, and the next request reads again.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{
    AtomicU64, AtomicUsize, Ordering::Acquire, Ordering::Relaxed, Ordering::Release,
};
use std::sync::{Arc, Mutex, RwLock};

use super::key::Entry;
use crate::locks::{self, lock};

/// Parts of the cache, each with its own lock.
const SHARDS: usize = 16;
/// Bytes of a key without its versions, and of a version that is not open.
const KEY: usize = 600;
const VERSION: usize = 280;
/// Bytes of an open version: its key schedules, measured as resident memory.
pub(super) const OPEN: usize = 3600;

/// One key, or the room for it.
pub(super) struct Slot {
    turn: AtomicU64,
    used: AtomicU64,
    bytes: AtomicUsize,
    held: Mutex<Option<(u64, Arc<Entry>)>>,
}

impl Slot {
    pub(super) fn turn(&self) -> u64 {
        self.turn.load(Acquire)
    }

    /// Returns the key, if it is valid in a turn.
    pub(super) fn get(&self, turn: u64, now: u64) -> Option<Arc<Entry>> {
        self.used.store(now, Relaxed);
        let held = lock(&self.held);
        held.as_ref().filter(|(of, _)| *of == turn).map(|(_, entry)| entry.clone())
    }

    /// Returns the key as it was last read.
    pub(super) fn last(&self) -> Option<Arc<Entry>> {
        let held = lock(&self.held);
        held.as_ref().map(|(_, entry)| entry.clone())
    }

    /// Keeps a key that was read from a turn on, unless a newer one is there, or the same by another reader. Returns the one
    /// that is kept.
    fn put(&self, turn: u64, entry: Arc<Entry>) -> Arc<Entry> {
        let mut held = lock(&self.held);
        match &*held {
            Some((of, there))
                if *of > turn
                    || there.record.generation > entry.record.generation
                    || (*of == turn && there.record.generation == entry.record.generation) =>
            {
                there.clone()
            }
            _ => {
                *held = Some((turn, entry.clone()));
                entry
            }
        }
    }
}

#[derive(Default)]
struct Shard {
    slots: RwLock<HashMap<String, Arc<Slot>>>,
    bytes: AtomicUsize,
}

/// Removes an empty slot on drop: its reader found no key, got an error, or was given up with its request.
pub(super) struct Empty<'a> {
    cache: &'a Cache,
    name: &'a str,
    slot: &'a Arc<Slot>,
}

impl Drop for Empty<'_> {
    fn drop(&mut self) {
        let mut slots = locks::write(&self.cache.shard(self.name).slots);
        if self.slot.last().is_none()
            && slots.get(self.name).is_some_and(|there| Arc::ptr_eq(there, self.slot))
        {
            slots.remove(self.name);
        }
    }
}

/// All keys in memory.
pub(super) struct Cache {
    shards: [Shard; SHARDS],
    hasher: RandomState,
    most: usize,
}

impl Cache {
    pub(super) fn new(most: usize) -> Cache {
        Cache { shards: Default::default(), hasher: RandomState::new(), most: most / SHARDS }
    }

    fn shard(&self, name: &str) -> &Shard {
        &self.shards[self.hasher.hash_one(name) as usize % SHARDS]
    }

    /// Returns the slot of a name, if there is one.
    pub(super) fn find(&self, name: &str) -> Option<Arc<Slot>> {
        locks::read(&self.shard(name).slots).get(name).cloned()
    }

    /// Returns the slot of a name, new if there is none.
    pub(super) fn slot(&self, name: &str) -> Arc<Slot> {
        if let Some(slot) = self.find(name) {
            return slot;
        }
        let new = || {
            Arc::new(Slot {
                turn: AtomicU64::new(0),
                used: AtomicU64::new(u64::MAX),
                bytes: AtomicUsize::new(0),
                held: Mutex::new(None),
            })
        };
        locks::write(&self.shard(name).slots).entry(name.into()).or_insert_with(new).clone()
    }

    /// Keeps a key in its slot. Returns the one to use, and those that had to make room.
    pub(super) fn put(
        &self,
        slot: &Arc<Slot>,
        turn: u64,
        entry: Arc<Entry>,
        now: u64,
    ) -> (Arc<Entry>, Vec<Arc<Entry>>) {
        let name = entry.record.name.clone();
        let entry = slot.put(turn, entry);
        slot.used.store(now, Relaxed);
        let open = lock(&entry.versions).len();
        let size = KEY + name.len() + entry.record.versions.len() * VERSION + open * OPEN;
        (entry, self.resize(&name, slot, |_| size))
    }

    /// Counts more bytes for a key. Returns the keys that had to make room.
    pub(super) fn grow(&self, name: &str, more: usize) -> Vec<Arc<Entry>> {
        match self.find(name) {
            Some(slot) => self.resize(name, &slot, |size| size + more),
            None => Vec::new(),
        }
    }

    fn resize(
        &self,
        name: &str,
        slot: &Arc<Slot>,
        size: impl Fn(usize) -> usize,
    ) -> Vec<Arc<Entry>> {
        let shard = self.shard(name);
        let mut slots = locks::write(&shard.slots);
        if !slots.get(name).is_some_and(|there| Arc::ptr_eq(there, slot)) {
            return Vec::new();
        }
        let before = slot.bytes.load(Relaxed);
        let after = size(before);
        slot.bytes.store(after, Relaxed);
        let mut sum = shard.bytes.load(Relaxed) + after - before;
        let mut gone = Vec::new();
        if sum > self.most {
            // A quarter goes at once, so that this is rare.
            let mut all: Vec<_> = slots
                .iter()
                .filter(|(_, other)| !Arc::ptr_eq(other, slot))
                .map(|(name, slot)| (slot.used.load(Relaxed), name.clone()))
                .collect();
            all.sort_unstable();
            for (_, name) in all {
                if sum <= self.most / 4 * 3 {
                    break;
                }
                if let Some(slot) = slots.remove(&name) {
                    sum -= slot.bytes.load(Relaxed);
                    gone.extend(slot.last());
                }
            }
            // Tables grow by doubling, and do not shrink by themselves.
            slots.shrink_to(0);
        }
        shard.bytes.store(sum, Relaxed);
        gone
    }

    /// Returns a value that on drop removes the slot if it has no key then.
    pub(super) fn empty<'a>(&'a self, name: &'a str, slot: &'a Arc<Slot>) -> Empty<'a> {
        Empty { cache: self, name, slot }
    }

    /// Removes a slot of a key that is gone.
    pub(super) fn remove(&self, name: &str, slot: &Arc<Slot>) {
        let shard = self.shard(name);
        let mut slots = locks::write(&shard.slots);
        if slots.get(name).is_some_and(|there| Arc::ptr_eq(there, slot)) {
            slots.remove(name);
            shard.bytes.fetch_sub(slot.bytes.load(Relaxed), Relaxed);
        }
    }

    /// Notes a change of a key.
    pub(super) fn touch(&self, name: &str) {
        if let Some(slot) = self.find(name) {
            slot.turn.fetch_add(1, Release);
        }
    }

    /// Notes that any key may have changed.
    pub(super) fn touch_all(&self) {
        for shard in &self.shards {
            for slot in locks::read(&shard.slots).values() {
                slot.turn.fetch_add(1, Release);
            }
        }
    }

    /// Returns all keys.
    pub(super) fn all(&self) -> Vec<Arc<Entry>> {
        let of = |shard: &Shard| {
            locks::read(&shard.slots).values().filter_map(|slot| slot.last()).collect()
        };
        self.shards.iter().flat_map(|shard| -> Vec<_> { of(shard) }).collect()
    }

    /// Forgets all keys, and returns them.
    pub(super) fn clear(&self) -> Vec<Arc<Entry>> {
        let mut gone = Vec::new();
        for shard in &self.shards {
            let mut slots = locks::write(&shard.slots);
            // Requests that hold a slot keep nothing in it.
            for slot in slots.values() {
                slot.turn.fetch_add(1, Release);
            }
            gone.extend(std::mem::take(&mut *slots).into_values().filter_map(|slot| slot.last()));
            shard.bytes.store(0, Relaxed);
        }
        gone
    }

    /// Returns the bytes that all keys count for.
    pub(super) fn bytes(&self) -> usize {
        self.shards.iter().map(|shard| shard.bytes.load(Relaxed)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_without_a_key_goes_with_its_reader() {
        let cache = Cache::new(1 << 20);
        let slot = cache.slot("a");
        let reader = cache.empty("a", &slot);
        assert!(cache.find("a").is_some());
        drop(reader);
        assert!(cache.find("a").is_none() && cache.bytes() == 0);
        // A reader of before leaves the slot of a later one.
        let later = cache.slot("a");
        drop(cache.empty("a", &slot));
        assert!(cache.find("a").is_some_and(|there| Arc::ptr_eq(&there, &later)));
    }
}
