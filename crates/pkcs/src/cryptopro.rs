//! The key bag of CryptoPro CSP's exports, 1.2.840.113549.1.12.1.80, which no standard describes.
//!
//! 1. K_0 is the password in UTF-16 LE, K_i the GOST R 34.11-94 of K_(i-1) || salt || i as two bytes, big-endian; K the
//!    last K_i.
//! 2. CFB of GOST 28147-89 under K, with id-Gost28147-89-CryptoPro-A-ParamSet and the first 8 bytes of the salt as IV,
//!    gives a PrivateKeyInfo. Its key is a header of 16 bytes, then SEQUENCE { X, OCTET STRING (4) }, X = SEQUENCE {
//!    ukm, SEQUENCE { CEK_ENC, CEK_MAC }, `[0]` { BIT STRING, `[0]` AlgorithmIdentifier } }.
//! 3. CEK_ENC and CEK_MAC are the key wrapped under K: by RFC 7836, section 4.6, but with the S-boxes A, or for GOST R
//!    34.10-2001 by RFC 4357, section 6.3. The last four bytes are IMIT of X under the wrap's key.

use bulat::kdf::{diversify, kdf_256};
use bulat::modes::{Cfb28147, Ecb, Imit, Meshing};
use bulat::{BlockMode as _, Direction, Gost28147, Mac as _, ParamSet, Sboxes, StreamCipher as _};
use der::asn1::{AnyRef, ObjectIdentifier, OctetStringRef};
use der::{Decode as _, Reader as _, Sequence, SliceReader, Tag};
use zeroize::Zeroizing;

use crate::asn1::{self, Algorithm, encode, wrap};
use crate::error::{Error, Result, damaged};
use crate::kdf::utf16;
use crate::pkcs8::Info;
use crate::{Budget, Bytes};

const PART: &str = "CryptoPro's key";
const SET: ParamSet = ParamSet::CryptoProA;

#[derive(Sequence)]
struct Blob<'a> {
    x: AnyRef<'a>,
    mac: &'a OctetStringRef,
}

/// Gost28147-89-EncryptedKey: RFC 4357, section 6.
#[derive(Sequence)]
struct Wrapped<'a> {
    key: &'a OctetStringRef,
    #[asn1(context_specific = "0", tag_mode = "IMPLICIT", optional = "true")]
    mask: Option<&'a OctetStringRef>,
    mac: &'a OctetStringRef,
}

/// Decrypts a key bag, checks both its MACs, and returns a PrivateKeyInfo with the plain key.
pub(crate) fn decrypt(
    salt: &[u8],
    iterations: u32,
    password: &[u8],
    text: &[u8],
    budget: &mut Budget,
) -> Result<Bytes> {
    let iv = salt.get(..8).ok_or(Error::Damaged(PART))?;
    // The counter has two bytes.
    if iterations > 0xffff {
        return Err(Error::Damaged(PART));
    }
    budget.spend(iterations.into())?;
    let k = derive(password, salt, iterations)?;
    let mut plain = Zeroizing::new(text.to_vec());
    Cfb28147::with(Gost28147::new(&k, SET), iv, Direction::Decrypt)
        .and_then(|mut cfb| cfb.apply_keystream(&mut plain))
        .map_err(damaged(PART))?;
    unwrap(&k, &plain).map_err(|e| budget.noise(e))
}

/// Step 1.
fn derive(password: &[u8], salt: &[u8], iterations: u32) -> Result<Zeroizing<[u8; 32]>> {
    let first = utf16(password, u16::to_le_bytes)?;
    let mut k = Zeroizing::new([0; 32]);
    for i in 1..=iterations {
        let mut hash = bulat::Gost94::new(ParamSet::HashCryptoPro);
        hash.update(if i == 1 { &first } else { &k[..] });
        hash.update(salt);
        hash.update(&(i as u16).to_be_bytes());
        *k = hash.finalize();
    }
    Ok(k)
}

