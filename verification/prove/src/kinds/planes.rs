//! Magma's rounds on bit planes.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;
use std::sync::Mutex;

use super::Tasks;
use super::apart::{self, Apart, Known};
use crate::abi::X86;
use crate::bytes::{bytes, filled, number};
use crate::call::Call;
use crate::domain::{self, Byte};
use crate::machine::{Machine, Or, STACK, refuse};
use crate::planes;
use crate::program::{Code, Function, Operand, Program};
use crate::standard::magma::{all_rows, g};
use crate::standard::xor;

/// How a function has its planes.
#[derive(Clone, Copy)]
struct Shape {
    /// Bytes of a plane, and batches side by side.
    plane: usize,
    batches: usize,
    /// Bytes of a key's plane: four of one key for all blocks; eight of the keys of eight sections, to which the columns belong
    /// in turn; or as many as a plane has.
    key: usize,
    rounds: usize,
}

impl Shape {
    /// The alignment of a plane: of a vector, or of numbers of eight bytes.
    fn aligned(self) -> u64 {
        if self.plane == PLANE { PLANE as u64 } else { 8 }
    }
    /// The alignment of a plane of a key.
    fn aligned_keys(self) -> u64 {
        self.key.min(8) as u64
    }
    /// The parts of a batch with keys of their own.
    fn parts(self) -> usize {
        if self.key == EIGHTHS { EIGHTHS } else { 1 }
    }
    /// The key words of the calls that are proved before others use the rounds.
    fn pairs(self) -> Vec<[u64; 2]> {
        if self.rounds == 2 { PAIRS.to_vec() } else { (0..8).map(|w| [w, w]).collect() }
    }
}

/// The key words of two rounds, in their order: RFC 8891 has no others.
const PAIRS: [[u64; 2]; 8] = [[0, 1], [2, 3], [4, 5], [6, 7], [7, 6], [5, 4], [3, 2], [1, 0]];
/// Key words of rounds in a call of their own.
const WORDS: [u64; 2] = [3, 5];
/// The parts of a batch of sections.
const EIGHTHS: usize = 8;
/// Bytes of a plane of 512 bits.
const PLANE: usize = 64;
/// A round of a batch of sections.
const SECTIONS: Shape = Shape { plane: PLANE, batches: 1, key: EIGHTHS, rounds: 1 };

/// The S-boxes of functions, by the place that each has in its kernel's lists: set 5 is the set of RFC 8891, the others
/// are the sets of RFC 4357 in its order. A list is eight addresses in a row: among the constants, or stored on the
/// stack.
pub struct Places(HashMap<usize, usize>);
impl Places {
    pub fn new(p: &Program) -> Self {
        let starts: HashMap<u64, usize> = (0..p.functions.len())
            .filter(|f| p.functions[*f].path.ends_with("::two"))
            .map(|f| (p.code[p.functions[f].first].at, f))
            .collect();
        let mut found: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        let constants: Vec<(u64, usize)> =
            p.words().filter_map(|(at, word)| Some((at, *starts.get(&word)?))).collect();
        let on_stack = p.functions.iter().map(|f| {
            let body = &p.code[f.first..f.first + f.len];
            body.windows(2).filter_map(|w| stored(&starts, &w[0], &w[1])).collect()
        });
        for stored in on_stack.chain([constants]) {
            let follows = |a: usize, b: usize| match (stored.get(a), stored.get(b)) {
                (Some(a), Some(b)) => b.0 == a.0.wrapping_add(8),
                _ => false,
            };
            for first in 0..stored.len() {
                // Eight, and no address before or after them that belongs to the list.
                let eight = (first..first + 7).all(|i| follows(i, i + 1));
                let before = first > 0 && follows(first - 1, first);
                if eight && !before && !follows(first + 7, first + 8) {
                    for (k, (_, f)) in stored[first..first + 8].iter().enumerate() {
                        found.entry(*f).or_default().insert(k);
                    }
                }
            }
        }
        // A function that a listed one calls is of its set.
        for (f, sets) in found.clone() {
            let f = &p.functions[f];
            for code in &p.code[f.first..f.first + f.len] {
                let Some(Operand::Code(to)) = code.operands.first() else { continue };
                let called =
                    |g: &Function| p.code[g.first].at == *to && g.path.ends_with("::round");
                if let Some(g) = p.functions.iter().position(called) {
                    found.entry(g).or_default().extend(&sets);
                }
            }
        }
        let one = |sets: BTreeSet<usize>| sets.first().copied().filter(|_| sets.len() == 1);
        Places(found.into_iter().filter_map(|(f, sets)| Some((f, one(sets)?))).collect())
    }
}

