//! The configuration: one TOML file. Fields that are left out have the default values below; unknown fields are refused.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;
use zeroize::Zeroizing;

pub use crate::auth::CertificateRule;
pub use crate::log::Level;
pub use crate::root::RootConfig;
pub use crate::store::DatabaseConfig;

#[derive(Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    pub listen: Listen,
    pub tls: Option<Tls>,
    pub database: DatabaseConfig,
    pub root: RootConfig,
    pub audit: AuditConfig,
    pub limits: Limits,
    pub batch: Batch,
    pub keys: Keys,
    pub log: Log,
}

/// The addresses to listen on.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(default, deny_unknown_fields)]
pub struct Listen {
    /// TCP: with `[tls]`, or on loopback with `plain`.
    pub address: Option<SocketAddr>,
    /// HTTP without TLS, only on loopback.
    pub plain: bool,
    /// A Unix socket, always without TLS; the rights of its folder decide who may connect.
    pub unix: Option<PathBuf>,
}

impl Listen {
    /// Returns the address; by default, if there is no socket, port 8200 on loopback.
    pub fn tcp(&self) -> Option<SocketAddr> {
        let usual = || self.unix.is_none().then(|| ([127, 0, 0, 1], 8200).into());
        self.address.or_else(usual)
    }
}

/// Certificates, as PEM files.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Tls {
    /// The server's certificate, then those of its authorities.
    pub certificate: PathBuf,
    pub key: PathBuf,
    /// The authorities of clients' certificates; without it the server asks for none.
    pub client_ca: Option<PathBuf>,
    /// Revocation lists for clients' certificates; if there are any, each authority needs one.
    pub client_crl: Option<PathBuf>,
    /// Refuses clients without a certificate; otherwise they may show a token instead.
    #[serde(default)]
    pub require_client: bool,
    /// The policies of clients' certificates.
    #[serde(default)]
    pub clients: Vec<CertificateRule>,
}

#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(default, deny_unknown_fields)]
pub struct AuditConfig {
    /// The file; without one there is no audit log.
    pub file: Option<PathBuf>,
}

/// The most items of a batch in any configuration. One with up to four fields needs about 220 bytes of memory.
pub const BATCH: usize = 100_000;

/// Sizes, times, rates. A rate of 0 is no limit.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Bytes of a JSON body.
    pub body_bytes: usize,
    /// Bytes of all JSON bodies above 64 KiB in memory; requests beyond that are answered 429.
    pub bodies_bytes: usize,
    /// Items of `batch_input`.
    pub batch_items: usize,
    /// Concurrent streams, each with its own thread.
    pub streams: usize,
    /// Bytes of a streamed body.
    pub stream_bytes: u64,
    pub connections: usize,
    /// Open connections from one address that have shown no token or certificate.
    pub strangers: usize,
    /// Concurrent requests; those beyond that are answered 429.
    pub requests: usize,
    /// Requests a second of one token or certificate.
    pub rate: u32,
    /// Seconds for the head of a request, and for its body.
    pub read_seconds: u64,
    /// Seconds that a stop waits for accepted requests.
    pub stop_seconds: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            body_bytes: 32 << 20,
            bodies_bytes: 256 << 20,
            batch_items: 10_000,
            streams: 64,
            stream_bytes: 1 << 36,
            connections: 4096,
            strangers: 256,
            requests: 1024,
            rate: 0,
            read_seconds: 30,
            stop_seconds: 30,
        }
    }
}

/// Requests that arrive together.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(default, deny_unknown_fields)]
pub struct Batch {
    /// Requests share calls of the library.
    pub collect: bool,
    /// Microseconds that a call under load waits for more requests: at most 200.
    pub window_us: u64,
    /// Messages in one call.
    pub widest: usize,
}

impl Default for Batch {
    fn default() -> Self {
        Batch { collect: true, window_us: 200, widest: 256 }
    }
}

/// The behavior of a key version at its limit.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
pub enum AtLimit {
    #[default]
    Rotate,
    Refuse,
}

