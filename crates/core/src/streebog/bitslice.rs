//! Streebog in safe Rust for any machine: circuits on bit planes, no look-up.
//!
//! Plane b of a state holds bit b of its 64 bytes, byte n at bit n. The rounds
//! alternate between the layouts of [`super::constants`]: a sum over groups turns words by 8r bits, a sum
//! inside groups turns the bytes of a word by r bits.
//!
//! The products by a diagonal of L are AND gates with constant masks, after Karatsuba: the eight planes
//! of s become 27 sums, each of the four diagonals costs 27 AND and XOR in that form, and the way back is
//! gone once. As in `constants/aes.rs`, the eight diagonals are two sums of four, the second moved as a whole.

use super::batch::Groups;
use super::constants::{Bytes, c, initial_keys, round_constants, transposed};
use super::counter::count;
use crate::Secret;
use crate::kernel::{HashKernel, HashKeys, HashLane, HashState};
use crate::pi::pi;

pub(super) const KERNEL: HashKernel =
    HashKernel { name: "portable", available: || true, initial: &INITIAL, keys, blocks, finish };

/// The planes of a state.
type StatePlanes = [u64; 8];

/// C_1..C_12, in the layout that K_i ⊕ C_i has.
static ROUNDS: [StatePlanes; 12] = {
    let identity = {
        let mut t = [0; 256];
        let mut x = 0;
        while x < 256 {
            t[x] = x as u8;
            x += 1;
        }
        t
    };
    let constants = round_constants(&identity);
    let mut r = [[0; 8]; 12];
    let mut i = 0;
    while i < 12 {
        // C_1 comes after an LPS from `Columns`.
        r[i] = masks(&constants[i][i % 2]);
        i += 1;
    }
    r
};

/// The planes of 64 constants.
const fn masks(bytes: &Bytes) -> StatePlanes {
    let (mut planes, mut n) = ([0; 8], 0);
    while n < 512 {
        planes[n % 8] |= ((bytes.0[n / 8] >> (n % 8) & 1) as u64) << (n / 8);
        n += 1;
    }
    planes
}

/// A diagonal in Karatsuba's form: 27 sums of its planes.
type Diagonal = [u64; 27];

/// The diagonals of a sum over groups, at `[g][b]`: group k has the constant of group k + b, which 4g then moves.
static GROUPS: [[Diagonal; 4]; 2] = diagonals(true);
/// The diagonals of a sum inside groups: bytes instead of groups.
static INSIDE: [[Diagonal; 4]; 2] = diagonals(false);

const fn diagonals(groups: bool) -> [[Diagonal; 4]; 2] {
    let mut d = [[[0; 27]; 4]; 2];
    let mut r = 0;
    while r < 8 {
        let (g, b) = (r / 4, r % 4);
        let (mut bytes, mut n) = (Bytes([0; 64]), 0);
        while n < 64 {
            let k = if groups { n / 8 } else { n % 8 };
            bytes.0[n] = c((k + b) % 8, (k + 8 - 4 * g) % 8);
            n += 1;
        }
        d[g][b] = expand(&masks(&bytes));
        r += 1;
    }
    d
}

/// Karatsuba's sums of the eight coefficients of a polynomial, three levels deep: at 9u + 3v + w the sum of
/// the low (0), the high (1) or both (2) halves at the levels u of eight, v of four, w of two.
#[inline(always)]
const fn expand(p: &StatePlanes) -> Diagonal {
    let mut e = [0; 27];
    let mut i = 0;
    while i < 9 {
        let (u, v) = (i / 3, i % 3);
        let q = match u {
            2 => [p[0] ^ p[4], p[1] ^ p[5], p[2] ^ p[6], p[3] ^ p[7]],
            u => [p[4 * u], p[4 * u + 1], p[4 * u + 2], p[4 * u + 3]],
        };
        let r = if v == 2 { [q[0] ^ q[2], q[1] ^ q[3]] } else { [q[2 * v], q[2 * v + 1]] };
        e[3 * i] = r[0];
        e[3 * i + 1] = r[1];
        e[3 * i + 2] = r[0] ^ r[1];
        i += 1;
    }
    e
}

