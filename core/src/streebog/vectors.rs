//! Streebog on vectors: the entries of each instruction set.
#![allow(unsafe_code)]

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use super::avx2gfni::Matrix256;
#[cfg(target_arch = "x86_64")]
use super::gfni512::Matrix512;
use super::nibbles;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use super::rounds;

/// The kernel of a set: its word, its token, and the functions over its vectors; over others where a
/// condition is met.
macro_rules! kernel {
    (#[$cfg:meta] $word:ident, $token:ident, $vector:ident + Field) => {
        kernel!(#[$cfg] $word, $token, rounds: Matrix256<$token>);
    };
    (#[$cfg:meta] $word:ident, $token:ident, $vector:ident) => {
        kernel!(
            #[$cfg]
            $word, $token, nibbles: $vector<$token>, { 128 / <$vector<$token> as Nibbles>::LEN }
        );
    };
    (#[$cfg:meta] $word:ident, $token:ident $([$met:ident => $others:ty])?, $rounds:ident: $($parameter:tt)*) => {
        #[$cfg]
        pub(super) mod $word {
            use crate::kernel::{HashKernel, HashKeys, HashLane, HashState};
            #[allow(clippy::wildcard_imports)] // the vectors
            use crate::simd::*;
            #[allow(clippy::wildcard_imports)] // the vectors of the two
            use super::*;

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

kernel!(
    #[cfg(target_arch = "x86_64")]
    gfni512, Gfni512 [whole => Matrix512<true>], rounds: Matrix512<false>
);

/// Whether moves cost less than waits.
#[cfg(target_arch = "x86_64")]
fn whole() -> bool {
    use crate::kernel::tuning::{Choice, form, takes};
    takes(const { form(Choice::StreebogSums, "whole") })
}

vector_sets!(kernel);
