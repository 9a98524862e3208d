//! The file container: the raw layer of the file objects in `bulat/container.py`, and whole files.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::{Mutex, PoisonError};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use bulat::Direction;
use bulat_container::digits::{self, Form};
use bulat_container::stamp::{self, Stamp};
use bulat_container::{
    self as format, Cipher, Cost, Credential, Header, Kdf, Keys, Limits, Name as FileName, Reader,
    Source, Wanted, Writer, header, name as names, pipeline,
};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};
use tempfile::NamedTempFile;
use zeroize::Zeroizing;

use crate::border::{Input, Name, Number, Output, PIECE, Shared, number, waited, wiped};
use crate::errors::{Class, container, system, told};
use crate::pkcs::Password;

/// A file argument: a path, or an object with `read` or `write`.
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

impl Place {
    /// Returns the path, or the name of a file object.
    fn name(&self, py: Python<'_>) -> Option<PathBuf> {
        match self {
            Place::Path(path) => Some(path.clone()),
            Place::Object(object) => object.0.bind(py).getattr("name").ok()?.extract().ok(),
        }
    }
}

/// A Python file object.
pub(crate) struct Object(Py<PyAny>);

/// A Python exception, passed through the library.
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
                python(
                    Class::InvalidInput
                        .error("read() of the file returned more bytes than requested"),
                )
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
                // Some file-like objects return `None` after writing everything.
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

/// The source or destination of a container.
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
            End::New(new) => {
                let $end = new.file()?;
                $call
            }
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

/// A file that gets its name when it is complete, and is removed otherwise.
struct New {
    /// Its temporary name, until it has the final name.
    file: Option<NamedTempFile>,
    target: PathBuf,
    replace: bool,
    /// The process that made the file; a forked child does not touch it.
    process: u32,
}

impl New {
    fn file(&mut self) -> io::Result<&mut File> {
        let file = self.file.as_mut().map(NamedTempFile::as_file_mut);
        file.ok_or_else(|| io::Error::other("the file is closed"))
    }
}

impl Drop for New {
    fn drop(&mut self) {
        if let Some(file) = &mut self.file
            && self.process != process::id()
        {
            file.disable_cleanup(true);
        }
    }
}

/// Converts the system's error about a file.
fn of(path: &Path, e: &io::Error) -> PyErr {
    let (number, words) = told(e);
    match number {
        Some(number) => PyOSError::new_err((number, words, path.as_os_str().to_owned())),
        None => PyOSError::new_err(format!("{}: {words}", path.display())),
    }
}

/// Converts the system's error about a file with a secret. It does not print the name, which may be a key passed by mistake.
fn of_secret(path: &Path, e: &io::Error) -> PyErr {
    let name = path.as_os_str().as_encoded_bytes();
    if name.len() == 2 * header::KEY && name.iter().all(u8::is_ascii_hexdigit) {
        let words = "no such file: 64 hexadecimal digits are a key, not the name of a file";
        return Class::InvalidInput.error(words);
    }
    of(path, e)
}

impl New {
    fn begin(path: &Path, replace: bool) -> PyResult<Self> {
        let exists = path.symlink_metadata().is_ok();
        if exists && !replace {
            return Err(of(path, &io::Error::from_raw_os_error(EEXIST)));
        }
        // Replace the target of a link, not the link.
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
        // A name of 255 bytes cannot be extended.
        if prefix.len() > 200 {
            prefix = ".bulat.".into();
        }
        let folder = target.parent().filter(|p| *p != Path::new("")).unwrap_or(Path::new("."));
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix).suffix(".part");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            // The mode of open(2) with the umask, and no more than a replaced file's mode.
            let most = target.metadata().map_or(0o666, |m| m.permissions().mode() & 0o777);
            builder.permissions(std::fs::Permissions::from_mode(most & 0o666));
        }
        let file = builder.tempfile_in(folder).map_err(|e| of(path, &e))?;
        Ok(New { file: Some(file), target, replace, process: process::id() })
    }
    /// Gives the complete file its name: flushes it, renames it, flushes the folder.
    fn commit(&mut self) -> PyResult<()> {
        let file = self.file.take().ok_or_else(closed)?;
        let target = &self.target;
        file.as_file().sync_all().map_err(|e| of(target, &e))?;
        let renamed =
            if self.replace { file.persist(target) } else { file.persist_noclobber(target) };
        renamed.map_err(|e| of(target, &e.error))?;
        #[cfg(unix)]
        {
            let folder = target.parent().filter(|p| *p != Path::new("")).unwrap_or(Path::new("."));
            // Some file systems cannot flush a folder. The content of the file is already on the disk.
            let _ = File::open(folder).and_then(|f| f.sync_all());
        }
        Ok(())
    }
}

