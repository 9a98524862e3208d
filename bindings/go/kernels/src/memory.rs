//! The functions on memory that compilers call, and the end of a program with a bug: nothing else is linked.

use core::arch::asm;

/// Ends the program.
pub fn stop() -> ! {
    loop {
        // SAFETY: an undefined instruction ends the program.
        unsafe {
            #[cfg(target_arch = "x86_64")]
            asm!("ud2", options(nomem, nostack));
            #[cfg(target_arch = "aarch64")]
            asm!("udf #0", options(nomem, nostack));
        }
    }
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    stop()
}

#[cfg(target_arch = "x86_64")]
core::arch::global_asm!(
    ".section .text.memory,\"ax\"",
    ".globl memcpy, memmove, memset, memcmp, bcmp",
    "memmove:",
    "mov rax, rdi",
    "sub rax, rsi",
    "cmp rax, rdx",
    "jae memcpy",
    "mov rax, rdi",
    "mov rcx, rdx",
    "lea rdi, [rdi + rdx - 1]",
    "lea rsi, [rsi + rdx - 1]",
    "std",
    "rep movsb",
    "cld",
    "ret",
    "memcpy:",
    "mov rax, rdi",
    "mov rcx, rdx",
    "rep movsb",
    "ret",
    "memset:",
    "mov r8, rdi",
    "mov eax, esi",
    "mov rcx, rdx",
    "rep stosb",
    "mov rax, r8",
    "ret",
    "memcmp:",
    "bcmp:",
    "xor ecx, ecx",
    "2: cmp rcx, rdx",
    "je 3f",
    "movzx eax, byte ptr [rdi + rcx]",
    "movzx r8d, byte ptr [rsi + rcx]",
    "inc rcx",
    "sub eax, r8d",
    "je 2b",
    "ret",
    "3: xor eax, eax",
    "ret",
);

#[cfg(target_arch = "aarch64")]
core::arch::global_asm!(
    ".section .text.memory,\"ax\"",
    ".globl memcpy, memmove, memset, memcmp, bcmp",
    "memmove:",
    "sub x3, x0, x1",
    "cmp x3, x2",
    "b.hs memcpy",
    "2: cbz x2, 3f",
    "sub x2, x2, #1",
    "ldrb w3, [x1, x2]",
    "strb w3, [x0, x2]",
    "b 2b",
    "3: ret",
    "memcpy:",
    "mov x4, x0",
    "2: cmp x2, #8",
    "b.lo 3f",
    "ldr x3, [x1], #8",
    "str x3, [x4], #8",
    "sub x2, x2, #8",
    "b 2b",
    "3: cbz x2, 4f",
    "ldrb w3, [x1], #1",
    "strb w3, [x4], #1",
    "sub x2, x2, #1",
    "b 3b",
    "4: ret",
    "memset:",
    "mov x4, x0",
    "2: cbz x2, 3f",
    "strb w1, [x4], #1",
    "sub x2, x2, #1",
    "b 2b",
    "3: ret",
    "memcmp:",
    "bcmp:",
    "2: cbz x2, 3f",
    "ldrb w3, [x0], #1",
    "ldrb w4, [x1], #1",
    "sub x2, x2, #1",
    "subs w5, w3, w4",
    "b.eq 2b",
    "mov w0, w5",
    "ret",
    "3: mov w0, #0",
    "ret",
);
