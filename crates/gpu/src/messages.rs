//! Many messages: lists of jobs of one sort, in grains of enough messages for a step.

use std::ops::Range;
use std::sync::Mutex;

use bulat::batch::{self, AeadKey, Job, Key, MacMode, Mode, Text};
use bulat::executor::{JobParts, TextParts};
use bulat::modes::Meshing;
use bulat::{Aead as _, BlockCipher, Direction, Error, Gost28147, Mac as _, Omac, executor};
use bulat_core::cipher::{Block, Chain, Data, Shapes as _};
use zeroize::Zeroizing;

use crate::engine::{Engine, Report, Split, lock};
use crate::sealed::sealed;
use crate::slot::{OwnKey, Step};
use crate::{Program, key};

/// The messages of a grain, and its bytes if its messages are short.
const MESSAGES: usize = 1024;
pub(crate) const BYTES: usize = 1 << 20;
/// The shortest message in MGM for a device: each also costs the processor a few blocks.
const LEAST: usize = 4096;

/// The common properties of a list's jobs. Keys that must be equal are compared by address.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Sort {
    /// Streebog, HMAC, by the digest's length in bytes.
    Hash(usize),
    Hmac(usize),
    /// A key for each message, all of one cipher.
    Omac(Program),
    Imit(Program),
    Cbc(Program),
    Cfb(Program),
    Ofb(Program),
    /// One key, and the length of a sector, or of the whole blocks of a text.
    Sectors {
        key: usize,
        bytes: usize,
        decrypt: bool,
    },
    Mgm {
        block: usize,
        key: usize,
        blocks: usize,
        open: bool,
    },
}

impl Sort {
    /// Returns the list for a job if devices can do it. Invalid jobs are left for the library to refuse.
    pub fn of(job: &Job<'_>) -> Option<Sort> {
        match job {
            Job::Hash256(..) => Some(Sort::Hash(32)),
            Job::Hash512(..) => Some(Sort::Hash(64)),
            Job::Hmac256(..) => Some(Sort::Hmac(32)),
            Job::Hmac512(..) => Some(Sort::Hmac(64)),
            Job::Mac { key, mode: MacMode::Omac, iv: [], tag, .. }
                if (1..=block(key)).contains(&tag.len()) =>
            {
                Some(Sort::Omac(key::program(key)))
            }
            Job::Mac { key: key @ Key::Gost28147(_), mode, iv, tag, .. }
                if *mode == MacMode::Imit(Meshing::None)
                    && matches!(iv.len(), 0 | 8)
                    && (1..=8).contains(&tag.len()) =>
            {
                Some(Sort::Imit(key::program(key)))
            }
            Job::Cipher { key, mode, iv, text } if iv.len() == block(key) && text.even() => {
                let (old, program) = (matches!(key, Key::Gost28147(_)), key::program(key));
                match mode {
                    Mode::Cbc(Direction::Encrypt) if text.bytes().is_multiple_of(block(key)) => {
                        Some(Sort::Cbc(program))
                    }
                    Mode::Cbc28147(Direction::Encrypt, Meshing::None)
                        if old && text.bytes().is_multiple_of(8) =>
                    {
                        Some(Sort::Cbc(program))
                    }
                    Mode::Cfb(Direction::Encrypt) => Some(Sort::Cfb(program)),
                    Mode::Cfb28147(Direction::Encrypt, Meshing::None) if old => {
                        Some(Sort::Cfb(program))
                    }
                    Mode::Ofb => Some(Sort::Ofb(program)),
                    _ => None,
                }
            }
            Job::Sector { key, direction, text, .. }
                if text.even()
                    && text.bytes() > 0
                    && text.bytes().is_multiple_of(16)
                    && text.bytes() <= BYTES =>
            {
                let key = std::ptr::from_ref(*key).addr();
                let decrypt = *direction == Direction::Decrypt;
                Some(Sort::Sectors { key, bytes: text.bytes(), decrypt })
            }
            Job::Seal { key, text, tag, .. } => mgm(key, text, tag.len(), false),
            Job::Open { key, text, tag, .. } => mgm(key, text, tag.len(), true),
            _ => None,
        }
    }

