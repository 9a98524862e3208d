//! The chunks of the container: docs/FORMAT.md, section 6 (the STREAM construction over MGM).
//!
//! Chunk i is the ciphertext of the chunk's plaintext, then the full tag. The nonce is one byte, 1 for the last chunk
//! and 0 for the others, then i, big-endian. The associated data is the hash of the header's fixed part. All chunks but the last are
//! full; the last is empty only in an empty file.
//!
//! [`seal`] and [`open`] read and write in order. `file.rs` processes chunks between regular files, with known
//! positions, and `places.rs` single chunks on demand.

use std::io::{Read, Write};

use bulat::batch::AeadKey;
use bulat::kdf::kdf_tree;
use bulat::{Aead as _, Direction, KuznyechikMgm, MagmaMgm, Secret, Tag};
use zeroize::Zeroizing;

use super::{Cipher, Error, Keys};
use crate::pipeline::{self, Source, fill};

/// The label of the groups' keys.
const LABEL: &[u8] = b"bulat/1 group";
/// The longest tag.
const TAG: usize = 16;

/// Encrypts everything from `source`, which has no header, on several threads. Returns the bytes of plaintext.
/// `progress` gets the plaintext done after each chunk; its error ends the work.
///
/// # Errors
/// [`Error::Read`], [`Error::Write`], [`Error::TooLong`]; errors of `progress`.
pub fn seal<'a>(
    keys: &Keys,
    threads: usize,
    source: impl Into<Source<'a>>,
    destination: &mut dyn Write,
    progress: &mut dyn FnMut(u64) -> Result<(), Error>,
) -> Result<u64, Error> {
    stream(keys, Direction::Encrypt, threads, 0, source.into(), destination, progress)
}

/// Decrypts everything from `source`, which begins after the header, on several threads. Returns the bytes of
/// plaintext. A chunk is written only after it has been verified, so on an error the destination holds all chunks
/// before it. `progress` gets the plaintext done after each chunk; its error ends the work.
///
/// # Errors
/// [`Error::Read`], [`Error::Write`], [`Error::Damaged`], [`Error::Truncated`], [`Error::Trailing`],
/// [`Error::TooLong`]; errors of `progress`.
pub fn open<'a>(
    keys: &Keys,
    threads: usize,
    source: impl Into<Source<'a>>,
    destination: &mut dyn Write,
    progress: &mut dyn FnMut(u64) -> Result<(), Error>,
) -> Result<u64, Error> {
    stream(keys, Direction::Decrypt, threads, 0, source.into(), destination, progress)
}

/// Like [`open`], from any chunk on and on this thread: `source` begins with that chunk.
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
    /// Returns the lengths of a full chunk as it is read and as it is written.
    pub(crate) fn pieces(&self, direction: Direction) -> (usize, usize) {
        let (plain, sealed) = (self.chunk, self.chunk + self.cipher.block());
        match direction {
            Direction::Encrypt => (plain, sealed),
            Direction::Decrypt => (sealed, plain),
        }
    }
}

/// A chunk in progress: first plaintext, then ciphertext and tag, or the reverse.
pub(crate) struct Piece {
    bytes: Zeroizing<Vec<u8>>,
    len: usize,
    /// The bytes of plaintext, known once work begins.
    pub(crate) plain: usize,
    pub(crate) index: u64,
    pub(crate) last: bool,
}

impl Piece {
    /// Creates a piece with room for `len` bytes and a tag, or one byte read ahead.
    pub(crate) fn new(len: usize) -> Self {
        let bytes = Zeroizing::new(vec![0; len + TAG]);
        Piece { bytes, len: 0, plain: 0, index: 0, last: false }
    }
    /// Returns the room for `len` bytes and one byte more.
    pub(crate) fn room(&mut self, len: usize) -> &mut [u8] {
        &mut self.bytes[..=len]
    }
    /// Marks the piece as chunk `index`, with `full` bytes if full, after `n` bytes were read, including the byte
    /// ahead.
    pub(crate) fn is(&mut self, index: u64, n: usize, full: usize) {
        (self.len, self.index, self.last) = (n.min(full), index, n <= full);
    }
    /// Marks it as chunk `index`, of `n` bytes.
    pub(crate) fn set(&mut self, index: u64, n: usize, last: bool) {
        (self.len, self.index, self.last) = (n, index, last);
    }
    /// Returns the bytes to write.
    pub(crate) fn written(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
    /// Computes the length of the plaintext.
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
    /// Returns the text, plain or encrypted, and the tag.
    pub(crate) fn parts(&mut self, keys: &Keys) -> (&mut [u8], &mut [u8]) {
        self.bytes[..self.plain + keys.cipher.block()].split_at_mut(self.plain)
    }
    /// Sets the output's length after sealing or opening.
    pub(crate) fn done(&mut self, keys: &Keys, direction: Direction) {
        self.len = match direction {
            Direction::Encrypt => self.plain + keys.cipher.block(),
            Direction::Decrypt => self.plain,
        };
    }
}

impl Keys {
    /// Returns the number of a chunk's group.
    pub(crate) fn group(&self, index: u64) -> u64 {
        index / (self.cipher.group() / self.chunk as u64)
    }
    pub(crate) fn of_group(&self, group: u64) -> Result<Group, Error> {
        let mut key = Secret::new([0; 32]);
        kdf_tree(&**self.root, LABEL, &group.to_be_bytes(), 1, &mut *key)?;
        Ok(match self.cipher {
            Cipher::Kuznyechik => Group::Kuznyechik(Box::new(KuznyechikMgm::new(&key))),
            Cipher::Magma => Group::Magma(Box::new(MagmaMgm::new(&key))),
        })
    }
    /// Returns a chunk's nonce, as long as the block.
    pub(crate) fn nonce(&self, index: u64, last: bool) -> [u8; TAG] {
        let (mut nonce, n) = ([0u8; TAG], self.cipher.block());
        nonce[n - 7..n].copy_from_slice(&index.to_be_bytes()[1..]);
        nonce[0] = u8::from(last);
        nonce
    }
}

/// The key of a group of chunks. By type and not by name: a program with one module for the web has only these two
/// algorithms in it then.
pub(crate) enum Group {
    Kuznyechik(Box<KuznyechikMgm>),
    Magma(Box<MagmaMgm>),
}

impl Group {
    pub(crate) fn key(&self) -> AeadKey<'_> {
        match self {
            Group::Kuznyechik(k) => AeadKey::KuznyechikMgm(k),
            Group::Magma(k) => AeadKey::MagmaMgm(k),
        }
    }
    fn seal(&self, nonce: &[u8], aad: &[u8], text: &mut [u8]) -> Result<Tag, bulat::Error> {
        match self {
            Group::Kuznyechik(k) => k.seal_in_place(nonce, aad, text),
            Group::Magma(k) => k.seal_in_place(nonce, aad, text),
        }
    }
    fn open(
        &self,
        nonce: &[u8],
        aad: &[u8],
        text: &mut [u8],
        tag: &[u8],
    ) -> Result<(), bulat::Error> {
        match self {
            Group::Kuznyechik(k) => k.open_in_place(nonce, aad, text, tag),
            Group::Magma(k) => k.open_in_place(nonce, aad, text, tag),
        }
    }
}

