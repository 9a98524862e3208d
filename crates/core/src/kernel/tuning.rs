//! The choices for each processor: a table with a row for each; each row chooses by itself.
//!
//! There are two kinds of choice. A shape uses the first kernel of its primitive's list that this machine
//! can run, except those kernels that the row passes over. And where a kernel does the same work in several forms,
//! which are the columns below, the row names the form. A column without an entry in the row has its first
//! form. An entry has the measurement on that processor, in cycles a byte; without a measurement it says `None`, and
//! `bulat kernels` says so. `bulat bench --calibrate` measures it all and prints the row, which goes in here as it is.
//!
//! The columns, all of the set `gfni512`:
//! - Kuznyechik's blocks, gamma, and streams side by side: S and the key's addition look up by quarters of
//!   a table (vpermb, 7 operations a vector), or by pairs of quarters (vpermi2b, 4). Pairs win where both
//!   instructions cost the same; elsewhere vpermi2b is three micro-operations. By pairs, sections of CTR-ACPKM and
//!   products of MGM go with the gamma.
//! - Kuznyechik's one stream, and one key's schedule: the block four times in 512 bits, or twice in 256.
//!   A single block is a stream, too.
//! - Magma's blocks and gamma: bit planes of whole batches, or words everywhere. Planes win where shuffles
//!   have one port. Words bring sections of CTR-ACPKM under any S-boxes, and products of MGM.
//! - Magma's one stream: two look-ups by vpermb in 512 bits (`zmm`), eight under masks in 128 (`xmm`), two
//!   by vpermi2b in 256 (`ymm`). Calls of one or two blocks use the same form.
//! - Magma's width: how many streams a batch puts into a call. 256 where shuffles have two ports to fill.
//! - Streebog's sums: vectors are moved by halves, or whole, which waits less and moves more.
//!
//! Weighed, without a row, from general knowledge of these processors and not from measurements:
//! - Zen and Zen+ do 256-bit operations as two: `avx2` costs as much a byte as 128 bits do, not more.
//! - Sandy Bridge to Ivy Bridge, and Bulldozer to Steamroller, have AVX without AVX2, and use `ssse3`.
//! - Skylake-X and Cascade Lake clock down, by some 10 to 25 % and for 2 ms at least, when 512-bit
//!   instructions run, and stop for some 10 µs to do so. In long calls `avx512` gains more than that.
//!   A program that makes rare short calls, and has other work that would slow down with them, should name
//!   `avx2`: no table can know that.
//! - PCLMULQDQ is slow (7 cycles and more) on Bulldozer, Silvermont and Westmere, and yet far ahead of
//!   the portable multiplication.

use core::fmt;
use core::ops::RangeInclusive;
use core::sync::atomic::{AtomicU32, Ordering};

use super::cpu::{Cpu, Vendor};
use Choice::*;

/// The choices within kernels: the columns of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    KuznyechikBlocks,
    KuznyechikGamma,
    KuznyechikStreams,
    KuznyechikOne,
    KuznyechikSchedule,
    MagmaBlocks,
    MagmaGamma,
    MagmaOne,
    MagmaWidth,
    StreebogSums,
}

/// A column: a choice, and its forms.
pub(crate) struct Column {
    pub(crate) choice: Choice,
    /// The primitive, as [`super::Primitive::PRIMITIVE`] names it.
    pub(crate) primitive: &'static str,
    pub(crate) name: &'static str,
    /// The names of the forms, at most four.
    pub(crate) forms: &'static [&'static str],
}

/// The set with these forms.
pub(crate) const WORD: &str = "gfni512";

/// In the order of [`Choice`].
pub(crate) const COLUMNS: [Column; 10] = [
    column(KuznyechikBlocks, "kuznyechik", "blocks", &["quarters", "pairs"]),
    column(KuznyechikGamma, "kuznyechik", "gamma", &["quarters", "pairs"]),
    column(KuznyechikStreams, "kuznyechik", "streams", &["quarters", "pairs"]),
    column(KuznyechikOne, "kuznyechik", "one stream", &["zmm", "ymm"]),
    column(KuznyechikSchedule, "kuznyechik", "schedule", &["zmm", "ymm"]),
    column(MagmaBlocks, "magma", "blocks", &["planes", "words"]),
    column(MagmaGamma, "magma", "gamma", &["planes", "words"]),
    column(MagmaOne, "magma", "one stream", &["zmm", "xmm", "ymm"]),
    column(MagmaWidth, "magma", "width", &["64", "256"]),
    column(StreebogSums, "streebog", "sums", &["halves", "whole"]),
];

