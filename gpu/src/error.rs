//! What may go wrong with a device.

use std::fmt;

/// Why a device did not do its work, or an algorithm refused it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The library's own refusal: the same as on the processor.
    Refused(bulat::Error),
    /// No driver, or no device of it: in words.
    Missing(String),
    /// There is no device of this name.
    Unknown(String),
    /// The driver refused a call: what was asked, and its answer.
    Driver(&'static str, String),
    /// The device's memory is full.
    Memory(u64),
    /// The kernel of this name gave a wrong answer in the self-test: the device is left out.
    Wrong(String),
    /// The device did not answer in time.
    Hangs,
    /// The device failed before and is left out.
    Lost(String),
    /// A queue or memory of the caller's that is of another device or context, or is not as it has to be: in words.
    Foreign(&'static str),
    /// The device does not do this: the processor does.
    Unsupported(&'static str),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Refused(e) => e.fmt(f),
            Error::Missing(what) => f.write_str(what),
            Error::Unknown(name) => write!(f, "no device is named {name}"),
            Error::Driver(call, answer) => write!(f, "the driver refused {call}: {answer}"),
            Error::Memory(bytes) => write!(f, "the device has no {bytes} bytes of memory left"),
            Error::Wrong(kernel) => {
                write!(f, "{kernel} gave a wrong answer in the self-test; the device is left out")
            }
            Error::Hangs => f.write_str("the device did not answer in time"),
            Error::Lost(why) => write!(f, "the device failed before: {why}"),
            Error::Foreign(what) => f.write_str(what),
            Error::Unsupported(what) => write!(f, "devices do not do this: {what}"),
        }
    }
}

impl std::error::Error for Error {}

impl From<bulat::Error> for Error {
    fn from(e: bulat::Error) -> Self {
        Error::Refused(e)
    }
}

/// With an [`Error`].
pub type Result<T> = std::result::Result<T, Error>;
