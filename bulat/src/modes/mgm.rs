//! MGM, the Multilinear Galois Mode: RFC 9058 (R 1323565.1.026-2019). The gamma comes from Y, whose right
//! half counts; every block of associated data and ciphertext is multiplied in GF(2^n) by its own
//! H_i = E(Z_i), where the left half of Z counts; the tag is E of the sum.

use super::gamma::{BATCH, Leftover, Scratch, counters, split, stream};
use super::{Aead, MgmUnverifiedOpen};
use crate::kernel::{self, Block, Count, GfKernel, Ready, Shape};
use crate::{BlockCipher, Direction, Error, InOut, Secret, gf, verify};

/// Octets that are encrypted before they are multiplied: they are still in the first-level cache then.
const STEP: usize = 16 * 1024;
/// Octets of H_i that are made at a time: batches of every kernel fit well.
const AHEAD: usize = 6144;
/// Texts of up to this many octets have gamma and H_i made in one call of the kernel.
const SHORT: usize = BATCH;
/// Room for them, and for the H_i of a block of associated data and of the lengths.
pub(super) type Both = Scratch<{ 2 * SHORT + 32 }>;
const _: () = assert!(SHORT.is_multiple_of(16));

/// What [`Mgm::begin_short`] made: the gamma, and the H_i.
type Short<'a> = (&'a [u8], &'a [u8]);

#[derive(Clone, Copy, PartialEq)]
enum Phase {
    Aad,
    Text,
    Finished,
}

/// Authenticated encryption in MGM.
///
/// A nonce must never be used twice under one key: that ends all its security.
///
/// ```
/// use bulat::modes::{Aead, Mgm};
/// use bulat::Kuznyechik;
/// let nonce = [1; 16]; // its first bit must be 0
/// let mut mgm = Mgm::new(Kuznyechik::new(&[7; 32]), &nonce, 16)?;
/// let (mut text, mut tag) = (*b"secret", [0; 16]);
/// mgm.aad(b"header")?;
/// mgm.seal((&mut text[..]).into())?;
/// mgm.finish(&mut tag)?;
///
/// mgm.reset(&nonce)?;
/// mgm.aad(b"header")?;
/// mgm.open((&mut text[..]).into(), &tag)?;
/// assert_eq!(&text, b"secret");
/// # Ok::<(), bulat::Error>(())
/// ```
#[derive(Clone)]
pub struct Mgm<C: BlockCipher> {
    cipher: C,
    gf: Ready<GfKernel>,
    tag_len: usize,
    y: Secret<C::Block>,
    z: Secret<C::Block>,
    sum: Secret<C::Block>,
    gamma: Leftover<C::Block>,
    /// H_i that were made before they were needed, from `ahead_from` on.
    ahead: Secret<[u8; 32]>,
    ahead_from: u8,
    /// The block that is not yet multiplied: of ciphertext a part, of associated data perhaps a whole.
    part: C::Block,
    filled: usize,
    /// Octets so far.
    aad: u64,
    text: u64,
    phase: Phase,
}

impl<C: BlockCipher> Mgm<C> {
    /// |A|, |P| and |A| + |P| are less than 2^(n/2) bits: this many octets is too much.
    const LIMIT: u64 = 1 << (8 * C::BLOCK / 2 - 3);

    /// `nonce`: n octets, the first bit 0; `tag_len`: 4..=n octets (section 4: 32 <= S <= n).
    ///
    /// # Errors
    /// [`Error::TagLength`], [`Error::IvLength`]; [`Error::Nonce`] when the first bit is 1.
    pub fn new(cipher: C, nonce: &[u8], tag_len: usize) -> Result<Self, Error> {
        if !(4..=C::BLOCK).contains(&tag_len) {
            return Err(Error::TagLength);
        }
        let mut mgm = Mgm {
            cipher,
            gf: kernel::pick(gf::KERNELS, Shape::Multiply),
            tag_len,
            y: Secret::new(C::Block::ZERO),
            z: Secret::new(C::Block::ZERO),
            sum: Secret::new(C::Block::ZERO),
            gamma: Leftover::new(),
            ahead: Secret::new([0; 32]),
            ahead_from: 32,
            part: C::Block::ZERO,
            filled: 0,
            aad: 0,
            text: 0,
            phase: Phase::Finished,
        };
        mgm.reset(nonce)?;
        Ok(mgm)
    }

    /// The same on the multiplication kernel of this name; the cipher's is chosen with the cipher.
    ///
    /// # Errors
    /// [`Error::UnknownKernel`].
    pub fn gf_on(mut self, name: &str) -> Result<Self, Error> {
        self.gf = kernel::by_name(gf::KERNELS, name)?;
        Ok(self)
    }

