//! Codes of rows. Keys, versions, tokens and policies are written with HMAC-Streebog256 over the table and all columns, under
//! a key from the root key, and nothing is read without it: who can write to the database and has no root key changes no
//! flag, no policy, and makes no token. A row put back as it was before passes.

use bulat::{HmacStreebog256, Secret};

use super::*;

/// The key of the codes, of one root key.
pub(crate) struct RowKey {
    /// The number of the root key.
    pub(crate) root: u32,
    /// From the root key; wiped on drop.
    pub(crate) key: Secret<[u8; 32]>,
}

impl RowKey {
    /// The code of a row: each value has its type and its length before it.
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

    /// Checks the code of a row.
    ///
    /// # Errors
    /// [`StoreError::RootChanged`]: the database has another root key; [`StoreError::Corrupt`] with the row's name.
    pub(super) fn check(
        &self,
        sql: &mut dyn Sql,
        table: &str,
        name: &str,
        values: &[Value],
        mac: &[u8],
    ) -> Result<(), StoreError> {
        if let Value::Blob(right) = self.mac(table, values)
            && bulat::verify(&right, mac).is_ok()
        {
            return Ok(());
        }
        if root_number(sql)? != self.root {
            return Err(StoreError::RootChanged);
        }
        Err(forged(table, name))
    }
}

/// A row that this service has not written.
pub(super) fn forged(table: &str, name: &str) -> StoreError {
    StoreError::Corrupt(format!("{table}: the row {name:?} was written without the root key"))
}
