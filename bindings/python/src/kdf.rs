//! Key derivation and key wraps.

use bulat::Error;
use bulat::algorithm::{Algorithm, Iv, KdfParams, Kind, WrapParams};
use bulat::kdf::TlsMasks;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use zeroize::Zeroizing;

use crate::algorithm::{Lengths, Options, SboxesName, explained, find, parameters, unknown};
use crate::border::{Given, Input, Name, Number, number, waited, wiped};
use crate::errors::Class;

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

/// Derives bytes from a key, a secret or a password. `algorithms[name].parameters` lists the parameters: HKDF's info is `seed`,
/// PBKDF2 needs `salt` and `iterations`, TLSTREE `masks`. `length` defaults to the algorithm's, for PBKDF2 to the hash's.
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
    /// The longest output.
    const MOST: usize = 1 << 24;
    /// From this many iterations on, a separate thread is worth its cost.
    const MANY: u32 = 10_000;
    let algorithm = find(&name, &[Kind::Kdf])?;
    let iterations = number(iterations);
    let given = [
        ("salt", salt.is_given()),
        ("label", label.is_given()),
        ("seed", seed.is_given()),
        ("iterations", iterations.is_some()),
        ("counter", counter.is_some()),
        ("masks", masks.is_some()),
        ("record", record.is_some()),
    ];
    let known = parameters(algorithm);
    for (parameter, given) in given {
        if given && !known.contains(&parameter) {
            return Err(unknown(algorithm, parameter));
        }
        // PBKDF2 needs a salt, since without one a single table breaks all passwords. An explicit empty salt is accepted.
        let needed = matches!(parameter, "masks" | "iterations")
            || parameter == "salt" && known.contains(&"iterations");
        if !given && needed && known.contains(&parameter) {
            let words = format!("{parameter}: {} needs it", algorithm.name);
            return Err(Class::InvalidInput.error(words));
        }
    }
    let usual = match algorithm.out {
        0 if known.contains(&"iterations") => {
            if algorithm.name.ends_with("512") {
                64
            } else {
                32
            }
        }
        out => out,
    };
    let length = number(length).unwrap_or(usual);
    if !(1..=MOST).contains(&length) {
        return Err(Class::InvalidInput.error(format_args!("length: from 1 to {MOST}")));
    }
    let params = KdfParams {
        key: key.bytes(),
        salt: salt.bytes(),
        label: label.bytes(),
        seed: seed.bytes(),
        iterations,
        counter: number(counter),
        masks: masks.map(|masks| masks.0),
        record: number(record),
    };
    let refuse = |e| underived(e, algorithm, &params, length);
    if iterations.is_some_and(|n| n >= MANY) {
        let key = Zeroizing::new(params.key.to_vec());
        let salt = params.salt.to_vec();
        let derive = move || {
            let mut out = Zeroizing::new(vec![0; length]);
            let params = KdfParams { key: &key, salt: &salt, iterations, ..KdfParams::default() };
            algorithm.derive(&params, &mut out).map(|()| out)
        };
        let derived = waited(py, move || wiped(derive))?;
        return Ok(PyBytes::new(py, &derived.map_err(refuse)?));
    }
    PyBytes::new_with(py, length, |out| wiped(|| algorithm.derive(&params, out)).map_err(refuse))
}

/// The error of a derivation.
fn underived(e: Error, a: &'static Algorithm, p: &KdfParams<'_>, length: usize) -> PyErr {
    let name = a.name;
    let words = match (e, p) {
        (Error::Parameter, KdfParams { iterations: Some(0), .. }) => {
            "iterations: 0, at least 1".into()
        }
        (Error::Parameter, KdfParams { counter: Some(n), .. }) if !(1..=4).contains(n) => {
            format!("counter: {n}, not 1 to 4 ({name})")
        }
        (Error::BufferLength, _) if a.out > 0 => {
            format!("length: {length}, not {} ({name})", a.out)
        }
        (Error::Parameter | Error::BufferLength | Error::Limit, _) => {
            format!("length: {length}, more than {name} gives, or label and seed too long")
        }
        _ => return explained(e, a, Lengths::key(p.key.len()), &Options::default()),
    };
    Class::InvalidInput.error(words)
}

/// Wraps a secret under a key. An IV (a UKM) must never repeat under one key.
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
    let lengths = Lengths::key(key.len()).iv(iv.len());
    PyBytes::new_with(py, size, |out| {
        wiped(|| algorithm.wrap(&params, secret.bytes(), out))
            .map_err(|e| unwrapped(e, algorithm, lengths, ("secret", secret.len())))
    })
}

/// The error of wrapping or unwrapping.
fn unwrapped(e: Error, a: &'static Algorithm, n: Lengths, text: (&str, usize)) -> PyErr {
    match e {
        Error::DataLength | Error::BufferLength => {
            let (what, len) = text;
            let words = format!("{what}: {len} bytes, a length that {} does not have", a.name);
            Class::InvalidInput.error(words)
        }
        Error::Parameter => unknown(a, "sboxes"),
        Error::IvLength if n.iv > Some(0) && finds_its_iv(a) && text.0 == "wrapped" => {
            let words = format!("iv: {} reads it from the wrapped secret", a.name);
            Class::InvalidInput.error(words)
        }
        _ => explained(e, a, n, &Options::default()),
    }
}

/// Returns whether the IV is a part of the wrapped secret.
fn finds_its_iv(a: &Algorithm) -> bool {
    a.wrapped_len(8, 0) > a.wrapped_len(0, 0)
}

/// Unwraps a secret; raises `InvalidTag`. KExp15 needs the IV; other algorithms find it in the wrapped secret. `size`: the length
/// of the secret, if the wrapped length does not determine it.
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
    let lengths = Lengths::key(key.len()).iv(iv.bytes().len());
    let refuse = |e| unwrapped(e, algorithm, lengths, ("wrapped", wrapped.len()));
    let size = match (number(size), algorithm.iv) {
        (Some(size), _) => size,
        // A secret of 64 bytes, or of 32 after a seed of 8 to 16.
        (None, Iv::Between(..)) => {
            if wrapped.len() >= 8 + 64 {
                64
            } else {
                32
            }
        }
        (None, iv) => {
            let besides = algorithm.wrapped_len(iv.usual(), 0).unwrap_or_default();
            wrapped.len().checked_sub(besides).ok_or_else(|| refuse(Error::DataLength))?
        }
    };
    if size > wrapped.len() {
        return Err(refuse(Error::DataLength));
    }
    PyBytes::new_with(py, size, |out| {
        wiped(|| algorithm.unwrap(&params, wrapped.bytes(), out)).map_err(refuse)
    })
}
