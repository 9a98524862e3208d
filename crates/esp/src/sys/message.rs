//! Many messages in a call: sendmmsg with UDP_SEGMENT, recvmmsg with UDP_GRO.

use std::io::{self, IoSlice};
use std::mem::zeroed;
use std::net::{IpAddr, SocketAddr};
use std::ops::Range;
use std::os::fd::{AsFd, AsRawFd};
use std::ptr::null_mut;

use arrayvec::ArrayVec;
use libc::{c_int, c_uint, cmsghdr, iovec, mmsghdr, msghdr};

use super::checked;
use super::socket::{Name, Protocol, Socket};

/// The most messages of a call.
pub const MOST: usize = 64;

/// A message to send.
#[derive(Clone, Debug)]
pub struct Outgoing {
    /// DSCP and ECN of its packets.
    pub tos: u8,
    /// The bytes of each datagram; 0: the message is a single datagram.
    pub segment: u16,
    /// It is longer than the path allows: [`Socket::cut`] sends it.
    pub cut: bool,
    /// Its parts.
    pub parts: Range<usize>,
}

/// Room for the control messages of a message: two numbers, and our address or the time that a system may add.
type Control = [u64; 16];

/// Writes a control message. The caller has checked that there is room for it.
///
/// # Safety
/// `place` is the place of a control message with room for `value`.
unsafe fn write<T>(place: *mut cmsghdr, level: c_int, kind: c_int, value: T) {
    let len = size_of::<T>() as c_uint;
    // SAFETY: the caller answers for the room; CMSG_DATA need not be aligned for T.
    unsafe {
        (*place).cmsg_level = level;
        (*place).cmsg_type = kind;
        (*place).cmsg_len = libc::CMSG_LEN(len) as _;
        libc::CMSG_DATA(place).cast::<T>().write_unaligned(value);
    }
}

