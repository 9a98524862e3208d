//! Operations on bytes and on words of bytes, in the domain.

use std::cell::{Cell, OnceCell};

use crate::domain::{
    Byte, Kind, Table, ZERO, is_linear, lift, linear, made, masked, shifted_down, shifted_up,
    single, support, table, unknown,
};
use crate::planes;
use crate::{bits, carries, polynomials};

/// Numbers of operations: each names one function of its operands.
pub mod op {
    pub const AND: u64 = 1;
    pub const ADD: u64 = 2;
    pub const SUB: u64 = 3;
    pub const MIN: u64 = 4;
    pub const MAX: u64 = 5;
    pub const ADD_SATURATED: u64 = 6;
    pub const SUB_SATURATED: u64 = 7;
    pub const PRODUCT: u64 = 10;
    pub const POLYNOMIALS: u64 = 12;
    pub const APART: u64 = 14;
    pub const SELECT: u64 = 15;
    pub const MASK: u64 = 16;
    pub const SUM: u64 = 17;
    pub const CARRY: u64 = 18;
    pub const BORROW: u64 = 19;
    pub const LOOKUP: u64 = 20;
    pub const WORDS: u64 = 21;
    pub const DIFFERENCE: u64 = 22;
    pub const LOW: u64 = 23;
    pub const TERNARY: u64 = 1 << 32;
    pub const TABLE: u64 = 2 << 32;
    pub const STANDARD: u64 = 3 << 32;
    pub const COMPARISON: u64 = 4 << 32;
}

/// The number, if the bytes are numbers.
pub fn number(bytes: &[Byte]) -> Option<u64> {
    bytes.iter().rev().try_fold(0, |n, b| Some(n << 8 | u64::from(b.number()?)))
}
/// The bytes of a number.
pub fn bytes<const N: usize>(n: u64) -> [Byte; N] {
    std::array::from_fn(|i| Byte::new(if i < 8 { (n >> (8 * i)) as u8 } else { 0 }))
}

/// A XOR, which on planes has a form of its own.
pub fn xor(a: Byte, b: Byte) -> Byte {
    if planes::on() { planes::xor(a, b) } else { bits::xor(a, b) }
}
pub fn not(a: Byte) -> Byte {
    xor(a, Byte::new(255))
}
pub fn and(a: Byte, b: Byte) -> Byte {
    if planes::on() {
        return planes::and(a, b);
    }
    match (a.number(), b.number()) {
        (Some(0), _) | (_, Some(0)) => ZERO,
        (Some(255), _) => b,
        (_, Some(255)) => a,
        (Some(a), Some(b)) => Byte::new(a & b),
        (Some(m), None) => masked(m, b),
        (None, Some(m)) => masked(m, a),
        _ if a == b => a,
        _ => {
            // Only bits that both may have.
            let common = support(a) & support(b);
            let (a, b) = (masked(common, a), masked(common, b));
            if let Some(r) = polynomials::selection(a, b).or_else(|| bits::and(a, b)) {
                return r;
            }
            let [a, b] = ordered(a, b);
            let bits = [masked(1, a), masked(1, b)];
            let single = common == 1 || a == filled(bits[0]) && b == filled(bits[1]);
            if common == 0 || single && exclusive(bits[0], bits[1]) {
                return ZERO;
            }
            lift(op::AND, [a, b], |[x, y]| x & y)
        }
    }
}
pub fn or(a: Byte, b: Byte) -> Byte {
    if planes::on() {
        return planes::or(a, b);
    }
    if support(a) & support(b) == 0 {
        return a ^ b;
    }
    bits::xor(bits::xor(a, b), and(a, b))
}
/// A word shifted or rotated: whole bytes move, and bits within two neighbours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shift {
    Left,
    Right,
    Around,
}

/// Bits of `low` above and of `high` below, as a byte that starts `r` bits up in `low`.
fn straddle(low: Byte, high: Byte, r: u32) -> Byte {
    if r == 0 {
        return low;
    }
    shifted_down(r, low) ^ shifted_up(8 - r, high)
}

