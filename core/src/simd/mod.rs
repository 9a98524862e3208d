//! Vectors, of no primitive in particular: one file per instruction set. `isa.rs` has the list of
//! instruction sets, their features and the tokens that prove them. The traits that several primitives' rounds
//! are written over are here; operations of one primitive are in its folder.
//!
//! - [`Vector`], [`Field`]: bytes, with a shuffle by bytes (`vector.rs`).
//! - [`Gates`], [`Bits`]: bit planes, one bit of many blocks in a word.
//! - [`Polynomials`]: sums of products over GF(2).
#![allow(unsafe_code)]

#[macro_use]
mod isa;

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod avx2;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod avx2gfni;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod clmul;
#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(target_arch = "aarch64")]
mod pmull;
mod portable;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod ssse3;
mod vector;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm;

#[cfg(target_arch = "aarch64")]
pub(crate) use core::arch::aarch64 as arch;
#[cfg(target_arch = "x86")]
pub(crate) use core::arch::x86 as arch;
#[cfg(target_arch = "x86_64")]
pub(crate) use core::arch::x86_64 as arch;

use core::ops::{BitAnd, BitOr, BitXor, Not};

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(crate) use avx2::Bytes256;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(crate) use avx2gfni::Gfni256;
#[cfg(target_arch = "x86_64")]
pub(crate) use avx512::Bytes512;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(crate) use clmul::{Polynomials128, Polynomials256, Polynomials512};
pub(crate) use isa::*;
#[cfg(target_arch = "aarch64")]
pub(crate) use neon::BytesNeon;
#[cfg(target_arch = "aarch64")]
pub(crate) use pmull::PolynomialsPmull;
pub(crate) use portable::Integers;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(crate) use ssse3::Bytes128;
#[cfg_attr(not(any(target_arch = "x86", target_arch = "x86_64")), allow(unused_imports))]
pub(crate) use vector::{Field, Linear, Vector, fresh};
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) use wasm::{BytesWasm, PolynomialsWasm};

/// The statements for i = 0, 1, .. below n, which is 16 at most, written out.
///
/// For loops over shuffles of 64 bytes, which seem so dear to a compiler that it keeps them, and the vectors in
/// memory, and copies these.
macro_rules! unrolled {
    ($i:ident < $n:expr, $body:block) => {
        const { assert!($n <= 16) };
        unrolled!($i, $n, $body, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
    };
    ($i:ident, $n:expr, $body:block, $($k:literal)*) => {$(
        if $k < $n {
            let $i: usize = $k;
            $body
        }
    )*};
}

/// GF(2^64) and GF(2^128): a sum of products of polynomials, not reduced.
///
/// In the bytes of a polynomial the first holds the highest powers. A value exists only where its
/// instruction set does: `zero` needs the token.
pub(crate) trait Polynomials: Copy {
    /// The proof of the instruction set.
    type Isa: Copy;
    /// The bytes that are multiplied at a time.
    const LEN: usize;
    fn zero(isa: Self::Isa) -> Self;
    /// Plus products of degrees 127: of at most `LEN` bytes, of each 16 separately.
    fn add_whole(self, h: &[u8], a: &[u8]) -> Self;
    /// Plus products of degrees 63: of at most `LEN` bytes, of each 8 separately. The sum then has
    /// whole products or halves', not both.
    fn add_halves(self, h: &[u8], a: &[u8]) -> Self;
    /// The sum is the first + the second · x^64 + the third · x^128; of halves, the first + the third.
    fn parts(self) -> [u128; 3];
}

/// Calls the line at an address into the second-level cache: a hint, whatever is there. Into the first, lines of many
/// streams would push out each other, and the working set.
#[inline(always)]
pub(crate) fn prefetch(at: *const u8) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every processor of this architecture has the hint, which touches no memory.
    unsafe {
        arch::_mm_prefetch::<{ arch::_MM_HINT_T1 }>(at.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = at;
}

/// A word of lanes under logic gates: circuits are written over it.
pub trait Gates:
    Copy + BitXor<Output = Self> + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self>
{
    /// True if `lut` is one instruction, so that circuits of three-input gates pay.
    const TERNARY: bool;
    /// The three-input gate with the truth table `F`: bit `4 * self + 2 * b + c` of it.
    fn lut<const F: i32>(self, b: Self, c: Self) -> Self;
}

/// A bit plane: one bit of `8 * OCTETS` blocks of 64 bits. A vector, or integers: any bytes are a value, on which
/// [`crate::memory::Room`] relies.
///
/// Sixty-four of them hold a batch in one of two forms. As rows they are the bytes in memory order. As
/// planes, plane `8 * (i ^ turn) + j` has bit j of byte i of every block: `turn` is a byte order, or an
/// exchange of halves, for nothing. Which lane of a plane a block has is the implementation's own;
/// [`Bits::index`] tells.
pub(crate) trait Bits: Gates {
    /// The proof of the instruction set.
    type Isa: Copy;
    /// The operand of a round: the word, or one of its `STEPS` parts.
    type Gate: Gates;
    /// How many parts the word has.
    const STEPS: usize;
    /// Bytes of a row.
    const OCTETS: usize;
    /// Every 32 bits of the word.
    fn splat(isa: Self::Isa, mask: u32) -> Self;
    /// Every 32 bits of a part.
    fn splat_gate(isa: Self::Isa, mask: u32) -> Self::Gate;
    /// A part.
    fn part(&self, i: usize) -> Self::Gate;
    /// Replaces a part.
    fn set_part(&mut self, i: usize, part: Self::Gate);
    /// Reads a row from the first bytes.
    fn read(isa: Self::Isa, bytes: &[u8]) -> Self;
    /// Puts a row to the first bytes.
    fn write(self, bytes: &mut [u8]);
    /// Rows, by their numbers, half-way to planes.
    fn rows_in(isa: Self::Isa, half: &mut [Self; 64], row: impl FnMut(usize) -> Self);
    /// The rest of the way: planes, by their numbers.
    fn planes_out(isa: Self::Isa, turn: usize, half: &[Self; 64], plane: impl FnMut(usize, Self));
    /// Planes half-way to rows.
    fn planes_in(
        isa: Self::Isa,
        turn: usize,
        half: &mut [Self; 64],
        plane: impl FnMut(usize) -> Self,
    );
    /// The rest of the way: rows.
    fn rows_out(isa: Self::Isa, half: &[Self; 64], row: impl FnMut(usize, Self));
    /// Bit `bit` of the number of each lane's block within the batch.
    fn index(isa: Self::Isa, bit: usize) -> Self;
    /// Where a circuit ends: instructions are not to be moved across, lest too many values live at once.
    fn barrier() {}
}

/// Planes of 512 blocks: byte j of every eight bytes is for eighth j of the batch.
pub(crate) trait Eighths: Bits {
    /// Every eight bytes of the part.
    fn eighths(isa: Self::Isa, bytes: u64) -> Self::Gate;
}
