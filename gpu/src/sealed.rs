//! Lists of messages in MGM under one key, with equal numbers of whole blocks.

use std::ops::Range;
use std::sync::Mutex;

use bulat::batch::{AeadKey, Job, Text};
use bulat::executor::MgmMessage;
use bulat::modes::{AeadMessage as _, Mgm};
use bulat::{BlockCipher, Error};
use bulat_core::cipher::Block;
use zeroize::Zeroizing;

use crate::engine::{Engine, Grain, Report, Split, bytes, lock};
use crate::messages::BYTES;
use crate::slot::{OwnKey, Step};
use crate::texts::begin;
use crate::{Program, key};

pub(crate) fn aead<'a>(job: &Job<'a>) -> Option<AeadKey<'a>> {
    match job {
        Job::Seal { key, .. } | Job::Open { key, .. } => Some(*key),
        _ => None,
    }
}

/// A message in MGM, ready for its text.
struct Sealed<'a, C: BlockCipher> {
    message: MgmMessage<C>,
    text: Grain<'a>,
    tag: Tag<'a>,
    result: Result<(), Error>,
}

enum Tag<'a> {
    Seal(&'a mut [u8]),
    Open(&'a [u8]),
}

/// Messages of one key with equal numbers of whole blocks.
struct Sealing<'a, C: BlockCipher> {
    own: OwnKey,
    /// The bytes in the whole blocks of each message.
    section: usize,
    open: bool,
    grains: Vec<Mutex<Vec<Sealed<'a, C>>>>,
}

pub(crate) fn sealed<C: BlockCipher>(
    engine: &Engine,
    key: &Mgm<C>,
    jobs: Vec<Job<'_>>,
    report: &Mutex<Report>,
) -> Vec<Result<(), Error>>
where
    OwnKey: for<'k> From<&'k C>,
{
    let own = OwnKey::from(key.cipher());
    let mut results = vec![Ok(()); jobs.len()];
    let (mut taken, mut list, mut section, mut open) = (Vec::new(), Vec::new(), 0, false);
    for (i, job) in jobs.into_iter().enumerate() {
        let (nonce, aad, text, tag) = match job {
            Job::Seal { nonce, aad, text, tag, .. } => (nonce, aad, text, Tag::Seal(tag)),
            Job::Open { nonce, aad, text, tag, .. } => (nonce, aad, text, Tag::Open(tag)),
            _ => continue,
        };
        match begin(key, nonce, aad, bytes(&text)) {
            Ok(message) => {
                section = bytes(&text) / C::BLOCK * C::BLOCK;
                open = matches!(tag, Tag::Open(_));
                let text = match text {
                    Text::InPlace(t) => Grain::InPlace(t),
                    Text::Apart(s, d) => Grain::Apart(s, d),
                };
                taken.push(i);
                list.push(Sealed { message, text, tag, result: Ok(()) });
            }
            Err(e) => results[i] = Err(e),
        }
    }
    let per = (BYTES.min(engine.options.piece) / section.max(1)).max(1);
    let mut grains = Vec::new();
    let mut list = list.into_iter();
    loop {
        let grain: Vec<_> = list.by_ref().take(per).collect();
        if grain.is_empty() {
            break;
        }
        grains.push(Mutex::new(grain));
    }
    let programs = [key::program(&own.lend()), Program::Gf];
    let work = Sealing { own, section, open, grains };
    let result = engine.split(&work, work.grains.len(), &programs, report);
    let done =
        work.grains.into_iter().flat_map(|g| g.into_inner().unwrap_or_else(|e| e.into_inner()));
    taken.into_iter().zip(done).for_each(|(i, m)| results[i] = result.and(m.result));
    results
}

impl<C: BlockCipher> Sealed<'_, C> {
    /// Processes the whole message on the processor.
    fn whole(&mut self) -> Result<(), Error> {
        let mut message = self.message.clone();
        match &mut self.tag {
            Tag::Seal(tag) => {
                message.encrypt(self.text.here().into());
                tag.copy_from_slice(&message.finish()?);
            }
            Tag::Open(tag) => {
                message.absorb(self.text.source());
                message.check_tag(tag)?;
                self.message.clone().crypt(self.text.here().into());
            }
        }
        Ok(())
    }

    /// Finishes a message after a device has processed its whole blocks; `sum` is their sum.
    fn rest(&mut self, done: &[u8], sum: &[u8]) -> Result<(), Error> {
        let blocks = (done.len() / C::BLOCK) as u64;
        let mut block = C::Block::ZERO;
        block.as_mut().copy_from_slice(sum);
        let mut message = self.message.clone();
        message.advance(blocks, &block);
        if let Tag::Open(tag) = &self.tag {
            message.absorb(&self.text.source()[done.len()..]);
            message.check_tag(tag)?;
            message = self.message.clone();
            message.advance(blocks, &C::Block::ZERO);
        }
        if let Grain::Apart(s, d) = &mut self.text {
            d[done.len()..].copy_from_slice(&s[done.len()..]);
        }
        let (body, tail) = self.text.destination().split_at_mut(done.len());
        body.copy_from_slice(done);
        match &mut self.tag {
            Tag::Seal(tag) => {
                message.encrypt(tail.into());
                tag.copy_from_slice(&message.finish()?);
            }
            Tag::Open(_) => message.crypt(tail.into()),
        }
        Ok(())
    }
}

impl<C: BlockCipher> Split for Sealing<'_, C> {
    fn len(&self, grain: usize) -> usize {
        lock(&self.grains[grain]).len() * self.section
    }
    fn cpu(&self, grain: usize) -> Result<(), Error> {
        lock(&self.grains[grain]).iter_mut().for_each(|m| m.result = m.whole());
        Ok(())
    }
    fn step(&self, grains: Range<usize>) -> Step {
        let (mut y, mut z) = (Zeroizing::new(Vec::new()), Zeroizing::new(Vec::new()));
        for grain in &self.grains[grains] {
            for m in &*lock(grain) {
                let parts = m.message.parts();
                y.extend_from_slice(parts.0.as_ref());
                z.extend_from_slice(parts.1.as_ref());
            }
        }
        let own = self.own.clone();
        if self.open {
            Step::Open(own, y, z, self.section)
        } else {
            Step::Seal(own, y, z, self.section)
        }
    }
    fn fill(&self, grains: Range<usize>, data: &mut [u8]) {
        let mut pieces = data.chunks_mut(self.section);
        for grain in &self.grains[grains] {
            for (m, piece) in lock(grain).iter().zip(&mut pieces) {
                piece.copy_from_slice(&m.text.source()[..self.section]);
            }
        }
    }
    fn empty(&self, grains: Range<usize>, data: &[u8], beside: &[u8]) {
        let mut pieces = data.chunks(self.section).zip(beside.chunks(C::BLOCK));
        for grain in &self.grains[grains] {
            for (m, (piece, sum)) in lock(grain).iter_mut().zip(&mut pieces) {
                m.result = m.rest(piece, sum);
            }
        }
    }
}
