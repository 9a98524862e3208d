//! g_N over [`Vector`]: look-ups by four bits, on every instruction set with a shuffle of bytes.
//!
//! Two states go side by side in 128 bytes, a group: byte 2i of each row of 16 is byte i of that row of the first, byte
//! 2i + 1 of the second. A row fills the table of a shuffle, so each row has tables of its own. One message puts the key
//! chain and the state chain into a group; two messages put both their keys into a group and both their states into a
//! second group.
//!
//! A byte is kept as its coordinates l | r << 4 (see [`crate::streebog::sbox`]). S finds for it the numbers of K and of σ.
//! L adds up, for every row of the result, tables of c(j, k) · K and c(j, k) · σ in coordinates, and P is a transposition
//! of words. K(0) is taken out of the tables and comes back in the round constants.
//!
//! Operations of an LPS of a group in 128 / 256 / 512 bits: S 128 / 64 / 32, L 248 / 128 / 60, P 24 / 12 / 8, keys
//! 24 / 12 / 4. A block of one message has 13, of two 25; entering costs 112 / 56 / 28 a block. On x86-64 an LPS in 256
//! bits is assembly; elsewhere it is compiled, and in 512 bits the LPS of two messages (there P has 4) is two LPS side
//! by side. One message of 16 KB on a Zen 5, the bound in cycles a byte and the measurement:
//! - `avx2`: 12.7 (S, look-ups on two ports, P, in turn); 15.4 (82 %);
//! - `avx512`: 8.8 (likewise); 10.3 (85 %).

#![allow(unsafe_code)]

use core::marker::PhantomData;

use crate::Secret;
use crate::kernel::{HashKeys, HashState};
#[cfg(target_arch = "x86_64")]
use crate::simd::Bytes512;
#[cfg(target_arch = "aarch64")]
use crate::simd::BytesNeon;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use crate::simd::BytesWasm;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use crate::simd::{Bytes128, Bytes256};
use crate::simd::{Linear, Vector};
use crate::streebog::constants::{C, POLYNOMIAL, c, initial_keys, multiply};
use crate::streebog::sbox::nibbles::{INSTEAD, LEFT, RIGHT, numbers};
use crate::streebog::sbox::{COORDINATES, E, ELEMENTS, K, PHI, SIGMA};

/// Bytes where vectors are loaded from.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Aligned<const LEN: usize>([u8; LEN]);

/// To coordinates, and back.
const TO: Linear = {
    let (mut powers, mut i) = ([0; 8], 0);
    while i < 8 {
        powers[i] = COORDINATES[1 << i];
        i += 1;
    }
    Linear::new(&powers)
};
const FROM: Linear = {
    let (mut powers, mut i) = ([0; 8], 0);
    while i < 4 {
        powers[i] = ELEMENTS[1 << i];
        powers[i + 4] = multiply(2, ELEMENTS[1 << i], POLYNOMIAL);
        i += 1;
    }
    Linear::new(&powers)
};

/// L of a state of bytes K(0), at each column.
const fn constant(column: usize) -> u8 {
    of_all(K[15], column)
}

/// L of a state of this byte.
const fn of_all(byte: u8, column: usize) -> u8 {
    let (mut sum, mut j) = (0, 0);
    while j < 8 {
        sum ^= multiply(c(j, column), byte, POLYNOMIAL);
        j += 1;
    }
    COORDINATES[sum as usize]
}

/// The sums after each LPS: for one message, and for the keys of two.
static ONE: [Aligned<128>; 13] = rounds(true);
static TWO: [Aligned<128>; 12] = rounds(false);
/// The part of K(0), in both states.
static CONSTANT: Aligned<128> = {
    let (mut t, mut n) = ([0; 128], 0);
    while n < 128 {
        t[n] = constant(n / 2 % 8);
        n += 1;
    }
    Aligned(t)
};

const fn rounds<const LPS: usize>(one: bool) -> [Aligned<128>; LPS] {
    let mut t = [Aligned([0; 128]); LPS];
    let mut n = 0;
    while n < 12 * 64 {
        let (round, byte) = (n / 64, n % 64);
        let key = COORDINATES[C[round][byte] as usize] ^ constant(byte % 8);
        t[round].0[2 * byte] = key;
        // The state adds its key, so that the constants of both cancel; before the first it was zeros,
        // of which LPS is L of π(0).
        t[round].0[2 * byte + 1] = match (one, round) {
            (true, 0) => of_all(K[E[0] as usize], byte % 8),
            (true, _) => 0,
            (false, _) => key,
        };
        n += 1;
    }
    t
}

