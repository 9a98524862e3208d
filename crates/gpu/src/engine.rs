//! An engine over the processor and all devices, with the interface of [`bulat::batch`].
//!
//! Long texts in modes that can be split, and lists of hashes and chained streams, are cut into grains. Threads of the
//! processor and slots of the devices fetch runs of grains from one queue, in proportion to their measured speed. If a
//! device fails, hangs or disappears, nothing is lost: its slot works on a copy of the grains, which others then
//! process, and a warning reports it.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use bulat::batch::{self, Job};
use bulat::executor::JobParts;

use crate::messages::{self, Sort};
use crate::slot::{Slot, Step};
use crate::workers::Call;
use crate::{Device, Error};

/// The bytes of a grain of text: whole groups of every cipher.
pub(crate) const GRAIN: usize = 256 << 10;
/// The fewest and the most slots of a device. Each has a thread that copies texts to and from page-locked memory: on an
/// H100 twelve are 2.5 times as fast as three (lab/GPU.md).
const SLOTS: (usize, usize) = (3, 12);
/// The most bytes in all slots of a device: small pieces stay in the processor's cache.
const ALL_SLOTS: usize = 48 << 20;

/// Returns the number of slots of each of so many devices. It leaves a quarter of the threads for other work.
fn slots_of_each(devices: usize) -> usize {
    (rayon::current_num_threads() * 3 / 4 / devices.max(1)).clamp(SLOTS.0, SLOTS.1)
}

/// The settings of an engine.
#[derive(Clone, Debug)]
pub struct Options {
    /// Set to let the processor share the devices' work. It always does the work that no device can do.
    pub cpu: bool,
    /// Jobs, or lists of jobs of one sort, with fewer bytes stay on the processor.
    pub least: usize,
    /// The most bytes of a device's piece. The default, from 4 to 16 MiB, is smaller where a device has more slots.
    pub piece: usize,
    /// The time limit of a device for a piece.
    pub patience: Duration,
}

impl Default for Options {
    fn default() -> Self {
        let (piece, patience) = (ALL_SLOTS / slots_of_each(1), Duration::from_secs(30));
        Options { cpu: true, least: 4 << 20, piece, patience }
    }
}

/// A report of one call: which device did how much.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The devices that failed, with reasons.
    pub warnings: Vec<String>,
    /// The bytes that each device did, by [`Device::label`], and the processor, by `cpu`.
    pub bytes: HashMap<String, u64>,
}

/// An engine over the processor and devices.
pub struct Engine {
    pub(crate) devices: Vec<Arc<Device>>,
    pub(crate) options: Options,
    /// The slots of each device.
    slots_each: usize,
    /// Idle slots, with the device's index.
    pub(crate) slots: Mutex<Vec<(usize, Slot)>>,
    /// The speed of each device in bytes per second, then of one processor thread; 0 until measured.
    rates: Mutex<Vec<f64>>,
    /// The devices with a reported failure.
    told: Mutex<Vec<bool>>,
    /// The programs that devices do not load, as reported.
    refused: Mutex<HashSet<String>>,
}

pub(crate) fn lock<T>(m: &Mutex<T>) -> MutexGuard<'_, T> {
    m.lock().unwrap_or_else(|e| e.into_inner())
}

/// Work that is divided into grains.
pub(crate) trait Split: Sync {
    /// Returns the length of a grain in bytes.
    fn len(&self, grain: usize) -> usize;
    /// Processes a grain on the processor.
    fn cpu(&self, grain: usize) -> std::result::Result<(), bulat::Error>;
    /// Returns the step that a device performs on a run of grains.
    fn step(&self, grains: Range<usize>) -> Step;
    fn fill(&self, grains: Range<usize>, data: &mut [u8]);
    fn empty(&self, grains: Range<usize>, data: &[u8], beside: &[u8]);
    /// Returns a number that is equal for grains that one step can process.
    fn kind(&self, _grain: usize) -> usize {
        0
    }
    /// Returns the factor by which a piece may exceed the usual time.
    fn patience(&self) -> u32 {
        1
    }
}

impl Engine {
    /// Creates an engine over these devices, as found by [`crate::devices`].
    pub fn new(devices: Vec<Arc<Device>>, options: Options) -> Self {
        let rates = Mutex::new(vec![0.0; devices.len() + 1]);
        let told = Mutex::new(vec![false; devices.len()]);
        let slots_each = slots_of_each(devices.len());
        let piece = options.piece.max(GRAIN).next_multiple_of(GRAIN);
        Engine {
            devices,
            options: Options { piece, ..options },
            slots_each,
            slots: Mutex::default(),
            rates,
            told,
            refused: Mutex::default(),
        }
    }

    /// Returns the devices.
    pub fn devices(&self) -> &[Arc<Device>] {
        &self.devices
    }

