//! S by look-ups of whole bytes: 64 at once in a table of four vectors, with VBMI and GFNI.
//!
//! A table of 256 bytes is four quarters by the highest two bits of a byte. `vpermb` looks up in one quarter, `vpermi2b` in
//! two. S is done by quarters, seven operations, or by pairs, four (ECB 0.98 and 0.84 cycles a byte on Zen 5, 1.65
//! and 1.74 on Intel 0x06/0xa7): `kernel/tuning.rs` picks the way for each processor.
//!
//! In a batch the key is added by the sum that S ends with: κ in all 64 bytes, from a word in memory.
//!
//! Few blocks are taken by φ to the field of AES (`constants/aes.rs`), where GFNI multiplies: L is the sum of 16 rotations
//! of the block, each times a vector of 16 constants. One block is repeated four times, and each repetition does four of the
//! rotations; or twice in 256 bits, where L has a latency of 15 cycles on Zen 5 instead of 24.
#![allow(unsafe_code)]

use core::arch::x86_64::*;
use core::ops::Range;

use super::{Constants, Half, Kappa, Keys, Rounds, Sbox, constants};
use crate::cipher::{Chain, Count, Direction, Lane};
use crate::kuznyechik::batch::{self, FewBlocks, FewKeys};
use crate::kuznyechik::constants::aes::{
    Bytes, DECRYPT, ENCRYPT, FROM, Layer, ROTATIONS, SCALE, SPREAD, TO, UNSCALE, WITHOUT,
};
use crate::kuznyechik::constants::{PI, PI_INVERSE, multiply};
use crate::kuznyechik::kernels::{shared, slices};
use crate::kuznyechik::linear::{By, D1, D2, Factor, LEAVES, Leaf};
use crate::kuznyechik::round::{self, round_key};
use crate::kuznyechik::{Schedule, counter, lanes};
use crate::memory::{Blank, Scratch};
use crate::simd::{Bytes512, Gfni512, Vector, align, apart, fresh};

/// The vectors.
type V = Bytes512<Gfni512>;

/// x1 ^ x2 ^ x3 as a ternary truth table.
const XOR3: i32 = 0x96;

/// S of a place: four parts by the low six bits of a byte x, which `lookup` sums up. In pairs: S(x) + x for bit 6 clear
/// and set, and the difference of S from these where bit 7 is set. In quarters: a part for bit 6 set, a part for bit 6
/// clear, the sum where neither bit is set, and the sum where bit 7 is.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(in crate::kuznyechik) struct Table([[u8; 64]; 4]);

/// The product by `c` as an operand of `gf2p8affineqb`: byte 7 - i is the row of result bit i.
const fn affine(c: u8) -> u64 {
    let (mut rows, mut j) = (0, 0);
    while j < 64 {
        if multiply(1 << (j / 8), c) >> (j % 8) & 1 != 0 {
            rows |= 1 << (8 * (7 - j % 8) + j / 8);
        }
        j += 1;
    }
    rows
}

/// `outer` · S(`inner` · x) for each place.
const fn tables(s: &[u8; 256], inner: &[u8; 16], outer: &[u8; 16], pairs: bool) -> [Table; 16] {
    let (mut t, mut n) = ([Table([[0; 64]; 4]); 16], 0);
    while n < 16 * 64 {
        let (i, x) = (n / 64, n % 64);
        let (mut q, mut k) = ([0; 4], 0);
        while k < 4 {
            q[k] = multiply(outer[i], s[multiply(inner[i], (64 * k + x) as u8) as usize]);
            k += 1;
        }
        let (y, differ) = ([q[0] ^ x as u8, q[1] ^ 64 ^ x as u8], q[1] ^ q[3]);
        let parts = if pairs {
            [y[0], y[1], y[0] ^ q[2], y[1] ^ q[3]]
        } else {
            [q[1], q[2] ^ differ, q[0] ^ q[2] ^ differ, differ]
        };
        k = 0;
        while k < 4 {
            t[i].0[k][x] = parts[k];
            k += 1;
        }
        n += 1;
    }
    t
}

static QUARTERS: Constants<Table, u64> = by(false);
static PAIRS: Constants<Table, u64> = by(true);

const fn by(pairs: bool) -> Constants<Table, u64> {
    let one = [1; 16];
    constants!(
        [tables(&PI, &one, &D2, pairs), tables(&PI, &D1, &D2, pairs)],
        [tables(&PI_INVERSE, &D1, &D2, pairs), tables(&PI_INVERSE, &D1, &one, pairs)],
        &LEAVES,
        affine
    )
}

