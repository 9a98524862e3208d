//! MGM, the Multilinear Galois Mode: RFC 9058 (R 1323565.1.026-2019). A message, with blocks of n bits:
//!
//! ```text
//! seal(K, ICN, A, P):                     ICN is n - 1 bits, A associated data, P the text
//!     Y = E(K, 0 || ICN)                  the counter of gamma: its right half counts
//!     Z = E(K, 1 || ICN)                  the counter of multipliers: its left half counts
//!     for each block P_i of P:            the last block may be shorter
//!         C_i = P_i ^ E(K, Y)
//!         right half of Y += 1
//!     sum = 0
//!     for each block X of pad(A) || pad(C) || len(A) || len(C):
//!         H = E(K, Z)                     each block has a multiplier of its own
//!         sum ^= H * X                    in GF(2^n)
//!         left half of Z += 1
//!     return C, MSB(S, E(K, sum))         S is 32 to n
//! ```
//!
//! `pad` adds zeros up to a whole block; the two lengths are numbers of bits and share a block. No H depends on the
//! text, so H can be made before the text, with the gamma, or in batches. There are three ways, and `whole.rs`, way 1 for
//! a message in one call with at most [`FEW`] bytes of text and of associated data:
//!
//! 1. `short.rs`, a whole text of at most [`SHORT`] bytes: one call of the cipher makes the gamma and every H, the H of
//!    the lengths and of the end of the associated data included. 64 bytes of Magma cost 32.9 cycles a byte so and 47.2
//!    otherwise, 1504 bytes of Kuznyechik 4.9 and 6.5.
//! 2. `ahead.rs`, any other data: gamma for [`STEP`] bytes, then H for a few kilobytes at a time, then their products,
//!    summed without reduction. All of it stays in the first-level cache.
//! 3. `fused.rs`, pieces of at least [`FUSED`] bytes where the cipher's kernel multiplies: it multiplies a batch of H
//!    during the rounds that make the next batch, so that both units of the processor work. The rest is done ahead.
//!    16 KB of Magma cost 1.31 cycles a byte so and 1.40 otherwise, Kuznyechik's 1.77 and 1.81.
//!
//! In ways 1 and 2 data may wait for its H, and H for its data, at most [`HELD`] bytes of each: the end of the
//! associated data waits for the first H of the text, and the H of the lengths are made with the last H of the text.
//! That saves a message one or two calls of the cipher.

mod ahead;
mod fused;
mod message;
mod short;
mod unverified;
mod whole;

use super::gamma::BATCH;
use super::{Aead, AeadMessage, FromKey, Sealer};
use crate::kernel::{self, GfKernel, Ready, Shape};
use crate::{BlockCipher, Error, InOut, Tag, gf};
pub use message::MgmMessage;
#[cfg(feature = "alloc")]
pub(super) use message::{multiply_add, put_lengths};
pub use unverified::MgmUnverifiedOpener;

// All sizes, in bytes. They choose a way and its room, never a result.

/// The longest text of way 1: its gamma and its H fit into the first-level cache together.
const SHORT: usize = BATCH;
/// The longest text, and the longest associated data, of a message without a state.
const FEW: usize = 64;
/// The longest text with less room in way 1. Room is zeroed first, so room for the longest text would cost a text of a
/// few blocks as much as they do.
const LITTLE: usize = 256;
/// Text that is encrypted before it is multiplied: it is still in the first-level cache then.
const STEP: usize = 16 * 1024;
/// Room for H in way 2: for single blocks, for the ends of longer data, and for all else, batches of every kernel.
/// Room is zeroed first and wiped after use, so small data gets small room.
const ROOM: [usize; 3] = [192, 1536, 6144];
/// The least data of way 3: two batches of the widest kernel.
const FUSED: usize = 3072;
/// Data that waits for its H, and H that wait for their data: two blocks of Kuznyechik each.
const HELD: usize = 32;
/// Data that waits, and a block.
const PART: usize = HELD + 16;

const _: () = assert!(SHORT.is_multiple_of(16) && HELD.is_multiple_of(16));

