//! Key derivation. The library has no sessions of it: [`FUNCTIONS`] says how each name is called.
#![allow(unsafe_code)]

use core::ffi::{c_int, c_void};

use bulat::Error;
use bulat::kdf::{self, TlsTree};
use zeroize::Zeroizing;

use crate::abi::{self, Dispatch, Param, kdf_fn as f, row};
use crate::fault::{Fault, Result, border, object};
use crate::{Provider, algorithm, names, params};

/// What a caller has set.
#[derive(Clone, Default)]
struct Given {
    /// Key, secret or password: None where none was given; an empty one is a key, too.
    key: Option<Zeroizing<Vec<u8>>>,
    salt: Zeroizing<Vec<u8>>,
    seed: Zeroizing<Vec<u8>>,
    label: Vec<u8>,
    info: Vec<u8>,
    iterations: Option<u64>,
    /// Bytes of KDF_TREE's counter.
    r: Option<u64>,
    cipher: Option<String>,
    tree_mode: Option<String>,
    mode: Mode,
}

/// Of HKDF.
#[derive(Clone, Copy, Default, PartialEq)]
enum Mode {
    #[default]
    Whole,
    Extract,
    Expand,
}

type Function = fn(&Given, key: &[u8], out: &mut [u8]) -> Result<()>;

/// How long the output is: 0, any.
const FUNCTIONS: &[(&str, usize, Function)] = &[
    ("kdf-gostr3411-2012-256", 32, |given, key, out| {
        out.copy_from_slice(&*kdf::kdf_256(key, &given.label, &given.seed));
        Ok(())
    }),
    ("kdf-tree", 0, |given, key, out| {
        let r = usize::try_from(given.r.unwrap_or(1)).map_err(|_| Error::Parameter)?;
        Ok(kdf::kdf_tree(key, &given.label, &given.seed, r, out)?)
    }),
    ("tlstree", 32, |given, key, out| {
        let cipher = given.cipher.as_deref().unwrap_or("kuznyechik-ctr");
        let masks = names::tls_masks(cipher, given.tree_mode.as_deref())
            .ok_or_else(|| Fault::new("no tree of keys for this cipher and tlstree_mode"))?;
        let root = key.try_into().map_err(|_| Error::KeyLength)?;
        let number = given.seed[..]
            .try_into()
            .map_err(|_| Fault::new("seed, the number of the record, has 8 bytes"))?;
        out.copy_from_slice(TlsTree::new(root, masks).key(u64::from_be_bytes(number)));
        Ok(())
    }),
    ("pbkdf2-hmac-streebog256", 0, pbkdf2::<32>),
    ("pbkdf2-hmac-streebog512", 0, pbkdf2::<64>),
    ("prf-tls-gostr3411-2012-256", 0, prf_tls::<32>),
    ("prf-tls-gostr3411-2012-512", 0, prf_tls::<64>),
    ("prf-plus-streebog256", 0, |given, key, out| Ok(kdf::prf_plus::<32>(key, &given.seed, out)?)),
    ("prf-plus-streebog512", 0, |given, key, out| Ok(kdf::prf_plus::<64>(key, &given.seed, out)?)),
    ("hkdf-streebog256", 0, hkdf::<32>),
    ("hkdf-streebog512", 0, hkdf::<64>),
];

fn pbkdf2<const N: usize>(given: &Given, password: &[u8], out: &mut [u8]) -> Result<()> {
    let iterations = given.iterations.ok_or_else(|| Fault::new("iter has not been set"))?;
    let iterations = u32::try_from(iterations).map_err(|_| Error::Parameter)?;
    Ok(kdf::pbkdf2::<N>(password, &given.salt, iterations, out)?)
}

fn prf_tls<const N: usize>(given: &Given, secret: &[u8], out: &mut [u8]) -> Result<()> {
    kdf::prf_tls::<N>(secret, &given.label, &given.seed, out);
    Ok(())
}

