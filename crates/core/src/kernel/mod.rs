//! Kernels: the list entries, the three shapes, and the choice of a kernel at run time.
//!
//! A block-cipher kernel offers up to three shapes, which cover every mode:
//! - `map`: independent blocks (ECB, CBC and CFB decryption, XTS);
//! - `stream`: gamma from a counter that the kernel steps in registers (CTR, CNT, MGM);
//! - `lanes`: chained streams, a stream per lane, each with its own key (CBC, CFB, OFB encryption, OMAC,
//!   IMIT); one lane is the low-latency single stream.
//!
//! Three more calls do work that no mode could do around a kernel, and a kernel may leave them out:
//! - `sections`: short sections of CTR-ACPKM, with the keys of the next ones made meanwhile;
//! - `products`: MGM's sum over long texts, each batch of H_i multiplied during the rounds of the next;
//! - `next_keys`: the chain of ACPKM's keys, which one thread walks ahead of the others.
//!
//! A `Schedule` is one type per cipher, so each shape may come from a different kernel.
//!
//! A hash kernel compresses a single message, or many side by side. A primitive's list of kernels is in
//! its `mod.rs`, fastest first; each shape takes the first available kernel that has it and that the
//! tuning table does not pass over on this processor (`tuning.rs`), unless a kernel is forced by name with [`force`].
//! The library reads no environment: the command reads `BULAT_KERNEL` and calls [`force`].
//!
//! `Ready` is the proof that a kernel can run here, and holds the only calls of its `unsafe fn`s from outside the primitive.
#![deny(unsafe_code)]

pub(crate) mod cpu;
mod entry;
mod ready;
mod select;
#[cfg_attr(not(feature = "alloc"), allow(dead_code))] // read by the survey
pub(crate) mod tuning;

pub use entry::{
    BlockKernel, GfKernel, HashKernel, HashKeys, HashLane, HashState, Kernel, NewKey, Primitive,
    Shape,
};
pub use ready::Ready;
pub use select::{
    NAMES, Picked, assume_forms, available, by_name, force, forced, missing, pick, take_form,
};
