//! The root key: its sources, its wraps and its rotation. Without it the service is sealed.
//!
//! | derived from the root key by KDF_GOSTR3411_2012_256 with the database's salt | use |
//! |---|---|
//! | `bulatd wrap` | Kuznyechik-MGM over each secret; associated data: name, type, version |
//! | `bulatd check` | a value in the database, to recognize the right root key |
//! | `bulatd backup` | HMAC-Streebog256 over a backup |
//! | `bulatd rows` | HMAC-Streebog256 over rows of keys, versions, tokens, policies, records |
//! | `bulatd key backup`, without a salt | for each backup of a key, with its own salt, the key of its Kuznyechik-MGM |
//!
//! A wrap is nonce, ciphertext, tag. Its nonce is 127 random bits: after 2^48 wraps two are equal with a probability of
//! 2^-32.

use std::fs::File;
use std::io::Write as _;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, RwLock};

use bulat::kdf::kdf_256;
use bulat::{Aead, HmacStreebog256, KuznyechikMgm, Mac as _, Secret};
use bulat_container::digits::{decode, encode};
use bulat_container::pipeline::fill;
use serde::Deserialize;
use zeroize::Zeroizing;

use crate::locks::{self, lock};
use crate::log::{self, Level};
use crate::store::{Dump, Result, RowKey, Store, StoreError, Wrapped};

/// The source of the root key: at most one of these.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(default, deny_unknown_fields)]
pub struct RootConfig {
    /// A file, as `bulat key new` writes it.
    pub file: Option<PathBuf>,
    /// A file descriptor that the parent process left open.
    pub descriptor: Option<i32>,
    /// The name of a systemd credential (`LoadCredential=`).
    pub credential: Option<String>,
    /// A file with the next root key, for a rotation: a replica that finds another root key in the database tries this one,
    /// too.
    pub next: Option<PathBuf>,
}

/// The root key: 32 bytes, wiped on drop. In a box, so that a move leaves no copy.
pub struct RootKey(Box<Secret<[u8; 32]>>);

impl RootKey {
    /// Reads the key from its configured place: 32 bytes, or 64 hexadecimal digits. `None` if no place is configured.
    pub fn read(config: &RootConfig) -> Result<Option<RootKey>, String> {
        let (path, secret): (PathBuf, bool) = match config {
            RootConfig { file: Some(path), .. } => (path.clone(), true),
            // Opened anew by its name: this needs no unsafe code, and does not move the parent's position in the file.
            RootConfig { descriptor: Some(fd), .. } => (format!("/dev/fd/{fd}").into(), false),
            RootConfig { credential: Some(name), .. } => {
                let folder = std::env::var_os("CREDENTIALS_DIRECTORY")
                    .ok_or("root key: there is no CREDENTIALS_DIRECTORY; systemd sets it")?;
                if name.is_empty() || name.contains('/') || name == ".." {
                    return Err("root key: invalid name of a credential".into());
                }
                (Path::new(&folder).join(name), false)
            }
            _ => return Ok(None),
        };
        RootKey::from_file(&path, secret).map(Some)
    }

    /// Reads a file; with `own`, only its owner may be able to read it.
    pub fn from_file(path: &Path, own: bool) -> Result<RootKey, String> {
        let wrong = |e: &dyn std::fmt::Display| format!("root key {}: {e}", path.display());
        let file = File::open(path).map_err(|e| wrong(&e))?;
        let meta = file.metadata().map_err(|e| wrong(&e))?;
        if own && meta.mode() & 0o077 != 0 {
            return Err(wrong(&"others may read it; chmod 600"));
        }
        // Room for the longest valid text, so that no copy is left behind, and a byte more to notice longer ones.
        let mut text = Zeroizing::new(vec![0; 71]);
        let len = fill(&mut &file, &mut text).map_err(|e| wrong(&e))?;
        RootKey::parse(&text[..len])
            .ok_or_else(|| wrong(&"neither 32 bytes nor 64 hexadecimal digits"))
    }

