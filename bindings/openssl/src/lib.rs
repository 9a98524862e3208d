//! bulat as a provider for OpenSSL 3.0 to 4.x: a shared object that exports only `OSSL_provider_init` and links to no
//! libcrypto.
//!
//! Its tables are made from [`bulat::algorithm::ALGORITHMS`], so an algorithm that is added there is also here. OpenSSL
//! does not name the algorithm when it asks for a context, so each row of that table has functions of its own:
//! `context::new::<_, I>` serves row `I`.
//!
//! | file | contents |
//! |---|---|
//! | `abi.rs` | OpenSSL's numbers and layouts |
//! | `params.rs` | reading and writing OSSL_PARAM |
//! | `fault.rs` | errors into OpenSSL's queue; the border that no panic crosses |
//! | `names.rs` | OpenSSL's view of algorithms: names, modes, parameters in CMS |
//! | `context.rs` | making, copying, freeing a context; its parameters |
//! | `digest.rs`, `cipher/`, `mac.rs`, `kdf.rs` | one operation each: dispatch array and contexts |
//! | `asn1.rs` | a cipher's parameters in CMS |
//! | `../../c/src/wiping.rs` | the allocator, which wipes memory before it frees it |
#![allow(unsafe_code)]

mod abi;
mod asn1;
mod cipher;
mod context;
#[cfg(feature = "declassify")]
mod declassify;
mod digest;
mod fault;
mod kdf;
mod mac;
mod names;
mod params;
#[path = "../../c/src/wiping.rs"]
mod wiping;

use core::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::ffi::CString;

use abi::{Dispatch, Item, OsslAlgorithm, Param, core_fn, provider_fn, row};
use bulat::ParamSet;
use bulat::algorithm::{ALGORITHMS, Kind};
use fault::{Fault, border};

/// The number of rows that have functions.
const SLOTS: usize = 64;
const _: () = assert!(ALGORITHMS.len() <= SLOTS, "more algorithms than slots: make more");

/// The kinds of algorithms of each operation.
const HASHES: &[Kind] = &[Kind::Hash];
const ENCRYPTION: &[Kind] = &[Kind::Cipher, Kind::Aead];
const CODES: &[Kind] = &[Kind::Mac];
const DERIVATION: &[Kind] = &[Kind::Kdf];

/// Returns whether row `i` of the table is there, and of one of the kinds.
const fn is_of(kinds: &[Kind], i: usize) -> bool {
    let mut k = 0;
    while i < ALGORITHMS.len() && k < kinds.len() {
        if ALGORITHMS[i].kind as u8 == kinds[k] as u8 {
            return true;
        }
        k += 1;
    }
    false
}

/// Makes the dispatch arrays of the rows of some kinds: `$dispatch::<I>()` for each. No functions are compiled for other rows,
/// whose arrays are empty.
macro_rules! slots {
    ($dispatch:path, $kinds:expr) => { slots!($dispatch, $kinds;
         0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
        32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63) };
    ($dispatch:path, $kinds:expr; $($i:literal)*) => {
        [$({ use $dispatch as dispatch; if is_of($kinds, $i) { dispatch::<$i>() } else { &[] } }),*]
    };
}

static DIGESTS: [&[Dispatch]; SLOTS] = slots!(digest::dispatch, HASHES);
static CIPHERS: [&[Dispatch]; SLOTS] = slots!(cipher::dispatch, ENCRYPTION);
static MACS: [&[Dispatch]; SLOTS] = slots!(mac::dispatch, CODES);
static KDFS: [&[Dispatch]; SLOTS] = slots!(kdf::dispatch, DERIVATION);

/// OpenSSL's core: its handle and its functions.
struct Core {
    handle: *const c_void,
    get_params: Option<core_fn::GetParams>,
    new_error: Option<core_fn::NewError>,
    set_error_debug: Option<core_fn::SetErrorDebug>,
    vset_error: Option<core_fn::VsetError>,
}

