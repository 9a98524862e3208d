//! Kuznyechik on AVX-512 with VBMI and GFNI: the entries.
#![allow(unsafe_code)]

use super::{Schedule, lanes, vectors};
use crate::InOut;
use crate::kernel::{BlockKernel, Chain, Count, Direction, Lane};
use crate::simd::{Bytes512, Gfni512};

pub(super) const KERNEL: BlockKernel<Schedule, 16> = BlockKernel {
    name: Gfni512::WORD,
    available: Gfni512::available,
    prepare,
    map: Some(map),
    stream: Some(stream),
    lanes: Some(lanes),
};

enter!(gfni512 =>
    fn prepare(key: &[u8; 32], s: &mut Schedule) {
        // SAFETY: a kernel's functions are called only where `available()` is true.
        let isa = unsafe { Gfni512::assume() };
        vectors::prepare::<Bytes512>(isa, key, s);
    }
);
enter!(gfni512 =>
    fn map(s: &Schedule, direction: Direction, data: InOut<'_, '_>) {
        // SAFETY: a kernel's functions are called only where `available()` is true.
        let isa = unsafe { Gfni512::assume() };
        // Each direction is compiled by itself.
        match direction {
            Direction::Encrypt => vectors::map::<Bytes512>(isa, s, Direction::Encrypt, data),
            Direction::Decrypt => vectors::map::<Bytes512>(isa, s, Direction::Decrypt, data),
        }
    }
);
enter!(gfni512 =>
    fn stream(s: &Schedule, counter: &mut [u8; 16], count: Count, data: InOut<'_, '_>) {
        // SAFETY: a kernel's functions are called only where `available()` is true.
        let isa = unsafe { Gfni512::assume() };
        vectors::stream::<Bytes512>(isa, s, counter, count, data);
    }
);
enter!(gfni512 =>
    fn lanes(chain: Chain, lanes: &mut [Lane<'_, Schedule, 16>]) {
        // SAFETY: a kernel's functions are called only where `available()` is true.
        let isa = unsafe { Gfni512::assume() };
        lanes::run::<Bytes512>(isa, chain, lanes);
    }
);