/// A word by a number of bits. All shifts are to the right in a word of twice the length.
pub fn shift(word: &[Byte], kind: Shift, bits: u32) -> Vec<Byte> {
    let (n, all) = (word.len(), 8 * word.len() as u32);
    let bits = match kind {
        Shift::Left => all - bits.min(all),
        Shift::Right => bits.min(all),
        Shift::Around => (all - bits % all) % all,
    };
    let (whole, part) = ((bits / 8) as usize, bits % 8);
    let get = |i: usize| match (kind, i + whole) {
        (Shift::Around, i) if i < 2 * n => word[i % n],
        (Shift::Left, i) if i >= n && i < 2 * n => word[i - n],
        (Shift::Right, i) if i < n => word[i],
        _ => ZERO,
    };
    (0..n).map(|i| straddle(get(i), get(i + 1), part)).collect()
}

/// A sum of words, its carry from `carry`. It is a number as far as its operands are numbers; from the first other byte
/// on it is a function that is not looked into.
pub fn add(a: &[Byte], b: &[Byte], carry: Byte) -> (Vec<Byte>, Byte) {
    if carry.number().is_none() {
        // First without the carry, then with it, as compilers write it too. At most one of the two sums carries.
        let (sum, one) = add(a, b, ZERO);
        let mut word = vec![ZERO; a.len()];
        word[0] = carry;
        let (sum, other) = add(&sum, &word, ZERO);
        return (sum, one ^ other);
    }
    let zero = |w: &[Byte]| w.iter().all(|x| *x == ZERO);
    if carry == ZERO && (zero(a) || zero(b)) {
        return (if zero(a) { b } else { a }.to_vec(), ZERO);
    }
    if carry == ZERO && a == b && number(a).is_none() {
        let top = shift(&a[a.len() - 1..], Shift::Right, 7)[0];
        return (shift(a, Shift::Left, 1), top);
    }
    // Without a bit in common nothing carries.
    if carry == ZERO && a.iter().zip(b).all(|(a, b)| support(*a) & support(*b) == 0) {
        return (a.iter().zip(b).map(|(a, b)| *a ^ *b).collect(), ZERO);
    }
    if let ([x], [y]) = (a, b) {
        if carry == ZERO {
            let (sum, over) = add_bytes(*x, *y);
            return (vec![sum], over);
        }
        let sum = |[x, y, c]: [u8; 3]| u16::from(x) + u16::from(y) + u16::from(c);
        let low = lift(op::ADD + 100, [*x, *y, carry], |of| sum(of) as u8);
        return (vec![low], lift(op::CARRY + 100, [*x, *y, carry], |of| (sum(of) >> 8) as u8));
    }
    // Words of Magma byte by byte, as kernels do where a vector holds a byte of each of many blocks.
    if a.len() == 4 && carry == ZERO && (number(a).is_none() || number(b).is_none()) {
        let (mut out, mut c) = (Vec::with_capacity(4), ZERO);
        for (x, y) in a.iter().zip(b) {
            let (sum, one) = add_bytes(*x, *y);
            let (sum, other) = add_bytes(sum, c);
            out.push(sum);
            c = one ^ other;
        }
        return (out, c);
    }
    if carry == ZERO
        && let Some(sum) = add_apart(a, b).or_else(|| add_apart(b, a))
    {
        return sum;
    }
    // 128 more is the highest bit turned over.
    let top = Byte::new(128);
    if carry == ZERO && (a[0] == top || b[0] == top) {
        let (low, over) = add_bytes(a[0], b[0]);
        let (mut rest, over) = add(&a[1..], &b[1..], over);
        rest.insert(0, low);
        return (rest, over);
    }
    let (mut out, mut c, mut i) = (Vec::with_capacity(a.len()), carry, 0);
    while let (true, Some(x), Some(y), Some(z)) = (
        i < a.len(),
        a.get(i).and_then(|x| x.number()),
        b.get(i).and_then(|y| y.number()),
        c.number(),
    ) {
        let sum = u16::from(x) + u16::from(y) + u16::from(z);
        out.push(Byte::new(sum as u8));
        c = Byte::new((sum >> 8) as u8);
        i += 1;
    }
    if i == a.len() {
        return (out, c);
    }
    let (x, y) = (&a[i..], &b[i..]);
    if c == ZERO && (zero(x) || zero(y)) {
        out.extend(if zero(x) { y } else { x });
        return (out, ZERO);
    }
    let key = [&carries::commuted(x, y).concat()[..], &[c]].concat();
    out.extend((0..x.len()).map(|j| unknown(op::SUM, j, &key)));
    // A variable of which one bit counts.
    let over = masked(1, unknown(op::CARRY, 0, &key));
    if i == 0 && c == ZERO {
        carries::summed(&out, a, b, over);
    }
    (out, over)
}
/// A sum of words of Magma whose nibbles lie in a byte each, in either half of it. In `b` the other halves are ones, in
/// `a` zeros, so that a carry goes through them: it makes zeros of ones below 16, or turns 15 and 1 into 16. So the
/// nibbles are the nibbles of the sum of the words together. What the other halves become is not looked into.
fn add_apart(a: &[Byte], b: &[Byte]) -> Option<(Vec<Byte>, Byte)> {
    if a.len() != 8 || number(a).is_some() && number(b).is_some() {
        return None;
    }
    let ones = |i: usize| {
        let is = |m: &u8| masked(*m, b[i]).number() == Some(*m) && support(a[i]) & m == 0;
        [0xf0, 0x0f].into_iter().find(is)
    };
    let ones = (0..8).map(ones).collect::<Option<Vec<u8>>>()?;
    // A nibble between its place in a word and that in a byte of its own.
    let moved = |i: usize, x: Byte, to_word: bool| match (ones[i] == 0xf0, i.is_multiple_of(2)) {
        (low, even) if low == even => x,
        (low, _) if low == to_word => shifted_up(4, x),
        _ => shifted_down(4, x),
    };
    let together = |w: &[Byte]| -> Vec<Byte> {
        let nibble = |i: usize| moved(i, masked(!ones[i], w[i]), true);
        (0..4).map(|j| nibble(2 * j) ^ nibble(2 * j + 1)).collect()
    };
    let (sum, over) = add(&together(a), &together(b), ZERO);
    let key = carries::commuted(a, b).concat();
    let out = (0..8).map(|i| {
        let nibble = masked(if i % 2 == 0 { 15 } else { 0xf0 }, sum[i / 2]);
        moved(i, nibble, false) ^ masked(ones[i], unknown(op::SUM, i, &key))
    });
    Some((out.collect(), over))
}
/// The sum of two bytes, and its carry.
pub fn add_bytes(x: Byte, y: Byte) -> (Byte, Byte) {
    if x == ZERO || y == ZERO {
        return (x ^ y, ZERO);
    }
    if let (Some(x), Some(y)) = (x.number(), y.number()) {
        let (sum, over) = x.overflowing_add(y);
        return (Byte::new(sum), Byte::new(over.into()));
    }
    carries::known_sum(x, y).unwrap_or_else(|| {
        let sum = new_sum(x, y);
        carries::keep_sum(x, y, sum);
        sum
    })
}
fn new_sum(x: Byte, y: Byte) -> (Byte, Byte) {
    let top = Byte::new(128);
    if x == top || y == top {
        let over = shifted_down(7, x ^ y ^ top);
        carries::carry(over, [x, y]);
        return (x ^ y, over);
    }
    // To turn over the highest bit of a part is to turn over the highest bit of the sum.
    let tops = Byte::new((x.constant() ^ y.constant()) & 128);
    let plain = ordered(without_top(x), without_top(y));
    let sum = lift(op::ADD, plain, |[x, y]| x.wrapping_add(y));
    let over = carry(x, y);
    if sum.number().is_some() {
        return (sum ^ tops, over);
    }
    carries::parts(without_top(sum), plain, sum);
    let sum = sum ^ tops;
    carries::summed(&[sum], &[x], &[y], over);
    (sum, over)
}
fn carry(x: Byte, y: Byte) -> Byte {
    let over = |[x, y]: [u8; 2]| u8::from(x.checked_add(y).is_none());
    let carry = masked(1, lift(op::CARRY, ordered(x, y), over));
    carries::carry(carry, [x, y]);
    carry
}
/// Returns whether two bits are the carries of a sum, and of that sum and a bit: then at most one is 1.
fn exclusive(a: Byte, b: Byte) -> bool {
    let follows = |first: Byte, next: Byte| {
        let (Some([x, y]), Some([p, q])) = (carries::carry_of(first), carries::carry_of(next))
        else {
            return false;
        };
        let top = Byte::new(128);
        [(p, q), (q, p)].iter().any(|(sum, bit)| {
            let of_top = (x == top || y == top) && *sum == x ^ y;
            support(*bit) <= 1 && (of_top || other_part(*sum, x).is_some_and(|other| other == y))
        })
    };
    carries::exclusive(a, b) || follows(a, b) || follows(b, a)
}
fn without_top(x: Byte) -> Byte {
    x.with(x.constant() & 127)
}
/// Operands that may be exchanged, in the order of the variables that they become.
fn ordered(x: Byte, y: Byte) -> [Byte; 2] {
    if single(x).raw() < single(y).raw() { [x, y] } else { [y, x] }
}
/// The bit that says that a sum has carried, where `x` is a sum and `y` a part of it: then `x` is less than `y`.
pub fn less(x: &[Byte], y: &[Byte]) -> Option<Byte> {
    let known = if x == y { Some(ZERO) } else { carries::carried(x, y) };
    match (x, y) {
        ([x], [y]) => known.or_else(|| Some(carry(*y, other_part(*x, *y)?))),
        _ => known,
    }
}
/// The byte that makes this sum with this part, if they were added.
fn other_part(sum: Byte, part: Byte) -> Option<Byte> {
    let plain = without_top(sum);
    let tops = Byte::new((sum.constant() ^ part.constant()) & 128);
    let ([a, b], noted) = carries::parts_of(plain)?;
    // The sum that was noted is of parts without their highest bits, which may make a highest bit in it.
    let turned = Byte::new((noted.constant() & 128) ^ tops.constant());
    let part = without_top(part);
    if a == part {
        Some(b ^ turned)
    } else if b == part {
        Some(a ^ turned)
    } else {
        None
    }
}
/// A bit in all places of a byte.
pub fn filled(bit: Byte) -> Byte {
    linear(made(Kind::Fill, 0, |x| if x & 1 != 0 { 255 } else { 0 }), bit)
}
/// The carry of x + y, or of x + y and a bit, of which the sum is `sum`.
fn carry_of(x: Byte, y: Byte, sum: Byte) -> Option<Byte> {
    let first = add_bytes(x, y);
    if first.0 == sum {
        return Some(first.1);
    }
    let bit = other_part(sum, first.0)?;
    (support(bit) <= 1).then(|| first.1 ^ carry(first.0, bit))
}
/// A difference of words, and its borrow.
pub fn sub(a: &[Byte], b: &[Byte], borrow: Byte) -> (Vec<Byte>, Byte) {
    if let (Some(x), Some(y), Some(z)) = (number(a), number(b), borrow.number()) {
        let (d, c) = x.overflowing_sub(y);
        let (d, e) = d.overflowing_sub(z.into());
        let out = bytes::<8>(d)[..a.len()].to_vec();
        return (out, Byte::new(u8::from(c || e)));
    }
    // 0 less a bit is that bit in all places.
    let nothing = borrow == ZERO && a.iter().chain(&b[1..]).all(|x| *x == ZERO);
    if nothing && support(b[0]) <= 1 {
        return (vec![filled(b[0]); a.len()], b[0]);
    }
    // 16 times a word less it, where it has the lowest bits of nibbles only: that bit in all places of its nibble.
    let lowest = borrow == ZERO && b.iter().all(|x| support(*x) & !0x11 == 0);
    if lowest && a == shift(b, Shift::Left, 4) {
        let fill = [0, 1, 2, 3].map(|k| shift(b, Shift::Left, k));
        let out = (0..b.len()).map(|j| fill.iter().fold(ZERO, |r, w| r ^ w[j])).collect();
        return (out, unknown(op::BORROW, 0, &[a, b].concat()));
    }
    // 256 times a word less it, where it has the lowest bits of bytes only: that bit in all places of its byte.
    if borrow == ZERO && b.iter().all(|x| support(*x) <= 1) && a == shift(b, Shift::Left, 8) {
        let out = b.iter().map(|bit| filled(*bit)).collect();
        return (out, unknown(op::BORROW, 0, &[a, b].concat()));
    }
    let key = [a, b, &[borrow]].concat();
    let out = (0..a.len()).map(|j| unknown(op::DIFFERENCE, j, &key)).collect();
    let carried = if borrow == ZERO { less(a, b) } else { None };
    (out, carried.unwrap_or_else(|| unknown(op::BORROW, 0, &key)))
}

