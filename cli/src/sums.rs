//! Lists of checksums: one line's parse and print.
//!
//! Read, whichever it is (found out line by line):
//! - coreutils: `<hex>  <name>` or `<hex> *<name>`; a leading `\` says that the name is escaped;
//! - gost12sum, gostsum: `<hex> <name>`, one space;
//! - BSD `--tag`, and what `openssl dgst` prints: `<ALGORITHM> (<name>) = <hex>`,
//!   `<ALGORITHM>(<name>)= <hex>`.
//!
//! Names are bytes, as the system has them.

use std::borrow::Cow;

use bulat_container::digits::{hex, unhex};
use bulat_container::mark;

/// One line of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry<'a> {
    /// The algorithm's name as the line has it: BSD lines only.
    pub algorithm: Option<&'a str>,
    /// The digest's bytes.
    pub digest: Vec<u8>,
    /// The digest as it stands in the line.
    pub hex: &'a [u8],
    /// The file's name.
    pub name: Cow<'a, [u8]>,
    /// Everything after the first space, where the one-space form would read another name.
    pub literal: Option<&'a [u8]>,
}

/// The fewest digits of a digest at the beginning of a line, and more than any algorithm's name has: so
/// a name that is made of digits is none.
const DIGITS: usize = 32;

/// The line from where its text begins: without UTF-8's byte-order mark, which also stands inside a list
/// that was joined from two, and without the blanks that coreutils passes over.
pub fn begin(line: &[u8]) -> &[u8] {
    let line = line.strip_prefix(mark::UTF8).unwrap_or(line);
    let start = line.iter().position(|c| !b" \t".contains(c)).unwrap_or(line.len());
    &line[start..]
}

/// Reads a line without its line feed; `None` when it is not a checksum's line. A carriage return at
/// the end is taken off.
pub fn parse(line: &[u8]) -> Option<Entry<'_>> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    coreutils(line).or_else(|| bsd(line))
}

/// A line that begins with its digest.
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

/// A line that names its algorithm.
fn bsd(line: &[u8]) -> Option<Entry<'_>> {
    let (line, escaped) = unmarked(line);
    // The name may hold anything, `) = ` too: the digest is what follows the last ` `.
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

/// The line without the backslash that says that its name is escaped, and whether it had one.
fn unmarked(line: &[u8]) -> (&[u8], bool) {
    line.strip_prefix(b"\\").map_or((line, false), |rest| (rest, true))
}

/// A name as it stands in a line.
fn name(raw: &[u8], escaped: bool) -> Option<Cow<'_, [u8]>> {
    if escaped { unescape(raw).map(Cow::Owned) } else { Some(Cow::Borrowed(raw)) }
}

/// How a line is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style<'a> {
    /// coreutils' text form: two spaces.
    Coreutils,
    /// BSD's, with the algorithm's name.
    Tag(&'a str),
}

/// The line of a digest, without its line feed. With `escape`, a name that holds a line feed, a
/// carriage return or a backslash is escaped and the line begins with a backslash, as in coreutils.
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

/// A name as it is printed, as in coreutils, and what the line begins with: where it holds a line feed, a
/// carriage return or a backslash it is escaped, and the mark is a backslash. So is a zero byte, which a list may
/// have and no file does.
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
    let mut octets = raw.iter();
    while let Some(c) = octets.next() {
        out.push(match c {
            b'\\' => match octets.next()? {
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
