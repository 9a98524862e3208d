//! The batches of `round.rs`: work cut into groups of lanes, several side by side so that their latencies hide each
//! other.
#![allow(unsafe_code)]

use core::hint::black_box;

use super::Schedule;
use super::constants::key_index;
use super::counter::{Counter, lane_words};
use super::round::{Group, RoundKeys, Word, Words, rounds};
use super::schedule::Order;
use crate::cipher::{Count, Direction, split};
use crate::memory::{Plain, Room};
use crate::simd::{fresh, prefetch};
use crate::{InOut, memory};

/// Groups of lanes still to be done, in runs of several: see [`Runs::next`].
pub(super) struct Runs(usize);

impl Runs {
    /// Groups of `lanes` for these items.
    #[inline(always)]
    pub(super) fn of(items: usize, lanes: usize) -> Self {
        Runs(items.div_ceil(lanes))
    }
    /// The groups of the next run, 0 after the last. Of `widths`, widest first, the first is chosen for which more groups
    /// are left than the next smaller width has, and at most one of its groups would be empty: a run of a few groups costs
    /// as much as a single group.
    #[inline(always)]
    pub(super) fn next(&mut self, widths: &[usize]) -> usize {
        for (i, n) in widths.iter().enumerate() {
            let less = widths.get(i + 1).copied().unwrap_or(0);
            if self.0 > less && self.0 + 1 >= *n {
                self.0 = self.0.saturating_sub(*n);
                return *n;
            }
        }
        0
    }
}

/// Room for the last group of a run, if it is not full: nested arrays, since [`Plain`] has these.
pub(super) struct Part<const GROUP: usize>(Room<[[[u8; GROUP]; 1]; 1]>);

impl<const GROUP: usize> Part<GROUP> {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Part(Room::new(()))
    }
    /// At least `len` bytes from `at` on: past the end of `bytes` are zeros. A `full` group is within `bytes`; here and below
    /// a constant spares the code for others.
    #[inline(always)]
    pub(super) fn read<'a>(
        &'a mut self,
        full: bool,
        bytes: &'a [u8],
        at: usize,
        len: usize,
    ) -> &'a [u8] {
        let bytes = &bytes[at.min(bytes.len())..];
        if full || bytes.len() >= len {
            return &bytes[..len];
        }
        let room = self.0.open();
        *room = [[[0; GROUP]; 1]; 1];
        let room = room.as_flattened_mut().as_flattened_mut();
        room[..bytes.len()].copy_from_slice(bytes);
        room
    }
    /// The place for at least `len` bytes from `at` on, of which [`Part::written`] keeps the bytes that exist.
    #[inline(always)]
    pub(super) fn write<'a>(
        &'a mut self,
        full: bool,
        bytes: &'a mut [u8],
        at: usize,
        len: usize,
    ) -> &'a mut [u8] {
        if full || bytes.len() >= at + len {
            return &mut bytes[at..at + len];
        }
        self.0.open().as_flattened_mut().as_flattened_mut()
    }
    /// Ends a write.
    #[inline(always)]
    pub(super) fn written(&mut self, full: bool, bytes: &mut [u8], at: usize, len: usize) {
        if !full && bytes.len() < at + len {
            let room = self.0.open();
            let at = at.min(bytes.len());
            let bytes = &mut bytes[at..];
            bytes.copy_from_slice(&room.as_flattened().as_flattened()[..bytes.len()]);
            // Past the data may be gamma that is still to be used.
            memory::wipe(room, [[[0; GROUP]; 1]; 1]);
        }
    }
}

/// Room for the data of a batch of planes of at most `LEN` bytes, if it `PADS` and the data is short.
pub(super) struct Padded<'i, 'o, const LEN: usize, const PADS: bool> {
    data: Option<InOut<'i, 'o>>,
    copy: Option<[u8; LEN]>,
}

impl<'i, 'o, const LEN: usize, const PADS: bool> Padded<'i, 'o, LEN, PADS> {
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
        if !PADS || n == len {
            return data;
        }
        let copy = self.copy.insert([0; LEN]);
        copy[..n].copy_from_slice(data.get_in());
        self.data = Some(data);
        (&mut copy[..len]).into()
    }
}

