//! Instructions on general registers, flags and jumps.

use super::{Meaning, immediate, operand, plain};
use crate::bytes::{self, Shift, filled, number, op};
use crate::domain::{Byte, ZERO, masked, support, unknown};
use crate::machine::{Flags, Machine, Or, refuse};
use crate::program::{Code, Operand};

pub fn meaning(name: &str) -> Option<Meaning> {
    if let Some(c) = name.strip_prefix("cmov") {
        let (name, c) = (c.to_string(), condition(c)?);
        return plain(move |m, i| {
            let (to, from) = (operand(i, 0)?, operand(i, 1)?);
            let n = size(i)?;
            if let Some(bit) = data_bit(m, &name) {
                let (one, other) = (m.get(from, n)?, m.get(to, n)?);
                let chosen: Or<Vec<Byte>> =
                    one.iter().zip(&other).map(|(x, y)| chosen(bit, *x, *y)).collect();
                return m.put(to, &chosen?);
            }
            // Memory is read whether it is chosen or not.
            let (one, other) = (m.get(from, n)?, m.get(to, n)?);
            m.put(to, if c(m)? { &one } else { &other })
        });
    }
    if matches!(name, "setb" | "setc") {
        return plain(|m, i| match m.flags.carry {
            Some(c) => m.put(operand(i, 0)?, &[c]),
            None => refuse("a flag that is not known"),
        });
    }
    if let Some(c) = name.strip_prefix("set") {
        let c = condition(c)?;
        return plain(move |m, i| {
            let bit = Byte::new(c(m)?.into());
            m.put(operand(i, 0)?, &[bit])
        });
    }
    match name {
        "jmp" | "call" => {
            let call = name == "call";
            return Some(Box::new(move |m, i| {
                let to = match operand(i, 0)? {
                    Operand::Code(at) => *at,
                    o => match number(&m.get(o, 8)?) {
                        Some(at) => at,
                        None => return refuse("a jump hangs on data"),
                    },
                };
                if call {
                    let back = m.p.code.get(i.next).map_or(0, |c| c.at);
                    m.push(&bytes::bytes::<8>(back))?;
                }
                Ok(Some(to))
            }));
        }
        "ret" => return Some(Box::new(|m, _| m.pop_number().map(Some))),
        "ud2" => return Some(Box::new(|_, _| refuse("a trap"))),
        _ => {}
    }
    if let Some(c) = name.strip_prefix('j') {
        let c = condition(c)?;
        return Some(Box::new(move |m, i| match operand(i, 0)? {
            Operand::Code(to) => Ok(c(m)?.then_some(*to)),
            _ => refuse("a branch to nowhere"),
        }));
    }
    moves(name).or_else(|| arithmetic(name))
}

/// The bit of data that a condition is, if it is such a bit.
fn data_bit(m: &Machine, condition: &str) -> Option<Byte> {
    let (bit, negated) = match condition {
        "ne" => (m.flags.one_bit?, false),
        "e" => (m.flags.one_bit?, true),
        "b" | "ae" => (m.flags.carry?, condition == "ae"),
        _ => return None,
    };
    let bit = bit ^ Byte::new(negated.into());
    bit.number().is_none().then_some(bit)
}
/// Chooses from two bytes by a bit, as a bilinear form. Where the other byte has only that bit, in some places, it is 0
/// whenever it is chosen.
pub fn chosen(bit: Byte, one: Byte, other: Byte) -> Or<Byte> {
    let has_bit = other == masked(support(other), filled(bit));
    let other = if has_bit { ZERO } else { other };
    Ok(other ^ crate::polynomials::product(&[bit], &[one ^ other])?[0])
}

/// The size of the operands.
fn size(i: &Code) -> Or<usize> {
    i.operands.iter().find_map(Machine::size).map_or_else(|| refuse("operands without a size"), Ok)
}

