//! Loads and stores: DDI 0487, C6.2 for general registers, C7.2 for vectors.

use super::super::{Meaning, operand, plain};
use super::{extended, known, word};
use crate::bytes;
use crate::domain::Byte;
use crate::machine::{Machine, Or, refuse};
use crate::program::{Code, Operand, Place};

/// An access at the address of the operand `k`. A base that is written has its new number before it, or after it where
/// that is written behind the brackets.
fn access(
    m: &mut Machine,
    i: &Code,
    k: usize,
    f: impl FnOnce(&mut Machine, u64) -> Or<()>,
) -> Or<()> {
    let Operand::Memory { place, .. } = *operand(i, k)? else { return refuse("no memory") };
    let at = m.address(&place)?;
    let Some((base, _)) = place.base else { return refuse("an address without a base") };
    let before = m.address(&Place { offset: 0, base: place.base, index: None })?;
    if base == m.p.abi.sp && before % 16 != 0 {
        return refuse("a stack pointer that is not aligned");
    }
    if word(i, k + 1) == "!" {
        m.set(base, at);
    }
    let by = match i.operands.get(k + 1) {
        Some(Operand::Number(n)) => *n,
        Some(Operand::General { r, n, .. }) => {
            known(&m.general[*r][..*n], "an address hangs on data")?
        }
        _ => return f(m, at),
    };
    f(m, at)?;
    m.set(base, before.wrapping_add(by));
    Ok(())
}

/// The bytes of a register that is loaded or stored; one of the sizes is the name's.
fn width(o: &Operand, letter: &str) -> Or<usize> {
    Ok(match (letter, o) {
        ("b", _) => 1,
        ("h", _) => 2,
        ("w", _) => 4,
        (_, Operand::General { n, .. } | Operand::Elements { n, .. }) => *n,
        _ => return refuse("no register where one belongs"),
    })
}

fn put(m: &mut Machine, o: &Operand, data: &[Byte], signed: bool) -> Or<()> {
    match o {
        Operand::Elements { .. } => super::vectors::put(m, o, data),
        Operand::General { n, .. } => m.put(o, &extended(data, signed, *n)),
        _ => refuse("no register where one belongs"),
    }
}
fn get(m: &Machine, o: &Operand, n: usize) -> Or<Vec<Byte>> {
    match o {
        Operand::Elements { r, .. } => Ok(m.vectors[*r][..n].to_vec()),
        Operand::General { r, .. } => Ok(m.general[*r][..n].to_vec()),
        _ => refuse("no register where one belongs"),
    }
}

pub fn meaning(name: &str) -> Option<Meaning> {
    if matches!(name.get(..2)?, "ld" | "st") && matches!(name.get(2..3)?, "1" | "2" | "3" | "4") {
        return structures(name);
    }
    if name == "prfm" || name == "prfum" {
        // It reads nothing that a result depends on, and shows its address as a load does.
        return plain(|m, i| access(m, i, 1, |_, _| Ok(())));
    }
    let loads = name.starts_with("ld");
    let rest = match name.get(..3)? {
        "ldr" | "ldu" | "str" | "stu" => name[2..].trim_start_matches('u').strip_prefix('r')?,
        "ldp" | "stp" | "ldn" | "stn" => {
            let signed = match name[2..].trim_start_matches('n').strip_prefix('p')? {
                "" => false,
                "sw" => true,
                _ => return None,
            };
            return plain(move |m, i| {
                let (a, b) = (*operand(i, 0)?, *operand(i, 1)?);
                let n = width(&a, if signed { "w" } else { "" })?;
                if loads {
                    access(m, i, 2, |m, at| {
                        let data = m.load(at, 2 * n)?;
                        put(m, &a, &data[..n], signed)?;
                        put(m, &b, &data[n..], signed)
                    })
                } else {
                    let data = [get(m, &a, n)?, get(m, &b, n)?].concat();
                    access(m, i, 2, |m, at| m.store(at, &data))
                }
            });
        }
        _ => return None,
    };
    let (signed, letter) = match rest {
        "" => (false, ""),
        "b" | "h" => (false, rest),
        "sb" | "sh" | "sw" => (true, &rest[1..]),
        _ => return None,
    };
    let letter = letter.to_string();
    plain(move |m, i| {
        let o = *operand(i, 0)?;
        let n = width(&o, &letter)?;
        if loads {
            access(m, i, 1, |m, at| {
                let data = m.load(at, n)?;
                put(m, &o, &data, signed)
            })
        } else {
            let data = get(m, &o, n)?;
            access(m, i, 1, |m, at| m.store(at, &data))
        }
    })
}

/// LD1 to LD4, ST1 to ST4, LD1R.
fn structures(name: &str) -> Option<Meaning> {
    let (loads, repeats) = (name.starts_with("ld"), name.ends_with('r'));
    let apart: usize = name[2..3].parse().ok()?;
    if repeats && apart > 1 {
        return None;
    }
    plain(move |m, i| {
        let Operand::Elements { r, n, each, one, count } = *operand(i, 0)? else {
            return refuse("no vectors");
        };
        // Where each byte of memory is: register and byte of it.
        let mut places = Vec::new();
        match (one, repeats) {
            (Some(e), _) => {
                (0..count).for_each(|v| places.extend((0..each).map(|b| (v, e * each + b))))
            }
            (None, true) => places.extend((0..each).map(|b| (0, b))),
            (None, false) if apart == 1 => {
                (0..count).for_each(|v| places.extend((0..n).map(|b| (v, b))))
            }
            (None, false) => {
                for e in 0..n / each {
                    (0..count).for_each(|v| places.extend((0..each).map(|b| (v, e * each + b))));
                }
            }
        }
        let register = |v: usize| (r + v) % 32;
        if !loads {
            let data: Vec<Byte> = places.iter().map(|(v, b)| m.vectors[register(*v)][*b]).collect();
            return access(m, i, 1, |m, at| m.store(at, &data));
        }
        let mut data = Vec::new();
        access(m, i, 1, |m, at| {
            data = m.load(at, places.len())?;
            Ok(())
        })?;
        if one.is_none() {
            (0..count).for_each(|v| m.vectors[register(v)].fill(bytes::bytes::<1>(0)[0]));
        }
        for ((v, b), x) in places.iter().zip(&data) {
            m.vectors[register(*v)][*b] = *x;
        }
        if repeats {
            for b in each..n {
                m.vectors[r][b] = data[b % each];
            }
        }
        Ok(())
    })
}
