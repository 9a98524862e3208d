//! Errors, told apart by cause.

use core::fmt;

use der::asn1::ObjectIdentifier;

use crate::form::Form;
use crate::oid;

/// The reason of a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A MAC, a padding or a decrypted structure is wrong. A format under a password cannot tell the two causes apart.
    Password,
    /// The structure is wrong, and the password is not the reason; names the part.
    Damaged(&'static str),
    /// A file of PEM is wrong in a line.
    Pem {
        /// The line, from 1.
        line: usize,
        /// The fault.
        fault: &'static str,
    },
    /// The data has a different form from the wanted form.
    Form {
        /// The form that the call reads.
        wanted: Form,
        /// The form of the data.
        found: Form,
    },
    /// An algorithm that is unknown here; names its role.
    Algorithm(&'static str, ObjectIdentifier),
    /// More iterations or bytes than the limits allow.
    Cost {
        /// The unit.
        what: &'static str,
        /// The file's demand so far.
        asked: u64,
        /// The limit.
        allowed: u64,
    },
    /// A form that is known, and not supported.
    Scope(&'static str),
    /// A wrong argument of the caller.
    Parameter(&'static str),
    /// The system gives no random numbers.
    Random,
}

/// The result type of this crate.
pub type Result<T, E = Error> = core::result::Result<T, E>;

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Password => f.write_str("wrong password, or the data is damaged"),
            Error::Damaged(part) => write!(f, "damaged or not of this format: {part}"),
            Error::Pem { line, fault } => write!(f, "damaged PEM, line {line}: {fault}"),
            Error::Form { wanted, found } => write!(f, "not {}, but {found}", wanted.name()),
            Error::Algorithm(role, oid) => match oid::name(oid) {
                Some(name) => write!(f, "{role}: unsupported: {name} ({oid})"),
                None => write!(f, "{role}: unknown algorithm {oid}"),
            },
            Error::Cost { what, asked, allowed } => {
                write!(f, "needs {asked} {what}, more than the limit of {allowed}")
            }
            Error::Scope(form) => write!(f, "not supported: {form}"),
            Error::Parameter(what) => f.write_str(what),
            Error::Random => f.write_str("the system gives no random numbers"),
        }
    }
}

impl std::error::Error for Error {}

/// Converts errors of the parser; the part is named by the caller.
pub(crate) fn damaged<E>(part: &'static str) -> impl FnOnce(E) -> Error {
    move |_| Error::Damaged(part)
}
