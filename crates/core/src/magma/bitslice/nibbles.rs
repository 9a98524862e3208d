//! Bit planes on every vector set that `Vector` covers: gates are its sums and products, or look-ups of
//! three bits where there are any.

use core::ops::{BitAnd, BitOr, BitXor, Not};
use core::sync::atomic::{Ordering, compiler_fence};

use crate::simd::{Bits, Eighths, Gates, Vector};

/// A bit of each of 8 `LEN` blocks.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(in crate::magma) struct Plane<N>(N);

impl<N: Vector> BitXor for Plane<N> {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, o: Self) -> Self {
        Plane(self.0.xor(o.0))
    }
}
impl<N: Vector> BitAnd for Plane<N> {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, o: Self) -> Self {
        Plane(self.0.and(o.0))
    }
}
impl<N: Vector> BitOr for Plane<N> {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, o: Self) -> Self {
        Plane(self.0.or(o.0))
    }
}
impl<N: Vector> Not for Plane<N> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Plane(self.0.xor(self.0.equal(self.0)))
    }
}
impl<N: Vector> Gates for Plane<N> {
    const TERNARY: bool = N::TERNARY;
    #[inline(always)]
    fn lut<const F: i32>(self, b: Self, c: Self) -> Self {
        Plane(self.0.ternary::<F>(b.0, c.0))
    }
}

/// In every 16 bytes, the first eight and the last eight alternate.
const ALTERNATE: [u8; 16] = [0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15];

impl<N: Vector> Plane<N> {
    /// In every eight bytes of eight vectors: byte i of vector j to byte j of vector i.
    #[inline(always)]
    fn transpose_bytes(isa: N::Isa, x: &mut [N; 8]) {
        let alternate = N::repeat(isa, &ALTERNATE);
        for x in x.iter_mut() {
            *x = x.lookup(alternate);
        }
        for bit in [4, 2, 1] {
            for i in 0..8 {
                if i & bit == 0 {
                    (x[i], x[i | bit]) = x[i].zip(x[i | bit]);
                }
            }
        }
    }
    /// In every byte of eight vectors: bit i of vector j to bit j of vector i.
    #[inline(always)]
    fn transpose_bits(isa: N::Isa, x: &mut [N; 8]) {
        macro_rules! stage {
            ($d:literal, $mask:literal) => {
                let mask = N::splat(isa, $mask);
                for i in 0..8 {
                    if i & $d == 0 {
                        let (a, b) = (x[i], x[i | $d]);
                        if N::SELECTS {
                            x[i] = mask.select(a, b.shl::<$d>());
                            x[i | $d] = mask.select(a.shr::<$d>(), b);
                        } else {
                            let t = a.shr::<$d>().xor(b).and(mask);
                            x[i] = a.xor(t.shl::<$d>());
                            x[i | $d] = b.xor(t);
                        }
                    }
                }
            };
        }
        stage!(4, 0x0f);
        stage!(2, 0x33);
        stage!(1, 0x55);
    }
    /// The numbers of [`Bits::index`].
    const NUMBERS: [[u8; 64]; 9] = numbers(N::LEN);
}

/// The bits of the numbers of the blocks in a plane of `len` bytes. Row 8 g + l has the blocks
/// len / 8 (8 g + l) + c; byte 8 c + g of a plane has bit l of it.
const fn numbers(len: usize) -> [[u8; 64]; 9] {
    let mut table = [[0; 64]; 9];
    let mut i = 0;
    while i < 8 * len {
        let (byte, l) = (i / 8, i % 8);
        let number = len / 8 * (8 * (byte % 8) + l) + byte / 8;
        let mut bit = 0;
        while bit < 9 {
            table[bit][byte] |= ((number >> bit & 1) as u8) << l;
            bit += 1;
        }
        i += 1;
    }
    table
}

impl<N: Vector> Bits for Plane<N> {
    type Isa = N::Isa;
    type Gate = Self;
    const STEPS: usize = 1;
    const BYTES: usize = N::LEN;
    #[inline(always)]
    fn splat(isa: N::Isa, mask: u32) -> Self {
        Plane(N::splat_quad(isa, mask))
    }
    #[inline(always)]
    fn splat_gate(isa: N::Isa, mask: u32) -> Self {
        Self::splat(isa, mask)
    }
    #[inline(always)]
    fn part(&self, _: usize) -> Self {
        *self
    }
    #[inline(always)]
    fn set_part(&mut self, _: usize, part: Self) {
        *self = part;
    }
    #[inline(always)]
    fn read(isa: N::Isa, bytes: &[u8]) -> Self {
        Plane(N::load(isa, bytes))
    }
    #[inline(always)]
    fn write(self, bytes: &mut [u8]) {
        self.0.store(bytes);
    }
    #[inline(always)]
    fn rows_in(isa: N::Isa, half: &mut [Self; 64], mut row: impl FnMut(usize) -> Self) {
        for (l, half) in half.as_chunks_mut::<8>().0.iter_mut().enumerate() {
            let mut x = [N::splat(isa, 0); 8];
            for (g, x) in x.iter_mut().enumerate() {
                *x = row(8 * g + l).0;
            }
            Self::transpose_bytes(isa, &mut x);
            *half = x.map(Plane);
        }
    }
    #[inline(always)]
    fn planes_out(isa: N::Isa, turn: usize, half: &[Self; 64], mut plane: impl FnMut(usize, Self)) {
        for i in 0..8 {
            let mut x = [N::splat(isa, 0); 8];
            for (l, x) in x.iter_mut().enumerate() {
                *x = half[8 * l + i].0;
            }
            Self::transpose_bits(isa, &mut x);
            // Eight planes at a time, or the compiler makes addresses in vectors.
            let to = (i ^ turn) & 7;
            for (j, x) in x.into_iter().enumerate() {
                plane(8 * to + j, Plane(x));
            }
        }
    }
    #[inline(always)]
    fn planes_in(
        isa: N::Isa,
        turn: usize,
        half: &mut [Self; 64],
        mut plane: impl FnMut(usize) -> Self,
    ) {
        for (i, half) in half.as_chunks_mut::<8>().0.iter_mut().enumerate() {
            let from = (i ^ turn) & 7;
            let mut x = [N::splat(isa, 0); 8];
            for (j, x) in x.iter_mut().enumerate() {
                *x = plane(8 * from + j).0;
            }
            Self::transpose_bits(isa, &mut x);
            *half = x.map(Plane);
        }
    }
    #[inline(always)]
    fn rows_out(isa: N::Isa, half: &[Self; 64], mut row: impl FnMut(usize, Self)) {
        for l in 0..8 {
            let mut x = [N::splat(isa, 0); 8];
            for (i, x) in x.iter_mut().enumerate() {
                *x = half[8 * i + l].0;
            }
            Self::transpose_bytes(isa, &mut x);
            for (g, x) in x.into_iter().enumerate() {
                row(8 * g + l, Plane(x));
            }
        }
    }
    #[inline(always)]
    fn index(isa: N::Isa, bit: usize) -> Self {
        Plane(N::load(isa, &Self::NUMBERS[bit]))
    }
    #[inline(always)]
    fn barrier() {
        compiler_fence(Ordering::SeqCst);
    }
}

impl<N: Vector> Eighths for Plane<N> {
    #[inline(always)]
    fn eighths(isa: N::Isa, bytes: u64) -> Self {
        let twice = u128::from(bytes) << 64 | u128::from(bytes);
        Plane(N::repeat(isa, &twice.to_ne_bytes()))
    }
}
