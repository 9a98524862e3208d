//! Kernels: the list entries, the three shapes, and the choice of one at run time.
//!
//! A block-cipher kernel offers up to three shapes, which cover every mode:
//! - `map`: independent blocks (ECB, CBC and CFB decryption, XTS);
//! - `stream`: gamma from a counter that the kernel steps in registers (CTR, CNT, MGM);
//! - `lanes`: chained streams, one per lane, each with its own key (CBC, CFB, OFB encryption, OMAC,
//!   IMIT); one lane is the low-latency single stream.
//!
//! A hash kernel compresses one message, or many side by side. A primitive's list of kernels stands in
//! its `mod.rs`, fastest first; each shape takes the first available kernel that has it and that is not
//! known to be slow on this processor (`tuning.rs`), unless one is forced by name with [`force`] or the
//! environment variable `BULAT_KERNEL`.
//!
//! [`Ready`] is the proof that a kernel can run here, and holds the only calls of its `unsafe fn`s.
#![allow(unsafe_code)]

mod cpu;
pub(crate) mod tuning;

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::sync::atomic::{AtomicUsize, Ordering};
use zeroize::Zeroize;

#[cfg(feature = "alloc")]
pub(crate) use cpu::{Cpu, Vendor};

use crate::{Error, InOut, secret};

/// A block cipher's block: `[u8; 8]` or `[u8; 16]`, and nothing else, in the byte order of its standard.
pub trait Block:
    sealed::Sealed + Copy + AsRef<[u8]> + AsMut<[u8]> + Zeroize + Send + Sync + PartialEq + 'static
{
    /// Octets in a block.
    const LEN: usize;
    /// The block of zeros.
    const ZERO: Self;
}
mod sealed {
    pub trait Sealed {}
    impl Sealed for [u8; 8] {}
    impl Sealed for [u8; 16] {}
}
impl Block for [u8; 8] {
    const LEN: usize = 8;
    const ZERO: Self = [0; 8];
}
impl Block for [u8; 16] {
    const LEN: usize = 16;
    const ZERO: Self = [0; 16];
}

/// Which way a block is transformed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Plaintext to ciphertext.
    Encrypt,
    /// Ciphertext to plaintext.
    Decrypt,
}

/// How the counter of a `stream` goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// The whole block is one big-endian number, used, then increased by 1 (GOST R 34.13, CTR).
    Whole,
    /// The right half is a big-endian number, used, then increased (RFC 9058, `incr_r`: MGM's gamma).
    Right,
    /// The left half is a big-endian number, used, then increased (RFC 9058, `incr_l`: MGM's H_i).
    Left,
    /// The register (N3, N4) of GOST 28147-89, little-endian, FIRST stepped, then used (RFC 5830,
    /// section 6): N3 += 0x01010101 mod 2^32, N4 += 0x01010104 mod 2^32 - 1. After a call the register
    /// holds the last value used. Only for [`crate::Gost28147`].
    Cnt,
}

#[cfg(feature = "threads")]
impl Count {
    /// The register `n` values on; not for [`Count::Cnt`].
    pub(crate) fn skip(self, register: &mut [u8], n: u64) {
        let half = register.len() / 2;
        let number = match self {
            Count::Whole | Count::Cnt => register,
            Count::Right => &mut register[half..],
            Count::Left => &mut register[..half],
        };
        let mut carry = u128::from(n);
        for octet in number.iter_mut().rev() {
            carry += u128::from(*octet);
            *octet = carry as u8;
            carry >>= 8;
        }
    }
}

/// What a chained stream does with each block `x`, its state `z` and the cipher `E`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chain {
    /// y = z = E(x ^ z).
    CbcEncrypt,
    /// y = z = E(z) ^ x.
    CfbEncrypt,
    /// z = E(z), y = z ^ x.
    Ofb,
    /// z = E(z ^ x), no output: the body of OMAC.
    Mac,
    /// z = the first 16 rounds of E on z ^ x, no output. Only for [`crate::Gost28147`]
    /// (RFC 5830, section 8).
    Imit,
}

