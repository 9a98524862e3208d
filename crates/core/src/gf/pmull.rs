//! The multiplications of MGM by PMULL of AArch64: the entries.
#![allow(unsafe_code)]

use crate::kernel::GfKernel;
use crate::simd::{Pmull, PolynomialsPmull};

pub(super) const KERNEL: GfKernel = GfKernel {
    name: Pmull::WORD,
    available: Pmull::available,
    fused: false,
    mac64,
    mac128,
    powers: super::sums::powers,
    add: super::sums::add,
    counters: super::sums::counters,
};

enter!(pmull =>
    fn mac64(acc: &mut [u8; 8], h: &[u8], a: &[u8]) {
        // SAFETY: a kernel's functions are called only where `available()` is true.
        super::sums::mac64::<PolynomialsPmull>(unsafe { Pmull::assume() }, acc, h, a);
    }
);
enter!(pmull =>
    fn mac128(acc: &mut [u8; 16], h: &[u8], a: &[u8]) {
        // SAFETY: a kernel's functions are called only where `available()` is true.
        super::sums::mac128::<PolynomialsPmull>(unsafe { Pmull::assume() }, acc, h, a);
    }
);
