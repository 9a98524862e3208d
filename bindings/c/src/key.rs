//! Keys, prepared once.

use core::ffi::{c_char, c_int, c_void};

use crate::algorithm::{bulat_algorithm, for_c, own};
use crate::border::{Fault, calls, input, make, name, object};
use crate::result::BULAT_ERR_UNKNOWN_KERNEL;
use bulat::algorithm::{Key, Padding, Params};
use bulat::{Error, ParamSet, Sboxes};

/// The direction of a cipher.
pub type bulat_direction = c_int;
/// From plaintext to ciphertext.
pub const BULAT_ENCRYPT: bulat_direction = 0;
/// From ciphertext to plaintext.
pub const BULAT_DECRYPT: bulat_direction = 1;

/// Padding of ECB and CBC (GOST R 34.13-2015, 4.1).
pub type bulat_padding = c_int;
/// The text must be whole blocks.
pub const BULAT_PADDING_NONE: bulat_padding = 0;
/// Procedure 1: zeros up to a whole block, which decryption does not remove.
pub const BULAT_PADDING_1: bulat_padding = 1;
/// Procedure 2: one bit 1, then zeros.
pub const BULAT_PADDING_2: bulat_padding = 2;
/// Procedure 3: procedure 2 unless the last block is whole; decryption does not remove it.
pub const BULAT_PADDING_3: bulat_padding = 3;
/// PKCS #7, as in OpenSSL.
pub const BULAT_PADDING_PKCS7: bulat_padding = 4;

/// Key meshing of GOST 28147-89 (RFC 4357, 2.3).
pub type bulat_meshing = c_int;
/// The default of the algorithm and its S-boxes.
pub const BULAT_MESHING_DEFAULT: bulat_meshing = 0;
/// A new key after each 1024 bytes.
pub const BULAT_MESHING_ON: bulat_meshing = 1;
/// One key throughout.
pub const BULAT_MESHING_OFF: bulat_meshing = 2;

/// The options of an algorithm. Zeros select the defaults: `bulat_options options = {0};`. Options that mean nothing to
/// the algorithm are refused.
#[repr(C)]
pub struct bulat_options {
    /// The tag's length in bytes: MACs and AEAD.
    pub tag_size: usize,
    /// The section in bytes: CTR-ACPKM, OMAC-ACPKM (its N), CTR-ACPKM-OMAC.
    pub section: usize,
    /// T*, the period of the master key, in bytes: OMAC-ACPKM.
    pub period: usize,
    /// s of GOST R 34.13-2015 in bytes: CTR, OFB, CFB.
    pub s: usize,
    /// BULAT_PADDING_NONE and so on.
    pub padding: bulat_padding,
    /// BULAT_MESHING_DEFAULT and so on.
    pub meshing: bulat_meshing,
    /// S-boxes of GOST 28147-89 by name or object identifier: "test", "a", "b", "c", "d", "z", "hash-test",
    /// "hash-cryptopro".
    pub sboxes: *const c_char,
    /// Alternatively the S-boxes' eight rows of sixteen values, the least significant nibble's row first: 128 bytes.
    pub sbox_rows: *const u8,
    /// The kernel's name, for tests and measurements.
    pub kernel: *const c_char,
    /// Must be zeros.
    pub reserved: [usize; 4],
}

/// A key under an algorithm, with its options. It never changes, so any number of threads may use it at once. It may be
/// freed when no call uses it and no job of a running batch names it; contexts made from it no longer need it. Freeing
/// wipes it.
pub struct bulat_key(pub(crate) Key);

