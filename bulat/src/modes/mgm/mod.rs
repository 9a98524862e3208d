//! MGM, the Multilinear Galois Mode: RFC 9058 (R 1323565.1.026-2019). A message, with blocks of n bits:
//!
//! ```text
//! seal(K, ICN, A, P):                     ICN is n - 1 bits, A associated data, P the text
//!     Y = E(K, 0 || ICN)                  the counter of gamma: its right half counts
//!     Z = E(K, 1 || ICN)                  the counter of multipliers: its left half counts
//!     for each block P_i of P:            the last one may be shorter
//!         C_i = P_i ^ E(K, Y)
//!         right half of Y += 1
//!     sum = 0
//!     for each block X of pad(A) || pad(C) || len(A) || len(C):
//!         H = E(K, Z)                     each block has a multiplier of its own
//!         sum ^= H * X                    in GF(2^n)
//!         left half of Z += 1
//!     return C, MSB(S, E(K, sum))         S is 32 to n
//! ```
//!
//! `pad` adds zeros up to a whole block; the two lengths are numbers of bits and share a block. No H depends on the
//! text, so H can be made before the text, with the gamma, or in batches. There are three ways:
//!
//! 1. `short.rs`, a whole text of at most [`SHORT`] bytes: one call of the cipher makes the gamma and every H, those of
//!    the lengths and of the end of the associated data included. 64 bytes of Magma cost 32.9 cycles a byte so and 47.2
//!    otherwise, 1504 bytes of Kuznyechik 4.9 and 6.5.
//! 2. `ahead.rs`, any other data: gamma for [`STEP`] bytes, then H for a few kilobytes at a time, then their products,
//!    summed without reduction. All of it stays in the first-level cache.
//! 3. `fused.rs`, pieces of at least [`FUSED`] bytes where the cipher's kernel multiplies: it multiplies a batch of H
//!    during the rounds that make the next one, so that both units of the processor work. The rest is done ahead.
//!    16 KB of Magma cost 1.31 cycles a byte so and 1.40 otherwise, Kuznyechik's 1.77 and 1.81.
//!
//! In ways 1 and 2 data may wait for its H, and H for its data, at most [`HELD`] bytes of each: the end of the
//! associated data waits for the first H of the text, and the H of the lengths are made with the last H of the text.
//! That saves a message one or two calls of the cipher.

mod ahead;
mod fused;
mod short;
mod unverified;

use core::borrow::Borrow;

use super::gamma::{BATCH, Leftover, split, stream};
use super::{Aead, AeadMessage, FromKey, Sealer};
use crate::cipher::{Block, Chain, Count, Data};
use crate::kernel::{self, GfKernel, Ready, Shape};
#[cfg(feature = "alloc")]
use crate::session::{AeadSession, FromParams, Opened, Params, Takes};
use crate::{BlockCipher, Direction, Error, InOut, Secret, Tag, gf, verify};
pub use unverified::MgmUnverifiedOpener;

// All sizes, in bytes. They choose a way and its room, never a result.

/// The longest text of way 1: its gamma and its H fit into the first-level cache together.
const SHORT: usize = BATCH;
/// Text that is encrypted before it is multiplied: it is still in the first-level cache then.
const STEP: usize = 16 * 1024;
/// Room for H in way 2: for single blocks, for the ends of longer data, and for all else, batches of every kernel.
/// Room is zeroed first and wiped after use, so small data gets a small one.
const ROOM: [usize; 3] = [192, 1536, 6144];
/// The least data of way 3: two batches of the widest kernel.
const FUSED: usize = 3072;
/// Data that waits for its H, and H that wait for their data: two blocks of Kuznyechik each.
const HELD: usize = 32;

const _: () = assert!(SHORT.is_multiple_of(16) && HELD.is_multiple_of(16));

#[derive(Clone, Copy, PartialEq)]
enum Phase {
    Aad,
    Text,
    Finished,
}

