//! L as a Toeplitz matrix, derived at compile time from the standard (RFC 7801, section 4.2), and its product with a
//! batch: byte a_i of many blocks in vector i.
//!
//! The polynomial of the shift register has the roots β^120 .. β^135, β = 39, so its bytes in turn are x^120 P(x) at
//! x = β^0, β^1, .., P of degree below 16 (a Reed-Solomon code). L maps the first 16 values to the next 16: by Lagrange's
//! formula, of which D1, T and D2 are the factors. In the order a_0 .. a_15
//!
//! L = D1 · T · D2,  T\[i\]\[j\] = 1 / (1 + β^(16 + i - j)),  D1 and D2 diagonal.
//!
//! In memory order the same product is L^-1. D1 and D2 go into the S-boxes' tables, a table for each place.
//!
//! T is done by Karatsuba's rule on its blocks, one bit of the index after the other: for a matrix \[X, Y;
//! Z, X\] and s = X(u + v) the halves are (X + Y)v + s and (X + Z)u + s. Three levels, bits 0, 1 and 3,
//! leave 27 matrices \[a, b; c, a\] of bit 2, done by the rule or plainly, whichever is cheaper. Every
//! level can be scaled by a factor, which D1 and D2 undo, and T as a whole. The order and the factors
//! were found by search: many of the constants become 0 or 1.
//!
//! In all 86 products by constants; 41 sums of two before them and 68 sums of three after them (130 sums of two where
//! the machine has no sum of three).
//!
//! Written without closures: those would be compiled without the instruction set's features wherever
//! they are not inlined.

use super::constants::multiply;
use crate::simd::Vector;

const BETA: u8 = 39;
/// The bits of the index in the order of the levels.
const BITS: [i32; 4] = [0, 1, 3, 2];
/// The factor of each level.
const FACTORS: [u8; 4] = [204, 212, 107, 77];
/// The constant that becomes 1.
const UNIT: u8 = 16;

const fn power(a: u8, e: i32) -> u8 {
    let (mut r, mut a, mut e) = (1, a, e.rem_euclid(255));
    while e > 0 {
        if e & 1 != 0 {
            r = multiply(r, a);
        }
        a = multiply(a, a);
        e >>= 1;
    }
    r
}

pub(super) const fn inverse(a: u8) -> u8 {
    power(a, 254)
}

/// 1 / (1 + β^(16 + d)).
const fn entry(d: i32) -> u8 {
    inverse(1 ^ power(BETA, 16 + d))
}

/// The product of the factors of the index's bits.
const fn weight(index: usize) -> u8 {
    let (mut w, mut level) = (1, 0);
    while level < 4 {
        if index >> BITS[level] & 1 != 0 {
            w = multiply(w, FACTORS[level]);
        }
        level += 1;
    }
    w
}

/// Π (y + β^k) over k of 0..16 but `without`.
const fn locator(y: u8, without: usize) -> u8 {
    let (mut r, mut k) = (1, 0);
    while k < 16 {
        if k != without {
            r = multiply(r, y ^ power(BETA, k as i32));
        }
        k += 1;
    }
    r
}

/// T\[i\]\[j\], scaled.
pub(super) const fn scaled(i: usize, j: usize) -> u8 {
    let w = multiply(weight(j), inverse(multiply(weight(i), UNIT)));
    multiply(entry(i as i32 - j as i32), w)
}

/// D1, with the inverse of the factors.
pub(super) const D1: [u8; 16] = {
    let (mut d, mut i) = ([0; 16], 0);
    while i < 16 {
        let y = power(BETA, 16 + i as i32);
        d[i] = multiply(power(y, 120), locator(y, 16));
        d[i] = multiply(d[i], multiply(weight(i), UNIT));
        i += 1;
    }
    d
};

/// D2, with the inverse of the factors.
pub(super) const D2: [u8; 16] = {
    let (mut d, mut j) = ([0; 16], 0);
    while j < 16 {
        let x = power(BETA, j as i32);
        d[j] = multiply(power(x, -121), inverse(multiply(locator(x, j), weight(j))));
        j += 1;
    }
    d
};

