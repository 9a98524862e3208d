//! Streebog's compression of one message, in registers from first to last: a key and a state that wait for each
//! other, so that the wait of each operation counts. On Zen 5 the order of an operation's operands and
//! of neighbours decides that, and compilers do not keep either: two permutations of two vectors begin together
//! only where they come before the mask's `vpshufb` (the three have two ports), and the sum of three waits a cycle
//! longer where its destination is not the last to come. It computes `chains` of `round/field.rs`.

use core::arch::asm;
use core::arch::x86_64::__m512i;

use crate::streebog::constants::aes::{GROUPS, INSIDE, ROTATIONS, ROUNDS, TRANSPOSED};
use crate::streebog::sbox::vbmi::Sbox512;

/// π of `$x`, to zmm3.
macro_rules! substitute {
    ($x:literal) => {
        concat!(
            "vmovdqa64 zmm3, zmm",
            $x,
            "\n",
            "vpermi2b zmm3, zmm28, zmm29\n",
            "vmovdqa64 zmm4, zmm",
            $x,
            "\n",
            "vpermi2b zmm4, zmm30, zmm31\n",
            "vpshufb zmm",
            $x,
            ", zmm27, zmm",
            $x,
            "\n",
            "vpternlogq zmm3, zmm",
            $x,
            ", zmm4, 0xe2\n",
        )
    };
}

/// The eight products of zmm3, of zmm5, zmm7 and `$s`, moves of it: in zmm8, zmm9, zmm10 and `$p`, and of vectors
/// moved whole in zmm3, zmm5, `$s` and zmm7.
macro_rules! products {
    ($by:literal, $turn:literal, $s:literal, $p:literal) => {
        concat!(
            "vgf2p8mulb zmm8, zmm3, zmmword ptr [{",
            $by,
            "}]\n",
            "vgf2p8mulb zmm9, zmm5, zmmword ptr [{",
            $by,
            "} + 64]\n",
            "vgf2p8mulb zmm10, zmm",
            $s,
            ", zmmword ptr [{",
            $by,
            "} + 128]\n",
            "vgf2p8mulb zmm",
            $p,
            ", zmm7, zmmword ptr [{",
            $by,
            "} + 192]\n",
            "vpshufd zmm3, zmm3, ",
            $turn,
            "\n",
            "vgf2p8mulb zmm3, zmm3, zmmword ptr [{",
            $by,
            "} + 512]\n",
            "vpshufd zmm5, zmm5, ",
            $turn,
            "\n",
            "vgf2p8mulb zmm5, zmm5, zmmword ptr [{",
            $by,
            "} + 576]\n",
            "vpshufd zmm",
            $s,
            ", zmm",
            $s,
            ", ",
            $turn,
            "\n",
            "vgf2p8mulb zmm",
            $s,
            ", zmm",
            $s,
            ", zmmword ptr [{",
            $by,
            "} + 640]\n",
            "vpshufd zmm7, zmm7, ",
            $turn,
            "\n",
            "vgf2p8mulb zmm7, zmm7, zmmword ptr [{",
            $by,
            "} + 704]\n",
        )
    };
}

/// The products from `Rows`.
macro_rules! groups {
    ($x:literal, $s:literal, $p:literal) => {
        concat!(
            substitute!($x),
            "vpermq zmm5, zmm3, 0x4e\n",
            "vshufi64x2 zmm",
            $s,
            ", zmm3, zmm3, 0x4e\n",
            "vshufi64x2 zmm7, zmm3, zmm3, 0x1b\n",
            products!("groups", "0x4e", $s, $p),
        )
    };
}

/// The products from `Columns`.
macro_rules! inside {
    ($x:literal) => {
        concat!(
            substitute!($x),
            "vpshufb zmm5, zmm3, zmmword ptr [{rotations} + 64]\n",
            "vpshufb zmm",
            $x,
            ", zmm3, zmmword ptr [{rotations} + 128]\n",
            "vpshufb zmm7, zmm3, zmmword ptr [{rotations} + 192]\n",
            products!("inside", "0xb1", $x, 11),
        )
    };
}

