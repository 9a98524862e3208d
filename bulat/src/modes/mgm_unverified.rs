//! MGM decryption in pieces, for protocols that cannot hold a message: plaintext is out before the tag
//! is checked. A separate type, so that nobody uses it by accident.

use super::gamma::split;
use super::mgm::Both;
use super::{Aead, Mgm};
use crate::{BlockCipher, Error, InOut};

/// Decrypts MGM piece by piece and RELEASES PLAINTEXT THAT IS NOT VERIFIED.
///
/// Until [`Self::verify`] says `Ok` the plaintext may be anything an attacker wants: do not act on it,
/// show it or send it on; on an error throw it away. [`Aead::open`] of [`Mgm`] has no such danger.
///
/// ```
/// use bulat::modes::{Aead, Mgm};
/// use bulat::Magma;
/// let mut mgm = Mgm::new(Magma::new(&[7; 32]), &[1; 8], 8)?;
/// let (mut text, mut tag) = (*b"secret", [0; 8]);
/// let mut open = mgm.clone().unverified_open()?;
/// mgm.seal((&mut text[..]).into())?;
/// mgm.finish(&mut tag)?;
///
/// open.update((&mut text[..3]).into())?;
/// open.update((&mut text[3..]).into())?;
/// open.verify(&tag)?; // only now is the text to be trusted
/// assert_eq!(&text, b"secret");
/// # Ok::<(), bulat::Error>(())
/// ```
#[derive(Clone)]
pub struct MgmUnverifiedOpen<C: BlockCipher>(Mgm<C>);

impl<C: BlockCipher> MgmUnverifiedOpen<C> {
    pub(super) fn over(mgm: Mgm<C>) -> Self {
        MgmUnverifiedOpen(mgm)
    }
    /// Takes the next piece of the associated data; all of it comes before the text.
    ///
    /// # Errors
    /// As [`Aead::aad`] of [`Mgm`].
    pub fn aad(&mut self, aad: &[u8]) -> Result<(), Error> {
        self.0.aad(aad)
    }
    /// Decrypts the next piece, unverified.
    ///
    /// # Errors
    /// [`Error::Limit`], [`Error::Finished`].
    pub fn update(&mut self, data: InOut<'_, '_>) -> Result<(), Error> {
        if self.0.short(data.len()) {
            let mut both = Both::new();
            let short = self.0.begin_short(&mut both, data.len())?;
            self.0.absorb_short(data.get_in(), short);
            self.0.add_short(data, short);
            return Ok(());
        }
        self.0.begin_text(data.len())?;
        let mut rest = data;
        while !rest.is_empty() {
            let (step, tail) = split(rest, 16 * 1024);
            self.0.absorb(step.get_in());
            self.0.crypt(step);
            rest = tail;
        }
        Ok(())
    }
    /// Ends the message and compares the tag in constant time.
    ///
    /// # Errors
    /// [`Error::Verify`]: throw the plaintext away. [`Error::TagLength`], [`Error::Empty`],
    /// [`Error::Finished`].
    pub fn verify(&mut self, tag: &[u8]) -> Result<(), Error> {
        self.0.check_tag(tag)
    }
    /// Begins a new message under the same key.
    ///
    /// # Errors
    /// [`Error::IvLength`], [`Error::Nonce`].
    pub fn reset(&mut self, nonce: &[u8]) -> Result<(), Error> {
        self.0.reset(nonce)
    }
}