/// S by VBMI: by pairs of quarters, or by quarters.
#[derive(Clone, Copy)]
pub(in crate::kuznyechik) struct Vbmi<const BY_PAIRS: bool>;

/// The keys of the rounds, from a key for all blocks.
#[derive(Clone, Copy)]
pub(in crate::kuznyechik) struct KeyWords {
    /// κ of the nine rounds, each byte four times.
    kappa: [[u32; 16]; 9],
    /// A copy of the leaves. On Zen 5 these loads, 48 a round, are slow where another page has stores at the same bytes and
    /// the physical addresses of both are somehow alike, as of one pair in 16 (measured; it seems that they wait for the
    /// stores): by the pages that its stack got, a process paid up to 20 % for as long as it lived. Next to the spilled
    /// vectors, in a frame of less than a page, they have other bytes than those. (The frames of `products` and
    /// `sections` are larger, and have some in common.)
    leaves: By<u64>,
}

impl Blank for KeyWords {
    const BLANK: Self = KeyWords { kappa: Blank::BLANK, leaves: Blank::BLANK };
}

impl<const P: bool> Keys<Vbmi<P>> for KeyWords {
    #[inline(always)]
    fn substitute(
        &self,
        isa: Gfni512,
        _: Direction,
        (r, i): (usize, usize),
        x: V,
        table: &Table,
    ) -> V {
        lookup::<P>(x, table, word(isa, &self.kappa[r][i]))
    }
    #[inline(always)]
    fn leaves<'a>(&'a self, _: &'a Constants<Table, u64>) -> &'a By<u64> {
        fresh(&self.leaves)
    }
}

/// A vector as a factor, and in sums.
#[derive(Clone, Copy)]
pub(in crate::kuznyechik) struct Term(V);

impl Factor<u64> for Term {
    type V = V;
    const LEAVES: &'static [Leaf; 27] = &LEAVES;
    #[inline(always)]
    fn add(self, b: Self) -> Self {
        Term(self.0.xor(b.0))
    }
    #[inline(always)]
    fn by(self, m: &u64) -> V {
        map(self.0, m)
    }
    #[inline(always)]
    fn once(self, _: &u64) -> V {
        self.0
    }
}

/// The common part of the first rounds of a window of counters.
#[derive(Clone, Copy)]
pub(in crate::kuznyechik) struct Window {
    /// φ of K_1, and of κ's L^-1(K_2).
    first: [[u8; 16]; 2],
    /// The bytes of K_1 four times, a_0 first.
    key: [u32; 16],
    /// The sum, after the first T, of all bytes of a window's counters but the byte that counts, and its change by the
    /// carry; each byte four times.
    others: [[u32; 16]; 2],
}

impl Blank for Window {
    const BLANK: Self = Window { first: Blank::BLANK, key: Blank::BLANK, others: Blank::BLANK };
}

impl Window {
    /// The sum, after the first T, of all bytes of a block but the byte that counts.
    #[inline(always)]
    fn others<const P: bool>(&self, isa: Gfni512, block: &[u8; 16], side: usize) -> V {
        let first = fresh(&self.first);
        let x = map(V::repeat(isa, block), &TO).xor(V::repeat(isa, &first[0]));
        let x = substituted(x, &Vbmi::<P>::few(isa, Direction::Encrypt));
        let x = times(x, &WITHOUT[side]).xor(V::repeat(isa, &first[1]));
        let x = repeated(Direction::Encrypt, x, x.xor(x));
        map(times(x, &UNSCALE), &FROM)
    }
}

impl<const P: bool> Sbox for Vbmi<P> {
    type V = V;
    type Table = Table;
    type Product = u64;
    type Factor = Term;
    const CONSTANTS: &'static Constants<Table, u64> = if P { &PAIRS } else { &QUARTERS };
    #[inline(always)]
    fn factor(_: Gfni512, x: V) -> Term {
        Term(x)
    }
    #[inline(always)]
    fn multiply(_: Gfni512, x: V, by: &u64) -> V {
        map(x, by)
    }
    #[inline(always)]
    fn substitute(_: Gfni512, _: Direction, x: V, table: &Table, plus: V) -> V {
        lookup::<P>(x, table, plus)
    }
    const HAND_IN_HAND: bool = true;

