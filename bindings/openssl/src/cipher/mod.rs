//! Ciphers, authenticated ones among them.
//!
//! A context holds what the caller has set, and a session of the library, which is made when key and IV are there and kept
//! over later inits that bring no key. EVP's rules for buffers are not the library's: an update may write what came and
//! what was held, the final call one block at most. So of block modes the context holds the partial block itself (at
//! decryption with padding also a whole last one), and the session has whole blocks alone, in the caller's buffers.
#![allow(unsafe_code)]

use core::ffi::{c_int, c_void};
use core::ops::Range;

use bulat::algorithm::{
    AeadSession, Algorithm, CipherSession, Iv, Kind, Padding, Params, Session, UnverifiedSession,
};
use bulat::kdf::TlsTree;
use bulat::{Direction, Error, InOut, ParamSet, Secret};
use zeroize::Zeroizing;

use crate::abi::{self, Dispatch, Param, cipher_fn as f, row};
use crate::fault::{Fault, Result, border, object};
use crate::names::{self, Again, Evp, Register, Shape};
use crate::{Provider, algorithm, asn1, params};

/// The longest key, block and IV in bytes.
const KEY: usize = 64;
const BLOCK: usize = 16;
const IV: usize = 16;
/// Bytes of the seed that CTR-ACPKM-OMAC's UKM has after the IV.
const SEED: usize = 8;

#[derive(Clone)]
enum Message {
    None,
    Cipher(CipherSession),
    Seal(AeadSession),
    Open(UnverifiedSession),
}

/// What the session needs before the next piece.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Stage {
    /// Nothing: it is in the message.
    Begun,
    /// Nothing: it is at a message's start.
    Ready,
    /// A reset with the IV.
    Iv,
    /// To be made from key and IV.
    Key,
    /// An IV from the caller, since the last one is used up.
    Over,
}

#[derive(Clone)]
struct Ctx {
    provider: Option<&'static Provider>,
    algorithm: &'static Algorithm,
    evp: Evp,
    direction: Direction,
    key: Secret<[u8; KEY]>,
    has_key: bool,
    iv: [u8; IV],
    iv_len: usize,
    has_iv: bool,
    padding: bool,
    section: Option<usize>,
    sboxes: Option<ParamSet>,
    /// Of CTR-ACPKM-OMAC.
    seed: Option<[u8; SEED]>,
    tree: Option<TlsTree>,
    tree_mode: Option<&'static str>,
    /// The record's number in the tree.
    record: Option<u64>,
    /// The record's number has come, and no message has begun with it.
    numbered: bool,
    message: Message,
    stage: Stage,
    /// The text that is not yet a whole block, or that may be the last.
    held: Secret<[u8; BLOCK]>,
    filled: usize,
    /// Bytes of the message so far (of streams and units), and the block that EVP's updated IV is.
    position: u64,
    register: Secret<[u8; BLOCK]>,
    /// The tag to check, or that was made.
    tag: [u8; BLOCK],
    tag_len: usize,
}

pub const fn dispatch<const I: usize>() -> &'static [Dispatch] {
    const {
        &[
            row!(f::NEWCTX, newctx::<I> => abi::NewCtx),
            row!(f::ENCRYPT_INIT, encrypt_init => f::Init),
            row!(f::DECRYPT_INIT, decrypt_init => f::Init),
            row!(f::UPDATE, update => f::Update),
            row!(f::FINAL, finalize => abi::CtxFinal),
            row!(f::CIPHER, at_once => f::Update),
            row!(f::FREECTX, freectx => abi::FreeCtx),
            row!(f::DUPCTX, dupctx => abi::DupCtx),
            row!(f::GET_PARAMS, get_params::<I> => abi::GetParams),
            row!(f::GET_CTX_PARAMS, get_ctx_params => abi::GetCtxParams),
            row!(f::SET_CTX_PARAMS, set_ctx_params => abi::SetCtxParams),
            row!(f::GETTABLE_PARAMS, gettable => abi::Gettable),
            row!(f::GETTABLE_CTX_PARAMS, ctx_gettable::<I> => abi::CtxGettable),
            row!(f::SETTABLE_CTX_PARAMS, ctx_settable::<I> => abi::CtxGettable),
            Dispatch::END,
        ]
    }
}

params::known!(GETTABLE: "mode" UNSIGNED_INTEGER, "keylen" UNSIGNED_INTEGER, "ivlen" UNSIGNED_INTEGER,
    "blocksize" UNSIGNED_INTEGER, "aead" INTEGER, "custom-iv" INTEGER, "cts" INTEGER, "tls-multi" INTEGER,
    "has-randkey" INTEGER);
// "alg_id_param" makes OpenSSL ask for a cipher's parameters in CMS: those without any do not list it.
params::known!(CTX_GETTABLE: "keylen" UNSIGNED_INTEGER, "ivlen" UNSIGNED_INTEGER, "padding" UNSIGNED_INTEGER,
    "num" UNSIGNED_INTEGER, "iv" OCTET_STRING, "updated-iv" OCTET_STRING, "tag" OCTET_STRING,
    "taglen" UNSIGNED_INTEGER, "key-mesh" UNSIGNED_INTEGER);
