//! PBKDF2 over many passwords, on the processor and devices.

use std::ops::Range;
use std::sync::Mutex;

use bulat::kdf::{Candidate, pbkdf2_many};
use bulat::{HmacStreebog512, executor};
use zeroize::Zeroizing;

use crate::Program;
use crate::engine::{Engine, Report, Split, lock};
use crate::slot::Step;

/// The bytes of a derived block.
const BLOCK: usize = 64;
/// The bytes that an iteration hashes: key and text, inner and outer.
const ITERATION: usize = 256;

impl Engine {
    /// Runs PBKDF2 over HMAC-Streebog-512 for many passwords with one number of iterations, with the results of
    /// [`bulat::kdf::pbkdf2_many`]. A device needs many passwords, because the iterations of one are sequential. The
    /// report counts derived bytes.
    ///
    /// # Errors
    /// As [`bulat::kdf::pbkdf2_many`]. Errors come before any work, and then nothing is written.
    pub fn pbkdf2(
        &self,
        iterations: u32,
        all: &mut [Candidate<'_>],
    ) -> (Result<(), bulat::Error>, Report) {
        // The library refuses invalid input, and also does short lists with only a few blocks.
        let blocks: usize = all.iter().map(|c| c.dk.len().div_ceil(BLOCK)).sum();
        let refused = iterations == 0
            || all.iter().any(|c| c.dk.is_empty() || c.dk.len() / BLOCK >= u32::MAX as usize);
        let worth = blocks.saturating_mul(iterations as usize).saturating_mul(ITERATION);
        let usable = self.devices().iter().any(|d| d.lost().is_none());
        if refused || !usable || all.len() < 64 || worth < self.options.least {
            let result = pbkdf2_many::<64>(iterations, all);
            let mut report = Report::default();
            report.bytes.insert("cpu".into(), (blocks * BLOCK) as u64);
            return (result, report);
        }
        // Enough passwords at a time for every worker, but not more than fit in a piece.
        let most = (self.options.piece / BLOCK).min(1024);
        let per = (all.len() / 64).clamp(32, most.max(32));
        let grains = all.chunks_mut(per).map(Mutex::new).collect();
        let work = Passwords { iterations, grains };
        let report = Mutex::default();
        let result = self.split(&work, work.grains.len(), &[Program::Streebog], &report);
        (result, report.into_inner().unwrap_or_else(|e| e.into_inner()))
    }
}

struct Passwords<'a, 'b> {
    iterations: u32,
    grains: Vec<Mutex<&'a mut [Candidate<'b>]>>,
}

impl Split for Passwords<'_, '_> {
    fn len(&self, grain: usize) -> usize {
        lock(&self.grains[grain]).iter().map(|c| c.dk.len().next_multiple_of(BLOCK)).sum()
    }
    fn cpu(&self, grain: usize) -> Result<(), bulat::Error> {
        pbkdf2_many::<64>(self.iterations, &mut lock(&self.grains[grain]))
    }
    fn step(&self, grains: Range<usize>) -> Step {
        let (mut keys, mut salts, mut numbers) =
            (Zeroizing::new(Vec::new()), Vec::new(), Vec::new());
        for grain in &self.grains[grains] {
            for candidate in lock(grain).iter() {
                let key = executor::hmac_block(&HmacStreebog512::new(candidate.password));
                for i in 0..candidate.dk.len().div_ceil(BLOCK) {
                    keys.extend_from_slice(&key[..]);
                    salts.push(candidate.salt.to_vec());
                    numbers.push(i as u32 + 1);
                }
            }
        }
        Step::Passwords { keys, salts, numbers, iterations: self.iterations }
    }
    fn fill(&self, _: Range<usize>, _: &mut [u8]) {}
    fn empty(&self, grains: Range<usize>, data: &[u8], _: &[u8]) {
        let mut blocks = data.chunks(BLOCK);
        for grain in &self.grains[grains] {
            for candidate in lock(grain).iter_mut() {
                for (out, block) in candidate.dk.chunks_mut(BLOCK).zip(&mut blocks) {
                    out.copy_from_slice(&block[..out.len()]);
                }
            }
        }
    }
    /// Iterations are sequential, so a piece needs at least their time.
    fn patience(&self) -> u32 {
        1 + self.iterations / 4096
    }
}
