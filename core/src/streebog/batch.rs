//! Drivers that hand blocks of several messages to the rounds (RFC 6986, section 9: stages 2 and 3).

/// The batches of `round/field.rs`.
///
/// Messages go one by one, in pairs, which fill each other's waits, and in eights (`lanes.rs`). Five to seven are not
/// filled up to eight: where three ports or two permute, pairs cost less.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(super) mod field {
    use crate::kernel::{HashKeys, HashLane};
    pub(in crate::streebog) use crate::streebog::constants::aes::INITIAL;
    use crate::streebog::counter::{BLOCK_BITS, add512, padded};
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
}

/// The batches of `round/nibbles.rs`: messages in pairs, and one.
pub(super) mod nibbles {
    use crate::Secret;
    use crate::kernel::{HashKeys, HashLane};
    use crate::streebog::counter::{BLOCK_BITS, LastBlock, add512, padded};
    use crate::streebog::round::nibbles::{Groups, enter, leave, one, sum, two, under};
    pub(in crate::streebog) use crate::streebog::round::nibbles::{INITIAL, keys};

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
}
