//! The traits of vectors: of bytes, of bit planes, of polynomials; a linear map of bytes; [`fresh`].
//!
//! An operation is named by the instruction's meaning. Its doc line ends with the intrinsic of x86 in 128 bits; wider
//! sets have it with a different prefix, AArch64 and WebAssembly under other names. "Group" means 16 bytes of the
//! vector from a multiple of 16 on: shuffles do not cross groups.

use core::hint::black_box;
use core::ops::{BitAnd, BitOr, BitXor, Not};

/// Returns the same reference, hidden from the compiler, so that it keeps nothing that is read through it.
#[allow(clippy::pointers_in_nomem_asm_block)] // it is not read there
#[inline(always)]
pub(crate) fn fresh<T>(x: &T) -> &T {
    #[cfg(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"))]
    // Not `pure`, or it would be done once before the loop.
    // SAFETY: nothing happens; the pointer comes out as it went in, so it is still the reference.
    unsafe {
        let mut p: *const T = x;
        core::arch::asm!("/* {0} */", inout(reg) p, options(nomem, nostack, preserves_flags));
        &*p
    }
    #[cfg(not(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64")))]
    black_box(x)
}

/// 0, 1, .. below `n`, each a surprise to the compiler: it writes the body once, and no code for what is left of a loop that it
/// unrolled, of which no call and so no proof would reach a part.
#[inline(always)]
pub(crate) fn rolled(n: usize) -> impl Iterator<Item = usize> {
    let mut next = 0;
    core::iter::from_fn(move || {
        let i = (next < n).then_some(next)?;
        next = black_box(i) + 1;
        Some(i)
    })
}

/// A linear map of bytes, in both forms that instruction sets have.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Linear {
    /// The images of 0..16, and of 16 times 0..16.
    pub(crate) low: [u8; 16],
    pub(crate) high: [u8; 16],
    /// The operand of `gf2p8affineqb` in memory: byte 7 - i is the row of result bit i.
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

