//! The machine's own share of the times: loops of a single instruction on registers, without memory, with one
//! branch, on a counter. If times for zeros and for random texts differ here, the cause is the processor
//! (its clock, under vectors with changing bits or without), and the times of every kernel have it too.
#![allow(unsafe_code)]

/// Bytes of the text.
pub const LEN: usize = 16 * 64;

/// Some 16 000 XORs of vectors of the text, of 512 bits, or of 256.
#[cfg(target_arch = "x86_64")]
pub fn vectors(text: &[u8; LEN]) {
    macro_rules! xors {
        ($xor:literal, $load:literal, $register:literal, $bytes:literal) => {
            // SAFETY: loads 13 vectors of the text's 16; the instructions were detected below.
            unsafe {
                std::arch::asm!(
                    ".irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12",
                    concat!($load, " ", $register, "\\i, [{text} + ", $bytes, " * \\i]"),
                    ".endr",
                    "2:",
                    ".irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11",
                    concat!($xor, " ", $register, "\\i, ", $register, "\\i, ", $register, "12"),
                    ".endr",
                    "dec {rounds:e}",
                    "jnz 2b",
                    "vzeroupper",
                    text = in(reg) text,
                    rounds = inout(reg) 1300 => _,
                    out("xmm0") _, out("xmm1") _, out("xmm2") _, out("xmm3") _, out("xmm4") _,
                    out("xmm5") _, out("xmm6") _, out("xmm7") _, out("xmm8") _, out("xmm9") _,
                    out("xmm10") _, out("xmm11") _, out("xmm12") _,
                    options(nostack, readonly),
                );
            }
        };
    }
    if std::arch::is_x86_feature_detected!("avx512f") {
        xors!("vpxord", "vmovdqu64", "zmm", "64");
    } else if std::arch::is_x86_feature_detected!("avx2") {
        xors!("vpxor", "vmovdqu", "ymm", "32");
    }
}

/// Nothing that could depend on the text.
#[cfg(not(target_arch = "x86_64"))]
pub fn vectors(_: &[u8; LEN]) {}

/// 2000 additions of words, in a chain, whatever the text: the share of the preparation and of
/// the measurement.
pub fn words(text: &[u8; LEN]) {
    let mut sum = std::hint::black_box(text).len();
    for _ in 0..2000 {
        sum = std::hint::black_box(sum) + 1;
    }
    std::hint::black_box(sum);
}
