//! S, and products by constants, on the vectors of a set: [`Sbox`].
//!
//! | file | S of a byte | products |
//! |---|---|---|
//! | `vbmi.rs` | four look-ups of 64 bytes in registers | GFNI's affine maps |
//! | `gfni.rs` | π's structure, in the field of AES | GFNI's affine maps |
//! | `nibbles.rs` | π's structure, by logarithms of four bits | two look-ups by four bits |
//!
//! A set's rounds are [`Rounds`] over its `Sbox`, with keys of a batch that are [`Keys`]. `structure.rs` finds π's
//! structure in the standard's table; `places.rs` has the rest that the last two share.

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(super) mod gfni;
pub(super) mod nibbles;
pub(super) mod places;
pub(super) mod structure;
#[cfg(target_arch = "x86_64")]
pub(super) mod vbmi;

use core::ops::Range;

use super::batch::{FewBlocks, FewKeys};
use super::linear::{By, D2, Factor, Leaf, inverse, scaled};
use super::{Schedule, lanes};
use crate::cipher::{Chain, Count, Direction, Lane};
use crate::memory::Blank;
use crate::simd::Vector;

/// The proof of the set of `S`.
pub(super) type Isa<S> = <<S as Sbox>::V as Vector>::Isa;

/// The constants of the rounds, in one place, so that one pointer reaches them all.
#[repr(C)]
pub(super) struct Constants<T, M> {
    /// Encryption: D2 · π in the first round, D2 · π(D1 · x) in the others.
    pub(super) encrypt: [[T; 16]; 2],
    /// Decryption: D2 · π^-1(D1 · x), π^-1(D1 · x) in the last round.
    pub(super) decrypt: [[T; 16]; 2],
    /// The products of the leaves.
    pub(super) leaves: By<M>,
    /// The products by D1 and D2.
    pub(super) d1: [M; 16],
    pub(super) d2: [M; 16],
    /// The products by the columns of T for a_0 and a_8, as scaled.
    pub(super) columns: [[M; 16]; 2],
    /// The products by the inverse of D2.
    pub(super) d2_inverse: [M; 16],
}

/// The numbers that the fields of [`Constants`] multiply by.
struct Multipliers {
    leaves: By<u8>,
    d2_inverse: [u8; 16],
    columns: [[u8; 16]; 2],
}

impl Multipliers {
    const fn new(leaves: &[Leaf; 27]) -> Self {
        let mut m =
            Multipliers { leaves: [[0; 3]; 27], d2_inverse: [0; 16], columns: [[0; 16]; 2] };
        let mut n = 0;
        while n < 27 {
            m.leaves[n] = leaves[n].by;
            n += 1;
        }
        let mut i = 0;
        while i < 16 {
            m.d2_inverse[i] = inverse(D2[i]);
            m.columns[0][i] = scaled(i, 0);
            m.columns[1][i] = scaled(i, 8);
            i += 1;
        }
        m
    }
}

/// [`Constants`] from the tables of both directions, the leaves, and a product by a number.
macro_rules! constants {
    ($encrypt:expr, $decrypt:expr, $leaves:expr, $product:ident) => {{
        let m = $crate::kuznyechik::sbox::Multipliers::new($leaves);
        let mut c = $crate::kuznyechik::sbox::Constants {
            encrypt: $encrypt,
            decrypt: $decrypt,
            leaves: [[$product(0); 3]; 27],
            d1: [$product(0); 16],
            d2: [$product(0); 16],
            columns: [[$product(0); 16]; 2],
            d2_inverse: [$product(0); 16],
        };
        let mut n = 0;
        while n < 81 {
            c.leaves[n / 3][n % 3] = $product(m.leaves[n / 3][n % 3]);
            n += 1;
        }
        let mut i = 0;
        while i < 16 {
            c.d1[i] = $product($crate::kuznyechik::linear::D1[i]);
            c.d2[i] = $product($crate::kuznyechik::linear::D2[i]);
            c.columns[0][i] = $product(m.columns[0][i]);
            c.columns[1][i] = $product(m.columns[1][i]);
            c.d2_inverse[i] = $product(m.d2_inverse[i]);
            i += 1;
        }
        c
    }};
}
use constants;

/// S and products on the vectors of a set, in both layouts of blocks: a batch has byte a_i of `LEN` blocks in vector
/// i; few blocks have 16 bytes of a vector each, or a block is repeated in the vector.
pub(super) trait Sbox: Copy {
    type V: Vector;

    /// A place's S, between the products by D1 and D2.
    type Table: 'static;
    /// A product by a constant.
    type Product: 'static;
    type Factor: Factor<Self::Product, V = Self::V>;
    const CONSTANTS: &'static Constants<Self::Table, Self::Product>;
    fn factor(isa: Isa<Self>, x: Self::V) -> Self::Factor;
    fn multiply(isa: Isa<Self>, x: Self::V, by: &Self::Product) -> Self::V;
    /// S or S^-1 of a place, plus `plus`.
    fn substitute(
        isa: Isa<Self>,
        direction: Direction,
        x: Self::V,
        table: &Self::Table,
        plus: Self::V,
    ) -> Self::V;
    /// True if a round does S of four vectors where T needs them: permutations have a different port from products on
    /// some processors. Otherwise S of all comes before T.
    const HAND_IN_HAND: bool;

