//! Every call passes through here: Python's buffers become slices, and long calls release the interpreter's lock.
//!
//! **Buffers and other threads.** A buffer does not move while a call holds it: its exporter may not move or free it before
//! it is released. But its bytes may change during the call, if the program writes to a `bytearray` from another
//! thread while the call has released the lock (or, on a build without that lock, at any time). To Rust such slices are
//! undefined behaviour; the packages `hashlib` and `cryptography` share the problem. It is acceptable because the library
//! uses text only as data: no byte of it is an index, a length, a branch or a value of a type with forbidden values (this is
//! constant time). Any mixture of old and new bytes gives wrong bytes at the right place. Lengths come from the buffer's
//! view, which belongs to the call.

use std::ops::{Deref, DerefMut, Range};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, TryLockError, mpsc};
use std::thread::{self, ThreadId};
use std::time::Duration;

use bulat::{Error, InOut};
use pyo3::exceptions::PyRuntimeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyInt;

use crate::errors::{Class, refused};

/// Calls with at least this many bytes release the interpreter's lock, as `hashlib` does.
pub(crate) const LARGE: usize = 2048;

/// Long data is processed in pieces of this many bytes. Between two pieces the interpreter checks for signals, so that Ctrl-C
/// ends the call.
pub(crate) const PIECE: usize = 16 << 20;

/// The time between two checks for signals.
const PATIENCE: Duration = Duration::from_millis(100);

/// Runs `f` on `len` bytes of data, without the interpreter's lock if they are many.
pub(crate) fn detached<T: Send>(py: Python<'_>, len: usize, f: impl FnOnce() -> T + Send) -> T {
    if len < LARGE { f() } else { py.detach(f) }
}

/// Runs `f` over `len` bytes in pieces, and checks for signals between them.
pub(crate) fn in_pieces(
    py: Python<'_>,
    len: usize,
    mut f: impl FnMut(Range<usize>) -> Result<(), Error> + Send,
) -> PyResult<()> {
    if len <= PIECE {
        return detached(py, len, || f(0..len)).map_err(refused);
    }
    for from in (0..len).step_by(PIECE) {
        py.detach(|| f(from..len.min(from + PIECE))).map_err(refused)?;
        py.check_signals()?;
    }
    Ok(())
}

/// Gives data to `f` in pieces, and checks for signals between them.
pub(crate) fn fed(py: Python<'_>, data: &[u8], mut f: impl FnMut(&[u8]) + Send) -> PyResult<()> {
    in_pieces(py, data.len(), |range| {
        f(&data[range]);
        Ok(())
    })
}

/// Runs `f`, which cannot be interrupted, on its own thread. A signal's exception ends the wait; `f` then finishes in the
/// background and wipes its data.
pub(crate) fn waited<T: Send + 'static>(
    py: Python<'_>,
    f: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (done, result) = mpsc::sync_channel(1);
    let work = move || {
        let _ = done.send(f());
    };
    if thread::Builder::new().name("bulat-derive".into()).spawn(work).is_err() {
        return Err(PyRuntimeError::new_err("no thread to be had"));
    }
    // Only a single thread may wait on a channel: the closure owns it while the lock is released.
    let result = Mutex::new(result);
    loop {
        let turn = || result.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(PATIENCE);
        match py.detach(turn) {
            Ok(result) => return Ok(result),
            Err(mpsc::RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(mpsc::RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err("the thread has failed"));
            }
        }
    }
}

/// Runs `f`, which handles a key, and overwrites the stack that it used: moved values leave copies there.
pub(crate) fn wiped<T>(f: impl FnOnce() -> T) -> T {
    #[inline(never)]
    fn below<T>(f: impl FnOnce() -> T) -> T {
        f()
    }
    #[inline(never)]
    fn overwrite() {
        // More stack than any of these calls uses.
        let stack = [0_u8; 48 << 10];
        zeroize::optimization_barrier(&stack);
        clear_registers();
    }
    let result = below(f);
    overwrite();
    result
}

