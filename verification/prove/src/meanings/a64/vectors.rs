//! Instructions on vectors: DDI 0487, C7.2, where each has a clause under its name.

use super::super::{Meaning, immediate, masks, operand, plain};
use super::{shifted, word};
use crate::bytes::{self, Lookup, number, op};
use crate::domain::{Byte, ZERO, lift, linear, support, table};
use crate::machine::{Machine, Or, refuse};
use crate::polynomials;
use crate::program::{Code, Operand};

/// The register, the bytes that are used and the bytes of an element.
fn shape(o: &Operand) -> Or<(usize, usize, usize)> {
    match *o {
        Operand::Elements { r, n, each, .. } => Ok((r, n, each)),
        _ => refuse("no vector where one belongs"),
    }
}
/// Puts a vector, of which the rest is then 0, or an element, which leaves the rest.
pub fn put(m: &mut Machine, o: &Operand, data: &[Byte]) -> Or<()> {
    let Operand::Elements { r, n, each, one, .. } = *o else {
        return refuse("no vector for a result");
    };
    match one {
        Some(e) => m.vectors[r][e * each..(e + 1) * each].copy_from_slice(&data[..each]),
        None if data.len() != n => return refuse("a result of a different length"),
        None => {
            m.vectors[r][..data.len()].copy_from_slice(data);
            m.vectors[r][data.len()..].fill(ZERO);
        }
    }
    Ok(())
}
/// A vector, an element, a general register, or a number repeated in elements of `each` bytes.
fn get(m: &Machine, i: &Code, k: usize, n: usize, each: usize) -> Or<Vec<Byte>> {
    Ok(match *operand(i, k)? {
        Operand::Elements { r, each, one: Some(e), .. } => {
            m.vectors[r][e * each..(e + 1) * each].to_vec()
        }
        Operand::Elements { r, .. } => m.vectors[r][..n].to_vec(),
        Operand::General { r, .. } => m.general[r][..n.min(8)].to_vec(),
        Operand::Number(x) => {
            let by = immediate(i, k + 2).unwrap_or(0) as u32;
            let mut x = if by > 0 { x << by } else { x };
            if word(i, k + 1) == "msl" {
                x |= (1 << by) - 1;
            }
            let x = bytes::bytes::<8>(x);
            (0..n).map(|k| x[k % each]).collect()
        }
        _ => return refuse("a source that is not known"),
    })
}

/// An operation on bytes of two vectors, or of the destination and a number.
fn bytewise(f: impl Fn(Byte, Byte) -> Byte + 'static) -> Option<Meaning> {
    elements(move |a, b| Ok(a.iter().zip(b).map(|(a, b)| f(*a, *b)).collect()))
}
/// An operation on elements of two vectors, or of the destination and a number.
fn elements(f: impl Fn(&[Byte], &[Byte]) -> Or<Vec<Byte>> + 'static) -> Option<Meaning> {
    plain(move |m, i| {
        let (_, n, each) = shape(operand(i, 0)?)?;
        // A number's place is the second of two, or before the words that shift it.
        let two = matches!(operand(i, 1)?, Operand::Number(_)) || i.operands.len() == 2;
        let (x, y) = if two { (0, 1) } else { (1, 2) };
        let (a, b) = (get(m, i, x, n, each)?, get(m, i, y, n, each)?);
        let mut out = Vec::with_capacity(n);
        for (a, b) in a.chunks(each).zip(b.chunks(each)) {
            out.extend(f(a, b)?);
        }
        put(m, operand(i, 0)?, &out)
    })
}
/// An operation on elements of one vector.
fn single(f: impl Fn(&[Byte]) -> Vec<Byte> + 'static) -> Option<Meaning> {
    plain(move |m, i| {
        let (_, n, each) = shape(operand(i, 0)?)?;
        let out: Vec<Byte> = get(m, i, 1, n, each)?.chunks(each).flat_map(&f).collect();
        put(m, operand(i, 0)?, &out)
    })
}
/// A function of all three registers, by bytes.
fn three(f: fn(Byte, Byte, Byte) -> Byte, from: usize) -> Option<Meaning> {
    plain(move |m, i| {
        let (_, n, each) = shape(operand(i, 0)?)?;
        let of = |k| get(m, i, from + k, n, each);
        let (a, b, c) = (of(0)?, of(1)?, of(2)?);
        let out: Vec<Byte> = (0..n).map(|k| f(a[k], b[k], c[k])).collect();
        put(m, operand(i, 0)?, &out)
    })
}
/// Bits of `b` where `a` has ones, else bits of `c`.
fn select(a: Byte, b: Byte, c: Byte) -> Byte {
    bytes::ternary(0xca, [a, b, c])
}
/// Moves of elements of two vectors: where element `k` of `n` comes from.
fn moves(from: fn(usize, usize) -> usize) -> Option<Meaning> {
    plain(move |m, i| {
        let (_, n, each) = shape(operand(i, 0)?)?;
        let both = [get(m, i, 1, n, each)?, get(m, i, 2, n, each)?].concat();
        let count = n / each;
        let out: Vec<Byte> = (0..count)
            .flat_map(|k| {
                let at = from(k, count) * each;
                both[at..at + each].to_vec()
            })
            .collect();
        put(m, operand(i, 0)?, &out)
    })
}