/// Limits of use of a key.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(default, deny_unknown_fields)]
pub struct Keys {
    /// The behavior of a key version at its limit.
    pub at_limit: AtLimit,
    /// Messages for which nonces are drawn from the database at once.
    pub reserve: u64,
    /// Seconds after which another replica's change is seen at the latest.
    pub refresh_seconds: u64,
    /// Bytes of used keys in memory; those that were not used for the longest time make room.
    pub cache_bytes: usize,
}

impl Default for Keys {
    fn default() -> Self {
        Keys {
            at_limit: AtLimit::Rotate,
            reserve: 4096,
            refresh_seconds: 1,
            cache_bytes: 256 << 20,
        }
    }
}

/// The log of operation, to standard error.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(default, deny_unknown_fields)]
pub struct Log {
    pub level: Level,
}

/// Reads a PEM file as OpenSSL does: with a mark before UTF-8, blanks around lines and empty lines, as editors leave them.
pub fn pem_text(path: &Path) -> std::io::Result<Zeroizing<Vec<u8>>> {
    let file = Zeroizing::new(std::fs::read(path)?);
    let text = file.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&file);
    let mut out = Zeroizing::new(Vec::with_capacity(text.len() + 1));
    for line in text.split(|c| matches!(c, b'\n' | b'\r')).map(<[u8]>::trim_ascii) {
        if !line.is_empty() {
            out.extend_from_slice(line);
            out.push(b'\n');
        }
    }
    Ok(out)
}

impl Config {
    /// Reads a file. Errors: a sentence for the user: the file cannot be read, or its error.
    pub fn read(path: &Path) -> Result<Config, String> {
        let text = std::fs::read_to_string(path)
            .map_err(|e| format!("cannot read {}: {e}", path.display()))?;
        let config =
            toml::from_str::<Config>(&text).map_err(|e| format!("{}: {e}", path.display()))?;
        config.check().map_err(|e| format!("{}: {e}", path.display()))?;
        Ok(config)
    }

    /// Returns a configuration for development: everything in memory, on loopback.
    pub fn development(address: SocketAddr) -> Config {
        Config {
            listen: Listen { address: Some(address), plain: true, unix: None },
            database: DatabaseConfig { url: "sqlite::memory:".into(), ..DatabaseConfig::default() },
            ..Config::default()
        }
    }

    /// Checks the rules that concern several fields.
    pub fn check(&self) -> Result<(), String> {
        let Config { listen, tls, database, root, limits, batch, keys, .. } = self;
        let (tcp, plain) = (listen.tcp(), listen.plain);
        let loopback = tcp.is_some_and(|address| address.ip().is_loopback());
        let sources = [root.file.is_some(), root.descriptor.is_some(), root.credential.is_some()];
        let sources = sources.iter().filter(|there| **there).count();
        let tls = tls.as_ref();
        let no_ca =
            |needs: fn(&Tls) -> bool| tls.is_some_and(|t| needs(t) && t.client_ca.is_none());
        let wrong_name = || tls.is_some_and(|tls| tls.clients.iter().any(|rule| !rule.right()));
        let rules = [
            (plain && !loopback, "[listen] plain: only on a loopback address"),
            (plain && tls.is_some(), "[listen] plain and [tls]: one of them"),
            (
                tcp.is_some() && tls.is_none() && !plain,
                "[tls] is missing; without TLS: plain = true on a loopback address, or unix without address",
            ),
            (no_ca(|tls| tls.require_client), "[tls] require_client needs client_ca"),
            (no_ca(|tls| tls.client_crl.is_some()), "[tls] client_crl needs client_ca"),
            (sources > 1, "[root]: one of file, descriptor, credential"),
            (
                root.next.is_some() && sources == 0,
                "[root] next needs file, descriptor or credential",
            ),
            (database.connections == 0, "[database] connections: at least 1"),
            (!(1..=3600).contains(&database.seconds), "[database] seconds: from 1 to 3600"),
            (batch.window_us > 200, "[batch] window_us: at most 200"),
            (batch.widest == 0, "[batch] widest: at least 1"),
            (keys.reserve == 0, "[keys] reserve: at least 1"),
            (keys.cache_bytes < 1 << 20, "[keys] cache_bytes: at least 1048576"),
            (limits.batch_items > BATCH, "[limits] batch_items: at most 100000"),
            (limits.requests == 0, "[limits] requests: 0 lets nobody in"),
            (limits.connections == 0, "[limits] connections: 0 lets nobody in"),
            (limits.strangers == 0, "[limits] strangers: 0 lets nobody in"),
            (limits.read_seconds == 0, "[limits] read_seconds: 0 lets no body in"),
            (
                !(1..=1 << 30).contains(&limits.body_bytes),
                "[limits] body_bytes: from 1 to 1073741824",
            ),
            (
                limits.bodies_bytes < limits.body_bytes.next_multiple_of(1 << 10),
                "[limits] bodies_bytes: at least one body of body_bytes, in whole KiB",
            ),
            (wrong_name(), "[[tls.clients]] name: a DNS name without wildcards, or an address"),
        ];
        match rules.iter().find(|(broken, _)| *broken) {
            Some((_, text)) => Err((*text).into()),
            None => Ok(()),
        }
    }
}

