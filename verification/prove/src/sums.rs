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

/// Sums, each once.
#[derive(Default)]
pub struct Sums {
    pub terms: Vec<(Var, Table)>,
    /// The end of each in `terms`.
    ends: Vec<u32>,
    /// Places by hashes: the number of a sum and 1, or 0.
    places: Vec<u32>,
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
    fn free(&self, sum: &[(Var, Table)]) -> Result<usize, usize> {
        let mut at = Self::hash(sum) & (self.places.len() - 1);
        loop {
            match self.places[at] as usize {
                0 => return Err(at),
                n if self[n - 1] == *sum => return Ok(n - 1),
                _ => at = (at + 1) & (self.places.len() - 1),
            }
        }
    }
    /// The number of a sum, which is kept if it is new.
    pub fn number(&mut self, sum: &[(Var, Table)]) -> usize {
        if 2 * self.ends.len() >= self.places.len() {
            self.places = vec![0; (4 * self.places.len()).max(1 << 10)];
            for i in 0..self.ends.len() {
                if let Err(at) = self.free(&self[i]) {
                    self.places[at] = i as u32 + 1;
                }
            }
        }
        match self.free(sum) {
            Ok(n) => n,
            Err(at) => {
                // A run away is refused: a proof needs no such sums.
                assert!(self.terms.len() < 1 << 26, "sums too large");
                self.terms.extend_from_slice(sum);
                self.ends.push(self.terms.len() as u32);
                self.places[at] = self.ends.len() as u32;
                self.ends.len() - 1
            }
        }
    }
}