/// From the 27 products to the planes of the product modulo x^8 + x^4 + x^3 + x^2 + 1.
#[inline(always)]
fn collect(e: &Diagonal) -> StatePlanes {
    // Two coefficients times two: three coefficients; then four times four: seven; then fifteen.
    let two = |at: usize| [e[at], e[at] ^ e[at + 1] ^ e[at + 2], e[at + 1]];
    let four = |at: usize| {
        let (l, h, m) = (two(at), two(at + 3), two(at + 6));
        let x = [l[0] ^ h[0] ^ m[0], l[1] ^ h[1] ^ m[1], l[2] ^ h[2] ^ m[2]];
        [l[0], l[1], l[2] ^ x[0], x[1], x[2] ^ h[0], h[1], h[2]]
    };
    let (l, h, m) = (four(0), four(9), four(18));
    let mut p = [0; 15];
    for i in 0..7 {
        p[i] ^= l[i];
        p[i + 8] ^= h[i];
        p[i + 4] ^= l[i] ^ h[i] ^ m[i];
    }
    for i in (8..15).rev() {
        p[i - 4] ^= p[i];
        p[i - 5] ^= p[i];
        p[i - 6] ^= p[i];
        p[i - 8] ^= p[i];
    }
    core::array::from_fn(|i| p[i])
}

/// Byte k + by of every group moves to byte k.
#[inline(always)]
fn turn(x: u64, by: u32) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let low = ONES * (0xff >> by);
    (x >> by & low) | (x << (8 - by) & !low)
}

/// LPS: over groups from `Rows` to `Columns`, or inside them and back.
fn lps<const OVER: bool>(x: StatePlanes) -> StatePlanes {
    let by = if OVER { &GROUPS } else { &INSIDE };
    let shift = |x: u64, b: u32| match (OVER, b) {
        (_, 0) => x,
        (true, b) => x.rotate_right(8 * b),
        (false, b) => turn(x, b),
    };
    let s = pi(x);
    let e = [0, 1, 2, 3].map(|b| expand(&s.map(|p| shift(p, b))));
    let product = |d: &[Diagonal; 4], i: usize| {
        e[0][i] & d[0][i] ^ e[1][i] & d[1][i] ^ e[2][i] & d[2][i] ^ e[3][i] & d[3][i]
    };
    let low = collect(&core::array::from_fn(|i| product(&by[0], i)));
    let high = collect(&core::array::from_fn(|i| product(&by[1], i)));
    core::array::from_fn(|b| low[b] ^ shift(high[b], 4))
}

/// The planes of 64 bytes, in the layout `Columns`; of transposed bytes, in `Rows`. Its own inverse,
/// as bytes and planes are both eight words: bit b of byte 8i + k is bit 8k + i of plane b.
#[inline(always)]
fn exchange(mut w: StatePlanes) -> StatePlanes {
    // Bit j of a word's number against bit j of a bit's number.
    for (j, mask) in [0x5555_5555_5555_5555, 0x3333_3333_3333_3333, 0x0f0f_0f0f_0f0f_0f0f_u64]
        .into_iter()
        .enumerate()
    {
        let d = 1 << j;
        for i in 0..8 {
            if i & d == 0 {
                let t = (w[i] >> d ^ w[i + d]) & mask;
                w[i + d] ^= t;
                w[i] ^= t << d;
            }
        }
    }
    w
}

fn words(x: &[u8; 64]) -> StatePlanes {
    let words = x.as_chunks::<8>().0;
    core::array::from_fn(|i| u64::from_le_bytes(words[i]))
}

/// The bytes of planes: how keys are kept.
const fn bytes(planes: &StatePlanes) -> [u8; 64] {
    let (mut bytes, mut n) = ([0; 64], 0);
    while n < 64 {
        bytes[n] = (planes[n / 8] >> (8 * (n % 8))) as u8;
        n += 1;
    }
    bytes
}

