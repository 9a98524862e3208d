//! Keys: their types, their versions, the nonces that are counted, the strings that carry a ciphertext.
//!
//! Nonces. A version's messages are numbered in the database, and a number is given out once. A replica draws a block of
//! numbers and leaves unused what it does not need. Magma's nonce is the number in 63 bits; Kuznyechik's is 63 random bits,
//! drawn with each block, and the number.
//!
//! Associated data: name, type, version and context, each with its length before it, then what the caller gave.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bulat::Secret;
use bulat::algorithm::{Algorithm, KdfParams, Key, Params};
use zeroize::Zeroizing;

use crate::config;
use crate::http::errors::Failure;
use crate::metrics::Metrics;
use crate::root::{Root, RootKey};
use crate::store::{Changes, KeyRecord, Limits, NewKey, Store, StoreError};

/// A type of keys.
pub struct Kind {
    /// Its name, which is the algorithm's too.
    pub name: &'static str,
    /// Bytes of secret in a version: a cipher's key and the key of its MACs, or a MAC's key.
    pub secret: usize,
    /// The hash of its MACs where none is named.
    pub hash: &'static str,
    /// Bytes of a block and of a nonce; 0: it does not encrypt.
    pub block: usize,
    /// Bytes under one version, whole blocks, with four more for each message (RFC 9058, section 6).
    pub limit: u64,
}

/// All types. The limits keep 3(s + 4q)^2 / 2^n (RFC 9058, section 6) at 2^-32 and 2^-26.
pub const KINDS: &[Kind] = &[
    Kind { name: "kuznyechik-mgm", secret: 64, hash: "streebog256", block: 16, limit: 1 << 51 },
    Kind { name: "magma-mgm", secret: 64, hash: "streebog256", block: 8, limit: 1 << 21 },
    Kind { name: "hmac-streebog256", secret: 32, hash: "streebog256", block: 0, limit: u64::MAX },
    Kind { name: "hmac-streebog512", secret: 64, hash: "streebog512", block: 0, limit: u64::MAX },
];

impl Kind {
    /// The type of a name; the first without one.
    ///
    /// # Errors
    /// 400 for a name that is none.
    pub fn find(name: &str) -> Result<&'static Kind, Failure> {
        let name = if name.is_empty() { KINDS[0].name } else { name };
        KINDS.iter().find(|kind| kind.name == name).ok_or_else(|| {
            let names: Vec<_> = KINDS.iter().map(|kind| kind.name).collect();
            Failure::bad(format!("unknown key type; there are {}", names.join(", ")))
        })
    }
    /// Whether its keys encrypt.
    pub fn encrypts(&self) -> bool {
        self.block > 0
    }
    /// Bytes that a message counts for, and at most what a version has: two of text and data that fill blocks.
    pub fn charge(&self, text: usize, aad: usize) -> u64 {
        let blocks = text.div_ceil(self.block) + aad.div_ceil(self.block) + 4;
        (blocks * self.block) as u64
    }
    fn algorithm(&self) -> Result<&'static Algorithm, Failure> {
        Ok(bulat::algorithm(self.name)?)
    }
}

/// A secret of one version.
pub struct Version {
    /// Which one.
    pub number: u32,
    secret: Zeroizing<Vec<u8>>,
    /// The prepared key, where contexts do not make others of it.
    aead: Option<Arc<Key>>,
    numbers: Mutex<Numbers>,
    /// Who draws the next numbers.
    drawing: tokio::sync::Mutex<()>,
}

/// Numbers that this process has drawn and not used.
#[derive(Default)]
struct Numbers {
    random: [u8; 8],
    next: u64,
    messages: u64,
    bytes: u64,
}

/// Nonces of one call.
pub struct Nonces {
    random: [u8; 8],
    first: u64,
    block: usize,
}

