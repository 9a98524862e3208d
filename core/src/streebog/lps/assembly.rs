//! LPS of a group of Streebog's nibbles, by `core/asm/streebog`, whose heads say what the registers hold.

use core::arch::asm;
use core::arch::x86_64::{__m128i, __m256i};
use core::mem::{MaybeUninit, offset_of};

use crate::streebog::round::nibbles::Lps;

// What the text takes for granted (`tools/asmgen/src/streebog.rs`).
const _: () = {
    assert!(offset_of!(Lps, left) == 2048 && offset_of!(Lps, right) == 2048 + 64);
    assert!(offset_of!(Lps, instead) == 2048 + 2 * 64 && offset_of!(Lps, phi) == 2048 + 3 * 64);
    assert!(offset_of!(Lps, fifteen) == 2048 + 4 * 64 && offset_of!(Lps, wrap) == 2048 + 5 * 64);
};

/// What does not fit into registers.
#[repr(C, align(16))]
struct LpsSlots([MaybeUninit<[u8; 16]>; 8]);

/// In 128 bits: with two operands, and with three.
macro_rules! narrow {
    ($($name:ident, $feature:literal, $text:literal;)*) => {$(
        #[target_feature(enable = $feature)]
        #[inline]
        pub(super) fn $name(tables: &Lps, x: [__m128i; 8]) -> [__m128i; 8] {
            let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = x;
            let mut slots = LpsSlots([MaybeUninit::uninit(); 8]);
            // SAFETY: what is read are the tables, which are aligned; what is written, eight vectors of `slots` at
            // most, which the generator makes sure of, and the registers named.
            unsafe {
                asm!(
                    include_str!(concat!("../../../asm/streebog/", $text)),
                    in("rdi") tables,
                    in("r10") &raw mut slots,
                    inout("xmm0") a, inout("xmm1") b, inout("xmm2") c, inout("xmm3") d, inout("xmm4") e,
                    inout("xmm5") f, inout("xmm6") g, inout("xmm7") h,
                    out("xmm8") _, out("xmm9") _, out("xmm10") _, out("xmm11") _, out("xmm12") _,
                    out("xmm13") _, out("xmm14") _, out("xmm15") _,
                    options(raw, nostack, preserves_flags),
                );
            }
            [a, b, c, d, e, f, g, h]
        }
    )*};
}
narrow! {
    ssse3, "ssse3", "ssse3.s";
    avx, "avx", "avx.s";
}

/// In 256 bits.
#[target_feature(enable = "avx2")]
#[inline]
pub(super) fn avx2(tables: &Lps, x: [__m256i; 4]) -> [__m256i; 4] {
    let [mut a, mut b, mut c, mut d] = x;
    // SAFETY: what is read are the tables, which are aligned; what is written, the registers named.
    unsafe {
        asm!(
            include_str!("../../../asm/streebog/avx2.s"),
            in("rdi") tables,
            inout("ymm0") a, inout("ymm1") b, inout("ymm2") c, inout("ymm3") d,
            out("ymm4") _, out("ymm5") _, out("ymm6") _, out("ymm7") _, out("ymm8") _,
            out("ymm9") _, out("ymm10") _, out("ymm11") _, out("ymm12") _, out("ymm13") _,
            out("ymm14") _, out("ymm15") _,
            options(raw, pure, readonly, nostack, preserves_flags),
        );
    }
    [a, b, c, d]
}
