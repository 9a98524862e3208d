//! MGM, the Multilinear Galois Mode: RFC 9058 (R 1323565.1.026-2019). The gamma comes from Y, whose right
//! half counts; every block of associated data and ciphertext is multiplied in GF(2^n) by its own
//! H_i = E(Z_i), where the left half of Z counts; the tag is E of the sum.

use core::borrow::Borrow;

use super::gamma::{BATCH, Leftover, Scratch, split, stream};
use super::{Aead, AeadMessage, FromKey, MgmUnverifiedOpener, Sealer};
use crate::cipher::{Block, Chain, Count, Data};
use crate::kernel::{self, GfKernel, Ready, Shape};
#[cfg(feature = "alloc")]
use crate::session::{AeadSession, FromParams, Opened, Params, Takes};
use crate::{BlockCipher, Direction, Error, InOut, Secret, Tag, gf, verify};

/// Bytes that are encrypted before they are multiplied: they are still in the first-level cache then.
const STEP: usize = 16 * 1024;
/// Bytes of H_i that are made at a time: batches of every kernel fit well.
const AHEAD: usize = 6144;
/// Texts of up to this many bytes have gamma and H_i made in one call of the kernel.
const SHORT: usize = BATCH;
/// Pieces of up to this many bytes have little room made for their H_i.
const SMALL: usize = 192;
/// Those of up to so many, less room: what is left of longer ones that are multiplied beside the cipher.
const MIDDLE: usize = 1536;
/// Bytes of text from which on that is tried.
const BESIDE: usize = 2 * MIDDLE;
/// What new H_i are added to.
static ZEROS: Scratch<{ AHEAD + 2 * LATER }> = Scratch::new();
/// Bytes of associated data that wait, so that their H_i are made in one call with those of the text.
const WAITS: usize = 32;
/// Bytes of H_i that are made for later: those of the last block of text and of the lengths.
const LATER: usize = 32;
/// Room for gamma and H_i of a short text, and for the H_i of what waits and of the lengths.
pub(super) type Both = Scratch<{ 2 * SHORT + WAITS + 16 }>;
const _: () = assert!(SHORT.is_multiple_of(16) && WAITS.is_multiple_of(16));

/// What [`MgmMessage::begin_short`] made: the gamma, and the H_i.
type Short<'a> = (&'a [u8], &'a [u8]);

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
    /// Whether the cipher's kernel may multiply: it would do so as the kernel does that is picked here.
    beside: bool,
    tag_len: usize,
}

impl<C: BlockCipher> Mgm<C> {
    /// Under a key of 32 bytes, with the full tag of n bytes.
    pub fn new(key: &[u8; 32]) -> Self
    where
        C: FromKey,
    {
        Self::with(C::from_key(key))
    }

    /// Under a prepared key, with the full tag of n bytes.
    pub fn with(cipher: C) -> Self {
        let gf = kernel::pick(gf::KERNELS, Shape::Multiply);
        Mgm { cipher, gf, beside: gf.name() == "vpclmul512", tag_len: C::BLOCK }
    }

    /// The same with tags of `len` bytes (RFC 9058, section 4: 32 <= S <= n).
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

    /// The same on the multiplication kernel of this name; the cipher's is chosen with the cipher.
    ///
    /// # Errors
    /// [`Error::UnknownKernel`].
    pub fn gf_on(mut self, name: &str) -> Result<Self, Error> {
        self.gf = kernel::by_name(gf::KERNELS, name)?;
        self.beside = false;
        Ok(self)
    }

    /// The key.
    #[cfg(feature = "alloc")]
    #[doc(hidden)]
    pub fn cipher(&self) -> &C {
        &self.cipher
    }

    /// Sealing in pieces. `nonce` is n bytes, the first bit 0.
    ///
    /// # Errors
    /// [`Error::IvLength`]; [`Error::Nonce`] when the first bit is 1.
    pub fn sealer(&self, nonce: &[u8]) -> Result<Sealer<MgmMessage<C>>, Error> {
        self.message(nonce).map(Sealer)
    }

