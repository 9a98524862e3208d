//! The cipher on bit planes: 64 planes hold one bit each of many blocks; additions and S-boxes are
//! circuits, the rotation by 11 and the byte order are the numbering of the planes.
//!
//! RFC 8891, section 4; RFC 5830, sections 5 to 8.

use core::hint::black_box;

use super::circuits::sbox;
use super::counter::Counter;
use super::{Order, Schedule, key_index};
use crate::InOut;
use crate::kernel::{Count, Direction};
use crate::simd::{Bits, Gates};

/// Planes of N1 and N2, whose bit i is `[i]`.
pub(super) struct Halves<W>(pub [W; 32], pub [W; 32]);

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

/// What to add to the number of a plane in memory order: a byte order is a reversal of octets.
#[inline(always)]
pub(super) fn reversal(order: Order) -> usize {
    if order == Order::Magma { 56 } else { 0 }
}

/// Rows in memory order to halves.
#[inline(always)]
pub(super) fn halves<W: Bits>(isa: W::Isa, rows: &mut [W; 64], order: Order) -> Halves<W> {
    W::planes(isa, rows);
    let r = reversal(order);
    Halves(core::array::from_fn(|i| rows[i ^ r]), core::array::from_fn(|i| rows[(i + 32) ^ r]))
}

/// Halves to rows in memory order.
#[inline(always)]
pub(super) fn join<W: Bits>(isa: W::Isa, n1: &[W; 32], n2: &[W; 32], order: Order) -> [W; 64] {
    let r = reversal(order);
    let mut rows = core::array::from_fn(|i| {
        let i = i ^ r;
        if i < 32 { n1[i] } else { n2[i - 32] }
    });
    W::rows(isa, &mut rows);
    rows
}

/// b ^= S(a + k) <<< 11.
#[inline(always)]
fn round<W: Bits, K: Keys<W>, const SET: usize>(
    a: &[W; 32],
    b: &mut [W; 32],
    keys: &K,
    word: usize,
) {
    for step in 0..W::STEPS {
        let k = |i: usize| keys.plane(word, i, step);
        let a: [W::Gate; 32] = core::array::from_fn(|i| a[i].part(step));
        let mut carry = a[0] & k(0);
        let mut sum = |i: usize| {
            let (a, k) = (a[i], k(i));
            if i == 0 {
                return a ^ k;
            }
            if W::Gate::TERNARY {
                let s = a.lut::<0x96>(k, carry);
                carry = a.lut::<0xe8>(k, carry);
                s
            } else {
                let t = a ^ k;
                let s = t ^ carry;
                carry = k ^ (t & (k ^ carry));
                s
            }
        };
        macro_rules! boxes {
            ($($n:literal)*) => { $({
                let x = [sum(4 * $n), sum(4 * $n + 1), sum(4 * $n + 2), sum(4 * $n + 3)];
                let at = |i: usize| (4 * $n + i + 11) % 32;
                let y = core::array::from_fn(|i| b[at(i)].part(step));
                let y = select::<W::Gate, SET, $n>(x, y);
                for i in 0..4 {
                    b[at(i)].set_part(step, y[i]);
                }
            })* };
        }
        boxes!(0 1 2 3 4 5 6 7);
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

/// `n` rounds, 32 or 16, over the S-boxes of a set; the halves keep their names, so that after 32 rounds
/// (which end without the exchange) N1 is `.1` and after 16 it is `.0`.
#[inline(always)]
pub(super) fn rounds<W: Bits, K: Keys<W>, const SET: usize>(
    h: &mut Halves<W>,
    keys: &K,
    direction: Direction,
    n: usize,
) {
    for i in (0..n).step_by(2) {
        let word = |i: usize| key_index(if direction == Direction::Encrypt { i } else { 31 - i });
        round::<W, K, SET>(&h.0, &mut h.1, keys, word(i));
        round::<W, K, SET>(&h.1, &mut h.0, keys, word(i + 1));
    }
}

/// Whole batches of independent blocks; returns what is left over.
#[inline(always)]
pub(super) fn map<'i, 'o, W: Bits>(
    isa: W::Isa,
    s: &Schedule,
    mut data: InOut<'i, 'o>,
    rounds: impl Fn(&mut Halves<W>, &OneKey<W::Isa>),
) -> InOut<'i, 'o> {
    let keys = OneKey::new(isa, &s.keys);
    while data.len() >= 64 * W::OCTETS {
        let (mut batch, rest) = data.split_at(64 * W::OCTETS);
        let mut rows: [W; 64] =
            core::array::from_fn(|r| W::read(isa, &batch.get_in()[r * W::OCTETS..]));
        let mut h = halves(isa, &mut rows, s.order);
        rounds(&mut h, &keys);
        let rows = join(isa, &h.1, &h.0, s.order);
        for (row, out) in rows.iter().zip(batch.get_out().chunks_exact_mut(W::OCTETS)) {
            row.write(out);
        }
        data = rest;
    }
    data
}

/// Whole batches under the gamma of a counter; returns what is left over.
#[inline(always)]
pub(super) fn stream<'i, 'o, W: Bits>(
    isa: W::Isa,
    s: &Schedule,
    counter: &mut [u8; 8],
    count: Count,
    mut data: InOut<'i, 'o>,
    rounds: impl Fn(&mut Halves<W>, &OneKey<W::Isa>),
) -> InOut<'i, 'o> {
    let keys = OneKey::new(isa, &s.keys);
    let mut c = Counter::new(*counter, count);
    while data.len() >= 64 * W::OCTETS {
        let (mut batch, rest) = data.split_at(64 * W::OCTETS);
        let mut h = counters::<W>(isa, &c, s.order);
        rounds(&mut h, &keys);
        let rows = join(isa, &h.1, &h.0, s.order);
        for (r, row) in rows.into_iter().enumerate() {
            let x = row ^ W::read(isa, &batch.get_in()[r * W::OCTETS..]);
            x.write(&mut batch.get_out()[r * W::OCTETS..]);
        }
        c.skip(8 * W::OCTETS as u64);
        data = rest;
    }
    *counter = c.register();
    data
}

/// The counters of one batch, made as planes: the base, which all lanes share, plus the lane's number.
#[inline(always)]
fn counters<W: Bits>(isa: W::Isa, c: &Counter, order: Order) -> Halves<W> {
    let lanes = (8 * W::OCTETS).trailing_zeros() as usize;
    let Some((value, from, to)) = c.plain() else {
        let mut rows = core::array::from_fn(|r| {
            let mut octets = [0; 64];
            for (i, block) in octets[..W::OCTETS].chunks_exact_mut(8).enumerate() {
                block.copy_from_slice(&c.value((r * W::OCTETS / 8 + i) as u64));
            }
            W::read(isa, &octets)
        });
        return halves(isa, &mut rows, order);
    };
    let mut carry = W::splat(isa, 0);
    let planes: [W; 64] = core::array::from_fn(|i| {
        let base = W::splat(isa, 0u32.wrapping_sub((value >> i & 1) as u32));
        if !(from..to).contains(&i) {
            return base;
        }
        if i == from {
            carry = W::splat(isa, 0);
        }
        let (t, old) = (base ^ carry, carry);
        carry = base & carry;
        if i - from < lanes {
            let index = W::index(isa, i - from);
            carry = carry | (index & (base | old));
            return t ^ index;
        }
        t
    });
    // The number is big-endian in memory, as Magma's blocks are.
    let r = reversal(order) ^ reversal(Order::Magma);
    Halves(core::array::from_fn(|i| planes[i ^ r]), core::array::from_fn(|i| planes[(i + 32) ^ r]))
}
