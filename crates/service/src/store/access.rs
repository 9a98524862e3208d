//! Tokens and policies: the calls with their statements.

use super::rows::{Coded, statements};
use super::*;

macro_rules! token {
    ($($rest:literal),*) => {
        concat!(
            "SELECT hash, accessor, display_name, policies, created, expires, ttl, renewable, parent, period, most, uses,
            path, mac, next_root, next_mac FROM tokens WHERE ",
            $($rest),*
        )
    };
}
macro_rules! policy {
    ($($rest:literal),*) => {
        concat!("SELECT name, rules, mac, next_root, next_mac FROM policies WHERE ", $($rest),*)
    };
}

const BY_HASH: &str = token!("hash = $1");

impl Store {
    /// Inserts the record of a new token. Errors: [`StoreError::Exists`].
    pub fn token_create(&self, token: &TokenRecord) -> Result<()> {
        self.change(|sql, rows| {
            sql.note(Kind::Token as u64, &token.accessor)?;
            insert_token(sql, rows, token)
        })
    }

    /// Returns the token with this hash.
    pub fn token(&self, hash: &[u8]) -> Result<Option<TokenRecord>> {
        let rows = self.rows()?;
        self.run(Mode::One, |sql| rows::find_by(sql, &rows, BY_HASH, blob(hash)))
    }

    pub fn token_by_accessor(&self, accessor: &str) -> Result<Option<TokenRecord>> {
        self.find(accessor)
    }

    /// Returns all tokens, the oldest first.
    pub fn token_list(&self) -> Result<Vec<TokenRecord>> {
        let rows = self.rows()?;
        let mut all: Vec<TokenRecord> =
            self.run(Mode::One, |sql| rows::after(sql, &rows, "", u64::MAX))?;
        all.sort_by(|a, b| (a.created, &a.accessor).cmp(&(b.created, &b.accessor)));
        Ok(all)
    }

    /// Sets a token's end. Errors: [`StoreError::NotFound`].
    pub fn token_renew(&self, hash: &[u8], expires: u64) -> Result<()> {
        self.change(|sql, rows| {
            let mut token = by_hash(sql, rows, hash)?;
            let end = std::mem::replace(&mut token.expires, expires);
            sql.note(Kind::Token as u64, &token.accessor)?;
            update_token(sql, rows, &token, [token.uses, end])
        })
    }

    /// Counts a request of a token that may make only some. After its last one the token is gone. Errors:
    /// [`StoreError::NotFound`]: it may make none.
    pub fn token_use(&self, hash: &[u8]) -> Result<()> {
        self.change(|sql, rows| {
            let mut token = by_hash(sql, rows, hash)?;
            match token.uses {
                0 => Ok(()),
                1 => {
                    let gone = "DELETE FROM tokens WHERE hash = $1 AND uses = 1";
                    found(sql.execute(gone, &[blob(hash)])?)?;
                    sql.note(Kind::Token as u64, &token.accessor)
                }
                before => {
                    token.uses -= 1;
                    sql.note(Kind::Token as u64, &token.accessor)?;
                    update_token(sql, rows, &token, [before, token.expires])
                }
            }
        })
    }

    /// Deletes a token, and all that were made by it. Errors: [`StoreError::NotFound`].
    pub fn token_revoke(&self, accessor: &str) -> Result<()> {
        const SQL: &str = "DELETE FROM tokens WHERE accessor = $1";
        self.run(Mode::Write, |sql| {
            found(sql.execute(SQL, &[text(accessor)])?)?;
            end(sql, accessor)
        })
    }

    /// Deletes the tokens that have expired by `now`, and those that were made by them, and returns their number. On
    /// PostgreSQL they must have expired by the database's clock, too: it is common to all replicas, so that one with a fast
    /// clock ends no token of the others.
    pub fn token_sweep(&self, now: u64) -> Result<u64> {
        const SQL: &str = "DELETE FROM tokens WHERE expires <> 0 AND expires <= $1";
        const CHILDREN: &str = "DELETE FROM tokens WHERE parent <> ''
            AND NOT EXISTS (SELECT 1 FROM tokens AS other WHERE other.accessor = tokens.parent)";
        self.run(Mode::Write, |sql| {
            let now = now.min(sql.time()?);
            let mut all = sql.execute(SQL, &[number(now)])?;
            loop {
                match sql.execute(CHILDREN, &[])? {
                    0 => return Ok(all),
                    more => all += more,
                }
            }
        })
    }

    /// Deletes the token with this accessor, if it has expired as for [`Store::token_sweep`].
    pub fn token_end(&self, accessor: &str, now: u64) -> Result<()> {
        const SQL: &str =
            "DELETE FROM tokens WHERE accessor = $1 AND expires <> 0 AND expires <= $2";
        self.run(Mode::Write, |sql| {
            let now = now.min(sql.time()?);
            match sql.execute(SQL, &[text(accessor), number(now)])? {
                // Nothing was changed, so other replicas' caches stay valid.
                0 => Ok(()),
                _ => end(sql, accessor),
            }
        })
    }

    /// Returns the text of a policy, as it was written.
    pub fn policy(&self, name: &str) -> Result<Option<String>> {
        Ok(self.find::<Policy>(name)?.map(|policy| policy.rules))
    }

    pub fn policy_list(&self) -> Result<Vec<String>> {
        self.names("SELECT name FROM policies ORDER BY name", &[])
    }

    /// Writes a policy, new or in place of the old.
    pub fn policy_write(&self, name: &str, rules: &str) -> Result<()> {
        self.change(|sql, codes| {
            sql.note(Kind::Policy as u64, name)?;
            put_policy(sql, codes, name, rules)
        })
    }

