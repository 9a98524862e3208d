//! Streebog over [`Rows`]: the compression g_N and the stages (RFC 6986, sections 7 and 8), written once
//! for every instruction set that multiplies in the field of AES.
//!
//! A state is one vector in the image Φ; the two chains of a block, the keys K_i and the state, go side
//! by side. A block begins in the layout `Rows`, and its 13 LPS leave it in `Columns` (see
//! [`super::field`]).
//!
//! `N` messages go together: 1, or 2 to fill each other's waits; 8 have their own file,
//! [`eights`]. Five to seven are not filled up to eight: where three ports or two permute, pairs cost less.
//!
//! Operations of an LPS of one state: `avx2gfni` 24 for S and 38 or 42 for L (with 26 for S, on three ports of
//! Intel 0x06/0xa7, 9.0 cycles for each byte, measured 11.1, 81 %); `gfni512` 4 (there 8, a permutation of two vectors being 3) and
//! 17, on two ports 5.2 of 6.4 (81 %).

use super::eights;
pub(super) use super::image::INITIAL;
use super::image::ROUNDS;
use super::message::{BLOCK_BITS, add512, padded};
use super::rows::Rows;
use crate::kernel::{HashKeys, HashLane, HashState};

// Loops, not closures: a closure that `core` calls may stay outside the entry, where the instruction set
// is not enabled and every intrinsic is a call.

