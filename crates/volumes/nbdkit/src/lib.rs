//! A plugin for nbdkit: the plaintext of an encrypted volume as a network block device.
//!
//! `api` declares the interface of nbdkit-plugin(3), `config` parses nbdkit's command line, and this file has the
//! callbacks. Requests come from many threads at once. Each becomes one request to the volume, which passes a burst of
//! sectors to the library in one call. The volume is opened once, before nbdkit forks, and serves every connection; its
//! keys are wiped when nbdkit ends.
#![cfg(unix)]

mod api;
mod config;

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::fs::File;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::ptr::null_mut;
use std::sync::{Arc, Mutex, PoisonError};

use api::*;
use bulat_block::system::no_dumps;
use bulat_block::{Error, Open, Volume, hold, veracrypt};
use config::Config;

/// The parameters parsed so far.
static CONFIG: Mutex<Option<Config>> = Mutex::new(None);

/// The socket of this nbdkit, and whether nbdkit has created it.
static SOCKET: Mutex<Option<(PathBuf, bool)>> = Mutex::new(None);

/// The volume being served.
static SERVED: Mutex<Option<Arc<Served>>> = Mutex::new(None);

struct Served {
    /// The name of its file.
    name: String,
    volume: Volume,
    /// A detached header. Its locks keep others from overwriting it.
    _header: Option<Arc<File>>,
    discard: bool,
    extents: bool,
}

/// A connection.
struct Handle {
    served: Arc<Served>,
    readonly: bool,
}

/// The error of a call: the system's number, and a message unless it was already printed.
struct Fault(c_int, String);

impl From<Error> for Fault {
    fn from(e: Error) -> Self {
        let number = match &e {
            Error::Io(e) => e.raw_os_error().unwrap_or(match e.kind() {
                std::io::ErrorKind::Unsupported => EOPNOTSUPP,
                _ => EIO,
            }),
            Error::Busy(_) => EBUSY,
            Error::ReadOnly => EPERM,
            Error::WrongKey => EACCES,
            _ => EINVAL,
        };
        Fault(number, e.to_string())
    }
}

fn said(text: &str) {
    let text = CString::new(text.replace('\0', " ")).unwrap_or_default();
    // SAFETY: both are strings that end with a zero byte, and the format has one `%s`.
    unsafe { nbdkit_error(c"%s".as_ptr(), text.as_ptr()) };
}

