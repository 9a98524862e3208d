//! Prefixes, and the traffic that a policy selects (RFC 4301, section 4.4.1).

use std::fmt;
use std::net::IpAddr;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// A network: an address and the length of its prefix in bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prefix {
    address: IpAddr,
    len: u8,
}

impl Prefix {
    /// The network of `len` bits that contains the address; the address's other bits become 0. `None` for a length
    /// above 32, or 128 with IPv6.
    pub fn new(address: IpAddr, len: u8) -> Option<Self> {
        let address = match address {
            IpAddr::V4(a) => IpAddr::V4((a.to_bits() & mask(len, 32)? as u32).into()),
            IpAddr::V6(a) => IpAddr::V6((a.to_bits() & mask(len, 128)?).into()),
        };
        Some(Prefix { address, len })
    }

    /// Tells whether the network is of IPv4.
    pub fn is_ipv4(&self) -> bool {
        self.address.is_ipv4()
    }

    /// Tells whether the network contains the address.
    pub fn contains(&self, address: IpAddr) -> bool {
        Prefix::new(address, self.len).is_some_and(|p| p.address == self.address)
    }
}

/// `len` bits of 1, then bits of 0 up to `width`.
fn mask(len: u8, width: u32) -> Option<u128> {
    let rest = width.checked_sub(len.into())?;
    let ones = u128::MAX >> (128 - width);
    Some(if rest == 128 { 0 } else { ones >> rest << rest })
}

impl fmt::Display for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.address, self.len)
    }
}

/// The text is no prefix, such as `10.1.0.0/16` or `2001:db8::/32`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoPrefix;

impl FromStr for Prefix {
    type Err = NoPrefix;
    fn from_str(text: &str) -> Result<Self, NoPrefix> {
        let (address, len) = text.split_once('/').ok_or(NoPrefix)?;
        Prefix::new(address.parse().map_err(|_| NoPrefix)?, len.parse().map_err(|_| NoPrefix)?)
            .ok_or(NoPrefix)
    }
}

/// The addresses, protocol and ports of a packet; ports are 0 for protocols without ports, and for later fragments.
/// ICMP has its type and code as port 256 * type + code, in `destination_port` (RFC 4301, section 4.4.1.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Flow {
    /// The source address.
    pub source: IpAddr,
    /// The destination address.
    pub destination: IpAddr,
    /// The protocol above IP, such as 6 for TCP.
    pub protocol: u8,
    /// The source port.
    pub source_port: u16,
    /// The destination port.
    pub destination_port: u16,
}

/// The traffic of a policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selector {
    /// Source addresses.
    pub source: Prefix,
    /// Destination addresses.
    pub destination: Prefix,
    /// The protocol above IP; 0 for all.
    pub protocol: u8,
    /// Source ports.
    pub source_ports: RangeInclusive<u16>,
    /// Destination ports.
    pub destination_ports: RangeInclusive<u16>,
}

impl Selector {
    /// Tells whether the packets of a flow belong to the policy.
    pub fn matches(&self, flow: &Flow) -> bool {
        self.source.contains(flow.source)
            && self.destination.contains(flow.destination)
            && (self.protocol == 0 || self.protocol == flow.protocol)
            && self.source_ports.contains(&flow.source_port)
            && self.destination_ports.contains(&flow.destination_port)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_contain_their_addresses() {
        for (prefix, inside, outside) in [
            ("10.1.0.0/16", "10.1.255.255", "10.2.0.0"),
            ("10.1.2.3/32", "10.1.2.3", "10.1.2.2"),
            ("2001:db8::/32", "2001:db8:ffff::1", "2001:db9::"),
            ("0.0.0.0/0", "255.255.255.255", "::1"),
            ("::/0", "ffff::1", "1.2.3.4"),
        ] {
            let prefix: Prefix = prefix.parse().expect("a prefix");
            assert!(prefix.contains(inside.parse().expect("an address")), "{prefix}");
            assert!(!prefix.contains(outside.parse().expect("an address")), "{prefix}");
        }
        for text in ["10.0.0.0/33", "::/129", "10.0.0.0", "x/8", "10.0.0.0/", "/8"] {
            assert_eq!(text.parse::<Prefix>(), Err(NoPrefix), "{text}");
        }
        assert_eq!("10.1.2.3/8".parse::<Prefix>().expect("a prefix").to_string(), "10.0.0.0/8");
    }
}
