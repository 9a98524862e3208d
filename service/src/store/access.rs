//! Tokens and policies.
use super::*;

impl Store {
    pub fn token_create(&self, token: &TokenRecord) -> Result<(), StoreError> {
        let _ = token;
        unimplemented!()
    }
    pub fn token(&self, hash: &[u8]) -> Result<Option<TokenRecord>, StoreError> {
        let _ = hash;
        unimplemented!()
    }
    pub fn token_by_accessor(&self, accessor: &str) -> Result<Option<TokenRecord>, StoreError> {
        let _ = accessor;
        unimplemented!()
    }
    pub fn token_list(&self) -> Result<Vec<TokenRecord>, StoreError> {
        unimplemented!()
    }
    pub fn token_renew(&self, hash: &[u8], expires: u64) -> Result<(), StoreError> {
        let _ = (hash, expires);
        unimplemented!()
    }
    pub fn token_revoke(&self, accessor: &str) -> Result<(), StoreError> {
        let _ = accessor;
        unimplemented!()
    }
    /// Deletes the tokens that expired; how many.
    pub fn token_sweep(&self, now: u64) -> Result<u64, StoreError> {
        let _ = now;
        unimplemented!()
    }
    /// The text of a policy, as it was written.
    pub fn policy(&self, name: &str) -> Result<Option<String>, StoreError> {
        let _ = name;
        unimplemented!()
    }
    pub fn policy_list(&self) -> Result<Vec<String>, StoreError> {
        unimplemented!()
    }
    pub fn policy_write(&self, name: &str, text: &str) -> Result<(), StoreError> {
        let _ = (name, text);
        unimplemented!()
    }
    pub fn policy_delete(&self, name: &str) -> Result<(), StoreError> {
        let _ = name;
        unimplemented!()
    }
}
