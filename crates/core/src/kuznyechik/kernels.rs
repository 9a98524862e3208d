//! The entries of the kernels, a module for each instruction set: `KERNEL` there is a row of the list in `mod.rs`.
//!
//! A function with vectors names its set in an attribute (`enter!`), so generic code of `batch`, `lanes` and `round` needs a
//! shell in each set. Four macros write the shells:
//!
//! | macro | writes |
//! |---|---|
//! | `entries!` | `KERNEL` and its functions. Begin here: each calls a driver over a type with [`Rounds`] |
//! | `kernel!` | that type, `Set`, for all sets but `gfni512`; the functions behind it are compiled once, not in each driver |
//! | `shared!` | methods of `Set`, and of `Vbmi` for `gfni512`, that only call a function |
//! | `slices!` | two of these functions |
#![allow(unsafe_code)]

use core::ops::Range;

use super::batch::{FewBlocks, FewKeys};
use super::round;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use super::sbox::gfni::Gfni;
use super::sbox::nibbles::Logs;
use super::sbox::places::{FirstTables, Places};
use super::sbox::{Half, Kappa, Rounds};
use super::schedule::vectors;
use super::{Schedule, batch, lanes};
use crate::InOut;
use crate::cipher::{Chain, Count, Direction, Lane};
use crate::kernel::{BlockKernel, NewKey};
use crate::simd::{self, align, apart};

