//! LPS of a group of Streebog's nibbles, by `core/asm/streebog`. The heads of the texts list the registers.

use core::arch::asm;
use core::arch::x86_64::__m256i;
use core::mem::offset_of;

use crate::streebog::round::nibbles::Lps;

// The text assumes these offsets (`tools/asmgen/src/streebog.rs`).
const _: () = {
    assert!(offset_of!(Lps, left) == 2048 && offset_of!(Lps, right) == 2048 + 64);
    assert!(offset_of!(Lps, instead) == 2048 + 2 * 64 && offset_of!(Lps, phi) == 2048 + 3 * 64);
    assert!(offset_of!(Lps, fifteen) == 2048 + 4 * 64 && offset_of!(Lps, wrap) == 2048 + 5 * 64);
};

/// The text for `avx2`.
#[target_feature(enable = "avx2")]
#[inline]
pub(super) fn avx2(tables: &Lps, x: [__m256i; 4]) -> [__m256i; 4] {
    let [mut a, mut b, mut c, mut d] = x;
    // SAFETY: the text reads only the tables, which are aligned, and writes only the registers named.
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
