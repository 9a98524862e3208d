//! The threads: from the TUN to the wire and back.
//!
//! | thread | work |
//! |---|---|
//! | a sender for each queue of the TUN | reads packets, seals them, sends them |
//! | a receiver for each UDP port, a receiver for protocol 50 | receives packets, opens them, writes them into the TUN |
//! | one for ICMP | hears routers that a packet is too long for the path |

mod devices;
mod eyes;
mod inward;
mod limits;
mod measure;
mod outward;
mod reports;

#[cfg(test)]
mod tests;

use std::fmt;
use std::io::{self, IoSlice};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

pub use devices::{Devices, Running};

use crate::sa::Ends;
use crate::sys::message::Outgoing;

/// The devices that the path needs.
#[derive(Clone, Debug)]
pub struct Options {
    /// The name of the TUN device.
    pub tun: String,
    /// Its queues, 1 to 64.
    pub queues: usize,
    /// Its MTU.
    pub tun_mtu: u32,
    /// Our addresses; an unspecified address is all addresses of its family.
    pub listen: Vec<IpAddr>,
    /// Our UDP ports.
    pub ports: Vec<u16>,
    /// Protocol 50 without UDP, too.
    pub raw: bool,
    /// The mark of outer packets, by which the routing keeps them out of the TUN.
    pub mark: Option<u32>,
    /// Super-packets of the TUN, and messages of many datagrams.
    pub offloads: bool,
    /// The bytes of a socket's buffers.
    pub buffer: usize,
    /// Seconds until a narrow path is tried again.
    pub narrow: u64,
}

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