impl Limits {
    pub fn read(&self) -> Duration {
        Duration::from_secs(self.read_seconds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_files_are_refused() {
        for (text, word) in [
            ("[listen]\nadress = \"127.0.0.1:1\"", "adress"),
            ("[listen]\naddress = \"0.0.0.0:1\"\nplain = true", "loopback"),
            ("", "tls"),
            ("[listen]\nplain = true\n[batch]\nwindow_us = 201", "window_us"),
            ("[listen]\nplain = true\n[root]\nfile = \"a\"\ndescriptor = 3", "one of"),
            ("[listen]\nplain = true\n[limits]\nread_seconds = 0", "read_seconds"),
            ("[listen]\nplain = true\n[limits]\nbodies_bytes = 4096", "bodies_bytes"),
            ("[listen]\nplain = true\n[database]\nseconds = 9223372036854775807", "3600"),
            ("[listen]\nplain = true\n[database]\nurls = \"sqlite:a\"", "urls"),
            (
                "[tls]\ncertificate = \"a\"\nkey = \"b\"\n[[tls.clients]]\nname = \"*.example\"\npolicies = []",
                "clients",
            ),
        ] {
            let wrong = match toml::from_str::<Config>(text) {
                Ok(config) => config.check().unwrap_err(),
                Err(e) => e.to_string(),
            };
            assert!(wrong.contains(word), "{text}: {wrong}");
        }
        let right = Config::development(([127, 0, 0, 1], 0).into());
        assert_eq!(right.check(), Ok(()));
    }

    #[test]
    fn the_shipped_file() {
        let text = include_str!("../bulatd.toml");
        let shipped: Config = toml::from_str(text).expect("it can be read");
        assert_eq!(shipped.check(), Ok(()));
        assert_eq!(shipped.database.url, DatabaseConfig::default().url);
        // A value behind a # is the default of a field that is left out.
        let others = ["plain = ", "unix = ", "client_ca = ", "policies = ", "next = "];
        let all: String = text
            .lines()
            .map(|line| match line.strip_prefix("# ") {
                Some(field) if field.contains(" = ") && !field.starts_with("name") => field,
                _ => line,
            })
            .filter(|line| !others.iter().any(|other| line.starts_with(other)))
            .fold(String::new(), |all, line| all + line + "\n");
        let explicit: Config = toml::from_str(&all).expect("it can be read");
        assert!(explicit.limits == shipped.limits && explicit.limits == Limits::default());
        assert!(explicit.batch == shipped.batch && explicit.keys == shipped.keys);
        assert!(explicit.database.url == shipped.database.url && explicit.log == Log::default());
        // The file has every field of the limits.
        let names = text.split("[limits]").nth(1).and_then(|rest| rest.split("[batch]").next());
        assert_eq!(names.expect("there").matches(" = ").count(), 11);
    }
}