/// Step 3. The attributes of the outer structure, which newer versions write, are left out.
fn unwrap(k: &[u8; 32], plain: &[u8]) -> Result<Bytes> {
    let info = Info::parse(plain)?;
    let (header, rest) = info.key.split_at_checked(16).ok_or(Error::Damaged(PART))?;
    // PUBLICKEYSTRUC: a private key, version 0x20; its algorithm; a magic number; a length.
    if header[..4] != [7, 0x20, 0, 0] || header[8..12] != *b"MAG1" {
        return Err(Error::Damaged(PART));
    }
    let blob: Blob<'_> = asn1::decode(rest, PART)?;
    let x = encode(&blob.x)?;
    let all = asn1::sequence(&x, PART)?;
    let [ukm, wrapped, more, ..] = all[..] else { return Err(Error::Damaged(PART)) };
    let ukm: &OctetStringRef = ukm.decode_as().map_err(damaged(PART))?;
    let ukm: &[u8; 8] = ukm.as_bytes().try_into().map_err(damaged(PART))?;
    let wrapped: Wrapped<'_> = wrapped.decode_as().map_err(damaged(PART))?;
    if wrapped.mask.is_some() {
        return Err(Error::Scope("a key of CryptoPro under a mask"));
    }

    let sboxes = Sboxes::from(SET);
    let ke = match header[4..8] {
        [0x24, 0xaa, 0, 0] => diversify(k, ukm, &sboxes),
        [0x42 | 0x46, 0xaa, 0, 0] => kdf_256(k, &[0x26, 0xbd, 0xb8, 0x78], ukm),
        _ => return Err(Error::Scope("a key of CryptoPro with another algorithm")),
    };
    let cipher = Gost28147::new(&ke, sboxes);
    imit(&cipher, &[0; 8], &x, blob.mac.as_bytes())?;
    let mut key = Zeroizing::new(wrapped.key.as_bytes().to_vec());
    if ![32, 64].contains(&key.len()) {
        return Err(Error::Damaged(PART));
    }
    Ecb::with(cipher.clone(), Direction::Decrypt).update(&mut key).map_err(damaged(PART))?;
    imit(&cipher, ukm, &key, wrapped.mac.as_bytes())?;

    // The parameters of the key's algorithm are in X; the outer ones are NULL.
    let parameters = parameters(more)?;
    let algorithm = Algorithm { oid: info.algorithm.oid, parameters: Some(parameters) };
    let bytes = Zeroizing::new(wrap(0x04, &[&key]));
    Ok(Zeroizing::new(wrap(0x30, &[&[2, 1, 0], &encode(&algorithm)?, &bytes])))
}

/// Compares an IMIT in constant time.
fn imit(cipher: &Gost28147, iv: &[u8], text: &[u8], tag: &[u8]) -> Result<()> {
    let mut imit =
        Imit::with(cipher.clone()).meshing(Meshing::None).iv(iv).map_err(damaged(PART))?;
    imit.update(text);
    imit.verify(tag).map_err(|_| Error::Password)
}

