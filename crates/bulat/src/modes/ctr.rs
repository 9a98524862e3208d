//! CTR, the gamma mode of GOST R 34.13-2015, section 5.2. The counter is a block, a big-endian number:
//! IV of n/2 bytes, then zeros; it grows by 1 for each gamma block, of which s bytes are used.

use super::gamma::{AHEAD, Leftover, check_s, stream};
use super::{FromKey, StreamCipher};
use crate::cipher::{Block, Count};
use crate::{BlockCipher, Error, InOut, Secret};

/// Encryption and decryption in CTR.
///
/// An IV must never be used twice under one key. Nothing is authenticated: see [`super::Mgm`].
///
/// ```
/// use bulat::{KuznyechikCtr, StreamCipher};
/// let (key, iv) = ([7; 32], *b"8 bytes!");
/// let mut ctr = KuznyechikCtr::new(&key, &iv)?;
/// let mut text = *b"of any length";
/// ctr.apply_keystream(&mut text)?;
/// ctr.reset(&iv)?; // the same keystream again: decryption
/// ctr.apply_keystream(&mut text)?;
/// assert_eq!(&text, b"of any length");
/// # Ok::<(), bulat::Error>(())
/// ```
#[derive(Clone)]
pub struct Ctr<C: BlockCipher> {
    cipher: C,
    start: C::Block,
    counter: C::Block,
    s: usize,
    /// Gamma blocks made since the start, with the blocks ahead.
    made: u128,
    /// The blocks that the last seek passed by.
    passed: u128,
    iv: Iv,
    left: Leftover,
}

/// The part of the first counter block that an IV gives.
#[derive(Clone, Copy)]
enum Iv {
    /// The first half, as in the standard: the other half counts, and ends the message where it has counted to its end.
    Half,
    /// All of it, which counts without an end.
    Whole,
}

impl<C: BlockCipher> Ctr<C> {
    /// A message under a key of 32 bytes: see [`Self::with`].
    ///
    /// # Errors
    /// [`Error::IvLength`].
    pub fn new(key: &[u8; 32], iv: &[u8]) -> Result<Self, Error>
    where
        C: FromKey,
    {
        Self::with(C::from_key(key), iv)
    }

    /// CTR of the standard: `iv` is n/2 bytes; s = n.
    ///
    /// A message has at most 2^(8·n/2) gamma blocks, so that the counter never runs into the IV:
    /// for Magma 32 GiB; more is [`Error::Limit`].
    ///
    /// # Errors
    /// [`Error::IvLength`].
    pub fn with(cipher: C, iv: &[u8]) -> Result<Self, Error> {
        let mut ctr = Self::from_block(cipher, C::Block::ZERO);
        ctr.iv = Iv::Half;
        ctr.reset(iv)?;
        Ok(ctr)
    }

    /// CTR from a whole first counter block, which grows modulo 2^(8n) without a limit, as in some protocols and
    /// libraries. The caller must keep the counters of different messages apart. `reset` expects a whole block, too.
    pub fn from_block(cipher: C, counter: C::Block) -> Self {
        Ctr {
            cipher,
            start: counter,
            counter,
            s: C::BLOCK,
            made: 0,
            passed: 0,
            iv: Iv::Whole,
            left: Leftover::new(),
        }
    }

    /// Uses `s` bytes of each gamma block, 1..=n.
    ///
    /// # Errors
    /// [`Error::Parameter`]; [`Error::Order`] once data has been given.
    pub fn with_s(mut self, s: usize) -> Result<Self, Error> {
        check_s(s, C::BLOCK)?;
        if self.made != 0 {
            return Err(Error::Order);
        }
        self.s = s;
        Ok(self)
    }