    /// The keys of the nine rounds, from a key for all blocks.
    type OneKey: Keys<Self>;
    /// Memory for them, wiped when dropped.
    type Room;
    fn room() -> Self::Room;
    fn one_key<'a>(
        isa: Isa<Self>,
        direction: Direction,
        s: &Schedule,
        room: &'a mut Self::Room,
    ) -> &'a Self::OneKey;

    /// The first round of [`Sbox::WINDOW`] successive counters, but for the byte that counts.
    type Window: Blank;
    const WINDOW: usize;
    /// True if gamma goes by two batches in turn where there are two.
    const TWO: bool;
    /// Prepares the part of a window that depends only on the key.
    fn window_key(isa: Isa<Self>, s: &Schedule, window: &mut Self::Window);
    /// Begins a window at `start`, for `blocks` counters if those are fewer.
    fn window<K: Rounds<S = Self>>(
        isa: Isa<Self>,
        s: &Schedule,
        keys: &Self::OneKey,
        window: &mut Self::Window,
        start: &[u8; 16],
        count: Count,
        blocks: usize,
    );
    /// The batch after the first round, its first counter being number `offset` of the window from `start` on, a
    /// multiple of `LEN`.
    fn first_round(
        isa: Isa<Self>,
        s: &Schedule,
        keys: &Self::OneKey,
        window: &Self::Window,
        start: &[u8; 16],
        count: Count,
        offset: usize,
    ) -> [Self::V; 16];

    /// The tables of few blocks, where they are kept in registers.
    type Few: Copy;
    fn few(isa: Isa<Self>, direction: Direction) -> Self::Few;
    /// Few blocks to the form of their rounds, and back.
    fn enter(isa: Isa<Self>, v: Self::V) -> Self::V;
    fn leave(isa: Isa<Self>, v: Self::V) -> Self::V;
    /// S or S^-1 of few blocks.
    fn substitute_few(isa: Isa<Self>, direction: Direction, few: &Self::Few, v: Self::V)
    -> Self::V;
    /// S or S^-1 of a repeated block; the first two repetitions have to be right.
    #[inline(always)]
    fn substitute_one(
        isa: Isa<Self>,
        direction: Direction,
        few: &Self::Few,
        v: Self::V,
    ) -> Self::V {
        Self::substitute_few(isa, direction, few, v)
    }
    /// L or L^-1 of few blocks, plus e.
    fn mix(isa: Isa<Self>, direction: Direction, v: Self::V, e: Self::V) -> Self::V;
    /// L or L^-1 of a repeated block, plus e; the first two repetitions have to be right.
    fn mix_one(isa: Isa<Self>, direction: Direction, v: Self::V, e: Self::V) -> Self::V;

    /// S^-1 is computed of the sum of its argument and this.
    const MOVED: u8;
    /// The most blocks for which the layout of few costs less than a batch with idle lanes; likewise for gamma, and for
    /// chains.
    const FEW: usize;
    const FEW_GAMMA: usize;
    const FEW_LANES: usize;
    /// The most vectors of blocks that stay in registers.
    const REGISTERS: usize;
    /// True if the blocks of many lanes are put together in memory, not in vectors.
    const TOGETHER: bool;
}

/// Keys of a batch of blocks.
pub(super) trait Keys<S: Sbox> {
    /// S of vector i, and the key that round r adds to it.
    fn substitute(
        &self,
        isa: Isa<S>,
        direction: Direction,
        at: (usize, usize),
        x: S::V,
        table: &S::Table,
    ) -> S::V;
    /// The constants of T.
    #[inline(always)]
    fn leaves<'a>(&'a self, c: &'a Constants<S::Table, S::Product>) -> &'a By<S::Product> {
        &c.leaves
    }
}

/// κ of the nine rounds with a key for each block, `LEN` bytes of each vector in use.
pub(super) type Kappa = [[[u8; 64]; 16]; 9];

impl<S: Sbox> Keys<S> for Kappa {
    #[inline(always)]
    fn substitute(
        &self,
        isa: Isa<S>,
        direction: Direction,
        (r, i): (usize, usize),
        x: S::V,
        table: &S::Table,
    ) -> S::V {
        S::substitute(isa, direction, x, table, S::V::load(isa, &self[r][i]))
    }
}

/// Blocks of as many keys as a batch has, vector i at `LEN` times i.
pub(super) type Half = [u8; 16 * 64];

/// A set's rounds, and other parts that its shapes share: compiled once each where they are long, else inlined.
pub(super) trait Rounds: Copy {
    type S: Sbox;
    fn encrypt(
        isa: Isa<Self::S>,
        v: &mut [V<Self>; 16],
        keys: &<Self::S as Sbox>::OneKey,
        rounds: Range<usize>,
    );
    fn decrypt(isa: Isa<Self::S>, v: &mut [V<Self>; 16], keys: &<Self::S as Sbox>::OneKey);
    /// All nine rounds.
    fn encrypt_each(isa: Isa<Self::S>, v: &mut [V<Self>; 16], kappa: &Kappa);
    /// A step of the key schedule: see `round::expand`.
    fn expand(isa: Isa<Self::S>, half: &mut Half, mixed: &mut Half, number: Option<u8>);
    /// `len` bytes of blocks: see `batch::few`.
    fn few_blocks(
        isa: Isa<Self::S>,
        direction: Direction,
        keys: &FewKeys,
        len: usize,
        x: &mut FewBlocks,
    );
    /// Chained streams of few vectors: see `lanes::few`.
    #[inline(always)]
    fn few_lanes(isa: Isa<Self::S>, chain: Chain, lanes: &mut [Lane<'_, Schedule, 16>]) {
        lanes::few::<Self::S>(isa, chain, lanes);
    }
    /// Keys and registers to the layout of a batch, and back: see `round::sliced`. Texts go inline.
    fn sliced(v: &mut [V<Self>; 16]);
    fn unsliced(v: &mut [V<Self>; 16]);
}

/// The vectors of a set.
pub(super) type V<K> = <<K as Rounds>::S as Sbox>::V;
