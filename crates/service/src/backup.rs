//! Backup and restore. A backup is one file: the database as JSON, in one state, with wrapped keys and hashed tokens;
//! then a line with its HMAC-Streebog256 under a key derived from the root key. It opens only with the root key of that
//! time.
//!
//! The counters of nonces in a backup are out of date. So a restore gives each key a new version, the only one that
//! encrypts from then on, and closes the old versions in their counters, where no setting opens them again.

use std::fs::File;
use std::io::{BufWriter, Seek as _, Write};
use std::path::Path;

use bulat::{HmacStreebog256, Mac as _};
use serde::{Deserialize, Serialize};
use zeroize::Zeroizing;

use crate::root::{Root, RootKey, random, write_new_by};
use crate::store::{Dump, Part, Store, StoreError, Used, VersionRecord};

/// The form of the file. Form 1 lacks the incarnations of keys, which a restore sets anew; forms 1 and 2 lack records of
/// logins, and some fields of keys and tokens.
const FORM: u32 = 3;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Backup {
    #[serde(rename = "bulatd_backup")]
    _form: u32,
    #[serde(rename = "created")]
    _created: u64,
    dump: Dump,
}

/// The form, read before the rest.
#[derive(Deserialize)]
struct Form {
    bulatd_backup: u32,
}

/// Writes a backup into a new file, and returns its number of keys. Other programs may use the database meanwhile.
/// Errors: a sentence for the user; then there is no file.
pub fn backup(store: &Store, root: &Root, now: u64, path: &Path) -> Result<usize, String> {
    write_new_by(path, |file| {
        let mac = root.backup_hmac().map_err(|e| e.to_string())?;
        let mut to = To { file: BufWriter::new(file), mac, section: 0, first: true, keys: 0, now };
        store.dump_parts(&mut |part| to.part(part)).map_err(|e| e.to_string())?;
        to.end().map_err(|e| format!("{}: {e}", path.display()))
    })
}

/// The lists of a backup, in their order.
const SECTIONS: [&str; 5] = ["meta", "keys", "tokens", "policies", "records"];

/// A backup that is being written: its parts in constant memory, and the MAC over them.
struct To<'a> {
    file: BufWriter<&'a mut File>,
    mac: HmacStreebog256,
    section: usize,
    first: bool,
    keys: usize,
    now: u64,
}

impl Write for To<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.mac.update(bytes);
        self.file.write_all(bytes)?;
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        self.file.flush()
    }
}

impl To<'_> {
    fn part(&mut self, part: Part) -> Result<(), StoreError> {
        let done = match part {
            Part::Root(root) => self.begin(root),
            Part::Meta(meta) => self.item(0, &meta),
            Part::Key(key, used) => {
                self.keys += 1;
                self.item(1, &(key, used))
            }
            Part::Token(token) => self.item(2, &token),
            Part::Policy(name, rules) => self.item(3, &(name, rules)),
            Part::Record(record) => self.item(4, &record),
        };
        done.map_err(|e| StoreError::Invalid(format!("the backup cannot be written: {e}")))
    }

    /// Begins, or begins anew.
    fn begin(&mut self, root: u32) -> std::io::Result<()> {
        self.file.flush()?;
        self.file.get_mut().set_len(0)?;
        self.file.get_mut().rewind()?;
        self.mac.reset();
        (self.section, self.first, self.keys) = (0, true, 0);
        let now = self.now;
        let name = SECTIONS[0];
        write!(
            self,
            "{{\"bulatd_backup\":{FORM},\"created\":{now},\"dump\":{{\"root\":{root},\"{name}\":["
        )
    }

    /// Moves to a later list.
    fn open(&mut self, section: usize) -> std::io::Result<()> {
        while self.section < section {
            self.section += 1;
            self.first = true;
            write!(self, "],\"{}\":[", SECTIONS[self.section])?;
        }
        Ok(())
    }

    fn item(&mut self, section: usize, item: &impl Serialize) -> std::io::Result<()> {
        self.open(section)?;
        if !std::mem::take(&mut self.first) {
            self.write_all(b",")?;
        }
        serde_json::to_writer(&mut *self, item).map_err(std::io::Error::from)
    }

    /// Writes the end, and returns the number of keys.
    fn end(mut self) -> std::io::Result<usize> {
        self.open(SECTIONS.len() - 1)?;
        self.write_all(b"]}}\n")?;
        let tag = self.mac.finalize_reset().map_err(std::io::Error::other)?;
        let digits = bulat_container::digits::hex(tag.as_ref());
        writeln!(self.file, "{digits}")?;
        self.file.flush()?;
        Ok(self.keys)
    }
}