/// Returns the parameters of the AlgorithmIdentifier in X's `[0]`.
fn parameters(more: AnyRef<'_>) -> Result<AnyRef<'_>> {
    let context = |any: &AnyRef<'_>| any.header().tag().is_context_specific();
    if !context(&more) {
        return Err(Error::Damaged(PART));
    }
    let inner = asn1::elements(more.value(), PART)?;
    let algorithm = inner.iter().find(|any| context(any)).ok_or(Error::Damaged(PART))?;
    let mut reader = SliceReader::new(algorithm.value()).map_err(damaged(PART))?;
    let _: ObjectIdentifier = reader.decode().map_err(damaged(PART))?;
    let parameters = AnyRef::decode(&mut reader).map_err(damaged(PART))?;
    if parameters.header().tag() != Tag::Sequence {
        return Err(Error::Damaged(PART));
    }
    Ok(parameters)
}

/// Reads the salt and the iterations.
pub(crate) fn parse(algorithm: &Algorithm<'_>) -> Result<(Vec<u8>, u32)> {
    let params: asn1::SaltAndIterations<'_> = algorithm.decode("parameters of the encryption")?;
    let salt = crate::kdf::salted(params.salt.as_bytes())?;
    Ok((salt, crate::kdf::iterations(params.iterations)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unhex(value: &serde_json::Value) -> Vec<u8> {
        let digits = value.as_str().unwrap();
        let pairs = (0..digits.len()).step_by(2);
        pairs.map(|i| u8::from_str_radix(&digits[i..i + 2], 16).unwrap()).collect()
    }

    /// Newer versions of CryptoPro CSP end the PrivateKeyInfo with attributes; RFC 5958 allows a public key, too.
    #[test]
    fn optional_ends() {
        use sha2::Digest as _;
        let facts = include_str!("../tests/data/csp_2012_256_pw.json");
        let facts: serde_json::Value = serde_json::from_str(facts).unwrap();
        let bag = &facts["expected"]["bags"][0]["pbe"];
        let (k, blob) = (unhex(&bag["K"]), unhex(&bag["blob"]));
        let k = k.try_into().unwrap();
        let usage = b"\xa0\x0d\x30\x0b\x06\x03\x55\x1d\x0f\x31\x04\x03\x02\0\x10";
        let wanted = "80f115dad07f86a938fc326f66880c20f5dd87c162dd938eeb3da51c13becfb7";
        for end in [&[][..], usage, &[0xa0, 0], &[0x81, 1, 0], &[0xa0, 0, 0x81, 1, 0]] {
            // The blob's length has two bytes: 30 81 xx.
            let body = [&blob[3..], end].concat();
            let ended = [&[0x30, 0x81, body.len() as u8], &body[..]].concat();
            let key = unwrap(&k, &ended).unwrap();
            assert_eq!(sha2::Sha256::digest(&*key)[..], unhex(&wanted.into()), "{end:02x?}");
        }
        for end in [&[5, 0][..], &[0xa2, 0], &[0xa0, 0, 0xa0, 0, 0xa1, 0]] {
            let body = [&blob[3..], end].concat();
            let ended = [&[0x30, 0x81, body.len() as u8], &body[..]].concat();
            assert_eq!(unwrap(&k, &ended), Err(Error::Damaged("PrivateKeyInfo")), "{end:02x?}");
        }
    }

    /// libpogost's values.
    #[test]
    fn values() {
        let facts = include_str!("../tests/data/libpogost_units.json");
        let facts: serde_json::Value = serde_json::from_str(facts).unwrap();
        let bag = &facts["cp80"];
        let k = derive(b"123456", &unhex(&bag["salt"]), 2000).unwrap();
        assert_eq!(k[..], unhex(&bag["K"]));
        let ukm: [u8; 8] = unhex(&bag["ukm"]).try_into().unwrap();
        let ke = kdf_256(&*k, &[0x26, 0xbd, 0xb8, 0x78], &ukm);
        assert_eq!(ke[..], unhex(&bag["Ke"]));
        let cipher = Gost28147::new(&ke, SET);
        for wrap in bag["wraps"].as_array().unwrap() {
            let mut key = unhex(&wrap["enc"]);
            Ecb::with(cipher.clone(), Direction::Decrypt).update(&mut key).unwrap();
            assert_eq!(key, unhex(&wrap["key"]));
            let mut tag = unhex(&wrap["mac"]);
            imit(&cipher, &ukm, &key, &tag).unwrap();
            tag[3] ^= 1;
            assert_eq!(imit(&cipher, &ukm, &key, &tag), Err(Error::Password));
        }
        let mut text = unhex(&bag["cfb"]["ct"]);
        let iv = unhex(&bag["cfb"]["iv"]);
        let mut cfb = Cfb28147::with(Gost28147::new(&k, SET), &iv, Direction::Decrypt).unwrap();
        cfb.apply_keystream(&mut text).unwrap();
        assert_eq!(text, unhex(&bag["cfb"]["msg"]));

        let mac = &facts["mac"];
        let mut key = [0; 96];
        let (password, salt) = (unhex(&mac["password"]), unhex(&mac["salt"]));
        crate::kdf::pbkdf2(crate::Prf::Streebog512, &password, &salt, 2, &mut key).unwrap();
        assert_eq!(key[64..], unhex(&mac["key"]));
        let tag = crate::Hash::Streebog512.hmac(&key[64..], &unhex(&mac["msg"]));
        assert_eq!(tag[..], unhex(&mac["tag"]));
    }
}
