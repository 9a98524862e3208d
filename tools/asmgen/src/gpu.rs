//! `gpu/kernels/circuits.h`: circuits of S-boxes and linear maps for the kernels of GPUs. The circuits of Magma and
//! of π in two-input gates are those of the library, read from its sources; sums for L are found here.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

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
/// as `lut` of `core/src/magma/sbox/circuits.rs` has it. The constant is added to the round keys.
const PI: &str = include_str!("gpu/pi.txt");

const HEAD: &str = "\
// Circuits for bit planes: GOST R 34.12-2015, GOST R 34.11-2012, RFC 4357 and RFC 7836. Written by cargo run -p asmgen,
// from core/src/magma/sbox/circuits.rs, core/src/pi.rs and the matrices of the standards. device.h has the gates.
";

/// The text.
pub fn circuits(magma: &str, pi: &str, streebog: &str) -> String {
    let mut out = String::from(HEAD);
    out += "\n// Magma and GOST 28147-89: y ^= S(x), box by box.\n#if TERNARY\n";
    boxes(&mut out, after(magma, "fn three<"));
    out += "#else\n";
    boxes(&mut out, after(magma, "fn two<"));
    out += "#endif\n";
    out += "\n// pi of Kuznyechik and Streebog, on eight planes, and its inverse. The result of PI is pi ^ PI_CONSTANT.\n";
    out += "#if TERNARY\n#define PI_CONSTANT 0xe8\n";
    ternary_pi(&mut out);
    out += "#else\n#define PI_CONSTANT 0\n";
    function(&mut out, "PI", after(pi, "fn pi<"));
    out += "#endif\n";
    function(&mut out, "PI_INVERSE", after(pi, "fn pi_inverse<"));
    out += "\n// The sum l of Kuznyechik (RFC 7801, section 4.2): B(k, b) is bit b of byte k in memory order.\n";
    linear(&mut out, "KUZNYECHIK_SUM", &kuznyechik(), 128, |i| format!("B({},{})", i / 8, i % 8));
    out += "\n// The map l of Streebog (RFC 6986, section 6.4): from x[8 j + v] to y[8 k + b].\n";
    linear(&mut out, "STREEBOG_L", &rows(streebog), 64, |i| format!("x[{i}]"));
    out
}

fn after<'a>(text: &'a str, mark: &str) -> &'a str {
    &text[text.find(mark).unwrap_or_else(|| panic!("no {mark}"))..]
}

/// The arms of a `match BOX`, each a line.
fn boxes(out: &mut String, text: &str) {
    let mut number = 0;
    for line in text.lines() {
        let line = line.trim();
        if line.starts_with("_ =>") {
            break;
        }
        let Some((n, body)) = line.split_once(" => { ") else { continue };
        assert_eq!(n.parse(), Ok(number), "{line}");
        if number % 8 == 0 {
            writeln!(out, "// {}", SETS[number / 8]).unwrap();
        }
        let body = body.strip_suffix(" }").expect(line);
        write!(out, "#define BOX_{}_{}(a, b, c, d, y0, y1, y2, y3) {{ ", number / 8, number % 8)
            .unwrap();
        let mut gates: Vec<&str> = body.split("; ").collect();
        let result = gates.pop().expect(line);
        for gate in gates {
            let (name, value) =
                gate.strip_prefix("let ").and_then(|g| g.split_once(" = ")).expect(line);
            write!(out, "u32 g{name} = {}; ", expression(value)).unwrap();
        }
        let result = result.strip_prefix('[').and_then(|r| r.strip_suffix(']')).expect(line);
        for (i, value) in top_level(result).into_iter().enumerate() {
            if value.starts_with("y[") {
                write!(out, "y{i} = {}; ", expression(value)).unwrap();
            } else {
                write!(out, "y{i} ^= {}; ", expression(value)).unwrap();
            }
        }
        out.push_str("}\n");
        number += 1;
    }
    assert_eq!(number, 64);
}

/// Split at commas outside brackets.
fn top_level(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0, 0);
    for (i, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[start..i].trim());
                start = i + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts
}

/// A gate in C: `d.lut::<0x28>(c, a)`, `a & !b`, `!(a ^ b)`, `a`.
fn expression(gate: &str) -> String {
    let name = |n: &str| -> String {
        match n {
            "a" | "b" | "c" | "d" => n.into(),
            _ if n.starts_with("y[") => format!("y{}", &n[2..3]),
            _ if n.len() == 1 => format!("g{n}"),
            _ => panic!("a name in {gate}: {n}"),
        }
    };
    if let Some((first, rest)) = gate.split_once(".lut::<") {
        let (table, rest) = rest.split_once(">(").expect(gate);
        let (second, third) = rest.strip_suffix(')').and_then(|r| r.split_once(", ")).expect(gate);
        return format!("LUT3({}, {}, {}, {table})", name(first), name(second), name(third));
    }
    let mut out = String::new();
    for word in gate.split(' ') {
        match word {
            "&" | "|" | "^" => write!(out, " {word} ").unwrap(),
            _ => {
                let negated = word.starts_with('!');
                out += if negated { "~" } else { "" };
                out += &name(word.trim_start_matches('!'));
            }
        }
    }
    out
}

