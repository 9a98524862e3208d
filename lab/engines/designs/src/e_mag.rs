//! E-MAG: sixteen blocks of Magma at once, in portable code, with AVX and with AVX2.
//!
//! Portable: sixteen independent chains of look-ups, for a machine of many units in one word. Vectors: the
//! bytes of the sums are transposed, so that one vector has byte 0 of every block, the next byte 1, and an
//! S-box is one `pshufb` on all of them; the way back turns by 8 of the 11 bits. With AVX these are sixteen
//! blocks in four vectors; with AVX2 thirty-two in four, or sixteen in two, the tables of two bytes in one
//! vector. The source prints no code; its figures leave room for 28 shuffles of a round on one port
//! (32.4 cycles a round of sixteen blocks with AVX, 28.8 of thirty-two with AVX2).

use crate::magma::{Keys, Order, g_bytes, rounds_of_words};

/// Sixteen blocks by look-ups.
pub fn portable_vartime(keys: &Keys<16>, order: &Order, blocks: &mut [[u8; 8]; 16]) {
    rounds_of_words(keys, order, blocks, g_bytes);
}

#[cfg(target_arch = "x86_64")]
pub use vectors::{avx_vartime, avx2_of_32_vartime, avx2_vartime};

#[cfg(target_arch = "x86_64")]
mod vectors {
    #![allow(unsafe_code)] // Entries of instruction sets.

    use std::arch::x86_64::_mm256_permute4x64_epi64;

    use crate::magma::{HIGH, Keys, LOW, Order};
    use crate::simd::{magma_on, wide128, wide256};

    /// A 4 x 4 table of bytes, transposed.
    const TRANSPOSED: [u8; 16] = [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15];
    /// The same, and then each dword rotated 8 bits to the left.
    const BACK: [u8; 16] = [12, 0, 4, 8, 13, 1, 5, 9, 14, 2, 6, 10, 15, 3, 7, 11];

    macro_rules! g {
        ($name:ident, $wide:ident, $feature:literal) => {
            #[inline]
            #[target_feature(enable = $feature)]
            fn $name(sums: [$wide::V; 4]) -> [$wide::V; 4] {
                use $wide::{
                    and, or, set32, shuffle8, sll32, srl32, table, unpackhi8, unpackhi16,
                    unpackhi32, unpackhi64, unpacklo8, unpacklo16, unpacklo32, unpacklo64,
                };
                let nibbles = set32(0x0f0f_0f0f);
                let mut x = sums;
                for v in 0..4 {
                    x[v] = shuffle8(sums[v], table(&TRANSPOSED));
                }
                let [a, b] = [unpacklo32(x[0], x[1]), unpacklo32(x[2], x[3])];
                let [c, d] = [unpackhi32(x[0], x[1]), unpackhi32(x[2], x[3])];
                let mut byte =
                    [unpacklo64(a, b), unpackhi64(a, b), unpacklo64(c, d), unpackhi64(c, d)];
                for i in 0..4 {
                    let low = shuffle8(table(&LOW[i]), and(byte[i], nibbles));
                    byte[i] = or(low, shuffle8(table(&HIGH[i]), and(srl32::<4>(byte[i]), nibbles)));
                }
                // Byte 3 first: eight of the eleven bits.
                let [b, c, d, a] = byte;
                let [e, f] = [unpacklo8(a, b), unpackhi8(a, b)];
                let [g, h] = [unpacklo8(c, d), unpackhi8(c, d)];
                let mut out =
                    [unpacklo16(e, g), unpackhi16(e, g), unpacklo16(f, h), unpackhi16(f, h)];
                for v in 0..4 {
                    out[v] = or(sll32::<3>(out[v]), srl32::<29>(out[v]));
                }
                out
            }
        };
    }
    g!(g128, wide128, "avx");
    g!(g256, wide256, "avx2");

    /// Two S-boxes of bytes, one for each 128 bits.
    const fn both(a: [u8; 16], b: [u8; 16]) -> [u8; 32] {
        let mut out = [0; 32];
        let mut i = 0;
        while i < 16 {
            (out[i], out[16 + i]) = (a[i], b[i]);
            i += 1;
        }
        out
    }

    const LOW_OF_TWO: [[u8; 32]; 2] = [both(LOW[0], LOW[1]), both(LOW[2], LOW[3])];
    const HIGH_OF_TWO: [[u8; 32]; 2] = [both(HIGH[0], HIGH[1]), both(HIGH[2], HIGH[3])];

    /// Sixteen blocks: bytes 0 and 1 in the halves of one vector, 2 and 3 in those of the other.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn g256_of_two(sums: [wide256::V; 2]) -> [wide256::V; 2] {
        use wide256::{
            and, bytes, cast, cast_ps, or, set32, shuffle_ps, shuffle8, sll32, srl32, table,
            unpackhi32, unpacklo32,
        };
        let nibbles = set32(0x0f0f_0f0f);
        let x = shuffle8(sums[0], table(&TRANSPOSED));
        let y = shuffle8(sums[1], table(&TRANSPOSED));
        let mut two = [unpacklo32(x, y), unpackhi32(x, y)];
        for i in 0..2 {
            let x = _mm256_permute4x64_epi64::<0b11_01_10_00>(two[i]);
            let low = shuffle8(bytes(&LOW_OF_TWO[i]), and(x, nibbles));
            let high = shuffle8(bytes(&HIGH_OF_TWO[i]), and(srl32::<4>(x), nibbles));
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
        /// Sixteen blocks in four vectors.
        avx_vartime, wide128, "avx", 4, g128);
    magma_on!(
        /// Sixteen blocks in two vectors.
        avx2_vartime, wide256, "avx2", 2, g256_of_two);
    magma_on!(
        /// Thirty-two blocks in four vectors.
        avx2_of_32_vartime, wide256, "avx2", 4, g256);
}
