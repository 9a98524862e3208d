//! The batches of `round/field.rs`.
//!
//! Messages go one by one, in pairs, which fill each other's waits, and in eights ([`lanes`]). Five to seven are not
//! filled up to eight: where three ports or two permute, pairs cost less.

use super::{BLOCK_BITS, add512, padded};
use crate::kernel::{HashKeys, HashLane};
pub(in crate::streebog) use crate::streebog::constants::aes::INITIAL;
use crate::streebog::lanes;
pub(in crate::streebog) use crate::streebog::round::field::keys;
use crate::streebog::round::field::{Rows, compress, under};

// Loops, not closures: a closure that `core` calls may stay outside the entry, where the instruction set
// is not enabled and every intrinsic is a call.

/// Stage 2: whole blocks, the same number in each lane.
#[inline(always)]
pub(in crate::streebog) fn blocks<R: Rows>(
    isa: R::Isa,
    keys: Option<&HashKeys>,
    lanes: &mut [HashLane<'_>],
) {
    let eights = if lanes::countable(lanes) { lanes.len() / 8 } else { 0 };
    let (eights, rest) = lanes.split_at_mut(8 * eights);
    for lanes in eights.as_chunks_mut().0 {
        lanes::blocks::<R>(isa, keys, lanes);
    }
    let (pairs, one) = rest.as_chunks_mut::<2>();
    for lanes in pairs {
        blocks_of::<R, 2>(isa, keys, lanes);
    }
    if let [lane] = one {
        blocks_of::<R, 1>(isa, keys, core::array::from_mut(lane));
    }
}

/// Stage 3: the rest of each message, less than 64 bytes; h becomes the digest.
#[inline(always)]
pub(in crate::streebog) fn finish<R: Rows>(
    isa: R::Isa,
    keys: Option<&HashKeys>,
    lanes: &mut [HashLane<'_>],
) {
    let eights = lanes.len() / 8;
    let (eights, rest) = lanes.split_at_mut(8 * eights);
    for lanes in eights.as_chunks_mut().0 {
        lanes::finish::<R>(isa, keys, lanes);
    }
    let (pairs, one) = rest.as_chunks_mut::<2>();
    for lanes in pairs {
        finish_of::<R, 2>(isa, keys, lanes);
    }
    if let [lane] = one {
        finish_of::<R, 1>(isa, keys, core::array::from_mut(lane));
    }
}

/// [`blocks`] of N lanes.
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
        // Between blocks h has the N of the next one added.
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

/// [`finish`] of N lanes.
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
