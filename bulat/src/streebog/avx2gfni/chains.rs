//! The chains of Streebog's compression of one message, by `bulat/asm/streebog/avx2gfni.s`,
//! whose head says what the registers hold.

use core::arch::asm;
use core::arch::x86_64::__m256i;
use core::mem::offset_of;

use crate::streebog::image::{CHAINS, Chains};

// What the text takes for granted (`asmgen/src/streebog/chains.rs`).
const _: () = {
    assert!(offset_of!(Chains, zero) == 0 && offset_of!(Chains, right) == 32);
    assert!(offset_of!(Chains, inverse) == 2 * 32 && offset_of!(Chains, k) == 3 * 32);
    assert!(offset_of!(Chains, phi) == 4 * 32 && offset_of!(Chains, sigma) == 5 * 32);
    assert!(offset_of!(Chains, e) == 6 * 32 && offset_of!(Chains, one) == 7 * 32);
    assert!(offset_of!(Chains, two) == 8 * 32 && offset_of!(Chains, groups) == 320);
    assert!(offset_of!(Chains, inside) == 320 + 512 && size_of_val(&CHAINS.rounds) == 12 * 64);
};

/// As `chains` in [`crate::streebog`]'s rounds.
#[target_feature(enable = "avx2,gfni")]
#[inline]
pub(super) fn chains(key: [__m256i; 2], state: [__m256i; 2]) -> [__m256i; 2] {
    let [mut a, mut b] = state;
    // SAFETY: what is read are the constants, aligned: of `rounds` two in each of the steps counted.
    unsafe {
        asm!(
            include_str!("../../../asm/streebog/avx2gfni.s"),
            in("rdi") &raw const CHAINS,
            inout("rsi") CHAINS.rounds.as_ptr() => _,
            inout("rcx") CHAINS.rounds.len() / 2 => _,
            inout("ymm0") key[0] => _, inout("ymm1") key[1] => _, inout("ymm2") a, inout("ymm3") b,
            out("ymm4") _, out("ymm5") _, out("ymm6") _, out("ymm7") _, out("ymm8") _,
            out("ymm9") _, out("ymm10") _, out("ymm11") _, out("ymm12") _, out("ymm13") _,
            out("ymm14") _, out("ymm15") _,
            options(raw, pure, readonly, nostack),
        );
    }
    [a, b]
}
