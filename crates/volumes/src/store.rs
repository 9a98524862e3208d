//! The place of a volume: bytes at offsets.

use std::fs::File;
use std::io;
use std::sync::{Mutex, PoisonError};

/// The size of data in a store that was not named.
pub const UNKNOWN: u64 = u64::MAX;

/// Bytes at offsets, from any thread.
pub trait Store: Send + Sync {
    /// Fills the buffer with the bytes from `offset` on.
    ///
    /// # Errors
    /// The system's; `UnexpectedEof` past the end.
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()>;
    /// Writes all of `bytes` at `offset`.
    ///
    /// # Errors
    /// The system's.
    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<()>;
    /// Makes everything written so far survive a power cut.
    ///
    /// # Errors
    /// The system's.
    fn sync(&self) -> io::Result<()>;
    /// Returns the size in bytes.
    ///
    /// # Errors
    /// The system's.
    fn size(&self) -> io::Result<u64>;
    /// Returns the size of the data, if it is in another store and this store has only the header; [`UNKNOWN`] if that
    /// store was not named.
    fn apart(&self) -> Option<u64> {
        None
    }
    /// Returns the space to the system. Reading it afterwards gives unspecified bytes.
    ///
    /// # Errors
    /// `Unsupported` if the system cannot.
    fn discard(&self, _offset: u64, _len: u64) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
    /// Returns how many bytes from `offset` on, up to `len`, are all in a hole or all outside, and which.
    ///
    /// # Errors
    /// `Unsupported` if unknown.
    fn hole(&self, _offset: u64, _len: u64) -> io::Result<(u64, bool)> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

impl Store for File {
    #[cfg(unix)]
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        let read = std::os::unix::fs::FileExt::read_exact_at(self, buffer, offset);
        read.map_err(|e| ended(self, buffer.len(), offset, e))
    }
    #[cfg(unix)]
    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        std::os::unix::fs::FileExt::write_all_at(self, bytes, offset)
    }
    #[cfg(not(unix))]
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        use std::io::{Read as _, Seek as _, SeekFrom};
        let _one = PLACE.lock().unwrap_or_else(PoisonError::into_inner);
        (&*self).seek(SeekFrom::Start(offset))?;
        let read = (&*self).read_exact(buffer);
        read.map_err(|e| ended(self, buffer.len(), offset, e))
    }
    #[cfg(not(unix))]
    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        use std::io::{Seek as _, SeekFrom, Write as _};
        let _one = PLACE.lock().unwrap_or_else(PoisonError::into_inner);
        (&*self).seek(SeekFrom::Start(offset))?;
        (&*self).write_all(bytes)
    }
    fn sync(&self) -> io::Result<()> {
        self.sync_data()
    }
    fn size(&self) -> io::Result<u64> {
        use std::io::{Seek as _, SeekFrom};
        // A block device has no other length.
        #[cfg(not(unix))]
        let _one = PLACE.lock().unwrap_or_else(PoisonError::into_inner);
        (&*self).seek(SeekFrom::End(0))
    }
    #[cfg(target_os = "linux")]
    fn discard(&self, offset: u64, len: u64) -> io::Result<()> {
        use rustix::fs::{FallocateFlags as F, fallocate};
        Ok(fallocate(self, F::PUNCH_HOLE | F::KEEP_SIZE, offset, len)?)
    }
    #[cfg(target_os = "linux")]
    fn hole(&self, offset: u64, len: u64) -> io::Result<(u64, bool)> {
        use rustix::fs::{SeekFrom, seek};
        let data = match seek(self, SeekFrom::Data(offset)) {
            Ok(data) => data,
            Err(rustix::io::Errno::NXIO) => return Ok((len, true)),
            Err(e) => return Err(e.into()),
        };
        if data > offset {
            return Ok((len.min(data - offset), true));
        }
        let hole = seek(self, SeekFrom::Hole(offset))?;
        Ok((len.min(hole.saturating_sub(offset).max(1)), false))
    }
}

/// Adds the position of a read past the end, and of the end, to an error.
fn ended(file: &File, len: usize, offset: u64, e: io::Error) -> io::Error {
    if e.kind() != io::ErrorKind::UnexpectedEof {
        return e;
    }
    let end = match file.metadata() {
        Ok(metadata) if metadata.is_file() => format!(" at byte {}", metadata.len()),
        _ => String::new(),
    };
    let what = format!("it ends{end}, within the {len} bytes from byte {offset} on");
    io::Error::new(e.kind(), what)
}

/// On systems without positioned reads a file has a single position, so calls use it in turn.
#[cfg(not(unix))]
static PLACE: Mutex<()> = Mutex::new(());

/// A store in memory, for tests and fuzzing.
#[derive(Default)]
pub struct Memory(Mutex<Vec<u8>>);

impl Memory {
    /// Creates a store of these bytes.
    pub fn new(bytes: Vec<u8>) -> Self {
        Memory(Mutex::new(bytes))
    }
    /// Returns a copy of the content.
    pub fn bytes(&self) -> Vec<u8> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Store for Memory {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        let bytes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let from = usize::try_from(offset).ok().and_then(|at| bytes.get(at..));
        let from = from.and_then(|from| from.get(..buffer.len()));
        buffer.copy_from_slice(from.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }
    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let to = usize::try_from(offset).ok().and_then(|at| all.get_mut(at..));
        let to = to.and_then(|to| to.get_mut(..bytes.len()));
        to.ok_or(io::ErrorKind::StorageFull)?.copy_from_slice(bytes);
        Ok(())
    }
    fn sync(&self) -> io::Result<()> {
        Ok(())
    }
    fn size(&self) -> io::Result<u64> {
        Ok(self.0.lock().unwrap_or_else(PoisonError::into_inner).len() as u64)
    }
}
