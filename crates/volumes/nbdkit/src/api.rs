//! The interface of nbdkit-plugin(3), version 2: the table of a plugin's callbacks, and the functions of nbdkit that
//! this plugin calls. `tools/ci/9-storage.sh` compares the table with the C header.

use std::ffi::{c_char, c_int, c_void};

/// nbdkit may call from several threads at once.
pub const PARALLEL: c_int = 3;
/// The plugin implements this itself.
pub const NATIVE: c_int = 2;
/// The data must be durable before the call returns.
pub const FUA: u32 = 1 << 1;
/// One extent is enough.
pub const REQ_ONE: u32 = 1 << 2;
/// Only if it is faster than writing.
pub const FAST_ZERO: u32 = 1 << 3;
/// These bytes are not allocated.
pub const EXTENT_HOLE: u32 = 1;

pub const EPERM: c_int = 1;
pub const EIO: c_int = 5;
pub const EACCES: c_int = 13;
pub const EBUSY: c_int = 16;
pub const EINVAL: c_int = 22;
#[cfg(target_os = "linux")]
pub const EOPNOTSUPP: c_int = 95;
#[cfg(not(target_os = "linux"))]
pub const EOPNOTSUPP: c_int = 45;

unsafe extern "C" {
    /// Prints an error message.
    pub fn nbdkit_error(format: *const c_char, ...);
    /// Sets the error number for the client.
    pub fn nbdkit_set_error(number: c_int);
    /// Adds an extent to the list.
    pub fn nbdkit_add_extent(list: *mut c_void, offset: u64, len: u64, kind: u32) -> c_int;
}

type Call<F> = Option<F>;
type Nothing = unsafe extern "C" fn();
type Question = unsafe extern "C" fn() -> c_int;
type OfHandle = unsafe extern "C" fn(*mut c_void) -> c_int;
type Range = unsafe extern "C" fn(*mut c_void, u32, u64, u32) -> c_int;

/// `struct nbdkit_plugin`.
#[repr(C)]
#[allow(missing_docs)] // documented in nbdkit-plugin(3)
pub struct Plugin {
    pub struct_size: u64,
    pub api_version: c_int,
    pub thread_model: c_int,
    pub name: *const c_char,
    pub longname: *const c_char,
    pub version: *const c_char,
    pub description: *const c_char,
    pub load: Call<Nothing>,
    pub unload: Call<Nothing>,
    pub config: Call<unsafe extern "C" fn(*const c_char, *const c_char) -> c_int>,
    pub config_complete: Call<Question>,
    pub config_help: *const c_char,
    pub open: Call<unsafe extern "C" fn(c_int) -> *mut c_void>,
    pub close: Call<unsafe extern "C" fn(*mut c_void)>,
    pub get_size: Call<unsafe extern "C" fn(*mut c_void) -> i64>,
    pub can_write: Call<OfHandle>,
    pub can_flush: Call<OfHandle>,
    pub is_rotational: Call<OfHandle>,
    pub can_trim: Call<OfHandle>,
    pub version_1: [Call<Nothing>; 5],
    pub errno_is_preserved: c_int,
    pub dump_plugin: Call<Nothing>,
    pub can_zero: Call<OfHandle>,
    pub can_fua: Call<OfHandle>,
    pub pread: Call<unsafe extern "C" fn(*mut c_void, *mut c_void, u32, u64, u32) -> c_int>,
    pub pwrite: Call<unsafe extern "C" fn(*mut c_void, *const c_void, u32, u64, u32) -> c_int>,
    pub flush: Call<unsafe extern "C" fn(*mut c_void, u32) -> c_int>,
    pub trim: Call<Range>,
    pub zero: Call<Range>,
    pub magic_config_key: *const c_char,
    pub can_multi_conn: Call<OfHandle>,
    pub can_extents: Call<OfHandle>,
    pub extents: Call<unsafe extern "C" fn(*mut c_void, u32, u64, u32, *mut c_void) -> c_int>,
    pub can_cache: Call<OfHandle>,
    pub cache: Call<Range>,
    pub thread_model_call: Call<Question>,
    pub can_fast_zero: Call<OfHandle>,
    pub preconnect: Call<unsafe extern "C" fn(c_int) -> c_int>,
    pub get_ready: Call<Question>,
    pub after_fork: Call<Question>,
    pub list_exports: Call<unsafe extern "C" fn(c_int, c_int, *mut c_void) -> c_int>,
    pub default_export: Call<unsafe extern "C" fn(c_int, c_int) -> *const c_char>,
    pub export_description: Call<unsafe extern "C" fn(*mut c_void) -> *const c_char>,
    pub cleanup: Call<Nothing>,
    pub block_size: Call<unsafe extern "C" fn(*mut c_void, *mut u32, *mut u32, *mut u32) -> c_int>,
}

// SAFETY: it holds only pointers to static strings and functions, which nobody changes.
unsafe impl Sync for Plugin {}

impl Plugin {
    /// A table without callbacks.
    // SAFETY: zeros are numbers, null pointers and functions that are not there.
    pub const NONE: Plugin = unsafe { std::mem::zeroed() };
}

// tests/layout.c checks these numbers against the C header, for pointers of 64 bits.
#[cfg(target_pointer_width = "64")]
const _: () = {
    use std::mem::offset_of;
    assert!(offset_of!(Plugin, config_help) == 80);
    assert!(offset_of!(Plugin, errno_is_preserved) == 184);
    assert!(offset_of!(Plugin, pread) == 216);
    assert!(offset_of!(Plugin, magic_config_key) == 256);
    assert!(offset_of!(Plugin, get_ready) == 328);
    assert!(offset_of!(Plugin, block_size) == 376);
    assert!(size_of::<Plugin>() == 384);
};
