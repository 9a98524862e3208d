//! Writes `kuznyechik/gfni512/gamma.s`, and checks that it is current: `BULAT_WRITE=1 cargo test -p bulat --lib
//! assembly` writes it; [`octets`] does the same for `kuznyechik/rounds/*.s`.
//!
//! A compiler makes S and T one after the other. But S needs the port of permutations, T that of
//! products, and neither waits far enough ahead for the other. Here they go side by side:
//!
//! - T's products are of parts of vectors, by the index's last two bits: those of the parts 3 and 1 alone
//!   (`Own(0)`), those of 2 and 0 alone (`Own(1)`), those of both (`Both`). Both give the rows' sums of one
//!   pair of parts first (`Rows`); the rows of the other pair can wait.
//! - So in an even round: S of the parts 3 and 1, beside what the last round left (the products of the
//!   parts 3 and 1 and the rows of 2 and 0); then S of 2 and 0, beside the products of 3 and 1; then what
//!   needs both, and the rows of 2 and 0. In an odd round the pairs change places. Two rounds are a loop.
//! - The first round of a batch (see `sliced::Gamma`) stands beside the transposition of the last one.
//!
//! Registers are given in the order of the text; where there is none, the value that is needed last goes to
//! memory.

mod octets;

use core::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::format;
use std::string::{String, ToString};
use std::vec::Vec;

use super::karatsuba::{self, Factor, Parts, Sum};
use super::toeplitz::{LEAVES, Leaf};

/// What an instruction does with its sources; memory operands as they are written.
#[derive(Clone)]
enum Does {
    /// Nothing: it is there before.
    Given(usize),
    /// A mask: of bytes without bit 6; of bytes with bit 7.
    NoBit6,
    Bit7,
    /// A look-up by a part of a table; where a mask is set, else what was there, or else 0.
    Permute(String),
    Merge(String),
    Zero(String),
    Xor,
    Xor3,
    /// The sum of two and of memory.
    Key(String),
    /// The sum with memory.
    Plus(String),
    /// Plus memory where a mask of bytes is set.
    Masked(String),
    Affine(String),
    Load(String),
    Low,
    High,
    /// Plus a vector of the text; that is the result.
    Text(usize),
}
use Does::*;

#[derive(Clone)]
struct Op {
    does: Does,
    of: Vec<usize>,
}

/// Operations in the order in which they were recorded.
#[derive(Default)]
struct Record(RefCell<Vec<Op>>);

impl Record {
    fn add(&self, does: Does, of: &[usize]) -> usize {
        self.0.borrow_mut().push(Op { does, of: of.to_vec() });
        self.0.borrow().len() - 1
    }
    /// A substitution and the key: `Bytes::lookup` by each part.
    fn lookup(&self, x: usize, i: usize) -> usize {
        // four tables to a page, the pointer between the second page and the third
        let at = 4096 * (i as isize / 4 - 2) + 256 * (i as isize % 4);
        let part = |k: isize| format!("{}({{tables}})", at + 64 * k);
        let (no6, bit7) = (self.add(NoBit6, &[x]), self.add(Bit7, &[x]));
        let y = self.add(Permute(part(0)), &[x]);
        let y = self.add(Merge(part(1)), &[y, no6, x]);
        let z = self.add(Zero(part(2)), &[no6, x]);
        let z = self.add(Merge(part(3)), &[z, bit7, x]);
        self.add(Key(i.to_string()), &[y, z])
    }
}

/// A value in T.
#[derive(Clone, Copy)]
struct Value<'a>(&'a Record, usize);

impl Sum for Value<'_> {
    fn plus(self, b: Self) -> Self {
        Value(self.0, self.0.add(Xor, &[self.1, b.1]))
    }
    fn plus3(self, b: Self, c: Self) -> Self {
        Value(self.0, self.0.add(Xor3, &[self.1, b.1, c.1]))
    }
}

impl Factor<usize> for Value<'_> {
    type Sum = Self;
    const LEAVES: &'static [Leaf; 27] = &LEAVES;
    fn add(self, b: Self) -> Self {
        self.plus(b)
    }
    fn by(self, m: &usize) -> Self {
        let m = format!("{}({{constants}}){{{{1to8}}}}", 8 * m);
        Value(self.0, self.0.add(Affine(m), &[self.1]))
    }
    fn once(self, _: &usize) -> Self {
        self
    }
}

