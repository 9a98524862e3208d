//! The rounds of a batch: `LEN` blocks at once, byte a_i of all of them in vector i.
//!
//! A block (RFC 7801, section 4; bytes a_0 to a_15, a_0 the last in memory):
//!
//! ```text
//! encrypt(a, K):                          decrypt(a, K):
//!     for r in 1..=9:                         a ^= K[10]
//!         a ^= K[r]                           for r in (1..=9).rev():
//!         for i in 0..16: a[i] = π[a[i]]          for step in 0..16: a = l⁻¹(a)
//!         for step in 0..16: a = l(a)             for i in 0..16: a[i] = π⁻¹[a[i]]
//!     return a ^ K[10]                            a ^= K[r]
//!
//! l(a): the register moves by one place; the new byte is 148 a[15] + 32 a[14] + .. + 1 a[0] in GF(2^8)
//! ```
//!
//! Sixteen steps of l are L, a 16 × 16 matrix of bytes. The usual program has 16 tables of π and a column of L, 64 KB,
//! and looks up by bytes of the text. Here no address depends on text or key.
//!
//! # Layout
//!
//! Vector i has byte a_i of each block, in the order of blocks that `transposed` makes. So S is one operation on
//! vectors, and L is products of vectors by constants. In decryption the vectors are in memory order, as
//! L^-1 is L on the bytes read backwards.
//!
//! # Optimisations
//!
//! Two numbers of cycles a byte are before and after.
//!
//! 1. L = D1 · T · D2 with T a Toeplitz matrix (`linear.rs`): by Karatsuba's rule 86 products instead of 256. D1 and D2
//!    go into the tables of S, at no cost.
//! 2. The key is added by S: L^-1(K) instead of K, and so before L, in the same sum (`vbmi.rs`) or in a
//!    table (`gfni.rs`, `nibbles.rs`). With y = T · v a round is v_i = D2_i · π(D1_i · y_i) + κ_i, κ = D2 · L^-1(K).
//! 3. S and T go hand in hand where S and products use different ports ([`Sbox::HAND_IN_HAND`]).
//! 4. Counters: in 256 successive blocks one byte differs, so the first round is S of that byte and 16 products
//!    (`first_round`): 0.84 and 0.80 cycles a byte on Zen 5 with `gfni512`.
//! 5. Rounds in assembly for `avx2`, since compilers keep neither order nor registers: 5.34 and 4.85 cycles a byte on
//!    Zen 5.
//!
//! Operations of a round and cycles a byte of ECB, encryption / decryption, on Intel 0x06/0xa7 (three ports for vectors,
//! two in 512 bits), with the bound from the operations of nine rounds, transpositions and the product by D1 or D2:
//! - `gfni512`: S 112 (in pairs 64), T 195: 1.63, bound 1.43 (87 %); CTR 1.43, bound 1.28 (90 %);
//! - `avx2gfni`: S 208 / 144, T 246: 3.02 / 2.64, bound 2.8 / 2.4 (92 %);
//! - `avx2`: S 384, nibbles 48, T about 460: 5.7 / 5.6, bound 5.4 (95 %);
//! - `avx512`: S 352, nibbles 48, T about 360: 4.2 / 4.0, bound 3.8 / 3.8 (90 / 95 %).
//!
//! The rest is loads that wait for stores (the vectors do not fit into 16 registers), and the end of each round, where S
//! has to wait for T.
//!
//! # Tried in vain
//!
//! - Assembly for `avx512`: on Intel 3.95 against 3.74 compiled, as one port has all look-ups, so that their order decides
//!   nothing.
//! - Two batches of gamma in turn with S by pairs: a single batch keeps the units as busy, with fewer spills.

use core::ops::Range;

use super::Schedule;
use super::constants::{PI, ROWS, multiply};
use super::linear::{self, By, Parts};
use super::sbox::{Constants, Half, Isa, Keys, Rounds, Sbox, V};
use crate::cipher::Direction;
use crate::simd::Vector;

