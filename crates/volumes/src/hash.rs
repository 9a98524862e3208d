//! The hashes in headers, by cryptsetup's names, and PBKDF2 over them.

use blake2::Blake2s256;
use bulat::kdf;
use hmac::{Hmac, SimpleHmac};
use pbkdf2::pbkdf2;
use sha2::{Sha256, Sha512};
use whirlpool::Whirlpool;
use zeroize::Zeroizing;

use crate::Result;
use crate::error::{Error, named};

/// A hash function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hash {
    /// SHA-256.
    Sha256,
    /// SHA-512.
    Sha512,
    /// Streebog-256, in cryptsetup `stribog256`.
    Streebog256,
    /// Streebog-512, in cryptsetup `stribog512`.
    Streebog512,
    /// Whirlpool.
    Whirlpool,
    /// BLAKE2s-256.
    Blake2s256,
}

impl Hash {
    /// All hashes, with their names in headers.
    pub const ALL: [(&str, Hash); 6] = [
        ("sha256", Hash::Sha256),
        ("sha512", Hash::Sha512),
        ("stribog256", Hash::Streebog256),
        ("stribog512", Hash::Streebog512),
        ("whirlpool", Hash::Whirlpool),
        ("blake2s-256", Hash::Blake2s256),
    ];

    /// Returns the hash of this name; also accepts `streebog256` and `streebog512`.
    ///
    /// # Errors
    /// [`Error::Unsupported`].
    pub fn parse(name: &str) -> Result<Self> {
        let known = match name {
            "blake2s" => "blake2s-256".into(),
            name => name.replace("streebog", "stribog"),
        };
        let found = Self::ALL.iter().find(|(name, _)| *name == known);
        found.map(|(_, hash)| *hash).ok_or_else(|| {
            let known = Self::ALL.map(|(name, _)| name).join(", ");
            Error::Unsupported(format!("the hash {} (known: {known})", named(name)))
        })
    }

    /// Returns the hash's name in headers.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, hash)| *hash == self).map_or("", |(name, _)| name)
    }

    /// Returns the digest's length in bytes.
    pub fn size(self) -> usize {
        match self {
            Hash::Sha256 | Hash::Streebog256 | Hash::Blake2s256 => 32,
            _ => 64,
        }
    }

    /// Hashes the parts, one after another.
    pub fn digest(self, parts: &[&[u8]]) -> Zeroizing<Vec<u8>> {
        fn other<D: sha2::Digest>(parts: &[&[u8]]) -> Zeroizing<Vec<u8>> {
            let mut hash = D::new();
            parts.iter().for_each(|part| hash.update(part));
            Zeroizing::new(hash.finalize().to_vec())
        }
        fn ours<const OUT: usize>(parts: &[&[u8]]) -> Zeroizing<Vec<u8>> {
            let mut hash = bulat::Streebog::<OUT>::new();
            parts.iter().for_each(|part| hash.update(part));
            Zeroizing::new(hash.finalize().to_vec())
        }
        match self {
            Hash::Sha256 => other::<Sha256>(parts),
            Hash::Sha512 => other::<Sha512>(parts),
            Hash::Whirlpool => other::<Whirlpool>(parts),
            Hash::Blake2s256 => other::<Blake2s256>(parts),
            Hash::Streebog256 => ours::<32>(parts),
            Hash::Streebog512 => ours::<64>(parts),
        }
    }

    /// Computes PBKDF2 over HMAC of this hash.
    ///
    /// # Errors
    /// [`Error::Invalid`] without iterations or output.
    pub fn pbkdf2(
        self,
        password: &[u8],
        salt: &[u8],
        iterations: u32,
        out: &mut [u8],
    ) -> Result<()> {
        if iterations == 0 || out.is_empty() {
            return Err(Error::Invalid("PBKDF2 without iterations, or without output".into()));
        }
        let (n, ours) = (iterations, |e: bulat::Error| Error::Invalid(format!("PBKDF2: {e}")));
        match self {
            Hash::Sha256 => pbkdf2::<Hmac<Sha256>>(password, salt, n, out),
            Hash::Sha512 => pbkdf2::<Hmac<Sha512>>(password, salt, n, out),
            Hash::Whirlpool => pbkdf2::<Hmac<Whirlpool>>(password, salt, n, out),
            Hash::Blake2s256 => pbkdf2::<SimpleHmac<Blake2s256>>(password, salt, n, out),
            Hash::Streebog256 => return kdf::pbkdf2::<32>(password, salt, n, out).map_err(ours),
            Hash::Streebog512 => return kdf::pbkdf2::<64>(password, salt, n, out).map_err(ours),
        }
        .map_err(|e| Error::Invalid(format!("PBKDF2: {e}")))
    }
}
