//! The cipher on vectors of 32-bit words: groups of `LANES` blocks, several side by side so that their
//! latencies hide each other; S-boxes as data.
//!
//! RFC 8891, section 4; RFC 5830, sections 5 to 8.

use core::hint::black_box;
use core::mem::{swap, take as taken};

use super::Schedule;
use super::chain::{Lane, Rule};
use super::counter::{Counter, lane_words};
use super::order::{Order, key_index};
use super::rows::{LANES, LaneRows, TILE, Tile};
use super::words::{RoundKeys, Word, Words};
use crate::InOut;
use crate::cipher::{Count, Data, Direction};
use crate::simd::prefetch;

/// Bytes of the longest group.
const GROUP: usize = 8 * LANES;

/// N1 and N2 of a group of blocks, prerotated.
pub(super) type Group<W> = (W, W);

/// `n` rounds, 32 or 16 (32 end without the exchange of the halves).
#[inline(always)]
pub(super) fn rounds<W: Words, const G: usize>(
    tables: &W::Tables,
    mut x: [Group<W>; G],
    keys: RoundKeys<'_, W, G>,
    direction: Direction,
    n: usize,
) -> [Group<W>; G] {
    let mut i = 0;
    if W::unrolled(tables, &mut x, keys, direction, n) {
        i = n;
    }
    while i < n {
        let word = |i: usize| key_index(if direction == Direction::Encrypt { i } else { 31 - i });
        let (k, l) = (word(i), word(i + 1));
        for (g, (a, b)) in x.iter_mut().enumerate() {
            *b = W::round(tables, *a, *b, keys.word(k, g));
        }
        for (g, (a, b)) in x.iter_mut().enumerate() {
            *a = W::round(tables, *b, *a, keys.word(l, g));
        }
        i += 2;
    }
    if n == 32 {
        for (a, b) in &mut x {
            swap(a, b);
        }
    }
    x
}

/// Calls into the cache what comes a few widest batches after these octets: whether the processor does so by itself
/// depends on where the code happens to lie (text in memory took half as long again).
#[inline(always)]
fn call<const G: usize>(octets: &[u8]) {
    if G == 12 {
        for line in octets.chunks(64) {
            prefetch(line.as_ptr().wrapping_add(4 * 1536));
        }
    }
}

/// Independent blocks.
#[inline(always)]
pub(super) fn map<W: Words>(isa: W::Isa, s: &Schedule, direction: Direction, data: InOut<'_, '_>) {
    let tables = W::tables(isa, s.sboxes.rows());
    let orders = W::orders(isa, s.order == Order::Magma);
    lend!([12 10 8 4 2 1], W::GROUPS.min(12), GROUP, data, W::LANES, |G, some| {
        let octets = some.get_in();
        call::<G>(octets);
        let mut x = [(W::splat(isa, 0), W::splat(isa, 0)); G];
        for (g, x) in x.iter_mut().enumerate() {
            *x = W::take(isa, W::read(isa, &octets[8 * g * W::LANES..]), orders);
        }
        let x = rounds(&tables, x, RoundKeys::One(isa, &s.keys), direction, 32);
        let octets = some.get_out();
        for (g, x) in x.into_iter().enumerate() {
            W::write(W::give(isa, x, orders), &mut octets[8 * g * W::LANES..]);
        }
    });
}

/// One block or two, at the latency of one.
#[inline(always)]
pub(super) fn pair<W: Word>(
    isa: W::Isa,
    s: &Schedule,
    direction: Direction,
    mut data: InOut<'_, '_>,
) {
    let tables = W::tables(isa, s.sboxes.rows());
    let orders = W::orders(isa, s.order == Order::Magma);
    let mut octets = [[0; 8]; 2];
    octets.as_flattened_mut()[..data.len()].copy_from_slice(data.get_in());
    let [x, y] = &octets;
    let ((mut a, mut b), (mut c, mut d)) = (W::take(isa, x, orders), W::take(isa, y, orders));
    for i in (0..32).step_by(2) {
        let i = if direction == Direction::Encrypt { [i, i + 1] } else { [31 - i, 30 - i] };
        let (k, l) = (W::key(isa, s.keys[key_index(i[0])]), W::key(isa, s.keys[key_index(i[1])]));
        (b, d) = (W::round(&tables, a, b, k), W::round(&tables, c, d, k));
        (a, c) = (W::round(&tables, b, a, l), W::round(&tables, d, c, l));
    }
    // 32 rounds end without the exchange of the halves.
    W::give(isa, (b, a), orders, &mut octets[0]);
    W::give(isa, (d, c), orders, &mut octets[1]);
    let n = data.len();
    data.get_out().copy_from_slice(&octets.as_flattened()[..n]);
    octets = [[0; 8]; 2];
    black_box(&mut octets);
}

