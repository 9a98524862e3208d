//! Standard streams that were closed when the program was started.
//!
//! Rust opens /dev/null in their place before `main`, and then nothing tells it from a /dev/null that the caller
//! chose: output would be lost without a word, an input be empty. So this looks before that. On Windows it puts
//! nothing in their place, and the stream itself says that it is none.

use std::io;
#[cfg(not(windows))]
use std::sync::atomic::{AtomicU8, Ordering};

/// A bit for each of the descriptors 0, 1, 2 that was closed.
#[cfg(not(windows))]
static CLOSED: AtomicU8 = AtomicU8::new(0);

/// Whether this descriptor was closed.
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

/// An error, as of the call that uses it, if this descriptor was closed.
pub fn opened(descriptor: u8) -> io::Result<()> {
    if closed(descriptor) { Err(io::Error::from_raw_os_error(EBADF)) } else { Ok(()) }
}

/// EBADF of all systems with descriptors.
const EBADF: i32 = 9;

/// The loader calls it before `main`: nothing of the standard library is used but an atomic.
#[cfg(unix)]
#[allow(unsafe_code)]
extern "C" fn look() {
    for descriptor in 0..3 {
        // SAFETY: it takes numbers alone, and refuses one that is not open.
        if unsafe { libc::fcntl(descriptor, libc::F_GETFD) } < 0 {
            CLOSED.fetch_or(1 << descriptor, Ordering::Relaxed);
        }
    }
}

// SAFETY: the section is a list of such functions, called one after the other when the C library is ready.
#[cfg(unix)]
#[allow(unsafe_code)]
#[used]
#[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
#[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
static LOOK: extern "C" fn() = look;
