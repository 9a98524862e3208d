//! Writes `streebog/lps/*.s`, LPS of a group of [`super::nibbles`] for each instruction set, and, in [`chains`],
//! `streebog/avx2gfni/chains.s`, and checks that they are current: `BULAT_WRITE=1 cargo test -p bulat --lib assembly`
//! writes them.
//!
//! A processor begins what is ready in the order of the text. Two ports look up, and L's look-ups, half of them by K
//! and half by σ, take longer than S; σ is ready eight cycles after K. So all look-ups by K stand before those by σ:
//! as they are by vectors, K and σ of one together, the ports wait for σ, and in 512 bits for what changes places
//! after the sums. A compiler keeps neither that order nor sixteen registers without the memory.

mod chains;

use core::mem::offset_of;
use std::format;
use std::string::String;
use std::vec::Vec;

use super::nibbles::Lps;
use crate::assembly::{AVX, AVX2, Does::*, SSSE3, Set, Text, current, written};

const SETS: [Set; 4] =
    [SSSE3, AVX, AVX2, Set { word: "avx512", len: 64, registers: 12, apart: true }];

/// The generator's file.
const HERE: &str = "streebog/assembly.rs";

impl Text {
    fn lookup(&mut self, table: usize, index: usize) -> usize {
        self.add(By("pshufb", ("tables", table)), &[index])
    }

    /// As `numbers` of the nibbles.
    fn numbers(&mut self, x: usize) -> [usize; 2] {
        let l = self.add(With("pand", ("tables", offset_of!(Lps, fifteen))), &[x]);
        let h = self.add(Number("psrlw", 4), &[x]);
        let h = self.add(With("pand", ("tables", offset_of!(Lps, fifteen))), &[h]);
        let (left, right) =
            (self.lookup(offset_of!(Lps, left), l), self.lookup(offset_of!(Lps, right), h));
        let small = self.add(With("paddusb", ("tables", offset_of!(Lps, wrap))), &[x]);
        let instead = self.lookup(offset_of!(Lps, instead), small);
        let k = self.add(Two("paddb", true), &[instead, left]);
        let k = self.add(Two("psubusb", false), &[k, right]);
        let class = self.add(With("psubb", ("tables", offset_of!(Lps, fifteen))), &[left]);
        let class = self.add(Two("psubb", false), &[class, right]);
        let k = self.add(Two("pminub", true), &[class, k]);
        let sigma = self.lookup(offset_of!(Lps, phi), k);
        let sigma = self.add(Two("paddb", true), &[sigma, right]);
        let less = self.add(With("psubb", ("tables", offset_of!(Lps, fifteen))), &[sigma]);
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
        let (len, vectors) = (self.set.len, 128 / self.set.len);
        let x: Vec<usize> = (0..vectors).map(|_| self.add(Given, &[])).collect();
        let numbers: Vec<[usize; 2]> = x.iter().map(|&x| self.numbers(x)).collect();
        let table = |swap, to, from, by| len * (((swap * vectors + to) * vectors + from) * 2 + by);
        let swaps = 8 / vectors;
        let mut sums = std::vec![Vec::new(); swaps];
        if vectors == 2 {
            // Sums of three; all move as late as the last has to, so that P's first half stands before that.
            for swap in (0..swaps).rev() {
                for to in 0..2 {
                    let [p, q] =
                        [0, 1].map(|from| self.lookup(table(swap, to, from, 0), numbers[from][0]));
                    let sum = self.xor(p, q);
                    sums[swap].push(sum);
                }
            }
            let mut out = Vec::new();
            for swap in (0..swaps).rev() {
                for to in 0..2 {
                    let [p, q] =
                        [0, 1].map(|from| self.lookup(table(swap, to, from, 1), numbers[from][1]));
                    sums[swap][to] = self.add(Three, &[q, p, sums[swap][to]]);
                }
                let moved = self.zip(sums[swap].clone());
                out.push(
                    moved
                        .into_iter()
                        .map(|y| {
                            self.add(
                                By("permd", ("tables", offset_of!(Lps, permute) + 64 * swap)),
                                &[y],
                            )
                        })
                        .collect::<Vec<_>>(),
                );
            }
            return (0..2)
                .map(|to| {
                    let sum = self.add(Three, &[out[2][to], out[1][to], out[0][to]]);
                    self.xor(sum, out[3][to])
                })
                .collect();
        }
        for by in 0..2 {
            for from in 0..vectors {
                for swap in (0..swaps).rev() {
                    for to in 0..vectors {
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
        if swaps == 2 {
            for to in 0..vectors {
                let moved = self.add(Number("perm2i128", 1), &[sums[1][to]]);
                y[to] = self.xor(y[to], moved);
            }
        }
        y = self.zip(y);
        if swaps == 2 {
            y = y.into_iter().map(|y| self.add(Number("permq", 0xd8), &[y])).collect();
        }
        y
    }
}

/// The text for an instruction set, and how many slots it has.
fn lps(set: Set) -> (String, usize) {
    let mut text = Text { set, ops: Vec::new() };
    let results = text.lps();
    written(&text, &results)
}

#[test]
fn lps_is_current() {
    for set in SETS {
        let (text, slots) = lps(set);
        assert!(slots <= 8, "{slots}");
        current(&format!("streebog/lps/{}.s", set.word), HERE, &text);
    }
}
