//! Bytes in the 128-bit vectors of AArch64; sums of three vectors where SHA3's instructions are.

use core::arch::aarch64::*;
use core::marker::PhantomData;

use super::{Neon, NeonSha3, Vector};

/// 128 bits under the token `I`; exists only where the instruction set does.
#[derive(Clone, Copy)]
pub(crate) struct BytesNeon<I>(uint8x16_t, PhantomData<I>);

/// The tokens under which these instructions exist.
pub(crate) trait Advanced: Copy {
    /// If there is EOR3.
    const SHA3: bool;
}
impl Advanced for Neon {
    const SHA3: bool = false;
}
impl Advanced for NeonSha3 {
    const SHA3: bool = true;
}

/// An expression of intrinsics over vectors.
macro_rules! v {
    ($e:expr) => {{
        // SAFETY: the vectors in the expression, or the token given, prove the features.
        BytesNeon(unsafe { $e }, PhantomData)
    }};
}

/// The sum of three: intrinsics of AArch64 go only into functions with their features.
#[inline]
#[target_feature(enable = "neon,sha3")]
fn xor3(a: uint8x16_t, b: uint8x16_t, c: uint8x16_t) -> uint8x16_t {
    veor3q_u8(a, b, c)
}

impl<I: Advanced> Vector for BytesNeon<I> {
    type Isa = I;
    const LEN: usize = 16;
    #[inline(always)]
    fn load(_: I, bytes: &[u8]) -> Self {
        let bytes: &[u8; 16] = bytes.first_chunk().expect("a vector");
        v!(vld1q_u8(bytes.as_ptr()))
    }
    #[inline(always)]
    fn store(self, bytes: &mut [u8]) {
        let bytes: &mut [u8; 16] = bytes.first_chunk_mut().expect("a vector");
        // SAFETY: a value proves the features; 16 bytes are written, unaligned.
        unsafe { vst1q_u8(bytes.as_mut_ptr(), self.0) }
    }
    #[inline(always)]
    fn gather(isa: I, blocks: [&[u8; 16]; 4]) -> Self {
        Self::load(isa, blocks[0])
    }
    #[inline(always)]
    fn store_one(self, bytes: &mut [u8; 16]) {
        self.store(bytes);
    }
    #[inline(always)]
    fn splat(_: I, byte: u8) -> Self {
        v!(vdupq_n_u8(byte))
    }
    #[inline(always)]
    fn repeat(_: I, bytes: &[u8; 16]) -> Self {
        v!(vld1q_u8(bytes.as_ptr()))
    }
    #[inline(always)]
    fn xor(self, b: Self) -> Self {
        v!(veorq_u8(self.0, b.0))
    }
    #[inline(always)]
    fn and(self, b: Self) -> Self {
        v!(vandq_u8(self.0, b.0))
    }
    #[inline(always)]
    fn or(self, b: Self) -> Self {
        v!(vorrq_u8(self.0, b.0))
    }
    #[inline(always)]
    fn xor3(self, b: Self, c: Self) -> Self {
        if I::SHA3 { v!(xor3(self.0, b.0, c.0)) } else { self.xor(b).xor(c) }
    }
    #[inline(always)]
    fn add(self, b: Self) -> Self {
        v!(vaddq_u8(self.0, b.0))
    }
    #[inline(always)]
    fn sub(self, b: Self) -> Self {
        v!(vsubq_u8(self.0, b.0))
    }
    #[inline(always)]
    fn add_saturating(self, b: Self) -> Self {
        v!(vqaddq_u8(self.0, b.0))
    }
    #[inline(always)]
    fn sub_saturating(self, b: Self) -> Self {
        v!(vqsubq_u8(self.0, b.0))
    }
    #[inline(always)]
    fn add_quads(self, b: Self) -> Self {
        v!(vreinterpretq_u8_u32(vaddq_u32(vreinterpretq_u32_u8(self.0), vreinterpretq_u32_u8(b.0))))
    }
    #[inline(always)]
    fn add_longs(self, b: Self) -> Self {
        v!(vreinterpretq_u8_u64(vaddq_u64(vreinterpretq_u64_u8(self.0), vreinterpretq_u64_u8(b.0))))
    }
    #[inline(always)]
    fn shl<const BITS: i32>(self) -> Self {
        v!(vreinterpretq_u8_u32(vshlq_n_u32::<BITS>(vreinterpretq_u32_u8(self.0))))
    }
    #[inline(always)]
    fn shr<const BITS: i32>(self) -> Self {
        v!(vreinterpretq_u8_u32(vshrq_n_u32::<BITS>(vreinterpretq_u32_u8(self.0))))
    }
    #[inline(always)]
    fn min(self, b: Self) -> Self {
        v!(vminq_u8(self.0, b.0))
    }
    #[inline(always)]
    fn greater(self, b: Self) -> Self {
        v!(vcgtq_s8(vreinterpretq_s8_u8(self.0), vreinterpretq_s8_u8(b.0)))
    }
    #[inline(always)]
    fn equal(self, b: Self) -> Self {
        v!(vceqq_u8(self.0, b.0))
    }
    #[inline(always)]
    fn low(self) -> Self {
        v!(vandq_u8(self.0, vdupq_n_u8(15)))
    }
    #[inline(always)]
    fn high(self) -> Self {
        v!(vshrq_n_u8::<4>(self.0))
    }
    const SELECTS: bool = true;
    #[inline(always)]
    fn select(self, a: Self, b: Self) -> Self {
        v!(vbslq_u8(self.0, a.0, b.0))
    }
    #[inline(always)]
    fn lookup(self, index: Self) -> Self {
        v!(vqtbl1q_u8(self.0, index.0))
    }
    #[inline(always)]
    fn lookup_small(self, _: I, index: Self) -> Self {
        self.lookup(index)
    }
    #[inline(always)]
    fn lookup_low(self, index: Self) -> Self {
        // here every index from 16 on gives 0
        v!(vqtbl1q_u8(self.0, vandq_u8(index.0, vdupq_n_u8(0x8f))))
    }
    #[inline(always)]
    fn folded(self) -> Self {
        self
    }
    #[inline(always)]
    fn zip(self, b: Self) -> (Self, Self) {
        (v!(vzip1q_u8(self.0, b.0)), v!(vzip2q_u8(self.0, b.0)))
    }
    #[inline(always)]
    fn zip_words(self, b: Self) -> (Self, Self) {
        // SAFETY: a value proves the features.
        let (a, b) = unsafe { (vreinterpretq_u16_u8(self.0), vreinterpretq_u16_u8(b.0)) };
        (v!(vreinterpretq_u8_u16(vzip1q_u16(a, b))), v!(vreinterpretq_u8_u16(vzip2q_u16(a, b))))
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
