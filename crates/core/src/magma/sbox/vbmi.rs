//! S by VBMI, a permutation of 64 bytes, and words on AVX-512 (see `round.rs`).
//!
//! ```text
//! low  = table_low[16 p + low nibble]       byte p of t: four boxes of 16 entries are 64 bytes, one vpermb
//! high = table_high[16 p + high nibble]     its entries are shifted by 4
//! S(t) = low ^ high
//! ```
//!
//! [`Zmm`] has 16 blocks. [`Xmm`] and [`Ymm`] are for one stream, or one block or two, where a look-up in a shorter vector
//! waits less.
#![allow(unsafe_code)]

use core::arch::x86_64::*;
use core::hint::black_box;
use core::ops::BitXor;

use crate::cipher::Direction;
use crate::magma::batch::MOST;
use crate::magma::gfni512::planes::{Zmm, ZmmTables, load, store, zero};
use crate::magma::gfni512::rounds_x12;
use crate::magma::round::{RoundKeys, Word, Words, exchange, rounds};
use crate::simd::{Gates, Gfni512, align};

/// An expression of intrinsics over vectors.
macro_rules! v {
    ($e:expr) => {{
        // SAFETY: the vectors in the expression, or the token given, prove the features.
        Zmm(unsafe { $e })
    }};
}

/// The source, among 128, of each byte of N1, of N2, of the first eight blocks and of the last eight.
///
/// Each word is rotated by one byte, too: of the eleven bits by which a prerotated half is rotated, three are left. With the
/// rotation of `round` instead, the compiler would compute it once and keep it on the stack.
#[repr(align(64))]
pub(crate) struct Orders([[u8; 64]; 4]);

/// Blocks little-endian, and big-endian.
static AS_IS: Orders = orders(0);
static REVERSED: Orders = orders(7);

/// Byte i of a block as a number is its byte i xor this.
const fn orders(turned: u8) -> Orders {
    let mut order = [[0; 64]; 4];
    let mut i = 0;
    while i < 128 {
        // Byte j of a half's word of a block, and the same byte of the block.
        let (block, half, j) = (i / 8, i / 4 % 2, i % 4);
        let byte = 8 * block as u8 + ((4 * half as u8 + (j as u8 + 1) % 4) ^ turned);
        order[half][4 * block + j] = byte;
        order[2 + byte as usize / 64][byte as usize % 64] = (64 * half + 4 * block + j) as u8;
        i += 1;
    }
    Orders(order)
}

impl Word for Zmm {
    type Isa = Gfni512;
    type Tables = ZmmTables;
    type Orders = &'static Orders;
    #[inline(always)]
    fn splat(_: Gfni512, word: u32) -> Self {
        v!(_mm512_set1_epi32(word as i32))
    }
    #[inline(always)]
    fn tables(isa: Gfni512, rows: &[[u8; 16]; 8]) -> ZmmTables {
        let [x, y] = Self::read(isa, rows.as_flattened());
        ZmmTables {
            low: v!(_mm512_shuffle_i64x2::<0x88>(x.0, y.0)),
            high: v!(_mm512_slli_epi16::<4>(_mm512_shuffle_i64x2::<0xdd>(x.0, y.0))),
            nibble: v!(_mm512_set1_epi8(0x0f)),
            place: v!(_mm512_set1_epi32(0x3020_1000)),
        }
    }
    #[inline(always)]
    fn orders(_: Gfni512, reverse: bool) -> &'static Orders {
        if reverse { &REVERSED } else { &AS_IS }
    }
    #[inline(always)]
    fn enter(isa: Gfni512, block: &[u8; 8], orders: &'static Orders) -> (Self, Self) {
        let x = v!(_mm512_zextsi128_si512(_mm_cvtsi64_si128(i64::from_le_bytes(*block))));
        Self::take(isa, [x, v!(_mm512_setzero_si512())], orders)
    }
    #[inline(always)]
    fn leave(isa: Gfni512, halves: (Self, Self), orders: &'static Orders, block: &mut [u8; 8]) {
        let [x, _] = Self::give(isa, halves, orders);
        // SAFETY: the vector proves the features.
        let x = unsafe { _mm_cvtsi128_si64(_mm512_castsi512_si128(x.0)) };
        *block = x.to_le_bytes();
    }
    /// Eight operations for 16 blocks.
    #[inline(always)]
    fn round(tables: &ZmmTables, current: Self, previous: Self, key: Self) -> Self {
        let t = v!(_mm512_add_epi32(_mm512_rol_epi32::<11>(current.0), key.0));
        let h = v!(_mm512_srli_epi32::<4>(t.0));
        let low = t.lut::<0xea>(tables.nibble, tables.place);
        let high = h.lut::<0xea>(tables.nibble, tables.place);
        let low = v!(_mm512_permutexvar_epi8(low.0, tables.low.0));
        let high = v!(_mm512_permutexvar_epi8(high.0, tables.high.0));
        previous.lut::<0x96>(low, high)
    }
}

