//! Congestion marks of the outer header (RFC 6040).

/// The mask of the two bits.
pub const MASK: u8 = 3;
const NOT_ECT: u8 = 0;
const ECT_1: u8 = 1;
const CE: u8 = 3;

/// The marks of a packet that leaves the tunnel (Figure 4); none: it must be dropped.
pub fn combine(inner: u8, outer: u8) -> Option<u8> {
    match (inner & MASK, outer & MASK) {
        (NOT_ECT, CE) => None,
        (NOT_ECT, _) => Some(NOT_ECT),
        (CE, _) | (_, CE) => Some(CE),
        (_, ECT_1) => Some(ECT_1),
        (inner, _) => Some(inner),
    }
}
