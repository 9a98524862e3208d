//! Key derivation.
#![allow(unsafe_code)]

use core::ffi::{c_int, c_void};

use bulat::Error;
use bulat::algorithm::{Algorithm, KdfParams};
use bulat::kdf::{hkdf_expand, hkdf_extract};
use zeroize::Zeroizing;

use crate::abi::{self, Dispatch, Param, kdf_fn as f, row};
use crate::fault::{Fault, Result, border, object};
use crate::{Provider, algorithm, names, params};

/// What a caller has set. What means nothing to the function is refused at the end.
#[derive(Clone, Default)]
struct Given {
    /// Key, secret or password: None where none was given; an empty one is a key, too.
    key: Option<Zeroizing<Vec<u8>>>,
    /// None where none was given: PBKDF2 wants one.
    salt: Option<Zeroizing<Vec<u8>>>,
    /// The seed; TLSTREE: the number of the record; HKDF: what it calls info.
    seed: Zeroizing<Vec<u8>>,
    label: Vec<u8>,
    iterations: Option<u64>,
    /// Bytes of KDF_TREE's counter.
    counter: Option<u64>,
    cipher: Option<String>,
    /// A digest by name: the function's own.
    digest: Option<String>,
    tree_mode: Option<String>,
    /// HKDF: both steps, or one.
    mode: Option<u64>,
}

const BOTH: u64 = 0;
const EXTRACT: u64 = 1;

impl Given {
    fn derive(&self, a: &Algorithm, out: &mut [u8]) -> Result<()> {
        let key = self.key.as_ref().ok_or_else(|| Fault::new("no key has been set"))?;
        if self.salt.is_none() && a.name.starts_with("pbkdf2-") {
            return Err(Fault::new("no salt has been set"));
        }
        let salt = self.salt.as_ref().map_or(&[][..], |salt| &salt[..]);
        let (tree, hkdf) = (a.name == "tlstree", a.name.starts_with("hkdf-"));
        let foreign = [
            ("digest", self.digest.as_ref().is_some_and(|name| !names::is_over(a, name))),
            ("cipher", !tree && self.cipher.is_some()),
            ("tlstree_mode", !tree && self.tree_mode.is_some()),
            ("mode", !hkdf && self.mode.is_some()),
        ];
        if let Some((name, _)) = foreign.iter().find(|(_, foreign)| *foreign) {
            return Err(Fault::new("a parameter that means nothing here").about(name));
        }
        let mut p = KdfParams { key, salt, label: &self.label, ..KdfParams::default() };
        if tree {
            let cipher = self.cipher.as_deref().unwrap_or("kuznyechik-ctr");
            p.masks = names::tls_masks(cipher, self.tree_mode.as_deref());
            let record = self.seed[..].try_into();
            let record =
                record.map_err(|_| Fault::new("seed, the number of a record, has 8 bytes"))?;
            p.record = Some(u64::from_be_bytes(record));
        } else {
            p.seed = &self.seed;
        }
        let number = |n: u64| u32::try_from(n).map_err(|_| Error::Parameter);
        p.iterations = self.iterations.map(number).transpose()?;
        p.counter = self.counter.map(number).transpose()?.map(|n| n as usize);
        match (self.mode, a.name) {
            (None | Some(BOTH), _) => Ok(a.derive(&p, out)?),
            (Some(mode), "hkdf-streebog256") => one_step::<32>(mode, &p, out),
            (Some(mode), _) => one_step::<64>(mode, &p, out),
        }
    }
}

/// One step of HKDF.
fn one_step<const N: usize>(mode: u64, p: &KdfParams<'_>, out: &mut [u8]) -> Result<()> {
    match mode {
        EXTRACT if out.len() == N => {
            out.copy_from_slice(&*hkdf_extract::<N>(p.salt, p.key));
            Ok(())
        }
        EXTRACT => Err(Error::BufferLength.into()),
        _ => Ok(hkdf_expand::<N>(p.key, p.seed, out)?),
    }
}

