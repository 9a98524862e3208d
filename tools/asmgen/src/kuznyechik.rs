//! Rounds of Kuznyechik by nibbles (`crates/core/src/kuznyechik/sbox/places.rs`), of encryption and of decryption.
//!
//! A compiler has a sixth more instructions. Here:
//!
//! - T goes quarter by quarter, so that eight vectors of nibbles and four sums are in registers at a time. Sums
//!   before products replace one of their terms, as soon as that is needed no more.
//! - S of a vector is some fifteen operations in a chain. A new chain begins every two and a half of them:
//!   as many are then on their way as the registers hold.
//!
//! For 512 bits the rounds are compiled (`crates/core/src/kuznyechik/round.rs`). A text of this kind costs a third less
//! there on Zen 5, which has GFNI and needs neither. On Intel's ports, the ports of every processor that picks
//! `avx512`, it cost 3.95, 3.78 and 3.60 cycles a byte for encryption, decryption and CTR, and compiled rounds 3.74,
//! 3.76 and 3.41 to 3.84: one port has all look-ups, so that their order decides nothing.

use bulat_core::kuznyechik::LEAVES;

use crate::File;
use crate::registers::written;
use crate::text::{Does, Does::*, LEN, MIDDLE, Place, SLOTS, Text, vectors};

/// Registers and their content.
const LIST: &str = "r10";
const PLACES: &str = "rax";
const KEYS: &str = "rdx";
const COUNT: &str = "r11";
const LEAVES_AT: &str = "r8";
const NUMBERS: &str = "r9";
const V: &str = "rdi";
const TAKES: &[(&str, &str)] = &[
    (LIST, "pointers, one a round, to the tables of its 16 places; left behind the last"),
    (
        KEYS,
        "16 tables of 16 bytes a round, with its key; 128 bytes into them, left 128 behind the last",
    ),
    (COUNT, "rounds, at least 1; left 0"),
    (LEAVES_AT, "the 81 constants of L; 128 bytes into them"),
    (NUMBERS, "tables of logarithms; 128 bytes into them"),
    (
        V,
        "16 vectors, byte i of each block in vector i: read, and written at the end of each round; 128 bytes into them",
    ),
    (SLOTS[0], "64 vectors of memory for what does not fit into registers; 128 bytes into them"),
    (SLOTS[1], "the same, 384 bytes into them"),
];

/// Vectors at [`SLOTS`], at most.
const MOST_SLOTS: usize = 64;

/// A table of 16 bytes, twice.
const REPEATED: usize = 32;
/// The halves of a linear map, in its 64 bytes.
const LINEAR: usize = 64;
const HALVES: [usize; 2] = [0, 16];
/// A place: two linear maps, three tables.
const PLACE: usize = 256;
const PLACE_TABLES: usize = 2 * LINEAR;

/// Where the tables of logarithms are, in the order of `Numbers` in `crates/core/src/kuznyechik/sbox/nibbles.rs`.
const FIFTEEN: usize = 0;
const MODULO: usize = REPEATED;
const LOG_L: usize = 2 * REPEATED;
const LOG_R: usize = 3 * REPEATED;
const LOG_PHI: usize = 4 * REPEATED;
const LOG_W: usize = 5 * REPEATED;
const LOG_TO_R: usize = 6 * REPEATED;
const LOG_TO_L: usize = 7 * REPEATED;

/// The parts in the order in which T makes them (`crates/core/src/kuznyechik/linear.rs`).
const MADE: [usize; 4] = [3, 1, 2, 0];

#[derive(Clone, Copy, PartialEq)]
enum Direction {
    Encrypt,
    Decrypt,
}

/// Half an operation's time; S begins every five, a unit of T every eight.
const OPERATION: usize = 2;
const SUBSTITUTION: usize = 5;
const UNIT: usize = 8;

/// The low nibbles of a vector, and the high ones.
type Halves = [usize; 2];

/// Registers point into the middle of what they name, but for the tables of places.
fn place(base: &'static str, at: usize) -> Place {
    (base, at as isize - if base == PLACES { 0 } else { MIDDLE })
}

/// The places of the halves of a linear map.
fn halves(base: &'static str, at: usize) -> [Place; 2] {
    HALVES.map(|half| place(base, at + half))
}

