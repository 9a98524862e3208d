//! Chained streams: a stream in each lane, under its own key.
//!
//! A chain waits for its own results, so a kernel is busy only with many: on Zen 5 one stream costs 14.7 cycles a byte, 64
//! streams 1.16 (`gfni512`). Many lanes go as a batch with a key for each block, few in 16 bytes of a vector each.
#![allow(unsafe_code)]

use super::Schedule;
use super::batch::{
    FewBlocks, FewKeys, FewKeysOf, cipher_few, cipher_one, few_key, few_keys, leave,
};
use super::round::{diagonal, sliced, store, unsliced};
use super::sbox::{Isa, Kappa, Rounds, Sbox, V};
use crate::cipher::{Chain, Data, Direction, Lane};
use crate::memory::{self, Scratch};
use crate::simd::{Vector, prefetch, rolled};

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
                _ => K::few_lanes(isa, chain, lanes),
            }
        }
    }
}

/// Up to four vectors of lanes.
#[inline(always)]
pub(super) fn few<S: Sbox>(isa: Isa<S>, chain: Chain, lanes: &mut [Lane<'_, Schedule, 16>]) {
    let wide = S::V::LEN / 16;
    // A single lane has a function of its own. The compiler writes no code for other numbers.
    assert!((2..=(4 * wide).min(S::FEW_LANES)).contains(&lanes.len()));
    if wide > 1 && lanes.len() <= wide {
        few_lanes::<S, 1>(isa, chain, lanes, 1);
    } else {
        few_lanes::<S, 4>(isa, chain, lanes, lanes.len().div_ceil(wide));
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

/// Where the data of up to N lanes is; after the last lane its input repeats.
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
        let mut n = i % 4;
        while n < self.lanes.min(N) {
            prefetch(self.from[n].wrapping_add(i + 8).cast());
            n += 4;
        }
    }
    /// Block `i` of each lane, in vectors.
    ///
    /// # Safety
    /// The lanes' data is still borrowed, as it was for `of`.
    #[inline(always)]
    unsafe fn gather<S: Sbox>(&self, isa: Isa<S>, i: usize, buffer: &mut [u8], to: &mut [S::V]) {
        assert!(i < self.blocks);
        // SAFETY: at all N places are `blocks` blocks, and `i` is less; bytes have no alignment.
        let block = |n: usize| unsafe { &*self.from[n].add(i) };
        gathered::<S>(isa, self.lanes, buffer, block, to);
        self.prefetch(i);
    }
    /// Copies block `i` of each lane from `from`, which is no longer than it must be: the compiler writes code for as many
    /// lanes.
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

/// The blocks of `lanes` lanes in vectors. Places after the last lane have `block(n)` of a larger n, or what `buffer` had
/// there: their results are dropped.
///
/// From the lanes' own memory, since bytes just put together in a buffer make wider loads wait: with 64 lanes
/// of `avx512` on Zen 5 the time of that depended a little on whether the blocks were new (verification/ct/NOTES.md).
/// Only a whole batch goes through the buffer, where `TOGETHER` says that it is cheaper nevertheless.
#[inline(always)]
fn gathered<'a, S: Sbox>(
    isa: Isa<S>,
    lanes: usize,
    buffer: &mut [u8],
    block: impl Fn(usize) -> &'a [u8; 16],
    to: &mut [S::V],
) {
    if S::TOGETHER && to.len() == 16 {
        for n in 0..lanes {
            buffer[16 * n..16 * n + 16].copy_from_slice(block(n));
        }
        for (to, from) in to.iter_mut().zip(buffer.chunks_exact(S::V::LEN)) {
            *to = S::V::load(isa, from);
        }
        return;
    }
    let each = S::V::LEN / 16;
    for (g, to) in to.iter_mut().enumerate() {
        // `% each`: a vector of a block or two repeats its blocks.
        let (a, b) = (block(each * g), block(each * g + 1 % each));
        let blocks = [a, b, block(each * g + 2 % each), block(each * g + 3 % each)];
        *to = S::V::gather(isa, blocks);
    }
}

/// Around the cipher: the input from the register z and the block x; after it the output, and the next z.
#[inline(always)]
fn before<S: Sbox>(chain: Chain, z: &mut [S::V], x: &[S::V]) {
    if matches!(chain, Chain::CbcEncrypt | Chain::Mac) {
        for (z, x) in z.iter_mut().zip(x) {
            *z = z.xor(*x);
        }
    }
}

/// `x` becomes the output.
#[inline(always)]
fn after<S: Sbox>(chain: Chain, z: &mut [S::V], x: &mut [S::V]) {
    if !matches!(chain, Chain::CfbEncrypt | Chain::Ofb) {
        return x.copy_from_slice(z);
    }
    for (z, x) in z.iter().zip(x.iter_mut()) {
        *x = z.xor(*x);
    }
    if chain == Chain::CfbEncrypt {
        z.copy_from_slice(x);
    }
}

/// At most M vectors to the form of the rounds of few blocks.
#[inline(always)]
fn entered<S: Sbox, const M: usize>(isa: Isa<S>, v: &mut [S::V]) {
    for i in 0..v.len().min(M) {
        v[i] = S::enter(isa, v[i]);
    }
}

/// `n` vectors of lanes, of at most M.
#[inline(always)]
fn few_lanes<S: Sbox, const M: usize>(
    isa: Isa<S>,
    chain: Chain,
    lanes: &mut [Lane<'_, Schedule, 16>],
    n: usize,
) {
    let last = lanes.len() - 1;
    let mut buffer = Scratch::<FewBlocks>::new();
    let mut keys = Scratch::<[FewBlocks; 10]>::new();
    let [mut x, mut z] = [[S::V::splat(isa, 0); M]; 2];
    let n = n.clamp(M.min(2), M);
    let (x, z) = (&mut x[..n], &mut z[..n]);
    for r in rolled(keys.len()) {
        let key = |n: usize| few_key(lanes[n.min(last)].schedule, Direction::Encrypt, r);
        gathered::<S>(isa, lanes.len(), &mut *buffer, key, x);
        entered::<S, M>(isa, x);
        for (x, keys) in x.iter().zip(keys[r].chunks_exact_mut(S::V::LEN)) {
            x.store(keys);
        }
    }
    gathered::<S>(isa, lanes.len(), &mut *buffer, |n| &*lanes[n.min(last)].state, z);
    entered::<S, M>(isa, z);
    let mut places = Places::<16>::of(lanes);
    // A limit that the compiler knows.
    places.lanes = places.lanes.min(M * S::V::LEN / 16);
    for i in 0..places.blocks {
        // SAFETY: `lanes` is not used before the loop ends.
        unsafe { places.gather::<S>(isa, i, &mut *buffer, x) }
        entered::<S, M>(isa, x);
        before::<S>(chain, z, x);
        cipher_few::<S>(isa, Direction::Encrypt, z, FewKeysOf::Each(&keys));
        after::<S>(chain, z, x);
        if chain != Chain::Mac {
            leave::<S>(isa, x, &mut buffer);
            // SAFETY: `lanes` is not used before the loop ends; all but MACs write.
            unsafe { places.scatter(i, &buffer[..M * S::V::LEN]) }
        }
    }
    leave::<S>(isa, z, &mut buffer);
    for n in rolled(lanes.len()) {
        *lanes[n].state = buffer.as_chunks().0[n];
    }
}

/// Up to `LEN` lanes, a byte of each in a vector.
#[inline(always)]
fn many_lanes<K: Rounds>(isa: Isa<K::S>, chain: Chain, lanes: &mut [Lane<'_, Schedule, 16>]) {
    let last = lanes.len() - 1;
    let mut buffer = Scratch::<[u8; 16 * MOST]>::new();
    let zero = [V::<K>::splat(isa, 0); 16];
    let mut first = zero;
    let key = |n: usize| &lanes[n.min(last)].schedule.keys[0];
    gathered::<K::S>(isa, lanes.len(), &mut *buffer, key, &mut first);
    K::sliced(&mut first);
    let mut kappa = Scratch::<Kappa>::new();
    for r in 0..9 {
        let key = |n: usize| &lanes[n.min(last)].schedule.inverse[r + 1];
        let mut v = zero;
        gathered::<K::S>(isa, lanes.len(), &mut *buffer, key, &mut v);
        K::sliced(&mut v);
        for i in 0..16 {
            K::S::multiply(isa, v[i], &K::S::CONSTANTS.d2[i]).store(&mut kappa[r][i]);
        }
    }
    let mut v = zero;
    gathered::<K::S>(isa, lanes.len(), &mut *buffer, |n| &*lanes[n.min(last)].state, &mut v);
    K::sliced(&mut v);
    // A copy, since the compiler keeps a variable in memory that a function outside has seen.
    let mut z = v;
    let places = Places::<MOST>::of(lanes);
    for i in 0..places.blocks {
        let mut x = zero;
        // SAFETY: `lanes` is not used before the loop ends.
        unsafe { places.gather::<K::S>(isa, i, &mut *buffer, &mut x) }
        // Inline, unlike `K::sliced`: once a block.
        x = sliced(x);
        before::<K::S>(chain, &mut z, &x);
        for i in 0..16 {
            z[i] = z[i].xor(first[i]);
        }
        K::encrypt_each(isa, &mut z, &kappa);
        diagonal::<K::S>(isa, &mut z, &K::S::CONSTANTS.d1);
        after::<K::S>(chain, &mut z, &mut x);
        if chain != Chain::Mac {
            store(&unsliced(x), &mut *buffer);
            // SAFETY: `lanes` is not used before the loop ends; all but MACs write.
            unsafe { places.scatter(i, &buffer[..16 * V::<K>::LEN]) }
        }
    }
    v = z;
    K::unsliced(&mut v);
    store(&v, &mut *buffer);
    memory::wipe(&mut v, zero);
    memory::wipe(&mut z, zero);
    for n in rolled(lanes.len()) {
        *lanes[n].state = buffer.as_chunks().0[n];
    }
}
