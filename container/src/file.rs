//! The chunks of the container between regular files. The place of each chunk is known in both: so every
//! worker reads, seals or opens, and writes by itself, with a buffer that stays in its cache, and nothing
//! is handed from thread to thread.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::os::unix::fs::FileExt as _;
use std::sync::{Mutex, PoisonError};

use bulat::Direction;

use super::stream::{Chunks, Piece};
use super::{Error, Keys, header};
use crate::pipeline;
use crate::stamp::changed;

/// What the workers have done together.
struct Done<'a> {
    octets: u64,
    /// Chunks done, the greatest number of one, and those that are marked as the last.
    chunks: u64,
    most: u64,
    last: Vec<u64>,
    progress: &'a mut (dyn FnMut(u64) -> Result<(), Error> + Send),
}

/// Seals a whole file to behind the header of another, or opens what stands behind the header of a file to
/// another, on so many threads; the bytes of plaintext. `progress` is told the plaintext done after each
/// chunk, on the thread that did it; an error of its own ends the work. Chunks are written in any order, when opening each after it has been verified, never before: until
/// this returns, the destination is not to be used, and on an error it may lack chunks before others.
///
/// # Errors
/// [`Error::Read`], also when the file's length changes meanwhile (for any change there is
/// [`Stamp`](crate::stamp::Stamp)); [`Error::Write`], [`Error::TooLong`]; of opening
/// [`Error::Damaged`], [`Error::Truncated`], [`Error::Trailing`]: of several, the first in the file;
/// what `progress` returns.
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
    let done = Mutex::new(Done { octets: 0, chunks: 0, most: 0, last: Vec::new(), progress });
    let worker = || {
        let (mut chunks, mut piece) = (Chunks::new(direction), Piece::new(read));
        let done = &done;
        move |index: u64| -> Result<bool, Error> {
            // As with a stream, one byte ahead tells whether it is the last.
            let n = fill_at(source, piece.room(read), from + index * read as u64)
                .map_err(Error::Read)?;
            if n == 0 && index > 0 {
                return Ok(false);
            }
            piece.is(index, n, read);
            chunks.work(keys, &mut piece)?;
            let at = to + index * written as u64;
            destination.write_all_at(piece.written(), at).map_err(Error::Write)?;
            let done = &mut *done.lock().unwrap_or_else(PoisonError::into_inner);
            done.octets += piece.plain as u64;
            done.chunks += 1;
            done.most = done.most.max(index);
            done.last.extend(piece.last.then_some(index));
            (done.progress)(done.octets)?;
            Ok(!piece.last)
        }
    };
    pipeline::deal((0..threads.max(1)).map(|_| worker()).collect())?;
    let done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    // A file that grows or shrinks meanwhile can end in one chunk and go on in another.
    if done.last != [done.most] || done.chunks != done.most + 1 {
        return Err(Error::Read(changed()));
    }
    Ok(done.octets)
}

/// Reads from this place until the buffer is full or the file ends; how many bytes.
fn fill_at(source: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    let mut n = 0;
    while n < buffer.len() {
        match source.read_at(&mut buffer[n..], at + n as u64) {
            Ok(0) => break,
            Ok(more) => n += more,
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(n)
}
