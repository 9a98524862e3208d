//! Keys: the calls, and their statements.

use super::*;

/// The columns of a key, as [`read`] takes them.
const KEY: &str = "SELECT name, kind, derived, exportable, plaintext_backup, deletion_allowed, min_decryption,
    min_encryption, min_available, latest, auto_rotate, created, generation FROM keys WHERE name = $1";
const VERSIONS: &str =
    "SELECT version, root, wrapped, created FROM versions WHERE name = $1 ORDER BY version";

impl Store {
    /// A key, with what versions of it there are.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn key(&self, name: &str) -> Result<Option<KeyRecord>, StoreError> {
        self.pool.run(Mode::Read, |sql| key(sql, name))
    }

    /// Its generation; `None`: no such key. Cheap: caches ask it.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn generation(&self, name: &str) -> Result<Option<u64>, StoreError> {
        const SQL: &str = "SELECT generation FROM keys WHERE name = $1";
        let rows = self.pool.run(Mode::One, |sql| sql.query(SQL, &[text(name)]))?;
        rows.into_iter().next().map(|row| Fields::of(row).number()).transpose()
    }

    /// Names, in order.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn list(&self) -> Result<Vec<String>, StoreError> {
        names(&self.pool, "SELECT name FROM keys")
    }

    /// Makes a key with one version.
    ///
    /// # Errors
    /// [`StoreError::Exists`], [`StoreError::RootChanged`].
    pub fn create(&self, new: &NewKey) -> Result<KeyRecord, StoreError> {
        self.write(&new.wrapped, |sql, generation| {
            if key(sql, &new.name)?.is_some() {
                return Err(StoreError::Exists);
            }
            let record = KeyRecord {
                name: new.name.clone(),
                kind: new.kind.clone(),
                derived: new.derived,
                exportable: new.exportable,
                allow_plaintext_backup: new.allow_plaintext_backup,
                deletion_allowed: false,
                min_decryption_version: 1,
                min_encryption_version: 0,
                min_available_version: 0,
                latest: 1,
                auto_rotate_period: new.auto_rotate_period,
                created: new.created,
                generation,
                versions: vec![VersionRecord {
                    version: 1,
                    wrapped: new.wrapped.clone(),
                    created: new.created,
                }],
            };
            insert(sql, &record)?;
            insert_version(sql, &record.name, &record.versions[0], Used { messages: 0, bytes: 0 })?;
            Ok(record)
        })
    }

    /// Changes what may be changed, checked against the versions there are.
    ///
    /// # Errors
    /// [`StoreError::NotFound`]; [`StoreError::Invalid`] with the reason.
    pub fn configure(&self, name: &str, changes: &Changes) -> Result<KeyRecord, StoreError> {
        self.pool.run(Mode::Write, |sql| {
            let generation = next(sql, "keys")?;
            let mut record = key(sql, name)?.ok_or(StoreError::NotFound)?;
            record.apply(changes)?;
            record.generation = generation;
            update(sql, &record)?;
            Ok(record)
        })
    }

    /// Adds version `latest + 1`.
    ///
    /// # Errors
    /// [`StoreError::NotFound`]; [`StoreError::Conflict`]: the latest is another; [`StoreError::RootChanged`].
    pub fn rotate(
        &self,
        name: &str,
        latest: u32,
        wrapped: &Wrapped,
        created: u64,
    ) -> Result<KeyRecord, StoreError> {
        self.write(wrapped, |sql, generation| {
            let mut record = key(sql, name)?.ok_or(StoreError::NotFound)?;
            if record.latest != latest {
                return Err(StoreError::Conflict);
            }
            let version = latest
                .checked_add(1)
                .ok_or_else(|| StoreError::Invalid("no version is left".into()))?;
            record.latest = version;
            record.generation = generation;
            record.versions.push(VersionRecord { version, wrapped: wrapped.clone(), created });
            update(sql, &record)?;
            let last = &record.versions[record.versions.len() - 1];
            insert_version(sql, name, last, Used { messages: 0, bytes: 0 })?;
            Ok(record)
        })
    }

    /// Deletes a key with all its versions.
    ///
    /// # Errors
    /// [`StoreError::NotFound`]; [`StoreError::Invalid`] unless deletion is allowed.
    pub fn delete(&self, name: &str) -> Result<(), StoreError> {
        self.pool.run(Mode::Write, |sql| {
            next(sql, "keys")?;
            let record = key(sql, name)?.ok_or(StoreError::NotFound)?;
            if !record.deletion_allowed {
                return Err(StoreError::Invalid("deletion is not allowed for this key".into()));
            }
            sql.execute("DELETE FROM keys WHERE name = $1", &[text(name)]).map(|_| ())
        })
    }

    /// Forgets the versions below `least`, for ever.
    ///
    /// # Errors
    /// [`StoreError::NotFound`]; [`StoreError::Invalid`] when one of them may still be used.
    pub fn trim(&self, name: &str, least: u32) -> Result<KeyRecord, StoreError> {
        self.pool.run(Mode::Write, |sql| {
            let generation = next(sql, "keys")?;
            let mut record = key(sql, name)?.ok_or(StoreError::NotFound)?;
            let wrong =
                |why: &str| Err(StoreError::Invalid(format!("min_available_version {why}")));
            if least < record.min_available_version.max(1) {
                return wrong("cannot go back");
            }
            if least > record.min_decryption_version {
                return wrong("is above min_decryption_version");
            }
            if record.min_encryption_version == 0 || least > record.min_encryption_version {
                return wrong("is above min_encryption_version, or that is not set");
            }
            record.min_available_version = least;
            record.generation = generation;
            record.versions.retain(|version| version.version >= least);
            update(sql, &record)?;
            let sql_text = "DELETE FROM versions WHERE name = $1 AND version < $2";
            sql.execute(sql_text, &[text(name), small(least)])?;
            Ok(record)
        })
    }

    /// Counts `messages` and `bytes` as used, in one atomic step, or nothing if a limit would be passed or the version
    /// no longer encrypts.
    ///
    /// # Errors
    /// [`StoreError::NotFound`], [`StoreError::Limit`].
    pub fn reserve(
        &self,
        name: &str,
        version: u32,
        messages: u64,
        bytes: u64,
        limits: Limits,
    ) -> Result<Reservation, StoreError> {
        const SQL: &str =
            "UPDATE versions SET used_messages = used_messages + $3, used_bytes = used_bytes + $4
            WHERE name = $1 AND version = $2 AND used_messages <= $5 AND used_bytes <= $6
            AND EXISTS (SELECT 1 FROM keys WHERE name = $1 AND min_encryption <= $2)
            RETURNING used_messages, (SELECT generation FROM keys WHERE name = $1)";
        // What may be there before. Below i64::MAX, so that a sum fits its column and that a version which a restored
        // backup has closed (CLOSED) is refused under any limits.
        let before = |limit: u64, more: u64| limit.min(CLOSED - 1).checked_sub(more);
        let (Some(m), Some(b)) = (before(limits.messages, messages), before(limits.bytes, bytes))
        else {
            return Err(StoreError::Limit);
        };
        let mut values = vec![text(name), small(version)];
        values.extend([messages, bytes, m, b].map(number));
        match self.pool.run(Mode::OneWrite, |sql| sql.query(SQL, &values))?.into_iter().next() {
            Some(row) => {
                let mut row = Fields::of(row);
                let after = row.number()?;
                let first = after.checked_sub(messages).ok_or_else(Fields::wrong)?;
                Ok(Reservation { first, messages, bytes, generation: row.number()? })
            }
            None => Err(self.used(name, version).err().unwrap_or(StoreError::Limit)),
        }
    }

    /// How much a version was used.
    ///
    /// # Errors
    /// [`StoreError::NotFound`].
    pub fn used(&self, name: &str, version: u32) -> Result<Used, StoreError> {
        const SQL: &str =
            "SELECT used_messages, used_bytes FROM versions WHERE name = $1 AND version = $2";
        let values = [text(name), small(version)];
        let rows = self.pool.run(Mode::One, |sql| sql.query(SQL, &values))?;
        let mut row = Fields::of(rows.into_iter().next().ok_or(StoreError::NotFound)?);
        Ok(Used { messages: row.number()?, bytes: row.number()? })
    }

    /// A change that brings a wrapped secret: refused when the root key is another than it was wrapped under.
    fn write<T>(
        &self,
        wrapped: &Wrapped,
        mut f: impl FnMut(&mut dyn Sql, u64) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.pool.run(Mode::Write, |sql| {
            let generation = next(sql, "keys")?;
            if root_number(sql)? != wrapped.root {
                return Err(StoreError::RootChanged);
            }
            f(sql, generation)
        })
    }
}

