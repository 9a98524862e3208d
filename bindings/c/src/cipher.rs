//! Encryption without authentication.

use core::ffi::c_void;

use crate::border::{Fault, apart, calls, input, make, object, object_mut, output, through, write};
use crate::key::{bulat_direction, bulat_key, direction};
use bulat::algorithm::{CipherSession, Kind};
use bulat::{Direction, Error};

/// A message under a cipher, in one direction. It may move between threads, but only one thread at a time may use it.
/// Freeing wipes it.
pub struct bulat_cipher_ctx(CipherSession);

fn begin(key: &bulat_key, way: Direction, iv: &[u8]) -> Result<CipherSession, Fault> {
    if key.0.algorithm().kind != Kind::Cipher {
        return Err(Error::UnknownAlgorithm.into());
    }
    Ok(key.0.session(way, iv)?.cipher()?)
}

/// Transforms a whole message.
///
/// # Safety
/// As [`bulat_encrypt`].
unsafe fn whole(
    key: *const bulat_key,
    way: Direction,
    (iv, iv_len): (*const c_void, usize),
    (source, len): (*const c_void, usize),
    (destination, size): (*mut c_void, usize),
    written: *mut usize,
) -> Result<(), Fault> {
    // SAFETY: the buffers are valid, as this function requires; `apart` first refuses overlaps, `border` bad pointers.
    unsafe {
        let number = (written.cast::<c_void>(), size_of::<usize>());
        apart(&[number, (destination, size)], &[(iv, iv_len)])?;
        apart(&[number], &[(source, len)])?;
        write(written, 0)?;
        if source != destination {
            apart(&[(destination, size)], &[(source, len)])?;
        }
        if size < len {
            return Err(Error::BufferLength.into());
        }
        let mut cipher = begin(object(key)?, way, input(iv, iv_len)?)?;
        let done = cipher.update_inout(through(source, destination, len)?)?;
        let end = cipher.finalize(&mut output(destination, size)?[done..])?;
        write(written, done + end)
    }
}

calls! {
    /// Encrypts a message in one call, `source` to `destination`, which are one buffer or do not overlap. `destination`
    /// has room for `size` bytes, at least the length of the text, and with padding a block more. Sets `*written` to
    /// the length of the ciphertext, or to 0 on an error; the content of `destination` is then unspecified.
    fn bulat_encrypt(
        key: *const bulat_key, iv: *const c_void, iv_len: usize, source: *const c_void, len: usize,
        destination: *mut c_void, size: usize, written: *mut usize
    ) {
        let to = (destination, size);
        whole(key, Direction::Encrypt, (iv, iv_len), (source, len), to, written)
    }
    /// Decrypts a message in one call: see bulat_encrypt.
    fn bulat_decrypt(
        key: *const bulat_key, iv: *const c_void, iv_len: usize, source: *const c_void, len: usize,
        destination: *mut c_void, size: usize, written: *mut usize
    ) {
        let to = (destination, size);
        whole(key, Direction::Decrypt, (iv, iv_len), (source, len), to, written)
    }
    /// Begins a message that comes in pieces.
    fn bulat_cipher_new(
        ctx: *mut *mut bulat_cipher_ctx, key: *const bulat_key, way: bulat_direction,
        iv: *const c_void, iv_len: usize
    ) {
        make(ctx, || {
            let (key, iv) = (object(key)?, input(iv, iv_len)?);
            Ok(bulat_cipher_ctx(begin(key, direction(way)?, iv)?))
        })
    }
    /// Makes `*copy`, which continues independently from this point.
    fn bulat_cipher_copy(copy: *mut *mut bulat_cipher_ctx, ctx: *const bulat_cipher_ctx) {
        make(copy, || Ok(bulat_cipher_ctx(object(ctx)?.0.clone())))
    }
    /// Transforms the next piece, `source` to `destination`, which are one buffer of `len` bytes or two that do not
    /// overlap. Sets `*written` to the number of bytes written to the start of `destination`, never more than `len`:
    /// ECB, CBC and XTS hold back a partial block, and blocks that may be the last.
    fn bulat_cipher_update(
        ctx: *mut bulat_cipher_ctx, source: *const c_void, destination: *mut c_void, len: usize,
        written: *mut usize
    ) {
        let number = (written.cast::<c_void>(), size_of::<usize>());
        apart(&[number, (destination, len)], &[])?;
        apart(&[number], &[(source, len)])?;
        write(written, 0)?;
        let cipher = &mut object_mut(ctx)?.0;
        write(written, cipher.update_inout(through(source, destination, len)?)?)
    }
    /// Returns the most bytes that bulat_cipher_final may write; 0 for null.
    fn bulat_cipher_held(ctx: *const bulat_cipher_ctx) -> usize = 0 => {
        Ok(object(ctx)?.0.held())
    }
    /// Ends the message and writes the bytes held back to `destination`, which has room for bulat_cipher_held(ctx)
    /// bytes. Sets `*written` to their number. A context of ECB, CBC or XTS must be reset before its next message.
    fn bulat_cipher_final(
        ctx: *mut bulat_cipher_ctx, destination: *mut c_void, size: usize, written: *mut usize
    ) {
        apart(&[(written.cast::<c_void>(), size_of::<usize>()), (destination, size)], &[])?;
        write(written, 0)?;
        write(written, object_mut(ctx)?.0.finalize(output(destination, size)?)?)
    }
    /// Begins a new message under this key, in this direction.
    fn bulat_cipher_reset(ctx: *mut bulat_cipher_ctx, iv: *const c_void, iv_len: usize) {
        Ok(object_mut(ctx)?.0.reset(input(iv, iv_len)?)?)
    }
    /// Wipes and frees a context; null is ignored.
    free bulat_cipher_free(ctx: *mut bulat_cipher_ctx);
}
