//! LUKS1: opened, and neither made nor changed.

use std::sync::Arc;

use zeroize::Zeroizing;

use crate::af;
use crate::cipher::{Cipher, Spec};
use crate::error::{Error, Result, damaged};
use crate::hash::Hash;
use crate::kdf::{Kdf, Limits};
use crate::luks2::MAGIC;
use crate::store::Store;
use crate::volume::{Layout, Volume};

/// Bytes of the header.
pub const LEN: usize = 592;

/// A keyslot.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    /// Its number.
    pub id: usize,
    /// Iterations of PBKDF2.
    pub iterations: u32,
    /// Where its stripes begin, in bytes.
    pub offset: u64,
    /// How many there are.
    pub stripes: u32,
    salt: [u8; 32],
}

/// A header.
#[derive(Clone, Debug)]
pub struct Header {
    /// The cipher of the data and the keyslots.
    pub spec: Spec,
    /// The hash of PBKDF2 and the splitter.
    pub hash: Hash,
    /// Where the data begins, in bytes.
    pub offset: u64,
    /// Bytes of the volume key.
    pub key_len: usize,
    /// The volume's name.
    pub uuid: String,
    /// The keyslots that are used.
    pub slots: Vec<Slot>,
    digest: [u8; 20],
    salt: [u8; 32],
    iterations: u32,
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

fn array<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    std::array::from_fn(|i| bytes[at + i])
}

/// The text up to a zero.
pub(crate) fn text(bytes: &[u8]) -> Result<&str> {
    let end = bytes.iter().position(|b| *b == 0).unwrap_or(bytes.len());
    std::str::from_utf8(&bytes[..end]).map_err(|_| Error::Damaged("a name that is no text".into()))
}

impl Header {
    /// Reads a header of the first [`LEN`] bytes of a store of `size` bytes.
    ///
    /// # Errors
    /// [`Error::Foreign`], [`Error::Damaged`], [`Error::Unsupported`].
    pub fn parse(bytes: &[u8; LEN], size: u64) -> Result<Self> {
        if bytes[..6] != MAGIC {
            return Err(Error::Foreign);
        }
        match u16::from_be_bytes([bytes[6], bytes[7]]) {
            1 => {}
            n => return Err(Error::Unsupported(format!("LUKS version {n}"))),
        }
        let spec = Spec::parse(&format!("{}-{}", text(&bytes[8..40])?, text(&bytes[40..72])?))?;
        let hash = Hash::parse(text(&bytes[72..104])?)?;
        let offset = u64::from(word(bytes, 104)) * 512;
        let key_len = word(bytes, 108) as usize;
        spec.takes(key_len)?;
        if offset < LEN as u64 || offset > size {
            return damaged("the data begins past the end, or within the header");
        }
        let mut slots = Vec::new();
        for id in 0..8 {
            let slot = &bytes[208 + 48 * id..][..48];
            match word(slot, 0) {
                0x00ac_71f3 => {}
                0x0000_dead => continue,
                _ => return damaged(format!("keyslot {id} is neither used nor free")),
            }
            let (begin, stripes) = (u64::from(word(slot, 40)) * 512, word(slot, 44));
            let end = begin + u64::from(stripes) * key_len as u64;
            if !(1..=4000).contains(&stripes) || begin < LEN as u64 || end > offset {
                return damaged(format!("keyslot {id} is not between the header and the data"));
            }
            let (iterations, salt) = (word(slot, 4), array(slot, 8));
            slots.push(Slot { id, iterations, offset: begin, stripes, salt });
        }
        for (i, a) in slots.iter().enumerate() {
            let end = |s: &Slot| s.offset + u64::from(s.stripes) * key_len as u64;
            let crossed = |b: &&Slot| a.offset < end(b) && b.offset < end(a);
            if let Some(b) = slots[i + 1..].iter().find(crossed) {
                return damaged(format!("keyslots {} and {} overlap", a.id, b.id));
            }
        }
        let uuid = text(&bytes[168..208])?.chars().filter(|c| !c.is_control()).collect();
        let (digest, salt, iterations) = (array(bytes, 112), array(bytes, 132), word(bytes, 164));
        Ok(Header { spec, hash, offset, key_len, uuid, slots, digest, salt, iterations })
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

    /// The volume key, and the keyslot that the password opens.
    ///
    /// # Errors
    /// [`Error::Limit`] before any work; [`Error::WrongKey`]; [`Error::Damaged`].
    pub fn unlock(
        &self,
        store: &dyn Store,
        password: &[u8],
        limits: &Limits,
    ) -> Result<(Zeroizing<Vec<u8>>, usize)> {
        for n in self.slots.iter().map(|slot| slot.iterations).chain([self.iterations]) {
            limits.iterations(n.into())?;
            if n == 0 {
                return damaged("no iterations of PBKDF2");
            }
        }
        for slot in &self.slots {
            let kdf = Kdf::Pbkdf2 { hash: self.hash, iterations: slot.iterations };
            let key = kdf.key(password, &slot.salt, self.key_len)?;
            let used = self.key_len * slot.stripes as usize;
            let mut stripes = Zeroizing::new(vec![0; used.next_multiple_of(512)]);
            store.read_at(&mut stripes, slot.offset)?;
            let cipher = Cipher::new(self.spec, &key)?;
            cipher.run(bulat::Direction::Decrypt, (0, 1), 512, &mut stripes)?;
            let key = af::merge(self.hash, self.key_len, &stripes[..used]);
            let mut digest = [0; 20];
            self.hash.pbkdf2(&key, &self.salt, self.iterations, &mut digest)?;
            if bulat::verify(&digest, &self.digest).is_ok() {
                return Ok((key, slot.id));
            }
        }
        Err(Error::WrongKey)
    }

    /// The open volume under its volume key.
    ///
    /// # Errors
    /// As [`Volume::new`].
    pub fn open(&self, store: Arc<dyn Store>, key: &[u8], writable: bool) -> Result<Volume> {
        let room = store.size()?.saturating_sub(self.offset);
        let layout =
            Layout { offset: self.offset, len: room / 512 * 512, sector: 512, first: 0, step: 1 };
        Volume::new(store, layout, self.spec, key, writable)
    }
}
