//! Bit planes in safe Rust: u64 words, two side by side, which compilers turn into 128-bit vectors.

use core::array::from_fn;
use core::ops::{BitAnd, BitOr, BitXor, Not};

use super::{Bits, Gates, Portable};

impl Gates for u64 {
    const TERNARY: bool = false;
    /// Only for tests of the circuits: all eight minterms.
    #[inline(always)]
    fn lut<const F: i32>(self, b: Self, c: Self) -> Self {
        let pick = |x: u64, one: usize| if one == 1 { x } else { !x };
        (0..8)
            .filter(|i| F >> i & 1 == 1)
            .map(|i| pick(self, i >> 2) & pick(b, i >> 1 & 1) & pick(c, i & 1))
            .fold(0, |a, m| a | m)
    }
}

/// `L` words of u64: 64 L blocks in a batch; block r L + l is bit r of word l.
#[derive(Clone, Copy)]
pub(crate) struct Integers<const L: usize>([u64; L]);

impl<const L: usize> BitXor for Integers<L> {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, o: Self) -> Self {
        Integers(from_fn(|l| self.0[l] ^ o.0[l]))
    }
}
impl<const L: usize> BitAnd for Integers<L> {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, o: Self) -> Self {
        Integers(from_fn(|l| self.0[l] & o.0[l]))
    }
}
impl<const L: usize> BitOr for Integers<L> {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, o: Self) -> Self {
        Integers(from_fn(|l| self.0[l] | o.0[l]))
    }
}
impl<const L: usize> Not for Integers<L> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Integers(self.0.map(|x| !x))
    }
}
impl<const L: usize> Gates for Integers<L> {
    const TERNARY: bool = false;
    #[inline(always)]
    fn lut<const F: i32>(self, b: Self, c: Self) -> Self {
        Integers(from_fn(|l| self.0[l].lut::<F>(b.0[l], c.0[l])))
    }
}

impl<const L: usize> Bits for Integers<L> {
    type Isa = Portable;
    // Compilers vectorise a loop over plain words; a struct of words through a whole round is
    // not.
    type Gate = u64;
    const STEPS: usize = L;
    const BYTES: usize = 8 * L;
    #[inline(always)]
    fn splat(isa: Portable, mask: u32) -> Self {
        Integers([Self::splat_gate(isa, mask); L])
    }
    #[inline(always)]
    fn splat_gate(_: Portable, mask: u32) -> u64 {
        u64::from(mask) << 32 | u64::from(mask)
    }
    #[inline(always)]
    fn part(&self, i: usize) -> u64 {
        self.0[i]
    }
    #[inline(always)]
    fn set_part(&mut self, i: usize, part: u64) {
        self.0[i] = part;
    }
    #[inline(always)]
    fn read(_: Portable, bytes: &[u8]) -> Self {
        let (words, _) = bytes.as_chunks::<8>();
        Integers(from_fn(|l| u64::from_le_bytes(words[l])))
    }
    #[inline(always)]
    fn write(self, bytes: &mut [u8]) {
        let (words, _) = bytes.as_chunks_mut::<8>();
        for (w, x) in words.iter_mut().zip(self.0) {
            *w = x.to_le_bytes();
        }
    }
    #[inline(always)]
    fn rows_in(_: Portable, half: &mut [Self; 64], row: impl FnMut(usize) -> Self) {
        *half = from_fn(row);
        transpose(half);
    }
    #[inline(always)]
    fn planes_out(_: Portable, turn: usize, half: &[Self; 64], mut plane: impl FnMut(usize, Self)) {
        for (i, x) in half.iter().enumerate() {
            plane(i ^ (8 * turn), *x);
        }
    }
    #[inline(always)]
    fn planes_in(
        _: Portable,
        turn: usize,
        half: &mut [Self; 64],
        mut plane: impl FnMut(usize) -> Self,
    ) {
        *half = from_fn(|i| plane(i ^ (8 * turn)));
        transpose(half);
    }
    #[inline(always)]
    fn rows_out(_: Portable, half: &[Self; 64], mut row: impl FnMut(usize, Self)) {
        for (r, x) in half.iter().enumerate() {
            row(r, *x);
        }
    }
    #[inline(always)]
    fn index(_: Portable, bit: usize) -> Self {
        const R: [u64; 6] = [
            0xaaaa_aaaa_aaaa_aaaa,
            0xcccc_cccc_cccc_cccc,
            0xf0f0_f0f0_f0f0_f0f0,
            0xff00_ff00_ff00_ff00,
            0xffff_0000_ffff_0000,
            0xffff_ffff_0000_0000,
        ];
        let low = L.trailing_zeros() as usize;
        Integers(from_fn(|l| match bit.checked_sub(low) {
            None => 0u64.wrapping_sub((l >> bit & 1) as u64),
            Some(bit) => R.get(bit).copied().unwrap_or(0),
        }))
    }
}

/// Transposes 64 x 64 bits in every column of words: six stages of exchanges at distance 32, 16, .. 1.
#[inline(never)]
fn transpose<const L: usize>(x: &mut [Integers<L>; 64]) {
    stage::<32, L>(x);
    stage::<16, L>(x);
    stage::<8, L>(x);
    stage::<4, L>(x);
    stage::<2, L>(x);
    stage::<1, L>(x);
}

#[inline(always)]
fn stage<const D: usize, const L: usize>(x: &mut [Integers<L>; 64]) {
    // The low D bits of every 2 D.
    let mask = u64::MAX / ((1 << D) + 1);
    for pair in x.chunks_exact_mut(2 * D) {
        let (low, high) = pair.split_at_mut(D);
        for (a, b) in low.iter_mut().zip(high) {
            for l in 0..L {
                let t = (a.0[l] >> D ^ b.0[l]) & mask;
                b.0[l] ^= t;
                a.0[l] ^= t << D;
            }
        }
    }
}
