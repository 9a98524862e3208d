//! CTR-ACPKM-OMAC, the authenticated encryption of CMS (R 1323565.1.025-2019; for PBES2 in RFC 9337): K_enc || K_mac =
//! KDF_TREE(CEK, "kdf tree", seed), where the UKM is IV (n/2 bytes) || seed (8 bytes). CTR-ACPKM encrypts the text,
//! then its OMAC: MAC-then-encrypt, without associated data.

use super::acpkm::check_section;
use super::gamma::{BATCH, Buffer, split};
use super::{Aead, AeadMessage, CtrAcpkm, FromKey, Mac, Omac, Sealer, StreamCipher};
use crate::cipher::Block;
use crate::kdf::kdf_tree;
use crate::{BlockCipher, Error, InOut, Secret, Tag, verify};

/// Authenticated encryption of CMS with `gostr3412-2015-*-ctracpkm-omac`: a content encryption key for any number of
/// messages.
///
/// The nonce is the UKM, n/2 + 8 bytes, which must never be used twice under one key.
///
/// ```
/// use bulat::modes::{CtrAcpkm, CtrAcpkmOmac};
/// use bulat::{Aead, Kuznyechik};
/// let section = CtrAcpkm::<Kuznyechik>::CMS_SECTION;
/// let aead = CtrAcpkmOmac::<Kuznyechik>::new(&[7; 32], section)?;
/// let (ukm, mut text) = ([1; 16], *b"secret");
/// let tag = aead.seal_in_place(&ukm, b"", &mut text)?;
/// aead.open_in_place(&ukm, b"", &mut text, &tag)?;
/// assert_eq!(&text, b"secret");
/// # Ok::<(), bulat::Error>(())
/// ```
#[derive(Clone)]
pub struct CtrAcpkmOmac<C: BlockCipher> {
    cek: Secret<[u8; 32]>,
    /// Selects the kernels of the messages' keys; its own key is not used.
    kernels: C,
    section: usize,
}

impl<C: BlockCipher> CtrAcpkmOmac<C> {
    /// Creates an object. `cek` is the content encryption key, from which each message's keys are derived. `section` is
    /// N in bytes: in CMS [`CtrAcpkm::CMS_SECTION`]. The tag has n bytes.
    ///
    /// # Errors
    /// [`Error::Parameter`] for the section.
    pub fn new(cek: &[u8; 32], section: usize) -> Result<Self, Error>
    where
        C: FromKey,
    {
        Self::with(C::from_key(&[0; 32]), cek, section)
    }

    /// Like [`Self::new`], on the kernels of `cipher`, ignoring its key.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn with(cipher: C, cek: &[u8; 32], section: usize) -> Result<Self, Error> {
        check_section(section, C::BLOCK)?;
        Ok(CtrAcpkmOmac { cek: Secret::new(*cek), kernels: cipher, section })
    }

    /// Begins a message to seal in pieces.
    ///
    /// # Errors
    /// [`Error::IvLength`] for the UKM.
    pub fn sealer(&self, ukm: &[u8]) -> Result<Sealer<CmsMessage<C>>, Error> {
        self.message(ukm).map(Sealer)
    }

    pub(crate) fn message(&self, ukm: &[u8]) -> Result<CmsMessage<C>, Error> {
        let (ctr, mac) = self.parts(ukm)?;
        let (key, mac) = (self.clone(), Omac::with(mac));
        Ok(CmsMessage { key, ctr, mac, begun: false, finished: false })
    }

    /// Derives the keys of a message: returns its CTR-ACPKM and the cipher of its OMAC.
    pub(crate) fn parts(&self, ukm: &[u8]) -> Result<(CtrAcpkm<C>, C), Error> {
        if ukm.len() != C::BLOCK / 2 + 8 {
            return Err(Error::IvLength);
        }
        let (iv, seed) = ukm.split_at(C::BLOCK / 2);
        let mut keys = Secret::new([0u8; 64]);
        kdf_tree(&*self.cek, b"kdf tree", seed, 1, &mut *keys)?;
        let (enc, mac) = keys.split_at(32);
        let enc = self.kernels.rekey(enc.try_into().expect("32 bytes"));
        let mac = enc.rekey(mac.try_into().expect("32 bytes"));
        Ok((CtrAcpkm::with(enc, iv, self.section)?, mac))
    }
}

impl<C: BlockCipher> Aead for CtrAcpkmOmac<C> {
    fn nonce_len(&self) -> usize {
        C::BLOCK / 2 + 8
    }
    fn tag_len(&self) -> usize {
        C::BLOCK
    }
    fn seal_inout(&self, nonce: &[u8], aad: &[u8], data: InOut<'_, '_>) -> Result<Tag, Error> {
        let mut message = self.message(nonce)?;
        message.aad(aad)?;
        message.seal(data)?;
        message.finish()
    }
    fn open_inout(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: InOut<'_, '_>,
        tag: &[u8],
    ) -> Result<(), Error> {
        let mut message = self.message(nonce)?;
        message.aad(aad)?;
        message.open(data, tag)
    }
}

/// A message in CTR-ACPKM-OMAC.
#[derive(Clone)]
pub struct CmsMessage<C: BlockCipher> {
    key: CtrAcpkmOmac<C>,
    ctr: CtrAcpkm<C>,
    mac: Omac<C>,
    begun: bool,
    finished: bool,
}

