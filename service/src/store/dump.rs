//! All of the database at once: what a backup keeps, and what the rotation of the root key changes.

use super::*;

/// Everything, as one state. Secrets are wrapped, tokens are hashes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dump {
    /// The number of the root key; 0: none yet.
    pub root: u32,
    /// Named values.
    pub meta: Vec<Meta>,
    /// Keys, and how much each of their versions was used.
    pub keys: Vec<(KeyRecord, Vec<Used>)>,
    /// Tokens.
    pub tokens: Vec<TokenRecord>,
    /// Names and rules.
    pub policies: Vec<(String, String)>,
}

/// A named value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Meta {
    /// Its name.
    pub name: String,
    /// Its value.
    #[serde(with = "base64")]
    pub value: Vec<u8>,
}

/// Bytes as text.
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
    /// A named value.
    pub fn meta(&self, name: &str) -> Option<&[u8]> {
        self.meta.iter().find(|meta| meta.name == name).map(|meta| meta.value.as_slice())
    }

    /// Nobody has put anything there.
    pub fn is_empty(&self) -> bool {
        self.root == 0 && self.keys.is_empty() && self.tokens.is_empty() && self.policies.is_empty()
    }
}

impl Store {
    /// Reads everything.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn dump(&self) -> Result<Dump, StoreError> {
        self.pool.run(Mode::Read, dump)
    }

    /// Puts the content of a dump in the place of what is there: into an empty database, or with `force` into any. The
    /// old versions of its keys, all but the latest of each, never encrypt again.
    ///
    /// # Errors
    /// [`StoreError::Exists`]: the database is not empty.
    pub fn restore(&self, from: &Dump, force: bool) -> Result<(), StoreError> {
        const CLEAR: &str =
            "DELETE FROM keys; DELETE FROM tokens; DELETE FROM policies; DELETE FROM meta";
        self.pool.run(Mode::Write, |sql| {
            let generation = next(sql, "keys")?;
            next(sql, "access")?;
            let there = dump(sql)?;
            if !there.is_empty() && !force {
                return Err(StoreError::Exists);
            }
            sql.batch(CLEAR)?;
            // A replica that runs on has wraps under a root key of the old number: they must not pass for the new one's.
            let root = there.root.max(from.root).checked_add(1).ok_or_else(Fields::wrong)?;
            set_root(sql, root)?;
            for meta in &from.meta {
                put_meta(sql, &meta.name, &meta.value)?;
            }
            for (key, used) in &from.keys {
                keys::insert(sql, &KeyRecord { generation, ..key.clone() })?;
                for (version, used) in key.versions.iter().zip(used) {
                    let mut version = version.clone();
                    version.wrapped.root = root;
                    let closed = Used { messages: keys::CLOSED, ..*used };
                    let used = if version.version == key.latest { *used } else { closed };
                    keys::insert_version(sql, &key.name, &version, used)?;
                }
            }
            for token in &from.tokens {
                access::insert_token(sql, token)?;
            }
            for (name, rules) in &from.policies {
                access::put_policy(sql, name, rules)?;
            }
            Ok(())
        })
    }

    /// The number of the root key and two named values, of one moment; `None`: there is none yet.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn root_values(
        &self,
        a: &str,
        b: &str,
    ) -> Result<Option<(u32, Vec<u8>, Vec<u8>)>, StoreError> {
        self.pool.run(Mode::Read, |sql| {
            let root = root_number(sql)?;
            Ok(meta(sql, a)?.zip(meta(sql, b)?).map(|(a, b)| (root, a, b)).filter(|_| root != 0))
        })
    }

    /// Makes the first root key known, by named values.
    ///
    /// # Errors
    /// [`StoreError::Exists`]: there is one.
    pub fn root_create(&self, meta: &[(&str, Vec<u8>)]) -> Result<u32, StoreError> {
        self.pool.run(Mode::Write, |sql| {
            next(sql, "keys")?;
            if root_number(sql)? != 0 {
                return Err(StoreError::Exists);
            }
            replace_root(sql, 1, meta)
        })
    }

    /// Wraps every version anew, by `f` (name, kind, version, wrapped), and sets named values, all or nothing.
    ///
    /// # Errors
    /// [`StoreError::RootChanged`]: the root key is no longer number `from`; what `f` gives.
    pub fn rewrap_all(
        &self,
        from: u32,
        meta: &[(&str, Vec<u8>)],
        f: &mut dyn FnMut(&str, &str, u32, &[u8]) -> Result<Vec<u8>, StoreError>,
    ) -> Result<u32, StoreError> {
        const ALL: &str = "SELECT versions.name, kind, version, wrapped FROM versions
            JOIN keys ON keys.name = versions.name ORDER BY versions.name, version";
        const SET: &str =
            "UPDATE versions SET wrapped = $3, root = $4 WHERE name = $1 AND version = $2";
        self.pool.run(Mode::Write, |sql| {
            let generation = next(sql, "keys")?;
            if root_number(sql)? != from {
                return Err(StoreError::RootChanged);
            }
            let root = from.checked_add(1).ok_or_else(Fields::wrong)?;
            for row in sql.query(ALL, &[])? {
                let mut row = Fields::of(row);
                let (name, kind) = (row.text()?, row.text()?);
                let (version, wrapped) = (row.number32()?, row.bytes()?);
                let wrapped = f(&name, &kind, version, &wrapped)?;
                let values = [Value::Text(name), small(version), Value::Blob(wrapped), small(root)];
                sql.execute(SET, &values)?;
            }
            sql.execute("UPDATE keys SET generation = $1", &[number(generation)])?;
            replace_root(sql, root, meta)
        })
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

fn dump(sql: &mut dyn Sql) -> Result<Dump, StoreError> {
    const USED: &str =
        "SELECT used_messages, used_bytes FROM versions WHERE name = $1 ORDER BY version";
    let mut all = Dump {
        root: root_number(sql)?,
        meta: Vec::new(),
        keys: Vec::new(),
        tokens: access::tokens(sql)?,
        policies: Vec::new(),
    };
    for row in sql.query("SELECT name, value FROM meta ORDER BY name", &[])? {
        let mut row = Fields::of(row);
        all.meta.push(Meta { name: row.text()?, value: row.bytes()? });
    }
    for row in sql.query("SELECT name, rules FROM policies ORDER BY name", &[])? {
        let mut row = Fields::of(row);
        all.policies.push((row.text()?, row.text()?));
    }
    for row in sql.query("SELECT name FROM keys ORDER BY name", &[])? {
        let name = Fields::of(row).text()?;
        let key = keys::key(sql, &name)?.ok_or_else(Fields::wrong)?;
        let used = sql.query(USED, &[text(&name)])?.into_iter().map(|row| {
            let mut row = Fields::of(row);
            Ok(Used { messages: row.number()?, bytes: row.number()? })
        });
        all.keys.push((key, used.collect::<Result<_, StoreError>>()?));
    }
    Ok(all)
}
