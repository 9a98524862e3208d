//! Hexadecimal digits, and the forms of key files. These functions process keys: no address and no branch depends on
//! the bytes, except for one result at the end (whether they are digits).

use zeroize::Zeroizing;

/// The fewest hexadecimal digits of a key. Fewer could be a short raw key, and `bulat key new` makes no key shorter
/// than half as many bytes.
pub const FEWEST: usize = 32;

/// The form of a key file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// This many digits, an even number, at least [`FEWEST`]; then a line end or nothing.
    Digits(usize),
    /// Digits mixed only with spaces, line ends, `0x` and the like, but not in the form of [`Form::Digits`]. Half as
    /// many digits as [`FEWEST`] are enough. 16 random bytes have this form with a chance of 2^-53.
    Nearly,
    /// Anything else: raw bytes.
    Bytes,
}

/// Returns all ones if a < b, else 0.
const fn below(a: u8, b: u8) -> u8 {
    ((a as u16).wrapping_sub(b as u16) >> 8) as u8
}

/// Returns all ones if a = b, else 0.
const fn equal(a: u8, b: u8) -> u8 {
    below(a ^ b, 1)
}

/// Returns the value of a digit, of either case, and all ones; for any other byte 0 and 0.
const fn digit(c: u8) -> (u8, u8) {
    // The bit 0x20 makes letters lower-case, and is set in decimal digits.
    let (decimal, letter) = (c.wrapping_sub(b'0'), (c | 0x20).wrapping_sub(b'a'));
    let (is_decimal, is_letter) = (below(decimal, 10), below(letter, 6));
    ((decimal & is_decimal) | (letter.wrapping_add(10) & is_letter), is_decimal | is_letter)
}

/// Decodes digits to the front of `bytes`. Returns 0 if all are digits. Ignores a last single digit.
pub fn decode(digits: &[u8], bytes: &mut [u8]) -> u8 {
    let mut wrong = 0;
    for (two, byte) in digits.chunks_exact(2).zip(bytes) {
        let ((high, a), (low, b)) = (digit(two[0]), digit(two[1]));
        *byte = high << 4 | low;
        wrong |= !(a & b);
    }
    wrong
}

/// Decodes hexadecimal digits of either case. Returns `None` for an empty slice, an odd number or any other byte.
pub fn unhex(digits: &[u8]) -> Option<Vec<u8>> {
    if digits.is_empty() || !digits.len().is_multiple_of(2) {
        return None;
    }
    // Full size at once: growing would leave copies of a key. Wiped if decoding fails.
    let mut bytes = Zeroizing::new(vec![0; digits.len() / 2]);
    let wrong = decode(digits, &mut bytes);
    (wrong == 0).then(|| std::mem::take(&mut *bytes))
}

/// Encodes bytes as lower-case hexadecimal digits.
pub fn encode(bytes: &[u8]) -> Vec<u8> {
    // 10 to 15 become a to f: 'a' is 39 places after '9' + 1.
    let digit = |v: u8| b'0' + v + (below(9, v) & 39);
    let mut digits = Vec::with_capacity(2 * bytes.len());
    digits.extend(bytes.iter().flat_map(|o| [digit(o >> 4), digit(o & 15)]));
    digits
}

/// Encodes bytes that are not secret as text.
pub fn hex(bytes: &[u8]) -> String {
    String::from_utf8(encode(bytes)).expect("digits")
}

/// Returns the forms that a key file may have, one bit each: 1, 2 and 4 for digits followed by nothing, LF or CRLF; 8
/// for digits and separators. It branches on no byte.
pub fn forms(bytes: &[u8]) -> u8 {
    let Some((front, &[before, last])) = bytes.split_last_chunk() else { return 0 };
    let (mut all, mut digits, mut others) = (0xff, 0, 0);
    for c in front {
        let (_, is) = digit(*c);
        all &= is;
        digits += usize::from(is & 1);
        others += usize::from(between(*c) & 1);
    }
    for c in [before, last] {
        digits += usize::from(digit(c).1 & 1);
        others += usize::from(between(c) & 1);
    }
    let (d, e) = (digit(before).1, digit(last).1);
    let (cr, lf) = (equal(before, b'\r'), equal(last, b'\n'));
    let nearly = usize::from(digits + others == bytes.len()) & usize::from(digits >= FEWEST / 2);
    all & (d & e & 1 | d & lf & 2 | cr & lf & 4) | (nearly as u8) << 3
}

