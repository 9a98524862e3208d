//! Hexadecimal digits, and what a key file holds. Keys come this way: no address and no branch depends on what
//! the bytes are, but for one verdict at the end (are these digits?).

use zeroize::Zeroizing;

/// The fewest hexadecimal digits that are taken for a key's. Fewer could well be a short raw key, and
/// `bulat key new` makes no key of less than half as many bytes.
pub const FEWEST: usize = 32;

/// What a key file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// So many digits, an even number, at least [`FEWEST`]; then a line end or none.
    Digits(usize),
    /// Digits for a reader, and nothing else but spaces, line ends, `0x` and the like; yet not in the form of
    /// [`Form::Digits`]. Half as many as [`FEWEST`] are enough. In 16 random bytes this is found once in 2^53.
    Nearly,
    /// Anything else: the bytes themselves.
    Octets,
}

/// All ones if a < b, else 0.
const fn below(a: u8, b: u8) -> u8 {
    ((a as u16).wrapping_sub(b as u16) >> 8) as u8
}

/// All ones if a = b, else 0.
const fn equal(a: u8, b: u8) -> u8 {
    below(a ^ b, 1)
}

/// The value of a digit of either case, with all ones; of anything else 0, with 0.
const fn digit(c: u8) -> (u8, u8) {
    // The bit 0x20 tells small letters from capitals, and is set in decimal digits.
    let (decimal, letter) = (c.wrapping_sub(b'0'), (c | 0x20).wrapping_sub(b'a'));
    let (is_decimal, is_letter) = (below(decimal, 10), below(letter, 6));
    ((decimal & is_decimal) | (letter.wrapping_add(10) & is_letter), is_decimal | is_letter)
}

/// The digits' bytes, to the front of `octets`; 0 if all are digits. A digit that is left over is not looked at.
pub fn decode(digits: &[u8], octets: &mut [u8]) -> u8 {
    let mut wrong = 0;
    for (two, octet) in digits.chunks_exact(2).zip(octets) {
        let ((high, a), (low, b)) = (digit(two[0]), digit(two[1]));
        *octet = high << 4 | low;
        wrong |= !(a & b);
    }
    wrong
}

/// The bytes of hexadecimal digits of either case; `None` for none or an odd number of them, or for
/// anything else.
pub fn unhex(digits: &[u8]) -> Option<Vec<u8>> {
    if digits.is_empty() || !digits.len().is_multiple_of(2) {
        return None;
    }
    // Of the full size at once: growth would leave copies of a key. And wiped, if it is given up.
    let mut octets = Zeroizing::new(vec![0; digits.len() / 2]);
    let wrong = decode(digits, &mut octets);
    (wrong == 0).then(|| std::mem::take(&mut *octets))
}

/// Lower-case hexadecimal digits.
pub fn encode(octets: &[u8]) -> Vec<u8> {
    // 10 to 15 become a to f, which stand 39 places after 9.
    let digit = |v: u8| b'0' + v + (below(9, v) & 39);
    let mut digits = Vec::with_capacity(2 * octets.len());
    digits.extend(octets.iter().flat_map(|o| [digit(o >> 4), digit(o & 15)]));
    digits
}

/// The same as text, for what is not secret.
pub fn hex(octets: &[u8]) -> String {
    String::from_utf8(encode(octets)).expect("digits")
}

/// Which forms a key file may have, a bit each: 1, 2 and 4: digits, then nothing, LF, CRLF; 8: digits and what
/// may stand between them. Without a branch on any byte.
pub fn forms(octets: &[u8]) -> u8 {
    let Some((front, &[before, last])) = octets.split_last_chunk() else { return 0 };
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
    let nearly = usize::from(digits + others == octets.len()) & usize::from(digits >= FEWEST / 2);
    all & (d & e & 1 | d & lf & 2 | cr & lf & 4) | (nearly as u8) << 3
}

/// What may stand before, between and after digits that somebody wrote: all ones.
fn between(c: u8) -> u8 {
    // The last: the marks of UTF-8 and UTF-16, and the other half of UTF-16's digits.
    const THESE: &[u8] = b" \t\r\n:-,_xX\xef\xbb\xbf\xfe\xff\0";
    THESE.iter().fold(0, |is, other| is | equal(c, *other))
}

/// What a key file holds, by its bytes. At random, 32 raw bytes are all digits once in 2^113.
pub fn form(octets: &[u8]) -> Form {
    let forms = forms(octets);
    for (bit, end) in [(1, 0), (2, 1), (4, 2)] {
        let n = octets.len().saturating_sub(end);
        if forms & bit != 0 && n >= FEWEST && n.is_multiple_of(2) {
            return Form::Digits(n);
        }
    }
    if forms & 8 != 0 { Form::Nearly } else { Form::Octets }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_of_octets() {
        let value = |c: u8| char::from(c).to_digit(16);
        for (a, b) in (0..=255).flat_map(|a| (0..=255).map(move |b| (a, b))) {
            let expected = value(a).zip(value(b)).map(|(a, b)| vec![(a << 4 | b) as u8]);
            assert_eq!(unhex(&[a, b]), expected);
        }
        assert_eq!((unhex(b""), unhex(b"1"), unhex(b"123")), (None, None, None));
        let octets: Vec<u8> = (0..=255).collect();
        let digits: String = octets.iter().map(|o| format!("{o:02x}")).collect();
        assert_eq!(hex(&octets), digits);
        assert_eq!(unhex(digits.to_uppercase().as_bytes()), Some(octets));
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
            (digits[..15].into(), Form::Octets),
            (format!("{digits}g"), Form::Octets),
            (format!("{digits}\u{b}"), Form::Octets),
            (String::new(), Form::Octets),
            ("\n".into(), Form::Octets),
            ("\r\n".into(), Form::Octets),
        ] {
            assert_eq!(form(text.as_bytes()), expected, "{text:?}");
        }
        // One byte of 34 that is another.
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
