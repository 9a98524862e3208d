//! Key derivation and key wrapping.

use core::ffi::c_void;

use crate::algorithm::{bulat_algorithm, own};
use crate::border::{Fault, apart, calls, input, object, output};
use crate::key::bulat_options;
use bulat::algorithm::{Algorithm, KdfParams, Kind, WrapParams};
use bulat::kdf::TlsMasks;
use bulat::{Error, Sboxes};

/// The parameters of a key derivation. Set unused fields to zero: `bulat_kdf_params params = {0};`. Parameters that
/// mean nothing to the algorithm are refused.
#[repr(C)]
pub struct bulat_kdf_params {
    /// The key, the secret or the password.
    pub key: *const c_void,
    /// The length of `key` in bytes.
    pub key_len: usize,
    /// PBKDF2, HKDF: the salt.
    pub salt: *const c_void,
    /// The length of `salt` in bytes.
    pub salt_len: usize,
    /// KDF, KDF_TREE, the PRF of TLS: the label.
    pub label: *const c_void,
    /// The length of `label` in bytes.
    pub label_len: usize,
    /// KDF, KDF_TREE, the PRF of TLS, prf+: the seed. HKDF: the info.
    pub seed: *const c_void,
    /// The length of `seed` in bytes.
    pub seed_len: usize,
    /// PBKDF2: the number of iterations.
    pub iterations: u32,
    /// KDF_TREE: R, the length of its counter in bytes, 1 to 4; 0 means 1.
    pub counter_size: u32,
    /// TLSTREE: the masks C1, C2, C3 of the cipher suite.
    pub masks: [u64; 3],
    /// TLSTREE: the record's number.
    pub record: u64,
    /// Must be zeros.
    pub reserved: [usize; 4],
}

calls! {
    /// Fills `out` with derived bytes.
    fn bulat_derive(
        algorithm: *const bulat_algorithm, params: *const bulat_kdf_params, out: *mut c_void,
        len: usize
    ) {
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
    }
    /// Returns the length of a wrapped secret of `secret_len` bytes; 0 unless the algorithm is a key wrap.
    fn bulat_wrapped_size(
        algorithm: *const bulat_algorithm, iv_len: usize, secret_len: usize
    ) -> usize = 0 => {
        Ok(own(algorithm)?.wrapped_len(iv_len, secret_len).unwrap_or(0))
    }
}

/// Returns the S-boxes named in the options.
///
/// # Safety
/// As [`bulat_wrap`].
unsafe fn sboxes(options: *const bulat_options) -> Result<Option<Sboxes>, Fault> {
    // SAFETY: `options` is not null, so it is a valid structure, as this function requires.
    if options.is_null() { Ok(None) } else { unsafe { object(options)? }.boxes_alone() }
}

/// Wraps or unwraps a secret by `run`.
///
/// # Safety
/// As [`bulat_wrap`].
unsafe fn whole(
    algorithm: *const bulat_algorithm,
    (key, key_len): (*const c_void, usize),
    (iv, iv_len): (*const c_void, usize),
    options: *const bulat_options,
    (source, len): (*const c_void, usize),
    (out, size): (*mut c_void, usize),
    run: impl FnOnce(&Algorithm, &WrapParams<'_>, &[u8], &mut [u8]) -> Result<(), Error>,
) -> Result<(), Fault> {
    // SAFETY: the buffers are valid, as this function requires; `apart` first refuses overlaps, `border` bad pointers.
    unsafe {
        apart(&[(out, size)], &[(key, key_len), (iv, iv_len), (source, len)])?;
        let (key, iv) = (input(key, key_len)?, input(iv, iv_len)?);
        let (source, out) = (input(source, len)?, output(out, size)?);
        let algorithm = own(algorithm)?;
        if algorithm.kind != Kind::Wrap {
            return Err(Error::UnknownAlgorithm.into());
        }
        Ok(run(algorithm, &WrapParams { key, iv, sboxes: sboxes(options)? }, source, out)?)
    }
}

calls! {
    /// Wraps a secret under a key into `wrapped`, which has bulat_wrapped_size() bytes. Never use an IV (a UKM) twice
    /// under one key. Only the S-boxes of the options are used; null is accepted.
    fn bulat_wrap(
        algorithm: *const bulat_algorithm, key: *const c_void, key_len: usize, iv: *const c_void,
        iv_len: usize, options: *const bulat_options, secret: *const c_void, secret_len: usize,
        wrapped: *mut c_void, wrapped_size: usize
    ) {
        let (source, out) = ((secret, secret_len), (wrapped, wrapped_size));
        let (key, iv) = ((key, key_len), (iv, iv_len));
        whole(algorithm, key, iv, options, source, out, Algorithm::wrap)
    }
    /// Unwraps a secret of `secret_size` bytes, and writes it only if the MAC is right. If the wrapped secret contains
    /// the IV, as it does except in KExp15, pass null and 0 for the IV.
    fn bulat_unwrap(
        algorithm: *const bulat_algorithm, key: *const c_void, key_len: usize, iv: *const c_void,
        iv_len: usize, options: *const bulat_options, wrapped: *const c_void, wrapped_len: usize,
        secret: *mut c_void, secret_size: usize
    ) {
        let (source, out) = ((wrapped, wrapped_len), (secret, secret_size));
        let (key, iv) = ((key, key_len), (iv, iv_len));
        whole(algorithm, key, iv, options, source, out, Algorithm::unwrap)
    }
}