fn condition(name: &str) -> Option<fn(&Machine) -> Or<bool>> {
    fn known(flag: Option<bool>) -> Or<bool> {
        flag.map_or_else(|| refuse("a branch or a choice hangs on data"), Ok)
    }
    fn carry(m: &Machine) -> Or<bool> {
        known(m.flags.carry.and_then(Byte::number).map(|c| c != 0))
    }
    fn zero(m: &Machine) -> Or<bool> {
        known(m.flags.zero)
    }
    fn sign(m: &Machine) -> Or<bool> {
        known(m.flags.sign)
    }
    fn less(m: &Machine) -> Or<bool> {
        Ok(known(m.flags.sign)? != known(m.flags.overflow)?)
    }
    Some(match name {
        "e" => |m| zero(m),
        "ne" => |m| Ok(!zero(m)?),
        "b" => |m| carry(m),
        "ae" => |m| Ok(!carry(m)?),
        "be" => |m| Ok(carry(m)? || zero(m)?),
        "a" => |m| Ok(!carry(m)? && !zero(m)?),
        "s" => |m| sign(m),
        "ns" => |m| Ok(!sign(m)?),
        "o" => |m| known(m.flags.overflow),
        "no" => |m| Ok(!known(m.flags.overflow)?),
        "p" => |m| known(m.flags.parity),
        "np" => |m| Ok(!known(m.flags.parity)?),
        "l" => |m| less(m),
        "ge" => |m| Ok(!less(m)?),
        "le" => |m| Ok(less(m)? || zero(m)?),
        "g" => |m| Ok(!less(m)? && !zero(m)?),
        _ => return None,
    })
}

fn moves(name: &str) -> Option<Meaning> {
    match name {
        "mov" | "movabs" => plain(|m, i| {
            let data = m.get(operand(i, 1)?, size(i)?)?;
            m.put(operand(i, 0)?, &data)
        }),
        "movzx" => plain(|m, i| {
            let from = operand(i, 1)?;
            let data = m.get(from, Machine::size(from).unwrap_or(0))?;
            m.put(operand(i, 0)?, &data)
        }),
        "movsx" | "movsxd" => plain(|m, i| {
            let from = operand(i, 1)?;
            let mut data = m.get(from, Machine::size(from).unwrap_or(0))?;
            let sign = super::words::signed(&data, 8 * data.len() as u32 - 1)[0];
            data.resize(8, sign);
            m.put(operand(i, 0)?, &data)
        }),
        "lea" => plain(|m, i| {
            let Operand::Memory { place, .. } = operand(i, 1)? else {
                return refuse("no address");
            };
            // Registers may hold data here: a sum as any other, of as many bytes as the result has.
            let n = size(i)?.min(8);
            let mut sum = bytes::bytes::<8>(place.offset)[..n].to_vec();
            if let Some((r, _, scale)) = place.index {
                let word = &m.general[r][..n];
                let scaled = bytes::shift(word, Shift::Left, scale.trailing_zeros());
                sum = bytes::add(&sum, &scaled, ZERO).0;
            }
            if let Some((r, _)) = place.base {
                sum = bytes::add(&sum, &m.general[r][..n], ZERO).0;
            }
            m.put(operand(i, 0)?, &sum)
        }),
        "nop" | "endbr64" => plain(|_, _| Ok(())),
        // It reads nothing that a result depends on, and shows its address as a load does.
        "prefetcht0" | "prefetcht1" => plain(|m, i| match operand(i, 0)? {
            Operand::Memory { place, .. } => m.address(place).map(drop),
            _ => refuse("a prefetch of no memory"),
        }),
        "std" | "cld" => {
            let down = name == "std";
            plain(move |m, _| {
                m.down = down;
                Ok(())
            })
        }
        "rep-movs" | "rep-stos" => plain(strings),
        "xchg" => plain(|m, i| {
            let n = size(i)?;
            let (a, b) = (m.get(operand(i, 0)?, n)?, m.get(operand(i, 1)?, n)?);
            m.put(operand(i, 0)?, &b)?;
            m.put(operand(i, 1)?, &a)
        }),
        "push" => plain(|m, i| {
            let word = m.get(operand(i, 0)?, 8)?;
            m.push(&word)
        }),
        "pop" => plain(|m, i| {
            let word = m.pop()?;
            m.put(operand(i, 0)?, &word)
        }),
        "bswap" => plain(|m, i| {
            let mut word = m.get(operand(i, 0)?, size(i)?)?;
            word.reverse();
            m.put(operand(i, 0)?, &word)
        }),
        _ => None,
    }
}