/// The keys of the first block, for 512 and for 256 bits of digest, as they come out of [`lps`].
pub(in crate::streebog) static INITIAL: [HashKeys; 2] = [initial(0), initial(1)];

const fn initial(byte: u8) -> HashKeys {
    let mut keys = initial_keys(byte);
    let mut n = 0;
    while n < 13 * 64 {
        let (i, at) = (n / 64, n % 64);
        keys[i][at] = COORDINATES[keys[i][at] as usize] ^ constant(at % 8);
        n += 1;
    }
    HashKeys(keys)
}

/// The tables of LPS in memory, repeated up to 64 bytes.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Lps {
    /// See [`RowTables::L`].
    l: Aligned<2048>,
    pub(in crate::streebog) left: [u8; 64],
    pub(in crate::streebog) right: [u8; 64],
    pub(in crate::streebog) instead: [u8; 64],
    pub(in crate::streebog) phi: [u8; 64],
    pub(in crate::streebog) fifteen: [u8; 64],
    /// With this added, a number above 15 is above 127.
    pub(in crate::streebog) wrap: [u8; 64],
}

/// Tables that depend on how many rows a vector has.
struct RowTables<N>(PhantomData<N>);

impl<N: Vector> RowTables<N> {
    /// Rows in a vector.
    const ROWS: usize = N::LEN / 16;

    const LPS: Lps = {
        let mut t = Lps {
            l: Self::L,
            left: [0; 64],
            right: [0; 64],
            instead: [0; 64],
            phi: [0; 64],
            fifteen: [15; 64],
            wrap: [0x70; 64],
        };
        let mut n = 0;
        while n < 64 {
            (t.left[n], t.right[n]) = (LEFT[n % 16], RIGHT[n % 16]);
            (t.instead[n], t.phi[n]) = (INSTEAD[n % 16], PHI[n % 16]);
            n += 1;
        }
        t
    };

    /// Tables of products, at \[swap\]\[to\]\[from\]\[K or σ\], each of a vector: rows of vector `from` times their
    /// factors for the rows of vector `to`, of numbers in the vector that differ by `swap`.
    const L: Aligned<2048> = {
        let (mut t, mut n) = ([0; 2048], 0);
        while n < 2048 {
            let vectors = 8 / Self::ROWS;
            let (number, row) = (n % 16, n / 16 % Self::ROWS);
            let at = n / N::LEN;
            let (sigma, at) = (at % 2, at / 2);
            let (from, at) = (at % vectors, at / vectors);
            let (to, swap) = (at % vectors, at / vectors);
            let j = Self::ROWS * from + row;
            // Rows come out in the order that P makes the natural order of columns.
            let k = (row ^ swap) * vectors + to;
            let factor = match (sigma, number) {
                (0, _) => K[number] ^ K[15],
                (_, 15) => 0,
                (_, _) => SIGMA[number],
            };
            t[n] = COORDINATES[multiply(c(j, k), factor, POLYNOMIAL) as usize];
            n += 1;
        }
        Aligned(t)
    };

    /// Where bytes of rows come from when a state enters as the first or the second of a group: in the
    /// vectors of even and of odd number, or, of four rows, in the first and the second half.
    const ENTER: [[Aligned<64>; 2]; 2] = {
        let (mut t, mut n) = ([[Aligned([0x80; 64]); 2]; 2], 0);
        while n < 256 {
            let (second, part, row, byte) = (n / 128, n / 64 % 2, n / 16 % 4, n % 16);
            let here = match Self::ROWS {
                1 => true,
                2 => part == 0,
                _ => part == row / 2,
            };
            let odd = if Self::ROWS == 1 { part } else { row % 2 };
            if here && byte % 2 == second {
                t[second][part].0[16 * row + byte] = (8 * odd + byte / 2) as u8;
            }
            n += 1;
        }
        t
    };
}

