//! MACs.
#![allow(unsafe_code)]

use core::ffi::{c_int, c_void};

use bulat::algorithm::{Algorithm, Iv, MacSession, Params, Scheme};
use bulat::kdf::TlsTree;
use bulat::{Error, Secret};
use zeroize::Zeroizing;

use crate::abi::{self, Dispatch, Param, mac_fn as f, row};
use crate::context::{self, Context, Parameters};
use crate::fault::{Fault, Result};
use crate::{Provider, algorithm, names, params};

#[derive(Clone)]
struct Ctx {
    algorithm: &'static Algorithm,
    /// `None` until it is set: a key of HMAC may be empty.
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
    /// A part of the message has come.
    begun: bool,
    /// The tag has been made: only an init may follow.
    over: bool,
}

pub const fn dispatch<const I: usize>() -> &'static [Dispatch] {
    const {
        &[
            row!(f::NEWCTX, context::new::<Ctx, I> => abi::NewCtx),
            row!(f::DUPCTX, context::duplicate::<Ctx> => abi::DupCtx),
            row!(f::FREECTX, context::free::<Ctx> => abi::FreeCtx),
            row!(f::INIT, init => f::Init),
            row!(f::UPDATE, update => abi::CtxUpdate),
            row!(f::FINAL, finalize => abi::CtxFinal),
            row!(f::GET_PARAMS, get_params::<I> => abi::GetParams),
            row!(f::GET_CTX_PARAMS, context::get_params::<Ctx> => abi::GetCtxParams),
            row!(f::SET_CTX_PARAMS, context::set_params::<Ctx> => abi::SetCtxParams),
            row!(f::GETTABLE_PARAMS, gettable => abi::Gettable),
            row!(f::GETTABLE_CTX_PARAMS, ctx_gettable => abi::CtxGettable),
            row!(f::SETTABLE_CTX_PARAMS, ctx_settable => abi::CtxGettable),
            Dispatch::END,
        ]
    }
}

params::known!(fn gettable(_): "size" UNSIGNED_INTEGER, "keylen" UNSIGNED_INTEGER);
params::known!(fn ctx_gettable(_, _): "size" UNSIGNED_INTEGER, "keylen" UNSIGNED_INTEGER,
    "block-size" UNSIGNED_INTEGER, "xof" INTEGER);
params::known!(fn ctx_settable(_, _): "size" UNSIGNED_INTEGER, "key" OCTET_STRING, "iv" OCTET_STRING, "xof" INTEGER,
    "key-mesh" UNSIGNED_INTEGER, "cipher-key-mesh" UNSIGNED_INTEGER, "tlstree" OCTET_STRING,
    "digest" UTF8_STRING, "properties" UTF8_STRING);

/// Returns the key's length: for HMAC, where any will do, the advised one.
fn key_len(a: &Algorithm) -> usize {
    if a.key == 0 { a.out } else { a.key }
}

unsafe extern "C" fn get_params<const I: usize>(params: *mut Param) -> c_int {
    let a = algorithm::<I>();
    // SAFETY: OpenSSL ends the array with a null key, and lends it to this call.
    unsafe {
        context::describe(params, |p| match p.key() {
            "size" => p.put_number(a.out as u64),
            "keylen" => p.put_number(key_len(a) as u64),
            _ => Ok(()),
        })
    }
}

impl Context for Ctx {
    fn new(_: Option<&'static Provider>, a: &'static Algorithm) -> Result<Self> {
        Ok(Ctx {
            algorithm: a,
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
        })
    }
}

impl Parameters for Ctx {
    fn get(&mut self, p: &mut Param) -> Result<()> {
        match p.key() {
            "size" => p.put_number(self.size() as u64),
            "keylen" => p.put_number(key_len(self.algorithm) as u64),
            "block-size" => p.put_number(self.algorithm.block as u64),
            "xof" => p.put_number(self.xof),
            _ => Ok(()),
        }
    }
    fn set_all<'a>(&mut self, mut all: impl Iterator<Item = &'a Param> + Clone) -> Result<()> {
        all.try_for_each(|p| self.set(p))
    }
}

