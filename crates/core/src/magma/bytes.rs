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
//!
//! Calls, from the outside in: `map`, `stream` and `chained` read the groups of a call. `some_rounds` keeps one group in
//! registers, and passes more on to [`Sliced::rounds`], the set's single compiled copy of `rounds`. That is `fixed_rounds`
//! for numbers of groups that are worth a copy, `each_round` for the others; `round` and `step` are its body.
#![allow(unsafe_code)]

use core::array::from_mut;
use core::marker::PhantomData;

use super::Schedule;
use super::batch::{Part, Runs};
use super::constants::key_index;
use super::counter::{self, Counter};
use super::lanes::{Lane, Rule, source};
use super::schedule::Order;
use crate::InOut;
use crate::cipher::{Count, Data, Direction, split};
use crate::memory::{self, Plain, Room};
use crate::simd::Vector;

/// For n < 16: `EVEN` is n << 3; `ODD` and `OVER` are the low and the next byte of n << 7; `BOTH` has these two bytes
/// in one byte, for sets that select bits. `TURNED` is n with its highest bit turned over, as the sums have it.
const EVEN: [u8; 16] = by(8, 3);
const ODD: [u8; 16] = by(8, 7);
const OVER: [u8; 16] = by(0, 7);
const BOTH: [u8; 16] = by(4, 7);
const TURNED: [u8; 16] = [8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7];

