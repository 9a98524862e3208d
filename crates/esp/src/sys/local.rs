//! Unix sockets of type SOCK_SEQPACKET, which the standard library lacks, and waiting for several descriptors.

use std::io;
use std::mem::{size_of, zeroed};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr::null_mut;

use super::socket::set;
use super::{checked, owned};

fn address(path: &Path) -> io::Result<(libc::sockaddr_un, libc::socklen_t)> {
    // SAFETY: zeros are a valid `sockaddr_un`.
    let mut address: libc::sockaddr_un = unsafe { zeroed() };
    let name = path.as_os_str().as_bytes();
    if name.is_empty() || name.contains(&0) || name.len() >= address.sun_path.len() {
        let most = address.sun_path.len() - 1;
        let text = format!("a socket's path has 1 to {most} bytes, and no byte of zero");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
    }
    address.sun_family = libc::AF_UNIX as libc::sa_family_t;
    address.sun_path.iter_mut().zip(name).for_each(|(to, from)| *to = *from as libc::c_char);
    Ok((address, size_of::<libc::sockaddr_un>() as libc::socklen_t))
}

fn socket() -> io::Result<OwnedFd> {
    // SAFETY: no pointers.
    owned(unsafe { libc::socket(libc::AF_UNIX, libc::SOCK_SEQPACKET | libc::SOCK_CLOEXEC, 0) })
}

/// Creates a socket at the path, of mode 0600, which accepts connections and does not wait. Errors: the system's
/// answer; [`io::ErrorKind::AddrInUse`] if the path exists.
pub fn listen(path: &Path) -> io::Result<OwnedFd> {
    let (socket, (address, len)) = (socket()?, address(path)?);
    // SAFETY: no pointers.
    let before = unsafe { libc::umask(0o177) };
    // SAFETY: the address is valid for `len` bytes.
    let bound =
        checked(unsafe { libc::bind(socket.as_raw_fd(), (&raw const address).cast(), len) });
    // SAFETY: no pointers.
    unsafe { libc::umask(before) };
    bound?;
    // SAFETY: no pointers.
    checked(unsafe { libc::listen(socket.as_raw_fd(), 16) })?;
    // SAFETY: no pointers.
    checked(unsafe { libc::fcntl(socket.as_raw_fd(), libc::F_SETFL, libc::O_NONBLOCK) })?;
    Ok(socket)
}

/// Connects to the socket at the path.
pub fn connect(path: &Path) -> io::Result<OwnedFd> {
    let (socket, (address, len)) = (socket()?, address(path)?);
    // SAFETY: the address is valid for `len` bytes.
    checked(unsafe { libc::connect(socket.as_raw_fd(), (&raw const address).cast(), len) })?;
    Ok(socket)
}

/// Accepts a connection, which does not wait.
pub fn accept(listener: &OwnedFd) -> io::Result<OwnedFd> {
    let flags = libc::SOCK_CLOEXEC | libc::SOCK_NONBLOCK;
    // SAFETY: no address is asked for.
    owned(unsafe { libc::accept4(listener.as_raw_fd(), null_mut(), null_mut(), flags) })
}

/// Returns the user who connected.
pub fn peer(socket: &OwnedFd) -> io::Result<u32> {
    let mut user = libc::ucred { pid: 0, uid: 0, gid: 0 };
    let mut len = size_of::<libc::ucred>() as libc::socklen_t;
    let (of, what) = (libc::SOL_SOCKET, libc::SO_PEERCRED);
    // SAFETY: there is room for `len` bytes.
    checked(unsafe {
        libc::getsockopt(socket.as_raw_fd(), of, what, (&raw mut user).cast(), &raw mut len)
    })?;
    Ok(user.uid)
}

/// Receives a message. Returns its length, which is more than the buffer's if the buffer is too short, and 0 if the
/// peer has closed the connection.
pub fn receive(socket: &OwnedFd, buffer: &mut [u8]) -> io::Result<usize> {
    let (at, len) = (buffer.as_mut_ptr().cast(), buffer.len());
    // SAFETY: the buffer is valid for `len` bytes.
    let got = unsafe { libc::recv(socket.as_raw_fd(), at, len, libc::MSG_TRUNC) };
    Ok(checked(got)? as usize)
}

/// Sends a message whole. Errors: the system's answer; a peer that has gone raises no signal.
pub fn send(socket: &OwnedFd, message: &[u8]) -> io::Result<()> {
    let (at, len) = (message.as_ptr().cast(), message.len());
    // SAFETY: the message is valid for `len` bytes.
    checked(unsafe { libc::send(socket.as_raw_fd(), at, len, libc::MSG_NOSIGNAL) })?;
    Ok(())
}

/// Returns our effective user.
pub fn user() -> u32 {
    // SAFETY: no pointers; it never fails.
    unsafe { libc::geteuid() }
}

/// A descriptor to wait for.
#[derive(Clone, Copy)]
pub struct Wait<'a> {
    /// The descriptor.
    pub of: BorrowedFd<'a>,
    /// Waits until it can be written, too.
    pub write: bool,
}

