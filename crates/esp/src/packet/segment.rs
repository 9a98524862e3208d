//! Super-packets of the TUN become packets; checksums are completed.

use super::ip::{Inner, TCP, UDP};
use super::sum::Sum;
use super::vnet::{self, Kind, Vnet};
use super::{at, fragment, put, word};

/// TCP's flags.
const FIN: u8 = 0x01;
const PSH: u8 = 0x08;
const CWR: u8 = 0x80;

/// The length of the longest packet that [`segment`] makes; none: it makes none.
pub fn longest(vnet: &Vnet, packet: &[u8], inner: &Inner) -> Option<usize> {
    match vnet.kind {
        Kind::Single => Some(inner.len),
        _ => {
            let head = headers(vnet, packet, inner)?;
            Some(inner.len.min(head + usize::from(vnet.segment)))
        }
    }
}

/// The length of the headers of a super-packet.
fn headers(vnet: &Vnet, packet: &[u8], inner: &Inner) -> Option<usize> {
    let upper = match (vnet.kind, inner.flow.protocol, inner.v6) {
        (Kind::Tcp4, TCP, false) | (Kind::Tcp6, TCP, true) => {
            Some(usize::from(*packet.get(inner.header + 12)? >> 4) * 4).filter(|len| *len >= 20)?
        }
        (Kind::Udp, UDP, _) => 8,
        _ => return None,
    };
    let head = inner.header + upper;
    (vnet.segment > 0 && !inner.fragment && head <= inner.len).then_some(head)
}

/// Gives header and payload of each packet. Returns false, without a packet, if header and packet contradict each other.
/// The packet's own headers change.
pub fn segment(
    vnet: &Vnet,
    packet: &mut [u8],
    inner: &Inner,
    mut emit: impl FnMut(&[u8], &[u8]),
) -> bool {
    let Some(packet) = packet.get_mut(..inner.len) else { return false };
    if vnet.kind == Kind::Single {
        let fine = vnet.flags & vnet::NEEDS_CHECKSUM == 0 || complete(vnet, packet);
        if fine {
            emit(packet, &[]);
        }
        return fine;
    }
    let Some(head) = headers(vnet, packet, inner) else { return false };
    let Some((head, payload)) = packet.split_at_mut_checked(head) else { return false };
    let (l4, tcp) = (inner.header, inner.flow.protocol == TCP);
    let (Some(id), Some(sequence), Some(flags)) = (
        word(head, 4),
        at(head, l4 + 4).map(u32::from_be_bytes),
        head.get(l4 + 13).copied().or((!tcp).then_some(0)),
    ) else {
        return false;
    };
    let size = usize::from(vnet.segment);
    let count = payload.len().div_ceil(size).max(1);
    let mut pieces = payload.chunks(size);
    for index in 0..count {
        let piece = pieces.next().unwrap_or_default();
        let len = head.len() + piece.len();
        if !inner.v6 {
            put(head, 2, (len as u16).to_be_bytes());
            put(head, 4, id.wrapping_add(index as u16).to_be_bytes());
            if let Some(ip) = head.get_mut(..l4) {
                fragment::finish(ip);
            }
        } else {
            put(head, 4, (len as u16).wrapping_sub(40).to_be_bytes());
        }
        let field = if tcp {
            let mut now = flags;
            if index + 1 < count {
                now &= !(FIN | PSH);
            }
            if index > 0 {
                now &= !CWR;
            }
            put(head, l4 + 13, [now]);
            put(head, l4 + 4, sequence.wrapping_add((index * size) as u32).to_be_bytes());
            l4 + 16
        } else {
            put(head, l4 + 4, ((len - l4) as u16).to_be_bytes());
            l4 + 6
        };
        put(head, field, [0, 0]);
        let sum = Sum::pseudo(head, inner.flow.protocol, len - l4);
        let sum = sum.plus(head.get(l4..).unwrap_or_default()).plus(piece);
        put(head, field, if tcp { sum.checksum() } else { sum.udp_checksum() });
        emit(head, piece);
    }
    true
}

/// Completes a checksum: its field has the sum of the pseudo-header.
fn complete(vnet: &Vnet, packet: &mut [u8]) -> bool {
    let (start, offset) = (usize::from(vnet.start), usize::from(vnet.offset));
    let Some(bytes) = packet.get_mut(start..).filter(|bytes| bytes.len() >= offset + 2) else {
        return false;
    };
    // At 6 is UDP's: 0 is no checksum.
    let sum = Sum::default().plus(bytes);
    put(bytes, offset, if offset == 6 { sum.udp_checksum() } else { sum.checksum() });
    true
}
