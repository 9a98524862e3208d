//! Lists of checksums: parses and prints single lines.
//!
//! The parser recognises each line's format:
//! - coreutils: `<hex>  <name>` or `<hex> *<name>`; a leading `\` marks an escaped name;
//! - gost12sum, gostsum: `<hex> <name>`, with one space;
//! - BSD `--tag` and `openssl dgst`: `<ALGORITHM> (<name>) = <hex>`, `<ALGORITHM>(<name>)= <hex>`.
//!
//! Names are bytes, as in the file system.

use std::borrow::Cow;

use bulat_container::digits::{hex, unhex};
use bulat_container::mark;

/// One line of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry<'a> {
    /// The algorithm's name in a BSD line.
    pub algorithm: Option<&'a str>,
    /// The digest's bytes.
    pub digest: Vec<u8>,
    /// The digest as printed in the line.
    pub hex: &'a [u8],
    /// The file's name.
    pub name: Cow<'a, [u8]>,
    /// The name in the one-space format, if that format would read another name.
    pub literal: Option<&'a [u8]>,
}

/// The fewest digits of a digest at the beginning of a line. Longer than any algorithm's name, so a word of that many
/// digits is never taken for one.
const DIGITS: usize = 32;

/// Returns the line without UTF-8's byte-order mark, which can also be inside a list joined from two, and without
/// blanks, which coreutils also skips.
pub fn begin(line: &[u8]) -> &[u8] {
    let line = line.strip_prefix(mark::UTF8).unwrap_or(line);
    let start = line.iter().position(|c| !b" \t".contains(c)).unwrap_or(line.len());
    &line[start..]
}

/// Parses a line without its line feed; a carriage return at its end is ignored. Returns `None` for a line without a
/// checksum.
pub fn parse(line: &[u8]) -> Option<Entry<'_>> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    coreutils(line).or_else(|| bsd(line))
}

/// Parses a line that begins with its digest.
fn coreutils(line: &[u8]) -> Option<Entry<'_>> {
    let (line, escaped) = unmarked(line);
    let end = line.iter().position(|c| !c.is_ascii_hexdigit())?;
    if end < DIGITS || line[end] != b' ' {
        return None;
    }
    let digest = unhex(&line[..end])?;
    let rest = &line[end + 1..];
    let (raw, literal) = match rest.first()? {
        b' ' | b'*' if rest.len() > 1 => (&rest[1..], (!escaped).then_some(rest)),
        _ => (rest, None),
    };
    let name = name(raw, escaped)?;
    Some(Entry { algorithm: None, digest, hex: &line[..end], name, literal })
}

/// Parses a line that names its algorithm.
fn bsd(line: &[u8]) -> Option<Entry<'_>> {
    let (line, escaped) = unmarked(line);
    // The name may contain anything, even `) = `: the digest comes after the last space.
    let open = line.iter().position(|c| *c == b'(')?;
    let algorithm = std::str::from_utf8(&line[..open]).ok()?;
    let algorithm = algorithm.strip_suffix(' ').unwrap_or(algorithm);
    let close = line.iter().rposition(|c| *c == b')').filter(|close| *close > open)?;
    let tail = &line[close + 1..];
    let hex = tail.strip_prefix(b" = ").or(tail.strip_prefix(b"= "))?;
    let digest = unhex(hex)?;
    let plausible = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
    if !(1..DIGITS).contains(&algorithm.len())
        || !algorithm.chars().all(plausible)
        || close == open + 1
    {
        return None;
    }
    let name = name(&line[open + 1..close], escaped)?;
    Some(Entry { algorithm: Some(algorithm), digest, hex, name, literal: None })
}

/// Removes the leading backslash that marks an escaped name. Returns whether there was one.
fn unmarked(line: &[u8]) -> (&[u8], bool) {
    line.strip_prefix(b"\\").map_or((line, false), |rest| (rest, true))
}

/// Decodes the name in a line.
fn name(raw: &[u8], escaped: bool) -> Option<Cow<'_, [u8]>> {
    if escaped { unescape(raw).map(Cow::Owned) } else { Some(Cow::Borrowed(raw)) }
}

/// The format of a printed line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style<'a> {
    /// coreutils' text form: two spaces.
    Coreutils,
    /// BSD's, with the algorithm's name.
    Tag(&'a str),
}

/// Formats the line of a digest, without line feed. With `escape`, a name with a line feed, a carriage return or a
/// backslash is escaped and the line begins with a backslash, as in coreutils.
pub fn line(style: Style<'_>, digest: &[u8], name: &[u8], escape: bool) -> Vec<u8> {
    let mut out = Vec::with_capacity(2 * digest.len() + name.len() + 32);
    let (mark, name) = if escape { shown(name) } else { (&b""[..], Cow::Borrowed(name)) };
    out.extend(mark);
    let hex = hex(digest);
    let (tag, parts): (&str, [&[u8]; 4]) = match style {
        Style::Coreutils => ("", [hex.as_bytes(), b"  ", &name, b""]),
        Style::Tag(algorithm) => (algorithm, [b" (", &name, b") = ", hex.as_bytes()]),
    };
    out.extend_from_slice(tag.as_bytes());
    parts.iter().for_each(|part| out.extend_from_slice(part));
    out
}

