//! M-AVX2: Magma as kernels had it, eight S-boxes of sixteen values one after another, and the same with
//! AVX2, eight blocks in one operation: a nibble of every block through one S-box at a time.
//!
//! The S-box of eight nibbles is a `vpshufb` in one variant, and a gather from a table of 32-bit words in the
//! other: the source tells of eight blocks and their speed, which either gives.

use crate::magma::{Keys, Order, PI, rounds_of_words};

/// S-boxes as words: nibble i already at its place.
static WORDS: [[u32; 16]; 8] = {
    let mut table = [[0; 16]; 8];
    let mut i = 0;
    while i < 128 {
        table[i / 16][i % 16] = (PI[i / 16][i % 16] as u32) << (4 * (i / 16));
        i += 1;
    }
    table
};

/// g, eight look-ups.
#[inline(always)]
pub fn g_vartime(x: u32, k: u32) -> u32 {
    let x = x.wrapping_add(k);
    let mut t = 0;
    for (i, row) in WORDS.iter().enumerate() {
        t |= row[(x >> (4 * i)) as usize & 15];
    }
    t.rotate_left(11)
}

pub fn scalar_vartime(keys: &Keys<1>, order: &Order, blocks: &mut [[u8; 8]; 1]) {
    rounds_of_words(keys, order, blocks, g_vartime);
}

#[cfg(target_arch = "x86_64")]
pub use vectors::{eight_aligned_vartime, eight_vartime, g_of_eight_vartime, gathered_vartime};

#[cfg(target_arch = "x86_64")]
mod vectors {
    #![allow(unsafe_code)] // Entries of instruction sets, and gathers.

    use std::arch::x86_64::_mm256_i32gather_epi32;

    use super::WORDS;
    use crate::magma::{Keys, Order, PI};
    use crate::simd::magma_on;
    use crate::simd::wide256::{self, V, and, or, rotate11, set32, shuffle8, sll32, srl32, table};

    #[inline]
    #[target_feature(enable = "avx2")]
    fn g([x]: [V; 1]) -> [V; 1] {
        let low = set32(15);
        let mut t = set32(0);
        macro_rules! nibbles {
            ($($i:literal)*) => { $(
                let nibble = and(srl32::<{ 4 * $i }>(x), low);
                t = or(t, sll32::<{ 4 * $i }>(and(shuffle8(table(&PI[$i]), nibble), low)));
            )* };
        }
        nibbles!(0 1 2 3 4 5 6 7);
        [rotate11(t)]
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn g_gathered([x]: [V; 1]) -> [V; 1] {
        let low = set32(15);
        let mut t = set32(0);
        macro_rules! nibbles {
            ($($i:literal)*) => { $(
                let nibble = and(srl32::<{ 4 * $i }>(x), low);
                // SAFETY: indices are below 16, the length of a row.
                t = or(t, unsafe { _mm256_i32gather_epi32::<4>(WORDS[$i].as_ptr().cast(), nibble) });
            )* };
        }
        nibbles!(0 1 2 3 4 5 6 7);
        [rotate11(t)]
    }

    magma_on!(
        /// Eight blocks, S-boxes by shuffles.
        eight_vartime, wide256, "avx2", 1, g);
    magma_on!(
        /// [`eight_vartime`] on texts that are aligned to 32; panics on others.
        eight_aligned_vartime, wide256, "avx2", 1, g, true);
    magma_on!(
        /// Eight blocks, S-boxes by gathers.
        gathered_vartime, wide256, "avx2", 1, g_gathered);

    /// g of eight sums, for the check of the round function. Panics without AVX2.
    pub fn g_of_eight_vartime(x: [u32; 8], k: u32) -> [u32; 8] {
        #[target_feature(enable = "avx2")]
        fn inner(x: [u32; 8]) -> [u32; 8] {
            let mut out = [0; 32];
            let [t] = g([wide256::words(&x)]);
            wide256::to_bytes(t, &mut out);
            let mut words = [0; 8];
            for (word, bytes) in words.iter_mut().zip(out.as_chunks().0) {
                *word = u32::from_le_bytes(*bytes);
            }
            words
        }
        assert!(std::is_x86_feature_detected!("avx2"));
        // SAFETY: detected in the line before.
        unsafe { inner(x.map(|x| x.wrapping_add(k))) }
    }
}
