//! The cipher on vectors of 32-bit words: groups of `LANES` blocks, several side by side so that their
//! latencies hide each other; S-boxes as data.
//!
//! RFC 8891, section 4; RFC 5830, sections 5 to 8.

use core::hint::black_box;

use super::chain::{Lane, Rule};
use super::counter::{Counter, lane_steps};
use super::{Order, Schedule, key_index};
use crate::InOut;
use crate::kernel::{Count, Data, Direction};
use crate::simd::Words;

/// Runs `$run` with G = 12, 8, 4, 2 and 1 groups until `$items`, of which a group takes `$lanes`, are
/// done; the last group may be partly empty. Twelve are 24 registers of state, which 32 leave room for.
///
/// These are macros because closures of this size are not inlined, and what is not inlined is not
/// compiled for the instruction set.
macro_rules! graded {
    ($items:expr, $lanes:expr, |$g:ident| $run:expr) => {{
        let mut groups: usize = ($items).div_ceil($lanes);
        macro_rules! with {
            ($n:literal) => {{
                const $g: usize = $n;
                while groups >= $n {
                    groups -= $n;
                    $run;
                }
            }};
        }
        with!(12);
        with!(8);
        with!(4);
        with!(2);
        with!(1);
    }};
}

/// Octets of the widest group of groups.
const WIDEST: usize = 12 * 16 * 8;

/// [`graded`] over data: lends it, in the end a padded copy of what is left of it.
macro_rules! lend {
    ($data:expr, $lanes:expr, |$g:ident, $some:ident| $run:expr) => {{
        let mut data = $data;
        let mut padding = [0; WIDEST];
        let mut at = 0;
        graded!(data.len() / 8, $lanes, |$g| {
            let octets = 8 * $g * $lanes;
            let (_, mut rest) = data.reborrow().split_at(at);
            let n = rest.len();
            let mut $some: InOut<'_, '_> = if n < octets {
                padding[..n].copy_from_slice(rest.get_in());
                (&mut padding[..octets]).into()
            } else {
                rest.reborrow().split_at(octets).0
            };
            $run;
            if n < octets {
                rest.get_out().copy_from_slice(&padding[..n]);
                // What lay past the data may be gamma that is still to be used.
                padding = [0; WIDEST];
                black_box(&mut padding);
            }
            at += octets;
        });
        let _ = at;
    }};
}

/// The halves of `G` groups.
type Groups<W, const G: usize> = [(W, W); G];

/// `n` rounds, 32 or 16, on N1 and N2; the result has them in place (32 rounds end without the
/// exchange).
#[inline(always)]
fn rounds<W: Words, const G: usize>(
    tables: &W::Tables,
    x: Groups<W, G>,
    key: impl Fn(usize, usize) -> W,
    direction: Direction,
    n: usize,
) -> Groups<W, G> {
    let mut x = x.map(|(a, b)| (a.wind(), b.wind()));
    for i in (0..n).step_by(2) {
        let word = |i: usize| key_index(if direction == Direction::Encrypt { i } else { 31 - i });
        let (k, l) = (word(i), word(i + 1));
        for (g, (a, b)) in x.iter_mut().enumerate() {
            *b = W::round(tables, *a, *b, key(k, g));
        }
        for (g, (a, b)) in x.iter_mut().enumerate() {
            *a = W::round(tables, *b, *a, key(l, g));
        }
    }
    x.map(|(a, b)| if n == 16 { (a.unwind(), b.unwind()) } else { (b.unwind(), a.unwind()) })
}

/// Independent blocks.
#[inline(always)]
pub(super) fn map<W: Words>(isa: W::Isa, s: &Schedule, direction: Direction, data: InOut<'_, '_>) {
    let tables = W::tables(isa, s.sboxes.rows());
    let order = W::order(isa, s.order == Order::Magma);
    lend!(data, W::LANES, |G, some| {
        let octets = some.get_in();
        let x: Groups<W, G> = core::array::from_fn(|g| {
            W::halves(W::read(isa, &octets[8 * g * W::LANES..]).map(|x| x.arrange(order)))
        });
        let x = rounds(&tables, x, |k, _| W::splat(isa, s.keys[k]), direction, 32);
        let octets = some.get_out();
        for (g, (a, b)) in x.into_iter().enumerate() {
            let raw = W::join(a, b).map(|x| x.arrange(order));
            W::write(raw, &mut octets[8 * g * W::LANES..]);
        }
    });
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
    let order = W::order(isa, s.order == Order::Magma);
    // Numbers are little-endian here; the register's octets may be the other way round.
    let turned = W::order(isa, (s.order == Order::Magma) == (count == Count::Cnt));
    let steps = W::halves(W::read(isa, lane_steps(count)));
    let mut c = Counter::new(*register, count);
    let mut end = Counter::new(*register, count);
    end.skip(data.len() as u64 / 8);
    lend!(data, W::LANES, |G, some| {
        let x: Groups<W, G> = core::array::from_fn(|_| {
            let (low, high) = c.words();
            c.skip(W::LANES as u64);
            let (low, carry) = W::splat(isa, low).add_carry(steps.0);
            let (high, around) = W::splat(isa, high).add_carry(steps.1);
            let high = match count {
                Count::Whole => high.add_carry(carry).0,
                Count::Cnt => high.add_carry(around).0,
                Count::Right | Count::Left => high,
            };
            W::halves(W::join(low, high).map(|x| x.arrange(turned)))
        });
        let x = rounds(&tables, x, |k, _| W::splat(isa, s.keys[k]), Direction::Encrypt, 32);
        for (g, (a, b)) in x.into_iter().enumerate() {
            let at = 8 * g * W::LANES;
            let gamma = W::join(a, b).map(|x| x.arrange(order));
            let [x, y] = W::read(isa, &some.get_in()[at..]);
            W::write([x ^ gamma[0], y ^ gamma[1]], &mut some.get_out()[at..]);
        }
    });
    *register = end.register();
}

