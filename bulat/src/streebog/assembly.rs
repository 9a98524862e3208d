//! Writes `simd/lps/*.s`, LPS of a group of [`super::nibbles`] for each instruction set, and, in [`chains`],
//! `simd/avx2gfni/chains.s`, and checks that they are current: `BULAT_WRITE=1 cargo test -p bulat --lib assembly`
//! writes them.
//!
//! A processor begins what is ready in the order of the text. Two ports look up, and L's look-ups, half of them by K
//! and half by σ, take longer than S; σ is ready eight cycles after K. So all look-ups by K stand before those by σ:
//! as they are by vectors, K and σ of one together, the ports wait for σ, and in 512 bits for what changes places
//! after the sums. A compiler keeps neither that order nor sixteen registers without the memory.
//!
//! Registers are given in the order of the text; where there is none, the value that is needed last goes to memory,
//! or is forgotten if it is a constant.

mod chains;

use core::mem::offset_of;
use std::format;
use std::string::{String, ToString};
use std::vec::Vec;

use super::nibbles::Lps;

/// An instruction set: its word, octets of a vector, the registers that `simd/lps.rs` names, and whether an instruction
/// has a destination of its own.
#[derive(Clone, Copy)]
struct Set {
    word: &'static str,
    len: usize,
    registers: usize,
    apart: bool,
}

const SETS: [Set; 4] = [
    Set { word: "ssse3", len: 16, registers: 16, apart: false },
    Set { word: "avx", len: 16, registers: 16, apart: true },
    Set { word: "avx2", len: 32, registers: 16, apart: true },
    Set { word: "avx512", len: 64, registers: 12, apart: true },
];

impl Set {
    /// Of its registers.
    fn letter(self) -> &'static str {
        match self.len {
            16 => "x",
            32 => "y",
            _ => "z",
        }
    }
}