impl Words for Zmm {
    const LANES: usize = 16;
    /// Twelve groups fill 24 of the 32 registers. Under keys of their own four more groups wait in memory.
    const SEVERAL: bool = true;
    #[inline(always)]
    fn read(isa: Gfni512, bytes: &[u8]) -> [Self; 2] {
        let x = bytes.as_chunks().0;
        [load(isa, &x[0]), load(isa, &x[1])]
    }
    #[inline(always)]
    fn write(raw: [Self; 2], bytes: &mut [u8]) {
        let x = bytes.as_chunks_mut().0;
        store(raw[0], &mut x[0]);
        store(raw[1], &mut x[1]);
    }
    /// Kept before its rotation: the next round's input is rotated in place of this round's output, and the halves of S
    /// and the old half add in one operation.
    #[inline(always)]
    fn take(isa: Gfni512, [x, y]: [Self; 2], orders: &'static Orders) -> (Self, Self) {
        let [a, b, ..] = &orders.0;
        let a = v!(_mm512_permutex2var_epi8(x.0, load(isa, a).0, y.0));
        let b = v!(_mm512_permutex2var_epi8(x.0, load(isa, b).0, y.0));
        (v!(_mm512_ror_epi32::<3>(a.0)), v!(_mm512_ror_epi32::<3>(b.0)))
    }
    #[inline(always)]
    fn give(isa: Gfni512, (a, b): (Self, Self), orders: &'static Orders) -> [Self; 2] {
        let [.., x, y] = &orders.0;
        let (a, b) = (v!(_mm512_rol_epi32::<3>(a.0)), v!(_mm512_rol_epi32::<3>(b.0)));
        let x = v!(_mm512_permutex2var_epi8(a.0, load(isa, x).0, b.0));
        let y = v!(_mm512_permutex2var_epi8(a.0, load(isa, y).0, b.0));
        [x, y]
    }
    #[inline(always)]
    fn words(_: Gfni512, _: &[u8], [low, high]: [&[u32]; 2]) -> (Self, Self) {
        let low: &[u32; 16] = low.first_chunk().expect("a group");
        let high: &[u32; 16] = high.first_chunk().expect("a group");
        // SAFETY: 64 readable bytes each; the token proves the features.
        unsafe {
            (
                Zmm(_mm512_loadu_si512(low.as_ptr().cast())),
                Zmm(_mm512_loadu_si512(high.as_ptr().cast())),
            )
        }
    }
    #[inline(always)]
    fn prerotated(self) -> Self {
        v!(_mm512_ror_epi32::<11>(self.0))
    }
    #[inline(always)]
    fn unrotated(self) -> Self {
        v!(_mm512_rol_epi32::<11>(self.0))
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        v!(_mm512_add_epi32(self.0, other.0))
    }
    #[inline(always)]
    fn add_carry(self, other: Self, to: Self, carry: Self) -> (Self, Self) {
        let sum = v!(_mm512_add_epi32(self.0, other.0));
        let over =
            v!(_mm512_mask_add_epi32(to.0, _mm512_cmplt_epu32_mask(sum.0, self.0), to.0, carry.0));
        (sum, over)
    }
    #[inline(always)]
    fn rounds(
        tables: &ZmmTables,
        x: &mut [(Self, Self)],
        keys: RoundKeys<'_, Self>,
        direction: Direction,
        n: usize,
    ) {
        // SAFETY: the vectors prove the features.
        unsafe { all_rounds(tables, x, keys, direction, n) }
    }
    #[inline(always)]
    fn most_rounds(
        tables: &ZmmTables,
        x: &mut [(Self, Self); MOST],
        keys: &[u32; 8],
        direction: Direction,
    ) {
        // SAFETY: the vectors prove the features.
        unsafe { rounds_x12::one_key(tables, x, keys, forth(direction), 32) }
        exchange(x, 32);
    }
    #[inline(always)]
    fn to_blocks(isa: Gfni512, rows: &[&[u8; 64]; 16], tile: &mut [[u8; 64]; 16]) {
        let (mut x, mut y) = ([zero(isa); 8], [zero(isa); 8]);
        for i in 0..8 {
            x[i] = load(isa, rows[i]);
            y[i] = load(isa, rows[8 + i]);
        }
        transpose_blocks(&mut x);
        transpose_blocks(&mut y);
        for i in 0..8 {
            store(x[i], &mut tile[2 * i]);
            store(y[i], &mut tile[2 * i + 1]);
        }
    }
    #[inline(always)]
    fn to_lanes(isa: Gfni512, tile: &[[u8; 64]; 16], mut rows: [Option<&mut [u8; 64]>; 16]) {
        let (mut x, mut y) = ([zero(isa); 8], [zero(isa); 8]);
        for i in 0..8 {
            x[i] = load(isa, &tile[2 * i]);
            y[i] = load(isa, &tile[2 * i + 1]);
        }
        transpose_blocks(&mut x);
        transpose_blocks(&mut y);
        for i in 0..8 {
            if let Some(row) = &mut rows[i] {
                store(x[i], row);
            }
            if let Some(row) = &mut rows[8 + i] {
                store(y[i], row);
            }
        }
    }
}

