//! Keys: the calls with their statements.

use super::rows::{Coded, statements};
use super::*;

macro_rules! key {
    ($($rest:literal),*) => {
        concat!(
            "SELECT name, kind, derived, convergent, exportable, plaintext_backup, deletion_allowed, min_decryption,
            min_encryption, min_available, latest, auto_rotate, created, generation, incarnation, deleting,
            mac, next_root, next_mac FROM keys WHERE ",
            $($rest),*
        )
    };
}
const VERSIONS: &str =
    "SELECT version, root, wrapped, created, mac, next_root, next_wrapped, next_mac
    FROM versions WHERE name = $1 ORDER BY version";

/// Bytes of a version that were reserved and not used.
#[derive(Clone)]
pub struct GiveBack {
    pub name: String,
    pub incarnation: u64,
    pub version: u32,
    pub bytes: u64,
}

impl Store {
    pub fn key(&self, name: &str) -> Result<Option<KeyRecord>> {
        let rows = self.rows()?;
        self.run(Mode::Read, |sql| key(sql, &rows, name))
    }

    /// Checks the code of a version's row. [`Store::key`] does that only for the latest. Errors:
    /// [`StoreError::RootChanged`], [`StoreError::Corrupt`].
    pub fn check_version(&self, key: &KeyRecord, version: &VersionRecord) -> Result<()> {
        let rows = self.rows()?;
        if version.wrapped.root != rows.root {
            return self.noted(Err(StoreError::RootChanged));
        }
        if rows.right("versions", &version_columns(key, version), &version.mac) {
            return Ok(());
        }
        Err(rows::forged("versions", &format!("{} {}", key.name, version.version)))
    }

    /// Returns the names of keys after one, in order, at most `limit` of them.
    pub fn list(&self, after: &str, limit: u64) -> Result<Vec<String>> {
        const SQL: &str =
            "SELECT name FROM keys WHERE deleting = 0 AND name > $1 ORDER BY name LIMIT $2";
        self.names(SQL, &[text(after), number(limit)])
    }

    /// Creates a key with one version. Errors: [`StoreError::Exists`], [`StoreError::Deleting`],
    /// [`StoreError::RootChanged`].
    pub fn create(&self, new: &NewKey) -> Result<KeyRecord> {
        self.write(&new.wrapped, |sql, rows| {
            free(sql, rows, &new.name)?;
            let generation = changed(sql, &new.name)?;
            let mut record = KeyRecord {
                name: new.name.clone(),
                kind: new.kind.clone(),
                derived: new.derived,
                convergent: new.convergent,
                exportable: new.exportable,
                min_decryption_version: 1,
                latest: 1,
                auto_rotate_period: new.auto_rotate_period,
                created: new.created,
                generation,
                incarnation: generation,
                ..KeyRecord::default()
            };
            insert(sql, rows, &record)?;
            let (wrapped, created) = (new.wrapped.clone(), new.created);
            let version = VersionRecord { version: 1, wrapped, created, mac: Vec::new() };
            record.versions = vec![insert_version(sql, rows, &record, version, Used::default())?];
            Ok(record)
        })
    }

    /// Creates a key with the versions of a backup. Only the latest encrypts. Errors: [`StoreError::Exists`],
    /// [`StoreError::Deleting`], [`StoreError::RootChanged`].
    pub fn create_again(&self, from: &KeyRecord) -> Result<()> {
        self.change(|sql, rows| {
            free(sql, rows, &from.name)?;
            let generation = changed(sql, &from.name)?;
            let key = KeyRecord { generation, incarnation: generation, ..from.clone() };
            insert(sql, rows, &key)?;
            for version in &key.versions {
                if version.wrapped.root != rows.root {
                    return Err(StoreError::RootChanged);
                }
                let closed = Used { messages: CLOSED, bytes: CLOSED };
                let used = if version.version == key.latest { Used::default() } else { closed };
                insert_version(sql, rows, &key, version.clone(), used)?;
            }
            Ok(())
        })
    }

    /// Changes a key's settings, checked against its versions. Errors: [`StoreError::NotFound`];
    /// [`StoreError::Invalid`] with the reason.
    pub fn configure(&self, name: &str, changes: &Changes) -> Result<KeyRecord> {
        self.change(|sql, rows| {
            let mut record = locked(sql, rows, name)?;
            record.apply(changes)?;
            record.generation = changed(sql, name)?;
            update(sql, rows, &record, false)?;
            Ok(record)
        })
    }

