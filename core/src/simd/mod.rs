//! Vectors, of no primitive in particular: one file per instruction set. `isa.rs` has the list of
//! instruction sets, their features and the tokens that prove them; the traits that several primitives' rounds
//! are written over stand here. What a primitive alone asks of vectors is a trait in its own folder.
//!
//! - [`Gates`], [`Bits`]: bit planes, one bit of many blocks in a word.
//! - [`Nibbles`], [`Field`]: bytes of many blocks, looked up by nibbles (every vector set below VBMI).
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
pub(crate) use avx2::Octets256;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(crate) use avx2gfni::Gfni256;
#[cfg(target_arch = "x86_64")]
pub(crate) use avx512::Octets512;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(crate) use clmul::{Polynomials128, Polynomials256, Polynomials512};
pub(crate) use isa::*;
#[cfg(target_arch = "aarch64")]
pub(crate) use neon::OctetsNeon;
#[cfg(target_arch = "aarch64")]
pub(crate) use pmull::PolynomialsPmull;
pub(crate) use portable::Integers;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(crate) use ssse3::Octets128;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) use wasm::OctetsWasm;

/// The statements for i = 0, 1, .. below n, which is 16 at most, in so many words.
///
/// For loops over shuffles of 64 bytes, which a compiler takes for so dear that it keeps them, and the vectors in
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
/// instruction set does: `zero` takes the token.
pub(crate) trait Polynomials: Copy {
    /// The proof of the instruction set.
    type Isa: Copy;
    /// The bytes that are multiplied at a time.
    const LEN: usize;
    fn zero(isa: Self::Isa) -> Self;
    /// Plus products of degrees 127: of at most `LEN` bytes, of each 16 by themselves.
    fn add_whole(self, h: &[u8], a: &[u8]) -> Self;
    /// Plus products of degrees 63: of at most `LEN` bytes, of each 8 by themselves. The sum then has
    /// whole products or halves', not both.
    fn add_halves(self, h: &[u8], a: &[u8]) -> Self;
    /// The sum is the first + the second · x^64 + the third · x^128; of halves, the first + the third.
    fn parts(self) -> [u128; 3];
}

/// The same reference, of which the compiler knows nothing, so that it keeps nothing of what stands there.
#[allow(clippy::pointers_in_nomem_asm_block)] // it is not read there
#[inline(always)]
pub(crate) fn fresh<T>(x: &T) -> &T {
    #[cfg(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"))]
    // Not `pure`, or it would be done once before the loop it stands in.
    // SAFETY: nothing happens; the pointer comes out as it went in, so it is still the reference.
    unsafe {
        let mut p: *const T = x;
        core::arch::asm!("/* {0} */", inout(reg) p, options(nomem, nostack, preserves_flags));
        &*p
    }
    #[cfg(not(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64")))]
    core::hint::black_box(x)
}

/// Calls the line at an address into the second-level cache: a hint, whatever is there. Into the first, lines of many
/// streams would push out each other, and what is at work.
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

/// A word of lanes under logic gates: what a circuit is written over.
pub(crate) trait Gates:
    Copy + BitXor<Output = Self> + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self>
{
    /// Whether `lut` is one instruction, so that circuits of three-input gates pay.
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
    /// What a round works on: the word itself, or one of the `STEPS` parts of it.
    type Gate: Gates;
    /// How many parts the word has.
    const STEPS: usize;
    /// Bytes of a row.
    const OCTETS: usize;
    /// Every 32 bits of the word.
    fn splat(isa: Self::Isa, mask: u32) -> Self;
    /// The same for a part.
    fn splat_gate(isa: Self::Isa, mask: u32) -> Self::Gate;
    /// A part.
    fn part(&self, i: usize) -> Self::Gate;
    /// Replaces a part.
    fn set_part(&mut self, i: usize, part: Self::Gate);
    /// Takes a row from the first bytes.
    fn read(isa: Self::Isa, octets: &[u8]) -> Self;
    /// Puts a row to the first bytes.
    fn write(self, octets: &mut [u8]);
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
    fn eighths(isa: Self::Isa, octets: u64) -> Self::Gate;
}

