//! Streebog on AVX-512 with VBMI and GFNI: the entries.
#![allow(unsafe_code)]

use super::rounds;
use crate::kernel::{HashKernel, HashLane};
use crate::simd::{Gfni512, Matrix512};

pub(super) const KERNEL: HashKernel =
    HashKernel { name: Gfni512::WORD, available: Gfni512::available, blocks, finish };

enter!(gfni512 =>
    fn blocks(lanes: &mut [HashLane<'_>]) {
        // SAFETY: a kernel's functions are called only where `available()` is true.
        let isa = unsafe { Gfni512::assume() };
        let (eights, rest) = lanes.as_chunks_mut::<8>();
        for lanes in eights {
            rounds::blocks::<Matrix512, 8>(isa, lanes);
        }
        let (pairs, one) = rest.as_chunks_mut::<2>();
        for lanes in pairs {
            rounds::blocks::<Matrix512, 2>(isa, lanes);
        }
        if let [lane] = one {
            rounds::blocks::<Matrix512, 1>(isa, core::array::from_mut(lane));
        }
    }
);
enter!(gfni512 =>
    fn finish(lanes: &mut [HashLane<'_>]) {
        // SAFETY: a kernel's functions are called only where `available()` is true.
        let isa = unsafe { Gfni512::assume() };
        let (eights, rest) = lanes.as_chunks_mut::<8>();
        for lanes in eights {
            rounds::finish::<Matrix512, 8>(isa, lanes);
        }
        let (pairs, one) = rest.as_chunks_mut::<2>();
        for lanes in pairs {
            rounds::finish::<Matrix512, 2>(isa, lanes);
        }
        if let [lane] = one {
            rounds::finish::<Matrix512, 1>(isa, core::array::from_mut(lane));
        }
    }
);
