//! The meanings of instructions without memory and control: values, and which of their bits depend on a secret.

/// A number or a vector, and a mask of its bits that depend on a secret.
#[derive(Clone, Copy, Debug, Default)]
pub struct Value {
    pub v: u128,
    pub t: u128,
}

impl Value {
    pub fn public(v: u128) -> Value {
        Value { v, t: 0 }
    }
    pub fn map(self, f: impl Fn(u128) -> u128) -> Value {
        Value { v: f(self.v), t: f(self.t) }
    }
}

const ALL: u128 = u128::MAX;

pub fn mask(bits: u32) -> u128 {
    ALL >> (128 - bits)
}

/// All bits from the lowest set bit on: where a carry may go.
fn carried(t: u128) -> u128 {
    t | t.wrapping_neg()
}

/// All bits if any is set.
fn spread(t: u128) -> u128 {
    if t == 0 { 0 } else { ALL }
}

fn signed(v: u128, bits: u32) -> i128 {
    (v << (128 - bits)) as i128 >> (128 - bits)
}

fn extended(v: u128, from: u32, to: u32) -> u128 {
    signed(v, from) as u128 & mask(to)
}

/// Reads a lane.
#[inline(always)]
pub fn lane(v: u128, bits: u32, i: u32) -> u128 {
    // No lane is in both halves.
    let place = i * bits;
    let half = if place < 64 { v as u64 } else { (v >> 64) as u64 };
    u128::from(half >> (place % 64)) & mask(bits)
}

/// Makes a vector from its lanes.
#[inline(always)]
pub fn vector(bits: u32, f: impl Fn(u32) -> u128) -> u128 {
    let mut bytes = [0; 16];
    match bits {
        8 => (0..16).for_each(|i| bytes[i] = f(i as u32) as u8),
        16 => fill(&mut bytes, |i| (f(i) as u16).to_le_bytes()),
        32 => fill(&mut bytes, |i| (f(i) as u32).to_le_bytes()),
        _ => fill(&mut bytes, |i| (f(i) as u64).to_le_bytes()),
    }
    u128::from_le_bytes(bytes)
}

#[inline(always)]
fn fill<const N: usize>(bytes: &mut [u8; 16], f: impl Fn(u32) -> [u8; N]) {
    bytes.as_chunks_mut().0.iter_mut().zip(0..).for_each(|(lane, i)| *lane = f(i));
}

fn splat(bits: u32, v: u128) -> u128 {
    vector(bits, |_| v)
}

/// How a result's secret bits follow from the operands' secret bits.
#[derive(Clone, Copy)]
enum Flow {
    /// From the lowest secret bit on, in a lane.
    Carry,
    /// The whole lane.
    Lane,
}

fn flow(how: Flow, t: u128) -> u128 {
    match how {
        Flow::Carry => carried(t),
        Flow::Lane => spread(t),
    }
}

fn and(a: Value, b: Value) -> Value {
    // Zeros that are public make zeros that are public.
    Value { v: a.v & b.v, t: (a.t | b.t) & (a.v | a.t) & (b.v | b.t) }
}

fn or(a: Value, b: Value) -> Value {
    Value { v: a.v | b.v, t: (a.t | b.t) & (!a.v | a.t) & (!b.v | b.t) }
}

fn not(a: Value) -> Value {
    Value { v: !a.v, t: a.t }
}

/// A choice between two values. It is data flow here, whatever the condition depends on; the caller counts such choices.
pub fn select(a: Value, b: Value, condition: Value) -> Value {
    let chosen = if condition.v & mask(32) != 0 { a } else { b };
    if condition.t == 0 { chosen } else { Value { v: chosen.v, t: a.t | b.t | (a.v ^ b.v) } }
}

fn compare(relation: u16, a: i128, b: i128) -> bool {
    match relation {
        0 => a == b,
        1 => a != b,
        2 => a < b,
        3 => a > b,
        4 => a <= b,
        _ => a >= b,
    }
}

