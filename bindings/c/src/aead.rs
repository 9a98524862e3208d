//! Authenticated encryption.

use core::ffi::c_void;

use crate::border::{Fault, apart, calls, input, make, object, object_mut, output, through};
use crate::key::{bulat_direction, bulat_key, direction};
use bulat::algorithm::{AeadSession, Kind, Message, UnverifiedSession, Work};
use bulat::batch::Text;
use bulat::{Direction, Error};

/// A message under authenticated encryption, in one direction. It may move between threads, but only one thread at a
/// time may use it. Freeing wipes it.
pub struct bulat_aead_ctx(AeadSession);

/// A message that is decrypted in pieces, which are released before its tag is checked: until bulat_unverified_verify
/// returns BULAT_OK the text may be anything that an attacker wants. For interfaces that cannot hold a message. It may
/// move between threads, but only one thread at a time may use it. Freeing wipes it.
pub struct bulat_unverified_ctx(UnverifiedSession);

fn begin(key: &bulat_key, way: Direction, nonce: &[u8]) -> Result<AeadSession, Fault> {
    if key.0.algorithm().kind != Kind::Aead {
        return Err(Error::UnknownAlgorithm.into());
    }
    Ok(key.0.session(way, nonce)?.aead()?)
}

fn finish(aead: &mut AeadSession, tag: &mut [u8]) -> Result<(), Fault> {
    if tag.len() != aead.tag_len() {
        return Err(Error::TagLength.into());
    }
    tag.copy_from_slice(&aead.finalize()?);
    Ok(())
}

/// Processes a whole message, under the key itself.
fn whole(key: &bulat_key, nonce: &[u8], work: Work<'_>) -> Result<(), Fault> {
    if key.0.algorithm().kind != Kind::Aead {
        return Err(Error::UnknownAlgorithm.into());
    }
    Ok(Message { key: &key.0, iv: nonce, work }.run()?)
}

/// The text from a source to a destination, which may be the same buffer.
///
/// # Safety
/// As [`bulat_seal`].
pub(crate) unsafe fn text<'a>(
    source: *const c_void,
    destination: *mut c_void,
    len: usize,
) -> Result<Text<'a>, Fault> {
    // SAFETY: the caller's; `through` has refused buffers that overlap in part.
    unsafe {
        through(source, destination, len)?;
        Ok(if source == destination {
            Text::InPlace(output(destination, len)?)
        } else {
            Text::Apart(input(source, len)?, output(destination, len)?)
        })
    }
}

