//! The cipher on bit planes: 64 planes hold one bit each of many blocks; additions and S-boxes are
//! circuits, the rotation by 11 and the byte order are the numbering of the planes.
//!
//! RFC 8891, section 4; RFC 5830, sections 5 to 8.

use core::hint::black_box;

use super::circuits::sbox;
use super::counter::{Counter, lane_steps};
use super::{Order, Schedule, key_index};
use crate::InOut;
use crate::kernel::{Count, Direction};
use crate::simd::{Bits, Gates};

/// A batch as planes: bit i of N1 is plane i, of N2 plane 32 + i.
pub(super) type Batch<W> = [W; 64];

/// What is added in a round: the planes of the eight key words.
pub(super) trait Keys<W: Bits> {
    /// Bit `bit` of key word `word`, for the part `step` of the planes.
    fn plane(&self, word: usize, bit: usize, step: usize) -> W::Gate;
}

/// One key for all lanes: a mask for every bit.
pub(super) struct OneKey<I>(I, [[u32; 32]; 8]);

impl<I: Copy> OneKey<I> {
    #[inline(always)]
    pub(super) fn new(isa: I, keys: &[u32; 8]) -> Self {
        let mut masks = [[0; 32]; 8];
        for (m, k) in masks.iter_mut().zip(keys) {
            // One word at a time, or the compiler takes all eight at once and scatters the masks.
            let k = black_box(*k);
            for (i, m) in m.iter_mut().enumerate() {
                *m = ((k << (31 - i)) as i32 >> 31) as u32;
            }
        }
        OneKey(isa, masks)
    }
}
impl<W: Bits> Keys<W> for OneKey<W::Isa> {
    #[inline(always)]
    fn plane(&self, word: usize, bit: usize, _: usize) -> W::Gate {
        W::splat_gate(self.0, self.1[word][bit])
    }
}
impl<I> Drop for OneKey<I> {
    #[inline(always)]
    fn drop(&mut self) {
        self.1 = [[0; 32]; 8];
        black_box(&mut self.1);
    }
}

/// A key for every lane.
pub(super) struct LaneKeys<W>(pub [[W; 32]; 8]);

impl<W: Bits> Keys<W> for LaneKeys<W> {
    #[inline(always)]
    fn plane(&self, word: usize, bit: usize, step: usize) -> W::Gate {
        self.0[word][bit].part(step)
    }
}

/// A byte order as a turn of [`Bits::planes`]: N1 is the first half, little-endian, or it is the last,
/// big-endian.
#[inline(always)]
pub(super) fn turn(order: Order) -> usize {
    if order == Order::Magma { 7 } else { 0 }
}

/// What to turn further after `rounds`: 32 of them end without the exchange of the halves.
#[inline(always)]
pub(super) fn exchange(rounds: usize) -> usize {
    if rounds == 32 { 4 } else { 0 }
}

/// a + b + c of single bits: the sum and the carry.
#[inline(always)]
fn add<G: Gates>(a: G, b: G, c: G) -> (G, G) {
    if G::TERNARY {
        (a.lut::<0x96>(b, c), a.lut::<0xe8>(b, c))
    } else {
        let t = a ^ b;
        (t ^ c, b ^ (t & (b ^ c)))
    }
}

