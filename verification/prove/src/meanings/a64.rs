//! Instructions of AArch64 on general registers, flags and jumps: the Arm Architecture Reference Manual (DDI 0487), C6.2,
//! where each has a clause under its name.

mod loads;
mod vectors;

use super::general::{chosen, result_flags, sum};
use super::{Meaning, immediate, operand, plain, words};
use crate::bytes::{self, Shift, number, op};
use crate::domain::{Byte, ZERO, linear, table, unknown};
use crate::machine::{Flags, Machine, Or, refuse, target};
use crate::program::{Code, Operand};

/// The register of the return address.
const LINK: usize = 30;

pub fn meaning(name: &str) -> Option<Meaning> {
    if let Some(f) = loads::meaning(name) {
        return Some(f);
    }
    let general = flow(name).or_else(|| sums(name)).or_else(|| choices(name));
    let general = general.or_else(|| fields(name)).or_else(|| products(name));
    let vector = vectors::meaning(name);
    if general.is_none() && vector.is_none() {
        return None;
    }
    Some(Box::new(move |m, i| {
        let wide = i.operands.iter().any(|o| matches!(o, Operand::Elements { .. }));
        match if wide { &vector } else { &general } {
            Some(f) => f(m, i),
            None => refuse("an instruction without a meaning for these registers"),
        }
    }))
}

/// The bytes of the first general register.
fn size(i: &Code) -> Or<usize> {
    i.operands.iter().find_map(Machine::size).map_or_else(|| refuse("operands without a size"), Ok)
}
fn word(i: &Code, k: usize) -> &'static str {
    if let Some(Operand::Word(w)) = i.operands.get(k) { w } else { "" }
}
/// A number of `n` bytes.
fn known(word: &[Byte], why: &str) -> Or<u64> {
    number(word).map_or_else(|| refuse(why), Ok)
}

/// A word shifted as a word of the manual says.
fn shifted(a: &[Byte], kind: &str, k: u32) -> Vec<Byte> {
    let bits = 8 * a.len() as u32;
    match kind {
        "lsl" => bytes::shift(a, Shift::Left, k),
        "lsr" => bytes::shift(a, Shift::Right, k),
        "asr" => words::signed(a, k),
        _ => bytes::shift(a, Shift::Around, (bits - k % bits) % bits),
    }
}
/// A word made longer.
fn extended(a: &[Byte], signed: bool, n: usize) -> Vec<Byte> {
    let fill = if signed { words::signed(a, 8 * a.len() as u32)[0] } else { ZERO };
    let mut out = a[..a.len().min(n)].to_vec();
    out.resize(n, fill);
    out
}
/// The operand with number `k`, shifted or extended as the words after it say.
fn source(m: &Machine, i: &Code, k: usize, n: usize) -> Or<Vec<Byte>> {
    let (how, by) = (word(i, k + 1), immediate(i, k + 2).unwrap_or(0) as u32);
    let all = match operand(i, k)? {
        Operand::General { r, .. } => m.general[*r],
        Operand::Number(x) => bytes::bytes::<8>(*x),
        _ => return refuse("a source that is not known"),
    };
    let from = match how.strip_prefix(['u', 's']) {
        None => {
            return Ok(if how.is_empty() {
                all[..n].to_vec()
            } else {
                shifted(&all[..n], how, by)
            });
        }
        Some("xtb") => 1,
        Some("xth") => 2,
        Some("xtw") => 4,
        Some(_) => 8,
    };
    Ok(shifted(&extended(&all[..from], how.starts_with('s'), n), "lsl", by))
}
/// The bytes of a general register.
fn register(m: &Machine, i: &Code, k: usize, n: usize) -> Or<Vec<Byte>> {
    match operand(i, k)? {
        Operand::General { r, .. } => Ok(m.general[*r][..n].to_vec()),
        _ => refuse("no register where one belongs"),
    }
}

