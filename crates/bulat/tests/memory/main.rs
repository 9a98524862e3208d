//! Kernels and memory that is not theirs: nothing is read or written outside of a buffer, and how
//! much of a key is left on the stack and in the heap.
#![cfg(target_os = "linux")]

mod guards;
mod heap;
mod pages;
mod remains;
