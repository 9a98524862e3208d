//! One test: its fields by type, generators expanded, hex decoded. The schema is in the README.

use crate::parameters::{Cipher, Meshing, Sbox, Streebog, Suite};
use serde::Deserialize;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use shake::digest::{ExtendableOutput, Update, XofReader};

/// Inputs above this length are never expanded in memory; they are read as a stream.
pub const IN_MEMORY: u64 = 64 << 20;

/// A fault of the vectors themselves (never of the tested code): the file, the test, the
/// field.
#[derive(Debug)]
pub struct Defect(pub String);

impl std::fmt::Display for Defect {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Defect {}

/// The demand of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The value must match, in every direction.
    Valid,
    /// The input must be refused, or the verification must fail.
    Invalid,
    /// Implementations disagree; the value is the one of the standard's letter or of CryptoPro.
    Acceptable,
    /// The value is not confirmed by the standard's text: printed, never run.
    Unverified,
}

/// One test: a record of named fields (schema in the README).
#[derive(Clone, Debug)]
pub struct Test {
    /// Number within the file.
    pub id: u64,
    /// The test's own algorithm, or the file's.
    pub algorithm: String,
    /// The test's own mode, or the file's.
    pub mode: String,
    /// Its demand.
    pub verdict: Verdict,
    /// Marks that the file's notes explain.
    pub flags: Vec<String>,
    /// All its fields, as in the file.
    pub fields: Map<String, Value>,
}

/// An input in the form of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// Given in full.
    Bytes(Vec<u8>),
    /// That many zero bytes.
    Zero(u64),
    /// The first bytes of SHAKE128 of the seed.
    Shake128(Vec<u8>, u64),
}

impl Source {
    /// Length in bytes.
    pub fn len(&self) -> u64 {
        match self {
            Source::Bytes(bytes) => bytes.len() as u64,
            Source::Zero(len) | Source::Shake128(_, len) => *len,
        }
    }

    /// No bytes at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes; only up to [`IN_MEMORY`].
    pub fn bytes(&self) -> Result<Vec<u8>, Defect> {
        if self.len() > IN_MEMORY {
            return Err(Defect(format!("{} bytes asked for in memory", self.len())));
        }
        Ok(match self {
            Source::Bytes(bytes) => bytes.clone(),
            Source::Zero(len) => vec![0; *len as usize],
            Source::Shake128(seed, len) => {
                let mut out = vec![0; *len as usize];
                let mut xof = shake::Shake128::default();
                xof.update(seed);
                xof.finalize_xof().read(&mut out);
                out
            }
        })
    }
}

/// SHA-256 in lower case hex, as the files have it.
pub fn sha256(bytes: &[u8]) -> String {
    to_hex(&Sha256::digest(bytes))
}

