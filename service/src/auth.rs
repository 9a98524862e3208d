//! Who asks: tokens and client certificates, and the policies that they bring.
//!
//! A token is 256 random bits; the database has its Streebog-256 and nothing else of it. A token that somebody shows is
//! hashed, the record is looked up by the hash, and both hashes are compared in constant time. How long a look-up takes
//! depends on the hash of what was shown, which tells nothing of a token that is not known yet.
//!
//! Replicas keep what they have looked up, and ask once a second whether tokens or policies were changed; the replica that
//! changes one forgets at once. When the database does not answer nobody is let in.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bulat::Streebog256;
use rustls::pki_types::{CertificateDer, ServerName};
use serde::Deserialize;
use subtle::ConstantTimeEq;
use webpki::EndEntityCert;
use zeroize::Zeroizing;

use crate::policy::{DEFAULT, DEFAULT_RULES, Policy, ROOT, Rules};
use crate::root::random;
use crate::store::{Store, StoreError, TokenRecord};

/// How long a replica may not know of another's change.
const FRESH: Duration = Duration::from_secs(1);
/// The life of a token whose maker names none, and the longest that renewal can reach: 32 days.
const LIFE: u64 = 768 * 3600;
/// Callers that are remembered.
const MANY: usize = 10_000;

/// Whose certificate brings which policies.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct CertificateRule {
    /// A DNS name that the certificate has (subjectAltName), exactly.
    pub name: String,
    /// Names of policies.
    pub policies: Vec<String>,
}

impl CertificateRule {
    /// Whether a certificate can have this name; a wildcard is no name.
    pub fn right(&self) -> bool {
        self.server_name().is_some()
    }
    fn server_name(&self) -> Option<ServerName<'_>> {
        ServerName::try_from(self.name.as_str()).ok()
    }
    /// Whether a certificate names exactly this: one for `*.example` is not for `a.example` here.
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

/// Somebody who may ask.
pub struct Who {
    /// The token's record; none of a certificate.
    pub token: Option<TokenRecord>,
    /// The accessor, or the certificate's name: for the audit log and the rate.
    pub name: String,
    /// Names of policies.
    pub policies: Vec<String>,
    /// What they let.
    pub rules: Rules,
}

impl Who {
    /// Has the policy that lets everything.
    pub fn root(&self) -> bool {
        self.policies.iter().any(|policy| policy == ROOT)
    }
    /// Seconds since 1970; 0: no end.
    pub fn expires(&self) -> u64 {
        self.token.as_ref().map_or(0, |token| token.expires)
    }
}

/// What a new token is to be.
#[derive(Clone, Default)]
pub struct NewToken {
    /// For people.
    pub display_name: String,
    /// Names of policies; none: those of whoever makes it.
    pub policies: Vec<String>,
    /// Without the policy `default`.
    pub no_default: bool,
    /// Seconds of life.
    pub ttl: Option<u64>,
    /// Its end may be put off.
    pub renewable: bool,
}

/// A clock that never goes back: what has expired stays expired.
pub struct Clock {
    start: Instant,
    base: u64,
    seen: Mutex<u64>,
}

impl Clock {
    fn new() -> Clock {
        Clock { start: Instant::now(), base: system(), seen: Mutex::new(0) }
    }
    /// Seconds since 1970: the latest of the system's clock, the time that has passed since the start, and what was
    /// answered before.
    pub fn now(&self) -> u64 {
        self.at(self.start.elapsed().as_secs(), system())
    }

    fn at(&self, passed: u64, system: u64) -> u64 {
        let mut seen = lock(&self.seen);
        *seen = (*seen).max(self.base.saturating_add(passed)).max(system);
        *seen
    }
}

fn system() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

type Hash = [u8; 32];

/// Tokens, certificates and policies of a database. Its calls block, but for [`Auth::known`].
pub struct Auth {
    store: Arc<Store>,
    certificates: Vec<CertificateRule>,
    /// The time by which tokens live.
    pub clock: Clock,
    cache: Mutex<Cache>,
    asking: Mutex<()>,
}

/// What was right when the database's count of changes was `access`, last asked for at `asked`.
#[derive(Default)]
struct Cache {
    asked: Option<Instant>,
    access: u64,
    callers: HashMap<Hash, Arc<Who>>,
}

impl Cache {
    fn fresh(&self) -> bool {
        self.asked.is_some_and(|asked| asked.elapsed() < FRESH)
    }
    fn get(&self, hash: &Hash) -> Option<Arc<Who>> {
        let who = self.callers.get(hash)?;
        let token = who.token.as_ref()?;
        bool::from(token.hash.as_slice().ct_eq(hash)).then(|| who.clone())
    }
}

impl Auth {
    /// Over a database, with the rules of the configuration for certificates.
    pub fn new(store: Arc<Store>, certificates: Vec<CertificateRule>) -> Auth {
        Auth {
            store,
            certificates,
            clock: Clock::new(),
            cache: Mutex::default(),
            asking: Mutex::default(),
        }
    }

