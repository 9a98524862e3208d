//! Key derivation.
#![allow(unsafe_code)]

use core::ffi::{c_int, c_void};

use bulat::Error;
use bulat::algorithm::{ALGORITHMS, Algorithm, KdfParams, Primitive, Scheme};
use bulat::kdf::{hkdf_expand, hkdf_extract};
use zeroize::Zeroizing;

use crate::abi::{self, Dispatch, Param, kdf_fn as f, row};
use crate::context::{self, Context, Parameters};
use crate::fault::{Fault, Result};
use crate::{Provider, algorithm, names, params};

/// The values that a caller has set. A derivation refuses those that its function does not use.
#[derive(Clone, Default)]
struct Given {
    /// Key, secret or password. `None` if none was given: an empty one is a key, too.
    key: Option<Zeroizing<Vec<u8>>>,
    /// `None` if none was given: PBKDF2 needs one.
    salt: Option<Zeroizing<Vec<u8>>>,
    /// The seed; with TLSTREE the number of the record, with HKDF its `info`.
    seed: Zeroizing<Vec<u8>>,
    label: Vec<u8>,
    iterations: Option<u64>,
    /// Bytes of KDF_TREE's counter.
    counter: Option<u64>,
    cipher: Option<String>,
    /// The name of a digest, which must be the function's own.
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
        if self.salt.is_none() && a.scheme == Scheme::Pbkdf2 {
            return Err(Fault::new("no salt has been set"));
        }
        let salt = self.salt.as_ref().map_or(&[][..], |salt| &salt[..]);
        let (tree, hkdf) = (a.scheme == Scheme::TlsTree, a.scheme == Scheme::Hkdf);
        let foreign = [
            ("digest", self.digest.as_ref().is_some_and(|name| !names::is_over(a, name))),
            ("cipher", !tree && self.cipher.is_some()),
            ("tlstree_mode", !tree && self.tree_mode.is_some()),
            ("mode", !hkdf && self.mode.is_some()),
        ];
        if let Some((name, _)) = foreign.iter().find(|(_, foreign)| *foreign) {
            return Err(Fault::new("parameter of another function").about(name));
        }
        let mut p = KdfParams { key, salt, label: &self.label, ..KdfParams::default() };
        if tree {
            let cipher = self.cipher.as_deref().unwrap_or("kuznyechik-ctr");
            let cipher = ALGORITHMS.iter().find(|a| a.name == cipher);
            p.masks = cipher.and_then(|a| names::tls_masks(a, self.tree_mode.as_deref()));
            let record = self.seed[..].try_into();
            let record = record
                .map_err(|_| Fault::new("seed, the number of a record, must have 8 bytes"))?;
            p.record = Some(u64::from_be_bytes(record));
        } else {
            p.seed = &self.seed;
        }
        let number = |n: u64| u32::try_from(n).map_err(|_| Error::Parameter);
        p.iterations = self.iterations.map(number).transpose()?;
        p.counter = self.counter.map(number).transpose()?.map(|n| n as usize);
        match (self.mode, a.primitive) {
            (None | Some(BOTH), _) => Ok(a.derive(&p, out)?),
            (Some(mode), Primitive::Streebog256) => one_step::<32>(mode, &p, out),
            (Some(mode), _) => one_step::<64>(mode, &p, out),
        }
    }
}

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
    algorithm: &'static Algorithm,
    given: Given,
}

impl Context for Ctx {
    fn new(_: Option<&'static Provider>, algorithm: &'static Algorithm) -> Result<Self> {
        Ok(Ctx { algorithm, given: Given::default() })
    }
}

impl Parameters for Ctx {
    fn get(&mut self, p: &mut Param) -> Result<()> {
        put_size(p, self.algorithm)
    }
    /// Sets parameters. Several seeds in one array are concatenated, as by OpenSSL's functions.
    fn set_all<'a>(&mut self, mut all: impl Iterator<Item = &'a Param> + Clone) -> Result<()> {
        let seeds = || all.clone().filter(|p| matches!(p.key(), "seed" | "info" | "tlstree"));
        if seeds().next().is_some() {
            // With room for all, so that the vector never moves and leaves a copy.
            let len = seeds().map(|p| p.bytes().map_or(0, <[u8]>::len)).sum();
            self.given.seed = Zeroizing::new(Vec::with_capacity(len));
        }
        all.try_for_each(|p| self.given.set(p))
    }
}

