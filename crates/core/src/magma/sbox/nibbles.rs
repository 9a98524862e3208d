//! S by look-ups of nibbles in words, on every set with a shuffle of bytes: for short calls and few chained streams. A
//! single stream has `spread.rs`.
//!
//! ```text
//! for j in 0..4:
//!     even[j] = table[2j][t & (15 << 8j)]
//!     odd[j]  = table[2j + 1][(t >> 4) & (15 << 8j)] << 4
//! S(t) = the sum of all eight, and zeros
//! ```
//!
//! An S-box at a time looks up the nibble of one place. All other places look up the entry 0, so every table is kept plus
//! its entry 0, which makes that entry zero, and all eight entries 0 together are one constant. 30 operations for
//! `LEN` / 4 blocks, a chain of 9.

use core::hint::black_box;
use core::ops::BitXor;

use crate::magma::round::{Word, Words};
use crate::simd::Vector;

/// `LEN` / 4 words.
#[derive(Clone, Copy)]
pub(in crate::magma) struct Quads<N>(N);

impl<N: Vector> BitXor for Quads<N> {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, o: Self) -> Self {
        Quads(self.0.xor(o.0))
    }
}

/// The S-boxes of byte j, rows 2 j and 2 j + 1, the latter in the high nibble; where its low nibble
/// lies; the entries 0.
#[derive(Clone, Copy)]
pub(in crate::magma) struct QuadTables<N> {
    even: [N; 4],
    odd: [N; 4],
    nibble: [N; 4],
    zeros: N,
}

/// Bytes of two vectors to pairs of words and back: into the halves that `zip` alternates, and from alternating bytes
/// to words.
const PAIRS: [u8; 16] = [0, 1, 2, 3, 8, 9, 10, 11, 4, 5, 6, 7, 12, 13, 14, 15];
const WORDS: [u8; 16] = [0, 2, 4, 6, 1, 3, 5, 7, 8, 10, 12, 14, 9, 11, 13, 15];

impl<N: Vector> Quads<N> {
    /// First and last halves of blocks apart, or together.
    #[inline(always)]
    fn exchange(isa: N::Isa, [x, y]: [Self; 2]) -> [Self; 2] {
        let (pairs, words) = (N::repeat(isa, &PAIRS), N::repeat(isa, &WORDS));
        let (a, b) = x.0.lookup(pairs).zip(y.0.lookup(pairs));
        [Quads(a.lookup(words)), Quads(b.lookup(words))]
    }
    #[inline(always)]
    fn rotated<const L: i32, const R: i32>(self) -> Self {
        Quads(self.0.shl::<L>().or(self.0.shr::<R>()))
    }
}

impl<N: Vector> Word for Quads<N> {
    type Isa = N::Isa;
    type Tables = QuadTables<N>;
    /// The byte order of each 16 bytes.
    type Orders = N;
    #[inline(always)]
    fn splat(isa: N::Isa, word: u32) -> Self {
        Quads(N::splat_quad(isa, word))
    }
    #[inline(always)]
    fn tables(isa: N::Isa, rows: &[[u8; 16]; 8]) -> QuadTables<N> {
        let zero = N::splat(isa, 0);
        let mut t = QuadTables { even: [zero; 4], odd: [zero; 4], nibble: [zero; 4], zeros: zero };
        let mut zeros = 0;
        for j in 0..4 {
            let row = |i: usize| N::repeat(isa, &rows[i]).xor(N::splat(isa, rows[i][0]));
            t.even[j] = row(2 * j);
            t.odd[j] = row(2 * j + 1).shl::<4>();
            t.nibble[j] = Self::splat(isa, 15 << (8 * j)).0;
            zeros |= u32::from(rows[2 * j][0] | rows[2 * j + 1][0] << 4) << (8 * j);
        }
        t.zeros = Self::splat(isa, zeros).0;
        t
    }
    #[inline(always)]
    fn orders(isa: N::Isa, reverse: bool) -> N {
        let mut order = [0; 16];
        for (i, o) in order.iter_mut().enumerate() {
            *o = i as u8 ^ if reverse { 7 } else { 0 };
        }
        N::repeat(isa, &order)
    }
    #[inline(always)]
    fn enter(isa: N::Isa, block: &[u8; 8], order: N) -> (Self, Self) {
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(block);
        Self::take(isa, [Quads(N::repeat(isa, &bytes)), Quads(N::splat(isa, 0))], order)
    }
    #[inline(always)]
    fn leave(isa: N::Isa, halves: (Self, Self), order: N, block: &mut [u8; 8]) {
        let mut bytes = [0; 64];
        let [x, _] = Self::give(isa, halves, order);
        x.0.store(&mut bytes);
        block.copy_from_slice(&bytes[..8]);
    }
    #[inline(always)]
    fn round(t: &QuadTables<N>, current: Self, previous: Self, key: Self) -> Self {
        let sum = current.unrotated().0.add_quads(key.0);
        let high = sum.shr::<4>();
        let mut even = [sum; 4];
        let mut odd = [sum; 4];
        for j in 0..4 {
            even[j] = t.even[j].lookup(sum.and(t.nibble[j]));
            odd[j] = t.odd[j].lookup(high.and(t.nibble[j]));
        }
        // In this order, which sets with sums of two operands keep by `opaque`: else the last look-up waits for five
        // sums.
        let [a, b] = [even[0].xor(even[1]).opaque(), even[2].xor(even[3]).opaque()];
        let early = a.xor3(b, previous.0.xor(t.zeros).opaque()).opaque();
        let [a, b] = [odd[0].xor(odd[1]).opaque(), odd[2].xor(odd[3]).opaque()];
        Quads(a.xor3(b, early))
    }
}

