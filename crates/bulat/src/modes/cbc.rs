//! CBC of GOST R 34.13-2015, section 5.4, with a register of z blocks: block i is chained to block i - z, so z chains
//! run side by side.

use super::ecb::held;
use super::gamma::{BATCH, add, split};
use super::pieces::Pieces;
use super::register::{MAX_REGISTER, Register};
use super::{BlockMode, FromKey, Padding};
use crate::cipher::{Block, Chain, Data};
use crate::{BlockCipher, Direction, Error, InOut, Secret};

/// Encryption or decryption in CBC.
///
/// The IV must be unpredictable. Without authentication CBC is an oracle: an attacker who submits changed ciphertexts
/// and learns whether their padding, or their text, was accepted can read the plaintext. Check a MAC over IV and
/// ciphertext first, or use [`super::Mgm`].
///
/// ```
/// use bulat::modes::Padding;
/// use bulat::{BlockMode, KuznyechikCbc};
/// let (key, iv) = ([7; 32], [1; 16]);
/// let (mut text, mut end) = (*b"twenty bytes of text", [0; 32]);
/// let mut cbc = KuznyechikCbc::encryptor(&key, &iv)?.padding(Padding::Pkcs7);
/// assert_eq!(cbc.update(&mut text)?, 16);
/// assert_eq!(cbc.finalize(&mut end)?, 16);
///
/// let mut cbc = KuznyechikCbc::decryptor(&key, &iv)?.padding(Padding::Pkcs7);
/// assert_eq!(cbc.update(&mut text[..16])?, 0); // may be the last: held back
/// assert_eq!(cbc.update(&mut end[..16])?, 16);
/// assert_eq!(&end[..16], b"twenty bytes of ");
/// assert_eq!(cbc.finalize(&mut end)?, 4);
/// # Ok::<(), bulat::Error>(())
/// ```
#[derive(Clone)]
pub struct Cbc<C: BlockCipher> {
    cipher: C,
    direction: Direction,
    padding: Padding,
    chains: Chains,
    pieces: Pieces,
}

/// The register, and for encryption the position of the next block in it.
#[derive(Clone)]
struct Chains {
    register: Register,
    at: usize,
}

impl<C: BlockCipher> Cbc<C> {
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

    /// Begins a message. `iv` is the register: z >= 1 blocks, at most [`MAX_REGISTER`] bytes.
    ///
    /// # Errors
    /// [`Error::IvLength`].
    pub fn with(cipher: C, iv: &[u8], direction: Direction) -> Result<Self, Error> {
        let chains = Chains { register: Register::of_blocks(iv, C::BLOCK)?, at: 0 };
        Ok(Cbc { cipher, direction, padding: Padding::None, chains, pieces: Pieces::new() })
    }

    /// Sets the padding, by default no padding. Call it before any data.
    pub fn padding(mut self, padding: Padding) -> Self {
        self.padding = padding;
        self
    }
}

impl Chains {
    fn run<C: BlockCipher>(&mut self, cipher: &C, direction: Direction, data: InOut<'_, '_>) {
        match direction {
            Direction::Encrypt if self.register.len() == C::BLOCK => self.encrypt_one(cipher, data),
            Direction::Encrypt => self.encrypt(cipher, data),
            Direction::Decrypt => decrypt(cipher, &mut self.register, data),
        }
    }

    /// z = 1: encrypts a chained stream.
    fn encrypt_one<C: BlockCipher>(&mut self, cipher: &C, data: InOut<'_, '_>) {
        let mut state = Secret::new(C::Block::ZERO);
        state.as_mut().copy_from_slice(&self.register);
        cipher.chain(Chain::CbcEncrypt, &mut state, Data::Through(data));
        self.register.copy_from_slice(state.as_ref());
    }

    /// z > 1: encrypts the blocks of a round of the register, which are independent.
    fn encrypt<C: BlockCipher>(&mut self, cipher: &C, data: InOut<'_, '_>) {
        let mut rest = data;
        while !rest.is_empty() {
            let (mut round, tail) = split(rest, self.register.len() - self.at);
            let r = &mut self.register[self.at..self.at + round.len()];
            r.iter_mut().zip(round.get_in()).for_each(|(r, x)| *r ^= x);
            cipher.map(Direction::Encrypt, (&mut *r).into());
            round.get_out().copy_from_slice(r);
            self.at = (self.at + round.len()) % self.register.len();
            rest = tail;
        }
    }
}

/// Decrypts blocks, which are independent: the ciphertext, a register behind, is added afterwards.
pub(super) fn decrypt<C: BlockCipher>(cipher: &C, register: &mut [u8], data: InOut<'_, '_>) {
    let m = register.len();
    let mut before = [0u8; MAX_REGISTER + BATCH];
    let mut rest = data;
    while !rest.is_empty() {
        let (mut batch, tail) = split(rest, BATCH);
        let k = batch.len();
        before[..m].copy_from_slice(register);
        before[m..m + k].copy_from_slice(batch.get_in());
        cipher.map(Direction::Decrypt, batch.reborrow());
        add(batch.get_out().into(), &before[..k]);
        register.copy_from_slice(&before[k..k + m]);
        rest = tail;
    }
}

impl<C: BlockCipher> BlockMode for Cbc<C> {
    const HELD: usize = 2 * C::BLOCK;

    fn update_inout(&mut self, data: InOut<'_, '_>) -> Result<usize, Error> {
        let held = held(self.direction, self.padding);
        self.pieces.update(C::BLOCK, held, data, |blocks| {
            self.chains.run(&self.cipher, self.direction, blocks);
        })
    }

    fn finalize(&mut self, out: &mut [u8]) -> Result<usize, Error> {
        self.pieces.finish(C::BLOCK, self.padding, self.direction, out, |block| {
            self.chains.run(&self.cipher, self.direction, block);
        })
    }

    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        self.chains = Chains { register: Register::of_blocks(iv, C::BLOCK)?, at: 0 };
        self.pieces = Pieces::new();
        Ok(())
    }
}
