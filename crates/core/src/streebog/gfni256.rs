//! Streebog on AVX2 with GFNI: two vectors are the 64 bytes of a state.
//!
//! S is twelve operations a vector, three of GFNI; a sum over groups 19, and inside them 21.
#![allow(unsafe_code)]

use super::constants::Bytes;
use super::constants::aes::{FROM, GROUPS, INSIDE, ROTATIONS, TO};
use super::lanes::{APART, Columns, FIRST};
use super::round::field::Rows;
use super::sbox::gfni::Sbox256;
use core::marker::PhantomData;

use crate::simd::arch::*;
use crate::simd::{Gfni256, fresh};

/// 64 bytes under the token `I`; exists only where the instruction set does.
#[derive(Clone, Copy)]
pub(super) struct Matrix256<I>([__m256i; 2], PhantomData<I>);

/// Both vectors by an expression of intrinsics over the vectors of the same number.
macro_rules! both {
    (|$i:ident| $e:expr) => {{
        let $i = 0;
        // SAFETY: the values in the expression, or the token given, prove the features.
        let first = unsafe { $e };
        let $i = 1;
        // SAFETY: as above.
        Matrix256([first, unsafe { $e }], PhantomData)
    }};
}

impl<I: Gfni256> Rows for Matrix256<I> {
    type Isa = I;
    type Sbox = Sbox256<I>;

    #[inline(always)]
    fn sbox(isa: I) -> Sbox256<I> {
        Sbox256::new(isa)
    }
    #[inline(always)]
    fn load(_: I, bytes: &[u8; 64]) -> Self {
        // 32 bytes are read from 0 and from 32, unaligned.
        both!(|i| _mm256_loadu_si256(bytes.as_ptr().add(32 * i).cast()))
    }
    #[inline(always)]
    fn store(self, bytes: &mut [u8; 64]) {
        // SAFETY: a value proves the instruction set; 32 bytes are written twice, unaligned.
        unsafe {
            _mm256_storeu_si256(bytes.as_mut_ptr().cast(), self.0[0]);
            _mm256_storeu_si256(bytes.as_mut_ptr().add(32).cast(), self.0[1]);
        }
    }
    #[inline(always)]
    fn enter_image(self) -> Self {
        both!(|i| _mm256_gf2p8affine_epi64_epi8::<0>(self.0[i], _mm256_set1_epi64x(TO as i64)))
    }
    #[inline(always)]
    fn leave_image(self) -> Self {
        both!(|i| _mm256_gf2p8affine_epi64_epi8::<0>(self.0[i], _mm256_set1_epi64x(FROM as i64)))
    }
    #[inline(always)]
    fn xor(self, b: Self) -> Self {
        both!(|i| _mm256_xor_si256(self.0[i], b.0[i]))
    }
    #[inline(always)]
    fn xor3(self, b: Self, c: Self) -> Self {
        self.xor(b).xor(c)
    }
    #[inline(always)]
    fn transposed(self) -> Self {
        // The bits of a byte's number are, from the highest: vector, half, four of the place in it.
        let [a, b] = self.0;
        // SAFETY: a value proves the instruction set.
        unsafe {
            // r2 r1 (r0 c2 c1 c0), r0 r1 (c2 c1 c0 r2), c2 r1 (c1 c0 r2 r0), c2 c1 (r1 c0 r2 r0)
            let (a, b) = (_mm256_unpacklo_epi8(a, b), _mm256_unpackhi_epi8(a, b));
            let (a, b) = (_mm256_unpacklo_epi8(a, b), _mm256_unpackhi_epi8(a, b));
            let order = _mm256_broadcastsi128_si256(_mm_setr_epi8(
                0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15,
            ));
            let turn = |v| _mm256_shuffle_epi8(_mm256_permute4x64_epi64::<0xd8>(v), order);
            Matrix256([turn(a), turn(b)], PhantomData)
        }
    }
    #[inline(always)]
    fn substitute(self, sbox: &Sbox256<I>) -> Self {
        Matrix256([sbox.substitute(self.0[0]), sbox.substitute(self.0[1])], PhantomData)
    }
    #[inline(always)]
    fn mix_groups(self, e: Self, f: Self) -> Self {
        let s = self;
        let t = both!(|i| _mm256_permute4x64_epi64::<0x4e>(s.0[i]));
        // Groups four apart are in the other vector.
        let swapped = |m: Self| Matrix256([m.0[1], m.0[0]], PhantomData);
        let s = [s, t, swapped(s), swapped(t)];
        let sum = products(s, &GROUPS[1]);
        let moved = both!(|i| _mm256_shuffle_epi32::<0x4e>(sum.0[i]));
        products(s, &GROUPS[0]).xor(e).xor(f).xor(moved)
    }
    #[inline(always)]
    fn mix_inside(self, e: Self, f: Self) -> Self {
        // Untraceable, or the compiler makes more operations, of the rotation by two bytes two.
        let rotations = fresh(&ROTATIONS);
        // A rotation has 64 bytes, of which 32 are read.
        macro_rules! r {
            ($b:literal) => {
                both!(|i| _mm256_shuffle_epi8(
                    self.0[i],
                    _mm256_loadu_si256(rotations[$b].0.as_ptr().cast())
                ))
            };
        }
        let s = [self, r!(1), r!(2), r!(3)];
        let sum = products(s, &INSIDE[1]);
        let moved = both!(|i| _mm256_shuffle_epi32::<0xb1>(sum.0[i]));
        products(s, &INSIDE[0]).xor(e).xor(f).xor(moved)
    }
}