/// The key in zmm0 from `Rows`, plus `$c`.
macro_rules! key_groups {
    ($c:expr) => {
        concat!(
            groups!(0, 6, 0),
            "vpternlogq zmm3, zmm8, ",
            $c,
            ", 0x96\n",
            "vpternlogq zmm0, zmm9, zmm3, 0x96\n",
            "vpternlogq zmm0, zmm10, zmm5, 0x96\n",
            "vpternlogq zmm0, zmm7, zmm6, 0x96\n",
        )
    };
}

/// From `Columns`, and the state in zmm1 after it; then both from `Rows`, plus the constants at `$even` and `$odd`.
macro_rules! two {
    ($even:literal $(, $odd:literal)?) => {
        concat!(
            inside!(0),
            "vpternlogq zmm11, zmm8, zmmword ptr [{rounds} + ", $even, "], 0x96\n",
            "vpternlogq zmm10, zmm9, zmm3, 0x96\n",
            "vpternlogq zmm0, zmm5, zmm11, 0x96\n",
            "vpternlogq zmm0, zmm7, zmm10, 0x96\n",
            inside!(1),
            "vpternlogq zmm9, zmm8, zmmword ptr [{rounds} + ", $even, "], 0x96\n",
            "vpternlogq zmm5, zmm0, zmm9, 0x96\n",
            "vpxorq zmm11, zmm11, zmm3\n",
            "vpternlogq zmm1, zmm7, zmm10, 0x96\n",
            "vpternlogq zmm1, zmm11, zmm5, 0x96\n",
            $(key_groups!(concat!("zmmword ptr [{rounds} + ", $odd, "]")),
            groups!(1, 1, 11),
            "vpternlogq zmm3, zmm8, zmmword ptr [{rounds} + ", $odd, "], 0x96\n",
            "vpxorq zmm9, zmm9, zmm10\n",
            "vpternlogq zmm1, zmm0, zmm7, 0x96\n",
            "vpternlogq zmm5, zmm3, zmm11, 0x96\n",
            "vpternlogq zmm1, zmm5, zmm9, 0x96\n",)?
        )
    };
}

/// As `compress` in [`crate::streebog`]'s rounds.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
#[inline]
pub(super) fn compress(sbox: &Sbox512, key: __m512i, text: __m512i, last: __m512i) -> __m512i {
    let Sbox512([t0, t1, t2, t3], ones) = *sbox;
    let out;
    // SAFETY: only the constants are read, which have the shapes of their types and are aligned.
    unsafe {
        asm!(
            "vmovdqa64 zmm3, zmmword ptr [{transposed}]",
            "vpermb zmm1, zmm3, zmm1",
            "vpermb zmm2, zmm3, zmm2",
            key_groups!("zmmword ptr [{rounds} + 64]"),
            "vpternlogq zmm1, zmm0, zmmword ptr [{rounds} + 64], 0x96",
            two!(128, 320),
            two!(384, 576),
            two!(640, 832),
            two!(896, 1088),
            two!(1152, 1344),
            two!(1408),
            key_groups!("zmm2"),
            groups!(1, 1, 11),
            "vpternlogq zmm3, zmm8, zmm0, 0x96",
            "vpternlogq zmm7, zmm9, zmm10, 0x96",
            "vpternlogq zmm1, zmm5, zmm11, 0x96",
            "vpternlogq zmm1, zmm7, zmm3, 0x96",
            "vmovdqa64 zmm3, zmmword ptr [{transposed}]",
            "vpermb zmm0, zmm3, zmm1",
            groups = in(reg) GROUPS.as_ptr(),
            inside = in(reg) INSIDE.as_ptr(),
            rotations = in(reg) ROTATIONS.as_ptr(),
            rounds = in(reg) ROUNDS.as_ptr(),
            transposed = in(reg) TRANSPOSED.0.as_ptr(),
            inout("zmm0") key => out, inout("zmm1") text => _, inout("zmm2") last => _,
            out("zmm3") _, out("zmm4") _, out("zmm5") _, out("zmm6") _, out("zmm7") _,
            out("zmm8") _, out("zmm9") _, out("zmm10") _, out("zmm11") _,
            in("zmm27") ones,
            in("zmm28") t0, in("zmm29") t1, in("zmm30") t2, in("zmm31") t3,
            options(pure, readonly, nostack, preserves_flags),
        );
    }
    out
}