impl<N: Vector> Words for Quads<N> {
    const LANES: usize = N::LEN / 4;
    const SEVERAL: bool = false;
    #[inline(always)]
    fn read(isa: N::Isa, bytes: &[u8]) -> [Self; 2] {
        [Quads(N::load(isa, bytes)), Quads(N::load(isa, &bytes[N::LEN..]))]
    }
    #[inline(always)]
    fn write([x, y]: [Self; 2], bytes: &mut [u8]) {
        x.0.store(bytes);
        y.0.store(&mut bytes[N::LEN..]);
    }
    #[inline(always)]
    fn take(isa: N::Isa, [x, y]: [Self; 2], order: N) -> (Self, Self) {
        let [a, b] = Self::exchange(isa, [Quads(x.0.lookup(order)), Quads(y.0.lookup(order))]);
        (a.prerotated(), b.prerotated())
    }
    #[inline(always)]
    fn give(isa: N::Isa, (a, b): (Self, Self), order: N) -> [Self; 2] {
        let [x, y] = Self::exchange(isa, [a.unrotated(), b.unrotated()]);
        [Quads(x.0.lookup(order)), Quads(y.0.lookup(order))]
    }
    #[inline(always)]
    fn words(isa: N::Isa, bytes: &[u8], _: [&[u32]; 2]) -> (Self, Self) {
        Self::exchange(isa, Self::read(isa, bytes)).into()
    }
    /// Kept before its rotation: the old half then needs no rotation.
    #[inline(always)]
    fn prerotated(self) -> Self {
        self.rotated::<21, 11>()
    }
    #[inline(always)]
    fn unrotated(self) -> Self {
        self.rotated::<11, 21>()
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Quads(self.0.add_quads(other.0))
    }
    #[inline(always)]
    fn add_carry(self, other: Self, to: Self, one: Self) -> (Self, Self) {
        let (a, b, s) = (self.0, other.0, self.0.add_quads(other.0));
        // The majority of a, b and the complement of the sum.
        let either = a.or(b);
        let carry = a.and(b).or(either.xor(either.and(s)));
        (Quads(s), to.add(Quads(carry.shr::<31>().and(one.0))))
    }
    #[inline(always)]
    fn to_blocks(_: N::Isa, rows: &[&[u8; 64]; 16], tile: &mut [[u8; 64]; 16]) {
        let tile = tile.as_flattened_mut().as_chunks_mut::<8>().0;
        for (l, row) in rows.iter().enumerate().take(Self::LANES) {
            // Untraceable, or the compiler gathers these by addresses in vectors.
            for (b, x) in black_box(*row).as_chunks().0.iter().enumerate() {
                tile[b * Self::LANES + l] = *x;
            }
        }
    }
    #[inline(always)]
    fn to_lanes(_: N::Isa, tile: &[[u8; 64]; 16], mut rows: [Option<&mut [u8; 64]>; 16]) {
        let tile = tile.as_flattened().as_chunks::<8>().0;
        for (l, row) in rows.iter_mut().enumerate().take(Self::LANES) {
            let Some(row) = row else { continue };
            for (b, x) in black_box(&mut **row).as_chunks_mut().0.iter_mut().enumerate() {
                *x = tile[b * Self::LANES + l];
            }
        }
    }
}
