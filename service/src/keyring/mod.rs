//! Keys: their types, their versions, the nonces that are counted, the strings that carry a ciphertext.
//!
//! Nonces. A version's messages are numbered in the database, and a number is given out once. A replica draws a block of
//! numbers and leaves unused what it does not need. Magma's nonce is the number in 63 bits; Kuznyechik's is 63 random bits,
//! drawn with each block, and the number.
//!
//! Associated data: name, type, version and context, each with its length before it, then what the caller gave.

mod key;
mod text;

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use bulat::algorithm::Params;
use zeroize::Zeroizing;

use self::key::Numbers;
pub use self::key::{Entry, KINDS, Kind, Nonces, Version, no_context};
pub use self::text::{claimed, read, write};
use crate::config;
use crate::http::errors::Failure;
use crate::metrics::Metrics;
use crate::root::{Root, RootKey};
use crate::store::{Changes, Limits, NewKey, Store, StoreError};

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
                let count = self.ask(work).await;
                if !self.root.unsealed() {
                    self.entries.write().unwrap_or_else(PoisonError::into_inner).clear();
                }
                let count = count?;
                *counted = Some((when, count));
                Ok(count)
            }
        }
    }

    /// Looks at the database at once; a replica that has missed a rotation of the root key finds the new one so.
    pub async fn look(&self) {
        let _ = self.count(true).await;
    }

    /// The same, where the root key is looked for.
    pub async fn look_for_root(&self) {
        if self.root.lost() {
            self.look().await;
        }
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

    /// The same key as it is now, where it is asked for a version that this process does not know: another replica may
    /// have made it a moment ago.
    ///
    /// # Errors
    /// As [`Ring::entry`].
    pub async fn reaching(&self, entry: Arc<Entry>, version: u32) -> Result<Arc<Entry>, Failure> {
        if version <= entry.record.latest {
            return Ok(entry);
        }
        self.changed().await;
        self.entry(&entry.record.name).await
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
            let entry = self.reaching(self.current(name).await?, asked).await?;
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
        for (most, size) in [chunk, (messages, bytes)] {
            let (name, number) = (entry.record.name.clone(), version.number);
            let drawn = self
                .ask(move |store, _| match store.reserve(&name, number, most, size, limits) {
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
            if drawn.first < numbers.next + numbers.messages {
                return Err(Failure::internal(
                    "the database was set back: it gives numbers that this service has used",
                ));
            }
            *numbers =
                Numbers { random, next: drawn.first, messages: drawn.messages, bytes: drawn.bytes };
            let nonces = numbers.take(messages, bytes, block);
            return Ok(nonces.map_or(Drawn::Stale, Drawn::Nonces));
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
