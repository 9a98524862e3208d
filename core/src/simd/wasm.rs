//! Bytes in the 128-bit vectors of WebAssembly. A module that has these instructions is refused as a whole where they
//! are unknown, so the build decides, not a look at the machine.

use core::arch::wasm32::*;
use core::marker::PhantomData;

use super::{Simd128, Vector};

/// 128 bits under the token `I`; exists only where the instruction set does.
#[derive(Clone, Copy)]
pub(crate) struct BytesWasm<I>(v128, PhantomData<I>);

/// An expression of intrinsics over vectors.
macro_rules! v {
    ($e:expr) => {
        BytesWasm($e, PhantomData)
    };
}

impl Vector for BytesWasm<Simd128> {
    type Isa = Simd128;
    const LEN: usize = 16;
    #[inline(always)]
    fn load(_: Simd128, bytes: &[u8]) -> Self {
        let bytes: &[u8; 16] = bytes.first_chunk().expect("a vector");
        // SAFETY: 16 bytes are read, unaligned.
        v!(unsafe { v128_load(bytes.as_ptr().cast()) })
    }
    #[inline(always)]
    fn store(self, bytes: &mut [u8]) {
        let bytes: &mut [u8; 16] = bytes.first_chunk_mut().expect("a vector");
        // SAFETY: 16 bytes are written, unaligned.
        unsafe { v128_store(bytes.as_mut_ptr().cast(), self.0) }
    }
    #[inline(always)]
    fn gather(isa: Simd128, blocks: [&[u8; 16]; 4]) -> Self {
        Self::load(isa, blocks[0])
    }
    #[inline(always)]
    fn store_one(self, bytes: &mut [u8; 16]) {
        self.store(bytes);
    }
    #[inline(always)]
    fn splat(_: Simd128, byte: u8) -> Self {
        v!(u8x16_splat(byte))
    }
    #[inline(always)]
    fn repeat(isa: Simd128, bytes: &[u8; 16]) -> Self {
        Self::load(isa, bytes)
    }
    #[inline(always)]
    fn xor(self, b: Self) -> Self {
        v!(v128_xor(self.0, b.0))
    }
    #[inline(always)]
    fn and(self, b: Self) -> Self {
        v!(v128_and(self.0, b.0))
    }
    #[inline(always)]
    fn or(self, b: Self) -> Self {
        v!(v128_or(self.0, b.0))
    }
    #[inline(always)]
    fn add(self, b: Self) -> Self {
        v!(u8x16_add(self.0, b.0))
    }
    #[inline(always)]
    fn sub(self, b: Self) -> Self {
        v!(u8x16_sub(self.0, b.0))
    }
    #[inline(always)]
    fn add_saturating(self, b: Self) -> Self {
        v!(u8x16_add_sat(self.0, b.0))
    }
    #[inline(always)]
    fn sub_saturating(self, b: Self) -> Self {
        v!(u8x16_sub_sat(self.0, b.0))
    }
    #[inline(always)]
    fn add_quads(self, b: Self) -> Self {
        v!(u32x4_add(self.0, b.0))
    }
    #[inline(always)]
    fn shl<const BITS: i32>(self) -> Self {
        v!(u32x4_shl(self.0, BITS.unsigned_abs()))
    }
    #[inline(always)]
    fn shr<const BITS: i32>(self) -> Self {
        v!(u32x4_shr(self.0, BITS.unsigned_abs()))
    }
    #[inline(always)]
    fn min(self, b: Self) -> Self {
        v!(u8x16_min(self.0, b.0))
    }
    #[inline(always)]
    fn greater(self, b: Self) -> Self {
        v!(i8x16_gt(self.0, b.0))
    }
    #[inline(always)]
    fn equal(self, b: Self) -> Self {
        v!(u8x16_eq(self.0, b.0))
    }
    #[inline(always)]
    fn low(self) -> Self {
        v!(v128_and(self.0, u8x16_splat(15)))
    }
    #[inline(always)]
    fn high(self) -> Self {
        v!(u8x16_shr(self.0, 4))
    }
    #[inline(always)]
    fn lookup(self, index: Self) -> Self {
        v!(u8x16_swizzle(self.0, index.0))
    }
    #[inline(always)]
    fn lookup_small(self, _: Simd128, index: Self) -> Self {
        self.lookup(index)
    }
    #[inline(always)]
    fn lookup_low(self, index: Self) -> Self {
        // Here every index from 16 on gives 0.
        v!(u8x16_swizzle(self.0, v128_and(index.0, u8x16_splat(0x8f))))
    }
    #[inline(always)]
    fn folded(self) -> Self {
        self
    }
    #[inline(always)]
    fn zip(self, b: Self) -> (Self, Self) {
        let (a, b) = (self.0, b.0);
        (
            v!(u8x16_shuffle::<0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23>(a, b)),
            v!(u8x16_shuffle::<8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31>(a, b)),
        )
    }
    #[inline(always)]
    fn zip_words(self, b: Self) -> (Self, Self) {
        let (a, b) = (self.0, b.0);
        (
            v!(u16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(a, b)),
            v!(u16x8_shuffle::<4, 12, 5, 13, 6, 14, 7, 15>(a, b)),
        )
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
