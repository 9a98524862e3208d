//! The product by the matrix T of `toeplitz`, on vectors of any kind: byte a_i of many blocks in vector
//! i (RFC 7801, section 4.2).
//!
//! 86 products by constants; 41 sums of two before them and 68 of three after them (where there are none of
//! three, 130 of two).
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

/// The same, where there is something.
#[inline(always)]
fn total<S: Sum>(own: [Option<S>; 2], c: Option<S>) -> S {
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
) -> Quarter<F::Sum> {
    let both = leaf::<M, F, X>(v[0].add(v[2]), v[1].add(v[3]), by);
    let [a, b] = leaf::<M, F, Y>(v[2], v[3], by);
    let [c, d] = leaf::<M, F, Z>(v[0], v[1], by);
    Quarter { own: [a, b, c, d], both }
}

/// The terms of the rows' own, plus s.
#[inline(always)]
fn rows<S: Sum>(own: [[Option<S>; 2]; 4], s: [S; 4]) -> [S; 4] {
    let [a, b, c, d] = own;
    [total(a, Some(s[0])), total(b, Some(s[1])), total(c, Some(s[2])), total(d, Some(s[3]))]
}

/// Four rows, and what is still to be added to rows 0 and 2, and to rows 1 and 3.
type Open<S> = ([S; 4], [Option<S>; 2]);

// Sums of three cost no more than sums of two: so what rows share goes where a sum has room for it.
impl<S: Sum> Quarter<S> {
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

impl<S: Sum> With<S> {
    /// Plus what others leave open.
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

/// Where T takes its vectors from, four by four, so that S and T can go hand in hand: permutations have
/// another port than products on some processors.
pub(super) trait Parts<F> {
    /// Those whose index ends in `bits`.
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

/// The parts in the order in which T makes them, and in which it takes them.
pub(super) const MADE: [usize; 4] = [3, 1, 2, 0];

/// y = T · v. The levels of the bits 0 and 1 of the index are here, those of 3 and 2 in `quarter`.
#[inline(always)]
pub(super) fn toeplitz<M, F: Factor<M>>(v: &impl Parts<F>, by: &By<M>, y: &mut [F::Sum; 16]) {
    // bits 1 and 0 of the index: v0 has 00, v1 has 10, v2 has 01, v3 has 11
    let (v3, v2) = (v.part(3), v.part(1));
    let s = quarter::<M, F, 8, 6, 7>(add(v2, v3), by).closed();
    let y0 = quarter::<M, F, 2, 0, 1>(v3, by).with(s);
    let y2 = quarter::<M, F, 5, 3, 4>(v2, by).with(s);
    let (v1, v0) = (v.part(2), v.part(0));
    let s = quarter::<M, F, 17, 15, 16>(add(v0, v1), by).closed();
    let y1 = quarter::<M, F, 11, 9, 10>(v1, by).with(s);
    let y3 = quarter::<M, F, 14, 12, 13>(v0, by).with(s);
    let (u0, u1) = (add(v0, v2), add(v1, v3));
    let s = quarter::<M, F, 26, 24, 25>(add(u0, u1), by).closed();
    let s0 = quarter::<M, F, 20, 18, 19>(u1, by).open(s);
    let s1 = quarter::<M, F, 23, 21, 22>(u0, by).open(s);
    put(y, 3, y3.plus(s1));
    put(y, 1, y1.plus(s0));
    put(y, 2, y2.plus(s1));
    put(y, 0, y0.plus(s0));
}