/// S of what is given.
struct Substituted<'a>(&'a Record);

impl<'a> Parts<Value<'a>> for Substituted<'a> {
    fn part(&self, bits: usize) -> [Value<'a>; 4] {
        [0, 4, 8, 12].map(|i| Value(self.0, self.0.lookup(bits + i, bits + i)))
    }
}

/// The parts in pairs: those of `Own(0)`, those of `Own(1)`.
const PAIRS: [[usize; 2]; 2] = [[3, 1], [2, 0]];

/// Where an operation of a round stands.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Before,
    S(usize),
    Own(usize),
    Both,
    Rows(usize),
}
use Place::*;

/// A round: its operations, where they stand, and which of them are the results.
struct Round {
    ops: Vec<Op>,
    place: Vec<Place>,
    out: [usize; 16],
}

/// An operation of one of many rounds.
type Step = (usize, usize);

impl Round {
    fn new() -> Self {
        let record = Record::default();
        for i in 0..16 {
            record.add(Given(i), &[]);
        }
        let by = core::array::from_fn(|n| core::array::from_fn(|k| 3 * n + k));
        let mut y = [Value(&record, 0); 16];
        karatsuba::toeplitz(&Substituted(&record), &by, &mut y);
        let (out, ops) = (y.map(|y| y.1), record.0.borrow().clone());
        // Which parts an operation needs, and which need it.
        let mut needs = std::vec![0; ops.len()];
        for (n, op) in ops.iter().enumerate() {
            needs[n] = match op.does {
                Given(i) => 1 << (i % 4),
                _ => op.of.iter().fold(0, |bits, &a| bits | needs[a]),
            };
        }
        let mut needed = std::vec![0; ops.len()];
        for (i, &n) in out.iter().enumerate() {
            needed[n] |= 1 << (i % 4);
        }
        for n in (0..ops.len()).rev() {
            for &a in &ops[n].of {
                needed[a] |= needed[n];
            }
        }
        let pair = |bits: i32| PAIRS.iter().position(|p| bits & !(1 << p[0] | 1 << p[1]) == 0);
        let place = |n: usize| match ops[n].does {
            Given(_) => Before,
            Xor | Xor3 | Affine(_) => match (pair(needs[n]), pair(needed[n])) {
                (Some(own), _) => Own(own),
                (None, Some(rows)) => Rows(rows),
                (None, None) => Both,
            },
            _ => S(needs[n].trailing_zeros() as usize),
        };
        let place = (0..ops.len()).map(place).collect();
        Round { ops, place, out }
    }

    fn at(&self, round: usize, place: Place) -> impl Iterator<Item = Step> {
        (0..self.ops.len()).filter(move |&n| self.place[n] == place).map(move |n| (round, n))
    }

    fn s(&self, round: usize, pair: usize) -> Vec<Step> {
        PAIRS[pair].iter().flat_map(|&part| self.at(round, S(part))).collect()
    }

    /// What a round leaves for the next.
    fn left(&self, round: usize) -> Vec<Step> {
        let pair = round % 2;
        self.at(round, Own(1 - pair)).chain(self.at(round, Rows(pair))).collect()
    }

    /// The rest of a round, after S of the first pair.
    fn rest(&self, round: usize) -> Vec<Step> {
        let pair = round % 2;
        let own = self.at(round, Own(pair)).collect();
        let mut steps = beside(self.s(round, 1 - pair), own);
        steps.extend(self.at(round, Both).chain(self.at(round, Rows(1 - pair))));
        steps
    }

    fn of(&self, (round, n): Step) -> Vec<Step> {
        let source = |&a: &usize| match self.ops[a].does {
            Given(i) => (round - 1, self.out[i]),
            _ => (round, a),
        };
        self.ops[n].of.iter().map(source).collect()
    }

    /// Those from before `cut` that are needed after it.
    fn live(&self, steps: &[Step], cut: usize) -> Vec<Step> {
        let mut live = Vec::new();
        for source in steps[cut..].iter().flat_map(|&step| self.of(step)) {
            if steps[..cut].contains(&source) && !live.contains(&source) {
                live.push(source);
            }
        }
        live
    }
}

