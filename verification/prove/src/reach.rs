//! Instructions that no call of a function reaches, whatever its arguments and its memory are: turns of a loop that the
//! compiler has unrolled for numbers that the code itself excludes.
//!
//! Public numbers are followed from the first instruction on, by all ways. A register, or a word of the stack, is an
//! expression of one *symbol*: a number that an instruction has read. For each symbol the values are known that it may
//! have: those for which the conditional jumps on the way went as they did. A way without a value is no way.
//!
//! Why it is sound: at each instruction each number of a real run has a value that the state here allows. A symbol means
//! the number that its instruction has read last; when it reads again, expressions of the old number become sets of values.
//! Where ways meet, an expression stays if both ways have it, else it becomes a set, or any number. An instruction that is not
//! listed here leaves any number in all registers. A write to memory that is not named by the stack pointer leaves any
//! number in all words of the stack, and so does a call. A jump to an address in a register ends it: then all is reached.
//! It rests on the rules of calls, which keep some registers, and on the functions that panic, which do not return.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::program::{Code, Function, Operand, Place, Program};
use crate::report::{place_of, stops};

/// The most values of a symbol that are looked at singly; of a set without a symbol; and pairs of values.
const MOST: u64 = 1024;
const FEW: usize = 16;
const PAIRS: usize = 1 << 16;
/// After so many visits of a place what changes there may be any number.
const VISITS: usize = 24;
/// The largest expression.
const SIZE: usize = 64;
/// The stack pointer.
const SP: usize = 4;

/// Eight times the number of the instruction that has read the number, and which of its parts.
type Symbol = usize;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Op {
    Add,
    Sub,
    And,
    Or,
    Xor,
    Left,
    Right,
    Times,
}
impl Op {
    fn of(self, a: u64, b: u64) -> u64 {
        match self {
            Op::Add => a.wrapping_add(b),
            Op::Sub => a.wrapping_sub(b),
            Op::And => a & b,
            Op::Or => a | b,
            Op::Xor => a ^ b,
            Op::Left => a << (b & 63),
            Op::Right => a >> (b & 63),
            Op::Times => a.wrapping_mul(b),
        }
    }
}

/// An expression of at most one symbol.
#[derive(PartialEq, Eq, Debug)]
struct Node {
    symbol: Option<Symbol>,
    size: usize,
    what: What,
}
#[derive(PartialEq, Eq, Debug)]
enum What {
    Number(u64),
    Symbol,
    Of(Op, Rc<Node>, Rc<Node>),
    /// The first, where the condition holds.
    If(String, Flags, Rc<Node>, Rc<Node>),
}
impl Node {
    fn number(n: u64) -> Rc<Self> {
        Rc::new(Node { symbol: None, size: 1, what: What::Number(n) })
    }
    /// The value where the symbol has this value.
    fn at(&self, x: u64) -> u64 {
        match &self.what {
            What::Number(n) => *n,
            What::Symbol => x,
            What::Of(op, a, b) => op.of(a.at(x), b.at(x)),
            What::If(c, flags, a, b) => match flags.holds(c, x) {
                Some(false) => b.at(x),
                _ => a.at(x),
            },
        }
    }
    fn known(&self) -> Option<u64> {
        if let What::Number(n) = self.what { Some(n) } else { None }
    }
}

/// What flags are made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// The difference of two numbers; a number, with no carry; a number, with a carry that is not known.
    Compared,
    Logic,
    Result,
}
#[derive(Clone, PartialEq, Eq, Debug)]
enum Flags {
    Unknown,
    Of(Kind, Rc<Node>, Rc<Node>, usize),
}
impl Flags {
    /// Whether a condition holds where the symbol of both numbers has this value, if that is known.
    fn holds(&self, c: &str, x: u64) -> Option<bool> {
        let Flags::Of(kind, a, b, n) = self else { return None };
        holds(c, *kind, [a.at(x), b.at(x)], *n)
    }
    fn symbols(&self) -> [Option<Symbol>; 2] {
        match self {
            Flags::Unknown => [None; 2],
            Flags::Of(_, a, b, _) => [a.symbol, b.symbol],
        }
    }
}

/// All bits of a number of `n` bytes.
fn ones(n: usize) -> u64 {
    if n >= 8 { u64::MAX } else { (1 << (8 * n)) - 1 }
}

fn holds(c: &str, kind: Kind, [a, b]: [u64; 2], n: usize) -> Option<bool> {
    let (mask, sign) = (ones(n), 1 << (8 * n - 1));
    let (a, b) = (a & mask, b & mask);
    let r = if kind == Kind::Compared { a.wrapping_sub(b) & mask } else { a };
    let (zero, negative) = (r == 0, r & sign != 0);
    let (carry, over) = match kind {
        Kind::Compared => (Some(a < b), Some((a ^ b) & (a ^ r) & sign != 0)),
        Kind::Logic => (Some(false), Some(false)),
        Kind::Result => (None, None),
    };
    let less = over.map(|over| over != negative);
    Some(match c {
        "e" => zero,
        "ne" => !zero,
        "b" => carry?,
        "ae" => !carry?,
        "be" => carry? || zero,
        "a" => !carry? && !zero,
        "s" => negative,
        "ns" => !negative,
        "l" => less?,
        "ge" => !less?,
        "le" => less? || zero,
        "g" => !less? && !zero,
        _ => return None,
    })
}

