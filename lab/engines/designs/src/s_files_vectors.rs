//! The forms of Streebog with intrinsics: v2.1 and the manual v2.3, and the plain v2.2 compiled for AVX2.
#![allow(unsafe_code)] // Entries of instruction sets, and loads and stores of vectors.

use std::arch::x86_64::{
    __m128i, _mm_extract_epi8, _mm_extract_epi16, _mm_loadl_epi64, _mm_loadu_si128,
    _mm_setzero_si128, _mm_storeu_si128, _mm_unpacklo_epi64, _mm_xor_si128,
};

use super::{C, State, TABLE, compress, lps_of_bytes, xor};

/// A function of the type [`Compress`](super::Compress) over one with these instructions.
macro_rules! entry {
    ($(#[$doc:meta])* $name:ident, $feature:literal, $h:ident $n:ident $m:ident $body:block) => {
        $(#[$doc])*
        pub fn $name($h: &mut State, $n: &State, $m: &State) {
            #[target_feature(enable = $feature)]
            fn inner($h: &mut State, $n: &State, $m: &State) $body
            // SAFETY: the list has this design only where its instructions were detected.
            unsafe { inner($h, $n, $m) }
        }
    };
}

/// The twelve rounds on vectors.
macro_rules! rounds {
    ($h:ident $n:ident $m:ident, $lps:ident) => {{
        let (start, m) = (four($h), four($m));
        let mut k = $lps(xor4(start, four($n)));
        let mut x = m;
        for c in &C {
            x = $lps(xor4(x, k));
            k = $lps(xor4(k, four(c)));
        }
        to_four(xor4(xor4(x, k), xor4(start, m)), $h);
    }};
}

entry!(
    /// v2.2, compiled for AVX2.
    v2_2_auto_vartime, "avx2,bmi1,bmi2", h n m { compress!(h n m lps_of_bytes); });
entry!(
    /// v2.1: a byte at a time by `pextrb`, in the three-operand forms.
    v2_1_avx_vartime, "avx", h n m { rounds!(h n m, lps_by_bytes) });
entry!(
    /// v2.3: two bytes at a time by `pextrw`.
    v2_3_sse41_vartime, "sse4.1", h n m { rounds!(h n m, lps_by_pairs) });

/// A state in vectors of two words.
type Four = [__m128i; 4];

#[inline]
#[target_feature(enable = "sse4.1")]
fn four(state: &State) -> Four {
    let mut x = [_mm_setzero_si128(); 4];
    for (x, pair) in x.iter_mut().zip(state.as_chunks::<2>().0) {
        // SAFETY: two words are the 16 bytes that are read.
        *x = unsafe { _mm_loadu_si128(pair.as_ptr().cast()) };
    }
    x
}

#[inline]
#[target_feature(enable = "sse4.1")]
fn to_four(x: Four, state: &mut State) {
    for (x, pair) in x.iter().zip(state.as_chunks_mut::<2>().0) {
        // SAFETY: two words are the 16 bytes that are written.
        unsafe { _mm_storeu_si128(pair.as_mut_ptr().cast(), *x) }
    }
}

#[inline]
#[target_feature(enable = "sse4.1")]
fn xor4(a: Four, b: Four) -> Four {
    let mut out = a;
    for i in 0..4 {
        out[i] = _mm_xor_si128(a[i], b[i]);
    }
    out
}

/// An entry of the table in the low half of a vector.
#[inline]
#[target_feature(enable = "sse4.1")]
fn entry(table: usize, byte: usize) -> __m128i {
    // SAFETY: the word has the 8 bytes that are read.
    unsafe { _mm_loadl_epi64((&raw const TABLE[table][byte & 255]).cast()) }
}

/// Rows `$i` and `$i + 1`: the entries of eight tables, words `$low` and `$high` of each vector of the state.
macro_rules! two_rows {
    ($x:ident, |$v:ident, $half:ident| $look_up:expr) => {{
        let [mut a, mut b] = [_mm_setzero_si128(); 2];
        macro_rules! of {
            ($index:literal $offset:literal) => {{
                let $v = $x[$index / 2];
                const $half: i32 = $offset;
                let [p, q] = $look_up;
                a = _mm_xor_si128(a, entry($index, p as usize));
                b = _mm_xor_si128(b, entry($index, q as usize));
            }};
        }
        of!(0 0);
        of!(1 1);
        of!(2 0);
        of!(3 1);
        of!(4 0);
        of!(5 1);
        of!(6 0);
        of!(7 1);
        _mm_unpacklo_epi64(a, b)
    }};
}

macro_rules! lps {
    ($name:ident, $i:ident $v:ident $half:ident $look_up:expr) => {
        #[inline]
        #[target_feature(enable = "sse4.1")]
        fn $name(x: Four) -> Four {
            macro_rules! at {
                ($n:literal) => {{
                    const $i: i32 = $n;
                    two_rows!(x, |$v, $half| $look_up)
                }};
            }
            [at!(0), at!(1), at!(2), at!(3)]
        }
    };
}

lps!(lps_by_bytes, I v HALF [
    _mm_extract_epi8::<{ 8 * HALF + 2 * I }>(v),
    _mm_extract_epi8::<{ 8 * HALF + 2 * I + 1 }>(v)
]);

lps!(lps_by_pairs, I v HALF {
    let pair = _mm_extract_epi16::<{ 4 * HALF + I }>(v);
    [pair & 255, pair >> 8]
});
