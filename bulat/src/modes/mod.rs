//! The modes of operation, one file each, written over [`crate::BlockCipher`], and the four traits that
//! they show to the outside: [`Gamma`], [`Blocks`], [`Mac`], [`Aead`].
//!
//! Every object takes data in pieces of any size with the same result, in place or from one buffer to
//! another, can be cloned in the middle of a message, and after `reset` gives exactly what a fresh
//! object gives. Misuse is an [`Error`], never a panic; an object that has finished does nothing until it is
//! reset: it answers [`Error::Finished`], or what else is wrong with the call. The hashes alone ([`crate::Streebog`], [`crate::Gost94`])
//! are not finished by `finish`, which gives the digest so far, may be asked again, and lets more follow;
//! a [`crate::algorithm::Session`] over a hash refuses that as every session does.
#![forbid(unsafe_code)]

mod acpkm;
#[cfg(feature = "alloc")]
pub(crate) mod burst;
mod cbc;
mod cbc28147;
mod cfb;
mod cfb28147;
mod cms;
mod cnt;
mod ctr;
mod ecb;
mod gamma;
mod imit;
pub mod meshing;
mod mgm;
mod mgm_unverified;
mod ofb;
mod omac;
mod omac_acpkm;
mod padding;
mod pieces;
mod register;
mod xts;

pub use acpkm::{AcpkmMaster, CtrAcpkm, acpkm, acpkm_key};
pub use cbc::Cbc;
pub use cbc28147::Cbc28147;
pub use cfb::Cfb;
pub use cfb28147::Cfb28147;
pub use cms::CtrAcpkmOmac;
pub use cnt::Cnt;
pub use ctr::Ctr;
#[cfg(feature = "alloc")]
pub(crate) use ctr::ctr_once;
pub use ecb::Ecb;
#[cfg(feature = "alloc")]
pub(crate) use gamma::add;
pub use imit::Imit;
pub use meshing::Meshing;
pub use mgm::Mgm;
pub use mgm_unverified::MgmUnverifiedOpen;
pub use ofb::Ofb;
pub use omac::Omac;
#[cfg(feature = "alloc")]
pub(crate) use omac::double;
pub use omac_acpkm::OmacAcpkm;
pub use padding::Padding;
pub use register::MAX_REGISTER;
pub use xts::{Xts, XtsMessage};

use crate::{Error, InOut};

/// A mode that keeps the length of every piece: CTR, OFB, CFB, CTR-ACPKM, CNT.
pub trait Gamma: Clone + Send {
    /// Transforms the next piece.
    fn apply(&mut self, data: InOut<'_, '_>) -> Result<(), Error>;
    /// Begins a new message under the same key.
    fn reset(&mut self, iv: &[u8]) -> Result<(), Error>;
}

/// A mode on whole blocks (ECB, CBC, XTS), with or without padding.
///
/// `update` writes at most as many octets as the piece has, at the start of the destination, and says
/// how many: what is not yet a whole block, or must be held back, comes with a later piece or with
/// `finish`. So a message can be transformed in place in pieces of any size.
pub trait Blocks: Clone + Send {
    /// The most octets that `finish` writes.
    const HELD: usize;
    /// Transforms the next piece; the number of octets written.
    fn update(&mut self, data: InOut<'_, '_>) -> Result<usize, Error>;
    /// Ends the message; the number of octets written to `out`, which has room for [`Self::HELD`].
    fn finish(&mut self, out: &mut [u8]) -> Result<usize, Error>;
    /// Begins a new message under the same key.
    fn reset(&mut self, iv: &[u8]) -> Result<(), Error>;
}

/// A message authentication code.
pub trait Mac: Clone + Send {
    /// Takes the next piece of the message.
    fn update(&mut self, data: &[u8]) -> Result<(), Error>;
    /// Octets in the tag.
    fn tag_len(&self) -> usize;
    /// Writes the tag: `tag.len()` must be [`Self::tag_len`].
    fn finish(&mut self, tag: &mut [u8]) -> Result<(), Error>;
    /// Begins a new message under the same key; `iv` is empty where the MAC takes none.
    fn reset(&mut self, iv: &[u8]) -> Result<(), Error>;
    /// Ends the message and compares the tag in constant time.
    ///
    /// # Errors
    /// [`Error::TagLength`] when `tag` has not [`Self::tag_len`] octets: then the message has not ended.
    /// So, too, for a MAC of another crate with a tag of more than 64 octets, which must have its own
    /// `verify`. [`Error::Verify`]; what `finish` answers.
    fn verify(&mut self, tag: &[u8]) -> Result<(), Error> {
        let mut own = crate::Secret::new([0u8; 64]);
        if tag.len() != self.tag_len() {
            return Err(Error::TagLength);
        }
        let own = own.get_mut(..tag.len()).ok_or(Error::TagLength)?;
        self.finish(own)?;
        crate::verify(own, tag)
    }
}

/// Authenticated encryption with associated data.
///
/// Sealing is streamed. Opening is one call: nothing is written before the tag is checked.
pub trait Aead: Clone + Send {
    /// Takes the next piece of the associated data; all of it comes before the text.
    fn aad(&mut self, aad: &[u8]) -> Result<(), Error>;
    /// Encrypts the next piece of the text.
    fn seal(&mut self, data: InOut<'_, '_>) -> Result<(), Error>;
    /// Octets in the tag.
    fn tag_len(&self) -> usize;
    /// Ends sealing and writes the tag.
    fn finish(&mut self, tag: &mut [u8]) -> Result<(), Error>;
    /// Checks the tag over the associated data given so far and the whole ciphertext, then decrypts.
    /// On an error the destination holds no plaintext.
    fn open(&mut self, text: InOut<'_, '_>, tag: &[u8]) -> Result<(), Error>;
    /// Begins a new message under the same key.
    fn reset(&mut self, nonce: &[u8]) -> Result<(), Error>;
}