/// Lower case hex.
pub fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Bytes of a hex string; None where it is none.
pub fn from_hex(hex: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> =
        hex.chars().map(|c| c.to_digit(16).map(|digit| digit as u8)).collect();
    let digits = digits.filter(|digits| digits.len() % 2 == 0)?;
    Some(digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}

impl Test {
    fn defect(&self, field: &str, what: &str) -> Defect {
        Defect(format!("field {field}: {what}"))
    }

    /// Does the test carry this field?
    pub fn has(&self, field: &str) -> bool {
        self.fields.contains_key(field)
    }

    /// Does the test carry this flag?
    pub fn flag(&self, name: &str) -> bool {
        self.flags.iter().any(|flag| flag == name)
    }

    /// A string field.
    pub fn text(&self, field: &str) -> Result<&str, Defect> {
        self.fields
            .get(field)
            .and_then(Value::as_str)
            .ok_or_else(|| self.defect(field, "no string"))
    }

    /// A number field; the sequence numbers of 64 bits are decimal strings.
    pub fn number(&self, field: &str) -> Result<u64, Defect> {
        match self.fields.get(field) {
            Some(Value::Number(number)) => number.as_u64(),
            Some(Value::String(text)) => text.parse().ok(),
            _ => None,
        }
        .ok_or_else(|| self.defect(field, "no number"))
    }

    /// A number field as a length in bytes.
    pub fn len(&self, field: &str) -> Result<usize, Defect> {
        usize::try_from(self.number(field)?).map_err(|_| self.defect(field, "too long"))
    }

    /// A list field.
    pub fn list(&self, field: &str) -> Result<&[Value], Defect> {
        self.fields
            .get(field)
            .and_then(Value::as_array)
            .map(Vec::as_slice)
            .ok_or_else(|| self.defect(field, "no list"))
    }

    /// A list of octet strings.
    pub fn bytes_list(&self, field: &str) -> Result<Vec<Vec<u8>>, Defect> {
        self.list(field)?
            .iter()
            .map(|value| value.as_str().and_then(from_hex))
            .collect::<Option<_>>()
            .ok_or_else(|| self.defect(field, "no list of hex strings"))
    }

    /// An input: `field`, or `field`_gen.
    pub fn source(&self, field: &str) -> Result<Source, Defect> {
        let bad = |what| self.defect(field, what);
        if self.has(field) {
            return from_hex(self.text(field)?).map(Source::Bytes).ok_or_else(|| bad("no hex"));
        }
        let generator = self.fields.get(&format!("{field}_gen")).ok_or_else(|| bad("missing"))?;
        let len = generator["len"].as_u64().ok_or_else(|| bad("generator without length"))?;
        match generator["alg"].as_str() {
            Some("ZERO") => Ok(Source::Zero(len)),
            Some("SHAKE128") => generator["seed"]
                .as_str()
                .and_then(from_hex)
                .map(|seed| Source::Shake128(seed, len))
                .ok_or_else(|| bad("generator without seed")),
            _ => Err(bad("unknown generator")),
        }
    }

    /// An input in memory.
    pub fn bytes(&self, field: &str) -> Result<Vec<u8>, Defect> {
        self.source(field)?.bytes()
    }

    /// The cipher of the field `cipher`, or of the algorithm.
    pub fn cipher(&self) -> Result<Cipher, Defect> {
        let name = if self.has("cipher") { self.text("cipher")? } else { &self.algorithm };
        Cipher::by_name(name).ok_or_else(|| self.defect("cipher", "unknown"))
    }

    /// The parameter set of the field `sbox`.
    pub fn sbox(&self) -> Result<Sbox, Defect> {
        Sbox::by_name(self.text("sbox")?).ok_or_else(|| self.defect("sbox", "unknown"))
    }

    /// The field `keyMeshing`.
    pub fn meshing(&self) -> Result<Meshing, Defect> {
        match self.text("keyMeshing")? {
            "none" => Ok(Meshing::None),
            "CryptoPro" => Ok(Meshing::CryptoPro),
            _ => Err(self.defect("keyMeshing", "unknown")),
        }
    }

    /// The TLS suite of the field `suite`.
    pub fn suite(&self) -> Result<Suite, Defect> {
        Suite::by_name(self.text("suite")?).ok_or_else(|| self.defect("suite", "unknown"))
    }

    /// Streebog by the end of the algorithm's name, or by the field `size`.
    pub fn streebog(&self) -> Result<Streebog, Defect> {
        let bits = if self.has("size") {
            self.number("size")?
        } else {
            self.algorithm.rsplit('-').next().and_then(|end| end.parse().ok()).unwrap_or(0)
        };
        Streebog::by_bits(bits).ok_or_else(|| self.defect("size", "unknown"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// SHAKE128 of the empty string, FIPS 202 example.
    #[test]
    fn generators() {
        let shake = Source::Shake128(Vec::new(), 16).bytes().expect("short");
        assert_eq!(to_hex(&shake), "7f9c2ba4e88f827d616045507605853e");
        assert_eq!(Source::Zero(3).bytes().expect("short"), [0; 3]);
        assert!(Source::Zero(IN_MEMORY + 1).bytes().is_err());
    }

    #[test]
    fn hex() {
        assert_eq!(from_hex("00fF10"), Some(vec![0, 255, 16]));
        assert_eq!(from_hex(""), Some(Vec::new()));
        assert_eq!(from_hex("0"), None);
        assert_eq!(from_hex("0g"), None);
    }
}