/// A copy (`rep movs`), or memory filled with a register (`rep stos`).
fn strings(m: &mut Machine, i: &Code) -> Or<()> {
    let (each, moves) = (size(i)?, i.name.ends_with("movs"));
    let word = |m: &Machine, r: usize| {
        number(&m.general[r]).map_or_else(|| refuse("the place of a copy hangs on data"), Ok)
    };
    let (count, to) = (word(m, 1)?, word(m, 7)?);
    let len = count.saturating_mul(each as u64);
    if len > 1 << 24 {
        return refuse(format!("a copy of {len} bytes"));
    }
    // Down, the registers have the addresses of the last elements.
    let down = m.down;
    let first = |at: u64| if down { at.wrapping_sub(len).wrapping_add(each as u64) } else { at };
    let after = |at: u64| if down { at.wrapping_sub(len) } else { at.wrapping_add(len) };
    let mut data = Vec::new();
    if moves {
        let from = word(m, 6)?;
        // Where the two overlap, a byte may be written before it is read.
        let by = if down { from.wrapping_sub(to) } else { to.wrapping_sub(from) };
        if by > 0 && by < len {
            return refuse("a copy onto itself");
        }
        if len > 0 {
            data = m.load(first(from), len as usize)?;
        }
        m.set(6, after(from));
    } else {
        data = m.general[0][..each].repeat(count as usize);
    }
    if len > 0 {
        m.store(first(to), &data)?;
    }
    m.set(7, after(to));
    m.set(1, 0);
    Ok(())
}

/// The flags that depend only on the result.
pub fn result_flags(result: &[Byte]) -> Flags {
    let Some(n) = number(result) else {
        let mut data = result.iter().filter(|b| **b != ZERO);
        let (one, more) = (data.next().copied().unwrap_or(ZERO), data.next());
        let bits = support(one);
        let down = bits.trailing_zeros();
        let single = more.is_none() && bits.is_power_of_two();
        let one_bit = single.then(|| crate::domain::shifted_down(down, one));
        return Flags { one_bit, ..Flags::default() };
    };
    Flags {
        carry: None,
        one_bit: None,
        zero: Some(n == 0),
        sign: Some(n >> (8 * result.len() - 1) & 1 != 0),
        overflow: None,
        parity: Some((n as u8).count_ones().is_multiple_of(2)),
    }
}
fn top(word: &[Byte]) -> Option<bool> {
    word.last()?.number().map(|b| b & 128 != 0)
}

/// A sum or a difference with its flags.
pub fn sum(m: &mut Machine, a: &[Byte], b: &[Byte], carry: Byte, minus: bool) -> Vec<Byte> {
    let (r, c) = if minus { bytes::sub(a, b, carry) } else { bytes::add(a, b, carry) };
    m.flags = result_flags(&r);
    m.flags.carry = Some(c);
    if let (Some(x), Some(y), Some(z)) = (top(a), top(b), top(&r)) {
        m.flags.overflow = Some((x == (y != minus)) && x != z);
    }
    r
}

fn arithmetic(name: &str) -> Option<Meaning> {
    sums(name).or_else(|| logic(name)).or_else(|| bits(name)).or_else(|| products(name))
}

/// Sums and differences.
fn sums(name: &str) -> Option<Meaning> {
    match name {
        "add" | "sub" | "cmp" | "adc" | "sbb" => {
            let (minus, with) = (name != "add" && name != "adc", matches!(name, "adc" | "sbb"));
            let keeps = name != "cmp";
            plain(move |m, i| {
                let (n, to, from) = (size(i)?, operand(i, 0)?, operand(i, 1)?);
                let carry = match m.flags.carry {
                    _ if !with => ZERO,
                    Some(c) => c,
                    None => return refuse("a flag that is not known"),
                };
                let (mut a, mut b) = (m.get(to, n)?, m.get(from, n)?);
                if minus && to == from {
                    if carry.number().is_none() {
                        let byte = bytes::filled(carry);
                        m.flags = Flags { carry: Some(carry), ..Flags::default() };
                        return m.put(to, &vec![byte; n]);
                    }
                    (a, b) = (vec![ZERO; n], vec![ZERO; n]);
                }
                let r = sum(m, &a, &b, carry, minus);
                if keeps { m.put(to, &r) } else { Ok(()) }
            })
        }
        "inc" | "dec" => {
            let minus = name == "dec";
            plain(move |m, i| {
                let (n, to) = (size(i)?, operand(i, 0)?);
                let (a, carry) = (m.get(to, n)?, m.flags.carry);
                let r = sum(m, &a, &bytes::bytes::<8>(1)[..n], ZERO, minus);
                m.flags.carry = carry;
                m.put(to, &r)
            })
        }
        "neg" => plain(|m, i| {
            let (n, to) = (size(i)?, operand(i, 0)?);
            let a = m.get(to, n)?;
            let r = sum(m, &vec![ZERO; n], &a, ZERO, true);
            m.put(to, &r)
        }),
        _ => None,
    }
}

