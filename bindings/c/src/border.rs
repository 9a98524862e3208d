//! The border to C: turns pointers into slices and results into codes, and stops panics.

use core::ffi::{CStr, c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::result::{
    BULAT_ERR_ALIGNMENT, BULAT_ERR_DATA_LENGTH, BULAT_ERR_INTERNAL, BULAT_ERR_NULL,
    BULAT_ERR_OVERLAP, BULAT_OK, bulat_result, code,
};
use bulat::{Error, InOut};

/// The code of a refused call.
#[derive(Debug, PartialEq)]
pub(crate) struct Fault(pub(crate) bulat_result);

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Fault(code(error))
    }
}

/// Defines calls, for which the header generator reads this, too. A call returns the code of its block's result; with
/// `-> TYPE = OTHERWISE =>` the value, or `OTHERWISE` on an error; `free` frees an object.
macro_rules! calls {
    () => {};
    ($(#[$doc:meta])* fn $name:ident($($arg:ident: $type:ty),*) $body:block $($rest:tt)*) => {
        $(#[$doc])*
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($arg: $type),*) -> crate::result::bulat_result {
            // SAFETY: the header requires pointers to lead to live objects, which only this call uses or no call changes,
            // to structures, strings that end with a zero byte, and buffers of their lengths. `border` refuses null and
            // misaligned pointers; `apart` and `through` refuse overlaps before a buffer is used.
            crate::border::guard(|| unsafe { $body })
        }
        crate::border::calls! { $($rest)* }
    };
    ($(#[$doc:meta])* fn $name:ident($($arg:ident: $type:ty),*) -> $out:ty = $otherwise:expr => $body:block $($rest:tt)*) => {
        $(#[$doc])*
        #[unsafe(no_mangle)]
        #[allow(unused_unsafe)] // a call may read numbers only
        pub unsafe extern "C" fn $name($($arg: $type),*) -> $out {
            let failed = Err(crate::border::Fault(crate::result::BULAT_ERR_INTERNAL));
            let call = || -> Result<$out, crate::border::Fault> {
                // SAFETY: as above.
                unsafe { $body }
            };
            crate::border::guard_value(failed, call).unwrap_or($otherwise)
        }
        crate::border::calls! { $($rest)* }
    };
    ($(#[$doc:meta])* free $name:ident($arg:ident: $type:ty); $($rest:tt)*) => {
        $(#[$doc])*
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($arg: $type) {
            // SAFETY: the header requires null or a live object, which is no longer used.
            unsafe { crate::border::free($arg) }
        }
        crate::border::calls! { $($rest)* }
    };
}
pub(crate) use calls;

/// Returns the code of `call`'s result. Panics stop here.
pub(crate) fn guard(call: impl FnOnce() -> Result<(), Fault>) -> bulat_result {
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(Ok(())) => BULAT_OK,
        Ok(Err(Fault(code))) => code,
        Err(_) => BULAT_ERR_INTERNAL,
    }
}

/// Returns the value of `call`, or `otherwise` after a panic.
pub(crate) fn guard_value<T>(otherwise: T, call: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(call)).unwrap_or(otherwise)
}

/// Refuses null and misaligned pointers, and lengths that no object can have.
fn check<T>(pointer: *const T, len: usize) -> Result<(), Fault> {
    if pointer.is_null() {
        return Err(Fault(BULAT_ERR_NULL));
    }
    if !pointer.is_aligned() {
        return Err(Fault(BULAT_ERR_ALIGNMENT));
    }
    let bytes = len.checked_mul(size_of::<T>()).and_then(|n| (pointer as usize).checked_add(n));
    let most = len.saturating_mul(size_of::<T>()) <= isize::MAX as usize;
    if bytes.is_some() && most { Ok(()) } else { Err(Fault(BULAT_ERR_DATA_LENGTH)) }
}

/// Returns bytes to read; null is accepted if `len` is 0.
///
/// # Safety
/// `len` bytes are readable from `pointer` on, and no other code writes them while the slice lives.
pub(crate) unsafe fn input<'a>(pointer: *const c_void, len: usize) -> Result<&'a [u8], Fault> {
    if len == 0 {
        return Ok(&[]);
    }
    let pointer = pointer.cast::<u8>();
    check(pointer, len)?;
    // SAFETY: `check` found the pointer not null and the length possible; this function requires the bytes to be
    // readable.
    Ok(unsafe { core::slice::from_raw_parts(pointer, len) })
}

/// Returns bytes to write; null is accepted if `len` is 0.
///
/// # Safety
/// `len` bytes are writable from `pointer` on, initialised, and no other code accesses them while the slice lives.
pub(crate) unsafe fn output<'a>(pointer: *mut c_void, len: usize) -> Result<&'a mut [u8], Fault> {
    if len == 0 {
        return Ok(&mut []);
    }
    let pointer = pointer.cast::<u8>();
    check(pointer, len)?;
    // SAFETY: `check` found the pointer not null and the length possible; this function requires exclusive, initialised
    // bytes.
    Ok(unsafe { core::slice::from_raw_parts_mut(pointer, len) })
}

/// Returns a text to transform in place, or between two buffers that do not overlap.
///
/// # Safety
/// As [`input`] and [`output`].
pub(crate) unsafe fn through<'a>(
    source: *const c_void,
    destination: *mut c_void,
    len: usize,
) -> Result<InOut<'a, 'a>, Fault> {
    if source == destination {
        // SAFETY: source and destination are one buffer, which is valid as this function requires.
        return Ok(unsafe { output(destination, len)? }.into());
    }
    apart(&[(destination, len)], &[(source, len)])?;
    // SAFETY: both buffers are valid, as this function requires, and `apart` has found that they do not overlap.
    let (source, destination) = unsafe { (input(source, len)?, output(destination, len)?) };
    InOut::new(source, destination).map_err(|_| Fault(BULAT_ERR_INTERNAL))
}

/// A buffer as passed by the caller.
pub(crate) type Range = (*const c_void, usize);

/// Refuses written buffers that overlap a second buffer of the call.
pub(crate) fn apart(written: &[(*mut c_void, usize)], read: &[Range]) -> Result<(), Fault> {
    let lengths = written.iter().map(|(_, len)| len).chain(read.iter().map(|(_, len)| len));
    if lengths.into_iter().any(|len| *len > isize::MAX as usize) {
        return Err(Fault(BULAT_ERR_DATA_LENGTH));
    }
    for (i, &(a, a_len)) in written.iter().enumerate() {
        let others = written[i + 1..].iter().map(|&(b, len)| (b.cast_const(), len));
        for (b, b_len) in others.chain(read.iter().copied()) {
            let (a, b) = (a as usize, b as usize);
            if a_len > 0 && b_len > 0 && a.abs_diff(b) < if a < b { a_len } else { b_len } {
                return Err(Fault(BULAT_ERR_OVERLAP));
            }
        }
    }
    Ok(())
}

/// Returns a reference to an object made by this library.
///
/// # Safety
/// `pointer` is null, or was returned by a call that makes such objects and has not been freed; no code changes the
/// object while the reference lives.
pub(crate) unsafe fn object<'a, T>(pointer: *const T) -> Result<&'a T, Fault> {
    check(pointer, 1)?;
    // SAFETY: `check` found the pointer not null and aligned; this function requires a live object that no code
    // changes.
    Ok(unsafe { &*pointer })
}

/// Returns an exclusive reference to an object made by this library.
///
/// # Safety
/// As [`object`], and no other code accesses the object.
pub(crate) unsafe fn object_mut<'a, T>(pointer: *mut T) -> Result<&'a mut T, Fault> {
    check(pointer, 1)?;
    // SAFETY: `check` found the pointer not null and aligned; this function requires exclusive access to a live object.
    Ok(unsafe { &mut *pointer })
}

/// Writes a value to the caller's memory.
///
/// # Safety
/// `pointer` is null or writable.
pub(crate) unsafe fn write<T>(pointer: *mut T, value: T) -> Result<(), Fault> {
    check(pointer, 1)?;
    // SAFETY: `check` found the pointer not null and aligned; this function requires it to be writable. The old value
    // is not dropped.
    unsafe { pointer.write(value) };
    Ok(())
}

/// Makes a new object for the caller; the place holds null until it is made.
///
/// # Safety
/// As [`write`].
pub(crate) unsafe fn make<T>(
    place: *mut *mut T,
    object: impl FnOnce() -> Result<T, Fault>,
) -> Result<(), Fault> {
    // SAFETY: `place` is null or writable, as this function requires.
    unsafe { write(place, core::ptr::null_mut())? };
    let object = Box::into_raw(Box::new(object()?));
    // SAFETY: the write above succeeded.
    unsafe { write(place, object) }
}

/// Frees an object; null is ignored.
///
/// # Safety
/// `pointer` is null, or was returned by [`make`] and has not been freed; no code accesses the object.
pub(crate) unsafe fn free<T>(pointer: *mut T) {
    if !pointer.is_null() && pointer.is_aligned() {
        // SAFETY: `make` got the pointer from a box; this function requires that it is freed only once.
        guard_value((), || drop(unsafe { Box::from_raw(pointer) }));
    }
}

/// Returns a name.
///
/// # Safety
/// `pointer` is null, or a string that ends with a zero byte and lives for `'a`.
pub(crate) unsafe fn name<'a>(pointer: *const c_char) -> Option<&'a str> {
    if pointer.is_null() {
        return None;
    }
    // SAFETY: `pointer` is not null, so it is a string that ends with a zero byte, as this function requires.
    unsafe { CStr::from_ptr(pointer) }.to_str().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_stops_here() {
        assert_eq!(guard(|| panic!("for the test")), BULAT_ERR_INTERNAL);
        assert_eq!(guard_value(7, || panic!("for the test")), 7);
        assert_eq!(guard(|| Err(Error::Verify.into())), code(Error::Verify));
        assert_eq!(guard(|| Ok(())), BULAT_OK);
    }

    #[test]
    fn overlap_is_seen() {
        let mut bytes = [0u8; 32];
        let at = |n: usize| bytes.as_ptr().wrapping_add(n).cast::<c_void>();
        let over = |a: usize, n: usize, b: usize, m: usize| {
            apart(&[(at(a).cast_mut(), n)], &[(at(b), m)]).is_err()
        };
        assert!(over(0, 16, 15, 16) && over(15, 16, 0, 16) && over(4, 1, 0, 16));
        assert!(!over(0, 16, 16, 16) && !over(16, 16, 0, 16) && !over(4, 0, 0, 16));
        assert!(apart(&[(at(0).cast_mut(), 8), (at(4).cast_mut(), 8)], &[]).is_err());
        // SAFETY: the ranges are within the array, and no two slices are alive together.
        unsafe {
            let start = bytes.as_mut_ptr().cast::<c_void>();
            assert!(through(start, start, 32).is_ok());
            assert!(through(start, start.cast::<u8>().add(16).cast(), 16).is_ok());
            let near = through(start, start.cast::<u8>().add(8).cast(), 16);
            assert_eq!(near.map(|_| ()), Err(Fault(BULAT_ERR_OVERLAP)));
            assert_eq!(input(core::ptr::null(), 0), Ok(&[][..]));
            assert_eq!(input(core::ptr::null(), 1), Err(Fault(BULAT_ERR_NULL)));
            assert_eq!(input(start, usize::MAX), Err(Fault(BULAT_ERR_DATA_LENGTH)));
            let odd = start.cast::<u8>().wrapping_add(1).cast::<u64>();
            let odd = if odd.is_aligned() { odd.wrapping_byte_add(1) } else { odd };
            assert_eq!(object(odd), Err(Fault(BULAT_ERR_ALIGNMENT)));
        }
    }
}
