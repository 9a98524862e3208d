//! The database: keys (wrapped), their counters, tokens (hashed), policies, records of logins.
//!
//! | file | contents |
//! |---|---|
//! | `mod.rs` | [`Store`], the records, the errors |
//! | `keys.rs`, `access.rs`, `records.rs` | the calls, with their SQL statements, written once for both databases |
//! | `rows.rs` | the codes of rows |
//! | `dump.rs`, `rotation.rs` | everything, for backups and for another root key |
//! | `pool.rs` | connections, transactions, reconnection |
//! | `sqlite.rs`, `postgres.rs` | the trait `Sql` on each database |
//! | `migrations.rs` | the tables |
//!
//! A call that returned `Ok` is durable. A call that changes a key waits for other changes of that key, and draws a number
//! that is greater than all before: the key's `generation`. It also writes the key's name into the log of changes, which
//! replicas read each second.
//!
//! The calls block. Asynchronous callers run them with `spawn_blocking`.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, OnceLock, RwLock};
use std::time::Duration;

use serde::{Deserialize, Serialize};

mod access;
mod dump;
mod keys;
mod migrations;
mod pool;
mod postgres;
mod records;
mod rotation;
mod rows;
mod sqlite;

pub use dump::{Dump, Part};
pub use keys::GiveBack;
pub use records::Record;
pub(crate) use rows::RowKey;

use crate::locks;
use pool::{Mode, Pool, Row, Sql, Value};

/// The database and the number of connections to it. No `Debug`, since the url may have a password.
#[derive(Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DatabaseConfig {
    /// `sqlite:/var/lib/bulatd/bulatd.db`, `sqlite::memory:`, or a text of the `tokio-postgres` crate:
    /// `postgres://user@host/name`, `host=/run/postgresql dbname=bulatd`; with `sslmode=verify-full` and `sslrootcert=FILE`
    /// over TLS.
    pub url: String,
    /// The most connections that are open at once (in memory: always one).
    pub connections: usize,
    /// Allows PostgreSQL on another host without TLS.
    pub plain_network: bool,
    /// The seconds that a call waits for the database.
    pub seconds: u64,
}

impl Default for DatabaseConfig {
    fn default() -> Self {
        let url = "sqlite:/var/lib/bulatd/bulatd.db".into();
        DatabaseConfig { url, connections: 4, plain_network: false, seconds: 10 }
    }
}

/// The reason why a call failed. No text contains a secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoreError {
    /// There is no such key, version, token or policy (404).
    NotFound,
    /// The name is in use (400).
    Exists,
    /// Another replica was first: read the key again and retry, or answer 409.
    Conflict,
    /// The key is being deleted by the change with this number: [`Store::delete_end`] follows after [`Store::lease`].
    Deleting(u64),
    /// The version would pass its limit of messages or bytes, or no longer encrypts: rotate.
    Limit,
    /// The root key was rotated, so a wrap is under another one (503). [`Store::away`] tries again under the new one.
    RootChanged,
    /// The key is not the root key of this database.
    WrongRoot,
    /// The service has no root key (503).
    Sealed,
    /// A value that is not allowed, with the reason (400).
    Invalid(String),
    /// The database cannot be reached or does not answer (503). The change may have happened or not.
    Unavailable(String),
    /// The disk is full (507).
    Full,
    /// The content of the database makes no sense (500).
    Corrupt(String),
    /// The database gave up a transaction in favor of another. The store retries it, so no caller sees this.
    Again,
}

/// The result of a call of the store.
pub type Result<T, E = StoreError> = std::result::Result<T, E>;

/// A wrapped secret of a key version: [`crate::root`] makes and opens it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wrapped {
    /// The number of the root key.
    pub root: u32,
    /// Nonce, ciphertext, tag.
    #[serde(with = "dump::base64")]
    pub bytes: Vec<u8>,
}

/// A key, without its counters of use.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyRecord {
    pub name: String,
    /// `kuznyechik-mgm`, …
    pub kind: String,
    /// Each context has its own key, derived from this one.
    pub derived: bool,
    /// Equal texts in equal contexts give equal ciphertexts.
    #[serde(default)]
    pub convergent: bool,
    pub exportable: bool,
    /// The secret may be exported within a backup.
    pub allow_plaintext_backup: bool,
    pub deletion_allowed: bool,
    /// Lower versions decrypt nothing.
    pub min_decryption_version: u32,
    /// The least version that encrypts; 0: the latest.
    pub min_encryption_version: u32,
    /// Lower versions were trimmed; 0: none.
    pub min_available_version: u32,
    /// The newest version.
    pub latest: u32,
    /// Seconds; 0: never.
    pub auto_rotate_period: u64,
    /// Seconds since 1970.
    pub created: u64,
    /// The number of the last change: never repeated, even when a key is deleted and made again.
    pub generation: u64,
    /// The generation that the key was made with: another after deletion and creation, or a restore.
    #[serde(default)]
    pub incarnation: u64,
    /// The versions that there are, in order.
    pub versions: Vec<VersionRecord>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VersionRecord {
    /// The number, from 1.
    pub version: u32,
    pub wrapped: Wrapped,
    /// Seconds since 1970.
    pub created: u64,
    /// The row's code, for [`Store::check_version`].
    #[serde(skip)]
    pub mac: Vec<u8>,
}

