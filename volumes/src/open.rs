//! Opens a volume of any kind: what the command and the nbdkit plugin share.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use zeroize::Zeroizing;

use crate::cipher::{Block, Cipher};
use crate::error::{Error, Result};
use crate::hash::Hash;
use crate::kdf::Limits;
use crate::plain::Plain;
use crate::store::Store;
use crate::system::wipe_stack;
use crate::veracrypt::{self, Place};
use crate::volume::{Layout, Volume};
use crate::{luks1, luks2};

/// Kinds of volumes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// LUKS2 or LUKS1, as the header says.
    #[default]
    Luks,
    /// VeraCrypt.
    VeraCrypt,
    /// A plain dm-crypt mapping.
    Plain,
    /// No encryption: to measure what the rest costs.
    Nothing,
}

impl FromStr for Kind {
    type Err = Error;
    fn from_str(name: &str) -> Result<Self> {
        match name {
            "luks" => Ok(Kind::Luks),
            "veracrypt" => Ok(Kind::VeraCrypt),
            "plain" => Ok(Kind::Plain),
            "none" => Ok(Kind::Nothing),
            _ => Err(Error::Invalid(format!(
                "no kind of volume: {} (luks, veracrypt, plain, none)",
                crate::error::named(name)
            ))),
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Luks => "luks",
            Kind::VeraCrypt => "veracrypt",
            Kind::Plain => "plain",
            Kind::Nothing => "none",
        })
    }
}

/// Bytes that a user gives: a password, a key, a keyfile.
pub type Secret = Zeroizing<Vec<u8>>;

/// What opens the hidden volume in a VeraCrypt volume.
#[derive(Clone, Default)]
pub struct Hidden {
    /// The password.
    pub secret: Secret,
    /// Keyfiles.
    pub keyfiles: Vec<Secret>,
    /// The PIM.
    pub pim: u32,
    /// The hash of PBKDF2; none: all are tried.
    pub hash: Option<Hash>,
}

/// How a volume is to be opened.
#[derive(Clone, Default)]
pub struct Open {
    /// Its kind.
    pub kind: Kind,
    /// The password, or the key itself of a plain mapping.
    pub secret: Secret,
    /// May be written.
    pub writable: bool,
    /// How much work a header may ask for.
    pub limits: Limits,
    /// LUKS2: only this keyslot.
    pub slot: Option<u32>,
    /// VeraCrypt: keyfiles.
    pub keyfiles: Vec<Secret>,
    /// VeraCrypt: the PIM.
    pub pim: u32,
    /// VeraCrypt: the hash of PBKDF2.
    pub hash: Option<Hash>,
    /// VeraCrypt: another cipher than Kuznyechik.
    pub aes: bool,
    /// VeraCrypt: the places of headers that are tried; none: all four.
    pub places: Vec<Place>,
    /// VeraCrypt: the hidden volume, which may then not be written over.
    pub protect: Option<Hidden>,
    /// Plain mappings.
    pub plain: Plain,
}

impl Open {
    /// What opens a VeraCrypt volume.
    ///
    /// # Errors
    /// As [`veracrypt::Key::new`].
    pub fn veracrypt(&self, secret: &[u8]) -> Result<veracrypt::Key> {
        self.key(secret, &self.keyfiles, self.pim, self.hash)
    }

    fn key(
        &self,
        secret: &[u8],
        keyfiles: &[Secret],
        pim: u32,
        hash: Option<Hash>,
    ) -> Result<veracrypt::Key> {
        let keyfiles: Vec<&[u8]> = keyfiles.iter().map(|file| &file[..]).collect();
        let mut key = veracrypt::Key::new(secret, &keyfiles, pim)?;
        key.hash = hash;
        if self.aes {
            key.block = Block::Aes;
        }
        Ok(key)
    }

    /// The header of a VeraCrypt volume.
    ///
    /// # Errors
    /// As [`veracrypt::Header::read`].
    pub fn veracrypt_header(&self, store: &dyn Store) -> Result<veracrypt::Header> {
        let places = if self.places.is_empty() { &Place::ALL[..] } else { &self.places };
        veracrypt::Header::read(store, &self.veracrypt(&self.secret)?, places)
    }

    /// Opens it.
    ///
    /// # Errors
    /// As what it is opened by; [`Error::Short`] where the end of a volume is missing; [`Error::Force`] where a VeraCrypt
    /// volume is to be written whose only header is at the end, while something else begins the store.
    pub fn open(&self, store: Arc<dyn Store>) -> Result<Volume> {
        let volume = self.opened(store);
        wipe_stack();
        volume
    }

    #[inline(never)]
    fn opened(&self, store: Arc<dyn Store>) -> Result<Volume> {
        match self.kind {
            Kind::Luks if is_luks1(&*store)? => {
                if self.slot.is_some() {
                    return Err(Error::Invalid("slot: this is LUKS1; it is for LUKS2 only".into()));
                }
                let header = luks1::Header::read(&*store)?;
                let (key, _) = header.unlock(&*store, &self.secret, &self.limits)?;
                header.open(store, &key, self.writable)
            }
            Kind::Luks => {
                let header = luks2::read(&*store)?.header;
                let (key, _) = header.unlock(&*store, &self.secret, self.slot, &self.limits)?;
                header.open(store, &key, self.writable)
            }
            Kind::VeraCrypt => {
                let header = self.veracrypt_header(&*store)?;
                if self.writable {
                    header.check_beginning(&*store)?;
                }
                let mut volume = header.open(store.clone(), self.writable)?;
                if let Some(Hidden { secret, keyfiles, pim, hash }) = &self.protect {
                    let places = [Place::Hidden, Place::HiddenBackup];
                    let key = self.key(secret, keyfiles, *pim, *hash)?;
                    let hidden = veracrypt::Header::read(&*store, &key, &places)?;
                    volume.protect(hidden.within(&header)?);
                }
                Ok(volume)
            }
            Kind::Plain => self.plain.open(store, &self.secret, self.writable),
            Kind::Nothing => {
                let len = store.size()? / 512 * 512;
                let layout = Layout { offset: 0, len, sector: 512, first: 0, step: 1 };
                Volume::with(store, layout, Cipher::nothing(), self.writable)
            }
        }
    }
}

/// Whether a store begins as LUKS1 does.
///
/// # Errors
/// The store's.
pub fn is_luks1(store: &dyn Store) -> Result<bool> {
    let mut bytes = [0; 8];
    if store.size()? < 8 {
        return Ok(false);
    }
    store.read_at(&mut bytes, 0)?;
    Ok(bytes[..6] == luks2::MAGIC && bytes[6..] == [0, 1])
}
