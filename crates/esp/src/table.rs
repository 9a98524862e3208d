//! The security associations and policies of the program, and the threads' view of them.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::address::{Flow, Selector};
use crate::sa::{Common, Inbound, Outbound, lock};

/// The most reqids that are remembered with their last question: as many as there are policies at most.
const ASKED: usize = 65_536;

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
#[allow(missing_docs, reason = "PROTOCOL.md tells what a field is")]
pub enum Event {
    /// A limit of an SA is reached.
    Expire { spi: u32, destination: IpAddr, hard: bool },
    /// A packet has a policy, and no SA.
    Acquire { reqid: u32, tunnel: (IpAddr, IpAddr), flow: Flow },
    /// A genuine packet, newer than all before, came from another address.
    Mapping { spi: u32, destination: IpAddr, source: SocketAddr },
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

/// Counters of packets that no SA counts: README.md, "Counters", has their causes.
#[derive(Default)]
#[allow(missing_docs, reason = "the names are those causes")]
pub struct Dropped {
    pub no_policy: AtomicU64,
    pub no_outbound_sa: AtomicU64,
    pub no_inbound_sa: AtomicU64,
    pub short: AtomicU64,
    pub malformed: AtomicU64,
    pub congestion: AtomicU64,
    pub system: AtomicU64,
}

/// The security associations and policies.
pub struct Table {
    view: Mutex<Arc<View>>,
    generation: AtomicU64,
    events: mpsc::Sender<Event>,
    /// When the daemon was last asked for SAs of a reqid.
    asked: Mutex<HashMap<u32, Instant>>,
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
            asked: Mutex::default(),
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

    /// Asks the daemon for an SA of a packet's policy, at most once a second for a reqid.
    pub fn acquire(&self, policy: &Policy, flow: Flow) {
        let (now, mut asked) = (Instant::now(), lock(&self.asked));
        // Reqids of policies that went are of no use.
        if asked.len() >= ASKED {
            asked.clear();
        }
        let fresh = |at: &Instant| now.saturating_duration_since(*at) < Duration::from_secs(1);
        if !asked.get(&policy.reqid).is_some_and(fresh) {
            asked.insert(policy.reqid, now);
            self.tell(Event::Acquire { reqid: policy.reqid, tunnel: policy.tunnel, flow });
        }
    }

    /// Tells the daemon once that an SA is at its soft limit.
    pub fn soft_limit(&self, sa: &Common) {
        if !sa.life.soft_told.swap(true, Ordering::Relaxed) {
            self.expire(sa, false);
        }
    }

    /// Ends an SA at its hard limit, and tells the daemon once.
    pub fn hard_limit(&self, sa: &Common) {
        if !sa.life.dead.swap(true, Ordering::Relaxed) {
            self.expire(sa, true);
        }
    }

    fn expire(&self, sa: &Common, hard: bool) {
        let (spi, destination) = (sa.parameters.spi, sa.ends().destination);
        self.tell(Event::Expire { spi, destination, hard });
    }
}

/// Seconds since the epoch.
pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}
