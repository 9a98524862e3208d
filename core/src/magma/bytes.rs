//! The cipher sliced by bytes (see `round.rs`), on every set with a shuffle of bytes: a vector holds one byte of a half of
//! each of `LEN` blocks, so an S-box is one look-up; S-boxes as data.
//!
//! ```text
//! s = a + k                                 four vectors, with carries by comparisons
//! for j in 0..4:                            byte j of the sum
//!     b[j + 1] ^= even[j][low nibble of s[j]] ^ odd[j][high nibble of s[j]]
//!     b[j + 2] ^= over[j][high nibble of s[j]]
//! ```
//!
//! The rotation by 11 is the naming of the bytes (by 8) and a shift of the tables' values (by 3), which puts an odd row's
//! value across two bytes. A round is 14 operations for the sum, 12 for the nibbles and 24 for look-ups and sums, 50 in
//! all for `LEN` blocks; 8 for the nibbles with GFNI; 20 for look-ups and sums where bits are selected, 16 with sums of
//! three, 13 for the sum with gates of three inputs.

use core::array::from_mut;
use core::marker::PhantomData;

use super::Schedule;
use super::batch::{Padded, Runs};
use super::constants::key_index;
use super::counter::{self, Counter};
use super::lanes::{Lane, Rule, source};
use super::schedule::Order;
use crate::cipher::{Count, Data, Direction, split};
use crate::simd::Vector;
use crate::{InOut, memory};

/// The S-boxes' values, shifted by 3, past a byte, and both ends of the latter; and the order in which sums, with their
/// highest bits turned over, look up an odd row.
const EVEN: [u8; 16] = by(8, 3);
const ODD: [u8; 16] = by(8, 7);
const OVER: [u8; 16] = by(0, 7);
const BOTH: [u8; 16] = by(4, 7);
const TURNED: [u8; 16] = [8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7];

/// n << left of every n < 16: its low byte (`part` 8), the next one (0), or both (4).
const fn by(part: usize, left: usize) -> [u8; 16] {
    let mut all = [0; 16];
    let mut n = 0;
    while n < 16 {
        let x = (n << left) as u16;
        let [low, high] = x.to_le_bytes();
        all[n] = match part {
            8 => low,
            0 => high,
            _ => low | high,
        };
        n += 1;
    }
    all
}

/// The S-boxes as a round looks them up: for byte j of the sum, row 2 j to byte j + 1; row 2 j + 1 to
/// bytes j + 1 and j + 2.
struct NibbleTables<N> {
    even: [N; 4],
    odd: [N; 4],
    over: [N; 4],
}

impl<N: Vector> NibbleTables<N> {
    #[inline(always)]
    fn new(isa: N::Isa, rows: &[[u8; 16]; 8]) -> Self {
        let zero = [N::splat(isa, 0); 4];
        let mut t = NibbleTables { even: zero, odd: zero, over: zero };
        let values = N::repeat(isa, if N::SELECTS { &BOTH } else { &ODD });
        for j in 0..4 {
            t.even[j] = N::repeat(isa, &EVEN).lookup(N::repeat(isa, &rows[2 * j]));
            let row = N::repeat(isa, &rows[2 * j + 1]).lookup(N::repeat(isa, &TURNED));
            t.odd[j] = values.lookup(row);
            t.over[j] = N::repeat(isa, &OVER).lookup(row);
        }
        t
    }
}

/// Key words, a byte a vector, the highest bits turned over: for all groups, or each for one of `K` groups.
type KeyOctets<N, const K: usize> = [[[N; 4]; K]; 8];

/// A group of blocks: the bytes of N1, then of N2.
type Group<N> = [N; 8];

