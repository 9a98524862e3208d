//! The kernels: an entry for each instruction set.
#![allow(unsafe_code)]

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use super::batch::field;
use super::batch::nibbles;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use super::gfni256::Matrix256;
#[cfg(target_arch = "x86_64")]
use super::gfni512::Matrix512;

/// Declares a set's kernel: its word, its token, its driver and vectors; other vectors where a condition is met.
macro_rules! kernel {
    (#[$cfg:meta] $word:ident, $token:ident, $vector:ident + Field) => {
        kernel!(#[$cfg] $word, $token, field: Matrix256<$token>);
    };
    (#[$cfg:meta] $word:ident, $token:ident, $vector:ident) => {
        kernel!(
            #[$cfg]
            $word, $token, nibbles: $vector<$token>, { 128 / <$vector<$token> as Vector>::LEN }
        );
    };
    (#[$cfg:meta] $word:ident, $token:ident $([$met:ident => $others:ty])?, $batch:ident: $($parameter:tt)*) => {
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
                initial: &$batch::INITIAL,
                keys,
                blocks,
                finish,
            };

            enter!($word =>
                fn keys(state: &HashState) -> HashKeys {
                    // SAFETY: a kernel's functions are called only where `available()` is true.
                    let isa = unsafe { $token::assume() };
                    $batch::keys::<$($parameter)*>(isa, state)
                }
            );
            enter!($word =>
                fn blocks(keys: Option<&HashKeys>, lanes: &mut [HashLane<'_>]) {
                    // SAFETY: a kernel's functions are called only where `available()` is true.
                    let isa = unsafe { $token::assume() };
                    $(if super::$met() {
                        return $batch::blocks::<$others>(isa, keys, lanes);
                    })?
                    $batch::blocks::<$($parameter)*>(isa, keys, lanes);
                }
            );
            enter!($word =>
                fn finish(keys: Option<&HashKeys>, lanes: &mut [HashLane<'_>]) {
                    // SAFETY: a kernel's functions are called only where `available()` is true.
                    let isa = unsafe { $token::assume() };
                    $(if super::$met() {
                        return $batch::finish::<$others>(isa, keys, lanes);
                    })?
                    $batch::finish::<$($parameter)*>(isa, keys, lanes);
                }
            );
        }
    };
}

kernel!(
    #[cfg(target_arch = "x86_64")]
    gfni512, Gfni512 [whole => Matrix512<true>], field: Matrix512<false>
);

/// Returns whether moves cost less than waits.
#[cfg(target_arch = "x86_64")]
fn whole() -> bool {
    use crate::kernel::tuning::{Choice, form, takes};
    takes(const { form(Choice::StreebogSums, "whole") })
}

vector_sets!(kernel);
