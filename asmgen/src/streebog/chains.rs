//! Two steps of the chains of Streebog's compression (`bulat/src/streebog/rounds.rs`) for AVX2 with GFNI: an LPS of the
//! key and of the state from `Columns`, and another of both from `Rows`.
//!
//! Each chain takes some 32 cycles a step on Zen 5 where it does not wait, and two ports take 35 for the look-ups,
//! permutations, products and affine maps of both: only an order in which hardly any of them waits for a port comes near
//! that. [`ORDER`] was found by trying, in a model of the processor, in which what is ready begins in the order of the
//! text, but on the port that it was given when it came into the queues, the one with the fewest waiting; then on the
//! processor itself, some operations at a time. That program is lost; any order that the assertions below accept is
//! right, and `cargo bench -p bulat --bench streebog` says what it takes.
//!
//! A value is a state, two vectors; the same operation on both stands side by side.

use std::collections::VecDeque;

use crate::File;
use crate::registers::written;
use crate::text::{Does, Does::*, Set, Text};

const TABLES: &str = "rdi";
const ROUNDS: &str = "rsi";
const COUNT: &str = "rcx";
const TAKES: &[(&str, &str)] = &[
    (TABLES, "the tables, `Chains` of image.rs"),
    (ROUNDS, "constants of the rounds, 64 bytes a step; left behind the last"),
    (COUNT, "pairs of steps, at least 1; left 0"),
    ("ymm0, ymm1", "the key, read"),
    ("ymm2, ymm3", "the state, read and written"),
];

/// Where its parts are, of 32 bytes each; then, from a multiple of 64 on, the products' diagonals.
const ZERO: usize = 0;
const RIGHT: usize = 32;
const INVERSE: usize = 2 * 32;
const K: usize = 3 * 32;
const PHI: usize = 4 * 32;
const SIGMA: usize = 5 * 32;
const E: usize = 6 * 32;
const ONE: usize = 7 * 32;
const TWO: usize = 8 * 32;
const GROUPS: usize = 10 * 32;
const INSIDE: usize = GROUPS + 2 * 4 * 64;

/// A value, and whether its vectors change places.
type Value = (usize, bool);

/// What makes a value.
enum Node {
    Given,
    /// An operation, with a constant as its first operand, and with how far apart are the bytes in memory that it
    /// takes with each of the vectors.
    Op(Does, Option<usize>, Vec<Value>, usize),
    /// A sum, also of what stands at this byte of the round's constants. Each addition takes those two that have
    /// waited longest.
    Sum(Vec<Value>, Option<usize>),
}

/// The next operations; a sum once for each addition.
#[rustfmt::skip]
const ORDER: [u8; 126] = [
    2, 3, 8, 28, 29, 7, 4, 5, 6, 9, 30, 10, 11, 31, 36, 32, 34, 37, 38, 12, 12, 13, 22, 16, 26, 33,
    14, 17, 20, 18, 20, 24, 26, 23, 15, 35, 19, 38, 26, 25, 20, 26, 21, 26, 53, 40, 39, 43, 42, 49,
    46, 41, 44, 50, 46, 52, 54, 45, 51, 46, 48, 27, 52, 52, 47, 55, 52, 56, 59, 57, 58, 61, 60, 52,
    62, 77, 78, 79, 63, 83, 63, 66, 80, 81, 64, 85, 82, 84, 86, 87, 65, 67, 71, 75, 87, 69, 89, 68,
    69, 74, 72, 73, 75, 75, 69, 75, 88, 90, 97, 70, 96, 93, 99, 91, 93, 95, 75, 76, 98, 92, 99, 99,
    93, 94, 99, 99,
];

struct Algorithm(Vec<Node>);

