//! Codes of rows. Each row of keys, versions, tokens and policies has an HMAC-Streebog256 over the table's name and all
//! columns, under a key that is derived from the root key. No row is used before its code is checked. So without the
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

/// The codes of a row, as its last columns have them: `mac, next_root, next_mac`.
pub(super) struct Codes {
    mac: Vec<u8>,
    next_root: u32,
    next_mac: Vec<u8>,
}

impl Codes {
    pub(super) fn read(row: &mut Fields) -> Result<Codes, StoreError> {
        Ok(Codes { mac: row.bytes()?, next_root: row.number32()?, next_mac: row.bytes()? })
    }
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

    /// Checks the codes of a row. Errors: [`StoreError::RootChanged`]: the database has another root key;
    /// [`StoreError::Corrupt`] with the row's name.
    pub(super) fn check(
        &self,
        sql: &mut dyn Sql,
        table: &str,
        name: &str,
        values: &[Value],
        codes: &Codes,
    ) -> Result<(), StoreError> {
        let next = codes.next_root == self.root;
        if self.right(table, values, &codes.mac)
            || next && self.right(table, values, &codes.next_mac)
        {
            return Ok(());
        }
        if root_number(sql)? != self.root {
            return Err(StoreError::RootChanged);
        }
        Err(forged(table, name))
    }
}

/// The error for a row that was not written by this service.
pub(super) fn forged(table: &str, name: &str) -> StoreError {
    StoreError::Corrupt(format!("{table}: the row {name:?} was written without the root key"))
}
