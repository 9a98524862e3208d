//! The database: keys (wrapped), their counters, tokens (hashed), policies.
//!
//! | file | what it has |
//! |---|---|
//! | `mod.rs` | [`Store`], the records, the errors |
//! | `keys.rs`, `access.rs` | the calls; every SQL statement stands there, once for both databases |
//! | `rows.rs` | the codes of rows |
//! | `dump.rs` | all of it at once: a backup's, a root key's rotation |
//! | `pool.rs` | connections, transactions, reconnection |
//! | `sqlite.rs`, `postgres.rs` | the trait `Sql` on each database |
//! | `migrations.rs` | the tables |
//!
//! A call that returned `Ok` is durable. A call that changes keys first takes the next number of a counter in the
//! database, so that such changes stand in one order over all replicas, and the number is the key's `generation`.
//!
//! The calls block: an asynchronous caller makes them on a thread for that (`spawn_blocking`).

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use serde::{Deserialize, Serialize};

mod access;
mod dump;
mod keys;
mod migrations;
mod pool;
mod postgres;
mod rows;
mod sqlite;

pub use dump::Dump;
pub use keys::GiveBack;
pub(crate) use rows::RowKey;

use pool::{Mode, Pool, Row, Sql, Value};

/// Which database, and how many connections to it. The url may have a password, so there is no `Debug`.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DatabaseConfig {
    /// `sqlite:/var/lib/bulatd/bulatd.db`, `sqlite::memory:`, or what the `tokio-postgres` crate reads:
    /// `postgres://user@host/name`, `host=/run/postgresql dbname=bulatd`; with `sslmode=verify-full` and `sslrootcert=FILE`
    /// over TLS.
    pub url: String,
    /// The most connections held at once (in memory: always one).
    #[serde(default = "four")]
    pub connections: usize,
    /// PostgreSQL on another host than this one may be spoken to without TLS.
    #[serde(default)]
    pub plain_network: bool,
    /// Seconds that a call waits for the database.
    #[serde(default = "ten")]
    pub seconds: u64,
}

fn four() -> usize {
    4
}
fn ten() -> u64 {
    10
}

/// Why a call failed. No text has a secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoreError {
    /// There is no such key, version, token or policy (404).
    NotFound,
    /// There is one of that name already (400).
    Exists,
    /// Another replica was first: read the key again, and try again (409, or retry).
    Conflict,
    /// The key is being deleted, since the change of this number: [`Store::delete_end`] after [`Store::lease`].
    Deleting(u64),
    /// The version's limit of messages or bytes would be passed, or it no longer encrypts: rotate.
    Limit,
    /// The root key was rotated: the wrap was made under another one than is asked for (retry after
    /// [`crate::root::Root::follow`], else 503).
    RootChanged,
    /// The key that was given is not the root key of this database.
    WrongRoot,
    /// The root key is not there (503).
    Sealed,
    /// A value that is not allowed, and why (400).
    Invalid(String),
    /// The database cannot be reached or does not answer (503). What was asked may or may not have happened.
    Unavailable(String),
    /// No room on the disk (507).
    Full,
    /// What is in the database makes no sense (500).
    Corrupt(String),
    /// The database gave a transaction up for another's sake; the store tries again by itself, and no caller sees this.
    Again,
}

/// A secret of a key version, wrapped: [`crate::root`] makes and opens it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wrapped {
    /// The number of the root key.
    pub root: u32,
    /// Nonce, ciphertext, tag.
    #[serde(with = "dump::base64")]
    pub bytes: Vec<u8>,
}