/// The values of a counter, as N1 and N2 are or with the bytes the other way round.
#[inline(always)]
pub(super) fn values<W: Words, const G: usize>(
    isa: W::Isa,
    c: &Counter,
    as_words: bool,
) -> [Group<W>; G] {
    let (low, high) = c.words();
    let (low, high, one) = (W::splat(isa, low), W::splat(isa, high), W::splat(isa, 1));
    let mut x = [(low, high); G];
    // The branch outside the loop: what counts is no secret, and one loop for all would add what is not needed.
    macro_rules! each {
        (|$a:ident, $b:ident| $value:expr) => {
            for (g, x) in x.iter_mut().enumerate() {
                let ($a, $b) = lane_words::<W>(isa, c.count, g);
                *x = $value;
            }
        };
    }
    match c.count {
        Count::Whole => each!(|a, _b| low.add_carry(a, high, one)),
        Count::Right => each!(|a, _b| (low.add(a), high)),
        Count::Left => each!(|_a, b| (low, high.add(b))),
        Count::Cnt => each!(|a, b| {
            let sum = high.add(b);
            (low.add(a), high.add_carry(b, sum, one).1)
        }),
    }
    for x in &mut x {
        *x = (x.0.prerotated(), x.1.prerotated());
        if !as_words {
            let raw = W::give(isa, *x, W::orders(isa, false));
            *x = W::take(isa, raw, W::orders(isa, true));
        }
    }
    x
}

/// Gamma from a counter.
#[inline(always)]
pub(super) fn stream<W: Words>(
    isa: W::Isa,
    s: &Schedule,
    register: &mut [u8; 8],
    count: Count,
    data: InOut<'_, '_>,
) {
    let tables = W::tables(isa, s.sboxes.rows());
    let orders = W::orders(isa, s.order == Order::Magma);
    // Numbers are words here; the register's bytes may be the other way round.
    // What the compiler cannot trace it does not keep as a byte on the stack, where data are.
    let magma = black_box(usize::from(s.order == Order::Magma));
    let as_words = magma != black_box(usize::from(count == Count::Cnt));
    let mut c = Counter::new(*register, count);
    let mut end = Counter::new(*register, count);
    end.skip(data.len() as u64 / 8);
    lend!([12 10 8 4 2 1], W::GROUPS.min(12), GROUP, data, W::LANES, |G, some| {
        let x = values::<W, G>(isa, &c, as_words);
        c.skip((G * W::LANES) as u64);
        call::<G>(some.get_in());
        let x = rounds(&tables, x, RoundKeys::One(isa, &s.keys), Direction::Encrypt, 32);
        for (g, x) in x.into_iter().enumerate() {
            let at = 8 * g * W::LANES;
            let gamma = W::give(isa, x, orders);
            let x = W::read(isa, &some.get_in()[at..]);
            W::write([x[0] ^ gamma[0], x[1] ^ gamma[1]], &mut some.get_out()[at..]);
        }
    });
    *register = end.register();
}