    /// Decryption piece by piece, which releases plaintext before the tag is checked: see the type.
    ///
    /// # Errors
    /// [`Error::Order`] when text has been given already.
    pub fn unverified_open(self) -> Result<MgmUnverifiedOpen<C>, Error> {
        match self.phase {
            Phase::Aad => Ok(MgmUnverifiedOpen::over(self)),
            Phase::Text => Err(Error::Order),
            Phase::Finished => Err(Error::Finished),
        }
    }

    /// Opens the text phase for `more` octets.
    pub(crate) fn begin_text(&mut self, more: usize) -> Result<(), Error> {
        self.admit(more)?;
        if core::mem::replace(&mut self.phase, Phase::Text) == Phase::Aad {
            self.flush();
        }
        Ok(())
    }

    /// Counts `more` octets of text, if they are allowed.
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
    pub(crate) fn fork(&self, blocks: u64) -> Self {
        debug_assert!(self.filled == 0 && self.ahead_from == 32, "nothing waits");
        let mut fork = self.clone();
        fork.sum = Secret::new(C::Block::ZERO);
        Count::Right.skip(fork.y.as_mut(), blocks);
        Count::Left.skip(fork.z.as_mut(), blocks);
        fork
    }

    /// Takes in what forks have added to the sum; the last of them goes on for this one.
    #[cfg(feature = "threads")]
    pub(crate) fn join<'a>(&mut self, forks: impl Iterator<Item = &'a Self>) {
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
    pub(crate) fn crypt(&mut self, data: InOut<'_, '_>) {
        let rest = self.gamma.take(data);
        if !rest.is_empty() {
            let n = C::BLOCK;
            stream(&self.cipher, &mut self.y, Count::Right, n, &mut self.gamma, rest);
        }
    }

    /// Opens the text phase for `len` octets. When they come first and are few, their gamma, and H_i for them
    /// and for the lengths, are made in one call.
    pub(super) fn begin_short<'s>(
        &mut self,
        both: &'s mut Both,
        len: usize,
    ) -> Result<Option<Short<'s>>, Error> {
        if self.phase != Phase::Aad || !(1..=SHORT).contains(&len) {
            return self.begin_text(len).map(|()| None);
        }
        self.admit(len)?;
        self.phase = Phase::Text;
        let (n, text) = (C::BLOCK, len.next_multiple_of(C::BLOCK));
        let waits = if self.filled > 0 { n } else { 0 };
        let all = both.octets(text + waits + text + n);
        let (gamma, h) = all.split_at_mut(text);
        counters(&mut *self.y, Count::Right, gamma);
        counters(&mut *self.z, Count::Left, h);
        self.cipher.map(Direction::Encrypt, (&mut *all).into());
        let (gamma, h) = all.split_at(text);
        let (first, h) = h.split_at(waits);
        if waits > 0 {
            let part = self.padded();
            mac(self.gf, self.sum.as_mut(), first, part.as_ref());
        }
        Ok(Some((gamma, h)))
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

    /// Multiplies a short text, and keeps the H_i that are left.
    pub(super) fn absorb_short(&mut self, text: &[u8], (_, h): Short<'_>) {
        let (blocks, tail) = text.split_at(text.len() / C::BLOCK * C::BLOCK);
        let (h, left) = h.split_at(blocks.len());
        mac(self.gf, self.sum.as_mut(), h, blocks);
        self.part.as_mut()[..tail.len()].copy_from_slice(tail);
        self.filled = tail.len();
        let from = 32 - left.len();
        self.ahead[from..].copy_from_slice(left);
        self.ahead_from = from as u8;
    }

    /// Encrypts text that has been admitted, and multiplies it.
    pub(crate) fn encrypt(&mut self, data: InOut<'_, '_>) {
        let mut rest = data;
        while !rest.is_empty() {
            let (mut step, tail) = split(rest, STEP);
            self.crypt(step.reborrow());
            self.absorb(step.get_out());
            rest = tail;
        }
    }

    /// sum ^= Σ H_i ⊗ block_i.
    fn multiply(&mut self, blocks: &[u8]) {
        let ahead = &self.ahead[usize::from(self.ahead_from)..];
        let (first, blocks) = blocks.split_at(blocks.len().min(ahead.len()));
        mac(self.gf, self.sum.as_mut(), &ahead[..first.len()], first);
        self.ahead_from += first.len() as u8;
        if blocks.is_empty() {
            return;
        }
        let mut h = Scratch::<AHEAD>::new();
        for blocks in blocks.chunks(AHEAD) {
            let h = h.zeros(blocks.len());
            self.cipher.stream(&mut self.z, Count::Left, (&mut *h).into());
            mac(self.gf, self.sum.as_mut(), h, blocks);
        }
    }

    /// Multiplies the next octets of associated data or ciphertext, as far as blocks are whole; of associated
    /// data a last whole block waits for its text.
    pub(crate) fn absorb(&mut self, mut data: &[u8]) {
        let (n, waits) = (C::BLOCK, self.phase == Phase::Aad);
        if self.filled > 0 {
            let (head, rest) = data.split_at(data.len().min(n - self.filled));
            self.part.as_mut()[self.filled..self.filled + head.len()].copy_from_slice(head);
            self.filled += head.len();
            data = rest;
            if self.filled < n || (waits && data.is_empty()) {
                return;
            }
            self.flush();
        }
        let (blocks, tail) = data.split_at(data.len().saturating_sub(usize::from(waits)) / n * n);
        if !blocks.is_empty() {
            self.multiply(blocks);
        }
        self.part.as_mut()[..tail.len()].copy_from_slice(tail);
        self.filled = tail.len();
    }

    /// The block that waits, padded with zeros.
    fn padded(&mut self) -> C::Block {
        let mut part = self.part;
        part.as_mut()[self.filled..].fill(0);
        self.filled = 0;
        part
    }

    /// Multiplies the block that waits.
    fn flush(&mut self) {
        if self.filled > 0 {
            let part = self.padded();
            self.multiply(part.as_ref());
        }
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
        let (n, mut last) = (C::BLOCK, [0; 32]);
        let mut at = 0;
        if self.filled > 0 {
            last[..n].copy_from_slice(self.padded().as_ref());
            at = n;
        }
        let (a, c) = last[at..at + n].split_at_mut(n / 2);
        a.copy_from_slice(&(self.aad * 8).to_be_bytes()[8 - n / 2..]);
        c.copy_from_slice(&(self.text * 8).to_be_bytes()[8 - n / 2..]);
        self.multiply(&last[..at + n]);
        let mut tag = self.sum.clone();
        self.cipher.encrypt_block(&mut tag);
        Ok(tag)
    }

    pub(crate) fn check_tag(&mut self, tag: &[u8]) -> Result<(), Error> {
        if tag.len() != self.tag_len {
            return Err(Error::TagLength);
        }
        let own = self.full_tag()?;
        verify(&own.as_ref()[..tag.len()], tag)
    }
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