/// A vector of `LEN` bytes, with the operations that every set with a shuffle of bytes has.
///
/// A value exists only where its instruction set does: constructors need the token or a value.
pub(crate) trait Vector: Copy {
    /// The proof of the instruction set.
    type Isa: Copy;
    /// Bytes: 16, 32 or 64.
    const LEN: usize;
    /// Loads the first `LEN` bytes, unaligned: `_mm_loadu_si128`.
    fn load(isa: Self::Isa, bytes: &[u8]) -> Self;
    /// Stores to the first `LEN` bytes, unaligned: `_mm_storeu_si128`.
    fn store(self, bytes: &mut [u8]);
    /// Loads the first `LEN` / 16 blocks, each into its group: `_mm256_inserti128_si256`.
    fn gather(isa: Self::Isa, blocks: [&[u8; 16]; 4]) -> Self;
    /// Stores the first group.
    fn store_one(self, bytes: &mut [u8; 16]);
    /// A byte everywhere: `_mm_set1_epi8`.
    fn splat(isa: Self::Isa, byte: u8) -> Self;
    /// 16 bytes in each group: `_mm256_broadcastsi128_si256`.
    fn repeat(isa: Self::Isa, bytes: &[u8; 16]) -> Self;
    /// A 32-bit word everywhere, little-endian: `_mm_set1_epi32`.
    #[inline(always)]
    fn splat_quad(isa: Self::Isa, word: u32) -> Self {
        let bytes = [word.to_le_bytes(); 4];
        Self::repeat(isa, bytes.as_flattened().first_chunk().expect("16 bytes"))
    }
    /// `_mm_xor_si128`.
    fn xor(self, b: Self) -> Self;
    /// `_mm_and_si128`.
    fn and(self, b: Self) -> Self;
    /// `_mm_or_si128`.
    fn or(self, b: Self) -> Self;
    /// The sum of three vectors: `_mm512_ternarylogic_epi32` with 0x96, `veor3q_u8`.
    #[inline(always)]
    fn xor3(self, b: Self, c: Self) -> Self {
        self.xor(b).xor(c)
    }
    /// Sums of bytes modulo 256: `_mm_add_epi8`.
    fn add(self, b: Self) -> Self;
    /// Differences of bytes modulo 256: `_mm_sub_epi8`.
    fn sub(self, b: Self) -> Self;
    /// Sums of unsigned bytes, at most 255: `_mm_adds_epu8`.
    fn add_saturating(self, b: Self) -> Self;
    /// Differences of unsigned bytes, at least 0: `_mm_subs_epu8`.
    fn sub_saturating(self, b: Self) -> Self;
    /// Sums of 32-bit words modulo 2^32: `_mm_add_epi32`.
    fn add_quads(self, b: Self) -> Self;
    /// Sums of 64-bit words modulo 2^64: `_mm_add_epi64`.
    fn add_longs(self, b: Self) -> Self;
    /// 32-bit words shifted left: `_mm_slli_epi32`.
    fn shl<const BITS: i32>(self) -> Self;
    /// 32-bit words shifted right: `_mm_srli_epi32`.
    fn shr<const BITS: i32>(self) -> Self;
    /// The smaller of unsigned bytes: `_mm_min_epu8`.
    fn min(self, b: Self) -> Self;
    /// All ones where the byte, as a signed number, is greater than the byte of `b`, else zero: `_mm_cmpgt_epi8`.
    fn greater(self, b: Self) -> Self;
    /// All ones where the bytes are equal, else zero: `_mm_cmpeq_epi8`.
    fn equal(self, b: Self) -> Self;
    /// The low nibble of each byte: `_mm_and_si128` with 15.
    fn low(self) -> Self;
    /// The high nibble of each byte, as a number below 16: `_mm_srli_epi16` and `_mm_and_si128`.
    fn high(self) -> Self;
    /// True if there is [`Vector::ternary`].
    const TERNARY: bool = false;
    /// The three-input gate of [`Gates::lut`](super::Gates::lut): `_mm512_ternarylogic_epi32`.
    #[inline(always)]
    fn ternary<const F: i32>(self, _: Self, _: Self) -> Self {
        unreachable!("no such instruction")
    }
    /// True if an instruction keeps its operands. Otherwise a table is copied for each look-up, and
    /// groups of vectors gain nothing by sharing it.
    const PAIRS: bool = true;
    /// True if [`Vector::select`] is one instruction.
    const SELECTS: bool = false;
    /// The bits of `a` where `self` has ones, and of `b` where it has zeros: `vbslq_u8`.
    #[inline(always)]
    fn select(self, a: Self, b: Self) -> Self {
        b.xor(self.and(a.xor(b)))
    }
    /// Sums modulo 2^32 of words that are kept a byte a vector, the least significant first. In every
    /// byte of `k` and of the sum the highest bit is turned over, so that signed numbers compare as
    /// unsigned ones would: the carry out of a byte is a sum less than the number added.
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
    /// The bytes of `self` by the numbers in `index`, group by group: by numbers below 16, or from 128 on, which give 0:
    /// `_mm_shuffle_epi8`.
    fn lookup(self, index: Self) -> Self;
    /// The bytes by the low nibble of a number below 128; from there on 0.
    #[inline(always)]
    fn lookup_low(self, index: Self) -> Self {
        self.lookup(index)
    }
    /// The bytes by numbers below 16; 0 by all others.
    #[inline(always)]
    fn lookup_small(self, isa: Self::Isa, index: Self) -> Self {
        self.lookup_low(index.add_saturating(Self::splat(isa, 0x70)))
    }
    /// The sum of all groups, in each of them: `_mm256_permute2x128_si256` and `_mm_xor_si128`.
    fn folded(self) -> Self;
    /// Bytes of the first halves of each group of two vectors, alternating; and of the second halves:
    /// `_mm_unpacklo_epi8`, `_mm_unpackhi_epi8`.
    fn zip(self, b: Self) -> (Self, Self);
    /// As `zip`, with words of two bytes: `_mm_unpacklo_epi16`, `_mm_unpackhi_epi16`.
    fn zip_words(self, b: Self) -> (Self, Self);
    /// For W groups of W parts each: part j of group i and part i of group j change places:
    /// `_mm256_permute4x64_epi64` with 0xd8.
    fn square(self) -> Self;
    /// The groups i and i xor `by` change places: `_mm256_permute4x64_epi64` with 0x4e.
    fn swapped(self, by: usize) -> Self;
    /// Returns the same vector, hidden from the compiler, so that sums stay in the order of the text.
    #[inline(always)]
    fn opaque(self) -> Self {
        self
    }
    /// A linear map of each byte: two look-ups by nibbles, or `_mm256_gf2p8affine_epi64_epi8`.
    #[inline(always)]
    fn linear(self, isa: Self::Isa, map: &Linear) -> Self {
        let low = Self::repeat(isa, &map.low).lookup(self.low());
        low.xor(Self::repeat(isa, &map.high).lookup(self.high()))
    }
    /// See [`fresh`].
    #[inline(always)]
    fn fresh<T>(x: &T) -> &T {
        fresh(x)
    }
    /// The vectors as vectors of AVX2, if they are: for assembly in 256 bits.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn as_avx2<const N: usize>(_: &mut [Self; N]) -> Option<&mut [super::arch::__m256i; N]> {
        None
    }
}

/// Vectors that multiply in the field of AES.
pub(crate) trait Field: Vector {
    /// Products modulo x^8 + x^4 + x^3 + x + 1: `_mm_gf2p8mul_epi8`.
    fn times(self, b: Self) -> Self;
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

/// A word of lanes under logic gates: circuits are written over it.
pub trait Gates:
    Copy + BitXor<Output = Self> + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self>
{
    /// True if `lut` is one instruction, so that circuits of three-input gates pay.
    const TERNARY: bool;
    /// The three-input gate with the truth table `F`: bit `4 * self + 2 * b + c` of it.
    fn lut<const F: i32>(self, b: Self, c: Self) -> Self;
}

/// A bit plane: a bit of `8 * BYTES` blocks of 64 bits. A vector, or integers: any bytes are a value, on which
/// [`crate::memory::Room`] relies.
///
/// Sixty-four planes hold a batch in either of two forms. As rows they are the bytes in memory order. As
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
    const BYTES: usize;
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
