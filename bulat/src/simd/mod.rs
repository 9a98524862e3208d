//! The only intrinsics, and the only assembly: one file per instruction set. `isa.rs` has the list of
//! instruction sets, their features and the tokens that prove them; the traits that the rounds are written
//! over stand here.
//!
//! - [`Gates`], [`Bits`]: bit planes, one bit of many blocks in a word (Magma).
//! - [`Words`]: one 32-bit word of many blocks in a vector (Magma).
//! - [`Bytes`]: an octet of each of 64 blocks, or four blocks, in a vector (Kuznyechik).
//! - [`Rows`]: the 64 octets of a state in a vector (Streebog).
//! - [`Nibbles`], [`Field`]: octets of many blocks, looked up by nibbles (every vector set below VBMI).
//! - [`Polynomials`]: sums of products over GF(2) (MGM).
//!
//! [`Room`] is memory that is written before it is read.
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
#[cfg(target_arch = "x86_64")]
mod gfni512;
#[cfg(target_arch = "x86_64")]
mod lps;
#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(target_arch = "aarch64")]
mod pmull;
mod portable;
mod room;
#[cfg(target_arch = "x86_64")]
pub(crate) mod rounds;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod ssse3;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm;

#[cfg(target_arch = "aarch64")]
use core::arch::aarch64 as arch;
#[cfg(target_arch = "x86")]
use core::arch::x86 as arch;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64 as arch;

use core::ops::{BitAnd, BitOr, BitXor, Not, Range};

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(crate) use avx2::Octets256;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(crate) use avx2gfni::Matrix256;
#[cfg(target_arch = "x86_64")]
pub(crate) use avx512::Octets512;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(crate) use clmul::{Polynomials128, Polynomials256, Polynomials512};
#[cfg(target_arch = "x86_64")]
pub(crate) use gfni512::{Batch, Bytes512, Matrix512, Next, Products, Under, Xmm, Zmm, twelve};
pub(crate) use isa::*;
#[cfg(target_arch = "aarch64")]
pub(crate) use neon::OctetsNeon;
#[cfg(target_arch = "aarch64")]
pub(crate) use pmull::PolynomialsPmull;
pub(crate) use portable::Wide;
pub(crate) use room::Room;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(crate) use ssse3::Octets128;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) use wasm::OctetsWasm;

#[cfg(target_arch = "x86_64")]
use crate::{
    InOut,
    cipher::Count,
    kuznyechik::{image::Octets, sliced::Gamma, toeplitz::Table},
};
use crate::{cipher::Direction, kuznyechik::octets::Tables, streebog::nibbles::Lps};

/// The statements for i = 0, 1, .. below n, which is 16 at most, in so many words.
///
/// For loops over shuffles of 64 octets, which a compiler takes for so dear that it keeps them, and the vectors in
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
    /// Φ on every octet, and back.
    fn enter_image(self) -> Self;
    fn leave_image(self) -> Self;
    fn xor(self, b: Self) -> Self;
    fn xor3(self, b: Self, c: Self) -> Self;
    /// Octet k of group i and octet i of group k change places.
    fn transposed(self) -> Self;
    /// Φ∘π∘Φ⁻¹ on every octet.
    fn substitute(self, sbox: &Self::Sbox) -> Self;
    /// L from `Rows` to `Columns`, plus e and f.
    fn mix_groups(self, e: Self, f: Self) -> Self;
    /// L from `Columns` to `Rows`, plus e and f.
    fn mix_inside(self, e: Self, f: Self) -> Self;
    /// What `compress` of the rounds gives for one message, where that is assembly.
    #[inline(always)]
    fn compress(_: &Self::Sbox, _key: Self, _text: Self, _last: Self) -> Option<Self> {
        None
    }
    /// Whether `chains` is there. Then a few blocks of one message cost less than their part of eight messages'.
    const CHAINS: bool = false;
    /// What `chains` of the rounds gives for N messages, where that is assembly.
    #[inline(always)]
    fn chains<const N: usize>(_key: [Self; N], _state: [Self; N]) -> Option<[Self; N]> {
        None
    }
    /// Eight messages in groups of columns, to vectors of one column of each: see `streebog::eights`.
    fn weave(v: &mut [Self; 8]);
    /// The inverse.
    fn unweave(v: &mut [Self; 8]);
    /// Columns, as `weave` leaves them, of messages whose first rows are these groups, and the others zero.
    fn first_rows(self) -> [Self; 8];
    /// In each 16 octets, the first four words of both in turn, and the last four.
    fn unpack_words(self, b: Self) -> (Self, Self);
    /// 16 octets, everywhere.
    fn repeat(isa: Self::Isa, octets: &[u8; 16]) -> Self;
    /// A group, each octet twice, in every 16 octets.
    fn splat(isa: Self::Isa, group: &[u8]) -> Self;
    /// Every octet by a factor of `streebog::image::L`.
    fn by(self, factor: &u64) -> Self;
}

