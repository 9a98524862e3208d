//! Moves of vectors: whole, in part, repeated, under masks.

use super::{Meaning, aligned, immediate, operand, plain, vector, width};
use crate::domain::{Byte, ZERO};
use crate::machine::{Lanes, Machine, Or, refuse};
use crate::program::{Code, Mask, Operand};

pub fn meaning(name: &str) -> Option<Meaning> {
    let old = !name.starts_with('v');
    let short = name.strip_prefix('v').unwrap_or(name);
    match short {
        "movdqa" | "movaps" | "movapd" | "movdqa32" | "movdqa64" | "movdqu" | "movups"
        | "movupd" | "movdqu8" | "movdqu16" | "movdqu32" | "movdqu64" | "lddqu" => {
            let each = if short.ends_with("u8") {
                1
            } else if short.ends_with("16") {
                2
            } else if short.ends_with("64") || short.ends_with("pd") {
                8
            } else {
                4
            };
            let strict = short.starts_with("movdqa") || short.starts_with("mova");
            plain(move |m, i| whole(m, i, each, strict, old))
        }
        "movq" | "movd" | "movss" | "movsd" => {
            let n = if matches!(short, "movq" | "movsd") { 8 } else { 4 };
            let scalar = short.starts_with("movs");
            plain(move |m, i| {
                let (to, from) = (operand(i, 0)?, operand(i, 1)?);
                if let Operand::Vector { .. } = to {
                    if scalar && matches!(from, Operand::Vector { .. }) {
                        return refuse("a part of a vector moved into another");
                    }
                    let data = m.source(from, n)?;
                    let mut lanes = [ZERO; 64];
                    lanes[..n].copy_from_slice(&data[..n]);
                    return m.finish(to, &lanes, 1, old);
                }
                let data = m.vectors[vector(from)?];
                m.put(to, &data[..n])
            })
        }
        "movlhps" | "movhlps" => {
            let low = short == "movlhps";
            plain(move |m, i| {
                let to = operand(i, 0)?;
                let mut lanes = m.source(if old { to } else { operand(i, 1)? }, 16)?;
                let other = m.source(i.operands.last().unwrap_or(to), 16)?;
                if low {
                    lanes[8..16].copy_from_slice(&other[..8]);
                } else {
                    lanes[..8].copy_from_slice(&other[8..16]);
                }
                m.finish(to, &lanes, 1, old)
            })
        }
        "pmaskmovd" | "pmaskmovq" => {
            let each = if short == "pmaskmovd" { 4 } else { 8 };
            plain(move |m, i| {
                let (to, by) = (operand(i, 0)?, operand(i, 1)?);
                let n = width(to)?;
                let (by, mut lanes) = (m.source(by, n)?, [ZERO; 64]);
                let Operand::Memory { place, .. } = operand(i, 2)? else {
                    return refuse("a part of a vector that is stored");
                };
                let at = m.address(place)?;
                for k in (0..n).step_by(each) {
                    match by[k + each - 1].number() {
                        None => return refuse("the mask of a move hangs on data"),
                        Some(top) if top & 128 != 0 => {
                            m.load_into(at.wrapping_add(k as u64), &mut lanes[k..k + each])?;
                        }
                        Some(_) => {}
                    }
                }
                m.finish(to, &lanes, each, false)
            })
        }
        "zeroupper" => plain(|m, _| {
            m.vectors[..16].iter_mut().for_each(|v| v[16..].fill(ZERO));
            Ok(())
        }),
        _ => repeated(short)
            .map(|n| {
                let f = move |m: &mut Machine, i: &Code| {
                    let (to, from) = (operand(i, 0)?, operand(i, 1)?);
                    let one = m.source(from, n)?;
                    let lanes = std::array::from_fn(|k| one[k % n]);
                    m.finish(to, &lanes, n.min(8), old)
                };
                Box::new(move |m: &mut Machine, i: &Code| f(m, i).map(|()| None)) as Meaning
            })
            .or_else(|| parts(short))
            .or_else(|| single(short, old)),
    }
}

fn repeated(name: &str) -> Option<usize> {
    Some(match name {
        "pbroadcastb" => 1,
        "pbroadcastw" => 2,
        "pbroadcastd" | "broadcastss" => 4,
        "pbroadcastq" | "broadcastsd" | "movddup" => 8,
        "broadcasti32x4" | "broadcasti64x2" | "broadcastf32x4" | "broadcasti128"
        | "broadcastf128" => 16,
        "broadcasti64x4" | "broadcastf64x4" => 32,
        _ => return None,
    })
}

/// The mask of a move to or from memory: its bits are numbers.
fn bits(m: &Machine, mask: Option<Mask>, n: usize) -> Or<Option<Vec<bool>>> {
    let Some(mask) = mask else { return Ok(None) };
    let bits = (0..n).map(|i| m.bit(mask.r, i).number().map(|b| b != 0));
    match bits.collect() {
        Some(bits) => Ok(Some(bits)),
        None => refuse("the mask of a move hangs on data"),
    }
}

