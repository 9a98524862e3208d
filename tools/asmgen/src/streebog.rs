//! LPS of a group of Streebog's nibbles (`crates/core/src/streebog/round/nibbles.rs`) for AVX2.
//!
//! A processor begins what is ready in the order of the text. Two ports look up, and L's look-ups, half of them by K
//! and half by σ, last longer than S; σ is ready eight cycles after K. So all look-ups by K come before those by σ:
//! as they are by vectors, K and σ of one together, the ports wait for σ. A compiler keeps neither that order nor sixteen registers without the memory.

mod message;

use crate::File;
use crate::registers::written;
use crate::text::{Does::*, LEN, Text, vectors};

const TABLES: &str = "rdi";
const TAKES: &[(&str, &str)] = &[(TABLES, "the tables, `Lps` of nibbles.rs")];

/// Vectors of a group of 128 bytes.
const VECTORS: usize = 128 / LEN;
/// The exchanges of the 16 bytes within a vector.
const SWAPS: usize = 8 / VECTORS;

/// Where its parts are, each repeated to 64 bytes; L's tables are first.
const LEFT: isize = 2048;
const RIGHT: isize = LEFT + 64;
const INSTEAD: isize = RIGHT + 64;
const PHI: isize = INSTEAD + 64;
const FIFTEEN: isize = PHI + 64;
const WRAP: isize = FIFTEEN + 64;

impl Text {
    fn lookup(&mut self, table: isize, index: usize) -> usize {
        self.add(By("pshufb", (TABLES, table)), &[index])
    }

    /// As `numbers` of the nibbles.
    fn numbers(&mut self, x: usize) -> [usize; 2] {
        let l = self.add(With("pand", (TABLES, FIFTEEN)), &[x]);
        let h = self.add(Number("psrlw", 4), &[x]);
        let h = self.add(With("pand", (TABLES, FIFTEEN)), &[h]);
        let (left, right) = (self.lookup(LEFT, l), self.lookup(RIGHT, h));
        let small = self.add(With("paddusb", (TABLES, WRAP)), &[x]);
        let instead = self.lookup(INSTEAD, small);
        let k = self.add(Two("paddb", true), &[instead, left]);
        let k = self.add(Two("psubusb", false), &[k, right]);
        let class = self.add(With("psubb", (TABLES, FIFTEEN)), &[left]);
        let class = self.add(Two("psubb", false), &[class, right]);
        let k = self.add(Two("pminub", true), &[class, k]);
        let sigma = self.lookup(PHI, k);
        let sigma = self.add(Two("paddb", true), &[sigma, right]);
        let less = self.add(With("psubb", (TABLES, FIFTEEN)), &[sigma]);
        [k, self.add(Two("pminub", true), &[less, sigma])]
    }

    /// Words of 16 bytes to their places.
    fn zip(&mut self, mut y: Vec<usize>) -> Vec<usize> {
        let mut bit = y.len() / 2;
        while bit > 0 {
            for a in (0..y.len()).filter(|a| a & bit == 0) {
                let of = [y[a], y[a | bit]];
                y[a] = self.add(Two("punpcklwd", false), &of);
                y[a | bit] = self.add(Two("punpckhwd", false), &of);
            }
            bit /= 2;
        }
        y
    }

    /// LPS of the vectors given: the results.
    fn lps(&mut self) -> Vec<usize> {
        let x: Vec<usize> = (0..VECTORS).map(|_| self.add(Given, &[])).collect();
        let numbers: Vec<[usize; 2]> = x.iter().map(|&x| self.numbers(x)).collect();
        let table = |swap, to, from, by| {
            (LEN * (((swap * VECTORS + to) * VECTORS + from) * 2 + by)) as isize
        };
        let mut sums = vec![Vec::new(); SWAPS];
        for by in 0..2 {
            for from in 0..VECTORS {
                for swap in (0..SWAPS).rev() {
                    for to in 0..VECTORS {
                        let p = self.lookup(table(swap, to, from, by), numbers[from][by]);
                        if by + from == 0 {
                            sums[swap].push(p);
                        } else {
                            sums[swap][to] = self.xor(sums[swap][to], p);
                        }
                    }
                }
            }
        }
        let mut y = sums[0].clone();
        for to in 0..VECTORS {
            let moved = self.add(Number("perm2i128", 1), &[sums[1][to]]);
            y[to] = self.xor(y[to], moved);
        }
        let y = self.zip(y);
        y.into_iter().map(|y| self.add(Number("permq", 0xd8), &[y])).collect()
    }
}

/// The text.
fn lps() -> String {
    let mut text = Text::default();
    let results = text.lps();
    let (lines, slots) = written(&text, &results);
    assert_eq!(slots, 0);
    lines
}

pub fn files() -> impl Iterator<Item = File> {
    let last = VECTORS - 1;
    let two = File {
        name: "streebog/avx2.s".into(),
        about: format!(
            "Streebog, LPS of two states by nibbles, avx2: ymm0 to ymm{last}, read and written."
        ),
        takes: TAKES,
        changes: vectors(last + 1),
        user: "streebog/round/nibbles.rs",
        checked: "cargo test -p bulat-core --lib assembly, and cargo test -p bulat --test streebog_kernels",
        lines: lps(),
    };
    [two, message::file()].into_iter()
}
