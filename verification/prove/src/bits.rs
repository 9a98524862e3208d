//! Logic of words that hold one bit each of several bytes, as circuits on bit planes in registers have them.
//!
//! There each bit of a byte is a linear function of a named byte of the standard. AND brings each bit to one variable,
//! and is computed for itself. What it makes is noted: a sum with it brings the other operand to the same variables
//! too, so that all of a circuit has one form. Both replace a bit by its name, which has its value.

use std::cell::{Cell, RefCell};

use crate::bytes::op;
use crate::domain::{Byte, ZERO, is_name, is_named, lift, masked, name, several, single};
use crate::sums::Map;

thread_local! {
    /// Bytes without their constants, of which each bit is of one variable.
    static LIFTED: RefCell<Map<Byte, ()>> = RefCell::new(Map::default());
    /// Set if there is such a byte.
    static ANY: Cell<bool> = const { Cell::new(false) };
}

/// Begins a new proof.
pub fn forget() {
    ANY.set(false);
    LIFTED.with_borrow_mut(Map::clear);
}
fn lifted(b: Byte) -> bool {
    ANY.get() && LIFTED.with_borrow(|l| l.contains_key(&b.with(0)))
}
fn noted(b: Byte) -> Byte {
    if b.number().is_none() {
        ANY.set(true);
        LIFTED.with_borrow_mut(|l| l.insert(b.with(0), ()));
    }
    b
}

/// A bit of a byte as a function of one variable, if it is such a function; of the variable `of`, if it is given.
fn bit(x: Byte, i: u32, of: Option<Byte>) -> Option<Byte> {
    let bit = masked(1 << i, x);
    let of = of.filter(|of| of.number().is_none() && bit.number().is_none());
    if let Some(of) = of
        && name(bit) != name(of)
        && !is_named(bit, name(of)?)
    {
        return None;
    }
    let one = single(bit);
    let known = !several(bit) || !several(one) && name(one).is_some_and(is_name);
    let same = of.is_none_or(|of| name(of) == name(one));
    (known && same).then_some(one)
}

/// a AND b by bits, where an operand is of several variables and bits of both are of one variable.
pub fn and(a: Byte, b: Byte) -> Option<Byte> {
    if !several(a) && !several(b) {
        return None;
    }
    let mut all = ZERO;
    for i in 0..8 {
        let p = bit(a, i, None)?;
        let q = bit(b, i, Some(p))?;
        all = all ^ lift(op::AND, [p, q], |[x, y]| x & y);
    }
    Some(noted(all))
}

/// a XOR b.
pub fn xor(a: Byte, b: Byte) -> Byte {
    let (with, other) = match (lifted(a), lifted(b)) {
        (false, false) => return a ^ b,
        (false, true) => (b, a),
        _ => (a, b),
    };
    match (0..8).try_fold(with, |r, i| Some(r ^ bit(other, i, Some(bit(with, i, None)?))?)) {
        Some(r) => noted(r),
        None => a ^ b,
    }
}
