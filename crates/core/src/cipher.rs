//! The interface between modes and kernels: blocks, counters, chains, lanes. [`Shapes`] is a cipher under a key as the
//! modes see it; [`Chained`] processes many messages side by side. This file depends on no primitive, kernel or mode.
#![forbid(unsafe_code)]

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

/// Source and destination of an operation, of equal length: one buffer or two disjoint ones.
pub type InOut<'i, 'o> = inout::InOutBuf<'i, 'o, u8>;

/// Splits off up to `len` bytes.
#[inline(always)]
pub fn split<'i, 'o>(data: InOut<'i, 'o>, len: usize) -> (InOut<'i, 'o>, InOut<'i, 'o>) {
    let len = len.min(data.len());
    data.split_at(len)
}

/// A block cipher's block: `[u8; 8]` or `[u8; 16]`, and nothing else, in the byte order of its standard.
pub trait Block:
    sealed::Sealed + Copy + AsRef<[u8]> + AsMut<[u8]> + Send + Sync + PartialEq + 'static
{
    /// Bytes in a block.
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

/// The direction in which a block is transformed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Plaintext to ciphertext.
    Encrypt,
    /// Ciphertext to plaintext.
    Decrypt,
}

/// How the counter of a `stream` advances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// The whole block is a big-endian number: used, then increased by 1 (GOST R 34.13, CTR).
    Whole,
    /// The right half is a big-endian number: used, then increased (RFC 9058, `incr_r`: MGM's gamma).
    Right,
    /// The left half is a big-endian number: used, then increased (RFC 9058, `incr_l`: MGM's H_i).
    Left,
    /// The register (N3, N4) of GOST 28147-89, little-endian, FIRST stepped, then used (RFC 5830,
    /// section 6): N3 += 0x01010101 mod 2^32, N4 += 0x01010104 mod 2^32 - 1. After a call the register
    /// holds the last value used. Only for GOST 28147-89.
    Cnt,
}

impl Count {
    /// Advances the register by `n` values; not for [`Count::Cnt`].
    pub fn skip(self, register: &mut [u8], n: u64) {
        let half = register.len() / 2;
        let number = match self {
            Count::Whole | Count::Cnt => register,
            Count::Right => &mut register[half..],
            Count::Left => &mut register[..half],
        };
        let mut carry = u128::from(n);
        for byte in number.iter_mut().rev() {
            carry += u128::from(*byte);
            *byte = carry as u8;
            carry >>= 8;
        }
    }
}

/// How a chained stream transforms each block `x`, with its state `z` and the cipher `E`.
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
    /// z = the first 16 rounds of E on z ^ x, no output. Only for GOST 28147-89
    /// (RFC 5830, section 8).
    Imit,
}

/// D of ACPKM: its encryption is the next section's key (RFC 8645, section 6.2.1).
pub const ACPKM: [u8; 32] = {
    let mut d = [0; 32];
    let mut i = 0;
    while i < 32 {
        d[i] = 0x80 + i as u8;
        i += 1;
    }
    d
};

/// The data of a lane.
pub enum Data<'a> {
    /// Read only: [`Chain::Mac`], [`Chain::Imit`].
    Read(&'a [u8]),
    /// Read and written: the other chains.
    Through(InOut<'a, 'a>),
}

impl Data<'_> {
    /// Returns the lane's length in bytes.
    pub fn len(&self) -> usize {
        match self {
            Data::Read(d) => d.len(),
            Data::Through(d) => d.len(),
        }
    }
    /// Returns whether the lane is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A chained stream of whole blocks: its schedule, register and data.
pub struct Lane<'a, S, const B: usize> {
    /// The key schedule of this lane.
    pub schedule: &'a S,
    /// The register z, which is updated for the next call.
    pub state: &'a mut [u8; B],
    /// Whole blocks. In one call all lanes have equal lengths.
    pub data: Data<'a>,
}

