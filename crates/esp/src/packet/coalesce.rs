//! Packets of a flow that follow each other become a super-packet for the TUN.

use arrayvec::ArrayVec;

use super::fragment::finish;
use super::ip::{TCP, UDP};
use super::sum::Sum;
use super::vnet::{self, Kind, Vnet};
use super::{at, put, word};

/// TCP's flags.
const PSH: u8 = 0x08;
const ACK: u8 = 0x10;
/// The longest headers: IPv6's, TCP's with options.
const HEADERS: usize = 100;
/// The most segments of UDP in a super-packet that all kernels allow.
const MOST_UDP: usize = 64;

/// The parts of a packet.
#[derive(Clone, Copy)]
struct Shape {
    v6: bool,
    protocol: u8,
    /// Where TCP or UDP begins, and where its payload.
    upper: usize,
    head: usize,
    /// The bytes of payload.
    payload: usize,
}

impl Shape {
    /// TCP with ACK, perhaps PSH, and no other flag, or UDP; no options of IP, no fragments, and some payload.
    fn of(packet: &[u8]) -> Option<Self> {
        let (v6, upper, protocol, len) = match packet.first()? {
            0x45 if word(packet, 6)? & 0x3fff == 0 => {
                (false, 20, *packet.get(9)?, usize::from(word(packet, 2)?))
            }
            first if first >> 4 == 6 => {
                (true, 40, *packet.get(6)?, 40 + usize::from(word(packet, 4)?))
            }
            _ => return None,
        };
        let head = match protocol {
            TCP => {
                let [place, flags] = at(packet, upper + 12)?;
                if flags & !PSH != ACK || place & 15 != 0 || place < 0x50 {
                    return None;
                }
                upper + usize::from(place >> 4) * 4
            }
            // Without a checksum nothing tells a broken packet.
            UDP if word(packet, upper + 6)? != 0
                && usize::from(word(packet, upper + 4)?) == len.checked_sub(upper)? =>
            {
                upper + 8
            }
            _ => return None,
        };
        let payload = packet.len().checked_sub(head).filter(|payload| *payload > 0)?;
        (len == packet.len()).then_some(Shape { v6, protocol, upper, head, payload })
    }

    /// Tells whether the packet's checksums are right.
    fn verified(&self, packet: &[u8]) -> bool {
        let upper = packet.get(self.upper..).unwrap_or_default();
        let pseudo = Sum::pseudo(packet, self.protocol, upper.len());
        let ip = packet.get(..self.upper).unwrap_or_default();
        pseudo.plus(upper).fold() == [0xff; 2]
            && (self.v6 || Sum::default().plus(ip).fold() == [0xff; 2])
    }
}

/// A run of packets of a flow.
pub struct Run<'a> {
    first: &'a [u8],
    shape: Shape,
    /// The first packet's checksums: not verified yet, or the answer.
    verified: Option<bool>,
    count: usize,
    payload: usize,
    /// The step of IPv4's ID from packet to packet.
    step: u16,
    push: u8,
    ended: bool,
}

impl<'a> Run<'a> {
    /// Begins a run. None: the packet cannot be a part of a super-packet.
    pub fn begin(first: &'a [u8]) -> Option<Self> {
        let shape = Shape::of(first)?;
        let push = match shape.protocol {
            TCP => *first.get(shape.upper + 13)? & PSH,
            _ => 0,
        };
        let payload = shape.payload;
        let (verified, count, step, ended) = (None, 1, 1, push != 0);
        Some(Run { first, shape, verified, count, payload, step, push, ended })
    }

    /// Adds the next packet. False: it does not belong to the run.
    pub fn add(&mut self, next: &[u8]) -> bool {
        self.try_add(next).is_some()
    }