impl Ctx {
    fn set(&mut self, p: &Param) -> Result<()> {
        let a = self.algorithm;
        // A session is made from these, so they come before the message.
        let early = || if self.begun { Err(Fault::from(Error::Order)) } else { Ok(()) };
        let meshes = || {
            early()?;
            let n = p.size()?;
            let good = a.scheme == Scheme::OmacAcpkm && n > 0 && n.is_multiple_of(a.block);
            if good { Ok(Some(n)) } else { Err(Fault::from(Error::Parameter)) }
        };
        match p.key() {
            "size" => {
                let size = p.size()?;
                if !a.tags.contains(&size) {
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
            // The tag stays as long as `size` says, as with gost-engine.
            "xof" => {
                self.xof = p.number()?;
                return Ok(());
            }
            "key-mesh" => self.section = meshes()?,
            "cipher-key-mesh" => self.period = meshes()?,
            "tlstree" => {
                let number = p.bytes()?.try_into().map_err(|_| Error::Parameter)?;
                let masks = names::tls_masks(a, None).ok_or(Error::Parameter)?;
                let root = self.key.as_ref().ok_or_else(no_key)?;
                let root = root[..].try_into().map_err(|_| Error::KeyLength)?;
                let tree = self.tree.get_or_insert_with(|| TlsTree::new(root, masks));
                self.record = Some(Secret::new(*tree.key(u64::from_be_bytes(number))));
            }
            // The digest that the MAC is built on, and a query to fetch it by: nothing changes.
            "digest" if names::is_over(a, p.text()?) => return Ok(()),
            "properties" => return Ok(()),
            _ => return Err(p.unknown()),
        }
        // The next session begins a message.
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

    /// Makes the session, at the start of a message.
    fn open(&mut self) -> Result<&mut MacSession> {
        let Some(key) = &self.key else { return Err(no_key()) };
        let key = self.record.as_ref().map_or(&key[..], |key| &key[..]);
        let mut p = Params::new(key).iv(&self.iv);
        // The longest tag: a shorter one is its first bytes, so `size` may come at any time.
        p.tag_len = Some(*self.algorithm.tags.end());
        (p.section, p.period) = (self.section, self.period);
        Ok(self.session.insert(self.algorithm.session(&p)?.mac()?))
    }

    fn session(&mut self) -> Result<&mut MacSession> {
        if self.over {
            return Err(Fault::new("the tag has been made: the next message needs an init"));
        }
        // Two steps: the borrow checker extends a borrow that one branch returns to both branches.
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

context::calls! {
    fn init(ctx, key: *const u8, len: usize, params: *const Param) {
        if !key.is_null() || len > 0 {
            // SAFETY: OpenSSL passes the application's key of `len` bytes, which nobody changes during the call.
            ctx.set_key(unsafe { crate::input(key, len) }?)?;
        } else if let Some(session) = &mut ctx.session {
            session.reset(&ctx.iv)?;
        }
        ctx.begun = false;
        // SAFETY: OpenSSL ends the array with a null key, and leaves it as it is during this call.
        ctx.set_all(unsafe { params::each(params) })?;
        ctx.over = false;
        match &ctx.session {
            Some(_) => Ok(()),
            // A key may still come as a parameter.
            None if ctx.key.is_none() => Ok(()),
            None => ctx.open().map(drop),
        }
    }
    fn update(ctx, data: *const u8, len: usize) {
        // SAFETY: OpenSSL passes the application's buffer of `len` bytes, which nobody changes during the call.
        ctx.session()?.update(unsafe { crate::input(data, len) }?);
        ctx.begun = true;
        Ok(())
    }
    fn finalize(ctx, out: *mut u8, out_len: *mut usize, room: usize) {
        let size = ctx.size();
        if !out.is_null() {
            if room < size {
                return Err(Error::BufferLength.into());
            }
            let tag = ctx.session()?.finalize_reset()?;
            (ctx.begun, ctx.over) = (false, true);
            // SAFETY: `out` has `room` bytes, at least `size`, as was checked above.
            unsafe { crate::output(out, size) }?.copy_from_slice(&tag[..size]);
        }
        // SAFETY: `out_len` is null or OpenSSL's variable, which only this call uses.
        if let Some(len) = unsafe { out_len.as_mut() } {
            *len = size;
        }
        Ok(())
    }
}
