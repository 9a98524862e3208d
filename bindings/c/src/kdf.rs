//! Key derivation and key wrapping.

use core::ffi::c_void;

use crate::algorithm::{bulat_algorithm, own};
use crate::border::{Fault, apart, guard, guard_value, input, object, output};
use crate::key::bulat_options;
use crate::result::bulat_result;
use bulat::algorithm::{KdfParams, Kind, WrapParams};
use bulat::kdf::TlsMasks;
use bulat::{Error, Sboxes};

/// What bytes are derived from. All zero is none of each: `bulat_kdf_params params = {0};`. What means nothing to the
/// algorithm is refused.
#[repr(C)]
pub struct bulat_kdf_params {
    /// The key, the secret or the password.
    pub key: *const c_void,
    /// Bytes of it.
    pub key_len: usize,
    /// PBKDF2, HKDF: the salt.
    pub salt: *const c_void,
    /// Bytes of it.
    pub salt_len: usize,
    /// KDF, KDF_TREE, the PRF of TLS: the label.
    pub label: *const c_void,
    /// Bytes of it.
    pub label_len: usize,
    /// KDF, KDF_TREE, the PRF of TLS, prf+: the seed. HKDF: what it calls info.
    pub seed: *const c_void,
    /// Bytes of it.
    pub seed_len: usize,
    /// PBKDF2: how many iterations.
    pub iterations: u32,
    /// KDF_TREE: R, the bytes of its counter, 1 to 4; 0 is 1.
    pub counter_size: u32,
    /// TLSTREE: the masks C1, C2, C3 of the cipher suite.
    pub masks: [u64; 3],
    /// TLSTREE: the number of the record.
    pub record: u64,
    /// Zeros.
    pub reserved: [usize; 4],
}

/// Fills `out` with what is derived.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bulat_derive(
    algorithm: *const bulat_algorithm,
    params: *const bulat_kdf_params,
    out: *mut c_void,
    len: usize,
) -> bulat_result {
    // SAFETY: the caller's word for each; what overlaps is refused first.
    guard(|| unsafe {
        let algorithm = own(algorithm)?;
        let p = object(params)?;
        let parts = [
            (p.key, p.key_len),
            (p.salt, p.salt_len),
            (p.label, p.label_len),
            (p.seed, p.seed_len),
            (params.cast::<c_void>(), size_of::<bulat_kdf_params>()),
        ];
        apart(&[(out, len)], &parts)?;
        if p.reserved != [0; 4] {
            return Err(Error::Parameter.into());
        }
        let tree = p.masks != [0; 3];
        let params = KdfParams {
            key: input(p.key, p.key_len)?,
            salt: input(p.salt, p.salt_len)?,
            label: input(p.label, p.label_len)?,
            seed: input(p.seed, p.seed_len)?,
            iterations: (p.iterations > 0).then_some(p.iterations),
            counter: (p.counter_size > 0).then_some(p.counter_size as usize),
            masks: tree.then_some(TlsMasks(p.masks)),
            record: (tree || p.record > 0).then_some(p.record),
        };
        Ok(algorithm.derive(&params, output(out, len)?)?)
    })
}

/// Bytes of a wrapped secret of `secret_len` bytes; 0 for what wraps no keys.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bulat_wrapped_size(
    algorithm: *const bulat_algorithm,
    iv_len: usize,
    secret_len: usize,
) -> usize {
    guard_value(0, || {
        own(algorithm).ok().and_then(|a| a.wrapped_len(iv_len, secret_len)).unwrap_or(0)
    })
}

/// The S-boxes that options name.
///
/// # Safety
/// As [`bulat_wrap`].
unsafe fn sboxes(options: *const bulat_options) -> Result<Option<Sboxes>, Fault> {
    // SAFETY: the caller's word.
    if options.is_null() { Ok(None) } else { unsafe { object(options)? }.boxes_alone() }
}

/// Wraps a secret under a key: `wrapped` has bulat_wrapped_size() bytes. An IV (a UKM) is never used twice under one key. Of the
/// options only S-boxes count; null is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bulat_wrap(
    algorithm: *const bulat_algorithm,
    key: *const c_void,
    key_len: usize,
    iv: *const c_void,
    iv_len: usize,
    options: *const bulat_options,
    secret: *const c_void,
    secret_len: usize,
    wrapped: *mut c_void,
    wrapped_size: usize,
) -> bulat_result {
    // SAFETY: the caller's word for each; what overlaps is refused first.
    guard(|| unsafe {
        let read = [(key, key_len), (iv, iv_len), (secret, secret_len)];
        apart(&[(wrapped, wrapped_size)], &read)?;
        let (key, iv) = (input(key, key_len)?, input(iv, iv_len)?);
        let (secret, out) = (input(secret, secret_len)?, output(wrapped, wrapped_size)?);
        let algorithm = own(algorithm)?;
        if algorithm.kind != Kind::Wrap {
            return Err(Error::UnknownAlgorithm.into());
        }
        Ok(algorithm.wrap(&WrapParams { key, iv, sboxes: sboxes(options)? }, secret, out)?)
    })
}

/// Unwraps a secret of `secret_size` bytes, which is written only if the MAC is right. Where the IV stands in the wrapped
/// secret (all but KExp15) it is null and 0 here.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bulat_unwrap(
    algorithm: *const bulat_algorithm,
    key: *const c_void,
    key_len: usize,
    iv: *const c_void,
    iv_len: usize,
    options: *const bulat_options,
    wrapped: *const c_void,
    wrapped_len: usize,
    secret: *mut c_void,
    secret_size: usize,
) -> bulat_result {
    // SAFETY: the caller's word for each; what overlaps is refused first.
    guard(|| unsafe {
        let read = [(key, key_len), (iv, iv_len), (wrapped, wrapped_len)];
        apart(&[(secret, secret_size)], &read)?;
        let (key, iv) = (input(key, key_len)?, input(iv, iv_len)?);
        let (wrapped, out) = (input(wrapped, wrapped_len)?, output(secret, secret_size)?);
        let algorithm = own(algorithm)?;
        if algorithm.kind != Kind::Wrap {
            return Err(Error::UnknownAlgorithm.into());
        }
        Ok(algorithm.unwrap(&WrapParams { key, iv, sboxes: sboxes(options)? }, wrapped, out)?)
    })
}
