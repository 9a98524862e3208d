//! S by VBMI: a look-up in 128 bytes, two vectors, by seven bits of the index, and a choice by the eighth.
//!
//! ```text
//! low  = table[0..128][x & 127]             vpermi2b
//! high = table[128..256][x & 127]           vpermi2b
//! mask = x & 128 ? 0 : -1                   vpshufb of ones
//! y    = mask ? low : high                  vpternlogq
//! ```
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use crate::pi::PI;
use crate::simd::Gfni512;
use crate::streebog::constants::Bytes;
use crate::streebog::constants::aes::STATE;

/// Φ∘π∘Φ⁻¹, a quarter of the table each.
pub(crate) static SBOX: [Bytes; 4] = {
    let mut t = [Bytes([0; 64]); 4];
    let mut x = 0;
    while x < 256 {
        let y = STATE[x] as usize;
        t[y / 64].0[y % 64] = STATE[PI[x] as usize];
        x += 1;
    }
    t
};

/// The quarters of the table, and the all-ones vector of which `vpshufb` makes the mask of bit 7.
#[derive(Clone, Copy)]
pub(in crate::streebog) struct Sbox512(
    pub(in crate::streebog) [__m512i; 4],
    pub(in crate::streebog) __m512i,
);

impl Sbox512 {
    #[inline(always)]
    pub(in crate::streebog) fn new(_: Gfni512) -> Self {
        // SAFETY: the token proves the instruction set; a quarter has 64 bytes.
        unsafe {
            let t = |i: usize| _mm512_loadu_si512(SBOX[i].0.as_ptr().cast());
            Sbox512([t(0), t(1), t(2), t(3)], _mm512_set1_epi8(-1))
        }
    }
    /// π in the image.
    #[inline(always)]
    pub(in crate::streebog) fn substitute(&self, x: __m512i) -> __m512i {
        let Sbox512([t0, t1, t2, t3], ones) = self;
        // SAFETY: a value of this type proves the instruction set.
        unsafe {
            let high = _mm512_permutex2var_epi8(*t2, x, *t3);
            let low = _mm512_permutex2var_epi8(*t0, x, *t1);
            let mask = _mm512_shuffle_epi8(*ones, x);
            _mm512_ternarylogic_epi64::<0xe4>(low, high, mask)
        }
    }
}
