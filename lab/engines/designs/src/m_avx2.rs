//! M-AVX2: Magma as kernels had it, eight S-boxes of sixteen values one after another, and the same with
//! AVX2, eight blocks in one operation: a nibble of every block through one S-box at a time, by `vpshufb`.

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
fn g(x: u32, k: u32) -> u32 {
    let x = x.wrapping_add(k);
    let mut t = 0;
    for (i, row) in WORDS.iter().enumerate() {
        t |= row[(x >> (4 * i)) as usize & 15];
    }
    t.rotate_left(11)
}

pub fn scalar_vartime(keys: &Keys<1>, order: &Order, blocks: &mut [[u8; 8]; 1]) {
    rounds_of_words(keys, order, blocks, g);
}

#[cfg(target_arch = "x86_64")]
pub use vectors::eight_vartime;

#[cfg(target_arch = "x86_64")]
mod vectors {
    #![allow(unsafe_code)] // Entries of instruction sets.

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

    magma_on!(
        /// Eight blocks, S-boxes by shuffles.
        eight_vartime, wide256, "avx2", 1, g);
}
