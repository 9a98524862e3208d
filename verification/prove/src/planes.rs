//! Functions on bit planes: the same Boolean function in every column.
//!
//! While planes are on, a byte is a Boolean function of inputs, kept as a binary decision diagram, and the column in
//! which it is: its place in the plane. Bit k of the byte is that function of bits k of the inputs' bytes in this
//! column. A byte of a key that all blocks have in common is 0 or 255: it belongs to every column. Logic joins bytes of
//! one column only; of two columns, it makes an unknown. A move keeps the column of a byte, so that at a different
//! place of a result it differs. So one diagram says it for all columns, and a kernel that mixes them is refused.
//! Everything else makes a byte that is no such function, and that no result may be.

use std::cell::{Cell, RefCell};

use crate::domain::{Byte, ZERO, junk, name, var};
use crate::sums::Map;

type Node = u32;
/// The place of a byte in its plane.
type Column = u32;
/// Every place: a byte of constants and of keys of all blocks.
const EVERY: Column = u32::MAX;

#[derive(Default)]
struct Diagrams {
    /// The most nodes.
    most: usize,
    /// Set when diagrams have grown too large: of the wrong S-boxes' second round, they would without end.
    full: bool,
    /// A variable, and what it decides between; 0 and 1 are the constants.
    nodes: Vec<(u32, Node, Node)>,
    numbers: Map<(u32, Node, Node), Node>,
    chosen: Map<(Node, Node, Node), Node>,
    bytes: Map<(Node, Column), Byte>,
    of: Map<Byte, (Node, Column)>,
    /// Functions that the standard has named: variables from there on.
    named: Map<Node, Node>,
}

thread_local! {
    static DIAGRAMS: RefCell<Diagrams> = RefCell::new(Diagrams::default());
    static ON: Cell<bool> = const { Cell::new(false) };
}

/// Begins, with nothing named, and at most this many nodes.
pub fn begin(most: usize) {
    ON.set(true);
    DIAGRAMS.with_borrow_mut(|d| {
        *d = Diagrams {
            most,
            nodes: vec![(u32::MAX, 0, 0), (u32::MAX, 1, 1)],
            ..Default::default()
        };
    });
}
/// Ends.
pub fn end() {
    if ON.replace(false) {
        DIAGRAMS.with_borrow_mut(|d| *d = Diagrams::default());
    }
}
/// Returns whether planes are on.
pub fn on() -> bool {
    ON.get()
}
/// An input of every column: variables with lower numbers are decided first.
pub fn input(order: u32) -> Byte {
    DIAGRAMS.with_borrow_mut(|d| {
        let node = d.node(order, 0, 1);
        d.byte(node, EVERY)
    })
}
/// Names a function by an input.
pub fn named(function: Byte, order: u32) -> Byte {
    DIAGRAMS.with_borrow_mut(|d| {
        let new = d.node(order, 0, 1);
        if let Some((node, _)) = d.of(function) {
            d.named.insert(node, new);
        }
        d.byte(new, EVERY)
    })
}
/// The function of a byte, in one column.
pub fn at(function: Byte, column: usize) -> Byte {
    DIAGRAMS.with_borrow_mut(|d| match d.of(function) {
        Some((node, _)) => d.byte(node, column as Column),
        None => function,
    })
}

impl Diagrams {
    fn node(&mut self, var: u32, no: Node, yes: Node) -> Node {
        if no == yes {
            return no;
        }
        let next = self.nodes.len() as Node;
        if self.nodes.len() > self.most {
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
    fn byte(&mut self, node: Node, column: Column) -> Byte {
        let node = *self.named.get(&node).unwrap_or(&node);
        match node {
            0 => return ZERO,
            1 => return Byte::new(255),
            _ => {}
        }
        let b = *self.bytes.entry((node, column)).or_insert_with(var);
        self.of.insert(b, (node, column));
        b
    }
    /// The function that a byte is, and its column; `None` if it is no function of a column.
    fn of(&self, b: Byte) -> Option<(Node, Column)> {
        match b.number() {
            Some(0) => Some((0, EVERY)),
            Some(255) => Some((1, EVERY)),
            Some(_) => None,
            None => self.of.get(&b).copied(),
        }
    }
}

/// The function of three bits with this table, as `bytes::ternary` has it; a byte that is no function of a column, and
/// bytes of several columns, become an unknown.
pub fn ternary(truth: u8, operands: [Byte; 3]) -> Byte {
    let r = DIAGRAMS.with_borrow_mut(|d| {
        let [a, b, c] = operands.map(|b| d.of(b));
        let ((a, x), (b, y), (c, z)) = (a?, b?, c?);
        let column = x.min(y).min(z);
        if d.full || [x, y, z].iter().any(|other| ![EVERY, column].contains(other)) {
            return None;
        }
        let leaf = |i: u8| Node::from(truth >> i & 1);
        let by_c: [Node; 4] =
            std::array::from_fn(|i| d.choose(c, leaf(2 * i as u8 + 1), leaf(2 * i as u8)));
        let (low, high) = (d.choose(b, by_c[1], by_c[0]), d.choose(b, by_c[3], by_c[2]));
        let r = d.choose(a, high, low);
        // A diagram that was cut short is no function of anything.
        if d.full { None } else { Some(d.byte(r, column)) }
    });
    debug_assert!(r.is_none_or(|r| r.number().is_some() || name(r).is_some()));
    r.unwrap_or_else(junk)
}
/// A XOR of two.
pub fn xor(a: Byte, b: Byte) -> Byte {
    ternary(0x3c, [a, b, ZERO])
}
/// The AND of two bytes.
pub fn and(a: Byte, b: Byte) -> Byte {
    ternary(0xc0, [a, b, ZERO])
}
/// The OR of two bytes.
pub fn or(a: Byte, b: Byte) -> Byte {
    ternary(0xfc, [a, b, ZERO])
}

/// A round of RFC 8891 on planes, in every column: b, where the sums of a and the key are substituted, turned by 11 and added.
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
            // From the values of the row: a sum of products of all four bits.
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
