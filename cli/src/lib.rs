//! The lists of checksums: pure functions over bytes, so that tests and fuzzers reach them without the program.
#![forbid(unsafe_code)]

pub mod sums;
