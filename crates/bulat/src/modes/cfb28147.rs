//! The gamma-with-feedback mode of GOST 28147-89 (64-bit CFB): RFC 5830, section 7; with CryptoPro key
//! meshing, RFC 4357, section 2.3.2.
//!
//! The register is first the IV, then the last block of ciphertext; the gamma is E(register). At a new section the
//! register is encrypted under the new key.

use super::StreamCipher;
use super::gamma::{Buffer, add};
use super::meshing::{Meshed, Meshing, SECTION};
use crate::cipher::{Chain, Data, Shapes};
use crate::{BlockCipher, Direction, Error, Gost28147, InOut, Secret};

/// A message in CFB of GOST 28147-89, in one direction.
///
/// The IV is 8 bytes.
///
/// ```
/// use bulat::ParamSet;
/// use bulat::modes::Cfb28147;
/// use bulat::{Direction, Gost28147, StreamCipher};
/// let mut text = *b"a message of any length";
/// for direction in [Direction::Encrypt, Direction::Decrypt] {
///     let cipher = Gost28147::new(&[7; 32], ParamSet::Tc26Z);
///     let mut cfb = Cfb28147::with(cipher, &[1; 8], direction)?;
///     cfb.apply_keystream(&mut text)?;
/// }
/// assert_eq!(&text, b"a message of any length");
/// # Ok::<(), bulat::Error>(())
/// ```
#[derive(Clone)]
pub struct Cfb28147 {
    key: Meshed,
    direction: Direction,
    /// Between blocks the register; within a block the `used` bytes of its ciphertext, then the rest of the gamma.
    register: Secret<[u8; 8]>,
    /// 8 between blocks.
    used: usize,
}

impl Cfb28147 {
    /// Begins a message under a key and an IV of 8 bytes.
    ///
    /// # Errors
    /// [`Error::IvLength`].
    pub fn with(cipher: Gost28147, iv: &[u8], direction: Direction) -> Result<Self, Error> {
        let key = Meshed::new(cipher);
        let mut cfb = Cfb28147 { key, direction, register: Secret::new([0; 8]), used: 8 };
        cfb.reset(iv)?;
        Ok(cfb)
    }

    /// Sets the meshing, by default [`Meshing::of`] the S-boxes: with it the key changes after each 1024 bytes. Call it
    /// before any data.
    pub fn meshing(mut self, meshing: Meshing) -> Self {
        self.key.set(meshing);
        self
    }

    /// Transforms bytes of the block in progress.
    fn within(&mut self, mut data: InOut<'_, '_>) {
        for i in 0..data.len() {
            let input = data.get_in()[i];
            let output = input ^ self.register[self.used];
            data.get_out()[i] = output;
            self.register[self.used] = match self.direction {
                Direction::Encrypt => output,
                Direction::Decrypt => input,
            };
            self.used += 1;
        }
    }

    /// Decrypts whole blocks under a key, with all of the gamma made from the ciphertext at once.
    fn decrypt(&mut self, mut data: InOut<'_, '_>) {
        if data.is_empty() {
            return;
        }
        let mut gamma = Buffer::<SECTION>::new();
        while !data.is_empty() {
            let n = data.len().min(SECTION);
            let (piece, rest) = data.split_at(n);
            let (before, last) = piece.get_in().split_at(n - 8);
            let gamma = gamma.first(n);
            gamma[..8].copy_from_slice(&*self.register);
            gamma[8..].copy_from_slice(before);
            self.register.copy_from_slice(last);
            self.key.cipher().map(Direction::Encrypt, (&mut *gamma).into());
            add(piece, gamma);
            data = rest;
        }
    }
}

impl StreamCipher for Cfb28147 {
    fn apply_keystream_inout(&mut self, data: InOut<'_, '_>) -> Result<(), Error> {
        let begun = data.len().min(8 - self.used);
        let (piece, mut data) = data.split_at(begun);
        self.within(piece);
        while !data.is_empty() {
            let n = self.key.section(data.len(), Some(&mut self.register));
            let (section, rest) = data.split_at(n);
            let (whole, tail) = section.split_at(n / 8 * 8);
            match self.direction {
                Direction::Encrypt => {
                    let whole = Data::Through(whole);
                    self.key.cipher().chain(Chain::CfbEncrypt, &mut self.register, whole);
                }
                Direction::Decrypt => self.decrypt(whole),
            }
            if !tail.is_empty() {
                self.key.cipher().encrypt_block(&mut self.register);
                self.used = 0;
                self.within(tail);
            }
            data = rest;
        }
        Ok(())
    }

    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        let iv: [u8; 8] = iv.try_into().map_err(|_| Error::IvLength)?;
        self.key.reset();
        *self.register = iv;
        self.used = 8;
        Ok(())
    }
}
