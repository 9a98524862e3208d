//! `LEN` blocks at once, byte a_i of all of them in vector i, on vectors that look up by nibbles
//! (RFC 7801, section 4; see `toeplitz` for L and `tklog` for S).
//!
//! With L = D1 · T · D2 a round is: v_i = D2_i · π(D1_i · y_i) + κ_i, y = T · v, where κ = D2 · L^-1(K) is
//! the next round's key; where one key serves all blocks it stands in S's tables. Decryption is the same
//! in memory order: L^-1 is the same matrix on the bytes read backwards.
//!
//! Operations of a round, by vectors of bytes, with what ECB costs per byte on Intel 0x06/0xa7 (three
//! vector ports, two for 512 bits), encryption / decryption, and the bound from the operations of nine
//! rounds, transpositions and the product by D1 or D2:
//! - `avx2gfni`: S 13 / 9, T 246: 3.02 / 2.64, bound 2.8 / 2.4 (92 %).
//! - `avx2`: S 24, nibbles 48, T about 460: 5.7 / 5.6, bound 5.4 (95 %).
//! - `avx512`: S 22, nibbles 48, T about 360: 4.2 / 4.0, bound 3.8 / 3.8 (90 / 95 %).
//!
//! The rest is loads that wait for stores (the vectors do not fit into 16 registers), and the end of each
//! round, where S has to wait for T. On x86-64 rounds with one key are assembly on `avx2`
//! (`core/asm/kuznyechik`, written by `tools/asmgen/src/kuznyechik.rs`).

use core::hint::black_box;
use core::ops::Range;

use super::constants::{PI, ROWS, multiply};
use super::layout::{Diagonal, Half};
use super::linear::{self, By, Factor, Sum};
use super::linear::{D1, D2, Leaf, inverse, scaled};
use super::sbox::structure::{Form, Map, Place, backward, forward};
use super::{Schedule, counter};
use crate::cipher::{Count, Direction};
use crate::memory::Room;
use crate::memory::{Blank, Scratch};
use crate::simd::{Linear, Nibbles};

/// How products are done: in the field of AES, or by logarithms and nibbles.
pub(super) trait Arithmetic: Copy {
    type V: Nibbles;
    type Factor: Factor<Linear, Sum = Whole<Self::V>>;
    const CONSTANTS: &'static Constants;
    fn factor(isa: Isa<Self>, x: Self::V) -> Self::Factor;
    /// S or S^-1 of a place, `first` being its first table with the key in it.
    fn substitute(
        isa: Isa<Self>,
        direction: Direction,
        x: Self::V,
        place: &Place,
        first: Self::V,
    ) -> Self::V;

    /// Rounds with one key, where they are assembly; else nothing, and false.
    #[inline(always)]
    fn assembled(_: Direction, _: &mut [Self::V; 16], _: &FirstTables, _: Range<usize>) -> bool {
        false
    }

    /// Few blocks, each in 16 octets: S and S^-1 of every place, in the form of the rounds.
    const EVERYWHERE: &'static [Place; 2];
    /// To this form and back.
    fn enter(isa: Isa<Self>, v: Self::V) -> Self::V;
    fn leave(isa: Isa<Self>, v: Self::V) -> Self::V;
    /// L or L^-1, plus e.
    fn mixed(isa: Isa<Self>, direction: Direction, v: Self::V, e: Self::V) -> Self::V;
    /// The same of one block that is repeated in the vector.
    fn mixed_one(isa: Isa<Self>, direction: Direction, v: Self::V, e: Self::V) -> Self::V;
    /// See `Layout`.
    const FEW: usize;
    const FEW_GAMMA: usize;
    const FEW_LANES: usize;
}

pub(super) type Isa<A> = <<A as Arithmetic>::V as Nibbles>::Isa;

