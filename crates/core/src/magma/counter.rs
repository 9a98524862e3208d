//! The counters of the `stream` shape as numbers, so that kernels reach any value of them at once.
//!
//! GOST R 34.13-2015, section 5.2 (CTR); RFC 9058 (MGM); RFC 5830, section 6 (the register N3, N4).

use super::round::Words;
use super::schedule::Order;
use crate::cipher::Count;

/// C2 and C1 of RFC 5830, section 6: the steps of N3 and N4.
const C2: u32 = 0x0101_0101;
const C1: u32 = 0x0101_0104;
const M: u64 = 0xffff_ffff;

/// A counter: the register's bytes as a number, big-endian, or little-endian for [`Count::Cnt`] (N3 is
/// the low half).
pub(super) struct Counter {
    pub(super) count: Count,
    number: u64,
}

impl Counter {
    #[inline(always)]
    pub(super) fn new(register: [u8; 8], count: Count) -> Self {
        let number = if count == Count::Cnt {
            u64::from_le_bytes(register)
        } else {
            u64::from_be_bytes(register)
        };
        Counter { count, number }
    }

    /// The register as it is left for the next call.
    #[inline(always)]
    pub(super) fn register(&self) -> [u8; 8] {
        if self.count == Count::Cnt { self.number.to_le_bytes() } else { self.number.to_be_bytes() }
    }

    /// The number now: its low and high words.
    #[inline(always)]
    pub(super) fn words(&self) -> (u32, u32) {
        (self.number as u32, (self.number >> 32) as u32)
    }

    /// `n` values on.
    #[inline(always)]
    pub(super) fn skip(&mut self, n: u64) {
        if n != 0 {
            self.number = step(self.count, self.number, n);
        }
    }

    /// The bytes of the value that the block `i` from here uses.
    #[inline(always)]
    pub(super) fn value(&self, i: u64) -> [u8; 8] {
        let mut c = Counter { count: self.count, number: self.number };
        // The register of RFC 5830 is stepped before it is used.
        c.skip(i + u64::from(self.count == Count::Cnt));
        c.register()
    }

    /// The bytes of the number now, and of the number 256 values on, the half that counts first. Not for
    /// [`Count::Cnt`], but for its number now.
    #[inline(always)]
    pub(super) fn window(&self) -> [u8; 16] {
        let now = if self.count == Count::Left { self.number.rotate_left(32) } else { self.number };
        let next = now.wrapping_add(256);
        let next = if self.count == Count::Whole { next } else { now & !M | next & M };
        (u128::from(next) << 64 | u128::from(now)).to_le_bytes()
    }

    /// Byte i of the groups of a layout in bytes, N1 first, is byte i xor this of [`Counter::window`].
    #[inline(always)]
    pub(super) fn flip(&self, order: Order) -> usize {
        match (self.count, order) {
            (Count::Cnt, _) | (Count::Whole | Count::Right, Order::Magma) => 0,
            (Count::Left, Order::Magma) => 4,
            (Count::Whole | Count::Right, Order::Gost28147) => 7,
            (Count::Left, Order::Gost28147) => 3,
        }
    }
}

/// The number `n` >= 1 values after `number`.
pub(super) const fn step(count: Count, number: u64, n: u64) -> u64 {
    let (low, high) = (number as u32, (number >> 32) as u32);
    let (low, high) = match count {
        Count::Whole => return number.wrapping_add(n),
        Count::Right => (low.wrapping_add(n as u32), high),
        Count::Left => (low, high.wrapping_add(n as u32)),
        Count::Cnt => {
            // n C1 mod 2^32 - 1 as a value of 1..=2^32 - 1; to add it with the end-around carry is then
            // the same as n single steps, zero's two forms included.
            let sum = high as u64 + (n % M * C1 as u64 + M - 1) % M + 1;
            (low.wrapping_add((n as u32).wrapping_mul(C2)), (sum + (sum >> 32)) as u32)
        }
    };
    low as u64 | (high as u64) << 32
}

/// Blocks of the largest batch.
const BATCH: usize = 512;

/// The steps of the first blocks, little-endian: the lane of block i adds its own to the register's words.
const fn steps<const N: usize>(count: Count) -> [[u8; 8]; N] {
    let mut table = [[0; 8]; N];
    let mut i = 0;
    while i < N {
        let n = i as u64 + matches!(count, Count::Cnt) as u64;
        if n != 0 {
            table[i] = step(count, 0, n).to_le_bytes();
        }
        i += 1;
    }
    table
}
static UP: [[u8; 8]; LANES] = steps(Count::Whole);
static LEFT: [[u8; 8]; LANES] = steps(Count::Left);
static CNT: [[u8; 8]; BATCH] = steps(Count::Cnt);

/// The words at `at` of the steps of the first blocks.
const fn words(count: Count, at: usize) -> [u32; LANES] {
    let (steps, mut words, mut i) = (steps::<LANES>(count), [0; LANES], 0);
    while i < LANES {
        words[i] = (u64::from_le_bytes(steps[i]) >> (32 * at)) as u32;
        i += 1;
    }
    words
}
static UP_WORDS: [u32; LANES] = words(Count::Whole, 0);
static CNT_WORDS: [[u32; LANES]; 2] = [words(Count::Cnt, 0), words(Count::Cnt, 1)];

/// The most blocks that go side by side in words: twelve groups of sixteen.
const LANES: usize = 12 * 16;

/// The steps to add to the words of the register for each of [`LANES`] blocks, or more.
#[inline(always)]
pub(super) fn lane_steps(count: Count) -> &'static [u8] {
    match count {
        Count::Whole | Count::Right => UP.as_flattened(),
        Count::Left => LEFT.as_flattened(),
        Count::Cnt => CNT.as_flattened(),
    }
}

/// The steps to add to the low and the high words of the register for each block of group `g`.
#[inline(always)]
pub(super) fn lane_words<W: Words>(isa: W::Isa, count: Count, g: usize) -> (W, W) {
    let words = match count {
        Count::Whole | Count::Right | Count::Left => [&UP_WORDS; 2],
        Count::Cnt => [&CNT_WORDS[0], &CNT_WORDS[1]],
    };
    let at = g * W::LANES;
    let [low, high] = words;
    W::words(isa, &lane_steps(count)[8 * at..], [&low[at..], &high[at..]])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Jumps equal single steps of the register of RFC 5830, at zero's two forms and the carries.
    #[test]
    fn jumps_are_steps() {
        for start in [0, 1, M, M - 1, M - u64::from(C1), M - u64::from(C1) + 1, 0x8000_0000] {
            let start = start << 32 | 0xfefe_fe00;
            let (mut n3, mut n4) = (start as u32, (start >> 32) as u32);
            for n in 1..1000 {
                n3 = n3.wrapping_add(C2);
                let (sum, carry) = n4.overflowing_add(C1);
                n4 = sum + u32::from(carry);
                let want = u64::from(n4) << 32 | u64::from(n3);
                assert_eq!(step(Count::Cnt, start, n), want, "{start:x} + {n}");
            }
        }
        // A whole period of N4, and more than 2^32 of them.
        assert_eq!(step(Count::Cnt, 5 << 32, M) >> 32, 5);
        assert_eq!(step(Count::Cnt, 5 << 32, M * M) >> 32, 5);
    }
}
