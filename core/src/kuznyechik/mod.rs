//! Kuznyechik (GOST R 34.12-2015, RFC 7801): blocks of 16 bytes, ten round keys, nine rounds of
//! X, S, L. A block stands in memory as the RFC prints it: a_15 first.

mod blocks;
mod bulk;
#[cfg(target_arch = "x86_64")]
mod bytes;
mod chain;
mod consts;
mod counter;
mod entries;
mod expand;
#[cfg(target_arch = "x86_64")]
mod gfni512;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod image;
mod karatsuba;
mod lanes;
mod layout;
mod logs;
mod octets;
mod planes;
mod portable;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod products;
mod rounds;
mod schedule;
mod single;
#[cfg(target_arch = "x86_64")]
mod sliced;
mod tklog;
mod toeplitz;
#[cfg(feature = "vartime")]
mod vartime;
#[cfg(target_arch = "x86_64")]
mod vbmi_batch;
mod vectors;

use crate::kernel::BlockKernel;
#[cfg(test)]
pub(crate) use schedule::NAME;
pub use schedule::Schedule;

/// The kernels, fastest first.
pub static KERNELS: &[BlockKernel<Schedule, 16>] = &kernels!(entries);
