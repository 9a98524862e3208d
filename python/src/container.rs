//! The file container: the raw ends of the file objects in `bulat/container.py`, and whole files.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use bulat::Direction;
use bulat_container::digits::{self, Form};
use bulat_container::stamp::{self, Stamp};
use bulat_container::{
    self as format, Cipher, Credential, Header, Keys, MAX_ITERATIONS, MIN_ITERATIONS, Reader,
    Source, Writer, header, pipeline,
};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};
use tempfile::NamedTempFile;
use zeroize::Zeroizing;

use crate::border::{Input, Name, Number, Output, Shared, number};
use crate::errors::{Class, container, system};

/// A file as Python names it: a path, or an object with `read` or `write`.
pub(crate) enum Place {
    Path(PathBuf),
    Object(Object),
}

impl<'a, 'py> FromPyObject<'a, 'py> for Place {
    type Error = PyErr;
    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let object = object.to_owned();
        if object.is_instance_of::<PyString>() || object.hasattr("__fspath__")? {
            return Ok(Place::Path(object.extract()?));
        }
        if object.hasattr("read")? || object.hasattr("write")? {
            return Ok(Place::Object(Object(object.unbind())));
        }
        let type_name = object.get_type().name()?;
        Err(Class::InvalidType.error(format_args!("{type_name}: not a path and not a file")))
    }
}

/// A file object of Python's.
pub(crate) struct Object(Py<PyAny>);

/// An error of Python's on its way through the library.
fn python(e: PyErr) -> io::Error {
    io::Error::other(e)
}

impl Read for Object {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        Python::attach(|py| {
            let read = self.0.bind(py).call_method1("read", (buffer.len(),)).map_err(python)?;
            let read: Input = read.extract().map_err(python)?;
            let (from, n) = (read.bytes(), read.len());
            let to = buffer.get_mut(..n).ok_or_else(|| {
                python(Class::InvalidInput.error("the file gave more bytes than it was asked for"))
            })?;
            to.copy_from_slice(from);
            Ok(n)
        })
    }
}

impl Write for Object {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Python::attach(|py| {
            let n = self.0.bind(py).call_method1("write", (PyBytes::new(py, bytes),));
            match n.map_err(python)?.extract::<Option<usize>>() {
                Ok(Some(n)) if n > 0 && n <= bytes.len() => Ok(n),
                // Objects that are not files to the letter answer with nothing, and have taken all.
                Ok(None) => Ok(bytes.len()),
                Ok(Some(_)) => Err(io::ErrorKind::WriteZero.into()),
                Err(e) => Err(python(e)),
            }
        })
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for Object {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let (offset, whence) = match to {
            SeekFrom::Start(n) => (i128::from(n), 0),
            SeekFrom::Current(n) => (i128::from(n), 1),
            SeekFrom::End(n) => (i128::from(n), 2),
        };
        Python::attach(|py| {
            let at = self.0.bind(py).call_method1("seek", (offset, whence)).map_err(python)?;
            at.extract().map_err(python)
        })
    }
}

/// What a container is read from or written to.
enum End {
    File(File),
    Object(Object),
    New(New),
}

macro_rules! either {
    ($self:ident, $end:ident => $call:expr) => {
        match $self {
            End::File($end) => $call,
            End::Object($end) => $call,
            End::New(New { file: $end, .. }) => $call,
        }
    };
}

impl Read for End {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        either!(self, end => end.read(buffer))
    }
}
impl Seek for End {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        either!(self, end => end.seek(to))
    }
}
impl Write for End {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        either!(self, end => end.write(bytes))
    }
    fn flush(&mut self) -> io::Result<()> {
        either!(self, end => end.flush())
    }
}

/// A file that gets its name when it is whole, and is gone when it does not.
struct New {
    file: NamedTempFile,
    target: PathBuf,
    replace: bool,
}

/// What the system said of a file.
fn of(path: &Path, e: &io::Error) -> PyErr {
    use io::ErrorKind as Kind;
    // Of a temporary file's error only the kind tells.
    let number = e.raw_os_error().or(match e.kind() {
        Kind::NotFound => Some(2),
        Kind::PermissionDenied => Some(13),
        Kind::NotADirectory => Some(20),
        Kind::StorageFull => Some(28),
        Kind::ReadOnlyFilesystem => Some(30),
        _ => None,
    });
    let words = number.map_or(e.to_string(), |n| io::Error::from_raw_os_error(n).to_string());
    let words = words.split(" (os error ").next().unwrap_or("").to_owned();
    match number {
        Some(number) => PyOSError::new_err((number, words, path.as_os_str().to_owned())),
        None => PyOSError::new_err(format!("{}: {words}", path.display())),
    }
}

