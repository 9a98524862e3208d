//! Writes `kuznyechik/rounds/*.s`, rounds of [`super::super::octets`] by nibbles, of encryption and of decryption, for each
//! instruction set.
//!
//! A look-up takes a table that it overwrites where an instruction has two operands, so that instructions, of which a
//! processor takes in so many in a cycle, decide as much as operations do. A compiler has a sixth more of them. Here:
//!
//! - T goes quarter by quarter, so that eight vectors of nibbles and four sums are in registers at a time. What is
//!   added before products is added where it stands, as soon as one of the two is needed no more.
//! - S of a vector takes some fifteen operations one after the other. One begins every two and a half of them (one and
//!   a half with 32 registers): as many are then on their way as the registers hold.
//! - In 512 bits tables stand repeated in memory, since on Zen 5 a load that repeats takes one of the two ports that
//!   look-ups have; those of logarithms stay in registers, and sums of sums are one operation. A round of 1024 bytes
//!   takes some 240 cycles there, 360 as compiled.

use core::mem::offset_of;
use std::format;
use std::string::String;
use std::vec::Vec;

use super::super::karatsuba::MADE;
use super::super::logs::{LEAVES, Numbers, Repeated, WidePlace};
use super::super::rounds::text::SLOTS;
use super::super::tklog::Place;
use crate::assembly::{AVX, AVX2, AVX512, Does, Does::*, SSSE3, Set, Text, current, written};
use crate::cipher::Direction;
use crate::simd::Linear;

/// Half an operation's time; S begins every five, or, with 32 registers, every three, and a unit of T every eight.
const OPERATION: usize = 2;
const SUBSTITUTION: usize = 5;
const WIDE_SUBSTITUTION: usize = 3;
const UNIT: usize = 8;

/// The low nibbles of a vector, and the high ones.
type Halves = [usize; 2];

/// Bytes at a register and a number.
type At = crate::assembly::Place;

/// Where the halves of a linear map stand.
fn halves(base: &'static str, at: usize) -> [At; 2] {
    [offset_of!(Linear, low), offset_of!(Linear, high)].map(|half| (base, at + half))
}

/// The same of map n of those that stand here repeated.
fn wide(base: &'static str, at: usize, n: usize) -> [At; 2] {
    [0, 1].map(|half| (base, at + (2 * n + half) * size_of::<Repeated>()))
}

/// Operations, and when each shall stand in the text.
struct Round {
    ops: Vec<(Does, Vec<usize>)>,
    at: Vec<usize>,
    /// The operations from here on are a unit, which begins at this time.
    unit: usize,
    now: usize,
    fifteen: usize,
    /// Whether tables are those of [`super::super::logs::VbmiBatch`], and numbers stay in registers.
    wide: bool,
    /// What T is of.
    halves: [Option<Halves>; 16],
}

impl Round {
    fn add(&mut self, does: Does, of: &[usize]) -> usize {
        let after = of.iter().filter(|&&v| v >= self.unit).map(|&v| self.at[v] + OPERATION);
        self.at.push(after.max().unwrap_or(0).max(self.now));
        self.ops.push((does, of.to_vec()));
        self.ops.len() - 1
    }
    /// A unit begins, `later` than the last.
    fn begin(&mut self, later: usize) {
        self.unit = self.ops.len();
        self.now += later;
    }
    fn xor(&mut self, a: usize, b: usize) -> usize {
        self.add(Two("pxor", true), &[a, b])
    }
    /// Of four.
    fn sums(&mut self, a: [usize; 4], b: [usize; 4]) -> [usize; 4] {
        core::array::from_fn(|i| self.xor(a[i], b[i]))
    }
    fn lookup(&mut self, (base, at): At, index: usize) -> usize {
        let whole = self.wide && base != "keys";
        self.add(if whole { By } else { Repeated }("pshufb", (base, at)), &[index])
    }
    fn number(&mut self, at: usize, index: usize) -> usize {
        if !self.wide {
            return self.lookup(("numbers", at), index);
        }
        let table = self.constant(at);
        self.add(Two("pshufb", false), &[table, index])
    }
    /// A vector of numbers; there is one of each.
    fn constant(&mut self, at: usize) -> usize {
        let at = ("numbers", at);
        let same = |op: &(Does, _)| matches!(op.0, Constant(other) if other == at);
        self.ops.iter().position(same).unwrap_or_else(|| {
            self.ops.push((Constant(at), Vec::new()));
            self.at.push(0);
            self.ops.len() - 1
        })
    }
    /// The halves of the linear map to l or r, or to k or w, of place i.
    fn map(&self, i: usize, n: usize) -> [At; 2] {
        if self.wide {
            let at = i * size_of::<WidePlace>() + offset_of!(WidePlace, to);
            return wide("places", at, n);
        }
        let at = i * size_of::<Place>() + offset_of!(Place, to);
        halves("places", at + n * size_of::<Linear>())
    }
    /// The second or third table of place i.
    fn table(&self, i: usize, n: usize) -> At {
        let at = if self.wide {
            let at = i * size_of::<WidePlace>() + offset_of!(WidePlace, tables);
            at + (n - 1) * size_of::<Repeated>()
        } else {
            i * size_of::<Place>() + offset_of!(Place, tables) + 16 * n
        };
        ("places", at)
    }
    /// The halves of constant k of a leaf.
    fn by(&self, n: usize, k: usize) -> [At; 2] {
        let n = 3 * n + k;
        if self.wide { wide("leaves", 0, n) } else { halves("leaves", n * size_of::<Linear>()) }
    }
    fn split(&mut self, x: usize) -> Halves {
        let low = self.add(Two("pand", true), &[x, self.fifteen]);
        let high = self.add(Number("psrlw", 4), &[x]);
        [low, self.add(Two("pand", true), &[high, self.fifteen])]
    }
    /// The smaller of x and x + y.
    fn least(&mut self, x: usize, sum: usize) -> usize {
        self.add(Two("pminub", true), &[sum, x])
    }
    fn modulo(&mut self, x: usize) -> usize {
        let sum = if self.wide {
            let modulo = self.constant(offset_of!(Numbers, modulo));
            self.add(Two("paddb", true), &[x, modulo])
        } else {
            self.add(With("paddb", ("numbers", offset_of!(Numbers, modulo))), &[x])
        };
        self.least(x, sum)
    }