/// Runs a callback: prints and numbers its error, and stops panics at the border to C.
fn guard(run: impl FnOnce() -> Result<c_int, Fault>) -> c_int {
    let result = catch_unwind(AssertUnwindSafe(run));
    match result.unwrap_or_else(|_| Err(Fault(EIO, "a defect of the plugin".into()))) {
        Ok(value) => value,
        Err(Fault(number, text)) => {
            // nbdkit has a fallback for this error.
            if number != EOPNOTSUPP {
                said(&text);
            }
            // SAFETY: it gets only a number.
            unsafe { nbdkit_set_error(number) };
            -1
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Converts a string from nbdkit.
///
/// # Safety
/// `text` must end with a zero byte and live for `'a`.
unsafe fn text<'a>(text: *const c_char) -> Result<&'a str, Fault> {
    // SAFETY: `text` ends with a zero byte, as this function requires.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str().map_err(|_| Fault(EINVAL, "a parameter is not UTF-8".into()))
}

unsafe extern "C" fn config(key: *const c_char, value: *const c_char) -> c_int {
    guard(|| {
        // SAFETY: nbdkit passes strings that end with a zero byte and live during the call.
        let (key, value) = unsafe { (text(key)?, text(value)?) };
        let mut config = locked(&CONFIG);
        let set = config.get_or_insert_default().set(key, value);
        set.map(|()| 0).map_err(|what| Fault(EINVAL, format!("{key}: {what}")))
    })
}

unsafe extern "C" fn config_complete() -> c_int {
    guard(|| {
        let complete = locked(&CONFIG).get_or_insert_default().complete();
        complete.map(|()| 0).map_err(|what| Fault(EINVAL, what))
    })
}

/// Runs before nbdkit forks and changes its folder. Argon2's threads have ended by then.
unsafe extern "C" fn get_ready() -> c_int {
    guard(|| {
        let config = locked(&CONFIG).take();
        let mut config = config.ok_or(Fault(EINVAL, "no parameters".into()))?;
        let name = config.name();
        let mut opened = || {
            let file = Arc::<File>::new(config.file()?);
            let header = config.header()?;
            let volume = config.open.open(file.clone(), config.writable)?;
            if let Some(header) = &header {
                hold::serve(header);
            } else if config.open.has_header(&volume) {
                hold::serve(&file);
            }
            Ok((volume, header))
        };
        let volume = opened();
        let (volume, header) = volume.map_err(|e| {
            let more = match (&e, &config.open) {
                (Error::WrongKey, Open::VeraCrypt(vera)) => {
                    let (hash, cipher) = (vera.secrets.hash, vera.secrets.cipher);
                    format!(" ({})", veracrypt::tried(hash, cipher, &vera.places))
                }
                (Error::Force(_), _) => "; it opens only for reading".into(),
                _ => String::new(),
            };
            let Fault(number, what) = e.into();
            Fault(number, format!("{name}{}: {what}{more}", config.name_of_header()))
        })?;
        if let Some(warning) = volume.warning() {
            // A closed standard error does not matter.
            let _ = writeln!(std::io::stderr(), "bulat: {name}: {warning}");
        }
        *locked(&SOCKET) = config.socket.take().map(|socket| (socket, false));
        let (discard, extents) = (config.discard, config.extents);
        let served = Served { name, volume, _header: header, discard, extents };
        *locked(&SERVED) = Some(Arc::new(served));
        Ok(0)
    })
}

/// The first call, before any secret arrives.
unsafe extern "C" fn load() {
    no_dumps();
}

/// The socket exists now. A fork does not inherit memory locks, so they are set here.
unsafe extern "C" fn after_fork() -> c_int {
    guard(|| {
        let served = locked(&SERVED).clone();
        if let Some(served) = &served {
            served.volume.keep_in_memory();
        }
        if let Some((socket, made)) = &mut *locked(&SOCKET) {
            *made = true;
            let mode = std::fs::Permissions::from_mode(0o600);
            std::fs::set_permissions(&socket, mode)
                .map_err(|e| Fault(EIO, format!("{}: {e}", socket.display())))?;
            let name = served.as_ref().map_or("", |served| &served.name);
            // A closed standard error does not matter.
            let _ = writeln!(
                std::io::stderr(),
                "bulat: {name} is served at {}; Ctrl-C stops it after its clients have left",
                socket.display()
            );
        }
        Ok(0)
    })
}

/// The last call, after all connections have been closed.
unsafe extern "C" fn unload() {
    if let Some((socket, true)) = locked(&SOCKET).take() {
        let _ = std::fs::remove_file(socket);
    }
    locked(&CONFIG).take();
    locked(&SERVED).take();
}

unsafe extern "C" fn open(readonly: c_int) -> *mut c_void {
    let served = locked(&SERVED).clone();
    match served {
        Some(served) => Box::into_raw(Box::new(Handle { served, readonly: readonly != 0 })).cast(),
        None => {
            said("no volume is open");
            null_mut()
        }
    }
}

unsafe extern "C" fn close(handle: *mut c_void) {
    // SAFETY: `open` made the handle with `Box::into_raw`, and nbdkit closes each handle once.
    drop(unsafe { Box::from_raw(handle.cast::<Handle>()) });
}

/// Defines callbacks on an open volume: a body has its handle, and its error is numbered.
macro_rules! callbacks {
    ($($(#[$doc:meta])* fn $name:ident($handle:ident $(, $arg:ident: $type:ty)*) $body:block)*) => {$(
        $(#[$doc])*
        unsafe extern "C" fn $name(handle: *mut c_void $(, $arg: $type)*) -> c_int {
            guard(|| {
                // SAFETY: nbdkit passes a handle of `open` that is not closed.
                let $handle = unsafe { &*handle.cast::<Handle>() };
                $body
            })
        }
    )*};
}

unsafe extern "C" fn get_size(handle: *mut c_void) -> i64 {
    // SAFETY: nbdkit passes a handle of `open` that is not closed.
    let len = unsafe { &*handle.cast::<Handle>() }.served.volume.len();
    i64::try_from(len).unwrap_or(i64::MAX)
}

unsafe extern "C" fn yes(_: *mut c_void) -> c_int {
    1
}

unsafe extern "C" fn no(_: *mut c_void) -> c_int {
    0
}

unsafe extern "C" fn native(_: *mut c_void) -> c_int {
    NATIVE
}

/// Makes the write durable before the answer, if the client asks for it.
fn fua(volume: &Volume, flags: u32) -> Result<c_int, Fault> {
    if flags & FUA != 0 {
        volume.sync()?;
    }
    Ok(0)
}

callbacks! {
    fn block_size(handle, minimum: *mut u32, preferred: *mut u32, maximum: *mut u32) {
        // Parts of sectors are accepted too, but each costs a read and blocks all other writers.
        let sector = handle.served.volume.layout().sector as u32;
        // SAFETY: nbdkit passes three pointers to writable numbers.
        unsafe {
            minimum.write(1);
            preferred.write(sector.max(4096));
            maximum.write(u32::MAX);
        }
        Ok(0)
    }
    fn can_write(handle) {
        Ok((!handle.readonly && handle.served.volume.is_writable()).into())
    }
    fn can_trim(handle) {
        Ok(handle.served.discard.into())
    }
    fn can_extents(handle) {
        Ok(handle.served.extents.into())
    }
    fn pread(handle, buffer: *mut c_void, count: u32, offset: u64, _flags: u32) {
        // SAFETY: nbdkit passes a buffer of `count` bytes that only this call uses.
        let buffer = unsafe { std::slice::from_raw_parts_mut(buffer.cast(), count as usize) };
        let served = &handle.served;
        served.volume.read_at(buffer, offset).map_err(|e| match e {
            Error::Io(e) if e.kind() == std::io::ErrorKind::UnexpectedEof => {
                let (name, end) = (&served.name, offset + u64::from(count));
                let what = "the file ends before, it has become shorter";
                Fault(EIO, format!("{name}: bytes {offset} to {end} of the volume: {what}"))
            }
            e => e.into(),
        })?;
        Ok(0)
    }
    fn pwrite(handle, buffer: *const c_void, count: u32, offset: u64, flags: u32) {
        // SAFETY: nbdkit passes a buffer of `count` bytes that nobody changes meanwhile.
        let buffer = unsafe { std::slice::from_raw_parts(buffer.cast(), count as usize) };
        handle.served.volume.write_at(buffer, offset)?;
        fua(&handle.served.volume, flags)
    }
    fn flush(handle, _flags: u32) {
        handle.served.volume.sync()?;
        Ok(0)
    }
    fn trim(handle, count: u32, offset: u64, flags: u32) {
        match handle.served.volume.discard(offset, count.into()) {
            // A trim is only a hint.
            Err(Error::Io(e)) if e.raw_os_error().is_none_or(|n| n == EOPNOTSUPP) => {}
            other => other?,
        }
        fua(&handle.served.volume, flags)
    }
    /// Zeros are encrypted like any other data; returned space would read as noise.
    fn zero(handle, count: u32, offset: u64, flags: u32) {
        if flags & FAST_ZERO != 0 {
            return Err(Fault(EOPNOTSUPP, String::new()));
        }
        handle.served.volume.zero_at(offset, count.into())?;
        fua(&handle.served.volume, flags)
    }
    fn extents(handle, count: u32, offset: u64, flags: u32, list: *mut c_void) {
        let (mut at, end) = (offset, offset + u64::from(count));
        while at < end {
            let (len, hole) = handle.served.volume.hole(at, end - at)?;
            // A hole does not read as zeros, but as noise.
            let kind = if hole { EXTENT_HOLE } else { 0 };
            // SAFETY: `list` is the list that nbdkit passed to this call.
            if unsafe { nbdkit_add_extent(list, at, len, kind) } == -1 {
                return Ok(-1);
            }
            at += len.max(1);
            if flags & REQ_ONE != 0 {
                break;
            }
        }
        Ok(0)
    }
}

unsafe extern "C" fn dump_plugin() {
    println!("bulat_version={}", env!("CARGO_PKG_VERSION"));
    println!("bulat_types=luks veracrypt plain none");
}

static PLUGIN: Plugin = Plugin {
    struct_size: size_of::<Plugin>() as u64,
    api_version: 2,
    thread_model: PARALLEL,
    name: c"bulat".as_ptr(),
    longname: c"encrypted volumes, with Kuznyechik too: LUKS, VeraCrypt, plain dm-crypt".as_ptr(),
    version: concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast(),
    description: c"The plaintext of an encrypted file or block device".as_ptr(),
    load: Some(load),
    unload: Some(unload),
    config: Some(config),
    config_complete: Some(config_complete),
    config_help: config::HELP.as_ptr(),
    open: Some(open),
    close: Some(close),
    get_size: Some(get_size),
    can_write: Some(can_write),
    can_flush: Some(yes),
    is_rotational: Some(no),
    can_trim: Some(can_trim),
    dump_plugin: Some(dump_plugin),
    can_zero: Some(yes),
    can_fua: Some(native),
    pread: Some(pread),
    pwrite: Some(pwrite),
    flush: Some(flush),
    trim: Some(trim),
    zero: Some(zero),
    magic_config_key: c"file".as_ptr(),
    can_multi_conn: Some(yes),
    can_extents: Some(can_extents),
    extents: Some(extents),
    can_fast_zero: Some(no),
    get_ready: Some(get_ready),
    after_fork: Some(after_fork),
    block_size: Some(block_size),
    ..Plugin::NONE
};

/// The symbol that nbdkit looks up in the library.
#[unsafe(no_mangle)]
pub extern "C" fn plugin_init() -> *const Plugin {
    &PLUGIN
}
