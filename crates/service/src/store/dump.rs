//! The whole database: for backups and restores.

use bulat::Secret;

use super::*;

/// The whole database, in one state. Secrets are wrapped, tokens are hashed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dump {
    /// The number of the root key; 0: none yet.
    pub root: u32,
    pub meta: Vec<Meta>,
    /// Keys, with the use of each of their versions.
    pub keys: Vec<(KeyRecord, Vec<Used>)>,
    pub tokens: Vec<TokenRecord>,
    pub policies: Vec<(String, String)>,
    #[serde(default)]
    pub records: Vec<Record>,
}

/// A part of the database.
pub enum Part {
    /// The number of the root key: the first part.
    Root(u32),
    Meta(Meta),
    /// A key, with the use of each of its versions.
    Key(Box<KeyRecord>, Vec<Used>),
    Token(TokenRecord),
    /// The name of a policy, and its rules.
    Policy(String, String),
    Record(Record),
}

/// A named value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Meta {
    pub name: String,
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
    pub fn meta(&self, name: &str) -> Option<&[u8]> {
        self.meta.iter().find(|meta| meta.name == name).map(|meta| meta.value.as_slice())
    }
}

impl Store {
    /// Reads everything, in one state, and gives it away in parts, in the order of [`Part`]'s kinds. Other calls work
    /// meanwhile. If it begins anew, the first part comes again. Errors: [`StoreError`]; errors of `f`.
    pub fn dump_parts(&self, f: &mut dyn FnMut(Part) -> Result<()>) -> Result<()> {
        let rows = self.rows()?;
        self.run_long(Mode::Read, |sql| dump(sql, &rows, f))
    }

    pub fn dump(&self) -> Result<Dump> {
        let mut all = Dump::default();
        self.dump_parts(&mut |part| {
            match part {
                Part::Root(root) => all = Dump { root, ..Dump::default() },
                Part::Meta(meta) => all.meta.push(meta),
                Part::Key(key, used) => all.keys.push((*key, used)),
                Part::Token(token) => all.tokens.push(token),
                Part::Policy(name, rules) => all.policies.push((name, rules)),
                Part::Record(record) => all.records.push(record),
            }
            Ok(())
        })?;
        Ok(all)
    }

    /// Replaces the content of the database by a dump: an empty database, or any with `force`. Of each key only the
    /// latest version encrypts again. Rows get codes under `codes`. Errors: [`StoreError::Exists`]: the database is not
    /// empty.
    pub(crate) fn restore(&self, from: &Dump, codes: &Secret<[u8; 32]>, force: bool) -> Result<()> {
        const CLEAR: &str = "DELETE FROM keys; DELETE FROM tokens; DELETE FROM policies; DELETE FROM records; DELETE FROM meta";
        const THERE: &str = "SELECT (SELECT COUNT(*) FROM keys) + (SELECT COUNT(*) FROM tokens)
            + (SELECT COUNT(*) FROM policies) + (SELECT COUNT(*) FROM records)";
        self.run_long(Mode::Whole, |sql| {
            let generation = sql.number()?;
            sql.forget_all()?;
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
            for record in &from.records {
                records::insert_record(sql, &rows, record)?;
            }
            Ok(())
        })?;
        self.pool.scrub(true);
        Ok(())
    }

    /// Returns the number of the root key and two named values, read in one transaction; `None`: there is no root key yet.
    pub fn root_values(&self, a: &str, b: &str) -> Result<Option<(u32, Vec<u8>, Vec<u8>)>> {
        self.run(Mode::Read, |sql| {
            let root = root_number(sql)?;
            Ok(meta(sql, a)?.zip(meta(sql, b)?).map(|(a, b)| (root, a, b)).filter(|_| root != 0))
        })
    }

    /// Sets the first root key, by named values. Errors: [`StoreError::Exists`]: there is one.
    pub fn root_create(&self, meta: &[(&str, Vec<u8>)]) -> Result<u32> {
        self.run(Mode::Whole, |sql| {
            if root_number(sql)? != 0 {
                return Err(StoreError::Exists);
            }
            replace_root(sql, 1, meta)
        })
    }
}

pub(super) fn replace_root(sql: &mut dyn Sql, root: u32, meta: &[(&str, Vec<u8>)]) -> Result<u32> {
    for (name, value) in meta {
        put_meta(sql, name, value)?;
    }
    set_root(sql, root)?;
    Ok(root)
}

fn set_root(sql: &mut dyn Sql, root: u32) -> Result<()> {
    sql.execute("UPDATE counters SET value = $1 WHERE name = 'root'", &[small(root)]).map(|_| ())
}

fn dump(sql: &mut dyn Sql, rows: &RowKey, f: &mut dyn FnMut(Part) -> Result<()>) -> Result<()> {
    const VERSIONS: &str =
        "SELECT name, used_messages, used_bytes, version, root, wrapped, created, mac, next_root,
        next_wrapped, next_mac FROM versions WHERE name > $1 AND name <= $2 ORDER BY name, version";
    same_root(sql, rows)?;
    f(Part::Root(rows.root))?;
    for row in sql.query("SELECT name, value FROM meta ORDER BY name", &[])? {
        let mut row = Fields::of(row);
        let meta = Meta { name: row.text()?, value: row.bytes()? };
        // Notes of a rotation under way are of no use elsewhere.
        if !rotation::NOTES.contains(&meta.name.as_str()) {
            f(Part::Meta(meta))?;
        }
    }
    let mut after = String::new();
    loop {
        let heads: Vec<keys::Head> = rows::after(sql, rows, &after, rows::PAGE)?;
        let Some(last) = heads.last().map(|head| head.key.name.clone()) else { break };
        let mut versions =
            sql.query(VERSIONS, &[text(&after), text(&last)])?.into_iter().peekable();
        for head in heads {
            let (mut key, mut used) = (head.key, Vec::new());
            let of_key =
                |row: &Row| matches!(row.first(), Some(Value::Text(name)) if *name == key.name);
            let mut all = Vec::new();
            while let Some(row) = versions.next_if(of_key) {
                let mut row = Fields::of(row);
                row.text()?;
                used.push(Used { messages: row.number()?, bytes: row.number()? });
                all.push(keys::read_version(rows, &mut row)?);
            }
            // No backup has a key that is being deleted. The row's code covers that mark, too.
            if head.deleting {
                continue;
            }
            for version in &all {
                keys::check_version(sql, rows, &key, version)?;
            }
            if all.last().map(|version| version.version) != Some(key.latest) {
                let why = format!("key {} lacks its latest version", key.name);
                return Err(StoreError::Corrupt(why));
            }
            key.versions = all;
            f(Part::Key(Box::new(key), used))?;
        }
        after = last;
    }
    rows::each(sql, rows, &mut |token| f(Part::Token(token)))?;
    rows::each(sql, rows, &mut |policy: access::Policy| {
        f(Part::Policy(policy.name, policy.rules))
    })?;
    rows::each(sql, rows, &mut |record| f(Part::Record(record)))
}
