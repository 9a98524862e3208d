//! Contexts in OpenSSL's hands: it makes, copies and frees them by functions of one shape for every operation.
#![allow(unsafe_code)]

use core::ffi::{c_int, c_void};

use bulat::algorithm::Algorithm;

use crate::abi::Param;
use crate::fault::{Fault, Result, border, object};
use crate::{Provider, algorithm, params};

/// A context of one operation. OpenSSL holds a pointer to it in [`Held`], and uses it from one thread at a time.
pub trait Context: Clone {
    fn new(provider: Option<&'static Provider>, a: &'static Algorithm) -> Result<Self>;
}

/// A context, and the provider for errors in its queue.
#[derive(Clone)]
struct Held<C> {
    provider: Option<&'static Provider>,
    ctx: C,
}

/// Parameters of a context.
pub trait Parameters: Context {
    /// Answers a parameter; leaves an unknown one as it is.
    fn get(&mut self, p: &mut Param) -> Result<()>;
    /// Sets parameters.
    fn set_all<'a>(&mut self, all: impl Iterator<Item = &'a Param> + Clone) -> Result<()>;
}

/// Makes a context of the table's row `I`.
///
/// # Safety
/// `provctx` is null or the pointer that `OSSL_provider_init` stored, before teardown.
pub unsafe extern "C" fn new<C: Context, const I: usize>(provctx: *mut c_void) -> *mut c_void {
    // SAFETY: `provctx` is `OSSL_provider_init`'s, or null, by this function's contract.
    let provider = unsafe { Provider::of(provctx) };
    made::<C>(provider, algorithm::<I>())
}

/// The part of [`new`] that all rows of the table share.
#[inline(never)]
fn made<C: Context>(provider: Option<&'static Provider>, a: &'static Algorithm) -> *mut c_void {
    object(provider, || Ok(Box::new(Held { provider, ctx: C::new(provider, a)? })))
}

/// Frees a context; does nothing with null.
///
/// # Safety
/// `ctx` is null or a pointer that [`new`] or [`duplicate`] returned for `C`, and is not used afterwards.
pub unsafe extern "C" fn free<C: Context>(ctx: *mut c_void) {
    border(None, || {
        if !ctx.is_null() {
            // SAFETY: `new` and `duplicate` return pointers of `Box::into_raw`, and OpenSSL frees each once.
            drop(unsafe { Box::from_raw(ctx.cast::<Held<C>>()) });
        }
        Ok(())
    });
}

/// Copies a context.
///
/// # Safety
/// `ctx` is null or a pointer that [`new`] or [`duplicate`] returned for `C`, and no call changes it now.
pub unsafe extern "C" fn duplicate<C: Context>(ctx: *mut c_void) -> *mut c_void {
    // SAFETY: the pointer is to a `Held<C>`, by this function's contract. A shared reference, since several threads may copy
    // one context at once.
    let held = unsafe { ctx.cast::<Held<C>>().as_ref() };
    object(None, || held.map(|held| Box::new(held.clone())).ok_or_else(|| Fault::new("no context")))
}

/// Runs a call on a context. Returns 1; or 0, with the error in OpenSSL's queue; or 0 if there is no context.
///
/// # Safety
/// `ctx` is null or a pointer that [`new`] or [`duplicate`] returned for `C`, and no other call uses it now.
#[inline(always)]
pub unsafe fn on<C: Context>(ctx: *mut c_void, f: impl FnOnce(&mut C) -> Result<()>) -> c_int {
    // SAFETY: the pointer is to a `Held<C>` that this call has to itself, by this function's contract.
    let Some(held) = (unsafe { ctx.cast::<Held<C>>().as_mut() }) else { return 0 };
    border(held.provider, || f(&mut held.ctx))
}

/// Defines calls on a context of the type `Ctx`.
macro_rules! calls {
    ($($(#[$doc:meta])* fn $name:ident($ctx:ident $(, $arg:ident: $type:ty)*) $body:block)*) => {$(
        $(#[$doc])*
        unsafe extern "C" fn $name(ctx: *mut c_void $(, $arg: $type)*) -> c_int {
            let call = |$ctx: &mut Ctx| -> Result<()> { $body };
            // SAFETY: OpenSSL passes a context of this operation, to one thread at a time.
            unsafe { $crate::context::on(ctx, call) }
        }
    )*};
}
pub(crate) use calls;

/// Answers an array of parameters.
///
/// # Safety
/// As [`on`]; and `params` as [`params::each_mut`] needs it.
pub unsafe extern "C" fn get_params<C: Parameters>(ctx: *mut c_void, params: *mut Param) -> c_int {
    // SAFETY: OpenSSL ends the array with a null key, and lends it to this call.
    let all = unsafe { params::each_mut(params) };
    // SAFETY: OpenSSL passes a context of this operation, to one thread at a time.
    unsafe { on(ctx, |ctx: &mut C| all.into_iter().try_for_each(|p| ctx.get(p))) }
}

/// Sets an array of parameters.
///
/// # Safety
/// As [`on`]; and `params` as [`params::each`] needs it.
pub unsafe extern "C" fn set_params<C: Parameters>(
    ctx: *mut c_void,
    params: *const Param,
) -> c_int {
    // SAFETY: OpenSSL ends the array with a null key, and leaves it as it is during this call.
    let all = unsafe { params::each(params) };
    // SAFETY: OpenSSL passes a context of this operation, to one thread at a time.
    unsafe { on(ctx, |ctx: &mut C| ctx.set_all(all)) }
}

/// Answers an array of parameters of an algorithm, of which no context is there.
///
/// # Safety
/// `params` as [`params::each_mut`] needs it.
pub unsafe fn describe(
    params: *mut Param,
    mut answer: impl FnMut(&mut Param) -> Result<()>,
) -> c_int {
    // SAFETY: the array is as `each_mut` needs it, by this function's contract.
    let mut all = unsafe { params::each_mut(params) };
    border(None, || all.try_for_each(&mut answer))
}
