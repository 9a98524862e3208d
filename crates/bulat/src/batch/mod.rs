//! Many messages in one call: [`run`] finishes a list of [`Job`]s before it returns.
//!
//! Jobs may differ in algorithm, key, length and direction. Messages in chained modes run side by side, a message in
//! each lane of the kernel, each under its own key; hashes and HMAC use the kernel for several messages; in modes with
//! independent blocks one message fills the kernel. Results come in the order of the jobs, and an error affects no
//! other job.
//!
//! ```
//! use bulat::batch::{Job, MacMode, run};
//! use bulat::Magma;
//! let keys: Vec<Magma> = (0..100).map(|i| Magma::new(&[i; 32])).collect();
//! let mut tags = vec![[0u8; 8]; 100];
//! let jobs = keys
//!     .iter()
//!     .zip(&mut tags)
//!     .map(|(key, tag)| Job::mac(key, MacMode::Omac, b"a message", tag))
//!     .collect();
//! assert!(run(jobs).iter().all(|result| result.is_ok()));
//! ```

mod alone;
mod cms;
mod gost94;
mod hash;
mod lanes;
mod message;
mod order;
pub(crate) mod parts;
mod short;
#[cfg(feature = "threads")]
mod threads;

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::cipher::{Block, Chain, Chained, Data, Lane};
use crate::kdf::{HmacStreebog256, HmacStreebog512};
use crate::modes::burst::{Packet, Tag};
use crate::modes::{
    AcpkmMaster, Aead, BlockMode, Cbc, Cbc28147, Cfb, Cfb28147, Cnt, CtrAcpkm, CtrAcpkmOmac,
    Meshing, Mgm, Omac, StreamCipher, Xts, ctr_once,
};
use crate::{BlockCipher, Direction, Error, Gost28147, InOut, Kuznyechik, Magma, Sboxes, Secret};
#[cfg(feature = "threads")]
pub use threads::run_on_threads;

use cms::Cms;
use hash::Hmac;
use lanes::drain;
use message::{End, Message, Rekey};
use short::{SHORT, Sector, sectors, short};

/// A cipher with a key, made once and used by any number of jobs, from any thread.
#[derive(Clone, Copy)]
pub enum Key<'a> {
    /// Kuznyechik.
    Kuznyechik(&'a Kuznyechik),
    /// Magma.
    Magma(&'a Magma),
    /// GOST 28147-89.
    Gost28147(&'a Gost28147),
}

/// A mode of encryption. ECB and CBC need whole blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// [`crate::modes::Ecb`]; no IV.
    Ecb(Direction),
    /// [`Cbc`].
    Cbc(Direction),
    /// [`crate::modes::Ctr`].
    Ctr,
    /// [`Cfb`] with s = n.
    Cfb(Direction),
    /// [`crate::modes::Ofb`] with s = n.
    Ofb,
    /// [`CtrAcpkm`] with sections of this many bytes.
    CtrAcpkm(usize),
    /// [`Cnt`].
    Cnt(Meshing),
    /// [`Cfb28147`].
    Cfb28147(Direction, Meshing),
    /// [`Cbc28147`].
    Cbc28147(Direction, Meshing),
}

impl Mode {
    /// Returns the chain of a mode under a cipher with blocks of `n` bytes: a register of one block makes it one.
    fn chain(self, iv: &[u8], n: usize) -> Option<Chain> {
        match self {
            _ if iv.len() != n => None,
            Mode::Cbc(Direction::Encrypt) => Some(Chain::CbcEncrypt),
            Mode::Cfb(Direction::Encrypt) => Some(Chain::CfbEncrypt),
            Mode::Ofb => Some(Chain::Ofb),
            _ => None,
        }
    }
}

/// A MAC by a block cipher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MacMode {
    /// [`crate::modes::Omac`]; no IV.
    Omac,
    /// [`crate::modes::OmacAcpkm`]; no IV.
    OmacAcpkm {
        /// N in bytes.
        section: usize,
        /// T* in bytes.
        period: usize,
    },
    /// [`crate::modes::Imit`].
    Imit(Meshing),
}