impl New {
    fn begin(path: &Path, replace: bool) -> PyResult<Self> {
        let exists = path.symlink_metadata().is_ok();
        if exists && !replace {
            return Err(of(path, &io::Error::from_raw_os_error(EEXIST)));
        }
        // What a link leads to is replaced, not the link.
        let target =
            if exists { path.canonicalize().map_err(|e| of(path, &e))? } else { path.into() };
        if target.is_dir() {
            return Err(of(path, &io::Error::from_raw_os_error(EISDIR)));
        }
        let name =
            target.file_name().ok_or_else(|| of(path, &io::Error::other("not a file's name")))?;
        let mut prefix = std::ffi::OsString::from(".");
        prefix.push(name);
        prefix.push(".");
        // A name of 255 bytes has no room for more.
        if prefix.len() > 200 {
            prefix = ".bulat.".into();
        }
        let folder = target.parent().filter(|p| *p != Path::new("")).unwrap_or(Path::new("."));
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix).suffix(".part");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            // As open(2) makes it, by the umask; of a file that is replaced, no more than it has.
            let most = target.metadata().map_or(0o666, |m| m.permissions().mode() & 0o777);
            builder.permissions(std::fs::Permissions::from_mode(most & 0o666));
        }
        let file = builder.tempfile_in(folder).map_err(|e| of(path, &e))?;
        Ok(New { file, target, replace })
    }
    /// Puts the whole file under its name: written to the disk, renamed, the folder written too.
    fn commit(self) -> PyResult<()> {
        let New { file, target, replace } = self;
        file.as_file().sync_all().map_err(|e| of(&target, &e))?;
        let renamed = if replace { file.persist(&target) } else { file.persist_noclobber(&target) };
        renamed.map_err(|e| of(&target, &e.error))?;
        #[cfg(unix)]
        {
            let folder = target.parent().filter(|p| *p != Path::new("")).unwrap_or(Path::new("."));
            // Not every file system can do it, and the file itself is safe.
            let _ = File::open(folder).and_then(|f| f.sync_all());
        }
        Ok(())
    }
}

/// Numbers of POSIX, the same on every system.
const EEXIST: i32 = 17;
const EISDIR: i32 = 21;

impl Place {
    fn source(self) -> PyResult<End> {
        match self {
            Place::Object(object) => Ok(End::Object(object)),
            Place::Path(path) => File::open(&path).map(End::File).map_err(|e| of(&path, &e)),
        }
    }
    fn destination(self, replace: bool) -> PyResult<End> {
        match self {
            Place::Object(object) => Ok(End::Object(object)),
            Place::Path(path) => {
                // What is no regular file is written as it comes.
                let direct = path.metadata().is_ok_and(|m| !m.is_file() && !m.is_dir());
                if direct {
                    let file = File::options().write(true).open(&path);
                    return file.map(End::File).map_err(|e| of(&path, &e));
                }
                New::begin(&path, replace).map(End::New)
            }
        }
    }
}

/// The secret of a container.
enum Secret {
    Key(Zeroizing<[u8; header::KEY]>),
    Password(Zeroizing<Vec<u8>>),
}

impl Secret {
    /// One of a key and a password.
    fn of(key: Option<Input>, password: Option<Bound<'_, PyAny>>) -> PyResult<Self> {
        let refuse = |words: String| Err(Class::InvalidInput.error(words));
        match (key, password) {
            (Some(key), None) => match key.bytes().try_into() {
                Ok(key) => Ok(Secret::Key(Zeroizing::new(key))),
                Err(_) => {
                    refuse(format!("{} bytes, but the key must have {}", key.len(), header::KEY))
                }
            },
            (None, Some(password)) => {
                let octets = match password.cast::<PyString>() {
                    Ok(text) => Zeroizing::new(text.to_str()?.as_bytes().to_vec()),
                    Err(_) => Zeroizing::new(password.extract::<Input>()?.bytes().to_vec()),
                };
                if octets.is_empty() {
                    return refuse("the password is empty".into());
                }
                // HMAC takes "x" and "x\0" for the same key.
                if octets.contains(&0) {
                    return refuse("a zero byte in the password".into());
                }
                Ok(Secret::Password(octets))
            }
            (None, None) => refuse("no key and no password given".into()),
            (Some(_), Some(_)) => refuse("a key or a password, not both".into()),
        }
    }
    fn credential(&self) -> Credential<'_> {
        match self {
            Secret::Key(key) => Credential::Key(key),
            Secret::Password(password) => Credential::Password(password),
        }
    }
}

