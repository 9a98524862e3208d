//! Tokens and policies: the calls with their statements.

use super::*;

const TOKEN: &str = "SELECT hash, accessor, display_name, policies, created, expires, ttl, renewable, mac FROM tokens";

const BY_HASH: &str =
    "SELECT hash, accessor, display_name, policies, created, expires, ttl, renewable, mac
    FROM tokens WHERE hash = $1";

impl Store {
    /// Inserts the record of a new token.
    ///
    /// # Errors
    /// [`StoreError::Exists`].
    pub fn token_create(&self, token: &TokenRecord) -> Result<(), StoreError> {
        self.access(|sql, rows| insert_token(sql, rows, token))
    }

    /// Returns the token with this hash.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn token(&self, hash: &[u8]) -> Result<Option<TokenRecord>, StoreError> {
        self.one_token(BY_HASH, blob(hash))
    }

    /// Returns the token with this accessor.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn token_by_accessor(&self, accessor: &str) -> Result<Option<TokenRecord>, StoreError> {
        const SQL: &str =
            "SELECT hash, accessor, display_name, policies, created, expires, ttl, renewable, mac
            FROM tokens WHERE accessor = $1";
        self.one_token(SQL, text(accessor))
    }

    /// Returns all tokens, the oldest first.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn token_list(&self) -> Result<Vec<TokenRecord>, StoreError> {
        let rows = self.rows()?;
        let mut all = self.run(Mode::One, |sql| tokens(sql, &rows))?;
        all.sort_by(|a, b| (a.created, &a.accessor).cmp(&(b.created, &b.accessor)));
        Ok(all)
    }

    /// Sets a token's end.
    ///
    /// # Errors
    /// [`StoreError::NotFound`].
    pub fn token_renew(&self, hash: &[u8], expires: u64) -> Result<(), StoreError> {
        const SQL: &str = "UPDATE tokens SET expires = $2, mac = $3 WHERE hash = $1";
        self.access(|sql, rows| {
            let row = sql.query(BY_HASH, &[blob(hash)])?.into_iter().next();
            let mut token = read_token(sql, rows, row.ok_or(StoreError::NotFound)?)?;
            token.expires = expires;
            let mac = rows.mac("tokens", &token_columns(&token)?);
            found(sql.execute(SQL, &[blob(hash), number(expires), mac])?)
        })
    }

    /// Deletes a token.
    ///
    /// # Errors
    /// [`StoreError::NotFound`].
    pub fn token_revoke(&self, accessor: &str) -> Result<(), StoreError> {
        const SQL: &str = "DELETE FROM tokens WHERE accessor = $1";
        self.without_code(|sql| found(sql.execute(SQL, &[text(accessor)])?))
    }

    /// Deletes the tokens that have expired by `now`, and returns their number. On PostgreSQL they must have expired by the
    /// database's clock, too: it is common to all replicas, so that one with a fast clock ends no token of the others.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn token_sweep(&self, now: u64) -> Result<u64, StoreError> {
        const SQL: &str = "DELETE FROM tokens WHERE expires <> 0 AND expires <= $1";
        self.run(Mode::Write, |sql| {
            let now = now.min(sql.time()?);
            sql.execute(SQL, &[number(now)])
        })
    }

    /// Deletes the token with this accessor, if it has expired as for [`Store::token_sweep`].
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn token_end(&self, accessor: &str, now: u64) -> Result<(), StoreError> {
        const SQL: &str =
            "DELETE FROM tokens WHERE accessor = $1 AND expires <> 0 AND expires <= $2";
        let done = self.without_code(|sql| {
            let now = now.min(sql.time()?);
            found(sql.execute(SQL, &[text(accessor), number(now)])?)
        });
        // Nothing was changed, so other replicas' caches stay valid.
        done.or_else(|e| if e == StoreError::NotFound { Ok(()) } else { Err(e) })
    }

    /// Returns the text of a policy, as it was written.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn policy(&self, name: &str) -> Result<Option<String>, StoreError> {
        const SQL: &str = "SELECT name, rules, mac FROM policies WHERE name = $1";
        let rows = self.rows()?;
        self.run(Mode::One, |sql| {
            let row = sql.query(SQL, &[text(name)])?.into_iter().next();
            row.map(|row| Ok(read_policy(sql, &rows, row)?.1)).transpose()
        })
    }

    /// Returns the names of policies, in order.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn policy_list(&self) -> Result<Vec<String>, StoreError> {
        self.names("SELECT name FROM policies")
    }

    /// Writes a policy, new or in place of the old.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn policy_write(&self, name: &str, rules: &str) -> Result<(), StoreError> {
        self.access(|sql, codes| put_policy(sql, codes, name, rules))
    }

    /// Deletes a policy.
    ///
    /// # Errors
    /// [`StoreError::NotFound`].
    pub fn policy_delete(&self, name: &str) -> Result<(), StoreError> {
        const SQL: &str = "DELETE FROM policies WHERE name = $1";
        self.without_code(|sql| found(sql.execute(SQL, &[text(name)])?))
    }

    fn one_token(
        &self,
        sql_text: &'static str,
        value: Value,
    ) -> Result<Option<TokenRecord>, StoreError> {
        let (rows, values) = (self.rows()?, [value]);
        self.run(Mode::One, |sql| {
            let row = sql.query(sql_text, &values)?.into_iter().next();
            row.map(|row| read_token(sql, &rows, row)).transpose()
        })
    }

    /// Makes a change that writes codes.
    fn access<T>(
        &self,
        mut f: impl FnMut(&mut dyn Sql, &RowKey) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.change(|sql, rows| {
            next(sql, "access")?;
            same_root(sql, rows)?;
            f(sql, rows)
        })
    }

    /// Makes a change that only deletes.
    fn without_code<T>(
        &self,
        mut f: impl FnMut(&mut dyn Sql) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.run(Mode::Write, |sql| {
            next(sql, "access")?;
            f(sql)
        })
    }
}

