//! Magma (GOST R 34.12-2015, RFC 8891) and GOST 28147-89 (RFC 5830): one cipher of 32 rounds over
//! blocks of 8 bytes, in two byte orders, with S-boxes as data.
//!
//! Magma reads key words and block halves big-endian, the half a_1 first; GOST 28147-89 reads them
//! little-endian, N1 first: Magma(key, block) = rev8(G89(rev4 of every key word, rev8(block))).

#[macro_use]
mod groups;

mod bits;
mod chain;
mod circuits;
mod counter;
mod each;
#[cfg(target_arch = "x86_64")]
mod gfni512;
mod nibbles;
mod order;
mod planes;
mod portable;
mod quads;
mod rounds;
mod rows;
mod sboxes;
mod scalar;
mod schedule;
mod sections;
mod sliced;
#[cfg(feature = "vartime")]
mod vartime;
mod words;

use crate::cipher::Count;
use crate::kernel::{BlockKernel, Ready};
pub use order::Order;
#[cfg(test)]
pub(crate) use schedule::NAME;
pub use schedule::{ParamSet, Sboxes, Schedule};

/// The kernels, fastest first.
pub static KERNELS: &[BlockKernel<Schedule, 8>] = &BlockKernel::list(kernels!(sliced));

/// The register of CNT `n` values on.
pub fn cnt_after(register: [u8; 8], n: u64) -> [u8; 8] {
    let mut c = counter::Counter::new(register, Count::Cnt);
    c.skip(n);
    c.register()
}

/// Streams that fill a call of `lanes` on this kernel, where it has a number of its own.
pub fn width(kernel: &Ready<BlockKernel<Schedule, 8>>) -> Option<usize> {
    #[cfg(target_arch = "x86_64")]
    if kernel.name() == gfni512::KERNEL.name {
        return gfni512::width();
    }
    let _ = kernel;
    None
}
