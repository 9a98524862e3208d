//! ECB of GOST R 34.13-2015, section 5.1: each block is encrypted independently.

use super::pieces::Pieces;
use super::{BlockMode, FromKey, Padding};
use crate::{BlockCipher, Direction, Error, InOut};

/// Encryption or decryption in ECB.
///
/// Equal blocks of text give equal blocks of ciphertext, and nothing is authenticated. Use ECB only as a building block
/// and for old data.
///
/// ```
/// use bulat::modes::{Ecb, Padding};
/// use bulat::{BlockMode, Magma};
/// let mut ecb = Ecb::<Magma>::encryptor(&[7; 32]).padding(Padding::Procedure2);
/// let (mut text, mut end) = (*b"eleven octs", [0; 16]);
/// let n = ecb.update(&mut text)?; // one whole block, in place
/// let m = ecb.finalize(&mut end)?; // the padded rest
/// assert_eq!((n, m), (8, 8));
/// # Ok::<(), bulat::Error>(())
/// ```
#[derive(Clone)]
pub struct Ecb<C: BlockCipher> {
    cipher: C,
    direction: Direction,
    padding: Padding,
    pieces: Pieces,
}

impl<C: BlockCipher> Ecb<C> {
    /// Begins encryption under a key of 32 bytes.
    pub fn encryptor(key: &[u8; 32]) -> Self
    where
        C: FromKey,
    {
        Self::with(C::from_key(key), Direction::Encrypt)
    }

    /// Begins decryption under a key of 32 bytes.
    pub fn decryptor(key: &[u8; 32]) -> Self
    where
        C: FromKey,
    {
        Self::with(C::from_key(key), Direction::Decrypt)
    }

    /// Begins a message in one direction. Decryption leaves paddings that cannot be removed.
    pub fn with(cipher: C, direction: Direction) -> Self {
        Ecb { cipher, direction, padding: Padding::None, pieces: Pieces::new() }
    }

    /// Sets the padding, by default no padding. Call it before any data.
    pub fn padding(mut self, padding: Padding) -> Self {
        self.padding = padding;
        self
    }
}

/// Returns how many blocks decryption holds back at the end: 1 if the last block may be the padded block.
pub(super) fn held(direction: Direction, padding: Padding) -> usize {
    (direction == Direction::Decrypt && padding.removable()).into()
}

impl<C: BlockCipher> BlockMode for Ecb<C> {
    const HELD: usize = 2 * C::BLOCK;

    fn update_inout(&mut self, data: InOut<'_, '_>) -> Result<usize, Error> {
        let held = held(self.direction, self.padding);
        self.pieces.update(C::BLOCK, held, data, |blocks| self.cipher.map(self.direction, blocks))
    }

    fn finalize(&mut self, out: &mut [u8]) -> Result<usize, Error> {
        self.pieces.finish(C::BLOCK, self.padding, self.direction, out, |block| {
            self.cipher.map(self.direction, block)
        })
    }

    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        if !iv.is_empty() {
            return Err(Error::IvLength);
        }
        self.pieces = Pieces::new();
        Ok(())
    }
}