/// Error numbers of POSIX, equal on every system.
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
                // Not a regular file, such as a pipe: write to it directly.
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

/// The password in a file. The process caches the keys derived from it, so that a container costs its derivation once.
#[pyclass(module = "bulat._bulat", frozen)]
pub(crate) struct FilePassword(Zeroizing<Vec<u8>>);

#[pymethods]
impl FilePassword {
    #[new]
    fn new(path: PathBuf) -> PyResult<Self> {
        let mut bytes = secret_file(&path)?;
        if let Some(encoding) = bulat_container::mark::of(&bytes) {
            let words = format!(
                "begins with a byte order mark of {encoding}, which is no part of a password: save it without one"
            );
            return Err(Class::InvalidInput.error(format_args!("{}: {words}", path.display())));
        }
        // Drop one line end.
        let mut n = bytes.len();
        if bytes.ends_with(b"\n") {
            n -= if bytes.ends_with(b"\r\n") { 2 } else { 1 };
        }
        bytes.truncate(n);
        Ok(FilePassword(bytes))
    }
    fn __repr__(&self) -> &'static str {
        "<bulat._bulat.FilePassword>"
    }
}

/// Reads a file with a key or a password.
fn secret_file(path: &Path) -> PyResult<Zeroizing<Vec<u8>>> {
    /// The longest file that is read.
    const LIMIT: usize = 64 << 10;
    let mut file = File::open(path).map_err(|e| of_secret(path, &e))?;
    // Allocate the full size at once: growth would leave copies of a key.
    let mut bytes = Zeroizing::new(vec![0; LIMIT + 1]);
    let n = pipeline::fill(&mut file, &mut bytes).map_err(|e| of(path, &e))?;
    if n > LIMIT {
        let words = format!("{}: longer than {LIMIT} bytes: not a key or password", path.display());
        return Err(Class::InvalidInput.error(words));
    }
    bytes.truncate(n);
    Ok(bytes)
}

/// The keys of a container, derived from the password in a file.
struct Kept {
    header: [u8; header::LEN],
    password: Zeroizing<Vec<u8>>,
    keys: Keys,
}

/// The cached keys, the latest last.
static KEPT: Mutex<Vec<Kept>> = Mutex::new(Vec::new());
/// The size of the cache.
const MOST_KEPT: usize = 256;

impl Kept {
    fn find(header: &Header, password: &[u8]) -> Option<Keys> {
        let header = header.bytes();
        let kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        let mut same = kept.iter().filter(|kept| kept.header == header);
        same.find(|kept| bulat::verify(&kept.password, password).is_ok())
            .map(|kept| kept.keys.clone())
    }
    fn keep(header: &Header, password: &[u8], keys: &Keys) {
        let new = Kept {
            header: header.bytes(),
            password: Zeroizing::new(password.to_vec()),
            keys: keys.clone(),
        };
        let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= MOST_KEPT {
            kept.remove(0);
        }
        kept.push(new);
    }
}

/// Wipes the cached keys.
#[pyfunction]
pub(crate) fn container_forget() {
    KEPT.lock().unwrap_or_else(PoisonError::into_inner).clear();
}

/// The secret of a container.
enum Secret {
    Key(Box<Zeroizing<[u8; header::KEY]>>),
    /// A password, and whether its derived keys are cached.
    Password(Zeroizing<Vec<u8>>, bool),
}

impl Secret {
    /// Requires exactly one of a key and a password.
    fn of(key: Option<Input>, password: Option<Bound<'_, PyAny>>) -> PyResult<Self> {
        let refuse = |words: String| Err(Class::InvalidInput.error(words));
        match (key, password) {
            (Some(key), None) if key.len() == header::KEY => {
                let mut own = Box::new(Zeroizing::new([0; header::KEY]));
                own.copy_from_slice(key.bytes());
                Ok(Secret::Key(own))
            }
            (Some(key), None) => {
                refuse(format!("key: {} bytes, but the key must have {}", key.len(), header::KEY))
            }
            (None, Some(password)) => {
                let (bytes, keep) = match password.cast::<FilePassword>() {
                    Ok(file) => (file.get().0.clone(), true),
                    Err(_) => (password.extract::<Password>()?.0, false),
                };
                if bytes.is_empty() {
                    return refuse("the password is empty".into());
                }
                // HMAC pads keys with zeros, so "x" and "x\0" would be the same key.
                if bytes.contains(&0) {
                    return refuse("a zero byte in the password".into());
                }
                Ok(Secret::Password(bytes, keep))
            }
            (None, None) => refuse("no key and no password given".into()),
            (Some(_), Some(_)) => refuse("a key or a password, not both".into()),
        }
    }
}