/// How a new container is made.
struct Manner {
    cipher: Cipher,
    chunk_log2: u8,
    iterations: Option<u32>,
}

impl Manner {
    fn of(cipher: &str, chunk: u64, iterations: Option<u32>) -> PyResult<Self> {
        let cipher = match bulat::algorithm(cipher).map(|a| a.name) {
            Ok(name) if name == Cipher::Kuznyechik.name() => Cipher::Kuznyechik,
            Ok(name) if name == Cipher::Magma.name() => Cipher::Magma,
            _ => {
                let words = format!("cipher {cipher}: kuznyechik-mgm or magma-mgm");
                return Err(Class::InvalidInput.error(words));
            }
        };
        if !chunk.is_power_of_two() || !(4096..=1 << 20).contains(&chunk) {
            let words = format!("chunk {chunk}: a power of two from 4096 to 1048576");
            return Err(Class::InvalidInput.error(words));
        }
        if let Some(n) = iterations.filter(|n| !(MIN_ITERATIONS..=MAX_ITERATIONS).contains(n)) {
            let words = format!("iterations {n}: from {MIN_ITERATIONS} to {MAX_ITERATIONS}");
            return Err(Class::InvalidInput.error(words));
        }
        Ok(Manner { cipher, chunk_log2: chunk.trailing_zeros() as u8, iterations })
    }
    /// A new header and its keys.
    fn begin(&self, py: Python<'_>, secret: &Secret) -> PyResult<(Header, Keys)> {
        let mut salt = [0; 32];
        let random = py.import("os")?.getattr("urandom")?.call1((salt.len(),))?;
        salt.copy_from_slice(random.extract::<Input>()?.bytes());
        if matches!(secret, Secret::Key(_)) && self.iterations.is_some() {
            return Err(Class::InvalidInput.error("iterations are for a password"));
        }
        py.detach(|| {
            let source = match secret {
                Secret::Key(_) => Source::KeyFile,
                Secret::Password(_) => Source::Password {
                    iterations: self.iterations.map_or_else(format::iterations_of_a_second, Ok)?,
                },
            };
            Header::new(self.cipher, source, self.chunk_log2, salt, secret.credential())
        })
        .map_err(container)
    }
}

/// Reads a header and unlocks it.
fn unlock(py: Python<'_>, end: &mut End, secret: &Secret, most: u32) -> PyResult<Keys> {
    py.detach(|| read_header(end).and_then(|header| header.unlock(secret.credential(), most)))
        .map_err(container)
}

fn read_header(end: &mut End) -> Result<Header, format::Error> {
    let mut octets = [0; header::LEN];
    let n = pipeline::fill(end, &mut octets).map_err(format::Error::Read)?;
    Header::parse(&octets[..n])
}

/// The plaintext of a container, to be read at any place: the raw end of the file object that `bulat.container.open` gives.
#[pyclass(module = "bulat._bulat", frozen)]
pub(crate) struct RawReader(Shared<Option<Open>>);

struct Open {
    reader: Reader<End>,
    at: u64,
}

impl RawReader {
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        f: impl FnOnce(&mut Open) -> Result<T, format::Error> + Send,
    ) -> PyResult<T> {
        // As long as a chunk takes.
        let result = self.0.with(py, usize::MAX, |open| open.as_mut().map(f));
        result.ok_or_else(closed)?.map_err(container)
    }
}

fn closed() -> PyErr {
    Class::StateError.error("the file is closed")
}

