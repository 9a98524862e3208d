//! The extension module of the Python package `bulat`: classes and functions over `bulat::algorithm` and `bulat_container`.
//! No cryptography here. What users see has its documentation in `lib/bulat/`.

mod algorithm;
mod border;
mod container;
mod errors;
mod hash;

use pyo3::prelude::*;

/// The compiled half of `bulat`: use that.
#[pymodule(gil_used = false)]
fn _bulat(m: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = m.py();
    m.add("__version__", env!("CARGO_PKG_VERSION"))?;
    m.add("algorithms", algorithm::table(py)?)?;
    m.add("MAX_ITERATIONS", bulat_container::MAX_ITERATIONS)?;
    m.add("CHUNK", 1 << bulat_container::CHUNK_LOG2)?;
    m.add_class::<algorithm::PyAlgorithm>()?;
    m.add_class::<hash::Hash>()?;
    m.add_class::<container::RawReader>()?;
    m.add_class::<container::RawWriter>()?;
    m.add_function(wrap_pyfunction!(hash::digest, m)?)?;
    m.add_function(wrap_pyfunction!(container::container_encrypt, m)?)?;
    m.add_function(wrap_pyfunction!(container::container_decrypt, m)?)?;
    m.add_function(wrap_pyfunction!(container::container_info, m)?)?;
    m.add_function(wrap_pyfunction!(container::container_read_key, m)?)
}