/// b ^= S(a + k) <<< 11 in `M` groups, a their bytes from `from` on, b the others. Two groups at once have two chains of
/// carries, and load the tables once.
#[inline(always)]
fn step<N: Vector, const M: usize>(
    isa: N::Isa,
    t: &NibbleTables<N>,
    x: &mut [Group<N>; M],
    from: usize,
    k: [&[N; 4]; M],
) {
    let mut s = [*k[0]; M];
    for m in 0..M {
        s[m] = N::add_words(&[x[m][from], x[m][from + 1], x[m][from + 2], x[m][from + 3]], k[m]);
    }
    if N::SELECTS {
        let top = N::splat(isa, 0x80);
        for m in 0..M {
            let mut odd = s[m];
            for j in 0..4 {
                odd[j] = t.odd[j].lookup(s[m][j].high());
            }
            for j in 0..4 {
                let even = t.even[j].lookup(s[m][j].low());
                let b = &mut x[m][4 - from + (j + 1) % 4];
                *b = b.xor3(even, top.select(odd[j], odd[(j + 3) % 4]));
            }
        }
    } else {
        for j in 0..4 {
            let (even, odd, over) = (t.even[j], t.odd[j], t.over[j]);
            let (i, next) = (4 - from + (j + 1) % 4, 4 - from + (j + 2) % 4);
            for m in 0..M {
                let high = s[m][j].high();
                let both = even.lookup(s[m][j].low()).xor(odd.lookup(high));
                x[m][i] = x[m][i].xor(both);
                x[m][next] = x[m][next].xor(over.lookup(high));
            }
        }
    }
}

/// A round with key word `word`: see [`step`].
#[inline(always)]
fn round<N: Vector, const G: usize, const K: usize>(
    isa: N::Isa,
    tables: &NibbleTables<N>,
    keys: &KeyOctets<N, K>,
    x: &mut [Group<N>; G],
    from: usize,
    word: usize,
) {
    let (pairs, last) = if N::PAIRS { x.as_chunks_mut() } else { (Default::default(), &mut x[..]) };
    let paired = 2 * pairs.len();
    for (g, x) in pairs.iter_mut().enumerate() {
        let k = &N::fresh(keys)[word];
        step::<N, 2>(isa, N::fresh(tables), x, from, [&k[2 * g % K], &k[(2 * g + 1) % K]]);
    }
    for (g, x) in last.iter_mut().enumerate() {
        let k = &N::fresh(keys)[word][(paired + g) % K];
        step(isa, N::fresh(tables), from_mut(x), from, [k]);
    }
}

/// `n` rounds, 32 or 16, each with its exchange of the halves.
#[inline(always)]
fn exchanging<N: Vector, const G: usize, const K: usize>(
    isa: N::Isa,
    tables: &NibbleTables<N>,
    keys: &KeyOctets<N, K>,
    x: &mut [Group<N>; G],
    direction: Direction,
    n: usize,
) {
    for i in (0..n).step_by(2) {
        let word = |i: usize| key_index(if direction == Direction::Encrypt { i } else { 31 - i });
        round(isa, tables, keys, x, 0, word(i));
        round(isa, tables, keys, x, 4, word(i + 1));
    }
}

/// N2, then N1.
#[inline(always)]
fn exchanged<N: Vector>([a, b, c, d, e, f, g, h]: Group<N>) -> Group<N> {
    [e, f, g, h, a, b, c, d]
}

/// `n` rounds, 32 or 16 (32 end without the exchange of the halves).
#[inline(always)]
fn rounds<N: Vector, const G: usize, const K: usize>(
    isa: N::Isa,
    tables: &NibbleTables<N>,
    keys: &KeyOctets<N, K>,
    x: &mut [Group<N>; G],
    n: usize,
) {
    exchanging(isa, tables, keys, x, Direction::Encrypt, n);
    if n == 32 {
        for x in x {
            *x = exchanged(*x);
        }
    }
}

/// One stage of a transposition: bit `bit` of the vectors' numbers to the lowest bit of the bytes' places
/// within 16, these one bit up, and their highest bit to the vectors' numbers.
#[inline(always)]
fn zip<N: Vector, const R: usize>(x: &mut [N; R], bit: usize) {
    unrolled!(i < R, {
        if i & bit == 0 {
            (x[i], x[i | bit]) = x[i].zip(x[i | bit]);
        }
    });
}

/// The byte order of a group: N1 is the first half, little-endian, or the last, big-endian.
#[inline(always)]
fn turn<N: Vector>(x: Group<N>, order: Order) -> Group<N> {
    let [a, b, c, d, e, f, g, h] = x;
    if order == Order::Magma { [h, g, f, e, d, c, b, a] } else { x }
}