/// The product in GF(2^8) by x^8 + x^4 + x^3 + x + 1.
pub fn product(a: u8, b: u8) -> u8 {
    crate::standard::times(a, b, 0x1b)
}
/// The bits of a byte under a matrix: row 7 - i makes bit i.
pub fn matrix(rows: [u8; 8]) -> Table {
    made(Kind::Matrix, u64::from_le_bytes(rows), |x| {
        (0..8).fold(0, |r, i| r | (((rows[7 - i] & x).count_ones() & 1) as u8) << i)
    })
}

/// A look-up in 16, 32, 64 or 128 entries by the low bits of an index; `clears` where its top bit makes it 0.
pub struct Lookup<'a> {
    entries: &'a [Byte],
    clears: bool,
    /// Where all entries are numbers but for one sum of data in every place: that sum, the numbers, and their table.
    numbers: Option<(Byte, [u8; 128], OnceCell<Table>)>,
    /// The function of the last index, by the bits that this may have.
    last: Cell<Option<(u8, Function)>>,
}
/// A look-up as a linear table, or as an operation.
#[derive(Clone, Copy)]
enum Function {
    Linear(Table),
    Other(u64),
}
impl<'a> Lookup<'a> {
    pub fn new(entries: &'a [Byte], clears: bool) -> Self {
        let sum = entries[0].with(0);
        let numbers = entries.iter().all(|e| e.with(0) == sum).then(|| {
            let mut all = [0; 128];
            all.iter_mut().zip(entries).for_each(|(k, e)| *k = e.constant());
            (sum, all, OnceCell::new())
        });
        Lookup { entries, clears, numbers, last: Cell::new(None) }
    }
    /// Returns whether it is a look-up in these entries.
    pub fn is_in(&self, entries: &[Byte]) -> bool {
        self.entries == entries
    }
    pub fn of(&self, index: Byte) -> Byte {
        let (mask, clears) = (self.entries.len() - 1, self.clears);
        let counts = mask as u8 | u8::from(clears) << 7;
        if let Some(i) = index.number() {
            let i = i & counts;
            return if clears && i & 128 != 0 { ZERO } else { self.entries[i as usize & mask] };
        }
        let index = if support(index) & !counts == 0 { index } else { masked(counts, index) };
        if index.number().is_some() {
            return self.of(index);
        }
        let bits = support(index);
        let Some((sum, all, number)) = &self.numbers else { return self.apart(index) };
        if *sum != ZERO && clears && bits & 128 != 0 {
            return self.apart(index);
        }
        let entry = |i: u8| if clears && i & 128 != 0 { 0 } else { all[i as usize & mask] };
        let known = self.last.get().filter(|(of, _)| *of == bits).map(|(_, f)| f);
        let function = known.unwrap_or_else(|| {
            let number = number.get_or_init(|| table(|i| all[usize::from(i & 127)]));
            let which = u64::from(*number) << 16 | u64::from(bits) << 8 | u64::from(counts);
            // A table that is linear on what the index may be is no look-up.
            let reduced = made(Kind::Difference, which, |i| entry(i & bits) ^ entry(0));
            if is_linear(reduced) {
                return Function::Linear(reduced);
            }
            Function::Other(op::TABLE | u64::from(made(Kind::Entry, which, entry)))
        });
        self.last.set(Some((bits, function)));
        *sum ^ match function {
            Function::Linear(t) => linear(t, index) ^ Byte::new(entry(0)),
            Function::Other(operation) => lift(operation, [index], |[i]| entry(i)),
        }
    }
    /// An unknown.
    fn apart(&self, index: Byte) -> Byte {
        let key = [self.entries, &[index, Byte::new(self.clears.into())]].concat();
        unknown(op::LOOKUP, 0, &key)
    }
}

