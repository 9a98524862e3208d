//! The kernels of the vector sets below AVX-512: their entries, and the layout for each call.
//!
//! Up to one group of words goes as words (`round.rs`), more blocks or streams as bytes (`bytes.rs`). `avx512` has planes,
//! too (`avx512.rs`).
//!
//! Cycles per byte of ECB by counted operations (32 rounds, and 56 to transpose) over the ports of a Xeon with AMX, three of
//! 128 or 256 bits or two of 512, and measured there:
//! - `ssse3`: 50 a round for 16 blocks, 4.31; 4.27 to 4.36 with three operands, 4.47 with two (the compiler saves some).
//! - `avx2`: 50 for 32 blocks, 2.16; 2.21 to 2.24. `avx2gfni`: 46, 1.99; 2.11.
//! - One chained stream on `avx2` (`sbox/spread.rs`): 20 a round, 9 of them in a row; 13 cycles on Zen 3, where words took 16.4.
#![allow(unsafe_code)]

use super::batch;
use super::bytes::{self, Group, Keys, NibbleTables, Sliced};
use super::lanes::{self as chains, Lane, Rule};
use super::round::Words;
use super::sbox::nibbles::Quads;
use super::sbox::spread::Spread;
use super::schedule::{Schedule, prepare};
// `kernels!` names the kernels as modules of this one.
#[cfg(target_arch = "x86_64")]
pub(super) use super::{avx512, gfni512};
use crate::InOut;
use crate::cipher::{Chain, Count, Direction};
use crate::kernel::BlockKernel;
use crate::simd::{self, align, apart};

/// Independent blocks.
#[inline(always)]
pub(super) fn map<V: Sliced>(isa: V::Isa, s: &Schedule, direction: Direction, data: InOut<'_, '_>) {
    if data.len() / 8 <= Quads::<V>::LANES {
        batch::map::<Quads<V>>(isa, s, direction, data);
    } else {
        bytes::map::<V>(isa, s, direction, data);
    }
}

/// Gamma from a counter.
#[inline(always)]
pub(super) fn stream<V: Sliced>(
    isa: V::Isa,
    s: &Schedule,
    register: &mut [u8; 8],
    count: Count,
    data: InOut<'_, '_>,
) {
    if data.len() / 8 <= Quads::<V>::LANES {
        batch::stream::<Quads<V>>(isa, s, register, count, data);
    } else {
        bytes::stream::<V>(isa, s, register, count, data);
    }
}

/// Chained streams.
#[inline(always)]
pub(super) fn lanes<V: Sliced>(isa: V::Isa, chain: Chain, lanes: &mut [Lane<'_>]) {
    let rule = Rule::of(chain);
    let mut rest = lanes;
    while !rest.is_empty() {
        let (some, others) = rest.split_at_mut(chains::alike(rest));
        match some.len() {
            // Only in 256 bits: `verification/prove` cannot follow the code that is compiled for other vectors.
            1 if V::LEN == 32 => chains::one::<Spread<V>>(isa, rule, &mut some[0]),
            n if n <= Quads::<V>::LANES => chains::lanes::<Quads<V>>(isa, rule, some),
            _ => bytes::lanes::<V>(isa, rule, some),
        }
        rest = others;
    }
}

/// Compiles the functions that the shapes of a set share.
macro_rules! sliced {
    ($word:ident, $token:ident, $vector:ty) => {
        enter!($word =>
            fn rounds(
                tables: &NibbleTables<$vector>,
                keys: Keys<'_, $vector>,
                x: &mut [Group<$vector>],
                direction: Direction,
                n: usize,
            ) {
                align();
                // SAFETY: called only by `Sliced`, with vectors.
                bytes::rounds(unsafe { simd::$token::assume() }, tables, keys, x, direction, n);
            }
        );
        enter!($word =>
            fn load_tile(tile: &mut [$vector; 16], bytes: &[u8]) {
                align();
                // SAFETY: as above.
                bytes::load_tile(unsafe { simd::$token::assume() }, tile, bytes);
            }
        );
        enter!($word =>
            fn store_tile(tile: &mut [$vector; 16], bytes: &mut [u8]) {
                align();
                bytes::store_tile(tile, bytes);
            }
        );
        #[allow(unused_unsafe)] // on WebAssembly the build has the features
        impl Sliced for $vector {
            #[inline(always)]
            fn rounds(
                tables: &NibbleTables<Self>,
                keys: Keys<'_, Self>,
                x: &mut [Group<Self>],
                direction: Direction,
                n: usize,
            ) {
                // SAFETY: the vectors prove the features.
                unsafe { rounds(tables, keys, x, direction, n) }
            }
            #[inline(always)]
            fn load_tile(_: simd::$token, tile: &mut [Self; 16], bytes: &[u8]) {
                // SAFETY: the token proves the features.
                unsafe { apart(load_tile as unsafe fn(&mut [Self; 16], &[u8]))(tile, bytes) }
            }
            #[inline(always)]
            fn store_tile(tile: &mut [Self; 16], bytes: &mut [u8]) {
                // SAFETY: the vectors prove the features.
                unsafe { apart(store_tile as unsafe fn(&mut [Self; 16], &mut [u8]))(tile, bytes) }
            }
        }
    };
}
#[cfg(target_arch = "x86_64")]
pub(super) use sliced;

/// Declares a set's kernel: its word, its token, its vector.
macro_rules! kernel {
    // Its kernel is in `avx512.rs`, with planes, too.
    (#[$cfg:meta] avx512, $token:ident, $vector:ident) => {};
    (#[$cfg:meta] $word:ident, $token:ident, $vector:ident $(+ Field)?) => {
        #[$cfg]
        pub(super) mod $word {
            use super::*;
            type V = simd::$vector<simd::$token>;

            pub(in crate::magma) const KERNEL: BlockKernel<Schedule, 8> = BlockKernel {
                name: simd::$token::WORD,
                available: simd::$token::available,
                prepare,
                schedules: None,
                map: Some(map),
                stream: Some(stream),
                lanes: Some(lanes),
                sections: None,
                products: None,
                next_keys: None,
            };

            sliced!($word, $token, V);
            enter!($word =>
                pub(in crate::magma) unsafe fn map(s: &Schedule, direction: Direction, data: InOut<'_, '_>) {
                    // SAFETY: this function was entered through detection.
                    super::map::<V>(unsafe { simd::$token::assume() }, s, direction, data);
                }
            );
            enter!($word =>
                pub(in crate::magma) unsafe fn stream(
                    s: &Schedule,
                    register: &mut [u8; 8],
                    count: Count,
                    data: InOut<'_, '_>,
                ) {
                    // SAFETY: this function was entered through detection.
                    super::stream::<V>(unsafe { simd::$token::assume() }, s, register, count, data);
                }
            );
            enter!($word =>
                pub(in crate::magma) unsafe fn lanes(chain: Chain, lanes: &mut [Lane<'_>]) {
                    // SAFETY: this function was entered through detection.
                    super::lanes::<V>(unsafe { simd::$token::assume() }, chain, lanes);
                }
            );
        }
    };
}

vector_sets!(kernel);