/// The module in one library context: OpenSSL's `provctx`. Any thread may use it, since nothing changes it.
struct Provider {
    core: Core,
    /// The S-boxes that CRYPT_PARAMS names; its text if they are unknown.
    sboxes: Result<Option<ParamSet>, String>,
    /// Digests, ciphers, MACs, KDFs; each list ends with an empty row.
    algorithms: [Vec<OsslAlgorithm>; 4],
    reasons: Vec<Item>,
    /// The texts that the pointers in `algorithms` and `reasons` lead to.
    _texts: Vec<CString>,
}

impl Provider {
    /// Returns the provider of OpenSSL's pointer. Contexts hold the reference, which is valid until teardown.
    ///
    /// # Safety
    /// `provctx` is null or the pointer that `OSSL_provider_init` stored, before teardown.
    unsafe fn of(provctx: *mut c_void) -> Option<&'static Provider> {
        // SAFETY: the pointer is from `Box::into_raw` in `OSSL_provider_init`. Only `teardown` frees it, which OpenSSL
        // calls when every context is freed.
        unsafe { provctx.cast::<Provider>().as_ref() }
    }
}

/// The operations and their kinds of algorithms.
const OPERATIONS: [(c_int, &[Kind], &[&[Dispatch]; SLOTS]); 4] = [
    (abi::OP_DIGEST, HASHES, &DIGESTS),
    (abi::OP_CIPHER, ENCRYPTION, &CIPHERS),
    (abi::OP_MAC, CODES, &MACS),
    (abi::OP_KDF, DERIVATION, &KDFS),
];

impl Provider {
    fn new(core: Core) -> Self {
        let sboxes = setting(&core, c"CRYPT_PARAMS").and_then(|name| {
            let name = name.filter(|name| !name.is_empty());
            name.map(|name| ParamSet::find(&name).ok_or(name)).transpose()
        });
        let mut texts = Vec::new();
        // A CString's bytes stay where they are when it moves.
        let mut keep = |text: CString| {
            let at = text.as_ptr();
            texts.push(text);
            at
        };
        let algorithms = OPERATIONS.map(|(_, kinds, dispatch)| {
            let rows = ALGORITHMS.iter().zip(dispatch).filter(|(a, _)| kinds.contains(&a.kind));
            let mut rows: Vec<_> = rows
                .map(|(a, dispatch)| OsslAlgorithm {
                    names: keep(names::names(a)),
                    properties: c"provider=bulat".as_ptr(),
                    implementation: dispatch.as_ptr(),
                    description: keep(CString::new(a.note).unwrap_or_default()),
                })
                .collect();
            rows.push(OsslAlgorithm {
                names: core::ptr::null(),
                properties: core::ptr::null(),
                implementation: core::ptr::null(),
                description: core::ptr::null(),
            });
            rows
        });
        let own = [(fault::USAGE, "wrong use".into()), (fault::INTERNAL, "internal error".into())];
        let library = fault::LIBRARY.iter().zip(1..).map(|(error, id)| (id, error.to_string()));
        let reasons = library.chain(own).map(|(id, text): (c_uint, String)| Item {
            id,
            text: keep(CString::new(text).unwrap_or_default()),
        });
        let reasons = reasons.chain([Item { id: 0, text: core::ptr::null() }]).collect();
        Provider { core, sboxes, algorithms, reasons, _texts: texts }
    }
}

/// Reads a setting from the environment, as gost-engine does, or else from the provider's section in `openssl.cnf`.
/// Errors: the value in a printable form, if it is not UTF-8.
fn setting(core: &Core, name: &'static CStr) -> Result<Option<String>, String> {
    if let Some(value) = name.to_str().ok().and_then(std::env::var_os) {
        return value.into_string().map(Some).map_err(|value| value.to_string_lossy().into_owned());
    }
    let Some(get_params) = core.get_params else { return Ok(None) };
    let mut value: *const c_char = core::ptr::null();
    let mut params = [
        Param {
            data: (&raw mut value).cast(),
            data_size: size_of::<*const c_char>(),
            ..Param::described(name.as_ptr(), abi::UTF8_PTR)
        },
        Param::END,
    ];
    // SAFETY: the core's function gets the core's handle and an array that ends with `END`; it writes to `value`, which is
    // alive until after the call.
    let found = unsafe { get_params(core.handle, params.as_mut_ptr()) };
    if found == 0 || value.is_null() {
        return Ok(None);
    }
    // SAFETY: the core stored a C string of the configuration, which lives as long as the provider.
    let value = unsafe { CStr::from_ptr(value) };
    value
        .to_str()
        .map(|value| Some(value.to_owned()))
        .map_err(|_| value.to_string_lossy().into_owned())
}

