//! The parts of the `bulat` command that stand alone: the container's format, hexadecimal digits, the lists of
//! checksums, the pipeline, and what tells that a file changed. They are pure functions over readers, writers and bytes, so that tests and fuzzers
//! reach them without the program.
#![forbid(unsafe_code)]

pub mod container;
pub mod digits;
pub mod pipeline;
pub mod stamp;
pub mod sums;