impl bulat_options {
    fn boxes(&self) -> Result<Option<Sboxes>, Fault> {
        if !self.sbox_rows.is_null() {
            if !self.sboxes.is_null() {
                return Err(Error::Parameter.into());
            }
            // SAFETY: the pointer is not null, the header requires 128 bytes there, and bytes have no alignment.
            let rows = unsafe { &*self.sbox_rows.cast::<[[u8; 16]; 8]>() };
            return Ok(Some(Sboxes::new(*rows)?));
        }
        if self.sboxes.is_null() {
            return Ok(None);
        }
        // SAFETY: the header requires `sboxes` to be null or a string that ends with a zero byte.
        let set = unsafe { name(self.sboxes) }.and_then(ParamSet::find);
        Ok(Some(set.ok_or(Error::Parameter)?.into()))
    }
    fn params<'a>(&'a self, key: &'a [u8]) -> Result<Params<'a>, Fault> {
        let given = |n: usize| (n > 0).then_some(n);
        let kernel = if self.kernel.is_null() {
            None
        } else {
            // SAFETY: the header requires `kernel` to be a string that ends with a zero byte; null was handled above.
            Some(unsafe { name(self.kernel) }.ok_or(Fault(BULAT_ERR_UNKNOWN_KERNEL))?)
        };
        if self.reserved != [0; 4] {
            return Err(Error::Parameter.into());
        }
        Ok(Params {
            tag_len: given(self.tag_size),
            section: given(self.section),
            period: given(self.period),
            s: given(self.s),
            padding: match self.padding {
                BULAT_PADDING_NONE => Padding::None,
                BULAT_PADDING_1 => Padding::Procedure1,
                BULAT_PADDING_2 => Padding::Procedure2,
                BULAT_PADDING_3 => Padding::Procedure3,
                BULAT_PADDING_PKCS7 => Padding::Pkcs7,
                _ => return Err(Error::Parameter.into()),
            },
            meshing: match self.meshing {
                BULAT_MESHING_DEFAULT => None,
                BULAT_MESHING_ON => Some(true),
                BULAT_MESHING_OFF => Some(false),
                _ => return Err(Error::Parameter.into()),
            },
            sboxes: self.boxes()?,
            kernel,
            ..Params::new(key)
        })
    }
    /// Returns the S-boxes of a key wrap, which accepts no other option.
    pub(crate) fn boxes_alone(&self) -> Result<Option<Sboxes>, Fault> {
        let numbers = [self.tag_size, self.section, self.period, self.s];
        let others = self.padding != 0 || self.meshing != 0 || !self.kernel.is_null();
        if numbers != [0; 4] || self.reserved != [0; 4] || others {
            return Err(Error::Parameter.into());
        }
        self.boxes()
    }
}

calls! {
    /// Prepares a key of `len` bytes, 0 for a hash; `options` may be null. The bytes are copied: wipe yours.
    fn bulat_key_new(
        key: *mut *mut bulat_key, algorithm: *const bulat_algorithm, bytes: *const c_void,
        len: usize, options: *const bulat_options
    ) {
        make(key, || {
            let bytes = input(bytes, len)?;
            let params = match options.is_null() {
                true => Params::new(bytes),
                false => object(options)?.params(bytes)?,
            };
            Ok(bulat_key(own(algorithm)?.key(&params)?))
        })
    }
    /// Wipes and frees a key; null is ignored.
    free bulat_key_free(key: *mut bulat_key);
    /// Returns the algorithm of a key; null for null.
    fn bulat_key_algorithm(key: *const bulat_key) -> *const bulat_algorithm = core::ptr::null() => {
        Ok(for_c(object(key)?.0.algorithm()))
    }
    /// Returns the length of the key's tags in bytes; 0 if it makes no tags, and for null.
    fn bulat_key_tag_size(key: *const bulat_key) -> usize = 0 => {
        Ok(object(key)?.0.tag_len())
    }
}

pub(crate) fn direction(direction: bulat_direction) -> Result<bulat::Direction, Fault> {
    match direction {
        BULAT_ENCRYPT => Ok(bulat::Direction::Encrypt),
        BULAT_DECRYPT => Ok(bulat::Direction::Decrypt),
        _ => Err(Error::Parameter.into()),
    }
}
