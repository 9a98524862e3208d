//! Hashes, as in `hashlib`.

use bulat::algorithm::{Algorithm, HashSession, Kind};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::algorithm::{Lengths, Options, SboxesName, explained, find};
use crate::border::{Given, Input, Name, Shared, Truth, fed};
use crate::errors::refused;

/// The length of the longest digest.
const MOST: usize = 64;

/// A message being hashed, as in `hashlib`. Threads may share it.
///
/// >>> h = Hash("streebog256", b"a")
/// >>> h.update(b"bc")
/// >>> h.hexdigest()
/// '4e2919cf137ed41ec4fb6270c61826cc4fffb660341e0af3688cd0626d23b481'
#[pyclass(module = "bulat", frozen)]
pub(crate) struct Hash {
    algorithm: &'static Algorithm,
    session: Shared<HashSession>,
}

fn begin(algorithm: &'static Algorithm, sboxes: Option<SboxesName>) -> PyResult<HashSession> {
    let options = Options { sboxes, ..Options::default() };
    let begun = algorithm.session(&options.params(&[])).and_then(|s| s.hash());
    begun.map_err(|e| explained(e, algorithm, Lengths::default(), &options))
}

/// Ends a message. Returns its digest.
fn end<'py>(py: Python<'py>, session: &mut HashSession) -> PyResult<Bound<'py, PyBytes>> {
    let mut out = [0; MOST];
    let n = session.finalize_reset(&mut out).map_err(refused)?;
    Ok(PyBytes::new(py, &out[..n]))
}

#[pymethods]
impl Hash {
    #[new]
    #[pyo3(signature = (name, data=Given::default(), *, usedforsecurity=Truth, sboxes=None), text_signature = "(name, data=b'', *, usedforsecurity=True, sboxes=None)")]
    fn new(
        py: Python<'_>,
        name: Name,
        data: Given,
        usedforsecurity: Truth,
        sboxes: Option<SboxesName>,
    ) -> PyResult<Self> {
        let _ = usedforsecurity;
        let algorithm = find(&name, &[Kind::Hash])?;
        let mut session = begin(algorithm, sboxes)?;
        fed(py, data.bytes(), |piece| session.update(piece))?;
        Ok(Hash { algorithm, session: Shared::new(session) })
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
    /// Returns the digest of the message so far. The message may continue.
    fn digest<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        end(py, &mut self.session.with(py, 0, |session| session.clone())?)
    }
    /// Returns the digest of the message so far in hexadecimal digits.
    fn hexdigest(&self, py: Python<'_>) -> PyResult<String> {
        Ok(bulat_container::digits::hex(self.digest(py)?.as_bytes()))
    }
    /// Returns an independent copy.
    fn copy(&self, py: Python<'_>) -> PyResult<Self> {
        let session = self.session.with(py, 0, |session| session.clone())?;
        Ok(Hash { algorithm: self.algorithm, session: Shared::new(session) })
    }
    fn __copy__(&self, py: Python<'_>) -> PyResult<Self> {
        self.copy(py)
    }
    /// The name of the algorithm.
    #[getter]
    fn name(&self) -> &'static str {
        self.algorithm.name
    }
    /// The length of the digest in bytes.
    #[getter]
    fn digest_size(&self) -> usize {
        self.algorithm.out
    }
    /// The length of a block in bytes.
    #[getter]
    fn block_size(&self) -> usize {
        self.algorithm.block
    }
    fn __repr__(&self) -> String {
        format!("<bulat.Hash {}>", self.algorithm.name)
    }
}

/// Hashes a message in one call.
///
/// >>> digest("streebog256", b"abc").hex()[:16]
/// '4e2919cf137ed41e'
#[pyfunction]
#[pyo3(signature = (name, data, *, sboxes=None))]
pub(crate) fn digest<'py>(
    py: Python<'py>,
    name: Name,
    data: Input,
    sboxes: Option<SboxesName>,
) -> PyResult<Bound<'py, PyBytes>> {
    let mut session = begin(find(&name, &[Kind::Hash])?, sboxes)?;
    fed(py, data.bytes(), |piece| session.update(piece))?;
    end(py, &mut session)
}
