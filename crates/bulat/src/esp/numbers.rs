//! Sequence numbers and IVs of outbound packets.

use core::ops::Deref;

use super::{Transform, iv};
use crate::Error;

/// Leaves of a tree: i1, i2 and i3 have 40 bits.
const LEAVES: u64 = 1 << 40;
/// Packets under a leaf's key: pnum has 24 bits.
const PACKETS: u64 = 1 << 24;
/// MGM authenticates these bytes of a packet besides its payload, at most: SPI, sequence number, IV.
const HEADER: u64 = 20;

/// The sequence number and the IV of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number {
    /// The sequence number, from 1; a packet has its lower 32 bits.
    pub sequence: u64,
    /// The IV, which the packet contains.
    pub iv: [u8; 8],
}

/// Gives each outbound packet of a security association its sequence number and its IV.
///
/// A leaf of the tree serves 2^24 packets, and 2^28 bytes with Magma, 2^41 with Kuznyechik (RFC 9227, sections 4.2 and
/// 5); then the next leaf follows. No number repeats: after the last number there are only errors, and the association
/// needs new keys.
///
/// A copy of a `Numbers`, as in a snapshot of a running machine, gives the same IVs again, which destroys the security
/// of both: it must never number packets under the same keys.
///
/// ```
/// use bulat::esp::{Numbers, Transform};
/// let mut numbers = Numbers::new(Transform::MagmaMgm, true);
/// let first = numbers.next(1444)?;
/// assert_eq!((first.sequence, first.iv), (1, [0; 8]));
/// let second = numbers.next(1444)?;
/// assert_eq!((second.sequence, second.iv), (2, [0, 0, 0, 0, 0, 0, 0, 1]));
/// # Ok::<(), bulat::Error>(())
/// ```
pub struct Numbers {
    /// The last sequence number given, and the last that can be.
    sequence: u64,
    last: u64,
    leaf: u64,
    /// Packets and bytes under the leaf's key, and the most bytes.
    packets: u64,
    bytes: u64,
    most: u64,
}

impl Numbers {
    /// Begins with sequence number 1 and an IV of zeros; `esn`: extended sequence numbers, of 64 bits.
    pub fn new(transform: Transform, esn: bool) -> Self {
        let last = if esn { u64::MAX } else { u32::MAX.into() };
        let most = if transform.kuznyechik() { 1 << 41 } else { 1 << 28 };
        Numbers { sequence: 0, last, leaf: 0, packets: 0, bytes: 0, most }
    }

    /// Returns the number of the next packet, whose payload has `len` bytes with padding and trailer.
    ///
    /// # Errors
    /// [`Error::Limit`] after the last sequence number or the last leaf, and for a payload longer than a leaf's key may
    /// protect; nothing is used up then.
    pub fn next(&mut self, len: usize) -> Result<Number, Error> {
        let bytes = len as u64 + HEADER;
        let full = self.packets == PACKETS || self.bytes + bytes > self.most;
        let (leaf, packets, before) =
            if full { (self.leaf + 1, 0, 0) } else { (self.leaf, self.packets, self.bytes) };
        if bytes > self.most || self.sequence == self.last || leaf == LEAVES {
            return Err(Error::Limit);
        }
        self.sequence += 1;
        (self.leaf, self.packets, self.bytes) = (leaf, packets + 1, before + bytes);
        Ok(Number { sequence: self.sequence, iv: iv(leaf << 24 | packets) })
    }

    /// Returns the last sequence number given, 0 before the first.
    pub fn sequence(&self) -> u64 {
        self.sequence
    }

    /// Returns the number of sequence numbers left, by which a key exchange begins in time.
    pub fn left(&self) -> u64 {
        self.last - self.sequence
    }
}

/// The header of a packet that is authenticated, not encrypted: 8 bytes, or 12 with an extended sequence number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header([u8; 12], bool);

impl Header {
    /// SPI, and the sequence number of 32 bits, or of 64 if it is extended (RFC 9227, section 4.7.1).
    pub fn new(spi: u32, sequence: u64, esn: bool) -> Self {
        let (mut header, sequence) = ([0; 12], sequence.to_be_bytes());
        header[..4].copy_from_slice(&spi.to_be_bytes());
        match esn {
            true => header[4..].copy_from_slice(&sequence),
            false => header[4..8].copy_from_slice(&sequence[4..]),
        }
        Header(header, esn)
    }
}

impl Deref for Header {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        &self.0[..if self.1 { 12 } else { 8 }]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(transform: Transform, leaf: u64, packets: u64) -> Numbers {
        Numbers { leaf, packets, ..Numbers::new(transform, true) }
    }

    #[test]
    fn a_leaf_ends_with_its_packets() {
        let mut numbers = at(Transform::KuznyechikMgm, 0xff_ffff, PACKETS - 1);
        assert_eq!(numbers.next(1).unwrap().iv, [0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]);
        assert_eq!(numbers.next(1).unwrap().iv, [0, 1, 0, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn a_leaf_of_magma_ends_with_its_bytes() {
        for transform in [Transform::MagmaMgm, Transform::MagmaMac] {
            let mut numbers = Numbers::new(transform, true);
            // 2^28 / (1444 + 20).
            let first = (0..).find(|_| numbers.next(1444).unwrap().iv[4] != 0).unwrap();
            assert_eq!(first, 183_357);
            assert_eq!(numbers.next(1 << 28), Err(Error::Limit));
            assert_eq!(numbers.next((1 << 28) - 20).unwrap().iv, [0, 0, 0, 0, 2, 0, 0, 0]);
            assert_eq!(numbers.next(0).unwrap().iv, [0, 0, 0, 0, 3, 0, 0, 0]);
        }
        let mut numbers = Numbers::new(Transform::KuznyechikMgm, true);
        (0..1 << 18).for_each(|_| assert_eq!(numbers.next(1444).unwrap().iv[..5], [0; 5]));
    }

    #[test]
    fn nothing_wraps() {
        let mut numbers = at(Transform::MagmaMgm, LEAVES - 1, PACKETS - 1);
        assert_eq!(numbers.next(1).unwrap().iv, [0xff; 8]);
        assert_eq!([(); 2].map(|()| numbers.next(1)), [Err(Error::Limit); 2]);
        let mut numbers = Numbers::new(Transform::MagmaMgm, false);
        numbers.sequence = u32::MAX as u64 - 1;
        assert_eq!((numbers.left(), numbers.next(1).unwrap().sequence), (1, u32::MAX.into()));
        assert_eq!((numbers.left(), numbers.next(1)), (0, Err(Error::Limit)));
        assert_eq!(numbers.sequence(), u32::MAX.into());
        let mut numbers = Numbers { sequence: u64::MAX, ..Numbers::new(Transform::MagmaMgm, true) };
        assert_eq!(numbers.next(1), Err(Error::Limit));
    }

    #[test]
    fn a_header_has_the_numbers_in_network_order() {
        assert_eq!(*Header::new(0x0102_0304, 5 << 32 | 6, false), [1, 2, 3, 4, 0, 0, 0, 6]);
        let long = Header::new(0x0102_0304, 5 << 32 | 6, true);
        assert_eq!(*long, [1, 2, 3, 4, 0, 0, 0, 5, 0, 0, 0, 6]);
    }
}
