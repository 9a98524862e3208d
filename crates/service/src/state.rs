//! The state of the service, which all requests share.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicUsize};

use tokio::sync::Semaphore;

use crate::audit::Audit;
use crate::auth::Auth;
use crate::collect::Collector;
use crate::config::Config;
use crate::keyring::Ring;
use crate::metrics::Metrics;
use crate::rates::Rates;
use crate::root::Root;
use crate::store::Store;

pub struct State {
    pub config: Config,
    pub metrics: Arc<Metrics>,
    pub ring: Ring,
    pub auth: Arc<Auth>,
    pub audit: Arc<Audit>,
    pub rates: Rates,
    /// Permits for streams.
    pub streams: Arc<Semaphore>,
    /// Permits for bodies that are read whole, one for each KiB.
    pub bodies: Arc<Semaphore>,
    /// Permits to look tokens up in the database: for connections that have shown a known one, and for others.
    pub lookups: [Semaphore; 2],
    /// Requests that wait for one of [`Place::lookups`](crate::http::places::Place::lookups).
    pub waiting: AtomicUsize,
    pub logins: AtomicI64,
    pub collector: Arc<Collector>,
}

impl State {
    /// Makes the state over a database, under a root key. Errors: a sentence for the user, if the audit log cannot be
    /// opened.
    pub fn new(config: Config, store: Arc<Store>, root: Root) -> Result<State, String> {
        let (metrics, root) = (Arc::new(Metrics::default()), Arc::new(root));
        Ok(State {
            audit: Audit::open(config.audit.file.as_deref(), root.clone())?,
            auth: Arc::new(Auth::new(
                store.clone(),
                config.tls.as_ref().map_or_else(Vec::new, |tls| tls.clients.clone()),
            )),
            rates: Rates::default(),
            ring: Ring::new(store, root, &config, metrics.clone()),
            streams: Arc::new(Semaphore::new(config.limits.streams)),
            bodies: Arc::new(Semaphore::new(config.limits.bodies_bytes >> 10)),
            waiting: AtomicUsize::new(0),
            logins: AtomicI64::new(0),
            lookups: [Semaphore::new(64), Semaphore::new(16)],
            collector: Collector::new(config.batch.clone(), metrics.clone()),
            metrics,
            config,
        })
    }
    pub fn sealed(&self) -> bool {
        !self.ring.unsealed()
    }
    pub fn storage(&self) -> &'static str {
        if self.config.database.url.starts_with("sqlite:") { "sqlite" } else { "postgresql" }
    }
}
