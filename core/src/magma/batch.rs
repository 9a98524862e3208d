//! The batches of `round.rs`: work cut into groups of lanes, several side by side so that their latencies hide each
//! other.

use core::hint::black_box;

use super::Schedule;
use super::counter::{Counter, lane_words};
use super::round::{Group, RoundKeys, Word, Words, rounds};
use super::schedule::{Order, key_index};
use crate::cipher::{Count, Direction};
use crate::simd::prefetch;
use crate::{InOut, memory};

// Macros, because closures of this size are not inlined, and code that is not inlined is not compiled for the instruction
// set.

/// Runs `$run` with G = each `$n` groups up to `$most`, the widest first, until all `$items` are done, `$lanes` to a
/// group. The last group may be partly empty, and one more wholly: a few groups cost as much as one, less than two runs.
macro_rules! groups {
    ([$($n:literal)*], $most:expr, $items:expr, $lanes:expr, |$g:ident| $run:expr) => {{
        let mut groups: usize = ($items).div_ceil($lanes);
        let sizes = [$($n),*, 0];
        let mut next = 0;
        $({
            const $g: usize = $n;
            next += 1;
            while $n <= $most && groups > sizes[next] && groups + 1 >= $n {
                groups = groups.saturating_sub($n);
                $run;
            }
        })*
        let _ = (groups, next);
    }};
}

/// `groups!` over data: lends it, and at the end a padded copy of the rest; `$octets` are the most of one group.
macro_rules! lend {
    (
        [$($n:literal)*], $most:expr, $octets:expr, $data:expr, $lanes:expr,
        |$g:ident, $some:ident| $run:expr
    ) => {{
        let mut data = $data;
        let mut at = 0;
        groups!([$($n)*], $most, data.len() / 8, $lanes, |$g| {
            let octets = 8 * $g * $lanes;
            let (_, mut rest) = data.reborrow().split_at(at);
            let n = rest.len();
            let mut padding = None;
            let mut $some: InOut<'_, '_> = if n < octets {
                let padding = padding.insert([0; $octets * $g]);
                padding[..n].copy_from_slice(rest.get_in());
                (&mut padding[..octets]).into()
            } else {
                rest.reborrow().split_at(octets).0
            };
            $run;
            if let Some(padding) = &mut padding {
                rest.get_out().copy_from_slice(&padding[..n]);
                // Past the data may be gamma that is still to be used.
                memory::wipe(padding, [0; $octets * $g]);
            }
            at += octets;
        });
        let _ = at;
    }};
}

/// Bytes of the longest group.
const GROUP: usize = 8 * 16;

/// Prefetches the data a few widest batches ahead: processors do so, or not, depending on where the code happens to lie
/// (text in memory cost half as much again).
#[inline(always)]
fn prefetch_ahead<const G: usize>(bytes: &[u8]) {
    if G == 12 {
        for line in bytes.chunks(64) {
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
        prefetch_ahead::<G>(octets);
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
    let ((mut a, mut b), (mut c, mut d)) = (W::enter(isa, x, orders), W::enter(isa, y, orders));
    for i in (0..32).step_by(2) {
        let i = if direction == Direction::Encrypt { [i, i + 1] } else { [31 - i, 30 - i] };
        let (k, l) =
            (W::splat(isa, s.keys[key_index(i[0])]), W::splat(isa, s.keys[key_index(i[1])]));
        (b, d) = (W::round(&tables, a, b, k), W::round(&tables, c, d, k));
        (a, c) = (W::round(&tables, b, a, l), W::round(&tables, d, c, l));
    }
    // 32 rounds end without the exchange of the halves.
    W::leave(isa, (b, a), orders, &mut octets[0]);
    W::leave(isa, (d, c), orders, &mut octets[1]);
    let n = data.len();
    data.get_out().copy_from_slice(&octets.as_flattened()[..n]);
    memory::wipe(&mut octets, [[0; 8]; 2]);
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
    // A branch outside the loop, on public data; one loop for all would add words that do not count.
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
    // Untraceable, or the compiler keeps it as a byte on the stack, where data are.
    let magma = black_box(usize::from(s.order == Order::Magma));
    let as_words = magma != black_box(usize::from(count == Count::Cnt));
    let mut c = Counter::new(*register, count);
    let mut end = Counter::new(*register, count);
    end.skip(data.len() as u64 / 8);
    lend!([12 10 8 4 2 1], W::GROUPS.min(12), GROUP, data, W::LANES, |G, some| {
        let x = values::<W, G>(isa, &c, as_words);
        c.skip((G * W::LANES) as u64);
        prefetch_ahead::<G>(some.get_in());
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
