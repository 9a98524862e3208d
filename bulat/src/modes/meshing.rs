//! CryptoPro key meshing (RFC 4357, section 2.3.2) of the GOST 28147-89 modes: a new key for every
//! section of 1024 bytes, K' = D_K(C) in ECB, and the register encrypted under it, IV' = E_K'(IV).
//!
//! It is lazy: a section's key is made when its first byte comes, not after the last byte of the
//! section before. `Meshed` is the key of a mode together with how much it has done.

pub use crate::magma::next_key;
use crate::magma::{ParamSet, Sboxes};
use crate::{BlockCipher, Gost28147, Secret};

/// Bytes under one key.
pub(crate) const SECTION: usize = 1024;

/// The change of the key after 1024 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meshing {
    /// Nothing: id-Gost28147-89-None-KeyMeshing, OID 1.2.643.2.2.14.0 (RFC 4357, section 2.3.1).
    None,
    /// It changes: id-Gost28147-89-CryptoPro-KeyMeshing, OID 1.2.643.2.2.14.1.
    CryptoPro,
}

impl Meshing {
    /// The choice of RFC 4357, section 2.3: none with id-Gost28147-89-TestParamSet, CryptoPro's
    /// with the other sets.
    ///
    /// OpenSSL's gost-engine meshes with the test set too: ask for [`Meshing::CryptoPro`] to talk to
    /// it under that set.
    pub fn of(sboxes: &Sboxes) -> Self {
        match sboxes.param_set() {
            Some(ParamSet::Test) => Meshing::None,
            _ => Meshing::CryptoPro,
        }
    }
}

/// A key that counts its bytes and meshes.
#[derive(Clone)]
pub(crate) struct Meshed {
    first: Gost28147,
    now: Gost28147,
    meshing: Meshing,
    /// Bytes of the blocks begun in this section.
    done: usize,
}

impl Meshed {
    /// Meshing as RFC 4357 prescribes for the S-boxes.
    pub(crate) fn new(cipher: Gost28147) -> Self {
        let meshing = Meshing::of(cipher.sboxes());
        Meshed { first: cipher.clone(), now: cipher, meshing, done: 0 }
    }

    /// To be called before any data.
    pub(crate) fn set(&mut self, meshing: Meshing) {
        self.meshing = meshing;
    }

    /// The key of the section.
    pub(crate) fn cipher(&self) -> &Gost28147 {
        &self.now
    }

    /// Back to the first section.
    pub(crate) fn reset(&mut self) {
        if self.meshing == Meshing::CryptoPro {
            self.now = self.first.clone();
        }
        self.done = 0;
    }

    /// How many of the next `want` bytes, which begin a block, are done under one key: all, or up to
    /// the section's end. They count as done; if they begin a section, the key and the register (of
    /// modes that encrypt theirs) are meshed first.
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

    /// Begins a section: its key, and the register encrypted under it.
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
