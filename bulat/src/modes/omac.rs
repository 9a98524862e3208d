//! OMAC, the MAC of GOST R 34.13-2015, section 5.6 (OMAC1, CMAC). Blocks are chained, the last one,
//! padded by procedure 2 if it is short, is first mixed with K1 (whole) or K2 (short).

use super::Mac;
use crate::cipher::{Block, Chain, Data};
use crate::{BlockCipher, Error, Secret};

/// OMAC under a key, with a tag of 1..=n octets.
///
/// ```
/// use bulat::modes::{Mac, Omac};
/// use bulat::Kuznyechik;
/// let mut mac = Omac::new(Kuznyechik::new(&[7; 32]), 16)?;
/// mac.update(b"a message ")?;
/// mac.update(b"in pieces")?;
/// let mut tag = [0; 16];
/// mac.finish(&mut tag)?;
/// mac.reset(&[])?;
/// mac.update(b"a message in pieces")?;
/// mac.verify(&tag)?;
/// # Ok::<(), bulat::Error>(())
/// ```
#[derive(Clone)]
pub struct Omac<C: BlockCipher> {
    cipher: C,
    k1: Secret<C::Block>,
    body: Body<C::Block>,
    tag_len: usize,
}

impl<C: BlockCipher> Omac<C> {
    /// `tag_len` octets of tag, 1..=n: the first octets of the full tag.
    ///
    /// # Errors
    /// [`Error::TagLength`].
    pub fn new(cipher: C, tag_len: usize) -> Result<Self, Error> {
        check_tag_len(tag_len, C::BLOCK)?;
        let mut k1 = Secret::new(C::Block::ZERO);
        cipher.encrypt_block(&mut k1);
        double::<C::Block>(&mut k1);
        Ok(Omac { cipher, k1, body: Body::new(), tag_len })
    }
}

impl<C: BlockCipher> Mac for Omac<C> {
    /// # Errors
    /// [`Error::Finished`].
    fn update(&mut self, data: &[u8]) -> Result<(), Error> {
        let cipher = &self.cipher;
        self.body.update(data, |z, blocks| {
            cipher.chain(Chain::Mac, z, Data::Read(blocks));
            Ok(())
        })
    }
    fn tag_len(&self) -> usize {
        self.tag_len
    }
    /// # Errors
    /// [`Error::TagLength`], [`Error::Finished`].
    fn finish(&mut self, tag: &mut [u8]) -> Result<(), Error> {
        if tag.len() != self.tag_len {
            return Err(Error::TagLength);
        }
        let last = self.body.last(&self.k1)?;
        self.cipher.chain(Chain::Mac, &mut self.body.z, Data::Read(last.as_ref()));
        tag.copy_from_slice(&self.body.z.as_ref()[..tag.len()]);
        Ok(())
    }
    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        if !iv.is_empty() {
            return Err(Error::IvLength);
        }
        self.body = Body::new();
        Ok(())
    }
}

pub(super) fn check_tag_len(tag_len: usize, n: usize) -> Result<(), Error> {
    if (1..=n).contains(&tag_len) { Ok(()) } else { Err(Error::TagLength) }
}

/// The chain of OMAC without the cipher: the register and the last block, which is held back until it
/// is known whether more follows.
#[derive(Clone)]
pub(super) struct Body<B: Block> {
    pub(super) z: Secret<B>,
    held: Secret<B>,
    filled: usize,
    finished: bool,
}

impl<B: Block> Body<B> {
    pub(super) fn new() -> Self {
        Body { z: Secret::new(B::ZERO), held: Secret::new(B::ZERO), filled: 0, finished: false }
    }

    /// Gives to `absorb` the whole blocks that are not the last one.
    pub(super) fn update(
        &mut self,
        data: &[u8],
        mut absorb: impl FnMut(&mut B, &[u8]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        if self.finished {
            return Err(Error::Finished);
        }
        let (head, data) = data.split_at(data.len().min(B::LEN - self.filled));
        self.held.as_mut()[self.filled..self.filled + head.len()].copy_from_slice(head);
        self.filled += head.len();
        if data.is_empty() {
            return Ok(());
        }
        absorb(&mut self.z, self.held.as_ref())?;
        let (blocks, last) = data.split_at((data.len() - 1) / B::LEN * B::LEN);
        if !blocks.is_empty() {
            absorb(&mut self.z, blocks)?;
        }
        self.held.as_mut()[..last.len()].copy_from_slice(last);
        self.filled = last.len();
        Ok(())
    }

    /// The last block, padded and mixed with K1 or with K2 = 2·K1. An empty message is short.
    pub(super) fn last(&mut self, k1: &Secret<B>) -> Result<Secret<B>, Error> {
        if core::mem::replace(&mut self.finished, true) {
            return Err(Error::Finished);
        }
        let mut last = k1.clone();
        if self.filled < B::LEN {
            double::<B>(&mut last);
            last.as_mut()[self.filled] ^= 0x80;
        }
        let held = &self.held.as_ref()[..self.filled];
        last.as_mut().iter_mut().zip(held).for_each(|(l, h)| *l ^= h);
        Ok(last)
    }
    /// Takes nothing more until reset.
    pub(super) fn stop(&mut self) {
        self.finished = true;
    }
    /// Whether it takes more.
    pub(super) fn open(&self) -> bool {
        !self.finished
    }
}

/// Multiplication by x, big-endian: section 5.6.1, B_64 = 0x1b, B_128 = 0x87.
pub(crate) fn double<B: Block>(block: &mut B) {
    let octets = block.as_mut();
    let mut carry = 0;
    for octet in octets.iter_mut().rev() {
        let out = *octet >> 7;
        *octet = *octet << 1 | carry;
        carry = out;
    }
    octets[B::LEN - 1] ^= (if B::LEN == 16 { 0x87 } else { 0x1b }) & 0u8.wrapping_sub(carry);
}
