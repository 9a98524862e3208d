//! Measures the speed of devices and computes its limits: operations per byte in the compiled kernels (`crates/gpu/counts`),
//! the device's rate of operations, its memory, and the link to it.

use std::sync::{Arc, Barrier};
use std::time::{Duration, Instant};

use bulat::batch::{Job, Key, Mode, run_on_threads};
use bulat::{Direction, Kuznyechik, Magma};
use bulat_core::cipher::Count;
use rayon::prelude::*;

use crate::{Device, Engine, Error, Map, Options, Result, Spans};

/// Written by `crates/gpu/counts`: target, work, registers, spilled bytes, operations per byte, and their kind.
const COUNTS: &str = include_str!("../counts.tsv");

/// The bytes of a message that is hashed.
const MESSAGE: usize = 4096;

/// The amount and duration of measurements.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The bytes of the text on a device.
    pub resident: usize,
    /// The bytes of the text in the host's memory.
    pub host: usize,
    /// The seconds for each row.
    pub seconds: f64,
}

impl Plan {
    /// Returns a plan that suits the device: a card gets more work than a processor used as a device.
    pub fn of(device: &Device, seconds: f64) -> Self {
        let facts = device.facts();
        let most = if facts.processor { 2 << 20 } else { 1 << 30 };
        let fits = usize::try_from(facts.memory / 8).unwrap_or(most);
        Plan { resident: most.min(fits), host: most.min(fits), seconds }
    }
}

/// The place of the data and of the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Data on the device.
    Resident,
    /// Data in the host's memory, only copied to the device and back: the link.
    Link,
    /// Data in the host's memory, only read and written by all threads of the processor.
    Memory,
    /// Data in the host's memory, processed by the device.
    Host,
    /// Data in the host's memory, processed by the processor.
    Processor,
    /// Data in the host's memory, processed by both.
    Hybrid,
}

impl Place {
    /// Returns the place's name.
    pub fn name(self) -> &'static str {
        match self {
            Place::Resident => "on the device",
            Place::Link => "copies alone",
            Place::Memory => "host, changes alone",
            Place::Host => "host, device",
            Place::Processor => "host, processor",
            Place::Hybrid => "host, both",
        }
    }
}

/// A measurement.
#[derive(Clone, Debug)]
pub struct Row {
    /// The algorithm.
    pub work: &'static str,
    /// The place of its data.
    pub place: Place,
    /// Bytes per second: the best of several runs.
    pub rate: f64,
    /// The limits in bytes per second; the lowest one binds.
    pub bounds: Vec<(&'static str, f64)>,
}

impl Row {
    /// Returns the lowest limit.
    pub fn binds(&self) -> Option<(&'static str, f64)> {
        self.bounds.iter().copied().min_by(|a, b| a.1.total_cmp(&b.1))
    }
}

/// The heading above printed [`Row`]s.
pub const HEAD: &str = "\
GB/s                                       measured  bound by, and how near; other bounds\n";

impl std::fmt::Display for Row {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "  {:17} {:19} {:>11.3}", self.work, self.place.name(), self.rate / 1e9)?;
        match self.binds() {
            Some((what, bound)) => {
                let near = self.rate / bound * 100.0;
                write!(f, "  {what} {:.3}: {near:.0} %", bound / 1e9)?;
                let others = self.bounds.iter().filter(|b| b.0 != what);
                others.into_iter().try_for_each(|b| write!(f, "; {} {:.3}", b.0, b.1 / 1e9))
            }
            None => f.write_str("  -"),
        }
    }
}

/// Returns a kernel's operations per byte for a device's family, or for the newest older family that was counted.
pub fn operations(family: &str, work: &str) -> Option<f64> {
    let number = |f: &str| f.strip_prefix("sm_").and_then(|n| n.parse::<u32>().ok());
    let rows = COUNTS.lines().filter(|l| !l.starts_with('#')).map(|l| l.split('\t'));
    let mut best: Option<(u32, f64)> = None;
    for mut row in rows {
        let (target, of) = (row.next()?, row.next()?);
        let Some(count) = row.nth(2).and_then(|n| n.parse().ok()) else { continue };
        if of != work {
            continue;
        }
        match (number(target), number(family)) {
            (Some(t), Some(f)) if t <= f && best.is_none_or(|(b, _)| b < t) => {
                best = Some((t, count));
            }
            (None, None) if target == family => best = Some((0, count)),
            _ => {}
        }
    }
    best.map(|(_, n)| n)
}

