//! Streebog over [`Nibbles`]: look-ups by four bits, on every instruction set with a shuffle of bytes.
//!
//! Two states go side by side in 128 bytes, a group: byte 2i of each row of 16 is byte i of that row of
//! the first, byte 2i + 1 of the second. A row fills what a shuffle looks up in, so each row has tables
//! of its own. One message puts the key chain and the state chain into a group; two messages put both
//! their keys into one and both their states into another.
//!
//! A byte is kept by its coordinates l | r << 4 (see [`super::subfield`]). S finds for it the numbers
//! of K and of σ: 16 operations, in logarithms, with no table of 256. L adds up, for every row of the
//! result, tables of c(j, k) · K and c(j, k) · σ in coordinates, and P is a transposition of words.
//! What K has at 0 is taken out of the tables and comes back in the round constants.
//!
//! Operations of an LPS of a group in 128 / 256 / 512 bits: S 128 / 64 / 32, L 248 / 128 / 60,
//! P 24 / 12 / 8, keys 24 / 12 / 4. A block of one message has 13, of two 25; entering costs 112 / 56 / 28
//! a block. On x86-64 an LPS in 256 bits is assembly, `core/asm/streebog`, in an order that compilers do not keep;
//! elsewhere it is compiled, and in 512 bits that of two messages (there P has 4) is two LPS side by side. One message of
//! 16 KB on a Zen 5, the bound in cycles for each byte, and what was measured:
//! - `avx2`: 12.7 (S, look-ups on two ports, P, in turn); 15.4 (82 %);
//! - `avx512`: 8.8 (the same); 10.3 (85 %).
//!
//! What does not help: L in fewer look-ups (c(j, k) is a Cauchy matrix, 1/c has rank 2, but no Möbius
//! map takes its points to each other, so that there is no form of Toeplitz's or Karatsuba's); a byte
//! of many messages in a vector (48 operations instead of 52 a vector); sums by the row they come
//! from, of K and of σ together; P after S, of both numbers, so that S need not wait for all sums.

use core::marker::PhantomData;

use super::consts::C;
use super::field::{POLYNOMIAL, c, initial_keys, multiply};
use super::lps::Groups;
use super::message::{BLOCK_BITS, LastBlock, add512, padded};
use super::subfield::{COORDINATES, E, ELEMENTS, K, LOGARITHMS, PHI, SIGMA};
use crate::Secret;
use crate::kernel::{HashKeys, HashLane, HashState};
use crate::simd::{Linear, Nibbles};

/// Bytes where vectors are loaded from.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Aligned<const LEN: usize>([u8; LEN]);

/// To coordinates, and back.
const TO: Linear = {
    let (mut powers, mut i) = ([0; 8], 0);
    while i < 8 {
        powers[i] = COORDINATES[1 << i];
        i += 1;
    }
    Linear::new(&powers)
};
const FROM: Linear = {
    let (mut powers, mut i) = ([0; 8], 0);
    while i < 4 {
        powers[i] = ELEMENTS[1 << i];
        powers[i + 4] = multiply(2, ELEMENTS[1 << i], POLYNOMIAL);
        i += 1;
    }
    Linear::new(&powers)
};

/// By l: its logarithm and 15. For 0 so much that bit 7 is left of it without [`RIGHT`] and 15, and that without
/// [`ZERO`] and 15 it wraps to more than any number of E, as all others do.
const LEFT: [u8; 16] = {
    let (mut t, mut n) = ([254; 16], 1);
    while n < 16 {
        t[n] = 15 + LOGARITHMS[n];
        n += 1;
    }
    t
};
/// By r: its logarithm; for 0 so much that a sum has bit 7.
const RIGHT: [u8; 16] = {
    let mut t = LOGARITHMS;
    t[0] = ZERO;
    t
};
const ZERO: u8 = 0xf0;
/// By l where r = 0: what makes of [`LEFT`] the number of E and [`ZERO`].
const INSTEAD: [u8; 16] = {
    let (mut t, mut n) = ([0; 16], 0);
    while n < 16 {
        t[n] = (ZERO + E[n]).wrapping_sub(LEFT[n]);
        n += 1;
    }
    t
};

