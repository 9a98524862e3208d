//! Backup and restore. A backup is one file: the database as JSON, in one state, with wrapped keys and hashed tokens;
//! then a line with its HMAC-Streebog256 under a key derived from the root key. It opens only with the root key of that
//! time.
//!
//! The counters of nonces in a backup are out of date. So a restore gives each key a new version, the only one that
//! encrypts from then on, and closes the old versions in their counters, where no setting opens them again.

use std::path::Path;

use serde::{Deserialize, Serialize};
use zeroize::Zeroizing;

use crate::root::{Root, RootKey, random, write_new};
use crate::store::{Dump, Store, StoreError, Used, VersionRecord};

/// The form of the file. Form 1 lacks the incarnations of keys, which a restore sets anew.
const FORM: u32 = 2;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Backup {
    bulatd_backup: u32,
    created: u64,
    dump: Dump,
}

/// The form, read before the rest.
#[derive(Deserialize)]
struct Form {
    bulatd_backup: u32,
}

/// Writes a backup into a new file, and returns its number of keys. Other programs may use the database meanwhile.
///
/// # Errors
/// A sentence for the user; then there is no file.
pub fn backup(store: &Store, root: &Root, now: u64, path: &Path) -> Result<usize, String> {
    let dump = store.dump().map_err(|e| e.to_string())?;
    let keys = dump.keys.len();
    let content = Backup { bulatd_backup: FORM, created: now, dump };
    let mut text = serde_json::to_vec(&content).map_err(|e| e.to_string())?;
    text.push(b'\n');
    let tag = root.backup_mac(&text).map_err(|e| e.to_string())?;
    text.extend_from_slice(bulat_container::digits::hex(tag.as_ref()).as_bytes());
    text.push(b'\n');
    write_new(path, &text)?;
    Ok(keys)
}

/// Puts a backup into an empty database, or with `force` in the place of its content, in one transaction; returns the
/// number of keys. Tokens are restored only with `tokens`, since those that were revoked meanwhile would be valid
/// again.
///
/// # Errors
/// A sentence for the user; then the database is as it was.
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
fn read(text: &[u8], key: &RootKey) -> Result<Dump, String> {
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
    let right = root.backup_mac(body).map_err(|e| e.to_string())?;
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