    /// Reads 32 bytes, or 64 hexadecimal digits with or without a mark of UTF-8 and a line end.
    pub fn parse(text: &[u8]) -> Option<RootKey> {
        let mut key = Box::new(Secret::new([0; 32]));
        if text.len() == 32 {
            key.copy_from_slice(text);
            return Some(RootKey(key));
        }
        // Editors of Windows put a mark before a text in UTF-8.
        let digits = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        let digits = digits.strip_suffix(b"\n").unwrap_or(digits);
        let digits = digits.strip_suffix(b"\r").unwrap_or(digits);
        (digits.len() == 64 && decode(digits, &mut **key) == 0).then_some(RootKey(key))
    }

    /// Makes a random key. Errors: [`StoreError::Unavailable`] when the system has no random bytes.
    pub fn random() -> Result<RootKey> {
        let mut key = Box::new(Secret::new([0; 32]));
        random(&mut **key)?;
        Ok(RootKey(key))
    }

    /// Writes the key in digits to a new file, readable only by its owner. Errors: a sentence for the user; an existing
    /// file stays as it is.
    pub fn write_new(&self, path: &Path) -> Result<(), String> {
        let digits = Zeroizing::new(encode(&**self.0));
        let line = Zeroizing::new([digits.as_slice(), b"\n"].concat());
        write_new(path, &line)
    }
}

/// Writes a new file, all or nothing, readable only by its owner. Errors: a sentence for the user; an existing file
/// stays as it is.
pub(crate) fn write_new(path: &Path, bytes: &[u8]) -> Result<(), String> {
    write_new_by(path, |file| file.write_all(bytes).map_err(|e| format!("{}: {e}", path.display())))
}

/// Writes a new file by a function, all or nothing, readable only by its owner. Errors: those of the function; a
/// sentence for the user. An existing file stays as it is.
pub(crate) fn write_new_by<T>(
    path: &Path,
    write: impl FnOnce(&mut File) -> Result<T, String>,
) -> Result<T, String> {
    let wrong = |e: std::io::Error| format!("{}: {e}", path.display());
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(wrong)?;
    let done = write(file.as_file_mut())?;
    file.as_file().sync_all().map_err(wrong)?;
    file.persist_noclobber(path).map_err(|e| wrong(e.error))?;
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(wrong)?;
    Ok(done)
}

/// Fills `out` with random bytes from the system.
pub(crate) fn random(out: &mut [u8]) -> Result<()> {
    getrandom::fill(out)
        .map_err(|_| StoreError::Unavailable("the system has no random bytes".into()))
}

/// The keys of one database that the root key opens.
struct Open {
    number: u32,
    aead: KuznyechikMgm,
    backup: Secret<[u8; 32]>,
    audit: Secret<[u8; 32]>,
    audit_mac: HmacStreebog256,
    rows: Secret<[u8; 32]>,
    keys: Secret<[u8; 32]>,
}

/// The root key, or its absence: one object in a process.
#[derive(Default)]
pub struct Root {
    held: RwLock<Held>,
    /// Held by the thread that looks for a new root key.
    looking: Mutex<()>,
}

#[derive(Clone, Default)]
struct Held {
    open: Option<Arc<Open>>,
    /// The root key was rotated and the new one is not known yet. No request asked for the seal.
    lost: bool,
    /// The seals on request. A thread that looks for a new root key undoes none of them.
    seals: u64,
}

/// The names of values in the database.
const CHECK: &str = "root";
const AUDIT: &str = "audit";
const SALT: usize = 16;
/// The beginning of a key's backup.
const KEY_BACKUP: &[u8] = b"bulatd key 1";

fn aead(key: &RootKey, salt: &[u8]) -> KuznyechikMgm {
    KuznyechikMgm::new(&kdf_256(&**key.0, b"bulatd wrap", salt))
}

fn row_key(key: &RootKey, salt: &[u8]) -> Secret<[u8; 32]> {
    kdf_256(&**key.0, b"bulatd rows", salt)
}

/// Returns the salt and the check value.
fn check(key: &RootKey, salt: &[u8]) -> Vec<u8> {
    [salt, &*kdf_256(&**key.0, b"bulatd check", salt)].concat()
}

