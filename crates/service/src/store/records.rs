//! Records of logins: texts under names, each with an end.

use super::rows::{Coded, statements};
use super::*;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The name: a kind and a name of that kind, divided by a slash.
    pub name: String,
    pub value: String,
    /// Seconds since 1970; 0: never.
    pub expires: u64,
}

macro_rules! record {
    ($($rest:literal),*) => {
        concat!("SELECT name, value, expires, mac, next_root, next_mac FROM records WHERE ", $($rest),*)
    };
}

impl Coded for Record {
    const TABLE: &'static str = "records";
    const SQL: rows::Statements = statements!("records", "name", record);

    fn read(row: &mut Fields) -> Result<Record> {
        Ok(Record { name: row.text()?, value: row.text()?, expires: row.number()? })
    }
    fn columns(&self) -> Vec<Value> {
        vec![text(&self.name), text(&self.value), number(self.expires)]
    }
    fn name(&self) -> &str {
        &self.name
    }
}

impl Store {
    pub fn record(&self, name: &str) -> Result<Option<Record>> {
        self.find(name)
    }

    /// Writes a record in place of exactly this one. Returns false if there is another or none.
    pub fn record_swap(&self, old: &Record, value: &str) -> Result<bool> {
        const SET: &str = "UPDATE records SET value = $4, mac = $5, next_root = 0
            WHERE name = $1 AND value = $2 AND expires = $3";
        self.change(|sql, rows| {
            let mut values = old.columns();
            sql.note(Kind::Record as u64, &old.name)?;
            let new = Record { value: value.into(), ..old.clone() };
            values.extend([text(value), new.code(rows)]);
            Ok(sql.execute(SET, &values)? > 0)
        })
    }

    /// Returns the names that begin with a text which ends with a slash, without that text, after one, in order.
    pub fn record_names(&self, start: &str, after: &str, limit: u64) -> Result<Vec<String>> {
        const SQL: &str =
            "SELECT name FROM records WHERE name > $1 AND name < $2 ORDER BY name LIMIT $3";
        // The character after the slash.
        let end = format!("{}0", start.strip_suffix('/').unwrap_or(start));
        let values = [text(&format!("{start}{after}")), text(&end), number(limit)];
        let names = self.names(SQL, &values)?;
        Ok(names.into_iter().map(|name| name[start.len()..].to_string()).collect())
    }

    /// Deletes records, then writes new ones, all or none. A name that ends with a slash means all that begin with it;
    /// it is no error if there are none. `seen` is a record that is deleted, too, exactly as it was read. Errors:
    /// [`StoreError::Conflict`]: another call has changed what was seen, or has written a record with the name of a new
    /// one.
    pub fn records_change(
        &self,
        gone: &[String],
        new: &[Record],
        seen: Option<&Record>,
    ) -> Result<()> {
        const SEEN: &str = "DELETE FROM records WHERE name = $1 AND value = $2 AND expires = $3";
        const ONE: &str = "DELETE FROM records WHERE name = $1";
        const ALL: &str = "DELETE FROM records WHERE name > $1 AND name < $2";
        self.change(|sql, rows| {
            for name in gone {
                match name.strip_suffix('/') {
                    // The character after the slash.
                    Some(start) => sql.execute(ALL, &[text(name), text(&format!("{start}0"))])?,
                    None => sql.execute(ONE, &[text(name)])?,
                };
            }
            // At last, so that calls lock a role's records in one order.
            if let Some(seen) = seen
                && sql.execute(SEEN, &seen.columns())? == 0
            {
                return Err(StoreError::Conflict);
            }
            for record in new {
                sql.note(Kind::Record as u64, &record.name)?;
                insert_record(sql, rows, record).map_err(|e| match e {
                    StoreError::Exists => StoreError::Conflict,
                    other => other,
                })?;
            }
            Ok(())
        })
    }

    /// Deletes the records that have expired, as for [`Store::token_sweep`].
    pub fn record_sweep(&self, now: u64) -> Result<u64> {
        const SQL: &str = "DELETE FROM records WHERE expires <> 0 AND expires <= $1";
        self.run(Mode::Write, |sql| {
            let now = now.min(sql.time()?);
            sql.execute(SQL, &[number(now)])
        })
    }
}

pub(super) fn insert_record(sql: &mut dyn Sql, rows: &RowKey, record: &Record) -> Result<()> {
    const SQL: &str = "INSERT INTO records (name, value, expires, mac) VALUES ($1, $2, $3, $4)";
    let mut values = record.columns();
    values.push(record.code(rows));
    sql.execute(SQL, &values).map(|_| ())
}
