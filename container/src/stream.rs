//! The chunks of the container: docs/FORMAT.md, section 4 (the STREAM construction over MGM).
//!
//! Chunk i: ciphertext of the chunk's plaintext, then the full tag. Nonce: one byte, 1 for the last
//! chunk and 0 for the others, then i, big-endian. Associated data: the header's hash. All chunks but
//! the last are full; the last is empty only in an empty file.
//!
//! [`seal`] and [`open`] go from a reader to a writer, in order. `file.rs` does the same chunks between
//! regular files, where their places are known, `places.rs` those that are asked for.

use std::io::{Read, Write};

use bulat::algorithm::{AeadSession, Params};
use bulat::kdf::kdf_tree;
use bulat::{Direction, Secret};
use zeroize::Zeroizing;

use super::{Error, Keys};
use crate::pipeline::{self, Source, fill};

/// The label of the groups' keys.
const LABEL: &[u8] = b"bulat/1 group";
/// The longest tag.
const TAG: usize = 16;

/// Encrypts everything from `source`, without the header, on so many threads; the bytes of plaintext.
/// `progress` is told the plaintext done after each chunk; an error of its own ends the work.
///
/// # Errors
/// [`Error::Read`], [`Error::Write`], [`Error::TooLong`]; what `progress` returns.
pub fn seal<'a>(
    keys: &Keys,
    threads: usize,
    source: impl Into<Source<'a>>,
    destination: &mut dyn Write,
    progress: &mut dyn FnMut(u64) -> Result<(), Error>,
) -> Result<u64, Error> {
    stream(keys, Direction::Encrypt, threads, 0, source.into(), destination, progress)
}

/// Decrypts everything from `source`, which stands after the header, on so many threads; the bytes of
/// plaintext. A chunk is written when it has been verified, never before; so on an error the destination
/// holds the whole chunks before it. `progress` is told the plaintext done after each chunk; an error of its
/// own ends the work.
///
/// # Errors
/// [`Error::Read`], [`Error::Write`], [`Error::Damaged`], [`Error::Truncated`], [`Error::Trailing`],
/// [`Error::TooLong`]; what `progress` returns.
pub fn open<'a>(
    keys: &Keys,
    threads: usize,
    source: impl Into<Source<'a>>,
    destination: &mut dyn Write,
    progress: &mut dyn FnMut(u64) -> Result<(), Error>,
) -> Result<u64, Error> {
    stream(keys, Direction::Decrypt, threads, 0, source.into(), destination, progress)
}

/// [`open`] from a chunk on, on this thread: `source` stands at that chunk.
///
/// # Errors
/// As [`open`].
pub fn open_from<'a>(
    keys: &Keys,
    first: u64,
    source: impl Into<Source<'a>>,
    destination: &mut dyn Write,
) -> Result<u64, Error> {
    stream(keys, Direction::Decrypt, 1, first, source.into(), destination, &mut |_| Ok(()))
}

fn stream(
    keys: &Keys,
    direction: Direction,
    threads: usize,
    first: u64,
    Source { read: source, stop }: Source<'_>,
    destination: &mut dyn Write,
    progress: &mut dyn FnMut(u64) -> Result<(), Error>,
) -> Result<u64, Error> {
    let (read, _) = keys.pieces(direction);
    let mut reader = Lookahead::new(read, first);
    let mut done = 0;
    let worker = || {
        let mut chunks = Chunks::new(direction);
        move |piece: &mut Piece| chunks.work(keys, piece)
    };
    pipeline::run(
        threads > 1,
        (0..threads.max(1)).map(|_| worker()).collect(),
        || Piece::new(read),
        |piece| reader.next(source, piece),
        |piece| {
            destination.write_all(piece.written()).map_err(Error::Write)?;
            done += piece.plain as u64;
            progress(done)
        },
        stop,
    )?;
    Ok(done)
}

impl Keys {
    /// Bytes of a full chunk where it is read, and where it is written.
    pub(crate) fn pieces(&self, direction: Direction) -> (usize, usize) {
        let (plain, sealed) = (self.chunk, self.chunk + self.cipher.block());
        match direction {
            Direction::Encrypt => (plain, sealed),
            Direction::Decrypt => (sealed, plain),
        }
    }
}

/// A chunk on its way: plaintext, then ciphertext and tag, or the other way round.
pub(crate) struct Piece {
    octets: Zeroizing<Vec<u8>>,
    len: usize,
    /// Bytes of plaintext, once it has been worked on.
    pub(crate) plain: usize,
    pub(crate) index: u64,
    pub(crate) last: bool,
}

impl Piece {
    /// With room for `len` bytes, a tag, or one byte read ahead.
    pub(crate) fn new(len: usize) -> Self {
        let octets = Zeroizing::new(vec![0; len + TAG]);
        Piece { octets, len: 0, plain: 0, index: 0, last: false }
    }
    /// Where `len` bytes and the one ahead are read to.
    pub(crate) fn room(&mut self, len: usize) -> &mut [u8] {
        &mut self.octets[..=len]
    }
    /// It is chunk `index`, full of `full` bytes, and `n` were read, with the one ahead.
    pub(crate) fn is(&mut self, index: u64, n: usize, full: usize) {
        (self.len, self.index, self.last) = (n.min(full), index, n <= full);
    }
    /// It is chunk `index`, of `n` bytes.
    pub(crate) fn set(&mut self, index: u64, n: usize, last: bool) {
        (self.len, self.index, self.last) = (n, index, last);
    }
    /// What is to be written.
    pub(crate) fn written(&self) -> &[u8] {
        &self.octets[..self.len]
    }
    /// Finds out how much plaintext it has.
    pub(crate) fn plain(&mut self, keys: &Keys, direction: Direction) -> Result<(), Error> {
        let (block, limit) = (keys.cipher.block(), keys.cipher.limit());
        self.plain = match direction {
            Direction::Encrypt => self.len,
            Direction::Decrypt => self
                .len
                .checked_sub(block)
                .ok_or(Error::Truncated { after: self.index.checked_sub(1) })?,
        };
        let before = self.index.checked_mul(keys.chunk as u64);
        if before.is_none_or(|n| n > limit - self.plain as u64) {
            return Err(Error::TooLong { limit });
        }
        Ok(())
    }
    /// Plaintext, or its ciphertext, and the tag.
    pub(crate) fn parts(&mut self, keys: &Keys) -> (&mut [u8], &mut [u8]) {
        self.octets[..self.plain + keys.cipher.block()].split_at_mut(self.plain)
    }
    /// It was sealed or opened.
    pub(crate) fn done(&mut self, keys: &Keys, direction: Direction) {
        self.len = match direction {
            Direction::Encrypt => self.plain + keys.cipher.block(),
            Direction::Decrypt => self.plain,
        };
    }
}