#[derive(Clone)]
struct Ctx {
    provider: Option<&'static Provider>,
    algorithm: &'static Algorithm,
    given: Given,
}

pub const fn dispatch<const I: usize>() -> &'static [Dispatch] {
    const {
        &[
            row!(f::NEWCTX, newctx::<I> => abi::NewCtx),
            row!(f::DUPCTX, dupctx => abi::DupCtx),
            row!(f::FREECTX, freectx => abi::FreeCtx),
            row!(f::RESET, reset => abi::FreeCtx),
            row!(f::DERIVE, derive => f::Derive),
            row!(f::GETTABLE_PARAMS, gettable => abi::Gettable),
            row!(f::GETTABLE_CTX_PARAMS, ctx_gettable => abi::CtxGettable),
            row!(f::SETTABLE_CTX_PARAMS, ctx_settable => abi::CtxGettable),
            row!(f::GET_PARAMS, get_params::<I> => abi::GetParams),
            row!(f::GET_CTX_PARAMS, get_ctx_params => abi::GetCtxParams),
            row!(f::SET_CTX_PARAMS, set_ctx_params => abi::SetCtxParams),
            Dispatch::END,
        ]
    }
}

params::known!(GETTABLE: "size" UNSIGNED_INTEGER);
params::known!(CTX_SETTABLE: "key" OCTET_STRING, "secret" OCTET_STRING, "pass" OCTET_STRING, "salt" OCTET_STRING,
    "seed" OCTET_STRING, "label" OCTET_STRING, "info" OCTET_STRING, "iter" UNSIGNED_INTEGER, "r" INTEGER,
    "cipher" UTF8_STRING, "tlstree" OCTET_STRING, "tlstree_mode" UTF8_STRING, "mode" UTF8_STRING,
    "digest" UTF8_STRING, "pkcs5" INTEGER, "properties" UTF8_STRING);

unsafe extern "C" fn gettable(_: *mut c_void) -> *const Param {
    GETTABLE.0.as_ptr()
}

unsafe extern "C" fn ctx_gettable(_: *mut c_void, _: *mut c_void) -> *const Param {
    GETTABLE.0.as_ptr()
}

unsafe extern "C" fn ctx_settable(_: *mut c_void, _: *mut c_void) -> *const Param {
    CTX_SETTABLE.0.as_ptr()
}

/// Answers with the output's length.
///
/// # Safety
/// OpenSSL's array.
unsafe fn put_size(params: *mut Param, size: usize) -> Result<()> {
    // SAFETY: as this function's.
    unsafe { params::each_mut(params) }
        .filter(|p| p.key() == "size")
        .try_for_each(|p| p.put_number(if size == 0 { usize::MAX } else { size } as u64))
}

unsafe extern "C" fn get_params<const I: usize>(params: *mut Param) -> c_int {
    border(None, || {
        let size = algorithm::<I>().out;
        // SAFETY: OpenSSL's array.
        unsafe { put_size(params, size) }
    })
}

unsafe extern "C" fn get_ctx_params(ctx: *mut c_void, params: *mut Param) -> c_int {
    // SAFETY: OpenSSL's pointer.
    let Some(ctx) = (unsafe { of(ctx) }) else { return 0 };
    // SAFETY: OpenSSL's array.
    border(ctx.provider, || unsafe { put_size(params, ctx.algorithm.out) })
}

impl Given {
    /// Takes an array. Seeds that stand in it after each other are one, as with OpenSSL's functions.
    ///
    /// # Safety
    /// OpenSSL's array.
    unsafe fn set_all(&mut self, params: *const Param) -> Result<()> {
        // SAFETY: as this function's.
        let all = || unsafe { params::each(params) };
        let seeds = || all().filter(|p| matches!(p.key(), "seed" | "info" | "tlstree"));
        if seeds().next().is_some() {
            // With room for all, so that nothing moves and leaves a copy.
            let len = seeds().map(|p| p.bytes().map_or(0, <[u8]>::len)).sum();
            self.seed = Zeroizing::new(Vec::with_capacity(len));
        }
        all().try_for_each(|p| self.set(p))
    }

