//! Short texts: gamma and multipliers in one call of the cipher.

use core::borrow::Borrow;

use super::message::{MgmMessage, Phase};
use super::{HELD, LITTLE, SHORT};
use crate::cipher::Count;
use crate::modes::AeadMessage;
use crate::modes::gamma::Buffer;
use crate::{BlockCipher, Direction, Error, InOut};

/// Room for the gamma and the H of a text of `len` bytes, for the H of data that waits and for the H of the lengths.
const fn room(len: usize) -> usize {
    2 * len + HELD + 16
}

/// Data that waits and the text's blocks after it, copied together so that one call multiplies them all.
const TOGETHER: usize = HELD + 64;

/// The gamma of a text, and the H of the data that waits, of the text and of the lengths.
#[derive(Clone, Copy)]
struct Made<'a> {
    gamma: &'a [u8],
    h: &'a [u8],
}

impl<C: BlockCipher, K: Borrow<C> + Clone + Send> MgmMessage<C, K> {
    /// Returns whether a text of `len` bytes goes this way: it is the first of its message, and short.
    pub(super) fn is_short(&self, len: usize) -> bool {
        self.phase == Phase::Aad && (1..=SHORT).contains(&len)
    }

    /// Encrypts a short text and adds it to the sum.
    #[inline(always)]
    pub(super) fn seal_short(&mut self, data: InOut<'_, '_>) -> Result<(), Error> {
        if data.len() <= LITTLE {
            self.seal_in::<{ room(LITTLE) }>(data)
        } else {
            self.seal_in::<{ room(SHORT) }>(data)
        }
    }

    #[inline(always)]
    fn seal_in<const N: usize>(&mut self, mut data: InOut<'_, '_>) -> Result<(), Error> {
        let mut room = Buffer::<N>::new();
        let made = self.make(&mut room, data.len())?;
        self.add_made(data.reborrow(), made);
        self.absorb_made(data.get_out(), made);
        Ok(())
    }

    /// Adds a short text to the sum, checks the tag, and decrypts.
    #[inline(always)]
    pub(super) fn open_short(&mut self, text: InOut<'_, '_>, tag: &[u8]) -> Result<(), Error> {
        if text.len() <= LITTLE {
            self.open_in::<{ room(LITTLE) }>(text, Some(tag))
        } else {
            self.open_in::<{ room(SHORT) }>(text, Some(tag))
        }
    }

    /// Adds a short text to the sum, and decrypts it unverified.
    #[inline(always)]
    pub(super) fn release_short(&mut self, data: InOut<'_, '_>) -> Result<(), Error> {
        if data.len() <= LITTLE {
            self.open_in::<{ room(LITTLE) }>(data, None)
        } else {
            self.open_in::<{ room(SHORT) }>(data, None)
        }
    }

    #[inline(always)]
    fn open_in<const N: usize>(
        &mut self,
        text: InOut<'_, '_>,
        tag: Option<&[u8]>,
    ) -> Result<(), Error> {
        let mut room = Buffer::<N>::new();
        let made = self.make(&mut room, text.len())?;
        self.absorb_made(text.get_in(), made);
        if let Some(tag) = tag {
            self.check_tag(tag)?;
        }
        self.add_made(text, made);
        Ok(())
    }

    /// Opens the text phase for `len` bytes and makes all that they need.
    fn make<'r, const N: usize>(
        &mut self,
        room: &'r mut Buffer<N>,
        len: usize,
    ) -> Result<Made<'r>, Error> {
        self.begin_text(len)?;
        let text = len.next_multiple_of(C::BLOCK);
        let all = room.first(text + self.filled + text + C::BLOCK);
        let (gamma, h) = all.split_at_mut(text);
        self.gf.counters(&mut *self.y, Count::Right, gamma);
        self.gf.counters(&mut *self.z, Count::Left, h);
        Borrow::<C>::borrow(&self.cipher).map(Direction::Encrypt, (&mut *all).into());
        let (gamma, h) = all.split_at(text);
        Ok(Made { gamma, h })
    }

    /// Adds the gamma, and keeps the rest of its last block.
    fn add_made(&mut self, data: InOut<'_, '_>, Made { gamma, .. }: Made<'_>) {
        let len = data.len();
        self.gf.add(data, &gamma[..len]);
        if gamma.len() > len {
            self.gamma.put(&gamma[len..]);
        }
    }

    /// Adds ciphertext to the sum; the end of it, less than a block, waits.
    fn absorb_made(&mut self, text: &[u8], Made { h, .. }: Made<'_>) {
        let (blocks, tail) = text.split_at(text.len() / C::BLOCK * C::BLOCK);
        let (waiting, all) = (self.filled, self.filled + blocks.len());
        if waiting > 0 && all <= TOGETHER {
            let mut together = [0; TOGETHER];
            together[..waiting].copy_from_slice(&self.part[..waiting]);
            together[waiting..all].copy_from_slice(blocks);
            self.filled = 0;
            self.multiply_by(h, &together[..all]);
        } else {
            self.multiply_by(h, blocks);
        }
        self.hold(tail);
    }
}
