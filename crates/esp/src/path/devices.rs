//! The devices, and the threads between them.

use std::fs::File;
use std::io::{self, ErrorKind, IoSlice, PipeReader, PipeWriter, Read, Write};
use std::net::{IpAddr, SocketAddr, UdpSocket};
use std::os::fd::AsFd;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use arrayvec::ArrayVec;

use super::inward::Inward;
use super::measure::choose;
use super::outward::{MOST, Outward};
use super::reports::Reports;
use super::{Error, Ike, Lost, Options, Tun, Wire};
use crate::packet::{icmp, vnet};
use crate::sa::{Carrier, Ends, lock};
use crate::sys::message::{DEPTH, Inbox, Outgoing, send};
use crate::sys::socket::{For, Probe, Protocol, Setup, Socket, reports, wait};
use crate::sys::tun::{self, Offload};
use crate::table::Table;

/// The longest IPv6 packet, and the TUN's header.
const PACKET: usize = vnet::LEN + 40 + 65_535;
/// Bytes that a sender reads before it looks at the table again.
const ROUND: usize = 256 << 10;
/// How long a socket may be full before packets are lost.
const FULL: Duration = Duration::from_millis(20);
/// How long a thread rests after an error of its device, or while it searches a path.
const REST: Duration = Duration::from_millis(100);
/// How long an idle thread may have a view with SAs that were deleted: their keys are wiped only then.
const IDLE: Duration = Duration::from_secs(1);
/// An IKE message of this many bytes is whole on every path.
const SHORT: usize = 512;
/// How long each datagram is a message, after the system refused a message of many.
const SINGLE: Duration = Duration::from_secs(60);

/// The devices, open; no thread runs. Only [`Devices::open`] needs root.
pub struct Devices {
    tuns: Vec<File>,
    sockets: Arc<[Socket]>,
    probe: Arc<Mutex<Probe>>,
    /// The sockets for ICMP, and whether it is ICMPv6.
    icmp: Vec<(bool, UdpSocket)>,
    offloads: bool,
    offload: Offload,
    ports: Vec<u16>,
    narrow: u64,
}

impl Devices {
    /// Opens the TUN and the sockets.
    ///
    /// # Errors
    /// [`Error`]: the step that the system refused.
    pub fn open(options: &Options) -> Result<Self, Error> {
        choose();
        let Options { tun: name, mark, offloads, buffer, .. } = options;
        let step = |step: String| move |cause| Error { step, cause };
        let tuns: Vec<File> = (0..options.queues)
            .map(|queue| {
                tun::open(name).map_err(step(format!("opens queue {queue} of the TUN {name}")))
            })
            .collect::<Result<_, _>>()?;
        let wanted = if *offloads { Offload::Udp } else { Offload::None };
        let offload = tuns.first().map_or(Offload::None, |tun| tun::offload(tun, wanted));
        tun::up(name, options.tun_mtu).map_err(step(format!("sets up the TUN {name}")))?;
        let setup = Setup { mark: *mark, offloads: *offloads, buffer: *buffer as usize };
        let mut sockets = Vec::new();
        for ip in &options.listen {
            let esp = options.raw.then_some((Protocol::Esp, 0));
            for (protocol, port) in
                options.ports.iter().map(|port| (Protocol::Udp, *port)).chain(esp)
            {
                let local = SocketAddr::new(*ip, port);
                match Socket::open(protocol, local, setup) {
                    Ok(socket) => sockets.push(socket),
                    // A machine may be without IPv6.
                    Err(error)
                        if ip.is_ipv6()
                            && ip.is_unspecified()
                            && error.raw_os_error() == Some(libc::EAFNOSUPPORT) => {}
                    Err(error) => {
                        let name = if protocol == Protocol::Udp { "UDP" } else { "ESP" };
                        return Err(step(format!("opens {name} at {local}"))(error));
                    }
                }
            }
        }
        let probe = Probe::open(*mark).map_err(step("opens a socket that asks for MTUs".into()))?;
        let mut icmp = Vec::new();
        for v6 in [false, true] {
            match reports(v6, setup.buffer) {
                Ok(socket) => icmp.push((v6, socket)),
                Err(error) if v6 && error.raw_os_error() == Some(libc::EAFNOSUPPORT) => {}
                // A program for UDP needs no right to raw sockets; then it hears no router.
                Err(error) if !options.raw && error.kind() == ErrorKind::PermissionDenied => {}
                Err(error) => return Err(step("opens a socket for ICMP".into())(error)),
            }
        }
        Ok(Devices {
            tuns,
            sockets: sockets.into(),
            probe: Arc::new(Mutex::new(probe)),
            icmp,
            offloads: *offloads,
            offload,
            ports: options.ports.clone(),
            narrow: options.narrow,
        })
    }