    /// Decryption in pieces, which releases plaintext before the tag is checked: see the type.
    ///
    /// # Errors
    /// As [`Self::sealer`].
    pub fn unverified_opener(&self, nonce: &[u8]) -> Result<MgmUnverifiedOpener<C>, Error> {
        self.message(nonce).map(MgmUnverifiedOpener::over)
    }

    /// A message that has the key by itself.
    #[doc(hidden)]
    pub fn message(&self, nonce: &[u8]) -> Result<MgmMessage<C>, Error> {
        self.begin(self.cipher.clone(), nonce)
    }

    /// A message under this key.
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
            beside: self.beside,
            tag_len: self.tag_len,
            y,
            z,
            sum: Secret::new(C::Block::ZERO),
            gamma: Leftover::new(),
            ahead: Secret::new([0; LATER]),
            ahead_from: LATER as u8,
            part: [0; WAITS + 16],
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

/// One message in MGM, under a key of its own or a borrowed one.
#[doc(hidden)]
#[derive(Clone)]
pub struct MgmMessage<C: BlockCipher, K: Borrow<C> = C> {
    cipher: K,
    gf: Ready<GfKernel>,
    beside: bool,
    tag_len: usize,
    y: Secret<C::Block>,
    z: Secret<C::Block>,
    sum: Secret<C::Block>,
    gamma: Leftover<C::Block>,
    /// H_i that were made before they were needed, from `ahead_from` on.
    ahead: Secret<[u8; LATER]>,
    ahead_from: u8,
    /// What is not yet multiplied: associated data, and of ciphertext a part of a block.
    part: [u8; WAITS + 16],
    filled: usize,
    /// Bytes so far.
    aad: u64,
    text: u64,
    phase: Phase,
}

impl<C: BlockCipher, K: Borrow<C> + Clone + Send> MgmMessage<C, K> {
    /// |A|, |P| and |A| + |P| are less than 2^(n/2) bits: this many bytes is too much.
    const LIMIT: u64 = 1 << (8 * C::BLOCK / 2 - 3);

    /// Whether a whole message of this size is allowed.
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

    /// Counts `more` bytes of text, if they are allowed.
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

    /// The same message, open for text, `blocks` of text on; what it adds to the sum is its own.
    #[cfg(feature = "threads")]
    #[doc(hidden)]
    pub fn fork(&self, blocks: u64) -> Self {
        debug_assert!(self.filled == 0 && usize::from(self.ahead_from) == LATER, "nothing waits");
        let mut fork = self.clone();
        fork.sum = Secret::new(C::Block::ZERO);
        Count::Right.skip(fork.y.as_mut(), blocks);
        Count::Left.skip(fork.z.as_mut(), blocks);
        fork
    }

    /// The registers of gamma and of H_i, and the sum: for other devices.
    #[cfg(feature = "threads")]
    #[doc(hidden)]
    pub fn parts(&self) -> (&C::Block, &C::Block, &C::Block) {
        (&self.y, &self.z, &self.sum)
    }

    /// Steps past so many blocks, which another device has done, and whose sum this is.
    #[cfg(feature = "threads")]
    #[doc(hidden)]
    pub fn advance(&mut self, blocks: u64, sum: &C::Block) {
        Count::Right.skip(self.y.as_mut(), blocks);
        Count::Left.skip(self.z.as_mut(), blocks);
        self.sum.as_mut().iter_mut().zip(sum.as_ref()).for_each(|(a, b)| *a ^= b);
    }

    /// Takes in what forks have added to the sum; the last of them goes on for this one.
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

    /// Adds the gamma of Y.
    #[doc(hidden)]
    pub fn crypt(&mut self, data: InOut<'_, '_>) {
        let rest = self.gamma.take(data);
        if !rest.is_empty() {
            let n = C::BLOCK;
            stream::<C>(self.cipher.borrow(), &mut self.y, Count::Right, n, &mut self.gamma, rest);
        }
    }

    /// Whether so many bytes of text come first and are few: then [`Self::begin_short`].
    pub(super) fn short(&self, len: usize) -> bool {
        self.phase == Phase::Aad && (1..=SHORT).contains(&len)
    }

