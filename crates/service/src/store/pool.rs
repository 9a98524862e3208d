//! Connections, transactions, and recovery when the database was away.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::{DatabaseConfig, Result, StoreError};
use crate::locks::lock;

/// A value of the database; a truth value is an integer.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Int(i64),
    Text(String),
    Blob(Vec<u8>),
}

pub(super) type Row = Vec<Value>;

/// The kinds of transactions.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Mode {
    /// One statement that reads, in its own transaction.
    One,
    /// One statement that writes counters of use.
    OneWrite,
    /// Several statements that see one state.
    Read,
    /// Changes, all or none. The root key stays the same until they end.
    Write,
    /// Changes of everything, without other changes at the same time.
    Whole,
    /// Changes of the tables, by one process at a time.
    Migrate,
}

/// The statement of [`Sql::news`], with the expression of the place to read from next.
macro_rules! news {
    ($place:literal) => {
        concat!(
            "SELECT h.place, h.pruned, h.root, COALESCE(c.what, 0), COALESCE(c.name, '')
            FROM (SELECT ",
            $place,
            " AS place,
                (SELECT value FROM counters WHERE name = 'pruned') AS pruned,
                (SELECT value FROM counters WHERE name = 'root') AS root) AS h
            LEFT JOIN changes AS c ON c.place >= $1 AND c.what BETWEEN $2 AND $3"
        )
    };
}
pub(super) use news;

