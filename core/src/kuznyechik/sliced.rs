//! 64 blocks at once, byte a_i of all of them in vector i (RFC 7801, section 4; see `toeplitz`).
//!
//! With L = D1 · T · D2 a round is: v_i = D2_i · π(D1_i · y_i) + κ_i by one look-up, y = T · v, where
//! κ = D2 · L^-1(K) is the next round's key. Decryption is the same in memory order: L^-1 is the same
//! matrix on the bytes read backwards.
//!
//! Operations of 64 blocks: a round has 16 look-ups of 7 (in pairs 4) and T's 195; ECB has nine rounds, 128 for
//! transpositions, 16 for the first key and 16 for D1 or D2: 2923, on two ports of Intel 0x06/0xa7 1.43
//! cycles for each byte, measured 1.63 (87 %). CTR has eight rounds, 76 for the first, 64 for the
//! transposition, 16 for D1 and 16 for the text: 2628, so 1.28, measured 1.43 (90 %).

use super::bytes::{self, Bytes};
use super::constants::aes::{FROM, Octets, SCALE, SPREAD, TO, UNSCALE, WITHOUT};
use super::layout::{Diagonal, Half};
use super::linear::{self, By, Factor, Parts, Sum};
use super::linear::{LEAVES, Leaf};
use super::sbox::vbmi::{CONSTANTS, Constants, Table};
use super::{Schedule, counter};
use crate::cipher::{Count, Direction};
use crate::memory::Blank;

/// Blocks in a batch.
pub(super) const BATCH: usize = 64;

/// What the rounds of one key read.
#[derive(Clone, Copy)]
pub(super) struct KeyWords {
    /// κ of the nine rounds, each byte four times.
    pub(super) kappa: [[u32; 16]; 9],
    /// A copy of `Constants::leaves`. On Zen 5 these loads, 48 a round, are slow where another page has stores at
    /// the same bytes and the physical addresses of both are somehow alike, as of one pair in 16 (measured; it
    /// seems that they wait for the stores): by the pages that its stack got, a process paid up to 20 % for as
    /// long as it lived. Beside what the compiler spills, in a frame of less than a page, they have other bytes
    /// than that. (The frames of `products` and `sections` are larger, and have some in common.)
    leaves: By<u64>,
}

impl Blank for KeyWords {
    const BLANK: Self = KeyWords { kappa: Blank::BLANK, leaves: Blank::BLANK };
}

/// What a round adds to vector i, and the products of T.
///
/// The functions here are written without closures: those would be compiled without the instruction
/// set's features wherever they are not inlined.
pub(super) trait SlicedKeys<B> {
    fn at(&self, round: usize, i: usize) -> B;
    fn leaves(&self) -> &By<u64>;
}

/// One key for all blocks.
pub(super) struct OneKeyWords<'a, B: Bytes>(pub(super) B::Isa, pub(super) &'a KeyWords);

impl<B: Bytes> SlicedKeys<B> for OneKeyWords<'_, B> {
    #[inline(always)]
    fn at(&self, round: usize, i: usize) -> B {
        B::word(self.0, &self.1.kappa[round][i])
    }
    #[inline(always)]
    fn leaves(&self) -> &By<u64> {
        B::fresh(&self.1.leaves)
    }
}

/// A key for each block.
pub(super) struct KeyPerBlock<'a, B: Bytes>(
    pub(super) B::Isa,
    pub(super) &'a [[u8; 16 * BATCH]; 9],
);

impl<B: Bytes> SlicedKeys<B> for KeyPerBlock<'_, B> {
    #[inline(always)]
    fn at(&self, round: usize, i: usize) -> B {
        B::load(self.0, &self.1[round], i)
    }
    #[inline(always)]
    fn leaves(&self) -> &By<u64> {
        &constants::<B>().leaves
    }
}

/// A vector in the sums of T.
#[derive(Clone, Copy)]
struct Term<B>(B);

impl<B: Bytes> Sum for Term<B> {
    #[inline(always)]
    fn plus(self, b: Self) -> Self {
        Term(self.0.xor(b.0))
    }
    #[inline(always)]
    fn plus3(self, b: Self, c: Self) -> Self {
        Term(self.0.xor3(b.0, c.0))
    }
}

impl<B: Bytes> Factor<u64> for Term<B> {
    type Sum = Self;
    const LEAVES: &'static [Leaf; 27] = &LEAVES;
    #[inline(always)]
    fn add(self, b: Self) -> Self {
        Term(self.0.xor(b.0))
    }
    #[inline(always)]
    fn by(self, m: &u64) -> Self {
        Term(self.0.affine(m))
    }
    #[inline(always)]
    fn once(self, _: &u64) -> Self {
        self
    }
}

