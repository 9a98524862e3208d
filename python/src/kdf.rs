//! Key derivation and key wraps.

use bulat::Error;
use bulat::algorithm::{Iv, KdfParams, Kind, WrapParams};
use bulat::kdf::TlsMasks;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::algorithm::{SboxesName, find};
use crate::border::{Given, Input, Name, Number, number};
use crate::errors::{Class, refused};

/// The masks of TLSTREE: a suite's name, or the three numbers.
pub(crate) struct Masks(TlsMasks);

impl<'a, 'py> FromPyObject<'a, 'py> for Masks {
    type Error = PyErr;
    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let Ok(name) = object.cast::<PyString>() else {
            return object.extract().map(|masks| Masks(TlsMasks(masks)));
        };
        Ok(Masks(match name.to_str()? {
            "kuznyechik-ctr-omac" => TlsMasks::KUZNYECHIK_CTR_OMAC,
            "magma-ctr-omac" => TlsMasks::MAGMA_CTR_OMAC,
            "kuznyechik-mgm-l" => TlsMasks::KUZNYECHIK_MGM_L,
            "magma-mgm-l" => TlsMasks::MAGMA_MGM_L,
            "kuznyechik-mgm-s" => TlsMasks::KUZNYECHIK_MGM_S,
            "magma-mgm-s" => TlsMasks::MAGMA_MGM_S,
            other => {
                let suites = "kuznyechik- or magma-, then ctr-omac, mgm-l or mgm-s";
                return Err(Class::InvalidInput.error(format_args!("masks {other}: {suites}")));
            }
        }))
    }
}

/// Derives bytes from a key, a secret or a password. What an algorithm does not use stays out.
///
/// >>> derive("kdf-tree", bytes(32), 64, label=b"label", seed=b"seed").hex()[:8]
/// 'a0e32be2'
#[pyfunction]
#[pyo3(
    signature = (name, key, length=None, *, salt=Given::default(), label=Given::default(), seed=Given::default(), iterations=None, counter=None, masks=None, record=None),
    text_signature = "(name, key, length=None, *, salt=b'', label=b'', seed=b'', iterations=None, counter=None, masks=None, record=None)"
)]
pub(crate) fn derive<'py>(
    py: Python<'py>,
    name: Name,
    key: Input,
    length: Option<Number<usize>>,
    salt: Given,
    label: Given,
    seed: Given,
    iterations: Option<Number<u32>>,
    counter: Option<Number<usize>>,
    masks: Option<Masks>,
    record: Option<Number<u64>>,
) -> PyResult<Bound<'py, PyBytes>> {
    /// No key is longer.
    const MOST: usize = 1 << 24;
    let algorithm = find(&name, &[Kind::Kdf])?;
    let length = number(length).unwrap_or(algorithm.out);
    if !(1..=MOST).contains(&length) {
        return Err(Class::InvalidInput.error(format_args!("length: from 1 to {MOST}")));
    }
    let params = KdfParams {
        key: key.bytes(),
        salt: salt.bytes(),
        label: label.bytes(),
        seed: seed.bytes(),
        iterations: number(iterations),
        counter: number(counter),
        masks: masks.map(|masks| masks.0),
        record: number(record),
    };
    PyBytes::new_with(py, length, |out| {
        // The time is that of the iterations.
        if params.iterations.is_some() {
            return py.detach(|| algorithm.derive(&params, out)).map_err(refused);
        }
        algorithm.derive(&params, out).map_err(refused)
    })
}

/// Wraps a secret under a key. An IV (a UKM) is never used twice under one key.
///
/// >>> wrapped = wrap("kuznyechik-kexp15", bytes(64), b"a secret key", bytes(8))
/// >>> unwrap("kuznyechik-kexp15", bytes(64), wrapped, bytes(8))
/// b'a secret key'
#[pyfunction]
#[pyo3(signature = (name, key, secret, iv, *, sboxes=None))]
pub(crate) fn wrap<'py>(
    py: Python<'py>,
    name: Name,
    key: Input,
    secret: Input,
    iv: Input,
    sboxes: Option<SboxesName>,
) -> PyResult<Bound<'py, PyBytes>> {
    let algorithm = find(&name, &[Kind::Wrap])?;
    let params =
        WrapParams { key: key.bytes(), iv: iv.bytes(), sboxes: sboxes.map(|sboxes| sboxes.0) };
    let size = algorithm.wrapped_len(iv.len(), secret.len()).unwrap_or_default();
    PyBytes::new_with(py, size, |out| algorithm.wrap(&params, secret.bytes(), out).map_err(refused))
}

/// Unwraps a secret; raises `InvalidTag`. The IV of KExp15 is given; all others find it in the wrapped secret. `size`: bytes of the
/// secret, where another is meant than the wrapped one's length tells.
#[pyfunction]
#[pyo3(signature = (name, key, wrapped, iv=Given::default(), *, size=None, sboxes=None), text_signature = "(name, key, wrapped, iv=b'', *, size=None, sboxes=None)")]
pub(crate) fn unwrap<'py>(
    py: Python<'py>,
    name: Name,
    key: Input,
    wrapped: Input,
    iv: Given,
    size: Option<Number<usize>>,
    sboxes: Option<SboxesName>,
) -> PyResult<Bound<'py, PyBytes>> {
    let algorithm = find(&name, &[Kind::Wrap])?;
    let params =
        WrapParams { key: key.bytes(), iv: iv.bytes(), sboxes: sboxes.map(|sboxes| sboxes.0) };
    let size = match (number(size), algorithm.iv) {
        (Some(size), _) => size,
        // Secrets of 64 bytes, or of 32 behind a seed of 8 to 16.
        (None, Iv::Between(..)) => {
            if wrapped.len() >= 8 + 64 {
                64
            } else {
                32
            }
        }
        (None, iv) => {
            let besides = algorithm.wrapped_len(iv.usual(), 0).unwrap_or_default();
            let size = wrapped.len().checked_sub(besides);
            size.ok_or_else(|| refused(Error::DataLength))?
        }
    };
    if size > wrapped.len() {
        return Err(refused(Error::DataLength));
    }
    PyBytes::new_with(py, size, |out| {
        algorithm.unwrap(&params, wrapped.bytes(), out).map_err(refused)
    })
}
