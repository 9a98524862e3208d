//! PEM (RFC 7468), and telling it from DER.

use der::pem::{self, LineEnding};
use zeroize::Zeroizing;

use crate::Bytes;
use crate::error::{Error, Result};

/// A private key.
pub const PRIVATE_KEY: &str = "PRIVATE KEY";
/// A private key under a password.
pub const ENCRYPTED_PRIVATE_KEY: &str = "ENCRYPTED PRIVATE KEY";
/// A certificate.
pub const CERTIFICATE: &str = "CERTIFICATE";
/// A PFX. No standard has this label; OpenSSL writes only DER.
pub const PKCS12: &str = "PKCS12";

const BEGIN: &[u8] = b"-----BEGIN ";
const END: &[u8] = b"-----END ";

/// Returns whether the data is PEM: a line begins an encapsulation.
pub fn is_pem(data: &[u8]) -> bool {
    data.starts_with(BEGIN)
        || data.windows(BEGIN.len() + 1).any(|w| w[0] == b'\n' && w[1..] == *BEGIN)
}

/// Returns the blocks of a file with their labels, in order. Text between them is skipped, as OpenSSL writes some.
///
/// # Errors
/// [`Error::Damaged`].
pub fn decode(data: &[u8]) -> Result<Vec<(String, Bytes)>> {
    const PART: Error = Error::Damaged("PEM");
    let find = |text: &[u8], what: &[u8]| text.windows(what.len()).position(|w| w == what);
    let mut all = Vec::new();
    let mut rest = data;
    while let Some(begin) = find(rest, BEGIN) {
        let block = &rest[begin..];
        let end = find(block, END).ok_or(PART)?;
        let line = block[end..].iter().position(|byte| *byte == b'\n');
        let (block, after) = block.split_at(line.map_or(block.len(), |n| end + n + 1));
        let mut decoder = pem::Decoder::new_detect_wrap(block).map_err(|_| PART)?;
        let mut octets = Zeroizing::new(vec![0; decoder.remaining_len()]);
        decoder.decode(&mut octets).map_err(|_| PART)?;
        all.push((decoder.type_label().to_string(), octets));
        rest = after;
    }
    if all.is_empty() { Err(PART) } else { Ok(all) }
}

/// Returns the DER of a file: the only block with this label in PEM, or the whole file.
///
/// # Errors
/// [`Error::Damaged`], also without such a block, or with several.
pub fn one(data: &[u8], label: &str) -> Result<Bytes> {
    if !is_pem(data) {
        return Ok(Zeroizing::new(data.to_vec()));
    }
    let mut found = decode(data)?.into_iter().filter(|(other, _)| other == label);
    match (found.next(), found.next()) {
        (Some((_, der)), None) => Ok(der),
        (None, _) => Err(Error::Damaged("PEM with another label")),
        _ => Err(Error::Damaged("PEM with several such blocks")),
    }
}

/// Encodes a block.
///
/// # Errors
/// [`Error::Parameter`] for a label that is not one.
pub fn encode(label: &str, der: &[u8]) -> Result<Bytes> {
    let fail = |_| Error::Parameter("PEM: the label or the length");
    let mut out = Zeroizing::new(vec![
        0;
        pem::encapsulated_len(label, LineEnding::LF, der.len())
            .map_err(fail)?
    ]);
    let n = pem::encode(label, LineEnding::LF, der, &mut out).map_err(fail)?.len();
    out.truncate(n);
    Ok(out)
}
