//! The border to Java: arrays and direct buffers as ranges of bytes, results as numbers, and no panic crosses it.
//!
//! A range is copied, in pieces, to a buffer on the stack or in whole to the heap. The buffer on the stack is wiped; the
//! allocator wipes the heap. Only long texts of ciphers and of sealing, where copies cost a tenth of the time, are
//! transformed where they are ([`Range::straight`]), in sections of 16 KiB: so long the collector may have to wait. A
//! second thread of Java that writes to them meanwhile gets garbage: no branch, address or length depends on a text.
//! Opening always works on a copy, which no thread can change after its tag was checked.
//!
//! The Java classes check every range against its array or buffer, and copy buffers if a program can free their memory.

use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};

use bulat::{Error, InOut};
use jni_sys::{JNI_ABORT, JNIEnv, jarray, jbyteArray, jint, jlong, jobject, jobjectArray, jstring};

/// The errors by their numbers, from 1 on; Java has their names from [`errors`].
const ERRORS: [Error; 18] = [
    Error::KeyLength,
    Error::IvLength,
    Error::TagLength,
    Error::Nonce,
    Error::IvReuse,
    Error::Parameter,
    Error::Sbox,
    Error::EqualKeys,
    Error::BufferLength,
    Error::DataLength,
    Error::Limit,
    Error::Empty,
    Error::Finished,
    Error::Order,
    Error::Verify,
    Error::Padding,
    Error::UnknownAlgorithm,
    Error::UnknownKernel,
];
/// The number of [`Fault::Memory`].
const MEMORY: jint = ERRORS.len() as jint + 2;
/// The number of [`Fault::Internal`].
const INTERNAL: jint = ERRORS.len() as jint + 1;

/// Returns a line for each error: its name and its words.
pub(crate) fn errors() -> String {
    let lines = ERRORS.iter().map(|e| format!("{e:?}\t{e}\n"));
    lines.collect::<String>()
        + "Internal\tan error inside bulat; please report it\nMemory\ttoo little native memory"
}

/// The reason of a refused call.
#[derive(Clone, Copy)]
pub(crate) enum Fault {
    /// The library's.
    Library(Error),
    /// Too little memory for a copy.
    Memory,
    /// A panic, or a call that the Java classes never make.
    Internal,
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Fault::Library(error)
    }
}

impl Fault {
    /// Returns its number.
    pub(crate) fn number(self) -> jint {
        match self {
            Fault::Library(error) => {
                ERRORS.iter().position(|e| *e == error).map_or(INTERNAL, |i| i as jint + 1)
            }
            Fault::Memory => MEMORY,
            Fault::Internal => INTERNAL,
        }
    }
}

/// A result as a number for Java: an error is negative.
pub(crate) trait Number {
    /// The number of a fault.
    fn bad(number: jint) -> Self;
}

impl Number for jint {
    fn bad(number: jint) -> Self {
        -number
    }
}

impl Number for jlong {
    fn bad(number: jint) -> Self {
        -jlong::from(number)
    }
}

/// A reference: a string or a buffer.
impl Number for jobject {
    fn bad(_: jint) -> Self {
        core::ptr::null_mut()
    }
}

/// Runs a call; panics stop here.
pub(crate) fn guard<T: Number>(call: impl FnOnce() -> Result<T, Fault>) -> T {
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(Ok(value)) => value,
        Ok(Err(fault)) => T::bad(fault.number()),
        Err(_) => T::bad(INTERNAL),
    }
}

/// Java's functions for the calling thread.
#[derive(Clone, Copy)]
pub(crate) struct Env(*mut JNIEnv);

/// Calls a function of the table.
macro_rules! call {
    ($env:expr, $name:ident $(, $arg:expr)*) => {
        // SAFETY: `Env::new` requires the environment of this thread, which has the functions of JNI 1.4. The arguments
        // are references that this thread's call received, or got from it.
        unsafe { ((**$env.0).v1_4.$name)($env.0 $(, $arg)*) }
    };
}

