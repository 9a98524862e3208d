//! E-MAG: sixteen blocks of Magma at once, in portable code, with AVX and with AVX2.
//!
//! Portable: sixteen independent chains of look-ups, for a machine of many units in one word. Vectors: the
//! octets of the sixteen sums are transposed, so that one vector has octet 0 of every block, the next octet 1,
//! and an S-box is one `pshufb` on all; with AVX2 a vector has two of these octets, with the tables of both.
//! The source prints no code; 32 shuffles of a round with AVX and 16 with AVX2 on one port are what its
//! figures amount to (32.4 and 14.4 cycles a round).

use crate::magma::{Keys, Order, g_octets, rounds_of_words};

/// Sixteen blocks by look-ups.
pub fn portable_vartime(keys: &Keys<16>, order: &Order, blocks: &mut [[u8; 8]; 16]) {
    rounds_of_words(keys, order, blocks, g_octets);
}

#[cfg(target_arch = "x86_64")]
pub use vectors::{avx_vartime, avx2_vartime};

#[cfg(target_arch = "x86_64")]
mod vectors {
    #![allow(unsafe_code)] // Entries of instruction sets.

    use std::arch::x86_64::_mm256_permute4x64_epi64;

    use crate::magma::{Keys, Order, PI};
    use crate::simd::{magma_on, wide128, wide256};

    /// A 4 x 4 table of octets in each 128 bits, transposed.
    const TRANSPOSED: [u8; 16] = [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15];
    /// The same, and then each dword rotated 8 bits to the left.
    const BACK: [u8; 16] = [12, 0, 4, 8, 13, 1, 5, 9, 14, 2, 6, 10, 15, 3, 7, 11];

    /// S-boxes of odd nibbles, at their place.
    const HIGH: [[u8; 16]; 4] = {
        let mut table = [[0; 16]; 4];
        let mut i = 0;
        while i < 64 {
            table[i / 16][i % 16] = PI[2 * (i / 16) + 1][i % 16] << 4;
            i += 1;
        }
        table
    };

    #[inline]
    #[target_feature(enable = "avx")]
    fn transposed(x: [wide128::V; 4]) -> [wide128::V; 4] {
        use wide128::{unpackhi32, unpackhi64, unpacklo32, unpacklo64};
        let [a, b] = [unpacklo32(x[0], x[1]), unpacklo32(x[2], x[3])];
        let [c, d] = [unpackhi32(x[0], x[1]), unpackhi32(x[2], x[3])];
        [unpacklo64(a, b), unpackhi64(a, b), unpacklo64(c, d), unpackhi64(c, d)]
    }

    #[inline]
    #[target_feature(enable = "avx")]
    fn g128(sums: [wide128::V; 4]) -> [wide128::V; 4] {
        use wide128::{and, or, set32, shuffle8, sll32, srl32, table};
        let nibbles = set32(0x0f0f_0f0f);
        let mut x = sums;
        for v in 0..4 {
            x[v] = shuffle8(sums[v], table(&TRANSPOSED));
        }
        let mut x = transposed(x);
        for i in 0..4 {
            let low = shuffle8(table(&PI[2 * i]), and(x[i], nibbles));
            let high = shuffle8(table(&HIGH[i]), and(srl32::<4>(x[i]), nibbles));
            x[i] = or(low, high);
        }
        let mut x = transposed(x);
        for v in 0..4 {
            let t = shuffle8(x[v], table(&BACK));
            x[v] = or(sll32::<3>(t), srl32::<29>(t));
        }
        x
    }

    /// Two S-boxes of octets, one for each 128 bits.
    const fn both(a: [u8; 16], b: [u8; 16]) -> [u8; 32] {
        let mut out = [0; 32];
        let mut i = 0;
        while i < 16 {
            (out[i], out[16 + i]) = (a[i], b[i]);
            i += 1;
        }
        out
    }

    const LOW_OF_TWO: [[u8; 32]; 2] = [both(PI[0], PI[2]), both(PI[4], PI[6])];
    const HIGH_OF_TWO: [[u8; 32]; 2] = [both(HIGH[0], HIGH[1]), both(HIGH[2], HIGH[3])];

    #[inline]
    #[target_feature(enable = "avx2")]
    fn g256(sums: [wide256::V; 2]) -> [wide256::V; 2] {
        use wide256::{
            and, cast, cast_ps, octets, or, set32, shuffle_ps, shuffle8, sll32, srl32, table,
            unpackhi32, unpacklo32,
        };
        let nibbles = set32(0x0f0f_0f0f);
        let x = shuffle8(sums[0], table(&TRANSPOSED));
        let y = shuffle8(sums[1], table(&TRANSPOSED));
        let mut two = [unpacklo32(x, y), unpackhi32(x, y)];
        for i in 0..2 {
            let x = _mm256_permute4x64_epi64::<0b11_01_10_00>(two[i]);
            let low = shuffle8(octets(&LOW_OF_TWO[i]), and(x, nibbles));
            let high = shuffle8(octets(&HIGH_OF_TWO[i]), and(srl32::<4>(x), nibbles));
            two[i] = _mm256_permute4x64_epi64::<0b11_01_10_00>(or(low, high));
        }
        let [p, q] = [cast_ps(two[0]), cast_ps(two[1])];
        let mut out = [cast(shuffle_ps::<0x88>(p, q)), cast(shuffle_ps::<0xdd>(p, q))];
        for v in 0..2 {
            let t = shuffle8(out[v], table(&BACK));
            out[v] = or(sll32::<3>(t), srl32::<29>(t));
        }
        out
    }

    magma_on!(
        /// Sixteen blocks, an octet of each in a vector.
        avx_vartime, wide128, "avx", 4, g128);
    magma_on!(
        /// Sixteen blocks, two octets of each in a vector.
        avx2_vartime, wide256, "avx2", 2, g256);
}
