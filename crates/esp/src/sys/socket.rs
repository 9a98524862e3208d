//! Sockets of UDP and of protocol 50, and their options.

use std::io;
use std::mem::size_of_val;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::sync::{PoisonError, RwLock};
use std::time::Duration;

use libc::{c_int, socklen_t};

use super::{checked, owned};

/// The protocol of a socket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// UDP.
    Udp,
    /// ESP, protocol 50 of IP.
    Esp,
}

/// The options of a socket.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    /// The mark of its packets.
    pub mark: Option<u32>,
    /// Messages of many datagrams.
    pub offloads: bool,
    /// The bytes of its buffers.
    pub buffer: usize,
}

/// A socket that never waits.
pub struct Socket {
    fd: OwnedFd,
    /// Our address; the port is 0 for ESP.
    pub local: SocketAddr,
    /// The protocol.
    pub protocol: Protocol,
    /// Locked while packets may be cut.
    cutting: RwLock<()>,
}

impl AsFd for Socket {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}

/// An address as the system has it.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) union Name {
    pub v4: libc::sockaddr_in,
    pub v6: libc::sockaddr_in6,
}

impl Name {
    /// An address that the system will fill.
    pub fn empty() -> Self {
        // SAFETY: sockaddr_in6 consists of numbers, for which zeros are values.
        Name { v6: unsafe { std::mem::zeroed() } }
    }

    /// The address and its length.
    pub fn of(address: SocketAddr) -> (Self, socklen_t) {
        let mut name = Name::empty();
        match address {
            SocketAddr::V4(a) => {
                name.v4 = libc::sockaddr_in {
                    sin_family: libc::AF_INET as _,
                    sin_port: a.port().to_be(),
                    sin_addr: libc::in_addr { s_addr: u32::from_ne_bytes(a.ip().octets()) },
                    sin_zero: [0; 8],
                };
                (name, size_of::<libc::sockaddr_in>() as socklen_t)
            }
            SocketAddr::V6(a) => {
                name.v6 = libc::sockaddr_in6 {
                    sin6_family: libc::AF_INET6 as _,
                    sin6_port: a.port().to_be(),
                    sin6_flowinfo: 0,
                    sin6_addr: libc::in6_addr { s6_addr: a.ip().octets() },
                    sin6_scope_id: a.scope_id(),
                };
                (name, size_of::<libc::sockaddr_in6>() as socklen_t)
            }
        }
    }

    /// The address that the system has written.
    pub fn address(&self) -> SocketAddr {
        // SAFETY: both members begin with the family, and consist of numbers; all bytes are initialised.
        unsafe {
            if c_int::from(self.v4.sin_family) == libc::AF_INET {
                let ip = self.v4.sin_addr.s_addr.to_ne_bytes();
                return SocketAddr::new(ip.into(), u16::from_be(self.v4.sin_port));
            }
            let ip = IpAddr::from(self.v6.sin6_addr.s6_addr);
            let mut address = SocketAddr::new(ip, u16::from_be(self.v6.sin6_port));
            if let SocketAddr::V6(a) = &mut address {
                a.set_scope_id(self.v6.sin6_scope_id);
            }
            address
        }
    }
}

/// Opens a socket of the kind for the address's family.
fn open(family: SocketAddr, kind: c_int, protocol: c_int) -> io::Result<OwnedFd> {
    let family = if family.is_ipv4() { libc::AF_INET } else { libc::AF_INET6 };
    let kind = kind | libc::SOCK_CLOEXEC | libc::SOCK_NONBLOCK;
    // SAFETY: the arguments are numbers.
    owned(unsafe { libc::socket(family, kind, protocol) })
}

/// Sets an option, which is a number or several.
pub(super) fn set(fd: &OwnedFd, level: c_int, name: c_int, value: impl Copy) -> io::Result<()> {
    let len = size_of_val(&value) as socklen_t;
    // SAFETY: the descriptor is open; the option has `len` bytes, and lives during the call.
    checked(unsafe {
        libc::setsockopt(fd.as_raw_fd(), level, name, (&raw const value).cast(), len)
    })?;
    Ok(())
}

fn bind(fd: &OwnedFd, address: SocketAddr) -> io::Result<()> {
    let (name, len) = Name::of(address);
    // SAFETY: the descriptor is open; the address lives during the call.
    checked(unsafe { libc::bind(fd.as_raw_fd(), (&raw const name).cast(), len) })?;
    Ok(())
}

