//! Signs that the machine was cloned. Two copies of a running machine would use the numbers of an SA twice, which
//! destroys its security, so all SAs end.
//! README.md, "Protection", has the signs, and what they do not notice.

use std::os::fd::{AsFd, OwnedFd};

use crate::sys::local::{self, Wait};

/// Seconds of sleep that end SAs: clocks are read one after another, and a busy machine may pause between them.
pub const SLEPT: f64 = 1.0;
/// Seconds of a jump of the calendar that end SAs: NTP steps by less in a machine that runs.
pub const JUMPED: f64 = 10.0;

/// Watches for the signs.
pub struct Clones {
    /// The kernel's messages about devices, if we may read them.
    messages: Option<OwnedFd>,
    before: Offsets,
}

/// CLOCK_BOOTTIME and CLOCK_REALTIME less CLOCK_MONOTONIC, in seconds.
#[derive(Clone, Copy)]
struct Offsets {
    boot: f64,
    real: f64,
}

impl Offsets {
    fn now() -> Self {
        let [monotonic, boot, real] = local::clocks();
        Offsets { boot: boot - monotonic, real: real - monotonic }
    }

    /// Tells whether a clock jumped since.
    fn jumped(self, since: Offsets) -> bool {
        (self.boot - since.boot).abs() >= SLEPT || (self.real - since.real).abs() >= JUMPED
    }
}

impl Clones {
    /// Begins to watch.
    pub fn new() -> Self {
        Clones { messages: local::uevents().ok(), before: Offsets::now() }
    }

    /// Returns the descriptor to wait for.
    pub fn wait(&self) -> Option<Wait<'_>> {
        self.messages.as_ref().map(|socket| Wait { of: socket.as_fd(), write: false })
    }

    /// Reads the kernel's messages. Tells whether the machine has a new generation.
    pub fn generation_changed(&mut self) -> bool {
        let Some(socket) = &self.messages else { return false };
        let (mut buffer, mut changed) = ([0; 8192], false);
        loop {
            match local::uevent(socket, &mut buffer) {
                Ok(len) => changed |= is_generation(&buffer[..len.min(8192)]),
                Err(e) if e.kind() == std::io::ErrorKind::WouldBlock => return changed,
                // Messages were lost, perhaps this one, and the kernel tells the generation nowhere else. The buffer has
                // room for thousands.
                Err(e) if e.raw_os_error() == Some(libc::ENOBUFS) => changed = true,
                Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
                Err(_) => {
                    self.messages = None;
                    return changed;
                }
            }
        }
    }

    /// Tells whether a clock jumped since the last call. Called each second.
    pub fn clocks_jumped(&mut self) -> bool {
        let (now, before) = (Offsets::now(), self.before);
        self.before = now;
        now.jumped(before)
    }
}

impl Default for Clones {
    fn default() -> Self {
        Clones::new()
    }
}

/// Tells whether a message of the kernel says that the machine has a new generation: texts that end with a byte of 0.
fn is_generation(message: &[u8]) -> bool {
    message.split(|byte| *byte == 0).any(|text| text == b"NEW_VMGENID=1")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_the_kernel() {
        let path = b"change@/devices/platform/QEMUVGID:00\0ACTION=change\0SUBSYSTEM=acpi\0NEW_VMGENID=1\0SEQNUM=7";
        assert!(is_generation(path));
        for other in [&b""[..], b"NEW_VMGENID=0\0", b"add@/NEW_VMGENID=1\0", b"XNEW_VMGENID=1\0"] {
            assert!(!is_generation(other));
        }
    }

    #[test]
    fn jumps() {
        let before = Offsets { boot: 100.0, real: 1e9 };
        for (boot, real, want) in [
            (100.0, 1e9, false),
            (100.9, 1e9 + 9.0, false),
            (101.1, 1e9, true),
            (98.0, 1e9, true),
            (100.0, 1e9 + 11.0, true),
            (100.0, 1e9 - 11.0, true),
        ] {
            assert_eq!(Offsets { boot, real }.jumped(before), want, "{boot} {real}");
        }
        let mut clones = Clones::new();
        assert!(!clones.clocks_jumped());
        // Does not wait.
        let _ = clones.generation_changed();
    }
}
