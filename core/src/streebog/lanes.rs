//! Eight messages side by side over [`Rows`]: a vector is one row, or one column, of each of them.
//!
//! 16 bytes hold eight of message 2l and, after each of them, that of message 2l + 1. The sum from the rows needs no move
//! at all, and leaves columns; a transposition of words within 16 bytes, three stages of unpacking, makes them rows again.
//! h, m and N are in columns between blocks.
//!
//! Operations of an LPS of eight messages: `gfni512` 4 for S, 3 for the transposition and 12 for L in each of eight
//! vectors. On Zen 5 two ports do 11 of these 19, 2.15 cycles a byte; the sums of one chain go during the transposition and
//! S of the other, and 2.53 are measured (85 %). `avx2gfni` 24, 6 and 32.

use core::hint::black_box;

use super::constants::aes::{CONSTANTS, L};
use super::counter::{add512, padded};
use super::round::field::Rows;
use crate::kernel::{HashKeys, HashLane, HashState};
use crate::simd::fresh;

/// The indices of byte k of two groups, and of zeros: for [`Rows::first_rows`].
pub(super) static FIRST: [[u8; 16]; 8] = {
    let mut at = [[0x80; 16]; 8];
    let mut k = 0;
    while k < 8 {
        (at[k][0], at[k][1]) = (k as u8, k as u8 + 8);
        k += 1;
    }
    at
};

/// The indices of the even of 16 bytes, then of the odd: for [`Rows::unweave`].
pub(super) static APART: [u8; 16] = [0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15];