    /// Returns the fewest messages that are worth a device.
    pub fn least(self) -> usize {
        if matches!(self, Sort::Sectors { .. } | Sort::Mgm { .. }) { 2 } else { 64 }
    }

    /// Returns the sort of lists that run together.
    pub fn of_any_key(self) -> Sort {
        match self {
            Sort::Mgm { block, open, .. } => Sort::Mgm { block, key: 0, blocks: 0, open },
            sort => sort,
        }
    }

    /// Each message begins at a multiple of this many bytes of its piece.
    fn align(self) -> usize {
        if matches!(self, Sort::Hash(_) | Sort::Hmac(_)) { 4 } else { 16 }
    }

    fn programs(self) -> Vec<Program> {
        match self {
            Sort::Hash(_) | Sort::Hmac(_) => vec![Program::Streebog],
            Sort::Sectors { .. } => vec![Program::Kuznyechik, Program::Beside],
            Sort::Mgm { .. } => vec![Program::Gf],
            Sort::Omac(p) | Sort::Imit(p) | Sort::Cbc(p) | Sort::Cfb(p) | Sort::Ofb(p) => {
                vec![p, Program::Beside]
            }
        }
    }
}

fn block(key: &Key<'_>) -> usize {
    if matches!(key, Key::Kuznyechik(_)) { 16 } else { 8 }
}

fn mgm(key: &AeadKey<'_>, text: &Text<'_>, tag: usize, open: bool) -> Option<Sort> {
    let (key, n, whole) = match key {
        AeadKey::KuznyechikMgm(k) => (std::ptr::from_ref(*k).addr(), 16, k.tag_len()),
        AeadKey::MagmaMgm(k) => (std::ptr::from_ref(*k).addr(), 8, k.tag_len()),
        _ => return None,
    };
    let fits = text.even() && tag == whole && (LEAST..=4 * BYTES).contains(&text.bytes());
    fits.then(|| Sort::Mgm { block: n, key, blocks: text.bytes() / n, open })
}