fn hkdf<const N: usize>(given: &Given, key: &[u8], out: &mut [u8]) -> Result<()> {
    match given.mode {
        Mode::Extract if out.len() != N => Err(Error::BufferLength.into()),
        Mode::Extract => {
            out.copy_from_slice(&*kdf::hkdf_extract::<N>(&given.salt, key));
            Ok(())
        }
        Mode::Expand => Ok(kdf::hkdf_expand::<N>(key, &given.info, out)?),
        Mode::Whole => {
            let prk = kdf::hkdf_extract::<N>(&given.salt, key);
            Ok(kdf::hkdf_expand::<N>(&*prk, &given.info, out)?)
        }
    }
}

fn find(name: &str) -> Option<&'static (&'static str, usize, Function)> {
    FUNCTIONS.iter().find(|(n, ..)| *n == name)
}

/// Whether it can be called here.
pub fn known(name: &str) -> bool {
    find(name).is_some()
}

#[derive(Clone)]
struct Ctx {
    provider: Option<&'static Provider>,
    row: &'static (&'static str, usize, Function),
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
    "cipher" UTF8_STRING, "tlstree" OCTET_STRING, "tlstree_mode" UTF8_STRING, "mode" UTF8_STRING);

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
        let size = find(algorithm::<I>().name).map_or(0, |row| row.1);
        // SAFETY: OpenSSL's array.
        unsafe { put_size(params, size) }
    })
}

unsafe extern "C" fn get_ctx_params(ctx: *mut c_void, params: *mut Param) -> c_int {
    // SAFETY: OpenSSL's pointer.
    let Some(ctx) = (unsafe { of(ctx) }) else { return 0 };
    // SAFETY: OpenSSL's array.
    border(ctx.provider, || unsafe { put_size(params, ctx.row.1) })
}

impl Given {
    fn set(&mut self, p: &Param) -> Result<()> {
        match p.key() {
            "key" | "secret" | "pass" => self.key = Some(Zeroizing::new(p.bytes()?.to_vec())),
            "salt" => self.salt = Zeroizing::new(p.bytes()?.to_vec()),
            "seed" | "tlstree" => self.seed = Zeroizing::new(p.bytes()?.to_vec()),
            "label" => self.label = p.bytes()?.to_vec(),
            "info" => self.info = p.bytes()?.to_vec(),
            "iter" => self.iterations = Some(p.number()?),
            "r" => self.r = Some(p.number()?),
            "cipher" => self.cipher = Some(p.text()?.to_ascii_lowercase()),
            "tlstree_mode" => self.tree_mode = Some(p.text()?.to_owned()),
            "mode" => self.mode = mode(p)?,
            _ => {}
        }
        Ok(())
    }
}

/// HKDF's mode, which OpenSSL has by name and by number.
fn mode(p: &Param) -> Result<Mode> {
    let number = match p.text() {
        Ok("EXTRACT_AND_EXPAND") => 0,
        Ok("EXTRACT_ONLY") => 1,
        Ok("EXPAND_ONLY") => 2,
        Ok(_) => return Err(Error::Parameter.into()),
        Err(_) => p.number()?,
    };
    match number {
        0 => Ok(Mode::Whole),
        1 => Ok(Mode::Extract),
        2 => Ok(Mode::Expand),
        _ => Err(Error::Parameter.into()),
    }
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
    object(provider, || {
        let row = find(algorithm::<I>().name).ok_or(Error::UnknownAlgorithm)?;
        Ok(Box::new(Ctx { provider, row, given: Given::default() }))
    })
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
    // SAFETY: OpenSSL's pointer.
    let ctx = unsafe { of(ctx) };
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
        unsafe { params::each(params) }.try_for_each(|p| ctx.given.set(p))?;
        let (_, size, function) = ctx.row;
        if len == 0 || (*size != 0 && len != *size) {
            return Err(Error::BufferLength.into());
        }
        let key = ctx.given.key.as_ref().ok_or_else(|| Fault::new("no key has been set"))?;
        // SAFETY: the caller's room.
        function(&ctx.given, key, unsafe { crate::output(out, len) }?)
    })
}

unsafe extern "C" fn set_ctx_params(ctx: *mut c_void, params: *const Param) -> c_int {
    // SAFETY: OpenSSL's pointer.
    let Some(ctx) = (unsafe { of(ctx) }) else { return 0 };
    // SAFETY: OpenSSL's array.
    border(ctx.provider, || unsafe { params::each(params) }.try_for_each(|p| ctx.given.set(p)))
}
