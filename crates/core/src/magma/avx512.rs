//! The kernel for AVX-512 with bytes: its entries, and the layout for each call.
//!
//! Whole batches of 512 blocks over a known parameter set go as bit planes (`bitslice`), a few blocks by `avx2`, whose
//! vectors are filled sooner, everything else as the sets below (`kernels.rs`).
//!
//! Cycles per byte of ECB on a Xeon with AMX: the bound by operations over two ports, then as measured there.
//! - Own S-boxes, 41 operations a round for 64 blocks, and 56 to transpose: bound 1.34. Measured 1.62 to 1.67 when carries
//!   were in masks, which have one port; now they are three look-ups (`add_words`), not measured there.
//! - Known sets, 143 gates a round for 512 blocks, and 1280 to transpose: bound 0.72 (CTR 0.64). Measured 0.92 (0.84) when
//!   batches went in turn, since the carries are a chain of 31; two batches side by side were not measured there.
#![allow(unsafe_code)]

use core::array::from_mut;
use core::hint::black_box;

use super::batch;
use super::bitslice::nibbles::Plane;
use super::bitslice::{self, OneKey, Use};
use super::bytes::{self, Group, Keys, NibbleTables, Sliced};
use super::kernels::{self, avx2, sliced};
use super::lanes::{self as chains, Lane, Rule};
use super::round::Words;
use super::sbox::nibbles::Quads;
use super::schedule::{ParamSet, Schedule, prepare};
use super::sections::{self, SectionKeys};
use crate::InOut;
use crate::cipher::{Chain, Count, Direction};
use crate::kernel::BlockKernel;
use crate::simd::{self, Avx2, Avx512, Bytes256, Bytes512, Vector, align, apart};

type V = Bytes512<Avx512>;
pub(super) type Half<const N: usize> = [[Plane<V>; 32]; N];
type Two<const N: usize> = unsafe fn(&mut Half<N>, &mut Half<N>, &OneKey<Avx512>, [usize; 2]);

pub(super) const KERNEL: BlockKernel<Schedule, 8> = BlockKernel {
    name: Avx512::WORD,
    available: Avx512::available,
    prepare,
    schedules: None,
    map: Some(map),
    stream: Some(stream),
    lanes: Some(lanes),
    sections: Some(sections),
    products: None,
    next_keys: None,
};

/// From this many bytes on a batch of planes pays: one block more than four groups of bytes.
const PAD: usize = 4 * 8 * V::LEN + 8;
/// From this many bytes on two batches pay.
const TWO: usize = 64 * V::LEN + PAD;

/// A group of words in 256 bits, which is filled sooner.
type Few = Quads<Bytes256<Avx2>>;
const FEW: usize = Few::LANES;

/// Returns whether `avx2` is faster for `n` blocks or streams: they fit into its group of bytes, but not into this set's of
/// words.
fn avx2_is_faster(n: usize) -> bool {
    n > Quads::<V>::LANES && n <= <Bytes256<Avx2> as Vector>::LEN
}

sliced!(avx512, Avx512, V);

enter!(avx512 =>
    #[inline(never)]
    unsafe fn two<const SET: usize, const N: usize>(
        a: &mut Half<N>,
        b: &mut Half<N>,
        keys: &OneKey<Avx512>,
        words: [usize; 2],
    ) {
        bitslice::two::<Plane<V>, _, SET, N>(a, b, keys, words);
    }
);

enter!(avx512 =>
    #[inline(never)]
    pub(super) unsafe fn section_round(
        a: &mut Half<1>,
        b: &mut Half<1>,
        keys: &SectionKeys<Avx512>,
        word: usize,
    ) {
        const SET: usize = ParamSet::Tc26Z as usize;
        bitslice::round::<Plane<V>, _, SET, 1>(black_box(a), b, black_box(keys), word);
    }
);

/// Two rounds on planes for a set of S-boxes: of one batch; and of two, for the sets that ciphers use most.
#[derive(Clone, Copy)]
pub(super) struct Circuits {
    one: Two<1>,
    both: Option<Two<2>>,
}

