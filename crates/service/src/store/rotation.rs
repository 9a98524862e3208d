//! Another root key, in steps that hold up no call.
//!
//! 1. Each row gets, next to its code and wrap, those under the next root key: some rows at a time. Rows that change meanwhile
//!    are in the log of changes, and get them again.
//! 2. One short transaction, without other changes at the same time, prepares the rows that have just changed, and sets
//!    the next root key.
//! 3. The old codes and wraps are replaced, some rows at a time.
//!
//! Before step 2 the old root key is valid, after it the new one. If step 3 is interrupted, a service does the rest.

use std::collections::BTreeSet;
use std::time::Instant;

use bulat::Secret;

use super::rows::Coded;
use super::*;

/// The rows of a step, and the longest time after which it ends with fewer: at most a quarter of a call's time. In a much
/// shorter time the rotation would be slower than a busy client that makes keys.
const STEP: u64 = 100;
const LONG: Duration = Duration::from_secs(2);
/// The changed rows that the short transaction may prepare.
const FEW: usize = 50;

/// The notes about a rotation among the named values: the one under way, and one that has not replaced the old codes yet.
pub(super) const NOTES: [&str; 2] = ["rotating", "settling"];

/// Wraps a secret anew: its key's name and type, its version, the old wrap.
pub(crate) type Rewrap<'a> = dyn FnMut(&str, &str, u32, &[u8]) -> Result<Vec<u8>> + 'a;

struct Rotation<'a> {
    store: &'a Store,
    old: &'a RowKey,
    new: RowKey,
    /// A random number. Another rotation that begins has another.
    id: [u8; 16],
    rewrap: &'a mut Rewrap<'a>,
    /// The place of the log up to which changes are known, and the changed rows.
    place: u64,
    changed: BTreeSet<(Kind, String)>,
}

impl Store {
    /// Wraps every version anew with `f`, gives every row a code under the new root key, and sets named values.
    /// Afterwards it removes the old content from the file, if no other process works on it. Errors:
    /// [`StoreError::RootChanged`]: the root key is no longer that of `old`; [`StoreError::Corrupt`]: a row has a wrong
    /// code; [`StoreError::Conflict`]: another rotation or a restore has begun; the errors of `f`.
    pub(crate) fn rewrap_all<'a>(
        &'a self,
        old: &'a RowKey,
        new: &Secret<[u8; 32]>,
        meta: &[(&str, Vec<u8>)],
        f: &'a mut Rewrap<'a>,
    ) -> Result<u32> {
        self.settle()?;
        if self.unsettled(old.root)? {
            self.settle_rows()?;
        }
        let root = old.root.checked_add(1).ok_or_else(Fields::wrong)?;
        let new = RowKey { root, key: new.clone() };
        let mut id = [0; 16];
        crate::root::random(&mut id)?;
        self.run(Mode::Write, |sql| {
            same_root(sql, old)?;
            put_meta(sql, NOTES[0], &id)
        })?;
        let place = self.news(None, [Kind::Key, Kind::Record])?.place;
        let mut rotation =
            Rotation { store: self, old, new, id, rewrap: f, place, changed: BTreeSet::new() };
        rotation.prepare()?;
        rotation.end(meta)?;
        self.settle()?;
        self.pool.scrub(true);
        Ok(root)
    }

    /// Replaces old codes and wraps after a rotation of the root key, if one was interrupted there.
    pub fn settle(&self) -> Result<()> {
        let Some(note) = self.run(Mode::One, |sql| meta(sql, NOTES[1]))? else { return Ok(()) };
        self.settle_rows()?;
        // Another process may have settled this rotation, and a later one have begun: its note stays.
        let gone = "DELETE FROM meta WHERE name = $1 AND value = $2";
        self.run(Mode::Write, |sql| sql.execute(gone, &[text(NOTES[1]), blob(&note)])).map(|_| ())
    }

    /// Returns whether a row has its code or wrap under the root key only next to an older one.
    fn unsettled(&self, root: u32) -> Result<bool> {
        const SQL: &str = "SELECT (SELECT COUNT(*) FROM keys WHERE next_root = $1)
            + (SELECT COUNT(*) FROM versions WHERE next_root = $1) + (SELECT COUNT(*) FROM tokens WHERE next_root = $1)
            + (SELECT COUNT(*) FROM policies WHERE next_root = $1) + (SELECT COUNT(*) FROM records WHERE next_root = $1)";
        self.run_long(Mode::One, |sql| Ok(one(sql.query(SQL, &[small(root)])?)? != 0))
    }

    fn settle_rows(&self) -> Result<()> {
        for table in Kind::ALL {
            let mut after = String::new();
            loop {
                let from = Instant::now();
                let next = self.run(Mode::Write, |sql| settle(sql, table, &after))?;
                match next {
                    Some(next) => after = next,
                    None => break,
                }
                std::thread::sleep(from.elapsed());
            }
        }
        Ok(())
    }
}

