//! Backup and restore: keys stay wrapped.
