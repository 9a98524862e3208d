//! LUKS2 (the LUKS2 On-Disk Format Specification, 1.1.1): a header in two copies, each with a checksum and a number
//! that grows; keyslots; the data. Every change is written first to the second copy, then to the first, so that one of
//! them is whole at any time. Unknown parts of a header's text (tokens, flags) are kept.

mod backup;
mod copies;
mod create;
mod detached;
mod fields;
mod keyslots;
mod meta;

use std::ops::Deref;
use std::sync::Arc;

use serde_json::Value;
use zeroize::Zeroizing;

use crate::af::STRIPES;
use crate::cipher::Spec;
use crate::error::{Error, Result};
use crate::hash::Hash;
use crate::kdf::Limits;
use crate::random;
use crate::store::Store;
use crate::volume::{Layout, Volume};

pub use backup::{check_backup, restore};
pub use copies::{check_data, find, is_detached, outline, read};
pub use create::Create;
pub use detached::Apart;
pub use keyslots::NewSlot;
pub use meta::{Area, Lock, Segment, Slot, Token};
use meta::{Meta, Room};

pub use crate::signs::{MAGIC, SECOND};

/// The length of the binary part, before the text.
const BINARY: usize = 4096;
/// The possible lengths of a copy, which are also the possible positions of the second.
pub const SIZES: [u64; 9] =
    [0x4000, 0x8000, 0x1_0000, 0x2_0000, 0x4_0000, 0x8_0000, 0x10_0000, 0x20_0000, 0x40_0000];
/// The most objects of each kind.
const OBJECTS: usize = 32;
/// The most bytes for keyslots.
const KEYSLOTS: u64 = 128 << 20;

/// A header with the right checksum, and nothing else checked: to show what it says, supported or not.
#[derive(Clone, Debug)]
pub struct Outline {
    /// The length of a copy in bytes.
    pub size: u64,
    /// A number that grows with every change.
    pub sequence: u64,
    label: [u8; 48],
    uuid: [u8; 40],
    subsystem: [u8; 48],
    checksum: Hash,
    text: Value,
}

/// A header that this library supports.
#[derive(Clone, Debug)]
pub struct Header {
    outline: Outline,
    meta: Meta,
}

impl Deref for Header {
    type Target = Outline;
    fn deref(&self) -> &Outline {
        &self.outline
    }
}

/// The state of a copy of the header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Copy {
    /// It is the newest, or agrees with it.
    Good,
    /// It is whole and older than the other.
    Older,
    /// It is not whole, for this reason.
    Damaged(String),
}

/// A header as found.
#[derive(Clone, Debug)]
pub struct Found {
    /// The newest whole copy.
    pub header: Header,
    /// The first copy.
    pub first: Copy,
    /// The second copy.
    pub second: Copy,
    /// If only one copy is whole: the name of anything else with a sign in the store.
    pub other: Option<&'static str>,
}

impl Outline {
    /// Returns the volume's UUID, 36 digits and dashes.
    pub fn uuid(&self) -> String {
        printed(&self.uuid)
    }
    /// Returns the label.
    pub fn label(&self) -> String {
        printed(&self.label)
    }
    /// Returns the text as JSON.
    pub fn text(&self) -> &Value {
        &self.text
    }
}

impl Header {
    /// Returns the keyslots.
    pub fn slots(&self) -> &[Slot] {
        &self.meta.slots
    }
    /// Returns the data's segment.
    pub fn segment(&self) -> &Segment {
        &self.meta.segment
    }
    /// Returns the bytes before the data: both copies and the keyslots.
    pub fn area(&self) -> u64 {
        self.meta.keyslots.end()
    }
    /// Returns the tokens: how another program opens keyslots.
    pub fn tokens(&self) -> &[Token] {
        &self.meta.tokens
    }
    /// Returns the hash of the digest, if it is supported, and its iterations.
    ///
    /// # Errors
    /// The name of an unsupported hash.
    pub fn digest(&self) -> Result<(Hash, u64), String> {
        Ok((self.meta.digest.hash.clone()?, self.meta.digest.iterations))
    }

    /// Returns whether this is the volume key.
    ///
    /// # Errors
    /// [`Error::Limit`] for more iterations than 2^32; [`Error::Unsupported`] for the digest's hash.
    pub fn is_key(&self, key: &[u8]) -> Result<bool> {
        let (digest, hash) = (&self.meta.digest, self.digest().map_err(Error::Unsupported)?.0);
        let mut computed = Zeroizing::new(vec![0; digest.digest.len()]);
        let iterations = Limits { iterations: u32::MAX, ..Default::default() };
        let iterations = iterations.iterations(digest.iterations)?;
        hash.pbkdf2(key, &digest.salt, iterations, &mut computed)?;
        Ok(bulat::verify(&computed, &digest.digest).is_ok())
    }

    /// Returns the layout of the data in a store, or of the data of a detached header's store.
    ///
    /// # Errors
    /// The store's.
    pub fn layout(&self, store: &dyn Store) -> Result<Layout> {
        let segment = &self.meta.segment;
        let size = store.apart().map_or_else(|| store.size(), Ok)?;
        let room = size.saturating_sub(segment.offset);
        let len = segment.len.unwrap_or(room / segment.sector as u64 * segment.sector as u64);
        // Numbers of sectors count 512 bytes, for every sector size.
        let step = (segment.sector / 512) as u64;
        Ok(Layout {
            offset: segment.offset,
            len,
            sector: segment.sector,
            first: segment.first,
            step,
        })
    }

    /// Returns the cipher of the data.
    fn spec(&self) -> Result<Spec> {
        self.meta.segment.spec.clone().map_err(Error::Unsupported)
    }

    /// Opens the volume with its volume key; for a detached header, in the store of the data.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for the data's cipher; as [`Volume::new`].
    pub fn open(&self, store: Arc<dyn Store>, key: &[u8], writable: bool) -> Result<Volume> {
        Volume::new(store.clone(), self.layout(&*store)?, self.spec()?, key, writable)
    }
}

fn printed(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|b| *b == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(&bytes[..end]).chars().filter(|c| !c.is_control()).collect()
}

/// Fills an area with random bytes.
fn wipe(store: &dyn Store, area: Area, progress: &mut dyn FnMut(u64)) -> Result<()> {
    let mut bytes = vec![0; area.len.min(1 << 20) as usize];
    let mut done = 0;
    while done < area.len {
        let n = (area.len - done).min(bytes.len() as u64) as usize;
        random(&mut bytes[..n])?;
        store.write_at(&bytes[..n], area.offset + done)?;
        done += n as u64;
        progress(done);
    }
    Ok(store.sync()?)
}
