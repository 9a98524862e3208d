//! AND of words that hold one bit each of several bytes, as circuits on bit planes in registers do.
//!
//! There each bit of a byte hangs on another variable, or is a linear function of another byte of the standard's, so
//! each bit is brought to one variable and computed for itself.

use crate::bytes::op;
use crate::domain::{Byte, ZERO, lift, masked, name, single, supports};

/// a AND b by bits, where both are made of single bits, of one variable each in every place.
pub fn and(a: Byte, b: Byte) -> Option<Byte> {
    let (x, y) = (supports(a), supports(b));
    if x.len() < 2 && y.len() < 2 || x.iter().chain(&y).any(|bits| !bits.is_power_of_two()) {
        return None;
    }
    let mut all = ZERO;
    for bit in (0..8).map(|i| 1 << i) {
        let [p, q] = [a, b].map(|x| single(masked(bit, x)));
        if p.number().is_none() && q.number().is_none() && name(p) != name(q) {
            return None;
        }
        all = all ^ lift(op::AND, [p, q], |[x, y]| x & y);
    }
    Some(all)
}