/// Options of a new container.
struct Manner {
    cipher: Cipher,
    chunk_log2: u8,
    cost: Cost,
    /// The name to bind, or none.
    name: String,
}

/// The function of a new password, and its iterations, memory and passes.
type Asked = (Option<String>, Option<Number<u32>>, Option<Number<u32>>, Option<Number<u32>>);

/// The limits of iterations and memory, and whether any bound name is accepted.
type Accepted = (Number<u32>, Number<u32>, bool);

impl Manner {
    fn of(
        py: Python<'_>,
        cipher: &str,
        chunk: u64,
        asked: Asked,
        secret: &Secret,
        bind: Option<&Place>,
    ) -> PyResult<Self> {
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
        let (kdf, iterations, memory, passes) = asked;
        let wanted = Wanted {
            kdf: kdf.as_deref(),
            iterations: number(iterations),
            memory: number(memory),
            passes: number(passes),
        };
        let cost = wanted.cost(matches!(secret, Secret::Key(_)));
        let cost = cost.map_err(|e| Class::InvalidInput.error(e))?;
        let name = match bind {
            None => String::new(),
            Some(place) => place
                .name(py)
                .and_then(|path| names::bound(&path))
                .filter(|name| name.len() <= names::MOST)
                .ok_or_else(|| {
                    Class::InvalidInput.error("bind_name: the file has no name that can be bound")
                })?,
        };
        Ok(Manner { cipher, chunk_log2: chunk.trailing_zeros() as u8, cost, name })
    }
    /// Makes a new header and its keys.
    fn begin(&self, py: Python<'_>, secret: &Secret) -> PyResult<(Header, Keys)> {
        let mut fresh = Zeroizing::new([0; header::FRESH]);
        let random = py.import("os")?.getattr("urandom")?.call1((fresh.len(),))?;
        fresh.copy_from_slice(random.extract::<Input>()?.bytes());
        let (cipher, chunk, name, cost) =
            (self.cipher, self.chunk_log2, self.name.clone(), self.cost);
        match secret {
            Secret::Key(key) => {
                let key = Credential::Key(key);
                let made = || Header::new(cipher, chunk, &name, Source::KeyFile, key, &fresh);
                py.detach(|| wiped(made)).map_err(container)
            }
            Secret::Password(password, keep) => {
                let own = password.clone();
                let made = move || {
                    let password = Credential::Password(&own);
                    Header::new(cipher, chunk, &name, cost.source()?, password, &fresh)
                };
                let (header, keys) = waited(py, || wiped(made))?.map_err(container)?;
                if *keep {
                    Kept::keep(&header, password, &keys);
                }
                Ok((header, keys))
            }
        }
    }
}

/// The limits of passwords' cost, and the name of the file.
struct Accept {
    limits: Limits,
    name: FileName,
}

impl Accept {
    fn of(py: Python<'_>, (iterations, memory, any): Accepted, file: &Place) -> Self {
        let name = match file.name(py) {
            _ if any => FileName::Any,
            Some(path) => FileName::of(&path),
            None => FileName::Unknown,
        };
        Accept { limits: Limits { iterations: iterations.0, memory: memory.0 }, name }
    }
}

/// Reads a header and unlocks it.
fn unlock(py: Python<'_>, end: &mut End, secret: &Secret, accept: Accept) -> PyResult<Keys> {
    let header = py.detach(|| read_header(end)).map_err(container)?;
    let Accept { limits, name } = accept;
    match secret {
        Secret::Key(key) => {
            let unlocked = || header.unlock(Credential::Key(key), &limits, &name);
            py.detach(|| wiped(unlocked)).map_err(container)
        }
        Secret::Password(password, keep) => {
            header.openable(true, &limits).map_err(container)?;
            if *keep && let Some(keys) = Kept::find(&header, password) {
                header.named(&name).map_err(container)?;
                return Ok(keys);
            }
            let (own, asked) = (password.clone(), header.clone());
            let unlocked = move || asked.unlock(Credential::Password(&own), &limits, &name);
            let keys = waited(py, || wiped(unlocked))?.map_err(container)?;
            if *keep {
                Kept::keep(&header, password, &keys);
            }
            Ok(keys)
        }
    }
}

