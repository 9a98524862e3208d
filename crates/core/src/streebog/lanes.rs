//! Messages side by side over [`Columns`]: a vector is a row, or a column, of each of eight or four.
//!
//! 16 bytes hold eight bytes of message 2l and, after each of them, a byte of message 2l + 1. The sum from the rows
//! needs no move at all, and leaves columns; a transposition of words within 16 bytes, three stages of unpacking, makes
//! them rows again. h, m and N are in columns between blocks.
//!
//! Operations of an LPS: `gfni512`, of eight messages, 4 for S, 3 for the transposition and 12 for L in each of eight
//! vectors. On Zen 5 two ports do 11 of these 19, 2.15 cycles a byte; the sums of one chain go during the transposition and
//! S of the other, and 2.53 are measured (85 %). `avx2gfni`, of four messages, 12, 3 and 16.

use super::constants::aes::{CONSTANTS, L, TO};
use super::counter::{add512, low};
use super::round::field::Rows;
use crate::kernel::{HashKeys, HashLane};
use crate::simd::fresh;

/// 16 bytes of each two messages, in the field of AES.
///
/// A value exists only where its instruction set does: constructors need the token.
pub(super) trait Columns: Copy {
    /// The proof of the instruction set.
    type Isa: Copy;
    /// The S-box's table in registers.
    type Sbox: Copy;
    /// 64 bytes of a message.
    type Matrix: Rows<Isa = Self::Isa, Sbox = Self::Sbox>;
    /// Groups of columns of each message, to vectors of a column of each.
    fn weave(messages: &[Self::Matrix]) -> [Self; 8];
    /// The inverse of [`Columns::weave`].
    fn unweave(columns: [Self; 8], messages: &mut [Self::Matrix]);
    /// Loads 8 bytes for each message.
    fn load(isa: Self::Isa, bytes: &[u8]) -> Self;
    /// Repeats 16 bytes in the whole vector.
    fn repeat(isa: Self::Isa, bytes: &[u8; 16]) -> Self;
    /// A group, each byte twice, in every 16 bytes.
    fn splat(isa: Self::Isa, group: &[u8]) -> Self;
    /// Columns, as `weave` makes them, of messages with these groups as their first rows, and zeros as the others.
    fn first_rows(self) -> [Self; 8];
    /// In each 16 bytes, the first four words of both in turn, and the last four.
    fn unpack_words(self, b: Self) -> (Self, Self);
    fn xor(self, b: Self) -> Self;
    fn xor3(self, b: Self, c: Self) -> Self;
    /// Φ∘π∘Φ⁻¹ on every byte.
    fn substitute(self, sbox: &Self::Sbox) -> Self;
    /// Every byte by a matrix of bits: a factor of `L` in `constants/aes.rs`, or Φ.
    fn by(self, matrix: &u64) -> Self;
}

/// The indices of byte k of two groups, and of zeros: for [`Columns::first_rows`].
pub(super) static FIRST: [[u8; 16]; 8] = {
    let mut at = [[0x80; 16]; 8];
    let mut k = 0;
    while k < 8 {
        (at[k][0], at[k][1]) = (k as u8, k as u8 + 8);
        k += 1;
    }
    at
};

/// The indices of the even of 16 bytes, then of the odd: for [`Columns::unweave`].
pub(super) static APART: [u8; 16] = [0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15];

/// Block `at` of a message.
#[inline(always)]
fn block(blocks: &[u8], at: usize) -> &[u8; 64] {
    blocks[64 * at..64 * at + 64].try_into().expect("64 bytes")
}