    /// Adds version `latest + 1`. Errors: [`StoreError::NotFound`]; [`StoreError::Conflict`]: the latest is another;
    /// [`StoreError::RootChanged`].
    pub fn rotate(
        &self,
        name: &str,
        latest: u32,
        wrapped: &Wrapped,
        created: u64,
    ) -> Result<KeyRecord> {
        self.write(wrapped, |sql, rows| {
            let mut record = locked(sql, rows, name)?;
            if record.latest != latest {
                return Err(StoreError::Conflict);
            }
            let version = latest
                .checked_add(1)
                .ok_or_else(|| StoreError::Invalid("the key has no more versions".into()))?;
            record.latest = version;
            record.generation = changed(sql, name)?;
            update(sql, rows, &record, false)?;
            let new = VersionRecord { version, wrapped: wrapped.clone(), created, mac: Vec::new() };
            let new = insert_version(sql, rows, &record, new, Used::default())?;
            record.versions.push(new);
            Ok(record)
        })
    }

    /// Begins to delete a key, and returns the number of this change. From now on no call finds the key;
    /// [`Store::delete_end`] removes it when no replica can still answer from its cache. Errors:
    /// [`StoreError::NotFound`]; [`StoreError::Invalid`] unless deletion is allowed.
    pub fn delete(&self, name: &str) -> Result<u64> {
        self.change(|sql, rows| {
            let mut record = locked(sql, rows, name)?;
            if !record.deletion_allowed {
                return Err(StoreError::Invalid("deletion is not allowed for this key".into()));
            }
            record.generation = changed(sql, name)?;
            update(sql, rows, &record, true)?;
            Ok(record.generation)
        })
    }

    /// Removes a key with all its versions, [`Store::lease`] after the change with this number. Errors: [`StoreError`].
    /// It is no error if the key is gone or another has its name.
    pub fn delete_end(&self, name: &str, generation: u64) -> Result<()> {
        const SQL: &str = "DELETE FROM keys WHERE name = $1 AND generation = $2 AND deleting = 1";
        let values = [text(name), number(generation)];
        self.run(Mode::Write, |sql| {
            changed(sql, name)?;
            sql.execute(SQL, &values)
        })?;
        self.pool.scrub(false);
        Ok(())
    }

    /// Returns the names of keys that are being deleted, each with the number of that change.
    pub fn deleting(&self) -> Result<Vec<(String, u64)>> {
        const SQL: &str = "SELECT name, generation FROM keys WHERE deleting = 1";
        let rows = self.run(Mode::One, |sql| sql.query(SQL, &[]))?;
        let read = |row| {
            let mut row = Fields::of(row);
            Ok((row.text()?, row.number()?))
        };
        rows.into_iter().map(read).collect()
    }

    /// Removes the versions below `least` for ever. With `seen`, an incarnation and a `min_encryption_version`, only if
    /// the key still has both. Errors: [`StoreError::NotFound`]; [`StoreError::Invalid`] when one of them may still be
    /// used; [`StoreError::Conflict`].
    pub fn trim(&self, name: &str, least: u32, seen: Option<(u64, u32)>) -> Result<KeyRecord> {
        let record = self.change(|sql, rows| {
            let mut record = locked(sql, rows, name)?;
            record.trimmable(least)?;
            let now = (record.incarnation, record.min_encryption_version);
            if seen.is_some_and(|seen| seen != now) {
                return Err(StoreError::Conflict);
            }
            record.min_available_version = least;
            record.generation = changed(sql, name)?;
            record.versions.retain(|version| version.version >= least);
            update(sql, rows, &record, false)?;
            let sql_text = "DELETE FROM versions WHERE name = $1 AND version < $2";
            sql.execute(sql_text, &[text(name), small(least)])?;
            Ok(record)
        })?;
        self.pool.scrub(false);
        Ok(record)
    }

