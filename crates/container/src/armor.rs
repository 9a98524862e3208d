//! Armour: a container as text (docs/FORMAT.md, section 9). Both directions work on pieces of any size.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::mark;

/// The first line.
pub const BEGIN: &str = "-----BEGIN BULAT ENCRYPTED FILE-----";
/// The last line.
pub const END: &str = "-----END BULAT ENCRYPTED FILE-----";
/// The beginning of [`BEGIN`]: with it a text counts as armour.
pub(crate) const MARK: &str = "-----BEGIN BULAT ";
/// The characters of a full line, and its bytes.
const LINE: usize = 64;
const BYTES: usize = 48;

/// The bytes of a text that show whether it is armour. A byte-order mark and empty lines may come before, as mail
/// programs and editors write them.
pub const PEEK: usize = 256;

/// Returns whether a text begins like armour.
pub fn begins(text: &[u8]) -> bool {
    let text = text.strip_prefix(mark::UTF8).unwrap_or(text);
    let blank = text.iter().take_while(|c| matches!(c, b'\r' | b'\n')).count();
    text[blank..].starts_with(MARK.as_bytes())
}

/// Returns the reason why a text that has armour in it does not begin with it.
pub fn misplaced(text: &[u8]) -> Option<Fault> {
    let find = |text: &[u8]| text.windows(MARK.len()).position(|part| part == MARK.as_bytes());
    if let Some(at) = find(text) {
        let number = 1 + text[..at].iter().filter(|c| **c == b'\n').count() as u64;
        let first = at == 0 || text[at - 1] == b'\n';
        return Some(Fault::Around(number, if first { BEFORE } else { BESIDE }));
    }
    let narrow: Vec<u8> = text.iter().copied().filter(|c| *c != 0).collect();
    find(&narrow).map(|_| Fault::Utf16)
}

/// Returns the length of the armour of this many bytes.
pub const fn len(bytes: u64) -> u64 {
    let digits = bytes.div_ceil(3) * 4;
    (BEGIN.len() + END.len() + 2) as u64 + digits + digits.div_ceil(LINE as u64)
}

/// The reason why a text is not armour. Lines are counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The first line is no BEGIN line.
    Begin,
    /// A line is not as it must be.
    Line(u64, &'static str),
    /// The armour may be whole, but there is other text in this line, or before it.
    Around(u64, &'static str),
    /// The text is in UTF-16.
    Utf16,
    /// The text ends before its last line.
    Cut,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Begin => write!(f, "damaged armour: the first line is not {BEGIN}"),
            Fault::Line(number, why) => write!(f, "damaged armour: line {number}: {why}"),
            Fault::Around(number, why) => write!(f, "line {number}: {why}"),
            Fault::Utf16 => f.write_str("armour in UTF-16"),
            Fault::Cut => write!(f, "truncated armour: the text has no {END}"),
        }
    }
}

impl std::error::Error for Fault {}

/// Encodes a container.
///
/// ```
/// use bulat_container::armor::{Decoder, Encoder};
/// let (mut text, mut bytes) = (Vec::new(), Vec::new());
/// let mut encoder = Encoder::default();
/// encoder.push(b"abc", &mut text);
/// encoder.finish(&mut text);
/// let mut decoder = Decoder::default();
/// decoder.push(&text, &mut bytes)?;
/// decoder.finish(&mut bytes)?;
/// assert_eq!(bytes, b"abc");
/// # Ok::<(), bulat_container::armor::Fault>(())
/// ```
#[derive(Default)]
pub struct Encoder {
    begun: bool,
    /// The bytes of a line that is not full.
    rest: Vec<u8>,
}

impl Encoder {
    /// Encodes bytes, and appends the text to `out`.
    pub fn push(&mut self, mut bytes: &[u8], out: &mut Vec<u8>) {
        if !self.begun {
            out.extend_from_slice(BEGIN.as_bytes());
            out.push(b'\n');
            self.begun = true;
        }
        if !self.rest.is_empty() {
            let (more, others) = bytes.split_at(bytes.len().min(BYTES - self.rest.len()));
            self.rest.extend_from_slice(more);
            bytes = others;
            if self.rest.len() < BYTES {
                return;
            }
            line(&self.rest, out);
            self.rest.clear();
        }
        let full = bytes.chunks_exact(BYTES);
        self.rest.extend_from_slice(full.remainder());
        full.for_each(|bytes| line(bytes, out));
    }

