//! The multiplications of MGM by PCLMULQDQ: the entries.
#![allow(unsafe_code)]

use crate::kernel::GfKernel;
use crate::simd::{Clmul, Polynomials128};

pub(super) const KERNEL: GfKernel =
    GfKernel { name: Clmul::WORD, available: Clmul::available, mac64, mac128 };

enter!(clmul =>
    fn mac64(acc: &mut [u8; 8], h: &[u8], a: &[u8]) {
        // SAFETY: a kernel's functions are called only where `available()` is true.
        super::mac64::<Polynomials128>(unsafe { Clmul::assume() }, acc, h, a);
    }
);
enter!(clmul =>
    fn mac128(acc: &mut [u8; 16], h: &[u8], a: &[u8]) {
        // SAFETY: a kernel's functions are called only where `available()` is true.
        super::mac128::<Polynomials128>(unsafe { Clmul::assume() }, acc, h, a);
    }
);
