//! Opens a volume of any kind, for the command and the nbdkit plugin.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use zeroize::Zeroizing;

use crate::cipher::Cipher;
use crate::error::{Error, Result};
use crate::kdf::Limits;
use crate::plain::Plain;
use crate::store::{Apart, Store};
use crate::system::wipe_stack;
use crate::veracrypt::{self, Algorithm, Place, Prf};
use crate::volume::{Layout, Volume};
use crate::{luks1, luks2};

/// The kinds of volumes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// LUKS2 or LUKS1, according to the header.
    #[default]
    Luks,
    /// VeraCrypt.
    VeraCrypt,
    /// A plain dm-crypt mapping.
    Plain,
    /// No encryption: to measure the cost of everything else.
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
                "unknown kind of volume: {} (luks, veracrypt, plain, none)",
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

/// A secret from the user: a password, a key, a keyfile.
pub type Secret = Zeroizing<Vec<u8>>;

/// The secrets of the hidden volume in a VeraCrypt volume.
#[derive(Clone, Default)]
pub struct Hidden {
    /// The password.
    pub secret: Secret,
    /// The keyfiles.
    pub keyfiles: Vec<Secret>,
    /// The PIM.
    pub pim: u32,
    /// The function of the password; `None` tries all.
    pub hash: Option<Prf>,
    /// The cipher; `None` tries all.
    pub cipher: Option<Algorithm>,
}

/// The parameters for opening a volume.
#[derive(Clone, Default)]
pub struct Open {
    /// The kind.
    pub kind: Kind,
    /// The password; for a plain mapping the key.
    pub secret: Secret,
    /// Set to allow writing.
    pub writable: bool,
    /// Limits on the work that a header may ask for.
    pub limits: Limits,
    /// LUKS2: try only this keyslot.
    pub slot: Option<u32>,
    /// LUKS2: the store of the detached header.
    pub header: Option<Arc<dyn Store>>,
    /// VeraCrypt: keyfiles.
    pub keyfiles: Vec<Secret>,
    /// VeraCrypt: the PIM.
    pub pim: u32,
    /// VeraCrypt: the function of the password; `None` tries all.
    pub hash: Option<Prf>,
    /// VeraCrypt: the cipher; `None` tries all.
    pub cipher: Option<Algorithm>,
    /// VeraCrypt: the headers to try; if empty, all four.
    pub places: Vec<Place>,
    /// VeraCrypt: the hidden volume to protect from writes.
    pub protect: Option<Hidden>,
    /// Parameters of plain mappings.
    pub plain: Plain,
}

impl Open {
    /// Returns the key of a VeraCrypt volume.
    ///
    /// # Errors
    /// As [`veracrypt::Key::new`].
    pub fn veracrypt(&self, secret: &[u8]) -> Result<veracrypt::Key> {
        let mut key = keyed(secret, &self.keyfiles, self.pim)?;
        (key.hash, key.cipher) = (self.hash, self.cipher);
        Ok(key)
    }

    /// Reads the header of a VeraCrypt volume.
    ///
    /// # Errors
    /// As [`veracrypt::Header::read`].
    pub fn veracrypt_header(&self, store: &dyn Store) -> Result<veracrypt::Header> {
        let places = if self.places.is_empty() { &Place::ALL[..] } else { &self.places };
        veracrypt::Header::read(store, &self.veracrypt(&self.secret)?, places)
    }

    /// Returns whether a volume that was opened so has a header in its store, which its data does not touch.
    pub fn has_header(&self, volume: &Volume) -> bool {
        match self.kind {
            Kind::Luks => self.header.is_none(),
            Kind::VeraCrypt => volume.layout().offset >= veracrypt::GROUP,
            Kind::Plain | Kind::Nothing => false,
        }
    }

    /// Opens the volume.
    ///
    /// # Errors
    /// Those of the kind; [`Error::Short`] if the end of a volume is missing; [`Error::Force`] to open for
    /// writing a VeraCrypt volume with its only header at the end and something else at the beginning, or a detached
    /// header's data with another LUKS header.
    pub fn open(&self, store: Arc<dyn Store>) -> Result<Volume> {
        let volume = self.opened(store);
        wipe_stack();
        volume
    }

    #[inline(never)]
    fn opened(&self, store: Arc<dyn Store>) -> Result<Volume> {
        match self.kind {
            Kind::Luks if self.header.is_none() && is_luks1(&*store)? => {
                if self.slot.is_some() {
                    return Err(Error::Invalid("slot: only for LUKS2, but this is LUKS1".into()));
                }
                let header = luks1::Header::read(&*store)?;
                let (key, _) = header.unlock(&*store, &self.secret, &self.limits)?;
                header.open(store, &key, self.writable)
            }
            Kind::Luks => {
                let at = match &self.header {
                    Some(header) => Arc::new(Apart::new(header.clone(), store.size()?)?),
                    None => store.clone(),
                };
                let header = luks2::read(&*at)?.header;
                if self.writable && self.header.is_some() {
                    luks2::check_data(&*store, header.segment().offset)?;
                }
                let (key, _) = header.unlock(&*at, &self.secret, self.slot, &self.limits)?;
                header.open(store, &key, self.writable)
            }
            Kind::VeraCrypt => {
                let header = self.veracrypt_header(&*store)?;
                if self.writable {
                    header.check_beginning(&*store)?;
                }
                let mut volume = header.open(store.clone(), self.writable)?;
                if let Some(hidden) = &self.protect {
                    let places = [Place::Hidden, Place::HiddenBackup];
                    let mut key = keyed(&hidden.secret, &hidden.keyfiles, hidden.pim)?;
                    (key.hash, key.cipher) = (hidden.hash, hidden.cipher);
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

fn keyed(secret: &[u8], keyfiles: &[Secret], pim: u32) -> Result<veracrypt::Key> {
    let keyfiles: Vec<&[u8]> = keyfiles.iter().map(|file| &file[..]).collect();
    veracrypt::Key::new(secret, &keyfiles, pim)
}

/// Returns whether a store begins with a LUKS1 header.
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