/// What the rounds read, in one place, so that it can be reached by one pointer.
#[repr(C, align(4096))]
pub(super) struct Constants {
    /// Encryption: D2 · π in the first round, D2 · π(D1 · x) in the others.
    pub(super) encrypt: [[Place; 16]; 2],
    /// Decryption: D2 · π^-1(D1 · x), π^-1(D1 · x) in the last round.
    pub(super) decrypt: [[Place; 16]; 2],
    /// The products of the leaves.
    pub(super) leaves: By<Linear>,
    /// The products by D1 and D2.
    d1: [Linear; 16],
    d2: [Linear; 16],
    /// The products by the columns of T for a_0 and a_8, as scaled.
    columns: [[Linear; 16]; 2],
    /// The products by the inverse of D2.
    d2_inverse: [Linear; 16],
}

/// The multiples of c.
const fn multiples(c: u8) -> Map {
    let (mut m, mut x) = ([0; 256], 0);
    while x < 256 {
        m[x] = multiply(x as u8, c);
        x += 1;
    }
    m
}

/// The product by c.
const fn product(c: u8) -> Linear {
    let (mut p, mut i) = ([0; 8], 0);
    while i < 8 {
        p[i] = multiply(1 << i, c);
        i += 1;
    }
    Linear::new(&p)
}

const fn places(form: Form, encrypt: bool, inner: bool, outer: bool) -> [Place; 16] {
    let mut p = [forward(form, &multiples(1), &multiples(1)); 16];
    let mut i = 0;
    while i < 16 {
        let inner = multiples(if inner { D1[i] } else { 1 });
        let outer = multiples(if outer { D2[i] } else { 1 });
        p[i] = if encrypt { forward(form, &inner, &outer) } else { backward(form, &inner, &outer) };
        i += 1;
    }
    p
}

pub(super) const fn constants(form: Form, leaves: &[Leaf; 27]) -> Constants {
    let mut c = Constants {
        encrypt: [places(form, true, false, true), places(form, true, true, true)],
        decrypt: [places(form, false, true, true), places(form, false, true, false)],
        leaves: [[product(0); 3]; 27],
        d1: [product(0); 16],
        d2: [product(0); 16],
        columns: [[product(0); 16]; 2],
        d2_inverse: [product(0); 16],
    };
    let mut n = 0;
    while n < 81 {
        c.leaves[n / 3][n % 3] = product(leaves[n / 3].by[n % 3]);
        n += 1;
    }
    let mut i = 0;
    while i < 16 {
        c.d1[i] = product(D1[i]);
        c.d2[i] = product(D2[i]);
        c.columns[0][i] = product(scaled(i, 0));
        c.columns[1][i] = product(scaled(i, 8));
        c.d2_inverse[i] = product(inverse(D2[i]));
        i += 1;
    }
    c
}

/// A vector in the sums of T.
#[derive(Clone, Copy)]
pub(super) struct Whole<V: Nibbles>(pub(super) V, pub(super) V::Isa);

impl<V: Nibbles> Sum for Whole<V> {
    #[inline(always)]
    fn plus(self, b: Self) -> Self {
        Whole(self.0.xor(b.0), self.1)
    }
    #[inline(always)]
    fn plus3(self, b: Self, c: Self) -> Self {
        Whole(self.0.xor3(b.0, c.0), self.1)
    }
}

/// What a round adds to vector i.
pub(super) trait OctetKeys<V: Nibbles> {
    /// The first table of the place, with the key in it if it is one for all.
    fn first(&self, r: usize, i: usize, place: &Place) -> V;
    /// Adds the keys of the blocks if each has its own.
    fn add(&self, r: usize, i: usize, x: V) -> V;
}

/// The first tables of the nine rounds with one key's κ in them.
pub(crate) type FirstTables = [[[u8; 16]; 16]; 9];

/// Room for `FirstTables` at the beginning of a page; wiped when dropped.
///
/// A processor that takes a load for one from a store 4096 bytes away makes it wait. At one place of a
/// page, as `Constants` are, and with them the whole frame and the next, this happens at the same few
/// places in every process; elsewhere on the stack the rounds cost up to a third more.
#[repr(align(4096))]
pub(super) struct Page(Room<FirstTables>);

impl Page {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Page(Room::new(()))
    }
}

impl Drop for Page {
    /// Round by round: a call of `memset` for all may cost twice as much.
    #[inline(always)]
    fn drop(&mut self) {
        for round in self.0.open() {
            *round = Blank::BLANK;
            zeroize::optimization_barrier(round);
        }
    }
}

