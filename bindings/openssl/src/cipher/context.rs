//! A message under a cipher, as EVP drives it.
//!
//! A context holds the values that the caller has set, and a session of the library. The session is made when key and IV
//! are there, and serves later messages until another key comes. EVP's rules for buffers are not the library's: an update
//! may write as much as came and was held, the final call at most a block. So with block modes the context holds the
//! partial block itself (at decryption with padding also a whole last one), and the session gets only whole blocks, in the
//! caller's buffers.
#![allow(unsafe_code)]

use core::ops::Range;

use bulat::algorithm::{
    AeadSession, Algorithm, CipherSession, Kind, Padding, Params, Session, UnverifiedSession,
};
use bulat::kdf::TlsTree;
use bulat::{Direction, Error, InOut, ParamSet, Secret};
use zeroize::Zeroizing;

use crate::Provider;
use crate::abi::Param;
use crate::context::Context;
use crate::fault::{Fault, Result};
use crate::names::{self, Again, Evp, Register, Shape};

/// The longest key, block and IV in bytes.
const KEY: usize = 64;
const BLOCK: usize = 16;
const IV: usize = 16;
/// Bytes of the seed that follows the IV in CTR-ACPKM-OMAC's UKM.
pub(super) const SEED: usize = 8;

/// A session of the library.
#[derive(Clone)]
pub(super) enum Message {
    Cipher(CipherSession),
    Seal(AeadSession),
    Open(UnverifiedSession),
}

impl Message {
    fn reset(&mut self, iv: &[u8]) -> core::result::Result<(), Error> {
        match self {
            Message::Cipher(session) => session.reset(iv),
            Message::Seal(session) => session.reset(iv),
            Message::Open(session) => session.reset(iv),
        }
    }
}

/// The session, and the step that the next piece of data needs first.
#[derive(Clone)]
pub(super) enum State {
    /// There is no session: it is made from key and IV.
    Unmade,
    /// The session must be reset with the IV.
    Stale(Message),
    /// The session is at the start of a message.
    Ready(Message),
    /// The session is within a message.
    Begun(Message),
    /// The message has ended, and its IV is used up: the caller must set another.
    Over(Message),
}

impl State {
    /// Moves the session, if there is one, to another state: `state.to(State::Stale)`.
    pub(super) fn to(&mut self, state: fn(Message) -> State) {
        *self = match core::mem::replace(self, State::Unmade) {
            State::Unmade => State::Unmade,
            State::Stale(message)
            | State::Ready(message)
            | State::Begun(message)
            | State::Over(message) => state(message),
        };
    }
}

/// The keys of TLS records, after `tlstree`.
#[derive(Clone, Default)]
pub(super) struct Records {
    pub(super) tree: Option<TlsTree>,
    pub(super) mode: Option<&'static str>,
    pub(super) number: Option<u64>,
    /// The number has come, and no message has begun with it.
    pub(super) unused: bool,
}

/// The seed of CTR-ACPKM-OMAC.
#[derive(Clone, Default)]
pub(super) struct Seed {
    pub(super) bytes: Option<[u8; SEED]>,
    /// The seed is random, and the caller has not read it.
    pub(super) unread: bool,
}

/// The tag to check, or the tag that was made.
#[derive(Clone, Default)]
pub(super) struct Tag {
    pub(super) bytes: [u8; BLOCK],
    pub(super) len: usize,
    /// The length that a tag to check must have; 0: any.
    pub(super) due: usize,
}

/// Text that is less than a block, or that may be the last block.
#[derive(Clone)]
pub(super) struct Held {
    block: Secret<[u8; BLOCK]>,
    pub(super) len: usize,
}

#[derive(Clone)]
pub(super) struct Ctx {
    pub(super) algorithm: &'static Algorithm,
    pub(super) evp: Evp,
    pub(super) direction: Direction,
    pub(super) key: Option<Secret<[u8; KEY]>>,
    pub(super) iv: [u8; IV],
    pub(super) iv_len: usize,
    pub(super) has_iv: bool,
    pub(super) padding: bool,
    pub(super) section: Option<usize>,
    pub(super) sboxes: Option<ParamSet>,
    pub(super) seed: Seed,
    pub(super) records: Records,
    pub(super) state: State,
    pub(super) held: Held,
    /// Bytes of the message so far (of streams and units), and the block that is EVP's updated IV.
    pub(super) position: u64,
    pub(super) register: Secret<[u8; BLOCK]>,
    pub(super) tag: Tag,
}