/// Clears the vector registers, which may hold a key. Saving them, as the dynamic linker does, would put it on the stack.
fn clear_registers() {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx") {
        // SAFETY: the processor has the instruction, which changes only registers that the calling convention lets a function change.
        unsafe {
            core::arch::asm!("vzeroall", clobber_abi("sysv64"), options(nomem, nostack));
        }
    }
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx512f") {
        // SAFETY: as above: the processor has the instruction, and the registers are caller-saved.
        unsafe {
            core::arch::asm!(
                ".irp i, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31",
                "vpxorq zmm\\i, zmm\\i, zmm\\i",
                ".endr",
                clobber_abi("sysv64"),
                options(nomem, nostack),
            );
        }
    }
}

/// An object's state, held by a single thread at a time. A call from the holding thread is refused: it comes from a signal's
/// handler, or from a method of the file that a container is written to.
pub(crate) struct Shared<T> {
    state: Mutex<T>,
    /// Held by a thread that locks the state for long, or while Python runs.
    holder: Mutex<Option<ThreadId>>,
    free: Condvar,
}

/// The locked state.
pub(crate) struct Turn<'a, T> {
    shared: &'a Shared<T>,
    state: MutexGuard<'a, T>,
}

impl<T> Deref for Turn<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.state
    }
}

impl<T> DerefMut for Turn<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.state
    }
}

impl<T> Drop for Turn<'_, T> {
    fn drop(&mut self) {
        *self.shared.holder.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.shared.free.notify_one();
    }
}

