//! Where an instruction set is there but its kernel is not the fastest: the exceptions from the order of
//! the lists, by processor. A row says where its figures come from.
//!
//! What was weighed and has no row, from general knowledge of these processors and not from measurements:
//! - Zen and Zen+ do 256-bit operations as two: `avx2` then costs what `avx` does, not more.
//! - Bulldozer to Steamroller likewise; they have no AVX2, and `avx` keeps to 128 bits.
//! - Zen 4 does 512-bit operations as two: `gfni512` still saves instructions, by VBMI. Whether vpermi2b costs
//!   there what vpermb does, as on Zen 5, is not known: Kuznyechik keeps to quarters.
//! - Skylake-X and Cascade Lake clock down, by some 10 to 25 % and for 2 ms at least, when 512-bit
//!   instructions run, and stop for some 10 µs to do so. In long calls `avx512` gains more than that.
//!   A program that makes rare short calls, and whose own work would slow down with them, should name
//!   `avx2`: no table can know that.
//! - PCLMULQDQ is slow (7 cycles and more) on Bulldozer, Silvermont and Westmere, and yet far ahead of
//!   the portable multiplication.

use core::sync::atomic::{AtomicU32, Ordering};

use super::cpu::{Cpu, Vendor};

/// A kernel, or a layout within one, that is passed over on some processors.
pub(crate) struct Slow {
    pub(crate) vendor: Vendor,
    pub(crate) family: u32,
    /// Of the family; none: all.
    pub(crate) models: &'static [u32],
    /// The instruction set's word.
    pub(crate) word: &'static str,
    /// The primitive, as [`super::Primitive::PRIMITIVE`] names it.
    pub(crate) primitive: &'static str,
    /// Shapes by their words, or layouts by the kernel's own.
    pub(crate) parts: &'static [&'static str],
    /// What is slow, and who says so.
    pub(crate) reason: &'static str,
}

/// Bonnell and Silvermont, with their shrinks.
const ATOM: &[u32] = &[0x1c, 0x26, 0x27, 0x35, 0x36, 0x37, 0x4a, 0x4c, 0x4d, 0x5a, 0x5d];

pub(crate) const SLOW: &[Slow] = &[
    Slow {
        vendor: Vendor::Intel,
        family: 6,
        models: ATOM,
        word: "ssse3",
        primitive: "magma",
        parts: &["map", "stream"],
        reason: "pshufb is microcode, one in about 5 cycles: 8 of them a round make 10 cycles \
                 an octet, planes in SSE2 about 5 (an estimate, not measured)",
    },
    Slow {
        vendor: Vendor::Amd,
        family: 0x1a,
        models: &[],
        word: "gfni512",
        primitive: "magma",
        parts: &["planes"],
        reason: "vpermb has two ports: words take 0.58 to 0.71 cycles an octet from 1 KB on, planes \
                 0.64 to 0.67 (measured on Zen 5; prototypes of planes 0.53 in cache, 0.83 from memory). So batches are 256 streams wide: \
                 OMAC 0.74, of 64 streams 1.13. One stream takes eight look-ups in 128 bits, of 2 cycles \
                 each, not 5: 51 cycles an octet rather than 59 (measured on Zen 5)",
    },
    Slow {
        vendor: Vendor::Amd,
        family: 0x1a,
        models: &[],
        word: "gfni512",
        primitive: "kuznyechik",
        parts: &["quarters"],
        reason: "vpermi2b has the ports of vpermb: S with the key's addition takes 4 operations by pairs of \
                 quarters of the table, and 7 by quarters: blocks 0.84 cycles an octet rather than 0.98, \
                 CTR 0.80, one batch at a time, rather than 0.95. One stream, and one key's schedule, stay \
                 in 256 bits: 14.0 cycles an octet rather than 17.7 (measured on Zen 5)",
    },
    Slow {
        vendor: Vendor::Amd,
        family: 0x1a,
        models: &[],
        word: "gfni512",
        primitive: "streebog",
        parts: &["halves"],
        reason: "moves within 16 octets have four ports: sums of vectors moved whole wait four cycles less \
                 of twenty: one message 5.4 cycles an octet rather than 5.8 (medians in turn), of 64 octets \
                 22 rather than 25, two messages 3.6 rather than 3.7 (measured on Zen 5)",
    },
];

/// The rows about a processor, a bit each.
pub(crate) fn rows(cpu: Cpu) -> u32 {
    const { assert!(SLOW.len() < 31) };
    let applies = |row: &Slow| {
        let models = row.models.is_empty() || row.models.contains(&cpu.model);
        (row.vendor, row.family) == (cpu.vendor, cpu.family) && models
    };
    SLOW.iter().enumerate().fold(0, |rows, (i, row)| rows | u32::from(applies(row)) << i)
}

