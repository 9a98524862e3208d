//! Kuznyechik on bit planes: 64 blocks at once, no look-up (GOST R 34.12-2015; RFC 7801, section 4).
//!
//! Bit n of the word `planes[j][b]` is bit b of byte j of block n, j in memory order (a_15 is byte 0).
//! L is as the standard defines it, sixteen steps of its shift register: a byte of the result is
//! Σ c_k · byte k, by Horner's rule over the bits of the constants, and the register is a window that
//! moves over 32 bytes, so that the code of one step serves all.

use crate::cipher::Direction;
use crate::kuznyechik::constants::L;
use crate::pi::{pi, pi_inverse};

/// One byte of 64 blocks.
pub(super) type Byte = [u64; 8];
/// 64 blocks, or a round key for each.
pub(super) type Planes = [Byte; 16];
/// Blocks in a batch.
pub(super) const BATCH: usize = 64;

/// A matrix of 64 × 64 bits transposed: bit c of row r and bit r of row c change places.
#[inline(always)]
fn transpose(m: &mut [u64; 64]) {
    let mut half = 32;
    let mut mask = u64::MAX >> 32;
    while half != 0 {
        for i in 0..32 {
            let a = i / half * 2 * half + i % half;
            let t = (m[a] >> half ^ m[a + half]) & mask;
            m[a + half] ^= t;
            m[a] ^= t << half;
        }
        half /= 2;
        mask ^= mask << half;
    }
}

/// Reads up to 64 blocks into planes; missing ones are zero.
pub(super) fn read<'a>(planes: &mut Planes, blocks: impl Iterator<Item = &'a [u8; 16]>) {
    let mut rows = [[0u64; 64]; 2];
    for (n, block) in blocks.enumerate() {
        let v = u128::from_le_bytes(*block);
        (rows[0][n], rows[1][n]) = (v as u64, (v >> 64) as u64);
    }
    for (rows, planes) in rows.iter_mut().zip(planes.chunks_exact_mut(8)) {
        transpose(rows);
        planes.as_flattened_mut().copy_from_slice(rows);
    }
}

/// Puts up to 64 blocks.
pub(super) fn write(planes: &Planes, blocks: &mut [[u8; 16]]) {
    let mut rows = [[0u64; 64]; 2];
    for (rows, planes) in rows.iter_mut().zip(planes.chunks_exact(8)) {
        rows.copy_from_slice(planes.as_flattened());
        transpose(rows);
    }
    for (n, block) in blocks.iter_mut().enumerate() {
        let v = u128::from(rows[0][n]) | u128::from(rows[1][n]) << 64;
        *block = v.to_le_bytes();
    }
}

/// The planes of one byte string in every block.
pub(super) fn splat(bytes: &[u8; 16]) -> Planes {
    bytes.map(|o| core::array::from_fn(|b| 0u64.wrapping_sub(u64::from(o >> b & 1))))
}

/// a += b.
#[inline(always)]
fn add(a: &mut Byte, b: &Byte) {
    a.iter_mut().zip(b).for_each(|(a, b)| *a ^= b);
}

/// a += b for whole blocks.
#[inline(always)]
pub(super) fn add_blocks(a: &mut Planes, b: &Planes) {
    a.iter_mut().zip(b).for_each(|(a, b)| add(a, b));
}

/// x · a modulo x^8 + x^7 + x^6 + x + 1.
#[inline(always)]
fn times_x([a0, a1, a2, a3, a4, a5, a6, a7]: Byte) -> Byte {
    [a7, a0 ^ a7, a1, a2, a3, a4, a5 ^ a7, a6 ^ a7]
}

/// Σ c_k · (byte k of the window), c_0..c_14 of l, which read the same backwards.
#[inline(always)]
fn l(window: &[Byte]) -> Byte {
    // pairs[k]: the bytes that c_k = c_(14-k) multiplies, added
    let mut pairs: [Byte; 8] = core::array::from_fn(|k| window[k]);
    for k in 0..7 {
        add(&mut pairs[k], &window[14 - k]);
    }
    let mut sum = [0; 8];
    for bit in (0..8).rev() {
        sum = times_x(sum);
        for k in 0..8 {
            if L[k] >> bit & 1 != 0 {
                add(&mut sum, &pairs[k]);
            }
        }
    }
    sum
}

/// L: the register shifts towards a_0, new bytes enter before byte 0.
pub(super) fn l_forward(state: &mut Planes) {
    let mut window = [[0; 8]; 32];
    window[16..].copy_from_slice(state);
    for i in (0..16).rev() {
        let mut new = l(&window[i + 1..i + 16]);
        add(&mut new, &window[i + 16]);
        window[i] = new;
    }
    state.copy_from_slice(&window[..16]);
}

/// L^-1: the same register backwards.
pub(super) fn l_backward(state: &mut Planes) {
    let mut window = [[0; 8]; 32];
    window[..16].copy_from_slice(state);
    for i in 0..16 {
        let mut new = l(&window[i + 1..i + 16]);
        add(&mut new, &window[i]);
        window[i + 16] = new;
    }
    state.copy_from_slice(&window[16..]);
}

/// S.
pub(super) fn substitute(state: &mut Planes) {
    state.iter_mut().for_each(|byte| *byte = pi(*byte));
}

/// 64 blocks, each under its own keys K_1..K_10.
pub(super) fn cipher(keys: &[Planes; 10], direction: Direction, state: &mut Planes) {
    match direction {
        Direction::Encrypt => {
            for key in &keys[..9] {
                for (byte, key) in state.iter_mut().zip(key) {
                    add(byte, key);
                    *byte = pi(*byte);
                }
                l_forward(state);
            }
            add_blocks(state, &keys[9]);
        }
        Direction::Decrypt => {
            add_blocks(state, &keys[9]);
            for key in keys[..9].iter().rev() {
                l_backward(state);
                for (byte, key) in state.iter_mut().zip(key) {
                    *byte = pi_inverse(*byte);
                    add(byte, key);
                }
            }
        }
    }
}