    /// Counts messages and bytes as used, in one atomic step; either may be 0. It counts nothing if a limit would be
    /// passed or the version no longer encrypts. Errors: [`StoreError::NotFound`], [`StoreError::Limit`];
    /// [`StoreError::Conflict`]: another key has this name.
    pub fn reserve(
        &self,
        name: &str,
        incarnation: u64,
        version: u32,
        [messages, bytes]: [u64; 2],
        limits: Limits,
    ) -> Result<Reservation> {
        const SQL: &str =
            "UPDATE versions SET used_messages = used_messages + $3, used_bytes = used_bytes + $4
            WHERE name = $1 AND version = $2 AND used_messages <= $5 AND used_bytes <= $6
            AND EXISTS (SELECT 1 FROM keys WHERE name = $1 AND min_encryption <= $2 AND incarnation = $7 AND deleting = 0)
            RETURNING used_messages, used_bytes, (SELECT generation FROM keys WHERE name = $1)";
        const WHY: &str = "SELECT incarnation FROM keys WHERE name = $1 AND deleting = 0";
        // The most that may be counted before. Below i64::MAX, so that the sum fits its column, and so that a version which
        // a restore has closed (CLOSED) is refused under any limits.
        let before = |limit: u64, more: u64| limit.min(CLOSED - 1).checked_sub(more);
        let (Some(m), Some(b)) = (before(limits.messages, messages), before(limits.bytes, bytes))
        else {
            return Err(StoreError::Limit);
        };
        let mut values = vec![text(name), small(version)];
        values.extend([messages, bytes, m, b, incarnation].map(number));
        if let Some(row) =
            self.run(Mode::OneWrite, |sql| sql.query(SQL, &values))?.into_iter().next()
        {
            let mut row = Fields::of(row);
            let after = row.number()?;
            let first = after.checked_sub(messages).ok_or_else(Fields::wrong)?;
            let used = row.number()?;
            return Ok(Reservation { first, messages, bytes, used, generation: row.number()? });
        }
        let row = self.run(Mode::One, |sql| sql.query(WHY, &[text(name)]))?.into_iter().next();
        if Fields::of(row.ok_or(StoreError::NotFound)?).number()? != incarnation {
            return Err(StoreError::Conflict);
        }
        Err(self.used(name, version).err().unwrap_or(StoreError::Limit))
    }

    /// Counts reserved bytes as not used. Numbers of messages are never given back. Errors: [`StoreError`]; then all of
    /// them still count as used, or none.
    pub fn give_back(&self, all: &[GiveBack]) -> Result<()> {
        const SQL: &str = "UPDATE versions SET used_bytes = used_bytes - $3
            WHERE name = $1 AND version = $2 AND used_bytes >= $3
            AND EXISTS (SELECT 1 FROM keys WHERE name = $1 AND incarnation = $4)";
        // In a transaction, since a single statement may run twice when a connection breaks.
        self.run(Mode::Write, |sql| {
            for one in all {
                let values = [
                    text(&one.name),
                    small(one.version),
                    number(one.bytes),
                    number(one.incarnation),
                ];
                sql.execute(SQL, &values)?;
            }
            Ok(())
        })
    }

    /// Returns the use of a version. Errors: [`StoreError::NotFound`].
    pub fn used(&self, name: &str, version: u32) -> Result<Used> {
        const SQL: &str =
            "SELECT used_messages, used_bytes FROM versions WHERE name = $1 AND version = $2";
        let values = [text(name), small(version)];
        let rows = self.run(Mode::One, |sql| sql.query(SQL, &values))?;
        let mut row = Fields::of(rows.into_iter().next().ok_or(StoreError::NotFound)?);
        Ok(Used { messages: row.number()?, bytes: row.number()? })
    }

    /// Makes a change with a wrapped secret. It fails if the secret was wrapped under another root key.
    fn write<T>(
        &self,
        wrapped: &Wrapped,
        mut f: impl FnMut(&mut dyn Sql, &RowKey) -> Result<T>,
    ) -> Result<T> {
        self.change(|sql, rows| {
            if wrapped.root != rows.root {
                return Err(StoreError::RootChanged);
            }
            f(sql, rows)
        })
    }

    pub(super) fn names(&self, sql_text: &'static str, values: &[Value]) -> Result<Vec<String>> {
        let rows = self.run(Mode::One, |sql| sql.query(sql_text, values))?;
        rows.into_iter().map(|row| Fields::of(row).text()).collect()
    }
}

/// Writes a change of a key into the log, and returns its number.
fn changed(sql: &mut dyn Sql, name: &str) -> Result<u64> {
    sql.note(Kind::Key as u64, name)?;
    sql.number()
}

/// Requires that no key has a name. Errors: [`StoreError::Exists`], [`StoreError::Deleting`].
fn free(sql: &mut dyn Sql, rows: &RowKey, name: &str) -> Result<()> {
    match rows::find::<Head>(sql, rows, name)? {
        Some(there) if there.deleting => Err(StoreError::Deleting(there.key.generation)),
        Some(_) => Err(StoreError::Exists),
        None => Ok(()),
    }
}