impl Nonces {
    /// The nonce of the call's message `i`.
    pub fn get(&self, i: usize) -> Vec<u8> {
        let number = (self.first + i as u64).to_be_bytes();
        if self.block == 16 { [self.random, number].concat() } else { number.to_vec() }
    }
}

impl Numbers {
    fn take(&mut self, messages: u64, bytes: u64, block: usize) -> Option<Nonces> {
        if self.messages < messages || self.bytes < bytes {
            return None;
        }
        let nonces = Nonces { random: self.random, first: self.next, block };
        self.next += messages;
        self.messages -= messages;
        self.bytes -= bytes;
        Some(nonces)
    }
}

/// A key as this process knows it.
pub struct Entry {
    /// What the database has of it.
    pub record: KeyRecord,
    /// Its type.
    pub kind: &'static Kind,
    versions: Mutex<HashMap<u32, Arc<Version>>>,
    /// The database's count of changes when this was last known to be right.
    seen: AtomicU64,
}

/// All keys.
pub struct Ring {
    store: Arc<Store>,
    root: Arc<Root>,
    root_config: config::RootConfig,
    config: config::Keys,
    entries: RwLock<HashMap<String, Arc<Entry>>>,
    /// The count of changes, and when it was asked for.
    counted: tokio::sync::Mutex<Option<(Instant, u64)>>,
    metrics: Arc<Metrics>,
}

/// Turns that a call takes while others change its key.
const TURNS: usize = 8;

impl Ring {
    /// Forgets the root key and all keys.
    pub fn seal(&self) {
        self.root.seal();
        self.entries.write().unwrap_or_else(PoisonError::into_inner).clear();
    }
    /// Reads the root key again.
    ///
    /// # Errors
    /// 503 without the right one.
    pub async fn unseal(&self) -> Result<(), Failure> {
        let config = self.root_config.clone();
        let work = move |store: &Store, root: &Root| {
            let key = RootKey::read(&config).ok().flatten().ok_or(StoreError::Sealed)?;
            root.unseal(store, &key)
        };
        self.ask(work).await?;
        self.changed().await;
        Ok(())
    }
    /// Whether the root key is there.
    pub fn unsealed(&self) -> bool {
        self.root.unsealed()
    }
    /// Over a database, under a root key.
    pub fn new(
        store: Arc<Store>,
        root: Arc<Root>,
        config: &config::Config,
        metrics: Arc<Metrics>,
    ) -> Ring {
        Ring {
            store,
            root,
            root_config: config.root.clone(),
            config: config.keys.clone(),
            entries: RwLock::default(),
            counted: tokio::sync::Mutex::new(None),
            metrics,
        }
    }

