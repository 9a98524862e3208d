//! Kernels: the instruction sets' ways to do the work.

use bulat::{kernel, selftest, survey};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::border::Name;
use crate::errors::refused;

/// Every kernel, fastest first, and why this machine cannot run it: None where it can.
///
/// >>> kernels()["portable"] is None
/// True
#[pyfunction]
pub(crate) fn kernels(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let all = PyDict::new(py);
    for (name, missing) in survey::kernels() {
        all.set_item(name, missing)?;
    }
    Ok(all)
}

/// The kernel that each kind of work of each primitive takes.
#[pyfunction]
pub(crate) fn picked(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let all = PyDict::new(py);
    for choice in survey::shapes() {
        all.set_item((choice.primitive, choice.shape), choice.picked)?;
    }
    Ok(all)
}

/// Makes every object made from now on, in the whole process, use the kernels of this name where its primitive has one; None
/// goes back to the choice by processor.
///
/// >>> force("portable")
/// >>> force(None)
#[pyfunction]
#[pyo3(signature = (name, /))]
pub(crate) fn force(name: Option<Name>) -> PyResult<()> {
    kernel::force(name.as_deref()).map_err(refused)
}

/// The kernel that is forced; None when none is.
#[pyfunction]
pub(crate) fn forced() -> Option<&'static str> {
    kernel::forced()
}

/// Runs the known answers of every algorithm on every kernel that this machine has: whether all are right.
#[pyfunction]
#[pyo3(name = "selftest")]
pub(crate) fn run_selftest(py: Python<'_>) -> bool {
    py.detach(|| selftest::run(|_| ()))
}
