//! Secrets: wiped on drop, without `Debug`; comparison in constant time.

use core::ops::{Deref, DerefMut};
use subtle::ConstantTimeEq;
use zeroize::Zeroize;

use crate::Error;

/// A value that is overwritten when dropped and never printed.
///
/// `Clone` is there because a streaming object can be duplicated; each copy wipes itself.
#[derive(Clone, Default)]
pub struct Secret<T: Zeroize>(T);

impl<T: Zeroize> Secret<T> {
    /// Takes the value in; the caller's copy, if any, is the caller's to wipe.
    pub const fn new(value: T) -> Self {
        Secret(value)
    }
}

impl<T: Zeroize> Deref for Secret<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Zeroize> DerefMut for Secret<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T: Zeroize> Drop for Secret<T> {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

/// Writes over what functions called before from the same place left on the stack: vectors that the compiler
/// spilled. `N` octets: no key schedule has more than [`DEEP`], groups of blocks no more than [`MIDDLE`], and
/// a few round keys no more than [`SHALLOW`].
#[inline(never)]
pub(crate) fn overwrite_stack<const N: usize>() {
    let octets = [0u8; N];
    zeroize::optimization_barrier(&octets);
}

pub(crate) const DEEP: usize = 32 << 10;
pub(crate) const MIDDLE: usize = 8 << 10;
pub(crate) const SHALLOW: usize = 2 << 10;

/// Compares two tags in constant time; lengths are public.
///
/// # Errors
/// [`Error::TagLength`] when the lengths differ, [`Error::Verify`] when the octets do.
pub fn verify(computed: &[u8], given: &[u8]) -> Result<(), Error> {
    if computed.len() != given.len() {
        return Err(Error::TagLength);
    }
    // The verdict is the answer.
    let equal = declassify(computed.ct_eq(given).unwrap_u8());
    if equal == 1 { Ok(()) } else { Err(Error::Verify) }
}

/// Every place where something secret becomes public goes through this: docs/ASSURANCE.md has the list
/// with the reasons. It does nothing but tell the constant-time harness (feature `declassify`).
#[inline(always)]
pub(crate) fn declassify(octet: u8) -> u8 {
    #[cfg(feature = "declassify")]
    if let Some(hook) = DECLASSIFY.get() {
        let mut octet = [octet];
        hook(&mut octet);
        return octet[0];
    }
    octet
}

/// The harness's hook, which marks the octet as public.
#[cfg(feature = "declassify")]
pub static DECLASSIFY: std::sync::OnceLock<fn(&mut [u8; 1])> = std::sync::OnceLock::new();
