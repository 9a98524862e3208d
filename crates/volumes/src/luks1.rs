//! LUKS1: volumes can be opened, but not made or changed.

use std::sync::Arc;

use zeroize::Zeroizing;

use crate::af::{self, STRIPES};
use crate::cipher::{Cipher, Spec};
use crate::error::{Error, Result, damaged, known_or_named};
use crate::hash::Hash;
use crate::kdf::{Asked, Kdf, Limits};
use crate::signs::{MAGIC, text};
use crate::store::Store;
use crate::volume::{Layout, Volume};

/// The header's length.
pub const LEN: usize = 592;

/// The unsupported kind of header that has its data in another store.
pub const DETACHED: &str = "a detached header of LUKS1";

/// A keyslot.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    /// The keyslot's number.
    pub id: usize,
    /// The iterations of PBKDF2.
    pub iterations: u32,
    /// The offset of its stripes, in bytes.
    pub offset: u64,
    salt: [u8; 32],
}

/// A header.
#[derive(Clone, Debug)]
pub struct Header {
    /// The name of the cipher, for the data and the keyslots.
    pub cipher: String,
    /// The name of the hash, for PBKDF2 and the splitter.
    pub hash: String,
    /// The end of the keyslots, in bytes: the length of a backup.
    pub end: u64,
    /// The offset of the data, in bytes.
    pub offset: u64,
    /// The volume key's length in bytes.
    pub key_len: usize,
    /// The volume's UUID.
    pub uuid: String,
    /// The keyslots in use.
    pub slots: Vec<Slot>,
    digest: [u8; 20],
    salt: [u8; 32],
    iterations: u32,
    /// The cipher and the hash, or the name of the unsupported cipher or hash.
    known: Result<(Spec, Hash), String>,
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

fn array<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    std::array::from_fn(|i| bytes[at + i])
}

/// Returns whether a store begins with a LUKS1 header.
///
/// # Errors
/// The store's.
pub fn begins(store: &dyn Store) -> Result<bool> {
    let mut bytes = [0; 8];
    if store.size()? < 8 {
        return Ok(false);
    }
    store.read_at(&mut bytes, 0)?;
    Ok(bytes[..6] == MAGIC && bytes[6..] == [0, 1])
}

impl Header {
    /// Returns the name of the unsupported cipher or hash, if any.
    pub fn unsupported(&self) -> Option<&str> {
        self.known.as_ref().err().map(String::as_str)
    }

    /// Parses a header from the first [`LEN`] bytes of a store of `size` bytes.
    ///
    /// # Errors
    /// [`Error::Foreign`], [`Error::Damaged`], [`Error::Short`]; [`Error::Unsupported`] for another version.
    pub fn parse(bytes: &[u8; LEN], size: u64) -> Result<Self> {
        if bytes[..6] != MAGIC {
            return Err(Error::Foreign);
        }
        match u16::from_be_bytes([bytes[6], bytes[7]]) {
            1 => {}
            n => return Err(Error::Unsupported(format!("LUKS version {n}"))),
        }
        let cipher = format!("{}-{}", text(&bytes[8..40])?, text(&bytes[40..72])?);
        let hash = text(&bytes[72..104])?;
        let offset = u64::from(word(bytes, 104)) * 512;
        let key_len = word(bytes, 108) as usize;
        let known = || -> Result<(Spec, Hash)> {
            let known = (Spec::parse(&cipher)?, Hash::parse(hash)?);
            known.0.takes(key_len)?;
            Ok(known)
        };
        let known = known_or_named(known())?;
        if !(1..=512).contains(&key_len) {
            return damaged(format!("a key of {key_len} bytes"));
        }
        if offset == 0 {
            return Err(Error::Unsupported(DETACHED.into()));
        }
        if offset < LEN as u64 {
            return damaged("the data begins within the header");
        }
        // Free keyslots must be valid too, as in cryptsetup, which would write there.
        let (mut slots, mut places) = (Vec::new(), Vec::new());
        let len = (key_len * STRIPES).next_multiple_of(512) as u64;
        for id in 0..8 {
            let slot = &bytes[208 + 48 * id..][..48];
            let (begin, stripes) = (u64::from(word(slot, 40)) * 512, word(slot, 44));
            if stripes as usize != STRIPES || begin < LEN as u64 || begin + len > offset {
                return damaged(format!("keyslot {id} is not between the header and the data"));
            }
            places.push((begin, id));
            match word(slot, 0) {
                0x00ac_71f3 => {
                    let (iterations, salt) = (word(slot, 4), array(slot, 8));
                    slots.push(Slot { id, iterations, offset: begin, salt });
                }
                0x0000_dead => {}
                _ => return damaged(format!("keyslot {id} is neither used nor free")),
            }
        }
        places.sort_unstable();
        if let Some([a, b]) = places.array_windows().find(|[a, b]| a.0 + len > b.0) {
            return damaged(format!("keyslots {} and {} overlap", a.1.min(b.1), a.1.max(b.1)));
        }
        let end = places[7].0 + len;
        if offset > size {
            return Err(Error::Short(format!(
                "LUKS1's data begins at byte {offset}, but there are {size}"
            )));
        }
        let printed = |name: &str| name.chars().filter(|c| !c.is_control()).collect::<String>();
        let (uuid, cipher, hash) =
            (printed(text(&bytes[168..208])?), printed(&cipher), printed(hash));
        let (digest, salt, iterations) = (array(bytes, 112), array(bytes, 132), word(bytes, 164));
        Ok(Header {
            cipher,
            hash,
            end,
            offset,
            key_len,
            uuid,
            slots,
            digest,
            salt,
            iterations,
            known,
        })
    }