params::known!(CTX_GETTABLE_CMS: "keylen" UNSIGNED_INTEGER, "ivlen" UNSIGNED_INTEGER, "padding" UNSIGNED_INTEGER,
    "num" UNSIGNED_INTEGER, "iv" OCTET_STRING, "updated-iv" OCTET_STRING, "tag" OCTET_STRING,
    "taglen" UNSIGNED_INTEGER, "key-mesh" UNSIGNED_INTEGER, "alg_id_param" OCTET_STRING,
    "algorithm-id-params" OCTET_STRING);
params::known!(CTX_SETTABLE: "keylen" UNSIGNED_INTEGER, "ivlen" UNSIGNED_INTEGER, "padding" UNSIGNED_INTEGER,
    "num" UNSIGNED_INTEGER, "tag" OCTET_STRING, "key-mesh" UNSIGNED_INTEGER, "tlstree_mode" UTF8_STRING, "tlstree" OCTET_STRING,
    "paramset" UTF8_STRING);
params::known!(CTX_SETTABLE_CMS: "keylen" UNSIGNED_INTEGER, "ivlen" UNSIGNED_INTEGER, "padding" UNSIGNED_INTEGER,
    "num" UNSIGNED_INTEGER, "tag" OCTET_STRING, "key-mesh" UNSIGNED_INTEGER, "tlstree_mode" UTF8_STRING, "tlstree" OCTET_STRING,
    "paramset" UTF8_STRING, "alg_id_param" OCTET_STRING, "algorithm-id-params" OCTET_STRING);

/// What stands in CMS beside a cipher's OID.
#[derive(Clone, Copy, PartialEq)]
enum Cms {
    /// IV and S-boxes.
    Iv28147,
    /// IV and seed.
    Ukm,
}

fn cms(a: &Algorithm) -> Option<Cms> {
    match a.name {
        // gost-engine writes magma-cbc so.
        "gost89" | "gost89-cbc" | "magma-cbc" => Some(Cms::Iv28147),
        name if name.ends_with("-ctr") || name.contains("-ctr-acpkm") => Some(Cms::Ukm),
        _ => None,
    }
}

unsafe extern "C" fn gettable(_: *mut c_void) -> *const Param {
    GETTABLE.0.as_ptr()
}

unsafe extern "C" fn ctx_gettable<const I: usize>(_: *mut c_void, _: *mut c_void) -> *const Param {
    if cms(algorithm::<I>()).is_some() {
        CTX_GETTABLE_CMS.0.as_ptr()
    } else {
        CTX_GETTABLE.0.as_ptr()
    }
}

unsafe extern "C" fn ctx_settable<const I: usize>(_: *mut c_void, _: *mut c_void) -> *const Param {
    if cms(algorithm::<I>()).is_some() {
        CTX_SETTABLE_CMS.0.as_ptr()
    } else {
        CTX_SETTABLE.0.as_ptr()
    }
}

unsafe extern "C" fn get_params<const I: usize>(params: *mut Param) -> c_int {
    border(None, || {
        let a = algorithm::<I>();
        let evp = Evp::of(a);
        // SAFETY: OpenSSL's array.
        for p in unsafe { params::each_mut(params) } {
            match p.key() {
                "mode" => p.put_number(evp.mode)?,
                "keylen" => p.put_number(a.key as u64)?,
                "ivlen" => p.put_number(names::iv_len(a) as u64)?,
                "blocksize" => p.put_number(evp.block(a) as u64)?,
                "aead" | "custom-iv" => p.put_number(u64::from(a.kind == Kind::Aead))?,
                "cts" | "tls-multi" | "has-randkey" => p.put_number(0)?,
                _ => {}
            }
        }
        Ok(())
    })
}

impl Ctx {
    fn new(provider: Option<&'static Provider>, a: &'static Algorithm) -> Result<Self> {
        let mut ctx = Ctx {
            provider,
            algorithm: a,
            evp: Evp::of(a),
            direction: Direction::Encrypt,
            key: Secret::new([0; KEY]),
            has_key: false,
            iv: [0; IV],
            iv_len: names::iv_len(a),
            has_iv: false,
            padding: true,
            section: None,
            sboxes: None,
            seed: None,
            tree: None,
            tree_mode: None,
            record: None,
            numbered: false,
            message: Message::None,
            stage: Stage::Key,
            held: Secret::new([0; BLOCK]),
            filled: 0,
            position: 0,
            register: Secret::new([0; BLOCK]),
            tag: [0; BLOCK],
            tag_len: 0,
        };
        if let Some(provider) = provider.filter(|_| names::sboxes(a).is_some()) {
            let unknown = |name: &String| Fault::new("CRYPT_PARAMS: no such S-boxes").about(name);
            ctx.sboxes = *provider.sboxes.as_ref().map_err(unknown)?;
        }
        Ok(ctx)
    }

    fn aead(&self) -> bool {
        self.algorithm.kind == Kind::Aead
    }

    /// The session is to be made anew.
    fn remake(&mut self) {
        self.message = Message::None;
        self.stage = Stage::Key;
    }

