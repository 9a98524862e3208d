//! Message authentication codes.

use core::ffi::c_void;

use crate::border::{Fault, apart, calls, input, make, object, object_mut, output};
use crate::key::bulat_key;
use bulat::algorithm::{Kind, MacSession};
use bulat::{Direction, Error};

/// A message under a MAC. It may move between threads, but only one thread at a time may use it. Freeing wipes it.
pub struct bulat_mac_ctx(MacSession);

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

calls! {
    /// Computes the tag of a message in one call. `tag_size` is bulat_key_tag_size(key).
    fn bulat_mac(
        key: *const bulat_key, message: *const c_void, len: usize, tag: *mut c_void,
        tag_size: usize
    ) {
        apart(&[(tag, tag_size)], &[(message, len)])?;
        let (key, message, tag) = (object(key)?, input(message, len)?, output(tag, tag_size)?);
        let mut mac = begin(key, &[])?;
        mac.update(message);
        finish(&mut mac, tag)
    }
    /// Compares the tag of a message with `tag` in constant time. Returns BULAT_OK or BULAT_ERR_VERIFY.
    fn bulat_mac_verify(
        key: *const bulat_key, message: *const c_void, len: usize, tag: *const c_void,
        tag_size: usize
    ) {
        let (key, message, tag) = (object(key)?, input(message, len)?, input(tag, tag_size)?);
        let mut mac = begin(key, &[])?;
        mac.update(message);
        Ok(mac.verify_reset(tag)?)
    }
    /// Begins a message that comes in pieces. Most MACs have no IV: pass null and 0.
    fn bulat_mac_new(
        ctx: *mut *mut bulat_mac_ctx, key: *const bulat_key, iv: *const c_void, iv_len: usize
    ) {
        make(ctx, || Ok(bulat_mac_ctx(begin(object(key)?, input(iv, iv_len)?)?)))
    }
    /// Makes `*copy`, which continues independently from this point.
    fn bulat_mac_copy(copy: *mut *mut bulat_mac_ctx, ctx: *const bulat_mac_ctx) {
        make(copy, || Ok(bulat_mac_ctx(object(ctx)?.0.clone())))
    }
    /// Adds the next piece.
    fn bulat_mac_update(ctx: *mut bulat_mac_ctx, piece: *const c_void, len: usize) {
        object_mut(ctx)?.0.update(input(piece, len)?);
        Ok(())
    }
    /// Ends the message, writes its tag and begins a new message under this key and IV.
    fn bulat_mac_final(ctx: *mut bulat_mac_ctx, tag: *mut c_void, tag_size: usize) {
        finish(&mut object_mut(ctx)?.0, output(tag, tag_size)?)
    }
    /// Ends the message, compares its tag with `tag` in constant time and begins a new message.
    fn bulat_mac_final_verify(ctx: *mut bulat_mac_ctx, tag: *const c_void, tag_size: usize) {
        Ok(object_mut(ctx)?.0.verify_reset(input(tag, tag_size)?)?)
    }
    /// Discards the message and begins a new message; null and 0 select the default IV.
    fn bulat_mac_reset(ctx: *mut bulat_mac_ctx, iv: *const c_void, iv_len: usize) {
        Ok(object_mut(ctx)?.0.reset(input(iv, iv_len)?)?)
    }
    /// Wipes and frees a context; null is ignored.
    free bulat_mac_free(ctx: *mut bulat_mac_ctx);
}