/// A key, all of it but the counters of use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyRecord {
    /// Its name.
    pub name: String,
    /// `kuznyechik-mgm`, …
    pub kind: String,
    /// Each context has a key of its own, derived from this one.
    pub derived: bool,
    /// The secret may be given out.
    pub exportable: bool,
    /// The secret may be given out within a backup.
    pub allow_plaintext_backup: bool,
    /// It may be deleted.
    pub deletion_allowed: bool,
    /// Versions below decrypt nothing.
    pub min_decryption_version: u32,
    /// 0: the latest.
    pub min_encryption_version: u32,
    /// Versions below were trimmed; 0: none.
    pub min_available_version: u32,
    /// The newest version.
    pub latest: u32,
    /// Seconds; 0: never.
    pub auto_rotate_period: u64,
    /// Seconds since 1970.
    pub created: u64,
    /// Another with each change, never the same twice, also when a key is deleted and made again.
    pub generation: u64,
    /// The generation it was made with: another for a key that was deleted and made again, or restored.
    #[serde(default)]
    pub incarnation: u64,
    /// Those there are, in order.
    pub versions: Vec<VersionRecord>,
}

/// A version of a key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VersionRecord {
    /// From 1.
    pub version: u32,
    /// Its secret.
    pub wrapped: Wrapped,
    /// Seconds since 1970.
    pub created: u64,
    /// The row's code, for [`Store::check_version`].
    #[serde(skip)]
    pub mac: Vec<u8>,
}

/// What [`Store::create`] needs.
#[derive(Clone)]
pub struct NewKey {
    /// As in [`KeyRecord`].
    pub name: String,
    /// As in [`KeyRecord`].
    pub kind: String,
    /// As in [`KeyRecord`].
    pub derived: bool,
    /// As in [`KeyRecord`].
    pub exportable: bool,
    /// As in [`KeyRecord`].
    pub allow_plaintext_backup: bool,
    /// As in [`KeyRecord`].
    pub auto_rotate_period: u64,
    /// The secret of version 1.
    pub wrapped: Wrapped,
    /// Seconds since 1970.
    pub created: u64,
}

/// What [`Store::configure`] changes; `None`: as it is.
#[derive(Clone, Default)]
pub struct Changes {
    /// Not above the latest.
    pub min_decryption_version: Option<u32>,
    /// 0, or not below the least that decrypts.
    pub min_encryption_version: Option<u32>,
    /// Either way.
    pub deletion_allowed: Option<bool>,
    /// Seconds; 0: never.
    pub auto_rotate_period: Option<u64>,
}

/// The most that a version may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Messages in all.
    pub messages: u64,
    /// Bytes in all.
    pub bytes: u64,
}

/// Numbers `first .. first + messages`, this caller's alone and for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reservation {
    /// The first number.
    pub first: u64,
    /// How many.
    pub messages: u64,
    /// How many bytes they may have together.
    pub bytes: u64,
    /// The key's generation in that moment: another than the cached one, and the cache is stale.
    pub generation: u64,
}

/// How much a version was used, reservations counted as used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Used {
    /// Messages.
    pub messages: u64,
    /// Bytes.
    pub bytes: u64,
}

/// A token; the token itself is nowhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenRecord {
    /// Streebog-256 of the token.
    #[serde(with = "dump::base64")]
    pub hash: Vec<u8>,
    /// A public name of it, to revoke it by.
    pub accessor: String,
    /// For people.
    pub display_name: String,
    /// Names of its policies.
    pub policies: Vec<String>,
    /// Seconds since 1970.
    pub created: u64,
    /// Seconds since 1970; 0: never.
    pub expires: u64,
    /// The time of life it was given, in seconds; 0: no end.
    pub ttl: u64,
    /// Its end may be put off by `ttl`.
    pub renewable: bool,
}

/// What was changed how often: with the same numbers caches are right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counters {
    /// Changes of keys; those of use are none.
    pub keys: u64,
    /// Changes of tokens and policies.
    pub access: u64,
    /// The number of the root key; 0: none yet.
    pub root: u64,
}

/// For how long a replica may go by what it last knew of a key when it answers with a ciphertext.
pub const LEASE: Duration = Duration::from_millis(1500);

/// How long after its own end a call of the database is given up by who waits for it.
const GRACE: Duration = Duration::from_secs(2);

/// The database.
pub struct Store {
    pool: Pool,
    rows: RwLock<Option<Arc<RowKey>>>,
    /// Another root key has written the database than this process knows.
    moved: AtomicBool,
}