/// A linear map of bytes, in both forms that instruction sets have.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Linear {
    /// The images of 0..16, and of 16 times 0..16.
    pub(crate) low: [u8; 16],
    pub(crate) high: [u8; 16],
    /// As `gf2p8affineqb` takes it from memory: byte 7 - i is the row of result bit i.
    pub(crate) matrix: [u64; 4],
}

impl Linear {
    /// The map that sends the byte 2^i to `powers[i]`.
    pub(crate) const fn new(powers: &[u8; 8]) -> Self {
        let mut map = Linear { low: [0; 16], high: [0; 16], matrix: [0; 4] };
        let mut n = 0;
        while n < 64 {
            let (row, bit) = (n / 8, n % 8);
            if powers[bit] >> row & 1 != 0 {
                map.matrix[0] |= 1 << (8 * (7 - row) + bit);
            }
            let (nibble, bit) = (n / 4, n % 4);
            if nibble >> bit & 1 != 0 {
                map.low[nibble] ^= powers[bit];
                map.high[nibble] ^= powers[bit + 4];
            }
            n += 1;
        }
        map.matrix = [map.matrix[0]; 4];
        map
    }
}

/// A vector of `LEN` bytes that looks up by nibbles: what every instruction set with a shuffle of
/// bytes has. What is said of "16 octets" holds for each 16 of the vector by themselves.
///
/// A value exists only where its instruction set does: what makes one takes the token or a value.
pub(crate) trait Nibbles: Copy {
    /// The proof of the instruction set.
    type Isa: Copy;
    /// Octets: 16, 32 or 64.
    const LEN: usize;
    /// The first `LEN` bytes.
    fn load(isa: Self::Isa, octets: &[u8]) -> Self;
    /// Puts them there.
    fn store(self, octets: &mut [u8]);
    /// The first `LEN` / 16 of these.
    fn gather(isa: Self::Isa, blocks: [&[u8; 16]; 4]) -> Self;
    /// Puts the first 16.
    fn store_one(self, octets: &mut [u8; 16]);
    /// A byte everywhere.
    fn splat(isa: Self::Isa, octet: u8) -> Self;
    /// 16 bytes, repeated.
    fn repeat(isa: Self::Isa, octets: &[u8; 16]) -> Self;
    /// A 32-bit word everywhere, little-endian.
    #[inline(always)]
    fn splat_quad(isa: Self::Isa, word: u32) -> Self {
        let octets = [word.to_le_bytes(); 4];
        Self::repeat(isa, octets.as_flattened().first_chunk().expect("16 bytes"))
    }
    fn xor(self, b: Self) -> Self;
    fn and(self, b: Self) -> Self;
    fn or(self, b: Self) -> Self;
    /// The sum of three vectors.
    #[inline(always)]
    fn xor3(self, b: Self, c: Self) -> Self {
        self.xor(b).xor(c)
    }
    /// Sums and differences modulo 256.
    fn add(self, b: Self) -> Self;
    fn sub(self, b: Self) -> Self;
    /// Sums of unsigned bytes, or 255 where they would be more.
    fn add_saturating(self, b: Self) -> Self;
    /// Differences of unsigned bytes, or 0 where they would be less.
    fn sub_saturating(self, b: Self) -> Self;
    /// As 32-bit words: the sum modulo 2^32, and the words shifted left and right.
    fn add_quads(self, b: Self) -> Self;
    fn shl<const BITS: i32>(self) -> Self;
    fn shr<const BITS: i32>(self) -> Self;
    /// The smaller of unsigned bytes.
    fn min(self, b: Self) -> Self;
    /// All ones where the byte, as a signed number, is greater than that of `b`, else zero.
    fn greater(self, b: Self) -> Self;
    /// All ones where the bytes are equal, else zero.
    fn equal(self, b: Self) -> Self;
    /// The low nibble of each byte, and the high one, as numbers below 16.
    fn low(self) -> Self;
    fn high(self) -> Self;
    /// Whether there is [`Nibbles::ternary`].
    const TERNARY: bool = false;
    /// The three-input gate of [`Gates::lut`].
    #[inline(always)]
    fn ternary<const F: i32>(self, _: Self, _: Self) -> Self {
        unreachable!("no such instruction")
    }
    /// Whether an instruction leaves its operands alone. Where it does not, a table is copied for each look-up,
    /// and nothing is won where two groups of vectors share it.
    const PAIRS: bool = true;
    /// Whether [`Nibbles::select`] is one instruction.
    const SELECTS: bool = false;
    /// The bits of `a` where `self` has ones, and of `b` where it has zeros.
    #[inline(always)]
    fn select(self, a: Self, b: Self) -> Self {
        b.xor(self.and(a.xor(b)))
    }
    /// Sums modulo 2^32 of words that are kept a byte a vector, the least significant first. In every
    /// byte of `k` and of the sum the highest bit is turned over, so that signed numbers compare as
    /// unsigned ones would: the carry out of a byte is a sum less than what was added.
    #[inline(always)]
    fn add_words(a: &[Self; 4], k: &[Self; 4]) -> [Self; 4] {
        let s0 = a[0].add(k[0]);
        let c = k[0].greater(s0);
        let t = a[1].add(k[1]);
        let s1 = t.sub(c);
        let c = k[1].greater(t).or(t.greater(s1));
        let t = a[2].add(k[2]);
        let s2 = t.sub(c);
        let c = k[2].greater(t).or(t.greater(s2));
        [s0, s1, s2, a[3].add(k[3]).sub(c)]
    }
    /// The bytes of `self` by the numbers in `index`, within 16 octets: below 16, or from 128 on, which
    /// gives 0.
    fn lookup(self, index: Self) -> Self;
    /// The same by the low nibble of any index below 128; from there on still 0.
    #[inline(always)]
    fn lookup_low(self, index: Self) -> Self {
        self.lookup(index)
    }
    /// The same by numbers below 16; 0 by all others.
    #[inline(always)]
    fn lookup_small(self, isa: Self::Isa, index: Self) -> Self {
        self.lookup_low(index.add_saturating(Self::splat(isa, 0x70)))
    }
    /// The sum of all 16 bytes of the vector, in each of them.
    fn folded(self) -> Self;
    /// The bytes of the first halves of every 16 bytes of two vectors, alternating; and of the second.
    fn zip(self, b: Self) -> (Self, Self);
    /// The same with words of two bytes.
    fn zip_words(self, b: Self) -> (Self, Self);
    /// Of W groups of 16 bytes, in W parts each: part j of group i and part i of group j change places.
    fn square(self) -> Self;
    /// The groups i and i xor `by` of 16 bytes change places.
    fn swapped(self, by: usize) -> Self;
    /// The same vector, of which the compiler knows nothing, so that sums stay in the order of the text.
    #[inline(always)]
    fn opaque(self) -> Self {
        self
    }
    /// A linear map of each byte.
    #[inline(always)]
    fn linear(self, isa: Self::Isa, map: &Linear) -> Self {
        let low = Self::repeat(isa, &map.low).lookup(self.low());
        low.xor(Self::repeat(isa, &map.high).lookup(self.high()))
    }
    /// The same reference, of which the compiler knows nothing: what is read through it is not kept in
    /// registers from round to round.
    #[inline(always)]
    fn fresh<T>(x: &T) -> &T {
        fresh(x)
    }
}

/// Vectors that multiply in the field of AES.
pub(crate) trait Field: Nibbles {
    /// Products modulo x^8 + x^4 + x^3 + x + 1.
    fn times(self, b: Self) -> Self;
}
