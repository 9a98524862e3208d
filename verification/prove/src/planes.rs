//! Functions on bit planes: every operation is by bits, so one column says it for all.
//!
//! While planes are on, a byte is a Boolean function of the column's inputs, kept as a binary decision diagram. Its
//! nodes are variables of the domain: a plane is that byte in all its places. Only logic, moves and shuffles of
//! whole bytes have meanings then, since everything else would make other bytes of it, which no result may be.

use std::cell::RefCell;

use crate::domain::{Byte, ZERO, junk, name, var};
use crate::sums::Map;

type Node = u32;
const MOST: Node = 1_000_000;

#[derive(Default)]
struct Diagrams {
    on: bool,
    /// Set where inputs are numbers: the state of their source.
    drawn: Option<u64>,
    /// Set when diagrams have grown too large: of the wrong S-boxes' second round, they would without end.
    full: bool,
    /// A variable, and what it decides between; 0 and 1 are the constants.
    nodes: Vec<(u32, Node, Node)>,
    numbers: Map<(u32, Node, Node), Node>,
    chosen: Map<(Node, Node, Node), Node>,
    bytes: Map<Node, Byte>,
    of: Map<Byte, Node>,
    /// Functions that the standard has named: variables from there on.
    named: Map<Node, Byte>,
}

thread_local! {
    static DIAGRAMS: RefCell<Diagrams> = RefCell::new(Diagrams::default());
}

/// Begins, with nothing named.
///
/// With numbers, inputs are bits that look random.
pub fn begin(numbers: Option<u64>) {
    DIAGRAMS.with_borrow_mut(|d| {
        *d = Diagrams {
            on: true,
            drawn: numbers,
            nodes: vec![(u32::MAX, 0, 0), (u32::MAX, 1, 1)],
            ..Default::default()
        };
    });
}
/// Ends.
pub fn end() {
    DIAGRAMS.with_borrow_mut(|d| *d = Diagrams::default());
}
/// Returns whether planes are on.
pub fn on() -> bool {
    DIAGRAMS.with_borrow(|d| d.on)
}
/// An input: variables with lower numbers are decided first.
pub fn input(order: u32) -> Byte {
    DIAGRAMS.with_borrow_mut(|d| {
        if let Some(state) = &mut d.drawn {
            let mut random = crate::record::Random(*state);
            let bit = random.next() & 1;
            *state = random.0;
            return Byte::new(if bit != 0 { 255 } else { 0 });
        }
        let node = d.node(order, 0, 1);
        d.byte(node)
    })
}
/// Names a function by an input.
pub fn named(function: Byte, order: u32) -> Byte {
    if DIAGRAMS.with_borrow(|d| d.drawn.is_some()) {
        return function;
    }
    let new = input(order);
    DIAGRAMS.with_borrow_mut(|d| {
        if let Some(node) = d.of(function) {
            d.named.insert(node, new);
        }
    });
    new
}

