//! A container as text.

use bulat_container::armor::{Decoder, Encoder, Fault};

fn decoded(text: &[u8], piece: usize) -> Result<Vec<u8>, Fault> {
    let (mut decoder, mut out) = (Decoder::default(), Vec::new());
    for text in text.chunks(piece) {
        decoder.push(text, &mut out)?;
    }
    decoder.finish(&mut out).map(|()| out)
}

/// Any text is armour or not, in pieces of any size; armour is written back equal but for its line ends and what may come
/// around it. Returns whether it is armour.
pub fn text(input: &[u8]) -> bool {
    let result = decoded(input, input.len().max(1));
    assert_eq!(decoded(input, 1), result);
    assert_eq!(decoded(input, 61), result);
    let Ok(bytes) = result else { return false };
    let (mut encoder, mut out) = (Encoder::default(), Vec::new());
    encoder.push(&bytes, &mut out);
    encoder.finish(&mut out);
    let input = input.strip_prefix("\u{feff}".as_bytes()).unwrap_or(input);
    let plain: Vec<u8> = input.iter().copied().filter(|c| *c != b'\r').collect();
    assert_eq!(out.trim_ascii(), plain.trim_ascii());
    true
}
