//! Opens the file or the device of a volume so that nobody else changes it meanwhile, as far as the system lets others
//! be seen: by `flock`, by the locks of qemu, by exclusive opening of block devices, by the loop devices over a file.

use std::fs::{File, TryLockError};
use std::io::ErrorKind;
use std::path::Path;

use crate::error::{Error, Result};

/// The purpose that a file is opened for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// To look at a header. Others may have the file, and may change it.
    Look,
    /// To read. Others may read, too.
    Read,
    /// To write. Nobody else may read or write.
    Write,
}

/// Opens a file or a block device. What [`Access::Read`] and [`Access::Write`] promise holds until it is closed.
///
/// # Errors
/// [`Error::Busy`] where others have it; the system's.
pub fn open(path: &Path, access: Access) -> Result<File> {
    let kind = std::fs::metadata(path)?.file_type();
    if kind.is_dir() {
        return Err(std::io::Error::from(ErrorKind::IsADirectory).into());
    }
    let mut options = File::options();
    options.read(true).write(access == Access::Write);
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt as _;
        // To open one would wait for somebody who writes to it.
        if kind.is_fifo() {
            return Err(Error::Invalid("a FIFO is neither a file nor a block device".into()));
        }
        #[cfg(target_os = "linux")]
        if access == Access::Write && kind.is_block_device() {
            use std::os::unix::fs::OpenOptionsExt as _;
            options.custom_flags(libc::O_EXCL);
        }
    }
    let file = options.open(path).map_err(|e| match e.kind() {
        ErrorKind::ResourceBusy => {
            Error::Busy("it is mounted, or another program has it for itself".into())
        }
        _ => Error::Io(e),
    })?;
    if access != Access::Look {
        lock(&file, access)?;
        #[cfg(target_os = "linux")]
        stacked::check(&file.metadata()?, access)?;
    }
    Ok(file)
}

/// Sets the locks of a file. Where a filesystem has none, the user must see to it.
fn lock(file: &File, access: Access) -> Result<()> {
    let write = access == Access::Write;
    let locked = if write { file.try_lock() } else { file.try_lock_shared() };
    if matches!(locked, Err(TryLockError::WouldBlock)) {
        return Err(Error::Busy("another program has it open".into()));
    }
    #[cfg(target_os = "linux")]
    lock_as_qemu(file, write)?;
    Ok(())
}

/// Sets the locks of qemu: byte 100 + n says that a program uses permission n, byte 200 + n that no other may.
#[cfg(target_os = "linux")]
fn lock_as_qemu(file: &File, write: bool) -> Result<()> {
    use crate::system::bytes::{is_taken, share};
    const READ: u64 = 0;
    const WRITE: u64 = 1;
    const RESIZE: u64 = 3;
    const USED: u64 = 100;
    const KEPT: u64 = 200;
    let busy = || Err(Error::Busy("another program has it open, with locks as qemu's".into()));
    let used = if write { &[READ, WRITE][..] } else { &[READ] };
    let kept = [WRITE, RESIZE];
    let both = |used_at: u64, kept_at: u64| {
        let used = used.iter().map(move |n| used_at + n);
        used.chain(kept.iter().map(move |n| kept_at + n))
    };
    for at in both(USED, KEPT) {
        match share(file, at) {
            Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::PermissionDenied) => {
                return busy();
            }
            // A filesystem without such locks.
            Err(_) => return Ok(()),
            Ok(()) => {}
        }
    }
    match both(KEPT, USED).any(|at| is_taken(file, at).unwrap_or(false)) {
        true => busy(),
        false => Ok(()),
    }
}

/// Devices over files: neither sees the locks of the other.
#[cfg(target_os = "linux")]
mod stacked {
    use std::ffi::OsStr;
    use std::fs::{self, File, Metadata};
    use std::os::unix::ffi::OsStrExt as _;
    use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};
    use std::path::{Path, PathBuf};

    use super::{Access, lock};
    use crate::error::{Error, Result};

    /// Refuses a file that a loop device is over, and a device over a file that others have.
    pub fn check(file: &Metadata, access: Access) -> Result<()> {
        over(file, None, access)?;
        if !file.file_type().is_block_device() {
            return Ok(());
        }
        let rdev = file.rdev();
        let number = format!("{}:{}", rustix::fs::major(rdev), rustix::fs::minor(rdev));
        match fs::canonicalize(Path::new("/sys/dev/block").join(number)) {
            Ok(device) => below(&device, access),
            // Without /sys nothing is seen.
            Err(_) => Ok(()),
        }
    }

    /// The path of a loop device's file, as `/sys` has it.
    fn backing(device: &Path) -> Option<PathBuf> {
        let path = fs::read(device.join("loop/backing_file")).ok()?;
        Some(OsStr::from_bytes(path.strip_suffix(b"\n").unwrap_or(&path)).into())
    }

    fn is_same(a: &Metadata, b: &Metadata) -> bool {
        match (a.file_type().is_block_device(), b.file_type().is_block_device()) {
            (true, true) => a.rdev() == b.rdev(),
            (false, false) => (a.dev(), a.ino()) == (b.dev(), b.ino()),
            _ => false,
        }
    }

    /// Refuses what another loop device than `except` is over; who reads shares it with one that cannot be written.
    fn over(file: &Metadata, except: Option<&OsStr>, access: Access) -> Result<()> {
        for device in fs::read_dir("/sys/block").into_iter().flatten().flatten() {
            let (name, at) = (device.file_name(), device.path());
            let Some(path) = backing(&at).filter(|_| Some(&*name) != except) else { continue };
            let read_only = || fs::read(at.join("ro")).is_ok_and(|ro| ro.starts_with(b"1"));
            if fs::metadata(path).is_ok_and(|other| is_same(file, &other))
                && (access == Access::Write || !read_only())
            {
                return Err(Error::Busy(format!("/dev/{} is over it", name.display())));
            }
        }
        Ok(())
    }

    /// Refuses a device when others have what it is made of: a file, or other devices.
    fn below(device: &Path, access: Access) -> Result<()> {
        let whole = match device.join("partition").exists() {
            true => device.parent().unwrap_or(device),
            false => device,
        };
        for slave in fs::read_dir(whole.join("slaves")).into_iter().flatten().flatten() {
            if let Ok(slave) = fs::canonicalize(slave.path()) {
                below(&slave, access)?;
            }
        }
        let Some(path) = backing(whole) else { return Ok(()) };
        let Ok(metadata) = fs::metadata(&path) else { return Ok(()) };
        let said = |e| match e {
            Error::Busy(what) => Error::Busy(format!("it is over {}: {what}", path.display())),
            e => e,
        };
        if let Ok(file) = File::open(&path) {
            // For a moment: later openers see this device over the file.
            lock(&file, access).map_err(said)?;
        }
        over(&metadata, whole.file_name(), access).map_err(said)
    }
}
