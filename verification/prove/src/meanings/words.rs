//! Operations on the elements of vectors: logic, sums, comparisons, shifts.

use super::{Meaning, aligned, immediate, operand, plain, width};
use crate::bytes::{self, Shift, number, op};
use crate::domain::{Byte, ZERO, lift, unknown};
use crate::machine::{Lanes, Machine, Or, refuse};
use crate::program::{Code, Operand};

/// Two sources of a vector instruction; the old forms have two operands.
pub fn two(m: &mut Machine, i: &Code) -> Or<(usize, Lanes, Lanes, bool)> {
    let old = !i.name.starts_with('v');
    let (a, b) = if old { (0, 1) } else { (1, 2) };
    let n = width(operand(i, a)?)?;
    if old {
        aligned(m, operand(i, b)?, n)?;
    }
    Ok((n, m.source(operand(i, a)?, n)?, m.source(operand(i, b)?, n)?, old))
}
/// The size of the elements by the last letter of a name.
pub fn each(name: &str) -> usize {
    match name.as_bytes().last() {
        Some(b'b') => 1,
        Some(b'w') => 2,
        Some(b'q') => 8,
        _ => 4,
    }
}

/// The rest of a name without its first `v`.
pub fn short(name: &str) -> &str {
    name.strip_prefix('v').unwrap_or(name)
}

pub fn meaning(name: &str) -> Option<Meaning> {
    let s = short(name);
    let size = match s {
        "pxor" | "pand" | "por" | "pandn" => 4,
        "xorpd" | "andpd" | "orpd" | "andnpd" => 8,
        "xorps" | "andps" | "orps" | "andnps" => 4,
        _ => each(s),
    };
    let logic = s.trim_end_matches(['d', 'q', 's']).trim_end_matches('p');
    let logic = if s.starts_with('p') { logic.strip_prefix('p')? } else { logic };
    match (s, logic) {
        (_, "xor") => return lanes(size, bytes::xor),
        ("pand" | "pandd" | "pandq" | "andps" | "andpd", _) => return lanes(size, bytes::and),
        (_, "or") => return lanes(size, bytes::or),
        (_, "andn") => return lanes(size, |a, b| bytes::and(bytes::not(a), b)),
        _ => {}
    }
    let bytewise = |o: u64, f: fn([u8; 2]) -> u8| lanes(1, move |a, b| lift(o, [a, b], f));
    match s {
        "paddb" => lanes(1, |a, b| bytes::add_bytes(a, b).0),
        "psubb" => lanes(1, |a, b| {
            // Less a mask of one bit is plus the bit.
            let bit = crate::domain::masked(1, b);
            if b.number().is_none() && b == bytes::filled(bit) {
                return bytes::add_bytes(a, bit).0;
            }
            lift(op::SUB, [a, b], |[a, b]| a.wrapping_sub(b))
        }),
        "pminub" => bytewise(op::MIN, |[a, b]| a.min(b)),
        "pmaxub" => bytewise(op::MAX, |[a, b]| a.max(b)),
        "paddusb" => bytewise(op::ADD_SATURATED, |[a, b]| a.saturating_add(b)),
        "psubusb" => bytewise(op::SUB_SATURATED, |[a, b]| a.saturating_sub(b)),
        "paddw" | "paddd" | "paddq" => words(size, |a, b| Ok(bytes::add(a, b, ZERO).0)),
        "psubw" | "psubd" | "psubq" => words(size, |a, b| Ok(bytes::sub(a, b, ZERO).0)),
        "pmulld" => words(4, |a, b| multiply(a, b, 4)),
        "pmuludq" => words(8, |a, b| multiply(&a[..4], &b[..4], 8)),
        "psllw" | "pslld" | "psllq" => shifts(size, Kind::Bits(Shift::Left)),
        "psrlw" | "psrld" | "psrlq" => shifts(size, Kind::Bits(Shift::Right)),
        "prold" | "prolq" => shifts(size, Kind::Bits(Shift::Around)),
        "prord" | "prorq" => shifts(size, Kind::Backwards),
        "psrad" | "psraw" => shifts(size, Kind::Signed),
        "psllvd" | "psllvq" | "psrlvd" | "psrlvq" | "psravd" => each_by_its_own(s, size),
        "pternlogd" | "pternlogq" => plain(move |m, i| {
            let to = operand(i, 0)?;
            let (n, truth) = (width(to)?, immediate(i, 3)? as u8);
            let (a, b) = (m.source(to, n)?, m.source(operand(i, 1)?, n)?);
            let c = m.source(operand(i, 2)?, n)?;
            let lanes = std::array::from_fn(|k| {
                if k < n { bytes::ternary(truth, [a[k], b[k], c[k]]) } else { ZERO }
            });
            m.finish(to, &lanes, size, false)
        }),
        "packuswb" => plain(|m, i| {
            let (n, a, b, old) = two(m, i)?;
            let mut lanes = [ZERO; 64];
            for k in 0..n {
                let from = if k % 16 < 8 { &a } else { &b };
                let at = k / 16 * 16 + k % 8 * 2;
                lanes[k] = match from[at + 1].number() {
                    Some(0) => from[at],
                    // A negative word gives 0, a larger word the most.
                    Some(high) => Byte::new(if high < 128 { 255 } else { 0 }),
                    None => return refuse("a pack that may saturate"),
                };
            }
            m.finish(operand(i, 0)?, &lanes, 1, old)
        }),
        _ => None,
    }
}

