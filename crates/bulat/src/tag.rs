//! The tag of a MAC or of authenticated encryption.

use core::ops::{Deref, RangeInclusive};

use crate::{Error, Secret};

/// The longest tag, in bytes.
pub(crate) const LONGEST: usize = 64;

/// Returns the length of a tag, if it is in the range; else [`Error::TagLength`].
pub(crate) fn checked(len: usize, range: RangeInclusive<usize>) -> Result<usize, Error> {
    if range.contains(&len) { Ok(len) } else { Err(Error::TagLength) }
}

/// An authentication tag of 1 to 64 bytes, in the order of transmission.
///
/// Dereferences to a slice. To check a tag, call `verify` or `open_in_place`: they compare in constant time; `==` on
/// slices does not.
///
/// ```
/// use bulat::{Hmac, Mac, Streebog256};
/// let mut hmac = Hmac::<Streebog256>::new(b"key");
/// hmac.update(b"message");
/// let tag = hmac.finalize()?;
/// assert_eq!(tag.len(), 32);
/// let bytes: [u8; 32] = tag.to_array()?;
/// assert_eq!(bytes, tag[..]);
/// # Ok::<(), bulat::Error>(())
/// ```
#[derive(Clone)]
pub struct Tag {
    bytes: Secret<[u8; LONGEST]>,
    len: usize,
}

impl Tag {
    /// Keeps the first `len` bytes of the full tag, at most [`LONGEST`].
    pub(crate) fn new(full: &[u8], len: usize) -> Self {
        let mut tag = Tag { bytes: Secret::new([0; LONGEST]), len };
        tag.bytes[..len].copy_from_slice(&full[..len]);
        tag
    }
    /// Returns the tag as an array.
    ///
    /// # Errors
    /// [`Error::TagLength`] unless the tag has `N` bytes.
    pub fn to_array<const N: usize>(&self) -> Result<[u8; N], Error> {
        self[..].try_into().map_err(|_| Error::TagLength)
    }
    /// Writes the tag to `out`. Errors: [`Error::TagLength`] unless `out` has the tag's length.
    pub(crate) fn put(&self, out: &mut [u8]) -> Result<(), Error> {
        if out.len() != self.len {
            return Err(Error::TagLength);
        }
        out.copy_from_slice(self);
        Ok(())
    }
}

impl Deref for Tag {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

impl AsRef<[u8]> for Tag {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl core::fmt::Debug for Tag {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}
