//! Bytes in the 128-bit vectors of WebAssembly. A module that has these instructions is refused as a whole where they
//! are unknown, so the build decides, not a look at the machine. A build for `relaxed-simd` looks bytes up by the relaxed
//! swizzle: `i8x16.swizzle` needs a further instruction on x86, for numbers from 16 to 127, which kernels do not use.

use core::arch::wasm32::*;
use core::marker::PhantomData;

use super::{Polynomials, Simd128, Vector};

/// 128 bits under the token `I`; exists only where the instruction set does.
#[derive(Clone, Copy)]
pub(crate) struct BytesWasm<I>(v128, PhantomData<I>);

/// An expression of intrinsics over vectors.
macro_rules! v {
    ($e:expr) => {
        BytesWasm($e, PhantomData)
    };
}

/// The bytes of `table` by numbers below 16, or from 128 on, which give 0: for these all machines agree on the relaxed
/// form.
#[inline(always)]
fn swizzle(table: v128, index: v128) -> v128 {
    #[cfg(target_feature = "relaxed-simd")]
    return i8x16_relaxed_swizzle(table, index);
    #[cfg(not(target_feature = "relaxed-simd"))]
    return i8x16_swizzle(table, index);
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
    fn add_longs(self, b: Self) -> Self {
        v!(u64x2_add(self.0, b.0))
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
        v!(swizzle(self.0, index.0))
    }
    #[inline(always)]
    fn lookup_small(self, _: Simd128, index: Self) -> Self {
        // Every other number gives 0 here, and may give anything in the relaxed form.
        v!(u8x16_swizzle(self.0, index.0))
    }
    #[inline(always)]
    fn lookup_low(self, index: Self) -> Self {
        // The swizzle has no mask of its own as on x86.
        v!(swizzle(self.0, v128_and(index.0, u8x16_splat(0x8f))))
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

/// Sums of products of polynomials by integer multiplication of 32 bits, two at a time.
///
/// A word is split into four, each with every fourth bit. In the product of two such words a column of four bits is a sum
/// of at most 8 ones, so nothing is carried out of it, and its lowest bit is the sum modulo 2.
///
/// Products of 128 bits are nine products of 32, products of 64 bits three (Karatsuba), and are put together once, at
/// the end.
#[derive(Clone, Copy)]
pub(crate) struct PolynomialsWasm {
    /// Products of the words 0, 1 and 2, 3, the lowest powers first: x_0 y_0, x_1 y_1; x_2 y_2, x_3 y_3.
    low: v128,
    high: v128,
    /// (x_0 + x_1)(y_0 + y_1), (x_2 + x_3)(y_2 + y_3). For halves, each lane sums every second product.
    inner: v128,
    /// (x_0 + x_2)(y_0 + y_2), (x_1 + x_3)(y_1 + y_3).
    outer: v128,
    /// The products of the sums of all four words, for two polynomials.
    all: v128,
}

/// The four parts of words.
#[inline(always)]
fn split(x: v128) -> [v128; 4] {
    [0x1111_1111, 0x2222_2222, 0x4444_4444, 0x8888_8888].map(|mask| v128_and(x, u32x4_splat(mask)))
}

/// The four products of two vectors of words: the lower two, the upper two.
#[inline(always)]
fn products(x: v128, y: v128) -> [v128; 2] {
    let (x, y) = (split(x), split(y));
    let mut sums = [u8x16_splat(0); 2];
    for i in 0..4u32 {
        let column = u32x4_splat(0x1111_1111 << i);
        let mut columns = [u8x16_splat(0); 2];
        for j in 0..4 {
            let (x, y) = (x[j], y[(4 + i as usize - j) % 4]);
            columns[0] = v128_xor(columns[0], u64x2_extmul_low_u32x4(x, y));
            columns[1] = v128_xor(columns[1], u64x2_extmul_high_u32x4(x, y));
        }
        for k in 0..2 {
            sums[k] = v128_or(sums[k], v128_and(columns[k], column));
        }
    }
    sums
}

/// Two vectors; absent bytes are zeros.
#[inline(always)]
fn two(bytes: &[u8]) -> [v128; 2] {
    let mut padded = [0; 32];
    let bytes = match bytes.first_chunk() {
        Some(bytes) => bytes,
        None => {
            padded[..bytes.len()].copy_from_slice(bytes);
            &padded
        }
    };
    // SAFETY: 16 bytes of an array of 32 are read in each, unaligned.
    unsafe { [v128_load(bytes.as_ptr().cast()), v128_load(bytes.as_ptr().add(16).cast())] }
}

impl Polynomials for PolynomialsWasm {
    type Isa = Simd128;
    const LEN: usize = 32;

    #[inline(always)]
    fn zero(_: Simd128) -> Self {
        let zero = u8x16_splat(0);
        PolynomialsWasm { low: zero, high: zero, inner: zero, outer: zero, all: zero }
    }
    #[inline(always)]
    fn add_whole(mut self, h: &[u8], a: &[u8]) -> Self {
        let turned =
            |x| u8x16_shuffle::<15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0>(x, x);
        let (x, y) = (two(h).map(turned), two(a).map(turned));
        // (x_0 + x_1, x_2 + x_3, x_0 + x_2, x_1 + x_3)
        let sums =
            |x| v128_xor(u32x4_shuffle::<0, 2, 0, 1>(x, x), u32x4_shuffle::<1, 3, 2, 3>(x, x));
        let (p, q) = (x.map(sums), y.map(sums));
        for i in 0..2 {
            let [low, high] = products(x[i], y[i]);
            let [inner, outer] = products(p[i], q[i]);
            self.low = v128_xor(self.low, low);
            self.high = v128_xor(self.high, high);
            self.inner = v128_xor(self.inner, inner);
            self.outer = v128_xor(self.outer, outer);
        }
        let all = |p: [v128; 2]| {
            let (a, b) =
                (u32x4_shuffle::<0, 4, 0, 4>(p[0], p[1]), u32x4_shuffle::<1, 5, 1, 5>(p[0], p[1]));
            v128_xor(a, b)
        };
        // The upper two are equal to the lower two, and are not used.
        self.all = v128_xor(self.all, products(all(p), all(q))[0]);
        self
    }
    #[inline(always)]
    fn add_halves(mut self, h: &[u8], a: &[u8]) -> Self {
        let turned =
            |x| u8x16_shuffle::<7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8>(x, x);
        let (x, y) = (two(h).map(turned), two(a).map(turned));
        for i in 0..2 {
            let [one, other] = products(x[i], y[i]);
            self.low = v128_xor(self.low, v128_xor(one, other));
        }
        let sums = |x: [v128; 2]| {
            let (even, odd) =
                (u32x4_shuffle::<0, 2, 4, 6>(x[0], x[1]), u32x4_shuffle::<1, 3, 5, 7>(x[0], x[1]));
            v128_xor(even, odd)
        };
        let [one, other] = products(sums(x), sums(y));
        self.inner = v128_xor(self.inner, v128_xor(one, other));
        self
    }
    #[inline(always)]
    fn parts(self) -> [u128; 3] {
        let lanes = |x| [u64x2_extract_lane::<0>(x), u64x2_extract_lane::<1>(x)].map(u128::from);
        let whole = |low, high, middle| low ^ (low ^ high ^ middle) << 32 ^ high << 64;
        let ([l0, l1], [h0, h1], [i0, i1]) = (lanes(self.low), lanes(self.high), lanes(self.inner));
        let ([o0, o1], [a0, a1]) = (lanes(self.outer), lanes(self.all));
        let (low, high) = (whole(l0, l1, i0), whole(h0, h1, i1));
        [low, low ^ high ^ whole(o0, o1, a0 ^ a1), high]
    }
}