/// A number from a number.
pub fn unary(code: u16, a: Value) -> Option<Value> {
    let bits = match code {
        0x45 | 0x67..=0x69 => 32,
        _ => 64,
    };
    let count = |n: u32| Value { v: n.into(), t: spread(a.t) & 0x7f };
    Some(match code {
        0x45 | 0x50 => Value { v: (a.v == 0).into(), t: spread(a.t) & 1 },
        0x67 | 0x79 => count((a.v as u64).leading_zeros() - (64 - bits)),
        0x68 | 0x7a => count((a.v as u64).trailing_zeros().min(bits)),
        0x69 | 0x7b => count((a.v as u64).count_ones()),
        0xa7 => a.map(|v| v & mask(32)),
        0xac => a.map(|v| extended(v, 32, 64)),
        0xad => a,
        0xc0 => a.map(|v| extended(v, 8, 32)),
        0xc1 => a.map(|v| extended(v, 16, 32)),
        0xc2 => a.map(|v| extended(v, 8, 64)),
        0xc3 => a.map(|v| extended(v, 16, 64)),
        0xc4 => a.map(|v| extended(v, 32, 64)),
        _ => return None,
    })
}

/// Returns whether the instruction divides: its time depends on its operands.
pub fn divides(code: u16) -> bool {
    matches!(code, 0x6d..=0x70 | 0x7f..=0x82)
}

/// A number from two numbers.
pub fn binary(code: u16, a: Value, b: Value) -> Option<Value> {
    let any = a.t | b.t;
    let truth = |v: bool| Value { v: v.into(), t: spread(any) & 1 };
    let (bits, operation) = match code {
        // Comparisons: the first two have no sign, the others come in pairs.
        0x46..=0x4f | 0x51..=0x5a => {
            let (bits, relation) = if code < 0x50 { (32, code - 0x46) } else { (64, code - 0x51) };
            let unsigned = relation < 2 || relation % 2 == 1;
            let number = |v| if unsigned { v as i128 } else { signed(v, bits) };
            let relation = if relation < 2 { relation } else { relation / 2 + 1 };
            return Some(truth(compare(relation, number(a.v), number(b.v))));
        }
        0x6a..=0x78 => (32, code - 0x6a),
        0x7c..=0x8a => (64, code - 0x7c),
        _ => return None,
    };
    let (sa, sb) = (signed(a.v, bits), signed(b.v, bits));
    let n = (b.v % u128::from(bits)) as u32;
    let turned = |v: u128, n: u32| v << n | v >> (bits - n);
    let shift = |f: &dyn Fn(u128) -> u128| match b.t & u128::from(bits - 1) {
        0 => a.map(f),
        _ => Value { v: f(a.v), t: ALL },
    };
    let divided = |v: Option<u128>| v.map(|v| Value { v, t: spread(any) });
    let result = match operation {
        0 => Value { v: a.v.wrapping_add(b.v), t: carried(any) },
        1 => Value { v: a.v.wrapping_sub(b.v), t: carried(any) },
        2 => Value { v: a.v.wrapping_mul(b.v), t: carried(any) },
        3 => divided(sa.checked_div(sb).map(|v| v as u128))?,
        4 => divided(a.v.checked_div(b.v))?,
        5 => divided(sa.checked_rem(sb).map(|v| v as u128))?,
        6 => divided(a.v.checked_rem(b.v))?,
        7 => and(a, b),
        8 => or(a, b),
        9 => Value { v: a.v ^ b.v, t: any },
        10 => shift(&|v| v << n),
        11 => shift(&|v| (signed(v, bits) >> n) as u128),
        12 => shift(&|v| v >> n),
        13 => shift(&|v| turned(v, n)),
        _ => shift(&|v| turned(v, (bits - n) % bits)),
    };
    Some(result.map(|v| v & mask(bits)))
}

/// The bits of a lane for the four families of instructions 0xfd60 to 0xfddf, and the instruction's place in its family.
fn family(code: u16) -> Option<(u32, u16)> {
    (0xfd60..0xfde0).contains(&code).then(|| (8 << ((code - 0xfd60) >> 5), code & 0x1f))
}

