//! MACs.
#![allow(unsafe_code)]

use core::ffi::{c_int, c_void};

use bulat::algorithm::{Algorithm, Iv, MacSession, Params};
use bulat::kdf::TlsTree;
use bulat::{Error, Secret};
use zeroize::Zeroizing;

use crate::abi::{self, Dispatch, Param, mac_fn as f, row};
use crate::fault::{Fault, Result, border, object};
use crate::{Provider, algorithm, names, params};

#[derive(Clone)]
struct Ctx {
    provider: Option<&'static Provider>,
    algorithm: &'static Algorithm,
    /// None: not set, since a key of HMAC may be empty.
    key: Option<Zeroizing<Vec<u8>>>,
    size: Option<usize>,
    /// N and T* of OMAC-ACPKM.
    section: Option<usize>,
    period: Option<usize>,
    iv: Vec<u8>,
    xof: u64,
    tree: Option<TlsTree>,
    /// The key of a record of the tree.
    record: Option<Secret<[u8; 32]>>,
    session: Option<MacSession>,
    /// Some of the message has come.
    begun: bool,
    /// The tag has been made: what comes next is an init.
    over: bool,
}

pub const fn dispatch<const I: usize>() -> &'static [Dispatch] {
    const {
        &[
            row!(f::NEWCTX, newctx::<I> => abi::NewCtx),
            row!(f::DUPCTX, dupctx => abi::DupCtx),
            row!(f::FREECTX, freectx => abi::FreeCtx),
            row!(f::INIT, init => f::Init),
            row!(f::UPDATE, update => abi::CtxUpdate),
            row!(f::FINAL, finalize => abi::CtxFinal),
            row!(f::GET_PARAMS, get_params::<I> => abi::GetParams),
            row!(f::GET_CTX_PARAMS, get_ctx_params => abi::GetCtxParams),
            row!(f::SET_CTX_PARAMS, set_ctx_params => abi::SetCtxParams),
            row!(f::GETTABLE_PARAMS, gettable => abi::Gettable),
            row!(f::GETTABLE_CTX_PARAMS, ctx_gettable => abi::CtxGettable),
            row!(f::SETTABLE_CTX_PARAMS, ctx_settable => abi::CtxGettable),
            Dispatch::END,
        ]
    }
}

params::known!(GETTABLE: "size" UNSIGNED_INTEGER, "keylen" UNSIGNED_INTEGER);
params::known!(CTX_GETTABLE: "size" UNSIGNED_INTEGER, "keylen" UNSIGNED_INTEGER, "block-size" UNSIGNED_INTEGER,
    "xof" INTEGER);
params::known!(CTX_SETTABLE: "size" UNSIGNED_INTEGER, "key" OCTET_STRING, "iv" OCTET_STRING, "xof" INTEGER,
    "key-mesh" UNSIGNED_INTEGER, "cipher-key-mesh" UNSIGNED_INTEGER, "tlstree" OCTET_STRING,
    "digest" UTF8_STRING, "properties" UTF8_STRING);

unsafe extern "C" fn gettable(_: *mut c_void) -> *const Param {
    GETTABLE.0.as_ptr()
}

unsafe extern "C" fn ctx_gettable(_: *mut c_void, _: *mut c_void) -> *const Param {
    CTX_GETTABLE.0.as_ptr()
}

unsafe extern "C" fn ctx_settable(_: *mut c_void, _: *mut c_void) -> *const Param {
    CTX_SETTABLE.0.as_ptr()
}

/// The key's length: HMAC's advised one, of any.
fn key_len(a: &Algorithm) -> usize {
    if a.key == 0 { a.out } else { a.key }
}

unsafe extern "C" fn get_params<const I: usize>(params: *mut Param) -> c_int {
    border(None, || {
        let a = algorithm::<I>();
        // SAFETY: OpenSSL's array.
        for p in unsafe { params::each_mut(params) } {
            match p.key() {
                "size" => p.put_number(a.out as u64)?,
                "keylen" => p.put_number(key_len(a) as u64)?,
                _ => {}
            }
        }
        Ok(())
    })
}