    fn init(&mut self, direction: Direction, key: &[u8], iv: &[u8]) -> Result<()> {
        let used = matches!(self.stage, Stage::Begun | Stage::Over);
        self.filled = 0;
        if direction != self.direction {
            (self.direction, self.tag_len) = (direction, 0);
            // A keystream is the same in both directions: it goes on.
            if self.evp.again != Again::GoesOn {
                self.remake();
            }
        }
        if !key.is_empty() {
            if key.len() != self.algorithm.key {
                return Err(Error::KeyLength.into());
            }
            self.key[..key.len()].copy_from_slice(key);
            self.has_key = true;
            (self.tree, self.record, self.numbered) = (None, None, false);
            // A seed that came before the key, with CMS's parameters, stays.
            if used {
                self.seed = None;
            }
            self.remake();
        }
        // ECB has no IV; EVP passes what its caller gave, with length 0.
        if !iv.is_empty() && self.iv_len > 0 {
            if iv.len() != self.iv_len {
                return Err(Error::IvLength.into());
            }
            self.iv[..iv.len()].copy_from_slice(iv);
            self.has_iv = true;
            // Each message has a seed of its own. Decryption keeps the seed that it was given: gost-engine makes one for all
            // messages under a key.
            if used && self.direction == Direction::Encrypt {
                self.seed = None;
            }
            if self.stage != Stage::Key {
                self.stage = Stage::Iv;
            }
        } else if used && self.evp.again == Again::Ends {
            self.has_iv = false;
            self.stage = if self.stage == Stage::Key { Stage::Key } else { Stage::Over };
        } else if self.stage == Stage::Begun {
            match self.evp.again {
                Again::GoesOn => self.skip_block()?,
                _ => self.stage = Stage::Iv,
            }
        }
        self.prepare()
    }

    /// Goes to the start of the next block of keystream.
    fn skip_block(&mut self) -> Result<()> {
        let n = self.algorithm.block;
        let rest = (n - (self.position % n as u64) as usize) % n;
        if let Message::Cipher(session) = &mut self.message {
            session.update(&mut Secret::new([0; BLOCK])[..rest])?;
            self.position += rest as u64;
        }
        Ok(())
    }

    /// Makes or resets the session, if all that it needs is there.
    fn prepare(&mut self) -> Result<()> {
        let a = self.algorithm;
        if self.stage <= Stage::Ready || !self.has_key || !(self.has_iv || self.iv_len == 0) {
            return Ok(());
        }
        let mut iv = [0; IV];
        let len = self.iv_now(&mut iv)?;
        let iv = &iv[..len];
        match (self.stage, &mut self.message) {
            (Stage::Iv, Message::Cipher(session)) => session.reset(iv)?,
            (Stage::Iv, Message::Seal(session)) => session.reset(iv)?,
            (Stage::Iv, Message::Open(session)) => session.reset(iv)?,
            (Stage::Over, _) => return Ok(()),
            _ => {
                let key = match (&mut self.tree, self.record) {
                    (Some(tree), Some(record)) => &tree.key(record)[..],
                    _ => &self.key[..a.key],
                };
                let mut p = Params::new(key).iv(iv).direction(self.direction);
                p.section = self.section;
                if let Some(set) = self.sboxes {
                    p.sboxes = Some(set.into());
                    p.meshing = names::sboxes(a).flatten();
                }
                self.message = match a.session(&p)? {
                    Session::Cipher(session) => Message::Cipher(session),
                    Session::Aead(session) if self.direction == Direction::Encrypt => {
                        Message::Seal(session)
                    }
                    Session::Aead(session) => Message::Open(session.unverified()?),
                    _ => return Err(Error::UnknownAlgorithm.into()),
                };
            }
        }
        self.stage = Stage::Ready;
        self.filled = 0;
        self.position = 0;
        self.register[..self.iv_len].copy_from_slice(&self.iv[..self.iv_len]);
        Ok(())
    }

    /// The IV as the library wants it: of a record in a tree with the record's number added, of CTR-ACPKM-OMAC with the
    /// seed; how long it is.
    fn iv_now(&mut self, iv: &mut [u8; IV]) -> Result<usize> {
        let len = self.iv_len;
        iv[..len].copy_from_slice(&self.iv[..len]);
        if self.tree_mode.is_some() {
            // libssl hands the write IV xor the record's number; RFC 9367, 4.1.1, clears the first bit. Two records that
            // get one nonce so have numbers 2^63 apart, and other keys of the tree: `begin` wants a number for each message.
            iv[0] &= 0x7f;
        }
        if let Some(record) = self.record.filter(|_| !self.aead()) {
            let mut carry = 0;
            let mut record = record.to_be_bytes().into_iter().rev();
            for byte in iv[..len].iter_mut().rev() {
                carry += u16::from(*byte) + u16::from(record.next().unwrap_or(0));
                *byte = carry as u8;
                carry >>= 8;
            }
        }
        if !names::is_omac(self.algorithm) || len == self.algorithm.iv.usual() {
            return Ok(len);
        }
        let seed = match (self.seed, self.direction) {
            (Some(seed), _) => seed,
            (None, Direction::Encrypt) => {
                let mut seed = [0; SEED];
                getrandom::fill(&mut seed).map_err(|_| Fault::new("no random numbers"))?;
                self.seed = Some(seed);
                seed
            }
            (None, Direction::Decrypt) => {
                return Err(Fault::new(
                    "the seed is not known: set ivlen to the UKM's, or alg_id_param",
                ));
            }
        };
        iv[len..len + SEED].copy_from_slice(&seed);
        Ok(len + SEED)
    }

