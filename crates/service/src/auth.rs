//! Callers: tokens and client certificates, and their policies.
//!
//! A token is 256 random bits. The database has only its Streebog-256. To find a token, the service hashes it, looks
//! the record up by the hash, and compares both hashes in constant time. The time of a look-up depends on the hash of
//! the client's token, which says nothing about tokens that the client does not know.
//!
//! Replicas cache the callers that they have looked up, and read once a second in the log which tokens and policies have
//! changed; the replica that makes a change reads the log at once. When the database does not answer, nobody is
//! admitted.
//!
//! A token ends with the one that made it, unless it is an orphan.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bulat::Streebog256;
use rustls::pki_types::{CertificateDer, ServerName};
use serde::Deserialize;
use subtle::ConstantTimeEq;
use webpki::EndEntityCert;
use zeroize::Zeroizing;

use crate::clock::Clock;
use crate::locks::lock;
use crate::policy::{DEFAULT, DEFAULT_RULES, Policy, ROOT, Rules};
use crate::root::random;
use crate::store::{Kind, Result, Store, StoreError, TokenRecord};

/// The time for which a replica may not know of another's change.
const FRESH: Duration = Duration::from_secs(1);
/// The lifetime of a token without a `ttl`, and the longest that renewal can reach: 32 days.
pub const LIFE: u64 = 768 * 3600;
/// The most callers in the cache. Each needs about a kilobyte.
const MANY: usize = 65_536;
/// The longest line of tokens that made each other.
const LINE: usize = 32;

/// A name in certificates, with its policies.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct CertificateRule {
    /// A DNS name of the certificate (subjectAltName), exactly.
    pub name: String,
    pub policies: Vec<String>,
}

impl CertificateRule {
    /// Returns whether a certificate can have this name. A wildcard is refused.
    pub fn right(&self) -> bool {
        self.server_name().is_some()
    }
    fn server_name(&self) -> Option<ServerName<'_>> {
        ServerName::try_from(self.name.as_str()).ok()
    }
    /// Returns whether a certificate has exactly this name: one for `*.example` does not match `a.example` here.
    fn names(&self, der: &CertificateDer<'_>) -> bool {
        match self.server_name() {
            Some(ServerName::DnsName(name)) => EndEntityCert::try_from(der).is_ok_and(|parsed| {
                parsed.valid_dns_names().any(|known| known.eq_ignore_ascii_case(name.as_ref()))
            }),
            Some(name) => EndEntityCert::try_from(der)
                .is_ok_and(|parsed| parsed.verify_is_valid_for_subject_name(&name).is_ok()),
            None => false,
        }
    }
}

pub struct Who {
    /// The record of its token; `None` if it has shown a certificate.
    pub token: Option<TokenRecord>,
    /// The accessor, or the certificate's name: for the audit log and the rate.
    pub name: String,
    pub policies: Vec<String>,
    pub rules: Rules,
    /// The end of its life, and of those that made it, in seconds since 1970; 0: none.
    pub until: u64,
    /// The accessors of the tokens in the line that made it.
    pub line: Vec<String>,
}

impl Who {
    /// Returns whether the caller has the policy that allows everything.
    pub fn root(&self) -> bool {
        self.policies.iter().any(|policy| policy == ROOT)
    }
    /// Returns whether it may do on a path, without a policy that allows everything, more than others.
    pub fn sudo(&self, path: &str) -> bool {
        self.root() || self.rules.on(path).has("sudo")
    }
}

#[derive(Clone, Default)]
pub struct NewToken {
    pub display_name: String,
    /// Names of policies; none: the creator's.
    pub policies: Vec<String>,
    /// Leaves out the policy `default`.
    pub no_default: bool,
    /// The lifetime in seconds.
    pub ttl: Option<u64>,
    /// Renewal may extend its life.
    pub renewable: bool,
    /// It does not end with its creator.
    pub orphan: bool,
    /// Seconds by which each renewal extends its life; 0: by its lifetime, up to an end.
    pub period: u64,
    /// The longest life by any renewals, in seconds; 0: the usual.
    pub most: u64,
    /// The requests that it may make; 0: any number.
    pub uses: u64,
    /// The path of the call that makes it.
    pub path: String,
}