/// Bytes of the longest tag.
fn longest(a: &Algorithm) -> usize {
    if a.name.starts_with("gost-mac") { a.block } else { a.out }
}

impl Ctx {
    fn set(&mut self, p: &Param) -> Result<()> {
        let a = self.algorithm;
        // What the session is made of comes before the message.
        let early = || if self.begun { Err(Fault::from(Error::Order)) } else { Ok(()) };
        let meshes = || {
            early()?;
            let n = p.size()?;
            let good = a.name.ends_with("-acpkm") && n > 0 && n.is_multiple_of(a.block);
            if good { Ok(Some(n)) } else { Err(Fault::from(Error::Parameter)) }
        };
        match p.key() {
            "size" => {
                let size = p.size()?;
                if !(1..=longest(a)).contains(&size) {
                    return Err(Error::TagLength.into());
                }
                self.size = Some(size);
                return Ok(());
            }
            "key" => self.set_key(p.bytes()?)?,
            "iv" => {
                early()?;
                let iv = p.bytes()?;
                if !matches!(a.iv, Iv::Optional(n) if n == iv.len()) {
                    return Err(Error::IvLength.into());
                }
                self.iv = iv.to_vec();
            }
            // The size makes a short tag, as with gost-engine.
            "xof" => {
                self.xof = p.number()?;
                return Ok(());
            }
            "key-mesh" => self.section = meshes()?,
            "cipher-key-mesh" => self.period = meshes()?,
            "tlstree" => {
                let number = p.bytes()?.try_into().map_err(|_| Error::Parameter)?;
                let masks = names::tls_masks(a.name, None).ok_or(Error::Parameter)?;
                let root = self.key.as_ref().ok_or_else(no_key)?;
                let root = root[..].try_into().map_err(|_| Error::KeyLength)?;
                let tree = self.tree.get_or_insert_with(|| TlsTree::new(root, masks));
                self.record = Some(Secret::new(*tree.key(u64::from_be_bytes(number))));
            }
            // The digest that it has, and where to fetch it from.
            "digest" if names::is_over(a, p.text()?) => return Ok(()),
            "properties" => return Ok(()),
            _ => return Err(p.unknown()),
        }
        // Another key begins a message.
        (self.session, self.begun) = (None, false);
        Ok(())
    }

    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        if self.algorithm.key != 0 && key.len() != self.algorithm.key {
            return Err(Error::KeyLength.into());
        }
        self.key = Some(Zeroizing::new(key.to_vec()));
        (self.session, self.tree, self.record) = (None, None, None);
        self.begun = false;
        Ok(())
    }

    /// The session at a message's start.
    fn open(&mut self) -> Result<&mut MacSession> {
        let Some(key) = &self.key else { return Err(no_key()) };
        let key = self.record.as_ref().map_or(&key[..], |key| &key[..]);
        let mut p = Params::new(key).iv(&self.iv);
        // A shorter tag is the first bytes of the longest, so that its size may come at any time.
        (p.tag_len, p.section, p.period) =
            (Some(longest(self.algorithm)), self.section, self.period);
        Ok(self.session.insert(self.algorithm.session(&p)?.mac()?))
    }

    fn session(&mut self) -> Result<&mut MacSession> {
        if self.over {
            return Err(Fault::new("the tag has been made: the next message needs an init"));
        }
        // Two looks, since a borrow that is given back only in one arm lasts in both.
        if self.session.is_none() {
            return self.open();
        }
        self.session.as_mut().ok_or_else(no_key)
    }

    fn size(&self) -> usize {
        self.size.unwrap_or(self.algorithm.out)
    }
}