fn whole(m: &mut Machine, i: &Code, each: usize, strict: bool, old: bool) -> Or<()> {
    let (to, from) = (operand(i, 0)?, operand(i, 1)?);
    match (to, from) {
        (Operand::Memory { place, mask, .. }, Operand::Vector { r, n, .. }) => {
            if strict {
                aligned(m, to, *n)?;
            }
            let at = m.address(place)?;
            let data = m.vectors[*r];
            match bits(m, *mask, n / each)? {
                None => m.store(at, &data[..*n]),
                Some(bits) => (0..n / each).filter(|k| bits[*k]).try_for_each(|k| {
                    m.store(at.wrapping_add((k * each) as u64), &data[k * each..(k + 1) * each])
                }),
            }
        }
        (Operand::Vector { n, mask, .. }, Operand::Memory { place, .. }) => {
            if strict {
                aligned(m, from, *n)?;
            }
            let at = m.address(place)?;
            let mut lanes = [ZERO; 64];
            match bits(m, *mask, n / each)? {
                None => m.load_into(at, &mut lanes[..*n])?,
                Some(bits) => {
                    for k in (0..n / each).filter(|k| bits[*k]) {
                        let part = &mut lanes[k * each..(k + 1) * each];
                        m.load_into(at.wrapping_add((k * each) as u64), part)?;
                    }
                }
            }
            m.finish(to, &lanes, each, old)
        }
        (Operand::Vector { n, .. }, Operand::Vector { .. }) => {
            let lanes = m.source(from, *n)?;
            m.finish(to, &lanes, each, old)
        }
        _ => refuse("a move that is not known"),
    }
}

/// Parts of vectors put into others, and taken out.
fn parts(name: &str) -> Option<Meaning> {
    let size = |name: &str| match name {
        "i32x4" | "i64x2" | "i128" | "f128" | "f32x4" | "f64x2" => Some(16),
        "i64x4" | "f64x4" | "i32x8" | "f32x8" => Some(32),
        _ => None,
    };
    if let Some(kind) = name.strip_prefix("insert") {
        let (n, each) = (size(kind)?, if kind.contains("64") { 8 } else { 4 });
        return plain(move |m, i| {
            let to = operand(i, 0)?;
            let all = width(to)?;
            let mut lanes = m.source(operand(i, 1)?, all)?;
            let part = m.source(operand(i, 2)?, n)?;
            let at = immediate(i, 3)? as usize % (all / n) * n;
            lanes[at..at + n].copy_from_slice(&part[..n]);
            m.finish(to, &lanes, each, false)
        });
    }
    if let Some(kind) = name.strip_prefix("extract") {
        let (n, each) = (size(kind)?, if kind.contains("64") { 8 } else { 4 });
        return plain(move |m, i| {
            let (to, from) = (operand(i, 0)?, operand(i, 1)?);
            let at = immediate(i, 2)? as usize % (width(from)? / n) * n;
            let mut lanes = [ZERO; 64];
            lanes[..n].copy_from_slice(&m.vectors[vector(from)?][at..at + n]);
            match to {
                Operand::Memory { place, mask: None, .. } => {
                    let to = m.address(place)?;
                    m.store(to, &lanes[..n])
                }
                to => m.finish(to, &lanes, each, false),
            }
        });
    }
    None
}

/// Single elements.
fn single(name: &str, old: bool) -> Option<Meaning> {
    let size = |name: &str| match name {
        "b" => Some(1),
        "w" => Some(2),
        "d" => Some(4),
        "q" => Some(8),
        _ => None,
    };
    if let Some(kind) = name.strip_prefix("pinsr") {
        let n = size(kind)?;
        return plain(move |m, i| {
            let to = operand(i, 0)?;
            let last = i.operands.len() - 1;
            let mut lanes = m.source(if last == 3 { operand(i, 1)? } else { to }, 16)?;
            let one = m.get(operand(i, last - 1)?, n)?;
            let at = immediate(i, last)? as usize % (16 / n) * n;
            lanes[at..at + n].copy_from_slice(&one);
            m.finish(to, &lanes, 1, old)
        });
    }
    if let Some(kind) = name.strip_prefix("pextr") {
        let n = size(kind)?;
        return plain(move |m, i| {
            let at = immediate(i, 2)? as usize % (16 / n) * n;
            let one: Vec<Byte> = m.vectors[vector(operand(i, 1)?)?][at..at + n].to_vec();
            let to = *operand(i, 0)?;
            match to {
                Operand::Memory { place, .. } => {
                    let at = m.address(&place)?;
                    m.store(at, &one)
                }
                to => m.put(&to, &one),
            }
        });
    }
    // Elements made wider with zeros, and narrower.
    let ends = |kind: &str| Some((size(kind.get(..1)?)?, size(kind.get(1..2)?)?));
    if let Some(kind) = name.strip_prefix("pmovzx") {
        let (from, to) = ends(kind)?;
        return plain(move |m, i| {
            let n = width(operand(i, 0)?)?;
            let data = m.source(operand(i, 1)?, n * from / to)?;
            let lanes: Lanes = std::array::from_fn(|k| {
                if k < n && k % to < from { data[k / to * from + k % to] } else { ZERO }
            });
            m.finish(operand(i, 0)?, &lanes, to, old)
        });
    }
    let kind = name.strip_prefix("pmov").filter(|k| k.len() == 2)?;
    let (from, to) = ends(kind).filter(|(from, to)| from > to)?;
    plain(move |m, i| {
        let data = operand(i, 1)?;
        let (n, all) = (width(data)?, m.vectors[vector(data)?]);
        let count = n / from;
        let mut lanes = [ZERO; 64];
        for k in 0..count {
            lanes[k * to..(k + 1) * to].copy_from_slice(&all[k * from..k * from + to]);
        }
        match operand(i, 0)? {
            Operand::Memory { place, mask: None, .. } => {
                let at = m.address(place)?;
                m.store(at, &lanes[..count * to])
            }
            o => m.finish(o, &lanes, to, false),
        }
    })
}
