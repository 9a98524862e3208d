//! The modes of operation, one file each, and the four traits that they show: [`StreamCipher`], [`BlockMode`],
//! [`Mac`], [`Aead`].
//!
//! | I want to | type |
//! |---|---|
//! | encrypt and authenticate a message | [`Mgm`]; in CMS [`CtrAcpkmOmac`] |
//! | authenticate a message | [`Omac`], [`OmacAcpkm`], [`crate::Hmac`] |
//! | encrypt a stream that something else authenticates | [`Ctr`], [`CtrAcpkm`], [`Ofb`], [`Cfb`] |
//! | read or write a format that prescribes CBC | [`Cbc`] |
//! | encrypt the sectors of a disk | [`Xts`] (not a GOST standard) |
//! | read old data of GOST 28147-89 | [`Cnt`], [`Cfb28147`], [`Cbc28147`], [`Imit`] |
//!
//! Every type is made by `new` from a key of 32 bytes, or by `with` from a cipher whose key is prepared
//! ([`crate::Kuznyechik`], [`crate::Magma`], [`crate::Gost28147`]): then the key's schedule is not made again.
//!
//! Data comes in pieces of any size with the same result, in place (`&mut [u8]`) or from one buffer to another
//! (`*_b2b`; `*_inout` takes either). Objects can be cloned in the middle of a message. Misuse is an
//! [`Error`], never a panic.
#![forbid(unsafe_code)]

pub(crate) mod acpkm;
#[cfg(feature = "alloc")]
pub(crate) mod burst;
pub(crate) mod cbc;
pub(crate) mod cbc28147;
pub(crate) mod cfb;
pub(crate) mod cfb28147;
pub(crate) mod cms;
pub(crate) mod cnt;
pub(crate) mod ctr;
pub(crate) mod ecb;
mod gamma;
pub(crate) mod imit;
pub mod meshing;
pub(crate) mod mgm;
pub(crate) mod ofb;
pub(crate) mod omac;
pub(crate) mod omac_acpkm;
mod padding;
mod pieces;
mod register;
pub(crate) mod xts;

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
pub use mgm::{Mgm, MgmMessage, MgmUnverifiedOpener};
pub use ofb::Ofb;
pub use omac::Omac;
#[cfg(feature = "alloc")]
pub(crate) use omac::double;
pub use omac_acpkm::OmacAcpkm;
pub use padding::Padding;
pub use register::MAX_REGISTER;
pub use xts::{Xts, XtsMessage};

use crate::{BlockCipher, Error, InOut, Tag};

/// A block cipher that 32 bytes of key make, with nothing else to choose: [`crate::Kuznyechik`] and [`crate::Magma`],
/// but not [`crate::Gost28147`], where S-boxes are named.
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

/// A mode that keeps the length of every piece: CTR, OFB, CFB, CTR-ACPKM, CNT.
///
/// Encryption and decryption are the same call; in CFB the object knows its direction.
pub trait StreamCipher: Clone + Send {
    /// Transforms the next piece in place.
    ///
    /// # Errors
    /// [`Error::Limit`]: then nothing was transformed.
    fn apply_keystream(&mut self, data: &mut [u8]) -> Result<(), Error> {
        self.apply_keystream_inout(data.into())
    }
    /// Transforms the next piece from `source` to `destination`.
    ///
    /// # Errors
    /// [`Error::BufferLength`] unless both have as many bytes; [`Error::Limit`].
    fn apply_keystream_b2b(&mut self, source: &[u8], destination: &mut [u8]) -> Result<(), Error> {
        self.apply_keystream_inout(both(source, destination)?)
    }
    /// Transforms the next piece, in place or from one buffer to another.
    ///
    /// # Errors
    /// [`Error::Limit`]: then nothing was transformed.
    fn apply_keystream_inout(&mut self, data: InOut<'_, '_>) -> Result<(), Error>;
    /// Begins a new message under the same key.
    ///
    /// # Errors
    /// [`Error::IvLength`].
    fn reset(&mut self, iv: &[u8]) -> Result<(), Error>;
}

