//! The kernels of the vector sets below VBMI: their entries, and which layout serves a call.
//!
//! One block or one chained stream goes through the scalar layout of `portable`, more through octets
//! (`nibbles`).
#![allow(unsafe_code)]

use super::chain::{self, Lane, Rule};
use super::{Schedule, nibbles, portable};
use crate::InOut;
use crate::kernel::{BlockKernel, Chain, Count, Direction};
use crate::simd;

/// Declares a kernel over octets: the word of the instruction set, its token, its vector.
macro_rules! kernel {
    ($(#[$cfg:meta] $word:ident, $token:ident, $vector:ident;)*) => { $(
        #[$cfg]
        pub(super) mod $word {
            use super::*;
            type V = simd::$vector<simd::$token>;

            pub(in crate::magma) const KERNEL: BlockKernel<Schedule, 8> = BlockKernel {
                name: simd::$token::WORD,
                available: simd::$token::available,
                prepare: portable::prepare,
                map: Some(map),
                stream: Some(stream),
                lanes: Some(lanes),
            };

            enter!($word =>
                unsafe fn map(s: &Schedule, direction: Direction, data: InOut<'_, '_>) {
                    if data.len() <= 8 {
                        return portable::map(s, direction, data);
                    }
                    // SAFETY: this function was entered through detection.
                    let isa = unsafe { simd::$token::assume() };
                    nibbles::map::<V>(isa, s, direction, data);
                }
            );
            enter!($word =>
                unsafe fn stream(
                    s: &Schedule,
                    register: &mut [u8; 8],
                    count: Count,
                    data: InOut<'_, '_>,
                ) {
                    if data.len() <= 8 {
                        return portable::stream(s, register, count, data);
                    }
                    // SAFETY: this function was entered through detection.
                    let isa = unsafe { simd::$token::assume() };
                    nibbles::stream::<V>(isa, s, register, count, data);
                }
            );
            enter!($word =>
                unsafe fn lanes(chain: Chain, lanes: &mut [Lane<'_>]) {
                    // SAFETY: this function was entered through detection.
                    let isa = unsafe { simd::$token::assume() };
                    let mut rest = lanes;
                    while !rest.is_empty() {
                        let (some, others) = rest.split_at_mut(chain::alike(rest));
                        match some {
                            [_] => portable::lanes(chain, some),
                            _ => nibbles::lanes::<V>(isa, Rule::of(chain), some),
                        }
                        rest = others;
                    }
                }
            );
        }
    )* };
}

kernel! {
    #[cfg(target_arch = "x86_64")]
    avx512, Avx512, Octets512;
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    avx2gfni, Avx2Gfni, Octets256;
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    avx2, Avx2, Octets256;
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    avx, Avx, Octets128;
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    ssse3, Ssse3, Octets128;
    #[cfg(target_arch = "aarch64")]
    neonsha3, NeonSha3, OctetsNeon;
    #[cfg(target_arch = "aarch64")]
    neon, Neon, OctetsNeon;
}