/// A look-up in a list of vectors; an index beyond it gives 0.
fn lookup(m: &Machine, i: &Code, n: usize) -> Or<Vec<Byte>> {
    let Operand::Elements { r, count, .. } = *operand(i, 1)? else { return refuse("no list") };
    let mut entries: Vec<Byte> =
        (0..count).flat_map(|v| m.vectors[(r + v) % 32][..16].to_vec()).collect();
    let len = entries.len();
    let index = get(m, i, 2, n, 1)?;
    let bits = index.iter().fold(0, |all, x| all | support(*x));
    // Without a table of zeros, an index beyond this one has its highest bit or no further bit.
    if len.is_power_of_two() && usize::from(bits & 127) < len {
        let t = Lookup::new(&entries, true);
        return Ok(index.into_iter().map(|x| t.of(x)).collect());
    }
    entries.resize(128, ZERO);
    let t = Lookup::new(&entries, true);
    Ok(index.into_iter().map(|x| t.of(x)).collect())
}

pub fn meaning(name: &str) -> Option<Meaning> {
    let found = logic(name).or_else(|| sums(name)).or_else(|| comparisons(name));
    let found = found.or_else(|| shifts(name)).or_else(|| places(name));
    found.or_else(|| lengths(name)).or_else(|| products(name))
}

/// Logic.
fn logic(name: &str) -> Option<Meaning> {
    match name {
        "and" => bytewise(bytes::and),
        "eor" => bytewise(bytes::xor),
        "orr" => bytewise(bytes::or),
        "bic" => bytewise(|a, b| bytes::and(a, bytes::not(b))),
        "orn" => bytewise(|a, b| bytes::or(a, bytes::not(b))),
        "mvn" | "not" => single(|a| a.iter().map(|b| bytes::not(*b)).collect()),
        "eor3" => three(|a, b, c| bytes::xor(bytes::xor(a, b), c), 1),
        "bcax" => three(|a, b, c| bytes::xor(a, bytes::and(b, bytes::not(c))), 1),
        "bsl" => three(select, 0),
        "bit" => three(|d, n, m| select(m, n, d), 0),
        "bif" => three(|d, n, m| select(m, d, n), 0),
        _ => None,
    }
}

/// Sums, differences and choices of the least or the most.
fn sums(name: &str) -> Option<Meaning> {
    match name {
        "add" => elements(|a, b| Ok(bytes::add(a, b, ZERO).0)),
        "sub" => elements(|a, b| match (a, b) {
            // Less a mask of one bit is plus the bit.
            ([a], [b])
                if b.number().is_none() && *b == bytes::filled(crate::domain::masked(1, *b)) =>
            {
                Ok(vec![bytes::add_bytes(*a, crate::domain::masked(1, *b)).0])
            }
            ([a], [b]) => Ok(vec![lift(op::SUB, [*a, *b], |[a, b]| a.wrapping_sub(b))]),
            _ => Ok(bytes::sub(a, b, ZERO).0),
        }),
        "uqadd" => bytewise_only(op::ADD_SATURATED, |[a, b]| a.saturating_add(b)),
        "uqsub" => bytewise_only(op::SUB_SATURATED, |[a, b]| a.saturating_sub(b)),
        "umin" => bytewise_only(op::MIN, |[a, b]| a.min(b)),
        "umax" => bytewise_only(op::MAX, |[a, b]| a.max(b)),
        "neg" => single(|a| bytes::sub(&vec![ZERO; a.len()], a, ZERO).0),
        "addp" => plain(|m, i| {
            let (_, n, each) = shape(operand(i, 0)?)?;
            let both = match i.operands.len() {
                2 => get(m, i, 1, 16, each)?,
                _ => [get(m, i, 1, n, each)?, get(m, i, 2, n, each)?].concat(),
            };
            let out: Vec<Byte> = both
                .chunks(2 * each)
                .flat_map(|p| bytes::add(&p[..each], &p[each..], ZERO).0)
                .collect();
            put(m, operand(i, 0)?, &out)
        }),
        _ => None,
    }
}

