//! CFB of GOST R 34.13-2015, section 5.5: s bytes of E(first block of the register) are added to a segment of s bytes,
//! and its ciphertext goes to the end of the register of m bytes. The input of segment j is thus a block of register ||
//! ciphertext at byte j·s. In decryption all inputs are known in advance, in encryption as many as the register holds.

use super::gamma::{BATCH, Buffer, add, add_short, check_s, split};
use super::register::{MAX_REGISTER, Register};
use super::{FromKey, StreamCipher};
use crate::cipher::{Block, Chain, Data};
use crate::{BlockCipher, Direction, Error, InOut, Secret};

/// Encryption or decryption in CFB.
///
/// An IV must never be used twice under one key. Nothing is authenticated.
///
/// ```
/// use bulat::modes::Cfb;
/// use bulat::{Magma, StreamCipher};
/// let (key, iv) = ([7; 32], [1; 8]);
/// let mut text = *b"of any length";
/// Cfb::<Magma>::encryptor(&key, &iv)?.apply_keystream(&mut text)?;
/// Cfb::<Magma>::decryptor(&key, &iv)?.apply_keystream(&mut text)?;
/// assert_eq!(&text, b"of any length");
/// # Ok::<(), bulat::Error>(())
/// ```
#[derive(Clone)]
pub struct Cfb<C: BlockCipher> {
    cipher: C,
    direction: Direction,
    register: Register,
    s: usize,
    /// Set once data has been given.
    begun: bool,
    /// The segment in progress: its gamma, its ciphertext, and its length so far (0..s; 0: no segment).
    gamma: Secret<C::Block>,
    segment: C::Block,
    at: usize,
}

impl<C: BlockCipher> Cfb<C> {
    /// Begins encryption under a key of 32 bytes: see [`Self::with`].
    ///
    /// # Errors
    /// [`Error::IvLength`].
    pub fn encryptor(key: &[u8; 32], iv: &[u8]) -> Result<Self, Error>
    where
        C: FromKey,
    {
        Self::with(C::from_key(key), iv, Direction::Encrypt)
    }

    /// Begins decryption under a key of 32 bytes: see [`Self::with`].
    ///
    /// # Errors
    /// [`Error::IvLength`].
    pub fn decryptor(key: &[u8; 32], iv: &[u8]) -> Result<Self, Error>
    where
        C: FromKey,
    {
        Self::with(C::from_key(key), iv, Direction::Decrypt)
    }

    /// Begins a message. `iv` is the register: m >= n bytes, at most [`MAX_REGISTER`]; s = n.
    ///
    /// # Errors
    /// [`Error::IvLength`].
    pub fn with(cipher: C, iv: &[u8], direction: Direction) -> Result<Self, Error> {
        Ok(Cfb {
            cipher,
            direction,
            register: Register::at_least(iv, C::BLOCK)?,
            s: C::BLOCK,
            begun: false,
            gamma: Secret::new(C::Block::ZERO),
            segment: C::Block::ZERO,
            at: 0,
        })
    }

    /// Sets segments of `s` bytes, 1..=n. Call it before any data.
    ///
    /// # Errors
    /// [`Error::Parameter`]; [`Error::Order`] once data has been given.
    pub fn with_s(mut self, s: usize) -> Result<Self, Error> {
        check_s(s, C::BLOCK)?;
        if self.begun {
            return Err(Error::Order);
        }
        self.s = s;
        Ok(self)
    }

    /// Continues the segment in progress, at most to its end. Returns the rest of the data.
    fn proceed<'i, 'o>(&mut self, data: InOut<'i, 'o>) -> InOut<'i, 'o> {
        let (mut head, rest) = split(data, self.s - self.at);
        let range = self.at..self.at + head.len();
        if self.direction == Direction::Decrypt {
            self.segment.as_mut()[range.clone()].copy_from_slice(head.get_in());
        }
        add(head.reborrow(), &self.gamma.as_ref()[range.clone()]);
        if self.direction == Direction::Encrypt {
            self.segment.as_mut()[range.clone()].copy_from_slice(head.get_out());
        }
        self.at = range.end;
        if self.at == self.s {
            self.register.copy_within(self.s.., 0);
            let end = self.register.len() - self.s;
            self.register[end..].copy_from_slice(&self.segment.as_ref()[..self.s]);
            self.at = 0;
        }
        rest
    }

    /// Encrypts whole segments with m = n = s in a chained stream.
    fn chain(&mut self, data: InOut<'_, '_>) {
        let mut state = Secret::new(C::Block::ZERO);
        state.as_mut().copy_from_slice(&self.register);
        self.cipher.chain(Chain::CfbEncrypt, &mut state, Data::Through(data));
        self.register.copy_from_slice(state.as_ref());
    }

    /// Transforms whole segments, each time as many as have known inputs.
    fn run(&mut self, data: InOut<'_, '_>) {
        let (n, m, s) = (C::BLOCK, self.register.len(), self.s);
        let known = match self.direction {
            Direction::Encrypt => (m - n) / s + 1,
            Direction::Decrypt => usize::MAX,
        };
        let segments = known.min(BATCH / n);
        let mut text = [0u8; MAX_REGISTER + BATCH]; // register || ciphertext
        let mut gamma = Buffer::<BATCH>::new();
        let mut rest = data;
        while !rest.is_empty() {
            let (mut part, tail) = split(rest, segments * s);
            let k = part.len();
            text[..m].copy_from_slice(&self.register);
            if self.direction == Direction::Decrypt {
                text[m..m + k].copy_from_slice(part.get_in());
            }
            let gamma = gamma.first(k / s * n);
            if s == n {
                gamma.copy_from_slice(&text[..k]);
            } else {
                for (i, block) in gamma.chunks_exact_mut(n).enumerate() {
                    block.copy_from_slice(&text[i * s..i * s + n]);
                }
            }
            self.cipher.map(Direction::Encrypt, (&mut *gamma).into());
            add_short(part.reborrow(), gamma, n, s);
            if self.direction == Direction::Encrypt {
                text[m..m + k].copy_from_slice(part.get_out());
            }
            self.register.copy_from_slice(&text[k..k + m]);
            rest = tail;
        }
    }
}

impl<C: BlockCipher> StreamCipher for Cfb<C> {
    fn apply_keystream_inout(&mut self, data: InOut<'_, '_>) -> Result<(), Error> {
        self.begun |= !data.is_empty();
        let rest = if self.at > 0 { self.proceed(data) } else { data };
        let whole = rest.len() / self.s * self.s;
        let (body, tail) = rest.split_at(whole);
        if !body.is_empty() {
            let one = self.register.len() == C::BLOCK && self.s == C::BLOCK;
            match self.direction {
                Direction::Encrypt if one => self.chain(body),
                _ => self.run(body),
            }
        }
        if !tail.is_empty() {
            self.gamma.as_mut().copy_from_slice(&self.register[..C::BLOCK]);
            self.cipher.encrypt_block(&mut self.gamma);
            self.proceed(tail);
        }
        Ok(())
    }

    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        self.register = Register::at_least(iv, C::BLOCK)?;
        self.gamma = Secret::new(C::Block::ZERO);
        (self.at, self.begun) = (0, false);
        Ok(())
    }
}
