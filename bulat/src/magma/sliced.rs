//! The kernels of the vector sets below VBMI: their entries, and which layout serves a call.
//!
//! What one group of words (`quads`) takes goes that way, more blocks or streams go through octets
//! (`nibbles`).
#![allow(unsafe_code)]

use super::chain::{self, Lane, Rule};
use super::quads::Quads;
use super::{Schedule, nibbles, portable, rounds};
use crate::InOut;
use crate::kernel::{BlockKernel, Chain, Count, Direction};
use crate::simd::{self, Nibbles, Words};

/// Declares kernels: the word of the instruction set, its token, its vector, and where the latter is
/// slow to fill, the token and the vector for fewer blocks.
macro_rules! kernel {
    ($(#[$cfg:meta] $word:ident, $token:ident, $vector:ident, $less:ident, $shorter:ident;)*) => { $(
        #[$cfg]
        pub(super) mod $word {
            use super::*;
            type V = simd::$vector<simd::$token>;
            type Shorter = simd::$shorter<simd::$less>;
            /// Blocks of a group of words; of a group of octets of the shorter vector, if it is one.
            const FEW: usize = Quads::<V>::LANES;
            const SHORT: usize = if Shorter::LEN < V::LEN { Shorter::LEN } else { 0 };

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
                    // SAFETY: this function was entered through detection.
                    let isa = unsafe { simd::$token::assume() };
                    // SAFETY: every set has what its shorter one has.
                    let less = unsafe { simd::$less::assume() };
                    match data.len() / 8 {
                        ..=FEW => rounds::map::<Quads<V>>(isa, s, direction, data),
                        n if n <= SHORT => nibbles::map::<Shorter>(less, s, direction, data),
                        _ => nibbles::map::<V>(isa, s, direction, data),
                    }
                }
            );
            enter!($word =>
                unsafe fn stream(
                    s: &Schedule,
                    register: &mut [u8; 8],
                    count: Count,
                    data: InOut<'_, '_>,
                ) {
                    // SAFETY: this function was entered through detection.
                    let isa = unsafe { simd::$token::assume() };
                    // SAFETY: every set has what its shorter one has.
                    let less = unsafe { simd::$less::assume() };
                    match data.len() / 8 {
                        ..=FEW => rounds::stream::<Quads<V>>(isa, s, register, count, data),
                        n if n <= SHORT => {
                            nibbles::stream::<Shorter>(less, s, register, count, data)
                        }
                        _ => nibbles::stream::<V>(isa, s, register, count, data),
                    }
                }
            );
            enter!($word =>
                unsafe fn lanes(chain: Chain, lanes: &mut [Lane<'_>]) {
                    // SAFETY: this function was entered through detection.
                    let isa = unsafe { simd::$token::assume() };
                    let mut rest = lanes;
                    while !rest.is_empty() {
                        let (some, others) = rest.split_at_mut(chain::alike(rest));
                        match some.len() {
                            ..=FEW => rounds::lanes::<Quads<V>>(isa, Rule::of(chain), some),
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
    avx512, Avx512, Octets512, Avx2, Octets256;
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    avx2gfni, Avx2Gfni, Octets256, Avx2Gfni, Octets256;
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    avx2, Avx2, Octets256, Avx2, Octets256;
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    avx, Avx, Octets128, Avx, Octets128;
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    ssse3, Ssse3, Octets128, Ssse3, Octets128;
    #[cfg(target_arch = "aarch64")]
    neonsha3, NeonSha3, OctetsNeon, NeonSha3, OctetsNeon;
    #[cfg(target_arch = "aarch64")]
    neon, Neon, OctetsNeon, Neon, OctetsNeon;
}