/// Returns the limits by a device's operations and its memory, which moves `moved` bytes per byte.
fn bounds(device: &Device, work: &str, moved: f64) -> Vec<(&'static str, f64)> {
    let facts = device.facts();
    let rate = facts
        .gates
        .zip(facts.clock)
        .map(|(gates, mhz)| f64::from(facts.units) * f64::from(mhz) * 1e6 * f64::from(gates));
    let count = facts.family.as_deref().and_then(|f| operations(f, work));
    let mut all = Vec::new();
    if let (Some(rate), Some(count)) = (rate, count) {
        all.push(("operations", rate / count));
    }
    all.extend(facts.bandwidth.map(|b| ("memory", b as f64 / moved)));
    all
}

/// Returns bytes per second, the best of several runs after a warm-up; a run is several calls and a wait.
fn rate(seconds: f64, bytes: usize, mut work: impl FnMut(usize) -> Result<()>) -> Result<f64> {
    work(1)?;
    let (mut calls, mut spent, mut best) = (1, 0.0, 0.0f64);
    while spent < seconds {
        let start = Instant::now();
        work(calls)?;
        let took = start.elapsed().as_secs_f64().max(1e-9);
        best = best.max((bytes * calls) as f64 / took);
        spent += took;
        if took < seconds / 8.0 {
            calls *= 2;
        }
    }
    Ok(best)
}

/// Measures everything on one device; `tell` gets each row as soon as it is ready.
///
/// # Errors
/// The device's.
pub fn device(device: &Arc<Device>, plan: Plan, tell: &mut dyn FnMut(Row)) -> Result<()> {
    resident(device, plan, tell)?;
    let link = copies(device, plan)?;
    tell(Row { work: "copy", place: Place::Link, rate: link, bounds: Vec::new() });
    host(device, plan, link, tell)
}

fn resident(device: &Arc<Device>, plan: Plan, tell: &mut dyn FnMut(Row)) -> Result<()> {
    let (k, m) = (Kuznyechik::new(&[1; 32]), Magma::new(&[1; 32]));
    let (kuznyechik, magma) = (Key::from(&k), Key::from(&m));
    let mut c = device.channel()?;
    let len = plan.resident / 4096 * 4096;
    let text = c.allocate(len)?;
    c.write(&text, 0, &vec![0x5a; len])?;
    for (work, key, block, counter) in [
        ("magma-ctr", magma, 8, true),
        ("magma-ecb", magma, 8, false),
        ("kuznyechik-ctr", kuznyechik, 16, true),
        ("kuznyechik-ecb", kuznyechik, 16, false),
    ] {
        let rate = rate(plan.seconds, len, |calls| {
            for _ in 0..calls {
                if counter {
                    c.stream(&key, &[0; 16][..block], Count::Whole, Some(&text), &text, len)?;
                } else {
                    c.map(&key, Map::Ecb(Direction::Encrypt), &text, &text, len)?;
                }
            }
            c.finish()
        })?;
        tell(Row { work, place: Place::Resident, rate, bounds: bounds(device, work, 2.0) });
    }
    // As many messages as fill the device, using all bytes of the text.
    let messages = (len / MESSAGE).clamp(256, 1 << 18);
    let (at, bytes): (Vec<u64>, Vec<u64>) =
        (0..messages).map(|i| ((i * (len / messages)) as u64, (len / messages) as u64)).unzip();
    let states = c.allocate(messages * 64)?;
    let all = messages * (len / messages);
    let rate = self::rate(plan.seconds, all, |calls| {
        for _ in 0..calls {
            c.hash_to(64, Spans { at: &at, bytes: &bytes }, &text, &states)?;
        }
        c.finish()
    })?;
    let limits = bounds(device, "streebog512", 1.0);
    tell(Row { work: "streebog512", place: Place::Resident, rate, bounds: limits.clone() });
    let passwords: Vec<[u8; 4]> = (0..messages.min(1 << 17) as u32).map(u32::to_le_bytes).collect();
    let passwords: Vec<&[u8]> = passwords.iter().map(|p| &p[..]).collect();
    let (salts, numbers) = (vec![&[1; 8][..]; passwords.len()], vec![1; passwords.len()]);
    let mut derive = |iterations| {
        let start = Instant::now();
        c.pbkdf2(&passwords, &salts, &numbers, iterations)?;
        Ok::<f64, Error>(start.elapsed().as_secs_f64())
    };
    // As many iterations as fill the time of a row, after a few.
    let nine = derive(9).and_then(|_| derive(9))?;
    let iterations = ((plan.seconds / nine * 9.0) as u32).clamp(9, 1025);
    // One of them is the first hash; the others are eight steps of 64 bytes.
    let all = passwords.len() * (iterations as usize - 1) * 8 * 64;
    let rate = all as f64 / derive(iterations)?;
    tell(Row { work: "pbkdf2, its steps", place: Place::Resident, rate, bounds: limits });
    Ok(())
}

