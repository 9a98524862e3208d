//! Encrypted volumes in user space: the plaintext of a file or a block device that Linux's dm-crypt or VeraCrypt has
//! encrypted, with Kuznyechik or a different cipher.
//!
//! | I want to | |
//! |---|---|
//! | open a LUKS volume | [`luks2::read`], [`luks2::Header::unlock`], [`luks2::Header::open`]; old ones: [`luks1`] |
//! | make one, change its passwords | [`luks2::Create`], [`luks2::Header::add`], [`luks2::Header::change`], [`luks2::Header::remove`] |
//! | open or make a VeraCrypt volume | [`veracrypt`] |
//! | open a plain dm-crypt mapping | [`plain`] |
//! | open a volume of any kind | [`Open`] |
//! | read and write an open volume | [`Volume`] |
//! | recognise the content of a store | [`signs::look`] |
//! | open a file safely, although others may use it | [`hold::open`] |
//! | change a header while the volume is served | [`hold::header`] |
//!
//! ```
//! use std::sync::Arc;
//! use bulat_block::{Hash, Kdf, Limits, Memory, luks2};
//! let store = Arc::new(Memory::new(vec![0; 1 << 20]));
//! let slot = luks2::NewSlot::common(Kdf::Pbkdf2 { hash: Hash::Sha256, iterations: 1000 });
//! let new = luks2::Create { keyslots: 512 << 10, ..luks2::Create::new(slot) };
//! new.make(&*store, b"secret", &mut |_| ())?;
//!
//! let header = luks2::read(&*store)?.header;
//! let (key, _) = header.unlock(&*store, b"secret", None, &Limits::default())?;
//! let volume = header.open(store, &key, true)?;
//! volume.write_at(b"text", 5000)?;
//! let mut text = [0; 4];
//! volume.read_at(&mut text, 5000)?;
//! assert_eq!(&text, b"text");
//! # Ok::<(), bulat_block::Error>(())
//! ```
//!
//! Nothing here authenticates data: anyone who can write to the store can replace a block by noise or by its earlier
//! content. Headers are checked, and their work bounded ([`Limits`]), before any computation.
//!
//! **Memory.** A volume needs the ciphertext of one piece ([`volume::PIECE`]) per thread, a header its copy (at most 4
//! MiB), and a keyslot being tried its stripes (at most 2 MB) and Argon2's memory (at most 1 GiB, unless [`Limits`]
//! allow more).

mod af;
pub mod cipher;
mod error;
mod hash;
pub mod hold;
mod kdf;
pub mod luks1;
pub mod luks2;
pub mod open;
pub mod plain;
pub mod signs;
pub mod store;
pub mod system;
pub mod veracrypt;
pub mod volume;

pub use cipher::{Block, Cipher, Spec};
pub use error::{Error, Result};
pub use hash::Hash;
pub use kdf::{Kdf, Limits};
pub use luks2::Apart;
pub use open::{Kind, Open};
pub use store::{Memory, Store, UNKNOWN};
pub use volume::{Layout, Volume};

/// Fills the buffer with random bytes from the system.
pub(crate) fn random(bytes: &mut [u8]) -> Result<()> {
    let failed = |e| Error::Io(std::io::Error::other(format!("no random numbers: {e}")));
    getrandom::fill(bytes).map_err(failed)
}
