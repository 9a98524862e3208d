//! The container of `bulat encrypt`: docs/FORMAT.md, version 1. A header of 112 bytes, then chunks of
//! ciphertext, each followed by its full MGM tag.
//!
//! [`header`] reads and writes the header and derives the keys; [`seal`] and [`open`] do the chunks of
//! streams, [`between_files`] those of regular files, [`in_batches`]
//! many in one call, [`Reader`] and [`Writer`] those of a file that is used piece by piece.
//! [`digits`] tells what a key file holds, [`mark`] how a text is encoded, [`stamp`] whether a file changed while it was read, [`pipeline`] does the work side by
//! side. Readers, writers and bytes alone: programs, tests and fuzzers call it.
#![forbid(unsafe_code)]

mod batches;
pub mod digits;
mod error;
#[cfg(unix)]
mod file;
pub mod header;
pub mod mark;
pub mod pipeline;
mod places;
pub mod stamp;
mod stream;

use std::time::{Duration, Instant};

pub use batches::in_batches;
pub use error::Error;
#[cfg(unix)]
pub use file::between_files;
pub use header::{Cipher, Credential, Header, Keys, Source};
pub use places::{Reader, Writer};
pub use stream::{open, open_from, seal};

/// Iterations of PBKDF2 that `encrypt` never goes below.
pub const MIN_ITERATIONS: u32 = 200_000;
/// Iterations of PBKDF2 above which `decrypt` asks for leave before any work.
pub const MAX_ITERATIONS: u32 = 20_000_000;
/// The usual chunk: 2^17 = 131 072 bytes of plaintext. On an Intel Xeon (Rocket Lake), the sizes 2^14 to
/// 2^20 in turn, best of 150, Kuznyechik: sealed 459, 463, 486, 486, 487, 467, 464 MB/s, opened 460,
/// 468, 499, 479, 444, 421, 376. Less costs more calls, more leaves the cache.
pub const CHUNK_LOG2: u8 = 17;

/// As many iterations as take about a second here, but never few and never absurdly many.
///
/// # Errors
/// None that is known.
pub fn iterations_of_a_second() -> Result<u32, bulat::Error> {
    const TRIAL: u32 = 2000;
    let mut out = [0; 32];
    let mut best = Duration::MAX;
    for _ in 0..3 {
        let begun = Instant::now();
        bulat::kdf::pbkdf2::<64>(b"measure", &[0; 32], TRIAL, &mut out)?;
        best = best.min(begun.elapsed());
    }
    let a_second = u128::from(TRIAL) * 1_000_000_000 / best.as_nanos().max(1);
    let rounded = a_second / 10_000 * 10_000;
    Ok(rounded.clamp(MIN_ITERATIONS.into(), (MAX_ITERATIONS / 4).into()) as u32)
}