fn read_header(end: &mut End) -> Result<Header, format::Error> {
    let mut bytes = [0; header::LEN];
    let n = pipeline::fill(end, &mut bytes).map_err(format::Error::Read)?;
    Header::parse(&bytes[..n])
}

/// The plaintext of a container, readable at any offset: the raw layer of the file object of `bulat.container.open`.
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
        // Work on a chunk at most, without the GIL.
        let result = self.0.with(py, usize::MAX, |open| open.as_mut().map(f))?;
        result.ok_or_else(closed)?.map_err(container)
    }
}

fn closed() -> PyErr {
    Class::StateError.error("the file is closed")
}

#[pymethods]
impl RawReader {
    #[new]
    #[pyo3(signature = (file, key, password, accepted))]
    fn new(
        py: Python<'_>,
        file: Place,
        key: Option<Input>,
        password: Option<Bound<'_, PyAny>>,
        accepted: Accepted,
    ) -> PyResult<Self> {
        let secret = Secret::of(key, password)?;
        let accept = Accept::of(py, accepted, &file);
        let mut end = file.source()?;
        if matches!(end, End::Object(_)) {
            end.seek(SeekFrom::Start(0)).map_err(system)?;
        }
        let keys = unlock(py, &mut end, &secret, accept)?;
        let reader = py.detach(|| Reader::new(end, keys)).map_err(container)?;
        Ok(RawReader(Shared::new(Some(Open { reader, at: 0 }))))
    }
    /// Reads into the buffer, at most to the end of a chunk. Returns the number of bytes.
    fn readinto(&self, py: Python<'_>, mut buffer: Output) -> PyResult<usize> {
        py.check_signals()?;
        let n = buffer.len();
        let out = buffer.bytes(n)?;
        self.with(py, |open| open.read(out))
    }
    /// Reads the rest.
    fn readall<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let (at, size) = self.with(py, |open| Ok((open.at, open.reader.size()?)))?;
        let rest = usize::try_from(size.saturating_sub(at));
        let rest = rest.map_err(|_| Class::InvalidInput.error("too long"))?;
        PyBytes::new_with(py, rest, |out| {
            let mut done = 0;
            for piece in out.chunks_mut(PIECE) {
                self.with(py, |open| {
                    open.at = at + done;
                    let mut part = 0;
                    while part < piece.len() {
                        match open.read(&mut piece[part..])? {
                            0 => return Err(format::Error::Read(stamp::changed())),
                            n => part += n,
                        }
                    }
                    Ok(())
                })?;
                done += piece.len() as u64;
                py.check_signals()?;
            }
            Ok(())
        })
    }
    /// Returns the length of the plaintext, after it has verified the last chunk.
    fn size(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, |open| open.reader.size())
    }
    /// Returns the position.
    fn tell(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, |open| Ok(open.at))
    }
    /// Moves relative to the start, the position or the end. Returns the new position.
    fn seek(&self, py: Python<'_>, offset: i64, whence: i64) -> PyResult<u64> {
        if !(0..=2).contains(&whence) {
            return Err(Class::InvalidInput.error(format_args!("whence: {whence}, not 0, 1 or 2")));
        }
        let to = self.with(py, |open| {
            let from = match whence {
                0 => 0,
                1 => open.at,
                _ => open.reader.size()?,
            };
            Ok(from.checked_add_signed(offset).inspect(|to| open.at = *to))
        })?;
        to.ok_or_else(|| Class::InvalidInput.error("a position before the start of the file"))
    }
    /// Releases the file and the keys.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        self.0.with(py, usize::MAX, Option::take).map(drop)
    }
}

impl Open {
    fn read(&mut self, out: &mut [u8]) -> Result<usize, format::Error> {
        let n = self.reader.read_at(self.at, out)?;
        self.at += n as u64;
        Ok(n)
    }
}

/// A container being written: the raw layer of the file object of `bulat.container.open`.
#[pyclass(module = "bulat._bulat", frozen)]
pub(crate) struct RawWriter {
    writer: Shared<Option<Writer<End>>>,
    /// The process that opened it: a forked child has the keys and the next nonces, too.
    process: u32,
}

impl RawWriter {
    /// Refuses other processes than the process that opened it.
    fn own(&self) -> PyResult<()> {
        if self.process == process::id() {
            return Ok(());
        }
        Err(Class::StateError
            .error("the file belongs to the process that opened it, before a fork"))
    }
}

