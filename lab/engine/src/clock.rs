//! The real clock: a chain of dependent additions, whose length in cycles is known.

use std::hint::black_box;
use std::time::Instant;

/// Cycles of one chain.
const CHAIN: u32 = 4_000;

/// Seconds of one cycle, now: the least of five chains, since an interrupt inside one makes the clock look
/// slow, and the work beside it faster than it is.
#[must_use]
pub fn cycle() -> f64 {
    (0..5).map(|_| chain()).fold(f64::INFINITY, f64::min)
}

/// Each step needs the one before. Rotate-and-add is two cycles; a plain sum would be folded by compilers,
/// and by some processors.
fn chain() -> f64 {
    let start = Instant::now();
    let mut x = black_box(1usize);
    for _ in 0..CHAIN / 8 {
        x = x.rotate_left(7).wrapping_add(x);
        x = x.rotate_left(9).wrapping_add(x);
        x = x.rotate_left(11).wrapping_add(x);
        x = x.rotate_left(13).wrapping_add(x);
    }
    black_box(x);
    start.elapsed().as_secs_f64() / f64::from(CHAIN)
}
