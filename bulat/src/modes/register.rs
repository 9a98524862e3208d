//! The register R of GOST R 34.13-2015, sections 5.3 to 5.5: m bytes, the first n of which go through
//! the cipher.

use core::ops::{Deref, DerefMut};

use crate::Error;

/// The longest register in bytes that this library allows: it is in the object, without memory of
/// its own. The standard has no bound; who needs more than a block has two or three.
pub const MAX_REGISTER: usize = 512;

#[derive(Clone)]
pub(super) struct Register {
    octets: [u8; MAX_REGISTER],
    len: usize,
}

impl Register {
    /// The register filled with the IV: z blocks of `n` bytes.
    pub(super) fn of_blocks(iv: &[u8], n: usize) -> Result<Self, Error> {
        if iv.len().is_multiple_of(n) { Self::at_least(iv, n) } else { Err(Error::IvLength) }
    }
    /// The register filled with the IV: m >= n bytes.
    pub(super) fn at_least(iv: &[u8], n: usize) -> Result<Self, Error> {
        if !(n..=MAX_REGISTER).contains(&iv.len()) {
            return Err(Error::IvLength);
        }
        let mut octets = [0; MAX_REGISTER];
        octets[..iv.len()].copy_from_slice(iv);
        Ok(Register { octets, len: iv.len() })
    }
}

impl Deref for Register {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        &self.octets[..self.len]
    }
}

impl DerefMut for Register {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.octets[..self.len]
    }
}

impl Drop for Register {
    fn drop(&mut self) {
        self.octets[..self.len].fill(0);
        zeroize::optimization_barrier(&self.octets);
    }
}