/// Operations, and the time of each in the text.
struct Round {
    ops: Vec<(Does, Vec<usize>)>,
    at: Vec<usize>,
    /// The operations from here on are a unit, which begins at this time.
    unit: usize,
    now: usize,
    fifteen: usize,
    /// The operands of T.
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
    /// Sums of four.
    fn sums(&mut self, a: [usize; 4], b: [usize; 4]) -> [usize; 4] {
        std::array::from_fn(|i| self.xor(a[i], b[i]))
    }
    fn lookup(&mut self, at: Place, index: usize) -> usize {
        self.add(Repeated("pshufb", at), &[index])
    }
    fn number(&mut self, at: usize, index: usize) -> usize {
        self.lookup(place(NUMBERS, at), index)
    }
    /// A vector of numbers; there is a single copy of each.
    fn constant(&mut self, at: usize) -> usize {
        let at = place(NUMBERS, at);
        let same = |op: &(Does, _)| matches!(op.0, Constant(other) if other == at);
        self.ops.iter().position(same).unwrap_or_else(|| {
            self.ops.push((Constant(at), Vec::new()));
            self.at.push(0);
            self.ops.len() - 1
        })
    }
    /// The halves of the linear map to l or r, or to k or w, of place i.
    fn map(&self, i: usize, n: usize) -> [Place; 2] {
        halves(PLACES, i * PLACE + n * LINEAR)
    }
    /// The second or third table of place i.
    fn table(&self, i: usize, n: usize) -> Place {
        place(PLACES, i * PLACE + PLACE_TABLES + 16 * n)
    }
    /// The halves of constant k of a leaf.
    fn by(&self, n: usize, k: usize) -> [Place; 2] {
        halves(LEAVES_AT, (3 * n + k) * LINEAR)
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
        let sum = self.add(With("paddb", place(NUMBERS, MODULO)), &[x]);
        self.least(x, sum)
    }

    /// As `substitute` of `crates/core/src/kuznyechik/sbox/places.rs`.
    fn substitute(&mut self, direction: Direction, i: usize, x: usize) -> usize {
        let x = self.split(x);
        let [a, b] = [0, 1].map(|n| self.product(x, self.map(i, n)));
        let [second_table, third_table] = [1, 2].map(|n| self.table(i, n));
        match direction {
            Direction::Encrypt => {
                let r = self.number(LOG_R, b);
                let l = self.number(LOG_L, a);
                let third = self.add(Two("psubb", false), &[a, r]);
                let m = self.add(Two("psubb", false), &[l, r]);
                let sum = self.add(Two("paddb", true), &[m, self.fifteen]);
                let m = self.least(m, sum);
                let q = self.number(LOG_PHI, m);
                let q = self.add(Two("paddb", true), &[q, r]);
                let third = self.lookup(third_table, third);
                let second = self.lookup(second_table, m);
                let y = self.xor(third, second);
                let q = self.modulo(q);
                let first = self.lookup(place(KEYS, 16 * i), q);
                self.xor(y, first)
            }
            Direction::Decrypt => {
                let w = self.number(LOG_W, b);
                let r = self.number(LOG_TO_R, a);
                let r = self.add(Two("paddb", true), &[r, w]);
                let l = self.number(LOG_TO_L, a);
                let l = self.add(Two("paddb", true), &[l, w]);
                let third = self.add(Two("psubb", false), &[a, w]);
                let (r, l) = (self.modulo(r), self.modulo(l));
                let third = self.lookup(third_table, third);
                let first = self.lookup(place(KEYS, 16 * i), r);
                let y = self.xor(third, first);
                let second = self.lookup(second_table, l);
                self.xor(y, second)
            }
        }
    }