/// L of a state whose bytes are all K(0), at each column.
const fn constant(column: usize) -> u8 {
    of_all(K[15], column)
}

/// L of a state whose bytes are all this.
const fn of_all(octet: u8, column: usize) -> u8 {
    let (mut sum, mut j) = (0, 0);
    while j < 8 {
        sum ^= multiply(c(j, column), octet, POLYNOMIAL);
        j += 1;
    }
    COORDINATES[sum as usize]
}

/// What is added after each LPS: for one message, and for the keys of two.
static ONE: [Aligned<128>; 12] = rounds(true);
static TWO: [Aligned<128>; 12] = rounds(false);
/// What K(0) comes to, in both states.
static CONSTANT: Aligned<128> = {
    let (mut t, mut n) = ([0; 128], 0);
    while n < 128 {
        t[n] = constant(n / 2 % 8);
        n += 1;
    }
    Aligned(t)
};

const fn rounds(one: bool) -> [Aligned<128>; 12] {
    let mut t = [Aligned([0; 128]); 12];
    let mut n = 0;
    while n < 12 * 64 {
        let (round, octet) = (n / 64, n % 64);
        let key = COORDINATES[C[round][octet] as usize] ^ constant(octet % 8);
        t[round].0[2 * octet] = key;
        // The state takes its key, so that the constants of both cancel; before the first it was zeros,
        // of which LPS is L of π(0).
        t[round].0[2 * octet + 1] = match (one, round) {
            (true, 0) => of_all(K[E[0] as usize], octet % 8),
            (true, _) => 0,
            (false, _) => key,
        };
        n += 1;
    }
    t
}

/// The keys of the first block, for 512 and for 256 bits of digest: as they come out of [`lps`], but
/// for the first, which is whole.
pub(super) static INITIAL: [HashKeys; 2] = [initial(0), initial(1)];

const fn initial(octet: u8) -> HashKeys {
    let mut keys = initial_keys(octet);
    let mut n = 0;
    while n < 13 * 64 {
        let (i, at) = (n / 64, n % 64);
        let key = COORDINATES[keys[i][at] as usize];
        keys[i][at] = if i == 0 { key } else { key ^ constant(at % 8) };
        n += 1;
    }
    HashKeys(keys)
}

/// What LPS takes from memory; what is not of 64 bytes by itself is repeated.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Lps {
    /// See [`RowTables::L`].
    l: Aligned<2048>,
    pub(super) left: [u8; 64],
    pub(super) right: [u8; 64],
    pub(super) instead: [u8; 64],
    pub(super) phi: [u8; 64],
    pub(super) fifteen: [u8; 64],
    /// With this added, what was more than 15 is more than 127.
    pub(super) wrap: [u8; 64],
}

/// Tables that depend on how many rows a vector has.
struct RowTables<N>(PhantomData<N>);

impl<N: Nibbles> RowTables<N> {
    /// Rows in a vector.
    const ROWS: usize = N::LEN / 16;

    const LPS: Lps = {
        let mut t = Lps {
            l: Self::L,
            left: [0; 64],
            right: [0; 64],
            instead: [0; 64],
            phi: [0; 64],
            fifteen: [15; 64],
            wrap: [0x70; 64],
        };
        let mut n = 0;
        while n < 64 {
            (t.left[n], t.right[n]) = (LEFT[n % 16], RIGHT[n % 16]);
            (t.instead[n], t.phi[n]) = (INSTEAD[n % 16], PHI[n % 16]);
            n += 1;
        }
        t
    };

    /// Tables of products, at \[swap\]\[to\]\[from\]\[K or σ\], each of a vector: rows of vector `from`
    /// times what they give to the rows of vector `to` whose number in the vector differs by `swap`.
    const L: Aligned<2048> = {
        let (mut t, mut n) = ([0; 2048], 0);
        while n < 2048 {
            let vectors = 8 / Self::ROWS;
            let (number, row) = (n % 16, n / 16 % Self::ROWS);
            let at = n / N::LEN;
            let (sigma, at) = (at % 2, at / 2);
            let (from, at) = (at % vectors, at / vectors);
            let (to, swap) = (at % vectors, at / vectors);
            let j = Self::ROWS * from + row;
            // Rows come out in the order that P makes the natural one of columns.
            let k = (row ^ swap) * vectors + to;
            let factor = match (sigma, number) {
                (0, _) => K[number] ^ K[15],
                (_, 15) => 0,
                (_, _) => SIGMA[number],
            };
            t[n] = COORDINATES[multiply(c(j, k), factor, POLYNOMIAL) as usize];
            n += 1;
        }
        Aligned(t)
    };

