//! Products of polynomials over GF(2) of data: bilinear forms.
//!
//! For variables u and v there are eight variables more, u where bit k of v is set and else 0. Every product of a
//! linear function of u and a linear function of v is a linear function of these, so products stay in the domain, and
//! reductions, which are linear, too.

use crate::bytes::op;
use crate::carries;
use crate::domain::{Byte, Var, ZERO, linear, pair, table, terms, unknown};
use crate::machine::{Or, refuse};
use crate::standard::xor;

/// The product of two words as polynomials: twice as many bytes. Where a factor is no linear function of variables, the
/// product of 64 bits each is unknown and named by both, or is noted already.
pub fn product(a: &[Byte], b: &[Byte]) -> Or<Vec<Byte>> {
    let numbers = |w: &[Byte]| w.iter().all(|x| x.number().is_some());
    let linear = |w: &[Byte]| w.iter().all(|x| terms(*x).iter().all(|(_, f)| f.is_some()));
    if !(numbers(a) || numbers(b) || linear(a) && linear(b)) {
        return Ok(if a.len() > 8 { of_halves(a, b)? } else { named(a, b) });
    }
    let mut out = vec![ZERO; a.len() + b.len()];
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate() {
            let [low, high] = of_bytes(*x, *y)?;
            out[i + j] = out[i + j] ^ low;
            out[i + j + 1] = out[i + j + 1] ^ high;
        }
    }
    Ok(out)
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
    carries::product(a, b).unwrap_or_else(|| {
        let key = carries::commuted(a, b).concat();
        (0..2 * a.len()).map(|i| unknown(op::POLYNOMIALS, i, &key)).collect()
    })
}

fn wide(a: u8, b: u8) -> u16 {
    (0..8).filter(|i| b >> i & 1 != 0).fold(0, |r, i| r ^ u16::from(a) << i)
}

fn by_constant(c: u8, x: Byte) -> [Byte; 2] {
    let part = |shift: u32| linear(table(|x| (wide(x, c) >> shift) as u8), x);
    [part(0), part(8)]
}

fn of_bytes(a: Byte, b: Byte) -> Or<[Byte; 2]> {
    match (a.number(), b.number()) {
        (Some(0), _) | (_, Some(0)) => return Ok([ZERO; 2]),
        (Some(c), _) => return Ok(by_constant(c, b)),
        (_, Some(c)) => return Ok(by_constant(c, a)),
        _ => {}
    }
    let mut out = by_constant(a.constant(), b.with(0));
    let more = by_constant(b.constant(), a.with(0));
    let add = |out: &mut [Byte; 2], more: [Byte; 2]| {
        for (out, more) in out.iter_mut().zip(more) {
            *out = *out ^ more;
        }
    };
    add(&mut out, more);
    add(&mut out, by_constant(a.constant(), Byte::new(b.constant())));
    for (u, f) in terms(a) {
        for (v, g) in terms(b) {
            let (Some(f), Some(g)) = (f, g) else {
                return refuse("a product of what is no linear function");
            };
            add(&mut out, of_terms((u, f), (v, g)));
        }
    }
    Ok(out)
}

/// The images of the bits under a linear table.
pub type Images = [u8; 8];

fn of_terms((u, f): (Var, Images), (v, g): (Var, Images)) -> [Byte; 2] {
    // One order, so that equal products have equal forms.
    if u > v {
        return of_terms((v, g), (u, f));
    }
    let mut out = [ZERO; 2];
    for k in 0..8 {
        // With only bit k of v: the product of f(u) and g of that bit.
        let by = g[k];
        if by == 0 {
            continue;
        }
        let value = |x: u8, shift: u32| {
            let f = (0..8).filter(|i| x >> i & 1 != 0).fold(0, |r, i| r ^ f[i]);
            (wide(f, by) >> shift) as u8
        };
        let both = pair(u, v, k);
        for (part, out) in out.iter_mut().enumerate() {
            *out = *out ^ linear(table(|x| value(x, 8 * part as u32)), both);
        }
    }
    out
}