/// Both, evenly mixed.
fn beside<T: Clone>(a: Vec<T>, b: Vec<T>) -> Vec<T> {
    let (mut mixed, mut j) = (Vec::new(), 0);
    for (i, x) in a.iter().enumerate() {
        // what of b stands before the middle of a's turn
        while j < b.len() && (2 * j + 1) * a.len() < (2 * i + 1) * b.len() {
            mixed.push(b[j].clone());
            j += 1;
        }
        mixed.push(x.clone());
    }
    mixed.extend_from_slice(&b[j..]);
    mixed
}

/// Where a value is: in a register, in a slot of memory, or in both.
#[derive(Clone, Copy, Default, PartialEq)]
struct At {
    register: Option<usize>,
    slot: Option<usize>,
}

/// Vectors that are given to values; the last two registers hold bits 6 and 7 of every byte.
const REGISTERS: usize = 30;
const SLOTS: usize = 18;
const _: () = assert!(size_of::<super::gfni512::gamma::UnderWay>() == 1024 + 2 * 64 + 64 * SLOTS);

fn zmm(r: usize) -> String {
    format!("%zmm{r}")
}

fn slot(s: usize) -> String {
    assert!(s < SLOTS);
    format!("{}({{slots}})", 64 * s)
}

/// Gives registers to operations in their order, and writes them.
struct Writer<'a> {
    ops: &'a [Op],
    /// When each value is still needed.
    uses: Vec<VecDeque<usize>>,
    at: BTreeMap<usize, At>,
    masks: BTreeMap<usize, usize>,
    registers: VecDeque<usize>,
    slots: VecDeque<usize>,
    free_masks: VecDeque<usize>,
    /// Whether bit 7 is tested, on the port of permutations, or moved, on that of products.
    tests: bool,
    text: Vec<String>,
}

impl<'a> Writer<'a> {
    /// `given` says where the first values are; `results` are needed to the end.
    fn new(ops: &'a [Op], given: &[At], results: &[usize]) -> Self {
        let mut uses = std::vec![VecDeque::new(); ops.len()];
        for (n, op) in ops.iter().enumerate() {
            op.of.iter().for_each(|&a| uses[a].push_back(n));
        }
        results.iter().for_each(|&n| uses[n].push_back(usize::MAX));
        let register = |r: &usize| !given.iter().any(|at| at.register == Some(*r));
        let slot = |s: &usize| !given.iter().any(|at| at.slot == Some(*s));
        Writer {
            ops,
            uses,
            at: given.iter().copied().enumerate().collect(),
            masks: BTreeMap::new(),
            registers: (0..REGISTERS).filter(register).collect(),
            slots: (0..SLOTS).filter(slot).collect(),
            free_masks: (1..8).collect(),
            tests: true,
            text: Vec::new(),
        }
    }

    fn line(&mut self, line: String) {
        self.text.push(line);
    }

    fn register(&self, n: usize) -> Option<usize> {
        self.at.get(&n)?.register
    }

    fn last_use(&self, n: usize) -> bool {
        self.uses[n].len() == 1
    }

    /// A register; if need be, that of the value that is needed last goes to memory.
    fn take(&mut self, locked: &[usize]) -> usize {
        if let Some(r) = self.registers.pop_front() {
            return r;
        }
        let held = self.at.iter().filter(|(n, at)| at.register.is_some() && !locked.contains(n));
        let last = held.max_by_key(|(n, at)| (self.uses[**n][0], at.slot.is_some()));
        let (&n, &at) = last.expect("a value that is not needed now");
        let r = at.register.expect("filtered");
        let s = at.slot.unwrap_or_else(|| {
            let s = self.slots.pop_front().expect("slots enough");
            self.line(format!("vmovdqa64 {}, {}", zmm(r), slot(s)));
            s
        });
        self.at.insert(n, At { register: None, slot: Some(s) });
        r
    }

    /// The register of a value, loaded if need be.
    fn load(&mut self, n: usize, locked: &[usize]) -> String {
        let r = self.register(n).unwrap_or_else(|| {
            let r = self.take(locked);
            let at = self.at.get_mut(&n).expect("a value");
            at.register = Some(r);
            let s = at.slot.expect("in memory");
            self.line(format!("vmovdqa64 {}, {}", slot(s), zmm(r)));
            r
        });
        zmm(r)
    }