/// Declares a set's kernel: its word, its token and its vectors. S is [`Gfni`] if these are a [`simd::Field`], else
/// [`Logs`].
macro_rules! kernel {
    (#[$cfg:meta] $word:ident, $token:ident, $vector:ident + Field) => {
        kernel!(#[$cfg] $word, $token, $vector, Gfni);
    };
    (#[$cfg:meta] $word:ident, $token:ident, $vector:ident) => {
        kernel!(#[$cfg] $word, $token, $vector, Logs);
    };
    (#[$cfg:meta] $word:ident, $token:ident, $vector:ident, $sbox:ident) => {
        #[$cfg]
        pub(super) mod $word {
            use super::*;
            use simd::$token;

            type S = $sbox<simd::$vector<$token>>;
            type Vectors = [simd::$vector<$token>; 16];

            #[derive(Clone, Copy)]
            struct Set;

            impl Rounds for Set {
                type S = S;
                #[inline(always)]
                fn encrypt(_: $token, v: &mut Vectors, keys: &FirstTables, rounds: Range<usize>) {
                    // SAFETY: the token proves the instruction set.
                    unsafe { encrypt_one(v, keys, rounds) }
                }
                #[inline(always)]
                fn decrypt(_: $token, v: &mut Vectors, keys: &FirstTables) {
                    // SAFETY: the token proves the instruction set.
                    unsafe { decrypt_one(v, keys) }
                }
                #[inline(always)]
                fn encrypt_each(_: $token, v: &mut Vectors, kappa: &Kappa) {
                    // SAFETY: the token proves the instruction set.
                    unsafe { encrypt_each(v, kappa) }
                }
                #[inline(always)]
                fn expand(_: $token, half: &mut Half, mixed: &mut Half, number: Option<u8>) {
                    // SAFETY: the token proves the instruction set.
                    unsafe { expand_one(half, mixed, number) }
                }
                shared!($token, Vectors, few, slice, unslice);
            }

            enter!($word =>
                fn encrypt_one(v: &mut Vectors, keys: &FirstTables, rounds: Range<usize>) {
                    // SAFETY: called only by `Set`, with the token.
                    let isa = unsafe { $token::assume() };
                    if !S::assembled(Direction::Encrypt, v, keys, rounds.clone()) {
                        align();
                        round::encrypt::<S>(isa, v, keys, rounds);
                    }
                }
            );
            enter!($word =>
                fn decrypt_one(v: &mut Vectors, keys: &FirstTables) {
                    // SAFETY: called only by `Set`, with the token.
                    let isa = unsafe { $token::assume() };
                    if !S::assembled(Direction::Decrypt, v, keys, 0..9) {
                        align();
                        round::decrypt::<S>(isa, v, keys);
                    }
                }
            );
            enter!($word =>
                fn encrypt_each(v: &mut Vectors, kappa: &Kappa) {
                    // SAFETY: called only by `Set`, with the token.
                    let isa = unsafe { $token::assume() };
                    align();
                    round::encrypt::<S>(isa, v, kappa, 0..9);
                }
            );
            enter!($word =>
                fn expand_one(half: &mut Half, mixed: &mut Half, number: Option<u8>) {
                    // SAFETY: called only by `Set`, with the token.
                    let isa = unsafe { $token::assume() };
                    align();
                    round::expand::<S>(isa, half, mixed, number);
                }
            );
            enter!($word =>
                fn few(direction: Direction, keys: &FewKeys, len: usize, x: &mut FewBlocks) {
                    align();
                    // SAFETY: called only by `Set`, with the token.
                    batch::few::<S>(unsafe { $token::assume() }, direction, keys, len, x);
                }
            );
            slices!($word, Vectors);
            entries!($word, $token, Set);
        }
    };
}

/// The functions of [`Rounds`] that every set has.
macro_rules! shared {
    ($token:ident, $vectors:ty, $few:expr, $slice:ident, $unslice:ident) => {
        #[inline(always)]
        fn few_blocks(
            _: $token,
            direction: Direction,
            keys: &FewKeys,
            len: usize,
            x: &mut FewBlocks,
        ) {
            let few: unsafe fn(Direction, &FewKeys, usize, &mut FewBlocks) = $few;
            // SAFETY: the token proves the instruction set.
            unsafe { apart(few)(direction, keys, len, x) }
        }
        #[inline(always)]
        fn sliced(v: &mut $vectors) {
            // SAFETY: vectors prove the instruction set.
            unsafe { apart($slice as unsafe fn(&mut $vectors))(v) }
        }
        #[inline(always)]
        fn unsliced(v: &mut $vectors) {
            // SAFETY: as above.
            unsafe { apart($unslice as unsafe fn(&mut $vectors))(v) }
        }
    };
}
#[cfg(target_arch = "x86_64")]
pub(in crate::kuznyechik) use shared;

/// The two layouts of a batch, for [`shared`].
macro_rules! slices {
    ($word:ident, $vectors:ty) => {
        enter!($word =>
            fn slice(v: &mut $vectors) {
                align();
                *v = round::sliced(*v);
            }
        );
        enter!($word =>
            fn unslice(v: &mut $vectors) {
                align();
                *v = round::unsliced(*v);
            }
        );
    };
}
#[cfg(target_arch = "x86_64")]
pub(in crate::kuznyechik) use slices;

/// Declares the list's entry over a set's rounds.
///
/// With `[schedule blocks gamma streams] => T` a call goes over the rounds T where its function here is true:
/// `schedule()` for one key's schedule, `blocks(bytes)` for independent blocks, `gamma(bytes)`, `streams(number)`. A set
/// with them has the entries `sections`, `products` and `next_keys`, too.
macro_rules! entries {
    (
        $word:ident, $token:ident, $rounds:ty
        $(, [$schedule:ident $blocks:ident $gamma:ident $streams:ident] => $others:ty)?
    ) => {
        pub(in super::super) const KERNEL: BlockKernel<Schedule, 16> = BlockKernel {
            name: $token::WORD,
            available: $token::available,
            prepare,
            schedules: Some(schedules),
            map: Some(map),
            stream: Some(stream),
            lanes: Some(lanes),
            sections: entries!(@ sections $($gamma)?),
            products: entries!(@ products $($gamma)?),
            next_keys: entries!(@ next_keys $($schedule)?),
        };
        enter!($word =>
            fn prepare(key: &[u8; 32], s: &mut Schedule) {
                // SAFETY: a kernel's functions are called only where `available()` is true.
                let isa = unsafe { $token::assume() };
                $(if $schedule() {
                    return vectors::prepare::<<$others as Rounds>::S>(isa, key, s);
                })?
                vectors::prepare::<<$rounds as Rounds>::S>(isa, key, s);
            }
        );
        enter!($word =>
            fn schedules(keys: &mut [NewKey<'_, Schedule>]) {
                // SAFETY: a kernel's functions are called only where `available()` is true.
                let isa = unsafe { $token::assume() };
                vectors::schedules::<$rounds>(isa, keys, |key, s| {
                    // SAFETY: as above.
                    unsafe { apart(prepare as unsafe fn(&[u8; 32], &mut Schedule))(key, s) }
                });
            }
        );
        enter!($word =>
            fn map(s: &Schedule, direction: Direction, data: InOut<'_, '_>) {
                // SAFETY: a kernel's functions are called only where `available()` is true.
                let isa = unsafe { $token::assume() };
                $(if $blocks(data.len()) {
                    return batch::map::<$others>(isa, s, direction, data);
                })?
                batch::map::<$rounds>(isa, s, direction, data);
            }
        );
        enter!($word =>
            fn stream(s: &Schedule, counter: &mut [u8; 16], count: Count, data: InOut<'_, '_>) {
                // SAFETY: a kernel's functions are called only where `available()` is true.
                let isa = unsafe { $token::assume() };
                $(if $gamma(data.len()) {
                    enter!($word =>
                        // In one frame with the other form, leaves might lie a page from spilled vectors
                        // (see `KeyWords` in `sbox/vbmi.rs`).
                        #[inline(never)]
                        fn stream_by_others(
                            isa: $token,
                            s: &Schedule,
                            counter: &mut [u8; 16],
                            count: Count,
                            data: InOut<'_, '_>,
                        ) {
                            batch::stream::<$others>(isa, s, counter, count, data);
                        }
                    );
                    return stream_by_others(isa, s, counter, count, data);
                })?
                batch::stream::<$rounds>(isa, s, counter, count, data);
            }
        );
        enter!($word =>
            fn lanes(chain: Chain, lanes: &mut [Lane<'_, Schedule, 16>]) {
                // SAFETY: a kernel's functions are called only where `available()` is true.
                let isa = unsafe { $token::assume() };
                $(if $streams(lanes.len()) {
                    return lanes::run::<$others>(isa, chain, lanes);
                })?
                lanes::run::<$rounds>(isa, chain, lanes);
            }
        );
    };
    (@ $f:ident) => { None };
    (@ $f:ident $met:ident) => { Some($f) };
}

/// The widest set: S looks up whole bytes. `gfni512.rs` has the conditions and the three further entries.
#[cfg(target_arch = "x86_64")]
pub(super) mod gfni512 {
    use super::*;
    use crate::kuznyechik::gfni512::{
        blocks, gamma, next_keys, products, schedule as one_schedule, sections, streams,
    };
    use crate::kuznyechik::sbox::vbmi::Vbmi;
    use simd::Gfni512;
    entries!(gfni512, Gfni512, Vbmi<false>,
        [one_schedule blocks gamma streams] => Vbmi<true>);
}

vector_sets!(kernel);