static PROVIDER: [Dispatch; 7] = [
    row!(provider_fn::TEARDOWN, teardown => abi::Teardown),
    row!(provider_fn::GETTABLE_PARAMS, gettable => abi::Gettable),
    row!(provider_fn::GET_PARAMS, get_params => abi::GetCtxParams),
    row!(provider_fn::QUERY_OPERATION, query => provider_fn::Query),
    row!(provider_fn::GET_REASON_STRINGS, reasons => provider_fn::Reasons),
    row!(provider_fn::SELF_TEST, self_test => abi::Check),
    Dispatch::END,
];

/// Starts the provider: OpenSSL calls it when it loads the module into a library context. It is the only export.
///
/// # Safety
/// `from_core` is null or an array of dispatch entries that ends with number 0; `to_core` and `provctx` are null or point to
/// room for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OSSL_provider_init(
    handle: *const c_void,
    from_core: *const Dispatch,
    to_core: *mut *const Dispatch,
    provctx: *mut *mut c_void,
) -> c_int {
    if from_core.is_null() || to_core.is_null() || provctx.is_null() {
        return 0;
    }
    let mut core =
        Core { handle, get_params: None, new_error: None, set_error_debug: None, vset_error: None };
    let mut at = from_core;
    // SAFETY: `at` is in OpenSSL's array: the loop ends at the entry with number 0, which ends the array.
    while let Dispatch { id: id @ 1.., function: Some(function) } = unsafe { *at } {
        use core::mem::transmute as of;
        use core_fn::{GetParams, NewError, SetErrorDebug, VsetError};
        // SAFETY: core_dispatch.h gives each number the signature that the function is turned into here.
        unsafe {
            match id {
                core_fn::GET_PARAMS => {
                    core.get_params = Some(of::<abi::Function, GetParams>(function));
                }
                core_fn::NEW_ERROR => {
                    core.new_error = Some(of::<abi::Function, NewError>(function));
                }
                core_fn::SET_ERROR_DEBUG => {
                    core.set_error_debug = Some(of::<abi::Function, SetErrorDebug>(function));
                }
                core_fn::VSET_ERROR => {
                    core.vset_error = Some(of::<abi::Function, VsetError>(function));
                }
                _ => {}
            }
        }
        at = at.wrapping_add(1);
    }
    border(None, || {
        #[cfg(feature = "declassify")]
        declassify::set();
        let provider = Box::into_raw(Box::new(Provider::new(core)));
        // SAFETY: both were found not to be null above, and point to variables of OpenSSL for these answers.
        unsafe {
            *to_core = PROVIDER.as_ptr();
            *provctx = provider.cast();
        }
        Ok(())
    })
}

unsafe extern "C" fn teardown(provctx: *mut c_void) {
    border(None, || {
        if !provctx.is_null() {
            // SAFETY: `provctx` is from `Box::into_raw` in `OSSL_provider_init`, and OpenSSL calls teardown once, last.
            drop(unsafe { Box::from_raw(provctx.cast::<Provider>()) });
        }
        Ok(())
    });
}

params::known!(GETTABLE: "name" UTF8_PTR, "version" UTF8_PTR, "buildinfo" UTF8_PTR, "status" INTEGER);

unsafe extern "C" fn gettable(_: *mut c_void) -> *const Param {
    GETTABLE.0.as_ptr()
}

