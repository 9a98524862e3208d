//! The tables. Released steps never change; new ones are added at the end.

use super::pool::{Mode, Pool, Value};
use super::{Result, StoreError};

/// The first tables. They use types of both databases: SQLite accepts any, and keeps integers, texts and bytes of these
/// as they are.
const TABLES: &str = "
CREATE TABLE meta (name TEXT PRIMARY KEY, value BYTEA NOT NULL);
CREATE TABLE counters (name TEXT PRIMARY KEY, value BIGINT NOT NULL);
INSERT INTO counters (name, value) VALUES ('keys', 0), ('access', 0), ('root', 0);
CREATE TABLE keys (
    name TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    derived BIGINT NOT NULL,
    exportable BIGINT NOT NULL,
    plaintext_backup BIGINT NOT NULL,
    deletion_allowed BIGINT NOT NULL,
    min_decryption BIGINT NOT NULL,
    min_encryption BIGINT NOT NULL,
    min_available BIGINT NOT NULL,
    latest BIGINT NOT NULL,
    auto_rotate BIGINT NOT NULL,
    created BIGINT NOT NULL,
    generation BIGINT NOT NULL,
    incarnation BIGINT NOT NULL,
    deleting BIGINT NOT NULL,
    mac BYTEA NOT NULL
);
CREATE TABLE versions (
    name TEXT NOT NULL REFERENCES keys (name) ON DELETE CASCADE,
    version BIGINT NOT NULL,
    root BIGINT NOT NULL,
    wrapped BYTEA NOT NULL,
    created BIGINT NOT NULL,
    used_messages BIGINT NOT NULL,
    used_bytes BIGINT NOT NULL,
    mac BYTEA NOT NULL,
    PRIMARY KEY (name, version)
);
CREATE TABLE tokens (
    hash BYTEA PRIMARY KEY,
    accessor TEXT NOT NULL UNIQUE,
    display_name TEXT NOT NULL,
    policies TEXT NOT NULL,
    created BIGINT NOT NULL,
    expires BIGINT NOT NULL,
    ttl BIGINT NOT NULL,
    renewable BIGINT NOT NULL,
    mac BYTEA NOT NULL
);
CREATE TABLE policies (name TEXT PRIMARY KEY, rules TEXT NOT NULL, mac BYTEA NOT NULL);
";

/// A log of changes, by which replicas keep their caches right; codes and wraps under the next root key next to the
/// present ones; more columns of keys and tokens, and records of logins. `$none` is an empty value of bytes.
macro_rules! changes {
    ($none:literal) => {
        concat!(
            "
CREATE TABLE changes (place BIGINT NOT NULL, what BIGINT NOT NULL, name TEXT NOT NULL, made BIGINT NOT NULL);
CREATE INDEX changes_by_place ON changes (place);
INSERT INTO counters (name, value) VALUES ('pruned', 0);
ALTER TABLE keys ADD COLUMN convergent BIGINT NOT NULL DEFAULT 0;
ALTER TABLE keys ADD COLUMN next_root BIGINT NOT NULL DEFAULT 0;
ALTER TABLE keys ADD COLUMN next_mac BYTEA NOT NULL DEFAULT ",
            $none,
            ";
ALTER TABLE versions ADD COLUMN next_root BIGINT NOT NULL DEFAULT 0;
ALTER TABLE versions ADD COLUMN next_wrapped BYTEA NOT NULL DEFAULT ",
            $none,
            ";
ALTER TABLE versions ADD COLUMN next_mac BYTEA NOT NULL DEFAULT ",
            $none,
            ";
ALTER TABLE tokens ADD COLUMN parent TEXT NOT NULL DEFAULT '';
ALTER TABLE tokens ADD COLUMN period BIGINT NOT NULL DEFAULT 0;
ALTER TABLE tokens ADD COLUMN most BIGINT NOT NULL DEFAULT 0;
ALTER TABLE tokens ADD COLUMN uses BIGINT NOT NULL DEFAULT 0;
ALTER TABLE tokens ADD COLUMN path TEXT NOT NULL DEFAULT '';
ALTER TABLE tokens ADD COLUMN next_root BIGINT NOT NULL DEFAULT 0;
ALTER TABLE tokens ADD COLUMN next_mac BYTEA NOT NULL DEFAULT ",
            $none,
            ";
CREATE INDEX tokens_by_parent ON tokens (parent);
ALTER TABLE policies ADD COLUMN next_root BIGINT NOT NULL DEFAULT 0;
ALTER TABLE policies ADD COLUMN next_mac BYTEA NOT NULL DEFAULT ",
            $none,
            ";
CREATE TABLE records (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL,
    expires BIGINT NOT NULL,
    mac BYTEA NOT NULL,
    next_root BIGINT NOT NULL DEFAULT 0,
    next_mac BYTEA NOT NULL DEFAULT ",
            $none,
            "
);
"
        )
    };
}

