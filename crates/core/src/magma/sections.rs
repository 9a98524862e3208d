//! CTR-ACPKM with sections shorter than a batch of planes (RFC 8645, section 6.2.2): the sections of a batch go side by
//! side, each under its key, while the keys of the next batch's sections are made.
//!
//! A key is four blocks under the key before, a chain of 32 rounds. A batch has 2, 4 or 8 sections, so each of its rounds
//! is followed by as many rounds of the chain, and the processor does both at once.
//!
//! In vectors of words a section is a batch, and the four blocks are a group more.

use core::hint::black_box;

use super::batch::{Padded, values};
use super::bitslice::{self, KeyPlanes};
use super::constants::key_index;
use super::counter::Counter;
use super::round::{RoundKeys, Words, rounds};
use super::schedule::{self, Order, Schedule};
use crate::cipher::{ACPKM, Count, Direction, split};
use crate::simd::Eighths;
use crate::{InOut, Secret, memory};

/// The key words of up to eight sections: a mask for every bit; its byte j belongs to eighth j of the
/// batch.
#[repr(C)]
pub(super) struct SectionKeys<I>(I, [[u64; 32]; 8]);

impl<I: Copy> SectionKeys<I> {
    /// `keys` has as many sections as make a batch; each key's words are little-endian.
    #[inline(always)]
    fn new(isa: I, keys: &[[u8; 32]]) -> Self {
        let mut masks = [[0; 32]; 8];
        let mut eighths = [0u64; 32];
        for j in 0..8 {
            let key = &keys[j * keys.len() / 8];
            for (e, byte) in eighths.iter_mut().zip(key) {
                *e |= u64::from(*byte) << (8 * j);
            }
        }
        for (masks, e) in masks.as_flattened_mut().as_chunks_mut::<8>().0.iter_mut().zip(&eighths) {
            // A mask at a time, or the compiler makes eight at once and scatters the masks.
            let e = black_box(*e);
            for (bit, mask) in masks.iter_mut().enumerate() {
                let ones = e >> bit & 0x0101_0101_0101_0101;
                *mask = (ones << 8).wrapping_sub(ones);
            }
        }
        memory::wipe(&mut eighths, [0; 32]);
        SectionKeys(isa, masks)
    }
}
impl<W: Eighths> KeyPlanes<W> for SectionKeys<W::Isa> {
    #[inline(always)]
    fn plane(&self, word: usize, bit: usize, _: usize) -> W::Gate {
        W::eighths(self.0, self.1[word][bit])
    }
}
impl<I> Drop for SectionKeys<I> {
    #[inline(always)]
    fn drop(&mut self) {
        memory::wipe(&mut self.1, [[0; 32]; 8]);
    }
}

/// The chain of section keys.
struct KeyChain<W: Words> {
    isa: W::Isa,
    tables: W::Tables,
    orders: W::Orders,
    /// D of RFC 8645, section 6.2.1, and the blocks in work.
    start: (W, W),
    now: (W, W),
    /// Rounds done since the last key.
    round: usize,
    /// The last key.
    keys: Secret<[u32; 8]>,
    bytes: Order,
}

/// D of RFC 8645, section 6.2.1, as the first blocks of a group.
#[inline(always)]
fn start<W: Words>(isa: W::Isa, orders: W::Orders) -> (W, W) {
    let mut bytes = [0; 8 * 16];
    bytes[..32].copy_from_slice(&ACPKM);
    W::take(isa, W::read(isa, &bytes), orders)
}

/// The next key, from the encryption of D.
#[inline(always)]
fn key<W: Words>(isa: W::Isa, x: (W, W), orders: W::Orders, order: Order, keys: &mut [u32; 8]) {
    let mut bytes = [0; 8 * 16];
    W::write(W::give(isa, x, orders), &mut bytes);
    if let Some(key) = bytes.first_chunk() {
        schedule::words(order, key, keys);
    }
    memory::wipe(&mut bytes, [0; 8 * 16]);
}

impl<W: Words> KeyChain<W> {
    #[inline(always)]
    fn new(isa: W::Isa, s: &Schedule) -> Self {
        let orders = W::orders(isa, s.order == Order::Magma);
        let start = start(isa, orders);
        let (tables, keys) = (W::tables(isa, s.sboxes.rows()), Secret::new(s.keys));
        KeyChain { isa, tables, orders, start, now: start, round: 0, keys, bytes: s.order }
    }
    /// Does `n` rounds, a power of two, and returns whether there is a new key now.
    #[inline(always)]
    fn step(&mut self, n: usize) -> bool {
        let (mut a, mut b) = self.now;
        for i in (self.round..self.round + n).step_by(2) {
            b = W::round(&self.tables, a, b, W::splat(self.isa, self.keys[key_index(i)]));
            a = W::round(&self.tables, b, a, W::splat(self.isa, self.keys[key_index(i + 1)]));
        }
        self.now = (a, b);
        self.round += n;
        if self.round < 32 {
            return false;
        }
        key(self.isa, (b, a), self.orders, self.bytes, &mut self.keys);
        (self.now, self.round) = (self.start, 0);
        true
    }
    /// The last key, for [`SectionKeys`].
    #[inline(always)]
    fn key(&self) -> [u8; 32] {
        let mut bytes = [0; 32];
        for (o, word) in bytes.as_chunks_mut().0.iter_mut().zip(&*self.keys) {
            *o = word.to_le_bytes();
        }
        bytes
    }
}