/// Reads a key, which no other transaction changes until this one ends.
fn locked(sql: &mut dyn Sql, rows: &RowKey, name: &str) -> Result<KeyRecord> {
    sql.lock(name)?;
    key(sql, rows, name)?.ok_or(StoreError::NotFound)
}

/// A use above any limit: a version that never encrypts again.
pub(super) const CLOSED: u64 = i64::MAX as u64;

impl KeyRecord {
    /// Checks that versions below `least` may be removed. Errors: [`StoreError::Invalid`] with the reason.
    pub fn trimmable(&self, least: u32) -> Result<()> {
        let wrong = |why: &str| Err(StoreError::Invalid(format!("min_available_version {why}")));
        if least < self.min_available_version.max(1) {
            return wrong("cannot go back");
        }
        if least > self.min_decryption_version {
            return wrong("is above min_decryption_version");
        }
        if self.min_encryption_version == 0 || least > self.min_encryption_version {
            return wrong("is above min_encryption_version, or that is not set");
        }
        Ok(())
    }

    fn apply(&mut self, changes: &Changes) -> Result<()> {
        let refuse = |wrong: bool, why: &str| match wrong {
            true => Err(StoreError::Invalid(why.into())),
            false => Ok(()),
        };
        if let Some(least) = changes.min_decryption_version {
            // Clients write 0 for the first version.
            self.min_decryption_version = least.max(1);
        }
        if let Some(least) = changes.min_encryption_version {
            self.min_encryption_version = least;
        }
        if let Some(allowed) = changes.deletion_allowed {
            self.deletion_allowed = allowed;
        }
        if let Some(period) = changes.auto_rotate_period {
            self.auto_rotate_period = period;
        }
        let (decrypt, encrypt) = (self.min_decryption_version, self.min_encryption_version);
        refuse(decrypt > self.latest, "min_decryption_version is above the latest version")?;
        refuse(encrypt > self.latest, "min_encryption_version is above the latest version")?;
        refuse(
            encrypt != 0 && encrypt < decrypt,
            "min_encryption_version is below min_decryption_version",
        )?;
        refuse(
            decrypt < self.min_available_version,
            "min_decryption_version is below min_available_version: those versions were trimmed",
        )?;
        refuse(
            encrypt != 0 && encrypt < self.min_available_version,
            "min_encryption_version is below min_available_version: those versions were trimmed",
        )
    }
}

/// A key's row, without its versions.
pub(super) struct Head {
    pub(super) key: KeyRecord,
    pub(super) deleting: bool,
}

impl Coded for Head {
    const TABLE: &'static str = "keys";
    const SQL: rows::Statements = statements!("keys", "name", key);

    fn read(row: &mut Fields) -> Result<Head> {
        let key = KeyRecord {
            name: row.text()?,
            kind: row.text()?,
            derived: row.truth()?,
            convergent: row.truth()?,
            exportable: row.truth()?,
            allow_plaintext_backup: row.truth()?,
            deletion_allowed: row.truth()?,
            min_decryption_version: row.number32()?,
            min_encryption_version: row.number32()?,
            min_available_version: row.number32()?,
            latest: row.number32()?,
            auto_rotate_period: row.number()?,
            created: row.number()?,
            generation: row.number()?,
            incarnation: row.number()?,
            versions: Vec::new(),
        };
        Ok(Head { key, deleting: row.truth()? })
    }
    fn columns(&self) -> Vec<Value> {
        columns(&self.key, self.deleting)
    }
    fn name(&self) -> &str {
        &self.key.name
    }
}

/// Reads a key, and checks the codes of its row and of its latest version.
pub(super) fn key(sql: &mut dyn Sql, rows: &RowKey, name: &str) -> Result<Option<KeyRecord>> {
    let Some(Head { key: mut record, deleting: false }) = rows::find(sql, rows, name)? else {
        return Ok(None);
    };
    record.versions = versions(sql, rows, name)?;
    match record.versions.last() {
        Some(last) if last.version == record.latest => {
            check_version(sql, rows, &record, last)?;
            Ok(Some(record))
        }
        _ => Err(StoreError::Corrupt(format!("key {name} lacks its latest version"))),
    }
}

/// Returns the rows of a key's versions, unchecked.
pub(super) fn versions(sql: &mut dyn Sql, rows: &RowKey, name: &str) -> Result<Vec<VersionRecord>> {
    let all = sql.query(VERSIONS, &[text(name)])?;
    all.into_iter().map(|row| read_version(rows, &mut Fields::of(row))).collect()
}

