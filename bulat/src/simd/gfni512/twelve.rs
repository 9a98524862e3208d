//! Magma's rounds for twelve groups of 16 blocks, in registers from first to last: compilers spill five to
//! ten of the 24 halves in every round, which costs 5 to 10 in a hundred. The same as [`super::magma`]'s
//! `round` for each group, eight operations; two groups at a time, for the processor sees only so far ahead.

use core::arch::asm;

use super::magma::{Tables, Zmm};

/// A round of two groups: `$b` and `$d` take what `$a` and `$c` give under a key.
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

/// The same of groups whose halves are at `$a` to `$d` of the rest.
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

/// `$name`: rounds under keys of this form: what stands for the address of group 0's, 1's and so on is
/// `$key` and `$k0`, `$k1` and so on. Four groups more than twelve stay in memory between their rounds.
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
        pub(super) fn $name(tables: &Tables, x: &mut [(Zmm, Zmm)], keys: &$keys, forth: usize, n: usize) {
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
    /// The same of sixteen groups.
    own_keys_and_four, 16, [Zmm; 8 * 16], "shl {i:e}, 10", "zmmword ptr [{keys} + {i} + ",
    ["0]" "64]" "128]" "192]" "256]" "320]" "384]" "448]" "512]" "576]" "640]" "704]"]
    ["768]" "832]" "896]" "960]"]
);