    /// The work that the system leaves to the reader of the TUN.
    pub fn offload(&self) -> Offload {
        self.offload
    }

    /// Starts the threads. Limits in seconds are not their matter.
    ///
    /// # Errors
    /// The system's answer.
    pub fn start(self, table: Arc<Table>, ike: Ike) -> io::Result<Running> {
        let (reader, writer) = io::pipe()?;
        let stop = Arc::new(Stop { now: AtomicBool::new(false), pipe: reader });
        let mut threads = Vec::new();
        let wires = |waits| Sockets {
            sockets: self.sockets.clone(),
            probe: self.probe.clone(),
            offloads: self.offloads,
            waits,
            singles: None,
        };
        for (queue, tun) in self.tuns.iter().enumerate() {
            let work = Outward::new(table.clone(), queue as u32, self.narrow);
            // Here, since the threads' filter of system calls refuses new descriptors.
            let (tun, wire, stop, counters) =
                (tun.try_clone()?, wires(true), stop.clone(), table.clone());
            threads.push(spawn(format!("out-{queue}"), move || {
                send_all(work, &tun, wire, &stop, &counters);
            })?);
        }
        let groups =
            self.ports.iter().map(|port| (Protocol::Udp, *port)).chain([(Protocol::Esp, 0)]);
        for (index, (protocol, port)) in groups.enumerate() {
            let mine =
                move |socket: &Socket| socket.protocol == protocol && socket.local.port() == port;
            let Some(tun) = self.tuns.get(index % self.tuns.len().max(1)) else { continue };
            if !self.sockets.iter().any(mine) {
                continue;
            }
            let work = Inward::new(table.clone(), ike.clone(), self.offloads);
            let (tun, sockets, stop) = (tun.try_clone()?, self.sockets.clone(), stop.clone());
            let wire = wires(false);
            threads.push(spawn(format!("in-{port}"), move || {
                let mine: Vec<&Socket> = sockets.iter().filter(|socket| mine(socket)).collect();
                receive_all(work, &tun, &mine, wire, &stop);
            })?);
        }
        let (work, icmp, stopped) = (Reports::new(table), self.icmp, stop.clone());
        threads.push(spawn("icmp".into(), move || hear(work, &icmp, &stopped))?);
        Ok(Running {
            sockets: self.sockets,
            stop,
            writer: Mutex::new(Some(writer)),
            threads: Mutex::new(threads),
        })
    }
}

/// Starts a thread. A panic in it ends the program: a silent tunnel is worse.
fn spawn(name: String, work: impl FnOnce() + Send + 'static) -> io::Result<JoinHandle<()>> {
    struct End;
    impl Drop for End {
        fn drop(&mut self) {
            if thread::panicking() {
                std::process::abort();
            }
        }
    }
    thread::Builder::new().name(name).spawn(move || {
        let _end = End;
        work();
    })
}

/// Tells the threads to stop: the pipe's other end is closed then.
struct Stop {
    now: AtomicBool,
    pipe: PipeReader,
}

impl Tun for &File {
    fn write(&mut self, parts: &[IoSlice<'_>]) -> io::Result<()> {
        loop {
            match self.write_vectored(parts) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                answer => return answer.map(drop),
            }
        }
    }
}

/// The sockets, as a sender uses them.
struct Sockets {
    sockets: Arc<[Socket]>,
    probe: Arc<Mutex<Probe>>,
    offloads: bool,
    /// It waits a little for room: a receiver must not.
    waits: bool,
    /// Since when each datagram is a message.
    singles: Option<Instant>,
}

