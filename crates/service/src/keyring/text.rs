//! The strings that carry a ciphertext or a MAC: `vault:v3:BASE64`, as in Vault.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::failure::{Failure, Result};

/// Writes `vault:v3:BASE64`.
pub fn write(version: u32, bytes: &[u8]) -> String {
    // One list: base64, and the longest number.
    let mut text = String::with_capacity(18 + bytes.len().div_ceil(3) * 4);
    let _ = write!(text, "vault:v{version}:");
    STANDARD.encode_string(bytes, &mut text);
    text
}

/// Reads the version and the bytes of `vault:v3:BASE64`. Errors: 400 for anything else.
pub fn read(text: &str) -> Result<(u32, Vec<u8>)> {
    let rest = text
        .strip_prefix("vault:v")
        .ok_or_else(|| Failure::bad("invalid ciphertext: no prefix"))?;
    let (version, bytes) = rest
        .split_once(':')
        .ok_or_else(|| Failure::bad("invalid ciphertext: wrong number of fields"))?;
    let digits = !version.starts_with('0') && version.bytes().all(|c| c.is_ascii_digit());
    let version =
        version.parse().ok().filter(|_| digits).ok_or_else(|| {
            Failure::bad("invalid ciphertext: version number could not be decoded")
        })?;
    let bytes = STANDARD
        .decode(bytes)
        .map_err(|_| Failure::bad("invalid ciphertext: could not decode base64"))?;
    Ok((version, bytes))
}

/// Returns the version that a text claims, without a check of the rest; 0 if there is none.
pub fn claimed(text: &str) -> u32 {
    let version = text.strip_prefix("vault:v").and_then(|rest| rest.split_once(':'));
    version.and_then(|(version, _)| version.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings() {
        assert_eq!(read(&write(3, b"abc")), Ok((3, b"abc".to_vec())));
        for wrong in [
            "",
            "vault:v1",
            "vault:v0:AAAA",
            "vault:v01:AAAA",
            "vault:v+1:AAAA",
            "vault:v1:A",
            "vault:v4294967296:AAAA",
            "v1:AAAA",
            "vault:v1:AAAB=",
            "vault:v1:QR==",
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
