//! KExp15 and KImp15, export of a secret under two keys: RFC 9189, section 8.2.1
//! (R 1323565.1.017-2018): CTR under K_enc of S || OMAC under K_mac of IV || S.

use crate::modes::{Ctr, Mac, Omac, StreamCipher};
use crate::{BlockCipher, Error, Secret};

/// Exports a secret: writes its export representation to `out`, which has `secret.len()` + n bytes.
///
/// `mac` and `enc` are the cipher under K_Exp_MAC and K_Exp_ENC, which must be independent keys. `iv` has n/2 bytes and
/// must never be used twice under them. The secret may have any length.
///
/// # Errors
/// [`Error::IvLength`], [`Error::BufferLength`]; [`Error::Limit`] as [`Ctr`]. Then `out` is unchanged.
///
/// ```
/// use bulat::Kuznyechik;
/// use bulat::kdf::{kexp15, kimp15};
/// let (mac, enc) = (Kuznyechik::new(&[1; 32]), Kuznyechik::new(&[2; 32]));
/// let (iv, secret) = ([3; 8], [4; 32]);
/// let mut exported = [0; 48];
/// kexp15(&mac, &enc, &iv, &secret, &mut exported)?;
/// let mut imported = [0; 32];
/// kimp15(&mac, &enc, &iv, &exported, &mut imported)?;
/// assert_eq!(imported, secret);
/// # Ok::<(), bulat::Error>(())
/// ```
pub fn kexp15<C: BlockCipher>(
    mac: &C,
    enc: &C,
    iv: &[u8],
    secret: &[u8],
    out: &mut [u8],
) -> Result<(), Error> {
    let mut ctr = Ctr::with(enc.clone(), iv)?;
    if out.len() != secret.len() + C::BLOCK {
        return Err(Error::BufferLength);
    }
    ctr.check(out.len())?;
    let mut omac = Omac::with(mac.clone());
    omac.update(iv);
    omac.update(secret);
    // Nothing fails from here on: `out` holds the secret until it is encrypted.
    let (text, tag) = out.split_at_mut(secret.len());
    omac.finalize()?.put(tag)?;
    text.copy_from_slice(secret);
    ctr.apply_keystream(out)
}

/// Imports a secret of `secret.len()` bytes, n fewer than `exported` has. Compares the MAC in constant time and writes
/// `secret` only if it is right.
///
/// # Errors
/// [`Error::IvLength`]; [`Error::DataLength`] when `exported` is shorter than a block;
/// [`Error::BufferLength`]; [`Error::Limit`] as [`Ctr`]; [`Error::Verify`].
pub fn kimp15<C: BlockCipher>(
    mac: &C,
    enc: &C,
    iv: &[u8],
    exported: &[u8],
    secret: &mut [u8],
) -> Result<(), Error> {
    let mut ctr = Ctr::with(enc.clone(), iv)?;
    let len = exported.len().checked_sub(C::BLOCK).ok_or(Error::DataLength)?;
    if secret.len() != len {
        return Err(Error::BufferLength);
    }
    let (text, tag) = exported.split_at(len);
    let mut omac = Omac::with(mac.clone());
    omac.update(iv);
    // First decrypted in pieces for the MAC; decrypted again into `secret` once the MAC is known to be right.
    let mut clear = Secret::new([0; 64]);
    for piece in text.chunks(clear.len()) {
        let clear = &mut clear[..piece.len()];
        clear.copy_from_slice(piece);
        ctr.apply_keystream(clear)?;
        omac.update(clear);
    }
    let clear = &mut clear[..tag.len()];
    clear.copy_from_slice(tag);
    ctr.apply_keystream(clear)?;
    omac.verify(clear)?;
    secret.copy_from_slice(text);
    ctr.reset(iv)?;
    ctr.apply_keystream(secret)
}
