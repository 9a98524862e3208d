//! libbulat: the library for C, and for languages that can call C. Its users read the header `include/bulat.h`, which
//! is generated from this crate. There is no cryptography here: every call checks its pointers and calls `bulat`.

mod aead;
mod algorithm;
mod batch;
mod border;
mod cipher;
mod hash;
#[cfg(test)]
mod header;
mod kdf;
mod kernel;
mod key;
mod mac;
#[cfg(feature = "pkcs")]
mod pkcs;
mod result;
#[cfg_attr(not(feature = "threads"), path = "no_threads.rs")]
mod threads;
mod wiping;

pub use aead::*;
pub use algorithm::*;
pub use batch::*;
pub use cipher::*;
pub use hash::*;
pub use kdf::*;
pub use kernel::*;
pub use key::*;
pub use mac::*;
#[cfg(feature = "pkcs")]
pub use pkcs::*;
pub use result::*;