/// One key for all blocks.
pub(super) struct OneKeyTables<'a, V: Nibbles>(pub(super) V::Isa, pub(super) &'a FirstTables);

impl<V: Nibbles> OctetKeys<V> for OneKeyTables<'_, V> {
    #[inline(always)]
    fn first(&self, r: usize, i: usize, _: &Place) -> V {
        V::repeat(self.0, &self.1[r][i])
    }
    #[inline(always)]
    fn add(&self, _: usize, _: usize, x: V) -> V {
        x
    }
}

/// The κ of the blocks of a batch, `LEN` bytes of each vector in use.
pub(super) type Kappa = [[[u8; 64]; 16]; 9];

/// A key for each block.
pub(super) struct KappaPerBlock<'a, V: Nibbles>(pub(super) V::Isa, pub(super) &'a Kappa);

impl<V: Nibbles> OctetKeys<V> for KappaPerBlock<'_, V> {
    #[inline(always)]
    fn first(&self, _: usize, _: usize, place: &Place) -> V {
        V::repeat(self.0, &place.tables[0])
    }
    #[inline(always)]
    fn add(&self, r: usize, i: usize, x: V) -> V {
        x.xor(V::load(self.0, &self.1[r][i]))
    }
}

/// v = T · v.
#[inline(always)]
fn toeplitz<A: Arithmetic>(isa: Isa<A>, v: &mut [A::V; 16], by: &By<Linear>) {
    let mut x = [A::factor(isa, v[0]); 16];
    for i in 1..16 {
        x[i] = A::factor(isa, v[i]);
    }
    let mut y = [Whole(v[0], isa); 16];
    linear::toeplitz(&x, by, &mut y);
    for i in 0..16 {
        v[i] = y[i].0;
    }
}

/// S and the next key.
#[inline(always)]
fn substitute<A: Arithmetic>(
    isa: Isa<A>,
    direction: Direction,
    v: &mut [A::V; 16],
    places: &[Place; 16],
    r: usize,
    keys: &impl OctetKeys<A::V>,
) {
    // In the order in which T makes them, so that the processor need not hold what waits.
    for part in linear::MADE {
        for i in (part..16).step_by(4) {
            let first = keys.first(r, i, &places[i]);
            v[i] = keys.add(r, i, A::substitute(isa, direction, v[i], &places[i], first));
        }
    }
}

/// The products by D1 or D2.
#[inline(always)]
fn each<A: Arithmetic>(isa: Isa<A>, v: &mut [A::V; 16], by: &[Linear; 16]) {
    for i in 0..16 {
        v[i] = v[i].linear(isa, &by[i]);
    }
}