/// An operation on earlier values.
#[derive(Clone)]
enum Does {
    /// Nothing: it is there before.
    Given,
    /// Nothing: it stands at this octet of the tables.
    Constant(usize),
    /// A look-up in, or a permutation by, what stands at this octet of the tables.
    By(&'static str, usize),
    /// With what stands at this octet of what this register points to.
    With(&'static str, &'static str, usize),
    /// With a number.
    Number(&'static str, u8),
    /// Of two values; whether they may change places.
    Two(&'static str, bool),
    /// The sum of three; the first is the last to come, or it takes a cycle more, and is needed no more.
    Three,
}
use Does::*;

/// Operations in the order of the text.
struct Text {
    set: Set,
    ops: Vec<(Does, Vec<usize>)>,
}

impl Text {
    fn add(&mut self, does: Does, of: &[usize]) -> usize {
        self.ops.push((does, of.to_vec()));
        self.ops.len() - 1
    }
    fn xor(&mut self, a: usize, b: usize) -> usize {
        self.add(Two("pxor", true), &[a, b])
    }
    fn lookup(&mut self, table: usize, index: usize) -> usize {
        self.add(By("pshufb", table), &[index])
    }

    /// As `numbers` of the nibbles.
    fn numbers(&mut self, x: usize) -> [usize; 2] {
        let l = self.add(With("pand", "tables", offset_of!(Lps, fifteen)), &[x]);
        let h = self.add(Number("psrlw", 4), &[x]);
        let h = self.add(With("pand", "tables", offset_of!(Lps, fifteen)), &[h]);
        let (left, right) =
            (self.lookup(offset_of!(Lps, left), l), self.lookup(offset_of!(Lps, right), h));
        let small = self.add(With("paddusb", "tables", offset_of!(Lps, wrap)), &[x]);
        let instead = self.lookup(offset_of!(Lps, instead), small);
        let k = self.add(Two("paddb", true), &[instead, left]);
        let k = self.add(Two("psubusb", false), &[k, right]);
        let class = self.add(With("psubb", "tables", offset_of!(Lps, fifteen)), &[left]);
        let class = self.add(Two("psubb", false), &[class, right]);
        let k = self.add(Two("pminub", true), &[class, k]);
        let sigma = self.lookup(offset_of!(Lps, phi), k);
        let sigma = self.add(Two("paddb", true), &[sigma, right]);
        let less = self.add(With("psubb", "tables", offset_of!(Lps, fifteen)), &[sigma]);
        [k, self.add(Two("pminub", true), &[less, sigma])]
    }

    /// Words of 16 octets to their places.
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
                        .map(|y| self.add(By("permd", offset_of!(Lps, permute) + 64 * swap), &[y]))
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

/// Where values are, and the lines so far.
struct Writer<'a> {
    text: &'a Text,
    /// Where each value is used, the next one last.
    uses: Vec<Vec<usize>>,
    register: Vec<Option<usize>>,
    /// Where it stands in memory, if it does.
    memory: Vec<Option<String>>,
    free: Vec<usize>,
    slots: usize,
    lines: Vec<String>,
}

impl Writer<'_> {
    fn name(&self, r: usize) -> String {
        format!("{}mm{r}", self.text.set.letter())
    }
    fn memory(&self, base: &str, at: usize) -> String {
        format!("{}mmword ptr [{{{base}}} + {at}]", self.text.set.letter())
    }
    /// The instruction as the set spells it.
    fn spelled(&self, name: &str) -> String {
        let Set { len, apart, .. } = self.text.set;
        match (name, apart, len) {
            (_, false, _) => name.to_string(),
            ("movdqa", _, 64) => "vmovdqa64".to_string(),
            ("pand" | "pxor", _, 64) => format!("v{name}d"),
            _ => format!("v{name}"),
        }
    }
    /// A free register; if there is none, that of the value needed last, which goes to memory unless it is there.
    fn take(&mut self, keep: &[usize]) -> usize {
        if let Some(r) = self.free.pop() {
            return r;
        }
        // A constant is as if needed later: it need not be put away.
        let early = |v: usize| if matches!(self.text.ops[v].0, Constant(_)) { 8 } else { 0 };
        let last = (0..self.register.len())
            .filter(|v| self.register[*v].is_some() && !keep.contains(v))
            .max_by_key(|v| (self.uses[*v].last().map(|at| at + early(*v)), early(*v)))
            .expect("a value to put away");
        let r = self.register[last].take().expect("in a register");
        if self.memory[last].is_none() {
            let slot = self.memory("slots", self.slots * self.text.set.len);
            self.slots += 1;
            self.line("movdqa", &[slot.clone(), self.name(r)]);
            self.memory[last] = Some(slot);
        }
        r
    }
    /// The register of a value, loaded if need be.
    fn load(&mut self, v: usize, keep: &[usize]) -> usize {
        self.register[v].unwrap_or_else(|| {
            let r = self.take(keep);
            let from = self.memory[v].clone().expect("somewhere");
            self.line("movdqa", &[self.name(r), from]);
            self.register[v] = Some(r);
            r
        })
    }
    /// Registers of values used for the last time are free.
    fn used(&mut self, of: &[usize]) {
        for &v in of {
            self.uses[v].pop();
            if self.uses[v].is_empty()
                && let Some(r) = self.register[v].take()
            {
                self.free.push(r);
            }
        }
    }
    fn line(&mut self, name: &str, operands: &[String]) {
        self.lines.push(format!("{} {}", self.spelled(name), operands.join(", ")));
    }
    /// The instruction whose first operand is overwritten where the set has no destination apart.
    fn put(&mut self, name: &str, to: usize, from: usize, rest: &[String]) {
        let (to_name, from_name) = (self.name(to), self.name(from));
        let mut operands = Vec::from([to_name.clone()]);
        if self.text.set.apart {
            operands.push(from_name);
        } else if to != from {
            self.line("movdqa", &[to_name, from_name]);
        }
        operands.extend_from_slice(rest);
        self.line(name, &operands);
    }

    fn write(&mut self, n: usize) {
        let (does, of) = &self.text.ops[n];
        let r: Vec<usize> = of.iter().map(|&v| self.load(v, of)).collect();
        let names: Vec<String> = r.iter().map(|&r| self.name(r)).collect();
        let dies = |writer: &Self, i: usize| writer.uses[of[i]].len() == 1;
        let to = match *does {
            Given => return,
            Constant(at) => {
                assert!(at % self.text.set.len == 0);
                self.memory[n] = Some(self.memory("tables", at));
                return;
            }
            By(name, at) => {
                let to = self.take(of);
                self.line("movdqa", &[self.name(to), self.memory("tables", at)]);
                self.put(name, to, to, &[names[0].clone()]);
                self.used(of);
                to
            }
            With(name, base, at) => {
                let mut rest = Vec::from([self.memory(base, at)]);
                if name == "gf2p8affineqb" {
                    rest.push(String::from("0"));
                }
                self.used(of);
                let to = self.take(&[]);
                self.put(name, to, r[0], &rest);
                to
            }
            Number(name, number) => {
                self.used(of);
                let to = self.take(&[]);
                let mut rest = Vec::from([number.to_string()]);
                if name == "perm2i128" {
                    rest.insert(0, names[0].clone());
                }
                self.put(name, to, r[0], &rest);
                to
            }
            Two(name, commute) => {
                let other = usize::from(!(commute && !dies(self, 0) && dies(self, 1)));
                if self.text.set.apart {
                    self.used(of);
                    let to = self.take(&[]);
                    self.put(name, to, r[0], &[names[1].clone()]);
                    to
                } else if dies(self, 1 - other) {
                    self.put(name, r[1 - other], r[1 - other], &[names[other].clone()]);
                    let to = r[1 - other];
                    self.used(of);
                    self.free.retain(|&r| r != to);
                    to
                } else {
                    let to = self.take(of);
                    self.put(name, to, r[0], &[names[1].clone()]);
                    self.used(of);
                    to
                }
            }
            Three => {
                assert!(dies(self, 0));
                self.line(
                    "pternlogd",
                    &[names[0].clone(), names[1].clone(), names[2].clone(), "0x96".to_string()],
                );
                self.used(of);
                self.free.retain(|&free| free != r[0]);
                r[0]
            }
        };
        self.register[n] = Some(to);
    }
}

/// The lines of a text and the slots it has; what is given is in the first registers, and so are the results after it.
fn written(text: &Text, results: &[usize]) -> (String, usize) {
    let n = text.ops.len();
    let mut uses = std::vec![Vec::new(); n];
    results.iter().for_each(|&v| uses[v].push(n));
    for (i, (_, of)) in text.ops.iter().enumerate().rev() {
        of.iter().for_each(|&v| uses[v].push(i));
    }
    let given = results.len();
    let is_given = |op: &(Does, Vec<usize>)| matches!(op.0, Given);
    assert!(text.ops[..given].iter().all(is_given) && !text.ops[given..].iter().any(is_given));
    let mut writer = Writer {
        text,
        uses,
        register: (0..n).map(|v| (v < given).then_some(v)).collect(),
        memory: std::vec![None; n],
        free: (given..text.set.registers).rev().collect(),
        slots: 0,
        lines: Vec::new(),
    };
    (0..n).for_each(|v| writer.write(v));
    for (i, &v) in results.iter().enumerate() {
        let from = writer.register[v].expect("in a register");
        if from != i {
            if let Some(other) = results.iter().find(|&&v| writer.register[v] == Some(i)) {
                let spare = writer.free.pop().expect("free");
                writer.line("movdqa", &[writer.name(spare), writer.name(i)]);
                writer.register[*other] = Some(spare);
            }
            writer.line("movdqa", &[writer.name(i), writer.name(from)]);
            writer.register[v] = Some(i);
            writer.free.retain(|&r| r != i);
            writer.free.push(from);
        }
    }
    let lines = writer.lines.iter().map(|line| format!("{line}\n")).collect();
    (lines, writer.slots)
}

/// The text for an instruction set, and how many slots it has.
fn lps(set: Set) -> (String, usize) {
    let mut text = Text { set, ops: Vec::new() };
    let results = text.lps();
    written(&text, &results)
}

const HEAD: &str = "# Written by streebog/assembly.rs; not to be changed by hand.\n";

/// Writes it, or fails if it is out of date.
fn current(file: &str, text: &str) {
    let path = format!("{}/src/simd/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = format!("{HEAD}{text}");
    if std::env::var_os("BULAT_WRITE").is_some() {
        std::fs::write(&path, &text).expect("writes");
    }
    let written = std::fs::read_to_string(&path).expect("reads").replace('\r', "");
    assert!(written == text, "run `BULAT_WRITE=1 cargo test -p bulat --lib assembly`");
}

#[test]
fn lps_is_current() {
    for set in SETS {
        let (text, slots) = lps(set);
        assert!(slots <= 8, "{slots}");
        current(&format!("lps/{}.s", set.word), &text);
    }
}