/// Jumps.
fn flow(name: &str) -> Option<Meaning> {
    let place = |i: &Code| match operand(i, 0)? {
        Operand::Code(at) => Ok(*at),
        _ => refuse("a branch to nowhere"),
    };
    if let Some(condition) = name.strip_prefix("b.") {
        let condition = condition.to_string();
        return Some(Box::new(move |m, i| {
            let bit = known(&[bit(m, &condition)?], "a branch hangs on data")?;
            Ok(if bit != 0 { Some(place(i)?) } else { None })
        }));
    }
    let (links, by_register) = (matches!(name, "bl" | "blr"), matches!(name, "br" | "blr"));
    Some(match name {
        "b" | "bl" | "br" | "blr" => Box::new(move |m, i| {
            let to = if by_register { target(&register(m, i, 0, 8)?)? } else { place(i)? };
            if links {
                let back = m.p.code.get(i.next).map_or(0, |c| c.at);
                m.set(LINK, back);
            }
            Ok(Some(to))
        }),
        "ret" => Box::new(|m, i| {
            let r = if i.operands.is_empty() {
                m.general[LINK].to_vec()
            } else {
                register(m, i, 0, 8)?
            };
            target(&r).map(Some)
        }),
        "cbz" | "cbnz" => {
            let zero = name == "cbz";
            Box::new(move |m, i| {
                let a = register(m, i, 1, size(i)?)?;
                let is = known(&a, "a branch hangs on data")? == 0;
                Ok(if is == zero { Some(place(i)?) } else { None })
            })
        }
        "tbz" | "tbnz" => {
            let zero = name == "tbz";
            Box::new(move |m, i| {
                let (a, k) = (register(m, i, 1, size(i)?)?, immediate(i, 2)? as u32);
                let bit = bytes::and(bytes::shift(&a, Shift::Right, k)[0], Byte::new(1));
                let is = known(&[bit], "a branch hangs on data")? == 0;
                Ok(if is == zero { Some(place(i)?) } else { None })
            })
        }
        "nop" => Box::new(|_, _| Ok(None)),
        "brk" | "udf" => Box::new(|_, _| refuse("a trap")),
        _ => return None,
    })
}

/// A condition, as a bit (C1.2.4).
fn bit(m: &Machine, condition: &str) -> Or<Byte> {
    let flag = |f: Option<bool>| f.map_or_else(|| refuse("a branch or a choice hangs on data"), Ok);
    let carry = || m.flags.carry.map_or_else(|| refuse("a flag that is not known"), Ok);
    let carries = || Ok(known(&[carry()?], "a branch or a choice hangs on data")? != 0);
    let not_zero = || match m.flags.one_bit {
        Some(bit) => Ok(bit),
        None => Ok(Byte::new((!flag(m.flags.zero)?).into())),
    };
    let one = Byte::new(1);
    let less = || Ok(flag(m.flags.sign)? != flag(m.flags.overflow)?);
    let is = match condition {
        "eq" => return Ok(not_zero()? ^ one),
        "ne" => return not_zero(),
        "cs" | "hs" => return carry(),
        "cc" | "lo" => return Ok(carry()? ^ one),
        "mi" => flag(m.flags.sign)?,
        "pl" => !flag(m.flags.sign)?,
        "vs" => flag(m.flags.overflow)?,
        "vc" => !flag(m.flags.overflow)?,
        "hi" => carries()? && !flag(m.flags.zero)?,
        "ls" => !carries()? || flag(m.flags.zero)?,
        "ge" => !less()?,
        "lt" => less()?,
        "gt" => !flag(m.flags.zero)? && !less()?,
        "le" => flag(m.flags.zero)? || less()?,
        "al" | "nv" => true,
        _ => return refuse("a condition that is not known"),
    };
    Ok(Byte::new(is.into()))
}

/// A sum or a difference; the carry of a difference is that nothing is borrowed.
fn summed(
    m: &mut Machine,
    a: &[Byte],
    b: &[Byte],
    carry: Byte,
    minus: bool,
    flags: bool,
) -> Vec<Byte> {
    let old = m.flags.clone();
    let r = if minus && carry.number().is_none() && a == b {
        m.flags = Flags { carry: Some(carry), ..Flags::default() };
        vec![bytes::filled(carry); a.len()]
    } else {
        sum(m, a, b, carry, minus)
    };
    if minus {
        m.flags.carry = m.flags.carry.map(|c| c ^ Byte::new(1));
    }
    if !flags {
        m.flags = old;
    }
    r
}