/// The rounds in which the keys go forth, once or three times; then they go back.
#[inline(always)]
fn forth(direction: Direction) -> usize {
    if direction == Direction::Encrypt { 24 } else { 8 }
}

enter!(gfni512 =>
    /// [`Words::rounds`]: assembly for twelve groups, and for sixteen under keys of their own; other numbers are compiled.
    #[inline(never)]
    fn all_rounds(
        tables: &ZmmTables,
        x: &mut [(Zmm, Zmm)],
        keys: RoundKeys<'_, Zmm>,
        direction: Direction,
        n: usize,
    ) {
        align();
        match keys {
            RoundKeys::One(_, words) => {
                if x.len() == MOST {
                    rounds_x12::one_key(tables, x, words, forth(direction), n);
                } else if let Ok(x) = <&mut [_; 4]>::try_from(&mut *x) {
                    return rounds(tables, x, keys, direction, n);
                } else if let Ok(x) = <&mut [_; 8]>::try_from(&mut *x) {
                    return rounds(tables, x, keys, direction, n);
                } else if let Ok(x) = <&mut [_; 10]>::try_from(&mut *x) {
                    return rounds(tables, x, keys, direction, n);
                } else {
                    unreachable!("a width of batch.rs")
                }
            }
            RoundKeys::Own(words) => {
                if let Ok(words) = words.try_into() {
                    rounds_x12::own_keys(tables, x, words, forth(direction), n);
                } else if let Ok(words) = words.try_into() {
                    rounds_x12::own_keys_and_four(tables, x, words, forth(direction), n);
                } else if let Ok(x) = <&mut [_; 2]>::try_from(&mut *x) {
                    return rounds(tables, x, keys, direction, n);
                } else if let Ok(x) = <&mut [_; 4]>::try_from(&mut *x) {
                    return rounds(tables, x, keys, direction, n);
                } else if let Ok(x) = <&mut [_; 8]>::try_from(&mut *x) {
                    return rounds(tables, x, keys, direction, n);
                } else {
                    unreachable!("a width of lanes.rs")
                }
            }
        }
        exchange(x, n);
    }
);

/// A word in 128 bits, where a look-up waits 2 cycles, not 5, and uses the low nibble of a byte: a look-up for each
/// S-box.
#[derive(Clone, Copy)]
pub(crate) struct Xmm(__m128i);

/// S_2p, S_2p+1 << 4, and the mask of byte p.
#[derive(Clone, Copy)]
pub(crate) struct XmmTables {
    low: [Xmm; 4],
    high: [Xmm; 4],
    bytes: [__mmask16; 4],
}