    /// Ready for data.
    fn begin(&mut self) -> Result<()> {
        if self.stage == Stage::Begun {
            return Ok(());
        }
        self.prepare()?;
        match self.stage {
            Stage::Begun | Stage::Ready => {
                if self.tree_mode.is_some() && !core::mem::take(&mut self.numbered) {
                    return Err(Fault::new(
                        "after tlstree_mode each message needs a record's number, tlstree",
                    ));
                }
                self.stage = Stage::Begun;
                Ok(())
            }
            _ if !self.has_key => Err(Fault::new("no key has been set")),
            Stage::Over => {
                Err(Fault::new("the message is over, and the next needs an IV of its own"))
            }
            _ => Err(Fault::new("no IV has been set")),
        }
    }

    /// The next piece: how many bytes were written.
    ///
    /// # Safety
    /// `out` has room for what EVP's rules allow, `from` points to `len` bytes; they may overlap in any way.
    unsafe fn update(
        &mut self,
        out: *mut u8,
        room: usize,
        from: *const u8,
        len: usize,
    ) -> Result<usize> {
        // Before any arithmetic on the length.
        if crate::possible(len)? > 0 && from.is_null() {
            return Err(Fault::new("no input"));
        }
        self.begin()?;
        if out.is_null() && self.aead() {
            // SAFETY: the caller's bytes.
            let aad = unsafe { crate::input(from, len) }?;
            match &mut self.message {
                Message::Seal(session) => session.aad(aad)?,
                Message::Open(session) => session.aad(aad)?,
                _ => {}
            }
            return Ok(len);
        }
        if len == 0 {
            return Ok(0);
        }
        if out.is_null() {
            return Err(Fault::new("no room for output"));
        }
        // SAFETY: as this function's.
        unsafe {
            match self.evp.shape {
                Shape::Blocks => self.blocks(out, room, from, len, true),
                _ if room < len => Err(Error::BufferLength.into()),
                Shape::Stream => self.stream(out, from, len),
                Shape::Unit => self.unit(out, from, len),
            }
        }
    }

    /// # Safety
    /// As [`Self::update`].
    unsafe fn stream(&mut self, out: *mut u8, from: *const u8, len: usize) -> Result<usize> {
        let n = self.algorithm.block;
        let keeps = matches!(self.evp.register, Register::Ciphertext | Register::Gamma);
        let last = len.saturating_sub(n)..len;
        let mut before = Secret::new([0; BLOCK]);
        if keeps {
            // SAFETY: the end of the caller's bytes.
            unsafe { copy(&mut before[..], from, &last) };
        }
        let message = &mut self.message;
        // SAFETY: as this function's.
        unsafe {
            through(out, from, len, |data| match message {
                Message::Cipher(session) => session.update_inout(data).map(drop),
                Message::Seal(session) => session.update_inout(data),
                Message::Open(session) => session.update_inout(data),
                Message::None => Err(Error::Order),
            })?;
        }
        self.position += len as u64;
        if keeps {
            let mut after = Secret::new([0; BLOCK]);
            // SAFETY: the end of what was written.
            unsafe { copy(&mut after[..], out, &last) };
            let k = last.len();
            let block = match (self.evp.register, self.direction) {
                (Register::Gamma, _) => Secret::new(core::array::from_fn(|i| before[i] ^ after[i])),
                (_, Direction::Encrypt) => after,
                (_, Direction::Decrypt) => before,
            };
            self.register.copy_within(k..n, 0);
            self.register[n - k..n].copy_from_slice(&block[..k]);
        }
        Ok(len)
    }

    /// A whole data unit.
    ///
    /// # Safety
    /// As [`Self::update`].
    unsafe fn unit(&mut self, out: *mut u8, from: *const u8, len: usize) -> Result<usize> {
        let iv = self.iv;
        let Message::Cipher(session) = &mut self.message else { return Err(Error::Order.into()) };
        session.reset(&iv[..self.iv_len])?;
        if len < BLOCK {
            return Err(Error::DataLength.into());
        }
        // SAFETY: as this function's.
        unsafe {
            let n = through(out, from, len, |data| session.update_inout(data))?;
            session.finalize(crate::output(out.wrapping_add(n), len - n)?)?;
        }
        self.position += len as u64;
        Ok(len)
    }

