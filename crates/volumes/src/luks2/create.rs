//! New volumes.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::json;
use zeroize::Zeroizing;

use super::{Area, BINARY, Header, KEYSLOTS, Meta, NewSlot, Outline, Room, SIZES, wipe};
use crate::cipher::Spec;
use crate::error::{Error, Result};
use crate::hash::Hash;
use crate::random;
use crate::signs;
use crate::store::Store;

/// The iterations of a new header's digest. Few suffice, because the volume key is random.
const DIGEST: u32 = 1000;

/// The parameters of a new volume.
#[derive(Clone, Debug)]
pub struct Create {
    /// The cipher of the data.
    pub spec: Spec,
    /// The length of a sector in bytes.
    pub sector: usize,
    /// The length of a copy of the header in bytes.
    pub size: u64,
    /// The bytes for keyslots; the data begins after them.
    pub keyslots: u64,
    /// The protection of keyslots.
    pub slot: NewSlot,
    /// The hash of the digest.
    pub hash: Hash,
    /// The volume's label.
    pub label: String,
}

impl Create {
    /// Creates the defaults: Kuznyechik in sectors of 4096 bytes after 16 MiB, as in cryptsetup.
    pub fn new(slot: NewSlot) -> Self {
        let (size, hash) = (SIZES[0], slot.af);
        let (keyslots, label) = ((16 << 20) - 2 * size, String::new());
        Create { spec: Spec::KUZNYECHIK, sector: 4096, size, keyslots, slot, hash, label }
    }

    /// Makes a volume under a new key and returns the key. If the data is apart, makes a detached header, for data from
    /// its store's first byte on. The data is left unchanged, except for the sign of a RAID, a
    /// partition table or an image at the store's end.
    ///
    /// # Errors
    /// [`Error::Invalid`]; the store's.
    pub fn make(
        &self,
        store: &dyn Store,
        password: &[u8],
        progress: &mut dyn FnMut(u64),
    ) -> Result<(Header, Zeroizing<Vec<u8>>)> {
        let wrong = |what: &str| Err(Error::Invalid(what.into()));
        if !SIZES.contains(&self.size) || self.keyslots > KEYSLOTS {
            return wrong(
                "a header's size is a power of two from 16 KiB to 4 MiB; keyslots up to 128 MiB",
            );
        }
        if !self.keyslots.is_multiple_of(4096) || self.label.len() >= 48 {
            return wrong(
                "the keyslots' size is a multiple of 4096 bytes; a label has less than 48 bytes",
            );
        }
        let (area, apart) = (2 * self.size + self.keyslots, store.apart());
        let offset = if apart.is_some() { 0 } else { area };
        if store.size()? < area {
            return wrong("too small for the header");
        }
        if apart.map_or_else(|| store.size(), Ok)? < offset + self.sector as u64 {
            return wrong("too small: there is no room for data after the header");
        }
        let mut key = Zeroizing::new(vec![0; 64]);
        random(&mut key)?;
        let (mut salt, mut value) = ([0; 32], vec![0; self.hash.size()]);
        random(&mut salt)?;
        self.hash.pbkdf2(&key, &salt, DIGEST, &mut value)?;
        let text = json!({
            "keyslots": {},
            "tokens": {},
            "segments": {"0": {
                "type": "crypt", "offset": offset.to_string(), "size": "dynamic", "iv_tweak": "0",
                "encryption": self.spec.name(), "sector_size": self.sector,
            }},
            "digests": {"0": {
                "type": "pbkdf2", "keyslots": [], "segments": ["0"], "hash": self.hash.name(),
                "iterations": DIGEST, "salt": BASE64.encode(salt), "digest": BASE64.encode(&value),
            }},
            "config": {
                "json_size": (self.size - BINARY as u64).to_string(),
                "keyslots_size": self.keyslots.to_string(),
            },
        });
        let (mut uuid, mut label) = ([0; 40], [0; 48]);
        uuid[..36].copy_from_slice(new_uuid()?.as_bytes());
        label[..self.label.len()].copy_from_slice(self.label.as_bytes());
        let meta = Meta::of(&text, self.size, Room::of(store)?)?;
        let outline = Outline {
            size: self.size,
            sequence: 1,
            label,
            uuid,
            subsystem: [0; 48],
            checksum: Hash::Sha256,
            text,
        };
        let header = Header { outline, meta };
        let put = header.put(Room::of(store)?, &key, password, &self.slot, (0, None))?;
        // From here on only the store can fail. Old copies and old keyslots are overwritten.
        let all = Area { offset: 0, len: area };
        signs::clear_end(store)?;
        wipe(store, all, progress)?;
        Ok((put.write(store)?, key))
    }
}

fn new_uuid() -> Result<String> {
    let mut b = [0u8; 16];
    random(&mut b)?;
    b[6] = b[6] & 0x0f | 0x40;
    b[8] = b[8] & 0x3f | 0x80;
    let hex: String = b.iter().map(|b| format!("{b:02x}")).collect();
    let (a, rest) = hex.split_at(8);
    Ok(format!("{a}-{}-{}-{}-{}", &rest[..4], &rest[4..8], &rest[8..12], &rest[12..]))
}
