//! `crates/gpu/kernels/circuits.h`: circuits of S-boxes and linear maps for the kernels of GPUs. The circuits of Magma and of
//! π in two-input gates are recorded from the library's functions; sums for L are found here.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::ops::{BitAnd, BitOr, BitXor, Not};

use bulat_core::kuznyechik::{L, pi, pi_inverse};
use bulat_core::magma::{Gates, three, two};
use bulat_core::streebog::A;

/// Magma's sets, by their numbers in `ParamSet::ALL`.
const SETS: [&str; 8] = [
    "Test",
    "CryptoPro-A",
    "CryptoPro-B",
    "CryptoPro-C",
    "CryptoPro-D",
    "tc26-Z",
    "GOST R 34.11-94 Test",
    "GOST R 34.11-94 CryptoPro",
];

/// π + 0xE8 in 94 three-input gates, found by yosys-abc from its decomposition over GF(16): inputs, and the truth table
/// as an argument of `Gates::lut`. The constant is added to the round keys.
const PI: &str = include_str!("gpu/pi.txt");

const HEAD: &str = "\
// Circuits for bit planes: GOST R 34.12-2015, GOST R 34.11-2012, RFC 4357 and RFC 7836. Written by cargo run -p asmgen,
// from the circuits of the library and the matrices of the standards. device.h has the gates.
";

/// The text.
pub fn circuits() -> String {
    let mut out = String::from(HEAD);
    out += "\n// Magma and GOST 28147-89: y ^= S(x), box by box.\n#if TERNARY\n";
    boxes(&mut out, true);
    out += "#else\n";
    boxes(&mut out, false);
    out += "#endif\n";
    out += "\n// pi of Kuznyechik and Streebog, on eight planes, and its inverse. The result of PI is pi ^ PI_CONSTANT.\n";
    out += "#if TERNARY\n#define PI_CONSTANT 0xe8\n";
    ternary_pi(&mut out);
    out += "#else\n#define PI_CONSTANT 0\n";
    function(&mut out, "PI", pi);
    out += "#endif\n";
    function(&mut out, "PI_INVERSE", pi_inverse);
    out += "\n// The sum l of Kuznyechik (RFC 7801, section 4.2): B(k, b) is bit b of byte k in memory order.\n";
    linear(&mut out, "KUZNYECHIK_SUM", &kuznyechik(), 128, |i| format!("B({},{})", i / 8, i % 8));
    out += "\n// The map l of Streebog (RFC 6986, section 6.4): from x[8 j + v] to y[8 k + b].\n";
    accumulated(&mut out, "STREEBOG_L", &streebog(), 64);
    out
}

/// A wire of a circuit that is recorded: its number in [`CIRCUIT`], and whether it is inverted.
#[derive(Clone, Copy)]
struct Wire {
    number: usize,
    inverted: bool,
}

enum Gate {
    Input(String),
    Two(char, [Wire; 2]),
    Three(i32, [Wire; 3]),
}

thread_local! {
    static CIRCUIT: RefCell<Vec<Gate>> = const { RefCell::new(Vec::new()) };
}

fn add(gate: Gate) -> Wire {
    CIRCUIT.with_borrow_mut(|circuit| {
        circuit.push(gate);
        Wire { number: circuit.len() - 1, inverted: false }
    })
}

macro_rules! gates {
    ($($operator:ident $method:ident $by:literal;)*) => {$(
        impl $operator for Wire {
            type Output = Self;
            fn $method(self, b: Self) -> Self {
                add(Gate::Two($by, [self, b]))
            }
        }
    )*};
}
gates! { BitXor bitxor '^'; BitAnd bitand '&'; BitOr bitor '|'; }
impl Not for Wire {
    type Output = Self;
    fn not(self) -> Self {
        Wire { inverted: !self.inverted, ..self }
    }
}
impl Gates for Wire {
    const TERNARY: bool = true;
    fn lut<const F: i32>(self, b: Self, c: Self) -> Self {
        add(Gate::Three(F, [self, b, c]))
    }
}

/// A circuit over inputs of these names: its gates after the inputs, and its results.
fn recorded<const N: usize, const M: usize>(
    inputs: [String; N],
    circuit: impl Fn([Wire; N]) -> [Wire; M],
) -> (Vec<Gate>, [Wire; M]) {
    let results = circuit(inputs.map(|name| add(Gate::Input(name))));
    (CIRCUIT.take(), results)
}

/// A wire in C; `name` names the gate of a number.
fn wire(gates: &[Gate], w: Wire, name: &impl Fn(usize) -> String) -> String {
    let inverted = if w.inverted { "~" } else { "" };
    match &gates[w.number] {
        Gate::Input(input) => format!("{inverted}{input}"),
        _ => format!("{inverted}{}", name(w.number)),
    }
}

