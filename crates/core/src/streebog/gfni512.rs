//! Streebog on AVX-512: a zmm is the 64 bytes of a state.
//!
//! [`compress`] has the compression of one message in registers from first to last: a key and a state that wait for each
//! other, so that the wait of each operation counts. On Zen 5 the order of an operation's operands and
//! of neighbours decides that, and compilers do not keep either: two permutations of two vectors begin together
//! only where they come before the mask's `vpshufb` (the three have two ports), and the sum of three waits a cycle
//! longer where its destination is not the last to come. It computes `chains` of `round/field.rs`.
#![allow(unsafe_code)]

use core::arch::asm;
use core::arch::x86_64::*;

use super::constants::Bytes;
use super::constants::aes::{FROM, GROUPS, INSIDE, ROTATIONS, ROUNDS, TO, TRANSPOSED};
use super::lanes::{APART, Columns, FIRST};
use super::round::field::Rows;
use super::sbox::vbmi::Sbox512;
use crate::simd::Gfni512;

/// 64 bytes; exists only where the instruction set does.
///
/// `WHOLE`: a sum of one state moves each vector all the way rather than the sum of four, three moves more
/// and some four cycles less of a chain of twenty.
#[derive(Clone, Copy)]
pub(super) struct Matrix512<const WHOLE: bool>(__m512i);

/// x1 ^ x2 ^ x3 as a ternary truth table.
const XOR3: i32 = 0x96;

impl<const WHOLE: bool> Rows for Matrix512<WHOLE> {
    type Isa = Gfni512;
    type Sbox = Sbox512;

    #[inline(always)]
    fn sbox(isa: Gfni512) -> Sbox512 {
        Sbox512::new(isa)
    }
    #[inline(always)]
    fn load(_: Gfni512, bytes: &[u8; 64]) -> Self {
        // SAFETY: the token proves the instruction set; 64 bytes are read, unaligned.
        Matrix512(unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) })
    }
    #[inline(always)]
    fn store(self, bytes: &mut [u8; 64]) {
        // SAFETY: a value proves the instruction set; 64 bytes are written, unaligned.
        unsafe { _mm512_storeu_si512(bytes.as_mut_ptr().cast(), self.0) }
    }
    #[inline(always)]
    fn enter_image(self) -> Self {
        // SAFETY: a value proves the instruction set.
        unsafe {
            Matrix512(_mm512_gf2p8affine_epi64_epi8::<0>(self.0, _mm512_set1_epi64(TO as i64)))
        }
    }
    #[inline(always)]
    fn leave_image(self) -> Self {
        // SAFETY: a value proves the instruction set.
        unsafe {
            Matrix512(_mm512_gf2p8affine_epi64_epi8::<0>(self.0, _mm512_set1_epi64(FROM as i64)))
        }
    }
    #[inline(always)]
    fn xor(self, b: Self) -> Self {
        // SAFETY: a value proves the instruction set.
        Matrix512(unsafe { _mm512_xor_si512(self.0, b.0) })
    }
    #[inline(always)]
    fn xor3(self, b: Self, c: Self) -> Self {
        // SAFETY: a value proves the instruction set.
        Matrix512(unsafe { _mm512_ternarylogic_epi64::<XOR3>(self.0, b.0, c.0) })
    }
    #[inline(always)]
    fn transposed(self) -> Self {
        // SAFETY: a value proves the instruction set; the table has 64 bytes.
        unsafe {
            let t = _mm512_loadu_si512(TRANSPOSED.0.as_ptr().cast());
            Matrix512(_mm512_permutexvar_epi8(t, self.0))
        }
    }
    #[inline(always)]
    fn substitute(self, sbox: &Sbox512) -> Self {
        Matrix512(sbox.substitute(self.0))
    }
    #[inline(always)]
    fn mix_groups(self, e: Self, f: Self) -> Self {
        // SAFETY: a value proves the instruction set.
        unsafe {
            let s = [
                self.0,
                _mm512_permutex_epi64::<0x4e>(self.0),
                _mm512_shuffle_i64x2::<0x4e>(self.0, self.0),
                _mm512_shuffle_i64x2::<0x1b>(self.0, self.0),
            ];
            if WHOLE {
                let m = |s| _mm512_shuffle_epi32::<0x4e>(s);
                let t = [m(s[0]), m(s[1]), m(s[2]), m(s[3])];
                return whole(products(s, &GROUPS[0]), products(t, &GROUPS[2]), e, f);
            }
            let [a, b, c, d]: [Self; 4] = products(s, &GROUPS[1]);
            let moved = Self(_mm512_shuffle_epi32::<0x4e>(a.xor3(b, c).xor(d).0));
            let [a, b, c, d] = products(s, &GROUPS[0]);
            e.xor3(a, b).xor3(c, d).xor3(moved, f)
        }
    }
    #[inline(always)]
    fn mix_inside(self, e: Self, f: Self) -> Self {
        // SAFETY: a value proves the instruction set; a rotation has 64 bytes.
        unsafe {
            let r = |b: usize| {
                _mm512_shuffle_epi8(self.0, _mm512_loadu_si512(ROTATIONS[b].0.as_ptr().cast()))
            };
            let s = [self.0, r(1), r(2), r(3)];
            if WHOLE {
                let m = |s| _mm512_shuffle_epi32::<0xb1>(s);
                let t = [m(s[0]), m(s[1]), m(s[2]), m(s[3])];
                return whole(products(s, &INSIDE[0]), products(t, &INSIDE[2]), e, f);
            }
            let [a, b, c, d]: [Self; 4] = products(s, &INSIDE[1]);
            let moved = Self(_mm512_shuffle_epi32::<0xb1>(a.xor3(b, c).xor(d).0));
            let [a, b, c, d] = products(s, &INSIDE[0]);
            e.xor3(a, b).xor3(c, d).xor3(moved, f)
        }
    }
    #[inline(always)]
    fn compress(sbox: &Sbox512, key: Self, text: Self, last: Self) -> Option<Self> {
        if !WHOLE {
            return None;
        }
        // SAFETY: a value proves the instruction set.
        Some(Matrix512(unsafe { compress(sbox, key.0, text.0, last.0) }))
    }
}