/// The values for [`Store::create`].
#[derive(Clone, Default)]
pub struct NewKey {
    pub name: String,
    pub kind: String,
    pub derived: bool,
    pub convergent: bool,
    pub exportable: bool,
    pub auto_rotate_period: u64,
    /// The secret of version 1.
    pub wrapped: Wrapped,
    /// Seconds since 1970.
    pub created: u64,
}

/// The changes of [`Store::configure`]; `None` keeps a value.
#[derive(Clone, Default)]
pub struct Changes {
    /// At most the latest version.
    pub min_decryption_version: Option<u32>,
    /// 0, or at least the least version that decrypts.
    pub min_encryption_version: Option<u32>,
    /// Allows or forbids deletion.
    pub deletion_allowed: Option<bool>,
    /// Seconds; 0: never.
    pub auto_rotate_period: Option<u64>,
}

/// The limits of use of a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    pub messages: u64,
    pub bytes: u64,
}

/// The numbers `first .. first + messages`, which no other caller ever gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reservation {
    pub first: u64,
    pub messages: u64,
    /// The bytes that they may have together.
    pub bytes: u64,
    /// The bytes of the version that are used, with these.
    pub used: u64,
    /// The key's generation at that moment. If it differs from the cached one, the cache is stale.
    pub generation: u64,
}

/// The use of a version, with reservations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Used {
    pub messages: u64,
    pub bytes: u64,
}

/// The record of a token. The token itself is not kept.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenRecord {
    /// Streebog-256 of the token.
    #[serde(with = "dump::base64")]
    pub hash: Vec<u8>,
    /// A public name, to revoke the token by.
    pub accessor: String,
    /// A name for people.
    pub display_name: String,
    pub policies: Vec<String>,
    /// Seconds since 1970.
    pub created: u64,
    /// Seconds since 1970; 0: never.
    pub expires: u64,
    /// The lifetime that it was given, in seconds; 0: no end.
    pub ttl: u64,
    /// Renewal may extend its life by `ttl`.
    pub renewable: bool,
    /// The accessor of the token that made it and with which it ends; empty: it has none.
    #[serde(default)]
    pub parent: String,
    /// Seconds by which each renewal extends its life, without another end; 0: none.
    #[serde(default)]
    pub period: u64,
    /// The longest life after its creation in seconds, by any renewals; 0: the usual.
    #[serde(default)]
    pub most: u64,
    /// The requests that it may still make; 0: any number.
    #[serde(default)]
    pub uses: u64,
    /// The path of the call that made it; empty: `auth/token/create`.
    #[serde(default)]
    pub path: String,
}

/// A kind of changed things, as the log of changes numbers them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A key, by its name.
    Key = 1,
    /// A token, by its accessor.
    Token = 2,
    /// A policy, by its name.
    Policy = 3,
    /// A record of a login.
    Record = 4,
}

impl Kind {
    pub const ALL: [Kind; 4] = [Kind::Key, Kind::Token, Kind::Policy, Kind::Record];
}

/// The log of changes, from a place on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct News {
    /// The place to read from next.
    pub place: u64,
    /// The log no longer has all changes since the place asked for, so nothing that was known is valid.
    pub all: bool,
    /// The number of the root key; 0: none yet.
    pub root: u32,
    /// The names of changed things.
    pub changed: Vec<(Kind, String)>,
}

impl News {
    fn read(sql: &mut dyn Sql, since: Option<u64>, kinds: [Kind; 2]) -> Result<News> {
        let mut news = News { place: 0, all: false, root: 0, changed: Vec::new() };
        let from = since.unwrap_or(i64::MAX as u64);
        for row in sql.news(from, kinds.map(|kind| kind as u64))? {
            let mut row = Fields::of(row);
            news.place = row.number()?;
            let least = row.number()?;
            news.all = since.is_some_and(|since| least > since);
            news.root = row.number32()?;
            let what = row.number()?;
            if let Some(kind) = Kind::ALL.into_iter().find(|kind| *kind as u64 == what) {
                news.changed.push((kind, row.text()?));
            }
        }
        Ok(news)
    }
}

/// Seconds for which the log keeps a change. A replica that has not read it for so long forgets all that it knows.
const KEPT: u64 = 600;

