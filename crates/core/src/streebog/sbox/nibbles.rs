//! S by logarithms, look-ups by nibbles: of each byte the numbers under which tables of L have K and σ (see [`super`]).
//!
//! ```text
//! k     = r != 0 ? (log l - log r) mod 15 : the number of E(l)     15 for K(0)
//! sigma = r != 0 ? (phi[k] + log r) mod 15 : nothing
//! ```
//!
//! One operation serves both cases: logarithms of 0 are so large that sums with them wrap, and a minimum chooses.

use super::{E, LOGARITHMS, PHI};
use crate::simd::Vector;

/// Indexed by l: its logarithm and 15. The entry of 0 is so large that bit 7 is left of it without [`RIGHT`] and 15,
/// and that without [`ZERO`] and 15 it wraps to more than any number of E, as all other entries do.
pub(in crate::streebog) const LEFT: [u8; 16] = {
    let (mut t, mut n) = ([254; 16], 1);
    while n < 16 {
        t[n] = 15 + LOGARITHMS[n];
        n += 1;
    }
    t
};
/// Indexed by r: its logarithm. The entry of 0 is so large that a sum has bit 7.
pub(in crate::streebog) const RIGHT: [u8; 16] = {
    let mut t = LOGARITHMS;
    t[0] = ZERO;
    t
};
const ZERO: u8 = 0xf0;
/// Indexed by l, where r = 0: the difference from [`LEFT`] to the number of E and [`ZERO`].
pub(in crate::streebog) const INSTEAD: [u8; 16] = {
    let (mut t, mut n) = ([0; 16], 0);
    while n < 16 {
        t[n] = (ZERO + E[n]).wrapping_sub(LEFT[n]);
        n += 1;
    }
    t
};

/// Returns the numbers of K and of σ for each byte; a number from 128 on means K(0), or no σ.
#[inline(always)]
pub(in crate::streebog) fn numbers<N: Vector>(isa: N::Isa, x: N) -> (N, N) {
    let fifteen = N::splat(isa, 15);
    let (l, r) = (x.low(), x.high());
    let (left, right) = (N::repeat(isa, &LEFT).lookup(l), N::repeat(isa, &RIGHT).lookup(r));
    // The logarithm of l/r mod 15; where r = 0, the number of E. From r, which comes last, it is a difference and a
    // minimum; saturating, though no difference is below 0, so that the compiler leaves the order of the sums.
    let k = left.add(N::repeat(isa, &INSTEAD).lookup_small(isa, x)).sub_saturating(right);
    let k = k.min(left.sub(fifteen).sub(right));
    let sigma = N::repeat(isa, &PHI).lookup(k).add(right);
    (k, sigma.min(sigma.sub(fifteen)))
}