/// Chained streams over the same S-boxes and byte order, each with its own key.
#[inline(always)]
pub(super) fn lanes<W: Words>(isa: W::Isa, rule: Rule, lanes: &mut [Lane<'_>]) {
    let mut rest = lanes;
    graded!(rest.len(), W::LANES, |G| {
        let n = rest.len().min(G * W::LANES);
        let (some, others) = core::mem::take(&mut rest).split_at_mut(n);
        rest = others;
        chained::<W, G>(isa, rule, some);
    });
}

/// Lanes of the widest call.
const LANES: usize = 192;

#[inline(always)]
fn chained<W: Words, const G: usize>(isa: W::Isa, rule: Rule, lanes: &mut [Lane<'_>]) {
    let Some(first) = lanes.first() else { return };
    let (s, length) = (first.schedule, first.data.len());
    let tables = W::tables(isa, s.sboxes.rows());
    let order = W::order(isa, s.order == Order::Magma);
    let (before, after) = (W::splat(isa, rule.before), W::splat(isa, rule.after));

    // A key word of each lane goes the way of a half-block, so that it meets its lane.
    let mut z = [[0; 8]; LANES];
    let mut keys = [[W::splat(isa, 0); G]; 8];
    for (i, [k0, k1]) in keys.as_chunks_mut::<2>().0.iter_mut().enumerate() {
        for (z, lane) in z.iter_mut().zip(lanes.iter()) {
            let k = &lane.schedule.keys;
            *z = (u64::from(k[2 * i + 1]) << 32 | u64::from(k[2 * i])).to_le_bytes();
        }
        for (g, (k0, k1)) in k0.iter_mut().zip(k1).enumerate() {
            (*k0, *k1) = W::halves(W::read(isa, &z.as_flattened()[8 * g * W::LANES..]));
        }
    }
    for (z, lane) in z.iter_mut().zip(lanes.iter()) {
        *z = *lane.state;
    }
    // Eight blocks of every lane at a time: `rows` by lane, `blocks` by block.
    let mut rows = [[0; 64]; LANES];
    let mut blocks = [[[0; 64]; LANES / 8]; 8];
    let tiles = (G * W::LANES).div_ceil(8);
    for at in (0..length).step_by(64) {
        let n = (length - at).min(64);
        for (row, lane) in rows.iter_mut().zip(lanes.iter()) {
            let x = match &lane.data {
                Data::Read(d) => d,
                Data::Through(d) => d.get_in(),
            };
            match x[at..].first_chunk() {
                Some(x) => *row = *x,
                None => row[..n].copy_from_slice(&x[at..]),
            }
        }
        for (t, rows) in rows.as_chunks::<8>().0.iter().enumerate().take(tiles) {
            for (block, x) in blocks.iter_mut().zip(W::turn(isa, rows.each_ref())) {
                block[t] = x;
            }
        }
        for block in &mut blocks[..n / 8] {
            let block = block.as_flattened_mut();
            let z = z.as_flattened_mut();
            let x: Groups<W, G> = core::array::from_fn(|g| {
                let at = 8 * g * W::LANES;
                let (x, z) = (W::read(isa, &block[at..]), W::read(isa, &z[at..]));
                W::halves(
                    [z[0] ^ (x[0] & before), z[1] ^ (x[1] & before)].map(|x| x.arrange(order)),
                )
            });
            let x = rounds(&tables, x, |k, g| keys[k][g], Direction::Encrypt, rule.rounds);
            for (g, (a, b)) in x.into_iter().enumerate() {
                let at = 8 * g * W::LANES;
                let e = W::join(a, b).map(|x| x.arrange(order));
                let x = W::read(isa, &block[at..]);
                let y = [e[0] ^ (x[0] & after), e[1] ^ (x[1] & after)];
                W::write(y, &mut block[at..]);
                W::write(if rule.ofb { e } else { y }, &mut z[at..]);
            }
        }
        if matches!(lanes[0].data, Data::Read(_)) {
            continue;
        }
        for (t, rows) in rows.as_chunks_mut::<8>().0.iter_mut().enumerate().take(tiles) {
            *rows = W::turn(isa, blocks.each_ref().map(|b| &b[t]));
        }
        for (row, lane) in rows.iter().zip(lanes.iter_mut()) {
            let Data::Through(d) = &mut lane.data else { continue };
            let y = &mut d.get_out()[at..];
            match y.first_chunk_mut() {
                Some(y) => *y = *row,
                None => y.copy_from_slice(&row[..n]),
            }
        }
    }
    for (z, lane) in z.iter().zip(lanes.iter_mut()) {
        *lane.state = *z;
    }
    keys = [[W::splat(isa, 0); G]; 8];
    black_box(&mut keys);
}