    /// The product by the linear map with these halves.
    fn product(&mut self, x: Halves, [low, high]: [Place; 2]) -> usize {
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

    /// As `leaf` of `crates/core/src/kuznyechik/linear.rs`: both sums.
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
        // First, the leaf that is not done by the rule: its factors are still there for the sums of leaf x.
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

    /// The four with an index that ends in `bits`; where they are yet to be split, that comes a little before.
    fn part(&mut self, bits: usize, x: &[usize; 16]) -> [Halves; 4] {
        [0, 4, 8, 12].map(|i| {
            let i = i + bits;
            self.halves[i].unwrap_or_else(|| {
                let unit = std::mem::replace(&mut self.unit, self.ops.len());
                self.now -= UNIT;
                let halves = self.split(x[i]);
                self.now += UNIT;
                self.unit = unit;
                *self.halves[i].insert(halves)
            })
        })
    }

    /// T: see `toeplitz` there. The rows of the quarters of one part wait in memory until the rows of sums of parts
    /// come.
    fn toeplitz(&mut self, x: &[usize; 16]) -> [usize; 16] {
        let sum = |round: &mut Self, a: [Halves; 4], b: [Halves; 4]| {
            let sum = std::array::from_fn(|i| round.add_halves(a[i], b[i]));
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
        std::array::from_fn(|i| [y0, y1, y2, y3][i % 4][i / 4])
    }

    /// The operations in the order of their times, but their operands before them.
    fn ordered(self) -> Vec<(Does, Vec<usize>)> {
        let mut waiting: Vec<usize> = (0..self.ops.len()).collect();
        waiting.sort_by_key(|&n| self.at[n]);
        let mut new = vec![None; self.ops.len()];
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

/// The text of rounds.
fn rounds(direction: Direction) -> String {
    let mut round = Round {
        ops: Vec::new(),
        at: Vec::new(),
        unit: 0,
        now: UNIT,
        fifteen: 0,
        halves: [None; 16],
    };
    round.fifteen = round.constant(FIFTEEN);
    let x = std::array::from_fn(|i| round.add(Stands(place(V, LEN * i)), &[]));
    // In the order in which T reads and makes them.
    let order =
        |parts: [usize; 4]| parts.into_iter().flat_map(|bits| [0, 4, 8, 12].map(|i| bits + i));
    match direction {
        Direction::Encrypt => {
            for i in order(MADE) {
                round.begin(SUBSTITUTION);
                let y = round.substitute(direction, i, x[i]);
                round.halves[i] = Some(round.split(y));
            }
            // The time of the last S.
            round.begin(12 * OPERATION);
            let y = round.toeplitz(&x);
            for i in 0..16 {
                round.now = round.at[y[i]];
                round.add(Store(place(V, LEN * i)), &[y[i]]);
            }
        }
        Direction::Decrypt => {
            round.begin(UNIT);
            let y = round.toeplitz(&x);
            for i in order([3, 2, 0, 1]) {
                round.begin(SUBSTITUTION);
                let y = round.substitute(direction, i, y[i]);
                round.add(Store(place(V, LEN * i)), &[y]);
            }
        }
    }
    let text = Text { ops: round.ordered() };
    // A vector of the state is not read after the new vector has replaced it.
    for (n, (does, _)) in text.ops.iter().enumerate() {
        if let Store(to) = *does {
            let stands = |does: &Does| matches!(*does, Stands(from) if from == to);
            let old = text.ops.iter().position(|op| stands(&op.0)).expect("one for each");
            assert!(text.ops[n..].iter().all(|op| !op.1.contains(&old)));
        }
    }
    let (lines, slots) = written(&text, &[]);
    assert!(slots <= MOST_SLOTS, "{slots}");
    // Entered by a jump, as each further round is. Where the first round came from the instruction before, Zen 3 decoded
    // all rounds each time, and did not use its cache of decoded instructions (lab/NOTES.md).
    let begin = format!("jmp 2f\n.p2align 6\n2:\nmov {PLACES}, qword ptr [{LIST}]\n");
    let end = format!("add {LIST}, 8\nadd {KEYS}, 256\ndec {COUNT}\njnz 2b\n");
    // The compiler does not do it where all that it sees are the registers named.
    format!("{begin}{lines}{end}vzeroupper\n")
}

pub fn files() -> impl Iterator<Item = File> {
    [(Direction::Encrypt, "encrypt"), (Direction::Decrypt, "decrypt")].into_iter().map(
        |(direction, name)| File {
            name: format!("kuznyechik/avx2-{name}.s"),
            about: format!(
                "Kuznyechik, rounds of {name}ion by nibbles: 16 vectors of {LEN} bytes, avx2."
            ),
            takes: TAKES,
            changes: format!("{PLACES}, {}, flags", vectors(0)),
            user: "kuznyechik/sbox/nibbles.rs",
            checked: "cargo test -p bulat-core --lib assembly, and cargo test -p bulat --test kuznyechik_kernels",
            lines: rounds(direction),
        },
    )
}