/// Sums and logic.
fn sums(name: &str) -> Option<Meaning> {
    let (bare, flags) = match name {
        "cmp" | "cmn" | "tst" => (name, true),
        "subs" | "adds" | "ands" | "bics" | "adcs" | "sbcs" | "negs" | "ngcs" => (&name[..3], true),
        _ => (name, false),
    };
    let compares = matches!(name, "cmp" | "cmn" | "tst");
    let first = if compares { 0 } else { 1 };
    let negates = matches!(bare, "neg" | "ngc");
    match bare {
        "add" | "sub" | "cmp" | "cmn" | "neg" | "adc" | "sbc" | "ngc" => {
            let minus = matches!(bare, "sub" | "cmp" | "neg" | "sbc" | "ngc");
            let with = matches!(bare, "adc" | "sbc" | "ngc");
            plain(move |m, i| {
                let n = size(i)?;
                let a = if negates { vec![ZERO; n] } else { register(m, i, first, n)? };
                let b = source(m, i, first + usize::from(!negates), n)?;
                let carry = match m.flags.carry {
                    _ if !with => ZERO,
                    Some(c) => c ^ Byte::new(minus.into()),
                    None => return refuse("a flag that is not known"),
                };
                let r = summed(m, &a, &b, carry, minus, flags);
                if compares { Ok(()) } else { m.put(operand(i, 0)?, &r) }
            })
        }
        "and" | "tst" | "orr" | "eor" | "bic" | "orn" | "eon" | "mvn" => {
            let inverts = matches!(bare, "bic" | "orn" | "eon" | "mvn");
            let f: fn(Byte, Byte) -> Byte = match bare {
                "orr" | "orn" => bytes::or,
                "eor" | "eon" => bytes::xor,
                "mvn" => |_, b| b,
                _ => bytes::and,
            };
            let second = if bare == "mvn" { first } else { first + 1 };
            plain(move |m, i| {
                let n = size(i)?;
                let (a, b) = (register(m, i, first, n)?, source(m, i, second, n)?);
                let of = |b: Byte| if inverts { bytes::not(b) } else { b };
                let r: Vec<Byte> = a.iter().zip(b).map(|(a, b)| f(*a, of(b))).collect();
                if flags {
                    m.flags = result_flags(&r);
                    (m.flags.carry, m.flags.overflow) = (Some(ZERO), Some(false));
                }
                if compares { Ok(()) } else { m.put(operand(i, 0)?, &r) }
            })
        }
        "mov" | "movz" | "movn" => plain(move |m, i| {
            let n = size(i)?;
            let a = source(m, i, 1, n)?;
            let a: Vec<Byte> =
                if i.name == "movn" { a.into_iter().map(bytes::not).collect() } else { a };
            m.put(operand(i, 0)?, &a)
        }),
        "movk" => plain(|m, i| {
            let (n, at) = (size(i)?, immediate(i, 3).unwrap_or(0) as usize / 8);
            let mut a = register(m, i, 0, n)?;
            a[at..at + 2].copy_from_slice(&bytes::bytes::<2>(immediate(i, 1)?));
            m.put(operand(i, 0)?, &a)
        }),
        "adr" | "adrp" => plain(|m, i| match operand(i, 0)? {
            Operand::Code(at) => m.put(operand(i, 1)?, &bytes::bytes::<8>(*at)),
            _ => refuse("no address"),
        }),
        _ => None,
    }
}

