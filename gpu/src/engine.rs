//! One engine over the processor and all devices, with the interface of [`bulat::batch`].
//!
//! Long texts of modes that can be split, and lists of hashes and chained streams, are cut into grains; threads of the processor
//! and slots of the devices take runs of them from one queue, each as many as its measured rate says. A device that fails, hangs
//! or vanishes has lost nothing: its slot has a copy of the grains, which go to others, and a warning says so.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use bulat::batch::{self, AeadKey, Job, Key, MacMode, Mode, Text};
use bulat::modes::{AeadMessage as _, Cnt, CtrAcpkm, Meshing, Mgm};
use bulat::{
    Aead as _, Block, BlockCipher, BlockMode, Cbc, Cfb, Chain, Count, Ctr, Direction, Gost28147,
    Mac as _, Omac, StreamCipher,
};

use crate::queue::Queue;
use crate::slot::{OwnKey, Slot, Step};
use crate::{Device, Error};

/// Bytes of a grain of text: whole groups of every cipher.
const GRAIN: usize = 256 << 10;
/// Messages of a grain.
const MESSAGES: usize = 1024;
/// Slots of a device.
const SLOTS: usize = 3;
/// Sections whose keys are made ahead: longer lists are the processor's.
const SECTIONS: usize = 1 << 16;

/// How the engine works.
#[derive(Clone, Debug)]
pub struct Options {
    /// Whether the processor takes pieces too. What no device does it does in any case.
    pub cpu: bool,
    /// Jobs, or lists of jobs of one sort, with fewer bytes are the processor's alone.
    pub least: usize,
    /// The most bytes of a device's piece.
    pub piece: usize,
    /// How long a device may take for a piece.
    pub patience: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Options { cpu: true, least: 4 << 20, piece: 16 << 20, patience: Duration::from_secs(30) }
    }
}

/// What one call did where.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// In words: which device was left out, and why.
    pub warnings: Vec<String>,
    /// Bytes that each device did, by name, and `cpu`.
    pub bytes: HashMap<String, u64>,
}

/// Processor and devices.
pub struct Engine {
    devices: Vec<Arc<Device>>,
    options: Options,
    /// Slots that wait, with the device's number.
    slots: Mutex<Vec<(usize, Slot)>>,
    /// Bytes a second: of each device, and last of a thread of the processor; 0 when not yet measured.
    rates: Mutex<Vec<f64>>,
    /// Which devices' loss was reported.
    told: Mutex<Vec<bool>>,
}

fn lock<T>(m: &Mutex<T>) -> MutexGuard<'_, T> {
    m.lock().unwrap_or_else(|e| e.into_inner())
}

/// Source and destination of a grain.
enum Grain<'a> {
    InPlace(&'a mut [u8]),
    Apart(&'a [u8], &'a mut [u8]),
}

impl Grain<'_> {
    fn source(&self) -> &[u8] {
        match self {
            Grain::InPlace(d) => d,
            Grain::Apart(s, _) => s,
        }
    }
    fn destination(&mut self) -> &mut [u8] {
        match self {
            Grain::InPlace(d) | Grain::Apart(_, d) => d,
        }
    }
    /// The source copied to the destination: what works in place does the rest.
    fn here(&mut self) -> &mut [u8] {
        if let Grain::Apart(s, d) = self {
            d.copy_from_slice(s);
        }
        self.destination()
    }
}

/// Work in grains.
trait Split: Sync {
    /// Bytes of a grain.
    fn len(&self, grain: usize) -> usize;
    /// Does a grain on the processor.
    fn cpu(&self, grain: usize) -> std::result::Result<(), bulat::Error>;
    /// What a device does for a run of grains.
    fn step(&self, grains: Range<usize>) -> Step;
    fn fill(&self, grains: Range<usize>, data: &mut [u8]);
    fn empty(&self, grains: Range<usize>, data: &[u8], beside: &[u8]);
    /// The most grains at once.
    fn most(&self) -> usize {
        usize::MAX
    }
}