/// \[a, b, c\] of the 27 matrices at 9p + 3q + r, where p, q and r give the part of the rule at the first three
/// levels: 0: X + Y, 1: X + Z, 2: X.
const MATRICES: [[u8; 3]; 27] = {
    let (mut m, mut n) = ([[0; 3]; 27], 0);
    while n < 81 {
        // the sum of T's entries over the choices of X or the other at each level
        let mut choice = 0;
        while choice < 8 {
            let (mut d, mut w, mut level, mut exists) = (0, inverse(UNIT), 0, true);
            while level < 4 {
                let done = match level {
                    3 => [2, 0, 1][n % 3],
                    _ => [n / 27, n / 9 % 3, n / 3 % 3][level],
                };
                if level == 3 || choice >> level & 1 != 0 {
                    let (step, factor) = (1 << BITS[level], FACTORS[level]);
                    match done {
                        0 => (d, w) = (d - step, multiply(w, factor)),
                        1 => (d, w) = (d + step, multiply(w, inverse(factor))),
                        _ => exists = exists && level == 3,
                    }
                }
                level += 1;
            }
            if exists {
                m[n / 3][n % 3] ^= multiply(w, entry(d));
            }
            choice += 1;
        }
        n += 1;
    }
    m
};

/// The way of each of the 27 products.
#[derive(Clone, Copy)]
pub struct Leaf {
    /// True: Karatsuba's rule with the constants \[a, a + b, a + c\]; false: plainly with \[a, b, c\].
    pub rule: bool,
    /// The constants: nothing is done for 0 and 1.
    pub by: [u8; 3],
}

/// The costs of operations: a product, a product by 1, a sum of factors, and a term in a sum of products.
pub(super) struct Costs {
    pub(super) product: u32,
    pub(super) once: u32,
    pub(super) add: u32,
    pub(super) term: u32,
}

impl Costs {
    /// The cost of a constant with this number of products and of terms in sums.
    const fn of(&self, c: u8, products: u32, terms: u32) -> u32 {
        match c {
            0 => 0,
            1 => products * self.once + terms * self.term,
            _ => products * self.product + terms * self.term,
        }
    }
}

/// The cheaper way for each.
pub(super) const fn leaves(costs: &Costs) -> [Leaf; 27] {
    let (mut leaves, mut n) = ([Leaf { rule: false, by: [0; 3] }; 27], 0);
    while n < 27 {
        let [a, b, c] = MATRICES[n];
        let rule = [a, a ^ b, a ^ c];
        let plain = costs.of(a, 2, 2) + costs.of(b, 1, 1) + costs.of(c, 1, 1);
        let ruled =
            costs.add + costs.of(rule[0], 1, 2) + costs.of(rule[1], 1, 1) + costs.of(rule[2], 1, 1);
        leaves[n].rule = ruled < plain;
        leaves[n].by = if leaves[n].rule { rule } else { [a, b, c] };
        n += 1;
    }
    leaves
}

/// Where a product is one operation, and three terms are one operation too, so that a term counts half.
pub(super) const LEAVES: [Leaf; 27] = leaves(&Costs { product: 2, once: 0, add: 2, term: 1 });

/// A factor of products by constants; `M` is a constant in the form of the set.
pub(super) trait Factor<M>: Copy {
    /// A product.
    type V: Vector;
    /// How the leaves are done.
    const LEAVES: &'static [Leaf; 27];
    fn add(self, b: Self) -> Self;
    fn by(self, m: &M) -> Self::V;
    /// The product by 1.
    fn once(self, m: &M) -> Self::V;
}

/// The constants of `LEAVES`.
pub(super) type By<M> = [[M; 3]; 27];

