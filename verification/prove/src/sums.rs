//! Sums of functions of single variables, each kept once and named by a number.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::{Index, Range};

use crate::domain::{Table, Var};

/// A hasher for small keys that no attacker chooses.
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

/// Numbers of things that are kept elsewhere, each once, by a hash of the thing.
#[derive(Default)]
pub struct Numbers {
    /// Hashes, and numbers and 1; or 0. A place is the first free place from the hash on.
    places: Vec<(u32, u32)>,
    count: usize,
}
impl Numbers {
    /// Forgets all, and keeps the memory.
    fn clear(&mut self) {
        self.places.truncate(1 << 12);
        self.places.fill((0, 0));
        self.count = 0;
    }
    fn free(&self, hash: u32, same: impl Fn(usize) -> bool) -> Result<usize, usize> {
        let last = self.places.len() - 1;
        let mut at = hash as usize & last;
        loop {
            match self.places[at] {
                (_, 0) => return Err(at),
                (h, n) if h == hash && same(n as usize - 1) => return Ok(n as usize - 1),
                _ => at = (at + 1) & last,
            }
        }
    }
    /// The number of the thing with this hash that is the `same`; or the next number, which it has from now on.
    pub fn number(&mut self, hash: u64, same: impl Fn(usize) -> bool) -> Result<usize, usize> {
        if 2 * self.count >= self.places.len() {
            let len = (4 * self.places.len()).max(1 << 12);
            let old = std::mem::replace(&mut self.places, vec![(0, 0); len]);
            for (hash, n) in old.into_iter().filter(|(_, n)| *n != 0) {
                if let Err(at) = self.free(hash, |_| false) {
                    self.places[at] = (hash, n);
                }
            }
        }
        let hash = (hash >> 32) as u32;
        let at = match self.free(hash, same) {
            Ok(n) => return Ok(n),
            Err(at) => at,
        };
        self.count += 1;
        self.places[at] = (hash, self.count as u32);
        Err(self.count - 1)
    }
}

/// Sums, each once.
#[derive(Default)]
pub struct Sums {
    pub terms: Vec<(Var, Table)>,
    /// The end of each in `terms`.
    ends: Vec<u32>,
    numbers: Numbers,
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
        range(&self.ends, i)
    }
    /// Forgets all, and keeps the memory.
    pub fn clear(&mut self) {
        self.terms.clear();
        self.ends.clear();
        self.numbers.clear();
    }
    /// The number of a sum, which is kept if it is new.
    pub fn number(&mut self, sum: &[(Var, Table)]) -> usize {
        let mut hash = Fast::default();
        sum.iter().for_each(|(v, t)| hash.write_u64(u64::from(*v) << 32 | u64::from(*t)));
        let (terms, ends) = (&mut self.terms, &mut self.ends);
        self.numbers.number(hash.finish(), |n| terms[range(ends, n)] == *sum).unwrap_or_else(|n| {
            // A run away is refused: a proof needs no such sums.
            assert!(terms.len() < 1 << 26, "sums too large");
            terms.extend_from_slice(sum);
            ends.push(terms.len() as u32);
            n
        })
    }
}
fn range(ends: &[u32], i: usize) -> Range<usize> {
    let start = if i == 0 { 0 } else { ends[i - 1] };
    start as usize..ends[i] as usize
}