    /// Whole blocks of what was held and what came; `hold` unless all that came is whole blocks and none is held back.
    ///
    /// # Safety
    /// As [`Self::update`].
    unsafe fn blocks(
        &mut self,
        out: *mut u8,
        room: usize,
        from: *const u8,
        len: usize,
        hold: bool,
    ) -> Result<usize> {
        let n = self.algorithm.block;
        let back = usize::from(hold && self.padding && self.direction == Direction::Decrypt);
        // No overflow: what is held is less than two blocks, and no buffer has so many bytes.
        let total = self.filled + len;
        let whole = (total - back) / n * n;
        if whole == 0 {
            // SAFETY: the caller's bytes.
            self.held[self.filled..total].copy_from_slice(unsafe { crate::input(from, len) }?);
            self.filled = total;
            return Ok(0);
        }
        if room < whole {
            return Err(Error::BufferLength.into());
        }
        let Message::Cipher(session) = &mut self.message else { return Err(Error::Order.into()) };
        // The rest, read before anything is written.
        let taken = whole - self.filled;
        let mut rest = Secret::new([0; BLOCK]);
        // SAFETY: the end of the caller's bytes.
        unsafe { copy(&mut rest[..], from, &(taken..len)) };
        let mut last = [0; BLOCK];
        let mut body = (out, from, whole);
        let mut copied = Zeroizing::new(Vec::new());
        if self.filled > 0 {
            let head = n - self.filled;
            body = (out.wrapping_add(n), from.wrapping_add(head), whole - n);
            // SAFETY: the start of the caller's bytes.
            unsafe { copy(&mut self.held[self.filled..], from, &(0..head)) };
            // The first block goes where there may still be text to read.
            if !in_place(body.0, body.1) && !apart(out, whole, body.1, body.2) {
                // SAFETY: the caller's bytes.
                *copied = try_copy(unsafe { crate::input(body.1, body.2) }?)?;
                body.1 = copied.as_ptr();
            }
            if self.direction == Direction::Decrypt {
                last[..n].copy_from_slice(&self.held[..n]);
            }
            session.update(&mut self.held[..n])?;
            // SAFETY: the start of the room.
            unsafe { crate::output(out, n) }?.copy_from_slice(&self.held[..n]);
        }
        if body.2 > 0 {
            if self.direction == Direction::Decrypt {
                // SAFETY: the last block of what is read.
                unsafe { copy(&mut last, body.1, &(body.2 - n..body.2)) };
            }
            // SAFETY: as this function's.
            unsafe { through(body.0, body.1, body.2, |data| session.update_inout(data)) }?;
        }
        if self.direction == Direction::Encrypt {
            // SAFETY: the last block of what was written.
            unsafe { copy(&mut last, out, &(whole - n..whole)) };
        }
        self.register.copy_from_slice(&last);
        self.held = rest;
        self.filled = len - taken;
        Ok(whole)
    }

    /// Ends the message: how many bytes were written.
    ///
    /// # Safety
    /// `out` has room for a block, if the mode has one to write.
    unsafe fn finalize(&mut self, out: *mut u8, room: usize) -> Result<usize> {
        self.begin()?;
        match &mut self.message {
            Message::Seal(session) => {
                let tag = session.finalize()?;
                self.tag[..tag.len()].copy_from_slice(&tag);
                if self.tag_len == 0 {
                    self.tag_len = tag.len();
                }
                (self.stage, self.has_iv) = (Stage::Over, false);
                return Ok(0);
            }
            Message::Open(session) => {
                if self.tag_len == 0 {
                    return Err(Fault::new("no tag to check has been set"));
                }
                let tag = &self.tag[..core::mem::take(&mut self.tag_len)];
                (self.stage, self.has_iv) = (Stage::Over, false);
                session.set_tag_len(tag.len())?;
                session.verify(tag)?;
                return Ok(0);
            }
            _ => {}
        }
        if self.evp.shape != Shape::Blocks {
            return Ok(0);
        }
        let n = self.algorithm.block;
        let filled = core::mem::take(&mut self.filled);
        let Message::Cipher(session) = &mut self.message else { return Err(Error::Order.into()) };
        if !self.padding {
            return if filled == 0 { Ok(0) } else { Err(Error::DataLength.into()) };
        }
        let block = &mut self.held[..n];
        let len = match self.direction {
            Direction::Encrypt => {
                Padding::Pkcs7.pad(block, filled)?;
                session.update(block)?;
                n
            }
            Direction::Decrypt => {
                if filled != n {
                    return Err(Error::DataLength.into());
                }
                session.update(block)?;
                Padding::Pkcs7.unpad(block)?
            }
        };
        if room < len {
            return Err(Error::BufferLength.into());
        }
        // SAFETY: the caller's room.
        unsafe { crate::output(out, len) }?.copy_from_slice(&block[..len]);
        Ok(len)
    }

    /// EVP_Cipher: whole blocks at once, nothing padded and nothing held; without input the end.
    ///
    /// # Safety
    /// As [`Self::update`].
    unsafe fn at_once(
        &mut self,
        out: *mut u8,
        room: usize,
        from: *const u8,
        len: usize,
    ) -> Result<usize> {
        // SAFETY: as this function's.
        unsafe {
            if from.is_null() {
                return self.finalize(out, room);
            }
            if self.evp.shape != Shape::Blocks {
                return self.update(out, room, from, len);
            }
            crate::possible(len)?;
            if self.filled > 0 || !len.is_multiple_of(self.algorithm.block) {
                return Err(Error::DataLength.into());
            }
            self.begin()?;
            if len == 0 { Ok(0) } else { self.blocks(out, room, from, len, false) }
        }
    }

