//! Streebog on vectors: the entries of each instruction set.
#![allow(unsafe_code)]

/// The kernel of a set: its word, its token, and the functions over its vectors; over others where a
/// condition is met.
macro_rules! kernel {
    ($word:ident, $token:ident $([$met:ident => $others:ty])?, $rounds:ident: $($parameter:tt)*) => {
        pub(super) mod $word {
            use crate::kernel::{HashKernel, HashKeys, HashLane, HashState};
            #[allow(clippy::wildcard_imports)] // the vectors
            use crate::simd::*;
            use crate::streebog::$rounds;

            pub(in crate::streebog) const KERNEL: HashKernel = HashKernel {
                name: $token::WORD,
                available: $token::available,
                initial: &$rounds::INITIAL,
                keys,
                blocks,
                finish,
            };

            enter!($word =>
                fn keys(state: &HashState) -> HashKeys {
                    // SAFETY: a kernel's functions are called only where `available()` is true.
                    let isa = unsafe { $token::assume() };
                    $rounds::keys::<$($parameter)*>(isa, state)
                }
            );
            enter!($word =>
                fn blocks(keys: Option<&HashKeys>, lanes: &mut [HashLane<'_>]) {
                    // SAFETY: a kernel's functions are called only where `available()` is true.
                    let isa = unsafe { $token::assume() };
                    $(if super::$met() {
                        return $rounds::blocks::<$others>(isa, keys, lanes);
                    })?
                    $rounds::blocks::<$($parameter)*>(isa, keys, lanes);
                }
            );
            enter!($word =>
                fn finish(keys: Option<&HashKeys>, lanes: &mut [HashLane<'_>]) {
                    // SAFETY: a kernel's functions are called only where `available()` is true.
                    let isa = unsafe { $token::assume() };
                    $(if super::$met() {
                        return $rounds::finish::<$others>(isa, keys, lanes);
                    })?
                    $rounds::finish::<$($parameter)*>(isa, keys, lanes);
                }
            );
        }
    };
}

#[cfg(target_arch = "x86_64")]
kernel!(gfni512, Gfni512 [whole => Matrix512<true>], rounds: Matrix512<false>);

/// Whether moves cost less than waits.
#[cfg(target_arch = "x86_64")]
fn whole() -> bool {
    use crate::{kernel::tuning, simd::Gfni512};
    tuning::here() & const { tuning::about(Gfni512::WORD, super::NAME, "halves") } != 0
}

#[cfg(target_arch = "x86_64")]
kernel!(avx512, Avx512, nibbles: Octets512<Avx512>, 2);
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
kernel!(avx2gfni, Avx2Gfni, rounds: Matrix256);
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
kernel!(avx2, Avx2, nibbles: Octets256<Avx2>, 4);
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
kernel!(avx, Avx, nibbles: Octets128<Avx>, 8);
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
kernel!(ssse3, Ssse3, nibbles: Octets128<Ssse3>, 8);
#[cfg(target_arch = "aarch64")]
kernel!(neonsha3, NeonSha3, nibbles: OctetsNeon<NeonSha3>, 8);
#[cfg(target_arch = "aarch64")]
kernel!(neon, Neon, nibbles: OctetsNeon<Neon>, 8);
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
kernel!(simd128, Simd128, nibbles: OctetsWasm<Simd128>, 8);
