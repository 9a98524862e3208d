//! Headers, contents of ESP, checksums, segmentation and coalescing, ICMP errors, ECN, probes: pure functions over bytes. No bytes make
//! them panic: a genuine peer may send anything.

pub mod coalesce;
pub mod contents;
pub mod ecn;
pub mod fragment;
pub mod icmp;
pub mod ip;
pub mod probe;
pub mod segment;
pub mod sum;
pub mod vnet;

#[cfg(test)]
pub(crate) mod tests;

/// The array of `N` bytes at an index.
fn at<const N: usize>(bytes: &[u8], index: usize) -> Option<[u8; N]> {
    bytes.get(index..)?.first_chunk().copied()
}

/// The 16 bits at an index.
fn word(bytes: &[u8], index: usize) -> Option<u16> {
    at(bytes, index).map(u16::from_be_bytes)
}

/// Writes bytes at an index, if there is room.
fn put<const N: usize>(bytes: &mut [u8], index: usize, value: [u8; N]) {
    if let Some(place) = bytes.get_mut(index..).and_then(<[u8]>::first_chunk_mut) {
        *place = value;
    }
}
