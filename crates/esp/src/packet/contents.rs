//! The contents of a genuine packet of ESP: its sender may be wrong nevertheless, or want a fault.

use bulat::esp::Trailer;

use super::ip::Inner;
use super::probe::Message;

/// The next header of a dummy packet (RFC 4303, 2.6).
pub const DUMMY: u8 = 59;

/// The contents.
#[derive(Debug, PartialEq, Eq)]
pub enum Contents<'a> {
    /// Nothing, or a message about the path.
    Dummy(Option<Message>),
    /// An inner packet. Padding for traffic flow confidentiality behind it is cut off.
    Packet(Inner, &'a mut [u8]),
}

impl<'a> Contents<'a> {
    /// Reads a payload that was decrypted. None: the padding, the next header or the inner packet is wrong.
    pub fn of(payload: &'a mut [u8]) -> Option<Self> {
        let Trailer { text, next_header } = Trailer::of(payload).ok()?;
        let text = payload.get_mut(..text)?;
        if next_header == DUMMY {
            return Some(Contents::Dummy(Message::read(text)));
        }
        let inner = Inner::of(text).filter(|inner| inner.next_header() == next_header)?;
        Some(Contents::Packet(inner, text.get_mut(..inner.len)?))
    }
}