/// Logic.
fn logic(name: &str) -> Option<Meaning> {
    match name {
        "and" | "or" | "xor" | "test" => {
            let f: fn(Byte, Byte) -> Byte = match name {
                "or" => bytes::or,
                "xor" => bytes::xor,
                _ => bytes::and,
            };
            let keeps = name != "test";
            plain(move |m, i| {
                let (n, to, from) = (size(i)?, operand(i, 0)?, operand(i, 1)?);
                let (a, b) = (m.get(to, n)?, m.get(from, n)?);
                let r: Vec<Byte> = a.iter().zip(&b).map(|(a, b)| f(*a, *b)).collect();
                m.flags = result_flags(&r);
                (m.flags.carry, m.flags.overflow) = (Some(ZERO), Some(false));
                if keeps { m.put(to, &r) } else { Ok(()) }
            })
        }
        "not" => plain(|m, i| {
            let to = operand(i, 0)?;
            let a = m.get(to, size(i)?)?;
            m.put(to, &a.into_iter().map(bytes::not).collect::<Vec<_>>())
        }),
        "andn" => plain(|m, i| {
            let n = size(i)?;
            let (a, b) = (m.get(operand(i, 1)?, n)?, m.get(operand(i, 2)?, n)?);
            let r: Vec<Byte> =
                a.iter().zip(&b).map(|(a, b)| bytes::and(bytes::not(*a), *b)).collect();
            m.flags = result_flags(&r);
            (m.flags.carry, m.flags.overflow) = (Some(ZERO), Some(false));
            m.put(operand(i, 0)?, &r)
        }),
        _ => None,
    }
}

/// Shifts, and questions about bits.
fn bits(name: &str) -> Option<Meaning> {
    match name {
        "shl" | "shr" | "sar" | "rol" | "ror" | "rorx" | "shlx" | "shrx" => shifts(name),
        "shld" | "shrd" => {
            let left = name == "shld";
            plain(move |m, i| {
                let (n, to) = (size(i)?, operand(i, 0)?);
                let k = immediate(i, 2)? as u32 & if n == 8 { 63 } else { 31 };
                let (a, b) = (m.get(to, n)?, m.get(operand(i, 1)?, n)?);
                let (one, other) =
                    if left { (Shift::Left, Shift::Right) } else { (Shift::Right, Shift::Left) };
                let x = bytes::shift(&a, one, k);
                let y = bytes::shift(&b, other, 8 * n as u32 - k);
                m.flags = Flags::default();
                m.put(to, &x.iter().zip(&y).map(|(x, y)| *x ^ *y).collect::<Vec<_>>())
            })
        }
        "bt" => plain(|m, i| {
            let (n, from) = (size(i)?, operand(i, 0)?);
            if matches!(from, Operand::Memory { .. }) {
                return refuse("a bit of memory");
            }
            let (a, k) = (m.get(from, n)?, m.get(operand(i, 1)?, n.min(8))?);
            let Some(k) = number(&k) else { return refuse("the number of a bit hangs on data") };
            let k = k % (8 * n as u64);
            let byte = bytes::shift(&a, Shift::Right, k as u32)[0];
            m.flags.carry = Some(bytes::and(byte, Byte::new(1)));
            m.flags.overflow = None;
            (m.flags.sign, m.flags.parity) = (None, None);
            // The flag of zero stays.
            Ok(())
        }),
        "tzcnt" | "lzcnt" | "popcnt" => {
            let name = name.to_string();
            plain(move |m, i| {
                let n = size(i)?;
                let a = m.get(operand(i, 1)?, n)?;
                let Some(a) = number(&a) else { return refuse("bits of data are counted") };
                let bits = 8 * n as u32;
                let r = match name.as_str() {
                    "tzcnt" => a.trailing_zeros().min(bits),
                    "lzcnt" => a.leading_zeros() - (64 - bits),
                    _ => a.count_ones(),
                };
                m.flags = Flags { zero: Some(r == 0), ..Flags::default() };
                if name != "popcnt" {
                    m.flags.carry = Some(Byte::new(u8::from(a == 0)));
                } else {
                    m.flags.zero = Some(a == 0);
                }
                m.put(operand(i, 0)?, &bytes::bytes::<8>(u64::from(r)))
            })
        }
        _ => None,
    }
}

