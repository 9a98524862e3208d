//! The security associations and policies of the program, and the threads' view of them.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, mpsc};

use crate::address::{Flow, Selector};
use crate::sa::{Inbound, Outbound};

/// The way of a policy's packets. RFC 4301's inbound policies are for this host, the forwarded for others; both check
/// the contents of an SA's packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Way {
    /// From the TUN to the wire.
    Out,
    /// From the wire, to this host.
    In,
    /// From the wire, to other hosts.
    Forward,
}

/// A policy: which packets an SA carries.
#[derive(Clone, Debug)]
pub struct Policy {
    /// The way of the packets.
    pub way: Way,
    /// The packets.
    pub selector: Selector,
    /// The number of its SAs.
    pub reqid: u32,
    /// The ends of the tunnel, which the daemon is told if an SA is missing.
    pub tunnel: (IpAddr, IpAddr),
    /// If several policies select a packet, the lowest number decides.
    pub priority: u32,
    /// When it was last used, in seconds since the epoch.
    pub used: Arc<AtomicU64>,
}

/// A message to the daemon.
#[derive(Clone, Debug)]
pub enum Event {
    /// A limit of an SA is reached.
    Expire {
        /// The SA's SPI.
        spi: u32,
        /// Its destination.
        destination: IpAddr,
        /// The limit is the hard limit.
        hard: bool,
    },
    /// A packet has a policy, and no SA.
    Acquire {
        /// The policy's number.
        reqid: u32,
        /// The ends of its tunnel.
        tunnel: (IpAddr, IpAddr),
        /// The packet.
        flow: Flow,
    },
    /// A genuine packet, newer than all before, came from another address.
    Mapping {
        /// The SA's SPI.
        spi: u32,
        /// Its destination.
        destination: IpAddr,
        /// The packet's source.
        source: SocketAddr,
    },
    /// All SAs were removed: the virtual machine was cloned, or its clocks jumped.
    Cloned,
}

/// The SAs and policies for the threads of the path: a copy, which they keep until [`Table::generation`] changes.
#[derive(Clone, Default)]
pub struct View {
    /// Inbound SAs by SPI.
    pub inbound: HashMap<u32, Arc<Inbound>>,
    /// Outbound SAs by reqid, the newest first.
    pub outbound: HashMap<u32, Vec<Arc<Outbound>>>,
    /// Policies in order of priority.
    pub policies: Vec<Policy>,
}

/// Counters of packets that no SA counts.
#[derive(Default)]
pub struct Dropped {
    /// No policy is for the packet.
    pub no_policy: AtomicU64,
    /// The policy has no SA yet.
    pub no_outbound_sa: AtomicU64,
    /// No SA has the SPI.
    pub no_inbound_sa: AtomicU64,
    /// The packet from the wire is too short, or its length is wrong.
    pub short: AtomicU64,
    /// The packet from the TUN is no IP packet, or cannot be segmented.
    pub malformed: AtomicU64,
    /// A router marked congestion, and the inner packet has no marks (RFC 6040, 4.2).
    pub congestion: AtomicU64,
    /// The system refused to send a packet, or to accept it.
    pub system: AtomicU64,
}

/// The security associations and policies.
pub struct Table {
    view: Mutex<Arc<View>>,
    generation: AtomicU64,
    events: mpsc::Sender<Event>,
    /// Packets that no SA counts.
    pub dropped: Dropped,
}

impl Table {
    /// An empty table; its events go to the receiver.
    pub fn new() -> (Self, mpsc::Receiver<Event>) {
        let (events, receiver) = mpsc::channel();
        let table = Table {
            view: Mutex::default(),
            generation: AtomicU64::new(0),
            events,
            dropped: Dropped::default(),
        };
        (table, receiver)
    }

    /// A number that changes with each change of the SAs and policies.
    pub fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }

    /// The SAs and policies of now.
    pub fn view(&self) -> Arc<View> {
        self.view.lock().expect("no thread panics").clone()
    }

    /// Changes the SAs and policies; the threads see the change with their next burst.
    pub fn change<T>(&self, change: impl FnOnce(&mut View) -> T) -> T {
        let mut view = self.view.lock().expect("no thread panics");
        let answer = change(Arc::make_mut(&mut view));
        self.generation.fetch_add(1, Ordering::Release);
        answer
    }

    /// Tells the daemon.
    pub fn tell(&self, event: Event) {
        // Without a listener the event is lost, as in the kernel.
        let _ = self.events.send(event);
    }
}
