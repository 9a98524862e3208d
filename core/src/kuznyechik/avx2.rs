//! Rounds by nibbles in assembly: `core/asm/kuznyechik`. The heads of its files list the registers.
#![allow(unsafe_code)]

use core::arch::asm;
use core::arch::x86_64::__m256i;
use core::mem::{MaybeUninit, offset_of};
use core::ops::Range;

use crate::cipher::Direction;
use crate::kuznyechik::sbox::nibbles::{LOGARITHMS, Numbers, PLACES, PRODUCTS, Repeated};
use crate::kuznyechik::sbox::places::FirstTables;
use crate::kuznyechik::sbox::structure::Place;
use crate::simd::Linear;

/// Vectors that do not fit into registers, at most.
const SLOTS: usize = 64;

#[repr(C, align(64))]
struct Slots([MaybeUninit<__m256i>; SLOTS]);

// The offsets in the text (`tools/asmgen/src/kuznyechik.rs`).
const _: () = {
    assert!(size_of::<usize>() == 8 && size_of::<Repeated>() == 32);
    assert!(
        size_of::<Linear>() == 64 && offset_of!(Linear, low) == 0 && offset_of!(Linear, high) == 16
    );
    assert!(
        size_of::<Place>() == 256 && offset_of!(Place, to) == 0 && offset_of!(Place, tables) == 128
    );
    assert!(offset_of!(Numbers, fifteen) == 0 && offset_of!(Numbers, modulo) == 32);
    assert!(offset_of!(Numbers, log_l) == 2 * 32 && offset_of!(Numbers, log_r) == 3 * 32);
    assert!(offset_of!(Numbers, log_phi) == 4 * 32 && offset_of!(Numbers, log_w) == 5 * 32);
    assert!(offset_of!(Numbers, log_to_r) == 6 * 32 && offset_of!(Numbers, log_to_l) == 7 * 32);
};

#[target_feature(enable = "avx2")]
#[inline]
pub(super) fn rounds(
    direction: Direction,
    tables: &FirstTables,
    rounds: Range<usize>,
    v: &mut [__m256i; 16],
) {
    // One text for all calls: two, as a short call of CTR would have, do not fit into a
    // processor's cache of decoded instructions. (The compiler heeds `never` only in a call from a function that has the features.)
    #[target_feature(enable = "avx2")]
    #[inline(never)]
    fn run(
        direction: Direction,
        tables: &FirstTables,
        rounds: Range<usize>,
        v: &mut [__m256i; 16],
    ) {
        let places = &PLACES[direction as usize][rounds.clone()];
        let keys = &tables[rounds];
        assert!(!keys.is_empty() && keys.as_ptr().addr().is_multiple_of(16));
        let mut slots = Slots([MaybeUninit::uninit(); SLOTS]);
        macro_rules! text {
            ($text:literal) => {
                // SAFETY: the text reads the constants, which their types align; `rcx` pointers to places and
                // tables of keys, both aligned, the latter as asserted above; `v`; and slots that it wrote before. It
                // writes `v`, at most `SLOTS` vectors of `slots`, which the generator asserts, and the registers
                // named.
                unsafe {
                    asm!(
                        include_str!(concat!("../../asm/kuznyechik/", $text)),
                        inout("rsi") places.as_ptr() => _,
                        out("rax") _,
                        inout("rdx") keys.as_ptr() => _,
                        inout("rcx") keys.len() => _,
                        in("r8") PRODUCTS,
                        in("r9") &raw const LOGARITHMS,
                        in("rdi") v,
                        in("r10") &raw mut slots,
                        out("xmm0") _, out("xmm1") _, out("xmm2") _, out("xmm3") _, out("xmm4") _,
                        out("xmm5") _, out("xmm6") _, out("xmm7") _, out("xmm8") _, out("xmm9") _,
                        out("xmm10") _, out("xmm11") _, out("xmm12") _, out("xmm13") _, out("xmm14") _,
                        out("xmm15") _,
                        options(raw, nostack),
                    )
                }
            };
        }
        match direction {
            Direction::Encrypt => text!("avx2-encrypt.s"),
            Direction::Decrypt => text!("avx2-decrypt.s"),
        }
    }
    run(direction, tables, rounds, v);
}
