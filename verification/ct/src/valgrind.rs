//! Memcheck's client requests on x86-64 (valgrind/valgrind.h, valgrind/memcheck.h): a sequence of
//! rotations that changes nothing on a real processor and that valgrind recognises. Fifteen lines of
//! our own, so that the harness builds without valgrind's headers.
#![allow(unsafe_code)]

const RUNNING_ON_VALGRIND: usize = 0x1001;
const COUNT_ERRORS: usize = 0x1201;
const MAKE_MEM_UNDEFINED: usize = 0x4d43_0001;
const MAKE_MEM_DEFINED: usize = 0x4d43_0002;

#[cfg(target_arch = "x86_64")]
#[inline(never)]
fn request(code: usize, a: usize, b: usize) -> usize {
    let arguments = [code, a, b, 0, 0, 0];
    let mut result = 0usize;
    // SAFETY: the four rotations of rdi add up to 128 bits and the exchange is of a register with
    // itself: outside valgrind nothing changes. Inside, valgrind reads `arguments` and sets rdx.
    unsafe {
        core::arch::asm!(
            "rol rdi, 3", "rol rdi, 13", "rol rdi, 61", "rol rdi, 51", "xchg rbx, rbx",
            in("rax") arguments.as_ptr(), inout("rdx") result,
        );
    }
    result
}

#[cfg(not(target_arch = "x86_64"))]
fn request(_: usize, _: usize, _: usize) -> usize {
    0
}

/// Returns whether the program runs under valgrind.
pub fn running() -> bool {
    request(RUNNING_ON_VALGRIND, 0, 0) != 0
}

/// Errors found so far, suppressed ones not counted.
pub fn errors() -> usize {
    request(COUNT_ERRORS, 0, 0)
}

/// From now on every branch and address that depends on these bytes is an error.
pub fn secret(bytes: &[u8]) {
    request(MAKE_MEM_UNDEFINED, bytes.as_ptr() as usize, bytes.len());
}

/// These bytes are public.
pub fn public(bytes: &[u8]) {
    request(MAKE_MEM_DEFINED, bytes.as_ptr() as usize, bytes.len());
}