/// Refuses a file object that is not at its start, where the container must begin.
fn at_start(py: Python<'_>, end: &End) -> PyResult<()> {
    let End::Object(object) = end else { return Ok(()) };
    let Ok(at) = object.0.bind(py).call_method0("tell") else { return Ok(()) };
    match at.extract::<u64>() {
        Ok(at) if at > 0 => {
            let words = format!(
                "the file is at {at}: a container begins at the start of its file; container.encrypt writes one at any position"
            );
            Err(Class::InvalidInput.error(words))
        }
        _ => Ok(()),
    }
}

#[pymethods]
impl RawWriter {
    #[new]
    #[pyo3(signature = (file, key, password, cipher, chunk, asked, bind_name, replace))]
    fn new(
        py: Python<'_>,
        file: Place,
        key: Option<Input>,
        password: Option<Bound<'_, PyAny>>,
        cipher: Name,
        chunk: Number<u64>,
        asked: Asked,
        bind_name: bool,
        replace: bool,
    ) -> PyResult<Self> {
        let secret = Secret::of(key, password)?;
        let bind = bind_name.then_some(&file);
        let manner = Manner::of(py, &cipher, chunk.0, asked, &secret, bind)?;
        let mut end = file.destination(replace)?;
        at_start(py, &end)?;
        let (header, keys) = manner.begin(py, &secret)?;
        end.write_all(&header.bytes()).map_err(system)?;
        let writer = Shared::new(Some(Writer::new(end, keys)));
        Ok(RawWriter { writer, process: process::id() })
    }
    /// Encrypts the next piece of text. Returns the number of bytes.
    fn write(&self, py: Python<'_>, data: Input) -> PyResult<usize> {
        self.own()?;
        py.check_signals()?;
        // Accepts a piece at most. A buffered writer calls again with the rest, and Python checks for signals in between.
        let text = &data.bytes()[..data.len().min(PIECE)];
        let write = |writer: &mut Option<Writer<End>>| writer.as_mut().map(|w| w.write(text));
        let result = self.writer.with(py, usize::MAX, write)?;
        result.ok_or_else(closed)?.map_err(container)?;
        Ok(text.len())
    }
    /// Returns the length of the text so far.
    fn tell(&self, py: Python<'_>) -> PyResult<u64> {
        let n = self.writer.with(py, 0, |writer| writer.as_ref().map(Writer::written))?;
        n.ok_or_else(closed)
    }
    /// Writes the last chunk, and gives the file its name.
    fn finish(&self, py: Python<'_>) -> PyResult<()> {
        let Some(writer) = self.writer.with(py, usize::MAX, Option::take)? else { return Ok(()) };
        self.own()?;
        py.detach(|| match writer.finish().map_err(container)? {
            End::New(mut new) => new.commit(),
            _ => Ok(()),
        })
    }
    /// Discards the output. A file object keeps the bytes that it got, which are no container.
    fn discard(&self, py: Python<'_>) -> PyResult<()> {
        let writer = self.writer.with(py, usize::MAX, Option::take)?;
        py.detach(|| drop(writer));
        Ok(())
    }
}

/// Seals or opens from a source to a destination, in parallel if both are files.
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
    if let End::New(mut new) = to {
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
    if let (End::File(from), End::New(to)) = (&*from, &mut *to)
        && from.metadata().is_ok_and(|m| m.is_file())
    {
        let to = to.file().map_err(format::Error::Write)?;
        return format::between_files(way, keys, threads, from, to, progress);
    }
    match way {
        Direction::Encrypt => format::seal(keys, threads, from, to, progress),
        Direction::Decrypt => format::open(keys, threads, from, to, progress),
    }
}

/// Checks for signals every tenth of a second, so that Ctrl-C ends the work. Python handles signals on its main thread;
/// elsewhere this has no effect.
struct Signals {
    thread: ThreadId,
    last: Instant,
}

impl Signals {
    const EVERY: Duration = Duration::from_millis(100);

    fn new() -> Self {
        Signals { thread: thread::current().id(), last: Instant::now() }
    }
    /// The exception of the signal's handler.
    fn look(&mut self) -> Result<(), format::Error> {
        if self.last.elapsed() < Self::EVERY || thread::current().id() != self.thread {
            return Ok(());
        }
        self.last = Instant::now();
        Python::attach(|py| py.check_signals())
            .map_err(|e| format::Error::Write(io::Error::other(e)))
    }
}

/// Refuses to write to the input.
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

