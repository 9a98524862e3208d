//! The only intrinsics: one file per instruction set. `isa.rs` has the list of instruction sets, their
//! features and the tokens that prove them; the traits that the rounds are written over stand here.
#![allow(unsafe_code)]

#[macro_use]
mod isa;

pub(crate) use isa::*;

#[cfg(target_arch = "x86_64")]
mod gfni512;
#[cfg(target_arch = "x86_64")]
use crate::kuznyechik::{image::Octets, toeplitz::Table};
#[cfg(target_arch = "x86_64")]
pub(crate) use gfni512::{Bytes512, Matrix512};

/// Streebog: 64 octets as eight groups of eight, over the field of AES (see `streebog::image`).
///
/// A value exists only where its instruction set does: `load` and `splat` take the token.
pub(crate) trait Rows: Copy {
    /// The proof of the instruction set.
    type Isa: Copy;
    /// The S-box's table in registers.
    type Sbox: Copy;
    fn sbox(isa: Self::Isa) -> Self::Sbox;
    fn load(isa: Self::Isa, octets: &[u8; 64]) -> Self;
    fn store(self, octets: &mut [u8; 64]);
    /// φ on every octet, and back.
    fn to_image(self) -> Self;
    fn from_image(self) -> Self;
    fn xor(self, b: Self) -> Self;
    fn xor3(self, b: Self, c: Self) -> Self;
    /// Octet k of group i and octet i of group k change places.
    fn transposed(self) -> Self;
    /// φ∘π∘φ⁻¹ on every octet.
    fn substitute(self, sbox: &Self::Sbox) -> Self;
    /// L from `Rows` to `Columns`, plus e and f.
    fn mix_groups(self, e: Self, f: Self) -> Self;
    /// L from `Columns` to `Rows`, plus e and f.
    fn mix_inside(self, e: Self, f: Self) -> Self;
    /// Eight vectors: group m of vector j and group j of vector m change places.
    fn exchange(v: &mut [Self; 8]);
    /// One group, everywhere.
    fn splat(isa: Self::Isa, group: &[u8]) -> Self;
    /// c(j, k) times every octet.
    fn by(self, j: usize, k: usize) -> Self;
}

/// Kuznyechik: 64 octets, either one of each of 64 blocks, or four blocks, or one block four times.
///
/// A value exists only where its instruction set does: what makes one takes the token or a value.
#[cfg(target_arch = "x86_64")]
pub(crate) trait Bytes: Copy {
    /// The proof of the instruction set.
    type Isa: Copy;
    /// The 64 octets from 64 `i` on.
    fn load(isa: Self::Isa, octets: &[u8], i: usize) -> Self;
    /// Puts them there.
    fn store(self, octets: &mut [u8], i: usize);
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
    /// For each octet, all ones where it is less than that of `b`, else zero.
    fn less(self, b: Self) -> Self;
    /// Plus those bits of `b` that `mask` has.
    fn xor_masked(self, b: Self, mask: Self) -> Self;
    /// An octet everywhere.
    fn octet(isa: Self::Isa, octet: u8) -> Self;
    /// A linear map of each octet: octet 7 - i of the matrix is the row of result bit i.
    fn affine(self, matrix: &u64) -> Self;
    /// Products in the field of AES.
    fn times(self, by: &Octets) -> Self;
    /// Octets of each block by index.
    fn shuffled(self, indices: &Octets) -> Self;
    /// Octet (i + D) mod 16 of each block at its octet i.
    fn rotated<const D: i32>(self) -> Self;
    /// The sum of the four blocks and of e, four times.
    fn folded(self, e: Self) -> Self;
    /// A substitution.
    fn lookup(self, table: &Table) -> Self;
    /// The same by a table in registers.
    fn substituted(self, table: &[Self; 4]) -> Self;
    /// From 64 blocks, four in a vector, to an octet of each in a vector, in memory order; and back.
    fn transposed(v: [Self; 16]) -> [Self; 16];
    /// The same reference, of which the compiler knows nothing.
    fn fresh<T>(x: &T) -> &T;
}