impl Env {
    /// # Safety
    /// `env` is the environment that Java passed to the running call.
    pub(crate) unsafe fn new(env: *mut JNIEnv) -> Self {
        Env(env)
    }
    /// Makes a string, which has no byte 0 and only ASCII.
    pub(crate) fn string(self, text: &str) -> Result<jstring, Fault> {
        let text = std::ffi::CString::new(text).map_err(|_| Fault::Internal)?;
        Ok(call!(self, NewStringUTF, text.as_ptr()))
    }
    /// Returns the length of an array; of null 0.
    pub(crate) fn length(self, array: jarray) -> usize {
        if array.is_null() {
            return 0;
        }
        usize::try_from(call!(self, GetArrayLength, array)).unwrap_or(0)
    }
    /// Returns an element, as a reference that [`Self::forget`] ends.
    pub(crate) fn element(self, array: jobjectArray, i: usize) -> Result<jobject, Fault> {
        if i >= self.length(array) {
            return Err(Fault::Internal);
        }
        Ok(call!(self, GetObjectArrayElement, array, i as jint))
    }
    /// Ends a reference.
    pub(crate) fn forget(self, object: jobject) {
        call!(self, DeleteLocalRef, object);
    }
    /// Returns the numbers of an array.
    pub(crate) fn numbers<const N: usize>(self, array: jarray) -> Result<[jint; N], Fault> {
        let mut numbers = [0; N];
        if self.length(array) != N {
            return Err(Fault::Internal);
        }
        call!(self, GetIntArrayRegion, array, 0, N as jint, numbers.as_mut_ptr());
        Ok(numbers)
    }
    /// Writes numbers to the start of an array that has room for them.
    pub(crate) fn write_numbers(self, array: jarray, numbers: &[jint]) -> Result<(), Fault> {
        if self.length(array) < numbers.len() {
            return Err(Fault::Internal);
        }
        call!(self, SetIntArrayRegion, array, 0, numbers.len() as jint, numbers.as_ptr());
        Ok(())
    }
    /// Returns all bytes of an array; of null, no bytes.
    pub(crate) fn bytes(self, array: jbyteArray) -> Result<Vec<u8>, Fault> {
        self.all(array).copy()
    }
    /// Returns the range of a whole array.
    pub(crate) fn all(self, array: jbyteArray) -> Range {
        Range { env: self, place: Place::Array(array), at: 0, len: self.length(array) }
    }
    /// Returns a range of an array, or if it is null of a direct buffer. The class `Context` has checked that it is in
    /// there, and `View` passes no buffer if a program can free its memory during the call.
    pub(crate) fn range(
        self,
        array: jbyteArray,
        buffer: jobject,
        at: jint,
        len: jint,
    ) -> Result<Range, Fault> {
        let (at, len) = match (usize::try_from(at), usize::try_from(len)) {
            (Ok(at), Ok(len)) => (at, len),
            _ => return Err(Fault::Internal),
        };
        let place = if buffer.is_null() {
            Place::Array(array)
        } else {
            Place::Memory(call!(self, GetDirectBufferAddress, buffer).cast::<u8>())
        };
        let nowhere = match place {
            Place::Array(array) => array.is_null(),
            Place::Memory(address) => address.is_null(),
        };
        if nowhere && len > 0 {
            return Err(Fault::Internal);
        }
        Ok(Range { env: self, place, at, len })
    }
    /// Returns a direct buffer over memory of this library.
    ///
    /// # Safety
    /// The memory lives as long as Java uses the buffer.
    pub(crate) unsafe fn buffer(self, memory: &mut [u8]) -> Result<jobject, Fault> {
        let len = memory.len() as jlong;
        Ok(call!(self, NewDirectByteBuffer, memory.as_mut_ptr().cast(), len))
    }
}

#[derive(Clone, Copy)]
enum Place {
    Array(jbyteArray),
    Memory(*mut u8),
}

/// Bytes of an array or of a direct buffer.
#[derive(Clone, Copy)]
pub(crate) struct Range {
    env: Env,
    place: Place,
    at: usize,
    len: usize,
}

