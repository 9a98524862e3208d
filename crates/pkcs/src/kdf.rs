//! Key derivation from passwords: PBKDF2 over each PRF that files name, and the old function of RFC 7292, B.2.

use bulat::kdf;
use bulat::{HmacStreebog256, HmacStreebog512, ParamSet};
use der::asn1::ObjectIdentifier;
use hmac::digest::{
    self, Digest, FixedOutput, HashMarker, KeyInit, Output, OutputSizeUser, Update,
    block_api::BlockSizeUser, consts::U32,
};
use hmac::{Hmac, Mac, SimpleHmac};
use sha1::Sha1;
use sha2::{Sha256, Sha384, Sha512};
use zeroize::{Zeroize as _, Zeroizing};

use crate::asn1::{Algorithm, Pbkdf2Params, TwoAlgorithms, decode, encode};
use crate::error::{Error, Result, damaged};
use crate::{Budget, Bytes, oid};

/// The HMAC of PBKDF2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prf {
    /// HMAC-Streebog-512, the only function of RFC 9337.
    Streebog512,
    /// HMAC-Streebog-256, as other programs write it.
    Streebog256,
    /// HMAC of GOST R 34.11-94, in old files.
    Gost94,
    /// HMAC-SHA-256.
    Sha256,
    /// HMAC-SHA-384.
    Sha384,
    /// HMAC-SHA-512.
    Sha512,
}

const PRFS: [(Prf, ObjectIdentifier, usize); 6] = [
    (Prf::Streebog512, oid::HMAC_STREEBOG512, 64),
    (Prf::Streebog256, oid::HMAC_STREEBOG256, 32),
    (Prf::Gost94, oid::HMAC_GOST94, 32),
    (Prf::Sha256, oid::HMAC_SHA256, 32),
    (Prf::Sha384, oid::HMAC_SHA384, 48),
    (Prf::Sha512, oid::HMAC_SHA512, 64),
];

impl Prf {
    fn row(self) -> &'static (Prf, ObjectIdentifier, usize) {
        PRFS.iter().find(|row| row.0 == self).expect("a row for each")
    }
    fn find(wanted: &ObjectIdentifier) -> Option<Prf> {
        PRFS.iter().find(|row| row.1 == *wanted).map(|row| row.0)
    }
    /// Returns the blocks of a key, each of which costs all iterations.
    pub(crate) fn blocks(self, key: usize) -> u64 {
        key.div_ceil(self.row().2) as u64
    }
    /// Returns the name.
    pub fn name(self) -> &'static str {
        oid::name(&self.row().1).expect("named")
    }
}

/// The parameters of PBKDF2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pbkdf2 {
    /// The PRF.
    pub prf: Prf,
    /// The salt.
    pub salt: Vec<u8>,
    /// The iterations.
    pub iterations: u32,
    /// The length of the derived key, if the file gives it.
    pub key_len: Option<u32>,
    /// Set if the PRF has the parameters NULL, as RFC 9337 has it; some writers leave it out.
    pub null: bool,
}

impl Pbkdf2 {
    /// Makes parameters to write with: HMAC-Streebog-512, a random salt of 32 bytes.
    pub(crate) fn generate(iterations: u32, key_len: Option<u32>) -> Result<Self> {
        if iterations < 1000 {
            return Err(Error::Parameter("RFC 9337 requires at least 1000 iterations"));
        }
        let (prf, mut salt) = (Prf::Streebog512, vec![0; 32]);
        crate::random(&mut salt)?;
        Ok(Pbkdf2 { prf, salt, iterations, key_len, null: true })
    }