/// Authenticated encryption in MGM: a key, prepared once, for any number of messages.
///
/// A nonce must never be used twice under one key: that ends all its security. Its first bit is 0. Text and
/// associated data of a message have fewer than 2^61 bytes together with Kuznyechik, 2^29 with Magma.
///
/// ```
/// use bulat::{Aead, KuznyechikMgm};
/// let aead = KuznyechikMgm::new(&[7; 32]);
/// let (nonce, mut text) = ([1; 16], *b"secret");
/// let tag = aead.seal_in_place(&nonce, b"header", &mut text)?;
/// aead.open_in_place(&nonce, b"header", &mut text, &tag)?;
/// assert_eq!(&text, b"secret");
/// # Ok::<(), bulat::Error>(())
/// ```
#[derive(Clone)]
pub struct Mgm<C: BlockCipher> {
    cipher: C,
    gf: Ready<GfKernel>,
    /// True if the cipher's kernel may multiply in place of this kernel.
    fused: bool,
    tag_len: usize,
}

impl<C: BlockCipher> Mgm<C> {
    /// Prepares a key of 32 bytes, with the full tag of n bytes.
    pub fn new(key: &[u8; 32]) -> Self
    where
        C: FromKey,
    {
        Self::with(C::from_key(key))
    }

    /// Uses a prepared key, with the full tag of n bytes.
    pub fn with(cipher: C) -> Self {
        let gf = kernel::pick(gf::KERNELS, Shape::Multiply);
        Mgm { cipher, gf, fused: gf.fused(), tag_len: C::BLOCK }
    }

    /// Sets the length of the tags in bytes (RFC 9058, section 4: 32 <= S <= n).
    ///
    /// # Errors
    /// [`Error::TagLength`] unless `len` is 4 to n.
    pub fn truncated(mut self, len: usize) -> Result<Self, Error> {
        self.tag_len = crate::tag::checked(len, 4..=C::BLOCK)?;
        Ok(self)
    }

    /// Multiplies on the kernel of this name; the cipher's kernel is chosen with the cipher.
    ///
    /// # Errors
    /// [`Error::UnknownKernel`].
    pub fn gf_on(mut self, name: &str) -> Result<Self, Error> {
        self.gf = kernel::by_name(gf::KERNELS, name)?;
        self.fused = false;
        Ok(self)
    }

    /// The key.
    #[cfg(feature = "alloc")]
    pub fn cipher(&self) -> &C {
        &self.cipher
    }

    /// Begins a message that is sealed in pieces. `nonce` is n bytes, the first bit 0.
    ///
    /// # Errors
    /// [`Error::IvLength`]; [`Error::Nonce`] when the first bit is 1.
    pub fn sealer(&self, nonce: &[u8]) -> Result<Sealer<MgmMessage<C>>, Error> {
        self.message(nonce).map(Sealer)
    }

    /// Begins a message that is decrypted in pieces, before its tag is checked: see the type.
    ///
    /// # Errors
    /// As [`Self::sealer`].
    pub fn unverified_opener(&self, nonce: &[u8]) -> Result<MgmUnverifiedOpener<C>, Error> {
        self.message(nonce).map(MgmUnverifiedOpener::over)
    }

    /// Begins a message that owns a copy of the key.
    pub fn message(&self, nonce: &[u8]) -> Result<MgmMessage<C>, Error> {
        MgmMessage::new(self, self.cipher.clone(), nonce)
    }
}

impl<C: BlockCipher> Aead for Mgm<C> {
    fn nonce_len(&self) -> usize {
        C::BLOCK
    }
    fn tag_len(&self) -> usize {
        self.tag_len
    }
    fn seal_inout(&self, nonce: &[u8], aad: &[u8], data: InOut<'_, '_>) -> Result<Tag, Error> {
        if Self::is_whole(aad.len(), data.len()) {
            return self.whole(nonce, aad, data, None);
        }
        let mut message = MgmMessage::new(self, &self.cipher, nonce)?;
        message.admit_all(aad.len(), data.len())?;
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
        if Self::is_whole(aad.len(), data.len()) && tag.len() == self.tag_len {
            return self.whole(nonce, aad, data, Some(tag)).map(|_| ());
        }
        let mut message = MgmMessage::new(self, &self.cipher, nonce)?;
        message.aad(aad)?;
        message.open(data, tag)
    }
}
