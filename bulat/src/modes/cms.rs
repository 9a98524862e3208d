//! CTR-ACPKM-OMAC, the authenticated encryption of CMS (R 1323565.1.025-2019; RFC 9337 has it for PBES2):
//! K_enc || K_mac = KDF_TREE(CEK, "kdf tree", seed), where the UKM is IV (n/2 octets) || seed (8 octets);
//! the text and then its OMAC go through one CTR-ACPKM. MAC-then-encrypt, without associated data.

use super::gamma::{BATCH, Scratch, split};
use super::{Aead, CtrAcpkm, Gamma, Mac, Omac};
use crate::cipher::Block;
use crate::kdf::kdf_tree;
use crate::{BlockCipher, Error, InOut, Secret, verify};

/// Authenticated encryption as CMS does it with `gostr3412-2015-*-ctracpkm-omac`.
///
/// ```
/// use bulat::modes::{Aead, CtrAcpkmOmac};
/// use bulat::Kuznyechik;
/// let (cek, ukm) = ([7; 32], [1; 16]); // a UKM must never be used twice under one key
/// let mut aead = CtrAcpkmOmac::new(Kuznyechik::new, &cek, &ukm, 262_144)?;
/// let (mut text, mut tag) = (*b"secret", [0; 16]);
/// aead.seal((&mut text[..]).into())?;
/// aead.finish(&mut tag)?;
/// aead.reset(&ukm)?;
/// aead.open((&mut text[..]).into(), &tag)?;
/// assert_eq!(&text, b"secret");
/// # Ok::<(), bulat::Error>(())
/// ```
#[derive(Clone)]
pub struct CtrAcpkmOmac<C: BlockCipher> {
    cek: Secret<[u8; 32]>,
    ctr: CtrAcpkm<C>,
    mac: Omac<C>,
    section: usize,
    begun: bool,
    finished: bool,
}

impl<C: BlockCipher> CtrAcpkmOmac<C> {
    /// `cipher` puts the cipher under a key, K_enc: `Kuznyechik::new`, or a closure that also chooses the
    /// kernel. `cek` is the content encryption key, from which that key is derived; `ukm` has n/2 + 8
    /// octets; `section` is N in octets: CMS has 262144 for Kuznyechik, 8192 for Magma. The tag has n
    /// octets.
    ///
    /// # Errors
    /// [`Error::IvLength`] for the UKM, [`Error::Parameter`] for the section.
    pub fn new(
        cipher: impl FnOnce(&[u8; 32]) -> C,
        cek: &[u8; 32],
        ukm: &[u8],
        section: usize,
    ) -> Result<Self, Error> {
        let cek = Secret::new(*cek);
        let (ctr, mac) = keyed(cipher, &cek, ukm, section)?;
        let mac = Omac::new(mac, C::BLOCK)?;
        Ok(CtrAcpkmOmac { cek, ctr, mac, section, begun: false, finished: false })
    }

    /// Of a message under this content encryption key: what encrypts it, and the key of its OMAC.
    pub(crate) fn parts(&self, ukm: &[u8]) -> Result<(CtrAcpkm<C>, C), Error> {
        let cipher = |key: &[u8; 32]| self.ctr.cipher().rekey(key);
        keyed(cipher, &self.cek, ukm, self.section)
    }

    /// Begins a piece of `len` octets, after which there must be room for the tag.
    fn begin(&mut self, len: usize) -> Result<(), Error> {
        if self.finished {
            return Err(Error::Finished);
        }
        self.ctr.blocks_after(len.saturating_add(C::BLOCK))?;
        self.begun = true;
        Ok(())
    }

    /// The tag under the gamma that follows the text; the object has finished then.
    fn tag(&mut self) -> Result<Secret<C::Block>, Error> {
        self.finished = true;
        let mut tag = Secret::new(C::Block::ZERO);
        self.mac.finish(tag.as_mut())?;
        self.ctr.apply(tag.as_mut().into())?;
        Ok(tag)
    }
}

