//! Ciphers, authenticated ones among them: the functions that OpenSSL calls.
//!
//! | file | contents |
//! |---|---|
//! | `context.rs` | a message: init, update, final |
//! | `params.rs` | the parameters of a context |
#![allow(unsafe_code)]

mod context;
mod params;

use core::ffi::{c_int, c_void};

use bulat::Direction;
use bulat::algorithm::{Algorithm, Kind};

use self::context::Ctx;
use crate::abi::{self, Dispatch, Param, cipher_fn as f, row};
use crate::context as ctx;
use crate::fault::Result;
use crate::names::{self, Evp};
use crate::{algorithm, params as array};

pub const fn dispatch<const I: usize>() -> &'static [Dispatch] {
    const {
        &[
            row!(f::NEWCTX, ctx::new::<Ctx, I> => abi::NewCtx),
            row!(f::ENCRYPT_INIT, encrypt_init => f::Init),
            row!(f::DECRYPT_INIT, decrypt_init => f::Init),
            row!(f::UPDATE, update => f::Update),
            row!(f::FINAL, finalize => abi::CtxFinal),
            row!(f::CIPHER, at_once => f::Update),
            row!(f::FREECTX, ctx::free::<Ctx> => abi::FreeCtx),
            row!(f::DUPCTX, ctx::duplicate::<Ctx> => abi::DupCtx),
            row!(f::GET_PARAMS, get_params::<I> => abi::GetParams),
            row!(f::GET_CTX_PARAMS, ctx::get_params::<Ctx> => abi::GetCtxParams),
            row!(f::SET_CTX_PARAMS, ctx::set_params::<Ctx> => abi::SetCtxParams),
            row!(f::GETTABLE_PARAMS, gettable => abi::Gettable),
            row!(f::GETTABLE_CTX_PARAMS, params::gettable::<I> => abi::CtxGettable),
            row!(f::SETTABLE_CTX_PARAMS, params::settable::<I> => abi::CtxGettable),
            Dispatch::END,
        ]
    }
}

array::known!(fn gettable(_): "mode" UNSIGNED_INTEGER, "keylen" UNSIGNED_INTEGER, "ivlen" UNSIGNED_INTEGER,
    "blocksize" UNSIGNED_INTEGER, "aead" INTEGER, "custom-iv" INTEGER, "cts" INTEGER, "tls-multi" INTEGER,
    "has-randkey" INTEGER);

unsafe extern "C" fn get_params<const I: usize>(params: *mut Param) -> c_int {
    // SAFETY: as OpenSSL passes them.
    unsafe { describe(algorithm::<I>(), params) }
}

/// Answers for any row of the table.
///
/// # Safety
/// OpenSSL ends the array with a null key, and lends it to this call.
#[inline(never)]
unsafe fn describe(a: &Algorithm, params: *mut Param) -> c_int {
    let evp = Evp::of(a);
    // SAFETY: by this function's contract.
    unsafe {
        ctx::describe(params, |p| match p.key() {
            "mode" => p.put_number(evp.mode),
            "keylen" => p.put_number(a.key as u64),
            "ivlen" => p.put_number(names::iv_len(a) as u64),
            "blocksize" => p.put_number(evp.block(a) as u64),
            "aead" | "custom-iv" => p.put_number(u64::from(a.kind == Kind::Aead)),
            "cts" | "tls-multi" | "has-randkey" => p.put_number(0),
            _ => Ok(()),
        })
    }
}

/// Begins a message: both inits of EVP.
///
/// # Safety
/// `params` as OpenSSL passes them; `key` and `iv` are pairs of a pointer, which may be null, and the number of bytes there.
unsafe fn init(
    direction: Direction,
    ctx: &mut Ctx,
    key: (*const u8, usize),
    iv: (*const u8, usize),
    params: *const Param,
) -> Result<()> {
    // SAFETY: OpenSSL ends the array with a null key, and leaves it as it is during this call.
    let all = unsafe { array::each(params) };
    // A null pointer means "as before", whatever its length.
    let given = |(at, len): (*const u8, usize)| {
        // SAFETY: `at` is not null, so it points to `len` bytes, by this function's contract.
        if at.is_null() { Ok(&[][..]) } else { unsafe { crate::input(at, len) } }
    };
    ctx.init(direction, given(key)?, given(iv)?, all)
}

ctx::calls! {
    fn encrypt_init(
        ctx, key: *const u8, key_len: usize, iv: *const u8, iv_len: usize, params: *const Param
    ) {
        // SAFETY: OpenSSL passes each pointer with the length of its buffer.
        unsafe { init(Direction::Encrypt, ctx, (key, key_len), (iv, iv_len), params) }
    }
    fn decrypt_init(
        ctx, key: *const u8, key_len: usize, iv: *const u8, iv_len: usize, params: *const Param
    ) {
        // SAFETY: OpenSSL passes each pointer with the length of its buffer.
        unsafe { init(Direction::Decrypt, ctx, (key, key_len), (iv, iv_len), params) }
    }
}

/// Runs a call that writes. Stores the number of bytes that `f` wrote in `out_len`, 0 after an error.
///
/// # Safety
/// `ctx` as OpenSSL passes it; `out_len` is null or points to a number that only this call uses.
#[inline(always)]
unsafe fn writes(
    ctx: *mut c_void,
    out_len: *mut usize,
    f: impl FnOnce(&mut Ctx) -> Result<usize>,
) -> c_int {
    // SAFETY: `out_len` is null or points to a number of this call, by this function's contract.
    let Some(out_len) = (unsafe { out_len.as_mut() }) else { return 0 };
    *out_len = 0;
    let write = |ctx: &mut Ctx| {
        *out_len = f(ctx)?;
        Ok(())
    };
    // SAFETY: OpenSSL passes a context of this operation, to one thread at a time.
    unsafe { ctx::on(ctx, write) }
}

unsafe extern "C" fn update(
    ctx: *mut c_void,
    out: *mut u8,
    out_len: *mut usize,
    room: usize,
    from: *const u8,
    len: usize,
) -> c_int {
    // SAFETY: `from` has `len` bytes, and `out` the room that EVP_EncryptUpdate(3) promises for them.
    let update = |ctx: &mut Ctx| unsafe { ctx.update(out, room, from, len) };
    // SAFETY: `out_len` is a variable of OpenSSL.
    unsafe { writes(ctx, out_len, update) }
}

unsafe extern "C" fn finalize(
    ctx: *mut c_void,
    out: *mut u8,
    out_len: *mut usize,
    room: usize,
) -> c_int {
    // SAFETY: `out` has room for a block: EVP_EncryptFinal(3).
    let finalize = |ctx: &mut Ctx| unsafe { ctx.finalize(out, room) };
    // SAFETY: `out_len` is a variable of OpenSSL.
    unsafe { writes(ctx, out_len, finalize) }
}

unsafe extern "C" fn at_once(
    ctx: *mut c_void,
    out: *mut u8,
    out_len: *mut usize,
    room: usize,
    from: *const u8,
    len: usize,
) -> c_int {
    // SAFETY: `from` has `len` bytes, and `out` the room that EVP_Cipher(3) promises for them.
    let at_once = |ctx: &mut Ctx| unsafe { ctx.at_once(out, room, from, len) };
    // SAFETY: `out_len` is a variable of OpenSSL.
    unsafe { writes(ctx, out_len, at_once) }
}