/// 16 bytes of each two of four messages, under the token `I`; exists only where the instruction set does.
#[derive(Clone, Copy)]
pub(super) struct Columns256<I>(__m256i, PhantomData<I>);

/// A vector by an expression of intrinsics.
macro_rules! one {
    ($e:expr) => {
        // SAFETY: the values in the expression, or the token given, prove the features.
        Columns256(unsafe { $e }, PhantomData)
    };
}

impl<I: Gfni256> Columns for Columns256<I> {
    type Isa = I;
    type Sbox = Sbox256<I>;
    type Matrix = Matrix256<I>;

    #[inline(always)]
    fn weave(messages: &[Matrix256<I>]) -> [Self; 8] {
        let mut v = [Columns256(messages[0].0[0], PhantomData); 8];
        for i in 0..4 {
            // Columns 2i and 2i + 1, of messages 0 and 2, and of 1 and 3.
            let of = |m: usize| messages[m].0[i / 2];
            let (a, b) = (lane(of(0), of(2), i % 2), lane(of(1), of(3), i % 2));
            v[2 * i] = one!(_mm256_unpacklo_epi8(a, b));
            v[2 * i + 1] = one!(_mm256_unpackhi_epi8(a, b));
        }
        v
    }
    #[inline(always)]
    fn unweave(v: [Self; 8], messages: &mut [Matrix256<I>]) {
        for half in 0..2 {
            let [(a, b), (c, d)] =
                [apart(v[4 * half], v[4 * half + 1]), apart(v[4 * half + 2], v[4 * half + 3])];
            for i in 0..2 {
                messages[2 * i].0[half] = lane(a, c, i);
                messages[2 * i + 1].0[half] = lane(b, d, i);
            }
        }
    }
    #[inline(always)]
    fn load(_: I, bytes: &[u8]) -> Self {
        let bytes: &[u8; 32] = bytes.try_into().expect("32 bytes");
        // 32 bytes are read, unaligned.
        one!(_mm256_loadu_si256(bytes.as_ptr().cast()))
    }
    #[inline(always)]
    fn repeat(_: I, bytes: &[u8; 16]) -> Self {
        // 16 bytes are read, unaligned.
        one!(_mm256_broadcastsi128_si256(_mm_loadu_si128(bytes.as_ptr().cast())))
    }
    #[inline(always)]
    fn splat(_: I, group: &[u8]) -> Self {
        let q = i64::from_le_bytes(group.try_into().expect("8 bytes"));
        one!(_mm256_unpacklo_epi8(_mm256_set1_epi64x(q), _mm256_set1_epi64x(q)))
    }
    #[inline(always)]
    fn first_rows(self) -> [Self; 8] {
        let mut columns = [self; 8];
        for k in 0..8 {
            columns[k] = self.shuffled(&FIRST[k]);
        }
        columns
    }
    #[inline(always)]
    fn unpack_words(self, b: Self) -> (Self, Self) {
        (one!(_mm256_unpacklo_epi16(self.0, b.0)), one!(_mm256_unpackhi_epi16(self.0, b.0)))
    }
    #[inline(always)]
    fn xor(self, b: Self) -> Self {
        one!(_mm256_xor_si256(self.0, b.0))
    }
    #[inline(always)]
    fn xor3(self, b: Self, c: Self) -> Self {
        self.xor(b).xor(c)
    }
    #[inline(always)]
    fn substitute(self, sbox: &Sbox256<I>) -> Self {
        Columns256(sbox.substitute(self.0), PhantomData)
    }
    #[inline(always)]
    fn by(self, matrix: &u64) -> Self {
        one!(_mm256_gf2p8affine_epi64_epi8::<0>(self.0, _mm256_set1_epi64x(*matrix as i64)))
    }
}

impl<I: Gfni256> Columns256<I> {
    /// Bytes of each 16 by index.
    #[inline(always)]
    fn shuffled(self, index: &[u8; 16]) -> Self {
        // An index has 16 bytes.
        one!(_mm256_shuffle_epi8(
            self.0,
            _mm256_broadcastsi128_si256(_mm_loadu_si128(index.as_ptr().cast()))
        ))
    }
}

/// The low or the high 16 bytes of both.
#[inline(always)]
fn lane(a: __m256i, b: __m256i, high: usize) -> __m256i {
    // SAFETY: called only with parts of values, which prove the instruction set.
    unsafe {
        match high {
            0 => _mm256_permute2x128_si256::<0x20>(a, b),
            _ => _mm256_permute2x128_si256::<0x31>(a, b),
        }
    }
}

/// Two columns, of messages 0 and 2 and of 1 and 3.
#[inline(always)]
fn apart<I: Gfni256>(a: Columns256<I>, b: Columns256<I>) -> (__m256i, __m256i) {
    let (a, b) = (a.shuffled(&APART).0, b.shuffled(&APART).0);
    // SAFETY: a value proves the instruction set.
    unsafe { (_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b)) }
}

/// The sum of products by four diagonals.
#[inline(always)]
fn products<I: Gfni256>(s: [Matrix256<I>; 4], by: &[Bytes; 4]) -> Matrix256<I> {
    // A diagonal has 64 bytes.
    macro_rules! p {
        ($b:literal) => {
            both!(|i| _mm256_gf2p8mul_epi8(
                s[$b].0[i],
                _mm256_loadu_si256(by[$b].0.as_ptr().add(32 * i).cast())
            ))
        };
    }
    p!(0).xor(p!(1)).xor(p!(2).xor(p!(3)))
}
