//! PostgreSQL, for several replicas: on a Unix socket, over TLS, or in plain between machines that trust each other
//! (`plain_network`). Every wait also ends on this side: a server that is stopped does not keep its own timeouts.

use std::error::Error as _;
use std::future::Future;
use std::io;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use rustls::ClientConfig;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::runtime::Runtime;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres::error::SqlState;
use tokio_postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};
use tokio_postgres::types::{IsNull, ToSql, Type, private::BytesMut, to_sql_checked};
use tokio_postgres::{Client, Config};

use super::pool::{Mode, Row, Sql, Value, news, storable};
use super::{DatabaseConfig, Result, StoreError};
use crate::urls::decoded;

/// Makes a commit wait for the disk whatever the server's default is, and ends every wait. All settings are of one
/// transaction, and no statement has a name, so that a pooler may give each transaction another connection.
const SETTINGS: &str = "SET LOCAL synchronous_commit = on; SET LOCAL statement_timeout = '30s'; SET LOCAL idle_in_transaction_session_timeout = '30s'";

/// Locks of the database: for changes of the tables; shared for changes of rows, exclusive for changes of everything.
/// They may have any numbers that no other program in the same database uses.
const TABLES: u32 = 7_020_115;
const ROWS: u32 = 7_020_116;

/// The time of a statement that works on all rows: more than the server's own, so that the server ends it.
const LONG: Duration = Duration::from_secs(40);

/// The way to the server, and the thread that waits for it.
pub(super) struct Link {
    runtime: Option<Runtime>,
    config: Config,
    tls: Tls,
    /// The time of a call.
    patience: Duration,
}

impl Link {
    pub(super) fn new(from: &DatabaseConfig, patience: Duration) -> Result<Link> {
        let (mut config, tls) = settings(from)?;
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(patience);
        }
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("postgresql")
            .enable_all()
            .build()
            .map_err(|e| StoreError::Unavailable(e.to_string()))?;
        Ok(Link { runtime: Some(runtime), config, tls, patience })
    }

    /// Waits for an answer until a time.
    fn wait<T>(
        &self,
        until: Instant,
        work: impl Future<Output = Result<T, tokio_postgres::Error>>,
    ) -> Result<T> {
        let runtime = self.runtime.as_ref().ok_or_else(late)?;
        let left = until.saturating_duration_since(Instant::now());
        match runtime.block_on(async { timeout(left, work).await }) {
            Ok(done) => Ok(done?),
            Err(_) => Err(late()),
        }
    }
}

