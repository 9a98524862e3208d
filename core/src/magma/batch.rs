//! The batches of `round.rs`: work cut into groups of lanes, several side by side so that their latencies hide each
//! other.

use core::hint::black_box;

use super::Schedule;
use super::constants::key_index;
use super::counter::{Counter, lane_words};
use super::round::{Group, RoundKeys, Word, Words, rounds};
use super::schedule::Order;
use crate::cipher::{Count, Direction, split};
use crate::simd::prefetch;
use crate::{InOut, memory};

/// Groups of lanes still to be done. `while runs.take(8, 4) { .. }` does runs of eight groups as long as those cost less
/// than runs of four: the last group may be partly empty, and one more wholly, for a few groups cost as much as one.
///
/// Not a function over closures: the body of a closure is not compiled for the instruction set.
pub(super) struct Runs(usize);

impl Runs {
    /// Groups of `lanes` for these items.
    #[inline(always)]
    pub(super) fn of(items: usize, lanes: usize) -> Self {
        Runs(items.div_ceil(lanes))
    }
    /// Counts a run of `n` groups, if it costs less than one of `less`, the next smaller size.
    #[inline(always)]
    pub(super) fn take(&mut self, n: usize, less: usize) -> bool {
        let pays = self.0 > less && self.0 + 1 >= n;
        if pays {
            self.0 = self.0.saturating_sub(n);
        }
        pays
    }
}

/// Room for the data of a run of `G` groups of at most `GROUP` bytes, if it is short.
pub(super) struct Padded<'i, 'o, const GROUP: usize, const G: usize> {
    data: Option<InOut<'i, 'o>>,
    copy: Option<[[u8; GROUP]; G]>,
}

impl<'i, 'o, const GROUP: usize, const G: usize> Padded<'i, 'o, GROUP, G> {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Padded { data: None, copy: None }
    }
    /// Returns the data, if it is `len` bytes, else a copy padded with zeros, which goes back to the data in the end.
    #[inline(always)]
    pub(super) fn lend<'a>(&'a mut self, data: InOut<'i, 'o>, len: usize) -> InOut<'a, 'a>
    where
        'i: 'a,
        'o: 'a,
    {
        let n = data.len();
        if n == len {
            return data;
        }
        let copy = self.copy.insert([[0; GROUP]; G]).as_flattened_mut();
        copy[..n].copy_from_slice(data.get_in());
        self.data = Some(data);
        (&mut copy[..len]).into()
    }
}

impl<const GROUP: usize, const G: usize> Drop for Padded<'_, '_, GROUP, G> {
    #[inline(always)]
    fn drop(&mut self) {
        if let (Some(data), Some(copy)) = (&mut self.data, &mut self.copy) {
            let n = data.len();
            data.get_out().copy_from_slice(&copy.as_flattened()[..n]);
            // Past the data may be gamma that is still to be used.
            memory::wipe(copy, [[0; GROUP]; G]);
        }
    }
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

/// A key and S-boxes for the rounds.
struct Prepared<'s, W: Words> {
    isa: W::Isa,
    schedule: &'s Schedule,
    tables: W::Tables,
    orders: W::Orders,
}