/// Work done between the rounds of a batch, on units that these leave free: a chain of few blocks, which would wait for
/// its own results, or products.
pub(super) trait Beside {
    fn step(&mut self);
}

pub(super) struct Nothing;
impl Beside for Nothing {
    #[inline(always)]
    fn step(&mut self) {}
}

/// S of v and the next key.
struct Substituted<'a, S: Sbox, K> {
    isa: Isa<S>,
    direction: Direction,
    v: &'a [S::V; 16],
    tables: &'a [S::Table; 16],
    r: usize,
    keys: &'a K,
}

impl<S: Sbox, K: Keys<S>> Substituted<'_, S, K> {
    #[inline(always)]
    fn at(&self, i: usize) -> S::V {
        let at = (self.r, i);
        self.keys.substitute(self.isa, self.direction, at, self.v[i], &self.tables[i])
    }
    // Not in a loop: the compiler would keep the loop, and its end would be mispredicted each time.
    #[inline(always)]
    fn four(&self, bits: usize) -> [S::V; 4] {
        [self.at(bits), self.at(bits + 4), self.at(bits + 8), self.at(bits + 12)]
    }
}

impl<S: Sbox, K: Keys<S>> Parts<S::Factor> for Substituted<'_, S, K> {
    #[inline(always)]
    fn part(&self, bits: usize) -> [S::Factor; 4] {
        let [a, b, c, d] = self.four(bits);
        let isa = self.isa;
        [S::factor(isa, a), S::factor(isa, b), S::factor(isa, c), S::factor(isa, d)]
    }
}

/// S and the next key, in the order in which T needs and makes the vectors, so that no vector waits long.
#[inline(always)]
fn substitute<S: Sbox>(
    isa: Isa<S>,
    direction: Direction,
    v: &mut [S::V; 16],
    tables: &[S::Table; 16],
    r: usize,
    keys: &impl Keys<S>,
) {
    if S::HAND_IN_HAND {
        let [a, b, c, d] = linear::MADE;
        substitute_four::<S>(isa, direction, v, tables, r, keys, a);
        substitute_four::<S>(isa, direction, v, tables, r, keys, b);
        substitute_four::<S>(isa, direction, v, tables, r, keys, c);
        substitute_four::<S>(isa, direction, v, tables, r, keys, d);
        return;
    }
    for part in linear::MADE {
        for i in (part..16).step_by(4) {
            v[i] = keys.substitute(isa, direction, (r, i), v[i], &tables[i]);
        }
    }
}

#[inline(always)]
fn substitute_four<S: Sbox>(
    isa: Isa<S>,
    direction: Direction,
    v: &mut [S::V; 16],
    tables: &[S::Table; 16],
    r: usize,
    keys: &impl Keys<S>,
    bits: usize,
) {
    let four = Substituted::<S, _> { isa, direction, v, tables, r, keys }.four(bits);
    (v[bits], v[bits + 4], v[bits + 8], v[bits + 12]) = (four[0], four[1], four[2], four[3]);
}

/// v = T · v.
#[inline(always)]
fn toeplitz<S: Sbox>(isa: Isa<S>, v: &mut [S::V; 16], by: &By<S::Product>) {
    let mut x = [S::factor(isa, v[0]); 16];
    for i in 1..16 {
        x[i] = S::factor(isa, v[i]);
    }
    linear::toeplitz(&x, by, v);
}

/// The constants, hidden anew: or the compiler would load them once and spill them.
#[inline(always)]
fn constants<S: Sbox>() -> &'static Constants<S::Table, S::Product> {
    S::V::fresh(S::CONSTANTS)
}

