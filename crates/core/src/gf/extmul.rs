//! The multiplications of MGM by 32-bit products of WebAssembly's vectors: the entries.
#![allow(unsafe_code)]

use crate::kernel::GfKernel;
use crate::simd::{PolynomialsWasm, Simd128};

pub(super) const KERNEL: GfKernel = GfKernel {
    name: Simd128::WORD,
    available: Simd128::available,
    fused: false,
    mac64,
    mac128,
    powers: super::sums::powers,
    add: super::sums::add,
    counters: super::sums::counters,
};

enter!(simd128 =>
    fn mac64(acc: &mut [u8; 8], h: &[u8], a: &[u8]) {
        // SAFETY: a kernel's functions are called only where `available()` is true.
        super::sums::mac64::<PolynomialsWasm>(unsafe { Simd128::assume() }, acc, h, a);
    }
);
enter!(simd128 =>
    fn mac128(acc: &mut [u8; 16], h: &[u8], a: &[u8]) {
        // SAFETY: a kernel's functions are called only where `available()` is true.
        super::sums::mac128::<PolynomialsWasm>(unsafe { Simd128::assume() }, acc, h, a);
    }
);