/// Blocks as they lie in memory to a group.
#[inline(always)]
fn take<N: Vector>(isa: N::Isa, octets: &[u8], order: Order) -> Group<N> {
    let mut x = [N::splat(isa, 0); 8];
    for (i, x) in x.iter_mut().enumerate() {
        *x = N::load(isa, &octets[i * N::LEN..]);
    }
    zip(&mut x, 1);
    zip(&mut x, 4);
    zip(&mut x, 2);
    zip(&mut x, 1);
    turn(x, order)
}

/// The inverse after 32 rounds, each with its exchange of the halves, as vectors in memory order.
#[inline(always)]
fn give<N: Vector>(x: Group<N>, order: Order) -> Group<N> {
    let mut x = turn(exchanged(x), order);
    zip(&mut x, 4);
    zip(&mut x, 2);
    zip(&mut x, 1);
    [x[0], x[4], x[1], x[5], x[2], x[6], x[3], x[7]]
}

/// One key for all blocks.
#[inline(always)]
fn one_key<N: Vector>(isa: N::Isa, s: &Schedule) -> KeyOctets<N, 1> {
    let mut keys = [[[N::splat(isa, 0); 4]; 1]; 8];
    for (keys, word) in keys.iter_mut().zip(&s.keys) {
        for (k, octet) in keys[0].iter_mut().zip(word.to_le_bytes()) {
            *k = N::splat(isa, octet ^ 0x80);
        }
    }
    keys
}

/// Blocks of the widest group of groups, of the longest vectors.
const WIDEST: usize = 4 * 64;

/// Bytes of the longest group.
const GROUP: usize = 8 * 64;

/// Transforms the blocks of `G` groups; returns the rest of the data.
#[inline(always)]
fn map_run<'i, 'o, N: Vector, const G: usize>(
    isa: N::Isa,
    tables: &NibbleTables<N>,
    keys: &KeyOctets<N, 1>,
    order: Order,
    direction: Direction,
    data: InOut<'i, 'o>,
) -> InOut<'i, 'o> {
    let (data, rest) = split(data, 8 * G * N::LEN);
    let mut padded = Padded::<GROUP, G>::new();
    let mut some = padded.lend(data, 8 * G * N::LEN);
    let mut x = [[N::splat(isa, 0); 8]; G];
    for (x, octets) in x.iter_mut().zip(some.get_in().chunks_exact(8 * N::LEN)) {
        *x = take(isa, octets, order);
    }
    exchanging(isa, tables, keys, &mut x, direction, 32);
    for (x, octets) in x.iter().zip(some.get_out().chunks_exact_mut(8 * N::LEN)) {
        let x = give(*x, order);
        for (i, x) in x.iter().enumerate() {
            x.store(&mut octets[i * N::LEN..]);
        }
    }
    rest
}

/// Independent blocks.
#[inline(always)]
pub(super) fn map<N: Vector>(isa: N::Isa, s: &Schedule, direction: Direction, data: InOut<'_, '_>) {
    if data.is_empty() {
        return;
    }
    let tables = NibbleTables::<N>::new(isa, s.sboxes.rows());
    let mut keys = one_key::<N>(isa, s);
    let (mut runs, mut data) = (Runs::of(data.len() / 8, N::LEN), data);
    while runs.take(4, 3) {
        data = map_run::<N, 4>(isa, &tables, &keys, s.order, direction, data);
    }
    while runs.take(3, 2) {
        data = map_run::<N, 3>(isa, &tables, &keys, s.order, direction, data);
    }
    while runs.take(2, 1) {
        data = map_run::<N, 2>(isa, &tables, &keys, s.order, direction, data);
    }
    while runs.take(1, 0) {
        data = map_run::<N, 1>(isa, &tables, &keys, s.order, direction, data);
    }
    memory::wipe(&mut keys, [[[N::splat(isa, 0); 4]; 1]; 8]);
}

/// The steps from the first counter of CNT to that of each block, as [`take`] would slice them, for four groups. Byte 0
/// is the number of the block.
struct Steps<N>(PhantomData<N>);

