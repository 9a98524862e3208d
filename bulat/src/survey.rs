//! Which kernels there are, which of them this machine can run, and which one each shape of each
//! primitive takes: for `bulat kernels`, bug reports and the lab.
#![forbid(unsafe_code)]

use alloc::vec::Vec;

use crate::kernel::{BlockKernel, GfKernel, HashKernel, Kernel, NAMES, pick};
use crate::{gf, kuznyechik, magma, streebog};

/// One shape of one primitive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The primitive.
    pub primitive: &'static str,
    /// The shape: see [`crate::kernel`].
    pub shape: &'static str,
    /// The kernels that have it, fastest first.
    pub offers: Vec<&'static str>,
    /// The kernel that objects made now take.
    pub picked: &'static str,
}

/// Every kernel's name, fastest first, and why this machine cannot run it, if it cannot.
pub fn kernels() -> impl Iterator<Item = (&'static str, Option<&'static str>)> {
    NAMES
        .iter()
        .map(|name| (*name, crate::simd::missing(name).unwrap_or(Some("not in this build"))))
}

/// Every shape of every primitive, as things are now: a forced kernel shows.
pub fn shapes() -> Vec<Shape> {
    let mut all = Vec::new();
    block(&mut all, "kuznyechik", kuznyechik::KERNELS);
    block(&mut all, "magma, gost28147", magma::KERNELS);
    all.push(shape("streebog", "messages", streebog::KERNELS, |_: &HashKernel| true));
    all.push(shape("gf", "multiply", gf::KERNELS, |_: &GfKernel| true));
    all
}

fn block<S, const B: usize>(
    all: &mut Vec<Shape>,
    primitive: &'static str,
    list: &'static [BlockKernel<S, B>],
) {
    all.push(shape(primitive, "map", list, |k| k.map.is_some()));
    all.push(shape(primitive, "stream", list, |k| k.stream.is_some()));
    all.push(shape(primitive, "lanes", list, |k| k.lanes.is_some()));
}

fn shape<K: Kernel>(
    primitive: &'static str,
    shape: &'static str,
    list: &'static [K],
    has: fn(&K) -> bool,
) -> Shape {
    let offers = list.iter().filter(|k| has(k)).map(Kernel::name).collect();
    Shape { primitive, shape, offers, picked: pick(list, has).name() }
}
