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
    /// The file ends inside the header.
    HeaderTruncated,
    /// The header needs another kind of secret.
    Credential {
        /// Set if the header needs a password.
        password: bool,
    },
    /// The header asks for more iterations of PBKDF2 than the caller allows.
    Iterations {
        /// The header's number.
        asked: u32,
        /// The caller's limit.
        allowed: u32,
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
        /// The last whole chunk, if there is one.
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
            Error::Field(name) => write!(f, "damaged header: impossible {name}"),
            Error::HeaderTruncated => f.write_str("truncated: the file ends inside the header"),
            Error::Credential { password: true } => {
                f.write_str("encrypted with a password, not with a key file")
            }
            Error::Credential { password: false } => {
                f.write_str("encrypted with a key file, not with a password")
            }
            Error::Iterations { asked, allowed } => {
                write!(f, "the header asks for {asked} PBKDF2 iterations, more than {allowed}")
            }
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
