//! Products of polynomials over GF(2) of data: bilinear forms.
//!
//! For variables u and v there are eight variables more, u where bit k of v is set and else 0. Every product of a
//! linear function of u and a linear function of v is a linear function of these, so products stay in the domain, and
//! reductions, which are linear, too.

use std::cell::Cell;

use crate::bytes::{filled, op};
use crate::carries;
use crate::domain::{Byte, Kind, Table, combined, made, masked, pairs, products, terms, unknown};
use crate::machine::{Or, refuse};
use crate::standard::xor;

thread_local! {
    /// Set if AND of a byte and a mask of one bit is their product.
    static SELECTS: Cell<bool> = const { Cell::new(false) };
}
/// From here on, or no more, a selection by a bit is a product.
pub fn selections(are_products: bool) {
    SELECTS.set(are_products);
}
/// a AND b, where selections are products and an operand is a bit in all places: of the byte times the polynomial 1 or 0 the
/// low byte is the byte or 0.
pub fn selection(a: Byte, b: Byte) -> Option<Byte> {
    let bit = |x: Byte| {
        let bit = masked(1, x);
        (x == filled(bit)).then_some(bit)
    };
    if !SELECTS.get() {
        return None;
    }
    let (bit, x) = bit(a).map(|bit| (bit, b)).or_else(|| Some((bit(b)?, a)))?;
    Some(product(&[bit], &[x]).ok()?[0])
}

/// The product of two words as polynomials: twice as many bytes. Where a factor is no linear function of variables, the
/// product of 64 bits each is unknown and named by both, or is noted already.
pub fn product(a: &[Byte], b: &[Byte]) -> Or<Vec<Byte>> {
    let numbers = |w: &[Byte]| w.iter().all(|x| x.number().is_some());
    let linear = |w: &[Byte]| w.iter().all(|x| terms(*x).iter().all(|(_, f)| f.is_some()));
    if !(numbers(a) || numbers(b) || linear(a) && linear(b)) {
        return Ok(if a.len() > 8 { of_halves(a, b)? } else { named(a, b) });
    }
    let [x, y] = [a, b].map(|w| w.iter().map(|b| (*b, terms(*b))).collect::<Vec<_>>());
    // For each byte of the product what it is the sum of.
    let mut sums = vec![Vec::new(); a.len() + b.len()];
    let mut add = |at: usize, tables: [Table; 2], byte: Byte| {
        tables.into_iter().zip(&mut sums[at..]).for_each(|(t, sum)| sum.push((t, byte)));
    };
    for (i, (x, of_x)) in x.iter().enumerate() {
        for (j, (y, of_y)) in y.iter().enumerate() {
            // The byte's constant is a part of its product by a constant.
            if x.constant() != 0 && y.number() != Some(0) {
                add(i + j, by_constant(x.constant()), *y);
            }
            if y.constant() != 0 && x.number().is_none() {
                add(i + j, by_constant(y.constant()), x.with(0));
            }
            for ((u, f), (v, g)) in of_x.iter().flat_map(|p| of_y.iter().map(move |q| (p, q))) {
                let (Some(f), Some(g)) = (f, g) else {
                    return refuse("a product of what is no linear function");
                };
                // One order, so that equal products have equal forms.
                let ((u, f), (v, g)) = if u > v { ((v, g), (u, f)) } else { ((u, f), (v, g)) };
                let pairs = pairs(*u, *v);
                for k in (0..8).filter(|k| g[*k] != 0) {
                    // With only bit k of v: the product of f(u) and g of that bit.
                    add(i + j, products(*f, g[k], |x| wide(image(f, x), g[k])), pairs[k]);
                }
            }
        }
    }
    Ok(sums.into_iter().map(|parts: Vec<(Table, Byte)>| combined(parts.into_iter())).collect())
}

/// A product from the products of halves, of which it notes the product of the sums too: (p + q)(r + s) is pr + ps + qr
/// + qs.
fn of_halves(a: &[Byte], b: &[Byte]) -> Or<Vec<Byte>> {
    let ((p, q), (r, s)) = (a.split_at(8), b.split_at(8));
    let [pr, ps, qr, qs] = [product(p, r)?, product(p, s)?, product(q, r)?, product(q, s)?];
    let middle = xor(&ps, &qr);
    carries::multiplied(&xor(p, q), &xor(r, s), xor(&middle, &xor(&pr, &qs)));
    let mut out = [pr, qs].concat();
    out[8..24].iter_mut().zip(middle).for_each(|(out, m)| *out = *out ^ m);
    Ok(out)
}
fn named(a: &[Byte], b: &[Byte]) -> Vec<Byte> {
    // The two together are the name.
    assert_eq!(a.len(), b.len(), "factors of one length");
    carries::product(a, b).unwrap_or_else(|| {
        let key = carries::commuted(a, b).concat();
        (0..2 * a.len()).map(|i| unknown(op::POLYNOMIALS, i, &key)).collect()
    })
}

