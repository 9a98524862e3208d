//! Callers: tokens and client certificates, and their policies.
//!
//! A token is 256 random bits. The database has only its Streebog-256. To find a token, the service hashes it, looks
//! the record up by the hash, and compares both hashes in constant time. The time of a look-up depends on the hash of
//! the client's token, which says nothing about tokens that the client does not know.
//!
//! Replicas cache the callers that they have looked up, and check once a second whether tokens or policies were
//! changed; the replica that makes a change drops its cache at once. When the database does not answer, nobody is
//! admitted.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
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
use crate::policy::{DEFAULT, DEFAULT_RULES, Policy, ROOT, Rules};
use crate::root::random;
use crate::store::{Store, StoreError, TokenRecord};

/// The time for which a replica may not know of another's change.
const FRESH: Duration = Duration::from_secs(1);
/// The lifetime of a token without a `ttl`, and the longest that renewal can reach: 32 days.
const LIFE: u64 = 768 * 3600;
/// The most callers in the cache.
const MANY: usize = 10_000;

/// A name in certificates, with its policies.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct CertificateRule {
    /// A DNS name of the certificate (subjectAltName), exactly.
    pub name: String,
    /// Names of policies.
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

/// A caller.
pub struct Who {
    /// The record of its token; `None` if it has shown a certificate.
    pub token: Option<TokenRecord>,
    /// The accessor, or the certificate's name: for the audit log and the rate.
    pub name: String,
    /// Names of policies.
    pub policies: Vec<String>,
    /// The rules of these policies.
    pub rules: Rules,
}

impl Who {
    /// Returns whether the caller has the policy that allows everything.
    pub fn root(&self) -> bool {
        self.policies.iter().any(|policy| policy == ROOT)
    }
    /// Returns the end of its life in seconds since 1970; 0: none.
    pub fn expires(&self) -> u64 {
        self.token.as_ref().map_or(0, |token| token.expires)
    }
}

/// The values for a new token.
#[derive(Clone, Default)]
pub struct NewToken {
    /// A name for people.
    pub display_name: String,
    /// Names of policies; none: the creator's.
    pub policies: Vec<String>,
    /// Leaves out the policy `default`.
    pub no_default: bool,
    /// The lifetime in seconds.
    pub ttl: Option<u64>,
    /// Renewal may extend its life.
    pub renewable: bool,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

type Hash = [u8; 32];

/// Tokens, certificates and policies of a database. The calls block, except [`Auth::known`].
pub struct Auth {
    store: Arc<Store>,
    certificates: Vec<CertificateRule>,
    /// The clock that ends tokens.
    pub clock: Clock,
    cache: Mutex<Cache>,
    asking: Mutex<()>,
}

/// Callers that were valid when the database's count of changes was `access`, last read at `asked`.
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