    /// The value where it is.
    fn operand(&self, n: usize) -> String {
        let at = self.at[&n];
        at.register.map_or_else(|| slot(at.slot.expect("somewhere")), zmm)
    }

    /// One use less.
    fn used(&mut self, n: usize) {
        self.uses[n].pop_front();
        if self.uses[n].is_empty() {
            if let Some(k) = self.masks.remove(&n) {
                self.free_masks.push_back(k);
            }
            let at = self.at.remove(&n).unwrap_or_default();
            self.registers.extend(at.register);
            at.slot.into_iter().for_each(|s| self.slots.push_front(s));
        }
    }

    /// A register for the result, after the last use of what it is made of.
    fn result(&mut self, n: usize) -> String {
        let of = &self.ops[n].of;
        // A slot that becomes free is read yet.
        let slots = core::mem::take(&mut self.slots);
        of.iter().for_each(|&a| self.used(a));
        let freed = core::mem::replace(&mut self.slots, slots);
        let r = self.take(of);
        freed.into_iter().for_each(|s| self.slots.push_front(s));
        self.at.insert(n, At { register: Some(r), slot: None });
        zmm(r)
    }

    /// The result takes the register of `a`, which is used no more.
    fn replace(&mut self, n: usize, a: usize) {
        let r = self.register(a).expect("loaded");
        let at = At { register: Some(r), slot: None };
        let old = self.at.get_mut(&a).expect("loaded");
        old.register = None;
        self.ops[n].of.iter().for_each(|&a| self.used(a));
        assert!(!self.at.contains_key(&a));
        self.at.insert(n, at);
    }

    fn write(&mut self, n: usize) {
        let ops = self.ops;
        let Op { does, of } = &ops[n];
        match does {
            Given(_) => {}
            NoBit6 | Bit7 => {
                let x = self.load(of[0], of);
                let k = self.free_masks.pop_front().expect("masks enough");
                self.masks.insert(n, k);
                self.line(match does {
                    NoBit6 => format!("vptestnmb %zmm31, {x}, %k{k}"),
                    _ if self.tests => format!("vptestmb %zmm30, {x}, %k{k}"),
                    _ => format!("vpmovb2m {x}, %k{k}"),
                });
                self.used(of[0]);
            }
            Permute(part) => {
                let x = self.load(of[0], of);
                let y = self.result(n);
                self.line(format!("vpermb {part}, {x}, {y}"));
            }
            Zero(part) => {
                let (x, k) = (self.load(of[1], of), self.masks[&of[0]]);
                let y = self.result(n);
                self.line(format!("vpermb {part}, {x}, {y} {{{{%k{k}}}}}{{{{z}}}}"));
            }
            Merge(part) => {
                let (x, y, k) = (self.load(of[2], of), self.load(of[0], of), self.masks[&of[1]]);
                self.line(format!("vpermb {part}, {x}, {y} {{{{%k{k}}}}}"));
                self.replace(n, of[0]);
            }
            Affine(by) => {
                let x = self.load(of[0], of);
                let y = self.result(n);
                self.line(format!("vgf2p8affineqb $0, {by}, {x}, {y}"));
            }
            Plus(memory) => {
                let x = self.load(of[0], of);
                let y = self.result(n);
                self.line(format!("vpxord {memory}, {x}, {y}"));
            }
            Masked(memory) => {
                let (x, mask) = (self.load(of[0], of), self.load(of[1], of));
                self.line(format!("vpternlogd $0x78, {memory}, {mask}, {x}"));
                self.replace(n, of[0]);
            }
            Key(i) => {
                let (x, y) = (self.load(of[0], of), self.load(of[1], of));
                self.line(format!("vpternlogd $0x96, {i}({{keys}}){{{{1to16}}}}, {y}, {x}"));
                self.replace(n, of[0]);
            }
            Load(memory) => {
                let y = self.result(n);
                self.line(format!("vmovdqa64 {memory}, {y}"));
            }
            Text(i) => {
                assert!(self.last_use(of[0]));
                let x = self.load(of[0], of);
                self.line(format!("vpxord {}({{text}}), {x}, {x}", 64 * i));
                self.line(format!("vmovdqu64 {x}, {}({{out}})", 64 * i));
                self.used(of[0]);
            }
            Xor | Low | High => {
                let commute = matches!(does, Xor) && self.register(of[0]).is_none();
                let [a, b] = if commute && self.register(of[1]).is_some() {
                    [of[1], of[0]]
                } else {
                    [of[0], of[1]]
                };
                let (x, y) = (self.load(a, of), self.operand(b));
                let z = self.result(n);
                let name = match does {
                    Xor => "vpxord",
                    Low => "vpunpcklbw",
                    _ => "vpunpckhbw",
                };
                self.line(format!("{name} {y}, {x}, {z}"));
            }
            Xor3 => {
                // One may be in memory. One must end here, or it has to be copied.
                while of.iter().filter(|&&a| self.register(a).is_none()).count() > 1 {
                    let a = of.iter().find(|&&a| self.register(a).is_none()).expect("counted");
                    self.load(*a, of);
                }
                let mut sorted = of.clone();
                sorted.sort_by_key(|&a| (self.register(a).is_none(), !self.last_use(a)));
                let [a, b, c] = sorted[..] else { unreachable!() };
                let (x, y, z) = (self.operand(a), self.operand(b), self.operand(c));
                if self.last_use(a) {
                    self.line(format!("vpternlogd $0x96, {z}, {y}, {x}"));
                    self.replace(n, a);
                } else {
                    let r = self.take(of);
                    self.line(format!("vmovdqa64 {x}, {}", zmm(r)));
                    self.line(format!("vpternlogd $0x96, {z}, {y}, {}", zmm(r)));
                    of.iter().for_each(|&a| self.used(a));
                    self.at.insert(n, At { register: Some(r), slot: None });
                }
            }
        }
    }

