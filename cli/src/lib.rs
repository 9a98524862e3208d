//! The parts of the `bulat` command that stand alone: the container's format and the lists of
//! checksums. Both are pure functions over readers, writers and bytes, so that tests and fuzzers reach
//! them without the program.
#![forbid(unsafe_code)]

pub mod container;
pub mod sums;
