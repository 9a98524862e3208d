//! The gamma mode of GOST 28147-89, CNT: RFC 5830, section 6; with CryptoPro key meshing, RFC 4357,
//! section 2.3.2.
//!
//! The register (N3, N4) begins as E(IV); it is stepped, then encrypted to give each 8 octets of gamma
//! ([`Count::Cnt`]). At a new section it is encrypted under the new key.

use crate::modes::Gamma;
use crate::modes::meshing::{Meshed, Meshing};
use crate::{BlockCipher, Count, Error, Gost28147, InOut, Secret};

/// A message in the gamma mode of GOST 28147-89; encryption and decryption are the same.
///
/// The IV (synchrolink) is 8 octets, and unique under the key. RFC 5830 sets no limit on the length.
///
/// ```
/// use bulat::Gost28147;
/// use bulat::magma::ParamSet;
/// use bulat::modes::{Cnt, Gamma, Meshing};
/// let cipher = Gost28147::new(&[7; 32], ParamSet::CryptoProA);
/// let mut cnt = Cnt::new(cipher, &[1; 8], Meshing::CryptoPro)?;
/// let mut text = *b"a message of any length";
/// cnt.apply(text.as_mut_slice().into())?;
/// cnt.reset(&[1; 8])?;
/// cnt.apply(text.as_mut_slice().into())?;
/// assert_eq!(&text, b"a message of any length");
/// # Ok::<(), bulat::Error>(())
/// ```
#[derive(Clone)]
pub struct Cnt {
    key: Meshed,
    register: Secret<[u8; 8]>,
    /// The gamma of a block begun, of which `used` octets are gone; 8: there is none.
    gamma: Secret<[u8; 8]>,
    used: usize,
}

impl Cnt {
    /// A message under a key and an IV of 8 octets.
    ///
    /// # Errors
    /// [`Error::IvLength`].
    pub fn new(cipher: Gost28147, iv: &[u8], meshing: Meshing) -> Result<Self, Error> {
        let key = Meshed::new(cipher, meshing);
        let (register, gamma) = (Secret::new([0; 8]), Secret::new([0; 8]));
        let mut cnt = Cnt { key, register, gamma, used: 8 };
        cnt.reset(iv)?;
        Ok(cnt)
    }
}

impl Gamma for Cnt {
    fn apply(&mut self, data: InOut<'_, '_>) -> Result<(), Error> {
        let begun = data.len().min(8 - self.used);
        let (mut piece, mut data) = data.split_at(begun);
        piece.xor_in2out(&self.gamma[self.used..self.used + begun]);
        self.used += begun;
        while !data.is_empty() {
            let n = self.key.section(data.len(), Some(&mut self.register));
            let (section, rest) = data.split_at(n);
            let (whole, mut tail) = section.split_at(n / 8 * 8);
            self.key.cipher().stream(&mut self.register, Count::Cnt, whole);
            if !tail.is_empty() {
                *self.gamma = [0; 8];
                let gamma = self.gamma.as_mut_slice().into();
                self.key.cipher().stream(&mut self.register, Count::Cnt, gamma);
                self.used = tail.len();
                tail.xor_in2out(&self.gamma[..self.used]);
            }
            data = rest;
        }
        Ok(())
    }

    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        let iv: [u8; 8] = iv.try_into().map_err(|_| Error::IvLength)?;
        self.key.reset();
        *self.register = iv;
        self.key.cipher().encrypt_block(&mut self.register);
        *self.gamma = [0; 8];
        self.used = 8;
        Ok(())
    }
}
