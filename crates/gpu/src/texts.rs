//! Long texts of modes that can be split, in grains.

use std::ops::Range;
use std::sync::Mutex;

use bulat::batch::{AeadKey, Job, Key, Mode, Text};
use bulat::executor::{JobParts, TextParts};
use bulat::modes::{AeadMessage as _, Cnt, CtrAcpkm, Meshing, Mgm};
use bulat::{Aead as _, BlockCipher, BlockMode, Cbc, Cfb, Ctr, Direction, StreamCipher};
use bulat_core::cipher::{Block, Count};

use crate::engine::{Engine, GRAIN, Report, Split, lock};
use crate::slot::{OwnKey, Step};

/// The most sections with keys made in advance: longer lists stay on the processor.
const SECTIONS: usize = 1 << 16;

impl Engine {
    /// Runs a job with a long text that can be split; returns any other job.
    pub(crate) fn long<'a>(
        &self,
        job: Job<'a>,
        report: &Mutex<Report>,
    ) -> Result<Result<(), bulat::Error>, Job<'a>> {
        if job.bytes() < self.options.least {
            return Err(job);
        }
        match job {
            Job::Cipher { key, mode, iv, text } if can(&key, mode, iv, &text) => Ok(match key {
                Key::Kuznyechik(k) => self.cipher(k, &key, mode, iv, text, report),
                Key::Magma(k) => self.cipher(k, &key, mode, iv, text, report),
                Key::Gost28147(k) => self.cipher(k, &key, mode, iv, text, report),
            }),
            Job::Seal { key: AeadKey::KuznyechikMgm(k), nonce, aad, text, tag } if text.even() => {
                Ok(self.seal(k, nonce, aad, text, tag, report))
            }
            Job::Seal { key: AeadKey::MagmaMgm(k), nonce, aad, text, tag } if text.even() => {
                Ok(self.seal(k, nonce, aad, text, tag, report))
            }
            Job::Open { key: AeadKey::KuznyechikMgm(k), nonce, aad, text, tag } if text.even() => {
                Ok(self.open(k, nonce, aad, text, tag, report))
            }
            Job::Open { key: AeadKey::MagmaMgm(k), nonce, aad, text, tag } if text.even() => {
                Ok(self.open(k, nonce, aad, text, tag, report))
            }
            job => Err(job),
        }
    }

    fn cipher<C: BlockCipher>(
        &self,
        cipher: &C,
        key: &Key<'_>,
        mode: Mode,
        iv: &[u8],
        text: Text<'_>,
        report: &Mutex<Report>,
    ) -> Result<(), bulat::Error> {
        let own = OwnKey::of(key);
        let Start { register, sections, gost } = Start::of(cipher, key, mode, iv, text.bytes())?;
        let before = match mode {
            Mode::Cbc(_) | Mode::Cfb(_) => text.before(register.as_ref(), GRAIN),
            _ => Vec::new(),
        };
        let grains = grains(text)?;
        let count = grains.len();
        let work = Cipher { cipher, own, mode, register, sections, before, gost, grains };
        self.split(&work, count, &[crate::key::program(key)], report)
    }

    fn seal<C: BlockCipher>(
        &self,
        key: &Mgm<C>,
        nonce: &[u8],
        aad: &[u8],
        text: Text<'_>,
        tag: &mut [u8],
        report: &Mutex<Report>,
    ) -> Result<(), bulat::Error>
    where
        OwnKey: for<'a> From<&'a C>,
    {
        if tag.len() != key.tag_len() {
            return Err(bulat::Error::TagLength);
        }
        let mut message = begin(key, nonce, aad, text.bytes())?;
        let whole = text.bytes() / C::BLOCK * C::BLOCK;
        let (body, mut end) = text.split_at(whole)?;
        self.mgm(key, &mut message, Pass::Seal, grains(body)?, report)?;
        message.encrypt(end.here().into());
        let made = message.finish()?;
        tag.copy_from_slice(&made);
        Ok(())
    }

    fn open<C: BlockCipher>(
        &self,
        key: &Mgm<C>,
        nonce: &[u8],
        aad: &[u8],
        text: Text<'_>,
        tag: &[u8],
        report: &Mutex<Report>,
    ) -> Result<(), bulat::Error>
    where
        OwnKey: for<'a> From<&'a C>,
    {
        let mut message = begin(key, nonce, aad, text.bytes())?;
        let mut second = begin(key, nonce, aad, text.bytes())?;
        let whole = text.bytes() / C::BLOCK * C::BLOCK;
        let (body, mut end) = text.split_at(whole)?;
        // Nothing is decrypted before the tag has been checked.
        let body = self.mgm(key, &mut message, Pass::Absorb, grains(body)?, report)?;
        message.absorb(end.source());
        message.check_tag(tag)?;
        self.mgm(key, &mut second, Pass::Crypt, body, report)?;
        second.crypt(end.here().into());
        Ok(())
    }

    /// Makes one pass over the whole blocks, and moves the message past them.
    fn mgm<'a, C: BlockCipher>(
        &self,
        key: &Mgm<C>,
        message: &mut bulat::executor::MgmMessage<C>,
        pass: Pass,
        grains: Vec<Mutex<Text<'a>>>,
        report: &Mutex<Report>,
    ) -> Result<Vec<Mutex<Text<'a>>>, bulat::Error>
    where
        OwnKey: for<'k> From<&'k C>,
    {
        let blocks = grains.iter().map(|g| lock(g).source().len() / C::BLOCK).sum::<usize>() as u64;
        let own = OwnKey::from(key.cipher());
        let program = crate::key::program(&own.lend());
        let work = Authenticated {
            message: &*message,
            own,
            pass,
            sum: Mutex::new(C::Block::ZERO),
            grains,
        };
        self.split(&work, work.grains.len(), &[program, crate::Program::Gf], report)?;
        let Authenticated { sum, grains, .. } = work;
        message.advance(blocks, &sum.into_inner().unwrap_or_else(|e| e.into_inner()));
        Ok(grains)
    }
}