/// b ^= S(a + k) <<< 11, over the S-boxes of a set.
///
/// Kernels compile it as a function of its own for each set: inlined into the loop over the rounds, the
/// planes become values that the compiler keeps in unaligned places on the stack (1.5 against 0.8 cycles
/// per octet on AVX-512).
#[inline(always)]
pub(super) fn round<W: Bits, K: Keys<W>, const SET: usize>(
    a: &[W; 32],
    b: &mut [W; 32],
    keys: &K,
    word: usize,
) {
    for step in 0..W::STEPS {
        // Macros, because closures of this size are not inlined, and what is not inlined is not compiled
        // for the instruction set.
        let k = keys.plane(word, 0, step);
        let a0 = a[0].part(step);
        let (mut s, mut carry) = (a0 ^ k, a0 & k);
        macro_rules! sum {
            (0) => {
                s
            };
            ($i:expr) => {{
                (s, carry) = add(a[$i].part(step), keys.plane(word, $i, step), carry);
                s
            }};
        }
        macro_rules! boxes {
            ($($n:literal: $i:tt $j:tt $k:tt $l:tt, $at:literal $bt:literal $ct:literal $dt:literal;)*) => { $({
                let x = [sum!($i), sum!($j), sum!($k), sum!($l)];
                let y = [b[$at].part(step), b[$bt].part(step), b[$ct].part(step), b[$dt].part(step)];
                let y = select::<W::Gate, SET, $n>(x, y);
                b[$at].set_part(step, y[0]);
                b[$bt].set_part(step, y[1]);
                b[$ct].set_part(step, y[2]);
                b[$dt].set_part(step, y[3]);
                W::barrier();
            })* };
        }
        boxes! {
            0: 0 1 2 3, 11 12 13 14;
            1: 4 5 6 7, 15 16 17 18;
            2: 8 9 10 11, 19 20 21 22;
            3: 12 13 14 15, 23 24 25 26;
            4: 16 17 18 19, 27 28 29 30;
            5: 20 21 22 23, 31 0 1 2;
            6: 24 25 26 27, 3 4 5 6;
            7: 28 29 30 31, 7 8 9 10;
        }
        // There is nothing above bit 31 to carry into.
        let _ = carry;
    }
}

/// y ^ S_N(x) of a set.
#[inline(always)]
fn select<G: Gates, const SET: usize, const N: usize>(x: [G; 4], y: [G; 4]) -> [G; 4] {
    macro_rules! set {
        ($($s:literal)*) => {
            match (SET, N) {
                $(
                    ($s, 0) => sbox::<G, { 8 * $s }>(x, y),
                    ($s, 1) => sbox::<G, { 8 * $s + 1 }>(x, y),
                    ($s, 2) => sbox::<G, { 8 * $s + 2 }>(x, y),
                    ($s, 3) => sbox::<G, { 8 * $s + 3 }>(x, y),
                    ($s, 4) => sbox::<G, { 8 * $s + 4 }>(x, y),
                    ($s, 5) => sbox::<G, { 8 * $s + 5 }>(x, y),
                    ($s, 6) => sbox::<G, { 8 * $s + 6 }>(x, y),
                    ($s, 7) => sbox::<G, { 8 * $s + 7 }>(x, y),
                )*
                _ => unreachable!(),
            }
        };
    }
    set!(0 1 2 3 4 5 6 7)
}

/// `n` rounds, 32 or 16, by a function that does one with the key word of this number. The halves keep
/// their names: see [`exchange`].
#[inline(always)]
pub(super) fn rounds<W>(
    batch: &mut Batch<W>,
    direction: Direction,
    n: usize,
    round: impl Fn(&mut [W; 32], &mut [W; 32], usize),
) {
    let [n1, n2] = batch.as_chunks_mut::<32>().0 else { return };
    for i in (0..n).step_by(2) {
        let word = |i: usize| key_index(if direction == Direction::Encrypt { i } else { 31 - i });
        round(n1, n2, word(i));
        round(n2, n1, word(i + 1));
    }
}

/// Octets of the widest batch.
pub(super) const WIDEST: usize = 64 * 64;

/// What goes through batches, and the rest: what is left over whole batches fills one up if it is
/// `least` octets or more.
#[inline(always)]
fn split<'i, 'o, W: Bits>(data: InOut<'i, 'o>, least: usize) -> (InOut<'i, 'o>, InOut<'i, 'o>) {
    let n = data.len();
    let over = n % (64 * W::OCTETS);
    data.split_at(if over < least { n - over } else { n })
}

/// Independent blocks; returns what is left over.
#[inline(always)]
pub(super) fn map<'i, 'o, W: Bits>(
    isa: W::Isa,
    s: &Schedule,
    direction: Direction,
    data: InOut<'i, 'o>,
    least: usize,
    round: impl Fn(&mut [W; 32], &mut [W; 32], &OneKey<W::Isa>, usize),
) -> InOut<'i, 'o> {
    let keys = OneKey::new(isa, &s.keys);
    let turn = turn(s.order);
    let mut planes = [W::splat(isa, 0); 64];
    let (data, rest) = split::<W>(data, least);
    lend!([1], 1, WIDEST, data, 8 * W::OCTETS, |G, batch| {
        let octets = batch.get_in();
        let row = |r| W::read(isa, &octets[r * W::OCTETS..]);
        W::planes(isa, turn, row, |i, x| planes[i] = x);
        rounds(&mut planes, direction, 32, |a, b, word| round(a, b, &keys, word));
        let octets = batch.get_out();
        let row = |r, x: W| x.write(&mut octets[r * W::OCTETS..]);
        W::rows(isa, turn ^ exchange(32), |i| planes[i], row);
    });
    rest
}

