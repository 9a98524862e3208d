//! Cycles at the real clock: a chain of dependent additions, one a cycle, timed beside every run.

use std::hint::black_box;
use std::time::Instant;

const CHAIN: u32 = 4_000;

/// Seconds of one cycle, now: the least of three chains, since an interrupt inside one makes the clock look
/// slow, and the work beside it faster than it is.
pub fn cycle() -> f64 {
    (0..3).map(|_| chain()).fold(f64::INFINITY, f64::min)
}

fn chain() -> f64 {
    let start = Instant::now();
    let mut x = black_box(1usize);
    for _ in 0..CHAIN / 8 {
        // Each step needs the one before: black_box would go through memory, a multiplication would
        // cost more than a cycle, and a plain sum would be folded; rotate-and-add is two cycles.
        x = x.rotate_left(7).wrapping_add(x);
        x = x.rotate_left(9).wrapping_add(x);
        x = x.rotate_left(11).wrapping_add(x);
        x = x.rotate_left(13).wrapping_add(x);
    }
    black_box(x);
    start.elapsed().as_secs_f64() / f64::from(CHAIN)
}

/// Minimum and median of cycles for each octet, over many short runs of `f` on `octets` octets.
pub fn measure(octets: usize, f: impl FnMut()) -> (f64, f64) {
    runs(octets, 4000, f)
}

/// The same over few runs, for many sizes.
#[allow(dead_code)] // not every bench has many sizes
pub fn quick(octets: usize, f: impl FnMut()) -> (f64, f64) {
    runs(octets, 60, f)
}

fn runs(octets: usize, most: usize, mut f: impl FnMut()) -> (f64, f64) {
    let mut runs = Vec::new();
    let began = Instant::now();
    let enough = |runs: usize, began: Instant| match began.elapsed().as_millis() {
        0..400 => runs >= most,
        400..2000 => runs >= most.min(100),
        _ => runs >= 3, // a large buffer, or a slow peer
    };
    while !enough(runs.len(), began) {
        let before = cycle();
        let start = Instant::now();
        f();
        let taken = start.elapsed().as_secs_f64();
        let after = cycle();
        // A run during which the clock changed, or which was interrupted, says nothing; a long one spans
        // changes that average out.
        if (before / after - 1.0).abs() < if taken > 0.005 { 0.2 } else { 0.05 } {
            runs.push(taken / (before + after) * 2.0 / octets as f64);
        } else if began.elapsed().as_secs() > 2 {
            break;
        }
    }
    runs.sort_by(f64::total_cmp);
    match runs.len() {
        0 => (f64::NAN, f64::NAN),
        n => (runs[0], runs[n / 2]),
    }
}

/// Octets that no predictor knows (xorshift64).
#[allow(dead_code)] // some benches have texts of their own
pub fn random(len: usize) -> Vec<u8> {
    let mut x = 0x2545_f491_4f6c_dd1d_u64;
    let next = || {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        (x >> 24) as u8
    };
    std::iter::repeat_with(next).take(len).collect()
}
