//! The reasons why a volume could not be opened, made or changed.

use std::{fmt, io};

/// The reason why a volume could not be opened, made or changed. Messages contain no secrets; names from a header are
/// shortened and escaped.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The store cannot be read or written.
    Io(io::Error),
    /// No volume of a known kind is here.
    Foreign,
    /// A header has an invalid value, or its checksum is wrong.
    Damaged(String),
    /// A header without its data, which is in another store.
    Detached,
    /// The store ends before the end of the data that a good header describes.
    Short(String),
    /// Only one copy of a header is whole, and the store also begins with something else.
    Ambiguous(String),
    /// An unknown cipher, hash, version or requirement, by its name.
    Unsupported(String),
    /// The header asks for more work or memory than the caller allows.
    Limit(String),
    /// Other programs use the file or the device.
    Busy(String),
    /// The system lacks the memory that the header asks for.
    Memory(String),
    /// The password or the key opens nothing.
    WrongKey,
    /// The password opens none of the keyslots tried; the message names the others.
    Untried(String),
    /// The header or its keyslots area is full.
    Full(String),
    /// Something would be lost: needs the caller's `force`.
    Force(String),
    /// The caller asked for something that cannot be done.
    Invalid(String),
    /// The volume was opened only for reading; or a write to a protected part was refused, which refuses all later
    /// ones.
    ReadOnly,
}

/// The result type of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Io(e) => write!(f, "{e}"),
            Error::Foreign => f.write_str("no LUKS header, and no other known format"),
            Error::Damaged(what) => write!(f, "damaged header: {what}"),
            Error::Detached => f.write_str("a detached header: its data is in another file"),
            Error::Short(what) => write!(f, "cut short: {what}"),
            Error::Ambiguous(what) => {
                write!(f, "one copy of a LUKS2 header is good, but there is {what}, too")
            }
            Error::Unsupported(what) => write!(f, "not supported: {what}"),
            Error::Limit(what) => write!(f, "refused before any work: {what}"),
            Error::Memory(what) => write!(f, "not enough memory: {what}"),
            Error::WrongKey => f.write_str("wrong password or key"),
            Error::Busy(what)
            | Error::Full(what)
            | Error::Force(what)
            | Error::Invalid(what)
            | Error::Untried(what) => f.write_str(what),
            Error::ReadOnly => f.write_str(
                "not writable: the volume is open only for reading, or a write to its hidden volume was refused before",
            ),
        }
    }
}

impl std::error::Error for Error {}

impl From<io::Error> for Error {
    fn from(e: io::Error) -> Self {
        Error::Io(e)
    }
}

/// Returns the error of a header.
pub(crate) fn damaged<T>(what: impl Into<String>) -> Result<T> {
    Err(Error::Damaged(what.into()))
}

/// Shortens and escapes a name from a header, for printing.
pub(crate) fn named(name: &str) -> String {
    let short: String = name.chars().take(40).collect();
    format!("{short:?}")
}

/// Separates the name of something unsupported, which hides nothing else of a header, from other errors.
pub(crate) fn known_or_named<T>(found: Result<T>) -> Result<Result<T, String>> {
    match found {
        Ok(found) => Ok(Ok(found)),
        Err(Error::Unsupported(what)) => Ok(Err(what)),
        Err(e) => Err(e),
    }
}