/// The keys of the first block, for 512 and for 256 bits of digest: planes, K_1 in `Rows`.
static INITIAL: [HashKeys; 2] = [initial(0), initial(1)];

const fn initial(byte: u8) -> HashKeys {
    let mut keys = initial_keys(byte);
    let mut i = 0;
    while i < 13 {
        let key = if i % 2 == 0 { keys[i] } else { transposed(&keys[i]) };
        keys[i] = bytes(&masks(&Bytes(key)));
        i += 1;
    }
    HashKeys(keys)
}

/// The keys of the next block.
fn keys(state: &HashState) -> HashKeys {
    let mut keys = HashKeys([[0; 64]; 13]);
    let mut hn = Secret::new([0; 64]);
    for i in 0..64 {
        hn[i] = state.h[i] ^ state.n[i];
    }
    let mut k = Secret::new(lps::<false>(exchange(words(&hn))));
    keys.0[0] = bytes(&k);
    for (i, c) in ROUNDS.iter().enumerate() {
        for b in 0..8 {
            k[b] ^= c[b];
        }
        *k = if i % 2 == 0 { lps::<true>(*k) } else { lps::<false>(*k) };
        keys.0[i + 1] = bytes(&k);
    }
    keys
}

/// h = g_N(h, m) under the keys.
fn under(keys: &HashKeys, h: &mut [u8; 64], m: &[u8; 64]) {
    let mut x = Secret::new(exchange(words(&transposed(m))));
    for (i, key) in keys.0.iter().enumerate() {
        match i {
            0 => {}
            i if i % 2 == 1 => *x = lps::<true>(*x),
            _ => *x = lps::<false>(*x),
        }
        for (x, k) in x.iter_mut().zip(words(key)) {
            *x ^= k;
        }
    }
    add(h, *x, m);
}

/// h = g_N(h, m).
fn g(h: &mut [u8; 64], n: &[u8; 64], m: &[u8; 64]) {
    let mut hn = Secret::new([0; 64]);
    for i in 0..64 {
        hn[i] = h[i] ^ n[i];
    }
    let mut k = Secret::new(lps::<false>(exchange(words(&hn))));
    let mut x = Secret::new(exchange(words(&transposed(m))));
    for (i, c) in ROUNDS.iter().enumerate() {
        // The keys go with the state, each with its constant once it is added to the state.
        for b in 0..8 {
            x[b] ^= k[b];
            k[b] ^= c[b];
        }
        (*k, *x) = if i % 2 == 0 {
            (lps::<true>(*k), lps::<true>(*x))
        } else {
            (lps::<false>(*k), lps::<false>(*x))
        };
    }
    for b in 0..8 {
        x[b] ^= k[b];
    }
    add(h, *x, m);
}

/// h ^= x ^ m.
fn add(h: &mut [u8; 64], x: StatePlanes, m: &[u8; 64]) {
    let out = exchange(x);
    let mut bytes = [0; 64];
    for (bytes, word) in bytes.as_chunks_mut::<8>().0.iter_mut().zip(out) {
        *bytes = word.to_le_bytes();
    }
    let out = transposed(&bytes);
    for i in 0..64 {
        h[i] ^= out[i] ^ m[i];
    }
}

fn one(keys: Option<&HashKeys>, [lane]: &mut [HashLane<'_>; 1], counted: bool) {
    let HashLane { state, blocks } = lane;
    let (mut keys, mut n) = (keys, state.n);
    for m in blocks.as_chunks::<64>().0 {
        match keys.take() {
            Some(keys) => under(keys, &mut state.h, m),
            None => g(&mut state.h, &n, m),
        }
        n = [0; 64];
        if counted {
            count(state, m);
            n = state.n;
        }
    }
}

const LANES: Groups = Groups::of(one);

fn blocks(keys: Option<&HashKeys>, lanes: &mut [HashLane<'_>]) {
    LANES.blocks(keys, lanes);
}

fn finish(keys: Option<&HashKeys>, lanes: &mut [HashLane<'_>]) {
    LANES.finish(keys, lanes);
}
