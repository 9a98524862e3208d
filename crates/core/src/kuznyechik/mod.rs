//! Kuznyechik (GOST R 34.12-2015, RFC 7801): blocks of 16 bytes, ten round keys, nine rounds of
//! X, S, L. A block is in memory as the RFC prints it: a_15 first.
//!
//! | file | is about |
//! |---|---|
//! | `round.rs` | the algorithm, the layout of a batch in vectors, and its rounds: begin here |
//! | `linear.rs` | L: the Toeplitz matrix and its product |
//! | `sbox/` | S, and products by constants, on the vectors of each set |
//! | `batch.rs`, `lanes.rs` | drivers: independent blocks and counters; chains |
//! | `schedule/` | round keys; of one key, few or many on vectors |
//! | `counter.rs`, `constants/` | counters, the standard's constants |
//! | `kernels.rs` | the entries of each set; `gfni512.rs` has the forms of `gfni512` |
//! | `bitslice.rs` | the portable kernel |

mod batch;
mod bitslice;
mod constants;
mod counter;
#[cfg(target_arch = "x86_64")]
mod gfni512;
mod kernels;
mod lanes;
mod linear;
mod round;
mod sbox;
mod schedule;
#[cfg(feature = "vartime")]
mod vartime;

/// For the generators of assembly and of kernels for GPUs.
pub use self::{constants::L, linear::Leaf, sbox::nibbles::LEAVES};
use crate::kernel::BlockKernel;
/// For the generators of assembly and of kernels for GPUs.
pub use crate::pi::{pi, pi_inverse};
#[cfg(test)]
pub(crate) use schedule::NAME;
pub use schedule::Schedule;

/// The kernels, fastest first.
pub static KERNELS: &[BlockKernel<Schedule, 16>] = &kernels!(kernels, bitslice);
