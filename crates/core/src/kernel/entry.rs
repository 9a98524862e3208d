//! The entries of the lists of kernels.

use super::select::Picked;
use crate::cipher::{Chain, Count, Direction, InOut, Lane};

/// A key, and room for its schedule.
pub struct NewKey<'a, S> {
    /// 32 bytes.
    pub key: &'a [u8; 32],
    /// Filled by the call.
    pub schedule: &'a mut S,
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
    /// The word that names the shape.
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

/// The primitive of a list's entries.
pub trait Primitive {
    /// Its name, in the survey of kernels.
    const PRIMITIVE: &'static str;
    /// True if `prepare` and `sections` spill round keys, so that the stack must be overwritten after them.
    const SPILLS: bool = false;
    /// Where [`pick`](super::pick) keeps its results.
    fn picked() -> &'static Picked;
}

/// An entry of a kernel list.
pub trait Kernel: Primitive + Sync {
    /// The instruction set's word: `portable`, `gfni512`, ...
    fn name(&self) -> &'static str;
    /// Returns whether this machine can run it.
    fn available(&self) -> bool;
    /// Returns whether it has the shape.
    fn has(&self, shape: Shape) -> bool;
}

/// A block cipher's kernel over the schedule `S` and blocks of `B` bytes.
///
/// Contract of the functions, which `Ready` keeps: they are called only where `available()` is true;
/// data is a whole number of blocks, source and destination equal or disjoint; no alignment.
pub struct BlockKernel<S: 'static, const B: usize> {
    /// The instruction set's word.
    pub name: &'static str,
    /// Returns whether this machine can run it.
    pub available: fn() -> bool,
    /// The key schedule, in constant time. It is one type for all kernels of a cipher, so that each
    /// shape may come from a different kernel.
    pub(crate) prepare: unsafe fn(&[u8; 32], &mut S),
    /// The schedules of many keys side by side, where that is faster than key after key.
    #[cfg_attr(not(feature = "alloc"), allow(dead_code))] // a list of keys needs `alloc`
    pub(crate) schedules: Option<unsafe fn(&mut [NewKey<'_, S>])>,
    pub(crate) map: Option<unsafe fn(&S, Direction, InOut<'_, '_>)>,
    pub(crate) stream: Option<unsafe fn(&S, &mut [u8; B], Count, InOut<'_, '_>)>,
    pub(crate) lanes: Option<unsafe fn(Chain, &mut [Lane<'_, S, B>])>,
    /// See [`crate::cipher::Shapes::sections`]; goes with `stream`.
    pub(crate) sections: Option<unsafe fn(&mut S, &mut [u8; B], usize, InOut<'_, '_>) -> usize>,
    /// See [`crate::cipher::Shapes::products`]; goes with `stream`.
    pub(crate) products: Option<unsafe fn(&S, &mut [u8; B], &[u8], &[u8], &mut [u8; B]) -> usize>,
    /// See [`crate::cipher::Shapes::next_keys`], where the kernel has it.
    pub(crate) next_keys: Option<unsafe fn(&mut S, &mut [[u8; 32]])>,
}

/// The state of a Streebog message: RFC 6986, section 9.
///
/// Wrap it in [`crate::Secret`], which wipes it on drop.
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

/// The keys K_1..K_13 of a g_N(h, ·), in a kernel's own form: they depend only on h and N.
#[derive(Clone)]
#[repr(align(64))]
pub struct HashKeys(pub(crate) [[u8; 64]; 13]);

/// A message of a many-message call.
pub struct HashLane<'a> {
    /// The state of the message.
    pub state: &'a mut HashState,
    /// Whole blocks of 64 bytes, in one call the same number in every lane; to finish, the rest.
    pub blocks: &'a [u8],
}

/// A Streebog kernel.
pub struct HashKernel {
    /// The instruction set's word.
    pub name: &'static str,
    /// Returns whether this machine can run it.
    pub available: fn() -> bool,
    /// The keys that the first block of a message has, for 512 bits of digest and for 256.
    pub(crate) initial: &'static [HashKeys; 2],
    /// The keys that the next block has.
    pub(crate) keys: unsafe fn(&HashState) -> HashKeys,
    /// Stage 2 (RFC 6986, section 9) over whole blocks of messages side by side, the same number in
    /// each lane: h = g_N(h, m), N += 512, Σ += m. If keys are given, they belong to the next block of every lane.
    pub(crate) blocks: unsafe fn(Option<&HashKeys>, &mut [HashLane<'_>]),
    /// Stage 3 of messages side by side: `blocks` is the rest of each, less than 64 bytes; leaves
    /// the 64 bytes of the digest in h. The keys as above.
    pub(crate) finish: unsafe fn(Option<&HashKeys>, &mut [HashLane<'_>]),
}

/// A kernel of multiplication in GF(2^64) and GF(2^128) as MGM uses them (RFC 9058, section 4):
/// acc ^= Σ h_i ⊗ a_i over whole blocks; in a block the first byte is the most significant. And the products of
/// XTS (IEEE Std 1619): there the first byte of a block is the least significant.
pub struct GfKernel {
    /// The instruction set's word.
    pub name: &'static str,
    /// Returns whether this machine can run it.
    pub available: fn() -> bool,
    /// True if [`Shapes::products`](crate::cipher::Shapes::products) of the ciphers' kernels multiplies as this kernel
    /// does, so that MGM may leave long texts to it.
    pub(crate) fused: bool,
    pub(crate) mac64: unsafe fn(&mut [u8; 8], &[u8], &[u8]),
    pub(crate) mac128: unsafe fn(&mut [u8; 16], &[u8], &[u8]),
    /// In groups of 16 blocks, replaces each block after the first group by α^16 times the block 16 places before it.
    pub(crate) powers: unsafe fn(&mut [u8]),
    /// out = in ^ b.
    pub(crate) add: unsafe fn(InOut<'_, '_>, &[u8]),
    /// The values of a counter of MGM that counts in its left or in its right half, from its present value on.
    pub(crate) counters: unsafe fn(&mut [u8], bool, &mut [u8]),
}

impl<S, const B: usize> Kernel for BlockKernel<S, B>
where
    Self: Primitive,
{
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