    fn set(&mut self, p: &Param) -> Result<()> {
        let a = self.algorithm;
        match p.key() {
            "padding" => self.padding = p.number()? != 0,
            "keylen" if p.size()? != a.key => return Err(Error::KeyLength.into()),
            "ivlen" => {
                let len = p.size()?;
                if len == self.iv_len {
                    return Ok(());
                }
                if len != names::iv_len(a) && (a.iv == Iv::None || len != a.iv.usual()) {
                    return Err(Error::IvLength.into());
                }
                (self.iv_len, self.has_iv) = (len, false);
                self.remake();
            }
            "key-mesh" => {
                if !a.name.contains("-acpkm") {
                    return Err(Error::Parameter.into());
                }
                let section = p.size()?;
                if section == 0 || !section.is_multiple_of(a.block) {
                    return Err(Error::Parameter.into());
                }
                self.change(|ctx| ctx.section = Some(section))?;
            }
            "paramset" => {
                if names::sboxes(a).is_none() {
                    return Err(Error::Parameter.into());
                }
                let set = ParamSet::find(p.text()?).ok_or(Error::Parameter)?;
                self.change(|ctx| ctx.sboxes = Some(set))?;
            }
            "tag" if self.aead() => self.set_tag(p)?,
            "tlstree_mode" if names::has_tree_modes(a) => {
                // SAFETY: OpenSSL with gost-engine's patch for TLS 1.3 hands the literal "light" or "strong" with the size
                // 0 (EVP_CTRL_SET_TLSTREE_PARAMS): of this parameter, README.md says, size 0 is a text up to its NUL.
                let mode = match unsafe { p.text_to_nul() }? {
                    "light" => "light",
                    "strong" => "strong",
                    _ => return Err(Fault::new("tlstree_mode is \"light\" or \"strong\"")),
                };
                if self.tree_mode != Some(mode) {
                    // The next record's number makes the tree.
                    self.change(|ctx| {
                        (ctx.tree_mode, ctx.tree) = (Some(mode), None);
                        (ctx.record, ctx.numbered) = (None, false);
                    })?;
                }
            }
            "tlstree" => {
                let number = if self.tree_mode.is_some() {
                    // SAFETY: the same library hands the record's 8 bytes with the size 0 (EVP_CTRL_TLSTREE), after it
                    // has set `tlstree_mode`: README.md says that size 0 is 8 bytes then. Otherwise nothing is read.
                    unsafe { p.fixed() }?
                } else {
                    p.bytes()?.try_into().map_err(|_| Error::Parameter)?
                };
                self.set_record(u64::from_be_bytes(number))?;
            }
            "alg_id_param" | "algorithm-id-params" => self.set_cms(p.bytes()?)?,
            "keylen" => {}
            "num" if p.number()? == self.num() => {}
            // Not asked for: lengths in bits, records of TLS, their MACs.
            "use-bits" | "tls-version" | "tls-mac-size" if p.number()? == 0 => {}
            // These change no result.
            "properties" | "speed" => {}
            _ => return Err(p.unknown()),
        }
        Ok(())
    }

    /// How much of a block of a stream has been used.
    fn num(&self) -> u64 {
        if self.evp.shape == Shape::Stream {
            self.position % self.algorithm.block as u64
        } else {
            0
        }
    }

    /// Something that the session is made of: refused within a message.
    fn change(&mut self, f: impl FnOnce(&mut Self)) -> Result<()> {
        if self.stage == Stage::Begun {
            return Err(Error::Order.into());
        }
        f(self);
        self.remake();
        Ok(())
    }

    /// The tag to check, or at encryption without bytes how long the tag will be.
    fn set_tag(&mut self, p: &Param) -> Result<()> {
        let len = p.data_size;
        let least = if names::is_omac(self.algorithm) { self.algorithm.out } else { 4 };
        if !(least..=self.algorithm.out).contains(&len) {
            return Err(Error::TagLength.into());
        }
        if p.length_only() {
            if self.direction == Direction::Decrypt {
                return Err(Fault::new("the tag to check has no bytes"));
            }
        } else {
            if self.direction == Direction::Encrypt && self.has_key {
                return Err(Fault::new("a tag to check is set for decryption alone"));
            }
            let bytes = p.bytes()?;
            self.tag.get_mut(..bytes.len()).ok_or(Error::TagLength)?.copy_from_slice(bytes);
            if bytes.len() != len {
                return Err(Error::TagLength.into());
            }
        }
        self.tag_len = len;
        Ok(())
    }

    /// The number of a TLS record: its key is taken from the tree of the key that was set.
    fn set_record(&mut self, number: u64) -> Result<()> {
        let masks =
            names::tls_masks(self.algorithm.name, self.tree_mode).ok_or(Error::Parameter)?;
        if !self.has_key {
            return Err(Fault::new("no key has been set"));
        }
        if self.tree.is_none() {
            let root = self.key[..32].try_into().map_err(|_| Error::KeyLength)?;
            self.tree = Some(TlsTree::new(root, masks));
        }
        let same = |number: u64| number & masks.0[2];
        let fresh = self.record.is_none_or(|before| same(before) != same(number));
        (self.record, self.numbered) = (Some(number), true);
        // An authenticated cipher's nonce comes with an init, after the record's number or before it.
        if self.aead() && matches!(self.stage, Stage::Begun | Stage::Over) {
            self.has_iv = false;
        }
        self.filled = 0;
        if fresh || self.stage >= Stage::Key {
            self.remake();
        } else {
            self.stage = Stage::Iv;
        }
        self.prepare()
    }

