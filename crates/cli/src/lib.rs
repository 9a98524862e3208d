//! The parsers for lists of checksums: pure functions over bytes, so that tests and fuzzers can call them.
#![forbid(unsafe_code)]

pub mod sums;
