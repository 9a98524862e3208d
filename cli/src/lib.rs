//! The parts of the `bulat` command that stand alone: the container's format, the lists of checksums,
//! and the pipeline. They are pure functions over readers, writers and bytes, so that tests and fuzzers
//! reach them without the program.
#![forbid(unsafe_code)]

pub mod container;
pub mod pipeline;
pub mod sums;
