//! What the kernels that look up whole bytes ask of a vector of 64 bytes.

use super::constants::aes::{DECRYPT, ENCRYPT, Layer, Octets, ROTATIONS};
use super::sbox::vbmi::Table;
use crate::cipher::Direction;

/// Kuznyechik: 64 bytes, either one of each of 64 blocks, or four blocks, or one block four times.
///
/// A value exists only where its instruction set does: what makes one takes the token or a value.
pub(super) trait Bytes: Copy {
    /// The proof of the instruction set.
    type Isa: Copy;
    /// Whether `lookup` takes the tables in pairs: see `Table`.
    const PAIRS: bool;
    /// The 64 bytes from 64 `i` on.
    fn load(isa: Self::Isa, octets: &[u8], i: usize) -> Self;
    /// Puts them there.
    fn store(self, octets: &mut [u8], i: usize);
    /// Four blocks.
    fn gather(isa: Self::Isa, blocks: [&[u8; 16]; 4]) -> Self;
    /// A block four times.
    fn repeat(isa: Self::Isa, block: &[u8; 16]) -> Self;
    /// The first of the four.
    fn store_one(self, block: &mut [u8; 16]);
    /// A word sixteen times.
    fn word(isa: Self::Isa, word: &u32) -> Self;
    /// As words.
    fn store_words(self, words: &mut [u32; 16]);
    fn xor(self, b: Self) -> Self;
    fn xor3(self, b: Self, c: Self) -> Self;
    /// Sums modulo 256.
    fn add(self, b: Self) -> Self;
    /// For each byte, all ones where it is less than that of `b`, else zero.
    fn less(self, b: Self) -> Self;
    /// Plus those bits of `b` that `mask` has.
    fn xor_masked(self, b: Self, mask: Self) -> Self;
    /// A byte everywhere.
    fn octet(isa: Self::Isa, octet: u8) -> Self;
    /// A linear map of each octet: byte 7 - i of the matrix is the row of result bit i.
    fn affine(self, matrix: &u64) -> Self;
    /// Products in the field of AES.
    fn times(self, by: &Octets) -> Self;
    /// Bytes of each block by index.
    fn shuffled(self, indices: &Octets) -> Self;
    /// Byte (i + D) mod 16 of each block at its byte i.
    fn rotated<const D: i32>(self) -> Self;
    /// The sum of the four blocks and of e, four times.
    fn folded(self, e: Self) -> Self;
    /// L of one block, by what `image` has for the field of AES, plus e; in the first two of four.
    ///
    /// A latency of 15 cycles on Zen 5, as `shuffled`, `times` and `folded` have of 24.
    fn mixed_half(self, rotations: &[Octets; 4], split: &[Octets; 4], e: Self) -> Self;
    /// A substitution, and what is added to it.
    fn lookup(self, table: &Table, plus: Self) -> Self;
    /// The same by a table in registers.
    fn substituted(self, table: &[Self; 4]) -> Self;
    /// The same of the first two blocks, at less latency.
    fn substituted_half(self, table: &[Self; 4]) -> Self;
    /// From 64 blocks, four in a vector, to a byte of each in a vector, in memory order; and back.
    fn transposed(v: [Self; 16]) -> [Self; 16];
    /// The same reference, of which the compiler knows nothing.
    fn fresh<T>(x: &T) -> &T;
}

/// The constants of few blocks.
#[inline(always)]
pub(super) fn layer<B: Bytes>(direction: Direction) -> &'static Layer {
    match direction {
        Direction::Encrypt => B::fresh(&ENCRYPT),
        Direction::Decrypt => B::fresh(&DECRYPT),
    }
}

/// S or S^-1 in registers.
#[inline(always)]
pub(super) fn sbox<B: Bytes>(isa: B::Isa, direction: Direction) -> [B; 4] {
    let t = &layer::<B>(direction).sbox;
    [
        B::load(isa, &t[0].0, 0),
        B::load(isa, &t[1].0, 0),
        B::load(isa, &t[2].0, 0),
        B::load(isa, &t[3].0, 0),
    ]
}

/// L or L^-1 of one block that is repeated in the vector, plus e, repeated.
#[inline(always)]
pub(super) fn repeated<B: Bytes>(direction: Direction, x: B, e: B) -> B {
    let split = match direction {
        Direction::Encrypt => &ENCRYPT.split,
        Direction::Decrypt => &DECRYPT.split,
    };
    let a = x.shuffled(&ROTATIONS[0]).times(&split[0]);
    let b = x.shuffled(&ROTATIONS[1]).times(&split[1]);
    let c = x.shuffled(&ROTATIONS[2]).times(&split[2]);
    let d = x.shuffled(&ROTATIONS[3]).times(&split[3]);
    a.xor(b).xor3(c, d).folded(e)
}