fn found(rows: u64) -> Result<(), StoreError> {
    if rows == 0 { Err(StoreError::NotFound) } else { Ok(()) }
}

pub(super) fn tokens(sql: &mut dyn Sql, rows: &RowKey) -> Result<Vec<TokenRecord>, StoreError> {
    let all = sql.query(TOKEN, &[])?;
    all.into_iter().map(|row| read_token(sql, rows, row)).collect()
}

fn read_token(sql: &mut dyn Sql, rows: &RowKey, row: Row) -> Result<TokenRecord, StoreError> {
    let mut row = Fields::of(row);
    let token = TokenRecord {
        hash: row.bytes()?,
        accessor: row.text()?,
        display_name: row.text()?,
        policies: serde_json::from_str(&row.text()?).map_err(|_| Fields::wrong())?,
        created: row.number()?,
        expires: row.number()?,
        ttl: row.number()?,
        renewable: row.truth()?,
    };
    rows.check(sql, "tokens", &token.accessor, &token_columns(&token)?, &row.bytes()?)?;
    Ok(token)
}

fn token_columns(token: &TokenRecord) -> Result<[Value; 8], StoreError> {
    let policies = serde_json::to_string(&token.policies).map_err(|_| Fields::wrong())?;
    Ok([
        blob(&token.hash),
        text(&token.accessor),
        text(&token.display_name),
        Value::Text(policies),
        number(token.created),
        number(token.expires),
        number(token.ttl),
        truth(token.renewable),
    ])
}

pub(super) fn insert_token(
    sql: &mut dyn Sql,
    rows: &RowKey,
    token: &TokenRecord,
) -> Result<(), StoreError> {
    const SQL: &str = "INSERT INTO tokens
        (hash, accessor, display_name, policies, created, expires, ttl, renewable, mac)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    let mut values = token_columns(token)?.to_vec();
    values.push(rows.mac("tokens", &values));
    sql.execute(SQL, &values).map(|_| ())
}

pub(super) fn policies(
    sql: &mut dyn Sql,
    rows: &RowKey,
) -> Result<Vec<(String, String)>, StoreError> {
    let all = sql.query("SELECT name, rules, mac FROM policies ORDER BY name", &[])?;
    all.into_iter().map(|row| read_policy(sql, rows, row)).collect()
}

fn read_policy(sql: &mut dyn Sql, rows: &RowKey, row: Row) -> Result<(String, String), StoreError> {
    let mut row = Fields::of(row);
    let (name, text_of) = (row.text()?, row.text()?);
    rows.check(sql, "policies", &name, &[text(&name), text(&text_of)], &row.bytes()?)?;
    Ok((name, text_of))
}

pub(super) fn put_policy(
    sql: &mut dyn Sql,
    codes: &RowKey,
    name: &str,
    rules: &str,
) -> Result<(), StoreError> {
    const SQL: &str = "INSERT INTO policies (name, rules, mac) VALUES ($1, $2, $3)
        ON CONFLICT (name) DO UPDATE SET rules = excluded.rules, mac = excluded.mac";
    let mac = codes.mac("policies", &[text(name), text(rules)]);
    sql.execute(SQL, &[text(name), text(rules), mac]).map(|_| ())
}
