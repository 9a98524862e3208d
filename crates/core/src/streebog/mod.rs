//! Streebog-256 and Streebog-512, the hash functions of GOST R 34.11-2012 (RFC 6986).
//!
//! Bytes are in memory order: a message in the order in which it is sent, a digest as every
//! implementation prints it. The RFC prints both as numbers, so reversed. Bits are not supported: a
//! message is whole bytes, at most 2^509 − 1 of them.
//!
//! No kernel looks anything up by a secret or branches on a secret; how long a message is, is public.
//!
//! | file | is about |
//! |---|---|
//! | `round/` | the algorithm, the layouts, and the rounds by GFNI (`field.rs`) and by nibbles: begin with `mod.rs` |
//! | `sbox/` | S on the vectors of each set |
//! | `batch.rs`, `lanes.rs` | drivers: messages in groups, and their ends; one message or two; eight or four side by side |
//! | `counter.rs`, `constants/` | N and the sum of a message, the last block; the standard's constants |
//! | `kernels.rs` | the entries of each set; `gfni256.rs`, `gfni512.rs` have the forms of these two sets |
//! | `bitslice.rs` | the portable kernel |

mod batch;
mod bitslice;
mod constants;
mod counter;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod gfni256;
#[cfg(target_arch = "x86_64")]
mod gfni512;
mod kernels;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod lanes;
mod round;
mod sbox;
#[cfg(feature = "vartime")]
mod vartime;

use crate::kernel::{HashKernel, Picked, Primitive};
/// For the generators of assembly and of kernels for GPUs.
pub use constants::A;
pub use counter::LastBlock;

/// C_1..C_12: for kernels of other devices.
pub fn constants() -> &'static [[u8; 64]; 12] {
    &constants::C
}

/// The primitive, in the survey of kernels.
pub(crate) const NAME: &str = "streebog";

impl Primitive for HashKernel {
    const PRIMITIVE: &'static str = NAME;
    fn picked() -> &'static Picked {
        static PICKED: Picked = Picked::new();
        &PICKED
    }
}

/// The kernels, fastest first.
pub static KERNELS: &[HashKernel] = &kernels!(kernels, bitslice);
