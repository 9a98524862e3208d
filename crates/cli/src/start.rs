//! The start of the program over glibc, in place of Rust's, which reads /proc/self/maps to explain an overflow of the
//! stack. And the unwinder becomes a part of the program, so that the system loads one library fewer. `bulat hash` of
//! 1 KB needs some 0.6 of the processor time in this way (lab/NOTES.md).
#![allow(unsafe_code)]

#[link(name = "gcc_eh", kind = "static", modifiers = "-bundle")]
unsafe extern "C" {}

/// The C library calls this. It has given Rust's `std::env` the arguments already.
#[unsafe(no_mangle)]
extern "C" fn main() -> libc::c_int {
    // As Rust's start does: a write to a closed pipe gives an error.
    // SAFETY: no handler is set, and there is no other thread yet.
    unsafe { libc::signal(libc::SIGPIPE, libc::SIG_IGN) };
    let code = std::panic::catch_unwind(crate::program);
    // It also writes what Rust's output still holds.
    std::process::exit(code.map_or(101, i32::from))
}