impl<N: Vector> Steps<N> {
    const STEPS: [[[u8; 64]; 8]; 4] = {
        let (mut steps, mut n) = ([[[0; 64]; 8]; 4], 1);
        while n < 4 * N::LEN {
            let (vector, rest) = (n % N::LEN / (N::LEN / 8), n % (N::LEN / 8));
            let place = rest / 2 * 16 + (vector & 1) * 8 + (vector & 6) + rest % 2;
            let octets = counter::step(Count::Cnt, 0, n as u64).to_le_bytes();
            let mut i = 0;
            while i < 8 {
                steps[n / N::LEN][i][place] = octets[i];
                i += 1;
            }
            n += 1;
        }
        steps
    };
}
/// The counters of group `g` of the batch that begins with `c`. Nothing depends on where carries are: a
/// counter can be secret (MGM's).
#[inline(always)]
fn counters<N: Vector>(isa: N::Isa, c: &Counter, flip: usize, g: usize) -> Group<N> {
    let steps = const { &Steps::<N>::STEPS };
    let steps = &steps[g];
    let number = N::repeat(isa, &c.window());
    let mut x = [N::splat(isa, flip as u8); 8];
    if c.count == Count::Cnt {
        let top = N::splat(isa, 0x80);
        let mut sums = x;
        for i in 0..8 {
            x[i] = number.lookup(N::splat(isa, i as u8)).xor(top);
            sums[i] = N::load(isa, &steps[i]);
        }
        if let ([a, b], [k, l]) = (sums.as_chunks().0, x.as_chunks().0) {
            let (low, high) = (N::add_words(a, k), N::add_words(b, l));
            // A step's highest byte is less than 255, so that only a carry makes the sum's less. It goes
            // round to the lowest.
            let mut carry = l[3].greater(high[3]);
            for i in 0..4 {
                let sum = high[i].sub(carry);
                carry = high[i].greater(sum);
                (sums[i], sums[4 + i]) = (low[i].xor(top), sum.xor(top));
            }
        }
        return sums;
    }
    // In 256 values there is one carry out of the byte that counts, so that the others have one of two.
    let before = number.lookup(N::splat(isa, 0));
    let after = before.add(N::load(isa, &steps[0]));
    let carried = after.min(before).equal(before).add(N::splat(isa, 1));
    let place = carried.shl::<3>().xor(x[0]);
    for (i, x) in x.iter_mut().enumerate() {
        *x = number.lookup(place.xor(N::splat(isa, i as u8)));
    }
    // Places that are known to the compiler stay in registers.
    for i in [0, 3, 4, 7] {
        if i == flip {
            x[i] = after;
        }
    }
    x
}

/// Adds gamma to the blocks of `G` groups; returns the rest of the data.
#[inline(always)]
fn stream_run<'i, 'o, N: Vector, const G: usize>(
    isa: N::Isa,
    tables: &NibbleTables<N>,
    keys: &KeyOctets<N, 1>,
    order: Order,
    c: &mut Counter,
    data: InOut<'i, 'o>,
) -> InOut<'i, 'o> {
    let (data, rest) = split(data, 8 * G * N::LEN);
    let mut padded = Padded::<GROUP, G>::new();
    let mut some = padded.lend(data, 8 * G * N::LEN);
    let flip = c.flip(order);
    let mut x = [[N::splat(isa, 0); 8]; G];
    for g in 0..G {
        x[g] = counters(isa, c, flip, g);
    }
    c.skip((G * N::LEN) as u64);
    exchanging(isa, tables, keys, &mut x, Direction::Encrypt, 32);
    for (g, x) in x.iter().enumerate() {
        let at = 8 * g * N::LEN;
        let x = give(*x, order);
        for (i, x) in x.iter().enumerate() {
            let at = at + i * N::LEN;
            let y = x.xor(N::load(isa, &some.get_in()[at..]));
            y.store(&mut some.get_out()[at..]);
        }
    }
    rest
}

