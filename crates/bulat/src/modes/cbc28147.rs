//! CBC of GOST 28147-89 (RFC 4357, section 2.1) with CryptoPro key meshing (section 2.3.2) or without.
//!
//! Without meshing it is [`super::Cbc`] with a register of one block, as OpenSSL's gost89-cbc and libgcrypt implement
//! it. With meshing implementations differ; this implementation follows the RFC literally: at a new section the key
//! changes and the register is encrypted under it (PyGOST only changes the key).

use super::cbc::decrypt;
use super::ecb::held;
use super::meshing::{Meshed, Meshing};
use super::pieces::Pieces;
use super::{BlockMode, Padding};
use crate::cipher::{Chain, Data, Shapes};
use crate::{Direction, Error, Gost28147, InOut, Secret};

/// Encryption or decryption in CBC of GOST 28147-89, with an IV of 8 bytes.
///
/// The warning about oracles in [`super::Cbc`] applies here.
///
/// ```
/// use bulat::ParamSet;
/// use bulat::modes::{Cbc28147, Meshing};
/// use bulat::{BlockMode, Direction, Gost28147};
/// let key = Gost28147::new(&[7; 32], ParamSet::Tc26Z);
/// let mut cbc = Cbc28147::with(key, &[1; 8], Direction::Encrypt)?.meshing(Meshing::CryptoPro);
/// let mut text = [0; 2048];
/// assert_eq!(cbc.update(&mut text)?, 2048);
/// assert_eq!(cbc.finalize(&mut [])?, 0);
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
    /// Begins a message under a key and an IV of 8 bytes, without key meshing, as other tools do.
    ///
    /// # Errors
    /// [`Error::IvLength`].
    pub fn with(cipher: Gost28147, iv: &[u8], direction: Direction) -> Result<Self, Error> {
        let (mut key, register) = (Meshed::new(cipher), Secret::new([0; 8]));
        key.set(Meshing::None);
        let chain = Sections { key, direction, register };
        let mut cbc = Cbc28147 { chain, padding: Padding::None, pieces: Pieces::new() };
        cbc.reset(iv)?;
        Ok(cbc)
    }

    /// Sets the padding, by default no padding. Call it before any data.
    pub fn padding(mut self, padding: Padding) -> Self {
        self.padding = padding;
        self
    }

    /// Sets the meshing: with it the key changes after each 1024 bytes; by default it does not. Call it before any
    /// data.
    pub fn meshing(mut self, meshing: Meshing) -> Self {
        self.chain.key.set(meshing);
        self
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
                Direction::Decrypt => decrypt(self.key.cipher(), &mut *self.register, section),
            }
            data = rest;
        }
    }
}

impl BlockMode for Cbc28147 {
    const HELD: usize = 16;

    fn update_inout(&mut self, data: InOut<'_, '_>) -> Result<usize, Error> {
        let held = held(self.chain.direction, self.padding);
        self.pieces.update(8, held, data, |blocks| self.chain.run(blocks))
    }

    fn finalize(&mut self, out: &mut [u8]) -> Result<usize, Error> {
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