    /// Where bytes of rows come from when a state enters as the first or the second of a group: in the
    /// vectors of even and of odd number, or, of four rows, in the first and the second half.
    const ENTER: [[Aligned<64>; 2]; 2] = {
        let (mut t, mut n) = ([[Aligned([0x80; 64]); 2]; 2], 0);
        while n < 256 {
            let (second, part, row, octet) = (n / 128, n / 64 % 2, n / 16 % 4, n % 16);
            let here = match Self::ROWS {
                1 => true,
                2 => part == 0,
                _ => part == row / 2,
            };
            let odd = if Self::ROWS == 1 { part } else { row % 2 };
            if here && octet % 2 == second {
                t[second][part].0[16 * row + octet] = (8 * odd + octet / 2) as u8;
            }
            n += 1;
        }
        t
    };
}

/// Within a row: the first state's bytes as the second's, the first alone; and the reverse.
const TO_SECOND: [u8; 16] = {
    let (mut t, mut i) = ([0x80; 16], 0);
    while i < 8 {
        t[2 * i + 1] = 2 * i as u8;
        i += 1;
    }
    t
};
const TO_FIRST: [u8; 16] = {
    let (mut t, mut i) = ([0x80; 16], 0);
    while i < 8 {
        t[2 * i] = 2 * i as u8 + 1;
        i += 1;
    }
    t
};
const FIRST: [u8; 16] = {
    let (mut t, mut i) = ([0; 16], 0);
    while i < 16 {
        t[i] = if i % 2 == 0 { 0xff } else { 0 };
        i += 1;
    }
    t
};

/// 128 bytes in V vectors.
type Group<N, const V: usize> = [N; V];

#[inline(always)]
fn load<N: Nibbles, const V: usize>(isa: N::Isa, octets: &Aligned<128>) -> Group<N, V> {
    let mut x = [N::load(isa, &octets.0); V];
    for a in 1..V {
        x[a] = N::load(isa, &octets.0[N::LEN * a..]);
    }
    x
}

#[inline(always)]
fn sum<N: Nibbles, const V: usize>(mut x: Group<N, V>, y: Group<N, V>) -> Group<N, V> {
    for a in 0..V {
        x[a] = x[a].xor(y[a]);
    }
    x
}

/// A state to coordinates, as the first or the second of a group; zeros as the other.
#[inline(always)]
fn enter<N: Nibbles, const V: usize>(isa: N::Isa, octets: &[u8; 64], second: usize) -> Group<N, V> {
    let mut x = spread(isa, octets, second);
    for a in 0..V {
        x[a] = N::linear(x[a], isa, &TO);
    }
    x
}

/// The same of what has coordinates.
#[inline(always)]
fn spread<N: Nibbles, const V: usize>(
    isa: N::Isa,
    octets: &[u8; 64],
    second: usize,
) -> Group<N, V> {
    let pattern = const { &RowTables::<N>::ENTER };
    let patterns = [N::load(isa, &pattern[second][0].0), N::load(isa, &pattern[second][1].0)];
    let pairs = octets.as_chunks::<16>().0;
    let mut x = [N::splat(isa, 0); V];
    for a in 0..V {
        x[a] = match V {
            8 => N::repeat(isa, &pairs[a / 2]).lookup(patterns[a % 2]),
            4 => N::repeat(isa, &pairs[a]).lookup(patterns[0]),
            _ => {
                let low = N::repeat(isa, &pairs[2 * a]).lookup(patterns[0]);
                low.or(N::repeat(isa, &pairs[2 * a + 1]).lookup(patterns[1]))
            }
        };
    }
    x
}

