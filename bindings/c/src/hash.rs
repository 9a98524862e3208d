//! Hash functions.

use core::ffi::c_void;

use crate::algorithm::{bulat_algorithm, own};
use crate::border::{Fault, apart, free, guard, input, make, object, object_mut, output};
use crate::result::bulat_result;
use bulat::Error;
use bulat::algorithm::{HashSession, Params};

/// A message being hashed. One thread at a time may use it; it may go from thread to thread. Freeing wipes it.
pub struct bulat_hash_ctx(HashSession);

/// Begins a message.
fn begin(algorithm: *const bulat_algorithm) -> Result<HashSession, Fault> {
    let algorithm = own(algorithm)?;
    let hash = algorithm.session(&Params::new(&[])).and_then(|session| session.hash());
    // What is no hash has a key, or another kind of session.
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
        // SAFETY: the caller's word; they do not overlap.
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
    // SAFETY: the caller's word.
    guard(|| unsafe { make(ctx, || Ok(bulat_hash_ctx(begin(algorithm)?))) })
}

/// Makes `*copy`, which goes on from here by itself.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bulat_hash_copy(
    copy: *mut *mut bulat_hash_ctx,
    ctx: *const bulat_hash_ctx,
) -> bulat_result {
    // SAFETY: the caller's word.
    guard(|| unsafe { make(copy, || Ok(bulat_hash_ctx(object(ctx)?.0.clone()))) })
}

/// Takes the next piece.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bulat_hash_update(
    ctx: *mut bulat_hash_ctx,
    piece: *const c_void,
    len: usize,
) -> bulat_result {
    guard(|| {
        // SAFETY: the caller's word.
        let (hash, piece) = unsafe { (&mut object_mut(ctx)?.0, input(piece, len)?) };
        hash.update(piece);
        Ok(())
    })
}

/// Ends the message and begins a new one. `digest_size` is the algorithm's output_size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bulat_hash_final(
    ctx: *mut bulat_hash_ctx,
    digest: *mut c_void,
    digest_size: usize,
) -> bulat_result {
    // SAFETY: the caller's word.
    guard(|| unsafe { finish(&mut object_mut(ctx)?.0, output(digest, digest_size)?) })
}

/// Forgets the message and begins a new one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bulat_hash_reset(ctx: *mut bulat_hash_ctx) -> bulat_result {
    guard(|| {
        // SAFETY: the caller's word.
        unsafe { object_mut(ctx)? }.0.reset();
        Ok(())
    })
}

/// Wipes and frees a context; null is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bulat_hash_free(ctx: *mut bulat_hash_ctx) {
    // SAFETY: the caller's word.
    unsafe { free(ctx) }
}
