//! Kernels: the instruction sets' ways to do the work.

use core::ffi::{CStr, c_char, c_void};
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::algorithm::constant;
use crate::border::{Fault, guard, guard_value, name, output};
use crate::result::{BULAT_ERR_SELFTEST, BULAT_ERR_UNKNOWN_KERNEL, bulat_result};
use bulat::{kernel, survey};

/// What a primitive uses.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct bulat_kernel_choice {
    /// The primitive: "kuznyechik" and so on. A constant text.
    pub primitive: *const c_char,
    /// The kind of work. A constant text.
    pub shape: *const c_char,
    /// The kernel that is in use. A constant text.
    pub kernel: *const c_char,
}

/// A constant text, made once.
fn known(text: &'static str) -> *const c_char {
    static KNOWN: Mutex<Vec<(&str, &CStr)>> = Mutex::new(Vec::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, found)) = known.iter().find(|(other, _)| *other == text) {
        return found.as_ptr();
    }
    let made = constant(text);
    known.push((text, made));
    made.as_ptr()
}

/// How many kernels there are, on any machine.
#[unsafe(no_mangle)]
pub extern "C" fn bulat_kernel_count() -> usize {
    kernel::NAMES.len()
}

/// The name of the kernel with this number, from 0, fastest first; null past the last.
#[unsafe(no_mangle)]
pub extern "C" fn bulat_kernel_name(index: usize) -> *const c_char {
    guard_value(core::ptr::null(), || {
        kernel::NAMES.get(index).map_or(core::ptr::null(), |name| known(name))
    })
}

/// Why this machine cannot run the kernels of this name; null when it can.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bulat_kernel_missing(kernel: *const c_char) -> *const c_char {
    guard_value(c"unknown".as_ptr(), || {
        // SAFETY: the caller's word.
        let Some(name) = (unsafe { name(kernel) }) else { return c"unknown".as_ptr() };
        kernel::missing(name).map_or(core::ptr::null(), known)
    })
}

/// Makes every key and context made from now on, in the whole process, use the kernels of this name where its primitive has one;
/// null goes back to the choice by processor. Keys and contexts that exist keep theirs. Any thread may call it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bulat_kernel_force(kernel: *const c_char) -> bulat_result {
    guard(|| {
        if kernel.is_null() {
            return Ok(kernel::force(None)?);
        }
        // SAFETY: the caller's word.
        let name = unsafe { name(kernel) }.ok_or(Fault(BULAT_ERR_UNKNOWN_KERNEL))?;
        Ok(kernel::force(Some(name))?)
    })
}

/// The kernel that is forced; null when none is.
#[unsafe(no_mangle)]
pub extern "C" fn bulat_kernel_forced() -> *const c_char {
    guard_value(core::ptr::null(), || kernel::forced().map_or(core::ptr::null(), known))
}

/// Which kernels are in use: how many choices there are; the first `room` of them are written to `choices`, which may be null with
/// 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bulat_kernel_choices(
    choices: *mut bulat_kernel_choice,
    room: usize,
) -> usize {
    guard_value(0, || {
        let all = survey::shapes();
        if !choices.is_null() && choices.is_aligned() {
            for (i, choice) in all.iter().take(room).enumerate() {
                let choice = bulat_kernel_choice {
                    primitive: known(choice.primitive),
                    shape: known(choice.shape),
                    kernel: known(choice.picked),
                };
                // SAFETY: the caller's word: room for so many.
                unsafe { choices.add(i).write(choice) };
            }
        }
        all.len()
    })
}

/// Runs the known answers of every algorithm on every kernel that this machine has: BULAT_OK or BULAT_ERR_SELFTEST. Takes some
/// hundredths of a second.
#[unsafe(no_mangle)]
pub extern "C" fn bulat_selftest() -> bulat_result {
    guard(|| if bulat::selftest::run(|_| ()) { Ok(()) } else { Err(Fault(BULAT_ERR_SELFTEST)) })
}

/// Wipes memory in a way that no compiler leaves out.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bulat_wipe(bytes: *mut c_void, len: usize) {
    guard(|| {
        // SAFETY: the caller's word.
        zeroize::Zeroize::zeroize(unsafe { output(bytes, len)? });
        Ok(())
    });
}

/// The version of the library that runs, as "0.1.0". BULAT_VERSION is that of the header.
#[unsafe(no_mangle)]
pub extern "C" fn bulat_version() -> *const c_char {
    static VERSION: OnceLock<&CStr> = OnceLock::new();
    guard_value(c"".as_ptr(), || {
        VERSION.get_or_init(|| constant(env!("CARGO_PKG_VERSION"))).as_ptr()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_kernel_is_refused() {
        // SAFETY: texts that end with a zero.
        unsafe {
            let code = bulat_kernel_force(c"abacus".as_ptr());
            assert_eq!(code, BULAT_ERR_UNKNOWN_KERNEL);
            assert!(!bulat_kernel_missing(c"abacus".as_ptr()).is_null());
            assert!(bulat_kernel_missing(c"portable".as_ptr()).is_null());
        }
    }
}
