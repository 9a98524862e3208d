//! Converts errors for Python: the library's message, in a class of `bulat/_errors.py`.

use std::io;

use bulat::Error;
use pyo3::exceptions::{PyMemoryError, PyOSError, PyRuntimeError};
use pyo3::prelude::*;

/// A class of `bulat/_errors.py`, by its name there.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Class {
    InvalidInput,
    InvalidType,
    InvalidTag,
    StateError,
    WrongKey,
    DamagedData,
    UnsupportedAlgorithm,
    #[cfg(feature = "gpu")]
    DeviceError,
}

impl Class {
    /// Makes an error of this class.
    pub(crate) fn error(self, words: impl ToString) -> PyErr {
        let made = |py: Python<'_>| -> PyResult<PyErr> {
            let class = py.import("bulat._errors")?.getattr(format!("{self:?}"))?;
            Ok(PyErr::from_value(class.call1((words.to_string(),))?))
        };
        Python::attach(|py| made(py).unwrap_or_else(|e| e))
    }
}

/// Converts an error of the library.
pub(crate) fn refused(e: Error) -> PyErr {
    let class = match e {
        Error::Verify => Class::InvalidTag,
        Error::Finished | Error::Order => Class::StateError,
        _ => Class::InvalidInput,
    };
    class.error(e)
}

/// Converts an error of a container.
pub(crate) fn container(e: bulat_container::Error) -> PyErr {
    use bulat_container::Error as E;
    let class = match e {
        E::Read(e) | E::Write(e) => return system(e),
        E::WrongKey => Class::WrongKey,
        E::Credential { .. } | E::Cost { .. } | E::Password => Class::InvalidInput,
        E::Memory { kib } => {
            return PyMemoryError::new_err(format!("Argon2id needs {kib} KiB"));
        }
        E::Crypto(Error::Finished) => Class::StateError,
        _ => Class::DamagedData,
    };
    class.error(e)
}

/// Converts an error of a file under a password.
pub(crate) fn pkcs(e: bulat_pkcs::Error) -> PyErr {
    use bulat_pkcs::Error as E;
    let class = match e {
        E::Password => Class::WrongKey,
        E::Damaged(_) | E::Pem { .. } | E::Form { .. } => Class::DamagedData,
        E::Algorithm(..) | E::Scope(_) => Class::UnsupportedAlgorithm,
        E::Random => return PyOSError::new_err(e.to_string()),
        _ => Class::InvalidInput,
    };
    class.error(e)
}

/// Converts an error of the system, or of a Python file object.
pub(crate) fn system(e: io::Error) -> PyErr {
    if e.get_ref().is_some_and(|inner| inner.is::<PyErr>()) {
        let inner = e.into_inner().and_then(|inner| inner.downcast::<PyErr>().ok());
        return inner.map_or_else(|| PyRuntimeError::new_err("lost error"), |e| *e);
    }
    let (number, words) = told(&e);
    match number {
        Some(number) => PyOSError::new_err((number, words)),
        None => PyOSError::new_err(words),
    }
}

/// Returns the system's number and message of an error, without Rust's additions.
pub(crate) fn told(e: &io::Error) -> (Option<i32>, String) {
    use io::ErrorKind as Kind;
    // Some errors have only a kind.
    let number = e.raw_os_error().or(match e.kind() {
        Kind::NotFound => Some(2),
        Kind::PermissionDenied => Some(13),
        Kind::NotADirectory => Some(20),
        Kind::StorageFull => Some(28),
        Kind::ReadOnlyFilesystem => Some(30),
        _ => None,
    });
    let words = number.map_or(e.to_string(), |n| io::Error::from_raw_os_error(n).to_string());
    (number, words.split(" (os error ").next().unwrap_or("").to_owned())
}
