//! What a set of instructions makes of Kuznyechik: a block in each 16 bytes of a vector, for few blocks
//! and chains, and a byte of many blocks in a vector, for the rest.

use super::Schedule;
use crate::cipher::{Count, Direction, InOut};
use crate::memory::Blank;

/// Blocks of as many keys as a batch has, vector i at `LEN` times i.
pub(super) type Half = [u8; 16 * 64];

/// Products by the diagonals of L = D1 · T · D2.
#[derive(Clone, Copy)]
pub(super) enum Diagonal {
    One,
    Two,
    InverseOfTwo,
}

/// Both layouts on one kind of vector.
pub(super) trait Layout: Copy {
    /// The proof of the instruction set.
    type Isa: Copy;
    /// A vector.
    type V: Copy;
    /// Bytes of a vector, and so blocks of a batch.
    const LEN: usize;
    /// Up to so many blocks the layout of few is cheaper than a batch with idle lanes; and the same for
    /// a gamma, and for chains.
    const FEW: usize;
    const FEW_GAMMA: usize;
    const FEW_LANES: usize;
    /// Whether many lanes' blocks are cheaper put together in memory than in vectors.
    const TOGETHER: bool;

    /// The `LEN` bytes from `LEN` `i` on.
    fn load(isa: Self::Isa, octets: &[u8], i: usize) -> Self::V;
    /// Puts them there.
    fn store(v: Self::V, octets: &mut [u8], i: usize);
    /// The first `LEN` / 16 of these.
    fn gather(isa: Self::Isa, blocks: [&[u8; 16]; 4]) -> Self::V;
    /// A block, repeated.
    fn repeat(isa: Self::Isa, block: &[u8; 16]) -> Self::V;
    /// A byte everywhere.
    fn splat(isa: Self::Isa, octet: u8) -> Self::V;
    /// Puts the first block.
    fn store_one(v: Self::V, block: &mut [u8; 16]);
    fn xor(a: Self::V, b: Self::V) -> Self::V;

    /// What `substituted` keeps in registers.
    type Sbox: Copy;
    /// S^-1 takes what this has been added to.
    const MOVED: u8;
    fn sbox(isa: Self::Isa, direction: Direction) -> Self::Sbox;
    /// To the form of the rounds of few blocks, and back.
    fn enter(isa: Self::Isa, v: Self::V) -> Self::V;
    fn leave(isa: Self::Isa, v: Self::V) -> Self::V;
    /// S or S^-1.
    fn substituted(isa: Self::Isa, direction: Direction, sbox: &Self::Sbox, v: Self::V) -> Self::V;
    /// The same of one block that is repeated in the vector, of which the first two stay.
    #[inline(always)]
    fn substituted_one(
        isa: Self::Isa,
        direction: Direction,
        sbox: &Self::Sbox,
        v: Self::V,
    ) -> Self::V {
        Self::substituted(isa, direction, sbox, v)
    }
    /// L or L^-1, plus e.
    fn mixed(isa: Self::Isa, direction: Direction, v: Self::V, e: Self::V) -> Self::V;
    /// The same of one block that is repeated in the vector, of which the first two stay.
    fn mixed_one(isa: Self::Isa, direction: Direction, v: Self::V, e: Self::V) -> Self::V;

    /// Batches, while more than `FEW` blocks are left; gives back the rest.
    fn map<'i, 'o>(
        isa: Self::Isa,
        s: &Schedule,
        direction: Direction,
        data: InOut<'i, 'o>,
    ) -> InOut<'i, 'o>;
    /// Batches of gamma, while more than `FEW_GAMMA` blocks are left; gives back the rest.
    fn stream<'i, 'o>(
        isa: Self::Isa,
        s: &Schedule,
        counter: &mut [u8; 16],
        count: Count,
        data: InOut<'i, 'o>,
    ) -> InOut<'i, 'o>;

    /// What is added in the nine rounds of a batch with a key for each block.
    type Kappa: Blank;
    /// Takes what round `r` adds, L^-1(K_(r+2)) of each block.
    fn kappa(isa: Self::Isa, kappa: &mut Self::Kappa, r: usize, keys: [Self::V; 16]);
    /// The vectors of a batch, a_0 first, and back.
    fn sliced(isa: Self::Isa, v: [Self::V; 16]) -> [Self::V; 16];
    fn unsliced(isa: Self::Isa, v: [Self::V; 16]) -> [Self::V; 16];
    /// Encryption between the first key and the last.
    fn rounds(isa: Self::Isa, kappa: &Self::Kappa, v: &mut [Self::V; 16]);

    /// A step of the key schedule of a batch (see `expand`): `half` takes D2 · S(D1 · `mixed`), and this
    /// byte at a_0; `mixed` becomes T · `half`. Without a byte, the latter alone.
    fn expand(isa: Self::Isa, half: &mut Half, mixed: &mut Half, octet: Option<u8>);
    /// Products of the vectors of a batch.
    fn scaled(isa: Self::Isa, by: Diagonal, v: [Self::V; 16]) -> [Self::V; 16];
}
