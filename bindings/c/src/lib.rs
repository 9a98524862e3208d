//! libbulat: the library for C, and for whatever calls C. The header `include/bulat.h` is made from this crate; it is what to
//! read. No cryptography here: every call checks its pointers and hands them to `bulat`.

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
mod result;
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
pub use result::*;