/// Comparisons, each a mask.
fn comparisons(name: &str) -> Option<Meaning> {
    let compare = |name: &'static str| {
        let of = masks::comparison(name)?;
        elements(move |a, b| Ok(vec![bytes::filled(of.of(a, b)); a.len()]))
    };
    match name {
        "cmeq" => compare("cmpeq"),
        "cmgt" => compare("cmpgt"),
        "cmhi" => compare("cmpnleu"),
        "cmhs" => compare("cmpnltu"),
        "cmge" => {
            let of = masks::comparison("cmpgt")?;
            elements(move |a, b| Ok(vec![bytes::filled(of.of(b, a) ^ Byte::new(1)); a.len()]))
        }
        "cmlt" => {
            let of = masks::comparison("cmpgt")?;
            elements(move |a, b| Ok(vec![bytes::filled(of.of(b, a)); a.len()]))
        }
        _ => None,
    }
}

/// Shifts.
fn shifts(name: &str) -> Option<Meaning> {
    let signed = name.starts_with('s');
    match name {
        "shl" | "ushr" | "sshr" => {
            let kind = match name {
                "shl" => "lsl",
                "ushr" => "lsr",
                _ => "asr",
            };
            plain(move |m, i| {
                let (_, n, each) = shape(operand(i, 0)?)?;
                let (a, k) = (get(m, i, 1, n, each)?, immediate(i, 2)? as u32);
                let out: Vec<Byte> = a.chunks(each).flat_map(|a| shifted(a, kind, k)).collect();
                put(m, operand(i, 0)?, &out)
            })
        }
        "ushl" | "sshl" => elements(move |a, b| {
            let Some(k) = b[0].number() else {
                return refuse("the count of a shift hangs on data");
            };
            let (k, bits) = (i32::from(k.cast_signed()), 8 * a.len() as i32);
            let right = if signed { "asr" } else { "lsr" };
            let kind = if k < 0 { right } else { "lsl" };
            Ok(shifted(a, kind, k.abs().min(bits) as u32))
        }),
        "usra" | "sli" | "sri" => plain(|m, i| {
            let (_, n, each) = shape(operand(i, 0)?)?;
            let (d, a) = (get(m, i, 0, n, each)?, get(m, i, 1, n, each)?);
            let (k, bits) = (immediate(i, 2)? as u32, 8 * each as u32);
            let mut out = Vec::with_capacity(n);
            for (d, a) in d.chunks(each).zip(a.chunks(each)) {
                let moved = shifted(a, if i.name == "sli" { "lsl" } else { "lsr" }, k);
                if i.name == "usra" {
                    out.extend(bytes::add(d, &moved, ZERO).0);
                    continue;
                }
                // Bits that the shift leaves free keep their old values.
                let (there, back) = if i.name == "sli" { ("lsl", "lsr") } else { ("lsr", "lsl") };
                let old = shifted(&shifted(d, there, bits - k), back, bits - k);
                out.extend(old.iter().zip(moved).map(|(a, b)| bytes::xor(*a, b)));
            }
            put(m, operand(i, 0)?, &out)
        }),
        _ => None,
    }
}

