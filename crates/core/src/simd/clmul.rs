//! PCLMULQDQ and VPCLMULQDQ: a product in each 128 bits of a vector; pshufb for the order of bytes.

use super::arch::*;
use super::{Clmul, Polynomials, Vpclmul256, Vpclmul512};

/// A sum of products over vectors: its name, token, vector and bytes, then its operations. `$part`
/// loads the part of a vector that exists, 8 bytes or a multiple, and zeros.
macro_rules! polynomials {
    (
        $(#[$doc:meta])* $name:ident, $isa:ident, $vector:ident, $len:literal,
        $zero:ident, $xor:ident, $clmul:ident, $shuffle:ident, $load:ident, $store:ident,
        $left:ident, $right:ident, $exchange:expr, $order:expr, $part:expr
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(crate) struct $name([$vector; 3]);

        impl $name {
            /// Bytes with the order of each `SIZE` of them reversed, so that the first is the highest.
            ///
            /// # Safety
            /// Where the instruction set is.
            #[inline(always)]
            unsafe fn load<const SIZE: usize>(bytes: &[u8]) -> $vector {
                // SAFETY: the caller has the instruction set; as many bytes are read as there are.
                unsafe {
                    let x = match bytes.first_chunk::<$len>() {
                        Some(bytes) => $load(bytes.as_ptr().cast()),
                        None => $part(bytes),
                    };
                    let order = if SIZE == 16 {
                        _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
                    } else {
                        _mm_set_epi8(8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7)
                    };
                    $shuffle(x, $order(order))
                }
            }

            /// In groups of 16 blocks, replaces each block after the first group by α^16 times the block 16 places
            /// before it, the first byte of a block being the lowest.
            #[inline(always)]
            pub(crate) fn powers(_: $isa, bytes: &mut [u8]) {
                let chunks = bytes.as_chunks_mut::<256>().0;
                let Some((first, others)) = chunks.split_first_mut() else { return };
                // SAFETY: the token proves the instruction set; vectors within 256 bytes are read and
                // written, unaligned.
                unsafe {
                    let by = $order(_mm_set_epi64x(0, 0x87));
                    let mut v = [$zero(); 256 / $len];
                    for i in 0..256 / $len {
                        v[i] = $load(first.as_ptr().add($len * i).cast());
                    }
                    for chunk in others {
                        for i in 0..256 / $len {
                            let over = $clmul::<0x00>($right::<14>(v[i]), by);
                            v[i] = $xor($left::<2>(v[i]), over);
                            $store(chunk.as_mut_ptr().add($len * i).cast(), v[i]);
                        }
                    }
                }
            }
        }

        impl Polynomials for $name {
            type Isa = $isa;
            const LEN: usize = $len;

            #[inline(always)]
            fn zero(_: $isa) -> Self {
                // SAFETY: the token proves the instruction set.
                $name(unsafe { [$zero(); 3] })
            }
            #[inline(always)]
            fn add_whole(self, h: &[u8], a: &[u8]) -> Self {
                let [low, middle, high] = self.0;
                // SAFETY: a value proves the instruction set.
                unsafe {
                    let (h, a) = (Self::load::<16>(h), Self::load::<16>(a));
                    let (both, and) = ($xor(h, $exchange(h)), $xor(a, $exchange(a)));
                    $name([
                        $xor(low, $clmul::<0x00>(h, a)),
                        $xor(middle, $clmul::<0x00>(both, and)),
                        $xor(high, $clmul::<0x11>(h, a)),
                    ])
                }
            }
            #[inline(always)]
            fn add_halves(self, h: &[u8], a: &[u8]) -> Self {
                let [low, middle, high] = self.0;
                // SAFETY: a value proves the instruction set.
                unsafe {
                    let (h, a) = (Self::load::<8>(h), Self::load::<8>(a));
                    // The parts hold two sums until they are read.
                    $name([
                        $xor(low, $clmul::<0x00>(h, a)),
                        middle,
                        $xor(high, $clmul::<0x11>(h, a)),
                    ])
                }
            }
            #[inline(always)]
            fn parts(self) -> [u128; 3] {
                let mut parts = [0; 3];
                for (part, x) in parts.iter_mut().zip(self.0) {
                    let mut lanes = [0u128; $len / 16];
                    // SAFETY: a value proves the instruction set; the vector is written, unaligned.
                    unsafe { $store(lanes.as_mut_ptr().cast(), x) };
                    for lane in lanes {
                        *part ^= lane;
                    }
                }
                let [low, middle, high] = parts;
                [low, low ^ middle ^ high, high]
            }
        }
    };
}

polynomials! {
    /// Low, middle and high parts of a sum of products, the middle part, until it is read, with the other two in it
    /// (Karatsuba: Zen 5 begins a product every two cycles, of any width); exists only where the instruction
    /// set does.
    Polynomials128, Clmul, __m128i, 16,
    _mm_setzero_si128, _mm_xor_si128, _mm_clmulepi64_si128, _mm_shuffle_epi8, _mm_loadu_si128,
    _mm_storeu_si128, _mm_bslli_si128, _mm_bsrli_si128, |x| _mm_shuffle_epi32::<0x4e>(x), |order| order, |part: &[u8]| _mm_loadl_epi64(part[..8].as_ptr().cast())
}

polynomials! {
    /// [`Polynomials128`], two side by side.
    Polynomials256, Vpclmul256, __m256i, 32,
    _mm256_setzero_si256, _mm256_xor_si256, _mm256_clmulepi64_epi128, _mm256_shuffle_epi8,
    _mm256_loadu_si256, _mm256_storeu_si256, _mm256_bslli_epi128, _mm256_bsrli_epi128,
    |x| _mm256_shuffle_epi32::<0x4e>(x),
    _mm256_broadcastsi128_si256, |part: &[u8]| {
        let words = _mm256_set1_epi64x((part.len() / 8) as i64);
        let mask = _mm256_cmpgt_epi64(words, _mm256_set_epi64x(3, 2, 1, 0));
        _mm256_maskload_epi64(part.as_ptr().cast(), mask)
    }
}

polynomials! {
    /// [`Polynomials128`], four side by side.
    Polynomials512, Vpclmul512, __m512i, 64,
    _mm512_setzero_si512, _mm512_xor_si512, _mm512_clmulepi64_epi128, _mm512_shuffle_epi8,
    _mm512_loadu_si512, _mm512_storeu_si512, _mm512_bslli_epi128, _mm512_bsrli_epi128,
    |x| _mm512_shuffle_epi32::<0x4e>(x),
    _mm512_broadcast_i32x4, |part: &[u8]| {
        let mask = (1 << (part.len() / 8)) - 1;
        _mm512_maskz_loadu_epi64(mask, part.as_ptr().cast())
    }
}
