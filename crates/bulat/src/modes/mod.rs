//! The modes of operation and their four traits: [`StreamCipher`], [`BlockMode`], [`Mac`], [`Aead`].
//!
//! [The table of tasks](crate) has the modes for new data. Others are for formats that prescribe them: [`Cbc`], [`Cfb`],
//! [`Ofb`], [`Ecb`], and [`Cnt`], [`Cfb28147`], [`Cbc28147`], [`Imit`] of GOST 28147-89.
//!
//! Create an object by `new` from a key of 32 bytes, or by `with` from a cipher with a prepared key
//! ([`crate::Kuznyechik`], [`crate::Magma`], [`crate::Gost28147`]), which saves making the key schedule again.
//!
//! Data may come in pieces of any size, in place (`&mut [u8]`) or between two buffers (`*_b2b`); `*_inout`
//! accepts both. The sizes of pieces do not change the result. Objects can be cloned in the middle of a message. Misuse
//! is an [`Error`], never a panic.

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
pub(crate) mod mgm;
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
pub use cms::{CmsMessage, CtrAcpkmOmac};
pub use cnt::Cnt;
pub use ctr::Ctr;
#[cfg(feature = "alloc")]
pub(crate) use ctr::ctr_once;
pub use ecb::Ecb;
#[cfg(feature = "alloc")]
pub(crate) use gamma::add;
pub use imit::Imit;
pub use meshing::Meshing;
pub use mgm::{Mgm, MgmUnverifiedOpener};
pub use ofb::Ofb;
pub use omac::Omac;
#[cfg(feature = "alloc")]
pub(crate) use omac::double;
#[cfg(feature = "alloc")]
pub(crate) use omac::omac_once;
pub use omac_acpkm::OmacAcpkm;
pub use padding::Padding;
pub use register::MAX_REGISTER;
pub use xts::{Xts, XtsMessage};

use crate::{BlockCipher, Error, InOut, Tag};

/// A block cipher made from only a key of 32 bytes: [`crate::Kuznyechik`] and [`crate::Magma`], but not
/// [`crate::Gost28147`], which needs S-boxes.
pub trait FromKey: BlockCipher {
    /// Prepares the key.
    fn from_key(key: &[u8; 32]) -> Self;
}

impl FromKey for crate::Kuznyechik {
    fn from_key(key: &[u8; 32]) -> Self {
        Self::new(key)
    }
}

impl FromKey for crate::Magma {
    fn from_key(key: &[u8; 32]) -> Self {
        Self::new(key)
    }
}

/// A mode in which every piece keeps its length: CTR, OFB, CFB, CTR-ACPKM, CNT.
///
/// One call encrypts and decrypts; in CFB the object has a direction.
pub trait StreamCipher: Clone + Send {
    /// Transforms the next piece in place.
    ///
    /// # Errors
    /// [`Error::Limit`]: nothing was transformed.
    fn apply_keystream(&mut self, data: &mut [u8]) -> Result<(), Error> {
        self.apply_keystream_inout(data.into())
    }
    /// Transforms the next piece from `source` to `destination`.
    ///
    /// # Errors
    /// [`Error::BufferLength`] unless the lengths are equal; [`Error::Limit`].
    fn apply_keystream_b2b(&mut self, source: &[u8], destination: &mut [u8]) -> Result<(), Error> {
        self.apply_keystream_inout(both(source, destination)?)
    }
    /// Transforms the next piece, in place or between two buffers.
    ///
    /// # Errors
    /// [`Error::Limit`]: nothing was transformed.
    fn apply_keystream_inout(&mut self, data: InOut<'_, '_>) -> Result<(), Error>;
    /// Begins a new message under this key.
    ///
    /// # Errors
    /// [`Error::IvLength`].
    fn reset(&mut self, iv: &[u8]) -> Result<(), Error>;
}

/// A mode on whole blocks (ECB, CBC, XTS), with or without padding.
///
/// `update` writes at most as many bytes as the piece has, to the start of the destination, and returns their number.
/// Bytes of a partial block, and bytes that must be held back, come out with a later piece or with `finalize`. So a
/// message can be transformed in place in pieces of any size.
pub trait BlockMode: Clone + Send {
    /// The most bytes that `finalize` writes.
    const HELD: usize;
    /// Transforms the next piece in place. Returns the number of bytes written.
    ///
    /// # Errors
    /// [`Error::Finished`] after `finalize`.
    fn update(&mut self, data: &mut [u8]) -> Result<usize, Error> {
        self.update_inout(data.into())
    }
    /// Transforms the next piece from `source` to `destination`. Returns the number of bytes written.
    ///
    /// # Errors
    /// [`Error::BufferLength`] unless the lengths are equal; [`Error::Finished`].
    fn update_b2b(&mut self, source: &[u8], destination: &mut [u8]) -> Result<usize, Error> {
        self.update_inout(both(source, destination)?)
    }
    /// Transforms the next piece, in place or between two buffers. Returns the number of bytes written.
    ///
    /// # Errors
    /// [`Error::Finished`].
    fn update_inout(&mut self, data: InOut<'_, '_>) -> Result<usize, Error>;
    /// Ends the message. Returns the number of bytes written to `out`, which must have room for [`Self::HELD`]. The
    /// object accepts no more data until `reset` sets the next message's IV.
    ///
    /// # Errors
    /// [`Error::DataLength`] when the message is not whole blocks and there is no padding; [`Error::Padding`];
    /// [`Error::BufferLength`]; [`Error::Finished`].
    fn finalize(&mut self, out: &mut [u8]) -> Result<usize, Error>;
    /// Begins a new message under this key.
    ///
    /// # Errors
    /// [`Error::IvLength`].
    fn reset(&mut self, iv: &[u8]) -> Result<(), Error>;
}

