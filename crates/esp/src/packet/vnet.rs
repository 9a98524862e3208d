//! The header before each packet of the TUN (`virtio_net_hdr`, 10 bytes in the order of the machine).

/// The header's length.
pub const LEN: usize = 10;
/// The checksum is to be completed; its field has the sum of the pseudo-header.
pub const NEEDS_CHECKSUM: u8 = 1;
/// The checksum was verified.
pub const CHECKSUM_VALID: u8 = 2;

/// The kinds of super-packets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// A separate packet.
    #[default]
    Single,
    /// TCP over IPv4.
    Tcp4,
    /// TCP over IPv6.
    Tcp6,
    /// UDP.
    Udp,
    /// No kind that the path asked for.
    Other,
}

/// The header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Vnet {
    /// [`NEEDS_CHECKSUM`], [`CHECKSUM_VALID`] or neither.
    pub flags: u8,
    /// The kind of the packet.
    pub kind: Kind,
    /// The length of the headers. A reader must not rely on it: forwarded packets have other numbers here.
    pub header: u16,
    /// The bytes of payload of each segment.
    pub segment: u16,
    /// Where the checksummed bytes begin.
    pub start: u16,
    /// Where the checksum is, from there.
    pub offset: u16,
}

impl Vnet {
    /// Reads the header.
    pub fn read(bytes: [u8; LEN]) -> Self {
        let [flags, kind, a, b, c, d, e, f, g, h] = bytes;
        let word = |a, b| u16::from_ne_bytes([a, b]);
        // 0x80 says that the sender's TCP has ECN.
        let kind = match kind & 0x7f {
            0 => Kind::Single,
            1 => Kind::Tcp4,
            4 => Kind::Tcp6,
            5 => Kind::Udp,
            _ => Kind::Other,
        };
        let (header, segment, start, offset) = (word(a, b), word(c, d), word(e, f), word(g, h));
        Vnet { flags, kind, header, segment, start, offset }
    }

    /// The header's bytes.
    pub fn bytes(&self) -> [u8; LEN] {
        let kind = match self.kind {
            Kind::Single | Kind::Other => 0,
            Kind::Tcp4 => 1,
            Kind::Tcp6 => 4,
            Kind::Udp => 5,
        };
        let [a, b] = self.header.to_ne_bytes();
        let [c, d] = self.segment.to_ne_bytes();
        let [e, f] = self.start.to_ne_bytes();
        let [g, h] = self.offset.to_ne_bytes();
        [self.flags, kind, a, b, c, d, e, f, g, h]
    }
}
