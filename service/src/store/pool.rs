//! Connections, transactions, and a database that went away and came back.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::{DatabaseConfig, StoreError};

/// A value that goes to or comes from the database; a truth is an integer.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Int(i64),
    Text(String),
    Blob(Vec<u8>),
}

pub(super) type Row = Vec<Value>;

/// What a transaction may do.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Mode {
    /// One statement that reads, which is its own transaction.
    One,
    /// One that writes; it may run twice, when the connection broke.
    OneWrite,
    /// Several that see one state.
    Read,
    /// Changes, all or none.
    Write,
    /// Changes of the tables themselves, by one process at a time.
    Migrate,
}

/// A connection.
pub(super) trait Sql: Send {
    /// Rows of a statement with places `$1`, `$2`, ….
    fn query(&mut self, sql: &'static str, values: &[Value]) -> Result<Vec<Row>, StoreError>;
    /// How many rows it changed.
    fn execute(&mut self, sql: &'static str, values: &[Value]) -> Result<u64, StoreError>;
    /// Statements without places.
    fn batch(&mut self, sql: &'static str) -> Result<(), StoreError>;
    fn begin(&mut self, mode: Mode) -> Result<(), StoreError>;
    /// No use any more.
    fn broken(&self) -> bool;
}

type Connect = Box<dyn Fn() -> Result<Box<dyn Sql>, StoreError> + Send + Sync>;

/// Connections, made when needed.
pub(super) struct Pool {
    connect: Connect,
    most: usize,
    state: Mutex<State>,
    freed: Condvar,
    /// SQLite has one writer: those of this process wait here, in turn, rather than in its polling.
    writer: Option<Mutex<()>>,
}

struct State {
    idle: Vec<Box<dyn Sql>>,
    open: usize,
}

/// How long a call waits for a connection.
const WAIT: Duration = Duration::from_secs(10);
/// How often a transaction is tried that the database gave up for the sake of another.
const TRIES: usize = 5;

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Pool {
    pub(super) fn new(config: &DatabaseConfig) -> Result<Pool, StoreError> {
        let url = config.url.clone();
        let (connect, most, writer): (Connect, _, _) = match url.strip_prefix("sqlite:") {
            Some(":memory:") => (Box::new(|| super::sqlite::open(None)), 1, None),
            Some(path) => {
                let path = std::path::PathBuf::from(path);
                let connect = move || super::sqlite::open(Some(&path));
                (Box::new(connect), config.connections.max(1), Some(Mutex::new(())))
            }
            None => {
                let settings = super::postgres::settings(config)?;
                let connect = move || super::postgres::open(&settings);
                (Box::new(connect), config.connections.max(1), None)
            }
        };
        let state = Mutex::new(State { idle: Vec::new(), open: 0 });
        Ok(Pool { connect, most, state, freed: Condvar::new(), writer })
    }

    /// Runs `f` in a transaction. It runs again when the database asks for that, so it must have no effect of its own.
    pub(super) fn run<T>(
        &self,
        mode: Mode,
        mut f: impl FnMut(&mut dyn Sql) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let _turn = match mode {
            Mode::OneWrite | Mode::Write | Mode::Migrate => self.writer.as_ref().map(lock),
            _ => None,
        };
        for _ in 1..TRIES {
            match self.once(mode, &mut f) {
                Err(StoreError::Again) => {}
                result => return result,
            }
        }
        self.once(mode, &mut f).map_err(|e| match e {
            StoreError::Again => StoreError::Unavailable("too many others change the same".into()),
            other => other,
        })
    }

    fn once<T>(
        &self,
        mode: Mode,
        f: &mut impl FnMut(&mut dyn Sql) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut lent = self.lend()?;
        let first = start(&mut lent, mode, f);
        // A connection that broke while it was idle: nothing has happened yet, and another may work.
        let first = match first {
            Err(_) if lent.broken() && lent.used => {
                drop(lent);
                self.forget_idle();
                lent = self.lend()?;
                start(&mut lent, mode, f)?
            }
            other => other?,
        };
        let sql = lent.sql();
        match first {
            Some(value) => Ok(value),
            None => match f(sql) {
                Ok(value) => sql.batch("COMMIT").map(|()| value),
                Err(e) => {
                    // If this fails the connection is broken, and the database rolls back by itself.
                    if sql.batch("ROLLBACK").is_err() {
                        lent.spoilt = true;
                    }
                    Err(e)
                }
            },
        }
    }

    fn lend(&self) -> Result<Lent<'_>, StoreError> {
        let mut state = lock(&self.state);
        loop {
            if let Some(sql) = state.idle.pop() {
                return Ok(Lent { pool: self, sql: Some(sql), used: true, spoilt: false });
            }
            if state.open < self.most {
                state.open += 1;
                drop(state);
                let mut lent = Lent { pool: self, sql: None, used: false, spoilt: false };
                lent.sql = Some((self.connect)()?);
                return Ok(lent);
            }
            let (next, late) =
                self.freed.wait_timeout(state, WAIT).unwrap_or_else(PoisonError::into_inner);
            if late.timed_out() {
                return Err(StoreError::Unavailable("all connections are in use".into()));
            }
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

/// The first word of a transaction; of a single statement all of it.
fn start<T>(
    lent: &mut Lent<'_>,
    mode: Mode,
    f: &mut impl FnMut(&mut dyn Sql) -> Result<T, StoreError>,
) -> Result<Option<T>, StoreError> {
    match mode {
        Mode::One | Mode::OneWrite => f(lent.sql()).map(Some),
        _ => lent.sql().begin(mode).map(|()| None),
    }
}

/// A connection in use; it goes back by itself, also when its user panics.
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

impl Drop for Pool {
    /// A PostgreSQL connection has a runtime of its own, which must not end inside another one.
    fn drop(&mut self) {
        let idle = std::mem::take(&mut lock(&self.state).idle);
        if let Ok(thread) = std::thread::Builder::new().spawn(move || drop(idle)) {
            let _ = thread.join();
        }
    }
}
