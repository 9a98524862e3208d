//! The TUN device.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::OpenOptionsExt;

use libc::{c_char, c_int, c_short, c_uint, ifreq};

use super::{checked, owned};

/// A request that names the device.
fn request(name: &str) -> io::Result<ifreq> {
    // SAFETY: ifreq consists of numbers and a union of numbers and pointers, for which zeros are values.
    let mut request: ifreq = unsafe { std::mem::zeroed() };
    // The last byte stays 0.
    if name.is_empty() || name.len() >= request.ifr_name.len() || name.contains('\0') {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    for (to, from) in request.ifr_name.iter_mut().zip(name.bytes()) {
        *to = from as c_char;
    }
    Ok(request)
}

/// Opens a queue of a TUN device, which it creates and makes persistent. Packets have the header of `packet::vnet`.
pub fn open(name: &str) -> io::Result<File> {
    let mut request = request(name)?;
    request.ifr_ifru.ifru_flags =
        (libc::IFF_TUN | libc::IFF_NO_PI | libc::IFF_VNET_HDR | libc::IFF_MULTI_QUEUE) as c_short;
    let mut options = OpenOptions::new();
    let file =
        options.read(true).write(true).custom_flags(libc::O_NONBLOCK).open("/dev/net/tun")?;
    // SAFETY: the descriptor is open, and the request is an ifreq, which lives during the call; the system writes the
    // device's name into it.
    checked(unsafe { libc::ioctl(file.as_raw_fd(), libc::TUNSETIFF as _, &raw mut request) })?;
    // SAFETY: the descriptor is open; the argument is a number.
    checked(unsafe { libc::ioctl(file.as_raw_fd(), libc::TUNSETPERSIST as _, 1 as c_int) })?;
    Ok(file)
}

/// The work that the system may leave to the reader of the TUN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Offload {
    /// Nothing.
    None,
    /// Checksums.
    Checksums,
    /// And segmentation of TCP.
    Tcp,
    /// And segmentation of UDP.
    Udp,
}

/// Asks for super-packets: the most that the system has, down from `wanted`. The answer holds for all queues.
pub fn offload(file: &File, wanted: Offload) -> Offload {
    let tcp = libc::TUN_F_CSUM | libc::TUN_F_TSO4 | libc::TUN_F_TSO6 | libc::TUN_F_TSO_ECN;
    let steps = [
        (Offload::Udp, tcp | libc::TUN_F_USO4 | libc::TUN_F_USO6),
        (Offload::Tcp, tcp),
        (Offload::Checksums, libc::TUN_F_CSUM),
        (Offload::None, 0),
    ];
    for (step, flags) in steps {
        // SAFETY: the descriptor is open; the argument is a number.
        let set = |flags: c_uint| unsafe {
            libc::ioctl(file.as_raw_fd(), libc::TUNSETOFFLOAD as _, libc::c_ulong::from(flags))
        };
        if step <= wanted && set(flags) == 0 {
            return step;
        }
    }
    Offload::None
}

/// Opens a socket for requests about devices.
fn devices() -> io::Result<OwnedFd> {
    // SAFETY: the arguments are numbers.
    owned(unsafe { libc::socket(libc::AF_INET, libc::SOCK_DGRAM | libc::SOCK_CLOEXEC, 0) })
}

/// Makes a request about a device.
fn ask(devices: &OwnedFd, number: libc::c_ulong, request: &mut ifreq) -> io::Result<()> {
    // SAFETY: the descriptor is open, and the request is an ifreq, which lives during the call.
    checked(unsafe { libc::ioctl(devices.as_raw_fd(), number as _, &raw mut *request) }).map(drop)
}

/// Sets the MTU of a device, and brings it up.
pub fn up(name: &str, mtu: u32) -> io::Result<()> {
    let (devices, mut request) = (devices()?, request(name)?);
    request.ifr_ifru.ifru_mtu = mtu.try_into().map_err(|_| io::ErrorKind::InvalidInput)?;
    ask(&devices, libc::SIOCSIFMTU as _, &mut request)?;
    ask(&devices, libc::SIOCGIFFLAGS as _, &mut request)?;
    // SAFETY: the call before has written the flags.
    unsafe { request.ifr_ifru.ifru_flags |= libc::IFF_UP as c_short };
    ask(&devices, libc::SIOCSIFFLAGS as _, &mut request)
}

/// Tells whether a program has a queue of the device, which is up. Errors: the system's answer; ENODEV, too, for a
/// device of another kind.
fn in_use(name: &str) -> io::Result<bool> {
    let (devices, mut request) = (devices()?, request(name)?);
    ask(&devices, libc::SIOCGIFHWADDR as _, &mut request)?;
    // SAFETY: the call before has written an address of hardware.
    if unsafe { request.ifr_ifru.ifru_hwaddr.sa_family } != libc::ARPHRD_NONE {
        return Err(io::Error::from_raw_os_error(libc::ENODEV));
    }
    ask(&devices, libc::SIOCGIFFLAGS as _, &mut request)?;
    // SAFETY: the call before has written the flags.
    Ok(c_int::from(unsafe { request.ifr_ifru.ifru_flags }) & libc::IFF_RUNNING != 0)
}

/// Deletes a TUN device. Errors: the system's answer; [`io::ErrorKind::NotFound`] if no TUN device has the name,
/// [`io::ErrorKind::ResourceBusy`] if a program uses it: the device would vanish with the program, and its routes with
/// it.
pub fn remove(name: &str) -> io::Result<()> {
    let no_tun = |e: io::Error| match e.raw_os_error() {
        // No device has the name; the device is no TUN, or not of our kind.
        Some(libc::ENODEV | libc::EINVAL) => io::ErrorKind::NotFound.into(),
        _ => e,
    };
    // `open` would create a device that does not exist.
    if in_use(name).map_err(no_tun)? {
        return Err(io::ErrorKind::ResourceBusy.into());
    }
    let file = open(name).map_err(no_tun)?;
    // SAFETY: the descriptor is open; the argument is a number.
    checked(unsafe { libc::ioctl(file.as_raw_fd(), libc::TUNSETPERSIST as _, 0 as c_int) })?;
    Ok(())
}