/// Runs a list, and stores its results.
pub(crate) fn run(
    engine: &Engine,
    sort: Sort,
    list: Vec<(usize, Job<'_>)>,
    results: &mut [Result<(), Error>],
    report: &Mutex<Report>,
) {
    let (numbers, jobs): (Vec<usize>, Vec<Job<'_>>) = list.into_iter().unzip();
    let done = match sort {
        Sort::Mgm { block: 16, open, .. } => {
            let kuznyechik = |key| match key {
                AeadKey::KuznyechikMgm(k) => Some(k),
                _ => None,
            };
            sealed(engine, kuznyechik, open, jobs, report)
        }
        Sort::Mgm { open, .. } => {
            let magma = |key| match key {
                AeadKey::MagmaMgm(k) => Some(k),
                _ => None,
            };
            sealed(engine, magma, open, jobs, report)
        }
        _ => messages(engine, sort, jobs, report),
    };
    numbers.into_iter().zip(done).for_each(|(i, result)| results[i] = result);
}

/// Jobs with the texts of one call, and their results.
struct Messages<'a> {
    sort: Sort,
    grains: Vec<Mutex<Vec<(Job<'a>, Result<(), Error>)>>>,
}

fn messages(
    engine: &Engine,
    sort: Sort,
    jobs: Vec<Job<'_>>,
    report: &Mutex<Report>,
) -> Vec<Result<(), Error>> {
    let mut grains = Vec::new();
    let mut jobs = jobs.into_iter().peekable();
    while jobs.peek().is_some() {
        let (mut grain, mut room) = (Vec::new(), BYTES.min(engine.options.piece));
        while let Some(job) = jobs.next_if(|j| {
            grain.is_empty() || (grain.len() < MESSAGES && j.bytes() + sort.align() <= room)
        }) {
            room = room.saturating_sub(job.bytes().next_multiple_of(sort.align()));
            grain.push((job, Ok(())));
        }
        grains.push(Mutex::new(grain));
    }
    let work = Messages { sort, grains };
    let result = engine.split(&work, work.grains.len(), &sort.programs(), report);
    let all =
        work.grains.into_iter().flat_map(|g| g.into_inner().unwrap_or_else(|e| e.into_inner()));
    all.map(|(_, r)| result.and(r)).collect()
}

impl Messages<'_> {
    fn each(&self, grains: Range<usize>, mut f: impl FnMut(&mut Job<'_>)) {
        for grain in &self.grains[grains] {
            lock(grain).iter_mut().for_each(|(job, _)| f(job));
        }
    }
}

impl Split for Messages<'_> {
    fn len(&self, grain: usize) -> usize {
        let n = self.sort.align();
        lock(&self.grains[grain]).iter().map(|(j, _)| j.bytes().next_multiple_of(n)).sum()
    }
    fn cpu(&self, grain: usize) -> Result<(), Error> {
        let mut jobs = lock(&self.grains[grain]);
        let done = batch::run(jobs.iter_mut().map(|(job, _)| job.again()).collect());
        jobs.iter_mut().zip(done).for_each(|((_, result), r)| *result = r);
        Ok(())
    }
    fn step(&self, grains: Range<usize>) -> Step {
        let (mut at, mut lengths, mut end) = (Vec::new(), Vec::new(), 0);
        // Registers, keys of HMAC, or tweaks.
        let (mut keys, mut beside) = (Vec::new(), Zeroizing::new(Vec::new()));
        let mut sector = None;
        self.each(grains, |job| {
            let len = job.bytes();
            at.push(end as u64);
            end += len.next_multiple_of(self.sort.align());
            let whole = match job {
                Job::Cipher { key, iv, .. } => {
                    keys.push(OwnKey::of(key));
                    beside.extend_from_slice(iv);
                    len / block(key) * block(key)
                }
                Job::Mac { key, mode, iv, .. } => {
                    keys.push(OwnKey::of(key));
                    let n = block(key);
                    beside.extend_from_slice(if iv.is_empty() { &[0; 16][..n] } else { iv });
                    body(*mode, len, n)
                }
                Job::Hmac256(key, ..) => {
                    beside.extend_from_slice(&*executor::hmac_block(key));
                    len
                }
                Job::Hmac512(key, ..) => {
                    beside.extend_from_slice(&*executor::hmac_block(key));
                    len
                }
                Job::Sector { key, tweak, direction, .. } => {
                    beside.extend_from_slice(&tweak[..]);
                    sector.get_or_insert_with(|| {
                        let (data, tweak) = executor::xts_ciphers(key);
                        (OwnKey::from(data), tweak.clone(), *direction, len)
                    });
                    len
                }
                _ => len,
            };
            lengths.push(whole as u64);
        });
        let chain = match self.sort {
            Sort::Hash(size) => return Step::Hash(size, at, lengths),
            Sort::Hmac(size) => return Step::Hmac(size, beside, at, lengths),
            Sort::Cbc(_) => Chain::CbcEncrypt,
            Sort::Cfb(_) => Chain::CfbEncrypt,
            Sort::Ofb(_) => Chain::Ofb,
            Sort::Imit(_) => Chain::Imit,
            _ => Chain::Mac,
        };
        if let Some((data, tweak, direction, len)) = sector {
            tweak.map(Direction::Encrypt, beside.as_mut_slice().into());
            return Step::Xts(data, direction, beside, len);
        }
        Step::Lanes(keys, chain, at, lengths, beside)
    }
    fn fill(&self, grains: Range<usize>, data: &mut [u8]) {
        let mut end = 0;
        self.each(grains, |job| {
            let message = job.message();
            data[end..end + message.len()].copy_from_slice(message);
            end += message.len().next_multiple_of(self.sort.align());
        });
    }
    fn empty(&self, grains: Range<usize>, data: &[u8], mut beside: &[u8]) {
        let mut end = 0;
        self.each(grains, |job| {
            let here = &data[end..end + job.bytes()];
            end += here.len().next_multiple_of(self.sort.align());
            let mut take = |n: usize| {
                let some;
                (some, beside) = beside.split_at(n);
                some
            };
            match job {
                Job::Hash256(_, d) | Job::Hmac256(_, _, d) => d.copy_from_slice(take(32)),
                Job::Hash512(_, d) | Job::Hmac512(_, _, d) => d.copy_from_slice(take(64)),
                Job::Sector { text, .. } => text.destination().copy_from_slice(here),
                Job::Cipher { key, text, .. } => {
                    let (n, state) = (block(key), take(block(key)));
                    let whole = here.len() / n * n;
                    // A partial block at the end: encrypts the register once more.
                    let mut gamma = Zeroizing::new([0; 16]);
                    gamma[..n].copy_from_slice(state);
                    match key {
                        Key::Kuznyechik(k) => {
                            k.map(Direction::Encrypt, gamma.as_mut_slice().into())
                        }
                        Key::Magma(k) => k.map(Direction::Encrypt, (&mut gamma[..8]).into()),
                        Key::Gost28147(k) => k.map(Direction::Encrypt, (&mut gamma[..8]).into()),
                    }
                    let mut tail = Zeroizing::new([0; 16]);
                    let last = &text.source()[whole..];
                    tail.iter_mut().zip(last).zip(&*gamma).for_each(|((t, x), g)| *t = x ^ g);
                    let to = text.destination();
                    to[..whole].copy_from_slice(&here[..whole]);
                    let rest = to.len() - whole;
                    to[whole..].copy_from_slice(&tail[..rest]);
                }
                Job::Mac { key, mode, message, tag, .. } => {
                    let (len, n) = (message.len(), block(key));
                    finish(key, *mode, take(n), len, &message[body(*mode, len, n)..], tag);
                }
                _ => {}
            }
        });
    }
}

/// Returns the bytes before a message's end, which the processor does: the last block of OMAC, the partial block of IMIT.
pub(crate) fn body(mode: MacMode, len: usize, block: usize) -> usize {
    let len = if mode == MacMode::Omac { len.saturating_sub(1) } else { len };
    len / block * block
}

/// Finishes the MAC of a message of `len` bytes.
pub(crate) fn finish(
    key: &Key<'_>,
    mode: MacMode,
    state: &[u8],
    len: usize,
    end: &[u8],
    tag: &mut [u8],
) {
    match key {
        Key::Kuznyechik(k) => omac(*k, state, end, tag),
        Key::Magma(k) => omac(*k, state, end, tag),
        Key::Gost28147(k) if mode == MacMode::Omac => omac(*k, state, end, tag),
        Key::Gost28147(k) => imit(k, state, len, end, tag),
    }
}

fn omac<C: BlockCipher>(key: &C, state: &[u8], end: &[u8], tag: &mut [u8]) {
    let mut register = C::Block::ZERO;
    register.as_mut().copy_from_slice(state);
    let mut omac = executor::omac_after(Omac::with(key.clone()), register);
    omac.update(end);
    if let Ok(whole) = omac.finalize() {
        let n = tag.len();
        tag.copy_from_slice(&whole[..n]);
    }
}

/// Adds the partial block, filled with zeros, and after a message of one block a block of zeros.
fn imit(key: &Gost28147, state: &[u8], len: usize, rest: &[u8], tag: &mut [u8]) {
    let mut register = [0; 8];
    register.copy_from_slice(state);
    let mut last = Zeroizing::new([0; 8]);
    last[..rest.len()].copy_from_slice(rest);
    if !rest.is_empty() {
        key.chain(Chain::Imit, &mut register, Data::Read(&*last));
    }
    if (1..=8).contains(&len) {
        key.chain(Chain::Imit, &mut register, Data::Read(&[0; 8]));
    }
    let n = tag.len();
    tag.copy_from_slice(&register[..n]);
}