/// A function of `core/src/pi.rs` as a macro: `let` by `let`.
fn function(out: &mut String, name: &str, text: &str) {
    let planes = |c: char| (0..8).map(|i| format!("{c}{i}")).collect::<Vec<_>>().join(", ");
    writeln!(out, "#define {name}({}, {}) {{ \\", planes('i'), planes('o')).unwrap();
    let mut names = BTreeMap::new();
    for line in text.lines().skip(1) {
        let line = line.trim();
        if line.starts_with("let [") {
            (0..8).for_each(|i| drop(names.insert(format!("x{i}"), format!("i{i}"))));
        } else if let Some((to, value)) =
            line.strip_prefix("let ").and_then(|l| l.split_once(" = "))
        {
            let value = translate(value.trim_end_matches(';'), &names);
            // A name may be given again; in C each is new.
            let new = if to.starts_with('x') { format!("n{to}") } else { format!("p{to}") };
            writeln!(out, "  u32 {new} = {value}; \\").unwrap();
            names.insert(to.into(), new);
        } else if let Some(result) = line.strip_prefix('[') {
            let result = result.trim_end_matches(']');
            let to: Vec<String> = result
                .split(", ")
                .enumerate()
                .map(|(i, value)| format!("o{i} = {};", translate(value, &names)))
                .collect();
            writeln!(out, "  {} }}", to.join(" ")).unwrap();
            return;
        }
    }
    panic!("{name} has no end");
}

/// An expression of Rust in C, its names replaced.
fn translate(text: &str, names: &BTreeMap<String, String>) -> String {
    let (mut out, mut word) = (String::new(), String::new());
    for c in text.chars().chain([' ']) {
        if c.is_ascii_alphanumeric() {
            word.push(c);
            continue;
        }
        if !word.is_empty() {
            out += names.get(&word).unwrap_or_else(|| panic!("{word} in {text}"));
            word.clear();
        }
        out.push(if c == '!' { '~' } else { c });
    }
    out.trim_end().into()
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
        let to = name(w[0]);
        writeln!(
            out,
            "  u32 {to} = LUT3({}, {}, {}, {table:#04x}); \\",
            name(w[1]),
            name(w[2]),
            name(w[3])
        )
        .unwrap();
    }
    let to: Vec<String> = (0..8).map(|i| format!("o{i} = py{i};")).collect();
    writeln!(out, "  {} }}", to.join(" ")).unwrap();
}

type Row = BTreeSet<usize>;

/// The terms of each bit of l: RFC 7801, section 4.2, bytes in memory order (a_15 first).
fn kuznyechik() -> Vec<Row> {
    const L: [u16; 16] = [148, 32, 133, 16, 194, 192, 1, 251, 1, 192, 194, 16, 133, 32, 148, 1];
    let mut rows = vec![Row::new(); 8];
    for (k, c) in L.iter().enumerate() {
        for bit in 0..8 {
            let (mut product, mut a) = (0, *c);
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

/// The terms of each bit of Streebog's l: the matrix A of `core/src/streebog/constants/mod.rs`.
fn rows(text: &str) -> Vec<Row> {
    let text = after(text, "const A:");
    let numbers = text.split("0x").skip(1).take(64).map(|n| {
        let digits: String = n
            .chars()
            .take_while(|c| *c == '_' || c.is_ascii_hexdigit())
            .filter(|c| *c != '_')
            .collect();
        u64::from_str_radix(&digits, 16).expect(n)
    });
    let mut rows = vec![Row::new(); 64];
    for (i, a) in numbers.enumerate() {
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
    let best =
        (0..STARTS).map(|seed| search(rows, inputs, seed)).min_by_key(Sums::cost).expect("some");
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

/// Paar's greedy search (ISIT 1997): the pair that most sums share becomes one term, ties by lot; then sums that few
/// use go back into their users, where that costs nothing.
fn search(rows: &[Row], inputs: usize, mut seed: u64) -> Sums {
    let mut draw = |n: usize| {
        seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = seed;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) % n as u64) as usize
    };
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
        let (a, b) = pairs[draw(pairs.len())];
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