    pub(crate) fn parse(algorithm: &Algorithm<'_>) -> Result<Self> {
        if algorithm.oid != oid::PBKDF2 {
            return Err(Error::Algorithm("key derivation", algorithm.oid));
        }
        let params: Pbkdf2Params<'_> = algorithm.decode("PBKDF2")?;
        if params.salt.header().tag() == der::Tag::Sequence {
            return Err(Error::Scope("PBKDF2 with a salt from another source"));
        }
        let salt: &der::asn1::OctetStringRef =
            params.salt.decode_as().map_err(damaged("PBKDF2"))?;
        let Some(prf) = params.prf else {
            return Err(Error::Algorithm("PBKDF2", oid::HMAC_SHA1));
        };
        let null = prf.no_parameters("PBKDF2")?;
        let prf = Prf::find(&prf.oid).ok_or(Error::Algorithm("PBKDF2", prf.oid))?;
        Ok(Pbkdf2 {
            prf,
            salt: salted(salt.as_bytes())?,
            iterations: iterations(params.iterations)?,
            key_len: params.key_len,
            null,
        })
    }

    /// Encodes the AlgorithmIdentifier of PBES2 or PBMAC1, which has a second algorithm.
    pub(crate) fn encode_with(
        &self,
        oid: ObjectIdentifier,
        second: Algorithm<'_>,
    ) -> Result<Vec<u8>> {
        let kdf = self.encode()?;
        let kdf = decode(&kdf, "own encoding")?;
        let params = encode(&TwoAlgorithms { kdf, second })?;
        encode(&Algorithm { oid, parameters: Some(any(&params)?) })
    }

    fn encode(&self) -> Result<Vec<u8>> {
        let salt = der::asn1::OctetStringRef::new(&self.salt)
            .map_err(|_| Error::Parameter("the salt is too long"))?;
        let params = encode(&Pbkdf2Params {
            salt: salt.into(),
            iterations: self.iterations.into(),
            key_len: self.key_len,
            prf: Some(Algorithm {
                oid: self.prf.row().1,
                parameters: self.null.then_some(der::asn1::AnyRef::NULL),
            }),
        })?;
        encode(&Algorithm { oid: oid::PBKDF2, parameters: Some(any(&params)?) })
    }

    /// Derives `out`, within the budget.
    pub(crate) fn derive(
        &self,
        password: &[u8],
        out: &mut [u8],
        budget: &mut Budget,
    ) -> Result<()> {
        budget.spend(u64::from(self.iterations) * self.prf.blocks(out.len()))?;
        pbkdf2(self.prf, password, &self.salt, self.iterations, out)
    }
}

/// Reads an encoding of ours again.
pub(crate) fn any(bytes: &[u8]) -> Result<der::asn1::AnyRef<'_>> {
    decode(bytes, "own encoding")
}

/// Returns a count of iterations that a `u32` holds.
pub(crate) fn iterations(n: u64) -> Result<u32> {
    match u32::try_from(n) {
        Ok(0) => Err(Error::Damaged("no iterations")),
        Ok(n) => Ok(n),
        Err(_) => Err(Error::Cost { what: "iterations", asked: n, allowed: u32::MAX.into() }),
    }
}

/// Returns the salt of a file. Some derivations hash it for each block or each iteration, so a long one would cost more
/// than the iterations show.
pub(crate) fn salted(salt: &[u8]) -> Result<Vec<u8>> {
    const MOST: usize = 1024;
    if salt.len() > MOST {
        let (asked, allowed) = (salt.len() as u64, MOST as u64);
        return Err(Error::Cost { what: "bytes of salt", asked, allowed });
    }
    Ok(salt.into())
}

pub(crate) fn pbkdf2(
    prf: Prf,
    password: &[u8],
    salt: &[u8],
    iterations: u32,
    out: &mut [u8],
) -> Result<()> {
    fn generic<H: KeyInit + Mac + Clone + Sync + Update + FixedOutput>(
        password: &[u8],
        salt: &[u8],
        n: u32,
        out: &mut [u8],
    ) -> Result<(), digest::InvalidLength> {
        pbkdf2::pbkdf2::<H>(password, salt, n, out)
    }
    let n = iterations;
    let done = match prf {
        Prf::Streebog512 => kdf::pbkdf2::<64>(password, salt, n, out).ok(),
        Prf::Streebog256 => kdf::pbkdf2::<32>(password, salt, n, out).ok(),
        Prf::Gost94 => generic::<SimpleHmac<Gost94>>(password, salt, n, out).ok(),
        Prf::Sha256 => generic::<Hmac<Sha256>>(password, salt, n, out).ok(),
        Prf::Sha384 => generic::<Hmac<Sha384>>(password, salt, n, out).ok(),
        Prf::Sha512 => generic::<Hmac<Sha512>>(password, salt, n, out).ok(),
    };
    done.ok_or(Error::Parameter("PBKDF2: iterations or the key's length"))
}

