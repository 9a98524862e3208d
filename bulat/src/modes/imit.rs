//! IMIT, the MAC of GOST 28147-89 ("imitovstavka"): RFC 5830, section 8; with CryptoPro key meshing,
//! RFC 4357, section 2.3.2, which here changes the key alone.
//!
//! The register passes 16 rounds for each block ([`Chain::Imit`]); the tag is its first octets. The
//! last block is filled with zeros. GOST 28147-89 wants two blocks at least, so a message of 1 to 8
//! octets is followed by a block of zeros, as CryptoPro CSP, gost-engine, libgcrypt and nettle have it
//! (PyGOST and BouncyCastle leave it out). The tag of the empty message is the IV.

use super::Mac;
use super::meshing::{Meshed, Meshing};
use crate::cipher::Data;
use crate::{BlockCipher, Chain, Error, Gost28147, Secret};

/// A message under IMIT.
///
/// ```
/// use bulat::Gost28147;
/// use bulat::magma::ParamSet;
/// use bulat::modes::{Imit, Mac, Meshing};
/// let cipher = Gost28147::new(&[7; 32], ParamSet::CryptoProA);
/// let mut imit = Imit::new(cipher, &[], 4, Meshing::CryptoPro)?;
/// imit.update(b"a message")?;
/// let mut tag = [0; 4];
/// imit.finish(&mut tag)?;
/// # Ok::<(), bulat::Error>(())
/// ```
#[derive(Clone)]
pub struct Imit {
    key: Meshed,
    register: Secret<[u8; 8]>,
    /// The `filled` octets of a block begun.
    block: Secret<[u8; 8]>,
    filled: usize,
    /// Whole blocks done: 0, 1 or more.
    blocks: u8,
    tag_len: usize,
    finished: bool,
}

impl Imit {
    /// A message under a key. `iv` is the register's first value: 8 octets, or none for zeros, the
    /// usual one (RFC 4357 gives another in the key wraps). `tag_len` is 1 to 8 octets, usually 4.
    ///
    /// # Errors
    /// [`Error::IvLength`], [`Error::TagLength`].
    pub fn new(
        cipher: Gost28147,
        iv: &[u8],
        tag_len: usize,
        meshing: Meshing,
    ) -> Result<Self, Error> {
        if !(1..=8).contains(&tag_len) {
            return Err(Error::TagLength);
        }
        let mut imit = Imit {
            key: Meshed::new(cipher, meshing),
            register: Secret::new([0; 8]),
            block: Secret::new([0; 8]),
            filled: 0,
            blocks: 0,
            tag_len,
            finished: false,
        };
        imit.reset(iv)?;
        Ok(imit)
    }

    /// Takes whole blocks.
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
    fn update(&mut self, mut data: &[u8]) -> Result<(), Error> {
        if self.finished {
            return Err(Error::Finished);
        }
        if self.filled > 0 {
            let n = data.len().min(8 - self.filled);
            self.block[self.filled..self.filled + n].copy_from_slice(&data[..n]);
            self.filled += n;
            data = &data[n..];
            if self.filled < 8 {
                return Ok(());
            }
            let block = self.block.clone();
            self.whole(&*block);
        }
        let (whole, tail) = data.split_at(data.len() / 8 * 8);
        self.whole(whole);
        self.block[..tail.len()].copy_from_slice(tail);
        self.filled = tail.len();
        Ok(())
    }

    fn tag_len(&self) -> usize {
        self.tag_len
    }

    fn finish(&mut self, tag: &mut [u8]) -> Result<(), Error> {
        if self.finished {
            return Err(Error::Finished);
        }
        if tag.len() != self.tag_len {
            return Err(Error::TagLength);
        }
        if self.filled > 0 {
            let mut last = Secret::new([0; 8]);
            last[..self.filled].copy_from_slice(&self.block[..self.filled]);
            self.whole(&*last);
        }
        if self.blocks == 1 {
            self.whole(&[0; 8]);
        }
        tag.copy_from_slice(&self.register[..self.tag_len]);
        self.finished = true;
        Ok(())
    }

    /// `iv` as in [`Imit::new`]: an empty one stands for zeros, whatever the object was made with.
    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        let iv = if iv.is_empty() { &[0; 8] } else { iv };
        let iv: [u8; 8] = iv.try_into().map_err(|_| Error::IvLength)?;
        self.key.reset();
        *self.register = iv;
        *self.block = [0; 8];
        (self.filled, self.blocks, self.finished) = (0, 0, false);
        Ok(())
    }
}
