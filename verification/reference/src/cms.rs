//! CTR-ACPKM and CTR-ACPKM-OMAC as content encryption in CMS
//! (R 1323565.1.025-2019, as the published TC26 examples have it).
//!
//! UKM is the nonce of n/2 bytes, then 8 bytes of seed for the keys.

use crate::kdf::kdf_tree;
use crate::modes::{compare, omac};
use crate::{Error, Keyed, acpkm};

/// The section size for Magma, bytes.
pub const SECTION_MAGMA: usize = 8 * 1024;
/// The section size for Kuznyechik, bytes.
pub const SECTION_KUZNYECHIK: usize = 256 * 1024;

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
    use crate::kuznyechik::Kuznyechik;
    use crate::magma::Magma;
    use testkit::hex;

    // Examples of TC26 for R 1323565.1.025-2019, the content encryption keys
    // recovered from the key agreement.

    const TEXT: &str = "caeeedf2f0eeebfcedfbe920eff0e8ece5f020e4ebff20f1f2f0f3eaf2f3f0fb\
         20456e76656c6f706564446174612e";

    fn with_mac<C: Keyed>(cek: &str, ukm: &str, section: usize, ct: &str, mac: &str) {
        let (cek, ukm, ct, mac) = (hex(cek), hex(ukm), hex(ct), hex(mac));
        let got = ctr_acpkm_omac_encrypt::<C>(&cek, &ukm, section, &hex(TEXT)).unwrap();
        assert_eq!(got, (ct.clone(), mac.clone()));
        let got = ctr_acpkm_omac_decrypt::<C>(&cek, &ukm, section, &ct, &mac).unwrap();
        assert_eq!(got, hex(TEXT));
        let wrong = ctr_acpkm_omac_decrypt::<C>(&cek, &ukm, section, &ct[1..], &mac);
        assert_eq!(wrong, Err(Error::Mac));
        let short = ctr_acpkm_omac_decrypt::<C>(&cek, &ukm, section, &ct, &mac[1..]);
        assert_eq!(short, Err(Error::TagLength));
        let iv_only = ctr_acpkm_omac_encrypt::<C>(&cek, &ukm[..C::BLOCK / 2], section, &[]);
        assert_eq!(iv_only, Err(Error::IvLength));
    }

    #[test]
    fn a211_kuznyechik_with_mac() {
        with_mac::<Kuznyechik>(
            "243c96c17aed4e4eaaec4832319ff402728cb51de5d63326a9a42a0bc12eb2e2",
            "e847959400c30b3d9c74458acbeb4cf7",
            SECTION_KUZNYECHIK,
            "c88165fc87b855e145b9ccd3b0cb0868e5047b7267f46795a7c8594a3dcedaae\
             21b2543fbbff868f84244879bf3348",
            "b35b7a0f727758212fc6e9e7104d7935",
        );
    }

    #[test]
    fn a241_magma_with_mac() {
        with_mac::<Magma>(
            "e28752233ac567f3bbf9655885468ddeae0e6d54271d6cdc1ad2d5f055388c1a",
            "8333ed93b82fdcf93e35812e",
            SECTION_MAGMA,
            "8fc4ffc7c8e42d6fc472fdf705210cdc8cd1f31fc2647ccf7010505fa65fd1d5\
             2c8ee50839e5571f01ce044e3d36e3",
            "557fe8e15959b427",
        );
    }

    #[test]
    fn a221_magma_without_mac() {
        let cek = hex("1d7392967e7572c37a8a427cb01d434ef51c2fb85c719ca553e1b1abcdbfb448");
        let ct =
            ctr_acpkm::<Magma>(&cek, &hex("74d7422a7600000030a93103"), SECTION_MAGMA, &hex(TEXT))
                .unwrap();
        assert_eq!(
            ct,
            hex("4ed9b6324c6409f165101aad331f0cd72f48c58561d3175b5c03162677da57e6\
                 2f3d53023186d62aca35f54078eeda",)
        );
    }
}