    /// As `substitute` of [`super::super::logs`].
    fn substitute(&mut self, direction: Direction, i: usize, x: usize) -> usize {
        let x = self.split(x);
        let [a, b] = [0, 1].map(|n| self.product(x, self.map(i, n)));
        let [second_table, third_table] = [1, 2].map(|n| self.table(i, n));
        match direction {
            Direction::Encrypt => {
                let r = self.number(offset_of!(Numbers, log_r), b);
                let l = self.number(offset_of!(Numbers, log_l), a);
                let third = self.add(Two("psubb", false), &[a, r]);
                let m = self.add(Two("psubb", false), &[l, r]);
                let sum = self.add(Two("paddb", true), &[m, self.fifteen]);
                let m = self.least(m, sum);
                let q = self.number(offset_of!(Numbers, log_phi), m);
                let q = self.add(Two("paddb", true), &[q, r]);
                let third = self.lookup(third_table, third);
                let second = self.lookup(second_table, m);
                let y = self.xor(third, second);
                let q = self.modulo(q);
                let first = self.lookup(("keys", 16 * i), q);
                self.xor(y, first)
            }
            Direction::Decrypt => {
                let w = self.number(offset_of!(Numbers, log_w), b);
                let r = self.number(offset_of!(Numbers, log_to_r), a);
                let r = self.add(Two("paddb", true), &[r, w]);
                let l = self.number(offset_of!(Numbers, log_to_l), a);
                let l = self.add(Two("paddb", true), &[l, w]);
                let third = self.add(Two("psubb", false), &[a, w]);
                let (r, l) = (self.modulo(r), self.modulo(l));
                let third = self.lookup(third_table, third);
                let first = self.lookup(("keys", 16 * i), r);
                let y = self.xor(third, first);
                let second = self.lookup(second_table, l);
                self.xor(y, second)
            }
        }
    }

    /// By the linear map whose halves stand here.
    fn product(&mut self, x: Halves, [low, high]: [At; 2]) -> usize {
        let (low, high) = (self.lookup(low, x[0]), self.lookup(high, x[1]));
        self.xor(low, high)
    }
    /// Plus constant k of a leaf times x.
    fn plus(&mut self, sum: Option<usize>, n: usize, k: usize, x: Halves) -> Option<usize> {
        let [low, high] = self.by(n, k);
        let Some(sum) = sum else {
            return match LEAVES[n].by[k] {
                0 => None,
                1 => {
                    let high = self.lookup(high, x[1]);
                    Some(self.xor(high, x[0]))
                }
                _ => Some(self.product(x, [low, high])),
            };
        };
        let low = match LEAVES[n].by[k] {
            0 => return Some(sum),
            1 => x[0],
            _ => self.lookup(low, x[0]),
        };
        let sum = self.xor(sum, low);
        let high = self.lookup(high, x[1]);
        Some(self.xor(sum, high))
    }
    fn add_halves(&mut self, a: Halves, b: Halves) -> Halves {
        [self.xor(a[0], b[0]), self.xor(a[1], b[1])]
    }