/// For an address that is computed and stored on the stack: the place there, and the function with this address.
fn stored(starts: &HashMap<u64, usize>, lea: &Code, store: &Code) -> Option<(u64, usize)> {
    let (Operand::General { r, .. }, Operand::Memory { place: of, .. }) =
        (lea.operands.first()?, lea.operands.get(1)?)
    else {
        return None;
    };
    let (Operand::Memory { place: to, n: 8, .. }, Operand::General { r: from, n: 8, .. }) =
        (store.operands.first()?, store.operands.get(1)?)
    else {
        return None;
    };
    let stack = to.base == Some((X86.sp, 8)) && to.index.is_none();
    let plain = of.base.is_none() && of.index.is_none();
    let good = lea.name == "lea" && store.name == "mov" && r == from && stack && plain;
    good.then_some((to.offset, *starts.get(&of.offset)?))
}

/// The number of a set with these rows: see [`Places`].
pub fn set_of(known: &[[u8; 16]; 8]) -> Option<usize> {
    (0..8).find(|set| rows(*set) == Some(*known))
}
/// The rows of a set by its number: see [`Places`].
pub fn rows(set: usize) -> Option<[[u8; 16]; 8]> {
    let order = [1, 2, 3, 4, 5, 0, 6, 7];
    Some(all_rows()[*order.get(set)?])
}

pub fn tasks(tasks: &mut Tasks, set: &str, name: &str, places: &Places) {
    let rounds = match name {
        "two" => 2,
        "round" | "section_round" => 1,
        _ => return,
    };
    let plane = if set == "portable" { 32 } else { PLANE };
    let shapes: Vec<Shape> = match set {
        _ if name == "section_round" => [SECTIONS].into(),
        "portable" => [4, 32].map(|key| Shape { plane, batches: 1, key, rounds }).into(),
        _ => [1, 2].map(|batches| Shape { plane, batches, key: 4, rounds }).into(),
    };
    // A function that is in no list is of the set that the proof finds: most are of the first.
    let boxes = places.0.get(&tasks.function).copied();
    let (word, sets) = match boxes {
        Some(k) => (format!("of set {k}"), vec![k]),
        None => ("of a set that the proof finds".into(), vec![5, 0, 1, 2, 3, 4, 6, 7]),
    };
    tasks.add(format!("planes {word}, all columns"), move |c, f| {
        // The memory that the function needs tells the shape: one batch or two, a key for all blocks or for each.
        let mut last = refuse("no shape");
        for rows in sets.iter().copied().filter_map(rows) {
            for shape in &shapes {
                c.again();
                last = run(c, f, *shape, &rows, WORDS);
                if last.is_ok() {
                    return last;
                }
            }
        }
        last
    });
}