impl<const LEN: usize, const PADS: bool> Drop for Padded<'_, '_, LEN, PADS> {
    #[inline(always)]
    fn drop(&mut self) {
        if PADS && let (Some(data), Some(copy)) = (&mut self.data, &mut self.copy) {
            let n = data.len();
            data.get_out().copy_from_slice(&copy[..n]);
            // Past the data may be gamma that is still to be used.
            memory::wipe(copy, [0; LEN]);
        }
    }
}

/// Bytes of the longest group.
const GROUP: usize = 8 * 16;

/// The groups of a run, most first.
const WIDTHS: [usize; 6] = [MOST, 10, 8, FEW, 2, 1];
/// The most groups of a run. Full runs stay in registers from first to last, as do those of at most `FEW` groups (in `map`,
/// of two); others wait in memory while the shared [`Words::rounds`] run.
pub(crate) const MOST: usize = 12;
const FEW: usize = 4;

/// The widths of a set.
#[inline(always)]
fn widths<W: Words>() -> &'static [usize] {
    if W::SEVERAL { &WIDTHS } else { &[1] }
}

/// Prefetches the data a few widest batches ahead: processors do so, or not, depending on where the code happens to lie
/// (text in memory cost half as much again).
#[inline(always)]
fn prefetch_ahead(bytes: &[u8]) {
    for line in bytes.chunks(64) {
        prefetch(line.as_ptr().wrapping_add(4 * 1536));
    }
}

/// The groups at the head of a run of `groups` that are always full: see [`Runs::next`].
#[inline(always)]
fn full(groups: usize) -> usize {
    groups - groups.div_ceil(2).min(2)
}