/// A vector or a number from a vector.
pub fn vector_unary(code: u16, a: Value) -> Option<Value> {
    if code == 0xfd4d {
        return Some(not(a));
    }
    if code == 0xfd53 {
        return Some(Value { v: (a.v != 0).into(), t: spread(a.t) & 1 });
    }
    if let 0xfd0f..=0xfd12 = code {
        return Some(a.map(|v| splat(8 << (code - 0xfd0f), v)));
    }
    let (bits, place) = family(code)?;
    Some(match (place, bits) {
        (1, _) => Value {
            v: vector(bits, |i| lane(a.v, bits, i).wrapping_neg()),
            t: vector(bits, |i| carried(lane(a.t, bits, i))),
        },
        // Extensions: low and high half, signed; low and high half, unsigned.
        (7..=10, 16..) => {
            let (half, first) = (bits / 2, if place % 2 == 0 { 64 / (bits / 2) } else { 0 });
            a.map(|v| {
                vector(bits, |i| {
                    let lane = lane(v, half, first + i);
                    if place < 9 { extended(lane, half, bits) } else { lane }
                })
            })
        }
        _ => return None,
    })
}

/// A vector from two vectors; from a vector and a number, for shifts.
pub fn vector_binary(code: u16, a: Value, b: Value) -> Option<Value> {
    let any = a.t | b.t;
    let lanes = |bits: u32, how, unsigned: bool, f: &dyn Fn(i128, i128) -> i128| {
        let number = |v| if unsigned { v as i128 } else { signed(v, bits) };
        Value {
            v: vector(bits, |i| f(number(lane(a.v, bits, i)), number(lane(b.v, bits, i))) as u128),
            t: vector(bits, |i| flow(how, lane(any, bits, i))),
        }
    };
    let compared = |bits, unsigned, relation| {
        lanes(bits, Flow::Lane, unsigned, &|x, y| -i128::from(compare(relation, x, y)))
    };
    match code {
        // A byte of the table for each index; relaxed too.
        0xfd0e | 0xfe00 => {
            let [table, secret] = [a.v, a.t].map(u128::to_le_bytes);
            let [indices, spoilt] = [b.v, b.t].map(u128::to_le_bytes);
            let pick = |table: &[u8; 16], i| table.get(usize::from(i)).copied().unwrap_or(0);
            let mut t = indices.map(|i| pick(&secret, i));
            t.iter_mut().zip(spoilt).filter(|(_, s)| *s != 0).for_each(|(t, _)| *t = 0xff);
            let v = indices.map(|i| pick(&table, i));
            return Some(Value { v: u128::from_le_bytes(v), t: u128::from_le_bytes(t) });
        }
        0xfd23..=0xfd40 => {
            let (bits, relation) = (8 << ((code - 0xfd23) / 10), (code - 0xfd23) % 10);
            let unsigned = relation % 2 == 1;
            let relation = if relation < 2 { relation } else { relation / 2 + 1 };
            return Some(compared(bits, unsigned, relation));
        }
        0xfdd6..=0xfddb => return Some(compared(64, false, code - 0xfdd6)),
        0xfd4e => return Some(and(a, b)),
        0xfd4f => return Some(and(a, not(b))),
        0xfd50 => return Some(or(a, b)),
        0xfd51 => return Some(Value { v: a.v ^ b.v, t: any }),
        _ => {}
    }
    let (bits, place) = family(code)?;
    let saturated = |v: i128, bits: u32, unsigned: bool| {
        let most = (1i128 << (bits - 1)) - 1;
        if unsigned { v.clamp(0, 2 * most + 1) } else { v.clamp(-most - 1, most) }
    };
    Some(match (place, bits) {
        // Two vectors with lanes of twice the bits, saturated.
        (5 | 6, 8 | 16) => {
            let wide = 2 * bits;
            let half = 64 / bits;
            let of = |i: u32, a: u128, b: u128| lane(if i < half { a } else { b }, wide, i % half);
            Value {
                v: vector(bits, |i| {
                    saturated(signed(of(i, a.v, b.v), wide), bits, place == 6) as u128
                }),
                t: vector(bits, |i| spread(of(i, a.t, b.t))),
            }
        }
        (0x0b..=0x0d, _) => {
            let n = (b.v % u128::from(bits)) as u32;
            let shifted = |v: u128| {
                vector(bits, |i| match (place, lane(v, bits, i)) {
                    (0x0b, lane) => lane << n,
                    (0x0c, lane) => (signed(lane, bits) >> n) as u128,
                    (_, lane) => lane >> n,
                })
            };
            let t = if b.t & u128::from(bits - 1) == 0 { shifted(a.t) } else { ALL };
            Value { v: shifted(a.v), t }
        }
        (0x0e, _) => lanes(bits, Flow::Carry, false, &|x, y| x + y),
        (0x11, _) => lanes(bits, Flow::Carry, false, &|x, y| x - y),
        (0x15, 16..) => lanes(bits, Flow::Carry, false, &i128::wrapping_mul),
        (0x13, 8 | 16) => lanes(bits, Flow::Lane, true, &|x, y| saturated(x - y, bits, true)),
        (0x16 | 0x17, ..=32) => lanes(bits, Flow::Lane, place == 0x17, &i128::min),
        (0x18 | 0x19, ..=32) => lanes(bits, Flow::Lane, place == 0x19, &i128::max),
        // Products of halves: low and high, signed; low and high, unsigned.
        (0x1c..=0x1f, 16..) => {
            let (half, first) = (bits / 2, if place % 2 == 1 { 128 / bits } else { 0 });
            let part = |v, i| match place {
                0x1c | 0x1d => signed(lane(v, half, first + i), half),
                _ => lane(v, half, first + i) as i128,
            };
            Value {
                v: vector(bits, |i| part(a.v, i).wrapping_mul(part(b.v, i)) as u128),
                t: vector(bits, |i| carried(lane(any, half, first + i))),
            }
        }
        _ => return None,
    })
}