/// Authenticated encryption in MGM: a key, prepared once, for any number of messages.
///
/// A nonce must never be used twice under one key: that ends all its security. Its first bit is 0. Text and
/// associated data of a message have fewer than 2^61 bytes together with Kuznyechik, 2^29 with Magma.
///
/// ```
/// use bulat::{Aead, KuznyechikMgm};
/// let aead = KuznyechikMgm::new(&[7; 32]);
/// let (nonce, mut text) = ([1; 16], *b"secret");
/// let tag = aead.seal_in_place(&nonce, b"header", &mut text)?;
/// aead.open_in_place(&nonce, b"header", &mut text, &tag)?;
/// assert_eq!(&text, b"secret");
/// # Ok::<(), bulat::Error>(())
/// ```
#[derive(Clone)]
pub struct Mgm<C: BlockCipher> {
    cipher: C,
    gf: Ready<GfKernel>,
    /// True if the cipher's kernel may multiply in place of this one.
    fused: bool,
    tag_len: usize,
}

impl<C: BlockCipher> Mgm<C> {
    /// Prepares a key of 32 bytes, with the full tag of n bytes.
    pub fn new(key: &[u8; 32]) -> Self
    where
        C: FromKey,
    {
        Self::with(C::from_key(key))
    }

    /// Uses a prepared key, with the full tag of n bytes.
    pub fn with(cipher: C) -> Self {
        let gf = kernel::pick(gf::KERNELS, Shape::Multiply);
        Mgm { cipher, gf, fused: gf.fused(), tag_len: C::BLOCK }
    }

    /// Sets the length of the tags in bytes (RFC 9058, section 4: 32 <= S <= n).
    ///
    /// # Errors
    /// [`Error::TagLength`] unless `len` is 4 to n.
    pub fn truncated(mut self, len: usize) -> Result<Self, Error> {
        if !(4..=C::BLOCK).contains(&len) {
            return Err(Error::TagLength);
        }
        self.tag_len = len;
        Ok(self)
    }

    /// Multiplies on the kernel of this name; the cipher's kernel is chosen with the cipher.
    ///
    /// # Errors
    /// [`Error::UnknownKernel`].
    pub fn gf_on(mut self, name: &str) -> Result<Self, Error> {
        self.gf = kernel::by_name(gf::KERNELS, name)?;
        self.fused = false;
        Ok(self)
    }

    /// The key.
    #[cfg(feature = "alloc")]
    #[doc(hidden)]
    pub fn cipher(&self) -> &C {
        &self.cipher
    }

    /// Begins a message that is sealed in pieces. `nonce` is n bytes, the first bit 0.
    ///
    /// # Errors
    /// [`Error::IvLength`]; [`Error::Nonce`] when the first bit is 1.
    pub fn sealer(&self, nonce: &[u8]) -> Result<Sealer<MgmMessage<C>>, Error> {
        self.message(nonce).map(Sealer)
    }

    /// Begins a message that is decrypted in pieces, before its tag is checked: see the type.
    ///
    /// # Errors
    /// As [`Self::sealer`].
    pub fn unverified_opener(&self, nonce: &[u8]) -> Result<MgmUnverifiedOpener<C>, Error> {
        self.message(nonce).map(MgmUnverifiedOpener::over)
    }

    /// Begins a message that owns a copy of the key.
    #[doc(hidden)]
    pub fn message(&self, nonce: &[u8]) -> Result<MgmMessage<C>, Error> {
        self.begin(self.cipher.clone(), nonce)
    }

    /// Begins a message under this key.
    #[inline(always)]
    fn begin<K: Borrow<C> + Clone + Send>(
        &self,
        cipher: K,
        nonce: &[u8],
    ) -> Result<MgmMessage<C, K>, Error> {
        let [y, z] = start::<C>(cipher.borrow(), nonce)?;
        Ok(MgmMessage {
            cipher,
            gf: self.gf,
            fused: self.fused,
            tag_len: self.tag_len,
            y,
            z,
            sum: Secret::new(C::Block::ZERO),
            gamma: Leftover::new(),
            ahead: Secret::new([0; HELD]),
            ahead_from: HELD as u8,
            part: [0; HELD + 16],
            filled: 0,
            aad: 0,
            text: 0,
            phase: Phase::Aad,
        })
    }
}

impl<C: BlockCipher> Aead for Mgm<C> {
    fn nonce_len(&self) -> usize {
        C::BLOCK
    }
    fn tag_len(&self) -> usize {
        self.tag_len
    }
    fn seal_inout(&self, nonce: &[u8], aad: &[u8], data: InOut<'_, '_>) -> Result<Tag, Error> {
        let mut message = self.begin(&self.cipher, nonce)?;
        message.admit_all(aad.len(), data.len())?;
        message.aad(aad)?;
        message.seal(data)?;
        message.finish()
    }
    fn open_inout(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: InOut<'_, '_>,
        tag: &[u8],
    ) -> Result<(), Error> {
        let mut message = self.begin(&self.cipher, nonce)?;
        message.aad(aad)?;
        message.open(data, tag)
    }
}