/// The rows about this processor: zero until somebody has asked, which traps in some virtual machines.
static ROWS: AtomicU32 = AtomicU32::new(0);
const ASKED: u32 = 1 << 31;

/// All rows or none, or those about this processor again.
pub(super) fn assume(all: Option<bool>) {
    let rows = all.map_or(0, |all| if all { ASKED | ((1 << SLOW.len()) - 1) } else { ASKED });
    ROWS.store(rows, Ordering::Relaxed);
}

/// The rows about this processor.
pub(crate) fn here() -> u32 {
    let known = ROWS.load(Ordering::Relaxed);
    if known != 0 {
        return known & !ASKED;
    }
    let rows = rows(Cpu::here());
    ROWS.store(rows | ASKED, Ordering::Relaxed);
    rows
}

/// The rows about this part of a primitive's kernel, a bit each: for what is asked in every call.
pub(crate) const fn about(word: &str, primitive: &str, part: &str) -> u32 {
    const fn same(a: &str, b: &str) -> bool {
        let (a, b, mut i) = (a.as_bytes(), b.as_bytes(), 0);
        while i < a.len() && i < b.len() && a[i] == b[i] {
            i += 1;
        }
        i == a.len() && i == b.len()
    }
    let (mut rows, mut i) = (0, 0);
    while i < SLOW.len() {
        let mut j = 0;
        while j < SLOW[i].parts.len() {
            if same(SLOW[i].parts[j], part)
                && same(SLOW[i].word, word)
                && same(SLOW[i].primitive, primitive)
            {
                rows |= 1 << i;
            }
            j += 1;
        }
        i += 1;
    }
    rows
}

/// Why this part of a primitive's kernel is passed over where these rows are, if it is.
pub(crate) fn why(mut rows: u32, word: &str, primitive: &str, part: &str) -> Option<&'static str> {
    while rows != 0 {
        let row = &SLOW[rows.trailing_zeros() as usize];
        if row.word == word && row.primitive == primitive && row.parts.contains(&part) {
            return Some(row.reason);
        }
        rows &= rows - 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::select::pick_where;
    use crate::kernel::{Kernel, NAMES, Shape};
    use crate::{gf, kuznyechik, magma, streebog};

    const SILVERMONT: Cpu = Cpu { vendor: Vendor::Intel, family: 6, model: 0x37 };
    const HASWELL: Cpu = Cpu { vendor: Vendor::Intel, family: 6, model: 0x3c };
    const SAPPHIRE_RAPIDS: Cpu = Cpu { vendor: Vendor::Intel, family: 6, model: 0x8f };
    const ZEN4: Cpu = Cpu { vendor: Vendor::Amd, family: 0x19, model: 0x11 };
    const ZEN5: Cpu = Cpu { vendor: Vendor::Amd, family: 0x1a, model: 0x02 };

    #[test]
    fn rows_name_what_there_is() {
        let primitives = [magma::NAME, kuznyechik::NAME, streebog::NAME, gf::NAME];
        for row in SLOW {
            assert!(NAMES.contains(&row.word) || cfg!(not(target_arch = "x86_64")), "{}", row.word);
            assert!(primitives.contains(&row.primitive), "{}", row.primitive);
            assert!(row.word != "portable", "it is what is left when nothing else is");
        }
    }

    #[test]
    fn only_their_processors() {
        assert_eq!(rows(HASWELL), 0);
        assert_eq!(rows(Cpu { vendor: Vendor::Other, family: 6, model: 0x37 }), 0);
        let magma = |cpu, word, part| why(rows(cpu), word, "magma", part).is_some();
        assert!(magma(SILVERMONT, "ssse3", "map") && magma(SILVERMONT, "ssse3", "stream"));
        assert!(!magma(SILVERMONT, "ssse3", "lanes") && !magma(SILVERMONT, "avx", "map"));
        assert!(magma(ZEN5, "gfni512", "planes") && !magma(ZEN5, "gfni512", "map"));
        assert!(!magma(ZEN4, "gfni512", "planes") && !magma(SAPPHIRE_RAPIDS, "gfni512", "planes"));
    }

    /// What is slow is not picked, whatever else the machine of this test can run; the rest of a row's
    /// kernel stays where it was.
    #[test]
    fn passed_over() {
        let all = (1 << SLOW.len()) - 1;
        for row in SLOW {
            for shape in [Shape::Map, Shape::Stream, Shape::Lanes] {
                let picked = pick_where(all, magma::KERNELS, shape).name();
                let slow = row.primitive == magma::NAME && row.parts.contains(&shape.word());
                assert!(!(slow && picked == row.word), "{picked} {shape:?}");
                assert_eq!(
                    pick_where(0, kuznyechik::KERNELS, shape).name(),
                    kuznyechik::KERNELS.iter().find(|k| k.available()).expect("portable").name()
                );
            }
        }
    }
}