/// 16 bytes of each two of eight messages; exists only where the instruction set does.
#[derive(Clone, Copy)]
pub(super) struct Columns512(__m512i);

impl Columns for Columns512 {
    type Isa = Gfni512;
    type Sbox = Sbox512;
    type Matrix = Matrix512<false>;

    #[inline(always)]
    fn weave(messages: &[Matrix512<false>]) -> [Self; 8] {
        let mut v = [Columns512(messages[0].0); 8];
        for i in 1..8 {
            v[i].0 = messages[i].0;
        }
        exchange_lanes(&mut v);
        for i in [0, 2, 4, 6] {
            let (a, b) = (v[i].0, v[i + 1].0);
            // SAFETY: a value proves the instruction set.
            (v[i].0, v[i + 1].0) =
                unsafe { (_mm512_unpacklo_epi8(a, b), _mm512_unpackhi_epi8(a, b)) };
        }
        v
    }
    #[inline(always)]
    fn unweave(mut v: [Self; 8], messages: &mut [Matrix512<false>]) {
        for i in [0, 2, 4, 6] {
            // SAFETY: a value proves the instruction set; the table has 16 bytes.
            unsafe {
                let apart = _mm512_broadcast_i32x4(_mm_loadu_si128(APART.as_ptr().cast()));
                let a = _mm512_shuffle_epi8(v[i].0, apart);
                let b = _mm512_shuffle_epi8(v[i + 1].0, apart);
                (v[i].0, v[i + 1].0) = (_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b));
            }
        }
        exchange_lanes(&mut v);
        for i in 0..8 {
            messages[i].0 = v[i].0;
        }
    }
    #[inline(always)]
    fn load(_: Gfni512, bytes: &[u8]) -> Self {
        let bytes: &[u8; 64] = bytes.try_into().expect("64 bytes");
        // SAFETY: the token proves the instruction set; 64 bytes are read, unaligned.
        Columns512(unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) })
    }
    #[inline(always)]
    fn repeat(_: Gfni512, bytes: &[u8; 16]) -> Self {
        // SAFETY: the token proves the instruction set; 16 bytes are read, unaligned.
        unsafe { Columns512(_mm512_broadcast_i32x4(_mm_loadu_si128(bytes.as_ptr().cast()))) }
    }
    #[inline(always)]
    fn splat(_: Gfni512, group: &[u8]) -> Self {
        let q = i64::from_le_bytes(group.try_into().expect("8 bytes"));
        // SAFETY: the token proves the instruction set.
        unsafe {
            let q = _mm512_set1_epi64(q);
            Columns512(_mm512_unpacklo_epi8(q, q))
        }
    }
    #[inline(always)]
    fn first_rows(self) -> [Self; 8] {
        let mut columns = [self; 8];
        for k in 0..8 {
            // SAFETY: a value proves the instruction set; an index has 16 bytes.
            unsafe {
                let at = _mm512_broadcast_i32x4(_mm_loadu_si128(FIRST[k].as_ptr().cast()));
                columns[k].0 = _mm512_shuffle_epi8(self.0, at);
            }
        }
        columns
    }
    #[inline(always)]
    fn unpack_words(self, b: Self) -> (Self, Self) {
        // SAFETY: a value proves the instruction set.
        unsafe {
            let low = _mm512_unpacklo_epi16(self.0, b.0);
            (Columns512(low), Columns512(_mm512_unpackhi_epi16(self.0, b.0)))
        }
    }
    #[inline(always)]
    fn xor(self, b: Self) -> Self {
        // SAFETY: a value proves the instruction set.
        Columns512(unsafe { _mm512_xor_si512(self.0, b.0) })
    }
    #[inline(always)]
    fn xor3(self, b: Self, c: Self) -> Self {
        // SAFETY: a value proves the instruction set.
        Columns512(unsafe { _mm512_ternarylogic_epi64::<XOR3>(self.0, b.0, c.0) })
    }
    #[inline(always)]
    fn substitute(self, sbox: &Sbox512) -> Self {
        Columns512(sbox.substitute(self.0))
    }
    #[inline(always)]
    fn by(self, matrix: &u64) -> Self {
        // SAFETY: a value proves the instruction set.
        unsafe {
            let m = _mm512_set1_epi64(*matrix as i64);
            Columns512(_mm512_gf2p8affine_epi64_epi8::<0>(self.0, m))
        }
    }
}