/// So much used that no limit is above: a version that never encrypts again.
pub(super) const CLOSED: u64 = i64::MAX as u64;

impl KeyRecord {
    fn apply(&mut self, changes: &Changes) -> Result<(), StoreError> {
        let refuse = |wrong: bool, why: &str| match wrong {
            true => Err(StoreError::Invalid(why.into())),
            false => Ok(()),
        };
        if let Some(least) = changes.min_decryption_version {
            // Clients write 0 for the first.
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

pub(super) fn names(pool: &Pool, sql_text: &'static str) -> Result<Vec<String>, StoreError> {
    let rows = pool.run(Mode::One, |sql| sql.query(sql_text, &[]))?;
    let names = rows.into_iter().map(|row| Fields::of(row).text());
    let mut names = names.collect::<Result<Vec<_>, _>>()?;
    // Databases order by the rules of some language.
    names.sort_unstable();
    Ok(names)
}

/// Reads a key; within a transaction that holds a counter nobody changes it meanwhile.
pub(super) fn key(sql: &mut dyn Sql, name: &str) -> Result<Option<KeyRecord>, StoreError> {
    let Some(row) = sql.query(KEY, &[text(name)])?.into_iter().next() else {
        return Ok(None);
    };
    let mut row = Fields::of(row);
    let mut record = KeyRecord {
        name: row.text()?,
        kind: row.text()?,
        derived: row.truth()?,
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
        versions: Vec::new(),
    };
    for row in sql.query(VERSIONS, &[text(name)])? {
        let mut row = Fields::of(row);
        record.versions.push(VersionRecord {
            version: row.number32()?,
            wrapped: Wrapped { root: row.number32()?, bytes: row.bytes()? },
            created: row.number()?,
        });
    }
    match record.versions.last() {
        Some(last) if last.version == record.latest => Ok(Some(record)),
        _ => Err(StoreError::Corrupt(format!("key {name} lacks its latest version"))),
    }
}

fn columns(key: &KeyRecord) -> [Value; 13] {
    [
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
    ]
}

pub(super) fn insert(sql: &mut dyn Sql, key: &KeyRecord) -> Result<(), StoreError> {
    const SQL: &str =
        "INSERT INTO keys (name, kind, derived, exportable, plaintext_backup, deletion_allowed,
        min_decryption, min_encryption, min_available, latest, auto_rotate, created, generation)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)";
    sql.execute(SQL, &columns(key)).map(|_| ())
}

fn update(sql: &mut dyn Sql, key: &KeyRecord) -> Result<(), StoreError> {
    const SQL: &str = "UPDATE keys SET kind = $2, derived = $3, exportable = $4, plaintext_backup = $5,
        deletion_allowed = $6, min_decryption = $7, min_encryption = $8, min_available = $9, latest = $10,
        auto_rotate = $11, created = $12, generation = $13 WHERE name = $1";
    sql.execute(SQL, &columns(key)).map(|_| ())
}

pub(super) fn insert_version(
    sql: &mut dyn Sql,
    name: &str,
    version: &VersionRecord,
    used: Used,
) -> Result<(), StoreError> {
    const SQL: &str =
        "INSERT INTO versions (name, version, root, wrapped, created, used_messages, used_bytes)
        VALUES ($1, $2, $3, $4, $5, $6, $7)";
    let values = [
        text(name),
        small(version.version),
        small(version.wrapped.root),
        blob(&version.wrapped.bytes),
        number(version.created),
        number(used.messages),
        number(used.bytes),
    ];
    sql.execute(SQL, &values).map(|_| ())
}
