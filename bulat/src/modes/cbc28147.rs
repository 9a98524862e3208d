//! CBC of GOST 28147-89 (RFC 4357, section 2.1) with CryptoPro key meshing (section 2.3.2) or without.
//!
//! Without meshing it is [`super::Cbc`] with a register of one block, as OpenSSL's gost89-cbc and
//! libgcrypt have it. With meshing implementations differ; this one follows the letter of the RFC: at
//! a new section the key changes and the register is encrypted under it (PyGOST changes the key alone).

use super::ecb::held;
use super::gamma::add;
use super::meshing::{Meshed, Meshing, SECTION};
use super::pieces::Pieces;
use super::{Blocks, Padding};
use crate::cipher::{Chain, Data};
use crate::{BlockCipher, Direction, Error, Gost28147, InOut, Secret};

/// Encryption or decryption in CBC of GOST 28147-89, with an IV of 8 octets.
///
/// What [`super::Cbc`] says of oracles holds here.
///
/// ```
/// use bulat::magma::ParamSet;
/// use bulat::modes::{Blocks, Cbc28147, Meshing, Padding};
/// use bulat::{Direction, Gost28147};
/// let key = Gost28147::new(&[7; 32], ParamSet::Tc26Z);
/// let mut cbc =
///     Cbc28147::new(key, Direction::Encrypt, &[1; 8], Padding::None, Meshing::CryptoPro)?;
/// let mut text = [0; 2048];
/// assert_eq!(cbc.update(text.as_mut_slice().into())?, 2048);
/// assert_eq!(cbc.finish(&mut [])?, 0);
/// # Ok::<(), bulat::Error>(())
/// ```
#[derive(Clone)]
pub struct Cbc28147 {
    chain: Sections,
    padding: Padding,
    pieces: Pieces,
}

/// The chain of blocks, across sections.
#[derive(Clone)]
struct Sections {
    key: Meshed,
    direction: Direction,
    register: Secret<[u8; 8]>,
}

impl Cbc28147 {
    /// A message under a key and an IV of 8 octets.
    ///
    /// # Errors
    /// [`Error::IvLength`].
    pub fn new(
        cipher: Gost28147,
        direction: Direction,
        iv: &[u8],
        padding: Padding,
        meshing: Meshing,
    ) -> Result<Self, Error> {
        let (key, register) = (Meshed::new(cipher, meshing), Secret::new([0; 8]));
        let chain = Sections { key, direction, register };
        let mut cbc = Cbc28147 { chain, padding, pieces: Pieces::new() };
        cbc.reset(iv)?;
        Ok(cbc)
    }
}

impl Sections {
    fn run(&mut self, mut data: InOut<'_, '_>) {
        while !data.is_empty() {
            let n = self.key.section(data.len(), Some(&mut self.register));
            let (section, rest) = data.split_at(n);
            match self.direction {
                Direction::Encrypt => {
                    let section = Data::Through(section);
                    self.key.cipher().chain(Chain::CbcEncrypt, &mut self.register, section);
                }
                Direction::Decrypt => self.decrypt(section),
            }
            data = rest;
        }
    }

    /// All blocks at once: the ciphertext, a block behind, is added afterwards.
    fn decrypt(&mut self, mut data: InOut<'_, '_>) {
        let mut before = [0; 8 + SECTION];
        while !data.is_empty() {
            let n = data.len().min(SECTION);
            let (mut piece, rest) = data.split_at(n);
            before[..8].copy_from_slice(&*self.register);
            before[8..8 + n].copy_from_slice(piece.get_in());
            self.register.copy_from_slice(&before[n..8 + n]);
            self.key.cipher().map(Direction::Decrypt, piece.reborrow());
            add(piece.get_out().into(), &before[..n]);
            data = rest;
        }
    }
}

impl Blocks for Cbc28147 {
    const HELD: usize = 16;

    fn update(&mut self, data: InOut<'_, '_>) -> Result<usize, Error> {
        let held = held(self.chain.direction, self.padding);
        self.pieces.update(8, held, data, |blocks| self.chain.run(blocks))
    }

    fn finish(&mut self, out: &mut [u8]) -> Result<usize, Error> {
        let (padding, direction) = (self.padding, self.chain.direction);
        self.pieces.finish(8, padding, direction, out, |block| self.chain.run(block))
    }

    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        let iv: [u8; 8] = iv.try_into().map_err(|_| Error::IvLength)?;
        self.chain.key.reset();
        *self.chain.register = iv;
        self.pieces = Pieces::new();
        Ok(())
    }
}
