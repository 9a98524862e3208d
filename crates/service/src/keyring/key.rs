//! A key: its type, its versions, the keys derived from their secrets, and the numbers for its nonces.

use std::collections::HashMap;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex};

use bulat::algorithm::{Algorithm, KdfParams, Key, Params};
use bulat::{Mac as _, Secret};
use zeroize::Zeroizing;

use crate::failure::{Failure, Result};
use crate::locks::lock;
use crate::store::{GiveBack, KeyRecord, Reservation};

/// A type of keys.
pub struct Kind {
    /// The name, which is also the algorithm's.
    pub name: &'static str,
    /// Bytes of secret in a version: a cipher's key and the key of its MACs, or a MAC's key.
    pub secret: usize,
    /// The hash of its MACs, unless a request names another.
    pub hash: &'static str,
    /// Bytes of a block and of a nonce; 0: the type does not encrypt.
    pub block: usize,
    /// The bytes that one version may encrypt: whole blocks, plus four for each message (RFC 9058, section 6).
    pub limit: u64,
    /// Bytes of the first draw, and of the largest. A draw that a killed process has not used counts as used, so a process
    /// begins with little and doubles it while it is busy.
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
    /// Returns the type of a name; without a name the first. Errors: 400 for an unknown name.
    pub fn find(name: &str) -> Result<&'static Kind> {
        let name = if name.is_empty() { KINDS[0].name } else { name };
        KINDS.iter().find(|kind| kind.name == name).ok_or_else(|| {
            let names: Vec<_> = KINDS.iter().map(|kind| kind.name).collect();
            Failure::bad(format!("unknown key type; supported: {}", names.join(", ")))
        })
    }
    /// Returns whether keys of this type may be convergent: a short nonce made from a text would soon repeat.
    pub fn converges(&self) -> bool {
        self.block >= 16
    }
    pub fn encrypts(&self) -> bool {
        self.block > 0
    }
    /// Returns the bytes that a message counts for.
    pub fn charge(&self, text: usize, aad: usize) -> u64 {
        let blocks = text.div_ceil(self.block) + aad.div_ceil(self.block) + 4;
        (blocks * self.block) as u64
    }
    /// The error of a call that keys of this type do not have.
    pub fn unsupported(&self) -> Failure {
        Failure::bad(format!("unsupported operation for the key type {}", self.name))
    }
    pub(super) fn algorithm(&self) -> Result<&'static Algorithm> {
        Ok(bulat::algorithm(self.name)?)
    }
}

/// A secret of one version.
pub struct Version {
    pub number: u32,
    pub(super) secret: Zeroizing<Vec<u8>>,
    /// The prepared key, unless keys of contexts are derived from it.
    pub(super) aead: Option<Arc<Key>>,
    pub(super) numbers: Mutex<Numbers>,
    /// Held by the task that draws the next numbers.
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
    /// Returns the nonce of the call's message `i`.
    pub fn get(&self, i: usize) -> Vec<u8> {
        let number = (self.first + i as u64).to_be_bytes();
        if self.block == 16 { [self.random, number].concat() } else { number.to_vec() }
    }
}

impl Numbers {
    /// Returns how much to draw for a call: the number of messages; then the preferred number of bytes and the least.
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

    /// Adds a draw. It drops the numbers of messages that are left, since those of a call are consecutive. Errors: 500
    /// if the numbers are not above the numbers that this process has had.
    pub(super) fn add(&mut self, drawn: &Reservation, kind: &Kind) -> Result<()> {
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
    pub record: KeyRecord,
    pub kind: &'static Kind,
    /// The versions, shared with the entries before the key's last change: a version and its numbers stay as they are.
    pub(super) versions: Arc<Mutex<HashMap<u32, Arc<Version>>>>,
    /// The time when it was last valid, in milliseconds since the ring's start.
    pub(super) known: AtomicU64,
}

impl Entry {
    /// Moves the bytes that were drawn and not used out of every version.
    pub(super) fn leave(&self, to: &mut Vec<GiveBack>) {
        let versions = lock(&self.versions);
        for version in versions.values() {
            let mut numbers = lock(&version.numbers);
            let bytes = std::mem::take(&mut numbers.bytes);
            if bytes > 0 {
                let (name, incarnation) = (self.record.name.clone(), self.record.incarnation);
                to.push(GiveBack { name, incarnation, version: version.number, bytes });
            }
        }
    }

