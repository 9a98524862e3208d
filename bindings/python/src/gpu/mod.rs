//! GPUs: arrays of other packages in their memory, and batches on processor and devices.

mod array;

use std::sync::{Arc, Mutex};

use bulat::Direction;
use bulat::algorithm::{Kind, Message, Text, Work, run_by};
use bulat::batch::{Job, Key as Cipher, MacMode};
use bulat_gpu::{Buffer, Channel, Device, Engine, Error, Options as Manner, Program, Spans};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};

use crate::algorithm::{Options, SboxesName, find, options};
use crate::batch::BatchArguments;
use crate::border::{Given, Input, Name, Number, number};
use crate::errors::{Class, refused};
use array::Array;

pub(crate) fn add(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<PyDevice>()?;
    m.add_class::<PyEngine>()?;
    m.add_function(wrap_pyfunction!(gpu_devices, m)?)
}

fn failed(e: Error) -> PyErr {
    match e {
        Error::Refused(e) => refused(e),
        Error::Unsupported(_) | Error::Foreign(_) => Class::InvalidInput.error(e),
        e => Class::DeviceError.error(e),
    }
}

/// Returns the devices of this machine, and for a driver without devices the reason.
#[pyfunction]
fn gpu_devices(py: Python<'_>) -> (Vec<PyDevice>, Vec<String>) {
    let found = py.detach(bulat_gpu::devices);
    (found.devices.into_iter().map(PyDevice).collect(), found.remarks)
}

/// A device. It accepts arrays of any package with `__cuda_array_interface__` or DLPack: CuPy, PyTorch, Numba, JAX. Arrays are
/// not copied. Their bytes must be contiguous, in the memory of this device, which must be a CUDA device.
///
/// `stream` is the number of a CUDA stream (`cupy.cuda.Stream.ptr`, `torch.cuda.Stream.cuda_stream`). The work is queued there, and
/// a call may return before it is done: keep the arrays until then. Without `stream` the work uses the array's stream, or the
/// default one, and a call returns when it is done.
#[pyclass(name = "Device", module = "bulat.gpu", frozen)]
struct PyDevice(Arc<Device>);

