//! Sums of products in GF(2^64) and GF(2^128), powers, sums, counters.

use super::{Tasks, in_out};
use crate::call::Call;
use crate::domain::{Byte, ZERO, vars};
use crate::machine::Or;
use crate::standard::field::{product, reduce};
use crate::standard::{numbers, xor};

pub fn tasks(tasks: &mut Tasks, name: &str, portable: bool) {
    match name {
        "mac64" | "mac128" => {
            let n = if name == "mac64" { 8 } else { 16 };
            // The portable ones take products by selections that the domain does not follow: a word says so.
            let classes = if portable { 1 } else { 9 };
            for blocks in [1, 2, 3, 5, 8, 9, 13, 17, 24].into_iter().take(classes) {
                tasks.add(format!("{blocks} blocks"), move |c, f| mac(c, f, n, blocks));
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
            for n in [8, 16] {
                for left in [false, true] {
                    for blocks in [0, 1, 2, 3, 4, 5, 8, 9, 17, 40] {
                        let class = format!("{blocks} blocks of {n} bytes, left {left}");
                        tasks.add(class, move |c, f| counters(c, f, n, left, blocks));
                    }
                }
            }
        }
        _ => {}
    }
}

pub fn reversed(bytes: &[Byte]) -> Vec<Byte> {
    bytes.iter().rev().copied().collect()
}

fn mac(c: &mut Call, f: usize, n: usize, blocks: usize) -> Or<()> {
    let (start, h, a) = (vars(n), vars(n * blocks), vars(n * blocks));
    let mut sum = start.clone();
    for (h, a) in h.chunks(n).zip(a.chunks(n)) {
        sum = xor(&sum, &reversed(&product(&reversed(h), &reversed(a))?));
    }
    let len = (n * blocks) as u64;
    let (h, a) = (c.reads("powers", &h, 3), c.reads("text", &a, len % 64));
    let sum = c.updates("sum", &start, sum, 5);
    c.run(f, &[sum, h, len, a, len])
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

fn counters(c: &mut Call, f: usize, n: usize, left: bool, blocks: usize) -> Or<()> {
    let mut counter = vec![0xff; n];
    (counter[0], counter[n / 2 - 1]) = (0x7f, 0xf0);
    let old = numbers(&counter);
    let half = if left { 0..n / 2 } else { n / 2..n };
    let mut want = Vec::new();
    for _ in 0..blocks {
        want.extend(numbers(&counter));
        for byte in counter[half.clone()].iter_mut().rev() {
            *byte = byte.wrapping_add(1);
            if *byte != 0 {
                break;
            }
        }
    }
    let counter = c.updates("counter", &old, numbers(&counter), 1);
    let len = want.len() as u64;
    let out = c.writes("values", want, 3);
    c.run(f, &[counter, n as u64, left.into(), out, len])
}
