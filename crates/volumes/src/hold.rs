//! Opens the file or the device of a volume such that nobody else changes it meanwhile, as far as other users are
//! visible: by `flock`, qemu's locks, exclusive opening of block devices, and the loop devices over a file.
//!
//! A server reads the header once, and never again. It says so by a lock ([`serve`]). Then [`header`] lets others read
//! and change the header, one at a time, while the server keeps the data.

#[cfg(unix)]
use std::fs::Metadata;
use std::fs::{File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::Path;

use crate::error::{Error, Result};
use crate::store::Store;

/// The purpose of opening a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// To look at a header. Others may use the file, and change it.
    Look,
    /// To read. Others may read too.
    Read,
    /// To write. Nobody else may read or write.
    Write,
}

/// Opens a file or a block device. The guarantees of [`Access::Read`] and [`Access::Write`] hold until it is closed.
///
/// # Errors
/// [`Error::Busy`] if others use it; the system's.
pub fn open(path: &Path, access: Access) -> Result<File> {
    let file = plain(path, access == Access::Write, access == Access::Write)?;
    if access != Access::Look {
        lock(&file, access)?;
        lock_header(&file, access == Access::Write)?;
        #[cfg(target_os = "linux")]
        stacked::check(&file.metadata()?, access)?;
    }
    Ok(file)
}

/// Opens a file without any lock; a block device exclusively if `exclusive`.
fn plain(path: &Path, write: bool, exclusive: bool) -> Result<File> {
    let kind = std::fs::metadata(path)?.file_type();
    if kind.is_dir() {
        return Err(std::io::Error::from(ErrorKind::IsADirectory).into());
    }
    let mut options = File::options();
    options.read(true).write(write);
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt as _;
        // Opening a FIFO would wait for a writer.
        if kind.is_fifo() {
            return Err(Error::Invalid("a FIFO is neither a file nor a block device".into()));
        }
        #[cfg(target_os = "linux")]
        if exclusive && kind.is_block_device() {
            use std::os::unix::fs::OpenOptionsExt as _;
            options.custom_flags(libc::O_EXCL);
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = exclusive;
    options.open(path).map_err(|e| match e.kind() {
        ErrorKind::ResourceBusy => {
            Error::Busy("it is mounted, or another program has opened it exclusively".into())
        }
        _ => Error::Io(e),
    })
}

/// The locked byte of those who read a header (shared) or change it (exclusive).
#[cfg(target_os = "linux")]
const HEADER: u64 = 300;
/// The locked byte of servers that no longer read the header.
#[cfg(target_os = "linux")]
const SERVED: u64 = 301;

/// Says that this process, which has opened the file by [`open`], serves data apart from the header, and never reads or
/// writes the header again.
pub fn serve(file: &File) {
    #[cfg(target_os = "linux")]
    {
        use crate::system::bytes::{free, share};
        // Without these locks the header cannot be changed meanwhile.
        if share(file, SERVED).is_ok() {
            let _ = free(file, HEADER);
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = file;
}

fn is_served(file: &File) -> bool {
    #[cfg(target_os = "linux")]
    return crate::system::bytes::is_taken(file, SERVED).unwrap_or(false);
    #[cfg(not(target_os = "linux"))]
    {
        let _ = file;
        false
    }
}

/// Locks the header, until the file is closed or served.
fn lock_header(file: &File, write: bool) -> Result<()> {
    #[cfg(target_os = "linux")]
    {
        use crate::system::bytes::{share, take};
        let locked = if write { take(file, HEADER) } else { share(file, HEADER) };
        if locked
            .is_err_and(|e| matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::PermissionDenied))
        {
            return Err(Error::Busy("another program reads or changes its header".into()));
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (file, write);
    Ok(())
}

/// A file to read or change the header of, which servers may have open.
pub struct Header {
    file: File,
    served: bool,
}

/// Opens a file to read or change only its header. Like [`open`], but it also works while servers that called [`serve`]
/// have the file.
///
/// # Errors
/// [`Error::Busy`] if others use it, or read or change its header; the system's.
pub fn header(path: &Path, write: bool) -> Result<Header> {
    let busy = match open(path, if write { Access::Write } else { Access::Read }) {
        Ok(file) => return Ok(Header { file, served: false }),
        Err(e @ Error::Busy(_)) => e,
        Err(e) => return Err(e),
    };
    let file = match plain(path, write, write) {
        Err(Error::Busy(_)) => {
            let file = plain(path, write, false)?;
            // A server that writes has the device and `flock` exclusively. A server that only reads may share it with a mount.
            if file.try_lock_shared().is_ok() {
                return Err(busy);
            }
            file
        }
        opened => opened?,
    };
    if !is_served(&file) {
        return Err(busy);
    }
    lock_header(&file, write)?;
    #[cfg(target_os = "linux")]
    stacked::check(&file.metadata()?, if write { Access::Write } else { Access::Read })?;
    Ok(Header { file, served: true })
}

/// Opens a file to copy its header, which this library's other users do not change until the file is closed. They may
/// use the data, and other programs everything.
///
/// # Errors
/// [`Error::Busy`] if a server changes the header; the system's.
pub fn unchanged(path: &Path) -> Result<File> {
    let file = plain(path, false, false)?;
    lock_header(&file, false)?;
    Ok(file)
}

/// Returns whether these describe the same file or device.
#[cfg(unix)]
pub fn is_same(a: &Metadata, b: &Metadata) -> bool {
    use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};
    match (a.file_type().is_block_device(), b.file_type().is_block_device()) {
        (true, true) => a.rdev() == b.rdev(),
        (false, false) => (a.dev(), a.ino()) == (b.dev(), b.ino()),
        _ => false,
    }
}

impl Store for Header {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        self.file.read_at(buffer, offset)
    }
    /// Writes only while the server keeps other programs away, or this file does, once the server has ended.
    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        if self.served && !is_served(&self.file) && lock(&self.file, Access::Write).is_err() {
            let what = "the volume's server has ended, and another program has the file: run the command again";
            return Err(io::Error::new(ErrorKind::ResourceBusy, what));
        }
        self.file.write_at(bytes, offset)
    }
    fn sync(&self) -> io::Result<()> {
        self.file.sync()
    }
    fn size(&self) -> io::Result<u64> {
        Store::size(&self.file)
    }
}

/// Locks a file. On a filesystem without locks the user must prevent conflicts.
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

/// Sets qemu's locks: byte 100 + n means that a program uses permission n, byte 200 + n that no other may.
#[cfg(target_os = "linux")]
fn lock_as_qemu(file: &File, write: bool) -> Result<()> {
    use crate::system::bytes::{is_taken, share};
    const READ: u64 = 0;
    const WRITE: u64 = 1;
    const RESIZE: u64 = 3;
    const USED: u64 = 100;
    const KEPT: u64 = 200;
    let busy = || Err(Error::Busy("another program has it open, with qemu's locks".into()));
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
            // The filesystem has no such locks.
            Err(_) => return Ok(()),
            Ok(()) => {}
        }
    }
    match both(KEPT, USED).any(|at| is_taken(file, at).unwrap_or(false)) {
        true => busy(),
        false => Ok(()),
    }
}