#[pymethods]
impl RawReader {
    #[new]
    #[pyo3(signature = (file, key, password, max_iterations))]
    fn new(
        py: Python<'_>,
        file: Place,
        key: Option<Input>,
        password: Option<Bound<'_, PyAny>>,
        max_iterations: Number<u32>,
    ) -> PyResult<Self> {
        let secret = Secret::of(key, password)?;
        let mut end = file.source()?;
        if matches!(end, End::Object(_)) {
            end.seek(SeekFrom::Start(0)).map_err(system)?;
        }
        let keys = unlock(py, &mut end, &secret, max_iterations.0)?;
        let reader = py.detach(|| Reader::new(end, keys)).map_err(container)?;
        Ok(RawReader(Shared::new(Some(Open { reader, at: 0 }))))
    }
    /// Reads from the place where it stands into the buffer, no further than the end of a chunk; how many bytes.
    fn readinto(&self, py: Python<'_>, mut buffer: Output) -> PyResult<usize> {
        let n = buffer.len();
        let out = buffer.bytes(n)?;
        self.with(py, |open| open.read(out))
    }
    /// All from the place where it stands.
    fn readall<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let rest = self.with(py, |open| Ok(open.reader.size()?.saturating_sub(open.at)))?;
        let rest = usize::try_from(rest).map_err(|_| Class::InvalidInput.error("too long"))?;
        PyBytes::new_with(py, rest, |out| {
            self.with(py, |open| {
                let mut done = 0;
                while done < out.len() {
                    match open.read(&mut out[done..])? {
                        0 => return Err(format::Error::Read(stamp::changed())),
                        n => done += n,
                    }
                }
                Ok(())
            })
        })
    }
    /// Bytes of plaintext; the last chunk is verified first.
    fn size(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, |open| open.reader.size())
    }
    /// Where it stands.
    fn tell(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, |open| Ok(open.at))
    }
    /// Goes to another place, from the start, from here or from the end; where that is.
    fn seek(&self, py: Python<'_>, offset: i64, whence: u8) -> PyResult<u64> {
        let to = self.with(py, |open| {
            let from = match whence {
                0 => 0,
                1 => open.at,
                _ => open.reader.size()?,
            };
            Ok(from.checked_add_signed(offset).inspect(|to| open.at = *to))
        })?;
        to.ok_or_else(|| Class::InvalidInput.error("a place before the start of the file"))
    }
    /// Lets go of the file and of the keys.
    fn close(&self, py: Python<'_>) {
        drop(self.0.with(py, usize::MAX, Option::take));
    }
}

impl Open {
    fn read(&mut self, out: &mut [u8]) -> Result<usize, format::Error> {
        let n = self.reader.read_at(self.at, out)?;
        self.at += n as u64;
        Ok(n)
    }
}

/// A container being written: the raw end of the file object that `bulat.container.open` gives.
#[pyclass(module = "bulat._bulat", frozen)]
pub(crate) struct RawWriter(Shared<Option<Writer<End>>>);

#[pymethods]
impl RawWriter {
    #[new]
    #[pyo3(signature = (file, key, password, cipher, chunk, iterations, replace))]
    fn new(
        py: Python<'_>,
        file: Place,
        key: Option<Input>,
        password: Option<Bound<'_, PyAny>>,
        cipher: Name,
        chunk: Number<u64>,
        iterations: Option<Number<u32>>,
        replace: bool,
    ) -> PyResult<Self> {
        let secret = Secret::of(key, password)?;
        let manner = Manner::of(&cipher, chunk.0, number(iterations))?;
        let mut end = file.destination(replace)?;
        let (header, keys) = manner.begin(py, &secret)?;
        end.write_all(&header.bytes()).map_err(system)?;
        Ok(RawWriter(Shared::new(Some(Writer::new(end, keys)))))
    }
    /// Takes the next piece of text; how many bytes.
    fn write(&self, py: Python<'_>, data: Input) -> PyResult<usize> {
        let text = data.bytes();
        let result =
            self.0.with(py, usize::MAX, |writer| writer.as_mut().map(|writer| writer.write(text)));
        result.ok_or_else(closed)?.map_err(container)?;
        Ok(text.len())
    }
    /// Bytes of text so far.
    fn tell(&self, py: Python<'_>) -> PyResult<u64> {
        let n = self.0.with(py, 0, |writer| writer.as_ref().map(Writer::written));
        n.ok_or_else(closed)
    }
    /// Writes the last chunk, and gives the file its name.
    fn finish(&self, py: Python<'_>) -> PyResult<()> {
        let Some(writer) = self.0.with(py, usize::MAX, Option::take) else { return Ok(()) };
        py.detach(|| match writer.finish().map_err(container)? {
            End::New(new) => new.commit(),
            _ => Ok(()),
        })
    }
    /// Throws away what was written; of a file object, what it has taken stays there and is no container.
    fn discard(&self, py: Python<'_>) {
        let writer = self.0.with(py, usize::MAX, Option::take);
        py.detach(|| drop(writer));
    }
}

