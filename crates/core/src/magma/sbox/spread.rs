//! S of one block by look-ups of nibbles that lie in a byte each: for one chained stream on sets of 256 bits without VBMI,
//! where only the chain of a round counts.
//!
//! A register of eight bytes has nibble i of a word x in byte i: in its low half if `UP[i]` is 0, in its high half if it is 1.
//! The other halves of a key's bytes are ones, so that sums carry from nibble to nibble through them. Between rounds a
//! half-block is kept as n, before its rotation: byte i has the sum of the entries that box i gave.
//!
//! ```text
//! x = bytes of n by FROM_0 & PART_0  ^  bytes of n by FROM_1 & PART_1
//! t = x + k                                            64 bits
//! n' = n' ^ boxes[0][t & CHOSEN[0]] ^ boxes[1][t & CHOSEN[1]]
//!         ^ boxes[2][t >> 4 & CHOSEN[2]] ^ boxes[3][t >> 4 & CHOSEN[3]] ^ zeros
//! ```
//!
//! - The rotation by 11 costs nothing. It moves the lowest bit of box i to the highest of nibble i + 2, and the other three
//!   to the low bits of nibble i + 3. Entries have these bits where the halves of bytes i + 2 and i + 3 need them, so that
//!   two moves of bytes put them there.
//! - A look-up is of two boxes, whose entries share a table: `UP` and `PAIRS` are chosen so that they use different bits.
//!   Byte i then has bits of the other box as well, which `PART` takes out.
//! - All other bytes look up the entry 0, which is zero as in `nibbles.rs`.
//!
//! A round is 20 operations, a chain of 9: move, mask, add, add, mask, two look-ups at a time twice, and two sums. By
//! words (`nibbles.rs`) it is 30, in a chain that costs 10 cycles.

use core::ops::BitXor;

use crate::magma::round::Word;
use crate::simd::Vector;

/// For each nibble: 1 if it lies in the high half of its byte.
const UP: [usize; 8] = [0, 1, 0, 1, 1, 0, 0, 1];
/// The boxes of each look-up: two with low nibbles twice, then two with high nibbles twice.
const PAIRS: [[usize; 2]; 4] = [[0, 2], [5, 6], [1, 3], [4, 7]];

/// The entry of box `i` with the value `v`: its bits as bytes i + 2 and i + 3 need them.
const fn entry(i: usize, v: u8) -> u8 {
    (v & 1) << (4 * UP[(i + 2) % 8] + 3) | (v >> 1) << (4 * UP[(i + 3) % 8])
}

const _: () = {
    let mut q = 0;
    while q < 4 {
        let [i, j] = PAIRS[q];
        assert!(UP[i] == q / 2 && UP[j] == q / 2 && entry(i, 15) ^ entry(j, 15) == 255);
        q += 1;
    }
};

/// Constants by the place of a byte, 0 to 15.
macro_rules! by_place {
    ($($name:ident = |$p:ident, $i:ident| $e:expr;)*) => {$(
        const $name: [u8; 16] = {
            let (mut all, mut $p) = ([0; 16], 0);
            while $p < 16 {
                #[allow(unused_variables)]
                let $i = $p % 8;
                all[$p] = $e as u8;
                $p += 1;
            }
            all
        };
    )*};
}

by_place! {
    // Bytes of the first half to where a round needs them.
    FROM_0 = |p, i| if p < 8 { (i + 6) % 8 } else { 128 };
    FROM_1 = |p, i| if p < 8 { (i + 5) % 8 } else { 128 };
    PART_0 = |p, i| 8 << (4 * UP[i]);
    PART_1 = |p, i| 7 << (4 * UP[i]);
    // And back, of both halves.
    TO_0 = |p, i| p - i + (i + 2) % 8;
    TO_1 = |p, i| p - i + (i + 3) % 8;
    // The ones of a key's bytes.
    ONES = |p, i| if p < 8 { 0xf0 >> (4 * UP[i]) } else { 0 };
    // Nibbles that lie in the half where they are in a word; that go down; that go up.
    SAME = |p, i| if UP[i] == i % 2 { 15 << (4 * UP[i]) } else { 0 };
    DOWN = |p, i| if UP[i] < i % 2 { 15 } else { 0 };
    RAISED = |p, i| if UP[i] > i % 2 { 0xf0 } else { 0 };
    RAISED_BACK = |p, i| if UP[i] < i % 2 { 0xf0 } else { 0 };
    DOWN_BACK = |p, i| if UP[i] > i % 2 { 15 } else { 0 };
    // Each byte of a word twice.
    TWICE = |p, i| if p < 8 { i / 2 } else { 128 };
    // The halves of a register, exchanged.
    OTHER = |p, i| (p + 8) % 16;
}

