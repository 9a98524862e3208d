//! The product by the matrix T of `toeplitz`, on vectors of any kind: octet a_i of many blocks in vector
//! i (RFC 7801, section 4.2).
//!
//! 70 products by constants, and 176 sums of two, or about 130 of three.
//!
//! Written without closures: those would be compiled without the instruction set's features wherever
//! they are not inlined.

use super::toeplitz::Leaf;

/// What products make.
pub(super) trait Sum: Copy {
    fn plus(self, b: Self) -> Self;
    fn plus3(self, b: Self, c: Self) -> Self;
}

/// What products by a constant are taken of; `M` is a constant as the products have it.
pub(super) trait Factor<M>: Copy {
    type Sum: Sum;
    /// How the leaves are done.
    const LEAVES: &'static [Leaf; 27];
    fn add(self, b: Self) -> Self;
    fn by(self, m: &M) -> Self::Sum;
    /// The product by 1.
    fn once(self, m: &M) -> Self::Sum;
}

/// The constants of `LEAVES`.
pub(super) type By<M> = [[M; 3]; 27];

/// The product by a constant of `LEAVES`; nothing if it is 0.
#[inline(always)]
fn times<M, F: Factor<M>, const N: usize, const K: usize>(x: F, by: &By<M>) -> Option<F::Sum> {
    match F::LEAVES[N].by[K] {
        0 => None,
        1 => Some(x.once(&by[N][K])),
        _ => Some(x.by(&by[N][K])),
    }
}

/// One of the 27 products by a matrix \[a, b; c, a\]: the terms of both halves.
#[inline(always)]
fn leaf<M, F: Factor<M>, const N: usize>(u: F, v: F, by: &By<M>) -> [[Option<F::Sum>; 2]; 2] {
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

/// The sum of what there is.
#[inline(always)]
fn sum<S: Sum>([a, b]: [Option<S>; 2], c: Option<S>) -> Option<S> {
    match (a, b, c) {
        (Some(a), Some(b), Some(c)) => Some(a.plus3(b, c)),
        (Some(a), Some(b), None) | (Some(a), None, Some(b)) | (None, Some(a), Some(b)) => {
            Some(a.plus(b))
        }
        (a, b, c) => a.or(b).or(c),
    }
}

/// A product by a 4 × 4 matrix: the leaves of X, X + Y and X + Z.
#[inline(always)]
fn quarter<M, F: Factor<M>, const X: usize, const Y: usize, const Z: usize>(
    v: [F; 4],
    by: &By<M>,
) -> [F::Sum; 4] {
    let [p, q] = leaf::<M, F, X>(v[0].add(v[2]), v[1].add(v[3]), by);
    let (p, q) = (sum(p, None), sum(q, None));
    let [a, b] = leaf::<M, F, Y>(v[2], v[3], by);
    let [c, d] = leaf::<M, F, Z>(v[0], v[1], by);
    let (Some(a), Some(b), Some(c), Some(d)) = (sum(a, p), sum(b, q), sum(c, p), sum(d, q)) else {
        unreachable!("no row of a quarter is all zero")
    };
    [a, b, c, d]
}

#[inline(always)]
fn add<M, F: Factor<M>>(a: [F; 4], b: [F; 4]) -> [F; 4] {
    [a[0].add(b[0]), a[1].add(b[1]), a[2].add(b[2]), a[3].add(b[3])]
}

#[inline(always)]
fn plus<S: Sum>(a: [S; 4], b: [S; 4]) -> [S; 4] {
    [a[0].plus(b[0]), a[1].plus(b[1]), a[2].plus(b[2]), a[3].plus(b[3])]
}

#[inline(always)]
fn plus3<S: Sum>(a: [S; 4], b: [S; 4], c: [S; 4]) -> [S; 4] {
    [a[0].plus3(b[0], c[0]), a[1].plus3(b[1], c[1]), a[2].plus3(b[2], c[2]), a[3].plus3(b[3], c[3])]
}

/// The vectors whose index ends in `bits`.
#[inline(always)]
fn part<F: Copy>(v: &[F; 16], bits: usize) -> [F; 4] {
    [v[bits], v[bits + 4], v[bits + 8], v[bits + 12]]
}

#[inline(always)]
fn put<S: Copy>(y: &mut [S; 16], bits: usize, part: [S; 4]) {
    (y[bits], y[bits + 4], y[bits + 8], y[bits + 12]) = (part[0], part[1], part[2], part[3]);
}

/// y = T · v. The levels of the bits 0 and 1 of the index are here, those of 3 and 2 in `quarter`.
#[inline(always)]
pub(super) fn toeplitz<M, F: Factor<M>>(v: &[F; 16], by: &By<M>, y: &mut [F::Sum; 16]) {
    // bits 1 and 0 of the index: v0 has 00, v1 has 10, v2 has 01, v3 has 11
    let [v0, v1, v2, v3] = [part(v, 0), part(v, 2), part(v, 1), part(v, 3)];
    let (u0, u1) = (add(v0, v2), add(v1, v3));
    let s = quarter::<M, F, 26, 24, 25>(add(u0, u1), by);
    let s0 = plus(quarter::<M, F, 20, 18, 19>(u1, by), s);
    let s1 = plus(quarter::<M, F, 23, 21, 22>(u0, by), s);
    let s = quarter::<M, F, 8, 6, 7>(add(v2, v3), by);
    put(y, 0, plus3(quarter::<M, F, 2, 0, 1>(v3, by), s, s0));
    put(y, 2, plus3(quarter::<M, F, 5, 3, 4>(v2, by), s, s1));
    let s = quarter::<M, F, 17, 15, 16>(add(v0, v1), by);
    put(y, 1, plus3(quarter::<M, F, 11, 9, 10>(v1, by), s, s0));
    put(y, 3, plus3(quarter::<M, F, 14, 12, 13>(v0, by), s, s1));
}