/// Returns whether N carries into no more than its low 64 bits, as [`blocks`] needs. It always does in practice.
#[inline(always)]
pub(super) fn countable(lanes: &[HashLane<'_>]) -> bool {
    let mut all = true;
    for lane in lanes {
        // Untraceable, or the compiler gathers these by addresses in vectors.
        let HashLane { state, blocks } = black_box(lane);
        all &= count(state).checked_add(8 * blocks.len() as u64).is_some();
    }
    all
}

/// The low end of N.
#[inline(always)]
fn count(state: &HashState) -> u64 {
    u64::from_le_bytes(*state.n.first_chunk().expect("64 bytes"))
}

/// Block `at` of a message.
#[inline(always)]
fn block(blocks: &[u8], at: usize) -> &[u8; 64] {
    blocks[64 * at..64 * at + 64].try_into().expect("64 bytes")
}

/// Stage 2: whole blocks, the same number in each lane.
#[inline(always)]
pub(super) fn blocks<R: Rows>(isa: R::Isa, keys: Option<&HashKeys>, lanes: &mut [HashLane<'_>; 8]) {
    let sbox = R::sbox(isa);
    let [mut n, mut key] = [[R::load(isa, &[0; 64]); 8]; 2];
    let mut counts = [0; 8];
    for i in 0..8 {
        n[i] = R::load(isa, &lanes[i].state.n);
        key[i] = R::load(isa, &lanes[i].state.h);
        counts[i] = count(lanes[i].state);
    }
    (n, key) = (woven(n), woven(key));
    // Between blocks h has the N of the next one added.
    key = plus(key, n);
    let first = counts;
    let mut keys = keys;
    for at in 0..lanes[0].blocks.len() / 64 {
        let mut text = key;
        for i in 0..8 {
            text[i] = R::load(isa, block(lanes[i].blocks, at));
        }
        text = woven(text);
        let before = counts;
        for count in &mut counts {
            *count += 512;
        }
        let last = plus(plus(key, text), difference(isa, before, counts));
        let sum = |i: usize| {
            let HashLane { state, blocks } = &mut lanes[i];
            add512(&mut state.sigma, block(blocks, at));
        };
        key = match keys.take() {
            Some(keys) => under(isa, &sbox, keys, text, last, sum),
            None => compress(isa, &sbox, key, text, last, sum),
        };
    }
    store(plus(key, plus(n, difference(isa, first, counts))), lanes);
    for i in 0..8 {
        lanes[i].state.n[..8].copy_from_slice(&counts[i].to_le_bytes());
    }
}

/// Stage 3: the rest of each message, less than 64 bytes; h becomes the digest.
#[inline(always)]
pub(super) fn finish<R: Rows>(isa: R::Isa, keys: Option<&HashKeys>, lanes: &mut [HashLane<'_>; 8]) {
    let sbox = R::sbox(isa);
    let zeros = [R::load(isa, &[0; 64]); 8];
    let [mut h, mut key, mut text] = [zeros; 3];
    for i in 0..8 {
        let HashLane { state, blocks } = &mut lanes[i];
        let (m, bits) = padded(blocks);
        text[i] = R::load(isa, &m.octets);
        h[i] = R::load(isa, &state.h);
        key[i] = R::load(isa, &state.n);
        add512(&mut state.n, &bits);
        add512(&mut state.sigma, &m.octets);
    }
    (h, key) = (woven(h), woven(key));
    key = plus(key, h);
    for stage in 0..3 {
        for i in 0..8 {
            let state = &lanes[i].state;
            match stage {
                0 => {}
                1 => text[i] = R::load(isa, &state.n),
                _ => text[i] = R::load(isa, &state.sigma),
            }
        }
        text = woven(text);
        let last = plus(h, text);
        h = match keys {
            Some(keys) if stage == 0 => under(isa, &sbox, keys, text, last, |_| {}),
            _ => compress(isa, &sbox, key, text, last, |_| {}),
        };
        key = h;
    }
    store(h, lanes);
}

/// The sum of two vectors each.
#[inline(always)]
fn plus<R: Rows>(mut a: [R; 8], b: [R; 8]) -> [R; 8] {
    for i in 0..8 {
        a[i] = a[i].xor(b[i]);
    }
    a
}

/// The sum of two N of each message that differ in the low end only, as columns in the image.
#[inline(always)]
fn difference<R: Rows>(isa: R::Isa, a: [u64; 8], b: [u64; 8]) -> [R; 8] {
    let mut d = [0; 64];
    for i in 0..8 {
        d[8 * i..8 * i + 8].copy_from_slice(&(a[i] ^ b[i]).to_le_bytes());
    }
    R::load(isa, &d).enter_image().first_rows()
}

/// Bytes of eight messages to columns in the image.
#[inline(always)]
fn woven<R: Rows>(mut v: [R; 8]) -> [R; 8] {
    for v in &mut v {
        *v = v.enter_image().transposed();
    }
    R::weave(&mut v);
    v
}

/// Columns in the image to h.
#[inline(always)]
fn store<R: Rows>(mut v: [R; 8], lanes: &mut [HashLane<'_>; 8]) {
    R::unweave(&mut v);
    for i in 0..8 {
        v[i].transposed().leave_image().store(&mut lanes[i].state.h);
    }
}

/// 12 rounds of the states `x` under the keys that begin with LPS(`k`), plus `last`; `other` is work for other ports.
#[inline(always)]
fn compress<R: Rows>(
    isa: R::Isa,
    sbox: &R::Sbox,
    mut k: [R; 8],
    mut x: [R; 8],
    last: [R; 8],
    mut other: impl FnMut(usize),
) -> [R; 8] {
    let zero = [R::load(isa, &[0; 64]); 8];
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
fn under<R: Rows>(
    isa: R::Isa,
    sbox: &R::Sbox,
    keys: &HashKeys,
    mut x: [R; 8],
    last: [R; 8],
    mut other: impl FnMut(usize),
) -> [R; 8] {
    let key = |i: usize, group: usize| R::splat(isa, &keys.0[i - 1][8 * group..][..8]);
    for i in 0..8 {
        other(i);
        x[i] = x[i].xor(key(1, i));
    }
    let zero = [R::load(isa, &[0; 64]); 8];
    for even in [2, 4, 6, 8, 10, 12] {
        x = sums(&substituted(sbox, x), zero);
        // The even keys are in rows.
        let mut s = turned(x);
        for i in 0..8 {
            s[i] = s[i].xor(key(even, i)).substitute(sbox);
        }
        for i in 0..8 {
            x[i] = key(even + 1, i);
        }
        x = sums(&s, x);
    }
    plus(x, last)
}

/// S of these columns turned to rows.
#[inline(always)]
fn substituted<R: Rows>(sbox: &R::Sbox, v: [R; 8]) -> [R; 8] {
    let mut v = turned(v);
    for i in 0..8 {
        v[i] = v[i].substitute(sbox);
    }
    v
}

/// Columns to rows, or back: in each 16 bytes word i of vector k and word k of vector i change places.
#[inline(always)]
fn turned<R: Rows>(v: [R; 8]) -> [R; 8] {
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
fn sums_and_substituted<R: Rows>(
    s: &[R; 8],
    mut y: [R; 8],
    sbox: &R::Sbox,
    v: [R; 8],
) -> ([R; 8], [R; 8]) {
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
fn plus_constant<R: Rows>(isa: R::Isa, mut k: [R; 8], i: usize) -> [R; 8] {
    for n in 0..8 {
        k[n] = k[n].xor(R::repeat(isa, &CONSTANTS[i][n]));
    }
    k
}

/// The columns of L from eight substituted rows, plus e, without a move.
#[inline(always)]
fn sums<R: Rows>(s: &[R; 8], mut e: [R; 8]) -> [R; 8] {
    let l = fresh(&L);
    for k in 0..8 {
        e[k] = sum(l, s, k, e[k]);
    }
    e
}

/// One of them.
#[inline(always)]
fn sum<R: Rows>(l: &[[u64; 8]; 8], s: &[R; 8], k: usize, e: R) -> R {
    let p = |j: usize| s[j].by(&l[j][k]);
    p(0).xor3(p(1), p(2)).xor3(p(3), p(4)).xor3(p(5), p(6)).xor3(p(7), e)
}