/// `batch::Hash` of M messages.
#[inline(always)]
pub(super) fn hash<C: Columns, const M: usize>(
    isa: C::Isa,
    mut keys: Option<&HashKeys>,
    lanes: &mut [HashLane<'_>; M],
    counted: bool,
) {
    let sbox = C::Matrix::sbox(isa);
    let load = |bytes: &[u8; 64]| C::Matrix::load(isa, bytes);
    let (mut n, mut h) = ([load(&[0; 64]); M], [load(&[0; 64]); M]);
    let mut counts = [0; M];
    for i in 0..M {
        n[i] = load(&lanes[i].state.n);
        h[i] = load(&lanes[i].state.h);
        counts[i] = low(lanes[i].state);
    }
    let mut n: [C; 8] = woven(n);
    // Between blocks h has the N of the next block added.
    let mut key = plus(woven(h), n);
    for at in 0..lanes[0].blocks.len() / 64 {
        let mut text = h;
        for i in 0..M {
            text[i] = load(block(lanes[i].blocks, at));
        }
        let text = woven(text);
        let mut next = zeros(isa);
        if counted {
            let mut difference = [[0; 8]; M];
            for i in 0..M {
                difference[i] = (counts[i] ^ (counts[i] + 512)).to_le_bytes();
                counts[i] += 512;
            }
            // Φ is linear.
            next = plus(n, C::load(isa, difference.as_flattened()).by(&TO).first_rows());
        }
        let last = plus(plus(key, text), plus(n, next));
        n = next;
        let sum = |i: usize| {
            if counted && i < M {
                let HashLane { state, blocks } = &mut lanes[i];
                add512(&mut state.sigma, block(blocks, at));
            }
        };
        key = match keys.take() {
            Some(keys) => under(isa, &sbox, keys, text, last, sum),
            None => compress(isa, &sbox, key, text, last, sum),
        };
    }
    C::unweave(plus(key, n), &mut h);
    for i in 0..M {
        let state = &mut *lanes[i].state;
        h[i].transposed().leave_image().store(&mut state.h);
        state.n[..8].copy_from_slice(&counts[i].to_le_bytes());
    }
}

/// The sum of two vectors each.
#[inline(always)]
fn plus<C: Columns>(mut a: [C; 8], b: [C; 8]) -> [C; 8] {
    for i in 0..8 {
        a[i] = a[i].xor(b[i]);
    }
    a
}

/// Bytes of messages to columns in the image.
#[inline(always)]
fn woven<C: Columns, const M: usize>(mut messages: [C::Matrix; M]) -> [C; 8] {
    for m in &mut messages {
        *m = m.enter_image().transposed();
    }
    C::weave(&messages)
}

#[inline(always)]
fn zeros<C: Columns>(isa: C::Isa) -> [C; 8] {
    [C::repeat(isa, &[0; 16]); 8]
}

/// 12 rounds of the states `x` under the keys that begin with LPS(`k`), plus `last`; `other` is work for other ports.
#[inline(always)]
fn compress<C: Columns>(
    isa: C::Isa,
    sbox: &C::Sbox,
    mut k: [C; 8],
    mut x: [C; 8],
    last: [C; 8],
    mut other: impl FnMut(usize),
) -> [C; 8] {
    let zero = zeros(isa);
    k = sums(&substituted(sbox, k), zero);
    x = plus(x, k);
    let mut sk = substituted(sbox, plus_constant(isa, k, 0));
    for round in 1..12 {
        if round <= 8 {
            other(round - 1);
        }
        let sx;
        (k, sx) = sums_and_substituted(&sk, zero, sbox, x);
        (x, sk) = sums_and_substituted(&sx, k, sbox, plus_constant(isa, k, round));
    }
    let (k, sx) = sums_and_substituted(&sk, last, sbox, x);
    sums(&sx, k)
}

/// [`compress`] under known keys.
#[inline(always)]
fn under<C: Columns>(
    isa: C::Isa,
    sbox: &C::Sbox,
    keys: &HashKeys,
    mut x: [C; 8],
    last: [C; 8],
    mut other: impl FnMut(usize),
) -> [C; 8] {
    let key = |i: usize, group: usize| C::splat(isa, &keys.0[i - 1][8 * group..][..8]);
    for i in 0..8 {
        other(i);
        x[i] = x[i].xor(key(1, i));
    }
    let zero = zeros(isa);
    for round in 1..=12 {
        let mut s = turned(x);
        x = zero;
        // The even keys are in rows.
        if round % 2 == 0 {
            for i in 0..8 {
                s[i] = s[i].xor(key(round, i));
                x[i] = key(round + 1, i);
            }
        }
        for i in 0..8 {
            s[i] = s[i].substitute(sbox);
        }
        x = sums(&s, x);
    }
    plus(x, last)
}

/// S of these columns turned to rows.
#[inline(always)]
fn substituted<C: Columns>(sbox: &C::Sbox, v: [C; 8]) -> [C; 8] {
    let mut v = turned(v);
    for i in 0..8 {
        v[i] = v[i].substitute(sbox);
    }
    v
}

/// Columns to rows, or back: in each 16 bytes word i of vector k and word k of vector i change places.
#[inline(always)]
fn turned<C: Columns>(v: [C; 8]) -> [C; 8] {
    let [a, b, c, d, e, f, g, h] = v;
    let ((a, e), (b, f)) = (a.unpack_words(e), b.unpack_words(f));
    let ((c, g), (d, h)) = (c.unpack_words(g), d.unpack_words(h));
    let ((a, c), (b, d)) = (a.unpack_words(c), b.unpack_words(d));
    let ((e, g), (f, h)) = (e.unpack_words(g), f.unpack_words(h));
    let ((a, b), (c, d)) = (a.unpack_words(b), c.unpack_words(d));
    let ((e, f), (g, h)) = (e.unpack_words(f), g.unpack_words(h));
    [a, b, c, d, e, f, g, h]
}

/// Sums, and between them S of other columns turned to rows.
#[inline(always)]
fn sums_and_substituted<C: Columns>(
    s: &[C; 8],
    mut y: [C; 8],
    sbox: &C::Sbox,
    v: [C; 8],
) -> ([C; 8], [C; 8]) {
    let l = fresh(&L);
    let [a, b, c, d, e, f, g, h] = v;
    let ((a, e), (b, f)) = (a.unpack_words(e), b.unpack_words(f));
    y[0] = sum(l, s, 0, y[0]);
    let ((c, g), (d, h)) = (c.unpack_words(g), d.unpack_words(h));
    y[1] = sum(l, s, 1, y[1]);
    let ((a, c), (b, d)) = (a.unpack_words(c), b.unpack_words(d));
    let (a, b) = a.unpack_words(b);
    y[2] = sum(l, s, 2, y[2]);
    let (a, b) = (a.substitute(sbox), b.substitute(sbox));
    y[3] = sum(l, s, 3, y[3]);
    let (c, d) = c.unpack_words(d);
    let (c, d) = (c.substitute(sbox), d.substitute(sbox));
    y[4] = sum(l, s, 4, y[4]);
    let ((e, g), (f, h)) = (e.unpack_words(g), f.unpack_words(h));
    let (e, f) = e.unpack_words(f);
    y[5] = sum(l, s, 5, y[5]);
    let (e, f) = (e.substitute(sbox), f.substitute(sbox));
    y[6] = sum(l, s, 6, y[6]);
    let (g, h) = g.unpack_words(h);
    let (g, h) = (g.substitute(sbox), h.substitute(sbox));
    y[7] = sum(l, s, 7, y[7]);
    (y, [a, b, c, d, e, f, g, h])
}

/// These columns with C_(i + 1).
#[inline(always)]
fn plus_constant<C: Columns>(isa: C::Isa, mut k: [C; 8], i: usize) -> [C; 8] {
    for n in 0..8 {
        k[n] = k[n].xor(C::repeat(isa, &CONSTANTS[i][n]));
    }
    k
}

/// The columns of L from eight substituted rows, plus e, without a move.
#[inline(always)]
fn sums<C: Columns>(s: &[C; 8], mut e: [C; 8]) -> [C; 8] {
    let l = fresh(&L);
    for k in 0..8 {
        e[k] = sum(l, s, k, e[k]);
    }
    e
}

/// The sum of column k.
#[inline(always)]
fn sum<C: Columns>(l: &[[u64; 8]; 8], s: &[C; 8], k: usize, e: C) -> C {
    let p = |j: usize| s[j].by(&l[j][k]);
    p(0).xor3(p(1), p(2)).xor3(p(3), p(4)).xor3(p(5), p(6)).xor3(p(7), e)
}
