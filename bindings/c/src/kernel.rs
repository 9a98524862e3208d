//! Kernels: implementations for instruction sets.

use core::ffi::{CStr, c_char, c_void};
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::algorithm::constant;
use crate::border::{Fault, calls, guard, guard_value, name, output};
use crate::result::{BULAT_ERR_SELFTEST, BULAT_ERR_UNKNOWN_KERNEL, bulat_result};
use bulat::{kernel, survey};

/// The kernel in use for a kind of work.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct bulat_kernel_choice {
    /// The primitive: "kuznyechik" and so on. A constant string.
    pub primitive: *const c_char,
    /// The kind of work. A constant string.
    pub shape: *const c_char,
    /// The kernel in use. A constant string.
    pub kernel: *const c_char,
}

/// Converts a text to a C string that is never freed. Each text is converted once.
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

/// Returns the number of kernels, including those for other machines.
#[unsafe(no_mangle)]
pub extern "C" fn bulat_kernel_count() -> usize {
    kernel::NAMES.len()
}

/// Returns the name of the kernel with this index, from 0, fastest first; null after the last.
#[unsafe(no_mangle)]
pub extern "C" fn bulat_kernel_name(index: usize) -> *const c_char {
    guard_value(core::ptr::null(), || {
        kernel::NAMES.get(index).map_or(core::ptr::null(), |name| known(name))
    })
}

calls! {
    /// Returns the reason why this machine cannot run the kernels of this name; null if it can.
    fn bulat_kernel_missing(kernel: *const c_char) -> *const c_char = c"unknown".as_ptr() => {
        let name = name(kernel).ok_or(Fault(BULAT_ERR_UNKNOWN_KERNEL))?;
        Ok(kernel::missing(name).map_or(core::ptr::null(), known))
    }
    /// Makes all new keys and contexts, in the whole process, use the kernels of this name if their primitive has such
    /// a kernel; null restores the choice by processor. Existing keys and contexts keep theirs. Any thread may call it.
    fn bulat_kernel_force(kernel: *const c_char) {
        if kernel.is_null() {
            return Ok(kernel::force(None)?);
        }
        let name = name(kernel).ok_or(Fault(BULAT_ERR_UNKNOWN_KERNEL))?;
        Ok(kernel::force(Some(name))?)
    }
}

/// Returns the name of the forced kernel; null if no kernel is forced.
#[unsafe(no_mangle)]
pub extern "C" fn bulat_kernel_forced() -> *const c_char {
    guard_value(core::ptr::null(), || kernel::forced().map_or(core::ptr::null(), known))
}

calls! {
    /// Returns the number of choices of kernels, and writes the first `room` of them to `choices`, which may be null if
    /// `room` is 0.
    fn bulat_kernel_choices(choices: *mut bulat_kernel_choice, room: usize) -> usize = 0 => {
        let all = survey::shapes();
        if !choices.is_null() && choices.is_aligned() {
            for (i, choice) in all.iter().take(room).enumerate() {
                let [primitive, shape, kernel] =
                    [choice.primitive, choice.shape, choice.picked].map(known);
                choices.add(i).write(bulat_kernel_choice { primitive, shape, kernel });
            }
        }
        Ok(all.len())
    }
}

/// Runs the known answers of every algorithm on every kernel of this machine. Returns BULAT_OK or BULAT_ERR_SELFTEST.
/// Needs some hundredths of a second.
#[unsafe(no_mangle)]
pub extern "C" fn bulat_selftest() -> bulat_result {
    guard(|| if bulat::selftest::run(|_| ()) { Ok(()) } else { Err(Fault(BULAT_ERR_SELFTEST)) })
}

/// Wipes memory in a way that compilers cannot remove.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bulat_wipe(bytes: *mut c_void, len: usize) {
    guard(|| {
        // SAFETY: the header requires `len` writable bytes at `bytes`; `border` refuses null.
        zeroize::Zeroize::zeroize(unsafe { output(bytes, len)? });
        Ok(())
    });
}

/// Returns the version of the running library, such as "0.1.0". BULAT_VERSION is the header's version.
#[unsafe(no_mangle)]
pub extern "C" fn bulat_version() -> *const c_char {
    static VERSION: OnceLock<&CStr> = OnceLock::new();
    guard_value(c"".as_ptr(), || {
        VERSION.get_or_init(|| constant(env!("CARGO_PKG_VERSION"))).as_ptr()
    })
}
