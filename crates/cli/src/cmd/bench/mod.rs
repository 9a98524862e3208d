//! `bulat bench`: this machine's kernels, the picked ones, and their speed against the bound and an installed peer;
//! `--calibrate`: every kernel.

mod bounds;
mod calibrate;
mod clock;
mod overview;
mod peer;

use crate::cli::BenchArgs;
use crate::error::{Exit, Result};

/// Runs `bulat bench`.
pub fn run(args: &BenchArgs) -> Result<Exit> {
    // NaN counts as 0.
    let seconds = |default: f64| args.seconds.unwrap_or(default).max(0.0).clamp(0.0, 3600.0);
    #[cfg(feature = "gpu")]
    if args.gpu {
        return super::gpu::bench(seconds(60.0), args.json);
    }
    match args.calibrate {
        true => calibrate::run(seconds(5.0), args.json),
        false => overview::run(seconds(15.0), !args.no_peer, args.json),
    }
}
