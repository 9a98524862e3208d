//! Opens a volume of any kind, for the command and the nbdkit plugin.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use zeroize::Zeroizing;

use crate::cipher::Cipher;
use crate::error::{Error, Result, named};
use crate::kdf::Limits;
use crate::luks2::Apart;
use crate::plain::Plain;
use crate::store::Store;
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

const KINDS: [(Kind, &str); 4] = [
    (Kind::Luks, "luks"),
    (Kind::VeraCrypt, "veracrypt"),
    (Kind::Plain, "plain"),
    (Kind::Nothing, "none"),
];

impl FromStr for Kind {
    type Err = Error;
    fn from_str(name: &str) -> Result<Self> {
        let found = KINDS.into_iter().find(|(_, known)| *known == name);
        found.map(|(kind, _)| kind).ok_or_else(|| {
            let known = KINDS.map(|(_, name)| name).join(", ");
            Error::Invalid(format!("unknown kind of volume: {} ({known})", named(name)))
        })
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = KINDS.into_iter().find(|(kind, _)| kind == self);
        f.write_str(found.map_or("", |(_, name)| name))
    }
}

/// A secret from the user: a password, a key, a keyfile.
pub type Secret = Zeroizing<Vec<u8>>;

/// The secrets of a VeraCrypt volume, and how its key is made of them.
#[derive(Clone, Default)]
pub struct Secrets {
    /// The password.
    pub password: Secret,
    /// The keyfiles.
    pub keyfiles: Vec<Secret>,
    /// The PIM.
    pub pim: u32,
    /// The function of the password; `None` tries all.
    pub hash: Option<Prf>,
    /// The cipher; `None` tries all.
    pub cipher: Option<Algorithm>,
}

impl Secrets {
    /// Returns the key.
    ///
    /// # Errors
    /// As [`veracrypt::Key::new`].
    pub fn key(&self) -> Result<veracrypt::Key> {
        self.key_of(&self.password)
    }

    /// Returns the key with another password.
    ///
    /// # Errors
    /// As [`veracrypt::Key::new`].
    pub fn key_of(&self, password: &[u8]) -> Result<veracrypt::Key> {
        let keyfiles: Vec<&[u8]> = self.keyfiles.iter().map(|file| &file[..]).collect();
        let mut key = veracrypt::Key::new(password, &keyfiles, self.pim)?;
        (key.hash, key.cipher) = (self.hash, self.cipher);
        Ok(key)
    }

    /// Reads the header of a volume from one of these places.
    ///
    /// # Errors
    /// As [`veracrypt::Header::read`].
    pub fn header(&self, store: &dyn Store, places: &[Place]) -> Result<veracrypt::Header> {
        veracrypt::Header::read(store, &self.key()?, places)
    }
}

/// The parameters of a LUKS volume.
#[derive(Clone, Default)]
pub struct Luks {
    /// The password.
    pub password: Secret,
    /// Limits on the work that a header may ask for.
    pub limits: Limits,
    /// LUKS2: try only this keyslot.
    pub slot: Option<u32>,
    /// LUKS2: the store of the detached header.
    pub header: Option<Arc<dyn Store>>,
}

/// The parameters of a VeraCrypt volume.
#[derive(Clone, Default)]
pub struct VeraCrypt {
    /// The secrets.
    pub secrets: Secrets,
    /// The headers to try; if empty, all four.
    pub places: Vec<Place>,
    /// The secrets of the hidden volume to protect from writes.
    pub protect: Option<Secrets>,
}

/// The parameters for opening a volume, by its kind.
#[derive(Clone)]
pub enum Open {
    /// LUKS2 or LUKS1, according to the header.
    Luks(Luks),
    /// VeraCrypt.
    VeraCrypt(VeraCrypt),
    /// A plain dm-crypt mapping, and its key.
    Plain(Plain, Secret),
    /// No encryption.
    Nothing,
}

impl Default for Open {
    fn default() -> Self {
        Open::Luks(Luks::default())
    }
}

impl Open {
    /// Returns whether a volume that was opened so has a header in its store, which its data does not touch.
    pub fn has_header(&self, volume: &Volume) -> bool {
        match self {
            Open::Luks(luks) => luks.header.is_none(),
            Open::VeraCrypt(_) => volume.layout().offset >= veracrypt::GROUP,
            Open::Plain(..) | Open::Nothing => false,
        }
    }

    /// Opens the volume.
    ///
    /// # Errors
    /// The kind's errors; [`Error::Short`] if the end of a volume is missing; [`Error::Force`] to open for
    /// writing a VeraCrypt volume with its only header at the end and something else at the beginning, or a detached
    /// header's data with another LUKS header.
    pub fn open(&self, store: Arc<dyn Store>, writable: bool) -> Result<Volume> {
        let volume = self.opened(store, writable);
        wipe_stack();
        volume
    }

    #[inline(never)]
    fn opened(&self, store: Arc<dyn Store>, writable: bool) -> Result<Volume> {
        match self {
            Open::Luks(luks) => luks.open(store, writable),
            Open::VeraCrypt(vera) => vera.open(store, writable),
            Open::Plain(plain, key) => plain.open(store, key, writable),
            Open::Nothing => {
                let len = store.size()? / 512 * 512;
                let layout = Layout { offset: 0, len, sector: 512, first: 0, step: 1 };
                Volume::with(store, layout, Cipher::nothing(), writable)
            }
        }
    }
}

impl Luks {
    fn open(&self, store: Arc<dyn Store>, writable: bool) -> Result<Volume> {
        if self.header.is_none() && luks1::begins(&*store)? {
            if self.slot.is_some() {
                return Err(Error::Invalid("slot: only for LUKS2, but this is LUKS1".into()));
            }
            let header = luks1::Header::read(&*store)?;
            let (key, _) = header.unlock(&*store, &self.password, &self.limits)?;
            return header.open(store, &key, writable);
        }
        let at = match &self.header {
            Some(header) => Arc::new(Apart::new(header.clone(), store.size()?)?),
            None => store.clone(),
        };
        let header = luks2::read(&*at)?.header;
        if writable && self.header.is_some() {
            luks2::check_data(&*store, header.segment().offset)?;
        }
        let (key, _) = header.unlock(&*at, &self.password, self.slot, &self.limits)?;
        header.open(store, &key, writable)
    }
}

impl VeraCrypt {
    fn open(&self, store: Arc<dyn Store>, writable: bool) -> Result<Volume> {
        let places = if self.places.is_empty() { &Place::ALL[..] } else { &self.places };
        let header = self.secrets.header(&*store, places)?;
        if writable {
            header.check_beginning(&*store)?;
        }
        let mut volume = header.open(store.clone(), writable)?;
        if let Some(hidden) = &self.protect {
            let hidden = hidden.header(&*store, &[Place::Hidden, Place::HiddenBackup])?;
            volume.protect(hidden.within(&header)?);
        }
        Ok(volume)
    }
}