/// Makes the compiler align the frame of the function this is inlined in: else half of what it spills would
/// lie across cache lines, which costs 6 to 14 % on Zen 5.
#[inline(always)]
fn align() {
    #[repr(align(64))]
    struct Line(#[allow(dead_code)] u8);
    black_box(&mut Line(0));
}

/// Rounds of encryption: all nine are everything between the first key and the product by D1.
#[inline(always)]
pub(super) fn encrypt<A: Arithmetic>(
    isa: Isa<A>,
    v: &mut [A::V; 16],
    keys: &impl OctetKeys<A::V>,
    rounds: Range<usize>,
) {
    align();
    let mut x = *v;
    for r in rounds {
        // The constants are hidden anew each round, or the compiler would load them once and spill them.
        let c = A::V::fresh(A::CONSTANTS);
        substitute::<A>(isa, Direction::Encrypt, &mut x, &c.encrypt[usize::from(r != 0)], r, keys);
        toeplitz::<A>(isa, &mut x, &c.leaves);
    }
    *v = x;
}

/// Decryption between the product by D2 and the last key.
#[inline(always)]
pub(super) fn decrypt<A: Arithmetic>(isa: Isa<A>, v: &mut [A::V; 16], keys: &impl OctetKeys<A::V>) {
    align();
    let mut x = *v;
    for r in 0..9 {
        let c = A::V::fresh(A::CONSTANTS);
        toeplitz::<A>(isa, &mut x, &c.leaves);
        let places = &c.decrypt[usize::from(r == 8)];
        substitute::<A>(isa, Direction::Decrypt, &mut x, places, r, keys);
    }
    *v = x;
}

/// A step of the key schedule: see `Layout`.
#[inline(always)]
pub(super) fn expand<A: Arithmetic>(
    isa: Isa<A>,
    half: &mut Half,
    mixed: &mut Half,
    octet: Option<u8>,
) {
    align();
    let c = A::V::fresh(A::CONSTANTS);
    let mut x = read::<A::V>(isa, half);
    if let Some(octet) = octet {
        x[0] = x[0].xor(A::V::splat(isa, octet));
        for part in linear::MADE {
            for i in (part..16).step_by(4) {
                let (place, y) = (&c.encrypt[1][i], A::V::load(isa, &mixed[A::V::LEN * i..]));
                let first = A::V::repeat(isa, &place.tables[0]);
                x[i] = x[i].xor(A::substitute(isa, Direction::Encrypt, y, place, first));
            }
        }
        write(&x, half);
    }
    toeplitz::<A>(isa, &mut x, &c.leaves);
    write(&x, mixed);
}

/// Products by a diagonal.
#[inline(always)]
pub(super) fn diagonal<A: Arithmetic>(isa: Isa<A>, by: Diagonal, mut v: [A::V; 16]) -> [A::V; 16] {
    let by = match by {
        Diagonal::One => &A::CONSTANTS.d1,
        Diagonal::Two => &A::CONSTANTS.d2,
        Diagonal::InverseOfTwo => &A::CONSTANTS.d2_inverse,
    };
    each::<A>(isa, &mut v, by);
    v
}

/// The product by D1, after encryption.
#[inline(always)]
pub(super) fn finish<A: Arithmetic>(isa: Isa<A>, v: &mut [A::V; 16]) {
    each::<A>(isa, v, &A::CONSTANTS.d1);
}

/// L(π(0), .., π(0)): what comes before L^-1 has it added, for S^-1 takes π(0) + x (see `tklog`).
pub(super) static MOVED: [u8; 16] = {
    let (mut m, mut n) = ([0; 16], 0);
    while n < 256 {
        m[n / 16] ^= multiply(ROWS[n / 16][n % 16], PI[0]);
        n += 1;
    }
    m
};

/// Byte p of vector i and byte i of vector p change places, in each 16 bytes.
#[inline(always)]
pub(super) fn transposed<V: Nibbles>(mut v: [V; 16]) -> [V; 16] {
    unrolled!(_stage < 4, {
        let mut w = v;
        unrolled!(i < 8, { (w[2 * i], w[2 * i + 1]) = v[i].zip(v[i + 8]) });
        v = w;
    });
    v
}

/// a_0 first in encryption, memory order in decryption.
#[inline(always)]
pub(super) fn ordered<V: Nibbles>(direction: Direction, mut v: [V; 16]) -> [V; 16] {
    if direction == Direction::Encrypt {
        v.reverse();
    }
    v
}

/// The vectors of `LEN` blocks, as they stand in memory.
#[inline(always)]
pub(super) fn read<V: Nibbles>(isa: V::Isa, from: &[u8]) -> [V; 16] {
    let mut v = [V::load(isa, from); 16];
    for i in 1..16 {
        v[i] = V::load(isa, &from[V::LEN * i..]);
    }
    v
}

/// And back.
#[inline(always)]
pub(super) fn write<V: Nibbles>(v: &[V; 16], to: &mut [u8]) {
    for i in 0..16 {
        v[i].store(&mut to[V::LEN * i..]);
    }
}

/// What round `r` adds: L^-1(K_(r+2)) in encryption, K_(9-r) in decryption.
#[inline(always)]
fn round_key(s: &Schedule, direction: Direction, r: usize) -> &[u8; 16] {
    match direction {
        Direction::Encrypt => &s.inverse[r + 1],
        Direction::Decrypt => &s.keys[8 - r],
    }
}

/// The product by D2, before decryption; κ of vectors that hold what a round adds.
#[inline(always)]
pub(super) fn scale<A: Arithmetic>(isa: Isa<A>, v: &mut [A::V; 16]) {
    each::<A>(isa, v, &A::CONSTANTS.d2);
}

/// The first tables of the rounds, with κ of one key.
#[inline(always)]
pub(super) fn tables<'a, A: Arithmetic>(
    isa: Isa<A>,
    direction: Direction,
    s: &Schedule,
    page: &'a mut Page,
) -> &'a FirstTables {
    let mut v = [A::V::splat(isa, 0); 16];
    for r in 0..9 {
        v[r] = A::V::repeat(isa, round_key(s, direction, r));
        if direction == Direction::Decrypt && r < 8 {
            v[r] = v[r].xor(A::V::repeat(isa, &MOVED));
        }
    }
    let plain = ordered(direction, transposed(v));
    let mut scaled = plain;
    scale::<A>(isa, &mut scaled);
    let to = page.0.open();
    for r in 0..9 {
        let number = A::V::splat(isa, r as u8);
        for i in 0..16 {
            let (v, place) = match direction {
                Direction::Encrypt => (&scaled, &A::CONSTANTS.encrypt[usize::from(r != 0)][i]),
                Direction::Decrypt if r < 8 => (&scaled, &A::CONSTANTS.decrypt[0][i]),
                Direction::Decrypt => (&plain, &A::CONSTANTS.decrypt[1][i]),
            };
            let table = A::V::repeat(isa, &place.tables[0]);
            v[i].lookup(number).xor(table).store_one(&mut to[r][i]);
        }
    }
    to
}

