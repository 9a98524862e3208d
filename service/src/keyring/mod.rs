//! Keys: types, versions, counted nonces, and the strings that carry a ciphertext.
//!
//! Nonces: the messages of a version are numbered in the database, and each number is used once. A replica draws a
//! block of numbers and drops those that it does not need. Magma's nonce is the number in 63 bits; Kuznyechik's is 63
//! random bits, drawn with each block, and the number. The bytes of a version's limit are drawn separately: those that
//! are left survive changes of the key, and go back to the database when the service stops.
//!
//! Associated data: name, type, version and context, each after its length, then the caller's data.

mod key;
mod text;

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use bulat::algorithm::Params;
use zeroize::Zeroizing;

pub use self::key::{Entry, KINDS, Kind, Nonces, Version, no_context};
pub use self::text::{claimed, read, write};
use crate::config;
use crate::failure::Failure;
use crate::metrics::Metrics;
use crate::root::{Root, RootKey};
use crate::store::{Changes, GiveBack, LEASE, Limits, NewKey, Store, StoreError};

/// All keys.
pub struct Ring {
    store: Arc<Store>,
    root: Arc<Root>,
    root_config: config::RootConfig,
    config: config::Keys,
    entries: RwLock<HashMap<String, Arc<Entry>>>,
    /// The database's count of changes, with the time when it was read.
    counted: tokio::sync::Mutex<Option<(Instant, u64)>>,
    /// Bytes of forgotten keys, to be given back to the database.
    left: Mutex<Vec<GiveBack>>,
    /// The keys that were being deleted at the last call of [`Ring::tidy`].
    deleting: Mutex<Vec<(String, u64)>>,
    start: Instant,
    metrics: Arc<Metrics>,
}

/// Attempts of a call while others change its key.
const TURNS: usize = 8;

impl Ring {
    /// Forgets the root key and all keys.
    pub fn seal(&self) {
        self.root.seal();
        self.forget();
    }

    fn forget(&self) {
        let entries =
            std::mem::take(&mut *self.entries.write().unwrap_or_else(PoisonError::into_inner));
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        entries.values().for_each(|entry| entry.leave(&mut left));
    }

