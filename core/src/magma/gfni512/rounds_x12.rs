//! Magma's rounds for twelve groups of 16 blocks, in registers from first to last: compilers spill five to
//! ten of the 24 halves in every round, which costs 5 to 10 %. The `round` of
//! `sbox/vbmi.rs` for each group, eight operations; two groups at a time, for the processor sees only so far ahead.

use core::arch::asm;
use core::arch::x86_64::*;

use super::planes::{Zmm, ZmmTables};

/// A round of two groups: `$b` and `$d` change, by `$a` and `$c` under a key.
macro_rules! two {
    ($key:literal, $k:literal $a:literal $b:literal, $l:literal $c:literal $d:literal) => {
        concat!(
            "vprold zmm28, zmm",
            $a,
            ", 11\n",
            "vprold zmm30, zmm",
            $c,
            ", 11\n",
            "vpaddd zmm28, zmm28, ",
            $key,
            $k,
            "\n",
            "vpaddd zmm30, zmm30, ",
            $key,
            $l,
            "\n",
            "vpsrld zmm29, zmm28, 4\n",
            "vpsrld zmm31, zmm30, 4\n",
            "vpternlogd zmm28, zmm26, zmm27, 0xea\n",
            "vpternlogd zmm30, zmm26, zmm27, 0xea\n",
            "vpternlogd zmm29, zmm26, zmm27, 0xea\n",
            "vpternlogd zmm31, zmm26, zmm27, 0xea\n",
            "vpermb zmm28, zmm28, zmm24\n",
            "vpermb zmm30, zmm30, zmm24\n",
            "vpermb zmm29, zmm29, zmm25\n",
            "vpermb zmm31, zmm31, zmm25\n",
            "vpternlogd zmm",
            $b,
            ", zmm28, zmm29, 0x96\n",
            "vpternlogd zmm",
            $d,
            ", zmm30, zmm31, 0x96\n",
        )
    };
}

/// A round of two groups with their halves at `$a` to `$d` of the rest.
macro_rules! two_away {
    ($key:literal, $k:literal $a:literal $b:literal, $l:literal $c:literal $d:literal) => {
        concat!(
            "vprold zmm28, zmmword ptr [{rest} + ",
            $a,
            "], 11\n",
            "vprold zmm30, zmmword ptr [{rest} + ",
            $c,
            "], 11\n",
            "vpaddd zmm28, zmm28, ",
            $key,
            $k,
            "\n",
            "vpaddd zmm30, zmm30, ",
            $key,
            $l,
            "\n",
            "vpsrld zmm29, zmm28, 4\n",
            "vpsrld zmm31, zmm30, 4\n",
            "vpternlogd zmm28, zmm26, zmm27, 0xea\n",
            "vpternlogd zmm30, zmm26, zmm27, 0xea\n",
            "vpternlogd zmm29, zmm26, zmm27, 0xea\n",
            "vpternlogd zmm31, zmm26, zmm27, 0xea\n",
            "vpermb zmm28, zmm28, zmm24\n",
            "vpermb zmm30, zmm30, zmm24\n",
            "vpermb zmm29, zmm29, zmm25\n",
            "vpermb zmm31, zmm31, zmm25\n",
            "vpternlogd zmm28, zmm29, zmmword ptr [{rest} + ",
            $b,
            "], 0x96\n",
            "vpternlogd zmm30, zmm31, zmmword ptr [{rest} + ",
            $d,
            "], 0x96\n",
            "vmovdqa64 zmmword ptr [{rest} + ",
            $b,
            "], zmm28\n",
            "vmovdqa64 zmmword ptr [{rest} + ",
            $d,
            "], zmm30\n",
        )
    };
}

