//! The threads: from the TUN to the wire and back (README.md, "The path").

mod devices;
mod eyes;
mod inward;
mod measure;
mod options;
mod outward;
mod reports;

#[cfg(test)]
mod tests;

use std::fmt;
use std::io::{self, IoSlice};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

pub use devices::{Devices, Running};
pub use options::Options;

use crate::sa::Ends;
use crate::sys::message::Outgoing;

/// A step that the system refused.
#[derive(Debug)]
pub struct Error {
    /// The step, such as "opens /dev/net/tun".
    pub step: String,
    /// The system's answer.
    pub cause: io::Error,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.step, self.cause)
    }
}

impl std::error::Error for Error {}

/// Gets an IKE message: our address, the peer's, the DSCP, the message without its marker.
pub type Ike = Arc<dyn Fn(SocketAddr, SocketAddr, u8, &[u8]) + Send + Sync>;

/// A TUN device, or a test's.
trait Tun {
    /// Writes a packet, which the header of `packet::vnet` precedes.
    fn write(&mut self, parts: &[IoSlice<'_>]) -> io::Result<()>;
}

/// Packets that did not go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Lost {
    /// The system refused them.
    lost: u64,
    /// They are too long for the path.
    too_long: u64,
}

/// The sockets, or a test's.
trait Wire {
    /// Sends messages; their parts are whole packets.
    fn send(&mut self, ends: &Ends, parts: &[IoSlice<'_>], messages: &[Outgoing]) -> Lost;
    /// Tells whether a message may be several datagrams.
    fn segments(&self) -> bool;
    /// The MTU of the device to the peer, or less: the system believes in reports that are forged.
    fn mtu(&mut self, to: IpAddr) -> Option<u32>;
}