/// At most `M` groups.
struct Groups<W, const M: usize>([Group<W>; M]);
// SAFETY: vectors, valid for any bytes; the token proves that the machine has them.
unsafe impl<W: Words, const M: usize> Plain for Groups<W, M> {
    type Proof = W::Isa;
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
    /// The rounds of `groups` groups of at most `M`.
    #[inline(always)]
    fn rounds<const M: usize>(&self, x: &mut [Group<W>; M], groups: usize, direction: Direction) {
        // Hidden, or the compiler would repeat all words in vectors before the loop over runs and leave them on the stack.
        let keys = RoundKeys::One(self.isa, fresh(&self.schedule.keys));
        if M <= FEW {
            rounds(&self.tables, x, keys, direction, 32);
        } else {
            W::rounds(&self.tables, &mut x[..groups], keys, direction, 32);
        }
    }
    /// [`Prepared::map`] of a full run of the most groups.
    #[inline(always)]
    fn map_most<'i, 'o>(&self, direction: Direction, data: InOut<'i, 'o>) -> InOut<'i, 'o> {
        let &Prepared { isa, schedule, ref tables, orders } = self;
        let (mut some, rest) = split(data, 8 * W::LANES * MOST);
        prefetch_ahead(some.get_in());
        let mut x = [(W::splat(isa, 0), W::splat(isa, 0)); MOST];
        for (x, bytes) in x.iter_mut().zip(some.get_in().chunks_exact(8 * W::LANES)) {
            *x = W::take(isa, W::read(isa, bytes), orders);
        }
        W::most_rounds(tables, &mut x, fresh(&schedule.keys), direction);
        for (x, bytes) in x.iter().zip(some.get_out().chunks_exact_mut(8 * W::LANES)) {
            W::write(W::give(isa, *x, orders), bytes);
        }
        rest
    }
    /// [`Prepared::stream`] of a full run of the most groups.
    #[inline(always)]
    fn stream_most<'i, 'o>(
        &self,
        c: &mut Counter,
        as_words: bool,
        data: InOut<'i, 'o>,
    ) -> InOut<'i, 'o> {
        let &Prepared { isa, schedule, ref tables, orders } = self;
        let (mut some, rest) = split(data, 8 * W::LANES * MOST);
        prefetch_ahead(some.get_in());
        let mut x = [(W::splat(isa, 0), W::splat(isa, 0)); MOST];
        values(isa, c, as_words, &mut x);
        c.skip((W::LANES * MOST) as u64);
        W::most_rounds(tables, &mut x, fresh(&schedule.keys), Direction::Encrypt);
        for (g, x) in x.iter().enumerate() {
            let gamma = W::give(isa, *x, orders);
            let x = W::read(isa, &some.get_in()[8 * W::LANES * g..]);
            let bytes = &mut some.get_out()[8 * W::LANES * g..];
            W::write([x[0] ^ gamma[0], x[1] ^ gamma[1]], bytes);
        }
        rest
    }
    /// Transforms independent blocks of `groups` groups of at most `M`; returns the rest of the data.
    #[inline(always)]
    fn map<'i, 'o, const M: usize>(
        &self,
        groups: usize,
        direction: Direction,
        data: InOut<'i, 'o>,
    ) -> InOut<'i, 'o> {
        let &Prepared { isa, orders, .. } = self;
        let len = 8 * W::LANES;
        let (mut some, rest) = split(data, groups * len);
        let mut part = Part::<GROUP>::new();
        let (mut few, mut room) =
            ([(W::splat(isa, 0), W::splat(isa, 0)); M], Room::<Groups<W, M>>::new(isa));
        let x = if M <= FEW { &mut few } else { &mut room.open().0 };
        let full = full(groups);
        for (g, x) in x[..groups].iter_mut().enumerate() {
            let bytes = part.read(g < full, some.get_in(), len * g, len);
            *x = W::take(isa, W::read(isa, bytes), orders);
        }
        self.rounds(x, groups, direction);
        for (g, x) in x[..groups].iter().enumerate() {
            let bytes = some.get_out();
            W::write(W::give(isa, *x, orders), part.write(g < full, bytes, len * g, len));
            part.written(g < full, bytes, len * g, len);
        }
        rest
    }
    /// Adds gamma to the blocks of `groups` groups of at most `M`; returns the rest of the data.
    #[inline(always)]
    fn stream<'i, 'o, const M: usize>(
        &self,
        groups: usize,
        c: &mut Counter,
        as_words: bool,
        data: InOut<'i, 'o>,
    ) -> InOut<'i, 'o> {
        let &Prepared { isa, orders, .. } = self;
        let len = 8 * W::LANES;
        let (mut some, rest) = split(data, groups * len);
        let (mut few, mut room) =
            ([(W::splat(isa, 0), W::splat(isa, 0)); M], Room::<Groups<W, M>>::new(isa));
        let x = if M <= FEW { &mut few } else { &mut room.open().0 };
        values(isa, c, as_words, &mut x[..groups]);
        c.skip((groups * W::LANES) as u64);
        self.rounds(x, groups, Direction::Encrypt);
        let (mut part, full) = (Part::<GROUP>::new(), full(groups));
        for (g, x) in x[..groups].iter().enumerate() {
            let gamma = W::give(isa, *x, orders);
            let x = W::read(isa, part.read(g < full, some.get_in(), len * g, len));
            let bytes = some.get_out();
            let x = [x[0] ^ gamma[0], x[1] ^ gamma[1]];
            W::write(x, part.write(g < full, bytes, len * g, len));
            part.written(g < full, bytes, len * g, len);
        }
        if M > FEW {
            x[..groups].fill((W::splat(isa, 0), W::splat(isa, 0)));
            zeroize::optimization_barrier(x);
        }
        rest
    }
}

/// Independent blocks; at most a group where [`Words::SEVERAL`] is false.
#[inline(always)]
pub(super) fn map<W: Words>(isa: W::Isa, s: &Schedule, direction: Direction, data: InOut<'_, '_>) {
    assert!(W::SEVERAL || data.len() <= 8 * W::LANES);
    let prepared = Prepared::<W>::new(isa, s);
    let (mut runs, mut data) = (Runs::of(data.len() / 8, W::LANES), data);
    loop {
        data = match runs.next(widths::<W>()) {
            0 => break,
            1 => {
                prepared.map::<1>(1, direction, data);
                break;
            }
            2 => prepared.map::<2>(2, direction, data),
            MOST if data.len() >= 8 * W::LANES * MOST => prepared.map_most(direction, data),
            n => prepared.map::<MOST>(n, direction, data),
        }
    }
}