impl Diagrams {
    fn node(&mut self, var: u32, no: Node, yes: Node) -> Node {
        if no == yes {
            return no;
        }
        let next = self.nodes.len() as Node;
        if next > MOST {
            self.full = true;
            return 0;
        }
        let number = *self.numbers.entry((var, no, yes)).or_insert(next);
        if number == next {
            self.nodes.push((var, no, yes));
        }
        number
    }
    /// `yes` where `by` is 1, else `no`.
    fn choose(&mut self, by: Node, yes: Node, no: Node) -> Node {
        match (by, yes, no) {
            (0, _, _) => return no,
            (1, _, _) => return yes,
            (_, 1, 0) => return by,
            _ if yes == no || self.full => return yes,
            _ => {}
        }
        if let Some(r) = self.chosen.get(&(by, yes, no)) {
            return *r;
        }
        let top = [by, yes, no].map(|n| self.nodes[n as usize].0).into_iter().min().unwrap_or(0);
        let part = |d: &Self, n: Node, one: bool| match d.nodes[n as usize] {
            (v, no, yes) if v == top => {
                if one {
                    yes
                } else {
                    no
                }
            }
            _ => n,
        };
        let [low, high] = [false, true].map(|one| {
            let (b, y, n) = (part(self, by, one), part(self, yes, one), part(self, no, one));
            self.choose(b, y, n)
        });
        let r = self.node(top, low, high);
        self.chosen.insert((by, yes, no), r);
        r
    }
    fn byte(&mut self, node: Node) -> Byte {
        if let Some(b) = self.named.get(&node).or_else(|| self.bytes.get(&node)) {
            return *b;
        }
        let b = match node {
            0 => ZERO,
            1 => Byte::new(255),
            _ => var(),
        };
        self.bytes.insert(node, b);
        self.of.insert(b, node);
        b
    }
    /// The function that a byte is; none if it is none of a column.
    fn of(&self, b: Byte) -> Option<Node> {
        match b.number() {
            Some(0) => Some(0),
            Some(255) => Some(1),
            Some(_) => None,
            None => self.of.get(&b).copied(),
        }
    }
}

/// The function of three bits with this table, as `bytes::ternary` has it; a byte that is none of a column
/// becomes an unknown.
pub fn ternary(truth: u8, operands: [Byte; 3]) -> Byte {
    let r = DIAGRAMS.with_borrow_mut(|d| {
        let [a, b, c] = operands.map(|b| d.of(b));
        let (a, b, c) = (a?, b?, c?);
        if d.full {
            return None;
        }
        let leaf = |i: u8| Node::from(truth >> i & 1);
        let by_c: [Node; 4] =
            std::array::from_fn(|i| d.choose(c, leaf(2 * i as u8 + 1), leaf(2 * i as u8)));
        let (low, high) = (d.choose(b, by_c[1], by_c[0]), d.choose(b, by_c[3], by_c[2]));
        let r = d.choose(a, high, low);
        // A diagram that was cut short is no function of anything.
        if d.full { None } else { Some(d.byte(r)) }
    });
    debug_assert!(r.is_none_or(|r| r.number().is_some() || name(r).is_some()));
    r.unwrap_or_else(junk)
}
/// A XOR of two.
pub fn xor(a: Byte, b: Byte) -> Byte {
    ternary(0x3c, [a, b, ZERO])
}
/// Both of two.
pub fn and(a: Byte, b: Byte) -> Byte {
    ternary(0xc0, [a, b, ZERO])
}
/// One of two.
pub fn or(a: Byte, b: Byte) -> Byte {
    ternary(0xfc, [a, b, ZERO])
}

/// A round of RFC 8891 on planes: b, where the sums of a and the key are substituted, turned by 11 and added.
pub fn round(rows: &[[u8; 16]; 8], a: &[Byte], key: &[Byte], b: &[Byte]) -> Vec<Byte> {
    let (mut sum, mut carry) = (Vec::new(), ZERO);
    for (a, k) in a.iter().zip(key) {
        sum.push(ternary(0x96, [*a, *k, carry]));
        // Two of three.
        carry = ternary(0xe8, [*a, *k, carry]);
    }
    let mut out = b.to_vec();
    for (i, row) in rows.iter().enumerate() {
        for bit in 0..4 {
            // By the values of the row: a sum of products of all four bits.
            let mut value = ZERO;
            for (x, y) in row.iter().enumerate().filter(|(_, y)| **y >> bit & 1 != 0) {
                let _ = y;
                let mut all = Byte::new(255);
                for k in 0..4 {
                    let s = sum[4 * i + k];
                    all = and(all, if x >> k & 1 != 0 { s } else { xor(s, Byte::new(255)) });
                }
                value = or(value, all);
            }
            let to = (4 * i + bit + 11) % 32;
            out[to] = xor(out[to], value);
        }
    }
    out
}
