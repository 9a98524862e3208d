//! Sums and their carries: a comparison that says that a sum has carried is that carry.
//!
//! Compilers and kernels make carries in many ways: by flags, by comparing a sum with a part of it, by masks in
//! vectors. Notes about the sums made so far give all of them one form.

use std::cell::RefCell;

use crate::domain::{Byte, ZERO, support};
use crate::sums::Map;

#[derive(Default)]
struct Facts {
    /// Sums of two words, with their parts and carries.
    summed: Map<Vec<u32>, ([Vec<Byte>; 2], Byte)>,
    /// As `summed`, of single bytes.
    bytes: Map<Byte, ([Byte; 2], Byte)>,
    /// Carries of which at most one is 1.
    exclusive: Map<(Byte, Byte), ()>,
    /// The bytes of which a bit is the carry.
    carries: Map<Byte, [Byte; 2]>,
    /// Sums of two bytes, by the sum without its highest bit; with it.
    parts: Map<Byte, ([Byte; 2], Byte)>,
    /// Sums of two bytes and their carries, by the two.
    sums: Map<(Byte, Byte), (Byte, Byte)>,
    /// Products of polynomials of 64 bits.
    products: Map<Vec<u32>, Vec<Byte>>,
}

thread_local! {
    static FACTS: RefCell<Facts> = RefCell::new(Facts::default());
}

fn with<T>(f: impl FnOnce(&mut Facts) -> T) -> T {
    FACTS.with_borrow_mut(f)
}
fn raw(word: &[Byte]) -> Vec<u32> {
    word.iter().map(|b| b.raw()).collect()
}
fn ordered(a: Byte, b: Byte) -> (Byte, Byte) {
    if a.raw() < b.raw() { (a, b) } else { (b, a) }
}

/// Two words, in one order.
pub fn commuted<'a>(a: &'a [Byte], b: &'a [Byte]) -> [&'a [Byte]; 2] {
    if raw(a) <= raw(b) { [a, b] } else { [b, a] }
}

/// Begins a new proof.
pub fn forget() {
    with(|f| *f = Facts::default());
}
/// Notes a sum of two words and its carry. A sum, and that sum with a bit added, do not both carry.
pub fn summed(sum: &[Byte], a: &[Byte], b: &[Byte], carry: Byte) {
    let bit = |w: &[Byte]| support(w[0]) <= 1 && w[1..].iter().all(|x| *x == ZERO);
    let parts = [(bit(b), a), (bit(a), b)];
    with(|f| {
        for part in parts.iter().filter(|p| p.0).map(|p| p.1) {
            let first = match part {
                [byte] => f.bytes.get(byte).map(|(_, carry)| *carry),
                _ => f.summed.get(&raw(part)).map(|(_, carry)| *carry),
            };
            if let Some(first) = first {
                f.exclusive.insert(ordered(first, carry), ());
            }
        }
        if let ([sum], [a], [b]) = (sum, a, b) {
            f.bytes.insert(*sum, ([*a, *b], carry));
            return;
        }
        f.summed.insert(raw(sum), ([a.to_vec(), b.to_vec()], carry));
    });
}
/// The carry of a sum with this part.
pub fn carried(sum: &[Byte], part: &[Byte]) -> Option<Byte> {
    with(|f| {
        if let ([sum], [part]) = (sum, part) {
            let (parts, carry) = f.bytes.get(sum)?;
            return parts.contains(part).then_some(*carry);
        }
        let (parts, carry) = f.summed.get(&raw(sum))?;
        parts.iter().any(|p| p == part).then_some(*carry)
    })
}
/// A sum of two bytes that was made before, and its carry.
pub fn known_sum(a: Byte, b: Byte) -> Option<(Byte, Byte)> {
    with(|f| f.sums.get(&ordered(a, b)).copied())
}
/// Keeps such a sum.
pub fn keep_sum(a: Byte, b: Byte, sum: (Byte, Byte)) {
    with(|f| f.sums.insert(ordered(a, b), sum));
}
/// Returns whether two bytes are carries of which at most one is 1.
pub fn exclusive(a: Byte, b: Byte) -> bool {
    with(|f| f.exclusive.contains_key(&ordered(a, b)))
}
/// Notes a sum of two bytes, by the sum without its highest bit.
pub fn parts(plain: Byte, of: [Byte; 2], sum: Byte) {
    with(|f| f.parts.insert(plain, (of, sum)));
}
/// The parts of a sum of two bytes, and the sum with its highest bit.
pub fn parts_of(plain: Byte) -> Option<([Byte; 2], Byte)> {
    with(|f| f.parts.get(&plain).copied())
}
/// Notes that a bit is the carry of two bytes.
pub fn carry(bit: Byte, of: [Byte; 2]) {
    if bit.number().is_none() {
        with(|f| f.carries.insert(bit, of));
    }
}
/// The bytes of which a bit is the carry.
pub fn carry_of(bit: Byte) -> Option<[Byte; 2]> {
    with(|f| f.carries.get(&bit).copied())
}
/// Notes a product of polynomials.
pub fn multiplied(a: &[Byte], b: &[Byte], product: Vec<Byte>) {
    with(|f| f.products.insert(raw(&commuted(a, b).concat()), product));
}
/// A product of polynomials that was noted.
pub fn product(a: &[Byte], b: &[Byte]) -> Option<Vec<Byte>> {
    with(|f| f.products.get(&raw(&commuted(a, b).concat())).cloned())
}