/// The socket for packets from an address of ours, and the source that it must be told.
fn find(
    sockets: &[Socket],
    protocol: Protocol,
    from: SocketAddr,
) -> Option<(&Socket, Option<IpAddr>)> {
    let mine = |socket: &&Socket| {
        let local = socket.local;
        socket.protocol == protocol
            && local.port() == from.port()
            && local.is_ipv4() == from.is_ipv4()
            && (local.ip() == from.ip() || local.ip().is_unspecified())
    };
    let socket = sockets.iter().filter(mine).max_by_key(|s| !s.local.ip().is_unspecified())?;
    let any = !socket.local.ip().is_unspecified() || from.ip().is_unspecified();
    Some((socket, (!any).then_some(from.ip())))
}

impl Wire for Sockets {
    fn send(&mut self, ends: &Ends, parts: &[IoSlice<'_>], messages: &[Outgoing]) -> Lost {
        let count = |message: &Outgoing| -> u64 {
            let len: usize =
                parts.get(message.parts.clone()).unwrap_or_default().iter().map(|p| p.len()).sum();
            if message.segment == 0 { 1 } else { len.div_ceil(message.segment.into()) as u64 }
        };
        let (protocol, local, remote) = match ends.carrier {
            Carrier::Ip => (Protocol::Esp, 0, 0),
            Carrier::Udp { local, remote } => (Protocol::Udp, local, remote),
        };
        let (from, to) =
            (SocketAddr::new(ends.source, local), SocketAddr::new(ends.destination, remote));
        let mut all = Lost::default();
        let Some((socket, source)) = find(&self.sockets, protocol, from) else {
            all.lost = messages.iter().map(count).sum();
            return all;
        };
        let mut rest = messages;
        while let [first, others @ ..] = rest {
            let alike = rest.chunk_by(|a, b| a.cut == b.cut).next().unwrap_or_default();
            let sent = match self.waits {
                true => send_all_of(socket, source, to, parts, alike),
                false => socket.uncut(|| send(socket, source, to, parts, alike)),
            };
            match sent {
                Ok(sent) => rest = rest.get(sent..).unwrap_or_default(),
                // It waited for room. A further wait for each message would delay the SAs of other sockets.
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    all.lost += rest.iter().map(count).sum::<u64>();
                    break;
                }
                Err(error) => {
                    rest = others;
                    match error.raw_os_error() {
                        Some(libc::EIO | libc::EINVAL) if first.segment > 0 => {
                            let Lost { lost, too_long } = singles(socket, source, to, parts, first);
                            if lost + too_long < count(first) {
                                self.singles = Some(Instant::now());
                            }
                            all.lost += lost;
                            all.too_long += too_long;
                        }
                        Some(libc::EMSGSIZE) => all.too_long += count(first),
                        _ => all.lost += count(first),
                    }
                }
            }
        }
        all
    }

    fn segments(&self) -> bool {
        self.offloads && self.singles.is_none_or(|since| since.elapsed() > SINGLE)
    }

    fn mtu(&mut self, to: IpAddr) -> Option<u32> {
        lock(&self.probe).mtu(to).ok()
    }
}

/// Sends messages, and waits a little for room.
fn send_some(
    socket: &Socket,
    source: Option<IpAddr>,
    to: SocketAddr,
    parts: &[IoSlice<'_>],
    messages: &[Outgoing],
) -> io::Result<usize> {
    let begin = Instant::now();
    loop {
        match send(socket, source, to, parts, messages) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock && begin.elapsed() < FULL => {
                wait(&[socket.as_fd()], For::Writing, Some(FULL));
            }
            answer => return answer,
        }
    }
}

