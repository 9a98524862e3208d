//! The kernels of the vector sets below VBMI: their entries, and the layout for each call.
//!
//! Up to one group of words goes as words (`round.rs`), more blocks or streams as bytes (`bytes.rs`); with three-input
//! gates, whole batches under a known parameter set go as bit planes (`bitslice`).
//!
//! Cycles per byte of ECB by counted operations (32 rounds, and 56 or, for planes, 1280 to transpose)
//! over the ports of a Xeon with AMX, three of 128 or 256 bits or two of 512, and measured there:
//! - `ssse3`, `avx`: 50 a round for 16 blocks, 4.31; 4.47 and 4.27 to 4.36 (the compiler saves some).
//! - `avx2`: 50 for 32 blocks, 2.16; 2.21 to 2.24. `avx2gfni`: 46, 1.99; 2.11.
//! - `avx512`, own S-boxes: 41 for 64 blocks, 1.34; 1.62 to 1.67 with carries in masks, which have one
//!   port; now three look-ups, not measured there. Known sets: 143 gates for 512 blocks, 0.72; 0.92 (CTR
//!   0.64; 0.84), when batches went one by one: the carries are one chain of 31. Two side by side were not
//!   measured there.
//! - One chained stream on `avx2` (`sbox/spread.rs`): 20 a round, 9 of them in a row; 13 cycles on Zen 3, where words took 16.4.
#![allow(unsafe_code)]

use core::hint::black_box;

use super::bitslice::nibbles::Plane;
use super::bitslice::{self, OneKey};
#[cfg(target_arch = "x86_64")]
pub(super) use super::gfni512;
use super::lanes::{self as chains, Lane, Rule};
use super::round::Words;
use super::sbox::nibbles::Quads;
use super::sbox::spread::Spread;
use super::schedule::{ParamSet, Schedule, prepare};
use super::sections::{self, SectionKeys};
use super::{batch, bytes};
use crate::InOut;
use crate::cipher::{Chain, Count, Direction};
use crate::kernel::BlockKernel;
use crate::simd::{self, Vector};

type Half<V, const N: usize> = [[Plane<V>; 32]; N];
type Two<V, I, const N: usize> =
    unsafe fn(&mut Half<V, N>, &mut Half<V, N>, &OneKey<I>, [usize; 2]);