impl<C: BlockCipher> Aead for Mgm<C> {
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
        let mut both = Both::new();
        let Some(short) = self.begin_short(&mut both, data.len())? else {
            self.encrypt(data);
            return Ok(());
        };
        let mut data = data;
        self.add_short(data.reborrow(), short);
        self.absorb_short(data.get_out(), short);
        Ok(())
    }

    fn tag_len(&self) -> usize {
        self.tag_len
    }

    /// # Errors
    /// [`Error::TagLength`], [`Error::Finished`]; [`Error::Empty`] when there was neither text nor
    /// associated data.
    fn finish(&mut self, tag: &mut [u8]) -> Result<(), Error> {
        if tag.len() != self.tag_len {
            return Err(Error::TagLength);
        }
        let own = self.full_tag()?;
        tag.copy_from_slice(&own.as_ref()[..tag.len()]);
        Ok(())
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
        let mut both = Both::new();
        let Some(short) = self.begin_short(&mut both, text.len())? else {
            self.absorb(text.get_in());
            self.check_tag(tag)?;
            self.crypt(text);
            return Ok(());
        };
        self.absorb_short(text.get_in(), short);
        self.check_tag(tag)?;
        self.add_short(text, short);
        Ok(())
    }

    fn reset(&mut self, nonce: &[u8]) -> Result<(), Error> {
        let n = C::BLOCK;
        if nonce.len() != n {
            return Err(Error::IvLength);
        }
        if nonce[0] & 0x80 != 0 {
            return Err(Error::Nonce);
        }
        // Y_1 = E(0 || ICN), Z_1 = E(1 || ICN), in one call.
        let mut yz = Secret::new([0u8; 32]);
        yz[..n].copy_from_slice(nonce);
        yz[n..2 * n].copy_from_slice(nonce);
        yz[n] |= 0x80;
        self.cipher.map(Direction::Encrypt, (&mut yz[..2 * n]).into());
        self.y.as_mut().copy_from_slice(&yz[..n]);
        self.z.as_mut().copy_from_slice(&yz[n..2 * n]);
        self.sum = Secret::new(C::Block::ZERO);
        self.gamma = Leftover::new();
        (self.ahead, self.ahead_from) = (Secret::new([0; 32]), 32);
        (self.filled, self.aad, self.text) = (0, 0, 0);
        self.phase = Phase::Aad;
        Ok(())
    }
}