/// One block or two, at the latency of one block.
#[inline(always)]
pub(super) fn pair<W: Word>(
    isa: W::Isa,
    s: &Schedule,
    direction: Direction,
    mut data: InOut<'_, '_>,
) {
    let tables = W::tables(isa, s.sboxes.rows());
    let orders = W::orders(isa, s.order == Order::Magma);
    let mut bytes = [[0; 8]; 2];
    bytes.as_flattened_mut()[..data.len()].copy_from_slice(data.get_in());
    let [x, y] = &bytes;
    let ((mut a, mut b), (mut c, mut d)) = (W::enter(isa, x, orders), W::enter(isa, y, orders));
    for i in (0..32).step_by(2) {
        let i = if direction == Direction::Encrypt { [i, i + 1] } else { [31 - i, 30 - i] };
        let (k, l) =
            (W::splat(isa, s.keys[key_index(i[0])]), W::splat(isa, s.keys[key_index(i[1])]));
        (b, d) = (W::round(&tables, a, b, k), W::round(&tables, c, d, k));
        (a, c) = (W::round(&tables, b, a, l), W::round(&tables, d, c, l));
    }
    // 32 rounds end without the exchange of the halves.
    W::leave(isa, (b, a), orders, &mut bytes[0]);
    W::leave(isa, (d, c), orders, &mut bytes[1]);
    let n = data.len();
    data.get_out().copy_from_slice(&bytes.as_flattened()[..n]);
    memory::wipe(&mut bytes, [[0; 8]; 2]);
}

/// The values of a counter for these groups, as N1 and N2 are or with the bytes the other way round.
#[inline(always)]
pub(super) fn values<W: Words>(isa: W::Isa, c: &Counter, as_words: bool, x: &mut [Group<W>]) {
    let (low, high) = c.words();
    let (low, high, one) = (W::splat(isa, low), W::splat(isa, high), W::splat(isa, 1));
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
    for x in x {
        *x = (x.0.prerotated(), x.1.prerotated());
        if !as_words {
            let raw = W::give(isa, *x, W::orders(isa, false));
            *x = W::take(isa, raw, W::orders(isa, true));
        }
    }
}

/// Gamma from a counter; as [`map`].
#[inline(always)]
pub(super) fn stream<W: Words>(
    isa: W::Isa,
    s: &Schedule,
    register: &mut [u8; 8],
    count: Count,
    data: InOut<'_, '_>,
) {
    assert!(W::SEVERAL || data.len() <= 8 * W::LANES);
    let prepared = Prepared::<W>::new(isa, s);
    // Numbers are words here; the register's bytes may be the other way round.
    // Untraceable, or the compiler keeps it as a byte on the stack, where data are.
    let magma = black_box(usize::from(s.order == Order::Magma));
    let as_words = magma != black_box(usize::from(count == Count::Cnt));
    let mut c = Counter::new(*register, count);
    let mut end = Counter::new(*register, count);
    end.skip(data.len() as u64 / 8);
    let (mut runs, mut data) = (Runs::of(data.len() / 8, W::LANES), data);
    loop {
        data = match runs.next(widths::<W>()) {
            0 => break,
            1 => {
                prepared.stream::<1>(1, &mut c, as_words, data);
                break;
            }
            2 => prepared.stream::<2>(2, &mut c, as_words, data),
            FEW => prepared.stream::<FEW>(FEW, &mut c, as_words, data),
            MOST if data.len() >= 8 * W::LANES * MOST => {
                prepared.stream_most(&mut c, as_words, data)
            }
            n => prepared.stream::<MOST>(n, &mut c, as_words, data),
        }
    }
    *register = end.register();
}
