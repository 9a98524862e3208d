//! S and products by constants where there are products in the field of AES (see `tklog`).

use core::marker::PhantomData;

use super::karatsuba::Factor;
use super::octets::{Arithmetic, Constants, Whole, constants};
use super::tklog::{FACTOR_K, FACTOR_W, Form, INVERSE, NOT_ZERO, PHI, Place};
use crate::kernel::Direction;
use crate::simd::{Field, Linear};

#[derive(Clone, Copy)]
pub(super) struct Products<V>(PhantomData<V>);

static CONSTANTS: Constants = constants(Form::Products);

impl<V: Field> Arithmetic for Products<V> {
    type V = V;
    type Factor = Whole<V>;
    const CONSTANTS: &'static Constants = &CONSTANTS;
    #[inline(always)]
    fn factor(isa: V::Isa, x: V) -> Whole<V> {
        Whole(x, isa)
    }
    #[inline(always)]
    fn substitute(isa: V::Isa, direction: Direction, x: V, place: &Place, first: V) -> V {
        let a = x.linear(isa, &place.to[0]);
        let b = x.linear(isa, &place.to[1]);
        let [_, second, third] = &place.tables;
        match direction {
            Direction::Encrypt => {
                let m = a.times(V::repeat(isa, &INVERSE).lookup_low(b));
                let q = b.times(V::repeat(isa, &PHI).lookup_low(m));
                let z = a.or(V::repeat(isa, &NOT_ZERO).lookup_low(b));
                let second = V::repeat(isa, second).lookup_low(q);
                let third = V::repeat(isa, third).lookup_low(z);
                first.lookup_low(m).xor3(second, third)
            }
            Direction::Decrypt => {
                let (k, w) = (V::repeat(isa, &FACTOR_K), V::repeat(isa, &FACTOR_W));
                let x = k.lookup(a).times(w.lookup_low(b)).linear(isa, &place.from);
                x.xor(first.lookup(a.sub_saturating(b)))
            }
        }
    }
}

impl<V: Field> Factor<Linear> for Whole<V> {
    type Sum = Self;
    #[inline(always)]
    fn add(self, b: Self) -> Self {
        Whole(self.0.xor(b.0), self.1)
    }
    #[inline(always)]
    fn by(self, m: &Linear) -> Self {
        Whole(self.0.linear(self.1, m), self.1)
    }
    #[inline(always)]
    fn once(self, _: &Linear) -> Self {
        self
    }
}
