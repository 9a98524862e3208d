//! New `bytes` objects that a call fills.

use bulat::Error;
use bulat::algorithm::{AeadSession, CipherSession};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::border::wiped;

/// Text is copied to a new object and transformed there in pieces of this many bytes, which fit the first caches.
const PIECE: usize = 16 << 10;

/// A new object that is not shared yet.
pub(crate) struct Fresh<'py> {
    bytes: Bound<'py, PyBytes>,
    len: usize,
}

/// Its bytes, not initialised.
pub(crate) struct Place {
    at: *mut u8,
    len: usize,
}
// SAFETY: the memory belongs to an object that is not shared and does not move.
unsafe impl Send for Place {}

impl<'py> Fresh<'py> {
    pub(crate) fn new(py: Python<'py>, len: usize) -> PyResult<Self> {
        let size = isize::try_from(len).map_err(|_| crate::errors::refused(Error::DataLength))?;
        // SAFETY: a null pointer asks for uninitialised bytes; the result is an object, or null with an exception set.
        let bytes = unsafe {
            Bound::from_owned_ptr_or_err(
                py,
                ffi::PyBytes_FromStringAndSize(core::ptr::null(), size),
            )?
            .cast_into_unchecked()
        };
        Ok(Fresh { bytes, len })
    }
    /// The address that the calls below write to.
    pub(crate) fn place(&mut self) -> Place {
        // SAFETY: `self.object` is a `bytes` object.
        let at = unsafe { ffi::PyBytes_AsString(self.bytes.as_ptr()) };
        Place { at: at.cast(), len: self.len }
    }
    /// Returns the object if all its bytes were written, or a copy of its first `done` bytes.
    pub(crate) fn finish(self, done: usize) -> PyResult<Bound<'py, PyBytes>> {
        if done == self.len {
            return Ok(self.bytes);
        }
        // SAFETY: the first `done` bytes were written.
        let part = unsafe {
            core::slice::from_raw_parts(ffi::PyBytes_AsString(self.bytes.as_ptr()).cast(), done)
        };
        Ok(PyBytes::new(self.bytes.py(), part))
    }
}

impl Place {
    /// Copies bytes to the object, which initialises them.
    fn put(&mut self, at: usize, bytes: &[u8]) -> &mut [u8] {
        assert!(at <= self.len && bytes.len() <= self.len - at);
        // SAFETY: the range is within the object; the object is new, so `bytes` do not overlap it.
        unsafe {
            core::ptr::copy_nonoverlapping(bytes.as_ptr(), self.at.add(at), bytes.len());
            core::slice::from_raw_parts_mut(self.at.add(at), bytes.len())
        }
    }
    /// Transforms a piece and writes it after the first `done` bytes. Returns the number of bytes then.
    pub(crate) fn update(
        &mut self,
        session: &mut CipherSession,
        done: usize,
        source: &[u8],
    ) -> Result<usize, Error> {
        // An error has no effect.
        let before = (source.len() > PIECE).then(|| wiped(|| session.clone()));
        let mut new = 0;
        for piece in source.chunks(PIECE) {
            // The output is at most as long as the input, so there is room.
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
    /// Seals a piece and writes it after the first `done` bytes.
    pub(crate) fn seal(
        &mut self,
        session: &mut AeadSession,
        done: usize,
        source: &[u8],
    ) -> Result<(), Error> {
        let before = (source.len() > PIECE).then(|| wiped(|| session.clone()));
        for (i, piece) in source.chunks(PIECE).enumerate() {
            if let Err(e) = session.update(self.put(done + i * PIECE, piece)) {
                before.into_iter().for_each(|before| *session = before);
                return Err(e);
            }
        }
        Ok(())
    }
    /// Writes the tag after a text of `len` bytes.
    pub(crate) fn tag(mut self, len: usize, tag: &[u8]) {
        self.put(len, tag);
    }
}

/// Makes an object of zeros, lets a call fill a part of it, and returns that part.
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
