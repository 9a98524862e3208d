//! Bytes of vectors that change places by the name of an instruction and a number in the code: one table.

use super::words::{each, short};
use super::{Meaning, aligned, operand, plain};
use crate::domain::ZERO;
use crate::machine::{Machine, refuse};
use crate::program::Operand;

/// A byte of the source before the last is its number; a byte of the last source is as many more; a byte above these is
/// 0.
const LAST: usize = 64;
const NONE: usize = 128;

/// Bytes of the result, bytes of the last source, and the number in the code.
#[derive(Clone, Copy)]
struct Sizes {
    n: usize,
    last: usize,
    by: usize,
}
/// Where byte k comes from.
type From = Box<dyn Fn(usize, Sizes) -> usize>;
/// An instruction: the size of its elements under masks; the bytes that it reads if its last source is memory, for each of
/// the bytes of the result or, over 0, in all; whether a number says the places; the places.
type Places = (usize, (usize, usize), bool, From);

/// The size that a word of a name says.
fn size(word: &str) -> Option<usize> {
    Some(match word {
        "b" | "bw" => 1,
        "w" | "wd" => 2,
        "d" | "dq" | "ss" | "ps" => 4,
        "q" | "qdq" | "sd" | "pd" => 8,
        "i32x4" | "i64x2" | "i128" | "f128" | "f32x4" | "f64x2" => 16,
        "i64x4" | "f64x4" | "i32x8" | "f32x8" => 32,
        _ => return None,
    })
}

fn places(name: &str) -> Option<Places> {
    fn table(each: usize, f: impl Fn(usize, Sizes) -> usize + 'static) -> Option<Places> {
        Some((each, (1, 1), true, Box::new(f)))
    }
    // Two bits of the number, of element i.
    let two = |by: usize, i: usize| by >> (2 * i) & 3;
    let double = if name.contains("64") { 8 } else { 4 };
    match name {
        "palignr" => table(1, |k, s| match k % 16 + s.by {
            j if j < 16 => LAST + k / 16 * 16 + j,
            j if j < 32 => k / 16 * 16 + j - 16,
            _ => NONE,
        }),
        "alignd" | "alignq" => {
            let size = each(name);
            table(size, move |k, s| match k + s.by % (s.n / size) * size {
                j if j < s.n => LAST + j,
                j => j - s.n,
            })
        }
        "pslldq" => table(1, |k, s| if k % 16 >= s.by { LAST + k - s.by } else { NONE }),
        "psrldq" => table(1, |k, s| if k % 16 + s.by < 16 { LAST + k + s.by } else { NONE }),
        "pshufd" | "permilps" => {
            table(4, move |k, s| LAST + k / 16 * 16 + 4 * two(s.by, k % 16 / 4) + k % 4)
        }
        "pshuflw" | "pshufhw" => {
            let base = if name == "pshufhw" { 8 } else { 0 };
            table(2, move |k, s| match (k % 16).checked_sub(base) {
                Some(j) if j < 8 => LAST + k / 16 * 16 + base + 2 * two(s.by, j / 2) + k % 2,
                _ => LAST + k,
            })
        }
        "shufps" => table(4, move |k, s| {
            let from = if k % 16 < 8 { 0 } else { LAST };
            from + k / 16 * 16 + 4 * two(s.by, k % 16 / 4) + k % 4
        }),
        "permq" | "permpd" => {
            table(8, move |k, s| LAST + k / 32 * 32 + 8 * two(s.by, k % 32 / 8) + k % 8)
        }
        "shufi64x2" | "shufi32x4" | "shuff64x2" | "shuff32x4" => table(double, move |k, s| {
            let (p, parts) = (k / 16, s.n / 16);
            let j = if parts == 4 { two(s.by, p) } else { s.by >> p & 1 };
            16 * j + k % 16 + if p < parts / 2 { 0 } else { LAST }
        }),
        "perm2i128" | "perm2f128" => table(1, |k, s| match s.by >> (4 * (k / 16)) {
            j if j & 8 != 0 => NONE,
            j => 16 * (j & 1) + k % 16 + if j & 2 == 0 { 0 } else { LAST },
        }),
        "pblendd" | "pblendw" => {
            let size = each(name);
            table(1, move |k, s| if s.by >> (k / size % 8) & 1 != 0 { LAST + k } else { k })
        }
        "movlhps" => {
            Some((1, (1, 1), false, Box::new(|k, _| if k < 8 { k } else { LAST + k - 8 })))
        }
        "movhlps" => {
            Some((1, (1, 1), false, Box::new(|k, _| if k < 8 { LAST + 8 + k } else { k })))
        }
        "insertps" => {
            let from = move |k: usize, s: Sizes| match k / 4 {
                i if s.by >> i & 1 != 0 => NONE,
                i if i == two(s.by, 2) && s.last == 16 => LAST + 4 * two(s.by, 3) + k % 4,
                i if i == two(s.by, 2) => LAST + k % 4,
                _ => k,
            };
            Some((4, (4, 0), true, Box::new(from)))
        }
        _ => parts(name, double).or_else(|| unpacked(name)),
    }
}

