//! The chunks of the container: docs/FORMAT.md, section 4 (the STREAM construction over MGM).
//!
//! Chunk i: ciphertext of the chunk's plaintext, then the full tag. Nonce: one octet, 1 for the last
//! chunk and 0 for the others, then i, big-endian. Associated data: the header's hash. All chunks but
//! the last are full; the last is empty only in an empty file.

use std::io::{self, Read, Write};

use bulat::algorithm::{Params, Session};
use bulat::kdf::kdf_tree;
use bulat::{Direction, InOut, Secret};
use zeroize::Zeroizing;

use super::{Error, Keys};

/// The label of the groups' keys.
const LABEL: &[u8] = b"bulat/1 group";
/// The longest tag.
const TAG: usize = 16;

/// Encrypts everything from `source`, without the header; the octets of plaintext.
/// `progress` is told the plaintext done after each chunk.
///
/// # Errors
/// [`Error::Read`], [`Error::Write`], [`Error::TooLong`].
pub fn seal(
    keys: &Keys,
    source: &mut dyn Read,
    destination: &mut dyn Write,
    progress: &mut dyn FnMut(u64),
) -> Result<u64, Error> {
    let mut chunks = Chunks::new(keys, Direction::Encrypt);
    let mut buffer = Lookahead::new(keys.chunk);
    let mut done = 0;
    while let Some((text, last)) = buffer.next(source)? {
        done = chunks.admit(done, text.len())?;
        let mut tag = [0; TAG];
        let session = chunks.session(last)?;
        session.update((&mut *text).into())?;
        let n = session.finish(&mut tag)?;
        destination.write_all(text).map_err(Error::Write)?;
        destination.write_all(&tag[..n]).map_err(Error::Write)?;
        chunks.index += 1;
        progress(done);
    }
    Ok(done)
}

/// Decrypts everything from `source`, which stands after the header; the octets of plaintext.
/// A chunk is written when it has been verified, never before; so on an error the destination holds
/// the whole chunks before it. `progress` is told the plaintext done after each chunk.
///
/// # Errors
/// [`Error::Read`], [`Error::Write`], [`Error::Damaged`], [`Error::Truncated`], [`Error::Trailing`],
/// [`Error::TooLong`].
pub fn open(
    keys: &Keys,
    source: &mut dyn Read,
    destination: &mut dyn Write,
    progress: &mut dyn FnMut(u64),
) -> Result<u64, Error> {
    let block = keys.cipher.block();
    let mut chunks = Chunks::new(keys, Direction::Decrypt);
    let mut buffer = Lookahead::new(keys.chunk + block);
    let mut text = Zeroizing::new(vec![0; keys.chunk]);
    let mut done = 0;
    while let Some((sealed, last)) = buffer.next(source)? {
        let chunk = chunks.index;
        let Some(n) = sealed.len().checked_sub(block) else {
            return Err(Error::Truncated { after: chunk.checked_sub(1) });
        };
        done = chunks.admit(done, n)?;
        let text = &mut text[..n];
        // Only an empty file has an empty chunk: one sequence of chunks for each plaintext.
        if (n == 0 && chunk > 0) || chunks.open(sealed, text, last)?.is_err() {
            // A chunk that verifies with the other mark tells what happened.
            return Err(match (chunks.open(sealed, text, !last)?, last) {
                (Ok(()), true) => Error::Truncated { after: Some(chunk) },
                (Ok(()), false) => Error::Trailing { chunk },
                _ => Error::Damaged { chunk, last },
            });
        }
        destination.write_all(text).map_err(Error::Write)?;
        chunks.index += 1;
        progress(done);
    }
    Ok(done)
}

/// The session of each chunk in turn.
struct Chunks<'a> {
    keys: &'a Keys,
    direction: Direction,
    index: u64,
    /// The group that the session's key belongs to.
    group: Option<u64>,
    session: Option<Box<dyn Session>>,
}

impl<'a> Chunks<'a> {
    fn new(keys: &'a Keys, direction: Direction) -> Self {
        Chunks { keys, direction, index: 0, group: None, session: None }
    }

    /// The plaintext so far with `n` octets more, if the format allows it.
    fn admit(&self, done: u64, n: usize) -> Result<u64, Error> {
        let limit = self.keys.cipher.limit();
        let all = done + n as u64;
        if all > limit { Err(Error::TooLong { limit }) } else { Ok(all) }
    }

    /// Opens the present chunk as one that is the last or is not; nothing is in `text` on an error.
    fn open(
        &mut self,
        sealed: &[u8],
        text: &mut [u8],
        last: bool,
    ) -> Result<Result<(), bulat::Error>, Error> {
        let (sealed, tag) = sealed.split_at(text.len());
        let data = InOut::new(sealed, text).map_err(|_| bulat::Error::BufferLength)?;
        Ok(self.session(last)?.open(data, tag))
    }

    /// A session that stands before the text of the present chunk.
    fn session(&mut self, last: bool) -> Result<&mut dyn Session, Error> {
        let cipher = self.keys.cipher;
        let mut nonce = [0u8; TAG];
        let nonce = &mut nonce[..cipher.block()];
        nonce[cipher.block() - 7..].copy_from_slice(&self.index.to_be_bytes()[1..]);
        nonce[0] = u8::from(last);
        let group = self.index / (cipher.group() / self.keys.chunk as u64);
        if self.group != Some(group) {
            let mut key = Secret::new([0; 32]);
            kdf_tree(&*self.keys.root, LABEL, &group.to_be_bytes(), 1, &mut *key)?;
            let algorithm = bulat::algorithm::find(cipher.name())?;
            let open = algorithm.open.ok_or(bulat::Error::UnknownAlgorithm)?;
            self.session = Some(open(&Params::new(&*key, nonce, self.direction))?);
            self.group = Some(group);
        } else if let Some(session) = &mut self.session {
            session.reset(nonce)?;
        }
        let session = self.session.as_mut().expect("made above");
        session.aad(&self.keys.aad)?;
        Ok(&mut **session)
    }
}

/// Pieces of a reader, all full but the last, each with whether it is the last: one octet is read ahead.
struct Lookahead {
    buffer: Zeroizing<Vec<u8>>,
    /// The octet read ahead.
    ahead: Option<u8>,
    first: bool,
}

impl Lookahead {
    fn new(piece: usize) -> Self {
        Lookahead { buffer: Zeroizing::new(vec![0; piece + 1]), ahead: None, first: true }
    }

    /// The next piece; an empty source has one empty piece.
    fn next(&mut self, source: &mut dyn Read) -> Result<Option<(&mut [u8], bool)>, Error> {
        let mut n = 0;
        if let Some(octet) = self.ahead.take() {
            self.buffer[0] = octet;
            n = 1;
        } else if !self.first {
            return Ok(None);
        }
        self.first = false;
        n += fill(source, &mut self.buffer[n..]).map_err(Error::Read)?;
        let piece = self.buffer.len() - 1;
        if n > piece {
            self.ahead = Some(self.buffer[piece]);
        }
        Ok(Some((&mut self.buffer[..n.min(piece)], n <= piece)))
    }
}

/// Reads until the buffer is full or the source ends; how many octets.
pub(super) fn fill(source: &mut dyn Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut n = 0;
    while n < buffer.len() {
        match source.read(&mut buffer[n..]) {
            Ok(0) => break,
            Ok(more) => n += more,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(n)
}
