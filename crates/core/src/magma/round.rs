//! The cipher on vectors of 32-bit words: RFC 8891, sections 4 and 5; RFC 5830, sections 5 to 8.
//!
//! ```text
//! encrypt(K, block):                        K is eight words K_1..K_8
//!     N1, N2 = the halves of block          Magma: N2 first, big-endian; GOST 28147-89: N1 first, little-endian
//!     for k in K_1..K_8, K_1..K_8, K_1..K_8, K_8..K_1:
//!         t = N1 + k                        mod 2^32
//!         for i in 0..8:                    eight S-boxes of 16 entries of 4 bits
//!             nibble i of t = S_i[nibble i of t]
//!         N1, N2 = N2 ^ (t <<< 11), N1
//!     N1, N2 = N2, N1                       the last round does not exchange the halves
//!     return the block of N1 and N2
//! ```
//!
//! Decryption uses the key words in reverse order. IMIT has 16 rounds, with the last exchange.
//!
//! # Layouts
//!
//! - Words, this file: a vector has N1 of 4 to 16 blocks, a second vector N2. Few blocks or streams, and all
//!   calls with VBMI where shuffles have two ports. `sbox/vbmi.rs`, `sbox/nibbles.rs`.
//! - Bytes, `bytes.rs`: a vector has one byte of a half of each of its blocks. Many blocks or streams below VBMI.
//! - Bit planes, `bitslice`: a vector has one bit of each of its blocks. Whole batches under a known set of S-boxes, where
//!   gates have three inputs, and on any machine without vectors. `sbox/circuits.rs`.
//! - Nibbles of one block, `sbox/spread.rs`: a vector has each nibble of a half in a byte. One chained stream in 256 bits
//!   without VBMI.
//! - Halves in one integer each, `sbox/anf.rs`: few blocks on any machine.
//!
//! # Optimisations
//!
//! Cycles a byte for 16 KB on Zen 5, before and after (`bulat bench --calibrate`):
//!
//! 1. S-boxes are permutations of bytes within a register; a half is kept prerotated, so that the rotation of a round's
//!    input and the rotation of the round before are one rotation, or no rotation.
//! 2. Several groups go side by side and hide each other's latency (`batch.rs`): `gfni512` 0.67 with four. 12
//!    groups by assembly, in registers from first to last (`gfni512/rounds_x12.rs`): 0.58. Chained streams: 16 groups.
//! 3. Two batches of planes, gate by gate, for the S-boxes of Magma and CryptoPro-A: a round's carries are one chain of 31,
//!    and one batch computes while the other waits: `avx512` 0.91 and 0.73. Planes without zeros written first: 0.60.
//! 4. Counters are made in the layout itself (`counter.rs`): CTR 0.635 and 0.584.
//! 5. Chained streams: data comes and goes a tile of eight blocks at a time, during the rounds (`lanes`): one stream 52,
//!    192 streams in CFB 0.77.
//! 6. One stream in the narrowest vector that fits, where a look-up waits 2 cycles and not 5: `gfni512` 59 and 51. On
//!    `avx2` a nibble lies in a byte, so that the rotation is a move of bytes: on Zen 3 65.5 and 51.7.
//! 7. MGM's products during the rounds that make the next H (`gfni512/rounds_x12.rs`): 1.40 and 1.31.
//! 8. CTR-ACPKM's next keys during the section (`sections.rs`).
//! 9. Lines a few batches ahead are prefetched: where code happened to lie badly, text in memory cost half as much again.
//!
//! # Tried in vain
//!
//! - Rounds of planes inlined into their loop: the compiler keeps planes at unaligned places of the stack, 1.5 and not 0.8
//!   cycles a byte on AVX-512.
//! - A common loop for all counters, which adds words that do not count.
//! - 24 halves in registers by the compiler: it spills five to ten in every round, 5 to 10 %.

use core::mem::swap;
use core::ops::BitXor;

use super::batch::MOST;
use super::constants::key_index;
use crate::cipher::Direction;

/// A vector of 32-bit words, as rounds of single blocks need it.
///
/// A half-block h is kept prerotated through the rounds, as h >>> 11: a round adds the output of S as it is, and rotates only
/// its input. `sbox/spread.rs` has a form of its own for that.
pub(crate) trait Word: Copy + BitXor<Output = Self> {
    /// The proof of the instruction set.
    type Isa: Copy;
    /// The S-boxes as the round looks them up.
    type Tables: Copy;
    /// A byte order of blocks.
    type Orders: Copy;
    /// A word in every lane, as a round adds it.
    fn splat(isa: Self::Isa, word: u32) -> Self;
    /// The S-boxes: eight rows of sixteen 4-bit values.
    fn tables(isa: Self::Isa, rows: &[[u8; 16]; 8]) -> Self::Tables;
    /// The byte order that reverses every block, or leaves it as it is.
    fn orders(isa: Self::Isa, reverse: bool) -> Self::Orders;
    /// N1 and N2 of a block, prerotated, in the first lane.
    fn enter(isa: Self::Isa, block: &[u8; 8], orders: Self::Orders) -> (Self, Self);
    /// The block of the first lane.
    fn leave(isa: Self::Isa, halves: (Self, Self), orders: Self::Orders, block: &mut [u8; 8]);
    /// previous ^ (S(current + key) <<< 11), the halves prerotated, the key not.
    fn round(tables: &Self::Tables, current: Self, previous: Self, key: Self) -> Self;
}