    /// Runs work that asks the database, outside the threads that answer requests.
    ///
    /// # Errors
    /// Those of the work; [`StoreError::Unavailable`] when it does not end in time.
    pub async fn away<T: Send + 'static>(
        self: &Arc<Auth>,
        work: impl FnOnce(&Auth) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let auth = self.clone();
        self.store.away(move || work(&auth)).await
    }

    /// Returns the caller with this token, if the cache has it. It never blocks.
    pub fn known(&self, token: &str) -> Option<Arc<Who>> {
        let hash = Streebog256::digest(token.as_bytes());
        let cache = lock(&self.cache);
        let who = cache.fresh().then(|| cache.get(&hash)).flatten()?;
        drop(cache);
        self.alive(who.expires()).then_some(who)
    }

    /// Returns the caller with this token; `None` if there is none.
    ///
    /// # Errors
    /// [`StoreError`]; then nobody is admitted.
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
        // The record was read after the count. If something was changed since, it may already be out of date.
        if cache.access == access {
            if cache.callers.len() >= MANY {
                cache.callers.clear();
            }
            cache.callers.insert(hash, who.clone());
        }
        drop(cache);
        self.living(who)
    }

    /// Returns the caller with this certificate, which the TLS library has verified; `None` if no rule names it. The
    /// caller has the policies of all rules that name the certificate.
    ///
    /// # Errors
    /// [`StoreError`]; then nobody is admitted.
    pub fn certificate(&self, der: &[u8]) -> Result<Option<Arc<Who>>, StoreError> {
        let der = CertificateDer::from(der);
        let rules: Vec<_> = self.certificates.iter().filter(|rule| rule.names(&der)).collect();
        let Some(first) = rules.first() else { return Ok(None) };
        let policies: Vec<_> = rules.iter().flat_map(|rule| rule.policies.clone()).collect();
        let name = format!("certificate {}", first.name);
        let rules = self.rules(&policies)?;
        Ok(Some(Arc::new(Who { token: None, name, policies, rules })))
    }

    /// Makes a token. A creator may give its own policies, with [`ROOT`] any, and no life beyond its own.
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

    /// Makes a record for a token that the user has chosen: only for development.
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
            return invalid("invalid policy name");
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
            // A certificate has no end that could bound the token's.
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

    /// Extends a token's life by its lifetime, or by `more` seconds if that is less, up to 32 days after its creation.
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

    /// Returns the record of a token that has not expired.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn look_up(&self, token: &str) -> Result<Option<TokenRecord>, StoreError> {
        let record = self.store.token(&Streebog256::digest(token.as_bytes()))?;
        Ok(record.filter(|record| self.alive(record.expires)))
    }

    /// Returns the record of the token with this accessor, if it has not expired.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn look_up_accessor(&self, accessor: &str) -> Result<Option<TokenRecord>, StoreError> {
        let record = self.store.token_by_accessor(accessor)?;
        Ok(record.filter(|record| self.alive(record.expires)))
    }

    /// Ends the token with this accessor.
    ///
    /// # Errors
    /// [`StoreError::NotFound`].
    pub fn revoke(&self, accessor: &str) -> Result<(), StoreError> {
        let done = self.store.token_revoke(accessor);
        self.forget();
        done
    }

    /// Deletes expired tokens, and returns their number: to be called each minute.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn sweep(&self) -> Result<u64, StoreError> {
        self.store.token_sweep(self.clock.now())
    }

    /// Writes a policy, if it is valid.
    ///
    /// # Errors
    /// [`StoreError::Invalid`] with the reason.
    pub fn policy_write(&self, name: &str, text: &str) -> Result<(), StoreError> {
        if name == ROOT || !good_name(name) {
            return Err(StoreError::Invalid(format!("invalid policy name {name:?}")));
        }
        Policy::parse(text).map_err(StoreError::Invalid)?;
        let done = self.store.policy_write(name, text);
        self.forget();
        done
    }

    /// Returns the text of a policy.
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

    /// Returns the names of all policies, in order.
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

    /// Deletes a policy. It is no error if there is none.
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

    /// Joins the rules of policies. A policy that does not exist allows nothing; one that cannot be read is an error.
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

    /// Returns a caller that has not expired. An expired one is deleted, so that no clock, of this process or a later
    /// one, brings it back; unless the database's clock, which is common to all replicas, says that its time is not
    /// over.
    fn living(&self, who: Arc<Who>) -> Result<Option<Arc<Who>>, StoreError> {
        if self.alive(who.expires()) {
            return Ok(Some(who));
        }
        let done = self.store.token_end(&who.name, self.clock.now());
        self.forget();
        done.map(|()| None)
    }

    /// Returns the count of changes, read at most once a second and by one thread. If it has changed, the cache is
    /// cleared.
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
        // Not while another thread asks: its answer may be from before the change.
        let _one = lock(&self.asking);
        lock(&self.cache).asked = None;
    }
}

/// Returns whether a name of a policy needs no escapes in a path.
fn good_name(name: &str) -> bool {
    (1..=128).contains(&name.len())
        && name.bytes().all(|c| c.is_ascii_alphanumeric() || b"-_.".contains(&c))
}
