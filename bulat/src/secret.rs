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

/// Compares two tags in constant time; lengths are public.
///
/// # Errors
/// [`Error::TagLength`] when the lengths differ, [`Error::Verify`] when the octets do.
pub fn verify(computed: &[u8], given: &[u8]) -> Result<(), Error> {
    if computed.len() != given.len() {
        return Err(Error::TagLength);
    }
    if bool::from(computed.ct_eq(given)) { Ok(()) } else { Err(Error::Verify) }
}
