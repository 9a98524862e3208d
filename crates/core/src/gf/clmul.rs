//! The multiplications of MGM and XTS by PCLMULQDQ and VPCLMULQDQ: the entries.
#![allow(unsafe_code)]

use super::sums;
use crate::InOut;
use crate::kernel::GfKernel;
use crate::simd::*;

/// A kernel for an instruction set: its word, its token, its sums; the bytes below which sums of 128 bits are used
/// instead, since wide ones then cost more to add up at the end than they save (measured); and whether the ciphers'
/// kernels multiply as it does.
macro_rules! kernel {
    ($word:ident, $isa:ident, $sums:ident, $wide:expr, $fused:literal) => {
        pub(super) mod $word {
            use super::*;

            pub(in crate::gf) const KERNEL: GfKernel = GfKernel {
                name: $isa::WORD,
                available: $isa::available,
                fused: $fused,
                mac64,
                mac128,
                powers,
                add,
                counters,
            };

            enter!($word =>
                fn mac64(acc: &mut [u8; 8], h: &[u8], a: &[u8]) {
                    // SAFETY: a kernel's functions are called only where `available()` is true; each of
                    // these sets has the feature of PCLMULQDQ.
                    let (isa, short) = unsafe { ($isa::assume(), Clmul::assume()) };
                    if a.len() < $wide {
                        sums::mac64::<Polynomials128>(short, acc, h, a)
                    } else {
                        sums::mac64::<$sums>(isa, acc, h, a)
                    }
                }
            );
            enter!($word =>
                fn mac128(acc: &mut [u8; 16], h: &[u8], a: &[u8]) {
                    // SAFETY: as above.
                    let (isa, short) = unsafe { ($isa::assume(), Clmul::assume()) };
                    if a.len() < $wide {
                        sums::mac128::<Polynomials128>(short, acc, h, a)
                    } else {
                        sums::mac128::<$sums>(isa, acc, h, a)
                    }
                }
            );
            enter!($word =>
                fn powers(bytes: &mut [u8]) {
                    // SAFETY: as above.
                    $sums::powers(unsafe { $isa::assume() }, bytes);
                }
            );
            enter!($word =>
                fn add(data: InOut<'_, '_>, b: &[u8]) {
                    sums::add(data, b);
                }
            );
            enter!($word =>
                fn counters(counter: &mut [u8], left: bool, out: &mut [u8]) {
                    sums::counters(counter, left, out);
                }
            );
        }
    };
}

kernel!(vpclmul512, Vpclmul512, Polynomials512, 192, true);
kernel!(vpclmul256, Vpclmul256, Polynomials256, 128, false);
kernel!(clmul, Clmul, Polynomials128, usize::MAX, false);