type Hash = [u8; 32];

/// Tokens, certificates and policies of a database. The calls block, except [`Auth::known`].
pub struct Auth {
    store: Arc<Store>,
    certificates: Vec<CertificateRule>,
    pub clock: Clock,
    cache: Mutex<Cache>,
    asking: Mutex<()>,
}

/// Callers that were valid when the log of changes was last read, at `asked`, up to `place`.
#[derive(Default)]
struct Cache {
    asked: Option<Instant>,
    place: Option<u64>,
    /// The number of readings that found changes.
    turn: u64,
    /// A caller has been looked for since the last reading.
    used: bool,
    /// By the hash of a token or of a certificate.
    callers: HashMap<Hash, Arc<Who>>,
    /// The hashes of the callers that end with a token, by its accessor: its own, and those that it has made.
    tokens: HashMap<String, HashSet<Hash>>,
}

impl Cache {
    fn fresh(&self) -> bool {
        self.asked.is_some_and(|asked| asked.elapsed() < FRESH)
    }
    /// Returns the caller with a token of this hash.
    fn token(&self, hash: &Hash) -> Option<Arc<Who>> {
        let who = self.callers.get(hash)?;
        let token = who.token.as_ref()?;
        bool::from(token.hash.as_slice().ct_eq(hash)).then(|| who.clone())
    }
    /// Returns the caller with a certificate of this hash. A certificate is no secret.
    fn certificate(&self, hash: &Hash) -> Option<Arc<Who>> {
        self.callers.get(hash).filter(|who| who.token.is_none()).cloned()
    }
    fn put(&mut self, hash: Hash, who: &Arc<Who>) {
        if self.callers.len() >= MANY {
            // Some make room: any of them, since a look-up is cheap.
            let mut n = 0;
            self.retain(|_| {
                n += 1;
                n % 4 != 0
            });
        }
        if who.token.is_some() {
            for accessor in who.line.iter().chain([&who.name]) {
                self.tokens.entry(accessor.clone()).or_default().insert(hash);
            }
        }
        self.callers.insert(hash, who.clone());
    }
    fn retain(&mut self, mut keep: impl FnMut(&Who) -> bool) {
        self.callers.retain(|_, who| keep(who));
        let callers = &self.callers;
        self.tokens.retain(|_, hashes| {
            hashes.retain(|hash| callers.contains_key(hash));
            !hashes.is_empty()
        });
    }
    /// Forgets a token and those that it has made.
    fn remove(&mut self, accessor: &str) {
        for hash in self.tokens.remove(accessor).into_iter().flatten() {
            let Some(who) = self.callers.remove(&hash) else { continue };
            for other in who.line.iter().chain([&who.name]) {
                if let Some(hashes) = self.tokens.get_mut(other) {
                    hashes.remove(&hash);
                    if hashes.is_empty() {
                        self.tokens.remove(other);
                    }
                }
            }
        }
    }
}

