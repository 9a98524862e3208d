//! The kernels: an entry for each instruction set.
#![allow(unsafe_code)]

use super::batch::{Groups, nibbles};
#[cfg(target_arch = "x86_64")]
use super::gfni512::{Columns512, Matrix512};
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use super::{
    batch::field,
    gfni256::{Columns256, Matrix256},
    lanes,
};

/// Declares a set's kernel: its word, its token, its driver and vectors, and the same for eight messages; others where a
/// condition is met.
macro_rules! kernel {
    (#[$cfg:meta] $word:ident, $token:ident, $vector:ident + Field) => {
        kernel!(#[$cfg] $word, $token, field[Matrix256<$token>], four: 4 of Columns256<$token>);
    };
    (#[$cfg:meta] $word:ident, $token:ident, $vector:ident) => {
        kernel!(
            #[$cfg]
            $word, $token, nibbles[$vector<$token>, { 128 / <$vector<$token> as Vector>::LEN }]
        );
    };
    (
        #[$cfg:meta] $word:ident, $token:ident, $driver:ident[$($vectors:tt)*]
        $(, $many:ident: $messages:literal of $columns:ty)? $(; $met:ident => [$others:ty])?
    ) => {
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
                initial: &$driver::INITIAL,
                keys,
                blocks,
                finish,
            };

            enter!($word =>
                fn keys(state: &HashState) -> HashKeys {
                    // SAFETY: a kernel's functions are called only where `available()` is true.
                    let isa = unsafe { $token::assume() };
                    $driver::keys::<$($vectors)*>(isa, state)
                }
            );
            enter!($word =>
                fn blocks(keys: Option<&HashKeys>, lanes: &mut [HashLane<'_>]) {
                    groups().blocks(keys, lanes);
                }
            );
            enter!($word =>
                fn finish(keys: Option<&HashKeys>, lanes: &mut [HashLane<'_>]) {
                    groups().finish(keys, lanes);
                }
            );
            enter!($word =>
                fn groups() -> Groups {
                    Groups { $($many: Some($many),)? two: Some(two), ..Groups::of(one) }
                }
            );
            hash!($word, $token, two, 2, $driver[$($vectors)*, 2] $(, $met => [$others, 2])?);
            hash!($word, $token, one, 1, $driver[$($vectors)*, 1] $(, $met => [$others, 1])?);
            $(hash!($word, $token, $many, $messages, lanes[$columns, $messages]);)?
        }
    };
}

/// Declares a function of [`Groups`].
macro_rules! hash {
    (
        $word:ident, $token:ident, $name:ident, $messages:literal, $driver:ident[$($vectors:tt)*]
        $(, $met:ident => [$($others:tt)*])?
    ) => {
        enter!($word =>
            #[inline(never)]
            fn $name(keys: Option<&HashKeys>, lanes: &mut [HashLane<'_>; $messages], counted: bool) {
                // SAFETY: a kernel's functions are called only where `available()` is true.
                let isa = unsafe { $token::assume() };
                align();
                $(if $met() {
                    return $driver::hash::<$($others)*>(isa, keys, lanes, counted);
                })?
                $driver::hash::<$($vectors)*>(isa, keys, lanes, counted);
            }
        );
    };
}

kernel!(
    #[cfg(target_arch = "x86_64")]
    gfni512, Gfni512, field[Matrix512<false>], eight: 8 of Columns512; whole => [Matrix512<true>]
);

/// Returns whether moves cost less than waits.
#[cfg(target_arch = "x86_64")]
fn whole() -> bool {
    use crate::kernel::tuning::{Choice, form, takes};
    takes(const { form(Choice::StreebogSums, "whole") })
}

vector_sets!(kernel);
