//! Cycles at the real clock, which is read before and after every run (see `engine::cycle`).

use std::time::Instant;

pub use engine::cycle;

/// Forces the kernel that `BULAT_KERNEL` names, if it is set: for benches that do not loop over all kernels.
#[allow(dead_code)] // most do
pub fn obey_environment() {
    if let Ok(name) = std::env::var("BULAT_KERNEL") {
        bulat::kernel::force(Some(&name)).expect("BULAT_KERNEL names a kernel of this machine");
    }
}

/// Returns whether a line has a word of the arguments; without a word, every line is wanted.
#[allow(dead_code)] // a bench may have numbers among the words
pub fn wanted() -> impl Fn(&str) -> bool {
    let words: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    move |line| words.is_empty() || words.iter().any(|word| line.contains(word))
}

/// Returns the minimum and the median of cycles per byte, over many short runs of `f` on `bytes` bytes. The minimum
/// leaves out the lowest 1 % of the runs: if a second tenant begins to share the core between two readings of the
/// clock, a run seems to need fewer cycles than it did.
#[allow(dead_code)] // some benches measure otherwise
pub fn measure(bytes: usize, mut f: impl FnMut()) -> (f64, f64) {
    let mut runs = Vec::new();
    let began = Instant::now();
    let enough = |runs: usize, began: Instant| match began.elapsed().as_millis() {
        0..400 => runs >= 4000,
        400..2000 => runs >= 100,
        _ => runs >= 3, // a large buffer, or a slow peer
    };
    while !enough(runs.len(), began) {
        let before = cycle();
        let start = Instant::now();
        f();
        let taken = start.elapsed().as_secs_f64();
        let after = cycle();
        // Discard a run that was interrupted, or during which the clock changed. In a long run such changes average
        // out, so its limit is wider.
        if (before / after - 1.0).abs() < if taken > 0.005 { 0.2 } else { 0.05 } {
            runs.push(taken / (before + after) * 2.0 / bytes as f64);
        } else if began.elapsed().as_secs() > 2 {
            break;
        }
    }
    runs.sort_by(f64::total_cmp);
    match runs.len() {
        0 => (f64::NAN, f64::NAN),
        n => (runs[n / 100], runs[n / 2]),
    }
}

/// Returns random bytes, which no branch predictor can learn.
#[allow(dead_code)] // some benches have texts of their own
pub fn random(len: usize) -> Vec<u8> {
    engine::text(0, len)
}
