//! The extension module of the Python package `bulat`: classes and functions over `bulat::algorithm`, `bulat_container`
//! and `bulat_pkcs`.
//! It has no cryptography of its own. The documentation for users is in `lib/bulat/`.

mod aead;
mod algorithm;
mod batch;
mod border;
mod cipher;
mod container;
mod errors;
mod fresh;
#[cfg(feature = "gpu")]
mod gpu;
mod hash;
mod kdf;
mod kernel;
mod mac;
mod pkcs;

use std::sync::atomic::{AtomicIsize, Ordering};

use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;

/// Refuses all interpreters of a process but the first, also an interpreter that is started after its end. PyO3's classes belong to the
/// process, and from Python 3.12 on each interpreter numbers the versions of classes for its cache of attributes: two classes
/// with the same number, and an attribute of the first is found on the other.
fn only_interpreter(py: Python<'_>) -> PyResult<()> {
    // Not of 64 bits: some targets have no such atomics.
    static FIRST: AtomicIsize = AtomicIsize::new(-1);
    // The next interpreter of a program that embeds Python has the same number.
    extern "C" fn ended() {
        FIRST.store(-2, Ordering::SeqCst);
    }
    // SAFETY: this thread is attached to an interpreter, as `py` shows.
    let this = unsafe { pyo3::ffi::PyInterpreterState_GetID(pyo3::ffi::PyInterpreterState_Get()) };
    if this < 0 {
        return Err(PyErr::fetch(py));
    }
    let this = isize::try_from(this)?;
    match FIRST.compare_exchange(-1, this, Ordering::SeqCst, Ordering::SeqCst) {
        Ok(_) => {
            // SAFETY: the interpreter runs, and the function only stores a number.
            unsafe { pyo3::ffi::Py_AtExit(Some(ended)) };
            Ok(())
        }
        Err(first) if first == this => Ok(()),
        Err(_) => Err(PyImportError::new_err(
            "bulat: another interpreter of this process has imported it, and only one can; under mod_wsgi set WSGIApplicationGroup %{GLOBAL}",
        )),
    }
}

/// The compiled part of `bulat`. Import `bulat`, not this.
#[pymodule(gil_used = false)]
fn _bulat(m: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = m.py();
    only_interpreter(py)?;
    m.add("__version__", env!("CARGO_PKG_VERSION"))?;
    m.add("algorithms", algorithm::table(py)?)?;
    m.add("MAX_ITERATIONS", bulat_container::MAX_ITERATIONS)?;
    m.add("MAX_MEMORY", bulat_container::MAX_MEMORY)?;
    m.add("CHUNK", 1 << bulat_container::CHUNK_LOG2)?;
    m.add_class::<algorithm::PyAlgorithm>()?;
    m.add_class::<hash::Hash>()?;
    m.add_class::<mac::Mac>()?;
    m.add_class::<cipher::Cipher>()?;
    m.add_class::<cipher::CipherContext>()?;
    m.add_class::<aead::Aead>()?;
    m.add_class::<aead::SealContext>()?;
    m.add_class::<aead::UnverifiedContext>()?;
    m.add_class::<batch::PyKey>()?;
    m.add_class::<container::FilePassword>()?;
    m.add_class::<container::RawReader>()?;
    m.add_class::<container::RawWriter>()?;
    #[cfg(feature = "gpu")]
    gpu::add(m)?;
    m.add_function(wrap_pyfunction!(hash::digest, m)?)?;
    m.add_function(wrap_pyfunction!(mac::mac, m)?)?;
    m.add_function(wrap_pyfunction!(cipher::encrypt, m)?)?;
    m.add_function(wrap_pyfunction!(cipher::decrypt, m)?)?;
    m.add_function(wrap_pyfunction!(kdf::derive, m)?)?;
    m.add_function(wrap_pyfunction!(kdf::wrap, m)?)?;
    m.add_function(wrap_pyfunction!(kdf::unwrap, m)?)?;
    m.add_function(wrap_pyfunction!(batch::batch, m)?)?;
    m.add_function(wrap_pyfunction!(kernel::kernels, m)?)?;
    m.add_function(wrap_pyfunction!(kernel::picked, m)?)?;
    m.add_function(wrap_pyfunction!(kernel::force, m)?)?;
    m.add_function(wrap_pyfunction!(kernel::forced, m)?)?;
    m.add_function(wrap_pyfunction!(kernel::run_selftest, m)?)?;
    m.add_function(wrap_pyfunction!(container::container_encrypt, m)?)?;
    m.add_function(wrap_pyfunction!(container::container_decrypt, m)?)?;
    m.add_function(wrap_pyfunction!(container::container_info, m)?)?;
    m.add_function(wrap_pyfunction!(container::container_forget, m)?)?;
    m.add_function(wrap_pyfunction!(container::container_read_key, m)?)?;
    m.add_function(wrap_pyfunction!(pkcs::pkcs_key, m)?)?;
    m.add_function(wrap_pyfunction!(pkcs::pkcs_certificate, m)?)?;
    m.add_function(wrap_pyfunction!(pkcs::pem_one, m)?)?;
    m.add_function(wrap_pyfunction!(pkcs::pem_blocks, m)?)?;
    m.add_function(wrap_pyfunction!(pkcs::pem_encode, m)?)?;
    m.add_function(wrap_pyfunction!(pkcs::pkcs8_encrypt, m)?)?;
    m.add_function(wrap_pyfunction!(pkcs::pkcs8_decrypt, m)?)?;
    m.add_function(wrap_pyfunction!(pkcs::pkcs8_info, m)?)?;
    m.add_function(wrap_pyfunction!(pkcs::pkcs12_open, m)?)?;
    m.add_function(wrap_pyfunction!(pkcs::pkcs12_seal, m)?)
}