    /// Database work, off the threads that answer.
    ///
    /// # Errors
    /// The store's, as answers.
    pub async fn ask<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Store, &Root) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, Failure> {
        let (store, root) = (self.store.clone(), self.root.clone());
        tokio::task::spawn_blocking(move || work(&store, &root))
            .await
            .map_err(|_| Failure::internal("internal error"))?
            .map_err(Failure::from)
    }

    /// How often keys were changed, asked for at most once in the time that the configuration gives.
    async fn count(&self, now: bool) -> Result<u64, Failure> {
        let mut counted = self.counted.lock().await;
        let fresh = Duration::from_secs(self.config.refresh_seconds);
        match *counted {
            Some((when, count)) if !now && when.elapsed() < fresh => Ok(count),
            _ => {
                let when = Instant::now();
                let root = self.root_config.clone();
                let work = move |store: &Store, key: &Root| {
                    let counters = store.counters()?;
                    key.follow(store, &counters, &root)?;
                    Ok(counters.keys)
                };
                let count = self.ask(work).await?;
                *counted = Some((when, count));
                Ok(count)
            }
        }
    }

    /// Looks at the database at once; a replica that has missed a rotation of the root key finds the new one so.
    pub async fn look(&self) {
        let _ = self.count(true).await;
    }

    /// A key of this name.
    ///
    /// # Errors
    /// 404 when there is none; what the database says.
    pub async fn entry(&self, name: &str) -> Result<Arc<Entry>, Failure> {
        if !self.root.unsealed() {
            return Err(Failure::sealed());
        }
        let count = self.count(false).await?;
        let known = self.entries.read().unwrap_or_else(PoisonError::into_inner).get(name).cloned();
        if let Some(entry) = &known {
            if entry.seen.load(Relaxed) == count {
                return Ok(entry.clone());
            }
            let asked = name.to_string();
            let generation = self.ask(move |store, _| store.generation(&asked)).await?;
            if generation == Some(entry.record.generation) {
                entry.seen.store(count, Relaxed);
                return Ok(entry.clone());
            }
        }
        let asked = name.to_string();
        let record = self.ask(move |store, _| store.key(&asked)).await?;
        let mut entries = self.entries.write().unwrap_or_else(PoisonError::into_inner);
        let Some(record) = record else {
            entries.remove(name);
            return Err(Failure::absent());
        };
        // Somebody else may have read it meanwhile: one object for a generation, so that drawn numbers are shared.
        if let Some(entry) = entries.get(name)
            && entry.record.generation >= record.generation
        {
            return Ok(entry.clone());
        }
        let kind = Kind::find(&record.kind)?;
        let seen = AtomicU64::new(count);
        let entry = Arc::new(Entry { record, kind, versions: Mutex::default(), seen });
        entries.insert(name.into(), entry.clone());
        Ok(entry)
    }

    /// A key of this name; if its time for another version has come, it has one.
    ///
    /// # Errors
    /// As [`Ring::entry`].
    pub async fn current(&self, name: &str) -> Result<Arc<Entry>, Failure> {
        let entry = self.entry(name).await?;
        if !entry.due() {
            return Ok(entry);
        }
        match self.rotate(&entry).await {
            Err(failure) if failure.status != 409 => Err(failure),
            _ => self.entry(name).await,
        }
    }

    /// Has the next call look at the database.
    pub async fn changed(&self) {
        *self.counted.lock().await = None;
    }

    /// Makes a key, unless it is there.
    ///
    /// # Errors
    /// What the database says.
    pub async fn create(&self, mut key: NewKey, kind: &'static Kind) -> Result<(), Failure> {
        if !self.root.unsealed() {
            return Err(Failure::sealed());
        }
        let made = self
            .ask(move |store, root| {
                key.wrapped = root.wrap(&key.name, kind.name, 1, &secret(kind)?)?;
                store.create(&key)
            })
            .await;
        self.changed().await;
        made.map(|_| ())
    }

    /// Adds a version after `latest`; a version that another has added meanwhile is as good.
    ///
    /// # Errors
    /// What the database says.
    pub async fn rotate(&self, entry: &Entry) -> Result<(), Failure> {
        let (name, latest, kind) = (entry.record.name.clone(), entry.record.latest, entry.kind);
        let made = self
            .ask(move |store, root| {
                let wrapped = root.wrap(&name, kind.name, latest + 1, &secret(kind)?)?;
                store.rotate(&name, latest, &wrapped, crate::http::routes::unix())
            })
            .await;
        self.changed().await;
        made.map(|_| ())
    }

    /// Changes a key's settings.
    ///
    /// # Errors
    /// What the database says.
    pub async fn configure(&self, name: String, changes: Changes) -> Result<(), Failure> {
        let done = self.ask(move |store, _| store.configure(&name, &changes)).await;
        self.changed().await;
        done.map(|_| ())
    }

    /// A version of a key, its secret unwrapped.
    ///
    /// # Errors
    /// 400 for a version that there is not; what the root key says.
    pub async fn version(&self, entry: &Entry, number: u32) -> Result<Arc<Version>, Failure> {
        let known =
            entry.versions.lock().unwrap_or_else(PoisonError::into_inner).get(&number).cloned();
        if let Some(version) = known {
            return Ok(version);
        }
        let record = entry
            .record
            .versions
            .iter()
            .find(|version| version.version == number)
            .ok_or_else(|| Failure::bad("invalid key version"))?;
        let (name, kind, wrapped) = (entry.record.name.clone(), entry.kind, record.wrapped.clone());
        let secret =
            self.ask(move |_, root| root.unwrap(&name, kind.name, number, &wrapped)).await?;
        if secret.len() != kind.secret {
            return Err(Failure::internal("internal error: a key of another length"));
        }
        let aead = (kind.encrypts() && !entry.record.derived)
            .then(|| kind.algorithm()?.key(&Params::new(&secret[..32])).map_err(Failure::from))
            .transpose()?
            .map(Arc::new);
        let version = Version {
            number,
            secret,
            aead,
            numbers: Mutex::default(),
            drawing: tokio::sync::Mutex::new(()),
        };
        let mut versions = entry.versions.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(versions.entry(number).or_insert(Arc::new(version)).clone())
    }

    /// The version that encrypts, and nonces for so many messages that count for so many bytes.
    ///
    /// # Errors
    /// 400 for a version that may not encrypt, and at a limit where the key does not rotate by itself.
    pub async fn nonces(
        &self,
        name: &str,
        asked: u32,
        messages: u64,
        bytes: u64,
    ) -> Result<(Arc<Entry>, Arc<Version>, Nonces), Failure> {
        for _ in 0..TURNS {
            let entry = self.current(name).await?;
            let version = self.version(&entry, entry.encrypting(asked)?).await?;
            match self.draw(&entry, &version, messages, bytes).await? {
                Drawn::Nonces(nonces) => return Ok((entry, version, nonces)),
                Drawn::Stale => self.changed().await,
                Drawn::Limit => {
                    let latest = version.number == entry.record.latest;
                    if bytes > entry.kind.limit {
                        return Err(Failure::bad("more data than a key version may encrypt"));
                    }
                    if asked != 0 || !latest || self.config.at_limit == config::AtLimit::Refuse {
                        return Err(Failure::bad("the key version has reached its limit of use"));
                    }
                    match self.rotate(&entry).await {
                        Ok(()) => {
                            self.metrics.rotations.fetch_add(1, Relaxed);
                        }
                        Err(failure) if failure.status == 409 => {}
                        Err(failure) => return Err(failure),
                    }
                }
            }
        }
        Err(Failure::new(503, "the key is being changed; try again"))
    }

    async fn draw(
        &self,
        entry: &Entry,
        version: &Version,
        messages: u64,
        bytes: u64,
    ) -> Result<Drawn, Failure> {
        let block = entry.kind.block;
        let take = |numbers: &Mutex<Numbers>| {
            numbers.lock().unwrap_or_else(PoisonError::into_inner).take(messages, bytes, block)
        };
        if let Some(nonces) = take(&version.numbers) {
            return Ok(Drawn::Nonces(nonces));
        }
        let _one = version.drawing.lock().await;
        if let Some(nonces) = take(&version.numbers) {
            return Ok(Drawn::Nonces(nonces));
        }
        // A thirty-second of what a version has, or what is needed.
        let chunk = (messages.max(self.config.reserve), bytes.max(entry.kind.limit / 32));
        let limits = Limits { messages: 1 << 62, bytes: entry.kind.limit };
        for (messages, bytes) in [chunk, (messages, bytes)] {
            let (name, number) = (entry.record.name.clone(), version.number);
            let drawn = self
                .ask(move |store, _| match store.reserve(&name, number, messages, bytes, limits) {
                    Err(StoreError::Limit) => Ok(None),
                    other => other.map(Some),
                })
                .await?;
            let Some(drawn) = drawn else { continue };
            if drawn.generation != entry.record.generation {
                return Ok(Drawn::Stale);
            }
            let mut random = [0; 8];
            random_bytes(&mut random)?;
            random[0] &= 0x7f;
            let mut numbers = version.numbers.lock().unwrap_or_else(PoisonError::into_inner);
            *numbers =
                Numbers { random, next: drawn.first, messages: drawn.messages, bytes: drawn.bytes };
            drop(numbers);
            return Ok(take(&version.numbers).map_or(Drawn::Stale, Drawn::Nonces));
        }
        Ok(Drawn::Limit)
    }
}