/// Seals or opens chunks in turn, with the key of the current group; other threads may process the others.
pub(crate) struct Chunks {
    direction: Direction,
    /// The number of the current group, and its key.
    group: Option<(u64, Group)>,
}

impl Chunks {
    pub(crate) fn new(direction: Direction) -> Self {
        Chunks { direction, group: None }
    }

    /// Seals or opens a chunk in place. Each call needs the keys of the first.
    pub(crate) fn work(&mut self, keys: &Keys, piece: &mut Piece) -> Result<(), Error> {
        piece.plain(keys, self.direction)?;
        let (chunk, last, direction) = (piece.index, piece.last, self.direction);
        let group = self.group(keys, chunk)?;
        if direction == Direction::Encrypt {
            let nonce = keys.nonce(chunk, last);
            let (text, tag) = piece.parts(keys);
            tag.copy_from_slice(&group.seal(&nonce[..tag.len()], &keys.aad, text)?);
            piece.done(keys, direction);
            return Ok(());
        }
        let empty = piece.plain == 0;
        // Opens the chunk in place, as the last chunk or not. On an error it is unchanged.
        let mut open = |last| {
            let nonce = keys.nonce(chunk, last);
            let (text, tag) = piece.parts(keys);
            group.open(&nonce[..tag.len()], &keys.aad, text, tag)
        };
        // Only an empty file has an empty chunk, so that each plaintext has one sequence of chunks.
        if (empty && chunk > 0) || open(last).is_err() {
            // If the chunk verifies with the other mark, the reason is known.
            return Err(match (open(!last), last) {
                (Ok(()), true) => Error::Truncated { after: Some(chunk) },
                (Ok(()), false) => Error::Trailing { chunk },
                _ => Error::Damaged { chunk, last },
            });
        }
        piece.done(keys, direction);
        Ok(())
    }

    /// Returns the key of a chunk's group.
    fn group(&mut self, keys: &Keys, index: u64) -> Result<&Group, Error> {
        let group = keys.group(index);
        if self.group.as_ref().is_none_or(|(g, _)| *g != group) {
            self.group = Some((group, keys.of_group(group)?));
        }
        Ok(&self.group.as_ref().expect("made above").1)
    }
}

/// Reads pieces, all full but the last. It reads one byte ahead, to know whether a piece is the last.
pub(crate) struct Lookahead {
    piece: usize,
    index: u64,
    /// The byte read ahead.
    ahead: Option<u8>,
    /// Set once a piece was read.
    begun: bool,
}

impl Lookahead {
    pub(crate) fn new(piece: usize, first: u64) -> Self {
        Lookahead { piece, index: first, ahead: None, begun: false }
    }

    /// Reads the next piece. Returns false at the end; an empty source has one empty piece.
    pub(crate) fn next(&mut self, source: &mut dyn Read, to: &mut Piece) -> Result<bool, Error> {
        let mut n = 0;
        if let Some(byte) = self.ahead.take() {
            to.bytes[0] = byte;
            n = 1;
        } else if self.begun {
            return Ok(false);
        }
        n += fill(source, &mut to.room(self.piece)[n..]).map_err(Error::Read)?;
        to.is(self.index, n, self.piece);
        self.ahead = (n > self.piece).then(|| to.bytes[self.piece]);
        (self.index, self.begun) = (self.index + 1, true);
        Ok(true)
    }
}