/// Sixteen bytes l of vector 2m + q and m of vector 2l + q change places.
#[inline(always)]
fn exchange_lanes(v: &mut [Columns512; 8]) {
    for q in 0..2 {
        let [a, b, c, d] = [v[q].0, v[2 + q].0, v[4 + q].0, v[6 + q].0];
        // SAFETY: a value proves the instruction set.
        unsafe {
            let ab0 = _mm512_shuffle_i64x2::<0x88>(a, b);
            let ab1 = _mm512_shuffle_i64x2::<0xdd>(a, b);
            let cd0 = _mm512_shuffle_i64x2::<0x88>(c, d);
            let cd1 = _mm512_shuffle_i64x2::<0xdd>(c, d);
            v[q].0 = _mm512_shuffle_i64x2::<0x88>(ab0, cd0);
            v[q + 2].0 = _mm512_shuffle_i64x2::<0x88>(ab1, cd1);
            v[q + 4].0 = _mm512_shuffle_i64x2::<0xdd>(ab0, cd0);
            v[q + 6].0 = _mm512_shuffle_i64x2::<0xdd>(ab1, cd1);
        }
    }
}

/// Products by four diagonals.
///
/// # Safety
/// Where the instruction set is.
#[inline(always)]
unsafe fn products<const WHOLE: bool>(s: [__m512i; 4], by: &[Bytes; 4]) -> [Matrix512<WHOLE>; 4] {
    // SAFETY: the caller has the instruction set; a diagonal has 64 bytes.
    let p = |i: usize| unsafe {
        Matrix512(_mm512_gf2p8mul_epi8(s[i], _mm512_loadu_si512(by[i].0.as_ptr().cast())))
    };
    [p(0), p(1), p(2), p(3)]
}

/// The sum of eight products and e and f; products that come a longer way are added later.
#[inline(always)]
fn whole<R: Rows>([a, b, c, d]: [R; 4], [p, q, r, s]: [R; 4], e: R, f: R) -> R {
    let first = e.xor3(a, p).xor3(b, c);
    d.xor3(q, r).xor3(first.xor(f), s)
}

/// As `compress` of `round/field.rs`, by `crates/core/asm/streebog/gfni512.s`.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
#[inline]
fn compress(sbox: &Sbox512, key: __m512i, text: __m512i, last: __m512i) -> __m512i {
    let Sbox512([t0, t1, t2, t3], ones) = *sbox;
    let out;
    // SAFETY: only the constants are read, which have the shapes of their types and are aligned.
    unsafe {
        asm!(
            include_str!("../../asm/streebog/gfni512.s"),
            groups = in(reg) GROUPS.as_ptr(),
            inside = in(reg) INSIDE.as_ptr(),
            rotations = in(reg) ROTATIONS.as_ptr(),
            rounds = in(reg) ROUNDS.as_ptr(),
            transposed = in(reg) TRANSPOSED.0.as_ptr(),
            inout("zmm0") key => out, inout("zmm1") text => _, inout("zmm2") last => _,
            out("zmm3") _, out("zmm4") _, out("zmm5") _, out("zmm6") _, out("zmm7") _,
            out("zmm8") _, out("zmm9") _, out("zmm10") _, out("zmm11") _,
            in("zmm27") ones,
            in("zmm28") t0, in("zmm29") t1, in("zmm30") t2, in("zmm31") t3,
            options(pure, readonly, nostack, preserves_flags),
        );
    }
    out
}
