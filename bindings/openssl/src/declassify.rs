//! For the constant-time harness (feature `declassify`): tells valgrind where the library makes something secret public.
//! Memcheck's client request on x86-64 is a sequence of rotations that changes nothing outside valgrind.
#![allow(unsafe_code)]

const MAKE_MEM_DEFINED: usize = 0x4d43_0002;

pub fn set() {
    bulat_core::memory::DECLASSIFY.get_or_init(|| public);
}

#[cfg(target_arch = "x86_64")]
fn public(byte: &mut [u8; 1]) {
    let arguments = [MAKE_MEM_DEFINED, byte.as_ptr() as usize, 1, 0, 0, 0];
    // SAFETY: the four rotations of rdi add up to 128 bits, and rbx is exchanged with itself, so outside valgrind nothing
    // changes. Under valgrind it reads `arguments`, which is alive here, and sets rdx.
    unsafe {
        core::arch::asm!(
            "rol rdi, 3", "rol rdi, 13", "rol rdi, 61", "rol rdi, 51", "xchg rbx, rbx",
            in("rax") arguments.as_ptr(), inout("rdx") 0usize => _,
        );
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn public(_: &mut [u8; 1]) {}
