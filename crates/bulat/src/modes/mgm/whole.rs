//! Whole messages of few blocks: as `short.rs`, and without a message's state, which costs as much as a block.

use super::message::{multiply_add, put_lengths, start};
use super::{FEW, Mgm};
use crate::cipher::{Block, Chain, Count, Data};
use crate::modes::gamma::{Buffer, add};
use crate::{BlockCipher, Direction, Error, InOut, Secret, Tag, verify};

/// Room for the gamma and the H of text and associated data, and of the lengths.
const ROOM: usize = 3 * FEW + 16;

impl<C: BlockCipher> Mgm<C> {
    /// Returns whether a message goes this way.
    pub(super) fn is_whole(aad: usize, text: usize) -> bool {
        aad <= FEW && text <= FEW && aad + text > 0
    }

    /// Seals a message of few blocks, or opens it if there is a tag. Returns its tag.
    pub(super) fn whole(
        &self,
        nonce: &[u8],
        aad: &[u8],
        mut text: InOut<'_, '_>,
        tag: Option<&[u8]>,
    ) -> Result<Tag, Error> {
        let (n, len) = (C::BLOCK, text.len());
        let [mut y, mut z] = start::<C>(&self.cipher, nonce)?;
        let [of_aad, of_text] = [aad.len(), len].map(|len| len.next_multiple_of(n));
        let multiplied = of_aad + of_text + n;
        let mut room = Buffer::<ROOM>::new();
        let all = room.first(of_text + multiplied);
        let (gamma, h) = all.split_at_mut(of_text);
        self.gf.counters(&mut *y, Count::Right, gamma);
        self.gf.counters(&mut *z, Count::Left, h);
        self.cipher.map(Direction::Encrypt, (&mut *all).into());
        let (gamma, h) = all.split_at(of_text);
        if tag.is_none() {
            add(text.reborrow(), &gamma[..len]);
        }
        // Sent, so no secret.
        let mut blocks = [0; 2 * FEW + 16];
        blocks[..aad.len()].copy_from_slice(aad);
        let sent = if tag.is_none() { &*text.get_out() } else { text.get_in() };
        blocks[of_aad..of_aad + len].copy_from_slice(sent);
        put_lengths(&mut blocks[of_aad + of_text..multiplied], aad.len() as u64, len as u64);
        let mut sum = Secret::new(C::Block::ZERO);
        multiply_add(self.gf, sum.as_mut(), h, &blocks[..multiplied]);
        let zero = C::Block::ZERO;
        self.cipher.chain(Chain::Mac, &mut sum, Data::Read(zero.as_ref()));
        if let Some(tag) = tag {
            verify(&sum.as_ref()[..tag.len()], tag)?;
            add(text, &gamma[..len]);
        }
        Ok(Tag::new(sum.as_ref(), self.tag_len))
    }
}