/// A message authentication code.
pub trait Mac: Clone + Send {
    /// Adds the next piece of the message.
    fn update(&mut self, data: &[u8]);
    /// Returns the tag's length in bytes.
    fn tag_len(&self) -> usize;
    /// Ends the message and returns its tag.
    ///
    /// # Errors
    /// [`Error::Limit`] when the message was longer than the MAC allows: only [`OmacAcpkm`] has such a limit.
    fn finalize(mut self) -> Result<Tag, Error> {
        self.finalize_reset()
    }
    /// Ends the message, returns its tag and begins a new message under this key.
    ///
    /// # Errors
    /// As [`Self::finalize`].
    fn finalize_reset(&mut self) -> Result<Tag, Error>;
    /// Ends the message and compares its tag with `tag` in constant time.
    ///
    /// # Errors
    /// [`Error::Verify`]; [`Error::TagLength`] unless `tag` has [`Self::tag_len`] bytes; [`Error::Limit`].
    fn verify(mut self, tag: &[u8]) -> Result<(), Error> {
        self.verify_reset(tag)
    }
    /// Like [`Self::verify`], then begins a new message.
    ///
    /// # Errors
    /// As [`Self::verify`].
    fn verify_reset(&mut self, tag: &[u8]) -> Result<(), Error> {
        crate::verify(&self.finalize_reset()?, tag)
    }
    /// Discards the message and begins a new message under this key (and IV).
    fn reset(&mut self);
    /// Like [`Self::reset`], with an IV; an empty IV selects the default. Among the MACs here, only [`Imit`] accepts
    /// a different IV.
    ///
    /// # Errors
    /// [`Error::IvLength`].
    fn reset_iv(&mut self, iv: &[u8]) -> Result<(), Error> {
        if !iv.is_empty() {
            return Err(Error::IvLength);
        }
        self.reset();
        Ok(())
    }
}

/// Authenticated encryption with associated data: a key, prepared once, for any number of messages, from any thread.
///
/// When `open*` fails, the destination holds no plaintext; in place, the text is unchanged.
pub trait Aead: Clone + Send + Sync {
    /// Returns the nonce's length in bytes.
    fn nonce_len(&self) -> usize;
    /// Returns the tag's length in bytes.
    fn tag_len(&self) -> usize;
    /// Encrypts a message in place and returns its tag.
    ///
    /// # Errors
    /// [`Error::IvLength`], [`Error::Nonce`] for the nonce; [`Error::Limit`]; [`Error::Empty`] when there is neither
    /// text nor associated data; [`Error::Order`] for associated data in a mode without it. Then nothing was encrypted.
    fn seal_in_place(&self, nonce: &[u8], aad: &[u8], data: &mut [u8]) -> Result<Tag, Error> {
        self.seal_inout(nonce, aad, data.into())
    }
    /// Encrypts a message from `source` to `destination` and returns its tag.
    ///
    /// # Errors
    /// As [`Self::seal_in_place`]; [`Error::BufferLength`] unless the lengths are equal.
    fn seal_b2b(
        &self,
        nonce: &[u8],
        aad: &[u8],
        source: &[u8],
        destination: &mut [u8],
    ) -> Result<Tag, Error> {
        self.seal_inout(nonce, aad, both(source, destination)?)
    }
    /// Encrypts a message, in place or between two buffers, and returns its tag.
    ///
    /// # Errors
    /// As [`Self::seal_in_place`].
    fn seal_inout(&self, nonce: &[u8], aad: &[u8], data: InOut<'_, '_>) -> Result<Tag, Error>;
    /// Checks the tag in constant time, then decrypts the message in place.
    ///
    /// # Errors
    /// [`Error::Verify`]; [`Error::TagLength`] unless `tag` has [`Self::tag_len`] bytes; as
    /// [`Self::seal_in_place`].
    fn open_in_place(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: &mut [u8],
        tag: &[u8],
    ) -> Result<(), Error> {
        self.open_inout(nonce, aad, data.into(), tag)
    }
    /// Checks the tag in constant time, then decrypts the message from `source` to `destination`.
    ///
    /// # Errors
    /// As [`Self::open_in_place`]; [`Error::BufferLength`] unless the lengths are equal.
    fn open_b2b(
        &self,
        nonce: &[u8],
        aad: &[u8],
        source: &[u8],
        destination: &mut [u8],
        tag: &[u8],
    ) -> Result<(), Error> {
        self.open_inout(nonce, aad, both(source, destination)?, tag)
    }
    /// Checks the tag in constant time, then decrypts the message in place or between two buffers.
    ///
    /// # Errors
    /// As [`Self::open_in_place`].
    fn open_inout(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: InOut<'_, '_>,
        tag: &[u8],
    ) -> Result<(), Error>;
}