impl Circuits {
    pub(super) fn of(set: u8) -> Self {
        const Z: usize = ParamSet::Tc26Z as usize;
        const A: usize = ParamSet::CryptoProA as usize;
        // On the stack: in Go's machine code there is no loader that fills in addresses among constants.
        let one: [Two<1>; 8] = [
            two::<0, 1>,
            two::<1, 1>,
            two::<2, 1>,
            two::<3, 1>,
            two::<4, 1>,
            two::<5, 1>,
            two::<6, 1>,
            two::<7, 1>,
        ];
        let both: Option<Two<2>> = match usize::from(set) {
            Z => Some(two::<Z, 2>),
            A => Some(two::<A, 2>),
            _ => None,
        };
        Circuits { one: one[usize::from(set)], both }
    }
    /// Where batches pay from `one` bytes on, and two of them from `two`.
    pub(super) fn pays<const PADS: bool>(&self, one: usize, two: usize) -> Use<PADS> {
        Use { one, two: self.both.map(|_| two) }
    }
    /// Two rounds of `batches` batches.
    #[inline(always)]
    pub(super) fn two(
        self,
        [a, b]: [&mut Half<2>; 2],
        batches: usize,
        keys: &OneKey<Avx512>,
        words: [usize; 2],
    ) {
        match (batches, self.both) {
            // SAFETY: the token that the keys hold proves the features.
            (2, Some(both)) => unsafe { both(a, b, keys, words) },
            _ => {
                let ([a, _], [b, _]) = (a, b);
                // SAFETY: as above.
                unsafe { (self.one)(from_mut(a), from_mut(b), keys, words) }
            }
        }
    }
}

enter!(avx512 =>
    unsafe fn map(s: &Schedule, direction: Direction, mut data: InOut<'_, '_>) {
        // SAFETY: this function was entered through detection.
        let isa = unsafe { Avx512::assume() };
        // SAFETY: this set has the features of `avx2`.
        let less = unsafe { Avx2::assume() };
        match data.len() / 8 {
            ..=FEW => return batch::map::<Few>(less, s, direction, data),
            // SAFETY: as above.
            n if avx2_is_faster(n) => return unsafe { avx2::map(s, direction, data) },
            _ => {}
        }
        if let Some(set) = s.sboxes.known.filter(|_| data.len() >= PAD) {
            let circuits = Circuits::of(set);
            let two = |halves: [&mut _; 2], n, keys: &_, words| circuits.two(halves, n, keys, words);
            data = bitslice::map(isa, s, direction, data, circuits.pays::<true>(PAD, TWO), two);
        }
        kernels::map::<V>(isa, s, direction, data);
    }
);
enter!(avx512 =>
    unsafe fn stream(s: &Schedule, register: &mut [u8; 8], count: Count, mut data: InOut<'_, '_>) {
        // SAFETY: this function was entered through detection.
        let isa = unsafe { Avx512::assume() };
        // SAFETY: this set has the features of `avx2`.
        let less = unsafe { Avx2::assume() };
        match data.len() / 8 {
            ..=FEW => return batch::stream::<Few>(less, s, register, count, data),
            // SAFETY: as above.
            n if avx2_is_faster(n) => return unsafe { avx2::stream(s, register, count, data) },
            _ => {}
        }
        if let Some(set) = s.sboxes.known.filter(|_| data.len() >= PAD) {
            let circuits = Circuits::of(set);
            let two = |halves: [&mut _; 2], n, keys: &_, words| circuits.two(halves, n, keys, words);
            data = bitslice::stream(isa, s, register, count, data, circuits.pays::<true>(PAD, TWO), two);
        }
        kernels::stream::<V>(isa, s, register, count, data);
    }
);
enter!(avx512 =>
    unsafe fn lanes(chain: Chain, lanes: &mut [Lane<'_>]) {
        if let [lane] = lanes {
            // SAFETY: this set has the features of `avx2`.
            let less = unsafe { Avx2::assume() };
            // With the rotations of this set: nibbles in bytes on `avx2` need 6 % more on Zen 5.
            return chains::one::<Few>(less, Rule::of(chain), lane);
        }
        if lanes.len() <= FEW || avx2_is_faster(lanes.len()) {
            // SAFETY: this set has the features of `avx2`.
            return unsafe { avx2::lanes(chain, lanes) };
        }
        // SAFETY: this function was entered through detection.
        kernels::lanes::<V>(unsafe { Avx512::assume() }, chain, lanes);
    }
);
enter!(avx512 =>
    /// Under the S-boxes of Magma, which CTR-ACPKM belongs to.
    unsafe fn sections(
        s: &mut Schedule,
        register: &mut [u8; 8],
        section: usize,
        data: InOut<'_, '_>,
    ) -> usize {
        if s.sboxes.known != Some(ParamSet::Tc26Z as u8) {
            return 0;
        }
        // SAFETY: this function was entered through detection.
        let isa = unsafe { Avx512::assume() };
        // SAFETY: this set has the features of `avx2`.
        let words = unsafe { Avx2::assume() };
        sections::stream::<Plane<V>, Few>(
            isa, words, s, register, section, data,
            // SAFETY: the token that the keys hold proves the features.
            |a, b, keys, word| unsafe { section_round(a, b, keys, word) },
        )
    }
);