    /// Gives the bytes that were drawn and not used back to the database, at a clean stop. Those that do not get there
    /// count as used.
    pub async fn give_back(&self) {
        let mut all =
            std::mem::take(&mut *self.left.lock().unwrap_or_else(PoisonError::into_inner));
        let entries: Vec<_> = {
            let entries = self.entries.read().unwrap_or_else(PoisonError::into_inner);
            entries.values().cloned().collect()
        };
        entries.iter().for_each(|entry| entry.leave(&mut all));
        // Sorted, so that replicas that stop together do not deadlock.
        all.sort_unstable_by(|a, b| (&a.name, a.version).cmp(&(&b.name, b.version)));
        for part in all.chunks(256).map(<[_]>::to_vec) {
            if self.ask(move |store, _| store.give_back(&part)).await.is_err() {
                return;
            }
        }
    }
    /// Reads the root key again.
    ///
    /// # Errors
    /// 503 without the right key.
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
    /// Returns whether the service has the root key.
    pub fn unsealed(&self) -> bool {
        self.root.unsealed()
    }
    /// Makes the ring over a database, under a root key.
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
            left: Mutex::default(),
            deleting: Mutex::default(),
            start: Instant::now(),
            metrics,
        }
    }

    /// Runs database work outside the threads that answer requests.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn ask<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Store, &Root) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, Failure> {
        let (store, root) = (self.store.clone(), self.root.clone());
        self.store.away(move || work(&store, &root)).await.map_err(Failure::from)
    }

    fn refresh(&self) -> Duration {
        Duration::from_secs(self.config.refresh_seconds)
    }

    /// Returns the count of changes and the time when it was read; reads it again if that was longer ago than `most`.
    async fn count(&self, most: Duration) -> Result<(Instant, u64), Failure> {
        let mut counted = self.counted.lock().await;
        match *counted {
            Some((when, count)) if when.elapsed() < most => Ok((when, count)),
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
                    self.forget();
                }
                let count = count?;
                *counted = Some((when, count));
                Ok((when, count))
            }
        }
    }

    /// Asks the database at once. In this way a replica that missed a rotation of the root key finds the new one.
    pub async fn look(&self) {
        let _ = self.count(Duration::ZERO).await;
    }

    /// Asks the database if the root key is missing, and cleans up after deletions: to be called each second.
    pub async fn look_for_root(&self) {
        let store = self.store.clone();
        tokio::task::spawn_blocking(move || store.scrub_due());
        if self.root.lost() || self.store.moved() {
            self.look().await;
        }
    }

    /// Returns whether the database answers. It asks as rarely as all others do, and waits only as long as a probe waits.
    pub async fn answers(&self) -> bool {
        let wait = Duration::from_secs(2);
        tokio::time::timeout(wait, self.count(self.refresh())).await.is_ok_and(|done| done.is_ok())
    }

    /// Returns the key of this name.
    ///
    /// # Errors
    /// 404 if there is none; those of the database.
    pub async fn entry(&self, name: &str) -> Result<Arc<Entry>, Failure> {
        self.entry_within(name, self.refresh()).await
    }

    /// Returns the key of this name, as it was at most `most` ago.
    async fn entry_within(&self, name: &str, most: Duration) -> Result<Arc<Entry>, Failure> {
        if !self.root.unsealed() {
            return Err(Failure::sealed());
        }
        let (when, count) = self.count(most).await?;
        let when = self.millis(when);
        let known = self.entries.read().unwrap_or_else(PoisonError::into_inner).get(name).cloned();
        if let Some(entry) = &known {
            if entry.seen.load(Relaxed) == count {
                entry.known.fetch_max(when, Relaxed);
                return Ok(entry.clone());
            }
            let asked = name.to_string();
            let generation = self.ask(move |store, _| store.generation(&asked)).await?;
            if generation == Some(entry.record.generation) {
                entry.seen.store(count, Relaxed);
                entry.known.fetch_max(when, Relaxed);
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
        // Another task may have read it meanwhile.
        if let Some(entry) = entries.get(name)
            && entry.record.generation >= record.generation
        {
            return Ok(entry.clone());
        }
        let kind = Kind::find(&record.kind)?;
        // A version of the same key stays the same object, with the numbers that were drawn for it.
        let versions = match entries.get(name) {
            Some(old) if old.record.incarnation == record.incarnation => old.versions.clone(),
            _ => Arc::<Mutex<HashMap<_, Arc<Version>>>>::default(),
        };
        let least = record.min_available_version;
        versions
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .retain(|number, _| *number >= least);
        let (seen, known) = (AtomicU64::new(count), AtomicU64::new(when));
        let entry = Arc::new(Entry { record, kind, versions, seen, known });
        entries.insert(name.into(), entry.clone());
        Ok(entry)
    }

    /// Returns the key of this name, after a rotation if one is due.
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

    /// Makes the next call ask the database.
    pub async fn changed(&self) {
        *self.counted.lock().await = None;
    }

    /// Returns the key as it is now, if `version` is one that this process does not know: another replica may have made
    /// it a moment ago.
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

    /// Creates a key, unless it exists.
    ///
    /// # Errors
    /// Those of the database.
    pub async fn create(&self, mut key: NewKey, kind: &'static Kind) -> Result<(), Failure> {
        if !self.root.unsealed() {
            return Err(Failure::sealed());
        }
        let lease = self.store.lease();
        let made = self
            .ask(move |store, root| {
                key.wrapped = root.wrap(&key.name, kind.name, 1, &secret(kind)?)?;
                match store.create(&key) {
                    Err(StoreError::Deleting(generation)) => Ok(Err((key, generation))),
                    made => made.map(Ok),
                }
            })
            .await;
        let made = match made {
            // A key of this name is being deleted, perhaps by a replica that is gone. This one ends the deletion in time.
            Ok(Err((key, generation))) => {
                tokio::time::sleep(lease).await;
                let end = move |store: &Store, _: &Root| {
                    store.delete_end(&key.name, generation)?;
                    store.create(&key)
                };
                self.ask(end).await
            }
            Ok(Ok(made)) => Ok(made),
            Err(failure) => Err(failure),
        };
        self.changed().await;
        made.map(|_| ())
    }

    /// Deletes a key. It is gone when no replica can still answer from its cache.
    ///
    /// # Errors
    /// Those of the database.
    pub async fn delete(&self, name: String) -> Result<(), Failure> {
        let asked = name.clone();
        let begun = self.ask(move |store, _| store.delete(&asked)).await;
        self.changed().await;
        let (generation, store) = (begun?, self.store.clone());
        // A task, so that it ends even if the client no longer waits.
        let end = tokio::spawn(async move {
            tokio::time::sleep(store.lease()).await;
            let there = store.clone();
            store.away(move || there.delete_end(&name, generation)).await
        });
        let done = end.await.map_err(|_| Failure::internal("internal error"))?;
        self.changed().await;
        Ok(done?)
    }

    /// Removes versions, when no replica can still encrypt under one of them.
    ///
    /// # Errors
    /// Those of the database; 409 if the key is made anew or its `min_encryption_version` changes meanwhile.
    pub async fn trim(&self, name: String, least: u32) -> Result<(), Failure> {
        let asked = name.clone();
        let seen = move |store: &Store, _: &Root| {
            let key = store.key(&asked)?.ok_or(StoreError::NotFound)?;
            key.trimmable(least)?;
            Ok((key.incarnation, key.min_encryption_version))
        };
        let seen = self.ask(seen).await?;
        tokio::time::sleep(self.store.lease()).await;
        let done = self.ask(move |store, _| store.trim(&name, least, Some(seen))).await;
        self.changed().await;
        done.map(|_| ())
    }

    /// Ends the deletions that another replica began and did not end: to be called each minute.
    pub async fn tidy(&self) {
        let Ok(now) = self.ask(|store, _| store.deleting()).await else { return };
        let before = {
            let mut deleting = self.deleting.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::replace(&mut *deleting, now.clone())
        };
        for (name, generation) in now.into_iter().filter(|one| before.contains(one)) {
            let _ = self.ask(move |store, _| store.delete_end(&name, generation)).await;
        }
    }

    fn millis(&self, when: Instant) -> u64 {
        let since = when.saturating_duration_since(self.start);
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    }

    /// Checks that a ciphertext under a version may be given out: the key had that version within [`LEASE`], so its
    /// deletion has not ended. If that is not known, it asks the database.
    ///
    /// # Errors
    /// 409 if the key is gone or another has its name.
    pub async fn confirm(&self, entry: &Entry, version: u32) -> Result<(), Failure> {
        let since = self.millis(Instant::now()).saturating_sub(entry.known.load(Relaxed));
        if Duration::from_millis(since) < LEASE {
            return Ok(());
        }
        let record = match self.entry_within(&entry.record.name, LEASE / 2).await {
            Err(failure) if failure.status == 404 => None,
            other => Some(other?),
        };
        let same = record.is_some_and(|now| {
            now.record.incarnation == entry.record.incarnation
                && version >= now.record.min_available_version
        });
        if same { Ok(()) } else { Err(StoreError::Conflict.into()) }
    }

    /// Adds a version after the latest. A version that another request added meanwhile serves as well.
    ///
    /// # Errors
    /// Those of the database.
    pub async fn rotate(&self, entry: &Entry) -> Result<(), Failure> {
        let (name, latest, kind) = (entry.record.name.clone(), entry.record.latest, entry.kind);
        let made = self
            .ask(move |store, root| {
                let wrapped = root.wrap(&name, kind.name, latest + 1, &secret(kind)?)?;
                store.rotate(&name, latest, &wrapped, crate::clock::unix())
            })
            .await;
        self.changed().await;
        made.map(|_| ())
    }

    /// Changes a key's settings.
    ///
    /// # Errors
    /// Those of the database.
    pub async fn configure(&self, name: String, changes: Changes) -> Result<(), Failure> {
        let done = self.ask(move |store, _| store.configure(&name, &changes)).await;
        self.changed().await;
        done.map(|_| ())
    }

    /// Returns a version of a key, with its secret unwrapped.
    ///
    /// # Errors
    /// 400 for a version that does not exist; those of the root key.
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
        self.store.check_version(&entry.record, record)?;
        let (name, kind, wrapped) = (&entry.record.name, entry.kind, &record.wrapped);
        let secret = self.root.unwrap(name, kind.name, number, wrapped)?;
        if secret.len() != kind.secret {
            return Err(Failure::internal("internal error: a key of the wrong length"));
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

    /// Returns the version that encrypts, with nonces for a number of messages that count for a number of bytes.
    ///
    /// # Errors
    /// 400 for a version that may not encrypt, and at a limit if the configuration allows no rotation there.
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
        let numbers = || version.numbers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(nonces) = numbers().take(messages, bytes, block) {
            return Ok(Drawn::Nonces(nonces));
        }
        let _one = version.drawing.lock().await;
        // Others may use up the bytes meanwhile.
        for _ in 0..TURNS {
            let (more, shares) = {
                let mut numbers = numbers();
                if let Some(nonces) = numbers.take(messages, bytes, block) {
                    return Ok(Drawn::Nonces(nonces));
                }
                numbers.wanted(messages, bytes, self.config.reserve, entry.kind)
            };
            let limits = Limits { messages: 1 << 62, bytes: entry.kind.limit };
            let (name, which) = (entry.record.name.clone(), entry.record.incarnation);
            let number = version.number;
            let drawn = self
                .ask(move |store, _| {
                    let mut drawn = Err(StoreError::Limit);
                    for share in shares {
                        drawn = store.reserve(&name, which, number, [more, share], limits);
                        if drawn != Err(StoreError::Limit) {
                            break;
                        }
                    }
                    match drawn {
                        Ok(drawn) => Ok(Ok(drawn)),
                        Err(StoreError::Limit) => Ok(Err(Drawn::Limit)),
                        Err(StoreError::Conflict | StoreError::NotFound) => Ok(Err(Drawn::Stale)),
                        Err(e) => Err(e),
                    }
                })
                .await?;
            let drawn = match drawn {
                Ok(drawn) => drawn,
                Err(why) => return Ok(why),
            };
            numbers().add(&drawn, entry.kind)?;
            // The next look-up of the key finds them.
            if drawn.generation != entry.record.generation {
                return Ok(Drawn::Stale);
            }
        }
        Ok(Drawn::Stale)
    }
}

enum Drawn {
    Nonces(Nonces),
    /// The key has changed.
    Stale,
    Limit,
}

/// Makes a secret for a type.
fn secret(kind: &Kind) -> Result<Zeroizing<Vec<u8>>, StoreError> {
    let mut secret = Zeroizing::new(vec![0; kind.secret]);
    getrandom::fill(&mut secret)
        .map_err(|_| StoreError::Unavailable("the system has no random bytes".into()))?;
    Ok(secret)
}

/// Fills `out` with random bytes from the system.
///
/// # Errors
/// 500 if the system has none.
pub fn random_bytes(out: &mut [u8]) -> Result<(), Failure> {
    getrandom::fill(out).map_err(|_| Failure::internal("the system has no random bytes"))
}