impl Rotation<'_> {
    /// Prepares all rows, then those that have changed meanwhile.
    fn prepare(&mut self) -> Result<()> {
        for table in Kind::ALL {
            let mut after = String::new();
            loop {
                let page = self.store.run(Mode::One, |sql| names(sql, table, &after))?;
                let Some(last) = page.last() else { break };
                after = last.clone();
                self.step(&page.into_iter().map(|name| (table, name)).collect::<Vec<_>>())?;
            }
        }
        // With a limit: while another transaction is open for long, the log gives the same changes each time.
        for _ in 0..100 {
            if self.changed.len() <= FEW {
                break;
            }
            let some: Vec<_> = self.changed.iter().take(STEP as usize).cloned().collect();
            self.step(&some)?;
        }
        Ok(())
    }

    /// Prepares some rows, and leaves the database to others for as long.
    fn step(&mut self, mut some: &[(Kind, String)]) -> Result<()> {
        let long = LONG.min(self.store.pool.patience() / 4);
        while !some.is_empty() {
            let from = Instant::now();
            let (old, new, id) = (self.old, &self.new, &self.id);
            let rewrap = &mut *self.rewrap;
            let done = self.store.run(Mode::Write, |sql| {
                ours(sql, old, id)?;
                // Without the wait for the database.
                let begun = Instant::now();
                for (n, (table, name)) in some.iter().enumerate() {
                    if n > 0 && begun.elapsed() > long {
                        return Ok(n);
                    }
                    again(sql, old, new, rewrap, *table, name)?;
                }
                Ok(some.len())
            })?;
            let took = from.elapsed();
            let (done, rest) = some.split_at(done);
            for row in done {
                self.changed.remove(row);
            }
            some = rest;
            // A change after this step's begin is in the log, and one of its rows is prepared again.
            let kinds = [Kind::Key, Kind::Record];
            let news = self.store.news(Some(self.place), kinds)?;
            self.note(news)?;
            std::thread::sleep(took);
        }
        Ok(())
    }

    fn note(&mut self, news: News) -> Result<()> {
        if news.all {
            return Err(StoreError::Conflict);
        }
        self.place = news.place;
        self.changed.extend(news.changed);
        Ok(())
    }

    /// Sets the new root key.
    fn end(&mut self, values: &[(&str, Vec<u8>)]) -> Result<()> {
        let (old, new, id, place) = (self.old, &self.new, &self.id, self.place);
        let (rewrap, mut changed) = (&mut *self.rewrap, std::mem::take(&mut self.changed));
        self.store.run_long(Mode::Whole, |sql| {
            ours(sql, old, id)?;
            let news = News::read(sql, Some(place), [Kind::Key, Kind::Record])?;
            if news.all {
                return Err(StoreError::Conflict);
            }
            changed.extend(news.changed);
            for (table, name) in &changed {
                again(sql, old, new, rewrap, *table, name)?;
            }
            sql.execute("DELETE FROM meta WHERE name = $1", &[text(NOTES[0])])?;
            put_meta(sql, NOTES[1], &new.root.to_be_bytes())?;
            dump::replace_root(sql, new.root, values)
        })?;
        Ok(())
    }
}

/// Checks that the root key is the old one, and that no other rotation has begun.
fn ours(sql: &mut dyn Sql, old: &RowKey, id: &[u8]) -> Result<()> {
    same_root(sql, old)?;
    match meta(sql, NOTES[0])? {
        Some(there) if there == id => Ok(()),
        _ => Err(StoreError::Conflict),
    }
}

fn statements(table: Kind) -> rows::Statements {
    match table {
        Kind::Key => keys::Head::SQL,
        Kind::Token => TokenRecord::SQL,
        Kind::Policy => access::Policy::SQL,
        Kind::Record => Record::SQL,
    }
}

/// Returns the next names of a table.
fn names(sql: &mut dyn Sql, table: Kind, after: &str) -> Result<Vec<String>> {
    let rows = sql.query(statements(table).names, &[text(after), number(STEP)])?;
    rows.into_iter().map(|row| Fields::of(row).text()).collect()
}

/// Gives a row the code under the next root key, and the versions of a key the wraps under it. A token that changes at the
/// same time stays as it is; the log has its change.
fn again(
    sql: &mut dyn Sql,
    old: &RowKey,
    new: &RowKey,
    rewrap: &mut Rewrap<'_>,
    table: Kind,
    name: &str,
) -> Result<()> {
    fn row<T: Coded>(sql: &mut dyn Sql, old: &RowKey, new: &RowKey, name: &str) -> Result<()> {
        rows::find::<T>(sql, old, name)?.map_or(Ok(()), |row| rows::recode(sql, new, &row))
    }
    match table {
        Kind::Key => {
            const SET: &str = "UPDATE versions SET next_root = $3, next_wrapped = $4, next_mac = $5
                WHERE name = $1 AND version = $2";
            sql.lock(name)?;
            let Some(head) = rows::find::<keys::Head>(sql, old, name)? else { return Ok(()) };
            for mut version in keys::versions(sql, old, name)? {
                keys::check_version(sql, old, &head.key, &version)?;
                let (key, n) = (&head.key, version.version);
                version.wrapped.bytes = rewrap(&key.name, &key.kind, n, &version.wrapped.bytes)?;
                version.wrapped.root = new.root;
                let mac = keys::version_mac(new, key, &version);
                let bytes = Value::Blob(version.wrapped.bytes);
                sql.execute(SET, &[text(name), small(n), small(new.root), bytes, mac])?;
            }
            rows::recode(sql, new, &head)
        }
        Kind::Token => row::<TokenRecord>(sql, old, new, name),
        Kind::Policy => row::<access::Policy>(sql, old, new, name),
        Kind::Record => row::<Record>(sql, old, new, name),
    }
}

/// Replaces the old codes of some rows, and returns the name of the last.
fn settle(sql: &mut dyn Sql, table: Kind, after: &str) -> Result<Option<String>> {
    const VERSIONS: &str = "UPDATE versions SET root = next_root, wrapped = next_wrapped, mac = next_mac, next_root = 0,
        next_wrapped = $4, next_mac = $4 WHERE name > $1 AND name <= $2 AND next_root = $3";
    let Some(last) = names(sql, table, after)?.pop() else { return Ok(None) };
    let root = root_number(sql)?;
    let values = [text(after), text(&last), small(root), blob(&[])];
    if table == Kind::Key {
        sql.execute(VERSIONS, &values)?;
    }
    sql.execute(statements(table).settle, &values)?;
    Ok(Some(last))
}
