//! Detects standard streams that were closed when the program started.
//!
//! /dev/null replaces them, so that no file gets their numbers. Afterwards they look like a /dev/null that the caller
//! chose: output would silently be lost, and input would be empty. So this code notes them first. On Windows nothing
//! replaces them, and using them returns an error.

use std::io;
#[cfg(not(windows))]
use std::sync::atomic::{AtomicU8, Ordering};

/// A bit for each descriptor 0, 1, 2 that was closed.
#[cfg(not(windows))]
static CLOSED: AtomicU8 = AtomicU8::new(0);

/// Returns whether this descriptor was closed.
#[cfg(not(windows))]
pub fn closed(descriptor: u8) -> bool {
    CLOSED.load(Ordering::Relaxed) >> descriptor & 1 == 1
}
#[cfg(windows)]
pub fn closed(descriptor: u8) -> bool {
    use std::os::windows::io::AsRawHandle as _;
    let handle = match descriptor {
        0 => io::stdin().as_raw_handle(),
        1 => io::stdout().as_raw_handle(),
        _ => io::stderr().as_raw_handle(),
    };
    handle.is_null()
}

/// Returns the system's error for a closed descriptor if this one was closed.
pub fn opened(descriptor: u8) -> io::Result<()> {
    if closed(descriptor) { Err(io::Error::from_raw_os_error(EBADF)) } else { Ok(()) }
}

/// EBADF, on all systems with descriptors.
const EBADF: i32 = 9;

/// The loader calls this before `main`, so it uses only an atomic from the standard library.
#[cfg(unix)]
#[allow(unsafe_code)]
extern "C" fn look() {
    for descriptor in 0..3 {
        // SAFETY: `fcntl` gets only numbers, and returns an error for a descriptor that is not open.
        if unsafe { libc::fcntl(descriptor, libc::F_GETFD) } < 0 {
            CLOSED.fetch_or(1 << descriptor, Ordering::Relaxed);
            // Without /dev/null a file would get the number, and error messages could be written into it.
            // SAFETY: the path ends with a zero. The system gives out the lowest number that is free: this one.
            if unsafe { libc::open(c"/dev/null".as_ptr(), libc::O_RDWR) } < 0 {
                std::process::abort();
            }
        }
    }
}

// SAFETY: the section is a list of functions of this type, which the loader calls once the C library is ready.
#[cfg(unix)]
#[allow(unsafe_code)]
#[used]
#[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
#[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
static LOOK: extern "C" fn() = look;
