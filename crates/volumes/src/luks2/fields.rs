//! The places of the fields in the binary part of a header. Between them and behind the last are zeros.

use std::ops::Range;

pub const MAGIC: Range<usize> = 0..6;
pub const VERSION: Range<usize> = 6..8;
/// The length of a copy.
pub const SIZE: Range<usize> = 8..16;
pub const SEQUENCE: Range<usize> = 16..24;
pub const LABEL: Range<usize> = 24..72;
/// The name of the checksum's hash.
pub const CHECKSUM: Range<usize> = 72..104;
/// Random bytes, so that no two copies have the same checksum.
pub const SALT: Range<usize> = 104..168;
pub const UUID: Range<usize> = 168..208;
pub const SUBSYSTEM: Range<usize> = 208..256;
/// The position of the copy.
pub const POSITION: Range<usize> = 256..264;
/// The checksum of the copy, with zeros in its own place.
pub const SUM: Range<usize> = 448..512;
