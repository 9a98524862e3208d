//! System calls without a safe form: locks of single bytes, and memory that is not swapped out.
#![allow(unsafe_code)]

/// Locks of single bytes that belong to an open file, not to a process.
#[cfg(target_os = "linux")]
pub mod bytes {
    use std::fs::File;
    use std::io;
    use std::os::fd::AsRawFd as _;

    fn call(file: &File, call: libc::c_int, kind: libc::c_int, at: u64) -> io::Result<libc::flock> {
        // SAFETY: `flock` is a struct of integers, for which zeros are valid.
        let mut lock: libc::flock = unsafe { std::mem::zeroed() };
        lock.l_type = kind as _;
        lock.l_whence = libc::SEEK_SET as _;
        lock.l_start = at as _;
        lock.l_len = 1;
        // SAFETY: `file` is open during the call, which accesses only `lock`, alive and of the right type.
        match unsafe { libc::fcntl(file.as_raw_fd(), call, &mut lock) } {
            -1 => Err(io::Error::last_os_error()),
            _ => Ok(lock),
        }
    }

    /// Sets a shared lock until the file is closed. Returns `WouldBlock` or `PermissionDenied` if another
    /// process has an exclusive lock.
    pub fn share(file: &File, at: u64) -> io::Result<()> {
        call(file, libc::F_OFD_SETLK, libc::F_RDLCK, at).map(drop)
    }

    /// Sets an exclusive lock; the file must be open for writing. Errors as of [`share`].
    pub fn take(file: &File, at: u64) -> io::Result<()> {
        call(file, libc::F_OFD_SETLK, libc::F_WRLCK, at).map(drop)
    }

    /// Removes this open file's lock.
    pub fn free(file: &File, at: u64) -> io::Result<()> {
        call(file, libc::F_OFD_SETLK, libc::F_UNLCK, at).map(drop)
    }

    /// Returns whether another open file has a lock there.
    pub fn is_taken(file: &File, at: u64) -> io::Result<bool> {
        let found = call(file, libc::F_OFD_GETLK, libc::F_WRLCK, at)?;
        Ok(libc::c_int::from(found.l_type) != libc::F_UNLCK)
    }
}

/// A value on the heap that is overwritten when it is dropped, for types of other libraries that do not wipe
/// themselves. The value must own no memory: its destructor does not run.
pub struct Wiped<T>(Box<std::mem::ManuallyDrop<T>>);

impl<T> Wiped<T> {
    /// Moves a value there.
    pub fn new(value: T) -> Self {
        Wiped(Box::new(std::mem::ManuallyDrop::new(value)))
    }
}

impl<T> std::ops::Deref for Wiped<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> Drop for Wiped<T> {
    fn drop(&mut self) {
        let place = std::ptr::from_mut(&mut *self.0).cast::<u8>();
        for at in 0..size_of::<T>() {
            // SAFETY: the byte is within the box, which is alive and exclusively borrowed. Nobody reads the value
            // afterwards, and `ManuallyDrop` runs no destructor on it.
            unsafe { place.add(at).write_volatile(0) };
        }
        std::sync::atomic::compiler_fence(std::sync::atomic::Ordering::SeqCst);
    }
}

/// Keeps a value out of swap while the process runs, if the system's limits allow it.
#[cfg(unix)]
pub fn keep_in_memory<T>(value: &T) {
    let place = std::ptr::from_ref(value).cast_mut().cast();
    // SAFETY: the range is `value`'s own memory, alive for the call, and `mlock` writes nothing.
    let _ = unsafe { rustix::mm::mlock(place, size_of::<T>()) };
}

/// Does nothing: there is no known way on this system.
#[cfg(not(unix))]
pub fn keep_in_memory<T>(_: &T) {}

/// Prevents core dumps of this process, and other programs of the user from reading its memory.
#[cfg(unix)]
pub fn no_dumps() {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let _ = setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) });
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable);
}

/// Does nothing: there is no known way on this system.
#[cfg(not(unix))]
pub fn no_dumps() {}

/// Overwrites the part of the stack that earlier calls used, where moving a value may have left copies of a key.
#[inline(never)]
pub fn wipe_stack() {
    let mut below = [0u8; 64 << 10];
    zeroize::Zeroize::zeroize(&mut below[..]);
}