/// Within a row: the first state's bytes as the second's, with zeros between; and the reverse.
const TO_SECOND: [u8; 16] = {
    let (mut t, mut i) = ([0x80; 16], 0);
    while i < 8 {
        t[2 * i + 1] = 2 * i as u8;
        i += 1;
    }
    t
};
const TO_FIRST: [u8; 16] = {
    let (mut t, mut i) = ([0x80; 16], 0);
    while i < 8 {
        t[2 * i] = 2 * i as u8 + 1;
        i += 1;
    }
    t
};
/// The first state's bytes, then the second's.
const APART: [u8; 16] = [0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15];
/// 128 bytes in V vectors.
type Group<N, const V: usize> = [N; V];

#[inline(always)]
fn load<N: Vector, const V: usize>(isa: N::Isa, bytes: &Aligned<128>) -> Group<N, V> {
    let mut x = [N::load(isa, &bytes.0); V];
    for a in 1..V {
        x[a] = N::load(isa, &bytes.0[N::LEN * a..]);
    }
    x
}

#[inline(always)]
pub(in crate::streebog) fn sum<N: Vector, const V: usize>(
    mut x: Group<N, V>,
    y: Group<N, V>,
) -> Group<N, V> {
    for a in 0..V {
        x[a] = x[a].xor(y[a]);
    }
    x
}

#[inline(always)]
pub(in crate::streebog) fn zero<N: Vector, const V: usize>(isa: N::Isa) -> Group<N, V> {
    [N::splat(isa, 0); V]
}

/// One state or two to coordinates: the first of a group with zeros as the second, or both.
#[inline(always)]
pub(in crate::streebog) fn enter<'a, N: Vector, const V: usize, const STATES: usize>(
    isa: N::Isa,
    bytes: impl Fn(usize) -> &'a [u8; 64],
) -> Group<N, V> {
    let mut x = spread(isa, bytes(0), 0);
    for i in 1..STATES {
        x = sum(x, spread(isa, bytes(i), i));
    }
    for a in 0..V {
        x[a] = N::linear(x[a], isa, &TO);
    }
    x
}

/// Coordinates, as the first or the second of a group.
#[inline(always)]
fn spread<N: Vector, const V: usize>(isa: N::Isa, bytes: &[u8; 64], second: usize) -> Group<N, V> {
    let pattern = const { &RowTables::<N>::ENTER };
    let patterns = [N::load(isa, &pattern[second][0].0), N::load(isa, &pattern[second][1].0)];
    let pairs = bytes.as_chunks::<16>().0;
    let mut x = [N::splat(isa, 0); V];
    for a in 0..V {
        x[a] = match V {
            8 => N::repeat(isa, &pairs[a / 2]).lookup(patterns[a % 2]),
            4 => N::repeat(isa, &pairs[a]).lookup(patterns[0]),
            _ => {
                let low = N::repeat(isa, &pairs[2 * a]).lookup(patterns[0]);
                low.or(N::repeat(isa, &pairs[2 * a + 1]).lookup(patterns[1]))
            }
        };
    }
    x
}

/// The rows of both states of a group, side by side.
type Both = Secret<[[[u8; 8]; 2]; 8]>;

/// Both states of a group from coordinates.
#[inline(always)]
pub(in crate::streebog) fn leave<N: Vector, const V: usize>(
    isa: N::Isa,
    mut x: Group<N, V>,
) -> Both {
    for a in 0..V {
        x[a] = x[a].linear(isa, &FROM);
    }
    apart(isa, x)
}

/// Both states of a group.
#[inline(always)]
fn apart<N: Vector, const V: usize>(isa: N::Isa, x: Group<N, V>) -> Both {
    let mut rows = Secret::new([[[0; 8]; 2]; 8]);
    let bytes = rows.as_flattened_mut().as_flattened_mut();
    for a in 0..V {
        x[a].lookup(N::repeat(isa, &APART)).store(&mut bytes[N::LEN * a..]);
    }
    rows
}

