//! KDF_TREE_GOSTR3411_2012_256 and KDF_GOSTR3411_2012_256: RFC 7836, sections 4.4 and 4.5
//! (R 50.1.113-2016).

use crate::kdf::Hmac256;
use crate::{Error, Secret};

/// KDF_TREE_GOSTR3411_2012_256: fills `out` with K(1) || K(2) || ..., where
/// K(i) = HMAC_256(`key`, \[i\]_r || `label` || 0x00 || `seed` || \[L\]).
///
/// `r`, 1 to 4, is the number of octets of the counter i, big-endian, from 1. L is the length of `out`
/// in bits, big-endian, without leading zero octets; so a shorter output is not the beginning of a
/// longer one. The standard fixes no multiple of 32 octets; OpenSSL's gost-engine gives only those.
///
/// # Errors
/// [`Error::Parameter`] when `r` is not 1 to 4, or `out` is empty or longer than 32 * (2^(8r) - 1)
/// octets.
///
/// ```
/// let mut out = [0; 64];
/// let key: [u8; 32] = core::array::from_fn(|i| i as u8);
/// let (label, seed) = ([0x26, 0xbd, 0xb8, 0x78], [0xaf, 0x21, 0x43, 0x41, 0x45, 0x65, 0x63, 0x78]);
/// bulat::kdf::kdf_tree(&key, &label, &seed, 1, &mut out)?;
/// assert_eq!(out[..4], [0x22, 0xb6, 0x83, 0x78]); // RFC 7836, appendix B, 10)
/// # Ok::<(), bulat::Error>(())
/// ```
pub fn kdf_tree(
    key: &[u8],
    label: &[u8],
    seed: &[u8],
    r: usize,
    out: &mut [u8],
) -> Result<(), Error> {
    if !(1..=4).contains(&r) || out.is_empty() {
        return Err(Error::Parameter);
    }
    let blocks = u32::try_from(out.len().div_ceil(32)).map_err(|_| Error::Parameter)?;
    if u64::from(blocks) >> (8 * r) != 0 {
        return Err(Error::Parameter);
    }
    let bits = (8 * out.len() as u64).to_be_bytes();
    let bits = &bits[bits.iter().take_while(|octet| **octet == 0).count()..];
    let prf = Hmac256::new(key);
    for (i, part) in (1..=blocks).zip(out.chunks_mut(32)) {
        let k = prf.tag(&[&i.to_be_bytes()[4 - r..], label, &[0], seed, bits]);
        part.copy_from_slice(&k[..part.len()]);
    }
    Ok(())
}

/// KDF_GOSTR3411_2012_256: one key of 256 bits, the tree with r = 1 and L = 256:
/// HMAC_256(`key`, 0x01 || `label` || 0x00 || `seed` || 0x01 || 0x00).
pub fn kdf_256(key: &[u8], label: &[u8], seed: &[u8]) -> Secret<[u8; 32]> {
    Hmac256::new(key).tag(&[&[1], label, &[0], seed, &[1, 0]])
}
