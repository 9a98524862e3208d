//! Kernels: implementations for instruction sets.

use bulat::{kernel, selftest, survey};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::border::Name;
use crate::errors::refused;

/// Returns every kernel, the fastest first, and the reason that this machine cannot run it, or None.
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

/// Returns the kernel that each kind of work of each primitive uses.
#[pyfunction]
pub(crate) fn picked(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let all = PyDict::new(py);
    for choice in survey::shapes() {
        all.set_item((choice.primitive, choice.shape), choice.picked)?;
    }
    Ok(all)
}

/// Makes later objects of the whole process use the kernel of this name, if their primitive has one. None restores the choice
/// by processor.
///
/// >>> force("portable")
/// >>> force(None)
#[pyfunction]
#[pyo3(signature = (name, /))]
pub(crate) fn force(name: Option<Name>) -> PyResult<()> {
    kernel::force(name.as_deref()).map_err(refused)
}

/// Returns the forced kernel, or None.
#[pyfunction]
pub(crate) fn forced() -> Option<&'static str> {
    kernel::forced()
}

/// Runs the known answers of every algorithm on every kernel of this machine. Returns whether all are right.
#[pyfunction]
#[pyo3(name = "selftest")]
pub(crate) fn run_selftest(py: Python<'_>) -> bool {
    py.detach(|| selftest::run(|_| ()))
}