impl Context for Ctx {
    fn new(provider: Option<&'static Provider>, a: &'static Algorithm) -> Result<Self> {
        let mut ctx = Ctx {
            algorithm: a,
            evp: Evp::of(a),
            direction: Direction::Encrypt,
            key: None,
            iv: [0; IV],
            iv_len: names::iv_len(a),
            has_iv: false,
            padding: true,
            section: None,
            sboxes: None,
            seed: Seed::default(),
            records: Records::default(),
            state: State::Unmade,
            held: Held { block: Secret::new([0; BLOCK]), len: 0 },
            position: 0,
            register: Secret::new([0; BLOCK]),
            tag: Tag::default(),
        };
        if let Some(provider) = provider.filter(|_| names::sboxes(a).is_some()) {
            let unknown = |name: &String| Fault::new("CRYPT_PARAMS: unknown S-boxes").about(name);
            ctx.sboxes = *provider.sboxes.as_ref().map_err(unknown)?;
        }
        Ok(ctx)
    }
}

impl Ctx {
    pub(super) fn aead(&self) -> bool {
        self.algorithm.kind == Kind::Aead
    }

    /// Begins a message with the values that have come; without key and IV the next one, as EVP's modes do.
    pub(super) fn init<'a>(
        &mut self,
        direction: Direction,
        key: &[u8],
        iv: &[u8],
        params: impl Iterator<Item = &'a Param> + Clone,
    ) -> Result<()> {
        // A length comes before its IV, and a record's number after the key.
        let late = |p: &&Param| matches!(p.key(), "tlstree" | "key-mesh" | "paramset" | "tag");
        params.clone().filter(|p| !late(p)).try_for_each(|p| self.set(p))?;
        let used = matches!(self.state, State::Begun(_) | State::Over(_));
        self.held.len = 0;
        if direction != self.direction {
            (self.direction, self.tag.len, self.tag.due) = (direction, 0, 0);
            // A keystream is the same in both directions, so it continues.
            if self.evp.again != Again::Continues {
                self.state = State::Unmade;
            }
        }
        if !key.is_empty() {
            if key.len() != self.algorithm.key {
                return Err(Error::KeyLength.into());
            }
            let own = self.key.insert(Secret::new([0; KEY]));
            own[..key.len()].copy_from_slice(key);
            self.records = Records { mode: self.records.mode, ..Records::default() };
            // A seed that came before the key, with CMS's parameters, stays.
            if used {
                self.seed.bytes = None;
            }
            self.state = State::Unmade;
        }
        // ECB has no IV; EVP passes the caller's pointer with length 0.
        if !iv.is_empty() && self.iv_len > 0 {
            if iv.len() != self.iv_len {
                return Err(Error::IvLength.into());
            }
            self.iv[..iv.len()].copy_from_slice(iv);
            self.has_iv = true;
            // Each message gets a seed of its own. Decryption keeps the one that the caller set: gost-engine makes one seed
            // for all messages under a key.
            if used && self.direction == Direction::Encrypt {
                self.seed.bytes = None;
            }
            self.state.to(State::Stale);
        } else if used && self.evp.again == Again::Ends {
            self.has_iv = false;
            self.state.to(State::Over);
        } else if let State::Begun(_) = self.state {
            match self.evp.again {
                Again::Continues => self.skip_block()?,
                _ => self.state.to(State::Stale),
            }
        }
        self.prepare()?;
        params.filter(late).try_for_each(|p| self.set(p))?;
        self.prepare()
    }

    /// Goes to the start of the next block of keystream.
    fn skip_block(&mut self) -> Result<()> {
        let n = self.algorithm.block;
        let rest = (n - (self.position % n as u64) as usize) % n;
        if let State::Begun(Message::Cipher(session)) = &mut self.state {
            session.update(&mut Secret::new([0; BLOCK])[..rest])?;
            self.position += rest as u64;
        }
        Ok(())
    }

    /// Makes or resets the session, if key and IV are there.
    pub(super) fn prepare(&mut self) -> Result<()> {
        let a = self.algorithm;
        if !matches!(self.state, State::Unmade | State::Stale(_))
            || self.key.is_none()
            || !(self.has_iv || self.iv_len == 0)
        {
            return Ok(());
        }
        let mut iv = [0; IV];
        let len = self.iv_now(&mut iv)?;
        let iv = &iv[..len];
        if let State::Stale(message) = &mut self.state {
            message.reset(iv)?;
            self.state.to(State::Ready);
        } else {
            let key = match (&mut self.records, &self.key) {
                (Records { tree: Some(tree), number: Some(number), .. }, _) => {
                    &tree.key(*number)[..]
                }
                (_, Some(key)) => &key[..a.key],
                _ => return Ok(()),
            };
            let mut p = Params::new(key).iv(iv).direction(self.direction);
            p.section = self.section;
            if let Some(set) = self.sboxes {
                p.sboxes = Some(set.into());
                p.meshing = names::sboxes(a).flatten();
            }
            self.state = State::Ready(match a.session(&p)? {
                Session::Cipher(session) => Message::Cipher(session),
                Session::Aead(session) if self.direction == Direction::Encrypt => {
                    Message::Seal(session)
                }
                Session::Aead(session) => Message::Open(session.unverified()?),
                _ => return Err(Error::UnknownAlgorithm.into()),
            });
        }
        self.held.len = 0;
        self.position = 0;
        self.register[..self.iv_len].copy_from_slice(&self.iv[..self.iv_len]);
        Ok(())
    }

    /// Writes the library's IV and returns its length: in a tree the IV plus the record's number, for CTR-ACPKM-OMAC the IV
    /// and the seed.
    fn iv_now(&mut self, iv: &mut [u8; IV]) -> Result<usize> {
        let len = self.iv_len;
        iv[..len].copy_from_slice(&self.iv[..len]);
        if self.records.mode.is_some() {
            // libssl passes the write IV xor the record's number; RFC 9367, 4.1.1, clears the first bit. Two records that
            // get one nonce in this way have numbers 2^63 apart, and so other keys of the tree: `begin` wants a number for
            // each message.
            iv[0] &= 0x7f;
        }
        if let Some(record) = self.records.number.filter(|_| !self.aead()) {
            let mut carry = 0;
            let mut record = record.to_be_bytes().into_iter().rev();
            for byte in iv[..len].iter_mut().rev() {
                carry += u16::from(*byte) + u16::from(record.next().unwrap_or(0));
                *byte = carry as u8;
                carry >>= 8;
            }
        }
        if self.seeded() {
            let seed = self.seed()?;
            iv[len..len + SEED].copy_from_slice(&seed);
            return Ok(len + SEED);
        }
        Ok(len)
    }

    /// Returns whether the IV is only the first part of the UKM, which a seed completes.
    fn seeded(&self) -> bool {
        self.iv_len == names::iv_len(self.algorithm) && self.iv_len < self.algorithm.iv.usual()
    }

    /// Returns the seed; makes a random one at encryption.
    fn seed(&mut self) -> Result<[u8; SEED]> {
        match (self.seed.bytes, self.direction) {
            (Some(seed), _) => Ok(seed),
            (None, Direction::Encrypt) => {
                let mut seed = [0; SEED];
                getrandom::fill(&mut seed)
                    .map_err(|_| Fault::new("the system has no random bytes"))?;
                (self.seed.bytes, self.seed.unread) = (Some(seed), true);
                Ok(seed)
            }
            (None, Direction::Decrypt) => {
                Err(Fault::new("unknown seed: set ivlen to the UKM's length, or set alg_id_param"))
            }
        }
    }

    /// Begins the message, if it has not begun.
    fn begin(&mut self) -> Result<()> {
        if let State::Begun(_) = self.state {
            return Ok(());
        }
        self.prepare()?;
        match self.state {
            State::Ready(_)
                if self.seed.unread && self.seeded() && self.direction == Direction::Encrypt =>
            {
                // Nobody could open the message.
                Err(Fault::new(
                    "a random seed: read alg_id_param first, or set ivlen to the UKM's length",
                ))
            }
            State::Begun(_) | State::Ready(_) => {
                if self.records.mode.is_some() && !core::mem::take(&mut self.records.unused) {
                    return Err(Fault::new(
                        "after tlstree_mode each message needs a record's number, tlstree",
                    ));
                }
                self.state.to(State::Begun);
                Ok(())
            }
            _ if self.key.is_none() => Err(Fault::new("no key has been set")),
            State::Over(_) => {
                Err(Fault::new("the message has ended, and the next one needs a new IV"))
            }
            State::Unmade | State::Stale(_) => Err(Fault::new("no IV has been set")),
        }
    }

    /// Processes the next piece and returns the number of bytes written.
    ///
    /// # Safety
    /// `out` is null or has `room` bytes, as many as EVP's rules need; `from` is null or points to `len` bytes. They may
    /// overlap in any way.
    pub(super) unsafe fn update(
        &mut self,
        out: *mut u8,
        room: usize,
        from: *const u8,
        len: usize,
    ) -> Result<usize> {
        // Checked before any arithmetic with the length.
        if crate::possible(len)? > 0 && from.is_null() {
            return Err(Fault::new("the input is null"));
        }
        self.begin()?;
        if out.is_null() && self.aead() {
            // SAFETY: `from` points to `len` bytes, by this function's contract.
            let aad = unsafe { crate::input(from, len) }?;
            match &mut self.state {
                State::Begun(Message::Seal(session)) => session.aad(aad)?,
                State::Begun(Message::Open(session)) => session.aad(aad)?,
                _ => {}
            }
            return Ok(len);
        }
        if len == 0 {
            return Ok(0);
        }
        if out.is_null() {
            return Err(Fault::new("the output is null"));
        }
        // SAFETY: neither pointer is null; `from` has `len` bytes and `out` has `room`, by this function's contract.
        unsafe {
            match self.evp.shape {
                Shape::Blocks => self.blocks(Piece { out, from, len }, room, true),
                _ if room < len => Err(Error::BufferLength.into()),
                Shape::Stream => self.stream(Piece { out, from, len }),
                Shape::Unit => self.unit(Piece { out, from, len }),
            }
        }
    }

    /// Processes a piece of a stream.
    ///
    /// # Safety
    /// As [`Piece`].
    unsafe fn stream(&mut self, piece: Piece) -> Result<usize> {
        if self.evp.register == Register::Iv {
            // SAFETY: the contract is the same.
            return unsafe { self.stream_on(piece) };
        }
        let Piece { out, from, len } = piece;
        let n = self.algorithm.block;
        let last = len.saturating_sub(n)..len;
        let (mut before, mut after) = (Secret::new([0; BLOCK]), Secret::new([0; BLOCK]));
        // SAFETY: `from` has `len` bytes, where `last` ends; then `out` has `len` bytes, written by the call.
        unsafe {
            copy(&mut before[..], from, &last);
            self.stream_on(piece)?;
            copy(&mut after[..], out, &last);
        }
        let k = last.len();
        let block = match (self.evp.register, self.direction) {
            (Register::Gamma, _) => Secret::new(core::array::from_fn(|i| before[i] ^ after[i])),
            (_, Direction::Encrypt) => after,
            (_, Direction::Decrypt) => before,
        };
        self.register.copy_within(k..n, 0);
        self.register[n - k..n].copy_from_slice(&block[..k]);
        Ok(len)
    }

    /// Processes a piece of a stream; does not keep EVP's updated IV.
    ///
    /// # Safety
    /// As [`Piece`].
    #[inline(always)]
    unsafe fn stream_on(&mut self, piece: Piece) -> Result<usize> {
        let state = &mut self.state;
        // SAFETY: `out` and `from` have `len` bytes, by the piece's contract.
        unsafe {
            through(piece, |data| match state {
                State::Begun(Message::Cipher(session)) => session.update_inout(data).map(drop),
                State::Begun(Message::Seal(session)) => session.update_inout(data),
                State::Begun(Message::Open(session)) => session.update_inout(data),
                _ => Err(Error::Order),
            })?;
        }
        self.position += piece.len as u64;
        Ok(piece.len)
    }

    /// Processes a whole data unit.
    ///
    /// # Safety
    /// As [`Piece`].
    unsafe fn unit(&mut self, piece: Piece) -> Result<usize> {
        let Piece { out, len, .. } = piece;
        let iv = self.iv;
        let State::Begun(Message::Cipher(session)) = &mut self.state else {
            return Err(Error::Order.into());
        };
        session.reset(&iv[..self.iv_len])?;
        if len < BLOCK {
            return Err(Error::DataLength.into());
        }
        // SAFETY: `out` and `from` have `len` bytes; the last `len - n` of `out` follow the `n` that are written.
        unsafe {
            let n = through(piece, |data| session.update_inout(data))?;
            session.finalize(crate::output(out.wrapping_add(n), len - n)?)?;
        }
        self.position += len as u64;
        Ok(len)
    }

    /// Processes the whole blocks of the held bytes and the new ones. `hold` keeps a last block back for padding, if
    /// there is any.
    ///
    /// # Safety
    /// `piece.out` has `room` bytes, `piece.from` points to `piece.len`.
    unsafe fn blocks(&mut self, piece: Piece, room: usize, hold: bool) -> Result<usize> {
        let Piece { out, from, len } = piece;
        let n = self.algorithm.block;
        let back = usize::from(hold && self.padding && self.direction == Direction::Decrypt);
        // No overflow: at most a block is held, and a buffer's length is an `isize`.
        let total = self.held.len + len;
        let whole = (total - back) / n * n;
        if whole == 0 {
            // SAFETY: `from` points to `len` bytes, by this function's contract.
            self.held.block[self.held.len..total]
                .copy_from_slice(unsafe { crate::input(from, len) }?);
            self.held.len = total;
            return Ok(0);
        }
        if room < whole {
            return Err(Error::BufferLength.into());
        }
        let State::Begun(Message::Cipher(session)) = &mut self.state else {
            return Err(Error::Order.into());
        };
        // The bytes to hold are read before anything is written.
        let taken = whole - self.held.len;
        let mut held = Secret::new([0; BLOCK]);
        // SAFETY: `from` has `len` bytes, where the range ends.
        unsafe { copy(&mut held[..], from, &(taken..len)) };
        let mut last = [0; BLOCK];
        let mut body = Piece { out, from, len: whole };
        let mut copied = Zeroizing::new(Vec::new());
        if self.held.len > 0 {
            let head = n - self.held.len;
            body =
                Piece { out: out.wrapping_add(n), from: from.wrapping_add(head), len: whole - n };
            // SAFETY: `from` has `len` bytes, at least `head`: with them there is a whole block.
            unsafe { copy(&mut self.held.block[self.held.len..], from, &(0..head)) };
            // The first block is written where text may still have to be read.
            if !body.in_place() && !apart(out, whole, body.from, body.len) {
                // SAFETY: `body.from` is in `from`, with `body.len` bytes up to the last whole block.
                *copied = try_copy(unsafe { crate::input(body.from, body.len) }?)?;
                body.from = copied.as_ptr();
            }
            if self.direction == Direction::Decrypt {
                last[..n].copy_from_slice(&self.held.block[..n]);
            }
            session.update(&mut self.held.block[..n])?;
            // SAFETY: `out` has at least `whole` bytes, and a block is the first of them.
            unsafe { crate::output(out, n) }?.copy_from_slice(&self.held.block[..n]);
        }
        if body.len > 0 {
            if self.direction == Direction::Decrypt {
                // SAFETY: `body.from` has `body.len` bytes, and they are whole blocks.
                unsafe { copy(&mut last, body.from, &(body.len - n..body.len)) };
            }
            // SAFETY: both buffers of `body` have `body.len` bytes: those of `out` and `from` after the first block.
            unsafe { through(body, |data| session.update_inout(data)) }?;
        }
        if self.direction == Direction::Encrypt {
            // SAFETY: `out` has `whole` bytes, written by now.
            unsafe { copy(&mut last, out, &(whole - n..whole)) };
        }
        self.register.copy_from_slice(&last);
        self.held.block = held;
        self.held.len = len - taken;
        Ok(whole)
    }

    /// Ends the message and returns the number of bytes written.
    ///
    /// # Safety
    /// `out` is null or has `room` bytes.
    pub(super) unsafe fn finalize(&mut self, out: *mut u8, room: usize) -> Result<usize> {
        self.begin()?;
        match &mut self.state {
            State::Begun(Message::Seal(session)) => {
                let tag = session.finalize()?;
                self.tag.bytes[..tag.len()].copy_from_slice(&tag);
                if self.tag.len == 0 {
                    self.tag.len = tag.len();
                }
                self.has_iv = false;
                self.state.to(State::Over);
                return Ok(0);
            }
            State::Begun(Message::Open(session)) => {
                if self.tag.len == 0 {
                    return Err(Fault::new("no tag to verify has been set"));
                }
                let tag = &self.tag.bytes[..core::mem::take(&mut self.tag.len)];
                let right = session.set_tag_len(tag.len()).and_then(|()| session.verify(tag));
                self.has_iv = false;
                self.state.to(State::Over);
                right?;
                return Ok(0);
            }
            _ => {}
        }
        if self.evp.shape != Shape::Blocks {
            return Ok(0);
        }
        let n = self.algorithm.block;
        let filled = core::mem::take(&mut self.held.len);
        let State::Begun(Message::Cipher(session)) = &mut self.state else {
            return Err(Error::Order.into());
        };
        if !self.padding {
            return if filled == 0 { Ok(0) } else { Err(Error::DataLength.into()) };
        }
        let block = &mut self.held.block[..n];
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
        // SAFETY: `out` has `room` bytes, at least `len`, as was checked above.
        unsafe { crate::output(out, len) }?.copy_from_slice(&block[..len]);
        Ok(len)
    }

    /// EVP_Cipher: processes whole blocks, without padding or holding any; without input it ends the message.
    ///
    /// # Safety
    /// As [`Self::update`].
    pub(super) unsafe fn at_once(
        &mut self,
        out: *mut u8,
        room: usize,
        from: *const u8,
        len: usize,
    ) -> Result<usize> {
        if from.is_null() {
            // SAFETY: `out` is null or has `room` bytes, by this function's contract.
            return unsafe { self.finalize(out, room) };
        }
        if self.evp.shape != Shape::Blocks {
            // SAFETY: the contract is the same.
            return unsafe { self.update(out, room, from, len) };
        }
        crate::possible(len)?;
        if self.held.len > 0 || !len.is_multiple_of(self.algorithm.block) {
            return Err(Error::DataLength.into());
        }
        self.begin()?;
        if len == 0 {
            return Ok(0);
        }
        if out.is_null() {
            return Err(Fault::new("the output is null"));
        }
        // SAFETY: neither pointer is null; `from` has `len` bytes and `out` has `room`, by this function's contract.
        unsafe { self.blocks(Piece { out, from, len }, room, false) }
    }
}