/// Puts two rounds of each block for the rounds on planes of a kernel, or one round of a batch of sections. They are proved
/// for all pairs of key words.
pub fn replace(c: &mut Call, f: usize, rows: [[u8; 16]; 8]) -> Or<()> {
    static KNOWN: Known<(String, [[u8; 16]; 8]), Shape> = Mutex::new(BTreeMap::new());
    let p = c.m.p;
    let Some(own) = p.functions.iter().find(|o| o.first == f) else { return refuse("no module") };
    // The planes of `gfni512` are the planes of `avx512`; a program of Go has no others.
    let module = own.path.rsplit_once("::").map_or("bulat_core::magma::avx512", |(m, _)| m);
    let module = module.replace("gfni512", "avx512");
    let sections = own.path.ends_with("::sections");
    let name = format!("{module}::{}", if sections { "section_round" } else { "two" });
    let shapes: Vec<Shape> = match sections {
        true => vec![SECTIONS],
        false => [(PLANE, 1, 4), (PLANE, 2, 4), (32, 1, 4), (32, 1, 32)]
            .map(|(plane, batches, key)| Shape { plane, batches, key, rounds: 2 })
            .into(),
    };
    let prove = |c: &mut Call| {
        let places = Places::new(p);
        let of_rows = |i: &usize| places.0.get(i).is_none_or(|set| self::rows(*set) == Some(rows));
        let all = (0..p.functions.len()).filter(of_rows).map(|i| &p.functions[i]);
        let all = all.filter(|f| f.path.split("::<").next().unwrap_or(&f.path) == name);
        let mut proved = Apart::new();
        for f in all {
            let holds = |shape: &&Shape| {
                shape.pairs().iter().all(|pair| {
                    c.again();
                    let result = run(c, f.first, **shape, &rows, *pair);
                    proved.saw(c);
                    result.is_ok()
                })
            };
            if let Some(shape) = shapes.iter().find(holds) {
                proved.add(f.first, *shape);
            }
        }
        proved
    };
    apart::replace(c, &KNOWN, (name.clone(), rows), prove, |shape| {
        let kept = RefCell::new(Vec::new());
        Rc::new(move |m: &mut Machine| on_words(m, &rows, shape, &kept))
    })
}

/// Planes, and the words of all columns that they are.
type Kept = RefCell<Vec<(Vec<Byte>, Vec<Vec<Byte>>)>>;

/// A byte of these bits, each the bit with that number of a byte.
pub fn bits(of: impl Fn(usize) -> (usize, Byte)) -> Byte {
    let moved = |t: usize| {
        let (from, byte) = of(t);
        (domain::made(domain::Kind::Bit, (8 * from + t) as u64, |x| (x >> from & 1) << t), byte)
    };
    domain::combined(std::array::from_fn::<_, 8, _>(moved).into_iter())
}
/// The words of planes: bit i of the word of a column is that column's bit of plane i.
fn words_of(planes: &[Byte], n: usize, kept: &Kept) -> Vec<Vec<Byte>> {
    if let Some((_, words)) = kept.borrow().iter().find(|(p, _)| p == planes) {
        return words.clone();
    }
    let byte = |c: usize, j: usize| bits(|t| (c % 8, planes[(8 * j + t) * n + c / 8]));
    (0..8 * n).map(|c| (0..4).map(|j| byte(c, j)).collect()).collect()
}
/// The planes of words.
fn planes_of(words: &[Vec<Byte>], n: usize) -> Vec<Byte> {
    let of = |i: usize| bits(|q| (i / n % 8, words[8 * (i % n) + q][i / n / 8]));
    (0..32 * n).map(of).collect()
}

