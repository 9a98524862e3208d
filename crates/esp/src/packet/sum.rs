//! The Internet checksum (RFC 1071).

/// A sum of 16-bit words in the order of memory, not folded.
#[derive(Clone, Copy, Default)]
pub struct Sum(u64);

impl Sum {
    /// Adds bytes, as if the sum had an even number of bytes before.
    #[inline]
    pub fn plus(self, bytes: &[u8]) -> Self {
        // A sum of words of 32 bits folds to the 16 bits of a sum of words of 16 bits (RFC 1071, 2), and 64 bits have room for 16 GB.
        let mut lanes = [0u64; 8];
        let (chunks, rest) = bytes.as_chunks::<32>();
        for chunk in chunks {
            for (lane, word) in lanes.iter_mut().zip(chunk.as_chunks::<4>().0) {
                *lane += u64::from(u32::from_ne_bytes(*word));
            }
        }
        let (words, last) = rest.as_chunks::<2>();
        let words: u64 = words.iter().map(|word| u64::from(u16::from_ne_bytes(*word))).sum();
        let last = last.first().map_or(0, |byte| u16::from_ne_bytes([*byte, 0]).into());
        Sum(self.0 + lanes.iter().sum::<u64>() + words + last)
    }

    /// The pseudo-header of a packet with `len` bytes above IP: IPv4's, or IPv6's (RFC 8200, 8.1).
    #[inline]
    pub fn pseudo(packet: &[u8], protocol: u8, len: usize) -> Self {
        let addresses = match packet.first() {
            Some(byte) if byte >> 4 == 4 => packet.get(12..20),
            _ => packet.get(8..40),
        };
        let [a, b, c, d] = (len as u32).to_be_bytes();
        Sum::default().plus(addresses.unwrap_or_default()).plus(&[a, b, c, d, 0, protocol])
    }

    /// The sum, folded to 16 bits, in the order of memory.
    #[inline]
    pub fn fold(self) -> [u8; 2] {
        let mut sum = self.0;
        while sum > 0xffff {
            sum = (sum & 0xffff) + (sum >> 16);
        }
        (sum as u16).to_ne_bytes()
    }

    /// The checksum: the complement of the folded sum.
    #[inline]
    pub fn checksum(self) -> [u8; 2] {
        self.fold().map(|byte| !byte)
    }

    /// The checksum for UDP, where 0 means that there is none.
    #[inline]
    pub fn udp_checksum(self) -> [u8; 2] {
        match self.checksum() {
            [0, 0] => [0xff; 2],
            sum => sum,
        }
    }
}