/// A gate in C.
fn expression(gates: &[Gate], n: usize, name: &impl Fn(usize) -> String) -> String {
    match &gates[n] {
        Gate::Input(input) => input.clone(),
        Gate::Two(by, [a, b]) => {
            format!("{} {by} {}", wire(gates, *a, name), wire(gates, *b, name))
        }
        Gate::Three(table, of) => {
            let [a, b, c] = of.map(|w| wire(gates, w, name));
            format!("LUT3({a}, {b}, {c}, {table:#04x})")
        }
    }
}

/// A box as a macro. Three-input gates add the old y in their last four.
fn put_box<const BOX: usize>(out: &mut String, ternary: bool) {
    if BOX.is_multiple_of(8) {
        writeln!(out, "// {}", SETS[BOX / 8]).unwrap();
    }
    let inputs = ["a", "b", "c", "d", "y0", "y1", "y2", "y3"].map(String::from);
    let (gates, results) = recorded(inputs, |[a, b, c, d, y @ ..]: [Wire; 8]| {
        if ternary { three::<_, BOX>([a, b, c, d], y) } else { two::<_, BOX>([a, b, c, d]) }
    });
    write!(out, "#define BOX_{}_{}(a, b, c, d, y0, y1, y2, y3) {{ ", BOX / 8, BOX % 8).unwrap();
    // Named by the letters after d.
    let name = |n: usize| format!("g{}", char::from(b'e' + (n - 8) as u8));
    for n in 8..gates.len() - if ternary { 4 } else { 0 } {
        write!(out, "u32 {} = {}; ", name(n), expression(&gates, n, &name)).unwrap();
    }
    for (i, result) in results.into_iter().enumerate() {
        if ternary {
            write!(out, "y{i} = {}; ", expression(&gates, result.number, &name)).unwrap();
        } else {
            write!(out, "y{i} ^= {}; ", wire(&gates, result, &name)).unwrap();
        }
    }
    out.push_str("}\n");
}

fn boxes(out: &mut String, ternary: bool) {
    macro_rules! all {
        ($($box:literal)*) => {$(put_box::<$box>(out, ternary);)*};
    }
    all!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31);
    all!(32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63);
}

/// A circuit on eight planes as a macro.
fn function(out: &mut String, name: &str, circuit: impl Fn([Wire; 8]) -> [Wire; 8]) {
    let planes = |c: char| (0..8).map(|i| format!("{c}{i}")).collect::<Vec<_>>().join(", ");
    writeln!(out, "#define {name}({}, {}) {{ \\", planes('i'), planes('o')).unwrap();
    let (gates, results) = recorded(std::array::from_fn(|i| format!("i{i}")), circuit);
    let name = |n: usize| format!("pt{}", n - 8);
    for n in 8..gates.len() {
        writeln!(out, "  u32 {} = {}; \\", name(n), expression(&gates, n, &name)).unwrap();
    }
    let results = results.into_iter().enumerate();
    let to: Vec<String> =
        results.map(|(i, r)| format!("o{i} = {};", wire(&gates, r, &name))).collect();
    writeln!(out, "  {} }}", to.join(" ")).unwrap();
}

/// π in three-input gates: lines `name first second third table`.
fn ternary_pi(out: &mut String) {
    let planes = |c: char| (0..8).map(|i| format!("{c}{i}")).collect::<Vec<_>>().join(", ");
    writeln!(out, "#define PI({}, {}) {{ \\", planes('i'), planes('o')).unwrap();
    let name =
        |n: &str| if let Some(i) = n.strip_prefix('x') { format!("i{i}") } else { format!("p{n}") };
    for line in PI.lines().filter(|l| !l.starts_with('#')) {
        let w: Vec<&str> = line.split(' ').collect();
        let table: u32 = w[4].parse().expect(line);
        let [to, a, b, c] = [0, 1, 2, 3].map(|i| name(w[i]));
        writeln!(out, "  u32 {to} = LUT3({a}, {b}, {c}, {table:#04x}); \\").unwrap();
    }
    let to: Vec<String> = (0..8).map(|i| format!("o{i} = py{i};")).collect();
    writeln!(out, "  {} }}", to.join(" ")).unwrap();
}

type Row = BTreeSet<usize>;

/// The terms of each bit of l: RFC 7801, section 4.2, bytes in memory order (a_15 first).
fn kuznyechik() -> Vec<Row> {
    let mut rows = vec![Row::new(); 8];
    for (k, c) in L.iter().enumerate() {
        for bit in 0..8 {
            let (mut product, mut a) = (0, u16::from(*c));
            for b in 0..8 {
                product ^= if bit == b { a } else { 0 };
                a = a << 1 ^ if a & 0x80 != 0 { 0x1c3 } else { 0 };
            }
            (0..8).filter(|o| product >> o & 1 != 0).for_each(|o| {
                rows[o].insert(8 * k + bit);
            });
        }
    }
    rows
}

