//! MGM decryption in pieces, for protocols that cannot hold a message: plaintext is released before the tag is checked.
//! A separate type, so that no program uses it by accident.

use super::message::MgmMessage;
use crate::modes::{AeadMessage, both};
use crate::{BlockCipher, Error, InOut};

/// Decrypts MGM piece by piece and RELEASES PLAINTEXT THAT IS NOT VERIFIED.
///
/// Until [`Self::verify`] returns `Ok` the plaintext may be anything an attacker wants: do not act on it, show it or
/// forward it; on an error discard it. [`open_in_place`](crate::Aead::open_in_place) does not have this risk.
///
/// ```
/// use bulat::{Aead, MagmaMgm};
/// let (aead, nonce, mut text) = (MagmaMgm::new(&[7; 32]), [1; 8], *b"secret");
/// let tag = aead.seal_in_place(&nonce, b"", &mut text)?;
///
/// let mut opener = aead.unverified_opener(&nonce)?;
/// opener.update(&mut text[..3])?;
/// opener.update(&mut text[3..])?;
/// opener.verify(&tag)?; // only now is the text to be trusted
/// assert_eq!(&text, b"secret");
/// # Ok::<(), bulat::Error>(())
/// ```
#[derive(Clone)]
pub struct MgmUnverifiedOpener<C: BlockCipher>(MgmMessage<C>);

impl<C: BlockCipher> MgmUnverifiedOpener<C> {
    pub(super) fn over(mgm: MgmMessage<C>) -> Self {
        MgmUnverifiedOpener(mgm)
    }
    /// Adds the next piece of the associated data, which must all come before the text.
    ///
    /// # Errors
    /// [`Error::Order`] after text; [`Error::Limit`].
    pub fn aad(&mut self, aad: &[u8]) -> Result<(), Error> {
        self.0.aad(aad)
    }
    /// Decrypts the next piece in place, unverified.
    ///
    /// # Errors
    /// [`Error::Limit`]: nothing was decrypted.
    pub fn update(&mut self, data: &mut [u8]) -> Result<(), Error> {
        self.update_inout(data.into())
    }
    /// Decrypts the next piece from `source` to `destination`, unverified.
    ///
    /// # Errors
    /// [`Error::BufferLength`] unless the lengths are equal; [`Error::Limit`].
    pub fn update_b2b(&mut self, source: &[u8], destination: &mut [u8]) -> Result<(), Error> {
        self.update_inout(both(source, destination)?)
    }
    /// Decrypts the next piece, unverified, in place or between two buffers.
    ///
    /// # Errors
    /// As [`Self::update`].
    pub fn update_inout(&mut self, data: InOut<'_, '_>) -> Result<(), Error> {
        self.0.release(data)
    }
    /// Ends the message and compares the tag in constant time.
    ///
    /// # Errors
    /// [`Error::Verify`]: discard the plaintext. [`Error::TagLength`] unless `tag` has the length of the key's tags;
    /// [`Error::Empty`] when there was neither text nor associated data.
    pub fn verify(mut self, tag: &[u8]) -> Result<(), Error> {
        self.0.check_tag(tag)
    }
}
