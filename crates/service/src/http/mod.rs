//! HTTP: connections, the table of routes, and the calls of the system, of tokens and of policies.

pub mod access;
mod bodies;
pub mod errors;
pub mod forms;
pub mod listen;
pub mod logins;
pub mod openapi;
pub mod places;
pub mod routes;
pub mod server;
pub mod sys;
pub mod tokens;
