//! The kernel for any machine, in safe Rust, without tables and branches on secrets.
//!
//! Two layouts: bit planes and circuits for calls of many blocks over known S-boxes, and halves in integers
//! (`sbox/anf.rs`) for the rest.

use super::{KeyPlanes, LaneKeys, OneKey, Use};
use crate::cipher::{Chain, Count, Direction};
use crate::kernel::BlockKernel;
use crate::magma::counter::Counter;
use crate::magma::lanes::{self as chains, Lane, Rule};
use crate::magma::sbox::anf;
use crate::magma::schedule::{Order, ParamSet, Schedule, prepare};
use crate::simd::{Bits, Integers, Portable};
use crate::{InOut, memory};

pub(in crate::magma) const KERNEL: BlockKernel<Schedule, 8> = BlockKernel {
    name: Portable::WORD,
    available: || true,
    prepare,
    schedules: None,
    map: Some(map),
    stream: Some(stream),
    lanes: Some(lanes),
    sections: None,
    products: None,
    next_keys: None,
};

type Planes = Integers<4>;
/// Blocks of a batch of planes.
const BATCH: usize = 8 * Planes::BYTES;
/// The fewest blocks for which a batch, padded, costs less than integers.
const PAD: usize = 80;
const PAYS: Use<true> = Use { one: 8 * PAD, two: None };
/// The fewest lanes, of which data and keys are gathered.
const PAD_LANES: usize = 96;

type Half = [[Planes; 32]; 1];
type Two<K> = fn(&mut Half, &mut Half, &K, [usize; 2]);

#[inline(never)]
fn round<K: KeyPlanes<Planes>, const SET: usize>(a: &Half, b: &mut Half, keys: &K, word: usize) {
    super::round::<Planes, K, SET, 1>(a, b, keys, word);
}

fn two<K: KeyPlanes<Planes>, const SET: usize>(
    a: &mut Half,
    b: &mut Half,
    keys: &K,
    words: [usize; 2],
) {
    round::<K, SET>(a, b, keys, words[0]);
    round::<K, SET>(b, a, keys, words[1]);
}

/// Two rounds on planes for the S-boxes, if they are a set that has circuits.
fn circuits(s: &Schedule) -> Option<Two<OneKey<Portable>>> {
    const ALL: [Two<OneKey<Portable>>; 8] = [
        two::<_, 0>,
        two::<_, 1>,
        two::<_, 2>,
        two::<_, 3>,
        two::<_, 4>,
        two::<_, 5>,
        two::<_, 6>,
        two::<_, 7>,
    ];
    s.sboxes.known.map(|i| ALL[usize::from(i)])
}

/// Circuits of chained streams, for the sets that ciphers use most.
fn lane_circuits(s: &Schedule) -> Option<Two<LaneKeys<Planes>>> {
    const Z: usize = ParamSet::Tc26Z as usize;
    const A: usize = ParamSet::CryptoProA as usize;
    match usize::from(s.sboxes.known?) {
        Z => Some(two::<_, Z>),
        A => Some(two::<_, A>),
        _ => None,
    }
}

fn isa() -> Portable {
    Portable::TOKEN
}

fn map(s: &Schedule, direction: Direction, mut data: InOut<'_, '_>) {
    if let Some(two) = circuits(s).filter(|_| data.len() >= 8 * PAD) {
        let two = |[a, b]: [&mut Half; 2], _, keys: &_, words| two(a, b, keys, words);
        data = super::map(isa(), s, direction, data, PAYS, two);
    }
    groups(data, |_, x| short(s, direction, x));
}

fn stream(s: &Schedule, register: &mut [u8; 8], count: Count, mut data: InOut<'_, '_>) {
    if let Some(two) = circuits(s).filter(|_| data.len() >= 8 * PAD) {
        let two = |[a, b]: [&mut Half; 2], _, keys: &_, words| two(a, b, keys, words);
        data = super::stream(isa(), s, register, count, data, PAYS, two);
    }
    let c = Counter::new(*register, count);
    let mut end = Counter::new(*register, count);
    end.skip(data.len() as u64 / 8);
    groups(data, |at, x| {
        let mut gamma = [0; GROUP];
        let gamma = &mut gamma[..x.len()];
        for (i, g) in gamma.iter_mut().enumerate() {
            *g = u64::from_le_bytes(c.value((at + i) as u64));
        }
        short(s, Direction::Encrypt, gamma);
        x.iter_mut().zip(gamma).for_each(|(x, g)| *x ^= *g);
    });
    *register = end.register();
}

