//! The real clock: a chain of dependent additions with a known length in cycles.

use std::hint::black_box;
use std::time::Instant;

/// Cycles of one chain.
const CHAIN: u32 = 4_000;

/// Seconds of one cycle, now: the least of five chains, since an interrupt inside one makes the clock look
/// slow, and the work faster than it is.
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

/// How crowded the core is: the time of four such chains side by side over that of one, the median of five.
/// On a core of its own it is near 1 where four operations begin in a cycle; where another thread shares the units,
/// as a virtual machine's neighbour may, it rises, while the chain itself, and so the clock, shows nothing.
#[must_use]
pub fn crowd() -> f64 {
    let mut times = [0.0; 5];
    for time in &mut times {
        *time = four();
    }
    times.sort_by(f64::total_cmp);
    times[2] / cycle()
}

/// Seconds of a cycle's worth of one chain, while three others run along with it.
fn four() -> f64 {
    let start = Instant::now();
    let mut x = black_box([1usize, 2, 3, 4]);
    for _ in 0..CHAIN / 4 {
        for x in &mut x {
            *x = x.rotate_left(7).wrapping_add(*x);
        }
        for x in &mut x {
            *x = x.rotate_left(9).wrapping_add(*x);
        }
    }
    black_box(x);
    start.elapsed().as_secs_f64() / f64::from(CHAIN)
}
