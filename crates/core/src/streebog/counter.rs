//! Counts of a message (RFC 6986, section 9): N and the sum of its blocks, and the last block.

use crate::kernel::HashState;

/// a += b mod 2^512, little-endian.
#[inline(always)]
pub(super) fn add512(a: &mut [u8; 64], b: &[u8; 64]) {
    let mut carry = false;
    for (a, b) in a.as_chunks_mut::<8>().0.iter_mut().zip(b.as_chunks::<8>().0) {
        let (sum, c) = u64::from_le_bytes(*a).carrying_add(u64::from_le_bytes(*b), carry);
        carry = c;
        *a = sum.to_le_bytes();
    }
}

/// The low end of N.
#[inline(always)]
pub(super) fn low(state: &HashState) -> u64 {
    u64::from_le_bytes(*state.n.first_chunk().expect("64 bytes"))
}

/// N and Σ go on by a block.
#[inline(always)]
pub(super) fn count(state: &mut HashState, m: &[u8; 64]) {
    // In this order, since some load N next, as a vector: for that the words must have left the processor's queue.
    add512(&mut state.n, &BLOCK_BITS);
    add512(&mut state.sigma, m);
}

/// The number of bits of a block, 512, as a vector.
const BLOCK_BITS: [u8; 64] = {
    let mut n = [0; 64];
    n[1] = 2;
    n
};

/// A block of a message that is held back, or the last block.
#[derive(Clone)]
pub struct LastBlock {
    /// The bytes of the block.
    pub bytes: [u8; 64],
}