fn lanes(chain: Chain, mut lanes: &mut [Lane<'_>]) {
    let rule = Rule::of(chain);
    while !lanes.is_empty() {
        let alike = chains::alike(lanes);
        let two = lane_circuits(lanes[0].schedule).filter(|_| alike >= PAD_LANES);
        let n = match alike {
            _ if two.is_some() => alike.min(BATCH),
            0..4 => 1,
            4..16 => 4,
            _ => 16,
        };
        let (some, rest) = core::mem::take(&mut lanes).split_at_mut(n);
        lanes = rest;
        match (two, n) {
            (Some(two), _) => many(rule, some, two),
            (_, 1) => few::<1>(rule, some),
            (_, 4) => few::<4>(rule, some),
            _ => few::<16>(rule, some),
        }
    }
}

/// At most a batch of lanes on planes, each with its own key.
fn many(rule: Rule, lanes: &mut [Lane<'_>], two: Two<LaneKeys<Planes>>) {
    let turn = super::turn(lanes[0].schedule.order);
    let mut memory = super::Memory::<Planes, 1>::new(isa());
    let (mut planes, half) = memory.open();
    let zero = [[Planes::splat(isa(), 0); 32]; 8];
    let mut keys = LaneKeys(zero);
    for (i, pair) in keys.0.chunks_exact_mut(2).enumerate() {
        let mut words = [0; BATCH];
        for (w, lane) in words.iter_mut().zip(lanes.iter()) {
            let k = &lane.schedule.keys;
            *w = u64::from(k[2 * i + 1]) << 32 | u64::from(k[2 * i]);
        }
        let pair = pair.as_flattened_mut();
        Planes::rows_in(isa(), half, |r| row(&words, r));
        Planes::planes_out(isa(), 0, half, |i, x| pair[i] = x);
    }
    chains::run::<BATCH>(rule, lanes, |z| {
        Planes::rows_in(isa(), half, |r| row(z, r));
        Planes::planes_out(isa(), turn, half, |i, x| *planes.plane(0, i) = x);
        let two = |[a, b]: [&mut Half; 2], words| two(a, b, &keys, words);
        super::rounds(&mut planes, Direction::Encrypt, rule.rounds, two);
        let row = |r, x: Planes| {
            for i in 0..Planes::STEPS {
                z[r * Planes::STEPS + i] = x.part(i);
            }
        };
        let turn = turn ^ super::exchange(rule.rounds);
        Planes::planes_in(isa(), turn, half, |i| *planes.plane(0, i));
        Planes::rows_out(isa(), half, row);
    });
    memory::wipe(&mut keys.0, zero);
}

fn row(words: &[u64; BATCH], r: usize) -> Planes {
    let mut row = Planes::splat(isa(), 0);
    for i in 0..Planes::STEPS {
        row.set_part(i, words[r * Planes::STEPS + i]);
    }
    row
}

/// At most `L` lanes in the scalar layout, each with its own key.
fn few<const L: usize>(rule: Rule, lanes: &mut [Lane<'_>]) {
    let s = lanes[0].schedule;
    let mut keys = [[0; L]; 8];
    for (l, lane) in lanes.iter().enumerate() {
        for (k, word) in keys.iter_mut().zip(&lane.schedule.keys) {
            k[l] = *word;
        }
    }
    chains::run::<L>(rule, lanes, |z| {
        let mut h = split(s.order, z);
        anf::rounds(&s.sboxes.anf, &mut h, &keys, Direction::Encrypt, rule.rounds);
        let (n1, n2) = if rule.rounds == 16 { (h.0, h.1) } else { (h.1, h.0) };
        unsplit(s.order, n1, n2, z);
    });
    memory::wipe(&mut keys, [[0; L]; 8]);
}

/// Blocks of a group, the most that go as integers at a time.
const GROUP: usize = 16;

/// At most a group of blocks under one key, in the scalar layout; filled up to a width.
fn short(s: &Schedule, direction: Direction, x: &mut [u64]) {
    match x.len() {
        ..=2 => x.iter_mut().for_each(|x| fixed::<1>(s, direction, core::slice::from_mut(x))),
        3..=4 => fixed::<4>(s, direction, x),
        5..=8 => fixed::<8>(s, direction, x),
        _ => fixed::<16>(s, direction, x),
    }
}

#[inline(never)]
fn fixed<const L: usize>(s: &Schedule, direction: Direction, some: &mut [u64]) {
    let mut x = [0; L];
    x[..some.len()].copy_from_slice(some);
    let mut h = split(s.order, &x);
    let mut keys = [[0; L]; 8];
    // `iter_mut`, by reference: an array that is iterated by value is first copied to the stack.
    for (k, word) in keys.iter_mut().zip(&s.keys) {
        *k = [*word; L];
    }
    anf::rounds(&s.sboxes.anf, &mut h, &keys, direction, 32);
    memory::wipe(&mut keys, [[0; L]; 8]);
    unsplit(s.order, h.1, h.0, &mut x);
    some.copy_from_slice(&x[..some.len()]);
    // Past them may be gamma that is still to be used.
    memory::wipe(&mut x, [0; L]);
}

/// Blocks, as little-endian numbers of their bytes, to N1 and N2.
#[inline(always)]
fn split<const L: usize>(order: Order, x: &[u64; L]) -> ([u32; L], [u32; L]) {
    let x = if order == Order::Magma { x.map(u64::swap_bytes) } else { *x };
    (x.map(|x| x as u32), x.map(|x| (x >> 32) as u32))
}

#[inline(always)]
fn unsplit<const L: usize>(order: Order, n1: [u32; L], n2: [u32; L], x: &mut [u64; L]) {
    for (x, (n1, n2)) in x.iter_mut().zip(n1.into_iter().zip(n2)) {
        let v = u64::from(n2) << 32 | u64::from(n1);
        *x = if order == Order::Magma { v.swap_bytes() } else { v };
    }
}

/// Lends the data group by group, with the number of the group's first block.
#[inline(always)]
fn groups(mut data: InOut<'_, '_>, mut f: impl FnMut(usize, &mut [u64])) {
    let mut at = 0;
    while !data.is_empty() {
        let n = (data.len() / 8).min(GROUP);
        assert!(n > 0, "whole blocks");
        let (mut some, rest) = data.split_at(8 * n);
        data = rest;
        let mut x = [0; GROUP];
        let x = &mut x[..n];
        for (x, bytes) in x.iter_mut().zip(some.get_in().as_chunks::<8>().0) {
            *x = u64::from_le_bytes(*bytes);
        }
        f(at, x);
        for (x, bytes) in x.iter().zip(some.get_out().as_chunks_mut::<8>().0) {
            *bytes = x.to_le_bytes();
        }
        at += n;
    }
}