    /// Runs every job to its end, with the results of [`bulat::batch::run_on_threads`].
    pub fn run(&self, jobs: Vec<Job<'_>>) -> (Vec<std::result::Result<(), bulat::Error>>, Report) {
        let report = Mutex::new(Report::default());
        let mut results = vec![Ok(()); jobs.len()];
        let mut rest: Vec<(usize, Job<'_>)> = Vec::new();
        let mut lists: HashMap<Sort, Vec<(usize, Job<'_>)>> = HashMap::new();
        let usable = self.devices.iter().any(|d| d.lost().is_none());
        for (i, job) in jobs.into_iter().enumerate() {
            if !usable {
                rest.push((i, job));
                continue;
            }
            match self.long(job, &report) {
                Ok(result) => results[i] = result,
                Err(job) => match Sort::of(&job) {
                    Some(sort) => lists.entry(sort).or_default().push((i, job)),
                    None => rest.push((i, job)),
                },
            }
        }
        // Lists of messages in MGM run together: a key of a file in Magma has only 2 MiB.
        let mut together: HashMap<Sort, Vec<(usize, Job<'_>)>> = HashMap::new();
        for (sort, mut list) in lists {
            if list.len() < sort.least() {
                rest.extend(list);
            } else {
                // Messages side by side run as long as the longest.
                list.sort_by_key(|(_, job)| std::cmp::Reverse(job.bytes()));
                together.entry(sort.of_any_key()).or_default().extend(list);
            }
        }
        for (sort, list) in together {
            if list.iter().map(|(_, job)| job.bytes()).sum::<usize>() < self.options.least {
                rest.extend(list);
            } else {
                messages::run(self, sort, list, &mut results, &report);
            }
        }
        let (numbers, jobs): (Vec<usize>, Vec<Job<'_>>) = rest.into_iter().unzip();
        let bytes: usize = jobs.iter().map(JobParts::bytes).sum();
        let done = batch::run_on_threads(jobs);
        numbers.into_iter().zip(done).for_each(|(i, r)| results[i] = r);
        let mut report = report.into_inner().unwrap_or_else(|e| e.into_inner());
        *report.bytes.entry("cpu".into()).or_default() += bytes as u64;
        (results, report)
    }

    /// Returns slots for these devices, except those that have failed.
    fn take_slots(&self, able: &[usize], report: &Mutex<Report>) -> Vec<(usize, Slot)> {
        let mut idle = lock(&self.slots);
        idle.retain(|(d, _)| self.devices[*d].lost().is_none());
        let mut slots: Vec<_> = idle.extract_if(.., |(d, _)| able.contains(d)).collect();
        drop(idle);
        for &d in able {
            let device = &self.devices[d];
            let has = |slots: &[(usize, Slot)]| slots.iter().filter(|(of, _)| *of == d).count();
            while device.lost().is_none() && has(&slots) < self.slots_each {
                match Slot::new(device, self.options.piece) {
                    Ok(slot) => slots.push((d, slot)),
                    Err(e) => {
                        // With fewer slots a device is slower; without any it counts as failed.
                        if has(&slots) == 0 {
                            self.lose(d, e, report);
                        }
                        break;
                    }
                }
            }
        }
        slots
    }

    pub(crate) fn lose(&self, device: usize, why: Error, report: &Mutex<Report>) {
        let told = std::mem::replace(&mut lock(&self.told)[device], true);
        let device = &self.devices[device];
        if !told {
            let name = device.label();
            lock(report).warnings.push(format!("{name}: {why}; others do its work"));
            device.lose(why);
        }
    }

    /// Processes all grains with all workers.
    pub(crate) fn split(
        &self,
        work: &dyn Split,
        grains: usize,
        programs: &[crate::Program],
        report: &Mutex<Report>,
    ) -> std::result::Result<(), bulat::Error> {
        // Compiles and tests before any worker waits for a piece.
        let mut able = Vec::new();
        for (d, device) in self.devices.iter().enumerate().filter(|(_, d)| d.lost().is_none()) {
            match device.prepare(programs) {
                Ok(()) => able.push(d),
                Err(e) if device.lost().is_some() => self.lose(d, e, report),
                Err(e) => {
                    let warning = format!("{}: {e}; others do this work", device.label());
                    if lock(&self.refused).insert(warning.clone()) {
                        lock(report).warnings.push(warning);
                    }
                }
            }
        }
        let slots = self.take_slots(&able, report);
        Call::new(self, work, grains, report).run(slots)
    }

    pub(crate) fn measured(&self, who: usize, bytes: usize, took: Duration) {
        let now = bytes as f64 / took.as_secs_f64().max(1e-6);
        let rate = &mut lock(&self.rates)[who];
        *rate = if *rate == 0.0 { now } else { 0.75 * *rate + 0.25 * now };
    }

    /// Returns the number of grains for a slot: its device's share of the rest, divided by the slots; half of that if
    /// others work too, because rates change. Small pieces would not fill a fast device.
    pub(crate) fn share(&self, device: usize, left: usize) -> usize {
        let rates = lock(&self.rates);
        let most = self.options.piece / GRAIN;
        let slots = self.slots_each as f64;
        let own = rates[device] * slots;
        let threads = if self.options.cpu { rayon::current_num_threads() as f64 } else { 0.0 };
        let all: f64 = rates[..self.devices.len()].iter().map(|r| r * slots).sum::<f64>()
            + rates[self.devices.len()] * threads;
        if own == 0.0 {
            // Not yet measured: starts with a small piece.
            return (most / 8).max(1);
        }
        let (part, least) = match own / all {
            1.0.. => (1.0, most),
            share @ 0.5.. => (share / 2.0, most),
            share => (share / 2.0, 1),
        };
        ((left as f64 * part / slots).ceil() as usize).clamp(least.div_ceil(4), most)
    }
}