impl Algorithm {
    fn add(&mut self, node: Node) -> Value {
        self.0.push(node);
        (self.0.len() - 1, false)
    }
    fn lookup(&mut self, table: usize, index: Value) -> Value {
        self.add(Node::Op(Two("pshufb", false), Some(table), Vec::from([index]), 0))
    }
    fn times(&mut self, a: Value, b: Value) -> Value {
        self.add(Node::Op(Two("gf2p8mulb", true), None, Vec::from([a, b]), 0))
    }
    fn with(&mut self, name: &'static str, x: Value, base: &'static str, at: usize) -> Value {
        self.add(Node::Op(With(name, (base, at)), None, Vec::from([x]), 0))
    }
    fn number(&mut self, name: &'static str, x: Value, number: u8) -> Value {
        self.add(Node::Op(Number(name, number), None, Vec::from([x]), 0))
    }

    /// As `substitute` of `streebog/avx2gfni.rs`.
    fn substitute(&mut self, x: Value) -> Value {
        let r = self.with("gf2p8affineqb", x, TABLES, RIGHT);
        let inverse = self.lookup(INVERSE, r);
        let p = self.times(x, inverse);
        let phi = self.lookup(PHI, p);
        let q = self.times(r, phi);
        let zero = self.with("pcmpeqb", r, TABLES, ZERO);
        let e = self.lookup(E, x);
        let e = self.add(Node::Op(Two("pand", true), None, Vec::from([e, zero]), 0));
        let k = self.lookup(K, p);
        let sigma = self.lookup(SIGMA, q);
        self.add(Node::Sum(Vec::from([e, k, sigma]), None))
    }

    /// Products by the diagonals at this byte of the tables.
    fn products(&mut self, x: [Value; 4], diagonals: usize) -> Vec<Value> {
        let product = |(i, x)| {
            let times = With("gf2p8mulb", (TABLES, diagonals + 64 * i));
            self.add(Node::Op(times, None, Vec::from([x]), 32))
        };
        x.into_iter().enumerate().map(product).collect()
    }

    /// L: the sum of four products, of four others that are then moved, of `e`, and of the constant at this byte of
    /// the round's. See [`Chains`].
    fn mix(&mut self, columns: bool, x: Value, e: Option<Value>, c: Option<usize>) -> Value {
        let groups = (x.0, !x.1);
        let (b, quarter) =
            if columns { (self.with("pshufb", x, TABLES, ONE), 0xb1) } else { (groups, 0x4e) };
        let moved = self.number("pshufd", x, quarter);
        let both = if columns { self.number("pshufd", b, quarter) } else { (moved.0, !moved.1) };
        let x = [x, b, moved, both];
        let diagonals = if columns { INSIDE } else { GROUPS };
        let sum = self.products(x, diagonals + 256);
        let sum = self.add(Node::Sum(sum, None));
        let sum = if columns {
            self.with("pshufb", sum, TABLES, TWO)
        } else {
            self.number("perm2i128", sum, 1)
        };
        let mut terms = self.products(x, diagonals);
        terms.push(sum);
        terms.extend(e);
        self.add(Node::Sum(terms, c))
    }
}

/// The nodes of two steps; those given, and the results.
fn nodes() -> (Vec<Node>, [usize; 2], [usize; 2]) {
    let mut algorithm = Algorithm(Vec::new());
    let given = [(); 2].map(|()| algorithm.add(Node::Given));
    let [mut key, mut state] = given;
    for step in 0..2 {
        // The key has the round's constant, which the state takes out again.
        let (columns, c) = (step == 0, 64 * step);
        let s = algorithm.substitute(key);
        key = algorithm.mix(columns, s, None, Some(c));
        let c = With("pxor", (ROUNDS, c));
        let without = algorithm.add(Node::Op(c, None, Vec::from([key]), 32));
        let s = algorithm.substitute(state);
        state = algorithm.mix(columns, s, Some(without), None);
    }
    (algorithm.0, given.map(|value| value.0), [key.0, state.0])
}

/// A value in the text.
type Vectors = [usize; 2];

fn turned(value: Vectors, turn: bool) -> Vectors {
    if turn { [value[1], value[0]] } else { value }
}