/// D of ACPKM: its encryption is the next section's key (RFC 8645, section 6.2.1).
pub(crate) const ACPKM: [u8; 32] = {
    let mut d = [0; 32];
    let mut i = 0;
    while i < 32 {
        d[i] = 0x80 + i as u8;
        i += 1;
    }
    d
};

/// The data of one lane.
pub enum Data<'a> {
    /// Read only: [`Chain::Mac`], [`Chain::Imit`].
    Read(&'a [u8]),
    /// Read and written: the other chains.
    Through(InOut<'a, 'a>),
}

impl Data<'_> {
    /// Octets in the lane.
    pub fn len(&self) -> usize {
        match self {
            Data::Read(d) => d.len(),
            Data::Through(d) => d.len(),
        }
    }
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// One chained stream: its schedule, its register, its data (whole blocks).
pub struct Lane<'a, S, const B: usize> {
    /// The key schedule of this lane.
    pub schedule: &'a S,
    /// The register z, read and left for the next call.
    pub state: &'a mut [u8; B],
    /// Whole blocks; in one call every lane has the same number.
    pub data: Data<'a>,
}

/// A key whose schedule is to be made.
pub(crate) struct NewKey<'a, S> {
    pub(crate) key: &'a [u8; 32],
    pub(crate) schedule: &'a mut S,
}

/// The shapes in which a primitive is asked for: see the top of this module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Independent blocks.
    Map,
    /// Gamma from a counter.
    Stream,
    /// Chained streams.
    Lanes,
    /// Messages of a hash.
    Messages,
    /// Products in a field.
    Multiply,
}

impl Shape {
    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Shape::Map => "map",
            Shape::Stream => "stream",
            Shape::Lanes => "lanes",
            Shape::Messages => "messages",
            Shape::Multiply => "multiply",
        }
    }
}

/// What every entry of a kernel list has.
pub trait Kernel: Sync {
    /// The primitive whose list it is in.
    const PRIMITIVE: &'static str;
    /// The instruction set's word: `portable`, `gfni512`, ...
    fn name(&self) -> &'static str;
    /// Whether this machine can run it.
    fn available(&self) -> bool;
    /// Whether it has the shape.
    fn has(&self, shape: Shape) -> bool;
}

