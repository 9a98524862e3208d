//! Magma (GOST R 34.12-2015, RFC 8891) and GOST 28147-89 (RFC 5830): one cipher of 32 rounds over
//! blocks of 8 bytes, in two byte orders, with S-boxes as data.
//!
//! Magma reads key words and block halves big-endian, the half a_1 first; GOST 28147-89 reads them
//! little-endian, N1 first: Magma(key, block) = rev8(G89(rev4 of every key word, rev8(block))).
//!
//! | file | is about |
//! |---|---|
//! | `round.rs` | the algorithm, the layouts, and the rounds on words: begin here |
//! | `bytes.rs`, `bitslice/` | the cipher on bytes, and on bit planes; `bitslice/portable.rs` is the portable kernel |
//! | `sbox/` | S in each layout |
//! | `batch.rs`, `lanes.rs`, `sections.rs` | drivers: independent blocks and counters; chains; ACPKM |
//! | `schedule.rs`, `counter.rs`, `constants.rs` | a key with its S-boxes, counters, the standards' constants |
//! | `kernels.rs` | the entries of the sets below AVX-512; `avx512.rs` and `gfni512/` have the entries of these two sets |

#[cfg(target_arch = "x86_64")]
mod avx512;
mod batch;
mod bitslice;
mod bytes;
mod constants;
mod counter;
#[cfg(target_arch = "x86_64")]
mod gfni512;
mod kernels;
mod lanes;
mod round;
mod sbox;
mod schedule;
mod sections;
#[cfg(feature = "vartime")]
mod vartime;

use crate::cipher::{Count, WIDTH};
use crate::kernel::{BlockKernel, Ready};
/// For the generator of kernels for GPUs.
pub use crate::simd::Gates;
use bitslice::portable;
pub use sbox::circuits::{three, two};
#[cfg(test)]
pub(crate) use schedule::NAME;
#[cfg(feature = "alloc")]
pub use schedule::kind;
pub use schedule::{Order, ParamSet, Sboxes, Schedule};

/// The kernels, fastest first.
pub static KERNELS: &[BlockKernel<Schedule, 8>] = &kernels!(kernels);

/// Returns the register of CNT `n` values on.
pub fn cnt_after(register: [u8; 8], n: u64) -> [u8; 8] {
    let mut c = counter::Counter::new(register, Count::Cnt);
    c.skip(n);
    c.register()
}

/// Returns the number of streams that fill a call of `lanes` on this kernel.
pub fn width(kernel: &Ready<BlockKernel<Schedule, 8>>) -> usize {
    #[cfg(target_arch = "x86_64")]
    if kernel.name() == gfni512::KERNEL.name {
        return gfni512::width();
    }
    let _ = kernel;
    WIDTH
}
