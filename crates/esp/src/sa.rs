//! A security association of each direction: its keys, its numbers, its limits and its counters.

use std::net::IpAddr;
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};
use std::time::Instant;

use bulat::Error;
use bulat::esp::{Association, Numbers, Transform, Window};

use crate::search::Search;

/// The carrier of the packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carrier {
    /// IP, as protocol 50.
    Ip,
    /// UDP, from our port to the peer's (RFC 3948).
    Udp {
        /// Our port.
        local: u16,
        /// The peer's port.
        remote: u16,
    },
}

/// The ends of the tunnel and the carrier of its packets; a request `update` changes them (NAT, MOBIKE).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ends {
    /// The address of the packets' sender.
    pub source: IpAddr,
    /// The address of the packets' receiver.
    pub destination: IpAddr,
    /// The carrier of the packets.
    pub carrier: Carrier,
}

/// A limit of an SA's use. 0 is no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limit {
    /// Inner bytes.
    pub bytes: u64,
    /// Packets.
    pub packets: u64,
    /// Seconds since the SA was added.
    pub seconds: u64,
}

impl Limit {
    /// Tells whether a use is at the limit of bytes or packets.
    pub fn reached(&self, bytes: u64, packets: u64) -> bool {
        let over = |most: u64, now: u64| most != 0 && now >= most;
        over(self.bytes, bytes) || over(self.packets, packets)
    }
}

/// The daemon's words on an SA, besides its key.
#[derive(Clone, Debug)]
pub struct Parameters {
    /// The SPI, at least 256.
    pub spi: u32,
    /// The transform.
    pub transform: Transform,
    /// Extended sequence numbers.
    pub esn: bool,
    /// The number that joins SAs and policies.
    pub reqid: u32,
    /// The TUN queue that the SA serves; none: all (RFC 9611).
    pub queue: Option<u32>,
    /// The replay window of an inbound SA in packets.
    pub window: u32,
    /// Outbound packets are padded to this many inner bytes; 0: none; u16::MAX: to the path's MTU (RFC 4303, 2.7).
    pub tfc: u16,
    /// The daemon is told once, and begins a change of keys.
    pub soft: Limit,
    /// No packet passes afterwards, and the daemon is told.
    pub hard: Limit,
    /// DSCP is copied to the outer header and back.
    pub copy_dscp: bool,
    /// The largest outer IP packet that reaches the peer, in bytes, as the daemon says; outbound.
    pub mtu: u32,
}

/// The use of an SA so far, and packets that it refused: README.md, "Counters", has the causes, and the events of probes.
#[derive(Default)]
#[allow(missing_docs, reason = "the other names are those causes and events")]
pub struct Counters {
    /// Packets sealed, or opened and accepted.
    pub packets: AtomicU64,
    /// Their inner bytes.
    pub bytes: AtomicU64,
    /// Seconds since the epoch of the last packet; 0 before the first.
    pub used: AtomicU64,
    pub bad_icv: AtomicU64,
    pub replay: AtomicU64,
    pub selector: AtomicU64,
    pub malformed: AtomicU64,
    pub limit: AtomicU64,
    pub too_long: AtomicU64,
    pub probes: AtomicU64,
    pub answered: AtomicU64,
    pub lowered: AtomicU64,
}

/// Signs of an SA's end.
#[derive(Default)]
pub struct Life {
    /// The daemon was told of the soft limit.
    pub soft_told: AtomicBool,
    /// A hard limit was reached, or the machine was cloned: no packet passes.
    pub dead: AtomicBool,
    /// Its key was replaced by a random key after that.
    pub wiped: AtomicBool,
}

/// The parts of an SA of either direction.
pub struct Common {
    /// The daemon's words.
    pub parameters: Parameters,
    /// The ends of the tunnel.
    pub ends: RwLock<Ends>,
    /// The use so far.
    pub counters: Counters,
    /// Signs of its end.
    pub life: Life,
    /// When it was added.
    pub added: Instant,
}

