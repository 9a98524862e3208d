//! Magma's rounds on bit planes.

use super::Tasks;
use crate::call::Call;
use crate::domain::Byte;
use crate::machine::{Or, refuse};
use crate::planes;
use crate::standard::magma::all_rows;

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
