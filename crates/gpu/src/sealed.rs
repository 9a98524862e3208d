//! Lists of messages in MGM, in runs of one key and one number of whole blocks.

use std::ops::Range;
use std::sync::Mutex;

use bulat::batch::{AeadKey, Job, Text};
use bulat::executor::{MgmMessage, TextParts};
use bulat::modes::{AeadMessage as _, Mgm};
use bulat::{BlockCipher, Error};
use bulat_core::cipher::Block;
use zeroize::Zeroizing;

use crate::engine::{Engine, Report, Split, lock};
use crate::messages::BYTES;
use crate::slot::{OwnKey, Step};
use crate::texts::begin;
use crate::{Program, key};

/// A message in MGM, ready for its text.
struct Sealed<'a, C: BlockCipher> {
    message: MgmMessage<C>,
    text: Text<'a>,
    tag: Tag<'a>,
    result: Result<(), Error>,
}

enum Tag<'a> {
    Seal(&'a mut [u8]),
    Open(&'a [u8]),
}

/// Messages of one cipher.
struct Sealing<'a, C: BlockCipher> {
    open: bool,
    /// The keys, and the bytes in the whole blocks of each of their messages.
    keys: Vec<(OwnKey, usize)>,
    /// Messages, with the number of their key.
    grains: Vec<(usize, Mutex<Vec<Sealed<'a, C>>>)>,
}

pub(crate) fn sealed<'a, C: BlockCipher>(
    engine: &Engine,
    cipher: impl Fn(AeadKey<'a>) -> Option<&'a Mgm<C>>,
    open: bool,
    jobs: Vec<Job<'a>>,
    report: &Mutex<Report>,
) -> Vec<Result<(), Error>>
where
    OwnKey: for<'k> From<&'k C>,
{
    let mut results = vec![Err(Error::Parameter); jobs.len()];
    let (mut taken, mut programs, mut before) = (Vec::new(), vec![Program::Gf], None);
    // A vector of keys that grew would leave copies behind.
    let keys = Vec::with_capacity(jobs.len());
    let mut work = Sealing { open, keys, grains: Vec::new() };
    for (i, job) in jobs.into_iter().enumerate() {
        let (key, nonce, aad, text, tag) = match job {
            Job::Seal { key, nonce, aad, text, tag } => (key, nonce, aad, text, Tag::Seal(tag)),
            Job::Open { key, nonce, aad, text, tag } => (key, nonce, aad, text, Tag::Open(tag)),
            _ => continue,
        };
        let Some(key) = cipher(key) else { continue };
        let section = text.bytes() / C::BLOCK * C::BLOCK;
        match begin(key, nonce, aad, text.bytes()) {
            Ok(message) => {
                let kind = Some((std::ptr::from_ref(key), section));
                if before != kind {
                    before = kind;
                    let own = OwnKey::from(key.cipher());
                    programs.push(key::program(&own.lend()));
                    work.keys.push((own, section));
                    work.grains.push((work.keys.len() - 1, Mutex::default()));
                }
                let most = BYTES.min(engine.options.piece) / section.max(1);
                if let Some((of, list)) = work.grains.last()
                    && lock(list).len() >= most.max(1)
                {
                    work.grains.push((*of, Mutex::default()));
                }
                if let Some((_, list)) = work.grains.last() {
                    lock(list).push(Sealed { message, text, tag, result: Ok(()) });
                }
                taken.push(i);
            }
            Err(e) => results[i] = Err(e),
        }
    }
    programs.dedup();
    let result = engine.split(&work, work.grains.len(), &programs, report);
    let done = work.grains.into_iter();
    let done = done.flat_map(|(_, list)| list.into_inner().unwrap_or_else(|e| e.into_inner()));
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
        if let Text::Apart(s, d) = &mut self.text {
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
        let (key, list) = &self.grains[grain];
        lock(list).len() * self.keys[*key].1
    }
    fn kind(&self, grain: usize) -> usize {
        self.grains[grain].0
    }
    fn cpu(&self, grain: usize) -> Result<(), Error> {
        lock(&self.grains[grain].1).iter_mut().for_each(|m| m.result = m.whole());
        Ok(())
    }
    fn step(&self, grains: Range<usize>) -> Step {
        let (mut y, mut z) = (Zeroizing::new(Vec::new()), Zeroizing::new(Vec::new()));
        let (own, section) = &self.keys[self.grains[grains.start].0];
        for (_, list) in &self.grains[grains] {
            for m in &*lock(list) {
                let parts = m.message.parts();
                y.extend_from_slice(parts.0.as_ref());
                z.extend_from_slice(parts.1.as_ref());
            }
        }
        let own = own.clone();
        if self.open { Step::Open(own, y, z, *section) } else { Step::Seal(own, y, z, *section) }
    }
    fn fill(&self, grains: Range<usize>, data: &mut [u8]) {
        let section = self.keys[self.grains[grains.start].0].1;
        let mut pieces = data.chunks_mut(section);
        for (_, list) in &self.grains[grains] {
            for (m, piece) in lock(list).iter().zip(&mut pieces) {
                piece.copy_from_slice(&m.text.source()[..section]);
            }
        }
    }
    fn empty(&self, grains: Range<usize>, data: &[u8], beside: &[u8]) {
        let section = self.keys[self.grains[grains.start].0].1;
        let mut pieces = data.chunks(section).zip(beside.chunks(C::BLOCK));
        for (_, list) in &self.grains[grains] {
            for (m, (piece, sum)) in lock(list).iter_mut().zip(&mut pieces) {
                m.result = m.rest(piece, sum);
            }
        }
    }
}
