//! Moves of vectors: whole, in part, repeated, under masks.

use super::{Meaning, aligned, operand, plain, vector, width};
use crate::domain::ZERO;
use crate::machine::{Machine, Or, refuse};
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
        _ => None,
    }
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