impl Drop for Link {
    /// Does not wait, since the runtime may end within another.
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

fn late() -> StoreError {
    StoreError::Unavailable("no answer in time".into())
}

fn invalid<T>(why: impl Into<String>) -> Result<T> {
    Err(StoreError::Invalid(format!("database: {}", why.into())))
}

/// Reads the connection's text. The crate does not know `sslmode` and `sslrootcert` as libpq does: here TLS always
/// checks the server's name.
fn settings(from: &DatabaseConfig) -> Result<(Config, Tls)> {
    let Some((text, mode, root)) = words(&from.url) else {
        return invalid("url: sslmode or sslrootcert cannot be read");
    };
    let Ok(mut config) = text.parse::<Config>() else {
        return invalid("url is neither sqlite: nor a PostgreSQL url");
    };
    if config.get_hosts().is_empty() && config.get_hostaddrs().is_empty() {
        config.host_path("/run/postgresql");
    }
    let unix = config.get_hosts().iter().any(|host| matches!(host, Host::Unix(_)));
    let far = |host: &&Host| match host {
        Host::Tcp(name) => {
            name != "localhost"
                && !name.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
        }
        Host::Unix(_) => false,
    };
    let far = config.get_hosts().iter().any(|host| far(&host))
        || config.get_hostaddrs().iter().any(|address| !address.is_loopback());
    let tls = match (mode.as_deref(), root) {
        (Some("verify-full"), Some(root)) => Some(root),
        (Some("verify-full"), None) => {
            return invalid("sslmode=verify-full needs sslrootcert=FILE");
        }
        (None | Some("disable"), Some(_)) => {
            return invalid("sslrootcert needs sslmode=verify-full");
        }
        (None | Some("disable"), None) => None,
        (Some(_), _) => {
            return invalid("sslmode: disable, or verify-full, which checks the server's name");
        }
    };
    if tls.is_some() && (unix || from.plain_network) {
        return invalid("sslmode=verify-full: not on a Unix socket, nor with plain_network");
    }
    if far && tls.is_none() && !from.plain_network {
        return invalid(
            "the server is on another host: ask for TLS with sslmode=verify-full and sslrootcert=FILE, \
             or set plain_network to do without",
        );
    }
    config.ssl_mode(if tls.is_some() { SslMode::Require } else { SslMode::Disable });
    config.application_name("bulatd");
    if config.get_tcp_user_timeout().is_none() {
        config.tcp_user_timeout(Duration::from_secs(15));
    }
    let tls = tls.map(|root| roots(&root)).transpose()?;
    Ok((config, Tls(tls)))
}

/// Splits `sslmode` and `sslrootcert` off a connection's text; `None` if a quote or a percent sign is wrong.
fn words(text: &str) -> Option<(String, Option<String>, Option<String>)> {
    let (mut mode, mut root) = (None, None);
    let mut own = |name: &str, value: String| match name {
        "sslmode" => mode.replace(value).is_none().then_some(true),
        "sslrootcert" => root.replace(value).is_none().then_some(true),
        _ => Some(false),
    };
    let mut rest = String::new();
    if text.starts_with("postgres://") || text.starts_with("postgresql://") {
        let (head, query) = text.split_once('?').unwrap_or((text, ""));
        let mut kept = Vec::new();
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            if !own(name, decoded(value)?)? {
                kept.push(pair);
            }
        }
        rest.push_str(head);
        if !kept.is_empty() {
            rest.push('?');
            rest.push_str(&kept.join("&"));
        }
        return Some((rest, mode, root));
    }
    let mut left = text.trim_start();
    while let Some((name, after)) = left.split_once('=') {
        let after = after.trim_start();
        let (mut value, mut end, mut escaped) = (String::new(), after.len(), false);
        let quoted = after.starts_with('\'');
        let mut closed = !quoted;
        for (i, c) in after.char_indices().skip(usize::from(quoted)) {
            match c {
                _ if escaped => {
                    value.push(c);
                    escaped = false;
                }
                '\\' => escaped = true,
                '\'' if quoted => {
                    (end, closed) = (i + 1, true);
                    break;
                }
                c if c.is_whitespace() && !quoted => {
                    end = i;
                    break;
                }
                c => value.push(c),
            }
        }
        if !closed || escaped {
            return None;
        }
        if !own(name.trim(), value)? {
            rest.push_str(&format!("{}={} ", name.trim(), &after[..end]));
        }
        left = after[end..].trim_start();
    }
    rest.push_str(left);
    Some((rest, mode, root))
}

/// Makes a configuration of TLS that trusts the authorities in a file.
fn roots(path: &str) -> Result<Arc<ClientConfig>> {
    let wrong = |e: &dyn std::fmt::Display| {
        StoreError::Invalid(format!("database: sslrootcert {path}: {e}"))
    };
    let mut roots = rustls::RootCertStore::empty();
    let text = crate::config::pem_text(Path::new(path)).map_err(|e| wrong(&e))?;
    for certificate in CertificateDer::pem_slice_iter(&text) {
        let certificate = certificate.map_err(|e| wrong(&e))?;
        roots.add(certificate).map_err(|e| wrong(&e))?;
    }
    if roots.is_empty() {
        return Err(wrong(&"no certificate"));
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|e| wrong(&e))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"postgresql".to_vec()];
    Ok(Arc::new(config))
}

/// The connector of TLS; `None`: without TLS.
#[derive(Clone)]
struct Tls(Option<Arc<ClientConfig>>);

struct TlsTo(Option<Arc<ClientConfig>>, String);

/// A connection under TLS.
struct Wire<S>(tokio_rustls::client::TlsStream<S>);

impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> MakeTlsConnect<S> for Tls {
    type Stream = Wire<S>;
    type TlsConnect = TlsTo;
    type Error = io::Error;
    fn make_tls_connect(&mut self, name: &str) -> io::Result<TlsTo> {
        Ok(TlsTo(self.0.clone(), name.into()))
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> TlsConnect<S> for TlsTo {
    type Stream = Wire<S>;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Wire<S>>> + Send>>;
    fn connect(self, stream: S) -> Self::Future {
        Box::pin(async move {
            let config = self.0.ok_or_else(|| io::Error::other("TLS is off"))?;
            let name = ServerName::try_from(self.1).map_err(io::Error::other)?;
            tokio_rustls::TlsConnector::from(config).connect(name, stream).await.map(Wire)
        })
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> TlsStream for Wire<S> {
    fn channel_binding(&self) -> ChannelBinding {
        ChannelBinding::none()
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for Wire<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        to: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(cx, to)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Wire<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        from: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(cx, from)
    }
    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(cx)
    }
    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(cx)
    }
}

/// The task that moves a connection's bytes; it ends when this value is dropped.
struct Moving(JoinHandle<()>);

impl Drop for Moving {
    fn drop(&mut self) {
        self.0.abort();
    }
}

pub(super) fn open(link: &Arc<Link>, until: Instant) -> Result<Box<dyn Sql>> {
    let (client, moving) = link.wait(until, async {
        let (client, connection) = link.config.connect(link.tls.clone()).await?;
        let moving = Moving(tokio::spawn(async move {
            // An error shows in the answers.
            let _ = connection.await;
        }));
        Ok((client, moving))
    })?;
    let link = link.clone();
    Ok(Box::new(Postgres { link, client, _moving: moving, until: None, late: false }))
}

struct Postgres {
    link: Arc<Link>,
    client: Client,
    _moving: Moving,
    until: Option<Instant>,
    /// The server did not answer in time. A later answer belongs to no call.
    late: bool,
}

impl Postgres {
    fn wait<T>(
        &mut self,
        work: impl AsyncFnOnce(&Client) -> Result<T, tokio_postgres::Error>,
    ) -> Result<T> {
        let until = self.until.unwrap_or_else(|| Instant::now() + LONG);
        let done = self.link.wait(until, work(&self.client));
        self.late |= done.is_err() && Instant::now() >= until;
        done
    }
}

/// Returns values with their types, which a statement without a name needs.
fn places(values: &[Value]) -> Vec<(&(dyn ToSql + Sync), Type)> {
    let of = |value: &Value| match value {
        Value::Int(_) => Type::INT8,
        Value::Text(_) => Type::TEXT,
        Value::Blob(_) => Type::BYTEA,
    };
    values.iter().map(|value| (value as _, of(value))).collect()
}

impl Sql for Postgres {
    fn query(&mut self, sql: &'static str, values: &[Value]) -> Result<Vec<Row>> {
        if storable(values).is_err() {
            // No stored text has a NUL, so no row matches.
            return Ok(Vec::new());
        }
        let rows = self.wait(async |client| client.query_typed(sql, &places(values)).await)?;
        let row = |row: &tokio_postgres::Row| {
            let value = |i: usize| match *row.columns()[i].type_() {
                Type::INT8 => row.try_get(i).map(Value::Int),
                Type::BYTEA => row.try_get(i).map(Value::Blob),
                _ => row.try_get(i).map(Value::Text),
            };
            (0..row.len()).map(value).collect::<Result<Row, _>>()
        };
        Ok(rows.iter().map(row).collect::<Result<_, _>>()?)
    }

    fn execute(&mut self, sql: &'static str, values: &[Value]) -> Result<u64> {
        if let Err(e) = storable(values) {
            return if sql.starts_with("DELETE") { Ok(0) } else { Err(e) };
        }
        self.wait(async |client| client.execute_typed(sql, &places(values)).await)
    }

    fn batch(&mut self, sql: &'static str) -> Result<()> {
        self.wait(async |client| client.batch_execute(sql).await)
    }

    fn begin(&mut self, mode: Mode) -> Result<()> {
        let begin = match mode {
            Mode::Read => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
            _ => "BEGIN",
        };
        // The wait for a lock ends before the call does: the server answers, and other calls continue.
        let wait = self.link.patience.as_millis() / 2;
        let lock = match mode {
            Mode::Write => format!("; SELECT pg_advisory_xact_lock_shared({ROWS})"),
            Mode::Whole => format!("; SELECT pg_advisory_xact_lock({ROWS})"),
            Mode::Migrate => format!("; SELECT pg_advisory_xact_lock({TABLES})"),
            _ => String::new(),
        };
        let text = format!("{begin}; {SETTINGS}; SET LOCAL lock_timeout = {wait}{lock}");
        self.wait(async |client| client.batch_execute(&text).await)
    }

    fn postgresql(&self) -> bool {
        true
    }

    fn number(&mut self) -> Result<u64> {
        super::one(self.query("SELECT nextval('numbers')", &[])?)
    }

    fn lock(&mut self, name: &str) -> Result<()> {
        const SQL: &str = "SELECT name FROM keys WHERE name = $1 FOR NO KEY UPDATE";
        self.query(SQL, &[super::text(name)]).map(|_| ())
    }

    fn note(&mut self, what: u64, name: &str) -> Result<()> {
        const SQL: &str = "INSERT INTO changes (place, what, name, made)
            VALUES (pg_current_xact_id()::TEXT::BIGINT, $1, $2, EXTRACT(EPOCH FROM now())::BIGINT)";
        self.execute(SQL, &[super::number(what), super::text(name)]).map(|_| ())
    }

    fn forget_all(&mut self) -> Result<()> {
        const SQL: &str = "UPDATE counters SET value = pg_current_xact_id()::TEXT::BIGINT + 1 WHERE name = 'pruned'";
        self.execute(SQL, &[]).map(|_| ())
    }

    fn news_sql(&self) -> &'static str {
        // Transactions end in any order. This statement sees all that have a lower number than the least one in progress, so
        // the next reader begins there: it may see a change twice, and misses none.
        news!("pg_snapshot_xmin(pg_current_snapshot())::TEXT::BIGINT")
    }

    fn time(&mut self) -> Result<u64> {
        const SQL: &str = "SELECT EXTRACT(EPOCH FROM now())::BIGINT";
        match self.query(SQL, &[])?.first().map(Vec::as_slice) {
            Some([Value::Int(now)]) => Ok(u64::try_from(*now).unwrap_or(0)),
            _ => Err(StoreError::Corrupt("the database gave no time".into())),
        }
    }

    fn until(&mut self, until: Option<Instant>) {
        self.until = until;
    }

    fn broken(&self) -> bool {
        self.late || self.client.is_closed()
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

impl From<tokio_postgres::Error> for StoreError {
    fn from(e: tokio_postgres::Error) -> Self {
        let Some(code) = e.code() else {
            // The crate's own text and the reason below it. Neither has a password.
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
            SqlState::DATA_CORRUPTED | SqlState::INDEX_CORRUPTED => super::damaged(text),
            // A value of the client, refused in a text that is not the server's.
            _ if code.code().starts_with("22") => {
                StoreError::Invalid("a value that the database does not accept".into())
            }
            _ => StoreError::Unavailable(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_connections() {
        let of = |text: &str| words(text).expect("words");
        let some = |text: &str| Some(text.to_string());
        assert_eq!(
            of("postgres://u@h/d?sslmode=verify-full&connect_timeout=3&sslrootcert=/a%20b"),
            ("postgres://u@h/d?connect_timeout=3".into(), some("verify-full"), some("/a b"))
        );
        assert_eq!(
            of("postgres://u@h/d?sslmode=disable"),
            ("postgres://u@h/d".into(), some("disable"), None)
        );
        assert_eq!(
            of("host=h  sslmode = verify-full sslrootcert='/a \\'b' user=u"),
            ("host=h user=u ".into(), some("verify-full"), some("/a 'b"))
        );
        assert_eq!(of("host='a b' user=u"), ("host='a b' user=u ".into(), None, None));
        for wrong in ["host='a", "sslmode=a sslmode=b", "postgres://h/d?sslrootcert=%zz"] {
            assert_eq!(words(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn tls_is_whole_or_not_there() {
        for (url, plain_network, word) in [
            ("host=db.example user=u", false, "plain_network"),
            ("host=db.example user=u sslmode=disable", false, "plain_network"),
            ("host=db.example sslmode=require", false, "verify-full"),
            ("host=db.example sslmode=prefer", true, "verify-full"),
            ("host=db.example sslmode=verify-full", false, "sslrootcert"),
            ("host=db.example sslrootcert=/x", false, "sslmode"),
            ("host=/run sslmode=verify-full sslrootcert=/x", false, "Unix"),
            ("host=db.example sslmode=verify-full sslrootcert=/x", true, "plain_network"),
            ("host=db.example sslmode=verify-full sslrootcert=/nowhere", false, "/nowhere"),
            ("host=db.example sslcert=/x", false, "PostgreSQL url"),
        ] {
            let from =
                DatabaseConfig { url: url.into(), connections: 1, plain_network, seconds: 1 };
            match settings(&from) {
                Err(StoreError::Invalid(why)) => assert!(why.contains(word), "{url}: {why}"),
                _ => panic!("{url}"),
            }
        }
    }
}
