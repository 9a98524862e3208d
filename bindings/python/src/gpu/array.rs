//! Arrays in a device's memory, from other packages: `__cuda_array_interface__` and DLPack. This module does not read their
//! data. It trusts the addresses, as every package does that uses these protocols.

use core::ffi::{CStr, c_void};

use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::errors::Class;

/// Bytes in a device's memory, in contiguous rows.
pub(crate) struct Array {
    pub(crate) pointer: u64,
    pub(crate) shape: Vec<usize>,
    pub(crate) writable: bool,
    /// The stream in which its bytes are written, if it has a stream.
    pub(crate) stream: Option<u64>,
    /// Keeps the memory alive.
    _owner: Option<Managed>,
}

impl Array {
    pub(crate) fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// Reads either protocol of an object; a producer of DLPack makes the data ready in `stream`.
    pub(crate) fn of(object: &Bound<'_, PyAny>, stream: u64) -> PyResult<Self> {
        let name = object.get_type().name()?;
        let wrong = |words: &str| Class::InvalidType.error(format_args!("{name}: {words}"));
        let array = match object.getattr_opt("__cuda_array_interface__")? {
            Some(shown) => interface(&shown, &wrong)?,
            None if object.hasattr("__dlpack__")? => dlpack(object, stream, &wrong)?,
            None => {
                return Err(wrong(
                    "no array in a device's memory: neither __cuda_array_interface__ \
                                  nor __dlpack__",
                ));
            }
        };
        if array.pointer == 0 && array.len() > 0 {
            return Err(wrong("an array without memory"));
        }
        Ok(array)
    }
}

type Wrong<'a> = &'a dyn Fn(&str) -> PyErr;

/// Returns the number of elements, if they fit into memory.
fn sizes(shape: &[i64], wrong: Wrong<'_>) -> PyResult<Vec<usize>> {
    let all: Option<Vec<usize>> = shape.iter().map(|n| usize::try_from(*n).ok()).collect();
    let all = all.ok_or_else(|| wrong("a shape with negative numbers"))?;
    let fits = all.iter().try_fold(1usize, |n, m| n.checked_mul((*m).max(1)));
    match fits.filter(|n| *n <= isize::MAX as usize) {
        Some(_) => Ok(all),
        None => Err(wrong("a shape larger than memory")),
    }
}

/// Returns whether rows of one-byte elements are contiguous.
fn contiguous(shape: &[usize], strides: &[i64], wrong: Wrong<'_>) -> PyResult<()> {
    let mut want = 1;
    let mut all = shape.len() == strides.len();
    for (n, stride) in shape.iter().zip(strides).rev() {
        all &= *n <= 1 || *stride == want;
        want *= *n as i64;
    }
    if all || shape.contains(&0) { Ok(()) } else { Err(wrong("not contiguous")) }
}

/// `__cuda_array_interface__`, versions 2 and 3.
fn interface(shown: &Bound<'_, PyAny>, wrong: Wrong<'_>) -> PyResult<Array> {
    let bad = |what: &str| wrong(&format!("__cuda_array_interface__: {what}"));
    let shown = shown.cast::<PyDict>().map_err(|_| bad("not a dict"))?;
    let item = |key: &str| shown.get_item(key)?.ok_or_else(|| bad(&format!("there is no {key}")));
    let given = |key: &str| PyResult::Ok(shown.get_item(key)?.filter(|v| !v.is_none()));
    let kind: String = item("typestr")?.extract().map_err(|_| bad("typestr"))?;
    if !matches!(&*kind, "|u1" | "|i1" | "<u1" | "<i1" | "|b1") {
        return Err(wrong(&format!("elements of type {kind}, not bytes: view it as uint8")));
    }
    if given("mask")?.is_some() {
        return Err(wrong("an array with a mask"));
    }
    let shape: Vec<i64> = item("shape")?.extract().map_err(|_| bad("shape"))?;
    let shape = sizes(&shape, wrong)?;
    if let Some(strides) = given("strides")? {
        let strides: Vec<i64> = strides.extract().map_err(|_| bad("strides"))?;
        contiguous(&shape, &strides, wrong)?;
    }
    let data = item("data")?;
    let (pointer, read_only): (u64, bool) = data.extract().map_err(|_| bad("data"))?;
    let stream = match given("stream")? {
        None => None,
        Some(stream) => match stream.extract::<u64>() {
            Ok(0) | Err(_) => return Err(bad("stream")),
            Ok(stream) => Some(stream),
        },
    };
    // The object owns the memory, and the caller holds the object during the call.
    Ok(Array { pointer, shape, writable: !read_only, stream, _owner: None })
}

// DLPack's structures, of versions before 1 and since.

#[repr(C)]
struct Tensor {
    data: *mut c_void,
    device_type: i32,
    device_id: i32,
    dimensions: i32,
    code: u8,
    bits: u8,
    lanes: u16,
    shape: *const i64,
    strides: *const i64,
    offset: u64,
}

#[repr(C)]
struct Unversioned {
    tensor: Tensor,
    context: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut Unversioned)>,
}

