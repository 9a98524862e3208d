//! Work that goes between the rounds of gamma: the sums of MGM's products (RFC 9058, section 4), of both ciphers.

use super::chains::Chained;
use super::{Tasks, choices};
use crate::call::Call;
use crate::domain::{Byte, cut, vars};
use crate::machine::Or;
use crate::standard::field::product;
use crate::standard::{numbers, xor};

/// Blocks of a batch, by the bytes of a block, and the form of gamma that has this work.
pub fn products<C: Chained>(tasks: &mut Tasks, batch: usize, form: u32) {
    let (before, rest) = (3, 17);
    let class = format!("two batches, {before} blocks before, {rest} after, form {form:x}");
    tasks.add(class, move |c, f| sum::<C>(c, f, 2 * batch, (before, rest), form));
}

fn reversed(bytes: &[Byte]) -> Vec<Byte> {
    bytes.iter().rev().copied().collect()
}

fn sum<C: Chained>(
    c: &mut Call,
    f: usize,
    n: usize,
    (before, rest): (usize, usize),
    form: u32,
) -> Or<()> {
    let cipher = C::new(false);
    let (schedule, keys) = cipher.schedule();
    let text = vars((n + rest) * C::BLOCK);
    // A counter counts in its left half, and carries within the first batch.
    let half = 4 * C::BLOCK as u32;
    let start = 0x0123_4567_89ab_ffd0u128 << half | 0x0bad_cafe;
    let counter = |i: usize| {
        let value = start.wrapping_add((i as u128) << half).to_be_bytes();
        numbers(&value[16 - C::BLOCK..])
    };
    // The products, then their sum by pairs: in any order it is one form.
    let mut sums = Vec::new();
    for (i, a) in text.chunks(C::BLOCK).take(n).enumerate() {
        let h: Vec<Byte> = cipher.encrypt(&keys, &counter(i), 32).into_iter().map(cut).collect();
        sums.push(reversed(&product(&reversed(&h), &reversed(a))?));
    }
    while sums.len() > 1 {
        let pair = |p: &[Vec<Byte>]| if p.len() > 1 { xor(&p[0], &p[1]) } else { p[0].clone() };
        sums = sums.chunks(2).map(pair).collect();
    }
    let old = vars(C::BLOCK);
    let schedule = c.reads("schedule", &schedule, 0);
    let register = c.updates("counter", &counter(0), counter(n), 3);
    let (first, blocks) = text.split_at(before * C::BLOCK);
    let (first_at, blocks_at) = (c.reads("text before", first, 11), c.reads("text", blocks, 13));
    let sum = c.updates("sum", &old, xor(&old, &sums[0]), 1);
    choices(c, form);
    // The processor has every feature that the function asks for.
    c.object("features", "std_detect::detect::cache::CACHE", &[0xff; 24]);
    c.on_stack(&[sum])?;
    let (first_len, blocks_len) = (first.len() as u64, blocks.len() as u64);
    c.run(f, &[schedule, register, first_at, first_len, blocks_at, blocks_len])?;
    c.returned((n * C::BLOCK - first.len()) as u64)
}