    /// Opens the text phase for `len` octets: their gamma, and H_i for what waits, for them and for the lengths, are
    /// made in one call.
    pub(super) fn begin_short<'s>(
        &mut self,
        both: &'s mut Both,
        len: usize,
    ) -> Result<Short<'s>, Error> {
        self.begin_text(len)?;
        let text = len.next_multiple_of(C::BLOCK);
        let all = both.octets(text + self.filled + text + C::BLOCK);
        let (gamma, h) = all.split_at_mut(text);
        self.gf.counters(&mut *self.y, Count::Right, gamma);
        self.gf.counters(&mut *self.z, Count::Left, h);
        Borrow::<C>::borrow(&self.cipher).map(Direction::Encrypt, (&mut *all).into());
        Ok(all.split_at(text))
    }

    /// Adds the gamma of a short text, and keeps what is left of it.
    pub(super) fn add_short(&mut self, data: InOut<'_, '_>, (gamma, _): Short<'_>) {
        let (n, len) = (C::BLOCK, data.len());
        self.gf.add(data, &gamma[..len]);
        let used = n - (gamma.len() - len);
        if used < n {
            let mut last = Secret::new(C::Block::ZERO);
            last.as_mut().copy_from_slice(&gamma[gamma.len() - n..]);
            self.gamma.put(last, used, n);
        }
    }

    /// Multiplies a short text.
    pub(super) fn absorb_short(&mut self, text: &[u8], (_, h): Short<'_>) {
        let (blocks, tail) = text.split_at(text.len() / C::BLOCK * C::BLOCK);
        self.multiply_by(h, blocks);
        self.keep(tail);
    }

    /// Encrypts text that has been admitted, and multiplies it.
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

    /// sum ^= Σ H_i ⊗ block_i of what waits, whole blocks, and of these; H_i that are left are for later.
    fn multiply_by(&mut self, h: &[u8], blocks: &[u8]) {
        let (first, h) = h.split_at(self.filled);
        mac(self.gf, self.sum.as_mut(), first, &self.part[..self.filled]);
        self.filled = 0;
        let (h, later) = h.split_at(blocks.len());
        mac(self.gf, self.sum.as_mut(), h, blocks);
        let from = LATER - later.len();
        self.ahead[from..].copy_from_slice(later);
        self.ahead_from = from as u8;
    }

    /// The same by H_i that were made before, then by new ones, with `later` bytes more; `N`, whole batches and
    /// room for those and for what waits, are made at a time.
    fn multiply<const N: usize>(&mut self, blocks: &[u8], later: usize) {
        let mut h = Scratch::<N>::new();
        let mut rest = blocks;
        loop {
            let ahead = &self.ahead[usize::from(self.ahead_from)..];
            let most = N - 2 * LATER + ahead.len() - self.filled;
            let (some, others) = rest.split_at(rest.len().min(most));
            rest = others;
            let mut new = (self.filled + some.len()).saturating_sub(ahead.len());
            if new > 0 && rest.is_empty() {
                new += later;
            }
            let h = h.octets(ahead.len() + new);
            let (old, new) = h.split_at_mut(ahead.len());
            old.copy_from_slice(ahead);
            if !new.is_empty() {
                let new = InOut::new(&ZEROS.read()[..new.len()], new).expect("of one length");
                Borrow::<C>::borrow(&self.cipher).stream(&mut self.z, Count::Left, new);
            }
            self.multiply_by(h, some);
            if rest.is_empty() {
                return;
            }
        }
    }

    /// Multiplies the next bytes of associated data or ciphertext, as far as blocks are whole; of associated
    /// data the last bytes wait for the text.
    #[doc(hidden)]
    pub fn absorb(&mut self, mut data: &[u8]) {
        let (n, waits) = (C::BLOCK, self.phase == Phase::Aad);
        if data.is_empty() || (waits && self.filled + data.len() <= WAITS) {
            return self.keep(data);
        }
        let (head, rest) =
            data.split_at(data.len().min(self.filled.next_multiple_of(n) - self.filled));
        self.keep(head);
        data = rest;
        if !self.filled.is_multiple_of(n) {
            return;
        }
        if !waits {
            data = self.beside(data);
        }
        let now = data.len().saturating_sub(if waits { WAITS } else { n - 1 }).next_multiple_of(n);
        let (blocks, tail) = data.split_at(now);
        let later = match (waits, tail) {
            (true, _) => 0,
            (_, []) => n,
            _ => 2 * n,
        };
        if self.filled + now == 0 {
            // Less than a block.
        } else if self.filled + now <= SMALL {
            self.multiply::<{ SMALL + 2 * LATER }>(blocks, later);
        } else if self.filled + now <= MIDDLE {
            self.multiply::<{ MIDDLE + 2 * LATER }>(blocks, later);
        } else {
            self.multiply::<{ AHEAD + 2 * LATER }>(blocks, later);
        }
        self.keep(tail);
    }

    /// Multiplies text beside the cipher, where the kernel does that; what is left, one block at least.
    fn beside<'a>(&mut self, data: &'a [u8]) -> &'a [u8] {
        let n = C::BLOCK;
        let ahead = LATER - usize::from(self.ahead_from);
        if !self.beside || (ahead > 0 && self.filled > 0) || data.len() < BESIDE {
            return data;
        }
        let (by_old, rest) = data.split_at(ahead);
        mac(self.gf, self.sum.as_mut(), &self.ahead[LATER - ahead..], by_old);
        self.ahead_from = LATER as u8;
        let blocks = &rest[..rest.len() / n * n];
        let before = &self.part[..self.filled];
        let done =
            Borrow::<C>::borrow(&self.cipher).products(&mut self.z, before, blocks, &mut self.sum);
        if done > 0 {
            self.filled = 0;
        }
        &rest[done..]
    }

    /// Adds bytes to those that wait.
    fn keep(&mut self, data: &[u8]) {
        self.part[self.filled..self.filled + data.len()].copy_from_slice(data);
        self.filled += data.len();
    }

    /// Pads what waits with zeros to whole blocks.
    fn pad(&mut self) {
        let to = self.filled.next_multiple_of(C::BLOCK);
        self.part[self.filled..to].fill(0);
        self.filled = to;
    }

    /// Multiplies what waits.
    #[cfg(feature = "threads")]
    #[doc(hidden)]
    pub fn flush(&mut self) {
        self.multiply::<{ SMALL + 2 * LATER }>(&[], 0);
    }

    /// The full tag; the object has finished then.
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
        self.multiply::<{ SMALL + 2 * LATER }>(last.as_ref(), 0);
        let mut tag = self.sum.clone();
        // E(sum ^ 0): the chain of one block has less around it than blocks side by side.
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
pub(super) fn mac(gf: Ready<GfKernel>, sum: &mut [u8], h: &[u8], blocks: &[u8]) {
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
        if !self.short(data.len()) {
            self.begin_text(data.len())?;
            self.encrypt(data);
            return Ok(());
        }
        let (mut data, mut both) = (data, Both::new());
        let short = self.begin_short(&mut both, data.len())?;
        self.add_short(data.reborrow(), short);
        self.absorb_short(data.get_out(), short);
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

    /// The associated data must have been given; the object has finished then.
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
        if !self.short(text.len()) {
            self.begin_text(text.len())?;
            self.absorb(text.get_in());
            self.check_tag(tag)?;
            self.crypt(text);
            return Ok(());
        }
        let mut both = Both::new();
        let short = self.begin_short(&mut both, text.len())?;
        self.absorb_short(text.get_in(), short);
        self.check_tag(tag)?;
        self.add_short(text, short);
        Ok(())
    }

    /// # Errors
    /// [`Error::Limit`], [`Error::Finished`].
    fn release(&mut self, data: InOut<'_, '_>) -> Result<(), Error> {
        if self.short(data.len()) {
            let mut both = Both::new();
            let short = self.begin_short(&mut both, data.len())?;
            self.absorb_short(data.get_in(), short);
            self.add_short(data, short);
            return Ok(());
        }
        self.begin_text(data.len())?;
        let mut rest = data;
        while !rest.is_empty() {
            let (step, tail) = split(rest, 16 * 1024);
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
        (self.ahead, self.ahead_from) = (Secret::new([0; LATER]), LATER as u8);
        (self.filled, self.aad, self.text) = (0, 0, 0);
        self.phase = Phase::Aad;
        Ok(())
    }
}

/// A session by name.
#[cfg(feature = "alloc")]
/// A kernel's name that only the cipher or only the multiplication has is for it alone; the other
/// chooses for itself.
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
