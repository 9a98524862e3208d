//! Bytes and elements of vectors that change places, or are looked up by other bytes.

use super::words::{each, short, two};
use super::{Meaning, aligned, immediate, operand, plain, vector, width};
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
            for (k, t) in a[..n].chunks(16).enumerate() {
                let t = Lookup::new(t, true);
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
        "permd" | "permps" | "permw" | "permq" | "permpd" => {
            let size = if s == "permps" {
                4
            } else if s == "permpd" {
                8
            } else {
                each(s)
            };
            plain(move |m, i| {
                let n = width(operand(i, 0)?)?;
                if let Operand::Number(by) = operand(i, 2)? {
                    let a = m.source(operand(i, 1)?, n)?;
                    let of = |k: usize| {
                        let j = (by >> (2 * (k % 32 / 8)) & 3) as usize;
                        a[k / 32 * 32 + 8 * j + k % 8]
                    };
                    return m.finish(operand(i, 0)?, &lanes(n, of), size, false);
                }
                let (x, t) = (m.source(operand(i, 1)?, n)?, m.source(operand(i, 2)?, n)?);
                let moved = permuted(&t[..n], &x, size, n)?;
                m.finish(operand(i, 0)?, &moved, size, false)
            })
        }
        "palignr" => plain(|m, i| {
            let (n, a, b, old) = two(m, i)?;
            let by = immediate(i, i.operands.len() - 1)? as usize;
            let of = |k: usize| match k % 16 + by {
                j if j < 16 => b[k / 16 * 16 + j],
                j if j < 32 => a[k / 16 * 16 + j - 16],
                _ => ZERO,
            };
            m.finish(operand(i, 0)?, &lanes(n, of), 1, old)
        }),
        "alignd" | "alignq" => {
            let size = each(s);
            plain(move |m, i| {
                let (n, a, b, _) = two(m, i)?;
                let by = immediate(i, 3)? as usize % (n / size) * size;
                let of = |k: usize| if k + by < n { b[k + by] } else { a[k + by - n] };
                m.finish(operand(i, 0)?, &lanes(n, of), size, false)
            })
        }
        "pshufd" | "permilps" => one_of_four(4),
        "pshuflw" => one_of_four(2),
        "pshufhw" => one_of_four(3),
        "shufps" => plain(|m, i| {
            let (n, a, b, old) = two(m, i)?;
            let by = immediate(i, i.operands.len() - 1)?;
            let of = |k: usize| {
                let j = (by >> (2 * (k % 16 / 4)) & 3) as usize;
                (if k % 16 < 8 { &a } else { &b })[k / 16 * 16 + 4 * j + k % 4]
            };
            m.finish(operand(i, 0)?, &lanes(n, of), 4, old)
        }),
        "shufi64x2" | "shufi32x4" | "shuff64x2" | "shuff32x4" => {
            let size = if s.contains("64") { 8 } else { 4 };
            plain(move |m, i| {
                let (n, a, b, _) = two(m, i)?;
                let by = immediate(i, 3)? as usize;
                let parts = n / 16;
                let of = |k: usize| {
                    let p = k / 16;
                    let j = if parts == 4 { by >> (2 * p) & 3 } else { by >> p & 1 };
                    (if p < parts / 2 { &a } else { &b })[16 * j + k % 16]
                };
                m.finish(operand(i, 0)?, &lanes(n, of), size, false)
            })
        }
        "perm2i128" | "perm2f128" => plain(|m, i| {
            let (n, a, b, _) = two(m, i)?;
            let by = immediate(i, 3)? as usize;
            let of = |k: usize| {
                let j = by >> (4 * (k / 16));
                let from = if j & 2 == 0 { &a } else { &b };
                if j & 8 != 0 { ZERO } else { from[16 * (j & 1) + k % 16] }
            };
            m.finish(operand(i, 0)?, &lanes(n, of), 1, false)
        }),
        "pblendd" | "pblendw" => {
            let size = if s == "pblendd" { 4 } else { 2 };
            plain(move |m, i| {
                let (n, a, b, old) = two(m, i)?;
                let by = immediate(i, i.operands.len() - 1)?;
                let of = |k: usize| if by >> (k / size % 8) & 1 != 0 { b[k] } else { a[k] };
                m.finish(operand(i, 0)?, &lanes(n, of), 1, old)
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
        "pslldq" | "psrldq" => {
            let left = s == "pslldq";
            plain(move |m, i| {
                let to = operand(i, 0)?;
                let (n, last) = (width(to)?, i.operands.len() - 1);
                let by = (immediate(i, last)? as usize).min(16);
                let a = m.source(operand(i, last - 1)?, n)?;
                let of = |k: usize| match (left, k % 16) {
                    (true, j) if j >= by => a[k - by],
                    (false, j) if j + by < 16 => a[k + by],
                    _ => ZERO,
                };
                let old = !i.name.starts_with('v');
                m.finish(to, &lanes(n, of), 1, old)
            })
        }
        _ => unpacked(s),
    }
}

fn lanes(n: usize, of: impl Fn(usize) -> Byte) -> Lanes {
    std::array::from_fn(|k| if k < n { of(k) } else { ZERO })
}

/// Indices, without those that a mask leaves out.
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

/// Elements of 4 bytes, or the words of the low (2) or the high (3) half, each one of its four.
fn one_of_four(kind: usize) -> Option<Meaning> {
    plain(move |m, i| {
        let to = operand(i, 0)?;
        let n = width(to)?;
        let old = !i.name.starts_with('v');
        if old {
            aligned(m, operand(i, 1)?, 16)?;
        }
        let (a, by) = (m.source(operand(i, 1)?, n)?, immediate(i, 2)?);
        let of = |k: usize| {
            let (size, base) = match (kind, k % 16 < 8) {
                (4, _) => (4, 0),
                (2, true) => (2, 0),
                (3, false) => (2, 8),
                _ => return a[k],
            };
            let j = (by >> (2 * ((k % 16 - base) / size)) & 3) as usize;
            a[k / 16 * 16 + base + size * j + k % size]
        };
        m.finish(to, &lanes(n, of), if kind == 4 { 4 } else { 2 }, old)
    })
}

fn unpacked(name: &str) -> Option<Meaning> {
    let (high, kind) = match name.strip_prefix("punpck").or_else(|| name.strip_prefix("unpck")) {
        Some(rest) if rest.starts_with('l') => (false, &rest[1..]),
        Some(rest) if rest.starts_with('h') => (true, &rest[1..]),
        _ => return None,
    };
    let size = match kind {
        "bw" => 1,
        "wd" => 2,
        "dq" | "ps" => 4,
        "qdq" | "pd" => 8,
        _ => return None,
    };
    plain(move |m, i| {
        let (n, a, b, old) = two(m, i)?;
        let of = |k: usize| {
            let (element, j) = (k % 16 / size, k % size);
            let at = k / 16 * 16 + if high { 8 } else { 0 } + element / 2 * size + j;
            if element % 2 == 0 { a[at] } else { b[at] }
        };
        let _ = vector(operand(i, 0)?)?;
        m.finish(operand(i, 0)?, &lanes(n, of), size, old)
    })
}
