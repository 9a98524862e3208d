//! S by GFNI, in the field of AES: π by nibbles (see [`super`]), of Φ(x) for x = l + 2r.
//!
//! ```text
//! r = right * x                             the part in the subfield, by an affine map
//! p = x * inverse[r]                        a multiple of φ(x/r) = φ(l/r + 2), which tells the class l/r
//! q = r * phi[p]
//! y = k[p] ^ sigma[q] ^ (r == 0 ? e[x] : 0)
//! ```
//!
//! Look-ups use the low nibble and give 0 where bit 7 is set. So the tables need elements with bit 7 clear that differ in
//! their low nibbles: `SCALE` makes Φ of the subfield so, [`CLASS`] the multiples of φ(x/r). l itself is never computed.
#![allow(unsafe_code)]

use core::marker::PhantomData;

use super::{COORDINATES, ELEMENTS, LOGARITHMS};
use crate::simd::Gfni256;
use crate::simd::arch::*;
use crate::streebog::constants::aes::{AES, INVERSE, PHI, SCALE, STATE, affine};
use crate::streebog::constants::multiply;

/// The tables of π in the order of their use.
struct Subfield {
    /// Φ(r) of Φ(x) for `gf2p8affineqb`.
    right: u64,
    /// Indexed by Φ(r): the factor from Φ(x) to [`CLASS`] · φ(x/r); 0 for 0.
    inverse: [u8; 16],
    /// Indexed by the class: Φ(K(l/r)).
    k: [u8; 16],
    /// Indexed by the class: φ of TKlog's φ(l/r).
    phi: [u8; 16],
    /// Indexed by Φ(r · φ(l/r)): Φ(σ), 0 for 0.
    sigma: [u8; 16],
    /// Indexed by Φ(l): Φ(E(l)) plus `k` at 0.
    e: [u8; 16],
}

static SUBFIELD: Subfield = {
    let mut t = Subfield {
        right: 0,
        inverse: [0; 16],
        k: [0; 16],
        phi: [0; 16],
        sigma: [0; 16],
        e: [0; 16],
    };
    let (mut right, mut v) = ([0; 256], 0);
    while v < 8 {
        let r = COORDINATES[INVERSE[1 << v] as usize] / 16;
        right[1 << v] = STATE[ELEMENTS[r as usize] as usize];
        v += 1;
    }
    t.right = affine(&right);
    let mut n = 0;
    while n < 16 {
        let (element, log) = (ELEMENTS[n], LOGARITHMS[n] as usize);
        let class = multiply(CLASS, PHI[(element ^ 2) as usize], AES) as usize % 16;
        t.k[class] = STATE[super::K[log] as usize];
        t.phi[class] = PHI[generator_to(super::PHI[log] as usize) as usize];
        if n != 0 {
            let at = STATE[element as usize] as usize % 16;
            t.inverse[at] = multiply(RATIO, PHI[generator_to(15 - log) as usize], AES);
            t.sigma[at] = STATE[super::SIGMA[log] as usize];
        }
        n += 1;
    }
    let mut n = 0;
    while n < 16 {
        let at = STATE[ELEMENTS[n] as usize] as usize % 16;
        t.e[at] = STATE[super::K[super::E[n] as usize] as usize] ^ t.k[0];
        n += 1;
    }
    t
};

/// g^i.
const fn generator_to(i: usize) -> u8 {
    let mut n = 1;
    while LOGARITHMS[n] as usize != i % 15 {
        n += 1;
    }
    ELEMENTS[n]
}

/// The first of the products of `SCALE` and an element of the subfield with bit 7 clear in its product by φ(2), and
/// so in all by φ(l/r + 2); and that element.
const CLASS: u8 = multiply(SCALE, RATIO, AES);
const RATIO: u8 = {
    let mut n = 1;
    while multiply(multiply(SCALE, PHI[ELEMENTS[n] as usize], AES), PHI[2], AES) >= 0x80 {
        n += 1;
    }
    PHI[ELEMENTS[n] as usize]
};

/// The tables of [`SUBFIELD`] in vectors; exists only where the instruction set does.
#[derive(Clone, Copy)]
pub(in crate::streebog) struct Sbox256<I> {
    right: __m256i,
    tables: [__m256i; 5],
    isa: PhantomData<I>,
}

impl<I: Gfni256> Sbox256<I> {
    #[inline(always)]
    pub(in crate::streebog) fn new(_: I) -> Self {
        let s = &SUBFIELD;
        // SAFETY: the token proves the instruction set; a table has 16 bytes.
        unsafe {
            let t = |t: &[u8; 16]| _mm256_broadcastsi128_si256(_mm_loadu_si128(t.as_ptr().cast()));
            Sbox256 {
                right: _mm256_set1_epi64x(s.right as i64),
                tables: [t(&s.inverse), t(&s.k), t(&s.phi), t(&s.sigma), t(&s.e)],
                isa: PhantomData,
            }
        }
    }
    /// π in the image.
    #[inline(always)]
    pub(in crate::streebog) fn substitute(&self, x: __m256i) -> __m256i {
        let Sbox256 { right, tables: [inverse, k, phi, sigma, e], .. } = *self;
        // SAFETY: a value of this type proves the instruction set.
        unsafe {
            let r = _mm256_gf2p8affine_epi64_epi8::<0>(x, right);
            let p = _mm256_gf2p8mul_epi8(x, _mm256_shuffle_epi8(inverse, r));
            let q = _mm256_gf2p8mul_epi8(r, _mm256_shuffle_epi8(phi, p));
            let zero = _mm256_cmpeq_epi8(r, _mm256_setzero_si256());
            let e = _mm256_and_si256(_mm256_shuffle_epi8(e, x), zero);
            let y = _mm256_xor_si256(_mm256_shuffle_epi8(k, p), e);
            _mm256_xor_si256(y, _mm256_shuffle_epi8(sigma, q))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pi::PI;

    #[test]
    fn pi_by_nibbles() {
        let Subfield { right, inverse, k, phi, sigma, e } = &SUBFIELD;
        let apply = |matrix: u64, x: u8| {
            (0..8).fold(0, |y, i| {
                let row = (matrix >> (8 * (7 - i))) as u8;
                y | (((row & x).count_ones() % 2) as u8) << i
            })
        };
        let look = |table: &[u8; 16], i: u8| if i < 128 { table[usize::from(i % 16)] } else { 0 };
        for x in 0..=255u8 {
            let image = STATE[usize::from(x)];
            let r = apply(*right, image);
            let p = multiply(image, look(inverse, r), AES);
            let q = multiply(r, look(phi, p), AES);
            let y = look(k, p) ^ look(sigma, q) ^ if r == 0 { look(e, image) } else { 0 };
            assert_eq!(y, STATE[usize::from(PI[usize::from(x)])], "{x}");
        }
    }
}