/// An expression of intrinsics over such words.
macro_rules! x {
    ($e:expr) => {{
        // SAFETY: the vectors in the expression, or the token given, prove the features.
        Xmm(unsafe { $e })
    }};
}

impl BitXor for Xmm {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, o: Self) -> Self {
        x!(_mm_xor_si128(self.0, o.0))
    }
}

impl Xmm {
    #[inline(always)]
    fn xor3(self, b: Self, c: Self) -> Self {
        x!(_mm_ternarylogic_epi32::<0x96>(self.0, b.0, c.0))
    }
}

impl Word for Xmm {
    type Isa = Gfni512;
    type Tables = XmmTables;
    type Orders = bool;
    #[inline(always)]
    fn splat(_: Gfni512, word: u32) -> Self {
        x!(_mm_set1_epi32(word as i32))
    }
    #[inline(always)]
    fn tables(_: Gfni512, rows: &[[u8; 16]; 8]) -> XmmTables {
        // SAFETY: the token proves the features; 16 readable bytes.
        let row = |i: usize| Xmm(unsafe { _mm_loadu_si128(rows[i].as_ptr().cast()) });
        let high = |i: usize| x!(_mm_slli_epi16::<4>(row(i).0));
        XmmTables {
            low: [row(0), row(2), row(4), row(6)],
            high: [high(1), high(3), high(5), high(7)],
            // Untraceable, or the compiler makes shuffles of other kinds.
            bytes: black_box([1, 2, 4, 8]),
        }
    }
    #[inline(always)]
    fn orders(_: Gfni512, reverse: bool) -> bool {
        reverse
    }
    #[inline(always)]
    fn enter(_: Gfni512, block: &[u8; 8], reverse: bool) -> (Self, Self) {
        let x = if reverse { u64::from_be_bytes(*block) } else { u64::from_le_bytes(*block) };
        let half = |x: u32| x!(_mm_cvtsi32_si128(x.rotate_right(11) as i32));
        (half(x as u32), half((x >> 32) as u32))
    }
    #[inline(always)]
    fn leave(_: Gfni512, (a, b): (Self, Self), reverse: bool, block: &mut [u8; 8]) {
        // SAFETY: as above.
        let word = |x: Self| unsafe { _mm_cvtsi128_si32(x.0) }.cast_unsigned().rotate_left(11);
        let x = u64::from(word(b)) << 32 | u64::from(word(a));
        *block = if reverse { x.to_be_bytes() } else { x.to_le_bytes() };
    }
    /// In pairs, the second look-up going to where the first has left a byte free: the last two are in
    /// the sum as soon as one ternary operation can have them.
    #[inline(always)]
    fn round(tables: &XmmTables, current: Self, previous: Self, key: Self) -> Self {
        let t = x!(_mm_add_epi32(_mm_rol_epi32::<11>(current.0), key.0));
        let h = x!(_mm_srli_epi32::<4>(t.0));
        let [k0, k1, k2, k3] = tables.bytes;
        let low = |k, n: usize| x!(_mm_maskz_permutexvar_epi8(k, t.0, tables.low[n].0));
        let high =
            |x: Self, k, n: usize| x!(_mm_mask_permutexvar_epi8(x.0, k, h.0, tables.high[n].0));
        let (a, b, c, d) = (low(k0, 0), low(k1, 1), low(k2, 2), low(k3, 3));
        let (a, b) = (high(a, k1, 1), high(b, k0, 0));
        let (c, d) = (high(c, k3, 3), high(d, k2, 2));
        previous.xor3(a, b).xor3(c, d)
    }
}

/// A word in 256 bits: the S-boxes of its even nibbles, 64 bytes, are in two vectors, the S-boxes of its odd nibbles in
/// two others, so that vpermi2b looks up four of them at once.
///
/// A round is a chain of a rotation, a sum, a shift, an index, a look-up and a sum.
#[derive(Clone, Copy)]
pub(crate) struct Ymm(__m256i);

/// [`ZmmTables`] with each half of the S-boxes in two vectors.
#[derive(Clone, Copy)]
pub(crate) struct Pairs {
    low: [Ymm; 2],
    high: [Ymm; 2],
    nibble: Ymm,
    place: Ymm,
}