/// A block cipher's kernel over the schedule `S` and blocks of `B` octets.
///
/// Contract of the functions, which [`Ready`] keeps: they are called only where `available()` is true;
/// data is a whole number of blocks, source and destination equal or disjoint; no alignment.
pub struct BlockKernel<S: 'static, const B: usize> {
    /// The instruction set's word.
    pub name: &'static str,
    /// Whether this machine can run it.
    pub available: fn() -> bool,
    /// The key schedule, in constant time. It is one type for all kernels of a cipher, so that each
    /// shape may come from another kernel.
    pub(crate) prepare: unsafe fn(&[u8; 32], &mut S),
    /// The schedules of many keys side by side, where that is faster than one after the other.
    #[cfg_attr(not(feature = "alloc"), allow(dead_code))] // a list of keys needs `alloc`
    pub(crate) schedules: Option<unsafe fn(&mut [NewKey<'_, S>])>,
    pub(crate) map: Option<unsafe fn(&S, Direction, InOut<'_, '_>)>,
    pub(crate) stream: Option<unsafe fn(&S, &mut [u8; B], Count, InOut<'_, '_>)>,
    pub(crate) lanes: Option<unsafe fn(Chain, &mut [Lane<'_, S, B>])>,
    /// See [`BlockCipher::sections`]; goes with `stream`.
    pub(crate) sections: Option<unsafe fn(&mut S, &mut [u8; B], usize, InOut<'_, '_>) -> usize>,
    /// See [`BlockCipher::products`]; goes with `stream`.
    pub(crate) products: Option<unsafe fn(&S, &mut [u8; B], &[u8], &[u8], &mut [u8; B]) -> usize>,
    /// See [`BlockCipher::links`], where the kernel has it.
    #[cfg_attr(not(feature = "threads"), allow(dead_code))]
    pub(crate) links: Option<unsafe fn(&mut S, &mut [[u8; 32]])>,
}

/// The state of a Streebog message: RFC 6986, section 5.
#[derive(Clone)]
#[repr(align(64))]
pub struct HashState {
    /// h, in memory order.
    pub h: [u8; 64],
    /// N, the number of message bits so far: a 512-bit little-endian number.
    pub n: [u8; 64],
    /// Σ, the sum of the message blocks mod 2^512, little-endian.
    pub sigma: [u8; 64],
}

impl Zeroize for HashState {
    fn zeroize(&mut self) {
        // In vectors; octet by octet, as arrays are wiped, costs more than a compression.
        (self.h, self.n, self.sigma) = ([0; 64], [0; 64], [0; 64]);
        zeroize::optimization_barrier(self);
    }
}

/// The keys K_1..K_13 of one g_N(h, ·), in a kernel's own form: they depend on h and N alone.
#[derive(Clone)]
#[repr(align(64))]
pub struct HashKeys(pub(crate) [[u8; 64]; 13]);

impl Zeroize for HashKeys {
    fn zeroize(&mut self) {
        self.0 = [[0; 64]; 13];
        zeroize::optimization_barrier(self);
    }
}

/// One message of a many-message call.
pub struct HashLane<'a> {
    /// Its state.
    pub state: &'a mut HashState,
    /// Whole blocks of 64 octets, in one call the same number in every lane; to finish, what is left.
    pub blocks: &'a [u8],
}

/// A Streebog kernel.
pub struct HashKernel {
    /// The instruction set's word.
    pub name: &'static str,
    /// Whether this machine can run it.
    pub available: fn() -> bool,
    /// The keys that the first block of a message has, for 512 bits of digest and for 256.
    pub(crate) initial: &'static [HashKeys; 2],
    /// The keys that the next block has.
    pub(crate) keys: unsafe fn(&HashState) -> HashKeys,
    /// Stage 2 (RFC 6986, section 8) over whole blocks of messages side by side, the same number in
    /// each lane: h = g_N(h, m), N += 512, Σ += m. The keys, if given, are those of the next block of
    /// every lane.
    pub(crate) blocks: unsafe fn(Option<&HashKeys>, &mut [HashLane<'_>]),
    /// Stage 3 of messages side by side: `blocks` is what is left of each, less than 64 octets; leaves
    /// the 64 octets of the digest in h. The keys as above.
    pub(crate) finish: unsafe fn(Option<&HashKeys>, &mut [HashLane<'_>]),
}

/// A kernel of multiplication in GF(2^64) and GF(2^128) as MGM uses them (RFC 9058, section 4):
/// acc ^= Σ h_i ⊗ a_i over whole blocks; in a block the first octet is the most significant. And of what XTS
/// needs (IEEE Std 1619): there the first octet of a block is the least significant.
pub struct GfKernel {
    /// The instruction set's word.
    pub name: &'static str,
    /// Whether this machine can run it.
    pub available: fn() -> bool,
    pub(crate) mac64: unsafe fn(&mut [u8; 8], &[u8], &[u8]),
    pub(crate) mac128: unsafe fn(&mut [u8; 16], &[u8], &[u8]),
    /// Of whole 16 blocks: all after the first 16 become the sixteenth before them times α^16.
    pub(crate) powers: unsafe fn(&mut [u8]),
    /// out = in ^ b.
    pub(crate) add: unsafe fn(InOut<'_, '_>, &[u8]),
    /// The values of a counter of MGM that counts in its left or in its right half, from this one on.
    pub(crate) counters: unsafe fn(&mut [u8], bool, &mut [u8]),
}

impl<S, const B: usize> Kernel for BlockKernel<S, B> {
    const PRIMITIVE: &'static str =
        if B == 8 { crate::magma::NAME } else { crate::kuznyechik::NAME };
    fn name(&self) -> &'static str {
        self.name
    }
    fn available(&self) -> bool {
        (self.available)()
    }
    fn has(&self, shape: Shape) -> bool {
        match shape {
            Shape::Map => self.map.is_some(),
            Shape::Stream => self.stream.is_some(),
            Shape::Lanes => self.lanes.is_some(),
            Shape::Messages | Shape::Multiply => false,
        }
    }
}
impl Kernel for HashKernel {
    const PRIMITIVE: &'static str = crate::streebog::NAME;
    fn name(&self) -> &'static str {
        self.name
    }
    fn available(&self) -> bool {
        (self.available)()
    }
    fn has(&self, shape: Shape) -> bool {
        shape == Shape::Messages
    }
}
impl Kernel for GfKernel {
    const PRIMITIVE: &'static str = crate::gf::NAME;
    fn name(&self) -> &'static str {
        self.name
    }
    fn available(&self) -> bool {
        (self.available)()
    }
    fn has(&self, shape: Shape) -> bool {
        shape == Shape::Multiply
    }
}

/// A kernel that this machine can run: made only by a successful `available()`.
pub struct Ready<K: 'static>(&'static K);

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
    /// Its name.
    pub fn name(&self) -> &'static str {
        self.0.name()
    }
}

