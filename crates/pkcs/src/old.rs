//! pbeWithSHAAnd3-KeyTripleDES-CBC and pbeWithSHAAnd40BitRC2-CBC of RFC 7292, appendix C: the outer layer of
//! CryptoPro's exports. Only for reading: both ciphers are weak, and not constant-time.

use cbc::cipher::InnerIvInit as _;
use des::TdesEde3;
use rc2::Rc2;
use zeroize::Zeroizing;

use crate::error::{Result, damaged};
use crate::kdf::{Hash, bmp};
use crate::pbes2::{cbc_decrypt, finish_cbc};
use crate::{Budget, Bytes};

/// The cipher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OldCipher {
    /// Three keys of DES.
    TripleDes,
    /// RC2 with a key of 40 bits.
    Rc2,
}

/// Decrypts. The IDs of the derivation are as in RFC 7292, B.3: 1 a key, 2 an IV.
pub(crate) fn decrypt(
    cipher: OldCipher,
    salt: &[u8],
    iterations: u32,
    password: &[u8],
    text: &[u8],
    budget: &mut Budget,
) -> Result<Bytes> {
    let len = match cipher {
        OldCipher::TripleDes => 24,
        OldCipher::Rc2 => 5,
    };
    budget.spend(3 * u64::from(iterations))?;
    let password = bmp(password)?;
    let (mut key, mut iv) = (Zeroizing::new([0; 24]), [0; 8]);
    Hash::Sha1.rfc7292(1, &password, salt, iterations, &mut key[..len])?;
    Hash::Sha1.rfc7292(2, &password, salt, iterations, &mut iv)?;
    match cipher {
        OldCipher::TripleDes => cbc_decrypt::<TdesEde3>(&key[..], &iv, text),
        OldCipher::Rc2 => {
            let rc2 = Rc2::new_with_eff_key_len(&key[..len], 40);
            let cipher =
                cbc::Decryptor::inner_iv_slice_init(rc2, &iv).map_err(damaged("parameters"))?;
            finish_cbc(cipher, text)
        }
    }
}
