//! PCLMULQDQ, with SSSE3 for the order of octets.

use core::arch::x86_64::*;

use super::{Clmul, Polynomials};

/// Low, middle and high parts of a sum of products; exists only where the instruction set does.
#[derive(Clone, Copy)]
pub(crate) struct Polynomials128([__m128i; 3]);

/// 16 octets with the order of each `size` of them reversed, so that the first is the highest.
///
/// # Safety
/// Where the instruction set is.
#[inline(always)]
unsafe fn load<const SIZE: i8>(octets: &[u8; 16]) -> __m128i {
    // SAFETY: the caller has the instruction set; 16 octets are read, unaligned.
    unsafe {
        let x = _mm_loadu_si128(octets.as_ptr().cast());
        let order = if SIZE == 16 {
            _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
        } else {
            _mm_set_epi8(8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7)
        };
        _mm_shuffle_epi8(x, order)
    }
}

impl Polynomials for Polynomials128 {
    type Isa = Clmul;

    #[inline(always)]
    fn zero(_: Clmul) -> Self {
        // SAFETY: the token proves the instruction set.
        Polynomials128(unsafe { [_mm_setzero_si128(); 3] })
    }
    #[inline(always)]
    fn add_whole(self, h: &[u8; 16], a: &[u8; 16]) -> Self {
        let [low, middle, high] = self.0;
        // SAFETY: a value proves the instruction set.
        unsafe {
            let (h, a) = (load::<16>(h), load::<16>(a));
            let cross = _mm_xor_si128(
                _mm_clmulepi64_si128::<0x01>(h, a),
                _mm_clmulepi64_si128::<0x10>(h, a),
            );
            Polynomials128([
                _mm_xor_si128(low, _mm_clmulepi64_si128::<0x00>(h, a)),
                _mm_xor_si128(middle, cross),
                _mm_xor_si128(high, _mm_clmulepi64_si128::<0x11>(h, a)),
            ])
        }
    }
    #[inline(always)]
    fn add_halves(self, h: &[u8; 16], a: &[u8; 16]) -> Self {
        let [low, middle, high] = self.0;
        // SAFETY: a value proves the instruction set.
        unsafe {
            let (h, a) = (load::<8>(h), load::<8>(a));
            // The parts hold two sums until they are read.
            Polynomials128([
                _mm_xor_si128(low, _mm_clmulepi64_si128::<0x00>(h, a)),
                middle,
                _mm_xor_si128(high, _mm_clmulepi64_si128::<0x11>(h, a)),
            ])
        }
    }
    #[inline(always)]
    fn parts(self) -> [u128; 3] {
        let mut parts = [0; 3];
        for (part, x) in parts.iter_mut().zip(self.0) {
            // SAFETY: a value proves the instruction set; 16 octets are written, unaligned.
            unsafe { _mm_storeu_si128(core::ptr::from_mut(part).cast(), x) };
        }
        parts
    }
}
