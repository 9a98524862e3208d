//! Codes of rows. Each row of keys, versions, tokens, policies and records of logins has an HMAC-Streebog256 over the
//! table's name and all columns, under a key that is derived from the root key. No row is used before its code is checked. So without the
//! root key nobody changes a flag or a policy, or makes a token, by writing to the database. An old row put back
//! passes. A column that a later bulatd has added is part of a code if its value is not that of an older row.
//!
//! While the root key is rotated a row has a second code, under the next root key.

use bulat::{HmacStreebog256, Secret};

use super::*;

/// The key of the codes, under one root key.
pub(crate) struct RowKey {
    /// The number of the root key.
    pub(crate) root: u32,
    /// The key, derived from the root key; wiped on drop.
    pub(crate) key: Secret<[u8; 32]>,
}

impl RowKey {
    /// Returns the code of a row. Each value is preceded by its type and its length.
    pub(super) fn mac(&self, table: &str, values: &[Value]) -> Value {
        let mut text = Vec::with_capacity(256);
        let mut part = |kind: u8, bytes: &[u8]| {
            text.push(kind);
            text.extend_from_slice(&(bytes.len() as u64).to_be_bytes());
            text.extend_from_slice(bytes);
        };
        part(0, table.as_bytes());
        for value in values {
            match value {
                Value::Int(v) => part(1, &v.to_be_bytes()),
                Value::Text(v) => part(2, v.as_bytes()),
                Value::Blob(v) => part(3, v),
            }
        }
        Value::Blob(HmacStreebog256::mac(&*self.key, &text).as_ref().to_vec())
    }

    /// Returns whether a row has this code.
    pub(super) fn right(&self, table: &str, values: &[Value], mac: &[u8]) -> bool {
        matches!(self.mac(table, values), Value::Blob(right) if bulat::verify(&right, mac).is_ok())
    }
}

/// A row of a table with codes. Its last columns are `mac, next_root, next_mac`.
pub(super) trait Coded: Sized {
    const TABLE: &'static str;
    const SQL: Statements;
    /// Reads the columns before the codes, in the order of the statements.
    fn read(row: &mut Fields) -> Result<Self>;
    /// Returns the columns that the code covers.
    fn columns(&self) -> Vec<Value>;
    /// Returns the name of the row, by which its table is read in order.
    fn name(&self) -> &str;

    /// Returns the code of the row.
    fn code(&self, rows: &RowKey) -> Value {
        rows.mac(Self::TABLE, &self.columns())
    }
}

/// The statements of a table.
pub(super) struct Statements {
    /// The row with a name.
    pub(super) one: &'static str,
    /// The next rows after a name, and their names.
    pub(super) after: &'static str,
    pub(super) names: &'static str,
    /// Sets the code of a row under the next root key.
    pub(super) next: &'static str,
    /// Replaces the old codes of the rows between two names.
    pub(super) settle: &'static str,
}

/// Makes the statements of a table from its name, the column of names, and a macro that selects rows.
#[rustfmt::skip]
macro_rules! statements {
    ($table:literal, $name:literal, $select:ident) => {
        rows::Statements {
            one: $select!($name, " = $1"),
            after: $select!($name, " > $1 ORDER BY ", $name, " LIMIT $2"),
            names: concat!("SELECT ", $name, " FROM ", $table, " WHERE ", $name, " > $1 ORDER BY ", $name, " LIMIT $2"),
            next: concat!("UPDATE ", $table, " SET next_root = $2, next_mac = $3 WHERE ", $name, " = $1"),
            settle: concat!(
                "UPDATE ", $table, " SET mac = next_mac, next_root = 0, next_mac = $4
                WHERE ", $name, " > $1 AND ", $name, " <= $2 AND next_root = $3",
            ),
        }
    };
}
pub(super) use statements;

/// Reads a row and checks its codes. Errors: [`StoreError::RootChanged`]: the database has another root key;
/// [`StoreError::Corrupt`] with the row's name.
pub(super) fn checked<T: Coded>(sql: &mut dyn Sql, rows: &RowKey, row: Row) -> Result<T> {
    let mut row = Fields::of(row);
    let it = T::read(&mut row)?;
    let (mac, next_root, next_mac) = (row.bytes()?, row.number32()?, row.bytes()?);
    let right = |mac: &[u8]| rows.right(T::TABLE, &it.columns(), mac);
    if right(&mac) || next_root == rows.root && right(&next_mac) {
        return Ok(it);
    }
    if root_number(sql)? != rows.root {
        return Err(StoreError::RootChanged);
    }
    Err(forged(T::TABLE, it.name()))
}

/// Returns the row that a statement selects.
pub(super) fn find_by<T: Coded>(
    sql: &mut dyn Sql,
    rows: &RowKey,
    statement: &'static str,
    value: Value,
) -> Result<Option<T>> {
    let row = sql.query(statement, &[value])?.into_iter().next();
    row.map(|row| checked(sql, rows, row)).transpose()
}

/// Returns the row with a name.
pub(super) fn find<T: Coded>(sql: &mut dyn Sql, rows: &RowKey, name: &str) -> Result<Option<T>> {
    find_by(sql, rows, T::SQL.one, text(name))
}

/// Returns the next rows in the order of their names.
pub(super) fn after<T: Coded>(
    sql: &mut dyn Sql,
    rows: &RowKey,
    after: &str,
    limit: u64,
) -> Result<Vec<T>> {
    let all = sql.query(T::SQL.after, &[text(after), number(limit)])?;
    all.into_iter().map(|row| checked(sql, rows, row)).collect()
}

/// The rows that are read at once.
pub(super) const PAGE: u64 = 500;

/// Gives all rows away, in the order of their names.
pub(super) fn each<T: Coded>(
    sql: &mut dyn Sql,
    rows: &RowKey,
    f: &mut dyn FnMut(T) -> Result<()>,
) -> Result<()> {
    let mut from = String::new();
    loop {
        let all = after::<T>(sql, rows, &from, PAGE)?;
        let Some(last) = all.last() else { return Ok(()) };
        from = last.name().into();
        all.into_iter().try_for_each(&mut *f)?;
    }
}

/// Gives a row its code under the next root key.
pub(super) fn recode<T: Coded>(sql: &mut dyn Sql, new: &RowKey, row: &T) -> Result<()> {
    let values = [text(row.name()), small(new.root), row.code(new)];
    sql.execute(T::SQL.next, &values).map(|_| ())
}

/// The error for a row that was not written by this service.
pub(super) fn forged(table: &str, name: &str) -> StoreError {
    StoreError::Corrupt(format!("{table}: the row {name:?} was written without the root key"))
}