impl Common {
    fn new(parameters: Parameters, ends: Ends) -> Self {
        let (counters, life) = Default::default();
        Common { parameters, ends: RwLock::new(ends), counters, life, added: Instant::now() }
    }

    /// The ends of the tunnel as they are now.
    pub fn ends(&self) -> Ends {
        *self.ends.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells whether the use is at a limit of bytes or packets.
    pub fn reached(&self, limit: &Limit) -> bool {
        limit.reached(self.counters.bytes.load(Relaxed), self.counters.packets.load(Relaxed))
    }
}

/// Locks; a thread that panicked ends the program anyway.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An SA of packets to the wire.
pub struct Outbound {
    common: Common,
    /// The keys and the numbers; a sender holds the lock for a burst.
    pub sending: Mutex<Sending>,
    /// The path's MTU. It may be locked under the lock of `sending`, never the other way.
    pub search: Mutex<Search>,
    /// When something genuine last came from the peer, in seconds since the epoch.
    pub heard: AtomicU64,
}

impl Outbound {
    /// Creates an SA that has sent nothing. Errors: [`Error::KeyLength`] unless the key has [`Transform::key_len`]
    /// bytes.
    pub fn new(parameters: Parameters, ends: Ends, key: &[u8]) -> Result<Self, Error> {
        let associations = [Association::new(parameters.transform, key)?];
        let numbers = Numbers::new(parameters.transform, parameters.esn);
        Ok(Outbound {
            sending: Mutex::new(Sending { associations, numbers }),
            search: Search::new(parameters.mtu, ends.destination.is_ipv4()).into(),
            heard: AtomicU64::default(),
            common: Common::new(parameters, ends),
        })
    }

    /// Locks the search for the path's MTU.
    pub fn search(&self) -> MutexGuard<'_, Search> {
        lock(&self.search)
    }
}

impl Deref for Outbound {
    type Target = Common;
    fn deref(&self) -> &Common {
        &self.common
    }
}

/// The secrets and numbers of a sender.
pub struct Sending {
    /// The association, as `bulat::esp::seal` needs it.
    pub associations: [Association; 1],
    /// The numbers of its packets.
    pub numbers: Numbers,
}

/// An SA of packets from the wire.
pub struct Inbound {
    common: Common,
    /// The keys and the window; a receiver holds the lock for a burst.
    pub receiving: Mutex<Receiving>,
    /// When the daemon was last told of another address of the peer, in seconds since the epoch.
    pub moved: AtomicU64,
    /// The second of the last answer to a probe, and the number of its answers: `8 * second + number`.
    pub probed: AtomicU64,
}

impl Inbound {
    /// Creates an SA that has received nothing. Errors: [`Error::KeyLength`] unless the key has [`Transform::key_len`]
    /// bytes; [`Error::Parameter`] for a window that [`Window::new`] refuses.
    pub fn new(parameters: Parameters, ends: Ends, key: &[u8]) -> Result<Self, Error> {
        let associations = [Association::new(parameters.transform, key)?];
        let window = Window::new(parameters.window, parameters.esn)?;
        Ok(Inbound {
            receiving: Mutex::new(Receiving { associations, window, failed: 0, tried: 0 }),
            moved: AtomicU64::default(),
            probed: AtomicU64::default(),
            common: Common::new(parameters, ends),
        })
    }
}

impl Deref for Inbound {
    type Target = Common;
    fn deref(&self) -> &Common {
        &self.common
    }
}

/// The secrets and the window of a receiver.
pub struct Receiving {
    /// The association, as `bulat::esp::open` needs it.
    pub associations: [Association; 1],
    /// The replay window.
    pub window: Window,
    /// Packets refused since the last genuine packet.
    pub failed: u32,
    /// When a packet was last opened under a later number, in seconds since the epoch.
    pub tried: u64,
}
