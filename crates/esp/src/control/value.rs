//! The values of a message's fields.

use std::net::{IpAddr, SocketAddr};
use std::ops::RangeInclusive;

use bulat::esp::Transform;
use zeroize::Zeroizing;

use crate::address::Prefix;
use crate::sa::Carrier;
use crate::table::Way;

/// A value, which is read from its text.
pub trait Value: Sized {
    /// The kind of text, for people.
    const WANTED: &str;
    /// Reads the text; none if it is wrong.
    fn read(text: &str) -> Option<Self>;
}

impl<T: Value> Value for Option<T> {
    const WANTED: &str = T::WANTED;
    fn read(text: &str) -> Option<Self> {
        T::read(text).map(Some)
    }
}

/// A decimal number without a sign.
fn decimal<T: std::str::FromStr>(text: &str) -> Option<T> {
    text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse().ok())?
}

macro_rules! numbers {
    ($($type:ty: $wanted:literal,)*) => { $(
        impl Value for $type {
            const WANTED: &str = $wanted;
            fn read(text: &str) -> Option<Self> {
                decimal(text)
            }
        }
    )* };
}

numbers! {
    u8: "a number up to 255",
    u32: "a number below 2^32",
    u64: "a number below 2^64",
}

/// Numbers within limits.
macro_rules! limited {
    ($($(#[$doc:meta])* $type:ident: $limits:expr, $wanted:literal;)*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $type(pub u32);

        impl Value for $type {
            const WANTED: &str = $wanted;
            fn read(text: &str) -> Option<Self> {
                decimal(text).filter(|n| $limits.contains(n)).map($type)
            }
        }
    )* };
}

limited! {
    /// The number that joins SAs and policies.
    Reqid: 1..=u32::MAX, "a number from 1, below 2^32";
    /// The packets of a replay window.
    Packets: 32..=1 << 24, "a number of packets from 32 to 16777216";
    /// The bytes of an outer packet.
    Mtu: 576..=65535, "a number of bytes from 576 to 65535";
}

impl Value for bool {
    const WANTED: &str = "0 or 1";
    fn read(text: &str) -> Option<Self> {
        match text {
            "0" => Some(false),
            "1" => Some(true),
            _ => None,
        }
    }
}

/// The way of an SA's packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the wire.
    In,
    /// To the wire.
    Out,
}

impl Value for Direction {
    const WANTED: &str = "in or out";
    fn read(text: &str) -> Option<Self> {
        match text {
            "in" => Some(Direction::In),
            "out" => Some(Direction::Out),
            _ => None,
        }
    }
}

impl Value for Way {
    const WANTED: &str = "out, in or forward";
    fn read(text: &str) -> Option<Self> {
        WAYS.iter().find(|(word, _)| *word == text).map(|(_, way)| *way)
    }
}

/// The words of the ways.
pub const WAYS: [(&str, Way); 3] = [("out", Way::Out), ("in", Way::In), ("forward", Way::Forward)];

/// An SPI that an SA may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Spi(pub u32);

impl Value for Spi {
    const WANTED: &str = "an SPI from 0x100, such as 0xc1234567";
    fn read(text: &str) -> Option<Self> {
        let digits = text.strip_prefix("0x")?;
        if digits.len() > 8 || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
            return None;
        }
        u32::from_str_radix(digits, 16).ok().filter(|spi| *spi >= 256).map(Spi)
    }
}

/// An address of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Host(pub IpAddr);

impl Value for Host {
    const WANTED: &str = "an address of a machine, such as 192.0.2.1 or 2001:db8::1";
    fn read(text: &str) -> Option<Self> {
        let address: IpAddr = text.parse().ok()?;
        let machine = !address.is_unspecified() && !address.is_multicast();
        // An IPv4 address inside IPv6 would be an address of two families.
        (machine && address.to_canonical() == address).then_some(Host(address))
    }
}

impl Value for IpAddr {
    const WANTED: &str = "an address, such as 192.0.2.1 or 2001:db8::1";
    fn read(text: &str) -> Option<Self> {
        text.parse().ok()
    }
}

impl Value for SocketAddr {
    const WANTED: &str = "an address with a port, such as 192.0.2.1:4500 or [2001:db8::1]:4500";
    fn read(text: &str) -> Option<Self> {
        text.parse().ok().filter(|a: &SocketAddr| a.port() > 0)
    }
}

