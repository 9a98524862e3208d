//! The database: keys (wrapped), their counters, tokens (hashed), policies.
//!
//! | file | what it has |
//! |---|---|
//! | `mod.rs` | [`Store`], the records, the errors |
//! | `keys.rs`, `access.rs` | the calls; every SQL statement stands there, once for both databases |
//! | `pool.rs` | connections, transactions, reconnection |
//! | `sqlite.rs`, `postgres.rs` | the trait [`Sql`] on each database |
//! | `migrations.rs` | the tables |
//!
//! A call that returned `Ok` is durable. A call that changes keys first takes the next number of a counter in the
//! database, so that such changes stand in one order over all replicas, and the number is the key's `generation`.

use serde::Deserialize;

mod access;
mod keys;

/// Which database, and how many connections to it.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DatabaseConfig {
    /// `sqlite:/var/lib/bulatd/bulatd.db`, `sqlite::memory:`, or what the `postgres` crate reads:
    /// `postgres://user@host/name`, `host=/run/postgresql dbname=bulatd`.
    pub url: String,
    /// The most connections held at once (in memory: always one).
    #[serde(default = "four")]
    pub connections: usize,
    /// PostgreSQL is spoken to without TLS: another host than this one is refused unless this is set.
    #[serde(default)]
    pub plain_network: bool,
}

fn four() -> usize {
    4
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
    /// The version's limit of messages or bytes would be passed, or it no longer encrypts: rotate.
    Limit,
    /// The root key was rotated: the wrap was made under an old one. Load the root key again.
    RootChanged,
    /// A value that is not allowed, and why (400).
    Invalid(String),
    /// The database cannot be reached or does not answer (503). What was asked may or may not have happened.
    Unavailable(String),
    /// No room on the disk (507).
    Full,
    /// What is in the database makes no sense (500).
    Corrupt(String),
}

/// A secret of a key version, wrapped: [`crate::root`] makes and opens it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrapped {
    /// The number of the root key.
    pub root: u32,
    /// Nonce, ciphertext, tag.
    pub bytes: Vec<u8>,
}

/// A key, all of it but the counters of use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyRecord {
    pub name: String,
    /// `kuznyechik-mgm`, …
    pub kind: String,
    pub derived: bool,
    pub exportable: bool,
    pub allow_plaintext_backup: bool,
    pub deletion_allowed: bool,
    pub min_decryption_version: u32,
    /// 0: the latest.
    pub min_encryption_version: u32,
    /// Versions below were trimmed; 0: none.
    pub min_available_version: u32,
    pub latest: u32,
    /// Seconds; 0: never.
    pub auto_rotate_period: u64,
    /// Seconds since 1970.
    pub created: u64,
    /// Another with each change, never the same twice, also when a key is deleted and made again.
    pub generation: u64,
    /// Those there are, in order.
    pub versions: Vec<VersionRecord>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionRecord {
    pub version: u32,
    pub wrapped: Wrapped,
    pub created: u64,
}

/// What [`Store::create`] needs.
#[derive(Clone)]
pub struct NewKey {
    pub name: String,
    pub kind: String,
    pub derived: bool,
    pub exportable: bool,
    pub allow_plaintext_backup: bool,
    pub auto_rotate_period: u64,
    /// Version 1.
    pub wrapped: Wrapped,
    pub created: u64,
}

/// What [`Store::configure`] changes; `None`: as it is.
#[derive(Clone, Default)]
pub struct Changes {
    pub min_decryption_version: Option<u32>,
    pub min_encryption_version: Option<u32>,
    pub deletion_allowed: Option<bool>,
    pub exportable: Option<bool>,
    pub allow_plaintext_backup: Option<bool>,
    pub auto_rotate_period: Option<u64>,
}

/// The most that a version may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    pub messages: u64,
    pub bytes: u64,
}

/// Numbers `first .. first + messages`, this caller's alone and for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reservation {
    pub first: u64,
    pub messages: u64,
    pub bytes: u64,
    /// The key's generation in that moment: another than the cached one, and the cache is stale.
    pub generation: u64,
}

/// How much a version was used, reservations counted as used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Used {
    pub messages: u64,
    pub bytes: u64,
}

/// A token; the token itself is nowhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenRecord {
    /// Streebog-256 of the token.
    pub hash: Vec<u8>,
    /// A public name of it, to revoke it by.
    pub accessor: String,
    pub display_name: String,
    pub policies: Vec<String>,
    pub created: u64,
    /// Seconds since 1970; 0: never.
    pub expires: u64,
    /// The time of life it was given, in seconds; 0: no end.
    pub ttl: u64,
    pub renewable: bool,
}

/// How often keys, and tokens or policies, were changed: the same number, and caches are right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counters {
    pub keys: u64,
    pub access: u64,
}

/// The database.
pub struct Store {}

impl Store {
    /// Connects, and brings the tables up to date.
    pub fn open(config: &DatabaseConfig) -> Result<Store, StoreError> {
        let _ = config;
        unimplemented!()
    }
    /// Whether the database answers.
    pub fn health(&self) -> Result<(), StoreError> {
        unimplemented!()
    }
    pub fn counters(&self) -> Result<Counters, StoreError> {
        unimplemented!()
    }
    pub fn meta(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let _ = name;
        unimplemented!()
    }
    pub fn set_meta(&self, name: &str, value: &[u8]) -> Result<(), StoreError> {
        let _ = (name, value);
        unimplemented!()
    }
}