calls! {
    /// Encrypts a message in one call, `source` to `destination`, which are one buffer of `len` bytes or two that do
    /// not overlap, and writes its tag of bulat_key_tag_size(key) bytes. Never use a nonce twice under one key.
    fn bulat_seal(
        key: *const bulat_key, nonce: *const c_void, nonce_len: usize, aad: *const c_void,
        aad_len: usize, source: *const c_void, destination: *mut c_void, len: usize,
        tag: *mut c_void, tag_size: usize
    ) {
        apart(&[(destination, len), (tag, tag_size)], &[(nonce, nonce_len), (aad, aad_len)])?;
        apart(&[(tag, tag_size)], &[(source, len)])?;
        let text = text(source, destination, len)?;
        let (aad, tag) = (input(aad, aad_len)?, output(tag, tag_size)?);
        whole(object(key)?, input(nonce, nonce_len)?, Work::Seal(aad, text, tag))
    }
    /// Checks the tag of a message in constant time, then decrypts it, `source` to `destination`, which are one buffer
    /// of `len` bytes or two that do not overlap. On an error nothing is decrypted, and `destination` is unchanged.
    fn bulat_open(
        key: *const bulat_key, nonce: *const c_void, nonce_len: usize, aad: *const c_void,
        aad_len: usize, source: *const c_void, destination: *mut c_void, len: usize,
        tag: *const c_void, tag_size: usize
    ) {
        let read = [(nonce, nonce_len), (aad, aad_len), (tag, tag_size)];
        apart(&[(destination, len)], &read)?;
        let text = text(source, destination, len)?;
        let (aad, tag) = (input(aad, aad_len)?, input(tag, tag_size)?);
        whole(object(key)?, input(nonce, nonce_len)?, Work::Open(aad, text, tag))
    }
    /// Begins a message: to seal it in pieces, or to open it with associated data in pieces.
    fn bulat_aead_new(
        ctx: *mut *mut bulat_aead_ctx, key: *const bulat_key, way: bulat_direction,
        nonce: *const c_void, nonce_len: usize
    ) {
        make(ctx, || {
            let (key, nonce) = (object(key)?, input(nonce, nonce_len)?);
            Ok(bulat_aead_ctx(begin(key, direction(way)?, nonce)?))
        })
    }
    /// Makes `*copy`, which continues independently from this point. Sealing two messages under one nonce reveals their
    /// keystream.
    fn bulat_aead_copy(copy: *mut *mut bulat_aead_ctx, ctx: *const bulat_aead_ctx) {
        make(copy, || Ok(bulat_aead_ctx(object(ctx)?.0.clone())))
    }
    /// Adds the next piece of the associated data, which must all come before the text.
    fn bulat_aead_aad(ctx: *mut bulat_aead_ctx, aad: *const c_void, len: usize) {
        Ok(object_mut(ctx)?.0.aad(input(aad, len)?)?)
    }
    /// Encrypts the next piece, `source` to `destination`, which are one buffer of `len` bytes or two that do not
    /// overlap.
    fn bulat_aead_update(
        ctx: *mut bulat_aead_ctx, source: *const c_void, destination: *mut c_void, len: usize
    ) {
        let aead = &mut object_mut(ctx)?.0;
        Ok(aead.update_inout(through(source, destination, len)?)?)
    }
    /// Ends sealing and writes the tag of bulat_key_tag_size(key) bytes. The context must be reset before its next
    /// message.
    fn bulat_aead_final(ctx: *mut bulat_aead_ctx, tag: *mut c_void, tag_size: usize) {
        finish(&mut object_mut(ctx)?.0, output(tag, tag_size)?)
    }
    /// Checks the tag over the associated data given so far and the whole ciphertext in constant time, then decrypts
    /// like bulat_open. The context must be reset before its next message.
    fn bulat_aead_open(
        ctx: *mut bulat_aead_ctx, source: *const c_void, destination: *mut c_void, len: usize,
        tag: *const c_void, tag_size: usize
    ) {
        apart(&[(destination, len)], &[(tag, tag_size)])?;
        let aead = &mut object_mut(ctx)?.0;
        Ok(aead.open_inout(through(source, destination, len)?, input(tag, tag_size)?)?)
    }
    /// Begins a new message under this key, in this direction.
    fn bulat_aead_reset(ctx: *mut bulat_aead_ctx, nonce: *const c_void, nonce_len: usize) {
        Ok(object_mut(ctx)?.0.reset(input(nonce, nonce_len)?)?)
    }
    /// Wipes and frees a context; null is ignored.
    free bulat_aead_free(ctx: *mut bulat_aead_ctx);
    /// Begins a message that releases its text BEFORE its tag is checked.
    fn bulat_unverified_new(
        ctx: *mut *mut bulat_unverified_ctx, key: *const bulat_key, nonce: *const c_void,
        nonce_len: usize
    ) {
        make(ctx, || {
            let (key, nonce) = (object(key)?, input(nonce, nonce_len)?);
            Ok(bulat_unverified_ctx(begin(key, Direction::Decrypt, nonce)?.unverified()?))
        })
    }
    /// Makes `*copy`, which continues independently from this point.
    fn bulat_unverified_copy(copy: *mut *mut bulat_unverified_ctx, ctx: *const bulat_unverified_ctx) {
        make(copy, || Ok(bulat_unverified_ctx(object(ctx)?.0.clone())))
    }
    /// Adds the next piece of the associated data, which must all come before the text.
    fn bulat_unverified_aad(ctx: *mut bulat_unverified_ctx, aad: *const c_void, len: usize) {
        Ok(object_mut(ctx)?.0.aad(input(aad, len)?)?)
    }
    /// Decrypts the next piece, unverified, `source` to `destination`, which are one buffer of `len` bytes or two that
    /// do not overlap.
    fn bulat_unverified_update(
        ctx: *mut bulat_unverified_ctx, source: *const c_void, destination: *mut c_void, len: usize
    ) {
        let aead = &mut object_mut(ctx)?.0;
        Ok(aead.update_inout(through(source, destination, len)?)?)
    }
    /// Ends the message and compares its tag in constant time. On BULAT_ERR_VERIFY discard the text.
    fn bulat_unverified_verify(ctx: *mut bulat_unverified_ctx, tag: *const c_void, tag_size: usize) {
        Ok(object_mut(ctx)?.0.verify(input(tag, tag_size)?)?)
    }
    /// Begins a new message under this key.
    fn bulat_unverified_reset(ctx: *mut bulat_unverified_ctx, nonce: *const c_void, nonce_len: usize) {
        Ok(object_mut(ctx)?.0.reset(input(nonce, nonce_len)?)?)
    }
    /// Wipes and frees a context; null is ignored.
    free bulat_unverified_free(ctx: *mut bulat_unverified_ctx);
}
