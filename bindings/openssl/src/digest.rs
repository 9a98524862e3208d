//! Digests.
#![allow(unsafe_code)]

use core::ffi::{c_int, c_void};

use bulat::algorithm::{Algorithm, HashSession, Params};

use crate::abi::{self, Dispatch, Param, digest_fn as f, row};
use crate::context::{self, Context};
use crate::fault::{Fault, Result, border};
use crate::{Provider, algorithm, params};

/// A message being hashed.
#[derive(Clone)]
struct Ctx {
    session: HashSession,
    size: usize,
}

impl Context for Ctx {
    fn new(_: Option<&'static Provider>, a: &'static Algorithm) -> Result<Self> {
        Ok(Ctx { session: session(a)?, size: a.out })
    }
}

pub const fn dispatch<const I: usize>() -> &'static [Dispatch] {
    const {
        &[
            row!(f::NEWCTX, context::new::<Ctx, I> => abi::NewCtx),
            row!(f::INIT, init => abi::CtxInit),
            row!(f::UPDATE, update => abi::CtxUpdate),
            row!(f::FINAL, finalize => abi::CtxFinal),
            row!(f::DIGEST, digest::<I> => f::Digest),
            row!(f::FREECTX, context::free::<Ctx> => abi::FreeCtx),
            row!(f::DUPCTX, context::duplicate::<Ctx> => abi::DupCtx),
            row!(f::GET_PARAMS, get_params::<I> => abi::GetParams),
            row!(f::GETTABLE_PARAMS, gettable => abi::Gettable),
            Dispatch::END,
        ]
    }
}

params::known!(fn gettable(_): "blocksize" UNSIGNED_INTEGER, "size" UNSIGNED_INTEGER, "xof" INTEGER,
    "algid-absent" INTEGER);

unsafe extern "C" fn get_params<const I: usize>(params: *mut Param) -> c_int {
    let a = algorithm::<I>();
    // SAFETY: OpenSSL ends the array with a null key, and lends it to this call.
    unsafe {
        context::describe(params, |p| match p.key() {
            "blocksize" => p.put_number(a.block as u64),
            "size" => p.put_number(a.out as u64),
            "xof" | "algid-absent" => p.put_number(0),
            _ => Ok(()),
        })
    }
}

fn session(a: &Algorithm) -> Result<HashSession> {
    Ok(a.session(&Params::new(&[]))?.hash()?)
}

context::calls! {
    fn init(ctx, params: *const Param) {
        // SAFETY: OpenSSL ends the array with a null key, and leaves it as it is during this call.
        for p in unsafe { params::each(params) } {
            match p.key() {
                "xoflen" | "size" if p.size()? != ctx.size => {
                    return Err(Fault::new("the digest has a fixed size").about(p.key()));
                }
                "ssl3-ms" | "pad-type" | "function-name" | "customization" => {
                    return Err(p.unknown());
                }
                // OpenSSL's signatures pass their own parameters on to the digest.
                _ => {}
            }
        }
        ctx.session.reset();
        Ok(())
    }
    fn update(ctx, data: *const u8, len: usize) {
        // SAFETY: OpenSSL passes the application's buffer of `len` bytes, which nobody changes during the call.
        ctx.session.update(unsafe { crate::input(data, len) }?);
        Ok(())
    }
    fn finalize(ctx, out: *mut u8, out_len: *mut usize, out_size: usize) {
        // SAFETY: `out` has room for `out_size` bytes, and `out_len` is OpenSSL's variable or null.
        unsafe { end(&mut ctx.session, out, out_len, out_size) }
    }
}

/// Writes the digest.
///
/// # Safety
/// `out` is null or has room for `out_size` bytes; `out_len` is null or points to a number.
unsafe fn end(
    session: &mut HashSession,
    out: *mut u8,
    out_len: *mut usize,
    out_size: usize,
) -> Result<()> {
    // SAFETY: both pointers are valid or null, by this function's contract, and do not overlap: one is the
    // application's buffer, the other a variable of OpenSSL.
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
    // SAFETY: OpenSSL passes the pointer that `OSSL_provider_init` stored.
    border(unsafe { Provider::of(provctx) }, || {
        let mut session = session(algorithm::<I>())?;
        // SAFETY: `data` has `len` bytes, and the slice of them ends before `out`, which may overlap it, is written.
        session.update(unsafe { crate::input(data, len) }?);
        // SAFETY: `out` has room for `out_size` bytes, and `out_len` is OpenSSL's variable or null.
        unsafe { end(&mut session, out, out_len, out_size) }
    })
}