/// The beginnings of names of records by which a client logs in.
const SECRETS: [&str; 2] = ["secret/", "secret-id/"];

/// Puts a backup into an empty database, or with `force` in the place of its content, in one transaction; returns the
/// number of keys. Tokens and secrets of roles are restored only with `tokens`, since those that were revoked,
/// destroyed or used up meanwhile would be valid again. Errors: a sentence for the user; then the database is as it
/// was.
pub fn restore(
    store: &Store,
    key: &RootKey,
    now: u64,
    path: &Path,
    force: bool,
    tokens: bool,
) -> Result<usize, String> {
    let text = std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let mut dump = read(&text, key).map_err(|e| format!("{}: {e}", path.display()))?;
    if !tokens {
        dump.tokens.clear();
        dump.records.retain(|record| !SECRETS.iter().any(|kind| record.name.starts_with(kind)));
    }
    let root = Root::of(&dump, key).map_err(|e| e.to_string())?;
    renew(&mut dump, &root, now).map_err(|e| e.to_string())?;
    let codes = root.row_key().map_err(|e| e.to_string())?;
    store.restore(&dump, &codes, force).map_err(|e| match e {
        StoreError::Exists => {
            "the database is not empty; --force puts the backup in its place".into()
        }
        other => other.to_string(),
    })?;
    Ok(dump.keys.len())
}

/// Checks and reads a backup.
pub fn read(text: &[u8], key: &RootKey) -> Result<Dump, String> {
    let cut = "the backup is not complete";
    let body = text.strip_suffix(b"\n").ok_or(cut)?;
    let end = body.iter().rposition(|c| *c == b'\n').ok_or(cut)? + 1;
    let (body, digits) = body.split_at(end);
    let tag = bulat_container::digits::unhex(digits).ok_or(cut)?;
    let form: Form = serde_json::from_slice(body).map_err(|e| format!("{cut}: {e}"))?;
    if !(1..=FORM).contains(&form.bulatd_backup) {
        return Err(format!("the backup has form {}; supported: 1 to {FORM}", form.bulatd_backup));
    }
    let backup: Backup = serde_json::from_slice(body).map_err(|e| format!("{cut}: {e}"))?;
    let root = Root::of(&backup.dump, key).map_err(|e| match e {
        StoreError::WrongRoot => "the backup was made under another root key".into(),
        other => other.to_string(),
    })?;
    let mut mac = root.backup_hmac().map_err(|e| e.to_string())?;
    mac.update(body);
    let right = mac.finalize().map_err(|e| e.to_string())?;
    bulat::verify(right.as_ref(), &tag).map_err(|_| "the backup was changed after it was made")?;
    Ok(backup.dump)
}

/// Gives each key a new version, which is then the only one that encrypts.
fn renew(dump: &mut Dump, root: &Root, now: u64) -> Result<(), StoreError> {
    for (key, used) in &mut dump.keys {
        let missing = || StoreError::Corrupt(format!("key {} has no versions", key.name));
        let last = key.versions.last().ok_or_else(missing)?;
        let old = root.unwrap(&key.name, &key.kind, last.version, &last.wrapped)?;
        let mut secret = Zeroizing::new(vec![0; old.len()]);
        random(&mut secret)?;
        let version = last.version.checked_add(1).ok_or_else(missing)?;
        let wrapped = root.wrap(&key.name, &key.kind, version, &secret)?;
        key.versions.push(VersionRecord { version, wrapped, created: now, mac: Vec::new() });
        used.push(Used { messages: 0, bytes: 0 });
        key.latest = version;
        key.min_encryption_version = version;
    }
    Ok(())
}