impl Store {
    /// Connects, and brings the tables up to date.
    ///
    /// # Errors
    /// [`StoreError`]; [`StoreError::Invalid`] when a newer bulatd made the tables.
    pub fn open(config: &DatabaseConfig) -> Result<Store, StoreError> {
        let pool = Pool::new(config)?;
        migrations::run(&pool)?;
        Ok(Store { pool, rows: RwLock::default(), moved: AtomicBool::new(false) })
    }

    /// Database work off the threads that answer. It ends in time, also where the database or its disk hangs.
    ///
    /// # Errors
    /// What the work says; [`StoreError::Unavailable`] when it does not end.
    pub async fn away<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let work = tokio::task::spawn_blocking(work);
        match tokio::time::timeout(self.pool.patience() + GRACE, work).await {
            Ok(Ok(done)) => done,
            Ok(Err(_)) => Err(StoreError::Corrupt("internal error".into())),
            Err(_) => Err(self.pool.late()),
        }
    }

    /// Takes out of the files what a deletion had to leave there.
    pub fn scrub_due(&self) {
        self.pool.scrub_due();
    }

    /// How long after a change of a key no replica answers with what it knew before; with the database in memory there is no
    /// other.
    pub fn lease(&self) -> Duration {
        if self.pool.shared { LEASE + Duration::from_millis(250) } else { Duration::ZERO }
    }

    /// Takes in the key of the codes of rows.
    pub(crate) fn set_rows(&self, rows: RowKey) {
        *self.rows.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(rows));
        self.moved.store(false, Relaxed);
    }

    /// Whether the root key was rotated, and its new one has not been taken in.
    pub(crate) fn moved(&self) -> bool {
        self.moved.load(Relaxed)
    }

    /// The key of the codes of rows. It stays when the service is sealed: who unseals shows a token.
    fn rows(&self) -> Result<Arc<RowKey>, StoreError> {
        let rows = self.rows.read().unwrap_or_else(PoisonError::into_inner);
        rows.clone().ok_or(StoreError::Sealed)
    }

    fn run<T>(
        &self,
        mode: Mode,
        f: impl FnMut(&mut dyn Sql) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.noted(self.pool.run(mode, f))
    }

    /// Work on all rows, which has no end in time but for each statement.
    fn run_long<T>(
        &self,
        mode: Mode,
        f: impl FnMut(&mut dyn Sql) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.noted(self.pool.run_long(mode, f))
    }

    fn noted<T>(&self, done: Result<T, StoreError>) -> Result<T, StoreError> {
        if matches!(done, Err(StoreError::RootChanged)) {
            self.moved.store(true, Relaxed);
        }
        done
    }

    /// Changes with codes, under the root key that the database has.
    fn change<T>(
        &self,
        mut f: impl FnMut(&mut dyn Sql, &RowKey) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let rows = self.rows()?;
        self.run(Mode::Write, |sql| f(sql, &rows))
    }

    /// Whether the database answers.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] with the reason.
    pub fn health(&self) -> Result<(), StoreError> {
        self.counters().map(|_| ())
    }

    /// What caches compare.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn counters(&self) -> Result<Counters, StoreError> {
        const SQL: &str = "SELECT name, value FROM counters";
        let rows = self.run(Mode::One, |sql| sql.query(SQL, &[]))?;
        let mut counters = Counters { keys: 0, access: 0, root: 0 };
        for row in rows {
            let mut row = Fields::of(row);
            match row.text()?.as_str() {
                "keys" => counters.keys = row.number()?,
                "access" => counters.access = row.number()?,
                "root" => counters.root = row.number()?,
                _ => {}
            }
        }
        Ok(counters)
    }
}

/// The database's own words on its files are for the log.
fn damaged(why: String) -> StoreError {
    crate::log::line(crate::config::Level::Error, "database", &[("why", why.into())]);
    StoreError::Corrupt("its files".into())
}

fn meta(sql: &mut dyn Sql, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
    let rows = sql.query("SELECT value FROM meta WHERE name = $1", &[text(name)])?;
    rows.into_iter().next().map(|row| Fields::of(row).bytes()).transpose()
}