/// The state of a descriptor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ready {
    /// There is something to read, or the end, or an error.
    pub read: bool,
    /// There is room to write.
    pub write: bool,
}

/// Waits until a descriptor is ready, or the milliseconds have passed; a signal ends the wait, too.
pub fn poll(waits: &[Wait<'_>], milliseconds: i32) -> io::Result<Vec<Ready>> {
    let events = |w: &Wait<'_>| libc::POLLIN | if w.write { libc::POLLOUT } else { 0 };
    let mut all: Vec<_> = (waits.iter())
        .map(|w| libc::pollfd { fd: w.of.as_raw_fd(), events: events(w), revents: 0 })
        .collect();
    // SAFETY: the list is valid for its length.
    let answer = unsafe { libc::poll(all.as_mut_ptr(), all.len() as libc::nfds_t, milliseconds) };
    match checked(answer) {
        Err(e) if e.kind() == io::ErrorKind::Interrupted => {
            all.iter_mut().for_each(|p| p.revents = 0)
        }
        answer => drop(answer?),
    }
    let ready = |p: &libc::pollfd| Ready {
        read: p.revents & !libc::POLLOUT != 0,
        write: p.revents & libc::POLLOUT != 0,
    };
    Ok(all.iter().map(ready).collect())
}

/// Wakes a thread that waits in [`poll`].
pub struct Wake(OwnedFd);

impl Wake {
    /// Creates the descriptor.
    pub fn new() -> io::Result<Self> {
        // SAFETY: no pointers.
        owned(unsafe { libc::eventfd(0, libc::EFD_CLOEXEC | libc::EFD_NONBLOCK) }).map(Wake)
    }

    /// Wakes the thread, at its next wait if it does not wait now.
    pub fn wake(&self) {
        let one = 1u64;
        // It fails only if the counter is full, and then the thread wakes anyway.
        // SAFETY: the number is valid for its 8 bytes.
        unsafe { libc::write(self.0.as_raw_fd(), (&raw const one).cast(), 8) };
    }

    /// Forgets the wakes so far.
    pub fn clear(&self) {
        let mut count = 0u64;
        // It fails only if there was no wake.
        // SAFETY: there is room for the 8 bytes.
        unsafe { libc::read(self.0.as_raw_fd(), (&raw mut count).cast(), 8) };
    }

    /// Returns the descriptor to wait for.
    pub fn wait(&self) -> Wait<'_> {
        Wait { of: self.0.as_fd(), write: false }
    }
}

/// Opens the socket of the kernel's messages about devices.
pub fn uevents() -> io::Result<OwnedFd> {
    let kind = libc::SOCK_RAW | libc::SOCK_CLOEXEC | libc::SOCK_NONBLOCK;
    // SAFETY: no pointers.
    let socket =
        owned(unsafe { libc::socket(libc::AF_NETLINK, kind, libc::NETLINK_KOBJECT_UEVENT) })?;
    // SAFETY: zeros are a valid `sockaddr_nl`.
    let mut address: libc::sockaddr_nl = unsafe { zeroed() };
    address.nl_family = libc::AF_NETLINK as libc::sa_family_t;
    // The kernel's own messages; udev's are in group 2.
    address.nl_groups = 1;
    let len = size_of::<libc::sockaddr_nl>() as libc::socklen_t;
    // SAFETY: the address is valid for `len` bytes.
    checked(unsafe { libc::bind(socket.as_raw_fd(), (&raw const address).cast(), len) })?;
    // Only root may; else it has the system's.
    let _ = set(&socket, libc::SOL_SOCKET, libc::SO_RCVBUFFORCE, 16 << 20);
    Ok(socket)
}

/// Receives a message of the kernel about a device. Returns its length; 0 for a message of anyone else.
pub fn uevent(socket: &OwnedFd, buffer: &mut [u8]) -> io::Result<usize> {
    // SAFETY: zeros are a valid `sockaddr_nl`.
    let mut from: libc::sockaddr_nl = unsafe { zeroed() };
    let mut len = size_of::<libc::sockaddr_nl>() as libc::socklen_t;
    let (at, room) = (buffer.as_mut_ptr().cast(), buffer.len());
    // SAFETY: the buffer is valid for `room` bytes, the address for `len`.
    let got = checked(unsafe {
        libc::recvfrom(socket.as_raw_fd(), at, room, 0, (&raw mut from).cast(), &raw mut len)
    })?;
    Ok(if from.nl_pid == 0 { got as usize } else { 0 })
}

/// Returns the seconds of a clock of the system, with their fraction.
fn clock(which: libc::clockid_t) -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: there is room for the time; these clocks exist.
    unsafe { libc::clock_gettime(which, &raw mut time) };
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// Returns the seconds of three clocks: the first does not run while the machine sleeps, the second does, the third is the
/// calendar's.
pub fn clocks() -> [f64; 3] {
    [libc::CLOCK_MONOTONIC, libc::CLOCK_BOOTTIME, libc::CLOCK_REALTIME].map(clock)
}