impl Keys {
    /// The group of a chunk, and the key of a group.
    pub(crate) fn group(&self, index: u64) -> u64 {
        index / (self.cipher.group() / self.chunk as u64)
    }
    pub(crate) fn of_group(&self, group: u64) -> Result<Secret<[u8; 32]>, Error> {
        let mut key = Secret::new([0; 32]);
        kdf_tree(&**self.root, LABEL, &group.to_be_bytes(), 1, &mut *key)?;
        Ok(key)
    }
    /// The nonce of a chunk, as long as the block.
    pub(crate) fn nonce(&self, index: u64, last: bool) -> [u8; TAG] {
        let (mut nonce, n) = ([0u8; TAG], self.cipher.block());
        nonce[n - 7..n].copy_from_slice(&index.to_be_bytes()[1..]);
        nonce[0] = u8::from(last);
        nonce
    }
}

/// The session of one chunk after the other, of which some may be another thread's.
pub(crate) struct Chunks {
    direction: Direction,
    /// The group that the session's key belongs to.
    group: Option<u64>,
    session: Option<AeadSession>,
}

impl Chunks {
    pub(crate) fn new(direction: Direction) -> Self {
        Chunks { direction, group: None, session: None }
    }

    /// Seals or opens a chunk, in place. The keys are the same in every call.
    pub(crate) fn work(&mut self, keys: &Keys, piece: &mut Piece) -> Result<(), Error> {
        piece.plain(keys, self.direction)?;
        let (chunk, last) = (piece.index, piece.last);
        if self.direction == Direction::Encrypt {
            let session = self.session(keys, chunk, last)?;
            let (text, tag) = piece.parts(keys);
            session.update(text)?;
            tag.copy_from_slice(&session.finalize()?);
            piece.done(keys, self.direction);
            return Ok(());
        }
        // Only an empty file has an empty chunk: one sequence of chunks for each plaintext.
        if (piece.plain == 0 && chunk > 0) || self.open(keys, piece, last)?.is_err() {
            // A chunk that verifies with the other mark tells what happened.
            return Err(match (self.open(keys, piece, !last)?, last) {
                (Ok(()), true) => Error::Truncated { after: Some(chunk) },
                (Ok(()), false) => Error::Trailing { chunk },
                _ => Error::Damaged { chunk, last },
            });
        }
        piece.done(keys, self.direction);
        Ok(())
    }

    /// Opens a chunk, in place, as one that is the last or is not; on an error it stays as it is.
    fn open(
        &mut self,
        keys: &Keys,
        piece: &mut Piece,
        last: bool,
    ) -> Result<Result<(), bulat::Error>, Error> {
        let session = self.session(keys, piece.index, last)?;
        let (text, tag) = piece.parts(keys);
        Ok(session.open(text, tag))
    }

    /// A session that stands before the text of a chunk.
    fn session(&mut self, keys: &Keys, index: u64, last: bool) -> Result<&mut AeadSession, Error> {
        let cipher = keys.cipher;
        let nonce = keys.nonce(index, last);
        let nonce = &nonce[..cipher.block()];
        let group = keys.group(index);
        if self.group != Some(group) {
            let key = keys.of_group(group)?;
            let params = Params::new(&*key).iv(nonce).direction(self.direction);
            self.session = Some(bulat::algorithm(cipher.name())?.session(&params)?.aead()?);
            self.group = Some(group);
        } else if let Some(session) = &mut self.session {
            session.reset(nonce)?;
        }
        let session = self.session.as_mut().expect("made above");
        session.aad(&keys.aad)?;
        Ok(session)
    }
}

/// Pieces of a reader, all full but the last, each with whether it is the last: one byte is read ahead.
pub(crate) struct Lookahead {
    piece: usize,
    index: u64,
    /// The byte read ahead.
    ahead: Option<u8>,
    /// A piece was read.
    begun: bool,
}

impl Lookahead {
    pub(crate) fn new(piece: usize, first: u64) -> Self {
        Lookahead { piece, index: first, ahead: None, begun: false }
    }

    /// The next piece, if there is one; an empty source has one empty piece.
    pub(crate) fn next(&mut self, source: &mut dyn Read, to: &mut Piece) -> Result<bool, Error> {
        let mut n = 0;
        if let Some(octet) = self.ahead.take() {
            to.octets[0] = octet;
            n = 1;
        } else if self.begun {
            return Ok(false);
        }
        n += fill(source, &mut to.room(self.piece)[n..]).map_err(Error::Read)?;
        to.is(self.index, n, self.piece);
        self.ahead = (n > self.piece).then(|| to.octets[self.piece]);
        (self.index, self.begun) = (self.index + 1, true);
        Ok(true)
    }
}