/// The constants, hidden anew: or the compiler would load them once and spill them.
#[inline(always)]
fn constants<B: Bytes>() -> &'static Constants {
    B::fresh(&CONSTANTS[usize::from(B::PAIRS)])
}

/// v = T · v.
#[inline(always)]
fn toeplitz<B: Bytes>(v: &mut [B; 16], by: &By<u64>) {
    let mut x = [Term(v[0]); 16];
    for i in 1..16 {
        x[i] = Term(v[i]);
    }
    let mut y = x;
    linear::toeplitz(&x, by, &mut y);
    for i in 0..16 {
        v[i] = y[i].0;
    }
}

/// S of v and the next key.
struct Substituted<'a, B, K> {
    v: &'a [B; 16],
    tables: &'a [Table; 16],
    r: usize,
    keys: &'a K,
}

impl<B: Bytes, K: SlicedKeys<B>> Substituted<'_, B, K> {
    #[inline(always)]
    fn at(&self, i: usize) -> B {
        self.v[i].lookup(&self.tables[i], self.keys.at(self.r, i))
    }
}

impl<B: Bytes, K: SlicedKeys<B>> Parts<Term<B>> for Substituted<'_, B, K> {
    // Not in a loop: the compiler would keep it as one, and its end would be mispredicted each time.
    #[inline(always)]
    fn part(&self, bits: usize) -> [Term<B>; 4] {
        let [a, b, c, d] =
            [self.at(bits), self.at(bits + 4), self.at(bits + 8), self.at(bits + 12)];
        [Term(a), Term(b), Term(c), Term(d)]
    }
}

#[inline(always)]
pub(super) fn each<B: Bytes>(v: &mut [B; 16], by: &[u64; 16]) {
    for i in 0..16 {
        v[i] = v[i].affine(&by[i]);
    }
}

#[inline(always)]
fn encrypt_round<B: Bytes>(v: &mut [B; 16], r: usize, keys: &impl SlicedKeys<B>) {
    let c = constants::<B>();
    let mut y = [Term(v[0]); 16];
    let substituted = Substituted { v, tables: &c.encrypt[usize::from(r != 0)], r, keys };
    linear::toeplitz(&substituted, keys.leaves(), &mut y);
    for i in 0..16 {
        v[i] = y[i].0;
    }
}

#[inline(always)]
fn decrypt_round<B: Bytes>(v: &mut [B; 16], r: usize, keys: &impl SlicedKeys<B>) {
    toeplitz(v, keys.leaves());
    let tables = &constants::<B>().decrypt[usize::from(r == 8)];
    let [a, b, c, d] = linear::MADE;
    substitute_part(v, tables, r, keys, a);
    substitute_part(v, tables, r, keys, b);
    substitute_part(v, tables, r, keys, c);
    substitute_part(v, tables, r, keys, d);
}

#[inline(always)]
fn substitute_part<B: Bytes>(
    v: &mut [B; 16],
    tables: &[Table; 16],
    r: usize,
    keys: &impl SlicedKeys<B>,
    bits: usize,
) {
    let part = Substituted { v, tables, r, keys }.part(bits);
    (v[bits], v[bits + 4]) = (part[0].0, part[1].0);
    (v[bits + 8], v[bits + 12]) = (part[2].0, part[3].0);
}

/// A step of the key schedule: see `Layout`.
#[inline(always)]
pub(super) fn expand<B: Bytes>(isa: B::Isa, half: &mut Half, mixed: &mut Half, octet: Option<u8>) {
    let c = constants::<B>();
    let mut v = read::<B>(isa, half);
    if let Some(octet) = octet {
        v[0] = v[0].xor(B::octet(isa, octet));
        for i in 0..16 {
            v[i] = B::load(isa, mixed, i).lookup(&c.encrypt[1][i], v[i]);
            v[i].store(half, i);
        }
    }
    toeplitz(&mut v, &c.leaves);
    for i in 0..16 {
        v[i].store(mixed, i);
    }
}

/// Products by a diagonal.
#[inline(always)]
pub(super) fn diagonal<B: Bytes>(by: Diagonal, mut v: [B; 16]) -> [B; 16] {
    each(
        &mut v,
        match by {
            Diagonal::One => &CONSTANTS[0].d1,
            Diagonal::Two => &CONSTANTS[0].d2,
            Diagonal::InverseOfTwo => &CONSTANTS[0].d2_inverse,
        },
    );
    v
}

/// Everything between the first key and the last: from the vectors of x + K_1 to those of the result,
/// or from those of x + K_10 in memory order.
#[inline(always)]
pub(super) fn rounds<B: Bytes>(direction: Direction, v: &mut [B; 16], keys: &impl SlicedKeys<B>) {
    match direction {
        Direction::Encrypt => {
            for r in 0..9 {
                encrypt_round(v, r, keys);
            }
            each(v, &CONSTANTS[0].d1);
        }
        Direction::Decrypt => {
            each(v, &CONSTANTS[0].d2);
            for r in 0..9 {
                decrypt_round(v, r, keys);
            }
        }
    }
}