/// The operations by [`ORDER`], and the results.
fn chains() -> (Text, Vec<usize>) {
    let (nodes, given, results) = nodes();
    let set = Set { word: "avx2gfni", len: 32, registers: 16, apart: true };
    let mut text = Text { set, ops: Vec::new() };
    let mut made: Vec<Option<Vectors>> = vec![None; nodes.len()];
    for number in given {
        made[number] = Some([0, 1].map(|_| text.add(Given, &[])));
    }
    let mut constants: Vec<(usize, usize)> = Vec::new();
    for node in &nodes {
        if let Node::Op(_, Some(at), ..) = *node
            && constants.iter().all(|constant| constant.0 != at)
        {
            constants.push((at, text.add(Constant((TABLES, at)), &[])));
        }
    }
    // Terms of sums; the first may stand in memory.
    let mut waiting: Vec<VecDeque<Option<Vectors>>> = vec![VecDeque::new(); nodes.len()];
    let mut additions = vec![0; nodes.len()];
    for (number, node) in nodes.iter().enumerate() {
        if let Node::Sum(terms, c) = node {
            additions[number] = terms.len() - 1 + c.iter().len();
            waiting[number].extend(c.map(|_| None));
        }
    }
    for number in ORDER.map(usize::from) {
        let value: Vectors = match &nodes[number] {
            Node::Given => unreachable!("made before"),
            Node::Op(does, table, of, apart) => {
                let value = |&(node, turn): &Value| turned(made[node].expect("made"), turn);
                let of: Vec<Vectors> = of.iter().map(value).collect();
                let table = constants.iter().find(|constant| Some(constant.0) == *table);
                [0, 1].map(|i| {
                    let of = of.iter().map(|v| v[i]);
                    let of: Vec<usize> = table.map(|c| c.1).into_iter().chain(of).collect();
                    let does = match *does {
                        With(name, (base, at)) => With(name, (base, at + apart * i)),
                        ref does => does.clone(),
                    };
                    text.add(does, &of)
                })
            }
            Node::Sum(_, c) => {
                let terms = [(); 2].map(|()| waiting[number].pop_front().expect("a term"));
                let sum = match (terms, c) {
                    ([Some(a), Some(b)], _) => [0, 1].map(|i| text.xor(a[i], b[i])),
                    ([None, Some(a)], Some(c)) => {
                        [0, 1].map(|i| text.add(With("pxor", (ROUNDS, c + 32 * i)), &[a[i]]))
                    }
                    _ => unreachable!("memory comes first"),
                };
                additions[number] -= 1;
                if additions[number] > 0 {
                    waiting[number].push_back(Some(sum));
                    continue;
                }
                sum
            }
        };
        assert!(made[number].replace(value).is_none(), "{number} twice");
        for (sum, waiting) in nodes.iter().zip(&mut waiting) {
            if let Node::Sum(terms, _) = sum {
                let terms = terms.iter().filter(|term| term.0 == number);
                waiting.extend(terms.map(|term| Some(turned(value, term.1))));
            }
        }
    }
    assert!(waiting.iter().all(VecDeque::is_empty));
    let results = results.map(|node| made[node].expect("made"));
    (text, results.concat())
}

pub fn file() -> File {
    let (text, results) = chains();
    let (lines, slots) = written(&text, &results);
    assert_eq!(slots, 0);
    File {
        name: "streebog/avx2gfni.s".into(),
        about: "Streebog, the chains of one message's compression but for the first steps: keys and state, avx2gfni.".into(),
        takes: TAKES,
        changes: format!("{}, flags", text.set.vectors(4)),
        user: "streebog/avx2gfni/chains.rs",
        checked: "--lib streebog::rounds, --test streebog_kernels (reference)",
        lines: format!("2:\n{lines}add {ROUNDS}, 128\ndec {COUNT}\njnz 2b\n"),
    }
}
