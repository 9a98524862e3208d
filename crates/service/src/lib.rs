//! bulatd encrypts for programs that hold no keys. It has the transit part of Vault's HTTP interface, with GOST algorithms.
//!
//! A request passes `http/server.rs` (connection, size, time), `http/routes.rs` (which call, who may), `fields.rs` (its
//! JSON), `transit/` (the call), `keyring/` (key, version, nonce) and `collect.rs` (one batch of the library for requests
//! that arrive together).
//!
//! Modules import only from those below them:
//!
//! | modules | contents |
//! |---|---|
//! | `http` | connections, routing, the calls about the system, tokens and policies |
//! | `transit` | the calls of transit |
//! | `fields` | the fields of a request's JSON |
//! | `call`, `state` | a request and its answer; the state that all requests share |
//! | `keyring`, `collect`, `backup`, `audit` | keys; batches; backups; the audit log |
//! | `config`, `failure` | the configuration; refusals |
//! | `auth`, `root` | tokens and certificates; the root key |
//! | `store` | the database |
//! | `policy`, `rates`, `clock`, `metrics`, `log`, `cleared`, `urls`, `locks` | parts that need no other |
#![forbid(unsafe_code)]
#![expect(
    missing_docs,
    reason = "only the program and its tests use the library: a name that tells all has no comment"
)]

pub mod audit;
pub mod auth;
pub mod backup;
pub mod call;
pub mod cleared;
pub mod clock;
pub mod collect;
pub mod config;
pub mod failure;
pub mod fields;
pub mod http;
pub mod keyring;
pub mod locks;
pub mod log;
pub mod metrics;
pub mod policy;
pub mod rates;
pub mod root;
pub mod state;
pub mod store;
pub mod transit;
pub mod urls;
