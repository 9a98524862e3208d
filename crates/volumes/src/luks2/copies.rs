//! The two copies of a header: the binary part, the checksum, and the choice between them.

use std::ops::Range;

use serde_json::Value;

use super::{BINARY, Copy, Found, Header, MAGIC, Meta, Outline, Room, SECOND, SIZES, fields};
use crate::error::{Error, Result, damaged};
use crate::hash::Hash;
use crate::random;
use crate::signs::{self, text};
use crate::store::Store;

/// Reads the copy of the header at `at`. Returns its number and its header, checked for data in this room.
fn copy(store: &dyn Store, at: u64, data: Room) -> Result<(u64, Result<Header>)> {
    let outline = outlined(store, at)?;
    let meta = Meta::of(&outline.text, outline.size, data);
    Ok((outline.sequence, meta.map(|meta| Header { outline, meta })))
}

/// Reads the newest copy of a header that has the right checksum, supported or not.
///
/// # Errors
/// As [`read`] of the first copy, if none has it.
pub fn outline(store: &dyn Store) -> Result<Outline> {
    let first = outlined(store, 0);
    let all =
        SIZES.iter().filter_map(|at| outlined(store, *at).ok()).chain(first.as_ref().ok().cloned());
    // If several have the highest number, the last is taken.
    all.max_by_key(|outline| outline.sequence).map_or(first, Ok)
}

fn outlined(store: &dyn Store, at: u64) -> Result<Outline> {
    let size = store.size()?;
    let mut binary = vec![0; BINARY];
    if size < at + BINARY as u64 {
        return Err(Error::Foreign);
    }
    store.read_at(&mut binary, at).map_err(|e| match e.kind() {
        std::io::ErrorKind::UnexpectedEof => Error::Foreign,
        _ => e.into(),
    })?;
    if binary[fields::MAGIC] != magic(at) {
        return Err(Error::Foreign);
    }
    let word = |field: Range<usize>| u64::from_be_bytes(array(&binary[field]));
    match u16::from_be_bytes(array(&binary[fields::VERSION])) {
        2 => {}
        n => return Err(Error::Unsupported(format!("LUKS version {n}"))),
    }
    let len = word(fields::SIZE);
    if !SIZES.contains(&len)
        || word(fields::POSITION) != at
        || (at != 0 && at != len)
        || at + len > size
    {
        return damaged("its size or its position");
    }
    let checksum = Hash::parse(text(&binary[fields::CHECKSUM])?)?;
    let mut whole = binary.clone();
    whole.resize(len as usize, 0);
    store.read_at(&mut whole[BINARY..], at + BINARY as u64)?;
    whole[fields::SUM].fill(0);
    let sum = checksum.digest(&[&whole]);
    if sum[..] != binary[fields::SUM][..sum.len()] {
        return damaged("wrong checksum");
    }
    let text = json(&whole[BINARY..])?;
    Ok(Outline {
        size: len,
        sequence: word(fields::SEQUENCE),
        label: array(&binary[fields::LABEL]),
        uuid: array(&binary[fields::UUID]),
        subsystem: array(&binary[fields::SUBSYSTEM]),
        checksum,
        text,
    })
}

/// Returns the magic of the copy at `at`.
fn magic(at: u64) -> [u8; 6] {
    if at == 0 { MAGIC } else { SECOND }
}

fn array<const N: usize>(field: &[u8]) -> [u8; N] {
    std::array::from_fn(|i| field[i])
}

/// Parses the text: an object from the first byte on, then zeros.
fn json(area: &[u8]) -> Result<Value> {
    let end = area.iter().position(|b| *b == 0);
    let Some(end) = end.filter(|end| area[*end..].iter().all(|b| *b == 0)) else {
        return damaged("its text does not end with zeros");
    };
    if area[0] != b'{' || area[end - 1] != b'}' {
        return damaged("its text is not in braces");
    }
    serde_json::from_slice(&area[..end]).map_err(|e| Error::Damaged(format!("its text: {e}")))
}