/// A block cipher under a key, in the shapes of its kernels: the interface of the modes.
///
/// `Clone` duplicates the key schedule so that streaming objects can be duplicated. Each copy wipes itself.
pub trait Shapes: Clone + Send + Sync + 'static {
    /// `[u8; 8]` or `[u8; 16]`.
    type Block: Block;
    /// Bytes in a block, n of GOST R 34.13 in bytes.
    const BLOCK: usize = <Self::Block as Block>::LEN;
    /// Transforms independent blocks.
    ///
    /// # Panics
    /// When `data` is not a whole number of blocks. `map`, `stream` and `chain` are called only by code that checks
    /// the user's input first (modes, batches, key wraps, `compat`), so a panic here is a bug.
    fn map(&self, direction: Direction, data: InOut<'_, '_>);
    /// Adds the gamma of the counter to whole blocks and leaves the counter for the next call.
    ///
    /// # Panics
    /// When `data` is not a whole number of blocks; on `Count::Cnt` unless the cipher is
    /// GOST 28147-89.
    fn stream(&self, counter: &mut Self::Block, count: Count, data: InOut<'_, '_>);
    /// Runs a chained stream over whole blocks.
    ///
    /// # Panics
    /// When `data` is not a whole number of blocks, or not of the chain's kind (`Data::Read` for `Chain::Mac` and
    /// `Chain::Imit`, `Data::Through` for the others); on `Chain::Imit` unless the cipher is GOST 28147-89.
    fn chain(&self, chain: Chain, state: &mut Self::Block, data: Data<'_>);
    /// Prepares several keys side by side, with this cipher's kernels and S-boxes. Returns `None` where a schedule is
    /// so cheap that this would gain nothing.
    #[cfg(feature = "alloc")]
    fn side_by_side(&self, keys: &[[u8; 32]]) -> Option<Vec<Self>> {
        let _ = keys;
        None
    }
    /// Writes the next keys of ACPKM (RFC 8645, section 6.2.1) in order; the cipher's key becomes the last of them.
    /// Returns false, having done nothing, unless the kernel is faster than key after key.
    fn next_keys(&mut self, keys: &mut [[u8; 32]]) -> bool {
        let _ = keys;
        false
    }
    /// Adds the gamma of CTR-ACPKM (RFC 8645, section 6.2.2) to the first whole sections of the data, as many as the
    /// kernel can process faster side by side than in sequence, possibly zero. Returns the number of bytes
    /// processed. The counter then fits the next section, and the key is the key of the last section processed.
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
    /// Multiplies `before` and the first of `blocks` by H_i, the encrypted counter, which counts in its left half, and
    /// adds the products to the sum of MGM (RFC 9058, section 4). The kernel processes as many blocks as it can
    /// multiply in parallel with its rounds, perhaps no block, never all. Returns the bytes processed of `blocks`; if
    /// any, `before` (a few blocks) is processed too, and the counter fits the next block.
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
}

/// The default number of messages side by side in one call of a cipher. More fill a kernel no better, and cost: their
/// lines no longer share the first-level cache, their pages no longer share its translations, and the longest of
/// messages of unequal lengths run last with most lanes empty.
pub const WIDTH: usize = 64;

/// A block cipher with lanes, for many messages side by side.
pub trait Chained<const B: usize>: Shapes<Block = [u8; B]> {
    /// The part of a key that a lane needs.
    type Schedule;
    /// The schedule of this key.
    fn schedule(&self) -> &Self::Schedule;
    /// Runs a chained stream per lane, each under its own key.
    ///
    /// # Panics
    /// As [`Shapes::chain`], and when the lanes differ in length.
    fn lanes(&self, chain: Chain, lanes: &mut [Lane<'_, Self::Schedule, B>]);
    /// Returns the number of messages side by side in one call.
    fn width(&self) -> usize {
        WIDTH
    }
    /// Identifies keys that can share a call: those with equal S-boxes.
    fn kind(&self) -> u64 {
        0
    }
    /// Returns the cipher under the next key of CryptoPro's meshing; only for GOST 28147-89.
    fn meshed(&self) -> Self {
        self.clone()
    }
}