fn put_meta(sql: &mut dyn Sql, name: &str, value: &[u8]) -> Result<(), StoreError> {
    const SQL: &str = "INSERT INTO meta (name, value) VALUES ($1, $2)
        ON CONFLICT (name) DO UPDATE SET value = excluded.value";
    sql.execute(SQL, &[text(name), blob(value)]).map(|_| ())
}

/// The next number of a counter. Until the transaction ends no other has the next one.
fn next(sql: &mut dyn Sql, counter: &str) -> Result<u64, StoreError> {
    const SQL: &str = "UPDATE counters SET value = value + 1 WHERE name = $1 RETURNING value";
    let row = sql.query(SQL, &[text(counter)])?.into_iter().next();
    Fields::of(row.ok_or_else(|| StoreError::Corrupt("counters".into()))?).number()
}

/// That codes are made under the root key that the database has, and goes on having until the transaction ends: to be asked
/// for after [`next`].
fn same_root(sql: &mut dyn Sql, rows: &RowKey) -> Result<(), StoreError> {
    if root_number(sql)? == rows.root { Ok(()) } else { Err(StoreError::RootChanged) }
}

/// The number of the root key; 0: there is none yet.
fn root_number(sql: &mut dyn Sql) -> Result<u32, StoreError> {
    let row = sql.query("SELECT value FROM counters WHERE name = 'root'", &[])?.into_iter().next();
    Fields::of(row.ok_or_else(|| StoreError::Corrupt("counters".into()))?).number32()
}

fn text(value: &str) -> Value {
    Value::Text(value.into())
}
fn blob(value: &[u8]) -> Value {
    Value::Blob(value.into())
}
fn truth(value: bool) -> Value {
    Value::Int(value.into())
}
fn small(value: u32) -> Value {
    Value::Int(value.into())
}
/// Above what the column holds: the most it holds, which is 292 thousand million years, or more than any limit.
fn number(value: u64) -> Value {
    Value::Int(i64::try_from(value).unwrap_or(i64::MAX))
}

/// The values of a row, in order.
struct Fields(std::vec::IntoIter<Value>);

impl Fields {
    fn of(row: Row) -> Fields {
        Fields(row.into_iter())
    }
    fn wrong() -> StoreError {
        StoreError::Corrupt("a column has another type or range".into())
    }
    fn number(&mut self) -> Result<u64, StoreError> {
        match self.0.next() {
            Some(Value::Int(v)) => u64::try_from(v).map_err(|_| Fields::wrong()),
            _ => Err(Fields::wrong()),
        }
    }
    fn number32(&mut self) -> Result<u32, StoreError> {
        u32::try_from(self.number()?).map_err(|_| Fields::wrong())
    }
    fn truth(&mut self) -> Result<bool, StoreError> {
        Ok(self.number()? != 0)
    }
    fn text(&mut self) -> Result<String, StoreError> {
        match self.0.next() {
            Some(Value::Text(v)) => Ok(v),
            _ => Err(Fields::wrong()),
        }
    }
    fn bytes(&mut self) -> Result<Vec<u8>, StoreError> {
        match self.0.next() {
            Some(Value::Blob(v)) => Ok(v),
            _ => Err(Fields::wrong()),
        }
    }
}

impl std::fmt::Display for StoreError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            StoreError::NotFound => f.write_str("not found"),
            StoreError::Exists => f.write_str("there is one of that name already"),
            StoreError::Conflict => f.write_str("changed by another at the same time"),
            StoreError::Deleting(_) => f.write_str("the key is being deleted"),
            StoreError::Limit => f.write_str("the key version has reached its limit of use"),
            StoreError::WrongRoot => f.write_str("this is not the root key of this database"),
            StoreError::Sealed => f.write_str("sealed: the root key is not there"),
            StoreError::RootChanged => f.write_str("the root key was rotated"),
            StoreError::Invalid(why) => f.write_str(why),
            StoreError::Unavailable(why) => write!(f, "the database is not available: {why}"),
            StoreError::Full => f.write_str("the database's disk is full"),
            StoreError::Corrupt(why) => write!(f, "the database is damaged: {why}"),
            StoreError::Again => f.write_str("the database asks to try again"),
        }
    }
}

impl std::error::Error for StoreError {}
