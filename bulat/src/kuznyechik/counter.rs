//! The counters of `stream`: GOST R 34.13-2015 (CTR) and RFC 9058, section 4 (MGM).

use crate::kernel::Count;

/// The counter after `steps` more blocks.
#[inline(always)]
pub(super) fn advanced(counter: &[u8; 16], count: Count, steps: u64) -> [u8; 16] {
    let v = u128::from_be_bytes(*counter);
    let (left, right) = ((v >> 64) as u64, v as u64);
    let join = |left: u64, right: u64| u128::from(left) << 64 | u128::from(right);
    match count {
        Count::Whole => v.wrapping_add(steps.into()),
        Count::Right => join(left, right.wrapping_add(steps)),
        Count::Left => join(left.wrapping_add(steps), right),
        Count::Cnt => unreachable!("CNT belongs to GOST 28147-89"),
    }
    .to_be_bytes()
}