/// The product by a constant of `LEAVES`; nothing if it is 0.
#[inline(always)]
fn times<M, F: Factor<M>, const N: usize, const K: usize>(x: F, by: &By<M>) -> Option<F::V> {
    match F::LEAVES[N].by[K] {
        0 => None,
        1 => Some(x.once(&by[N][K])),
        _ => Some(x.by(&by[N][K])),
    }
}

/// A product by a matrix \[a, b; c, a\]: the terms of both halves.
#[inline(always)]
fn leaf<M, F: Factor<M>, const N: usize>(u: F, v: F, by: &By<M>) -> [[Option<F::V>; 2]; 2] {
    if F::LEAVES[N].rule {
        let s = times::<M, F, N, 0>(u.add(v), by);
        [[s, times::<M, F, N, 1>(v, by)], [s, times::<M, F, N, 2>(u, by)]]
    } else {
        [
            [times::<M, F, N, 0>(u, by), times::<M, F, N, 1>(v, by)],
            [times::<M, F, N, 2>(u, by), times::<M, F, N, 0>(v, by)],
        ]
    }
}

/// The sum of the terms that exist.
#[inline(always)]
fn sum<S: Vector>([a, b]: [Option<S>; 2], c: Option<S>) -> Option<S> {
    match (a, b, c) {
        (Some(a), Some(b), Some(c)) => Some(a.xor3(b, c)),
        (Some(a), Some(b), None) | (Some(a), None, Some(b)) | (None, Some(a), Some(b)) => {
            Some(a.xor(b))
        }
        (a, b, c) => a.or(b).or(c),
    }
}

/// The sum of at least one term.
#[inline(always)]
fn total<S: Vector>(own: [Option<S>; 2], c: Option<S>) -> S {
    let Some(sum) = sum(own, c) else { unreachable!("no row of T is all zero") };
    sum
}

/// A product by a 4 × 4 matrix, in terms: two that are a row's own, and two that it shares with the row two
/// places on.
struct Quarter<S> {
    own: [[Option<S>; 2]; 4],
    both: [[Option<S>; 2]; 2],
}

/// The leaves of X, X + Y and X + Z.
#[inline(always)]
fn quarter<M, F: Factor<M>, const X: usize, const Y: usize, const Z: usize>(
    v: [F; 4],
    by: &By<M>,
) -> Quarter<F::V> {
    let both = leaf::<M, F, X>(v[0].add(v[2]), v[1].add(v[3]), by);
    let [a, b] = leaf::<M, F, Y>(v[2], v[3], by);
    let [c, d] = leaf::<M, F, Z>(v[0], v[1], by);
    Quarter { own: [a, b, c, d], both }
}

/// The terms of the rows' own, plus s.
#[inline(always)]
fn rows<S: Vector>(own: [[Option<S>; 2]; 4], s: [S; 4]) -> [S; 4] {
    let [a, b, c, d] = own;
    [total(a, Some(s[0])), total(b, Some(s[1])), total(c, Some(s[2])), total(d, Some(s[3]))]
}

/// Four rows, and the terms still to be added to rows 0 and 2, and to rows 1 and 3.
type Open<S> = ([S; 4], [Option<S>; 2]);

// Sums of three cost no more than sums of two: so the terms that rows share go where a sum has room for a third term.
impl<S: Vector> Quarter<S> {
    /// The rows.
    #[inline(always)]
    fn closed(self) -> [S; 4] {
        let [a, b, c, d] = self.own;
        let (p, q) = (sum(self.both[0], None), sum(self.both[1], None));
        [total(a, p), total(b, q), total(c, p), total(d, q)]
    }
    /// Plus s.
    #[inline(always)]
    fn open(self, s: [S; 4]) -> Open<S> {
        (rows(self.own, s), [sum(self.both[0], None), sum(self.both[1], None)])
    }
    /// Its own terms, plus s.
    #[inline(always)]
    fn with(self, s: [S; 4]) -> With<S> {
        With { rows: rows(self.own, s), both: self.both }
    }
}