#[pymethods]
impl PyDevice {
    /// Its name, with a number if several devices share it.
    #[getter]
    fn name(&self) -> &str {
        self.0.label()
    }
    /// `cuda` or `opencl`.
    #[getter]
    fn driver(&self) -> &'static str {
        self.0.facts().driver
    }
    /// The version of its driver, or its own.
    #[getter]
    fn version(&self) -> &str {
        &self.0.facts().version
    }
    /// The size of its memory in bytes.
    #[getter]
    fn memory(&self) -> u64 {
        self.0.facts().memory
    }
    /// True for a processor, which is not faster as a device.
    #[getter]
    fn processor(&self) -> bool {
        self.0.facts().processor
    }
    /// The reason that it is not used, or None.
    #[getter]
    fn lost(&self) -> Option<String> {
        self.0.lost().map(ToString::to_string)
    }
    /// Tests every kernel with known data. Otherwise each is tested at its first use.
    fn selftest(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| self.0.prepare(&Program::ALL)).map_err(failed)
    }
    /// Encrypts an array, in place or into `out`, another array of equal length, without authentication.
    ///
    /// Modes with independent blocks: ECB, CTR, CTR-ACPKM, CNT without key meshing.
    #[pyo3(
        signature = (name, key, iv, array, out=None, *, stream=None, section=None, sboxes=None, meshing=None),
        text_signature = "($self, name, key, iv, array, out=None, *, stream=None, section=None, sboxes=None, meshing=None)"
    )]
    fn encrypt(
        &self,
        py: Python<'_>,
        name: Name,
        key: Input,
        iv: Given,
        array: Bound<'_, PyAny>,
        out: Option<Bound<'_, PyAny>>,
        stream: Option<Number<u64>>,
        section: Option<Number<usize>>,
        sboxes: Option<SboxesName>,
        meshing: Option<bool>,
    ) -> PyResult<()> {
        let options = options!(section; sboxes meshing);
        self.cipher(py, Direction::Encrypt, name, key, iv, array, out, number(stream), options)
    }
    /// Decrypts an array, with the modes of `encrypt`, and CBC and CFB into another array.
    #[pyo3(
        signature = (name, key, iv, array, out=None, *, stream=None, section=None, sboxes=None, meshing=None),
        text_signature = "($self, name, key, iv, array, out=None, *, stream=None, section=None, sboxes=None, meshing=None)"
    )]
    fn decrypt(
        &self,
        py: Python<'_>,
        name: Name,
        key: Input,
        iv: Given,
        array: Bound<'_, PyAny>,
        out: Option<Bound<'_, PyAny>>,
        stream: Option<Number<u64>>,
        section: Option<Number<usize>>,
        sboxes: Option<SboxesName>,
        meshing: Option<bool>,
    ) -> PyResult<()> {
        let options = options!(section; sboxes meshing);
        self.cipher(py, Direction::Decrypt, name, key, iv, array, out, number(stream), options)
    }
    /// Hashes each row of an array of two dimensions with Streebog; one dimension is one row. A row has a multiple of 4 bytes.
    #[pyo3(signature = (name, rows, *, stream=None))]
    fn hash<'py>(
        &self,
        py: Python<'py>,
        name: Name,
        rows: Bound<'py, PyAny>,
        stream: Option<Number<u64>>,
    ) -> PyResult<Bound<'py, PyList>> {
        let algorithm = find(&name, &[Kind::Hash])?;
        let key = algorithm.key(&Options::default().params(&[])).map_err(refused)?;
        let mut digest = vec![0; algorithm.out];
        let work = Work::Hash(&[], &mut digest);
        let size = match (Message { key: &key, iv: &[], work }).job().map_err(refused)? {
            Ok(Job::Hash256(..)) => 32,
            Ok(Job::Hash512(..)) => 64,
            _ => return Err(failed(Error::Unsupported("this hash"))),
        };
        let rows = Rows::of(&rows, number(stream))?;
        let (at, bytes) = rows.spans();
        let all = rows.work(py, &self.0, |channel, source| {
            channel.hash(size, Spans { at: &at, bytes: &bytes }, source)
        })?;
        list(py, &all, size, size)
    }
    /// Computes a MAC of each row: HMAC-Streebog (rows of a multiple of 4 bytes), OMAC, IMIT without key meshing (rows of whole
    /// blocks). `keys` is one key for all rows, or a list with one for each.
    #[pyo3(
        signature = (name, keys, rows, *, stream=None, tag_size=None, sboxes=None, meshing=None),
        text_signature = "($self, name, keys, rows, *, stream=None, tag_size=None, sboxes=None, meshing=None)"
    )]
    fn mac<'py>(
        &self,
        py: Python<'py>,
        name: Name,
        keys: Bound<'py, PyAny>,
        rows: Bound<'py, PyAny>,
        stream: Option<Number<u64>>,
        tag_size: Option<Number<usize>>,
        sboxes: Option<SboxesName>,
        meshing: Option<bool>,
    ) -> PyResult<Bound<'py, PyList>> {
        let algorithm = find(&name, &[Kind::Mac])?;
        let options = options!(tag_size; sboxes meshing);
        let made = |key: Input| algorithm.key(&options.params(key.bytes())).map_err(refused);
        let (each, made) = match keys.extract::<Input>() {
            Ok(one) => (false, vec![made(one)?]),
            Err(_) => {
                let all = keys.try_iter()?.map(|key| made(key?.extract()?));
                (true, all.collect::<PyResult<Vec<_>>>()?)
            }
        };
        let rows = Rows::of(&rows, number(stream))?;
        let (at, bytes) = rows.spans();
        if each && made.len() != at.len() {
            let words = format!("keys: {} for {} rows", made.len(), at.len());
            return Err(Class::InvalidInput.error(words));
        }
        let cut = made.first().map_or(0, |key| key.tag_len());
        let (mut secrets, mut ciphers, mut mode, mut size) = (Vec::new(), Vec::new(), None, 0);
        let mut tags = vec![vec![0; cut]; made.len()];
        for (key, tag) in made.iter().zip(&mut tags) {
            match (Message { key, iv: &[], work: Work::Mac(&[], tag) }).job().map_err(refused)? {
                Ok(Job::Hmac256(hmac, ..)) => {
                    size = 32;
                    secrets.push(bulat::executor::hmac_block(hmac));
                }
                Ok(Job::Hmac512(hmac, ..)) => {
                    size = 64;
                    secrets.push(bulat::executor::hmac_block(hmac));
                }
                Ok(Job::Mac { key, mode: m, .. }) => {
                    size = if matches!(key, Cipher::Kuznyechik(_)) { 16 } else { 8 };
                    mode = Some(m);
                    ciphers.push(key);
                }
                // HMAC with a shorter tag, and algorithms without a device.
                _ => return Err(failed(Error::Unsupported("this MAC, or tags of this length"))),
            }
        }
        let all = rows.work(py, &self.0, |channel, source| {
            let spans = Spans { at: &at, bytes: &bytes };
            let n = at.len();
            let mode: Option<MacMode> = mode;
            match mode {
                Some(mode) => channel.macs(&repeated(&ciphers, n), mode, spans, source),
                None => {
                    let keys: Vec<&[u8]> = secrets.iter().map(|s| &s[..]).collect();
                    channel.hmac(size, &repeated(&keys, n), spans, source)
                }
            }
        })?;
        list(py, &all, size, cut)
    }
    fn __repr__(&self) -> String {
        format!("<bulat.gpu.Device {}: {}>", self.0.facts().driver, self.0.label())
    }
}