/// Chained streams over the same S-boxes and byte order, each with its own key.
#[inline(always)]
pub(super) fn lanes<W: Words>(isa: W::Isa, rule: Rule, lanes: &mut [Lane<'_>]) {
    if let [lane] = lanes {
        return one::<W>(isa, rule, lane);
    }
    let mut rest = lanes;
    groups!([16 12 8 4 2 1], W::GROUPS, rest.len(), W::LANES, |G| {
        let n = rest.len().min(G * W::LANES);
        let (some, others) = taken(&mut rest).split_at_mut(n);
        rest = others;
        chained::<W, G>(isa, rule, some);
    });
}

/// What a lane reads.
#[inline(always)]
fn source<'a>(data: &'a Data<'_>) -> &'a [u8] {
    match data {
        Data::Read(d) => d,
        Data::Through(d) => d.get_in(),
    }
}

#[inline(always)]
fn xor<W: Words>(a: Group<W>, b: Group<W>) -> Group<W> {
    (a.0 ^ b.0, a.1 ^ b.1)
}

/// One chained stream: nothing but the rounds and one addition stands between a block and the next.
///
/// A round is a chain of 8 cycles on Intel (32 cycles per byte) in vectors of any width, the look-up 3
/// of them.
#[inline(always)]
pub(super) fn one<W: Word>(isa: W::Isa, rule: Rule, lane: &mut Lane<'_>) {
    let s = lane.schedule;
    let tables = W::tables(isa, s.sboxes.rows());
    let orders = W::orders(isa, s.order == Order::Magma);
    let mut keys = [W::key(isa, 0); 8];
    // By reference: an array that is iterated by value is first copied to the stack.
    for (k, word) in keys.iter_mut().zip(&s.keys) {
        *k = W::key(isa, *word);
    }
    let xor = |a: (W, W), b: (W, W)| (a.0 ^ b.0, a.1 ^ b.1);
    let mut z = W::take(isa, lane.state, orders);
    for i in 0..lane.data.len() / 8 {
        let x = &source(&lane.data).as_chunks().0[i];
        let x = W::take(isa, x, orders);
        if rule.before {
            z = xor(z, x);
        }
        let (mut a, mut b) = z;
        let mut r = 0;
        while r < rule.rounds {
            b = W::round(&tables, a, b, keys[key_index(r)]);
            a = W::round(&tables, b, a, keys[key_index(r + 1)]);
            r += 2;
        }
        // 32 rounds end without the exchange of the halves.
        z = if rule.rounds == 32 { (b, a) } else { (a, b) };
        let y = if rule.before { z } else { xor(z, x) };
        if !rule.ofb {
            z = y;
        }
        if let Data::Through(d) = &mut lane.data {
            W::give(isa, y, orders, &mut d.get_out().as_chunks_mut().0[i]);
        }
    }
    W::give(isa, z, orders, lane.state);
}

/// Eight blocks of every lane of `G` groups, twice: the tile under work, and that which comes and goes.
#[repr(align(64))]
struct Tiles<const G: usize>([[Tile; G]; 2]);

#[inline(always)]
fn chained<W: Words, const G: usize>(isa: W::Isa, rule: Rule, lanes: &mut [Lane<'_>]) {
    let Some(first) = lanes.first() else { return };
    let (s, length) = (first.schedule, first.data.len());
    let read = matches!(first.data, Data::Read(_));
    let tables = W::tables(isa, s.sboxes.rows());
    let orders = W::orders(isa, s.order == Order::Magma);

    // A key word of each lane goes the way of a half-block, so that it meets its lane.
    let mut octets = [[[0; 8]; LANES]; G];
    let plain = W::orders(isa, false);
    let mut keys = [[W::splat(isa, 0); G]; 8];
    for (i, [k0, k1]) in keys.as_chunks_mut::<2>().0.iter_mut().enumerate() {
        for (octets, lane) in octets.as_flattened_mut().iter_mut().zip(lanes.iter()) {
            // What the compiler cannot trace it does not gather by addresses in vectors.
            let k = &black_box(lane.schedule).keys;
            *octets = (u64::from(k[2 * i + 1]) << 32 | u64::from(k[2 * i])).to_le_bytes();
        }
        let octets = octets.as_flattened().as_flattened();
        for (g, (k0, k1)) in k0.iter_mut().zip(k1).enumerate() {
            let x = W::take(isa, W::read(isa, &octets[8 * g * W::LANES..]), plain);
            (*k0, *k1) = (x.0.unrotated(), x.1.unrotated());
        }
    }
    for (octets, lane) in octets.as_flattened_mut().iter_mut().zip(lanes.iter()) {
        *octets = **black_box(&lane.state);
    }
    let mut z = [(W::splat(isa, 0), W::splat(isa, 0)); G];
    for (g, z) in z.iter_mut().enumerate() {
        let octets = octets.as_flattened().as_flattened();
        *z = W::take(isa, W::read(isa, &octets[8 * g * W::LANES..]), orders);
    }
    let mut tiles = Tiles([[[[0; 64]; LANES]; G]; 2]);
    let [now, other] = &mut tiles.0;
    let mut rows = LaneRows::<G>::of(lanes, W::LANES);
    if length > 0 {
        for (g, tile) in now.iter_mut().enumerate() {
            rows.fill::<W>(isa, g, 0, tile);
        }
    }
    let (mut now, mut other) = (now, other);
    let all = length.div_ceil(TILE);
    for t in 0..all {
        let blocks = (length - TILE * t).min(TILE) / 8;
        for block in 0..TILE / 8 {
            // Beside each block's rounds some groups' last tile goes and their next one comes: rounds
            // keep the units busy that transpositions do not use.
            for g in block * G / 8..(block + 1) * G / 8 {
                if t > 0 && !read {
                    rows.store::<W>(isa, g, t - 1, &other[g]);
                }
                if t + 1 < all {
                    rows.fill::<W>(isa, g, t + 1, &mut other[g]);
                }
            }
            if block >= blocks {
                continue;
            }
            let at = 8 * block * W::LANES;
            if rule.before {
                for (z, tile) in z.iter_mut().zip(now.iter()) {
                    *z = xor(*z, W::take(isa, W::read(isa, &tile.as_flattened()[at..]), orders));
                }
            }
            z = rounds(&tables, z, RoundKeys::Own(&keys), Direction::Encrypt, rule.rounds);
            if read {
                continue;
            }
            for (z, tile) in z.iter_mut().zip(now.iter_mut()) {
                let octets = &mut tile.as_flattened_mut()[at..];
                let mut y = *z;
                if !rule.before {
                    y = xor(y, W::take(isa, W::read(isa, octets), orders));
                }
                W::write(W::give(isa, y, orders), octets);
                if !rule.ofb {
                    *z = y;
                }
            }
        }
        swap(&mut now, &mut other);
    }
    if all > 0 && !read {
        for (g, tile) in other.iter().enumerate() {
            rows.store::<W>(isa, g, all - 1, tile);
        }
    }
    for (g, z) in z.into_iter().enumerate() {
        let octets = octets.as_flattened_mut().as_flattened_mut();
        W::write(W::give(isa, z, orders), &mut octets[8 * g * W::LANES..]);
    }
    for (octets, lane) in octets.as_flattened().iter().zip(lanes.iter_mut()) {
        *lane.state = *octets;
    }
    keys = [[W::splat(isa, 0); G]; 8];
    black_box(&mut keys);
}