    /// Appends the end of the text to `out`.
    pub fn finish(mut self, out: &mut Vec<u8>) {
        self.push(&[], out);
        if !self.rest.is_empty() {
            line(&self.rest, out);
        }
        out.extend_from_slice(END.as_bytes());
        out.push(b'\n');
    }
}

/// Appends a line of at most 48 bytes.
fn line(bytes: &[u8], out: &mut Vec<u8>) {
    let at = out.len();
    out.resize(at + LINE, 0);
    let n = STANDARD.encode_slice(bytes, &mut out[at..]).expect("64 characters");
    out.truncate(at + n);
    out.push(b'\n');
}

/// Decodes armour. It refuses any text that an [`Encoder`] does not write, except that lines may end with CRLF, and the
/// last line with nothing; and that a byte-order mark and empty lines may come before the armour, and empty lines after
/// it.
#[derive(Default)]
pub struct Decoder {
    state: State,
    /// The beginning of a line.
    line: Vec<u8>,
    /// The number of lines before it.
    number: u64,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum State {
    /// The first line comes next.
    #[default]
    Begin,
    /// A full line or the end.
    Body,
    /// The end, after a line that was not full.
    Last,
    /// Nothing.
    End,
}

impl Decoder {
    /// Decodes a piece of the text, and appends the bytes to `out`.
    ///
    /// # Errors
    /// The first fault in the text; the decoder is of no use afterwards.
    pub fn push(&mut self, mut text: &[u8], out: &mut Vec<u8>) -> Result<(), Fault> {
        while let Some(end) = text.iter().position(|c| *c == b'\n') {
            let (line, rest) = (&text[..end], &text[end + 1..]);
            if self.line.is_empty() {
                self.fits(line.len())?;
                self.take(line, out)?;
            } else {
                let mut whole = std::mem::take(&mut self.line);
                self.keep(&mut whole, line)?;
                self.take(&whole, out)?;
                whole.clear();
                self.line = whole;
            }
            text = rest;
        }
        let mut line = std::mem::take(&mut self.line);
        self.keep(&mut line, text)?;
        self.line = line;
        Ok(())
    }

    /// Requires that the text was whole.
    ///
    /// # Errors
    /// [`Fault::Cut`], and [`Fault::Begin`] for a first line without a line end.
    pub fn finish(mut self, out: &mut Vec<u8>) -> Result<(), Fault> {
        let line = std::mem::take(&mut self.line);
        if !line.is_empty() {
            // Only the last line may have no end.
            if matches!(self.state, State::Body | State::Last) && line != END.as_bytes() {
                return Err(Fault::Cut);
            }
            self.take(&line, out)?;
        }
        if self.state == State::End { Ok(()) } else { Err(Fault::Cut) }
    }

    /// Appends to a line that has no end yet. Returns an error before the line grows without bounds.
    fn keep(&self, line: &mut Vec<u8>, more: &[u8]) -> Result<(), Fault> {
        self.fits(line.len() + more.len())?;
        line.extend_from_slice(more);
        Ok(())
    }

    /// Refuses a line of this many characters that is too long in any state.
    fn fits(&self, len: usize) -> Result<(), Fault> {
        match (self.state, len) {
            // A carriage return is the end of an empty line.
            (State::End, 2..) => Err(self.fault(AFTER)),
            (_, 0..=MOST) => Ok(()),
            _ => Err(self.fault(LONG)),
        }
    }

    /// Returns the fault of the present line.
    fn fault(&self, why: &'static str) -> Fault {
        match self.state {
            State::Begin => Fault::Begin,
            State::End => Fault::Around(self.number + 1, why),
            _ => Fault::Line(self.number + 1, why),
        }
    }

