//! The transforms of ESP with MGM and a tree of keys (RFC 9227). The IV names a leaf in a tree of three levels, and the
//! leaf's key encrypts the packet. The nonce is the packet's number and a salt.
//!
//! The eight packets of RFC 9227, Appendix A, are tests.
//!
//! | type | work |
//! |---|---|
//! | [`Association`] | a direction of a security association: its keys |
//! | [`seal`], [`open`] | packets of any associations, in place |
//! | [`Numbers`], [`Header`] | the sequence number and the IV of each outbound packet; what is authenticated with it |
//! | [`Window`] | the replay window of inbound packets, with extended sequence numbers |
//! | [`pad`], [`payload_len`], [`Trailer`] | padding and next header |
//!
//! The keys come from a key exchange, IKEv2. **They must not be given by hand** (RFC 9227, section 5): keys that outlive
//! a program, or that two machines share, would see their IVs twice, and MGM protects nothing then.
//!
//! ```
//! use bulat::esp::{Association, Header, Numbers, Packet, Trailer, Transform, Window, open, pad, payload_len, seal};
//! # let keymat = [7; 44];
//! let transform = Transform::KuznyechikMgm; // keymat: 32 bytes of key, 12 of salt, from IKEv2
//! let (text, spi, esn) = (b"an IP packet", 0x1234_5678, true);
//!
//! let mut us = [Association::new(transform, &keymat)?];
//! let mut numbers = Numbers::new(transform, esn);
//! let mut payload = text.to_vec();
//! payload.resize(payload_len(text.len()), 0);
//! pad(&mut payload, text.len(), 4)?;
//! let number = numbers.next(payload.len())?;
//! let (header, mut icv) = (Header::new(spi, number.sequence, esn), [0; 12]);
//! seal(&mut us, &mut [Packet::new(0, number.iv, &header, &mut payload, &mut icv)])?;
//! // On the wire: SPI, the lower half of the sequence number, IV, payload, ICV.
//!
//! let mut them = [Association::new(transform, &keymat)?];
//! let mut window = Window::new(1024, esn)?;
//! let sequence = window.check(number.sequence as u32).expect("no replay");
//! let header = Header::new(spi, sequence, esn);
//! open(&mut them, &mut [Packet::new(0, number.iv, &header, &mut payload, &mut icv)])?;
//! window.accept(sequence).expect("no replay in the burst");
//! assert_eq!(&payload[..Trailer::of(&payload)?.text], text);
//! # Ok::<(), bulat::Error>(())
//! ```

mod association;
mod burst;
mod numbers;
mod trailer;
mod window;

pub use association::Association;
pub use burst::{Packet, open, seal};
pub use numbers::{Header, Number, Numbers};
pub use trailer::{Trailer, pad, payload_len};
pub use window::{Refused, Window};

/// A transform: the cipher, and encryption or authentication only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transform {
    /// ENCR_KUZNYECHIK_MGM_KTREE, 32: 44 bytes of key, 12 of ICV.
    KuznyechikMgm,
    /// ENCR_MAGMA_MGM_KTREE, 33: 36 bytes of key, 8 of ICV.
    MagmaMgm,
    /// ENCR_KUZNYECHIK_MGM_MAC_KTREE, 34: 44 bytes of key, 12 of ICV; nothing is encrypted.
    KuznyechikMac,
    /// ENCR_MAGMA_MGM_MAC_KTREE, 35: 36 bytes of key, 8 of ICV; nothing is encrypted.
    MagmaMac,
}

impl Transform {
    fn kuznyechik(self) -> bool {
        matches!(self, Transform::KuznyechikMgm | Transform::KuznyechikMac)
    }
    fn encrypts(self) -> bool {
        matches!(self, Transform::KuznyechikMgm | Transform::MagmaMgm)
    }
    /// Returns the length of the keying material in bytes: 32 bytes of key, then the salt.
    pub const fn key_len(self) -> usize {
        match self {
            Transform::KuznyechikMgm | Transform::KuznyechikMac => 44,
            Transform::MagmaMgm | Transform::MagmaMac => 36,
        }
    }
    /// Returns the ICV's length in bytes.
    pub const fn icv_len(self) -> usize {
        match self {
            Transform::KuznyechikMgm | Transform::KuznyechikMac => 12,
            Transform::MagmaMgm | Transform::MagmaMac => 8,
        }
    }
}

/// Returns the IV of this number: i1 (1 byte), i2, i3 (2 each), pnum (3). The highest 40 bits name the leaf. [`Numbers`]
/// gives numbers that keep to the limits of a leaf's key: 2^24 packets, and 2^28 bytes with Magma.
pub fn iv(number: u64) -> [u8; 8] {
    number.to_be_bytes()
}
