//! The errors of the library: a small `Copy` enum with nothing secret in it.

/// The reason why an operation was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Error {
    /// The key does not have a length that the algorithm accepts.
    KeyLength,
    /// The IV, nonce, UKM or tweak does not have a length that the mode accepts.
    IvLength,
    /// The requested tag length is outside the standard's range, or the tag does not have the agreed length.
    TagLength,
    /// The nonce breaks the mode's rule (MGM: its first bit must be 0).
    Nonce,
    /// Two messages of one call have one IV under one key.
    IvReuse,
    /// A parameter (section size, period, s, label, iterations) is outside the standard's range.
    Parameter,
    /// An S-box row is not a permutation of 0..=15.
    Sbox,
    /// Two keys that must differ are equal.
    EqualKeys,
    /// Source and destination differ in length, or the destination is too short.
    BufferLength,
    /// The data is not a whole number of blocks, or shorter than the mode's least length.
    DataLength,
    /// More data than the standard allows under one key, nonce or message.
    Limit,
    /// Nothing to authenticate: text and associated data are both empty (RFC 9058, section 4).
    Empty,
    /// The object has finished: it accepts no data until it is reset.
    Finished,
    /// The operation does not belong to this mode, or comes too late (associated data after text).
    Order,
    /// The tag, MAC or wrapped key does not verify.
    Verify,
    /// The padding is malformed.
    Padding,
    /// No algorithm of this name.
    UnknownAlgorithm,
    /// No kernel of this name, or this machine cannot run it.
    UnknownKernel,
}

impl core::fmt::Display for Error {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Error::KeyLength => "wrong key length",
            Error::IvLength => "wrong IV length",
            Error::TagLength => "wrong tag length",
            Error::Nonce => "the first bit of the nonce must be 0",
            Error::IvReuse => "two messages with the same IV",
            Error::Parameter => "parameter outside the standard's range",
            Error::Sbox => "an S-box row is not a permutation",
            Error::EqualKeys => "the two keys must differ",
            Error::BufferLength => "wrong buffer length",
            Error::DataLength => "wrong data length",
            Error::Limit => "more data than the standard allows under one key or nonce",
            Error::Empty => "nothing to authenticate",
            Error::Finished => "already finished",
            Error::Order => "operation out of order",
            Error::Verify => "authentication failed",
            Error::Padding => "wrong padding",
            Error::UnknownAlgorithm => "unknown algorithm",
            Error::UnknownKernel => "unknown or unavailable kernel",
        })
    }
}

impl core::error::Error for Error {}