/// `f` of three bits, by bits; bit 4a + 2b + c of `truth` is its value.
pub fn ternary(truth: u8, [a, b, c]: [Byte; 3]) -> Byte {
    if planes::on() {
        return planes::ternary(truth, [a, b, c]);
    }
    match truth {
        0 | 255 => return Byte::new(truth),
        0x96 => return a ^ b ^ c,
        _ => {}
    }
    // Where the third is the sum of the others, the highest bits of all turned over in two of them: its carry.
    let numbers = [a, b, c].iter().filter(|x| x.number().is_some()).count();
    if matches!(truth, 0x4d | 0x71) && c.number().is_none() && numbers < 2 {
        let top = Byte::new(128);
        let (x, y) = if truth == 0x4d { (a, b) } else { (b, a) };
        if let Some(carry) = carry_of(x, y ^ top, c ^ top) {
            let rest = lift(op::TERNARY | u64::from(truth), [a, b, c], |of| by_bits(truth, of));
            return masked(127, rest) ^ shifted_up(7, carry) ^ top;
        }
    }
    // Its polynomial over GF(2): bit i is the coefficient of the product of the operands that i names.
    let mut f = truth;
    for (i, m) in [(1, 0x55), (2, 0x33), (4, 0x0f)] {
        f ^= (f & m) << i;
    }
    let of = [(a, 4), (b, 2), (c, 1)];
    let data = of.iter().filter(|(x, _)| x.number().is_none()).fold(0, |bits, (_, bit)| bits | bit);
    // A product of two that are no numbers.
    if (0..8u8).any(|i| f >> i & 1 != 0 && (i & data).count_ones() > 1) {
        return lift(op::TERNARY | u64::from(truth), [a, b, c], |of| by_bits(truth, of));
    }
    let mut sum = if f & 1 != 0 { Byte::new(255) } else { ZERO };
    for i in (1..8).filter(|i| f >> i & 1 != 0) {
        let factors = of.iter().filter(|(_, bit)| i & bit != 0);
        sum = sum ^ factors.fold(Byte::new(255), |p, (x, _)| and(p, *x));
    }
    sum
}

