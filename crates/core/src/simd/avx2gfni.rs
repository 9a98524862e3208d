//! GFNI in 256-bit vectors: affine maps and products in the field of AES.

use super::arch::*;
use super::avx2::{Bytes256, Shuffles256};
use super::{Avx2Gfni, Field};

impl Shuffles256 for Avx2Gfni {
    const GFNI: bool = true;
}

/// The tokens under which GFNI exists, in 256 bits.
pub(crate) trait Gfni256: Shuffles256 {}
impl Gfni256 for Avx2Gfni {}

impl<I: Gfni256> Field for Bytes256<I> {
    #[inline(always)]
    fn times(self, b: Self) -> Self {
        const { assert!(I::GFNI) };
        // SAFETY: a value proves the features.
        self.with(unsafe { _mm256_gf2p8mul_epi8(self.vector(), b.vector()) })
    }
}