/// Four rows, and terms that are still to be added to rows 0 and 2, and to rows 1 and 3.
struct With<S> {
    rows: [S; 4],
    both: [[Option<S>; 2]; 2],
}

impl<S: Vector> With<S> {
    /// Plus the open terms of others.
    #[inline(always)]
    fn plus(self, (t, both): Open<S>) -> [S; 4] {
        let rows = self.rows;
        let (p, q) = (sum(self.both[0], both[0]), sum(self.both[1], both[1]));
        [
            total([Some(rows[0]), Some(t[0])], p),
            total([Some(rows[1]), Some(t[1])], q),
            total([Some(rows[2]), Some(t[2])], p),
            total([Some(rows[3]), Some(t[3])], q),
        ]
    }
}

#[inline(always)]
fn add<M, F: Factor<M>>(a: [F; 4], b: [F; 4]) -> [F; 4] {
    [a[0].add(b[0]), a[1].add(b[1]), a[2].add(b[2]), a[3].add(b[3])]
}

/// Where T reads its vectors, four by four, so that S and T can go hand in hand: permutations have
/// a different port from products on some processors.
pub(super) trait Parts<F> {
    /// The four with an index that ends in `bits`.
    fn part(&self, bits: usize) -> [F; 4];
}

impl<F: Copy> Parts<F> for [F; 16] {
    #[inline(always)]
    fn part(&self, bits: usize) -> [F; 4] {
        [self[bits], self[bits + 4], self[bits + 8], self[bits + 12]]
    }
}

#[inline(always)]
fn put<S: Copy>(y: &mut [S; 16], bits: usize, part: [S; 4]) {
    (y[bits], y[bits + 4], y[bits + 8], y[bits + 12]) = (part[0], part[1], part[2], part[3]);
}

/// The parts in the order in which T reads and makes them.
pub(super) const MADE: [usize; 4] = [3, 1, 2, 0];

/// y = T · v. The levels of the bits 0 and 1 of the index are here, the levels of 3 and 2 in `quarter`.
#[inline(always)]
pub(super) fn toeplitz<M, F: Factor<M>>(v: &impl Parts<F>, by: &By<M>, y: &mut [F::V; 16]) {
    // v and y have the number of the two low bits of the index.
    let (v3, v1) = (v.part(3), v.part(1));
    let s = quarter::<M, F, 8, 6, 7>(add(v1, v3), by).closed();
    let y0 = quarter::<M, F, 2, 0, 1>(v3, by).with(s);
    let y2 = quarter::<M, F, 5, 3, 4>(v1, by).with(s);
    let (v2, v0) = (v.part(2), v.part(0));
    let s = quarter::<M, F, 17, 15, 16>(add(v0, v2), by).closed();
    let y1 = quarter::<M, F, 11, 9, 10>(v2, by).with(s);
    let y3 = quarter::<M, F, 14, 12, 13>(v0, by).with(s);
    let (u0, u1) = (add(v0, v1), add(v2, v3));
    let s = quarter::<M, F, 26, 24, 25>(add(u0, u1), by).closed();
    let s0 = quarter::<M, F, 20, 18, 19>(u1, by).open(s);
    let s1 = quarter::<M, F, 23, 21, 22>(u0, by).open(s);
    put(y, 3, y3.plus(s1));
    put(y, 1, y1.plus(s0));
    put(y, 2, y2.plus(s1));
    put(y, 0, y0.plus(s0));
}

#[cfg(test)]
mod tests {
    use super::super::constants::{INVERSE_ROWS, ROWS};
    use super::*;

    #[test]
    fn l_is_d1_t_d2() {
        for i in 0..16 {
            for j in 0..16 {
                let t =
                    multiply(entry(i as i32 - j as i32), multiply(weight(j), inverse(weight(i))));
                let l = multiply(multiply(D1[i], multiply(t, inverse(UNIT))), D2[j]);
                assert_eq!(l, ROWS[15 - i][15 - j]);
                assert_eq!(l, INVERSE_ROWS[i][j]);
            }
        }
    }
}
