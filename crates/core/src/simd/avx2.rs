//! Bytes in 256-bit vectors: AVX2, with GFNI where the token has it.

use core::marker::PhantomData;

use super::arch::*;
use super::{Avx2, Linear, Vector};

/// 256 bits under the token `I`; exists only where the instruction set does.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Bytes256<I>(__m256i, PhantomData<I>);

/// The tokens under which these instructions exist.
pub(crate) trait Shuffles256: Copy {
    /// True if there is GFNI.
    const GFNI: bool;
}
impl Shuffles256 for Avx2 {
    const GFNI: bool = false;
}

/// An expression of intrinsics over vectors.
macro_rules! v {
    ($e:expr) => {{
        // SAFETY: the vectors in the expression, or the token given, prove the features.
        Bytes256(unsafe { $e }, PhantomData)
    }};
}

impl<I: Shuffles256> Vector for Bytes256<I> {
    type Isa = I;
    const LEN: usize = 32;
    #[inline(always)]
    fn load(_: I, bytes: &[u8]) -> Self {
        let bytes: &[u8; 32] = bytes.first_chunk().expect("a vector");
        v!(_mm256_loadu_si256(bytes.as_ptr().cast()))
    }
    #[inline(always)]
    fn store(self, bytes: &mut [u8]) {
        let bytes: &mut [u8; 32] = bytes.first_chunk_mut().expect("a vector");
        // SAFETY: a value proves the features; as many bytes are written, unaligned.
        unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), self.0) }
    }
    #[inline(always)]
    fn gather(_: I, blocks: [&[u8; 16]; 4]) -> Self {
        // SAFETY: the token proves the features; 16 bytes are read at each place, unaligned.
        unsafe {
            let a = _mm256_castsi128_si256(_mm_loadu_si128(blocks[0].as_ptr().cast()));
            let a = _mm256_inserti128_si256::<1>(a, _mm_loadu_si128(blocks[1].as_ptr().cast()));
            Bytes256(a, PhantomData)
        }
    }
    #[inline(always)]
    fn store_one(self, bytes: &mut [u8; 16]) {
        // SAFETY: a value proves the features; 16 bytes are written, unaligned.
        unsafe { _mm_storeu_si128(bytes.as_mut_ptr().cast(), _mm256_castsi256_si128(self.0)) }
    }
    #[inline(always)]
    fn splat(_: I, byte: u8) -> Self {
        v!(_mm256_set1_epi8(byte as i8))
    }
    #[inline(always)]
    fn repeat(_: I, bytes: &[u8; 16]) -> Self {
        v!(_mm256_broadcastsi128_si256(_mm_loadu_si128(bytes.as_ptr().cast())))
    }
    #[inline(always)]
    fn xor(self, b: Self) -> Self {
        v!(_mm256_xor_si256(self.0, b.0))
    }
    #[inline(always)]
    fn and(self, b: Self) -> Self {
        v!(_mm256_and_si256(self.0, b.0))
    }
    #[inline(always)]
    fn or(self, b: Self) -> Self {
        v!(_mm256_or_si256(self.0, b.0))
    }
    #[inline(always)]
    fn add(self, b: Self) -> Self {
        v!(_mm256_add_epi8(self.0, b.0))
    }
    #[inline(always)]
    fn sub(self, b: Self) -> Self {
        v!(_mm256_sub_epi8(self.0, b.0))
    }
    #[inline(always)]
    fn add_saturating(self, b: Self) -> Self {
        v!(_mm256_adds_epu8(self.0, b.0))
    }
    #[inline(always)]
    fn sub_saturating(self, b: Self) -> Self {
        v!(_mm256_subs_epu8(self.0, b.0))
    }
    #[inline(always)]
    fn add_quads(self, b: Self) -> Self {
        v!(_mm256_add_epi32(self.0, b.0))
    }
    #[inline(always)]
    fn add_longs(self, b: Self) -> Self {
        v!(_mm256_add_epi64(self.0, b.0))
    }
    #[inline(always)]
    fn shl<const BITS: i32>(self) -> Self {
        v!(_mm256_slli_epi32::<BITS>(self.0))
    }
    #[inline(always)]
    fn shr<const BITS: i32>(self) -> Self {
        v!(_mm256_srli_epi32::<BITS>(self.0))
    }
    #[inline(always)]
    fn min(self, b: Self) -> Self {
        v!(_mm256_min_epu8(self.0, b.0))
    }
    #[inline(always)]
    fn greater(self, b: Self) -> Self {
        v!(_mm256_cmpgt_epi8(self.0, b.0))
    }
    #[inline(always)]
    fn equal(self, b: Self) -> Self {
        v!(_mm256_cmpeq_epi8(self.0, b.0))
    }
    #[inline(always)]
    fn low(self) -> Self {
        v!(_mm256_and_si256(self.0, _mm256_set1_epi8(15)))
    }
    #[inline(always)]
    fn high(self) -> Self {
        if I::GFNI {
            // Bit i + 4 to bit i.
            return self.affine(&[0x1020_4080_0000_0000; 4]);
        }
        v!(_mm256_and_si256(_mm256_srli_epi16::<4>(self.0), _mm256_set1_epi8(15)))
    }
    #[inline(always)]
    fn lookup(self, index: Self) -> Self {
        v!(_mm256_shuffle_epi8(self.0, index.0))
    }
    #[inline(always)]
    fn folded(self) -> Self {
        self.xor(v!(_mm256_permute2x128_si256::<1>(self.0, self.0)))
    }
    #[inline(always)]
    fn zip(self, b: Self) -> (Self, Self) {
        (v!(_mm256_unpacklo_epi8(self.0, b.0)), v!(_mm256_unpackhi_epi8(self.0, b.0)))
    }
    #[inline(always)]
    fn zip_words(self, b: Self) -> (Self, Self) {
        (v!(_mm256_unpacklo_epi16(self.0, b.0)), v!(_mm256_unpackhi_epi16(self.0, b.0)))
    }
    #[inline(always)]
    fn square(self) -> Self {
        v!(_mm256_permute4x64_epi64::<0xd8>(self.0))
    }
    #[inline(always)]
    fn swapped(self, by: usize) -> Self {
        match by {
            0 => self,
            _ => v!(_mm256_permute4x64_epi64::<0x4e>(self.0)),
        }
    }
    #[inline(always)]
    fn opaque(self) -> Self {
        v!(opaque(self.0))
    }
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn as_avx2<const N: usize>(v: &mut [Self; N]) -> Option<&mut [__m256i; N]> {
        // SAFETY: `repr(transparent)`; the token has no size.
        Some(unsafe { &mut *core::ptr::from_mut(v).cast() })
    }
    #[inline(always)]
    fn linear(self, isa: I, map: &Linear) -> Self {
        if I::GFNI {
            return self.affine(&map.matrix);
        }
        let low = Self::repeat(isa, &map.low).lookup(self.low());
        low.xor(Self::repeat(isa, &map.high).lookup(self.high()))
    }
}

impl<I: Shuffles256> Bytes256<I> {
    /// A linear map of each byte by GFNI.
    #[inline(always)]
    fn affine(self, matrix: &[u64; 4]) -> Self {
        assert!(I::GFNI);
        v!(_mm256_gf2p8affine_epi64_epi8::<0>(self.0, _mm256_loadu_si256(matrix.as_ptr().cast())))
    }
}

impl<I> Bytes256<I> {
    /// The vector, for operations of a primitive.
    #[inline(always)]
    pub(crate) fn vector(self) -> __m256i {
        self.0
    }
    /// Makes a vector; `self` proves the features.
    #[inline(always)]
    pub(crate) fn with(self, vector: __m256i) -> Self {
        Bytes256(vector, PhantomData)
    }
}

/// See [`Vector::opaque`].
#[target_feature(enable = "avx2")]
#[inline]
fn opaque(mut x: __m256i) -> __m256i {
    // SAFETY: nothing happens.
    unsafe {
        core::arch::asm!("/* {0} */", inout(ymm_reg) x, options(pure, nomem, nostack, preserves_flags));
    }
    x
}
