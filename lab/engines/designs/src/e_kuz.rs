//! E-KUZ: Kuznyechik by one fused table of 64 KB, blocks one after another or eight between each other, in
//! portable code that a machine of many units in one word can fill: pairs of 64-bit words, no branches, no
//! memory but the table.
//!
//! The trick with offsets: a byte is shifted so that it comes out as its offset in the table, not as a number
//! to be multiplied by the size of an entry.

use crate::kuznyechik::{FUSED, Keys, words};

/// Offset, in words, of the entry for byte `I` of the word.
#[inline(always)]
const fn offset<const I: u32>(x: u64) -> usize {
    (if I == 0 { x << 1 } else { x >> (8 * I - 1) }) as usize & 0x1fe
}

macro_rules! look_up {
    ($sum:ident, $x:ident, $($table:literal $word:literal $byte:literal),*) => { $(
        let at = offset::<$byte>($x[$word]);
        $sum[0] ^= FUSED[$table][at];
        $sum[1] ^= FUSED[$table][at | 1];
    )* };
}

/// L(S(x)).
#[inline(always)]
fn fused(x: [u64; 2]) -> [u64; 2] {
    let mut sum = [0; 2];
    look_up!(sum, x, 0 0 0, 1 0 1, 2 0 2, 3 0 3, 4 0 4, 5 0 5, 6 0 6, 7 0 7);
    look_up!(sum, x, 8 1 0, 9 1 1, 10 1 2, 11 1 3, 12 1 4, 13 1 5, 14 1 6, 15 1 7);
    sum
}

/// N blocks, round by round.
#[inline(always)]
fn many<const N: usize>(keys: &Keys, blocks: &mut [[u8; 16]; N]) {
    let mut x = [[0; 2]; N];
    for i in 0..N {
        x[i] = words(&blocks[i]);
    }
    let (last, keys) = keys.split_last().expect("ten keys");
    for key in keys {
        for i in 0..N {
            x[i] = fused([x[i][0] ^ key[0], x[i][1] ^ key[1]]);
        }
    }
    for i in 0..N {
        let [low, high] = [x[i][0] ^ last[0], x[i][1] ^ last[1]];
        blocks[i] = (u128::from(high) << 64 | u128::from(low)).to_le_bytes();
    }
}

/// One block after another.
pub fn sequential_vartime(keys: &Keys, blocks: &mut [[u8; 16]; 1]) {
    many(keys, blocks);
}

/// Eight blocks between each other.
pub fn eight_vartime(keys: &Keys, blocks: &mut [[u8; 16]; 8]) {
    many(keys, blocks);
}