fn aad(name: &str, kind: &str, version: u32) -> Vec<u8> {
    let mut aad = b"bulatd key".to_vec();
    for part in [name.as_bytes(), kind.as_bytes()] {
        aad.extend_from_slice(&(part.len() as u32).to_be_bytes());
        aad.extend_from_slice(part);
    }
    aad.extend_from_slice(&version.to_be_bytes());
    aad
}

fn seal(aead: &KuznyechikMgm, aad: &[u8], secret: &[u8]) -> Result<Vec<u8>> {
    let mut nonce = [0; 16];
    random(&mut nonce)?;
    nonce[0] &= 0x7f;
    let mut text = Zeroizing::new(secret.to_vec());
    let tag = aead.seal_in_place(&nonce, aad, &mut text).map_err(refused)?;
    Ok([&nonce, text.as_slice(), tag.as_ref()].concat())
}

fn unseal(aead: &KuznyechikMgm, aad: &[u8], wrapped: &[u8]) -> Result<Zeroizing<Vec<u8>>> {
    let wrong = || StoreError::Corrupt("a wrapped key does not open".into());
    let (nonce, rest) = wrapped.split_at_checked(16).ok_or_else(wrong)?;
    let (text, tag) = rest.split_at_checked(rest.len().saturating_sub(16)).ok_or_else(wrong)?;
    let mut text = Zeroizing::new(text.to_vec());
    aead.open_in_place(nonce, aad, &mut text, tag).map_err(|_| wrong())?;
    Ok(text)
}

fn refused(e: bulat::Error) -> StoreError {
    StoreError::Corrupt(e.to_string())
}

impl Root {
    pub fn unsealed(&self) -> bool {
        locks::read(&self.held).open.is_some()
    }

    /// Returns whether the root key was rotated and the new one is still missing.
    pub fn lost(&self) -> bool {
        self.read().lost
    }

    pub fn seal(&self) {
        let mut held = locks::write(&self.held);
        *held = Held { seals: held.seals + 1, ..Held::default() };
    }

    /// Sets the first root key of a database: writes its check value, and a wrapped key for the audit log. The database
    /// keeps no copy of the root key. Errors: [`StoreError::Exists`]: the database has one.
    pub fn create(store: &Store, key: &RootKey) -> Result<()> {
        let mut audit = Secret::new([0; 32]);
        random(&mut *audit)?;
        store.root_create(&meta(key, &audit)?).map(|_| ())
    }

    /// Sets the root key, if it is this database's. Errors: [`StoreError::NotFound`]: the database has no root key;
    /// [`StoreError::WrongRoot`].
    pub fn unseal(&self, store: &Store, key: &RootKey) -> Result<()> {
        self.set(store, Open::new(store, key)?);
        Ok(())
    }

    /// Sets the root key to the one that was read from its configured place, or to the next one, if it is this
    /// database's. A descriptor may be a pipe, which is read only once. Errors: as [`Root::unseal`];
    /// [`StoreError::WrongRoot`] if no place has a key.
    pub fn find(&self, store: &Store, key: Option<RootKey>, config: &RootConfig) -> Result<()> {
        self.set(store, Open::find(store, key, config)?);
        Ok(())
    }

    fn set(&self, store: &Store, open: Open) {
        store.set_rows(open.rows());
        let mut held = locks::write(&self.held);
        (held.open, held.lost) = (Some(Arc::new(open)), false);
    }

    /// Returns the number of the root key; 0 without one.
    pub fn number(&self) -> u32 {
        self.get().map_or(0, |open| open.number)
    }

    /// Returns the root key of a backup, if `key` is it. Errors: [`StoreError::WrongRoot`]; [`StoreError::NotFound`]:
    /// the backup is of a database without a root key.
    pub(crate) fn of(dump: &Dump, key: &RootKey) -> Result<Root> {
        let known = dump.meta(CHECK).ok_or(StoreError::NotFound)?;
        let audit = dump.meta(AUDIT).ok_or(StoreError::NotFound)?;
        let open = Open::of(dump.root, known, audit, key)?;
        let held = Held { open: Some(Arc::new(open)), ..Held::default() };
        Ok(Root { held: RwLock::new(held), ..Root::default() })
    }