/// A key of OMAC with its K1, made once and used by any number of jobs, from any thread.
#[derive(Clone, Copy)]
pub enum OmacKey<'a> {
    /// OMAC under Kuznyechik.
    Kuznyechik(&'a Omac<Kuznyechik>),
    /// OMAC under Magma.
    Magma(&'a Omac<Magma>),
}

impl Key<'_> {
    /// Returns the bytes of a block.
    fn block(&self) -> usize {
        if let Key::Kuznyechik(_) = self { 16 } else { 8 }
    }
}

/// A text to transform: an [`InOut`] that can move between threads. Made from `&mut [u8]`, in place, or from
/// `(source, destination)`.
pub enum Text<'a> {
    /// The text is transformed in place.
    InPlace(&'a mut [u8]),
    /// The text goes from a source to a destination of equal length.
    Apart(&'a [u8], &'a mut [u8]),
}

impl<'a> From<&'a mut [u8]> for Text<'a> {
    fn from(text: &'a mut [u8]) -> Self {
        Text::InPlace(text)
    }
}
impl<'a, const N: usize> From<&'a mut [u8; N]> for Text<'a> {
    fn from(text: &'a mut [u8; N]) -> Self {
        Text::InPlace(text)
    }
}
impl<'a> From<&'a mut Vec<u8>> for Text<'a> {
    fn from(text: &'a mut Vec<u8>) -> Self {
        Text::InPlace(text)
    }
}
impl<'a> From<(&'a [u8], &'a mut [u8])> for Text<'a> {
    fn from((source, destination): (&'a [u8], &'a mut [u8])) -> Self {
        Text::Apart(source, destination)
    }
}

impl<'a> Text<'a> {
    /// Errors: [`Error::BufferLength`] when the lengths differ.
    pub(crate) fn buffers(self) -> Result<InOut<'a, 'a>, Error> {
        match self {
            Text::InPlace(text) => Ok(text.into()),
            Text::Apart(source, destination) => {
                InOut::new(source, destination).map_err(|_| Error::BufferLength)
            }
        }
    }
}

