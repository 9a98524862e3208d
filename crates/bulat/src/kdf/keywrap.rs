//! Key wraps over GOST 28147-89: RFC 4357, sections 6.1 to 6.5, and RFC 7836, section 4.6. They differ in the key that
//! they make from the KEK. All produce UKM || ECB_K(CEK) || IMIT_K(CEK). The MAC has 4 bytes, starts from the first 8
//! bytes of the UKM and uses no key meshing.

use crate::cipher::{Chain, Data, Shapes};
use crate::kdf::kdf_256;
use crate::modes::{Imit, Mac, Meshing};
use crate::{BlockCipher, Direction, Error, Gost28147, Secret};
use crate::{ParamSet, Sboxes};

/// Bytes of the MAC.
const MAC: usize = 4;
/// The longest wrapped key: a private key of GOST R 34.10-2012 with 512 bits (RFC 7836).
const LONGEST: usize = 64;
/// The label of RFC 7836, section 4.6.
const LABEL: [u8; 4] = [0x26, 0xbd, 0xb8, 0x78];

/// A way to wrap keys, with its S-boxes.
///
/// Use a UKM for a single CEK under a single KEK. RFC 4357 chooses it at random, or takes it from the key agreement
/// that made the KEK.
///
/// ```
/// use bulat::kdf::KeyWrap;
/// use bulat::ParamSet;
/// let wrap = KeyWrap::CryptoPro(ParamSet::Tc26Z.into());
/// let (kek, ukm, cek) = ([1; 32], [2; 8], [3; 32]);
/// let mut wrapped = [0; 44];
/// wrap.wrap(&kek, &ukm, &cek, &mut wrapped)?;
/// let mut unwrapped = [0; 32];
/// wrap.unwrap(&kek, &wrapped, &mut unwrapped)?;
/// assert_eq!(unwrapped, cek);
/// wrapped[8] ^= 1;
/// assert_eq!(wrap.unwrap(&kek, &wrapped, &mut unwrapped), Err(bulat::Error::Verify));
/// # Ok::<(), bulat::Error>(())
/// ```
#[derive(Clone)]
pub enum KeyWrap {
    /// GOST 28147-89 Key Wrap: RFC 4357, sections 6.1 and 6.2; KExp28147 of RFC 9189, section 8.2.2,
    /// with the S-boxes of id-tc26-gost-28147-param-Z. The KEK is used directly: RFC 4357 forbids this wrap with a KEK
    /// that is constant for a pair of correspondents. UKM of 8 bytes, CEK of 32.
    Gost28147(Sboxes),
    /// CryptoPro Key Wrap: RFC 4357, sections 6.3 and 6.4. The KEK is diversified with the UKM
    /// ([`diversify`]). UKM of 8 bytes, CEK of 32.
    CryptoPro(Sboxes),
    /// RFC 7836, section 4.6: the key is KDF_GOSTR3411_2012_256(KEK, 26bdb878, UKM), the S-boxes are
    /// the set id-tc26-gost-28147-param-Z. UKM ("seed") of 8 to 16 bytes, CEK of 32 or 64.
    Rfc7836,
}

impl KeyWrap {
    /// Wraps the CEK: writes UKM || CEK_ENC || CEK_MAC to `out`, which has `ukm.len() + cek.len() + 4` bytes.
    ///
    /// # Errors
    /// [`Error::IvLength`] for the UKM, [`Error::DataLength`] for the CEK, [`Error::BufferLength`] for `out`.
    pub fn wrap(
        &self,
        kek: &[u8; 32],
        ukm: &[u8],
        cek: &[u8],
        out: &mut [u8],
    ) -> Result<(), Error> {
        self.check(ukm, cek.len())?;
        if out.len() != ukm.len() + cek.len() + MAC {
            return Err(Error::BufferLength);
        }
        let cipher = self.cipher(kek, ukm);
        let (head, rest) = out.split_at_mut(ukm.len());
        let (text, mac) = rest.split_at_mut(cek.len());
        head.copy_from_slice(ukm);
        text.copy_from_slice(cek);
        cipher.map(Direction::Encrypt, text.into());
        imit(cipher, ukm, cek)?.finalize()?.put(mac)
    }

