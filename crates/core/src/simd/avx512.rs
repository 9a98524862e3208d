//! Bytes in 512-bit vectors: AVX-512F and BW.

use core::marker::PhantomData;

use super::arch::*;
use super::{Avx512, Gfni512, Vector};

/// 512 bits under the token `I`; exists only where the instruction set does.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Bytes512<I>(__m512i, PhantomData<I>);

/// The tokens under which these instructions exist.
pub(crate) trait Shuffles512: Copy {}
impl Shuffles512 for Avx512 {}
impl Shuffles512 for Gfni512 {}

/// An expression of intrinsics over vectors.
macro_rules! v {
    ($e:expr) => {{
        // SAFETY: the vectors in the expression, or the token given, prove the features.
        Bytes512(unsafe { $e }, PhantomData)
    }};
}

impl<I: Shuffles512> Vector for Bytes512<I> {
    type Isa = I;
    const LEN: usize = 64;
    #[inline(always)]
    fn load(_: I, bytes: &[u8]) -> Self {
        let bytes: &[u8; 64] = bytes.first_chunk().expect("a vector");
        v!(_mm512_loadu_si512(bytes.as_ptr().cast()))
    }
    #[inline(always)]
    fn store(self, bytes: &mut [u8]) {
        let bytes: &mut [u8; 64] = bytes.first_chunk_mut().expect("a vector");
        // SAFETY: a value proves the features; as many bytes are written, unaligned.
        unsafe { _mm512_storeu_si512(bytes.as_mut_ptr().cast(), self.0) }
    }
    #[inline(always)]
    fn gather(_: I, blocks: [&[u8; 16]; 4]) -> Self {
        // SAFETY: the token proves the features; 16 bytes are read at each place, unaligned.
        unsafe {
            let a = _mm512_castsi128_si512(_mm_loadu_si128(blocks[0].as_ptr().cast()));
            let a = _mm512_inserti32x4::<1>(a, _mm_loadu_si128(blocks[1].as_ptr().cast()));
            let a = _mm512_inserti32x4::<2>(a, _mm_loadu_si128(blocks[2].as_ptr().cast()));
            let a = _mm512_inserti32x4::<3>(a, _mm_loadu_si128(blocks[3].as_ptr().cast()));
            Bytes512(a, PhantomData)
        }
    }
    #[inline(always)]
    fn store_one(self, bytes: &mut [u8; 16]) {
        // SAFETY: a value proves the features; 16 bytes are written, unaligned.
        unsafe { _mm_storeu_si128(bytes.as_mut_ptr().cast(), _mm512_castsi512_si128(self.0)) }
    }
    #[inline(always)]
    fn splat(_: I, byte: u8) -> Self {
        v!(_mm512_set1_epi8(byte as i8))
    }
    #[inline(always)]
    fn repeat(_: I, bytes: &[u8; 16]) -> Self {
        v!(_mm512_broadcast_i32x4(_mm_loadu_si128(bytes.as_ptr().cast())))
    }
    #[inline(always)]
    fn xor(self, b: Self) -> Self {
        v!(_mm512_xor_si512(self.0, b.0))
    }
    #[inline(always)]
    fn and(self, b: Self) -> Self {
        v!(_mm512_and_si512(self.0, b.0))
    }
    #[inline(always)]
    fn or(self, b: Self) -> Self {
        v!(_mm512_or_si512(self.0, b.0))
    }
    #[inline(always)]
    fn xor3(self, b: Self, c: Self) -> Self {
        v!(_mm512_ternarylogic_epi32::<0x96>(self.0, b.0, c.0))
    }
    #[inline(always)]
    fn add(self, b: Self) -> Self {
        v!(_mm512_add_epi8(self.0, b.0))
    }
    #[inline(always)]
    fn sub(self, b: Self) -> Self {
        v!(_mm512_sub_epi8(self.0, b.0))
    }
    #[inline(always)]
    fn add_saturating(self, b: Self) -> Self {
        v!(_mm512_adds_epu8(self.0, b.0))
    }
    #[inline(always)]
    fn sub_saturating(self, b: Self) -> Self {
        v!(_mm512_subs_epu8(self.0, b.0))
    }
    #[inline(always)]
    fn add_quads(self, b: Self) -> Self {
        v!(_mm512_add_epi32(self.0, b.0))
    }
    #[inline(always)]
    fn add_longs(self, b: Self) -> Self {
        v!(_mm512_add_epi64(self.0, b.0))
    }
    #[inline(always)]
    fn shl<const BITS: i32>(self) -> Self {
        v!(_mm512_sll_epi32(self.0, _mm_cvtsi32_si128(BITS)))
    }
    #[inline(always)]
    fn shr<const BITS: i32>(self) -> Self {
        v!(_mm512_srl_epi32(self.0, _mm_cvtsi32_si128(BITS)))
    }
    #[inline(always)]
    fn min(self, b: Self) -> Self {
        v!(_mm512_min_epu8(self.0, b.0))
    }
    #[inline(always)]
    fn greater(self, b: Self) -> Self {
        v!(_mm512_movm_epi8(_mm512_cmpgt_epi8_mask(self.0, b.0)))
    }
    #[inline(always)]
    fn equal(self, b: Self) -> Self {
        v!(_mm512_movm_epi8(_mm512_cmpeq_epi8_mask(self.0, b.0)))
    }
    #[inline(always)]
    fn low(self) -> Self {
        v!(_mm512_and_si512(self.0, _mm512_set1_epi8(15)))
    }
    #[inline(always)]
    fn high(self) -> Self {
        v!(_mm512_and_si512(_mm512_srli_epi16::<4>(self.0), _mm512_set1_epi8(15)))
    }
    const TERNARY: bool = true;
    #[inline(always)]
    fn ternary<const F: i32>(self, b: Self, c: Self) -> Self {
        v!(_mm512_ternarylogic_epi32::<F>(self.0, b.0, c.0))
    }
    const SELECTS: bool = true;
    #[inline(always)]
    fn select(self, a: Self, b: Self) -> Self {
        v!(_mm512_ternarylogic_epi32::<0xca>(self.0, a.0, b.0))
    }
    /// The highest bit of a carry out is the majority of the highest bits of a, k and the sum's complement; by a number
    /// with that bit, or without, 0 or 1 is looked up.
    #[inline(always)]
    fn add_words(a: &[Self; 4], k: &[Self; 4]) -> [Self; 4] {
        let one: Self = v!(_mm512_set1_epi8(1));
        let mut s = *a;
        let mut carry = one;
        for i in 0..4 {
            let t = a[i].add(k[i]);
            s[i] = if i == 0 { t } else { t.add(carry) };
            // 0x4d is the majority's complement, as in k and in the sum that bit is turned over. All bytes of `one` are alike, so
            // only bit 7 of the number counts.
            carry = one.lookup_low(a[i].ternary::<0x4d>(k[i], s[i]));
        }
        s
    }
    #[inline(always)]
    fn lookup(self, index: Self) -> Self {
        v!(_mm512_shuffle_epi8(self.0, index.0))
    }
    #[inline(always)]
    fn folded(self) -> Self {
        let x = self.xor(v!(_mm512_shuffle_i64x2::<0x4e>(self.0, self.0)));
        x.xor(v!(_mm512_shuffle_i64x2::<0xb1>(x.0, x.0)))
    }
    #[inline(always)]
    fn zip(self, b: Self) -> (Self, Self) {
        (v!(_mm512_unpacklo_epi8(self.0, b.0)), v!(_mm512_unpackhi_epi8(self.0, b.0)))
    }
    #[inline(always)]
    fn zip_words(self, b: Self) -> (Self, Self) {
        (v!(_mm512_unpacklo_epi16(self.0, b.0)), v!(_mm512_unpackhi_epi16(self.0, b.0)))
    }
    #[inline(always)]
    fn square(self) -> Self {
        v!(_mm512_permutexvar_epi32(
            _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15),
            self.0
        ))
    }
    #[inline(always)]
    fn swapped(self, by: usize) -> Self {
        match by {
            0 => self,
            1 => v!(_mm512_shuffle_i64x2::<0xb1>(self.0, self.0)),
            2 => v!(_mm512_shuffle_i64x2::<0x4e>(self.0, self.0)),
            _ => v!(_mm512_shuffle_i64x2::<0x1b>(self.0, self.0)),
        }
    }
}

impl<I> Bytes512<I> {
    /// A vector: the token proves the features.
    #[inline(always)]
    pub(crate) fn new(_: I, vector: __m512i) -> Self {
        Bytes512(vector, PhantomData)
    }
    /// The vector, for operations of a primitive.
    #[inline(always)]
    pub(crate) fn vector(self) -> __m512i {
        self.0
    }
    /// Makes a vector; `self` proves the features.
    #[inline(always)]
    pub(crate) fn with(self, vector: __m512i) -> Self {
        Bytes512(vector, PhantomData)
    }
}
