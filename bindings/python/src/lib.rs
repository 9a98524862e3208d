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

/// Adds classes, then functions, to a module.
macro_rules! add {
    ($m:ident: $($class:ty),*; $($function:path),*) => {
        $($m.add_class::<$class>()?;)*
        $($m.add_function(wrap_pyfunction!($function, $m)?)?;)*
    };
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
    add! {
        m: algorithm::PyAlgorithm, hash::Hash, mac::Mac, cipher::Cipher, cipher::CipherContext, aead::Aead,
        aead::SealContext, aead::UnverifiedContext, batch::PyKey, container::FilePassword,
        container::RawReader, container::RawWriter;
        hash::digest, mac::mac, cipher::encrypt, cipher::decrypt, kdf::derive, kdf::wrap, kdf::unwrap,
        batch::batch, kernel::kernels, kernel::picked, kernel::force, kernel::forced, kernel::run_selftest,
        container::container_encrypt, container::container_decrypt, container::container_info,
        container::container_forget, container::container_read_key, pkcs::pkcs_key,
        pkcs::pkcs_certificate, pkcs::pem_one, pkcs::pem_blocks, pkcs::pem_encode, pkcs::pkcs8_encrypt,
        pkcs::pkcs8_decrypt, pkcs::pkcs8_info, pkcs::pkcs12_open, pkcs::pkcs12_seal
    }
    #[cfg(feature = "gpu")]
    gpu::add(m)?;
    Ok(())
}
