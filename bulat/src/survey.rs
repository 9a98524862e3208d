//! Which kernels there are, which of them this machine can run, and which one each shape of each
//! primitive takes: for `bulat kernels`, bug reports and the lab.
#![forbid(unsafe_code)]

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::kernel::{Cpu, Kernel, NAMES, Shape, pick, tuning};
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
    /// Kernels that this machine can run but that are slow on its processor, and why.
    pub slow: Vec<(&'static str, &'static str)>,
}

/// The processor as the table of slow kernels knows it; `unknown` where it has nothing about the maker.
pub fn processor() -> String {
    Cpu::here().to_string()
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

/// Cycles for an octet that this processor allows an algorithm on the kernel that is picked: the operations
/// of the kernel over the vector pipes. `None` where the algorithm is not one long run of one shape, or
/// nobody has counted.
pub fn bound(algorithm: &str) -> Option<f64> {
    let (primitive, shape) = match algorithm {
        "streebog256" | "streebog512" => ("streebog", Shape::Messages),
        "kuznyechik-ecb" => ("kuznyechik", Shape::Map),
        "kuznyechik-ctr" => ("kuznyechik", Shape::Stream),
        "magma-ecb" | "gost89-ecb" => ("magma", Shape::Map),
        "magma-ctr" => ("magma", Shape::Stream),
        _ => return None,
    };
    let picked = match primitive {
        "kuznyechik" => pick(kuznyechik::KERNELS, shape).name(),
        "magma" => pick(magma::KERNELS, shape).name(),
        _ => pick(streebog::KERNELS, shape).name(),
    };
    crate::bounds::bound(primitive, shape.word(), picked, Cpu::here())
}

fn choice<K: Kernel>(primitive: &'static str, shape: Shape, list: &'static [K]) -> Choice {
    let having = || list.iter().filter(|k| k.has(shape));
    let why = |k: &K| tuning::why(tuning::here(), k.name(), K::PRIMITIVE, shape.word());
    Choice {
        primitive,
        shape: shape.word(),
        offers: having().map(K::name).collect(),
        picked: pick(list, shape).name(),
        slow: having()
            .filter(|k| k.available())
            .filter_map(|k| why(k).map(|why| (k.name(), why)))
            .collect(),
    }
}
