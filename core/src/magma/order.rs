//! The orders that differ: of bytes, and of round keys.

/// Which byte order a schedule works in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Magma: big-endian.
    Magma,
    /// GOST 28147-89: little-endian.
    Gost28147,
}

/// Order of the round keys for encryption: K1..K8 three times, then K8..K1 (RFC 8891, section 4.3).
#[inline(always)]
pub(crate) const fn key_index(round: usize) -> usize {
    if round < 24 { round % 8 } else { 31 - round }
}