    fn set(&mut self, p: &Param) -> Result<()> {
        match p.key() {
            "key" | "secret" | "pass" => self.key = Some(Zeroizing::new(p.bytes()?.to_vec())),
            "salt" => self.salt = Some(Zeroizing::new(p.bytes()?.to_vec())),
            "seed" | "info" | "tlstree" => self.seed.extend_from_slice(p.bytes()?),
            "label" => self.label = p.bytes()?.to_vec(),
            "iter" => self.iterations = Some(p.number()?),
            "r" => self.counter = Some(p.number()?),
            "cipher" => self.cipher = Some(p.text()?.to_ascii_lowercase()),
            "tlstree_mode" => self.tree_mode = Some(p.text()?.to_owned()),
            "mode" => self.mode = Some(mode(p)?),
            "digest" => self.digest = Some(p.text()?.to_owned()),
            // PBKDF2 of OpenSSL wants long passwords and salts with 0, and any with 1.
            "pkcs5" if p.number()? == 1 => {}
            "pkcs5" => {
                return Err(Fault::new("the checks of SP 800-132 are not made").about("pkcs5"));
            }
            // Where to fetch from: there is nothing to fetch.
            "properties" => {}
            _ => return Err(p.unknown()),
        }
        Ok(())
    }
}

/// HKDF's mode, which OpenSSL has by name, in any case, and by number.
fn mode(p: &Param) -> Result<u64> {
    const NAMES: [&str; 3] = ["EXTRACT_AND_EXPAND", "EXTRACT_ONLY", "EXPAND_ONLY"];
    let mode = match p.text() {
        Ok(text) => NAMES.iter().position(|name| text.eq_ignore_ascii_case(name)),
        Err(_) => usize::try_from(p.number()?).ok().filter(|mode| *mode < NAMES.len()),
    };
    let unknown = || Fault::new("no mode of HKDF: EXTRACT_AND_EXPAND, EXTRACT_ONLY, EXPAND_ONLY");
    mode.map(|mode| mode as u64).ok_or_else(unknown)
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
    let given = Given::default();
    object(provider, || Ok(Box::new(Ctx { provider, algorithm: algorithm::<I>(), given })))
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
    object(None, || ctx.map(|ctx| Box::new(ctx.clone())).ok_or_else(|| Fault::new("no context")))
}

unsafe extern "C" fn reset(ctx: *mut c_void) {
    // SAFETY: OpenSSL's pointer.
    let Some(ctx) = (unsafe { of(ctx) }) else { return };
    border(None, || {
        ctx.given = Given::default();
        Ok(())
    });
}

unsafe extern "C" fn derive(
    ctx: *mut c_void,
    out: *mut u8,
    len: usize,
    params: *const Param,
) -> c_int {
    // SAFETY: OpenSSL's pointer.
    let Some(ctx) = (unsafe { of(ctx) }) else { return 0 };
    border(ctx.provider, || {
        // SAFETY: OpenSSL's array.
        unsafe { ctx.given.set_all(params) }?;
        if len == 0 {
            return Err(Error::BufferLength.into());
        }
        // SAFETY: the caller's room.
        ctx.given.derive(ctx.algorithm, unsafe { crate::output(out, len) }?)
    })
}

unsafe extern "C" fn set_ctx_params(ctx: *mut c_void, params: *const Param) -> c_int {
    // SAFETY: OpenSSL's pointer.
    let Some(ctx) = (unsafe { of(ctx) }) else { return 0 };
    // SAFETY: OpenSSL's array.
    border(ctx.provider, || unsafe { ctx.given.set_all(params) })
}