/// A round of twelve groups under one key; the number of its word is in `word`.
macro_rules! round {
    (
        $a0:literal $a1:literal $a2:literal $a3:literal $a4:literal $a5:literal
        $a6:literal $a7:literal $a8:literal $a9:literal $a10:literal $a11:literal,
        $b0:literal $b1:literal $b2:literal $b3:literal $b4:literal $b5:literal
        $b6:literal $b7:literal $b8:literal $b9:literal $b10:literal $b11:literal
    ) => {
        concat!(
            two!("dword ptr [{keys} + 4*{word}]{{1to16}}", "" $a0 $b0, "" $a1 $b1),
            two!("dword ptr [{keys} + 4*{word}]{{1to16}}", "" $a2 $b2, "" $a3 $b3),
            two!("dword ptr [{keys} + 4*{word}]{{1to16}}", "" $a4 $b4, "" $a5 $b5),
            two!("dword ptr [{keys} + 4*{word}]{{1to16}}", "" $a6 $b6, "" $a7 $b7),
            two!("dword ptr [{keys} + 4*{word}]{{1to16}}", "" $a8 $b8, "" $a9 $b9),
            two!("dword ptr [{keys} + 4*{word}]{{1to16}}", "" $a10 $b10, "" $a11 $b11),
        )
    };
}

/// Products during the rounds: eight, of 64-bit words of H and of bytes that come the highest first.
macro_rules! products {
    () => {
        concat!(
            "vmovdqu64 zmm28, zmmword ptr [{a}]\n",
            "vpshufb zmm28, zmm28, zmmword ptr [{order}]\n",
            "vpclmulqdq zmm29, zmm28, zmmword ptr [{h}], 0x00\n",
            "vpclmulqdq zmm30, zmm28, zmmword ptr [{h}], 0x11\n",
            "vpternlogq zmm29, zmm30, zmmword ptr [{sum}], 0x96\n",
            "vmovdqa64 zmmword ptr [{sum}], zmm29\n",
            "add {a}, 64\n",
            "add {h}, 64\n",
        )
    };
}

