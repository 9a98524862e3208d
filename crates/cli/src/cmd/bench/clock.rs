//! The processor's clock, and cycles counted by it.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// Returns the seconds of one cycle now: the least of five chains. An interrupt inside one would make the clock look
/// slow, and the measured work faster than it is.
fn cycle() -> f64 {
    (0..5).map(|_| chain()).fold(f64::INFINITY, f64::min)
}

/// Times a chain of dependent additions. Each adds the value to its own rotation, two cycles together, because
/// compilers and some processors fold a chain of plain sums.
fn chain() -> f64 {
    const CYCLES: u32 = 4_000;
    let start = Instant::now();
    let mut x = black_box(1usize);
    for _ in 0..CYCLES / 8 {
        x = x.rotate_left(7).wrapping_add(x);
        x = x.rotate_left(9).wrapping_add(x);
        x = x.rotate_left(11).wrapping_add(x);
        x = x.rotate_left(13).wrapping_add(x);
    }
    black_box(x);
    start.elapsed().as_secs_f64() / f64::from(CYCLES)
}

/// Returns the cycles per byte of the runs with a steady clock, if there were any: the least and the median.
pub fn measure(
    mut f: impl FnMut(),
    bytes: usize,
    time: Duration,
    clock: &mut Vec<f64>,
) -> (f64, f64) {
    let began = Instant::now();
    f();
    // Each run lasts at least some 100 microseconds, so reading the clock costs little.
    let once = began.elapsed().as_secs_f64().max(1e-9);
    let times = (100e-6 / once).ceil().max(1.0) as usize;
    let (mut steady, mut others) = (Vec::new(), Vec::new());
    // At least one run, even if the first call was long.
    while steady.len() + others.len() == 0
        || began.elapsed() < time
        || (steady.len() < 3 && began.elapsed() < 4 * time + Duration::from_millis(50))
    {
        let before = cycle();
        let start = Instant::now();
        (0..times).for_each(|_| f());
        let taken = start.elapsed().as_secs_f64();
        let after = cycle();
        clock.push((before + after) / 2.0);
        let cycles = taken / (before + after) * 2.0 / (bytes * times) as f64;
        let moved = (before / after - 1.0).abs();
        if moved < 0.05 { steady.push(cycles) } else { others.push(cycles) }
    }
    let mut runs = if steady.is_empty() { others } else { steady };
    runs.sort_by(f64::total_cmp);
    (runs[0], runs[runs.len() / 2])
}

/// Returns bytes that no predictor knows.
pub fn random(len: usize) -> Vec<u8> {
    let mut bytes = vec![1; len];
    // Without the system's generator any bytes will do.
    let _ = getrandom::fill(&mut bytes);
    bytes
}
