//! The counters of `stream`: GOST R 34.13-2015 (CTR) and RFC 9058, section 4 (MGM).

use crate::InOut;
use crate::cipher::Count;

/// The counter after `steps` more blocks. A counter can be secret (MGM's), so nothing branches on it.
#[inline(always)]
pub(super) fn advanced(counter: &[u8; 16], count: Count, steps: u64) -> [u8; 16] {
    let v = u128::from_be_bytes(*counter);
    let (left, right) = ((v >> 64) as u64, v as u64);
    let (low, carry) = right.overflowing_add(steps);
    let (left, right) = match count {
        Count::Whole => (left.wrapping_add(carry.into()), low),
        Count::Right => (left, low),
        Count::Left => (left.wrapping_add(steps), right),
        Count::Cnt => unreachable!("CNT belongs to GOST 28147-89"),
    };
    (u128::from(left) << 64 | u128::from(right)).to_be_bytes()
}

/// Counters of a window: the byte that counts has each of its values once, with at most one carry, so each other byte
/// has at most two values.
pub(super) const WINDOW: usize = 256;

/// The index i of the byte a_i that counts, and which of the two such places it is: 0 for a_0, 1 for a_8.
#[inline(always)]
pub(super) fn counting(count: Count) -> (usize, usize) {
    if count == Count::Left { (8, 1) } else { (0, 0) }
}

/// The counters of the next blocks.
#[inline(always)]
pub(super) fn fill(counter: &mut [u8; 16], count: Count, blocks: &mut [[u8; 16]]) {
    match count {
        Count::Whole => fill_by(counter, Count::Whole, blocks),
        Count::Right => fill_by(counter, Count::Right, blocks),
        Count::Left => fill_by(counter, Count::Left, blocks),
        Count::Cnt => unreachable!("CNT belongs to GOST 28147-89"),
    }
}

#[inline(always)]
fn fill_by(counter: &mut [u8; 16], count: Count, blocks: &mut [[u8; 16]]) {
    for block in blocks {
        *block = *counter;
        *counter = advanced(counter, count, 1);
    }
}

/// out = in + gamma, whole blocks, as long as the data.
#[inline(always)]
pub(super) fn add(mut data: InOut<'_, '_>, gamma: &[[u8; 16]]) {
    for (i, gamma) in gamma.iter().enumerate() {
        let x = u128::from_ne_bytes(data.get_in().as_chunks().0[i]) ^ u128::from_ne_bytes(*gamma);
        data.get_out().as_chunks_mut().0[i] = x.to_ne_bytes();
    }
}

/// The number of the block in each byte of a vector of 16, 32 and 64, after `transposed`.
pub(super) static NUMBERS: [[u8; 64]; 3] = {
    let (mut t, mut n) = ([[0; 64]; 3], 0);
    while n < 3 * 64 {
        let (width, p) = (n / 64, n % 64);
        t[width][p] = (((p % 16) << width) + p / 16) as u8;
        n += 1;
    }
    t
};