/// A connection.
pub(super) trait Sql: Send {
    /// Runs a statement with places `$1`, `$2`, … and returns the rows.
    fn query(&mut self, sql: &'static str, values: &[Value]) -> Result<Vec<Row>>;
    /// Runs a statement and returns the number of rows that it changed.
    fn execute(&mut self, sql: &'static str, values: &[Value]) -> Result<u64>;
    /// Runs statements without places.
    fn batch(&mut self, sql: &'static str) -> Result<()>;
    fn begin(&mut self, mode: Mode) -> Result<()>;
    /// Returns whether this is PostgreSQL.
    fn postgresql(&self) -> bool {
        false
    }
    /// Returns the next number of a change, greater than all before.
    fn number(&mut self) -> Result<u64>;
    /// Waits for other changes of a key, and keeps them out until the transaction ends.
    fn lock(&mut self, _name: &str) -> Result<()> {
        Ok(())
    }
    /// Writes a change into the log.
    fn note(&mut self, what: u64, name: &str) -> Result<()>;
    /// Makes every reader of the log forget its cache.
    fn forget_all(&mut self) -> Result<()>;
    /// Returns the changes of some kinds since a place of the log, in rows of: the place to read from next, the least place that
    /// the log still has, the number of the root key, the kind of the change (0: none), its name.
    fn news(&mut self, since: u64, kinds: [u64; 2]) -> Result<Vec<Row>> {
        let [least, most] = kinds.map(super::number);
        let sql = self.news_sql();
        self.query(sql, &[super::number(since), least, most])
    }
    /// Returns the statement of [`Sql::news`].
    fn news_sql(&self) -> &'static str;
    /// Returns seconds since 1970 by the database's clock; without one, the greatest number.
    fn time(&mut self) -> Result<u64>;
    /// Sets the time when later statements are given up; with `None` each statement has the time of a call.
    fn until(&mut self, _: Option<Instant>) {}
    /// Removes deleted rows from the database's log, unless other processes use it.
    fn scrub(&mut self) -> Result<()> {
        Ok(())
    }
    /// Returns whether the connection is of no more use.
    fn broken(&self) -> bool;
}

/// Refuses texts that PostgreSQL cannot store.
pub(super) fn storable(values: &[Value]) -> Result<()> {
    match values.iter().any(|value| matches!(value, Value::Text(text) if text.contains('\0'))) {
        true => Err(StoreError::Invalid("a text with a NUL character".into())),
        false => Ok(()),
    }
}

type Connect = Box<dyn Fn(Instant) -> Result<Box<dyn Sql>> + Send + Sync>;

/// Connections, made on demand.
pub(super) struct Pool {
    connect: Connect,
    most: usize,
    state: Mutex<State>,
    freed: Condvar,
    /// SQLite has one writer. The writers of this process wait here, in turn, instead of polling.
    writer: Option<Mutex<()>>,
    /// The time of a call, with its wait for a connection.
    patience: Duration,
    /// Deleted rows are still in SQLite's log.
    due: AtomicBool,
    /// The last time that the database did not answer in time.
    late: Mutex<Option<Instant>>,
    /// Other processes may use the database.
    pub(super) shared: bool,
}

struct State {
    idle: Vec<Box<dyn Sql>>,
    open: usize,
}

/// The time after a call was given up during which others fail at once: each would wait in its turn.
const PAUSE: Duration = Duration::from_secs(1);
/// The time for which a deletion tries to remove its rows from SQLite's log, and the pause between tries. Others wait
/// for each try, so it is short; later calls do the rest.
const SCRUB: [Duration; 2] = [Duration::from_millis(300), Duration::from_millis(50)];
/// The tries of a transaction that the database gives up in favor of another.
const TRIES: usize = 5;

impl Pool {
    pub(super) fn new(config: &DatabaseConfig) -> Result<Pool> {
        let url = config.url.clone();
        let patience = Duration::from_secs(config.seconds.max(1));
        let (connect, most, writer): (Connect, _, _) = match url.strip_prefix("sqlite:") {
            Some(":memory:") => (Box::new(|_| super::sqlite::open(None)), 1, None),
            Some(path) => {
                let path = std::path::PathBuf::from(path);
                let connect = move |_| super::sqlite::open(Some(&path));
                (Box::new(connect), config.connections.max(1), Some(Mutex::new(())))
            }
            None => {
                let link = Arc::new(super::postgres::Link::new(config, patience)?);
                let connect = move |until| super::postgres::open(&link, until);
                (Box::new(connect), config.connections.max(1), None)
            }
        };
        let state = Mutex::new(State { idle: Vec::new(), open: 0 });
        let shared = url != "sqlite::memory:";
        let (freed, late) = (Condvar::new(), Mutex::new(None));
        let due = AtomicBool::new(false);
        Ok(Pool { connect, most, state, freed, writer, patience, due, late, shared })
    }

    /// Returns the longest time of a call.
    pub(super) fn patience(&self) -> Duration {
        self.patience
    }

    /// Notes that the database did not answer in time.
    pub(super) fn late(&self) -> StoreError {
        *lock(&self.late) = Some(Instant::now());
        StoreError::Unavailable("no answer in time".into())
    }

    /// Removes deleted rows from SQLite's log; with `whole`, from the whole file. [`Pool::scrub_due`] later removes
    /// those that a reader holds.
    pub(super) fn scrub(&self, whole: bool) {
        let Some(writer) = &self.writer else { return };
        let anew = if whole {
            let _turn = lock(writer);
            self.idle().and_then(|mut lent| lent.sql().batch("VACUUM"))
        } else {
            Ok(())
        };
        let end = Instant::now() + if whole { self.patience } else { SCRUB[0] };
        let done = anew.and_then(|()| {
            loop {
                match self.cut() {
                    Err(_) if Instant::now() < end => std::thread::sleep(SCRUB[1]),
                    done => return done,
                }
            }
        });
        let before = self.due.swap(done.is_err(), Relaxed);
        if let Err(why) = done
            && !before
        {
            let why = why.to_string().into();
            let event = "deleted rows may still be in the database's files";
            crate::log::line(crate::log::Level::Warn, event, &[("why", why)]);
        }
    }

    /// Tries again to remove the rows that [`Pool::scrub`] left: to be called each second.
    pub(super) fn scrub_due(&self) {
        if self.due.load(Relaxed) && self.cut().is_ok() {
            self.due.store(false, Relaxed);
        }
    }

    fn cut(&self) -> Result<()> {
        self.idle()?.sql().scrub()
    }

    /// Returns a connection for work that is not part of a call.
    fn idle(&self) -> Result<Lent<'_>> {
        let mut lent = self.lend(Instant::now() + self.patience)?;
        lent.sql().until(None);
        Ok(lent)
    }

    /// Runs `f` in a transaction. It may run again when the database asks for that, so `f` must have no other effects.
    /// All of it ends in time.
    pub(super) fn run<T>(&self, mode: Mode, f: impl FnMut(&mut dyn Sql) -> Result<T>) -> Result<T> {
        if lock(&self.late).is_some_and(|late| late.elapsed() < PAUSE) {
            return Err(StoreError::Unavailable("it did not answer a moment ago".into()));
        }
        let done = self.tried(mode, Some(Instant::now() + self.patience), f);
        if done.is_ok() {
            *lock(&self.late) = None;
        }
        done
    }

    /// Runs `f`, which works on all rows, in a transaction: each statement ends in time, not the whole.
    pub(super) fn run_long<T>(
        &self,
        mode: Mode,
        f: impl FnMut(&mut dyn Sql) -> Result<T>,
    ) -> Result<T> {
        self.tried(mode, None, f)
    }

    fn tried<T>(
        &self,
        mode: Mode,
        until: Option<Instant>,
        mut f: impl FnMut(&mut dyn Sql) -> Result<T>,
    ) -> Result<T> {
        let _turn = match mode {
            Mode::OneWrite | Mode::Write | Mode::Whole | Mode::Migrate => {
                self.writer.as_ref().map(lock)
            }
            _ => None,
        };
        for _ in 1..TRIES {
            match self.once(mode, until, &mut f) {
                Err(StoreError::Again) => {}
                result => return result,
            }
        }
        self.once(mode, until, &mut f).map_err(|e| match e {
            StoreError::Again => {
                StoreError::Unavailable("too many requests change the same row".into())
            }
            other => other,
        })
    }

    fn once<T>(
        &self,
        mode: Mode,
        until: Option<Instant>,
        f: &mut impl FnMut(&mut dyn Sql) -> Result<T>,
    ) -> Result<T> {
        let lend = || {
            let mut lent = self.lend(until.unwrap_or_else(|| Instant::now() + self.patience))?;
            lent.sql().until(until);
            Ok::<_, StoreError>(lent)
        };
        let over = || until.is_some_and(|until| Instant::now() >= until);
        let mut lent = lend()?;
        let first = start(&mut lent, mode, f);
        // The connection broke while it was idle: nothing has happened yet, and another connection may work.
        let first = match first {
            Err(_) if lent.broken() && over() => return Err(self.late()),
            Err(_) if lent.broken() && lent.used => {
                drop(lent);
                self.forget_idle();
                lent = lend()?;
                start(&mut lent, mode, f)?
            }
            other => other?,
        };
        let Some(value) = first else {
            let done = f(lent.sql()).and_then(|value| lent.sql().batch("COMMIT").map(|()| value));
            // If this fails the connection is broken, and the database rolls back.
            if done.is_err() && lent.sql().batch("ROLLBACK").is_err() {
                lent.spoilt = true;
            }
            return done.map_err(|e| if over() && lent.broken() { self.late() } else { e });
        };
        Ok(value)
    }

    fn lend(&self, until: Instant) -> Result<Lent<'_>> {
        let mut state = lock(&self.state);
        loop {
            if let Some(sql) = state.idle.pop() {
                return Ok(Lent { pool: self, sql: Some(sql), used: true, spoilt: false });
            }
            if state.open < self.most {
                state.open += 1;
                drop(state);
                let mut lent = Lent { pool: self, sql: None, used: false, spoilt: false };
                lent.sql = Some(
                    (self.connect)(until)
                        .map_err(|e| if Instant::now() >= until { self.late() } else { e })?,
                );
                return Ok(lent);
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(StoreError::Unavailable("all connections are in use".into()));
            }
            let (next, _) =
                self.freed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner);
            state = next;
        }
    }