/// Elements that change places.
fn places(name: &str) -> Option<Meaning> {
    match name {
        "tbl" => plain(|m, i| {
            let (_, n, _) = shape(operand(i, 0)?)?;
            let out = lookup(m, i, n)?;
            put(m, operand(i, 0)?, &out)
        }),
        "zip1" => moves(|k, n| k / 2 + k % 2 * n),
        "zip2" => moves(|k, n| k / 2 + k % 2 * n + n / 2),
        "uzp1" => moves(|k, _| 2 * k),
        "uzp2" => moves(|k, _| 2 * k + 1),
        "trn1" => moves(|k, n| k / 2 * 2 + k % 2 * n),
        "trn2" => moves(|k, n| k / 2 * 2 + 1 + k % 2 * n),
        "ext" => plain(|m, i| {
            let (_, n, each) = shape(operand(i, 0)?)?;
            let k = immediate(i, 3)? as usize;
            let both = [get(m, i, 1, n, each)?, get(m, i, 2, n, each)?].concat();
            put(m, operand(i, 0)?, &both[k..k + n])
        }),
        "rev64" | "rev32" | "rev16" => {
            let part: usize = name[3..].parse::<usize>().ok()? / 8;
            plain(move |m, i| {
                let (_, n, each) = shape(operand(i, 0)?)?;
                let a = get(m, i, 1, n, each)?;
                let out: Vec<Byte> =
                    a.chunks(part).flat_map(|p| p.chunks(each).rev().flatten().copied()).collect();
                put(m, operand(i, 0)?, &out)
            })
        }
        "rbit" => single(|a| a.iter().map(|b| linear(table(u8::reverse_bits), *b)).collect()),
        "movi" | "mvni" | "dup" => plain(|m, i| {
            let (_, n, each) = shape(operand(i, 0)?)?;
            let a = get(m, i, 1, n, each)?;
            let out: Vec<Byte> = (0..n).map(|k| a[k % a.len().min(each)]).collect();
            let out: Vec<Byte> =
                if i.name == "mvni" { out.into_iter().map(bytes::not).collect() } else { out };
            put(m, operand(i, 0)?, &out)
        }),
        // Between vectors, elements and general registers, in all directions.
        "mov" | "ins" | "umov" | "fmov" => plain(|m, i| {
            let to = *operand(i, 0)?;
            let n = match to {
                Operand::Elements { n, each, one, .. } => {
                    if one.is_some() {
                        each
                    } else {
                        n
                    }
                }
                Operand::General { n, .. } => n,
                _ => return refuse("a result that is not known"),
            };
            let data = get(m, i, 1, n, n)?;
            match to {
                Operand::General { .. } => m.put(&to, &data),
                _ => put(m, &to, &data),
            }
        }),
        _ => None,
    }
}

/// Elements that become longer or shorter.
fn lengths(name: &str) -> Option<Meaning> {
    match name {
        "ushll" | "ushll2" | "uxtl" | "uxtl2" => plain(|m, i| {
            let (_, n, each) = shape(operand(i, 0)?)?;
            let from = if i.name.ends_with('2') { 8 } else { 0 };
            let (a, k) = (get(m, i, 1, 16, each)?, immediate(i, 2).unwrap_or(0) as u32);
            let out: Vec<Byte> = a[from..from + n / 2]
                .chunks(each / 2)
                .flat_map(|p| shifted(&super::extended(p, false, each), "lsl", k))
                .collect();
            put(m, operand(i, 0)?, &out)
        }),
        "xtn" | "xtn2" | "shrn" | "shrn2" => plain(|m, i| {
            let (r, _, each) = shape(operand(i, 0)?)?;
            let (a, k) = (get(m, i, 1, 16, 2 * each)?, immediate(i, 2).unwrap_or(0) as u32);
            let low = |p: &[Byte]| shifted(p, "lsr", k)[..each].to_vec();
            let out: Vec<Byte> = a.chunks(2 * each).flat_map(low).collect();
            let out = if i.name.ends_with('2') { [&m.vectors[r][..8], &out].concat() } else { out };
            put(m, operand(i, 0)?, &out)
        }),
        _ => None,
    }
}

/// Products.
fn products(name: &str) -> Option<Meaning> {
    match name {
        "pmull" | "pmull2" => plain(|m, i| {
            let (_, _, each) = shape(operand(i, 1)?)?;
            let from = if i.name.ends_with('2') { 8 } else { 0 };
            let (a, b) = (get(m, i, 1, 16, each)?, get(m, i, 2, 16, each)?);
            let mut out = Vec::new();
            for k in (from..from + 8).step_by(each) {
                out.extend(polynomials::product(&a[k..k + each], &b[k..k + each])?);
            }
            put(m, operand(i, 0)?, &out)
        }),
        "mul" => elements(|a, b| match (number(a), number(b)) {
            (Some(_), Some(_)) => Ok(super::product(a, b)[..a.len()].to_vec()),
            _ => refuse("a product of data"),
        }),
        _ => None,
    }
}

/// A function of bytes; elements that are longer are refused.
fn bytewise_only(operation: u64, f: fn([u8; 2]) -> u8) -> Option<Meaning> {
    elements(move |a, b| match (a, b) {
        ([a], [b]) => Ok(vec![lift(operation, [*a, *b], f)]),
        _ => refuse("elements that are no bytes"),
    })
}