/// One message in MGM, under an owned or a borrowed key.
#[doc(hidden)]
#[derive(Clone)]
pub struct MgmMessage<C: BlockCipher, K: Borrow<C> = C> {
    cipher: K,
    gf: Ready<GfKernel>,
    fused: bool,
    tag_len: usize,
    y: Secret<C::Block>,
    z: Secret<C::Block>,
    sum: Secret<C::Block>,
    gamma: Leftover<C::Block>,
    /// H made before their data, from `ahead_from` on.
    ahead: Secret<[u8; HELD]>,
    ahead_from: u8,
    /// Data not yet multiplied, the first `filled` bytes: associated data, or part of a block of ciphertext.
    part: [u8; HELD + 16],
    filled: usize,
    /// Bytes so far.
    aad: u64,
    text: u64,
    phase: Phase,
}

impl<C: BlockCipher, K: Borrow<C> + Clone + Send> MgmMessage<C, K> {
    /// |A|, |P| and |A| + |P| are less than 2^(n/2) bits, which is this many bytes.
    const LIMIT: u64 = 1 << (8 * C::BLOCK / 2 - 3);

    /// Checks the size of a whole message.
    fn admit_all(&self, aad: usize, text: usize) -> Result<(), Error> {
        let total = (aad as u64).checked_add(text as u64);
        match total {
            Some(0) => Err(Error::Empty),
            Some(total) if total < Self::LIMIT => Ok(()),
            _ => Err(Error::Limit),
        }
    }

    /// Opens the text phase for `more` bytes.
    #[doc(hidden)]
    pub fn begin_text(&mut self, more: usize) -> Result<(), Error> {
        self.admit(more)?;
        if core::mem::replace(&mut self.phase, Phase::Text) == Phase::Aad {
            self.pad();
        }
        Ok(())
    }

    /// Counts `more` bytes of text, if the limit allows them.
    fn admit(&mut self, more: usize) -> Result<(), Error> {
        if self.phase == Phase::Finished {
            return Err(Error::Finished);
        }
        self.check_limit(more)?;
        self.text += more as u64;
        Ok(())
    }

    fn check_limit(&self, more: usize) -> Result<(), Error> {
        let total = (self.aad + self.text).checked_add(more as u64);
        if total.is_some_and(|t| t < Self::LIMIT) { Ok(()) } else { Err(Error::Limit) }
    }

    /// Returns a copy of the message, open for text, that is `blocks` of text further and has a sum of its own.
    #[cfg(feature = "threads")]
    #[doc(hidden)]
    pub fn fork(&self, blocks: u64) -> Self {
        debug_assert!(self.filled == 0 && usize::from(self.ahead_from) == HELD, "nothing waits");
        let mut fork = self.clone();
        fork.sum = Secret::new(C::Block::ZERO);
        Count::Right.skip(fork.y.as_mut(), blocks);
        Count::Left.skip(fork.z.as_mut(), blocks);
        fork
    }

    /// Returns Y, Z and the sum: for other devices.
    #[cfg(all(feature = "internals", feature = "threads"))]
    #[doc(hidden)]
    pub fn parts(&self) -> (&C::Block, &C::Block, &C::Block) {
        (&self.y, &self.z, &self.sum)
    }

    /// Skips blocks that another device has done, and adds their sum.
    #[cfg(all(feature = "internals", feature = "threads"))]
    #[doc(hidden)]
    pub fn advance(&mut self, blocks: u64, sum: &C::Block) {
        Count::Right.skip(self.y.as_mut(), blocks);
        Count::Left.skip(self.z.as_mut(), blocks);
        self.sum.as_mut().iter_mut().zip(sum.as_ref()).for_each(|(a, b)| *a ^= b);
    }

