//! System calls.
#![allow(unsafe_code)]

use std::io;
use std::os::fd::{FromRawFd, OwnedFd};

pub mod local;
pub mod message;
pub mod privileges;
pub mod socket;
pub mod tun;

/// Makes a system's answer an error if it is negative.
fn checked<T: Copy + TryInto<i64>>(answer: T) -> io::Result<T> {
    match answer.try_into() {
        Ok(n) if n >= 0 => Ok(answer),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Owns a descriptor that a system call has just made.
fn owned(descriptor: i32) -> io::Result<OwnedFd> {
    let descriptor = checked(descriptor)?;
    // SAFETY: the descriptor is new, and nothing else knows it.
    Ok(unsafe { OwnedFd::from_raw_fd(descriptor) })
}
