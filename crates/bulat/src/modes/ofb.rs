//! OFB of GOST R 34.13-2015, section 5.3: the gamma block E(first block of the register) is added to s bytes of text
//! and goes to the end of the register of z blocks. So a round of z gamma blocks encrypts the whole register, which
//! always holds the gamma in use.

use super::gamma::{BATCH, Buffer, add, add_short, check_s, split};
use super::register::Register;
use super::{FromKey, StreamCipher};
use crate::cipher::{Block, Chain, Data};
use crate::{BlockCipher, Direction, Error, InOut, Secret};

/// Encryption and decryption in OFB.
///
/// An IV must never be used twice under one key. Nothing is authenticated.
///
/// ```
/// use bulat::modes::Ofb;
/// use bulat::{Kuznyechik, StreamCipher};
/// let iv = [1; 32]; // a register of two blocks
/// let mut ofb = Ofb::<Kuznyechik>::new(&[7; 32], &iv)?;
/// let mut text = *b"of any length";
/// ofb.apply_keystream(&mut text)?;
/// ofb.reset(&iv)?;
/// ofb.apply_keystream(&mut text)?;
/// assert_eq!(&text, b"of any length");
/// # Ok::<(), bulat::Error>(())
/// ```
#[derive(Clone)]
pub struct Ofb<C: BlockCipher> {
    cipher: C,
    register: Register,
    /// The position in the register of the next gamma byte; the register's length when all are used.
    at: usize,
    s: usize,
    /// Set once data has been given.
    begun: bool,
}

impl<C: BlockCipher> Ofb<C> {
    /// Begins a message under a key of 32 bytes: see [`Self::with`].
    ///
    /// # Errors
    /// [`Error::IvLength`].
    pub fn new(key: &[u8; 32], iv: &[u8]) -> Result<Self, Error>
    where
        C: FromKey,
    {
        Self::with(C::from_key(key), iv)
    }

    /// Begins a message. `iv` is the register: z >= 1 blocks, at most [`super::MAX_REGISTER`] bytes; s = n.
    ///
    /// # Errors
    /// [`Error::IvLength`].
    pub fn with(cipher: C, iv: &[u8]) -> Result<Self, Error> {
        let register = Register::of_blocks(iv, C::BLOCK)?;
        Ok(Ofb { cipher, at: register.len(), register, s: C::BLOCK, begun: false })
    }

    /// Uses `s` bytes of each gamma block, 1..=n. Call it before any data.
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

    /// Adds the gamma left in the register. Returns the rest of the data.
    fn take<'i, 'o>(&mut self, data: InOut<'i, 'o>) -> InOut<'i, 'o> {
        let (n, mut rest) = (C::BLOCK, data);
        while !rest.is_empty() && self.at < self.register.len() {
            let (head, tail) = split(rest, self.s - self.at % n);
            let k = head.len();
            add(head, &self.register[self.at..self.at + k]);
            self.at += k;
            if self.at % n == self.s {
                self.at += n - self.s;
            }
            rest = tail;
        }
        rest
    }

    /// z = 1: transforms whole blocks in a chained stream.
    fn run(&mut self, data: InOut<'_, '_>) {
        let mut state = Secret::new(C::Block::ZERO);
        state.as_mut().copy_from_slice(&self.register);
        if self.s == C::BLOCK {
            self.cipher.chain(Chain::Ofb, &mut state, Data::Through(data));
        } else {
            let (n, mut rest) = (C::BLOCK, data);
            let mut gamma = Buffer::<BATCH>::new();
            while !rest.is_empty() {
                let (part, tail) = split(rest, BATCH / n * self.s);
                let gamma = gamma.zeros(part.len() / self.s * n);
                self.cipher.chain(Chain::Ofb, &mut state, Data::Through((&mut *gamma).into()));
                add_short(part, gamma, n, self.s);
                rest = tail;
            }
        }
        self.register.copy_from_slice(state.as_ref());
    }
}

impl<C: BlockCipher> StreamCipher for Ofb<C> {
    fn apply_keystream_inout(&mut self, data: InOut<'_, '_>) -> Result<(), Error> {
        self.begun |= !data.is_empty();
        let mut rest = self.take(data);
        if self.register.len() == C::BLOCK && rest.len() >= self.s {
            let whole = rest.len() / self.s * self.s;
            let (body, tail) = rest.split_at(whole);
            self.run(body);
            rest = tail;
        }
        while !rest.is_empty() {
            self.cipher.map(Direction::Encrypt, (&mut *self.register).into());
            self.at = 0;
            rest = self.take(rest);
        }
        Ok(())
    }

    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        self.register = Register::of_blocks(iv, C::BLOCK)?;
        self.at = self.register.len();
        self.begun = false;
        Ok(())
    }
}