/// The time for which a replica may rely on a cached key when it answers with a ciphertext.
pub const LEASE: Duration = Duration::from_millis(1500);

/// The time after the end of a call at which those who wait for it give up.
const GRACE: Duration = Duration::from_secs(2);

/// The times that work runs again after a rotation of the root key. More than one, since it may have begun between two steps
/// of a thread that sets the new one.
const FOLLOWS: usize = 3;

/// Makes the process know the database's root key, or only the key of its rows if the process was sealed on request. Returns
/// false if it cannot be found.
type Follow = Box<dyn Fn(&Store) -> bool + Send + Sync>;

pub struct Store {
    pool: Pool,
    rows: RwLock<Option<Arc<RowKey>>>,
    /// The database was written under another root key than this process knows.
    moved: AtomicBool,
    follow: OnceLock<Follow>,
}

impl Store {
    /// Connects, and makes the tables. It brings those of SQLite up to date; those of PostgreSQL may have replicas of
    /// an older bulatd, which would write to them without the log of changes. Errors: [`StoreError`];
    /// [`StoreError::Invalid`] when a newer bulatd made the tables, or an older one made them in PostgreSQL.
    pub fn open(config: &DatabaseConfig) -> Result<Store> {
        Store::connect(config, false)
    }

    /// Connects, and brings the tables up to date. Errors: as [`Store::open`].
    pub fn migrate(config: &DatabaseConfig) -> Result<Store> {
        Store::connect(config, true)
    }

    fn connect(config: &DatabaseConfig, migrate: bool) -> Result<Store> {
        let pool = Pool::new(config)?;
        migrations::run(&pool, migrate)?;
        let (rows, moved, follow) = (RwLock::default(), AtomicBool::new(false), OnceLock::new());
        Ok(Store { pool, rows, moved, follow })
    }

    /// Runs blocking work outside the threads that answer requests. It ends in time even if the database or its disk
    /// hangs. When the root key was rotated, it is looked for, and the work runs again. Errors: those of the work;
    /// [`StoreError::Unavailable`] when it does not end in time.
    pub async fn away<T: Send + 'static>(
        self: &Arc<Store>,
        mut work: impl FnMut() -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let store = self.clone();
        let work = tokio::task::spawn_blocking(move || {
            for _ in 0..FOLLOWS {
                match (work(), store.follow.get()) {
                    (Err(StoreError::RootChanged), Some(follow)) if follow(&store) => {}
                    (done, _) => return done,
                }
            }
            work()
        });
        match tokio::time::timeout(self.pool.patience() + GRACE, work).await {
            Ok(Ok(done)) => done,
            Ok(Err(_)) => Err(StoreError::Corrupt("internal error".into())),
            Err(_) => Err(self.pool.late()),
        }
    }

    /// Sets the function that looks for the root key after a rotation.
    pub(crate) fn follow_by(&self, follow: Follow) {
        let _ = self.follow.set(follow);
    }

    /// Removes the remains of deletions from SQLite's files, if there are any.
    pub fn scrub_due(&self) {
        self.pool.scrub_due();
    }

    /// Returns the time after a change of a key at which no replica answers from its old cache. A database in memory
    /// has only one replica.
    pub fn lease(&self) -> Duration {
        if self.pool.shared { LEASE + Duration::from_millis(250) } else { Duration::ZERO }
    }

    /// Sets the key of the codes of rows.
    pub(crate) fn set_rows(&self, rows: RowKey) {
        *locks::write(&self.rows) = Some(Arc::new(rows));
        self.moved.store(false, Relaxed);
    }

    /// Returns whether the root key was rotated and the new one is not set yet.
    pub(crate) fn moved(&self) -> bool {
        self.moved.load(Relaxed)
    }

    /// Returns the key of the codes of rows. It remains when the service is sealed: an unseal needs a token.
    fn rows(&self) -> Result<Arc<RowKey>> {
        let rows = locks::read(&self.rows);
        rows.clone().ok_or(StoreError::Sealed)
    }

    fn run<T>(&self, mode: Mode, f: impl FnMut(&mut dyn Sql) -> Result<T>) -> Result<T> {
        self.noted(self.pool.run(mode, f))
    }

    /// Works on all rows. Each statement ends in time, not the whole.
    fn run_long<T>(&self, mode: Mode, f: impl FnMut(&mut dyn Sql) -> Result<T>) -> Result<T> {
        self.noted(self.pool.run_long(mode, f))
    }

    fn noted<T>(&self, done: Result<T>) -> Result<T> {
        if matches!(done, Err(StoreError::RootChanged)) {
            self.moved.store(true, Relaxed);
        }
        done
    }

    /// Makes changes with codes under the database's root key.
    fn change<T>(&self, mut f: impl FnMut(&mut dyn Sql, &RowKey) -> Result<T>) -> Result<T> {
        let rows = self.rows()?;
        self.run(Mode::Write, |sql| {
            same_root(sql, &rows)?;
            f(sql, &rows)
        })
    }

    /// Returns the changes of two kinds, and of those between them, since a place of the log; without one, only the place
    /// where it ends.
    pub fn news(&self, since: Option<u64>, kinds: [Kind; 2]) -> Result<News> {
        self.run(Mode::One, |sql| News::read(sql, since, kinds))
    }

    /// Returns the number of the root key; 0: there is none yet.
    pub fn root(&self) -> Result<u32> {
        self.run(Mode::One, root_number)
    }

    /// Removes old entries of the log of changes, except those from the place on where the next reader begins: while a
    /// transaction is open for long, readers need them.
    pub fn prune(&self) -> Result<()> {
        const OLD: &str =
            "SELECT COALESCE(MAX(place), 0) FROM changes WHERE made < $1 AND place < $2";
        const LEAST: &str = "UPDATE counters SET value = $1 WHERE name = 'pruned' AND value < $1";
        self.run(Mode::Write, |sql| {
            let now = sql.time()?.min(crate::clock::unix());
            let place = News::read(sql, None, [Kind::Key; 2])?.place;
            let old = number(now.saturating_sub(KEPT));
            let last = one(sql.query(OLD, &[old, number(place)])?)?;
            if last != 0 {
                sql.execute("DELETE FROM changes WHERE place <= $1", &[number(last)])?;
                sql.execute(LEAST, &[number(last + 1)])?;
            }
            Ok(())
        })
    }
}