/// Encrypts a file. Returns the length of the plaintext.
#[pyfunction]
#[pyo3(signature = (source, destination, key, password, cipher, chunk, asked, bind_name, threads, replace))]
pub(crate) fn container_encrypt(
    py: Python<'_>,
    source: Place,
    destination: Place,
    key: Option<Input>,
    password: Option<Bound<'_, PyAny>>,
    cipher: Name,
    chunk: Number<u64>,
    asked: Asked,
    bind_name: bool,
    threads: Option<Number<usize>>,
    replace: bool,
) -> PyResult<u64> {
    let secret = Secret::of(key, password)?;
    let bind = bind_name.then_some(&destination);
    let manner = Manner::of(py, &cipher, chunk.0, asked, &secret, bind)?;
    two(&source, &destination)?;
    let from = source.source()?;
    let mut to = destination.destination(replace)?;
    let (header, keys) = manner.begin(py, &secret)?;
    to.write_all(&header.bytes()).map_err(system)?;
    whole(py, Direction::Encrypt, &keys, number(threads), from, to)
}

/// Decrypts a file. Returns the length of the plaintext.
#[pyfunction]
#[pyo3(signature = (source, destination, key, password, accepted, threads, replace))]
pub(crate) fn container_decrypt(
    py: Python<'_>,
    source: Place,
    destination: Place,
    key: Option<Input>,
    password: Option<Bound<'_, PyAny>>,
    accepted: Accepted,
    threads: Option<Number<usize>>,
    replace: bool,
) -> PyResult<u64> {
    let secret = Secret::of(key, password)?;
    two(&source, &destination)?;
    let accept = Accept::of(py, accepted, &source);
    let mut from = source.source()?;
    let keys = unlock(py, &mut from, &secret, accept)?;
    whole(py, Direction::Decrypt, &keys, number(threads), from, destination.destination(replace)?)
}

/// The used slots.
fn slots<'py>(py: Python<'py>, header: &Header) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let used = header.slots.iter().enumerate().filter_map(|(n, s)| Some((n, s.as_ref()?.source)));
    used.map(|(n, source)| {
        let slot = PyDict::new(py);
        slot.set_item("slot", n)?;
        let Source::Password(kdf) = source else {
            slot.set_item("kind", "key file")?;
            return Ok(slot);
        };
        slot.set_item("kind", "password")?;
        slot.set_item("kdf", kdf.name())?;
        match kdf {
            Kdf::Pbkdf2 { iterations } => slot.set_item("iterations", iterations)?,
            Kdf::Argon2id { memory, passes, lanes } => {
                slot.set_item("memory", memory)?;
                slot.set_item("passes", passes)?;
                slot.set_item("lanes", lanes)?;
            }
        }
        Ok(slot)
    })
    .collect()
}

/// The fields of a container's header. They are not authenticated: that needs the key.
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
    let plain = whole.and_then(|n| header.plaintext(n));
    let info = PyDict::new(py);
    info.set_item("format", "bulat container")?;
    info.set_item("version", header::VERSION)?;
    info.set_item("cipher", header.cipher.name())?;
    info.set_item("chunk", header.chunk())?;
    info.set_item("identity", digits::hex(&header.identity))?;
    info.set_item("name", Some(&header.name).filter(|name| !name.is_empty()))?;
    info.set_item("slots", slots(py, &header)?)?;
    info.set_item("code", digits::hex(&header.code))?;
    info.set_item("size", plain.map(|p| p.0))?;
    info.set_item("chunks", plain.map(|p| p.1))?;
    info.set_item("authenticated", false)?;
    Ok(info)
}

/// Reads the key in a key file: its bytes, or hexadecimal digits.
#[pyfunction]
pub(crate) fn container_read_key<'py>(
    py: Python<'py>,
    path: PathBuf,
) -> PyResult<Bound<'py, PyBytes>> {
    let name = path.display();
    let refuse = |words: String| Err(Class::InvalidInput.error(format_args!("{name}: {words}")));
    let bytes = secret_file(&path)?;
    if matches!(&bytes[..], b"" | b"\n" | b"\r\n") {
        return refuse("the key is empty".into());
    }
    if bulat_container::begins(&bytes) {
        return refuse("the key is under a password: `bulat decrypt` writes it without one".into());
    }
    let key = match digits::form(&bytes) {
        Form::Bytes => bytes,
        Form::Digits(n) => Zeroizing::new(digits::unhex(&bytes[..n]).unwrap_or_default()),
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
