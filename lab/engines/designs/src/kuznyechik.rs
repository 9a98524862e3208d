//! Kuznyechik's tables and keys (GOST R 34.12-2015, 4; RFC 7801, 4) for the designs with 64 KB of L(S(x)).
//!
//! A block is two words, each little-endian: the first byte, a_15, is lowest.

use crate::constants::PI;

/// Coefficients of l, for the first byte first (RFC 7801, 4.2).
const LINEAR: [u8; 16] = [148, 32, 133, 16, 194, 192, 1, 251, 1, 192, 194, 16, 133, 32, 148, 1];

/// The product modulo x^8 + x^7 + x^6 + x + 1.
const fn product(mut a: u8, mut b: u8) -> u8 {
    let mut sum = 0;
    while b != 0 {
        sum ^= a & (b & 1).wrapping_neg();
        a = a << 1 ^ 0xc3 & (a >> 7).wrapping_neg();
        b >>= 1;
    }
    sum
}

/// L of a block (RFC 7801, 4.2): 16 times R.
const fn linear(mut block: [u8; 16]) -> [u8; 16] {
    let mut round = 0;
    while round < 16 {
        let (mut sum, mut i) = (0, 16);
        while i > 0 {
            i -= 1;
            sum ^= product(LINEAR[i], block[i]);
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

fn xor([a, b]: [u64; 2], [c, d]: [u64; 2]) -> [u64; 2] {
    [a ^ c, b ^ d]
}

/// L(S(block)), for the keys.
fn fused(block: [u64; 2]) -> [u64; 2] {
    let mut sum = [0; 2];
    for i in 0..16 {
        let x = (block[i / 8] >> (8 * (i % 8))) as usize & 255;
        sum = xor(sum, [FUSED[i][2 * x], FUSED[i][2 * x + 1]]);
    }
    sum
}

/// The key schedule (RFC 7801, 4.4): eight rounds of a Feistel network between each two pairs of keys.
pub fn keys(key: &[u8]) -> Keys {
    let (blocks, _) = key.as_chunks();
    let [mut a1, mut a0] = [words(&blocks[0]), words(&blocks[1])];
    let mut keys = [a1, a0, a1, a0, a1, a0, a1, a0, a1, a0];
    for i in 1..=32u8 {
        let mut number = [0; 16];
        number[15] = i;
        let constant = words(&linear(number));
        (a1, a0) = (xor(fused(xor(a1, constant)), a0), a1);
        if i.is_multiple_of(8) {
            let at = usize::from(i) / 4;
            (keys[at], keys[at + 1]) = (a1, a0);
        }
    }
    keys
}
