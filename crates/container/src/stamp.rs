//! Detects files that change while they are read.

use std::fs::File;
use std::io;

/// Identifies a file's content by the system's data: the file's identity, its length, and the time of its last change.
#[derive(Clone, PartialEq, Eq)]
pub struct Stamp(Option<Mark>);

#[cfg(unix)]
type Mark = [i64; 7];
#[cfg(not(unix))]
type Mark = (u64, Option<std::time::SystemTime>);

impl Stamp {
    /// Makes the stamp before reading; it never detects changes of files that are not regular.
    ///
    /// The system's clock for files advances in steps. If the file changed a moment ago, this waits for the next step,
    /// so that a later change is visible.
    ///
    /// # Errors
    /// The system's.
    pub fn before(file: &File) -> io::Result<Stamp> {
        let stamp = Self::now(file)?;
        #[cfg(unix)]
        if let Some([.., seconds, nanoseconds]) = stamp.0 {
            use std::time::{Duration, SystemTime};
            // Twice the longest step of Linux.
            const STEP: Duration = Duration::from_millis(20);
            let changed = u64::try_from(seconds).ok().and_then(|seconds| {
                SystemTime::UNIX_EPOCH.checked_add(Duration::new(seconds, nanoseconds as u32))
            });
            let age = changed.map(|changed| changed.elapsed().unwrap_or_default());
            if let Some(wait) = age.and_then(|age| STEP.checked_sub(age)) {
                std::thread::sleep(wait);
                return Self::now(file);
            }
        }
        Ok(stamp)
    }

    /// Compares the stamp with the file after reading.
    ///
    /// # Errors
    /// When the file has changed; the system's.
    pub fn after(&self, file: &File) -> io::Result<()> {
        if Self::now(file)? == *self { Ok(()) } else { Err(changed()) }
    }

    #[cfg(unix)]
    fn now(file: &File) -> io::Result<Stamp> {
        use std::os::unix::fs::MetadataExt as _;
        let m = file.metadata()?;
        let which = [m.dev() as i64, m.ino() as i64, m.size() as i64];
        let [a, b, c] = which;
        let mark = [a, b, c, m.mtime(), m.mtime_nsec(), m.ctime(), m.ctime_nsec()];
        Ok(Stamp(m.is_file().then_some(mark)))
    }
    #[cfg(not(unix))]
    fn now(file: &File) -> io::Result<Stamp> {
        let m = file.metadata()?;
        Ok(Stamp(m.is_file().then(|| (m.len(), m.modified().ok()))))
    }
}

/// Returns the error of a file that changed.
pub fn changed() -> io::Error {
    io::Error::other("the file changed while it was read")
}
