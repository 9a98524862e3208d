//! The container of `bulat encrypt`: docs/FORMAT.md, version 1. A header of 112 bytes, then chunks of
//! ciphertext, each followed by its full MGM tag.
//!
//! [`header`] reads and writes the header and derives the keys; [`seal`] and [`open`] do the chunks of
//! streams, [`between_files`] those of regular files.

mod error;
#[cfg(unix)]
mod file;
pub mod header;
mod stream;

pub use error::Error;
#[cfg(unix)]
pub use file::between_files;
pub use header::{Cipher, Credential, Header, Keys, Source};
pub use stream::{open, seal};

/// Iterations of PBKDF2 that `encrypt` never goes below.
pub const MIN_ITERATIONS: u32 = 200_000;
/// Iterations of PBKDF2 above which `decrypt` asks for leave before any work.
pub const MAX_ITERATIONS: u32 = 20_000_000;
/// The usual chunk: 2^17 = 131 072 bytes of plaintext. On an Intel Xeon (Rocket Lake), the sizes 2^14 to
/// 2^20 in turn, best of 150, Kuznyechik: sealed 459, 463, 486, 486, 487, 467, 464 MB/s, opened 460,
/// 468, 499, 479, 444, 421, 376. Less costs more calls, more leaves the cache.
pub const CHUNK_LOG2: u8 = 17;
