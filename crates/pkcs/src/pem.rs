//! PEM (RFC 7468), and telling it from DER. As lenient as OpenSSL and Python's cryptography: a byte-order mark, blanks
//! around lines, empty lines and text between the blocks are skipped.

use der::pem::{self, Base64Decoder, LineEnding};
use zeroize::Zeroizing;

use crate::error::{Error, Result};
use crate::form::Form;
use crate::{Bytes, asn1};

/// A private key.
pub const PRIVATE_KEY: &str = "PRIVATE KEY";
/// A private key under a password.
pub const ENCRYPTED_PRIVATE_KEY: &str = "ENCRYPTED PRIVATE KEY";
/// A certificate.
pub const CERTIFICATE: &str = "CERTIFICATE";
/// A PFX. No standard has this label; OpenSSL writes only DER.
pub const PKCS12: &str = "PKCS12";

/// Returns the lines with their numbers, without the blanks around them.
fn lines(data: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let data = data.strip_prefix("\u{feff}".as_bytes()).unwrap_or(data);
    // Files of the first Macs have only CR.
    let end = if data.contains(&b'\n') { b'\n' } else { b'\r' };
    (1..).zip(data.split(move |byte| *byte == end).map(<[u8]>::trim_ascii))
}

/// Returns the label of a line that begins or ends a block.
fn boundary<'a>(line: &'a [u8], word: &str) -> Option<&'a [u8]> {
    line.strip_prefix(b"-----")?.strip_prefix(word.as_bytes())
}

pub(crate) fn is_base64(c: u8) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, b'+' | b'/' | b'=')
}

/// Returns whether the data is PEM: a line begins an encapsulation.
pub fn is_pem(data: &[u8]) -> bool {
    lines(data).any(|(_, line)| boundary(line, "BEGIN ").is_some())
}

/// Returns the blocks of a file with their labels, in order.
///
/// # Errors
/// [`Error::Pem`]; [`Error::Damaged`] without a block; [`Error::Scope`] for OpenSSL's old encryption.
pub fn decode(data: &[u8]) -> Result<Vec<(String, Bytes)>> {
    let mut all = Vec::new();
    let mut rest = lines(data);
    while let Some((line, begin)) = rest.find_map(|(n, l)| Some((n, boundary(l, "BEGIN ")?))) {
        let label = begin.strip_suffix(b"-----").and_then(|label| core::str::from_utf8(label).ok());
        let label = label.ok_or(Error::Pem { line, fault: "no label, or no dashes after it" })?;
        let mut block = Vec::new();
        let end = loop {
            let Some((line, text)) = rest.next() else {
                return Err(Error::Pem { line, fault: "this block has no END line" });
            };
            if let Some(end) = boundary(text, "END ") {
                if end.strip_suffix(b"-----") != Some(label.as_bytes()) {
                    return Err(Error::Pem { line, fault: "the END line of another block" });
                }
                break line;
            }
            if text.starts_with(b"-----") {
                return Err(Error::Pem { line, fault: "the block before has no END line" });
            }
            if text.starts_with(b"Proc-Type:") {
                return Err(Error::Scope(
                    "a private key in OpenSSL's old encryption: `openssl pkcs8 -topk8` converts it",
                ));
            }
            block.push((line, text));
        };
        all.push((label.to_string(), bytes(&block, end)?));
    }
    if all.is_empty() { Err(Error::Damaged("PEM")) } else { Ok(all) }
}

/// Decodes the lines of a block in constant time; looks for the wrong one only afterwards.
fn bytes(block: &[(usize, &[u8])], end: usize) -> Result<Bytes> {
    let mut text = Zeroizing::new(Vec::with_capacity(block.iter().map(|(_, l)| l.len()).sum()));
    let blocks = block.iter().flat_map(|(_, line)| *line);
    text.extend(blocks.filter(|byte| !byte.is_ascii_whitespace()));
    let decoded = Base64Decoder::new(&text).and_then(|mut decoder| {
        let mut bytes = Zeroizing::new(vec![0; decoder.remaining_len()]);
        decoder.decode(&mut bytes)?;
        Ok(bytes)
    });
    decoded.map_err(|_| {
        let foreign = |line: &[u8]| line.iter().any(|c| !is_base64(*c) && !c.is_ascii_whitespace());
        match block.iter().find(|(_, line)| foreign(line)) {
            Some((line, _)) => Error::Pem { line: *line, fault: "not base64" },
            None => Error::Pem { line: end, fault: "the base64 before is not whole" },
        }
    })
}

/// Returns the DER of a file: the only block with this label in PEM, or in DER the first element. OpenSSL and Java
/// ignore what follows it, too.
///
/// # Errors
/// The errors of [`decode`]; [`Error::Form`], [`Error::Damaged`] without such a block, or with several.
pub fn one(data: &[u8], label: &str) -> Result<Bytes> {
    if !is_pem(data) {
        return Ok(Zeroizing::new(asn1::first(data).to_vec()));
    }
    let wanted = Form::of_label(label);
    let (found, others): (Vec<_>, Vec<_>) = decode(data)?.into_iter().partition(|(other, _)| {
        other == label || wanted.is_some() && Form::of_label(other) == wanted
    });
    let mut found = found.into_iter();
    match (found.next(), found.next()) {
        (Some((_, der)), None) => Ok(Zeroizing::new(asn1::first(&der).to_vec())),
        (Some(_), Some(_)) => Err(Error::Damaged("PEM with several such blocks")),
        (None, _) => {
            let found = others.iter().find_map(|(other, _)| Form::of_label(other));
            Err(match (wanted, found) {
                (Some(wanted), Some(found)) => Error::Form { wanted, found },
                _ => Error::Damaged("PEM with another label"),
            })
        }
    }
}

/// Encodes a block.
///
/// # Errors
/// [`Error::Parameter`] for an invalid label.
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