    fn forget_idle(&self) {
        let mut state = lock(&self.state);
        let idle = std::mem::take(&mut state.idle);
        state.open -= idle.len();
        drop(state);
        drop(idle);
    }
}

/// Begins a transaction; runs the whole of it, if it is a single statement.
fn start<T>(
    lent: &mut Lent<'_>,
    mode: Mode,
    f: &mut impl FnMut(&mut dyn Sql) -> Result<T>,
) -> Result<Option<T>> {
    match mode {
        Mode::One => f(lent.sql()).map(Some),
        _ => {
            let begun = lent.sql().begin(mode);
            // The server may be in a transaction that did not get its lock in time.
            if begun.is_err()
                && lent.sql().postgresql()
                && (lent.broken() || lent.sql().batch("ROLLBACK").is_err())
            {
                lent.spoilt = true;
            }
            begun.map(|()| None)
        }
    }
}

/// A connection in use. It returns to the pool on drop, even when its user panics.
struct Lent<'a> {
    pool: &'a Pool,
    sql: Option<Box<dyn Sql>>,
    used: bool,
    spoilt: bool,
}

impl Lent<'_> {
    fn sql(&mut self) -> &mut dyn Sql {
        self.sql.as_mut().expect("a connection is there until it goes back").as_mut()
    }
    fn broken(&self) -> bool {
        self.sql.as_ref().is_none_or(|sql| sql.broken())
    }
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        let good = !self.spoilt && !self.broken() && !std::thread::panicking();
        let sql = self.sql.take();
        let mut state = lock(&self.pool.state);
        match sql {
            Some(sql) if good => state.idle.push(sql),
            spoilt => {
                state.open -= 1;
                drop(state);
                drop(spoilt);
            }
        }
        self.pool.freed.notify_one();
    }
}
