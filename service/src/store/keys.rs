//! Keys.
use super::*;

impl Store {
    pub fn key(&self, name: &str) -> Result<Option<KeyRecord>, StoreError> {
        let _ = name;
        unimplemented!()
    }
    /// `None`: no such key. Cheap: caches ask it.
    pub fn generation(&self, name: &str) -> Result<Option<u64>, StoreError> {
        let _ = name;
        unimplemented!()
    }
    /// Names, in order.
    pub fn list(&self) -> Result<Vec<String>, StoreError> {
        unimplemented!()
    }
    pub fn create(&self, key: &NewKey) -> Result<KeyRecord, StoreError> {
        let _ = key;
        unimplemented!()
    }
    /// Checks the changes against the versions there are.
    pub fn configure(&self, name: &str, changes: &Changes) -> Result<KeyRecord, StoreError> {
        let _ = (name, changes);
        unimplemented!()
    }
    /// Adds version `latest + 1`. [`StoreError::Conflict`]: the latest is another.
    pub fn rotate(
        &self,
        name: &str,
        latest: u32,
        wrapped: &Wrapped,
        created: u64,
    ) -> Result<KeyRecord, StoreError> {
        let _ = (name, latest, wrapped, created);
        unimplemented!()
    }
    /// [`StoreError::Invalid`] unless deletion is allowed.
    pub fn delete(&self, name: &str) -> Result<(), StoreError> {
        let _ = name;
        unimplemented!()
    }
    /// Forgets the versions below.
    pub fn trim(&self, name: &str, min_available: u32) -> Result<KeyRecord, StoreError> {
        let _ = (name, min_available);
        unimplemented!()
    }
    /// Counts `messages` and `bytes` as used, in one atomic step, or nothing if a limit would be passed.
    pub fn reserve(
        &self,
        name: &str,
        version: u32,
        messages: u64,
        bytes: u64,
        limits: Limits,
    ) -> Result<Reservation, StoreError> {
        let _ = (name, version, messages, bytes, limits);
        unimplemented!()
    }
    pub fn used(&self, name: &str, version: u32) -> Result<Used, StoreError> {
        let _ = (name, version);
        unimplemented!()
    }
}
