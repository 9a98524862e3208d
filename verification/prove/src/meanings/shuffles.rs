//! Bytes and elements of vectors that change places, or are looked up by other bytes.

use super::words::{each, short, two};
use super::{Meaning, operand, plain, width};
use crate::bytes::{Lookup, number, select};
use crate::domain::{Byte, ZERO, lift};
use crate::machine::{Lanes, Machine, Or, refuse};
use crate::program::{Code, Operand};

pub fn meaning(name: &str) -> Option<Meaning> {
    let s = short(name);
    match s {
        "pshufb" => plain(|m, i| {
            let (n, a, b, old) = two(m, i)?;
            let b = wanted(m, i, b);
            let mut out = [ZERO; 64];
            let mut t = Lookup::new(&a[..16], true);
            for (k, entries) in a[..n].chunks(16).enumerate() {
                if !t.is_in(entries) {
                    t = Lookup::new(entries, true);
                }
                for j in 16 * k..16 * k + 16 {
                    out[j] = t.of(b[j]);
                }
            }
            m.finish(operand(i, 0)?, &out, 1, old)
        }),
        "permb" => plain(|m, i| {
            let n = width(operand(i, 0)?)?;
            let (x, t) = (m.source(operand(i, 1)?, n)?, m.source(operand(i, 2)?, n)?);
            let x = wanted(m, i, x);
            let t = Lookup::new(&t[..n], false);
            m.finish(operand(i, 0)?, &lanes(n, |k| t.of(x[k])), 1, false)
        }),
        "permt2b" | "permi2b" => {
            let index_first = s == "permi2b";
            plain(move |m, i| {
                let (n, index, t) = of_two(m, i, index_first)?;
                let index = wanted(m, i, index);
                let t = Lookup::new(&t[..2 * n], false);
                m.finish(operand(i, 0)?, &lanes(n, |k| t.of(index[k])), 1, false)
            })
        }
        "permt2w" | "permt2d" | "permt2q" | "permi2w" | "permi2d" | "permi2q" => {
            let (size, index_first) = (each(s), s.starts_with("permi"));
            plain(move |m, i| {
                let (n, index, t) = of_two(m, i, index_first)?;
                let moved = permuted(&t[..2 * n], &index, size, n)?;
                m.finish(operand(i, 0)?, &moved, size, false)
            })
        }
        "permd" | "permw" | "permq" => {
            let (size, by_number) = (each(s), super::places::meaning(name));
            plain(move |m, i| {
                if let (Operand::Number(_), Some(f)) = (operand(i, 2)?, &by_number) {
                    return f(m, i).map(|_| ());
                }
                let n = width(operand(i, 0)?)?;
                let (x, t) = (m.source(operand(i, 1)?, n)?, m.source(operand(i, 2)?, n)?);
                let moved = permuted(&t[..n], &x, size, n)?;
                m.finish(operand(i, 0)?, &moved, size, false)
            })
        }
        "pblendmb" | "pblendmw" | "pblendmd" | "pblendmq" => {
            let size = each(s);
            plain(move |m, i| {
                let (n, a, b, _) = two(m, i)?;
                let Operand::Vector { r, n: all, mask: Some(mask) } = *operand(i, 0)? else {
                    return refuse("a choice without a mask");
                };
                let of = |k: usize| {
                    let other = if mask.clears { ZERO } else { a[k] };
                    select(m.bit(mask.r, k / size), b[k], other)
                };
                let chosen = lanes(n, of);
                m.finish(&Operand::Vector { r, n: all, mask: None }, &chosen, 1, false)
            })
        }
        "pblendvb" => plain(|m, i| {
            let (n, a, b, old) = two(m, i)?;
            let by = if old { m.vectors[0] } else { m.source(operand(i, 3)?, n)? };
            let of = |k: usize| {
                let bit = lift(crate::bytes::op::MASK + 100, [by[k]], |[b]| b >> 7);
                select(bit, b[k], a[k])
            };
            m.finish(operand(i, 0)?, &lanes(n, of), 1, old)
        }),
        _ => None,
    }
}

fn lanes(n: usize, of: impl Fn(usize) -> Byte) -> Lanes {
    std::array::from_fn(|k| if k < n { of(k) } else { ZERO })
}

/// Indices, without indices that a mask leaves out.
fn wanted(m: &Machine, i: &Code, index: Lanes) -> Lanes {
    let Some(Operand::Vector { mask: Some(mask), .. }) = i.operands.first() else { return index };
    let left_out = |k: usize| m.bit(mask.r, k).number() == Some(0);
    std::array::from_fn(|k| if left_out(k) { ZERO } else { index[k] })
}

/// The index and the entries of a look-up in two vectors.
fn of_two(m: &mut Machine, i: &Code, index_first: bool) -> Or<(usize, Lanes, [Byte; 128])> {
    let n = width(operand(i, 0)?)?;
    let (d, a) = (m.source(operand(i, 0)?, n)?, m.source(operand(i, 1)?, n)?);
    let b = m.source(operand(i, 2)?, n)?;
    let (index, low) = if index_first { (d, a) } else { (a, d) };
    let mut t = [ZERO; 128];
    t[..n].copy_from_slice(&low[..n]);
    t[n..2 * n].copy_from_slice(&b[..n]);
    Ok((n, index, t))
}

/// Elements by the numbers in others.
fn permuted(t: &[Byte], index: &Lanes, size: usize, n: usize) -> Or<Lanes> {
    let mut out = [ZERO; 64];
    for k in (0..n).step_by(size) {
        // Two bytes name all elements there are.
        let Some(j) = number(&index[k..k + size.min(2)]) else {
            return refuse("words are looked up by data");
        };
        let j = j as usize % (t.len() / size) * size;
        out[k..k + size].copy_from_slice(&t[j..j + size]);
    }
    Ok(out)
}
