//! A message in MGM: its state, and the order of its calls.

use core::borrow::Borrow;

use super::{HELD, Mgm, PART, STEP};
use crate::cipher::{Block, Chain, Count, Data};
use crate::kernel::{GfKernel, Ready};
use crate::modes::AeadMessage;
use crate::modes::gamma::{Leftover, split, stream};
use crate::{BlockCipher, Direction, Error, InOut, Secret, Tag, verify};

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Phase {
    Aad,
    Text,
    Finished,
}

/// A message in MGM, under an owned or a borrowed key.
#[derive(Clone)]
pub struct MgmMessage<C: BlockCipher, K: Borrow<C> = C> {
    pub(super) cipher: K,
    pub(super) gf: Ready<GfKernel>,
    pub(super) fused: bool,
    pub(super) tag_len: usize,
    pub(super) y: Secret<C::Block>,
    pub(super) z: Secret<C::Block>,
    pub(super) sum: Secret<C::Block>,
    /// The rest of a block.
    pub(super) gamma: Leftover,
    /// H made before their data, from `ahead_from` on.
    pub(super) ahead: Secret<[u8; HELD]>,
    pub(super) ahead_from: u8,
    /// Data not yet multiplied, the first `filled` bytes: associated data, or part of a block of ciphertext.
    pub(super) part: [u8; PART],
    pub(super) filled: usize,
    /// Bytes so far.
    pub(super) aad: u64,
    pub(super) text: u64,
    pub(super) phase: Phase,
}

impl<C: BlockCipher, K: Borrow<C> + Clone + Send> MgmMessage<C, K> {
    /// |A|, |P| and |A| + |P| are less than 2^(n/2) bits, which is this many bytes.
    const LIMIT: u64 = 1 << (8 * C::BLOCK / 2 - 3);

    /// Begins a message. `nonce` is n bytes, the first bit 0.
    #[inline(always)]
    pub(super) fn new(mgm: &Mgm<C>, cipher: K, nonce: &[u8]) -> Result<Self, Error> {
        let [y, z] = start::<C>(cipher.borrow(), nonce)?;
        Ok(MgmMessage {
            cipher,
            gf: mgm.gf,
            fused: mgm.fused,
            tag_len: mgm.tag_len,
            y,
            z,
            sum: Secret::new(C::Block::ZERO),
            gamma: Leftover::new(),
            ahead: Secret::new([0; HELD]),
            ahead_from: HELD as u8,
            part: [0; PART],
            filled: 0,
            aad: 0,
            text: 0,
            phase: Phase::Aad,
        })
    }

    /// Checks the size of a whole message.
    pub(super) fn admit_all(&self, aad: usize, text: usize) -> Result<(), Error> {
        let total = (aad as u64).checked_add(text as u64);
        match total {
            Some(0) => Err(Error::Empty),
            Some(total) if total < Self::LIMIT => Ok(()),
            _ => Err(Error::Limit),
        }
    }

    /// Opens the text phase for `more` bytes.
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
    pub fn fork(&self, blocks: u64) -> Self {
        debug_assert!(self.filled == 0 && usize::from(self.ahead_from) == HELD, "nothing waits");
        let mut fork = self.clone();
        fork.sum = Secret::new(C::Block::ZERO);
        Count::Right.skip(fork.y.as_mut(), blocks);
        Count::Left.skip(fork.z.as_mut(), blocks);
        fork
    }

    /// Returns Y, Z and the sum: for other devices.
    #[cfg(feature = "threads")]
    pub fn parts(&self) -> (&C::Block, &C::Block, &C::Block) {
        (&self.y, &self.z, &self.sum)
    }

    /// Skips blocks that a different device has done, and adds their sum.
    #[cfg(feature = "threads")]
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
    pub fn crypt(&mut self, data: InOut<'_, '_>) {
        let rest = self.gamma.take(data);
        if !rest.is_empty() {
            let (y, gamma) = (&mut self.y, &mut self.gamma);
            stream::<C>(self.cipher.borrow(), y, Count::Right, C::BLOCK, gamma, 0, rest);
        }
    }

    /// Encrypts text that has been admitted, and adds it to the sum.
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
        let mut last = C::Block::ZERO;
        put_lengths(last.as_mut(), self.aad, self.text);
        self.absorb_last(last.as_ref());
        let mut tag = self.sum.clone();
        // E(sum ^ 0) as a chain of one block: that call costs less than a call for independent blocks.
        let zero = C::Block::ZERO;
        Borrow::<C>::borrow(&self.cipher).chain(Chain::Mac, &mut tag, Data::Read(zero.as_ref()));
        Ok(tag)
    }
}

/// Y_1 = E(0 || ICN), Z_1 = E(1 || ICN), in one call.
#[inline(always)]
pub(super) fn start<C: BlockCipher>(
    cipher: &C,
    nonce: &[u8],
) -> Result<[Secret<C::Block>; 2], Error> {
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

/// Writes len(A) || len(C), in bits, to the last block.
#[inline(always)]
pub(in crate::modes) fn put_lengths(block: &mut [u8], aad: u64, text: u64) {
    let half = block.len() / 2;
    let (a, c) = block.split_at_mut(half);
    a.copy_from_slice(&(aad * 8).to_be_bytes()[8 - half..]);
    c.copy_from_slice(&(text * 8).to_be_bytes()[8 - half..]);
}

/// sum ^= Σ h_i ⊗ block_i in the field of the block.
pub(in crate::modes) fn multiply_add(gf: Ready<GfKernel>, sum: &mut [u8], h: &[u8], blocks: &[u8]) {
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
        self.tag_len = crate::tag::checked(len, 4..=C::BLOCK)?;
        Ok(())
    }

    fn reset(&mut self, nonce: &[u8]) -> Result<(), Error> {
        [self.y, self.z] = start::<C>(self.cipher.borrow(), nonce)?;
        self.sum = Secret::new(C::Block::ZERO);
        self.gamma.clear();
        (self.ahead, self.ahead_from) = (Secret::new([0; HELD]), HELD as u8);
        (self.filled, self.aad, self.text) = (0, 0, 0);
        self.phase = Phase::Aad;
        Ok(())
    }
}