/// Seals or opens from an end to another, at many places at once where both are files.
fn whole(
    py: Python<'_>,
    way: Direction,
    keys: &Keys,
    threads: Option<usize>,
    mut from: End,
    mut to: End,
) -> PyResult<u64> {
    let threads = pipeline::threads(threads).min(256);
    let done = py.detach(|| {
        let stamp = match &from {
            End::File(file) => Some(Stamp::before(file).map_err(format::Error::Read)?),
            _ => None,
        };
        let done = between(way, keys, threads, &mut from, &mut to)?;
        if let (End::File(file), Some(stamp)) = (&from, stamp) {
            stamp.after(file).map_err(format::Error::Read)?;
        }
        Ok(done)
    });
    let done = done.map_err(container)?;
    if let End::New(new) = to {
        py.detach(|| new.commit())?;
    }
    Ok(done)
}

fn between(
    way: Direction,
    keys: &Keys,
    threads: usize,
    from: &mut End,
    to: &mut End,
) -> Result<u64, format::Error> {
    let mut signals = Signals::new();
    let progress = &mut |_| signals.look();
    #[cfg(unix)]
    if let (End::File(from), End::New(to)) = (&*from, &*to)
        && from.metadata().is_ok_and(|m| m.is_file())
    {
        return format::between_files(way, keys, threads, from, to.file.as_file(), progress);
    }
    match way {
        Direction::Encrypt => format::seal(keys, threads, from, to, progress),
        Direction::Decrypt => format::open(keys, threads, from, to, progress),
    }
}

/// Looks every tenth of a second whether a signal has come, so that Ctrl-C ends the work. Python handles signals on its
/// first thread; elsewhere nothing is found.
struct Signals {
    thread: ThreadId,
    last: Instant,
}

impl Signals {
    const EVERY: Duration = Duration::from_millis(100);

    fn new() -> Self {
        Signals { thread: thread::current().id(), last: Instant::now() }
    }
    /// What the signal's handler raised.
    fn look(&mut self) -> Result<(), format::Error> {
        if self.last.elapsed() < Self::EVERY || thread::current().id() != self.thread {
            return Ok(());
        }
        self.last = Instant::now();
        Python::attach(|py| py.check_signals())
            .map_err(|e| format::Error::Write(io::Error::other(e)))
    }
}

/// Refuses an output that is the input.
fn two(from: &Place, to: &Place) -> PyResult<()> {
    if let (Place::Path(from), Place::Path(to)) = (from, to)
        && let (Ok(a), Ok(b)) = (from.canonicalize(), to.canonicalize())
        && a == b
        && a.is_file()
    {
        let words = format!("{}: input and output are the same file", from.display());
        return Err(Class::InvalidInput.error(words));
    }
    Ok(())
}

/// Encrypts a file; bytes of plaintext.
#[pyfunction]
#[pyo3(signature = (source, destination, key, password, cipher, chunk, iterations, threads, replace))]
pub(crate) fn container_encrypt(
    py: Python<'_>,
    source: Place,
    destination: Place,
    key: Option<Input>,
    password: Option<Bound<'_, PyAny>>,
    cipher: Name,
    chunk: Number<u64>,
    iterations: Option<Number<u32>>,
    threads: Option<Number<usize>>,
    replace: bool,
) -> PyResult<u64> {
    let (secret, manner) =
        (Secret::of(key, password)?, Manner::of(&cipher, chunk.0, number(iterations))?);
    two(&source, &destination)?;
    let from = source.source()?;
    let mut to = destination.destination(replace)?;
    let (header, keys) = manner.begin(py, &secret)?;
    to.write_all(&header.bytes()).map_err(system)?;
    whole(py, Direction::Encrypt, &keys, number(threads), from, to)
}