/// `$name`: rounds under keys of this form, at the address `$key` and `$k0` for group 0, `$k1` for group 1 and so on. Four
/// groups more than twelve stay in memory between their rounds.
macro_rules! twelve {
    (
        $(#[$doc:meta])* $name:ident, $groups:literal, $keys:ty, $index:literal, $key:literal,
        [$k0:literal $k1:literal $k2:literal $k3:literal $k4:literal $k5:literal
         $k6:literal $k7:literal $k8:literal $k9:literal $k10:literal $k11:literal]
        $([$k12:literal $k13:literal $k14:literal $k15:literal])?
    ) => {
        $(#[$doc])*
        #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
        #[inline]
        pub(in crate::magma) fn $name(tables: &ZmmTables, x: &mut [(Zmm, Zmm)], keys: &$keys, forth: usize, n: usize) {
            assert!(x.len() == $groups && n > 0 && n % 2 == 0 && forth % 2 == 0);
            let (x, others) = x.split_first_chunk_mut::<12>().expect("groups");
            let mut rest = [[tables.low; 2]; $groups - 12];
            for (rest, &(a, b)) in rest.iter_mut().zip(others.iter()) {
                *rest = [a, b];
            }
            // SAFETY: `keys` are read at one of eight places, for every group; `rest` has all but the twelve.
            unsafe {
                asm!(
                    "/* {rest} */",
                    ".p2align 6",
                    "2:",
                    // the key's number: the round's, or 7 less that
                    "cmp {round}, {forth}",
                    "sbb {word:e}, {word:e}",
                    "not {word:e}",
                    "xor {word:e}, {round:e}",
                    "and {word:e}, 7",
                    "mov {i:e}, {word:e}",
                    $index,
                    two!($key, $k0 0 12, $k1 1 13),
                    two!($key, $k2 2 14, $k3 3 15),
                    two!($key, $k4 4 16, $k5 5 17),
                    two!($key, $k6 6 18, $k7 7 19),
                    two!($key, $k8 8 20, $k9 9 21),
                    two!($key, $k10 10 22, $k11 11 23),
                    $(two_away!($key, $k12 0 64, $k13 128 192),
                    two_away!($key, $k14 256 320, $k15 384 448),)?
                    // the next is one more, or less
                    "mov {i:e}, {word:e}",
                    "xor {i:e}, 1",
                    $index,
                    two!($key, $k0 12 0, $k1 13 1),
                    two!($key, $k2 14 2, $k3 15 3),
                    two!($key, $k4 16 4, $k5 17 5),
                    two!($key, $k6 18 6, $k7 19 7),
                    two!($key, $k8 20 8, $k9 21 9),
                    two!($key, $k10 22 10, $k11 23 11),
                    $(two_away!($key, $k12 64 0, $k13 192 128),
                    two_away!($key, $k14 320 256, $k15 448 384),)?
                    "add {round}, 2",
                    "cmp {round}, {n}",
                    "jne 2b",
                    i = out(reg) _,
                    word = out(reg) _,
                    round = inout(reg) 0_usize => _,
                    forth = in(reg) forth,
                    n = in(reg) n,
                    keys = in(reg) keys.as_ptr(),
                    rest = in(reg) rest.as_mut_ptr(),
                    inout("zmm0") x[0].0.0, inout("zmm12") x[0].1.0,
                    inout("zmm1") x[1].0.0, inout("zmm13") x[1].1.0,
                    inout("zmm2") x[2].0.0, inout("zmm14") x[2].1.0,
                    inout("zmm3") x[3].0.0, inout("zmm15") x[3].1.0,
                    inout("zmm4") x[4].0.0, inout("zmm16") x[4].1.0,
                    inout("zmm5") x[5].0.0, inout("zmm17") x[5].1.0,
                    inout("zmm6") x[6].0.0, inout("zmm18") x[6].1.0,
                    inout("zmm7") x[7].0.0, inout("zmm19") x[7].1.0,
                    inout("zmm8") x[8].0.0, inout("zmm20") x[8].1.0,
                    inout("zmm9") x[9].0.0, inout("zmm21") x[9].1.0,
                    inout("zmm10") x[10].0.0, inout("zmm22") x[10].1.0,
                    inout("zmm11") x[11].0.0, inout("zmm23") x[11].1.0,
                    in("zmm24") tables.low.0, in("zmm25") tables.high.0,
                    in("zmm26") tables.nibble.0, in("zmm27") tables.place.0,
                    out("zmm28") _, out("zmm29") _, out("zmm30") _, out("zmm31") _,
                    options(nostack),
                );
            }
            for (other, &[a, b]) in others.iter_mut().zip(&rest) {
                *other = (a, b);
            }
        }
    };
}

twelve!(
    /// Under one key.
    one_key, 12, [u32; 8], "", "dword ptr [{keys} + 4*{i}]{{1to16}}",
    ["" "" "" "" "" "" "" "" "" "" "" ""]
);
twelve!(
    /// Under a key for each block: of every word those of the twelve groups.
    own_keys, 12, [Zmm; 8 * 12], "imul {i:e}, {i:e}, 768", "zmmword ptr [{keys} + {i} + ",
    ["0]" "64]" "128]" "192]" "256]" "320]" "384]" "448]" "512]" "576]" "640]" "704]"]
);
twelve!(
    /// Under a key for each block of sixteen groups.
    own_keys_and_four, 16, [Zmm; 8 * 16], "shl {i:e}, 10", "zmmword ptr [{keys} + {i} + ",
    ["0]" "64]" "128]" "192]" "256]" "320]" "384]" "448]" "512]" "576]" "640]" "704]"]
    ["768]" "832]" "896]" "960]"]
);

/// Bytes of twelve groups.
pub(crate) const OCTETS: usize = 12 * 128;

/// Products without rounds.
#[target_feature(enable = "avx512f,avx512bw,vpclmulqdq")]
pub(crate) fn products(products: MgmProducts<'_>) {
    let MgmProducts { h, blocks, sum } = products;
    for (h, block) in h.iter().zip(blocks.as_chunks::<64>().0) {
        // SAFETY: 64 readable bytes each.
        let (a, order) = unsafe {
            (_mm512_loadu_si512(block.as_ptr().cast()), _mm512_loadu_si512(ORDER.0.as_ptr().cast()))
        };
        let a = _mm512_shuffle_epi8(a, order);
        let one = _mm512_clmulepi64_epi128::<0x00>(a, h.0);
        let other = _mm512_clmulepi64_epi128::<0x11>(a, h.0);
        sum.0 = _mm512_ternarylogic_epi64::<0x96>(sum.0, one, other);
    }
}

/// The products during the rounds: of 64-bit words by blocks of which the first byte is the highest.
pub(crate) struct MgmProducts<'a> {
    pub(crate) h: &'a [Zmm; OCTETS / 64],
    pub(crate) blocks: &'a [u8; OCTETS],
    /// The sum of the products, of 128 bits, in four parts.
    pub(crate) sum: &'a mut Zmm,
}

/// The order of bytes that makes the first one the highest.
#[repr(align(64))]
struct OctetOrder([u8; 64]);
static ORDER: OctetOrder = {
    let (mut order, mut i) = ([0; 64], 0);
    while i < 64 {
        order[i] = (i as u8 % 16) ^ 7;
        i += 1;
    }
    OctetOrder(order)
};

/// 32 rounds of encryption under one key, and between them as many products as there are blocks.
///
/// # Safety
/// Where VPCLMULQDQ is, in 512 bits.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
#[inline]
pub(crate) unsafe fn and_products(
    tables: &ZmmTables,
    x: &mut [(Zmm, Zmm); 12],
    keys: &[u32; 8],
    products: MgmProducts<'_>,
) {
    // SAFETY: `keys` are read at one of eight places; of h and blocks the 24 times 64 bytes that they have; the sum
    // is a vector, so it is aligned.
    unsafe {
        asm!(
            ".p2align 6",
            "2:",
            // the key's number: the round's, or 7 less that; the next ones are one, two, three more, or less
            "cmp {round:e}, 24",
            "sbb {word:e}, {word:e}",
            "not {word:e}",
            "xor {word:e}, {round:e}",
            "and {word:e}, 7",
            round!(0 1 2 3 4 5 6 7 8 9 10 11, 12 13 14 15 16 17 18 19 20 21 22 23),
            products!(),
            "xor {word:e}, 1",
            round!(12 13 14 15 16 17 18 19 20 21 22 23, 0 1 2 3 4 5 6 7 8 9 10 11),
            products!(),
            "xor {word:e}, 3",
            round!(0 1 2 3 4 5 6 7 8 9 10 11, 12 13 14 15 16 17 18 19 20 21 22 23),
            products!(),
            "xor {word:e}, 1",
            round!(12 13 14 15 16 17 18 19 20 21 22 23, 0 1 2 3 4 5 6 7 8 9 10 11),
            "add {round:e}, 4",
            "cmp {round:e}, 32",
            "jne 2b",
            word = out(reg) _,
            round = inout(reg) 0_usize => _,
            keys = in(reg) keys.as_ptr(),
            a = inout(reg) products.blocks.as_ptr() => _,
            h = inout(reg) products.h.as_ptr() => _,
            sum = in(reg) products.sum,
            order = in(reg) &raw const ORDER,
            inout("zmm0") x[0].0.0, inout("zmm12") x[0].1.0,
            inout("zmm1") x[1].0.0, inout("zmm13") x[1].1.0,
            inout("zmm2") x[2].0.0, inout("zmm14") x[2].1.0,
            inout("zmm3") x[3].0.0, inout("zmm15") x[3].1.0,
            inout("zmm4") x[4].0.0, inout("zmm16") x[4].1.0,
            inout("zmm5") x[5].0.0, inout("zmm17") x[5].1.0,
            inout("zmm6") x[6].0.0, inout("zmm18") x[6].1.0,
            inout("zmm7") x[7].0.0, inout("zmm19") x[7].1.0,
            inout("zmm8") x[8].0.0, inout("zmm20") x[8].1.0,
            inout("zmm9") x[9].0.0, inout("zmm21") x[9].1.0,
            inout("zmm10") x[10].0.0, inout("zmm22") x[10].1.0,
            inout("zmm11") x[11].0.0, inout("zmm23") x[11].1.0,
            in("zmm24") tables.low.0, in("zmm25") tables.high.0,
            in("zmm26") tables.nibble.0, in("zmm27") tables.place.0,
            out("zmm28") _, out("zmm29") _, out("zmm30") _, out("zmm31") _,
            options(nostack),
        );
    }
}