impl Auth {
    /// Makes it over a database, with the configuration's rules for certificates.
    pub fn new(store: Arc<Store>, certificates: Vec<CertificateRule>) -> Auth {
        Auth {
            store,
            certificates,
            clock: Clock::start(),
            cache: Mutex::default(),
            asking: Mutex::default(),
        }
    }

    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Runs work that asks the database, outside the threads that answer requests. Errors: those of the work;
    /// [`StoreError::Unavailable`] when it does not end in time.
    pub async fn away<T: Send + 'static>(
        self: &Arc<Auth>,
        mut work: impl FnMut(&Auth) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let auth = self.clone();
        self.store.away(move || work(&auth)).await
    }

    /// Returns the caller with this token, if the cache has it. It never blocks.
    pub fn known(&self, token: &str) -> Option<Arc<Who>> {
        // Before the lock, which every request needs.
        let hash = Streebog256::digest(token.as_bytes());
        self.cached(|cache| cache.token(&hash))
    }

    /// Returns the caller with a certificate of this hash, if the cache has it. It never blocks.
    pub fn known_certificate(&self, hash: &[u8; 32]) -> Option<Arc<Who>> {
        self.cached(|cache| cache.certificate(hash))
    }

    fn cached(&self, find: impl FnOnce(&Cache) -> Option<Arc<Who>>) -> Option<Arc<Who>> {
        let mut cache = lock(&self.cache);
        cache.used = true;
        let who = cache.fresh().then(|| find(&cache)).flatten()?;
        drop(cache);
        self.alive(who.until).then_some(who)
    }

    /// Returns the caller with this token; `None` if there is none. It counts a request of a token that may make only
    /// some. Errors: [`StoreError`]; then no caller is admitted.
    pub fn token(&self, token: &str) -> Result<Option<Arc<Who>>> {
        let hash = Streebog256::digest(token.as_bytes());
        let turn = self.refresh(FRESH)?;
        let cached = lock(&self.cache).token(&hash);
        if let Some(who) = cached.filter(|who| self.alive(who.until)) {
            return Ok(Some(who));
        }
        let Some(record) = self.store.token(&hash)? else { return Ok(None) };
        if !bool::from(record.hash.as_slice().ct_eq(&hash)) {
            return Ok(None);
        }
        if !self.alive(record.expires) {
            // It is deleted, so that no clock, of this process or a later one, brings it back; unless the database's clock,
            // which is common to all replicas, says that its time is not over.
            let done = self.store.token_end(&record.accessor, self.clock.now());
            self.forget();
            return done.map(|()| None);
        }
        let Some((until, line)) = self.line(&record)? else { return Ok(None) };
        let policies = record.policies.clone();
        let rules = self.rules(&policies)?;
        let (name, counted) = (record.accessor.clone(), record.uses != 0);
        let who = Arc::new(Who { name, token: Some(record), policies, rules, until, line });
        if counted {
            return match self.store.token_use(&hash) {
                Ok(()) => Ok(Some(who)),
                Err(StoreError::NotFound) => Ok(None),
                Err(e) => Err(e),
            };
        }
        self.keep_caller(turn, hash, &who);
        Ok(Some(who))
    }

    /// Keeps a caller that was looked up after a reading of the log, if no other reading found changes since: then it may
    /// already be out of date.
    fn keep_caller(&self, turn: u64, hash: Hash, who: &Arc<Who>) {
        let mut cache = lock(&self.cache);
        if cache.turn == turn {
            cache.put(hash, who);
        }
    }

    /// Returns the end of a token's life and of those that made it, and their accessors; `None` if one of them has ended.
    fn line(&self, record: &TokenRecord) -> Result<Option<(u64, Vec<String>)>> {
        let (mut until, mut parent) = (record.expires, record.parent.clone());
        let mut line = Vec::new();
        for _ in 0..=LINE {
            if parent.is_empty() {
                return Ok(Some((until, line)));
            }
            let Some(above) = self.store.token_by_accessor(&parent)? else { return Ok(None) };
            if !self.alive(above.expires) {
                return Ok(None);
            }
            if above.expires != 0 && (until == 0 || above.expires < until) {
                until = above.expires;
            }
            line.push(std::mem::replace(&mut parent, above.parent));
        }
        Ok(None)
    }

    /// Returns the caller with this certificate and its hash, which the TLS library has verified; `None` if no rule
    /// names it. The caller has the policies of all rules that name the certificate. Errors: [`StoreError`]; then
    /// no request is admitted.
    pub fn certificate(&self, der: &[u8], hash: &[u8; 32]) -> Result<Option<Arc<Who>>> {
        let turn = self.refresh(FRESH)?;
        if let Some(who) = lock(&self.cache).certificate(hash) {
            return Ok(Some(who));
        }
        let der = CertificateDer::from(der);
        let rules: Vec<_> = self.certificates.iter().filter(|rule| rule.names(&der)).collect();
        let Some(first) = rules.first() else { return Ok(None) };
        let policies: Vec<_> = rules.iter().flat_map(|rule| rule.policies.clone()).collect();
        let name = format!("certificate {}", first.name);
        let rules = self.rules(&policies)?;
        let who = Arc::new(Who { token: None, name, policies, rules, until: 0, line: Vec::new() });
        self.keep_caller(turn, *hash, &who);
        Ok(Some(who))
    }

    /// Returns the policies of the rules with this name, if the certificate has it.
    pub fn certificate_policies(&self, der: &[u8], name: &str) -> Option<Vec<String>> {
        let der = CertificateDer::from(der);
        let named = |rule: &&CertificateRule| rule.name == name && rule.names(&der);
        let mut rules = self.certificates.iter().filter(named).peekable();
        rules.peek()?;
        Some(rules.flat_map(|rule| rule.policies.clone()).collect())
    }

    /// Makes a token. A creator may give its own policies, with [`ROOT`] any, and no life beyond its own. Errors:
    /// [`StoreError::Invalid`] with the reason.
    pub fn create(
        &self,
        new: &NewToken,
        by: Option<&Who>,
    ) -> Result<(Zeroizing<String>, TokenRecord)> {
        let mut secret = Zeroizing::new([0; 32]);
        random(&mut *secret)?;
        let mut token = Zeroizing::new(String::with_capacity(64));
        token.push_str("bulat.");
        URL_SAFE_NO_PAD.encode_string(*secret, &mut token);
        let record = self.create_as(&token, new, by)?;
        Ok((token, record))
    }

    /// Makes a record for a token that the user has chosen: only for development. Errors: as [`Auth::create`].
    pub fn create_as(&self, token: &str, new: &NewToken, by: Option<&Who>) -> Result<TokenRecord> {
        let invalid = |why: &str| Err(StoreError::Invalid(why.into()));
        let mut policies = new.policies.clone();
        if policies.is_empty() {
            policies = by.map_or_else(Vec::new, |by| by.policies.clone());
        }
        if policies.iter().any(|policy| policy == ROOT) {
            policies = vec![ROOT.into()];
        } else if !new.no_default {
            policies.push(DEFAULT.into());
        }
        policies.sort_unstable();
        policies.dedup();
        if policies.iter().any(|name| !good_name(name)) {
            return invalid("invalid policy name");
        }
        if let Some(by) = by.filter(|by| !by.root()) {
            let has = |policy: &String| policy == DEFAULT || by.policies.contains(policy);
            if !policies.iter().all(has) {
                return invalid("child policies must be subset of parent");
            }
        }
        let parent = by.filter(|_| !new.orphan).and_then(|by| by.token.as_ref());
        if by.is_some_and(|by| by.token.as_ref().is_some_and(|token| token.uses != 0)) {
            return invalid("restricted use token cannot generate child tokens");
        }
        if by.is_some_and(|by| by.line.len() >= LINE) {
            return invalid("too many tokens that made each other");
        }
        let now = self.clock.now();
        let root = policies[..] == [ROOT];
        let mut ttl = new.ttl.unwrap_or(if root { 0 } else { LIFE });
        if new.period != 0 {
            ttl = new.period;
        }
        if new.most != 0 && (ttl == 0 || ttl > new.most) {
            ttl = new.most;
        }
        if by.is_some_and(|by| !by.root()) {
            // A certificate has no end that could bound the token's.
            ttl = ttl.min(LIFE);
        }
        let mut expires = if ttl == 0 { 0 } else { now.saturating_add(ttl) };
        let bound = by.map_or(0, |by| by.until);
        if bound != 0 && (expires == 0 || expires > bound) {
            expires = bound;
        }
        let mut most = new.most;
        if bound != 0 && parent.is_none() {
            // No renewal passes the creator's end, which it does not look up later.
            let left = bound.saturating_sub(now);
            most = if most == 0 { left } else { most.min(left) };
        }
        if expires == 0 && !root {
            return invalid("only a root token lives without end");
        }
        let mut accessor = [0; 18];
        random(&mut accessor)?;
        let record = TokenRecord {
            hash: Streebog256::digest(token.as_bytes()).to_vec(),
            accessor: URL_SAFE_NO_PAD.encode(accessor),
            display_name: new.display_name.clone(),
            policies,
            created: now,
            expires,
            ttl: expires.saturating_sub(now),
            renewable: new.renewable && expires != 0,
            parent: parent.map_or_else(String::new, |parent| parent.accessor.clone()),
            period: new.period,
            most,
            uses: new.uses,
            path: new.path.clone(),
        };
        self.store.token_create(&record)?;
        Ok(record)
    }

    /// Extends a token's life by its lifetime, or by `more` seconds if that is less, up to 32 days after its creation,
    /// or its own longest life; one with a period by that. Errors: [`StoreError::NotFound`]; [`StoreError::Invalid`]:
    /// it is not renewable.
    pub fn renew(&self, hash: &[u8], more: Option<u64>) -> Result<TokenRecord> {
        let mut record = self.store.token(hash)?.ok_or(StoreError::NotFound)?;
        let now = self.clock.now();
        if !self.alive(record.expires) {
            return Err(StoreError::NotFound);
        }
        if !record.renewable {
            return Err(StoreError::Invalid("lease is not renewable".into()));
        }
        let life = match (record.most, record.period) {
            (0, 0) => record.ttl.max(LIFE),
            (0, _) => u64::MAX,
            // It bounds a life, and extends none.
            (most, 0) => most.min(record.ttl.max(LIFE)),
            (most, _) => most,
        };
        let ttl = if record.period == 0 { record.ttl } else { record.period };
        let more = more.filter(|more| *more != 0 && record.period == 0).unwrap_or(ttl).min(ttl);
        record.expires = now.saturating_add(more).min(record.created.saturating_add(life));
        // Not beyond the end of those that made it.
        let (until, _) = self.line(&record)?.ok_or(StoreError::NotFound)?;
        record.expires = until;
        self.store.token_renew(hash, record.expires)?;
        self.forget();
        Ok(record)
    }

    /// Returns the record of a token that has not expired.
    pub fn look_up(&self, token: &str) -> Result<Option<TokenRecord>> {
        let record = self.store.token(&Streebog256::digest(token.as_bytes()))?;
        Ok(record.filter(|record| self.alive(record.expires)))
    }

    /// Returns the record of the token with this accessor, if it has not expired.
    pub fn look_up_accessor(&self, accessor: &str) -> Result<Option<TokenRecord>> {
        let record = self.store.token_by_accessor(accessor)?;
        Ok(record.filter(|record| self.alive(record.expires)))
    }

    /// Ends the token with this accessor. Errors: [`StoreError::NotFound`].
    pub fn revoke(&self, accessor: &str) -> Result<()> {
        let done = self.store.token_revoke(accessor);
        self.forget();
        done
    }

    /// Deletes expired tokens, and returns their number: to be called each minute.
    pub fn sweep(&self) -> Result<u64> {
        self.store.record_sweep(self.clock.now())?;
        self.store.token_sweep(self.clock.now())
    }

    /// Writes a policy, if it is valid. Errors: [`StoreError::Invalid`] with the reason.
    pub fn policy_write(&self, name: &str, text: &str) -> Result<()> {
        if name == ROOT || !good_name(name) {
            return Err(StoreError::Invalid(format!("invalid policy name {name:?}")));
        }
        Policy::parse(text).map_err(StoreError::Invalid)?;
        let done = self.store.policy_write(name, text);
        self.forget();
        done
    }

    pub fn policy(&self, name: &str) -> Result<Option<String>> {
        let there = self.store.policy(name)?;
        Ok(there.or_else(|| match name {
            DEFAULT => Some(DEFAULT_RULES.into()),
            ROOT => Some(String::new()),
            _ => None,
        }))
    }

    /// Returns the names of all policies, in order.
    pub fn policy_list(&self) -> Result<Vec<String>> {
        let mut names = self.store.policy_list()?;
        names.extend([DEFAULT.into(), ROOT.into()]);
        names.sort_unstable();
        names.dedup();
        Ok(names)
    }

    /// Deletes a policy. It is no error if there is none. Errors: [`StoreError::Invalid`]: it cannot be deleted.
    pub fn policy_delete(&self, name: &str) -> Result<()> {
        if [ROOT, DEFAULT].contains(&name) {
            return Err(StoreError::Invalid(format!("cannot delete {name:?} policy")));
        }
        let done = self.store.policy_delete(name);
        self.forget();
        match done {
            Err(StoreError::NotFound) => Ok(()),
            other => other,
        }
    }

    /// Joins the rules of policies. A policy that does not exist allows nothing; one that cannot be read is an error.
    fn rules(&self, names: &[String]) -> Result<Rules> {
        let mut policies = Vec::new();
        for name in names {
            if let Some(text) = self.policy(name)? {
                let damaged = |why| StoreError::Corrupt(format!("policy {name}: {why}"));
                policies.push(Policy::parse(&text).map_err(damaged)?);
            }
        }
        Ok(Rules::new(names.iter().any(|name| name == ROOT), &policies))
    }

    fn alive(&self, expires: u64) -> bool {
        expires == 0 || self.clock.now() < expires
    }

    /// Reads the log of changes, unless that was less than `most` ago, by one thread, and forgets the callers that have
    /// changed. Returns the number of readings that found some.
    fn refresh(&self, most: Duration) -> Result<u64> {
        let _one = lock(&self.asking);
        let place = {
            let mut cache = lock(&self.cache);
            cache.used = true;
            if cache.asked.is_some_and(|asked| asked.elapsed() < most) {
                return Ok(cache.turn);
            }
            cache.place
        };
        let asked = Instant::now();
        let news = self.store.news(place, [Kind::Token, Kind::Policy])?;
        let mut cache = lock(&self.cache);
        if news.all {
            cache.callers.clear();
            cache.tokens.clear();
        }
        for (kind, name) in &news.changed {
            if *kind == Kind::Token {
                cache.remove(name);
            } else {
                cache.retain(|who| !who.policies.contains(name));
            }
        }
        cache.turn += u64::from(news.all || !news.changed.is_empty());
        cache.place = Some(news.place);
        cache.asked = Some(asked);
        Ok(cache.turn)
    }

    /// Reads the log of changes if a caller was looked for since the last time, so that requests seldom wait for it: to be
    /// called more often than each second.
    pub fn keep(&self) -> Result<()> {
        let used = std::mem::take(&mut lock(&self.cache).used);
        if used && lock(&self.cache).asked.is_some() {
            self.refresh(FRESH / 4)?;
            lock(&self.cache).used = false;
        }
        Ok(())
    }

    fn forget(&self) {
        // Not while another thread asks: its answer may be from before the change.
        let _one = lock(&self.asking);
        lock(&self.cache).asked = None;
    }
}

/// Returns whether a name stays in a path: many clients remove `.` and `..`.
pub fn reachable(name: &str) -> bool {
    !matches!(name, "." | "..")
}

/// Returns whether a name of a policy needs no escapes in a path.
fn good_name(name: &str) -> bool {
    (1..=128).contains(&name.len())
        && name.bytes().all(|c| c.is_ascii_alphanumeric() || b"-_.".contains(&c))
        && reachable(name)
}
