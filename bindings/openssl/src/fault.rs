//! Errors, and their way into OpenSSL's queue. No panic crosses the border.
#![allow(unsafe_code)]

use core::ffi::{c_int, c_void};
use std::borrow::Cow;
use std::ffi::CString;
use std::panic::{AssertUnwindSafe, Location, catch_unwind};

use crate::Provider;

/// The library's errors. Their positions, from 1, are the reason codes; the interface's own refusals are [`USAGE`].
pub const LIBRARY: [bulat::Error; 18] = [
    bulat::Error::KeyLength,
    bulat::Error::IvLength,
    bulat::Error::TagLength,
    bulat::Error::Nonce,
    bulat::Error::IvReuse,
    bulat::Error::Parameter,
    bulat::Error::Sbox,
    bulat::Error::EqualKeys,
    bulat::Error::BufferLength,
    bulat::Error::DataLength,
    bulat::Error::Limit,
    bulat::Error::Empty,
    bulat::Error::Finished,
    bulat::Error::Order,
    bulat::Error::Verify,
    bulat::Error::Padding,
    bulat::Error::UnknownAlgorithm,
    bulat::Error::UnknownKernel,
];
/// A call that the interface does not allow.
pub const USAGE: u32 = 100;
/// A fault of this module.
pub const INTERNAL: u32 = 101;

/// Why a call failed.
pub struct Fault {
    reason: u32,
    text: Cow<'static, str>,
    at: &'static Location<'static>,
}

pub type Result<T> = core::result::Result<T, Fault>;

impl Fault {
    #[track_caller]
    #[cold]
    pub fn new(text: impl Into<Cow<'static, str>>) -> Self {
        Fault { reason: USAGE, text: text.into(), at: Location::caller() }
    }
    /// Adds the subject to the text.
    #[cold]
    pub fn about(mut self, subject: &str) -> Self {
        self.text = format!("{}: {subject}", self.text).into();
        self
    }
}

impl From<bulat::Error> for Fault {
    #[track_caller]
    #[cold]
    fn from(error: bulat::Error) -> Self {
        let reason = LIBRARY.iter().position(|e| *e == error).map_or(USAGE, |i| i as u32 + 1);
        Fault { reason, text: Cow::Borrowed(""), at: Location::caller() }
    }
}

/// Puts an error into OpenSSL's queue, if the core has one.
#[cold]
fn raise(provider: &Provider, fault: &Fault) {
    let core = &provider.core;
    let (Some(new), Some(set)) = (core.new_error, core.vset_error) else { return };
    // The core reads the text as a format, so it may have no conversion.
    let text = CString::new(fault.text.replace('%', "%%")).unwrap_or_default();
    let file = CString::new(fault.at.file()).unwrap_or_default();
    // As large as any platform's `va_list`. Without a conversion in the format the core reads none of it.
    let mut no_arguments = [0u64; 16];
    // SAFETY: the core's functions get the core's handle, and C strings that live until after the calls: the core copies
    // them. The format has no conversion, so the `va_list` is not read.
    unsafe {
        new(core.handle);
        if let Some(debug) = core.set_error_debug {
            debug(core.handle, file.as_ptr(), fault.at.line() as c_int, c"bulat".as_ptr());
        }
        let format = if text.is_empty() { core::ptr::null() } else { text.as_ptr() };
        set(core.handle, fault.reason, format, no_arguments.as_mut_ptr().cast());
    }
}

/// Runs a call from outside. Returns 1; or 0, with the error in the queue. A panic becomes an error.
#[inline]
pub fn border(provider: Option<&Provider>, f: impl FnOnce() -> Result<()>) -> c_int {
    c_int::from(value(provider, f).is_some())
}

/// Runs a call from outside that makes an object. Returns its pointer; or null, with the error in the queue.
#[inline]
pub fn object<T>(provider: Option<&Provider>, f: impl FnOnce() -> Result<Box<T>>) -> *mut c_void {
    value(provider, f).map_or(core::ptr::null_mut(), |object| Box::into_raw(object).cast())
}

#[inline]
fn value<T>(provider: Option<&Provider>, f: impl FnOnce() -> Result<T>) -> Option<T> {
    let fault = match catch_unwind(AssertUnwindSafe(f)) {
        Ok(Ok(value)) => return Some(value),
        Ok(Err(fault)) => fault,
        Err(_) => Fault { reason: INTERNAL, ..Fault::new("internal error") },
    };
    if let Some(provider) = provider {
        raise(provider, &fault);
    }
    None
}