/// A key of authenticated encryption, made once and used by any number of jobs, from any thread.
#[derive(Clone, Copy)]
pub enum AeadKey<'a> {
    /// MGM over Kuznyechik.
    KuznyechikMgm(&'a Mgm<Kuznyechik>),
    /// MGM over Magma.
    MagmaMgm(&'a Mgm<Magma>),
    /// CTR-ACPKM-OMAC of CMS over Kuznyechik.
    KuznyechikCms(&'a CtrAcpkmOmac<Kuznyechik>),
    /// CTR-ACPKM-OMAC of CMS over Magma.
    MagmaCms(&'a CtrAcpkmOmac<Magma>),
}

macro_rules! keys {
    ($($keys:ident::$variant:ident($key:ty);)*) => {$(
        impl<'a> From<&'a $key> for $keys<'a> {
            fn from(key: &'a $key) -> Self {
                $keys::$variant(key)
            }
        }
    )*};
}

keys! {
    Key::Kuznyechik(Kuznyechik);
    Key::Magma(Magma);
    Key::Gost28147(Gost28147);
    OmacKey::Kuznyechik(Omac<Kuznyechik>);
    OmacKey::Magma(Omac<Magma>);
    AeadKey::KuznyechikMgm(Mgm<Kuznyechik>);
    AeadKey::MagmaMgm(Mgm<Magma>);
    AeadKey::KuznyechikCms(CtrAcpkmOmac<Kuznyechik>);
    AeadKey::MagmaCms(CtrAcpkmOmac<Magma>);
}

/// A message and the operation on it.
pub enum Job<'a> {
    /// Encrypts or decrypts without authentication.
    Cipher {
        /// The key.
        key: Key<'a>,
        /// The mode.
        mode: Mode,
        /// The IV.
        iv: &'a [u8],
        /// The text.
        text: Text<'a>,
    },
    /// Computes a MAC with a block cipher.
    Mac {
        /// The key.
        key: Key<'a>,
        /// The MAC's mode.
        mode: MacMode,
        /// The IV, mostly empty.
        iv: &'a [u8],
        /// The message.
        message: &'a [u8],
        /// The buffer for the tag; its length is the tag's.
        tag: &'a mut [u8],
    },
    /// Computes OMAC under a key that has K1: key, message, tag. [`Job::Mac`] makes K1, a block more for each key.
    Omac(OmacKey<'a>, &'a [u8], &'a mut [u8]),
    /// Encrypts and authenticates. No call compares the nonces of jobs: two jobs with one nonce under one key reveal
    /// both texts and allow forgeries. [`crate::esp::seal`] refuses this.
    Seal {
        /// The key.
        key: AeadKey<'a>,
        /// The nonce, or the UKM, for this message only.
        nonce: &'a [u8],
        /// The associated data.
        aad: &'a [u8],
        /// The text.
        text: Text<'a>,
        /// The buffer for the tag, of exactly the tags' length.
        tag: &'a mut [u8],
    },
    /// Checks and decrypts. On an error the destination holds no plaintext. CMS needs extra memory of the text's size.
    Open {
        /// The key.
        key: AeadKey<'a>,
        /// The nonce, or the UKM.
        nonce: &'a [u8],
        /// The associated data.
        aad: &'a [u8],
        /// The text.
        text: Text<'a>,
        /// The tag.
        tag: &'a [u8],
    },
    /// Encrypts or decrypts a sector in [`Xts`].
    Sector {
        /// The keys.
        key: &'a Xts,
        /// [`Xts::tweak`] of the sector's number.
        tweak: &'a [u8; 16],
        /// The direction.
        direction: Direction,
        /// The sector.
        text: Text<'a>,
    },
    /// Computes Streebog-256: message, digest.
    Hash256(&'a [u8], &'a mut [u8; 32]),
    /// Computes Streebog-512: message, digest.
    Hash512(&'a [u8], &'a mut [u8; 64]),
    /// Computes GOST R 34.11-94: S-boxes, message, digest.
    Gost94(&'a Sboxes, &'a [u8], &'a mut [u8; 32]),
    /// Computes HMAC over Streebog-256: key, message, tag.
    Hmac256(&'a HmacStreebog256, &'a [u8], &'a mut [u8; 32]),
    /// Computes HMAC over Streebog-512: key, message, tag.
    Hmac512(&'a HmacStreebog512, &'a [u8], &'a mut [u8; 64]),
}

impl<'a> Job<'a> {
    /// Encrypts or decrypts without authentication, in place or between two buffers.
    pub fn cipher(
        key: impl Into<Key<'a>>,
        mode: Mode,
        iv: &'a [u8],
        text: impl Into<Text<'a>>,
    ) -> Self {
        Job::Cipher { key: key.into(), mode, iv, text: text.into() }
    }
    /// Computes a MAC with a block cipher. The tag is as long as its buffer.
    pub fn mac(
        key: impl Into<Key<'a>>,
        mode: MacMode,
        message: &'a [u8],
        tag: &'a mut [u8],
    ) -> Self {
        Job::Mac { key: key.into(), mode, iv: &[], message, tag }
    }
    /// Computes OMAC under a key that has K1, with a tag as long as its buffer.
    pub fn omac(key: impl Into<OmacKey<'a>>, message: &'a [u8], tag: &'a mut [u8]) -> Self {
        Job::Omac(key.into(), message, tag)
    }
    /// Encrypts and authenticates, in place or between two buffers. Never use a nonce twice under one key.
    pub fn seal(
        key: impl Into<AeadKey<'a>>,
        nonce: &'a [u8],
        aad: &'a [u8],
        text: impl Into<Text<'a>>,
        tag: &'a mut [u8],
    ) -> Self {
        Job::Seal { key: key.into(), nonce, aad, text: text.into(), tag }
    }
    /// Checks and decrypts, in place or between two buffers.
    pub fn open(
        key: impl Into<AeadKey<'a>>,
        nonce: &'a [u8],
        aad: &'a [u8],
        text: impl Into<Text<'a>>,
        tag: &'a [u8],
    ) -> Self {
        Job::Open { key: key.into(), nonce, aad, text: text.into(), tag }
    }
    /// Encrypts or decrypts a sector in XTS, in place or between two buffers.
    pub fn sector(
        key: &'a Xts,
        tweak: &'a [u8; 16],
        direction: Direction,
        text: impl Into<Text<'a>>,
    ) -> Self {
        Job::Sector { key, tweak, direction, text: text.into() }
    }
}

/// The number of calls of a kernel and of lanes in them, to measure how full the lanes were. A single hash has no
/// lanes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Calls {
    /// The number of calls of the `lanes` shapes.
    pub calls: usize,
    /// The number of lanes in them.
    pub lanes: usize,
}

/// Runs every job to its end. Returns a result for each, in order.
///
/// Memory: some hundred bytes for each job, and address space for as much again for each sort of work, since lists with
/// secrets never reallocate.
pub fn run(jobs: Vec<Job<'_>>) -> Vec<Result<(), Error>> {
    run_counted(jobs).0
}

/// Runs a job: a batch without lists.
pub fn run_one(job: Job<'_>) -> Result<(), Error> {
    alone::run(job)
}

/// Like [`run`], but also returns how full the lanes were, for tests and measurements. Jobs that gain nothing side by side
/// run one after the other, without lanes.
#[inline]
pub fn run_counted(jobs: Vec<Job<'_>>) -> (Vec<Result<(), Error>>, Calls) {
    if alone::apart(&jobs) {
        return (jobs.into_iter().map(alone::run).collect(), Calls::default());
    }
    together(jobs)
}

/// Runs jobs side by side.
#[inline(never)]
fn together(jobs: Vec<Job<'_>>) -> (Vec<Result<(), Error>>, Calls) {
    let mut results = Vec::with_capacity(jobs.len());
    let mut batch = Batch::new(jobs.len());
    for (i, job) in jobs.into_iter().enumerate() {
        // Jobs that are added to the batch get their results below.
        results.push(batch.take(i, job).unwrap_or(Ok(())));
    }
    let mut calls = Calls::default();
    let mut set = |i: usize, r| results[i] = r;
    chained(batch.kuznyechik.jobs, &mut calls, &mut set);
    chained(batch.magma.jobs, &mut calls, &mut set);
    chained(batch.gost28147.jobs, &mut calls, &mut set);
    cms::run(batch.cms_kuznyechik.jobs, &mut calls, &mut set);
    cms::run(batch.cms_magma.jobs, &mut calls, &mut set);
    short(batch.short_kuznyechik.jobs, &mut set);
    short(batch.short_magma.jobs, &mut set);
    sectors(batch.sectors.jobs, &mut set);
    hash::run(batch.hashes.jobs, &mut calls);
    gost94::run(batch.gost94.jobs, &mut calls);
    (results, calls)
}

/// Jobs of a sort. The list has capacity for all jobs from the start: reallocation would leave secrets behind.
struct List<T> {
    jobs: Vec<T>,
    most: usize,
}

impl<T> List<T> {
    fn new(most: usize) -> Self {
        List { jobs: Vec::new(), most }
    }
    fn push(&mut self, job: T) {
        self.put(|| job);
    }
    /// Makes the job in its place: copying it would cost as much as making it.
    #[inline(always)]
    fn put(&mut self, job: impl FnOnce() -> T) {
        if self.jobs.is_empty() {
            self.jobs.reserve_exact(self.most);
        }
        self.jobs.extend(core::iter::once_with(job));
    }
}

/// Jobs to run side by side.
struct Batch<'a> {
    kuznyechik: List<Message<'a, Kuznyechik, 16>>,
    magma: List<Message<'a, Magma, 8>>,
    gost28147: List<Message<'a, Gost28147, 8>>,
    hashes: List<hash::Message<'a>>,
    gost94: List<gost94::Message<'a>>,
    short_kuznyechik: List<(usize, Packet<'a, Kuznyechik>)>,
    short_magma: List<(usize, Packet<'a, Magma>)>,
    sectors: List<Sector<'a>>,
    cms_kuznyechik: List<Cms<'a, Kuznyechik, 16>>,
    cms_magma: List<Cms<'a, Magma, 8>>,
}

impl<'a> Batch<'a> {
    /// `most` is the number of jobs.
    fn new(most: usize) -> Self {
        Batch {
            kuznyechik: List::new(most),
            magma: List::new(most),
            gost28147: List::new(most),
            hashes: List::new(most),
            gost94: List::new(most),
            short_kuznyechik: List::new(most),
            short_magma: List::new(most),
            sectors: List::new(most),
            cms_kuznyechik: List::new(most),
            cms_magma: List::new(most),
        }
    }
    /// Adds the job to the batch and returns `None`, or runs it and returns its result.
    // Inlined with `begin`: passing a job through memory twice costs more than adding it.
    #[inline(always)]
    fn take(&mut self, i: usize, job: Job<'a>) -> Option<Result<(), Error>> {
        match self.begin(i, job) {
            Ok(false) => None,
            Ok(true) => Some(Ok(())),
            Err(e) => Some(Err(e)),
        }
    }

    /// Adds a short message in MGM, or a message of CMS, to the batch; returns any other message.
    #[inline(always)]
    fn aead(
        &mut self,
        job: usize,
        key: AeadKey<'a>,
        nonce: &'a [u8],
        aad: &'a [u8],
        text: Text<'a>,
        tag: Tag<'a>,
    ) -> Result<bool, Error> {
        match key {
            AeadKey::KuznyechikMgm(key) => {
                mgm(job, key, nonce, aad, text, tag, &mut self.short_kuznyechik)
            }
            AeadKey::MagmaMgm(key) => mgm(job, key, nonce, aad, text, tag, &mut self.short_magma),
            _ if !aad.is_empty() => Err(Error::Order),
            AeadKey::KuznyechikCms(key) => {
                self.cms_kuznyechik.push(Cms::new(job, key, nonce, text.buffers()?, tag)?);
                Ok(false)
            }
            AeadKey::MagmaCms(key) => {
                self.cms_magma.push(Cms::new(job, key, nonce, text.buffers()?, tag)?);
                Ok(false)
            }
        }
    }

    #[inline(always)]
    fn hash(
        &mut self,
        message: &'a [u8],
        out: &'a mut [u8],
        hmac: Option<Hmac<'a>>,
    ) -> Result<bool, Error> {
        self.hashes.push(hash::Message { message, out, hmac });
        Ok(false)
    }

    /// Runs the job and returns true, or adds it to the batch and returns false.
    #[inline(always)]
    fn begin(&mut self, i: usize, job: Job<'a>) -> Result<bool, Error> {
        match job {
            Job::Cipher { key: Key::Kuznyechik(k), mode, iv, text } => {
                cipher(i, k, mode, iv, text.buffers()?, &mut self.kuznyechik)
            }
            Job::Cipher { key: Key::Magma(k), mode, iv, text } => {
                cipher(i, k, mode, iv, text.buffers()?, &mut self.magma)
            }
            Job::Cipher { key: Key::Gost28147(k), mode, iv, text } => {
                old_cipher(i, k, mode, iv, text.buffers()?, &mut self.gost28147)
            }
            Job::Mac { key: Key::Kuznyechik(k), mode, iv, message, tag } => {
                mac(i, k, mode, iv, message, tag, &mut self.kuznyechik)
            }
            Job::Mac { key: Key::Magma(k), mode, iv, message, tag } => {
                mac(i, k, mode, iv, message, tag, &mut self.magma)
            }
            Job::Mac { key: Key::Gost28147(k), mode, iv, message, tag } => match mode {
                MacMode::Imit(meshing) => {
                    imit(i, k, meshing, iv, message, tag, &mut self.gost28147)
                }
                _ => mac(i, k, mode, iv, message, tag, &mut self.gost28147),
            },
            Job::Omac(OmacKey::Kuznyechik(key), message, tag) => {
                omac(i, key, message, tag, &mut self.kuznyechik)
            }
            Job::Omac(OmacKey::Magma(key), message, tag) => {
                omac(i, key, message, tag, &mut self.magma)
            }
            Job::Seal { key, nonce, aad, text, tag } => {
                self.aead(i, key, nonce, aad, text, Tag::Seal(tag))
            }
            Job::Open { key, nonce, aad, text, tag } => {
                self.aead(i, key, nonce, aad, text, Tag::Open(tag))
            }
            Job::Sector { key, tweak, direction, text } => {
                let text = text.buffers()?;
                if text.len() > SHORT {
                    return key.sector_inout(tweak, direction, text).map(|()| true);
                }
                self.sectors.push(Sector { job: i, key, direction, tweak: *tweak, text });
                Ok(false)
            }
            Job::Hash256(message, out) => self.hash(message, out, None),
            Job::Hash512(message, out) => self.hash(message, out, None),
            Job::Gost94(sboxes, message, digest) => {
                self.gost94.push(gost94::Message { sboxes, message, digest });
                Ok(false)
            }
            Job::Hmac256(key, message, tag) => self.hash(message, tag, Some(Hmac::Of256(key))),
            Job::Hmac512(key, message, tag) => self.hash(message, tag, Some(Hmac::Of512(key))),
        }
    }
}

/// Makes a packet of a short message in MGM, which shares its calls with others; runs a long message.
#[inline(always)]
fn mgm<'a, C: BlockCipher>(
    job: usize,
    key: &'a Mgm<C>,
    nonce: &'a [u8],
    aad: &'a [u8],
    text: Text<'a>,
    tag: Tag<'a>,
    side: &mut List<(usize, Packet<'a, C>)>,
) -> Result<bool, Error> {
    let text = text.buffers()?;
    if tag.len() != key.tag_len() {
        return Err(Error::TagLength);
    }
    // A batch of Magma's kernel has more blocks.
    if text.len().saturating_add(aad.len()) <= SHORT * 16 / C::BLOCK {
        let (key, aad) = (key.cipher(), [aad, &[], &[]]);
        side.push((job, Packet { key, nonce, aad, text, tag, result: Ok(()) }));
        return Ok(false);
    }
    aead_once(key, nonce, aad, text, tag).map(|()| true)
}

/// Runs a message of authenticated encryption.
fn aead_once(
    key: &impl Aead,
    nonce: &[u8],
    aad: &[u8],
    text: InOut<'_, '_>,
    tag: Tag<'_>,
) -> Result<(), Error> {
    if tag.len() != key.tag_len() {
        return Err(Error::TagLength);
    }
    match tag {
        Tag::Seal(tag) => key.seal_inout(nonce, aad, text)?.put(tag),
        Tag::Open(tag) => key.open_inout(nonce, aad, text, tag),
    }
}

/// The bytes of a lane that make a call worthwhile. For 1000 lengths, log-uniform from 16 bytes to 64 KB, Magma's CFB
/// is about 5 % slower with 512 or 256.
const QUANTUM: usize = 1024;

/// Runs chained messages, a segment of each at a time.
fn chained<C: Chained<B>, const B: usize>(
    mut messages: Vec<Message<'_, C, B>>,
    calls: &mut Calls,
    done: &mut dyn FnMut(usize, Result<(), Error>),
) where
    [u8; B]: Block,
{
    let mut k1 = Secret::new([0; B]);
    if let [message] = &mut messages[..] {
        let result = alone(message, &mut k1, calls);
        return done(message.job, result);
    }
    while let Some(first) = messages.first() {
        let cipher = first.key();
        // The lanes of each kind. There is mostly a single kind.
        let mut kinds: Vec<(Alike, Vec<Lane<'_, C::Schedule, B>>)> = Vec::new();
        let mut runs = Vec::with_capacity(messages.len());
        let most = messages.len();
        for message in &mut messages {
            if message.waits() {
                runs.push(true);
                continue;
            }
            message.subkey(&mut k1);
            let (job, kind) = (message.job, message.key().kind());
            let next = message.next();
            runs.push(matches!(next, Ok(Some(_))));
            match next {
                Ok(Some((chain, lane))) => {
                    let alike = (chain, kind);
                    match kinds.iter_mut().find(|(a, _)| *a == alike) {
                        Some((_, lanes)) => lanes.push(lane),
                        None => {
                            // The first kind has room for all lanes; with many kinds each may have few.
                            let room = if kinds.is_empty() { most } else { 1 };
                            let mut lanes = Vec::with_capacity(room);
                            lanes.push(lane);
                            kinds.push((alike, lanes));
                        }
                    }
                }
                Ok(None) => done(job, Ok(())),
                Err(e) => done(job, Err(e)),
            }
        }
        for ((chain, _), lanes) in kinds {
            drain(lanes, cipher.width(), QUANTUM, &mut |lanes| {
                calls.calls += 1;
                calls.lanes += lanes.len();
                cipher.lanes(chain, lanes);
            });
        }
        // Drops the messages that have ended, in place, which wipes them.
        let mut left = 0;
        for (i, _) in runs.into_iter().enumerate().filter(|(_, runs)| *runs) {
            // Swapping a message with itself would copy it twice.
            if left != i {
                messages.swap(left, i);
            }
            left += 1;
        }
        messages.truncate(left);
    }
}

/// Runs a message, without lists of lanes, which cost as much as its blocks if it is short.
fn alone<C: Chained<B>, const B: usize>(
    message: &mut Message<'_, C, B>,
    k1: &mut Secret<[u8; B]>,
    calls: &mut Calls,
) -> Result<(), Error>
where
    [u8; B]: Block,
{
    let cipher = message.key();
    loop {
        message.subkey(k1);
        let Some((chain, lane)) = message.next()? else { return Ok(()) };
        calls.calls += 1;
        calls.lanes += 1;
        cipher.lanes(chain, &mut [lane]);
    }
}

/// The lanes of one call share the chain and [`Chained::kind`].
type Alike = (Chain, u64);

/// Converts an IV to a block.
fn block<const B: usize>(iv: &[u8]) -> Result<[u8; B], Error> {
    iv.try_into().map_err(|_| Error::IvLength)
}

/// Adds a chained message to `side` and returns false, or runs the job and returns true.
fn cipher<'a, C: Chained<B>, const B: usize>(
    job: usize,
    key: &'a C,
    mode: Mode,
    iv: &'a [u8],
    text: InOut<'a, 'a>,
    side: &mut List<Message<'a, C, B>>,
) -> Result<bool, Error>
where
    [u8; B]: Block,
{
    if let Some(chain) = mode.chain(iv, B) {
        return through(job, key, chain, iv, text, Meshing::None, side);
    }
    at_once(key, mode, iv, text).map(|()| true)
}

/// Runs a mode with independent blocks, at least within one round of a long register.
#[inline(never)]
fn at_once<C: BlockCipher>(
    key: &C,
    mode: Mode,
    iv: &[u8],
    text: InOut<'_, '_>,
) -> Result<(), Error> {
    match mode {
        Mode::Ecb(_) if !iv.is_empty() => return Err(Error::IvLength),
        Mode::Ecb(_) if !text.len().is_multiple_of(C::BLOCK) => return Err(Error::DataLength),
        Mode::Ecb(direction) => {
            key.map(direction, text);
            return Ok(());
        }
        Mode::Ctr => return ctr_once(key, iv, text),
        _ => {}
    }
    let key = key.clone();
    match mode {
        Mode::Cbc(direction) => blocks(Cbc::with(key, iv, direction)?, C::BLOCK, text),
        Mode::Cfb(direction) => Cfb::with(key, iv, direction)?.apply_keystream_inout(text),
        Mode::Ofb => crate::modes::Ofb::with(key, iv)?.apply_keystream_inout(text),
        Mode::CtrAcpkm(section) => CtrAcpkm::with(key, iv, section)?.apply_keystream_inout(text),
        _ => Err(Error::Parameter),
    }
}

/// Adds a message to be transformed to `side`.
fn through<'a, C: Chained<B>, const B: usize>(
    job: usize,
    key: &'a C,
    chain: Chain,
    iv: &[u8],
    text: InOut<'a, 'a>,
    meshing: Meshing,
    side: &mut List<Message<'a, C, B>>,
) -> Result<bool, Error>
where
    [u8; B]: Block,
{
    let iv = block(iv)?;
    let whole = text.len() / B * B;
    let (body, tail) = text.split_at(whole);
    let end = match chain {
        _ if tail.is_empty() => End::Nothing,
        Chain::CbcEncrypt => return Err(Error::DataLength),
        _ => End::Tail(tail),
    };
    let rekey = match meshing {
        Meshing::None => Rekey::Never,
        Meshing::CryptoPro => Rekey::Meshing { register: true },
    };
    let body = Data::Through(body);
    side.put(|| Message::new(job, key, (chain, iv), body, end, (rekey, SECTION)));
    Ok(false)
}

/// The bytes under one key of CryptoPro's meshing.
const SECTION: usize = 1024;

/// Like [`cipher`], with the modes of GOST 28147-89.
fn old_cipher<'a>(
    job: usize,
    key: &'a Gost28147,
    mode: Mode,
    iv: &'a [u8],
    text: InOut<'a, 'a>,
    side: &mut List<Message<'a, Gost28147, 8>>,
) -> Result<bool, Error> {
    match mode {
        Mode::Cfb28147(Direction::Encrypt, meshing) => {
            return through(job, key, Chain::CfbEncrypt, iv, text, meshing, side);
        }
        Mode::Cbc28147(Direction::Encrypt, meshing) => {
            return through(job, key, Chain::CbcEncrypt, iv, text, meshing, side);
        }
        Mode::Cnt(meshing) => {
            Cnt::with(key.clone(), iv)?.meshing(meshing).apply_keystream_inout(text)
        }
        Mode::Cfb28147(direction @ Direction::Decrypt, meshing) => {
            let mut cfb = Cfb28147::with(key.clone(), iv, direction)?.meshing(meshing);
            cfb.apply_keystream_inout(text)
        }
        Mode::Cbc28147(direction @ Direction::Decrypt, meshing) => {
            blocks(Cbc28147::with(key.clone(), iv, direction)?.meshing(meshing), 8, text)
        }
        _ => return cipher(job, key, mode, iv, text, side),
    }
    .map(|()| true)
}

/// Transforms whole blocks of `n` bytes in a single call.
fn blocks(mut mode: impl BlockMode, n: usize, text: InOut<'_, '_>) -> Result<(), Error> {
    if !text.len().is_multiple_of(n) {
        return Err(Error::DataLength);
    }
    mode.update_inout(text)?;
    mode.finalize(&mut []).map(|_| ())
}

fn mac<'a, C: Chained<B>, const B: usize>(
    job: usize,
    key: &'a C,
    mode: MacMode,
    iv: &[u8],
    message: &'a [u8],
    tag: &'a mut [u8],
    side: &mut List<Message<'a, C, B>>,
) -> Result<bool, Error>
where
    [u8; B]: Block,
{
    if !iv.is_empty() {
        return Err(Error::IvLength);
    }
    crate::tag::checked(tag.len(), 1..=B)?;
    let (rekey, section) = match mode {
        MacMode::Omac => (Rekey::Never, 0),
        MacMode::OmacAcpkm { section, .. } if section == 0 || !section.is_multiple_of(B) => {
            return Err(Error::Parameter);
        }
        MacMode::OmacAcpkm { section, period } => {
            (Rekey::Master(Box::new(AcpkmMaster::new(key.clone(), period)?)), section)
        }
        MacMode::Imit(_) => return Err(Error::Parameter),
    };
    // OMAC processes the last block, whole or not, in a different way.
    let (body, last) = message.split_at(message.len().saturating_sub(1) / B * B);
    let (body, end) = (Data::Read(body), End::Omac(last, tag));
    let shares = side.jobs.last().is_some_and(|before| before.has_subkey_of(key))
        && matches!(rekey, Rekey::Never);
    side.put(|| Message::new(job, key, (Chain::Mac, [0; B]), body, end, (rekey, section)));
    if let Some(message) = side.jobs.last_mut().filter(|_| shares) {
        message.share_subkey();
    }
    Ok(false)
}

/// Adds an OMAC with a known K1.
fn omac<'a, C: Chained<B>, const B: usize>(
    job: usize,
    key: &'a Omac<C>,
    message: &'a [u8],
    tag: &'a mut [u8],
    side: &mut List<Message<'a, C, B>>,
) -> Result<bool, Error>
where
    [u8; B]: Block,
{
    let (cipher, k1) = key.parts();
    mac(job, cipher, MacMode::Omac, &[], message, tag, side)?;
    if let Some(message) = side.jobs.last_mut() {
        message.set_subkey(k1);
    }
    Ok(false)
}

fn imit<'a>(
    job: usize,
    key: &'a Gost28147,
    meshing: Meshing,
    iv: &[u8],
    message: &'a [u8],
    tag: &'a mut [u8],
    side: &mut List<Message<'a, Gost28147, 8>>,
) -> Result<bool, Error> {
    crate::tag::checked(tag.len(), 1..=8)?;
    let iv = if iv.is_empty() { [0; 8] } else { block(iv)? };
    let rekey = match meshing {
        Meshing::None => Rekey::Never,
        Meshing::CryptoPro => Rekey::Meshing { register: false },
    };
    let (body, last) = message.split_at(message.len() / 8 * 8);
    let end = End::Imit(last, body.len() / 8, tag);
    let body = Data::Read(body);
    side.put(|| Message::new(job, key, (Chain::Imit, iv), body, end, (rekey, SECTION)));
    Ok(false)
}