fn shifts(name: &str) -> Option<Meaning> {
    let quiet = name.ends_with('x');
    let name = if name == "rorx" { "ror" } else { name.trim_end_matches('x') }.to_string();
    plain(move |m, i| {
        let (n, to) = (size(i)?, operand(i, 0)?);
        let from = if quiet { operand(i, 1)? } else { to };
        let a = m.get(from, n)?;
        let k = match i.operands.get(if quiet { 2 } else { 1 }) {
            None => 1,
            Some(o) => match m.get(o, 1)?[0].number() {
                Some(k) => u32::from(k),
                None => return refuse("the count of a shift hangs on data"),
            },
        };
        let bits = 8 * n as u32;
        let k = k & if n == 8 { 63 } else { 31 };
        let r = match name.as_str() {
            "shl" => bytes::shift(&a, Shift::Left, k),
            "shr" => bytes::shift(&a, Shift::Right, k),
            "rol" => bytes::shift(&a, Shift::Around, k % bits),
            "ror" => bytes::shift(&a, Shift::Around, (bits - k % bits) % bits),
            _ => super::words::signed(&a, k),
        };
        if !quiet && k > 0 {
            let old = std::mem::take(&mut m.flags);
            if name.starts_with('s') {
                m.flags = result_flags(&r);
            } else {
                m.flags = Flags { carry: None, overflow: None, ..old };
            }
            // The last bit that fell out.
            let out = match name.as_str() {
                "shl" if k <= bits => bytes::shift(&a, Shift::Right, bits - k)[0],
                "shr" if k <= bits => bytes::shift(&a, Shift::Right, k - 1)[0],
                "sar" => bytes::shift(&a, Shift::Right, k.min(bits) - 1)[0],
                "rol" => r[0],
                "ror" => bytes::shift(&r, Shift::Right, bits - 1)[0],
                _ => ZERO,
            };
            m.flags.carry = Some(bytes::and(out, Byte::new(1)));
        }
        m.put(to, &r)
    })
}

/// Both halves of a product, a function that is not looked into where it is of data; but for words with every fourth bit,
/// of one at most 15: in the product the sum of each column has room, and its lowest bit is the bit of the product of
/// polynomials.
fn product(a: &[Byte], b: &[Byte]) -> (Vec<Byte>, Vec<Byte>) {
    let n = a.len();
    assert!(n > 1, "a product of bytes goes elsewhere");
    if let (Some(x), Some(y)) = (number(a), number(b)) {
        let p = u128::from(x) * u128::from(y);
        let low = bytes::bytes::<8>(p as u64)[..n].to_vec();
        return (low, bytes::bytes::<8>((p >> (8 * n)) as u64)[..n].to_vec());
    }
    let key = [a, b].concat();
    let mut all: Vec<Byte> = (0..2 * n).map(|i| unknown(op::WORDS, i, &key)).collect();
    if let (Some((i, x)), Some((j, y))) = (every_fourth(a), every_fourth(b))
        && x.min(y) <= 15
        && let Ok(polynomial) = crate::polynomials::product(a, b)
    {
        let lowest = 0x11 << ((i + j) % 4);
        for (byte, p) in all.iter_mut().zip(polynomial) {
            *byte = masked(lowest, p) ^ masked(!lowest, *byte);
        }
    }
    let high = all.split_off(n);
    (all, high)
}
/// The place of the first bit, and how many there may be, of a word with every fourth bit.
fn every_fourth(word: &[Byte]) -> Option<(u32, u32)> {
    let bits = word.iter().fold(0, |all, b| all | support(*b));
    let first = (0..4).find(|j| bits & !(0x11 << j) == 0)?;
    Some((first, word.iter().map(|b| support(*b).count_ones()).sum()))
}

