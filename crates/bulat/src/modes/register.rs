//! The register R of GOST R 34.13-2015, sections 5.3 to 5.5: m bytes, of which the first n go through the cipher.

use core::ops::{Deref, DerefMut};

use crate::Error;

/// The longest register in bytes. It is part of the object, without an allocation. The standard has no bound; users who
/// need more than one block have two or three.
pub const MAX_REGISTER: usize = 512;

#[derive(Clone)]
pub(super) struct Register {
    bytes: [u8; MAX_REGISTER],
    len: usize,
}

impl Register {
    /// Creates a register from an IV of z blocks of `n` bytes.
    pub(super) fn of_blocks(iv: &[u8], n: usize) -> Result<Self, Error> {
        if iv.len().is_multiple_of(n) { Self::at_least(iv, n) } else { Err(Error::IvLength) }
    }
    /// Creates a register from an IV of m >= n bytes.
    pub(super) fn at_least(iv: &[u8], n: usize) -> Result<Self, Error> {
        if !(n..=MAX_REGISTER).contains(&iv.len()) {
            return Err(Error::IvLength);
        }
        let mut bytes = [0; MAX_REGISTER];
        bytes[..iv.len()].copy_from_slice(iv);
        Ok(Register { bytes, len: iv.len() })
    }
}

impl Deref for Register {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

impl DerefMut for Register {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.bytes[..self.len]
    }
}

impl Drop for Register {
    fn drop(&mut self) {
        self.bytes[..self.len].fill(0);
        zeroize::optimization_barrier(&self.bytes);
    }
}
