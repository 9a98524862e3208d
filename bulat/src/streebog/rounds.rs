//! Streebog over [`Rows`]: the compression g_N and the stages (RFC 6986, sections 7 and 8), written once
//! for every instruction set that multiplies in the field of AES.
//!
//! A state is one vector in the image φ; the two chains of a block, the keys K_i and the state, go side
//! by side. A block begins in the layout `Rows`, and its 13 LPS leave it in `Columns` (see
//! [`super::field`]).
//!
//! `N` messages go together: 1; 2 to fill each other's waits; 8 with one row of each in a vector, where
//! the sum from `Rows` needs no move at all.

use super::add512;
use super::image::ROUNDS;
use crate::Secret;
use crate::kernel::HashLane;
use crate::simd::Rows;

const STEP: [u8; 64] = {
    let mut n = [0; 64];
    n[1] = 2; // 512
    n
};

// Loops, not closures: a closure that `core` calls may stay outside the entry, where the instruction set
// is not enabled and every intrinsic is a call.

/// Stage 2: whole blocks, the same number in each lane.
#[inline(always)]
pub(super) fn blocks<R: Rows, const N: usize>(isa: R::Isa, lanes: &mut [HashLane<'_>; N]) {
    let sbox = R::sbox(isa);
    let zero = R::load(isa, &[0; 64]);
    let (mut n, mut key) = ([zero; N], [zero; N]);
    for i in 0..N {
        n[i] = R::load(isa, &lanes[i].state.n).to_image();
        // Between blocks h stands with the N of the next one added.
        key[i] = R::load(isa, &lanes[i].state.h).to_image().xor(n[i]);
    }
    for at in 0..lanes[0].blocks.len() / 64 {
        let (mut text, mut last) = ([zero; N], [zero; N]);
        for i in 0..N {
            let HashLane { state, blocks } = &mut lanes[i];
            let m = blocks[64 * at..64 * at + 64].try_into().expect("64 octets");
            add512(&mut state.sigma, m);
            add512(&mut state.n, &STEP);
            text[i] = R::load(isa, m).to_image();
            let next = R::load(isa, &state.n).to_image();
            last[i] = key[i].xor(n[i]).xor3(text[i], next);
            n[i] = next;
        }
        key = compress(isa, &sbox, key, text, last);
    }
    for i in 0..N {
        key[i].xor(n[i]).from_image().store(&mut lanes[i].state.h);
    }
}

/// Stage 3: what is left of each message, less than 64 octets; h becomes the digest.
#[inline(always)]
pub(super) fn finish<R: Rows, const N: usize>(isa: R::Isa, lanes: &mut [HashLane<'_>; N]) {
    let sbox = R::sbox(isa);
    let zero = R::load(isa, &[0; 64]);
    let (mut h, mut key, mut text) = ([zero; N], [zero; N], [zero; N]);
    for i in 0..N {
        let HashLane { state, blocks } = &mut lanes[i];
        let mut m = Secret::new([0; 64]);
        m[..blocks.len()].copy_from_slice(blocks);
        m[blocks.len()] = 1;
        let mut bits = [0; 64];
        bits[..2].copy_from_slice(&(8 * blocks.len() as u16).to_le_bytes());
        text[i] = R::load(isa, &m).to_image();
        h[i] = R::load(isa, &state.h).to_image();
        key[i] = h[i].xor(R::load(isa, &state.n).to_image());
        add512(&mut state.n, &bits);
        add512(&mut state.sigma, &m);
    }
    for stage in 0..3 {
        let mut last = [zero; N];
        for i in 0..N {
            let state = &lanes[i].state;
            match stage {
                0 => {}
                1 => text[i] = R::load(isa, &state.n).to_image(),
                _ => text[i] = R::load(isa, &state.sigma).to_image(),
            }
            last[i] = h[i].xor(text[i]);
        }
        h = compress(isa, &sbox, key, text, last);
        key = h;
    }
    for i in 0..N {
        h[i].from_image().store(&mut lanes[i].state.h);
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
    let zero = R::load(isa, &[0; 64]);
    // k is K_i with C_i, which the next key needs; the state takes C_i out again.
    let (mut k, mut x) = (key, text);
    let c = R::load(isa, &ROUNDS[0][1].0);
    for i in 0..N {
        k[i] = key[i].substitute(sbox).mix_groups(c, zero);
        x[i] = text[i].transposed().xor3(k[i], c);
    }
    for pair in 0..6 {
        let c = R::load(isa, &ROUNDS[2 * pair + 1][0].0);
        for i in 0..N {
            k[i] = k[i].substitute(sbox).mix_inside(c, zero);
            x[i] = x[i].substitute(sbox).mix_inside(c, k[i]);
        }
        if pair == 5 {
            break;
        }
        let c = R::load(isa, &ROUNDS[2 * pair + 2][1].0);
        for i in 0..N {
            k[i] = k[i].substitute(sbox).mix_groups(c, zero);
            x[i] = x[i].substitute(sbox).mix_groups(c, k[i]);
        }
    }
    for i in 0..N {
        k[i] = k[i].substitute(sbox).mix_groups(last[i].transposed(), zero);
        x[i] = x[i].substitute(sbox).mix_groups(k[i], zero).transposed();
    }
    x
}
