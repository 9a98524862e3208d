//! A key: its type, its versions, what is made of their secrets, the numbers that its nonces are made of.

use std::collections::HashMap;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex};

use bulat::Secret;
use bulat::algorithm::{Algorithm, KdfParams, Key, Params};
use zeroize::Zeroizing;

use crate::http::errors::Failure;
use crate::store::KeyRecord;

/// A type of keys.
pub struct Kind {
    /// Its name, which is the algorithm's too.
    pub name: &'static str,
    /// Bytes of secret in a version: a cipher's key and the key of its MACs, or a MAC's key.
    pub secret: usize,
    /// The hash of its MACs where none is named.
    pub hash: &'static str,
    /// Bytes of a block and of a nonce; 0: it does not encrypt.
    pub block: usize,
    /// Bytes under one version, whole blocks, with four more for each message (RFC 9058, section 6).
    pub limit: u64,
}

/// All types. The limits keep 3(s + 4q)^2 / 2^n (RFC 9058, section 6) at 2^-32 and 2^-26.
pub const KINDS: &[Kind] = &[
    Kind { name: "kuznyechik-mgm", secret: 64, hash: "streebog256", block: 16, limit: 1 << 51 },
    Kind { name: "magma-mgm", secret: 64, hash: "streebog256", block: 8, limit: 1 << 21 },
    Kind { name: "hmac-streebog256", secret: 32, hash: "streebog256", block: 0, limit: u64::MAX },
    Kind { name: "hmac-streebog512", secret: 64, hash: "streebog512", block: 0, limit: u64::MAX },
];

impl Kind {
    /// The type of a name; the first without one.
    ///
    /// # Errors
    /// 400 for a name that is none.
    pub fn find(name: &str) -> Result<&'static Kind, Failure> {
        let name = if name.is_empty() { KINDS[0].name } else { name };
        KINDS.iter().find(|kind| kind.name == name).ok_or_else(|| {
            let names: Vec<_> = KINDS.iter().map(|kind| kind.name).collect();
            Failure::bad(format!("unknown key type; there are {}", names.join(", ")))
        })
    }
    /// Whether its keys encrypt.
    pub fn encrypts(&self) -> bool {
        self.block > 0
    }
    /// Bytes that a message counts for, and at most what a version has: two of text and data that fill blocks.
    pub fn charge(&self, text: usize, aad: usize) -> u64 {
        let blocks = text.div_ceil(self.block) + aad.div_ceil(self.block) + 4;
        (blocks * self.block) as u64
    }
    pub(super) fn algorithm(&self) -> Result<&'static Algorithm, Failure> {
        Ok(bulat::algorithm(self.name)?)
    }
}

/// A secret of one version.
pub struct Version {
    /// Which one.
    pub number: u32,
    pub(super) secret: Zeroizing<Vec<u8>>,
    /// The prepared key, where contexts do not make others of it.
    pub(super) aead: Option<Arc<Key>>,
    pub(super) numbers: Mutex<Numbers>,
    /// Who draws the next numbers.
    pub(super) drawing: tokio::sync::Mutex<()>,
}

/// Numbers that this process has drawn and not used.
#[derive(Default)]
pub(super) struct Numbers {
    pub(super) random: [u8; 8],
    pub(super) next: u64,
    pub(super) messages: u64,
    pub(super) bytes: u64,
}

/// Nonces of one call.
pub struct Nonces {
    random: [u8; 8],
    first: u64,
    block: usize,
}

impl Nonces {
    /// The nonce of the call's message `i`.
    pub fn get(&self, i: usize) -> Vec<u8> {
        let number = (self.first + i as u64).to_be_bytes();
        if self.block == 16 { [self.random, number].concat() } else { number.to_vec() }
    }
}

impl Numbers {
    pub(super) fn take(&mut self, messages: u64, bytes: u64, block: usize) -> Option<Nonces> {
        if self.messages < messages || self.bytes < bytes {
            return None;
        }
        let nonces = Nonces { random: self.random, first: self.next, block };
        self.next += messages;
        self.messages -= messages;
        self.bytes -= bytes;
        Some(nonces)
    }
}

/// A key as this process knows it.
pub struct Entry {
    /// What the database has of it.
    pub record: KeyRecord,
    /// Its type.
    pub kind: &'static Kind,
    pub(super) versions: Mutex<HashMap<u32, Arc<Version>>>,
    /// The database's count of changes when this was last known to be right.
    pub(super) seen: AtomicU64,
}