    /// Checks that the database still has this root key: for replicas, with each look at the log of changes, and when a
    /// call meets rows under another. After a rotation it reads the key again from its configured place. If that is not
    /// the right one, the replica is sealed until a later call finds it there. A replica that was sealed on request
    /// stays sealed. Errors: [`StoreError::WrongRoot`], and any other reason that keeps it sealed.
    pub fn follow(&self, store: &Store, number: u32, config: &RootConfig) -> Result<()> {
        let _one = lock(&self.looking);
        let read = || RootKey::read(config).ok().flatten();
        let before = self.read();
        match &before.open {
            Some(open) if open.number == number => {
                if store.moved() {
                    store.set_rows(open.rows());
                }
                return Ok(());
            }
            None if !before.lost => {
                // Sealed on request: the new root key is used only for the codes of rows, so that a token can be shown.
                if store.moved()
                    && let Ok(open) = Open::find(store, read(), config)
                {
                    store.set_rows(open.rows());
                }
                return Ok(());
            }
            _ => {}
        }
        let found = Open::find(store, read(), config).map(Arc::new);
        match &found {
            Ok(open) => store.set_rows(open.rows()),
            // At the first look only: others follow each second.
            Err(StoreError::WrongRoot) if !before.lost => unread(config),
            Err(_) => {}
        }
        let mut held = locks::write(&self.held);
        if held.seals == before.seals {
            match &found {
                Ok(open) => (held.open, held.lost) = (Some(open.clone()), false),
                Err(StoreError::WrongRoot | StoreError::NotFound) => {
                    (held.open, held.lost) = (None, true);
                }
                Err(_) => {}
            }
        }
        found.map(|_| ())
    }

    /// Wraps a secret. Errors: [`StoreError::Sealed`].
    pub fn wrap(&self, name: &str, kind: &str, version: u32, secret: &[u8]) -> Result<Wrapped> {
        let open = self.get()?;
        let bytes = seal(&open.aead, &aad(name, kind, version), secret)?;
        Ok(Wrapped { root: open.number, bytes })
    }

    /// Opens a wrap. Errors: [`StoreError::Sealed`]; [`StoreError::RootChanged`]: the wrap is under another root key
    /// than this process has; [`StoreError::Corrupt`].
    pub fn unwrap(
        &self,
        name: &str,
        kind: &str,
        version: u32,
        wrapped: &Wrapped,
    ) -> Result<Zeroizing<Vec<u8>>> {
        let open = self.get()?;
        if open.number != wrapped.root {
            return Err(StoreError::RootChanged);
        }
        unseal(&open.aead, &aad(name, kind, version), &wrapped.bytes)
    }

    /// Seals the backup of a key: it opens in any database with this root key. Errors: [`StoreError::Sealed`].
    pub(crate) fn seal_key(&self, text: &[u8]) -> Result<Vec<u8>> {
        let mut salt = [0; SALT];
        random(&mut salt)?;
        let aead = KuznyechikMgm::new(&kdf_256(&*self.get()?.keys, KEY_BACKUP, &salt));
        Ok([KEY_BACKUP, &salt, &seal(&aead, KEY_BACKUP, text)?].concat())
    }

    /// Opens the backup of a key. Errors: [`StoreError::Sealed`]; [`StoreError::Corrupt`].
    pub(crate) fn open_key(&self, sealed: &[u8]) -> Result<Zeroizing<Vec<u8>>> {
        let wrong = || StoreError::Corrupt("a backup of a key".into());
        let rest = sealed.strip_prefix(KEY_BACKUP).ok_or_else(wrong)?;
        let (salt, rest) = rest.split_at_checked(SALT).ok_or_else(wrong)?;
        let aead = KuznyechikMgm::new(&kdf_256(&*self.get()?.keys, KEY_BACKUP, salt));
        unseal(&aead, KEY_BACKUP, rest)
    }

    /// Returns the MAC of a value in the audit log. Errors: [`StoreError::Sealed`].
    pub fn audit_mac(&self, value: &[u8]) -> Result<bulat::Tag> {
        // The copy has done its work on the key.
        let mut mac = self.get()?.audit_mac.clone();
        mac.update(value);
        mac.finalize().map_err(refused)
    }

