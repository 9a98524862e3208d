//! Sums of products in GF(2^64) and GF(2^128), powers, sums, counters.

use super::{Tasks, in_out};
use crate::call::Call;
use crate::domain::{Byte, ZERO, vars};
use crate::machine::Or;
use crate::polynomials;
use crate::standard::field::{product, reduce};
use crate::standard::{numbers, xor};

pub fn tasks(tasks: &mut Tasks, name: &str, portable: bool) {
    match name {
        "mac64" | "mac128" => {
            let n = if name == "mac64" { 8 } else { 16 };
            let numbers = [1, 2, 3, 5, 8, 9, 13, 17, 24, 14, 15, 6, 10, 12, 20, 25];
            for blocks in numbers {
                let len = n * blocks;
                tasks.add(format!("{blocks} blocks"), move |c, f| mac(c, f, n, [len, len]));
            }
            // Halves of blocks, and fewer powers than blocks, which no mode has: the sum is of what there is.
            let rests = (0..16).filter(|_| n == 16 && !portable).map(|i| [16 * i + 8; 2]);
            let powers = [0, 64, 128].into_iter().filter(|h| !portable && (n == 8 || *h != 64));
            let short = (!portable && n == 8).then_some([32, 128]);
            let others = powers.flat_map(|h| [128, 256].map(|a| [h, a])).chain(short);
            for [h, a] in rests.chain(others) {
                let class = format!("{h} bytes of powers, {a} of blocks");
                tasks.add(class, move |c, f| mac(c, f, n, [h, a]));
            }
        }
        "powers" => {
            for blocks in [16, 32, 48, 80] {
                tasks.add(format!("{blocks} blocks"), move |c, f| powers(c, f, blocks));
            }
        }
        "add" => {
            for len in (0..65).chain([96, 127, 191, 192, 300]) {
                tasks.add(format!("{len} bytes"), move |c, f| sum(c, f, len));
            }
        }
        "counters" => {
            // Further words of a counter, which no mode has, get the next values.
            for n in [8, 16, 24, 32, 48, 56, 72, 136, 176, 280, 384, 456] {
                for left in [false, true] {
                    for blocks in [0, 1, 2, 3, 4, 5, 8, 9, 17, 40].into_iter().take(if n > 16 {
                        2
                    } else {
                        10
                    }) {
                        let class = format!("{blocks} blocks of {n} bytes, left {left}");
                        tasks.add(class, move |c, f| counters(c, f, n, left, n.min(16) * blocks));
                    }
                }
            }
            // Halves of blocks, which no mode asks for.
            for left in [false, true] {
                for words in [1, 3, 7] {
                    let class = format!("{words} halves of blocks of 16 bytes, left {left}");
                    tasks.add(class, move |c, f| counters(c, f, 16, left, 8 * words));
                }
            }
        }
        _ => {}
    }
}

/// Calls of all lengths up to many blocks, to be run on numbers.
pub fn every(tasks: &mut Tasks, name: &str) {
    match name {
        "mac64" | "mac128" => {
            let n = if name == "mac64" { 8 } else { 16 };
            for len in (0..=800).step_by(8) {
                for a in [len, len + 8, len + 64, 128] {
                    let class = format!("{len} bytes of powers, {a} of blocks");
                    tasks.add(class, move |c, f| mac(c, f, n, [len, a]));
                }
            }
        }
        "powers" => (16..120).for_each(|blocks| {
            tasks.add(format!("{blocks} blocks"), move |c, f| powers(c, f, blocks));
        }),
        "add" => (0..700).for_each(|len| {
            tasks.add(format!("{len} bytes"), move |c, f| sum(c, f, len));
        }),
        "counters" => {
            for (n, left) in [8, 16, 24, 32, 40].into_iter().flat_map(|n| [(n, false), (n, true)]) {
                for len in (0..=800).step_by(8) {
                    let class = format!("{len} bytes of blocks of {n} bytes, left {left}");
                    tasks.add(class, move |c, f| counters(c, f, n, left, len));
                }
            }
        }
        _ => {}
    }
}

pub fn reversed(bytes: &[Byte]) -> Vec<Byte> {
    bytes.iter().rev().copied().collect()
}

fn mac(c: &mut Call, f: usize, n: usize, [h_len, a_len]: [usize; 2]) -> Or<()> {
    // The portable kernel selects by bits.
    polynomials::selections(true);
    let (start, h, a) = (vars(n), vars(h_len), vars(a_len));
    let mut sum = start.clone();
    for (h, a) in h.chunks(n).zip(a.chunks(n)) {
        let [h, a] = [h, a]
            .map(|x| [reversed(x), vec![ZERO; n - x.len()]])
            .map(|[x, zeros]| [zeros, x].concat());
        sum = xor(&sum, &reversed(&product(&h, &a)?));
    }
    let (h, a) = (c.reads("powers", &h, 3), c.reads("text", &a, a_len as u64 % 64));
    let sum = c.updates("sum", &start, sum, 5);
    c.run(f, &[sum, h, h_len as u64, a, a_len as u64])
}

fn powers(c: &mut Call, f: usize, blocks: usize) -> Or<()> {
    let first = vars(256);
    let mut want = first.clone();
    for i in 16..blocks {
        // Times x^16 is two bytes up.
        let shifted = [&[ZERO; 2][..], &want[16 * (i - 16)..16 * (i - 15)]].concat();
        want.extend(reduce(shifted, 16));
    }
    let mut old = first;
    old.extend(vars(16 * blocks - 256));
    let len = old.len() as u64;
    let all = c.updates("blocks", &old, want, 2);
    c.run(f, &[all, len])
}

fn sum(c: &mut Call, f: usize, len: usize) -> Or<()> {
    let (a, b) = (vars(len), vars(len));
    let want = xor(&a, &b);
    // At the end of what may be read and written, at every offset.
    let end = |k: u64| (64 - len as u64 % 64 + k) % 64;
    let (from, to) = c.data(len % 2 == 1, &a, want, [end(0), end(13)]);
    let b = c.reads("other text", &b, end(29));
    let data = in_out(c, from, to, len);
    c.run(f, &[data, b, len as u64])
}

/// The values of a counter of `n` bytes from its present value on, as many as have `len` bytes; then the next.
fn counters(c: &mut Call, f: usize, n: usize, left: bool, len: usize) -> Or<()> {
    let size = n.min(16);
    let mut counter = vec![0xff; size];
    (counter[0], counter[size / 2 - 1]) = (0x7f, 0xf0);
    let old = numbers(&counter);
    let half = if left { 0..size / 2 } else { size / 2..size };
    let mut want = Vec::new();
    while want.len() < len + n {
        want.extend(numbers(&counter));
        for byte in counter[half.clone()].iter_mut().rev() {
            *byte = byte.wrapping_add(1);
            if *byte != 0 {
                break;
            }
        }
    }
    let after = want[len..len + n].to_vec();
    want.truncate(len);
    let old = [old, vars(n - size)].concat();
    let counter = c.updates("counter", &old, after, 1);
    let out = c.writes("values", want, 3);
    c.run(f, &[counter, n as u64, left.into(), out, len as u64])
}
