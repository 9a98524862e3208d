//! Databases for tests: a folder for SQLite, a server for PostgreSQL.
#![allow(dead_code)]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use bulatd::config::DatabaseConfig;
use bulatd::root::{Root, RootKey};
use bulatd::store::{Limits, NewKey, Reservation, Store, StoreError, Wrapped};

/// A database that lives as long as the store.
pub const MEMORY: &str = "sqlite::memory:";

/// Limits that are never reached.
pub const MANY: Limits = Limits { messages: 1 << 62, bytes: 1 << 62 };

/// Makes a configuration of the store.
pub fn config(url: &str) -> DatabaseConfig {
    DatabaseConfig { url: url.into(), ..DatabaseConfig::default() }
}

/// Opens a store that knows no root key.
pub fn bare(url: &str) -> Store {
    Store::open(&config(url)).expect("a store")
}

/// Opens a store with root key 1, which an empty database gets first.
pub fn open(url: &str) -> Store {
    let store = bare(url);
    let _ = Root::create(&store, &root(1));
    let _ = Root::default().unseal(&store, &root(1));
    store
}

/// A PostgreSQL server on a Unix socket in its own folder. It stops when this value is dropped.
pub struct Cluster {
    bin: PathBuf,
    folder: tempfile::TempDir,
}

impl Cluster {
    /// Starts a server; `None`, with a line that says so, if PostgreSQL is not installed.
    pub fn start() -> Option<Cluster> {
        let newest = |folder: &str| {
            let mut all: Vec<_> = std::fs::read_dir(folder).ok()?.flatten().collect();
            all.sort_by_key(|entry| entry.file_name());
            all.pop().map(|entry| entry.path().join("bin"))
        };
        let bin = std::env::var_os("BULATD_POSTGRES")
            .map(PathBuf::from)
            .or_else(|| newest("/usr/lib/postgresql"));
        let Some(bin) = bin.filter(|bin| bin.join("initdb").exists()) else {
            eprintln!("PostgreSQL is not installed: nothing is tested with it");
            return None;
        };
        let folder = tempfile::tempdir().expect("a folder");
        let cluster = Cluster { bin, folder };
        if privileged() {
            let path = cluster.folder.path();
            assert!(
                Command::new("chown").arg("postgres").arg(path).status().expect("chown").success()
            );
        }
        let made = cluster
            .tool("initdb")
            .args(["-N", "-A", "trust", "-U", "bulatd", "--no-locale", "-E", "UTF8", "-D"])
            .arg(cluster.data())
            .output();
        assert!(made.expect("initdb").status.success());
        cluster.up();
        Some(cluster)
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// Returns a command for another user: the server refuses to run as root.
    fn tool(&self, name: &str) -> Command {
        let mut command = Command::new("setpriv");
        if privileged() {
            command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups"]);
        }
        command.arg(self.bin.join(name)).current_dir(self.folder.path()).stdin(Stdio::null());
        command
    }

    fn control(&self, words: &[&str]) {
        let log = self.folder.path().join("log");
        let mut command = self.tool("pg_ctl");
        command.args(words).arg("-w").arg("-D").arg(self.data()).arg("-l").arg(log);
        let socket = format!("-k {} -c listen_addresses=", self.folder.path().display());
        command.arg("-o").arg(socket).stdout(Stdio::null()).stderr(Stdio::null());
        assert!(command.status().expect("pg_ctl").success(), "pg_ctl {words:?}");
    }

    /// Starts the server.
    pub fn up(&self) {
        self.control(&["start"]);
    }

    /// Stops the server, even with open connections.
    pub fn down(&self) {
        self.control(&["stop", "-m", "immediate"]);
    }

    /// Makes a new database.
    pub fn database(&self, name: &str) -> String {
        let url =
            |name: &str| format!("host={} user=bulatd dbname={name}", self.folder.path().display());
        let mut client =
            postgres::Client::connect(&url("postgres"), postgres::NoTls).expect("a server");
        client.batch_execute(&format!("CREATE DATABASE {name}")).expect("a database");
        url(name)
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let _ =
            self.tool("pg_ctl").args(["stop", "-m", "immediate", "-D"]).arg(self.data()).output();
    }
}

/// Returns whether this process runs as root.
pub fn privileged() -> bool {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata("/proc/self").is_ok_and(|meta| meta.uid() == 0)
}

/// Returns a url of SQLite in a folder.
pub fn sqlite(folder: &Path) -> String {
    format!("sqlite:{}", folder.join("bulatd.db").display())
}

/// Makes a folder, and returns it with the url of an empty database in it.
pub fn database() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let url = sqlite(folder.path());
    (folder, url)
}

/// Returns the values of a key to be created.
pub fn key(name: &str, wrapped: Wrapped) -> NewKey {
    NewKey {
        name: name.into(),
        kind: "kuznyechik-mgm".into(),
        wrapped,
        created: 1,
        ..NewKey::default()
    }
}

/// Returns a wrap that nothing opens.
pub fn some(root: u32) -> Wrapped {
    Wrapped { root, bytes: vec![7; 64] }
}

/// Returns the root key of a number: the number, 32 times.
pub fn root(n: u8) -> RootKey {
    RootKey::parse(&[n; 32]).expect("a key")
}

/// Draws numbers of a key as it is now.
pub fn draw(
    store: &Store,
    name: &str,
    version: u32,
    messages: u64,
    bytes: u64,
    limits: Limits,
) -> Result<Reservation, StoreError> {
    let incarnation = store.key(name)?.map_or(0, |key| key.incarnation);
    store.reserve(name, incarnation, version, [messages, bytes], limits)
}
