//! What every call passes through: Python's buffers that become slices, and when the interpreter's lock is released.
//!
//! **Buffers and other threads.** A buffer stays where it is while a call holds it: its exporter may not move or free it before
//! it is released. Its bytes may change under the call all the same, when the program writes to a `bytearray` from another
//! thread while the call has released the lock (or, on a build without that lock, at any time). Rust calls such a program's
//! slices undefined behaviour; the packages `hashlib` and `cryptography` stand where this one does. What makes it acceptable:
//! the library takes text as data alone. No byte of it is an index, a length, a branch or a value of a type that has forbidden
//! values (that is what constant time means), so that whatever mixture of old and new bytes is read, the result is wrong bytes
//! at the right place. Lengths come from the buffer's view, which is the call's own copy.

use std::sync::{Mutex, PoisonError, TryLockError};

use bulat::InOut;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyInt;

use crate::errors::{Class, refused};

/// From so many bytes on the interpreter's lock is released, as `hashlib` does.
pub(crate) const LARGE: usize = 2048;

/// Runs `f`, which takes `len` bytes of data, without the interpreter's lock if that is long.
pub(crate) fn detached<T: Send>(py: Python<'_>, len: usize, f: impl FnOnce() -> T + Send) -> T {
    if len < LARGE { f() } else { py.detach(f) }
}

/// An object's state, which one thread at a time has. Whoever has it asks for nothing of Python's, so that to wait for it
/// without the interpreter's lock cannot wait for ever.
pub(crate) struct Shared<T>(Mutex<T>);

impl<T: Send> Shared<T> {
    pub(crate) fn new(state: T) -> Self {
        Shared(Mutex::new(state))
    }
    /// Runs `f`, which takes `len` bytes of data.
    pub(crate) fn with<R: Send>(
        &self,
        py: Python<'_>,
        len: usize,
        f: impl FnOnce(&mut T) -> R + Send,
    ) -> R {
        if len < LARGE {
            match self.0.try_lock() {
                Ok(mut state) => return f(&mut state),
                Err(TryLockError::Poisoned(state)) => return f(&mut state.into_inner()),
                Err(TryLockError::WouldBlock) => {}
            }
        }
        py.detach(|| f(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner)))
    }
}

/// A view of an object's memory.
struct View(ffi::Py_buffer);

impl View {
    fn get(object: Borrowed<'_, '_, PyAny>, writable: bool) -> PyResult<Self> {
        let mut view = ffi::Py_buffer::new();
        let flags = if writable { ffi::PyBUF_WRITABLE } else { ffi::PyBUF_SIMPLE };
        // SAFETY: an object that lives, a place for the view. The view may be moved afterwards: Python does it itself
        // (PyMemoryView_FromBuffer), and what was asked for has no pointers into the view.
        if unsafe { ffi::PyObject_GetBuffer(object.as_ptr(), &mut view, flags) } == 0 {
            return Ok(View(view));
        }
        let e = PyErr::take(object.py());
        let type_name = object.get_type().name()?;
        let words = match e {
            Some(e) if e.is_instance_of::<pyo3::exceptions::PyBufferError>(object.py()) => {
                format!("{type_name}: {}", e.value(object.py()))
            }
            _ if writable => format!("{type_name}: not a writable object of bytes"),
            _ => format!("{type_name}: not an object of bytes"),
        };
        Err(Class::InvalidType.error(words))
    }
    fn len(&self) -> usize {
        // Exporters that lie are not believed.
        usize::try_from(self.0.len).unwrap_or(0)
    }
    /// Where its bytes are; of none, anywhere.
    fn pointer(&self) -> *mut u8 {
        if self.0.buf.is_null() || self.len() == 0 {
            return core::ptr::NonNull::dangling().as_ptr();
        }
        self.0.buf.cast()
    }
    /// Where it begins and ends.
    fn range(&self) -> (usize, usize) {
        let at = self.pointer() as usize;
        (at, at.saturating_add(self.len()))
    }
}

impl Drop for View {
    fn drop(&mut self) {
        // SAFETY: it was filled by PyObject_GetBuffer and is released once. It is no `Send`, so it is dropped on the thread that
        // called, which is attached to the interpreter: `detached` takes no views with it.
        unsafe { ffi::PyBuffer_Release(&mut self.0) }
    }
}

/// Bytes to be read: any contiguous buffer.
pub(crate) struct Input(View);