/// Returns bytes per second copied to a device and back, by three queues.
fn copies(device: &Arc<Device>, plan: Plan) -> Result<f64> {
    const QUEUES: usize = 3;
    let piece = (plan.host / QUEUES).clamp(1 << 20, 16 << 20);
    let gate = Barrier::new(QUEUES);
    let one = || -> Result<f64> {
        let ready = (|| {
            let (mut c, mut data) = (device.channel()?, device.driver().pinned(piece)?);
            let room = c.allocate(piece)?;
            c.write(&room, 0, data.bytes())?;
            Ok::<_, Error>((c, data, room))
        })();
        // All begin together, and none waits for one that failed.
        gate.wait();
        let (mut c, mut data, room) = ready?;
        let (start, mut done) = (Instant::now(), 0usize);
        while start.elapsed() < Duration::from_secs_f64(plan.seconds) {
            c.write(&room, 0, data.bytes())?;
            c.read(&room, 0, data.bytes())?;
            done += piece;
        }
        Ok(done as f64 / start.elapsed().as_secs_f64())
    };
    std::thread::scope(|scope| {
        let all: Vec<_> = (0..QUEUES).map(|_| scope.spawn(one)).collect();
        all.into_iter().map(|t| t.join().unwrap_or(Err(Error::Hangs))).sum()
    })
}

fn host(device: &Arc<Device>, plan: Plan, link: f64, tell: &mut dyn FnMut(Row)) -> Result<()> {
    let (k, m) = (Kuznyechik::new(&[1; 32]), Magma::new(&[1; 32]));
    let mut text = vec![0x5a; plan.host];
    let mut digests = vec![[0; 64]; plan.host / MESSAGE];
    let memory = rate(plan.seconds, text.len(), |calls| {
        for _ in 0..calls {
            text.par_chunks_mut(1 << 20).for_each(|part| part.iter_mut().for_each(|b| *b ^= 0x5a));
        }
        Ok(())
    })?;
    tell(Row { work: "memory", place: Place::Memory, rate: memory, bounds: Vec::new() });
    for work in ["magma-ctr", "kuznyechik-ctr", "streebog512"] {
        let hash = work == "streebog512";
        let piece = (plan.host / 8).clamp(256 << 10, Options::default().piece);
        let options = Options { least: 1, piece, ..Options::default() };
        let mut parts = 0.0;
        for place in [Place::Host, Place::Processor, Place::Hybrid] {
            let cpu = place == Place::Hybrid;
            let engine = Engine::new(vec![device.clone()], Options { cpu, ..options.clone() });
            let rate = rate(plan.seconds, text.len(), |calls| {
                for _ in 0..calls {
                    let text = &mut text[..];
                    let jobs = match work {
                        "magma-ctr" => vec![Job::cipher(Key::from(&m), Mode::Ctr, &[0; 4], text)],
                        "kuznyechik-ctr" => {
                            vec![Job::cipher(Key::from(&k), Mode::Ctr, &[0; 8], text)]
                        }
                        _ => {
                            let each = text.chunks(MESSAGE).zip(&mut digests);
                            each.map(|(message, digest)| Job::Hash512(message, digest)).collect()
                        }
                    };
                    let (results, warnings) = if place == Place::Processor {
                        (run_on_threads(jobs), Vec::new())
                    } else {
                        let (results, report) = engine.run(jobs);
                        (results, report.warnings)
                    };
                    if let Some(why) = warnings.into_iter().next() {
                        return Err(Error::Lost(why));
                    }
                    results.into_iter().try_for_each(|r| r.map_err(Error::from))?;
                }
                Ok(())
            })?;
            let mut allowed = match place {
                Place::Host => bounds(device, work, if hash { 1.0 } else { 2.0 }),
                Place::Hybrid => vec![("both alone", parts)],
                _ => Vec::new(),
            };
            // The link was measured in both directions; a cipher reads and writes the host's memory at least once.
            if !hash {
                allowed.extend((place == Place::Host).then_some(("link", link)));
                allowed.push(("host's memory", memory));
            }
            parts += rate;
            tell(Row { work, place, rate, bounds: allowed });
        }
    }
    Ok(())
}