/// The rounds on planes by words, of a call like the proved calls. The masks of a key are bits in all places.
fn on_words(m: &mut Machine, rows: &[[u8; 16]; 8], shape: Shape, kept: &Kept) -> Or<()> {
    let argument =
        |r: usize| number(&m.general[r]).map_or_else(|| refuse("an argument hangs on data"), Ok);
    let (a, b, keys, words) = (argument(7)?, argument(6)?, argument(2)?, argument(1)?);
    let Shape { plane, batches, .. } = shape;
    let words_aligned = shape.rounds == 1 || words % 8 == 0;
    if (a | b) % shape.aligned() != 0 || keys % shape.aligned_keys() != 0 || !words_aligned {
        return refuse("planes at addresses that were not proved");
    }
    // All memory is apart, from the function's own stack too.
    let (half, of_key) = ((batches * 32 * plane) as u64, 32 * shape.key as u64);
    let stack = (STACK, m.top()? + 8 - STACK);
    let mut parts = vec![(a, half), (b, half), (keys, 8 * of_key), stack];
    // A single round has its word itself.
    if shape.rounds == 2 {
        parts.push((words, 16));
    }
    parts.sort_unstable();
    if parts.windows(2).any(|w| w[1].0 - w[0].0 < w[0].1) {
        return refuse("planes that overlap");
    }
    let mut word = |k: u64| -> Or<u64> {
        number(&m.load(words + 8 * k, 8)?).map_or_else(|| refuse("no number of a key"), Ok)
    };
    let pair = if shape.rounds == 2 { [word(0)?, word(1)?] } else { [words; 2] };
    if !shape.pairs().contains(&pair) {
        return refuse("words that were not proved");
    }
    // The words of each column.
    let mut key = |word: u64| -> Or<Vec<Vec<Byte>>> {
        let masks = m.load(keys + of_key * word, of_key as usize)?;
        if shape.key == plane {
            return Ok(words_of(&masks, plane, &Kept::default()));
        }
        let bit = |b: Byte| domain::masked(1, b);
        let parts = shape.parts();
        // The bytes of a part are one mask.
        if masks.chunks(shape.key / parts).any(|w| w.iter().any(|b| *b != filled(bit(w[0])))) {
            return refuse("a plane of a key that is no mask");
        }
        let of_part = |part: usize| -> Vec<Byte> {
            (0..4).map(|j| bits(|t| (0, masks[shape.key * (8 * j + t) + part]))).collect()
        };
        let keys: Vec<Vec<Byte>> = (0..parts).map(of_part).collect();
        Ok((0..8 * plane).map(|c| keys[c / 8 % parts].clone()).collect())
    };
    let (first, second) = (key(pair[0])?, key(pair[1])?);
    let mut new = Vec::new();
    for n in 0..batches as u64 {
        let at = |half: u64| half + n * 32 * plane as u64;
        let [x, y] = [m.load(at(a), 32 * plane)?, m.load(at(b), 32 * plane)?];
        let (mut x, mut y) = (words_of(&x, plane, kept), words_of(&y, plane, kept));
        for ((x, y), (first, second)) in x.iter_mut().zip(&mut y).zip(first.iter().zip(&second)) {
            *y = xor(y, &g(rows, x, first));
            if shape.rounds == 2 {
                *x = xor(x, &g(rows, y, second));
            }
        }
        for (at, words) in [(at(a), x), (at(b), y)] {
            let planes = planes_of(&words, plane);
            m.store(at, &planes)?;
            new.push((planes, words));
        }
    }
    kept.replace(new);
    Ok(())
}

fn run(c: &mut Call, f: usize, shape: Shape, rows: &[[u8; 16]; 8], pair: [u64; 2]) -> Or<()> {
    planes::begin(1_000_000);
    let result = on_planes(c, f, shape, rows, pair);
    planes::end();
    result
}