/// Gamma from a counter.
#[inline(always)]
pub(super) fn stream<N: Vector>(
    isa: N::Isa,
    s: &Schedule,
    register: &mut [u8; 8],
    count: Count,
    data: InOut<'_, '_>,
) {
    if data.is_empty() {
        return;
    }
    let tables = NibbleTables::<N>::new(isa, s.sboxes.rows());
    let mut keys = one_key::<N>(isa, s);
    let mut c = Counter::new(*register, count);
    let mut end = Counter::new(*register, count);
    end.skip(data.len() as u64 / 8);
    // The register of RFC 5830 is stepped before it is used.
    c.skip(u64::from(count == Count::Cnt));
    let (mut runs, mut data) = (Runs::of(data.len() / 8, N::LEN), data);
    while runs.take(4, 3) {
        data = stream_run::<N, 4>(isa, &tables, &keys, s.order, &mut c, data);
    }
    while runs.take(3, 2) {
        data = stream_run::<N, 3>(isa, &tables, &keys, s.order, &mut c, data);
    }
    while runs.take(2, 1) {
        data = stream_run::<N, 2>(isa, &tables, &keys, s.order, &mut c, data);
    }
    while runs.take(1, 0) {
        data = stream_run::<N, 1>(isa, &tables, &keys, s.order, &mut c, data);
    }
    *register = end.register();
    memory::wipe(&mut keys, [[[N::splat(isa, 0); 4]; 1]; 8]);
}

/// Chained streams over the same S-boxes and byte order, each with its own key.
#[inline(always)]
pub(super) fn lanes<N: Vector>(isa: N::Isa, rule: Rule, lanes: &mut [Lane<'_>]) {
    let (mut runs, mut rest) = (Runs::of(lanes.len(), N::LEN), lanes);
    while runs.take(4, 3) {
        rest = run_of::<N, 4>(isa, rule, rest);
    }
    while runs.take(3, 2) {
        rest = run_of::<N, 3>(isa, rule, rest);
    }
    while runs.take(2, 1) {
        rest = run_of::<N, 2>(isa, rule, rest);
    }
    while runs.take(1, 0) {
        rest = run_of::<N, 1>(isa, rule, rest);
    }
}

/// Runs the first lanes, as many as `G` groups have; returns the others.
#[inline(always)]
fn run_of<'l, 'd, N: Vector, const G: usize>(
    isa: N::Isa,
    rule: Rule,
    lanes: &'l mut [Lane<'d>],
) -> &'l mut [Lane<'d>] {
    let n = lanes.len().min(G * N::LEN);
    let (some, others) = lanes.split_at_mut(n);
    chained::<N, G>(isa, rule, some);
    others
}

/// Sixteen bytes of each lane of `G` groups, as the vectors to transpose.
struct Tile<N, const G: usize>([[N; 16]; G]);

impl<N: Vector, const G: usize> Tile<N, G> {
    /// The place of lane l within a group's bytes: the vectors' numbers are l mod 16.
    #[inline(always)]
    fn place(lane: usize) -> usize {
        let (group, lane) = (lane / N::LEN, lane % N::LEN);
        16 * N::LEN * group + N::LEN * (lane % 16) + lane / 16 * 16
    }
    /// From the pieces of the lanes: vector i is byte i of each.
    #[inline(always)]
    fn load(&mut self, isa: N::Isa, octets: &[u8]) {
        for (x, octets) in self.0.iter_mut().zip(octets.chunks_exact(16 * N::LEN)) {
            for (x, octets) in x.iter_mut().zip(octets.chunks_exact(N::LEN)) {
                *x = N::load(isa, octets);
            }
            Self::transpose(x);
        }
    }
    /// And back.
    #[inline(always)]
    fn store(&mut self, octets: &mut [u8]) {
        for (x, octets) in self.0.iter_mut().zip(octets.chunks_exact_mut(16 * N::LEN)) {
            Self::transpose(x);
            for (x, octets) in x.iter().zip(octets.chunks_exact_mut(N::LEN)) {
                x.store(octets);
            }
        }
    }
    #[inline(always)]
    fn transpose(x: &mut [N; 16]) {
        zip(x, 8);
        zip(x, 4);
        zip(x, 2);
        zip(x, 1);
    }
}

/// a ^= b.
#[inline(always)]
fn add<N: Vector>(a: &mut Group<N>, b: &Group<N>) {
    for (a, b) in a.iter_mut().zip(b) {
        *a = a.xor(*b);
    }
}