/// Both states of a group from coordinates.
#[inline(always)]
fn leave<N: Nibbles, const V: usize>(isa: N::Isa, mut x: Group<N, V>) -> [Secret<[u8; 64]>; 2] {
    for a in 0..V {
        x[a] = x[a].linear(isa, &FROM);
    }
    gather(x)
}

/// Both states of a group as they are.
#[inline(always)]
fn gather<N: Nibbles, const V: usize>(x: Group<N, V>) -> [Secret<[u8; 64]>; 2] {
    let mut octets = Secret::new([0; 128]);
    for a in 0..V {
        x[a].store(&mut octets[N::LEN * a..]);
    }
    let mut states = [Secret::new([0; 64]), Secret::new([0; 64])];
    // Pair by pair, or the compiler computes an address in vectors for each byte.
    for (i, [first, second]) in octets.as_chunks().0.iter().enumerate() {
        (states[0][i], states[1][i]) = (*first, *second);
    }
    states
}

/// Of each byte the numbers of K and of σ; from 128 on, for K(0) and for nothing.
#[inline(always)]
fn numbers<N: Nibbles>(isa: N::Isa, x: N) -> (N, N) {
    let fifteen = N::splat(isa, 15);
    let (l, r) = (x.low(), x.high());
    let (left, right) = (N::repeat(isa, &LEFT).lookup(l), N::repeat(isa, &RIGHT).lookup(r));
    // The logarithm of l/r mod 15; where r = 0, the number of E. From r, which comes last, it is a difference and a
    // minimum; saturating, though none is below 0, so that the compiler leaves the order of the sums.
    let k = left.add(N::repeat(isa, &INSTEAD).lookup_small(isa, x)).sub_saturating(right);
    let k = k.min(left.sub(fifteen).sub(right));
    let sigma = N::repeat(isa, &PHI).lookup(k).add(right);
    (k, sigma.min(sigma.sub(fifteen)))
}

/// LPS of both states, but for what [`constant`] is. Assembly, where there is any, does the same, and is taken where
/// no other LPS stands beside this one.
#[inline(always)]
fn lps<N: Groups, const V: usize>(isa: N::Isa, x: Group<N, V>, alone: bool) -> Group<N, V> {
    let tables = const { &RowTables::<N>::LPS };
    if alone && let Some(y) = N::lps(tables, x) {
        return y;
    }
    let tables = N::fresh(&tables.l);
    let (mut k, mut sigma) = (x, x);
    for a in 0..V {
        (k[a], sigma[a]) = numbers(isa, x[a]);
    }
    let mut y = x;
    // What has to change places comes first, because that takes long.
    for swap in (0..8 / V).rev() {
        for to in 0..V {
            let mut sum = y[to];
            for from in 0..V {
                let at = ((swap * V + to) * V + from) * 2 * N::LEN;
                let p = N::load(isa, &tables.0[at..]).lookup(k[from]);
                let q = N::load(isa, &tables.0[at + N::LEN..]).lookup(sigma[from]);
                sum = if from == 0 { p.xor(q) } else { sum.xor3(p, q) };
            }
            let sum = sum.swapped(swap);
            y[to] = if swap == 8 / V - 1 { sum } else { y[to].xor(sum) };
        }
    }
    let mut bit = V / 2;
    while bit > 0 {
        for a in 0..V {
            if a & bit == 0 {
                (y[a], y[a | bit]) = y[a].zip_words(y[a | bit]);
            }
        }
        bit /= 2;
    }
    for a in 0..V {
        y[a] = y[a].square();
    }
    y
}

