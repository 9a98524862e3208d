//! Products of polynomials by integer multiplication, in safe Rust.
//!
//! A word is split into four, each with every fourth bit; in the product of two such words the columns
//! are sums of at most 16 ones, and a column has four bits of room, so the lowest bit of each is the sum
//! modulo 2 as long as there are at most 15. So the highest four bits are multiplied apart.
//!
//! Constant-time where the multiplication of 64-bit integers is: on every 64-bit processor that we know
//! of. (Some small 32-bit cores multiply faster by small numbers.)

use crate::kernel::GfKernel;
use crate::simd::{Polynomials, Portable};

pub(super) const KERNEL: GfKernel = GfKernel {
    name: Portable::WORD,
    available: || true,
    fused: false,
    mac64,
    mac128,
    powers: super::sums::powers,
    add: super::sums::add,
    counters: super::sums::counters,
};

fn mac64(acc: &mut [u8; 8], h: &[u8], a: &[u8]) {
    super::sums::mac64::<Sums>(Portable::TOKEN, acc, h, a);
}
fn mac128(acc: &mut [u8; 16], h: &[u8], a: &[u8]) {
    super::sums::mac128::<Sums>(Portable::TOKEN, acc, h, a);
}

/// Low, middle and high parts of a sum of products; while it grows the middle part lacks the others
/// (Karatsuba).
#[derive(Clone, Copy)]
struct Sums([u128; 3]);

impl Polynomials for Sums {
    type Isa = Portable;
    const LEN: usize = 16;

    #[inline(always)]
    fn zero(_: Portable) -> Self {
        Sums([0; 3])
    }
    #[inline(always)]
    fn add_whole(self, h: &[u8], a: &[u8]) -> Self {
        let Sums([low, middle, high]) = self;
        let ([h1, h0], [a1, a0]) = (words(h), words(a));
        let (l, h, m) = (product(h0, a0), product(h1, a1), product(h0 ^ h1, a0 ^ a1));
        Sums([low ^ l, middle ^ l ^ h ^ m, high ^ h])
    }
    #[inline(always)]
    fn add_halves(self, h: &[u8], a: &[u8]) -> Self {
        let Sums([low, middle, high]) = self;
        let ([h1, h0], [a1, a0]) = (words(h), words(a));
        Sums([low ^ product(h0, a0) ^ product(h1, a1), middle, high])
    }
    #[inline(always)]
    fn parts(self) -> [u128; 3] {
        self.0
    }
}

/// Two words; of 8 bytes the second is zero.
#[inline(always)]
fn words(x: &[u8]) -> [u64; 2] {
    let word = |i| x.as_chunks().0.get(i).map_or(0, |x| u64::from_be_bytes(*x));
    [word(0), word(1)]
}

/// The product of two polynomials of degree 63.
#[inline(always)]
fn product(x: u64, y: u64) -> u128 {
    const EVERY_FOURTH: u128 = 0x1111_1111_1111_1111_1111_1111_1111_1111;
    let split = |x: u64| core::array::from_fn(|i| x & (EVERY_FOURTH as u64) << i);
    let (a, b): ([u64; 4], [u64; 4]) = (split(x << 4 >> 4), split(y));
    let mut sum = 0;
    for i in 0..4 {
        let columns = (0..4).map(|j| u128::from(a[j]) * u128::from(b[(4 + i - j) % 4]));
        let columns = columns.fold(0, core::ops::BitXor::bitxor);
        sum |= columns & EVERY_FOURTH << i;
    }
    for i in 60..64 {
        sum ^= u128::from(y & 0u64.wrapping_sub(x >> i & 1)) << i;
    }
    sum
}
