//! The kernels of the crate [bulat](https://docs.rs/bulat): GOST's ciphers and hash for each instruction set.
//!
//! Use `bulat`. This crate holds all unsafe code of the ciphers, and promises no stable interface.
//!
//! | module | |
//! |---|---|
//! | [`kernel`] | the entries of a list of kernels, [`kernel::Ready`], the choice of a kernel |
//! | [`kuznyechik`], [`magma`], [`streebog`], [`gf`] | a primitive: its schedule and its list of kernels |
//! | [`cipher`] | blocks, counters, chains and lanes: the words between modes and kernels |
//! | [`memory`] | memory for secrets |
//! | [`survey`] | the kernels of this machine, and which is picked for each shape |
//!
//! ```
//! use bulat_core::kernel::{self, Shape};
//! use bulat_core::kuznyechik::{KERNELS, Schedule};
//! let kernel = kernel::pick(KERNELS, Shape::Map);
//! let mut schedule = bulat_core::Secret::new(Schedule::default());
//! kernel.prepare(&[7; 32], &mut schedule);
//! let mut blocks = [0; 64];
//! kernel.map(&schedule, bulat_core::Direction::Encrypt, blocks.as_mut_slice().into());
//! assert_eq!(blocks[..16], blocks[48..]);
//! ```
#![cfg_attr(not(feature = "std"), no_std)]
// Parts of the kernels are for x86-64 only.
#![cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
// Without vectors no kernel uses their traits.
#![cfg_attr(
    not(any(
        target_arch = "x86",
        target_arch = "x86_64",
        target_arch = "aarch64",
        all(target_arch = "wasm32", target_feature = "simd128")
    )),
    allow(unused_imports, unused_macros)
)]
// On WebAssembly a function with target features is safe to call: an engine without them refuses the whole module.
#![cfg_attr(target_arch = "wasm32", allow(unused_unsafe))]

#[cfg(feature = "alloc")]
extern crate alloc;

#[macro_use]
mod simd;

pub mod cipher;
mod error;
pub mod gf;
mod gf256;
pub mod kernel;
pub mod kuznyechik;
pub mod magma;
pub mod memory;
mod pi;
pub mod streebog;
#[cfg(feature = "alloc")]
pub mod survey;

pub use cipher::{Direction, InOut};
pub use error::Error;
pub use memory::Secret;