fn keyed<C: BlockCipher>(
    cipher: impl FnOnce(&[u8; 32]) -> C,
    cek: &[u8; 32],
    ukm: &[u8],
    section: usize,
) -> Result<(CtrAcpkm<C>, C), Error> {
    if ukm.len() != C::BLOCK / 2 + 8 {
        return Err(Error::IvLength);
    }
    let (iv, seed) = ukm.split_at(C::BLOCK / 2);
    let mut keys = Secret::new([0u8; 64]);
    kdf_tree(cek, b"kdf tree", seed, 1, &mut *keys)?;
    let (enc, mac) = keys.split_at(32);
    let enc = cipher(enc.try_into().expect("32 octets"));
    let mac = enc.rekey(mac.try_into().expect("32 octets"));
    Ok((CtrAcpkm::new(enc, iv, section)?, mac))
}

impl<C: BlockCipher> Aead for CtrAcpkmOmac<C> {
    /// # Errors
    /// [`Error::Order`] always, unless `aad` is empty: the mode has no associated data.
    fn aad(&mut self, aad: &[u8]) -> Result<(), Error> {
        if aad.is_empty() { Ok(()) } else { Err(Error::Order) }
    }

    /// # Errors
    /// [`Error::Finished`]; [`Error::Limit`]: then nothing was transformed.
    fn seal(&mut self, data: InOut<'_, '_>) -> Result<(), Error> {
        self.begin(data.len())?;
        let mut rest = data;
        while !rest.is_empty() {
            let (step, tail) = split(rest, 8 * BATCH);
            self.mac.update(step.get_in())?;
            self.ctr.apply(step)?;
            rest = tail;
        }
        Ok(())
    }

    fn tag_len(&self) -> usize {
        C::BLOCK
    }

    /// # Errors
    /// [`Error::TagLength`], [`Error::Finished`].
    fn finish(&mut self, tag: &mut [u8]) -> Result<(), Error> {
        if tag.len() != C::BLOCK {
            return Err(Error::TagLength);
        }
        self.begin(0)?;
        tag.copy_from_slice(self.tag()?.as_ref());
        Ok(())
    }

    /// Decrypts twice, since the MAC is over the text: first to check it, in a buffer of its own.
    ///
    /// # Errors
    /// [`Error::Verify`], [`Error::TagLength`], [`Error::Limit`], [`Error::Finished`];
    /// [`Error::Order`] when text has been sealed.
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
        let mut plain = Scratch::<BATCH>::new();
        for part in text.get_in().chunks(BATCH) {
            let plain = plain.octets(part.len());
            self.ctr.apply(InOut::new(part, &mut *plain).expect("of one length"))?;
            self.mac.update(plain)?;
        }
        let own = self.tag()?;
        verify(own.as_ref(), tag)?;
        again.apply(text)
    }

    fn reset(&mut self, ukm: &[u8]) -> Result<(), Error> {
        let (ctr, mac) = self.parts(ukm)?;
        (self.ctr, self.mac) = (ctr, Omac::new(mac, C::BLOCK)?);
        (self.begun, self.finished) = (false, false);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sixteen GiB are too many for a test, so the counter is moved near its end.
    #[test]
    fn a_limit_transforms_nothing() {
        let mut aead = CtrAcpkmOmac::new(crate::Magma::new, &[7; 32], &[1; 12], 1024).unwrap();
        aead.ctr.blocks = 1 + 4096 / 8;
        let (mut text, mut tag) = ([0x55; 4097], [0; 8]);
        assert_eq!(aead.seal(text.as_mut_slice().into()), Err(Error::Limit));
        assert_eq!(text, [0x55; 4097]);
        assert_eq!(aead.open(text.as_mut_slice().into(), &tag), Err(Error::Limit));
        assert_eq!(text, [0x55; 4097]);
        let mut open = aead.clone();
        aead.seal((&mut text[..4096]).into()).unwrap();
        assert_eq!(aead.seal((&mut text[4096..]).into()), Err(Error::Limit));
        aead.finish(&mut tag).unwrap();
        open.open((&mut text[..4096]).into(), &tag).unwrap();
        assert_eq!(text, [0x55; 4097]);
    }
}