    /// As `leaf` of [`super::super::karatsuba`]: both sums.
    fn leaf(&mut self, n: usize, u: Halves, v: Halves) -> [Option<usize>; 2] {
        if LEAVES[n].rule {
            let own = [self.plus(None, n, 1, v), self.plus(None, n, 2, u)];
            let both = self.add_halves(u, v);
            let both = self.plus(None, n, 0, both);
            return own.map(|own| self.some(own, both));
        }
        let (a, b) = (self.plus(None, n, 0, u), self.plus(None, n, 0, v));
        [self.plus(a, n, 1, v), self.plus(b, n, 2, u)]
    }
    fn some(&mut self, a: Option<usize>, b: Option<usize>) -> Option<usize> {
        match (a, b) {
            (Some(a), Some(b)) => Some(self.xor(a, b)),
            _ => a.or(b),
        }
    }

    /// Four rows of three leaves: see `quarter` there.
    fn quarter(&mut self, [x, y, z]: [usize; 3], v: [Halves; 4]) -> [usize; 4] {
        // First, the leaf that is not done by the rule: its factors stand as they were for the sums of leaf x.
        let first = usize::from(!LEAVES[z].rule || LEAVES[y].rule);
        let own = [[v[2], v[3]], [v[0], v[1]]];
        let leaf = |round: &mut Self, which: usize| {
            let [a, b] = own[which];
            round.leaf([y, z][which], a, b)
        };
        let mut rows = [[None; 2]; 2];
        rows[first] = leaf(self, first);
        self.begin(UNIT);
        let both = [0, 1].map(|i| self.add_halves(own[first][i], own[1 - first][i]));
        rows[1 - first] = leaf(self, 1 - first);
        self.begin(UNIT);
        let both = self.leaf(x, both[0], both[1]);
        let sum = rows.map(|own| [0, 1].map(|i| self.some(own[i], both[i]).expect("not zero")));
        self.begin(UNIT);
        [sum[0][0], sum[0][1], sum[1][0], sum[1][1]]
    }

    /// Those whose index ends in `bits`; where they are yet to be split, that stands a little before.
    fn part(&mut self, bits: usize, x: &[usize; 16]) -> [Halves; 4] {
        [0, 4, 8, 12].map(|i| {
            let i = i + bits;
            self.halves[i].unwrap_or_else(|| {
                let unit = core::mem::replace(&mut self.unit, self.ops.len());
                self.now -= UNIT;
                let halves = self.split(x[i]);
                self.now += UNIT;
                self.unit = unit;
                *self.halves[i].insert(halves)
            })
        })
    }

    /// T: see `toeplitz` there. The rows of the quarters of one part stand in memory until those of sums of parts
    /// come.
    fn toeplitz(&mut self, x: &[usize; 16]) -> [usize; 16] {
        let sum = |round: &mut Self, a: [Halves; 4], b: [Halves; 4]| {
            let sum = core::array::from_fn(|i| round.add_halves(a[i], b[i]));
            round.begin(UNIT);
            sum
        };
        let later = |round: &mut Self, a, b| {
            let sums = round.sums(a, b);
            round.begin(UNIT);
            sums
        };
        let v3 = self.part(3, x);
        let y0 = self.quarter([2, 0, 1], v3);
        let v2 = self.part(1, x);
        let w = sum(self, v2, v3);
        let s = self.quarter([8, 6, 7], w);
        let y2 = self.quarter([5, 3, 4], v2);
        let (y0, y2) = (self.sums(y0, s), later(self, y2, s));
        let v1 = self.part(2, x);
        let y1 = self.quarter([11, 9, 10], v1);
        let v0 = self.part(0, x);
        let u = sum(self, v0, v1);
        let s = self.quarter([17, 15, 16], u);
        let y3 = self.quarter([14, 12, 13], v0);
        let (y1, y3) = (self.sums(y1, s), later(self, y3, s));
        let all = sum(self, u, w);
        let s = self.quarter([26, 24, 25], all);
        let u = sum(self, v0, v2);
        let t = self.quarter([23, 21, 22], u);
        let t = self.sums(t, s);
        let (y3, y2) = (self.sums(y3, t), later(self, y2, t));
        let u = sum(self, v1, v3);
        let t = self.quarter([20, 18, 19], u);
        let t = self.sums(t, s);
        let (y1, y0) = (self.sums(y1, t), later(self, y0, t));
        core::array::from_fn(|i| [y0, y1, y2, y3][i % 4][i / 4])
    }

