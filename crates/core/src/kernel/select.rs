//! The choice of a kernel at run time: by name, by the order of the lists, by the tuning table.

use core::sync::atomic::{AtomicUsize, Ordering};

use super::entry::{BlockKernel, Kernel, Shape};
use super::ready::Ready;
use super::tuning;
use crate::Error;

impl<S, const B: usize> BlockKernel<S, B>
where
    Self: Kernel,
{
    /// The kernel of a list by name, for every shape.
    pub fn whole(list: &'static [Self], name: &str) -> Result<Ready<Self>, Error> {
        let kernel = by_name(list, name)?;
        let shapes = (kernel.0.map.is_some(), kernel.0.stream.is_some(), kernel.0.lanes.is_some());
        if shapes == (true, true, true) { Ok(kernel) } else { Err(Error::UnknownKernel) }
    }
}

/// Every instruction set's word, fastest first.
pub const NAMES: &[&str] = crate::simd::WORDS;

/// Returns whether this machine can run the kernels of this name.
pub fn available(name: &str) -> bool {
    NAMES.contains(&name) && crate::simd::available(name)
}

/// Why this machine cannot run the kernels of this name; `None` when it can.
pub fn missing(name: &str) -> Option<&'static str> {
    crate::simd::missing(name).unwrap_or(Some("unknown"))
}

/// 0: no kernel is forced; i + 1: `NAMES[i]`.
static FORCED: AtomicUsize = AtomicUsize::new(0);

/// Makes every key and hash made from now on use the kernel of this name where its primitive has such a kernel;
/// `None` returns to the automatic choice. Objects that exist keep their kernels.
///
/// A primitive, or a shape of a primitive, without a kernel of this name keeps its automatic choice: to force
/// `clmul`, which only MGM's multiplication has, changes no cipher and no hash. The kernels in use
/// are in `survey::shapes`.
///
/// # Errors
/// [`Error::UnknownKernel`] when no kernel has this name or this machine cannot run it.
pub fn force(name: Option<&str>) -> Result<(), Error> {
    let index = match name {
        None => 0,
        Some(name) if !available(name) => return Err(Error::UnknownKernel),
        Some(name) => 1 + NAMES.iter().position(|n| *n == name).ok_or(Error::UnknownKernel)?,
    };
    FORCED.store(index, Ordering::Relaxed);
    Ok(())
}

/// The forced kernel's name, if any.
pub fn forced() -> Option<&'static str> {
    name_of(FORCED.load(Ordering::Relaxed))
}

fn name_of(forced: usize) -> Option<&'static str> {
    forced.checked_sub(1).map(|i| NAMES[i])
}

/// For tests and measurements: from now on form `n` of every choice of the tuning table, or its last
/// form; `None` for the forms of this processor's row. Objects that exist follow, too.
pub fn assume_forms(n: Option<usize>) {
    tuning::assume(n);
}

/// Sets the form of a choice, by the names that `survey::forms` gives.
///
/// # Errors
/// [`Error::UnknownKernel`] when there is no such choice, or no such form of it.
pub fn take_form(primitive: &str, name: &str, form: &str) -> Result<(), Error> {
    if tuning::take(primitive, name, form) { Ok(()) } else { Err(Error::UnknownKernel) }
}

/// The results of [`pick`] for a primitive, a result for each shape: the number of the forced kernel, as `FORCED` has
/// it, and 1 + the place in the list.
pub struct Picked([AtomicUsize; 5]);

impl Picked {
    /// Nothing was picked yet.
    pub(crate) const fn new() -> Self {
        Picked([const { AtomicUsize::new(0) }; 5])
    }
}

/// The kernel of a list for a shape: the forced kernel if it has the shape, else the first available kernel that is
/// not passed over on this processor. The list is its primitive's own, since results are kept.
pub fn pick<K: Kernel>(list: &'static [K], shape: Shape) -> Ready<K> {
    // The choice compares names, which costs a short hash a tenth; the result stays until a different kernel is forced.
    let (forced, picked) = (FORCED.load(Ordering::Relaxed), &K::picked().0[shape as usize]);
    let before = picked.load(Ordering::Relaxed);
    if before >> 8 == forced
        && let Some(i) = (before & 0xff).checked_sub(1)
        && let Some(kernel) = list.get(i).and_then(Ready::new)
    {
        return kernel;
    }
    let kernel = choose(tuning::row_here(), name_of(forced), list, shape);
    let place = list.iter().position(|k| core::ptr::eq(k, kernel.0));
    picked.store(forced << 8 | place.map_or(0, |i| i + 1), Ordering::Relaxed);
    kernel
}

/// [`pick`] on the processor of this row of the table.
#[cfg(test)]
pub(super) fn pick_where<K: Kernel>(
    row: &tuning::Row<'_>,
    list: &'static [K],
    shape: Shape,
) -> Ready<K> {
    choose(row, forced(), list, shape)
}

fn choose<K: Kernel>(
    row: &tuning::Row<'_>,
    forced: Option<&str>,
    list: &'static [K],
    shape: Shape,
) -> Ready<K> {
    let having = || list.iter().filter(|k| k.has(shape));
    let passed = |k: &&K| row.passes(k.name(), K::PRIMITIVE, shape.word()).is_some();
    having()
        .filter(|k| Some(k.name()) == forced)
        .chain(having().filter(|k| !passed(k)))
        .find_map(Ready::new)
        .expect("portable is always there, has every shape and is never passed over")
}

/// The kernel of a list by name.
pub fn by_name<K: Kernel>(list: &'static [K], name: &str) -> Result<Ready<K>, Error> {
    list.iter().find(|k| k.name() == name).and_then(Ready::new).ok_or(Error::UnknownKernel)
}
