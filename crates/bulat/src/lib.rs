//! GOST symmetric cryptography, constant-time and fast: Magma and GOST 28147-89, Kuznyechik, Streebog, with their
//! modes, MACs and key derivation.
//!
//! ```
//! use bulat::{Aead, KuznyechikMgm};
//! let aead = KuznyechikMgm::new(&[7; 32]); // a random key
//! let (nonce, mut text) = ([1; 16], *b"attack at dawn"); // a nonce is never used twice under one key
//! let tag = aead.seal_in_place(&nonce, b"header", &mut text)?;
//! aead.open_in_place(&nonce, b"header", &mut text, &tag)?;
//! # Ok::<(), bulat::Error>(())
//! ```
//!
//! | I want to | |
//! |---|---|
//! | hash | [`Streebog256`], [`Streebog512`]; old data: [`Gost94`] |
//! | encrypt and authenticate | [`KuznyechikMgm`], [`MagmaMgm`]; CMS: [`modes::CtrAcpkmOmac`] |
//! | authenticate | [`HmacStreebog256`], [`KuznyechikOmac`], [`MagmaOmac`], [`OmacAcpkm`] |
//! | encrypt a stream that something else authenticates | [`KuznyechikCtr`], [`MagmaCtr`], [`CtrAcpkm`] |
//! | read a format that prescribes a different mode | [`modes`] |
//! | encrypt sectors of a disk | [`Xts`] |
//! | derive or wrap keys | [`kdf`] |
//! | do many messages in one call, on all cores | [`batch`], [`esp`] |
//! | name an algorithm at run time | [`algorithm()`], [`algorithm::Params`], [`algorithm::Session`] |
//! | see or choose kernels | [`kernel`], [`survey`] |
//!
//! **Promise.** No address and no branch depends on a key or a text, on any default path. The exceptions are functions
//! named `*_vartime` (feature `vartime`), and two results that become public: whether a tag is right, and the length
//! of a text without its padding. Tags are compared in constant time, keys are wiped on drop, nothing is decrypted
//! before its tag is checked, except by types named `*Unverified*`. Bad input is an [`Error`], never a panic, except
//! in [`executor`] and in the shapes `map`, `stream` and `chain` of [`BlockCipher`]. `docs/ASSURANCE.md` says how far
//! this was tested, and which parts were not. The software has not been certified.
//!
//! **Limits.** The library enforces a standard's limits on one message: [`Error::Limit`]. The limits on one key are the
//! caller's to count: `docs/LIMITS.md`.
//!
//! **Features.** `std` (default): detection of instruction sets at run time, `std::io::Write`; without it the kernels
//! are the kernels of the build's target. `alloc`: sessions, batches. `threads`: batches on a rayon pool. `rustcrypto`:
//! the traits of the RustCrypto crates, `compat`. Rust 1.95 or later. `docs/GUIDE.md` has ten tasks with programs.
#![cfg_attr(not(feature = "std"), no_std)]
#![forbid(unsafe_code)]

#[cfg(feature = "alloc")]
extern crate alloc;

#[cfg(feature = "alloc")]
pub mod algorithm;
#[cfg(feature = "alloc")]
pub mod batch;
mod cipher;
#[cfg(feature = "rustcrypto")]
pub mod compat;
#[cfg(feature = "alloc")]
pub mod esp;
pub mod executor;
mod gost94;
mod io;
pub mod kdf;
mod kuznyechik;
mod magma;
pub mod modes;
#[cfg(feature = "alloc")]
pub mod selftest;
#[cfg(feature = "alloc")]
mod session;
mod streebog;
mod tag;

/// The choice of a kernel by name.
pub mod kernel {
    pub(crate) use bulat_core::kernel::*;
    pub use bulat_core::kernel::{NAMES, available, force, forced, missing};
}
/// The kernels of this machine, and the kernel that is picked for each shape.
#[cfg(feature = "alloc")]
pub mod survey {
    pub use bulat_core::survey::{
        Choice, Cpu, Form, Vendor, forms, kernels, processor, row, shapes,
    };
}

#[cfg(feature = "alloc")]
pub use algorithm::find as algorithm;
pub use bulat_core::memory::verify;
pub use bulat_core::{Direction, Error, InOut, Secret};
pub(crate) use bulat_core::{gf, memory};
pub use cipher::BlockCipher;
pub use gost94::Gost94;
pub use kdf::{Hmac, HmacStreebog256, HmacStreebog512};
pub use kuznyechik::Kuznyechik;
pub use magma::{Gost28147, Magma, ParamSet, Sboxes};
pub use modes::{Aead, BlockMode, Mac, StreamCipher};
pub use modes::{Cbc, Cfb, Ctr, CtrAcpkm, Ecb, Mgm, Ofb, Omac, OmacAcpkm, Xts};
pub use streebog::{Streebog, Streebog256, Streebog512};
pub use tag::Tag;

/// MGM over Kuznyechik (RFC 9058): nonces and tags of 16 bytes.
pub type KuznyechikMgm = Mgm<Kuznyechik>;
/// MGM over Magma (RFC 9058): nonces and tags of 8 bytes.
pub type MagmaMgm = Mgm<Magma>;
/// CTR over Kuznyechik: an IV of 8 bytes.
pub type KuznyechikCtr = Ctr<Kuznyechik>;
/// CTR over Magma: an IV of 4 bytes.
pub type MagmaCtr = Ctr<Magma>;
/// CBC over Kuznyechik: an IV of 16 bytes or a multiple.
pub type KuznyechikCbc = Cbc<Kuznyechik>;
/// CBC over Magma: an IV of 8 bytes or a multiple.
pub type MagmaCbc = Cbc<Magma>;
/// OMAC over Kuznyechik: tags of 16 bytes.
pub type KuznyechikOmac = Omac<Kuznyechik>;
/// OMAC over Magma: tags of 8 bytes.
pub type MagmaOmac = Omac<Magma>;

/// The programs of the README, the guide and the page of limits run as tests.
#[cfg(all(doctest, feature = "std"))]
#[doc = include_str!("../../../README.md")]
struct Readme;
#[cfg(all(doctest, feature = "threads"))]
#[doc = include_str!("../../../docs/GUIDE.md")]
struct Guide;
#[cfg(all(doctest, feature = "std"))]
#[doc = include_str!("../../../docs/LIMITS.md")]
struct Limits;