/// GOST R 34.11-94 with the S-boxes of CryptoPro, for the generic HMAC.
#[derive(Clone)]
pub(crate) struct Gost94(bulat::Gost94);

impl Default for Gost94 {
    fn default() -> Self {
        Gost94(bulat::Gost94::new(ParamSet::HashCryptoPro))
    }
}
impl HashMarker for Gost94 {}
impl OutputSizeUser for Gost94 {
    type OutputSize = U32;
}
impl BlockSizeUser for Gost94 {
    type BlockSize = U32;
}
impl Update for Gost94 {
    fn update(&mut self, data: &[u8]) {
        self.0.update(data);
    }
}
impl FixedOutput for Gost94 {
    fn finalize_into(self, out: &mut Output<Self>) {
        out.copy_from_slice(&self.0.finalize());
    }
}

/// The hash of a PFX's MAC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hash {
    /// Streebog-512: RFC 9548.
    Streebog512,
    /// Streebog-256, as OpenSSL writes it.
    Streebog256,
    /// GOST R 34.11-94, in old files.
    Gost94,
    /// SHA-1, in old files.
    Sha1,
    /// SHA-256, of files without GOST.
    Sha256,
    /// SHA-384.
    Sha384,
    /// SHA-512.
    Sha512,
}

/// A hash, its OID, its length, the OID of its HMAC.
const HASHES: [(Hash, ObjectIdentifier, usize, ObjectIdentifier); 7] = [
    (Hash::Streebog512, oid::STREEBOG512, 64, oid::HMAC_STREEBOG512),
    (Hash::Streebog256, oid::STREEBOG256, 32, oid::HMAC_STREEBOG256),
    (Hash::Gost94, oid::GOST94, 32, oid::HMAC_GOST94),
    (Hash::Sha1, oid::SHA1, 20, oid::HMAC_SHA1),
    (Hash::Sha256, oid::SHA256, 32, oid::HMAC_SHA256),
    (Hash::Sha384, oid::SHA384, 48, oid::HMAC_SHA384),
    (Hash::Sha512, oid::SHA512, 64, oid::HMAC_SHA512),
];