impl Range {
    pub(crate) fn len(&self) -> usize {
        self.len
    }
    /// Returns the part from `from` to the end.
    pub(crate) fn after(self, from: usize) -> Result<Range, Fault> {
        let len = self.len.checked_sub(from).ok_or(Error::BufferLength)?;
        Ok(Range { at: self.at + from, len, ..self })
    }
    /// Copies `len` bytes from `from` on to `to`.
    ///
    /// # Safety
    /// `len` bytes are writable at `to`.
    unsafe fn read(&self, from: usize, to: *mut u8, len: usize) -> Result<(), Fault> {
        if from.checked_add(len).is_none_or(|end| end > self.len) {
            return Err(Fault::Internal);
        }
        if len == 0 {
            return Ok(());
        }
        match self.place {
            Place::Array(array) => {
                let at = (self.at + from) as jint;
                call!(self.env, GetByteArrayRegion, array, at, len as jint, to.cast());
            }
            // SAFETY: the buffer has these bytes (`Env::range`), the call's reference keeps it, and `to` is writable, as
            // this function requires; it is this library's memory, which overlaps no buffer of Java.
            Place::Memory(address) => unsafe {
                address.add(self.at + from).copy_to_nonoverlapping(to, len);
            },
        }
        Ok(())
    }
    /// Copies bytes to the place `to` of the range.
    pub(crate) fn write(&self, to: usize, bytes: &[u8]) -> Result<(), Fault> {
        if to.checked_add(bytes.len()).is_none_or(|end| end > self.len) {
            return Err(Error::BufferLength.into());
        }
        if bytes.is_empty() {
            return Ok(());
        }
        let at = self.at + to;
        match self.place {
            Place::Array(array) => {
                let from = bytes.as_ptr().cast();
                call!(self.env, SetByteArrayRegion, array, at as jint, bytes.len() as jint, from);
            }
            // SAFETY: the buffer has room for these bytes (`Env::range` and the check above), the call's reference keeps
            // it, and `bytes` is this library's memory, which overlaps no buffer of Java.
            Place::Memory(address) => unsafe {
                address.add(at).copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
            },
        }
        Ok(())
    }
    /// Returns a copy of all bytes.
    pub(crate) fn copy(&self) -> Result<Vec<u8>, Fault> {
        // Java's arrays may be longer than the memory: a failed allocation must not end the virtual machine.
        let mut copy = Vec::new();
        copy.try_reserve_exact(self.len).map_err(|_| Fault::Memory)?;
        // SAFETY: the vector has room for `len` bytes, and all are written before its length says so.
        unsafe {
            self.read(0, copy.as_mut_ptr(), self.len)?;
            copy.set_len(self.len);
        }
        Ok(copy)
    }
    /// Returns the places of this range and of `output` in the memory that they share, if they do.
    fn shared(&self, output: &Range) -> Option<(usize, usize)> {
        match (self.place, output.place) {
            (Place::Array(a), Place::Array(b)) => {
                call!(self.env, IsSameObject, a, b).then_some((self.at, output.at))
            }
            (Place::Memory(a), Place::Memory(b)) => {
                Some((a as usize + self.at, b as usize + output.at))
            }
            _ => None,
        }
    }
    /// Returns whether writing to `output` from its start would change bytes of this range that are not yet read.
    fn ahead(&self, output: &Range) -> bool {
        let ahead = |(from, to): (usize, usize)| from < to && to - from < self.len;
        self.len > PIECE && self.shared(output).is_some_and(ahead)
    }
    /// Runs `f` over all bytes, piece by piece.
    pub(crate) fn pieces(
        &self,
        mut f: impl FnMut(&mut [u8]) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let mut piece = Piece::new();
        let mut from = 0;
        while from < self.len {
            let len = (self.len - from).min(PIECE);
            f(piece.fill(self, from, len)?)?;
            from += len;
        }
        Ok(())
    }
    /// Transforms all bytes, piece by piece, in the buffer that `f` gets, which returns the length of its output at the
    /// buffer's start. Writes the output to `output` and returns its length.
    pub(crate) fn through(
        &self,
        output: &Range,
        mut f: impl FnMut(&mut [u8]) -> Result<usize, Fault>,
    ) -> Result<usize, Fault> {
        let mut done = 0;
        let mut step = |piece: &mut [u8]| {
            let n = f(piece)?;
            output.write(done, &piece[..n])?;
            done += n;
            Ok(())
        };
        if self.ahead(output) {
            self.copy()?.chunks_mut(PIECE).try_for_each(step)?;
        } else {
            self.pieces(&mut step)?;
        }
        Ok(done)
    }
    /// Transforms all bytes by an `f` that gives as many as it gets, as [`Self::through`] does. A long text is not
    /// copied.
    pub(crate) fn straight(
        &self,
        output: &Range,
        mut f: impl FnMut(InOut<'_, '_>) -> Result<(), Error>,
    ) -> Result<usize, Fault> {
        let shared = if self.len > COPIED { self.shared(output) } else { None };
        let same = shared.is_some_and(|(from, to)| from == to);
        let overlap = !same && shared.is_some_and(|(from, to)| from.abs_diff(to) < self.len);
        if self.len <= COPIED || overlap {
            return self.through(output, |piece| {
                f((&mut *piece).into())?;
                Ok(piece.len())
            });
        }
        if output.len < self.len {
            return Err(Error::BufferLength.into());
        }
        let mut from = 0;
        while from < self.len {
            let len = (self.len - from).min(PIECE);
            let destination = output.hold(from, true)?;
            let source = if same { None } else { Some(self.hold(from, false)?) };
            // SAFETY: both ranges have these bytes, as `Env::range` says of them and `output.len` is enough; they stay in
            // their places while they are held, are initialised, and are one place or do not overlap. The head of this
            // file has the reason why a second thread that writes to them does no harm.
            unsafe {
                let to = core::slice::from_raw_parts_mut(destination.first, len);
                f(match &source {
                    None => to.into(),
                    Some(source) => {
                        let from = core::slice::from_raw_parts(source.first, len);
                        InOut::new(from, to).map_err(|_| Fault::Internal)?
                    }
                })?;
            }
            from += len;
        }
        Ok(self.len)
    }
    /// Holds the bytes in their place, which is at the byte `from` of the range.
    fn hold(&self, from: usize, written: bool) -> Result<Held, Fault> {
        let (array, start) = match self.place {
            Place::Memory(address) => (None, address),
            Place::Array(array) => {
                let start =
                    call!(self.env, GetPrimitiveArrayCritical, array, core::ptr::null_mut());
                (Some(array), start.cast::<u8>())
            }
        };
        if start.is_null() {
            return Err(Fault::Memory);
        }
        let first = start.wrapping_add(self.at + from);
        Ok(Held { env: self.env, array, start, first, written })
    }
}