    type OneKey = KeyWords;
    type Room = Scratch<KeyWords>;
    #[inline(always)]
    fn room() -> Scratch<KeyWords> {
        Scratch::new()
    }
    #[inline(always)]
    fn one_key<'a>(
        isa: Gfni512,
        direction: Direction,
        s: &Schedule,
        room: &'a mut Scratch<KeyWords>,
    ) -> &'a KeyWords {
        room.leaves = fresh(Self::CONSTANTS).leaves;
        for (r, words) in room.kappa.iter_mut().enumerate() {
            let mut k = V::repeat(isa, round_key(s, direction, r));
            if direction == Direction::Encrypt || r != 8 {
                k = map(times(map(k, &TO), &SCALE[direction as usize]), &FROM);
            }
            store_words(shuffled(k, &SPREAD[direction as usize]), words);
        }
        room
    }

    /// In 256 steps only one byte counts, but for one carry: the other bytes have one of two values, so the first round
    /// is one S-box on vectors and two blocks. Nothing depends on where the carry is: a counter can be secret (MGM's).
    type Window = Window;
    const WINDOW: usize = counter::WINDOW;
    // Where look-ups are in pairs of parts, a single batch keeps the units as busy, with fewer spills.
    const TWO: bool = !P;
    #[inline(always)]
    fn window_key(isa: Gfni512, s: &Schedule, window: &mut Window) {
        map(V::repeat(isa, &s.keys[0]), &TO).store_one(&mut window.first[0]);
        map(V::repeat(isa, &s.inverse[1]), &TO).store_one(&mut window.first[1]);
        store_words(shuffled(V::repeat(isa, &s.keys[0]), &SPREAD[0]), &mut window.key);
    }
    #[inline(always)]
    fn window<K: Rounds<S = Self>>(
        isa: Gfni512,
        _: &Schedule,
        _: &KeyWords,
        window: &mut Window,
        start: &[u8; 16],
        count: Count,
        _: usize,
    ) {
        let (_, side) = counter::counting(count);
        let carried = counter::advanced(start, count, counter::WINDOW as u64);
        let plain = window.others::<P>(isa, start, side);
        let change = window.others::<P>(isa, &carried, side).xor(plain);
        store_words(shuffled(plain, &SPREAD[0]), &mut window.others[0]);
        store_words(shuffled(change, &SPREAD[0]), &mut window.others[1]);
    }
    #[inline(always)]
    fn first_round(
        isa: Gfni512,
        _: &Schedule,
        _: &KeyWords,
        window: &Window,
        start: &[u8; 16],
        count: Count,
        offset: usize,
    ) -> [V; 16] {
        let (at, side) = counter::counting(count);
        let before = V::splat(isa, start[15 - at]);
        let after = before.add(V::load(isa, &counter::NUMBERS[2])).add(V::splat(isa, offset as u8));
        // All ones in the blocks after the carry.
        let carry = less(after, before);
        let c = fresh(Self::CONSTANTS);
        let x = after.xor(word(isa, &window.key[at]));
        let y = lookup::<P>(x, &c.encrypt[0][at], x.xor(x));
        let (w, c) = (fresh(&window.others), fresh(Self::CONSTANTS));
        let mut v = [y; 16];
        for i in 0..16 {
            let y = map(y, &c.columns[side][i]).xor(word(isa, &w[0][i]));
            v[i] = xor_masked(y, word(isa, &w[1][i]), carry);
        }
        v
    }

    type Few = [V; 4];
    #[inline(always)]
    fn few(isa: Gfni512, direction: Direction) -> [V; 4] {
        let t = &layer(direction).sbox;
        [V::load(isa, &t[0].0), V::load(isa, &t[1].0), V::load(isa, &t[2].0), V::load(isa, &t[3].0)]
    }
    #[inline(always)]
    fn enter(_: Gfni512, v: V) -> V {
        map(v, &TO)
    }
    #[inline(always)]
    fn leave(_: Gfni512, v: V) -> V {
        map(v, &FROM)
    }
    #[inline(always)]
    fn substitute_few(_: Gfni512, _: Direction, few: &[V; 4], v: V) -> V {
        substituted(v, few)
    }
    #[inline(always)]
    fn substitute_one(_: Gfni512, _: Direction, few: &[V; 4], v: V) -> V {
        if P { substituted_half(v, few) } else { substituted(v, few) }
    }
    #[inline(always)]
    fn mix(_: Gfni512, direction: Direction, x: V, e: V) -> V {
        let layer = layer(direction);
        macro_rules! term {
            ($d:literal) => {
                times(rotated::<$d>(x), &layer.by[$d])
            };
        }
        let a = e.xor3(times(x, &layer.by[0]), term!(1));
        let b = term!(2).xor3(term!(3), term!(4));
        let a = a.xor3(term!(5), term!(6));
        let b = b.xor3(term!(7), term!(8));
        let a = a.xor3(term!(9), term!(10));
        let b = b.xor3(term!(11), term!(12));
        let a = a.xor3(term!(13), term!(14));
        a.xor3(b, term!(15))
    }
    #[inline(always)]
    fn mix_one(_: Gfni512, direction: Direction, x: V, e: V) -> V {
        if P {
            return mixed_half(x, fresh(&ROTATIONS), &layer(direction).split, e);
        }
        repeated(direction, x, e)
    }

    const MOVED: u8 = 0;
    // Measured on Intel 0x06/0xa7, and on Zen 5, where a batch costs as much as 17 to 20 single blocks.
    const FEW: usize = if P { 16 } else { 32 };
    const FEW_GAMMA: usize = if P { 16 } else { 24 };
    const FEW_LANES: usize = 32;
    const REGISTERS: usize = 4;
    const TOGETHER: bool = true;
}

