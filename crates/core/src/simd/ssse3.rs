//! Bytes in 128-bit vectors: SSSE3.

use core::marker::PhantomData;

use super::arch::*;
use super::{Ssse3, Vector};

/// 128 bits under the token `I`; exists only where the instruction set does.
#[derive(Clone, Copy)]
pub(crate) struct Bytes128<I>(__m128i, PhantomData<I>);

/// An expression of intrinsics over vectors.
macro_rules! v {
    ($e:expr) => {{
        // SAFETY: the vectors in the expression, or the token given, prove the features.
        Bytes128(unsafe { $e }, PhantomData)
    }};
}

impl Vector for Bytes128<Ssse3> {
    type Isa = Ssse3;
    const LEN: usize = 16;
    const PAIRS: bool = false;
    #[inline(always)]
    fn load(_: Ssse3, bytes: &[u8]) -> Self {
        let bytes: &[u8; 16] = bytes.first_chunk().expect("a vector");
        v!(_mm_loadu_si128(bytes.as_ptr().cast()))
    }
    #[inline(always)]
    fn store(self, bytes: &mut [u8]) {
        let bytes: &mut [u8; 16] = bytes.first_chunk_mut().expect("a vector");
        // SAFETY: a value proves the features; as many bytes are written, unaligned.
        unsafe { _mm_storeu_si128(bytes.as_mut_ptr().cast(), self.0) }
    }
    #[inline(always)]
    fn gather(isa: Ssse3, blocks: [&[u8; 16]; 4]) -> Self {
        Self::load(isa, blocks[0])
    }
    #[inline(always)]
    fn store_one(self, bytes: &mut [u8; 16]) {
        self.store(bytes);
    }
    #[inline(always)]
    fn splat(_: Ssse3, byte: u8) -> Self {
        v!(_mm_set1_epi8(byte as i8))
    }
    #[inline(always)]
    fn repeat(_: Ssse3, bytes: &[u8; 16]) -> Self {
        v!(_mm_loadu_si128(bytes.as_ptr().cast()))
    }
    #[inline(always)]
    fn xor(self, b: Self) -> Self {
        v!(_mm_xor_si128(self.0, b.0))
    }
    #[inline(always)]
    fn and(self, b: Self) -> Self {
        v!(_mm_and_si128(self.0, b.0))
    }
    #[inline(always)]
    fn or(self, b: Self) -> Self {
        v!(_mm_or_si128(self.0, b.0))
    }
    #[inline(always)]
    fn add(self, b: Self) -> Self {
        v!(_mm_add_epi8(self.0, b.0))
    }
    #[inline(always)]
    fn sub(self, b: Self) -> Self {
        v!(_mm_sub_epi8(self.0, b.0))
    }
    #[inline(always)]
    fn add_saturating(self, b: Self) -> Self {
        v!(_mm_adds_epu8(self.0, b.0))
    }
    #[inline(always)]
    fn sub_saturating(self, b: Self) -> Self {
        v!(_mm_subs_epu8(self.0, b.0))
    }
    #[inline(always)]
    fn add_quads(self, b: Self) -> Self {
        v!(_mm_add_epi32(self.0, b.0))
    }
    #[inline(always)]
    fn add_longs(self, b: Self) -> Self {
        v!(_mm_add_epi64(self.0, b.0))
    }
    #[inline(always)]
    fn shl<const BITS: i32>(self) -> Self {
        v!(_mm_slli_epi32::<BITS>(self.0))
    }
    #[inline(always)]
    fn shr<const BITS: i32>(self) -> Self {
        v!(_mm_srli_epi32::<BITS>(self.0))
    }
    #[inline(always)]
    fn min(self, b: Self) -> Self {
        v!(_mm_min_epu8(self.0, b.0))
    }
    #[inline(always)]
    fn greater(self, b: Self) -> Self {
        v!(_mm_cmpgt_epi8(self.0, b.0))
    }
    #[inline(always)]
    fn equal(self, b: Self) -> Self {
        v!(_mm_cmpeq_epi8(self.0, b.0))
    }
    #[inline(always)]
    fn low(self) -> Self {
        v!(_mm_and_si128(self.0, _mm_set1_epi8(15)))
    }
    #[inline(always)]
    fn high(self) -> Self {
        v!(_mm_and_si128(_mm_srli_epi16::<4>(self.0), _mm_set1_epi8(15)))
    }
    #[inline(always)]
    fn lookup(self, index: Self) -> Self {
        v!(_mm_shuffle_epi8(self.0, index.0))
    }
    #[inline(always)]
    fn folded(self) -> Self {
        self
    }
    #[inline(always)]
    fn zip(self, b: Self) -> (Self, Self) {
        (v!(_mm_unpacklo_epi8(self.0, b.0)), v!(_mm_unpackhi_epi8(self.0, b.0)))
    }
    #[inline(always)]
    fn zip_words(self, b: Self) -> (Self, Self) {
        (v!(_mm_unpacklo_epi16(self.0, b.0)), v!(_mm_unpackhi_epi16(self.0, b.0)))
    }
    #[inline(always)]
    fn opaque(self) -> Self {
        v!(opaque(self.0))
    }
    #[inline(always)]
    fn square(self) -> Self {
        self
    }
    #[inline(always)]
    fn swapped(self, _by: usize) -> Self {
        self
    }
}

/// See [`Vector::opaque`].
#[target_feature(enable = "sse2")]
#[inline]
fn opaque(mut x: __m128i) -> __m128i {
    // SAFETY: nothing happens.
    unsafe {
        core::arch::asm!("/* {0} */", inout(xmm_reg) x, options(pure, nomem, nostack, preserves_flags));
    }
    x
}
