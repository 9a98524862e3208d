//! The calls of transit: what stands in their JSON, and how they do it.

pub mod crypt;
pub mod datakey;
pub mod hash;
pub mod hmac;
pub mod json;
pub mod keys;
pub mod random;
pub mod stream;
