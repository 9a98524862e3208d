//! Streebog by nibbles: the entries of each instruction set.
#![allow(unsafe_code)]

/// The kernel of a set: its word, its token and the vectors that 128 octets fill.
macro_rules! kernel {
    ($word:ident, $token:ident, $vector:ident, $count:literal) => {
        pub(super) mod $word {
            use crate::kernel::{HashKernel, HashLane};
            use crate::simd::{$token, $vector};
            use crate::streebog::nibbles;

            pub(in crate::streebog) const KERNEL: HashKernel =
                HashKernel { name: $token::WORD, available: $token::available, blocks, finish };

            enter!($word =>
                fn blocks(lanes: &mut [HashLane<'_>]) {
                    // SAFETY: a kernel's functions are called only where `available()` is true.
                    let isa = unsafe { $token::assume() };
                    nibbles::blocks::<$vector<$token>, $count>(isa, lanes);
                }
            );
            enter!($word =>
                fn finish(lanes: &mut [HashLane<'_>]) {
                    // SAFETY: a kernel's functions are called only where `available()` is true.
                    let isa = unsafe { $token::assume() };
                    nibbles::finish::<$vector<$token>, $count>(isa, lanes);
                }
            );
        }
    };
}

#[cfg(target_arch = "x86_64")]
kernel!(avx512, Avx512, Octets512, 2);
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
kernel!(avx2, Avx2, Octets256, 4);
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
kernel!(avx, Avx, Octets128, 8);
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
kernel!(ssse3, Ssse3, Octets128, 8);
#[cfg(target_arch = "aarch64")]
kernel!(neonsha3, NeonSha3, OctetsNeon, 8);
#[cfg(target_arch = "aarch64")]
kernel!(neon, Neon, OctetsNeon, 8);