#[inline(always)]
fn chained<N: Vector, const G: usize>(isa: N::Isa, rule: Rule, lanes: &mut [Lane<'_>]) {
    let Some(first) = lanes.first() else { return };
    let (s, length) = (first.schedule, first.data.len());
    let read = matches!(first.data, Data::Read(_));
    let tables = NibbleTables::<N>::new(isa, s.sboxes.rows());
    let zero = N::splat(isa, 0);
    let mut octets = [0; 16 * WIDEST];
    let octets = &mut octets[..16 * G * N::LEN];
    let mut tile = Tile::<N, G>([[zero; 16]; G]);

    let mut keys = [[[zero; 4]; G]; 8];
    for (part, keys) in keys.as_chunks_mut::<4>().0.iter_mut().enumerate() {
        for (i, lane) in lanes.iter().enumerate() {
            // Untraceable, or the compiler gathers these by addresses in vectors; so too below.
            let words = N::fresh(lane.schedule).keys.as_chunks::<4>().0[part];
            let key = words.map(u32::to_le_bytes);
            octets[Tile::<N, G>::place(i)..][..16].copy_from_slice(key.as_flattened());
        }
        tile.load(isa, octets);
        for (w, keys) in keys.iter_mut().enumerate() {
            for (keys, x) in keys.iter_mut().zip(&tile.0) {
                for (i, k) in keys.iter_mut().enumerate() {
                    *k = x[4 * w + i].xor(N::splat(isa, 0x80));
                }
            }
        }
    }
    for (i, lane) in lanes.iter().enumerate() {
        octets[Tile::<N, G>::place(i)..][..8].copy_from_slice(N::fresh::<[u8; 8]>(lane.state));
    }
    tile.load(isa, octets);
    let mut z = [[zero; 8]; G];
    for (z, x) in z.iter_mut().zip(&tile.0) {
        if let [x, _] = x.as_chunks::<8>().0 {
            *z = turn(*x, s.order);
        }
    }
    // Two blocks of every lane at a time.
    for at in (0..length).step_by(16) {
        let n = (length - at).min(16);
        for (i, lane) in lanes.iter().enumerate() {
            let x = &source(&N::fresh(lane).data)[at..];
            let piece = &mut octets[Tile::<N, G>::place(i)..];
            match x.first_chunk::<16>() {
                Some(x) => piece[..16].copy_from_slice(x),
                None => piece[..8].copy_from_slice(&x[..8]),
            }
        }
        tile.load(isa, octets);
        for block in 0..n / 8 {
            if rule.before {
                for (z, x) in z.iter_mut().zip(&tile.0) {
                    add(z, &turn(x.as_chunks().0[block], s.order));
                }
            }
            rounds(isa, &tables, &keys, &mut z, rule.rounds);
            if read {
                continue;
            }
            for (z, x) in z.iter_mut().zip(&mut tile.0) {
                let x = &mut x.as_chunks_mut().0[block];
                let mut y = *z;
                if !rule.before {
                    add(&mut y, &turn(*x, s.order));
                }
                *x = turn(y, s.order);
                if !rule.ofb {
                    *z = y;
                }
            }
        }
        if read {
            continue;
        }
        tile.store(octets);
        for (i, lane) in lanes.iter_mut().enumerate() {
            let Data::Through(d) = &mut lane.data else { continue };
            let y = &mut d.get_out()[at..];
            let piece = &octets[Tile::<N, G>::place(i)..];
            match y.first_chunk_mut::<16>() {
                Some(y) => y.copy_from_slice(&piece[..16]),
                None => y[..8].copy_from_slice(&piece[..8]),
            }
        }
    }
    for (z, x) in z.iter().zip(&mut tile.0) {
        x.as_chunks_mut().0[0] = turn(*z, s.order);
    }
    tile.store(octets);
    for (i, lane) in lanes.iter_mut().enumerate() {
        lane.state.copy_from_slice(&octets[Tile::<N, G>::place(i)..][..8]);
    }
    memory::wipe(&mut keys, [[[zero; 4]; G]; 8]);
    octets.fill(0);
    zeroize::optimization_barrier(octets);
}