/// Sends messages that are all cut, or all not.
fn send_all_of(
    socket: &Socket,
    source: Option<IpAddr>,
    to: SocketAddr,
    parts: &[IoSlice<'_>],
    messages: &[Outgoing],
) -> io::Result<usize> {
    match messages.first().is_some_and(|message| message.cut) {
        true => socket.cut(|| send(socket, source, to, parts, messages)),
        false => socket.uncut(|| send_some(socket, source, to, parts, messages)),
    }
}

/// Sends each datagram of a message as a message. Returns the numbers of lost datagrams.
fn singles(
    socket: &Socket,
    source: Option<IpAddr>,
    to: SocketAddr,
    parts: &[IoSlice<'_>],
    message: &Outgoing,
) -> Lost {
    let parts = parts.get(message.parts.clone()).unwrap_or_default();
    let all = parts.iter().flat_map(|part| part.chunks(usize::from(message.segment).max(1)));
    let all: ArrayVec<IoSlice<'_>, MOST> = all.take(MOST).map(IoSlice::new).collect();
    let messages: ArrayVec<Outgoing, MOST> = (0..all.len())
        .map(|n| Outgoing { segment: 0, parts: n..n + 1, ..message.clone() })
        .collect();
    let (mut rest, mut lost) = (messages.as_slice(), Lost::default());
    while !rest.is_empty() {
        let sent = send_all_of(socket, source, to, &all, rest).unwrap_or_else(|error| {
            match error.raw_os_error() {
                Some(libc::EMSGSIZE) => lost.too_long += 1,
                _ => lost.lost += 1,
            }
            1
        });
        rest = rest.get(sent..).unwrap_or_default();
    }
    lost
}

/// The thread of a sender.
fn send_all(mut work: Outward, tun: &File, mut wire: Sockets, stop: &Stop, table: &Table) {
    let mut input = vec![0; PACKET];
    let (mut reader, mut answers) = (tun, tun);
    while !stop.now.load(Relaxed) {
        work.begin();
        let (mut idle, mut bytes) = (false, 0);
        for _ in 0..MOST {
            match reader.read(&mut input) {
                Ok(len) => {
                    let packet = input.get_mut(..len).unwrap_or_default();
                    work.take(packet, &mut wire, &mut answers);
                    bytes += len;
                    if bytes > ROUND {
                        break;
                    }
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    idle = true;
                    break;
                }
                Err(_) => {
                    // The device was deleted: this queue will not return. The daemon may ask for counters yet.
                    table.dropped.system.fetch_add(1, Relaxed);
                    work.end(&mut wire);
                    wait(&[stop.pipe.as_fd()], For::Reading, Some(REST));
                    break;
                }
            }
        }
        work.end(&mut wire);
        if idle {
            let most = if work.searches() { REST } else { IDLE };
            wait(&[tun.as_fd(), stop.pipe.as_fd()], For::Reading, Some(most));
        }
    }
}

/// The thread of a receiver.
fn receive_all(
    mut work: Inward,
    mut tun: &File,
    sockets: &[&Socket],
    mut wire: Sockets,
    stop: &Stop,
) {
    let mut inbox = Inbox::default();
    let mut fds: Vec<_> = sockets.iter().map(|socket| socket.as_fd()).collect();
    fds.push(stop.pipe.as_fd());
    let mut depths = vec![4; sockets.len()];
    while !stop.now.load(Relaxed) {
        let ready = wait(&fds, For::Reading, Some(IDLE));
        if ready == 0 {
            work.refresh();
        }
        for (index, (socket, depth)) in sockets.iter().zip(&mut depths).enumerate() {
            if ready >> index & 1 == 0 {
                continue;
            }
            // More sockets than this may wait.
            for _ in 0..64 {
                match inbox.receive(socket, *depth) {
                    Ok(()) => {}
                    Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                    Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                    // An error of the network, which the call has cleared: a peer must not be able to delay the thread.
                    Err(_) => {
                        wait(&[stop.pipe.as_fd()], For::Reading, Some(Duration::from_millis(1)));
                        break;
                    }
                }
                let (count, bytes) = (inbox.len(), inbox.bytes());
                work.take((socket.protocol, socket.local), inbox.messages(), &mut tun);
                work.answer(&mut wire);
                let drained = count < *depth;
                // Full messages fill the cache; short messages are many.
                *depth = if bytes > count * 8192 { 4 } else { DEPTH };
                if drained {
                    break;
                }
            }
        }
    }
}

/// The thread that hears routers.
fn hear(mut work: Reports, sockets: &[(bool, UdpSocket)], stop: &Stop) {
    let mut room = [0; 2048];
    let mut fds: Vec<_> = sockets.iter().map(|(_, socket)| socket.as_fd()).collect();
    fds.push(stop.pipe.as_fd());
    while !stop.now.load(Relaxed) {
        let ready = wait(&fds, For::Reading, Some(IDLE));
        work.refresh();
        for (index, (v6, socket)) in sockets.iter().enumerate() {
            if ready >> index & 1 == 0 {
                continue;
            }
            for _ in 0..64 {
                let Ok(len) = socket.recv(&mut room) else { break };
                if let Some(report) = icmp::report(room.get(..len).unwrap_or_default(), *v6) {
                    work.take(&report);
                }
            }
        }
    }
}

/// The running path.
pub struct Running {
    sockets: Arc<[Socket]>,
    stop: Arc<Stop>,
    writer: Mutex<Option<PipeWriter>>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

impl Running {
    /// Sends an IKE message from our UDP port, behind a non-ESP marker. The single byte 0xff is a keepalive of NAT,
    /// which has no marker.
    ///
    /// # Errors
    /// The system's answer; [`ErrorKind::AddrNotAvailable`] if `local` is no port of ours.
    pub fn send_ike(
        &self,
        local: SocketAddr,
        remote: SocketAddr,
        dscp: u8,
        message: &[u8],
    ) -> io::Result<()> {
        let (socket, source) =
            find(&self.sockets, Protocol::Udp, local).ok_or(ErrorKind::AddrNotAvailable)?;
        let marker = if message == [0xff] { &[][..] } else { &[0; 4] };
        let parts = [IoSlice::new(marker), IoSlice::new(message)];
        // IKE without its own fragments needs IP's.
        let cut = message.len() > SHORT;
        let outgoing = Outgoing { tos: dscp << 2, segment: 0, cut, parts: 0..2 };
        send_all_of(socket, source, remote, &parts, std::slice::from_ref(&outgoing)).map(drop)
    }

    /// Stops the threads and waits for them. The TUN stays.
    pub fn stop(&self) {
        self.stop.now.store(true, Relaxed);
        drop(lock(&self.writer).take());
        for thread in lock(&self.threads).drain(..) {
            // A panic has ended the program.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::UdpSocket;

    use super::*;

    #[test]
    fn a_message_that_the_system_refuses_goes_in_parts() {
        let peer = UdpSocket::bind("127.0.0.1:0").expect("a socket");
        let remote = peer.local_addr().expect("an address");
        // Without checksums: the system refuses UDP_SEGMENT then.
        let socket = Socket::free("127.0.0.1", false);
        let local = socket.local;
        let mut wire = Sockets {
            sockets: [socket].into(),
            probe: Arc::new(Mutex::new(Probe::open(None).expect("a probe"))),
            offloads: true,
            waits: true,
            singles: None,
        };
        let carrier = Carrier::Udp { local: local.port(), remote: remote.port() };
        let mut ends = Ends { source: local.ip(), destination: remote.ip(), carrier };
        let bytes: Vec<u8> = (0..95).collect();
        let parts = [IoSlice::new(&bytes)];
        let messages = [10, 0].map(|segment| Outgoing { tos: 0, segment, cut: false, parts: 0..1 });
        assert!(wire.segments());
        assert_eq!(wire.send(&ends, &parts, &messages), Lost::default());
        assert!(!wire.segments(), "the next messages are single datagrams");
        let mut room = [0; 200];
        let mut lens = (0..11).map(|_| peer.recv(&mut room).expect("a datagram"));
        assert!((0..9).all(|_| lens.next() == Some(10)));
        assert_eq!((lens.next(), lens.next()), (Some(5), Some(95)));
        // Not to be sent at all.
        ends.carrier = Carrier::Ip;
        assert_eq!(wire.send(&ends, &parts, &messages), Lost { lost: 11, too_long: 0 });
        ends = Ends { source: [192, 0, 2, 9].into(), destination: remote.ip(), carrier };
        assert_eq!(wire.send(&ends, &parts, &messages), Lost { lost: 11, too_long: 0 });
    }

    #[test]
    fn a_socket_is_found_by_its_address() {
        let all = ["0.0.0.0", "127.0.0.1"].map(|ip| Socket::free(ip, true));
        let from = |ip: [u8; 4], at: usize| SocketAddr::new(ip.into(), all[at].local.port());
        let found = |from| find(&all, Protocol::Udp, from).map(|(socket, ip)| (socket.local, ip));
        // A socket for all addresses is told ours.
        let ours = IpAddr::from([127, 0, 0, 9]);
        assert_eq!(found(from([127, 0, 0, 9], 0)), Some((all[0].local, Some(ours))));
        assert_eq!(found(from([127, 0, 0, 1], 1)), Some((all[1].local, None)));
        assert_eq!(found(from([127, 0, 0, 9], 1)), None);
        assert_eq!(found(SocketAddr::new(ours, 9)), None);
    }
}