/// A vector of 32-bit words, a word of each of `LANES` blocks.
pub(crate) trait Words: Word {
    /// Blocks of a group: their halves fill two vectors.
    const LANES: usize;
    /// Several groups go side by side.
    const SEVERAL: bool;
    /// Reads `LANES` blocks of 8 bytes.
    fn read(isa: Self::Isa, bytes: &[u8]) -> [Self; 2];
    /// Writes `LANES` blocks.
    fn write(raw: [Self; 2], bytes: &mut [u8]);
    /// N1 and N2 of blocks, prerotated.
    fn take(isa: Self::Isa, raw: [Self; 2], orders: Self::Orders) -> (Self, Self);
    /// The blocks with these halves.
    fn give(isa: Self::Isa, halves: (Self, Self), orders: Self::Orders) -> [Self; 2];
    /// The first four and the last four bytes of these blocks, little-endian, not prerotated. `words` is the same data as
    /// two lists of numbers: the first halves, then the last halves.
    fn words(isa: Self::Isa, blocks: &[u8], words: [&[u32]; 2]) -> (Self, Self);
    /// Rotates plain numbers, as rounds keep them.
    fn prerotated(self) -> Self;
    /// The inverse of [`Words::prerotated`].
    fn unrotated(self) -> Self;
    /// x + y mod 2^32.
    fn add(self, other: Self) -> Self;
    /// x + y mod 2^32, and `to`, plus `carry` where the sum carries.
    fn add_carry(self, other: Self, to: Self, carry: Self) -> (Self, Self);
    /// [`rounds`] of two groups or more, in a function that every shape calls.
    fn rounds(
        _tables: &Self::Tables,
        _x: &mut [Group<Self>],
        _keys: RoundKeys<'_, Self>,
        _direction: Direction,
        _n: usize,
    ) {
        unreachable!("one group at a time")
    }
    /// 32 rounds of the most groups under one key, in the caller's registers.
    fn most_rounds(
        _tables: &Self::Tables,
        _x: &mut [Group<Self>; MOST],
        _keys: &[u32; 8],
        _direction: Direction,
    ) {
        unreachable!("one group at a time")
    }
    /// Eight blocks of each of `LANES` lanes, from one row for a lane to one block of every lane after the
    /// other.
    fn to_blocks(isa: Self::Isa, rows: &[&[u8; 64]; 16], tile: &mut [[u8; 64]; 16]);
    /// The inverse, of those lanes that have a row.
    fn to_lanes(isa: Self::Isa, tile: &[[u8; 64]; 16], rows: [Option<&mut [u8; 64]>; 16]);
}

/// The words of a key: one key for all blocks; or a key in every lane: for each word a row with all groups' own.
#[derive(Clone, Copy)]
pub(crate) enum RoundKeys<'a, W: Words> {
    One(W::Isa, &'a [u32; 8]),
    Own(&'a [W]),
}

impl<W: Words> RoundKeys<'_, W> {
    /// Word `k` for group `g` of `groups`.
    #[inline(always)]
    fn word(&self, k: usize, g: usize, groups: usize) -> W {
        match self {
            RoundKeys::One(isa, words) => W::splat(*isa, words[k]),
            RoundKeys::Own(words) => words[groups * k + g],
        }
    }
}

/// N1 and N2 of a group of blocks, prerotated.
pub(crate) type Group<W> = (W, W);

/// `n` rounds, 32 or 16 (32 end without the exchange of the halves), in registers from first to last.
#[inline(always)]
pub(super) fn rounds<W: Words, const G: usize>(
    tables: &W::Tables,
    groups: &mut [Group<W>; G],
    keys: RoundKeys<'_, W>,
    direction: Direction,
    n: usize,
) {
    if let RoundKeys::Own(words) = keys {
        assert!(words.len() == 8 * G, "a word for each group");
    }
    let mut x = *groups;
    let mut i = 0;
    while i < n {
        let word = |i: usize| key_index(if direction == Direction::Encrypt { i } else { 31 - i });
        let (k, l) = (word(i), word(i + 1));
        for (g, (a, b)) in x.iter_mut().enumerate() {
            *b = W::round(tables, *a, *b, keys.word(k, g, G));
        }
        for (g, (a, b)) in x.iter_mut().enumerate() {
            *a = W::round(tables, *b, *a, keys.word(l, g, G));
        }
        i += 2;
    }
    *groups = x;
    exchange(groups, n);
}

/// The end of `n` rounds: 32 leave out the last exchange of the halves.
#[inline(always)]
pub(super) fn exchange<W: Words>(groups: &mut [Group<W>], n: usize) {
    if n == 32 {
        for (a, b) in groups {
            swap(a, b);
        }
    }
}