impl Value for Prefix {
    const WANTED: &str = "a prefix, such as 10.1.0.0/16 or 2001:db8::/32";
    fn read(text: &str) -> Option<Self> {
        text.parse().ok()
    }
}

impl Value for Transform {
    const WANTED: &str = "a number from 32 to 35";
    fn read(text: &str) -> Option<Self> {
        TRANSFORMS.iter().find(|(number, ..)| *number == text).map(|(_, transform, _)| *transform)
    }
}

/// The transforms: number, transform, name.
pub const TRANSFORMS: [(&str, Transform, &str); 4] = [
    ("32", Transform::KuznyechikMgm, "kuznyechik-mgm-ktree"),
    ("33", Transform::MagmaMgm, "magma-mgm-ktree"),
    ("34", Transform::KuznyechikMac, "kuznyechik-mgm-mac-ktree"),
    ("35", Transform::MagmaMac, "magma-mgm-mac-ktree"),
];

/// The key and the salt of an SA.
pub struct Key(pub Zeroizing<Vec<u8>>);

impl Value for Key {
    const WANTED: &str = "72 or 88 hexadecimal digits";
    fn read(text: &str) -> Option<Self> {
        if !matches!(text.len(), 72 | 88) {
            return None;
        }
        let mut key = Zeroizing::new(vec![0; text.len() / 2]);
        let mut wrong = 0;
        for (byte, pair) in key.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
            for digit in pair {
                let (value, bad) = digit_of(*digit);
                *byte = *byte << 4 | value;
                wrong |= bad;
            }
        }
        (wrong == 0).then_some(Key(key))
    }
}

/// The value of a hexadecimal digit, in a time that does not depend on it; the second number is not 0 if it is none.
fn digit_of(digit: u8) -> (u8, u8) {
    // All bits of 1 if `low <= digit <= high`.
    let within = |low: u8, high: u8| {
        let outside =
            u16::from(high).wrapping_sub(digit.into()) | u16::from(digit).wrapping_sub(low.into());
        !((outside >> 8) as u8)
    };
    let (number, lower, upper) = (within(b'0', b'9'), within(b'a', b'f'), within(b'A', b'F'));
    let value = number & digit.wrapping_sub(b'0')
        | lower & digit.wrapping_sub(b'a' - 10)
        | upper & digit.wrapping_sub(b'A' - 10);
    (value, !(number | lower | upper))
}

/// UDP ports: ours and the peer's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ports {
    /// Our port.
    pub local: u16,
    /// The peer's port.
    pub remote: u16,
}

impl From<Ports> for Carrier {
    fn from(Ports { local, remote }: Ports) -> Self {
        Carrier::Udp { local, remote }
    }
}

impl Value for Ports {
    const WANTED: &str = "LOCAL:REMOTE, two ports from 1";
    fn read(text: &str) -> Option<Self> {
        let (local, remote) = text.split_once(':')?;
        let (local, remote) = (decimal(local)?, decimal(remote)?);
        (local > 0 && remote > 0).then_some(Ports { local, remote })
    }
}

impl Value for Carrier {
    const WANTED: &str = "LOCAL:REMOTE, two ports from 1, or none";
    fn read(text: &str) -> Option<Self> {
        match text {
            "none" => Some(Carrier::Ip),
            text => Ports::read(text).map(Carrier::from),
        }
    }
}

/// Ports that a policy selects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range(pub RangeInclusive<u16>);

impl Value for Range {
    const WANTED: &str = "FIRST-LAST, two ports in order";
    fn read(text: &str) -> Option<Self> {
        let (first, last) = text.split_once('-')?;
        let (first, last) = (decimal(first)?, decimal(last)?);
        (first <= last).then_some(Range(first..=last))
    }
}

/// The bytes to which inner packets are padded; `u16::MAX`: as many as the path carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tfc(pub u16);

impl Value for Tfc {
    const WANTED: &str = "a number of bytes up to 65534, or mtu";
    fn read(text: &str) -> Option<Self> {
        match text {
            "mtu" => Some(Tfc(u16::MAX)),
            text => decimal(text).filter(|n| *n < u16::MAX).map(Tfc),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::digit_of;

    #[test]
    fn digits_of_all_bytes() {
        for byte in 0..=255u8 {
            let want = (byte as char).to_digit(16);
            let (value, wrong) = digit_of(byte);
            assert_eq!((wrong == 0).then_some(value.into()), want, "{byte}");
        }
    }
}
