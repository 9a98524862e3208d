//! Keys under passwords with GOST: PKCS#8 ([`pkcs8`]), PKCS#12 ([`pfx`]), their encryption ([`pbes2`]) and MAC
//! ([`pbmac1`]), by RFC 9337 and RFC 9548; for reading also older forms, and CryptoPro's.
//!
//! A private key is opaque here: bytes with the name of their algorithm. Every function that needs a password has
//! [`Limits`] on the work that a file may cause. The ciphers and hashes of GOST are from `bulat`, in constant
//! time; DES and RC2 of old files are not.
#![forbid(unsafe_code)]

mod asn1;
mod ber;
mod cryptopro;
mod error;
mod form;
mod kdf;
pub mod oid;
mod old;
pub mod pbes2;
pub mod pbmac1;
pub mod pem;
pub mod pfx;
pub mod pkcs8;
mod scheme;

pub use der::asn1::ObjectIdentifier;
pub use error::{Error, Result};
pub use form::Form;
pub use kdf::{Hash, Pbkdf2, Prf};
pub use scheme::Scheme;

/// Secret bytes, wiped on drop.
pub type Bytes = zeroize::Zeroizing<Vec<u8>>;

/// The work that one file may cause.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The iterations of all derivations together, each counted for each block of its hash.
    pub iterations: u64,
    /// The bytes of the file.
    pub size: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { iterations: 20_000_000, size: 16 << 20 }
    }
}

impl Limits {
    /// Begins a file of this size.
    fn begin(&self, size: usize) -> Result<Budget> {
        if size > self.size {
            let (asked, allowed) = (size as u64, self.size as u64);
            return Err(Error::Cost { what: "bytes", asked, allowed });
        }
        Ok(Budget { spent: 0, limit: self.iterations, authentic: false })
    }
}

/// The iterations left, and what the MAC of the file has shown.
struct Budget {
    spent: u64,
    limit: u64,
    /// Set if a MAC under the password was right, so that the password is, and the file is as it was written.
    authentic: bool,
}

impl Budget {
    /// Counts iterations before they run.
    fn spend(&mut self, iterations: u64) -> Result<()> {
        self.spent = self.spent.saturating_add(iterations);
        if self.spent > self.limit {
            let what = "iterations";
            return Err(Error::Cost { what, asked: self.spent, allowed: self.limit });
        }
        Ok(())
    }
    /// Converts an error of a text that was decrypted without a MAC of its own: a wrong password gives noise.
    fn noise(&self, e: Error) -> Error {
        match e {
            Error::Damaged(_) | Error::Form { .. } if !self.authentic => Error::Password,
            e => e,
        }
    }
    /// Converts an error of an encryption inside a file, after the MAC of the file was right.
    fn explained(&self, e: Error) -> Error {
        match e {
            Error::Password if self.authentic => {
                Error::Scope("a key or a section under another password than the MAC of the file")
            }
            e => e,
        }
    }
}

/// Refuses a password for a new file that is empty or has a zero byte: HMAC pads keys with zeros, so `x` and `x\0` would
/// be one password.
///
/// # Errors
/// [`Error::Parameter`].
pub fn check_new_password(password: &[u8]) -> Result<()> {
    match password {
        [] => Err(Error::Parameter("the password is empty")),
        _ if password.contains(&0) => Err(Error::Parameter("a zero byte in the password")),
        _ => Ok(()),
    }
}

/// Fills the buffer with random bytes from the system.
fn random(bytes: &mut [u8]) -> Result<()> {
    getrandom::fill(bytes).map_err(|_| Error::Random)
}