#[repr(C)]
struct Versioned {
    major: u32,
    minor: u32,
    context: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut Versioned)>,
    flags: u64,
    tensor: Tensor,
}

const READ_ONLY: u64 = 1;
const CPU: i32 = 1;
const CUDA: i32 = 2;
const CUDA_MANAGED: i32 = 13;

/// The content of a capsule, returned to its producer once.
enum Managed {
    Unversioned(*mut Unversioned),
    Versioned(*mut Versioned),
}

impl Drop for Managed {
    fn drop(&mut self) {
        // SAFETY: the capsule was renamed, so nobody else deletes its content. This thread is attached to the interpreter, since
        // the type is not `Send`.
        unsafe {
            match *self {
                Managed::Unversioned(m) => (*m).deleter.into_iter().for_each(|d| d(m)),
                Managed::Versioned(m) => (*m).deleter.into_iter().for_each(|d| d(m)),
            }
        }
    }
}

/// Takes the content of a capsule of this name.
fn take(
    capsule: &Bound<'_, PyAny>,
    name: &'static CStr,
    used: &'static CStr,
) -> Option<*mut c_void> {
    let object = capsule.as_ptr();
    // SAFETY: the object is alive, and the names are static, as a capsule requires.
    unsafe {
        if ffi::PyCapsule_IsValid(object, name.as_ptr()) == 0 {
            return None;
        }
        let pointer = ffi::PyCapsule_GetPointer(object, name.as_ptr());
        (ffi::PyCapsule_SetName(object, used.as_ptr()) == 0).then_some(pointer)
    }
}

fn dlpack(object: &Bound<'_, PyAny>, stream: u64, wrong: Wrong<'_>) -> PyResult<Array> {
    let device = object.call_method0("__dlpack_device__")?;
    let (kind, _): (i32, i32) =
        device.extract().map_err(|_| wrong("__dlpack_device__: not two numbers"))?;
    match kind {
        CUDA | CUDA_MANAGED => {}
        CPU => {
            return Err(wrong(
                "memory of the host, not of a device: use bulat.batch or \
                              bulat.gpu.Engine.batch",
            ));
        }
        other => {
            return Err(wrong(&format!(
                "memory of a device of DLPack's type {other}, not of CUDA"
            )));
        }
    }
    // 0 means nothing to DLPack; 1 is CUDA's default stream.
    let named = PyDict::new(object.py());
    named.set_item("stream", stream.max(1))?;
    named.set_item("max_version", PyTuple::new(object.py(), [1, 0])?)?;
    let capsule = match object.call_method("__dlpack__", (), Some(&named)) {
        // Producers before version 1 do not know this keyword.
        Err(e) if e.is_instance_of::<PyTypeError>(object.py()) => {
            named.del_item("max_version")?;
            object.call_method("__dlpack__", (), Some(&named))?
        }
        other => other?,
    };
    let none = || wrong("__dlpack__: not a DLPack capsule, or already used");
    // SAFETY: the capsule's name determines its structure, which lives until `owner` deletes it.
    let (owner, tensor, flags) = unsafe {
        if let Some(m) = take(&capsule, c"dltensor_versioned", c"used_dltensor_versioned") {
            let m = m.cast::<Versioned>();
            let owner = Managed::Versioned(m);
            if (*m).major != 1 {
                return Err(wrong(&format!("DLPack of version {}, not 1", (*m).major)));
            }
            (owner, &raw const (*m).tensor, (*m).flags)
        } else {
            let m = take(&capsule, c"dltensor", c"used_dltensor").ok_or_else(none)?;
            let m = m.cast::<Unversioned>();
            (Managed::Unversioned(m), &raw const (*m).tensor, 0)
        }
    };
    // SAFETY: as above; shape and strides have a number for each dimension.
    let (shape, strides, pointer, bytes) = unsafe {
        let t = &*tensor;
        if !matches!(t.device_type, CUDA | CUDA_MANAGED) {
            return Err(wrong("__dlpack__ and __dlpack_device__ do not agree"));
        }
        let n =
            usize::try_from(t.dimensions).map_err(|_| wrong("a shape with negative numbers"))?;
        let list = |at: *const i64| match at.is_null() || n == 0 {
            true => Vec::new(),
            false => core::slice::from_raw_parts(at, n).to_vec(),
        };
        if t.shape.is_null() && n > 0 {
            return Err(wrong("an array without a shape"));
        }
        let strides = (!t.strides.is_null()).then(|| list(t.strides));
        let pointer = (t.data.addr() as u64).wrapping_add(t.offset);
        (
            list(t.shape),
            strides,
            pointer,
            matches!(t.code, 0 | 1 | 6) && t.bits == 8 && t.lanes == 1,
        )
    };
    if !bytes {
        return Err(wrong("elements are not bytes: view it as uint8"));
    }
    let shape = sizes(&shape, wrong)?;
    if let Some(strides) = strides {
        contiguous(&shape, &strides, wrong)?;
    }
    // The producer has got the stream.
    Ok(Array {
        pointer,
        shape,
        writable: flags & READ_ONLY == 0,
        stream: None,
        _owner: Some(owner),
    })
}
