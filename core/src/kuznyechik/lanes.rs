//! Chained streams, one in each lane, each under its own key.
//!
//! A chain waits for its own results, so a kernel is busy only with many: on Zen 5 one stream costs 14.7 cycles a byte, 64
//! streams 1.16 (`gfni512`). Many lanes go as a batch with a key for each block, few in 16 bytes of a vector each.
#![allow(unsafe_code)]

use super::Schedule;
use super::batch::{FewKeys, FewKeysOf, cipher_few, cipher_one, few_key, few_keys, leave};
use super::round::{diagonal, load, sliced, store, unsliced};
use super::sbox::{Isa, Kappa, Rounds, Sbox, V};
use crate::cipher::{Chain, Data, Direction, Lane};
use crate::memory::Scratch;
use crate::simd::{Vector, prefetch};

/// The largest batch.
const MOST: usize = 64;

/// Runs the lanes.
#[inline(always)]
pub(super) fn run<K: Rounds>(isa: Isa<K::S>, chain: Chain, lanes: &mut [Lane<'_, Schedule, 16>]) {
    let wide = V::<K>::LEN / 16;
    for lanes in lanes.chunks_mut(V::<K>::LEN) {
        if lanes.len() > K::S::FEW_LANES {
            many_lanes::<K>(isa, chain, lanes);
            continue;
        }
        for lanes in lanes.chunks_mut(4 * wide) {
            match lanes {
                [lane] => one_lane::<K::S>(isa, chain, lane),
                _ if lanes.len() <= wide => few_lanes::<K::S, 1>(isa, chain, lanes),
                _ if lanes.len() <= 2 * wide => few_lanes::<K::S, 2>(isa, chain, lanes),
                _ if lanes.len() <= 3 * wide => few_lanes::<K::S, 3>(isa, chain, lanes),
                _ => few_lanes::<K::S, 4>(isa, chain, lanes),
            }
        }
    }
}

/// The low-latency form.
#[inline(always)]
fn one_lane<S: Sbox>(isa: Isa<S>, chain: Chain, lane: &mut Lane<'_, Schedule, 16>) {
    let mut keys = Scratch::<FewKeys>::new();
    few_keys::<S>(isa, Direction::Encrypt, lane.schedule, &mut keys);
    let few = S::few(isa, Direction::Encrypt);
    let mut z = S::enter(isa, S::V::repeat(isa, lane.state));
    match &mut lane.data {
        Data::Read(data) => {
            for x in data.as_chunks().0 {
                let x = S::enter(isa, S::V::repeat(isa, x));
                z = cipher_one::<S>(isa, Direction::Encrypt, &few, &keys, z.xor(x));
            }
        }
        Data::Through(data) => {
            for i in 0..data.len() / 16 {
                let x = S::enter(isa, S::V::repeat(isa, &data.get_in().as_chunks().0[i]));
                if chain == Chain::CbcEncrypt {
                    z = z.xor(x);
                }
                z = cipher_one::<S>(isa, Direction::Encrypt, &few, &keys, z);
                let mut y = z;
                if chain != Chain::CbcEncrypt {
                    y = y.xor(x);
                }
                if chain == Chain::CfbEncrypt {
                    z = y;
                }
                S::leave(isa, y).store_one(&mut data.get_out().as_chunks_mut().0[i]);
            }
        }
    }
    S::leave(isa, z).store_one(lane.state);
}

/// Where the data of up to N lanes is; input beyond the last lane is its again.
struct Places<const N: usize> {
    from: [*const [u8; 16]; N],
    to: [*mut [u8; 16]; N],
    lanes: usize,
    blocks: usize,
}

impl<const N: usize> Places<N> {
    fn of(lanes: &mut [Lane<'_, Schedule, 16>]) -> Self {
        let blocks = lanes[0].data.len() / 16;
        let mut p = Places {
            from: [core::ptr::null(); N],
            to: [core::ptr::null_mut(); N],
            lanes: lanes.len().min(N),
            blocks,
        };
        for (i, lane) in lanes[..p.lanes].iter_mut().enumerate() {
            // `gather` and `scatter` rely on it.
            assert_eq!(lane.data.len(), 16 * blocks);
            match &mut lane.data {
                Data::Read(data) => p.from[i] = data.as_ptr().cast(),
                Data::Through(data) => {
                    let (from, to) = data.reborrow().into_raw();
                    (p.from[i], p.to[i]) = (from.cast(), to.cast());
                }
            }
        }
        let last = p.from[p.lanes - 1];
        p.from[p.lanes..].fill(last);
        p
    }
    /// Prefetches the blocks after `i`: a quarter of the lanes each time, so that each line is called once, two
    /// lines ahead: the cipher of a block is longer than a processor looks ahead.
    #[inline(always)]
    fn prefetch(&self, i: usize) {
        for from in self.from[..self.lanes].iter().skip(i % 4).step_by(4) {
            prefetch(from.wrapping_add(i + 8).cast());
        }
    }
    /// Block `i` of each lane, in G vectors.
    ///
    /// # Safety
    /// The lanes' data is still borrowed, as it was for `of`.
    #[inline(always)]
    unsafe fn gather<S: Sbox, const G: usize>(
        &self,
        isa: Isa<S>,
        i: usize,
        buffer: &mut [u8],
    ) -> [S::V; G] {
        assert!(i < self.blocks);
        // SAFETY: at all N places are `blocks` blocks, and `i` is less; bytes have no alignment.
        let block = |n: usize| unsafe { &*self.from[n].add(i) };
        let x = gathered::<S, G>(isa, self.lanes, buffer, block);
        self.prefetch(i);
        x
    }
    /// Copies block `i` of each lane from `from`.
    ///
    /// # Safety
    /// The lanes' data is still borrowed, as it was for `of`, and not read-only.
    #[inline(always)]
    unsafe fn scatter(&self, i: usize, from: &[u8]) {
        assert!(i < self.blocks && from.len() >= 16 * self.lanes);
        for n in 0..self.lanes {
            let block: [u8; 16] = from[16 * n..16 * n + 16].try_into().expect("16 bytes");
            // SAFETY: each lane has `blocks` blocks, and `i` is less; bytes have no alignment.
            unsafe { *self.to[n].add(i) = block }
        }
    }
}

/// The blocks of `lanes` lanes in G vectors; beyond the last lane those of `block` or `buffer`.
///
/// From the lanes' own memory, since bytes just put together in a buffer make wider loads wait: with 64 lanes
/// of `avx512` on Zen 5 the time of that depended a little on whether the blocks were new (docs/ASSURANCE.md).
/// Only a whole batch goes through the buffer, where `TOGETHER` says that it is cheaper nevertheless.
#[inline(always)]
fn gathered<'a, S: Sbox, const G: usize>(
    isa: Isa<S>,
    lanes: usize,
    buffer: &mut [u8],
    block: impl Fn(usize) -> &'a [u8; 16],
) -> [S::V; G] {
    if S::TOGETHER && G == 16 {
        for n in 0..lanes {
            buffer[16 * n..16 * n + 16].copy_from_slice(block(n));
        }
        return load::<S::V, G>(isa, buffer);
    }
    let each = S::V::LEN / 16;
    let mut x = [S::V::splat(isa, 0); G];
    unrolled!(g < G, {
        let (a, b) = (block(each * g), block(each * g + 1 % each));
        let blocks = [a, b, block(each * g + 2 % each), block(each * g + 3 % each)];
        x[g] = S::V::gather(isa, blocks);
    });
    x
}

/// Around the cipher: the input from the register z and the block x; after it the output, and the next z.
#[inline(always)]
fn before<S: Sbox, const N: usize>(chain: Chain, z: &mut [S::V; N], x: &[S::V; N]) {
    if matches!(chain, Chain::CbcEncrypt | Chain::Mac) {
        for i in 0..N {
            z[i] = z[i].xor(x[i]);
        }
    }
}

#[inline(always)]
fn after<S: Sbox, const N: usize>(chain: Chain, z: &mut [S::V; N], x: &[S::V; N]) -> [S::V; N] {
    let mut y = *z;
    if matches!(chain, Chain::CfbEncrypt | Chain::Ofb) {
        for i in 0..N {
            y[i] = z[i].xor(x[i]);
        }
    }
    if chain == Chain::CfbEncrypt {
        *z = y;
    }
    y
}

/// To the form of the rounds of few blocks.
#[inline(always)]
fn entered<S: Sbox, const G: usize>(isa: Isa<S>, v: &mut [S::V; G]) {
    for g in 0..G {
        v[g] = S::enter(isa, v[g]);
    }
}

/// Up to G vectors of lanes.
#[inline(always)]
fn few_lanes<S: Sbox, const G: usize>(
    isa: Isa<S>,
    chain: Chain,
    lanes: &mut [Lane<'_, Schedule, 16>],
) {
    let last = lanes.len() - 1;
    let mut buffer = Scratch::<[u8; 256]>::new();
    let mut keys = Scratch::<[[u8; 256]; 10]>::new();
    for (r, keys) in keys.iter_mut().enumerate() {
        let key = |n: usize| few_key(lanes[n.min(last)].schedule, Direction::Encrypt, r);
        let mut v = gathered::<S, G>(isa, lanes.len(), &mut *buffer, key);
        entered::<S, G>(isa, &mut v);
        store(&v, keys);
    }
    let mut z = gathered::<S, G>(isa, lanes.len(), &mut *buffer, |n| &*lanes[n.min(last)].state);
    entered::<S, G>(isa, &mut z);
    let places = Places::<16>::of(lanes);
    for i in 0..places.blocks {
        // SAFETY: `lanes` is not used before the loop ends.
        let mut x = unsafe { places.gather::<S, G>(isa, i, &mut *buffer) };
        entered::<S, G>(isa, &mut x);
        before::<S, G>(chain, &mut z, &x);
        z = cipher_few::<S, G>(isa, Direction::Encrypt, z, FewKeysOf::Each(&keys));
        let y = after::<S, G>(chain, &mut z, &x);
        if chain != Chain::Mac {
            leave::<S, G>(isa, &y, &mut buffer);
            // SAFETY: `lanes` is not used before the loop ends; all but MACs write.
            unsafe { places.scatter(i, &*buffer) }
        }
    }
    leave::<S, G>(isa, &z, &mut buffer);
    for (lane, z) in lanes.iter_mut().zip(buffer.as_chunks().0) {
        *lane.state = *z;
    }
}

/// Up to `LEN` lanes, a byte of each in a vector.
#[inline(always)]
fn many_lanes<K: Rounds>(isa: Isa<K::S>, chain: Chain, lanes: &mut [Lane<'_, Schedule, 16>]) {
    let last = lanes.len() - 1;
    let mut buffer = Scratch::<[u8; 16 * MOST]>::new();
    let first = |n: usize| &lanes[n.min(last)].schedule.keys[0];
    let first = gathered::<K::S, 16>(isa, lanes.len(), &mut *buffer, first);
    let first = sliced(first);
    let mut kappa = Scratch::<Kappa>::new();
    for r in 0..9 {
        let key = |n: usize| &lanes[n.min(last)].schedule.inverse[r + 1];
        let keys = gathered::<K::S, 16>(isa, lanes.len(), &mut *buffer, key);
        let mut v = sliced(keys);
        diagonal::<K::S>(isa, &mut v, &K::S::CONSTANTS.d2);
        for i in 0..16 {
            v[i].store(&mut kappa[r][i]);
        }
    }
    let z = gathered::<K::S, 16>(isa, lanes.len(), &mut *buffer, |n| &*lanes[n.min(last)].state);
    let mut z = sliced(z);
    let places = Places::<MOST>::of(lanes);
    for i in 0..places.blocks {
        // SAFETY: `lanes` is not used before the loop ends.
        let x = unsafe { places.gather::<K::S, 16>(isa, i, &mut *buffer) };
        let x = sliced(x);
        before::<K::S, 16>(chain, &mut z, &x);
        for i in 0..16 {
            z[i] = z[i].xor(first[i]);
        }
        K::encrypt_each(isa, &mut z, &kappa);
        diagonal::<K::S>(isa, &mut z, &K::S::CONSTANTS.d1);
        let y = after::<K::S, 16>(chain, &mut z, &x);
        if chain != Chain::Mac {
            store(&unsliced(y), &mut *buffer);
            // SAFETY: `lanes` is not used before the loop ends; all but MACs write.
            unsafe { places.scatter(i, &*buffer) }
        }
    }
    store(&unsliced(z), &mut *buffer);
    for (lane, z) in lanes.iter_mut().zip(buffer.as_chunks().0) {
        *lane.state = *z;
    }
}
