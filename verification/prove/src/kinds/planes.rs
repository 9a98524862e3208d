//! Magma's rounds on bit planes.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Mutex;

use super::Tasks;
use crate::bytes::{filled, number};
use crate::call::Call;
use crate::domain::{self, Byte};
use crate::machine::{Machine, Or, refuse};
use crate::planes;
use crate::standard::magma::{all_rows, g};
use crate::standard::xor;

/// How a function has its planes.
#[derive(Clone, Copy)]
struct Shape {
    /// Bytes of a plane, and batches side by side.
    plane: usize,
    batches: usize,
    /// Bytes of a key's plane: four of one key for all blocks, or as many as a plane has.
    key: usize,
    rounds: usize,
}

pub fn tasks(tasks: &mut Tasks, set: &str, name: &str) {
    let rounds = match name {
        "two" => 2,
        "round" => 1,
        _ => return,
    };
    let plane = if set == "portable" { 32 } else { 64 };
    let shapes: Vec<Shape> = match set {
        "portable" => [4, 32].map(|key| Shape { plane, batches: 1, key, rounds }).into(),
        _ => [1, 2].map(|batches| Shape { plane, batches, key: 4, rounds }).into(),
    };
    tasks.add("planes, all columns".into(), move |c, f| {
        let mut last = refuse("no shape");
        for shape in &shapes {
            for rows in all_rows() {
                // Of which S-boxes and how many batches, the function says by what it does with numbers.
                for numbers in [Some(1), None] {
                    c.again();
                    planes::begin(numbers);
                    last = run(c, f, *shape, &rows);
                    planes::end();
                    if last.is_err() {
                        break;
                    }
                }
                if last.is_ok() {
                    return last;
                }
            }
        }
        last
    });
}

/// Returns whether a function is two rounds with these rows on planes of a number of batches.
fn holds(c: &mut Call, f: usize, batches: usize, rows: &[[u8; 16]; 8]) -> bool {
    [Some(1), None].into_iter().all(|numbers| {
        c.again();
        planes::begin(numbers);
        let result = run(c, f, Shape { plane: 64, batches, key: 4, rounds: 2 }, rows);
        planes::end();
        result.is_ok()
    })
}

/// The rounds on planes of a kernel with 512 bits as what they are, two rounds of each block: proved first, once.
pub fn replace(c: &mut Call, f: usize, rows: [[u8; 16]; 8]) {
    type Known = BTreeMap<(usize, [[u8; 16]; 8]), Vec<(usize, usize)>>;
    static KNOWN: Mutex<Known> = Mutex::new(BTreeMap::new());
    let p = c.m.p;
    let Some(own) = p.functions.iter().find(|o| o.first == f) else { return };
    let two = own.path.rsplit_once("::").map(|(module, _)| format!("{module}::two"));
    let mut known = KNOWN.lock().unwrap_or_else(|e| e.into_inner());
    let found = known.entry((f, rows)).or_insert_with(|| {
        let all = p
            .functions
            .iter()
            .filter(|f| Some(f.path.split("::<").next().unwrap_or(&f.path)) == two.as_deref());
        let of = |first: usize, c: &mut Call| {
            (1..3).find(|n| holds(c, first, *n, &rows)).map(|n| (first, n))
        };
        all.filter_map(|f| of(f.first, c)).collect()
    });
    c.again();
    for (first, batches) in found.iter().copied() {
        let kept = RefCell::new(Vec::new());
        c.m.replaced.push((first, Rc::new(move |m| on_words(m, &rows, batches, &kept))));
    }
}

/// Planes, and the words of all columns that they are.
type Kept = RefCell<Vec<(Vec<Byte>, Vec<Vec<Byte>>)>>;

