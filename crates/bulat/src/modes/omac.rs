//! OMAC, the MAC of GOST R 34.13-2015, section 5.6 (OMAC1, CMAC). Blocks are chained. The last block is first mixed
//! with K1 if it is whole; if not, it is padded by procedure 2 and mixed with K2.

use super::{FromKey, Mac};
use crate::cipher::{Block, Chain, Data};
use crate::io::io_write;
use crate::{BlockCipher, Error, Secret, Tag};

/// OMAC under a key, with the full tag of n bytes or a [truncated](Self::truncated) tag.
///
/// ```
/// use bulat::{Kuznyechik, Mac, Omac};
/// let key = [7; 32];
/// let tag = Omac::<Kuznyechik>::mac(&key, b"a message in pieces");
/// let mut omac = Omac::<Kuznyechik>::new(&key);
/// omac.update(b"a message ");
/// omac.update(b"in pieces");
/// omac.verify(&tag)?;
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
    /// Begins an empty message under a key of 32 bytes.
    pub fn new(key: &[u8; 32]) -> Self
    where
        C: FromKey,
    {
        Self::with(C::from_key(key))
    }

    /// Returns the tag of a message under a key of 32 bytes.
    pub fn mac(key: &[u8; 32], message: &[u8]) -> Tag
    where
        C: FromKey,
    {
        let mut omac = Self::new(key);
        omac.update(message);
        omac.end()
    }

    /// Begins an empty message under a prepared key.
    pub fn with(cipher: C) -> Self {
        let mut k1 = Secret::new(C::Block::ZERO);
        cipher.encrypt_block(&mut k1);
        double::<C::Block>(&mut k1);
        Omac { cipher, k1, body: Body::new(), tag_len: C::BLOCK }
    }

    /// Cuts tags to their first `len` bytes.
    ///
    /// # Errors
    /// [`Error::TagLength`] unless `len` is 1 to n.
    pub fn truncated(mut self, len: usize) -> Result<Self, Error> {
        self.tag_len = crate::tag::checked(len, 1..=C::BLOCK)?;
        Ok(self)
    }

    /// Returns the key and K1.
    #[cfg(feature = "alloc")]
    pub(crate) fn parts(&self) -> (&C, &C::Block) {
        (&self.cipher, &self.k1)
    }

    /// Computes the tag of a whole message, as [`omac_once`].
    #[cfg(feature = "alloc")]
    pub(crate) fn once(&self, message: &[u8], tag: &mut [u8]) -> Result<(), Error> {
        omac_once(&self.cipher, Some(&self.k1), message, tag)
    }

    /// Sets the register of a message that had whole blocks so far.
    pub(crate) fn set_register(&mut self, register: C::Block) {
        self.body.z = Secret::new(register);
    }

    /// Ends the message and returns its tag. Call `reset` next.
    fn end(&mut self) -> Tag {
        let last = self.body.last(&self.k1);
        self.cipher.chain(Chain::Mac, &mut self.body.z, Data::Read(last.as_ref()));
        Tag::new(self.body.z.as_ref(), self.tag_len)
    }
}

/// Computes the tag of a message, as long as its buffer; K1 is made if it is not known. Errors: [`Error::TagLength`]
/// unless the tag has 1 to n bytes.
#[cfg(feature = "alloc")]
pub(crate) fn omac_once<C: BlockCipher>(
    cipher: &C,
    k1: Option<&Secret<C::Block>>,
    message: &[u8],
    tag: &mut [u8],
) -> Result<(), Error> {
    crate::tag::checked(tag.len(), 1..=C::BLOCK)?;
    let chain = |z: &mut _, blocks: &[u8]| cipher.chain(Chain::Mac, z, Data::Read(blocks));
    let mut body = Body::new();
    body.update(message, chain);
    let mut made = Secret::new(C::Block::ZERO);
    let k1 = k1.unwrap_or_else(|| {
        let zero = C::Block::ZERO;
        chain(&mut made, zero.as_ref());
        double::<C::Block>(&mut made);
        &made
    });
    let last = body.last(k1);
    chain(&mut body.z, last.as_ref());
    tag.copy_from_slice(&body.z.as_ref()[..tag.len()]);
    Ok(())
}

impl<C: BlockCipher> Mac for Omac<C> {
    fn update(&mut self, data: &[u8]) {
        let cipher = &self.cipher;
        self.body.update(data, |z, blocks| cipher.chain(Chain::Mac, z, Data::Read(blocks)));
    }
    fn tag_len(&self) -> usize {
        self.tag_len
    }
    fn finalize_reset(&mut self) -> Result<Tag, Error> {
        let tag = self.end();
        self.reset();
        Ok(tag)
    }
    fn reset(&mut self) {
        self.body = Body::new();
    }
}
io_write!([C: BlockCipher] Omac<C>);

/// OMAC's chain without the cipher: the register, and the last block, which is held back until it is known whether more
/// follows.
#[derive(Clone)]
pub(super) struct Body<B: Block> {
    pub(super) z: Secret<B>,
    held: Secret<B>,
    filled: usize,
}

impl<B: Block> Body<B> {
    pub(super) fn new() -> Self {
        Body { z: Secret::new(B::ZERO), held: Secret::new(B::ZERO), filled: 0 }
    }

    /// Passes to `absorb` the whole blocks before the last block.
    pub(super) fn update(&mut self, data: &[u8], mut absorb: impl FnMut(&mut B, &[u8])) {
        let (head, data) = data.split_at(data.len().min(B::LEN - self.filled));
        self.held.as_mut()[self.filled..self.filled + head.len()].copy_from_slice(head);
        self.filled += head.len();
        if data.is_empty() {
            return;
        }
        absorb(&mut self.z, self.held.as_ref());
        let (blocks, last) = data.split_at((data.len() - 1) / B::LEN * B::LEN);
        if !blocks.is_empty() {
            absorb(&mut self.z, blocks);
        }
        self.held.as_mut()[..last.len()].copy_from_slice(last);
        self.filled = last.len();
    }

    /// Returns the last block, padded and mixed with K1 or with K2 = 2·K1. An empty message counts as partial.
    pub(super) fn last(&self, k1: &Secret<B>) -> Secret<B> {
        let (mut last, mut held) = (k1.clone(), Secret::new(B::ZERO));
        held.as_mut()[..self.filled].copy_from_slice(&self.held.as_ref()[..self.filled]);
        if self.filled < B::LEN {
            double::<B>(&mut last);
            held.as_mut()[self.filled] = 0x80;
        }
        last.as_mut().iter_mut().zip(held.as_ref()).for_each(|(l, h)| *l ^= h);
        last
    }
}

/// Multiplies by x, big-endian: section 5.6.1, B_64 = 0x1b, B_128 = 0x87.
pub(crate) fn double<B: Block>(block: &mut B) {
    if let Ok(block) = <&mut [u8; 8]>::try_from(block.as_mut()) {
        let x = u64::from_be_bytes(*block);
        *block = (x << 1 ^ (0x1b & (x >> 63).wrapping_neg())).to_be_bytes();
    } else if let Ok(block) = <&mut [u8; 16]>::try_from(block.as_mut()) {
        let x = u128::from_be_bytes(*block);
        *block = (x << 1 ^ (0x87 & (x >> 127).wrapping_neg())).to_be_bytes();
    }
}
