//! PBES2: a key from a password by PBKDF2, and a cipher (RFC 9337, sections 5 and 7; RFC 8018, section 6.2; for old
//! files R 50.1.112-2016).

use aes::{Aes128, Aes192, Aes256};
use bulat::modes::{Cfb28147, CtrAcpkm, CtrAcpkmOmac, FromKey};
use bulat::{Aead as _, Direction, Gost28147, Kuznyechik, Magma, ParamSet, StreamCipher as _};
use cbc::cipher::{
    BlockCipherDecrypt, BlockCipherEncrypt, BlockModeDecrypt as _, BlockModeEncrypt as _, KeyInit,
    KeyIvInit as _, block_padding::Pkcs7,
};
use der::asn1::{ObjectIdentifier, OctetStringRef};
use zeroize::Zeroizing;

use crate::asn1::{self, Algorithm, Gost28147Params, GostParams, TwoAlgorithms, encode};
use crate::error::{Error, Result, damaged};
use crate::kdf::{Pbkdf2, any};
use crate::{Budget, Bytes, Limits, oid};

/// A cipher of PBES2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cipher {
    /// Kuznyechik, with a MAC of 16 bytes.
    KuznyechikCtrAcpkmOmac,
    /// Magma, with a MAC of 8 bytes.
    MagmaCtrAcpkmOmac,
    /// Kuznyechik, not authenticated.
    KuznyechikCtrAcpkm,
    /// Magma, not authenticated.
    MagmaCtrAcpkm,
    /// CFB of GOST 28147-89 with the key meshing of its S-boxes: for reading.
    Gost28147(ParamSet),
    /// AES-128 in CBC, for files that mix.
    Aes128,
    /// AES-192 in CBC.
    Aes192,
    /// AES-256 in CBC.
    Aes256,
}

/// A cipher, its OID, the lengths of its key and its IV or UKM.
type Row = (Cipher, ObjectIdentifier, usize, usize);

const CIPHERS: [Row; 7] = [
    (Cipher::KuznyechikCtrAcpkmOmac, oid::KUZNYECHIK_CTR_ACPKM_OMAC, 32, 16),
    (Cipher::MagmaCtrAcpkmOmac, oid::MAGMA_CTR_ACPKM_OMAC, 32, 12),
    (Cipher::KuznyechikCtrAcpkm, oid::KUZNYECHIK_CTR_ACPKM, 32, 16),
    (Cipher::MagmaCtrAcpkm, oid::MAGMA_CTR_ACPKM, 32, 12),
    (Cipher::Aes128, oid::AES128_CBC, 16, 16),
    (Cipher::Aes192, oid::AES192_CBC, 24, 16),
    (Cipher::Aes256, oid::AES256_CBC, 32, 16),
];

const PART: &str = "parameters of PBES2";

impl Cipher {
    /// The ciphers of RFC 9337, which this crate writes.
    pub const WRITTEN: [Cipher; 4] = [
        Cipher::KuznyechikCtrAcpkmOmac,
        Cipher::MagmaCtrAcpkmOmac,
        Cipher::KuznyechikCtrAcpkm,
        Cipher::MagmaCtrAcpkm,
    ];

    /// Finds a cipher of [`Cipher::WRITTEN`] by its name.
    pub fn find(name: &str) -> Option<Cipher> {
        Cipher::WRITTEN.into_iter().find(|cipher| cipher.name() == name)
    }
    fn row(self) -> Row {
        let gost = (self, oid::GOST28147, 32, 8);
        CIPHERS.into_iter().find(|row| row.0 == self).unwrap_or(gost)
    }
    /// Returns the name.
    pub fn name(self) -> &'static str {
        oid::name(&self.row().1).expect("named")
    }
    /// Returns the name of the S-boxes, if the cipher needs S-boxes, as [`ParamSet::find`] knows it.
    pub fn sboxes(self) -> Option<&'static str> {
        let Cipher::Gost28147(set) = self else { return None };
        ["test", "a", "b", "c", "d", "z"].into_iter().find(|name| ParamSet::find(name) == Some(set))
    }
    /// Returns whether the cipher has a MAC of its own.
    pub fn authenticates(self) -> bool {
        matches!(self, Cipher::KuznyechikCtrAcpkmOmac | Cipher::MagmaCtrAcpkmOmac)
    }
}