impl Hash {
    fn row(self) -> &'static (Hash, ObjectIdentifier, usize, ObjectIdentifier) {
        HASHES.iter().find(|row| row.0 == self).expect("a row for each")
    }
    /// Finds the hash of a PFX's MAC, also by its HMAC, which crypto-gost names where RFC 9548 names the hash.
    pub(crate) fn find(wanted: &ObjectIdentifier) -> Option<Hash> {
        HASHES.iter().find(|row| row.1 == *wanted || row.3 == *wanted).map(|row| row.0)
    }
    pub(crate) fn oid(self) -> ObjectIdentifier {
        self.row().1
    }
    /// Returns the length of the key in PBMAC1, the end of the derived key, if a standard fixes it.
    pub(crate) fn key(self) -> usize {
        if self == Hash::Streebog512 { 32 } else { 0 }
    }
    /// Returns the length of the digest.
    pub(crate) fn size(self) -> usize {
        self.row().2
    }
    /// Returns the name.
    pub fn name(self) -> &'static str {
        oid::name(&self.row().1).expect("named")
    }

    /// HMAC with this hash.
    pub(crate) fn hmac(self, key: &[u8], text: &[u8]) -> Bytes {
        fn generic<H: KeyInit + Mac>(key: &[u8], text: &[u8]) -> Bytes {
            let mut mac = <H as KeyInit>::new_from_slice(key).expect("any length");
            Mac::update(&mut mac, text);
            Zeroizing::new(mac.finalize().into_bytes().to_vec())
        }
        match self {
            Hash::Streebog512 => Zeroizing::new(HmacStreebog512::mac(key, text).to_vec()),
            Hash::Streebog256 => Zeroizing::new(HmacStreebog256::mac(key, text).to_vec()),
            Hash::Gost94 => generic::<SimpleHmac<Gost94>>(key, text),
            Hash::Sha1 => generic::<Hmac<Sha1>>(key, text),
            Hash::Sha256 => generic::<Hmac<Sha256>>(key, text),
            Hash::Sha384 => generic::<Hmac<Sha384>>(key, text),
            Hash::Sha512 => generic::<Hmac<Sha512>>(key, text),
        }
    }

    /// The derivation of RFC 7292, B.2, from a password in the form of [`bmp`].
    pub(crate) fn rfc7292(
        self,
        id: u8,
        password: &[u8],
        salt: &[u8],
        iterations: u32,
        out: &mut [u8],
    ) -> Result<()> {
        match self {
            Hash::Streebog512 | Hash::Streebog256 => {
                return Err(Error::Scope("the key derivation of RFC 7292 with Streebog"));
            }
            Hash::Gost94 => derive::<Gost94>(id, password, salt, iterations, out),
            Hash::Sha1 => derive::<Sha1>(id, password, salt, iterations, out),
            Hash::Sha256 => derive::<Sha256>(id, password, salt, iterations, out),
            Hash::Sha384 => derive::<Sha384>(id, password, salt, iterations, out),
            Hash::Sha512 => derive::<Sha512>(id, password, salt, iterations, out),
        }
        Ok(())
    }
}

/// RFC 7292, B.2, with u = the digest's length and v = the hash's block.
fn derive<H: Digest + BlockSizeUser + Clone>(
    id: u8,
    password: &[u8],
    salt: &[u8],
    iterations: u32,
    out: &mut [u8],
) {
    let v = <H as BlockSizeUser>::block_size();
    let whole = |text: &[u8]| text.len().div_ceil(v) * v;
    let d = vec![id; v];
    // Growing would leave copies.
    let mut i = Zeroizing::new(Vec::with_capacity(whole(salt) + whole(password)));
    for text in [salt, password] {
        i.extend(text.iter().copied().cycle().take(whole(text)));
    }
    for part in out.chunks_mut(<H as Digest>::output_size()) {
        let mut a = H::new().chain_update(&d).chain_update(&i[..]).finalize();
        for _ in 1..iterations {
            a = H::digest(&a);
        }
        part.copy_from_slice(&a[..part.len()]);
        let b: Zeroizing<Vec<u8>> = Zeroizing::new(a.iter().copied().cycle().take(v).collect());
        // I_j = I_j + B + 1, for the next part.
        for block in i.chunks_mut(v) {
            let mut carry = 1;
            for (x, y) in block.iter_mut().zip(&b[..]).rev() {
                let sum = u16::from(*x) + u16::from(*y) + carry;
                *x = sum as u8;
                carry = sum >> 8;
            }
        }
        a.as_mut_slice().zeroize();
    }
}

/// Returns a password as a BMPString with its final zero: RFC 7292, B.1.
pub(crate) fn bmp(password: &[u8]) -> Result<Bytes> {
    let mut out = utf16(password, u16::to_be_bytes)?;
    out.extend_from_slice(&[0, 0]);
    Ok(out)
}

pub(crate) fn utf16(password: &[u8], order: fn(u16) -> [u8; 2]) -> Result<Bytes> {
    let text = core::str::from_utf8(password)
        .map_err(|_| Error::Parameter("this old form needs a password in UTF-8"))?;
    // Growing would leave copies.
    let mut out = Zeroizing::new(Vec::with_capacity(2 * password.len() + 2));
    text.encode_utf16().for_each(|unit| out.extend_from_slice(&order(unit)));
    Ok(out)
}