/// The parts that a set may have in assembly.
pub(in crate::streebog) trait Groups: Vector {
    /// `lps` of the nibbles for a group of 128 bytes, where that is assembly.
    #[inline(always)]
    fn lps<const V: usize>(_: &Lps, _: [Self; V]) -> Option<[Self; V]> {
        None
    }
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
impl<I> Groups for Bytes128<I> where Self: Vector {}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
impl<I> Groups for Bytes256<I>
where
    Self: Vector,
{
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn lps<const V: usize>(tables: &Lps, x: [Self; V]) -> Option<[Self; V]> {
        let [a, b, c, d] = *x.first_chunk()?;
        // SAFETY: a value proves the features.
        let y = unsafe { assembly::avx2(tables, [a.vector(), b.vector(), c.vector(), d.vector()]) };
        let mut out = x;
        for i in 0..V {
            out[i] = x[i].with(y[i]);
        }
        Some(out)
    }
}

// Compiled, in 7 % fewer cycles on the ports of the processors that pick this set (14.4 and 15.4 a byte).
#[cfg(target_arch = "x86_64")]
impl<I> Groups for Bytes512<I> where Self: Vector {}

#[cfg(target_arch = "aarch64")]
impl<I> Groups for BytesNeon<I> where Self: Vector {}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
impl<I> Groups for BytesWasm<I> where Self: Vector {}

/// [`Groups::lps`] by `crates/core/asm/streebog`. The heads of the texts list the registers.
#[cfg(target_arch = "x86_64")]
mod assembly {
    use core::arch::asm;
    use core::arch::x86_64::__m256i;
    use core::mem::offset_of;

    use super::Lps;

    // The text assumes these offsets (`tools/asmgen/src/streebog.rs`).
    const _: () = {
        assert!(offset_of!(Lps, left) == 2048 && offset_of!(Lps, right) == 2048 + 64);
        assert!(offset_of!(Lps, instead) == 2048 + 2 * 64 && offset_of!(Lps, phi) == 2048 + 3 * 64);
        assert!(
            offset_of!(Lps, fifteen) == 2048 + 4 * 64 && offset_of!(Lps, wrap) == 2048 + 5 * 64
        );
    };

