//! The root key, and what is wrapped under it.
