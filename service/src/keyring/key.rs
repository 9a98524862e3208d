//! A key: its type, its versions, what is made of their secrets, the numbers that its nonces are made of.

use std::collections::HashMap;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, PoisonError};

use bulat::Secret;
use bulat::algorithm::{Algorithm, KdfParams, Key, Params};
use zeroize::Zeroizing;

use crate::http::errors::Failure;
use crate::store::{GiveBack, KeyRecord, Reservation};

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
    /// Bytes that are drawn at once: the first time, and at most. What a process that is killed has drawn counts as used, so
    /// it begins with little and doubles while it is busy.
    pub share: [u64; 2],
}

/// All types. The limits keep 3(s + 4q)^2 / 2^n (RFC 9058, section 6) at 2^-32 and 2^-26.
pub const KINDS: &[Kind] = &[
    Kind {
        name: "kuznyechik-mgm",
        secret: 64,
        hash: "streebog256",
        block: 16,
        limit: 1 << 51,
        share: [1 << 20, 1 << 27],
    },
    Kind {
        name: "magma-mgm",
        secret: 64,
        hash: "streebog256",
        block: 8,
        limit: 1 << 21,
        share: [0, 1 << 16],
    },
    Kind {
        name: "hmac-streebog256",
        secret: 32,
        hash: "streebog256",
        block: 0,
        limit: u64::MAX,
        share: [0, 0],
    },
    Kind {
        name: "hmac-streebog512",
        secret: 64,
        hash: "streebog512",
        block: 0,
        limit: u64::MAX,
        share: [0, 0],
    },
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

/// Numbers of messages, and bytes, that this process has drawn and not used.
#[derive(Default)]
pub(super) struct Numbers {
    random: [u8; 8],
    next: u64,
    messages: u64,
    pub(super) bytes: u64,
    /// Bytes of the next draw.
    share: u64,
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
    /// Says how much to draw for a call: the number of messages, then the bytes that are best and those that must be.
    pub(super) fn wanted(
        &self,
        messages: u64,
        bytes: u64,
        reserve: u64,
        kind: &Kind,
    ) -> (u64, [u64; 2]) {
        let more = if self.messages < messages { messages.max(reserve) } else { 0 };
        let missing = bytes.saturating_sub(self.bytes);
        let share = if missing == 0 { 0 } else { missing.max(self.share).max(kind.share[0]) };
        (more, [share, missing])
    }

    /// Takes in what was drawn. Numbers of messages that are left are dropped: those of a call follow each other.
    ///
    /// # Errors
    /// The numbers are not above those that this process has had.
    pub(super) fn add(&mut self, drawn: &Reservation, kind: &Kind) -> Result<(), Failure> {
        if drawn.first < self.next + self.messages {
            return Err(Failure::internal(
                "the database was set back: it gives numbers that this service has used",
            ));
        }
        if drawn.messages > 0 {
            let mut random = [0; 8];
            super::random_bytes(&mut random)?;
            random[0] &= 0x7f;
            (self.random, self.next, self.messages) = (random, drawn.first, drawn.messages);
        }
        if drawn.bytes > 0 {
            self.bytes += drawn.bytes;
            self.share = (2 * drawn.bytes).clamp(kind.share[0], kind.share[1]);
        }
        Ok(())
    }

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
    /// Shared with what the key was before its last change: a version stays what it is, and so do its numbers.
    pub(super) versions: Arc<Mutex<HashMap<u32, Arc<Version>>>>,
    /// The database's count of changes when this was last known to be right.
    pub(super) seen: AtomicU64,
    /// When that was, in milliseconds of the ring.
    pub(super) known: AtomicU64,
}

impl Entry {
    /// Takes the bytes that were drawn and not used out of every version.
    pub(super) fn leave(&self, to: &mut Vec<GiveBack>) {
        let versions = self.versions.lock().unwrap_or_else(PoisonError::into_inner);
        for version in versions.values() {
            let mut numbers = version.numbers.lock().unwrap_or_else(PoisonError::into_inner);
            let bytes = std::mem::take(&mut numbers.bytes);
            if bytes > 0 {
                let (name, incarnation) = (self.record.name.clone(), self.record.incarnation);
                to.push(GiveBack { name, incarnation, version: version.number, bytes });
            }
        }
    }

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
        let mut numbers =
            Numbers { random: [1; 8], next: 10, messages: 4, bytes: 100, ..Numbers::default() };
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

    /// Bytes are drawn for themselves, in shares that double; numbers of messages never go back.
    #[test]
    fn numbers_and_bytes_apart() {
        let kind = &KINDS[0];
        let mut numbers = Numbers::default();
        assert_eq!(numbers.wanted(1, 80, 4096, kind), (4096, [1 << 20, 80]));
        let mut drawn = Reservation { first: 0, messages: 4096, bytes: 1 << 20, generation: 1 };
        numbers.add(&drawn, kind).expect("taken in");
        assert!(numbers.take(4096, 100, 16).is_some());
        // Bytes are left, and stay.
        assert_eq!(numbers.wanted(1, 80, 4096, kind), (4096, [0, 0]));
        (drawn.first, drawn.bytes) = (4096, 0);
        numbers.add(&drawn, kind).expect("taken in");
        assert_eq!(numbers.wanted(1, (1 << 20) + 1, 4096, kind), (0, [2 << 20, 101]));
        for _ in 0..30 {
            let (messages, [share, _]) = numbers.wanted(1, numbers.bytes + 1, 4096, kind);
            assert!(messages == 0 && share <= 1 << 27);
            let drawn = Reservation { first: 9000, messages: 0, bytes: share, generation: 1 };
            numbers.add(&drawn, kind).expect("taken in");
        }
        assert_eq!(numbers.share, 1 << 27);
        assert!(numbers.add(&drawn, kind).is_err(), "a number that was there before");
        // Magma has little: no more than is asked for is drawn first.
        assert_eq!(Numbers::default().wanted(1, 80, 4096, &KINDS[1]), (4096, [80, 80]));
    }
}
