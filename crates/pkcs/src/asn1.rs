//! The structures of PKCS#8, PKCS#5 and PKCS#12 for the derive of `der`, and lists.

use der::asn1::{AnyRef, ObjectIdentifier, OctetStringRef};
use der::{Decode, Encode, Reader, Sequence, SliceReader, Tag};

use crate::error::{Error, Result, damaged};

/// AlgorithmIdentifier: RFC 5280, section 4.1.1.2.
#[derive(Clone, Debug, PartialEq, Eq, Sequence)]
pub(crate) struct Algorithm<'a> {
    pub oid: ObjectIdentifier,
    pub parameters: Option<AnyRef<'a>>,
}

impl<'a> Algorithm<'a> {
    /// Decodes the parameters.
    pub fn decode<T>(&self, part: &'static str) -> Result<T>
    where
        T: der::DecodeValue<'a> + der::FixedTag + 'a,
    {
        self.parameters.ok_or(Error::Damaged(part))?.decode_as::<T>().map_err(damaged(part))
    }
    /// Refuses parameters other than NULL. Returns whether there is a NULL.
    pub fn no_parameters(&self, part: &'static str) -> Result<bool> {
        match self.parameters {
            None => Ok(false),
            Some(any) if any.is_null() => Ok(true),
            Some(_) => Err(Error::Damaged(part)),
        }
    }
}

/// The PBES2-params of RFC 8018, A.4, and the PBMAC1-params, A.5.
#[derive(Sequence)]
pub(crate) struct TwoAlgorithms<'a> {
    pub kdf: Algorithm<'a>,
    pub second: Algorithm<'a>,
}

/// PBKDF2-params: RFC 8018, A.2.
#[derive(Sequence)]
pub(crate) struct Pbkdf2Params<'a> {
    /// An OCTET STRING, or an AlgorithmIdentifier that no file uses.
    pub salt: AnyRef<'a>,
    pub iterations: u64,
    pub key_len: Option<u32>,
    pub prf: Option<Algorithm<'a>>,
}

/// The parameters of RFC 9337, section 7.3.
#[derive(Sequence)]
pub(crate) struct GostParams<'a> {
    pub ukm: &'a OctetStringRef,
}

/// Gost28147-89-Parameters: RFC 4357, section 8.1.
#[derive(Sequence)]
pub(crate) struct Gost28147Params<'a> {
    pub iv: &'a OctetStringRef,
    pub set: ObjectIdentifier,
}

/// The pkcs-12PbeParams of RFC 7292, appendix C, and CryptoPro's.
#[derive(Sequence)]
pub(crate) struct SaltAndIterations<'a> {
    pub salt: &'a OctetStringRef,
    pub iterations: u64,
}

/// EncryptedPrivateKeyInfo (RFC 5208, section 6), and DigestInfo.
#[derive(Sequence)]
pub(crate) struct AlgorithmAndOctets<'a> {
    pub algorithm: Algorithm<'a>,
    pub bytes: &'a OctetStringRef,
}

/// ContentInfo: RFC 2315, section 7.
#[derive(Sequence)]
pub(crate) struct ContentInfo<'a> {
    pub kind: ObjectIdentifier,
    #[asn1(context_specific = "0", tag_mode = "EXPLICIT")]
    pub content: AnyRef<'a>,
}

/// PFX: RFC 7292, section 4.
#[derive(Sequence)]
pub(crate) struct PfxRef<'a> {
    pub version: u8,
    pub content: ContentInfo<'a>,
    pub mac: Option<MacData<'a>>,
}

/// MacData: RFC 7292, section 4.
#[derive(Sequence)]
pub(crate) struct MacData<'a> {
    pub digest: AlgorithmAndOctets<'a>,
    pub salt: &'a OctetStringRef,
    /// DEFAULT 1.
    pub iterations: Option<u64>,
}