/// The number in a register or in a word of the stack.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Value {
    Any,
    Few(Rc<[u64]>),
    Is(Rc<Node>),
}
/// The values of a symbol.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Values {
    Range(u64, u64),
    Set(Rc<[u64]>),
}
impl Values {
    fn range(low: u64, high: u64) -> Self {
        if high - low < MOST {
            Values::Set((low..=high).collect())
        } else {
            Values::Range(low, high)
        }
    }
    fn ends(&self) -> [u64; 2] {
        match self {
            Values::Range(low, high) => [*low, *high],
            Values::Set(all) => [all[0], all[all.len() - 1]],
        }
    }
    fn both(&self, other: &Self) -> Self {
        if let (Values::Set(a), Values::Set(b)) = (self, other) {
            let all: BTreeSet<u64> = a.iter().chain(b.iter()).copied().collect();
            if all.len() as u64 <= MOST {
                return Values::Set(all.into_iter().collect());
            }
        }
        let ([a, b], [c, d]) = (self.ends(), other.ends());
        Values::range(a.min(c), b.max(d))
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct State {
    general: [Value; 16],
    /// Words of the stack by their places, with their bytes.
    stack: BTreeMap<i64, (usize, Value)>,
    /// The stack pointer: the instruction that has aligned it last, and the place from there.
    sp: Option<(usize, i64)>,
    flags: Flags,
    /// Symbols without an entry may have any value.
    values: BTreeMap<Symbol, Values>,
}

impl State {
    fn new() -> Self {
        State {
            general: std::array::from_fn(|_| Value::Any),
            stack: BTreeMap::new(),
            sp: Some((usize::MAX, 0)),
            flags: Flags::Unknown,
            values: BTreeMap::new(),
        }
    }

    /// The values of an expression, if they are not too many.
    fn all(&self, node: &Node) -> Option<BTreeSet<u64>> {
        let Some(s) = node.symbol else { return Some([node.at(0)].into()) };
        match self.values.get(&s)? {
            Values::Set(all) => Some(all.iter().map(|x| node.at(*x)).collect()),
            Values::Range(..) => None,
        }
    }
    fn high(&self, node: &Node) -> u64 {
        match (&node.what, node.symbol.and_then(|s| self.values.get(&s))) {
            (What::Number(n), _) => *n,
            (What::Symbol, Some(values)) => values.ends()[1],
            (What::Of(Op::And, _, mask), Some(Values::Range(..)) | None) => {
                mask.known().unwrap_or(u64::MAX)
            }
            (_, Some(Values::Set(_))) => {
                self.all(node).and_then(|all| all.last().copied()).unwrap_or(u64::MAX)
            }
            _ => u64::MAX,
        }
    }
    /// A value without its symbol.
    fn loose(&self, value: &Value) -> Value {
        let Value::Is(node) = value else { return value.clone() };
        match self.all(node) {
            Some(all) if all.len() == 1 && node.symbol.is_none() => value.clone(),
            Some(all) if all.len() <= FEW => Value::Few(all.into_iter().collect()),
            _ => Value::Any,
        }
    }
    /// The symbols of an instruction mean new numbers from now on.
    fn forget(&mut self, i: usize) {
        let own = |s: Symbol| s / 8 == i;
        let old = |v: &Value| matches!(v, Value::Is(node) if node.symbol.is_some_and(own));
        for r in 0..16 {
            if old(&self.general[r]) {
                self.general[r] = self.loose(&self.general[r]);
            }
        }
        let places: Vec<i64> =
            self.stack.iter().filter(|(_, (_, v))| old(v)).map(|(at, _)| *at).collect();
        for at in places {
            let new = self.loose(&self.stack[&at].1);
            self.stack.entry(at).and_modify(|word| word.1 = new);
        }
        if self.flags.symbols().into_iter().flatten().any(own) {
            self.flags = Flags::Unknown;
        }
        self.values.retain(|s, _| !own(*s));
    }
    /// A new symbol, which nothing here has.
    fn fresh(&mut self, s: Symbol, values: Values) -> Rc<Node> {
        self.values.insert(s, values);
        Rc::new(Node { symbol: Some(s), size: 1, what: What::Symbol })
    }
    /// A value as an expression: of a new symbol, if it has none.
    fn named(&mut self, value: Value, s: Symbol, n: usize) -> Rc<Node> {
        match value {
            Value::Is(node) => node,
            Value::Few(all) => self.fresh(s, Values::Set(all)),
            Value::Any => self.fresh(s, Values::range(0, ones(n))),
        }
    }
    fn op(&self, op: Op, a: &Rc<Node>, b: &Rc<Node>) -> Value {
        if let (Some(a), Some(b)) = (a.known(), b.known()) {
            return Value::Is(Node::number(op.of(a, b)));
        }
        if op == Op::And
            && b.known().is_some_and(|m| m & m.wrapping_add(1) == 0 && self.high(a) <= m)
        {
            return Value::Is(a.clone());
        }
        let size = 1 + a.size + b.size;
        let one = a.symbol.is_none() || b.symbol.is_none() || a.symbol == b.symbol;
        if one && size < SIZE {
            let what = What::Of(op, a.clone(), b.clone());
            return Value::Is(Rc::new(Node { symbol: a.symbol.or(b.symbol), size, what }));
        }
        let (Some(x), Some(y)) = (self.all(a), self.all(b)) else { return Value::Any };
        if one || x.len() * y.len() > PAIRS {
            return Value::Any;
        }
        let all: BTreeSet<u64> =
            x.iter().flat_map(|x| y.iter().map(move |y| op.of(*x, *y))).collect();
        if all.len() <= FEW { Value::Few(all.into_iter().collect()) } else { Value::Any }
    }
    fn masked(&mut self, value: Value, n: usize, s: Symbol) -> Value {
        if n >= 8 {
            return value;
        }
        match value {
            Value::Is(node) => {
                let short = self.op(Op::And, &node, &Node::number(ones(n)));
                // A range of its own says more than the lower half of any number.
                let any = node.symbol.is_some()
                    && self.all(&node).is_none()
                    && self.high(&node) > ones(n);
                if any { Value::Is(self.fresh(s, Values::range(0, ones(n)))) } else { short }
            }
            Value::Few(all) => {
                let all: BTreeSet<u64> = all.iter().map(|x| x & ones(n)).collect();
                Value::Few(all.into_iter().collect())
            }
            Value::Any => Value::Is(self.fresh(s, Values::range(0, ones(n)))),
        }
    }

    /// The place on the stack of an operand that the stack pointer names.
    fn on_stack(&self, place: &Place) -> Option<i64> {
        let named = place.base == Some((SP, 8)) && place.index.is_none();
        let (_, sp) = self.sp.filter(|_| named)?;
        Some(sp.wrapping_add(place.offset as i64))
    }
    /// A write of `n` bytes of a value, to memory.
    fn store(&mut self, place: &Place, n: usize, value: Value) {
        let Some(at) = self.on_stack(place) else { return self.stack.clear() };
        self.stack.retain(|other, (m, _)| *other >= at + n as i64 || *other + *m as i64 <= at);
        if n <= 8 && value != Value::Any {
            self.stack.insert(at, (n, value));
        }
    }
    /// The first `n` bytes of an operand, with two symbols for them.
    fn read(&mut self, o: &Operand, n: usize, s: Symbol) -> Rc<Node> {
        let value = match o {
            Operand::Number(x) => return Node::number(x & ones(n)),
            Operand::General { r, from: 0, .. } if *r != SP => {
                if !matches!(self.general[*r], Value::Is(_)) {
                    let node = self.named(self.general[*r].clone(), s, 8);
                    self.general[*r] = Value::Is(node);
                }
                self.general[*r].clone()
            }
            Operand::Memory { place, .. } => match self.on_stack(place) {
                Some(at) => match self.stack.get(&at) {
                    Some((m, value)) if *m >= n && matches!(value, Value::Is(_)) => value.clone(),
                    known => {
                        let value = known.filter(|(m, _)| *m == n).map(|(_, v)| v.clone());
                        let node = self.named(value.unwrap_or(Value::Any), s, n);
                        self.store(place, n, Value::Is(node.clone()));
                        Value::Is(node)
                    }
                },
                None => Value::Any,
            },
            _ => Value::Any,
        };
        let short = self.masked(value, n, s + 1);
        self.named(short, s + 1, n)
    }
    fn write(&mut self, o: &Operand, value: Value, s: Symbol) {
        match o {
            Operand::General { r: SP, .. } => self.lose_stack(),
            Operand::General { r, n: 8, .. } => self.general[*r] = value,
            Operand::General { r, n: 4, .. } => self.general[*r] = self.masked(value, 4, s),
            // A part, if the rest is 0.
            Operand::General { r, from: 0, n: 1 } => {
                let old = self.general[*r].clone();
                let zero = matches!(old, Value::Is(node) if self.high(&node) < 256);
                self.general[*r] = if zero { self.masked(value, 1, s) } else { Value::Any };
            }
            Operand::General { r, .. } => self.general[*r] = Value::Any,
            Operand::Memory { place, n, .. } => {
                let value = self.masked(value, *n, s);
                self.store(place, *n, value);
            }
            _ => {}
        }
    }
    fn lose_stack(&mut self) {
        self.sp = None;
        self.stack.clear();
    }
    fn address(&mut self, place: &Place, s: Symbol) -> Value {
        let part = |state: &mut Self, r: usize, n: usize, k: usize| {
            (r != SP).then(|| state.read(&Operand::General { r, from: 0, n }, n, s + k))
        };
        let mut sum = Value::Is(Node::number(place.offset));
        if let Some((r, n)) = place.base {
            let Some(base) = part(self, r, n, 0) else { return Value::Any };
            let Value::Is(offset) = &sum else { return Value::Any };
            sum = self.op(Op::Add, &base, offset);
        }
        if let Some((r, n, scale)) = place.index {
            let Some(index) = part(self, r, n, 2) else { return Value::Any };
            let Value::Is(index) = self.op(Op::Times, &index, &Node::number(scale)) else {
                return Value::Any;
            };
            let Value::Is(rest) = &sum else { return Value::Any };
            sum = self.op(Op::Add, rest, &index);
        }
        sum
    }

    /// The state where a condition holds, or does not; none if that is never so.
    fn when(&self, c: &str, is: bool) -> Option<Self> {
        let mut new = self.clone();
        let Flags::Of(kind, a, b, n) = &self.flags else { return Some(new) };
        let fits = |x: u64| self.flags.holds(c, x).is_none_or(|h| h == is);
        let s = match (a.symbol, b.symbol) {
            (None, None) => return fits(0).then_some(new),
            (Some(s), Some(t)) if s != t => {
                let (Some(x), Some(y)) = (self.all(a), self.all(b)) else { return Some(new) };
                let mut pairs = x.iter().flat_map(|x| y.iter().map(move |y| [*x, *y]));
                let fits = |pair| holds(c, *kind, pair, *n).is_none_or(|h| h == is);
                return (x.len() * y.len() > PAIRS || pairs.any(fits)).then_some(new);
            }
            (s, t) => s.or(t)?,
        };
        let whole = Values::Range(0, u64::MAX);
        match self.values.get(&s).unwrap_or(&whole) {
            Values::Set(all) => {
                let left: Rc<[u64]> = all.iter().copied().filter(|x| fits(*x)).collect();
                if left.is_empty() {
                    return None;
                }
                new.values.insert(s, Values::Set(left));
            }
            Values::Range(low, high) => {
                let whole = *high <= ones(*n) && a.what == What::Symbol;
                let other = if *kind == Kind::Compared { b.known() } else { Some(0) };
                let (Some(k), true) = (other, whole) else { return Some(new) };
                let (k, zero) = (k & ones(*n), *kind != Kind::Compared);
                let (low, high) = match (c, is) {
                    ("e", true) | ("ne", false) => (k.max(*low), k.min(*high)),
                    ("ne", true) | ("e", false) => {
                        (low + u64::from(*low == k), high - u64::from(*high == k))
                    }
                    _ if zero => return Some(new),
                    ("b", true) | ("ae", false) => (*low, k.checked_sub(1)?.min(*high)),
                    ("ae", true) | ("b", false) => (k.max(*low), *high),
                    ("be", true) | ("a", false) => (*low, k.min(*high)),
                    ("a", true) | ("be", false) => (k.checked_add(1)?.max(*low), *high),
                    _ => return Some(new),
                };
                if low > high {
                    return None;
                }
                new.values.insert(s, Values::range(low, high));
            }
        }
        Some(new)
    }

    /// The state where this way and another meet.
    fn meets(&self, other: &Self, visits: usize) -> Self {
        let both = |a: &Value, b: &Value| {
            if a == b {
                return a.clone();
            }
            let (a, b) = (self.loose(a), other.loose(b));
            let all = |v: &Value| match v {
                Value::Any => None,
                Value::Few(all) => Some(all.to_vec()),
                Value::Is(node) => node.known().map(|n| vec![n]),
            };
            let (Some(x), Some(y)) = (all(&a), all(&b)) else { return Value::Any };
            let sum: BTreeSet<u64> = x.iter().chain(&y).copied().collect();
            let grows = visits > VISITS && sum.len() > x.len();
            if sum.len() > FEW || grows {
                Value::Any
            } else {
                Value::Few(sum.into_iter().collect())
            }
        };
        let general = std::array::from_fn(|r| both(&self.general[r], &other.general[r]));
        let sp = self.sp.filter(|sp| other.sp == Some(*sp));
        let mut stack = BTreeMap::new();
        if sp.is_some() {
            for (at, (n, a)) in &self.stack {
                if let Some((_, b)) = other.stack.get(at).filter(|(m, _)| m == n) {
                    stack.insert(*at, (*n, both(a, b)));
                }
            }
        }
        let flags = if self.flags == other.flags { self.flags.clone() } else { Flags::Unknown };
        let words = stack.values().map(|(_, v): &(usize, Value)| v).chain(&general);
        let used = words.filter_map(|v| if let Value::Is(node) = v { node.symbol } else { None });
        let used: BTreeSet<Symbol> = used.chain(flags.symbols().into_iter().flatten()).collect();
        let mut values = BTreeMap::new();
        for s in used {
            if let (Some(a), Some(b)) = (self.values.get(&s), other.values.get(&s)) {
                let sum = a.both(b);
                if visits <= VISITS || sum == *a {
                    values.insert(s, sum);
                }
            }
        }
        State { general, stack, sp, flags, values }
    }

    /// All that an instruction may change that is not known.
    fn clobber(&mut self, registers: &[usize]) {
        registers.iter().filter(|r| **r != SP).for_each(|r| self.general[*r] = Value::Any);
        self.flags = Flags::Unknown;
    }
    fn step(&mut self, i: usize, code: &Code) {
        let (s, name) = (8 * i, code.name.as_str());
        self.forget(i);
        let still =
            matches!(name, "endbr64" | "nop" | "vzeroupper") || name.starts_with("prefetch");
        if still || name == "xchg" && code.operands[0] == code.operands[1] {
            return;
        }
        let of_sp = |o: &Operand| matches!(o, Operand::General { r: SP, .. });
        let sizes = |o: &Operand| match o {
            Operand::General { n, .. } | Operand::Memory { n, .. } => *n,
            _ => 8,
        };
        match (name, &code.operands[..]) {
            _ if code.odd.is_some() => self.unlisted(s, code),
            ("add" | "sub" | "and", [to, Operand::Number(k)]) if of_sp(to) => {
                self.flags = Flags::Unknown;
                let Some((base, at)) = self.sp else { return };
                match name {
                    "add" => self.sp = Some((base, at.wrapping_add(*k as i64))),
                    "sub" => self.sp = Some((base, at.wrapping_sub(*k as i64))),
                    _ => {
                        self.stack.clear();
                        self.sp = Some((i, 0));
                    }
                }
            }
            ("push", [from]) => {
                let value = if of_sp(from) { Value::Any } else { Value::Is(self.read(from, 8, s)) };
                if let Some((base, at)) = self.sp {
                    self.sp = Some((base, at - 8));
                }
                let top = Place { offset: 0, base: Some((SP, 8)), index: None };
                self.store(&top, 8, value);
            }
            ("pop", [to]) => {
                let place = Place { offset: 0, base: Some((SP, 8)), index: None };
                let top = Operand::Memory { place, n: 8, repeats: false, mask: None };
                let value = Value::Is(self.read(&top, 8, s));
                if let Some((base, at)) = self.sp {
                    self.sp = Some((base, at + 8));
                }
                self.write(to, value, s + 5);
            }
            ("lea", [to, Operand::Memory { place, .. }]) => {
                let value = self.address(place, s);
                self.write(to, value, s + 5);
            }
            (_, [to, ..]) if of_sp(to) && !matches!(name, "cmp" | "test") => {
                self.clobber(&[]);
                self.lose_stack();
            }
            ("mov" | "movabs" | "movzx", [to, from]) if sizes(to) <= 8 => {
                let n = if name == "movzx" { sizes(from) } else { sizes(to) };
                let value = Value::Is(self.read(from, n, s));
                self.write(to, value, s + 5);
            }
            _ if self.arithmetic(s, code, sizes) => {}
            _ => self.unlisted(s, code),
        }
    }
    /// Does sums, comparisons and choices; returns whether the instruction is one of them.
    fn arithmetic(&mut self, s: Symbol, code: &Code, sizes: impl Fn(&Operand) -> usize) -> bool {
        let name = code.name.as_str();
        let Some(to) = code.operands.first() else { return false };
        let n = sizes(to);
        if !(1..=8).contains(&n) {
            return false;
        }
        let chooses = name.strip_prefix("cmov").or_else(|| name.strip_prefix("set"));
        if let Some(c) = chooses {
            let [one, other] = match &code.operands[..] {
                [_, from] => [self.read(from, n, s), self.read(to, n, s + 2)],
                _ => [Node::number(1), Node::number(0)],
            };
            let value = self.choice(c, &one, &other);
            self.write(to, value, s + 5);
            return true;
        }
        let op = match name {
            "add" | "inc" => Op::Add,
            "sub" | "dec" | "cmp" | "neg" => Op::Sub,
            "and" | "test" => Op::And,
            "or" => Op::Or,
            "xor" | "not" => Op::Xor,
            "shl" => Op::Left,
            "shr" => Op::Right,
            "imul" => Op::Times,
            _ => return false,
        };
        let (a, b) = match (name, &code.operands[..]) {
            ("inc" | "dec", [a]) => (self.read(a, n, s), Node::number(1)),
            ("neg", [a]) => (Node::number(0), self.read(a, n, s)),
            ("not", [a]) => (self.read(a, n, s), Node::number(u64::MAX)),
            ("shl" | "shr", [a, Operand::Number(k)]) if (1..8 * n as u64).contains(k) => {
                (self.read(a, n, s), Node::number(*k))
            }
            ("shl" | "shr", _) => return false,
            ("imul", [_, a, b]) | (_, [a, b]) => {
                let x = self.read(a, n, s);
                (x, self.read(b, n, s + 2))
            }
            _ => return false,
        };
        let zero = code.operands.get(1) == Some(to) && matches!(name, "xor" | "sub");
        let same = code.operands.get(1) == Some(to) && name == "test";
        let value = match () {
            () if zero => Value::Is(Node::number(0)),
            () if same => Value::Is(a.clone()),
            () => self.op(op, &a, &b),
        };
        let value = self.masked(value, n, s + 4);
        self.flags = match (name, &value) {
            ("not", _) => self.flags.clone(),
            ("cmp" | "sub", _) if !zero => Flags::Of(Kind::Compared, a, b, n),
            ("imul", _) | (_, Value::Any | Value::Few(_)) => Flags::Unknown,
            ("and" | "test" | "or" | "xor" | "sub", Value::Is(v)) => {
                Flags::Of(Kind::Logic, v.clone(), Node::number(0), n)
            }
            (_, Value::Is(v)) => Flags::Of(Kind::Result, v.clone(), Node::number(0), n),
        };
        if !matches!(name, "cmp" | "test") {
            self.write(to, value, s + 5);
        }
        true
    }
    /// One of two numbers, by a condition.
    fn choice(&self, c: &str, one: &Rc<Node>, other: &Rc<Node>) -> Value {
        match (self.when(c, true), self.when(c, false)) {
            (None, _) => Value::Is(other.clone()),
            (_, None) => Value::Is(one.clone()),
            (Some(yes), Some(no)) => {
                let flags = self.flags.clone();
                let symbols = [one.symbol, other.symbol].into_iter().chain(flags.symbols());
                let symbols: BTreeSet<Symbol> = symbols.flatten().collect();
                let of_flags = match &flags {
                    Flags::Unknown => SIZE,
                    Flags::Of(_, a, b, _) => a.size + b.size,
                };
                // The values of each, without the other: a least number of any number and a number is not large.
                if let Some(s) = symbols.first()
                    && !matches!(self.values.get(s), Some(Values::Set(_)))
                    && let (Some(mut x), Some(y)) = (yes.all(one), no.all(other))
                {
                    x.extend(y);
                    return Value::Few(x.into_iter().collect());
                }
                let size = 1 + one.size + other.size + of_flags;
                let decides = holds(c, Kind::Compared, [0, 0], 8).is_some()
                    && (!matches!(flags, Flags::Of(Kind::Result, ..))
                        || matches!(c, "e" | "ne" | "s" | "ns"));
                if symbols.len() < 2 && size < SIZE && decides {
                    let what = What::If(c.into(), flags, one.clone(), other.clone());
                    let symbol = symbols.first().copied();
                    return Value::Is(Rc::new(Node { symbol, size, what }));
                }
                match (yes.all(one), no.all(other)) {
                    (Some(mut x), Some(y)) if x.len() + y.len() <= FEW => {
                        x.extend(y);
                        Value::Few(x.into_iter().collect())
                    }
                    _ => Value::Any,
                }
            }
        }
    }
    /// An instruction that is not listed: vectors change what they name, others may change all.
    fn unlisted(&mut self, s: Symbol, code: &Code) {
        let of_vectors = |o: &Operand| matches!(o, Operand::Vector { .. } | Operand::Mask { .. });
        let name = code.name.as_str();
        let implied = ["str", "maskmov", "scatter", "rep", "sto", "movs"];
        let vectors = code.operands.iter().any(of_vectors)
            && code.odd.is_none()
            && !implied.iter().any(|w| name.contains(w) && !name.starts_with("vpmov"));
        let listed = [
            "rol", "ror", "sar", "bswap", "movsx", "movsxd", "shlx", "shrx", "sarx", "rorx",
            "andn", "adc", "sbb", "bt", "tzcnt", "lzcnt", "popcnt", "shld", "shrd", "shl", "shr",
        ];
        self.flags = Flags::Unknown;
        if vectors || listed.contains(&name) && code.odd.is_none() {
            match code.operands.first() {
                Some(Operand::Memory { place, n, .. }) => self.store(place, *n, Value::Any),
                Some(o) => self.write(o, Value::Any, s),
                None => {}
            }
            return;
        }
        self.clobber(&std::array::from_fn::<usize, 16, _>(|r| r));
        // Products and quotients write no memory.
        if matches!(name, "mul" | "mulx" | "imul" | "div") && code.odd.is_none() {
            return;
        }
        self.stack.clear();
        if !matches!(name, "cld" | "std" | "xchg") && !name.starts_with("rep") {
            self.sp = None;
        }
    }
}

/// For each instruction of a function whether a call may reach it; all, if a jump goes to an address in a register.
pub fn reached(p: &Program, f: &Function) -> Vec<bool> {
    let body = f.first..f.first + f.len;
    let all = vec![true; f.len];
    let unknown = |code: &Code| !matches!(code.operands.first(), Some(Operand::Code(_)));
    let jumps = |code: &Code| code.flow().starts_with('j');
    if p.abi.link.is_some() || p.code[body.clone()].iter().any(|c| jumps(c) && unknown(c)) {
        return all;
    }
    let to = |code: &Code| place_of(p, code).filter(|i| body.contains(i));
    let mut leaders: BTreeMap<usize, (usize, State)> = BTreeMap::new();
    let targets: BTreeSet<usize> =
        p.code[body.clone()].iter().filter(|c| jumps(c)).filter_map(to).collect();
    let mut seen = vec![false; f.len];
    leaders.insert(f.first, (0, State::new()));
    let mut work = BTreeSet::from([f.first]);
    while let Some(first) = work.pop_first() {
        let (mut i, mut state) = (first, leaders[&first].1.clone());
        let mut goes = |to: usize, state: State, leaders: &mut BTreeMap<usize, (usize, State)>| {
            let Some((visits, old)) = leaders.get_mut(&to) else {
                leaders.insert(to, (0, state));
                work.insert(to);
                return;
            };
            let new = old.meets(&state, *visits);
            if new != *old {
                (*visits, *old) = (*visits + 1, new);
                work.insert(to);
            }
        };
        while body.contains(&i) {
            let code = &p.code[i];
            seen[i - f.first] = true;
            match code.flow() {
                "ret" | "ud2" => break,
                "call" | "jmp" if stops(p, code) => break,
                "call" => {
                    state.clobber(p.abi.changed);
                    state.stack.clear();
                }
                "jmp" => {
                    to(code).into_iter().for_each(|to| goes(to, state.clone(), &mut leaders));
                    break;
                }
                name if name.starts_with('j') => {
                    let c = &name[1..];
                    if let (Some(to), Some(state)) = (to(code), state.when(c, true)) {
                        goes(to, state, &mut leaders);
                    }
                    let Some(next) = state.when(c, false) else { break };
                    state = next;
                }
                _ => state.step(i, code),
            }
            i += 1;
            if targets.contains(&i) {
                goes(i, state, &mut leaders);
                break;
            }
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::{Machine, Meanings, STACK, STACK_LEN};
    use crate::record::Random;

    fn program(lines: &[&str]) -> Program {
        Program::of_lines(&lines.iter().map(|l| (*l).into()).collect::<Vec<String>>())
    }
    fn ways(p: &Program) -> Vec<bool> {
        reached(p, &Function { path: String::new(), first: 0, len: p.code.len() })
    }

    /// The last line but one is not reached, or it is.
    #[test]
    fn ends_of_ranges() {
        for (lines, is) in [
            (&["cmp rdi,0x10", "ja 4 <f>", "cmp rdi,0x11", "je 5 <f>", "ret"][..], false),
            (&["cmp rdi,0x10", "ja 4 <f>", "cmp rdi,0x10", "je 5 <f>", "ret"], true),
            (&["cmp rdi,0x10", "jg 4 <f>", "cmp rdi,0x11", "ja 5 <f>", "ret"], true),
            (&["cmp edi,0x10", "ja 4 <f>", "cmp rdi,0x11", "je 5 <f>", "ret"], true),
            (
                &[
                    "lea rsi,[rdi+0x3]",
                    "shr rsi,0x2",
                    "cmp rdi,0x10",
                    "ja 6 <f>",
                    "cmp rsi,0x5",
                    "jae 7 <f>",
                    "ret",
                ],
                false,
            ),
            (
                &[
                    "lea rsi,[rdi+0x3]",
                    "shr rsi,0x2",
                    "cmp rdi,0x11",
                    "ja 6 <f>",
                    "cmp rsi,0x5",
                    "jae 7 <f>",
                    "ret",
                ],
                true,
            ),
            (
                &["mov eax,0x4", "cmp rdi,0x4", "cmovb rax,rdi", "cmp rax,0x4", "ja 6 <f>", "ret"],
                false,
            ),
            (
                &["mov eax,0x4", "cmp rdi,0x4", "cmovg rax,rdi", "cmp rax,0x4", "ja 6 <f>", "ret"],
                true,
            ),
        ] {
            let lines = [lines, &["mov eax,0x1", "ret"]].concat();
            let p = program(&lines);
            assert_eq!(ways(&p)[lines.len() - 2], is, "{lines:?}");
        }
    }

    /// A word of the stack is what was written last: by its name, by any other address, or by a call.
    #[test]
    fn words_of_the_stack() {
        for (between, is) in [
            ("mov rax,rdi", false),
            ("mov QWORD PTR [rsp-0x8],rsi", false),
            ("vmovups XMMWORD PTR [rsp-0x40],xmm0", false),
            ("mov QWORD PTR [rsp-0x10],rsi", true),
            ("mov DWORD PTR [rsp-0xc],esi", true),
            ("mov BYTE PTR [rsi],al", true),
            ("vmovups XMMWORD PTR [rsp-0x18],xmm0", true),
            ("mov QWORD PTR [rsp+rdi*8-0x10],rsi", true),
            ("inc QWORD PTR [rsp-0x10]", false),
            ("call a0 <f>", true),
            ("cpuid", true),
        ] {
            let lines = [
                "mov QWORD PTR [rsp-0x10],0x1",
                between,
                "cmp QWORD PTR [rsp-0x10],0x3",
                "jb 5 <f>",
                "mov eax,0x1",
                "ret",
            ];
            assert_eq!(ways(&program(&lines))[4], is, "{between}");
        }
    }

    /// A line that is drawn: of four registers, two words of the stack, one of which rdi leads to as well, and jumps.
    fn drawn(random: &mut Random, lines: u64) -> String {
        let mut draw = |n: u64| random.next() % n;
        let wide = ["rax", "rcx", "rdx", "rsi"];
        let narrow = ["eax", "ecx", "edx", "esi"];
        let least = ["al", "cl", "dl", "sil"];
        let (a, b) = (draw(4) as usize, draw(4) as usize);
        let n = [draw(4), draw(9), 1 << draw(34), 0xffff_ffff, 0x7fff_ffff][draw(5) as usize];
        let word = ["[rsp-0x10]", "[rsp-0x20]", "[rdi]"][draw(3) as usize];
        let c =
            ["e", "ne", "b", "ae", "be", "a", "l", "ge", "le", "g", "s", "ns"][draw(12) as usize];
        let name = ["add", "sub", "and", "or", "xor", "cmp", "cmp", "cmp", "test", "mov"]
            [draw(10) as usize];
        let small = n & 0x7fff_ffff;
        match draw(16) {
            0..4 => format!("j{c} {:x} <one>", draw(lines)),
            4 => format!("{name} {},0x{small:x}", wide[a]),
            5 => format!("{name} {},0x{n:x}", narrow[a]),
            6 => format!("{name} {},{}", wide[a], wide[b]),
            7 => format!("{name} {},{}", narrow[a], narrow[b]),
            8 => format!("mov QWORD PTR {word},{}", wide[a]),
            9 => format!("{name} {},QWORD PTR {word}", wide[a]),
            10 => {
                format!("lea {},[{}+{}*4-0x{:x}]", wide[a], wide[b], wide[draw(4) as usize], n % 64)
            }
            11 => format!("{} {},0x{:x}", ["shl", "shr"][draw(2) as usize], narrow[a], 1 + n % 31),
            12 => format!("cmov{c} {},{}", wide[a], wide[b]),
            13 => format!("set{c} {}", least[a]),
            14 => format!("{} {}", ["inc", "dec", "neg", "not"][draw(4) as usize], wide[a]),
            _ => format!("movzx {},{}", narrow[a], least[b]),
        }
    }

    /// No instruction runs that is said not to be reached: programs drawn at random, on numbers.
    #[test]
    fn what_runs_is_reached() {
        let mut random = Random(60);
        let (mut excluded, mut runs) = (0, 0);
        for _ in 0..6000 {
            let n = 6 + random.next() % 14;
            let mut lines: Vec<String> = (0..n).map(|_| drawn(&mut random, n + 1)).collect();
            lines.push("ret".into());
            let p = Program::of_lines(&lines);
            let is = ways(&p);
            let mut ran = vec![false; lines.len()];
            for _ in 0..12 {
                let mut m = Machine::new(&p, Meanings::new(&p));
                m.begin();
                m.most = 300;
                for r in [0, 1, 2, 6] {
                    let draw = random.next();
                    m.set(
                        r,
                        [draw % 4, draw % 20, draw, 0_u64.wrapping_sub(draw % 9)]
                            [(draw >> 40) as usize % 4],
                    );
                }
                let top = STACK + STACK_LEN - 8;
                m.set(7, top - 0x10);
                for at in [top - 0x10, top - 0x20] {
                    m.store(at, &crate::bytes::bytes::<8>(random.next() % 6)).expect("a place");
                }
                runs += usize::from(m.call(0).is_ok());
                ran.iter_mut().zip(&m.seen).for_each(|(ran, seen)| *ran |= seen);
            }
            for i in 0..lines.len() {
                assert!(is[i] || !ran[i], "line {i:x} of {lines:#?}");
                excluded += usize::from(!is[i]);
            }
        }
        assert!(excluded > 5000 && runs > 5000, "{excluded} {runs}");
    }
}
