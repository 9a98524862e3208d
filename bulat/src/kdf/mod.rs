//! Key derivation and wrapping, one file each.
#![forbid(unsafe_code)]