/// Bytes of Java in their place. While it lives there is no other call to Java, and an array may keep the collector waiting.
struct Held {
    env: Env,
    array: Option<jbyteArray>,
    start: *mut u8,
    first: *mut u8,
    written: bool,
}

impl Drop for Held {
    fn drop(&mut self) {
        if let Some(array) = self.array {
            let mode = if self.written { 0 } else { JNI_ABORT };
            call!(self.env, ReleasePrimitiveArrayCritical, array, self.start.cast(), mode);
        }
    }
}

/// A text of so few bytes is copied: that costs less than to hold arrays.
const COPIED: usize = 1 << 10;

/// The most bytes on the stack, and in a section.
const PIECE: usize = 16 << 10;

/// A buffer on the stack, wiped as far as it was used.
struct Piece {
    bytes: [MaybeUninit<u8>; PIECE],
    used: usize,
}

impl Piece {
    #[inline(always)]
    fn new() -> Self {
        Piece { bytes: [const { MaybeUninit::uninit() }; PIECE], used: 0 }
    }
    /// Reads a part of a range.
    #[inline(always)]
    fn fill(&mut self, range: &Range, from: usize, len: usize) -> Result<&mut [u8], Fault> {
        let room = self.bytes.get_mut(..len).ok_or(Fault::Internal)?;
        let first = room.as_mut_ptr().cast::<u8>();
        self.used = self.used.max(len);
        // SAFETY: `room` has `len` bytes, which `read` writes before they are a slice.
        unsafe {
            range.read(from, first, len)?;
            Ok(core::slice::from_raw_parts_mut(first, len))
        }
    }
}

impl Drop for Piece {
    #[inline(always)]
    fn drop(&mut self) {
        let used = &mut self.bytes[..self.used];
        used.fill(MaybeUninit::new(0));
        zeroize::optimization_barrier(used);
    }
}