    /// Decodes a line.
    fn take(&mut self, line: &[u8], out: &mut Vec<u8>) -> Result<(), Fault> {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let mark: &[u8] = if self.number == 0 { mark::UTF8 } else { b"" };
        let line = line.strip_prefix(mark).unwrap_or(line);
        match (self.state, line) {
            (State::Begin | State::End, []) => {}
            (State::Begin, line) if line == BEGIN.as_bytes() => self.state = State::Body,
            (State::Begin, _) => return Err(Fault::Begin),
            (State::End, _) => return Err(self.fault(AFTER)),
            (_, line) if line == END.as_bytes() => self.state = State::End,
            (_, [b'-', ..]) => return Err(self.fault("it is neither Base64 nor the end")),
            (State::Last, _) => {
                return Err(Fault::Line(self.number, "it is not full, nor the last"));
            }
            (State::Body, []) => return Err(self.fault("it is empty")),
            (State::Body, line) if line.len() > LINE => return Err(self.fault(LONG)),
            (State::Body, line) => {
                let mut bytes = [0; BYTES];
                let n = STANDARD
                    .decode_slice(line, &mut bytes)
                    .map_err(|_| self.fault("it is not Base64, or not in its shortest form"))?;
                out.extend_from_slice(&bytes[..n]);
                if n < BYTES {
                    self.state = State::Last;
                }
            }
        }
        self.number += 1;
        Ok(())
    }
}

/// The characters of a line that a decoder keeps before it looks at them.
const MOST: usize = 2 * LINE;
const LONG: &str = "it has more than 64 characters";
const BEFORE: &str = "the armour begins here, after other text";
const BESIDE: &str = "the armour begins here, with other characters before it";
const AFTER: &str = "text follows the armour";

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded(bytes: &[u8], piece: usize) -> Vec<u8> {
        let (mut encoder, mut out) = (Encoder::default(), Vec::new());
        bytes.chunks(piece).for_each(|bytes| encoder.push(bytes, &mut out));
        encoder.finish(&mut out);
        out
    }

    fn decoded(text: &[u8], piece: usize) -> Result<Vec<u8>, Fault> {
        let (mut decoder, mut out) = (Decoder::default(), Vec::new());
        for text in text.chunks(piece) {
            decoder.push(text, &mut out)?;
        }
        decoder.finish(&mut out).map(|()| out)
    }

    #[test]
    fn any_bytes_in_any_pieces() {
        for n in (0..200).chain([4096, 5000]) {
            let bytes: Vec<u8> = (0..n).map(|i| (i * 37 + n) as u8).collect();
            let text = encoded(&bytes, 4096);
            assert_eq!(text.len() as u64, len(n as u64), "{n}");
            assert!(begins(&text) && text.is_ascii());
            for piece in [1, 2, 47, 48, 49, 63, 64, 65, 66, 1000] {
                assert_eq!(encoded(&bytes, piece), text, "{n} {piece}");
                assert_eq!(decoded(&text, piece).as_ref(), Ok(&bytes), "{n} {piece}");
            }
            let text = String::from_utf8(text).expect("text");
            let windows = text.replace('\n', "\r\n");
            let mail = format!("\u{feff}\r\n\n{windows}\r\n\n\r");
            assert!(begins(mail.as_bytes()));
            for other in
                [&windows, text.trim_end(), windows.trim_end(), &mail, &format!("\n{text}\n")]
            {
                for piece in [1, 7, 1000] {
                    assert_eq!(decoded(other.as_bytes(), piece).as_ref(), Ok(&bytes), "{n}");
                }
            }
        }
    }

