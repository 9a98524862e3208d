//! Long data: multiplication during the cipher's rounds, in the cipher's kernel.

use core::borrow::Borrow;

use super::message::{MgmMessage, multiply_add};
use super::{FUSED, HELD};
use crate::BlockCipher;

impl<C: BlockCipher, K: Borrow<C> + Clone + Send> MgmMessage<C, K> {
    /// Adds as much of the ciphertext to the sum as the cipher's kernel multiplies: nothing, or whole batches. Returns
    /// the rest, which is one block at least where anything was done, so that the H of the lengths come with its H.
    pub(super) fn fused<'a>(&mut self, data: &'a [u8]) -> &'a [u8] {
        let n = C::BLOCK;
        let ahead = HELD - usize::from(self.ahead_from);
        if !self.fused || (ahead > 0 && self.filled > 0) || data.len() < FUSED {
            return data;
        }
        let (by_old, rest) = data.split_at(ahead);
        multiply_add(self.gf, self.sum.as_mut(), &self.ahead[HELD - ahead..], by_old);
        self.ahead_from = HELD as u8;
        let blocks = &rest[..rest.len() / n * n];
        let waiting = &self.part[..self.filled];
        let done =
            Borrow::<C>::borrow(&self.cipher).products(&mut self.z, waiting, blocks, &mut self.sum);
        if done > 0 {
            self.filled = 0;
        }
        &rest[done..]
    }
}
