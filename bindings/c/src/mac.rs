//! Message authentication codes.

use core::ffi::c_void;

use crate::border::{Fault, apart, free, guard, input, make, object, object_mut, output};
use crate::key::bulat_key;
use crate::result::bulat_result;
use bulat::algorithm::{Kind, MacSession};
use bulat::{Direction, Error};

/// A message under a MAC. It may move between threads, but only one thread at a time may use it. Freeing wipes it.
pub struct bulat_mac_ctx(MacSession);

/// Begins a message.
fn begin(key: &bulat_key, iv: &[u8]) -> Result<MacSession, Fault> {
    if key.0.algorithm().kind != Kind::Mac {
        return Err(Error::UnknownAlgorithm.into());
    }
    Ok(key.0.session(Direction::Encrypt, iv)?.mac()?)
}

fn finish(mac: &mut MacSession, tag: &mut [u8]) -> Result<(), Fault> {
    if tag.len() != mac.tag_len() {
        return Err(Error::TagLength.into());
    }
    tag.copy_from_slice(&mac.finalize_reset()?);
    Ok(())
}

/// Computes the tag of a message in one call. `tag_size` is bulat_key_tag_size(key).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bulat_mac(
    key: *const bulat_key,
    message: *const c_void,
    len: usize,
    tag: *mut c_void,
    tag_size: usize,
) -> bulat_result {
    guard(|| {
        apart(&[(tag, tag_size)], &[(message, len)])?;
        // SAFETY: the header requires a live key and valid buffers, and `apart` has found that they do not overlap.
        let (key, message, tag) =
            unsafe { (object(key)?, input(message, len)?, output(tag, tag_size)?) };
        let mut mac = begin(key, &[])?;
        mac.update(message);
        finish(&mut mac, tag)
    })
}

/// Compares the tag of a message with `tag` in constant time. Returns BULAT_OK or BULAT_ERR_VERIFY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bulat_mac_verify(
    key: *const bulat_key,
    message: *const c_void,
    len: usize,
    tag: *const c_void,
    tag_size: usize,
) -> bulat_result {
    guard(|| {
        // SAFETY: the header requires a live key and buffers that are readable for their lengths.
        let (key, message, tag) =
            unsafe { (object(key)?, input(message, len)?, input(tag, tag_size)?) };
        let mut mac = begin(key, &[])?;
        mac.update(message);
        Ok(mac.verify_reset(tag)?)
    })
}

/// Begins a message that comes in pieces. Most MACs have no IV: pass null and 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bulat_mac_new(
    ctx: *mut *mut bulat_mac_ctx,
    key: *const bulat_key,
    iv: *const c_void,
    iv_len: usize,
) -> bulat_result {
    // SAFETY: the header requires `key` to be a live key and the IV to be readable; `border` refuses bad pointers.
    guard(|| unsafe { make(ctx, || Ok(bulat_mac_ctx(begin(object(key)?, input(iv, iv_len)?)?))) })
}

/// Makes `*copy`, which continues independently from this point.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bulat_mac_copy(
    copy: *mut *mut bulat_mac_ctx,
    ctx: *const bulat_mac_ctx,
) -> bulat_result {
    // SAFETY: the header requires `ctx` to be a live context; `border` refuses null and misaligned pointers.
    guard(|| unsafe { make(copy, || Ok(bulat_mac_ctx(object(ctx)?.0.clone()))) })
}

/// Adds the next piece.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bulat_mac_update(
    ctx: *mut bulat_mac_ctx,
    piece: *const c_void,
    len: usize,
) -> bulat_result {
    guard(|| {
        // SAFETY: the header requires a live context that only this call uses, and `len` readable bytes at `piece`.
        let (mac, piece) = unsafe { (&mut object_mut(ctx)?.0, input(piece, len)?) };
        mac.update(piece);
        Ok(())
    })
}

/// Ends the message, writes its tag and begins a new message under this key and IV.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bulat_mac_final(
    ctx: *mut bulat_mac_ctx,
    tag: *mut c_void,
    tag_size: usize,
) -> bulat_result {
    // SAFETY: the header requires a live context that only this call uses, and `tag_size` writable bytes at `tag`.
    guard(|| unsafe { finish(&mut object_mut(ctx)?.0, output(tag, tag_size)?) })
}

/// Ends the message, compares its tag with `tag` in constant time and begins a new message.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bulat_mac_final_verify(
    ctx: *mut bulat_mac_ctx,
    tag: *const c_void,
    tag_size: usize,
) -> bulat_result {
    guard(|| {
        // SAFETY: the header requires a live context that only this call uses, and `tag_size` readable bytes at `tag`.
        let (mac, tag) = unsafe { (&mut object_mut(ctx)?.0, input(tag, tag_size)?) };
        Ok(mac.verify_reset(tag)?)
    })
}

/// Discards the message and begins a new message; null and 0 select the default IV.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bulat_mac_reset(
    ctx: *mut bulat_mac_ctx,
    iv: *const c_void,
    iv_len: usize,
) -> bulat_result {
    // SAFETY: the header requires a live context that only this call uses, and `iv_len` readable bytes at `iv`.
    guard(|| Ok(unsafe { object_mut(ctx)?.0.reset(input(iv, iv_len)?)? }))
}

/// Wipes and frees a context; null is ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bulat_mac_free(ctx: *mut bulat_mac_ctx) {
    // SAFETY: the header requires `ctx` to be null or a live context, which is no longer used.
    unsafe { free(ctx) }
}