    /// Unwraps a key of `cek.len()` bytes. Compares the MAC in constant time and writes `cek` only if it is right.
    ///
    /// # Errors
    /// [`Error::DataLength`] when `wrapped` is too short for such a key, or the wrap does not support the length of
    /// `cek`; [`Error::Verify`].
    pub fn unwrap(&self, kek: &[u8; 32], wrapped: &[u8], cek: &mut [u8]) -> Result<(), Error> {
        let ukm = wrapped.len().checked_sub(cek.len() + MAC).ok_or(Error::DataLength)?;
        let (ukm, rest) = wrapped.split_at(ukm);
        self.check(ukm, cek.len()).map_err(|_| Error::DataLength)?;
        let (text, mac) = rest.split_at(cek.len());
        let cipher = self.cipher(kek, ukm);
        let mut key = Secret::new([0; LONGEST]);
        let key = &mut key[..cek.len()];
        key.copy_from_slice(text);
        cipher.map(Direction::Decrypt, (&mut *key).into());
        imit(cipher, ukm, key)?.verify(mac)?;
        cek.copy_from_slice(key);
        Ok(())
    }

    fn check(&self, ukm: &[u8], cek: usize) -> Result<(), Error> {
        let (ukms, ceks) = match self {
            KeyWrap::Gost28147(_) | KeyWrap::CryptoPro(_) => (8..=8, [32, 32]),
            KeyWrap::Rfc7836 => (8..=16, [32, 64]),
        };
        if !ukms.contains(&ukm.len()) {
            return Err(Error::IvLength);
        }
        if ceks.contains(&cek) { Ok(()) } else { Err(Error::DataLength) }
    }

    /// Returns the cipher under the key made from the KEK, after checking the UKM's length.
    fn cipher(&self, kek: &[u8; 32], ukm: &[u8]) -> Gost28147 {
        match self {
            KeyWrap::Gost28147(sboxes) => Gost28147::new(kek, sboxes.clone()),
            KeyWrap::CryptoPro(sboxes) => {
                let ukm = ukm.try_into().expect("8 bytes, checked");
                Gost28147::new(&diversify(kek, ukm, sboxes), sboxes.clone())
            }
            KeyWrap::Rfc7836 => Gost28147::new(&kdf_256(kek, &LABEL, ukm), ParamSet::Tc26Z),
        }
    }
}

/// gost28147IMIT (UKM, K, CEK) of RFC 4357, section 1.1, with the CEK already added.
fn imit(cipher: Gost28147, ukm: &[u8], cek: &[u8]) -> Result<Imit, Error> {
    let mut imit = Imit::with(cipher).meshing(Meshing::None).truncated(MAC)?.iv(&ukm[..8])?;
    imit.update(cek);
    Ok(imit)
}

/// CryptoPro KEK Diversification: K(UKM) of RFC 4357, section 6.5.
///
/// For each byte of the UKM the key is encrypted under itself in CFB. The IV holds two sums of the key's words,
/// little-endian: of those with bit 1 in the byte, then of the others; the least significant bit belongs to the first
/// word.
pub fn diversify(kek: &[u8; 32], ukm: &[u8; 8], sboxes: &Sboxes) -> Secret<[u8; 32]> {
    let mut key = Secret::new(*kek);
    let cipher = Gost28147::new(kek, sboxes.clone());
    for bits in ukm {
        let mut sums = Secret::new([0u32; 2]);
        for (j, word) in key.chunks_exact(4).enumerate() {
            let word = u32::from_le_bytes(word.try_into().expect("4 bytes"));
            let sum = &mut sums[usize::from(bits >> j & 1 == 0)];
            *sum = sum.wrapping_add(word);
        }
        let mut register = Secret::new([0; 8]);
        register[..4].copy_from_slice(&sums[0].to_le_bytes());
        register[4..].copy_from_slice(&sums[1].to_le_bytes());
        let cipher = cipher.rekey(&key);
        let data = Data::Through(key.as_mut_slice().into());
        cipher.chain(Chain::CfbEncrypt, &mut register, data);
    }
    key
}