impl<C: BlockCipher> CmsMessage<C> {
    /// Begins a piece of `len` bytes. Checks that the tag will still fit within the limit.
    fn begin(&mut self, len: usize) -> Result<(), Error> {
        if self.finished {
            return Err(Error::Finished);
        }
        self.ctr.blocks_after(len.saturating_add(C::BLOCK))?;
        self.begun = true;
        Ok(())
    }

    /// Returns the tag, encrypted with the gamma after the text, and finishes the message.
    fn tag(&mut self) -> Result<Secret<C::Block>, Error> {
        self.finished = true;
        let mut tag = Secret::new(C::Block::ZERO);
        self.mac.finalize_reset()?.put(tag.as_mut())?;
        self.ctr.end(tag.as_mut())?;
        Ok(tag)
    }
}

impl<C: BlockCipher> AeadMessage for CmsMessage<C> {
    /// # Errors
    /// [`Error::Order`] unless `aad` is empty: the mode has no associated data.
    fn aad(&mut self, aad: &[u8]) -> Result<(), Error> {
        if aad.is_empty() { Ok(()) } else { Err(Error::Order) }
    }

    /// # Errors
    /// [`Error::Finished`]; [`Error::Limit`]: nothing was transformed.
    fn seal(&mut self, data: InOut<'_, '_>) -> Result<(), Error> {
        self.begin(data.len())?;
        let mut rest = data;
        while !rest.is_empty() {
            let (step, tail) = split(rest, 8 * BATCH);
            self.mac.update(step.get_in());
            self.ctr.apply_keystream_inout(step)?;
            rest = tail;
        }
        Ok(())
    }

    fn tag_len(&self) -> usize {
        C::BLOCK
    }

    /// # Errors
    /// [`Error::Finished`].
    fn finish(&mut self) -> Result<Tag, Error> {
        self.begin(0)?;
        Ok(Tag::new(self.tag()?.as_ref(), C::BLOCK))
    }

    /// Decrypts twice, since the MAC is over the plaintext: first piece by piece into a small buffer, to check it.
    ///
    /// # Errors
    /// [`Error::Verify`], [`Error::TagLength`], [`Error::Limit`], [`Error::Finished`];
    /// [`Error::Order`] after text has been sealed.
    fn open(&mut self, text: InOut<'_, '_>, tag: &[u8]) -> Result<(), Error> {
        if tag.len() != C::BLOCK {
            return Err(Error::TagLength);
        }
        if self.begun && !self.finished {
            return Err(Error::Order);
        }
        self.begin(text.len())?;
        self.finished = true;
        let mut again = self.ctr.clone();
        let mut plain = Buffer::<BATCH>::new();
        for part in text.get_in().chunks(BATCH) {
            let plain = plain.first(part.len());
            self.ctr.apply_keystream_b2b(part, plain)?;
            self.mac.update(plain);
        }
        let own = self.tag()?;
        verify(own.as_ref(), tag)?;
        again.apply_keystream_inout(text)
    }

    /// # Errors
    /// [`Error::Limit`], [`Error::Finished`]: nothing was decrypted.
    fn release(&mut self, data: InOut<'_, '_>) -> Result<(), Error> {
        self.begin(data.len())?;
        let mut rest = data;
        while !rest.is_empty() {
            let (mut step, tail) = split(rest, 8 * BATCH);
            self.ctr.apply_keystream_inout(step.reborrow())?;
            self.mac.update(step.get_out());
            rest = tail;
        }
        Ok(())
    }

    /// # Errors
    /// [`Error::Verify`], [`Error::TagLength`], [`Error::Finished`].
    fn check_tag(&mut self, tag: &[u8]) -> Result<(), Error> {
        if tag.len() != C::BLOCK {
            return Err(Error::TagLength);
        }
        self.begin(0)?;
        let own = self.tag()?;
        verify(own.as_ref(), tag)
    }

    /// # Errors
    /// [`Error::TagLength`] unless `len` is n.
    fn set_tag_len(&mut self, len: usize) -> Result<(), Error> {
        if len == C::BLOCK { Ok(()) } else { Err(Error::TagLength) }
    }

    fn reset(&mut self, ukm: &[u8]) -> Result<(), Error> {
        let (ctr, mac) = self.key.parts(ukm)?;
        (self.ctr, self.mac) = (ctr, Omac::with(mac));
        (self.begun, self.finished) = (false, false);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A test cannot encrypt 16 GiB, so it moves the counter near its end.
    #[test]
    fn a_limit_transforms_nothing() {
        let key = CtrAcpkmOmac::<crate::Magma>::new(&[7; 32], 1024).unwrap();
        let mut aead = key.message(&[1; 12]).unwrap();
        aead.ctr.blocks = 1 + 4096 / 8;
        let mut text = [0x55; 4097];
        assert_eq!(aead.seal(text.as_mut_slice().into()), Err(Error::Limit));
        assert_eq!(text, [0x55; 4097]);
        assert_eq!(aead.open(text.as_mut_slice().into(), &[0; 8]), Err(Error::Limit));
        assert_eq!(text, [0x55; 4097]);
        let mut open = aead.clone();
        aead.seal((&mut text[..4096]).into()).unwrap();
        assert_eq!(aead.seal((&mut text[4096..]).into()), Err(Error::Limit));
        let tag = aead.finish().unwrap();
        open.open((&mut text[..4096]).into(), &tag).unwrap();
        assert_eq!(text, [0x55; 4097]);
    }
}
