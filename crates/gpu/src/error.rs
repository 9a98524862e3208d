//! Errors of devices.

use std::fmt;

/// The reason why a device did not do its work, or an algorithm refused it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The library refused, as it would on the processor.
    Refused(bulat::Error),
    /// No driver, or the driver has no device: the message says which.
    Missing(String),
    /// No device has this name.
    Unknown(String),
    /// The driver refused a call: the call's name, and the driver's answer.
    Driver(&'static str, String),
    /// CUDA's driver is older than this one, which is the oldest that loads the programs.
    Old(u32),
    /// The device's memory is full; the number of bytes requested, or 0 if the driver needed them.
    Memory(u64),
    /// The kernel of this name gave a wrong answer in the self-test, so the device is not used.
    Wrong(String),
    /// The device did not answer in time.
    Hangs,
    /// The device failed before and is no longer used.
    Lost(String),
    /// A queue or memory of the caller's belongs to another device or context, or has a wrong property: the message
    /// says which.
    Foreign(&'static str),
    /// The device cannot do this; the processor can.
    Unsupported(&'static str),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Refused(e) => e.fmt(f),
            Error::Missing(what) => f.write_str(what),
            Error::Unknown(name) => write!(f, "there is no device named {name}"),
            Error::Driver(call, answer) => write!(f, "the driver refused {call}: {answer}"),
            Error::Old(oldest) => {
                write!(f, "the driver is too old: version {oldest} or newer is needed")
            }
            Error::Memory(0) => f.write_str("the device has no memory left"),
            Error::Memory(bytes) => write!(f, "the device has no {bytes} bytes of memory left"),
            Error::Wrong(kernel) => {
                write!(f, "{kernel} gave a wrong answer in the self-test; the device is left out")
            }
            Error::Hangs => f.write_str("the device did not answer in time"),
            Error::Lost(why) => write!(f, "the device failed before: {why}"),
            Error::Foreign(what) => f.write_str(what),
            Error::Unsupported(what) => write!(f, "not supported on devices: {what}"),
        }
    }
}

impl std::error::Error for Error {}

impl From<bulat::Error> for Error {
    fn from(e: bulat::Error) -> Self {
        Error::Refused(e)
    }
}

/// The result type of this crate.
pub type Result<T> = std::result::Result<T, Error>;