/// SafeBag and CertBag without attributes: RFC 7292, section 4.2.
#[derive(Sequence)]
pub(crate) struct Typed<'a> {
    pub kind: ObjectIdentifier,
    #[asn1(context_specific = "0", tag_mode = "EXPLICIT")]
    pub value: AnyRef<'a>,
}

/// Decodes one whole structure.
pub(crate) fn decode<'a, T: Decode<'a>>(bytes: &'a [u8], part: &'static str) -> Result<T> {
    T::from_der(bytes).map_err(damaged(part))
}

/// Encodes a structure of the caller.
pub(crate) fn encode(value: &impl Encode) -> Result<Vec<u8>> {
    value.to_der().map_err(|_| Error::Parameter("a structure is too long"))
}

/// The most elements of one structure: each costs memory, however short it is.
pub(crate) const ELEMENTS: usize = 1 << 16;

/// The error of more.
pub(crate) fn too_many() -> Error {
    let allowed = ELEMENTS as u64;
    Error::Cost { what: "elements of a structure", asked: allowed + 1, allowed }
}

/// Returns the elements of the value of a SEQUENCE or SET, each whole.
pub(crate) fn elements<'a>(value: &'a [u8], part: &'static str) -> Result<Vec<AnyRef<'a>>> {
    let mut reader = SliceReader::new(value).map_err(damaged(part))?;
    let mut all = Vec::new();
    while !reader.is_finished() {
        if all.len() == ELEMENTS {
            return Err(too_many());
        }
        all.push(AnyRef::decode(&mut reader).map_err(damaged(part))?);
    }
    Ok(all)
}

/// Returns the elements of one whole SEQUENCE.
pub(crate) fn sequence<'a>(bytes: &'a [u8], part: &'static str) -> Result<Vec<AnyRef<'a>>> {
    let any: AnyRef<'a> = decode(bytes, part)?;
    if any.header().tag() != Tag::Sequence {
        return Err(Error::Damaged(part));
    }
    elements(any.value(), part)
}

/// Returns the first element of a file, without the bytes after it; all of a file that does not begin with a whole
/// element.
pub(crate) fn first(file: &[u8]) -> &[u8] {
    let header =
        SliceReader::new(file).ok().and_then(|mut reader| der::Header::decode(&mut reader).ok());
    let len = header.and_then(|header| (header.encoded_len().ok()? + header.length()).ok());
    len.and_then(|n| file.get(..usize::try_from(n).ok()?)).unwrap_or(file)
}

/// Encodes a tag, a length and a value in parts.
pub(crate) fn wrap(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let n: usize = parts.iter().map(|part| part.len()).sum();
    let mut out = Vec::with_capacity(n + 10);
    out.push(tag);
    if n < 0x80 {
        out.push(n as u8);
    } else {
        let len = n.to_be_bytes();
        let len = &len[len.iter().take_while(|byte| **byte == 0).count()..];
        out.push(0x80 | len.len() as u8);
        out.extend_from_slice(len);
    }
    parts.iter().for_each(|part| out.extend_from_slice(part));
    out
}

/// Returns whether an element of the context-specific tag 0 is constructed; `None` for other tags.
pub(crate) fn context0(any: &AnyRef<'_>) -> Option<bool> {
    match any.header().tag() {
        Tag::ContextSpecific { constructed, number } if number.value() == 0 => Some(constructed),
        _ => None,
    }
}

/// Returns whether every element of DER ends where it should, also in octet strings with a sequence.
pub(crate) fn whole(bytes: &[u8]) -> bool {
    fn nested(bytes: &[u8], depth: usize) -> bool {
        let all = elements(bytes, "DER");
        all.is_ok_and(|all| {
            all.iter().all(|element| {
                let (tag, value) = (element.header().tag(), element.value());
                let opens =
                    tag.is_constructed() || tag == Tag::OctetString && value.first() == Some(&0x30);
                !opens || depth > 0 && nested(value, depth - 1)
            })
        })
    }
    nested(bytes, 24)
}