const fn column(
    choice: Choice,
    primitive: &'static str,
    name: &'static str,
    forms: &'static [&'static str],
) -> Column {
    Column { choice, primitive, name, forms }
}

/// A kernel that is passed over: its set's word, the primitive, the shape, and the measurement.
pub(crate) type Passed<'a> = (&'a str, &'a str, &'a str, Option<&'a str>);
/// A form, and the measurement.
pub(crate) type Taken<'a> = (Choice, &'a str, Option<&'a str>);

/// A processor.
pub(crate) struct Row<'a> {
    pub(crate) name: &'a str,
    pub(crate) vendor: Vendor,
    pub(crate) family: u32,
    /// Models of the family; an empty list means all models.
    pub(crate) models: &'a [RangeInclusive<u32>],
    pub(crate) passed: &'a [Passed<'a>],
    pub(crate) forms: &'a [Taken<'a>],
}

/// The first row about a processor is its own; the last is about all others.
pub(crate) static TABLE: &[Row<'static>] = &[
    // Bonnell and Silvermont, with their shrinks. An estimate: pshufb is microcode, which needs about 5 cycles, so that
    // 8 of them a round make 10 cycles a byte, and planes in SSE2 about 5.
    Row {
        name: "Intel Atom to Silvermont",
        vendor: Vendor::Intel,
        family: 0x6,
        models: &[0x1c..=0x1c, 0x26..=0x27, 0x35..=0x37, 0x4a..=0x4d, 0x5a..=0x5a, 0x5d..=0x5d],
        passed: &[("ssse3", "magma", "map", None), ("ssse3", "magma", "stream", None)],
        forms: &[],
    },
    // A virtual processor with AMX that calls itself so.
    Row {
        name: "Intel Xeon",
        vendor: Vendor::Intel,
        family: 0x6,
        models: &[0xa7..=0xa7],
        passed: &[],
        forms: &[
            (KuznyechikBlocks, "quarters", Some("quarters 1.65, pairs 1.74")),
            (KuznyechikGamma, "quarters", Some("quarters 1.43, pairs 1.56")),
            (KuznyechikStreams, "quarters", Some("quarters 2.03, pairs 2.07")),
            (KuznyechikOne, "zmm", Some("zmm 16.45, ymm 16.53")),
            (KuznyechikSchedule, "zmm", Some("zmm 36.67, ymm 37.30")),
            (MagmaBlocks, "planes", Some("planes 0.97, words 1.08")),
            (MagmaGamma, "planes", Some("planes 0.96, words 1.07")),
            (MagmaOne, "zmm", Some("zmm 34.88, ymm 44.73, xmm 60.65")),
            (MagmaWidth, "64", Some("64 1.36, 256 1.29: kept, since uneven lengths lose")),
            (StreebogSums, "halves", Some("halves 6.12, whole 6.27")),
        ],
    },
    // With its APUs. No AVX-512, so no column is about it; on each shape the first kernel of the list is the fastest,
    // or within 1 % of it (lab/record/2026-11-27-amd-zen3.md).
    Row {
        name: "AMD Zen 3",
        vendor: Vendor::Amd,
        family: 0x19,
        models: &[0x0..=0xf, 0x20..=0x5f],
        passed: &[],
        forms: &[],
    },
    // The other models of Zen 3's family. 512-bit operations are done as two. `ymm` of Magma's one stream is the form
    // of a prototype that took 40.5 there.
    Row {
        name: "AMD Zen 4",
        vendor: Vendor::Amd,
        family: 0x19,
        models: &[],
        passed: &[],
        forms: &[
            (KuznyechikBlocks, "pairs", Some("pairs 1.51, quarters 1.70")),
            (KuznyechikGamma, "pairs", Some("pairs 1.38, quarters 1.63")),
            (KuznyechikStreams, "pairs", Some("pairs 1.95, quarters 2.08")),
            (KuznyechikOne, "ymm", Some("ymm 14.8, zmm 17.7")),
            (KuznyechikSchedule, "ymm", None),
            (MagmaBlocks, "planes", Some("planes 1.08, words 1.20")),
            (MagmaGamma, "planes", Some("planes 1.04, words 1.19")),
            (MagmaOne, "ymm", None),
            (MagmaWidth, "64", None),
            (StreebogSums, "halves", Some("halves 7.4, whole 8.0")),
        ],
    },
    // A look-up costs 2 cycles there in 128 bits, 5 in 512.
    Row {
        name: "AMD Zen 5",
        vendor: Vendor::Amd,
        family: 0x1a,
        models: &[],
        passed: &[],
        forms: &[
            (KuznyechikBlocks, "pairs", Some("pairs 0.85, quarters 0.96")),
            (KuznyechikGamma, "pairs", Some("pairs 0.79, quarters 0.95")),
            (KuznyechikStreams, "pairs", Some("pairs 1.09, quarters 1.22")),
            (KuznyechikOne, "ymm", Some("ymm 14.6, zmm 18.2")),
            (KuznyechikSchedule, "ymm", Some("ymm 30.8, zmm 37.6")),
            (MagmaBlocks, "words", Some("words 0.59, planes 0.64")),
            (MagmaGamma, "words", Some("words 0.59, planes 0.61")),
            (MagmaOne, "xmm", Some("xmm 53.7, ymm 56.7, zmm 60.1")),
            (MagmaWidth, "256", Some("256 0.79, 64 1.25")),
            (StreebogSums, "whole", Some("whole 3.92, halves 4.13")),
        ],
    },
    Row {
        name: "others",
        vendor: Vendor::Other,
        family: 0x0,
        models: &[],
        passed: &[],
        forms: &[],
    },
];

