//! IPv4 fragments (RFC 791, section 3.2).

use super::sum::Sum;
use super::{put, word};

/// Cuts an IPv4 packet without DF into fragments of at most `mtu` bytes: header and payload of each. Returns false,
/// without a fragment, for a packet or an MTU that allows none.
///
/// `packet` ends where its header says; `header` is its length. A fragment can be cut again.
pub fn fragment(
    packet: &[u8],
    header: usize,
    mtu: usize,
    mut emit: impl FnMut(&[u8], &[u8]),
) -> bool {
    let Some((head, payload)) = packet.split_at_checked(header) else { return false };
    let room = mtu.saturating_sub(header) & !7;
    let (Some(place), true) = (word(head, 6), room > 0 && (20..=60).contains(&header)) else {
        return false;
    };
    let mut first = [0; 60];
    let mut later = [0; 60];
    let later_len = later_header(head, &mut later);
    let Some(first) = first.get_mut(..header) else { return false };
    first.copy_from_slice(head);
    let mut done = 0;
    for (index, piece) in payload.chunks(room).enumerate() {
        let head =
            if index == 0 { &mut *first } else { later.get_mut(..later_len).unwrap_or_default() };
        let last = done + piece.len() == payload.len();
        let more = if last { place & 0x2000 } else { 0x2000 };
        let offset = (place & 0x1fff).wrapping_add((done / 8) as u16) & 0x1fff;
        put(head, 2, ((head.len() + piece.len()) as u16).to_be_bytes());
        put(head, 6, (place & 0xc000 | more | offset).to_be_bytes());
        finish(head);
        emit(head, piece);
        done += piece.len();
    }
    true
}

/// Writes the checksum of an IPv4 header.
pub fn finish(head: &mut [u8]) {
    put(head, 10, [0, 0]);
    let sum = Sum::default().plus(head).checksum();
    put(head, 10, sum);
}

/// The header of fragments after the first: with options that are to be copied. Returns its length.
fn later_header(head: &[u8], out: &mut [u8; 60]) -> usize {
    let (fixed, mut options) = head.split_at(20);
    let (start, rest) = out.split_at_mut(20);
    start.copy_from_slice(fixed);
    let mut used = 0;
    while let [kind, more @ ..] = options {
        let len = match (kind, more) {
            (0, _) => break,
            (1, _) => 1,
            (_, [len, ..]) if *len >= 2 => usize::from(*len),
            _ => break,
        };
        let Some((option, after)) = options.split_at_checked(len) else { break };
        if kind & 0x80 != 0
            && let Some(place) = rest.get_mut(used..used + len)
        {
            place.copy_from_slice(option);
            used += len;
        }
        options = after;
    }
    // Zeros end the list.
    let used = used.next_multiple_of(4);
    start[0] = 0x40 | (5 + used / 4) as u8;
    20 + used
}