    /// Reads the header of a store.
    ///
    /// # Errors
    /// As [`Self::parse`]; the store's.
    pub fn read(store: &dyn Store) -> Result<Self> {
        let (mut bytes, size) = ([0; LEN], store.size()?);
        if size < LEN as u64 {
            return Err(Error::Foreign);
        }
        store.read_at(&mut bytes, 0)?;
        Self::parse(&bytes, size)
    }

    /// Returns the volume key and the keyslot that the password opens.
    ///
    /// # Errors
    /// [`Error::Limit`] and [`Error::Unsupported`] before any work; [`Error::WrongKey`]; [`Error::Damaged`].
    pub fn unlock(
        &self,
        store: &dyn Store,
        password: &[u8],
        limits: &Limits,
    ) -> Result<(Zeroizing<Vec<u8>>, usize)> {
        let (spec, hash) = self.known.clone().map_err(Error::Unsupported)?;
        let costs = self.slots.iter().flat_map(|slot| [slot.iterations, self.iterations]);
        let costs: Vec<Asked> = costs.map(|n| Asked::Pbkdf2(n.into())).collect();
        limits.all(costs.iter().copied())?;
        if costs.iter().any(|n| matches!(n, Asked::Pbkdf2(0))) {
            return damaged("no iterations of PBKDF2");
        }
        if self.slots.is_empty() {
            return damaged("no keyslot is left");
        }
        for slot in &self.slots {
            let kdf = Kdf::Pbkdf2 { hash, iterations: slot.iterations };
            let key = kdf.key(password, &slot.salt, self.key_len)?;
            let cipher = Cipher::new(spec, &key)?;
            let key = af::merge(hash, self.key_len, &cipher, store, slot.offset)?;
            let mut digest = [0; 20];
            hash.pbkdf2(&key, &self.salt, self.iterations, &mut digest)?;
            if bulat::verify(&digest, &self.digest).is_ok() {
                return Ok((key, slot.id));
            }
        }
        Err(Error::WrongKey)
    }

    /// Opens the volume with its volume key.
    ///
    /// # Errors
    /// [`Error::Unsupported`]; as [`Volume::new`].
    pub fn open(&self, store: Arc<dyn Store>, key: &[u8], writable: bool) -> Result<Volume> {
        let (spec, _) = self.known.clone().map_err(Error::Unsupported)?;
        let room = store.size()?.saturating_sub(self.offset);
        let layout =
            Layout { offset: self.offset, len: room / 512 * 512, sector: 512, first: 0, step: 1 };
        Volume::new(store, layout, spec, key, writable)
    }
}