impl<const P: bool> Rounds for Vbmi<P> {
    type S = Self;
    #[inline(always)]
    fn encrypt(isa: Gfni512, v: &mut [V; 16], keys: &KeyWords, rounds: Range<usize>) {
        round::encrypt::<Self>(isa, v, keys, rounds);
    }
    #[inline(always)]
    fn decrypt(isa: Gfni512, v: &mut [V; 16], keys: &KeyWords) {
        round::decrypt::<Self>(isa, v, keys);
    }
    #[inline(always)]
    fn encrypt_each(isa: Gfni512, v: &mut [V; 16], kappa: &Kappa) {
        round::encrypt::<Self>(isa, v, kappa, 0..9);
    }
    #[inline(always)]
    fn expand(_: Gfni512, half: &mut Half, mixed: &mut Half, number: Option<u8>) {
        // SAFETY: the token proves the instruction set.
        unsafe {
            apart(expand::<P> as unsafe fn(&mut Half, &mut Half, Option<u8>))(half, mixed, number);
        }
    }
    #[inline(always)]
    fn few_lanes(_: Gfni512, chain: Chain, lanes: &mut [Lane<'_, Schedule, 16>]) {
        // SAFETY: the token proves the instruction set.
        unsafe { apart(few_lanes as unsafe fn(Chain, &mut [Lane<'_, Schedule, 16>]))(chain, lanes) }
    }
    shared!(Gfni512, [V; 16], few::<P>, slice, unslice);
}

enter!(gfni512 =>
    /// Both forms of look-ups have the same.
    fn few_lanes(chain: Chain, lanes: &mut [Lane<'_, Schedule, 16>]) {
        align();
        // SAFETY: called only by `Rounds`, with the token.
        lanes::few::<Vbmi<true>>(unsafe { Gfni512::assume() }, chain, lanes);
    }
);

enter!(gfni512 =>
    fn expand<const P: bool>(half: &mut Half, mixed: &mut Half, number: Option<u8>) {
        align();
        // SAFETY: called only by `Rounds`, with the token.
        round::expand::<Vbmi<P>>(unsafe { Gfni512::assume() }, half, mixed, number);
    }
);
enter!(gfni512 =>
    fn few<const P: bool>(direction: Direction, keys: &FewKeys, len: usize, x: &mut FewBlocks) {
        align();
        // SAFETY: as above.
        batch::few::<Vbmi<P>>(unsafe { Gfni512::assume() }, direction, keys, len, x);
    }
);
slices!(gfni512, [V; 16]);

/// The constants of few blocks.
#[inline(always)]
fn layer(direction: Direction) -> &'static Layer {
    match direction {
        Direction::Encrypt => fresh(&ENCRYPT),
        Direction::Decrypt => fresh(&DECRYPT),
    }
}

/// L or L^-1 of a block that is repeated in the vector, plus e, repeated.
#[inline(always)]
fn repeated(direction: Direction, x: V, e: V) -> V {
    let split = match direction {
        Direction::Encrypt => &ENCRYPT.split,
        Direction::Decrypt => &DECRYPT.split,
    };
    let a = times(shuffled(x, &ROTATIONS[0]), &split[0]);
    let b = times(shuffled(x, &ROTATIONS[1]), &split[1]);
    let c = times(shuffled(x, &ROTATIONS[2]), &split[2]);
    let d = times(shuffled(x, &ROTATIONS[3]), &split[3]);
    folded(a.xor(b).xor3(c, d), e)
}

/// A word sixteen times.
#[inline(always)]
fn word(isa: Gfni512, word: &u32) -> V {
    // SAFETY: the token proves the instruction set.
    V::new(isa, unsafe { _mm512_set1_epi32(*word as i32) })
}

/// Stores sixteen words.
#[inline(always)]
fn store_words(x: V, words: &mut [u32; 16]) {
    // SAFETY: a value proves the instruction set; 64 bytes are written, unaligned.
    unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), x.vector()) }
}

/// All ones in bytes that are less than the bytes of `b`, else zero.
#[inline(always)]
fn less(x: V, b: V) -> V {
    // SAFETY: a value proves the instruction set.
    x.with(unsafe { _mm512_movm_epi8(_mm512_cmplt_epu8_mask(x.vector(), b.vector())) })
}

/// Plus those bits of `b` that `mask` has.
#[inline(always)]
fn xor_masked(x: V, b: V, mask: V) -> V {
    // x ^ (b & mask) as a ternary truth table is 0x78.
    // SAFETY: a value proves the instruction set.
    x.with(unsafe { _mm512_ternarylogic_epi32::<0x78>(x.vector(), b.vector(), mask.vector()) })
}

/// A linear map of each byte: byte 7 - i of the matrix is the row of result bit i.
#[inline(always)]
fn map(x: V, matrix: &u64) -> V {
    // SAFETY: a value proves the instruction set.
    unsafe {
        let m = _mm512_set1_epi64(*matrix as i64);
        x.with(_mm512_gf2p8affine_epi64_epi8::<0>(x.vector(), m))
    }
}

/// Products in the field of AES.
#[inline(always)]
fn times(x: V, by: &Bytes) -> V {
    // SAFETY: a value proves the instruction set; 64 bytes are read.
    unsafe {
        let by = _mm512_loadu_si512(by.0.as_ptr().cast());
        x.with(_mm512_gf2p8mul_epi8(x.vector(), by))
    }
}

/// Bytes of each block by index.
#[inline(always)]
fn shuffled(x: V, indices: &Bytes) -> V {
    // SAFETY: a value proves the instruction set; 64 bytes are read.
    unsafe {
        let indices = _mm512_loadu_si512(indices.0.as_ptr().cast());
        x.with(_mm512_shuffle_epi8(x.vector(), indices))
    }
}

/// Byte (i + D) mod 16 of each block at its byte i.
#[inline(always)]
fn rotated<const D: i32>(x: V) -> V {
    // SAFETY: a value proves the instruction set.
    x.with(unsafe { _mm512_alignr_epi8::<D>(x.vector(), x.vector()) })
}

/// The sum of the four blocks and of e, four times.
#[inline(always)]
fn folded(x: V, e: V) -> V {
    // SAFETY: a value proves the instruction set.
    unsafe {
        let s = _mm512_xor_si512(x.vector(), _mm512_shuffle_i64x2::<0x4e>(x.vector(), x.vector()));
        x.with(s).xor3(x.with(_mm512_shuffle_i64x2::<0xb1>(s, s)), e)
    }
}

/// L of a block by the constants of the field of AES, plus e; in the first two of four.
///
/// A latency of 15 cycles on Zen 5, against 24 of `shuffled`, `times` and `folded`.
#[inline(always)]
fn mixed_half(x: V, rotations: &[Bytes; 4], split: &[Bytes; 4], e: V) -> V {
    // SAFETY: a value proves the instruction set; 32 bytes are read at 0 and 32 of 64.
    unsafe {
        let half = |x: &Bytes, i| _mm256_loadu_si256(x.0.as_ptr().cast::<__m256i>().add(i));
        let x = _mm512_castsi512_si256(x.vector());
        // No `map`: its closure is not inlined in every build.
        let [ra, rb, rc, rd] = rotations;
        let (a, b) = (_mm256_shuffle_epi8(x, half(ra, 0)), _mm256_shuffle_epi8(x, half(rb, 0)));
        let (c, d) = (_mm256_shuffle_epi8(x, half(rc, 0)), _mm256_shuffle_epi8(x, half(rd, 0)));
        let times = |x, n: usize, i| _mm256_gf2p8mul_epi8(x, half(&split[n], i));
        let xor3 = |a, b, c| _mm256_ternarylogic_epi32::<XOR3>(a, b, c);
        let p = _mm256_xor_si256(times(a, 0, 0), times(b, 1, 0));
        let q = _mm256_xor_si256(times(c, 2, 0), times(d, 3, 0));
        // Moves by eight bytes more: a second shuffle by index would need the products' ports.
        let (a, b) = (_mm256_shuffle_epi32::<0x4e>(a), _mm256_shuffle_epi32::<0x4e>(b));
        let (c, d) = (_mm256_shuffle_epi32::<0x4e>(c), _mm256_shuffle_epi32::<0x4e>(d));
        let p = xor3(p, times(a, 0, 1), times(b, 1, 1));
        let q = xor3(q, times(c, 2, 1), times(d, 3, 1));
        // r + s is p + q with the halves exchanged. Not a shuffle of p + q: of one vector the compiler makes a shuffle that
        // costs a cycle more.
        let r = _mm256_permute2x128_si256::<0x21>(p, q);
        let s = _mm256_permute2x128_si256::<0x21>(q, p);
        let sum = xor3(p, q, _mm512_castsi512_si256(e.vector()));
        e.with(_mm512_castsi256_si512(xor3(r, s, sum)))
    }
}

/// S of a place, plus `plus`.
#[inline(always)]
fn lookup<const P: bool>(x: V, table: &Table, plus: V) -> V {
    // SAFETY: a value proves the instruction set; a table has four times 64 bytes, aligned.
    unsafe {
        let t = table.0.as_ptr().cast::<__m512i>();
        if P {
            // Looks up the low seven bits; where bit 7 is set, plus the difference there, else plus the
            // byte itself, which vpermi2b leaves where its mask is not set.
            let (t0, t1) = (_mm512_load_si512(t), _mm512_load_si512(t.add(1)));
            let (t2, t3) = (_mm512_load_si512(t.add(2)), _mm512_load_si512(t.add(3)));
            let y = x.with(_mm512_permutex2var_epi8(t0, x.vector(), t1));
            let bit7 = _mm512_movepi8_mask(x.vector());
            let z = x.with(_mm512_mask2_permutex2var_epi8(t2, x.vector(), bit7, t3));
            return y.xor3(z, plus);
        }
        // Looks up the low six bits: the choice of bit 6, and the difference from it where bit 7 is set, or
        // neither bit. So no mask of both bits is needed, and the sum has room for `plus`. (Given the mask
        // of bit 6 set, the compiler inverts it to this mask and spends a move on zeros.)
        let no6 = _mm512_testn_epi8_mask(x.vector(), _mm512_set1_epi8(0x40));
        let bit7 = _mm512_movepi8_mask(x.vector());
        let y = _mm512_permutexvar_epi8(x.vector(), _mm512_load_si512(t));
        let y = _mm512_mask_permutexvar_epi8(y, no6, x.vector(), _mm512_load_si512(t.add(1)));
        let z = _mm512_maskz_permutexvar_epi8(no6, x.vector(), _mm512_load_si512(t.add(2)));
        let z = _mm512_mask_permutexvar_epi8(z, bit7, x.vector(), _mm512_load_si512(t.add(3)));
        x.with(y).xor3(x.with(z), plus)
    }
}

/// S by a table in registers.
#[inline(always)]
fn substituted(x: V, table: &[V; 4]) -> V {
    // SAFETY: a value proves the instruction set.
    unsafe {
        let low = _mm512_permutex2var_epi8(table[0].vector(), x.vector(), table[1].vector());
        let high = _mm512_permutex2var_epi8(table[2].vector(), x.vector(), table[3].vector());
        x.with(_mm512_mask_mov_epi8(low, _mm512_movepi8_mask(x.vector()), high))
    }
}

/// S of the first two blocks, at less latency.
#[inline(always)]
fn substituted_half(x: V, table: &[V; 4]) -> V {
    // SAFETY: a value proves the instruction set.
    unsafe {
        let low = _mm512_permutex2var_epi8(table[0].vector(), x.vector(), table[1].vector());
        let high = _mm512_permutex2var_epi8(table[2].vector(), x.vector(), table[3].vector());
        // All bits where bit 7 is clear, and that long before the look-ups end.
        let clear = _mm256_shuffle_epi8(_mm256_set1_epi8(-1), _mm512_castsi512_si256(x.vector()));
        let (low, high) = (_mm512_castsi512_si256(low), _mm512_castsi512_si256(high));
        // The bits of `low` under `clear` and the rest of `high`: truth table 0xe4.
        let y = _mm256_ternarylogic_epi32::<0xe4>(low, high, clear);
        x.with(_mm512_castsi256_si512(y))
    }
}
