//! Which kernels there are, which of them this machine can run, and which one each shape of each
//! primitive takes: for `bulat kernels`, bug reports and the lab.
#![forbid(unsafe_code)]

use alloc::string::{String, ToString};
use alloc::vec::Vec;

pub use crate::kernel::cpu::{Cpu, Vendor};
use crate::kernel::{Kernel, NAMES, Shape, pick, tuning};
use crate::{gf, kuznyechik, magma, streebog};

/// What one shape of one primitive takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The primitive.
    pub primitive: &'static str,
    /// The shape: see [`crate::kernel`].
    pub shape: &'static str,
    /// The kernels that have it, fastest first.
    pub offers: Vec<&'static str>,
    /// The kernel that objects made now take.
    pub picked: &'static str,
    /// Kernels that this machine can run but that the tuning table passes over on its processor, and what
    /// was measured there, in cycles a byte; `None`: nobody has measured.
    pub passed: Vec<(&'static str, Option<&'static str>)>,
}

/// A choice within a kernel: which of several forms of the same work it takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    /// The kernel that has these forms.
    pub kernel: &'static str,
    /// The primitive.
    pub primitive: &'static str,
    /// What is chosen.
    pub name: &'static str,
    /// The forms; the first is that of processors which the tuning table does not name.
    pub forms: &'static [&'static str],
    /// The form that is taken now.
    pub taken: &'static str,
    /// What was measured on this processor, in cycles a byte; `None`: nobody has measured.
    pub measured: Option<&'static str>,
}

/// The processor as the tuning table knows it: its maker, family and model; `unknown` in print where it has nothing
/// about the maker.
pub fn processor() -> Cpu {
    Cpu::here()
}

/// The name of the tuning table's row about this processor; `others` where it has none.
pub fn row() -> &'static str {
    tuning::row_here().name
}

/// Every choice within kernels, as things are now.
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

/// The row of the tuning table about this processor, as it stands there, from what was measured: kernels that are
/// passed over (the kernel, the primitive, the shape, what was measured), and the form of each choice (the
/// primitive, the name, the form, what was measured).
#[doc(hidden)]
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
    let models = [cpu.model];
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

/// Every kernel's name, fastest first, and why this machine cannot run it, if it cannot.
pub fn kernels() -> impl Iterator<Item = (&'static str, Option<&'static str>)> {
    NAMES
        .iter()
        .map(|name| (*name, crate::simd::missing(name).unwrap_or(Some("not in this build"))))
}

/// Every shape of every primitive, as things are now: a forced kernel shows.
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
