//! What the rounds ask of vectors of 32-bit words.

use core::ops::BitXor;

use crate::cipher::Direction;

/// One word of one block, for a chain of blocks: what its rounds and its ends take.
pub(crate) trait Word: Copy + BitXor<Output = Self> {
    /// The proof of the instruction set.
    type Isa: Copy;
    /// The S-boxes as the round looks them up.
    type Tables: Copy;
    /// A byte order as the ends have it.
    type Orders: Copy;
    /// A key.
    fn key(isa: Self::Isa, word: u32) -> Self;
    /// The S-boxes: eight rows of sixteen 4-bit values.
    fn tables(isa: Self::Isa, rows: &[[u8; 16]; 8]) -> Self::Tables;
    /// The bytes of a block reversed, or left.
    fn orders(isa: Self::Isa, reverse: bool) -> Self::Orders;
    /// N1 and N2 of a block, prerotated.
    fn take(isa: Self::Isa, block: &[u8; 8], orders: Self::Orders) -> (Self, Self);
    /// A block of them.
    fn give(isa: Self::Isa, halves: (Self, Self), orders: Self::Orders, block: &mut [u8; 8]);
    /// As [`Words::round`].
    fn round(tables: &Self::Tables, current: Self, previous: Self, key: Self) -> Self;
}

impl<W: Words> Word for W {
    type Isa = <W as Words>::Isa;
    type Tables = <W as Words>::Tables;
    type Orders = <W as Words>::Orders;
    #[inline(always)]
    fn key(isa: Self::Isa, word: u32) -> W {
        W::splat(isa, word)
    }
    #[inline(always)]
    fn tables(isa: Self::Isa, rows: &[[u8; 16]; 8]) -> Self::Tables {
        <W as Words>::tables(isa, rows)
    }
    #[inline(always)]
    fn orders(isa: Self::Isa, reverse: bool) -> Self::Orders {
        <W as Words>::orders(isa, reverse)
    }
    #[inline(always)]
    fn take(isa: Self::Isa, block: &[u8; 8], orders: Self::Orders) -> (W, W) {
        <W as Words>::take(isa, W::read_one(isa, block), orders)
    }
    #[inline(always)]
    fn give(isa: Self::Isa, halves: (W, W), orders: Self::Orders, block: &mut [u8; 8]) {
        W::write_one(<W as Words>::give(isa, halves, orders), block);
    }
    #[inline(always)]
    fn round(tables: &Self::Tables, current: W, previous: W, key: W) -> W {
        <W as Words>::round(tables, current, previous, key)
    }
}

/// A vector of 32-bit words, one of each of `LANES` blocks.
///
/// A half-block is kept prerotated through the rounds, in whatever form saves operations.
pub(crate) trait Words: Copy + BitXor<Output = Self> {
    /// The proof of the instruction set.
    type Isa: Copy;
    /// The S-boxes as the round looks them up.
    type Tables: Copy;
    /// A byte order as the ends have it.
    type Orders: Copy;
    /// Blocks whose halves fill two vectors.
    const LANES: usize;
    /// How many such groups of blocks, at most, are worked on side by side.
    const GROUPS: usize;
    /// One word in every lane.
    fn splat(isa: Self::Isa, word: u32) -> Self;
    /// Takes `LANES` blocks of 8 bytes.
    fn read(isa: Self::Isa, octets: &[u8]) -> [Self; 2];
    /// Puts `LANES` blocks.
    fn write(raw: [Self; 2], octets: &mut [u8]);
    /// Takes one block, into the first lane.
    fn read_one(isa: Self::Isa, block: &[u8; 8]) -> [Self; 2];
    /// Puts the block of the first lane.
    fn write_one(raw: [Self; 2], block: &mut [u8; 8]);
    /// The bytes of every block reversed, or left.
    fn orders(isa: Self::Isa, reverse: bool) -> Self::Orders;
    /// N1 and N2 of blocks, prerotated.
    fn take(isa: Self::Isa, raw: [Self; 2], orders: Self::Orders) -> (Self, Self);
    /// Blocks of them.
    fn give(isa: Self::Isa, halves: (Self, Self), orders: Self::Orders) -> [Self; 2];
    /// The first four and the last four bytes of these blocks, little-endian, not prerotated; `words` has the same,
    /// all first ones and all last ones.
    fn words(isa: Self::Isa, blocks: &[u8], words: [&[u32]; 2]) -> (Self, Self);
    /// Numbers prerotated.
    fn prerotated(self) -> Self;
    /// The inverse.
    fn unrotated(self) -> Self;
    /// x + y mod 2^32.
    fn add(self, other: Self) -> Self;
    /// The same, and `to` plus `carry` where there is one.
    fn add_carry(self, other: Self, to: Self, carry: Self) -> (Self, Self);
    /// The S-boxes: eight rows of sixteen 4-bit values.
    fn tables(isa: Self::Isa, rows: &[[u8; 16]; 8]) -> Self::Tables;
    /// previous ^ (S(current + key) <<< 11), the halves prerotated, the key not.
    fn round(tables: &Self::Tables, current: Self, previous: Self, key: Self) -> Self;
    /// All `n` rounds of these groups, where the set has a form of its own for so many; else none, and false.
    #[inline(always)]
    fn unrolled<const G: usize>(
        _tables: &Self::Tables,
        _x: &mut [(Self, Self); G],
        _keys: RoundKeys<'_, Self, G>,
        _direction: Direction,
        _n: usize,
    ) -> bool {
        false
    }
    /// Eight blocks of each of `LANES` lanes, from one row for a lane to one block of every lane after the
    /// other.
    fn to_blocks(isa: Self::Isa, rows: &[&[u8; 64]; 16], tile: &mut [[u8; 64]; 16]);
    /// The inverse, of those lanes that have a row.
    fn to_lanes(isa: Self::Isa, tile: &[[u8; 64]; 16], rows: [Option<&mut [u8; 64]>; 16]);
}

/// The words of a key: one key for all blocks, or for each group of blocks one in every lane.
#[derive(Clone, Copy)]
pub(crate) enum RoundKeys<'a, W: Words, const G: usize> {
    One(W::Isa, &'a [u32; 8]),
    Own(&'a [[W; G]; 8]),
}

impl<W: Words, const G: usize> RoundKeys<'_, W, G> {
    /// Word `k` for group `g`.
    #[inline(always)]
    pub(crate) fn word(&self, k: usize, g: usize) -> W {
        match self {
            RoundKeys::One(isa, words) => W::splat(*isa, words[k]),
            RoundKeys::Own(words) => words[k][g],
        }
    }
}