    /// The text for `avx2`.
    #[target_feature(enable = "avx2")]
    #[inline]
    pub(super) fn avx2(tables: &Lps, x: [__m256i; 4]) -> [__m256i; 4] {
        let [mut a, mut b, mut c, mut d] = x;
        // SAFETY: the text reads only the tables, which are aligned, and writes only the registers named.
        unsafe {
            asm!(
                include_str!("../../../asm/streebog/avx2.s"),
                in("rdi") tables,
                inout("ymm0") a, inout("ymm1") b, inout("ymm2") c, inout("ymm3") d,
                out("ymm4") _, out("ymm5") _, out("ymm6") _, out("ymm7") _, out("ymm8") _,
                out("ymm9") _, out("ymm10") _, out("ymm11") _, out("ymm12") _, out("ymm13") _,
                out("ymm14") _, out("ymm15") _,
                options(raw, pure, readonly, nostack, preserves_flags),
            );
        }
        [a, b, c, d]
    }
}

/// LPS of both states, without [`constant`]. It is assembly, where there is any, unless a second LPS goes side by side
/// with it.
#[inline(always)]
fn lps<N: Groups, const V: usize>(isa: N::Isa, x: Group<N, V>, alone: bool) -> Group<N, V> {
    let tables = const { &RowTables::<N>::LPS };
    if alone && let Some(y) = N::lps(tables, x) {
        return y;
    }
    let tables = N::fresh(&tables.l);
    let (mut k, mut sigma) = (x, x);
    for a in 0..V {
        (k[a], sigma[a]) = numbers(isa, x[a]);
    }
    let mut y = x;
    // First the sums that have to change places, because that waits long.
    for swap in (0..8 / V).rev() {
        for to in 0..V {
            let mut sum = y[to];
            for from in 0..V {
                let at = ((swap * V + to) * V + from) * 2 * N::LEN;
                let p = N::load(isa, &tables.0[at..]).lookup(k[from]);
                let q = N::load(isa, &tables.0[at + N::LEN..]).lookup(sigma[from]);
                sum = if from == 0 { p.xor(q) } else { sum.xor3(p, q) };
            }
            let sum = sum.swapped(swap);
            y[to] = if swap == 8 / V - 1 { sum } else { y[to].xor(sum) };
        }
    }
    let mut bit = V / 2;
    while bit > 0 {
        for a in 0..V {
            if a & bit == 0 {
                (y[a], y[a | bit]) = y[a].zip_words(y[a | bit]);
            }
        }
        bit /= 2;
    }
    for a in 0..V {
        y[a] = y[a].square();
    }
    y
}

/// g_N of one message, under known keys, or the keys of h + N; h and h + N in the first state, with zeros as the second.
#[inline(always)]
pub(in crate::streebog) fn one<N: Groups, const V: usize>(
    isa: N::Isa,
    keys: Option<&HashKeys>,
    h: Group<N, V>,
    hn: Group<N, V>,
    m: &[u8; 64],
) -> Group<N, V> {
    let (first, second) = (N::repeat(isa, &TO_FIRST), N::repeat(isa, &TO_SECOND));
    let mut text: Group<N, V> = spread(isa, m, 1);
    for a in 0..V {
        text[a] = N::linear(text[a], isa, &TO);
    }
    let mut x = match keys {
        None => hn,
        // LPS of the zeros that are the second.
        Some(_) => sum(load(isa, &ONE[0]), load(isa, &CONSTANT)),
    };
    // LPS, which is long code, once.
    for (i, c) in ONE.iter().enumerate() {
        if i > 0 || keys.is_none() {
            x = lps(isa, x, true);
        }
        let mut k = match keys {
            None => x,
            Some(keys) => spread(isa, &keys.0[i], 1),
        };
        let c = load::<N, V>(isa, c);
        for a in 0..V {
            if keys.is_none() {
                k[a] = k[a].lookup(second);
            }
            // The constant first, which need not wait for the look-up.
            x[a] = x[a].xor(c[a]).opaque().xor(k[a]);
            if i == 0 {
                x[a] = x[a].xor(text[a]);
            }
        }
    }
    let mut out = h;
    for a in 0..V {
        // The state and the message, as the first.
        out[a] = h[a].xor(x[a].xor(text[a]).lookup(first));
    }
    out
}

/// g_N of two messages, under known keys, or the keys of h + N; h, h + N, m in both states.
#[inline(always)]
pub(in crate::streebog) fn two<N: Groups, const V: usize>(
    isa: N::Isa,
    keys: Option<&HashKeys>,
    h: Group<N, V>,
    hn: Group<N, V>,
    m: Group<N, V>,
) -> Group<N, V> {
    // The compiler puts two of few vectors side by side.
    let alone = V > 2;
    let (mut k, mut x) = (hn, sum(m, load(isa, &CONSTANT)));
    for i in 0..13 {
        k = match keys {
            None => lps(isa, k, alone),
            Some(keys) => sum(spread(isa, &keys.0[i], 0), spread(isa, &keys.0[i], 1)),
        };
        if i > 0 {
            x = lps(isa, x, alone);
        }
        x = sum(x, k);
        if let Some(c) = TWO.get(i) {
            k = sum(k, load(isa, c));
        }
    }
    for a in 0..V {
        x[a] = x[a].xor3(h[a], m[a]);
    }
    x
}

/// The keys of the next block.
#[inline(always)]
pub(in crate::streebog) fn keys<N: Groups, const V: usize>(
    isa: N::Isa,
    state: &HashState,
) -> HashKeys {
    let mut keys = HashKeys([[0; 64]; 13]);
    let h = enter::<N, V, 1>(isa, |_| &state.h);
    let mut k = sum(h, enter::<N, V, 1>(isa, |_| &state.n));
    for (i, key) in keys.0.iter_mut().enumerate() {
        k = lps(isa, k, true);
        for (key, [row, _]) in key.as_chunks_mut().0.iter_mut().zip(&*apart(isa, k)) {
            *key = *row;
        }
        if let Some(c) = TWO.get(i) {
            k = sum(k, load(isa, c));
        }
    }
    keys
}

#[cfg(all(test, feature = "std", target_arch = "x86_64"))]
mod tests {
    use super::*;
    use crate::simd::{Avx2, Bytes256};

    /// The assembly and the intrinsics, on 1000 groups.
    fn same<N: Groups, const V: usize>(word: &str, isa: Option<N::Isa>) {
        let Some(isa) = isa else {
            std::println!("skipped: {word} is not here");
            return;
        };
        let mut bytes = Aligned([0u8; 128]);
        let mut random = 1u32;
        for _ in 0..1000 {
            for byte in &mut bytes.0 {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                *byte = (random >> 24) as u8 & (random >> 16) as u8;
            }
            let x: Group<N, V> = load(isa, &bytes);
            let [a, b] = [true, false].map(|alone| *apart(isa, lps(isa, x, alone)));
            assert_eq!(a, b, "{word}");
        }
    }

    #[test]
    fn assembly_and_intrinsics_agree() {
        same::<Bytes256<Avx2>, 4>("avx2", Avx2::detect());
    }
}