    #[test]
    fn every_other_text_is_refused() {
        let full = "A".repeat(64);
        let with = |body: &str| format!("{BEGIN}\n{body}{END}\n");
        let line = |n, why| Fault::Line(n, why);
        let base64 = "it is not Base64, or not in its shortest form";
        for (text, fault) in [
            (String::new(), Fault::Cut),
            (BEGIN.into(), Fault::Cut),
            (format!("{BEGIN}\n"), Fault::Cut),
            (format!("{BEGIN}\n{full}\n"), Fault::Cut),
            (format!("{BEGIN}\n{full}\n-----END BULAT"), Fault::Cut),
            (format!("{BEGIN}\n{}", &full[..60]), Fault::Cut),
            (format!("{BEGIN}\n{}", &full[..59]), Fault::Cut),
            (format!(" {}", with("YWJj\n")), Fault::Begin),
            (format!("{BEGIN} \nYWJj\n{END}\n"), Fault::Begin),
            ("x".repeat(500), Fault::Begin),
            (format!("-----BEGIN BULAT KEY-----\nYWJj\n{END}\n"), Fault::Begin),
            (with("YWJj\n") + " ", Fault::Around(4, AFTER)),
            (with("YWJj\n") + "\r\r", Fault::Around(4, AFTER)),
            (with("YWJj\n") + "\n\nx", Fault::Around(6, AFTER)),
            (with("YWJj\n") + &with("YWJj\n"), Fault::Around(4, AFTER)),
            (format!("\n\u{feff}{}", with("YWJj\n")), Fault::Begin),
            ("\n".into(), Fault::Cut),
            (with("\nYWJj\n"), line(2, "it is empty")),
            (with("YWJj\n\n"), line(2, "it is not full, nor the last")),
            (with("YWJj\nYWJj\n"), line(2, "it is not full, nor the last")),
            (with(&format!("YWJj\n{full}\n")), line(2, "it is not full, nor the last")),
            (with(&format!("{full}YWJj\n")), line(2, LONG)),
            (with(&format!("{}\n", full.repeat(9))), line(2, LONG)),
            (with(&format!("YWJj\n-{full}{full}\n")), line(3, LONG)),
            (with("YWJ\n"), line(2, base64)),
            (with("YQ\n"), line(2, base64)),
            (with("YR==\n"), line(2, base64)),
            (with("YWI=YWJj\n"), line(2, base64)),
            (with("YW j\n"), line(2, base64)),
            (with("YWJj \n"), line(2, base64)),
            (with("YWJj\r\r\n"), line(2, base64)),
            (with("YW_j\n"), line(2, base64)),
            (with("Comment: x\n"), line(2, base64)),
            (format!("{BEGIN}\nYWJj\n{END}\r"), Fault::Cut),
            (
                with("YWJj\n").replace("-----END", "----END"),
                line(3, "it is neither Base64 nor the end"),
            ),
            (with("YWJj\n").replace("END", "end"), line(3, "it is neither Base64 nor the end")),
        ] {
            for piece in [1, 3, 1000] {
                assert_eq!(decoded(text.as_bytes(), piece), Err(fault), "{text:?} {piece}");
            }
        }
    }

    #[test]
    fn armour_that_is_not_first_is_found() {
        let wide = |text: &str| text.bytes().flat_map(|c| [c, 0]).collect::<Vec<u8>>();
        for (text, fault) in [
            (format!("a\nb\n{BEGIN}").into_bytes(), Some(Fault::Around(3, BEFORE))),
            (format!("> {BEGIN}\n> YWJj").into_bytes(), Some(Fault::Around(1, BESIDE))),
            (format!("a\n  {BEGIN}").into_bytes(), Some(Fault::Around(2, BESIDE))),
            (wide(&format!("\u{fffe}{BEGIN}")), Some(Fault::Utf16)),
            (b"-----BEGIN BULAT".to_vec(), None),
            (vec![], None),
        ] {
            assert!(!begins(&text));
            assert_eq!(misplaced(&text), fault, "{text:?}");
        }
    }

    #[test]
    fn each_text_has_one_reading() {
        // Every changed character gives other bytes, or no bytes.
        let bytes: Vec<u8> = (0..100).collect();
        let text = encoded(&bytes, 100);
        for at in 0..text.len() {
            for c in 0..=255 {
                let mut other = text.clone();
                other[at] = c;
                assert!(c == text[at] || decoded(&other, 1000).as_ref() != Ok(&bytes), "{at} {c}");
            }
        }
    }
}
