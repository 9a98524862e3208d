//! Shared by the designs of Magma and GOST 28147-89: the S-boxes (RFC 8891, 4.1, the set tc26-Z), their
//! tables, keys laid out by lanes, and the orders of the round keys (RFC 8891, 4.3; RFC 5830, 5 and 8).
//!
//! A design is a function of the type [`Many`]: N blocks in place, each under the key of its lane. A block
//! is a_1 || a_0, big-endian; GOST 28147-89 has the same bytes the other way round.

/// S-boxes; row 0 is for the lowest nibble.
pub use reference::magma::PARAM_Z as PI;

/// S-boxes of the low nibbles of bytes 0 to 3.
#[cfg(target_arch = "x86_64")]
pub const LOW: [[u8; 16]; 4] = [PI[0], PI[2], PI[4], PI[6]];
/// S-boxes of the high nibbles, at their place.
#[cfg(target_arch = "x86_64")]
pub const HIGH: [[u8; 16]; 4] = {
    let mut table = [[0; 16]; 4];
    let mut i = 0;
    while i < 64 {
        table[i / 16][i % 16] = PI[2 * (i / 16) + 1][i % 16] << 4;
        i += 1;
    }
    table
};

/// The 4 KB of Vinokurov: for each byte of the sum both S-boxes, already rotated by 11.
pub static BYTES: [[u32; 256]; 4] = {
    let mut table = [[0; 256]; 4];
    let mut i = 0;
    while i < 1024 {
        let (byte, x) = (i / 256, i % 256);
        let two = PI[2 * byte][x & 15] | PI[2 * byte + 1][x >> 4] << 4;
        table[byte][x] = ((two as u32) << (8 * byte)).rotate_left(11);
        i += 1;
    }
    table
};

/// g through [`BYTES`].
#[inline(always)]
pub fn g_bytes(x: u32, k: u32) -> u32 {
    let [a, b, c, d] = x.wrapping_add(k).to_le_bytes().map(usize::from);
    BYTES[0][a] ^ BYTES[1][b] ^ BYTES[2][c] ^ BYTES[3][d]
}

/// The eight words of the key, each for every lane.
#[derive(Clone)]
#[repr(align(64))]
pub struct Keys<const N: usize>(pub [[u32; N]; 8]);

/// How four bytes of the key are a word: big-endian in Magma, little-endian in GOST 28147-89.
pub type Word = fn([u8; 4]) -> u32;

impl<const N: usize> Keys<N> {
    /// The keys of N streams.
    pub fn of_lanes(stream: impl Fn(usize) -> usize, word: Word) -> Self {
        let mut keys = [[0; N]; 8];
        for lane in 0..N {
            let key = engine::key(stream(lane), 32);
            for (word_of_lanes, bytes) in keys.iter_mut().zip(key.as_chunks().0) {
                word_of_lanes[lane] = word(*bytes);
            }
        }
        Keys(keys)
    }
}

/// Indices of the round keys, two rounds at a time.
pub type Order = [[usize; 2]];

const UP: [[usize; 2]; 4] = [[0, 1], [2, 3], [4, 5], [6, 7]];
const DOWN: [[usize; 2]; 4] = [[7, 6], [5, 4], [3, 2], [1, 0]];

pub const ENCRYPT: &Order = [UP, UP, UP, DOWN].as_flattened();
pub const DECRYPT: &Order = [UP, DOWN, DOWN, DOWN].as_flattened();
/// The 16 rounds of the MAC, after which the halves must be exchanged once more than [`Many`] does.
pub const MAC: &Order = [UP, UP].as_flattened();

/// N blocks in place: the rounds in this order, the last without the exchange of halves.
pub type Many<const N: usize> = fn(&Keys<N>, &Order, &mut [[u8; 8]; N]);

/// N blocks with general registers: `g` on each, the rounds of all between each other.
#[inline(always)]
pub fn rounds_of_words<const N: usize>(
    keys: &Keys<N>,
    order: &Order,
    blocks: &mut [[u8; 8]; N],
    g: impl Fn(u32, u32) -> u32,
) {
    let mut a1 = [0; N];
    let mut a0 = [0; N];
    for i in 0..N {
        let a = u64::from_be_bytes(blocks[i]);
        (a1[i], a0[i]) = ((a >> 32) as u32, a as u32);
    }
    for &[k, l] in order {
        let (k, l) = (&keys.0[k & 7], &keys.0[l & 7]);
        for i in 0..N {
            a1[i] ^= g(a0[i], k[i]);
        }
        for i in 0..N {
            a0[i] ^= g(a1[i], l[i]);
        }
    }
    for i in 0..N {
        blocks[i] = (u64::from(a0[i]) << 32 | u64::from(a1[i])).to_be_bytes();
    }
}
