//! Calls of the system that have no safe form: locks as qemu sets them, and memory that is not swapped out.
#![allow(unsafe_code)]

/// Locks of single bytes that belong to an open file, not to a process.
#[cfg(target_os = "linux")]
pub mod bytes {
    use std::fs::File;
    use std::io;
    use std::os::fd::AsRawFd as _;

    fn call(file: &File, call: libc::c_int, kind: libc::c_int, at: u64) -> io::Result<libc::flock> {
        // SAFETY: a struct of numbers, for which zeros are values.
        let mut lock: libc::flock = unsafe { std::mem::zeroed() };
        lock.l_type = kind as _;
        lock.l_whence = libc::SEEK_SET as _;
        lock.l_start = at as _;
        lock.l_len = 1;
        // SAFETY: the descriptor is open, and the call reads and writes nothing but this struct.
        match unsafe { libc::fcntl(file.as_raw_fd(), call, &mut lock) } {
            -1 => Err(io::Error::last_os_error()),
            _ => Ok(lock),
        }
    }

    /// Sets a lock that others may share, until the file is closed. `WouldBlock` or `PermissionDenied` where another has
    /// the byte for itself.
    pub fn share(file: &File, at: u64) -> io::Result<()> {
        call(file, libc::F_OFD_SETLK, libc::F_RDLCK, at).map(drop)
    }

    /// Asks whether another open file has a lock there.
    pub fn is_taken(file: &File, at: u64) -> io::Result<bool> {
        let found = call(file, libc::F_OFD_GETLK, libc::F_WRLCK, at)?;
        Ok(libc::c_int::from(found.l_type) != libc::F_UNLCK)
    }
}

/// Keeps a value out of the swap for as long as the process runs, where the system's limits allow it.
#[cfg(unix)]
pub fn keep_in_memory<T>(value: &T) {
    let place = std::ptr::from_ref(value).cast_mut().cast();
    // SAFETY: the value's own memory, which the call does not write to.
    let _ = unsafe { rustix::mm::mlock(place, size_of::<T>()) };
}

/// Nothing is known of the swap here.
#[cfg(not(unix))]
pub fn keep_in_memory<T>(_: &T) {}

/// From now on a crash of this process leaves no memory on the disk, and other programs of the user may not read it.
#[cfg(unix)]
pub fn no_dumps() {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let _ = setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) });
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable);
}

/// Nothing is known of dumps here.
#[cfg(not(unix))]
pub fn no_dumps() {}

/// Overwrites the part of the stack that calls before this one used, and with it the copies of a key that moves of a
/// value left there.
#[inline(never)]
pub fn wipe_stack() {
    let mut below = [0u8; 64 << 10];
    zeroize::Zeroize::zeroize(&mut below[..]);
}
