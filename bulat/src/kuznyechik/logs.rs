//! S by logarithms, and products by constants nibble by nibble (see `tklog`).

use core::marker::PhantomData;

use super::karatsuba::Factor;
use super::octets::{Arithmetic, Constants, Whole, constants};
use super::tklog::{Form, LOG_L, LOG_PHI, LOG_R, LOG_TO_L, LOG_TO_R, LOG_W, MODULO, Place};
use crate::kernel::Direction;
use crate::simd::{Linear, Nibbles};

#[derive(Clone, Copy)]
pub(super) struct Logs<V>(PhantomData<V>);

static CONSTANTS: Constants = constants(Form::Logs);

impl<V: Nibbles> Arithmetic for Logs<V> {
    type V = V;
    type Factor = Halves<V>;
    const CONSTANTS: &'static Constants = &CONSTANTS;
    #[inline(always)]
    fn factor(isa: V::Isa, x: V) -> Halves<V> {
        Halves { low: x.low(), high: x.high(), isa }
    }
    #[inline(always)]
    fn substitute(isa: V::Isa, direction: Direction, x: V, place: &Place, first: V) -> V {
        let x = Self::factor(isa, x);
        let (a, b) = (x.by(&place.to[0]).0, x.by(&place.to[1]).0);
        let [_, second, third] = &place.tables;
        match direction {
            Direction::Encrypt => {
                let l = V::repeat(isa, &LOG_L).lookup(a);
                let r = V::repeat(isa, &LOG_R).lookup(b);
                let m = l.sub(r);
                let m = m.min(m.add(V::splat(isa, 15)));
                let q = modulo(isa, r.add(V::repeat(isa, &LOG_PHI).lookup_low(m)));
                let second = V::repeat(isa, second).lookup_low(m);
                let third = V::repeat(isa, third).lookup(a.sub(r));
                first.lookup_low(q).xor3(second, third)
            }
            Direction::Decrypt => {
                let w = V::repeat(isa, &LOG_W).lookup(b);
                let r = modulo(isa, w.add(V::repeat(isa, &LOG_TO_R).lookup(a)));
                let l = modulo(isa, w.add(V::repeat(isa, &LOG_TO_L).lookup(a)));
                let second = V::repeat(isa, second).lookup_low(l);
                let third = V::repeat(isa, third).lookup(a.sub(w));
                first.lookup_low(r).xor3(second, third)
            }
        }
    }
}

/// The sum of two logarithms modulo 15, in the low nibble.
#[inline(always)]
fn modulo<V: Nibbles>(isa: V::Isa, sum: V) -> V {
    sum.min(sum.add(V::splat(isa, MODULO)))
}

/// A vector as its nibbles.
#[derive(Clone, Copy)]
pub(super) struct Halves<V: Nibbles> {
    low: V,
    high: V,
    isa: V::Isa,
}

impl<V: Nibbles> Factor<Linear> for Halves<V> {
    type Sum = Whole<V>;
    #[inline(always)]
    fn add(self, b: Self) -> Self {
        Halves { low: self.low.xor(b.low), high: self.high.xor(b.high), isa: self.isa }
    }
    #[inline(always)]
    fn by(self, m: &Linear) -> Whole<V> {
        let low = V::repeat(self.isa, &m.low).lookup(self.low);
        Whole(low.xor(V::repeat(self.isa, &m.high).lookup(self.high)), self.isa)
    }
    #[inline(always)]
    fn once(self, m: &Linear) -> Whole<V> {
        Whole(self.low.xor(V::repeat(self.isa, &m.high).lookup(self.high)), self.isa)
    }
}