/// Repeats a value for all rows.
fn repeated<T: Copy>(all: &[T], n: usize) -> Vec<T> {
    if all.len() == 1 { vec![all[0]; n] } else { all.to_vec() }
}

/// Cuts contiguous rows.
fn list<'py>(py: Python<'py>, all: &[u8], size: usize, cut: usize) -> PyResult<Bound<'py, PyList>> {
    PyList::new(py, all.chunks(size).map(|one| PyBytes::new(py, &one[..cut])))
}

impl PyDevice {
    fn cipher(
        &self,
        py: Python<'_>,
        direction: Direction,
        name: Name,
        key: Input,
        iv: Given,
        array: Bound<'_, PyAny>,
        out: Option<Bound<'_, PyAny>>,
        stream: Option<u64>,
        options: Options,
    ) -> PyResult<()> {
        let algorithm = find(&name, &[Kind::Cipher])?;
        let key = algorithm.key(&options.params(key.bytes())).map_err(refused)?;
        let work = Work::Cipher(direction, Text::InPlace(&mut []));
        let job = Message { key: &key, iv: iv.bytes(), work }.job().map_err(refused)?;
        let Ok(Job::Cipher { key, mode, iv, .. }) = job else {
            return Err(failed(Error::Unsupported("this mode on data in their memory")));
        };
        let source = Array::of(&array, stream.unwrap_or(0))?;
        let other = out.map(|out| Array::of(&out, stream.unwrap_or(0))).transpose()?;
        let destination = other.as_ref().unwrap_or(&source);
        if !destination.writable {
            return Err(Class::InvalidType.error("an array that is read-only"));
        }
        if source.len() != destination.len() {
            return Err(refused(bulat::Error::BufferLength));
        }
        let (from, to, len) = (source.pointer, destination.pointer, source.len());
        if from != to && from.abs_diff(to) < len as u64 {
            return Err(Class::InvalidInput.error("overlapping buffers"));
        }
        let streams = [source.stream, destination.stream];
        work_on(py, &self.0, stream, &streams, len, |channel| {
            let here = memory(channel.device(), from, len)?;
            let there = if from == to { None } else { Some(memory(channel.device(), to, len)?) };
            channel.cipher(&key, mode, iv, &here, there.as_ref().unwrap_or(&here), len)
        })
    }
}

/// Rows of an array.
struct Rows {
    array: Array,
    rows: usize,
    bytes: usize,
    stream: Option<u64>,
}

impl Rows {
    fn of(object: &Bound<'_, PyAny>, stream: Option<u64>) -> PyResult<Self> {
        let array = Array::of(object, stream.unwrap_or(0))?;
        let (rows, bytes) = match array.shape[..] {
            [n] => (1, n),
            [rows, n] => (rows, n),
            _ => {
                return Err(
                    Class::InvalidInput.error("an array of one or two dimensions is needed")
                );
            }
        };
        Ok(Rows { array, rows, bytes, stream })
    }
    fn spans(&self) -> (Vec<u64>, Vec<u64>) {
        (
            (0..self.rows).map(|i| (i * self.bytes) as u64).collect(),
            vec![self.bytes as u64; self.rows],
        )
    }
    fn work(
        &self,
        py: Python<'_>,
        device: &Arc<Device>,
        f: impl FnOnce(&mut Channel, &Buffer) -> Result<Vec<u8>, Error> + Send,
    ) -> PyResult<Vec<u8>> {
        let (at, len) = (self.array.pointer, self.array.len());
        work_on(py, device, self.stream, &[self.array.stream], 1, |channel| {
            f(channel, &memory(channel.device(), at, len)?)
        })
    }
}