/// A part of the caller's buffers: `out` and `from` point to `len` bytes.
#[derive(Clone, Copy)]
struct Piece {
    out: *mut u8,
    from: *const u8,
    len: usize,
}

impl Piece {
    fn in_place(&self) -> bool {
        core::ptr::addr_eq(self.out, self.from)
    }
}

/// Copies a range of the bytes at `from` into the start of `to`.
///
/// # Safety
/// `from` points to at least `range.end` bytes.
unsafe fn copy(to: &mut [u8], from: *const u8, range: &Range<usize>) {
    if !range.is_empty() {
        let to = &mut to[..range.len()];
        // SAFETY: `from` has `range.end` bytes, by this function's contract, and `to` is the context's own memory, so they
        // do not overlap.
        unsafe { core::ptr::copy_nonoverlapping(from.add(range.start), to.as_mut_ptr(), to.len()) };
    }
}

/// Returns whether two ranges have no byte in common.
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

/// Calls `f` with the caller's buffers if they are in place or apart; if they overlap otherwise, with a copy of the input.
///
/// # Safety
/// As [`Piece`], with at least one byte.
unsafe fn through<T>(
    piece: Piece,
    f: impl FnOnce(InOut<'_, '_>) -> core::result::Result<T, Error>,
) -> Result<T> {
    let Piece { out, from, len } = piece;
    if piece.in_place() || apart(out, len, from, len) {
        // SAFETY: both have `len` bytes, and the check above found them equal or without a common byte.
        return Ok(f(unsafe { InOut::from_raw(from, out, len) })?);
    }
    // SAFETY: `from` has `len` bytes, by the piece's contract; the slice of them ends with this statement.
    let copy = Zeroizing::new(try_copy(unsafe { crate::input(from, len) }?)?);
    // SAFETY: `out` has `len` bytes, and no slice of `from`, which overlaps it, is alive.
    let out = unsafe { crate::output(out, len) }?;
    Ok(f(InOut::new(&copy, out).map_err(|_| Error::BufferLength)?)?)
}
