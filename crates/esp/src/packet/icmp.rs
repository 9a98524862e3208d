//! ICMP's answers to packets that are too long for the path (RFC 1191, RFC 4443 section 3.2): ours to senders inside, and
//! those of routers to us.

use std::net::IpAddr;

use arrayvec::ArrayVec;

use super::ip::{ESP, ICMP, ICMP6, Inner, UDP};
use super::sum::Sum;
use super::{at, fragment, put, word};
use crate::sa::Carrier;

/// The answer, an IP packet to the sender, from the address that the packet was for: the system would drop a packet of
/// the TUN with an address of this host as its source. None: such a packet gets no answer (RFC 1122, 3.2.2).
pub fn too_big(packet: &[u8], inner: &Inner, mtu: usize) -> Option<ArrayVec<u8, 1280>> {
    let packet = packet.get(..inner.len)?;
    let kind = (inner.flow.destination_port >> 8) as u8;
    let answered = match (inner.flow.protocol, inner.flow.source) {
        _ if inner.later_fragment => false,
        (_, source) if source.is_unspecified() || source.is_multicast() => false,
        // Errors; a query gets an answer.
        (ICMP, _) => matches!(kind, 0 | 8 | 13 | 14),
        (ICMP6, _) => kind >= 128,
        _ => true,
    };
    if !answered {
        return None;
    }
    let mut out = ArrayVec::new();
    match (inner.flow.source, inner.flow.destination) {
        (IpAddr::V4(to), IpAddr::V4(from)) => {
            // RFC 1812, 4.3.2.3.
            let quoted = packet.get(..packet.len().min(576 - 28))?;
            out.try_extend_from_slice(&[0x45, 0, 0, 0, 0, 0, 0x40, 0, 64, ICMP, 0, 0]).ok()?;
            out.try_extend_from_slice(&from.octets()).ok()?;
            out.try_extend_from_slice(&to.octets()).ok()?;
            let [high, low] = (mtu as u16).to_be_bytes();
            out.try_extend_from_slice(&[3, 4, 0, 0, 0, 0, high, low]).ok()?;
            out.try_extend_from_slice(quoted).ok()?;
            let len = out.len() as u16;
            put(&mut out, 2, len.to_be_bytes());
            fragment::finish(out.get_mut(..20)?);
            let sum = Sum::default().plus(out.get(20..)?).checksum();
            put(&mut out, 22, sum);
        }
        (IpAddr::V6(to), IpAddr::V6(from)) if !from.is_multicast() => {
            let quoted = packet.get(..packet.len().min(1280 - 48))?;
            let [high, low] = (quoted.len() as u16 + 8).to_be_bytes();
            out.try_extend_from_slice(&[0x60, 0, 0, 0, high, low, ICMP6, 64]).ok()?;
            out.try_extend_from_slice(&from.octets()).ok()?;
            out.try_extend_from_slice(&to.octets()).ok()?;
            let [a, b, c, d] = (mtu as u32).to_be_bytes();
            out.try_extend_from_slice(&[2, 0, 0, 0, a, b, c, d]).ok()?;
            out.try_extend_from_slice(quoted).ok()?;
            let sum = Sum::pseudo(&out, ICMP6, quoted.len() + 8).plus(out.get(40..)?).checksum();
            put(&mut out, 42, sum);
        }
        _ => return None,
    }
    Some(out)
}

/// A router's report that a packet of ours was too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report {
    /// The MTU behind the router.
    pub mtu: u32,
    /// The packet's destination.
    pub destination: IpAddr,
    /// The packet's carrier.
    pub carrier: Carrier,
    /// The packet's SPI and the lower half of its number, if the router quotes them: 8 bytes behind IP's header are
    /// enough for a router of IPv4 (RFC 792).
    pub number: Option<(u32, u32)>,
}

/// Reads a report: a packet of ICMP with IP's header, or a message of ICMPv6 (the system checks its sum). None:
/// it is something else, or its MTU is one that no router has (RFC 791, RFC 8201, 4).
pub fn report(bytes: &[u8], v6: bool) -> Option<Report> {
    let head = if v6 { 0 } else { usize::from(bytes.first()? & 15) * 4 };
    let icmp = bytes.get(head..)?;
    let (kind, quoted) = (at::<2>(icmp, 0)?, icmp.get(8..)?);
    let (mtu, header, protocol, destination): (u32, usize, u8, IpAddr) = if v6 {
        let mtu = u32::from_be_bytes(at(icmp, 4)?);
        (mtu, 40, *quoted.get(6)?, at::<16>(quoted, 24)?.into())
    } else {
        let header = usize::from(quoted.first()? & 15) * 4;
        (word(icmp, 6)?.into(), header, *quoted.get(9)?, at::<4>(quoted, 16)?.into())
    };
    let right = if v6 {
        kind == [2, 0] && mtu >= 1280
    } else {
        kind == [3, 4] && mtu >= 68 && Sum::default().plus(icmp).checksum() == [0; 2]
    };
    let upper = quoted.get(header..).filter(|_| right)?;
    let (carrier, esp) = match protocol {
        UDP => (Carrier::Udp { local: word(upper, 0)?, remote: word(upper, 2)? }, upper.get(8..)?),
        ESP => (Carrier::Ip, upper),
        _ => return None,
    };
    let number = |index| at(esp, index).map(u32::from_be_bytes);
    Some(Report { mtu, destination, carrier, number: number(0).zip(number(4)) })
}
