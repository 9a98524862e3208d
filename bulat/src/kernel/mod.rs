//! Kernels: the list entries, the three shapes, and the choice of one at run time.
//!
//! A block-cipher kernel offers up to three shapes, which cover every mode:
//! - `map`: independent blocks (ECB, CBC and CFB decryption, XTS);
//! - `stream`: gamma from a counter that the kernel steps in registers (CTR, CNT, MGM);
//! - `lanes`: chained streams, one per lane, each with its own key (CBC, CFB, OFB encryption, OMAC,
//!   IMIT); one lane is the low-latency single stream.
//!
//! A hash kernel compresses one message, or many side by side. A primitive's list of kernels stands in
//! its `mod.rs`, fastest first; each shape takes the first available kernel that has it and that is not
//! known to be slow on this processor (`tuning.rs`), unless one is forced by name with [`force`]. The
//! library reads no environment: the command reads `BULAT_KERNEL` and calls [`force`].
//!
//! [`Ready`] is the proof that a kernel can run here, and holds the only calls of its `unsafe fn`s.
#![deny(unsafe_code)]

mod cpu;
mod entry;
mod ready;
mod select;
pub(crate) mod tuning;

pub use crate::cipher::{Block, BlockCipher, Chain, Count, Data, Direction, Lane};
#[cfg(feature = "alloc")]
pub(crate) use cpu::{Cpu, Vendor};
pub(crate) use entry::NewKey;
pub use entry::{
    BlockKernel, GfKernel, HashKernel, HashKeys, HashLane, HashState, Kernel, Primitive, Shape,
};
pub use ready::Ready;
pub use select::{NAMES, available, exceptions, force, forced, missing};
pub(crate) use select::{by_name, pick};