/// Adds gamma to whole sections of this many bytes, two, four or eight to a batch, as long as batches are filled at least
/// by half; returns the bytes done, and leaves the key of the last section.
#[inline(always)]
pub(super) fn stream<B: Eighths, W: Words>(
    isa: B::Isa,
    words: W::Isa,
    s: &mut Schedule,
    register: &mut [u8; 8],
    section: usize,
    data: InOut<'_, '_>,
    round: impl Fn(&mut [[B; 32]; 1], &mut [[B; 32]; 1], &SectionKeys<B::Isa>, usize),
) -> usize {
    let batch = 64 * B::BYTES;
    let Some(together) = [2, 4, 8].into_iter().find(|n| batch / n == section) else { return 0 };
    // Powers of two: no division, which has no constant time.
    let over = (data.len() & (batch - 1)) >> section.trailing_zeros();
    let all = (data.len() >> section.trailing_zeros()) - if 2 * over < together { over } else { 0 };
    let done = all * section;
    if all == 0 {
        return 0;
    }
    let mut chain = KeyChain::<W>::new(words, s);
    // The keys of the batch, and how many are still to be made.
    let mut keys = [[0; 32]; 8];
    let mut left = all - 1;
    keys[0] = chain.key();
    for key in keys.iter_mut().take(together.min(all)).skip(1) {
        chain.step(32);
        *key = chain.key();
        left -= 1;
    }
    let turn = bitslice::turn(s.order);
    let mut c = Counter::new(*register, Count::Whole);
    let zeros = [B::splat(isa, 0); 64];
    let mut memory = bitslice::Memory::<B, 1>::new(isa);
    let (mut planes, half) = memory.open();
    let (data, _) = data.split_at(done);
    let mut data = data;
    while !data.is_empty() {
        let (some, rest) = split(data, 64 * B::BYTES);
        let mut padded = Padded::<{ bitslice::WIDEST }, true>::new();
        let mut some = padded.lend(some, 64 * B::BYTES);
        let now = SectionKeys::new(isa, &keys[..together]);
        let plane = |i: usize, x| *planes.plane(0, i) = x;
        bitslice::counters(isa, &c, Count::Whole, &zeros, plane, turn);
        let mut made = 0;
        // A loop: the body of a closure is not compiled for the instruction set.
        for i in 0..32 {
            let [a, b] = planes.halves();
            let (a, b) = if i % 2 == 0 { (a, b) } else { (b, a) };
            round(a, b, &now, key_index(i));
            if left > 0 && chain.step(together) {
                keys[made] = chain.key();
                (made, left) = (made + 1, left - 1);
            }
        }
        let row = |r, x: B| {
            let x = x ^ B::read(isa, &some.get_in()[r * B::BYTES..]);
            x.write(&mut some.get_out()[r * B::BYTES..]);
        };
        let turn = turn ^ bitslice::exchange(32);
        B::planes_in(isa, turn, half, |i| *planes.plane(0, i));
        B::rows_out(isa, half, row);
        c.skip(8 * B::BYTES as u64);
        data = rest;
    }
    let mut end = Counter::new(*register, Count::Whole);
    end.skip(done as u64 / 8);
    *register = end.register();
    s.keys = *chain.keys;
    memory::wipe(&mut keys, [[0; 32]; 8]);
    done
}

/// Groups of a section in vectors of words.
const GROUPS: usize = 8;

/// As [`stream`] in vectors of words, over two sections or more of eight groups each; else nothing is done.
#[inline(always)]
pub(super) fn words<W: Words>(
    isa: W::Isa,
    s: &mut Schedule,
    register: &mut [u8; 8],
    section: usize,
    data: InOut<'_, '_>,
) -> usize {
    if section != 8 * GROUPS * W::LANES || data.len() < 2 * section {
        return 0;
    }
    let tables = W::tables(isa, s.sboxes.rows());
    let orders = W::orders(isa, s.order == Order::Magma);
    let start = start(isa, orders);
    let as_words = s.order == Order::Magma;
    let mut c = Counter::new(*register, Count::Whole);
    let mut next = Secret::new(s.keys);
    let (mut data, mut done) = (data, 0);
    while data.len() - done >= section {
        s.keys = *next;
        let (_, rest) = data.reborrow().split_at(done);
        let (mut some, _) = rest.split_at(section);
        // The next key first: the next section waits for it.
        let mut x = [start; GROUPS + 1];
        values(isa, &c, as_words, &mut x[1..]);
        c.skip((GROUPS * W::LANES) as u64);
        let keys = RoundKeys::One(isa, &s.keys);
        rounds(&tables, &mut x, keys, Direction::Encrypt, 32);
        key(isa, x[0], orders, s.order, &mut next);
        for (g, x) in x[1..].iter().enumerate() {
            let at = 8 * g * W::LANES;
            let gamma = W::give(isa, *x, orders);
            let x = W::read(isa, &some.get_in()[at..]);
            W::write([x[0] ^ gamma[0], x[1] ^ gamma[1]], &mut some.get_out()[at..]);
        }
        done += section;
    }
    *register = c.register();
    done
}