fn lanes(size: usize, f: impl Fn(Byte, Byte) -> Byte + 'static) -> Option<Meaning> {
    plain(move |m, i| {
        let (n, a, b, old) = two(m, i)?;
        let lanes = std::array::from_fn(|k| if k < n { f(a[k], b[k]) } else { ZERO });
        m.finish(operand(i, 0)?, &lanes, size, old)
    })
}

/// An operation on words.
fn words(size: usize, f: impl Fn(&[Byte], &[Byte]) -> Or<Vec<Byte>> + 'static) -> Option<Meaning> {
    plain(move |m, i| {
        let (n, a, b, old) = two(m, i)?;
        let mut lanes = [ZERO; 64];
        for k in (0..n).step_by(size) {
            lanes[k..k + size].copy_from_slice(&f(&a[k..k + size], &b[k..k + size])?);
        }
        m.finish(operand(i, 0)?, &lanes, size, old)
    })
}

fn multiply(a: &[Byte], b: &[Byte], n: usize) -> Or<Vec<Byte>> {
    match (number(a), number(b)) {
        (Some(x), Some(y)) => Ok(bytes::bytes::<8>(x.wrapping_mul(y))[..n].to_vec()),
        // A shift, where a set has no other of as many bits as each word needs.
        (Some(x), _) if x.is_power_of_two() => {
            let mut wide = b.to_vec();
            wide.resize(n, ZERO);
            Ok(bytes::shift(&wide, Shift::Left, x.trailing_zeros()))
        }
        (_, Some(y)) if y.is_power_of_two() => multiply(b, a, n),
        _ => {
            let key = [a, b, &[Byte::new(n as u8)]].concat();
            Ok((0..n).map(|i| unknown(op::LOW, i, &key)).collect())
        }
    }
}

#[derive(Clone, Copy)]
enum Kind {
    Bits(Shift),
    Backwards,
    Signed,
}

/// A shift to the right that repeats the sign.
pub fn signed(word: &[Byte], k: u32) -> Vec<Byte> {
    let bits = 8 * word.len() as u32;
    let k = k.min(bits - 1);
    let sign = bytes::shift(word, Shift::Right, bits - 1)[0];
    let fill = bytes::filled(sign);
    let high = bytes::shift(&vec![fill; word.len()], Shift::Left, bits - k);
    let low = bytes::shift(word, Shift::Right, k);
    low.iter().zip(&high).map(|(a, b)| *a ^ *b).collect()
}

fn shifted(word: &[Byte], kind: Kind, k: u64) -> Or<Vec<Byte>> {
    let bits = 8 * word.len() as u64;
    let capped = k.min(bits) as u32;
    match kind {
        Kind::Bits(Shift::Around) => Ok(bytes::shift(word, Shift::Around, (k % bits) as u32)),
        Kind::Bits(kind) => Ok(bytes::shift(word, kind, capped)),
        Kind::Backwards => Ok(bytes::shift(word, Shift::Around, ((bits - k % bits) % bits) as u32)),
        Kind::Signed => Ok(signed(word, capped)),
    }
}

/// All elements by one number.
fn shifts(size: usize, kind: Kind) -> Option<Meaning> {
    plain(move |m, i| {
        let to = operand(i, 0)?;
        let n = width(to)?;
        let old = !i.name.starts_with('v');
        let last = i.operands.len() - 1;
        let from = m.source(operand(i, last - 1)?, n)?;
        let k = match operand(i, last)? {
            Operand::Number(k) => *k,
            o => {
                let count = m.source(o, 16)?;
                match number(&count[..8]) {
                    Some(k) => k,
                    None => return refuse("the count of a shift hangs on data"),
                }
            }
        };
        let mut lanes = [ZERO; 64];
        for j in (0..n).step_by(size) {
            lanes[j..j + size].copy_from_slice(&shifted(&from[j..j + size], kind, k)?);
        }
        m.finish(to, &lanes, size, old)
    })
}

fn each_by_its_own(name: &str, size: usize) -> Option<Meaning> {
    let kind = match &name[..name.len() - 2] {
        "psll" => Kind::Bits(Shift::Left),
        "psrl" => Kind::Bits(Shift::Right),
        _ => Kind::Signed,
    };
    words(size, move |a, k| match number(k) {
        Some(k) => shifted(a, kind, k),
        None => refuse("the count of a shift hangs on data"),
    })
}