/// Logs the database's message about its files, and returns an error without it.
fn damaged(why: String) -> StoreError {
    crate::log::line(crate::log::Level::Error, "database", &[("why", why.into())]);
    StoreError::Corrupt("its files".into())
}

fn meta(sql: &mut dyn Sql, name: &str) -> Result<Option<Vec<u8>>> {
    let rows = sql.query("SELECT value FROM meta WHERE name = $1", &[text(name)])?;
    rows.into_iter().next().map(|row| Fields::of(row).bytes()).transpose()
}

fn put_meta(sql: &mut dyn Sql, name: &str, value: &[u8]) -> Result<()> {
    const SQL: &str = "INSERT INTO meta (name, value) VALUES ($1, $2)
        ON CONFLICT (name) DO UPDATE SET value = excluded.value";
    sql.execute(SQL, &[text(name), blob(value)]).map(|_| ())
}

/// Checks that codes are made under the database's root key, which stays the same until a transaction of changes ends.
fn same_root(sql: &mut dyn Sql, rows: &RowKey) -> Result<()> {
    if root_number(sql)? == rows.root { Ok(()) } else { Err(StoreError::RootChanged) }
}

/// Returns the number of the root key; 0: there is none yet.
fn root_number(sql: &mut dyn Sql) -> Result<u32> {
    let root = one(sql.query("SELECT value FROM counters WHERE name = 'root'", &[])?)?;
    u32::try_from(root).map_err(|_| Fields::wrong())
}

/// Returns the only number of the only row.
fn one(rows: Vec<Row>) -> Result<u64> {
    let row = rows.into_iter().next();
    Fields::of(row.ok_or_else(|| StoreError::Corrupt("counters".into()))?).number()
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
/// Limits a number to the greatest that the column can hold: as seconds 292 thousand million years, and more than any
/// limit.
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
        StoreError::Corrupt("a column has the wrong type or range".into())
    }
    fn number(&mut self) -> Result<u64> {
        match self.0.next() {
            Some(Value::Int(v)) => u64::try_from(v).map_err(|_| Fields::wrong()),
            _ => Err(Fields::wrong()),
        }
    }
    fn number32(&mut self) -> Result<u32> {
        u32::try_from(self.number()?).map_err(|_| Fields::wrong())
    }
    fn truth(&mut self) -> Result<bool> {
        Ok(self.number()? != 0)
    }
    fn text(&mut self) -> Result<String> {
        match self.0.next() {
            Some(Value::Text(v)) => Ok(v),
            _ => Err(Fields::wrong()),
        }
    }
    fn bytes(&mut self) -> Result<Vec<u8>> {
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
            StoreError::Exists => f.write_str("the name is in use"),
            StoreError::Conflict => f.write_str("another request changed it at the same time"),
            StoreError::Deleting(_) => f.write_str("the key is being deleted"),
            StoreError::Limit => f.write_str("the key version has reached its limit of use"),
            StoreError::WrongRoot => f.write_str("this is not the root key of this database"),
            StoreError::Sealed => f.write_str("sealed: there is no root key"),
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