/// PostgreSQL numbers changes by a sequence, on which nobody waits, and sorts names by their bytes, as SQLite does. Without
/// the counters of before a replica of an older bulatd changes nothing.
macro_rules! postgresql {
    () => {
        "
CREATE SEQUENCE numbers;
SELECT setval('numbers', GREATEST((SELECT value FROM counters WHERE name = 'keys'), 1));
DELETE FROM counters WHERE name IN ('keys', 'access');
ALTER TABLE versions DROP CONSTRAINT versions_name_fkey;
ALTER TABLE keys ALTER COLUMN name TYPE TEXT COLLATE \"C\";
ALTER TABLE versions ALTER COLUMN name TYPE TEXT COLLATE \"C\";
ALTER TABLE versions ADD CONSTRAINT versions_name_fkey FOREIGN KEY (name) REFERENCES keys (name) ON DELETE CASCADE;
ALTER TABLE tokens ALTER COLUMN accessor TYPE TEXT COLLATE \"C\";
ALTER TABLE policies ALTER COLUMN name TYPE TEXT COLLATE \"C\";
ALTER TABLE records ALTER COLUMN name TYPE TEXT COLLATE \"C\";
"
    };
}

/// The steps, each for SQLite and for PostgreSQL.
const STEPS: &[[&str; 2]] =
    &[[TABLES, TABLES], [changes!("x''"), concat!(changes!("''"), postgresql!())]];

/// The version that the first step makes. Tables of lower versions have rows without codes, which cannot be checked.
const FIRST: usize = 2;

/// Brings the tables up to date, in one transaction; older ones of PostgreSQL only with `migrate`.
pub(super) fn run(pool: &Pool, migrate: bool) -> Result<()> {
    pool.run_long(Mode::Migrate, |sql| {
        sql.batch("CREATE TABLE IF NOT EXISTS bulatd_schema (version BIGINT NOT NULL)")?;
        let rows = sql.query("SELECT version FROM bulatd_schema", &[])?;
        let done = match rows.first().map(Vec::as_slice) {
            None => {
                sql.batch("INSERT INTO bulatd_schema (version) VALUES (0)")?;
                0
            }
            Some([Value::Int(0)]) => 0,
            Some([Value::Int(version)]) if (*version as usize) < FIRST => {
                return Err(StoreError::Invalid(format!(
                    "database: its tables are of version {version}, without authenticated rows; this bulatd reads \
                     version {FIRST} and later: run `bulatd backup` of the version that wrote it, and `bulatd restore` of this one"
                )));
            }
            Some([Value::Int(version)]) => *version as usize - FIRST + 1,
            _ => return Err(StoreError::Corrupt("bulatd_schema".into())),
        };
        let Some(steps) = STEPS.get(done..) else {
            return Err(StoreError::Invalid("database: written by a newer bulatd".into()));
        };
        if done != 0 && !steps.is_empty() && sql.postgresql() && !migrate {
            return Err(StoreError::Invalid(
                "database: its tables are of an older bulatd: stop all its replicas, make a backup with it, then run `bulatd migrate`"
                    .into(),
            ));
        }
        for step in steps {
            sql.batch(step[usize::from(sql.postgresql())])?;
        }
        if !steps.is_empty() {
            let now = Value::Int((FIRST + STEPS.len() - 1) as i64);
            sql.execute("UPDATE bulatd_schema SET version = $1", &[now])?;
        }
        Ok(())
    })
}