/// GF(2^64) and GF(2^128): a sum of products of polynomials, not reduced.
///
/// In the octets of a polynomial the first holds the highest powers. A value exists only where its
/// instruction set does: `zero` takes the token.
pub(crate) trait Polynomials: Copy {
    /// The proof of the instruction set.
    type Isa: Copy;
    /// The octets that are multiplied at a time.
    const LEN: usize;
    fn zero(isa: Self::Isa) -> Self;
    /// Plus products of degrees 127: of at most `LEN` octets, of each 16 by themselves.
    fn add_whole(self, h: &[u8], a: &[u8]) -> Self;
    /// Plus products of degrees 63: of at most `LEN` octets, of each 8 by themselves. The sum then has
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

/// A bit plane: one bit of `8 * OCTETS` blocks of 64 bits. A vector, or integers: any octets are a value, on which
/// [`Room`] relies.
///
/// Sixty-four of them hold a batch in one of two forms. As rows they are the octets in memory order. As
/// planes, plane `8 * (i ^ turn) + j` has bit j of octet i of every block: `turn` is a byte order, or an
/// exchange of halves, for nothing. Which lane of a plane a block has is the implementation's own;
/// [`Bits::index`] tells.
pub(crate) trait Bits: Gates {
    /// The proof of the instruction set.
    type Isa: Copy;
    /// What a round works on: the word itself, or one of the `STEPS` parts of it.
    type Gate: Gates;
    /// How many parts the word has.
    const STEPS: usize;
    /// Octets of a row.
    const OCTETS: usize;
    /// Every 32 bits of the word.
    fn splat(isa: Self::Isa, mask: u32) -> Self;
    /// The same for a part.
    fn splat_gate(isa: Self::Isa, mask: u32) -> Self::Gate;
    /// A part.
    fn part(&self, i: usize) -> Self::Gate;
    /// Replaces a part.
    fn set_part(&mut self, i: usize, part: Self::Gate);
    /// Takes a row from the first octets.
    fn read(isa: Self::Isa, octets: &[u8]) -> Self;
    /// Puts a row to the first octets.
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

/// Planes of 512 blocks: octet j of every eight octets is for eighth j of the batch.
pub(crate) trait Eighths: Bits {
    /// Every eight octets of the part.
    fn eighths(isa: Self::Isa, octets: u64) -> Self::Gate;
}

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
    /// The octets of a block reversed, or left.
    fn orders(isa: Self::Isa, reverse: bool) -> Self::Orders;
    /// N1 and N2 of a block, wound.
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
/// A half-block is kept wound through the rounds, in whatever form saves operations.
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
    /// Takes `LANES` blocks of 8 octets.
    fn read(isa: Self::Isa, octets: &[u8]) -> [Self; 2];
    /// Puts `LANES` blocks.
    fn write(raw: [Self; 2], octets: &mut [u8]);
    /// Takes one block, into the first lane.
    fn read_one(isa: Self::Isa, block: &[u8; 8]) -> [Self; 2];
    /// Puts the block of the first lane.
    fn write_one(raw: [Self; 2], block: &mut [u8; 8]);
    /// The octets of every block reversed, or left.
    fn orders(isa: Self::Isa, reverse: bool) -> Self::Orders;
    /// N1 and N2 of blocks, wound.
    fn take(isa: Self::Isa, raw: [Self; 2], orders: Self::Orders) -> (Self, Self);
    /// Blocks of them.
    fn give(isa: Self::Isa, halves: (Self, Self), orders: Self::Orders) -> [Self; 2];
    /// The first four and the last four octets of these blocks, little-endian, not wound; `words` has the same,
    /// all first ones and all last ones.
    fn words(isa: Self::Isa, blocks: &[u8], words: [&[u32]; 2]) -> (Self, Self);
    /// Numbers wound.
    fn wound(self) -> Self;
    /// The inverse.
    fn unwound(self) -> Self;
    /// x + y mod 2^32.
    fn add(self, other: Self) -> Self;
    /// The same, and `to` plus `carry` where there is one.
    fn add_carry(self, other: Self, to: Self, carry: Self) -> (Self, Self);
    /// The S-boxes: eight rows of sixteen 4-bit values.
    fn tables(isa: Self::Isa, rows: &[[u8; 16]; 8]) -> Self::Tables;
    /// previous ^ (S(current + key) <<< 11), the halves wound, the key not.
    fn round(tables: &Self::Tables, current: Self, previous: Self, key: Self) -> Self;
    /// All `n` rounds of these groups, where the set has a form of its own for so many; else none, and false.
    #[inline(always)]
    fn unrolled<const G: usize>(
        _tables: &Self::Tables,
        _x: &mut [(Self, Self); G],
        _keys: RoundKeys<'_, Self, G>,
        _direction: crate::cipher::Direction,
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

/// Kuznyechik: 64 octets, either one of each of 64 blocks, or four blocks, or one block four times.
///
/// A value exists only where its instruction set does: what makes one takes the token or a value.
#[cfg(target_arch = "x86_64")]
pub(crate) trait Bytes: Copy {
    /// The proof of the instruction set.
    type Isa: Copy;
    /// Whether `lookup` takes the tables in pairs: see `Table`.
    const PAIRS: bool;
    /// The 64 octets from 64 `i` on.
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
    /// `Gamma::run`, which calls `advance`.
    fn run<'i, 'o>(
        isa: Self::Isa,
        gamma: &mut Gamma,
        counter: &mut [u8; 16],
        count: Count,
        data: InOut<'i, 'o>,
    ) -> InOut<'i, 'o>;
    /// Adds the gamma of the batch under way to as much data, and brings the next as far; by the tables of
    /// parts.
    fn advance(isa: Self::Isa, batch: &mut Batch, next: &Next<'_>, data: InOut<'_, '_>);
    /// From 64 blocks, four in a vector, to an octet of each in a vector, in memory order; and back.
    fn transposed(v: [Self; 16]) -> [Self; 16];
    /// The same reference, of which the compiler knows nothing.
    fn fresh<T>(x: &T) -> &T;
}

/// A linear map of octets, in both forms that instruction sets have.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Linear {
    /// The images of 0..16, and of 16 times 0..16.
    pub(crate) low: [u8; 16],
    pub(crate) high: [u8; 16],
    /// As `gf2p8affineqb` takes it from memory: octet 7 - i is the row of result bit i.
    pub(crate) matrix: [u64; 4],
}

impl Linear {
    /// The map that sends the octet 2^i to `powers[i]`.
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

/// A vector of `LEN` octets that looks up by nibbles: what every instruction set with a shuffle of
/// octets has. What is said of "16 octets" holds for each 16 of the vector by themselves.
///
/// A value exists only where its instruction set does: what makes one takes the token or a value.
pub(crate) trait Nibbles: Copy {
    /// The proof of the instruction set.
    type Isa: Copy;
    /// Octets: 16, 32 or 64.
    const LEN: usize;
    /// The first `LEN` octets.
    fn load(isa: Self::Isa, octets: &[u8]) -> Self;
    /// Puts them there.
    fn store(self, octets: &mut [u8]);
    /// The first `LEN` / 16 of these.
    fn gather(isa: Self::Isa, blocks: [&[u8; 16]; 4]) -> Self;
    /// Puts the first 16.
    fn store_one(self, octets: &mut [u8; 16]);
    /// An octet everywhere.
    fn splat(isa: Self::Isa, octet: u8) -> Self;
    /// 16 octets, repeated.
    fn repeat(isa: Self::Isa, octets: &[u8; 16]) -> Self;
    /// A 32-bit word everywhere, little-endian.
    #[inline(always)]
    fn splat_quad(isa: Self::Isa, word: u32) -> Self {
        let octets = [word.to_le_bytes(); 4];
        Self::repeat(isa, octets.as_flattened().first_chunk().expect("16 octets"))
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
    /// Sums of unsigned octets, or 255 where they would be more.
    fn add_saturating(self, b: Self) -> Self;
    /// Differences of unsigned octets, or 0 where they would be less.
    fn sub_saturating(self, b: Self) -> Self;
    /// As 32-bit words: the sum modulo 2^32, and the words shifted left and right.
    fn add_quads(self, b: Self) -> Self;
    fn shl<const BITS: i32>(self) -> Self;
    fn shr<const BITS: i32>(self) -> Self;
    /// The smaller of unsigned octets.
    fn min(self, b: Self) -> Self;
    /// All ones where the octet, as a signed number, is greater than that of `b`, else zero.
    fn greater(self, b: Self) -> Self;
    /// All ones where the octets are equal, else zero.
    fn equal(self, b: Self) -> Self;
    /// The low nibble of each octet, and the high one, as numbers below 16.
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
    /// Sums modulo 2^32 of words that are kept an octet a vector, the least significant first. In every
    /// octet of `k` and of the sum the highest bit is turned over, so that signed numbers compare as
    /// unsigned ones would: the carry out of an octet is a sum less than what was added.
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
    /// The octets of `self` by the numbers in `index`, within 16 octets: below 16, or from 128 on, which
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
    /// The sum of all 16 octets of the vector, in each of them.
    fn folded(self) -> Self;
    /// The octets of the first halves of every 16 octets of two vectors, alternating; and of the second.
    fn zip(self, b: Self) -> (Self, Self);
    /// The same with words of two octets.
    fn zip_words(self, b: Self) -> (Self, Self);
    /// Of W groups of 16 octets, in W parts each: part j of group i and part i of group j change places.
    fn square(self) -> Self;
    /// The groups i and i xor `by` of 16 octets change places.
    fn swapped(self, by: usize) -> Self;
    /// The same vector, of which the compiler knows nothing, so that sums stay in the order of the text.
    #[inline(always)]
    fn opaque(self) -> Self {
        self
    }
    /// What `lps` of Streebog's nibbles gives for a group of 128 octets, where that is assembly.
    #[inline(always)]
    fn lps<const V: usize>(_: &Lps, _: [Self; V]) -> Option<[Self; V]> {
        None
    }
    /// Rounds of Kuznyechik by nibbles, where they are assembly; else nothing, and false.
    #[inline(always)]
    fn rounds(_: Direction, _: &Tables, _: Range<usize>, _: &mut [Self; 16]) -> bool {
        false
    }
    /// A linear map of each octet.
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
