//! Drivers: messages by eights, by pairs and singly, their blocks and their ends (RFC 6986, section 9).

use core::array::from_mut;

use super::counter::{add512, low};
use crate::Secret;
use crate::kernel::{HashKeys, HashLane};

/// A set's h = g_N(h, m) over whole blocks of messages side by side, the same number in each lane; the keys, if known,
/// are the next block's, for every lane.
///
/// If the blocks are counted, N += 512 and Σ += m after each. If not, they are the end of a message: N is zero after the
/// first, and the state's N and Σ stay.
type Hash<const N: usize> = fn(Option<&HashKeys>, &mut [HashLane<'_>; N], bool);

/// A set's functions. Messages go in eights or fours (`lanes.rs`), where the set has that; in pairs, which fill each
/// other's waits; and singly. Five to seven are not filled up to eight: where three ports or two permute, pairs cost
/// less.
#[derive(Clone, Copy)]
pub(super) struct Groups {
    pub(super) eight: Option<Hash<8>>,
    pub(super) four: Option<Hash<4>>,
    pub(super) two: Option<Hash<2>>,
    pub(super) one: Hash<1>,
}

impl Groups {
    /// Only single messages.
    pub(super) const fn of(one: Hash<1>) -> Self {
        Groups { eight: None, four: None, two: None, one }
    }

    /// Stage 2: whole blocks, the same number in each lane.
    #[inline(always)]
    pub(super) fn blocks(self, keys: Option<&HashKeys>, lanes: &mut [HashLane<'_>]) {
        match lanes {
            // With the fewest calls, for short messages.
            [lane] => (self.one)(keys, from_mut(lane), true),
            _ => self.many_blocks(keys, lanes),
        }
    }

    fn many_blocks(self, keys: Option<&HashKeys>, lanes: &mut [HashLane<'_>]) {
        let many = lanes.iter().all(countable);
        let lanes = each(self.eight.filter(|_| many), lanes, |hash, lanes| hash(keys, lanes, true));
        let lanes = each(self.four.filter(|_| many), lanes, |hash, lanes| hash(keys, lanes, true));
        let lanes = each(self.two, lanes, |hash, lanes| hash(keys, lanes, true));
        each(Some(self.one), lanes, |hash, lanes| hash(keys, lanes, true));
    }

    /// Stage 3: the rest of each message, less than 64 bytes; h becomes the digest.
    #[inline(always)]
    pub(super) fn finish(self, keys: Option<&HashKeys>, lanes: &mut [HashLane<'_>]) {
        match lanes {
            [lane] => finish(self.one, keys, from_mut(lane)),
            _ => self.finish_many(keys, lanes),
        }
    }

    fn finish_many(self, keys: Option<&HashKeys>, lanes: &mut [HashLane<'_>]) {
        let lanes = each(self.eight, lanes, |hash, lanes| finish(hash, keys, lanes));
        let lanes = each(self.four, lanes, |hash, lanes| finish(hash, keys, lanes));
        let lanes = each(self.two, lanes, |hash, lanes| finish(hash, keys, lanes));
        each(Some(self.one), lanes, |hash, lanes| finish(hash, keys, lanes));
    }
}

/// Calls `f` on each N lanes, if there is a function for them, and returns the lanes that are left.
fn each<'a, 'l, const N: usize>(
    hash: Option<Hash<N>>,
    lanes: &'a mut [HashLane<'l>],
    f: impl Fn(Hash<N>, &mut [HashLane<'l>; N]),
) -> &'a mut [HashLane<'l>] {
    let Some(hash) = hash else { return lanes };
    let (groups, rest) = lanes.as_chunks_mut();
    for lanes in groups {
        f(hash, lanes);
    }
    rest
}

/// Returns whether N carries into no more than its low 64 bits, as `lanes.rs` needs. It always does in practice.
fn countable(HashLane { state, blocks }: &HashLane<'_>) -> bool {
    low(state).checked_add(8 * blocks.len() as u64).is_some()
}

/// Stage 3 of N lanes.
#[inline(never)]
fn finish<const N: usize>(hash: Hash<N>, keys: Option<&HashKeys>, lanes: &mut [HashLane<'_>; N]) {
    // The last blocks: the rest of the message, 1, zeros (0..01 || m as the RFC writes it); N; Σ.
    let mut ends = Secret::new([[[0; 64]; 3]; N]);
    for ([m, n, sigma], HashLane { state, blocks }) in ends.iter_mut().zip(&*lanes) {
        m[..blocks.len()].copy_from_slice(blocks);
        m[blocks.len()] = 1;
        let mut bits = [0; 64];
        bits[..2].copy_from_slice(&(8 * blocks.len() as u16).to_le_bytes());
        (*n, *sigma) = (state.n, state.sigma);
        add512(n, &bits);
        add512(sigma, m);
    }
    let mut ends = ends.iter();
    let mut lanes = lanes.each_mut().map(|HashLane { state, .. }| HashLane {
        state,
        blocks: ends.next().map_or(&[], |end| end.as_flattened()),
    });
    hash(keys, &mut lanes, false);
}

/// A message, or two, over `round/field.rs`.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(super) mod field {
    use crate::kernel::{HashKeys, HashLane};
    pub(in crate::streebog) use crate::streebog::constants::aes::INITIAL;
    use crate::streebog::counter::count;
    pub(in crate::streebog) use crate::streebog::round::field::keys;
    use crate::streebog::round::field::{Rows, compress, under};

    // Loops, not closures: a closure that `core` calls may stay outside the entry, where the instruction set
    // is not enabled and every intrinsic is a call.

    /// [`super::Hash`].
    #[inline(always)]
    pub(in crate::streebog) fn hash<R: Rows, const N: usize>(
        isa: R::Isa,
        keys: Option<&HashKeys>,
        lanes: &mut [HashLane<'_>; N],
        counted: bool,
    ) {
        let sbox = R::sbox(isa);
        let zero = R::load(isa, &[0; 64]);
        let (mut n, mut key) = ([zero; N], [zero; N]);
        for i in 0..N {
            n[i] = R::load(isa, &lanes[i].state.n).enter_image();
            // Between blocks h has the N of the next block added.
            key[i] = R::load(isa, &lanes[i].state.h).enter_image().xor(n[i]);
        }
        let blocks = lanes[0].blocks.len() / 64;
        let mut at = 0;
        // Apart from the loop, which would spill more.
        if let Some(keys) = keys.filter(|_| blocks > 0) {
            let (text, last) = feed(isa, lanes, at, &key, &mut n, counted);
            key = under(isa, &sbox, keys, text, last);
            at = 1;
        }
        while at < blocks {
            let (text, last) = feed(isa, lanes, at, &key, &mut n, counted);
            key = compress(isa, &sbox, key, text, last);
            at += 1;
        }
        for i in 0..N {
            key[i].xor(n[i]).leave_image().store(&mut lanes[i].state.h);
        }
    }

    /// Block `at` of each message, and the sum for the end: h + N + m, and the next N, which `n` becomes.
    #[inline(always)]
    fn feed<R: Rows, const N: usize>(
        isa: R::Isa,
        lanes: &mut [HashLane<'_>; N],
        at: usize,
        key: &[R; N],
        n: &mut [R; N],
        counted: bool,
    ) -> ([R; N], [R; N]) {
        let zero = R::load(isa, &[0; 64]);
        let (mut text, mut last) = ([zero; N], [zero; N]);
        for i in 0..N {
            let HashLane { state, blocks } = &mut lanes[i];
            let m = blocks[64 * at..64 * at + 64].try_into().expect("64 bytes");
            let mut next = zero;
            if counted {
                count(state, m);
                next = R::load(isa, &state.n).enter_image();
            }
            text[i] = R::load(isa, m).enter_image();
            last[i] = key[i].xor(n[i]).xor3(text[i], next);
            n[i] = next;
        }
        (text, last)
    }
}

/// A message, or two, over `round/nibbles.rs`.
pub(super) mod nibbles {
    use crate::kernel::{HashKeys, HashLane};
    use crate::streebog::counter::count;
    use crate::streebog::round::nibbles as round;
    use crate::streebog::round::nibbles::{Groups, enter, leave, sum, zero};
    pub(in crate::streebog) use crate::streebog::round::nibbles::{INITIAL, keys};

    /// [`super::Hash`].
    #[inline(always)]
    pub(in crate::streebog) fn hash<N: Groups, const V: usize, const LANES: usize>(
        isa: N::Isa,
        mut keys: Option<&HashKeys>,
        lanes: &mut [HashLane<'_>; LANES],
        counted: bool,
    ) {
        let mut h = enter::<N, V, LANES>(isa, |i| &lanes[i].state.h);
        let mut n = enter::<N, V, LANES>(isa, |i| &lanes[i].state.n);
        for at in 0..lanes[0].blocks.len() / 64 {
            let hn = sum(h, n);
            let m = |i: usize| lanes[i].blocks[64 * at..64 * at + 64].try_into().expect("64 bytes");
            let m: [&[u8; 64]; LANES] = core::array::from_fn(m);
            n = zero(isa);
            if counted {
                for i in 0..LANES {
                    count(lanes[i].state, m[i]);
                }
                // Here already: vectors are loaded from words only when these have left the processor's queue of stores,
                // for which nothing waits yet.
                n = enter::<N, V, LANES>(isa, |i| &lanes[i].state.n);
            }
            let keys = keys.take();
            h = match LANES {
                1 => round::one(isa, keys, h, hn, m[0]),
                _ => round::two(isa, keys, h, hn, enter::<N, V, LANES>(isa, |i| m[i])),
            };
        }
        let rows = leave(isa, h);
        for i in 0..LANES {
            for (h, row) in lanes[i].state.h.as_chunks_mut().0.iter_mut().zip(&*rows) {
                *h = row[i];
            }
        }
    }
}