    /// Brings values to where they shall be.
    fn bring(&mut self, values: &[usize], to: &[At]) {
        let name = |at: &At| at.register.map_or_else(|| slot(at.slot.expect("somewhere")), zmm);
        let mut moves: Vec<(String, String, bool)> = Vec::new();
        for (n, to) in values.iter().zip(to) {
            let (from, end) = (self.at[n], name(to));
            let there = match to.register {
                Some(_) => from.register == to.register,
                None => from.slot == to.slot,
            };
            let from = if there { end.clone() } else { name(&from) };
            if from != end {
                moves.push((from, end, to.register.is_none()));
            }
        }
        let taken = |r: &usize| {
            values.iter().map(|n| &self.at[n]).chain(to).any(|at| at.register == Some(*r))
        };
        let spare = zmm((0..REGISTERS).find(|r| !taken(r)).expect("a register to spare"));
        let mut spare_holds = false;
        while !moves.is_empty() {
            let free = moves.iter().position(|m| !moves.iter().any(|other| other.0 == m.1));
            if let Some(free) = free {
                let (from, end, memory) = moves.remove(free);
                spare_holds &= from != spare;
                if memory && from.contains("slots") {
                    assert!(!spare_holds, "a second register to spare");
                    self.line(format!("vmovdqa64 {from}, {spare}"));
                    self.line(format!("vmovdqa64 {spare}, {end}"));
                } else {
                    self.line(format!("vmovdqa64 {from}, {end}"));
                }
            } else {
                assert!(!spare_holds, "a second register to spare");
                spare_holds = true;
                self.line(format!("vmovdqa64 {}, {spare}", moves[0].0));
                moves[0].0 = spare.clone();
            }
        }
        for (n, to) in values.iter().zip(to) {
            if let At { register: Some(r), slot: Some(s) } = *to
                && self.at[n].slot != Some(s)
            {
                self.line(format!("vmovdqa64 {}, {}", zmm(r), slot(s)));
            }
        }
    }
}

/// The steps as operations on `given` values.
fn operations(round: &Round, given: &[Step], steps: &[Step]) -> (Vec<Op>, BTreeMap<Step, usize>) {
    let mut ops: Vec<Op> =
        (0..given.len()).map(|i| Op { does: Given(i), of: Vec::new() }).collect();
    let mut ids: BTreeMap<Step, usize> = given.iter().enumerate().map(|(i, &s)| (s, i)).collect();
    for &step in steps {
        let mut op = round.ops[step.1].clone();
        if let Key(i) = &mut op.does {
            let word = 16 * (step.0 % 2) + i.parse::<usize>().expect("a number");
            *i = (4 * word).to_string();
        }
        op.of = round.of(step).iter().map(|source| ids[source]).collect();
        ids.insert(step, ops.len());
        ops.push(op);
    }
    (ops, ids)
}