fn by_bits(truth: u8, [p, q, k]: [u8; 3]) -> u8 {
    (0..8).fold(0, |r, i| {
        let index = (p >> i & 1) << 2 | (q >> i & 1) << 1 | k >> i & 1;
        r | (truth >> index & 1) << i
    })
}

/// Selects from two bytes by a bit.
pub fn select(bit: Byte, one: Byte, other: Byte) -> Byte {
    match bit.number() {
        _ if one == other => one,
        Some(0) => other,
        Some(_) => one,
        None => lift(op::SELECT, [bit, one, other], |[b, x, y]| if b != 0 { x } else { y }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{forget, vars};
    use crate::record::Random;
    use crate::standard::magma::{PI, g};

    /// A sum that is made again, in either order, is that sum; a new proof has no sum of a proof before.
    #[test]
    fn sums_are_kept() {
        let mut random = Random(5);
        forget();
        for _ in 0..50 {
            let v = vars(1)[0];
            let [x, y] = [0, 1]
                .map(|_| linear(matrix(random.next().to_le_bytes()), v))
                .map(|x| x ^ Byte::new(random.next() as u8));
            let sums = [add_bytes(x, y), add_bytes(y, x), add_bytes(x, y)];
            assert!(sums.iter().all(|s| *s == sums[0]));
            for value in 0..=255 {
                let [x, y, sum, over] = [x, y, sums[0].0, sums[0].1]
                    .map(|b| crate::domain::evaluate(b, |_| Some(value)).expect("of one variable"));
                assert_eq!((sum, over), (x.wrapping_add(y), u8::from(x.checked_add(y).is_none())));
            }
            assert!(
                x.number().is_some()
                    || y.number().is_some()
                    || carries::known_sum(y, x) == Some(sums[0])
            );
            forget();
            assert_eq!(carries::known_sum(x, y), None);
        }
    }

    /// A word of bits in bytes, 256 times, less it: each bit in all places of its byte.
    #[test]
    fn bits_fill_bytes() {
        let mut random = Random(2);
        for _ in 0..100 {
            let bits = random.next() & 0x0101_0101_0101_0101;
            let want = (0..8).fold(0, |r, i| r | ((bits >> (8 * i) & 1) * 255) << (8 * i));
            assert_eq!((bits << 8).wrapping_sub(bits), want);
        }
        forget();
        let bits: Vec<Byte> = vars(8).into_iter().map(|b| masked(1, b)).collect();
        let filled: Vec<Byte> = bits.iter().map(|b| filled(*b)).collect();
        assert_eq!(sub(&shift(&bits, Shift::Left, 8), &bits, ZERO).0, filled);
    }

    /// In a product of words with every fourth bit, of one at most 15, the lowest bits of columns are the bits of the product
    /// of polynomials.
    #[test]
    fn columns_have_room() {
        let mut random = Random(3);
        for i in 0..1600 {
            let (x, y) = (i % 4, i / 4 % 4);
            let of = |n: u64, place: u64| n & 0x1111_1111_1111_1111 << place;
            // All bits, too.
            let ones = if i < 100 { u64::MAX } else { 0 };
            let a = of((random.next() | ones) << 4 >> 4, x);
            let b = of(random.next() | ones, y);
            let product = u128::from(a) * u128::from(b);
            let each = (0..64).filter(|k| a >> k & 1 != 0);
            let polynomial = each.fold(0, |r, k| r ^ u128::from(b) << k);
            let lowest = (u128::MAX / 15) << ((x + y) % 4);
            assert_eq!(product & lowest, polynomial & lowest);
        }
    }

    /// The nibbles of a sum of words with a nibble in each byte are the nibbles of the processor's sum.
    #[test]
    fn nibbles_apart_carry() {
        let mut random = Random(1);
        for _ in 0..1000 {
            let (which, a, b) = (random.next(), random.next(), random.next());
            let (mut x, mut k) = ([0; 8], [0; 8]);
            for i in 0..8 {
                let ones = if which >> i & 1 == 0 { 0xf0 } else { 0x0f };
                x[i] = (a >> (8 * i)) as u8 & !ones;
                k[i] = (b >> (8 * i)) as u8 | ones;
            }
            let sum = u64::from_le_bytes(x).wrapping_add(u64::from_le_bytes(k)).to_le_bytes();
            let nibble = |w: &[u8; 8], i: usize| w[i] >> (4 * (which >> i & 1)) & 15;
            let word = |w: &[u8; 8]| (0..8).fold(0, |r, i| r | u32::from(nibble(w, i)) << (4 * i));
            let together = word(&x).wrapping_add(word(&k));
            assert_eq!(word(&sum), together);
        }
    }

    /// Four rounds of Magma on nibbles in a byte each, as `crates/core/src/magma/sbox/spread.rs` has them, are the standard's.
    #[test]
    fn rounds_of_nibbles_apart() {
        const UP: [u32; 8] = [0, 1, 0, 1, 1, 0, 0, 1];
        const PAIRS: [[usize; 2]; 4] = [[0, 2], [5, 6], [1, 3], [4, 7]];
        let entry = |i: usize, v: u8| {
            (v & 1) << (4 * UP[(i + 2) % 8] + 3) | (v >> 1) << (4 * UP[(i + 3) % 8])
        };
        let apart = |w: &[Byte]| -> Vec<Byte> {
            let nibble = |i: usize| shifted_down(4 * (i as u32 % 2), w[i / 2]);
            (0..8).map(|i| shifted_up(4 * UP[i], masked(15, nibble(i)))).collect()
        };
        let of_x = |x: &[Byte]| -> Vec<Byte> {
            let part = |m: u8, i: usize| masked(m << (4 * UP[i % 8]), x[i % 8]);
            (0..8).map(|i| part(8, i + 2) ^ part(7, i + 3)).collect()
        };
        let to_x = |n: &[Byte]| -> Vec<Byte> {
            let part = |m: u8, i: usize, from: usize| masked(m << (4 * UP[i]), n[from % 8]);
            (0..8).map(|i| part(8, i, i + 6) ^ part(7, i, i + 5)).collect()
        };
        forget();
        let (mut a, mut b) = (vars(4), vars(4));
        let (mut n, mut m) = (of_x(&apart(&a)), of_x(&apart(&b)));
        for _ in 0..4 {
            let k = vars(4);
            let ones = (0..8).map(|i| Byte::new(0xf0 >> (4 * UP[i])));
            let key: Vec<Byte> = apart(&k).iter().zip(ones).map(|(k, o)| *k ^ o).collect();
            let sum = g(&PI, &a, &k);
            (a, b) = ((0..4).map(|i| b[i] ^ sum[i]).collect(), a);
            let t = add(&to_x(&n), &key, ZERO).0;
            let high = [&t[..4], &t[4..]].map(|t| shift(t, Shift::Right, 4)).concat();
            for (q, pair) in PAIRS.into_iter().enumerate() {
                let of = |v: usize| pair.iter().fold(0, |r, i| r | entry(*i, PI[*i][v]));
                let table: [Byte; 16] = std::array::from_fn(|v| Byte::new(of(v)));
                let from = if q < 2 { &t } else { &high };
                for i in pair {
                    m[i] = m[i] ^ Lookup::new(&table, true).of(masked(15, from[i]));
                }
            }
            (n, m) = (m, n);
            assert_eq!(to_x(&n), apart(&a));
        }
    }
}
