//! The end of a payload (RFC 4303, section 2.4 to 2.6): padding, its length, the next header.

use crate::Error;

/// Returns the length of the payload for a text of this length, with the least padding: a multiple of 4 bytes.
pub const fn payload_len(text: usize) -> usize {
    (text + 2).next_multiple_of(4)
}

/// Writes the end of a payload after its text: the padding 1, 2, 3 .., its length, and the number of the next header (4
/// and 41: IPv4 and IPv6 in a tunnel; 59: a dummy packet).
///
/// # Errors
/// [`Error::BufferLength`] unless the payload is a multiple of 4 bytes, 2 to 257 longer than the text.
pub fn pad(payload: &mut [u8], text: usize, next_header: u8) -> Result<(), Error> {
    let whole = payload.len().is_multiple_of(4);
    let (_, end) = payload.split_at_mut_checked(text).ok_or(Error::BufferLength)?;
    let ([padding @ .., len, next], true) = (end, whole) else { return Err(Error::BufferLength) };
    *len = padding.len().try_into().map_err(|_| Error::BufferLength)?;
    *next = next_header;
    for (byte, n) in padding.iter_mut().zip(1..=255) {
        *byte = n;
    }
    Ok(())
}

/// The parts of a payload that was opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trailer {
    /// The length of the text in bytes, with padding for traffic flow confidentiality, which the text's own length ends.
    pub text: usize,
    /// The number of the next header.
    pub next_header: u8,
}

impl Trailer {
    /// Reads the end of a payload that [`open`](super::open) has checked: its sender may be wrong nevertheless.
    ///
    /// # Errors
    /// [`Error::Padding`] if the payload is shorter than its padding, or the padding is not 1, 2, 3 ..
    pub fn of(payload: &[u8]) -> Result<Self, Error> {
        let [text @ .., len, next_header] = payload else { return Err(Error::Padding) };
        let text_len = text.len().checked_sub((*len).into()).ok_or(Error::Padding)?;
        match text[text_len..].iter().zip(1..=255).all(|(byte, n)| *byte == n) {
            true => Ok(Trailer { text: text_len, next_header: *next_header }),
            false => Err(Error::Padding),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        for text in 0..300 {
            let least = payload_len(text);
            assert!(least.is_multiple_of(4) && (2..6).contains(&(least - text)));
            for len in (0..text + 300).filter(|len| *len != 0) {
                let mut payload = [0xaa; 600];
                let payload = &mut payload[..len];
                let fits = len.is_multiple_of(4) && (text + 2..=text + 257).contains(&len);
                assert_eq!(pad(payload, text, 41).is_ok(), fits, "{text} in {len}");
                if fits {
                    assert_eq!(Trailer::of(payload), Ok(Trailer { text, next_header: 41 }));
                    // Each byte of the padding counts.
                    for at in text..len - 2 {
                        payload[at] ^= 1;
                        assert_eq!(Trailer::of(payload), Err(Error::Padding));
                        payload[at] ^= 1;
                    }
                }
            }
        }
    }

    #[test]
    fn payloads_of_any_bytes_are_read_without_a_panic() {
        assert_eq!(Trailer::of(&[]), Err(Error::Padding));
        assert_eq!(Trailer::of(&[0]), Err(Error::Padding));
        assert_eq!(Trailer::of(&[0, 59]), Ok(Trailer { text: 0, next_header: 59 }));
        for len in 0..=255 {
            for short in 2..=len + 1 {
                let mut payload = [0; 300];
                payload[short - 2] = len as u8;
                assert_eq!(Trailer::of(&payload[..short]), Err(Error::Padding));
            }
        }
    }
}