/// Parts repeated, put in, taken out, made wider by zeros and narrower.
fn parts(name: &str, double: usize) -> Option<Places> {
    let kind = |prefix: &str| name.strip_prefix(prefix);
    let of = |n: usize| if n > 8 { double } else { n };
    if let Some(n) = kind("broadcast").or_else(|| kind("pbroadcast")).and_then(size) {
        return Some((of(n), (n, 0), false, Box::new(move |k, _| LAST + k % n)));
    }
    if name == "extractps" {
        return None;
    }
    if let Some(n) = kind("insert").or_else(|| kind("pinsr")).and_then(size) {
        let from = move |k: usize, s: Sizes| match k.checked_sub(s.by % (s.n / n) * n) {
            Some(j) if j < n => LAST + j,
            _ => k,
        };
        return Some((of(n), (n, 0), true, Box::new(from)));
    }
    if let Some(n) = kind("extract").or_else(|| kind("pextr")).and_then(size) {
        let from = move |k: usize, s: Sizes| match k {
            _ if k < n => LAST + s.by % (s.last / n) * n + k,
            _ => NONE,
        };
        return Some((of(n), (1, 1), true, Box::new(from)));
    }
    let ends = |kind: &str| Some((size(kind.get(..1)?)?, size(kind.get(1..)?)?));
    if let Some((from, to)) = kind("pmovzx").and_then(ends) {
        let at =
            move |k: usize, _| if k % to < from { LAST + k / to * from + k % to } else { NONE };
        return Some((to, (from, to), false, Box::new(at)));
    }
    let (from, to) = kind("pmov").and_then(ends).filter(|(from, to)| from > to)?;
    let at = move |k: usize, s: Sizes| match k {
        _ if k < s.last / from * to => LAST + k / to * from + k % to,
        _ => NONE,
    };
    Some((to, (1, 1), false, Box::new(at)))
}

/// Elements of two vectors in turn, of the low or the high half of each 16 bytes.
fn unpacked(name: &str) -> Option<Places> {
    let rest = name.strip_prefix("punpck").or_else(|| name.strip_prefix("unpck"))?;
    let (half, size) = (if rest.starts_with('h') { 8 } else { 0 }, size(rest.get(1..)?)?);
    let from = move |k: usize, _| {
        let (element, j) = (k % 16 / size, k % size);
        k / 16 * 16 + half + element / 2 * size + j + element % 2 * LAST
    };
    Some((size, (1, 1), false, Box::new(from)))
}

pub fn meaning(name: &str) -> Option<Meaning> {
    let old = !name.starts_with('v');
    let (each, (bytes, of), by, from) = places(short(name))?;
    plain(move |m, i| {
        let (to, sources) = (operand(i, 0)?, i.operands.len() - usize::from(by));
        let by = match i.operands.last() {
            Some(Operand::Number(n)) if by => *n as usize,
            _ if by => return refuse("places that are no number"),
            _ => 0,
        };
        let last = operand(i, sources - 1)?;
        let (Some(n), Some(size)) = (Machine::size(to), Machine::size(last)) else {
            return refuse("operands without a size");
        };
        let reads = match last {
            Operand::Memory { .. } if of > 0 => n * bytes / of,
            Operand::Memory { .. } => bytes,
            _ => size,
        };
        if old && reads == 16 {
            aligned(m, last, 16)?;
        }
        let mut all = [ZERO; 129];
        if let Some(before @ Operand::Vector { .. }) = i.operands.get(sources.saturating_sub(2)) {
            all[..n.min(64)].copy_from_slice(&m.source(before, n)?[..n]);
        }
        all[LAST..NONE].copy_from_slice(&m.source(last, reads)?);
        let lanes = std::array::from_fn(|k| {
            if k < n { all[from(k, Sizes { n, last: size, by })] } else { ZERO }
        });
        match to {
            Operand::Vector { .. } => m.finish(to, &lanes, each, old),
            Operand::Memory { mask: Some(_), .. } => refuse("parts stored under a mask"),
            _ => m.put(to, &lanes[..n]),
        }
    })
}