/// The terms of each bit of Streebog's l.
fn streebog() -> Vec<Row> {
    let mut rows = vec![Row::new(); 64];
    for (i, a) in A.iter().enumerate() {
        (0..64).filter(|o| a >> o & 1 != 0).for_each(|o| {
            rows[o].insert(63 - i);
        });
    }
    rows
}

/// How many starts of the search are tried.
const STARTS: u64 = 400;

/// The sums as a macro of two- and three-input sums.
fn linear(
    out: &mut String,
    name: &str,
    rows: &[Row],
    inputs: usize,
    input: impl Fn(usize) -> String,
) {
    let best = best(rows, inputs);
    let label = |i: usize| if i < inputs { input(i) } else { format!("l{i}") };
    let sum = |terms: &[usize]| {
        let mut terms: Vec<String> = terms.iter().map(|i| label(*i)).collect();
        while terms.len() > 1 {
            let n = terms.len().min(3);
            let new = terms.drain(..n).collect::<Vec<_>>();
            let new = if n == 3 { format!("XOR3({})", new.join(", ")) } else { new.join(" ^ ") };
            terms.insert(0, new);
        }
        terms.remove(0)
    };
    writeln!(out, "// {} sums of three.\n#define {name}(y) {{ \\", best.cost()).unwrap();
    let mut done = BTreeSet::new();
    for (i, row) in best.outputs.iter().enumerate() {
        // The sums that it needs and that are not made yet, deepest first.
        let mut stack: Vec<(usize, bool)> = row.iter().rev().map(|n| (*n, false)).collect();
        while let Some((n, ready)) = stack.pop() {
            if n < inputs || done.contains(&n) {
                continue;
            }
            let terms = &best.gates[&n];
            if ready {
                done.insert(n);
                writeln!(out, "  u32 l{n} = {}; \\", sum(terms)).unwrap();
            } else {
                stack.push((n, true));
                stack.extend(terms.iter().rev().map(|n| (*n, false)));
            }
        }
        let end = if i + 1 == best.outputs.len() { "}" } else { "\\" };
        writeln!(out, "  y[{i}] = {}; {end}", sum(row)).unwrap();
    }
}

/// How many orders are tried.
const ORDERS: u64 = 100;

/// The sums as a macro of statements of at most three terms, from x to y, in an order that needs few registers: a sum adds
/// terms as they come, and a term that nothing else needs goes first.
fn accumulated(out: &mut String, name: &str, rows: &[Row], inputs: usize) {
    let best = best(rows, inputs);
    let first = best.gates.keys().max().map_or(inputs, |g| g + 1);
    let mut sums = best.gates.clone();
    sums.extend(best.outputs.iter().enumerate().map(|(i, row)| (first + i, row.clone())));
    let (registers, order) =
        (0..ORDERS).map(|seed| order(&sums, inputs, seed)).min_by_key(|o| o.0).expect("some");
    let label = |i: usize| match i {
        i if i < inputs => format!("x[{i}]"),
        i if i < first => format!("l{i}"),
        i => format!("y[{}]", i - first),
    };
    writeln!(out, "// {} sums of three, with {registers} values at a time.", best.cost()).unwrap();
    write!(out, "#define {name}(y) {{").unwrap();
    let mut begun = BTreeSet::new();
    for (to, terms) in order {
        let new = begun.insert(to);
        let declared = if new && to < first { "u32 " } else { "" };
        let terms: Vec<String> =
            (!new).then_some(to).into_iter().chain(terms).map(&label).collect();
        let sum = match terms.len() {
            3 => format!("XOR3({})", terms.join(", ")),
            _ => terms.join(" ^ "),
        };
        write!(out, " \\\n  {declared}{} = {sum};", label(to)).unwrap();
    }
    out.push_str(" }\n");
}

