//! Authenticated encryption.

use core::ffi::c_void;

use crate::border::{Fault, apart, free, guard, input, make, object, object_mut, output, through};
use crate::key::{bulat_direction, bulat_key, direction};
use crate::result::bulat_result;
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

/// Begins a message.
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
unsafe fn text<'a>(
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

/// Encrypts a message in one call, `source` to `destination`, which are one buffer of `len` bytes or two that do not
/// overlap, and writes its tag of bulat_key_tag_size(key) bytes. Never use a nonce twice under one key.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bulat_seal(
    key: *const bulat_key,
    nonce: *const c_void,
    nonce_len: usize,
    aad: *const c_void,
    aad_len: usize,
    source: *const c_void,
    destination: *mut c_void,
    len: usize,
    tag: *mut c_void,
    tag_size: usize,
) -> bulat_result {
    // SAFETY: the header requires every buffer to be valid for its length; `apart` first refuses overlaps, `border` bad
    // pointers.
    guard(|| unsafe {
        apart(&[(destination, len), (tag, tag_size)], &[(nonce, nonce_len), (aad, aad_len)])?;
        apart(&[(tag, tag_size)], &[(source, len)])?;
        let text = text(source, destination, len)?;
        let (aad, tag) = (input(aad, aad_len)?, output(tag, tag_size)?);
        whole(object(key)?, input(nonce, nonce_len)?, Work::Seal(aad, text, tag))
    })
}

/// Checks the tag of a message in constant time, then decrypts it, `source` to `destination`, which are one buffer of
/// `len` bytes or two that do not overlap. On an error nothing is decrypted, and `destination` is unchanged.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bulat_open(
    key: *const bulat_key,
    nonce: *const c_void,
    nonce_len: usize,
    aad: *const c_void,
    aad_len: usize,
    source: *const c_void,
    destination: *mut c_void,
    len: usize,
    tag: *const c_void,
    tag_size: usize,
) -> bulat_result {
    // SAFETY: the header requires every buffer to be valid for its length; `apart` first refuses overlaps, `border` bad
    // pointers.
    guard(|| unsafe {
        let read = [(nonce, nonce_len), (aad, aad_len), (tag, tag_size)];
        apart(&[(destination, len)], &read)?;
        let text = text(source, destination, len)?;
        let (aad, tag) = (input(aad, aad_len)?, input(tag, tag_size)?);
        whole(object(key)?, input(nonce, nonce_len)?, Work::Open(aad, text, tag))
    })
}

/// Begins a message: to seal it in pieces, or to open it with associated data in pieces.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bulat_aead_new(
    ctx: *mut *mut bulat_aead_ctx,
    key: *const bulat_key,
    way: bulat_direction,
    nonce: *const c_void,
    nonce_len: usize,
) -> bulat_result {
    // SAFETY: the header requires `key` to be a live key and the nonce to be readable; `border` refuses bad pointers.
    guard(|| unsafe {
        make(ctx, || {
            let (key, nonce) = (object(key)?, input(nonce, nonce_len)?);
            Ok(bulat_aead_ctx(begin(key, direction(way)?, nonce)?))
        })
    })
}

/// Makes `*copy`, which continues independently from this point. Sealing two messages under one nonce reveals their
/// keystream.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bulat_aead_copy(
    copy: *mut *mut bulat_aead_ctx,
    ctx: *const bulat_aead_ctx,
) -> bulat_result {
    // SAFETY: the header requires `ctx` to be a live context; `border` refuses null and misaligned pointers.
    guard(|| unsafe { make(copy, || Ok(bulat_aead_ctx(object(ctx)?.0.clone()))) })
}

/// Adds the next piece of the associated data, which must all come before the text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bulat_aead_aad(
    ctx: *mut bulat_aead_ctx,
    aad: *const c_void,
    len: usize,
) -> bulat_result {
    // SAFETY: the header requires `ctx` to be a live context that only this call uses, and `len` readable bytes at
    // `aad`.
    guard(|| Ok(unsafe { object_mut(ctx)?.0.aad(input(aad, len)?)? }))
}

/// Encrypts the next piece, `source` to `destination`, which are one buffer of `len` bytes or two that do not overlap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bulat_aead_update(
    ctx: *mut bulat_aead_ctx,
    source: *const c_void,
    destination: *mut c_void,
    len: usize,
) -> bulat_result {
    // SAFETY: the header requires a live context that only this call uses, and buffers of `len` bytes; `through`
    // refuses overlaps.
    guard(|| unsafe {
        let aead = &mut object_mut(ctx)?.0;
        Ok(aead.update_inout(through(source, destination, len)?)?)
    })
}

/// Ends sealing and writes the tag of bulat_key_tag_size(key) bytes. The context must be reset before its next message.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bulat_aead_final(
    ctx: *mut bulat_aead_ctx,
    tag: *mut c_void,
    tag_size: usize,
) -> bulat_result {
    // SAFETY: the header requires a live context that only this call uses, and `tag_size` writable bytes at `tag`.
    guard(|| unsafe { finish(&mut object_mut(ctx)?.0, output(tag, tag_size)?) })
}

