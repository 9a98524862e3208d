//! The paper's second baseline: SSE2 by intrinsics, a block at a time, the compiler choosing registers and
//! order. Bytes are spread to words, even and odd, as offsets of entries, and each word goes to a general
//! register in turn (the way of aprelev/libgost15, written anew).
#![allow(unsafe_code)] // Intrinsics that read and write memory by pointer.

#[cfg(target_arch = "x86")]
use core::arch::x86 as arch;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64 as arch;

use arch::{
    __m128i, _mm_and_si128, _mm_extract_epi16, _mm_load_si128, _mm_loadu_si128, _mm_set1_epi16,
    _mm_slli_epi16, _mm_srli_epi16, _mm_storeu_si128, _mm_xor_si128,
};

use crate::cipher::{RoundKeys, Tables};

/// Whole blocks in place.
#[target_feature(enable = "sse2")]
pub fn sse2_vartime(tables: &Tables, keys: &RoundKeys, text: &mut [u8]) {
    let mask = _mm_set1_epi16(0x0ff0);
    // SAFETY: a round key is 16 bytes at a multiple of 16.
    let key = |i: usize| unsafe { _mm_load_si128(keys.0[i].as_ptr().cast()) };
    for block in text.as_chunks_mut::<16>().0 {
        // SAFETY: 16 bytes are readable.
        let mut state = unsafe { _mm_loadu_si128(block.as_ptr().cast()) };
        for i in 0..9 {
            state = _mm_xor_si128(state, key(i));
            let even = _mm_and_si128(_mm_slli_epi16::<4>(state), mask);
            let odd = _mm_and_si128(_mm_srli_epi16::<4>(state), mask);
            state = look_up_vartime::<0, 0>(tables, even);
            macro_rules! add {
                ($($word:literal)*) => {$(
                    if $word > 0 {
                        state = _mm_xor_si128(state, look_up_vartime::<$word, 0>(tables, even));
                    }
                    state = _mm_xor_si128(state, look_up_vartime::<$word, 1>(tables, odd));
                )*};
            }
            add!(0 1 2 3 4 5 6 7);
        }
        state = _mm_xor_si128(state, key(9));
        // SAFETY: 16 bytes are writable.
        unsafe { _mm_storeu_si128(block.as_mut_ptr().cast(), state) };
    }
}

/// The entry at the offset in a word, of the table of its even or odd byte.
#[inline]
#[target_feature(enable = "sse2")]
fn look_up_vartime<const WORD: i32, const ODD: usize>(
    tables: &Tables,
    offsets: __m128i,
) -> __m128i {
    let offset = _mm_extract_epi16::<WORD>(offsets) as usize;
    let table = tables.ls[2 * WORD as usize + ODD].as_ptr().cast::<u8>();
    // SAFETY: the mask leaves multiples of 16 below 4096, the size of a table, which is aligned.
    unsafe { _mm_load_si128(table.add(offset).cast()) }
}