    /// Goes to this byte of the message.
    ///
    /// # Errors
    /// [`Error::Limit`].
    pub fn seek(&mut self, byte: u64) -> Result<(), Error> {
        let (blocks, within) = (byte / self.s as u64, byte % self.s as u64);
        if u128::from(blocks) + u128::from(within > 0) > self.limit() {
            return Err(Error::Limit);
        }
        self.counter = self.start;
        Count::Whole.skip(self.counter.as_mut(), blocks);
        self.made = blocks.into();
        self.left.clear();
        if within > 0 {
            let mut gamma = Secret::new(C::Block::ZERO);
            self.cipher.stream(&mut self.counter, Count::Whole, gamma.as_mut().into());
            self.left.put(&gamma.as_ref()[within as usize..self.s]);
            self.made += 1;
        }
        self.passed = self.made;
        Ok(())
    }

    /// Returns the most gamma blocks that a message may have.
    fn limit(&self) -> u128 {
        match self.iv {
            Iv::Half => 1 << (8 * C::BLOCK / 2),
            Iv::Whole => u128::MAX,
        }
    }

    /// Returns the number of gamma blocks made after `len` bytes more.
    fn made_after(&self, len: usize) -> u128 {
        let blocks = len.saturating_sub(self.left.len()).div_ceil(self.s);
        self.made.saturating_add(blocks as u128)
    }

    /// Checks that the message may have `len` bytes more.
    pub(crate) fn check(&self, len: usize) -> Result<(), Error> {
        if self.made_after(len) > self.limit() { Err(Error::Limit) } else { Ok(()) }
    }

    /// Transforms the next piece, which [`Self::check`] has allowed.
    ///
    /// Makes at most as many blocks ahead as the message has had since its start or the last seek, so a single piece makes
    /// no block ahead. The limit covers the blocks ahead, too: the counter never runs into the IV.
    pub(crate) fn run(&mut self, data: InOut<'_, '_>) {
        let (before, made) = (self.made - self.passed, self.made_after(data.len()));
        let rest = self.left.take(data);
        if !rest.is_empty() {
            let ahead = before.min(self.limit().saturating_sub(made)).min(AHEAD as u128) as usize;
            let (counter, left) = (&mut self.counter, &mut self.left);
            stream(&self.cipher, counter, Count::Whole, self.s, left, ahead, rest);
            self.made = made.saturating_add((self.left.len() / C::BLOCK) as u128);
        }
    }

    /// Gamma blocks begun, bytes used of the last block, s.
    #[cfg(feature = "rustcrypto")]
    pub(crate) fn position(&self) -> (u128, u8, u8) {
        let (ahead, rest) = (self.left.len() / self.s, self.left.len() % self.s);
        (self.made - ahead as u128, (self.s - rest) as u8, self.s as u8)
    }
}

impl<C: BlockCipher> StreamCipher for Ctr<C> {
    /// # Errors
    /// [`Error::Limit`]: then nothing was transformed.
    fn apply_keystream_inout(&mut self, data: InOut<'_, '_>) -> Result<(), Error> {
        if data.len() <= self.left.len() {
            self.left.take(data);
            return Ok(());
        }
        self.check(data.len())?;
        self.run(data);
        Ok(())
    }

    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        let len = match self.iv {
            Iv::Half => C::BLOCK / 2,
            Iv::Whole => C::BLOCK,
        };
        if iv.len() != len {
            return Err(Error::IvLength);
        }
        self.start = C::Block::ZERO;
        self.start.as_mut()[..len].copy_from_slice(iv);
        self.counter = self.start;
        (self.made, self.passed) = (0, 0);
        self.left.clear();
        Ok(())
    }
}

/// Transforms a whole message as [`Ctr`] with s = n, under a borrowed key.
#[cfg(feature = "alloc")]
pub(crate) fn ctr_once<C: BlockCipher>(
    cipher: &C,
    iv: &[u8],
    data: InOut<'_, '_>,
) -> Result<(), Error> {
    if iv.len() != C::BLOCK / 2 {
        return Err(Error::IvLength);
    }
    if data.len().div_ceil(C::BLOCK) as u128 > 1 << (8 * C::BLOCK / 2) {
        return Err(Error::Limit);
    }
    let mut counter = C::Block::ZERO;
    counter.as_mut()[..iv.len()].copy_from_slice(iv);
    let left = &mut Leftover::new();
    stream(cipher, &mut counter, Count::Whole, C::BLOCK, left, 0, data);
    Ok(())
}
