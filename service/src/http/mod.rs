//! HTTP: connections, the table of routes, errors, the calls of the system.

pub mod errors;
pub mod routes;
pub mod server;
pub mod sys;

use std::sync::Arc;

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
    /// Messages that arrive together.
    pub collector: Arc<Collector>,
}

impl State {
    /// Over a database, under a root key.
    pub fn new(config: Config, store: Arc<Store>, root: Arc<Root>) -> State {
        let metrics = Arc::new(Metrics::default());
        State {
            ring: Ring::new(store, root, &config),
            collector: Collector::new(config.batch.clone(), metrics.clone()),
            metrics,
            config,
        }
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