impl<S, const B: usize> BlockKernel<S, B> {
    /// The kernel of a list by name, for every shape.
    pub(crate) fn whole(list: &'static [Self], name: &str) -> Result<Ready<Self>, Error> {
        let kernel = by_name(list, name)?;
        let shapes = (kernel.0.map.is_some(), kernel.0.stream.is_some(), kernel.0.lanes.is_some());
        if shapes == (true, true, true) { Ok(kernel) } else { Err(Error::UnknownKernel) }
    }
}

impl<S, const B: usize> Ready<BlockKernel<S, B>> {
    /// Fills the schedule from the key.
    pub(crate) fn prepare(&self, key: &[u8; 32], schedule: &mut S) {
        // SAFETY: `Ready` exists only where `available()` was true.
        unsafe { (self.0.prepare)(key, schedule) };
        if B == 16 {
            // Kuznyechik's: a round key or two that were spilled. Magma's schedule is its key's words.
            secret::overwrite_stack::<{ secret::SHALLOW }>();
        }
    }
    /// Fills the schedules: side by side where the kernel can, else one after the other.
    #[cfg_attr(not(feature = "alloc"), allow(dead_code))]
    pub(crate) fn schedules(&self, keys: &mut [NewKey<'_, S>]) {
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
            secret::overwrite_stack::<{ secret::DEEP }>();
        }
    }
    pub(crate) fn map(&self, schedule: &S, direction: Direction, data: InOut<'_, '_>) {
        assert!(data.len().is_multiple_of(B), "whole blocks");
        let f = self.0.map.expect("chosen for this shape");
        // SAFETY: `Ready` exists only where `available()` was true; whole blocks, checked above.
        unsafe { f(schedule, direction, data) }
    }
    pub(crate) fn stream(&self, s: &S, counter: &mut [u8; B], count: Count, data: InOut<'_, '_>) {
        assert!(data.len().is_multiple_of(B), "whole blocks");
        let f = self.0.stream.expect("chosen for this shape");
        // SAFETY: `Ready` exists only where `available()` was true; whole blocks, checked above.
        unsafe { f(s, counter, count, data) }
    }
    pub(crate) fn sections(
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
        if B == 16 && done > 0 {
            // As after `prepare`.
            secret::overwrite_stack::<{ secret::MIDDLE }>();
        }
        done
    }
    /// Whether the kernel has it.
    #[cfg(feature = "threads")]
    pub(crate) fn links(&self, schedule: &mut S, keys: &mut [[u8; 32]]) -> bool {
        let Some(f) = self.0.links else { return false };
        // SAFETY: `Ready` exists only where `available()` was true.
        unsafe { f(schedule, keys) };
        // As after `prepare`.
        secret::overwrite_stack::<{ secret::SHALLOW }>();
        true
    }
    pub(crate) fn products(
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
    pub(crate) fn lanes(&self, chain: Chain, lanes: &mut [Lane<'_, S, B>]) {
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
    pub(crate) fn initial(&self, short: bool) -> &'static HashKeys {
        &self.0.initial[usize::from(short)]
    }
    /// The keys of the next block.
    pub(crate) fn keys(&self, state: &HashState) -> HashKeys {
        // SAFETY: `Ready` exists only where `available()` was true.
        unsafe { (self.0.keys)(state) }
    }
    /// Stage 2 over whole blocks of messages side by side, the same number in each lane.
    pub fn blocks(&self, lanes: &mut [HashLane<'_>]) {
        self.blocks_under(None, lanes);
    }
    /// The same where all lanes have one h and one N, if the keys of these are known.
    pub(crate) fn blocks_under(&self, keys: Option<&HashKeys>, lanes: &mut [HashLane<'_>]) {
        let Some(first) = lanes.first().map(|l| l.blocks.len()) else { return };
        assert!(first.is_multiple_of(64), "whole blocks");
        assert!(lanes.iter().all(|l| l.blocks.len() == first), "lanes of one length");
        // SAFETY: `Ready` exists only where `available()` was true; the contract is checked above.
        unsafe { (self.0.blocks)(keys, lanes) }
    }
    /// Stage 3 of messages side by side: what is left of each, less than 64 octets; h is the digest.
    pub fn finish(&self, lanes: &mut [HashLane<'_>]) {
        self.finish_under(None, lanes);
    }
    /// The same where all lanes have one h and one N, if the keys of these are known.
    pub(crate) fn finish_under(&self, keys: Option<&HashKeys>, lanes: &mut [HashLane<'_>]) {
        assert!(lanes.iter().all(|l| l.blocks.len() < 64), "less than a block");
        // SAFETY: `Ready` exists only where `available()` was true; the contract is checked above.
        unsafe { (self.0.finish)(keys, lanes) }
    }
}

impl Ready<GfKernel> {
    /// acc ^= Σ h_i ⊗ a_i in GF(2^64); `h` and `a` of one length, whole blocks.
    pub fn mac64(&self, acc: &mut [u8; 8], h: &[u8], a: &[u8]) {
        assert!(h.len() == a.len() && a.len().is_multiple_of(8), "whole blocks");
        // SAFETY: `Ready` exists only where `available()` was true; lengths checked above.
        unsafe { (self.0.mac64)(acc, h, a) }
    }
    /// acc ^= Σ h_i ⊗ a_i in GF(2^128); `h` and `a` of one length, whole blocks.
    pub fn mac128(&self, acc: &mut [u8; 16], h: &[u8], a: &[u8]) {
        assert!(h.len() == a.len() && a.len().is_multiple_of(16), "whole blocks");
        // SAFETY: `Ready` exists only where `available()` was true; lengths checked above.
        unsafe { (self.0.mac128)(acc, h, a) }
    }
    /// Of whole 16 blocks: all after the first 16 become the sixteenth before them times α^16 (IEEE Std 1619).
    pub(crate) fn powers(&self, blocks: &mut [u8]) {
        assert!(blocks.len().is_multiple_of(256), "whole 16 blocks");
        // SAFETY: `Ready` exists only where `available()` was true; the length is checked above.
        unsafe { (self.0.powers)(blocks) }
    }
    /// out = in ^ b; of one length.
    pub(crate) fn add(&self, data: InOut<'_, '_>, b: &[u8]) {
        assert!(data.len() == b.len(), "of one length");
        // SAFETY: `Ready` exists only where `available()` was true; lengths checked above.
        unsafe { (self.0.add)(data, b) }
    }
    /// The values of a counter of MGM ([`Count::Left`], else [`Count::Right`]) from this one on; it is left at the one
    /// after them.
    pub(crate) fn counters<B: Block>(&self, counter: &mut B, count: Count, out: &mut [u8]) {
        assert!(out.len().is_multiple_of(B::LEN), "whole blocks");
        // SAFETY: `Ready` exists only where `available()` was true.
        unsafe { (self.0.counters)(counter.as_mut(), count == Count::Left, out) }
    }
}

/// Every instruction set's word, fastest first.
pub const NAMES: &[&str] = crate::simd::WORDS;

/// Whether this machine can run the kernels of this name.
pub fn available(name: &str) -> bool {
    NAMES.contains(&name) && crate::simd::available(name)
}

/// Why this machine cannot run the kernels of this name; `None` when it can.
pub fn missing(name: &str) -> Option<&'static str> {
    crate::simd::missing(name).unwrap_or(Some("unknown"))
}

/// 0: the environment has not been asked yet; 1: none; i + 2: `NAMES[i]`.
static FORCED: AtomicUsize = AtomicUsize::new(0);

/// Makes every key and hash made from now on use the kernel of this name where its primitive has one;
/// `None` returns to the automatic choice. Objects that exist keep their kernels.
///
/// A primitive, or a shape of one, without a kernel of this name keeps its automatic choice: to force
/// `clmul`, which only MGM's multiplication has, changes no cipher and no hash. What each takes,
/// [`crate::survey::shapes`] says.
///
/// # Errors
/// [`Error::UnknownKernel`] when no kernel has this name or this machine cannot run it.
pub fn force(name: Option<&str>) -> Result<(), Error> {
    let known = |name| NAMES.iter().copied().find(|n| *n == name).ok_or(Error::UnknownKernel);
    FORCED.store(index(name.map(known).transpose()?)?, Ordering::Relaxed);
    Ok(())
}

/// The forced kernel's name, if any.
pub fn forced() -> Option<&'static str> {
    if FORCED.load(Ordering::Relaxed) == 0 {
        // A name that is wrong is ignored here; a program that wants to say so calls `environment`.
        let value = named().and_then(index).unwrap_or(1);
        // Whoever has called `force` in the meantime is right.
        let _ = FORCED.compare_exchange(0, value, Ordering::Relaxed, Ordering::Relaxed);
    }
    FORCED.load(Ordering::Relaxed).checked_sub(2).map(|i| NAMES[i])
}

/// Obeys `BULAT_KERNEL`: a kernel's name, or empty for the automatic choice. What has no kernel of this
/// name keeps its automatic choice, as with [`force`].
///
/// # Errors
/// [`Error::UnknownKernel`] when the name is unknown or this machine cannot run it.
pub fn environment() -> Result<(), Error> {
    FORCED.store(named().and_then(index)?, Ordering::Relaxed);
    Ok(())
}

/// What `FORCED` holds for a name.
fn index(name: Option<&'static str>) -> Result<usize, Error> {
    let Some(name) = name else { return Ok(1) };
    let i = NAMES.iter().position(|n| *n == name).ok_or(Error::UnknownKernel)?;
    if crate::simd::available(name) { Ok(i + 2) } else { Err(Error::UnknownKernel) }
}

/// The name in the environment, as it stands in `NAMES`.
fn named() -> Result<Option<&'static str>, Error> {
    #[cfg(feature = "std")]
    if let Some(name) = std::env::var_os("BULAT_KERNEL").filter(|n| !n.is_empty()) {
        return NAMES.iter().find(|n| name == **n).map(|n| Some(*n)).ok_or(Error::UnknownKernel);
    }
    Ok(None)
}

/// For tests and measurements: from now on as if all the exceptions of `tuning.rs` were about this processor,
/// or none; `None` for those that are. Objects that exist keep their kernels, but not the layouts within.
#[doc(hidden)]
pub fn exceptions(all: Option<bool>) {
    tuning::assume(all);
}

/// The kernel of a list for one shape: the forced one if it has the shape, else the first available that
/// is not slow on this processor.
pub(crate) fn pick<K: Kernel>(list: &'static [K], shape: Shape) -> Ready<K> {
    pick_where(tuning::here(), list, shape)
}

/// The same on a processor that these rows of the table are about.
fn pick_where<K: Kernel>(rows: u32, list: &'static [K], shape: Shape) -> Ready<K> {
    let forced = forced();
    let having = || list.iter().filter(|k| k.has(shape));
    having()
        .filter(|k| Some(k.name()) == forced)
        .chain(
            having().filter(|k| tuning::why(rows, k.name(), K::PRIMITIVE, shape.word()).is_none()),
        )
        .find_map(Ready::new)
        .expect("portable is always there, has every shape and is never passed over")
}

/// The kernel of a list by name.
pub(crate) fn by_name<K: Kernel>(list: &'static [K], name: &str) -> Result<Ready<K>, Error> {
    list.iter().find(|k| k.name() == name).and_then(Ready::new).ok_or(Error::UnknownKernel)
}

/// A block cipher with a key: what the modes are written over.
///
/// `Clone` duplicates the key schedule: streaming objects can be duplicated. Both wipe themselves.
pub trait BlockCipher: Clone + Send + Sync + 'static {
    /// `[u8; 8]` or `[u8; 16]`.
    type Block: Block;
    /// Octets in a block, n of GOST R 34.13 in octets.
    const BLOCK: usize = <Self::Block as Block>::LEN;
    /// Transforms independent blocks.
    ///
    /// # Panics
    /// When `data` is not a whole number of blocks. These three are the interface of the modes, which
    /// check what users give; what breaks their contract is a fault of the program.
    fn map(&self, direction: Direction, data: InOut<'_, '_>);
    /// Adds the gamma of the counter to whole blocks and leaves the counter for the next call.
    ///
    /// # Panics
    /// When `data` is not a whole number of blocks; on [`Count::Cnt`] unless the cipher is
    /// [`crate::Gost28147`].
    fn stream(&self, counter: &mut Self::Block, count: Count, data: InOut<'_, '_>);
    /// Runs one chained stream over whole blocks.
    ///
    /// # Panics
    /// When `data` is not a whole number of blocks, or is not of the kind that the chain takes
    /// ([`Data::Read`] for [`Chain::Mac`] and [`Chain::Imit`], [`Data::Through`] for the others); on
    /// [`Chain::Imit`] unless the cipher is [`crate::Gost28147`].
    fn chain(&self, chain: Chain, state: &mut Self::Block, data: Data<'_>);
    /// The same cipher (kernels, S-boxes) under another key: ACPKM, key meshing.
    fn rekey(&self, key: &[u8; 32]) -> Self;
    /// The same cipher under as many keys, whose schedules are made side by side, where these cost so much that it
    /// pays.
    #[cfg(feature = "alloc")]
    fn side_by_side(&self, keys: &[[u8; 32]]) -> Option<Vec<Self>> {
        let _ = keys;
        None
    }
    /// The next keys of ACPKM (RFC 8645, section 6.2.1), one after the other; the key becomes the last of them.
    /// Whether the kernel does that faster than [`crate::modes::acpkm`]: else nothing is done.
    #[cfg(feature = "threads")]
    fn links(&mut self, keys: &mut [[u8; 32]]) -> bool {
        let _ = keys;
        false
    }
    /// Adds the gamma of CTR-ACPKM (RFC 8645, section 6.2.2) to the first of the data's whole sections of
    /// so many octets, as many as the kernel does side by side, faster than one after the other: perhaps
    /// none. Returns the octets done; the counter is left for the next one, and the key is that of the last
    /// section done.
    ///
    /// # Panics
    /// When a section is not a positive number of whole blocks.
    fn sections(
        &mut self,
        counter: &mut Self::Block,
        section: usize,
        data: InOut<'_, '_>,
    ) -> usize {
        let _ = (counter, section, data);
        0
    }
    /// Adds to the sum of MGM (RFC 9058, section 4) the products of `before` and of the first of the blocks by
    /// what the counter, whose left half counts, is encrypted to, as far as the kernel multiplies beside its
    /// rounds: perhaps none, and not all. Returns the octets done of `blocks`; if there are any, `before`, a few
    /// blocks, is done too, and the counter is left for the next one.
    ///
    /// # Panics
    /// When `before` or `blocks` are not whole blocks.
    fn products(
        &self,
        counter: &mut Self::Block,
        before: &[u8],
        blocks: &[u8],
        sum: &mut Self::Block,
    ) -> usize {
        let _ = (counter, before, blocks, sum);
        0
    }
    /// Encrypts one block in place.
    fn encrypt_block(&self, block: &mut Self::Block) {
        self.map(Direction::Encrypt, block.as_mut().into());
    }
    /// Decrypts one block in place.
    fn decrypt_block(&self, block: &mut Self::Block) {
        self.map(Direction::Decrypt, block.as_mut().into());
    }
}