    /// What CMS has beside the cipher's OID: IV, S-boxes, seed; and CMS's sections.
    fn set_cms(&mut self, der: &[u8]) -> Result<()> {
        let wrong = || Fault::new("parameters of the algorithm that cannot be read");
        let a = self.algorithm;
        match cms(a).ok_or_else(wrong)? {
            Cms::Iv28147 => {
                let (iv, set) = asn1::read_28147(der).ok_or_else(wrong)?;
                if iv.len() != self.iv_len {
                    return Err(Error::IvLength.into());
                }
                if names::sboxes(a).is_some() {
                    self.sboxes = Some(set);
                } else if set != ParamSet::Tc26Z {
                    // Magma has its own.
                    return Err(Error::Sbox.into());
                }
                self.iv[..iv.len()].copy_from_slice(iv);
            }
            Cms::Ukm => {
                let ukm = asn1::read_ukm(der).ok_or_else(wrong)?;
                if ukm.len() != a.block / 2 + SEED {
                    return Err(Error::IvLength.into());
                }
                self.iv[..self.iv_len].copy_from_slice(&ukm[..self.iv_len]);
                self.seed = ukm[ukm.len() - SEED..].try_into().ok();
                self.cms_section();
            }
        }
        self.has_iv = true;
        self.remake();
        self.prepare()
    }

    /// CMS's own section, of what has one.
    fn cms_section(&mut self) {
        if self.algorithm.name.contains("-acpkm") {
            self.section = Some(if self.algorithm.block == 16 { 262_144 } else { 8192 });
        }
    }

    fn get_cms(&mut self) -> Result<Vec<u8>> {
        let wrong = || Fault::new("the algorithm has no parameters in CMS");
        match cms(self.algorithm).ok_or_else(wrong)? {
            Cms::Iv28147 => {
                let set = self.sboxes.unwrap_or(ParamSet::Tc26Z);
                asn1::write_28147(&self.iv[..self.iv_len], set).ok_or_else(wrong)
            }
            Cms::Ukm => {
                if !matches!(self.stage, Stage::Begun | Stage::Over) {
                    self.cms_section();
                    self.remake();
                    self.prepare()?;
                }
                let len = self.algorithm.block / 2 + SEED;
                let mut ukm = self.iv[..self.iv_len].to_vec();
                match self.seed {
                    Some(seed) => ukm.extend_from_slice(&seed),
                    None if names::is_omac(self.algorithm) && ukm.len() < len => {
                        return Err(Fault::new("there is no seed before key and IV"));
                    }
                    // It means nothing to the others.
                    None => ukm.resize(len, 0),
                }
                ukm.truncate(len);
                Ok(asn1::write_ukm(&ukm))
            }
        }
    }

    fn get(&mut self, p: &mut Param) -> Result<()> {
        let a = self.algorithm;
        match p.key() {
            "keylen" => p.put_number(a.key as u64)?,
            "ivlen" => p.put_number(self.iv_len as u64)?,
            "padding" => p.put_number(self.padding.into())?,
            "num" => p.put_number(self.num())?,
            "iv" => p.put_bytes(&self.iv[..self.iv_len])?,
            "updated-iv" => p.put_bytes(match self.evp.register {
                Register::Ciphertext | Register::Gamma if self.num() != 0 => {
                    return Err(Fault::new("there is no IV to go on with within a block"));
                }
                Register::Ciphertext | Register::Gamma => &self.register[..self.iv_len],
                // No IV says where the message stopped.
                Register::Iv
                    if self.iv_len > 0 && (self.position > 0 || self.stage == Stage::Over) =>
                {
                    return Err(Fault::new("the mode has no IV to go on with"));
                }
                Register::Iv => &self.iv[..self.iv_len],
            })?,
            "taglen" if self.aead() => {
                p.put_number(if self.tag_len > 0 { self.tag_len } else { a.out } as u64)?;
            }
            "tag" if self.aead() => {
                let made = self.direction == Direction::Encrypt && self.stage == Stage::Over;
                let least = if names::is_omac(a) { a.out } else { 4 };
                if !made || !(least..=a.out).contains(&p.data_size) {
                    return Err(Fault::new("no tag of this length has been made"));
                }
                p.put_bytes(&self.tag[..p.data_size])?;
            }
            "key-mesh" => p.put_number(self.section.unwrap_or(0) as u64)?,
            "alg_id_param" | "algorithm-id-params" => {
                let der = self.get_cms()?;
                p.put_copy(&der)?;
            }
            // Unanswered, it would leave the caller with whatever its buffer holds.
            "randkey" => return Err(p.unknown()),
            _ => {}
        }
        Ok(())
    }
}

/// Copies a range of what a pointer leads to, into the start of `to`.
///
/// # Safety
/// `from` points to at least `range.end` bytes.
unsafe fn copy(to: &mut [u8], from: *const u8, range: &Range<usize>) {
    if !range.is_empty() {
        let to = &mut to[..range.len()];
        // SAFETY: as this function's; `to` is ours, so they do not overlap.
        unsafe { core::ptr::copy_nonoverlapping(from.add(range.start), to.as_mut_ptr(), to.len()) };
    }
}

fn in_place(out: *mut u8, from: *const u8) -> bool {
    core::ptr::addr_eq(out, from)
}

/// Whether two ranges have no byte in common.
fn apart(out: *mut u8, room: usize, from: *const u8, len: usize) -> bool {
    let (out, from) = (out.addr(), from.addr());
    out >= from.saturating_add(len) || from >= out.saturating_add(room)
}

fn try_copy(data: &[u8]) -> Result<Vec<u8>> {
    let mut copy = Vec::new();
    copy.try_reserve_exact(data.len()).map_err(|_| Fault::new("out of memory"))?;
    copy.extend_from_slice(data);
    Ok(copy)
}

