//! Vectors on AVX-512 with VBMI and GFNI.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use super::bytes::Bytes;
use super::constants::aes;
use super::sbox::vbmi::Table;
use crate::simd::Gfni512;

/// x1 ^ x2 ^ x3 as a ternary truth table.
const XOR3: i32 = 0x96;

/// 64 bytes; exists only where the instruction set does. Look-ups are by pairs of `Table`'s
/// parts, or by each part.
#[derive(Clone, Copy)]
pub(super) struct Vbmi512<const PAIRS: bool>(__m512i);

impl<const PAIRS: bool> Bytes for Vbmi512<PAIRS> {
    type Isa = Gfni512;
    const PAIRS: bool = PAIRS;

    #[inline(always)]
    fn load(_: Gfni512, octets: &[u8], i: usize) -> Self {
        let octets = &octets[64 * i..64 * i + 64];
        // SAFETY: the token proves the instruction set; 64 bytes are read, unaligned.
        Vbmi512(unsafe { _mm512_loadu_si512(octets.as_ptr().cast()) })
    }
    #[inline(always)]
    fn store(self, octets: &mut [u8], i: usize) {
        let octets = &mut octets[64 * i..64 * i + 64];
        // SAFETY: a value proves the instruction set; 64 bytes are written, unaligned.
        unsafe { _mm512_storeu_si512(octets.as_mut_ptr().cast(), self.0) }
    }
    #[inline(always)]
    fn gather(_: Gfni512, blocks: [&[u8; 16]; 4]) -> Self {
        // SAFETY: the token proves the instruction set; 16 bytes are read at each place, unaligned.
        unsafe {
            let a = _mm512_castsi128_si512(_mm_loadu_si128(blocks[0].as_ptr().cast()));
            let a = _mm512_inserti32x4::<1>(a, _mm_loadu_si128(blocks[1].as_ptr().cast()));
            let a = _mm512_inserti32x4::<2>(a, _mm_loadu_si128(blocks[2].as_ptr().cast()));
            let a = _mm512_inserti32x4::<3>(a, _mm_loadu_si128(blocks[3].as_ptr().cast()));
            Vbmi512(a)
        }
    }
    #[inline(always)]
    fn repeat(_: Gfni512, block: &[u8; 16]) -> Self {
        // SAFETY: the token proves the instruction set; 16 bytes are read, unaligned.
        Vbmi512(unsafe { _mm512_broadcast_i32x4(_mm_loadu_si128(block.as_ptr().cast())) })
    }
    #[inline(always)]
    fn store_one(self, block: &mut [u8; 16]) {
        // SAFETY: a value proves the instruction set; 16 bytes are written, unaligned.
        unsafe { _mm_storeu_si128(block.as_mut_ptr().cast(), _mm512_castsi512_si128(self.0)) }
    }
    #[inline(always)]
    fn word(_: Gfni512, word: &u32) -> Self {
        // SAFETY: the token proves the instruction set.
        Vbmi512(unsafe { _mm512_set1_epi32(*word as i32) })
    }
    #[inline(always)]
    fn store_words(self, words: &mut [u32; 16]) {
        // SAFETY: a value proves the instruction set; 64 bytes are written, unaligned.
        unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), self.0) }
    }
    #[inline(always)]
    fn xor(self, b: Self) -> Self {
        // SAFETY: a value proves the instruction set.
        Vbmi512(unsafe { _mm512_xor_si512(self.0, b.0) })
    }
    #[inline(always)]
    fn xor3(self, b: Self, c: Self) -> Self {
        // SAFETY: a value proves the instruction set.
        Vbmi512(unsafe { _mm512_ternarylogic_epi32::<XOR3>(self.0, b.0, c.0) })
    }
    #[inline(always)]
    fn add(self, b: Self) -> Self {
        // SAFETY: a value proves the instruction set.
        Vbmi512(unsafe { _mm512_add_epi8(self.0, b.0) })
    }
    #[inline(always)]
    fn less(self, b: Self) -> Self {
        // SAFETY: a value proves the instruction set.
        Vbmi512(unsafe { _mm512_movm_epi8(_mm512_cmplt_epu8_mask(self.0, b.0)) })
    }
    #[inline(always)]
    fn xor_masked(self, b: Self, mask: Self) -> Self {
        // x ^ (b & mask) as a ternary truth table is 0x78.
        // SAFETY: a value proves the instruction set.
        Vbmi512(unsafe { _mm512_ternarylogic_epi32::<0x78>(self.0, b.0, mask.0) })
    }
    #[inline(always)]
    fn octet(_: Gfni512, octet: u8) -> Self {
        // SAFETY: the token proves the instruction set.
        Vbmi512(unsafe { _mm512_set1_epi8(octet as i8) })
    }
    #[inline(always)]
    fn affine(self, matrix: &u64) -> Self {
        // SAFETY: a value proves the instruction set.
        unsafe {
            let m = _mm512_set1_epi64(*matrix as i64);
            Vbmi512(_mm512_gf2p8affine_epi64_epi8::<0>(self.0, m))
        }
    }
    #[inline(always)]
    fn times(self, by: &aes::Octets) -> Self {
        // SAFETY: a value proves the instruction set; 64 bytes are read.
        unsafe {
            let by = _mm512_loadu_si512(by.0.as_ptr().cast());
            Vbmi512(_mm512_gf2p8mul_epi8(self.0, by))
        }
    }
    #[inline(always)]
    fn shuffled(self, indices: &aes::Octets) -> Self {
        // SAFETY: a value proves the instruction set; 64 bytes are read.
        unsafe {
            let indices = _mm512_loadu_si512(indices.0.as_ptr().cast());
            Vbmi512(_mm512_shuffle_epi8(self.0, indices))
        }
    }
    #[inline(always)]
    fn rotated<const D: i32>(self) -> Self {
        // SAFETY: a value proves the instruction set.
        Vbmi512(unsafe { _mm512_alignr_epi8::<D>(self.0, self.0) })
    }
    #[inline(always)]
    fn folded(self, e: Self) -> Self {
        // SAFETY: a value proves the instruction set.
        unsafe {
            let s = _mm512_xor_si512(self.0, _mm512_shuffle_i64x2::<0x4e>(self.0, self.0));
            Vbmi512(s).xor3(Vbmi512(_mm512_shuffle_i64x2::<0xb1>(s, s)), e)
        }
    }
    #[inline(always)]
    fn mixed_half(self, rotations: &[aes::Octets; 4], split: &[aes::Octets; 4], e: Self) -> Self {
        // SAFETY: a value proves the instruction set; 32 bytes are read at 0 and 32 of 64.
        unsafe {
            let half =
                |x: &aes::Octets, i| _mm256_loadu_si256(x.0.as_ptr().cast::<__m256i>().add(i));
            let x = _mm512_castsi512_si256(self.0);
            // No `map`: its closure is not inlined in every build.
            let [ra, rb, rc, rd] = rotations;
            let (a, b) = (_mm256_shuffle_epi8(x, half(ra, 0)), _mm256_shuffle_epi8(x, half(rb, 0)));
            let (c, d) = (_mm256_shuffle_epi8(x, half(rc, 0)), _mm256_shuffle_epi8(x, half(rd, 0)));
            let times = |x, n: usize, i| _mm256_gf2p8mul_epi8(x, half(&split[n], i));
            let xor3 = |a, b, c| _mm256_ternarylogic_epi32::<XOR3>(a, b, c);
            let p = _mm256_xor_si256(times(a, 0, 0), times(b, 1, 0));
            let q = _mm256_xor_si256(times(c, 2, 0), times(d, 3, 0));
            // By eight bytes more: not a second shuffle by index, for which the products' ports are wanted.
            let (a, b) = (_mm256_shuffle_epi32::<0x4e>(a), _mm256_shuffle_epi32::<0x4e>(b));
            let (c, d) = (_mm256_shuffle_epi32::<0x4e>(c), _mm256_shuffle_epi32::<0x4e>(d));
            let p = xor3(p, times(a, 0, 1), times(b, 1, 1));
            let q = xor3(q, times(c, 2, 1), times(d, 3, 1));
            // Each with its halves exchanged, or the sum of both so; a shuffle of one vector with itself
            // the compiler makes one that takes a cycle more.
            let r = _mm256_permute2x128_si256::<0x21>(p, q);
            let s = _mm256_permute2x128_si256::<0x21>(q, p);
            let sum = xor3(p, q, _mm512_castsi512_si256(e.0));
            Vbmi512(_mm512_castsi256_si512(xor3(r, s, sum)))
        }
    }
    #[inline(always)]
    fn lookup(self, table: &Table, plus: Self) -> Self {
        // SAFETY: a value proves the instruction set; a table has four times 64 bytes, aligned.
        unsafe {
            let t = table.0.as_ptr().cast::<__m512i>();
            if PAIRS {
                // By the low seven bits; where bit 7 is set, plus what is different there, else plus the
                // byte itself, which vpermi2b leaves where its mask is not set.
                let (t0, t1) = (_mm512_load_si512(t), _mm512_load_si512(t.add(1)));
                let (t2, t3) = (_mm512_load_si512(t.add(2)), _mm512_load_si512(t.add(3)));
                let y = Vbmi512(_mm512_permutex2var_epi8(t0, self.0, t1));
                let bit7 = _mm512_movepi8_mask(self.0);
                let z = Vbmi512(_mm512_mask2_permutex2var_epi8(t2, self.0, bit7, t3));
                return y.xor3(z, plus);
            }
            // By the low six bits: what bit 6 chooses, and what that differs by where bit 7 is set, or
            // neither bit. So no mask of both bits is needed, and the sum has room for `plus`. (Given the mask
            // of bit 6 set, the compiler inverts it to this one and spends a move on zeros.)
            let no6 = _mm512_testn_epi8_mask(self.0, _mm512_set1_epi8(0x40));
            let bit7 = _mm512_movepi8_mask(self.0);
            let y = _mm512_permutexvar_epi8(self.0, _mm512_load_si512(t));
            let y = _mm512_mask_permutexvar_epi8(y, no6, self.0, _mm512_load_si512(t.add(1)));
            let z = _mm512_maskz_permutexvar_epi8(no6, self.0, _mm512_load_si512(t.add(2)));
            let z = _mm512_mask_permutexvar_epi8(z, bit7, self.0, _mm512_load_si512(t.add(3)));
            Vbmi512(y).xor3(Vbmi512(z), plus)
        }
    }
    #[inline(always)]
    fn substituted(self, table: &[Self; 4]) -> Self {
        // SAFETY: a value proves the instruction set.
        unsafe {
            let low = _mm512_permutex2var_epi8(table[0].0, self.0, table[1].0);
            let high = _mm512_permutex2var_epi8(table[2].0, self.0, table[3].0);
            Vbmi512(_mm512_mask_mov_epi8(low, _mm512_movepi8_mask(self.0), high))
        }
    }
    #[inline(always)]
    fn substituted_half(self, table: &[Self; 4]) -> Self {
        // SAFETY: a value proves the instruction set.
        unsafe {
            let low = _mm512_permutex2var_epi8(table[0].0, self.0, table[1].0);
            let high = _mm512_permutex2var_epi8(table[2].0, self.0, table[3].0);
            // All bits where bit 7 is clear, and that long before the look-ups end.
            let clear = _mm256_shuffle_epi8(_mm256_set1_epi8(-1), _mm512_castsi512_si256(self.0));
            let (low, high) = (_mm512_castsi512_si256(low), _mm512_castsi512_si256(high));
            // What `clear` has of `low` and the rest of `high` as a ternary truth table is 0xe4.
            let y = _mm256_ternarylogic_epi32::<0xe4>(low, high, clear);
            Vbmi512(_mm512_castsi256_si512(y))
        }
    }
    #[inline(always)]
    fn transposed(mut v: [Self; 16]) -> [Self; 16] {
        for _ in 0..4 {
            let u = v;
            for i in 0..8 {
                let (a, b) = (u[i].0, u[i + 8].0);
                // SAFETY: a value proves the instruction set.
                unsafe {
                    v[2 * i] = Vbmi512(_mm512_unpacklo_epi8(a, b));
                    v[2 * i + 1] = Vbmi512(_mm512_unpackhi_epi8(a, b));
                }
            }
        }
        v
    }
    #[inline(always)]
    #[allow(clippy::pointers_in_nomem_asm_block)] // nothing is read through it there
    fn fresh<T>(x: &T) -> &T {
        let mut p: *const T = x;
        // Not `pure`, or it would be done once before the loop it stands in.
        // SAFETY: nothing happens; the pointer comes out as it went in, so it is still the reference.
        unsafe {
            core::arch::asm!("/* {0} */", inout(reg) p, options(nomem, nostack, preserves_flags));
            &*p
        }
    }
}