impl<T: Send> Shared<T> {
    pub(crate) fn new(state: T) -> Self {
        Shared { state: Mutex::new(state), holder: Mutex::new(None), free: Condvar::new() }
    }
    /// Runs `f`, which has `len` bytes of data and does not call Python.
    pub(crate) fn with<R: Send>(
        &self,
        py: Python<'_>,
        len: usize,
        f: impl FnOnce(&mut T) -> R + Send,
    ) -> PyResult<R> {
        if len < LARGE {
            match self.state.try_lock() {
                Ok(mut state) => return Ok(f(&mut state)),
                Err(TryLockError::Poisoned(state)) => return Ok(f(&mut state.into_inner())),
                Err(TryLockError::WouldBlock) => {}
            }
        }
        let mut turn = self.turn(py)?;
        let state = &mut *turn;
        Ok(py.detach(|| f(state)))
    }
    /// Runs `f` over `len` bytes in pieces as `pieces` does, with output in the caller's memory. That output cannot be undone, and
    /// an earlier state would give the same keystream to two texts. So after an exception past the first piece `end` ends the
    /// message.
    pub(crate) fn pieces_into(
        &self,
        py: Python<'_>,
        len: usize,
        mut f: impl FnMut(&mut T, Range<usize>) -> Result<(), Error> + Send,
        end: impl FnOnce(&mut T),
    ) -> PyResult<()> {
        if len <= PIECE {
            return self.with(py, len, |state| f(state, 0..len))?.map_err(refused);
        }
        let mut turn = self.turn(py)?;
        let state = &mut *turn;
        let mut begun = false;
        let done = in_pieces(py, len, |range| {
            f(state, range)?;
            begun = true;
            Ok(())
        });
        if done.is_err() && begun {
            end(state);
        }
        done
    }
    /// Locks the state until the result is dropped; Python may run meanwhile.
    pub(crate) fn turn(&self, py: Python<'_>) -> PyResult<Turn<'_, T>> {
        let me = thread::current().id();
        let take = |wait: bool| {
            let mut holder = self.holder.lock().unwrap_or_else(PoisonError::into_inner);
            if wait {
                let waited = self.free.wait_timeout_while(holder, PATIENCE, |h| h.is_some());
                holder = waited.unwrap_or_else(PoisonError::into_inner).0;
            }
            let before = *holder;
            if before.is_none() {
                *holder = Some(me);
            }
            before
        };
        let mut before = take(false);
        while let Some(other) = before {
            if other == me {
                let words = "reentrant call: this thread is inside a call of the same object";
                return Err(Class::StateError.error(words));
            }
            before = py.detach(|| take(true));
            if before.is_some() {
                py.check_signals()?;
            }
        }
        // Other holders are brief.
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(Turn { shared: self, state })
    }
}

impl<T: Send + Clone> Shared<T> {
    /// Runs `f` over `len` bytes in pieces, checks for signals between them, and lets no other thread in. An exception restores the
    /// state and discards the results of `f`.
    pub(crate) fn pieces(
        &self,
        py: Python<'_>,
        len: usize,
        mut f: impl FnMut(&mut T, Range<usize>) -> Result<(), Error> + Send,
    ) -> PyResult<()> {
        if len <= PIECE {
            return self.with(py, len, |state| f(state, 0..len))?.map_err(refused);
        }
        let mut turn = self.turn(py)?;
        let before = wiped(|| turn.clone());
        let state = &mut *turn;
        let done = in_pieces(py, len, |range| f(state, range));
        if done.is_err() {
            *turn = before;
        }
        done
    }
}

/// A view of an object's memory.
pub(crate) struct View<const WRITABLE: bool>(ffi::Py_buffer);
/// Bytes to read: any contiguous buffer.
pub(crate) type Input = View<false>;
/// Bytes to write: any contiguous buffer that is not read-only.
pub(crate) type Output = View<true>;

impl<'a, 'py, const WRITABLE: bool> FromPyObject<'a, 'py> for View<WRITABLE> {
    type Error = PyErr;
    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let mut view = ffi::Py_buffer::new();
        let flags = if WRITABLE { ffi::PyBUF_WRITABLE } else { ffi::PyBUF_SIMPLE };
        // SAFETY: the object is alive, and `view` has room. The view may be moved later: Python does that too
        // (PyMemoryView_FromBuffer), and with these flags it has no pointers into itself.
        if unsafe { ffi::PyObject_GetBuffer(object.as_ptr(), &mut view, flags) } == 0 {
            return Ok(View(view));
        }
        let e = PyErr::take(object.py());
        let type_name = object.get_type().name()?;
        let words = match e {
            // NumPy says by ValueError that an array is not contiguous.
            Some(e)
                if e.is_instance_of::<pyo3::exceptions::PyBufferError>(object.py())
                    || e.is_instance_of::<pyo3::exceptions::PyValueError>(object.py()) =>
            {
                format!("{type_name}: {}", e.value(object.py()))
            }
            _ if WRITABLE => format!("{type_name}: not a writable object of bytes"),
            _ => format!("{type_name}: not an object of bytes"),
        };
        Err(Class::InvalidType.error(words))
    }
}

impl<const WRITABLE: bool> View<WRITABLE> {
    pub(crate) fn len(&self) -> usize {
        // Do not trust an exporter's lengths.
        usize::try_from(self.0.len).unwrap_or(0)
    }
    /// The address of its bytes; dangling if there are none.
    fn pointer(&self) -> *mut u8 {
        if self.0.buf.is_null() || self.len() == 0 {
            return core::ptr::NonNull::dangling().as_ptr();
        }
        self.0.buf.cast()
    }
    /// Its first address and its end.
    pub(crate) fn range(&self) -> (usize, usize) {
        let at = self.pointer() as usize;
        (at, at.saturating_add(self.len()))
    }
}

impl<const WRITABLE: bool> Drop for View<WRITABLE> {
    fn drop(&mut self) {
        // SAFETY: PyObject_GetBuffer filled it, and it is released only here. It is not `Send`, so it is dropped on the calling
        // thread, which is attached to the interpreter: `detached` moves no views.
        unsafe { ffi::PyBuffer_Release(&mut self.0) }
    }
}

impl Input {
    /// The bytes, which do not move while the view lives. The head of this file says why that is enough.
    pub(crate) fn bytes(&self) -> &[u8] {
        // SAFETY: by the buffer protocol `len` bytes are readable while the view lives, and the slice borrows the view.
        unsafe { core::slice::from_raw_parts(self.pointer(), self.len()) }
    }
}