#[cold]
fn no_key() -> Fault {
    Fault::new("no key has been set")
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
        Ok(Box::new(Ctx {
            provider,
            algorithm: algorithm::<I>(),
            key: None,
            size: None,
            section: None,
            period: None,
            iv: Vec::new(),
            xof: 0,
            tree: None,
            record: None,
            session: None,
            begun: false,
            over: false,
        }))
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
    // SAFETY: what `newctx` or `dupctx` gave, or null. Only read: several threads may copy one context.
    let ctx = unsafe { ctx.cast::<Ctx>().as_ref() };
    object(None, || ctx.map(|ctx| Box::new(ctx.clone())).ok_or_else(|| Fault::new("no context")))
}

unsafe extern "C" fn init(
    ctx: *mut c_void,
    key: *const u8,
    len: usize,
    params: *const Param,
) -> c_int {
    // SAFETY: OpenSSL's pointer.
    let Some(ctx) = (unsafe { of(ctx) }) else { return 0 };
    border(ctx.provider, || {
        if !key.is_null() || len > 0 {
            // SAFETY: the caller's bytes.
            ctx.set_key(unsafe { crate::input(key, len) }?)?;
        } else if let Some(session) = &mut ctx.session {
            session.reset(&ctx.iv)?;
        }
        ctx.begun = false;
        // SAFETY: OpenSSL's array.
        unsafe { params::each(params) }.try_for_each(|p| ctx.set(p))?;
        ctx.over = false;
        match &ctx.session {
            Some(_) => Ok(()),
            // A key may yet come as a parameter.
            None if ctx.key.is_none() => Ok(()),
            None => ctx.open().map(drop),
        }
    })
}

unsafe extern "C" fn update(ctx: *mut c_void, data: *const u8, len: usize) -> c_int {
    // SAFETY: OpenSSL's pointer.
    let Some(ctx) = (unsafe { of(ctx) }) else { return 0 };
    border(ctx.provider, || {
        // SAFETY: the caller's bytes.
        ctx.session()?.update(unsafe { crate::input(data, len) }?);
        ctx.begun = true;
        Ok(())
    })
}

unsafe extern "C" fn finalize(
    ctx: *mut c_void,
    out: *mut u8,
    out_len: *mut usize,
    room: usize,
) -> c_int {
    // SAFETY: OpenSSL's pointers.
    let (Some(ctx), out_len) = (unsafe { (of(ctx), out_len.as_mut()) }) else { return 0 };
    border(ctx.provider, || {
        let size = ctx.size();
        if !out.is_null() {
            if room < size {
                return Err(Error::BufferLength.into());
            }
            let tag = ctx.session()?.finalize_reset()?;
            (ctx.begun, ctx.over) = (false, true);
            // SAFETY: the caller's room.
            unsafe { crate::output(out, size) }?.copy_from_slice(&tag[..size]);
        }
        if let Some(len) = out_len {
            *len = size;
        }
        Ok(())
    })
}

unsafe extern "C" fn get_ctx_params(ctx: *mut c_void, params: *mut Param) -> c_int {
    // SAFETY: OpenSSL's pointer.
    let Some(ctx) = (unsafe { of(ctx) }) else { return 0 };
    border(ctx.provider, || {
        // SAFETY: OpenSSL's array.
        for p in unsafe { params::each_mut(params) } {
            match p.key() {
                "size" => p.put_number(ctx.size() as u64)?,
                "keylen" => p.put_number(key_len(ctx.algorithm) as u64)?,
                "block-size" => p.put_number(ctx.algorithm.block as u64)?,
                "xof" => p.put_number(ctx.xof)?,
                _ => {}
            }
        }
        Ok(())
    })
}

unsafe extern "C" fn set_ctx_params(ctx: *mut c_void, params: *const Param) -> c_int {
    // SAFETY: OpenSSL's pointer.
    let Some(ctx) = (unsafe { of(ctx) }) else { return 0 };
    // SAFETY: OpenSSL's array.
    border(ctx.provider, || unsafe { params::each(params) }.try_for_each(|p| ctx.set(p)))
}