/// The parameters of one encryption.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pbes2 {
    /// The derivation of the key.
    pub kdf: Pbkdf2,
    /// The cipher.
    pub cipher: Cipher,
    /// The UKM, or the IV.
    pub iv: Vec<u8>,
}

impl Pbes2 {
    /// Makes parameters to write with: HMAC-Streebog-512, a random salt of 32 bytes, a random UKM.
    ///
    /// # Errors
    /// [`Error::Parameter`] for a cipher not in [`Cipher::WRITTEN`], or fewer than 1000 iterations (RFC 9337, section
    /// 7.1); [`Error::Random`].
    pub fn generate(cipher: Cipher, iterations: u32) -> Result<Self> {
        if !Cipher::WRITTEN.contains(&cipher) {
            return Err(Error::Parameter("this cipher is only read"));
        }
        let (kdf, mut iv) = (Pbkdf2::generate(iterations, None)?, vec![0; cipher.row().3]);
        crate::random(&mut iv)?;
        Ok(Pbes2 { kdf, cipher, iv })
    }

    pub(crate) fn parse(algorithm: &Algorithm<'_>) -> Result<Self> {
        let params: TwoAlgorithms<'_> = algorithm.decode(PART)?;
        let scheme = params.second;
        let (cipher, iv) = match CIPHERS.iter().find(|row| row.1 == scheme.oid) {
            Some((cipher @ (Cipher::Aes128 | Cipher::Aes192 | Cipher::Aes256), ..)) => {
                (*cipher, scheme.decode::<&OctetStringRef>(PART)?)
            }
            Some((cipher, ..)) => (*cipher, scheme.decode::<GostParams<'_>>(PART)?.ukm),
            None if scheme.oid == oid::GOST28147 => {
                let params: Gost28147Params<'_> = scheme.decode(PART)?;
                let set = params.set.to_string();
                let set = ParamSet::ALL
                    .into_iter()
                    .find(|known| known.oid() == set)
                    .ok_or(Error::Algorithm("S-boxes", params.set))?;
                (Cipher::Gost28147(set), params.iv)
            }
            None => return Err(Error::Algorithm("cipher of PBES2", scheme.oid)),
        };
        let kdf = Pbkdf2::parse(&params.kdf)?;
        let (_, _, key, len) = cipher.row();
        if iv.as_bytes().len() != len || kdf.key_len.is_some_and(|n| n as usize != key) {
            return Err(Error::Damaged(PART));
        }
        Ok(Pbes2 { kdf, cipher, iv: iv.as_bytes().into() })
    }

    /// Returns the AlgorithmIdentifier in DER.
    ///
    /// # Errors
    /// [`Error::Parameter`] if the parameters are too long.
    pub fn to_der(&self) -> Result<Vec<u8>> {
        let iv =
            OctetStringRef::new(&self.iv).map_err(|_| Error::Parameter("the IV is too long"))?;
        let params = match self.cipher {
            Cipher::Aes128 | Cipher::Aes192 | Cipher::Aes256 => encode(&iv)?,
            Cipher::Gost28147(set) => {
                let set = ObjectIdentifier::new(set.oid()).expect("an OID of the table");
                encode(&Gost28147Params { iv, set })?
            }
            _ => encode(&GostParams { ukm: iv })?,
        };
        let second = Algorithm { oid: self.cipher.row().1, parameters: Some(any(&params)?) };
        self.kdf.encode_with(oid::PBES2, second)
    }

    /// Encrypts.
    ///
    /// # Errors
    /// [`Error::Parameter`] for a length of the UKM, the IV or the text that the cipher does not support; [`Error::Cost`]
    /// for more iterations than [`Limits::default`] allows a reader.
    pub fn encrypt(&self, password: &[u8], plain: &[u8]) -> Result<Vec<u8>> {
        // A file that costs more would not open with the default limits.
        let key = self.key(password, &mut Limits::default().begin(0)?)?;
        // The longest MAC follows in place.
        let mut text = Zeroizing::new(Vec::with_capacity(plain.len() + 16));
        text.extend_from_slice(plain);
        let done = match self.cipher {
            Cipher::KuznyechikCtrAcpkmOmac => self.seal::<Kuznyechik>(&key, &mut text),
            Cipher::MagmaCtrAcpkmOmac => self.seal::<Magma>(&key, &mut text),
            Cipher::Aes128 => return self.cbc_encrypt::<Aes128>(&key[..], plain),
            Cipher::Aes192 => return self.cbc_encrypt::<Aes192>(&key[..], plain),
            Cipher::Aes256 => return self.cbc_encrypt::<Aes256>(&key[..], plain),
            _ => self.stream(&key, &mut text, Direction::Encrypt, None),
        };
        done.map_err(|_| Error::Parameter("the UKM or the text has an unsupported length"))?;
        Ok(core::mem::take(&mut *text))
    }

    /// Decrypts. Only the ciphers with OMAC notice a wrong password: check the form of the text of the others.
    ///
    /// # Errors
    /// [`Error::Password`]; [`Error::Cost`], before any work; [`Error::Damaged`] for a length.
    pub fn decrypt(&self, password: &[u8], text: &[u8], limits: &Limits) -> Result<Bytes> {
        self.open(password, text, &mut limits.begin(text.len())?)
    }

    pub(crate) fn open(&self, password: &[u8], text: &[u8], budget: &mut Budget) -> Result<Bytes> {
        let key = self.key(password, budget)?;
        let mut plain = Zeroizing::new(text.to_vec());
        match self.cipher {
            Cipher::KuznyechikCtrAcpkmOmac => self.unseal::<Kuznyechik>(&key, &mut plain)?,
            Cipher::MagmaCtrAcpkmOmac => self.unseal::<Magma>(&key, &mut plain)?,
            Cipher::Aes128 => return cbc_decrypt::<Aes128>(&key[..], &self.iv, text),
            Cipher::Aes192 => return cbc_decrypt::<Aes192>(&key[..], &self.iv, text),
            Cipher::Aes256 => return cbc_decrypt::<Aes256>(&key[..], &self.iv, text),
            _ => {
                let decrypt = |plain: &mut [u8], section| {
                    let done = self.stream(&key, plain, Direction::Decrypt, section);
                    done.map_err(damaged("ciphertext"))
                };
                let engine = self.engine_section().filter(|section| text.len() > *section);
                decrypt(&mut plain, engine)?;
                if engine.is_some() && !asn1::whole(&plain) {
                    plain.copy_from_slice(text);
                    decrypt(&mut plain, None)?;
                }
            }
        }
        Ok(plain)
    }

    /// Returns the bytes of gost-engine's sections in PKCS#8 and PFX, if it has encrypted: zeros follow the IV in its UKM, where
    /// RFC 9337 has random bytes.
    fn engine_section(&self) -> Option<usize> {
        let (iv, section) = match self.cipher {
            Cipher::KuznyechikCtrAcpkm => (8, 4096),
            Cipher::MagmaCtrAcpkm => (4, 1024),
            _ => return None,
        };
        self.iv.get(iv..)?.iter().all(|byte| *byte == 0).then_some(section)
    }

    fn key(&self, password: &[u8], budget: &mut Budget) -> Result<Zeroizing<[u8; 32]>> {
        let mut key = Zeroizing::new([0; 32]);
        self.kdf.derive(password, &mut key[..self.cipher.row().2], budget)?;
        Ok(key)
    }

    fn stream(
        &self,
        key: &[u8; 32],
        text: &mut [u8],
        direction: Direction,
        section: Option<usize>,
    ) -> Result<(), bulat::Error> {
        fn acpkm<C: FromKey>(
            key: &[u8; 32],
            ukm: &[u8],
            text: &mut [u8],
            section: Option<usize>,
        ) -> Result<(), bulat::Error> {
            let iv = ukm.get(..C::BLOCK / 2).ok_or(bulat::Error::IvLength)?;
            let section = section.unwrap_or(CtrAcpkm::<C>::CMS_SECTION);
            CtrAcpkm::<C>::new(key, iv, section)?.apply_keystream(text)
        }
        match self.cipher {
            Cipher::KuznyechikCtrAcpkm => acpkm::<Kuznyechik>(key, &self.iv, text, section),
            Cipher::MagmaCtrAcpkm => acpkm::<Magma>(key, &self.iv, text, section),
            Cipher::Gost28147(set) => {
                Cfb28147::with(Gost28147::new(key, set), &self.iv, direction)?.apply_keystream(text)
            }
            _ => Err(bulat::Error::Parameter),
        }
    }

    fn seal<C: FromKey>(&self, key: &[u8; 32], text: &mut Vec<u8>) -> Result<(), bulat::Error> {
        let aead = CtrAcpkmOmac::<C>::new(key, CtrAcpkm::<C>::CMS_SECTION)?;
        let tag = aead.seal_in_place(&self.iv, b"", text)?;
        text.extend_from_slice(&tag);
        Ok(())
    }

    fn unseal<C: FromKey>(&self, key: &[u8; 32], text: &mut Vec<u8>) -> Result<()> {
        let aead =
            CtrAcpkmOmac::<C>::new(key, CtrAcpkm::<C>::CMS_SECTION).map_err(damaged("section"))?;
        let n = text.len().checked_sub(aead.tag_len()).ok_or(Error::Damaged("ciphertext"))?;
        let (body, tag) = text.split_at_mut(n);
        aead.open_in_place(&self.iv, b"", body, tag).map_err(|e| match e {
            bulat::Error::Verify => Error::Password,
            _ => Error::Damaged("ciphertext"),
        })?;
        text.truncate(n);
        Ok(())
    }

    fn cbc_encrypt<C: BlockCipherEncrypt + KeyInit>(
        &self,
        key: &[u8],
        plain: &[u8],
    ) -> Result<Vec<u8>> {
        let cipher = cbc::Encryptor::<C>::new_from_slices(&key[..self.cipher.row().2], &self.iv)
            .map_err(|_| Error::Parameter("the IV has an unsupported length"))?;
        Ok(cipher.encrypt_padded_vec::<Pkcs7>(plain))
    }
}

/// Decrypts CBC with the padding of PKCS#7, under the first bytes of the key that the cipher needs.
pub(crate) fn cbc_decrypt<C: BlockCipherDecrypt + KeyInit>(
    key: &[u8],
    iv: &[u8],
    text: &[u8],
) -> Result<Bytes> {
    let key = key.get(..C::key_size()).ok_or(Error::Damaged("key"))?;
    let cipher = cbc::Decryptor::<C>::new_from_slices(key, iv).map_err(damaged(PART))?;
    finish_cbc(cipher, text)
}

pub(crate) fn finish_cbc<C: BlockCipherDecrypt>(
    cipher: cbc::Decryptor<C>,
    text: &[u8],
) -> Result<Bytes> {
    if text.is_empty() || !text.len().is_multiple_of(C::block_size()) {
        return Err(Error::Damaged("ciphertext"));
    }
    // In place, so that a text with wrong padding is wiped, too.
    let mut plain = Zeroizing::new(text.to_vec());
    let n = cipher.decrypt_padded::<Pkcs7>(&mut plain).map_err(|_| Error::Password)?.len();
    plain.truncate(n);
    Ok(plain)
}