/// An order of statements, each a sum and the terms that it adds, and the most values at a time.
fn order(
    sums: &BTreeMap<usize, Vec<usize>>,
    inputs: usize,
    mut seed: u64,
) -> (usize, Vec<(usize, Vec<usize>)>) {
    let mut uses = BTreeMap::<usize, usize>::new();
    sums.values().flatten().for_each(|term| *uses.entry(*term).or_default() += 1);
    // Random weights: how much it is worth that a term is needed only once more, that a sum is complete, that its terms
    // are there.
    let [nearly, complete, there] = [300, 400, 1000].map(|n| draw(&mut seed, n) as i64);
    let lots: BTreeMap<usize, i64> =
        sums.keys().map(|sum| (*sum, draw(&mut seed, 200) as i64)).collect();
    let (mut left, mut live, mut most) = (sums.clone(), inputs, inputs);
    let mut statements = Vec::new();
    while !left.is_empty() {
        let choices = left.iter().filter_map(|(sum, terms)| {
            let mut ready: Vec<usize> =
                terms.iter().copied().filter(|t| !left.contains_key(t)).collect();
            let new = terms.len() == sums[sum].len();
            let n = if new && terms.len() % 2 == 1 { 3 } else { 2 }.min(terms.len());
            let share = there * ready.len() as i64 / terms.len() as i64;
            ready.sort_by_key(|t| uses[t]);
            let chosen = ready.get(..n)?.to_vec();
            let needed = |n| chosen.iter().filter(|t| uses[t] == n).count() as i64;
            let done = if n == terms.len() { complete } else { 0 };
            let more = i64::from(new) - needed(1);
            Some((1000 * more - nearly * needed(2) - done - share + lots[sum], *sum, chosen, more))
        });
        let (_, sum, chosen, more) = choices.min().expect("a sum of what is there");
        for term in &chosen {
            *uses.get_mut(term).expect("used") -= 1;
        }
        live = live.strict_add_signed(more as isize);
        most = most.max(live);
        let terms = left.get_mut(&sum).expect("left");
        terms.retain(|t| !chosen.contains(t));
        if terms.is_empty() {
            left.remove(&sum);
        }
        statements.push((sum, chosen));
    }
    (most, statements)
}

struct Sums {
    gates: BTreeMap<usize, Vec<usize>>,
    outputs: Vec<Vec<usize>>,
}

/// The number of sums of three for this number of terms.
fn cost(terms: usize) -> usize {
    terms / 2
}

impl Sums {
    fn cost(&self) -> usize {
        self.gates.values().chain(&self.outputs).map(|t| cost(t.len())).sum()
    }
    fn all(&mut self) -> impl Iterator<Item = &mut Vec<usize>> {
        self.gates.values_mut().chain(&mut self.outputs)
    }
}

/// A number below n by lot.
fn draw(seed: &mut u64, n: usize) -> usize {
    *seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *seed;
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ z >> 31) % n as u64) as usize
}

/// The cheapest sums that are found.
fn best(rows: &[Row], inputs: usize) -> Sums {
    (0..STARTS).map(|seed| search(rows, inputs, seed)).min_by_key(Sums::cost).expect("some")
}

/// Paar's greedy search (ISIT 1997): the pair that most sums share becomes one term, ties by lot; then sums that few
/// use go back into their users, where that costs nothing.
fn search(rows: &[Row], inputs: usize, mut seed: u64) -> Sums {
    // Columns: which rows have a term.
    let mut columns: Vec<u64> = vec![0; inputs];
    for (r, row) in rows.iter().enumerate() {
        row.iter().for_each(|i| columns[*i] |= 1 << r);
    }
    let mut gates = BTreeMap::new();
    loop {
        let (mut most, mut pairs) = (2, Vec::new());
        for a in 0..columns.len() {
            if columns[a].count_ones() < most {
                continue;
            }
            for b in a + 1..columns.len() {
                let shared = (columns[a] & columns[b]).count_ones();
                if shared > most {
                    most = shared;
                    pairs.clear();
                }
                if shared == most {
                    pairs.push((a, b));
                }
            }
        }
        if pairs.is_empty() {
            break;
        }
        let (a, b) = pairs[draw(&mut seed, pairs.len())];
        let shared = columns[a] & columns[b];
        columns[a] ^= shared;
        columns[b] ^= shared;
        gates.insert(columns.len(), vec![a, b]);
        columns.push(shared);
    }
    let outputs = (0..rows.len())
        .map(|r| (0..columns.len()).filter(|c| columns[*c] >> r & 1 != 0).collect())
        .collect();
    let mut sums = Sums { gates, outputs };
    loop {
        let mut changed = false;
        for g in sums.gates.keys().copied().collect::<Vec<_>>() {
            let terms = sums.gates[&g].clone();
            let users: Vec<usize> =
                sums.all().filter(|t| t.contains(&g)).map(|t| t.len()).collect();
            let overlap = sums.all().any(|t| t.contains(&g) && terms.iter().any(|x| t.contains(x)));
            let before = cost(terms.len()) + users.iter().map(|n| cost(*n)).sum::<usize>();
            let after: usize = users.iter().map(|n| cost(n - 1 + terms.len())).sum();
            if overlap || after > before || (after == before && users.len() > 1) {
                continue;
            }
            sums.gates.remove(&g);
            for t in sums.all().filter(|t| t.contains(&g)) {
                t.retain(|x| *x != g);
                t.extend(&terms);
            }
            changed = true;
        }
        if !changed {
            return sums;
        }
    }
}
