//! Masks, and comparisons, which make masks or vectors.

use super::words::{short, two};
use super::{Meaning, immediate, operand, plain};
use crate::bytes::{self, Shift, number, op};
use crate::domain::{Byte, ZERO, lift, shifted_down, single, unknown};
use crate::machine::{Flags, Lanes, Machine, Or, refuse};
use crate::program::{Code, Operand};

/// The number of bits that a letter says.
fn size(letter: &str) -> Option<usize> {
    Some(8 << ["b", "w", "d", "q"].iter().position(|l| *l == letter)?)
}
/// The number of a mask register.
fn register(o: &Operand) -> Or<usize> {
    match o {
        Operand::Mask { r, .. } => Ok(*r),
        _ => refuse("no mask where one belongs"),
    }
}
/// The first bits, and zeros.
fn first(n: usize, bit: impl Fn(usize) -> Byte) -> Lanes {
    std::array::from_fn(|k| if k < n { bit(k) } else { ZERO })
}

pub fn meaning(name: &str) -> Option<Meaning> {
    if let Some(rest) = name.strip_prefix('k') {
        let n = size(&rest[rest.len() - 1..])?;
        return of_masks(&rest[..rest.len() - 1], n);
    }
    let s = short(name);
    if s.starts_with("ptest") || s.starts_with("pcmp") { compared(s) } else { moved(s) }
}

/// Moves and logic of masks.
fn of_masks(name: &str, n: usize) -> Option<Meaning> {
    let logic: fn(Byte, Byte) -> Byte = match name {
        "mov" => return plain(move |m, i| moves(m, i, n)),
        "or" => bytes::or,
        "and" => bytes::and,
        "xor" => |a, b| a ^ b,
        "andn" => |a, b| bytes::and(a ^ Byte::new(1), b),
        "ortest" | "test" => {
            let or = name == "ortest";
            return plain(move |m, i| {
                let [a, b] = [mask(m, i, 0, n)?, mask(m, i, 1, n)?];
                let all = u64::MAX >> (64 - n);
                let (zero, carry) =
                    if or { (a | b == 0, a | b == all) } else { (a & b == 0, !a & b == 0) };
                m.flags = Flags {
                    carry: Some(Byte::new(carry.into())),
                    zero: Some(zero),
                    sign: Some(false),
                    overflow: Some(false),
                    parity: Some(false),
                    one_bit: None,
                };
                Ok(())
            });
        }
        "shiftl" | "shiftr" => {
            let left = name == "shiftl";
            return plain(move |m, i| {
                let (by, old) =
                    (immediate(i, 2)? as usize & 255, m.masks[register(operand(i, 1)?)?]);
                m.masks[register(operand(i, 0)?)?] = first(n, |k| match left {
                    true if k >= by => old[k - by],
                    false if k + by < n => old[k + by],
                    _ => ZERO,
                });
                Ok(())
            });
        }
        _ => return None,
    };
    plain(move |m, i| {
        let [a, b] = [m.masks[register(operand(i, 1)?)?], m.masks[register(operand(i, 2)?)?]];
        m.masks[register(operand(i, 0)?)?] = first(n, |k| logic(a[k], b[k]));
        Ok(())
    })
}
fn moves(m: &mut Machine, i: &Code, n: usize) -> Or<()> {
    match (operand(i, 0)?, operand(i, 1)?) {
        (Operand::Mask { r: to, .. }, Operand::Mask { r, .. }) => {
            m.masks[*to] = first(n, |k| m.bit(*r, k));
        }
        (Operand::Mask { r, .. }, from) => {
            let data = m.get(from, n.div_ceil(8))?;
            let bit = |k: usize| bytes::shift(&[data[k / 8]], Shift::Right, k as u32 % 8)[0];
            m.masks[*r] = first(n, |k| bytes::and(bit(k), Byte::new(1)));
        }
        (to, from) => {
            let (r, mut data) = (register(from)?, vec![ZERO; 8]);
            for k in 0..n {
                let bit = bytes::shift(&[m.bit(r, k)], Shift::Left, k as u32 % 8);
                data[k / 8] = data[k / 8] ^ bit[0];
            }
            return m.put(to, &data);
        }
    }
    Ok(())
}
fn mask(m: &Machine, i: &Code, place: usize, n: usize) -> Or<u64> {
    let r = register(operand(i, place)?)?;
    let bits = (0..n).rev().try_fold(0, |all, k| Some(all << 1 | u64::from(m.bit(r, k).number()?)));
    bits.map_or_else(|| refuse("a branch hangs on data"), Ok)
}