/// Decrypts a file; bytes of plaintext.
#[pyfunction]
#[pyo3(signature = (source, destination, key, password, max_iterations, threads, replace))]
pub(crate) fn container_decrypt(
    py: Python<'_>,
    source: Place,
    destination: Place,
    key: Option<Input>,
    password: Option<Bound<'_, PyAny>>,
    max_iterations: Number<u32>,
    threads: Option<Number<usize>>,
    replace: bool,
) -> PyResult<u64> {
    let secret = Secret::of(key, password)?;
    two(&source, &destination)?;
    let mut from = source.source()?;
    let keys = unlock(py, &mut from, &secret, max_iterations.0)?;
    whole(py, Direction::Decrypt, &keys, number(threads), from, destination.destination(replace)?)
}

/// What the header of a container says. Nothing of it is authenticated: that takes the key.
#[pyfunction]
pub(crate) fn container_info<'py>(py: Python<'py>, file: Place) -> PyResult<Bound<'py, PyDict>> {
    let mut end = file.source()?;
    let whole = match &mut end {
        End::Object(object) => {
            let seekable = object.0.bind(py).call_method0("seekable")?.is_truthy()?;
            if seekable { Some(object.seek(SeekFrom::End(0)).map_err(system)?) } else { None }
        }
        End::File(file) => file.metadata().ok().filter(|m| m.is_file()).map(|m| m.len()),
        End::New(_) => None,
    };
    if whole.is_some() {
        end.seek(SeekFrom::Start(0)).map_err(system)?;
    }
    let header = read_header(&mut end).map_err(container)?;
    let (source, iterations) = match header.source {
        Source::KeyFile => ("key file", None),
        Source::Password { iterations } => ("password", Some(iterations)),
    };
    // Every chunk but the last is full and has a tag.
    let sealed = (header.chunk() + header.cipher.block()) as u64;
    let plain = whole.and_then(|n| n.checked_sub(header::LEN as u64)).and_then(|n| {
        let chunks = n.div_ceil(sealed).max(1);
        Some((n.checked_sub(chunks * header.cipher.block() as u64)?, chunks))
    });
    let info = PyDict::new(py);
    info.set_item("format", "bulat container")?;
    info.set_item("version", header::VERSION)?;
    info.set_item("cipher", header.cipher.name())?;
    info.set_item("key_source", source)?;
    info.set_item("iterations", iterations)?;
    info.set_item("chunk", header.chunk())?;
    info.set_item("salt", digits::hex(&header.salt))?;
    info.set_item("commitment", digits::hex(&header.commitment))?;
    info.set_item("code", digits::hex(&header.code))?;
    info.set_item("size", plain.map(|p| p.0))?;
    info.set_item("chunks", plain.map(|p| p.1))?;
    info.set_item("authenticated", false)?;
    Ok(info)
}

/// The key of a key file: its bytes, or hexadecimal digits.
#[pyfunction]
pub(crate) fn container_read_key<'py>(
    py: Python<'py>,
    path: PathBuf,
) -> PyResult<Bound<'py, PyBytes>> {
    /// No key is longer.
    const LIMIT: usize = 64 << 10;
    let name = path.display();
    let refuse = |words: String| Err(Class::InvalidInput.error(format_args!("{name}: {words}")));
    let mut file = File::open(&path).map_err(|e| of(&path, &e))?;
    // Of the full size at once: growth would leave copies of a key.
    let mut octets = Zeroizing::new(vec![0; LIMIT + 1]);
    let n = pipeline::fill(&mut file, &mut octets).map_err(|e| of(&path, &e))?;
    if n > LIMIT {
        return refuse(format!("longer than {LIMIT} bytes: not a key or password"));
    }
    octets.truncate(n);
    if matches!(&octets[..], b"" | b"\n" | b"\r\n") {
        return refuse("the key is empty".into());
    }
    let key = match digits::form(&octets) {
        Form::Octets => octets,
        Form::Digits(n) => Zeroizing::new(digits::unhex(&octets[..n]).unwrap_or_default()),
        Form::Nearly => {
            return refuse(format!(
                "nearly a key in hexadecimal digits: there must be an even number of them, at least {}, \
                 and nothing else but a line end",
                digits::FEWEST
            ));
        }
    };
    if key.len() != header::KEY {
        return refuse(format!("{} bytes, but the key must have {}", key.len(), header::KEY));
    }
    Ok(PyBytes::new(py, &key))
}