/// Escapes a name for printing, as coreutils does, and returns the mark for the beginning of the line. A name with a
/// line feed, a carriage return or a backslash is escaped, and its mark is a backslash; so is a name with a zero byte,
/// which a list can contain although no file has one.
pub fn shown(name: &[u8]) -> (&'static [u8], Cow<'_, [u8]>) {
    match name.iter().any(|c| b"\n\r\\\0".contains(c)) {
        true => (b"\\", Cow::Owned(escaped(name))),
        false => (b"", Cow::Borrowed(name)),
    }
}

fn escaped(name: &[u8]) -> Vec<u8> {
    name.iter()
        .flat_map(|c| match c {
            b'\n' => vec![b'\\', b'n'],
            b'\r' => vec![b'\\', b'r'],
            b'\\' => vec![b'\\', b'\\'],
            0 => vec![b'\\', b'0'],
            c => vec![*c],
        })
        .collect()
}

fn unescape(raw: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(raw.len());
    let mut bytes = raw.iter();
    while let Some(c) = bytes.next() {
        out.push(match c {
            b'\\' => match bytes.next()? {
                b'n' => b'\n',
                b'r' => b'\r',
                b'\\' => b'\\',
                b'0' => 0,
                _ => return None,
            },
            c => *c,
        });
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEX: &str = "4e2919cf137ed41ec4fb6270c61826cc4fffb660341e0af3688cd0626d23b481";

    #[test]
    fn every_form_is_read() {
        for (text, name, literal) in [
            (format!("{HEX}  abc"), "abc", Some(" abc")),
            (format!("{HEX} *abc"), "abc", Some("*abc")),
            (format!("{HEX} abc"), "abc", None),
            (format!("{HEX} abc\r"), "abc", None),
            (format!("  {HEX}  abc"), "abc", Some(" abc")),
            (format!(" \t\\{HEX}  a\\nb"), "a\nb", None),
            (format!("\u{feff}{HEX}  abc"), "abc", Some(" abc")),
            (format!("\\{HEX}  a\\nb\\\\c\\r"), "a\nb\\c\r", None),
            (format!("{HEX}  a\\nb"), "a\\nb", Some(" a\\nb")),
        ] {
            let entry = parse(begin(text.as_bytes())).expect(&text);
            assert_eq!(entry.algorithm, None);
            assert_eq!(
                (&*entry.name, entry.literal),
                (name.as_bytes(), literal.map(str::as_bytes))
            );
            assert_eq!(hex(&entry.digest), HEX);
        }
        for (text, algorithm, name) in [
            (format!("STREEBOG256 (abc) = {HEX}"), "STREEBOG256", "abc"),
            (format!("md_gost12_256(abc)= {HEX}"), "md_gost12_256", "abc"),
            (format!("GOST12-256 (a (b) = c) = {HEX}"), "GOST12-256", "a (b) = c"),
            (format!("\\GOST (a\\nb) = {HEX}"), "GOST", "a\nb"),
            (format!("\u{feff} GOST (a) = {HEX}"), "GOST", "a"),
        ] {
            let entry = parse(begin(text.as_bytes())).expect(&text);
            assert_eq!((entry.algorithm, &*entry.name), (Some(algorithm), name.as_bytes()));
        }
    }

    #[test]
    fn other_lines_are_not() {
        for text in [
            "".into(),
            " ".into(),
            "garbage".into(),
            HEX.into(),
            format!("{HEX} "),
            format!("{HEX}\tabc"),
            format!("{}  abc", &HEX[1..]),
            format!("z{}  abc", &HEX[1..]),
            format!("\\{HEX}  a\\qb"),
            format!("\\{HEX}  a\\"),
            format!("STREEBOG256 () = {HEX}"),
            format!(" STREEBOG256 (abc) = {HEX}"),
            format!(" {HEX}  abc"),
            format!("\u{feff}{HEX}  abc"),
            format!("\\  {HEX}  abc"),
            format!("(abc) = {HEX}"),
            format!("a b (abc) = {HEX}"),
            "ee  abc".into(),
            format!(")STREEBOG256 (abc = {HEX}"),
        ] {
            assert_eq!(parse(text.as_bytes()), None, "{text:?}");
        }
    }

    #[test]
    fn what_is_printed_is_read() {
        for name in ["abc", "a\nb", "\\", " a", "*", "a) = b", "(", "\r", "\0"] {
            for style in [Style::Coreutils, Style::Tag("STREEBOG256")] {
                let line = line(style, &[1; 32], name.as_bytes(), true);
                let entry = parse(&line).expect(name);
                assert_eq!(&*entry.name, name.as_bytes());
                assert_eq!(entry.digest, [1; 32]);
            }
        }
    }
}