    /// Deletes a policy. Errors: [`StoreError::NotFound`].
    pub fn policy_delete(&self, name: &str) -> Result<()> {
        const SQL: &str = "DELETE FROM policies WHERE name = $1";
        self.run(Mode::Write, |sql| {
            sql.note(Kind::Policy as u64, name)?;
            found(sql.execute(SQL, &[text(name)])?)
        })
    }

    pub(super) fn find<T: Coded>(&self, name: &str) -> Result<Option<T>> {
        let rows = self.rows()?;
        self.run(Mode::One, |sql| rows::find(sql, &rows, name))
    }
}

fn by_hash(sql: &mut dyn Sql, rows: &RowKey, hash: &[u8]) -> Result<TokenRecord> {
    rows::find_by(sql, rows, BY_HASH, blob(hash))?.ok_or(StoreError::NotFound)
}

/// Ends what a token that is gone has made, and writes all of it into the log.
fn end(sql: &mut dyn Sql, accessor: &str) -> Result<()> {
    let mut all = vec![accessor.to_string()];
    while let Some(accessor) = all.pop() {
        sql.note(Kind::Token as u64, &accessor)?;
        for row in sql.query("SELECT accessor FROM tokens WHERE parent = $1", &[text(&accessor)])? {
            all.push(Fields::of(row).text()?);
        }
        sql.execute("DELETE FROM tokens WHERE parent = $1", &[text(&accessor)])?;
    }
    Ok(())
}

fn found(rows: u64) -> Result<()> {
    if rows == 0 { Err(StoreError::NotFound) } else { Ok(()) }
}

impl Coded for TokenRecord {
    const TABLE: &'static str = "tokens";
    const SQL: rows::Statements = statements!("tokens", "accessor", token);

    fn read(row: &mut Fields) -> Result<TokenRecord> {
        Ok(TokenRecord {
            hash: row.bytes()?,
            accessor: row.text()?,
            display_name: row.text()?,
            policies: serde_json::from_str(&row.text()?).map_err(|_| Fields::wrong())?,
            created: row.number()?,
            expires: row.number()?,
            ttl: row.number()?,
            renewable: row.truth()?,
            parent: row.text()?,
            period: row.number()?,
            most: row.number()?,
            uses: row.number()?,
            path: row.text()?,
        })
    }
    fn columns(&self) -> Vec<Value> {
        let mut values = token_values(self);
        let new = self.period != 0 || self.most != 0 || self.uses != 0;
        if !new && self.parent.is_empty() && self.path.is_empty() {
            values.truncate(8);
        }
        values
    }
    fn name(&self) -> &str {
        &self.accessor
    }
}

fn token_values(token: &TokenRecord) -> Vec<Value> {
    vec![
        blob(&token.hash),
        text(&token.accessor),
        text(&token.display_name),
        Value::Text(serde_json::json!(token.policies).to_string()),
        number(token.created),
        number(token.expires),
        number(token.ttl),
        truth(token.renewable),
        text(&token.parent),
        number(token.period),
        number(token.most),
        number(token.uses),
        text(&token.path),
    ]
}

pub(super) fn insert_token(sql: &mut dyn Sql, rows: &RowKey, token: &TokenRecord) -> Result<()> {
    const SQL: &str = "INSERT INTO tokens (hash, accessor, display_name, policies, created, expires, ttl, renewable,
        parent, period, most, uses, path, mac) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)";
    let mut values = token_values(token);
    values.push(token.code(rows));
    sql.execute(SQL, &values).map(|_| ())
}

/// Writes a token's end and uses, if it still has the uses and the end of before; else another request was first, and this
/// one is tried again.
fn update_token(
    sql: &mut dyn Sql,
    rows: &RowKey,
    token: &TokenRecord,
    before: [u64; 2],
) -> Result<()> {
    const SQL: &str = "UPDATE tokens SET expires = $2, uses = $3, mac = $4, next_root = 0
        WHERE hash = $1 AND uses = $5 AND expires = $6";
    let mac = token.code(rows);
    let [expires, uses] = [token.expires, token.uses].map(number);
    let [uses_before, end_before] = before.map(number);
    let values = [blob(&token.hash), expires, uses, mac, uses_before, end_before];
    found(sql.execute(SQL, &values)?).map_err(|_| StoreError::Again)
}

/// A policy, as it was written.
pub(super) struct Policy {
    pub(super) name: String,
    pub(super) rules: String,
}

impl Coded for Policy {
    const TABLE: &'static str = "policies";
    const SQL: rows::Statements = statements!("policies", "name", policy);

    fn read(row: &mut Fields) -> Result<Policy> {
        Ok(Policy { name: row.text()?, rules: row.text()? })
    }
    fn columns(&self) -> Vec<Value> {
        vec![text(&self.name), text(&self.rules)]
    }
    fn name(&self) -> &str {
        &self.name
    }
}

pub(super) fn put_policy(sql: &mut dyn Sql, codes: &RowKey, name: &str, rules: &str) -> Result<()> {
    const SQL: &str = "INSERT INTO policies (name, rules, mac) VALUES ($1, $2, $3)
        ON CONFLICT (name) DO UPDATE SET rules = excluded.rules, mac = excluded.mac, next_root = 0";
    let mut values = Policy { name: name.into(), rules: rules.into() }.columns();
    values.push(codes.mac(Policy::TABLE, &values));
    sql.execute(SQL, &values).map(|_| ())
}