/// Checks the tag over the associated data given so far and the whole ciphertext in constant time, then decrypts like
/// bulat_open. The context must be reset before its next message.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bulat_aead_open(
    ctx: *mut bulat_aead_ctx,
    source: *const c_void,
    destination: *mut c_void,
    len: usize,
    tag: *const c_void,
    tag_size: usize,
) -> bulat_result {
    // SAFETY: the header requires a live context and valid buffers; `apart` and `through` refuse overlaps, `border` bad
    // pointers.
    guard(|| unsafe {
        apart(&[(destination, len)], &[(tag, tag_size)])?;
        let aead = &mut object_mut(ctx)?.0;
        Ok(aead.open_inout(through(source, destination, len)?, input(tag, tag_size)?)?)
    })
}

/// Begins a new message under this key, in this direction.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bulat_aead_reset(
    ctx: *mut bulat_aead_ctx,
    nonce: *const c_void,
    nonce_len: usize,
) -> bulat_result {
    // SAFETY: the header requires a live context that only this call uses, and `nonce_len` readable bytes at `nonce`.
    guard(|| Ok(unsafe { object_mut(ctx)?.0.reset(input(nonce, nonce_len)?)? }))
}

/// Wipes and frees a context; null is ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bulat_aead_free(ctx: *mut bulat_aead_ctx) {
    // SAFETY: the header requires `ctx` to be null or a live context, which is no longer used.
    unsafe { free(ctx) }
}

/// Begins a message that releases its text BEFORE its tag is checked.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bulat_unverified_new(
    ctx: *mut *mut bulat_unverified_ctx,
    key: *const bulat_key,
    nonce: *const c_void,
    nonce_len: usize,
) -> bulat_result {
    // SAFETY: the header requires `key` to be a live key and the nonce to be readable; `border` refuses bad pointers.
    guard(|| unsafe {
        make(ctx, || {
            let (key, nonce) = (object(key)?, input(nonce, nonce_len)?);
            Ok(bulat_unverified_ctx(begin(key, Direction::Decrypt, nonce)?.unverified()?))
        })
    })
}

/// Makes `*copy`, which continues independently from this point.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bulat_unverified_copy(
    copy: *mut *mut bulat_unverified_ctx,
    ctx: *const bulat_unverified_ctx,
) -> bulat_result {
    // SAFETY: the header requires `ctx` to be a live context; `border` refuses null and misaligned pointers.
    guard(|| unsafe { make(copy, || Ok(bulat_unverified_ctx(object(ctx)?.0.clone()))) })
}

/// Adds the next piece of the associated data, which must all come before the text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bulat_unverified_aad(
    ctx: *mut bulat_unverified_ctx,
    aad: *const c_void,
    len: usize,
) -> bulat_result {
    // SAFETY: the header requires `ctx` to be a live context that only this call uses, and `len` readable bytes at
    // `aad`.
    guard(|| Ok(unsafe { object_mut(ctx)?.0.aad(input(aad, len)?)? }))
}

/// Decrypts the next piece, unverified, `source` to `destination`, which are one buffer of `len` bytes or two that do
/// not overlap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bulat_unverified_update(
    ctx: *mut bulat_unverified_ctx,
    source: *const c_void,
    destination: *mut c_void,
    len: usize,
) -> bulat_result {
    // SAFETY: the header requires a live context that only this call uses, and buffers of `len` bytes; `through`
    // refuses overlaps.
    guard(|| unsafe {
        let aead = &mut object_mut(ctx)?.0;
        Ok(aead.update_inout(through(source, destination, len)?)?)
    })
}

/// Ends the message and compares its tag in constant time. On BULAT_ERR_VERIFY discard the text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bulat_unverified_verify(
    ctx: *mut bulat_unverified_ctx,
    tag: *const c_void,
    tag_size: usize,
) -> bulat_result {
    // SAFETY: the header requires a live context that only this call uses, and `tag_size` readable bytes at `tag`.
    guard(|| Ok(unsafe { object_mut(ctx)?.0.verify(input(tag, tag_size)?)? }))
}

/// Begins a new message under this key.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bulat_unverified_reset(
    ctx: *mut bulat_unverified_ctx,
    nonce: *const c_void,
    nonce_len: usize,
) -> bulat_result {
    // SAFETY: the header requires a live context that only this call uses, and `nonce_len` readable bytes at `nonce`.
    guard(|| Ok(unsafe { object_mut(ctx)?.0.reset(input(nonce, nonce_len)?)? }))
}

/// Wipes and frees a context; null is ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bulat_unverified_free(ctx: *mut bulat_unverified_ctx) {
    // SAFETY: the header requires `ctx` to be null or a live context, which is no longer used.
    unsafe { free(ctx) }
}
