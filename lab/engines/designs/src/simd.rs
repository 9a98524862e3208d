//! Vectors of 128 and of 256 bits under one set of names, so that a design is written once for both.
//!
//! `wide128` needs AVX (its three-operand forms; the integer instructions themselves end at 128 bits there),
//! `wide256` AVX2. Halves of blocks are dwords: [`load`](wide128::load) gives a_1 and a_0 of
//! consecutive blocks of Magma, in order.
#![allow(unsafe_code)] // Intrinsics that read and write memory; each has the length in its type.

use std::arch::x86_64::{__m128i, __m256i, _mm256_broadcastsi128_si256, _mm256_permute4x64_epi64};

macro_rules! wide {
    ($name:ident, $feature:literal, $lanes:literal, $V:ident, $($intrinsic:ident $op:ident)*;
     $order:ident $table:ident $read:ident $write:ident) => {
        pub mod $name {
            use super::$order;
            pub use std::arch::x86_64::{$V as V, $($intrinsic as $op),*};
            use std::arch::x86_64::{$read, $write};

            /// Dwords in one vector.
            pub const LANES: usize = $lanes;

            #[inline]
            #[target_feature(enable = $feature)]
            pub fn bytes(from: &[u8; 4 * LANES]) -> V {
                // SAFETY: the array is as long as the vector; no alignment is asked for.
                unsafe { $read(from.as_ptr().cast()) }
            }

            #[inline]
            #[target_feature(enable = $feature)]
            pub fn words(from: &[u32; LANES]) -> V {
                // SAFETY: the array is as long as the vector; no alignment is asked for.
                unsafe { $read(from.as_ptr().cast()) }
            }

            #[inline]
            #[target_feature(enable = $feature)]
            pub fn to_bytes(x: V, to: &mut [u8; 4 * LANES]) {
                // SAFETY: the array is as long as the vector; no alignment is asked for.
                unsafe { $write(to.as_mut_ptr().cast(), x) }
            }

            /// Repeats 16 bytes in each 128 bits.
            #[inline]
            #[target_feature(enable = $feature)]
            pub fn table(of: &[u8; 16]) -> V {
                // SAFETY: the array has the 16 bytes that are read.
                let x = unsafe { std::arch::x86_64::_mm_loadu_si128(of.as_ptr().cast()) };
                super::$table(x)
            }

            /// Bytes of each dword the other way round.
            #[inline]
            #[target_feature(enable = $feature)]
            fn swapped(x: V) -> V {
                shuffle8(x, table(&[3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12]))
            }

            /// a_1 and a_0 of consecutive blocks, in order.
            #[inline]
            #[target_feature(enable = $feature)]
            pub fn load(blocks: &[[u8; 8]; LANES]) -> [V; 2] {
                let (halves, _) = blocks.as_flattened().as_chunks();
                let [x, y] = [swapped(bytes(&halves[0])), swapped(bytes(&halves[1]))];
                let (x, y) = (cast_ps(x), cast_ps(y));
                let [a1, a0] = [shuffle_ps::<0x88>(x, y), shuffle_ps::<0xdd>(x, y)];
                [$order(cast(a1)), $order(cast(a0))]
            }

            /// Undoes [`load`].
            #[inline]
            #[target_feature(enable = $feature)]
            pub fn store(a: [V; 2], blocks: &mut [[u8; 8]; LANES]) {
                let [a1, a0] = [$order(a[0]), $order(a[1])];
                let (halves, _) = blocks.as_flattened_mut().as_chunks_mut();
                to_bytes(swapped(unpacklo32(a1, a0)), &mut halves[0]);
                to_bytes(swapped(unpackhi32(a1, a0)), &mut halves[1]);
            }

            /// Rotates each dword 11 bits to the left.
            #[inline]
            #[target_feature(enable = $feature)]
            pub fn rotate11(x: V) -> V {
                or(sll32::<11>(x), srl32::<21>(x))
            }
        }
    };
}