    /// Work that asks the database, off the threads that answer.
    ///
    /// # Errors
    /// What the work says; [`StoreError::Unavailable`] when it does not end in time.
    pub async fn away<T: Send + 'static>(
        self: &Arc<Auth>,
        work: impl FnOnce(&Auth) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let auth = self.clone();
        self.store.away(move || work(&auth)).await
    }

    /// Who shows this token, if that is known without the database: never blocks.
    pub fn known(&self, token: &str) -> Option<Arc<Who>> {
        let hash = Streebog256::digest(token.as_bytes());
        let cache = lock(&self.cache);
        let who = cache.fresh().then(|| cache.get(&hash)).flatten()?;
        drop(cache);
        self.alive(who.expires()).then_some(who)
    }

    /// Who shows this token; `None`: nobody.
    ///
    /// # Errors
    /// [`StoreError`]: nobody is let in.
    pub fn token(&self, token: &str) -> Result<Option<Arc<Who>>, StoreError> {
        let hash = Streebog256::digest(token.as_bytes());
        let access = self.refresh()?;
        let cached = lock(&self.cache).get(&hash);
        if let Some(who) = cached {
            return self.living(who);
        }
        let Some(record) = self.store.token(&hash)? else { return Ok(None) };
        if !bool::from(record.hash.as_slice().ct_eq(&hash)) {
            return Ok(None);
        }
        let policies = record.policies.clone();
        let rules = self.rules(&policies)?;
        let who =
            Arc::new(Who { name: record.accessor.clone(), token: Some(record), policies, rules });
        let mut cache = lock(&self.cache);
        // Read after the count; where something was changed since, this may be old already.
        if cache.access == access {
            if cache.callers.len() >= MANY {
                cache.callers.clear();
            }
            cache.callers.insert(hash, who.clone());
        }
        drop(cache);
        self.living(who)
    }

    /// Whose certificate this is, which the TLS library has checked; `None`: no rule names it. It has the policies of all
    /// rules that name it.
    ///
    /// # Errors
    /// [`StoreError`]: nobody is let in.
    pub fn certificate(&self, der: &[u8]) -> Result<Option<Arc<Who>>, StoreError> {
        let der = CertificateDer::from(der);
        let rules: Vec<_> = self.certificates.iter().filter(|rule| rule.names(&der)).collect();
        let Some(first) = rules.first() else { return Ok(None) };
        let policies: Vec<_> = rules.iter().flat_map(|rule| rule.policies.clone()).collect();
        let name = format!("certificate {}", first.name);
        let rules = self.rules(&policies)?;
        Ok(Some(Arc::new(Who { token: None, name, policies, rules })))
    }

    /// Makes a token. A caller gives no policy that it has not itself, but with [`ROOT`] any, and no life beyond its own.
    ///
    /// # Errors
    /// [`StoreError::Invalid`] with the reason.
    pub fn create(
        &self,
        new: &NewToken,
        by: Option<&Who>,
    ) -> Result<(Zeroizing<String>, TokenRecord), StoreError> {
        let mut secret = Zeroizing::new([0; 32]);
        random(&mut *secret)?;
        let mut token = Zeroizing::new(String::with_capacity(64));
        token.push_str("bulat.");
        URL_SAFE_NO_PAD.encode_string(*secret, &mut token);
        let record = self.create_as(&token, new, by)?;
        Ok((token, record))
    }

    /// The same with a token that somebody chose: for development alone.
    ///
    /// # Errors
    /// As [`Auth::create`].
    pub fn create_as(
        &self,
        token: &str,
        new: &NewToken,
        by: Option<&Who>,
    ) -> Result<TokenRecord, StoreError> {
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
            return invalid("a policy of no right name");
        }
        if let Some(by) = by.filter(|by| !by.root()) {
            let has = |policy: &String| policy == DEFAULT || by.policies.contains(policy);
            if !policies.iter().all(has) {
                return invalid("child policies must be subset of parent");
            }
        }
        let now = self.clock.now();
        let root = policies[..] == [ROOT];
        let mut ttl = new.ttl.unwrap_or(if root { 0 } else { LIFE });
        if by.is_some_and(|by| !by.root()) {
            // A certificate has no end that bounds it.
            ttl = ttl.min(LIFE);
        }
        let mut expires = if ttl == 0 { 0 } else { now.saturating_add(ttl) };
        let bound = by.map_or(0, Who::expires);
        if bound != 0 && (expires == 0 || expires > bound) {
            expires = bound;
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
            renewable: new.renewable && expires != 0 && bound == 0,
        };
        self.store.token_create(&record)?;
        Ok(record)
    }

    /// Puts a token's end off by its time of life, or by `more` seconds where that is less, up to 32 days from its making.
    ///
    /// # Errors
    /// [`StoreError::NotFound`]; [`StoreError::Invalid`]: it is not renewable.
    pub fn renew(&self, hash: &[u8], more: Option<u64>) -> Result<TokenRecord, StoreError> {
        let mut record = self.store.token(hash)?.ok_or(StoreError::NotFound)?;
        let now = self.clock.now();
        if !self.alive(record.expires) {
            return Err(StoreError::NotFound);
        }
        if !record.renewable {
            return Err(StoreError::Invalid("lease is not renewable".into()));
        }
        let most = record.created.saturating_add(record.ttl.max(LIFE));
        let more = more.filter(|more| *more != 0).unwrap_or(record.ttl).min(record.ttl);
        record.expires = now.saturating_add(more).min(most);
        self.store.token_renew(hash, record.expires)?;
        self.forget();
        Ok(record)
    }

    /// The record of a token that lives.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn look_up(&self, token: &str) -> Result<Option<TokenRecord>, StoreError> {
        let record = self.store.token(&Streebog256::digest(token.as_bytes()))?;
        Ok(record.filter(|record| self.alive(record.expires)))
    }

    /// The same by its accessor.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn look_up_accessor(&self, accessor: &str) -> Result<Option<TokenRecord>, StoreError> {
        let record = self.store.token_by_accessor(accessor)?;
        Ok(record.filter(|record| self.alive(record.expires)))
    }

    /// Ends a token, by its accessor.
    ///
    /// # Errors
    /// [`StoreError::NotFound`].
    pub fn revoke(&self, accessor: &str) -> Result<(), StoreError> {
        let done = self.store.token_revoke(accessor);
        self.forget();
        done
    }

    /// Deletes what has expired: to be called each minute. How many tokens.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn sweep(&self) -> Result<u64, StoreError> {
        self.store.token_sweep(self.clock.now())
    }

    /// Writes a policy, if it can be read.
    ///
    /// # Errors
    /// [`StoreError::Invalid`] with what is wrong.
    pub fn policy_write(&self, name: &str, text: &str) -> Result<(), StoreError> {
        if name == ROOT || !good_name(name) {
            return Err(StoreError::Invalid(format!("no policy can have the name {name:?}")));
        }
        Policy::parse(text).map_err(StoreError::Invalid)?;
        let done = self.store.policy_write(name, text);
        self.forget();
        done
    }

    /// The text of a policy.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn policy(&self, name: &str) -> Result<Option<String>, StoreError> {
        let there = self.store.policy(name)?;
        Ok(there.or_else(|| match name {
            DEFAULT => Some(DEFAULT_RULES.into()),
            ROOT => Some(String::new()),
            _ => None,
        }))
    }

    /// Names of all policies, in order.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn policy_list(&self) -> Result<Vec<String>, StoreError> {
        let mut names = self.store.policy_list()?;
        names.extend([DEFAULT.into(), ROOT.into()]);
        names.sort_unstable();
        names.dedup();
        Ok(names)
    }

    /// Deletes a policy; one that is not there is as good as deleted.
    ///
    /// # Errors
    /// [`StoreError::Invalid`]: it cannot be deleted.
    pub fn policy_delete(&self, name: &str) -> Result<(), StoreError> {
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

    /// What policies let together. One that is not there lets nothing; one that cannot be read lets nobody in.
    fn rules(&self, names: &[String]) -> Result<Rules, StoreError> {
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

    /// A caller that was seen to have expired is deleted, so that no clock, of this process or a later one, brings it back;
    /// unless the database's clock, which is one for all replicas, says that its time is not over.
    fn living(&self, who: Arc<Who>) -> Result<Option<Arc<Who>>, StoreError> {
        if self.alive(who.expires()) {
            return Ok(Some(who));
        }
        let done = self.store.token_end(&who.name, self.clock.now());
        self.forget();
        done.map(|()| None)
    }

    /// The count of changes, asked for at most once a second and by one thread; other than before, and what is remembered
    /// is forgotten.
    fn refresh(&self) -> Result<u64, StoreError> {
        let _one = lock(&self.asking);
        {
            let cache = lock(&self.cache);
            if cache.fresh() {
                return Ok(cache.access);
            }
        }
        let asked = Instant::now();
        let access = self.store.counters()?.access;
        let mut cache = lock(&self.cache);
        if access != cache.access {
            cache.callers.clear();
            cache.access = access;
        }
        cache.asked = Some(asked);
        Ok(access)
    }

    fn forget(&self) {
        // Not while somebody asks, whose answer may be from before the change.
        let _one = lock(&self.asking);
        lock(&self.cache).asked = None;
    }
}

/// Names of policies: what stands in paths without escapes.
fn good_name(name: &str) -> bool {
    (1..=128).contains(&name.len())
        && name.bytes().all(|c| c.is_ascii_alphanumeric() || b"-_.".contains(&c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_never_goes_back() {
        let clock = Clock { start: Instant::now(), base: 1000, seen: Mutex::new(0) };
        for (passed, system, now) in [
            (0, 1000, 1000),
            (5, 1005, 1005),
            // Set back by an hour: time passes as before.
            (6, 0, 1006),
            // Set forward, and back again.
            (7, 5000, 5000),
            (8, 1008, 5000),
            (4001, 1000, 5001),
        ] {
            assert_eq!(clock.at(passed, system), now);
        }
    }
}