/// Entries by values, where the two bytes that need them have their nibbles low or high.
const ENTRIES: [[u8; 16]; 8] = {
    let (mut all, mut n) = ([[0; 16]; 8], 0);
    while n < 128 {
        all[n / 16][n % 16] = entry(n / 16, n as u8 % 16);
        n += 1;
    }
    all
};

/// The bytes that look-up `q` chooses.
const CHOSEN: [[u8; 16]; 4] = {
    let (mut all, mut q) = ([[0; 16]; 4], 0);
    while q < 4 {
        all[q][PAIRS[q][0]] = 15;
        all[q][PAIRS[q][1]] = 15;
        q += 1;
    }
    all
};

/// A half-block, or a key, by nibbles in the first eight bytes of 16; the others count for nothing.
#[derive(Clone, Copy)]
pub(in crate::magma) struct Spread<N>(N);

/// The tables of a round.
#[derive(Clone, Copy)]
pub(in crate::magma) struct SpreadTables<N> {
    boxes: [N; 4],
    chosen: [N; 4],
    from: [N; 2],
    part: [N; 2],
    zeros: N,
}

/// The bytes of a block, each twice; and from low nibbles and from high ones to its bytes.
#[derive(Clone, Copy)]
pub(in crate::magma) struct SpreadOrders<N> {
    twice: N,
    low: N,
    high: N,
}

impl<N: Vector> BitXor for Spread<N> {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, o: Self) -> Self {
        Spread(self.0.xor(o.0))
    }
}

/// The nibbles of bytes that are there twice, each where it lies in x.
#[inline(always)]
fn apart<N: Vector>(isa: N::Isa, bytes: N) -> N {
    let down = bytes.shr::<4>().and(N::repeat(isa, &DOWN));
    let raised = bytes.shl::<4>().and(N::repeat(isa, &RAISED));
    bytes.and(N::repeat(isa, &SAME)).xor(down).xor(raised)
}

/// x of a half-block.
#[inline(always)]
fn gathered<N: Vector>(n: N, from: &[N; 2], part: &[N; 2]) -> N {
    n.lookup(from[0]).and(part[0]).xor(n.lookup(from[1]).and(part[1]))
}

/// [`FROM_0`] and [`FROM_1`], and the masks.
#[inline(always)]
fn moves<N: Vector>(isa: N::Isa) -> ([N; 2], [N; 2]) {
    let pair = |a: &[u8; 16], b: &[u8; 16]| [N::repeat(isa, a), N::repeat(isa, b)];
    (pair(&FROM_0, &FROM_1), pair(&PART_0, &PART_1))
}

