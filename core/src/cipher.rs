//! What a block cipher is: blocks, counters, chains, and [`BlockCipher`], which the modes are written over. [`Chained`] is
//! for many messages side by side. No primitive, no kernel and no mode is known here.
#![forbid(unsafe_code)]

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use zeroize::Zeroize;

/// Source and destination of one operation, of the same length: the same buffer or two disjoint ones.
pub type InOut<'i, 'o> = inout::InOutBuf<'i, 'o, u8>;

/// Up to `len` bytes, and the rest.
#[inline(always)]
pub(crate) fn split<'i, 'o>(data: InOut<'i, 'o>, len: usize) -> (InOut<'i, 'o>, InOut<'i, 'o>) {
    let len = len.min(data.len());
    data.split_at(len)
}

/// A block cipher's block: `[u8; 8]` or `[u8; 16]`, and nothing else, in the byte order of its standard.
pub trait Block:
    sealed::Sealed + Copy + AsRef<[u8]> + AsMut<[u8]> + Zeroize + Send + Sync + PartialEq + 'static
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
    #[doc(hidden)]
    pub fn skip(self, register: &mut [u8], n: u64) {
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
    /// Bytes in the lane.
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

/// A block cipher with a key: what the modes are written over.
///
/// `Clone` duplicates the key schedule: streaming objects can be duplicated. Both wipe themselves.
pub trait BlockCipher: Clone + Send + Sync + 'static {
    /// `[u8; 8]` or `[u8; 16]`.
    type Block: Block;
    /// Bytes in a block, n of GOST R 34.13 in bytes.
    const BLOCK: usize = <Self::Block as Block>::LEN;
    /// Transforms independent blocks.
    ///
    /// # Panics
    /// When `data` is not a whole number of blocks. These three are the interface of the modes, which
    /// check what users give; what breaks their contract is a fault of the program.
    #[doc(hidden)]
    fn map(&self, direction: Direction, data: InOut<'_, '_>);
    /// Adds the gamma of the counter to whole blocks and leaves the counter for the next call.
    ///
    /// # Panics
    /// When `data` is not a whole number of blocks; on `Count::Cnt` unless the cipher is
    /// [`crate::Gost28147`].
    #[doc(hidden)]
    fn stream(&self, counter: &mut Self::Block, count: Count, data: InOut<'_, '_>);
    /// Runs one chained stream over whole blocks.
    ///
    /// # Panics
    /// When `data` is not a whole number of blocks, or is not of the kind that the chain takes
    /// (`Data::Read` for `Chain::Mac` and `Chain::Imit`, `Data::Through` for the others); on
    /// `Chain::Imit` unless the cipher is [`crate::Gost28147`].
    #[doc(hidden)]
    fn chain(&self, chain: Chain, state: &mut Self::Block, data: Data<'_>);
    /// The same cipher (kernels, S-boxes) under another key: ACPKM, key meshing.
    fn rekey(&self, key: &[u8; 32]) -> Self;
    /// The same cipher under as many keys, whose schedules are made side by side, where these cost so much that it
    /// pays.
    #[doc(hidden)]
    #[cfg(feature = "alloc")]
    fn side_by_side(&self, keys: &[[u8; 32]]) -> Option<Vec<Self>> {
        let _ = keys;
        None
    }
    /// The next keys of ACPKM (RFC 8645, section 6.2.1), one after the other; the key becomes the last of them.
    /// Whether the kernel does that faster than [`crate::modes::acpkm`]: else nothing is done.
    #[doc(hidden)]
    #[cfg(feature = "threads")]
    fn next_keys(&mut self, keys: &mut [[u8; 32]]) -> bool {
        let _ = keys;
        false
    }
    /// Adds the gamma of CTR-ACPKM (RFC 8645, section 6.2.2) to the first of the data's whole sections of
    /// so many bytes, as many as the kernel does side by side, faster than one after the other: perhaps
    /// none. Returns the bytes done; the counter is left for the next one, and the key is that of the last
    /// section done.
    ///
    /// # Panics
    /// When a section is not a positive number of whole blocks.
    #[doc(hidden)]
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
    /// rounds: perhaps none, and not all. Returns the bytes done of `blocks`; if there are any, `before`, a few
    /// blocks, is done too, and the counter is left for the next one.
    ///
    /// # Panics
    /// When `before` or `blocks` are not whole blocks.
    #[doc(hidden)]
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

/// Messages side by side in one call of a cipher, where its kernel says no other number. More fill a kernel no
/// better, and lose: their lines do not fit in the first-level cache together nor their pages in its table of
/// translations, and the longest of many lengths run alone in the end.
#[cfg_attr(not(feature = "alloc"), allow(dead_code))] // as above
pub(crate) const WIDTH: usize = 64;

/// A block cipher with lanes, for many messages side by side.
#[cfg_attr(not(feature = "alloc"), allow(dead_code))] // batches need `alloc`
pub(crate) trait Chained<const B: usize>: BlockCipher<Block = [u8; B]> {
    /// What a lane needs of a key.
    type Schedule;
    fn schedule(&self) -> &Self::Schedule;
    fn lanes(&self, chain: Chain, lanes: &mut [Lane<'_, Self::Schedule, B>]);
    /// Messages side by side in one call.
    fn width(&self) -> usize {
        WIDTH
    }
    /// What a cipher's keys must have in common to fill one call: the S-boxes.
    fn kind(&self) -> u64 {
        0
    }
    /// Under the next key of CryptoPro's meshing; for GOST 28147-89 alone.
    fn meshed(&self) -> Self {
        self.clone()
    }
}
