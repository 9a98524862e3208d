//! G-NODE: many blocks of GOST 28147-89 at once, of one array where the mode has no feedback, of many
//! streams with a key each where it has.
//!
//! General registers look up 4 KB of tables, one block, or two between each other. Vectors hold one half of a
//! block in each dword, four vectors between each other: 16 blocks with AVX, 32 with AVX2. The S-boxes are
//! eight `pshufb` of nibbles, with their bytes blended together: the source prints no code, and this form has
//! just the operations that its figures leave room for (8.2 cycles of a vector's round on three ports with
//! AVX, 12 shuffles on one port with AVX2).

use crate::magma::{Keys, Order, g_bytes, rounds_of_words};

pub fn table_vartime(keys: &Keys<1>, order: &Order, blocks: &mut [[u8; 8]; 1]) {
    rounds_of_words(keys, order, blocks, g_bytes);
}

pub fn table_of_two_vartime(keys: &Keys<2>, order: &Order, blocks: &mut [[u8; 8]; 2]) {
    rounds_of_words(keys, order, blocks, g_bytes);
}

#[cfg(target_arch = "x86_64")]
pub use vectors::{avx_vartime, avx2_vartime};

#[cfg(target_arch = "x86_64")]
mod vectors {
    #![allow(unsafe_code)] // Entries of instruction sets.

    use crate::magma::{HIGH, Keys, LOW, Order};
    use crate::simd::{magma_on, wide128, wide256};

    macro_rules! g {
        ($name:ident, $wide:ident, $feature:literal) => {
            #[inline]
            #[target_feature(enable = $feature)]
            fn $name(sums: [$wide::V; 4]) -> [$wide::V; 4] {
                use $wide::{and, blend8, blend16, or, rotate11, set32, shuffle8, srl32, table};
                let nibbles = set32(0x0f0f_0f0f);
                let odd = set32(0xff00_ff00_u32 as i32);
                let mut out = sums;
                for v in 0..4 {
                    let low = and(sums[v], nibbles);
                    let high = and(srl32::<4>(sums[v]), nibbles);
                    let mut byte = [low; 4];
                    for i in 0..4 {
                        let low = shuffle8(table(&LOW[i]), low);
                        byte[i] = or(low, shuffle8(table(&HIGH[i]), high));
                    }
                    let even = blend16::<0xaa>(byte[0], byte[2]);
                    out[v] = rotate11(blend8(even, blend16::<0xaa>(byte[1], byte[3]), odd));
                }
                out
            }
        };
    }
    g!(g128, wide128, "avx");
    g!(g256, wide256, "avx2");

    magma_on!(
        /// Sixteen blocks, or streams.
        avx_vartime, wide128, "avx", 4, g128);
    magma_on!(
        /// Thirty-two blocks, or streams.
        avx2_vartime, wide256, "avx2", 4, g256);
}