fn on_planes(c: &mut Call, f: usize, shape: Shape, rows: &[[u8; 16]; 8], pair: [u64; 2]) -> Or<()> {
    let words = pair.map(|w| w as usize);
    let (n, parts) = (shape.batches as u32, shape.parts() as u32);
    // Bit by bit: the halves of all batches and the keys, decided together.
    let step = 3 * n + 2 * parts;
    let half = |which: u32| -> Vec<Vec<Byte>> {
        (0..n).map(|k| (0..32).map(|i| planes::input(i * step + which * n + k)).collect()).collect()
    };
    let (a, b) = (half(0), half(1));
    // The words of each part's key.
    let word = |part: u32, w: usize| -> Vec<Byte> {
        let at = |i: u32| match words.iter().position(|x| *x == w) {
            Some(k) => i * step + 3 * n + parts * k as u32 + part,
            None => 1000 + 32 * (8 * part + w as u32) + i,
        };
        (0..32).map(|i| planes::input(at(i))).collect()
    };
    let keys: Vec<Vec<Vec<Byte>>> =
        (0..parts).map(|part| (0..8).map(|w| word(part, w)).collect()).collect();
    let rounds = |key: &Vec<Vec<Byte>>| -> [Vec<Vec<Byte>>; 2] {
        let (mut new_a, mut new_b) = (a.clone(), Vec::new());
        for k in 0..shape.batches {
            let mut first = planes::round(rows, &a[k], &key[words[0]], &b[k]);
            if shape.rounds == 2 {
                let order = |i: u32| i * step + 2 * n + k as u32;
                first = (0..32).map(|i| planes::named(first[i as usize], order(i))).collect();
                new_a[k] = planes::round(rows, &first, &key[words[1]], &a[k]);
            }
            new_b.push(first);
        }
        [new_a, new_b]
    };
    let new: Vec<_> = keys.iter().map(rounds).collect();
    // Each plane in all columns, of which every part has its own.
    let spread = |of: &dyn Fn(usize) -> Vec<Vec<Byte>>| -> Vec<Byte> {
        let all: Vec<_> = (0..shape.parts()).map(of).collect();
        let planes = |k: usize, i: usize| {
            let all = &all;
            let part = move |c: usize| c % all.len();
            (0..shape.plane).map(move |c| planes::at(all[part(c)][k][i], c))
        };
        (0..all[0].len()).flat_map(|k| (0..32).flat_map(move |i| planes(k, i))).collect()
    };
    let of_key = |w: usize, i: usize| -> Vec<Byte> {
        match shape.key {
            EIGHTHS => keys.iter().map(|key| key[w][i]).collect(),
            // A byte of a key of all blocks is in every column.
            n if n < shape.plane => vec![keys[0][w][i]; n],
            n => (0..n).map(|c| planes::at(keys[0][w][i], c)).collect(),
        }
    };
    // Aligned for their elements, and for no more.
    let (by, by_key) = (shape.aligned(), shape.aligned_keys());
    let mut updates = |old: &Vec<Vec<Byte>>, k: usize| {
        let new = spread(&|part| new[part][k].clone());
        c.updates("planes of a half", &spread(&|_| old.clone()), new, by)
    };
    let (at_a, at_b) = (updates(&a, 0), updates(&b, 1));
    let of_keys: Vec<Byte> = (0..256).flat_map(|n| of_key(n / 32, n % 32)).collect();
    let keys = c.reads("planes of the key", &of_keys, by_key);
    let last = if shape.rounds == 2 {
        let words: Vec<Byte> = pair.iter().flat_map(|w| bytes::<8>(*w)).collect();
        c.reads("key words", &words, 8)
    } else {
        pair[0]
    };
    c.run(f, &[at_a, at_b, keys, last])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Meanings;

    /// A round of one batch, gate by gate: `moved` is done to the first half's planes on their way. A plane of the key is four
    /// bytes of all blocks, or eight of eighths.
    fn kernel(rows: &[[u8; 16]; 8], moved: &str, eighths: bool) -> Vec<String> {
        let mut code: Vec<String> = Vec::new();
        let mut put = |text: String| code.push(text);
        put("sub rsp,0x800".into());
        for i in 0..32 {
            put(format!("vmovdqu64 zmm0,ZMMWORD PTR [rdi+0x{:x}]", 64 * i));
            if !moved.is_empty() {
                put(moved.into());
            }
            put(match eighths {
                false => format!("vpbroadcastd zmm1,DWORD PTR [rdx+0x{:x}]", 4 * (32 * 3 + i)),
                true => format!("vpbroadcastq zmm1,QWORD PTR [rdx+0x{:x}]", 8 * (32 * 3 + i)),
            });
            if i == 0 {
                put("vpxord zmm2,zmm0,zmm1".into());
                put("vpandd zmm3,zmm0,zmm1".into());
            } else {
                put("vmovdqa64 zmm2,zmm0".into());
                put("vpternlogd zmm2,zmm1,zmm3,0x96".into());
                put("vpternlogd zmm3,zmm0,zmm1,0xe8".into());
            }
            put(format!("vmovdqu64 ZMMWORD PTR [rsp+0x{:x}],zmm2", 64 * i));
        }
        for (to, row, bit) in
            (0..8).flat_map(|n| (0..4).map(move |b| ((4 * n + b + 11) % 32, n, b)))
        {
            put(format!("vmovdqu64 zmm5,ZMMWORD PTR [rsi+0x{:x}]", 64 * to));
            for x in (0..16).filter(|x| rows[row][*x] >> bit & 1 != 0) {
                for k in 0..4 {
                    let sum = 4 * row + k;
                    put(format!("vmovdqu64 zmm6,ZMMWORD PTR [rsp+0x{:x}]", 64 * sum));
                    if x >> k & 1 == 0 {
                        put("vpternlogd zmm6,zmm6,zmm6,0x55".into());
                    }
                    put(if k == 0 { "vmovdqa64 zmm4,zmm6" } else { "vpandd zmm4,zmm4,zmm6" }.into());
                }
                put("vpxord zmm5,zmm5,zmm4".into());
            }
            put(format!("vmovdqu64 ZMMWORD PTR [rsi+0x{:x}],zmm5", 64 * to));
        }
        put("add rsp,0x800".into());
        put("ret".into());
        code
    }
    fn proves(rows: &[[u8; 16]; 8], moved: &str, standard: &[[u8; 16]; 8]) -> Or<()> {
        let p = Program::of_lines(&kernel(rows, moved, false));
        let shape = Shape { plane: 64, batches: 1, key: 4, rounds: 1 };
        run(&mut Call::new(&p, Meanings::new(&p), &[]), 0, shape, standard, WORDS)
    }

    /// A round under the keys of eight sections: each column has the key of its place.
    #[test]
    fn eighths_have_their_keys() {
        let (rows, shape) = (&all_rows()[0], SECTIONS);
        let proves = |lines: &[String]| {
            let p = Program::of_lines(lines);
            run(&mut Call::new(&p, Meanings::new(&p), &[]), 0, shape, rows, WORDS)
        };
        let good = kernel(rows, "", true);
        proves(&good).expect("the keys of eighths");
        let load = |l: &String| l.starts_with("vpbroadcastq");
        let at = good.iter().rposition(load).expect("a key");
        for moved in ["vprolq zmm1,zmm1,0x8", "vpbroadcastb zmm1,xmm1", "vpshufd zmm1,zmm1,0xb1"] {
            let mut lines = good.clone();
            lines.insert(at + 1, moved.into());
            proves(&lines).expect_err(moved);
        }
        let one = kernel(rows, "", false);
        proves(&one).expect_err("a key of all blocks");
    }

    /// The rounds by words leave what the function leaves, on numbers.
    #[test]
    fn words_are_as_planes() {
        let rows = &all_rows()[0];
        for (eighths, shape) in [(false, Shape { key: 4, ..SECTIONS }), (true, SECTIONS)] {
            let p = Program::of_lines(&kernel(rows, "", eighths));
            let after = |by_words: bool| {
                domain::numbers(Some(9));
                let mut c = Call::new(&p, Meanings::new(&p), &[]);
                let halves = domain::vars(2 * 32 * PLANE);
                let masks: Vec<Byte> = domain::vars(256 * shape.parts())
                    .into_iter()
                    .flat_map(|b| vec![filled(domain::masked(1, b)); shape.key / shape.parts()])
                    .collect();
                let (a, b) = halves.split_at(32 * PLANE);
                let at_a = c.updates("a half", a, a.to_vec(), 0);
                let at_b = c.updates("a half", b, Vec::new(), 0);
                let keys = c.reads("planes of the key", &masks, 0);
                c.m.begin();
                [(7, at_a), (6, at_b), (2, keys), (1, 3)].iter().for_each(|(r, n)| c.m.set(*r, *n));
                if by_words {
                    let top = c.m.top().expect("a number");
                    c.m.set(c.m.p.abi.sp, top - 8);
                    on_words(&mut c.m, rows, shape, &Kept::default()).expect("a call as proved");
                } else {
                    c.m.call(0).expect("a run");
                }
                c.compare().expect("the first half stays");
                let new = c.m.load(at_b, 32 * PLANE).expect("the second half");
                domain::numbers(None);
                assert_ne!(new, b);
                new
            };
            assert_eq!(after(true), after(false));
        }
    }

    /// Each set is proved as itself and as no other.
    #[test]
    fn sets_are_told_apart() {
        let all = all_rows();
        for (i, rows) in all.iter().enumerate() {
            proves(rows, "", rows).expect("the right set");
            proves(rows, "", &all[(i + 1) % 8]).expect_err("another set");
        }
    }

    /// The rounds by words are only for calls like the proved calls.
    #[test]
    fn other_calls_are_refused() {
        let p = Program::of_lines(&kernel(&all_rows()[0], "", false));
        let why = |a: u64, b: u64, keys: u64, words: [u64; 2]| {
            let mut c = Call::new(&p, Meanings::new(&p), &[]);
            c.m.begin();
            let at = (c.m.top().expect("a number") - 0x8000) & !63;
            c.m.set(c.m.p.abi.sp, at);
            c.m.region(
                "key words",
                0x1000,
                words.iter().flat_map(|w| bytes::<8>(*w)).map(Some).collect(),
                false,
            );
            [(7, at.wrapping_add(a)), (6, at + b), (2, at + keys), (1, 0x1000)]
                .iter()
                .for_each(|(r, n)| c.m.set(*r, *n));
            let shape = Shape { plane: PLANE, batches: 1, key: 4, rounds: 2 };
            on_words(&mut c.m, &all_rows()[0], shape, &Kept::default())
                .expect_err("no planes of a key")
                .0
        };
        let good = "a plane of a key that is no mask";
        assert_eq!(why(0x1000, 0x1800, 0x2000, [7, 6]), good);
        assert_eq!(why(0x1800, 0x1000, 8, [0, 1]), good);
        for words in [[1, 2], [0, 0], [6, 5], [8, 9], [1 << 60, 1]] {
            assert!(why(0x1000, 0x1800, 0x2000, words).contains("words"));
        }
        for (a, b, keys) in
            [(0x1020, 0x1800, 0x2000), (0x1000, 0x1808, 0x2000), (0x1000, 0x1800, 0x2002)]
        {
            assert!(why(a, b, keys, [0, 1]).contains("addresses"));
        }
        for (a, b, keys) in [
            (0x1000, 0x1000, 0x2000),
            (0x1000, 0x17c0, 0x2000),
            (0x1000, 0x1800, 0x1ffc),
            (0x1000, 0x1800, 4),
            (0, 0x1000, 0x2000),
            (0x1000_u64.wrapping_neg(), 0x1000, 0x2000),
        ] {
            assert!(why(a, b, keys, [0, 1]).contains("overlap"), "{a:x} {b:x} {keys:x}");
        }
    }

    /// A move of bytes within a plane is refused.
    #[test]
    fn columns_are_kept_apart() {
        let rows = &all_rows()[0];
        for moved in [
            "vprold zmm0,zmm0,0x8",
            "vpshufd zmm0,zmm0,0x1",
            "vpbroadcastb zmm0,xmm0",
            "vpbroadcastd zmm0,xmm0",
            "vpunpcklbw zmm0,zmm0,zmm0",
            "vpalignr zmm0,zmm0,zmm0,0x1",
            "vpermq zmm0,zmm0,0x4e",
            "vpsrldq zmm0,zmm0,0x1",
            "vpsrlq zmm0,zmm0,0x1",
        ] {
            let why = proves(rows, moved, rows).expect_err(moved).0;
            assert!(why.contains("bytes of the planes"), "{moved}: {why}");
        }
    }
}
