//! The kernel for AVX-512 with VBMI and GFNI: its entries, and which layout serves a call.
//!
//! Whole batches of 512 blocks over a known parameter set go through bit planes (`bits`), everything
//! else through vectors of words (`rounds`). Where vpermb has one port, as on Intel, words cannot go
//! below 1.0 cycle per octet, planes take 0.56 for the rounds; on Zen 5, two ports, they are level.
#![allow(unsafe_code)]

use super::bits::{self, Halves, OneKey};
use super::chain::{self, Lane, Rule};
use super::{Schedule, portable, rounds};
use crate::InOut;
use crate::kernel::{BlockKernel, Chain, Count, Direction};
use crate::simd::{Bits, Gfni512, Zmm};

pub(super) const KERNEL: BlockKernel<Schedule, 8> = BlockKernel {
    name: Gfni512::WORD,
    available: Gfni512::available,
    prepare: portable::prepare,
    map: Some(map),
    stream: Some(stream),
    lanes: Some(lanes),
};

/// Octets of a batch of planes.
const BATCH: usize = 64 * Zmm::OCTETS;

type Rounds = unsafe fn(&mut Halves<Zmm>, &OneKey<Gfni512>, Direction);

enter!(gfni512 =>
    #[inline(never)]
    unsafe fn planes<const SET: usize>(h: &mut Halves<Zmm>, keys: &OneKey<Gfni512>, d: Direction) {
        bits::rounds::<Zmm, _, SET>(h, keys, d, 32);
    }
);

/// The rounds on planes, compiled for every parameter set.
const PLANES: [Rounds; 8] = [
    planes::<0>,
    planes::<1>,
    planes::<2>,
    planes::<3>,
    planes::<4>,
    planes::<5>,
    planes::<6>,
    planes::<7>,
];

enter!(gfni512 =>
    unsafe fn map(s: &Schedule, direction: Direction, mut data: InOut<'_, '_>) {
        // SAFETY: this function was entered through detection.
        let isa = unsafe { Gfni512::assume() };
        if let Some(set) = s.sboxes.known.filter(|_| data.len() >= BATCH) {
            let planes = PLANES[usize::from(set)];
            data = bits::map::<Zmm>(isa, s, data, |h, keys| {
                // SAFETY: as above.
                unsafe { planes(h, keys, direction) }
            });
        }
        rounds::map::<Zmm>(isa, s, direction, data);
    }
);

enter!(gfni512 =>
    unsafe fn stream(s: &Schedule, register: &mut [u8; 8], count: Count, mut data: InOut<'_, '_>) {
        // SAFETY: this function was entered through detection.
        let isa = unsafe { Gfni512::assume() };
        if let Some(set) = s.sboxes.known.filter(|_| data.len() >= BATCH) {
            let planes = PLANES[usize::from(set)];
            data = bits::stream::<Zmm>(isa, s, register, count, data, |h, keys| {
                // SAFETY: as above.
                unsafe { planes(h, keys, Direction::Encrypt) }
            });
        }
        rounds::stream::<Zmm>(isa, s, register, count, data);
    }
);

enter!(gfni512 =>
    unsafe fn lanes(chain: Chain, lanes: &mut [Lane<'_>]) {
        // SAFETY: this function was entered through detection.
        let isa = unsafe { Gfni512::assume() };
        let mut rest = lanes;
        while !rest.is_empty() {
            let (some, others) = rest.split_at_mut(chain::alike(rest));
            rounds::lanes::<Zmm>(isa, Rule::of(chain), some);
            rest = others;
        }
    }
);
