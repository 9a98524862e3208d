//! Backup and restore. A backup is one file: the database as JSON, as one state, keys wrapped and tokens hashed, then a line
//! with its HMAC-Streebog256 under a key from the root key. It opens with the root key of that time.
//!
//! Counters of nonces in a backup are old. So a restore gives each key a new version, which alone encrypts from then on, and
//! closes the old ones in their counters, which no setting opens again.

use std::io::Write as _;
use std::path::Path;

use serde::{Deserialize, Serialize};
use zeroize::Zeroizing;

use crate::root::{Root, RootKey, random};
use crate::store::{Dump, Store, StoreError, Used, VersionRecord};

/// The form of the file. Form 1 lacks the keys' incarnations, which a restore sets anew.
const FORM: u32 = 2;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Backup {
    bulatd_backup: u32,
    created: u64,
    dump: Dump,
}

/// What says how the rest is to be read.
#[derive(Deserialize)]
struct Form {
    bulatd_backup: u32,
}

/// Writes a backup into a new file; other programs may use the database meanwhile. How many keys it has.
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

/// Puts a backup into an empty database, or with `force` in the place of what is there, in one transaction. Tokens come back
/// only if asked for: one that was revoked since would live again. How many keys it has.
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
    let cut = "this is no whole backup";
    let body = text.strip_suffix(b"\n").ok_or(cut)?;
    let end = body.iter().rposition(|c| *c == b'\n').ok_or(cut)? + 1;
    let (body, digits) = body.split_at(end);
    let tag = bulat_container::digits::unhex(digits).ok_or(cut)?;
    let form: Form = serde_json::from_slice(body).map_err(|e| format!("{cut}: {e}"))?;
    if !(1..=FORM).contains(&form.bulatd_backup) {
        return Err(format!("a backup of form {}, not 1 to {FORM}", form.bulatd_backup));
    }
    let backup: Backup = serde_json::from_slice(body).map_err(|e| format!("{cut}: {e}"))?;
    let root = Root::of(&backup.dump, key).map_err(|e| match e {
        StoreError::WrongRoot => "made under another root key".into(),
        other => other.to_string(),
    })?;
    let right = root.backup_mac(body).map_err(|e| e.to_string())?;
    bulat::verify(right.as_ref(), &tag).map_err(|_| "it was changed since it was made")?;
    Ok(backup.dump)
}

/// Gives each key a new version, which alone encrypts.
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

/// Writes a new file, all or nothing, for its owner alone.
///
/// # Errors
/// A sentence for the user; a file that is there stays as it is.
pub(crate) fn write_new(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let wrong = |e: std::io::Error| format!("{}: {e}", path.display());
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(wrong)?;
    file.write_all(bytes).map_err(wrong)?;
    file.as_file().sync_all().map_err(wrong)?;
    file.persist_noclobber(path).map_err(|e| wrong(e.error))?;
    std::fs::File::open(folder).and_then(|folder| folder.sync_all()).map_err(wrong)
}