/// The first key that a batch has added: K_1, or K_10 moved.
#[inline(always)]
pub(super) fn first_key<V: Nibbles>(isa: V::Isa, direction: Direction, s: &Schedule) -> V {
    match direction {
        Direction::Encrypt => V::repeat(isa, &s.keys[0]),
        // Opaque, or the compiler would add both to each vector.
        Direction::Decrypt => V::repeat(isa, &s.keys[9]).xor(V::repeat(isa, &MOVED)).opaque(),
    }
}

/// A set's rounds, compiled once each: they are long.
pub(super) trait Compiled: Copy {
    type A: Arithmetic;
    fn encrypt(
        isa: Isa<Self::A>,
        v: &mut [V<Self>; 16],
        tables: &FirstTables,
        rounds: Range<usize>,
    );
    fn decrypt(isa: Isa<Self::A>, v: &mut [V<Self>; 16], tables: &FirstTables);
    /// All nine rounds.
    fn encrypt_each(isa: Isa<Self::A>, v: &mut [V<Self>; 16], kappa: &Kappa);
    /// A step of the key schedule.
    fn expand(isa: Isa<Self::A>, half: &mut Half, mixed: &mut Half, octet: Option<u8>);
}

pub(super) type V<C> = <<C as Compiled>::A as Arithmetic>::V;

/// A batch of `LEN` blocks.
#[inline(always)]
pub(super) fn cipher<C: Compiled>(
    isa: Isa<C::A>,
    direction: Direction,
    s: &Schedule,
    tables: &FirstTables,
    from: &[u8],
) -> [V<C>; 16] {
    let first = first_key::<V<C>>(isa, direction, s);
    let mut v = read::<V<C>>(isa, from);
    for v in &mut v {
        *v = v.xor(first);
    }
    let mut v = ordered(direction, transposed(v));
    match direction {
        Direction::Encrypt => {
            C::encrypt(isa, &mut v, tables, 0..9);
            finish::<C::A>(isa, &mut v);
        }
        Direction::Decrypt => {
            scale::<C::A>(isa, &mut v);
            C::decrypt(isa, &mut v, tables);
        }
    }
    transposed(ordered(direction, v))
}

/// The first round of successive counters, but for the byte that counts.
///
/// In 256 steps there is one carry out of that byte, so that the others have one of two values, and one
/// more in each further 256. Their T is done once, with all these values in lanes; a batch takes two of them
/// by index. Nothing depends on where the carry is: a counter can be secret (MGM's).
#[derive(Clone, Copy)]
pub(super) struct Window {
    /// What S made of 0 in the byte that counts; it has κ in it.
    zero: [u8; 64],
    /// T of all bytes, that one 0.
    others: [[u8; 64]; 16],
}

impl Blank for Window {
    const BLANK: Self = Window { zero: [0; 64], others: [[0; 64]; 16] };
}