    /// Returns whether the latest version is older than `auto_rotate_period` allows.
    pub(super) fn due(&self) -> bool {
        let period = self.record.auto_rotate_period;
        let made = self.record.versions.last().map_or(0, |version| version.created);
        period > 0 && crate::clock::unix() >= made.saturating_add(period)
    }
    /// Returns the version that encrypts: the one asked for, or the latest. Errors: 400 for a version that may not
    /// encrypt.
    pub fn encrypting(&self, asked: u32) -> Result<u32> {
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
    /// Returns the version, if it may still decrypt or verify. Errors: 400 if it may not.
    pub fn decrypting(&self, version: u32) -> Result<u32> {
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
    /// Returns the cipher's key for a context; without contexts the version's own. Errors: 400 if the context is
    /// missing.
    pub fn aead(&self, version: &Version, context: &[u8]) -> Result<Arc<Key>> {
        if !self.kind.encrypts() {
            return Err(self.kind.unsupported());
        }
        if let Some(key) = &version.aead {
            return Ok(key.clone());
        }
        if context.is_empty() {
            return Err(no_context());
        }
        let label: &[u8] =
            if self.record.convergent { b"bulatd convergent cipher" } else { b"bulatd context" };
        let mut key = Secret::new([0; 32]);
        derive(version, label, context, &mut key)?;
        Ok(Arc::new(self.kind.algorithm()?.key(&Params::new(&*key))?))
    }
    /// Returns the nonce of a text under a convergent key: a MAC over the associated data and the text, under a key that is
    /// derived for each context and that nothing else uses. Equal nonces of different texts are as improbable as equal MACs
    /// of 127 bits.
    pub fn synthetic(
        &self,
        version: &Version,
        context: &[u8],
        aad: &[u8],
        text: &[u8],
    ) -> Result<Vec<u8>> {
        let mut key = Secret::new([0; 32]);
        derive(version, b"bulatd convergent nonce", context, &mut key)?;
        let mut mac = bulat::HmacStreebog256::new(&*key);
        mac.update(&(aad.len() as u64).to_be_bytes());
        mac.update(aad);
        mac.update(text);
        let tag = mac.finalize_reset()?;
        let mut nonce = tag.as_ref()[..self.kind.block].to_vec();
        // RFC 9058: the first bit.
        nonce[0] &= 0x7f;
        Ok(nonce)
    }
    /// Returns the key of MACs over a hash. Errors: 400 for an unknown hash.
    pub fn mac(&self, version: &Version, hash: &str) -> Result<Arc<Key>> {
        let name = match if hash.is_empty() { self.kind.hash } else { hash } {
            "streebog256" => "hmac-streebog256",
            "streebog512" => "hmac-streebog512",
            _ => {
                return Err(Failure::bad(
                    "unsupported algorithm; supported: streebog256, streebog512",
                ));
            }
        };
        let key = self.mac_secret(version);
        Ok(Arc::new(bulat::algorithm(name)?.key(&Params::new(key))?))
    }
    /// Returns the cipher's key, for export.
    pub fn cipher_secret<'a>(&self, version: &'a Version) -> Option<&'a [u8]> {
        self.kind.encrypts().then(|| &version.secret[..32])
    }
    /// Returns the key of MACs, for export.
    pub fn mac_secret<'a>(&self, version: &'a Version) -> &'a [u8] {
        if self.kind.encrypts() { &version.secret[32..] } else { &version.secret }
    }
    /// Returns the associated data of a message.
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

/// Derives a key of a context for one purpose, in its place: a move would leave a copy.
fn derive(version: &Version, label: &[u8], context: &[u8], key: &mut [u8; 32]) -> Result<()> {
    let params =
        KdfParams { key: &version.secret[..32], label, seed: context, ..KdfParams::default() };
    Ok(bulat::algorithm("kdf-tree")?.derive(&params, key)?)
}

/// The error when a key with contexts gets none.
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

    /// Bytes are drawn separately, in shares that double; numbers of messages are never given back.
    #[test]
    fn numbers_and_bytes_apart() {
        let kind = &KINDS[0];
        let mut numbers = Numbers::default();
        assert_eq!(numbers.wanted(1, 80, 4096, kind), (4096, [1 << 20, 80]));
        let mut drawn =
            Reservation { first: 0, messages: 4096, bytes: 1 << 20, used: 0, generation: 1 };
        numbers.add(&drawn, kind).expect("taken in");
        assert!(numbers.take(4096, 100, 16).is_some());
        // The unused bytes stay.
        assert_eq!(numbers.wanted(1, 80, 4096, kind), (4096, [0, 0]));
        (drawn.first, drawn.bytes) = (4096, 0);
        numbers.add(&drawn, kind).expect("taken in");
        assert_eq!(numbers.wanted(1, (1 << 20) + 1, 4096, kind), (0, [2 << 20, 101]));
        for _ in 0..30 {
            let (messages, [share, _]) = numbers.wanted(1, numbers.bytes + 1, 4096, kind);
            assert!(messages == 0 && share <= 1 << 27);
            let drawn =
                Reservation { first: 9000, messages: 0, bytes: share, used: 0, generation: 1 };
            numbers.add(&drawn, kind).expect("taken in");
        }
        assert_eq!(numbers.share, 1 << 27);
        assert!(numbers.add(&drawn, kind).is_err(), "a number that was there before");
        // Magma's limit is low: the first draw is no larger than the request.
        assert_eq!(Numbers::default().wanted(1, 80, 4096, &KINDS[1]), (4096, [80, 80]));
    }
}
