//! SQLite: one process, or several on one machine.

use std::path::Path;
use std::time::Duration;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, ErrorCode};

use super::pool::{Mode, Row, Sql, Value, news};
use super::{Result, StoreError};

/// Waits for the writer of another process, about 10 s in all. The steps are short: a writer that writes all the time leaves
/// only short gaps.
fn patient(tries: i32) -> bool {
    std::thread::sleep(Duration::from_millis(1));
    tries < 9000
}

/// The time that a truncation of the log waits for readers.
const CUT: Duration = Duration::from_millis(20);

/// Syncs the write-ahead log at each commit, so that an acknowledged change is on the disk, and overwrites deleted rows.
const SETTINGS: &str =
    "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF;
    PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON; PRAGMA secure_delete = ON;";

/// Opens the database; `None`: in memory.
pub(super) fn open(path: Option<&Path>) -> Result<Box<dyn Sql>> {
    let connection = match path {
        None => Connection::open_in_memory()?,
        Some(path) => {
            private(path)?;
            let connection = Connection::open(path)?;
            connection.busy_handler(Some(patient))?;
            let mode: String =
                connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0))?;
            if mode != "wal" {
                let why =
                    format!("{}: a write-ahead log is not possible there ({mode})", path.display());
                return Err(StoreError::Unavailable(why));
            }
            connection
        }
    };
    connection.execute_batch(SETTINGS)?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(Box::new(Sqlite(connection)))
}

/// Creates the file, readable only by its owner; SQLite gives its other files the same rights. It does not open an existing
/// file: on close the system would drop all of this process's locks on it, those of other connections too, and another
/// process could remove the write-ahead log.
fn private(path: &Path) -> Result<()> {
    use std::os::unix::fs::OpenOptionsExt;
    match std::fs::OpenOptions::new().append(true).create_new(true).mode(0o600).open(path) {
        Err(e) if e.kind() != std::io::ErrorKind::AlreadyExists => {
            Err(StoreError::Unavailable(format!("{}: {e}", path.display())))
        }
        _ => Ok(()),
    }
}

struct Sqlite(Connection);

impl Sqlite {
    /// Prepares a statement with its values. SQLite numbers named places in the order of their first appearance.
    fn prepared(
        &self,
        sql: &str,
        values: &[Value],
    ) -> rusqlite::Result<rusqlite::CachedStatement<'_>> {
        let mut statement = self.0.prepare_cached(sql)?;
        statement.clear_bindings();
        for (i, value) in values.iter().enumerate() {
            if let Some(place) = statement.parameter_index(&format!("${}", i + 1))? {
                match value {
                    Value::Int(v) => statement.raw_bind_parameter(place, v)?,
                    Value::Text(v) => statement.raw_bind_parameter(place, v)?,
                    Value::Blob(v) => statement.raw_bind_parameter(place, v)?,
                }
            }
        }
        Ok(statement)
    }
}

impl Sql for Sqlite {
    fn query(&mut self, sql: &'static str, values: &[Value]) -> Result<Vec<Row>> {
        let mut statement = self.prepared(sql, values)?;
        let columns = statement.column_count();
        let mut rows = statement.raw_query();
        let mut all = Vec::new();
        while let Some(row) = rows.next()? {
            let value = |i| match row.get_ref(i)? {
                ValueRef::Integer(v) => Ok(Value::Int(v)),
                ValueRef::Text(v) => Ok(Value::Text(String::from_utf8_lossy(v).into_owned())),
                ValueRef::Blob(v) => Ok(Value::Blob(v.to_vec())),
                _ => Err(StoreError::Corrupt("a value of an unknown type".into())),
            };
            all.push((0..columns).map(value).collect::<Result<Row>>()?);
        }
        Ok(all)
    }

    fn execute(&mut self, sql: &'static str, values: &[Value]) -> Result<u64> {
        if !sql.starts_with("DELETE") {
            super::pool::storable(values)?;
        }
        Ok(self.prepared(sql, values)?.raw_execute()? as u64)
    }

    fn batch(&mut self, sql: &'static str) -> Result<()> {
        // A failed statement may have rolled back the transaction.
        if sql == "ROLLBACK" && self.0.is_autocommit() {
            return Ok(());
        }
        Ok(self.0.execute_batch(sql)?)
    }

    fn begin(&mut self, mode: Mode) -> Result<()> {
        self.batch(match mode {
            Mode::Read | Mode::One => "BEGIN DEFERRED",
            Mode::OneWrite | Mode::Write | Mode::Whole | Mode::Migrate => "BEGIN IMMEDIATE",
        })
    }

    fn number(&mut self) -> Result<u64> {
        const SQL: &str =
            "UPDATE counters SET value = value + 1 WHERE name = 'keys' RETURNING value";
        super::one(self.query(SQL, &[])?)
    }

    fn note(&mut self, what: u64, name: &str) -> Result<()> {
        const SQL: &str = "INSERT INTO changes (place, what, name, made) VALUES ($1, $2, $3, $4)";
        let place = self.number()?;
        let values = [place, what, crate::clock::unix()].map(super::number);
        let [place, what, made] = values;
        self.execute(SQL, &[place, what, super::text(name), made]).map(|_| ())
    }

    fn forget_all(&mut self) -> Result<()> {
        const SQL: &str = "UPDATE counters SET value = $1 WHERE name = 'pruned'";
        let place = self.number()?;
        self.execute(SQL, &[super::number(place + 1)]).map(|_| ())
    }

    fn news_sql(&self) -> &'static str {
        // The writers have an order, so all changes up to the counter are there.
        news!("(SELECT value + 1 FROM counters WHERE name = 'keys')")
    }

    fn time(&mut self) -> Result<u64> {
        // SQLite has no clock, so only the service's counts.
        Ok(u64::MAX)
    }

    fn scrub(&mut self) -> Result<()> {
        // The write-ahead log keeps deleted rows until it is truncated. The writers of all processes wait meanwhile, so
        // this does not wait for a reader.
        self.0.busy_timeout(CUT)?;
        let busy = self
            .0
            .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, i64>(0))
            .map_err(StoreError::from);
        self.0.busy_handler(Some(patient))?;
        match busy? {
            0 => Ok(()),
            _ => Err(StoreError::Unavailable("other processes use it".into())),
        }
    }

    fn broken(&self) -> bool {
        !self.0.is_autocommit()
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(e: rusqlite::Error) -> Self {
        match e.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => StoreError::Full,
            Some(ErrorCode::ConstraintViolation) => StoreError::Exists,
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
                super::damaged(e.to_string())
            }
            _ => StoreError::Unavailable(e.to_string()),
        }
    }
}