    fn try_add(&mut self, next: &[u8]) -> Option<()> {
        let (first, shape) = (self.first, self.shape);
        if self.ended {
            return None;
        }
        let other = Shape::of(next)?;
        let like = other.v6 == shape.v6
            && other.protocol == shape.protocol
            && other.head == shape.head
            && other.payload <= shape.payload
            && shape.head + self.payload + other.payload <= 65535
            && (shape.protocol == TCP || self.count < MOST_UDP);
        let equal = |from: usize, to: usize| {
            first.get(from..to).is_some_and(|bytes| next.get(from..to) == Some(bytes))
        };
        let upper = shape.upper;
        // Everything but lengths, the ID, sums, and TCP's sequence number and PSH.
        let ip = match shape.v6 {
            true => equal(0, 4) && equal(6, 40),
            false => equal(0, 2) && equal(6, 10) && equal(12, 20),
        };
        if !like || !ip || !equal(upper, upper + 4) {
            return None;
        }
        let mut step = self.step;
        if !shape.v6 {
            // With DF an ID may stay (RFC 6864, 4.1), and does so in Linux.
            let (id, other) = (word(first, 4)?, word(next, 4)?);
            let whole = first.get(6)? & 0x40 != 0;
            if self.count == 1 && whole && id == other {
                step = 0;
            }
            if id.wrapping_add(step.wrapping_mul(self.count as u16)) != other {
                return None;
            }
        }
        if shape.protocol == TCP {
            let number = |packet| at(packet, upper + 4).map(u32::from_be_bytes);
            let follows = number(next)? == number(first)?.wrapping_add(self.payload as u32);
            if !follows
                || !equal(upper + 8, upper + 13)
                || !equal(upper + 14, upper + 16)
                || !equal(upper + 18, shape.head)
            {
                return None;
            }
        }
        // A super-packet gets new checksums: a broken packet would seem right.
        let good = *self.verified.get_or_insert_with(|| shape.verified(first));
        if !good || !other.verified(next) {
            self.ended |= !good;
            return None;
        }
        if shape.protocol == TCP {
            self.push = *next.get(upper + 13)? & PSH;
        }
        (self.count, self.payload, self.step) =
            (self.count + 1, self.payload + other.payload, step);
        self.ended = self.push != 0 || other.payload < shape.payload;
        Some(())
    }

    /// The number of packets.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The length of each packet's headers.
    pub fn head(&self) -> usize {
        self.shape.head
    }

    /// Tells whether the run is of UDP.
    pub fn is_udp(&self) -> bool {
        self.shape.protocol == UDP
    }

    /// The TUN's header for a run of a single packet.
    pub fn single(&self) -> [u8; vnet::LEN] {
        let flags = if self.verified == Some(true) { vnet::CHECKSUM_VALID } else { 0 };
        Vnet { flags, ..Vnet::default() }.bytes()
    }

    /// The TUN's header and the super-packet's headers; the payloads of the packets follow.
    pub fn headers(&self) -> ArrayVec<u8, { vnet::LEN + HEADERS }> {
        let Shape { v6, protocol, upper, head, payload } = self.shape;
        let (kind, offset) = match (protocol, v6) {
            (TCP, false) => (Kind::Tcp4, 16),
            (TCP, true) => (Kind::Tcp6, 16),
            _ => (Kind::Udp, 6),
        };
        let vnet = Vnet {
            flags: vnet::NEEDS_CHECKSUM,
            kind,
            header: head as u16,
            segment: payload as u16,
            start: upper as u16,
            offset: offset as u16,
        };
        let mut out = ArrayVec::new();
        // Both have room: TCP's headers have 60 bytes at most.
        let _ = out.try_extend_from_slice(&vnet.bytes());
        let _ = out.try_extend_from_slice(self.first.get(..head).unwrap_or_default());
        let len = head + self.payload;
        let Some(bytes) = out.get_mut(vnet::LEN..) else { return out };
        match v6 {
            true => put(bytes, 4, (len as u16).wrapping_sub(40).to_be_bytes()),
            false => {
                put(bytes, 2, (len as u16).to_be_bytes());
                if let Some(ip) = bytes.get_mut(..upper) {
                    finish(ip);
                }
            }
        }
        match protocol {
            TCP => put(bytes, upper + 13, [ACK | self.push]),
            _ => put(bytes, upper + 4, ((len - upper) as u16).to_be_bytes()),
        }
        // The sum of the pseudo-header, not its complement.
        let sum = Sum::pseudo(bytes, protocol, len - upper).fold();
        put(bytes, upper + offset, sum);
        out
    }
}