const VERSION: &CStr =
    match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
        Ok(version) => version,
        Err(_) => c"",
    };

unsafe extern "C" fn get_params(provctx: *mut c_void, params: *mut Param) -> c_int {
    // SAFETY: OpenSSL passes the pointer that `OSSL_provider_init` stored.
    border(unsafe { Provider::of(provctx) }, || {
        // SAFETY: OpenSSL ends the array with a null key, and lends it to this call.
        for p in unsafe { params::each_mut(params) } {
            match p.key() {
                "name" => p.put_text(c"bulat: GOST symmetric cryptography")?,
                "version" | "buildinfo" => p.put_text(VERSION)?,
                "status" => p.put_number(1)?,
                _ => {}
            }
        }
        Ok(())
    })
}

unsafe extern "C" fn query(
    provctx: *mut c_void,
    operation: c_int,
    no_cache: *mut c_int,
) -> *const OsslAlgorithm {
    // SAFETY: OpenSSL passes the pointer that `OSSL_provider_init` stored, and a variable of its own or null.
    let (provider, no_cache) = unsafe { (Provider::of(provctx), no_cache.as_mut()) };
    if let Some(no_cache) = no_cache {
        *no_cache = 0;
    }
    let rows = OPERATIONS.iter().position(|(number, ..)| *number == operation);
    provider.zip(rows).map_or(core::ptr::null(), |(p, i)| p.algorithms[i].as_ptr())
}

unsafe extern "C" fn reasons(provctx: *mut c_void) -> *const Item {
    // SAFETY: OpenSSL passes the pointer that `OSSL_provider_init` stored.
    unsafe { Provider::of(provctx) }.map_or(core::ptr::null(), |p| p.reasons.as_ptr())
}

unsafe extern "C" fn self_test(provctx: *mut c_void) -> c_int {
    // SAFETY: OpenSSL passes the pointer that `OSSL_provider_init` stored.
    border(unsafe { Provider::of(provctx) }, || {
        let good = bulat::selftest::run(|_| {});
        if good { Ok(()) } else { Err(Fault::new("the self-test failed")) }
    })
}

/// Returns the table's row `I`. No row of OpenSSL's tables leads to functions with a greater `I`.
fn algorithm<const I: usize>() -> &'static bulat::algorithm::Algorithm {
    &ALGORITHMS[I]
}

/// Makes a slice of a caller's bytes. Only this function and [`output`] make slices of foreign memory. They refuse null and
/// lengths that no buffer can have.
///
/// # Safety
/// If `data` is not null and `len` fits an `isize`, it points to `len` bytes that nobody changes as long as `'a`.
unsafe fn input<'a>(data: *const u8, len: usize) -> fault::Result<&'a [u8]> {
    match (data.is_null(), possible(len)?) {
        (_, 0) => Ok(&[]),
        (true, _) => Err(Fault::new("the input is null")),
        // SAFETY: `data` is not null and `len` fits an `isize`, so the bytes are there, by this function's contract.
        _ => Ok(unsafe { core::slice::from_raw_parts(data, len) }),
    }
}

/// Makes a slice of a caller's room.
///
/// # Safety
/// If `data` is not null and `len` fits an `isize`, it points to `len` bytes that nobody else uses as long as `'a`.
unsafe fn output<'a>(data: *mut u8, len: usize) -> fault::Result<&'a mut [u8]> {
    match (data.is_null(), possible(len)?) {
        (_, 0) => Ok(&mut []),
        (true, _) => Err(Fault::new("the output is null")),
        // SAFETY: `data` is not null and `len` fits an `isize`, so the room is there, by this function's contract.
        _ => Ok(unsafe { core::slice::from_raw_parts_mut(data, len) }),
    }
}

/// Refuses a length that no buffer can have. EVP turns a negative `int` into one.
fn possible(len: usize) -> fault::Result<usize> {
    if isize::try_from(len).is_ok() {
        Ok(len)
    } else {
        Err(Fault::new("a negative length, or one that no buffer can have"))
    }
}
