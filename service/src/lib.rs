//! bulatd: encryption for those who hold no keys. The transit part of Vault's HTTP interface, GOST inside.
//!
//! A request's way: `http/server.rs` (connection, size, time) -> `http/routes.rs` (which call, who may) -> `transit/` (the
//! call's JSON) -> `keyring/` (key, version, nonce) -> `collect.rs` (one batch of the library for those who arrive together).
#![forbid(unsafe_code)]

pub mod audit;
pub mod auth;
pub mod backup;
pub mod collect;
pub mod config;
pub mod http;
pub mod keyring;
#[cfg(feature = "lab")]
mod lab;
pub mod log;
pub mod metrics;
pub mod policy;
pub mod root;
pub mod store;
pub mod transit;
