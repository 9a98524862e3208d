//! HTTP: connections, the table of routes, errors, the calls of the system.

pub mod access;
pub mod errors;
pub mod fields;
pub mod listen;
pub mod openapi;
pub mod places;
pub mod routes;
pub mod server;
pub mod sys;
pub mod tokens;

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use tokio::sync::Semaphore;

use self::access::Rates;
use crate::audit::Audit;
use crate::auth::Auth;
use crate::collect::Collector;
use crate::config::Config;
use crate::keyring::Ring;
use crate::metrics::Metrics;
use crate::root::Root;
use crate::store::Store;

/// What all requests share.
pub struct State {
    /// The configuration.
    pub config: Config,
    /// Numbers.
    pub metrics: Arc<Metrics>,
    /// Keys.
    pub ring: Ring,
    /// Tokens, certificates, policies.
    pub auth: Arc<Auth>,
    /// A line for each request.
    pub audit: Arc<Audit>,
    /// Requests of each visitor.
    pub rates: Rates,
    /// Room for streams.
    pub streams: Arc<Semaphore>,
    /// Room for bodies that are read whole: a permit for each KiB.
    pub bodies: Arc<Semaphore>,
    /// Tokens that the database is asked for at once, of connections that have shown a known one, and of others.
    pub lookups: [Semaphore; 2],
    /// Requests that wait for one of [`Place::lookups`](places::Place::lookups).
    pub waiting: AtomicUsize,
    /// Messages that arrive together.
    pub collector: Arc<Collector>,
}

impl State {
    /// Over a database, under a root key.
    ///
    /// # Errors
    /// A sentence for the user: the audit log cannot be written.
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
            lookups: [Semaphore::new(64), Semaphore::new(16)],
            collector: Collector::new(config.batch.clone(), metrics.clone()),
            metrics,
            config,
        })
    }
    /// Whether the root key is missing.
    pub fn sealed(&self) -> bool {
        !self.ring.unsealed()
    }
    /// The kind of database.
    pub fn storage(&self) -> &'static str {
        if self.config.database.url.starts_with("sqlite:") { "sqlite" } else { "postgresql" }
    }
}