/// Gives `f` the caller's buffers as they are, in place or apart; where they overlap otherwise, a copy of the input.
///
/// # Safety
/// `out` and `from` point to `len` bytes, more than none.
unsafe fn through<T>(
    out: *mut u8,
    from: *const u8,
    len: usize,
    f: impl FnOnce(InOut<'_, '_>) -> core::result::Result<T, Error>,
) -> Result<T> {
    if in_place(out, from) || apart(out, len, from, len) {
        // SAFETY: the same bytes or none in common; both are there.
        return Ok(f(unsafe { InOut::from_raw(from, out, len) })?);
    }
    // SAFETY: the caller's bytes; the room is looked at when they are not any more.
    unsafe {
        let copy = Zeroizing::new(try_copy(crate::input(from, len)?)?);
        Ok(f(InOut::new(&copy, crate::output(out, len)?).map_err(|_| Error::BufferLength)?)?)
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
    object(provider, || Ok(Box::new(Ctx::new(provider, algorithm::<I>())?)))
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

/// # Safety
/// OpenSSL's rules of both calls of this kind.
unsafe fn init(
    direction: Direction,
    ctx: *mut c_void,
    key: (*const u8, usize),
    iv: (*const u8, usize),
    params: *const Param,
) -> c_int {
    // SAFETY: OpenSSL's pointer.
    let Some(ctx) = (unsafe { of(ctx) }) else { return 0 };
    border(ctx.provider, || {
        // A null pointer is "as before", whatever length stands beside it.
        let given = |(at, len): (*const u8, usize)| {
            // SAFETY: the caller's bytes.
            if at.is_null() { Ok(&[][..]) } else { unsafe { crate::input(at, len) } }
        };
        let (key, iv) = (given(key)?, given(iv)?);
        // SAFETY: OpenSSL's array.
        let all = || unsafe { params::each(params) };
        // Lengths before the IV they are of; a record's number after the key.
        let late = |p: &&Param| matches!(p.key(), "tlstree" | "key-mesh" | "paramset" | "tag");
        all().filter(|p| !late(p)).try_for_each(|p| ctx.set(p))?;
        ctx.init(direction, key, iv)?;
        all().filter(late).try_for_each(|p| ctx.set(p))?;
        ctx.prepare()
    })
}

unsafe extern "C" fn encrypt_init(
    ctx: *mut c_void,
    key: *const u8,
    key_len: usize,
    iv: *const u8,
    iv_len: usize,
    params: *const Param,
) -> c_int {
    // SAFETY: OpenSSL's call.
    unsafe { init(Direction::Encrypt, ctx, (key, key_len), (iv, iv_len), params) }
}

unsafe extern "C" fn decrypt_init(
    ctx: *mut c_void,
    key: *const u8,
    key_len: usize,
    iv: *const u8,
    iv_len: usize,
    params: *const Param,
) -> c_int {
    // SAFETY: OpenSSL's call.
    unsafe { init(Direction::Decrypt, ctx, (key, key_len), (iv, iv_len), params) }
}

/// A call that writes: what `f` says was written goes to `out_len`, 0 if it failed.
///
/// # Safety
/// OpenSSL's pointers.
#[inline(always)]
unsafe fn writes(
    ctx: *mut c_void,
    out_len: *mut usize,
    f: impl FnOnce(&mut Ctx) -> Result<usize>,
) -> c_int {
    // SAFETY: OpenSSL's pointers.
    let (Some(ctx), Some(out_len)) = (unsafe { (of(ctx), out_len.as_mut()) }) else { return 0 };
    *out_len = 0;
    border(ctx.provider, || {
        *out_len = f(ctx)?;
        Ok(())
    })
}

unsafe extern "C" fn update(
    ctx: *mut c_void,
    out: *mut u8,
    out_len: *mut usize,
    room: usize,
    from: *const u8,
    len: usize,
) -> c_int {
    // SAFETY: OpenSSL's call.
    unsafe { writes(ctx, out_len, |ctx| ctx.update(out, room, from, len)) }
}

unsafe extern "C" fn finalize(
    ctx: *mut c_void,
    out: *mut u8,
    out_len: *mut usize,
    room: usize,
) -> c_int {
    // SAFETY: OpenSSL's call.
    unsafe { writes(ctx, out_len, |ctx| ctx.finalize(out, room)) }
}

unsafe extern "C" fn at_once(
    ctx: *mut c_void,
    out: *mut u8,
    out_len: *mut usize,
    room: usize,
    from: *const u8,
    len: usize,
) -> c_int {
    // SAFETY: OpenSSL's call.
    unsafe { writes(ctx, out_len, |ctx| ctx.at_once(out, room, from, len)) }
}

unsafe extern "C" fn get_ctx_params(ctx: *mut c_void, params: *mut Param) -> c_int {
    // SAFETY: OpenSSL's pointer.
    let Some(ctx) = (unsafe { of(ctx) }) else { return 0 };
    // SAFETY: OpenSSL's array.
    border(ctx.provider, || unsafe { params::each_mut(params) }.try_for_each(|p| ctx.get(p)))
}

unsafe extern "C" fn set_ctx_params(ctx: *mut c_void, params: *const Param) -> c_int {
    // SAFETY: OpenSSL's pointer.
    let Some(ctx) = (unsafe { of(ctx) }) else { return 0 };
    // SAFETY: OpenSSL's array.
    border(ctx.provider, || unsafe { params::each(params) }.try_for_each(|p| ctx.set(p)))
}
