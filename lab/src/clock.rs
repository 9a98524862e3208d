//! Core cycles at the real clock: a chain of dependent additions, one cycle each, timed right before and
//! right after the work. The clock of these machines moves; only the ratio within a sample is used.
#![allow(unsafe_code)]

use std::time::Instant;

/// Additions in a chain: long beside the timer's resolution, short beside the scheduler's slice.
const CHAIN: u64 = 20_000;

/// Seconds of a chain of `CHAIN` dependent additions.
fn chain() -> f64 {
    let start = Instant::now();
    let mut x = 0u64;
    for _ in 0..CHAIN / 10 {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: ten additions to a register of our own.
        unsafe {
            core::arch::asm!(
                "add {x}, 1", "add {x}, 1", "add {x}, 1", "add {x}, 1", "add {x}, 1",
                "add {x}, 1", "add {x}, 1", "add {x}, 1", "add {x}, 1", "add {x}, 1",
                x = inout(reg) x, options(nomem, nostack),
            );
        }
        #[cfg(target_arch = "aarch64")]
        // SAFETY: ten additions to a register of our own.
        unsafe {
            core::arch::asm!(
                "add {x}, {x}, 1", "add {x}, {x}, 1", "add {x}, {x}, 1", "add {x}, {x}, 1",
                "add {x}, {x}, 1", "add {x}, {x}, 1", "add {x}, {x}, 1", "add {x}, {x}, 1",
                "add {x}, {x}, 1", "add {x}, {x}, 1",
                x = inout(reg) x, options(nomem, nostack),
            );
        }
    }
    std::hint::black_box(x);
    start.elapsed().as_secs_f64()
}

/// The cycles of one sample.
#[derive(Clone, Copy)]
pub struct Cycles {
    /// The least of all samples.
    pub min: f64,
    /// The middle one.
    pub median: f64,
    /// The clock beside the least sample, in GHz.
    pub ghz: f64,
}

/// Runs `work` in samples of at least 20 µs for about `seconds`, and gives the cycles of one call.
pub fn measure(seconds: f64, mut work: impl FnMut()) -> Cycles {
    let begin = Instant::now();
    work();
    let once = begin.elapsed().as_secs_f64().max(1e-9);
    let calls = (20e-6 / once).ceil().max(1.0) as u32;
    let mut samples = Vec::new();
    while begin.elapsed().as_secs_f64() < seconds || samples.len() < 20 {
        let before = chain();
        let start = Instant::now();
        for _ in 0..calls {
            work();
        }
        let took = start.elapsed().as_secs_f64();
        // The slower of the two chains may have been interrupted; the faster is the clock.
        let period = before.min(chain()) / CHAIN as f64;
        samples.push((took / period / f64::from(calls), 1e-9 / period));
        // The slowest peers take a second for a large buffer.
        if begin.elapsed().as_secs_f64() > 20.0 * seconds {
            break;
        }
    }
    samples.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (min, ghz) = samples[0];
    Cycles { min, median: samples[samples.len() / 2].0, ghz }
}