/// Choices by a condition.
fn choices(name: &str) -> Option<Meaning> {
    let (two, kind) = match name {
        "csel" => (true, "sel"),
        "csinc" | "csinv" | "csneg" => (true, &name[2..]),
        "cinc" | "cinv" | "cneg" => (false, &name[1..]),
        "cset" | "csetm" => (false, &name[1..]),
        "ccmp" | "ccmn" => {
            let minus = name == "ccmp";
            return plain(move |m, i| {
                let n = size(i)?;
                if known(&[bit(m, word(i, 3))?], "a comparison hangs on data")? != 0 {
                    let (a, b) = (register(m, i, 0, n)?, source(m, i, 1, n)?);
                    summed(m, &a, &b, ZERO, minus, true);
                } else {
                    let f = immediate(i, 2)?;
                    let is = |k: u64| Some(f >> k & 1 != 0);
                    let carry = Some(Byte::new((f >> 1 & 1) as u8));
                    m.flags = Flags {
                        carry,
                        sign: is(3),
                        zero: is(2),
                        overflow: is(0),
                        ..Flags::default()
                    };
                }
                Ok(())
            });
        }
        _ => return None,
    };
    let kind = kind.to_string();
    plain(move |m, i| {
        let n = size(i)?;
        let zeros = vec![ZERO; n];
        let mut unit = zeros.clone();
        unit[0] = Byte::new(1);
        let sets = kind.starts_with("set");
        let last = i.operands.len() - 1;
        let mut bit = bit(m, word(i, last))?;
        let (a, b) = match (two, sets) {
            (true, _) => (register(m, i, 1, n)?, register(m, i, 2, n)?),
            (_, true) => (zeros.clone(), zeros.clone()),
            _ => (register(m, i, 1, n)?, register(m, i, 1, n)?),
        };
        // The aliases say when the change is made, the others when it is not.
        if !two {
            bit = bit ^ Byte::new(1);
        }
        let other = match kind.as_str() {
            "set" => unit,
            "setm" | "inv" => b.into_iter().map(bytes::not).collect(),
            // A bit of data that is added is a carry.
            "inc" if !two && bit.number().is_none() => {
                let mut more = zeros;
                more[0] = bit ^ Byte::new(1);
                let r = bytes::add(&b, &more, ZERO).0;
                return m.put(operand(i, 0)?, &r);
            }
            "inc" => bytes::add(&b, &unit, ZERO).0,
            "neg" => bytes::sub(&zeros, &b, ZERO).0,
            _ => b,
        };
        let r = match (bit.number(), sets) {
            (Some(0), _) => other,
            (Some(_), _) => a,
            (None, true) if kind == "set" => {
                let mut r = a;
                r[0] = bit ^ Byte::new(1);
                r
            }
            (None, true) => vec![bytes::filled(bit ^ Byte::new(1)); n],
            _ => a.iter().zip(&other).map(|(a, b)| chosen(bit, *a, *b)).collect::<Or<_>>()?,
        };
        m.put(operand(i, 0)?, &r)
    })
}

/// A word under a mask.
fn masked(a: &[Byte], mask: u64) -> Vec<Byte> {
    a.iter().enumerate().map(|(k, b)| bytes::and(*b, Byte::new((mask >> (8 * k)) as u8))).collect()
}

