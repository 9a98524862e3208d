//! The variables that a byte hangs on, and shorter forms of it.

use super::{Byte, Domain, Table, Var, new, with};

/// A new variable, of a key or a text.
pub fn var() -> Byte {
    new(true)
}
/// A new variable of which nothing is known, and which is no secret.
pub fn junk() -> Byte {
    new(false)
}
/// This number of variables.
pub fn vars(n: usize) -> Vec<Byte> {
    (0..n).map(|_| var()).collect()
}
/// The variables of a byte, with the images of the bits where a function is linear.
pub fn terms(b: Byte) -> Vec<(Var, Option<[u8; 8]>)> {
    with(|d| {
        let sum = d.sums[b.sum()].to_vec();
        let images = |d: &mut Domain, t: Table| {
            let linear = d.linear(t);
            linear.then(|| std::array::from_fn(|i| d.tables[t as usize][1 << i]))
        };
        sum.iter().map(|(v, t)| (*v, images(d, *t))).collect()
    })
}
/// The variables that are u where bit k of v is set, and else 0.
pub fn pairs(u: Var, v: Var) -> [Byte; 8] {
    with(|d| {
        if let Some(known) = d.pairs.get(&(u, v)) {
            return *known;
        }
        let parts = [u, v].map(|v| d.identity(v));
        let new = std::array::from_fn(|k| d.unknown(1 << 63, k as u32, &parts));
        d.pairs.insert((u, v), new);
        new
    })
}

/// The value of a byte, given the values of the variables.
pub fn evaluate(b: Byte, value: impl Fn(Var) -> Option<u8>) -> Option<u8> {
    with(|d| {
        d.sums[b.sum()].iter().try_fold(b.constant(), |r, (v, t)| {
            Some(r ^ d.tables[*t as usize][value(*v)? as usize])
        })
    })
}
/// The variable that a byte is.
pub fn name(b: Byte) -> Option<Var> {
    with(|d| d.sums[b.sum()].first().map(|(v, _)| *v))
}

/// Gives a byte a different form, which bytes that are stored get too.
pub fn shorten(long: Byte, short: Byte) {
    if long.number().is_none() && long != short {
        with(|d| {
            d.short = true;
            d.note(long.sum(), short ^ Byte::new(long.constant()), false);
        });
    }
}
/// A byte in its shorter form, if it was given a shorter form.
pub fn shortened(b: Byte) -> Byte {
    with(|d| {
        let long = d.short && d.sums[b.sum()].len() > 1;
        let short = long.then(|| d.found(b.sum())).flatten();
        short.map_or(b, |short| short ^ Byte::new(b.constant()))
    })
}
/// Returns whether a byte hangs on a key or a text.
pub fn secret(b: Byte) -> bool {
    b.number().is_none() && with(|d| d.depends([b]))
}
