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

use inward::Inward;

use crate::sa::Ends;
use crate::sys::message::{Meta, Outgoing};
use crate::table::Table;

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

/// Opens messages of the wire, each its TOS, the length of its datagrams but the last, and its bytes. Returns what the
/// TUN gets. For fuzzing: no device is open.
#[doc(hidden)]
pub fn open(
    table: &Arc<Table>,
    door: inward::Door,
    source: SocketAddr,
    messages: &mut [(u8, usize, Vec<u8>)],
) -> Vec<Vec<u8>> {
    struct Kept(Vec<Vec<u8>>);
    impl Tun for Kept {
        fn write(&mut self, parts: &[IoSlice<'_>]) -> io::Result<()> {
            self.0.push(parts.iter().flat_map(|part| part.to_vec()).collect());
            Ok(())
        }
    }
    let of = |(tos, segment, _): &(u8, usize, Vec<u8>)| Meta::of(source, *segment, *tos);
    let metas: Vec<_> = messages.iter().map(of).collect();
    let bytes = messages.iter_mut().map(|(.., bytes)| &mut bytes[..]);
    let (mut inward, mut tun) =
        (Inward::new(table.clone(), Arc::new(|_, _, _, _| ()), true), Kept(Vec::new()));
    inward.take(door, metas.iter().zip(bytes), &mut tun);
    tun.0
}