/// The start of a text in a mode.
pub(crate) struct Start<C: BlockCipher> {
    /// The register before the first block.
    pub register: C::Block,
    /// The keys of CTR-ACPKM.
    pub sections: Vec<C>,
    /// CNT, for the part that the processor does.
    pub gost: Option<Cnt>,
}

impl<C: BlockCipher> Start<C> {
    /// Computes the start for modes that can be split; the IV of CBC and CFB must be a block long.
    pub fn of(
        cipher: &C,
        key: &Key<'_>,
        mode: Mode,
        iv: &[u8],
        len: usize,
    ) -> Result<Self, bulat::Error> {
        let n = C::BLOCK;
        let (mut register, mut sections, mut gost) = (C::Block::ZERO, Vec::new(), None);
        match mode {
            Mode::Ecb(_) => {}
            Mode::Ctr => {
                Ctr::with(cipher.clone(), iv)?;
                register.as_mut()[..n / 2].copy_from_slice(iv);
            }
            Mode::CtrAcpkm(section) => {
                CtrAcpkm::with(cipher.clone(), iv, section)?;
                register.as_mut()[..n / 2].copy_from_slice(iv);
                sections.push(cipher.clone());
                while sections.len() < len.div_ceil(section) {
                    let next = sections.last().map(bulat::modes::acpkm);
                    sections.extend(next);
                }
            }
            Mode::Cnt(_) => {
                let Key::Gost28147(g) = key else { return Err(bulat::Error::Parameter) };
                gost = Some(Cnt::with((*g).clone(), iv)?.meshing(Meshing::None));
                register.as_mut().copy_from_slice(iv);
                cipher.encrypt_block(&mut register);
            }
            _ => register.as_mut().copy_from_slice(iv),
        }
        Ok(Start { register, sections, gost })
    }
}