/// Stage 2: whole blocks, the same number in each lane.
#[inline(always)]
pub(super) fn blocks<R: Rows>(isa: R::Isa, keys: Option<&HashKeys>, lanes: &mut [HashLane<'_>]) {
    let eights = if eights::countable(lanes) { lanes.len() / 8 } else { 0 };
    let (eights, rest) = lanes.split_at_mut(8 * eights);
    for lanes in eights.as_chunks_mut().0 {
        eights::blocks::<R>(isa, keys, lanes);
    }
    let (pairs, one) = rest.as_chunks_mut::<2>();
    for lanes in pairs {
        blocks_of::<R, 2>(isa, keys, lanes);
    }
    if let [lane] = one {
        blocks_of::<R, 1>(isa, keys, core::array::from_mut(lane));
    }
}

/// Stage 3: what is left of each message, less than 64 bytes; h becomes the digest.
#[inline(always)]
pub(super) fn finish<R: Rows>(isa: R::Isa, keys: Option<&HashKeys>, lanes: &mut [HashLane<'_>]) {
    let eights = lanes.len() / 8;
    let (eights, rest) = lanes.split_at_mut(8 * eights);
    for lanes in eights.as_chunks_mut().0 {
        eights::finish::<R>(isa, keys, lanes);
    }
    let (pairs, one) = rest.as_chunks_mut::<2>();
    for lanes in pairs {
        finish_of::<R, 2>(isa, keys, lanes);
    }
    if let [lane] = one {
        finish_of::<R, 1>(isa, keys, core::array::from_mut(lane));
    }
}

/// The same of N lanes.
#[inline(always)]
fn blocks_of<R: Rows, const N: usize>(
    isa: R::Isa,
    keys: Option<&HashKeys>,
    lanes: &mut [HashLane<'_>; N],
) {
    let sbox = R::sbox(isa);
    let zero = R::load(isa, &[0; 64]);
    let (mut n, mut key) = ([zero; N], [zero; N]);
    for i in 0..N {
        n[i] = R::load(isa, &lanes[i].state.n).enter_image();
        // Between blocks h stands with the N of the next one added.
        key[i] = R::load(isa, &lanes[i].state.h).enter_image().xor(n[i]);
    }
    let mut keys = keys;
    for at in 0..lanes[0].blocks.len() / 64 {
        let (mut text, mut last) = ([zero; N], [zero; N]);
        for i in 0..N {
            let HashLane { state, blocks } = &mut lanes[i];
            let m = blocks[64 * at..64 * at + 64].try_into().expect("64 bytes");
            add512(&mut state.sigma, m);
            add512(&mut state.n, &BLOCK_BITS);
            text[i] = R::load(isa, m).enter_image();
            let next = R::load(isa, &state.n).enter_image();
            last[i] = key[i].xor(n[i]).xor3(text[i], next);
            n[i] = next;
        }
        key = match keys.take() {
            Some(keys) => under(isa, &sbox, keys, text, last),
            None => compress(isa, &sbox, key, text, last),
        };
    }
    for i in 0..N {
        key[i].xor(n[i]).leave_image().store(&mut lanes[i].state.h);
    }
}

/// The same of N lanes.
#[inline(always)]
fn finish_of<R: Rows, const N: usize>(
    isa: R::Isa,
    keys: Option<&HashKeys>,
    lanes: &mut [HashLane<'_>; N],
) {
    let sbox = R::sbox(isa);
    let zero = R::load(isa, &[0; 64]);
    let (mut h, mut key, mut text) = ([zero; N], [zero; N], [zero; N]);
    for i in 0..N {
        let HashLane { state, blocks } = &mut lanes[i];
        let (m, bits) = padded(blocks);
        text[i] = R::load(isa, &m.octets).enter_image();
        h[i] = R::load(isa, &state.h).enter_image();
        key[i] = h[i].xor(R::load(isa, &state.n).enter_image());
        add512(&mut state.n, &bits);
        add512(&mut state.sigma, &m.octets);
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
        h = match keys {
            Some(keys) if stage == 0 => under(isa, &sbox, keys, text, last),
            _ => compress(isa, &sbox, key, text, last),
        };
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
    if let ([key], [text], [last]) = (&key[..], &text[..], &last[..])
        && let Some(x) = R::compress(sbox, *key, *text, *last)
    {
        return [x; N];
    }
    let zero = R::load(isa, &[0; 64]);
    let c = |i: usize| R::load(isa, &ROUNDS[i - 1][i % 2].0);
    // k is K_i with C_i, which the next key needs; the state takes C_i out again.
    let (mut k, mut x) = (key, text);
    for i in 0..N {
        k[i] = key[i].substitute(sbox).mix_groups(c(1), zero);
        x[i] = text[i].transposed().xor3(k[i], c(1));
    }
    x = chains(isa, sbox, k, x);
    for i in 0..N {
        x[i] = x[i].transposed().xor(last[i]);
    }
    x
}

/// The sum of K_13 and the state after its twelfth LPS, in `Columns`, of K_1 with C_1 and the state that has K_1.
#[inline(always)]
fn chains<R: Rows, const N: usize>(
    isa: R::Isa,
    sbox: &R::Sbox,
    key: [R; N],
    state: [R; N],
) -> [R; N] {
    let zero = R::load(isa, &[0; 64]);
    let c = |i: usize| R::load(isa, &ROUNDS[i - 1][i % 2].0);
    let (mut k, mut x) = (key, state);
    // S of one chain stands beside the sums of the other.
    let (mut sk, mut sx) = (k, x);
    for i in 0..N {
        sk[i] = k[i].substitute(sbox);
    }
    for even in [2, 4, 6, 8, 10, 12] {
        for i in 0..N {
            k[i] = sk[i].mix_inside(c(even), zero);
            sx[i] = x[i].substitute(sbox);
        }
        for i in 0..N {
            sk[i] = k[i].substitute(sbox);
            x[i] = sx[i].mix_inside(c(even), k[i]);
        }
        if even == 12 {
            break;
        }
        for i in 0..N {
            k[i] = sk[i].mix_groups(c(even + 1), zero);
            sx[i] = x[i].substitute(sbox);
        }
        for i in 0..N {
            sk[i] = k[i].substitute(sbox);
            x[i] = sx[i].mix_groups(c(even + 1), k[i]);
        }
    }
    for i in 0..N {
        k[i] = sk[i].mix_groups(zero, zero);
        x[i] = x[i].substitute(sbox).mix_groups(k[i], zero);
    }
    x
}

/// The same where the keys are known.
#[inline(always)]
fn under<R: Rows, const N: usize>(
    isa: R::Isa,
    sbox: &R::Sbox,
    keys: &HashKeys,
    text: [R; N],
    last: [R; N],
) -> [R; N] {
    let zero = R::load(isa, &[0; 64]);
    let key = |i: usize| R::load(isa, &keys.0[i - 1]);
    let mut x = text;
    for i in 0..N {
        x[i] = text[i].transposed().xor(key(1));
    }
    for even in [2, 4, 6, 8, 10, 12] {
        for i in 0..N {
            x[i] = x[i].substitute(sbox).mix_inside(key(even), zero);
        }
        for i in 0..N {
            x[i] = x[i].substitute(sbox).mix_groups(key(even + 1), zero);
        }
    }
    for i in 0..N {
        x[i] = x[i].transposed().xor(last[i]);
    }
    x
}

/// The keys of the next block.
#[inline(always)]
pub(super) fn keys<R: Rows>(isa: R::Isa, state: &HashState) -> HashKeys {
    let mut keys = HashKeys([[0; 64]; 13]);
    let sbox = R::sbox(isa);
    let zero = R::load(isa, &[0; 64]);
    let mut k = R::load(isa, &state.h).xor(R::load(isa, &state.n)).enter_image();
    for i in 0..13 {
        k = k.substitute(&sbox);
        k = if i % 2 == 0 { k.mix_groups(zero, zero) } else { k.mix_inside(zero, zero) };
        k.store(&mut keys.0[i]);
        if i < 12 {
            k = k.xor(R::load(isa, &ROUNDS[i][(i + 1) % 2].0));
        }
    }
    keys
}
