//! The reasons why a container could not be written or read.

use std::{fmt, io};

/// The reason why a container could not be written or read. Chunks are counted from 0.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The source cannot be read.
    Read(io::Error),
    /// The destination cannot be written.
    Write(io::Error),
    /// The first bytes are not a container's.
    Foreign,
    /// A container of an unknown version.
    Version(u16),
    /// A field of the header has a value that the format does not allow.
    Field(&'static str),
    /// A field of a slot has a value that the format does not allow.
    Slot {
        /// The slot's number, from 0.
        slot: usize,
        /// The field.
        field: &'static str,
    },
    /// The file ends inside the header.
    HeaderTruncated,
    /// The header has no slot for this kind of secret.
    Credential {
        /// Set if the header needs a password.
        password: bool,
    },
    /// The password is empty or too long, or has a zero byte.
    Password,
    /// The passwords' slots ask for more work than the caller allows.
    Cost {
        /// The kind of work, with its unit.
        what: &'static str,
        /// The header's number.
        asked: u64,
        /// The caller's limit.
        allowed: u64,
    },
    /// The system does not provide the memory for Argon2id.
    Memory {
        /// The memory in KiB.
        kib: u32,
    },
    /// The container is bound to a different name.
    Name {
        /// The bound name.
        bound: String,
        /// The name of the file, if it is known.
        name: Option<String>,
    },
    /// All slots are used.
    NoSlot,
    /// No other slot is used.
    LastSlot,
    /// The slot is not used.
    Unused {
        /// The slot's number.
        slot: usize,
    },
    /// The key commitment differs.
    WrongKey,
    /// The header's authentication code differs, though the key is right.
    HeaderDamaged,
    /// A chunk does not verify.
    Damaged {
        /// The chunk's number.
        chunk: u64,
        /// Set for the last piece of the file, which may have been truncated.
        last: bool,
    },
    /// The file ends before its last chunk.
    Truncated {
        /// The last whole chunk, if there is any.
        after: Option<u64>,
    },
    /// Data follows the last chunk.
    Trailing {
        /// The last chunk.
        chunk: u64,
    },
    /// More plaintext than the format allows for this cipher.
    TooLong {
        /// The limit in bytes.
        limit: u64,
    },
    /// The library refused: a bug in this program.
    Crypto(bulat::Error),
}

impl From<bulat::Error> for Error {
    fn from(e: bulat::Error) -> Self {
        Error::Crypto(e)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Read(e) => write!(f, "cannot read: {e}"),
            Error::Write(e) => write!(f, "cannot write: {e}"),
            Error::Foreign => f.write_str("not a bulat container"),
            Error::Version(v) => {
                write!(f, "container format version {v}; this program reads version 1")
            }
            Error::Field(name) => {
                write!(f, "damaged header, or of a newer program: impossible {name}")
            }
            Error::Slot { slot, field } => write!(
                f,
                "damaged header, or of a newer program: impossible {field} of slot {slot}"
            ),
            Error::HeaderTruncated => f.write_str("truncated: the file ends inside the header"),
            Error::Credential { password: true } => {
                f.write_str("encrypted with a password, not with a key file")
            }
            Error::Credential { password: false } => {
                f.write_str("encrypted with a key file, not with a password")
            }
            Error::Cost { what, asked, allowed } => {
                write!(f, "the header asks for {asked} {what}, more than {allowed}")
            }
            Error::Password => f.write_str("a password has 1 to 65536 bytes, none of them zero"),
            Error::Memory { kib } => {
                write!(f, "Argon2id needs {kib} KiB, which the system does not provide")
            }
            Error::Name { bound, name: Some(name) } => {
                write!(f, "made under the name {bound:?}, not {name:?}")
            }
            Error::Name { bound, name: None } => {
                write!(f, "made under the name {bound:?}, but the name of this data is not known")
            }
            Error::NoSlot => f.write_str("all 16 slots are used"),
            Error::LastSlot => f.write_str("the last slot: without it nothing opens the file"),
            Error::Unused { slot } => write!(f, "slot {slot} is not used"),
            Error::WrongKey => f.write_str("wrong key or password (or a damaged header)"),
            Error::HeaderDamaged => f.write_str("damaged header: it does not verify"),
            Error::Damaged { chunk, last: false } => {
                write!(f, "damaged: chunk {chunk} does not verify")
            }
            Error::Damaged { chunk, last: true } => {
                write!(f, "damaged or truncated: chunk {chunk}, the last, does not verify")
            }
            Error::Truncated { after: Some(chunk) } => {
                write!(f, "truncated: the file ends after chunk {chunk}, which is not its last")
            }
            Error::Truncated { after: None } => {
                f.write_str("truncated: the file ends before its first chunk")
            }
            Error::Trailing { chunk } => {
                write!(f, "damaged: data follows the last chunk (chunk {chunk})")
            }
            Error::TooLong { limit } => {
                write!(f, "longer than the {limit} bytes that the format allows for this cipher")
            }
            Error::Crypto(e) => write!(f, "internal error: {e}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Read(e) | Error::Write(e) => Some(e),
            Error::Crypto(e) => Some(e),
            _ => None,
        }
    }
}
