//! The table of algorithms.

use core::ffi::{CStr, c_char, c_int};
use std::ffi::CString;
use std::sync::OnceLock;

use crate::border::{Fault, guard_value, name};
use crate::result::BULAT_ERR_UNKNOWN_ALGORITHM;
use bulat::algorithm::{ALGORITHMS, Algorithm, Kind};

/// The kind of an algorithm.
pub type bulat_kind = c_int;
/// A hash function.
pub const BULAT_HASH: bulat_kind = 1;
/// A message authentication code.
pub const BULAT_MAC: bulat_kind = 2;
/// Encryption without authentication.
pub const BULAT_CIPHER: bulat_kind = 3;
/// Authenticated encryption.
pub const BULAT_AEAD: bulat_kind = 4;
/// Key derivation.
pub const BULAT_KDF: bulat_kind = 5;
/// Key wrapping.
pub const BULAT_WRAP: bulat_kind = 6;

/// An algorithm. It belongs to the library, is constant and never freed; any thread may read it. Later versions may add
/// fields at the end.
#[repr(C)]
pub struct bulat_algorithm {
    /// The name.
    pub name: *const c_char,
    /// The object identifier, dotted, or null.
    pub oid: *const c_char,
    /// The standard and its clause, or a warning.
    pub note: *const c_char,
    /// Other names, up to a null pointer.
    pub aliases: *const *const c_char,
    /// BULAT_HASH, BULAT_MAC and so on.
    pub kind: bulat_kind,
    /// The key's length in bytes; 0: no key, or any length (HMAC and most key derivation).
    pub key_size: usize,
    /// The block's length in bytes.
    pub block_size: usize,
    /// The length in bytes of the digest, the usual tag, or the derived or wrapped key; 0: any length, or no output.
    pub output_size: usize,
    /// The length of the usual IV or nonce in bytes; 0: no IV.
    pub iv_size: usize,
    /// An IV may have iv_min bytes, iv_min + iv_step and so on up to iv_max.
    pub iv_min: usize,
    /// The longest IV, in bytes.
    pub iv_max: usize,
    /// The difference between valid lengths of an IV.
    pub iv_step: usize,
    /// The shortest tag, in bytes; 0: no tag.
    pub tag_min: usize,
    /// The longest tag, in bytes.
    pub tag_max: usize,
}

/// The table for C, in the library's order.
struct Table(Vec<bulat_algorithm>);
// SAFETY: its pointers lead to constants that are never changed or freed.
unsafe impl Send for Table {}
// SAFETY: its pointers lead to constants that are never changed or freed.
unsafe impl Sync for Table {}

/// Leaks a constant string, cut at its first zero byte, which C could not hold.
pub(crate) fn constant(text: &str) -> &'static CStr {
    let text = text.split('\0').next().unwrap_or_default();
    CString::new(text).map_or(c"", |text| Box::leak(text.into_boxed_c_str()))
}

fn table() -> &'static [bulat_algorithm] {
    static TABLE: OnceLock<Table> = OnceLock::new();
    &TABLE.get_or_init(|| Table(ALGORITHMS.iter().map(entry).collect())).0
}

fn entry(a: &Algorithm) -> bulat_algorithm {
    let aliases = a.aliases.iter().map(|alias| constant(alias).as_ptr());
    let aliases: Vec<_> = aliases.chain([core::ptr::null()]).collect();
    let (iv_min, iv_max, iv_step) = a.iv.range();
    bulat_algorithm {
        name: constant(a.name).as_ptr(),
        oid: a.oid.map_or(core::ptr::null(), |oid| constant(oid).as_ptr()),
        note: constant(a.note).as_ptr(),
        aliases: Box::leak(aliases.into_boxed_slice()).as_ptr(),
        kind: match a.kind {
            Kind::Hash => BULAT_HASH,
            Kind::Mac => BULAT_MAC,
            Kind::Cipher => BULAT_CIPHER,
            Kind::Aead => BULAT_AEAD,
            Kind::Kdf => BULAT_KDF,
            Kind::Wrap => BULAT_WRAP,
        },
        key_size: a.key,
        block_size: a.block,
        output_size: a.out,
        iv_size: a.iv.usual(),
        iv_min,
        iv_max,
        iv_step,
        tag_min: if a.tags.is_empty() { 0 } else { *a.tags.start() },
        tag_max: *a.tags.end(),
    }
}

/// Returns the library's own algorithm; any other pointer, even null, is unknown.
pub(crate) fn own(algorithm: *const bulat_algorithm) -> Result<&'static Algorithm, Fault> {
    let unknown = Fault(BULAT_ERR_UNKNOWN_ALGORITHM);
    let at = (algorithm as usize).wrapping_sub(table().as_ptr() as usize);
    if !at.is_multiple_of(size_of::<bulat_algorithm>()) {
        return Err(unknown);
    }
    ALGORITHMS.get(at / size_of::<bulat_algorithm>()).ok_or(unknown)
}

pub(crate) fn for_c(algorithm: &'static Algorithm) -> *const bulat_algorithm {
    let at = ALGORITHMS.iter().position(|a| core::ptr::eq(a, algorithm));
    at.and_then(|at| table().get(at)).map_or(core::ptr::null(), core::ptr::from_ref)
}

/// Returns the number of algorithms.
#[unsafe(no_mangle)]
pub extern "C" fn bulat_algorithm_count() -> usize {
    ALGORITHMS.len()
}

/// Returns the algorithm with this index, from 0; null after the last. Other versions may have a different order.
#[unsafe(no_mangle)]
pub extern "C" fn bulat_algorithm_at(index: usize) -> *const bulat_algorithm {
    guard_value(core::ptr::null(), || {
        table().get(index).map_or(core::ptr::null(), core::ptr::from_ref)
    })
}

/// Finds an algorithm by name, alias (in any case) or object identifier; null if it does not exist. The result may be
/// passed to any call unchecked: calls answer null with BULAT_ERR_UNKNOWN_ALGORITHM.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bulat_algorithm_find(text: *const c_char) -> *const bulat_algorithm {
    guard_value(core::ptr::null(), || {
        // SAFETY: the header requires `text` to be null or a string that ends with a zero byte.
        let found = unsafe { name(text) }.and_then(|name| bulat::algorithm(name).ok());
        found.map_or(core::ptr::null(), for_c)
    })
}