impl Window {
    /// The counters that it is for.
    pub(super) const BLOCKS: usize = Self::RUNS * counter::WINDOW;
    /// Their runs of 256; a lane holds the values of the first, and one more for the carry in each.
    const RUNS: usize = 15;

    /// For so many `blocks` from `start` on, or `BLOCKS`.
    #[inline(always)]
    pub(super) fn fill<C: Compiled>(
        &mut self,
        isa: Isa<C::A>,
        s: &Schedule,
        tables: &FirstTables,
        start: &[u8; 16],
        count: Count,
        blocks: usize,
    ) {
        let (octet, _) = counter::counting(count);
        let mut starts = Scratch::<[[u8; 16]; 16]>::new();
        let runs = blocks.div_ceil(counter::WINDOW).min(Self::RUNS);
        for (i, at) in starts[..=runs].iter_mut().enumerate() {
            *at = counter::advanced(start, count, (i * counter::WINDOW) as u64);
            at[15 - octet] = 0;
        }
        let mut v = [V::<C>::splat(isa, 0); 16];
        for i in 0..16 {
            v[i] = V::<C>::repeat(isa, &starts[i]).xor(V::<C>::repeat(isa, &s.keys[0]));
        }
        let mut v = ordered(Direction::Encrypt, transposed(v));
        let zero = first_substitution::<C::A>(isa, tables, octet, v[octet]);
        zero.store(&mut self.zero);
        C::encrypt(isa, &mut v, tables, 0..1);
        for i in 0..16 {
            v[i].store(&mut self.others[i]);
        }
    }

    /// The gamma of the batch whose first counter is number `offset` of those from `start` on, a multiple of its
    /// blocks.
    #[inline(always)]
    pub(super) fn batch<C: Compiled>(
        &self,
        isa: Isa<C::A>,
        s: &Schedule,
        tables: &FirstTables,
        start: &[u8; 16],
        count: Count,
        offset: usize,
    ) -> [V<C>; 16] {
        const { assert!(counter::WINDOW.is_multiple_of(V::<C>::LEN)) };
        let (octet, side) = counter::counting(count);
        let before = V::<C>::splat(isa, start[15 - octet]);
        let numbers = V::<C>::load(isa, &NUMBERS[V::<C>::LEN.ilog2() as usize - 4]);
        let after = before.add(numbers).add(V::<C>::splat(isa, offset as u8));
        // The number of the run, and 1 more where there was a carry.
        let next = (1 + offset / counter::WINDOW) as u8;
        let lane = after.min(before).equal(before).add(V::<C>::splat(isa, next));
        let x = after.xor(V::<C>::splat(isa, s.keys[0][15 - octet]));
        let x = first_substitution::<C::A>(isa, tables, octet, x);
        let x = x.xor(V::<C>::load(isa, &self.zero).lookup(lane));
        let x = C::A::factor(isa, x);
        let columns = &V::<C>::fresh(C::A::CONSTANTS).columns[side];
        let mut v = [lane; 16];
        for i in 0..16 {
            let others = V::<C>::load(isa, &self.others[i]).lookup(lane);
            v[i] = others.xor(x.by(&columns[i]).0);
        }
        C::encrypt(isa, &mut v, tables, 1..9);
        finish::<C::A>(isa, &mut v);
        transposed(ordered(Direction::Encrypt, v))
    }
}

/// S of the first round at one place.
#[inline(always)]
fn first_substitution<A: Arithmetic>(
    isa: Isa<A>,
    tables: &FirstTables,
    octet: usize,
    x: A::V,
) -> A::V {
    let first = A::V::repeat(isa, &tables[0][octet]);
    A::substitute(isa, Direction::Encrypt, x, &A::CONSTANTS.encrypt[0][octet], first)
}

/// The number of the block in each byte of a vector of 16, 32 and 64, after `transposed`.
static NUMBERS: [[u8; 64]; 3] = {
    let (mut t, mut n) = ([[0; 64]; 3], 0);
    while n < 3 * 64 {
        let (width, p) = (n / 64, n % 64);
        t[width][p] = (((p % 16) << width) + p / 16) as u8;
        n += 1;
    }
    t
};