/// The loop of two rounds: its text, the line where its middle is and what is where there, and where
/// everything is at its ends.
struct Loop {
    text: Vec<String>,
    middle: (usize, Vec<At>),
    ends: Vec<At>,
}

impl Loop {
    fn new(
        ops: &[Op],
        given: &[Step],
        ids: &BTreeMap<Step, usize>,
        cut: usize,
        live: &[Step],
    ) -> Self {
        let results: Vec<usize> = given.iter().map(|&(r, n)| ids[&(r + 2, n)]).collect();
        let mut ends: Vec<At> = (0..given.len())
            .map(|i| match i.checked_sub(16) {
                None => At { register: Some(i), slot: None },
                Some(s) => At { register: None, slot: Some(s) },
            })
            .collect();
        let mut best: Option<(usize, Loop)> = None;
        // Where values end is where they shall begin: by trial.
        for _ in 0..24 {
            let mut writer = Writer::new(ops, &ends, &results);
            let mut middle = (0, Vec::new());
            for n in given.len()..ops.len() {
                if n == given.len() + cut {
                    let at = live.iter().map(|step| writer.at[&ids[step]]).collect();
                    middle = (writer.text.len(), at);
                }
                writer.write(n);
            }
            let now: Vec<At> = results.iter().map(|n| writer.at[n]).collect();
            writer.bring(&results, &ends);
            let text = writer.text;
            let cost =
                text.iter().map(|l| l.starts_with("vmov") as usize + l.contains("slots") as usize);
            let cost = cost.sum();
            if best.as_ref().is_none_or(|b| cost < b.0) {
                best = Some((cost, Loop { text, middle, ends: ends.clone() }));
            }
            ends = now;
        }
        best.expect("a trial").1
    }
}

/// What stands before the middle of a batch's first two rounds: the first round of `sliced::Gamma`, and S of
/// the first pair of parts; beside them the end of the batch before.
fn seam(round: &Round, first: usize, live: &[Step], at: &[At]) -> Vec<String> {
    let record = Record::default();
    let (mut begin, mut end) = (Vec::new(), Vec::new());
    let add = |to: &mut Vec<usize>, does, of: &[usize]| {
        let n = record.add(does, of);
        to.push(n);
        n
    };
    let mut v = [0; 16];
    for i in [0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15] {
        let from = add(&mut end, Load(format!("{}({{state}})", 64 * (15 - i))), &[]);
        let d1 = format!("{}({{constants}}){{{{1to8}}}}", 4096 + 8 * (15 - i));
        v[i] = add(&mut end, Affine(d1), &[from]);
    }
    for level in 0..4 {
        let u = v;
        for i in 0..8 {
            v[2 * i] = add(&mut end, Low, &[u[i], u[i + 8]]);
            v[2 * i + 1] = add(&mut end, High, &[u[i], u[i + 8]]);
            if level == 3 {
                add(&mut end, Text(2 * i), &[v[2 * i]]);
                add(&mut end, Text(2 * i + 1), &[v[2 * i + 1]]);
            }
        }
    }
    let y = add(&mut begin, Load("1024({state})".to_string()), &[]);
    let carry = add(&mut begin, Load("1088({state})".to_string()), &[]);
    let mut x = [0; 16];
    let mut given = |begin: &mut Vec<usize>, pair: [usize; 2]| {
        for i in pair.into_iter().flat_map(|part| (part..16).step_by(4)) {
            let column = format!("{}({{columns}}){{{{1to8}}}}", 8 * i);
            let n = add(begin, Affine(column), &[y]);
            let n = add(begin, Plus(format!("{}({{others}}){{{{1to16}}}}", 4 * i)), &[n]);
            let change = format!("{}({{others}}){{{{1to16}}}}", 64 + 4 * i);
            x[i] = add(begin, Masked(change), &[n, carry]);
        }
    };
    given(&mut begin, PAIRS[0]);
    let substitute = begin.len();
    given(&mut begin, PAIRS[1]);
    let mut values: BTreeMap<Step, usize> =
        round.out.iter().zip(x).map(|(&n, x)| ((first - 1, n), x)).collect();
    let mut looked_up = Vec::new();
    for (r, n) in round.s(first, 0) {
        let of: Vec<usize> = round.of((r, n)).iter().map(|source| values[source]).collect();
        let mut does = round.ops[n].does.clone();
        if let Key(i) = &mut does {
            *i = (4 * i.parse::<usize>().expect("a number")).to_string();
        }
        values.insert((r, n), add(&mut looked_up, does, &of));
    }
    begin.splice(substitute..substitute, looked_up);
    let order = beside(begin, end);
    let new: BTreeMap<usize, usize> = order.iter().enumerate().map(|(i, &n)| (n, i)).collect();
    let renamed = |&n: &usize| {
        let op = &record.0.borrow()[n];
        Op { does: op.does.clone(), of: op.of.iter().map(|a| new[a]).collect() }
    };
    let ops: Vec<Op> = order.iter().map(renamed).collect();
    let results: Vec<usize> = live.iter().map(|step| new[&values[step]]).collect();
    let mut writer = Writer::new(&ops, &[], &results);
    writer.tests = false; // the transposition is permutations, too
    (0..ops.len()).for_each(|n| writer.write(n));
    writer.bring(&results, at);
    writer.text
}

