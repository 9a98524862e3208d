//! The chunks of a container between regular files. The position of each chunk in both files is known: so each worker
//! reads, seals or opens, and writes its own chunks, in a buffer that stays in its cache, and threads pass nothing to
//! each other.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::FileExt as _;
use std::sync::{Mutex, PoisonError};

use bulat::Direction;

use super::stream::{Chunks, Piece};
use super::{Error, Keys, header};
use crate::pipeline;
use crate::stamp::changed;

/// The workers' common results.
struct Done<'a> {
    bytes: u64,
    /// The number of chunks done, the greatest index, and the chunks marked as the last.
    chunks: u64,
    most: u64,
    last: Vec<u64>,
    progress: &'a mut (dyn FnMut(u64) -> Result<(), Error> + Send),
}

/// Seals a whole file to the position after the header in a second file, or opens a file from after its header to
/// a second file, on several threads. Returns the bytes of plaintext. `progress` gets the plaintext done after each
/// chunk, on the chunk's thread; its error ends the work. Chunks are written in any order; in opening, each only after
/// it has been verified. Do not use the destination before this returns; after an error, chunks may be missing before
/// others.
///
/// # Errors
/// [`Error::Read`], also when the file's length changes ([`Stamp`](crate::stamp::Stamp) detects any change);
/// [`Error::Write`], [`Error::TooLong`]; in opening also [`Error::Damaged`], [`Error::Truncated`], [`Error::Trailing`]:
/// the first in the file; errors of `progress`.
pub fn between_files(
    direction: Direction,
    keys: &Keys,
    threads: usize,
    source: &File,
    destination: &File,
    progress: &mut (dyn FnMut(u64) -> Result<(), Error> + Send),
) -> Result<u64, Error> {
    let (read, written) = keys.pieces(direction);
    let (from, to) = match direction {
        Direction::Encrypt => (0, header::LEN as u64),
        Direction::Decrypt => (header::LEN as u64, 0),
    };
    let done = Mutex::new(Done { bytes: 0, chunks: 0, most: 0, last: Vec::new(), progress });
    let worker = || {
        let (mut chunks, mut piece) = (Chunks::new(direction), Piece::new(read));
        let done = &done;
        move |index: u64| -> Result<bool, Error> {
            // Reads one byte more, as from a stream, to know whether this is the last chunk.
            let mut source = From(source, from + index * read as u64);
            let n = pipeline::fill(&mut source, piece.room(read)).map_err(Error::Read)?;
            if n == 0 && index > 0 {
                return Ok(false);
            }
            piece.is(index, n, read);
            chunks.work(keys, &mut piece)?;
            let at = to + index * written as u64;
            destination.write_all_at(piece.written(), at).map_err(Error::Write)?;
            let done = &mut *done.lock().unwrap_or_else(PoisonError::into_inner);
            done.bytes += piece.plain as u64;
            done.chunks += 1;
            done.most = done.most.max(index);
            done.last.extend(piece.last.then_some(index));
            (done.progress)(done.bytes)?;
            Ok(!piece.last)
        }
    };
    pipeline::deal((0..threads.max(1)).map(|_| worker()).collect())?;
    let done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    // A file that grows or shrinks meanwhile can end within one chunk and still have later ones.
    if done.last != [done.most] || done.chunks != done.most + 1 {
        return Err(Error::Read(changed()));
    }
    Ok(done.bytes)
}

/// Reads a file from a position on.
struct From<'a>(&'a File, u64);

impl Read for From<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.0.read_at(buffer, self.1)?;
        self.1 += n as u64;
        Ok(n)
    }
}
