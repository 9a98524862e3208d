//! Vectors on AVX-512 with VBMI and GFNI, and bit planes on them. `sbox/vbmi.rs` has words.
//!
//! Every vector is made with the token [`Gfni512`], directly or from such a vector, and the token
//! exists only where the features do: that makes the intrinsics safe to call.

use core::arch::x86_64::*;
use core::ops::{BitAnd, BitOr, BitXor, Not};
use core::sync::atomic::{Ordering, compiler_fence};

use crate::simd::{Bits, Eighths, Gates, Gfni512};

/// 512 bits.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Zmm(pub(in crate::magma) __m512i);

/// The S-boxes for the round of `sbox/vbmi.rs`: `low[16 p + n]` is S_2p(n), `high[16 p + n]` is S_2p+1(n) << 4; and the
/// constants that make the index 16 p + n out of byte p of a word.
#[derive(Clone, Copy)]
pub(crate) struct ZmmTables {
    pub(in crate::magma) low: Zmm,
    pub(in crate::magma) high: Zmm,
    pub(in crate::magma) nibble: Zmm,
    pub(in crate::magma) place: Zmm,
}

/// An expression of intrinsics over vectors.
macro_rules! v {
    ($e:expr) => {{
        // SAFETY: the vectors in the expression, or the token given, prove the features (see above).
        Zmm(unsafe { $e })
    }};
}

/// Reads 64 bytes.
#[inline(always)]
pub(in crate::magma) fn load(_: Gfni512, bytes: &[u8; 64]) -> Zmm {
    // SAFETY: 64 readable bytes; the token proves the features.
    Zmm(unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) })
}

/// Writes 64 bytes.
#[inline(always)]
pub(in crate::magma) fn store(x: Zmm, bytes: &mut [u8; 64]) {
    // SAFETY: 64 writable bytes; the vector proves the features.
    unsafe { _mm512_storeu_si512(bytes.as_mut_ptr().cast(), x.0) }
}

#[inline(always)]
pub(in crate::magma) fn zero(_: Gfni512) -> Zmm {
    v!(_mm512_setzero_si512())
}

impl Zmm {
    /// Each 128 bits, little-endian.
    #[inline(always)]
    pub(crate) fn parts(self) -> [u128; 4] {
        let mut parts = [0; 64];
        store(self, &mut parts);
        let mut numbers = [0; 4];
        for (n, part) in numbers.iter_mut().zip(parts.as_chunks().0) {
            *n = u128::from_le_bytes(*part);
        }
        numbers
    }
}

impl BitXor for Zmm {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, o: Self) -> Self {
        v!(_mm512_xor_si512(self.0, o.0))
    }
}
impl BitAnd for Zmm {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, o: Self) -> Self {
        v!(_mm512_and_si512(self.0, o.0))
    }
}
impl BitOr for Zmm {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, o: Self) -> Self {
        v!(_mm512_or_si512(self.0, o.0))
    }
}
impl Not for Zmm {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        v!(_mm512_ternarylogic_epi32::<0x55>(self.0, self.0, self.0))
    }
}
impl Gates for Zmm {
    const TERNARY: bool = true;
    #[inline(always)]
    fn lut<const F: i32>(self, b: Self, c: Self) -> Self {
        v!(_mm512_ternarylogic_epi32::<F>(self.0, b.0, c.0))
    }
}

/// Within every eight bytes of the eight vectors: byte i of vector j to byte j of vector i.
///
/// Two of the three stages are masked shuffles, one operation a vector but all on the only port that
/// Intel cores have for shuffles; the third is shifts and selections, which the other port does.
#[inline(always)]
fn transpose_bytes(x: &mut [Zmm; 8]) {
    macro_rules! exchange {
        ($($i:literal $j:literal)*, $low:expr, $high:expr) => { $(
            let (a, b) = (x[$i], x[$j]);
            x[$i] = $low(a, b);
            x[$j] = $high(a, b);
        )* };
    }
    exchange!(0 4  1 5  2 6  3 7,
        |a: Zmm, b: Zmm| v!(_mm512_mask_shuffle_epi32::<0b10_10_00_00>(a.0, 0xaaaa, b.0)),
        |a: Zmm, b: Zmm| v!(_mm512_mask_shuffle_epi32::<0b11_11_01_01>(b.0, 0x5555, a.0)));
    let swap = v!(_mm512_set4_epi32(0x0d0c_0f0e, 0x0908_0b0a, 0x0504_0706, 0x0100_0302));
    exchange!(0 2  1 3  4 6  5 7,
        |a: Zmm, b: Zmm| v!(_mm512_mask_shuffle_epi8(a.0, 0xcccc_cccc_cccc_cccc, b.0, swap.0)),
        |a: Zmm, b: Zmm| v!(_mm512_mask_shuffle_epi8(b.0, 0x3333_3333_3333_3333, a.0, swap.0)));
    const ODD: __mmask64 = 0xaaaa_aaaa_aaaa_aaaa;
    exchange!(0 1  2 3  4 5  6 7,
        |a: Zmm, b: Zmm| v!(_mm512_mask_blend_epi8(ODD, a.0, _mm512_slli_epi16::<8>(b.0))),
        |a: Zmm, b: Zmm| v!(_mm512_mask_blend_epi8(ODD, _mm512_srli_epi16::<8>(a.0), b.0)));
}