/// The whole text.
fn gamma() -> String {
    let round = Round::new();
    // Rounds from the middle of an endless row, of which `first` is even.
    let first = 2;
    let mut steps = Vec::new();
    let mut begins = Vec::new();
    for r in 1..first + 4 {
        begins.push(steps.len());
        let left = if r > 1 { round.left(r - 1) } else { Vec::new() };
        steps.extend(beside(round.s(r, r % 2), left));
        steps.extend(round.rest(r));
    }
    let (begin, end) = (begins[first - 1], begins[first + 1]);
    let left = round.left(first - 1);
    let cut = round.s(first, 0).len() + left.len();
    let given = round.live(&steps, begin);
    let live = round.live(&steps, begin + cut);
    let (ops, ids) = operations(&round, &given, &steps[begin..end]);
    let body = Loop::new(&ops, &given, &ids, cut, &live);

    let (ops, ids) = operations(&round, &given, &left);
    let results: Vec<usize> = round.out.iter().map(|&n| ids[&(first - 1, n)]).collect();
    let mut last = Writer::new(&ops, &body.ends, &results);
    (given.len()..ops.len()).for_each(|n| last.write(n));
    for (i, n) in results.iter().enumerate() {
        let x = last.load(*n, &results);
        last.line(format!("vmovdqa64 {x}, {}({{state}})", 64 * i));
        last.used(*n);
    }

    let mut text = String::new();
    let mut part = |comment: &str, lines: &[String]| {
        text += &format!("# {comment}\n");
        lines.iter().for_each(|line| text += &format!("{line}\n"));
    };
    let line = |line: &str| line.to_string();
    part("Written by kuznyechik/assembly.rs; not to be changed by hand.", &[]);
    part(
        "bits 6 and 7 of every byte",
        &[
            line("vpbroadcastd 4224({constants}), %zmm31"),
            line("vpbroadcastd 4228({constants}), %zmm30"),
        ],
    );
    part(
        "the end of the last batch, beside the first round of this one",
        &seam(&round, first, &live, &body.middle.1),
    );
    part("eight rounds, two by two", &[line("mov $4, {count:e}"), line("jmp 3f"), line("2:")]);
    let (before, after) = body.text.split_at(body.middle.0);
    part("S of an even round's first parts, beside what is left of the round before", before);
    part("the rest of the even round, and the odd one", &[line("3:")]);
    part("S of the other parts, beside T", after);
    part("the next two", &[line("add $128, {keys}"), line("sub $1, {count:e}"), line("jnz 2b")]);
    part("what is left of the last round", &last.text);
    text
}

#[test]
fn gamma_is_current() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/kuznyechik/gfni512/gamma.s");
    let text = gamma();
    if std::env::var_os("BULAT_WRITE").is_some() {
        std::fs::write(path, &text).expect("writes");
    }
    let written = std::fs::read_to_string(path).expect("reads").replace('\r', "");
    assert!(written == text, "run `BULAT_WRITE=1 cargo test -p bulat --lib assembly`");
}
