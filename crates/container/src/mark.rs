//! Byte-order marks that Windows programs write before a text: PowerShell's `>`, `Out-File -Encoding utf8`, Notepad.

/// The byte-order mark of UTF-8.
pub const UTF8: &[u8] = b"\xef\xbb\xbf";
/// The byte-order marks of UTF-16, little and big endian.
const UTF16: [&[u8]; 2] = [b"\xff\xfe", b"\xfe\xff"];

/// Returns the name of the encoding if the text begins with a mark.
pub fn of(text: &[u8]) -> Option<&'static str> {
    if text.starts_with(UTF8) {
        return Some("UTF-8");
    }
    UTF16.iter().any(|mark| text.starts_with(mark)).then_some("UTF-16")
}

/// Returns whether a line, or a part of a line, is ASCII in UTF-16: it has the mark, or every other byte is zero.
pub fn utf16(line: &[u8]) -> bool {
    // More zeros than two names that end with a zero byte have, fewer than a checksum has digits.
    const ZEROS: usize = 32;
    let text = UTF16.iter().find_map(|mark| line.strip_prefix(*mark));
    let begin = &line[..line.len().min(3 * ZEROS)];
    let plain = |c: &u8| matches!(c, 0 | b'\t' | b'\r' | b' '..=b'~');
    text.is_some() || begin.iter().all(plain) && begin.iter().filter(|c| **c == 0).count() >= ZEROS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_named() {
        assert_eq!(of("\u{feff}text".as_bytes()), Some("UTF-8"));
        assert_eq!((of(b"\xff\xfet\0"), of(b"\xfe\xff\0t")), (Some("UTF-16"), Some("UTF-16")));
        assert_eq!((of(b""), of(b"\xef\xbb"), of(b"text")), (None, None, None));
    }

    #[test]
    fn utf16_is_told_from_lines_that_end_with_zeros() {
        let digits = "0123456789abcdef".repeat(4);
        let line = format!("{digits}  name\r");
        let wide = |zero_first: bool| -> Vec<u8> {
            line.bytes().flat_map(|c| if zero_first { [0, c] } else { [c, 0] }).collect()
        };
        assert!(utf16(&wide(false)) && utf16(&wide(true)));
        assert!(utf16(&wide(true)[1..]), "the second half of a line feed comes before a line");
        assert!(utf16(b"\xff\xfe#\0"));
        let many = format!("A (a) = {digits}\0").repeat(100);
        assert!(!utf16(many.as_bytes()) && !utf16(line.as_bytes()) && !utf16(&[0; 8]));
    }
}
