//! Hash functions.

use core::ffi::c_void;

use crate::algorithm::{bulat_algorithm, own};
use crate::border::{Fault, apart, free, guard, input, make, object, object_mut, output};
use crate::result::bulat_result;
use bulat::Error;
use bulat::algorithm::{HashSession, Params};

/// A message being hashed. It may move between threads, but only one thread at a time may use it. Freeing wipes it.
pub struct bulat_hash_ctx(HashSession);

/// Begins a message.
fn begin(algorithm: *const bulat_algorithm) -> Result<HashSession, Fault> {
    let algorithm = own(algorithm)?;
    let hash = algorithm.session(&Params::new(&[])).and_then(|session| session.hash());
    // Other algorithms need a key, or have a different kind of session.
    hash.map_err(|_| Error::UnknownAlgorithm.into())
}

fn finish(hash: &mut HashSession, digest: &mut [u8]) -> Result<(), Fault> {
    if digest.len() != hash.output_len() {
        return Err(Error::BufferLength.into());
    }
    hash.finalize_reset(digest)?;
    Ok(())
}

/// Hashes a message in one call. `digest_size` is the algorithm's output_size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bulat_hash(
    algorithm: *const bulat_algorithm,
    message: *const c_void,
    len: usize,
    digest: *mut c_void,
    digest_size: usize,
) -> bulat_result {
    guard(|| {
        let mut hash = begin(algorithm)?;
        apart(&[(digest, digest_size)], &[(message, len)])?;
        // SAFETY: the header requires both buffers to be valid for their lengths, and `apart` has found that they do
        // not overlap.
        let (message, digest) = unsafe { (input(message, len)?, output(digest, digest_size)?) };
        hash.update(message);
        finish(&mut hash, digest)
    })
}

/// Begins a message that comes in pieces.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bulat_hash_new(
    ctx: *mut *mut bulat_hash_ctx,
    algorithm: *const bulat_algorithm,
) -> bulat_result {
    // SAFETY: the header requires `ctx` to be writable; `border` refuses null and misaligned pointers.
    guard(|| unsafe { make(ctx, || Ok(bulat_hash_ctx(begin(algorithm)?))) })
}

/// Makes `*copy`, which continues independently from this point.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bulat_hash_copy(
    copy: *mut *mut bulat_hash_ctx,
    ctx: *const bulat_hash_ctx,
) -> bulat_result {
    // SAFETY: the header requires `ctx` to be a live context; `border` refuses null and misaligned pointers.
    guard(|| unsafe { make(copy, || Ok(bulat_hash_ctx(object(ctx)?.0.clone()))) })
}

/// Adds the next piece.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bulat_hash_update(
    ctx: *mut bulat_hash_ctx,
    piece: *const c_void,
    len: usize,
) -> bulat_result {
    guard(|| {
        // SAFETY: the header requires a live context that only this call uses, and `len` readable bytes at `piece`.
        let (hash, piece) = unsafe { (&mut object_mut(ctx)?.0, input(piece, len)?) };
        hash.update(piece);
        Ok(())
    })
}

/// Ends the message, writes its digest and begins a new message. `digest_size` is the algorithm's output_size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bulat_hash_final(
    ctx: *mut bulat_hash_ctx,
    digest: *mut c_void,
    digest_size: usize,
) -> bulat_result {
    // SAFETY: the header requires a live context that only this call uses, and `digest_size` writable bytes at
    // `digest`.
    guard(|| unsafe { finish(&mut object_mut(ctx)?.0, output(digest, digest_size)?) })
}

/// Discards the message and begins a new message.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bulat_hash_reset(ctx: *mut bulat_hash_ctx) -> bulat_result {
    guard(|| {
        // SAFETY: the header requires `ctx` to be a live context that only this call uses.
        unsafe { object_mut(ctx)? }.0.reset();
        Ok(())
    })
}

/// Wipes and frees a context; null is ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bulat_hash_free(ctx: *mut bulat_hash_ctx) {
    // SAFETY: the header requires `ctx` to be null or a live context, which is no longer used.
    unsafe { free(ctx) }
}
