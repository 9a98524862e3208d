//! A security association of each direction: its keys, its numbers, its limits and its counters.

use std::net::IpAddr;
use std::sync::atomic::Ordering::SeqCst;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64};
use std::sync::{Mutex, PoisonError, RwLock};
use std::time::Instant;

use bulat::Error;
use bulat::esp::{Association, Numbers, Transform, Window};

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
    /// Inner bytes, packets, and seconds since the SA was added.
    pub bytes: u64,
    /// Packets.
    pub packets: u64,
    /// Seconds since the SA was added.
    pub seconds: u64,
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

/// The use of an SA so far.
#[derive(Default)]
pub struct Counters {
    /// Packets sealed, or opened and accepted.
    pub packets: AtomicU64,
    /// Their inner bytes.
    pub bytes: AtomicU64,
    /// Seconds since the epoch of the last packet; 0 before the first.
    pub used: AtomicU64,
    /// Inbound: packets with a wrong ICV.
    pub bad_icv: AtomicU64,
    /// Inbound: packets seen before, or below the window.
    pub replay: AtomicU64,
    /// Inbound: no policy of the SA allows the inner packet.
    pub selector: AtomicU64,
    /// Inbound: the inner packet, the padding or the next header is malformed; dummy packets are no fault.
    pub malformed: AtomicU64,
    /// Outbound: packets refused since a limit is reached.
    pub limit: AtomicU64,
    /// Outbound: packets too long for the path.
    pub too_long: AtomicU64,
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

/// An SA of packets to the wire.
pub struct Outbound {
    /// The daemon's words.
    pub parameters: Parameters,
    /// The ends of the tunnel.
    pub ends: RwLock<Ends>,
    /// The keys and the numbers; a sender holds the lock for a burst.
    pub sending: Mutex<Sending>,
    /// The largest outer IP packet that reaches the peer, in bytes: [`Parameters::mtu`], or less.
    pub path_mtu: AtomicU32,
    /// When the path's MTU was last found to be less, in seconds since the epoch; 0: it is not.
    pub lowered: AtomicU64,
    /// When a packet of [`Parameters::mtu`] bytes last tried the path again, in seconds since the epoch; 0: none does.
    pub tried: AtomicU64,
    /// The use so far.
    pub counters: Counters,
    /// Signs of its end.
    pub life: Life,
    /// When it was added.
    pub added: Instant,
}

impl Outbound {
    /// Creates an SA that has sent nothing.
    ///
    /// # Errors
    /// [`Error::KeyLength`] unless the key has [`Transform::key_len`] bytes.
    pub fn new(parameters: Parameters, ends: Ends, key: &[u8]) -> Result<Self, Error> {
        let associations = [Association::new(parameters.transform, key)?];
        let numbers = Numbers::new(parameters.transform, parameters.esn);
        Ok(Outbound {
            path_mtu: parameters.mtu.into(),
            lowered: AtomicU64::default(),
            tried: AtomicU64::default(),
            parameters,
            ends: RwLock::new(ends),
            sending: Mutex::new(Sending { associations, numbers }),
            counters: Counters::default(),
            life: Life::default(),
            added: Instant::now(),
        })
    }

    /// The path has this MTU: a longer packet did not pass. Reports of packets that were sent before the MTU was lowered
    /// do not raise it, but the report of a packet that tried the path again does.
    pub fn narrow(&self, mtu: u32, now: u64) {
        let v4 = self.ends.read().unwrap_or_else(PoisonError::into_inner).destination.is_ipv4();
        let mtu = mtu.max(if v4 { FLOOR.0 } else { FLOOR.1 });
        if mtu >= self.parameters.mtu {
            return;
        }
        // First: an MTU below the daemon's must have a time, or nothing tries the path again.
        self.lowered.store(now, SeqCst);
        match self.tried.swap(0, SeqCst) {
            0 => _ = self.path_mtu.fetch_min(mtu, SeqCst),
            _ => self.path_mtu.store(mtu, SeqCst),
        }
    }

    /// The device refused a packet, and nothing says which MTU it has. A packet that tried the path only shows that it is
    /// as narrow as before.
    pub fn refused(&self, len: u32, now: u64) {
        match self.tried.swap(0, SeqCst) {
            0 => self.narrow(len.saturating_sub(32), now),
            _ => self.lowered.store(now, SeqCst),
        }
    }

    /// The path is as wide as the daemon says.
    pub fn widen(&self) {
        self.lowered.store(0, SeqCst);
        self.tried.store(0, SeqCst);
        self.path_mtu.store(self.parameters.mtu, SeqCst);
    }
}

/// The least MTU of a path: RFC 791, RFC 8200.
const FLOOR: (u32, u32) = (576, 1280);

/// The secrets and numbers of a sender.
pub struct Sending {
    /// The association, as `bulat::esp::seal` needs it.
    pub associations: [Association; 1],
    /// The numbers of its packets.
    pub numbers: Numbers,
}

/// An SA of packets from the wire.
pub struct Inbound {
    /// The daemon's words.
    pub parameters: Parameters,
    /// The ends of the tunnel.
    pub ends: RwLock<Ends>,
    /// The keys and the window; a receiver holds the lock for a burst.
    pub receiving: Mutex<Receiving>,
    /// When the daemon was last told of another address of the peer, in seconds since the epoch.
    pub moved: AtomicU64,
    /// The use so far.
    pub counters: Counters,
    /// Signs of its end.
    pub life: Life,
    /// When it was added.
    pub added: Instant,
}

impl Inbound {
    /// Creates an SA that has received nothing.
    ///
    /// # Errors
    /// [`Error::KeyLength`] unless the key has [`Transform::key_len`] bytes; [`Error::Parameter`] for a window that
    /// [`Window::new`] refuses.
    pub fn new(parameters: Parameters, ends: Ends, key: &[u8]) -> Result<Self, Error> {
        let associations = [Association::new(parameters.transform, key)?];
        let window = Window::new(parameters.window, parameters.esn)?;
        Ok(Inbound {
            parameters,
            ends: RwLock::new(ends),
            receiving: Mutex::new(Receiving { associations, window, failed: 0, tried: 0 }),
            moved: AtomicU64::default(),
            counters: Counters::default(),
            life: Life::default(),
            added: Instant::now(),
        })
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