/// Sets the bytes of a socket's buffers, beyond the system's limit if the program may.
fn buffers(fd: &OwnedFd, bytes: usize) -> io::Result<()> {
    let bytes = c_int::try_from(bytes).unwrap_or(c_int::MAX);
    for (force, plain) in
        [(libc::SO_RCVBUFFORCE, libc::SO_RCVBUF), (libc::SO_SNDBUFFORCE, libc::SO_SNDBUF)]
    {
        if set(fd, libc::SOL_SOCKET, force, bytes).is_err() {
            set(fd, libc::SOL_SOCKET, plain, bytes)?;
        }
    }
    Ok(())
}

impl Socket {
    /// Opens a socket at an address of ours; an unspecified address is all of its family. The port of [`Protocol::Esp`]
    /// is 0. Errors: the system's answer. Options that only make it faster may be missing.
    pub fn open(protocol: Protocol, local: SocketAddr, setup: Setup) -> io::Result<Self> {
        let fd = match protocol {
            Protocol::Udp => open(local, libc::SOCK_DGRAM, 0)?,
            Protocol::Esp => open(local, libc::SOCK_RAW, libc::IPPROTO_ESP)?,
        };
        let (socket, v4, v6) = (libc::SOL_SOCKET, libc::IPPROTO_IP, libc::IPPROTO_IPV6);
        match local {
            SocketAddr::V4(_) => {
                set(&fd, v4, libc::IP_PKTINFO, 1)?;
                set(&fd, v4, libc::IP_RECVTOS, 1)?;
            }
            SocketAddr::V6(_) => {
                // Raw sockets of IPv6 are without IPv4 anyway, and refuse the option.
                if protocol == Protocol::Udp {
                    set(&fd, v6, libc::IPV6_V6ONLY, 1)?;
                }
                set(&fd, v6, libc::IPV6_RECVPKTINFO, 1)?;
                set(&fd, v6, libc::IPV6_RECVTCLASS, 1)?;
            }
        }
        if let Some(mark) = setup.mark {
            set(&fd, socket, libc::SO_MARK, mark as c_int)?;
        }
        buffers(&fd, setup.buffer)?;
        match (protocol, setup.offloads) {
            // Kernels before 5.0 lack it.
            (Protocol::Udp, true) => drop(set(&fd, libc::SOL_UDP, libc::UDP_GRO, 1)),
            // RFC 3948, 2.1. UDP_SEGMENT refuses it.
            (Protocol::Udp, false) if local.is_ipv4() => set(&fd, socket, libc::SO_NO_CHECK, 1)?,
            _ => {}
        }
        bind(&fd, local)?;
        let socket = Socket { fd, local, protocol, cutting: RwLock::new(()) };
        socket.whole(true)?;
        Ok(socket)
    }

    /// Sends whole packets, as long as the device allows, whatever MTU of the path the system believes in. Or packets that
    /// are cut into fragments.
    fn whole(&self, whole: bool) -> io::Result<()> {
        match self.local {
            SocketAddr::V4(_) => {
                let [yes, no] = [libc::IP_PMTUDISC_PROBE, libc::IP_PMTUDISC_DONT];
                set(&self.fd, libc::IPPROTO_IP, libc::IP_MTU_DISCOVER, if whole { yes } else { no })
            }
            SocketAddr::V6(_) => {
                let [yes, no] = [libc::IPV6_PMTUDISC_PROBE, libc::IPV6_PMTUDISC_DONT];
                let (level, name) = (libc::IPPROTO_IPV6, libc::IPV6_MTU_DISCOVER);
                set(&self.fd, level, name, if whole { yes } else { no })
            }
        }
    }

    /// Sends packets that are not cut: not while [`Self::cut`] does.
    pub fn uncut<T>(&self, send: impl FnOnce() -> T) -> T {
        let _others = self.cutting.read().unwrap_or_else(PoisonError::into_inner);
        send()
    }

    /// Sends packets in fragments, where the system believes that they are too long: it does so for reports of UDP. A router
    /// of IPv4 may cut them, too. `send` must not wait: other threads wait for it.
    pub fn cut<T>(&self, send: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        let _alone = self.cutting.write().unwrap_or_else(PoisonError::into_inner);
        self.whole(false)?;
        let sent = send();
        self.whole(true)?;
        sent
    }
}

#[cfg(test)]
impl Socket {
    /// A socket of UDP at a free port of this address.
    pub fn free(ip: &str, offloads: bool) -> Self {
        let free = UdpSocket::bind((ip, 0)).and_then(|socket| socket.local_addr());
        let setup = Setup { mark: None, offloads, buffer: 1 << 20 };
        Socket::open(Protocol::Udp, free.expect("a port"), setup).expect("a socket")
    }
}

