//! The entries of the kernels on vectors that look up by nibbles, one module for each instruction set.
#![allow(unsafe_code)]

use super::logs::Logs;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use super::products::Products;
use super::{Schedule, bulk, single};
use crate::InOut;
use crate::kernel::{BlockKernel, Chain, Count, Direction, Lane};
use crate::simd;

/// Declares a set's kernel: its word, its token, how products are done and the vectors.
macro_rules! kernel {
    ($word:ident, $token:ident, $arithmetic:ident, $octets:ident) => {
        pub(super) mod $word {
            use super::*;
            use simd::$token;
            type Way = $arithmetic<simd::$octets<$token>>;
            pub(in super::super) const KERNEL: BlockKernel<Schedule, 16> = BlockKernel {
                name: $token::WORD,
                available: $token::available,
                prepare: single::prepare,
                map: Some(map),
                stream: Some(stream),
                lanes: Some(lanes),
            };
            enter!($word =>
                fn map(s: &Schedule, direction: Direction, data: InOut<'_, '_>) {
                    // SAFETY: a kernel's functions are called only where `available()` is true.
                    let isa = unsafe { $token::assume() };
                    // Each direction is compiled by itself.
                    match direction {
                        Direction::Encrypt => bulk::map::<Way>(isa, s, Direction::Encrypt, data),
                        Direction::Decrypt => bulk::map::<Way>(isa, s, Direction::Decrypt, data),
                    }
                }
            );
            enter!($word =>
                fn stream(s: &Schedule, counter: &mut [u8; 16], count: Count, data: InOut<'_, '_>) {
                    // SAFETY: a kernel's functions are called only where `available()` is true.
                    let isa = unsafe { $token::assume() };
                    bulk::stream::<Way>(isa, s, counter, count, data);
                }
            );
            enter!($word =>
                fn lanes(chain: Chain, lanes: &mut [Lane<'_, Schedule, 16>]) {
                    // SAFETY: a kernel's functions are called only where `available()` is true.
                    let isa = unsafe { $token::assume() };
                    bulk::lanes::<Way>(isa, chain, lanes);
                }
            );
        }
    };
}

#[cfg(target_arch = "x86_64")]
kernel!(avx512, Avx512, Logs, Octets512);
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
kernel!(avx2gfni, Avx2Gfni, Products, Octets256);
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
kernel!(avx2, Avx2, Logs, Octets256);
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
kernel!(avx, Avx, Logs, Octets128);
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
kernel!(ssse3, Ssse3, Logs, Octets128);
#[cfg(target_arch = "aarch64")]
kernel!(neonsha3, NeonSha3, Logs, OctetsNeon);
#[cfg(target_arch = "aarch64")]
kernel!(neon, Neon, Logs, OctetsNeon);
