//! The chains of Streebog's compression of one message, by `chains.s`, which `streebog/assembly/chains.rs` writes.

use core::arch::asm;
use core::arch::x86_64::__m256i;

use crate::streebog::image::CHAINS;

/// As `chains` in [`crate::streebog`]'s rounds.
#[target_feature(enable = "avx2,gfni")]
#[inline]
pub(super) fn chains(key: [__m256i; 2], state: [__m256i; 2]) -> [__m256i; 2] {
    let [mut a, mut b] = state;
    // SAFETY: what is read are the constants, aligned: of `rounds` two in each of the steps counted.
    unsafe {
        asm!(
            include_str!("chains.s"),
            tables = in(reg) &raw const CHAINS,
            rounds = inout(reg) CHAINS.rounds.as_ptr() => _,
            count = inout(reg) CHAINS.rounds.len() / 2 => _,
            inout("ymm0") key[0] => _, inout("ymm1") key[1] => _, inout("ymm2") a, inout("ymm3") b,
            out("ymm4") _, out("ymm5") _, out("ymm6") _, out("ymm7") _, out("ymm8") _,
            out("ymm9") _, out("ymm10") _, out("ymm11") _, out("ymm12") _, out("ymm13") _,
            out("ymm14") _, out("ymm15") _,
            options(pure, readonly, nostack),
        );
    }
    [a, b]
}
