//! PostgreSQL: several replicas. Without TLS: a Unix socket, or the network between machines that trust each other
//! (`plain_network`).

use std::collections::HashMap;
use std::error::Error as _;
use std::time::Duration;

use postgres::config::Host;
use postgres::error::SqlState;
use postgres::types::{IsNull, ToSql, Type, private::BytesMut, to_sql_checked};
use postgres::{Client, Config, NoTls, Statement};

use super::pool::{Mode, Row, Sql, Value};
use super::{DatabaseConfig, StoreError};

/// A commit is on the disk whatever the server's default is; nobody waits, or lets others wait, without end.
const SETTINGS: &str =
    "SET synchronous_commit = on; SET statement_timeout = '30s'; SET lock_timeout = '10s';
    SET idle_in_transaction_session_timeout = '30s'; SET client_min_messages = warning";

/// For the changes of the tables: any number that other programs in the same database do not use.
const MIGRATE: &str = "BEGIN; SELECT pg_advisory_xact_lock(7020115)";

/// Reads the connection's text.
pub(super) fn settings(from: &DatabaseConfig) -> Result<Config, StoreError> {
    let mut config: Config = from.url.parse().map_err(|_| {
        StoreError::Invalid("database: neither sqlite: nor a PostgreSQL url".into())
    })?;
    if config.get_hosts().is_empty() {
        config.host_path("/run/postgresql");
    }
    let far = |host: &&Host| match host {
        Host::Tcp(name) => {
            name != "localhost"
                && !name.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
        }
        Host::Unix(_) => false,
    };
    let far = config.get_hosts().iter().any(|host| far(&host))
        || config.get_hostaddrs().iter().any(|address| !address.is_loopback());
    if far && !from.plain_network {
        let why = "database: another host would be spoken to without TLS; plain_network allows it";
        return Err(StoreError::Invalid(why.into()));
    }
    config.application_name("bulatd");
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(Duration::from_secs(5));
    }
    if config.get_tcp_user_timeout().is_none() {
        config.tcp_user_timeout(Duration::from_secs(15));
    }
    Ok(config)
}

pub(super) fn open(config: &Config) -> Result<Box<dyn Sql>, StoreError> {
    let mut client = config.connect(NoTls)?;
    client.batch_execute(SETTINGS)?;
    Ok(Box::new(Postgres { client, statements: HashMap::new() }))
}

struct Postgres {
    client: Client,
    statements: HashMap<&'static str, Statement>,
}

impl Postgres {
    fn prepared(&mut self, sql: &'static str) -> Result<Statement, postgres::Error> {
        if let Some(statement) = self.statements.get(sql) {
            return Ok(statement.clone());
        }
        let statement = self.client.prepare(sql)?;
        self.statements.insert(sql, statement.clone());
        Ok(statement)
    }
}

fn places(values: &[Value]) -> Vec<&(dyn ToSql + Sync)> {
    values.iter().map(|value| value as _).collect()
}

impl Sql for Postgres {
    fn query(&mut self, sql: &'static str, values: &[Value]) -> Result<Vec<Row>, StoreError> {
        let statement = self.prepared(sql)?;
        let rows = self.client.query(&statement, &places(values))?;
        let row = |row: &postgres::Row| {
            let value = |i: usize| match *row.columns()[i].type_() {
                Type::INT8 => row.try_get(i).map(Value::Int),
                Type::BYTEA => row.try_get(i).map(Value::Blob),
                _ => row.try_get(i).map(Value::Text),
            };
            (0..row.len()).map(value).collect::<Result<Row, _>>()
        };
        Ok(rows.iter().map(row).collect::<Result<_, _>>()?)
    }

    fn execute(&mut self, sql: &'static str, values: &[Value]) -> Result<u64, StoreError> {
        let statement = self.prepared(sql)?;
        Ok(self.client.execute(&statement, &places(values))?)
    }

    fn batch(&mut self, sql: &'static str) -> Result<(), StoreError> {
        Ok(self.client.batch_execute(sql)?)
    }

    fn begin(&mut self, mode: Mode) -> Result<(), StoreError> {
        self.batch(match mode {
            Mode::Read => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
            Mode::One | Mode::OneWrite | Mode::Write => "BEGIN",
            Mode::Migrate => MIGRATE,
        })
    }

    fn broken(&self) -> bool {
        self.client.is_closed()
    }
}

impl ToSql for Value {
    fn to_sql(
        &self,
        of: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        match self {
            Value::Int(v) => v.to_sql_checked(of, out),
            Value::Text(v) => v.to_sql_checked(of, out),
            Value::Blob(v) => v.to_sql_checked(of, out),
        }
    }
    fn accepts(_: &Type) -> bool {
        true
    }
    to_sql_checked!();
}

impl From<postgres::Error> for StoreError {
    fn from(e: postgres::Error) -> Self {
        let Some(code) = e.code() else {
            // The crate's own words, and the reason below them; a password is in neither.
            let why = e.source().map_or(String::new(), |source| format!(": {source}"));
            return StoreError::Unavailable(format!("{e}{why}"));
        };
        let text = e.as_db_error().map_or(e.to_string(), |e| e.message().to_owned());
        match *code {
            SqlState::UNIQUE_VIOLATION => StoreError::Exists,
            SqlState::DISK_FULL => StoreError::Full,
            SqlState::T_R_SERIALIZATION_FAILURE | SqlState::T_R_DEADLOCK_DETECTED => {
                StoreError::Again
            }
            SqlState::DATA_CORRUPTED | SqlState::INDEX_CORRUPTED => StoreError::Corrupt(text),
            _ if code.code().starts_with("22") => StoreError::Invalid(text),
            _ => StoreError::Unavailable(text),
        }
    }
}