enum Drawn {
    Nonces(Nonces),
    /// The key has changed meanwhile.
    Stale,
    Limit,
}

impl Entry {
    /// Whether the latest version is as old as `auto_rotate_period` lets it be.
    fn due(&self) -> bool {
        let period = self.record.auto_rotate_period;
        let made = self.record.versions.last().map_or(0, |version| version.created);
        period > 0 && crate::http::routes::unix() >= made.saturating_add(period)
    }
    /// The version that encrypts: the latest, or the one asked for.
    ///
    /// # Errors
    /// 400 for one that may not.
    pub fn encrypting(&self, asked: u32) -> Result<u32, Failure> {
        let record = &self.record;
        if asked == 0 {
            return Ok(record.latest);
        }
        if asked > record.latest {
            return Err(Failure::bad(
                "requested version for encryption is higher than the latest key version",
            ));
        }
        let least = record.min_encryption_version.max(record.min_decryption_version);
        if asked < least.max(record.min_available_version) {
            return Err(Failure::bad(
                "requested version for encryption is less than the minimum encryption key version",
            ));
        }
        Ok(asked)
    }
    /// That a version may still decrypt or verify.
    ///
    /// # Errors
    /// 400 when it may not.
    pub fn decrypting(&self, version: u32) -> Result<u32, Failure> {
        let record = &self.record;
        if version == 0 || version > record.latest {
            return Err(Failure::bad("invalid ciphertext: version is too new"));
        }
        if version < record.min_decryption_version.max(record.min_available_version) {
            return Err(Failure::bad(
                "ciphertext or signature version is disallowed by policy (too old)",
            ));
        }
        Ok(version)
    }
    /// The key of a cipher for a context, and none where the key has no contexts.
    ///
    /// # Errors
    /// 400 when the context is missing.
    pub fn aead(&self, version: &Version, context: &[u8]) -> Result<Arc<Key>, Failure> {
        if !self.kind.encrypts() {
            return Err(Failure::bad(format!(
                "unsupported operation for the key type {}",
                self.kind.name
            )));
        }
        if let Some(key) = &version.aead {
            return Ok(key.clone());
        }
        if context.is_empty() {
            return Err(no_context());
        }
        let mut key = Secret::new([0; 32]);
        let params = KdfParams {
            key: &version.secret[..32],
            label: b"bulatd context",
            seed: context,
            ..KdfParams::default()
        };
        bulat::algorithm("kdf-tree")?.derive(&params, &mut *key)?;
        Ok(Arc::new(self.kind.algorithm()?.key(&Params::new(&*key))?))
    }
    /// The key of MACs over a hash.
    ///
    /// # Errors
    /// 400 for another hash than there is.
    pub fn mac(&self, version: &Version, hash: &str) -> Result<Arc<Key>, Failure> {
        let name = match if hash.is_empty() { self.kind.hash } else { hash } {
            "streebog256" => "hmac-streebog256",
            "streebog512" => "hmac-streebog512",
            _ => {
                return Err(Failure::bad(
                    "unsupported algorithm; there are streebog256, streebog512",
                ));
            }
        };
        let key = self.mac_secret(version);
        Ok(Arc::new(bulat::algorithm(name)?.key(&Params::new(key))?))
    }
    /// A cipher's key, for export.
    pub fn cipher_secret<'a>(&self, version: &'a Version) -> Option<&'a [u8]> {
        self.kind.encrypts().then(|| &version.secret[..32])
    }
    /// The key of MACs, for export.
    pub fn mac_secret<'a>(&self, version: &'a Version) -> &'a [u8] {
        if self.kind.encrypts() { &version.secret[32..] } else { &version.secret }
    }
    /// What a message is bound to.
    pub fn aad(&self, version: u32, context: &[u8], more: &[u8]) -> Vec<u8> {
        let (name, kind) = (self.record.name.as_bytes(), self.kind.name.as_bytes());
        let version = version.to_be_bytes();
        let mut aad = Vec::with_capacity(name.len() + kind.len() + context.len() + more.len() + 20);
        for part in [name, kind, &version, context] {
            aad.extend_from_slice(&(part.len() as u32).to_be_bytes());
            aad.extend_from_slice(part);
        }
        aad.extend_from_slice(more);
        aad
    }
}

