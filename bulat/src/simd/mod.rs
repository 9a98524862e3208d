//! The only intrinsics: one file per instruction set. `isa.rs` has the list of instruction sets, their
//! features and the tokens that prove them; the traits that the rounds are written over stand here.
#![allow(unsafe_code)]

#[macro_use]
mod isa;

pub(crate) use isa::*;