/// Opens a socket for the reports of routers that a packet was too long: ICMP with IP's header, or ICMPv6 without it.
/// `buffer` has room for a flood of other ICMP.
pub fn reports(v6: bool, buffer: usize) -> io::Result<UdpSocket> {
    // ICMP_FILTER and ICMPV6_FILTER: a bit for each type that is not wanted.
    const FILTER: c_int = 1;
    let fd = if v6 {
        let fd = open((Ipv6Addr::UNSPECIFIED, 0).into(), libc::SOCK_RAW, libc::IPPROTO_ICMPV6)?;
        let mut types = [u32::MAX; 8];
        types[0] = !(1 << 2);
        set(&fd, libc::IPPROTO_ICMPV6, FILTER, types)?;
        fd
    } else {
        let fd = open((Ipv4Addr::UNSPECIFIED, 0).into(), libc::SOCK_RAW, libc::IPPROTO_ICMP)?;
        set(&fd, libc::IPPROTO_RAW, FILTER, !(1u32 << 3))?;
        fd
    };
    buffers(&fd, buffer)?;
    Ok(fd.into())
}

/// Asks the system for MTUs of paths.
pub struct Probe {
    v4: OwnedFd,
    v6: Option<OwnedFd>,
}

impl Probe {
    /// Opens its sockets; a machine may be without IPv6.
    pub fn open(mark: Option<u32>) -> io::Result<Self> {
        let socket = |ip: [u8; 16], v4: bool| {
            let ip = if v4 { IpAddr::from([0; 4]) } else { ip.into() };
            let fd = open((ip, 0).into(), libc::SOCK_DGRAM, 0)?;
            mark.map_or(Ok(()), |mark| set(&fd, libc::SOL_SOCKET, libc::SO_MARK, mark as c_int))?;
            Ok::<_, io::Error>(fd)
        };
        Ok(Probe { v4: socket([0; 16], true)?, v6: socket([0; 16], false).ok() })
    }

    /// The MTU of the path to an address, as far as the system knows it.
    pub fn mtu(&mut self, to: IpAddr) -> io::Result<u32> {
        let (fd, level, name) = match (to, &self.v6) {
            (IpAddr::V4(_), _) => (&self.v4, libc::IPPROTO_IP, libc::IP_MTU),
            (_, Some(v6)) => (v6, libc::IPPROTO_IPV6, libc::IPV6_MTU),
            (_, None) => return Err(io::ErrorKind::Unsupported.into()),
        };
        let (address, len) = Name::of((to, 4500).into());
        // SAFETY: the descriptor is open; the address lives during the call.
        checked(unsafe { libc::connect(fd.as_raw_fd(), (&raw const address).cast(), len) })?;
        let mut mtu: c_int = 0;
        let mut len = size_of_val(&mtu) as socklen_t;
        // SAFETY: the descriptor is open; the option is an int, which lives during the call, as its length does.
        checked(unsafe {
            libc::getsockopt(fd.as_raw_fd(), level, name, (&raw mut mtu).cast(), &raw mut len)
        })?;
        Ok(mtu.unsigned_abs())
    }
}

/// The event that [`wait`] waits for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum For {
    /// Bytes to read.
    Reading,
    /// Room to write.
    Writing,
}

/// Waits until any of at most 64 descriptors is ready, or in error. Returns their bits; 0 after the time is over, or a
/// signal came.
pub fn wait(fds: &[BorrowedFd<'_>], what: For, most: Option<Duration>) -> u64 {
    let events = if what == For::Reading { libc::POLLIN } else { libc::POLLOUT };
    let mut all = [libc::pollfd { fd: -1, events, revents: 0 }; 64];
    for (place, fd) in all.iter_mut().zip(fds) {
        place.fd = fd.as_raw_fd();
    }
    let count = fds.len().min(all.len());
    let most = most.map_or(-1, |most| c_int::try_from(most.as_millis()).unwrap_or(c_int::MAX));
    // SAFETY: the array has `count` entries, and lives during the call.
    let ready = unsafe { libc::poll(all.as_mut_ptr(), count as libc::nfds_t, most) };
    if ready <= 0 {
        return 0;
    }
    let bits = all.iter().take(count).enumerate();
    bits.map(|(n, place)| u64::from(place.revents != 0) << n).sum()
}
