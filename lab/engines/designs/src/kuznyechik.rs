//! Kuznyechik's tables and keys (GOST R 34.12-2015, 4; RFC 7801, 4) for the designs with 64 KB of L(S(x)).
//!
//! A block is two words, each little-endian: the first byte, a_15, is lowest.

use reference::kuznyechik::{COEFFICIENTS, Kuznyechik, multiply};

use crate::constants::PI;

/// L of a block (RFC 7801, 4.2): 16 times R.
const fn linear(mut block: [u8; 16]) -> [u8; 16] {
    let mut round = 0;
    while round < 16 {
        let (mut sum, mut i) = (0, 16);
        while i > 0 {
            i -= 1;
            sum ^= multiply(COEFFICIENTS[i], block[i]);
            if i < 15 {
                block[i + 1] = block[i];
            }
        }
        block[0] = sum;
        round += 1;
    }
    block
}

/// Table i: for byte i of the block, the words of L(S(byte)), both of one byte next to each other.
pub static FUSED: [[u64; 512]; 16] = {
    let mut table = [[0; 512]; 16];
    let mut i = 0;
    while i < 16 {
        // L is linear: the images of eight bits give those of all bytes.
        let mut images = [0u128; 8];
        let mut bit = 0;
        while bit < 8 {
            let mut block = [0; 16];
            block[i] = 1 << bit;
            images[bit] = u128::from_le_bytes(linear(block));
            bit += 1;
        }
        let mut x = 0;
        while x < 256 {
            let (mut sum, mut bit) = (0, 0);
            while bit < 8 {
                if PI[x] >> bit & 1 == 1 {
                    sum ^= images[bit];
                }
                bit += 1;
            }
            table[i][2 * x] = sum as u64;
            table[i][2 * x + 1] = (sum >> 64) as u64;
            x += 1;
        }
        i += 1;
    }
    table
};

/// K_1 to K_10.
pub type Keys = [[u64; 2]; 10];

/// The block as words.
#[inline(always)]
pub fn words(block: &[u8; 16]) -> [u64; 2] {
    let x = u128::from_le_bytes(*block);
    [x as u64, (x >> 64) as u64]
}

/// The key schedule (RFC 7801, 4.4).
pub fn keys(key: &[u8]) -> Keys {
    Kuznyechik::new(key).expect("32 bytes").round_keys().map(|key| words(&key))
}
