//! The two copies of a header: the binary part, the checksum, and which of them counts.

use serde_json::Value;

use super::{BINARY, Copy, Found, Header, MAGIC, Meta, SECOND, SIZES};
use crate::error::{Error, Result, damaged};
use crate::hash::Hash;
use crate::luks1::text;
use crate::random;
use crate::store::Store;

/// Reads the copy of the header that begins at `at`: its number, and what its text says.
fn copy(store: &dyn Store, at: u64) -> Result<(u64, Result<Header>)> {
    let size = store.size()?;
    let mut binary = vec![0; BINARY];
    if size < at + BINARY as u64 {
        return Err(Error::Foreign);
    }
    store.read_at(&mut binary, at).map_err(|e| match e.kind() {
        std::io::ErrorKind::UnexpectedEof => Error::Foreign,
        _ => e.into(),
    })?;
    if binary[..6] != if at == 0 { MAGIC } else { SECOND } {
        return Err(Error::Foreign);
    }
    let word = |at: usize| u64::from_be_bytes(std::array::from_fn(|i| binary[at + i]));
    match u16::from_be_bytes([binary[6], binary[7]]) {
        2 => {}
        n => return Err(Error::Unsupported(format!("LUKS version {n}"))),
    }
    let len = word(8);
    if !SIZES.contains(&len) || word(256) != at || (at != 0 && at != len) || at + len > size {
        return damaged("its size or its place");
    }
    let checksum = Hash::parse(text(&binary[72..104])?)?;
    let mut whole = binary.clone();
    whole.resize(len as usize, 0);
    store.read_at(&mut whole[BINARY..], at + BINARY as u64)?;
    whole[448..512].fill(0);
    let sum = checksum.digest(&[&whole]);
    if sum[..] != binary[448..][..sum.len()] {
        return damaged("wrong checksum");
    }
    let end = whole[BINARY..].iter().position(|b| *b == 0).unwrap_or(whole.len() - BINARY);
    let text = serde_json::from_slice(&whole[BINARY..BINARY + end])
        .map_err(|e| Error::Damaged(format!("its text: {e}")))?;
    let array = |at: usize| std::array::from_fn::<u8, 48, _>(|i| binary[at + i]);
    let header = Meta::of(&text, len, size).map(|meta| Header {
        size: len,
        sequence: word(16),
        label: array(24),
        uuid: std::array::from_fn(|i| binary[168 + i]),
        subsystem: array(208),
        checksum,
        meta,
        text,
    });
    Ok((word(16), header))
}

/// Reads the header of a store: the newer of its whole copies.
///
/// # Errors
/// [`Error::Foreign`] where there is none; [`Error::Damaged`], [`Error::Unsupported`]; the store's.
pub fn read(store: &dyn Store) -> Result<Found> {
    let first = copy(store, 0);
    let second = match &first {
        Ok((_, Ok(header))) => copy(store, header.size),
        _ => {
            // Where the first does not say it, the second is looked for.
            let tried = SIZES.iter().map(|at| copy(store, *at));
            let mut tried = tried.filter(|c| !matches!(c, Err(Error::Foreign)));
            tried.next().unwrap_or(Err(Error::Foreign))
        }
    };
    let (first, second) = match (first, second) {
        // What the newer one asks for counts, though the older does not ask for it.
        (Ok((n, Err(e @ Error::Unsupported(_)))), Ok((other, Ok(_))))
        | (Ok((other, Ok(_))), Ok((n, Err(e @ Error::Unsupported(_)))))
            if n >= other =>
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
        (Ok(a), Ok(_)) => (a, Copy::Good, Copy::Good),
        (Ok(a), Err(e)) => (a, Copy::Good, words(e)),
        (Err(e), Ok(b)) => (b, words(e), Copy::Good),
        // What the system says of the store says more than that nothing was found.
        (Err(Error::Foreign), Err(e)) | (Err(e), Err(_)) => return Err(e),
    };
    Ok(Found { header, first, second })
}

impl Header {
    /// Writes both copies anew, as they stand.
    ///
    /// # Errors
    /// The store's.
    pub fn rewrite(&mut self, store: &dyn Store) -> Result<()> {
        self.settle(store)?;
        self.write(store, self.text.clone())
    }

    /// Before a change: a copy that a cut has left older or damaged becomes what the other is, so that the change may
    /// write to the other, and to room that only the older one named.
    ///
    /// # Errors
    /// [`Error::Invalid`] when the store's header is not this one any more; the store's.
    pub(super) fn settle(&self, store: &dyn Store) -> Result<()> {
        let found = match read(store) {
            Ok(found) if found.header.uuid == self.uuid => found,
            Err(Error::Io(e)) => return Err(e.into()),
            // It has none of this volume yet.
            _ => return Ok(()),
        };
        if (found.header.sequence, found.header.size) != (self.sequence, self.size) {
            return Err(Error::Invalid("somebody else has changed the header meanwhile".into()));
        }
        for (at, copy) in [(0, found.first), (self.size, found.second)] {
            if copy != Copy::Good {
                store.write_at(&self.bytes(at)?, at)?;
                store.sync()?;
            }
        }
        Ok(())
    }

    /// Makes this text the header's: the second copy first, then the first.
    pub(super) fn write(&mut self, store: &dyn Store, text: Value) -> Result<()> {
        let meta = Meta::of(&text, self.size, store.size()?)?;
        let sequence = self.sequence.checked_add(1);
        let sequence =
            sequence.ok_or_else(|| Error::Damaged("the sequence is at its end".into()))?;
        let new = Header { sequence, text, meta, ..self.clone() };
        for at in [self.size, 0] {
            store.write_at(&new.bytes(at)?, at)?;
            store.sync()?;
        }
        *self = new;
        Ok(())
    }

    /// The copy that stands at `at`.
    pub(super) fn bytes(&self, at: u64) -> Result<Vec<u8>> {
        let text = self.text.to_string();
        let mut out = vec![0; self.size as usize];
        // A zero ends it.
        if text.len() >= out.len() - BINARY {
            return Err(Error::Invalid("the header is full".into()));
        }
        out[..6].copy_from_slice(if at == 0 { &MAGIC } else { &SECOND });
        out[6..8].copy_from_slice(&2u16.to_be_bytes());
        out[8..16].copy_from_slice(&self.size.to_be_bytes());
        out[16..24].copy_from_slice(&self.sequence.to_be_bytes());
        out[24..72].copy_from_slice(&self.label);
        let name = self.checksum.name().as_bytes();
        out[72..72 + name.len()].copy_from_slice(name);
        random(&mut out[104..168])?;
        out[168..208].copy_from_slice(&self.uuid);
        out[208..256].copy_from_slice(&self.subsystem);
        out[256..264].copy_from_slice(&at.to_be_bytes());
        out[BINARY..BINARY + text.len()].copy_from_slice(text.as_bytes());
        let sum = self.checksum.digest(&[&out]);
        out[448..448 + sum.len()].copy_from_slice(&sum);
        Ok(out)
    }
}
