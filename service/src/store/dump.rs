//! The whole database: for backups, restores and the rotation of the root key.

use bulat::Secret;

use super::*;

/// The whole database, in one state. Secrets are wrapped, tokens are hashed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dump {
    /// The number of the root key; 0: none yet.
    pub root: u32,
    /// Named values.
    pub meta: Vec<Meta>,
    /// Keys, with the use of each of their versions.
    pub keys: Vec<(KeyRecord, Vec<Used>)>,
    /// Tokens.
    pub tokens: Vec<TokenRecord>,
    /// Names and rules.
    pub policies: Vec<(String, String)>,
}

/// A named value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Meta {
    /// The name.
    pub name: String,
    /// The value.
    #[serde(with = "base64")]
    pub value: Vec<u8>,
}

/// Bytes as base64.
pub(super) mod base64 {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use serde::{Deserialize, Deserializer, Serializer, de};

    pub fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&STANDARD.encode(bytes))
    }
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
        STANDARD.decode(String::deserialize(from)?).map_err(de::Error::custom)
    }
}

impl Dump {
    /// Returns a named value.
    pub fn meta(&self, name: &str) -> Option<&[u8]> {
        self.meta.iter().find(|meta| meta.name == name).map(|meta| meta.value.as_slice())
    }
}

impl Store {
    /// Reads everything.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn dump(&self) -> Result<Dump, StoreError> {
        let rows = self.rows()?;
        self.run_long(Mode::Read, |sql| dump(sql, &rows))
    }

    /// Replaces the content of the database by a dump: an empty database, or any with `force`. Of each key only the
    /// latest version encrypts again. Rows get codes under `codes`.
    ///
    /// # Errors
    /// [`StoreError::Exists`]: the database is not empty.
    pub(crate) fn restore(
        &self,
        from: &Dump,
        codes: &Secret<[u8; 32]>,
        force: bool,
    ) -> Result<(), StoreError> {
        const CLEAR: &str =
            "DELETE FROM keys; DELETE FROM tokens; DELETE FROM policies; DELETE FROM meta";
        const THERE: &str = "SELECT (SELECT COUNT(*) FROM keys) + (SELECT COUNT(*) FROM tokens)
            + (SELECT COUNT(*) FROM policies)";
        self.run_long(Mode::Write, |sql| {
            let generation = next(sql, "keys")?;
            next(sql, "access")?;
            let there = root_number(sql)?;
            let rows = sql.query(THERE, &[])?.into_iter().next().ok_or_else(Fields::wrong)?;
            if (there != 0 || Fields::of(rows).number()? != 0) && !force {
                return Err(StoreError::Exists);
            }
            sql.batch(CLEAR)?;
            // A running replica has wraps under a root key with the old number, which must not pass for the new one's.
            let root = there.max(from.root).checked_add(1).ok_or_else(Fields::wrong)?;
            set_root(sql, root)?;
            let rows = RowKey { root, key: codes.clone() };
            for meta in &from.meta {
                put_meta(sql, &meta.name, &meta.value)?;
            }
            for (key, used) in &from.keys {
                // A new incarnation, so that numbers which a running replica has drawn of the old key are not used for
                // this one.
                let key = KeyRecord { generation, incarnation: generation, ..key.clone() };
                keys::insert(sql, &rows, &key)?;
                for (version, used) in key.versions.iter().zip(used) {
                    let mut version = version.clone();
                    version.wrapped.root = root;
                    let closed = Used { messages: keys::CLOSED, ..*used };
                    let used = if version.version == key.latest { *used } else { closed };
                    keys::insert_version(sql, &rows, &key, version, used)?;
                }
            }
            for token in &from.tokens {
                access::insert_token(sql, &rows, token)?;
            }
            for (name, rules) in &from.policies {
                access::put_policy(sql, &rows, name, rules)?;
            }
            Ok(())
        })?;
        self.pool.scrub(true);
        Ok(())
    }

    /// Returns the number of the root key and two named values, read in one transaction; `None`: there is no root key yet.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn root_values(
        &self,
        a: &str,
        b: &str,
    ) -> Result<Option<(u32, Vec<u8>, Vec<u8>)>, StoreError> {
        self.run(Mode::Read, |sql| {
            let root = root_number(sql)?;
            Ok(meta(sql, a)?.zip(meta(sql, b)?).map(|(a, b)| (root, a, b)).filter(|_| root != 0))
        })
    }

    /// Sets the first root key, by named values.
    ///
    /// # Errors
    /// [`StoreError::Exists`]: there is one.
    pub fn root_create(&self, meta: &[(&str, Vec<u8>)]) -> Result<u32, StoreError> {
        self.run(Mode::Write, |sql| {
            next(sql, "keys")?;
            if root_number(sql)? != 0 {
                return Err(StoreError::Exists);
            }
            replace_root(sql, 1, meta)
        })
    }

    /// Wraps every version anew with `f` (name, kind, version, wrapped), gives every row a code under the new root key,
    /// and sets named values, in one transaction. Afterwards it removes the old content from the file, if no other
    /// process works on it.
    ///
    /// # Errors
    /// [`StoreError::RootChanged`]: the root key is no longer that of `old`; [`StoreError::Corrupt`]: a row has a wrong
    /// code; the errors of `f`.
    pub(crate) fn rewrap_all(
        &self,
        old: &RowKey,
        new: &Secret<[u8; 32]>,
        meta: &[(&str, Vec<u8>)],
        f: &mut dyn FnMut(&str, &str, u32, &[u8]) -> Result<Vec<u8>, StoreError>,
    ) -> Result<u32, StoreError> {
        const ALL: &str = "SELECT name, kind, derived, exportable, plaintext_backup, deletion_allowed, min_decryption,
            min_encryption, min_available, latest, auto_rotate, created, generation, incarnation, deleting, mac FROM keys";
        const SET: &str = "UPDATE versions SET wrapped = $3, root = $4, mac = $5 WHERE name = $1 AND version = $2";
        let root = self.run_long(Mode::Write, |sql| {
            let generation = next(sql, "keys")?;
            next(sql, "access")?;
            same_root(sql, old)?;
            let root = old.root.checked_add(1).ok_or_else(Fields::wrong)?;
            let rows = RowKey { root, key: new.clone() };
            for row in sql.query(ALL, &[])? {
                let mut head = keys::Head::read(sql, old, row)?;
                for mut version in keys::versions(sql, &head.key.name)? {
                    keys::check_version(sql, old, &head.key, &version)?;
                    let (key, number) = (&head.key, version.version);
                    version.wrapped.bytes =
                        f(&key.name, &key.kind, number, &version.wrapped.bytes)?;
                    version.wrapped.root = root;
                    let mac = keys::version_mac(&rows, key, &version);
                    let bytes = Value::Blob(version.wrapped.bytes);
                    sql.execute(SET, &[text(&key.name), small(number), bytes, small(root), mac])?;
                }
                head.key.generation = generation;
                keys::update(sql, &rows, &head.key, head.deleting)?;
            }
            for token in access::tokens(sql, old)? {
                sql.execute("DELETE FROM tokens WHERE hash = $1", &[blob(&token.hash)])?;
                access::insert_token(sql, &rows, &token)?;
            }
            for (name, text_of) in access::policies(sql, old)? {
                access::put_policy(sql, &rows, &name, &text_of)?;
            }
            replace_root(sql, root, meta)
        })?;
        self.pool.scrub(true);
        Ok(root)
    }
}

