//! The part of OpenSSL's provider interface that this module uses: `openssl/core.h`, `core_dispatch.h` and
//! `core_names.h` of OpenSSL 3.0. Every later 3.x and 4.x keeps these numbers and layouts. Written by hand; nothing
//! links to libcrypto.

use core::ffi::{c_char, c_int, c_uint, c_void};

/// `OSSL_DISPATCH`: a function and its number. An array ends with [`Dispatch::END`].
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Dispatch {
    pub id: c_int,
    pub function: Option<Function>,
}

/// A function. Its number determines its signature.
pub type Function = unsafe extern "C" fn();

impl Dispatch {
    pub const END: Self = Dispatch { id: 0, function: None };
}

/// A row of a dispatch array: `row!(NUMBER, function as its type)`.
macro_rules! row {
    ($id:expr, $function:expr => $type:ty) => {
        $crate::abi::Dispatch {
            id: $id,
            // SAFETY: function pointers of all types have one representation, and OpenSSL casts this one back to `$type`,
            // which core_dispatch.h gives the number.
            function: Some(unsafe {
                core::mem::transmute::<$type, $crate::abi::Function>($function)
            }),
        }
    };
}
pub(crate) use row;

/// `OSSL_ALGORITHM`: names separated by colons, the property definition, the dispatch array, a description. An array
/// ends with null names.
#[repr(C)]
pub struct OsslAlgorithm {
    pub names: *const c_char,
    pub properties: *const c_char,
    pub implementation: *const Dispatch,
    pub description: *const c_char,
}

/// `OSSL_ITEM`, here a number and a text. An array ends with number 0 and a null pointer.
#[repr(C)]
pub struct Item {
    pub id: c_uint,
    pub text: *const c_char,
}

/// `OSSL_PARAM`. An array ends with a null key.
#[repr(C)]
pub struct Param {
    pub key: *const c_char,
    pub data_type: c_uint,
    pub data: *mut c_void,
    pub data_size: usize,
    pub return_size: usize,
}

pub const INTEGER: c_uint = 1;
pub const UNSIGNED_INTEGER: c_uint = 2;
pub const REAL: c_uint = 3;
pub const UTF8_STRING: c_uint = 4;
pub const OCTET_STRING: c_uint = 5;
pub const UTF8_PTR: c_uint = 6;
pub const OCTET_PTR: c_uint = 7;

/// Defines numbers of core_dispatch.h.
macro_rules! numbers {
    ($($name:ident = $number:literal),*) => { $(pub const $name: c_int = $number;)* };
}

// Operations.
numbers! { OP_DIGEST = 1, OP_CIPHER = 2, OP_MAC = 3, OP_KDF = 4 }

/// The core's functions.
pub mod core_fn {
    use super::*;
    numbers! { GET_PARAMS = 2, NEW_ERROR = 5, SET_ERROR_DEBUG = 6, VSET_ERROR = 7 }
    pub type GetParams = unsafe extern "C" fn(*const c_void, *mut Param) -> c_int;
    pub type NewError = unsafe extern "C" fn(*const c_void);
    pub type SetErrorDebug =
        unsafe extern "C" fn(*const c_void, *const c_char, c_int, *const c_char);
    /// The last argument is a `va_list`, which every ABI here passes as a pointer.
    pub type VsetError = unsafe extern "C" fn(*const c_void, u32, *const c_char, *mut c_void);
}

/// A provider's functions.
pub mod provider_fn {
    use super::*;
    numbers! {
        TEARDOWN = 1024, GETTABLE_PARAMS = 1025, GET_PARAMS = 1026, QUERY_OPERATION = 1027,
        GET_REASON_STRINGS = 1029, SELF_TEST = 1031
    }
    pub type Query = unsafe extern "C" fn(*mut c_void, c_int, *mut c_int) -> *const OsslAlgorithm;
    pub type Reasons = unsafe extern "C" fn(*mut c_void) -> *const Item;
}

pub mod digest_fn {
    use super::*;
    numbers! {
        NEWCTX = 1, INIT = 2, UPDATE = 3, FINAL = 4, DIGEST = 5, FREECTX = 6, DUPCTX = 7,
        GET_PARAMS = 8, GETTABLE_PARAMS = 11
    }
    pub type Digest =
        unsafe extern "C" fn(*mut c_void, *const u8, usize, *mut u8, *mut usize, usize) -> c_int;
}

pub mod cipher_fn {
    use super::*;
    numbers! {
        NEWCTX = 1, ENCRYPT_INIT = 2, DECRYPT_INIT = 3, UPDATE = 4, FINAL = 5, CIPHER = 6,
        FREECTX = 7, DUPCTX = 8, GET_PARAMS = 9, GET_CTX_PARAMS = 10, SET_CTX_PARAMS = 11,
        GETTABLE_PARAMS = 12, GETTABLE_CTX_PARAMS = 13, SETTABLE_CTX_PARAMS = 14
    }
    pub type Init = unsafe extern "C" fn(
        *mut c_void,
        *const u8,
        usize,
        *const u8,
        usize,
        *const Param,
    ) -> c_int;
    pub type Update =
        unsafe extern "C" fn(*mut c_void, *mut u8, *mut usize, usize, *const u8, usize) -> c_int;
}

pub mod mac_fn {
    use super::*;
    numbers! {
        NEWCTX = 1, DUPCTX = 2, FREECTX = 3, INIT = 4, UPDATE = 5, FINAL = 6, GET_PARAMS = 7,
        GET_CTX_PARAMS = 8, SET_CTX_PARAMS = 9, GETTABLE_PARAMS = 10, GETTABLE_CTX_PARAMS = 11,
        SETTABLE_CTX_PARAMS = 12
    }
    pub type Init = unsafe extern "C" fn(*mut c_void, *const u8, usize, *const Param) -> c_int;
}

pub mod kdf_fn {
    use super::*;
    numbers! {
        NEWCTX = 1, DUPCTX = 2, FREECTX = 3, RESET = 4, DERIVE = 5, GETTABLE_PARAMS = 6,
        GETTABLE_CTX_PARAMS = 7, SETTABLE_CTX_PARAMS = 8, GET_PARAMS = 9, GET_CTX_PARAMS = 10,
        SET_CTX_PARAMS = 11
    }
    pub type Derive = unsafe extern "C" fn(*mut c_void, *mut u8, usize, *const Param) -> c_int;
}

/// Signatures that several operations share.
pub type NewCtx = unsafe extern "C" fn(*mut c_void) -> *mut c_void;
pub type FreeCtx = unsafe extern "C" fn(*mut c_void);
pub type DupCtx = unsafe extern "C" fn(*mut c_void) -> *mut c_void;
pub type CtxInit = unsafe extern "C" fn(*mut c_void, *const Param) -> c_int;
pub type CtxUpdate = unsafe extern "C" fn(*mut c_void, *const u8, usize) -> c_int;
pub type CtxFinal = unsafe extern "C" fn(*mut c_void, *mut u8, *mut usize, usize) -> c_int;
pub type GetParams = unsafe extern "C" fn(*mut Param) -> c_int;
pub type GetCtxParams = unsafe extern "C" fn(*mut c_void, *mut Param) -> c_int;
pub type SetCtxParams = unsafe extern "C" fn(*mut c_void, *const Param) -> c_int;
pub type Gettable = unsafe extern "C" fn(*mut c_void) -> *const Param;
pub type CtxGettable = unsafe extern "C" fn(*mut c_void, *mut c_void) -> *const Param;
pub type Teardown = unsafe extern "C" fn(*mut c_void);
pub type Check = unsafe extern "C" fn(*mut c_void) -> c_int;
