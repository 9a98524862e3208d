//! KExp15 and KImp15, export and import of keys (R 1323565.1.017-2018 5.2,
//! RFC 9189 8.2.1).

use crate::modes::{compare, ctr, omac};
use crate::{Error, Keyed};

fn check_iv<C: Keyed>(iv: &[u8]) -> Result<(), Error> {
    if iv.len() == C::BLOCK / 2 { Ok(()) } else { Err(Error::IvLength) }
}

/// CTR(K_Exp_ENC, IV, S|OMAC(K_Exp_MAC, IV|S)): the secret, of any length,
/// plus n bytes. `iv` has n/2 bytes ([`Error::IvLength`]).
pub fn kexp15<C: Keyed>(
    secret: &[u8],
    key_mac: &[u8],
    key_enc: &[u8],
    iv: &[u8],
) -> Result<Vec<u8>, Error> {
    check_iv::<C>(iv)?;
    let mac = omac(&C::with_key(key_mac)?, &[iv, secret].concat(), C::BLOCK)?;
    ctr(&C::with_key(key_enc)?, iv, C::BLOCK, &[secret, &mac].concat())
}

/// The secret from its export representation. [`Error::MessageLength`] for
/// less than n bytes, [`Error::Mac`] for FAIL.
pub fn kimp15<C: Keyed>(
    sexp: &[u8],
    key_mac: &[u8],
    key_enc: &[u8],
    iv: &[u8],
) -> Result<Vec<u8>, Error> {
    check_iv::<C>(iv)?;
    if sexp.len() < C::BLOCK {
        return Err(Error::MessageLength);
    }
    let text = ctr(&C::with_key(key_enc)?, iv, C::BLOCK, sexp)?;
    let (secret, mac) = text.split_at(text.len() - C::BLOCK);
    let right = omac(&C::with_key(key_mac)?, &[iv, secret].concat(), C::BLOCK)?;
    compare(&right, mac)?;
    Ok(secret.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kuznyechik::Kuznyechik;
    use crate::magma::Magma;
    use testkit::hex;

    const SECRET: &str = "8899aabbccddeeff0011223344556677fedcba98765432100123456789abcdef";
    const K_MAC: &str = "08090a0b0c0d0e0f0001020304050607101112131415161718191a1b1c1d1e1f";
    const K_ENC: &str = "202122232425262728292a2b2c2d2e2f38393a3b3c3d3e3f3031323334353637";

    fn both_ways<C: Keyed>(iv: &str, sexp: &str) {
        let (s, mac, enc, iv) = (hex(SECRET), hex(K_MAC), hex(K_ENC), hex(iv));
        let sexp = hex(sexp);
        assert_eq!(kexp15::<C>(&s, &mac, &enc, &iv).unwrap(), sexp);
        assert_eq!(kimp15::<C>(&sexp, &mac, &enc, &iv).unwrap(), s);
        for bit in 0..8 * sexp.len() {
            let mut wrong = sexp.clone();
            wrong[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(kimp15::<C>(&wrong, &mac, &enc, &iv), Err(Error::Mac));
        }
        let short = kimp15::<C>(&sexp[..C::BLOCK - 1], &mac, &enc, &iv);
        assert_eq!(short, Err(Error::MessageLength));
        assert_eq!(kexp15::<C>(&s, &mac, &enc, &iv[1..]), Err(Error::IvLength));
        assert_eq!(kexp15::<C>(&s, &mac[1..], &enc, &iv), Err(Error::KeyLength));
        let empty = kexp15::<C>(&[], &mac, &enc, &iv).unwrap();
        assert_eq!(kimp15::<C>(&empty, &mac, &enc, &iv).unwrap(), []);
    }

    // R 1323565.1.017-2018 appendix B.

    #[test]
    fn b1_magma() {
        both_ways::<Magma>(
            "67bed654",
            "cfd5a12d5b81b6e1e99c916d07900c6ac12703fb3abded55567bf3742c899c75\
             5dafe7b42e3a8bd9",
        );
    }

    #[test]
    fn b2_kuznyechik() {
        both_ways::<Kuznyechik>(
            "0909472dd9f26be8",
            "e36184e84e8d736ff36cc2e5ae065dc656b23c20f549b02fdff88e1f3f30d8c2\
             9a53f3ca554dbad80de152b9a4625b32",
        );
    }
}