impl Row<'_> {
    /// Returns the form that the row chooses in a column, and the measurement.
    pub(crate) fn taken(&self, column: &Column) -> (&'static str, Option<&str>) {
        let named = self.forms.iter().find(|(choice, ..)| *choice == column.choice);
        let (name, measured) = named.map_or((column.forms[0], None), |(_, f, m)| (*f, *m));
        let form = column.forms.iter().find(|f| **f == name);
        (form.copied().unwrap_or(column.forms[0]), measured)
    }
    /// Returns the measurement if this kernel is passed over for a shape of a primitive.
    pub(crate) fn passes(&self, word: &str, primitive: &str, shape: &str) -> Option<Option<&str>> {
        let same = |p: &&Passed<'_>| (p.0, p.1, p.2) == (word, primitive, shape);
        self.passed.iter().find(same).map(|p| p.3)
    }
}

/// As in the table.
impl fmt::Display for Row<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "    Row {{\n        name: {:?},", self.name)?;
        writeln!(
            f,
            "        vendor: Vendor::{:?},\n        family: {:#x},",
            self.vendor, self.family
        )?;
        writeln!(f, "        models: &{:#x?},", Flat(self.models))?;
        writeln!(f, "        passed: &{:?},", Flat(self.passed))?;
        if self.forms.is_empty() {
            return write!(f, "        forms: &[],\n    }},");
        }
        writeln!(f, "        forms: &[")?;
        for form in self.forms {
            writeln!(f, "            {form:?},")?;
        }
        write!(f, "        ],\n    }},")
    }
}

/// A list on one line, though its numbers may be hexadecimal.
struct Flat<'a, T>(&'a [T]);

impl<T: fmt::Debug> fmt::Debug for Flat<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        for (i, x) in self.0.iter().enumerate() {
            f.write_str(if i > 0 { ", " } else { "" })?;
            x.fmt(f)?;
        }
        f.write_str("]")
    }
}

/// The row about a processor.
pub(crate) fn row(cpu: Cpu) -> usize {
    let about = |row: &Row<'_>| {
        let models = row.models.is_empty() || row.models.iter().any(|m| m.contains(&cpu.model));
        (row.vendor, row.family) == (cpu.vendor, cpu.family) && models
    };
    TABLE.iter().position(about).unwrap_or(TABLE.len() - 1)
}

/// The forms in use, zero until the processor is known, since to ask traps in some virtual machines: two bits for the
/// form of each column, then the row.
static TAKEN: AtomicU32 = AtomicU32::new(0);
const ROW: u32 = 2 * COLUMNS.len() as u32;
const ASKED: u32 = 1 << 31;

