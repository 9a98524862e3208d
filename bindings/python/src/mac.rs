//! Message authentication codes.

use bulat::Error;
use bulat::algorithm::{Algorithm, Kind, MacSession};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::algorithm::{Lengths, Options, SboxesName, explained, find, options};
use crate::border::{Given, Input, Name, Number, Shared, fed, wiped};
use crate::errors::refused;

/// A message under a MAC. Threads may share it.
///
/// >>> m = Mac("kuznyechik-omac", bytes(32), b"a mess")
/// >>> m.update(b"age")
/// >>> m.verify(m.digest())
/// >>> m.digest() == mac("kuznyechik-omac", bytes(32), b"a message")
/// True
#[pyclass(module = "bulat", frozen)]
pub(crate) struct Mac {
    algorithm: &'static Algorithm,
    session: Shared<MacSession>,
    tag_size: usize,
}

fn begin(
    algorithm: &'static Algorithm,
    key: &Input,
    iv: &Given,
    options: &Options,
) -> PyResult<MacSession> {
    let params = options.params(key.bytes()).iv(iv.bytes());
    let lengths = Lengths::key(key.len()).iv(iv.bytes().len());
    wiped(|| algorithm.session(&params).and_then(|session| session.mac()))
        .map_err(|e| explained(e, algorithm, lengths, options))
}

/// A tag of another length does not match.
pub(crate) fn not_right(e: Error) -> Error {
    if e == Error::TagLength { Error::Verify } else { e }
}

impl Mac {
    fn taken(&self, py: Python<'_>) -> PyResult<MacSession> {
        self.session.with(py, 0, |session| wiped(|| session.clone()))
    }
}

#[pymethods]
impl Mac {
    #[new]
    #[pyo3(
        signature = (name, key, data=Given::default(), *, iv=Given::default(), tag_size=None, section=None, period=None, sboxes=None, meshing=None),
        text_signature = "(name, key, data=b'', *, iv=b'', tag_size=None, section=None, period=None, sboxes=None, meshing=None)"
    )]
    fn new(
        py: Python<'_>,
        name: Name,
        key: Input,
        data: Given,
        iv: Given,
        tag_size: Option<Number<usize>>,
        section: Option<Number<usize>>,
        period: Option<Number<usize>>,
        sboxes: Option<SboxesName>,
        meshing: Option<bool>,
    ) -> PyResult<Self> {
        let algorithm = find(&name, &[Kind::Mac])?;
        let options = options!(tag_size section period; sboxes meshing);
        let mut session = begin(algorithm, &key, &iv, &options)?;
        let tag_size = session.tag_len();
        fed(py, data.bytes(), |piece| session.update(piece))?;
        Ok(Mac { algorithm, session: Shared::new(session), tag_size })
    }
    /// Adds the next piece of the message.
    #[pyo3(signature = (data, /))]
    fn update(&self, py: Python<'_>, data: Input) -> PyResult<()> {
        let data = data.bytes();
        self.session.pieces(py, data.len(), |session, range| {
            session.update(&data[range]);
            Ok(())
        })
    }
    /// Returns the tag of the message so far. The message may continue.
    fn digest<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.taken(py)?.finalize_reset().map_err(refused)?))
    }
    /// Returns the tag of the message so far in hexadecimal digits.
    fn hexdigest(&self, py: Python<'_>) -> PyResult<String> {
        Ok(bulat_container::digits::hex(self.digest(py)?.as_bytes()))
    }
    /// Compares the tag of the message so far with this one in constant time. Raises `InvalidTag` if they differ.
    #[pyo3(signature = (tag, /))]
    fn verify(&self, py: Python<'_>, tag: Input) -> PyResult<()> {
        self.taken(py)?.verify_reset(tag.bytes()).map_err(|e| refused(not_right(e)))
    }
    /// Returns an independent copy.
    fn copy(&self, py: Python<'_>) -> PyResult<Self> {
        let session = Shared::new(self.taken(py)?);
        Ok(Mac { algorithm: self.algorithm, session, tag_size: self.tag_size })
    }
    fn __copy__(&self, py: Python<'_>) -> PyResult<Self> {
        self.copy(py)
    }
    /// The name of the algorithm.
    #[getter]
    fn name(&self) -> &'static str {
        self.algorithm.name
    }
    /// The length of the tag in bytes.
    #[getter]
    fn digest_size(&self) -> usize {
        self.tag_size
    }
    /// The length of a block in bytes.
    #[getter]
    fn block_size(&self) -> usize {
        self.algorithm.block
    }
    fn __repr__(&self) -> String {
        format!("<bulat.Mac {}>", self.algorithm.name)
    }
}

/// Computes the tag of a message in one call.
///
/// >>> mac("hmac-streebog256", b"key", b"message").hex()[:8]
/// '8300cc14'
#[pyfunction]
#[pyo3(signature = (name, key, data, *, iv=Given::default(), tag_size=None, section=None, period=None, sboxes=None, meshing=None), text_signature = "(name, key, data, *, iv=b'', tag_size=None, section=None, period=None, sboxes=None, meshing=None)")]
pub(crate) fn mac<'py>(
    py: Python<'py>,
    name: Name,
    key: Input,
    data: Input,
    iv: Given,
    tag_size: Option<Number<usize>>,
    section: Option<Number<usize>>,
    period: Option<Number<usize>>,
    sboxes: Option<SboxesName>,
    meshing: Option<bool>,
) -> PyResult<Bound<'py, PyBytes>> {
    let options = options!(tag_size section period; sboxes meshing);
    let mut session = begin(find(&name, &[Kind::Mac])?, &key, &iv, &options)?;
    let tag = wiped(|| {
        fed(py, data.bytes(), |piece| session.update(piece))?;
        let tag = session.finalize_reset().map_err(refused);
        drop(session);
        tag
    })?;
    Ok(PyBytes::new(py, &tag))
}
