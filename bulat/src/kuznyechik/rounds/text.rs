//! Rounds of Kuznyechik by nibbles, by the `*.s` beside this file, which `kuznyechik/assembly/octets.rs` writes.

use core::arch::asm;
use core::arch::x86_64::{__m128i, __m256i, __m512i};
use core::mem::MaybeUninit;
use core::ops::Range;

use crate::cipher::Direction;
use crate::kuznyechik::logs::{LISTS, LOGARITHMS, WIDE_LISTS};
use crate::kuznyechik::octets::FirstTables;

/// Vectors that do not fit into registers, at most.
pub(in crate::kuznyechik) const SLOTS: usize = 64;

#[repr(C, align(64))]
struct Slots<V>([MaybeUninit<V>; SLOTS]);

// The text takes a pointer for eight bytes.
const _: () = assert!(size_of::<usize>() == 8);

macro_rules! rounds {
    ($($name:ident, $vector:ty, $feature:literal, $lists:ident, [$($more:tt)*], $encrypt:literal, $decrypt:literal;)*) => {$(
        #[target_feature(enable = $feature)]
        #[inline]
        pub(super) fn $name(direction: Direction, tables: &FirstTables, rounds: Range<usize>, v: &mut [$vector; 16]) {
            // One text for all calls: two, as a short call of CTR would have, do not fit where a processor keeps what
            // it has decoded. (The compiler heeds `never` only in a call from a function that has the features.)
            #[target_feature(enable = $feature)]
            #[inline(never)]
            fn run(direction: Direction, tables: &FirstTables, rounds: Range<usize>, v: &mut [$vector; 16]) {
                let places = &$lists.places[direction as usize][rounds.clone()];
                let keys = &tables[rounds];
                assert!(!keys.is_empty() && keys.as_ptr().addr().is_multiple_of(16));
                let mut slots = Slots([MaybeUninit::<$vector>::uninit(); SLOTS]);
                macro_rules! text {
                    ($text:literal) => {
                        // SAFETY: what is read are the constants, which are aligned as their types say, of the list,
                        // places and keys, aligned too, as many as are counted, `v`, and slots that were written
                        // before; what is written, `v`, `SLOTS` vectors of `slots` at most, which the test that writes
                        // the text makes sure of, and the registers named.
                        unsafe {
                            asm!(
                                include_str!($text),
                                list = inout(reg) places.as_ptr() => _,
                                places = out(reg) _,
                                keys = inout(reg) keys.as_ptr() => _,
                                count = inout(reg) keys.len() => _,
                                leaves = in(reg) $lists.leaves,
                                numbers = in(reg) &raw const LOGARITHMS,
                                v = in(reg) v,
                                slots = in(reg) &raw mut slots,
                                out("xmm0") _, out("xmm1") _, out("xmm2") _, out("xmm3") _, out("xmm4") _,
                                out("xmm5") _, out("xmm6") _, out("xmm7") _, out("xmm8") _, out("xmm9") _,
                                out("xmm10") _, out("xmm11") _, out("xmm12") _, out("xmm13") _, out("xmm14") _,
                                out("xmm15") _,
                                $(out($more) _,)*
                                options(nostack),
                            )
                        }
                    };
                }
                match direction {
                    Direction::Encrypt => text!($encrypt),
                    Direction::Decrypt => text!($decrypt),
                }
            }
            run(direction, tables, rounds, v);
        }
    )*};
}
rounds! {
    ssse3, __m128i, "ssse3", LISTS, [], "ssse3-encrypt.s", "ssse3-decrypt.s";
    avx, __m128i, "avx", LISTS, [], "avx-encrypt.s", "avx-decrypt.s";
    avx2, __m256i, "avx2", LISTS, [], "avx2-encrypt.s", "avx2-decrypt.s";
    avx512, __m512i, "avx512f,avx512bw", WIDE_LISTS,
        ["xmm16" "xmm17" "xmm18" "xmm19" "xmm20" "xmm21" "xmm22" "xmm23" "xmm24" "xmm25" "xmm26" "xmm27" "xmm28"
         "xmm29" "xmm30" "xmm31"],
        "avx512-encrypt.s", "avx512-decrypt.s";
}