    /// Returns the key for the codes of rows. Errors: [`StoreError::Sealed`].
    pub(crate) fn row_key(&self) -> Result<Secret<[u8; 32]>> {
        Ok(self.get()?.rows.clone())
    }

    /// Returns the MAC of a backup, without a text yet. Errors: [`StoreError::Sealed`].
    pub(crate) fn backup_hmac(&self) -> Result<HmacStreebog256> {
        Ok(HmacStreebog256::new(&*self.get()?.backup))
    }

    /// Wraps every key of the database under another root key, and gives every row a code under it, in steps. If this
    /// fails, the old root key is valid; when it returns, the new one. Errors: [`StoreError::WrongRoot`]: `old` is not
    /// the database's; [`StoreError::Corrupt`]: a wrap does not open.
    pub fn rotate(store: &Store, old: &RootKey, new: &RootKey) -> Result<u32> {
        let open = Open::new(store, old)?;
        let meta = meta(new, &open.audit)?;
        let salt = meta[0].1[..SALT].to_vec();
        let aead = aead(new, &salt);
        store.rewrap_all(
            &open.rows(),
            &row_key(new, &salt),
            &meta,
            &mut |name, kind, version, wrapped| {
                let aad = aad(name, kind, version);
                seal(&aead, &aad, &unseal(&open.aead, &aad, wrapped)?)
            },
        )
    }

    fn get(&self) -> Result<Arc<Open>> {
        self.read().open.ok_or(StoreError::Sealed)
    }

    fn read(&self) -> Held {
        locks::read(&self.held).clone()
    }
}

/// Logs why the file of the next root key cannot be read, if it cannot.
fn unread(config: &RootConfig) {
    if let Some(Err(why)) = config.next.as_ref().map(|next| RootKey::from_file(next, true)) {
        log::line(Level::Error, "next root key", &[("why", why.into())]);
    }
}

/// Returns the values that the database keeps of a root key, under a new salt.
fn meta(key: &RootKey, audit: &Secret<[u8; 32]>) -> Result<[(&'static str, Vec<u8>); 2]> {
    let mut salt = [0; SALT];
    random(&mut salt)?;
    let audit = seal(&aead(key, &salt), &aad("", AUDIT, 0), &**audit)?;
    Ok([(CHECK, check(key, &salt)), (AUDIT, audit)])
}

impl Open {
    fn new(store: &Store, key: &RootKey) -> Result<Open> {
        let there = store.root_values(CHECK, AUDIT)?;
        let (number, known, audit) = there.ok_or(StoreError::NotFound)?;
        Open::of(number, &known, &audit, key)
    }

    /// Opens by a key, or by the next one.
    fn find(store: &Store, key: Option<RootKey>, config: &RootConfig) -> Result<Open> {
        let first = key.ok_or(StoreError::WrongRoot).and_then(|key| Open::new(store, &key));
        match (first, &config.next) {
            (Err(StoreError::WrongRoot), Some(next)) => {
                let key = RootKey::from_file(next, true).map_err(|_| StoreError::WrongRoot)?;
                Open::new(store, &key)
            }
            (done, _) => done,
        }
    }

    fn of(number: u32, known: &[u8], audit: &[u8], key: &RootKey) -> Result<Open> {
        let salt = known.get(..SALT).ok_or_else(|| StoreError::Corrupt(CHECK.into()))?;
        if bulat::verify(&check(key, salt), known).is_err() {
            return Err(StoreError::WrongRoot);
        }
        let aead = aead(key, salt);
        let secret = unseal(&aead, &aad("", AUDIT, 0), audit)?;
        let mut audit = Secret::new([0; 32]);
        if secret.len() != audit.len() {
            return Err(StoreError::Corrupt(AUDIT.into()));
        }
        audit.copy_from_slice(&secret);
        let backup = kdf_256(&**key.0, b"bulatd backup", salt);
        let keys = kdf_256(&**key.0, b"bulatd key backup", &[]);
        let audit_mac = HmacStreebog256::new(&*audit);
        Ok(Open { number, aead, backup, audit, audit_mac, rows: row_key(key, salt), keys })
    }

    fn rows(&self) -> RowKey {
        RowKey { root: self.number, key: self.rows.clone() }
    }
}
