//! New `bytes` objects that a call fills.

use bulat::Error;
use bulat::algorithm::{AeadSession, CipherSession};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Text goes into a new object in pieces of this many bytes, which stay in the first caches: copied there, then transformed.
const PIECE: usize = 16 << 10;

/// A new object, which nobody has seen yet.
pub(crate) struct Fresh<'py> {
    bytes: Bound<'py, PyBytes>,
    len: usize,
}

/// Where its bytes are; they are not initialised.
pub(crate) struct Place {
    at: *mut u8,
    len: usize,
}
// SAFETY: memory of an object that nobody else has, and that does not move.
unsafe impl Send for Place {}

impl<'py> Fresh<'py> {
    pub(crate) fn new(py: Python<'py>, len: usize) -> PyResult<Self> {
        let size = isize::try_from(len).map_err(|_| crate::errors::refused(Error::DataLength))?;
        // SAFETY: null stands for bytes to be written later; the result is an object or null with an exception.
        let bytes = unsafe {
            Bound::from_owned_ptr_or_err(
                py,
                ffi::PyBytes_FromStringAndSize(core::ptr::null(), size),
            )?
            .cast_into_unchecked()
        };
        Ok(Fresh { bytes, len })
    }
    /// Where the calls below write.
    pub(crate) fn place(&mut self) -> Place {
        // SAFETY: a `bytes` object.
        let at = unsafe { ffi::PyBytes_AsString(self.bytes.as_ptr()) };
        Place { at: at.cast(), len: self.len }
    }
    /// The object, whose first `done` bytes were written: all of it, or a copy of those.
    pub(crate) fn finish(self, done: usize) -> PyResult<Bound<'py, PyBytes>> {
        if done == self.len {
            return Ok(self.bytes);
        }
        // SAFETY: so many bytes were written.
        let part = unsafe {
            core::slice::from_raw_parts(ffi::PyBytes_AsString(self.bytes.as_ptr()).cast(), done)
        };
        Ok(PyBytes::new(self.bytes.py(), part))
    }
}

impl Place {
    /// Puts bytes there; they are initialised then.
    fn put(&mut self, at: usize, bytes: &[u8]) -> &mut [u8] {
        assert!(at <= self.len && bytes.len() <= self.len - at);
        // SAFETY: within the object, which is new, so `bytes` are no part of it.
        unsafe {
            core::ptr::copy_nonoverlapping(bytes.as_ptr(), self.at.add(at), bytes.len());
            core::slice::from_raw_parts_mut(self.at.add(at), bytes.len())
        }
    }
    /// A piece under a cipher, to behind the first `done` bytes; how many bytes there are.
    pub(crate) fn update(
        &mut self,
        session: &mut CipherSession,
        done: usize,
        source: &[u8],
    ) -> Result<usize, Error> {
        // On an error nothing has happened.
        let before = (source.len() > PIECE).then(|| session.clone());
        let mut new = 0;
        for piece in source.chunks(PIECE) {
            // No more than was given has come out, so there is room.
            match session.update(self.put(done + new, piece)) {
                Ok(n) => new += n,
                Err(e) => {
                    before.into_iter().for_each(|before| *session = before);
                    return Err(e);
                }
            }
        }
        Ok(new)
    }
    /// A piece that is sealed, to behind the first `done` bytes.
    pub(crate) fn seal(
        &mut self,
        session: &mut AeadSession,
        done: usize,
        source: &[u8],
    ) -> Result<(), Error> {
        let before = (source.len() > PIECE).then(|| session.clone());
        for (i, piece) in source.chunks(PIECE).enumerate() {
            if let Err(e) = session.update(self.put(done + i * PIECE, piece)) {
                before.into_iter().for_each(|before| *session = before);
                return Err(e);
            }
        }
        Ok(())
    }
    /// The tag behind a text of `len` bytes.
    pub(crate) fn tag(mut self, len: usize, tag: &[u8]) {
        self.put(len, tag);
    }
}

/// An object of zeros that a call fills in part; that part.
pub(crate) fn shortened<'py>(
    py: Python<'py>,
    most: usize,
    fill: impl FnOnce(&mut [u8]) -> PyResult<usize>,
) -> PyResult<Bound<'py, PyBytes>> {
    let mut done = most;
    let bytes = PyBytes::new_with(py, most, |out| {
        done = fill(out)?;
        Ok(())
    })?;
    Fresh { bytes, len: most }.finish(done)
}
