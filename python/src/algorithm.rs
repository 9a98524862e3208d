//! The table of algorithms as Python sees it, and its options as parameters of the library.

use bulat::algorithm::{ALGORITHMS, Algorithm, Iv, Kind, MAX_REGISTER, Padding, Params};
use bulat::{ParamSet, Sboxes};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::border::{Input, Name};
use crate::errors::{Class, refused};

/// A line of the table of algorithms.
#[pyclass(name = "Algorithm", module = "bulat", frozen, eq, hash)]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct PyAlgorithm(usize);

impl PyAlgorithm {
    fn line(&self) -> &'static Algorithm {
        &ALGORITHMS[self.0]
    }
}

#[pymethods]
impl PyAlgorithm {
    /// The name, lower case.
    #[getter]
    fn name(&self) -> &'static str {
        self.line().name
    }
    /// Other names that tools use.
    #[getter]
    fn aliases<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.line().aliases)
    }
    /// The object identifier, dotted.
    #[getter]
    fn oid(&self) -> Option<&'static str> {
        self.line().oid
    }
    /// What it is: hash, mac, cipher, aead, kdf or wrap.
    #[getter]
    fn kind(&self) -> &'static str {
        kind(self.line().kind)
    }
    /// Bytes of key; 0: none, or any number.
    #[getter]
    fn key_size(&self) -> usize {
        self.line().key
    }
    /// Bytes of the usual IV or nonce; 0: none.
    #[getter]
    fn iv_size(&self) -> usize {
        self.line().iv.usual()
    }
    /// How many bytes an IV may have.
    #[getter]
    fn iv_sizes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (from, to, step) = match self.line().iv {
            Iv::None => (0, 0, 1),
            Iv::Exact(n) => (n, n, 1),
            Iv::Optional(n) => (0, n, n),
            Iv::Multiple(n) => (n, MAX_REGISTER / n * n, n),
            Iv::Between(from, to) => (from, to, 1),
        };
        py.import("builtins")?.getattr("range")?.call1((from, to + 1, step))
    }
    /// Bytes of a block.
    #[getter]
    fn block_size(&self) -> usize {
        self.line().block
    }
    /// Bytes of digest, of the usual tag, or of what is derived or wrapped; 0: any number, or none.
    #[getter]
    fn output_size(&self) -> usize {
        self.line().out
    }
    /// The standard and its clause, or a warning.
    #[getter]
    fn note(&self) -> &'static str {
        self.line().note
    }
    fn __repr__(&self) -> String {
        format!("<bulat.Algorithm {}: {}>", self.line().name, self.kind())
    }
}

/// The word for a kind.
fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Hash => "hash",
        Kind::Mac => "mac",
        Kind::Cipher => "cipher",
        Kind::Aead => "aead",
        Kind::Kdf => "kdf",
        Kind::Wrap => "wrap",
    }
}

/// Every algorithm by its name.
pub(crate) fn table(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let table = PyDict::new(py);
    for (i, algorithm) in ALGORITHMS.iter().enumerate() {
        table.set_item(algorithm.name, PyAlgorithm(i))?;
    }
    Ok(table)
}

/// The algorithm of this name, alias or OID, which must be of this kind.
pub(crate) fn find(name: &str, wanted: &[Kind]) -> PyResult<&'static Algorithm> {
    let found = bulat::algorithm(name)
        .map_err(|e| Class::InvalidInput.error(format_args!("{name}: {e}")))?;
    if wanted.contains(&found.kind) {
        return Ok(found);
    }
    let (is, wanted) = (kind(found.kind), wanted.iter().map(|k| kind(*k)).collect::<Vec<_>>());
    Err(Class::InvalidInput.error(format_args!("{name}: {is}, not {}", wanted.join(" or "))))
}

/// The rarer parameters, as they are named in Python.
#[derive(Default)]
pub(crate) struct Options {
    pub(crate) tag_size: Option<usize>,
    pub(crate) s: Option<usize>,
    pub(crate) section: Option<usize>,
    pub(crate) period: Option<usize>,
    pub(crate) padding: Option<PaddingName>,
    pub(crate) sboxes: Option<SboxesName>,
    pub(crate) meshing: Option<bool>,
}

impl Options {
    pub(crate) fn params<'a>(&self, key: &'a [u8]) -> Params<'a> {
        Params {
            tag_len: self.tag_size,
            s: self.s,
            section: self.section,
            period: self.period,
            padding: self.padding.as_ref().map_or(Padding::None, |p| p.0),
            sboxes: self.sboxes.as_ref().map(|s| s.0.clone()),
            meshing: self.meshing,
            ..Params::new(key)
        }
    }
}

/// A padding by its name.
pub(crate) struct PaddingName(Padding);

impl<'a, 'py> FromPyObject<'a, 'py> for PaddingName {
    type Error = PyErr;
    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let name: Name = object.extract()?;
        Ok(PaddingName(match &*name {
            "none" => Padding::None,
            "pkcs7" => Padding::Pkcs7,
            "1" => Padding::Procedure1,
            "2" => Padding::Procedure2,
            "3" => Padding::Procedure3,
            _ => {
                let words = format!("padding {}: none, pkcs7, 1, 2 or 3", &*name);
                return Err(Class::InvalidInput.error(words));
            }
        }))
    }
}

/// S-boxes by the name of their set, or as eight rows of 16 bytes.
pub(crate) struct SboxesName(pub(crate) Sboxes);

impl<'a, 'py> FromPyObject<'a, 'py> for SboxesName {
    type Error = PyErr;
    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(rows) = object.extract::<Input>() {
            let rows: &[u8; 128] = rows.bytes().try_into().map_err(|_| {
                Class::InvalidInput
                    .error("S-boxes: eight rows of 16 bytes, the first for the lowest four bits")
            })?;
            let rows = rows.as_chunks::<16>().0;
            let rows: [[u8; 16]; 8] = rows.try_into().map_err(|_| refused(bulat::Error::Sbox))?;
            return Ok(SboxesName(Sboxes::new(rows).map_err(refused)?));
        }
        let name: Name = object.extract()?;
        let set = ParamSet::find(&name).ok_or_else(|| {
            let words = "test, a, b, c, d, z, hash-test or hash-cryptopro";
            Class::InvalidInput.error(format_args!("sboxes {}: no such S-boxes: {words}", &*name))
        })?;
        Ok(SboxesName(set.into()))
    }
}
