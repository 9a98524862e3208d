//! OMAC-ACPKM: OMAC in which each section of the message has its own key and K1 from ACPKM-Master (RFC 8645, section
//! 6.3.6; R 1323565.1.017-2018, section 4.3).

use super::acpkm::{AcpkmMaster, check_section};
use super::omac::Body;
use super::{FromKey, Mac};
use crate::cipher::{Block, Chain, Data};
use crate::io::io_write;
use crate::{BlockCipher, Error, Secret, Tag};

/// OMAC-ACPKM under a key, with the full tag of n bytes or a [truncated](Self::truncated) tag.
///
/// The standard does not define the tag of the empty message; here it uses the first section's keys.
///
/// ```
/// use bulat::modes::OmacAcpkm;
/// use bulat::{Kuznyechik, Mac};
/// let mut mac = OmacAcpkm::<Kuznyechik>::new(&[7; 32], 4096, 4096)?;
/// mac.update(&[0; 10_000]);
/// let tag = mac.finalize()?;
/// # assert_eq!(tag.len(), 16);
/// # Ok::<(), bulat::Error>(())
/// ```
#[derive(Clone)]
pub struct OmacAcpkm<C: BlockCipher> {
    sections: Sections<C>,
    body: Body<C::Block>,
    tag_len: usize,
}

/// The section in progress, and the source of the next keys.
#[derive(Clone)]
struct Sections<C: BlockCipher> {
    master: AcpkmMaster<C>,
    cipher: C,
    k1: Secret<C::Block>,
    section: usize,
    room: usize,
    /// Set when the key material is exhausted: the message has no tag.
    exhausted: bool,
}

impl<C: BlockCipher> OmacAcpkm<C> {
    /// Begins an empty message under a key of 32 bytes: see [`Self::with`].
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn new(key: &[u8; 32], section: usize, period: usize) -> Result<Self, Error>
    where
        C: FromKey,
    {
        Self::with(C::from_key(key), section, period)
    }

    /// Begins an empty message. `section` is N and `period` is T* in bytes (see [`AcpkmMaster::new`]): positive
    /// multiples of the block.
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn with(cipher: C, section: usize, period: usize) -> Result<Self, Error> {
        check_section(section, C::BLOCK)?;
        let master = AcpkmMaster::new(cipher.clone(), period)?;
        let k1 = Secret::new(C::Block::ZERO);
        let mut sections = Sections { master, cipher, k1, section, room: 0, exhausted: false };
        sections.next();
        Ok(OmacAcpkm { sections, body: Body::new(), tag_len: C::BLOCK })
    }

    /// Cuts tags to their first `len` bytes.
    ///
    /// # Errors
    /// [`Error::TagLength`] unless `len` is 1 to n.
    pub fn truncated(mut self, len: usize) -> Result<Self, Error> {
        self.tag_len = crate::tag::checked(len, 1..=C::BLOCK)?;
        Ok(self)
    }
}

impl<C: BlockCipher> Sections<C> {
    /// Moves to the next K || K1.
    fn next(&mut self) {
        let mut material = Secret::new([0u8; 48]);
        let material = &mut material[..32 + C::BLOCK];
        if self.master.next(material).is_err() {
            self.exhausted = true;
            return;
        }
        let (key, k1) = material.split_at(32);
        self.cipher = self.cipher.rekey(key.try_into().expect("32 bytes"));
        self.k1.as_mut().copy_from_slice(k1);
        self.room = self.section;
    }

    fn absorb(&mut self, z: &mut C::Block, mut blocks: &[u8]) {
        while !blocks.is_empty() && !self.exhausted {
            if self.room == 0 {
                self.next();
            }
            let (part, rest) = blocks.split_at(blocks.len().min(self.room));
            self.cipher.chain(Chain::Mac, z, Data::Read(part));
            self.room -= part.len();
            blocks = rest;
        }
    }
}

impl<C: BlockCipher> Mac for OmacAcpkm<C> {
    fn update(&mut self, data: &[u8]) {
        let sections = &mut self.sections;
        self.body.update(data, |z, blocks| sections.absorb(z, blocks));
    }
    fn tag_len(&self) -> usize {
        self.tag_len
    }
    /// # Errors
    /// [`Error::Limit`] when the message needed more key material than the master key can give.
    fn finalize_reset(&mut self) -> Result<Tag, Error> {
        // The last block may begin a section.
        if self.sections.room == 0 {
            self.sections.next();
        }
        let last = self.body.last(&self.sections.k1);
        self.sections.absorb(&mut self.body.z, last.as_ref());
        let tag = match self.sections.exhausted {
            true => Err(Error::Limit),
            false => Ok(Tag::new(self.body.z.as_ref(), self.tag_len)),
        };
        self.reset();
        tag
    }
    fn reset(&mut self) {
        self.sections.master.restart();
        self.sections.exhausted = false;
        self.sections.next();
        self.body = Body::new();
    }
}
io_write!([C: BlockCipher] OmacAcpkm<C>);
