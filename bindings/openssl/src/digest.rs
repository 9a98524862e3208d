//! Digests.
#![allow(unsafe_code)]

use core::ffi::{c_int, c_void};

use bulat::algorithm::{Algorithm, HashSession, Params};

use crate::abi::{self, Dispatch, Param, digest_fn as f, row};
use crate::fault::{Fault, Result, border, object};
use crate::{Provider, algorithm, params};

/// A message being hashed.
struct Ctx {
    provider: Option<&'static Provider>,
    session: HashSession,
    size: usize,
}

pub const fn dispatch<const I: usize>() -> &'static [Dispatch] {
    const {
        &[
            row!(f::NEWCTX, newctx::<I> => abi::NewCtx),
            row!(f::INIT, init => abi::CtxInit),
            row!(f::UPDATE, update => abi::CtxUpdate),
            row!(f::FINAL, finalize => abi::CtxFinal),
            row!(f::DIGEST, digest::<I> => f::Digest),
            row!(f::FREECTX, freectx => abi::FreeCtx),
            row!(f::DUPCTX, dupctx => abi::DupCtx),
            row!(f::GET_PARAMS, get_params::<I> => abi::GetParams),
            row!(f::GETTABLE_PARAMS, gettable => abi::Gettable),
            Dispatch::END,
        ]
    }
}

params::known!(GETTABLE: "blocksize" UNSIGNED_INTEGER, "size" UNSIGNED_INTEGER, "xof" INTEGER,
    "algid-absent" INTEGER);

unsafe extern "C" fn gettable(_: *mut c_void) -> *const Param {
    GETTABLE.0.as_ptr()
}

unsafe extern "C" fn get_params<const I: usize>(params: *mut Param) -> c_int {
    border(None, || {
        let a = algorithm::<I>();
        // SAFETY: OpenSSL's array.
        for p in unsafe { params::each_mut(params) } {
            match p.key() {
                "blocksize" => p.put_number(a.block as u64)?,
                "size" => p.put_number(a.out as u64)?,
                "xof" | "algid-absent" => p.put_number(0)?,
                _ => {}
            }
        }
        Ok(())
    })
}

fn session(a: &Algorithm) -> Result<HashSession> {
    Ok(a.session(&Params::new(&[]))?.hash()?)
}

/// The context that OpenSSL holds.
///
/// # Safety
/// `ctx` is what `newctx` or `dupctx` gave, and no other call uses it now; or null.
unsafe fn of<'a>(ctx: *mut c_void) -> Option<&'a mut Ctx> {
    // SAFETY: made by Box::into_raw; a context is one thread's at a time, by OpenSSL's rule.
    unsafe { ctx.cast::<Ctx>().as_mut() }
}

unsafe extern "C" fn newctx<const I: usize>(provctx: *mut c_void) -> *mut c_void {
    // SAFETY: OpenSSL's pointer.
    let provider = unsafe { Provider::of(provctx) };
    let a = algorithm::<I>();
    object(provider, || Ok(Box::new(Ctx { provider, session: session(a)?, size: a.out })))
}

unsafe extern "C" fn freectx(ctx: *mut c_void) {
    border(None, || {
        if !ctx.is_null() {
            // SAFETY: made by Box::into_raw, and OpenSSL frees it once.
            drop(unsafe { Box::from_raw(ctx.cast::<Ctx>()) });
        }
        Ok(())
    });
}

unsafe extern "C" fn dupctx(ctx: *mut c_void) -> *mut c_void {
    // SAFETY: what `newctx` or `dupctx` gave, or null. Only read: several threads may copy one context.
    let ctx = unsafe { ctx.cast::<Ctx>().as_ref() };
    object(None, || {
        let ctx = ctx.ok_or_else(no_context)?;
        let session = ctx.session.clone();
        Ok(Box::new(Ctx { provider: ctx.provider, session, size: ctx.size }))
    })
}

#[cold]
fn no_context() -> Fault {
    Fault::new("no context")
}

unsafe extern "C" fn init(ctx: *mut c_void, params: *const Param) -> c_int {
    // SAFETY: OpenSSL's pointer.
    let Some(ctx) = (unsafe { of(ctx) }) else { return 0 };
    border(ctx.provider, || {
        // SAFETY: OpenSSL's array.
        for p in unsafe { params::each(params) } {
            match p.key() {
                "xoflen" | "size" if p.size()? != ctx.size => {
                    return Err(Fault::new("the digest has another size").about(p.key()));
                }
                "ssl3-ms" | "pad-type" | "function-name" | "customization" => {
                    return Err(p.unknown());
                }
                // OpenSSL's signatures hand their own parameters to the digest.
                _ => {}
            }
        }
        ctx.session.reset();
        Ok(())
    })
}

unsafe extern "C" fn update(ctx: *mut c_void, data: *const u8, len: usize) -> c_int {
    // SAFETY: OpenSSL's pointer.
    let Some(ctx) = (unsafe { of(ctx) }) else { return 0 };
    border(ctx.provider, || {
        // SAFETY: the caller's bytes.
        ctx.session.update(unsafe { crate::input(data, len) }?);
        Ok(())
    })
}

unsafe extern "C" fn finalize(
    ctx: *mut c_void,
    out: *mut u8,
    out_len: *mut usize,
    out_size: usize,
) -> c_int {
    // SAFETY: OpenSSL's pointer.
    let Some(ctx) = (unsafe { of(ctx) }) else { return 0 };
    // SAFETY: the caller's room.
    border(ctx.provider, || unsafe { end(&mut ctx.session, out, out_len, out_size) })
}

/// Writes the digest.
///
/// # Safety
/// `out` has `out_size` bytes, or is null; `out_len` is a place for a number, or null.
unsafe fn end(
    session: &mut HashSession,
    out: *mut u8,
    out_len: *mut usize,
    out_size: usize,
) -> Result<()> {
    // SAFETY: as this function's.
    let (out, out_len) = unsafe { (crate::output(out, out_size)?, out_len.as_mut()) };
    let n = session.finalize_reset(out)?;
    if let Some(len) = out_len {
        *len = n;
    }
    Ok(())
}

unsafe extern "C" fn digest<const I: usize>(
    provctx: *mut c_void,
    data: *const u8,
    len: usize,
    out: *mut u8,
    out_len: *mut usize,
    out_size: usize,
) -> c_int {
    // SAFETY: OpenSSL's pointer.
    border(unsafe { Provider::of(provctx) }, || {
        let mut session = session(algorithm::<I>())?;
        // SAFETY: the caller's bytes and room.
        unsafe {
            session.update(crate::input(data, len)?);
            end(&mut session, out, out_len, out_size)
        }
    })
}
