//! CTR-ACPKM and CTR-ACPKM-OMAC as content encryption in CMS
//! (R 1323565.1.025-2019, as the published TC26 examples have it).
//!
//! UKM is the nonce of n/2 bytes, then 8 bytes of seed for the keys.

use crate::kdf::kdf_tree;
use crate::modes::{compare, omac};
use crate::{Error, Keyed, acpkm};

/// The section size for Magma, bytes.
pub const SECTION_MAGMA: usize = 8 * 1024;

fn check_ukm<C: Keyed>(ukm: &[u8]) -> Result<(), Error> {
    if ukm.len() == C::BLOCK / 2 + 8 { Ok(()) } else { Err(Error::IvLength) }
}

/// Without a MAC, its own inverse: CTR-ACPKM under `cek` itself, the nonce
/// being the first n/2 bytes of `ukm` (n/2 + 8 bytes, [`Error::IvLength`]).
pub fn ctr_acpkm<C: Keyed>(
    cek: &[u8],
    ukm: &[u8],
    section: usize,
    p: &[u8],
) -> Result<Vec<u8>, Error> {
    check_ukm::<C>(ukm)?;
    acpkm::ctr_acpkm::<C>(cek, &ukm[..C::BLOCK / 2], section, C::BLOCK, p)
}

/// K_enc and K_mac: the halves of KDF_TREE(cek, "kdf tree", the last 8 bytes
/// of UKM, R = 1, L = 512 bits).
fn keys<C: Keyed>(cek: &[u8], ukm: &[u8]) -> Result<(Vec<u8>, Vec<u8>), Error> {
    check_ukm::<C>(ukm)?;
    if cek.len() != 32 {
        return Err(Error::KeyLength);
    }
    let keys = kdf_tree(cek, b"kdf tree", &ukm[C::BLOCK / 2..], 1, 64)?;
    Ok((keys[..32].to_vec(), keys[32..].to_vec()))
}

/// The ciphertext of the message and the encrypted MAC of n bytes: OMAC of
/// the message under K_mac, encrypted with the key stream that follows the
/// message's, sections included.
pub fn ctr_acpkm_omac_encrypt<C: Keyed>(
    cek: &[u8],
    ukm: &[u8],
    section: usize,
    p: &[u8],
) -> Result<(Vec<u8>, Vec<u8>), Error> {
    let (k_enc, k_mac) = keys::<C>(cek, ukm)?;
    let mac = omac(&C::with_key(&k_mac)?, p, C::BLOCK)?;
    let mut ct = ctr_acpkm::<C>(&k_enc, ukm, section, &[p, &mac].concat())?;
    let encrypted_mac = ct.split_off(p.len());
    Ok((ct, encrypted_mac))
}

/// The message. [`Error::TagLength`] unless the encrypted MAC has n bytes,
/// [`Error::Mac`] when it does not match.
pub fn ctr_acpkm_omac_decrypt<C: Keyed>(
    cek: &[u8],
    ukm: &[u8],
    section: usize,
    ct: &[u8],
    encrypted_mac: &[u8],
) -> Result<Vec<u8>, Error> {
    let (k_enc, k_mac) = keys::<C>(cek, ukm)?;
    let mut p = ctr_acpkm::<C>(&k_enc, ukm, section, &[ct, encrypted_mac].concat())?;
    let mac = p.split_off(ct.len());
    compare(&omac(&C::with_key(&k_mac)?, &p, C::BLOCK)?, &mac)?;
    Ok(p)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::magma::Magma;

    #[test]
    fn refusals() {
        let (cek, ukm, n) = ([1; 32], [2; 12], SECTION_MAGMA);
        let (ct, mac) = ctr_acpkm_omac_encrypt::<Magma>(&cek, &ukm, n, b"a text").unwrap();
        let open = |ct: &[u8], mac: &[u8]| ctr_acpkm_omac_decrypt::<Magma>(&cek, &ukm, n, ct, mac);
        assert_eq!(open(&ct, &mac).unwrap(), b"a text");
        assert_eq!(open(&ct[1..], &mac), Err(Error::Mac));
        assert_eq!(open(&ct, &mac[1..]), Err(Error::TagLength));
        let iv_only = ctr_acpkm_omac_encrypt::<Magma>(&cek, &ukm[..4], n, &[]);
        assert_eq!(iv_only, Err(Error::IvLength));
    }
}
