//! [`Ready`]: the proof that a kernel can run here, and the only calls of the kernels' `unsafe fn`s from outside a
//! primitive. Within Magma, `gfni512` calls functions of `avx512`, and `avx512` of `avx2`: it has their features, too.
#![allow(unsafe_code)]

use super::entry::{
    BlockKernel, GfKernel, HashKernel, HashKeys, HashLane, HashState, Kernel, NewKey, Primitive,
};
use crate::cipher::{Block, Chain, Count, Data, Direction, InOut, Lane};
use crate::memory;

/// A kernel that this machine can run: made only by a successful `available()`.
pub struct Ready<K: 'static>(pub(super) &'static K);

impl<K> Clone for Ready<K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K> Copy for Ready<K> {}

impl<K: Kernel> Ready<K> {
    /// The kernel, if this machine can run it.
    pub fn new(kernel: &'static K) -> Option<Self> {
        kernel.available().then_some(Ready(kernel))
    }
    /// The kernel's name.
    pub fn name(&self) -> &'static str {
        self.0.name()
    }
}

impl<S, const B: usize> Ready<BlockKernel<S, B>>
where
    BlockKernel<S, B>: Primitive,
{
    /// Fills the schedule from the key.
    pub fn prepare(&self, key: &[u8; 32], schedule: &mut S) {
        // SAFETY: `Ready` exists only where `available()` was true.
        unsafe { (self.0.prepare)(key, schedule) };
        if BlockKernel::<S, B>::SPILLS {
            memory::overwrite_stack::<{ memory::SHALLOW }>();
        }
    }
    /// Fills the schedules: side by side where the kernel can, else key after key.
    #[cfg_attr(not(feature = "alloc"), allow(dead_code))]
    pub fn schedules(&self, keys: &mut [NewKey<'_, S>]) {
        if let [k] = keys {
            return self.prepare(k.key, k.schedule);
        }
        match self.0.schedules {
            // SAFETY: `Ready` exists only where `available()` was true.
            Some(f) => unsafe { f(keys) },
            None => keys.iter_mut().for_each(|k| self.prepare(k.key, k.schedule)),
        }
        // The halves of several keys do not fit in registers.
        if !keys.is_empty() {
            memory::overwrite_stack::<{ memory::DEEP }>();
        }
    }
    /// Transforms independent blocks.
    ///
    /// # Panics
    /// When `data` is not a whole number of blocks, as every call of this type.
    pub fn map(&self, schedule: &S, direction: Direction, data: InOut<'_, '_>) {
        assert!(data.len().is_multiple_of(B), "whole blocks");
        let f = self.0.map.expect("chosen for this shape");
        // SAFETY: `Ready` exists only where `available()` was true; whole blocks, checked above.
        unsafe { f(schedule, direction, data) }
    }
    /// Adds the gamma of the counter, and leaves the counter for the next call.
    pub fn stream(&self, s: &S, counter: &mut [u8; B], count: Count, data: InOut<'_, '_>) {
        assert!(data.len().is_multiple_of(B), "whole blocks");
        let f = self.0.stream.expect("chosen for this shape");
        // SAFETY: `Ready` exists only where `available()` was true; whole blocks, checked above.
        unsafe { f(s, counter, count, data) }
    }
    /// As [`crate::cipher::Shapes::sections`].
    pub fn sections(
        &self,
        schedule: &mut S,
        counter: &mut [u8; B],
        section: usize,
        data: InOut<'_, '_>,
    ) -> usize {
        assert!(section > 0 && section.is_multiple_of(B), "whole blocks");
        let Some(f) = self.0.sections else { return 0 };
        // SAFETY: `Ready` exists only where `available()` was true; whole blocks, checked above.
        let done = unsafe { f(schedule, counter, section, data) };
        if BlockKernel::<S, B>::SPILLS && done > 0 {
            memory::overwrite_stack::<{ memory::MIDDLE }>();
        }
        done
    }
    /// Walks the chain, and returns whether the kernel can.
    pub fn next_keys(&self, schedule: &mut S, keys: &mut [[u8; 32]]) -> bool {
        let Some(f) = self.0.next_keys else { return false };
        // SAFETY: `Ready` exists only where `available()` was true.
        unsafe { f(schedule, keys) };
        // As after `prepare`.
        memory::overwrite_stack::<{ memory::SHALLOW }>();
        true
    }
    /// As [`crate::cipher::Shapes::products`].
    pub fn products(
        &self,
        s: &S,
        counter: &mut [u8; B],
        before: &[u8],
        blocks: &[u8],
        sum: &mut [u8; B],
    ) -> usize {
        assert!(before.len().is_multiple_of(B) && blocks.len().is_multiple_of(B), "whole blocks");
        let Some(f) = self.0.products else { return 0 };
        // SAFETY: `Ready` exists only where `available()` was true; whole blocks, checked above.
        unsafe { f(s, counter, before, blocks, sum) }
    }
    /// Runs a chained stream per lane.
    ///
    /// # Panics
    /// When the lanes differ in length, or hold a different kind of data from what the chain needs.
    pub fn lanes(&self, chain: Chain, lanes: &mut [Lane<'_, S, B>]) {
        let Some(first) = lanes.first().map(|l| l.data.len()) else { return };
        assert!(first.is_multiple_of(B), "whole blocks");
        let read = matches!(chain, Chain::Mac | Chain::Imit);
        for lane in lanes.iter() {
            assert!(lane.data.len() == first, "lanes of one length");
            assert!(matches!(lane.data, Data::Read(_)) == read, "read-only data for MACs alone");
        }
        let f = self.0.lanes.expect("chosen for this shape");
        // SAFETY: `Ready` exists only where `available()` was true; the contract is checked above.
        unsafe { f(chain, lanes) }
    }
}

impl Ready<HashKernel> {
    /// The keys of the first block, for 512 or for 256 bits of digest.
    #[inline]
    pub fn initial(&self, short: bool) -> &'static HashKeys {
        &self.0.initial[usize::from(short)]
    }
    /// The keys of the next block.
    #[inline]
    pub fn keys(&self, state: &HashState) -> HashKeys {
        // SAFETY: `Ready` exists only where `available()` was true.
        unsafe { (self.0.keys)(state) }
    }
    /// Stage 2 over whole blocks of messages side by side, the same number in each lane.
    #[inline]
    pub fn blocks(&self, lanes: &mut [HashLane<'_>]) {
        self.blocks_under(None, lanes);
    }
    /// [`Self::blocks`] of lanes with one h and one N, under their keys, if these are known.
    #[inline]
    pub fn blocks_under(&self, keys: Option<&HashKeys>, lanes: &mut [HashLane<'_>]) {
        let Some(first) = lanes.first().map(|l| l.blocks.len()) else { return };
        assert!(first.is_multiple_of(64), "whole blocks");
        assert!(lanes.iter().all(|l| l.blocks.len() == first), "lanes of one length");
        // SAFETY: `Ready` exists only where `available()` was true; the contract is checked above.
        unsafe { (self.0.blocks)(keys, lanes) }
    }
    /// Stage 3 of messages side by side: the rest of each, less than 64 bytes; h is the digest.
    #[inline]
    pub fn finish(&self, lanes: &mut [HashLane<'_>]) {
        self.finish_under(None, lanes);
    }
    /// [`Self::finish`] of lanes with one h and one N, under their keys, if these are known.
    #[inline]
    pub fn finish_under(&self, keys: Option<&HashKeys>, lanes: &mut [HashLane<'_>]) {
        assert!(lanes.iter().all(|l| l.blocks.len() < 64), "less than a block");
        // SAFETY: `Ready` exists only where `available()` was true; the contract is checked above.
        unsafe { (self.0.finish)(keys, lanes) }
    }
}

impl Ready<GfKernel> {
    /// Returns whether the ciphers' kernels multiply as this kernel does.
    #[inline]
    pub fn fused(&self) -> bool {
        self.0.fused
    }
    /// acc ^= Σ h_i ⊗ a_i in GF(2^64); `h` and `a` of equal length, whole blocks.
    #[inline]
    pub fn mac64(&self, acc: &mut [u8; 8], h: &[u8], a: &[u8]) {
        assert!(h.len() == a.len() && a.len().is_multiple_of(8), "whole blocks");
        // SAFETY: `Ready` exists only where `available()` was true; lengths checked above.
        unsafe { (self.0.mac64)(acc, h, a) }
    }
    /// acc ^= Σ h_i ⊗ a_i in GF(2^128); `h` and `a` of equal length, whole blocks.
    #[inline]
    pub fn mac128(&self, acc: &mut [u8; 16], h: &[u8], a: &[u8]) {
        assert!(h.len() == a.len() && a.len().is_multiple_of(16), "whole blocks");
        // SAFETY: `Ready` exists only where `available()` was true; lengths checked above.
        unsafe { (self.0.mac128)(acc, h, a) }
    }
    /// In groups of 16 blocks, replaces each block after the first group by α^16 times the block 16 places before it
    /// (IEEE Std 1619).
    #[inline]
    pub fn powers(&self, blocks: &mut [u8]) {
        assert!(blocks.len().is_multiple_of(256), "whole 16 blocks");
        // SAFETY: `Ready` exists only where `available()` was true; the length is checked above.
        unsafe { (self.0.powers)(blocks) }
    }
    /// out = in ^ b; of equal length.
    #[inline]
    pub fn add(&self, data: InOut<'_, '_>, b: &[u8]) {
        assert!(data.len() == b.len(), "of one length");
        // SAFETY: `Ready` exists only where `available()` was true; lengths checked above.
        unsafe { (self.0.add)(data, b) }
    }
    /// The values of a counter of MGM ([`Count::Left`], else [`Count::Right`]) from its present value on. The counter
    /// then has the next value.
    pub fn counters<B: Block>(&self, counter: &mut B, count: Count, out: &mut [u8]) {
        assert!(out.len().is_multiple_of(B::LEN), "whole blocks");
        // SAFETY: `Ready` exists only where `available()` was true.
        unsafe { (self.0.counters)(counter.as_mut(), count == Count::Left, out) }
    }
}
