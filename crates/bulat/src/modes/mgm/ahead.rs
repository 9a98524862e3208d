//! Data of any length: multipliers ahead of the data, a batch at a time.
//!
//! Data comes in pieces that end anywhere. `part` holds the end of the last piece, `ahead` the H that were made before
//! their data; a piece fills up the first and uses up the second before new H are made.

use core::borrow::Borrow;

use super::message::{MgmMessage, Phase, multiply_add};
use super::{HELD, PART, ROOM};
use crate::cipher::Count;
use crate::modes::gamma::{Buffer, Lent};
use crate::{BlockCipher, InOut, Secret};

/// Room for H of `len` bytes, for H made before and for H of later data.
const fn room(len: usize) -> usize {
    len + 2 * HELD
}

/// Zeros to add gamma to: counters encrypted.
static ZEROS: Buffer<{ room(ROOM[2]) }> = Buffer::new();

impl<C: BlockCipher, K: Borrow<C> + Clone + Send> MgmMessage<C, K> {
    /// Adds the next bytes of associated data or ciphertext to the sum, up to the last whole block. Of associated data
    /// the last two blocks wait for the text.
    pub fn absorb(&mut self, mut data: &[u8]) {
        let (n, waits) = (C::BLOCK, self.phase == Phase::Aad);
        if data.is_empty() || (waits && self.filled + data.len() <= HELD) {
            return self.hold(data);
        }
        let (head, rest) =
            data.split_at(data.len().min(self.filled.next_multiple_of(n) - self.filled));
        self.hold(head);
        data = rest;
        if !self.filled.is_multiple_of(n) {
            return;
        }
        if !waits {
            data = self.fused(data);
        }
        let now = data.len().saturating_sub(if waits { HELD } else { n - 1 }).next_multiple_of(n);
        let (blocks, tail) = data.split_at(now);
        // A text that ends here has its lengths next; after part of a block, that block too.
        let later = match (waits, tail) {
            (true, _) => 0,
            (_, []) => n,
            _ => 2 * n,
        };
        if self.filled + now == 0 {
            // Less than a block.
        } else if self.filled + now <= ROOM[0] {
            self.multiply(Buffer::<{ room(ROOM[0]) }>::new().lend(), blocks, later);
        } else if self.filled + now <= ROOM[1] {
            self.multiply(Buffer::<{ room(ROOM[1]) }>::new().lend(), blocks, later);
        } else {
            self.multiply(Buffer::<{ room(ROOM[2]) }>::new().lend(), blocks, later);
        }
        self.hold(tail);
    }

    /// Adds the data that waits, whole blocks, and a block more to the sum.
    pub(super) fn absorb_last(&mut self, block: &[u8]) {
        self.hold(block);
        self.flush();
    }

    /// Adds the data that waits, whole blocks, to the sum.
    pub fn flush(&mut self) {
        let (mut room, ahead) = (Secret::new([0; PART]), usize::from(self.ahead_from));
        let h = &mut room[..self.filled];
        let (old, new) = h.split_at_mut(self.filled.min(HELD - ahead));
        old.copy_from_slice(&self.ahead[ahead..ahead + old.len()]);
        self.ahead_from += old.len() as u8;
        if !new.is_empty() {
            Borrow::<C>::borrow(&self.cipher).stream(&mut self.z, Count::Left, new.into());
        }
        multiply_add(self.gf, self.sum.as_mut(), h, &self.part[..self.filled]);
        self.filled = 0;
    }

    /// Adds the data that waits and `blocks` to the sum, by H made before and then by new ones, as many of them at a
    /// time as there is room for; with the last ones come H of `later` bytes more.
    fn multiply(&mut self, mut room: Lent<'_>, blocks: &[u8], later: usize) {
        let mut rest = blocks;
        loop {
            let ahead = &self.ahead[usize::from(self.ahead_from)..];
            let most = room.len() - 2 * HELD + ahead.len() - self.filled;
            let (some, others) = rest.split_at(rest.len().min(most));
            rest = others;
            let mut new = (self.filled + some.len()).saturating_sub(ahead.len());
            if new > 0 && rest.is_empty() {
                new += later;
            }
            let h = room.first(ahead.len() + new);
            let (old, new) = h.split_at_mut(ahead.len());
            old.copy_from_slice(ahead);
            if !new.is_empty() {
                let new = InOut::new(&ZEROS.read()[..new.len()], new).expect("of one length");
                Borrow::<C>::borrow(&self.cipher).stream(&mut self.z, Count::Left, new);
            }
            self.multiply_by(h, some);
            if rest.is_empty() {
                return;
            }
        }
    }

    /// Adds the data that waits, whole blocks, and `blocks` to the sum by these H; the other H wait.
    pub(super) fn multiply_by(&mut self, h: &[u8], blocks: &[u8]) {
        let (first, h) = h.split_at(self.filled);
        multiply_add(self.gf, self.sum.as_mut(), first, &self.part[..self.filled]);
        self.filled = 0;
        let (h, later) = h.split_at(blocks.len());
        multiply_add(self.gf, self.sum.as_mut(), h, blocks);
        let from = HELD - later.len();
        self.ahead[from..].copy_from_slice(later);
        self.ahead_from = from as u8;
    }

    /// Lets bytes wait.
    pub(super) fn hold(&mut self, data: &[u8]) {
        self.part[self.filled..self.filled + data.len()].copy_from_slice(data);
        self.filled += data.len();
    }

    /// Pads the data that waits with zeros to whole blocks.
    pub(super) fn pad(&mut self) {
        let to = self.filled.next_multiple_of(C::BLOCK);
        self.part[self.filled..to].fill(0);
        self.filled = to;
    }
}
