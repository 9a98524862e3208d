//! The gamma mode of GOST 28147-89, CNT: RFC 5830, section 6; with CryptoPro key meshing, RFC 4357,
//! section 2.3.2.
//!
//! The register (N3, N4) starts as E(IV). It is stepped, then encrypted, to give each 8 bytes of gamma
//! ([`Count::Cnt`]). At a new section it is encrypted under the new key.

use super::StreamCipher;
#[cfg(feature = "threads")]
use super::gamma::split;
use super::gamma::{AHEAD, Leftover, stream};
#[cfg(feature = "threads")]
use super::meshing::SECTION;
use super::meshing::{Meshed, Meshing};
use crate::cipher::Count;
use crate::{BlockCipher, Error, Gost28147, InOut, Secret};

/// A message in the gamma mode of GOST 28147-89; encryption and decryption are the same operation.
///
/// The IV (synchrolink) has 8 bytes and must be unique under the key. RFC 5830 sets no limit on the length.
///
/// ```
/// use bulat::ParamSet;
/// use bulat::modes::Cnt;
/// use bulat::{Gost28147, StreamCipher};
/// let cipher = Gost28147::new(&[7; 32], ParamSet::CryptoProA);
/// let mut cnt = Cnt::with(cipher, &[1; 8])?;
/// let mut text = *b"a message of any length";
/// cnt.apply_keystream(&mut text)?;
/// cnt.reset(&[1; 8])?;
/// cnt.apply_keystream(&mut text)?;
/// assert_eq!(&text, b"a message of any length");
/// # Ok::<(), bulat::Error>(())
/// ```
#[derive(Clone)]
pub struct Cnt {
    key: Meshed,
    register: Secret<[u8; 8]>,
    left: Leftover,
    /// The bytes so far, up to [`AHEAD`].
    before: usize,
}

impl Cnt {
    /// Begins a message under a key and an IV of 8 bytes.
    ///
    /// # Errors
    /// [`Error::IvLength`].
    pub fn with(cipher: Gost28147, iv: &[u8]) -> Result<Self, Error> {
        let key = Meshed::new(cipher);
        let (register, left) = (Secret::new([0; 8]), Leftover::new());
        let mut cnt = Cnt { key, register, left, before: 0 };
        cnt.reset(iv)?;
        Ok(cnt)
    }

    /// Sets the meshing, by default [`Meshing::of`] the S-boxes: with it the key changes after each 1024 bytes. Call it
    /// before any data.
    pub fn meshing(mut self, meshing: Meshing) -> Self {
        self.key.set(meshing);
        self
    }

    /// Steps the register `blocks` blocks on, without meshing.
    pub(crate) fn skip(&mut self, blocks: u64) {
        *self.register = bulat_core::magma::cnt_after(*self.register, blocks);
    }
}

#[cfg(feature = "threads")]
impl Cnt {
    /// Moves from the start of a section to the start of the next section. Returns the key and the register there.
    pub(crate) fn next_section(&mut self) -> Secret<[u8; 40]> {
        self.skip(SECTION as u64 / 8);
        let key = self.key.mesh(Some(&mut self.register));
        let mut both = Secret::new([0; 40]);
        both[..32].copy_from_slice(&key[..]);
        both[32..].copy_from_slice(&self.register[..]);
        both
    }

    /// Transforms sections: the first from this state, the others with these keys and registers. `self` does not
    /// change.
    pub(crate) fn sections(&self, keys: &[[u8; 40]], data: InOut<'_, '_>) {
        let (mut register, mut left) = (self.register.clone(), Leftover::new());
        let (part, mut rest) = split(data, SECTION);
        stream(self.key.cipher(), &mut register, Count::Cnt, 8, &mut left, 0, part);
        for both in keys {
            let (part, tail) = split(rest, SECTION);
            let Some((key, of_section)) = both.split_first_chunk() else { unreachable!() };
            register.copy_from_slice(of_section);
            let cipher = self.key.cipher().rekey(key);
            stream(&cipher, &mut register, Count::Cnt, 8, &mut left, 0, part);
            rest = tail;
        }
    }
}

impl StreamCipher for Cnt {
    fn apply_keystream_inout(&mut self, data: InOut<'_, '_>) -> Result<(), Error> {
        // As in CTR, at most as many bytes ahead as the message has had.
        let before = self.before;
        self.before = AHEAD.min(before.saturating_add(data.len()));
        let mut data = self.left.take(data);
        while !data.is_empty() {
            let n = self.key.section(data.len(), Some(&mut self.register));
            let (section, rest) = data.split_at(n);
            let (cipher, register) = (self.key.cipher(), &mut self.register);
            let ahead = before.min(self.key.room()) / 8;
            stream(cipher, register, Count::Cnt, 8, &mut self.left, ahead, section);
            self.key.count(self.left.len() / 8 * 8);
            data = rest;
        }
        Ok(())
    }

    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        let iv: [u8; 8] = iv.try_into().map_err(|_| Error::IvLength)?;
        self.key.reset();
        *self.register = iv;
        self.key.cipher().encrypt_block(&mut self.register);
        self.left.clear();
        self.before = 0;
        Ok(())
    }
}