/// In every eight bytes: bit i of byte j to bit 7 - j of byte i.
#[inline(always)]
fn transpose_bits(x: Zmm) -> Zmm {
    v!(_mm512_gf2p8affine_epi64_epi8::<0>(_mm512_set1_epi64(0x8040_2010_0804_0201_u64 as i64), x.0))
}

impl Bits for Zmm {
    type Isa = Gfni512;
    type Gate = Self;
    const STEPS: usize = 1;
    const BYTES: usize = 64;
    #[inline(always)]
    fn splat(_: Gfni512, mask: u32) -> Self {
        v!(_mm512_set1_epi32(mask as i32))
    }
    #[inline(always)]
    fn splat_gate(isa: Gfni512, mask: u32) -> Self {
        <Self as Bits>::splat(isa, mask)
    }
    #[inline(always)]
    fn part(&self, _: usize) -> Self {
        *self
    }
    #[inline(always)]
    fn set_part(&mut self, _: usize, part: Self) {
        *self = part;
    }
    #[inline(always)]
    fn read(isa: Gfni512, bytes: &[u8]) -> Self {
        load(isa, bytes.first_chunk().expect("a row"))
    }
    #[inline(always)]
    fn write(self, bytes: &mut [u8]) {
        store(self, bytes.first_chunk_mut().expect("a row"));
    }
    /// Row 8 g + l has the blocks 8 (8 g + l) + q. First within each g: byte i of the blocks to
    /// vector i; their bits; then across g.
    #[inline(always)]
    fn rows_in(isa: Gfni512, half: &mut [Self; 64], mut row: impl FnMut(usize) -> Self) {
        for g in 0..8 {
            let mut x = [zero(isa); 8];
            for (l, x) in x.iter_mut().enumerate() {
                *x = row(8 * g + l);
            }
            transpose_bytes(&mut x);
            for (l, x) in x.into_iter().enumerate() {
                half[8 * l + g] = transpose_bits(x);
            }
        }
    }
    #[inline(always)]
    fn planes_out(_: Gfni512, turn: usize, half: &[Self; 64], mut plane: impl FnMut(usize, Self)) {
        for (l, half) in half.as_chunks::<8>().0.iter().enumerate() {
            let mut x = *half;
            transpose_bytes(&mut x);
            for (j, x) in x.into_iter().enumerate() {
                plane(8 * (l ^ turn & 7) + j, x);
            }
        }
    }
    #[inline(always)]
    fn planes_in(
        isa: Gfni512,
        turn: usize,
        half: &mut [Self; 64],
        mut plane: impl FnMut(usize) -> Self,
    ) {
        for l in 0..8 {
            // `transpose_bits` turns the order of the bytes round.
            let mut x = [zero(isa); 8];
            for (j, x) in x.iter_mut().rev().enumerate() {
                *x = plane(8 * (l ^ turn & 7) + j);
            }
            transpose_bytes(&mut x);
            for (g, x) in x.into_iter().enumerate() {
                half[8 * g + l] = transpose_bits(x);
            }
        }
    }
    #[inline(always)]
    fn rows_out(_: Gfni512, half: &[Self; 64], mut row: impl FnMut(usize, Self)) {
        for (g, half) in half.as_chunks::<8>().0.iter().enumerate() {
            let mut x = *half;
            transpose_bytes(&mut x);
            for (l, x) in x.into_iter().rev().enumerate() {
                row(8 * g + l, x);
            }
        }
    }
    /// Lane: bits 0..3 of the block's number are the place among eight bytes, bits 3..6 the bit,
    /// counted down, bits 6..9 the byte.
    #[inline(always)]
    fn index(_: Gfni512, bit: usize) -> Self {
        const PLACE: [u8; 3] = [0xaa, 0xcc, 0xf0];
        const REST: [u64; 6] = [
            0x5555_5555_5555_5555,
            0x3333_3333_3333_3333,
            0x0f0f_0f0f_0f0f_0f0f,
            0xff00_ff00_ff00_ff00,
            0xffff_0000_ffff_0000,
            0xffff_ffff_0000_0000,
        ];
        match bit {
            0..3 => v!(_mm512_maskz_set1_epi64(PLACE[bit], -1)),
            _ => v!(_mm512_set1_epi64(REST[bit - 3] as i64)),
        }
    }
    #[inline(always)]
    fn barrier() {
        compiler_fence(Ordering::SeqCst);
    }
}

impl Eighths for Zmm {
    #[inline(always)]
    fn eighths(_: Gfni512, bytes: u64) -> Self {
        v!(_mm512_set1_epi64(bytes.cast_signed()))
    }
}