/// Shifts, parts of words, orders of bytes and bits.
fn fields(name: &str) -> Option<Meaning> {
    match name {
        "lsl" | "lsr" | "asr" | "ror" => plain(|m, i| {
            let n = size(i)?;
            let a = register(m, i, 1, n)?;
            let k = match operand(i, 2)? {
                Operand::Number(k) => *k,
                // A count has as many bits as it needs; the others do not count.
                _ => {
                    let k = masked(&register(m, i, 2, 1)?, 8 * n as u64 - 1);
                    known(&k, "the count of a shift hangs on data")?
                }
            };
            m.put(operand(i, 0)?, &shifted(&a, &i.name, k as u32))
        }),
        "ubfx" | "sbfx" | "ubfiz" | "sbfiz" | "bfi" | "bfxil" | "bfc" => plain(|m, i| {
            let (n, clears) = (size(i)?, i.name == "bfc");
            let bits = 8 * n as u32;
            let at = if clears { 1 } else { 2 };
            let (lsb, width) = (immediate(i, at)? as u32, immediate(i, at + 1)? as u32);
            let a = if clears { vec![ZERO; n] } else { register(m, i, 1, n)? };
            let mask = u64::MAX >> (64 - width);
            let part = |a: &[Byte], from| masked(&shifted(a, "lsr", from), mask);
            let up = |a: &[Byte], by| shifted(a, "lsl", by);
            let inserted = |m: &Machine, part: Vec<Byte>, to: u32| -> Or<Vec<Byte>> {
                let old = masked(&register(m, i, 0, n)?, !(mask << to));
                Ok(old.iter().zip(part).map(|(a, b)| bytes::xor(*a, b)).collect())
            };
            let r = match i.name.as_str() {
                "ubfx" => part(&a, lsb),
                "sbfx" => shifted(&up(&a, bits - lsb - width), "asr", bits - width),
                "ubfiz" => up(&masked(&a, mask), lsb),
                "sbfiz" => shifted(&up(&a, bits - width), "asr", bits - width - lsb),
                "bfxil" => inserted(m, part(&a, lsb), 0)?,
                _ => inserted(m, up(&masked(&a, mask), lsb), lsb)?,
            };
            m.put(operand(i, 0)?, &r)
        }),
        "extr" => plain(|m, i| {
            let n = size(i)?;
            let both = [register(m, i, 2, n)?, register(m, i, 1, n)?].concat();
            let r = bytes::shift(&both, Shift::Right, immediate(i, 3)? as u32);
            m.put(operand(i, 0)?, &r[..n])
        }),
        "uxtb" | "uxth" | "sxtb" | "sxth" | "sxtw" => {
            let from = match &name[3..] {
                "b" => 1,
                "h" => 2,
                _ => 4,
            };
            let signed = name.starts_with('s');
            plain(move |m, i| {
                let a = register(m, i, 1, from)?;
                m.put(operand(i, 0)?, &extended(&a, signed, size(i)?))
            })
        }
        "rev" | "rev16" | "rev32" | "rbit" => plain(|m, i| {
            let n = size(i)?;
            let mut a = register(m, i, 1, n)?;
            let part = match i.name.as_str() {
                "rev16" => 2,
                "rev32" => 4,
                _ => n,
            };
            a.chunks_mut(part).for_each(<[Byte]>::reverse);
            if i.name == "rbit" {
                let turned = table(u8::reverse_bits);
                a.iter_mut().for_each(|b| *b = linear(turned, *b));
            }
            m.put(operand(i, 0)?, &a)
        }),
        "clz" => plain(|m, i| {
            let n = size(i)?;
            let a = known(&register(m, i, 1, n)?, "bits of data are counted")?;
            m.put(
                operand(i, 0)?,
                &bytes::bytes::<8>((a.leading_zeros() - (64 - 8 * n as u32)).into()),
            )
        }),
        _ => None,
    }
}

/// Both halves of a product, a function that is not looked into where it is of data.
fn product(a: &[Byte], b: &[Byte]) -> Vec<Byte> {
    match (number(a), number(b)) {
        (Some(x), Some(y)) => {
            let p = (u128::from(x) * u128::from(y)).to_le_bytes();
            p[..2 * a.len()].iter().map(|b| Byte::new(*b)).collect()
        }
        _ => {
            let key = [a, b].concat();
            (0..2 * a.len()).map(|i| unknown(op::WORDS, i, &key)).collect()
        }
    }
}
fn products(name: &str) -> Option<Meaning> {
    match name {
        "mul" | "mneg" | "madd" | "msub" => plain(|m, i| {
            let n = size(i)?;
            let p = product(&register(m, i, 1, n)?, &register(m, i, 2, n)?)[..n].to_vec();
            let c = if i.operands.len() > 3 { register(m, i, 3, n)? } else { vec![ZERO; n] };
            let minus = matches!(i.name.as_str(), "mneg" | "msub");
            let r = if minus { bytes::sub(&c, &p, ZERO).0 } else { bytes::add(&c, &p, ZERO).0 };
            m.put(operand(i, 0)?, &r)
        }),
        "umull" | "umaddl" => plain(|m, i| {
            let p = product(&register(m, i, 1, 4)?, &register(m, i, 2, 4)?);
            let c = if i.operands.len() > 3 { register(m, i, 3, 8)? } else { vec![ZERO; 8] };
            m.put(operand(i, 0)?, &bytes::add(&c, &p, ZERO).0)
        }),
        "umulh" => plain(|m, i| {
            let p = product(&register(m, i, 1, 8)?, &register(m, i, 2, 8)?);
            m.put(operand(i, 0)?, &p[8..])
        }),
        "udiv" => plain(|m, i| {
            let n = size(i)?;
            let [a, b] = [1, 2].map(|k| known(&register(m, i, k, n)?, "a division of data"));
            m.put(operand(i, 0)?, &bytes::bytes::<8>(a?.checked_div(b?).unwrap_or(0)))
        }),
        _ => None,
    }
}
