//! The calls of transit: their JSON and their work.

pub mod crypt;
pub mod datakey;
pub mod hash;
pub mod hmac;
pub mod keys;
pub mod random;
pub mod stream;