/// An expression of intrinsics over such words.
macro_rules! y {
    ($e:expr) => {{
        // SAFETY: as above.
        Ymm(unsafe { $e })
    }};
}

impl BitXor for Ymm {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, o: Self) -> Self {
        y!(_mm256_xor_si256(self.0, o.0))
    }
}

impl Ymm {
    /// (self & b) | c.
    #[inline(always)]
    fn index(self, b: Self, c: Self) -> Self {
        y!(_mm256_ternarylogic_epi32::<0xea>(self.0, b.0, c.0))
    }
    /// The bytes of `table` at these indices, below 64.
    #[inline(always)]
    fn of(self, table: [Self; 2]) -> Self {
        y!(_mm256_permutex2var_epi8(table[0].0, self.0, table[1].0))
    }
}

impl Word for Ymm {
    type Isa = Gfni512;
    type Tables = Pairs;
    type Orders = bool;
    #[inline(always)]
    fn splat(_: Gfni512, word: u32) -> Self {
        y!(_mm256_set1_epi32(word as i32))
    }
    #[inline(always)]
    fn tables(_: Gfni512, rows: &[[u8; 16]; 8]) -> Pairs {
        // SAFETY: the token proves the features; 16 readable bytes.
        let row = |i: usize| unsafe { _mm_loadu_si128(rows[i].as_ptr().cast()) };
        let two = |i: usize, j: usize| y!(_mm256_set_m128i(row(j), row(i)));
        let high = |i: usize, j: usize| y!(_mm256_slli_epi16::<4>(two(i, j).0));
        Pairs {
            low: [two(0, 2), two(4, 6)],
            high: [high(1, 3), high(5, 7)],
            nibble: y!(_mm256_set1_epi8(0x0f)),
            place: y!(_mm256_set1_epi32(0x3020_1000)),
        }
    }
    #[inline(always)]
    fn orders(_: Gfni512, reverse: bool) -> bool {
        reverse
    }
    #[inline(always)]
    fn enter(isa: Gfni512, block: &[u8; 8], reverse: bool) -> (Self, Self) {
        let (a, b) = Xmm::enter(isa, block, reverse);
        (y!(_mm256_zextsi128_si256(a.0)), y!(_mm256_zextsi128_si256(b.0)))
    }
    #[inline(always)]
    fn leave(isa: Gfni512, (a, b): (Self, Self), reverse: bool, block: &mut [u8; 8]) {
        let half = |x: Self| x!(_mm256_castsi256_si128(x.0));
        Xmm::leave(isa, (half(a), half(b)), reverse, block);
    }
    #[inline(always)]
    fn round(tables: &Pairs, current: Self, previous: Self, key: Self) -> Self {
        let t = y!(_mm256_add_epi32(_mm256_rol_epi32::<11>(current.0), key.0));
        let h = y!(_mm256_srli_epi32::<4>(t.0));
        let low = t.index(tables.nibble, tables.place).of(tables.low);
        let high = h.index(tables.nibble, tables.place).of(tables.high);
        y!(_mm256_ternarylogic_epi32::<0x96>(previous.0, low.0, high.0))
    }
}

/// Eight bytes i of vector j to eight bytes j of vector i.
#[inline(always)]
fn transpose_blocks(x: &mut [Zmm; 8]) {
    for i in [0, 2, 4, 6] {
        let (a, b) = (x[i].0, x[i + 1].0);
        x[i] = v!(_mm512_unpacklo_epi64(a, b));
        x[i + 1] = v!(_mm512_unpackhi_epi64(a, b));
    }
    // Pairs of blocks now: the even ones of two vectors, and the odd ones, twice.
    macro_rules! halve {
        ($($i:literal $j:literal)*) => { $(
            let (a, b) = (x[$i].0, x[$j].0);
            x[$i] = v!(_mm512_shuffle_i64x2::<0x88>(a, b));
            x[$j] = v!(_mm512_shuffle_i64x2::<0xdd>(a, b));
        )* };
    }
    halve!(0 2  1 3  4 6  5 7);
    halve!(0 4  1 5  2 6  3 7);
}