/// The forms of a row.
fn taken(row: usize) -> u32 {
    const { assert!(TABLE.len() < 1 << (31 - ROW)) };
    let mut taken = ASKED | (row as u32) << ROW;
    for (i, column) in COLUMNS.iter().enumerate() {
        let (form, _) = TABLE[row].taken(column);
        let n = column.forms.iter().position(|f| *f == form).unwrap_or(0);
        taken |= (n as u32) << (2 * i);
    }
    taken
}

#[inline(always)]
fn here() -> u32 {
    match TAKEN.load(Ordering::Relaxed) {
        0 => ask(),
        taken => taken,
    }
}

#[cold]
fn ask() -> u32 {
    let taken = taken(row(Cpu::here()));
    TAKEN.store(taken, Ordering::Relaxed);
    taken
}

/// The row about this processor.
pub(crate) fn row_here() -> &'static Row<'static> {
    &TABLE[((here() & !ASKED) >> ROW) as usize]
}

/// A form of a choice.
#[derive(Clone, Copy)]
pub(crate) struct Form {
    shift: u32,
    n: u32,
}

/// The form of this name: asked for where constants are evaluated, so that a wrong name does not compile.
pub(crate) const fn form(choice: Choice, name: &str) -> Form {
    const fn same(a: &[u8], b: &[u8]) -> bool {
        let mut i = 0;
        while i < a.len() && i < b.len() && a[i] == b[i] {
            i += 1;
        }
        i == a.len() && i == b.len()
    }
    let forms = COLUMNS[choice as usize].forms;
    let mut n = 0;
    while !same(forms[n].as_bytes(), name.as_bytes()) {
        n += 1;
    }
    Form { shift: 2 * choice as u32, n: n as u32 }
}

/// Returns whether this form is in use; cheap enough for every call.
#[inline(always)]
pub(crate) fn takes(form: Form) -> bool {
    here() >> form.shift & 3 == form.n
}

/// Returns the form of a column in use.
pub(crate) fn now(column: &Column) -> &'static str {
    column.forms[(here() >> (2 * column.choice as u32) & 3) as usize]
}

/// Uses the form of this number in every column, or its last form; with `None`, this processor's row again.
pub(super) fn assume(form: Option<usize>) {
    let mut taken = ask();
    if let Some(n) = form {
        for (i, column) in COLUMNS.iter().enumerate() {
            let n = n.min(column.forms.len() - 1);
            taken = taken & !(3 << (2 * i)) | (n as u32) << (2 * i);
        }
    }
    TAKEN.store(taken, Ordering::Relaxed);
}

