//! The only intrinsics: one file per instruction set. `isa.rs` has the list of instruction sets, their
//! features and the tokens that prove them; the traits that the rounds are written over stand here.
#![allow(unsafe_code)]

#[macro_use]
mod isa;

pub(crate) use isa::*;

#[cfg(target_arch = "x86_64")]
mod gfni512;
#[cfg(target_arch = "x86_64")]
pub(crate) use gfni512::Matrix512;

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