/// Returns whether such a copy of a header, whole or not, begins at a possible position from `from` on.
fn begins(store: &dyn Store, from: u64, is_it: impl Fn(&[u8; 512]) -> bool) -> Result<bool> {
    let size = store.size()?;
    for at in [0].into_iter().chain(SIZES).filter(|at| (from..size).contains(at)) {
        let mut copy = [0; 512];
        let len = (size - at).min(512) as usize;
        store.read_at(&mut copy[..len], at)?;
        if copy[fields::MAGIC] == magic(at) && is_it(&copy) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns whether a copy of this volume's header, whole or not, begins at a possible position.
pub(super) fn is_of(store: &dyn Store, uuid: &[u8; 40]) -> Result<bool> {
    begins(store, 0, |copy| copy[fields::VERSION] == [0, 2] && copy[fields::UUID] == *uuid)
}

/// Refuses the data of a detached header, from `offset` of its store on, if a LUKS header is there: another volume's.
///
/// # Errors
/// [`Error::Force`]; the store's.
pub fn check_data(store: &dyn Store, offset: u64) -> Result<()> {
    match begins(store, offset, |_| true)? {
        true => {
            Err(Error::Force("there is a LUKS header in place of a detached header's data".into()))
        }
        false => Ok(()),
    }
}

/// Reads the header of a store: the newer of its whole copies.
///
/// # Errors
/// [`Error::Foreign`] if there is none; [`Error::Ambiguous`] if only one copy is whole and the store begins with
/// something else, as when an old volume's second copy has survived; [`Error::Damaged`], [`Error::Unsupported`]; the
/// store's.
pub fn read(store: &dyn Store) -> Result<Found> {
    let found = find(store)?;
    match found.other {
        Some(what) => Err(Error::Ambiguous(what.into())),
        None => Ok(found),
    }
}

/// Reads the header of a store even if the store has another sign, which [`Found::other`] names.
///
/// # Errors
/// As [`read`], without [`Error::Ambiguous`].
pub fn find(store: &dyn Store) -> Result<Found> {
    find_for(store, Room::of(store)?)
}

/// Returns whether a store has the header of data in another store, cut short or not.
pub fn is_detached(store: &dyn Store) -> bool {
    newer(store, Room::ANY).is_ok_and(|found| found.header.segment().offset == 0)
}

/// Reads the header of data in this room from a store.
pub(super) fn find_for(store: &dyn Store, data: Room) -> Result<Found> {
    let found = newer(store, data)?;
    // The offset of data in the same store is checked in place of this.
    let (size, area) = (store.size()?, found.header.area());
    match data.apart && size < area {
        true => Err(Error::Short(format!("the header has {area} bytes, but there are {size}"))),
        false => Ok(found),
    }
}

/// Returns whether the place of a header's first copy has neither that copy, damaged or not, nor zeros.
fn has_data(store: &dyn Store, header: &Header) -> Result<bool> {
    let mut beginning = [0; 6];
    store.read_at(&mut beginning, 0)?;
    Ok(beginning != MAGIC && !signs::is_blank(store, 0..header.size)?)
}

/// Chooses the newer of the whole copies.
fn newer(store: &dyn Store, data: Room) -> Result<Found> {
    let first = copy(store, 0, data);
    let second = match &first {
        Ok((_, Ok(header))) => copy(store, header.size, data),
        _ => {
            // Looks for the second copy, since the first does not say where it is.
            let tried = SIZES.iter().map(|at| copy(store, *at, data));
            let mut tried = tried.filter(|c| !matches!(c, Err(Error::Foreign)));
            tried.next().unwrap_or(Err(Error::Foreign))
        }
    };
    let another = match (&first, &second) {
        (Err(Error::Unsupported(_)), Ok((_, Ok(header)))) => !header.begins(store)?,
        _ => false,
    };
    let (first, second) = match (first, second) {
        // The newer copy decides, even if only the older copy is understood: its checksum is right, so it was written
        // so.
        (Ok((n, Err(e))), Ok((other, Ok(_)))) | (Ok((other, Ok(_))), Ok((n, Err(e))))
            if n > other || (n == other && matches!(e, Error::Unsupported(_))) =>
        {
            return Err(e);
        }
        (first, second) => (first.and_then(|c| c.1), second.and_then(|c| c.1)),
    };
    let words = |e: Error| match e {
        Error::Foreign => Copy::Damaged("it is not there".into()),
        e => Copy::Damaged(e.to_string()),
    };
    let (header, first, second) = match (first, second) {
        (Ok(a), Ok(b)) if a.sequence > b.sequence => (a, Copy::Good, Copy::Older),
        (Ok(a), Ok(b)) if a.sequence < b.sequence => (b, Copy::Older, Copy::Good),
        (Ok(a), Ok(b)) if a.says_as(&b) => (a, Copy::Good, Copy::Good),
        (Ok(a), Ok(_)) => {
            let what = "it has the first copy's number, but differs from it";
            (a, Copy::Good, Copy::Damaged(what.into()))
        }
        (Ok(a), Err(e)) => (a, Copy::Good, words(e)),
        (Err(e), Ok(b)) => (b, words(e), Copy::Good),
        // An error of the system is more informative than "not found".
        (Err(Error::Foreign), Err(e))
        // Restoring a header would destroy a header that is not understood.
        | (Err(Error::Damaged(_) | Error::Short(_)), Err(e @ Error::Unsupported(_)))
        | (Err(e), Err(_)) => return Err(e),
    };
    let other = match (&first, &second) {
        (Copy::Good, Copy::Damaged(_)) => signs::beside(store, 0..header.size)?,
        (Copy::Damaged(_), _) if another => Some("a LUKS header of another kind"),
        (Copy::Damaged(_), _) => signs::beside(store, header.size..2 * header.size)?,
        _ => None,
    };
    // A detached header's data can have come into its place, encrypted and so without a sign.
    let lone = data.is_unnamed() && header.segment().offset == 0;
    let other = match (&first, other) {
        (Copy::Damaged(_), None) if lone && has_data(store, &header)? => {
            Some("data in the place of the first")
        }
        (_, other) => other,
    };
    Ok(Found { header, first, second, other })
}

/// A new header with both copies, checked but not yet written.
pub(super) struct Next {
    header: Header,
    copies: [(u64, Vec<u8>); 2],
}

impl Next {
    /// Writes the second copy, then the first.
    pub(super) fn write(self, store: &dyn Store) -> Result<Header> {
        for (at, bytes) in &self.copies {
            store.write_at(bytes, *at)?;
            store.sync()?;
        }
        Ok(self.header)
    }
}

impl Header {
    /// Returns whether a store begins with this header's first copy, except for version, checksum and salt.
    fn begins(&self, store: &dyn Store) -> Result<bool> {
        let (mut existing, own) = ([0; 256], self.bytes(0)?);
        store.read_at(&mut existing, 0)?;
        let parts =
            [fields::SIZE.start..fields::LABEL.end, fields::UUID.start..fields::SUBSYSTEM.end];
        Ok(parts.into_iter().all(|part| existing[part.clone()] == own[part]))
    }

    /// Returns whether two copies agree.
    fn says_as(&self, other: &Header) -> bool {
        let all = |h: &Header| (h.size, h.label, h.uuid, h.subsystem);
        all(self) == all(other) && self.text == other.text
    }

    /// Rewrites both copies.
    ///
    /// # Errors
    /// The store's.
    pub fn rewrite(&mut self, store: &dyn Store) -> Result<()> {
        let next = self.next(self.text.clone(), Room::of(store)?)?;
        self.settle(store)?;
        *self = next.write(store)?;
        Ok(())
    }

    /// Repairs a copy that a cut has left older or damaged, before a change. The change may then write to the other
    /// copy, and to room that only the older copy used. Errors: [`Error::Invalid`] if the store has a different header
    /// by now; the store's.
    pub(super) fn settle(&self, store: &dyn Store) -> Result<()> {
        let gone = || Error::Invalid("somebody else has changed the header meanwhile".into());
        let found = find(store).map_err(|e| match e {
            Error::Io(e) => Error::Io(e),
            _ => gone(),
        })?;
        if found.header.sequence != self.sequence || !found.header.says_as(self) {
            return Err(gone());
        }
        for (at, copy) in [(0, found.first), (self.size, found.second)] {
            if copy != Copy::Good {
                store.write_at(&self.bytes(at)?, at)?;
                store.sync()?;
            }
        }
        Ok(())
    }

    /// Returns the header with this text and the next number, for data in this room. Errors: [`Error::Full`] when the
    /// text is too long; [`Error::Damaged`].
    pub(super) fn next(&self, text: Value, room: Room) -> Result<Next> {
        let meta = Meta::of(&text, self.size, room)?;
        let sequence = self.sequence.checked_add(1);
        let sequence = sequence
            .ok_or_else(|| Error::Damaged("the sequence number cannot grow any more".into()))?;
        let header = Header { outline: Outline { sequence, text, ..self.outline.clone() }, meta };
        let copies = [(self.size, header.bytes(self.size)?), (0, header.bytes(0)?)];
        Ok(Next { header, copies })
    }

    /// Returns the copy for position `at`.
    pub(super) fn bytes(&self, at: u64) -> Result<Vec<u8>> {
        let text = self.text.to_string();
        let mut out = vec![0; self.size as usize];
        // A zero must follow it.
        if text.len() >= out.len() - BINARY {
            return Err(Error::Full("the header has no room for its text".into()));
        }
        let name = self.checksum.name().as_bytes();
        out[fields::MAGIC].copy_from_slice(&magic(at));
        out[fields::VERSION].copy_from_slice(&2u16.to_be_bytes());
        out[fields::SIZE].copy_from_slice(&self.size.to_be_bytes());
        out[fields::SEQUENCE].copy_from_slice(&self.sequence.to_be_bytes());
        out[fields::LABEL].copy_from_slice(&self.label);
        out[fields::CHECKSUM][..name.len()].copy_from_slice(name);
        random(&mut out[fields::SALT])?;
        out[fields::UUID].copy_from_slice(&self.uuid);
        out[fields::SUBSYSTEM].copy_from_slice(&self.subsystem);
        out[fields::POSITION].copy_from_slice(&at.to_be_bytes());
        out[BINARY..BINARY + text.len()].copy_from_slice(text.as_bytes());
        let sum = self.checksum.digest(&[&out]);
        out[fields::SUM][..sum.len()].copy_from_slice(&sum);
        Ok(out)
    }
}