fn products(name: &str) -> Option<Meaning> {
    match name {
        "mul" => plain(|m, i| {
            let n = size(i)?;
            let b = m.get(operand(i, 0)?, n)?;
            let (low, high) = product(&m.general[0][..n], &b);
            m.flags = Flags::default();
            m.put(&Operand::General { r: 0, from: 0, n }, &low)?;
            m.put(&Operand::General { r: 2, from: 0, n }, &high)
        }),
        "mulx" => plain(|m, i| {
            let n = size(i)?;
            let b = m.get(operand(i, 2)?, n)?;
            let (low, high) = product(&m.general[2][..n], &b);
            m.put(operand(i, 1)?, &low)?;
            m.put(operand(i, 0)?, &high)
        }),
        "imul" => plain(|m, i| {
            let n = size(i)?;
            let (a, b) = match i.operands.len() {
                2 => (operand(i, 0)?, operand(i, 1)?),
                3 => (operand(i, 1)?, operand(i, 2)?),
                _ => return refuse("a product of two registers"),
            };
            let (a, b) = (m.get(a, n)?, m.get(b, n)?);
            m.flags = Flags::default();
            m.put(operand(i, 0)?, &product(&a, &b).0)
        }),
        "div" => plain(|m, i| {
            let (n, low, high) = (size(i)?, m.general[0], m.general[2]);
            let by = m.get(operand(i, 0)?, n)?;
            let (Some(low), Some(high), Some(by)) =
                (number(&low[..n]), number(&high[..n]), number(&by))
            else {
                return refuse("a quotient of data");
            };
            // Halves of bytes are elsewhere.
            if n < 4 || high >= by {
                return refuse("a quotient that is too large");
            }
            let (all, by) = (u128::from(high) << (8 * n) | u128::from(low), u128::from(by));
            m.flags = Flags::default();
            m.set(0, (all / by) as u64);
            m.set(2, (all % by) as u64);
            Ok(())
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{forget, vars};
    use crate::polynomials::tests::{Values, drawn};
    use crate::record::Random;

    /// A choice has the value of the byte that is chosen, where the other is any byte, or has the bit in some places.
    #[test]
    fn choices_have_their_values() {
        let mut random = Random(9);
        for i in 0..90 {
            forget();
            let all = vars(3);
            let values = Values::new(&all, &mut random);
            let bit = masked(1, drawn(&all, &mut random));
            let (one, any) = (drawn(&all, &mut random), drawn(&all, &mut random));
            let places = random.next() as u8;
            let other = match i % 3 {
                0 => any,
                1 => masked(places, filled(bit)),
                // 1 where the bit is 0.
                _ => masked(places, filled(bit)) ^ Byte::new(places & 1),
            };
            let want = if values.of(bit) == Some(1) { one } else { other };
            assert_eq!(values.of(chosen(bit, one, other).expect("linear")), values.of(want));
        }
    }

    /// In a product of words with every fourth bit, of one at most 15, each bit that is known is the processor's.
    #[test]
    fn columns_are_polynomials() {
        let mut random = Random(8);
        for i in 0..64 {
            forget();
            let (x, y) = (i % 4, i / 4 % 4);
            let all = vars(2);
            let values = Values::new(&all, &mut random);
            let mut word = |n: usize, place: u32| -> Vec<Byte> {
                let byte = |k: usize| {
                    masked(if k < n { 0x11 << place } else { 0 }, drawn(&all, &mut random))
                };
                (0..8).map(byte).collect()
            };
            let (a, b) = (word(7, x), word(8, y));
            let (low, high) = product(&a, &b);
            let want = values.word(&a) * values.word(&b);
            let lowest = 0x11u8 << ((x + y) % 4);
            for (k, byte) in low.iter().chain(&high).enumerate() {
                let known = values.of(masked(lowest, *byte)).expect("a value");
                assert_eq!(known, (want >> (8 * k)) as u8 & lowest, "{x} {y} {k}");
                // Nothing is said of the other bits.
                assert!(*byte == ZERO || values.of(*byte).is_none());
            }
            // No column has room for the sums of more bits.
            let (a, b) = (word(8, x), word(8, y));
            assert!(product(&a, &b).0.iter().all(|b| values.of(*b).is_none()));
        }
    }
}