impl<N: Vector> Word for Spread<N> {
    type Isa = N::Isa;
    type Tables = SpreadTables<N>;
    type Orders = SpreadOrders<N>;
    #[inline(always)]
    fn splat(isa: N::Isa, word: u32) -> Self {
        let bytes = N::splat_quad(isa, word).lookup(N::repeat(isa, &TWICE));
        Spread(apart(isa, bytes).xor(N::repeat(isa, &ONES)))
    }
    #[inline(always)]
    fn tables(isa: N::Isa, rows: &[[u8; 16]; 8]) -> SpreadTables<N> {
        let zero = N::splat(isa, 0);
        let (from, part) = moves(isa);
        let mut t = SpreadTables { boxes: [zero; 4], chosen: [zero; 4], from, part, zeros: zero };
        let mut zeros = [0; 16];
        for q in 0..4 {
            let row = |i: usize| N::repeat(isa, &ENTRIES[i]).lookup(N::repeat(isa, &rows[i]));
            let [i, j] = PAIRS[q];
            let first = entry(i, rows[i][0]) | entry(j, rows[j][0]);
            (zeros[i], zeros[j]) = (first, first);
            t.boxes[q] = row(i).xor(row(j)).xor(N::splat(isa, first));
            t.chosen[q] = N::repeat(isa, &CHOSEN[q]);
        }
        t.zeros = N::repeat(isa, &zeros);
        t
    }
    #[inline(always)]
    fn orders(isa: N::Isa, reverse: bool) -> SpreadOrders<N> {
        let (mut twice, mut low, mut high) = ([0; 16], [128; 16], [128; 16]);
        let flip = if reverse { 7 } else { 0 };
        for (i, twice) in twice.iter_mut().enumerate() {
            *twice = (i as u8 / 2) ^ flip;
        }
        for i in 0..8 {
            low[i] = 2 * (i as u8 ^ flip);
            high[i] = low[i] + 1;
        }
        let [twice, low, high] = [twice, low, high].map(|order| N::repeat(isa, &order));
        SpreadOrders { twice, low, high }
    }
    #[inline(always)]
    fn enter(isa: N::Isa, block: &[u8; 8], orders: SpreadOrders<N>) -> (Self, Self) {
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(block);
        let x = apart(isa, N::repeat(isa, &bytes).lookup(orders.twice));
        let [a, b] = moves::<N>(isa).1.map(|part| x.and(part));
        let n = a.lookup(N::repeat(isa, &TO_0)).xor(b.lookup(N::repeat(isa, &TO_1)));
        (Spread(n), Spread(n.lookup(N::repeat(isa, &OTHER))))
    }
    #[inline(always)]
    fn leave(isa: N::Isa, halves: (Self, Self), orders: SpreadOrders<N>, block: &mut [u8; 8]) {
        let (from, part) = moves(isa);
        let last = gathered(halves.1.0, &from, &part).lookup(N::repeat(isa, &OTHER));
        let x = gathered(halves.0.0, &from, &part).xor(last);
        let raised = x.shl::<4>().and(N::repeat(isa, &RAISED_BACK));
        let down = x.shr::<4>().and(N::repeat(isa, &DOWN_BACK));
        let x = x.and(N::repeat(isa, &SAME)).xor(raised).xor(down);
        let mut bytes = [0; 16];
        x.lookup(orders.low).xor(x.lookup(orders.high)).store_one(&mut bytes);
        block.copy_from_slice(&bytes[..8]);
    }
    #[inline(always)]
    fn round(t: &SpreadTables<N>, current: Self, previous: Self, key: Self) -> Self {
        let sum = gathered(current.0, &t.from, &t.part).add_longs(key.0);
        let high = sum.shr::<4>();
        let mut of = [sum; 4];
        for (q, of) in of.iter_mut().enumerate() {
            let from = if q < 2 { sum } else { high };
            *of = t.boxes[q].lookup(from.and(t.chosen[q]));
        }
        // In this order, as in `nibbles.rs`.
        let early = previous.0.xor(t.zeros).opaque().xor(of[0]).opaque().xor(of[1]).opaque();
        Spread(early.xor(of[2].xor(of[3]).opaque()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The entries of two boxes that share a table use different bits, and a rotation moves them as the standard says.
    #[test]
    fn entries_are_rotated() {
        for i in 0..8 {
            for v in 0..16u8 {
                let word = (u32::from(v) << (4 * i)).rotate_left(11);
                for (p, part) in [(i + 2, PART_0), (i + 3, PART_1)] {
                    let p = p % 8;
                    let nibble = (word >> (4 * p) & 15) as u8;
                    assert_eq!(entry(i, v) & part[p], nibble << (4 * UP[p]));
                }
            }
        }
    }
}