/// a_0 first in encryption, memory order in decryption.
#[inline(always)]
pub(super) fn ordered<B: Bytes>(direction: Direction, mut v: [B; 16]) -> [B; 16] {
    if direction == Direction::Encrypt {
        v.reverse();
    }
    v
}

/// κ of the round keys: D2 times the bytes that round `r` adds.
#[inline(always)]
pub(super) fn scaled<B: Bytes>(direction: Direction, r: usize, key: B) -> B {
    if direction == Direction::Decrypt && r == 8 {
        return key;
    }
    key.affine(&TO).times(&SCALE[direction as usize]).affine(&FROM)
}

/// What round `r` adds: L^-1(K_(r+2)) in encryption, K_(9-r) in decryption.
#[inline(always)]
pub(super) fn round_key(s: &Schedule, direction: Direction, r: usize) -> &[u8; 16] {
    match direction {
        Direction::Encrypt => &s.inverse[r + 1],
        Direction::Decrypt => &s.keys[8 - r],
    }
}

/// κ of one key for all blocks.
#[inline(always)]
pub(super) fn words<B: Bytes>(isa: B::Isa, direction: Direction, s: &Schedule, to: &mut KeyWords) {
    to.leaves = constants::<B>().leaves;
    for (r, words) in to.kappa.iter_mut().enumerate() {
        let k = scaled(direction, r, B::repeat(isa, round_key(s, direction, r)));
        k.shuffled(&SPREAD[direction as usize]).store_words(words);
    }
}

/// The vectors of 64 blocks, four in a vector.
#[inline(always)]
pub(super) fn read<B: Bytes>(isa: B::Isa, from: &[u8]) -> [B; 16] {
    let mut v = [B::load(isa, from, 0); 16];
    for i in 1..16 {
        v[i] = B::load(isa, from, i);
    }
    v
}

/// The first key that a batch has added.
#[inline(always)]
pub(super) fn first_key<B: Bytes>(isa: B::Isa, direction: Direction, s: &Schedule) -> B {
    B::repeat(isa, &s.keys[if direction == Direction::Encrypt { 0 } else { 9 }])
}

/// A batch: the vectors of the results.
#[inline(always)]
pub(super) fn cipher<B: Bytes>(
    isa: B::Isa,
    direction: Direction,
    s: &Schedule,
    words: &KeyWords,
    from: &[u8; 16 * BATCH],
) -> [B; 16] {
    let first = first_key::<B>(isa, direction, s);
    let mut v = read::<B>(isa, from);
    for v in &mut v {
        *v = v.xor(first);
    }
    let mut v = ordered(direction, B::transposed(v));
    rounds(direction, &mut v, &OneKeyWords(isa, words));
    B::transposed(ordered(direction, v))
}

/// Full rounds of a batch of gamma.
pub(super) const ROUNDS: usize = 8;

/// What is done beside a batch, on units that it leaves free: a chain of few blocks, which alone would wait for
/// itself, or products.
pub(super) trait Beside {
    fn step(&mut self);
}

pub(super) struct Nothing;
impl Beside for Nothing {
    #[inline(always)]
    fn step(&mut self) {}
}

/// What gamma needs of a key, and of a window of counters.
#[derive(Clone, Copy)]
pub(super) struct Gamma {
    pub(super) words: KeyWords,
    /// φ of K_1, and of κ's L^-1(K_2).
    first: [[u8; 16]; 2],
    /// The bytes of K_1 four times, a_0 first.
    key: [u32; 16],
    /// After the first T, what all bytes of a window's counters but the counting one add, and how that
    /// changes by the carry, four times each.
    pub(super) others: [[u32; 16]; 2],
}

impl Blank for Gamma {
    const BLANK: Self =
        Gamma { words: Blank::BLANK, first: Blank::BLANK, key: Blank::BLANK, others: Blank::BLANK };
}

impl Gamma {
    #[inline(always)]
    pub(super) fn fill<B: Bytes>(&mut self, isa: B::Isa, s: &Schedule) {
        words::<B>(isa, Direction::Encrypt, s, &mut self.words);
        B::repeat(isa, &s.keys[0]).affine(&TO).store_one(&mut self.first[0]);
        B::repeat(isa, &s.inverse[1]).affine(&TO).store_one(&mut self.first[1]);
        B::repeat(isa, &s.keys[0]).shuffled(&SPREAD[0]).store_words(&mut self.key);
    }