#[inline(always)]
fn encrypt_round<S: Sbox>(isa: Isa<S>, v: &mut [S::V; 16], r: usize, keys: &impl Keys<S>) {
    let c = constants::<S>();
    let tables = &c.encrypt[usize::from(r != 0)];
    if S::HAND_IN_HAND {
        let x = *v;
        let direction = Direction::Encrypt;
        let x = Substituted::<S, _> { isa, direction, v: &x, tables, r, keys };
        linear::toeplitz(&x, keys.leaves(c), v);
        return;
    }
    substitute::<S>(isa, Direction::Encrypt, v, tables, r, keys);
    toeplitz::<S>(isa, v, keys.leaves(c));
}

/// Rounds of encryption: all nine are everything between the first key and the product by D1.
#[inline(always)]
pub(super) fn encrypt<S: Sbox>(
    isa: Isa<S>,
    v: &mut [S::V; 16],
    keys: &impl Keys<S>,
    rounds: Range<usize>,
) {
    encrypt_beside::<S>(isa, v, keys, rounds, &mut Nothing);
}

/// Rounds of encryption, with a step of other work before each.
#[inline(always)]
pub(super) fn encrypt_beside<S: Sbox>(
    isa: Isa<S>,
    v: &mut [S::V; 16],
    keys: &impl Keys<S>,
    rounds: Range<usize>,
    beside: &mut impl Beside,
) {
    let mut x = *v;
    for r in rounds {
        beside.step();
        encrypt_round::<S>(isa, &mut x, r, keys);
    }
    *v = x;
}

/// Rounds of two batches in turn: while the first waits, the second runs.
#[inline(always)]
pub(super) fn encrypt_two<S: Sbox>(
    isa: Isa<S>,
    [v, w]: [&mut [S::V; 16]; 2],
    keys: &impl Keys<S>,
    rounds: Range<usize>,
) {
    for r in rounds {
        encrypt_round::<S>(isa, v, r, keys);
        encrypt_round::<S>(isa, w, r, keys);
    }
}

/// Decryption between the product by D2 and the last key.
#[inline(always)]
pub(super) fn decrypt<S: Sbox>(isa: Isa<S>, v: &mut [S::V; 16], keys: &impl Keys<S>) {
    let mut x = *v;
    for r in 0..9 {
        let c = constants::<S>();
        toeplitz::<S>(isa, &mut x, keys.leaves(c));
        let tables = &c.decrypt[usize::from(r == 8)];
        substitute::<S>(isa, Direction::Decrypt, &mut x, tables, r, keys);
    }
    *v = x;
}

/// A step of the key schedule of a batch (see `schedule/vectors.rs`): adds D2 · S(D1 · `mixed`) and the number at a_0 to
/// `half`, and sets `mixed` to T · `half`. Without a number, does only the latter.
#[inline(always)]
pub(super) fn expand<S: Sbox>(isa: Isa<S>, half: &mut Half, mixed: &mut Half, number: Option<u8>) {
    let c = constants::<S>();
    let mut x = load::<S::V, 16>(isa, half);
    if let Some(number) = number {
        x[0] = x[0].xor(S::V::splat(isa, number));
        for part in linear::MADE {
            for i in (part..16).step_by(4) {
                let y = S::V::load(isa, &mixed[S::V::LEN * i..]);
                x[i] = S::substitute(isa, Direction::Encrypt, y, &c.encrypt[1][i], x[i]);
            }
        }
        store(&x, half);
    }
    toeplitz::<S>(isa, &mut x, &c.leaves);
    store(&x, mixed);
}

/// The products by a diagonal: D1 after encryption; D2 before decryption, and of keys.
#[inline(always)]
pub(super) fn diagonal<S: Sbox>(isa: Isa<S>, v: &mut [S::V; 16], by: &[S::Product; 16]) {
    for i in 0..16 {
        v[i] = S::multiply(isa, v[i], &by[i]);
    }
}