/// Reads a version with its wrap under the root key of `rows`, if it has that one; during a rotation it has two.
pub(super) fn read_version(rows: &RowKey, row: &mut Fields) -> Result<VersionRecord> {
    let version = row.number32()?;
    let now = Wrapped { root: row.number32()?, bytes: row.bytes()? };
    let (created, mac) = (row.number()?, row.bytes()?);
    let next = Wrapped { root: row.number32()?, bytes: row.bytes()? };
    let next_mac = row.bytes()?;
    let (wrapped, mac) =
        if now.root != rows.root && next.root == rows.root { (next, next_mac) } else { (now, mac) };
    Ok(VersionRecord { version, wrapped, created, mac })
}

/// Checks the code of a version's row.
pub(super) fn check_version(
    sql: &mut dyn Sql,
    rows: &RowKey,
    key: &KeyRecord,
    version: &VersionRecord,
) -> Result<()> {
    if rows.right("versions", &version_columns(key, version), &version.mac) {
        return Ok(());
    }
    if root_number(sql)? != rows.root {
        return Err(StoreError::RootChanged);
    }
    Err(rows::forged("versions", &format!("{} {}", key.name, version.version)))
}

fn version_columns(key: &KeyRecord, version: &VersionRecord) -> [Value; 6] {
    [
        text(&key.name),
        number(key.incarnation),
        small(version.version),
        small(version.wrapped.root),
        blob(&version.wrapped.bytes),
        number(version.created),
    ]
}

pub(super) fn version_mac(rows: &RowKey, key: &KeyRecord, version: &VersionRecord) -> Value {
    rows.mac("versions", &version_columns(key, version))
}

/// Returns the columns of a key that its code covers.
fn columns(key: &KeyRecord, deleting: bool) -> Vec<Value> {
    let mut values = vec![
        text(&key.name),
        text(&key.kind),
        truth(key.derived),
        truth(key.exportable),
        truth(key.allow_plaintext_backup),
        truth(key.deletion_allowed),
        small(key.min_decryption_version),
        small(key.min_encryption_version),
        small(key.min_available_version),
        small(key.latest),
        number(key.auto_rotate_period),
        number(key.created),
        number(key.generation),
        number(key.incarnation),
        truth(deleting),
    ];
    if key.convergent {
        values.push(truth(true));
    }
    values
}

fn coded(rows: &RowKey, key: &KeyRecord, deleting: bool) -> Vec<Value> {
    let mut values = columns(key, deleting);
    let mac = rows.mac("keys", &values);
    values.truncate(15);
    values.extend([truth(key.convergent), mac]);
    values
}

pub(super) fn insert(sql: &mut dyn Sql, rows: &RowKey, key: &KeyRecord) -> Result<()> {
    const SQL: &str =
        "INSERT INTO keys (name, kind, derived, exportable, plaintext_backup, deletion_allowed, min_decryption,
        min_encryption, min_available, latest, auto_rotate, created, generation, incarnation, deleting, convergent, mac)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)";
    sql.execute(SQL, &coded(rows, key, false)).map(|_| ())
}

fn update(sql: &mut dyn Sql, rows: &RowKey, key: &KeyRecord, deleting: bool) -> Result<()> {
    const SQL: &str = "UPDATE keys SET kind = $2, derived = $3, exportable = $4, plaintext_backup = $5,
        deletion_allowed = $6, min_decryption = $7, min_encryption = $8, min_available = $9, latest = $10,
        auto_rotate = $11, created = $12, generation = $13, incarnation = $14, deleting = $15, convergent = $16,
        mac = $17, next_root = 0 WHERE name = $1";
    sql.execute(SQL, &coded(rows, key, deleting)).map(|_| ())
}

/// Inserts a version and returns it with its code.
pub(super) fn insert_version(
    sql: &mut dyn Sql,
    rows: &RowKey,
    key: &KeyRecord,
    mut version: VersionRecord,
    used: Used,
) -> Result<VersionRecord> {
    const SQL: &str =
        "INSERT INTO versions (name, version, root, wrapped, created, used_messages, used_bytes, mac)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    let mac = version_mac(rows, key, &version);
    let values = [
        text(&key.name),
        small(version.version),
        small(version.wrapped.root),
        blob(&version.wrapped.bytes),
        number(version.created),
        number(used.messages),
        number(used.bytes),
        mac.clone(),
    ];
    sql.execute(SQL, &values)?;
    if let Value::Blob(mac) = mac {
        version.mac = mac;
    }
    Ok(version)
}