impl<'s, W: Words> Prepared<'s, W> {
    #[inline(always)]
    fn new(isa: W::Isa, schedule: &'s Schedule) -> Self {
        let tables = W::tables(isa, schedule.sboxes.rows());
        let orders = W::orders(isa, schedule.order == Order::Magma);
        Prepared { isa, schedule, tables, orders }
    }
    /// Transforms independent blocks of `G` groups; returns the rest of the data.
    #[inline(always)]
    fn map<'i, 'o, const G: usize>(
        &self,
        direction: Direction,
        data: InOut<'i, 'o>,
    ) -> InOut<'i, 'o> {
        let &Prepared { isa, schedule, ref tables, orders } = self;
        let (data, rest) = split(data, 8 * G * W::LANES);
        let mut padded = Padded::<GROUP, G>::new();
        let mut some = padded.lend(data, 8 * G * W::LANES);
        let octets = some.get_in();
        prefetch_ahead::<G>(octets);
        let mut x = [(W::splat(isa, 0), W::splat(isa, 0)); G];
        for (g, x) in x.iter_mut().enumerate() {
            *x = W::take(isa, W::read(isa, &octets[8 * g * W::LANES..]), orders);
        }
        let x = rounds(tables, x, RoundKeys::One(isa, &schedule.keys), direction, 32);
        let octets = some.get_out();
        for (g, x) in x.into_iter().enumerate() {
            W::write(W::give(isa, x, orders), &mut octets[8 * g * W::LANES..]);
        }
        rest
    }
    /// Adds gamma to the blocks of `G` groups; returns the rest of the data.
    #[inline(always)]
    fn stream<'i, 'o, const G: usize>(
        &self,
        c: &mut Counter,
        as_words: bool,
        data: InOut<'i, 'o>,
    ) -> InOut<'i, 'o> {
        let &Prepared { isa, schedule, ref tables, orders } = self;
        let (data, rest) = split(data, 8 * G * W::LANES);
        let mut padded = Padded::<GROUP, G>::new();
        let mut some = padded.lend(data, 8 * G * W::LANES);
        let x = values::<W, G>(isa, c, as_words);
        c.skip((G * W::LANES) as u64);
        prefetch_ahead::<G>(some.get_in());
        let x = rounds(tables, x, RoundKeys::One(isa, &schedule.keys), Direction::Encrypt, 32);
        for (g, x) in x.into_iter().enumerate() {
            let at = 8 * g * W::LANES;
            let gamma = W::give(isa, x, orders);
            let x = W::read(isa, &some.get_in()[at..]);
            W::write([x[0] ^ gamma[0], x[1] ^ gamma[1]], &mut some.get_out()[at..]);
        }
        rest
    }
}

/// Independent blocks.
#[inline(always)]
pub(super) fn map<W: Words>(isa: W::Isa, s: &Schedule, direction: Direction, data: InOut<'_, '_>) {
    let prepared = Prepared::<W>::new(isa, s);
    let (mut runs, mut data) = (Runs::of(data.len() / 8, W::LANES), data);
    while W::GROUPS >= 12 && runs.take(12, 10) {
        data = prepared.map::<12>(direction, data);
    }
    while W::GROUPS >= 10 && runs.take(10, 8) {
        data = prepared.map::<10>(direction, data);
    }
    while W::GROUPS >= 8 && runs.take(8, 4) {
        data = prepared.map::<8>(direction, data);
    }
    while W::GROUPS >= 4 && runs.take(4, 2) {
        data = prepared.map::<4>(direction, data);
    }
    while W::GROUPS >= 2 && runs.take(2, 1) {
        data = prepared.map::<2>(direction, data);
    }
    while runs.take(1, 0) {
        data = prepared.map::<1>(direction, data);
    }
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
    let prepared = Prepared::<W>::new(isa, s);
    // Numbers are words here; the register's bytes may be the other way round.
    // Untraceable, or the compiler keeps it as a byte on the stack, where data are.
    let magma = black_box(usize::from(s.order == Order::Magma));
    let as_words = magma != black_box(usize::from(count == Count::Cnt));
    let mut c = Counter::new(*register, count);
    let mut end = Counter::new(*register, count);
    end.skip(data.len() as u64 / 8);
    let (mut runs, mut data) = (Runs::of(data.len() / 8, W::LANES), data);
    while W::GROUPS >= 12 && runs.take(12, 10) {
        data = prepared.stream::<12>(&mut c, as_words, data);
    }
    while W::GROUPS >= 10 && runs.take(10, 8) {
        data = prepared.stream::<10>(&mut c, as_words, data);
    }
    while W::GROUPS >= 8 && runs.take(8, 4) {
        data = prepared.stream::<8>(&mut c, as_words, data);
    }
    while W::GROUPS >= 4 && runs.take(4, 2) {
        data = prepared.stream::<4>(&mut c, as_words, data);
    }
    while W::GROUPS >= 2 && runs.take(2, 1) {
        data = prepared.stream::<2>(&mut c, as_words, data);
    }
    while runs.take(1, 0) {
        data = prepared.stream::<1>(&mut c, as_words, data);
    }
    *register = end.register();
}
