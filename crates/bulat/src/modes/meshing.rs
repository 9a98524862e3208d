//! CryptoPro key meshing (RFC 4357, section 2.3.2) of the GOST 28147-89 modes: a new key for every
//! section of 1024 bytes, K' = D_K(C) in ECB, and the register encrypted under it, IV' = E_K'(IV).
//!
//! Meshing is lazy: a section's key is made when the section's first byte comes. `Meshed` is the key of a mode with the
//! number of bytes it has processed.

pub use crate::magma::next_key;
use crate::magma::{ParamSet, Sboxes};
use crate::{BlockCipher, Gost28147, Secret};

/// Bytes under each key.
pub(crate) const SECTION: usize = 1024;

/// The change of the key after 1024 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meshing {
    /// No change: id-Gost28147-89-None-KeyMeshing, OID 1.2.643.2.2.14.0 (RFC 4357, section 2.3.1).
    None,
    /// A new key: id-Gost28147-89-CryptoPro-KeyMeshing, OID 1.2.643.2.2.14.1.
    CryptoPro,
}

impl Meshing {
    /// Returns the meshing of RFC 4357, section 2.3: no meshing with id-Gost28147-89-TestParamSet, CryptoPro's with the
    /// other sets.
    ///
    /// OpenSSL's gost-engine meshes with the test set too: choose [`Meshing::CryptoPro`] to interoperate with it under
    /// that set.
    pub fn of(sboxes: &Sboxes) -> Self {
        match sboxes.param_set() {
            Some(ParamSet::Test) => Meshing::None,
            _ => Meshing::CryptoPro,
        }
    }
}

/// A key that counts the bytes it has processed, and meshes.
#[derive(Clone)]
pub(crate) struct Meshed {
    first: Gost28147,
    now: Gost28147,
    meshing: Meshing,
    /// The bytes of this section's blocks so far, counting a block when it begins.
    done: usize,
}

impl Meshed {
    /// Creates a key with the meshing of RFC 4357 for the S-boxes.
    pub(crate) fn new(cipher: Gost28147) -> Self {
        let meshing = Meshing::of(cipher.sboxes());
        Meshed { first: cipher.clone(), now: cipher, meshing, done: 0 }
    }

    /// Sets the meshing. Call it before any data.
    pub(crate) fn set(&mut self, meshing: Meshing) {
        self.meshing = meshing;
    }

    /// Returns the cipher of the current section.
    pub(crate) fn cipher(&self) -> &Gost28147 {
        &self.now
    }

    /// Returns to the first section.
    pub(crate) fn reset(&mut self) {
        if self.meshing == Meshing::CryptoPro {
            self.now = self.first.clone();
        }
        self.done = 0;
    }

    /// Returns how many of the next `want` bytes, which begin a block, the present key processes: all, or up to the
    /// section's end. Counts them as processed. If they begin a section, first meshes the key, and the register of
    /// modes that encrypt theirs.
    pub(crate) fn section(&mut self, want: usize, register: Option<&mut [u8; 8]>) -> usize {
        if self.meshing == Meshing::None || want == 0 {
            return want;
        }
        if self.done == SECTION {
            self.mesh(register);
        }
        let n = want.min(SECTION - self.done);
        self.done += n.next_multiple_of(8);
        n
    }

    /// Returns how many more bytes the present key may process.
    pub(crate) fn room(&self) -> usize {
        if self.meshing == Meshing::None { usize::MAX } else { SECTION - self.done }
    }

    /// Counts bytes, at most as many as there is room for.
    pub(crate) fn count(&mut self, bytes: usize) {
        if self.meshing != Meshing::None {
            self.done += bytes;
        }
    }

    /// Begins a section: changes the key and encrypts the register under it. Returns the key.
    pub(crate) fn mesh(&mut self, register: Option<&mut [u8; 8]>) -> Secret<[u8; 32]> {
        let key = next_key(&self.now);
        self.now = self.now.rekey(&key);
        if let Some(register) = register {
            self.now.encrypt_block(register);
        }
        self.done = 0;
        key
    }
}
