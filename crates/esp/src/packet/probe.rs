//! The text of a probe: a dummy packet (RFC 4303, 2.6), which other programs discard.
//! docs/NETWORK.md, "Probes of the path", has its bytes.

use super::at;

/// The first bytes.
pub const MARKER: [u8; 8] = *b"bulatMTU";
/// The length of the text.
pub const LEN: usize = 20;

/// A probe, or the answer to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    /// It answers, and does not ask.
    pub answers: bool,
    /// The bytes of the asking packet of ESP.
    pub len: u16,
    /// The identifier.
    pub id: [u8; 8],
}

impl Message {
    /// Reads the text of a dummy packet. None: it is another's.
    pub fn read(text: &[u8]) -> Option<Self> {
        let answers = match at(text, 8)? {
            [1, 1] => false,
            [1, 2] => true,
            _ => return None,
        };
        let (len, id) = (u16::from_be_bytes(at(text, 10)?), at(text, 12)?);
        text.starts_with(&MARKER).then_some(Message { answers, len, id })
    }

    /// The text.
    pub fn bytes(&self) -> [u8; LEN] {
        let ([a, b, c, d, e, f, g, h], [i, j]) = (MARKER, self.len.to_be_bytes());
        let [k, l, m, n, o, p, q, r] = self.id;
        let kind = 1 + u8::from(self.answers);
        [a, b, c, d, e, f, g, h, 1, kind, i, j, k, l, m, n, o, p, q, r]
    }
}