fn replace_root(sql: &mut dyn Sql, root: u32, meta: &[(&str, Vec<u8>)]) -> Result<u32, StoreError> {
    for (name, value) in meta {
        put_meta(sql, name, value)?;
    }
    set_root(sql, root)?;
    Ok(root)
}

fn set_root(sql: &mut dyn Sql, root: u32) -> Result<(), StoreError> {
    sql.execute("UPDATE counters SET value = $1 WHERE name = 'root'", &[small(root)]).map(|_| ())
}

fn dump(sql: &mut dyn Sql, rows: &RowKey) -> Result<Dump, StoreError> {
    const USED: &str =
        "SELECT used_messages, used_bytes FROM versions WHERE name = $1 ORDER BY version";
    let mut all = Dump {
        root: root_number(sql)?,
        meta: Vec::new(),
        keys: Vec::new(),
        tokens: access::tokens(sql, rows)?,
        policies: access::policies(sql, rows)?,
    };
    for row in sql.query("SELECT name, value FROM meta ORDER BY name", &[])? {
        let mut row = Fields::of(row);
        all.meta.push(Meta { name: row.text()?, value: row.bytes()? });
    }
    for row in sql.query("SELECT name FROM keys ORDER BY name", &[])? {
        let name = Fields::of(row).text()?;
        // No backup has a key that is being deleted. The row's code covers that mark, too.
        let Some(key) = keys::key(sql, rows, &name)? else { continue };
        for version in &key.versions {
            keys::check_version(sql, rows, &key, version)?;
        }
        let used = sql.query(USED, &[text(&name)])?.into_iter().map(|row| {
            let mut row = Fields::of(row);
            Ok(Used { messages: row.number()?, bytes: row.number()? })
        });
        all.keys.push((key, used.collect::<Result<_, StoreError>>()?));
    }
    Ok(all)
}
