//! Streebog over [`Rows`]: the compression g_N and the stages (RFC 6986, sections 7 and 8), written once
//! for every instruction set that multiplies in the field of AES.
//!
//! A state is one vector in the image φ; the two chains of a block, the keys K_i and the state, go side
//! by side. A block begins in the layout `Rows`, and its 13 LPS leave it in `Columns` (see
//! [`super::field`]).
//!
//! `N` messages go together: 1; 2 to fill each other's waits; 8 with one row of each in a vector, where
//! the sum from `Rows` needs no move at all.

use super::image::ROUNDS;
use super::{BLOCK_BITS, add512, padded};
use crate::kernel::HashLane;
use crate::simd::Rows;

// Loops, not closures: a closure that `core` calls may stay outside the entry, where the instruction set
// is not enabled and every intrinsic is a call.

/// Stage 2: whole blocks, the same number in each lane.
#[inline(always)]
pub(super) fn blocks<R: Rows>(isa: R::Isa, lanes: &mut [HashLane<'_>]) {
    let (eights, rest) = lanes.as_chunks_mut::<8>();
    for lanes in eights {
        blocks_of::<R, 8>(isa, lanes);
    }
    let (pairs, one) = rest.as_chunks_mut::<2>();
    for lanes in pairs {
        blocks_of::<R, 2>(isa, lanes);
    }
    if let [lane] = one {
        blocks_of::<R, 1>(isa, core::array::from_mut(lane));
    }
}

/// Stage 3: what is left of each message, less than 64 octets; h becomes the digest.
#[inline(always)]
pub(super) fn finish<R: Rows>(isa: R::Isa, lanes: &mut [HashLane<'_>]) {
    let (eights, rest) = lanes.as_chunks_mut::<8>();
    for lanes in eights {
        finish_of::<R, 8>(isa, lanes);
    }
    let (pairs, one) = rest.as_chunks_mut::<2>();
    for lanes in pairs {
        finish_of::<R, 2>(isa, lanes);
    }
    if let [lane] = one {
        finish_of::<R, 1>(isa, core::array::from_mut(lane));
    }
}

/// The same of N lanes.
#[inline(always)]
fn blocks_of<R: Rows, const N: usize>(isa: R::Isa, lanes: &mut [HashLane<'_>; N]) {
    let sbox = R::sbox(isa);
    let zero = R::load(isa, &[0; 64]);
    let (mut n, mut key) = ([zero; N], [zero; N]);
    for i in 0..N {
        n[i] = R::load(isa, &lanes[i].state.n).enter_image();
        // Between blocks h stands with the N of the next one added.
        key[i] = R::load(isa, &lanes[i].state.h).enter_image().xor(n[i]);
    }
    for at in 0..lanes[0].blocks.len() / 64 {
        let (mut text, mut last) = ([zero; N], [zero; N]);
        for i in 0..N {
            let HashLane { state, blocks } = &mut lanes[i];
            let m = blocks[64 * at..64 * at + 64].try_into().expect("64 octets");
            add512(&mut state.sigma, m);
            add512(&mut state.n, &BLOCK_BITS);
            text[i] = R::load(isa, m).enter_image();
            let next = R::load(isa, &state.n).enter_image();
            last[i] = key[i].xor(n[i]).xor3(text[i], next);
            n[i] = next;
        }
        key = compress(isa, &sbox, key, text, last);
    }
    for i in 0..N {
        key[i].xor(n[i]).leave_image().store(&mut lanes[i].state.h);
    }
}

/// The same of N lanes.
#[inline(always)]
fn finish_of<R: Rows, const N: usize>(isa: R::Isa, lanes: &mut [HashLane<'_>; N]) {
    let sbox = R::sbox(isa);
    let zero = R::load(isa, &[0; 64]);
    let (mut h, mut key, mut text) = ([zero; N], [zero; N], [zero; N]);
    for i in 0..N {
        let HashLane { state, blocks } = &mut lanes[i];
        let (m, bits) = padded(blocks);
        text[i] = R::load(isa, &m).enter_image();
        h[i] = R::load(isa, &state.h).enter_image();
        key[i] = h[i].xor(R::load(isa, &state.n).enter_image());
        add512(&mut state.n, &bits);
        add512(&mut state.sigma, &m);
    }
    for stage in 0..3 {
        let mut last = [zero; N];
        for i in 0..N {
            let state = &lanes[i].state;
            match stage {
                0 => {}
                1 => text[i] = R::load(isa, &state.n).enter_image(),
                _ => text[i] = R::load(isa, &state.sigma).enter_image(),
            }
            last[i] = h[i].xor(text[i]);
        }
        h = compress(isa, &sbox, key, text, last);
        key = h;
    }
    for i in 0..N {
        h[i].leave_image().store(&mut lanes[i].state.h);
    }
}

/// LPS(`key`) begins the keys; the state takes `text`; `last` is added to what comes out.
#[inline(always)]
fn compress<R: Rows, const N: usize>(
    isa: R::Isa,
    sbox: &R::Sbox,
    key: [R; N],
    text: [R; N],
    last: [R; N],
) -> [R; N] {
    if let (Some(k), Some(x)) = (key.as_slice().as_array(), text.as_slice().as_array()) {
        let out = across(isa, sbox, *k, *x);
        let mut sum = last;
        for i in 0..N {
            sum[i] = out[i].xor(last[i]);
        }
        return sum;
    }
    let zero = R::load(isa, &[0; 64]);
    let c = |i: usize| R::load(isa, &ROUNDS[i - 1][i % 2].0);
    // k is K_i with C_i, which the next key needs; the state takes C_i out again.
    let (mut k, mut x) = (key, text);
    for i in 0..N {
        k[i] = key[i].substitute(sbox).mix_groups(c(1), zero);
        x[i] = text[i].transposed().xor3(k[i], c(1));
    }
    for even in [2, 4, 6, 8, 10, 12] {
        for i in 0..N {
            k[i] = k[i].substitute(sbox).mix_inside(c(even), zero);
            x[i] = x[i].substitute(sbox).mix_inside(c(even), k[i]);
        }
        if even == 12 {
            break;
        }
        for i in 0..N {
            k[i] = k[i].substitute(sbox).mix_groups(c(even + 1), zero);
            x[i] = x[i].substitute(sbox).mix_groups(c(even + 1), k[i]);
        }
    }
    for i in 0..N {
        k[i] = k[i].substitute(sbox).mix_groups(last[i].transposed(), zero);
        x[i] = x[i].substitute(sbox).mix_groups(k[i], zero).transposed();
    }
    x
}

/// Eight messages: a vector is one row, or one column, of each of them, a group for each message.
#[inline(always)]
fn across<R: Rows>(isa: R::Isa, sbox: &R::Sbox, mut k: [R; 8], mut x: [R; 8]) -> [R; 8] {
    let zero = R::load(isa, &[0; 64]);
    let c = |i: usize, group: usize| R::splat(isa, &ROUNDS[i - 1][i % 2].0[8 * group..][..8]);
    R::exchange(&mut k);
    for x in &mut x {
        *x = x.transposed();
    }
    R::exchange(&mut x);
    for k in &mut k {
        *k = k.substitute(sbox);
    }
    let s = k;
    for i in 0..8 {
        k[i] = sum_across(&s, i).xor(c(1, i));
        x[i] = x[i].xor3(k[i], c(1, i));
    }
    for even in [2, 4, 6, 8, 10, 12] {
        // Substitutions stand beside sums, because they wait for different ports.
        for i in 0..8 {
            k[i] = k[i].substitute(sbox).mix_inside(c(even, i), zero);
            x[i] = x[i].substitute(sbox).mix_inside(c(even, i), k[i]);
            k[i] = k[i].substitute(sbox);
        }
        let s = k;
        for i in 0..8 {
            k[i] = sum_across(&s, i);
            x[i] = x[i].substitute(sbox);
        }
        let s = x;
        for i in 0..8 {
            x[i] = sum_across(&s, i);
            if even == 12 {
                x[i] = x[i].xor(k[i]);
            } else {
                k[i] = k[i].xor(c(even + 1, i));
                x[i] = x[i].xor3(k[i], c(even + 1, i));
            }
        }
    }
    R::exchange(&mut x);
    for x in &mut x {
        *x = x.transposed();
    }
    x
}

/// Column `k` of L from eight substituted rows: nothing moves.
#[inline(always)]
fn sum_across<R: Rows>(s: &[R; 8], k: usize) -> R {
    let p = |j: usize| s[j].by(j, k);
    p(0).xor3(p(1), p(2)).xor3(p(3), p(4)).xor3(p(5), p(6)).xor(p(7))
}
