//! Sums of functions of single variables, each kept once and named by a number.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::{Index, Range};

use crate::domain::{Table, Var};

/// A hasher for small keys that nobody chooses.
#[derive(Default)]
pub struct Fast(u64);
impl Hasher for Fast {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 29
    }
    fn write(&mut self, bytes: &[u8]) {
        for part in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..part.len()].copy_from_slice(part);
            self.write_u64(u64::from_le_bytes(word));
        }
    }
    fn write_u64(&mut self, n: u64) {
        self.0 = (self.0.rotate_left(25) ^ n).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    fn write_u32(&mut self, n: u32) {
        self.write_u64(n.into());
    }
    fn write_usize(&mut self, n: usize) {
        self.write_u64(n as u64);
    }
}
/// A map with that hasher.
pub type Map<K, V> = HashMap<K, V, BuildHasherDefault<Fast>>;

/// Results by keys, of which the last at each place is kept: smaller than a map, and so faster.
pub struct Cache {
    places: Vec<(u64, u32)>,
    /// Places that are not free.
    taken: Vec<u32>,
}
impl Default for Cache {
    fn default() -> Self {
        Cache { places: vec![(u64::MAX, 0); 1 << 17], taken: Vec::new() }
    }
}
impl Cache {
    fn place(key: u64) -> usize {
        (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 47) as usize
    }
    pub fn get(&self, key: u64) -> Option<u32> {
        let (other, result) = self.places[Self::place(key)];
        (other == key).then_some(result)
    }
    pub fn put(&mut self, key: u64, result: u32) {
        let at = Self::place(key);
        if self.places[at].0 == u64::MAX {
            self.taken.push(at as u32);
        }
        self.places[at] = (key, result);
    }
    pub fn clear(&mut self) {
        for at in self.taken.drain(..) {
            self.places[at as usize] = (u64::MAX, 0);
        }
    }
}

/// Sums, each once.
#[derive(Default)]
pub struct Sums {
    pub terms: Vec<(Var, Table)>,
    /// The end of each in `terms`.
    ends: Vec<u32>,
    /// Places by hashes: a part of the hash, and the number of a sum and 1; or 0.
    places: Vec<(u32, u32)>,
}
impl Index<usize> for Sums {
    type Output = [(Var, Table)];
    fn index(&self, i: usize) -> &Self::Output {
        &self.terms[self.range(i)]
    }
}
impl Sums {
    /// The places of a sum's terms.
    pub fn range(&self, i: usize) -> Range<usize> {
        let start = if i == 0 { 0 } else { self.ends[i - 1] };
        start as usize..self.ends[i] as usize
    }
    fn hash(sum: &[(Var, Table)]) -> usize {
        let mut hash = Fast::default();
        sum.iter().for_each(|(v, t)| hash.write_u64(u64::from(*v) << 32 | u64::from(*t)));
        hash.finish() as usize
    }
    fn free(&self, hash: usize, sum: &[(Var, Table)]) -> Result<usize, usize> {
        let (mut at, part) = (hash & (self.places.len() - 1), (hash >> 32) as u32);
        loop {
            match self.places[at] {
                (_, 0) => return Err(at),
                (p, n) if p == part && self[n as usize - 1] == *sum => return Ok(n as usize - 1),
                _ => at = (at + 1) & (self.places.len() - 1),
            }
        }
    }
    /// Forgets all, and keeps the memory.
    pub fn clear(&mut self) {
        self.terms.clear();
        self.ends.clear();
        self.places.truncate(1 << 12);
        self.places.fill((0, 0));
    }
    /// The number of a sum, which is kept if it is new.
    pub fn number(&mut self, sum: &[(Var, Table)]) -> usize {
        if 2 * self.ends.len() >= self.places.len() {
            let len = (4 * self.places.len()).max(1 << 12);
            let old: Vec<_> = self.places.drain(..).filter(|(_, n)| *n != 0).collect();
            self.places.resize(len, (0, 0));
            for (part, n) in old {
                // The lower half of the hash is not kept.
                let mut at = Self::hash(&self[n as usize - 1]) & (len - 1);
                while self.places[at].1 != 0 {
                    at = (at + 1) & (len - 1);
                }
                self.places[at] = (part, n);
            }
        }
        let hash = Self::hash(sum);
        match self.free(hash, sum) {
            Ok(n) => n,
            Err(at) => {
                // A run away is refused: a proof needs no such sums.
                assert!(self.terms.len() < 1 << 26, "sums too large");
                self.terms.extend_from_slice(sum);
                self.ends.push(self.terms.len() as u32);
                self.places[at] = ((hash >> 32) as u32, self.ends.len() as u32);
                self.ends.len() - 1
            }
        }
    }
}