wide!(wide128, "avx", 4, __m128i,
    _mm_add_epi32 add32 _mm_and_si128 and _mm_or_si128 or _mm_xor_si128 xor
    _mm_shuffle_epi8 shuffle8 _mm_slli_epi32 sll32 _mm_srli_epi32 srl32
    _mm_set1_epi32 set32 _mm_blend_epi16 blend16 _mm_blendv_epi8 blend8
    _mm_unpacklo_epi8 unpacklo8 _mm_unpackhi_epi8 unpackhi8
    _mm_unpacklo_epi16 unpacklo16 _mm_unpackhi_epi16 unpackhi16
    _mm_unpacklo_epi32 unpacklo32 _mm_unpackhi_epi32 unpackhi32
    _mm_unpacklo_epi64 unpacklo64 _mm_unpackhi_epi64 unpackhi64
    _mm_castsi128_ps cast_ps _mm_castps_si128 cast _mm_shuffle_ps shuffle_ps;
    as_it_is as_it_is _mm_loadu_si128 _mm_storeu_si128);

wide!(wide256, "avx2", 8, __m256i,
    _mm256_add_epi32 add32 _mm256_and_si256 and _mm256_or_si256 or _mm256_xor_si256 xor
    _mm256_shuffle_epi8 shuffle8 _mm256_slli_epi32 sll32 _mm256_srli_epi32 srl32
    _mm256_set1_epi32 set32 _mm256_blend_epi16 blend16 _mm256_blendv_epi8 blend8
    _mm256_unpacklo_epi8 unpacklo8 _mm256_unpackhi_epi8 unpackhi8
    _mm256_unpacklo_epi16 unpacklo16 _mm256_unpackhi_epi16 unpackhi16
    _mm256_unpacklo_epi32 unpacklo32 _mm256_unpackhi_epi32 unpackhi32
    _mm256_unpacklo_epi64 unpacklo64 _mm256_unpackhi_epi64 unpackhi64
    _mm256_castsi256_ps cast_ps _mm256_castps_si256 cast _mm256_shuffle_ps shuffle_ps;
    across twice _mm256_loadu_si256 _mm256_storeu_si256);

/// The middle quarters exchanged: this puts the result of `shuffle_ps`, which is by 128 bits, in order over all 256.
#[inline]
#[target_feature(enable = "avx2")]
fn across(x: __m256i) -> __m256i {
    _mm256_permute4x64_epi64::<0b11_01_10_00>(x)
}

#[inline]
#[target_feature(enable = "avx")]
fn as_it_is(x: __m128i) -> __m128i {
    x
}

#[inline]
#[target_feature(enable = "avx2")]
fn twice(x: __m128i) -> __m256i {
    _mm256_broadcastsi128_si256(x)
}

/// A design of Magma on vectors: `$entry` has the type [`Many`](crate::magma::Many); `$g` maps the sums of all
/// vectors to the terms for the other halves.
macro_rules! magma_on {
    ($(#[$doc:meta])* $entry:ident, $wide:ident, $feature:literal, $vectors:literal, $g:path) => {
        $(#[$doc])*
        pub fn $entry(
            keys: &Keys<{ $wide::LANES * $vectors }>,
            order: &Order,
            blocks: &mut [[u8; 8]; $wide::LANES * $vectors],
        ) {
            #[target_feature(enable = $feature)]
            fn inner(
                keys: &Keys<{ $wide::LANES * $vectors }>,
                order: &Order,
                blocks: &mut [[u8; 8]; $wide::LANES * $vectors],
            ) {
                use $wide::{LANES, add32, load, set32, store, words, xor};
                let (groups, _) = blocks.as_chunks_mut::<LANES>();
                let mut a1 = [set32(0); $vectors];
                let mut a0 = a1;
                for v in 0..$vectors {
                    [a1[v], a0[v]] = load(&groups[v]);
                }
                for pair in order {
                    for i in pair {
                        let (k, _) = keys.0[i & 7].as_chunks::<LANES>();
                        let mut sum = a0;
                        for v in 0..$vectors {
                            sum[v] = add32(a0[v], words(&k[v]));
                        }
                        let sum = $g(sum);
                        for v in 0..$vectors {
                            (a1[v], a0[v]) = (a0[v], xor(a1[v], sum[v]));
                        }
                    }
                }
                for v in 0..$vectors {
                    store([a0[v], a1[v]], &mut groups[v]);
                }
            }
            // SAFETY: the list has this design only where its instructions were detected.
            unsafe { inner(keys, order, blocks) }
        }
    };
}
pub(crate) use magma_on;
