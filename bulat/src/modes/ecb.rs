//! ECB of GOST R 34.13-2015, section 5.1: each block by itself.

use super::pieces::Pieces;
use super::{Blocks, Padding};
use crate::{BlockCipher, Direction, Error, InOut};

/// Encryption or decryption in ECB.
///
/// Equal blocks of text give equal blocks of ciphertext, and nothing is authenticated: it is here as a
/// building block and for old data.
///
/// ```
/// use bulat::modes::{Blocks, Ecb, Padding};
/// use bulat::{Direction, Magma};
/// let mut ecb = Ecb::new(Magma::new(&[7; 32]), Direction::Encrypt, Padding::Procedure2);
/// let (mut text, mut end) = (*b"eleven octs", [0; 16]);
/// let n = ecb.update((&mut text[..]).into())?; // one whole block, in place
/// let m = ecb.finish(&mut end)?; // the padded rest
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
    /// For one direction. Paddings that cannot be taken off are left at decryption.
    pub fn new(cipher: C, direction: Direction, padding: Padding) -> Self {
        Ecb { cipher, direction, padding, pieces: Pieces::new() }
    }
}

/// How much of the end a decryption holds back: a block that may be the padded one.
pub(super) fn held(direction: Direction, padding: Padding) -> usize {
    (direction == Direction::Decrypt && padding.removable()).into()
}

impl<C: BlockCipher> Blocks for Ecb<C> {
    const HELD: usize = 2 * C::BLOCK;

    fn update(&mut self, data: InOut<'_, '_>) -> Result<usize, Error> {
        let held = held(self.direction, self.padding);
        self.pieces.update(C::BLOCK, held, data, |blocks| self.cipher.map(self.direction, blocks))
    }

    fn finish(&mut self, out: &mut [u8]) -> Result<usize, Error> {
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