/// A batch of `LEN` blocks.
#[inline(always)]
pub(super) fn cipher<K: Rounds>(
    isa: Isa<K::S>,
    direction: Direction,
    s: &Schedule,
    keys: &<K::S as Sbox>::OneKey,
    from: &[u8],
) -> [V<K>; 16] {
    let first = first_key::<K::S>(isa, direction, s);
    let mut v = load::<V<K>, 16>(isa, from);
    for v in &mut v {
        *v = v.xor(first);
    }
    let mut v = ordered(direction, transposed(v));
    match direction {
        Direction::Encrypt => {
            K::encrypt(isa, &mut v, keys, 0..9);
            diagonal::<K::S>(isa, &mut v, &K::S::CONSTANTS.d1);
        }
        Direction::Decrypt => {
            diagonal::<K::S>(isa, &mut v, &K::S::CONSTANTS.d2);
            K::decrypt(isa, &mut v, keys);
        }
    }
    transposed(ordered(direction, v))
}

/// The first key that a batch has added: K_1, or K_10, moved where S^-1 needs it.
#[inline(always)]
pub(super) fn first_key<S: Sbox>(isa: Isa<S>, direction: Direction, s: &Schedule) -> S::V {
    match direction {
        Direction::Encrypt => S::V::repeat(isa, &s.keys[0]),
        Direction::Decrypt if S::MOVED == 0 => S::V::repeat(isa, &s.keys[9]),
        // Opaque, or the compiler would add both to each vector.
        Direction::Decrypt => {
            S::V::repeat(isa, &s.keys[9]).xor(S::V::repeat(isa, &L_OF_MOVED)).opaque()
        }
    }
}

/// Round key r of a batch: L^-1(K_(r+2)) in encryption, K_(9-r) in decryption.
#[inline(always)]
pub(super) fn round_key(s: &Schedule, direction: Direction, r: usize) -> &[u8; 16] {
    match direction {
        Direction::Encrypt => &s.inverse[r + 1],
        Direction::Decrypt => &s.keys[8 - r],
    }
}

/// L(π(0), .., π(0)), which is added before L^-1 where S^-1 is computed of π(0) + x (see `sbox/structure.rs`).
pub(super) static L_OF_MOVED: [u8; 16] = {
    let (mut m, mut n) = ([0; 16], 0);
    while n < 256 {
        m[n / 16] ^= multiply(ROWS[n / 16][n % 16], PI[0]);
        n += 1;
    }
    m
};

/// Byte p of vector i and byte i of vector p change places, in each 16 bytes.
#[inline(always)]
pub(super) fn transposed<V: Vector>(mut v: [V; 16]) -> [V; 16] {
    unrolled!(_stage < 4, {
        let mut w = v;
        unrolled!(i < 8, { (w[2 * i], w[2 * i + 1]) = v[i].zip(v[i + 8]) });
        v = w;
    });
    v
}

/// a_0 first in encryption, memory order in decryption.
#[inline(always)]
pub(super) fn ordered<V: Vector>(direction: Direction, mut v: [V; 16]) -> [V; 16] {
    if direction == Direction::Encrypt {
        v.reverse();
    }
    v
}

/// The vectors of a batch, a_0 first, and back.
#[inline(always)]
pub(super) fn sliced<V: Vector>(v: [V; 16]) -> [V; 16] {
    ordered(Direction::Encrypt, transposed(v))
}

#[inline(always)]
pub(super) fn unsliced<V: Vector>(v: [V; 16]) -> [V; 16] {
    transposed(ordered(Direction::Encrypt, v))
}

/// Loads N vectors in turn.
#[inline(always)]
pub(super) fn load<V: Vector, const N: usize>(isa: V::Isa, from: &[u8]) -> [V; N] {
    let mut v = [V::load(isa, from); N];
    for i in 1..N {
        v[i] = V::load(isa, &from[V::LEN * i..]);
    }
    v
}

/// Stores N vectors in turn.
#[inline(always)]
pub(super) fn store<V: Vector, const N: usize>(v: &[V; N], to: &mut [u8]) {
    for i in 0..N {
        v[i].store(&mut to[V::LEN * i..]);
    }
}
