//! Readers of PFX meet BER (RFC 7292, section 4): lengths of indefinite form and octet strings in pieces, as Java
//! writes them. This makes DER of both; other liberties of BER stay, and the parser refuses them.

use zeroize::Zeroizing;

use crate::Bytes;
use crate::asn1::{self, ELEMENTS, too_many};
use crate::error::{Error, Result};

/// The deepest nesting. A PFX needs about ten levels.
const DEPTH: usize = 24;
const PART: &str = "BER";

/// Returns whether the encoding needs [`to_der`].
pub(crate) fn needed(bytes: &[u8]) -> bool {
    // The outermost length of a writer in BER is indefinite.
    bytes.get(1) == Some(&0x80)
}

/// Converts the first element: definite lengths, whole octet strings. The text may be a key without encryption, so every
/// part is wiped.
pub(crate) fn to_der(bytes: &[u8]) -> Result<Bytes> {
    element(&mut &bytes[..], DEPTH, &mut { ELEMENTS })
}

fn take<'a>(rest: &mut &'a [u8], n: usize) -> Result<&'a [u8]> {
    let (head, tail) = rest.split_at_checked(n).ok_or(Error::Damaged(PART))?;
    *rest = tail;
    Ok(head)
}

fn wrap(tag: u8, parts: &[&[u8]]) -> Bytes {
    Zeroizing::new(asn1::wrap(tag, parts))
}

/// Converts the next element.
fn element(rest: &mut &[u8], depth: usize, left: &mut usize) -> Result<Bytes> {
    let depth = depth.checked_sub(1).ok_or(Error::Damaged(PART))?;
    *left = left.checked_sub(1).ok_or_else(too_many)?;
    let tag = take(rest, 1)?[0];
    if tag & 0x1f == 0x1f {
        return Err(Error::Damaged(PART));
    }
    let first = take(rest, 1)?[0];
    let mut out = Vec::new();
    let len = match first {
        0x80 => None,
        0..0x80 => Some(usize::from(first)),
        _ => {
            let len = take(rest, usize::from(first & 0x7f))?;
            if len.len() > 4 {
                return Err(Error::Damaged(PART));
            }
            Some(len.iter().fold(0, |n, byte| n << 8 | usize::from(*byte)))
        }
    };
    let constructed = tag & 0x20 != 0;
    match len {
        Some(len) if !constructed => return Ok(wrap(tag, &[take(rest, len)?])),
        Some(len) => {
            let mut value = take(rest, len)?;
            while !value.is_empty() {
                out.push(element(&mut value, depth, left)?);
            }
        }
        None if !constructed => return Err(Error::Damaged(PART)),
        None => loop {
            if let Some(after) = rest.strip_prefix(&[0, 0]) {
                *rest = after;
                break;
            }
            out.push(element(rest, depth, left)?);
        },
    }
    let parts: Vec<&[u8]> = out.iter().map(|part| &part[..]).collect();
    // A string in pieces.
    if tag == 0x24 {
        let string = |part| asn1::decode::<&der::asn1::OctetStringRef>(part, PART);
        let strings = parts.into_iter().map(|part| Ok(string(part)?.as_bytes()));
        return Ok(wrap(0x04, &strings.collect::<Result<Vec<&[u8]>>>()?));
    }
    Ok(wrap(tag, &parts))
}
