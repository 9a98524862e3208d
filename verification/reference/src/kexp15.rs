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
    use crate::magma::Magma;

    #[test]
    fn refusals() {
        let (mac, enc, iv) = ([1; 32], [2; 32], [3; 4]);
        let sexp = kexp15::<Magma>(b"a secret", &mac, &enc, &iv).unwrap();
        for bit in 0..8 * sexp.len() {
            let mut wrong = sexp.clone();
            wrong[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(kimp15::<Magma>(&wrong, &mac, &enc, &iv), Err(Error::Mac));
        }
        assert_eq!(kimp15::<Magma>(&sexp[..7], &mac, &enc, &iv), Err(Error::MessageLength));
        assert_eq!(kexp15::<Magma>(&[], &mac, &enc, &iv[1..]), Err(Error::IvLength));
        assert_eq!(kexp15::<Magma>(&[], &mac[1..], &enc, &iv), Err(Error::KeyLength));
        let empty = kexp15::<Magma>(&[], &mac, &enc, &iv).unwrap();
        assert_eq!(kimp15::<Magma>(&empty, &mac, &enc, &iv).unwrap(), []);
    }
}