/// A mode on whole blocks (ECB, CBC, XTS), with or without padding.
///
/// `update` writes at most as many bytes as the piece has, at the start of the destination, and says
/// how many: an incomplete block, or one that must be held back, comes with a later piece or with
/// `finalize`. So a message can be transformed in place in pieces of any size.
pub trait BlockMode: Clone + Send {
    /// The most bytes that `finalize` writes.
    const HELD: usize;
    /// Transforms the next piece in place; the number of bytes written.
    ///
    /// # Errors
    /// [`Error::Finished`] after `finalize`.
    fn update(&mut self, data: &mut [u8]) -> Result<usize, Error> {
        self.update_inout(data.into())
    }
    /// Transforms the next piece from `source` to `destination`; the number of bytes written.
    ///
    /// # Errors
    /// [`Error::BufferLength`] unless both have as many bytes; [`Error::Finished`].
    fn update_b2b(&mut self, source: &[u8], destination: &mut [u8]) -> Result<usize, Error> {
        self.update_inout(both(source, destination)?)
    }
    /// Transforms the next piece, in place or from one buffer to another; returns the number of bytes written.
    ///
    /// # Errors
    /// [`Error::Finished`].
    fn update_inout(&mut self, data: InOut<'_, '_>) -> Result<usize, Error>;
    /// Ends the message; the number of bytes written to `out`, which has room for [`Self::HELD`]. Until
    /// `reset` gives the next message's IV, the object accepts nothing more.
    ///
    /// # Errors
    /// [`Error::DataLength`] when the message is not whole blocks and nothing pads it; [`Error::Padding`];
    /// [`Error::BufferLength`]; [`Error::Finished`].
    fn finalize(&mut self, out: &mut [u8]) -> Result<usize, Error>;
    /// Begins a new message under the same key.
    ///
    /// # Errors
    /// [`Error::IvLength`].
    fn reset(&mut self, iv: &[u8]) -> Result<(), Error>;
}