/// g_N of one message; h and h + N in the first state, with zeros as the second.
#[inline(always)]
fn one<N: Groups, const V: usize>(
    isa: N::Isa,
    h: Group<N, V>,
    hn: Group<N, V>,
    m: &[u8; 64],
) -> Group<N, V> {
    let (first, second) = (N::repeat(isa, &TO_FIRST), N::repeat(isa, &TO_SECOND));
    let text: Group<N, V> = enter(isa, m, 1);
    let mut x = hn;
    // One place for LPS, which is long.
    for i in 0..13 {
        x = lps(isa, x, true);
        let Some(c) = ONE.get(i) else { break };
        let c = load::<N, V>(isa, c);
        for a in 0..V {
            // The constant first, which need not wait for the look-up.
            x[a] = x[a].xor(c[a]).opaque().xor(x[a].lookup(second));
            if i == 0 {
                x[a] = x[a].xor(text[a]);
            }
        }
    }
    let mut out = h;
    for a in 0..V {
        // The state, its last key and the message, all as the first.
        let k = x[a].and(N::repeat(isa, &FIRST));
        out[a] = h[a].xor3(k, x[a].xor(text[a]).lookup(first));
    }
    out
}

/// g_N of two messages; h, h + N, m in both states.
#[inline(always)]
fn two<N: Groups, const V: usize>(
    isa: N::Isa,
    h: Group<N, V>,
    hn: Group<N, V>,
    m: Group<N, V>,
) -> Group<N, V> {
    // The compiler puts two of few vectors side by side.
    let alone = V > 2;
    let (mut k, mut x) = (hn, sum(m, load(isa, &CONSTANT)));
    for i in 0..13 {
        k = lps(isa, k, alone);
        if i > 0 {
            x = lps(isa, x, alone);
        }
        x = sum(x, k);
        if let Some(c) = TWO.get(i) {
            k = sum(k, load(isa, c));
        }
    }
    for a in 0..V {
        x[a] = x[a].xor3(h[a], m[a]);
    }
    x
}

/// g_N of one message, as the first, or of two under one sequence of keys.
#[inline(always)]
fn under<N: Groups, const V: usize>(
    isa: N::Isa,
    keys: &HashKeys,
    h: Group<N, V>,
    m: Group<N, V>,
    one: bool,
) -> Group<N, V> {
    let mut x = m;
    for (i, key) in keys.0.iter().enumerate() {
        if i > 0 {
            x = lps(isa, x, true);
        }
        let key: Group<N, V> = spread(isa, key, 0);
        for a in 0..V {
            x[a] = x[a].xor3(key[a], key[a].lookup(N::repeat(isa, &TO_SECOND)));
        }
    }
    for a in 0..V {
        let out = if one { x[a].and(N::repeat(isa, &FIRST)) } else { x[a] };
        x[a] = out.xor3(h[a], m[a]);
    }
    x
}

/// The keys of the next block.
#[inline(always)]
pub(super) fn keys<N: Groups, const V: usize>(isa: N::Isa, state: &HashState) -> HashKeys {
    let mut keys = HashKeys([[0; 64]; 13]);
    let mut k: Group<N, V> = sum(enter(isa, &state.h, 0), enter(isa, &state.n, 0));
    for i in 0..13 {
        k = lps(isa, k, true);
        let kept = if i == 0 { sum(k, load(isa, &CONSTANT)) } else { k };
        keys.0[i] = *gather(kept)[0];
        if i < 12 {
            k = sum(k, load(isa, &TWO[i]));
        }
    }
    keys
}

