//! PMULL of AArch64: products of polynomials of degrees 63.

use super::arch::*;
use super::{Pmull, Polynomials};

/// Low, middle and high parts of a sum of products; exists only where the instruction set does.
#[derive(Clone, Copy)]
pub(crate) struct PolynomialsPmull([uint64x2_t; 3]);

/// Two words of which the first byte is the highest: the words of 16 bytes, or of 8 bytes and zero.
///
/// # Safety
/// Where the instruction set is.
#[inline(always)]
unsafe fn load(bytes: &[u8]) -> uint8x16_t {
    // SAFETY: the caller has the instruction set; as many bytes are read as there are.
    unsafe {
        vrev64q_u8(match bytes.first_chunk::<16>() {
            Some(bytes) => vld1q_u8(bytes.as_ptr()),
            None => vcombine_u8(vld1_u8(bytes[..8].as_ptr()), vdup_n_u8(0)),
        })
    }
}

/// The product of the first words, and of the second.
#[inline]
#[target_feature(enable = "neon,aes")]
fn products(x: uint8x16_t, y: uint8x16_t) -> [uint64x2_t; 2] {
    let (x, y) = (vreinterpretq_p64_u8(x), vreinterpretq_p64_u8(y));
    let first = vmull_p64(vgetq_lane_p64::<0>(x), vgetq_lane_p64::<0>(y));
    [vreinterpretq_u64_p128(first), vreinterpretq_u64_p128(vmull_high_p64(x, y))]
}

impl Polynomials for PolynomialsPmull {
    type Isa = Pmull;
    const LEN: usize = 16;

    #[inline(always)]
    fn zero(_: Pmull) -> Self {
        // SAFETY: the token proves the instruction set.
        PolynomialsPmull(unsafe { [vdupq_n_u64(0); 3] })
    }
    #[inline(always)]
    fn add_whole(self, h: &[u8], a: &[u8]) -> Self {
        let [low, middle, high] = self.0;
        // SAFETY: a value proves the instruction set.
        unsafe {
            let (h, a) = (load(h), load(a));
            let [top, bottom] = products(h, a);
            let [one, other] = products(h, vextq_u8::<8>(a, a));
            PolynomialsPmull([
                veorq_u64(low, bottom),
                veorq_u64(middle, veorq_u64(one, other)),
                veorq_u64(high, top),
            ])
        }
    }
    #[inline(always)]
    fn add_halves(self, h: &[u8], a: &[u8]) -> Self {
        let [low, middle, high] = self.0;
        // SAFETY: a value proves the instruction set.
        unsafe {
            let [one, other] = products(load(h), load(a));
            PolynomialsPmull([veorq_u64(low, one), middle, veorq_u64(high, other)])
        }
    }
    #[inline(always)]
    fn parts(self) -> [u128; 3] {
        let mut parts = [0; 3];
        for (part, x) in parts.iter_mut().zip(self.0) {
            let mut words = [0u64; 2];
            // SAFETY: a value proves the instruction set; 16 bytes are written, unaligned.
            unsafe { vst1q_u64(words.as_mut_ptr(), x) };
            *part = u128::from(words[1]) << 64 | u128::from(words[0]);
        }
        parts
    }
}