/// n << left of every n < 16: its low byte (`part` 8), the next byte (0), or both (4).
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
pub(super) struct NibbleTables<N> {
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

/// A key word, a byte a vector, the highest bits turned over.
pub(super) type KeyWord<N> = [N; 4];

/// Key words for all groups, or for each word a row with all groups' own.
#[derive(Clone, Copy)]
pub(super) enum Keys<'a, N> {
    One(&'a [KeyWord<N>; 8]),
    Own(&'a [KeyWord<N>]),
}

/// A group of blocks: the bytes of N1, then of N2.
pub(super) type Group<N> = [N; 8];

/// At most `M` groups.
struct Groups<N, const M: usize>([Group<N>; M]);
// SAFETY: vectors, valid for any bytes; the token proves that the machine has them.
unsafe impl<N: Vector, const M: usize> Plain for Groups<N, M> {
    type Proof = N::Isa;
}

/// The most groups that go side by side.
const MOST: usize = 4;
/// The groups of a run, most first.
const WIDTHS: [usize; MOST] = [4, 3, 2, 1];

/// Functions that a set compiles once, for all shapes: see [`kernels`](super::kernels).
pub(super) trait Sliced: Vector {
    /// [`rounds`] of two groups or more.
    fn rounds(
        tables: &NibbleTables<Self>,
        keys: Keys<'_, Self>,
        x: &mut [Group<Self>],
        direction: Direction,
        n: usize,
    );
    /// [`load_tile`].
    fn load_tile(isa: Self::Isa, tile: &mut [Self; 16], bytes: &[u8]);
    /// [`store_tile`].
    fn store_tile(tile: &mut [Self; 16], bytes: &mut [u8]);
}

/// b ^= S(a + k) <<< 11 in `M` groups, a their bytes from `from` on, b the others. Two groups at once have two chains of
/// carries, and load the tables once.
#[inline(always)]
fn step<N: Vector, const M: usize>(
    isa: N::Isa,
    t: &NibbleTables<N>,
    x: &mut [Group<N>; M],
    from: usize,
    k: [&KeyWord<N>; M],
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
fn round<N: Vector>(
    isa: N::Isa,
    tables: &NibbleTables<N>,
    keys: Keys<'_, N>,
    x: &mut [Group<N>],
    from: usize,
    word: usize,
) {
    let groups = x.len();
    let (pairs, last) = if N::PAIRS { x.as_chunks_mut() } else { (Default::default(), x) };
    match keys {
        Keys::One(words) => {
            let k = &N::fresh(words)[word];
            for x in pairs {
                step::<N, 2>(isa, N::fresh(tables), x, from, [k, k]);
            }
            for x in last {
                step(isa, N::fresh(tables), from_mut(x), from, [k]);
            }
        }
        Keys::Own(words) => {
            let (two, one) = words[groups * word..][..groups].split_at(2 * pairs.len());
            for (x, [k, l]) in pairs.iter_mut().zip(two.as_chunks().0) {
                step::<N, 2>(isa, N::fresh(tables), x, from, [k, l]);
            }
            for (x, k) in last.iter_mut().zip(one) {
                step(isa, N::fresh(tables), from_mut(x), from, [k]);
            }
        }
    }
}

/// `n` rounds, 32 or 16, of two groups or more, each with its exchange of the halves.
#[inline(always)]
pub(super) fn rounds<N: Vector>(
    isa: N::Isa,
    tables: &NibbleTables<N>,
    keys: Keys<'_, N>,
    x: &mut [Group<N>],
    direction: Direction,
    n: usize,
) {
    // Where the number of groups is a constant, more halves stay in registers: 4 to 18 % on Zen 5. The other numbers gain less
    // than 2 %. Chains, with keys of their own, only encrypt.
    let encrypt = Direction::Encrypt;
    match (keys, N::LEN, x.len()) {
        (Keys::Own(_), 32.., 2) => fixed_rounds::<N, 2, true>(isa, tables, keys, x, encrypt, n),
        (Keys::Own(_), 64, 3) => fixed_rounds::<N, 3, true>(isa, tables, keys, x, encrypt, n),
        (Keys::Own(_), 64, _) => fixed_rounds::<N, 4, true>(isa, tables, keys, x, encrypt, n),
        (Keys::Own(_), ..) => each_round(isa, tables, keys, x, encrypt, n),
        (Keys::One(_), 32.., 2) => fixed_rounds::<N, 2, false>(isa, tables, keys, x, direction, n),
        (Keys::One(_), ..) => each_round(isa, tables, keys, x, direction, n),
    }
}

/// The loop of [`rounds`].
#[inline(always)]
fn each_round<N: Vector>(
    isa: N::Isa,
    tables: &NibbleTables<N>,
    keys: Keys<'_, N>,
    x: &mut [Group<N>],
    direction: Direction,
    n: usize,
) {
    for i in (0..n).step_by(2) {
        let word = |i: usize| key_index(if direction == Direction::Encrypt { i } else { 31 - i });
        round(isa, tables, keys, x, 0, word(i));
        round(isa, tables, keys, x, 4, word(i + 1));
    }
}

/// [`each_round`] of `G` groups, under keys of their own or one key.
#[inline(always)]
fn fixed_rounds<N: Vector, const G: usize, const OWN: bool>(
    isa: N::Isa,
    tables: &NibbleTables<N>,
    keys: Keys<'_, N>,
    groups: &mut [Group<N>],
    direction: Direction,
    n: usize,
) {
    match keys {
        Keys::Own(words) => assert!(OWN && words.len() == 8 * G, "a word for each group"),
        Keys::One(_) => assert!(!OWN),
    }
    let groups: &mut [Group<N>; G] = groups.try_into().expect("groups");
    let mut x = *groups;
    each_round(isa, tables, keys, &mut x, direction, n);
    *groups = x;
}

/// As [`rounds`]: `groups` of at most `M`, a single group in registers from first to last.
#[inline(always)]
fn some_rounds<N: Sliced, const M: usize>(
    isa: N::Isa,
    tables: &NibbleTables<N>,
    keys: Keys<'_, N>,
    x: &mut [Group<N>; M],
    groups: usize,
    direction: Direction,
    n: usize,
) {
    match x.first_chunk_mut::<1>() {
        Some(x) if M == 1 => {
            let mut y = *x;
            each_round(isa, tables, keys, &mut y, direction, n);
            *x = y;
        }
        _ => N::rounds(tables, keys, &mut x[..groups], direction, n),
    }
}

/// Exchanges the halves: N2, then N1.
#[inline(always)]
fn exchanged<N: Vector>([a, b, c, d, e, f, g, h]: Group<N>) -> Group<N> {
    [e, f, g, h, a, b, c, d]
}

/// A stage of a transposition: of each two vectors with numbers that differ in `bit`, and in each 16 bytes, the first
/// becomes the first halves of both in turn (a, b, a, b), the second the last halves. After the stages 8, 4, 2 and 1 byte i
/// of vector j is byte j of vector i.
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
///
/// 16 bytes hold two blocks. So stage 1 first interleaves the blocks of two neighbouring vectors; then the stages 4, 2 and 1
/// bring byte i of all blocks to vector i. [`Steps`] has the place of each block.
#[inline(always)]
fn take<N: Vector>(isa: N::Isa, bytes: &[u8], order: Order) -> Group<N> {
    let mut x = [N::splat(isa, 0); 8];
    for (i, x) in x.iter_mut().enumerate() {
        *x = N::load(isa, &bytes[i * N::LEN..]);
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
fn one_key<N: Vector>(isa: N::Isa, s: &Schedule) -> [KeyWord<N>; 8] {
    let mut keys = [[N::splat(isa, 0); 4]; 8];
    for (keys, word) in keys.iter_mut().zip(&s.keys) {
        for (k, byte) in keys.iter_mut().zip(word.to_le_bytes()) {
            *k = N::splat(isa, byte ^ 0x80);
        }
    }
    keys
}

/// Blocks of the widest group of groups, of the longest vectors.
const WIDEST: usize = MOST * 64;

/// Bytes of the longest group.
const GROUP: usize = 8 * 64;

/// A key and S-boxes for the rounds.
struct Prepared<'k, N> {
    tables: NibbleTables<N>,
    keys: &'k [KeyWord<N>; 8],
    order: Order,
}

impl<N: Sliced> Prepared<'_, N> {
    /// Transforms the blocks of `groups` groups of at most `M`; returns the rest of the data.
    #[inline(always)]
    fn map<'i, 'o, const M: usize>(
        &self,
        isa: N::Isa,
        groups: usize,
        direction: Direction,
        data: InOut<'i, 'o>,
    ) -> InOut<'i, 'o> {
        let (mut some, rest) = split(data, 8 * groups * N::LEN);
        let mut part = Part::<GROUP>::new();
        let (mut few, mut room) = ([[N::splat(isa, 0); 8]; M], Room::<Groups<N, M>>::new(isa));
        let x = if M == 1 { &mut few } else { &mut room.open().0 };
        for (g, x) in x[..groups].iter_mut().enumerate() {
            let bytes = part.read(false, some.get_in(), 8 * g * N::LEN, 8 * N::LEN);
            *x = take(isa, bytes, self.order);
        }
        let keys = Keys::One(self.keys);
        some_rounds(isa, &self.tables, keys, x, groups, direction, 32);
        for (g, x) in x[..groups].iter().enumerate() {
            let (at, len) = (8 * g * N::LEN, 8 * N::LEN);
            let x = give(*x, self.order);
            let bytes = part.write(false, some.get_out(), at, len);
            for (x, bytes) in x.iter().zip(bytes.chunks_exact_mut(N::LEN)) {
                x.store(bytes);
            }
            part.written(false, some.get_out(), at, len);
        }
        rest
    }
    /// Adds gamma to the blocks of `groups` groups of at most `M`; returns the rest of the data.
    #[inline(always)]
    fn stream<'i, 'o, const M: usize>(
        &self,
        isa: N::Isa,
        groups: usize,
        c: &mut Counter,
        data: InOut<'i, 'o>,
    ) -> InOut<'i, 'o> {
        let (mut some, rest) = split(data, 8 * groups * N::LEN);
        let flip = c.flip(self.order);
        let (mut few, mut room) = ([[N::splat(isa, 0); 8]; M], Room::<Groups<N, M>>::new(isa));
        let x = if M == 1 { &mut few } else { &mut room.open().0 };
        for (g, x) in x[..groups].iter_mut().enumerate() {
            *x = counters(isa, c, flip, g);
        }
        c.skip((groups * N::LEN) as u64);
        let keys = Keys::One(self.keys);
        some_rounds(isa, &self.tables, keys, x, groups, Direction::Encrypt, 32);
        let mut part = Part::<GROUP>::new();
        for (g, x) in x[..groups].iter().enumerate() {
            let (at, len) = (8 * g * N::LEN, 8 * N::LEN);
            let mut x = give(*x, self.order);
            let bytes = part.read(false, some.get_in(), at, len);
            for (x, bytes) in x.iter_mut().zip(bytes.chunks_exact(N::LEN)) {
                *x = x.xor(N::load(isa, bytes));
            }
            let bytes = part.write(false, some.get_out(), at, len);
            for (x, bytes) in x.iter().zip(bytes.chunks_exact_mut(N::LEN)) {
                x.store(bytes);
            }
            part.written(false, some.get_out(), at, len);
        }
        if M > 1 {
            x[..groups].fill([N::splat(isa, 0); 8]);
            zeroize::optimization_barrier(x);
        }
        rest
    }
}

/// Independent blocks.
#[inline(always)]
pub(super) fn map<N: Sliced>(isa: N::Isa, s: &Schedule, direction: Direction, data: InOut<'_, '_>) {
    if data.is_empty() {
        return;
    }
    let mut keys = one_key::<N>(isa, s);
    let tables = NibbleTables::<N>::new(isa, s.sboxes.rows());
    let prepared = Prepared { tables, keys: &keys, order: s.order };
    let (mut runs, mut data) = (Runs::of(data.len() / 8, N::LEN), data);
    loop {
        data = match runs.next(&WIDTHS) {
            0 => break,
            1 => {
                prepared.map::<1>(isa, 1, direction, data);
                break;
            }
            n => prepared.map::<MOST>(isa, n, direction, data),
        }
    }
    memory::wipe(&mut keys, [[N::splat(isa, 0); 4]; 8]);
}

/// The steps from the first counter of CNT to the counter of each block, as [`take`] would slice them, for four groups.
/// Byte 0 is the number of the block.
struct Steps<N>(PhantomData<N>);

impl<N: Vector> Steps<N> {
    const STEPS: [[[u8; 64]; 8]; 4] = {
        let (mut steps, mut n) = ([[[0; 64]; 8]; 4], 1);
        while n < 4 * N::LEN {
            let (vector, rest) = (n % N::LEN / (N::LEN / 8), n % (N::LEN / 8));
            // The place that the four steps of `take` give it.
            let place = rest / 2 * 16 + (vector & 1) * 8 + (vector & 6) + rest % 2;
            let bytes = counter::step(Count::Cnt, 0, n as u64).to_le_bytes();
            let mut i = 0;
            while i < 8 {
                steps[n / N::LEN][i][place] = bytes[i];
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
    // In 256 values there is one carry out of the byte that counts, so that each other byte has at most two values.
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

/// Gamma from a counter.
#[inline(always)]
pub(super) fn stream<N: Sliced>(
    isa: N::Isa,
    s: &Schedule,
    register: &mut [u8; 8],
    count: Count,
    data: InOut<'_, '_>,
) {
    if data.is_empty() {
        return;
    }
    let mut keys = one_key::<N>(isa, s);
    let tables = NibbleTables::<N>::new(isa, s.sboxes.rows());
    let prepared = Prepared { tables, keys: &keys, order: s.order };
    let mut c = Counter::new(*register, count);
    let mut end = Counter::new(*register, count);
    end.skip(data.len() as u64 / 8);
    // The register of RFC 5830 is stepped before it is used.
    c.skip(u64::from(count == Count::Cnt));
    let (mut runs, mut data) = (Runs::of(data.len() / 8, N::LEN), data);
    loop {
        data = match runs.next(&WIDTHS) {
            0 => break,
            1 => {
                prepared.stream::<1>(isa, 1, &mut c, data);
                break;
            }
            n => prepared.stream::<MOST>(isa, n, &mut c, data),
        }
    }
    *register = end.register();
    memory::wipe(&mut keys, [[N::splat(isa, 0); 4]; 8]);
}

/// Chained streams over the same S-boxes and byte order, each with its own key.
#[inline(always)]
pub(super) fn lanes<N: Sliced>(isa: N::Isa, rule: Rule, lanes: &mut [Lane<'_>]) {
    let (mut runs, mut rest) = (Runs::of(lanes.len(), N::LEN), lanes);
    loop {
        let groups = runs.next(&WIDTHS);
        let (some, others) = rest.split_at_mut(rest.len().min(groups * N::LEN));
        match groups {
            0 => break,
            1 => chained::<N, 1>(isa, rule, some, 1),
            n => chained::<N, MOST>(isa, rule, some, n),
        }
        rest = others;
    }
}

/// The place of a lane's 16 bytes in a tile: vector l mod 16, piece l / 16 of its pieces of 16 bytes for lane l of a group.
/// Then [`transpose`] brings byte i of lane l to place l of vector i.
#[inline(always)]
fn place<N: Vector>(lane: usize) -> usize {
    let (group, lane) = (lane / N::LEN, lane % N::LEN);
    16 * N::LEN * group + N::LEN * (lane % 16) + lane / 16 * 16
}

/// From the pieces of the lanes to byte i of each in vector i.
#[inline(always)]
pub(super) fn load_tile<N: Vector>(isa: N::Isa, tile: &mut [N; 16], bytes: &[u8]) {
    let mut x = [N::splat(isa, 0); 16];
    for (x, bytes) in x.iter_mut().zip(bytes.chunks_exact(N::LEN)) {
        *x = N::load(isa, bytes);
    }
    transpose(&mut x);
    *tile = x;
}

/// From byte i of each lane in vector i back to the pieces of the lanes.
#[inline(always)]
pub(super) fn store_tile<N: Vector>(tile: &mut [N; 16], bytes: &mut [u8]) {
    let mut x = *tile;
    transpose(&mut x);
    for (x, bytes) in x.iter().zip(bytes.chunks_exact_mut(N::LEN)) {
        x.store(bytes);
    }
}

#[inline(always)]
fn transpose<N: Vector>(x: &mut [N; 16]) {
    zip(x, 8);
    zip(x, 4);
    zip(x, 2);
    zip(x, 1);
}

/// a ^= b.
#[inline(always)]
fn add<N: Vector>(a: &mut Group<N>, b: &Group<N>) {
    for (a, b) in a.iter_mut().zip(b) {
        *a = a.xor(*b);
    }
}

/// The lanes of `groups` groups of at most `G`.
#[inline(always)]
fn chained<N: Sliced, const G: usize>(
    isa: N::Isa,
    rule: Rule,
    lanes: &mut [Lane<'_>],
    groups: usize,
) {
    let Some(first) = lanes.first() else { return };
    let (s, length) = (first.schedule, first.data.len());
    let read = matches!(first.data, Data::Read(_));
    let tables = NibbleTables::<N>::new(isa, s.sboxes.rows());
    let zero = N::splat(isa, 0);
    let mut bytes = [0; 16 * WIDEST];
    let bytes = &mut bytes[..16 * groups * N::LEN];
    let mut tiles = [[zero; 16]; G];
    let tiles = &mut tiles[..groups];

    let mut keys = [[[zero; 4]; G]; 8];
    let own = &mut keys.as_flattened_mut()[..8 * groups];
    for part in 0..2 {
        for (i, lane) in lanes.iter().enumerate() {
            // Untraceable, or the compiler gathers these by addresses in vectors; so too below.
            let words = N::fresh(lane.schedule).keys.as_chunks::<4>().0[part];
            let key = words.map(u32::to_le_bytes);
            bytes[place::<N>(i)..][..16].copy_from_slice(key.as_flattened());
        }
        load_tiles(isa, tiles, bytes);
        for (g, x) in tiles.iter().enumerate() {
            for (w, word) in x.as_chunks::<4>().0.iter().enumerate() {
                for (i, x) in word.iter().enumerate() {
                    own[(4 * part + w) * groups + g][i] = x.xor(N::splat(isa, 0x80));
                }
            }
        }
    }
    for (i, lane) in lanes.iter().enumerate() {
        bytes[place::<N>(i)..][..8].copy_from_slice(N::fresh::<[u8; 8]>(lane.state));
    }
    load_tiles(isa, tiles, bytes);
    let mut z = [[zero; 8]; G];
    for (z, x) in z.iter_mut().zip(tiles.iter()) {
        if let [x, _] = x.as_chunks::<8>().0 {
            *z = turn(*x, s.order);
        }
    }
    // Two blocks of every lane at a time.
    for at in (0..length).step_by(16) {
        let n = (length - at).min(16);
        for (i, lane) in lanes.iter().enumerate() {
            let x = &source(&N::fresh(lane).data)[at..];
            let piece = &mut bytes[place::<N>(i)..];
            match x.first_chunk::<16>() {
                Some(x) => piece[..16].copy_from_slice(x),
                None => piece[..8].copy_from_slice(&x[..8]),
            }
        }
        if G == 1 {
            load_tiles(isa, tiles, bytes);
        } else {
            // Not `N::load_tile`: its call costs 5 % of OMAC.
            for (tile, bytes) in tiles.iter_mut().zip(bytes.chunks_exact(16 * N::LEN)) {
                load_tile(isa, tile, bytes);
            }
        }
        for block in 0..n / 8 {
            if rule.before {
                for (z, x) in z.iter_mut().zip(tiles.iter()) {
                    add(z, &turn(x.as_chunks().0[block], s.order));
                }
            }
            let own = Keys::Own(own);
            some_rounds(isa, &tables, own, &mut z, groups, Direction::Encrypt, rule.rounds);
            for (z, x) in z.iter_mut().zip(tiles.iter_mut()) {
                // 32 rounds end without the exchange of the halves.
                if rule.rounds == 32 {
                    *z = exchanged(*z);
                }
                if read {
                    continue;
                }
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
        store_tiles(tiles, bytes);
        for (i, lane) in lanes.iter_mut().enumerate() {
            let Data::Through(d) = &mut lane.data else { continue };
            let y = &mut d.get_out()[at..];
            let piece = &bytes[place::<N>(i)..];
            match y.first_chunk_mut::<16>() {
                Some(y) => y.copy_from_slice(&piece[..16]),
                None => y[..8].copy_from_slice(&piece[..8]),
            }
        }
    }
    for (z, x) in z.iter().zip(tiles.iter_mut()) {
        x.as_chunks_mut().0[0] = turn(*z, s.order);
    }
    store_tiles(tiles, bytes);
    for (i, lane) in lanes.iter_mut().enumerate() {
        lane.state.copy_from_slice(&bytes[place::<N>(i)..][..8]);
    }
    memory::wipe(&mut keys, [[[zero; 4]; G]; 8]);
    memory::wipe(&mut z, [[zero; 8]; G]);
    bytes.fill(0);
    zeroize::optimization_barrier(bytes);
}

#[inline(always)]
fn load_tiles<N: Sliced>(isa: N::Isa, tiles: &mut [[N; 16]], bytes: &[u8]) {
    for (tile, bytes) in tiles.iter_mut().zip(bytes.chunks_exact(16 * N::LEN)) {
        N::load_tile(isa, tile, bytes);
    }
}

#[inline(always)]
fn store_tiles<N: Sliced>(tiles: &mut [[N; 16]], bytes: &mut [u8]) {
    for (tile, bytes) in tiles.iter_mut().zip(bytes.chunks_exact_mut(16 * N::LEN)) {
        N::store_tile(tile, bytes);
    }
}