/// Returns whether devices can split this text: checks its IV and length.
fn can(key: &Key<'_>, mode: Mode, iv: &[u8], text: &Text<'_>) -> bool {
    let n = if matches!(key, Key::Kuznyechik(_)) { 16 } else { 8 };
    let len = text.bytes();
    // The library refuses the lengths that the standards forbid.
    let allowed = text.even() && (len as u64 / n as u64) < 1 << 31;
    allowed
        && match mode {
            Mode::Ecb(_) => iv.is_empty() && len.is_multiple_of(n),
            Mode::Cbc(Direction::Decrypt) => iv.len() == n && len.is_multiple_of(n),
            Mode::Cfb(Direction::Decrypt) => iv.len() == n,
            Mode::Ctr => iv.len() == n / 2,
            Mode::CtrAcpkm(section) => {
                iv.len() == n / 2
                    && section > 0
                    && GRAIN.is_multiple_of(section)
                    && section.is_multiple_of(n)
                    && len / section < SECTIONS
            }
            Mode::Cnt(Meshing::None) => matches!(key, Key::Gost28147(_)) && iv.len() == 8,
            _ => false,
        }
}

fn grains(text: Text<'_>) -> Result<Vec<Mutex<Text<'_>>>, bulat::Error> {
    Ok(text.pieces(GRAIN)?.into_iter().map(Mutex::new).collect())
}

fn fill(grains: &[Mutex<Text<'_>>], data: &mut [u8]) {
    let mut at = 0;
    for grain in grains {
        let grain = lock(grain);
        let source = grain.source();
        data[at..at + source.len()].copy_from_slice(source);
        at += source.len();
    }
}

fn empty(grains: &[Mutex<Text<'_>>], data: &[u8]) {
    let mut at = 0;
    for grain in grains {
        let mut grain = lock(grain);
        let to = grain.destination();
        to.copy_from_slice(&data[at..at + to.len()]);
        at += to.len();
    }
}

/// Encryption without authentication.
struct Cipher<'a, C: BlockCipher> {
    cipher: &'a C,
    own: OwnKey,
    mode: Mode,
    /// The register before the first block.
    register: C::Block,
    sections: Vec<C>,
    before: Vec<C::Block>,
    gost: Option<Cnt>,
    grains: Vec<Mutex<Text<'a>>>,
}

/// Returns the counter of CTR after this many bytes.
pub(crate) fn after<B: Block>(mut counter: B, bytes: usize) -> B {
    Count::Whole.skip(counter.as_mut(), (bytes / B::LEN) as u64);
    counter
}

/// Returns the counters before these sections, concatenated.
pub(crate) fn registers<B: Block>(first: B, section: usize, all: Range<usize>) -> Vec<u8> {
    all.flat_map(|i| after(first, i * section).as_ref().to_vec()).collect()
}

impl<C: BlockCipher> Split for Cipher<'_, C> {
    fn len(&self, grain: usize) -> usize {
        lock(&self.grains[grain]).source().len()
    }
    fn cpu(&self, grain: usize) -> Result<(), bulat::Error> {
        let mut text = lock(&self.grains[grain]);
        let text = text.here();
        match self.mode {
            Mode::Ecb(direction) => self.cipher.map(direction, text.into()),
            Mode::Ctr => {
                let counter = after(self.register, grain * GRAIN);
                Ctr::from_block(self.cipher.clone(), counter).apply_keystream(text)?;
            }
            Mode::CtrAcpkm(section) => {
                let first = grain * GRAIN / section;
                for (i, piece) in text.chunks_mut(section).enumerate() {
                    let counter = after(self.register, (first + i) * section);
                    Ctr::from_block(self.sections[first + i].clone(), counter)
                        .apply_keystream(piece)?;
                }
            }
            Mode::Cnt(_) => {
                let mut cnt = self.gost.clone().ok_or(bulat::Error::Parameter)?;
                bulat::executor::cnt_skip(&mut cnt, (grain * GRAIN / 8) as u64);
                cnt.apply_keystream(text)?;
            }
            Mode::Cbc(_) => {
                Cbc::with(self.cipher.clone(), self.before[grain].as_ref(), Direction::Decrypt)?
                    .update(text)?;
            }
            _ => Cfb::with(self.cipher.clone(), self.before[grain].as_ref(), Direction::Decrypt)?
                .apply_keystream(text)?,
        }
        Ok(())
    }
    fn step(&self, grains: Range<usize>) -> Step {
        let (own, first) = (self.own.clone(), grains.start);
        match self.mode {
            Mode::Ecb(direction) => Step::Ecb(own, direction),
            Mode::Ctr => {
                let counter = after(self.register, first * GRAIN);
                Step::Stream(own, Count::Whole, counter.as_ref().to_vec())
            }
            Mode::CtrAcpkm(section) => {
                let end = (grains.end * GRAIN).div_ceil(section).min(self.sections.len());
                let all = first * GRAIN / section..end;
                let registers = registers(self.register, section, all.clone());
                let keys = self.sections[all].iter();
                Step::Sections(keys.map(|k| self.own.of_cipher(k)).collect(), registers, section)
            }
            Mode::Cnt(_) => {
                let mut register = [0; 8];
                register.copy_from_slice(self.register.as_ref());
                let register = bulat_core::magma::cnt_after(register, (first * GRAIN / 8) as u64);
                Step::Stream(own, Count::Cnt, register.to_vec())
            }
            Mode::Cbc(_) => Step::Cbc(own, self.before[first].as_ref().to_vec()),
            _ => Step::Cfb(own, self.before[first].as_ref().to_vec()),
        }
    }
    fn fill(&self, grains: Range<usize>, data: &mut [u8]) {
        fill(&self.grains[grains], data);
    }
    fn empty(&self, grains: Range<usize>, data: &[u8], _: &[u8]) {
        empty(&self.grains[grains], data);
    }
}

/// The purpose of a pass of MGM.
#[derive(Clone, Copy, PartialEq)]
enum Pass {
    Seal,
    Absorb,
    Crypt,
}

struct Authenticated<'a, 'm, C: BlockCipher> {
    message: &'m bulat::executor::MgmMessage<C>,
    own: OwnKey,
    pass: Pass,
    sum: Mutex<C::Block>,
    grains: Vec<Mutex<Text<'a>>>,
}

impl<C: BlockCipher> Authenticated<'_, '_, C> {
    fn fork(&self, grain: usize) -> bulat::executor::MgmMessage<C> {
        self.message.fork((grain * GRAIN / C::BLOCK) as u64)
    }
    fn add(&self, sum: &[u8]) {
        lock(&self.sum).as_mut().iter_mut().zip(sum).for_each(|(a, b)| *a ^= b);
    }
}

impl<C: BlockCipher> Split for Authenticated<'_, '_, C> {
    fn len(&self, grain: usize) -> usize {
        lock(&self.grains[grain]).source().len()
    }
    fn cpu(&self, grain: usize) -> Result<(), bulat::Error> {
        let mut fork = self.fork(grain);
        let mut text = lock(&self.grains[grain]);
        match self.pass {
            Pass::Seal => fork.encrypt(text.here().into()),
            Pass::Absorb => fork.absorb(text.source()),
            Pass::Crypt => fork.crypt(text.here().into()),
        }
        fork.flush();
        self.add(fork.parts().2.as_ref());
        Ok(())
    }
    fn step(&self, grains: Range<usize>) -> Step {
        let fork = self.fork(grains.start);
        let (y, z, _) = fork.parts();
        let (own, y, z) =
            (self.own.clone(), y.as_ref().to_vec().into(), z.as_ref().to_vec().into());
        match self.pass {
            Pass::Seal => Step::Seal(own, y, z, usize::MAX),
            Pass::Absorb => Step::Absorb(own, z),
            Pass::Crypt => Step::Stream(own, Count::Right, fork.parts().0.as_ref().to_vec()),
        }
    }
    fn fill(&self, grains: Range<usize>, data: &mut [u8]) {
        fill(&self.grains[grains], data);
    }
    fn empty(&self, grains: Range<usize>, data: &[u8], beside: &[u8]) {
        if self.pass != Pass::Absorb {
            empty(&self.grains[grains], data);
        }
        self.add(beside);
    }
}

pub(crate) fn begin<C: BlockCipher>(
    key: &Mgm<C>,
    nonce: &[u8],
    aad: &[u8],
    len: usize,
) -> Result<bulat::executor::MgmMessage<C>, bulat::Error> {
    let mut message = key.message(nonce)?;
    message.aad(aad)?;
    message.begin_text(len)?;
    message.flush();
    Ok(message)
}
