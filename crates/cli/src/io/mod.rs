//! Input and output. `-` is a standard stream. Output goes to a temporary file in the target's folder. Writing to the
//! input is refused.

mod input;
mod output;
mod place;

#[cfg(unix)]
use std::fs::File;
use std::fs::Metadata;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::error::{Error, Exit, Result};
use crate::progress::aside;
use crate::standard::closed;

pub use self::input::{Input, PIECE, Piece, through};
pub use self::output::{Output, sync_folder};
pub use self::place::{Place, distinct, location, streams_apart};

// Reads by descriptor: the standard library treats an unreadable descriptor as empty, and an unwritable one as written.
#[cfg(unix)]
type StandardInput = File;
#[cfg(not(unix))]
type StandardInput = io::Stdin;
#[cfg(unix)]
type StandardOutput = File;
#[cfg(not(unix))]
type StandardOutput = io::Stdout;

fn standard_input() -> Result<StandardInput> {
    if closed(0) {
        return Err(Error::new(Exit::Io, "standard input: closed")
            .remedy("name a file, or redirect one to the command: <FILE"));
    }
    #[cfg(unix)]
    return copy(&io::stdin()).map_err(|e| Error::read(Path::new("-"), &e));
    #[cfg(not(unix))]
    Ok(io::stdin())
}

/// Returns standard output. It is an error if it was closed when the program started.
pub fn standard_output() -> Result<StandardOutput> {
    if closed(1) {
        return Err(Error::new(Exit::Io, "standard output: closed")
            .remedy("redirect it: >FILE, or >/dev/null to discard it"));
    }
    #[cfg(unix)]
    return copy(&io::stdout()).map_err(|e| Error::write(Path::new("-"), &e));
    #[cfg(not(unix))]
    Ok(io::stdout())
}

#[cfg(unix)]
fn copy(stream: &impl std::os::fd::AsFd) -> io::Result<File> {
    Ok(stream.as_fd().try_clone_to_owned()?.into())
}

#[cfg(unix)]
fn standard(stream: &impl std::os::fd::AsFd) -> Option<Metadata> {
    copy(stream).ok()?.metadata().ok()
}
#[cfg(not(unix))]
fn standard<T>(_: &T) -> Option<Metadata> {
    None
}

/// Writes to standard output. A closed pipe ends the program without a message.
pub fn print(bytes: impl AsRef<[u8]>) -> Result<()> {
    let mut out = standard_output()?;
    aside(|| out.write_all(bytes.as_ref()).and_then(|()| out.flush()))
        .map_err(|e| Error::write(Path::new("-"), &e))
}

/// Converts bytes, as in lists, to a path.
pub fn path_of(bytes: &[u8]) -> PathBuf {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt as _;
        std::ffi::OsStr::from_bytes(bytes).into()
    }
    #[cfg(not(unix))]
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}

/// Converts a path to bytes.
pub fn bytes_of(path: &Path) -> Vec<u8> {
    path.as_os_str().as_encoded_bytes().to_vec()
}