    /// Adds the sums of forks, and continues where the last fork ended.
    #[cfg(feature = "threads")]
    pub(crate) fn join<'a>(&mut self, forks: impl Iterator<Item = &'a Self>)
    where
        Self: 'a,
    {
        let (mut sum, text, mut last) = (self.sum.clone(), self.text, None);
        for fork in forks {
            sum.as_mut().iter_mut().zip(fork.sum.as_ref()).for_each(|(a, b)| *a ^= b);
            last = Some(fork);
        }
        if let Some(last) = last {
            self.clone_from(last);
        }
        (self.sum, self.text) = (sum, text);
    }

    /// Adds the gamma.
    #[doc(hidden)]
    pub fn crypt(&mut self, data: InOut<'_, '_>) {
        let rest = self.gamma.take(data);
        if !rest.is_empty() {
            let n = C::BLOCK;
            stream::<C>(self.cipher.borrow(), &mut self.y, Count::Right, n, &mut self.gamma, rest);
        }
    }

    /// Encrypts text that has been admitted, and adds it to the sum.
    #[doc(hidden)]
    pub fn encrypt(&mut self, data: InOut<'_, '_>) {
        let mut rest = data;
        while !rest.is_empty() {
            let (mut step, tail) = split(rest, STEP);
            self.crypt(step.reborrow());
            self.absorb(step.get_out());
            rest = tail;
        }
    }

    /// Ends the message and returns its full tag.
    pub(super) fn full_tag(&mut self) -> Result<Secret<C::Block>, Error> {
        if self.phase == Phase::Finished {
            return Err(Error::Finished);
        }
        if self.aad + self.text == 0 {
            return Err(Error::Empty);
        }
        self.phase = Phase::Finished;
        self.pad();
        let (n, mut last) = (C::BLOCK, C::Block::ZERO);
        let (a, c) = last.as_mut().split_at_mut(n / 2);
        a.copy_from_slice(&(self.aad * 8).to_be_bytes()[8 - n / 2..]);
        c.copy_from_slice(&(self.text * 8).to_be_bytes()[8 - n / 2..]);
        self.absorb_last(last.as_ref());
        let mut tag = self.sum.clone();
        // E(sum ^ 0) as a chain of one block: that call costs less than one for independent blocks.
        let zero = C::Block::ZERO;
        Borrow::<C>::borrow(&self.cipher).chain(Chain::Mac, &mut tag, Data::Read(zero.as_ref()));
        Ok(tag)
    }
}

/// Y_1 = E(0 || ICN), Z_1 = E(1 || ICN), in one call.
#[inline(always)]
fn start<C: BlockCipher>(cipher: &C, nonce: &[u8]) -> Result<[Secret<C::Block>; 2], Error> {
    let n = C::BLOCK;
    if nonce.len() != n {
        return Err(Error::IvLength);
    }
    if nonce[0] & 0x80 != 0 {
        return Err(Error::Nonce);
    }
    let mut yz = Secret::new([0u8; 32]);
    yz[..n].copy_from_slice(nonce);
    yz[n..2 * n].copy_from_slice(nonce);
    yz[n] |= 0x80;
    cipher.map(Direction::Encrypt, (&mut yz[..2 * n]).into());
    let (mut y, mut z) = (Secret::new(C::Block::ZERO), Secret::new(C::Block::ZERO));
    y.as_mut().copy_from_slice(&yz[..n]);
    z.as_mut().copy_from_slice(&yz[n..2 * n]);
    Ok([y, z])
}

/// sum ^= Σ h_i ⊗ block_i in the field of the block.
pub(super) fn multiply_add(gf: Ready<GfKernel>, sum: &mut [u8], h: &[u8], blocks: &[u8]) {
    if blocks.is_empty() {
        return;
    }
    if let Ok(sum) = <&mut [u8; 8]>::try_from(&mut *sum) {
        gf.mac64(sum, h, blocks);
    } else if let Ok(sum) = <&mut [u8; 16]>::try_from(sum) {
        gf.mac128(sum, h, blocks);
    }
}

impl<C: BlockCipher, K: Borrow<C> + Clone + Send> AeadMessage for MgmMessage<C, K> {
    /// # Errors
    /// [`Error::Order`] after text, [`Error::Limit`], [`Error::Finished`].
    fn aad(&mut self, aad: &[u8]) -> Result<(), Error> {
        match self.phase {
            Phase::Aad => self.check_limit(aad.len())?,
            Phase::Text => return Err(Error::Order),
            Phase::Finished => return Err(Error::Finished),
        }
        self.aad += aad.len() as u64;
        self.absorb(aad);
        Ok(())
    }