/// Declares a set's kernel: its word, its token, its vector; the token and the vector for fewer blocks, which differ where
/// the former is slow to fill; and whether gates have three inputs.
macro_rules! kernel {
    (#[$cfg:meta] avx512, $token:ident, $vector:ident) => {
        kernel!(#[$cfg] avx512, $token, $vector, Avx2, Bytes256, true);
    };
    (#[$cfg:meta] $word:ident, $token:ident, $vector:ident $(+ Field)?) => {
        kernel!(#[$cfg] $word, $token, $vector, $token, $vector, false);
    };
    (
        #[$cfg:meta]
        $word:ident, $token:ident, $vector:ident, $less:ident, $shorter:ident, $planes:literal
    ) => {
        #[$cfg]
        pub(super) mod $word {
            use super::*;
            type V = simd::$vector<simd::$token>;
            type Shorter = simd::$shorter<simd::$less>;
            /// Blocks of a group of words, of both vectors; of a group of bytes of the shorter one, if it
            /// is shorter.
            const FEW: usize = Quads::<V>::LANES;
            const FEWER: usize = Quads::<Shorter>::LANES;
            /// Bytes for which a batch of planes pays: more than four groups' are.
            const PAD: usize = 4 * 8 * V::LEN + 8;
            /// Bytes for which two batches pay.
            const PAD_TWO: usize = 64 * V::LEN + PAD;
            const SHORT: usize = if Shorter::LEN < V::LEN { Shorter::LEN } else { 0 };

            pub(in crate::magma) const KERNEL: BlockKernel<Schedule, 8> = BlockKernel {
                name: simd::$token::WORD,
                available: simd::$token::available,
                prepare,
                schedules: None,
                map: Some(map),
                stream: Some(stream),
                lanes: Some(lanes),
                sections: if $planes { Some(sections) } else { None },
                products: None,
                next_keys: None,
            };

            enter!($word =>
                #[inline(never)]
                unsafe fn two<const SET: usize, const N: usize>(
                    a: &mut Half<V, N>,
                    b: &mut Half<V, N>,
                    keys: &OneKey<simd::$token>,
                    words: [usize; 2],
                ) {
                    bitslice::two::<Plane<V>, _, SET, N>(a, b, keys, words);
                }
            );

            /// Two rounds on planes of N batches, if there are circuits of the S-boxes, and text enough.
            #[inline(always)]
            fn circuits<const N: usize>(
                s: &Schedule,
                data: &InOut<'_, '_>,
            ) -> Option<
                impl Fn(&mut Half<V, N>, &mut Half<V, N>, &OneKey<simd::$token>, [usize; 2]) + use<N>,
            > {
                let all: [Two<V, simd::$token, N>; 8] = [
                    two::<0, N>, two::<1, N>, two::<2, N>, two::<3, N>,
                    two::<4, N>, two::<5, N>, two::<6, N>, two::<7, N>,
                ];
                let known = s.sboxes.known.filter(|_| $planes && data.len() >= PAD);
                known.map(|set| {
                    let two = all[usize::from(set)];
                    // SAFETY: the key's token proves the features.
                    move |a: &mut _, b: &mut _, keys: &_, words| unsafe { two(a, b, keys, words) }
                })
            }

            enter!($word =>
                unsafe fn map(s: &Schedule, direction: Direction, data: InOut<'_, '_>) {
                    // SAFETY: this function was entered through detection.
                    let isa = unsafe { simd::$token::assume() };
                    // SAFETY: every set has the features of its shorter one.
                    let less = unsafe { simd::$less::assume() };
                    match data.len() / 8 {
                        ..=FEWER => batch::map::<Quads<Shorter>>(less, s, direction, data),
                        n if n <= FEW => batch::map::<Quads<V>>(isa, s, direction, data),
                        n if n <= SHORT => bytes::map::<Shorter>(less, s, direction, data),
                        _ => {
                            let data = match circuits::<2>(s, &data) {
                                Some(two) => bitslice::map(isa, s, direction, data, PAD_TWO, two),
                                None => data,
                            };
                            let data = match circuits::<1>(s, &data) {
                                Some(one) => bitslice::map(isa, s, direction, data, PAD, one),
                                None => data,
                            };
                            bytes::map::<V>(isa, s, direction, data);
                        }
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
                    // SAFETY: every set has the features of its shorter one.
                    let less = unsafe { simd::$less::assume() };
                    match data.len() / 8 {
                        ..=FEWER => {
                            batch::stream::<Quads<Shorter>>(less, s, register, count, data)
                        }
                        n if n <= FEW => {
                            batch::stream::<Quads<V>>(isa, s, register, count, data)
                        }
                        n if n <= SHORT => {
                            bytes::stream::<Shorter>(less, s, register, count, data)
                        }
                        _ => {
                            let data = match circuits::<2>(s, &data) {
                                Some(two) => bitslice::stream(isa, s, register, count, data, PAD_TWO, two),
                                None => data,
                            };
                            let data = match circuits::<1>(s, &data) {
                                Some(one) => bitslice::stream(isa, s, register, count, data, PAD, one),
                                None => data,
                            };
                            bytes::stream::<V>(isa, s, register, count, data);
                        }
                    }
                }
            );
            enter!($word =>
                #[inline(never)]
                unsafe fn section_round(
                    a: &mut Half<V, 1>,
                    b: &mut Half<V, 1>,
                    keys: &SectionKeys<simd::$token>,
                    word: usize,
                ) {
                    const SET: usize = ParamSet::Tc26Z as usize;
                    bitslice::round::<Plane<V>, _, SET, 1>(black_box(a), b, black_box(keys), word);
                }
            );
            enter!($word =>
                /// Under the S-boxes of Magma, which CTR-ACPKM belongs to.
                unsafe fn sections(
                    s: &mut Schedule,
                    register: &mut [u8; 8],
                    section: usize,
                    data: InOut<'_, '_>,
                ) -> usize {
                    if s.sboxes.known != Some(ParamSet::Tc26Z as u8) {
                        return 0;
                    }
                    // SAFETY: this function was entered through detection.
                    let isa = unsafe { simd::$token::assume() };
                    // SAFETY: every set has the features of its shorter one.
                    let less = unsafe { simd::$less::assume() };
                    sections::stream::<Plane<V>, Quads<Shorter>>(
                        isa, less, s, register, section, data,
                        // SAFETY: the token that the keys hold proves the features.
                        |a, b, keys, word| unsafe { section_round(a, b, keys, word) },
                    )
                }
            );
            enter!($word =>
                unsafe fn lanes(chain: Chain, lanes: &mut [Lane<'_>]) {
                    // SAFETY: this function was entered through detection.
                    let isa = unsafe { simd::$token::assume() };
                    // SAFETY: every set has the features of its shorter one.
                    let less = unsafe { simd::$less::assume() };
                    let rule = Rule::of(chain);
                    let mut rest = lanes;
                    while !rest.is_empty() {
                        let (some, others) = rest.split_at_mut(chains::alike(rest));
                        match some.len() {
                            // Elsewhere `verification/prove` does not follow the compiled code.
                            1 if V::LEN == 32 => chains::one::<Spread<V>>(isa, rule, &mut some[0]),
                            ..=FEWER => chains::lanes::<Quads<Shorter>>(less, rule, some),
                            n if n <= FEW => chains::lanes::<Quads<V>>(isa, rule, some),
                            n if n <= SHORT => bytes::lanes::<Shorter>(less, rule, some),
                            _ => bytes::lanes::<V>(isa, rule, some),
                        }
                        rest = others;
                    }
                }
            );
        }
    };
}

vector_sets!(kernel);
