//! Masks: comparisons that make them, moves, logic.

use super::words::{above, compare_bytes, short, words};
use super::{Meaning, immediate, operand, plain, width};
use crate::bytes::{self, number, op};
use crate::domain::{Byte, ZERO, lift, shifted_down};
use crate::machine::{Flags, Machine, Or, refuse};
use crate::program::{Code, Operand};

pub fn meaning(name: &str) -> Option<Meaning> {
    if let Some(kind) = name.strip_prefix("kmov") {
        let n = size(kind)?;
        return plain(move |m, i| {
            let (to, from) = (operand(i, 0)?, operand(i, 1)?);
            if let (Operand::Mask { r: to, .. }, Operand::Mask { r, .. }) = (to, from) {
                m.masks[*to] = std::array::from_fn(|k| if k < n { m.bit(*r, k) } else { ZERO });
                return Ok(());
            }
            match (to, from) {
                (Operand::Mask { r, .. }, from) => {
                    let data = m.get(from, n.div_ceil(8))?;
                    let bit = |k: usize| {
                        bytes::shift(&data[k / 8..=k / 8], bytes::Shift::Right, k as u32 % 8)[0]
                    };
                    m.masks[*r] = std::array::from_fn(|k| {
                        if k < n { bytes::and(bit(k), Byte::new(1)) } else { ZERO }
                    });
                    Ok(())
                }
                (to, Operand::Mask { r, .. }) => {
                    let mut data = vec![ZERO; 8];
                    for k in 0..n {
                        let bit = bytes::shift(&[m.bit(*r, k)], bytes::Shift::Left, k as u32 % 8);
                        data[k / 8] = data[k / 8] ^ bit[0];
                    }
                    m.put(to, &data)
                }
                _ => refuse("a move that is not known"),
            }
        });
    }
    if let Some(kind) = name.strip_prefix("kortest").or_else(|| name.strip_prefix("ktest")) {
        let (n, or) = (size(kind)?, name.starts_with("kor"));
        return plain(move |m, i| {
            let (a, b) = (mask(m, i, 0, n)?, mask(m, i, 1, n)?);
            let all = if n == 64 { u64::MAX } else { (1 << n) - 1 };
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
    if let Some(kind) = name.strip_prefix("kshift") {
        let (n, left) = (size(&kind[1..])?, kind.starts_with('l'));
        return plain(move |m, i| {
            let (Operand::Mask { r: to, .. }, Operand::Mask { r, .. }) =
                (operand(i, 0)?, operand(i, 1)?)
            else {
                return refuse("no masks");
            };
            let by = immediate(i, 2)? as usize & 255;
            let old = m.masks[*r];
            m.masks[*to] = std::array::from_fn(|k| match left {
                true if k < n && k >= by => old[k - by],
                false if k + by < n => old[k + by],
                _ => ZERO,
            });
            Ok(())
        });
    }
    let logic: Option<(fn(Byte, Byte) -> Byte, usize)> = match name {
        "korb" | "korw" | "kord" | "korq" => Some((bytes::or, size(&name[3..])?)),
        "kandb" | "kandw" | "kandd" | "kandq" => Some((bytes::and, size(&name[4..])?)),
        "kxorb" | "kxorw" | "kxord" | "kxorq" => Some((|a, b| a ^ b, size(&name[4..])?)),
        "kandnb" | "kandnw" | "kandnd" | "kandnq" => {
            Some((|a, b| bytes::and(a ^ Byte::new(1), b), size(&name[5..])?))
        }
        _ => None,
    };
    if let Some((f, n)) = logic {
        return plain(move |m, i| {
            let [Operand::Mask { r, .. }, Operand::Mask { r: a, .. }, Operand::Mask { r: b, .. }] =
                i.operands[..]
            else {
                return refuse("no masks");
            };
            let (a, b) = (m.masks[a], m.masks[b]);
            m.masks[r] = std::array::from_fn(|k| if k < n { f(a[k], b[k]) } else { ZERO });
            Ok(())
        });
    }
    compared(name).or_else(|| moved(name))
}

fn size(kind: &str) -> Option<usize> {
    Some(match kind {
        "b" => 8,
        "w" => 16,
        "d" => 32,
        "q" => 64,
        _ => return None,
    })
}
fn mask(m: &Machine, i: &Code, place: usize, n: usize) -> Or<u64> {
    let Operand::Mask { r, .. } = operand(i, place)? else { return refuse("no mask") };
    let bit = |k: usize| m.bit(*r, k).number();
    let bits = (0..n).rev().try_fold(0, |all, k| Some(all << 1 | u64::from(bit(k)?)));
    bits.map_or_else(|| refuse("a branch hangs on data"), Ok)
}

type Compare = fn(u64, u64) -> bool;
/// A comparison without signs, by the word in the middle of a name.
fn comparison(word: &str) -> Option<(u64, Compare)> {
    Some(match word {
        "eq" => (1, |a, b| a == b),
        "lt" => (2, |a, b| a < b),
        "le" => (3, |a, b| a <= b),
        "neq" => (4, |a, b| a != b),
        "nlt" => (5, |a, b| a >= b),
        "nle" => (6, |a, b| a > b),
        _ => return None,
    })
}

fn compared(name: &str) -> Option<Meaning> {
    let s = short(name);
    if let Some(kind) = s.strip_prefix("ptestn").or_else(|| s.strip_prefix("ptest")) {
        let negated = s.starts_with("ptestn");
        let n = kind.strip_prefix('m').and_then(size)? / 8;
        return plain(move |m, i| {
            let Operand::Mask { r, .. } = *operand(i, 0)? else { return refuse("no mask") };
            let all = width(operand(i, 1)?)?;
            let (a, b) = (m.source(operand(i, 1)?, all)?, m.source(operand(i, 2)?, all)?);
            let mut bits = [ZERO; 64];
            for k in 0..all / n {
                let both: Vec<Byte> =
                    (k * n..(k + 1) * n).map(|j| bytes::and(a[j], b[j])).collect();
                bits[k] = match (n, number(&both)) {
                    (1, _) => lift(op::MEET, [both[0]], |[x]| u8::from(x != 0)),
                    (_, Some(x)) => Byte::new(u8::from(x != 0)),
                    _ => return refuse("words of data are tested"),
                } ^ Byte::new(negated.into());
            }
            under(m, i, r, bits)
        });
    }
    let rest = s.strip_prefix("pcmp")?;
    if let Some(kind) = rest.strip_prefix("eq").or_else(|| rest.strip_prefix("gt")) {
        let (n, equal) = (size(kind)? / 8, rest.starts_with("eq"));
        let name_is_bytes = n == 1;
        let into_vector =
            if name_is_bytes { compare_bytes(equal) } else { compare_words(n, equal) };
        let into_vector = into_vector?;
        return Some(Box::new(move |m, i| {
            let Operand::Mask { r, .. } = *operand(i, 0)? else { return into_vector(m, i) };
            let all = width(operand(i, 1)?)?;
            let (a, b) = (m.source(operand(i, 1)?, all)?, m.source(operand(i, 2)?, all)?);
            let mut bits = [ZERO; 64];
            for k in 0..all / n {
                let word = k * n..(k + 1) * n;
                bits[k] = compare(&a[word.clone()], &b[word], equal)?;
            }
            under(m, i, r, bits).map(|()| None)
        }));
    }
    // Without signs: `ltub`, `nleud`.
    let (word, kind) = rest.split_once('u')?;
    let (n, (number_of, f)) = (size(kind)? / 8, comparison(word)?);
    plain(move |m, i| {
        let Operand::Mask { r, .. } = *operand(i, 0)? else { return refuse("no mask") };
        let all = width(operand(i, 1)?)?;
        let (a, b) = (m.source(operand(i, 1)?, all)?, m.source(operand(i, 2)?, all)?);
        let mut bits = [ZERO; 64];
        for k in 0..all / n {
            let (x, y) = (&a[k * n..(k + 1) * n], &b[k * n..(k + 1) * n]);
            bits[k] = match (n, number(x), number(y)) {
                (_, Some(x), Some(y)) => Byte::new(f(x, y).into()),
                (1, ..) => lift(op::BELOW << 8 | number_of, [x[0], y[0]], move |[x, y]| {
                    f(x.into(), y.into()).into()
                }),
                // A sum that is less than one of its parts has carried.
                _ => {
                    let carried = match number_of {
                        2 => bytes::less(x, y),
                        6 => bytes::less(y, x),
                        _ => None,
                    };
                    let key = [x, y, &[Byte::new(number_of as u8)]].concat();
                    carried.unwrap_or_else(|| crate::domain::unknown(op::APART, 0, &key))
                }
            };
        }
        under(m, i, r, bits)
    })
}

/// Puts a mask; 0 where another mask forbids.
fn under(m: &mut Machine, i: &Code, r: usize, mut bits: [Byte; 64]) -> Or<()> {
    if let Operand::Mask { mask: Some(mask), .. } = operand(i, 0)? {
        for (k, bit) in bits.iter_mut().enumerate() {
            *bit = bytes::and(m.bit(mask.r, k), *bit);
        }
    }
    m.masks[r] = bits;
    Ok(())
}

fn compare(a: &[Byte], b: &[Byte], equal: bool) -> Or<Byte> {
    let n = a.len();
    if equal && a == b {
        return Ok(Byte::new(1));
    }
    let signed = |x: u64| (x << (64 - 8 * n)) as i64;
    match (number(a), number(b)) {
        (Some(x), Some(y)) if equal => Ok(Byte::new(u8::from(x == y))),
        (Some(x), Some(y)) => Ok(Byte::new(u8::from(signed(x) > signed(y)))),
        _ if n > 1 => refuse("words of data are compared"),
        _ if equal => Ok(lift(op::EQUAL + 100, [a[0], b[0]], |[x, y]| u8::from(x == y))),
        _ if above(a[0], b[0]).is_some() => Ok(above(a[0], b[0]).unwrap_or(ZERO)),
        _ => Ok(lift(op::GREATER + 100, [a[0], b[0]], |[x, y]| u8::from(x as i8 > y as i8))),
    }
}
fn compare_words(n: usize, equal: bool) -> Option<Meaning> {
    words(n, move |a, b| {
        let bit = compare(a, b, equal)?.number();
        let fill = bit.map_or_else(|| refuse("words of data are compared"), Ok)?;
        Ok(vec![Byte::new(if fill != 0 { 255 } else { 0 }); a.len()])
    })
}

fn moved(name: &str) -> Option<Meaning> {
    match short(name) {
        "pmovb2m" | "pmovd2m" | "pmovq2m" | "pmovw2m" => {
            let n = size(&name[5..6])? / 8;
            plain(move |m, i| {
                let Operand::Mask { r, .. } = *operand(i, 0)? else { return refuse("no mask") };
                let all = width(operand(i, 1)?)?;
                let a = m.source(operand(i, 1)?, all)?;
                let top = |k: usize| {
                    let top = a[k * n + n - 1];
                    shifted_down(7, crate::domain::single(top))
                };
                m.masks[r] = std::array::from_fn(|k| if k < all / n { top(k) } else { ZERO });
                Ok(())
            })
        }
        "pmovm2b" | "pmovm2w" | "pmovm2d" | "pmovm2q" => {
            let n = size(&name[7..])? / 8;
            plain(move |m, i| {
                let Operand::Mask { r, .. } = *operand(i, 1)? else { return refuse("no mask") };
                let fill = |k: usize| {
                    let bit = m.bit(r, k / n);
                    lift(op::MASK, [bit], |[b]| if b & 1 != 0 { 255 } else { 0 })
                };
                let lanes = std::array::from_fn(fill_below(width(operand(i, 0)?)?, fill));
                m.finish(operand(i, 0)?, &lanes, n, false)
            })
        }
        "pmovmskb" => plain(|m, i| {
            let from = operand(i, 1)?;
            let all = width(from)?;
            let a = m.source(from, all)?;
            let mut out = vec![ZERO; 8];
            for k in 0..all {
                let bit = crate::domain::shifted_down(7, a[k]);
                out[k / 8] = out[k / 8] ^ crate::domain::shifted_up(k as u32 % 8, bit);
            }
            m.put(operand(i, 0)?, &out)
        }),
        _ => None,
    }
}
fn fill_below(n: usize, f: impl Fn(usize) -> Byte) -> impl Fn(usize) -> Byte {
    move |k| if k < n { f(k) } else { ZERO }
}