impl Engine {
    /// Over these devices, as [`crate::devices`] finds them.
    pub fn new(devices: Vec<Arc<Device>>, options: Options) -> Self {
        let rates = Mutex::new(vec![0.0; devices.len() + 1]);
        let told = Mutex::new(vec![false; devices.len()]);
        let piece = options.piece.max(GRAIN).next_multiple_of(GRAIN);
        Engine {
            devices,
            options: Options { piece, ..options },
            slots: Mutex::default(),
            rates,
            told,
        }
    }

    /// The devices.
    pub fn devices(&self) -> &[Arc<Device>] {
        &self.devices
    }

    /// Runs every job to its end, as [`bulat::batch::run_on_threads`] does and with the same results.
    pub fn run(&self, jobs: Vec<Job<'_>>) -> (Vec<std::result::Result<(), bulat::Error>>, Report) {
        let report = Mutex::new(Report::default());
        let mut results = vec![Ok(()); jobs.len()];
        let mut rest: Vec<(usize, Job<'_>)> = Vec::new();
        let mut lists: HashMap<(u8, u64), Vec<(usize, Job<'_>)>> = HashMap::new();
        let usable = self.devices.iter().any(|d| d.lost().is_none());
        for (i, job) in jobs.into_iter().enumerate() {
            if !usable {
                rest.push((i, job));
                continue;
            }
            match self.long(job, &report) {
                Ok(result) => results[i] = result,
                Err(job) => match sort(&job) {
                    Some(kind) => lists.entry(kind).or_default().push((i, job)),
                    None => rest.push((i, job)),
                },
            }
        }
        for ((kind, _), list) in lists {
            let bytes: usize = list.iter().map(|(_, job)| bytes_of(job)).sum();
            if bytes < self.options.least || list.len() < 64 {
                rest.extend(list);
            } else if kind < 2 {
                self.hashes(list, &mut results, &report);
            } else {
                rest.extend(self.macs(list, &mut results, &report));
            }
        }
        let (numbers, jobs): (Vec<usize>, Vec<Job<'_>>) = rest.into_iter().unzip();
        let bytes: usize = jobs.iter().map(bytes_of).sum();
        let done = batch::run_on_threads(jobs);
        numbers.into_iter().zip(done).for_each(|(i, r)| results[i] = r);
        let mut report = report.into_inner().unwrap_or_else(|e| e.into_inner());
        *report.bytes.entry("cpu".into()).or_default() += bytes as u64;
        (results, report)
    }

    /// Slots for all devices that are not lost.
    fn take_slots(&self, report: &Mutex<Report>) -> Vec<(usize, Slot)> {
        let mut slots = std::mem::take(&mut *lock(&self.slots));
        slots.retain(|(d, _)| self.devices[*d].lost().is_none());
        for (d, device) in self.devices.iter().enumerate() {
            while device.lost().is_none() && slots.iter().filter(|(of, _)| *of == d).count() < SLOTS
            {
                match Slot::new(device, self.options.piece) {
                    Ok(slot) => slots.push((d, slot)),
                    Err(e) => {
                        // With fewer slots it is slower; with none it is not there.
                        if !slots.iter().any(|(of, _)| *of == d) {
                            self.lose(d, e, report);
                        }
                        break;
                    }
                }
            }
        }
        slots
    }

    fn lose(&self, device: usize, why: Error, report: &Mutex<Report>) {
        let told = std::mem::replace(&mut lock(&self.told)[device], true);
        let device = &self.devices[device];
        if !told {
            let name = &device.facts().name;
            lock(report).warnings.push(format!("{name}: {why}; what it had is done by others"));
            device.lose(why);
        }
    }

    /// All grains, by all workers.
    fn split(
        &self,
        work: &dyn Split,
        grains: usize,
        programs: &[crate::Program],
        report: &Mutex<Report>,
    ) -> std::result::Result<(), bulat::Error> {
        let queue = Queue::new(grains);
        let failed: Mutex<Option<bulat::Error>> = Mutex::new(None);
        // Compiled and tested before anybody waits for a piece.
        for (d, device) in self.devices.iter().enumerate() {
            if device.lost().is_none()
                && let Err(e) = device.prepare(programs)
            {
                self.lose(d, e, report);
            }
        }
        let slots = self.take_slots(report);
        let cpu = || {
            while let Some(range) = queue.take(1) {
                let (start, mut bytes) = (Instant::now(), 0);
                for grain in range {
                    bytes += work.len(grain);
                    if let Err(e) = work.cpu(grain) {
                        lock(&failed).get_or_insert(e);
                    }
                }
                queue.done();
                self.measured(self.devices.len(), bytes, start.elapsed());
                *lock(report).bytes.entry("cpu".into()).or_default() += bytes as u64;
            }
        };
        let slot = |device: usize, mut slot: Slot| {
            while self.devices[device].lost().is_none() {
                let most = self.share(device, queue.left()).min(work.most());
                let Some(mut range) = queue.take(most) else {
                    lock(&self.slots).push((device, slot));
                    return;
                };
                // Grains may differ; those that fit.
                let mut bytes = 0;
                for grain in range.clone() {
                    bytes += work.len(grain);
                    if bytes > self.options.piece && grain > range.start {
                        bytes -= work.len(grain);
                        queue.back(grain..range.end);
                        range = range.start..grain;
                        break;
                    }
                }
                let start = Instant::now();
                let result = if bytes > self.options.piece {
                    // One that fits no device: the processor's.
                    range.clone().try_for_each(|g| work.cpu(g)).map_err(Error::from)
                } else {
                    slot.run(
                        work.step(range.clone()),
                        bytes,
                        self.options.patience,
                        |data| work.fill(range.clone(), data),
                        |data, beside| work.empty(range.clone(), data, beside),
                    )
                };
                match result {
                    Ok(()) => {
                        queue.done();
                        self.measured(device, bytes, start.elapsed());
                        let name = self.devices[device].facts().name.clone();
                        *lock(report).bytes.entry(name).or_default() += bytes as u64;
                    }
                    Err(e) => {
                        queue.failed(range);
                        self.lose(device, e, report);
                        return;
                    }
                }
            }
        };
        std::thread::scope(|scope| {
            for (device, s) in slots {
                scope.spawn(move || slot(device, s));
            }
            if self.options.cpu {
                for _ in 1..rayon::current_num_threads() {
                    scope.spawn(cpu);
                }
                cpu();
            }
        });
        // What all devices left, when the processor was not to work.
        cpu();
        match failed.into_inner().unwrap_or_else(|e| e.into_inner()) {
            Some(e) => Err(e),
            None => Ok(()),
        }
    }

    fn measured(&self, who: usize, bytes: usize, took: Duration) {
        let now = bytes as f64 / took.as_secs_f64().max(1e-6);
        let rate = &mut lock(&self.rates)[who];
        *rate = if *rate == 0.0 { now } else { 0.75 * *rate + 0.25 * now };
    }

    /// Grains for a slot: what its device would do of a quarter of the rest, in all its slots.
    fn share(&self, device: usize, left: usize) -> usize {
        let rates = lock(&self.rates);
        let most = self.options.piece / GRAIN;
        let own = rates[device] * SLOTS as f64;
        let threads = if self.options.cpu { rayon::current_num_threads() as f64 } else { 0.0 };
        let all: f64 = rates[..self.devices.len()].iter().map(|r| r * SLOTS as f64).sum::<f64>()
            + rates[self.devices.len()] * threads;
        if own == 0.0 {
            // Not yet measured: little.
            return (most / 8).max(1);
        }
        ((left as f64 * own / all / 4.0 / SLOTS as f64) as usize).clamp(1, most)
    }

    /// A long text that can be split; other jobs come back.
    fn long<'a>(
        &self,
        job: Job<'a>,
        report: &Mutex<Report>,
    ) -> std::result::Result<std::result::Result<(), bulat::Error>, Job<'a>> {
        if bytes_of(&job) < self.options.least {
            return Err(job);
        }
        match job {
            Job::Cipher { key, mode, iv, text } if can(&key, mode, iv, &text) => Ok(match key {
                Key::Kuznyechik(k) => self.cipher(k, &key, mode, iv, text, report),
                Key::Magma(k) => self.cipher(k, &key, mode, iv, text, report),
                Key::Gost28147(k) => self.cipher(k, &key, mode, iv, text, report),
            }),
            Job::Seal { key: AeadKey::KuznyechikMgm(k), nonce, aad, text, tag } if same(&text) => {
                Ok(self.seal(k, nonce, aad, text, tag, report))
            }
            Job::Seal { key: AeadKey::MagmaMgm(k), nonce, aad, text, tag } if same(&text) => {
                Ok(self.seal(k, nonce, aad, text, tag, report))
            }
            Job::Open { key: AeadKey::KuznyechikMgm(k), nonce, aad, text, tag } if same(&text) => {
                Ok(self.open(k, nonce, aad, text, tag, report))
            }
            Job::Open { key: AeadKey::MagmaMgm(k), nonce, aad, text, tag } if same(&text) => {
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
    ) -> std::result::Result<(), bulat::Error> {
        let n = C::BLOCK;
        let own = OwnKey::of(key);
        let mut register = C::Block::ZERO;
        let mut gost = None;
        let mut sections: Vec<C> = Vec::new();
        let mut before: Vec<C::Block> = Vec::new();
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
                while sections.len() < bytes(&text).div_ceil(section) {
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
            _ => {
                register.as_mut().copy_from_slice(iv);
                before.push(register);
                for piece in source(&text).chunks(GRAIN) {
                    if let Some(last) = piece.len().checked_sub(n) {
                        register.as_mut().copy_from_slice(&piece[last..]);
                    }
                    before.push(register);
                }
            }
        }
        let work = Cipher {
            cipher,
            own,
            mode,
            register,
            sections,
            before,
            gost,
            grains: grains(text, GRAIN),
        };
        let count = work.grains.len();
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
    ) -> std::result::Result<(), bulat::Error>
    where
        OwnKey: for<'a> From<&'a C>,
    {
        if tag.len() != key.tag_len() {
            return Err(bulat::Error::TagLength);
        }
        let mut message = begin(key, nonce, aad, bytes(&text))?;
        let (body, mut end) = tail(text, C::BLOCK);
        self.mgm(key, &mut message, Pass::Seal, grains(body, GRAIN), report)?;
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
    ) -> std::result::Result<(), bulat::Error>
    where
        OwnKey: for<'a> From<&'a C>,
    {
        let mut message = begin(key, nonce, aad, bytes(&text))?;
        let mut second = begin(key, nonce, aad, bytes(&text))?;
        let (body, mut end) = tail(text, C::BLOCK);
        // Nothing is decrypted before the tag was checked.
        let body = self.mgm(key, &mut message, Pass::Absorb, grains(body, GRAIN), report)?;
        message.absorb(end.source());
        message.check_tag(tag)?;
        self.mgm(key, &mut second, Pass::Crypt, body, report)?;
        second.crypt(end.here().into());
        Ok(())
    }

    /// A pass over whole blocks; the message stands behind them then.
    fn mgm<'a, C: BlockCipher>(
        &self,
        key: &Mgm<C>,
        message: &mut bulat::modes::MgmMessage<C>,
        pass: Pass,
        grains: Vec<Mutex<Grain<'a>>>,
        report: &Mutex<Report>,
    ) -> std::result::Result<Vec<Mutex<Grain<'a>>>, bulat::Error>
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

    fn hashes(
        &self,
        mut list: Vec<(usize, Job<'_>)>,
        results: &mut [std::result::Result<(), bulat::Error>],
        report: &Mutex<Report>,
    ) {
        // Those side by side take as long as the longest.
        list.sort_by_key(|(_, job)| std::cmp::Reverse(bytes_of(job)));
        let numbers: Vec<usize> = list.iter().map(|(i, _)| *i).collect();
        let mut grains: Vec<Mutex<Vec<Job<'_>>>> = Vec::new();
        let mut list = list.into_iter().map(|(_, job)| job).peekable();
        while list.peek().is_some() {
            let (mut grain, mut bytes) = (Vec::new(), 0);
            while let Some(job) = list.next_if(|j| {
                grain.is_empty()
                    || (grain.len() < MESSAGES && bytes + bytes_of(j) + 4 <= self.options.piece)
            }) {
                bytes += bytes_of(&job).next_multiple_of(4);
                grain.push(job);
            }
            grains.push(Mutex::new(grain));
        }
        let count = grains.len();
        let result = self.split(&Hashes { grains }, count, &[crate::Program::Streebog], report);
        numbers.into_iter().for_each(|i| results[i] = result);
    }

    /// OMAC and IMIT of many messages; what is of no use to a device comes back.
    fn macs<'a>(
        &self,
        mut list: Vec<(usize, Job<'a>)>,
        results: &mut [std::result::Result<(), bulat::Error>],
        report: &Mutex<Report>,
    ) -> Vec<(usize, Job<'a>)> {
        list.sort_by_key(|(_, job)| std::cmp::Reverse(bytes_of(job)));
        let numbers: Vec<usize> = list.iter().map(|(i, _)| *i).collect();
        let mut grains = Vec::new();
        let mut program = None;
        let mut list = list.into_iter().map(|(_, job)| job).peekable();
        while list.peek().is_some() {
            let (mut grain, mut bytes) = (Vec::new(), 0);
            while let Some(job) = list.next_if(|j| {
                grain.is_empty()
                    || (grain.len() < MESSAGES && bytes + bytes_of(j) + 16 <= self.options.piece)
            }) {
                bytes += bytes_of(&job).next_multiple_of(16);
                if let Job::Mac { key, .. } = &job {
                    program.get_or_insert(crate::key::program(key));
                }
                grain.push(job);
            }
            grains.push(Mutex::new(grain));
        }
        let count = grains.len();
        let programs: Vec<crate::Program> =
            program.into_iter().chain([crate::Program::Beside]).collect();
        let result = self.split(&Macs { grains }, count, &programs, report);
        numbers.into_iter().for_each(|i| results[i] = result);
        Vec::new()
    }
}

fn bytes(text: &Text<'_>) -> usize {
    source(text).len()
}

fn source<'t>(text: &'t Text<'_>) -> &'t [u8] {
    match text {
        Text::InPlace(t) => t,
        Text::Apart(s, _) => s,
    }
}

fn same(text: &Text<'_>) -> bool {
    !matches!(text, Text::Apart(s, d) if s.len() != d.len())
}

fn bytes_of(job: &Job<'_>) -> usize {
    match job {
        Job::Cipher { text, .. }
        | Job::Seal { text, .. }
        | Job::Open { text, .. }
        | Job::Sector { text, .. } => bytes(text),
        Job::Mac { message, .. } => message.len(),
        Job::Hash256(m, _) | Job::Hmac256(_, m, _) => m.len(),
        Job::Hash512(m, _) | Job::Hmac512(_, m, _) => m.len(),
    }
}

/// Whether devices split this text: its IV is as it must be, and its length.
fn can(key: &Key<'_>, mode: Mode, iv: &[u8], text: &Text<'_>) -> bool {
    let n = if matches!(key, Key::Kuznyechik(_)) { 16 } else { 8 };
    let len = bytes(text);
    // What the standards forbid is the library's to refuse.
    let allowed = same(text) && (len as u64 / n as u64) < 1 << 31;
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

/// Which list a job goes to: hashes by size, MACs by cipher.
fn sort(job: &Job<'_>) -> Option<(u8, u64)> {
    match job {
        Job::Hash256(..) => Some((0, 0)),
        Job::Hash512(..) => Some((1, 0)),
        Job::Mac { key, mode: MacMode::Omac, iv, message, tag }
            if iv.is_empty() && !message.is_empty() =>
        {
            match key {
                Key::Kuznyechik(_) if (1..=16).contains(&tag.len()) => Some((2, 0)),
                Key::Magma(_) if (1..=8).contains(&tag.len()) => Some((2, 1)),
                _ => None,
            }
        }
        _ => None,
    }
}

fn grains<'a>(text: Text<'a>, size: usize) -> Vec<Mutex<Grain<'a>>> {
    match text {
        Text::InPlace(t) => t.chunks_mut(size).map(|t| Mutex::new(Grain::InPlace(t))).collect(),
        Text::Apart(s, d) => s
            .chunks(size)
            .zip(d.chunks_mut(size))
            .map(|(s, d)| Mutex::new(Grain::Apart(s, d)))
            .collect(),
    }
}

/// Whole blocks, and the rest.
fn tail<'a>(text: Text<'a>, n: usize) -> (Text<'a>, Grain<'a>) {
    match text {
        Text::InPlace(t) => {
            let (a, b) = t.split_at_mut(t.len() / n * n);
            (Text::InPlace(a), Grain::InPlace(b))
        }
        Text::Apart(s, d) => {
            let at = s.len() / n * n;
            let ((a, b), (c, e)) = (s.split_at(at), d.split_at_mut(at));
            (Text::Apart(a, c), Grain::Apart(b, e))
        }
    }
}

fn fill(grains: &[Mutex<Grain<'_>>], data: &mut [u8]) {
    let mut at = 0;
    for grain in grains {
        let grain = lock(grain);
        let source = grain.source();
        data[at..at + source.len()].copy_from_slice(source);
        at += source.len();
    }
}

fn empty(grains: &[Mutex<Grain<'_>>], data: &[u8]) {
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
    /// Before the first block.
    register: C::Block,
    sections: Vec<C>,
    before: Vec<C::Block>,
    gost: Option<Cnt>,
    grains: Vec<Mutex<Grain<'a>>>,
}

impl<C: BlockCipher> Cipher<'_, C> {
    /// The counter at a grain.
    fn counter(&self, grain: usize) -> C::Block {
        let mut counter = self.register;
        Count::Whole.skip(counter.as_mut(), (grain * GRAIN / C::BLOCK) as u64);
        counter
    }
}

impl<C: BlockCipher> Split for Cipher<'_, C> {
    fn len(&self, grain: usize) -> usize {
        lock(&self.grains[grain]).source().len()
    }
    fn cpu(&self, grain: usize) -> std::result::Result<(), bulat::Error> {
        let mut text = lock(&self.grains[grain]);
        let text = text.here();
        match self.mode {
            Mode::Ecb(direction) => self.cipher.map(direction, text.into()),
            Mode::Ctr => {
                Ctr::from_block(self.cipher.clone(), self.counter(grain)).apply_keystream(text)?
            }
            Mode::CtrAcpkm(section) => {
                let first = grain * GRAIN / section;
                for (i, piece) in text.chunks_mut(section).enumerate() {
                    let mut counter = self.register;
                    Count::Whole.skip(counter.as_mut(), ((first + i) * section / C::BLOCK) as u64);
                    Ctr::from_block(self.sections[first + i].clone(), counter)
                        .apply_keystream(piece)?;
                }
            }
            Mode::Cnt(_) => {
                let mut cnt = self.gost.clone().ok_or(bulat::Error::Parameter)?;
                cnt.skip((grain * GRAIN / 8) as u64);
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
            Mode::Ctr => Step::Stream(own, Count::Whole, self.counter(first).as_ref().to_vec()),
            Mode::CtrAcpkm(section) => {
                let end = (grains.end * GRAIN).div_ceil(section).min(self.sections.len());
                let keys = self.sections[first * GRAIN / section..end].iter();
                Step::Sections(
                    keys.map(|k| self.own.of_cipher(k)).collect(),
                    self.counter(first).as_ref().to_vec(),
                    section,
                )
            }
            Mode::Cnt(_) => {
                let mut register = [0; 8];
                register.copy_from_slice(self.register.as_ref());
                let register = bulat::magma::cnt_after(register, (first * GRAIN / 8) as u64);
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

/// What a pass of MGM does.
#[derive(Clone, Copy, PartialEq)]
enum Pass {
    Seal,
    Absorb,
    Crypt,
}

struct Authenticated<'a, 'm, C: BlockCipher> {
    message: &'m bulat::modes::MgmMessage<C>,
    own: OwnKey,
    pass: Pass,
    sum: Mutex<C::Block>,
    grains: Vec<Mutex<Grain<'a>>>,
}

impl<C: BlockCipher> Authenticated<'_, '_, C> {
    fn fork(&self, grain: usize) -> bulat::modes::MgmMessage<C> {
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
    fn cpu(&self, grain: usize) -> std::result::Result<(), bulat::Error> {
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
        let (own, y, z) = (self.own.clone(), y.as_ref().to_vec(), z.as_ref().to_vec());
        match self.pass {
            Pass::Seal => Step::Seal(own, y, z),
            Pass::Absorb => Step::Absorb(own, z),
            Pass::Crypt => Step::Stream(own, Count::Right, y),
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

fn begin<C: BlockCipher>(
    key: &Mgm<C>,
    nonce: &[u8],
    aad: &[u8],
    len: usize,
) -> std::result::Result<bulat::modes::MgmMessage<C>, bulat::Error> {
    let mut message = key.message(nonce)?;
    message.aad(aad)?;
    message.begin_text(len)?;
    message.flush();
    Ok(message)
}

/// Places of messages in a piece, each at a multiple of `n`.
fn places<'a>(messages: impl Iterator<Item = &'a [u8]>, n: usize) -> (Vec<u64>, Vec<u64>) {
    let mut end = 0;
    messages
        .map(|m| {
            let at = end as u64;
            end += m.len().next_multiple_of(n);
            (at, m.len() as u64)
        })
        .unzip()
}

fn message_of<'j>(job: &'j Job<'_>) -> &'j [u8] {
    match job {
        Job::Hash256(m, _) => m,
        Job::Hash512(m, _) => m,
        Job::Mac { message, .. } => message,
        _ => &[],
    }
}

/// Hashes of one size, in lists.
struct Hashes<'a> {
    grains: Vec<Mutex<Vec<Job<'a>>>>,
}

impl Split for Hashes<'_> {
    fn len(&self, grain: usize) -> usize {
        lock(&self.grains[grain]).iter().map(|j| bytes_of(j).next_multiple_of(4)).sum()
    }
    fn cpu(&self, grain: usize) -> std::result::Result<(), bulat::Error> {
        let mut jobs = lock(&self.grains[grain]);
        batch::run(jobs.iter_mut().map(again).collect()).into_iter().collect()
    }
    fn step(&self, grains: Range<usize>) -> Step {
        let jobs = lock(&self.grains[grains.start]);
        let (at, bytes) = places(jobs.iter().map(message_of), 4);
        let size = if matches!(jobs.first(), Some(Job::Hash256(..))) { 32 } else { 64 };
        Step::Hash(size, at, bytes)
    }
    fn fill(&self, grains: Range<usize>, data: &mut [u8]) {
        pack(&lock(&self.grains[grains.start]), 4, data);
    }
    fn empty(&self, grains: Range<usize>, _: &[u8], beside: &[u8]) {
        let mut jobs = lock(&self.grains[grains.start]);
        let mut digests = beside;
        for job in jobs.iter_mut() {
            match job {
                Job::Hash256(_, d) => d.copy_from_slice(take(&mut digests, 32)),
                Job::Hash512(_, d) => d.copy_from_slice(take(&mut digests, 64)),
                _ => {}
            }
        }
    }
    fn most(&self) -> usize {
        1
    }
}

fn take<'b>(bytes: &mut &'b [u8], n: usize) -> &'b [u8] {
    let (some, rest) = bytes.split_at(n);
    *bytes = rest;
    some
}

fn pack(jobs: &[Job<'_>], n: usize, data: &mut [u8]) {
    let mut end = 0;
    for message in jobs.iter().map(message_of) {
        data[end..end + message.len()].copy_from_slice(message);
        end += message.len().next_multiple_of(n);
    }
}

/// The same job once more: it may have to be done again.
fn again<'j>(job: &'j mut Job<'_>) -> Job<'j> {
    match job {
        Job::Hash256(m, d) => Job::Hash256(m, d),
        Job::Hash512(m, d) => Job::Hash512(m, d),
        Job::Mac { key, mode, iv, message, tag } => {
            Job::Mac { key: *key, mode: *mode, iv, message, tag }
        }
        _ => unreachable!("lists have hashes and MACs"),
    }
}

/// OMACs of one cipher, in lists.
struct Macs<'a> {
    grains: Vec<Mutex<Vec<Job<'a>>>>,
}

impl Split for Macs<'_> {
    fn len(&self, grain: usize) -> usize {
        lock(&self.grains[grain]).iter().map(|j| bytes_of(j).next_multiple_of(16)).sum()
    }
    fn cpu(&self, grain: usize) -> std::result::Result<(), bulat::Error> {
        let mut jobs = lock(&self.grains[grain]);
        batch::run(jobs.iter_mut().map(again).collect()).into_iter().collect()
    }
    fn step(&self, grains: Range<usize>) -> Step {
        let jobs = lock(&self.grains[grains.start]);
        let n = block(&jobs);
        let (at, mut bytes) = places(jobs.iter().map(message_of), 16);
        // The last block is the processor's.
        bytes.iter_mut().for_each(|b| *b = b.saturating_sub(1) / n as u64 * n as u64);
        let keys = jobs.iter().filter_map(|j| {
            if let Job::Mac { key, .. } = j { Some(OwnKey::of(key)) } else { None }
        });
        Step::Lanes(keys.collect(), Chain::Mac, at, bytes, vec![0; n * jobs.len()])
    }
    fn fill(&self, grains: Range<usize>, data: &mut [u8]) {
        pack(&lock(&self.grains[grains.start]), 16, data);
    }
    fn empty(&self, grains: Range<usize>, _: &[u8], beside: &[u8]) {
        let mut jobs = lock(&self.grains[grains.start]);
        let n = block(&jobs);
        for (job, state) in jobs.iter_mut().zip(beside.chunks(n)) {
            let Job::Mac { key, message, tag, .. } = job else { continue };
            let end = &message[message.len().saturating_sub(1) / n * n..];
            match key {
                Key::Kuznyechik(k) => last(*k, state, end, tag),
                Key::Magma(k) => last(*k, state, end, tag),
                Key::Gost28147(k) => last::<Gost28147>(*k, state, end, tag),
            }
        }
    }
    fn most(&self) -> usize {
        1
    }
}

fn block(jobs: &[Job<'_>]) -> usize {
    if matches!(jobs.first(), Some(Job::Mac { key: Key::Kuznyechik(_), .. })) { 16 } else { 8 }
}

/// OMAC's end.
fn last<C: BlockCipher>(key: &C, state: &[u8], end: &[u8], tag: &mut [u8]) {
    let mut register = C::Block::ZERO;
    register.as_mut().copy_from_slice(state);
    let mut omac = Omac::with(key.clone()).after(register);
    omac.update(end);
    if let Ok(whole) = omac.finalize() {
        let n = tag.len();
        tag.copy_from_slice(&whole[..n]);
    }
}
