//! Counts of a message (RFC 6986, section 9): N and the sum of its blocks, and the last block.

use crate::Secret;

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

/// The number of bits of a block, 512, as a vector.
pub(super) const BLOCK_BITS: [u8; 64] = {
    let mut n = [0; 64];
    n[1] = 2;
    n
};

/// A block of a message that is held back, or the last one.
#[derive(Clone)]
pub struct LastBlock {
    /// Its bytes.
    pub octets: [u8; 64],
}

/// The last block: the rest of the message, 1, zeros (0..01 || m as the RFC writes it); and the
/// number of bits left, as a vector.
#[inline(always)]
pub(super) fn padded(rest: &[u8]) -> (Secret<LastBlock>, [u8; 64]) {
    let (mut m, mut bits) = (Secret::new(LastBlock { octets: [0; 64] }), [0; 64]);
    m.octets[..rest.len()].copy_from_slice(rest);
    m.octets[rest.len()] = 1;
    bits[..2].copy_from_slice(&(8 * rest.len() as u16).to_le_bytes());
    (m, bits)
}