/// The first vector's bits where the mask has ones, the second's elsewhere.
pub fn bitselect(a: Value, b: Value, mask: Value) -> Value {
    let (x, y) = (and(a, mask), and(b, not(mask)));
    Value { v: x.v | y.v, t: x.t | y.t }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::Random;

    /// A value with secret bits: none, few, whole bytes, many.
    fn value(random: &mut Random, bits: u32) -> Value {
        let mut word =
            || (u128::from(random.word()) << 64 | u128::from(random.word())) & mask(bits);
        let (v, a, b, c) = (word(), word(), word(), word());
        let t = [0, a & b & c, lanes_of_ones(a) & mask(bits), a | b, 1 << (a % u128::from(bits))];
        Value { v, t: t[random.below(t.len())] }
    }

    fn lanes_of_ones(v: u128) -> u128 {
        vector(8, |i| if lane(v, 8, i) & 3 == 0 { ALL } else { 0 })
    }

    /// In each instruction public bits of a result depend on no secret bit.
    #[test]
    fn no_instruction_loses_a_secret() {
        let mut random = Random::new(1);
        let mut forms = 0;
        for code in (0x45..0xc5).chain(0xfd00..0xfe0d) {
            let bits = match code {
                0x45..=0x4f | 0x67..=0x78 | 0xac | 0xad | 0xc0 | 0xc1 => 32,
                ..0xfd00 => 64,
                _ => 128,
            };
            let mut known = false;
            for _ in 0..2000 {
                let [a, b, c] = [0; 3].map(|_| value(&mut random, bits));
                let [x, y, z] = [0; 3].map(|_| value(&mut random, bits).v);
                // Equal public bits, other secret bits.
                let other = |a: Value, x: u128| Value { v: a.v & !a.t | x & a.t, t: a.t };
                let results =
                    [(a, b, c), (other(a, x), other(b, y), other(c, z))].map(|(a, b, c)| {
                        let one =
                            if code < 0xfd00 { unary(code, a) } else { vector_unary(code, a) };
                        let two = || match code {
                            0xfd52 => Some(bitselect(a, b, c)),
                            ..0xfd00 => binary(code, a, b),
                            _ => vector_binary(code, a, b),
                        };
                        one.or_else(two)
                    });
                if let [Some(p), Some(q)] = results {
                    known = true;
                    assert_eq!(p.t, q.t, "{code:#x}: {a:x?} {b:x?}");
                    assert_eq!(p.v & !p.t, q.v & !q.t, "{code:#x}: {a:x?} {b:x?}");
                }
            }
            forms += u32::from(known);
        }
        assert_eq!(forms, 184);
    }
}
