//! Tokens and policies: the calls, and their statements.

use super::*;

const TOKEN: &str =
    "SELECT hash, accessor, display_name, policies, created, expires, ttl, renewable FROM tokens";

impl Store {
    /// Keeps a new token's record.
    ///
    /// # Errors
    /// [`StoreError::Exists`].
    pub fn token_create(&self, token: &TokenRecord) -> Result<(), StoreError> {
        self.access(|sql| insert_token(sql, token))
    }

    /// The token with this hash.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn token(&self, hash: &[u8]) -> Result<Option<TokenRecord>, StoreError> {
        const SQL: &str =
            "SELECT hash, accessor, display_name, policies, created, expires, ttl, renewable
            FROM tokens WHERE hash = $1";
        self.one_token(SQL, blob(hash))
    }

    /// The token with this accessor.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn token_by_accessor(&self, accessor: &str) -> Result<Option<TokenRecord>, StoreError> {
        const SQL: &str =
            "SELECT hash, accessor, display_name, policies, created, expires, ttl, renewable
            FROM tokens WHERE accessor = $1";
        self.one_token(SQL, text(accessor))
    }

    /// All tokens, by age.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn token_list(&self) -> Result<Vec<TokenRecord>, StoreError> {
        let mut all = self.pool.run(Mode::One, tokens)?;
        all.sort_by(|a, b| (a.created, &a.accessor).cmp(&(b.created, &b.accessor)));
        Ok(all)
    }

    /// Sets a token's end.
    ///
    /// # Errors
    /// [`StoreError::NotFound`].
    pub fn token_renew(&self, hash: &[u8], expires: u64) -> Result<(), StoreError> {
        const SQL: &str = "UPDATE tokens SET expires = $2 WHERE hash = $1";
        self.access(|sql| found(sql.execute(SQL, &[blob(hash), number(expires)])?))
    }

    /// Deletes a token.
    ///
    /// # Errors
    /// [`StoreError::NotFound`].
    pub fn token_revoke(&self, accessor: &str) -> Result<(), StoreError> {
        const SQL: &str = "DELETE FROM tokens WHERE accessor = $1";
        self.access(|sql| found(sql.execute(SQL, &[text(accessor)])?))
    }

    /// Deletes the tokens whose end is `now` or before: a clock that is set back brings none back. How many.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn token_sweep(&self, now: u64) -> Result<u64, StoreError> {
        const SQL: &str = "DELETE FROM tokens WHERE expires <> 0 AND expires <= $1";
        self.pool.run(Mode::OneWrite, |sql| sql.execute(SQL, &[number(now)]))
    }

    /// The text of a policy, as it was written.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn policy(&self, name: &str) -> Result<Option<String>, StoreError> {
        const SQL: &str = "SELECT rules FROM policies WHERE name = $1";
        let rows = self.pool.run(Mode::One, |sql| sql.query(SQL, &[text(name)]))?;
        rows.into_iter().next().map(|row| Fields::of(row).text()).transpose()
    }

    /// Names, in order.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn policy_list(&self) -> Result<Vec<String>, StoreError> {
        keys::names(&self.pool, "SELECT name FROM policies")
    }

    /// Writes a policy, new or in place of the one there is.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn policy_write(&self, name: &str, rules: &str) -> Result<(), StoreError> {
        self.access(|sql| put_policy(sql, name, rules))
    }

    /// Deletes a policy.
    ///
    /// # Errors
    /// [`StoreError::NotFound`].
    pub fn policy_delete(&self, name: &str) -> Result<(), StoreError> {
        const SQL: &str = "DELETE FROM policies WHERE name = $1";
        self.access(|sql| found(sql.execute(SQL, &[text(name)])?))
    }

    fn one_token(
        &self,
        sql_text: &'static str,
        value: Value,
    ) -> Result<Option<TokenRecord>, StoreError> {
        let values = [value];
        let rows = self.pool.run(Mode::One, |sql| sql.query(sql_text, &values))?;
        rows.into_iter().next().map(read_token).transpose()
    }

    fn access<T>(
        &self,
        mut f: impl FnMut(&mut dyn Sql) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.pool.run(Mode::Write, |sql| {
            next(sql, "access")?;
            f(sql)
        })
    }
}

fn found(rows: u64) -> Result<(), StoreError> {
    if rows == 0 { Err(StoreError::NotFound) } else { Ok(()) }
}

pub(super) fn tokens(sql: &mut dyn Sql) -> Result<Vec<TokenRecord>, StoreError> {
    sql.query(TOKEN, &[])?.into_iter().map(read_token).collect()
}

fn read_token(row: Row) -> Result<TokenRecord, StoreError> {
    let mut row = Fields::of(row);
    Ok(TokenRecord {
        hash: row.bytes()?,
        accessor: row.text()?,
        display_name: row.text()?,
        policies: serde_json::from_str(&row.text()?).map_err(|_| Fields::wrong())?,
        created: row.number()?,
        expires: row.number()?,
        ttl: row.number()?,
        renewable: row.truth()?,
    })
}

pub(super) fn insert_token(sql: &mut dyn Sql, token: &TokenRecord) -> Result<(), StoreError> {
    const SQL: &str = "INSERT INTO tokens
        (hash, accessor, display_name, policies, created, expires, ttl, renewable)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    let policies = serde_json::to_string(&token.policies).map_err(|_| Fields::wrong())?;
    let values = [
        blob(&token.hash),
        text(&token.accessor),
        text(&token.display_name),
        Value::Text(policies),
        number(token.created),
        number(token.expires),
        number(token.ttl),
        truth(token.renewable),
    ];
    sql.execute(SQL, &values).map(|_| ())
}

pub(super) fn put_policy(sql: &mut dyn Sql, name: &str, rules: &str) -> Result<(), StoreError> {
    const SQL: &str = "INSERT INTO policies (name, rules) VALUES ($1, $2)
        ON CONFLICT (name) DO UPDATE SET rules = excluded.rules";
    sql.execute(SQL, &[text(name), text(rules)]).map(|_| ())
}