/// A byte of these bits, each the bit with that number of a byte.
fn bits(of: impl Fn(usize) -> (usize, Byte)) -> Byte {
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

/// Two rounds on planes by words. The masks of a key are bits in all places.
fn on_words(m: &mut Machine, rows: &[[u8; 16]; 8], batches: usize, kept: &Kept) -> Or<()> {
    const PLANE: usize = 64;
    let argument =
        |r: usize| number(&m.general[r]).map_or_else(|| refuse("an argument hangs on data"), Ok);
    let (a, b, keys, words) = (argument(7)?, argument(6)?, argument(2)?, argument(1)?);
    let mut key = |k: u64| -> Or<Vec<Byte>> {
        let Some(word) = number(&m.load(words + 8 * k, 8)?) else {
            return refuse("no number of a key");
        };
        let masks = m.load(keys + 128 * word, 128)?;
        let bit = |b: Byte| domain::masked(1, b);
        if masks.chunks(4).any(|w| w.iter().any(|b| *b != filled(bit(w[0])))) {
            return refuse("a plane of a key that is no mask");
        }
        Ok((0..4).map(|j| bits(|t| (0, masks[4 * (8 * j + t)]))).collect())
    };
    let (first, second) = (key(0)?, key(1)?);
    let mut new = Vec::new();
    for n in 0..batches as u64 {
        let at = |half: u64| half + n * 32 * PLANE as u64;
        let [x, y] = [m.load(at(a), 32 * PLANE)?, m.load(at(b), 32 * PLANE)?];
        let (mut x, mut y) = (words_of(&x, PLANE, kept), words_of(&y, PLANE, kept));
        for (x, y) in x.iter_mut().zip(&mut y) {
            *y = xor(y, &g(rows, x, &first));
            *x = xor(x, &g(rows, y, &second));
        }
        for (at, words) in [(at(a), x), (at(b), y)] {
            let planes = planes_of(&words, PLANE);
            m.store(at, &planes)?;
            new.push((planes, words));
        }
    }
    kept.replace(new);
    Ok(())
}

fn run(c: &mut Call, f: usize, shape: Shape, rows: &[[u8; 16]; 8]) -> Or<()> {
    const WORDS: [usize; 2] = [3, 5];
    let n = shape.batches as u32;
    // Bit by bit: the halves of all batches and the keys, decided together.
    let step = 3 * n + 2;
    let half = |which: u32| -> Vec<Vec<Byte>> {
        (0..n).map(|k| (0..32).map(|i| planes::input(i * step + which * n + k)).collect()).collect()
    };
    let (a, b) = (half(0), half(1));
    let keys: Vec<Vec<Byte>> = (0..8)
        .map(|w| match WORDS.iter().position(|x| *x == w) {
            Some(k) => (0..32).map(|i| planes::input(i * step + 3 * n + k as u32)).collect(),
            None => (0..32).map(|i| planes::input(1000 + 32 * w as u32 + i)).collect(),
        })
        .collect();
    let (mut new_a, mut new_b) = (a.clone(), Vec::new());
    for k in 0..shape.batches {
        let first = planes::round(rows, &a[k], &keys[WORDS[0]], &b[k]);
        let named: Vec<Byte> = (0..32)
            .map(|i| planes::named(first[i as usize], i * step + 2 * n + k as u32))
            .collect();
        if shape.rounds == 2 {
            new_a[k] = planes::round(rows, &named, &keys[WORDS[1]], &a[k]);
        }
        new_b.push(named);
    }
    let spread = |planes: &[Vec<Byte>], n: usize| -> Vec<Byte> {
        planes.iter().flatten().flat_map(|b| std::iter::repeat_n(*b, n)).collect()
    };
    let at_a =
        c.updates("planes of a half", &spread(&a, shape.plane), spread(&new_a, shape.plane), 0);
    let at_b =
        c.updates("planes of a half", &spread(&b, shape.plane), spread(&new_b, shape.plane), 0);
    let keys = c.reads("planes of the key", &spread(&keys, shape.key), 0);
    let last = if shape.rounds == 2 {
        c.words("key words", &WORDS.map(|w| w as u64))
    } else {
        WORDS[0] as u64
    };
    c.run(f, &[at_a, at_b, keys, last])
}
