//! Products of polynomials over GF(2) of data: bilinear forms.
//!
//! For variables u and v there are eight variables more, u where bit k of v is set and else 0. Every product of a
//! linear function of u and one of v is a linear function of these, so products stay in the domain, and
//! reductions, which are linear, too.

use crate::domain::{Byte, Var, ZERO, linear, pair, table, terms};
use crate::machine::{Or, refuse};

/// The product of two words as polynomials: twice as many bytes.
pub fn product(a: &[Byte], b: &[Byte]) -> Or<Vec<Byte>> {
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
