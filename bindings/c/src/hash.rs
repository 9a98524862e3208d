//! Hash functions.

use core::ffi::c_void;

use crate::algorithm::{bulat_algorithm, own};
use crate::border::{Fault, apart, calls, input, make, object, object_mut, output};
use bulat::Error;
use bulat::algorithm::{HashSession, Params};

/// A message being hashed. It may move between threads, but only one thread at a time may use it. Freeing wipes it.
pub struct bulat_hash_ctx(HashSession);

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

calls! {
    /// Hashes a message in one call. `digest_size` is the algorithm's output_size.
    fn bulat_hash(
        algorithm: *const bulat_algorithm, message: *const c_void, len: usize, digest: *mut c_void,
        digest_size: usize
    ) {
        let mut hash = begin(algorithm)?;
        apart(&[(digest, digest_size)], &[(message, len)])?;
        let (message, digest) = (input(message, len)?, output(digest, digest_size)?);
        hash.update(message);
        finish(&mut hash, digest)
    }
    /// Begins a message that comes in pieces.
    fn bulat_hash_new(ctx: *mut *mut bulat_hash_ctx, algorithm: *const bulat_algorithm) {
        make(ctx, || Ok(bulat_hash_ctx(begin(algorithm)?)))
    }
    /// Makes `*copy`, which continues independently from this point.
    fn bulat_hash_copy(copy: *mut *mut bulat_hash_ctx, ctx: *const bulat_hash_ctx) {
        make(copy, || Ok(bulat_hash_ctx(object(ctx)?.0.clone())))
    }
    /// Adds the next piece.
    fn bulat_hash_update(ctx: *mut bulat_hash_ctx, piece: *const c_void, len: usize) {
        object_mut(ctx)?.0.update(input(piece, len)?);
        Ok(())
    }
    /// Ends the message, writes its digest and begins a new message. `digest_size` is the algorithm's output_size.
    fn bulat_hash_final(ctx: *mut bulat_hash_ctx, digest: *mut c_void, digest_size: usize) {
        finish(&mut object_mut(ctx)?.0, output(digest, digest_size)?)
    }
    /// Discards the message and begins a new message.
    fn bulat_hash_reset(ctx: *mut bulat_hash_ctx) {
        object_mut(ctx)?.0.reset();
        Ok(())
    }
    /// Wipes and frees a context; null is ignored.
    free bulat_hash_free(ctx: *mut bulat_hash_ctx);
}
