//! IMIT, the MAC of GOST 28147-89 ("imitovstavka"): RFC 5830, section 8; with CryptoPro key meshing, RFC 4357, section
//! 2.3.2, which changes only the key here.
//!
//! The register passes 16 rounds for each block ([`Chain::Imit`]), and the tag is its first bytes. The last block is
//! filled with zeros. GOST 28147-89 requires at least two blocks, so a message of 1 to 8 bytes is followed by a block
//! of zeros, as in CryptoPro CSP, gost-engine, libgcrypt and nettle (PyGOST and BouncyCastle omit it). The tag of the
//! empty message is the IV.

use super::Mac;
use super::meshing::{Meshed, Meshing};
use crate::cipher::{Chain, Data, Shapes};
use crate::io::io_write;
use crate::{Error, Gost28147, Secret, Tag};

/// A message under IMIT.
///
/// ```
/// use bulat::ParamSet;
/// use bulat::modes::Imit;
/// use bulat::{Gost28147, Mac};
/// let mut imit = Imit::with(Gost28147::new(&[7; 32], ParamSet::CryptoProA));
/// imit.update(b"a message");
/// assert_eq!(imit.finalize()?.len(), 4);
/// # Ok::<(), bulat::Error>(())
/// ```
#[derive(Clone)]
pub struct Imit {
    key: Meshed,
    register: Secret<[u8; 8]>,
    /// The `filled` bytes of the block in progress.
    block: Secret<[u8; 8]>,
    filled: usize,
    /// The number of whole blocks done: 0, 1, or 2 for more.
    blocks: u8,
    tag_len: usize,
    /// The register's first value.
    iv: [u8; 8],
}

impl Imit {
    /// Begins a message under a key: the register is zeros, the meshing is [`Meshing::of`] the S-boxes, the tag has 4
    /// bytes.
    pub fn with(cipher: Gost28147) -> Self {
        Imit {
            key: Meshed::new(cipher),
            register: Secret::new([0; 8]),
            block: Secret::new([0; 8]),
            filled: 0,
            blocks: 0,
            tag_len: 4,
            iv: [0; 8],
        }
    }

    /// Sets the register's first value, 8 bytes (RFC 4357 uses this value in the key wraps). Call it before any data.
    ///
    /// # Errors
    /// [`Error::IvLength`].
    pub fn iv(mut self, iv: &[u8]) -> Result<Self, Error> {
        self.reset_iv(iv)?;
        Ok(self)
    }

    /// Sets the meshing: with it the key changes after each 1024 bytes. Call it before any data.
    pub fn meshing(mut self, meshing: Meshing) -> Self {
        self.key.set(meshing);
        self
    }

    /// Sets the tag's length: `len` bytes, the first of the register.
    ///
    /// # Errors
    /// [`Error::TagLength`] unless `len` is 1 to 8.
    pub fn truncated(mut self, len: usize) -> Result<Self, Error> {
        self.tag_len = crate::tag::checked(len, 1..=8)?;
        Ok(self)
    }

    /// Adds whole blocks.
    fn whole(&mut self, mut blocks: &[u8]) {
        while !blocks.is_empty() {
            let n = self.key.section(blocks.len(), None);
            let (section, rest) = blocks.split_at(n);
            self.key.cipher().chain(Chain::Imit, &mut self.register, Data::Read(section));
            self.blocks = if n > 8 { 2 } else { (self.blocks + 1).min(2) };
            blocks = rest;
        }
    }
}

impl Mac for Imit {
    fn update(&mut self, mut data: &[u8]) {
        if self.filled > 0 {
            let n = data.len().min(8 - self.filled);
            self.block[self.filled..self.filled + n].copy_from_slice(&data[..n]);
            self.filled += n;
            data = &data[n..];
            if self.filled < 8 {
                return;
            }
            let block = self.block.clone();
            self.whole(&*block);
        }
        let (whole, tail) = data.split_at(data.len() / 8 * 8);
        self.whole(whole);
        self.block[..tail.len()].copy_from_slice(tail);
        self.filled = tail.len();
    }

    fn tag_len(&self) -> usize {
        self.tag_len
    }

    fn finalize_reset(&mut self) -> Result<Tag, Error> {
        if self.filled > 0 {
            let mut last = Secret::new([0; 8]);
            last[..self.filled].copy_from_slice(&self.block[..self.filled]);
            self.whole(&*last);
        }
        if self.blocks == 1 {
            self.whole(&[0; 8]);
        }
        let tag = Tag::new(&*self.register, self.tag_len);
        self.reset();
        Ok(tag)
    }

    fn reset(&mut self) {
        self.key.reset();
        *self.register = self.iv;
        *self.block = [0; 8];
        (self.filled, self.blocks) = (0, 0);
    }

    /// Resets to an IV, the register's first value, of 8 bytes. An empty IV means zeros, even if the object had a
    /// different IV.
    fn reset_iv(&mut self, iv: &[u8]) -> Result<(), Error> {
        let iv = if iv.is_empty() { &[0; 8] } else { iv };
        self.iv = iv.try_into().map_err(|_| Error::IvLength)?;
        self.reset();
        Ok(())
    }
}
io_write!([] Imit);
