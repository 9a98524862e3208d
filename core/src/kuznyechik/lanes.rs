//! Chained streams, one in each lane, on any vectors.
#![allow(unsafe_code)]

use super::batch::{leave, load, store};
use super::layout::Layout;
use super::{Schedule, blocks};
use crate::cipher::{Chain, Data, Direction, Lane};
use crate::memory::Scratch;
use crate::simd::prefetch;

/// The largest batch.
const MOST: usize = 64;

/// Runs the lanes.
#[inline(always)]
pub(super) fn run<K: Layout>(isa: K::Isa, chain: Chain, lanes: &mut [Lane<'_, Schedule, 16>]) {
    let wide = K::LEN / 16;
    for lanes in lanes.chunks_mut(K::LEN) {
        if lanes.len() > K::FEW_LANES {
            many_lanes::<K>(isa, chain, lanes);
            continue;
        }
        for lanes in lanes.chunks_mut(4 * wide) {
            match lanes {
                [lane] => one_lane::<K>(isa, chain, lane),
                _ if lanes.len() <= wide => few_lanes::<K, 1>(isa, chain, lanes),
                _ if lanes.len() <= 2 * wide => few_lanes::<K, 2>(isa, chain, lanes),
                _ if lanes.len() <= 3 * wide => few_lanes::<K, 3>(isa, chain, lanes),
                _ => few_lanes::<K, 4>(isa, chain, lanes),
            }
        }
    }
}

/// The low-latency form.
#[inline(always)]
fn one_lane<K: Layout>(isa: K::Isa, chain: Chain, lane: &mut Lane<'_, Schedule, 16>) {
    let mut keys = Scratch::<blocks::EnteredKeys>::new();
    blocks::keys::<K>(isa, Direction::Encrypt, lane.schedule, &mut keys);
    let sbox = K::sbox(isa, Direction::Encrypt);
    let mut z = K::enter(isa, K::repeat(isa, lane.state));
    match &mut lane.data {
        Data::Read(data) => {
            for x in data.as_chunks().0 {
                let x = K::enter(isa, K::repeat(isa, x));
                z = blocks::cipher_one::<K>(isa, Direction::Encrypt, &sbox, &keys, K::xor(z, x));
            }
        }
        Data::Through(data) => {
            for i in 0..data.len() / 16 {
                let x = K::enter(isa, K::repeat(isa, &data.get_in().as_chunks().0[i]));
                if chain == Chain::CbcEncrypt {
                    z = K::xor(z, x);
                }
                z = blocks::cipher_one::<K>(isa, Direction::Encrypt, &sbox, &keys, z);
                let mut y = z;
                if chain != Chain::CbcEncrypt {
                    y = K::xor(y, x);
                }
                if chain == Chain::CfbEncrypt {
                    z = y;
                }
                K::store_one(K::leave(isa, y), &mut data.get_out().as_chunks_mut().0[i]);
            }
        }
    }
    K::store_one(K::leave(isa, z), lane.state);
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
            // What `gather` and `scatter` rely on.
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
    /// What comes after block `i`: a quarter of the lanes each time, so that each line is called once, two
    /// lines ahead: the cipher of a block is longer than a processor looks ahead by itself.
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
    unsafe fn gather<K: Layout, const G: usize>(
        &self,
        isa: K::Isa,
        i: usize,
        buffer: &mut [u8],
    ) -> [K::V; G] {
        assert!(i < self.blocks);
        // SAFETY: at all N places are `blocks` blocks, and `i` is less; bytes have no alignment.
        let block = |n: usize| unsafe { &*self.from[n].add(i) };
        let x = gathered::<K, G>(isa, self.lanes, buffer, block);
        self.prefetch(i);
        x
    }
    /// Puts block `i` of each lane, which stands in `from`.
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

/// Blocks of so many lanes in G vectors; beyond the last lane what `block` or `buffer` has.
///
/// From the lanes' own memory, since bytes just put together in a buffer make wider loads wait: with 64 lanes
/// of `avx512` on Zen 5 the time of that depended a little on whether the blocks were new (docs/ASSURANCE.md).
/// Only a whole batch takes the buffer, where `TOGETHER` says that it is cheaper all the same.
#[inline(always)]
fn gathered<'a, K: Layout, const G: usize>(
    isa: K::Isa,
    lanes: usize,
    buffer: &mut [u8],
    block: impl Fn(usize) -> &'a [u8; 16],
) -> [K::V; G] {
    if K::TOGETHER && G == 16 {
        for n in 0..lanes {
            buffer[16 * n..16 * n + 16].copy_from_slice(block(n));
        }
        return load::<K, G>(isa, buffer);
    }
    let each = K::LEN / 16;
    let mut x = [K::splat(isa, 0); G];
    unrolled!(g < G, {
        let (a, b) = (block(each * g), block(each * g + 1 % each));
        let blocks = [a, b, block(each * g + 2 % each), block(each * g + 3 % each)];
        x[g] = K::gather(isa, blocks);
    });
    x
}

/// Around the cipher: what goes in from the register z and the block x, and then the output; z is left.
#[inline(always)]
fn before<K: Layout, const N: usize>(chain: Chain, z: &mut [K::V; N], x: &[K::V; N]) {
    if matches!(chain, Chain::CbcEncrypt | Chain::Mac) {
        for i in 0..N {
            z[i] = K::xor(z[i], x[i]);
        }
    }
}

#[inline(always)]
fn after<K: Layout, const N: usize>(chain: Chain, z: &mut [K::V; N], x: &[K::V; N]) -> [K::V; N] {
    let mut y = *z;
    if matches!(chain, Chain::CfbEncrypt | Chain::Ofb) {
        for i in 0..N {
            y[i] = K::xor(z[i], x[i]);
        }
    }
    if chain == Chain::CfbEncrypt {
        *z = y;
    }
    y
}

/// To the form of the rounds of few blocks.
#[inline(always)]
fn entered<K: Layout, const G: usize>(isa: K::Isa, v: &mut [K::V; G]) {
    for g in 0..G {
        v[g] = K::enter(isa, v[g]);
    }
}

/// Up to G vectors of lanes.
#[inline(always)]
fn few_lanes<K: Layout, const G: usize>(
    isa: K::Isa,
    chain: Chain,
    lanes: &mut [Lane<'_, Schedule, 16>],
) {
    let last = lanes.len() - 1;
    let mut buffer = Scratch::<[u8; 256]>::new();
    let mut keys = Scratch::<[[u8; 256]; 10]>::new();
    for (r, keys) in keys.iter_mut().enumerate() {
        let key = |n: usize| blocks::key(lanes[n.min(last)].schedule, Direction::Encrypt, r);
        let mut v = gathered::<K, G>(isa, lanes.len(), &mut *buffer, key);
        entered::<K, G>(isa, &mut v);
        store::<K, G>(&v, keys);
    }
    let mut z = gathered::<K, G>(isa, lanes.len(), &mut *buffer, |n| &*lanes[n.min(last)].state);
    entered::<K, G>(isa, &mut z);
    let places = Places::<16>::of(lanes);
    for i in 0..places.blocks {
        // SAFETY: `lanes` is not used before the loop ends.
        let mut x = unsafe { places.gather::<K, G>(isa, i, &mut *buffer) };
        entered::<K, G>(isa, &mut x);
        before::<K, G>(chain, &mut z, &x);
        z = blocks::cipher::<K, G>(isa, Direction::Encrypt, z, &blocks::KeyPerVector(isa, &keys));
        let y = after::<K, G>(chain, &mut z, &x);
        if chain != Chain::Mac {
            leave::<K, G>(isa, &y, &mut buffer);
            // SAFETY: `lanes` is not used before the loop ends; all but MACs write.
            unsafe { places.scatter(i, &*buffer) }
        }
    }
    leave::<K, G>(isa, &z, &mut buffer);
    for (lane, z) in lanes.iter_mut().zip(buffer.as_chunks().0) {
        *lane.state = *z;
    }
}

/// Up to `LEN` lanes, a byte of each in a vector.
#[inline(always)]
fn many_lanes<K: Layout>(isa: K::Isa, chain: Chain, lanes: &mut [Lane<'_, Schedule, 16>]) {
    let last = lanes.len() - 1;
    let mut buffer = Scratch::<[u8; 16 * MOST]>::new();
    let first = |n: usize| &lanes[n.min(last)].schedule.keys[0];
    let first = gathered::<K, 16>(isa, lanes.len(), &mut *buffer, first);
    let first = K::sliced(isa, first);
    let mut kappa = Scratch::<K::Kappa>::new();
    for r in 0..9 {
        let key = |n: usize| &lanes[n.min(last)].schedule.inverse[r + 1];
        let keys = gathered::<K, 16>(isa, lanes.len(), &mut *buffer, key);
        K::kappa(isa, &mut kappa, r, keys);
    }
    let z = gathered::<K, 16>(isa, lanes.len(), &mut *buffer, |n| &*lanes[n.min(last)].state);
    let mut z = K::sliced(isa, z);
    let places = Places::<MOST>::of(lanes);
    for i in 0..places.blocks {
        // SAFETY: `lanes` is not used before the loop ends.
        let x = unsafe { places.gather::<K, 16>(isa, i, &mut *buffer) };
        let x = K::sliced(isa, x);
        before::<K, 16>(chain, &mut z, &x);
        for i in 0..16 {
            z[i] = K::xor(z[i], first[i]);
        }
        K::rounds(isa, &kappa, &mut z);
        let y = after::<K, 16>(chain, &mut z, &x);
        if chain != Chain::Mac {
            store::<K, 16>(&K::unsliced(isa, y), &mut *buffer);
            // SAFETY: `lanes` is not used before the loop ends; all but MACs write.
            unsafe { places.scatter(i, &*buffer) }
        }
    }
    store::<K, 16>(&K::unsliced(isa, z), &mut *buffer);
    for (lane, z) in lanes.iter_mut().zip(buffer.as_chunks().0) {
        *lane.state = *z;
    }
}