/// Uses this form from now on. Returns false if there is no such form.
pub(super) fn take(primitive: &str, name: &str, form: &str) -> bool {
    let here = here();
    for (i, column) in COLUMNS.iter().enumerate() {
        let n = column.forms.iter().position(|f| *f == form);
        if let (true, Some(n)) = ((column.primitive, column.name) == (primitive, name), n) {
            TAKEN.store(here & !(3 << (2 * i)) | (n as u32) << (2 * i), Ordering::Relaxed);
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use std::string::ToString;

    use super::*;
    use crate::kernel::select::pick_where;
    use crate::kernel::{Kernel, NAMES, Shape};
    use crate::{gf, kuznyechik, magma, streebog};

    const SILVERMONT: Cpu = Cpu { vendor: Vendor::Intel, family: 6, model: 0x37 };
    const SAPPHIRE_RAPIDS: Cpu = Cpu { vendor: Vendor::Intel, family: 6, model: 0x8f };
    const ZEN3: Cpu = Cpu { vendor: Vendor::Amd, family: 0x19, model: 0x01 };
    const ZEN4: Cpu = Cpu { vendor: Vendor::Amd, family: 0x19, model: 0x11 };
    const ZEN5: Cpu = Cpu { vendor: Vendor::Amd, family: 0x1a, model: 0x02 };

    #[test]
    fn rows_name_what_there_is() {
        let primitives = [magma::NAME, kuznyechik::NAME, streebog::NAME, gf::NAME];
        for (i, column) in COLUMNS.iter().enumerate() {
            assert!(column.choice as usize == i && (2..=4).contains(&column.forms.len()));
            assert!(primitives.contains(&column.primitive), "{}", column.primitive);
        }
        let x86 = cfg!(target_arch = "x86_64");
        assert!(NAMES.contains(&WORD) || !x86);
        for row in TABLE {
            for (word, primitive, ..) in row.passed {
                assert!(NAMES.contains(word) || !x86, "{word}");
                assert!(primitives.contains(primitive), "{primitive}");
                assert!(*word != "portable", "it is what is left when nothing else is");
            }
            // A row that names a choice names all choices, so that no choice is implied by others.
            let named: std::vec::Vec<_> = row.forms.iter().map(|(c, ..)| *c as usize).collect();
            assert!(named.is_empty() || named == (0..COLUMNS.len()).collect::<std::vec::Vec<_>>());
            for (choice, form, _) in row.forms {
                assert!(COLUMNS[*choice as usize].forms.contains(form), "{choice:?} {form}");
            }
        }
    }

    /// A printed row is Rust that goes into the table as it is.
    #[test]
    fn rows_print_as_they_stand() {
        let source = include_str!("tuning.rs");
        for row in TABLE {
            assert!(source.contains(&row.to_string()), "{row}");
        }
    }

    #[test]
    fn only_their_processors() {
        let name = |cpu| TABLE[row(cpu)].name;
        assert_eq!(name(Cpu { vendor: Vendor::Other, family: 6, model: 0x37 }), "others");
        assert_eq!(name(Cpu { vendor: Vendor::Intel, family: 6, model: 0x3c }), "others");
        assert_eq!(name(SAPPHIRE_RAPIDS), "others");
        assert_eq!([ZEN3, ZEN4, ZEN5].map(name), ["AMD Zen 3", "AMD Zen 4", "AMD Zen 5"]);
        // Milan, Vermeer, Rembrandt, Cezanne; Genoa, Raphael, Phoenix, Bergamo.
        let amd = |model| name(Cpu { vendor: Vendor::Amd, family: 0x19, model });
        assert_eq!([0x01, 0x21, 0x44, 0x50].map(amd), ["AMD Zen 3"; 4]);
        assert_eq!([0x11, 0x61, 0x74, 0xa0].map(amd), ["AMD Zen 4"; 4]);
        let passes = |word, shape| TABLE[row(SILVERMONT)].passes(word, "magma", shape).is_some();
        assert!(passes("ssse3", "map") && passes("ssse3", "stream"));
        assert!(!passes("ssse3", "lanes") && !passes("avx2", "map"));
        let form = |cpu, choice: Choice| TABLE[row(cpu)].taken(&COLUMNS[choice as usize]).0;
        assert_eq!(
            [SAPPHIRE_RAPIDS, ZEN4, ZEN5].map(|c| form(c, MagmaGamma)),
            ["planes", "planes", "words"]
        );
        assert_eq!([SAPPHIRE_RAPIDS, ZEN4, ZEN5].map(|c| form(c, MagmaOne)), ["zmm", "ymm", "xmm"]);
        assert_eq!(
            [SAPPHIRE_RAPIDS, ZEN4, ZEN5].map(|c| form(c, KuznyechikGamma)),
            ["quarters", "pairs", "pairs"]
        );
    }

    /// A choice is packed where it is asked for.
    #[test]
    fn packed() {
        for (i, row) in TABLE.iter().enumerate() {
            let taken = taken(i);
            assert_eq!((taken & !ASKED) >> ROW, i as u32);
            for column in &COLUMNS {
                let form = form(column.choice, row.taken(column).0);
                assert_eq!(taken >> form.shift & 3, form.n, "{} {}", row.name, column.name);
            }
        }
    }

    /// A kernel that is passed over is not picked, on any machine; the other picks do not change.
    #[test]
    fn passed_over() {
        for row in TABLE {
            for shape in [Shape::Map, Shape::Stream, Shape::Lanes] {
                let picked = pick_where(row, magma::KERNELS, shape).name();
                assert!(row.passes(picked, "magma", shape.word()).is_none(), "{picked} {shape:?}");
                assert_eq!(
                    pick_where(row, kuznyechik::KERNELS, shape).name(),
                    kuznyechik::KERNELS.iter().find(|k| k.available()).expect("portable").name()
                );
            }
        }
    }
}
