//! Keys: types, versions, counted nonces, and the strings that carry a ciphertext.
//!
//! Nonces: the messages of a version are numbered in the database, and each number is used once. A replica draws a
//! block of numbers and drops those that it does not need. Magma's nonce is the number in 63 bits; Kuznyechik's is 63
//! random bits, drawn with each block, and the number. The bytes of a version's limit are drawn separately: those that
//! are left survive changes of the key, and go back to the database when the service stops.
//!
//! Associated data: name, type, version and context, each after its length, then the caller's data.

mod cache;
mod key;
mod text;

use std::collections::HashMap;
use std::sync::atomic::{
    AtomicBool, AtomicU64, Ordering::Acquire, Ordering::Relaxed, Ordering::Release,
};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bulat::algorithm::Params;
use serde::{Deserialize, Serialize};
use zeroize::{Zeroize as _, Zeroizing};

use self::cache::Cache;
pub use self::key::{Entry, KINDS, Kind, Nonces, Version, no_context};
pub use self::text::{claimed, read, write};
use crate::config;
use crate::failure::{Failure, Result};
use crate::locks::lock;
use crate::metrics::Metrics;
use crate::root::{Root, RootKey, random};
use crate::store::{
    self, Changes, GiveBack, KeyRecord, LEASE, Limits, NewKey, Store, StoreError, VersionRecord,
    Wrapped,
};

