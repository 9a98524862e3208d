//! The lists of gost12sum and gostsum, parsed as those tools do.

use std::io::{BufRead, Read as _};

use bulat_cli::sums;

use super::super::hash::tagged;
use super::{Run, say};

/// A longer line is split: a file without line feeds must not exhaust memory.
const LINE: u64 = 64 << 10;

/// A line of a list: the digits of the digest, the name, and another name to try if there is no such file.
pub struct Line {
    pub hex: Vec<u8>,
    pub name: Vec<u8>,
    pub other: Option<Vec<u8>>,
    pub algorithm: &'static str,
    /// Set if the digest is in memory order even for gostsum.
    pub straight: bool,
}

/// The result of reading a line.
pub enum Next {
    Line(Line),
    /// A digest of an invalid length.
    BadLength(Vec<u8>),
    Skipped,
    End,
}

impl Run {
    /// gost12sum: a line is spaces, digits, a space and a name. Other lines are skipped; with -v it reports them.
    pub(super) fn next_12(&self, list: &mut impl BufRead) -> Result<Next, u8> {
        let mut text = Vec::new();
        if read_line(list, &mut text) == 0 {
            return Ok(Next::End);
        }
        trim(&mut text);
        let start = text.iter().position(|c| *c != b' ').unwrap_or(text.len());
        let body = &text[start..];
        let digits = body.iter().take_while(|c| c.is_ascii_hexdigit()).count();
        if digits > 0 && body.get(digits) == Some(&b' ') && body.len() > digits + 1 {
            let name = body[digits + 1..].to_vec();
            let algorithm = match digits {
                64 => "streebog256",
                128 => "streebog512",
                _ => return Ok(Next::BadLength(name)),
            };
            let hex = body[..digits].to_vec();
            return Ok(Next::Line(Line {
                hex,
                other: other(&name),
                name,
                algorithm,
                straight: false,
            }));
        }
        if let Some(line) = foreign(&text, &["streebog256", "streebog512"]) {
            return Ok(Next::Line(line));
        }
        if self.verbose {
            self.put(&[b"Skipping line ", &text[..], b"\n"].concat())?;
        }
        Ok(Next::Skipped)
    }

    /// gostsum: 64 digits from the end of the last line, a space and a name. Anything else ends the list.
    pub(super) fn next_94(&self, list: &mut impl BufRead) -> Next {
        let mut text = Vec::new();
        // The digest is 64 characters, even across line ends.
        while text.len() < 64 {
            let before = text.len();
            if read_line(list, &mut text) == 0 {
                break;
            }
            let mut line = text[before..].to_vec();
            trim(&mut line);
            if before == 0
                && let Some(line) = foreign(&line, &[self.algorithm, "gost94", "gost94-test"])
            {
                return Next::Line(line);
            }
        }
        if text.len() < 64 {
            return Next::End;
        }
        let (digits, rest) = text.split_at(64);
        if !digits.iter().all(u8::is_ascii_hexdigit) {
            say(&[b"Not a hash value '", digits, b"'\n"]);
            return Next::End;
        }
        let mut rest = rest.to_vec();
        if rest.is_empty() {
            read_line(list, &mut rest);
        }
        if rest.len() < 2 || rest[0] != b' ' {
            say(&[b"Malformed input line\n"]);
            return Next::End;
        }
        let mut name = rest[1..].to_vec();
        trim(&mut name);
        let (hex, algorithm) = (digits.to_vec(), self.algorithm);
        Next::Line(Line { hex, other: other(&name), name, algorithm, straight: false })
    }
}

/// Appends a line with its line feed. Returns its length; 0 at the end.
fn read_line(list: &mut impl BufRead, text: &mut Vec<u8>) -> usize {
    list.by_ref().take(LINE).read_until(b'\n', text).unwrap_or(0)
}

/// Parses a BSD line, or one with an escaped name. If a name may mean several algorithms, the first is used.
fn foreign(text: &[u8], algorithms: &[&'static str]) -> Option<Line> {
    let entry = sums::parse(text).filter(|e| e.algorithm.is_some() || text.starts_with(b"\\"))?;
    if !matches!(entry.digest.len(), 32 | 64) {
        return None;
    }
    let algorithm = match entry.algorithm {
        Some(name) => {
            let may = tagged(name);
            *algorithms.iter().find(|a| may.iter().any(|may| may.name == **a))?
        }
        None if entry.digest.len() == 64 => *algorithms.get(1)?,
        None => algorithms[0],
    };
    let hex = entry.hex.to_ascii_lowercase();
    let straight = entry.algorithm.is_some();
    Some(Line { hex, name: entry.name.into_owned(), other: None, algorithm, straight })
}

/// Returns the name in a coreutils line.
fn other(name: &[u8]) -> Option<Vec<u8>> {
    matches!(name, [b' ' | b'*', _, ..]).then(|| name[1..].to_vec())
}

/// Removes line feeds and carriage returns from the end.
pub fn trim(line: &mut Vec<u8>) {
    let end = line.iter().rposition(|c| !b"\r\n".contains(c)).map_or(0, |at| at + 1);
    line.truncate(end);
}
