//! The `bulat` command.
#![forbid(unsafe_code)]
fn main() {}
