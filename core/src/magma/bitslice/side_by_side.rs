//! One gate of several batches of bit planes at a time: the carries of a round are one chain of 31, and of two batches
//! one computes while the other waits.

use core::ops::{BitAnd, BitOr, BitXor, Not};

use crate::simd::{Bits, Gates};

/// A bit plane, or a part of it, of each of N batches.
#[derive(Clone, Copy)]
pub(super) struct SideBySide<G, const N: usize>([G; N]);

impl<G: Gates, const N: usize> SideBySide<G, N> {
    #[inline(always)]
    pub(super) fn all(x: G) -> Self {
        SideBySide([x; N])
    }
    /// Part `step` of plane `i` of each half.
    #[inline(always)]
    pub(super) fn of<W: Bits<Gate = G>>(halves: &[[W; 32]; N], i: usize, step: usize) -> Self {
        let mut x = [halves[0][i].part(step); N];
        for n in 1..N {
            x[n] = halves[n][i].part(step);
        }
        SideBySide(x)
    }
    /// Writes it there.
    #[inline(always)]
    pub(super) fn put<W: Bits<Gate = G>>(self, halves: &mut [[W; 32]; N], i: usize, step: usize) {
        for n in 0..N {
            halves[n][i].set_part(step, self.0[n]);
        }
    }
}

// Loops: the body of a closure is not compiled for the instruction set.
macro_rules! two_inputs {
    ($($gate:ident $function:ident $operator:tt;)*) => { $(
        impl<G: Gates, const N: usize> $gate for SideBySide<G, N> {
            type Output = Self;
            #[inline(always)]
            fn $function(mut self, o: Self) -> Self {
                for n in 0..N {
                    self.0[n] = self.0[n] $operator o.0[n];
                }
                self
            }
        }
    )* };
}
two_inputs! {
    BitXor bitxor ^;
    BitAnd bitand &;
    BitOr bitor |;
}
impl<G: Gates, const N: usize> Not for SideBySide<G, N> {
    type Output = Self;
    #[inline(always)]
    fn not(mut self) -> Self {
        for n in 0..N {
            self.0[n] = !self.0[n];
        }
        self
    }
}
impl<G: Gates, const N: usize> Gates for SideBySide<G, N> {
    const TERNARY: bool = G::TERNARY;
    #[inline(always)]
    fn lut<const F: i32>(mut self, b: Self, c: Self) -> Self {
        for n in 0..N {
            self.0[n] = self.0[n].lut::<F>(b.0[n], c.0[n]);
        }
        self
    }
}