/// Runs `f` in a stream, after the pending work of the arrays' streams, without the interpreter's lock.
fn work_on<T: Send + Default>(
    py: Python<'_>,
    device: &Arc<Device>,
    stream: Option<u64>,
    streams: &[Option<u64>],
    len: usize,
    f: impl FnOnce(&mut Channel) -> Result<T, Error> + Send,
) -> PyResult<T> {
    if device.facts().driver != "cuda" {
        return Err(failed(Error::Foreign(
            "arrays need a CUDA device, and this is an OpenCL device",
        )));
    }
    if len == 0 {
        return Ok(T::default());
    }
    let own = stream.or_else(|| streams.iter().find_map(|s| *s)).unwrap_or(0);
    py.detach(|| {
        // SAFETY: the caller or an array names these streams for this call; the protocols promise that they are valid.
        let channel = |stream| unsafe { device.channel_on(stream) };
        for other in streams.iter().flatten().filter(|s| **s != own) {
            channel(*other)?.finish()?;
        }
        let mut channel = channel(own)?;
        let result = f(&mut channel)?;
        if stream.is_none() {
            channel.finish()?;
        }
        Ok(result)
    })
    .map_err(failed)
}

/// Returns an array's memory.
fn memory(device: &Device, at: u64, len: usize) -> Result<Buffer, Error> {
    // SAFETY: the object's protocol promises that many bytes there, and the caller holds the object. The driver checks that the
    // memory is its own.
    unsafe { device.buffer_at(at, len) }
}

/// Processor and devices together, for batches of the host's data, with the results of `bulat.batch` even if a device fails.
/// `devices` defaults to all devices. With `cpu=False` the processor does only work without a device. Groups of messages of one
/// kind with fewer than `least` bytes run on the processor. An engine works only in the process that made it.
#[pyclass(name = "Engine", module = "bulat.gpu", frozen)]
struct PyEngine {
    engine: Engine,
    process: u32,
    bytes: Mutex<std::collections::HashMap<String, u64>>,
}

#[pymethods]
impl PyEngine {
    #[new]
    #[pyo3(signature = (devices=None, *, cpu=true, least=None))]
    fn new(
        py: Python<'_>,
        devices: Option<Vec<Py<PyDevice>>>,
        cpu: bool,
        least: Option<Number<usize>>,
    ) -> Self {
        let devices = match devices {
            Some(all) => all.iter().map(|d| d.get().0.clone()).collect(),
            None => py.detach(bulat_gpu::devices).devices,
        };
        let usual = Manner::default();
        let manner = Manner { cpu, least: number(least).unwrap_or(usual.least), ..usual };
        PyEngine {
            engine: Engine::new(devices, manner),
            process: std::process::id(),
            bytes: Mutex::default(),
        }
    }
    /// The devices.
    #[getter]
    fn devices(&self) -> Vec<PyDevice> {
        self.engine.devices().iter().map(|d| PyDevice(d.clone())).collect()
    }
    /// The bytes that each device, by name, and `cpu` have processed in all batches.
    #[getter]
    fn bytes(&self) -> std::collections::HashMap<String, u64> {
        self.bytes.lock().unwrap_or_else(|e| e.into_inner()).clone()
    }
    /// Processes messages as `bulat.batch` does. A device that fails or hangs is no longer used, with a `RuntimeWarning`; others repeat
    /// its work.
    #[pyo3(
        signature = (name, data, keys=None, ivs=None, **named),
        text_signature = "($self, name, data, keys=None, ivs=None, *, associated_data=None, tags=None, decrypt=False, into=None, return_exceptions=False, tag_size=None, s=None, section=None, period=None, sboxes=None, meshing=None)"
    )]
    fn batch<'py>(
        &self,
        py: Python<'py>,
        name: Name,
        data: Bound<'py, PyAny>,
        keys: Option<Bound<'py, PyAny>>,
        ivs: Option<Bound<'py, PyAny>>,
        named: Option<Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyList>> {
        if std::process::id() != self.process {
            return Err(Class::StateError.error("an engine of the process before a fork"));
        }
        let arguments = BatchArguments::new("Engine.batch()", name, data, keys, ivs, named)?;
        let mut warnings = Vec::new();
        let list = arguments.run(py, |messages| {
            let report = Mutex::new(None);
            let done = py.detach(|| {
                run_by(messages, |jobs| {
                    let (results, told) = self.engine.run(jobs);
                    *report.lock().unwrap_or_else(|e| e.into_inner()) = Some(told);
                    results
                })
            });
            if let Some(told) = report.into_inner().unwrap_or_else(|e| e.into_inner()) {
                warnings = told.warnings;
                let mut bytes = self.bytes.lock().unwrap_or_else(|e| e.into_inner());
                told.bytes.into_iter().for_each(|(name, n)| *bytes.entry(name).or_default() += n);
            }
            Ok(done)
        });
        for words in warnings {
            let class = py.get_type::<pyo3::exceptions::PyRuntimeWarning>();
            PyErr::warn(py, &class, &std::ffi::CString::new(words).unwrap_or_default(), 1)?;
        }
        list
    }
    fn __repr__(&self) -> String {
        format!("<bulat.gpu.Engine over {} devices>", self.engine.devices().len())
    }
}