impl Entry {
    /// Whether the latest version is as old as `auto_rotate_period` lets it be.
    pub(super) fn due(&self) -> bool {
        let period = self.record.auto_rotate_period;
        let made = self.record.versions.last().map_or(0, |version| version.created);
        period > 0 && crate::http::routes::unix() >= made.saturating_add(period)
    }
    /// The version that encrypts: the latest, or the one asked for.
    ///
    /// # Errors
    /// 400 for one that may not.
    pub fn encrypting(&self, asked: u32) -> Result<u32, Failure> {
        let record = &self.record;
        if asked == 0 {
            return Ok(record.latest);
        }
        if asked > record.latest {
            return Err(Failure::bad(
                "requested version for encryption is higher than the latest key version",
            ));
        }
        let least = record.min_encryption_version.max(record.min_decryption_version);
        if asked < least.max(record.min_available_version) {
            return Err(Failure::bad(
                "requested version for encryption is less than the minimum encryption key version",
            ));
        }
        Ok(asked)
    }
    /// That a version may still decrypt or verify.
    ///
    /// # Errors
    /// 400 when it may not.
    pub fn decrypting(&self, version: u32) -> Result<u32, Failure> {
        let record = &self.record;
        if version == 0 || version > record.latest {
            return Err(Failure::bad("invalid ciphertext: version is too new"));
        }
        if version < record.min_decryption_version.max(record.min_available_version) {
            return Err(Failure::bad(
                "ciphertext or signature version is disallowed by policy (too old)",
            ));
        }
        Ok(version)
    }
    /// The key of a cipher for a context, and none where the key has no contexts.
    ///
    /// # Errors
    /// 400 when the context is missing.
    pub fn aead(&self, version: &Version, context: &[u8]) -> Result<Arc<Key>, Failure> {
        if !self.kind.encrypts() {
            return Err(Failure::bad(format!(
                "unsupported operation for the key type {}",
                self.kind.name
            )));
        }
        if let Some(key) = &version.aead {
            return Ok(key.clone());
        }
        if context.is_empty() {
            return Err(no_context());
        }
        let mut key = Secret::new([0; 32]);
        let params = KdfParams {
            key: &version.secret[..32],
            label: b"bulatd context",
            seed: context,
            ..KdfParams::default()
        };
        bulat::algorithm("kdf-tree")?.derive(&params, &mut *key)?;
        Ok(Arc::new(self.kind.algorithm()?.key(&Params::new(&*key))?))
    }
    /// The key of MACs over a hash.
    ///
    /// # Errors
    /// 400 for another hash than there is.
    pub fn mac(&self, version: &Version, hash: &str) -> Result<Arc<Key>, Failure> {
        let name = match if hash.is_empty() { self.kind.hash } else { hash } {
            "streebog256" => "hmac-streebog256",
            "streebog512" => "hmac-streebog512",
            _ => {
                return Err(Failure::bad(
                    "unsupported algorithm; there are streebog256, streebog512",
                ));
            }
        };
        let key = self.mac_secret(version);
        Ok(Arc::new(bulat::algorithm(name)?.key(&Params::new(key))?))
    }
    /// A cipher's key, for export.
    pub fn cipher_secret<'a>(&self, version: &'a Version) -> Option<&'a [u8]> {
        self.kind.encrypts().then(|| &version.secret[..32])
    }
    /// The key of MACs, for export.
    pub fn mac_secret<'a>(&self, version: &'a Version) -> &'a [u8] {
        if self.kind.encrypts() { &version.secret[32..] } else { &version.secret }
    }
    /// What a message is bound to.
    pub fn aad(&self, version: u32, context: &[u8], more: &[u8]) -> Vec<u8> {
        let (name, kind) = (self.record.name.as_bytes(), self.kind.name.as_bytes());
        let version = version.to_be_bytes();
        let mut aad = Vec::with_capacity(name.len() + kind.len() + context.len() + more.len() + 20);
        for part in [name, kind, &version, context] {
            aad.extend_from_slice(&(part.len() as u32).to_be_bytes());
            aad.extend_from_slice(part);
        }
        aad.extend_from_slice(more);
        aad
    }
}

/// A key with contexts was asked without one.
pub fn no_context() -> Failure {
    Failure::bad("missing 'context' for key derivation; the key was created with derived = true")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_given_out_once() {
        let mut numbers = Numbers { random: [1; 8], next: 10, messages: 4, bytes: 100 };
        let nonces = numbers.take(3, 50, 8).expect("there are");
        assert_eq!(nonces.get(2), 12u64.to_be_bytes());
        assert!(numbers.take(2, 1, 8).is_none());
        assert!(numbers.take(1, 51, 8).is_none());
        assert_eq!(
            numbers.take(1, 50, 16).expect("one").get(0),
            [[1; 8], 13u64.to_be_bytes()].concat()
        );
        assert!(numbers.take(1, 0, 8).is_none());
    }
}