    /// Begins a window of counters, the first of them `start`.
    ///
    /// In 256 steps only one byte counts, but for one carry: the other bytes have one of two values, so
    /// the first round is one S-box on vectors and two blocks. Nothing depends on where the carry is.
    #[inline(always)]
    pub(super) fn window<B: Bytes>(&mut self, isa: B::Isa, start: &[u8; 16], count: Count) {
        let (_, side) = counter::counting(count);
        let carried = counter::advanced(start, count, counter::WINDOW as u64);
        let plain = self.others::<B>(isa, start, side);
        let change = self.others::<B>(isa, &carried, side).xor(plain);
        plain.shuffled(&SPREAD[0]).store_words(&mut self.others[0]);
        change.shuffled(&SPREAD[0]).store_words(&mut self.others[1]);
    }

    /// The batch whose first counter is number `offset` of the window that begins with `start`: S of the byte
    /// that counts, and all ones in the blocks after the carry.
    #[inline(always)]
    pub(super) fn counting<B: Bytes>(
        &self,
        isa: B::Isa,
        start: &[u8; 16],
        count: Count,
        offset: usize,
    ) -> [B; 2] {
        let (octet, _) = counter::counting(count);
        let before = B::octet(isa, start[15 - octet]);
        let after = before.add(B::load(isa, &NUMBERS.0, 0)).add(B::octet(isa, offset as u8));
        let carry = after.less(before);
        let c = constants::<B>();
        let x = after.xor(B::word(isa, &self.key[octet]));
        [x.lookup(&c.encrypt[0][octet], x.xor(x)), carry]
    }

    /// Its first round.
    #[inline(always)]
    fn first_round<B: Bytes>(
        &self,
        isa: B::Isa,
        start: &[u8; 16],
        count: Count,
        offset: usize,
    ) -> [B; 16] {
        let (_, side) = counter::counting(count);
        let [y, carry] = self.counting::<B>(isa, start, count, offset);
        let (w, c) = (B::fresh(&self.others), constants::<B>());
        let mut v = [y; 16];
        for i in 0..16 {
            let y = y.affine(&c.columns[side][i]).xor(B::word(isa, &w[0][i]));
            v[i] = y.xor_masked(B::word(isa, &w[1][i]), carry);
        }
        v
    }

    /// The gamma of that batch; a step of something else beside each of its eight full rounds.
    #[inline(always)]
    pub(super) fn batch<B: Bytes>(
        &self,
        isa: B::Isa,
        start: &[u8; 16],
        count: Count,
        offset: usize,
        beside: &mut impl Beside,
    ) -> [B; 16] {
        let mut v = self.first_round(isa, start, count, offset);
        for r in 1..=ROUNDS {
            beside.step();
            encrypt_round(&mut v, r, &OneKeyWords(isa, &self.words));
        }
        each(&mut v, &CONSTANTS[0].d1);
        B::transposed(ordered(Direction::Encrypt, v))
    }

    /// The gamma of that batch and of the next, in turn: while one waits, the other goes on.
    #[inline(always)]
    pub(super) fn batches<B: Bytes>(
        &self,
        isa: B::Isa,
        start: &[u8; 16],
        count: Count,
        offset: usize,
    ) -> [[B; 16]; 2] {
        let keys = OneKeyWords(isa, &self.words);
        let mut v = self.first_round(isa, start, count, offset);
        let mut w = self.first_round(isa, start, count, offset + BATCH);
        for r in 1..9 {
            encrypt_round(&mut v, r, &keys);
            encrypt_round(&mut w, r, &keys);
        }
        each(&mut v, &CONSTANTS[0].d1);
        each(&mut w, &CONSTANTS[0].d1);
        [
            B::transposed(ordered(Direction::Encrypt, v)),
            B::transposed(ordered(Direction::Encrypt, w)),
        ]
    }

    /// After the first T, what all bytes of a block but the counting one add.
    #[inline(always)]
    fn others<B: Bytes>(&self, isa: B::Isa, block: &[u8; 16], side: usize) -> B {
        let first = B::fresh(&self.first);
        let x = B::repeat(isa, block).affine(&TO).xor(B::repeat(isa, &first[0]));
        let x = x.substituted(&bytes::sbox(isa, Direction::Encrypt));
        let x = x.times(&WITHOUT[side]).xor(B::repeat(isa, &first[1]));
        let x = bytes::repeated(Direction::Encrypt, x, x.xor(x));
        x.times(&UNSCALE).affine(&FROM)
    }
}

/// The number of the block in each byte of a vector, after `transposed`.
static NUMBERS: Octets = {
    let (mut t, mut p) = ([0; 64], 0);
    while p < 64 {
        t[p] = (4 * (p % 16) + p / 16) as u8;
        p += 1;
    }
    Octets(t)
};