/// Optional bytes. `None` means no bytes only if a signature says `Option`.
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
    pub(crate) fn is_given(&self) -> bool {
        self.0.is_some()
    }
}

/// Returns the bytes of an optional buffer.
pub(crate) fn given(input: &Option<Input>) -> &[u8] {
    input.as_ref().map_or(&[], Input::bytes)
}

/// A number; other types raise the package's exception.
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

/// An optional number.
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

/// The error for an object of a wrong type.
fn of_type(object: Borrowed<'_, '_, PyAny>, words: &str) -> PyErr {
    match object.get_type().name() {
        Ok(name) => Class::InvalidType.error(format_args!("{name}: {words}")),
        Err(e) => e,
    }
}

impl Output {
    /// Only the first `len` bytes.
    pub(crate) fn bytes(&mut self, len: usize) -> PyResult<&mut [u8]> {
        if len > self.len() {
            return Err(short_buffer(self.len(), len));
        }
        // SAFETY: by the buffer protocol the bytes are writable while the view lives, and `&mut self` makes this the only
        // reference through it. `apart` has checked that the call's other buffers do not overlap.
        Ok(unsafe { core::slice::from_raw_parts_mut(self.pointer(), len) })
    }
    /// Refuses an input that shares a byte with it.
    pub(crate) fn apart(&self, input: &Input) -> PyResult<()> {
        let ((at, end), (from, to)) = (self.range(), input.range());
        if at.max(from) < end.min(to) {
            return Err(Class::InvalidInput.error("overlapping buffers"));
        }
        Ok(())
    }
}

/// A text of `len` bytes from a source to a destination, and the rest of the destination. Both have at least `len` bytes and are
/// one memory or do not overlap.
pub(crate) fn through<'a>(
    source: &'a Input,
    destination: &'a mut Output,
    len: usize,
) -> PyResult<(Text<'a>, &'a mut [u8])> {
    let (from, to) = (source.pointer(), destination.pointer());
    if len > source.len() || len > destination.len() {
        return Err(short_buffer(destination.len(), len));
    }
    let in_place = from == to && len > 0;
    if !in_place {
        destination.apart(source)?;
    }
    let whole = destination.len();
    let (to, rest) = destination.bytes(whole)?.split_at_mut(len);
    let text = if in_place { Text::InPlace(to) } else { Text::Apart(&source.bytes()[..len], to) };
    Ok((text, rest))
}

fn short_buffer(is: usize, wanted: usize) -> PyErr {
    Class::InvalidInput.error(format_args!("buffer: {is} bytes, fewer than {wanted}"))
}

/// Refuses a buffer of another length.
pub(crate) fn exactly(buffer: &Output, wanted: usize) -> PyResult<()> {
    let is = buffer.len();
    if is == wanted {
        return Ok(());
    }
    Err(Class::InvalidInput.error(format_args!("buffer: {is} bytes, not {wanted}")))
}

/// The truth of any object, as in `hashlib`.
pub(crate) struct Truth;

impl<'a, 'py> FromPyObject<'a, 'py> for Truth {
    type Error = PyErr;
    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        object.is_truthy().map(|_| Truth)
    }
}

pub(crate) use bulat::algorithm::Text;

/// Returns a part of a text in the form for sessions.
pub(crate) fn part<'b>(
    text: &'b mut Text<'_>,
    range: Range<usize>,
) -> Result<InOut<'b, 'b>, Error> {
    match text {
        Text::InPlace(text) => Ok((&mut text[range]).into()),
        Text::Apart(source, destination) => {
            let made = InOut::new(&source[range.clone()], &mut destination[range]);
            made.map_err(|_| Error::BufferLength)
        }
    }
}

/// The destination of a text.
pub(crate) fn destination<'b>(text: &'b mut Text<'_>) -> &'b mut [u8] {
    match text {
        Text::InPlace(text) | Text::Apart(_, text) => text,
    }
}
