//! The headers of an inner packet.

use std::net::IpAddr;

use super::sum::Sum;
use super::{at, put, word};
use crate::address::Flow;

/// TCP's number.
pub const TCP: u8 = 6;
/// UDP's number.
pub const UDP: u8 = 17;
/// ICMP's number.
pub const ICMP: u8 = 1;
/// ICMPv6's number.
pub const ICMP6: u8 = 58;
/// ESP's number.
pub const ESP: u8 = 50;

/// An inner packet, as far as the path must know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inner {
    /// IPv6, not IPv4.
    pub v6: bool,
    /// The length of the packet, as its header says; the bytes are at least as long.
    pub len: usize,
    /// The length of the headers of IP, with extension headers.
    pub header: usize,
    /// The packet is a fragment, but not the first.
    pub later_fragment: bool,
    /// The packet is a fragment.
    pub fragment: bool,
    /// IPv4's DF; IPv6 never fragments on the way.
    pub whole: bool,
    /// DSCP and ECN.
    pub tos: u8,
    /// Addresses, protocol and ports, by which policies select packets.
    pub flow: Flow,
}

impl Inner {
    /// Reads the headers. None: it is no IP packet, its lengths contradict each other, or it is too short for its ports.
    pub fn of(packet: &[u8]) -> Option<Self> {
        match packet.first()? >> 4 {
            4 => Self::v4(packet),
            6 => Self::v6(packet),
            _ => None,
        }
    }

    fn v4(packet: &[u8]) -> Option<Self> {
        let fixed: [u8; 20] = at(packet, 0)?;
        let header = usize::from(fixed[0] & 15) * 4;
        let len = usize::from(u16::from_be_bytes([fixed[2], fixed[3]]));
        let place = u16::from_be_bytes([fixed[6], fixed[7]]);
        if header < 20 || len < header || packet.len() < len {
            return None;
        }
        let protocol = fixed[9];
        let later_fragment = place & 0x1fff != 0;
        let upper = packet.get(header..len)?;
        let (source_port, destination_port) = ports(protocol, upper, later_fragment)?;
        let address = |index| at::<4>(packet, index).map(IpAddr::from);
        let (source, destination) = (address(12)?, address(16)?);
        Some(Inner {
            v6: false,
            len,
            header,
            later_fragment,
            fragment: place & 0x3fff != 0,
            whole: place & 0x4000 != 0,
            tos: fixed[1],
            flow: Flow { source, destination, protocol, source_port, destination_port },
        })
    }

    fn v6(packet: &[u8]) -> Option<Self> {
        let fixed: [u8; 40] = at(packet, 0)?;
        let len = 40 + usize::from(u16::from_be_bytes([fixed[4], fixed[5]]));
        let packet = packet.get(..len)?;
        let (mut header, mut protocol) = (40, fixed[6]);
        let (mut fragment, mut later_fragment) = (false, false);
        // Hop-by-hop options, routing, fragment, destination options (RFC 8200, 4.1): a packet has each once at most,
        // and two of the last.
        for _ in 0..8 {
            let bytes = match protocol {
                0 | 43 | 60 => (usize::from(*packet.get(header + 1)?) + 1) * 8,
                44 => {
                    fragment = true;
                    later_fragment = word(packet, header + 2)? & 0xfff8 != 0;
                    8
                }
                _ => break,
            };
            protocol = *packet.get(header)?;
            header += bytes;
            // Behind a later fragment's header are bytes of the middle.
            if later_fragment {
                break;
            }
        }
        let upper = packet.get(header..)?;
        let (source_port, destination_port) = ports(protocol, upper, later_fragment)?;
        let address = |index| at::<16>(packet, index).map(IpAddr::from);
        let (source, destination) = (address(8)?, address(24)?);
        Some(Inner {
            v6: true,
            len,
            header,
            later_fragment,
            fragment,
            whole: true,
            tos: fixed[0] << 4 | fixed[1] >> 4,
            flow: Flow { source, destination, protocol, source_port, destination_port },
        })
    }

    /// The number of the packet in ESP's next header.
    pub fn next_header(&self) -> u8 {
        if self.v6 { 41 } else { 4 }
    }
}

/// The ports of TCP, DCCP, UDP, SCTP and UDP-Lite; type and code of ICMP.
fn ports(protocol: u8, upper: &[u8], later_fragment: bool) -> Option<(u16, u16)> {
    match protocol {
        _ if later_fragment => Some((0, 0)),
        TCP | 33 | UDP | 132 | 136 => Some((word(upper, 0)?, word(upper, 2)?)),
        ICMP | ICMP6 => Some((0, word(upper, 0)?)),
        _ => Some((0, 0)),
    }
}

/// Sets DSCP and ECN. IPv4's checksum changes with them, so that a wrong checksum stays wrong.
pub fn set_tos(packet: &mut [u8], tos: u8) {
    let Some([first, second]) = at::<2>(packet, 0) else { return };
    if first >> 4 != 4 {
        put(packet, 0, [first & 0xf0 | tos >> 4, second & 0x0f | tos << 4]);
    } else if let Some(sum) = at::<2>(packet, 10) {
        // RFC 1624, equation 3.
        let old = sum.map(|byte| !byte);
        let new = Sum::default().plus(&old).plus(&[!first, !second]).plus(&[first, tos]);
        put(packet, 10, new.checksum());
        put(packet, 1, [tos]);
    }
}