/// Checks the devices over and under a file: the locks of one are invisible on the other.
#[cfg(target_os = "linux")]
mod stacked {
    use std::ffi::OsStr;
    use std::fs::{self, File, Metadata};
    use std::os::unix::ffi::OsStrExt as _;
    use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};
    use std::path::{Path, PathBuf};

    use super::{Access, is_same, lock};
    use crate::error::{Error, Result};

    /// Refuses a file under a loop device, and a device over a file that others use.
    pub fn check(file: &Metadata, access: Access) -> Result<()> {
        over(file, None, access)?;
        if !file.file_type().is_block_device() {
            return Ok(());
        }
        let rdev = file.rdev();
        let number = format!("{}:{}", rustix::fs::major(rdev), rustix::fs::minor(rdev));
        match fs::canonicalize(Path::new("/sys/dev/block").join(number)) {
            Ok(device) => below(&device, access),
            // Without /sys this is unknown.
            Err(_) => Ok(()),
        }
    }

    /// Returns the path of a loop device's file, as given in `/sys`.
    fn backing(device: &Path) -> Option<PathBuf> {
        let path = fs::read(device.join("loop/backing_file")).ok()?;
        Some(OsStr::from_bytes(path.strip_suffix(b"\n").unwrap_or(&path)).into())
    }

    /// Refuses a file under another loop device than `except`; a reader may share it with a device that is read-only.
    fn over(file: &Metadata, except: Option<&OsStr>, access: Access) -> Result<()> {
        for device in fs::read_dir("/sys/block").into_iter().flatten().flatten() {
            let (name, at) = (device.file_name(), device.path());
            let Some(path) = backing(&at).filter(|_| Some(&*name) != except) else { continue };
            let read_only = || fs::read(at.join("ro")).is_ok_and(|ro| ro.starts_with(b"1"));
            if fs::metadata(path).is_ok_and(|other| is_same(file, &other))
                && (access == Access::Write || !read_only())
            {
                return Err(Error::Busy(format!("/dev/{} is backed by it", name.display())));
            }
        }
        Ok(())
    }

    /// Refuses a device if others use the file or the devices under it.
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
            Error::Busy(what) => Error::Busy(format!("it is backed by {}: {what}", path.display())),
            e => e,
        };
        if let Ok(file) = File::open(&path) {
            // Only for a moment: later openers see this device over the file.
            lock(&file, access).map_err(said)?;
        }
        over(&metadata, whole.file_name(), access).map_err(said)
    }
}