/// A message of an [`Aead`]: the basis of the one-shot calls, of sealing in pieces and of sessions by name.
pub trait AeadMessage: Send {
    /// Adds the next piece of the associated data, which must all come before the text.
    fn aad(&mut self, aad: &[u8]) -> Result<(), Error>;
    /// Encrypts the next piece of the text.
    fn seal(&mut self, data: InOut<'_, '_>) -> Result<(), Error>;
    /// Returns the tag's length in bytes.
    fn tag_len(&self) -> usize;
    /// Ends sealing and returns the tag.
    fn finish(&mut self) -> Result<Tag, Error>;
    /// Checks the tag over the associated data given so far and the whole ciphertext, then decrypts.
    fn open(&mut self, text: InOut<'_, '_>, tag: &[u8]) -> Result<(), Error>;
    /// Decrypts the next piece and releases it UNVERIFIED: only for types that say so in their names.
    fn release(&mut self, data: InOut<'_, '_>) -> Result<(), Error>;
    /// Ends a message that was released: compares the tag.
    fn check_tag(&mut self, tag: &[u8]) -> Result<(), Error>;
    /// Sets the tag's length in bytes.
    fn set_tag_len(&mut self, len: usize) -> Result<(), Error>;
    /// Begins a new message under this key.
    fn reset(&mut self, nonce: &[u8]) -> Result<(), Error>;
}

/// A message to seal in pieces of any size: first associated data, then text, then the tag.
///
/// ```
/// use bulat::{Aead, KuznyechikMgm};
/// let (aead, nonce) = (KuznyechikMgm::new(&[7; 32]), [1; 16]);
/// let mut text = *b"a long text";
/// let mut sealer = aead.sealer(&nonce)?;
/// sealer.aad(b"header")?;
/// sealer.update(&mut text[..4])?;
/// sealer.update(&mut text[4..])?;
/// let tag = sealer.finalize()?;
/// aead.open_in_place(&nonce, b"header", &mut text, &tag)?;
/// assert_eq!(&text, b"a long text");
/// # Ok::<(), bulat::Error>(())
/// ```
#[derive(Clone)]
pub struct Sealer<M>(pub(crate) M);

impl<M: AeadMessage> Sealer<M> {
    /// Adds the next piece of the associated data.
    ///
    /// # Errors
    /// [`Error::Order`] after text, and in modes without associated data; [`Error::Limit`].
    pub fn aad(&mut self, aad: &[u8]) -> Result<(), Error> {
        self.0.aad(aad)
    }
    /// Encrypts the next piece in place.
    ///
    /// # Errors
    /// [`Error::Limit`]: nothing was encrypted.
    pub fn update(&mut self, data: &mut [u8]) -> Result<(), Error> {
        self.0.seal(data.into())
    }
    /// Encrypts the next piece from `source` to `destination`.
    ///
    /// # Errors
    /// [`Error::BufferLength`] unless the lengths are equal; [`Error::Limit`].
    pub fn update_b2b(&mut self, source: &[u8], destination: &mut [u8]) -> Result<(), Error> {
        self.0.seal(both(source, destination)?)
    }
    /// Encrypts the next piece, in place or between two buffers.
    ///
    /// # Errors
    /// As [`Self::update`].
    pub fn update_inout(&mut self, data: InOut<'_, '_>) -> Result<(), Error> {
        self.0.seal(data)
    }
    /// Ends the message and returns its tag.
    ///
    /// # Errors
    /// [`Error::Empty`] when there was neither text nor associated data, in modes that forbid this.
    pub fn finalize(mut self) -> Result<Tag, Error> {
        self.0.finish()
    }
}

/// Makes two buffers the source and destination of an operation. Errors: [`Error::BufferLength`] unless the lengths are
/// equal.
pub(crate) fn both<'a>(source: &'a [u8], out: &'a mut [u8]) -> Result<InOut<'a, 'a>, Error> {
    InOut::new(source, out).map_err(|_| Error::BufferLength)
}