fn wide(a: u8, b: u8) -> u16 {
    (0..8).filter(|i| b >> i & 1 != 0).fold(0, |r, i| r ^ u16::from(a) << i)
}

/// The tables of both bytes of the product by a constant.
fn by_constant(c: u8) -> [Table; 2] {
    [0, 8].map(|shift| made(Kind::Wide, u64::from(c) | shift << 8, |x| (wide(x, c) >> shift) as u8))
}

/// The images of the bits under a linear table.
type Images = [u8; 8];
fn image(f: &Images, x: u8) -> u8 {
    (0..8).filter(|i| x >> i & 1 != 0).fold(0, |r, i| r ^ f[i])
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::bytes::{and, matrix};
    use crate::domain::{Var, evaluate, forget, linear, name, vars};
    use crate::record::Random;

    /// Variables with values; and the values of the variables for their pairs.
    pub struct Values(Vec<(Var, u8)>);
    impl Values {
        pub fn new(all: &[Byte], random: &mut Random) -> Self {
            let of = |b: &Byte| Some((name(*b)?, random.next() as u8));
            let single: Vec<(Var, u8)> = all.iter().filter_map(of).collect();
            let mut values = single.clone();
            for ((u, x), (v, y)) in single.iter().flat_map(|u| single.iter().map(move |v| (u, v))) {
                let bit = |k: usize| if y >> k & 1 != 0 { *x } else { 0 };
                let pairs = pairs(*u, *v).into_iter().enumerate();
                values.extend(pairs.filter_map(|(k, b)| Some((name(b)?, bit(k)))));
            }
            Values(values)
        }
        pub fn of(&self, b: Byte) -> Option<u8> {
            evaluate(b, |v| self.0.iter().find(|(of, _)| *of == v).map(|(_, value)| *value))
        }
        pub fn word(&self, w: &[Byte]) -> u128 {
            w.iter().rev().fold(0, |n, b| n << 8 | u128::from(self.of(*b).expect("a value")))
        }
    }
    /// A sum of linear functions of these variables and a number.
    pub fn drawn(all: &[Byte], random: &mut Random) -> Byte {
        let number = Byte::new(random.next() as u8);
        let part = |v: &Byte| linear(matrix(random.next().to_le_bytes()), *v);
        all.iter().map(part).fold(number, |sum, part| sum ^ part)
    }

    /// Products of sums of linear functions have the values of the products.
    #[test]
    fn products_are_of_polynomials() {
        let mut random = Random(6);
        for _ in 0..30 {
            forget();
            let all = vars(3);
            let values = Values::new(&all, &mut random);
            let [a, b] =
                [0, 1].map(|_| (0..2).map(|_| drawn(&all, &mut random)).collect::<Vec<_>>());
            let (x, y) = (values.word(&a), values.word(&b));
            let want = (0..16).filter(|k| x >> k & 1 != 0).fold(0, |r, k| r ^ y << k);
            assert_eq!(values.word(&product(&a, &b).expect("linear")), want);
            let swapped = product(&b, &a).expect("linear");
            assert_eq!(values.word(&swapped), want);
        }
    }

    /// A selection by a bit has the value of AND, in both orders, of linear functions and of others.
    #[test]
    fn selections_are_and() {
        let mut random = Random(7);
        for _ in 0..60 {
            forget();
            selections(true);
            let all = vars(3);
            let values = Values::new(&all, &mut random);
            let bit = masked(1, drawn(&all[..2], &mut random));
            let x = drawn(&all, &mut random);
            let want = if values.of(bit) == Some(0) { Some(0) } else { values.of(x) };
            for r in [and(filled(bit), x), and(x, filled(bit))] {
                assert_eq!(values.of(r), want);
            }
            // A byte that is no mask is none: its lowest bit selects nothing.
            assert_eq!(selection(masked(3, all[0]), all[1]), None);
        }
        forget();
        assert_eq!(selection(filled(masked(1, vars(1)[0])), vars(1)[0]), None);
    }
}