/// Gamma of a counter over blocks; returns what is left over.
#[inline(always)]
pub(super) fn stream<'i, 'o, W: Bits>(
    isa: W::Isa,
    s: &Schedule,
    register: &mut [u8; 8],
    count: Count,
    data: InOut<'i, 'o>,
    least: usize,
    round: impl Fn(&mut [W; 32], &mut [W; 32], &OneKey<W::Isa>, usize),
) -> InOut<'i, 'o> {
    let keys = OneKey::new(isa, &s.keys);
    let turn = turn(s.order);
    let mut c = Counter::new(*register, count);
    let mut planes = [W::splat(isa, 0); 64];
    let mut steps = planes;
    if count == Count::Cnt {
        let row = |r| W::read(isa, &lane_steps(count)[r * W::OCTETS..]);
        W::planes(isa, 0, row, |i, x| steps[i] = x);
    }
    let (data, rest) = split::<W>(data, least);
    let mut end = Counter::new(*register, count);
    end.skip(data.len() as u64 / 8);
    lend!([1], 1, WIDEST, data, 8 * W::OCTETS, |G, batch| {
        counters(isa, &c, count, &steps, &mut planes, turn);
        rounds(&mut planes, Direction::Encrypt, 32, |a, b, word| round(a, b, &keys, word));
        let row = |r, x: W| {
            let x = x ^ W::read(isa, &batch.get_in()[r * W::OCTETS..]);
            x.write(&mut batch.get_out()[r * W::OCTETS..]);
        };
        W::rows(isa, turn ^ exchange(32), |i| planes[i], row);
        c.skip(8 * W::OCTETS as u64);
    });
    *register = end.register();
    rest
}

/// The counters of one batch, made as planes: the register, which all lanes share, plus each lane's
/// number or step.
#[inline(always)]
pub(super) fn counters<W: Bits>(
    isa: W::Isa,
    c: &Counter,
    count: Count,
    steps: &Batch<W>,
    planes: &mut Batch<W>,
    turn: usize,
) {
    let (low, high) = c.words();
    // The register's octets are little-endian or big-endian, the planes are in the cipher's order.
    let m = 8 * (turn ^ if count == Count::Cnt { 0 } else { 7 });
    let zero = W::splat(isa, 0);
    let n = (8 * W::OCTETS).trailing_zeros() as usize;
    let mut numbers = [zero; 9];
    for (i, number) in numbers[..n].iter_mut().enumerate() {
        *number = W::index(isa, i);
    }
    let lanes = &numbers[..n];
    let mut put = |i: usize, x: W| planes[i ^ m] = x;
    match count {
        Count::Whole => {
            let carry = word(isa, low, lanes, zero, &mut put);
            word(isa, high, &[], carry, |i, x| put(32 + i, x));
        }
        Count::Right => {
            word(isa, low, lanes, zero, &mut put);
            word(isa, high, &[], zero, |i, x| put(32 + i, x));
        }
        Count::Left => {
            word(isa, low, &[], zero, &mut put);
            word(isa, high, lanes, zero, |i, x| put(32 + i, x));
        }
        Count::Cnt => {
            let [low_steps, high_steps] = steps.as_chunks::<32>().0 else { return };
            word(isa, low, low_steps, zero, &mut put);
            // The carry goes round: out of the top, into the bottom.
            let carry = word(isa, high, high_steps, zero, |_, _| {});
            word(isa, high, high_steps, carry, |i, x| put(32 + i, x));
        }
    }
}

/// The planes of base + steps + carry, the steps filled up with zeros; returns the carry out.
#[inline(always)]
fn word<W: Bits>(
    isa: W::Isa,
    base: u32,
    steps: &[W],
    mut carry: W,
    mut put: impl FnMut(usize, W),
) -> W {
    for i in 0..32 {
        let base = W::splat(isa, 0u32.wrapping_sub(base >> i & 1));
        let (s, c) = match steps.get(i) {
            Some(step) => add(base, *step, carry),
            None => (base ^ carry, base & carry),
        };
        put(i, s);
        carry = c;
    }
    carry
}
