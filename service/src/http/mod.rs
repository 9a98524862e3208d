//! HTTP: connections, the table of routes, errors, the calls of the system.

pub mod errors;
pub mod routes;
pub mod server;
pub mod sys;

use std::time::Instant;

use crate::config::Config;
use crate::metrics::Metrics;

/// What all requests share.
pub struct State {
    /// The configuration.
    pub config: Config,
    /// Numbers.
    pub metrics: Metrics,
    /// When the service started.
    pub started: Instant,
}

impl State {
    /// Whether the root key is missing.
    pub fn sealed(&self) -> bool {
        false
    }
    /// The kind of database.
    pub fn storage(&self) -> &'static str {
        if self.config.database.url.starts_with("postgres") { "postgresql" } else { "sqlite" }
    }
}