    /// Sums of a sum that nothing else needs become sums of three; what was the inner one is `Given`, and left out.
    fn threes(&mut self) {
        let mut uses = std::vec![0; self.ops.len()];
        self.ops.iter().flat_map(|op| &op.1).for_each(|&v| uses[v] += 1);
        let sum = |does: &Does| matches!(does, Two("pxor", _));
        for n in 0..self.ops.len() {
            let inner = |&&v: &&usize| uses[v] == 1 && sum(&self.ops[v].0);
            if sum(&self.ops[n].0)
                && let Some(&inner) = self.ops[n].1.iter().find(inner)
            {
                let mut of: Vec<usize> = core::mem::take(&mut self.ops[inner].1);
                self.ops[inner].0 = Given;
                of.extend(self.ops[n].1.iter().filter(|&&v| v != inner));
                // The last to come first.
                of.sort_by_key(|&v| core::cmp::Reverse(self.at[v]));
                self.ops[n] = (Three, of);
            }
        }
    }

    /// The operations in the order of their times, but what they are of before them.
    fn ordered(self) -> Vec<(Does, Vec<usize>)> {
        let is_left = |&n: &usize| !matches!(self.ops[n].0, Given);
        let mut waiting: Vec<usize> = (0..self.ops.len()).filter(is_left).collect();
        waiting.sort_by_key(|&n| self.at[n]);
        let mut new = std::vec![None; self.ops.len()];
        let mut ops = Vec::new();
        while !waiting.is_empty() {
            let ready = |&n: &usize| self.ops[n].1.iter().all(|&v| new[v].is_some());
            let n = waiting.remove(waiting.iter().position(ready).expect("one is ready"));
            let (does, of) = &self.ops[n];
            let of = of.iter().map(|&v| new[v].expect("made")).collect();
            new[n] = Some(ops.len());
            ops.push((does.clone(), of));
        }
        ops
    }
}

/// The text of rounds, and how many slots it has.
fn round(set: Set, direction: Direction) -> (String, usize) {
    let mut round = Round {
        ops: Vec::new(),
        at: Vec::new(),
        unit: 0,
        now: UNIT,
        fifteen: 0,
        wide: set.len == 64,
        halves: [None; 16],
    };
    round.fifteen = round.constant(offset_of!(Numbers, fifteen));
    let substitution = if round.wide { WIDE_SUBSTITUTION } else { SUBSTITUTION };
    let x = core::array::from_fn(|i| round.add(Stands(("v", set.len * i)), &[]));
    // In the order in which T takes them and makes them.
    let order =
        |parts: [usize; 4]| parts.into_iter().flat_map(|bits| [0, 4, 8, 12].map(|i| bits + i));
    match direction {
        Direction::Encrypt => {
            for i in order(MADE) {
                round.begin(substitution);
                let y = round.substitute(direction, i, x[i]);
                round.halves[i] = Some(round.split(y));
            }
            // The last S takes so long; with 32 registers T may begin in it.
            round.begin(if round.wide { UNIT } else { 12 * OPERATION });
            let y = round.toeplitz(&x);
            for i in 0..16 {
                round.now = round.at[y[i]];
                round.add(Store(("v", set.len * i)), &[y[i]]);
            }
        }
        Direction::Decrypt => {
            round.begin(UNIT);
            let y = round.toeplitz(&x);
            for i in order([3, 2, 0, 1]) {
                round.begin(substitution);
                let y = round.substitute(direction, i, y[i]);
                round.add(Store(("v", set.len * i)), &[y]);
            }
        }
    }
    if round.wide {
        round.threes();
    }
    let text = Text { set, ops: round.ordered() };
    // A vector of the state is not read where the new one stands.
    for (n, (does, _)) in text.ops.iter().enumerate() {
        if let Store(to) = *does {
            let stands = |does: &Does| matches!(*does, Stands(from) if from == to);
            let old = text.ops.iter().position(|op| stands(&op.0)).expect("one for each");
            assert!(text.ops[n..].iter().all(|op| !op.1.contains(&old)));
        }
    }
    let (lines, slots) = written(&text, &[]);
    let begin = "2:\nmov {places}, qword ptr [{list}]\n";
    let end = "add {list}, 8\nadd {keys}, 256\ndec {count}\njnz 2b\n";
    // The compiler does not do it where all that it sees are the registers named.
    let clean = if set.len > 16 { "vzeroupper\n" } else { "" };
    (format!("{begin}{lines}{end}{clean}"), slots)
}

#[test]
fn rounds_are_current() {
    for set in [SSSE3, AVX, AVX2, AVX512] {
        for direction in [Direction::Encrypt, Direction::Decrypt] {
            let (text, slots) = round(set, direction);
            assert!(slots <= SLOTS, "{slots}");
            let name = if direction == Direction::Encrypt { "encrypt" } else { "decrypt" };
            let file = format!("kuznyechik/rounds/{}-{name}.s", set.word);
            current(&file, "kuznyechik/assembly/octets.rs", &text);
        }
    }
}