/// A key with contexts was asked without one.
pub fn no_context() -> Failure {
    Failure::bad("missing 'context' for key derivation; the key was created with derived = true")
}

/// A new secret of a type.
fn secret(kind: &Kind) -> Result<Zeroizing<Vec<u8>>, StoreError> {
    let mut secret = Zeroizing::new(vec![0; kind.secret]);
    getrandom::fill(&mut secret)
        .map_err(|_| StoreError::Unavailable("no random bytes from the system".into()))?;
    Ok(secret)
}

/// Random bytes from the system.
///
/// # Errors
/// 500 when it has none.
pub fn random_bytes(out: &mut [u8]) -> Result<(), Failure> {
    getrandom::fill(out).map_err(|_| Failure::internal("no random bytes from the system"))
}

/// `vault:v3:BASE64`.
pub fn write(version: u32, bytes: &[u8]) -> String {
    format!("vault:v{version}:{}", STANDARD.encode(bytes))
}

/// The version and the bytes of `vault:v3:BASE64`.
///
/// # Errors
/// 400 for anything else.
pub fn read(text: &str) -> Result<(u32, Vec<u8>), Failure> {
    let rest = text
        .strip_prefix("vault:v")
        .ok_or_else(|| Failure::bad("invalid ciphertext: no prefix"))?;
    let (version, bytes) = rest
        .split_once(':')
        .ok_or_else(|| Failure::bad("invalid ciphertext: wrong number of fields"))?;
    let digits = !version.starts_with('0') && version.bytes().all(|c| c.is_ascii_digit());
    let version =
        version.parse().ok().filter(|_| digits).ok_or_else(|| {
            Failure::bad("invalid ciphertext: version number could not be decoded")
        })?;
    let bytes = STANDARD
        .decode(bytes)
        .map_err(|_| Failure::bad("invalid ciphertext: could not decode base64"))?;
    Ok((version, bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings() {
        assert_eq!(read(&write(3, b"abc")), Ok((3, b"abc".to_vec())));
        for wrong in [
            "",
            "vault:v1",
            "vault:v0:AAAA",
            "vault:v01:AAAA",
            "vault:v+1:AAAA",
            "vault:v1:A",
            "vault:v4294967296:AAAA",
            "v1:AAAA",
            "vault:v1:AAAB=",
            "vault:v1:QR==",
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn numbers_are_given_out_once() {
        let mut numbers = Numbers { random: [1; 8], next: 10, messages: 4, bytes: 100 };
        let nonces = numbers.take(3, 50, 8).expect("there are");
        assert_eq!(nonces.get(2), 12u64.to_be_bytes());
        assert!(numbers.take(2, 1, 8).is_none());
        assert!(numbers.take(1, 51, 8).is_none());
        assert_eq!(
            numbers.take(1, 50, 16).expect("one").get(0),
            [[1; 8], 13u64.to_be_bytes()].concat()
        );
        assert!(numbers.take(1, 0, 8).is_none());
    }
}