/// A comparison of words: its name, its result for numbers of this many bits, and its result for data, if it has such a
/// result.
#[derive(Clone, Copy)]
pub struct Comparison {
    operation: u64,
    numbers: fn(u64, u64, u32) -> bool,
    data: fn(&[Byte], &[Byte]) -> Option<Byte>,
}
pub fn comparison(name: &str) -> Option<Comparison> {
    fn signed(x: u64, bits: u32) -> i64 {
        (x << (64 - bits)) as i64
    }
    let make = |operation, numbers, data| Some(Comparison { operation, numbers, data });
    let of: fn(&[Byte], &[Byte]) -> Option<Byte> = |_, _| None;
    match name {
        "testm" => make(1, |a, b, _| a & b != 0, of),
        "testnm" => make(2, |a, b, _| a & b == 0, of),
        "cmpeq" => make(3, |a, b, _| a == b, |a, b| (a == b).then_some(Byte::new(1))),
        "cmpgt" => make(
            4,
            |a, b, bits| signed(a, bits) > signed(b, bits),
            |a, b| match (a, b) {
                ([a], [b]) => above(*a, *b),
                _ => None,
            },
        ),
        "cmpequ" => make(3, |a, b, _| a == b, of),
        "cmpneq" | "cmpnequ" => make(5, |a, b, _| a != b, of),
        // A sum that is less than either of its parts has carried.
        "cmpltu" => make(6, |a, b, _| a < b, bytes::less),
        "cmpnltu" => make(7, |a, b, _| a >= b, of),
        "cmpleu" => make(8, |a, b, _| a <= b, of),
        "cmpnleu" => make(9, |a, b, _| a > b, |a, b| bytes::less(b, a)),
        _ => None,
    }
}

/// The bit that a signed byte is above a second byte, where that is a sum's carry.
fn above(a: Byte, b: Byte) -> Option<Byte> {
    let top = Byte::new(128);
    (a.number().is_none() && b.number().is_none()).then(|| bytes::less(&[b ^ top], &[a ^ top]))?
}

impl Comparison {
    pub fn of(self, a: &[Byte], b: &[Byte]) -> Byte {
        let bits = 8 * a.len() as u32;
        let known = match (number(a), number(b)) {
            (Some(x), Some(y)) => Some(Byte::new((self.numbers)(x, y, bits).into())),
            _ => (self.data)(a, b),
        };
        known.unwrap_or_else(|| match (a, b) {
            ([x], [y]) => lift(op::COMPARISON + self.operation, [*x, *y], move |[x, y]| {
                (self.numbers)(x.into(), y.into(), 8).into()
            }),
            // A single bit of the unknown.
            _ => {
                let key = [a, b, &[Byte::new(self.operation as u8)]].concat();
                crate::domain::masked(1, unknown(op::APART, 0, &key))
            }
        })
    }
}

fn compared(s: &str) -> Option<Meaning> {
    let (name, letter) = s[1..].split_at(s.len() - 2);
    let (n, comparison, tests) = (size(letter)? / 8, comparison(name)?, name.starts_with("test"));
    plain(move |m, i| {
        let (all, mut a, mut b, old) = two(m, i)?;
        if tests {
            a = first(all, |k| bytes::and(a[k], b[k]));
            b = a;
        }
        let word = |k: usize| k * n..(k + 1) * n;
        let mut bits = first(all / n, |k| comparison.of(&a[word(k)], &b[word(k)]));
        let Operand::Mask { r, mask } = *operand(i, 0)? else {
            return m.finish(operand(i, 0)?, &first(all, |k| bytes::filled(bits[k / n])), n, old);
        };
        // 0 where a second mask forbids.
        if let Some(mask) = mask {
            bits = first(64, |k| bytes::and(m.bit(mask.r, k), bits[k]));
        }
        m.masks[r] = bits;
        Ok(())
    })
}

/// The highest bits of elements as a mask, and masks as elements.
fn moved(s: &str) -> Option<Meaning> {
    let top = |b: Byte| shifted_down(7, single(b));
    match s {
        "pmovb2m" | "pmovw2m" | "pmovd2m" | "pmovq2m" => {
            let n = size(&s[4..5])? / 8;
            plain(move |m, i| {
                let all = super::width(operand(i, 1)?)?;
                let a = m.source(operand(i, 1)?, all)?;
                m.masks[register(operand(i, 0)?)?] = first(all / n, |k| top(a[k * n + n - 1]));
                Ok(())
            })
        }
        "pmovm2b" | "pmovm2w" | "pmovm2d" | "pmovm2q" => {
            let n = size(&s[6..])? / 8;
            plain(move |m, i| {
                let r = register(operand(i, 1)?)?;
                let fill = |k: usize| {
                    lift(op::MASK, [m.bit(r, k / n)], |[b]| if b & 1 != 0 { 255 } else { 0 })
                };
                let lanes = first(super::width(operand(i, 0)?)?, fill);
                m.finish(operand(i, 0)?, &lanes, n, false)
            })
        }
        "pmovmskb" => plain(|m, i| {
            let all = super::width(operand(i, 1)?)?;
            let a = m.source(operand(i, 1)?, all)?;
            let mut out = vec![ZERO; 8];
            for k in 0..all {
                let bit = crate::domain::shifted_up(k as u32 % 8, shifted_down(7, a[k]));
                out[k / 8] = out[k / 8] ^ bit;
            }
            m.put(operand(i, 0)?, &out)
        }),
        _ => None,
    }
}