impl Input {
    /// The bytes, which stay where they are while the view lives; the head of this file says why no more is needed.
    pub(crate) fn bytes(&self) -> &[u8] {
        // SAFETY: readable as long as the view lives, by the buffer protocol.
        unsafe { core::slice::from_raw_parts(self.0.pointer(), self.0.len()) }
    }
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
    /// Where it begins and ends.
    pub(crate) fn range(&self) -> (usize, usize) {
        self.0.range()
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Input {
    type Error = PyErr;
    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        View::get(object, false).map(Input)
    }
}

/// Bytes that may be left out; None stands for none only where a signature says `Option`.
#[derive(Default)]
pub(crate) struct Given(Option<Input>);

impl<'a, 'py> FromPyObject<'a, 'py> for Given {
    type Error = PyErr;
    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        Input::extract(object).map(|input| Given(Some(input)))
    }
}

impl Given {
    pub(crate) fn bytes(&self) -> &[u8] {
        given(&self.0)
    }
}

/// The bytes of a buffer that may be None.
pub(crate) fn given(input: &Option<Input>) -> &[u8] {
    input.as_ref().map_or(&[], Input::bytes)
}

/// A number, and the tree's own exception for what is none.
pub(crate) struct Number<T>(pub(crate) T);

impl<'a, 'py, T: FromPyObject<'a, 'py>> FromPyObject<'a, 'py> for Number<T> {
    type Error = PyErr;
    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        object.extract().map(Number).map_err(|_| {
            if object.is_instance_of::<PyInt>() {
                return Class::InvalidInput.error(format_args!("{}: out of range", &*object));
            }
            of_type(object, "not a whole number")
        })
    }
}

/// A number that may be left out.
pub(crate) fn number<T>(given: Option<Number<T>>) -> Option<T> {
    given.map(|number| number.0)
}

/// A name.
pub(crate) struct Name(String);

impl core::ops::Deref for Name {
    type Target = str;
    fn deref(&self) -> &str {
        &self.0
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Name {
    type Error = PyErr;
    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        object.extract().map(Name).map_err(|_| of_type(object, "not a name"))
    }
}

/// What is wrong with an object's type.
fn of_type(object: Borrowed<'_, '_, PyAny>, words: &str) -> PyErr {
    match object.get_type().name() {
        Ok(name) => Class::InvalidType.error(format_args!("{name}: {words}")),
        Err(e) => e,
    }
}

/// Bytes to be written: any contiguous buffer that is not read-only.
pub(crate) struct Output(View);

impl Output {
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
    /// Where it begins and ends.
    pub(crate) fn range(&self) -> (usize, usize) {
        self.0.range()
    }
    /// The first `len` bytes alone.
    pub(crate) fn bytes(&mut self, len: usize) -> PyResult<&mut [u8]> {
        if len > self.0.len() {
            return Err(refused(bulat::Error::BufferLength));
        }
        // SAFETY: writable as long as the view lives, by the buffer protocol, and this is the only reference through it; of
        // other buffers of the call, `apart` has shown that they do not overlap.
        Ok(unsafe { core::slice::from_raw_parts_mut(self.0.pointer(), len) })
    }
    /// Whether `input` has no byte in common with it.
    pub(crate) fn apart(&self, input: &Input) -> PyResult<()> {
        overlap(self.0.pointer(), self.0.len(), input.0.pointer(), input.len())
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Output {
    type Error = PyErr;
    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        View::get(object, true).map(Output)
    }
}

/// Refuses two pieces of memory that overlap.
fn overlap(a: *const u8, a_len: usize, b: *const u8, b_len: usize) -> PyResult<()> {
    let (a, b) = (a as usize, b as usize);
    if a_len > 0 && b_len > 0 && a.abs_diff(b) < if a < b { a_len } else { b_len } {
        return Err(Class::InvalidInput.error("overlapping buffers"));
    }
    Ok(())
}

/// A text of `len` bytes from a source to a destination, each of which has at least as many: one memory, or two that do not
/// overlap.
pub(crate) fn through<'a>(
    source: &'a Input,
    destination: &'a mut Output,
    len: usize,
) -> PyResult<Text<'a>> {
    let (from, to) = (source.0.pointer(), destination.0.pointer());
    if len > source.len() || len > destination.len() {
        return Err(refused(bulat::Error::BufferLength));
    }
    if from == to && len > 0 {
        return Ok(Text::InPlace(destination.bytes(len)?));
    }
    destination.apart(source)?;
    Ok(Text::Apart(&source.bytes()[..len], destination.bytes(len)?))
}

pub(crate) use bulat::algorithm::Text;

/// As the sessions take it.
pub(crate) fn inout(text: Text<'_>) -> Result<InOut<'_, '_>, bulat::Error> {
    match text {
        Text::InPlace(text) => Ok(text.into()),
        Text::Apart(source, destination) => {
            InOut::new(source, destination).map_err(|_| bulat::Error::BufferLength)
        }
    }
}
