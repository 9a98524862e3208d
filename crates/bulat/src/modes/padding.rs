//! Padding procedures 1 to 3 of GOST R 34.13-2015, section 4.1, and PKCS #7.

use subtle::{Choice, ConditionallySelectable, ConstantTimeEq, ConstantTimeLess};

use crate::Error;
use crate::memory::declassify;

/// The padding of the last block in ECB and CBC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Padding {
    /// The message must be whole blocks.
    None,
    /// Procedure 1: zeros up to a whole block. It cannot be removed without knowing the length, so decryption leaves
    /// it.
    Procedure1,
    /// Procedure 2: one bit 1, then zeros. It can always be removed.
    Procedure2,
    /// Procedure 3: procedure 2 unless the last block is whole (as in OMAC; an empty message gets no padding). It
    /// cannot be removed without knowing the length, so decryption leaves it.
    Procedure3,
    /// PKCS #7, OpenSSL's padding for block modes; not part of GOST R 34.13.
    Pkcs7,
}

impl Padding {
    /// Returns whether decryption removes the padding.
    pub const fn removable(self) -> bool {
        matches!(self, Padding::Procedure2 | Padding::Pkcs7)
    }

    /// Pads the last block, which has `filled` bytes of text, fewer than its length. Returns whether there is a last
    /// block.
    ///
    /// # Errors
    /// [`Error::DataLength`] when the message must be whole blocks and is not, when `filled` is not
    /// less than the block, or when the block is empty or longer than 255 bytes.
    pub fn pad(self, block: &mut [u8], filled: usize) -> Result<bool, Error> {
        let n = block_len(block)?;
        let rest = block.get_mut(filled..).filter(|r| !r.is_empty()).ok_or(Error::DataLength)?;
        let first = match self {
            Padding::None if filled > 0 => return Err(Error::DataLength),
            Padding::None | Padding::Procedure1 | Padding::Procedure3 if filled == 0 => {
                return Ok(false);
            }
            Padding::None | Padding::Procedure1 => 0,
            Padding::Procedure2 | Padding::Procedure3 => 0x80,
            Padding::Pkcs7 => n - filled as u8,
        };
        rest.fill(if self == Padding::Pkcs7 { first } else { 0 });
        if let Some(byte) = rest.first_mut() {
            *byte = first;
        }
        Ok(true)
    }

    /// Returns how many bytes of the last block are text. The block is examined in constant time; the result is public.
    ///
    /// If an attacker can learn which ciphertexts have invalid padding, he can decrypt (Vaudenay's oracle):
    /// authenticate the ciphertext first, or report all failures alike.
    ///
    /// # Errors
    /// [`Error::Padding`] when the padding is malformed; [`Error::DataLength`] when the block is empty or longer than
    /// 255 bytes.
    pub fn unpad(self, block: &[u8]) -> Result<usize, Error> {
        let n = block_len(block)?;
        let (mut len, mut good) = (n, Choice::from(1));
        match self {
            Padding::Procedure2 => {
                // From the end: zeros, then 0x80; everything before is text.
                let mut found = Choice::from(0);
                for (i, byte) in block.iter().enumerate().rev() {
                    let mark = byte.ct_eq(&0x80);
                    good &= found | mark | byte.ct_eq(&0);
                    len = u8::conditional_select(&len, &(i as u8), mark & !found);
                    found |= mark;
                }
                good &= found;
            }
            Padding::Pkcs7 => {
                let count = block.last().copied().unwrap_or(0);
                good = !count.ct_eq(&0) & !n.ct_lt(&count);
                len = n.wrapping_sub(count);
                for (i, byte) in block.iter().enumerate() {
                    good &= (i as u8).ct_lt(&len) | byte.ct_eq(&count);
                }
            }
            _ => {}
        }
        // The caller gets a text of this length, or an error: both are public.
        let good = declassify(good.unwrap_u8());
        if good == 1 { Ok(declassify(len).into()) } else { Err(Error::Padding) }
    }
}

/// Returns the block's length as the byte that PKCS #7 writes.
fn block_len(block: &[u8]) -> Result<u8, Error> {
    u8::try_from(block.len()).ok().filter(|n| *n > 0).ok_or(Error::DataLength)
}
