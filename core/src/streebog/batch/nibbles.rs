//! The batches of `round/nibbles.rs`: messages in pairs, and one.

use super::{BLOCK_BITS, LastBlock, add512, padded};
use crate::Secret;
use crate::kernel::{HashKeys, HashLane};
use crate::streebog::lps::Groups;
pub(in crate::streebog) use crate::streebog::round::nibbles::{INITIAL, keys};
use crate::streebog::round::nibbles::{enter, leave, one, sum, two, under};

/// Stage 2: whole blocks, the same number in each lane; the keys, if known, are those of the first.
#[inline(always)]
pub(in crate::streebog) fn blocks<N: Groups, const V: usize>(
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

/// Stage 3: the rest of each message, less than 64 bytes; h becomes the digest.
#[inline(always)]
pub(in crate::streebog) fn finish<N: Groups, const V: usize>(
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

/// The last block, which N and Σ count.
#[inline(always)]
fn last(HashLane { state, blocks }: &mut HashLane<'_>) -> Secret<LastBlock> {
    let (m, bits) = padded(blocks);
    add512(&mut state.n, &bits);
    add512(&mut state.sigma, &m.octets);
    m
}