/// Returns all ones for a character that people put before, between or after digits.
fn between(c: u8) -> u8 {
    // The last ones: the marks of UTF-8 and UTF-16, and the zero bytes of digits in UTF-16.
    const THESE: &[u8] = b" \t\r\n:-,_xX\xef\xbb\xbf\xfe\xff\0";
    THESE.iter().fold(0, |is, other| is | equal(c, *other))
}

/// Returns the form of a key file. 32 random bytes are all digits with a chance of 2^-113.
pub fn form(bytes: &[u8]) -> Form {
    let forms = forms(bytes);
    for (bit, end) in [(1, 0), (2, 1), (4, 2)] {
        let n = bytes.len().saturating_sub(end);
        if forms & bit != 0 && n >= FEWEST && n.is_multiple_of(2) {
            return Form::Digits(n);
        }
    }
    if forms & 8 != 0 { Form::Nearly } else { Form::Bytes }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_of_bytes() {
        let value = |c: u8| char::from(c).to_digit(16);
        for (a, b) in (0..=255).flat_map(|a| (0..=255).map(move |b| (a, b))) {
            let expected = value(a).zip(value(b)).map(|(a, b)| vec![(a << 4 | b) as u8]);
            assert_eq!(unhex(&[a, b]), expected);
        }
        assert_eq!((unhex(b""), unhex(b"1"), unhex(b"123")), (None, None, None));
        let bytes: Vec<u8> = (0..=255).collect();
        let digits: String = bytes.iter().map(|o| format!("{o:02x}")).collect();
        assert_eq!(hex(&bytes), digits);
        assert_eq!(unhex(digits.to_uppercase().as_bytes()), Some(bytes));
    }

    #[test]
    fn forms_of_key_files() {
        let digits = "0123456789abcdefFEDCBA9876543210";
        for (text, expected) in [
            (digits.to_string(), Form::Digits(32)),
            (format!("{digits}\n"), Form::Digits(32)),
            (format!("{digits}\r\n"), Form::Digits(32)),
            (format!("{digits}ff\r\n"), Form::Digits(34)),
            (format!("{digits}\n\n"), Form::Nearly),
            (format!("{digits}\r"), Form::Nearly),
            (format!("{digits}0"), Form::Nearly),
            (digits[..30].into(), Form::Nearly),
            (digits[..16].into(), Form::Nearly),
            (format!("0x{digits}"), Form::Nearly),
            (format!("\u{feff}{digits}"), Form::Nearly),
            (digits[..15].into(), Form::Bytes),
            (format!("{digits}g"), Form::Bytes),
            (format!("{digits}\u{b}"), Form::Bytes),
            (String::new(), Form::Bytes),
            ("\n".into(), Form::Bytes),
            ("\r\n".into(), Form::Bytes),
        ] {
            assert_eq!(form(text.as_bytes()), expected, "{text:?}");
        }
        // Replaces each of the 34 bytes in turn.
        for at in 0..34 {
            for c in 0..=255 {
                let mut text = format!("{digits}\r\n").into_bytes();
                text[at] = c;
                let line = text.strip_suffix(b"\r\n").or(text.strip_suffix(b"\n"));
                let line = line.unwrap_or(&text);
                let all = line.len() % 2 == 0 && line.iter().all(u8::is_ascii_hexdigit);
                let found = form(&text);
                assert_eq!(matches!(found, Form::Digits(_)), all, "{at} {c}");
                let near = c.is_ascii_hexdigit() || between(c) != 0;
                assert_eq!(found == Form::Nearly, near && !all, "{at} {c}");
            }
        }
    }
}
