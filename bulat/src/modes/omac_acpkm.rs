//! OMAC-ACPKM: OMAC, where each section of the message has a key and K1 of its own from ACPKM-Master
//! (RFC 8645, section 6.3.6; R 1323565.1.017-2018, section 4.3).

use super::Mac;
use super::acpkm::{AcpkmMaster, check_section};
use super::omac::{Body, check_tag_len};
use crate::cipher::{Block, Chain, Data};
use crate::{BlockCipher, Error, Secret};

/// OMAC-ACPKM under a key, with a tag of 1..=n octets.
///
/// For the empty message, which the standard leaves open, the first section's keys serve.
///
/// ```
/// use bulat::modes::{Mac, OmacAcpkm};
/// use bulat::Kuznyechik;
/// let mut mac = OmacAcpkm::new(Kuznyechik::new(&[7; 32]), 4096, 4096, 16)?;
/// mac.update(&[0; 10_000])?;
/// let mut tag = [0; 16];
/// mac.finish(&mut tag)?;
/// # Ok::<(), bulat::Error>(())
/// ```
#[derive(Clone)]
pub struct OmacAcpkm<C: BlockCipher> {
    sections: Sections<C>,
    body: Body<C::Block>,
    tag_len: usize,
}

/// The section in progress and where the next ones' keys come from.
#[derive(Clone)]
struct Sections<C: BlockCipher> {
    master: AcpkmMaster<C>,
    cipher: C,
    k1: Secret<C::Block>,
    section: usize,
    room: usize,
}

impl<C: BlockCipher> OmacAcpkm<C> {
    /// `section` = N octets, `period` = T* octets (see [`AcpkmMaster::new`]): positive multiples of the
    /// block. `tag_len` octets of tag.
    ///
    /// # Errors
    /// [`Error::Parameter`], [`Error::TagLength`].
    pub fn new(cipher: C, section: usize, period: usize, tag_len: usize) -> Result<Self, Error> {
        check_section(section, C::BLOCK)?;
        check_tag_len(tag_len, C::BLOCK)?;
        let master = AcpkmMaster::new(cipher.clone(), period)?;
        let k1 = Secret::new(C::Block::ZERO);
        let mut sections = Sections { master, cipher, k1, section, room: 0 };
        sections.next()?;
        Ok(OmacAcpkm { sections, body: Body::new(), tag_len })
    }
}

impl<C: BlockCipher> Sections<C> {
    /// Takes the next K || K1.
    fn next(&mut self) -> Result<(), Error> {
        let mut material = Secret::new([0u8; 48]);
        let material = &mut material[..32 + C::BLOCK];
        self.master.next(material)?;
        let (key, k1) = material.split_at(32);
        self.cipher = self.cipher.rekey(key.try_into().expect("32 octets"));
        self.k1.as_mut().copy_from_slice(k1);
        self.room = self.section;
        Ok(())
    }

    fn absorb(&mut self, z: &mut C::Block, mut blocks: &[u8]) -> Result<(), Error> {
        while !blocks.is_empty() {
            if self.room == 0 {
                self.next()?;
            }
            let (part, rest) = blocks.split_at(blocks.len().min(self.room));
            self.cipher.chain(Chain::Mac, z, Data::Read(part));
            self.room -= part.len();
            blocks = rest;
        }
        Ok(())
    }
}

impl<C: BlockCipher> Mac for OmacAcpkm<C> {
    /// # Errors
    /// [`Error::Finished`]; [`Error::Limit`] when the key material is exhausted, after which the
    /// message cannot be finished.
    fn update(&mut self, data: &[u8]) -> Result<(), Error> {
        let sections = &mut self.sections;
        let result = self.body.update(data, |z, blocks| sections.absorb(z, blocks));
        if result == Err(Error::Limit) {
            self.body.stop();
        }
        result
    }
    fn tag_len(&self) -> usize {
        self.tag_len
    }
    /// # Errors
    /// [`Error::TagLength`], [`Error::Finished`], [`Error::Limit`].
    fn finish(&mut self, tag: &mut [u8]) -> Result<(), Error> {
        if tag.len() != self.tag_len {
            return Err(Error::TagLength);
        }
        // The last block may be the first of its section.
        if self.sections.room == 0 && self.body.open() {
            self.sections.next()?;
        }
        let last = self.body.last(&self.sections.k1)?;
        self.sections.absorb(&mut self.body.z, last.as_ref())?;
        tag.copy_from_slice(&self.body.z.as_ref()[..tag.len()]);
        Ok(())
    }
    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        if !iv.is_empty() {
            return Err(Error::IvLength);
        }
        self.sections.master.restart();
        self.sections.next()?;
        self.body = Body::new();
        Ok(())
    }
}
