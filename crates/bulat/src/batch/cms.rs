//! CTR-ACPKM-OMAC of CMS (R 1323565.1.025-2019) for many messages at once. The OMACs, which are chains, run side by
//! side; each message's gamma fills the kernel on its own.

use alloc::vec;
use alloc::vec::Vec;

use super::message::{End, Message, Rekey};
use super::{Calls, chained};
use crate::cipher::Chained;
use crate::cipher::{Block, Chain, Data};
use crate::memory::Wiped;
use crate::modes::burst::Tag;
use crate::modes::{CtrAcpkm, CtrAcpkmOmac, StreamCipher};
use crate::{Error, InOut, Secret, verify};

/// A message.
pub(super) struct Cms<'a, C: Chained<B>, const B: usize> {
    job: usize,
    ctr: CtrAcpkm<C>,
    mac: C,
    text: InOut<'a, 'a>,
    tag: Tag<'a>,
    /// The plaintext of a message being opened, which reaches the destination only if the tag is right.
    plain: Option<Wiped>,
    own: Secret<[u8; B]>,
}

impl<'a, C: Chained<B>, const B: usize> Cms<'a, C, B>
where
    [u8; B]: Block,
{
    pub(super) fn new(
        job: usize,
        key: &CtrAcpkmOmac<C>,
        ukm: &[u8],
        mut text: InOut<'a, 'a>,
        tag: Tag<'a>,
    ) -> Result<Self, Error> {
        if tag.len() != B {
            return Err(Error::TagLength);
        }
        let (mut ctr, mac) = key.parts(ukm)?;
        ctr.blocks_after(text.len().saturating_add(B))?;
        let mut plain = None;
        if let Tag::Open(_) = tag {
            let plain = plain.insert(Wiped(text.reborrow().get_in().to_vec()));
            ctr.apply_keystream(&mut plain.0)?;
        }
        Ok(Cms { job, ctr, mac, text, tag, plain, own: Secret::new([0; B]) })
    }

    /// Encrypts the text, or checks the tag and releases the plaintext.
    fn end(&mut self) -> Result<(), Error> {
        if let Tag::Seal(_) = self.tag {
            self.ctr.apply_keystream_inout(self.text.reborrow())?;
        }
        self.ctr.apply_keystream(&mut *self.own)?;
        match (&mut self.tag, &self.plain) {
            (Tag::Seal(tag), _) => tag.copy_from_slice(&*self.own),
            (Tag::Open(tag), plain) => {
                verify(&*self.own, tag)?;
                if let Some(plain) = plain {
                    self.text.get_out().copy_from_slice(&plain.0);
                }
            }
        }
        Ok(())
    }
}

/// Runs the messages side by side.
pub(super) fn run<C: Chained<B>, const B: usize>(
    mut messages: Vec<Cms<'_, C, B>>,
    calls: &mut Calls,
    done: &mut dyn FnMut(usize, Result<(), Error>),
) where
    [u8; B]: Block,
{
    let mut codes = Vec::with_capacity(messages.len());
    let mut results = vec![Ok(()); messages.len()];
    for (i, m) in messages.iter_mut().enumerate() {
        let text = m.plain.as_ref().map_or_else(|| m.text.get_in(), |plain| &plain.0);
        // OMAC processes the last block, whole or not, in a different way.
        let (body, last) = text.split_at(text.len().saturating_sub(1) / B * B);
        let (body, end) = (Data::Read(body), End::Omac(last, &mut *m.own));
        let chain = (Chain::Mac, [0; B]);
        codes.push(Message::new(i, &m.mac, chain, body, end, (Rekey::Never, 0)));
    }
    chained(codes, calls, &mut |i, result| results[i] = result);
    for (m, result) in messages.iter_mut().zip(results) {
        done(m.job, result.and_then(|()| m.end()));
    }
}
