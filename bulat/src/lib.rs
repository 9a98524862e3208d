//! GOST symmetric cryptography: Magma and GOST 28147-89, Kuznyechik, Streebog, with their modes,
//! MACs and key derivation, on kernels that look nothing up by a secret and branch on none.
//!
//! Data flows down only: [`algorithm`] (names) → [`modes`], [`kdf`] → [`Kuznyechik`], [`Magma`],
//! [`Gost28147`], [`Streebog`] → [`kernel`] → the instruction sets in `simd`.
#![cfg_attr(not(feature = "std"), no_std)]
// Parts of what the kernels are made of are for x86-64 alone.
#![cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
// Where there are no vectors nothing is made of them.
#![cfg_attr(
    not(any(
        target_arch = "x86",
        target_arch = "x86_64",
        target_arch = "aarch64",
        all(target_arch = "wasm32", target_feature = "simd128")
    )),
    allow(unused_imports, unused_macros)
)]
// There a function with features is safe to call: an engine that lacks them refuses the whole module.
#![cfg_attr(target_arch = "wasm32", allow(unused_unsafe))]

#[cfg(feature = "alloc")]
extern crate alloc;

#[macro_use]
mod simd;

#[cfg(feature = "alloc")]
pub mod algorithm;
#[cfg(all(test, feature = "std", target_arch = "x86_64"))]
mod assembly;
#[cfg(feature = "alloc")]
pub mod batch;
#[cfg(feature = "alloc")]
mod bounds;
mod cipher;
#[cfg(feature = "rustcrypto")]
pub mod compat;
mod error;
#[cfg(feature = "alloc")]
pub mod esp;
pub mod gf;
mod gf256;
mod gost94;
pub mod kdf;
pub mod kernel;
pub mod kuznyechik;
pub mod magma;
mod memory;
pub mod modes;
mod pi;
#[cfg(feature = "alloc")]
pub mod selftest;
pub mod streebog;
#[cfg(feature = "alloc")]
pub mod survey;

pub use cipher::{BlockCipher, Chain, Count, Direction, InOut};
pub use error::Error;
pub use gost94::Gost94;
pub use kuznyechik::Kuznyechik;
pub use magma::{Gost28147, Magma, Sboxes};
#[cfg(feature = "declassify")]
#[doc(hidden)]
pub use memory::DECLASSIFY;
pub use memory::{Secret, verify};
pub use streebog::{Streebog, Streebog256, Streebog512};

/// The example of the README, run as a test.
#[cfg(all(doctest, feature = "std"))]
#[doc = include_str!("../../README.md")]
struct Readme;