pub struct Ring {
    store: Arc<Store>,
    root: Arc<Root>,
    root_config: config::RootConfig,
    config: config::Keys,
    cache: Cache,
    /// The place of the log of changes up to which this process knows them, and the number of the root key there.
    place: tokio::sync::Mutex<Option<(u64, u32)>>,
    /// The time when the log was last read, in milliseconds since the start, plus 1; 0: it must be read.
    looked: AtomicU64,
    /// A request has asked since then.
    asked: AtomicBool,
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
        self.leave(self.cache.clear());
        self.metrics.cached.store(0, Relaxed);
    }

    fn evicted(&self, gone: Vec<Arc<Entry>>) {
        self.metrics.evictions.fetch_add(gone.len() as u64, Relaxed);
        self.metrics.cached.store(i64::try_from(self.bytes()).unwrap_or(i64::MAX), Relaxed);
        self.leave(gone);
    }

    /// Takes the bytes that were drawn for keys and not used, to be given back.
    fn leave(&self, gone: Vec<Arc<Entry>>) {
        if !gone.is_empty() {
            let mut left = lock(&self.left);
            gone.iter().for_each(|entry| entry.leave(&mut left));
        }
    }

    /// Gives the bytes that were drawn and not used back to the database, at a clean stop. Those that do not get there
    /// count as used.
    pub async fn give_back(&self) {
        self.leave(self.cache.all());
        self.give_back_left().await;
    }

    /// Gives the bytes of forgotten keys back.
    async fn give_back_left(&self) {
        let mut all = std::mem::take(&mut *lock(&self.left));
        // Sorted, so that replicas that stop together do not deadlock.
        all.sort_unstable_by(|a, b| (&a.name, a.version).cmp(&(&b.name, b.version)));
        for part in all.chunks(256).map(<[_]>::to_vec) {
            if self.ask(move |store, _| store.give_back(&part)).await.is_err() {
                return;
            }
        }
    }

    /// Reads the root key again. Errors: 503 without the right key.
    pub async fn unseal(&self) -> Result<()> {
        let config = self.root_config.clone();
        let work = move |store: &Store, root: &Root| {
            let key = RootKey::read(&config).ok().flatten().ok_or(StoreError::Sealed)?;
            root.find(store, Some(key), &config)
        };
        self.ask(work).await?;
        self.looked.store(0, Release);
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
        let (key, place) = (root.clone(), config.root.clone());
        store.follow_by(Box::new(move |store| {
            let followed = store.root().and_then(|number| key.follow(store, number, &place));
            followed.is_ok() && (key.unsealed() || !store.moved())
        }));
        Ring {
            store,
            root,
            root_config: config.root.clone(),
            config: config.keys.clone(),
            cache: Cache::new(config.keys.cache_bytes),
            place: tokio::sync::Mutex::new(None),
            looked: AtomicU64::new(0),
            asked: AtomicBool::new(false),
            left: Mutex::default(),
            deleting: Mutex::default(),
            start: Instant::now(),
            metrics,
        }
    }

    /// Runs database work outside the threads that answer requests.
    pub async fn ask<T: Send + 'static>(
        &self,
        mut work: impl FnMut(&Store, &Root) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T> {
        let (store, root) = (self.store.clone(), self.root.clone());
        self.store.away(move || work(&store, &root)).await.map_err(Failure::from)
    }

    fn refresh(&self) -> Duration {
        Duration::from_secs(self.config.refresh_seconds)
    }

    /// Returns the time when the log of changes was read, in milliseconds, if that was less than `most` ago.
    fn fresh(&self, most: Duration) -> Option<u64> {
        let when = self.looked.load(Acquire).checked_sub(1)?;
        let since = self.millis(Instant::now()).saturating_sub(when);
        (Duration::from_millis(since) < most).then_some(when)
    }

    /// Returns the time when the log of changes was read; reads it again if that was longer ago than `most`. All changes
    /// before that time are known.
    async fn count(&self, most: Duration) -> Result<u64> {
        self.asked.store(true, Relaxed);
        if let Some(when) = self.fresh(most) {
            return Ok(when);
        }
        let mut place = self.place.lock().await;
        if let Some(when) = self.fresh(most) {
            return Ok(when);
        }
        let when = self.millis(Instant::now());
        let (root, since) = (self.root_config.clone(), *place);
        let work = move |store: &Store, key: &Root| {
            let kinds = [store::Kind::Key; 2];
            let news = store.news(since.map(|(place, _)| place), kinds)?;
            key.follow(store, news.root, &root)?;
            Ok(news)
        };
        let news = self.ask(work).await;
        if !self.root.unsealed() {
            self.forget();
        }
        let news = news?;
        if news.all || since.is_some_and(|(_, root)| root != news.root) {
            self.cache.touch_all();
        }
        news.changed.iter().for_each(|(_, name)| self.cache.touch(name));
        *place = Some((news.place, news.root));
        self.looked.store(when + 1, Release);
        Ok(when)
    }

    /// Reads the log of changes if a request has asked since the last time, so that requests seldom wait for it: to be called
    /// more often than [`config::Keys::refresh_seconds`].
    pub async fn keep(&self) {
        if self.asked.swap(false, Relaxed) && self.looked.load(Relaxed) != 0 {
            let _ = self.count(Duration::ZERO).await;
            self.asked.store(false, Relaxed);
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
        self.give_back_left().await;
        if self.root.lost() || self.store.moved() {
            self.look().await;
        }
    }

    /// Returns whether the database answers. It asks as rarely as all others do, and waits only as long as a probe waits.
    pub async fn answers(&self) -> bool {
        let wait = Duration::from_secs(2);
        tokio::time::timeout(wait, self.count(self.refresh())).await.is_ok_and(|done| done.is_ok())
    }

    /// Returns the key of this name. Errors: 404 if there is none; those of the database.
    pub async fn entry(&self, name: &str) -> Result<Arc<Entry>> {
        self.entry_within(name, self.refresh()).await
    }

    /// Returns the key of this name, as it was at most `most` ago.
    async fn entry_within(&self, name: &str, most: Duration) -> Result<Arc<Entry>> {
        if !self.root.unsealed() {
            return Err(Failure::sealed());
        }
        let when = self.count(most).await?;
        let slot = self.cache.slot(name);
        let turn = slot.turn();
        if let Some(entry) = slot.get(turn, when) {
            entry.known.fetch_max(when, Relaxed);
            return Ok(entry);
        }
        let empty = slot.last().is_none().then(|| self.cache.empty(name, &slot));
        let asked = name.to_string();
        let Some(record) = self.ask(move |store, _| store.key(&asked)).await? else {
            self.cache.remove(name, &slot);
            return Err(Failure::absent());
        };
        let kind = Kind::find(&record.kind)?;
        // A version of the same key stays the same object, with the numbers that were drawn for it.
        let versions = match slot.last() {
            Some(old) if old.record.incarnation == record.incarnation => old.versions.clone(),
            _ => Arc::<Mutex<HashMap<_, Arc<Version>>>>::default(),
        };
        let least = record.min_available_version;
        lock(&versions).retain(|number, _| *number >= least);
        let entry = Arc::new(Entry { record, kind, versions, known: AtomicU64::new(when) });
        let (entry, gone) = self.cache.put(&slot, turn, entry, when);
        drop(empty);
        entry.known.fetch_max(when, Relaxed);
        self.evicted(gone);
        Ok(entry)
    }

    /// Returns the key of this name, after a rotation if one is due. Errors: as [`Ring::entry`].
    pub async fn current(&self, name: &str) -> Result<Arc<Entry>> {
        let entry = self.entry(name).await?;
        if !entry.due() {
            return Ok(entry);
        }
        match self.rotate(&entry).await {
            Err(failure) if failure.status != 409 => Err(failure),
            _ => self.entry(name).await,
        }
    }

    /// Makes the next call for a key read it again.
    pub fn changed(&self, name: &str) {
        self.cache.touch(name);
    }

    /// Returns the bytes of the keys in memory, as they count for [`config::Keys::cache_bytes`].
    pub fn bytes(&self) -> usize {
        self.cache.bytes()
    }

    /// Returns the key as it is now, if `version` is one that this process does not know: another replica may have made
    /// it a moment ago. Errors: as [`Ring::entry`].
    pub async fn reaching(&self, entry: Arc<Entry>, version: u32) -> Result<Arc<Entry>> {
        if version <= entry.record.latest {
            return Ok(entry);
        }
        self.changed(&entry.record.name);
        self.entry(&entry.record.name).await
    }

    /// Runs work that changes the key of this name. The next call for it reads it again.
    async fn change<T: Send + 'static>(
        &self,
        name: &str,
        mut work: impl FnMut(&Store, &Root, &str) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T> {
        let own = name.to_string();
        let done = self.ask(move |store, root| work(store, root, &own)).await;
        self.changed(name);
        done
    }

    pub async fn create(&self, key: NewKey, kind: &'static Kind) -> Result<()> {
        if !self.root.unsealed() {
            return Err(Failure::sealed());
        }
        let mut ending = None;
        loop {
            let mut own = key.clone();
            let work = move |store: &Store, root: &Root, name: &str| {
                if let Some(generation) = ending {
                    store.delete_end(name, generation)?;
                }
                own.wrapped = root.wrap(name, kind.name, 1, &secret(kind)?)?;
                match store.create(&own) {
                    Err(StoreError::Deleting(generation)) if ending.is_none() => {
                        Ok(Some(generation))
                    }
                    made => made.map(|_| None),
                }
            };
            ending = self.change(&key.name, work).await?;
            if ending.is_none() {
                return Ok(());
            }
            // A key of this name is being deleted, perhaps by a replica that is gone. This one ends the deletion in time.
            tokio::time::sleep(self.store.lease()).await;
        }
    }

    /// Returns a key with its settings and secrets, sealed under a key that is derived from the root key. Errors: those
    /// of the root key.
    pub async fn backup(&self, entry: &Entry) -> Result<String> {
        // The root key may have been rotated.
        self.count(Duration::ZERO).await?;
        let secrets = Secrets(Vec::new());
        let mut saved = Saved { bulatd_key: 1, key: entry.record.clone(), secrets };
        for version in &entry.record.versions {
            let secret = self.version(entry, version.version).await?;
            saved.secrets.0.push(STANDARD.encode(&*secret.secret));
        }
        for version in &mut saved.key.versions {
            version.wrapped = Wrapped::default();
        }
        // Room for all of it: a text that grows leaves copies behind.
        let mut room = 2048 + 6 * saved.key.name.len();
        room += saved.secrets.0.iter().map(|secret| 256 + secret.len()).sum::<usize>();
        let mut text = Zeroizing::new(Vec::with_capacity(room));
        serde_json::to_writer(&mut *text, &saved).map_err(|_| damaged())?;
        Ok(STANDARD.encode(self.root.seal_key(&text)?))
    }

    /// Creates a key from a backup. Its old versions open what they have sealed; a new one encrypts, since numbers of
    /// nonces in a backup are out of date. Errors: 400 for no backup, or a backup of a key with another name than `name`;
    /// those of the database.
    pub async fn restore(&self, backup: &str, name: &str) -> Result<String> {
        let sealed = STANDARD.decode(backup).map_err(|_| Failure::bad("backup: no base64"))?;
        self.count(Duration::ZERO).await?;
        let text = self.root.open_key(&sealed).map_err(|e| match e {
            StoreError::Corrupt(_) => Failure::bad(
                "backup: it was changed after it was made, or made under another root key",
            ),
            other => other.into(),
        })?;
        let mut saved: Saved = serde_json::from_slice(&text).map_err(|_| damaged())?;
        let kind = Kind::find(&saved.key.kind)?;
        if saved.bulatd_key != 1 || saved.secrets.0.len() != saved.key.versions.len() {
            return Err(Failure::bad("backup: it has a newer form"));
        }
        let key = &mut saved.key;
        if !name.is_empty() && name != key.name {
            return Err(Failure::bad(format!(
                "the key can only be restored as {:?}: its ciphertexts are bound to that name",
                key.name
            )));
        }
        let decoded = saved.secrets.0.iter().map(|secret| STANDARD.decode(secret));
        let secrets: Result<Vec<_>, _> = decoded.map(|secret| secret.map(Zeroizing::new)).collect();
        let mut secrets = secrets.map_err(|_| damaged())?;
        let version = key.latest.checked_add(1).ok_or_else(damaged)?;
        secrets.push(secret(kind)?);
        let (wrapped, created) = (Wrapped::default(), crate::clock::unix());
        key.versions.push(VersionRecord { version, wrapped, created, mac: Vec::new() });
        (key.latest, key.min_encryption_version) = (version, version);
        let (name, mut key) = (key.name.clone(), saved.key);
        let made = move |store: &Store, root: &Root, name: &str| {
            for (version, secret) in key.versions.iter_mut().zip(&secrets) {
                version.wrapped = root.wrap(name, kind.name, version.version, secret)?;
            }
            store.create_again(&key)
        };
        self.change(&name, made).await?;
        Ok(name)
    }

    /// Deletes a key. It is gone when no replica can still answer from its cache.
    pub async fn delete(&self, name: String) -> Result<()> {
        let generation = self.change(&name, |store, _, name| store.delete(name)).await?;
        let (asked, store) = (name.clone(), self.store.clone());
        // A task, so that it ends even if the client no longer waits.
        let end = tokio::spawn(async move {
            tokio::time::sleep(store.lease()).await;
            let there = store.clone();
            store.away(move || there.delete_end(&name, generation)).await
        });
        let done = end.await.map_err(|_| Failure::internal("internal error"))?;
        self.changed(&asked);
        Ok(done?)
    }

    /// Removes versions, when no replica can still encrypt under one of them. Errors: those of the database; 409 if the
    /// key is made anew or its `min_encryption_version` changes meanwhile.
    pub async fn trim(&self, name: String, least: u32) -> Result<()> {
        let asked = name.clone();
        let seen = move |store: &Store, _: &Root| {
            let key = store.key(&asked)?.ok_or(StoreError::NotFound)?;
            key.trimmable(least)?;
            Ok((key.incarnation, key.min_encryption_version))
        };
        let seen = self.ask(seen).await?;
        tokio::time::sleep(self.store.lease()).await;
        let trim = move |store: &Store, _: &Root, name: &str| store.trim(name, least, Some(seen));
        self.change(&name, trim).await.map(drop)
    }

    /// Ends the deletions that another replica began and did not end: to be called each minute.
    pub async fn tidy(&self) {
        let Ok(now) = self.ask(|store, _| store.deleting()).await else { return };
        let before = {
            let mut deleting = lock(&self.deleting);
            std::mem::replace(&mut *deleting, now.clone())
        };
        for (name, generation) in now.into_iter().filter(|one| before.contains(one)) {
            let _ = self.ask(move |store, _| store.delete_end(&name, generation)).await;
        }
        let _ = self.ask(|store, _| store.prune().and_then(|()| store.settle())).await;
    }

    fn millis(&self, when: Instant) -> u64 {
        let since = when.saturating_duration_since(self.start);
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    }

    /// Checks that a ciphertext under a version may be given out: the key had that version within [`LEASE`], so its
    /// deletion has not ended. If that is not known, it asks the database. Errors: 409 if the key is gone or another
    /// has its name.
    pub async fn confirm(&self, entry: &Entry, version: u32) -> Result<()> {
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
    pub async fn rotate(&self, entry: &Entry) -> Result<()> {
        let (latest, kind) = (entry.record.latest, entry.kind);
        let work = move |store: &Store, root: &Root, name: &str| {
            let wrapped = root.wrap(name, kind.name, latest + 1, &secret(kind)?)?;
            store.rotate(name, latest, &wrapped, crate::clock::unix())
        };
        self.change(&entry.record.name, work).await.map(drop)
    }

    pub async fn configure(&self, name: String, changes: Changes) -> Result<()> {
        let work = move |store: &Store, _: &Root, name: &str| store.configure(name, &changes);
        self.change(&name, work).await.map(drop)
    }

    /// Opens the wrap of a version.
    fn unwrap(&self, key: &KeyRecord, number: u32) -> Result<Unwrapped> {
        let found = key.versions.iter().find(|version| version.version == number);
        let version = found.ok_or_else(|| Failure::bad("invalid key version"))?;
        let checked = self.store.check_version(key, version);
        let (name, kind, wrapped) = (&key.name, &key.kind, &version.wrapped);
        Ok(checked.and_then(|()| self.root.unwrap(name, kind, number, wrapped)))
    }

    /// Returns a version of a key, with its secret unwrapped. Errors: 400 for a version that does not exist; those of
    /// the root key.
    pub async fn version(&self, entry: &Entry, number: u32) -> Result<Arc<Version>> {
        let known = lock(&entry.versions).get(&number).cloned();
        if let Some(version) = known {
            return Ok(version);
        }
        let (name, kind) = (&entry.record.name, entry.kind);
        let mut secret = self.unwrap(&entry.record, number);
        for _ in 0..TURNS {
            if !matches!(secret, Ok(Err(StoreError::RootChanged))) {
                break;
            }
            // The key was read before a rotation of the root key.
            self.changed(name);
            let now = self.entry(name).await?;
            if now.record.incarnation != entry.record.incarnation {
                return Err(StoreError::Conflict.into());
            }
            secret = self.unwrap(&now.record, number);
        }
        let secret = secret??;
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
        let version = {
            let mut versions = lock(&entry.versions);
            versions.entry(number).or_insert(Arc::new(version)).clone()
        };
        self.evicted(self.cache.grow(name, cache::OPEN));
        Ok(version)
    }

    /// Returns the version that encrypts, with nonces for a number of messages that count for a number of bytes.
    /// Errors: 400 for a version that may not encrypt, and at a limit if the configuration allows no rotation there.
    pub async fn nonces(
        &self,
        name: &str,
        asked: u32,
        messages: u64,
        bytes: u64,
    ) -> Result<(Arc<Entry>, Arc<Version>, Nonces)> {
        for _ in 0..TURNS {
            let entry = self.reaching(self.current(name).await?, asked).await?;
            let version = self.version(&entry, entry.encrypting(asked)?).await?;
            match self.draw(&entry, &version, messages, bytes).await? {
                Drawn::Nonces(nonces) => return Ok((entry, version, nonces)),
                Drawn::Stale => self.changed(name),
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
    ) -> Result<Drawn> {
        let block = entry.kind.block;
        let numbers = || lock(&version.numbers);
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
            if drawn.bytes > 0 {
                let share = u128::from(drawn.used) * 1000 / u128::from(entry.kind.limit);
                self.metrics.share.add(share as u64);
            }
            // The next look-up of the key finds them.
            if drawn.generation != entry.record.generation {
                return Ok(Drawn::Stale);
            }
        }
        Ok(Drawn::Stale)
    }
}

/// A backup of a key, before it is sealed.
#[derive(Serialize, Deserialize)]
struct Saved {
    bulatd_key: u32,
    key: KeyRecord,
    /// The secrets of its versions, in base64.
    secrets: Secrets,
}

/// Texts that are wiped on drop.
#[derive(Serialize, Deserialize)]
#[serde(transparent)]
struct Secrets(Vec<String>);

impl Drop for Secrets {
    fn drop(&mut self) {
        self.0.iter_mut().for_each(|secret| secret.zeroize());
    }
}

type Unwrapped = Result<Zeroizing<Vec<u8>>, StoreError>;

fn damaged() -> Failure {
    Failure::internal("internal error: a backup of a key")
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
    random(&mut secret)?;
    Ok(secret)
}

/// Fills `out` with random bytes from the system. Errors: 500 if the system has none.
pub fn random_bytes(out: &mut [u8]) -> Result<()> {
    getrandom::fill(out).map_err(|_| Failure::internal("the system has no random bytes"))
}
