//! The container of `bulat encrypt`: docs/FORMAT.md, version 1. A header of 2048 bytes with up to 16 slots for
//! passwords and key files is followed by chunks of ciphertext, each with its full MGM tag.
//!
//! [`header`] reads and writes the header, changes its slots and derives the keys. [`seal`] and [`open`] process
//! streams, [`between_files`] regular files, [`in_batches`] many chunks in one call, [`Reader`] and [`Writer`] files
//! that are used piece by piece, [`Feed`] chunks that a caller brings. [`armor`] writes a container as text. [`digits`]
//! recognises the form of a key file, [`mark`] the encoding of a text, [`stamp`] detects files that change while they
//! are read, and [`pipeline`] runs the work on threads. Everything works on readers, writers and bytes: programs, tests
//! and fuzzers call it.
#![forbid(unsafe_code)]

pub mod armor;
mod batches;
mod cost;
pub mod digits;
mod error;
mod feed;
#[cfg(unix)]
mod file;
pub mod header;
pub mod mark;
pub mod name;
pub mod pipeline;
mod places;
mod queue;
pub mod slots;
pub mod stamp;
mod stream;

use std::time::{Duration, Instant};

pub use batches::in_batches;
pub use bulat::Direction;
pub use cost::{Cost, Unfit, Wanted};
pub use error::Error;
pub use feed::Feed;
#[cfg(unix)]
pub use file::between_files;
pub use header::{Cipher, Header, Keys, Slot};
pub use name::Name;
pub use places::{Reader, Writer};
pub use slots::{Credential, Kdf, Limits, Source};
pub use stream::{open, open_from, seal};

/// The fewest iterations of PBKDF2 in a new slot.
pub const MIN_ITERATIONS: u32 = 200_000;
/// The most iterations of PBKDF2 in all slots that a reader accepts without asking.
pub const MAX_ITERATIONS: u32 = 80_000_000;
/// The usual memory of Argon2id in a new slot, in KiB.
pub const MEMORY: u32 = 256 << 10;
/// The least memory of Argon2id in a new slot, in KiB.
pub const MIN_MEMORY: u32 = 64 << 10;
/// The most memory of Argon2id that a reader accepts without asking, in KiB.
pub const MAX_MEMORY: u32 = 1 << 20;
/// The fewest passes of Argon2id in a new slot, and the usual ones.
pub const MIN_PASSES: u32 = 3;
/// The usual chunk: 2^17 = 131 072 bytes of plaintext. On an Intel Xeon 0x06/0xa7, the sizes 2^14 to 2^20, best of
/// 150, Kuznyechik: sealed 459, 463, 486, 486, 487, 467, 464 MB/s, opened 460, 468, 499, 479, 444, 421, 376. Smaller
/// chunks cost more calls, larger ones do not fit in the cache.
pub const CHUNK_LOG2: u8 = 17;

/// Returns whether a file begins like a container, in armour or not. [`armor::PEEK`] bytes are enough.
pub fn begins(bytes: &[u8]) -> bool {
    bytes.starts_with(&header::MAGIC) || armor::begins(bytes)
}

/// Returns whether the bytes of a key are the beginning of a container, in armour or not. No branch and no address depends
/// on them.
#[inline(never)]
pub fn key_begins(key: &[u8; header::KEY]) -> bool {
    let equal = |at: usize, word: &[u8]| {
        let pairs = key[at..].iter().zip(word);
        u16::from(pairs.fold(0, |differs, (a, b)| differs | (a ^ b))).wrapping_sub(1) >> 8
    };
    let mark = armor::MARK.as_bytes();
    let marked = (0..=key.len() - mark.len()).fold(0, |found, at| found | equal(at, mark));
    (equal(0, &header::MAGIC) | marked) != 0
}

/// Returns the number of iterations that run in about a second here, within sensible bounds. The best of many short trials
/// counts: other programs interrupt some of them, but not all.
///
/// # Errors
/// An error of [`bulat::kdf::pbkdf2`], which accepts these arguments: there is none.
pub fn iterations_of_a_second() -> Result<u32, bulat::Error> {
    const TRIAL: u32 = 2000;
    const ALL: Duration = Duration::from_millis(100);
    let mut out = [0; 32];
    let (first, mut best) = (Instant::now(), Duration::MAX);
    while best == Duration::MAX || first.elapsed() < ALL {
        let begun = Instant::now();
        bulat::kdf::pbkdf2::<64>(b"measure", &[0; 32], TRIAL, &mut out)?;
        best = best.min(begun.elapsed());
    }
    let a_second = u128::from(TRIAL) * 1_000_000_000 / best.as_nanos().max(1);
    let rounded = a_second / 10_000 * 10_000;
    Ok(rounded.clamp(MIN_ITERATIONS.into(), (MAX_ITERATIONS / 16).into()) as u32)
}