/// Sends messages from an address of ours, at most [`MOST`]; returns how many went. Errors: the system's answer to the
/// first, if it did not go. [`io::ErrorKind::InvalidInput`] for addresses of two families, for parts that do not exist,
/// and without a message.
pub fn send(
    socket: &Socket,
    from: Option<IpAddr>,
    to: SocketAddr,
    parts: &[IoSlice<'_>],
    messages: &[Outgoing],
) -> io::Result<usize> {
    let families = from.is_none_or(|from| from.is_ipv4() == to.is_ipv4());
    if !families || socket.local.is_ipv4() != to.is_ipv4() || messages.is_empty() {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let (mut name, name_len) = Name::of(to);
    let mut controls: [Control; MOST] = [[0; 16]; MOST];
    let mut headers = ArrayVec::<mmsghdr, MOST>::new();
    for (message, control) in messages.iter().zip(&mut controls) {
        let parts = parts.get(message.parts.clone()).ok_or(io::ErrorKind::InvalidInput)?;
        // SAFETY: msghdr consists of numbers and pointers, for which zeros are values.
        let mut header: msghdr = unsafe { zeroed() };
        header.msg_name = (&raw mut name).cast();
        header.msg_namelen = name_len;
        // IoSlice has the layout of iovec, as its documentation promises; the system does not write through it.
        header.msg_iov = parts.as_ptr().cast::<iovec>().cast_mut();
        header.msg_iovlen = parts.len() as _;
        header.msg_control = control.as_mut_ptr().cast();
        header.msg_controllen = size_of::<Control>() as _;
        let mut used = 0;
        // SAFETY: `control` has 128 bytes, aligned as cmsghdr, and lives until after the call. Its messages follow each
        // other by CMSG_SPACE, and need at most 40 (our address), 24 (DSCP and ECN) and 24 bytes (the length of
        // datagrams), so that each place has room for its value.
        unsafe {
            let mut place = libc::CMSG_FIRSTHDR(&raw const header);
            let mut add = |len: usize| {
                used += libc::CMSG_SPACE(len as c_uint) as usize;
                let now = place;
                place = now.cast::<u8>().add(libc::CMSG_SPACE(len as c_uint) as usize).cast();
                now
            };
            match from {
                Some(IpAddr::V4(ip)) => {
                    let mut info: libc::in_pktinfo = zeroed();
                    info.ipi_spec_dst.s_addr = u32::from_ne_bytes(ip.octets());
                    let place = add(size_of_val(&info));
                    write(place, libc::IPPROTO_IP, libc::IP_PKTINFO, info);
                }
                Some(IpAddr::V6(ip)) => {
                    let mut info: libc::in6_pktinfo = zeroed();
                    info.ipi6_addr.s6_addr = ip.octets();
                    let place = add(size_of_val(&info));
                    write(place, libc::IPPROTO_IPV6, libc::IPV6_PKTINFO, info);
                }
                None => {}
            }
            let tos = c_int::from(message.tos);
            match to {
                SocketAddr::V4(_) => write(add(4), libc::IPPROTO_IP, libc::IP_TOS, tos),
                SocketAddr::V6(_) => write(add(4), libc::IPPROTO_IPV6, libc::IPV6_TCLASS, tos),
            }
            if message.segment > 0 {
                write(add(2), libc::SOL_UDP, libc::UDP_SEGMENT, message.segment);
            }
        }
        header.msg_controllen = used as _;
        headers.push(mmsghdr { msg_hdr: header, msg_len: 0 });
    }
    let fd = socket.as_fd().as_raw_fd();
    let (count, flags) = (headers.len() as c_uint, libc::MSG_DONTWAIT | libc::MSG_NOSIGNAL);
    // SAFETY: the headers, the address, the parts and the control messages that they point to live during the call, with
    // the lengths that the headers name.
    let sent = unsafe { libc::sendmmsg(fd, headers.as_mut_ptr(), count, flags as _) };
    checked(sent).map(|sent| sent as usize)
}

/// The system's words on a received message.
#[derive(Clone, Copy, Debug)]
pub struct Meta {
    /// The sender; the port is 0 for ESP.
    pub source: SocketAddr,
    /// The address of ours that it was for.
    pub local: Option<IpAddr>,
    /// DSCP and ECN.
    pub tos: Option<u8>,
    /// The bytes of each datagram but the last.
    pub segment: usize,
    /// The place of the bytes.
    bytes: Range32,
}

/// A range that is Copy.
type Range32 = (u32, u32);

impl Meta {
    /// A message that no system received.
    pub fn of(source: SocketAddr, segment: usize, tos: u8) -> Self {
        Meta { source, local: None, tos: Some(tos), segment, bytes: (0, 0) }
    }
}

/// The most bytes of a message.
const MESSAGE: usize = 65536;
/// Messages begin at different places of the cache.
const STRIDE: usize = MESSAGE + 576;
/// The most messages that are received in a call.
pub const DEPTH: usize = 16;

/// Room for received messages.
pub struct Inbox {
    memory: Vec<u8>,
    metas: ArrayVec<Meta, DEPTH>,
}

impl Default for Inbox {
    fn default() -> Self {
        // The system gives the memory when it is written to: short messages need a page each.
        Inbox { memory: vec![0; STRIDE * DEPTH], metas: ArrayVec::new() }
    }
}

impl Inbox {
    /// Receives the messages that wait, at most `depth`. Errors: the system's answer; [`io::ErrorKind::WouldBlock`] if
    /// nothing is there.
    pub fn receive(&mut self, socket: &Socket, depth: usize) -> io::Result<()> {
        self.metas.clear();
        let depth = depth.clamp(1, DEPTH);
        let mut names = [Name::empty(); DEPTH];
        let mut controls: [Control; DEPTH] = [[0; 16]; DEPTH];
        let mut parts = ArrayVec::<iovec, DEPTH>::new();
        for room in self.memory.chunks_mut(STRIDE).take(depth) {
            let iov_len = room.len().min(MESSAGE);
            parts.push(iovec { iov_base: room.as_mut_ptr().cast(), iov_len });
        }
        let mut headers = ArrayVec::<mmsghdr, DEPTH>::new();
        for ((part, name), control) in parts.iter_mut().zip(&mut names).zip(&mut controls) {
            // SAFETY: msghdr consists of numbers and pointers, for which zeros are values.
            let mut header: msghdr = unsafe { zeroed() };
            header.msg_name = (&raw mut *name).cast();
            header.msg_namelen = size_of::<Name>() as _;
            header.msg_iov = part;
            header.msg_iovlen = 1;
            header.msg_control = control.as_mut_ptr().cast();
            header.msg_controllen = size_of::<Control>() as _;
            headers.push(mmsghdr { msg_hdr: header, msg_len: 0 });
        }
        let fd = socket.as_fd().as_raw_fd();
        let (count, flags) = (headers.len() as c_uint, libc::MSG_DONTWAIT);
        // SAFETY: the headers, and the addresses, rooms and control messages that they point to, live during the call
        // and have the lengths that the headers name; nothing else refers to them.
        let got =
            unsafe { libc::recvmmsg(fd, headers.as_mut_ptr(), count, flags as _, null_mut()) };
        let got = checked(got)?;
        for (index, header) in headers.iter().take(got as usize).enumerate() {
            let len = (header.msg_len as usize).min(MESSAGE);
            let mut meta = Meta {
                source: names[index].address(),
                local: None,
                tos: None,
                segment: len.max(1),
                bytes: (0, len as u32),
            };
            read_control(&header.msg_hdr, &mut meta);
            let start = STRIDE * index;
            if socket.protocol == Protocol::Esp {
                meta.source.set_port(0);
                if socket.local.is_ipv4() {
                    // IPv4's raw sockets give the header.
                    let bytes = self.memory.get(start..start + len).unwrap_or_default();
                    let [first, tos, ..] = bytes else { continue };
                    let skip = usize::from(first & 15) * 4;
                    (meta.tos, meta.bytes.0) = (Some(*tos), skip.min(len) as u32);
                }
            }
            // A message is never longer than its room, since no packet is.
            if header.msg_hdr.msg_flags & libc::MSG_TRUNC == 0 {
                meta.bytes = (start as u32 + meta.bytes.0, (start + len) as u32);
                self.metas.push(meta);
            }
        }
        Ok(())
    }

    /// The messages, and the bytes of each.
    pub fn messages(&mut self) -> impl Iterator<Item = (&Meta, &mut [u8])> {
        let mut rest = &mut *self.memory;
        let mut before = 0;
        self.metas.iter().filter_map(move |meta| {
            let (from, to) = (meta.bytes.0 as usize, meta.bytes.1 as usize);
            let (_, after) = std::mem::take(&mut rest).split_at_mut_checked(from - before)?;
            let (bytes, after) = after.split_at_mut_checked(to - from)?;
            (rest, before) = (after, to);
            Some((meta, bytes))
        })
    }

    /// The number of messages.
    pub fn len(&self) -> usize {
        self.metas.len()
    }

    /// The bytes of all messages.
    pub fn bytes(&self) -> usize {
        self.metas.iter().map(|meta| meta.bytes.1.saturating_sub(meta.bytes.0) as usize).sum()
    }

    /// Tells whether there is no message.
    pub fn is_empty(&self) -> bool {
        self.metas.is_empty()
    }
}

/// Reads the control messages that the system has written.
fn read_control(header: &msghdr, meta: &mut Meta) {
    // SAFETY: the system has written the control messages, and their length into the header; their buffer is alive. A value
    // is read with the size that its level and type have, and without alignment.
    unsafe {
        let mut place = libc::CMSG_FIRSTHDR(header);
        while !place.is_null() {
            let data = libc::CMSG_DATA(place);
            match ((*place).cmsg_level, (*place).cmsg_type) {
                (libc::SOL_UDP, libc::UDP_GRO) => {
                    let len = data.cast::<c_int>().read_unaligned();
                    meta.segment = usize::try_from(len).unwrap_or(0).max(1);
                }
                (libc::IPPROTO_IP, libc::IP_TOS) => meta.tos = Some(data.read()),
                (libc::IPPROTO_IPV6, libc::IPV6_TCLASS) => {
                    meta.tos = Some(data.cast::<c_int>().read_unaligned() as u8);
                }
                (libc::IPPROTO_IP, libc::IP_PKTINFO) => {
                    let info = data.cast::<libc::in_pktinfo>().read_unaligned();
                    meta.local = Some(info.ipi_addr.s_addr.to_ne_bytes().into());
                }
                (libc::IPPROTO_IPV6, libc::IPV6_PKTINFO) => {
                    let info = data.cast::<libc::in6_pktinfo>().read_unaligned();
                    meta.local = Some(info.ipi6_addr.s6_addr.into());
                }
                _ => {}
            }
            place = libc::CMSG_NXTHDR(header, place);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::UdpSocket;

    use super::super::socket::{For, Probe, Setup, wait};
    use super::*;

    /// Everything that arrives within a moment: the messages and their datagrams.
    fn receive(inbox: &mut Inbox, socket: &Socket) -> Vec<(Meta, Vec<Vec<u8>>)> {
        let mut all = Vec::new();
        while wait(&[socket.as_fd()], For::Reading, Some(std::time::Duration::from_millis(50))) != 0
        {
            inbox.receive(socket, DEPTH).expect("messages");
            for (meta, bytes) in inbox.messages() {
                all.push((*meta, bytes.chunks(meta.segment).map(<[u8]>::to_vec).collect()));
            }
        }
        all
    }

    #[test]
    fn messages_arrive_with_their_datagrams() {
        for (ip, offloads) in [("127.0.0.1", true), ("127.0.0.1", false), ("::1", true)] {
            if ip == "::1" && UdpSocket::bind((ip, 0)).is_err() {
                eprintln!("skipped: no IPv6");
                continue;
            }
            let (a, b) = (Socket::free(ip, offloads), Socket::free(ip, offloads));
            let bytes: Vec<u8> = (0..40_000u32).map(|n| (n / 100) as u8).collect();
            let (first, second) = bytes.split_at(20_050);
            let parts = [first, second, b"text"].map(IoSlice::new);
            let segment = if offloads { 1000 } else { 0 };
            let messages = [
                Outgoing { tos: 0x2a, segment, cut: false, parts: 0..2 },
                Outgoing { tos: 0x03, segment: 0, cut: false, parts: 2..3 },
            ];
            let ip = a.local.ip();
            assert_eq!(send(&a, Some(ip), b.local, &parts, &messages).expect("sent"), 2);
            let got = receive(&mut Inbox::default(), &b);
            let datagrams: Vec<_> =
                got.iter().flat_map(|(_, datagrams)| datagrams.clone()).collect();
            assert_eq!(datagrams.concat(), [&bytes[..], b"text"].concat());
            assert_eq!(datagrams.len(), if offloads { 41 } else { 2 });
            let (first, last) = (&got[0].0, &got[got.len() - 1].0);
            assert_eq!((first.source, first.local), (a.local, Some(ip)));
            assert_eq!((first.tos, last.tos), (Some(0x2a), Some(0x03)));
        }
    }

    #[test]
    fn errors_are_the_systems() {
        let [a, b] = [true; 2].map(|offloads| Socket::free("127.0.0.1", offloads));
        let bytes = vec![0; 66_000];
        let parts = [IoSlice::new(&bytes)];
        let message = |segment| [Outgoing { tos: 0, segment, cut: false, parts: 0..1 }];
        let error = |answer: io::Result<usize>| answer.expect_err("refused");
        let long = error(send(&a, None, b.local, &parts, &message(0)));
        assert_eq!(long.raw_os_error(), Some(libc::EMSGSIZE));
        // An address of others.
        let other = Some(IpAddr::from([192, 0, 2, 1]));
        assert!(error(send(&a, other, b.local, &parts, &message(0))).raw_os_error().is_some());
        let none = [Outgoing { tos: 0, segment: 0, cut: false, parts: 3..9 }];
        let v6 = (IpAddr::from([0; 16]), 1).into();
        for wrong in [
            send(&a, None, b.local, &parts, &none),
            send(&a, None, b.local, &parts, &[]),
            send(&a, None, v6, &parts, &message(0)),
            send(&a, Some(IpAddr::from([0; 16])), b.local, &parts, &message(0)),
        ] {
            assert_eq!(error(wrong).kind(), io::ErrorKind::InvalidInput);
        }
        let empty = Inbox::default().receive(&b, 4).expect_err("nothing");
        assert_eq!(empty.kind(), io::ErrorKind::WouldBlock);
        assert!(Probe::open(None).and_then(|mut p| p.mtu(b.local.ip())).expect("an MTU") >= 1500);
        let taken = Setup { mark: None, offloads: true, buffer: 1 << 20 };
        let again = Socket::open(Protocol::Udp, b.local, taken).err().expect("an error");
        assert_eq!(again.kind(), io::ErrorKind::AddrInUse);
    }
}
