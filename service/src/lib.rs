//! bulatd: encryption with GOST algorithms as a service.
pub mod store;