    /// # Errors
    /// [`Error::Limit`], [`Error::Finished`].
    fn seal(&mut self, data: InOut<'_, '_>) -> Result<(), Error> {
        if self.is_short(data.len()) {
            return self.seal_short(data);
        }
        self.begin_text(data.len())?;
        self.encrypt(data);
        Ok(())
    }

    fn tag_len(&self) -> usize {
        self.tag_len
    }

    /// # Errors
    /// [`Error::Finished`]; [`Error::Empty`] when there was neither text nor associated data.
    fn finish(&mut self) -> Result<Tag, Error> {
        let own = self.full_tag()?;
        Ok(Tag::new(own.as_ref(), self.tag_len))
    }

    /// All associated data must have been given. The message is finished then.
    ///
    /// # Errors
    /// [`Error::Verify`], [`Error::TagLength`], [`Error::Empty`], [`Error::Limit`],
    /// [`Error::Finished`]; [`Error::Order`] when text has been sealed.
    fn open(&mut self, text: InOut<'_, '_>, tag: &[u8]) -> Result<(), Error> {
        if self.phase == Phase::Text {
            return Err(Error::Order);
        }
        if tag.len() != self.tag_len {
            return Err(Error::TagLength);
        }
        if self.phase == Phase::Aad && self.aad == 0 && text.is_empty() {
            self.phase = Phase::Finished;
            return Err(Error::Empty);
        }
        if self.is_short(text.len()) {
            return self.open_short(text, tag);
        }
        self.begin_text(text.len())?;
        self.absorb(text.get_in());
        self.check_tag(tag)?;
        self.crypt(text);
        Ok(())
    }

    /// # Errors
    /// [`Error::Limit`], [`Error::Finished`].
    fn release(&mut self, data: InOut<'_, '_>) -> Result<(), Error> {
        if self.is_short(data.len()) {
            return self.release_short(data);
        }
        self.begin_text(data.len())?;
        let mut rest = data;
        while !rest.is_empty() {
            let (step, tail) = split(rest, STEP);
            self.absorb(step.get_in());
            self.crypt(step);
            rest = tail;
        }
        Ok(())
    }

    /// # Errors
    /// [`Error::Verify`], [`Error::TagLength`], [`Error::Empty`], [`Error::Finished`].
    fn check_tag(&mut self, tag: &[u8]) -> Result<(), Error> {
        if tag.len() != self.tag_len {
            return Err(Error::TagLength);
        }
        let own = self.full_tag()?;
        verify(&own.as_ref()[..tag.len()], tag)
    }

    /// # Errors
    /// [`Error::TagLength`] unless `len` is 4 to n.
    fn set_tag_len(&mut self, len: usize) -> Result<(), Error> {
        if !(4..=C::BLOCK).contains(&len) {
            return Err(Error::TagLength);
        }
        self.tag_len = len;
        Ok(())
    }

    fn reset(&mut self, nonce: &[u8]) -> Result<(), Error> {
        [self.y, self.z] = start::<C>(self.cipher.borrow(), nonce)?;
        self.sum = Secret::new(C::Block::ZERO);
        self.gamma = Leftover::new();
        (self.ahead, self.ahead_from) = (Secret::new([0; HELD]), HELD as u8);
        (self.filled, self.aad, self.text) = (0, 0, 0);
        self.phase = Phase::Aad;
        Ok(())
    }
}

/// Opens a session by name.
///
/// A kernel's name that only the cipher has, or only the multiplication, applies to that one; the other chooses its
/// kernel.
#[cfg(feature = "alloc")]
pub(crate) fn open<C: FromParams>(p: &Params<'_>) -> Opened {
    p.only(&[Takes::TagLen])?;
    let gf = p.kernel.and_then(|name| kernel::by_name(gf::KERNELS, name).ok());
    let cipher = match C::from_params(p) {
        Err(Error::UnknownKernel) if gf.is_some() => {
            C::from_params(&Params { kernel: None, ..p.clone() })?
        }
        cipher => cipher?,
    };
    let mgm = Mgm::with(cipher).truncated(p.tag_len.unwrap_or(C::BLOCK))?;
    let mgm = match gf {
        Some(gf) => mgm.gf_on(gf.name())?,
        None => mgm,
    };
    Ok(AeadSession::over(mgm.message(p.iv)?, p.direction))
}