/// A message authentication code.
pub trait Mac: Clone + Send {
    /// Adds the next piece of the message.
    fn update(&mut self, data: &[u8]);
    /// Bytes in the tag.
    fn tag_len(&self) -> usize;
    /// Ends the message; the tag.
    ///
    /// # Errors
    /// [`Error::Limit`] when the message was longer than the MAC allows: only [`OmacAcpkm`].
    fn finalize(mut self) -> Result<Tag, Error> {
        self.finalize_reset()
    }
    /// Ends the message and begins a new one under the same key.
    ///
    /// # Errors
    /// As [`Self::finalize`].
    fn finalize_reset(&mut self) -> Result<Tag, Error>;
    /// Ends the message and compares its tag with this one in constant time.
    ///
    /// # Errors
    /// [`Error::Verify`]; [`Error::TagLength`] unless `tag` has [`Self::tag_len`] bytes; [`Error::Limit`].
    fn verify(mut self, tag: &[u8]) -> Result<(), Error> {
        self.verify_reset(tag)
    }
    /// [`Self::verify`], after which the object begins a new message.
    ///
    /// # Errors
    /// As [`Self::verify`].
    fn verify_reset(&mut self, tag: &[u8]) -> Result<(), Error> {
        crate::verify(&self.finalize_reset()?, tag)
    }
    /// Forgets the message and begins a new one under the same key (and IV).
    fn reset(&mut self);
    /// [`Self::reset`] with an IV; an empty one means the usual one. Of the MACs here, only [`Imit`] accepts another.
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

/// Authenticated encryption with associated data: a key, prepared once, which any number of messages use, from
/// any thread.
///
/// On an error of `open*` the destination holds no plaintext: in place the text is as it was.
pub trait Aead: Clone + Send + Sync {
    /// Bytes in a nonce.
    fn nonce_len(&self) -> usize;
    /// Bytes in a tag.
    fn tag_len(&self) -> usize;
    /// Encrypts a message in place; its tag.
    ///
    /// # Errors
    /// [`Error::IvLength`], [`Error::Nonce`] for the nonce; [`Error::Limit`]; [`Error::Empty`] when there is neither
    /// text nor associated data; [`Error::Order`] for associated data where the mode has none. Then nothing was
    /// encrypted.
    fn seal_in_place(&self, nonce: &[u8], aad: &[u8], data: &mut [u8]) -> Result<Tag, Error> {
        self.seal_inout(nonce, aad, data.into())
    }
    /// Encrypts a message from `source` to `destination`; its tag.
    ///
    /// # Errors
    /// As [`Self::seal_in_place`]; [`Error::BufferLength`] unless both have as many bytes.
    fn seal_b2b(
        &self,
        nonce: &[u8],
        aad: &[u8],
        source: &[u8],
        destination: &mut [u8],
    ) -> Result<Tag, Error> {
        self.seal_inout(nonce, aad, both(source, destination)?)
    }
    /// Encrypts a message, in place or from one buffer to another; returns its tag.
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
    /// As [`Self::open_in_place`]; [`Error::BufferLength`] unless both have as many bytes.
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
    /// Checks the tag, then decrypts the message, in place or from one buffer to another.
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

/// One message of an [`Aead`]: one-shot calls, sealing in pieces and the sessions by name are made of it.
#[doc(hidden)]
pub trait AeadMessage: Clone + Send {
    /// The next piece of the associated data; all of it comes before the text.
    fn aad(&mut self, aad: &[u8]) -> Result<(), Error>;
    /// Encrypts the next piece of the text.
    fn seal(&mut self, data: InOut<'_, '_>) -> Result<(), Error>;
    /// Bytes in the tag.
    fn tag_len(&self) -> usize;
    /// Ends sealing.
    fn finish(&mut self) -> Result<Tag, Error>;
    /// Checks the tag over the associated data given so far and the whole ciphertext, then decrypts.
    fn open(&mut self, text: InOut<'_, '_>, tag: &[u8]) -> Result<(), Error>;
    /// Decrypts the next piece and gives it out UNVERIFIED: for the types that say so in their names.
    fn release(&mut self, data: InOut<'_, '_>) -> Result<(), Error>;
    /// Ends a message that was released: compares the tag.
    fn check_tag(&mut self, tag: &[u8]) -> Result<(), Error>;
    /// Tags of this many bytes.
    fn set_tag_len(&mut self, len: usize) -> Result<(), Error>;
    /// Begins a new message under the same key.
    fn reset(&mut self, nonce: &[u8]) -> Result<(), Error>;
}

/// A message that is sealed in pieces of any size: associated data first, then text, then the tag.
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
    /// [`Error::Order`] after text, and where the mode has no associated data; [`Error::Limit`].
    pub fn aad(&mut self, aad: &[u8]) -> Result<(), Error> {
        self.0.aad(aad)
    }
    /// Encrypts the next piece in place.
    ///
    /// # Errors
    /// [`Error::Limit`]: then nothing was encrypted.
    pub fn update(&mut self, data: &mut [u8]) -> Result<(), Error> {
        self.0.seal(data.into())
    }
    /// Encrypts the next piece from `source` to `destination`.
    ///
    /// # Errors
    /// [`Error::BufferLength`] unless both have as many bytes; [`Error::Limit`].
    pub fn update_b2b(&mut self, source: &[u8], destination: &mut [u8]) -> Result<(), Error> {
        self.0.seal(both(source, destination)?)
    }
    /// Encrypts the next piece, in place or from one buffer to another.
    ///
    /// # Errors
    /// As [`Self::update`].
    pub fn update_inout(&mut self, data: InOut<'_, '_>) -> Result<(), Error> {
        self.0.seal(data)
    }
    /// Ends the message; its tag.
    ///
    /// # Errors
    /// [`Error::Empty`] when there was neither text nor associated data, where the mode forbids that.
    pub fn finalize(mut self) -> Result<Tag, Error> {
        self.0.finish()
    }
}

/// Joins two buffers for one operation.
///
/// # Errors
/// [`Error::BufferLength`] unless both have as many bytes.
pub(crate) fn both<'a>(source: &'a [u8], out: &'a mut [u8]) -> Result<InOut<'a, 'a>, Error> {
    InOut::new(source, out).map_err(|_| Error::BufferLength)
}