pub const fn dispatch<const I: usize>() -> &'static [Dispatch] {
    const {
        &[
            row!(f::NEWCTX, context::new::<Ctx, I> => abi::NewCtx),
            row!(f::DUPCTX, context::duplicate::<Ctx> => abi::DupCtx),
            row!(f::FREECTX, context::free::<Ctx> => abi::FreeCtx),
            row!(f::RESET, reset => abi::FreeCtx),
            row!(f::DERIVE, derive => f::Derive),
            row!(f::GETTABLE_PARAMS, gettable => abi::Gettable),
            row!(f::GETTABLE_CTX_PARAMS, ctx_gettable => abi::CtxGettable),
            row!(f::SETTABLE_CTX_PARAMS, ctx_settable => abi::CtxGettable),
            row!(f::GET_PARAMS, get_params::<I> => abi::GetParams),
            row!(f::GET_CTX_PARAMS, context::get_params::<Ctx> => abi::GetCtxParams),
            row!(f::SET_CTX_PARAMS, context::set_params::<Ctx> => abi::SetCtxParams),
            Dispatch::END,
        ]
    }
}

params::known!(fn gettable(_): "size" UNSIGNED_INTEGER);
params::known!(fn ctx_gettable(_, _): "size" UNSIGNED_INTEGER);
params::known!(fn ctx_settable(_, _): "key" OCTET_STRING, "secret" OCTET_STRING, "pass" OCTET_STRING,
    "salt" OCTET_STRING, "seed" OCTET_STRING, "label" OCTET_STRING, "info" OCTET_STRING, "iter" UNSIGNED_INTEGER,
    "r" INTEGER, "cipher" UTF8_STRING, "tlstree" OCTET_STRING, "tlstree_mode" UTF8_STRING, "mode" UTF8_STRING,
    "digest" UTF8_STRING, "pkcs5" INTEGER, "properties" UTF8_STRING);

/// Answers with the length of the output; `usize::MAX` means any.
fn put_size(p: &mut Param, a: &Algorithm) -> Result<()> {
    if p.key() != "size" {
        return Ok(());
    }
    p.put_number(if a.out == 0 { usize::MAX } else { a.out } as u64)
}

unsafe extern "C" fn get_params<const I: usize>(params: *mut Param) -> c_int {
    // SAFETY: OpenSSL ends the array with a null key, and lends it to this call.
    unsafe { context::describe(params, |p| put_size(p, algorithm::<I>())) }
}

impl Given {
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
            // OpenSSL's PBKDF2 refuses short passwords and salts with 0, and accepts any with 1.
            "pkcs5" if p.number()? == 1 => {}
            "pkcs5" => {
                return Err(Fault::new("the checks of SP 800-132 are not supported").about("pkcs5"));
            }
            // A query to fetch by: there is nothing to fetch.
            "properties" => {}
            _ => return Err(p.unknown()),
        }
        Ok(())
    }
}

/// Reads HKDF's mode: a name, in any case, or a number, as OpenSSL has them.
fn mode(p: &Param) -> Result<u64> {
    const NAMES: [&str; 3] = ["EXTRACT_AND_EXPAND", "EXTRACT_ONLY", "EXPAND_ONLY"];
    let mode = match p.text() {
        Ok(text) => NAMES.iter().position(|name| text.eq_ignore_ascii_case(name)),
        Err(_) => usize::try_from(p.number()?).ok().filter(|mode| *mode < NAMES.len()),
    };
    let unknown =
        || Fault::new("unknown mode of HKDF: EXTRACT_AND_EXPAND, EXTRACT_ONLY or EXPAND_ONLY");
    mode.map(|mode| mode as u64).ok_or_else(unknown)
}

unsafe extern "C" fn reset(ctx: *mut c_void) {
    let reset = |ctx: &mut Ctx| {
        ctx.given = Given::default();
        Ok(())
    };
    // SAFETY: OpenSSL passes a context of this operation, to one thread at a time.
    unsafe { context::on(ctx, reset) };
}

context::calls! {
    fn derive(ctx, out: *mut u8, len: usize, params: *const Param) {
        // SAFETY: OpenSSL ends the array with a null key, and leaves it as it is during this call.
        ctx.set_all(unsafe { params::each(params) })?;
        if len == 0 {
            return Err(Error::BufferLength.into());
        }
        // SAFETY: OpenSSL passes the application's buffer of `len` bytes, which only this call uses.
        ctx.given.derive(ctx.algorithm, unsafe { crate::output(out, len) }?)
    }
}
