//! Lists the kernels, the kernels that this machine can run, and the kernel picked for each shape of each primitive:
//! for `bulat kernels`, bug reports and the lab.
#![forbid(unsafe_code)]

use alloc::string::{String, ToString};
use alloc::vec::Vec;

pub use crate::kernel::cpu::{Cpu, Vendor};
use crate::kernel::{Kernel, NAMES, Shape, pick, tuning};
use crate::{gf, kuznyechik, magma, streebog};

/// The kernels of a shape of a primitive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The primitive.
    pub primitive: &'static str,
    /// The shape: see [`crate::kernel`].
    pub shape: &'static str,
    /// The kernels that have it, fastest first.
    pub offers: Vec<&'static str>,
    /// The kernel that new objects use.
    pub picked: &'static str,
    /// Kernels that this machine can run but the tuning table passes over on its processor, each with its measured
    /// cycles per byte; `None` without a measurement.
    pub passed: Vec<(&'static str, Option<&'static str>)>,
}

/// A choice within a kernel between several forms of the same work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    /// The kernel that has these forms.
    pub kernel: &'static str,
    /// The primitive.
    pub primitive: &'static str,
    /// The choice's name.
    pub name: &'static str,
    /// The forms, beginning with the default for processors that the tuning table does not name.
    pub forms: &'static [&'static str],
    /// The form in use.
    pub taken: &'static str,
    /// The measured cycles per byte on this processor; `None` without a measurement.
    pub measured: Option<&'static str>,
}

/// Returns the processor as the tuning table knows it: maker, family and model. It prints as `unknown` if the table has
/// nothing about the maker.
pub fn processor() -> Cpu {
    Cpu::here()
}

/// Returns the name of the tuning table's row for this processor, or `others`.
pub fn row() -> &'static str {
    tuning::row_here().name
}

/// Returns every choice within kernels, with the forms in use now.
pub fn forms() -> Vec<Form> {
    let form = |column: &'static tuning::Column| Form {
        kernel: tuning::WORD,
        primitive: column.primitive,
        name: column.name,
        forms: column.forms,
        taken: tuning::now(column),
        measured: tuning::row_here().taken(column).1,
    };
    tuning::COLUMNS.iter().map(form).collect()
}

/// Formats a row of the tuning table for this processor from measurements: the kernels passed over (kernel, primitive,
/// shape, measurement) and the form of each choice (primitive, name, form, measurement).
pub fn row_of(
    passed: &[(&str, &str, &str, Option<&str>)],
    forms: &[(&str, &str, &str, Option<&str>)],
) -> String {
    let cpu = Cpu::here();
    let mut taken = Vec::new();
    for column in &tuning::COLUMNS {
        let same =
            |f: &&(&str, &str, &str, Option<&str>)| (f.0, f.1) == (column.primitive, column.name);
        taken.extend(forms.iter().find(same).map(|f| (column.choice, f.2, f.3)));
    }
    let name = Cpu::brand().unwrap_or_else(|| cpu.to_string());
    let models = [cpu.model..=cpu.model];
    tuning::Row {
        name: &name,
        vendor: cpu.vendor,
        family: cpu.family,
        models: &models,
        passed,
        forms: &taken,
    }
    .to_string()
}

/// Returns every kernel's name, fastest first, with the reason if this machine cannot run it.
pub fn kernels() -> impl Iterator<Item = (&'static str, Option<&'static str>)> {
    NAMES
        .iter()
        .map(|name| (*name, crate::simd::missing(name).unwrap_or(Some("not in this build"))))
}

/// Returns every shape of every primitive with the kernels in use now, forced ones included.
pub fn shapes() -> Vec<Choice> {
    let mut all = Vec::new();
    for shape in [Shape::Map, Shape::Stream, Shape::Lanes] {
        all.push(choice("kuznyechik", shape, kuznyechik::KERNELS));
    }
    for shape in [Shape::Map, Shape::Stream, Shape::Lanes] {
        all.push(choice("magma, gost28147", shape, magma::KERNELS));
    }
    all.push(choice("streebog", Shape::Messages, streebog::KERNELS));
    all.push(choice("gf", Shape::Multiply, gf::KERNELS));
    all
}

#[inline(never)]
fn choice<K: Kernel>(primitive: &'static str, shape: Shape, list: &'static [K]) -> Choice {
    let having = || list.iter().filter(|k| k.has(shape));
    let passes = |k: &K| tuning::row_here().passes(k.name(), K::PRIMITIVE, shape.word());
    Choice {
        primitive,
        shape: shape.word(),
        offers: having().map(K::name).collect(),
        picked: pick(list, shape).name(),
        passed: having()
            .filter(|k| k.available())
            .filter_map(|k| passes(k).map(|measured| (k.name(), measured)))
            .collect(),
    }
}