/// Stage 2: whole blocks, the same number in each lane; the keys, if known, are those of the first.
#[inline(always)]
pub(super) fn blocks<N: Groups, const V: usize>(
    isa: N::Isa,
    keys: Option<&HashKeys>,
    lanes: &mut [HashLane<'_>],
) {
    let (pairs, rest) = lanes.as_chunks_mut::<2>();
    for [a, b] in pairs {
        let mut h = sum(enter::<N, V>(isa, &a.state.h, 0), enter(isa, &b.state.h, 1));
        let mut n = sum(enter(isa, &a.state.n, 0), enter(isa, &b.state.n, 1));
        let mut keys = keys;
        for (m, q) in a.blocks.as_chunks::<64>().0.iter().zip(b.blocks.as_chunks::<64>().0) {
            let text = sum(enter(isa, m, 0), enter(isa, q, 1));
            let hn = sum(h, n);
            for (state, m) in [(&mut *a.state, m), (&mut *b.state, q)] {
                add512(&mut state.n, &BLOCK_BITS);
                add512(&mut state.sigma, m);
            }
            // Here already: vectors are loaded from words only when these have left the processor's queue of stores,
            // for which nothing waits yet.
            n = sum(enter(isa, &a.state.n, 0), enter(isa, &b.state.n, 1));
            h = match keys.take() {
                Some(keys) => under(isa, keys, h, text, false),
                None => two(isa, h, hn, text),
            };
        }
        let [first, second] = leave(isa, h);
        (a.state.h, b.state.h) = (*first, *second);
    }
    for HashLane { state, blocks } in rest {
        let mut h = enter::<N, V>(isa, &state.h, 0);
        let mut n = enter(isa, &state.n, 0);
        let mut keys = keys;
        for m in blocks.as_chunks::<64>().0 {
            let hn = sum(h, n);
            add512(&mut state.n, &BLOCK_BITS);
            add512(&mut state.sigma, m);
            n = enter(isa, &state.n, 0);
            h = match keys.take() {
                Some(keys) => under(isa, keys, h, enter(isa, m, 0), true),
                None => one(isa, h, hn, m),
            };
        }
        state.h = *leave(isa, h)[0];
    }
}

/// Stage 3: what is left of each message, less than 64 bytes; h becomes the digest.
#[inline(always)]
pub(super) fn finish<N: Groups, const V: usize>(
    isa: N::Isa,
    keys: Option<&HashKeys>,
    lanes: &mut [HashLane<'_>],
) {
    let (pairs, rest) = lanes.as_chunks_mut::<2>();
    for [a, b] in pairs {
        let mut h = sum(enter::<N, V>(isa, &a.state.h, 0), enter(isa, &b.state.h, 1));
        let mut hn = sum(h, sum(enter(isa, &a.state.n, 0), enter(isa, &b.state.n, 1)));
        let mut keys = keys;
        let (m, q) = (last(a), last(b));
        for [m, q] in
            [[&m.octets, &q.octets], [&a.state.n, &b.state.n], [&a.state.sigma, &b.state.sigma]]
        {
            let text = sum(enter(isa, m, 0), enter(isa, q, 1));
            h = match keys.take() {
                Some(keys) => under(isa, keys, h, text, false),
                None => two(isa, h, hn, text),
            };
            hn = h;
        }
        let [first, second] = leave(isa, h);
        (a.state.h, b.state.h) = (*first, *second);
    }
    for lane in rest {
        let mut h = enter::<N, V>(isa, &lane.state.h, 0);
        let mut hn = sum(h, enter(isa, &lane.state.n, 0));
        let mut keys = keys;
        let m = last(lane);
        for m in [&m.octets, &lane.state.n, &lane.state.sigma] {
            h = match keys.take() {
                Some(keys) => under(isa, keys, h, enter(isa, m, 0), true),
                None => one(isa, h, hn, m),
            };
            hn = h;
        }
        lane.state.h = *leave(isa, h)[0];
    }
}

/// The last block; N and Σ take it.
#[inline(always)]
fn last(HashLane { state, blocks }: &mut HashLane<'_>) -> Secret<LastBlock> {
    let (m, bits) = padded(blocks);
    add512(&mut state.n, &bits);
    add512(&mut state.sigma, &m.octets);
    m
}

#[cfg(all(test, feature = "std", target_arch = "x86_64"))]
mod tests {
    use super::*;
    use crate::simd::{Avx2, Octets256};

    /// The assembly and the intrinsics, on 1000 groups.
    fn same<N: Groups, const V: usize>(word: &str, isa: Option<N::Isa>) {
        let Some(isa) = isa else {
            std::println!("skipped: {word} is not here");
            return;
        };
        let mut octets = Aligned([0u8; 128]);
        let mut random = 1u32;
        for _ in 0..1000 {
            for octet in &mut octets.0 {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                *octet = (random >> 24) as u8 & (random >> 16) as u8;
            }
            let x: Group<N, V> = load(isa, &octets);
            let [a, b] = [true, false].map(|alone| gather(lps(isa, x, alone)).map(|state| *state));
            assert_eq!(a, b, "{word}");
        }
    }

    #[test]
    fn assembly_and_intrinsics_agree() {
        same::<Octets256<Avx2>, 4>("avx2", Avx2::detect());
    }
}
